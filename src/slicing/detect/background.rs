//! The background colours of an opaque sheet, from what its border has, and from lines and boxes that only a
//! sheet's maker draws.

use crate::geometry::Size;
use crate::slicing::ink::Rgb;

use super::fill::{Fill, Lines};

/// Below this share of the border no colour is the background.
const MIN_SHARE: f32 = 1.0 / 3.0;
/// A second colour has at least this share of the border, and both together have nearly all of it: a painted
/// chequerboard.
const MIN_SECOND_SHARE: f32 = 0.25;
const MIN_BOTH_SHARE: f32 = 0.9;
/// How many of the border's commonest colours are tried as the middle of a pool.
const CANDIDATES: usize = 32;

/// What an opaque image has behind its sprites.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Background {
    /// The colours, the commonest on the border first; none when no colour has a third of the border.
    pub colours: Vec<Rgb>,
    /// Which part of the border's pixels has one of them, 0 to 1.
    pub border_share: f32,
}

/// Whether two colours differ by at most `tolerance` in every channel.
pub(super) fn is_near(a: Rgb, b: Rgb, tolerance: u8) -> bool {
    a.into_iter().zip(b).all(|(a, b)| a.abs_diff(b) <= tolerance)
}

/// Finds the background of an image that is given row by row. Alpha is not looked at.
pub struct BackgroundBuilder {
    size: Size,
    tolerance: u8,
    rows: u32,
    border: Vec<Rgb>,
    lines: Lines,
    fill: Fill,
}

impl BackgroundBuilder {
    /// For an image of `size` pixels. Colours that differ by up to `tolerance` in each channel count as one; 8
    /// is right for most images and 24 for a JPEG.
    pub fn new(size: Size, tolerance: u8) -> Self {
        let (lines, fill) = (Lines::new(tolerance), Fill::new(size, tolerance));
        Self { size, tolerance, rows: 0, border: Vec::new(), lines, fill }
    }

    /// Takes the next rows from the top: straight RGBA, whole rows, not more than the image has.
    pub fn push_rows(&mut self, rgba: &[u8]) {
        let (pixels, _) = rgba.as_chunks::<4>();
        for row in pixels.chunks_exact((self.size.width as usize).max(1)) {
            self.push_row(row);
        }
    }

    fn push_row(&mut self, row: &[[u8; 4]]) {
        let is_first = self.rows == 0;
        self.rows += 1;
        if is_first || self.rows == self.size.height {
            self.border.extend(row.iter().map(|pixel| rgb(*pixel)));
        } else if let [left, .., right] = row {
            self.border.extend([rgb(*left), rgb(*right)]);
        } else {
            self.border.extend(row.iter().map(|pixel| rgb(*pixel)));
        }
        if is_first {
            self.fill.begin(commonest(&self.border, self.tolerance).map(|pool| pool.colour));
        }
        self.lines.push_row(row);
        self.fill.push_row(row);
    }

    /// The background, as far as rows came.
    pub fn finish(self) -> Background {
        let Self { tolerance, border, .. } = self;
        let share = |count: usize| count as f32 / border.len().max(1) as f32;
        let Some(first) = commonest(&border, tolerance).filter(|pool| share(pool.count) >= MIN_SHARE) else {
            return Background::default();
        };
        let mut colours = vec![first.colour];
        let rest: Vec<_> =
            border.iter().copied().filter(|pixel| !is_near(*pixel, first.colour, tolerance)).collect();
        let second = commonest(&rest, tolerance).filter(|second| {
            share(second.count) >= MIN_SECOND_SHARE && share(first.count + second.count) >= MIN_BOTH_SHARE
        });
        let others =
            [second.map(|pool| pool.colour), self.lines.colour(first.colour), self.fill.colour(first.colour)];
        for colour in others.into_iter().flatten() {
            if colours.iter().all(|known| !is_near(*known, colour, tolerance)) {
                colours.push(colour);
            }
        }
        let has_background = |pixel: &&Rgb| colours.iter().any(|colour| is_near(**pixel, *colour, tolerance));
        let border_share = share(border.iter().filter(has_background).count());
        Background { colours, border_share }
    }
}

pub(super) fn rgb([r, g, b, _]: [u8; 4]) -> Rgb {
    [r, g, b]
}

/// Pixels of nearly one colour.
struct Pool {
    colour: Rgb,
    count: usize,
}

/// The largest pool. Its colour is the one that half of it has exactly; where noise leaves none so common, the
/// median of each channel.
fn commonest(pixels: &[Rgb], tolerance: u8) -> Option<Pool> {
    let mut sorted = pixels.to_vec();
    sorted.sort_unstable();
    let mut colours: Vec<_> = sorted.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
    colours.sort_unstable_by_key(|(count, colour)| (std::cmp::Reverse(*count), *colour));
    let pooled = |middle: Rgb| {
        let near = colours.iter().filter(|(_, colour)| is_near(middle, *colour, tolerance));
        near.map(|(count, _)| count).sum::<usize>()
    };
    let candidates =
        colours.iter().take(CANDIDATES).map(|(exact, middle)| (pooled(*middle), *exact, *middle));
    // Of equal pools the first, whose own colour is the commonest.
    let (count, exact, middle) = candidates.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    if exact * 2 >= count {
        return Some(Pool { colour: middle, count });
    }
    let near: Vec<_> = sorted.into_iter().filter(|pixel| is_near(middle, *pixel, tolerance)).collect();
    let median = |channel: usize| {
        let mut values: Vec<_> = near.iter().map(|pixel| pixel[channel]).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let colour = [median(0), median(1), median(2)];
    let count = pixels.iter().filter(|pixel| is_near(colour, **pixel, tolerance)).count();
    Some(Pool { colour, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGENTA: Rgb = [255, 0, 255];
    const WHITE: Rgb = [255; 3];
    const BLUE: Rgb = [0, 0, 255];
    const INK: Rgb = [20, 30, 40];

    fn found(size: Size, tolerance: u8, colour_at: impl Fn(u32, u32) -> Rgb) -> Background {
        let mut builder = BackgroundBuilder::new(size, tolerance);
        for y in 0..size.height {
            let row: Vec<_> = (0..size.width)
                .map(|x| {
                    let [r, g, b] = colour_at(x, y);
                    [r, g, b, 255]
                })
                .collect();
            builder.push_rows(row.as_flattened());
        }
        builder.finish()
    }

    #[test]
    fn the_border_s_commonest_colour_is_the_background() {
        // 2 x 20 + 2 x 8 border pixels, 6 of them ink.
        let is_ink = |x, y| (3..9).contains(&x) && y < 5;
        let background = found(Size::new(20, 10), 8, |x, y| if is_ink(x, y) { INK } else { MAGENTA });
        assert_eq!(background, Background { colours: vec![MAGENTA], border_share: 50.0 / 56.0 });
    }

    #[test]
    fn noise_is_pooled_around_its_median() {
        // 250 to 254 by turns, and exactly as often.
        let noise = |x: u32, y: u32| [250 + (x + 2 * y) as u8 % 5, 252, 252];
        let background =
            found(Size::new(50, 20), 8, |x, y| if x > 9 && x < 40 && y > 5 { INK } else { noise(x, y) });
        assert_eq!(background.colours, [[252, 252, 252]]);
        assert_eq!(found(Size::new(50, 20), 0, noise).colours, [] as [Rgb; 0]);
    }

    #[test]
    fn one_pixel_is_its_own_border_and_nothing_has_none() {
        let background = found(Size::new(1, 1), 8, |_, _| INK);
        assert_eq!(background, Background { colours: vec![INK], border_share: 1.0 });
        assert_eq!(found(Size::new(0, 0), 8, |_, _| INK), Background::default());
        assert_eq!(found(Size::new(1, 5), 8, |_, _| INK).border_share, 1.0);
    }

    #[test]
    fn a_border_of_many_colours_has_no_background() {
        let background = found(Size::new(64, 64), 8, |x, y| [(x * 4) as u8, (y * 4) as u8, 0]);
        assert_eq!(background, Background::default());
    }

    #[test]
    fn a_painted_chequerboard_has_two_colours() {
        let (light, dark) = ([255; 3], [204; 3]);
        let board = |x: u32, y: u32| if (x / 8 + y / 8).is_multiple_of(2) { light } else { dark };
        let is_ink = |x, y| (10..50).contains(&x) && (10..30).contains(&y);
        let background = found(Size::new(64, 40), 8, |x, y| if is_ink(x, y) { INK } else { board(x, y) });
        assert_eq!((background.colours.len(), background.border_share), (2, 1.0));
        assert!(background.colours.contains(&light) && background.colours.contains(&dark));
    }

    #[test]
    fn a_sprite_at_the_border_is_no_second_colour() {
        // A quarter of the border and more, but with other colours besides.
        let background = found(Size::new(40, 4), 8, |x, _| match x {
            0..12 => INK,
            12..20 => [200, 100, 0],
            _ => WHITE,
        });
        assert_eq!(background.colours, [WHITE]);
    }

    #[test]
    fn lines_from_side_to_side_are_background() {
        let is_line = |x: u32, y: u32| x % 16 == 15 || y % 16 == 15;
        let is_ink = |x: u32, y: u32| (4..12).contains(&(x % 16)) && (4..12).contains(&(y % 16));
        let background = found(Size::new(63, 47), 8, |x, y| match (is_line(x, y), is_ink(x, y)) {
            (true, _) => [0, 128, 0],
            (_, true) => INK,
            _ => WHITE,
        });
        assert_eq!(background.colours, [WHITE, [0, 128, 0]]);
    }

    /// Boxes of 20 x 20 at every 30 pixels, with a figure of 8 x 12 in each.
    fn boxed(fill: Rgb, x: u32, y: u32) -> Rgb {
        let is_box = (5..25).contains(&(x % 30)) && (5..25).contains(&(y % 30));
        let is_figure = (11..19).contains(&(x % 30)) && (9..21).contains(&(y % 30));
        match (is_figure, is_box) {
            (true, _) => INK,
            (_, true) => fill,
            _ => WHITE,
        }
    }

    #[test]
    fn boxes_of_a_key_colour_around_figures_are_background() {
        let size = Size::new(120, 90);
        assert_eq!(found(size, 8, |x, y| boxed(BLUE, x, y)).colours, [WHITE, BLUE]);
        // Cards are pictures.
        assert_eq!(found(size, 8, |x, y| boxed([240, 240, 200], x, y)).colours, [WHITE]);
        // So are plain blocks, whatever their colour.
        let plain = |x, y| if boxed(BLUE, x, y) == WHITE { WHITE } else { BLUE };
        assert_eq!(found(size, 8, plain).colours, [WHITE]);
    }
}
