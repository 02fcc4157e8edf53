//! RGBA rows to stored pixels. 565 truncates, as the engine's own compare assumes.

use crate::texture::PixelFormat;

/// Packs `rgba` into `out`, which has room for exactly as many pixels of `format`.
///
/// Formats without alpha drop it; ALPHA8 keeps it alone.
pub fn pack_rows(format: PixelFormat, rgba: &[u8], out: &mut [u8]) {
    debug_assert_eq!(rgba.len() / 4, out.len() / format.bytes_per_pixel());
    match format {
        PixelFormat::Rgb888 => pack_triples(rgba, out, |rgba| rgba & 0xff_ffff),
        PixelFormat::Rgba8888 => out.copy_from_slice(rgba),
        PixelFormat::Rgb565 => pack(rgba, out, |[r, g, b, _]| pack_565(r, g, b).to_le_bytes()),
        PixelFormat::Rgb565A8 => pack_triples(rgba, out, |rgba| {
            let [r, g, b, a] = rgba.to_le_bytes();
            u32::from(pack_565(r, g, b)) | u32::from(a) << 16
        }),
        PixelFormat::Alpha8 => pack(rgba, out, |[_, _, _, a]| [a]),
    }
}

/// Packs colours that are 5, 6 and 5 bits already, for a format of those, with the alpha of the pixels that they are of.
pub(super) fn pack_colours(format: PixelFormat, colours: &[u16], rgba: &[[u8; 4]], out: &mut [u8]) {
    if format == PixelFormat::Rgb565 {
        for (out, colour) in out.as_chunks_mut::<2>().0.iter_mut().zip(colours) {
            *out = colour.to_le_bytes();
        }
        return;
    }
    let (stored, _) = out.as_chunks_mut::<3>();
    for (out, (colour, pixel)) in stored.iter_mut().zip(colours.iter().zip(rgba)) {
        let [low, high] = colour.to_le_bytes();
        *out = [low, high, pixel[3]];
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

/// Packs pixels of three bytes, which `rule` gives as a number from a pixel's number (both little endian): four of them
/// are three whole words, which takes two thirds of the time that twelve bytes take.
#[inline]
fn pack_triples(rgba: &[u8], out: &mut [u8], rule: impl Fn(u32) -> u32) {
    let (quads, rest) = rgba.as_chunks::<16>();
    let (stored, stored_rest) = out.as_chunks_mut::<12>();
    for (out, quad) in stored.iter_mut().zip(quads) {
        let (pixels, _) = quad.as_chunks::<4>();
        let [a, b, c, d] = std::array::from_fn(|index| rule(u32::from_le_bytes(pixels[index])));
        let words = [a | b << 24, b >> 8 | c << 16, c >> 16 | d << 8];
        for (out, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *out = word.to_le_bytes();
        }
    }
    pack(rest, stored_rest, |pixel| {
        let [low, middle, high, _] = rule(u32::from_le_bytes(pixel)).to_le_bytes();
        [low, middle, high]
    });
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
            // Any number of pixels, so that those that work on several at once have every rest.
            for count in 0..10 {
                let mut out = vec![0; count * format.bytes_per_pixel()];
                pack_rows(format, &rgba.repeat(count), &mut out);
                assert_eq!(out, expected.repeat(count), "{format}");
            }
        }
    }

    #[test]
    fn every_pixel_lands_in_its_own_place() {
        // Greys of which 565 keeps all bits that are set: 0x08 is the fifth bit of red and blue from above.
        let rgba: Vec<u8> = (0..9).flat_map(|n: u8| [n * 8, n * 8, n * 8, n]).collect();
        let mut out = vec![0; 27];
        pack_rows(PixelFormat::Rgb565A8, &rgba, &mut out);
        for (n, stored) in out.as_chunks::<3>().0.iter().enumerate() {
            let expected = (n << 11 | (2 * n) << 5 | n) as u16;
            assert_eq!((u16::from_le_bytes([stored[0], stored[1]]), stored[2]), (expected, n as u8));
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
