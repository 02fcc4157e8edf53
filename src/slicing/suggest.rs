//! Grids that divide an image, near one that does not: what a person who typed 32 and 1 most likely meant.

use super::grid::{Axis, columns_and_rows};
use crate::geometry::Size;
use crate::model::Run;

/// How many pixels away a number is still near.
const REACH: i64 = 16;

/// How many suggestions fit beside each other.
const MOST: usize = 4;

/// A run whose cells leave nothing over but a closing margin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The whole run, to be taken as it is.
    pub run: Run,
    /// Columns it gives.
    pub columns: u32,
    /// Rows it gives.
    pub rows: u32,
}

/// What to add to the numbers of an axis, in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Change {
    cell: i64,
    offset: i64,
    spacing: i64,
}

/// The nearest exact grids, best first; none when nothing is left over. Axes that are exact stay as they are.
/// First comes the spacing that equals the offset (a sheet with a margin mostly has as much between its cells),
/// then changes by ever more pixels, the same on both axes: of cell and spacing at the same pitch, of spacing, of the
/// cell, of the offset. Last comes the best change of each axis by itself.
pub fn suggest(run: &Run, image: Size) -> Vec<Suggestion> {
    let axes = [Axis::x(run, image), Axis::y(run, image)];
    if axes.into_iter().all(is_exact) {
        return Vec::new();
    }
    let mut found: Vec<Suggestion> = Vec::new();
    let apart = best_apart(axes).and_then(|pair| applied(run, axes, pair, image));
    for suggestion in changes(axes).filter_map(|change| applied(run, axes, [change; 2], image)) {
        if found.len() + usize::from(apart.is_some()) == MOST {
            break;
        }
        if !found.contains(&suggestion) {
            found.push(suggestion);
        }
    }
    found.extend(apart.filter(|apart| !found.contains(apart)));
    found
}

/// The best change of each axis by itself, for axes that no common change makes exact.
fn best_apart(axes: [Axis; 2]) -> Option<[Change; 2]> {
    let [x, y] = axes.map(|axis| changes([axis; 2]).find(|&change| fits(axis, change)));
    Some([x?, y?])
}

/// Changes in the order in which they are likely meant.
fn changes(axes: [Axis; 2]) -> impl Iterator<Item = Change> {
    let to_offset = axes
        .into_iter()
        .filter(|axis| !is_exact(*axis) && axis.offset > 0)
        .map(|axis| Change { spacing: axis.offset - axis.spacing, ..Change::default() })
        .take(1);
    let nearer = (1..=REACH).flat_map(|by| {
        [
            Change { cell: -by, spacing: by, offset: 0 },
            Change { spacing: by, ..Change::default() },
            Change { spacing: -by, ..Change::default() },
            Change { cell: by, ..Change::default() },
            Change { cell: -by, ..Change::default() },
            Change { offset: by, ..Change::default() },
            Change { offset: -by, ..Change::default() },
        ]
    });
    to_offset.chain(nearer)
}

fn is_exact(axis: Axis) -> bool {
    let leftover = axis.leftover();
    axis.fitting() > 0 && (leftover == 0 || leftover == axis.offset)
}

fn changed(axis: Axis, change: Change) -> Option<Axis> {
    let Axis { image, offset, cell, spacing } = axis;
    let (offset, cell, spacing) = (offset + change.offset, cell + change.cell, spacing + change.spacing);
    (offset >= 0 && cell > 0 && spacing >= 0).then_some(Axis { image, offset, cell, spacing })
}

/// Whether the axis is exact as it is or after the change.
fn fits(axis: Axis, change: Change) -> bool {
    is_exact(axis) || changed(axis, change).is_some_and(is_exact)
}

fn applied(run: &Run, axes: [Axis; 2], pair: [Change; 2], image: Size) -> Option<Suggestion> {
    let [x, y] = [0, 1].map(|index| {
        let axis: Axis = axes[index];
        if is_exact(axis) { Some(axis) } else { changed(axis, pair[index]).filter(|axis| is_exact(*axis)) }
    });
    let (x, y) = (x?, y?);
    let mut run = run.clone();
    run.cell = Size::new(u32::try_from(x.cell).ok()?, u32::try_from(y.cell).ok()?);
    run.offset.x = i32::try_from(x.offset).ok()?;
    run.offset.y = i32::try_from(y.offset).ok()?;
    run.spacing.x = i32::try_from(x.spacing).ok()?;
    run.spacing.y = i32::try_from(y.spacing).ok()?;
    let (columns, rows) = columns_and_rows(&run, image);
    Some(Suggestion { run, columns, rows })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::grid::{closing_margin, leftover};
    use super::*;
    use crate::geometry::Offset;

    fn run(cell: u32, offset: i32, spacing: i32) -> Run {
        Run {
            offset: Offset::new(offset, offset),
            spacing: Offset::new(spacing, spacing),
            ..Run::of_cell(Size::new(cell, cell))
        }
    }

    #[test]
    fn spacing_kept_at_the_offset_is_offered_first() {
        let image = Size::new(265, 199);
        let wrong = run(32, 1, 0);
        let rest = leftover(&wrong, image);
        assert_eq!((rest.right, rest.bottom), (8, 6));
        let first = suggest(&wrong, image).into_iter().next().unwrap();
        assert_eq!(first, Suggestion { run: run(32, 1, 1), columns: 8, rows: 6 });
    }

    #[test]
    fn a_cell_that_contains_its_spacing_is_taken_apart_on_the_axis_that_needs_it() {
        let first = suggest(&run(16, 0, 0), Size::new(63, 32)).into_iter().next().unwrap();
        assert_eq!(first.run.cell, Size::new(15, 16));
        assert_eq!(first.run.spacing, Offset::new(1, 0));
        assert_eq!((first.columns, first.rows), (4, 2));
    }

    #[test]
    fn an_exact_grid_and_a_closing_margin_need_no_suggestion() {
        assert!(suggest(&run(16, 0, 0), Size::new(64, 32)).is_empty());
        assert!(suggest(&run(32, 1, 1), Size::new(265, 199)).is_empty());
    }

    #[test]
    fn axes_that_need_different_changes_get_them() {
        // 33 = 3 x 11, 43 = 4 x 10 + 3 x 1.
        let all = suggest(&run(10, 0, 0), Size::new(33, 43));
        let apart = Run { spacing: Offset::new(0, 1), ..Run::of_cell(Size::new(11, 10)) };
        assert_eq!(all.last(), Some(&Suggestion { run: apart, columns: 3, rows: 4 }));
    }

    proptest! {
        #[test]
        fn suggestions_are_exact_and_few(
            cell in 1..80_u32, offset in -5..20_i32, spacing in -5..20_i32, width in 1..300_u32, height in 1..300_u32,
        ) {
            let image = Size::new(width, height);
            let all = suggest(&run(cell, offset, spacing), image);
            prop_assert!(all.len() <= MOST);
            for Suggestion { run, columns, rows } in all {
                let rest = leftover(&run, image);
                prop_assert!(rest.right == 0 || rest.right as i32 == run.offset.x);
                prop_assert!(rest.bottom == 0 || rest.bottom as i32 == run.offset.y);
                prop_assert!(columns > 0 && rows > 0);
                prop_assert!(rest.is_none() || run.offset != Offset::default() || closing_margin(&run, image));
            }
        }
    }
}
