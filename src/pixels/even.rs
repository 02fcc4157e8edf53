//! Averages where each pixel of the smaller picture is of as many whole pixels of the image: at a half, a third, a quarter.
//! All weigh the same there, so that sums of 32 bits do, and the result is that of the rule for all sizes.

use super::regions::Area;

/// So many pixels' sums fit 32 bits, twice.
const MOST: usize = 1 << 14;

/// The alpha of a pixel that lets nothing through.
const OPAQUE: u32 = 255;

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
            // Most of many a sheet.
            if self.unseen == [0; 3] {
                return [0; 4];
            }
            let [red, green, blue] = self.unseen.map(|sum| rounded(sum, count));
            return [red, green, blue, 0];
        }
        if alpha == OPAQUE * count && count.is_power_of_two() {
            return opaque([red, green, blue], count);
        }
        [rounded(red, alpha), rounded(green, alpha), rounded(blue, alpha), rounded(alpha, count)]
    }
}

/// The average of opaque pixels, as many as a power of two, from their colours times alpha: without a division.
const fn opaque([red, green, blue]: [u32; 3], count: u32) -> [u8; 4] {
    const fn average(sum: u32, count: u32) -> u8 {
        ((2 * (sum / OPAQUE) + count) >> (count.trailing_zeros() + 1)) as u8
    }
    [average(red, count), average(green, count), average(blue, count), u8::MAX]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opaque_pixels_are_averaged_as_all_others_are() {
        for count in [1, 2, 4, 16, 64] {
            for sum in 0..=255 * count {
                // Halves up.
                let expected = ((2 * sum + count) / (2 * count)) as u8;
                let colour = OPAQUE * sum;
                assert_eq!(opaque([colour, 0, colour], count), [expected, 0, expected, 255]);
                let seen = [colour, 0, colour, OPAQUE * count];
                let even = EvenSum { seen, unseen: [0; 3] };
                assert_eq!(even.pixel(count), [expected, 0, expected, 255]);
            }
        }
    }

    #[test]
    fn only_whole_numbers_of_source_pixels_are_even() {
        let area = |width, height| Area { x: 0, y: 0, width, height };
        assert!(Even::of(area(64, 64), area(32, 16)).is_some());
        assert!(Even::of(area(64, 64), area(32, 30)).is_none());
        assert!(Even::of(area(1000, 1000), area(1, 1)).is_none(), "a million pixels' sums do not fit");
    }
}
