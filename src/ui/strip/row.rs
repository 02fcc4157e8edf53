//! The measures of a row of equal slots. Reckoned in 64 bits where it counts: the row may be millions of points long.

use std::ops::Range;

use eframe::egui;
use egui::{Rect, Vec2, pos2, vec2};

use super::thumbnail::fitted_size;
use crate::geometry::PixelRect;
use crate::ui::canvas::Frames;

/// Height of the line below a thumbnail.
pub(super) const CAPTION_HEIGHT: f32 = 16.0;
/// Around a thumbnail within its slot.
pub(super) const PADDING: f32 = 3.0;
/// Slots are no narrower, so that their captions can be read.
const MIN_SLOT: f32 = 36.0;
/// No narrower when frames have names.
const MIN_NAMED_SLOT: f32 = 64.0;

/// A row of slots, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Row {
    pub(super) slot: Vec2,
    pub(super) count: usize,
}

impl Row {
    /// As narrow as the frames allow: what is drawn of the largest fills its slot.
    pub(super) fn new(height: f32, frames: &Frames, pixels_per_point: f32) -> Self {
        let least = if frames.has_names() { MIN_NAMED_SLOT } else { MIN_SLOT };
        let side = (height - CAPTION_HEIGHT).max(MIN_SLOT);
        let drawn = fitted_size(
            PixelRect::of_image(frames.largest()),
            Vec2::splat(side - 2.0 * PADDING),
            pixels_per_point,
        );
        let wide = (drawn.x + 4.0 * PADDING).clamp(least, side.max(least)).round();
        Self { slot: vec2(wide, side + CAPTION_HEIGHT), count: frames.len() }
    }

    pub(super) fn width(self) -> f32 {
        (self.count as f64 * f64::from(self.slot.x)) as f32
    }

    /// Slots that show when `width` points are seen from `offset` on.
    pub(super) fn shown(self, offset: f32, width: f32) -> Range<usize> {
        let slot_at = |points: f32| (f64::from(points.max(0.0)) / f64::from(self.slot.x)) as usize;
        slot_at(offset).min(self.count)..(slot_at(offset + width) + 1).min(self.count)
    }

    /// From the left end of the view to a slot.
    pub(super) fn left(self, position: usize, offset: f32) -> f32 {
        (position as f64 * f64::from(self.slot.x) - f64::from(offset)) as f32
    }

    /// The gap that is nearest to a place in the view: 0 is before the first slot.
    pub(super) fn gap_at(self, from_left: f32, offset: f32) -> usize {
        let slots = (f64::from(offset) + f64::from(from_left)) / f64::from(self.slot.x);
        (slots.round().max(0.0) as usize).min(self.count)
    }

    /// An offset within what can be scrolled.
    pub(super) fn clamped(self, offset: f32, width: f32) -> f32 {
        offset.clamp(0.0, (self.width() - width).max(0.0))
    }

    /// The offset at which a slot shows whole: the nearest one, or one that has it in the middle when it is far off.
    pub(super) fn offset_showing(self, position: usize, offset: f32, width: f32) -> Option<f32> {
        let left = self.left(position, offset);
        let right = left + self.slot.x;
        let by = if left >= 0.0 && right <= width {
            return None;
        } else if left < -width || right > 2.0 * width {
            left + (self.slot.x - width) / 2.0
        } else if left < 0.0 {
            left
        } else {
            right - width
        };
        Some(self.clamped(offset + by, width))
    }
}

/// A row where it is on the screen, scrolled by some points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) row: Row,
    /// Where the strip shows, in points of the window.
    pub(super) view: Rect,
    pub(super) offset: f32,
}

impl Place {
    /// Where a slot is.
    pub(super) fn slot(&self, position: usize) -> Rect {
        let left = self.view.left() + self.row.left(position, self.offset);
        Rect::from_min_size(pos2(left, self.view.top()), self.row.slot)
    }

    /// Where the caption of a slot is, if all of it shows.
    pub(super) fn caption(&self, position: usize) -> Option<Rect> {
        let slot = self.slot(position);
        let is_shown = slot.left() >= self.view.left() - 1.0 && slot.right() <= self.view.right() + 1.0;
        let top_left = pos2(slot.left(), slot.bottom() - CAPTION_HEIGHT);
        is_shown.then(|| Rect::from_min_max(top_left, slot.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Row = Row { slot: Vec2::new(64.0, 80.0), count: 65_535 };

    #[test]
    fn only_slots_in_view_are_drawn() {
        assert_eq!(ROW.shown(0.0, 640.0), 0..11);
        assert_eq!(ROW.shown(100.0, 640.0), 1..12);
        assert_eq!(ROW.shown(ROW.width() - 640.0, 640.0), 65_525..65_535);
        assert_eq!(Row { count: 3, ..ROW }.shown(0.0, 640.0), 0..3);
    }

    #[test]
    fn what_shows_already_is_not_scrolled_to() {
        assert_eq!(ROW.offset_showing(2, 0.0, 640.0), None);
        assert_eq!(ROW.offset_showing(10, 0.0, 640.0), Some(64.0), "just so far that it shows whole");
        assert_eq!(ROW.offset_showing(1, 100.0, 640.0), Some(64.0));
        assert_eq!(
            ROW.offset_showing(1000, 0.0, 640.0),
            Some(64_000.0 + 32.0 - 320.0),
            "far off: the middle"
        );
        assert_eq!(ROW.offset_showing(65_534, 0.0, 640.0), Some(ROW.width() - 640.0));
    }

    #[test]
    fn the_nearest_gap_is_between_two_middles() {
        assert_eq!(ROW.gap_at(31.0, 0.0), 0);
        assert_eq!(ROW.gap_at(33.0, 0.0), 1);
        assert_eq!(ROW.gap_at(0.0, 100.0), 2);
        assert_eq!(ROW.gap_at(-50.0, 0.0), 0);
        assert_eq!(Row { count: 3, ..ROW }.gap_at(500.0, 0.0), 3);
    }

    #[test]
    fn a_caption_is_where_all_of_its_slot_shows() {
        let view = Rect::from_min_size(pos2(100.0, 10.0), vec2(640.0, 80.0));
        let place = Place { row: ROW, view, offset: 32.0 };
        assert_eq!(place.caption(0), None);
        assert_eq!(place.caption(1), Some(Rect::from_min_max(pos2(132.0, 74.0), pos2(196.0, 90.0))));
        assert_eq!(place.caption(10), None);
    }
}
