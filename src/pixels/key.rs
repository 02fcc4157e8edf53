//! The chroma key in a stored picture: which stored pixels it takes away, where colours go that 16 bits cannot tell from
//! it, and what each row keeps.

use super::pack::pack_565;
use crate::texture::{ChromaKey, PixelFormat};

/// The level beside a key's that a colour moves to which is not the key but would be stored as it: the one that changes
/// the value least, of equal ones green's, then red's, then blue's, and the lower one of two. Levels are of 5, 6 and 5 bits.
pub(super) fn beside_key(rgb: [u8; 3]) -> [u8; 3] {
    let [red, green, blue] = rgb;
    let levels = [red >> 3, green >> 2, blue >> 3];
    let mut best: Option<(u8, [u8; 3])> = None;
    for (channel, bits) in [(1, 2_u8), (0, 3), (2, 3)] {
        let within = rgb[channel] & ((1 << bits) - 1);
        let last = u8::MAX >> bits;
        let down = (levels[channel] > 0).then(|| (within + 1, levels[channel] - 1));
        let up = (levels[channel] < last).then(|| ((1 << bits) - within, levels[channel] + 1));
        for (change, level) in down.into_iter().chain(up) {
            if best.is_none_or(|(least, _)| change < least) {
                let mut moved = levels;
                moved[channel] = level;
                best = Some((change, moved));
            }
        }
    }
    best.map_or(levels, |(_, levels)| levels)
}

/// Levels of 5, 6 and 5 bits as they are stored.
pub(super) const fn pack_levels([red, green, blue]: [u8; 3]) -> u16 {
    (red as u16) << 11 | (green as u16) << 5 | blue as u16
}

/// For each row the columns `[start, end)` that hold no key, as a texture may list them: only while every row's are in one
/// piece. A row of the key alone has `[width, width)`.
#[derive(Debug)]
pub(super) struct RowSpans {
    format: PixelFormat,
    key: ChromaKey,
    width: usize,
    /// `None` once a row could not be told so.
    spans: Option<Vec<i16>>,
}

impl RowSpans {
    pub(super) fn new(format: PixelFormat, key: ChromaKey, width: usize) -> Self {
        // Its columns are signed numbers of 16 bits, and ALPHA8 has no colour to compare.
        let is_possible = i16::try_from(width).is_ok() && format != PixelFormat::Alpha8;
        Self { format, key, width, spans: is_possible.then(Vec::new) }
    }

    /// Goes on with alpha.
    pub(super) fn widen(&mut self) {
        self.format = PixelFormat::Rgb565A8;
    }

    /// Takes the next rows as they are stored.
    pub(super) fn push(&mut self, stored: &[u8]) {
        let Some(spans) = &mut self.spans else { return };
        let pixel_bytes = self.format.bytes_per_pixel();
        for row in stored.chunks_exact((self.width * pixel_bytes).max(1)) {
            match span_of(row, pixel_bytes, self.format, self.key) {
                Some([start, end]) => spans.extend([start, end].map(|column| column as i16)),
                None => {
                    self.spans = None;
                    return;
                }
            }
        }
    }

    /// The spans; none when not every row has one.
    pub(super) fn finish(self) -> Vec<i16> {
        self.spans.unwrap_or_default()
    }
}

/// The one run of pixels in a row that are not the key's; `None` where there are several.
fn span_of(row: &[u8], pixel_bytes: usize, format: PixelFormat, key: ChromaKey) -> Option<[usize; 2]> {
    let ChromaKey { red, green, blue } = key;
    let [low, high] = pack_565(red, green, blue).to_le_bytes();
    let is_kept = |pixel: &[u8]| match format {
        PixelFormat::Rgb565 | PixelFormat::Rgb565A8 => pixel[..2] != [low, high],
        _ => pixel[..3] != [red, green, blue],
    };
    let count = row.len() / pixel_bytes;
    let mut kept = row.chunks_exact(pixel_bytes).map(is_kept);
    let Some(start) = kept.position(|is_kept| is_kept) else { return Some([count, count]) };
    let length = 1 + kept.by_ref().take_while(|is_kept| *is_kept).count();
    (!kept.any(|is_kept| is_kept)).then_some([start, start + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGENTA: ChromaKey = ChromaKey { red: 255, green: 0, blue: 255 };

    #[test]
    fn a_colour_in_the_keys_cell_moves_where_it_changes_least() {
        // Red 250 is 2 above its cell's lowest, 248, so 3 down; green 1 is 3 from 4; blue 255 is 8 down: green, as the
        // first of two that change by 3.
        assert_eq!(beside_key([250, 1, 255]), [31, 1, 31]);
        // Green 0 is 4 from the next; red 248 is 1 down.
        assert_eq!(beside_key([248, 0, 255]), [30, 0, 31]);
        assert_eq!(beside_key([255, 0, 248]), [31, 0, 30]);
        // Both 1: red comes before blue.
        assert_eq!(beside_key([248, 0, 248]), [30, 0, 31]);
        // Black has nothing below: green up by 4 is the least.
        assert_eq!(beside_key([0, 0, 0]), [0, 1, 0]);
        // Down before up: green 130 of the cell 128 to 131 is 3 from 127 and 2 from 132.
        assert_eq!(beside_key([132, 130, 132])[1], 33);
        assert_eq!(beside_key([132, 129, 132])[1], 31, "2 down, 3 up");
    }

    #[test]
    fn no_colour_stays_in_its_cell() {
        for packed in 0..=u16::MAX {
            let rgb = super::super::unpack::unpack_565(packed);
            assert_ne!(pack_levels(beside_key(rgb)), packed);
        }
    }

    fn spans(rows: &[&str], format: PixelFormat) -> Vec<i16> {
        let width = rows[0].len();
        let mut spans = RowSpans::new(format, MAGENTA, width);
        let pixel = |letter: char| if letter == '.' { [255, 0, 255] } else { [1, 2, 3] };
        for row in rows {
            let stored: Vec<u8> = row
                .chars()
                .flat_map(|letter| {
                    let [red, green, blue] = pixel(letter);
                    match format {
                        PixelFormat::Rgb888 => vec![red, green, blue],
                        PixelFormat::Alpha8 => vec![9],
                        _ => pack_565(red, green, blue).to_le_bytes().to_vec(),
                    }
                })
                .collect();
            spans.push(&stored);
        }
        spans.finish()
    }

    #[test]
    fn rows_in_one_piece_are_listed_and_one_that_is_not_takes_all_away() {
        for format in [PixelFormat::Rgb565, PixelFormat::Rgb888] {
            assert_eq!(spans(&[".##.", "....", "####", "...#"], format), [1, 3, 4, 4, 0, 4, 3, 4]);
            assert_eq!(spans(&[".##.", "#..#"], format), [0_i16; 0]);
        }
        assert_eq!(spans(&[".##."], PixelFormat::Alpha8), [0_i16; 0]);
    }

    #[test]
    fn columns_beyond_signed_16_bits_are_not_listed() {
        let mut wide = RowSpans::new(PixelFormat::Rgb565, MAGENTA, 32_768);
        wide.push(&vec![0; 2 * 32_768]);
        assert_eq!(wide.finish(), [0_i16; 0]);
        let mut widest = RowSpans::new(PixelFormat::Rgb565, MAGENTA, 32_767);
        widest.push(&vec![0; 2 * 32_767]);
        assert_eq!(widest.finish(), [0, 32_767]);
    }
}
