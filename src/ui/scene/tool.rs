//! The tools of the scene's canvas, of which exactly one is active.

use eframe::egui::Context;
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{ICON_ARROW_SELECTOR_TOOL, ICON_ASPECT_RATIO, ICON_CACHED, ICON_DRAG_PAN};

use crate::session::Command;
use crate::ui::widgets;

/// What the primary button does on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tool {
    /// Selects, and moves what is dragged.
    #[default]
    Select,
    /// Moves what is selected, wherever the drag begins.
    Move,
    /// Turns what is selected.
    Rotate,
    /// Scales what is selected.
    Scale,
}

impl Tool {
    /// All tools with their commands, as they stand in the tool bar.
    pub const ALL: [(Self, Command, MaterialIcon); 4] = [
        (Self::Select, Command::SelectObjectTool, ICON_ARROW_SELECTOR_TOOL),
        (Self::Move, Command::MoveTool, ICON_DRAG_PAN),
        (Self::Rotate, Command::RotateTool, ICON_CACHED),
        (Self::Scale, Command::ScaleTool, ICON_ASPECT_RATIO),
    ];

    /// The tool that a command chooses.
    pub fn of_command(command: Command) -> Option<Self> {
        Self::ALL.iter().find(|(_, of, _)| *of == command).map(|(tool, ..)| *tool)
    }

    /// What a press would do, and which modifiers matter.
    pub(super) fn hint(self, ctx: &Context, objects: usize, selected: usize) -> String {
        let words = match self {
            _ if objects == 0 => "Drag a frame or a sheet here to make an object",
            Self::Select if selected > 0 => {
                "Drag moves, arrows nudge by 1 px, Shift by 16, Ctrl: no snapping"
            }
            Self::Select => "Click selects, Shift adds, drag beside objects selects what it touches",
            _ if selected == 0 => "Click an object first",
            Self::Move => "Drag moves, Shift: one direction only, Ctrl: no snapping",
            Self::Rotate => "Drag turns, Shift: steps of 15 degrees",
            Self::Scale => "Drag the handles, or from anywhere: both sides; Shift keeps the shape",
        };
        let key = widgets::key_text(ctx, Command::SelectObjectTool);
        if self == Self::Select || key.is_empty() {
            words.to_owned()
        } else {
            format!("{words}; {key} selects again")
        }
    }
}
