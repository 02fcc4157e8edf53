//! What no scene of the project uses: sheets, and frames of sheets that are used.

use std::sync::Arc;

use eframe::egui;
use egui::{Button, ScrollArea, Ui, vec2};

use super::{Stage, dialogs, parts};
use crate::session::{Action, Session};
use crate::ui::theme::{BETWEEN, ROW_HEIGHT};
use crate::ui::widgets;

const WIDTH: f32 = 460.0;
const HEIGHT: f32 = 320.0;

/// A sheet with something that nobody uses.
struct Row {
    path: Arc<str>,
    words: String,
}

/// The window; whether it is done.
pub(super) fn ui(ui: &Ui, stage: &mut Stage<'_>) -> bool {
    let (sheets, frames) = rows(stage.session);
    let shown = dialogs::modal("what nobody uses", ui).show(ui, |ui| {
        dialogs::set_width(ui, WIDTH);
        dialogs::title(ui, "Unused sheets and frames");
        let has_scenes = stage.session.project().is_some_and(|open| open.registry.referrers().len() > 0);
        if !has_scenes {
            parts::explanation(ui, "The project has no scenes, so nothing is used by any.");
        }
        let mut picked = None;
        ScrollArea::vertical().max_height(HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
            for (title, rows) in [
                (format!("{} that no scene uses", widgets::count_text(sheets.len(), "sheet")), &sheets),
                (
                    format!("{} of which some frames are unused", widgets::count_text(frames.len(), "sheet")),
                    &frames,
                ),
            ] {
                widgets::section_title(ui, &title);
                for Row { path, words } in rows {
                    let button = Button::selectable(false, words.as_str()).truncate();
                    let button = button.min_size(vec2(ui.available_width(), ROW_HEIGHT));
                    if ui.add(button).on_hover_text(format!("Open {path}")).clicked() {
                        picked = Some(path.clone());
                    }
                }
            }
        });
        ui.add_space(BETWEEN);
        let is_closed = ui.button("Close").on_hover_text("Close (Esc)").clicked();
        (picked, is_closed)
    });
    let (picked, is_closed) = &shown.inner;
    let has_picked = picked.is_some();
    stage.actions.extend(picked.clone().map(Action::ShowSheet));
    has_picked || *is_closed || shown.should_close()
}

/// Sheets that nobody uses, and used ones with frames that nobody uses.
fn rows(session: &Session) -> (Vec<Row>, Vec<Row>) {
    let (mut sheets, mut frames) = (Vec::new(), Vec::new());
    let Some(open) = session.project() else { return (sheets, frames) };
    let root = open.project.assets_prefix();
    for asset in open.registry.assets() {
        let path = asset.path.clone();
        let short = path.strip_prefix(root).unwrap_or(&path).to_owned();
        let uses = session.uses_of_sheet(asset.guid);
        if uses.is_empty() {
            let words = format!("{short}, {}", widgets::count_text(asset.frames.len(), "frame"));
            sheets.push(Row { path, words });
        } else if uses.iter().all(|used| used.frame.is_some()) {
            let unused: Vec<String> = asset
                .frames
                .iter()
                .filter(|frame| session.use_count(frame.guid) == 0)
                .map(
                    |frame| {
                        if frame.name.is_empty() { frame.index.to_string() } else { frame.name.to_string() }
                    },
                )
                .collect();
            if !unused.is_empty() {
                let words =
                    format!("{short}, {} of {}: {}", unused.len(), asset.frames.len(), unused.join(", "));
                frames.push(Row { path, words });
            }
        }
    }
    (sheets, frames)
}
