//! The list of keys: every command that has one, in groups, and what the mouse does.

use eframe::egui;
use egui::{Key, Label, Modifiers, RichText, ScrollArea, Sides, Ui, Vec2};

use super::{close_button, modal, set_width, title};
use crate::session::Command;
use crate::ui::theme::{self, AROUND, INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

const KEYS_WIDTH: f32 = 920.0;
/// What the list of keys leaves of the window's height to its own title and button.
const KEYS_AROUND: f32 = 152.0;
const KEY_COLUMNS: usize = 3;

/// What the mouse and the arrow keys do on the canvas and in the strip.
const MOUSE: [(&str, &str); 17] = [
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
    ("Zoom at the pointer", "Wheel"),
    ("Move the picture", "Space+drag, middle drag"),
    ("Fit the sheet", "Double click"),
    ("What can be done here", "Right click"),
    ("Close a tab", "Middle click"),
];

/// The commands of the list of keys under their titles, column by column.
const GROUPS: [&[Group]; KEY_COLUMNS] =
    [&[Group::File, Group::Tools], &[Group::Edit, Group::View], &[Group::Frames, Group::Help]];

/// What a command is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    File,
    Edit,
    Frames,
    View,
    Tools,
    Help,
}

impl Group {
    const fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Frames => "Frames",
            Self::View => "View",
            Self::Tools => "Tools",
            Self::Help => "Help",
        }
    }

    fn of(command: Command) -> Self {
        let hit = GROUPED.iter().find(|(_, commands)| commands.contains(&command));
        hit.map_or(Self::Frames, |(group, _)| *group)
    }
}

/// All commands that are not about frames.
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
                C::Save,
                C::SaveAll,
                C::Revert,
                C::CloseTab,
                C::NextTab,
                C::PreviousTab,
                C::Quit,
                C::Reimport,
                C::ReimportAll,
                C::CancelImport,
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
        (Group::Tools, &[C::SelectTool, C::DrawTool, C::WandTool, C::PanTool, C::Snap]),
        (Group::Help, &[C::Palette, C::Shortcuts, C::About]),
    ]
};

/// All keys; whether the list is to be closed.
pub(super) fn ui(ui: &Ui) -> bool {
    let toggled = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::F1));
    let shown = modal("keys", ui).show(ui, |ui| {
        set_width(ui, KEYS_WIDTH.min(ui.content_rect().width() - 4.0 * AROUND));
        title(ui, "Keys");
        let height = (ui.content_rect().height() - KEYS_AROUND).max(ROW_HEIGHT);
        ScrollArea::vertical().max_height(height).show(ui, |ui| {
            // The bar of the scroll area lies over what it scrolls.
            ui.set_width(ui.available_width() - AROUND);
            ui.spacing_mut().item_spacing = Vec2::new(2.0 * AROUND, 0.0);
            ui.columns(KEY_COLUMNS, |columns| {
                for (column, groups) in columns.iter_mut().zip(GROUPS) {
                    for group in groups {
                        keys_of(column, *group);
                    }
                }
            });
            mouse(ui);
        });
        close_button(ui)
    });
    shown.inner || toggled || shown.should_close()
}

/// The commands of a group that have a key.
fn keys_of(ui: &mut Ui, group: Group) {
    widgets::section_title(ui, group.title());
    for command in Command::ALL.iter().filter(|command| Group::of(**command) == group) {
        if let Some(shortcut) = command.shortcut() {
            let how = widgets::shortcut_text(ui, shortcut);
            row(ui, command.text(), &how, command.tooltip());
        }
    }
}

fn mouse(ui: &mut Ui) {
    widgets::section_title(ui, "Mouse and arrow keys");
    let part = MOUSE.len().div_ceil(KEY_COLUMNS);
    ui.columns(KEY_COLUMNS, |columns| {
        for (column, part) in columns.iter_mut().zip(MOUSE.chunks(part)) {
            for (what, how) in part {
                let how = how.replace("Ctrl", widgets::ctrl_text(column));
                row(column, what, &how, "");
            }
        }
    });
}

/// What is done, and how; `more` is its tooltip unless that is empty.
fn row(ui: &mut Ui, what: &str, how: &str, more: &str) {
    let how = RichText::new(how).color(theme::palette(ui).weak_text);
    Sides::new().height(ROW_HEIGHT - INSIDE).shrink_left().truncate().show(
        ui,
        |ui| {
            let response = ui.add(Label::new(what).truncate().selectable(false));
            if !more.is_empty() {
                response.on_hover_text(more);
            }
        },
        |ui| ui.add(Label::new(how).selectable(false)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn keys_are_listed_in_groups_that_all_fit_a_small_window() {
        for size in [egui::vec2(1280.0, 720.0), egui::vec2(800.0, 500.0)] {
            let mut harness = Harness::builder()
                .with_size(size)
                .with_os(egui::os::OperatingSystem::Nix)
                .build_ui_state(|ui, closed: &mut bool| *closed |= super::ui(ui), false);
            harness.run();
            for group in GROUPS.concat() {
                // "Frames" is a command too.
                assert!(harness.query_all_by_label(group.title()).next().is_some());
            }
            for (name, key) in [("Merge frames", "Ctrl+M"), ("Select frames in a box", "Drag beside frames")]
            {
                harness.get_by_label(name);
                harness.get_by_label(key);
            }
            let close = harness.get_by_label("Close").rect();
            let last = harness.get_by_label("Select frames in a box").rect();
            assert!(size.y < 720.0 || last.bottom() < close.top(), "it shows without scrolling");
            assert!(close.bottom() < size.y && close.right() < size.x, "{close:?}");
            harness.key_press(Key::F1);
            harness.run();
            assert!(*harness.state());
        }
    }

    #[test]
    fn every_group_has_its_place() {
        for command in Command::ALL {
            assert!(GROUPS.concat().contains(&Group::of(*command)), "{command:?}");
        }
    }
}
