//! The start page: what this is, how to open something, and what was opened before.

use std::path::Path;

use eframe::egui;
use egui::{
    Align, Align2, Button, Color32, ColorImage, CornerRadius, FontId, Id, Image, Label, Layout, Pos2, Rect,
    Response, RichText, Role, ScrollArea, Sense, Shape, Stroke, StrokeKind, TextStyle, TextureHandle,
    TextureOptions, Ui, UiBuilder, Vec2, WidgetInfo,
};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_ADD_PHOTO_ALTERNATE, ICON_CLOSE, ICON_CREATE_NEW_FOLDER, ICON_FOLDER_OPEN, ICON_IMAGE,
    ICON_STADIA_CONTROLLER,
};

use super::textures::Textures;
use super::theme::{self, AROUND, BETWEEN, ICON_SIZE, INSIDE};
use super::widgets;
use crate::session::prefs::Recent;
use crate::session::{Action, Command, Session};

/// What the program is, in one line.
pub(super) const WHAT_IT_IS: &str = "Slice sprite sheets and see what the device will draw";

const PAGE_WIDTH: f32 = 720.0;
/// Twice the size it is drawn in.
const LOGO_SIDE: f32 = 128.0;
const DROP_HEIGHT: f32 = 116.0;
const BUTTON_HEIGHT: f32 = 32.0;
const CARD_HEIGHT: f32 = 72.0;
const PICTURE_SIDE: f32 = 56.0;
const CARD_COLUMNS: usize = 2;
const DASH: f32 = 6.0;

/// The start page.
pub fn ui(ui: &mut Ui, session: &Session, textures: &mut Textures, actions: &mut Vec<Action>) {
    ScrollArea::vertical().id_salt("start").auto_shrink(false).show(ui, |ui| {
        let whole = ui.available_rect_before_wrap();
        let width = PAGE_WIDTH.min(whole.width() - 2.0 * AROUND);
        let left = whole.left() + ((whole.width() - width) / 2.0).floor();
        let is_short = session.prefs().recent.is_empty();
        let above = if is_short { 0.16 } else { 0.05 };
        let top = whole.top() + (whole.height() * above).floor().max(AROUND);
        let page = Rect::from_min_max(Pos2::new(left, top), Pos2::new(left + width, whole.bottom()));
        let mut column = ui.new_child(UiBuilder::new().max_rect(page).layout(Layout::top_down(Align::Min)));
        head(&mut column);
        column.add_space(2.0 * AROUND);
        drop_target(&mut column, session, actions);
        column.add_space(2.0 * AROUND);
        recents(&mut column, session, textures, actions);
        column.add_space(AROUND);
        ui.advance_cursor_after_rect(column.min_rect());
    });
}

/// The application's icon, uploaded once.
pub(super) fn logo(ctx: &egui::Context) -> TextureHandle {
    let id = Id::unique("logo");
    if let Some(handle) = ctx.data(|data| data.get_temp::<TextureHandle>(id)) {
        return handle;
    }
    let icon = crate::sample::icon();
    let size = [icon.size.width as usize, icon.size.height as usize];
    let image = ColorImage::from_rgba_unmultiplied(size, &icon.rgba);
    let handle = ctx.load_texture("logo", image, TextureOptions::NEAREST);
    ctx.data_mut(|data| data.insert_temp(id, handle.clone()));
    handle
}

fn head(ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0 * AROUND;
        ui.add(Image::new(&logo(ui)).fit_to_exact_size(Vec2::splat(LOGO_SIDE)).alt_text("Cutsheet"));
        ui.vertical(|ui| {
            ui.add_space(LOGO_SIDE / 2.0 - 34.0);
            ui.add(Label::new(RichText::new("Cutsheet").size(32.0)).selectable(false));
            let weak = theme::palette(ui).weak_text;
            ui.add(Label::new(RichText::new(WHAT_IT_IS).size(15.0).color(weak)).selectable(false));
        });
    });
}

/// Where files are dropped; the whole window takes them, this says so.
fn drop_target(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let is_hovered = ui.input(|input| !input.raw.hovered_files.is_empty());
    let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), DROP_HEIGHT), Sense::hover());
    let (fill, line) = if is_hovered {
        (palette.accent_surface, palette.accent)
    } else {
        (palette.raised, palette.weak_text)
    };
    ui.painter().rect_filled(rect, 2.0, fill);
    paint_dashes(ui, rect, line);
    let inside = UiBuilder::new().max_rect(rect.shrink(AROUND)).layout(Layout::top_down(Align::Center));
    let ui = &mut ui.new_child(inside);
    ui.add_space(AROUND);
    let words = match session.opening() {
        Some(path) => format!("Opening {}…", path.display()),
        None if is_hovered => "Let go to open it".to_owned(),
        None => "Drop a project folder or an image here".to_owned(),
    };
    ui.add(Label::new(RichText::new(words).size(16.0)).truncate().selectable(false));
    ui.add_space(AROUND);
    openers(ui, session, actions);
}

fn paint_dashes(ui: &Ui, rect: Rect, color: Color32) {
    let rect = rect.shrink(0.5);
    let corners =
        [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    ui.painter().extend(Shape::dashed_line(&corners, Stroke::new(1.0, color), DASH, DASH));
}

/// The ways to open something, side by side and centred.
fn openers(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    const WAYS: [(Command, MaterialIcon); 4] = [
        (Command::OpenProject, ICON_FOLDER_OPEN),
        (Command::NewProject, ICON_CREATE_NEW_FOLDER),
        (Command::OpenImage, ICON_ADD_PHOTO_ALTERNATE),
        (Command::CopySample, ICON_STADIA_CONTROLLER),
    ];
    centred_row(ui, "openers", |ui| {
        for (command, icon) in WAYS {
            if opener(ui, session, command, icon).clicked() {
                actions.push(command.into());
            }
        }
    });
}

fn opener(ui: &mut Ui, session: &Session, command: Command, icon: MaterialIcon) -> Response {
    let palette = theme::palette(ui);
    let is_primary = command == Command::OpenProject;
    let color = if is_primary { palette.on_accent } else { palette.text };
    let text = RichText::new(command.text()).color(color);
    let fill = if is_primary { palette.accent } else { palette.control };
    let button = Button::new((widgets::icon_text(icon).color(color), text))
        .fill(fill)
        .min_size(Vec2::new(0.0, BUTTON_HEIGHT));
    let is_enabled = session.why_disabled(command).is_none();
    ui.add_enabled(is_enabled, button)
        .accessible_name(command.text())
        .on_hover_text(widgets::command_tooltip(ui, command))
}

/// A row in the middle: its width is that of the last pass, so the first pass is drawn anew.
fn centred_row(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    let id = Id::unique(("centred row", name));
    let known: Option<f32> = ui.data(|data| data.get_temp(id));
    let left = known.map_or(0.0, |width| ((ui.available_width() - width) / 2.0).max(0.0).floor());
    let row = ui.horizontal(|ui| {
        ui.add_space(left);
        let from = ui.cursor().left();
        contents(ui);
        ui.min_rect().right() - from
    });
    if known != Some(row.inner) {
        ui.data_mut(|data| data.insert_temp(id, row.inner));
        ui.request_discard("centred row");
    }
}

fn recents(ui: &mut Ui, session: &Session, textures: &mut Textures, actions: &mut Vec<Action>) {
    let recent = &session.prefs().recent;
    let palette = theme::palette(ui);
    if recent.is_empty() {
        let words = "Projects that you open are listed here. To look around first, copy the sample project.";
        ui.vertical_centered(|ui| ui.add(Label::new(RichText::new(words).color(palette.weak_text)).wrap()));
        return;
    }
    ui.add(Label::new(RichText::new("Recent").color(palette.weak_text)).selectable(false));
    ui.add_space(INSIDE);
    let width = ((ui.available_width() - BETWEEN) / CARD_COLUMNS as f32).floor();
    for row in recent.chunks(CARD_COLUMNS) {
        ui.horizontal(|ui| {
            for recent in row {
                card(ui, width, recent, session, textures, actions);
            }
        });
        ui.add_space(INSIDE);
    }
}

fn card(
    ui: &mut Ui,
    width: f32,
    recent: &Recent,
    session: &Session,
    textures: &mut Textures,
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, CARD_HEIGHT), Sense::click());
    let name = format!("Open {}", recent.name);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &name));
    let margin = (CARD_HEIGHT - PICTURE_SIDE) / 2.0;
    let close_center = Pos2::new(rect.right() - margin - ICON_SIZE / 2.0, rect.center().y);
    let is_near = response.hovered() || response.has_focus();
    let fill = if is_near { palette.hovered } else { palette.raised };
    ui.painter().rect_filled(rect, 6.0, fill);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 6.0, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    }

    let picture = Rect::from_min_size(rect.min + Vec2::splat(margin), Vec2::splat(PICTURE_SIDE));
    paint_picture(ui, picture, recent.picture.as_deref(), session, textures);
    let text_left = picture.right() + AROUND;
    let text_right = close_center.x - ICON_SIZE;
    paint_names(ui, text_left, text_right, rect.center().y, recent);

    if forget_button(ui, &response, close_center, &recent.name) {
        actions.push(Action::ForgetRecent(recent.path.clone()));
    } else if response.on_hover_text(recent.path.display().to_string()).clicked() {
        actions.push(Action::Open(recent.path.clone()));
    }
}

/// The project's picture on the checkerboard, whole pixels, in its proportions.
fn paint_picture(ui: &Ui, rect: Rect, file: Option<&Path>, session: &Session, textures: &mut Textures) {
    let found = file.map(|file| session.pictures().file_thumbnail(file));
    let shown = found.as_ref().and_then(|(key, lookup)| Some((*key, lookup.shown()?)));
    let Some((key, bitmap)) = shown else {
        ui.painter().rect_filled(rect, 4.0, theme::palette(ui).canvas);
        let color = theme::palette(ui).weak_text;
        let font = FontId::new(PICTURE_SIDE / 2.0, ICON_IMAGE.font_family());
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, ICON_IMAGE.codepoint, font, color);
        return;
    };
    widgets::paint_checker(ui.painter(), rect, ui);
    let texture = textures.get(ui, key, bitmap);
    let size = texture.size_vec2();
    let fitting = (rect.width() / size.x).min(rect.height() / size.y);
    let scale = if fitting >= 1.0 { fitting.floor() } else { fitting };
    let placed = Rect::from_center_size(rect.center(), size * scale);
    Image::new(&texture).texture_options(TextureOptions::NEAREST).paint_at(ui, placed);
}

/// The name, and below it the end of the path: that is where paths differ.
fn paint_names(ui: &Ui, left: f32, right: f32, middle: f32, recent: &Recent) {
    let palette = theme::palette(ui);
    let line = |text: String, style: TextStyle, color: Color32| {
        let mut job = egui::text::LayoutJob::simple_singleline(text, style.resolve(ui.style()), color);
        job.wrap = egui::text::TextWrapping::truncate_at_width(right - left);
        ui.painter().layout_job(job)
    };
    let name = line(recent.name.clone(), TextStyle::Body, palette.text);
    let path = path_end(ui, &recent.path.display().to_string(), right - left);
    let path = line(path, TextStyle::Small, palette.weak_text);
    let top = middle - (name.size().y + 2.0 + path.size().y) / 2.0;
    let below = top + name.size().y + 2.0;
    ui.painter().galley(Pos2::new(left, top), name, palette.text);
    ui.painter().galley(Pos2::new(left, below), path, palette.weak_text);
}

/// As much of the end of a path as fits, cut at a folder.
fn path_end(ui: &Ui, path: &str, width: f32) -> String {
    let font = TextStyle::Small.resolve(ui.style());
    let fits = |text: &str| {
        let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER);
        galley.size().x <= width
    };
    shortest_cut(path, fits)
}

fn shortest_cut(path: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(path) {
        return path.to_owned();
    }
    let cuts = path.char_indices().filter(|(index, letter)| *index > 0 && matches!(letter, '/' | '\\'));
    let mut shortened = cuts.map(|(index, _)| format!("…{}", &path[index..]));
    shortened.find(|text| fits(text)).unwrap_or_else(|| path.to_owned())
}

/// The cross at the right end of a card; whether it was pressed.
fn forget_button(ui: &Ui, card: &Response, center: Pos2, name: &str) -> bool {
    let rect = Rect::from_center_size(center, Vec2::splat(ICON_SIZE + 2.0 * INSIDE));
    let response = ui.interact(rect, card.id.with("forget"), Sense::click());
    let label = format!("Remove {name} from the list");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &label));
    let palette = theme::palette(ui);
    let is_near = response.hovered() || response.has_focus();
    if is_near || card.contains_pointer() || card.has_focus() {
        let color = if is_near { palette.text } else { palette.weak_text };
        if is_near {
            ui.painter().rect_filled(rect, CornerRadius::same(4), palette.control);
        }
        let font = FontId::new(ICON_SIZE, ICON_CLOSE.font_family());
        ui.painter().text(center, Align2::CENTER_CENTER, ICON_CLOSE.codepoint, font, color);
    }
    response.on_hover_text("Remove from the list; nothing on disk is touched").clicked()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::session::Prefs;

    type Page = (Session, Textures, Vec<Action>);

    fn page(prefs_file: Option<std::path::PathBuf>) -> Harness<'static, Page> {
        let session = Session::new(prefs_file, Arc::new(|| {})).unwrap();
        let mut harness = Harness::builder()
            .with_size(Vec2::new(1280.0, 690.0))
            .with_context_setup(theme::install)
            .build_ui_state(
                |ui, (session, textures, actions): &mut Page| super::ui(ui, session, textures, actions),
                (session, Textures::default(), Vec::new()),
            );
        harness.run();
        harness
    }

    #[test]
    fn a_first_start_says_what_to_do() {
        let mut harness = page(None);
        harness.get_by_label("Drop a project folder or an image here");
        harness.get_by_label_contains("copy the sample project");
        harness.get_by_label("Open project…").click();
        harness.run();
        assert!(matches!(harness.state().2.as_slice(), [Action::Command(Command::OpenProject)]));
    }

    #[test]
    fn a_recent_project_is_opened_or_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("preferences.json");
        let mut prefs = Prefs::default();
        prefs.remember_project(Path::new("/games/cave"), "cave".to_owned());
        std::fs::write(&file, prefs.to_bytes()).unwrap();
        let mut harness = page(Some(file));
        harness.get_by_label("Open cave").click();
        harness.run();
        harness.get_by_label("Remove cave from the list").click();
        harness.run();
        let [Action::Open(opened), Action::ForgetRecent(forgotten)] = harness.state().2.as_slice() else {
            panic!("{:?}", harness.state().2);
        };
        assert_eq!(
            (opened.as_path(), forgotten.as_path()),
            (Path::new("/games/cave"), Path::new("/games/cave"))
        );
    }

    #[test]
    fn a_long_path_loses_its_first_folders() {
        let path = "/home/someone/games/cave";
        assert_eq!(shortest_cut(path, |_| true), path);
        assert_eq!(shortest_cut(path, |text| text.chars().count() <= 12), "…/games/cave");
        assert_eq!(shortest_cut(path, |text| text.chars().count() <= 11), "…/cave");
        assert_eq!(shortest_cut(path, |_| false), path);
    }

    #[test]
    fn paths_of_windows_are_cut_at_their_folders_too() {
        assert_eq!(shortest_cut(r"C:\games\한글\cave", |text| text.chars().count() <= 9), r"…\한글\cave");
    }
}
