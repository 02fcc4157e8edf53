//! The list of a project's targets, which is shown wherever it matters for which device textures are.

use eframe::egui;
use egui::{ComboBox, Response, Ui};

use crate::session::{Action, Session};

/// The list, as wide as it is told or as its words; `none` is the choice of no target.
pub(super) fn ui(
    ui: &mut Ui,
    session: &Session,
    none: &str,
    width: Option<f32>,
    actions: &mut Vec<Action>,
) -> Response {
    let settings = session.project_settings();
    let shown = session.target().map(|target| target.name.clone());
    let mut combo = ComboBox::from_id_salt("target").selected_text(shown.as_deref().unwrap_or(none));
    if let Some(width) = width {
        combo = combo.width(width).truncate();
    }
    let combo = combo.show_ui(ui, |ui| {
        let names = settings.targets.iter().map(|target| Some(target.name.clone()));
        for name in std::iter::once(None).chain(names) {
            let text = name.as_deref().unwrap_or(none);
            if ui.selectable_label(name == shown, text).clicked() {
                actions.push(Action::ShowTarget(name));
            }
        }
    });
    combo.response
}
