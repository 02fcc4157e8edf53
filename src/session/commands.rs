//! What the commands of the table do, each in the workspace that is shown.

use super::{Backdrop, Command, Document, Effect, Pending, Session, ThemeChoice, Workspace};
use crate::import::service::Request;

impl Session {
    pub(super) fn command(&mut self, command: Command) {
        if self.why_disabled(command).is_some() {
            return;
        }
        if self.workspace == Workspace::Scene && self.command_of_scene(command) {
            return;
        }
        match command {
            Command::SliceWorkspace => self.workspace = Workspace::Slice,
            Command::SceneWorkspace => self.workspace = Workspace::Scene,
            Command::NewScene => self.new_scene(),
            Command::CopyFrameRef => self.copy_frame_ref(),
            Command::Export => self.begin_export(),
            Command::NewProject => self.effects.push(Effect::PickNewProject),
            Command::OpenProject => self.effects.push(Effect::PickProject),
            Command::OpenImage => self.effects.push(Effect::PickImage),
            Command::CopySample => self.effects.push(Effect::PickSampleFolder),
            Command::CloseProject => self.ask_before(Pending::CloseProject),
            Command::Quit => self.ask_before(Pending::Quit),
            Command::Save => self.save_current(),
            Command::UndoMove => self.undo_move(),
            Command::SaveAll => self.save_all(),
            Command::Revert => self.revert(),
            Command::CloseTab => {
                if let Some(path) = self.current().map(|document| document.path.clone()) {
                    self.ask_before(Pending::Close(path));
                }
            }
            Command::NextTab => self.step_tab(1),
            Command::PreviousTab => self.step_tab(-1),
            Command::Undo => self.step_history(|document| drop(document.history.undo())),
            Command::Redo => self.step_history(|document| drop(document.history.redo())),
            Command::SelectAll => self.with_current(|document| {
                let all = document.sheet().frames.iter().map(|frame| frame.id).collect();
                document.history.select(all);
            }),
            Command::InvertSelection => self.with_current(Document::invert_selection),
            Command::ToAtlas => self.edit(&crate::edit::Edit::ToAtlas),
            Command::AcceptGuess => self.accept_guess(),
            Command::NextGuess => self.step_guess(1),
            Command::PreviousGuess => self.step_guess(-1),
            Command::DismissGuess => self.with_current(Document::dismiss_guess),
            Command::KeepMine => self.keep_mine(),
            Command::TakeTheirs => self.take_theirs(),
            Command::KeepPlaces | Command::Renumber | Command::LeaveFrames => self.answer_resize(command),
            Command::ClipOutside | Command::DeleteOutside => self.mend_outside(command),
            Command::WaitForSize => self.wait_for_size(),
            Command::Restore => self.restore_recovered(),
            Command::Discard => self.discard_recovered(),
            Command::Deselect => self.with_current(|document| document.history.select(Vec::new())),
            Command::ClearSlicing => self.edit(&crate::edit::Edit::ClearSlicing),
            Command::Reimport => {
                if let Some(path) = self.current().map(|document| document.path.clone()) {
                    self.request(Request::Reimport(path));
                }
            }
            Command::ReimportAll => self.request(Request::Rescan),
            Command::CancelImport => self.request(Request::Cancel),
            Command::BackdropChecker => self.set_backdrop(Backdrop::Checker),
            Command::BackdropBlack => self.set_backdrop(Backdrop::BLACK),
            Command::BackdropWhite => self.set_backdrop(Backdrop::WHITE),
            Command::BackdropMagenta => self.set_backdrop(Backdrop::MAGENTA),
            Command::ThemeDark => self.set_theme(ThemeChoice::Dark),
            Command::ThemeLight => self.set_theme(ThemeChoice::Light),
            Command::ThemeSystem => self.set_theme(ThemeChoice::System),
            _ => {
                let is_done = self.frame_command(command);
                debug_assert!(is_done || !command.is_of_session(), "{command:?} is nobody's");
            }
        }
    }

    /// What commands of all workspaces mean for the scene that is shown, and those of its own; whether it is one.
    fn command_of_scene(&mut self, command: Command) -> bool {
        match command {
            Command::Save => {
                if let Some(path) = self.scene().map(|document| document.path.clone()) {
                    self.save_scene(&path);
                }
            }
            Command::Revert => self.revert_scene(),
            Command::CloseTab => {
                if let Some(path) = self.scene().map(|document| document.path.clone()) {
                    self.ask_before(Pending::Close(path));
                }
            }
            Command::Undo => self.with_scene(|document| drop(document.history.undo())),
            Command::Redo => self.with_scene(|document| drop(document.history.redo())),
            Command::SelectAll => self.select_all_objects(),
            Command::Deselect => self.with_scene(|document| document.history.select(Vec::new())),
            Command::InvertSelection => self.invert_objects(),
            Command::KeepMine => self.keep_my_scene(),
            Command::TakeTheirs => self.take_their_scene(),
            _ => return self.scene_command(command),
        }
        true
    }

    pub(super) fn set_backdrop(&mut self, backdrop: Backdrop) {
        self.prefs.backdrop = backdrop;
        self.save_prefs();
    }

    pub(super) fn set_theme(&mut self, theme: ThemeChoice) {
        self.prefs.theme = theme;
        self.save_prefs();
    }
}
