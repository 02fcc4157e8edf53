//! Reading order of boxes: which are in one row, though no two have the same height.

use std::collections::VecDeque;

use crate::geometry::PixelRect;

/// How often boxes that hide rows are set aside before rows are taken by overlap alone. Sheets need it once or twice.
const MAX_DEPTH: u32 = 8;

/// The boxes' indices in rows from the top, each from the left. The boxes must have pixels.
///
/// A line across the sheet that crosses no box separates rows. Where there is no such line and boxes are stacked, the
/// ones taller than one and a half times the median are set aside first: a large figure beside two rows of small
/// ones. They join the first row that they stand beside. If the rest does not fall apart either, a row is what
/// shares half its height with the row's topmost box.
pub fn rows(rects: &[PixelRect]) -> Vec<Vec<usize>> {
    let mut indices: Vec<_> = (0..rects.len()).collect();
    indices.sort_by_key(|index| (rects[*index].y, rects[*index].x));
    let mut rows = Vec::new();
    rows_of(rects, indices, 0, &mut rows);
    rows
}

/// `members` are sorted by their tops, here and below.
fn rows_of(rects: &[PixelRect], members: Vec<usize>, depth: u32, rows: &mut Vec<Vec<usize>>) {
    for band in bands(rects, members) {
        if !has_stack(rects, &band) {
            rows.push(from_left(rects, band));
        } else if let Some((low, tall)) = without_tall(rects, &band).filter(|_| depth < MAX_DEPTH) {
            let first = rows.len();
            rows_of(rects, low, depth + 1, rows);
            join_beside(rects, tall, &mut rows[first..]);
        } else {
            rows_by_overlap(rects, band, rows);
        }
    }
}

/// The members between lines that cross none of them.
fn bands(rects: &[PixelRect], members: Vec<usize>) -> Vec<Vec<usize>> {
    let mut bands: Vec<Vec<usize>> = Vec::new();
    let mut bottom = i64::MIN;
    for member in members {
        let rect = rects[member];
        match bands.last_mut() {
            Some(band) if i64::from(rect.y) < bottom => band.push(member),
            _ => bands.push(vec![member]),
        }
        bottom = bottom.max(rect.bottom());
    }
    bands
}

/// Whether some member is above another.
fn has_stack(rects: &[PixelRect], members: &[usize]) -> bool {
    let mut spans: Vec<_> = members.iter().map(|member| (rects[*member].x, rects[*member].right())).collect();
    spans.sort_unstable();
    spans.windows(2).any(|pair| i64::from(pair[1].0) < pair[0].1)
}

fn from_left(rects: &[PixelRect], mut row: Vec<usize>) -> Vec<usize> {
    row.sort_by_key(|member| (rects[*member].x, rects[*member].y));
    row
}

/// The members without the tall ones, and those; `None` when the rest does not fall into rows.
fn without_tall(rects: &[PixelRect], members: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
    let mut heights: Vec<_> = members.iter().map(|member| i64::from(rects[*member].height)).collect();
    heights.sort_unstable();
    let median = heights[(heights.len() - 1) / 2];
    let is_tall = |member: &usize| i64::from(rects[*member].height) * 2 > median * 3;
    let (tall, low): (Vec<_>, Vec<_>) = members.iter().copied().partition(is_tall);
    let falls_apart = !tall.is_empty() && (bands(rects, low.clone()).len() > 1 || !has_stack(rects, &low));
    falls_apart.then_some((low, tall))
}

/// Puts each tall member into the first of the rows whose middle is not above its top.
fn join_beside(rects: &[PixelRect], tall: Vec<usize>, rows: &mut [Vec<usize>]) {
    let twice_middles: Vec<_> = rows
        .iter()
        .map(|row| {
            let top = row.iter().map(|member| i64::from(rects[*member].y)).min().unwrap_or_default();
            let bottom = row.iter().map(|member| rects[*member].bottom()).max().unwrap_or_default();
            top + bottom
        })
        .collect();
    for member in tall {
        let twice_top = i64::from(rects[member].y) * 2;
        let beside = twice_middles.iter().position(|twice_middle| *twice_middle >= twice_top);
        if let Some(row) = rows.get_mut(beside.unwrap_or(twice_middles.len().saturating_sub(1))) {
            row.push(member);
        }
    }
    for row in rows {
        *row = from_left(rects, std::mem::take(row));
    }
}

fn rows_by_overlap(rects: &[PixelRect], members: Vec<usize>, rows: &mut Vec<Vec<usize>>) {
    let mut coming = members.into_iter().peekable();
    // Boxes that begin beside the row's first but are in no row yet.
    let mut waiting = VecDeque::new();
    while let Some(first) = waiting.pop_front().or_else(|| coming.next()) {
        let seed = rects[first];
        while let Some(member) = coming.next_if(|member| i64::from(rects[*member].y) < seed.bottom()) {
            waiting.push_back(member);
        }
        let mut row = vec![first];
        waiting.retain(|member| {
            let rect = rects[*member];
            let common = rect.bottom().min(seed.bottom()) - i64::from(rect.y);
            let joins = common * 2 >= i64::from(rect.height.min(seed.height));
            if joins {
                row.push(*member);
            }
            !joins
        });
        rows.push(from_left(rects, row));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ordered(boxes: &[(i32, i32, i32, i32)]) -> Vec<Vec<usize>> {
        let rects: Vec<_> = boxes.iter().map(|&(x, y, w, h)| PixelRect::new(x, y, w, h)).collect();
        rows(&rects)
    }

    #[test]
    fn a_clean_grid_is_read_row_by_row() {
        let grid: Vec<_> = (0..12).rev().map(|n| (n % 4 * 16, n / 4 * 16, 16, 16)).collect();
        assert_eq!(ordered(&grid), [[11, 10, 9, 8], [7, 6, 5, 4], [3, 2, 1, 0]]);
        assert_eq!(ordered(&[]), [[0_usize; 0]; 0]);
        assert_eq!(ordered(&[(5, 5, 1, 1)]), [[0]]);
    }

    #[test]
    fn boxes_of_one_row_may_stand_on_its_ground_or_hang_in_its_middle() {
        // Standing at y = 64, centred at y = 100, and a jump whose frames have no line in common.
        let standing = [(40, 0, 10, 64), (0, 48, 10, 16), (20, 30, 10, 34)];
        assert_eq!(ordered(&standing), [[1, 2, 0]]);
        let centred = [(0, 98, 4, 4), (10, 80, 4, 40), (20, 90, 4, 20)];
        assert_eq!(ordered(&centred), [[0, 1, 2]]);
        let jump = [(0, 40, 16, 24), (20, 20, 16, 24), (40, 0, 16, 24), (60, 20, 16, 24), (80, 40, 16, 24)];
        assert_eq!(ordered(&jump), [[0, 1, 2, 3, 4]]);
    }

    #[test]
    fn a_tall_box_beside_two_rows_is_in_the_first() {
        let boxes = [
            (0, 1, 60, 126),
            (70, 0, 20, 60),
            (100, 4, 20, 56),
            (70, 64, 20, 60),
            (100, 66, 20, 60),
            (130, 62, 20, 60),
        ];
        assert_eq!(ordered(&boxes), [vec![0, 1, 2], vec![3, 4, 5]]);
        // At the right, and beside the second and the third row.
        let boxes = [(0, 0, 9, 9), (0, 10, 9, 9), (0, 20, 9, 9), (10, 0, 9, 9), (20, 10, 9, 19)];
        assert_eq!(ordered(&boxes), [vec![0, 3], vec![1, 4], vec![2]]);
    }

    #[test]
    fn rows_that_reach_into_each_other_are_told_by_overlap() {
        // Two rows of 60 whose boxes sway by 10: the first ends at 74 where the second begins at 64.
        let boxes = [
            (0, 0, 20, 60),
            (30, 10, 20, 64),
            (60, 4, 20, 60),
            (0, 64, 20, 60),
            (30, 76, 20, 50),
            (60, 66, 20, 60),
        ];
        assert_eq!(ordered(&boxes), [[0, 1, 2], [3, 4, 5]]);
    }

    #[test]
    fn a_hundred_thousand_boxes_without_order_are_all_there() {
        let at = |n: i32| {
            (n.wrapping_mul(7919) & 0x3fff, n.wrapping_mul(104_729) & 0x3fff, 1 + n % 40, 1 + n % 70)
        };
        let boxes: Vec<_> = (0..100_000).map(at).collect();
        let mut all: Vec<_> = ordered(&boxes).into_iter().flatten().collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..100_000));
    }

    proptest! {
        #[test]
        fn every_box_is_in_one_row_and_rows_run_to_the_right(
            boxes in prop::collection::vec((-9..90_i32, -9..90_i32, 1..30_i32, 1..30_i32), 0..60),
        ) {
            let rows = ordered(&boxes);
            for row in &rows {
                prop_assert!(row.windows(2).all(|pair| boxes[pair[0]].0 <= boxes[pair[1]].0));
            }
            let mut all: Vec<_> = rows.into_iter().flatten().collect();
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..boxes.len()));
        }
    }
}
