//! The browser: every sheet of the project in its folders, with its picture, its state and its frames.
//!
//! Rows are drawn by hand and only those in sight, so the list is as quick with ten thousand sheets as with ten.

mod files;
mod menus;
mod rows;
mod tree;

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align, EventFilter, Id, Key, Label, Layout, Modifiers, Rect, Response, RichText, ScrollArea, Sense,
    TextEdit, Ui,
};
use egui_material_icons::icons::ICON_CLOSE;

use self::files::Asked;
use self::rows::{Clicked, RowContext};
use self::tree::{Filter, Folds, Kind, Row, Step};
use super::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use super::{UiState, moved, widgets};
use crate::edit::Revision;
use crate::import::ProjectKind;
use crate::registry::Registry;
use crate::session::{Action, Command, Document, Move, OpenProject, Session, Workspace, folder_of};

/// Height of a row: a thumbnail and some air.
const LIST_ROW_HEIGHT: f32 = 28.0;

/// What the browser keeps from one pass to the next.
#[derive(Default)]
pub struct Browser {
    filter: String,
    folds: Folds,
    /// The row that keys act on.
    cursor: Option<(Arc<str>, Kind)>,
    rows: Vec<Row>,
    rows_made_of: Option<MadeOf>,
    /// The window in which a file is renamed, moved or deleted.
    files: files::Files,
    /// What a command asked for, for the next pass.
    wanted: Option<Asked>,
    /// Whether the list takes the keyboard in the next pass.
    wants_keyboard: bool,
}

/// What the rows were made of.
#[derive(Clone)]
struct MadeOf {
    registry: Arc<Registry>,
    folders: Arc<[Arc<str>]>,
    folds: u64,
    filter: String,
    documents: Vec<(Arc<str>, Revision)>,
}

impl PartialEq for MadeOf {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.registry, &other.registry)
            && Arc::ptr_eq(&self.folders, &other.folders)
            && self.folds == other.folds
            && self.filter == other.filter
            && self.documents == other.documents
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let Some(open) = session.project() else { return };
    let UiState { browser, textures, hover, carry, .. } = state;
    // A panel is as wide as its contents, and must not become narrow while there are few.
    ui.set_min_width(ui.available_width());
    browser.make_rows(session, open);
    title(ui, open, browser);
    let goes_to_list = filter_field(ui, browser);
    ui.add_space(INSIDE);
    if browser.rows.is_empty() {
        nothing_listed(ui, open, browser);
    } else {
        let mut context =
            RowContext { session, open, textures, hover, carry, actions, asked: None, cursor: None };
        list(ui, browser, &mut context, goes_to_list);
        browser.wanted = context.asked.or(browser.wanted.take());
    }
    if let Some(asked) = browser.wanted.take() {
        browser.files.ask(session, asked);
        ui.request_repaint();
    }
    // The keyboard goes on where it was.
    browser.wants_keyboard |= browser.files.ui(ui, session, actions);
}

/// Whether the keys for files are the browser's: its list has the keyboard and is at a file or a folder.
pub fn has_file_keys(ctx: &egui::Context) -> bool {
    let focused = ctx.memory(egui::Memory::focused);
    focused.is_some() && focused == ctx.data(|data| data.get_temp::<Option<Id>>(file_keys_id())).flatten()
}

fn file_keys_id() -> Id {
    Id::unique("the browser's list while it is at a file")
}

impl Browser {
    /// What is folded, and where the keys are, follows the files that were moved.
    pub fn files_moved(&mut self, moves: &[Move]) {
        self.folds.files_moved(moves);
        if let Some((path, _)) = &mut self.cursor {
            moved::follow(moves, path);
        }
    }

    /// Shows a folder and puts the keys at it.
    pub fn go_to_folder(&mut self, path: &Arc<str>) {
        let mut above = folder_of(path);
        while !above.is_empty() {
            self.folds.set_open(&above.into(), Kind::Folder, true);
            above = folder_of(above);
        }
        self.cursor = Some((path.clone(), Kind::Folder));
        self.wants_keyboard = true;
    }

    /// Asks for what a command about files needs: of the row that the keys are at, else of the document that is shown.
    /// Without either the list takes the keyboard, so that there is one.
    pub fn command(&mut self, command: Command, session: &Session) {
        let row = self.cursor_index().map(|index| &self.rows[index]);
        let document = match session.workspace() {
            Workspace::Slice => session.current().map(|document| &document.path),
            Workspace::Scene => session.scene().map(|document| &document.path),
        };
        let Some(path) = row.map(|row| &row.path).or(document).cloned() else {
            self.wanted =
                (command == Command::NewFolder).then(|| Asked::NewFolder(session.top_folder().into()));
            self.wants_keyboard = self.wanted.is_none();
            return;
        };
        self.wanted = match command {
            Command::RenameFile => Some(Asked::Rename(path)),
            Command::MoveFile => Some(Asked::Move(path)),
            Command::DeleteFile => Some(Asked::Delete(path)),
            Command::NewFolder => {
                let is_folder = row.is_some_and(|row| row.kind == Kind::Folder);
                Some(Asked::NewFolder(if is_folder { path } else { folder_of(&path).into() }))
            }
            _ => None,
        };
    }

    /// Makes the rows anew when what they are made of changed.
    fn make_rows(&mut self, session: &Session, open: &OpenProject) {
        let ready = session.documents().iter().filter(|document| document.is_ready());
        let made_of = MadeOf {
            registry: open.registry.clone(),
            folders: session.folders().clone(),
            folds: self.folds.version(),
            filter: self.filter.clone(),
            documents: ready.map(|document| (document.path.clone(), document.history.revision())).collect(),
        };
        if self.rows_made_of.as_ref() == Some(&made_of) {
            return;
        }
        let mut paths: Vec<_> = open.registry.assets().map(|asset| asset.path.clone()).collect();
        paths.extend(open.registry.referrers().map(|scene| scene.path.clone()));
        // A filter looks for sheets and scenes.
        if self.filter.trim().is_empty() {
            paths.extend(session.folders().iter().map(|folder| Arc::from(format!("{folder}/"))));
        }
        paths.sort_unstable();
        let root = open.project.assets_prefix();
        let filter = Filter::of(&self.filter);
        self.rows = tree::rows(&paths, root, &self.folds, &filter, |path| rows::frame_count(session, path));
        self.rows_made_of = Some(made_of);
    }

    fn cursor_index(&self) -> Option<usize> {
        let (path, kind) = self.cursor.as_ref()?;
        self.rows.iter().position(|row| row.identity() == (path, *kind))
    }

    /// Opens or closes the row at `index`, if there is anything in it.
    fn set_open(&mut self, session: &Session, index: usize, is_open: bool) {
        let row = &self.rows[index];
        let has_parts = match row.kind {
            Kind::Folder => true,
            Kind::Sheet => rows::frame_count(session, &row.path) > 0,
            Kind::Scene | Kind::Frame(_) => false,
        };
        if has_parts {
            self.folds.set_open(&row.path, row.kind, is_open);
        }
    }
}

/// The project's name and how many sheets it has.
fn title(ui: &mut Ui, open: &OpenProject, browser: &Browser) {
    let all = open.registry.assets().len();
    let scenes = open.registry.referrers().len();
    let count = if browser.filter.trim().is_empty() {
        match scenes {
            0 => widgets::count_text(all, "sheet"),
            scenes => {
                format!("{}, {}", widgets::count_text(all, "sheet"), widgets::count_text(scenes, "scene"))
            }
        }
    } else {
        let shown = browser.rows.iter().filter(|row| matches!(row.kind, Kind::Sheet | Kind::Scene)).count();
        format!("{shown} of {}", all + scenes)
    };
    ui.allocate_ui_with_layout(
        egui::vec2(ui.available_width(), ROW_HEIGHT),
        Layout::right_to_left(Align::Center),
        |ui| {
            let weak = theme::palette(ui).weak_text;
            ui.add(Label::new(RichText::new(count).small().color(weak)).selectable(false));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name =
                    Label::new(RichText::new(open.project.name()).strong()).truncate().selectable(false);
                ui.add(name).on_hover_text(open.project.root.display().to_string());
            });
        },
    );
}

/// The field for the filter. Whether the keyboard goes on to the list.
fn filter_field(ui: &mut Ui, browser: &mut Browser) -> bool {
    let is_called = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::F));
    let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
    // From the right, so that the field has what the button leaves.
    let row = ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = INSIDE;
        let is_cleared =
            !browser.filter.is_empty() && widgets::icon_button(ui, ICON_CLOSE, "Clear filter", "").clicked();
        if is_cleared {
            browser.filter.clear();
        }
        // The button comes and goes; the field is the same one all the time.
        let field = TextEdit::singleline(&mut browser.filter)
            .id_salt("filter")
            .hint_text("Filter")
            .desired_width(ui.available_width())
            .margin(egui::Margin::symmetric(BETWEEN as i8, INSIDE as i8));
        let shortcut = ui.format_shortcut(&egui::KeyboardShortcut::new(Modifiers::COMMAND, Key::F));
        let words = format!("Filter ({shortcut})\nParts of a path, in any order");
        let field = ui.add(field).accessible_name("Filter").on_hover_text(words);
        if is_called || is_cleared {
            field.request_focus();
        }
        let is_left = |input: &mut egui::InputState| input.consume_key(Modifiers::NONE, Key::ArrowDown);
        field.has_focus() && ui.input_mut(is_left)
    });
    row.inner
}

/// Says why there are no rows.
fn nothing_listed(ui: &mut Ui, open: &OpenProject, browser: &Browser) {
    let (title, text) = if !open.is_discovered {
        ("Looking for images…", String::new())
    } else if open.registry.assets().len() > 0 {
        let filter = browser.filter.trim();
        ("No sheet found", format!("No path contains \u{201c}{filter}\u{201d}."))
    } else {
        let place = if open.project.kind == ProjectKind::Game { "assets/" } else { "this folder" };
        let text = format!("Put PNG, JPEG, BMP, TGA, GIF or WebP files into {place} and they appear here.");
        ("No images yet", text)
    };
    ui.add_space(BETWEEN);
    ui.add(Label::new(title).selectable(false));
    if !text.is_empty() {
        ui.add(Label::new(RichText::new(text).color(theme::palette(ui).weak_text)).wrap().selectable(false));
    }
}

fn list(ui: &mut Ui, browser: &mut Browser, context: &mut RowContext<'_>, takes_focus: bool) {
    let area = ui.available_rect_before_wrap();
    let list = ui.interact(area, ui.make_persistent_id("list"), Sense::focusable_noninteractive());
    list.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Tree, true, "Sheets"));
    if takes_focus {
        list.request_focus();
        browser.cursor = browser.rows.first().map(|row| (row.path.clone(), row.kind));
    }
    if std::mem::take(&mut browser.wants_keyboard) {
        list.request_focus();
        let first = browser.rows.first().map(|row| (row.path.clone(), row.kind));
        browser.cursor = browser.cursor.take().or(first);
    }
    let moved = takes_focus || (list.has_focus() && take_keys(ui, &list, browser, context));
    context.cursor = browser.cursor.clone().filter(|_| list.has_focus());
    let is_at_file = context.cursor.as_ref().is_some_and(|(_, kind)| !matches!(kind, Kind::Frame(_)));
    ui.data_mut(|data| data.insert_temp(file_keys_id(), is_at_file.then_some(list.id)));
    let scrolls_to = if moved { browser.cursor_index() } else { None };
    ui.spacing_mut().item_spacing.y = 0.0;
    let rows = &browser.rows;
    let clicked = ScrollArea::vertical()
        .auto_shrink(false)
        .show_rows(ui, LIST_ROW_HEIGHT, rows.len(), |ui, range| {
            let top_left = ui.max_rect().min;
            let width = ui.available_width();
            let rect_of = |index: usize| {
                let y = (index as f32 - range.start as f32) * LIST_ROW_HEIGHT;
                Rect::from_min_size(top_left + egui::vec2(0.0, y), egui::vec2(width, LIST_ROW_HEIGHT))
            };
            if let Some(index) = scrolls_to {
                ui.scroll_to_rect(rect_of(index), None);
            }
            ui.expand_to_include_rect(rect_of(range.end.saturating_sub(1)));
            let mut clicked = None;
            for index in range.clone() {
                let row = &rows[index];
                clicked = rows::ui(ui, rect_of(index), row, context).map(|what| (index, what)).or(clicked);
            }
            clicked
        })
        .inner;
    below_rows(ui, area, browser.rows.len(), context);
    if let Some((index, what)) = clicked {
        list.request_focus();
        let row = &browser.rows[index];
        browser.cursor = Some((row.path.clone(), row.kind));
        if what == Clicked::Fold {
            let is_open = row.is_open;
            browser.set_open(context.session, index, !is_open);
        }
        ui.request_repaint();
    }
}

/// What is below the last row stands for the folder that holds all.
fn below_rows(ui: &Ui, area: Rect, rows: usize, context: &mut RowContext<'_>) {
    let rest = area.with_min_y((area.top() + rows as f32 * LIST_ROW_HEIGHT).min(area.bottom()));
    if rest.height() < LIST_ROW_HEIGHT / 2.0 {
        return;
    }
    let response = ui.interact(rest, ui.make_persistent_id("below the rows"), Sense::CLICK);
    let top: Arc<str> = context.session.top_folder().into();
    let name = files::shown_folder(context.session, &top);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, &name));
    menus::rest(&response, context);
    rows::take_files(ui, &response, &top, context);
}

/// Moves the cursor, folds and opens by the keyboard. Whether the cursor moved.
fn take_keys(ui: &Ui, list: &Response, browser: &mut Browser, context: &mut RowContext<'_>) -> bool {
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(list.id, filter));
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let from = browser.cursor_index();
    let step = if pressed(Key::ArrowDown) {
        Step::By(1)
    } else if pressed(Key::ArrowUp) {
        Step::By(-1)
    } else if pressed(Key::PageDown) {
        Step::By(page(list))
    } else if pressed(Key::PageUp) {
        Step::By(-page(list))
    } else if pressed(Key::Home) {
        Step::By(isize::MIN)
    } else if pressed(Key::End) {
        Step::By(isize::MAX)
    } else if pressed(Key::ArrowRight) {
        if let Some(index) = from.filter(|index| !browser.rows[*index].is_open) {
            browser.set_open(context.session, index, true);
            ui.request_repaint();
            return false;
        }
        Step::Child
    } else if pressed(Key::ArrowLeft) {
        if let Some(index) = from.filter(|index| browser.rows[*index].is_open) {
            browser.set_open(context.session, index, false);
            ui.request_repaint();
            return false;
        }
        Step::Parent
    } else {
        if pressed(Key::Enter)
            && let Some(index) = from
        {
            enter(browser, index, context);
        }
        if let Some(row) = from.map(|index| &browser.rows[index])
            && !matches!(row.kind, Kind::Frame(_))
        {
            if pressed(Key::F2) {
                context.asked = Some(Asked::Rename(row.path.clone()));
            } else if pressed(Key::Delete) {
                context.asked = Some(Asked::Delete(row.path.clone()));
            }
        }
        return false;
    };
    let Some(to) = tree::step(&browser.rows, from, step) else { return false };
    let row = &browser.rows[to];
    browser.cursor = Some((row.path.clone(), row.kind));
    true
}

/// Rows that a page key moves by.
fn page(list: &Response) -> isize {
    ((list.rect.height() / LIST_ROW_HEIGHT) as isize - 1).max(1)
}

/// Opens the row at `index` as a click does.
fn enter(browser: &mut Browser, index: usize, context: &mut RowContext<'_>) {
    let row = &browser.rows[index];
    let is_open = row.is_open;
    match row.kind {
        Kind::Folder => browser.set_open(context.session, index, !is_open),
        Kind::Sheet => context.actions.push(Action::OpenSheet(row.path.clone())),
        Kind::Scene => context.actions.push(Action::OpenScene(row.path.clone())),
        Kind::Frame(frame) => context.select(&row.path, frame, Modifiers::NONE),
    }
}

/// The open sheet at `path`, once its file was read.
fn ready_document<'a>(session: &'a Session, path: &str) -> Option<&'a Document> {
    session.documents().iter().find(|document| *document.path == *path && document.is_ready())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    struct Bench {
        session: Session,
        state: UiState,
        asked: Vec<Action>,
        is_dressed: bool,
        _folder: tempfile::TempDir,
    }

    fn show(ui: &mut Ui, bench: &mut Bench) {
        if std::mem::replace(&mut bench.is_dressed, true) {
            super::ui(ui, &bench.session, &mut bench.state, &mut bench.asked);
        } else {
            theme::install(ui);
        }
    }

    /// The browser of a folder with these images.
    fn browser(images: &[&str]) -> Harness<'static, Bench> {
        let folder = tempfile::tempdir().unwrap();
        for image in images {
            let file = folder.path().join(image);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            image::RgbaImage::new(16, 8).save(file).unwrap();
        }
        let mut session = Session::new(None, Arc::new(|| ())).unwrap();
        session.perform(Action::Open(folder.path().to_owned()));
        let until = Instant::now() + Duration::from_secs(30);
        while !session.project().is_some_and(|open| open.is_discovered) {
            assert!(Instant::now() < until, "the folder was not walked");
            session.pump();
            std::thread::sleep(Duration::from_millis(5));
        }
        let state = UiState::default();
        let bench = Bench { session, state, asked: Vec::new(), is_dressed: false, _folder: folder };
        let mut harness = Harness::builder().with_size(egui::vec2(232.0, 400.0)).build_ui_state(show, bench);
        harness.run_steps(2);
        harness
    }

    #[test]
    fn a_click_on_a_row_opens_the_sheet_and_a_closed_folder_hides_it() {
        let mut harness = browser(&["enemies/bat.png", "player.png"]);
        harness.get_by_label("bat.png").click();
        harness.run_steps(2);
        assert!(
            matches!(&harness.state().asked[..], [Action::OpenSheet(path)] if **path == *"enemies/bat.png")
        );
        harness.get_by_label("enemies").click();
        harness.run_steps(2);
        assert!(harness.query_by_label("bat.png").is_none());
        harness.get_by_label("player.png");
    }

    #[test]
    fn the_filter_is_called_by_a_key_and_keys_go_on_to_its_hits() {
        let mut harness = browser(&["enemies/bat.png", "player.png"]);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
        harness.run_steps(2);
        harness.event(egui::Event::Text("BAT".to_owned()));
        harness.run_steps(2);
        assert!(harness.query_by_label("player.png").is_none());
        for key in [Key::ArrowDown, Key::ArrowDown, Key::Enter] {
            harness.key_press(key);
            harness.run_steps(2);
        }
        assert!(
            matches!(&harness.state().asked[..], [Action::OpenSheet(path)] if **path == *"enemies/bat.png")
        );
    }

    #[test]
    fn a_filter_without_hits_and_an_empty_folder_say_so() {
        let mut harness = browser(&["player.png"]);
        harness.state_mut().state.browser.filter = "owl".to_owned();
        harness.run_steps(2);
        harness.get_by_label_contains("owl");
        harness.get_by_label("Clear filter").click();
        harness.run_steps(2);
        harness.get_by_label("player.png");
        browser(&[]).get_by_label("No images yet");
    }
}
