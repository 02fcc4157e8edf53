//! Rows of a picture to rows of stored pixels: packed, and where the format has few bits dithered within each region and
//! kept apart from the chroma key.

use super::dither::{Errors, FIVE, PATTERN, SIX, shares};
use super::key::{RowSpans, beside_key, pack_levels};
use super::pack::{pack_565, pack_rows};
use super::regions::{Regions, Span};
use crate::geometry::{PixelRect, Size};
use crate::texture::{ChromaKey, Dithering, PixelFormat};

/// How a picture is stored.
#[derive(Debug, Clone, Copy)]
pub struct Conversion<'a> {
    /// Size of the stored picture.
    pub size: Size,
    /// How its pixels are stored. A format with alpha may come in the place of the one without while rows pass by, see
    /// [`Converter::widen`].
    pub format: PixelFormat,
    /// How colours between two stored values are rendered; formats that have all bits of a colour need none.
    pub dithering: Dithering,
    /// The colour that is stored exactly and kept apart.
    pub chroma_key: Option<ChromaKey>,
    /// What is dithered by itself, in stored pixels and in the encoder's order.
    pub rects_in_stored: &'a [PixelRect],
}

/// What was found on the way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Converted {
    /// For each region how many pixels moved out of the chroma key's cell; of the rest of the picture first.
    pub moved_from_key: Vec<u32>,
    /// For each row the columns `[start, end)` that hold no key; none when not every row has one run of them.
    pub spans: Vec<i16>,
}

/// Stores a picture's rows as they pass by.
pub struct Converter {
    width: usize,
    format: PixelFormat,
    dithering: Dithering,
    key: Option<ChromaKey>,
    /// Set where rows are more than packed.
    mixed: Option<Mixed>,
    spans: Option<RowSpans>,
    next_row: usize,
}

/// What dithering and the key need to know.
struct Mixed {
    regions: Regions,
    errors: Errors,
    /// The spans of the row at hand, and of the one below where that has others.
    row: Vec<Span>,
    below: Vec<u32>,
    moved: Vec<u32>,
}

impl Converter {
    /// For the rows of a picture from `first_row` on.
    pub fn new(conversion: &Conversion<'_>, first_row: usize) -> Self {
        let Conversion { size, format, dithering, chroma_key, rects_in_stored } = *conversion;
        let width = size.width as usize;
        let has_few_bits = matches!(format, PixelFormat::Rgb565 | PixelFormat::Rgb565A8);
        let is_mixed = has_few_bits && (dithering != Dithering::None || chroma_key.is_some());
        let mixed = is_mixed.then(|| Mixed {
            regions: Regions::new(size, rects_in_stored),
            errors: Errors::new(if dithering == Dithering::FloydSteinberg { width } else { 0 }),
            row: Vec::new(),
            below: Vec::new(),
            moved: vec![0; rects_in_stored.len() + 1],
        });
        let spans = chroma_key.map(|key| RowSpans::new(format, key, width));
        Self { width, format, dithering, key: chroma_key, mixed, spans, next_row: first_row }
    }

    /// Goes on with alpha, which no pixel before had; RGB565 alone has such a format.
    pub fn widen(&mut self) {
        if self.format == PixelFormat::Rgb565 {
            self.format = PixelFormat::Rgb565A8;
            if let Some(spans) = &mut self.spans {
                spans.widen();
            }
        }
    }

    /// Stores the next rows, straight RGBA, in `stored`, which has room for exactly as many.
    pub fn push_rows(&mut self, rgba: &[u8], stored: &mut [u8]) {
        if let Some(mixed) = &mut self.mixed {
            let stored_row = self.width * self.format.bytes_per_pixel();
            let rows = rgba.chunks_exact(self.width * 4).zip(stored.chunks_exact_mut(stored_row));
            for (row, (rgba, stored)) in (self.next_row..).zip(rows) {
                let store = Store { format: self.format, key: self.key };
                mixed.convert_row(row, rgba, stored, self.dithering, store);
            }
        } else {
            pack_rows(self.format, rgba, stored);
        }
        self.next_row += rgba.len() / (self.width * 4).max(1);
        if let Some(spans) = &mut self.spans {
            spans.push(stored);
        }
    }

    /// What was found.
    pub fn finish(self) -> Converted {
        Converted {
            moved_from_key: self.mixed.map(|mixed| mixed.moved).unwrap_or_default(),
            spans: self.spans.map(RowSpans::finish).unwrap_or_default(),
        }
    }
}

/// Where pixels go, and what they keep clear of.
#[derive(Clone, Copy)]
struct Store {
    format: PixelFormat,
    key: Option<ChromaKey>,
}

impl Store {
    #[inline]
    fn put(self, stored: &mut [u8], column: usize, packed: u16, alpha: u8) {
        let [low, high] = packed.to_le_bytes();
        if self.format == PixelFormat::Rgb565 {
            if let Some(pixel) = stored.get_mut(column * 2..column * 2 + 2) {
                pixel.copy_from_slice(&[low, high]);
            }
        } else if let Some(pixel) = stored.get_mut(column * 3..column * 3 + 3) {
            pixel.copy_from_slice(&[low, high, alpha]);
        }
    }

    fn is_key(self, rgb: [u8; 3]) -> bool {
        self.key.is_some_and(|key| key.rgb() == rgb)
    }

    /// The levels of a colour that is not the key, which are not the key's; `rgb` tells where they move to. Whether they
    /// had to move.
    #[inline]
    fn beside(self, levels: [u8; 3], rgb: [u8; 3]) -> ([u8; 3], bool) {
        let Some(ChromaKey { red, green, blue }) = self.key else { return (levels, false) };
        if pack_levels(levels) != pack_565(red, green, blue) {
            return (levels, false);
        }
        // What dithering made of a colour may lie in another cell than the colour itself.
        let is_of_cell = [rgb[0] >> 3, rgb[1] >> 2, rgb[2] >> 3] == levels;
        let from = if is_of_cell { rgb } else { super::unpack::unpack_565(pack_levels(levels)) };
        (beside_key(from), true)
    }
}

impl Mixed {
    fn convert_row(
        &mut self,
        row: usize,
        rgba: &[u8],
        stored: &mut [u8],
        dithering: Dithering,
        store: Store,
    ) {
        self.row.clear();
        self.row.extend_from_slice(self.regions.of_row(row));
        match dithering {
            Dithering::None => self.each_pixel(rgba, stored, store, |_, _, [red, green, blue]| {
                [red >> 3, green >> 2, blue >> 3]
            }),
            Dithering::Ordered => {
                self.each_pixel(rgba, stored, store, |column, span, [red, green, blue]| {
                    let (left, top) = span.origin;
                    let threshold = PATTERN[(row - top) & 7][(column - left) & 7];
                    [
                        FIVE.ordered(red, threshold),
                        SIX.ordered(green, threshold),
                        FIVE.ordered(blue, threshold),
                    ]
                });
            }
            Dithering::FloydSteinberg => self.diffuse_row(row, rgba, stored, store),
        }
    }

    /// Stores pixels that do not depend on each other.
    #[inline]
    fn each_pixel(
        &mut self,
        rgba: &[u8],
        stored: &mut [u8],
        store: Store,
        levels_of: impl Fn(usize, &Span, [u8; 3]) -> [u8; 3],
    ) {
        let pixels = rgba.as_chunks::<4>().0;
        for span in &self.row {
            for column in span.columns.clone() {
                let Some([red, green, blue, alpha]) = pixels.get(column).copied() else { continue };
                let rgb = [red, green, blue];
                if alpha == 0 || store.is_key(rgb) {
                    self.moved[span.owner as usize] +=
                        u32::from(put_as_it_is(stored, column, rgb, alpha, store));
                    continue;
                }
                let (levels, has_moved) = store.beside(levels_of(column, span, rgb), rgb);
                self.moved[span.owner as usize] += u32::from(has_moved);
                store.put(stored, column, pack_levels(levels), alpha);
            }
        }
    }

    /// Error diffusion: what a pixel is too dark or too bright its neighbours of the same region make up for.
    fn diffuse_row(&mut self, row: usize, rgba: &[u8], stored: &mut [u8], store: Store) {
        let goes_on = self.regions.goes_on_after(row);
        self.below.clear();
        if !goes_on {
            let spans = self.regions.of_row(row + 1);
            self.below.extend(spans.iter().flat_map(|span| span.columns.clone().map(|_| span.owner)));
        }
        let Self { errors, row: spans, below, moved, .. } = self;
        let pixels = rgba.as_chunks::<4>().0;
        for span in spans.iter() {
            let takes = |column: usize| {
                if goes_on { span.columns.contains(&column) } else { below.get(column) == Some(&span.owner) }
            };
            let mut carried = [0; 3];
            for column in span.columns.clone() {
                let Some([red, green, blue, alpha]) = pixels.get(column).copied() else { continue };
                let rgb = [red, green, blue];
                if alpha == 0 || store.is_key(rgb) {
                    moved[span.owner as usize] += u32::from(put_as_it_is(stored, column, rgb, alpha, store));
                    carried = [0; 3];
                    continue;
                }
                // In sixteenths, with what the neighbours handed on.
                let before = errors.now[column + 1];
                let wanted: [i32; 3] = std::array::from_fn(|channel| {
                    (i32::from(rgb[channel]) << 4) + carried[channel] + before[channel]
                });
                let levels = [FIVE.nearest(wanted[0]).0, SIX.nearest(wanted[1]).0, FIVE.nearest(wanted[2]).0];
                let (levels, has_moved) = store.beside(levels, rgb);
                moved[span.owner as usize] += u32::from(has_moved);
                store.put(stored, column, pack_levels(levels), alpha);
                let shown = [FIVE.shows(levels[0]), SIX.shows(levels[1]), FIVE.shows(levels[2])];
                let is_first = column == span.columns.start;
                let (has_left, has_middle, has_right) = if goes_on {
                    (!is_first, true, column + 1 < span.columns.end)
                } else {
                    (column > 0 && takes(column - 1), takes(column), takes(column + 1))
                };
                for channel in 0..3 {
                    let [right, left, middle, below_right] = shares(wanted[channel] - shown[channel]);
                    carried[channel] = right;
                    if has_left {
                        errors.next[column][channel] += left;
                    }
                    if has_middle {
                        errors.next[column + 1][channel] += middle;
                    }
                    if has_right {
                        errors.next[column + 2][channel] += below_right;
                    }
                }
            }
        }
        errors.turn();
    }
}

/// Stores a pixel that takes no part in dithering: the key exactly, and one that is not seen cut to its bits, beside the
/// key. Whether it had to move.
fn put_as_it_is(stored: &mut [u8], column: usize, rgb: [u8; 3], alpha: u8, store: Store) -> bool {
    let [red, green, blue] = rgb;
    let levels = [red >> 3, green >> 2, blue >> 3];
    let (levels, has_moved) = if store.is_key(rgb) { (levels, false) } else { store.beside(levels, rgb) };
    store.put(stored, column, pack_levels(levels), alpha);
    // What nobody sees is no art.
    has_moved && (alpha > 0 || !store.format.has_alpha())
}
