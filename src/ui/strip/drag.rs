//! Thumbnails that are dragged to another place in the row: where they would go, what shows that, and the edit.

use eframe::egui;
use egui::{
    Align2, CursorIcon, Id, LayerId, Order, Pos2, Rect, Stroke, StrokeKind, TextStyle, Ui, Vec2, pos2, vec2,
};

use super::row::Place;
use super::thumbnail;
use crate::edit::Edit;
use crate::model::FrameId;
use crate::session::{Action, Document, Session};
use crate::ui::canvas::{Canvas, Frames};
use crate::ui::theme;

/// The strip scrolls when the pointer is so near to one of its ends.
const EDGE: f32 = 40.0;
/// At an end, in points per second.
const SPEED: f32 = 900.0;
/// So far above or below the strip a release still means it.
const REACH: f32 = 40.0;
/// Side of a thumbnail under the pointer.
const GHOST_SIDE: f32 = 48.0;
/// From one thumbnail under the pointer to the next.
const GHOST_STEP: f32 = 6.0;
/// More thumbnails under the pointer are only counted.
const MAX_GHOSTS: usize = 3;

/// What is being dragged.
pub(super) struct Drag {
    /// Position of the slot that was grabbed.
    pub(super) grabbed: usize,
    /// Positions of the frames that move, in order.
    positions: Vec<usize>,
    ids: Vec<FrameId>,
}

impl Drag {
    /// The drag that begins at a slot: all selected frames move with a selected one.
    pub(super) fn of(grabbed: usize, frames: &Frames) -> Self {
        let positions: Vec<usize> = if frames.is_selected(grabbed) {
            (0..frames.len()).filter(|position| frames.is_selected(*position)).collect()
        } else {
            vec![grabbed]
        };
        let ids = positions.iter().filter_map(|position| Some(frames.get(*position)?.id)).collect();
        Self { grabbed, positions, ids }
    }

    /// Whether a frame is one of those that move.
    pub(super) fn moves(&self, position: usize) -> bool {
        self.positions.binary_search(&position).is_ok()
    }

    /// Whether the frames are still where they were grabbed.
    pub(super) fn is_true_of(&self, frames: &Frames) -> bool {
        let mut parts = self.positions.iter().zip(&self.ids);
        parts.all(|(position, id)| frames.get(*position).is_some_and(|frame| frame.id == *id))
    }

    /// The gap that a release at the pointer means; `None` when that would change nothing.
    fn target(&self, place: &Place, pointer: Pos2) -> Option<usize> {
        let reach = place.view.expand2(vec2(f32::INFINITY, REACH));
        let gap = place.row.gap_at(pointer.x - place.view.left(), place.offset);
        (reach.y_range().contains(pointer.y) && changes_order(&self.positions, gap)).then_some(gap)
    }

    /// Ends it where the pointer is.
    pub(super) fn drop_at(self, place: &Place, pointer: Pos2, actions: &mut Vec<Action>) {
        if let Some(to) = self.target(place, pointer) {
            actions.push(Action::Edit(Edit::Reorder(self.ids, to)));
            actions.push(Action::Seal);
        }
    }

    /// Draws the insertion line and the thumbnails under the pointer.
    pub(super) fn paint(
        &self,
        ui: &Ui,
        place: &Place,
        pointer: Pos2,
        canvas: &mut Canvas,
        session: &Session,
        document: &Document,
    ) {
        ui.set_cursor_icon(CursorIcon::Grabbing);
        if let Some(gap) = self.target(place, pointer) {
            paint_line(ui, place, gap);
        }
        let layer = LayerId::new(Order::Tooltip, Id::unique("frames dragged in the strip"));
        let painter = ui.layer_painter(layer);
        let palette = theme::palette(ui);
        let others = self.positions.iter().filter(|position| **position != self.grabbed);
        let ghosts: Vec<usize> = std::iter::once(self.grabbed).chain(others.copied()).collect();
        let shown = ghosts.len().min(MAX_GHOSTS);
        // Beside the pointer, and not below the window's edge.
        let room = ui.content_rect().max - Vec2::splat(GHOST_SIDE + GHOST_STEP * shown as f32);
        let corner = (pointer + Vec2::splat(10.0)).min(room);
        let at = |index: usize| corner + Vec2::splat(GHOST_STEP * index as f32);
        // The grabbed one lies on top.
        for (index, position) in ghosts.iter().enumerate().take(shown).rev() {
            let rect = Rect::from_min_size(at(index), Vec2::splat(GHOST_SIDE));
            painter.rect(
                rect,
                4.0,
                palette.accent_surface,
                Stroke::new(1.0, palette.accent),
                StrokeKind::Inside,
            );
            thumbnail::paint(&painter, canvas, session, document, *position, rect.shrink(4.0));
        }
        if ghosts.len() > 1 {
            let text = format!("{} frames", ghosts.len());
            let font = TextStyle::Small.resolve(ui.style());
            let galley = painter.layout_no_wrap(text, font, palette.on_plate);
            let corner = at(shown - 1) + vec2(0.0, GHOST_SIDE + 2.0);
            let plate = Rect::from_min_size(corner, galley.size() + vec2(8.0, 4.0));
            painter.rect_filled(plate, 3.0, palette.plate);
            let text_at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), plate).min;
            painter.galley(text_at, galley, palette.on_plate);
        }
    }
}

/// Where to scroll to while the pointer is near an end of the strip.
pub(super) fn scrolled(ui: &Ui, place: &Place, pointer: Pos2) -> Option<f32> {
    let seconds = ui.input(|input| input.stable_dt).min(0.1);
    let by = speed(place.view, pointer.x) * seconds;
    let offset = place.row.clamped(place.offset + by, place.view.width());
    (offset != place.offset).then_some(offset)
}

/// Points per second, to the left below zero.
fn speed(view: Rect, x: f32) -> f32 {
    let near = |distance: f32| ((EDGE - distance) / EDGE).clamp(0.0, 1.0);
    SPEED * (near(view.right() - x) - near(x - view.left()))
}

fn paint_line(ui: &Ui, place: &Place, gap: usize) {
    let Place { row, view, offset } = *place;
    let x = ui.painter().round_to_pixel_center(view.left() + row.left(gap, offset));
    let x = x.clamp(view.left() + 1.0, view.right() - 1.0);
    let painter = ui.painter_at(view);
    let line = Rect::from_min_max(pos2(x - 1.0, view.top()), pos2(x + 1.0, view.top() + row.slot.y));
    painter.rect_filled(line, 1.0, theme::palette(ui).accent);
}

/// Whether frames at these positions stand elsewhere after they were put into a gap.
fn changes_order(positions: &[usize], gap: usize) -> bool {
    let (Some(first), Some(last)) = (positions.first(), positions.last()) else { return false };
    let is_block = last - first + 1 == positions.len();
    !(is_block && (*first..=last + 1).contains(&gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_onto_themselves_changes_nothing() {
        assert!(!changes_order(&[2, 3], 2) && !changes_order(&[2, 3], 3) && !changes_order(&[2, 3], 4));
        assert!(changes_order(&[2, 3], 1) && changes_order(&[2, 3], 5));
        assert!(changes_order(&[2, 4], 3), "they are brought together");
        assert!(!changes_order(&[], 3));
    }

    #[test]
    fn the_strip_scrolls_near_its_ends_only() {
        let view = Rect::from_min_size(pos2(100.0, 0.0), vec2(400.0, 80.0));
        assert_eq!(speed(view, 300.0), 0.0);
        assert_eq!(speed(view, 480.0), SPEED / 2.0);
        assert_eq!(speed(view, 700.0), SPEED);
        assert_eq!(speed(view, 100.0), -SPEED);
    }
}
