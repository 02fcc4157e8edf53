//! Closing, opening another project and leaving ask once, for all that would be lost.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Answer, Effect, Session};

/// What waits for the answer to "there are unsaved changes".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pending {
    /// Closing a sheet or a scene.
    Close(Arc<str>),
    /// Going back to the start page.
    CloseProject,
    /// Opening another project.
    Open(PathBuf),
    /// Leaving.
    Quit,
}

/// The question that stands open: these documents have unsaved changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Paths of the changed sheets and scenes.
    pub changed: Vec<Arc<str>>,
    /// What goes on after the answer.
    pub then: Pending,
    /// Whether "save all" was answered and the saves run.
    pub is_saving: bool,
}

impl Session {
    /// The paths of all documents with unsaved changes, sheets first.
    pub(super) fn changed(&self) -> impl Iterator<Item = Arc<str>> {
        let sheets = self.documents.iter().filter(|document| document.is_dirty());
        let scenes = self.scenes.documents.iter().filter(|document| document.is_dirty());
        sheets.map(|document| document.path.clone()).chain(scenes.map(|document| document.path.clone()))
    }

    /// Saves the sheet or the scene of that path.
    pub(super) fn save_any(&mut self, path: &str) {
        if self.scenes.by_path(path).is_some() {
            self.save_scene(path);
        } else {
            self.save(path);
        }
    }

    pub(super) fn close(&mut self, path: &str) {
        if !self.close_scene(path) {
            self.close_sheet(path);
        }
    }

    /// Closes, opens or leaves at once when nothing would be lost, else asks once for all.
    pub(super) fn ask_before(&mut self, then: Pending) {
        let is_concerned = |path: &Arc<str>| match &then {
            Pending::Close(closed) => path == closed,
            _ => true,
        };
        let changed: Vec<_> = self.changed().filter(is_concerned).collect();
        if changed.is_empty() {
            self.go_on(then);
        } else {
            self.question = Some(Question { changed, then, is_saving: false });
        }
    }

    pub(super) fn answer(&mut self, answer: Answer) {
        let Some(mut question) = self.question.take() else { return };
        match answer {
            Answer::Cancel => {}
            Answer::Discard => self.go_on(question.then),
            Answer::SaveAll => {
                let changed = question.changed.clone();
                question.is_saving = true;
                self.question = Some(question);
                for path in &changed {
                    self.save_any(path);
                }
            }
        }
    }

    /// Goes on with what waited for saves, once they are through.
    pub(super) fn continue_after_saves(&mut self) {
        let Some(question) = self.question.take_if(|question| question.is_saving) else { return };
        let is_clean = |path: &Arc<str>| !self.changed().any(|changed| changed == *path);
        let is_saving = self.documents.iter().any(|document| document.saving.is_some())
            || self.scenes.documents.iter().any(|document| document.saving.is_some())
            || self.files.has_saves();
        if question.changed.iter().all(is_clean) {
            self.go_on(question.then);
        } else if is_saving {
            self.question = Some(question);
        }
        // Else a save failed; its toast says so, and nothing is closed.
    }

    pub(super) fn go_on(&mut self, then: Pending) {
        match then {
            Pending::Close(path) => self.close(&path),
            Pending::CloseProject => self.close_project(),
            Pending::Open(path) => self.open_path(&path),
            Pending::Quit => {
                self.remember_open_sheets();
                self.forget_all_copies();
                self.effects.push(Effect::Quit);
            }
        }
    }
}
