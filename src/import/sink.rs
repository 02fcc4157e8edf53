//! Where a decoded image's rows become a texture: converted as they come, and written on the way or kept.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use super::recipe::Recipe;
use crate::format::tex::{HEADER_BYTES, TexFlags, TexHeader, TexWriteError};
use crate::geometry::Size;
use crate::pixels::{AlphaScan, Converter, KeySpans, Shrinker};
use crate::slicing::{Census, Findings};
use crate::texture::PixelFormat;

/// Bytes moved at once when a started texture turns out to need alpha.
const WIDEN_PIXELS: usize = 64 << 10;
/// Bytes of a picture that are converted before it is asked whether the user gave up.
const STEP_BYTES: usize = 4 << 20;

/// Where a texture goes.
pub(super) enum Destination<'a> {
    /// Nowhere: only what is found on the way is asked for.
    Nowhere,
    /// To a file, as it is made.
    File(&'a mut File),
    /// Into memory.
    Memory,
}

/// The alpha of an image whose rows come one after the other.
#[derive(Clone, Copy)]
enum Alpha {
    /// Of the whole image.
    Known(AlphaScan),
    /// Of the rows that have come.
    Seen(AlphaScan),
}

impl Alpha {
    const fn so_far(self) -> AlphaScan {
        match self {
            Self::Known(alpha) | Self::Seen(alpha) => alpha,
        }
    }
}

/// Converts rows and writes them. With Automatic it begins without alpha and widens what is written
/// when the first translucent pixel comes: most sheets have one in their first rows, the others none at all. What is made
/// smaller is held until the last row has come, and written then.
pub(super) struct PixelSink<'a> {
    to: Destination<'a>,
    automatic: bool,
    format: PixelFormat,
    converter: Converter,
    /// Stored pixels on their way to the file; of an image that came at once, the whole file.
    packed: Vec<u8>,
    /// Bytes of the file in `packed`, when that is to be all of it.
    filled: usize,
    pixels: u64,
    /// Whether all pixels are in `packed`, so that the file is written at once.
    is_whole: bool,
    alpha: Alpha,
    pixels_written: u64,
    census: Option<Census>,
    frames: usize,
    shrinker: Option<Shrinker>,
    stored_size: Size,
    key_spans: Option<KeySpans>,
    /// Whether no stored pixel lets anything through, though the image has some that do.
    is_opaque_when_smaller: bool,
}

impl<'a> PixelSink<'a> {
    /// Refuses, before anything is written, a size that the format's header cannot say. The alpha of an
    /// image that is there as a whole is `known` before its rows come; then it is not looked at again, nor is anything
    /// widened.
    pub(super) fn new(
        to: Destination<'a>,
        recipe: &Recipe,
        known: Option<AlphaScan>,
    ) -> Result<Self, TexWriteError> {
        let alpha = known.map_or_else(|| Alpha::Seen(AlphaScan::default()), Alpha::Known);
        let conversion = recipe.conversion(alpha.so_far().any_translucent());
        let (format, size) = (conversion.format, recipe.stored);
        TexHeader { size, format, flags: TexFlags::IS_SPRITE }.to_bytes(0)?;
        let shrinks = recipe.shrinks().then_some(&recipe.regions.rects_in_image);
        let packed = match to {
            // What is handed out is no buffer for the next image.
            Destination::Memory => {
                Vec::with_capacity(HEADER_BYTES + size.area() as usize * format.bytes_per_pixel())
            }
            _ => take_buffer(),
        };
        Ok(Self {
            to,
            automatic: recipe.format.is_none(),
            format,
            converter: Converter::new(&conversion),
            packed,
            filled: HEADER_BYTES,
            pixels: recipe.image.area(),
            is_whole: false,
            alpha,
            pixels_written: 0,
            census: Some(Census::new(recipe.frames.iter().copied(), recipe.image)),
            frames: recipe.frames.len(),
            shrinker: shrinks.map(|regions| Shrinker::new(recipe.image, size, regions, recipe.filter)),
            stored_size: size,
            key_spans: recipe.chroma_key.map(|key| KeySpans::new(key, format, size.width)),
            is_opaque_when_smaller: false,
        })
    }

    /// Takes the next rows of the image, straight RGBA.
    pub(super) fn take(&mut self, rgba: &[u8]) -> io::Result<()> {
        if let Alpha::Seen(alpha) = &mut self.alpha {
            alpha.scan(rgba);
        }
        if let Some(census) = &mut self.census {
            census.push_rows(rgba);
        }
        if self.automatic && self.alpha.so_far().any_translucent() && !self.format.has_alpha() {
            self.widen()?;
        }
        if let Some(shrinker) = &mut self.shrinker {
            shrinker.push_rows(rgba);
            return Ok(());
        }
        let is_first = self.pixels_written == 0;
        self.pixels_written += rgba.len() as u64 / 4;
        let came_at_once = is_first && self.pixels_written == self.pixels;
        self.is_whole = match &mut self.to {
            Destination::Memory => true,
            Destination::File(file) if is_first && !came_at_once => {
                file.write_all(&[0; HEADER_BYTES])?;
                false
            }
            Destination::File(_) => came_at_once,
            // A key is looked for in the stored pixels.
            Destination::Nowhere if self.key_spans.is_some() => false,
            Destination::Nowhere => return Ok(()),
        };
        let start = if self.is_whole { self.filled } else { 0 };
        self.convert(rgba, start);
        match &mut self.to {
            Destination::File(file) if !self.is_whole => file.write_all(&self.packed),
            _ => Ok(()),
        }
    }

    /// Converts rows into `packed` from `start` on, where it ends with them.
    fn convert(&mut self, rgba: &[u8], start: usize) {
        self.packed.resize(start + rgba.len() / 4 * self.format.bytes_per_pixel(), 0);
        let Some(stored) = self.packed.get_mut(start..) else { return };
        self.converter.push_rows(rgba, stored);
        if let Some(spans) = &mut self.key_spans {
            spans.push_rows(self.format, stored);
        }
        self.filled = self.packed.len();
    }

    /// Converts what was made smaller, now that all of the image has passed and the format is known; whether nobody gave
    /// up meanwhile.
    pub(super) fn shrink(&mut self, cancel: &AtomicBool) -> bool {
        let Some(shrinker) = self.shrinker.take() else { return true };
        let rgba = shrinker.finish();
        self.is_opaque_when_smaller = rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == u8::MAX);
        self.is_whole = true;
        let row_bytes = self.stored_size.width as usize * 4;
        for rows in rgba.chunks((STEP_BYTES / row_bytes).max(1) * row_bytes) {
            if cancel.load(Ordering::Relaxed) {
                return false;
            }
            self.convert(rows, self.filled);
        }
        true
    }

    /// Turns the RGB565 written so far into opaque RGB565A8, in place and from the end.
    fn widen(&mut self) -> io::Result<()> {
        self.format = PixelFormat::Rgb565A8;
        self.converter.widen();
        let Destination::File(file) = &mut self.to else { return Ok(()) };
        if self.pixels_written == 0 {
            return Ok(());
        }
        let (mut narrow, mut wide) = (vec![0; WIDEN_PIXELS * 2], vec![0; WIDEN_PIXELS * 3]);
        let mut end = self.pixels_written;
        while end > 0 {
            let count = end.min(WIDEN_PIXELS as u64);
            let start = end - count;
            let (narrow, wide) = (&mut narrow[..count as usize * 2], &mut wide[..count as usize * 3]);
            file.seek(SeekFrom::Start(HEADER_BYTES as u64 + start * 2))?;
            file.read_exact(narrow)?;
            for (from, to) in narrow.chunks_exact(2).zip(wide.chunks_exact_mut(3)) {
                to.copy_from_slice(&[from[0], from[1], u8::MAX]);
            }
            file.seek(SeekFrom::Start(HEADER_BYTES as u64 + start * 3))?;
            file.write_all(wide)?;
            end = start;
        }
        file.seek(SeekFrom::Start(HEADER_BYTES as u64 + self.pixels_written * 3))?;
        Ok(())
    }

    /// What the header says.
    pub(super) fn header(&self) -> TexHeader {
        // With alpha in the image and none in the texture, which only a smaller size brings about.
        let is_all_opaque = self.is_opaque_when_smaller && self.format == PixelFormat::Rgb565A8;
        let flags = TexFlags::IS_SPRITE
            .with_if(self.alpha.so_far().any_translucent() && is_all_opaque, TexFlags::ALL_OPAQUE)
            .with_if(self.alpha.so_far().any_translucent(), TexFlags::HAS_ALPHA)
            .with_if(self.alpha.so_far().any_zero(), TexFlags::HAS_TRANSPARENCY);
        TexHeader { size: self.stored_size, format: self.format, flags }
    }

    /// Whether any alpha of the image is below 255.
    pub(super) const fn image_has_alpha(&self) -> bool {
        self.alpha.so_far().any_translucent()
    }

    /// Where each stored row has pixels that are not the key, as far as that can be said.
    pub(super) fn take_key_spans(&mut self) -> Vec<i16> {
        self.key_spans.take().map(KeySpans::finish).unwrap_or_default()
    }

    /// What is odd about the frames.
    pub(super) fn take_findings(&mut self) -> Findings {
        let found = self.census.take().map(|census| Findings::of(&census.finish())).unwrap_or_default();
        let moved = self.converter.moved();
        // Without frames what is counted by itself are the parts between the image's borders.
        let of_frames = moved.get(1..=self.frames).unwrap_or_default();
        found.with_key(of_frames, moved.iter().copied().map(u64::from).sum())
    }

    /// Writes what is left; the file's bytes, when they are to be in memory.
    pub(super) fn finish(mut self, header: &[u8], metadata: &[u8]) -> io::Result<Vec<u8>> {
        if self.is_whole {
            self.packed[..header.len()].copy_from_slice(header);
            self.packed.extend_from_slice(metadata);
        }
        match &mut self.to {
            Destination::Memory => return Ok(self.packed),
            Destination::File(file) if self.is_whole => file.write_all(&self.packed)?,
            Destination::File(file) => {
                file.write_all(metadata)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all(header)?;
            }
            Destination::Nowhere => {}
        }
        give_buffer(self.packed);
        Ok(Vec::new())
    }
}

thread_local! {
    /// Buffers of the images that a worker compiled before: the system takes its time to hand out fresh memory, which
    /// is a good part of what a small image costs.
    static BUFFERS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Buffers larger than this are not kept.
const KEPT_BYTES: usize = 1 << 20;

/// A buffer with any contents, if possible one that was used before: what is there need not be cleared again.
pub(super) fn take_buffer() -> Vec<u8> {
    BUFFERS.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Keeps a buffer for the next image.
pub(super) fn give_buffer(buffer: Vec<u8>) {
    if buffer.capacity() <= KEPT_BYTES {
        BUFFERS.with_borrow_mut(|buffers| {
            if buffers.len() < 4 {
                buffers.push(buffer);
            }
        });
    }
}
