//! The target that the sheet's texture is shown for.

use eframe::egui;
use egui::Ui;
use egui_material_icons::icons::ICON_TUNE;

use super::super::labelled;
use crate::session::{Action, Command, Session};
use crate::ui::theme::{BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::{target_list, widgets};

/// The row of the form.
pub(super) fn ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    labelled(ui, "Target", ROW_HEIGHT, |ui| {
        let width = (ui.available_width() - ROW_HEIGHT - BETWEEN - INSIDE).max(0.0);
        let list = target_list::ui(ui, session, "None", Some(width), actions);
        let explanation = if session.project_settings().targets.is_empty() {
            "The project has no targets: kinds of devices with a format and sizes of their own"
        } else {
            "The device that textures are shown for; what is set below is for it alone while one is chosen"
        };
        list.accessible_name("Target").on_hover_text(explanation);
        if widgets::command_icon(ui, session, Command::ProjectTextures, ICON_TUNE) {
            actions.push(Command::ProjectTextures.into());
        }
    });
}
