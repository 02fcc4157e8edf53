//! Averages where each pixel of the smaller picture is of as many whole pixels of the image: at a half, a third, a quarter.
//! All weigh the same there, so that sums of 32 bits do, and the result is that of the rule for all sizes.

use super::regions::Area;

/// So many pixels' sums fit 32 bits, twice.
const MOST: usize = 1 << 14;

/// Sums of one target row.
pub(super) struct Even {
    /// Source pixels of a target pixel, across and down.
    across: usize,
    pub(super) down: usize,
    pub(super) sums: Vec<EvenSum>,
}

/// Sums of a target pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EvenSum {
    /// Red, green and blue times alpha, and alpha.
    seen: [u32; 4],
    /// Colour of pixels without any alpha, which counts when there are no others.
    unseen: [u32; 3],
}

impl Even {
    /// For a part of an image that becomes a part of a texture; `None` where weights are needed.
    pub(super) fn of(source: Area, target: Area) -> Option<Self> {
        let is_even =
            source.width.is_multiple_of(target.width) && source.height.is_multiple_of(target.height);
        let (across, down) = (source.width / target.width.max(1), source.height / target.height.max(1));
        (is_even && across * down <= MOST).then_some(Self { across, down, sums: Vec::new() })
    }

    /// Adds a source row, from the first source pixel of a target pixel on.
    pub(super) fn add_row(&mut self, pixels: &[[u8; 4]]) {
        self.sums.resize(pixels.len() / self.across.max(1), EvenSum::default());
        match self.across {
            2 => self.add::<2>(pixels),
            4 => self.add::<4>(pixels),
            across => {
                for (sum, pixels) in self.sums.iter_mut().zip(pixels.chunks_exact(across)) {
                    sum.add(pixels);
                }
            }
        }
    }

    fn add<const ACROSS: usize>(&mut self, pixels: &[[u8; 4]]) {
        for (sum, pixels) in self.sums.iter_mut().zip(pixels.as_chunks::<ACROSS>().0) {
            sum.add(pixels);
        }
    }

    /// The pixels of the row, straight RGBA.
    pub(super) fn pixels(&self) -> impl ExactSizeIterator<Item = [u8; 4]> {
        let count = (self.across * self.down) as u32;
        self.sums.iter().map(move |sum| sum.pixel(count))
    }
}

impl EvenSum {
    #[inline]
    fn add(&mut self, pixels: &[[u8; 4]]) {
        let mut sums = [0_u32; 4];
        for pixel in pixels {
            let [red, green, blue, alpha] = pixel.map(u32::from);
            sums[0] += red * alpha;
            sums[1] += green * alpha;
            sums[2] += blue * alpha;
            sums[3] += alpha;
        }
        if sums[3] > 0 {
            for (sum, value) in self.seen.iter_mut().zip(sums) {
                *sum += value;
            }
        } else {
            for pixel in pixels {
                for (sum, channel) in self.unseen.iter_mut().zip(pixel) {
                    *sum += u32::from(*channel);
                }
            }
        }
    }

    /// The average of so many pixels, halves up.
    fn pixel(&self, count: u32) -> [u8; 4] {
        let rounded = |sum: u32, of: u32| ((2 * sum + of) / (2 * of)) as u8;
        let [red, green, blue, alpha] = self.seen;
        if alpha == 0 {
            let [red, green, blue] = self.unseen.map(|sum| rounded(sum, count));
            return [red, green, blue, 0];
        }
        [rounded(red, alpha), rounded(green, alpha), rounded(blue, alpha), rounded(alpha, count)]
    }
}
