//! Who the sheet and its frame are to scenes: GUIDs and ids, folded away until someone needs them.

use std::ops::RangeInclusive;

use eframe::egui;
use egui::{CollapsingHeader, RichText, Ui};

use super::{fact, weak};
use crate::model::scene::ObjectKey;
use crate::registry::Asset;
use crate::session::{Action, Document, SelectMode, Session, Use};
use crate::ui::theme::{self, INSIDE};
use crate::ui::widgets;

/// More ids in a row are only counted.
const MOST_RUNS: usize = 8;
/// More places are only counted.
const MOST_USERS: usize = 50;

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
        let retired = ids_in_words(&document.sheet().retired_ids());
        fact(ui, "Retired", &retired)
            .on_hover_text(format!("Ids of frames that are gone, never given again: {retired}"));
    });
}

/// Who uses the selected frame, or the sheet while none is selected.
pub(super) fn users(
    ui: &mut Ui,
    session: &Session,
    document: &Document,
    asset: Option<&Asset>,
    actions: &mut Vec<Action>,
) {
    let Some(asset) = asset else { return };
    let frame = single(document).map(|(_, frame)| frame.guid(asset.guid));
    let is_meant = |used: &&Use| frame.is_none() || used.frame == frame;
    let users: Vec<&Use> = session.uses_of_sheet(asset.guid).iter().filter(is_meant).collect();
    let what = if frame.is_some() { "frame" } else { "sheet" };
    let words = match users.len() {
        0 => format!("No scene uses this {what}"),
        count => format!("Used at {}", widgets::count_text(count, "place")),
    };
    let title = RichText::new(words).small().strong().color(theme::palette(ui).weak_text);
    CollapsingHeader::new(title).id_salt("used by").show_unindented(ui, |ui| {
        for used in users.iter().take(MOST_USERS) {
            let link = ui.link(used.words()).on_hover_text(format!("Go there: {}", used.scene));
            if link.clicked() {
                actions.push(Action::OpenScene(used.scene.clone()));
                let object = used.object.map(ObjectKey);
                actions.extend(object.map(|key| Action::SelectObject(key, SelectMode::Replace)));
            }
        }
        if users.len() > MOST_USERS {
            weak(ui, &format!("and at {} more", users.len() - MOST_USERS));
        }
    });
}

/// "4, 7 to 9 and 3 more", or "none".
fn ids_in_words(runs: &[RangeInclusive<u32>]) -> String {
    let run = |run: &RangeInclusive<u32>| match (run.start(), run.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first} to {last}"),
    };
    let told: Vec<_> = runs.iter().take(MOST_RUNS).map(run).collect();
    let count = |run: &RangeInclusive<u32>| u64::from(run.end() - run.start()) + 1;
    match runs.iter().skip(MOST_RUNS).map(count).sum::<u64>() {
        0 if told.is_empty() => "none".to_owned(),
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retired_ids_are_told_in_runs_and_very_many_are_counted() {
        assert_eq!(ids_in_words(&[]), "none");
        assert_eq!(ids_in_words(&[4..=4, 7..=9]), "4, 7 to 9");
        let many: Vec<_> = (0..10).map(|run| run * 10..=run * 10 + 2).collect();
        let words = ids_in_words(&many);
        assert!(words.starts_with("0 to 2, 10 to 12,") && words.ends_with("70 to 72 and 6 more"), "{words}");
    }
}
