//! The workspaces: what the middle of the window is for, and which commands make sense in it.

use super::Command;

/// What the middle of the window is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Workspace {
    /// Cutting sheets into frames.
    #[default]
    Slice,
    /// Putting frames on the objects of a scene.
    Scene,
}

impl Workspace {
    /// All of them, in the order of their tabs, with the commands that open them.
    pub const ALL: [(Self, Command); 2] =
        [(Self::Slice, Command::SliceWorkspace), (Self::Scene, Command::SceneWorkspace)];

    /// Why a command of another workspace makes no sense in this one.
    pub(super) const fn why_elsewhere(of: Self) -> &'static str {
        match of {
            Self::Slice => "Only in the Slice workspace",
            Self::Scene => "Only in the Scene workspace",
        }
    }
}

impl Command {
    /// The workspace that it belongs to; `None` when it is for all.
    pub const fn workspace(self) -> Option<Workspace> {
        use Command as C;
        if self.is_of_looks() {
            return None;
        }
        match self {
            C::NewProject
            | C::OpenProject
            | C::OpenImage
            | C::CopySample
            | C::CloseProject
            | C::NewScene
            | C::Save
            | C::SaveAll
            | C::Revert
            | C::CloseTab
            | C::RenameFile
            | C::MoveFile
            | C::DeleteFile
            | C::NewFolder
            | C::UndoMove
            | C::NextTab
            | C::PreviousTab
            | C::Quit
            | C::SliceWorkspace
            | C::SceneWorkspace
            | C::KeepMine
            | C::TakeTheirs
            | C::Restore
            | C::Discard
            | C::Undo
            | C::Redo
            | C::SelectAll
            | C::Deselect
            | C::InvertSelection
            | C::CopyFrameRef
            | C::Reimport
            | C::ReimportAll
            | C::FindUnused
            | C::Export
            | C::CancelImport
            | C::Fit
            | C::ActualSize
            | C::FrameSelection
            | C::ZoomIn
            | C::ZoomOut
            | C::Snap
            | C::ShowSource
            | C::ProjectTextures
            | C::Problems
            | C::NextProblem
            | C::PreviousProblem
            | C::Browser
            | C::Inspector
            | C::History
            | C::Palette
            | C::Shortcuts
            | C::About => None,
            C::SaveAs
            | C::AddObject
            | C::DeleteObjects
            | C::DuplicateObjects
            | C::CopyObjects
            | C::CutObjects
            | C::PasteObjects
            | C::RenameObject
            | C::ShowObjects
            | C::ObjectUp
            | C::ObjectDown
            | C::PickSprite
            | C::ClearSprite
            | C::RemoveSprite
            | C::SelectObjectTool
            | C::MoveTool
            | C::RotateTool
            | C::ScaleTool => Some(Workspace::Scene),
            _ => Some(Workspace::Slice),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_frames_are_made_with_is_of_one_workspace_and_what_files_are_saved_with_of_all() {
        assert_eq!(Command::MergeFrames.workspace(), Some(Workspace::Slice));
        assert_eq!(Command::AddObject.workspace(), Some(Workspace::Scene));
        assert_eq!(Command::Save.workspace(), None);
    }
}
