//! Which commands make sense now, and why not the others.

use super::{Command, Document, SceneDocument, Session, Workspace};
use crate::import::ProjectKind;

impl Session {
    /// Why a command cannot be carried out now; `None` when it can.
    pub fn why_disabled(&self, command: Command) -> Option<&'static str> {
        if let Some(of) = command.workspace().filter(|of| *of != self.workspace) {
            return Some(Workspace::why_elsewhere(of));
        }
        match command {
            Command::RenameFile | Command::MoveFile | Command::DeleteFile | Command::NewFolder => {
                return self.why_no_file_work();
            }
            Command::UndoMove => return (!self.can_undo_move()).then_some("No file was moved"),
            _ => {}
        }
        match self.workspace {
            Workspace::Scene => self.why_disabled_in_scene(command),
            Workspace::Slice => self.why_disabled_in_slice(command),
        }
    }

    fn why_disabled_in_scene(&self, command: Command) -> Option<&'static str> {
        let document = self.scene();
        let needs = |ok: bool, why| (!ok).then_some(why);
        let is_selected = document.is_some_and(|it| !it.history.selection().is_empty());
        match command {
            Command::Save => needs(document.is_some_and(SceneDocument::is_dirty), "Nothing to save"),
            Command::Revert => needs(
                document.is_some_and(|it| it.is_dirty() && !it.is_new()),
                "Nothing was changed since the last save",
            ),
            Command::Undo => {
                needs(document.is_some_and(|it| it.history.undo_label().is_some()), "Nothing to undo")
            }
            Command::Redo => {
                needs(document.is_some_and(|it| it.history.redo_label().is_some()), "Nothing to redo")
            }
            Command::SelectAll | Command::InvertSelection => {
                needs(document.is_some_and(|it| !it.scene().objects.is_empty()), "The scene has no objects")
            }
            Command::Deselect | Command::FrameSelection => needs(is_selected, "No object is selected"),
            Command::KeepMine | Command::TakeTheirs => {
                needs(document.is_some_and(|it| it.theirs.is_some()), "The file was not changed outside")
            }
            Command::Fit
            | Command::ActualSize
            | Command::ZoomIn
            | Command::ZoomOut
            | Command::Snap
            | Command::History
            | Command::SaveAs
            | Command::CloseTab => needs(document.is_some(), "No scene is open"),
            _ if command.workspace() == Some(Workspace::Scene) => self.why_scene_disabled(command),
            _ => self.why_disabled_in_slice(command),
        }
    }

    fn why_not_exported(&self) -> Option<&'static str> {
        match self.open.as_ref().map(|open| &open.project.kind) {
            None => Some("No project is open"),
            Some(ProjectKind::Image(_)) => Some("A single image has no scenes"),
            Some(ProjectKind::Game | ProjectKind::Folder) => None,
        }
    }

    fn why_disabled_in_slice(&self, command: Command) -> Option<&'static str> {
        let document = self.current();
        let needs = |ok: bool, why| (!ok).then_some(why);
        match command {
            Command::SliceWorkspace | Command::SceneWorkspace | Command::NewScene => {
                needs(self.open.is_some(), "No project is open")
            }
            Command::Save => needs(document.is_some_and(Document::is_dirty), "Nothing to save"),
            Command::SaveAll => needs(self.changed().next().is_some(), "Nothing to save"),
            Command::Revert => {
                needs(document.is_some_and(Document::is_dirty), "Nothing was changed since the last save")
            }
            Command::Undo => {
                needs(document.is_some_and(|it| it.history.undo_label().is_some()), "Nothing to undo")
            }
            Command::Redo => {
                needs(document.is_some_and(|it| it.history.redo_label().is_some()), "Nothing to redo")
            }
            Command::ClearSlicing | Command::SelectAll => {
                needs(document.is_some_and(|it| !it.sheet().frames.is_empty()), "The sheet has no frames")
            }
            Command::Deselect | Command::FrameSelection => {
                needs(document.is_some_and(|it| !it.history.selection().is_empty()), "No frame is selected")
            }
            Command::CloseTab
            | Command::Reimport
            | Command::CopyFrameRef
            | Command::Fit
            | Command::ActualSize
            | Command::ZoomIn
            | Command::ZoomOut
            | Command::History
            | Command::ShowChanges
            | Command::ShowSource => needs(document.is_some(), "No sheet is open"),
            _ if command.is_of_comparison() => needs(document.is_some(), "No sheet is open"),
            Command::NextTab | Command::PreviousTab => {
                needs(self.documents.len() + self.scenes().len() > 1, "Only one document is open")
            }
            Command::Export => self.why_not_exported(),
            Command::ProjectTextures => self.why_no_project_settings(),
            Command::CloseProject
            | Command::ReimportAll
            | Command::FindUnused
            | Command::Problems
            | Command::Browser
            | Command::Inspector => needs(self.open.is_some(), "No project is open"),
            Command::InvertSelection | Command::NameRows | Command::ApplyToOthers | Command::SaveFrames => {
                needs(document.is_some_and(|it| !it.sheet().frames.is_empty()), "The sheet has no frames")
            }
            Command::ToAtlas => {
                let is_grid = document.is_some_and(|document| document.sheet().grids().is_some());
                needs(is_grid, "The frames follow no grid")
            }
            Command::AcceptGuess | Command::DismissGuess => {
                needs(self.proposal().is_some(), "No guess is shown")
            }
            Command::KeepMine | Command::TakeTheirs | Command::ShowDifferences => {
                needs(document.is_some_and(|it| it.theirs.is_some()), "The file was not changed outside")
            }
            Command::KeepPlaces | Command::Renumber | Command::LeaveFrames => {
                needs(document.is_some_and(|it| it.resized.is_some()), "The image has the size it had")
            }
            Command::WaitForSize => {
                needs(document.is_some_and(|it| it.has_shrunk), "The image did not become smaller")
            }
            Command::ClipOutside => {
                needs(document.is_some_and(|it| it.frames_outside().0 > 0), "No frame is partly outside")
            }
            Command::DeleteOutside => {
                needs(document.is_some_and(|it| it.frames_outside().1 > 0), "No frame is outside")
            }
            Command::Restore | Command::Discard => {
                needs(self.recovered().is_some(), "There are no unsaved edits of an earlier run")
            }
            Command::NextGuess | Command::PreviousGuess => {
                needs(self.proposal().is_some_and(|(_, of)| of.len() > 1), "There is no other guess")
            }
            Command::CancelImport => needs(self.is_importing(), "Nothing is being imported"),
            _ => self.why_frames_disabled(command),
        }
    }

    fn is_importing(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.progress.total > 0)
    }
}
