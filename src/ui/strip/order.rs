//! Says once that references follow the picture, after frames were put in another order for the first time.

use std::collections::HashSet;
use std::sync::Arc;

use crate::geometry::PixelRect;
use crate::model::{Frame, FrameId};
use crate::session::Document;

/// What is said.
const HINT: &str = "References follow the picture (ids stay)";
const LEFT_GRID: &str = "Order differs from the grid, stored as atlas";
const BOTH: &str = "Order differs from the grid, stored as atlas. References follow the picture (ids stay)";

/// Watches the order of the current sheet's frames.
#[derive(Default)]
pub(super) struct OrderHint {
    sheet: Option<Arc<str>>,
    frames: Arc<[Frame]>,
    was_grid: bool,
    /// Whether the order of a grid was changed last, which no grid says.
    left_grid: bool,
    shown: Shown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Shown {
    #[default]
    NotYet,
    Now,
    Done,
}

impl OrderHint {
    /// What is to be read now.
    pub(super) fn words(&self) -> Option<&'static str> {
        match (self.left_grid, self.shown) {
            (true, Shown::Now) => Some(BOTH),
            (true, Shown::NotYet | Shown::Done) => Some(LEFT_GRID),
            (false, Shown::Now) => Some(HINT),
            (false, Shown::NotYet | Shown::Done) => None,
        }
    }

    /// Looks at the order: the first change of it shows the hint, until the frames change again.
    pub(super) fn follow(&mut self, document: &Document) {
        let frames = &document.sheet().frames;
        if Arc::ptr_eq(&self.frames, frames) {
            return;
        }
        let is_same_sheet = self.sheet.as_ref() == Some(&document.path);
        let is_grid = document.sheet().grids().is_some();
        self.left_grid = is_same_sheet && self.was_grid && !is_grid && is_reordered(&self.frames, frames);
        self.was_grid = is_grid;
        self.shown = match self.shown {
            Shown::NotYet if is_same_sheet && is_reordered(&self.frames, frames) => Shown::Now,
            Shown::NotYet => Shown::NotYet,
            Shown::Now | Shown::Done => Shown::Done,
        };
        self.sheet = Some(document.path.clone());
        self.frames = frames.clone();
    }
}

/// Whether the same frames, each where it was in the image, stand in another order.
fn is_reordered(before: &[Frame], after: &[Frame]) -> bool {
    let is_elsewhere = |(one, other): (&Frame, &Frame)| one.id != other.id;
    if before.len() != after.len() || !before.iter().zip(after).any(is_elsewhere) {
        return false;
    }
    let there: HashSet<(FrameId, PixelRect)> =
        before.iter().map(|frame| (frame.id, frame.rect_in_image)).collect();
    after.iter().all(|frame| there.contains(&(frame.id, frame.rect_in_image)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PixelRect;

    fn frames(ids: &[u32]) -> Vec<Frame> {
        ids.iter().map(|id| Frame::new(FrameId(*id), PixelRect::new(0, 0, 8, 8))).collect()
    }

    #[test]
    fn only_another_order_of_the_same_frames_counts() {
        assert!(is_reordered(&frames(&[0, 1, 2]), &frames(&[1, 0, 2])));
        assert!(!is_reordered(&frames(&[0, 1, 2]), &frames(&[0, 1, 2])));
        assert!(!is_reordered(&frames(&[0, 1, 2]), &frames(&[0, 2])));
        assert!(!is_reordered(&frames(&[0, 1, 2]), &frames(&[0, 1, 3])));
    }
}
