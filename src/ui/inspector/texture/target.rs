//! The target that the sheet's texture is shown for.

use eframe::egui;
use egui::{ComboBox, Ui};
use egui_material_icons::icons::ICON_TUNE;

use super::super::labelled;
use crate::session::{Action, Command, Session};
use crate::ui::theme::{BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// The row of the form.
pub(super) fn ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    labelled(ui, "Target", ROW_HEIGHT, |ui| {
        let settings = session.project_settings();
        let shown = session.target().map(|target| target.name.clone());
        let width = (ui.available_width() - ROW_HEIGHT - BETWEEN - INSIDE).max(0.0);
        let combo = ComboBox::from_id_salt("target").width(width);
        let combo = combo.selected_text(shown.as_deref().unwrap_or("None")).truncate();
        let combo = combo.show_ui(ui, |ui| {
            let names = settings.targets.iter().map(|target| Some(target.name.clone()));
            for name in std::iter::once(None).chain(names) {
                let text = name.as_deref().unwrap_or("None");
                if ui.selectable_label(name == shown, text).clicked() {
                    actions.push(Action::ShowTarget(name));
                }
            }
        });
        let explanation = if settings.targets.is_empty() {
            "The project has no targets: kinds of devices with a format and sizes of their own"
        } else {
            "The device that textures are shown for; what is set below is for it alone while one is chosen"
        };
        combo.response.accessible_name("Target").on_hover_text(explanation);
        if widgets::command_icon(ui, session, Command::ProjectTextures, ICON_TUNE) {
            actions.push(Command::ProjectTextures.into());
        }
    });
}
