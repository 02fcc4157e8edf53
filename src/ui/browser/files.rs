//! Small windows in which files of the browser are renamed, moved, deleted, and folders made.

use std::sync::Arc;

use eframe::egui;
use egui::{Key, Label, Modifiers, RichText, ScrollArea, TextEdit, Ui};

use crate::session::{Action, Loss, Session, User, folder_of};
use crate::ui::dialogs;
use crate::ui::popups::parts::{self, Choice};
use crate::ui::theme::{self, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const WIDTH: f32 = 380.0;
/// Height of the list of folders.
const LIST_HEIGHT: f32 = 220.0;
/// More names than this are counted, not listed.
const MAX_NAMES: usize = 8;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    /// Another name for what is at a path.
    Rename(Arc<str>),
    /// Another folder for it.
    Move(Arc<str>),
    /// To delete it.
    Delete(Arc<str>),
    /// A new folder in that one.
    NewFolder(Arc<str>),
}

/// The window that is open.
#[derive(Default)]
pub(super) struct Files {
    open: Option<Window>,
}

struct Window {
    asked: Asked,
    /// What hangs on the files.
    loss: Loss,
    /// The name that is typed.
    text: String,
    /// Whether the keyboard is still to be given to the field.
    begins: bool,
    /// The folders to choose from, and the one that is chosen.
    folders: Vec<Arc<str>>,
    chosen: usize,
}

impl Files {
    /// Opens the window for what is asked.
    pub(super) fn ask(&mut self, session: &Session, asked: Asked) {
        if session.why_no_file_work().is_some() {
            return;
        }
        let text = match &asked {
            Asked::Rename(path) => name_of(path).to_owned(),
            _ => String::new(),
        };
        let (loss, folders) = match &asked {
            Asked::Rename(path) | Asked::Delete(path) => (loss_of(session, path), Vec::new()),
            Asked::Move(path) => (loss_of(session, path), folders_for(session, path)),
            Asked::NewFolder(_) => Default::default(),
        };
        self.open = Some(Window { asked, loss, text, begins: true, folders, chosen: 0 });
    }

    /// Draws it; whether it was closed in this pass.
    pub(super) fn ui(&mut self, ui: &Ui, session: &Session, actions: &mut Vec<Action>) -> bool {
        let Some(window) = &mut self.open else { return false };
        let why_not = window.why_not(session);
        let shown = dialogs::modal("files", ui).show(ui, |ui| {
            ui.set_width(WIDTH);
            dialogs::title(ui, &window.title(session));
            match &window.asked {
                Asked::Rename(_) | Asked::NewFolder(_) => window.name_ui(ui, session, why_not.as_deref()),
                Asked::Move(_) => window.folders_ui(ui, session, why_not.as_deref()),
                Asked::Delete(_) => window.loss_ui(ui),
            }
            let choice = parts::buttons(ui, window.primary(), "Enter", why_not.as_deref());
            let is_entered = parts::is_entered(ui) && why_not.is_none();
            if choice == Choice::Nothing && is_entered { Choice::Take } else { choice }
        });
        let choice = if shown.should_close() { Choice::GiveUp } else { shown.inner };
        if choice == Choice::Take {
            actions.push(window.action());
        }
        if choice != Choice::Nothing {
            self.open = None;
        }
        choice != Choice::Nothing
    }
}

impl Window {
    fn title(&self, session: &Session) -> String {
        match &self.asked {
            Asked::Rename(path) => format!("Rename {}", name_of(path)),
            Asked::Move(path) => format!("Move {} to", name_of(path)),
            Asked::Delete(path) => format!("Delete {}?", name_of(path)),
            Asked::NewFolder(parent) => format!("New folder in {}", shown_folder(session, parent)),
        }
    }

    const fn primary(&self) -> &'static str {
        match &self.asked {
            Asked::Rename(_) => "Rename",
            Asked::Move(_) => "Move",
            Asked::Delete(_) => "Move to trash",
            Asked::NewFolder(_) => "Make folder",
        }
    }

    fn chosen(&self) -> Option<&Arc<str>> {
        self.folders.get(self.chosen)
    }

    /// Why it cannot be done as it is.
    fn why_not(&self, session: &Session) -> Option<String> {
        match &self.asked {
            Asked::Rename(path) => session.why_no_rename(path, self.text.trim()),
            Asked::NewFolder(parent) => session.why_no_folder(parent, self.text.trim()),
            Asked::Delete(_) => None,
            Asked::Move(path) => match self.chosen() {
                Some(folder) => session.why_no_move(std::slice::from_ref(path), folder),
                None => Some("There is no other folder: make one first".to_owned()),
            },
        }
    }

    fn action(&self) -> Action {
        let name = self.text.trim().to_owned();
        match &self.asked {
            Asked::Rename(path) => Action::RenameAsset(path.clone(), name),
            Asked::NewFolder(parent) => Action::NewFolder(parent.clone(), name),
            Asked::Delete(path) => Action::DeleteAssets(vec![path.clone()]),
            Asked::Move(path) => {
                Action::MoveAssets(vec![path.clone()], self.chosen().cloned().unwrap_or_default())
            }
        }
    }

    /// The field for a name, and what is wrong with it or who uses what gets it.
    fn name_ui(&mut self, ui: &mut Ui, session: &Session, why_not: Option<&str>) {
        let field = TextEdit::singleline(&mut self.text)
            .id_salt("name")
            .desired_width(f32::INFINITY)
            .min_size(egui::vec2(0.0, ROW_HEIGHT));
        let field = ui.add(field).accessible_name("Name");
        // Of a file's name the extension stays as a rule.
        let is_file = self.loss.folders.is_empty();
        let stem = self.text.rsplit_once('.').filter(|_| is_file).map_or(&*self.text, |(stem, _)| stem);
        if self.begins && parts::focus_first(ui, &field, stem.chars().count()) {
            self.begins = false;
        }
        // What cannot be taken can be typed on.
        if field.lost_focus() && parts::is_entered(ui) && why_not.is_some() {
            field.request_focus();
        }
        ui.add_space(INSIDE);
        let is_same = matches!(&self.asked, Asked::Rename(path) if name_of(path) == self.text.trim());
        let is_begun = !self.text.is_empty() && !is_same;
        let why_not = why_not.filter(|_| is_begun);
        if let (None, Asked::Rename(path)) = (why_not, &self.asked) {
            kept_by(ui, session, path, &self.loss.users);
        } else {
            parts::message(ui, why_not.map(|why| (Tone::Warning, why)), |_| ());
        }
    }

    /// The folders to choose from.
    fn folders_ui(&mut self, ui: &mut Ui, session: &Session, why_not: Option<&str>) {
        let pressed = |ui: &Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let last = self.folders.len().saturating_sub(1);
        let before = self.chosen;
        if pressed(ui, Key::ArrowDown) {
            self.chosen = (self.chosen + 1).min(last);
        }
        if pressed(ui, Key::ArrowUp) {
            self.chosen = self.chosen.saturating_sub(1);
        }
        let is_moved = before != self.chosen;
        ScrollArea::vertical().max_height(LIST_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (index, folder) in self.folders.iter().enumerate() {
                let name = shown_folder(session, folder);
                let row = egui::Button::selectable(self.chosen == index, name.as_str())
                    .min_size(egui::vec2(ui.available_width(), ROW_HEIGHT));
                let row = ui.add(row).accessible_name(&name);
                if row.clicked() {
                    self.chosen = index;
                }
                if is_moved && self.chosen == index {
                    row.scroll_to_me(None);
                }
            }
        });
        ui.add_space(INSIDE);
        if let (None, Asked::Move(path)) = (why_not, &self.asked) {
            kept_by(ui, session, path, &self.loss.users);
        } else {
            parts::message(ui, why_not.map(|why| (Tone::Warning, why)), |_| ());
        }
    }

    /// What would be lost, and who would miss it.
    fn loss_ui(&self, ui: &mut Ui) {
        let loss = &self.loss;
        let total = total_words(loss);
        if !total.is_empty() {
            ui.add(Label::new(total).wrap().selectable(false));
        }
        if !loss.folders.is_empty() {
            let named = loss.sheets.iter().map(|(path, frames)| {
                format!("{}, {}", name_of(path), widgets::count_text(*frames, "frame"))
            });
            let named = named.chain(loss.scenes.iter().map(|path| name_of(path).to_owned()));
            listed(ui, &named.collect::<Vec<_>>());
        }
        for path in loss.unsaved.iter().take(MAX_NAMES) {
            let words = format!("{} has unsaved edits, which are lost", name_of(path));
            parts::message(ui, Some((Tone::Warning, &words)), |_| ());
        }
        for user in loss.users.iter().take(MAX_NAMES) {
            parts::message(ui, Some((Tone::Warning, &used_by(user))), |_| ());
        }
        let more = loss.users.len().saturating_sub(MAX_NAMES);
        if more > 0 {
            let words = format!("and in {more} more scenes");
            parts::message(ui, Some((Tone::Warning, &words)), |_| ());
        }
        ui.add_space(INSIDE);
        parts::explanation(
            ui,
            "It goes to the system's trash, sidecars too, and can be put back from there.",
        );
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn loss_of(session: &Session, path: &Arc<str>) -> Loss {
    session.loss_of(std::slice::from_ref(path))
}

/// The folders that something may go into: not the one that it is in, nor itself, nor what is in it.
fn folders_for(session: &Session, path: &Arc<str>) -> Vec<Arc<str>> {
    let top: Arc<str> = session.top_folder().into();
    let all = [top].into_iter().chain(session.folders().iter().cloned());
    let is_inside = |folder: &str| {
        folder.strip_prefix(&**path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    all.filter(|folder| **folder != *folder_of(path) && !is_inside(folder)).collect()
}

/// What a folder is called; the project's own has no path.
pub(super) fn shown_folder(session: &Session, folder: &str) -> String {
    if folder.is_empty() {
        session.project().map_or_else(String::new, |open| open.project.name())
    } else {
        folder.to_owned()
    }
}

fn used_by(user: &User) -> String {
    format!("Used by {} in {}", widgets::count_text(user.objects, "object"), name_of(&user.path))
}

/// Says who uses something, and that this does not change it; or nothing.
fn kept_by(ui: &mut Ui, session: &Session, path: &Arc<str>, users: &[User]) {
    let is_unsaved = session.documents().iter().any(|document| document.path == *path && document.is_dirty());
    let words = match users {
        [] if is_unsaved => Some("Its unsaved edits stay".to_owned()),
        [] => None,
        [user] => Some(format!("{}, which keeps it", used_by(user))),
        many => {
            let objects = many.iter().map(|user| user.objects).sum();
            let objects = widgets::count_text(objects, "object");
            Some(format!("Used by {objects} in {} scenes, which keep it", many.len()))
        }
    };
    parts::message(ui, words.as_deref().map(|words| (Tone::Info, words)), |_| ());
}

/// "The folder with all that is in it: 3 sheets, 24 frames, 1 scene".
fn total_words(loss: &Loss) -> String {
    let mut parts = Vec::new();
    let is_folder = !loss.folders.is_empty();
    if is_folder && !loss.sheets.is_empty() {
        parts.push(widgets::count_text(loss.sheets.len(), "sheet"));
    }
    if !loss.sheets.is_empty() {
        parts.push(widgets::count_text(loss.frames(), "frame"));
    }
    if !loss.scenes.is_empty() && is_folder {
        parts.push(widgets::count_text(loss.scenes.len(), "scene"));
    }
    let counted = parts.join(", ");
    match (is_folder, counted.is_empty()) {
        (true, true) => "The folder with all that is in it".to_owned(),
        (true, false) => format!("The folder with all that is in it: {counted}"),
        (false, true) => String::new(),
        (false, false) => format!("The sheet with its {counted}"),
    }
}

fn listed(ui: &mut Ui, names: &[String]) {
    let more = names.len().saturating_sub(MAX_NAMES);
    for name in names.iter().take(MAX_NAMES) {
        ui.add(Label::new(format!("•  {name}")).truncate().selectable(false));
    }
    if more > 0 {
        let weak = theme::palette(ui).weak_text;
        ui.add(Label::new(RichText::new(format!("and {more} more")).color(weak)).selectable(false));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_is_counted() {
        let sheet = Loss { sheets: vec![("a.png".into(), 6)], ..Loss::default() };
        assert_eq!(total_words(&sheet), "The sheet with its 6 frames");
        assert_eq!(total_words(&Loss { scenes: vec!["a.scene".into()], ..Loss::default() }), "");
        let folder = Loss {
            folders: vec!["x".into()],
            sheets: vec![("x/a.png".into(), 6), ("x/b.png".into(), 1)],
            scenes: vec!["x/c.scene".into()],
            ..Loss::default()
        };
        assert_eq!(total_words(&folder), "The folder with all that is in it: 2 sheets, 7 frames, 1 scene");
        assert_eq!(
            total_words(&Loss { folders: vec!["x".into()], ..Loss::default() }),
            "The folder with all that is in it"
        );
        assert_eq!(
            used_by(&User { path: "assets/level.scene".into(), objects: 3 }),
            "Used by 3 objects in level.scene"
        );
    }
}
