//! Grids laid on an image: the cells of all their runs, without those that are to be left out for having no ink.

use super::grid::cells;
use super::ink::{InkPlanes, InkRule};
use crate::geometry::{PixelRect, Size};
use crate::model::{Grids, Run};

/// The frames of a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Laid {
    /// Rectangles in the order of their frames, in image pixels.
    pub rects: Vec<PixelRect>,
    /// Cells that were left out for having no ink.
    pub skipped: Vec<PixelRect>,
}

/// The cells of all runs on an image of that size. Empty cells are told by `planes`; without them none is left out.
pub fn lay(grids: &Grids, image: Size, planes: Option<&InkPlanes>) -> Laid {
    let mut laid = Laid::default();
    for run in &grids.runs {
        let given = cells(run, grids.leftover, image);
        match (run.skip_empty, planes) {
            (Some(_), Some(planes)) => {
                let (rects, skipped): (Vec<_>, Vec<_>) =
                    given.into_iter().partition(|rect| planes.ink_bounds(*rect, empty_rule(run)).is_some());
                laid.rects.extend(rects);
                laid.skipped.extend(skipped);
            }
            _ => laid.rects.extend(given),
        }
    }
    laid
}

/// What counts as ink in a cell of a run that leaves out empty ones.
fn empty_rule(run: &Run) -> InkRule {
    InkRule { alpha_threshold: run.skip_empty.unwrap_or(0), ..InkRule::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Leftover;
    use crate::slicing::ink::InkBuilder;

    /// Four cells of 2 x 2 in a row; the second has alpha 5 at most, the fourth none.
    fn planes() -> InkPlanes {
        let mut rgba = [[0_u8; 4]; 16];
        rgba[0] = [255, 0, 0, 255];
        rgba[2] = [255, 0, 0, 5];
        rgba[12] = [255, 0, 0, 9];
        let mut builder = InkBuilder::new(Size::new(8, 2), &[]);
        builder.push_rows(rgba.as_flattened());
        builder.finish()
    }

    fn grids(skip_empty: Option<u8>) -> Grids {
        let run = Run { skip_empty, ..Run::of_cell(Size::new(2, 2)) };
        Grids { runs: vec![run], leftover: Leftover::Drop }
    }

    #[test]
    fn cells_with_no_alpha_above_the_threshold_are_left_out_and_told() {
        let planes = planes();
        let left = |skip| {
            let laid = lay(&grids(skip), planes.size(), Some(&planes));
            laid.rects.iter().map(|rect| rect.x).collect::<Vec<_>>()
        };
        assert_eq!(left(None), [0, 2, 4, 6]);
        assert_eq!(left(Some(0)), [0, 2, 4]);
        assert_eq!(left(Some(5)), [0, 4]);
        assert_eq!(lay(&grids(Some(5)), planes.size(), Some(&planes)).skipped.len(), 2);
        assert_eq!(lay(&grids(Some(5)), planes.size(), None).rects.len(), 4, "without pixels none is empty");
    }
}
