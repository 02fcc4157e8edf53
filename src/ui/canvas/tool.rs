//! The tools of the canvas, of which exactly one is active.

use eframe::egui::{Context, CursorIcon};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{ICON_ARROW_SELECTOR_TOOL, ICON_ASTERISK, ICON_PAN_TOOL, ICON_RECTANGLE};

use crate::session::Command;
use crate::ui::widgets;

/// What the primary button does on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tool {
    /// Selects, moves and resizes.
    #[default]
    Select,
    /// Draws new frames.
    Draw,
    /// Makes a frame around the sprite under the pointer.
    Wand,
    /// Moves the picture.
    Pan,
}

impl Tool {
    /// All tools with their commands, as they stand in the tool bar.
    pub const ALL: [(Self, Command, MaterialIcon); 4] = [
        (Self::Select, Command::SelectTool, ICON_ARROW_SELECTOR_TOOL),
        (Self::Draw, Command::DrawTool, ICON_RECTANGLE),
        (Self::Wand, Command::WandTool, ICON_ASTERISK),
        (Self::Pan, Command::PanTool, ICON_PAN_TOOL),
    ];

    /// The tool that a command chooses.
    pub fn of_command(command: Command) -> Option<Self> {
        Self::ALL.iter().find(|(_, of, _)| *of == command).map(|(tool, ..)| *tool)
    }

    /// The pointer over the picture, where nothing else has a say.
    pub(super) const fn cursor(self) -> Option<CursorIcon> {
        match self {
            Self::Select => None,
            Self::Draw | Self::Wand => Some(CursorIcon::Crosshair),
            Self::Pan => Some(CursorIcon::Grab),
        }
    }

    /// What a press would do, which modifiers matter, and the key of the tool that is likely next.
    pub(super) fn hint(self, ctx: &Context, frames: usize, selected: usize) -> String {
        let words = match self {
            Self::Select if selected > 0 => {
                "Drag moves, handles resize, Ctrl: no snapping. Arrows nudge, Shift a cell, Alt the edges"
            }
            Self::Select if frames > 0 => {
                "Click selects, Shift extends, Ctrl adds, drag beside frames selects"
            }
            Self::Select => "Wheel zooms, middle drag or Space pans, double click fits",
            Self::Draw => "Drag draws a frame, Ctrl suspends snapping",
            Self::Wand => "Click makes a frame of the sprite, Alt+click grows it across a gap",
            Self::Pan => "Drag moves the picture",
        };
        let (next, what) = match self {
            Self::Select if frames > 0 || selected > 0 => return words.to_owned(),
            Self::Select => (Command::DrawTool, "draws a frame"),
            _ => (Command::SelectTool, "selects again"),
        };
        let key = widgets::key_text(ctx, next);
        if key.is_empty() { words.to_owned() } else { format!("{words}; {key} {what}") }
    }
}
