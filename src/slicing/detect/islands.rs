//! Islands of ink: pixels that touch, also at a corner. Rows become runs, a run takes the label of those it meets
//! in the row above, and labels that meet in one run are one island. Memory goes by the runs, not by the pixels.

use std::ops::Range;

use crate::geometry::{PixelRect, Size};
use crate::slicing::ink::{InkPlanes, InkRule};

use super::labels::Labels;
use super::row_bits::RowScanner;

/// Ink that hangs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Island {
    /// The smallest rectangle around it, in image pixels.
    pub rect: PixelRect,
    /// Its ink pixels.
    pub ink_area: u64,
}

/// A run of ink in one row, exclusive at its end.
#[derive(Clone, Copy)]
struct Run {
    start: u32,
    end: u32,
    label: u32,
}

/// The runs of successive rows.
#[derive(Default)]
struct Rows {
    first_row: u32,
    /// Where in `runs` each row ends.
    ends: Vec<usize>,
    runs: Vec<Run>,
    /// Labels of the bands above, which those of `runs` do not count.
    labels_before: usize,
}

impl Rows {
    fn row(&self, y: u32) -> &[Run] {
        let Some(index) = y.checked_sub(self.first_row) else { return &[] };
        let end = self.ends.get(index as usize).copied().unwrap_or_default();
        let start = (index as usize).checked_sub(1).and_then(|above| self.ends.get(above)).copied();
        self.runs.get(start.unwrap_or_default()..end).unwrap_or_default()
    }

    fn end_row(&self) -> u32 {
        self.first_row + self.ends.len() as u32
    }
}

/// The labelled rows of a part of an image.
pub struct Band {
    size: Size,
    rows: Rows,
    labels: Labels,
}

/// Labels some rows of an image by themselves. Bands may be labelled at the same time; [`join`] makes islands of
/// them. Rows that the image does not have are left out.
pub fn label_rows(planes: &InkPlanes, rule: InkRule, rows: Range<u32>) -> Band {
    let size = planes.size();
    let rows = rows.start.min(size.height)..rows.end.min(size.height);
    let mut scanner = RowScanner::new(planes, rule);
    let mut labels = Labels::default();
    let mut labelled = Rows { first_row: rows.start, ..Rows::default() };
    labelled.ends.reserve_exact(rows.len());
    let (mut above, mut current): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    for y in rows {
        label_row(y, scanner.runs(y), &above, &mut current, &mut labels);
        labelled.runs.extend_from_slice(&current);
        labelled.ends.push(labelled.runs.len());
        std::mem::swap(&mut above, &mut current);
    }
    Band { size, rows: labelled, labels }
}

fn label_row(y: u32, runs: &[[u32; 2]], above: &[Run], current: &mut Vec<Run>, labels: &mut Labels) {
    current.clear();
    let mut next = 0;
    for &[start, end] in runs {
        while above.get(next).is_some_and(|run| run.end < start) {
            next += 1;
        }
        let mut met = None;
        while let Some(run) = above.get(next).filter(|run| run.start <= end) {
            met = Some(met.map_or(run.label, |label| labels.unite(label, run.label)));
            // A run that reaches further may meet the next one too.
            if run.end > end {
                break;
            }
            next += 1;
        }
        let label = if let Some(label) = met {
            labels.extend(label, y, [start, end]);
            label
        } else {
            labels.start(y, [start, end])
        };
        current.push(Run { start, end, label });
    }
}

/// Makes one whole of bands that follow each other from the image's top to its bottom.
pub fn join(bands: Vec<Band>) -> Islands {
    let mut joined = Islands::default();
    let mut labels = Labels::default();
    for Band { size, mut rows, labels: below } in bands {
        joined.size = size;
        if rows.ends.is_empty() {
            continue;
        }
        rows.labels_before = labels.len();
        labels.append(below);
        if let Some(above) = joined.bands.last().filter(|above| above.end_row() == rows.first_row) {
            let last_row = above.end_row().checked_sub(1).map_or(&[][..], |y| above.row(y));
            unite_rows(
                last_row,
                above.labels_before,
                rows.row(rows.first_row),
                rows.labels_before,
                &mut labels,
            );
        }
        joined.bands.push(rows);
    }
    (joined.all, joined.island_of_label) = labels.finish();
    joined
}

/// Unites what meets across the seam of two bands.
fn unite_rows(above: &[Run], before_above: usize, below: &[Run], before_below: usize, labels: &mut Labels) {
    let mut next = 0;
    for run in below {
        while above.get(next).is_some_and(|upper| upper.end < run.start) {
            next += 1;
        }
        for upper in above.iter().skip(next).take_while(|upper| upper.start <= run.end) {
            labels.unite(upper.label + before_above as u32, run.label + before_below as u32);
        }
    }
}

/// All islands of an image, on this thread.
pub fn islands(planes: &InkPlanes, rule: InkRule) -> Islands {
    join(vec![label_rows(planes, rule, 0..planes.size().height)])
}

/// The islands of an image, and where they are.
#[derive(Default)]
pub struct Islands {
    size: Size,
    all: Vec<Island>,
    bands: Vec<Rows>,
    island_of_label: Vec<u32>,
}

impl Islands {
    /// Width and height of the image, in pixels.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Every island, in reading order of their first pixels: by row, then by column.
    pub fn all(&self) -> &[Island] {
        &self.all
    }

    /// The index of the island that has the pixel at `x`, `y`; `None` where there is no ink.
    pub fn at(&self, x: u32, y: u32) -> Option<usize> {
        let bands_from = self.bands.partition_point(|band| band.first_row <= y);
        let band = self.bands[..bands_from].iter().rev().find(|band| y < band.end_row())?;
        let row = band.row(y);
        let run = row.get(row.partition_point(|run| run.end <= x)).filter(|run| run.start <= x)?;
        self.island_of_label.get(band.labels_before + run.label as usize).map(|island| *island as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::slicing::ink::InkBuilder;

    /// `#` is ink.
    fn planes(picture: &[&str]) -> InkPlanes {
        let width = picture.first().map_or(0, |row| row.len());
        let mut builder = InkBuilder::new(Size::new(width as u32, picture.len() as u32), &[]);
        for row in picture {
            let rgba: Vec<_> = row.bytes().map(|c| [0, 0, 0, if c == b'#' { 255 } else { 0 }]).collect();
            builder.push_rows(rgba.as_flattened());
        }
        builder.finish()
    }

    fn found(picture: &[&str]) -> Vec<(i32, i32, i32, i32, u64)> {
        let islands = islands(&planes(picture), InkRule::default());
        let tuple = |island: &Island| {
            let PixelRect { x, y, width, height } = island.rect;
            (x, y, width, height, island.ink_area)
        };
        islands.all().iter().map(tuple).collect()
    }

    #[test]
    fn ink_in_corners_and_at_borders_is_whole() {
        let corners = ["##..#", "#....", ".....", "....#", "#..##"];
        let expected = [(0, 0, 2, 2, 3), (4, 0, 1, 1, 1), (3, 3, 2, 2, 3), (0, 4, 1, 1, 1)];
        assert_eq!(found(&corners), expected);
    }

    #[test]
    fn one_pixel_is_an_island_and_none_is_none() {
        assert_eq!(found(&["#"]), [(0, 0, 1, 1, 1)]);
        assert_eq!(found(&["."]), []);
        assert_eq!(found(&[]), []);
        assert!(join(Vec::new()).all().is_empty());
        assert_eq!(join(Vec::new()).at(0, 0), None);
    }

    #[test]
    fn pixels_that_touch_at_a_corner_hang_together() {
        assert_eq!(found(&["#..", ".#.", "#.."]), [(0, 0, 2, 3, 3)]);
        assert_eq!(found(&["..#", ".#.", "#.."]), [(0, 0, 3, 3, 3)]);
        assert_eq!(found(&["#.#", "...", "#.#"]).len(), 4);
    }

    #[test]
    fn arms_that_meet_at_the_bottom_are_one() {
        let arms = ["#.#.#", "#.#.#", "#.#.#", "#####", "....."];
        assert_eq!(found(&arms), [(0, 0, 5, 4, 14)]);
        // The same upside down: one run above meets three below.
        assert_eq!(found(&["#####", "#.#.#"]), [(0, 0, 5, 2, 8)]);
    }

    #[test]
    fn a_spiral_is_one_and_what_lies_in_it_another() {
        let spiral = [
            "#########",
            "........#",
            "#######.#",
            "#.....#.#",
            "#.#...#.#",
            "#.....#.#",
            "#.#####.#",
            "#.......#",
            "#########",
        ];
        // 9 + 1 + 8 + 3 + 3 + 3 + 7 + 2 + 9, and the dot at 2, 4.
        assert_eq!(found(&spiral), [(0, 0, 9, 9, 45), (2, 4, 1, 1, 1)]);
    }

    #[test]
    fn without_any_plane_the_image_is_one_island() {
        let mut builder = InkBuilder::new(Size::new(3, 2), &[]);
        builder.push_rows(&[255; 24]);
        let islands = islands(&builder.finish(), InkRule::default());
        assert_eq!(islands.all(), [Island { rect: PixelRect::new(0, 0, 3, 2), ink_area: 6 }]);
        assert_eq!([islands.at(2, 1), islands.at(3, 1), islands.at(0, 2)], [Some(0), None, None]);
    }

    #[test]
    fn a_pixel_tells_its_island() {
        let islands = islands(&planes(&["#.#", "#.#", "###", "...", "#.."]), InkRule::default());
        let row = |y| [0, 1, 2, 3].map(|x| islands.at(x, y));
        assert_eq!(row(0), [Some(0), None, Some(0), None]);
        assert_eq!(row(2), [Some(0), Some(0), Some(0), None]);
        assert_eq!(row(4), [Some(1), None, None, None]);
        assert_eq!(row(5), [None; 4]);
    }

    /// Label of every pixel by a plain flood fill, numbered in reading order.
    fn flooded(ink: &[bool], width: usize) -> (Vec<Option<usize>>, Vec<Island>) {
        let height = ink.len() / width;
        let mut labels = vec![None; ink.len()];
        let mut islands = Vec::new();
        for first in 0..ink.len() {
            if !ink[first] || labels[first].is_some() {
                continue;
            }
            let (mut stack, mut members) = (vec![first], Vec::new());
            labels[first] = Some(islands.len());
            while let Some(pixel) = stack.pop() {
                members.push((pixel % width, pixel / width));
                let (x, y) = (pixel % width, pixel / width);
                for ny in y.saturating_sub(1)..(y + 2).min(height) {
                    for nx in x.saturating_sub(1)..(x + 2).min(width) {
                        let neighbour = ny * width + nx;
                        if ink[neighbour] && labels[neighbour].is_none() {
                            labels[neighbour] = Some(islands.len());
                            stack.push(neighbour);
                        }
                    }
                }
            }
            let (left, right) =
                (members.iter().map(|m| m.0).min().unwrap(), members.iter().map(|m| m.0).max().unwrap());
            let (top, bottom) =
                (members.iter().map(|m| m.1).min().unwrap(), members.iter().map(|m| m.1).max().unwrap());
            let rect =
                PixelRect::new(left as i32, top as i32, (right + 1 - left) as i32, (bottom + 1 - top) as i32);
            islands.push(Island { rect, ink_area: members.len() as u64 });
        }
        (labels, islands)
    }

    proptest! {
        #[test]
        fn islands_are_those_of_a_flood_fill_in_one_band_and_in_several(
            width in prop_oneof![1..12_usize, 60..140_usize],
            bits in prop::collection::vec(prop_oneof![2 => Just(false), 1 => Just(true)], 1..900),
            cuts in prop::collection::vec(0..80_u32, 0..4),
        ) {
            let height = bits.len().div_ceil(width);
            let mut ink = bits;
            ink.resize(width * height, false);
            let mut builder = InkBuilder::new(Size::new(width as u32, height as u32), &[]);
            let rgba: Vec<_> = ink.iter().map(|ink| [0, 0, 0, if *ink { 200 } else { 3 }]).collect();
            builder.push_rows(rgba.as_flattened());
            let planes = builder.finish();
            let (labels, expected) = flooded(&ink, width);

            let mut borders = cuts;
            borders.extend([0, height as u32]);
            borders.sort_unstable();
            let rule = InkRule::default();
            let bands = borders.windows(2).map(|ends| label_rows(&planes, rule, ends[0]..ends[1]));
            for islands in [islands(&planes, rule), join(bands.collect())] {
                prop_assert_eq!(islands.all(), expected.as_slice());
                for (pixel, label) in labels.iter().enumerate() {
                    prop_assert_eq!(islands.at((pixel % width) as u32, (pixel / width) as u32), *label);
                }
            }
        }
    }
}
