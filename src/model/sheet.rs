//! A sheet: an image's frames, how they came about, and how the image becomes a texture.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::frame::{Frame, FrameId};
use super::problem::Code;
use super::recipe::{Grids, Recipe, Run};
use super::settings::TextureSettings;
use crate::geometry::Size;

/// What a sidecar says about an image. Cheap to copy: an undo step holds two of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    /// The frames in their order; an unsliced image has none.
    pub frames: Arc<[Frame]>,
    /// How the frames came about, while that is still true of them.
    pub recipe: Option<Arc<Recipe>>,
    /// Never at or below an id that any frame has or had.
    pub next_frame_id: u32,
    /// How the image becomes a texture.
    pub settings: Arc<TextureSettings>,
    /// The image's size when the frames were last saved.
    pub image_size_at_save: Option<Size>,
    /// Kinds of problems that nobody wants to be told of this sheet, in the order of their texts.
    pub ignored: Arc<[Code]>,
}

impl Sheet {
    /// The grids that its frames follow, if they do.
    pub fn grids(&self) -> Option<&Grids> {
        self.recipe.as_deref()?.grids()
    }

    /// The grid that its frames follow, when there is just one.
    pub fn single_run(&self) -> Option<&Run> {
        self.recipe.as_deref()?.single_run()
    }

    /// Whether the image has been cut at all.
    pub fn is_sliced(&self) -> bool {
        !self.frames.is_empty() || self.recipe.is_some()
    }

    /// The cell of a sheet that the engine's grid mode describes: a single plain run whose frames
    /// are all there, in order.
    pub fn plain_grid_cell(&self) -> Option<Size> {
        let run = self.single_run()?;
        run.is_plain().then_some(run.cell)
    }

    /// Position of the frame with that id.
    pub fn index_of(&self, id: FrameId) -> Option<usize> {
        self.frames.iter().position(|frame| frame.id == id)
    }

    /// The frame with that id.
    pub fn frame(&self, id: FrameId) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.id == id)
    }

    /// The first unused id, also after frames that were read from a file that says otherwise.
    pub fn first_free_id(&self) -> u32 {
        let after_all = self.frames.iter().map(|frame| frame.id.0.saturating_add(1)).max();
        self.next_frame_id.max(after_all.unwrap_or(0))
    }

    /// The ids that frames had which are gone, as runs from the first to the last. None of them is given again.
    pub fn retired_ids(&self) -> Vec<RangeInclusive<u32>> {
        let mut ids: Vec<u32> = self.frames.iter().map(|frame| frame.id.0).collect();
        ids.sort_unstable();
        let mut retired = Vec::new();
        let mut next = 0;
        for id in ids.into_iter().chain([self.first_free_id()]) {
            if id > next {
                retired.push(next..=id - 1);
            }
            next = id.saturating_add(1);
        }
        retired
    }

    /// Whether the ids say nothing that positions do not: then files leave them out.
    pub fn ids_are_positions(&self) -> bool {
        let count = self.frames.len();
        self.next_frame_id as usize <= count
            && self.frames.iter().enumerate().all(|(index, frame)| frame.id.0 as usize == index)
    }

    /// Positions of frames whose id an earlier frame has.
    pub fn duplicate_ids(&self) -> Vec<usize> {
        let mut seen = HashSet::with_capacity(self.frames.len());
        let frames = self.frames.iter().enumerate();
        frames.filter(|(_, frame)| !seen.insert(frame.id)).map(|(index, _)| index).collect()
    }

    /// Whether problems of that kind are to be told.
    pub fn heeds(&self, code: Code) -> bool {
        !code.can_be_ignored() || !self.ignored.contains(&code)
    }

    /// The same without being told of problems of that kind.
    #[must_use]
    pub fn ignoring(&self, code: Code) -> Self {
        let mut codes = self.ignored.to_vec();
        if let Err(place) = codes.binary_search_by_key(&code.as_str(), |code| code.as_str()) {
            codes.insert(place, code);
        }
        Self { ignored: codes.into(), ..self.clone() }
    }

    /// About how many bytes a copy in the undo history holds on to.
    pub fn memory_bytes(&self) -> usize {
        let names: usize = self.frames.iter().map(|frame| frame.name.len()).sum();
        size_of::<Self>() + self.frames.len() * size_of::<Frame>() + names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PixelRect;

    fn sheet(ids: &[u32], next_frame_id: u32) -> Sheet {
        let frames = ids.iter().map(|&id| Frame::new(FrameId(id), PixelRect::new(0, 0, 1, 1)));
        Sheet { frames: frames.collect(), next_frame_id, ..Sheet::default() }
    }

    #[test]
    fn ids_are_left_out_only_when_positions_say_the_same() {
        assert!(sheet(&[0, 1, 2], 3).ids_are_positions());
        assert!(sheet(&[0, 1, 2], 0).ids_are_positions());
        assert!(!sheet(&[0, 1, 2], 4).ids_are_positions(), "a retired id must be remembered");
        assert!(!sheet(&[0, 2, 1], 3).ids_are_positions());
    }

    #[test]
    fn a_free_id_is_above_all_ids_that_ever_were() {
        assert_eq!(sheet(&[], 0).first_free_id(), 0);
        assert_eq!(sheet(&[0, 7], 3).first_free_id(), 8);
        assert_eq!(sheet(&[0, 1], 9).first_free_id(), 9);
    }

    #[test]
    fn retired_ids_are_those_between_and_behind_the_ids_there_are() {
        assert_eq!(sheet(&[], 0).retired_ids(), []);
        assert_eq!(sheet(&[0, 1, 2], 3).retired_ids(), []);
        assert_eq!(sheet(&[], 3).retired_ids(), [0..=2]);
        assert_eq!(sheet(&[5, 1, 2, 2], 9).retired_ids(), [0..=0, 3..=4, 6..=8]);
        assert_eq!(sheet(&[u32::MAX], 0).retired_ids(), [0..=u32::MAX - 1]);
    }

    #[test]
    fn ignored_kinds_are_in_the_order_of_their_texts_and_errors_are_always_told() {
        let sheet = sheet(&[], 0).ignoring(Code::LeftoverPixels).ignoring(Code::FrameEmpty);
        let again = sheet.ignoring(Code::FrameEmpty).ignoring(Code::FrameInvalid);
        assert_eq!(&*sheet.ignored, [Code::FrameEmpty, Code::LeftoverPixels]);
        assert_eq!(again.ignored.len(), 3);
        assert!(!again.heeds(Code::FrameEmpty) && again.heeds(Code::FrameInvalid));
    }

    #[test]
    fn duplicate_ids_are_the_later_ones() {
        assert_eq!(sheet(&[4, 1, 4, 1, 2], 5).duplicate_ids(), [2, 3]);
    }
}
