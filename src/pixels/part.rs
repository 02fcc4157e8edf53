//! A part of a stored picture, made without the rest: what the whole has there, for whoever looks at no more of it.

use super::convert::{Conversion, Converter};
use super::shrink::{Filter, Shrinker};
use crate::geometry::{PixelRect, Size};
use crate::texture::Dithering;

/// A picture in memory and how it is stored.
#[derive(Clone, Copy)]
pub struct Whole<'a> {
    /// Size of the image.
    pub image: Size,
    /// Its pixels, straight RGBA.
    pub rgba: &'a [u8],
    /// How several pixels become one.
    pub filter: Filter,
    /// What is made smaller by itself, in image pixels and in the encoder's order.
    pub regions: &'a [PixelRect],
    /// How its pixels are stored.
    pub conversion: Conversion<'a>,
}

/// Rows of a stored picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What of the rows is as the whole has it, in stored pixels.
    pub rect_in_stored: PixelRect,
    /// All columns of the part's rows, as they are stored.
    pub rows: Vec<u8>,
}

impl Whole<'_> {
    /// The stored pixels of a part, which is cut down to the picture; of one outside no rows.
    pub fn part(&self, rect_in_stored: PixelRect) -> Part {
        let Conversion { size, dithering, format, .. } = self.conversion;
        let Some(rect) = rect_in_stored.clipped_to(size) else {
            return Part { rect_in_stored: PixelRect::default(), rows: Vec::new() };
        };
        let row_bytes = size.width as usize * format.bytes_per_pixel();
        // What errors have come down to a row is known only when all rows above have been stored.
        let first = if dithering == Dithering::FloydSteinberg { 0 } else { rect.y as usize };
        let (top, bottom) = (rect.y as usize, rect.bottom() as usize);
        let shrunk = (size != self.image).then(|| self.shrunk(rect, first));
        let rows_of = |rgba: &'_ [u8], width: u32| {
            let row = width as usize * 4;
            first * row..(bottom * row).min(rgba.len())
        };
        let source = shrunk.as_deref().unwrap_or(self.rgba);
        let rgba = source.get(rows_of(source, size.width)).unwrap_or_default();
        let mut stored = vec![0; (bottom - first) * row_bytes];
        let mut converter = Converter::new(&self.conversion, first);
        converter.push_rows(rgba, &mut stored);
        drop(stored.drain(..(top - first) * row_bytes));
        Part { rect_in_stored: rect, rows: stored }
    }

    /// The picture made smaller, as far as a part of it and the rows from `first` on need it.
    fn shrunk(&self, rect: PixelRect, first: usize) -> Vec<u8> {
        let mut shrinker = Shrinker::new(self.image, self.conversion.size, self.regions, self.filter);
        let top = first as i32;
        let wanted = PixelRect::new(rect.x, top, rect.width, rect.bottom() as i32 - top);
        let rows = shrinker.only_for(wanted);
        let row_bytes = self.image.width as usize * 4;
        let source = rows.start as usize * row_bytes..rows.end as usize * row_bytes;
        shrinker.push_rows(self.rgba.get(source).unwrap_or_default());
        shrinker.finish()
    }
}
