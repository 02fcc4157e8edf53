//! Drawing with text: a picture is written as lines with one character per pixel, parts are laid over each other,
//! and the outline is added at the end, so that it is the same around everything.

use super::Picture;
use super::palette::{CLEAR, Colour, colour, darker};
use crate::geometry::{Offset, PixelRect, Size};

const RIGHT_DOWN_LEFT_UP: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Picture {
    /// A clear picture.
    pub fn new(size: Size) -> Self {
        Self { size, rgba: vec![0; size.area() as usize * 4] }
    }

    /// A picture from lines of palette letters, as wide as the longest; blank lines at both ends do not count.
    pub fn from_text(text: &str) -> Self {
        let lines: Vec<&str> = text.trim_matches('\n').lines().collect();
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let mut picture = Self::new(Size::new(width as u32, lines.len() as u32));
        for (y, line) in lines.iter().enumerate() {
            for (x, letter) in line.chars().enumerate() {
                picture.put(x as i32, y as i32, colour(letter));
            }
        }
        picture
    }

    /// Pixels across, for arithmetic with coordinates that may be negative.
    pub const fn width(&self) -> i32 {
        self.size.width as i32
    }

    /// Pixels down.
    pub const fn height(&self) -> i32 {
        self.size.height as i32
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x < self.width() && y < self.height();
        inside.then(|| (y as usize * self.size.width as usize + x as usize) * 4)
    }

    /// The pixel at `x`, `y`; clear outside.
    pub fn get(&self, x: i32, y: i32) -> Colour {
        let Some(at) = self.index(x, y) else { return CLEAR };
        [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2], self.rgba[at + 3]]
    }

    /// Sets the pixel at `x`, `y`; nothing outside.
    pub fn put(&mut self, x: i32, y: i32, colour: Colour) {
        if let Some(at) = self.index(x, y) {
            self.rgba[at..at + 4].copy_from_slice(&colour);
        }
    }

    /// Whether the pixel at `x`, `y` has any ink.
    pub fn has_ink(&self, x: i32, y: i32) -> bool {
        self.get(x, y)[3] != 0
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, rect: PixelRect, colour: Colour) {
        for y in rect.y..rect.y + rect.height {
            for x in rect.x..rect.x + rect.width {
                self.put(x, y, colour);
            }
        }
    }

    /// Lays the ink of `part` over this picture, its top left corner at `at`.
    pub fn draw(&mut self, part: &Self, at: Offset) {
        for y in 0..part.height() {
            for x in 0..part.width() {
                if part.has_ink(x, y) {
                    self.put(at.x + x, at.y + y, part.get(x, y));
                }
            }
        }
    }

    /// Like [`Picture::draw`], and draws `line` around the part where there is ink beneath: this sets an arm off
    /// from the body that it swings in front of.
    pub fn draw_set_off(&mut self, part: &Self, at: Offset, line: Colour) {
        for y in -1..=part.height() {
            for x in -1..=part.width() {
                let beside = !part.has_ink(x, y) && part.touches_ink(x, y);
                if beside && self.has_ink(at.x + x, at.y + y) {
                    self.put(at.x + x, at.y + y, line);
                }
            }
        }
        self.draw(part, at);
    }

    fn touches_ink(&self, x: i32, y: i32) -> bool {
        RIGHT_DOWN_LEFT_UP.iter().any(|(dx, dy)| self.has_ink(x + dx, y + dy))
    }

    /// The same picture, one pixel larger on every side, with `line` around its ink.
    #[must_use]
    pub fn outlined(&self, line: Colour) -> Self {
        let mut out = Self::new(Size::new(self.size.width + 2, self.size.height + 2));
        for y in -1..=self.height() {
            for x in -1..=self.width() {
                if self.has_ink(x, y) {
                    out.put(x + 1, y + 1, self.get(x, y));
                } else if self.touches_ink(x, y) {
                    out.put(x + 1, y + 1, line);
                }
            }
        }
        out
    }

    /// The same picture with every colour one step down its ramp.
    #[must_use]
    pub fn in_shade(&self) -> Self {
        let mut out = self.clone();
        for pixel in out.rgba.as_chunks_mut::<4>().0 {
            *pixel = darker(*pixel);
        }
        out
    }

    /// The part of the picture in `rect`.
    #[must_use]
    pub fn cropped(&self, rect: PixelRect) -> Self {
        let mut out = Self::new(Size::new(rect.width.max(0) as u32, rect.height.max(0) as u32));
        for y in 0..out.height() {
            for x in 0..out.width() {
                out.put(x, y, self.get(rect.x + x, rect.y + y));
            }
        }
        out
    }

    /// Without the clear rows and columns around its ink.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        self.cropped(self.ink_rect().unwrap_or_default())
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut out = Self::new(self.size);
        for y in 0..self.height() {
            for x in 0..self.width() {
                out.put(self.width() - 1 - x, y, self.get(x, y));
            }
        }
        out
    }

    /// Every pixel as a block of `factor` by `factor`.
    #[must_use]
    pub fn enlarged(&self, factor: u32) -> Self {
        let mut out = Self::new(Size::new(self.size.width * factor, self.size.height * factor));
        for y in 0..out.height() {
            for x in 0..out.width() {
                out.put(x, y, self.get(x / factor as i32, y / factor as i32));
            }
        }
        out
    }

    /// The smallest rectangle around all ink, `None` when there is none.
    pub fn ink_rect(&self) -> Option<PixelRect> {
        let mut found: Option<(i32, i32, i32, i32)> = None;
        for y in 0..self.height() {
            for x in 0..self.width() {
                if self.has_ink(x, y) {
                    let (left, top, right, bottom) = found.unwrap_or((x, y, x, y));
                    found = Some((left.min(x), top.min(y), right.max(x), bottom.max(y)));
                }
            }
        }
        found.map(|(left, top, right, bottom)| PixelRect::new(left, top, right - left + 1, bottom - top + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::palette::INK;
    use super::*;

    #[test]
    fn text_becomes_pixels_and_dots_stay_clear() {
        let picture = Picture::from_text("\nr.\n.b\n");
        assert_eq!(picture.size, Size::new(2, 2));
        assert_eq!(picture.get(0, 0), colour('r'));
        assert_eq!(picture.get(1, 0), CLEAR);
        assert_eq!(picture.get(1, 1), colour('b'));
        assert_eq!(picture.ink_rect(), Some(PixelRect::new(0, 0, 2, 2)));
    }

    #[test]
    fn an_outline_goes_around_edges_and_not_around_corners() {
        let picture = Picture::from_text("r").outlined(INK);
        assert_eq!(picture.size, Size::new(3, 3));
        assert_eq!(picture.get(1, 0), INK);
        assert_eq!(picture.get(0, 0), CLEAR);
        assert_eq!(picture.get(1, 1), colour('r'));
    }

    #[test]
    fn setting_off_draws_its_line_on_ink_only() {
        let mut picture = Picture::from_text("bb.");
        picture.draw_set_off(&Picture::from_text("r"), Offset::new(1, 0), INK);
        assert_eq!([0, 1, 2].map(|x| picture.get(x, 0)), [INK, colour('r'), CLEAR]);
    }

    #[test]
    fn drawing_outside_is_ignored() {
        let mut picture = Picture::from_text("b");
        picture.draw(&Picture::from_text("rr\nrr"), Offset::new(-1, -1));
        assert_eq!(picture.get(0, 0), colour('r'));
        assert_eq!(Picture::new(Size::new(0, 0)).ink_rect(), None);
    }

    #[test]
    fn mirroring_and_enlarging_move_whole_pixels() {
        let picture = Picture::from_text("rb").mirrored();
        assert_eq!(picture.get(0, 0), colour('b'));
        let large = picture.enlarged(2);
        assert_eq!(large.size, Size::new(4, 2));
        assert_eq!(
            [0, 1, 2, 3].map(|x| large.get(x, 1)),
            ["b", "b", "r", "r"].map(|l| Picture::from_text(l).get(0, 0))
        );
    }
}
