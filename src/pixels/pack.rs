//! RGBA rows to stored pixels. 565 truncates, as the engine's own compare assumes.

use crate::texture::PixelFormat;

/// Packs `rgba` into `out`, which has room for exactly as many pixels of `format`.
///
/// Formats without alpha drop it; ALPHA8 keeps it alone.
pub fn pack_rows(format: PixelFormat, rgba: &[u8], out: &mut [u8]) {
    debug_assert_eq!(rgba.len() / 4, out.len() / format.bytes_per_pixel());
    match format {
        PixelFormat::Rgb888 => pack(rgba, out, |[r, g, b, _]| [r, g, b]),
        PixelFormat::Rgba8888 => out.copy_from_slice(rgba),
        PixelFormat::Rgb565 => pack(rgba, out, |[r, g, b, _]| pack_565(r, g, b).to_le_bytes()),
        PixelFormat::Rgb565A8 => pack(rgba, out, |[r, g, b, a]| {
            let [low, high] = pack_565(r, g, b).to_le_bytes();
            [low, high, a]
        }),
        PixelFormat::Alpha8 => pack(rgba, out, |[_, _, _, a]| [a]),
    }
}

/// `rrrrrggggggbbbbb` of a colour, its lower bits dropped.
pub const fn pack_565(red: u8, green: u8, blue: u8) -> u16 {
    ((red as u16 >> 3) << 11) | ((green as u16 >> 2) << 5) | (blue as u16 >> 3)
}

#[inline]
fn pack<const N: usize>(rgba: &[u8], out: &mut [u8], rule: impl Fn([u8; 4]) -> [u8; N]) {
    let (pixels, _) = rgba.as_chunks::<4>();
    let (stored, _) = out.as_chunks_mut::<N>();
    for (out, pixel) in stored.iter_mut().zip(pixels) {
        *out = rule(*pixel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_stores_the_bytes_its_table_says() {
        // 0x12 0x34 0x56: 5 bits 00010, 6 bits 001101, 5 bits 01010 = 0x11aa
        let rgba = [0x12, 0x34, 0x56, 0x78];
        let cases: [(PixelFormat, &[u8]); 5] = [
            (PixelFormat::Rgb888, &[0x12, 0x34, 0x56]),
            (PixelFormat::Rgba8888, &[0x12, 0x34, 0x56, 0x78]),
            (PixelFormat::Rgb565, &[0xaa, 0x11]),
            (PixelFormat::Rgb565A8, &[0xaa, 0x11, 0x78]),
            (PixelFormat::Alpha8, &[0x78]),
        ];
        for (format, expected) in cases {
            // Three pixels, so that a kernel that works on pairs has a rest.
            let mut out = vec![0; 3 * format.bytes_per_pixel()];
            pack_rows(format, &rgba.repeat(3), &mut out);
            assert_eq!(out, expected.repeat(3), "{format}");
        }
    }

    #[test]
    fn red_is_in_the_high_bits_and_nothing_rounds_up() {
        assert_eq!(pack_565(255, 0, 0), 0xf800);
        assert_eq!(pack_565(0, 255, 0), 0x07e0);
        assert_eq!(pack_565(0, 0, 255), 0x001f);
        assert_eq!(pack_565(7, 3, 7), 0);
    }
}
