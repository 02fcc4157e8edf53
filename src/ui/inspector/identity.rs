//! Who the sheet and its frame are to scenes: GUIDs and ids, folded away until someone needs them.

use eframe::egui;
use egui::{CollapsingHeader, RichText, Ui};

use super::{fact, weak};
use crate::registry::Asset;
use crate::session::{Action, Document};
use crate::ui::theme::{self, INSIDE};
use crate::ui::widgets;

/// The section.
pub(super) fn ui(ui: &mut Ui, document: &Document, asset: Option<&Asset>, actions: &mut Vec<Action>) {
    let Some(asset) = asset else { return };
    ui.add_space(INSIDE);
    ui.separator();
    let title = RichText::new("Identity").small().strong().color(theme::palette(ui).weak_text);
    CollapsingHeader::new(title).id_salt("identity").show_unindented(ui, |ui| {
        guid(ui, "Sheet GUID", &asset.guid.to_string(), actions);
        if asset.guid_is_provisional {
            weak(ui, "For this run only: the sidecar has no GUID that can be used.");
        }
        if let Some((_, frame)) = single(document) {
            guid(ui, "Frame GUID", &frame.guid(asset.guid).to_string(), actions);
            fact(ui, "Frame id", &frame.id.to_string());
        }
        fact(ui, "Next id", &document.sheet().first_free_id().to_string());
    });
}

/// The selected frame, when it is the only one.
pub(super) fn single(document: &Document) -> Option<(usize, &crate::model::Frame)> {
    let mut selected = document.selected_frames();
    selected.next().filter(|_| selected.next().is_none())
}

fn guid(ui: &mut Ui, label: &str, text: &str, actions: &mut Vec<Action>) {
    ui.label(RichText::new(label).small().color(theme::palette(ui).weak_text));
    widgets::copyable(ui, label, text, actions);
}
