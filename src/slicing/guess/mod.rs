//! Guesses at the grid of a sheet that nobody has sliced yet.
//!
//! One pass over the pixels leaves an [`Evidence`]: per column and per row how much ink there is, how much of it crosses
//! to the next and how strong the edges are. From it each axis proposes grids (`propose`) and weighs them (`axis`):
//! boundaries that cut no ink or lie on edges, a pitch at which the sheet repeats itself, gaps that are clear or of
//! one colour, an even division, usual numbers. Then both axes are paired and the cells of the best pairs are looked
//! into (`cells`): pictures of one grid lie alike in their cells. Nothing is decided by a threshold: every
//! observation adds to a score, and a grid's confidence is its share among all that were weighed and "no grid".

mod axis;
mod cells;
mod evidence;
mod map;
mod pairs;
mod profile;
mod propose;
mod sample;
mod score;

pub use evidence::{Evidence, EvidenceBuilder};

use super::grid::columns_and_rows;
use crate::geometry::{Offset, Size};
use crate::model::Run;
use pairs::Scored;

/// How many guesses are worth stepping through.
const MOST: usize = 5;

/// A grid that the sheet may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The whole run, to be taken as it is.
    pub run: Run,
    /// Columns it gives.
    pub columns: u32,
    /// Rows it gives.
    pub rows: u32,
    /// How likely it is the sheet's grid, from 0 to 1; those of all guesses add up to at most 1.
    pub confidence: f32,
}

/// The likeliest grids, best first: at most five, no two alike, each with more than one cell. None when the image has no
/// ink or no room for two cells.
pub fn guess_grids(evidence: &Evidence) -> Vec<Guess> {
    if !evidence.has_ink() {
        return Vec::new();
    }
    let all = pairs::ranked(evidence);
    let best = all.first().map_or(score::NO_GRID, |best| best.score.max(score::NO_GRID));
    let share = |score: f32| (score - best).exp();
    let sum = all.iter().map(|scored| share(scored.score)).sum::<f32>() + share(score::NO_GRID);
    all.iter().take(MOST).map(|scored| guess(scored, evidence.size, share(scored.score) / sum)).collect()
}

fn guess(Scored { x, y, .. }: &Scored, image: Size, confidence: f32) -> Guess {
    let run = Run {
        offset: Offset::new(x.comb.offset as i32, y.comb.offset as i32),
        spacing: Offset::new(x.comb.spacing as i32, y.comb.spacing as i32),
        ..Run::of_cell(Size::new(x.comb.cell as u32, y.comb.cell as u32))
    };
    let (columns, rows) = columns_and_rows(&run, image);
    Guess { run, columns, rows, confidence }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::slicing::grid::{cells, leftover};
    use crate::slicing::ink::{InkRule, Rgb};

    const CLEAR: [u8; 4] = [0; 4];
    const BLACK: [u8; 4] = [0, 0, 0, 255];

    fn guesses_on(size: Size, backgrounds: &[Rgb], pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<Guess> {
        let mut builder = EvidenceBuilder::new(size, InkRule::default(), backgrounds);
        for y in 0..size.height {
            let row: Vec<[u8; 4]> = (0..size.width).map(|x| pixel(x, y)).collect();
            builder.push_rows(row.as_flattened());
        }
        guess_grids(&builder.finish())
    }

    fn guesses(size: Size, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<Guess> {
        guesses_on(size, &[], pixel)
    }

    /// A number that looks like chance.
    fn noise(x: u32, y: u32) -> u32 {
        let mut v = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ 0x27D4_EB2F;
        for _ in 0..2 {
            v = (v ^ (v >> 15)).wrapping_mul(0x2C1B_3C6D);
        }
        v ^ (v >> 13)
    }

    /// A disc with an outline on nothing, `radius` around the middle of a cell of `cell` pixels, moved by `by`.
    fn figure(cell: Size, radius: i64, (x, y): (u32, u32), by: i64) -> [u8; 4] {
        let dx = 2 * i64::from(x) + 1 - i64::from(cell.width) - 2 * by;
        let dy = 2 * i64::from(y) + 1 - i64::from(cell.height);
        match dx * dx + dy * dy {
            far if far > 4 * radius * radius => CLEAR,
            rim if rim > 4 * (radius - 2) * (radius - 2) => [30, 20, 40, 255],
            _ => [200, 90, 60, 255],
        }
    }

    fn grid_of(guess: &Guess) -> (u32, u32, Offset, Offset, u32, u32) {
        let Run { cell, offset, spacing, .. } = guess.run;
        (cell.width, cell.height, offset, spacing, guess.columns, guess.rows)
    }

    fn both(v: i32) -> Offset {
        Offset::new(v, v)
    }

    /// Opaque tiles of speckled colours; neighbours differ.
    fn tile(column: u32, row: u32, x: u32, y: u32) -> [u8; 4] {
        let base = noise(column * 7 + 1, row * 13 + 5) % 150 + 60;
        let speck = noise(x, y) % 24;
        [(base + speck) as u8, ((base * 5) % 170 + 40 + speck) as u8, 90, 255]
    }

    #[test]
    fn tiles_with_a_black_line_around_each_are_the_tiles_without_it() {
        let size = Size::new(265, 199);
        let pixel = |x: u32, y: u32| {
            if x.is_multiple_of(33) || y.is_multiple_of(33) { BLACK } else { tile(x / 33, y / 33, x, y) }
        };
        for backgrounds in [&[][..], &[[0, 0, 0]]] {
            let first = guesses_on(size, backgrounds, pixel).into_iter().next().unwrap();
            assert_eq!(grid_of(&first), (32, 32, both(1), both(1), 8, 6));
            assert!(first.confidence > 0.8, "{}", first.confidence);
        }
    }

    #[test]
    fn opaque_tiles_that_touch_are_told_by_their_seams() {
        let first = guesses(Size::new(96, 64), |x, y| tile(x / 16, y / 16, x, y)).into_iter().next().unwrap();
        assert_eq!(grid_of(&first), (16, 16, both(0), both(0), 6, 4));
    }

    #[test]
    fn figures_in_cells_and_an_empty_end_of_the_last_row() {
        // 5 x 3 cells of 24 x 32; the last two are empty, the figures move by up to 2 pixels.
        let cell = Size::new(24, 32);
        let first = guesses(Size::new(120, 96), |x, y| {
            let (column, row) = (x / 24, y / 32);
            if row == 2 && column > 2 {
                return CLEAR;
            }
            figure(cell, 9, (x % 24, y % 32), i64::from(noise(column, row) % 5) - 2)
        });
        assert_eq!(grid_of(&first[0]), (24, 32, both(0), both(0), 5, 3));
    }

    #[test]
    fn a_strip_is_cut_into_squares() {
        let cell = Size::new(24, 24);
        let first =
            guesses(Size::new(168, 24), |x, y| figure(cell, 9, (x % 24, y), i64::from(x / 24 % 3) - 1));
        assert_eq!(grid_of(&first[0]), (24, 24, both(0), both(0), 7, 1));
    }

    #[test]
    fn cards_all_of_one_size_are_taken_without_the_room_around_them() {
        // 4 x 3 cards of 20 x 30, 5 and 3 pixels from the edges, 11 and 7 pixels apart.
        let size = Size::new(5 + 4 * 20 + 3 * 11 + 5, 3 + 3 * 30 + 2 * 7 + 3);
        let first = guesses(size, |x, y| {
            let (in_x, in_y) = ((x + 31 - 5) % 31, (y + 37 - 3) % 37);
            if in_x < 20 && in_y < 30 { tile(x / 31, y / 37, x, y) } else { CLEAR }
        });
        assert_eq!(grid_of(&first[0]), (20, 30, Offset::new(5, 3), Offset::new(11, 7), 4, 3));
    }

    #[test]
    fn an_irregular_atlas_gives_no_confident_grid() {
        // Shelves of different heights with boxes of different widths.
        let shelves = [(0, 37), (38, 61), (62, 113), (114, 128)];
        let all = guesses(Size::new(150, 128), |x, y| {
            let Some(shelf) = shelves.iter().position(|(top, bottom)| (*top..*bottom).contains(&y)) else {
                return CLEAR;
            };
            let mut left = 0;
            for box_number in 0.. {
                let width = 8 + noise(box_number, shelf as u32) % 30;
                if x < left + width {
                    return tile(box_number, shelf as u32, x, y);
                }
                left += width + 1;
                if x < left {
                    return CLEAR;
                }
            }
            CLEAR
        });
        assert!(all.first().is_none_or(|first| first.confidence < 0.6), "{:?}", all.first());
    }

    #[test]
    fn one_picture_alone_gives_no_confident_grid() {
        let cell = Size::new(48, 48);
        let all = guesses(cell, |x, y| figure(cell, 22, (x, y), 0));
        assert!(all.first().is_none_or(|first| first.confidence < 0.6), "{:?}", all.first());
    }

    #[test]
    fn images_without_ink_or_without_room_give_nothing() {
        assert!(guesses(Size::new(64, 64), |_, _| CLEAR).is_empty());
        assert!(guesses_on(Size::new(64, 64), &[[0, 0, 0]], |_, _| BLACK).is_empty());
        assert!(guesses(Size::new(1, 1), |_, _| BLACK).is_empty());
        assert!(guesses(Size::new(7, 7), |_, _| BLACK).is_empty());
        assert!(guesses(Size::default(), |_, _| BLACK).is_empty());
    }

    #[test]
    fn rows_that_never_came_are_no_part_of_the_image() {
        let mut builder = EvidenceBuilder::new(Size::new(16, 16), InkRule::default(), &[]);
        builder.push_rows(&[255; 16 * 4 * 8]);
        builder.push_rows(&[255; 7]);
        let all = guess_grids(&builder.finish());
        assert!(all.iter().all(|guess| guess.run.cell.height <= 8));
    }

    proptest! {
        #[test]
        fn guesses_are_sound(
            width in 1..70_u32, height in 1..70_u32, cell in 1..20_u32, salt in 0..1000_u32, kind in 0..4_u32,
        ) {
            let image = Size::new(width, height);
            let all = guesses(image, |x, y| match kind {
                0 => if noise(x + salt, y).is_multiple_of(2) { BLACK } else { CLEAR },
                1 => tile(x / cell, y / cell, x + salt, y),
                2 => figure(Size::new(cell, cell), i64::from(salt % 9), (x % cell, y % cell), 0),
                _ => if x.is_multiple_of(cell) { BLACK } else { [salt as u8, 255, 0, 255] },
            });
            prop_assert!(all.len() <= MOST);
            prop_assert!(all.is_sorted_by(|one, other| one.confidence >= other.confidence));
            let sum: f32 = all.iter().map(|guess| guess.confidence).sum();
            prop_assert!((0.0..=1.001).contains(&sum));
            let mut distinct = HashSet::new();
            for Guess { run, columns, rows, confidence } in all {
                prop_assert!((0.0..=1.0).contains(&confidence));
                prop_assert_eq!(columns_and_rows(&run, image), (columns, rows));
                prop_assert!(columns * rows > 1);
                let frames = cells(&run, crate::model::Leftover::Drop, image);
                prop_assert!(frames.iter().all(|frame| frame.is_inside(image)));
                prop_assert!(leftover(&run, image).right < image.width);
                prop_assert!(distinct.insert(frames.iter().map(|rect| (rect.x, rect.y, rect.width, rect.height)).collect::<Vec<_>>()));
            }
        }
    }
}
