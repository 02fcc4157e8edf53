//! What the list of keys is made of: which commands belong together, and what is done by the mouse.

use crate::session::{Command, Workspace};

/// Columns of the list.
pub(super) const COLUMNS: usize = 3;

/// What the mouse does, and keys that are no command's.
pub(super) const MOUSE: [(&str, &str); 24] = [
    ("Select a frame", "Click"),
    ("Select one more, or one less", "Ctrl+click"),
    ("Select all from the last one", "Shift+click"),
    ("Select frames in a box", "Drag beside frames"),
    ("Move frames", "Drag"),
    ("Resize a frame", "Drag a handle"),
    ("Without snapping", "Ctrl while dragging"),
    ("Grow across gaps", "Alt+click with the wand"),
    ("Put frames in another order", "Drag in the strip"),
    ("Nudge by 1 px", "Arrow keys"),
    ("Nudge by a cell", "Shift+arrow keys"),
    ("Right and bottom edges by 1 px", "Alt+arrow keys"),
    ("Put a frame on an object", "Drag it to the scene"),
    ("Zoom at the pointer", "Wheel"),
    ("Move the picture", "Space+drag, middle drag"),
    ("Fit the sheet", "Double click"),
    ("What can be done here", "Right click"),
    ("Close a tab", "Middle click"),
    ("Zoom to 200 % and more", "2 to 6"),
    ("Filter the browser", "Ctrl+F"),
    ("Rename a file", "F2 in the browser"),
    ("Delete a file", "Del in the browser"),
    ("Move a file", "Drag it onto a folder"),
    ("Go to the next field", "Tab"),
];

/// The groups in the order of the list, two in a column.
pub(super) const GROUPS: [Group; 7] =
    [Group::File, Group::Tools, Group::Edit, Group::View, Group::Frames, Group::Objects, Group::Help];

/// What a command is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    File,
    Edit,
    Frames,
    Objects,
    View,
    Tools,
    Help,
}

impl Group {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Frames => "Frames",
            Self::Objects => "Objects of a scene",
            Self::View => "View",
            Self::Tools => "Tools",
            Self::Help => "Project and help",
        }
    }

    /// Whether it is about what is done in a workspace.
    pub(super) const fn is_of(self, workspace: Workspace) -> bool {
        match self {
            Self::Frames => matches!(workspace, Workspace::Slice),
            Self::Objects => matches!(workspace, Workspace::Scene),
            _ => true,
        }
    }

    pub(super) fn of(command: Command) -> Self {
        let hit = GROUPED.iter().find(|(_, commands)| commands.contains(&command));
        let rest = if command.workspace() == Some(Workspace::Scene) { Self::Objects } else { Self::Frames };
        hit.map_or(rest, |(group, _)| *group)
    }
}

/// All commands that are not about frames or objects.
const GROUPED: [(Group, &[Command]); 5] = {
    use Command as C;
    [
        (
            Group::File,
            &[
                C::NewProject,
                C::OpenProject,
                C::OpenImage,
                C::CopySample,
                C::CloseProject,
                C::NewScene,
                C::Save,
                C::SaveAll,
                C::Revert,
                C::RenameFile,
                C::MoveFile,
                C::DeleteFile,
                C::NewFolder,
                C::UndoMove,
                C::Export,
                C::SaveFrames,
                C::FindUnused,
                C::CloseTab,
                C::NextTab,
                C::PreviousTab,
                C::Quit,
            ],
        ),
        (
            Group::Edit,
            &[
                C::Undo,
                C::Redo,
                C::History,
                C::SelectAll,
                C::Deselect,
                C::InvertSelection,
                C::CopyFrames,
                C::CutFrames,
                C::DuplicateFrames,
                C::DeleteFrames,
            ],
        ),
        (
            Group::View,
            &[
                C::Fit,
                C::ActualSize,
                C::FrameSelection,
                C::ZoomIn,
                C::ZoomOut,
                C::ShowFrames,
                C::ShowPixelGrid,
                C::ShowSource,
                C::Problems,
                C::NextProblem,
                C::PreviousProblem,
                C::Browser,
                C::Inspector,
                C::ThemeDark,
                C::ThemeLight,
                C::ThemeSystem,
                C::BackdropChecker,
                C::BackdropBlack,
                C::BackdropWhite,
                C::BackdropMagenta,
            ],
        ),
        (
            Group::Tools,
            &[
                C::SliceWorkspace,
                C::SceneWorkspace,
                C::SelectTool,
                C::DrawTool,
                C::WandTool,
                C::PanTool,
                C::Snap,
            ],
        ),
        (Group::Help, &[C::Reimport, C::ReimportAll, C::CancelImport, C::Palette, C::Shortcuts, C::About]),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_its_place() {
        for command in Command::ALL {
            assert!(GROUPS.contains(&Group::of(*command)), "{command:?}");
        }
    }

    #[test]
    fn no_command_is_listed_twice() {
        let mut listed: Vec<_> = GROUPED.iter().flat_map(|(_, commands)| *commands).collect();
        let count = listed.len();
        listed.sort_by_key(|command| format!("{command:?}"));
        listed.dedup();
        assert_eq!(listed.len(), count);
    }
}
