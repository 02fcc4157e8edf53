//! What menus, keys and panels ask for. The table of commands is the one source of their names, tooltips and
//! keys; menus, buttons and the key listener are made from it.

use std::path::PathBuf;
use std::sync::Arc;

use super::prefs::Backdrop;
use super::{ExportAsk, FrameAsk};
use crate::edit::{Edit, SceneEdit};
use crate::model::scene::ObjectKey;
use crate::model::{Code, FrameId, ProjectSettings};

/// A key with its modifiers; Ctrl is Cmd on macOS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortcut {
    /// Ctrl, or Cmd on macOS.
    pub ctrl: bool,
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
    /// The key's name as egui spells it.
    pub key: &'static str,
}

const fn key(key: &'static str) -> Shortcut {
    Shortcut { ctrl: false, shift: false, alt: false, key }
}

const fn ctrl(key: &'static str) -> Shortcut {
    Shortcut { ctrl: true, shift: false, alt: false, key }
}

const fn ctrl_shift(key: &'static str) -> Shortcut {
    Shortcut { ctrl: true, shift: true, alt: false, key }
}

const fn shift(key: &'static str) -> Shortcut {
    Shortcut { ctrl: false, shift: true, alt: false, key }
}

const fn alt_shift(key: &'static str) -> Shortcut {
    Shortcut { ctrl: false, shift: true, alt: true, key }
}

const fn ctrl_alt(key: &'static str) -> Shortcut {
    Shortcut { ctrl: true, shift: false, alt: true, key }
}

macro_rules! commands {
    ($($name:ident, $text:literal, $tooltip:literal, $shortcut:expr;)*) => {
        /// Something a person can ask for without naming a thing: it acts on what is open and selected.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the table says of each what it does")]
        pub enum Command { $($name,)* }

        impl Command {
            /// All commands, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its name, sentence case; `…` when it asks for more.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// What it does, in a sentence.
            pub const fn tooltip(self) -> &'static str {
                match self { $(Self::$name => $tooltip,)* }
            }

            /// The key that it has until somebody gives it another.
            pub const fn default_shortcut(self) -> Option<Shortcut> {
                match self { $(Self::$name => $shortcut,)* }
            }

            /// What files call it. A command that is renamed in the table leaves the keys behind that were given to it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }
        }
    };
}

commands! {
    SliceWorkspace, "Slice", "Cut sheets into frames", Some(ctrl("1"));
    SceneWorkspace, "Scene", "Put frames on the objects of a scene", Some(ctrl("2"));
    NewProject, "New project…", "Make a project in a folder of your choice", None;
    OpenProject, "Open project…", "Open a folder with sprite sheets", Some(ctrl("O"));
    OpenImage, "Open image…", "Open one image without its folder", Some(ctrl_shift("O"));
    CopySample, "Copy the sample project…", "Put a copy of the sample project in a folder of your choice and open it", None;
    CloseProject, "Close project", "Go back to the start page", None;
    NewScene, "New scene", "Begin an empty scene; its file is written by the first save", Some(ctrl("N"));
    Save, "Save", "Write the sheet's sidecar, or the scene", Some(ctrl("S"));
    SaveAs, "Save as…", "Write the scene under another name", Some(ctrl_shift("S"));
    SaveAll, "Save all", "Write all changed sheets and scenes", Some(ctrl_alt("S"));
    Revert, "Revert", "Take the document as its file has it; one step of the history", None;
    RenameFile, "Rename file…", "Give the sheet, scene or folder that the browser is at another name; its sidecar goes along", None;
    MoveFile, "Move file…", "Move the sheet, scene or folder that the browser is at into another folder", None;
    DeleteFile, "Delete file…", "Put the sheet, scene or folder that the browser is at into the system's trash", None;
    NewFolder, "New folder…", "Make a folder where the browser is", None;
    UndoMove, "Undo move", "Give the files that were renamed or moved last their names and places back", None;
    CloseTab, "Close tab", "Close this document", Some(ctrl("W"));
    NextTab, "Next tab", "Show the next open document", Some(ctrl("Tab"));
    PreviousTab, "Previous tab", "Show the previous open document", Some(ctrl_shift("Tab"));
    Quit, "Quit", "Leave Cutsheet", Some(ctrl("Q"));
    AcceptGuess, "Accept the guess", "Cut the sheet as the guess on the canvas shows", Some(key("Enter"));
    NextGuess, "Next guess", "Show the next guess", Some(key("G"));
    PreviousGuess, "Previous guess", "Show the guess before", Some(shift("G"));
    DismissGuess, "No guess", "Take the guess off the canvas", Some(key("Escape"));
    KeepMine, "Keep mine", "Keep the unsaved edits; the next save replaces what was changed outside", None;
    TakeTheirs, "Take theirs", "Take the document as its file has it now; one step of the history", None;
    ShowDifferences, "Show differences", "Zoom to the frames in which theirs and yours differ", None;
    KeepPlaces, "Keep places", "Keep every frame where it is and add the cells that are new", None;
    Renumber, "Renumber", "Number the cells of the grid anew; references move to other pictures", None;
    LeaveFrames, "Leave as it is", "Keep the frames there are and forget the grid", None;
    ClipOutside, "Clip frames", "Clip the frames that reach outside the image", None;
    DeleteOutside, "Delete frames outside", "Delete the frames that have no pixels in the image", None;
    WaitForSize, "Wait for the old size", "Keep the frames and their numbers; they are drawn clipped or not at all meanwhile", None;
    Restore, "Restore", "Take the unsaved edits of the last run", None;
    Discard, "Discard", "Delete the unsaved edits of the last run; they cannot be had back", None;
    Undo, "Undo", "Take the last step back", Some(ctrl("Z"));
    Redo, "Redo", "Do the step again that was taken back", Some(ctrl_shift("Z"));
    SelectAll, "Select all", "Select all frames, or all objects", Some(ctrl("A"));
    Deselect, "Deselect", "Select nothing", Some(key("Escape"));
    InvertSelection, "Invert selection", "Select what is not selected", Some(ctrl_shift("I"));
    CopyFrameRef, "Copy frame reference", "Copy the selected frame, or the sheet, to be pasted on an object", Some(ctrl_shift("C"));
    DeleteFrames, "Delete frames", "Delete the selected frames; their ids are retired", Some(key("Delete"));
    DuplicateFrames, "Duplicate frames", "Put copies beside the selected frames", Some(ctrl("D"));
    CopyFrames, "Copy frames", "Copy the selected frames as text, for any sheet or program", Some(ctrl("C"));
    CutFrames, "Cut frames", "Copy the selected frames, then delete them", Some(ctrl("X"));
    MergeFrames, "Merge frames", "Make one frame of the selected ones; the first keeps its id", Some(ctrl("M"));
    SplitFrame, "Split frame…", "Cut the selected frame by a small grid of its own", Some(ctrl_shift("M"));
    TrimFrames, "Trim to ink", "Cut each selected frame down to its opaque pixels", Some(ctrl("T"));
    TrimAlike, "Trim alike", "Trim all selected frames by the same amounts, so that nothing jitters", None;
    GrowFrames, "Grow by 1 px", "Move all edges of the selected frames outwards", None;
    ShrinkFrames, "Shrink by 1 px", "Move all edges of the selected frames inwards", None;
    SameSize, "Make same size", "Give the selected frames the largest width and height, growing from the bottom centre", Some(ctrl_shift("T"));
    AlignLeft, "Align left edges", "Move the selected frames to the leftmost edge", None;
    AlignCenterX, "Align centres across", "Move the selected frames to one vertical middle line", None;
    AlignRight, "Align right edges", "Move the selected frames to the rightmost edge", None;
    AlignTop, "Align top edges", "Move the selected frames to the topmost edge", None;
    AlignCenterY, "Align centres down", "Move the selected frames to one horizontal middle line", None;
    AlignBottom, "Align bottom edges", "Move the selected frames to the lowest edge", None;
    MoveEarlier, "Move earlier", "Move the selected frames one place to the front; references follow the picture", Some(ctrl("ArrowLeft"));
    MoveLater, "Move later", "Move the selected frames one place to the back; references follow the picture", Some(ctrl("ArrowRight"));
    RenameFrames, "Rename…", "Name the selected frames, several with a pattern", Some(key("F2"));
    NameRows, "Name rows…", "Give each row of frames a name: idle_00, idle_01, …", None;
    ApplyToOthers, "Apply to other sheets…", "Cut other sheets of the same layout as this one is cut", None;
    ToAtlas, "Grid to atlas", "Keep the frames as they are and forget the grid; ids stay", None;
    ClearSlicing, "Remove all frames", "Leave the image whole; can be undone", None;
    AddObject, "Add object", "Put an empty object behind the selected one", Some(ctrl_shift("A"));
    DeleteObjects, "Delete objects", "Delete the selected objects with all below them", Some(key("Delete"));
    DuplicateObjects, "Duplicate objects", "Put copies beside the selected objects", Some(ctrl("D"));
    CopyObjects, "Copy objects", "Copy the selected objects, for any scene", Some(ctrl("C"));
    CutObjects, "Cut objects", "Copy the selected objects, then delete them", Some(ctrl("X"));
    PasteObjects, "Paste objects", "Put the copied objects behind the selected one", None;
    RenameObject, "Rename object", "Name the selected objects", Some(key("F2"));
    ShowObjects, "Show or hide", "Hide the selected objects with all below them, or show them", Some(key("H"));
    ObjectUp, "Move up", "Move the selected objects one place up in the tree", Some(ctrl("ArrowUp"));
    ObjectDown, "Move down", "Move the selected objects one place down in the tree", Some(ctrl("ArrowDown"));
    PickSprite, "Pick a sprite…", "Choose a frame or a sheet for the selected objects", Some(ctrl_shift("F"));
    ClearSprite, "Clear the sprite", "Leave the sprite component without a picture", None;
    RemoveSprite, "Remove the sprite component", "Take the sprite component off the selected objects", None;
    SelectObjectTool, "Select objects", "Click selects, drag moves, drag beside objects selects what it touches", Some(key("Q"));
    MoveTool, "Move objects", "Drag moves the selected objects", Some(key("W"));
    RotateTool, "Rotate objects", "Drag turns the selected objects; Shift in steps of 15 degrees", Some(key("E"));
    ScaleTool, "Scale objects", "Drag scales the selected objects; Shift keeps their shape", Some(key("R"));
    Reimport, "Reimport", "Compile this sheet's texture again", Some(key("F5"));
    Export, "Export…", "Write what a game uses into storage/; shows what, and why, before", Some(ctrl("E"));
    SaveFrames, "Frames as PNG…", "Save frames as PNG files, bit for bit, all or the selected ones", Some(ctrl_shift("E"));
    FindUnused, "Unused sheets and frames", "List what no scene of the project uses", None;
    ReimportAll, "Look for changes", "Walk the project again and import what changed", Some(ctrl("F5"));
    CancelImport, "Cancel import", "Stop importing; what is done stays", None;
    Fit, "Fit", "Show the whole sheet", Some(ctrl("0"));
    ActualSize, "Actual size", "One image pixel on one screen pixel", Some(key("1"));
    FrameSelection, "Zoom to selection", "Fit the selected frames", Some(key("F"));
    ZoomIn, "Zoom in", "To the next step", Some(ctrl("Plus"));
    ZoomOut, "Zoom out", "To the step before", Some(ctrl("Minus"));
    SelectTool, "Select", "Click selects, drag moves and resizes, drag beside frames selects what it touches", Some(key("V"));
    DrawTool, "Draw", "Drag draws a new frame", Some(key("R"));
    WandTool, "Wand", "Click makes a frame around the sprite under the pointer, Alt grows it across gaps", Some(key("W"));
    PanTool, "Pan", "Drag moves the picture", Some(key("H"));
    Snap, "Snap", "Edges catch on frames, grid and ink while dragging; Ctrl suspends", Some(shift("S"));
    ShowFrames, "Frames", "Show frames and numbers over the picture", Some(ctrl("H"));
    ShowPixelGrid, "Pixel grid", "Show lines between pixels from 800 %", Some(alt_shift("G"));
    Compare, "Compare", "Show the image beside what the device draws; hold the key to see both in one place", Some(key("C"));
    Wipe, "Wipe", "Compare in one place, with a divider to drag", None;
    ShowStoredEdges, "Stored frame edges", "Show where frames begin and end in the stored picture while comparing", None;
    ShowHeatMap, "Difference heat map", "Show how far the stored picture is from the image while comparing", None;
    ShowBleed, "Bleed check", "Mark stored pixels that take colour from outside their frame while comparing", None;
    ProjectTextures, "Targets and defaults…", "What the project says of all textures, and the devices it makes textures for", None;
    ShowChanges, "Show changes", "Show the picture as it was before it changed outside, and again as it is", None;
    NineSlice, "Nine-slice", "Drag or type the borders of the selected frame, or of an image without frames, and see it stretched", Some(key("9"));
    ShowSource, "Preview from source", "Show the preview from the image instead of the compiled texture", None;
    Problems, "Problems", "Show the list of problems", None;
    NextProblem, "Next problem", "Go where the next problem of the list is", Some(key("F8"));
    PreviousProblem, "Previous problem", "Go where the problem before is", Some(shift("F8"));
    Browser, "Browser", "Show or hide the browser", None;
    Inspector, "Inspector", "Show or hide the inspector", None;
    ThemeDark, "Dark", "Dark surfaces", None;
    ThemeLight, "Light", "Light surfaces", None;
    ThemeSystem, "As the system", "Follow the system's setting", None;
    BackdropChecker, "Checkerboard", "Two greys behind transparent art", None;
    BackdropBlack, "Black", "Black behind transparent art", None;
    BackdropWhite, "White", "White behind transparent art", None;
    BackdropMagenta, "Magenta", "Magenta behind transparent art, which shows every stray pixel", None;
    History, "History", "Show the steps of this sheet's history", None;
    Palette, "Commands…", "Find any command by its name", Some(ctrl("P"));
    Shortcuts, "Keys", "Show all keys", Some(key("F1"));
    About, "About Cutsheet", "Version and licence", None;
}

impl Command {
    /// The command that files call so.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|command| command.name() == name)
    }

    /// Whether it only makes sense while a guess is on the canvas, and then comes before others with the same key.
    pub const fn is_of_guess(self) -> bool {
        matches!(self, Self::AcceptGuess | Self::NextGuess | Self::PreviousGuess | Self::DismissGuess)
    }

    /// Whether it is about what the canvas compares.
    pub const fn is_of_comparison(self) -> bool {
        matches!(
            self,
            Self::Compare | Self::Wipe | Self::ShowStoredEdges | Self::ShowHeatMap | Self::ShowBleed
        )
    }

    /// Whether it is about how the window looks.
    pub const fn is_of_looks(self) -> bool {
        matches!(
            self,
            Self::ThemeDark
                | Self::ThemeLight
                | Self::ThemeSystem
                | Self::BackdropChecker
                | Self::BackdropBlack
                | Self::BackdropWhite
                | Self::BackdropMagenta
        )
    }

    /// Whether the session carries it out; the others are the window's.
    pub const fn is_of_session(self) -> bool {
        !matches!(
            self,
            Self::Fit
                | Self::ActualSize
                | Self::FrameSelection
                | Self::ShowDifferences
                | Self::Compare
                | Self::Wipe
                | Self::ShowStoredEdges
                | Self::ShowHeatMap
                | Self::ShowBleed
                | Self::ProjectTextures
                | Self::ZoomIn
                | Self::ZoomOut
                | Self::SplitFrame
                | Self::RenameFrames
                | Self::RenameObject
                | Self::PickSprite
                | Self::SaveAs
                | Self::RenameFile
                | Self::MoveFile
                | Self::DeleteFile
                | Self::NewFolder
                | Self::FindUnused
                | Self::SelectObjectTool
                | Self::MoveTool
                | Self::RotateTool
                | Self::ScaleTool
                | Self::NameRows
                | Self::ApplyToOthers
                | Self::SaveFrames
                | Self::SelectTool
                | Self::DrawTool
                | Self::WandTool
                | Self::PanTool
                | Self::Snap
                | Self::ShowFrames
                | Self::ShowPixelGrid
                | Self::History
                | Self::Palette
                | Self::ShowChanges
                | Self::ShowSource
                | Self::NineSlice
                | Self::Problems
                | Self::NextProblem
                | Self::PreviousProblem
                | Self::Browser
                | Self::Inspector
                | Self::Shortcuts
                | Self::About
        )
    }
}

/// How a click changes the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectMode {
    /// Only this one.
    Replace,
    /// This one too, or no longer.
    Toggle,
    /// All from the last one to this one.
    Extend,
}

/// Something a panel asks for.
#[derive(Debug, Clone)]
pub enum Action {
    /// A command of the table.
    Command(Command),
    /// Open a project folder or an image file.
    Open(PathBuf),
    /// Make a project in this folder.
    CreateProject(PathBuf),
    /// Put the sample project in this folder and open it.
    CopySample(PathBuf),
    /// Show a sheet in a tab.
    OpenSheet(Arc<str>),
    /// Show a sheet in a tab, in the Slice workspace.
    ShowSheet(Arc<str>),
    /// Show a scene in a tab.
    OpenScene(Arc<str>),
    /// Close the tab of a sheet or a scene.
    Close(Arc<str>),
    /// Write the scene that is shown under this path.
    SaveSceneAs(Arc<str>),
    /// Give what is at a path, a sheet, a scene or a folder, another name.
    RenameAsset(Arc<str>, String),
    /// Move sheets, scenes and folders into a folder.
    MoveAssets(Vec<Arc<str>>, Arc<str>),
    /// Put sheets, scenes and folders into the system's trash.
    DeleteAssets(Vec<Arc<str>>),
    /// Make a folder of that name in another one.
    NewFolder(Arc<str>, String),
    /// Change the current scene.
    EditScene(SceneEdit),
    /// Select exactly these objects of the current scene.
    SelectObjects(Vec<ObjectKey>),
    /// Select an object of the current scene.
    SelectObject(ObjectKey, SelectMode),
    /// Move the selected objects by metres of the world.
    NudgeObjects {
        /// To the right.
        dx: f32,
        /// Up.
        dy: f32,
    },
    /// Take a path from the list of recent projects.
    ForgetRecent(PathBuf),
    /// Fix problems of a kind that the frames at these positions of a sheet have.
    Fix(Arc<str>, Code, Vec<u32>),
    /// Change the current sheet.
    Edit(Edit),
    /// What follows is a step of its own: a field was left, a drag ended.
    Seal,
    /// Move the selected frames, or their right and bottom edges, by keys.
    Nudge {
        /// Pixels to the right.
        dx: i32,
        /// Pixels down.
        dy: i32,
        /// Only the right and bottom edges.
        edges: bool,
    },
    /// Add the frames that this text from the clipboard describes.
    Paste(String),
    /// Select exactly these frames of the current sheet.
    SelectFrames(Vec<FrameId>),
    /// Cut these sheets as the current one is cut.
    ApplyToOthers(Vec<Arc<str>>),
    /// Go to the state of the history with so many steps done.
    GoToStep(usize),
    /// Select a frame of a sheet.
    Select(Arc<str>, FrameId, SelectMode),
    /// Import an asset again.
    ReimportAsset(Arc<str>),
    /// Show an asset's file in the system's file manager.
    RevealFile(Arc<str>),
    /// Put text on the clipboard.
    CopyText(String),
    /// Save frames as PNG files, or go on with it.
    FrameFiles(FrameAsk),
    /// Go on with the export that is shown.
    Export(ExportAsk),
    /// Answer whether frames in use are to be deleted.
    AnswerInUse(bool),
    /// Answer the open question.
    Answer(Answer),
    /// Take a toast away.
    DismissToast(u64),
    /// Show no guess on this sheet while another way to cut it is tried, or show it again.
    PutGuessAside(Arc<str>, bool),
    /// Write what the project says of all its textures.
    SaveProjectSettings(ProjectSettings),
    /// Show textures for the target of that name, or for none.
    ShowTarget(Option<Arc<str>>),
    /// Put this behind transparent art.
    SetBackdrop(Backdrop),
    /// Remember whether the grid form's x and y go their own ways.
    RememberGridAxes {
        /// Whether they do.
        parted: bool,
    },
    /// Remember where a sheet is looked at.
    RememberView(Arc<str>, View),
    /// Remember the keys that these commands have from now on.
    RememberKeys(Vec<KeyChange>),
}

/// A command's other key as files spell it, empty for none; `None` when it is to have that of the table again.
pub type KeyChange = (Command, Option<String>);

/// Where a sheet is looked at: screen pixels per image pixel, and the image point in the middle.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct View {
    /// Screen points per image pixel.
    pub zoom: f32,
    /// Image pixels from the left edge to the middle of the canvas.
    pub center_x: f32,
    /// Image pixels from the top edge to the middle of the canvas.
    pub center_y: f32,
}

/// An answer to "there are unsaved changes".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Save them, then go on.
    SaveAll,
    /// Lose them and go on.
    Discard,
    /// Do not go on.
    Cancel,
}

impl From<Command> for Action {
    fn from(command: Command) -> Self {
        Self::Command(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Workspace;

    #[test]
    fn no_two_commands_have_the_same_key_at_the_same_time() {
        let (bar, others): (Vec<Command>, Vec<Command>) =
            Command::ALL.iter().partition(|command| command.is_of_guess());
        let in_workspace = |workspace| -> Vec<Command> {
            let others = others.iter().copied();
            others.filter(|it| it.workspace().is_none_or(|its| its == workspace)).collect()
        };
        for commands in [bar, in_workspace(Workspace::Slice), in_workspace(Workspace::Scene)] {
            let mut taken = Vec::new();
            for shortcut in commands.iter().filter_map(|command| command.default_shortcut()) {
                assert!(!taken.contains(&shortcut), "{shortcut:?}");
                taken.push(shortcut);
            }
        }
        let place = |command| Command::ALL.iter().position(|it| *it == command);
        assert!(place(Command::DismissGuess) < place(Command::Deselect), "the first in the table is meant");
    }

    #[test]
    fn files_know_commands_by_names_of_their_own() {
        for command in Command::ALL {
            assert_eq!(Command::of_name(command.name()), Some(*command));
        }
        assert_eq!(Command::SaveAll.name(), "SaveAll");
        assert_eq!(Command::of_name("save all"), None);
    }
}
