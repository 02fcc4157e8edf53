//! How a decoder lays its samples out, and the loops that make RGBA rows of them.

/// The layout of a decoded row before it becomes RGBA. Sixteen-bit samples are big-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Samples {
    Gray8,
    GrayAlpha8,
    Rgb8,
    Rgba8,
    Gray16,
    GrayAlpha16,
    Rgb16,
    Rgba16,
}

impl Samples {
    pub(super) const fn bytes_per_pixel(self) -> usize {
        match self {
            Self::Gray8 => 1,
            Self::GrayAlpha8 | Self::Gray16 => 2,
            Self::Rgb8 => 3,
            Self::Rgba8 | Self::GrayAlpha16 => 4,
            Self::Rgb16 => 6,
            Self::Rgba16 => 8,
        }
    }

    /// Writes `pixels` to `rgba`, four bytes a pixel; the slices hold equally many pixels.
    pub(super) fn to_rgba8(self, pixels: &[u8], rgba: &mut [u8]) {
        match self {
            Self::Gray8 => convert::<1>(pixels, rgba, |[v]| [v, v, v, 255]),
            Self::GrayAlpha8 => convert::<2>(pixels, rgba, |[v, a]| [v, v, v, a]),
            Self::Rgb8 => convert::<3>(pixels, rgba, |[r, g, b]| [r, g, b, 255]),
            Self::Rgba8 => rgba.copy_from_slice(pixels),
            Self::Gray16 => convert::<2>(pixels, rgba, |[v0, v1]| {
                let v = reduce(v0, v1);
                [v, v, v, 255]
            }),
            Self::GrayAlpha16 => convert::<4>(pixels, rgba, |[v0, v1, a0, a1]| {
                let v = reduce(v0, v1);
                [v, v, v, reduce(a0, a1)]
            }),
            Self::Rgb16 => convert::<6>(pixels, rgba, |[r0, r1, g0, g1, b0, b1]| {
                [reduce(r0, r1), reduce(g0, g1), reduce(b0, b1), 255]
            }),
            Self::Rgba16 => convert::<8>(pixels, rgba, |[r0, r1, g0, g1, b0, b1, a0, a1]| {
                [reduce(r0, r1), reduce(g0, g1), reduce(b0, b1), reduce(a0, a1)]
            }),
        }
    }
}

fn convert<const N: usize>(pixels: &[u8], rgba: &mut [u8], rule: impl Fn([u8; N]) -> [u8; 4]) {
    debug_assert_eq!(pixels.len() / N, rgba.len() / 4);
    let (pixels, _) = pixels.as_chunks::<N>();
    let (rgba, _) = rgba.as_chunks_mut::<4>();
    for (out, pixel) in rgba.iter_mut().zip(pixels) {
        *out = rule(*pixel);
    }
}

/// The nearest 8-bit sample: `v x 255 / 65535` rounded.
fn reduce(high: u8, low: u8) -> u8 {
    ((u32::from(u16::from_be_bytes([high, low])) + 128) / 257) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_round_to_the_nearest_of_eight() {
        for v in 0..=u16::MAX {
            let [high, low] = v.to_be_bytes();
            let expected = (f64::from(v) * 255.0 / 65535.0).round() as u8;
            assert_eq!(reduce(high, low), expected, "{v}");
        }
    }

    #[test]
    fn every_layout_becomes_straight_rgba() {
        let cases: [(Samples, &[u8], [u8; 4]); 8] = [
            (Samples::Gray8, &[7], [7, 7, 7, 255]),
            (Samples::GrayAlpha8, &[7, 9], [7, 7, 7, 9]),
            (Samples::Rgb8, &[1, 2, 3], [1, 2, 3, 255]),
            (Samples::Rgba8, &[1, 2, 3, 4], [1, 2, 3, 4]),
            (Samples::Gray16, &[255, 255], [255, 255, 255, 255]),
            (Samples::GrayAlpha16, &[0, 127, 0, 129], [0, 0, 0, 1]),
            (Samples::Rgb16, &[1, 1, 2, 2, 3, 3], [1, 2, 3, 255]),
            (Samples::Rgba16, &[1, 1, 2, 2, 3, 3, 4, 4], [1, 2, 3, 4]),
        ];
        for (samples, pixels, expected) in cases {
            let mut rgba = [0; 4];
            samples.to_rgba8(pixels, &mut rgba);
            assert_eq!(rgba, expected, "{samples:?}");
            assert_eq!(samples.bytes_per_pixel(), pixels.len());
        }
    }
}
