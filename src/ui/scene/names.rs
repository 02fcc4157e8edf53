//! Small windows of the workspace that ask for a name: of objects, and of the file that a scene is saved in.

use std::sync::Arc;

use eframe::egui;
use egui::{TextEdit, Ui};

use crate::edit::SceneEdit;
use crate::model::files::{FileKind, SCENE_EXTENSION};
use crate::model::scene::ObjectKey;
use crate::session::{Action, Command, Session};
use crate::ui::dialogs;
use crate::ui::popups::parts::{self, Choice};
use crate::ui::theme::{INSIDE, ROW_HEIGHT};
use crate::ui::widgets::Tone;

const WIDTH: f32 = 360.0;

/// Which name is asked for.
#[derive(Default)]
pub(super) struct Asked {
    wanted: Option<Command>,
    open: Option<Question>,
}

enum What {
    Objects(Vec<ObjectKey>),
    File,
}

struct Question {
    what: What,
    title: String,
    text: String,
    /// Whether the keyboard is still to be given to the field.
    begins: bool,
}

impl Asked {
    /// Asks for what a command needs, in the next pass.
    pub(super) fn ask(&mut self, command: Command) {
        self.wanted = Some(command);
    }
}

impl Question {
    fn of(command: Command, session: &Session) -> Option<Self> {
        let document = session.scene()?;
        if command == Command::SaveAs {
            let title = "Save the scene as".to_owned();
            return Some(Self { what: What::File, title, text: document.path.to_string(), begins: true });
        }
        let selected = document.selected();
        let text = selected.first()?.name().to_owned();
        let title = match selected.len() {
            1 => "Rename object".to_owned(),
            count => format!("Rename {count} objects"),
        };
        let keys = selected.iter().map(|object| object.key).collect();
        Some(Self { what: What::Objects(keys), title, text, begins: true })
    }

    /// The path that was typed, with the extension that scenes have.
    fn path(&self) -> String {
        let path = self.text.trim().trim_start_matches('/');
        if FileKind::of_name(path) == Some(FileKind::Scene) {
            path.to_owned()
        } else {
            format!("{path}.{SCENE_EXTENSION}")
        }
    }

    /// Why the name cannot be taken.
    fn why_not(&self, session: &Session) -> Option<String> {
        let text = self.text.trim();
        if text.is_empty() {
            return Some("A name is needed".to_owned());
        }
        if matches!(self.what, What::Objects(_)) {
            return None;
        }
        let (open, document) = (session.project()?, session.scene()?);
        let path = self.path();
        let prefix = open.project.assets_prefix();
        let is_odd = |part: &str| part.is_empty() || part == "." || part == ".." || part.contains('\\');
        if path.split('/').any(is_odd) {
            return Some("This is no path inside the project".to_owned());
        }
        if !path.starts_with(prefix) {
            return Some(format!("The path has to begin with {prefix}"));
        }
        let is_taken = open.registry.referrer(&path).is_some() && *document.path != *path;
        is_taken.then(|| "There is a scene of that name already".to_owned())
    }

    fn action(&self) -> Action {
        match &self.what {
            What::Objects(keys) => {
                Action::EditScene(SceneEdit::Rename(keys.clone(), self.text.trim().into()))
            }
            What::File => Action::SaveSceneAs(Arc::from(self.path())),
        }
    }
}

/// The window, while something is asked.
pub(super) fn ui(ui: &Ui, session: &Session, asked: &mut Asked, actions: &mut Vec<Action>) {
    if let Some(command) = asked.wanted.take() {
        asked.open = Question::of(command, session);
    }
    let Some(question) = &mut asked.open else { return };
    let why_not = question.why_not(session);
    let shown = dialogs::modal("name in the scene workspace", ui).show(ui, |ui| {
        ui.set_width(WIDTH);
        dialogs::title(ui, &question.title);
        let field = TextEdit::singleline(&mut question.text)
            .id_salt("name")
            .desired_width(f32::INFINITY)
            .min_size(egui::vec2(0.0, ROW_HEIGHT));
        let label = if matches!(question.what, What::File) { "Path in the project" } else { "Name" };
        let field = ui.add(field).accessible_name(label);
        if question.begins && parts::focus_all(ui, &field, &question.text) {
            question.begins = false;
        }
        ui.add_space(INSIDE);
        parts::message(ui, why_not.as_deref().map(|why| (Tone::Warning, why)), |_| ());
        let primary = if matches!(question.what, What::File) { "Save" } else { "Rename" };
        let choice = parts::buttons(ui, primary, "Enter", why_not.as_deref());
        let is_entered = parts::is_entered(ui) && why_not.is_none();
        if choice == Choice::Nothing && is_entered { Choice::Take } else { choice }
    });
    let choice = if shown.should_close() { Choice::GiveUp } else { shown.inner };
    if choice == Choice::Take {
        actions.push(question.action());
        actions.push(Action::Seal);
    }
    if choice != Choice::Nothing {
        asked.open = None;
    }
}
