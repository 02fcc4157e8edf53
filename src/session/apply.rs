//! One sheet's slicing for others of the same layout: what fits beforehand, and the same cut in each of them.

use std::sync::Arc;

use super::{Document, Session};
use crate::edit::{Cut, Edit};
use crate::geometry::{PixelRect, Size};
use crate::model::{Recipe, Sheet};
use crate::slicing::{LeftoverPixels, lay, leftover};

/// How a slicing fits another image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fit {
    /// Frames it gives there.
    pub frames: usize,
    /// Frames of the pattern that would not lie inside.
    pub outside: usize,
    /// Pixels that a grid leaves over.
    pub leftover: LeftoverPixels,
    /// Frames that the other sheet has already.
    pub replaces: usize,
}

impl Fit {
    /// Whether the pattern fits without a remainder.
    pub const fn is_exact(&self) -> bool {
        self.frames > 0 && self.outside == 0 && self.leftover.is_none()
    }
}

/// The cut of `pattern` on an image of that size, its names where the frames are as many; `None` for one without frames.
/// Cells that a run would leave out for being empty are laid: other pixels are other pixels.
fn cut_for(pattern: &Sheet, image: Size) -> Option<Cut> {
    let (recipe, rects) = if let Some(Recipe::Grids(grids)) = pattern.recipe.as_deref() {
        (Some(Recipe::Grids(grids.clone())), lay(grids, image, None).rects)
    } else {
        let rects = pattern.frames.iter().map(|frame| frame.rect_in_image);
        let inside: Vec<PixelRect> = rects.filter(|rect| rect.is_inside(image)).collect();
        (pattern.recipe.as_deref().cloned(), inside)
    };
    if rects.is_empty() {
        return None;
    }
    let names = (rects.len() == pattern.frames.len())
        .then(|| pattern.frames.iter().map(|frame| frame.name.clone()).collect::<Vec<_>>());
    Some(Cut { names: names.unwrap_or_default().into(), ..Cut::new(recipe, rects) })
}

/// How `pattern` fits an image of that size which has so many frames.
fn fit(pattern: &Sheet, image: Size, replaces: usize) -> Fit {
    let frames = cut_for(pattern, image).map_or(0, |cut| cut.rects.len());
    let is_grid = pattern.grids().is_some();
    let outside = if is_grid { 0 } else { pattern.frames.len().saturating_sub(frames) };
    let run = pattern.single_run();
    let leftover = run.map_or_else(LeftoverPixels::default, |run| leftover(run, image));
    let is_margin = run.is_some_and(|run| crate::slicing::closing_margin(run, image));
    let leftover = if is_margin { LeftoverPixels::default() } else { leftover };
    Fit { frames, outside, leftover, replaces }
}

impl Session {
    /// The other sheets of the project, with how the current sheet's slicing fits them.
    pub fn fits(&self) -> Vec<(Arc<str>, Fit)> {
        let (Some(open), Some(document)) = (self.project(), self.current()) else { return Vec::new() };
        let others = open.registry.assets().filter(|asset| asset.path != document.path);
        others
            .filter_map(|asset| {
                let image = asset.image.as_ref()?.size;
                Some((asset.path.clone(), fit(document.sheet(), image, asset.frames.len())))
            })
            .collect()
    }

    /// Cuts other sheets as the current one is. They open in tabs of their own, unsaved, each with one step to undo.
    pub(super) fn apply_to_others(&mut self, paths: &[Arc<str>]) {
        let Some(document) = self.current() else { return };
        let (pattern, back) = (document.sheet().clone(), document.path.clone());
        for path in paths {
            self.open_sheet(path);
            self.patterns.push((path.clone(), pattern.clone()));
        }
        self.open_sheet(&back);
        self.apply_patterns();
    }

    /// Cuts the sheets that wait for it and are read by now.
    pub(super) fn apply_patterns(&mut self) {
        for (path, pattern) in std::mem::take(&mut self.patterns) {
            let document = self.documents.iter_mut().find(|document| document.path == path);
            match document {
                Some(document) if document.is_ready() => {
                    if let Err(why) = cut_like(document, &pattern) {
                        self.toasts.warn(format!("{path} was not cut: {why}"));
                    }
                }
                Some(_) => self.patterns.push((path, pattern)),
                None => {}
            }
        }
    }
}

fn cut_like(document: &mut Document, pattern: &Sheet) -> Result<(), String> {
    let image = document.image_size;
    let cut = cut_for(pattern, image).ok_or("no frame fits its image")?;
    document.history.seal();
    document.history.apply(&Edit::Cut(cut), image).map_err(|why| why.to_string())?;
    document.history.seal();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Change as _;
    use crate::model::Run;

    fn grid(cell: u32, image: Size) -> Sheet {
        let none = Sheet::default();
        Edit::SetGrid(Run::of_cell(Size::new(cell, cell))).apply(&none, &none, image).unwrap()
    }

    #[test]
    fn a_grid_is_laid_anew_and_its_leftover_told() {
        let pattern = grid(16, Size::new(64, 32));
        let expected = Fit { frames: 2, leftover: LeftoverPixels { right: 8, bottom: 0 }, ..Fit::default() };
        assert_eq!(fit(&pattern, Size::new(40, 16), 0), expected);
        assert!(fit(&pattern, Size::new(128, 32), 0).is_exact());
        assert_eq!(fit(&pattern, Size::new(8, 8), 3).frames, 0);
    }

    #[test]
    fn rectangles_by_hand_stay_where_they_are_and_those_outside_are_left_out() {
        let mut pattern = grid(16, Size::new(64, 32));
        pattern.recipe = None;
        let expected = Fit { frames: 4, outside: 4, ..Fit::default() };
        assert_eq!(fit(&pattern, Size::new(32, 32), 0), expected);
    }
}
