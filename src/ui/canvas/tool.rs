//! The tools of the canvas, of which exactly one is active.

use eframe::egui::CursorIcon;
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{ICON_ARROW_SELECTOR_TOOL, ICON_ASTERISK, ICON_PAN_TOOL, ICON_RECTANGLE};

use crate::session::Command;

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

    /// What a press would do and which modifiers matter.
    pub(super) const fn hint(self, frames: usize, selected: usize) -> &'static str {
        match self {
            Self::Select if selected > 0 => {
                "Drag moves, handles resize, Ctrl: no snapping. Arrows nudge, Shift a cell, Alt the edges"
            }
            Self::Select if frames > 0 => {
                "Click selects, Shift extends, Ctrl adds, drag beside frames selects"
            }
            Self::Select => "Wheel zooms, middle drag or Space pans, double click fits; R draws a frame",
            Self::Draw => "Drag draws a frame, Ctrl suspends snapping; V selects again",
            Self::Wand => {
                "Click makes a frame of the sprite, Alt+click grows it across a gap; V selects again"
            }
            Self::Pan => "Drag moves the picture; V selects again",
        }
    }
}
