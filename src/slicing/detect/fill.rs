//! Second backgrounds that the border does not show: lines between cells, and boxes of a key colour behind each
//! figure.

use crate::geometry::Size;
use crate::slicing::ink::Rgb;

use super::background::{is_near, rgb};

/// Rows and columns of one colour from side to side.
pub(super) struct Lines {
    tolerance: u8,
    rows_so_far: usize,
    rows: Vec<Line>,
    /// Columns that had one colour so far.
    columns: Vec<Line>,
}

/// A row or column of pixels by its place, and their colour.
type Line = (usize, Rgb);

impl Lines {
    /// What is thicker may be a sprite from side to side.
    const MAX_THICKNESS: usize = 4;

    pub(super) fn new(tolerance: u8) -> Self {
        Self { tolerance, rows_so_far: 0, rows: Vec::new(), columns: Vec::new() }
    }

    pub(super) fn push_row(&mut self, row: &[[u8; 4]]) {
        let Some(first) = row.first().map(|pixel| rgb(*pixel)) else { return };
        let tolerance = self.tolerance;
        if row.iter().all(|pixel| is_near(rgb(*pixel), first, tolerance)) {
            self.rows.push((self.rows_so_far, first));
        }
        if self.rows_so_far == 0 {
            self.columns = row.iter().map(|pixel| rgb(*pixel)).enumerate().collect();
        }
        self.columns
            .retain(|(x, colour)| row.get(*x).is_some_and(|pixel| is_near(rgb(*pixel), *colour, tolerance)));
        self.rows_so_far += 1;
    }

    /// The colour of thin lines that are not of the background: lines that cross, or three side by side.
    pub(super) fn colour(self, background: Rgb) -> Option<Rgb> {
        let (rows, columns) = (self.others(&self.rows, background), self.others(&self.columns, background));
        let colour = rows.iter().chain(&columns).next()?.1;
        let is_one = rows.iter().chain(&columns).all(|line| is_near(line.1, colour, self.tolerance));
        let (across, down) = (thin_lines(&rows)?, thin_lines(&columns)?);
        (is_one && (across.min(down) > 0 || across.max(down) > 2)).then_some(colour)
    }

    fn others(&self, lines: &[Line], background: Rgb) -> Vec<Line> {
        lines.iter().copied().filter(|line| !is_near(line.1, background, self.tolerance)).collect()
    }
}

/// How many lines these are when neighbours count as one; `None` when one of them is too thick.
fn thin_lines(lines: &[Line]) -> Option<usize> {
    let mut whole = lines.chunk_by(|a, b| a.0 + 1 == b.0);
    whole
        .all(|line| line.len() <= Lines::MAX_THICKNESS)
        .then(|| lines.chunk_by(|a, b| a.0 + 1 == b.0).count())
}

/// Colours that say "nothing is here" and that pictures hardly ever have.
const KEYS: [Rgb; 4] = [[255, 0, 255], [0, 255, 0], [0, 0, 255], [0, 255, 255]];

/// Boxes of a key colour on the background: some of the image is of that colour, it begins where the background
/// ends along straight edges, and figures are what it ends at.
pub(super) struct Fill {
    size: Size,
    tolerance: u8,
    background: Option<Rgb>,
    keys: [Key; KEYS.len()],
}

#[derive(Default)]
struct Key {
    pixels: u64,
    /// Pixels of it right of the background.
    edges: u64,
    /// Those in straight lines of [`Fill::MIN_STRAIGHT`] and more.
    straight: u64,
    /// Runs of it that end at neither.
    figures: u64,
    /// For each column how many rows its edge goes on for.
    streaks: Vec<u32>,
}

impl Fill {
    /// Shortest edge of a box, in pixels.
    const MIN_STRAIGHT: u32 = 8;
    /// One pixel of so many, at least.
    const MIN_PIXELS: u64 = 20;

    pub(super) fn new(size: Size, tolerance: u8) -> Self {
        Self { size, tolerance, background: None, keys: Default::default() }
    }

    /// Must come before the first row: the background as far as it is known.
    pub(super) fn begin(&mut self, background: Option<Rgb>) {
        self.background = background;
    }

    pub(super) fn push_row(&mut self, row: &[[u8; 4]]) {
        let Some(background) = self.background else { return };
        let is_background = |pixel: [u8; 4]| is_near(rgb(pixel), background, self.tolerance);
        for (key, colour) in self.keys.iter_mut().zip(KEYS) {
            if is_near(colour, background, self.tolerance) {
                continue;
            }
            // Nearly every row of nearly every image ends here. Words compare many at a time, three bytes do not.
            let word = u32::from_le_bytes([colour[0], colour[1], colour[2], 255]);
            let pixels = row
                .iter()
                .map(|&[r, g, b, _]| u32::from(u32::from_le_bytes([r, g, b, 255]) == word))
                .sum::<u32>();
            if pixels == 0 && key.streaks.is_empty() {
                continue;
            }
            key.pixels += u64::from(pixels);
            key.streaks.resize(row.len(), 0);
            for (streak, pair) in key.streaks.iter_mut().zip(row.windows(2)) {
                let [before, after] = [pair[0], pair[1]];
                if rgb(after) == colour && is_background(before) {
                    key.edges += 1;
                    *streak += 1;
                } else if *streak > 0 {
                    key.straight += straight(std::mem::take(streak));
                }
                if rgb(before) == colour && rgb(after) != colour && !is_background(after) {
                    key.figures += 1;
                }
            }
        }
    }

    /// The key colour of the boxes on this background.
    pub(super) fn colour(self, background: Rgb) -> Option<Rgb> {
        if !self.background.is_some_and(|begun| is_near(begun, background, self.tolerance)) {
            return None;
        }
        let filling = self.keys.into_iter().zip(KEYS).filter(|(key, _)| {
            let straight = key.straight + key.streaks.iter().map(|streak| straight(*streak)).sum::<u64>();
            key.pixels * Self::MIN_PIXELS >= self.size.area()
                && key.edges > 0
                && straight * 2 >= key.edges
                && key.figures * 2 >= key.edges
        });
        filling.max_by_key(|(key, _)| key.pixels).map(|(_, colour)| colour)
    }
}

fn straight(streak: u32) -> u64 {
    if streak >= Fill::MIN_STRAIGHT { streak.into() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: [u8; 4] = [255; 4];
    const BLUE: [u8; 4] = [0, 0, 255, 255];
    const INK: [u8; 4] = [9, 9, 9, 255];

    fn lines(rows: &[&str]) -> Option<Rgb> {
        let mut lines = Lines::new(8);
        for row in rows {
            let pixels: Vec<_> = row.bytes().map(|c| [c, c, c, 255]).collect();
            lines.push_row(&pixels);
        }
        lines.colour([b'.'; 3])
    }

    #[test]
    fn lines_cross_or_are_three_of_one_colour() {
        assert_eq!(lines(&["..y..", "yyyyy", "..y.."]), Some([b'y'; 3]));
        assert_eq!(lines(&["y.y.y", "y.A.y"]), None);
        assert_eq!(lines(&["y.y.y", "y.y.y"]), Some([b'y'; 3]));
        assert_eq!(lines(&[".....", "yyyyy", "....."]), None);
        assert_eq!(lines(&["..y..", "AAAAA", "..y.."]), None);
        assert_eq!(lines(&[]), None);
    }

    #[test]
    fn a_thick_bar_may_be_a_sprite() {
        assert_eq!(
            lines(&["yyyyy", ".....", "yyyyy", "yyyyy", "yyyyy", "yyyyy", "yyyyy", ".....", "yyyyy"]),
            None
        );
        assert_eq!(
            lines(&["yyyyy", ".....", "yyyyy", "yyyyy", "yyyyy", "yyyyy", ".....", "yyyyy"]),
            Some([b'y'; 3])
        );
    }

    fn fill(height: u32, row: &[[u8; 4]]) -> Option<Rgb> {
        let mut fill = Fill::new(Size::new(row.len() as u32, height), 8);
        fill.begin(Some([255; 3]));
        for _ in 0..height {
            fill.push_row(row);
        }
        fill.colour([255; 3])
    }

    #[test]
    fn a_box_is_straight_for_8_pixels_and_has_a_figure() {
        let row = [WHITE, BLUE, INK, BLUE, WHITE];
        assert_eq!(fill(8, &row), Some([0, 0, 255]));
        assert_eq!(fill(7, &row), None);
        assert_eq!(fill(8, &[WHITE, BLUE, BLUE, BLUE, WHITE]), None);
        assert_eq!(fill(8, &[WHITE, INK, BLUE, INK, WHITE]), None, "the key colour is inside the figure");
    }

    #[test]
    fn slanted_edges_are_no_box() {
        let mut fill = Fill::new(Size::new(12, 8), 8);
        fill.begin(Some([255; 3]));
        for y in 0..8 {
            let mut row = [WHITE; 12];
            row[y + 1] = BLUE;
            row[y + 2] = INK;
            fill.push_row(&row);
        }
        assert_eq!(fill.colour([255; 3]), None);
    }
}
