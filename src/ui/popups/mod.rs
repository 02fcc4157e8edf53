//! Small windows over the panels, each for one command: renaming, naming rows, splitting, history, commands by name.

use eframe::egui;
use egui::Ui;

use super::UiState;
use crate::session::{Action, Command, Session};

/// Which one is open.
#[derive(Default)]
pub struct Popups {
    open: Option<Command>,
}

impl Popups {
    /// Opens the one of a command, or closes it.
    pub fn toggle(&mut self, command: Command) {
        self.open = if self.open == Some(command) { None } else { Some(command) };
    }
}

/// Draws the one that is open.
pub fn ui(_ui: &Ui, _session: &Session, _state: &mut UiState, _actions: &mut Vec<Action>) {}
