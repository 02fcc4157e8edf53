//! Stored pixels to RGBA, for display: 5 and 6 bits are replicated, so that white is white.

use crate::texture::PixelFormat;

/// Unpacks `stored` into `rgba`, which has room for exactly as many pixels.
///
/// `alpha` says whether RGB565A8's third byte counts (the texture's `HasAlpha`); otherwise its pixels are
/// opaque. RGBA8888's alpha is always read. ALPHA8 is white with that alpha.
pub fn unpack_rows(format: PixelFormat, stored: &[u8], rgba: &mut [u8], alpha: bool) {
    debug_assert_eq!(stored.len() / format.bytes_per_pixel(), rgba.len() / 4);
    match format {
        PixelFormat::Rgb888 => unpack(stored, rgba, |[r, g, b]| [r, g, b, 255]),
        PixelFormat::Rgba8888 => rgba.copy_from_slice(stored),
        PixelFormat::Rgb565 => unpack(stored, rgba, |bytes| opaque(u16::from_le_bytes(bytes))),
        PixelFormat::Rgb565A8 if alpha => unpack(stored, rgba, |[low, high, a]| {
            let [r, g, b, _] = opaque(u16::from_le_bytes([low, high]));
            [r, g, b, a]
        }),
        PixelFormat::Rgb565A8 => {
            unpack(stored, rgba, |[low, high, _]| opaque(u16::from_le_bytes([low, high])));
        }
        PixelFormat::Alpha8 => unpack(stored, rgba, |[a]| [255, 255, 255, a]),
    }
}

/// Red, green and blue of `rrrrrggggggbbbbb`, the upper bits repeated below.
pub const fn unpack_565(packed: u16) -> [u8; 3] {
    let (r, g, b) = (packed >> 11, (packed >> 5) & 0x3f, packed & 0x1f);
    [(r << 3 | r >> 2) as u8, (g << 2 | g >> 4) as u8, (b << 3 | b >> 2) as u8]
}

const fn opaque(packed: u16) -> [u8; 4] {
    let [r, g, b] = unpack_565(packed);
    [r, g, b, 255]
}

#[inline]
fn unpack<const N: usize>(stored: &[u8], rgba: &mut [u8], rule: impl Fn([u8; N]) -> [u8; 4]) {
    let (pixels, _) = stored.as_chunks::<N>();
    let (rgba, _) = rgba.as_chunks_mut::<4>();
    for (out, pixel) in rgba.iter_mut().zip(pixels) {
        *out = rule(*pixel);
    }
}

#[cfg(test)]
mod tests {
    use super::super::pack::{pack_565, pack_rows};
    use super::*;

    #[test]
    fn all_565_values_survive_unpacking_and_packing() {
        for packed in 0..=u16::MAX {
            let [r, g, b] = unpack_565(packed);
            assert_eq!(pack_565(r, g, b), packed);
        }
        let stored: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
        let mut rgba = vec![0; 4 * 65_536];
        unpack_rows(PixelFormat::Rgb565, &stored, &mut rgba, false);
        let mut again = vec![0; stored.len()];
        pack_rows(PixelFormat::Rgb565, &rgba, &mut again);
        assert_eq!(again, stored);
    }

    #[test]
    fn every_format_is_packed_as_it_was_unpacked_for_all_values_of_16_bits() {
        for format in PixelFormat::ALL {
            let pixel = |value: u16| {
                let [low, high] = value.to_le_bytes();
                [low, high, low ^ high, low.wrapping_add(high)].into_iter().take(format.bytes_per_pixel())
            };
            let stored: Vec<u8> = (0..=u16::MAX).flat_map(pixel).collect();
            let mut rgba = vec![0; 4 * 65_536];
            unpack_rows(format, &stored, &mut rgba, true);
            let mut again = vec![0; stored.len()];
            pack_rows(format, &rgba, &mut again);
            assert!(again == stored, "{format}");
        }
    }

    #[test]
    fn bits_are_replicated_so_that_white_is_white() {
        assert_eq!(unpack_565(0xffff), [255, 255, 255]);
        assert_eq!(unpack_565(0), [0, 0, 0]);
        // r = 10000, g = 100000, b = 00001
        assert_eq!(unpack_565(0b1000_0100_0000_0001), [0b1000_0100, 0b1000_0010, 0b0000_1000]);
    }

    #[test]
    fn alpha_is_read_where_the_format_and_the_flag_say() {
        let cases: [(PixelFormat, &[u8], bool, [u8; 4]); 6] = [
            (PixelFormat::Rgb888, &[1, 2, 3], true, [1, 2, 3, 255]),
            (PixelFormat::Rgba8888, &[1, 2, 3, 4], false, [1, 2, 3, 4]),
            (PixelFormat::Rgb565, &[0, 0xf8], true, [255, 0, 0, 255]),
            (PixelFormat::Rgb565A8, &[0, 0xf8, 9], true, [255, 0, 0, 9]),
            (PixelFormat::Rgb565A8, &[0, 0xf8, 9], false, [255, 0, 0, 255]),
            (PixelFormat::Alpha8, &[7], false, [255, 255, 255, 7]),
        ];
        for (format, stored, alpha, expected) in cases {
            let mut rgba = [0; 12];
            unpack_rows(format, &stored.repeat(3), &mut rgba, alpha);
            assert_eq!(rgba[..], expected.repeat(3), "{format}");
        }
    }
}
