//! A sheet's frames made ready for drawing and for finding the one under the pointer; made anew only when the
//! frames, the image's size or the selection are others.

use std::collections::HashMap;
use std::sync::Arc;

use crate::geometry::{PixelRect, Size};
use crate::model::{Frame, FrameId};
use crate::session::Document;

/// A sheet's frames by position, all vectors being as long as the sheet has frames.
#[derive(Default)]
pub struct Frames {
    list: Arc<[Frame]>,
    image: Size,
    rects: Vec<PixelRect>,
    flagged: Vec<bool>,
    positions: HashMap<FrameId, usize>,
    bounds: Option<PixelRect>,
    largest: Size,
    has_names: bool,
    selection: Vec<FrameId>,
    selected: Vec<bool>,
    /// Positions whose rectangle is a drag's.
    drafted: Vec<usize>,
}

impl Frames {
    /// Takes over the document's frames and selection as they are now.
    pub fn sync(&mut self, document: &Document) {
        let sheet = document.sheet();
        let is_same = Arc::ptr_eq(&self.list, &sheet.frames) && self.image == document.image_size;
        if !is_same {
            *self = Self::of(&sheet.frames, document.image_size);
        }
        if !is_same || self.selection != document.history.selection() {
            self.select(document.history.selection());
        }
    }

    fn of(frames: &Arc<[Frame]>, image: Size) -> Self {
        let rects: Vec<_> = frames.iter().map(|frame| frame.rect_in_image).collect();
        Self {
            bounds: bounds(frames.iter().filter_map(|frame| frame.drawn_rect(image))),
            largest: largest(frames.iter().filter_map(|frame| frame.drawn_rect(image))),
            flagged: frames.iter().map(|frame| frame.fault(image).is_some()).collect(),
            // A doubled id is the earlier frame's, as everywhere.
            positions: frames
                .iter()
                .enumerate()
                .rev()
                .map(|(position, frame)| (frame.id, position))
                .collect(),
            has_names: frames.iter().any(|frame| !frame.name.is_empty()),
            list: frames.clone(),
            image,
            rects,
            ..Self::default()
        }
    }

    fn select(&mut self, selection: &[FrameId]) {
        self.selected = vec![false; self.list.len()];
        for position in selection.iter().filter_map(|id| self.positions.get(id)) {
            self.selected[*position] = true;
        }
        self.selection = selection.to_vec();
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The frame at a position.
    pub fn get(&self, position: usize) -> Option<&Frame> {
        self.list.get(position)
    }

    /// Rectangles in image pixels, by position.
    pub fn rects(&self) -> &[PixelRect] {
        &self.rects
    }

    /// The part of a frame that the image has, while it is dragged the one it would get.
    pub fn drawn_rect(&self, position: usize) -> Option<PixelRect> {
        let is_unreadable = self.get(position)?.unreadable;
        self.rects.get(position).filter(|_| !is_unreadable)?.clipped_to(self.image)
    }

    /// Shows frames with the rectangles that a drag would give them; none puts all back.
    pub fn set_draft(&mut self, draft: &[(FrameId, PixelRect)]) {
        for position in std::mem::take(&mut self.drafted) {
            self.rects[position] = self.list[position].rect_in_image;
        }
        for (id, rect) in draft {
            if let Some(position) = self.positions.get(id) {
                self.rects[*position] = *rect;
                self.drafted.push(*position);
            }
        }
    }

    /// Position of the frame with that id.
    pub fn position(&self, id: FrameId) -> Option<usize> {
        self.positions.get(&id).copied()
    }

    /// Whether something is wrong with a frame's rectangle.
    pub fn is_flagged(&self, position: usize) -> bool {
        self.flagged.get(position).copied().unwrap_or(false)
    }

    /// Whether a frame is selected.
    pub fn is_selected(&self, position: usize) -> bool {
        self.selected.get(position).copied().unwrap_or(false)
    }

    /// Ids of the selected frames, as the document has them.
    pub fn selection(&self) -> &[FrameId] {
        &self.selection
    }

    /// Whether any frame has a name.
    pub fn has_names(&self) -> bool {
        self.has_names
    }

    /// What all frames cover together, within the image.
    pub fn bounds(&self) -> Option<PixelRect> {
        self.bounds
    }

    /// The largest width and the largest height of what is drawn of them, at least one pixel.
    pub fn largest(&self) -> Size {
        self.largest
    }

    /// What the selected frames cover together, within the image.
    pub fn selection_bounds(&self) -> Option<PixelRect> {
        let positions = self.selection.iter().filter_map(|id| self.position(*id));
        bounds(positions.filter_map(|position| self.drawn_rect(position)))
    }

    /// Positions of the frames that have pixels in, or a corner at, `area`, in order.
    pub fn within(&self, area: PixelRect) -> impl Iterator<Item = usize> {
        let touches = move |rect: &PixelRect| {
            i64::from(rect.x) <= area.right()
                && rect.right() >= i64::from(area.x)
                && i64::from(rect.y) <= area.bottom()
                && rect.bottom() >= i64::from(area.y)
        };
        self.rects.iter().enumerate().filter(move |(_, rect)| touches(rect)).map(|(position, _)| position)
    }

    /// Position of the frame that a pixel belongs to: of several the smallest, so that a frame within another can
    /// be had, and of those the last.
    pub fn at(&self, x: i64, y: i64) -> Option<usize> {
        let area = |rect: &PixelRect| i64::from(rect.width) * i64::from(rect.height);
        let hits = self.rects.iter().enumerate().filter(|(_, rect)| rect.contains(x, y));
        hits.rev().min_by_key(|(_, rect)| area(rect)).map(|(position, _)| position)
    }
}

fn bounds(rects: impl Iterator<Item = PixelRect>) -> Option<PixelRect> {
    rects.reduce(PixelRect::union)
}

fn largest(rects: impl Iterator<Item = PixelRect>) -> Size {
    rects.fold(Size::new(1, 1), |largest, rect| {
        Size::new(largest.width.max(rect.width as u32), largest.height.max(rect.height as u32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Sheet;
    use crate::session::document::SheetOnDisk;

    fn document(rects: &[PixelRect]) -> Document {
        let frames =
            rects.iter().enumerate().map(|(id, rect)| Frame::new(FrameId(id as u32), *rect)).collect();
        let mut document = Document::loading("assets/a.png".into(), None);
        document.take_first(SheetOnDisk {
            sheet: Sheet { frames, ..Sheet::default() },
            image_size: Size::new(64, 64),
            guid: None,
            sidecar_hash: None,
            problems: Vec::new(),
        });
        document
    }

    fn frames(rects: &[PixelRect]) -> Frames {
        let mut frames = Frames::default();
        frames.sync(&document(rects));
        frames
    }

    #[test]
    fn the_smallest_frame_under_the_pointer_is_meant_and_of_equals_the_last() {
        let inner = PixelRect::new(8, 8, 4, 4);
        let frames = frames(&[inner, PixelRect::new(0, 0, 32, 32), inner]);
        assert_eq!(frames.at(9, 9), Some(2));
        assert_eq!(frames.at(20, 20), Some(1));
        assert_eq!(frames.at(32, 20), None, "the right edge is outside");
    }

    #[test]
    fn only_frames_in_view_are_given_and_in_order() {
        let row: Vec<_> = (0..8).map(|x| PixelRect::new(x * 8, 0, 8, 8)).collect();
        let frames = frames(&row);
        let seen: Vec<_> = frames.within(PixelRect::new(17, 2, 14, 2)).collect();
        assert_eq!(seen, [2, 3]);
    }

    #[test]
    fn what_lies_outside_is_flagged_and_not_in_the_bounds() {
        let frames = frames(&[
            PixelRect::new(0, 0, 8, 8),
            PixelRect::new(60, 0, 8, 8),
            PixelRect::new(90, 0, 8, 8),
            PixelRect::new(4, 4, 0, 0),
        ]);
        let flagged: Vec<_> = (0..4).map(|position| frames.is_flagged(position)).collect();
        assert_eq!(flagged, [false, true, true, true]);
        assert_eq!(frames.bounds(), Some(PixelRect::new(0, 0, 64, 8)));
        assert_eq!(frames.largest(), Size::new(8, 8));
    }

    #[test]
    fn a_new_selection_is_taken_over() {
        let mut document = document(&[PixelRect::new(0, 0, 8, 8), PixelRect::new(8, 0, 8, 8)]);
        let mut frames = Frames::default();
        frames.sync(&document);
        document.history.select(vec![FrameId(1), FrameId(9)]);
        frames.sync(&document);
        assert!(frames.is_selected(1) && !frames.is_selected(0));
        assert_eq!(frames.selection_bounds(), Some(PixelRect::new(8, 0, 8, 8)));
    }
}
