//! What of an image is sprite and what is background: a byte or two per pixel, made once, from which any threshold
//! can be tried without decoding again.

use crate::geometry::{PixelRect, Size};

/// A colour that counts as background.
pub type Rgb = [u8; 3];

/// From which values on a pixel is ink.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InkRule {
    /// Ink has a larger alpha than this.
    pub alpha_threshold: u8,
    /// Ink differs from every background colour by more than this in some channel.
    pub tolerance: u8,
}

impl Default for InkRule {
    /// Faint pixels are no ink, and 8 per channel is the noise of a reduced palette.
    fn default() -> Self {
        Self { alpha_threshold: 8, tolerance: 8 }
    }
}

/// Alpha and distance from the background of each pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InkPlanes {
    size: Size,
    /// `None` when every pixel is opaque.
    alpha: Option<Vec<u8>>,
    /// The largest difference of a channel to the nearest background colour; `None` without background colours.
    distance: Option<Vec<u8>>,
}

impl InkPlanes {
    /// Width and height of the image, in pixels.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Whether every pixel is opaque.
    pub const fn is_opaque(&self) -> bool {
        self.alpha.is_none()
    }

    /// The alpha of row `y`; `None` when every pixel of the image is opaque.
    pub fn alpha_row(&self, y: u32) -> Option<&[u8]> {
        Self::row(self.alpha.as_deref(), self.size.width, y)
    }

    /// The distances of row `y`; `None` without background colours.
    pub fn distance_row(&self, y: u32) -> Option<&[u8]> {
        Self::row(self.distance.as_deref(), self.size.width, y)
    }

    fn row(plane: Option<&[u8]>, width: u32, y: u32) -> Option<&[u8]> {
        let start = y as usize * width as usize;
        plane.map(|plane| &plane[start..start + width as usize])
    }

    /// Whether the pixel at `x`, `y`, which the image must have, is ink.
    pub fn is_ink(&self, x: u32, y: u32, rule: InkRule) -> bool {
        let x = x as usize;
        self.alpha_row(y).is_none_or(|row| row[x] > rule.alpha_threshold)
            && self.distance_row(y).is_none_or(|row| row[x] > rule.tolerance)
    }

    /// Whether background colours tell the ink.
    pub const fn has_background_colours(&self) -> bool {
        self.distance.is_some()
    }

    /// Says of the pixels of row `y` from column `left` on, which the image must have, whether each is no ink: 1 or 0.
    pub fn mark_background(&self, left: u32, y: u32, rule: InkRule, marks: &mut [u8]) {
        let left = left as usize;
        marks.fill(0);
        let planes =
            [(self.alpha_row(y), rule.alpha_threshold), (self.distance_row(y), rule.tolerance)].into_iter();
        for (row, threshold) in planes.filter_map(|(row, threshold)| Some((row?, threshold))) {
            for (mark, value) in marks.iter_mut().zip(&row[left..]) {
                *mark |= u8::from(*value <= threshold);
            }
        }
    }

    /// The smallest rectangle with all ink of `within` (clipped to the image); `None` when there is no ink in it.
    pub fn ink_bounds(&self, within: PixelRect, rule: InkRule) -> Option<PixelRect> {
        let within = within.clipped_to(self.size)?;
        let columns = within.x as u32..within.right() as u32;
        let rows = within.y as u32..within.bottom() as u32;
        let has_ink = |y: &u32| columns.clone().any(|x| self.is_ink(x, *y, rule));
        let top = rows.clone().find(has_ink)?;
        let bottom = rows.rev().find(has_ink)?;
        let (mut left, mut right) = (columns.end, columns.start);
        for y in top..=bottom {
            if let Some(x) = (columns.start..left).find(|x| self.is_ink(*x, y, rule)) {
                left = x;
            }
            if let Some(x) = (right..columns.end).rev().find(|x| self.is_ink(*x, y, rule)) {
                right = right.max(x);
            }
        }
        let (width, height) = (right + 1 - left, bottom + 1 - top);
        Some(PixelRect::new(left as i32, top as i32, width as i32, height as i32))
    }
}

/// Makes planes from rows of straight RGBA.
pub struct InkBuilder {
    size: Size,
    backgrounds: Vec<Rgb>,
    alpha: Vec<u8>,
    distance: Vec<u8>,
    rows: u32,
    is_opaque: bool,
}

impl InkBuilder {
    /// For an image of `size` pixels whose background has these colours (none: alpha alone tells).
    pub fn new(size: Size, backgrounds: &[Rgb]) -> Self {
        Self {
            size,
            backgrounds: backgrounds.to_vec(),
            alpha: Vec::new(),
            distance: Vec::new(),
            rows: 0,
            is_opaque: true,
        }
    }

    /// Takes the next rows from the top: straight RGBA, whole rows, not more than the image has.
    pub fn push_rows(&mut self, rgba: &[u8]) {
        let row_bytes = self.size.width as usize * 4;
        let pixels_before = self.rows as usize * self.size.width as usize;
        let (pixels, _) = rgba.as_chunks::<4>();
        if self.is_opaque && pixels.iter().any(|pixel| pixel[3] < 255) {
            self.is_opaque = false;
            self.alpha.reserve_exact(self.size.area() as usize);
            self.alpha.resize(pixels_before, 255);
        }
        if !self.is_opaque {
            self.alpha.extend(pixels.iter().map(|pixel| pixel[3]));
        }
        if let Some((first, others)) = self.backgrounds.split_first() {
            let before = self.distance.len();
            self.distance.extend(pixels.iter().map(|pixel| distance(*pixel, *first)));
            // Colour by colour: a loop over the colours of each pixel would keep the compiler from taking many
            // pixels at once.
            for colour in others {
                for (nearest, pixel) in self.distance[before..].iter_mut().zip(pixels) {
                    *nearest = distance(*pixel, *colour).min(*nearest);
                }
            }
        }
        self.rows += (rgba.len() / row_bytes.max(1)) as u32;
    }

    /// The planes; rows that never came are transparent.
    pub fn finish(mut self) -> InkPlanes {
        let area = self.size.area() as usize;
        let came = self.rows as usize * self.size.width as usize;
        if came < area {
            if self.is_opaque {
                self.alpha.resize(came, 255);
                self.is_opaque = false;
            }
            self.alpha.resize(area, 0);
            if !self.backgrounds.is_empty() {
                self.distance.resize(area, 0);
            }
        }
        InkPlanes {
            size: self.size,
            alpha: (!self.is_opaque).then_some(self.alpha),
            distance: (!self.backgrounds.is_empty()).then_some(self.distance),
        }
    }
}

/// The largest difference of a channel.
fn distance([r, g, b, _]: [u8; 4], colour: Rgb) -> u8 {
    r.abs_diff(colour[0]).max(g.abs_diff(colour[1])).max(b.abs_diff(colour[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planes(size: Size, backgrounds: &[Rgb], rgba: &[[u8; 4]]) -> InkPlanes {
        let mut builder = InkBuilder::new(size, backgrounds);
        builder.push_rows(rgba.as_flattened());
        builder.finish()
    }

    const RED: [u8; 4] = [255, 0, 0, 255];
    const CLEAR: [u8; 4] = [0; 4];

    #[test]
    fn a_block_s_bounds_end_behind_its_last_pixel() {
        let mut rgba = [CLEAR; 256];
        for y in 2..10 {
            for x in 3..7 {
                rgba[y * 16 + x] = RED;
            }
        }
        let planes = planes(Size::new(16, 16), &[], &rgba);
        let whole = PixelRect::new(-5, -5, 100, 100);
        assert_eq!(planes.ink_bounds(whole, InkRule::default()), Some(PixelRect::new(3, 2, 4, 8)));
        let part = PixelRect::new(5, 4, 1, 2);
        assert_eq!(planes.ink_bounds(part, InkRule::default()), Some(part));
        assert_eq!(planes.ink_bounds(PixelRect::new(8, 0, 8, 16), InkRule::default()), None);
    }

    #[test]
    fn alpha_begins_with_the_first_translucent_row() {
        let mut builder = InkBuilder::new(Size::new(1, 3), &[]);
        builder.push_rows(&RED);
        builder.push_rows(&[255, 0, 0, 8]);
        let planes = builder.finish();
        let ink = |y| planes.is_ink(0, y, InkRule::default());
        assert_eq!([ink(0), ink(1), ink(2)], [true, false, false], "what never came is transparent");
        assert!(!planes.is_opaque());
    }

    #[test]
    fn what_is_marked_as_background_is_what_is_no_ink() {
        let size = Size::new(4, 2);
        let (pink, near) = ([255, 0, 255, 255], [250, 5, 255, 255]);
        let faint = [255, 0, 0, 8];
        let rgba = [pink, RED, near, RED, RED, faint, RED, pink];
        let planes = planes(size, &[[255, 0, 255]], &rgba);
        let marked = |left, y, tolerance| {
            let mut marks = vec![9; 4 - left as usize];
            planes.mark_background(left, y, InkRule { alpha_threshold: 8, tolerance }, &mut marks);
            marks
        };
        assert_eq!(marked(0, 0, 5), [1, 0, 1, 0]);
        assert_eq!(marked(0, 0, 4), [1, 0, 0, 0], "5 off is ink with a tolerance of 4");
        assert_eq!(marked(0, 1, 4), [0, 1, 0, 1], "what cannot be seen is no ink either");
        assert_eq!(marked(2, 0, 5), [1, 0], "from the third column on");
    }

    #[test]
    fn the_nearest_background_colour_counts() {
        let size = Size::new(3, 1);
        let rgba = [[255, 0, 255, 255], [250, 8, 255, 255], [9, 0, 0, 255]];
        let planes = planes(size, &[[255, 0, 255], [0, 0, 0]], &rgba);
        assert!(planes.is_opaque());
        assert_eq!(planes.distance_row(0), Some([0, 8, 9].as_slice()));
        let ink = |x| planes.is_ink(x, 0, InkRule::default());
        assert_eq!([ink(0), ink(1), ink(2)], [false, false, true]);
    }
}
