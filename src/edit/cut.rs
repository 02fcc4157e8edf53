//! Frames laid anew by a recipe: which old frames the new ones are, and what is lost.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{EditError, MergeKey};
use crate::geometry::{PixelRect, Size};
use crate::model::{Frame, FrameId, Leftover, Recipe, Run, Sheet};
use crate::slicing::{self, MAX_FRAMES, grid, reslice};

/// What becomes of the frames that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reslice {
    /// A new frame takes over the id of the old one that it covers most.
    #[default]
    KeepByOverlap,
    /// Old frames stay as they are; new ones come behind them where they overlap none of these.
    KeepAndAdd,
    /// All old ids are retired.
    ReplaceAll,
}

impl Reslice {
    /// All modes, the default first.
    pub const ALL: [Self; 3] = [Self::KeepByOverlap, Self::KeepAndAdd, Self::ReplaceAll];

    /// Its name.
    pub const fn text(self) -> &'static str {
        match self {
            Self::KeepByOverlap => "Keep by overlap",
            Self::KeepAndAdd => "Keep and add",
            Self::ReplaceAll => "Replace all",
        }
    }
}

/// Frames laid anew: what the recipe gives on this image, which only those with its pixels know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// How the rectangles came about; `None` for frames that were laid out by hand elsewhere.
    pub recipe: Option<Recipe>,
    /// Rectangles in image pixels, in their order.
    pub rects: Arc<[PixelRect]>,
    /// Names of the frames, empty or one for each rectangle; a carried name gives way only to one that says something.
    pub names: Arc<[Arc<str>]>,
    /// What becomes of the frames that are there.
    pub mode: Reslice,
}

impl Cut {
    /// All cells of one grid; why there are none.
    pub fn grid(run: Run, image: Size) -> Result<Self, EditError> {
        if let Some(why) = grid_fault(&run, image) {
            return Err(EditError::Grid(why));
        }
        let rects = slicing::cells(&run, Leftover::Drop, image);
        Ok(Self::new(Recipe::grid(run), rects))
    }

    /// Rectangles by a recipe; ids follow the picture.
    pub fn new(recipe: impl Into<Option<Recipe>>, rects: Vec<PixelRect>) -> Self {
        Self { recipe: recipe.into(), rects: rects.into(), names: [].into(), mode: Reslice::default() }
    }

    pub(super) fn label(&self) -> String {
        match &self.recipe {
            None => format!("Cut {} frames", self.rects.len()),
            Some(Recipe::Automatic(_)) => format!("Automatic, {} frames", self.rects.len()),
            Some(Recipe::Grids(grids)) => match grids.runs.as_slice() {
                [run] => format!("Grid {}", run.words()),
                runs => format!("{} grids", runs.len()),
            },
        }
    }

    pub(super) fn merge_key(&self) -> Option<MergeKey> {
        Some(match self.recipe.as_ref()? {
            Recipe::Grids(_) => MergeKey::Grid,
            Recipe::Automatic(_) => MergeKey::Automatic,
        })
    }

    pub(super) fn apply(&self, base: &Sheet, current: &Sheet, image: Size) -> Result<Sheet, EditError> {
        if let Some(outside) = self.rects.iter().find(|rect| !rect.is_inside(image)) {
            return Err(EditError::Outside(*outside, image));
        }
        let old: &[Frame] = if self.mode == Reslice::ReplaceAll { &[] } else { &base.frames };
        let (mut frames, next_frame_id) = match self.mode {
            Reslice::KeepAndAdd => kept_and_added(old, &self.rects, base.first_free_id()),
            _ => reslice::carry_ids(old, &self.rects, base.first_free_id()),
        };
        if frames.len() > MAX_FRAMES {
            return Err(EditError::TooManyFrames(frames.len()));
        }
        if self.names.len() == frames.len() {
            for (frame, name) in frames.iter_mut().zip(&*self.names).filter(|(_, name)| !name.is_empty()) {
                frame.name = name.clone();
            }
        }
        let is_by_recipe = frames.len() == self.rects.len();
        Ok(Sheet {
            frames: frames.into(),
            recipe: self.recipe.clone().filter(|_| is_by_recipe).map(Arc::new),
            next_frame_id,
            ..current.clone()
        })
    }
}

fn kept_and_added(old: &[Frame], rects: &[PixelRect], next_id: u32) -> (Vec<Frame>, u32) {
    let mut frames = old.to_vec();
    let mut next = next_id;
    let overlaps = reslice::overlaps_any(old, rects);
    for (rect, _) in rects.iter().zip(overlaps).filter(|(_, overlaps)| !overlaps) {
        frames.push(Frame::new(FrameId(next), *rect));
        next = next.saturating_add(1);
    }
    (frames, next)
}

/// What a change of the frames does to those that were there, as positions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// Ids with the same rectangle and name before and after.
    pub kept: Vec<FrameId>,
    /// Ids with another rectangle.
    pub moved: Vec<FrameId>,
    /// Ids that were not there before.
    pub added: Vec<FrameId>,
    /// Ids that are not there any more.
    pub lost: Vec<FrameId>,
    /// Ids with the same rectangle, but another name.
    pub renamed: Vec<FrameId>,
}

impl Difference {
    /// "48 kept, 3 new", with what moved, was lost or has another name when there is any.
    pub fn words(&self) -> String {
        let parts = [
            (self.kept.len(), "kept"),
            (self.moved.len(), "moved"),
            (self.added.len(), "new"),
            (self.lost.len(), "lost"),
            (self.renamed.len(), "renamed"),
        ];
        let said = parts.iter().filter(|(count, _)| *count > 0);
        let said: Vec<_> = said.map(|(count, word)| format!("{count} {word}")).collect();
        if said.is_empty() { "no frames".into() } else { said.join(", ") }
    }
}

/// What became of the frames of `before` in `after`.
pub fn difference(before: &[Frame], after: &[Frame]) -> Difference {
    let old: HashMap<FrameId, &Frame> = before.iter().map(|frame| (frame.id, frame)).collect();
    let new: HashSet<FrameId> = after.iter().map(|frame| frame.id).collect();
    let mut found = Difference::default();
    for frame in after {
        let place = match old.get(&frame.id) {
            None => &mut found.added,
            Some(old) if old.rect_in_image != frame.rect_in_image => &mut found.moved,
            Some(old) if old.name != frame.name => &mut found.renamed,
            Some(_) => &mut found.kept,
        };
        place.push(frame.id);
    }
    found.lost = before.iter().map(|frame| frame.id).filter(|id| !new.contains(id)).collect();
    found
}

/// Why a grid gives no frames on an image of that size, or more than a texture holds.
pub fn grid_fault(run: &Run, image: Size) -> Option<String> {
    let Size { width, height } = run.cell;
    if width == 0 || height == 0 {
        return Some("The cell needs a width and a height of at least 1".into());
    }
    if width > image.width {
        return Some(format!("The cell is wider than the image: {width} of {} px", image.width));
    }
    if height > image.height {
        return Some(format!("The cell is taller than the image: {height} of {} px", image.height));
    }
    let (columns, rows) = grid::columns_and_rows(run, image);
    if columns == 0 || rows == 0 {
        return Some("No whole cell fits: make the offset or the cell smaller".into());
    }
    let all = u64::from(columns) * u64::from(rows);
    let count = all.saturating_sub(run.start.into()).min(run.count.map_or(u64::MAX, u64::from));
    if count == 0 {
        return Some(format!("The run begins behind the last of {all} cells: start it earlier"));
    }
    (count > MAX_FRAMES as u64)
        .then(|| format!("{count} frames: a texture holds at most {MAX_FRAMES}, make the cell larger"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: Size = Size::new(64, 32);

    fn sliced(cell: u32) -> Sheet {
        let none = Sheet::default();
        Cut::grid(Run::of_cell(Size::new(cell, cell)), IMAGE).unwrap().apply(&none, &none, IMAGE).unwrap()
    }

    fn ids(sheet: &Sheet) -> Vec<u32> {
        sheet.frames.iter().map(|frame| frame.id.0).collect()
    }

    fn recut(sheet: &Sheet, cell: u32, mode: Reslice) -> Sheet {
        let cut = Cut { mode, ..Cut::grid(Run::of_cell(Size::new(cell, cell)), IMAGE).unwrap() };
        cut.apply(sheet, sheet, IMAGE).unwrap()
    }

    #[test]
    fn cells_that_do_not_fit_are_refused_in_words() {
        let fault = |width, height, image| grid_fault(&Run::of_cell(Size::new(width, height)), image);
        let strip = Size::new(64, 16);
        assert_eq!(fault(16, 32, strip).unwrap(), "The cell is taller than the image: 32 of 16 px");
        assert_eq!(fault(65, 16, strip).unwrap(), "The cell is wider than the image: 65 of 64 px");
        assert_eq!(fault(64, 16, strip), None);
    }

    #[test]
    fn more_frames_than_a_texture_counts_are_refused_and_as_many_are_not() {
        let (most, too_many) = (Size::new(257, 255), Size::new(256, 256));
        let none = Sheet::default();
        let dots = |image| Cut::grid(Run::of_cell(Size::new(1, 1)), image)?.apply(&none, &none, image);
        assert_eq!(dots(most).unwrap().frames.len(), 65_535);
        let words = dots(too_many).unwrap_err().to_string();
        assert!(words.starts_with("65536 frames: a texture holds at most 65535"), "{words}");
        // Rectangles that were found by ink are counted as well.
        let found = Cut::new(None, vec![PixelRect::new(0, 0, 1, 1); 65_536]);
        assert_eq!(found.apply(&none, &none, too_many), Err(EditError::TooManyFrames(65_536)));
    }

    #[test]
    fn keeping_by_overlap_hands_each_id_to_the_cell_that_covers_most_of_its_frame() {
        // Of four quarters that cover the same the first counts: 0 is at 0, 0 and 1 at 32, 0.
        assert_eq!(ids(&recut(&sliced(32), 16, Reslice::KeepByOverlap)), [0, 2, 1, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn replacing_all_retires_every_old_id() {
        let again = recut(&sliced(32), 32, Reslice::ReplaceAll);
        assert_eq!(ids(&again), [2, 3]);
    }

    #[test]
    fn adding_keeps_old_frames_and_takes_what_overlaps_none() {
        let mut sheet = sliced(32);
        sheet.frames = sheet.frames[..1].to_vec().into();
        let again = recut(&sheet, 16, Reslice::KeepAndAdd);
        assert_eq!(ids(&again), [0, 2, 3, 4, 5], "four cells of 16 fit beside the frame of 32");
        assert_eq!(again.frames[0].rect_in_image, PixelRect::new(0, 0, 32, 32));
        assert_eq!(again.frames[1].rect_in_image, PixelRect::new(32, 0, 16, 16));
        assert!(again.recipe.is_none(), "no grid gives such frames");
    }

    #[test]
    fn the_difference_counts_what_became_of_each_id() {
        let before = sliced(32);
        let after = recut(&before, 16, Reslice::KeepByOverlap);
        let found = difference(&before.frames, &after.frames);
        assert_eq!(found.words(), "2 moved, 6 new");
        assert_eq!(difference(&after.frames, &before.frames).words(), "2 moved, 6 lost");
        assert_eq!(difference(&[], &[]).words(), "no frames");
    }

    #[test]
    fn names_given_with_the_rectangles_are_taken_where_they_say_something() {
        let sheet = sliced(32);
        let cut =
            Cut { names: ["a".into(), "".into()].into(), ..Cut::new(Recipe::grid(Run::default()), vec![]) };
        let cut = Cut { rects: sheet.frames.iter().map(|frame| frame.rect_in_image).collect(), ..cut };
        let mut named = sheet.clone();
        named.frames = named.frames.iter().map(|frame| Frame { name: "b".into(), ..frame.clone() }).collect();
        let after = cut.apply(&named, &named, IMAGE).unwrap();
        assert_eq!(after.frames.iter().map(|frame| &*frame.name).collect::<Vec<_>>(), ["a", "b"]);
    }
}
