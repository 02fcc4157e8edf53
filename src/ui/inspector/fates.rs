//! The table of what a cut does with the frames there are: each as it is and as it would be, and who uses it.

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui;
use egui::{Align, Color32, Layout, Role, Sense, Ui, WidgetInfo, vec2};
use egui_extras::{Column, TableBuilder, TableRow};

use super::reslice::Paint;
use super::runs::row_words;
use crate::edit;
use crate::geometry::PixelRect;
use crate::model::{Frame, FrameId};
use crate::ui::canvas::frame_label;
use crate::ui::strip::thumbnail;
use crate::ui::theme::{self, INSIDE, ROW_HEIGHT};

/// Height of a row with pictures.
const HEIGHT: f32 = 40.0;
/// Rows that are seen at once.
const MOST_ROWS: usize = 8;
/// Width of the table.
pub(super) const WIDTH: f32 = 600.0;

/// What becomes of a frame. The first kinds come first in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Moved,
    Lost,
    New,
    Renamed,
    Kept,
}

impl Fate {
    const fn text(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Lost => "lost",
            Self::New => "new",
            Self::Renamed => "renamed",
            Self::Kept => "kept",
        }
    }

    /// Whether what refers to the frame shows other pixels afterwards, or none.
    const fn is_other_picture(self) -> bool {
        matches!(self, Self::Moved | Self::Lost)
    }
}

/// A frame at one of the two times.
#[derive(Debug, Clone, PartialEq, Eq)]
struct At {
    position: usize,
    name: Arc<str>,
    rect_in_image: PixelRect,
}

/// A frame with its fate. It is there before or after, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    fate: Fate,
    before: Option<At>,
    after: Option<At>,
    /// Scenes use it, or may: it has a name, or a GUID that another tool gave it.
    is_in_use: bool,
    /// The places of scenes that use it, in words; empty without any.
    users: String,
}

/// What becomes of all frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fates {
    rows: Vec<Row>,
    /// "48 kept, 3 new".
    pub(super) words: String,
    /// Frames in use that move or are lost.
    pub(super) affected: usize,
}

impl Fates {
    /// What becomes of the frames of `before` in `after`; `users` tells who uses one, or nothing.
    pub(super) fn of(before: &[Frame], after: &[Frame], users: &dyn Fn(&Frame) -> String) -> Self {
        let difference = edit::difference(before, after);
        let (old, new) = (by_id(before), by_id(after));
        let row = |fate: Fate, id: FrameId| {
            let (was, is) = (old.get(&id), new.get(&id));
            let users = was.map(|(_, frame)| users(frame)).unwrap_or_default();
            let is_in_use =
                was.is_some_and(|(_, frame)| !frame.name.is_empty() || frame.foreign_guid.is_some());
            let at = |(position, frame): &(usize, &Frame)| At {
                position: *position,
                name: frame.name.clone(),
                rect_in_image: frame.rect_in_image,
            };
            let is_in_use = is_in_use || !users.is_empty();
            Row { fate, before: was.map(at), after: is.map(at), is_in_use, users }
        };
        let kinds = [
            (Fate::Moved, &difference.moved),
            (Fate::Lost, &difference.lost),
            (Fate::New, &difference.added),
            (Fate::Renamed, &difference.renamed),
            (Fate::Kept, &difference.kept),
        ];
        let mut rows: Vec<Row> =
            kinds.iter().flat_map(|(fate, ids)| ids.iter().map(|id| row(*fate, *id))).collect();
        let is_affected = |row: &Row| row.is_in_use && row.fate.is_other_picture();
        // What the question is about comes first.
        rows.sort_by_key(|row| (!is_affected(row), row.fate));
        let affected = rows.iter().filter(|row| is_affected(row)).count();
        Self { rows, words: difference.words(), affected }
    }

    /// The table. `paint` draws a part of the image, in image pixels, in the middle of a room.
    pub(super) fn ui(&self, ui: &mut Ui, paint: &mut Paint<'_>) {
        let height = HEIGHT * (self.rows.len().min(MOST_ROWS) as f32);
        TableBuilder::new(ui)
            .id_salt("fates of frames")
            .striped(true)
            .cell_layout(Layout::left_to_right(Align::Center))
            .max_scroll_height(height)
            .column(Column::exact(56.0))
            .column(Column::exact(thumbnail::change_width(HEIGHT) + INSIDE))
            .column(Column::remainder().clip(true))
            .column(Column::exact(72.0))
            .column(Column::exact(184.0).clip(true))
            .header(ROW_HEIGHT, |mut row| {
                for text in ["Frame", "Shows", "Name", "", "Used by"] {
                    row.col(|ui| row_words(ui, text, theme::palette(ui).weak_text));
                }
            })
            .body(|body| {
                body.rows(HEIGHT, self.rows.len(), |mut row| self.rows[row.index()].ui(&mut row, paint));
            });
    }
}

impl Row {
    fn ui(&self, row: &mut TableRow<'_, '_>, paint: &mut Paint<'_>) {
        let Some(shown) = self.before.as_ref().or(self.after.as_ref()) else { return };
        row.col(|ui| row_words(ui, &shown.position.to_string(), theme::palette(ui).text));
        row.col(|ui| self.pictures(ui, paint));
        let name = match (&self.before, &self.after) {
            (Some(before), Some(after)) if before.name != after.name => {
                &format!("{} → {}", before.name, after.name)
            }
            _ => &*shown.name,
        };
        row.col(|ui| row_words(ui, name, theme::palette(ui).text));
        row.col(|ui| row_words(ui, self.fate.text(), self.color(ui)));
        row.col(|ui| row_words(ui, &self.users, theme::palette(ui).text));
    }

    fn color(&self, ui: &Ui) -> Color32 {
        let palette = theme::palette(ui);
        match self.fate {
            Fate::Moved | Fate::Lost if self.is_in_use => palette.warning,
            Fate::Kept => palette.weak_text,
            _ => palette.text,
        }
    }

    /// What the frame shows now, and what it would show.
    fn pictures(&self, ui: &mut Ui, paint: &mut Paint<'_>) {
        let size = vec2(thumbnail::change_width(HEIGHT), HEIGHT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let text = self.told();
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
        response.on_hover_text(&text);
        let painter = ui.painter_at(ui.clip_rect());
        let [before, after] = thumbnail::paint_change(&painter, rect);
        for (at, room) in [(&self.before, before), (&self.after, after)] {
            match at {
                Some(at) => paint(&painter, at.rect_in_image, room),
                None => thumbnail::paint_nothing(&painter, room),
            }
        }
    }

    /// "Frame 4 walk moves from 0, 16 (16 × 16) to 64, 0 (32 × 32)".
    fn told(&self) -> String {
        let place = |rect: PixelRect| {
            let PixelRect { x, y, width, height } = rect;
            format!("{x}, {y} ({width} × {height})")
        };
        let label = |at: &At| frame_label("Frame", at.position, &at.name);
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if before.rect_in_image != after.rect_in_image => {
                let [from, to] = [before, after].map(|at| place(at.rect_in_image));
                format!("{} moves from {from} to {to}", label(before))
            }
            (Some(before), Some(_)) => format!("{} stays at {}", label(before), place(before.rect_in_image)),
            (Some(before), None) => format!("{} at {} is lost", label(before), place(before.rect_in_image)),
            (None, Some(after)) => format!("{} at {} is new", label(after), place(after.rect_in_image)),
            (None, None) => String::new(),
        }
    }
}

fn by_id(frames: &[Frame]) -> HashMap<FrameId, (usize, &Frame)> {
    frames.iter().enumerate().map(|(position, frame)| (frame.id, (position, frame))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(id: u32, x: i32, name: &str) -> Frame {
        Frame { name: name.into(), ..Frame::new(FrameId(id), PixelRect::new(x, 0, 16, 16)) }
    }

    fn fates(before: &[Frame], after: &[Frame], used: u32) -> Fates {
        let users = |frame: &Frame| match frame.id {
            FrameId(id) if id == used => "Hero in level.scene".to_owned(),
            _ => String::new(),
        };
        Fates::of(before, after, &users)
    }

    #[test]
    fn every_frame_has_its_fate_and_those_in_use_that_change_come_first() {
        let before =
            [frame(1, 0, ""), frame(2, 16, ""), frame(3, 32, "run"), frame(4, 48, ""), frame(5, 64, "")];
        let after =
            [frame(1, 0, ""), frame(2, 20, ""), frame(3, 36, "run"), frame(4, 48, "jump"), frame(6, 80, "")];
        let found = fates(&before, &after, 5);
        let told: Vec<_> = found.rows.iter().map(Row::told).collect();
        let expected = [
            "Frame 2 run moves from 32, 0 (16 × 16) to 36, 0 (16 × 16)",
            "Frame 4 at 64, 0 (16 × 16) is lost",
            "Frame 1 moves from 16, 0 (16 × 16) to 20, 0 (16 × 16)",
            "Frame 4 at 80, 0 (16 × 16) is new",
            "Frame 3 stays at 48, 0 (16 × 16)",
            "Frame 0 stays at 0, 0 (16 × 16)",
        ];
        assert_eq!(told, expected);
        assert_eq!(found.affected, 2, "one has a name, the other is used");
        assert_eq!(found.rows[1].users, "Hero in level.scene");
        assert_eq!(found.words, "1 kept, 2 moved, 1 new, 1 lost, 1 renamed");
    }

    #[test]
    fn a_used_frame_that_stays_is_not_asked_about() {
        let before = [frame(1, 0, "walk"), frame(2, 16, "")];
        let after = [frame(1, 0, "walk"), frame(2, 16, ""), frame(3, 32, "")];
        assert_eq!(fates(&before, &after, 2).affected, 0);
        assert_eq!(fates(&before, &[], 2).affected, 2);
    }
}
