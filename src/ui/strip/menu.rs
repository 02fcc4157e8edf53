//! What can be done with a frame of the strip: the menu of its slot.

use eframe::egui;
use egui::{Button, Ui, Vec2};

use crate::session::{Action, Command, Session};
use crate::ui::theme::BETWEEN;
use crate::ui::widgets;

const WIDTH: f32 = 208.0;

/// The commands, in groups.
const GROUPS: [&[Command]; 4] = [
    &[Command::RenameFrames, Command::NameRows],
    &[Command::DuplicateFrames, Command::DeleteFrames, Command::CopyFrames],
    &[Command::MoveEarlier, Command::MoveLater],
    &[Command::MergeFrames, Command::SplitFrame, Command::TrimFrames, Command::SameSize],
];

/// The menu, about the frames that are selected.
pub(super) fn ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    ui.set_min_width(WIDTH);
    ui.spacing_mut().button_padding = Vec2::new(BETWEEN, 2.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    for (index, group) in GROUPS.iter().enumerate() {
        if index > 0 {
            ui.separator();
        }
        for command in *group {
            entry(ui, session, *command, actions);
        }
    }
}

fn entry(ui: &mut Ui, session: &Session, command: Command, actions: &mut Vec<Action>) {
    let shortcut = widgets::key_text(ui, command);
    let button = Button::new(command.text()).shortcut_text(shortcut);
    let why_disabled = session.why_disabled(command);
    let response = ui.add_enabled(why_disabled.is_none(), button).accessible_name(command.text());
    // A tooltip would lie over the next entries, so only a reason is worth one.
    let response = response.on_disabled_hover_text(why_disabled.unwrap_or_default());
    if response.clicked() {
        actions.push(command.into());
        ui.close();
    }
}
