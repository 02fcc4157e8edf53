//! The colour that a device draws as nothing: which pixels are it, and what becomes of others that would be taken for it.
//!
//! With 5, 6 and 5 bits a device compares those, so every colour of the key's cell would be gone. A pixel of the image is
//! the key when its colour is exactly that; one that is not, and comes to lie in the cell, moves to the nearest other.

use super::pack::pack_565;
use crate::texture::{ChromaKey, PixelFormat};

/// Which pixels stand apart from those around them, and where a pixel may not go.
pub(super) trait Apart {
    /// Whether the pixel is stored as it is, and neither gives an error nor takes one.
    fn stays(&self, pixel: [u8; 4]) -> bool;
    /// Where a pixel goes that would become `colour` and may not.
    fn moved(&mut self, pixel: [u8; 4], colour: u16) -> Option<u16>;
}

/// Without a key only what is not there stands apart.
pub(super) struct NoKey;

impl Apart for NoKey {
    #[inline]
    fn stays(&self, pixel: [u8; 4]) -> bool {
        pixel[3] == 0
    }

    #[inline]
    fn moved(&mut self, _pixel: [u8; 4], _colour: u16) -> Option<u16> {
        None
    }
}

/// A key whose cell nothing else may be in.
pub(super) struct Key {
    rgb: [u8; 3],
    cell: u16,
    /// Whether a pixel without alpha shows, in a format that has none.
    shows_all: bool,
    /// Pixels that can be seen and had to move.
    pub(super) moved: u32,
}

impl Key {
    pub(super) fn new(key: ChromaKey, format: PixelFormat) -> Self {
        let ChromaKey { red, green, blue } = key;
        let cell = pack_565(red, green, blue);
        Self { rgb: key.rgb(), cell, shows_all: !format.has_alpha(), moved: 0 }
    }

    fn is_key(&self, [red, green, blue, _]: [u8; 4]) -> bool {
        [red, green, blue] == self.rgb
    }
}

impl Apart for Key {
    #[inline]
    fn stays(&self, pixel: [u8; 4]) -> bool {
        pixel[3] == 0 || self.is_key(pixel)
    }

    #[inline]
    fn moved(&mut self, pixel: [u8; 4], colour: u16) -> Option<u16> {
        if colour != self.cell || self.is_key(pixel) {
            return None;
        }
        self.moved += u32::from(self.shows_all || pixel[3] > 0);
        Some(nearest_other(pixel, self.cell))
    }
}

/// The cell beside `cell` that the colour is the nearest to: by the smallest change of one channel of it. Of equal
/// changes that of green counts before that of red and that before blue's, and down before up.
fn nearest_other(pixel: [u8; 4], cell: u16) -> u16 {
    // Channel of the pixel, bits that a cell leaves out, place in the stored number, highest level.
    const CHANNELS: [(usize, u32, u32, u16); 3] = [(1, 2, 5, 63), (0, 3, 11, 31), (2, 3, 0, 31)];
    let mut best = (u16::MAX, cell);
    for (channel, low_bits, place, highest) in CHANNELS {
        let (value, level) = (u16::from(pixel[channel]), cell >> place & highest);
        let down = level.checked_sub(1);
        let up = (level < highest).then_some(level + 1);
        for other in down.into_iter().chain(up) {
            let (first, last) = (other << low_bits, (other << low_bits) + (1 << low_bits) - 1);
            // Dithering may have brought it here from that very cell.
            let change = first.saturating_sub(value) + value.saturating_sub(last);
            if change < best.0 {
                best = (change, cell & !(highest << place) | other << place);
            }
        }
    }
    best.1
}

/// Finds for each stored row where its pixels are that are not the key.
pub struct KeySpans {
    key: [u8; 3],
    width: usize,
    /// `None` once a row cannot be said.
    spans: Option<Vec<i16>>,
}

impl KeySpans {
    /// For rows of that many stored pixels.
    pub fn new(key: ChromaKey, format: PixelFormat, width: u32) -> Self {
        let spans = (format != PixelFormat::Alpha8 && i16::try_from(width).is_ok()).then(Vec::new);
        Self { key: key.rgb(), width: width as usize, spans }
    }

    /// Takes the next stored rows, of `format`.
    pub fn push_rows(&mut self, format: PixelFormat, stored: &[u8]) {
        for row in stored.chunks_exact((self.width * format.bytes_per_pixel()).max(1)) {
            let Some(spans) = &mut self.spans else { return };
            match run_of(row, format, self.key) {
                Some((start, end)) => spans.extend([start as i16, end as i16]),
                None => self.spans = None,
            }
        }
    }

    /// Columns `[start, end)` of each row; none at all when a row has several runs of pixels, when it is too wide for 16
    /// bits, and for ALPHA8, which has no colour to compare.
    pub fn finish(self) -> Vec<i16> {
        self.spans.unwrap_or_default()
    }
}

/// The one run of pixels of a row that are not the key, both ends at the right edge where there is none; `None` when
/// there are several. It is the device's comparison: with 5, 6 and 5 bits it is those that are compared.
fn run_of(row: &[u8], format: PixelFormat, [red, green, blue]: [u8; 3]) -> Option<(usize, usize)> {
    let bytes = format.bytes_per_pixel();
    let [low, high] = pack_565(red, green, blue).to_le_bytes();
    let is_art = |pixel: &[u8]| match format {
        PixelFormat::Rgb888 | PixelFormat::Rgba8888 => !pixel.starts_with(&[red, green, blue]),
        PixelFormat::Rgb565 | PixelFormat::Rgb565A8 => !pixel.starts_with(&[low, high]),
        PixelFormat::Alpha8 => true,
    };
    let width = row.len() / bytes;
    let mut pixels = row.chunks_exact(bytes).map(is_art);
    let Some(start) = pixels.position(|is_art| is_art) else { return Some((width, width)) };
    let length = pixels.position(|is_art| !is_art).map_or(width - start, |more| more + 1);
    (!pixels.any(|is_art| is_art)).then_some((start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGENTA: ChromaKey = ChromaKey { red: 255, green: 0, blue: 255 };

    #[test]
    fn what_is_near_the_key_moves_the_least_way_out_of_its_cell() {
        let to = |[red, green, blue]: [u8; 3], key: [u8; 3]| {
            nearest_other([red, green, blue, 255], pack_565(key[0], key[1], key[2]))
        };
        // Magenta's cell is red 248 to 255, green 0 to 3, blue 248 to 255: green 3 to 4 is 1, red 254 to 247 is 7.
        assert_eq!(to([254, 3, 254], [255, 0, 255]), pack_565(255, 4, 255));
        // Green 0 to 4 is 4, red 250 to 247 is 3, blue 250 to 247 is 3: red before blue.
        assert_eq!(to([250, 0, 250], [255, 0, 255]), pack_565(247, 0, 255));
        assert_eq!(to([255, 0, 249], [255, 0, 255]), pack_565(255, 0, 247));
        // In the middle of the range: red 128 to 135, green 128 to 131, blue 128 to 135.
        assert_eq!(to([132, 129, 132], [128, 128, 128]), pack_565(128, 127, 128), "2 down, 3 up");
        assert_eq!(
            to([132, 131, 128], [128, 128, 128]),
            pack_565(128, 132, 128),
            "1 up before blue's 1 down"
        );
        assert_eq!(to([128, 130, 128], [128, 128, 128]), pack_565(127, 128, 128), "red's 1 before green's 2");
        // All that is equal: green, and down.
        assert_eq!(to([129, 129, 129], [128, 128, 128]), pack_565(128, 127, 128), "2 each");
        // Black's cell has no way down.
        assert_eq!(to([1, 0, 7], [0, 0, 0]), pack_565(0, 0, 8));
        // Dithered up from 247, it goes back, which is no change at all.
        assert_eq!(to([247, 3, 254], [255, 0, 255]), pack_565(247, 0, 255));
    }

    #[test]
    fn only_what_can_be_seen_counts_as_moved() {
        for (format, expected) in [(PixelFormat::Rgb565, 2), (PixelFormat::Rgb565A8, 1)] {
            let mut key = Key::new(MAGENTA, format);
            let cell = pack_565(255, 0, 255);
            assert!(key.stays([255, 0, 255, 9]) && key.stays([1, 2, 3, 0]) && !key.stays([254, 0, 255, 9]));
            assert_eq!(key.moved([255, 0, 255, 255], cell), None, "the key itself");
            assert_eq!(key.moved([255, 9, 255, 255], pack_565(255, 9, 255)), None, "of another cell");
            assert!(key.moved([254, 0, 255, 1], cell).is_some());
            assert!(key.moved([254, 0, 255, 0], cell).is_some());
            assert_eq!(key.moved, expected, "{format}");
        }
    }

    #[test]
    fn a_row_is_told_when_its_art_is_one_run() {
        let (key, art) = ([255, 0, 255], [1, 2, 3]);
        let spans = |rows: &[[[u8; 3]; 4]]| {
            let mut spans = KeySpans::new(MAGENTA, PixelFormat::Rgb888, 4);
            spans.push_rows(PixelFormat::Rgb888, rows.as_flattened().as_flattened());
            spans.finish()
        };
        let rows = [[key, art, art, key], [key; 4], [art; 4], [key, key, key, art], [art, key, key, key]];
        assert_eq!(spans(&rows), [1, 3, 4, 4, 0, 4, 3, 4, 0, 1]);
        assert_eq!(spans(&[[art; 4], [art, key, art, key]]), [] as [i16; 0], "a hole");
    }

    #[test]
    fn spans_compare_as_the_device_does() {
        // Magenta's cell with any alpha, and a pixel beside it.
        let [low, high] = 0xf81f_u16.to_le_bytes();
        let mut spans = KeySpans::new(MAGENTA, PixelFormat::Rgb565, 2);
        spans.push_rows(PixelFormat::Rgb565, &[low, high, 0x1e, high]);
        spans.push_rows(PixelFormat::Rgb565A8, &[low, 0, 0, low, high, 7]);
        assert_eq!(spans.finish(), [1, 2, 0, 1]);
        let mut alpha = KeySpans::new(MAGENTA, PixelFormat::Alpha8, 2);
        alpha.push_rows(PixelFormat::Alpha8, &[0, 255]);
        assert_eq!(alpha.finish(), [] as [i16; 0]);
        let mut wide = KeySpans::new(MAGENTA, PixelFormat::Rgb565, 32_768);
        wide.push_rows(PixelFormat::Rgb565, &vec![0; 65_536]);
        assert_eq!(wide.finish(), [] as [i16; 0], "16 bits end at 32767");
    }
}
