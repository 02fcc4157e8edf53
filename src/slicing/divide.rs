//! Dividing a rectangle into a small grid, and seeing the rows in which frames lie.

use super::MAX_FRAMES;
use super::arrange::{Span, rect_of, spans};
use crate::geometry::{PixelRect, Size};

/// Columns and rows of nearly equal cells that fill the rectangle, row by row: cell `i` of `n` begins at
/// `i * width / n`, rounded down, so sizes differ by a pixel at most. No more cells along an axis than there are
/// pixels, and none counts as one. At most [`MAX_FRAMES`] + 1 are given.
pub fn split(rect: PixelRect, columns: u32, rows: u32) -> Vec<PixelRect> {
    let [x, y] = spans(rect);
    let part = |span: Span, wanted: u32| {
        let count = i64::from(wanted.max(1)).min(span.length());
        (count, move |i| {
            Span::new(span.start + i * span.length() / count, span.start + (i + 1) * span.length() / count)
        })
    };
    table(part(x, columns), part(y, rows))
}

/// Cells of that size from the top left corner, row by row; what is left over at the right and at the bottom
/// belongs to none. Empty when not one cell fits. At most [`MAX_FRAMES`] + 1 are given.
pub fn split_by_cell(rect: PixelRect, cell: Size) -> Vec<PixelRect> {
    let [x, y] = spans(rect);
    let part = |span: Span, cell: u32| {
        let cell = i64::from(cell);
        let count = if cell == 0 { 0 } else { span.length() / cell };
        (count, move |i| Span::new(span.start + i * cell, span.start + (i + 1) * cell))
    };
    table(part(x, cell.width), part(y, cell.height))
}

/// All columns of all rows, each axis given as how many and where.
fn table(
    (columns, column): (i64, impl Fn(i64) -> Span),
    (rows, row): (i64, impl Fn(i64) -> Span),
) -> Vec<PixelRect> {
    let column = &column;
    (0..rows)
        .flat_map(|y| {
            let y = row(y);
            (0..columns).map(move |x| rect_of([column(x), y]))
        })
        .take(MAX_FRAMES + 1)
        .collect()
}

/// A row while it is being gathered.
struct Row {
    members: Vec<usize>,
    /// Sums of the members' tops and bottoms.
    tops: i64,
    bottoms: i64,
}

impl Row {
    /// Whether a frame shares more than half of its height with the row, or the row more than half with it. The
    /// row is where its members are on average: one tall sprite beside two rows does not make one of them.
    fn takes(&self, y: Span) -> bool {
        let count = self.members.len() as i64;
        let overlap = self.bottoms.min(y.end * count) - self.tops.max(y.start * count);
        overlap * 2 > (self.bottoms - self.tops).min(y.length() * count)
    }
}

/// Which frames lie in a row, by their indices: rows from the top, each from left to right. Frames without pixels
/// are in none.
pub fn visual_rows(rects: &[PixelRect]) -> Vec<Vec<usize>> {
    let mut order: Vec<_> = (0..rects.len()).filter(|index| !rects[*index].is_empty()).collect();
    order.sort_by_key(|index| (rects[*index].y, rects[*index].x));
    let mut rows: Vec<Row> = Vec::new();
    for index in order {
        let [_, y] = spans(rects[index]);
        match rows.last_mut().filter(|row| row.takes(y)) {
            Some(row) => {
                row.members.push(index);
                row.tops += y.start;
                row.bottoms += y.end;
            }
            None => rows.push(Row { members: vec![index], tops: y.start, bottoms: y.end }),
        }
    }
    let sorted = |Row { mut members, .. }| {
        members.sort_by_key(|index| (rects[*index].x, rects[*index].y));
        members
    };
    rows.into_iter().map(sorted).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn splitting_by_count_shares_the_pixels_out() {
        // 10 / 3: edges 0, 3, 6, 10; 5 / 2: edges 0, 2, 5.
        let expected = [(1, 2, 3, 2), (4, 2, 3, 2), (7, 2, 4, 2), (1, 4, 3, 3), (4, 4, 3, 3), (7, 4, 4, 3)];
        let expected = expected.map(|(x, y, w, h)| PixelRect::new(x, y, w, h));
        assert_eq!(split(PixelRect::new(1, 2, 10, 5), 3, 2), expected);
        let dots = split(PixelRect::new(0, 0, 2, 1), 9, 0);
        assert_eq!(dots, [PixelRect::new(0, 0, 1, 1), PixelRect::new(1, 0, 1, 1)]);
        assert_eq!(split(PixelRect::new(0, 0, -2, 1), 2, 2), []);
    }

    #[test]
    fn splitting_by_cell_drops_the_rest() {
        let rect = PixelRect::new(4, 4, 11, 7);
        let expected = [PixelRect::new(4, 4, 5, 4), PixelRect::new(9, 4, 5, 4)];
        assert_eq!(split_by_cell(rect, Size::new(5, 4)), expected);
        assert_eq!(split_by_cell(rect, Size::new(12, 4)), []);
        assert_eq!(split_by_cell(rect, Size::new(0, 4)), []);
    }

    #[test]
    fn one_more_than_the_limit_is_given_and_no_more_than_that() {
        let large = PixelRect::new(0, 0, 100_000, 100_000);
        assert_eq!(split(large, u32::MAX, u32::MAX).len(), MAX_FRAMES + 1);
        assert_eq!(split_by_cell(large, Size::new(1, 1)).len(), MAX_FRAMES + 1);
    }

    fn rows(rects: &[(i32, i32, i32, i32)]) -> Vec<Vec<usize>> {
        let rects: Vec<_> = rects.iter().map(|&(x, y, w, h)| PixelRect::new(x, y, w, h)).collect();
        visual_rows(&rects)
    }

    #[test]
    fn a_grid_has_its_rows_whatever_the_order_of_its_frames() {
        let shuffled = [(8, 8, 8, 8), (0, 0, 8, 8), (0, 8, 8, 8), (8, 0, 8, 8), (0, 0, 0, 8)];
        assert_eq!(rows(&shuffled), [vec![1, 3], vec![2, 0]]);
        assert_eq!(rows(&[]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn sprites_on_one_floor_are_a_row() {
        let feet_at_64 = [(0, 0, 20, 64), (30, 40, 20, 24), (60, 10, 20, 54), (90, 58, 6, 6)];
        assert_eq!(rows(&feet_at_64), [vec![0, 1, 2, 3]]);
    }

    #[test]
    fn a_tall_sprite_beside_two_rows_does_not_join_them() {
        let boss = [(0, 0, 64, 64), (70, 0, 32, 32), (110, 0, 32, 32), (70, 32, 32, 32), (110, 32, 32, 32)];
        assert_eq!(rows(&boss), [vec![0, 1, 2], vec![3, 4]]);
    }

    #[test]
    fn a_staircase_is_no_row() {
        assert_eq!(rows(&[(0, 0, 8, 32), (8, 16, 8, 32), (16, 32, 8, 32)]), [vec![0], vec![1], vec![2]]);
    }

    proptest! {
        #[test]
        fn parts_by_count_cover_the_rectangle(
            (x, y) in (any::<i32>(), any::<i32>()), (width, height) in (1..200_i32, 1..200_i32),
            (columns, rows) in (0..50_u32, 0..50_u32),
        ) {
            let parts = split(PixelRect::new(x, y, width, height), columns, rows);
            let area: i64 = parts.iter().map(|part| i64::from(part.width) * i64::from(part.height)).sum();
            prop_assert_eq!(area, i64::from(width) * i64::from(height));
            prop_assert!(parts.iter().all(|part| !part.is_empty()));
        }

        #[test]
        fn every_frame_with_pixels_is_in_one_row(
            rects in prop::collection::vec((any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>()), 0..9),
        ) {
            let mut all: Vec<_> = rows(&rects).into_iter().flatten().collect();
            all.sort_unstable();
            let with_pixels = rects.iter().enumerate().filter(|(_, rect)| rect.2 > 0 && rect.3 > 0);
            prop_assert_eq!(all, with_pixels.map(|(index, _)| index).collect::<Vec<_>>());
        }
    }
}
