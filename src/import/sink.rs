//! Where decoded rows become a texture file: converted as they come, and written.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::compile::{CompileError, Compiled, Make, give_buffer, take_buffer};
use crate::format::tex::{Metadata, TexFlags, TexHeader, TexWriteError};
use crate::fs_atomic::WriteError;
use crate::geometry::Size;
use crate::pixels::{AlphaScan, Conversion, Converter, Shrinker};
use crate::slicing::{Census, Findings};
use crate::texture::PixelFormat;

/// Pixels moved at once when a started texture turns out to need alpha.
const WIDEN_PIXELS: usize = 64 << 10;
/// Bytes of a texture's header.
const HEADER_BYTES: u64 = 32;

/// What a texture is written to: a file, or memory.
pub(super) trait Storage: Read + Write + Seek + Send {}

impl<T: Read + Write + Seek + Send> Storage for T {}

/// Converts rows and writes them. With Automatic it begins without alpha and widens what is written
/// when the first translucent pixel comes: most sheets have one in their first rows, the others none at all. What is made
/// smaller is held until the last row has come, and written then.
pub(super) struct PixelSink<'a> {
    file: Option<&'a mut dyn Storage>,
    automatic: bool,
    format: PixelFormat,
    converter: Converter,
    /// Stored pixels on their way to the file; of an image that came at once, the whole file.
    packed: Vec<u8>,
    image: Size,
    /// Whether all pixels came at once, so that the file is written at once too.
    is_whole: bool,
    scan: AlphaScan,
    pixels_written: u64,
    census: Census,
    shrinker: Option<Shrinker>,
    stored_size: Size,
    /// Whether no stored pixel lets anything through, though the image has some that do.
    is_opaque_when_smaller: bool,
}

impl<'a> PixelSink<'a> {
    /// Refuses, before anything is written, a size that the format's header cannot say.
    pub(super) fn new(
        file: Option<&'a mut dyn Storage>,
        image: Size,
        make: &Make<'_>,
    ) -> Result<Self, TexWriteError> {
        let format = make.format.unwrap_or(PixelFormat::Rgb565);
        let stored_size = make.shrink.map_or(image, |shrink| shrink.stored);
        TexHeader { size: stored_size, format, flags: TexFlags::IS_SPRITE }.to_bytes(0)?;
        let shrinker =
            make.shrink.map(|shrink| Shrinker::new(image, shrink.stored, shrink.regions, shrink.filter));
        let conversion = Conversion {
            size: stored_size,
            format,
            dithering: make.dithering,
            chroma_key: make.chroma_key,
            rects_in_stored: make.rects_in_stored,
        };
        Ok(Self {
            file,
            automatic: make.format.is_none(),
            format,
            converter: Converter::new(&conversion, 0),
            packed: take_buffer(),
            image,
            is_whole: false,
            scan: AlphaScan::default(),
            pixels_written: 0,
            census: Census::new(make.frames.iter().copied(), image),
            shrinker,
            stored_size,
            is_opaque_when_smaller: false,
        })
    }

    /// Takes the next rows of the image.
    pub(super) fn take(&mut self, rgba: &[u8]) -> io::Result<()> {
        self.scan.scan(rgba);
        self.census.push_rows(rgba);
        if self.automatic && self.scan.any_translucent() && !self.format.has_alpha() {
            self.widen()?;
        }
        if let Some(shrinker) = &mut self.shrinker {
            shrinker.push_rows(rgba);
            return Ok(());
        }
        let pixels = rgba.len() / 4;
        let is_first = self.pixels_written == 0;
        self.pixels_written += pixels as u64;
        self.is_whole = is_first && self.pixels_written == self.image.area();
        if is_first
            && !self.is_whole
            && let Some(file) = &mut self.file
        {
            file.write_all(&[0; HEADER_BYTES as usize])?;
        }
        let start = if self.is_whole { HEADER_BYTES as usize } else { 0 };
        self.packed.resize(start + pixels * self.format.bytes_per_pixel(), 0);
        self.converter.push_rows(rgba, self.packed.get_mut(start..).unwrap_or_default());
        match &mut self.file {
            Some(file) if !self.is_whole => file.write_all(&self.packed),
            _ => Ok(()),
        }
    }

    /// Stores what was made smaller, now that all of the image has passed and the format is known.
    fn shrink(&mut self) {
        let Some(shrinker) = self.shrinker.take() else { return };
        let rgba = shrinker.finish();
        self.is_opaque_when_smaller = rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == u8::MAX);
        let start = HEADER_BYTES as usize;
        self.packed.resize(start + rgba.len() / 4 * self.format.bytes_per_pixel(), 0);
        self.converter.push_rows(&rgba, self.packed.get_mut(start..).unwrap_or_default());
        self.is_whole = true;
    }

    /// Turns the RGB565 written so far into opaque RGB565A8, in place and from the end.
    fn widen(&mut self) -> io::Result<()> {
        self.format = PixelFormat::Rgb565A8;
        self.converter.widen();
        let Some(file) = self.file.as_mut().filter(|_| self.pixels_written > 0) else { return Ok(()) };
        let (mut narrow, mut wide) = (vec![0; WIDEN_PIXELS * 2], vec![0; WIDEN_PIXELS * 3]);
        let mut end = self.pixels_written;
        while end > 0 {
            let count = end.min(WIDEN_PIXELS as u64);
            let start = end - count;
            let (narrow, wide) = (&mut narrow[..count as usize * 2], &mut wide[..count as usize * 3]);
            file.seek(SeekFrom::Start(HEADER_BYTES + start * 2))?;
            file.read_exact(narrow)?;
            for (from, to) in narrow.chunks_exact(2).zip(wide.chunks_exact_mut(3)) {
                to.copy_from_slice(&[from[0], from[1], u8::MAX]);
            }
            file.seek(SeekFrom::Start(HEADER_BYTES + start * 3))?;
            file.write_all(wide)?;
            end = start;
        }
        file.seek(SeekFrom::Start(HEADER_BYTES + self.pixels_written * 3))?;
        Ok(())
    }

    fn flags(&self) -> TexFlags {
        // With alpha in the image and none in the texture, which only a smaller size brings about.
        let is_all_opaque = self.is_opaque_when_smaller && self.format == PixelFormat::Rgb565A8;
        TexFlags::IS_SPRITE
            .with_if(self.scan.any_translucent() && is_all_opaque, TexFlags::ALL_OPAQUE)
            .with_if(self.scan.any_translucent(), TexFlags::HAS_ALPHA)
            .with_if(self.scan.any_zero(), TexFlags::HAS_TRANSPARENCY)
    }

    /// Writes what is left, now that all rows have come; `path` is the file's, for what goes wrong.
    pub(super) fn finish(mut self, make: &Make<'_>, path: &Path) -> Result<Compiled, CompileError> {
        self.shrink();
        let flags = self.flags();
        let Self { format, stored_size, .. } = self;
        let converted = self.converter.finish();
        let moved = &converted.moved_from_key;
        let in_all = moved.iter().copied().map(u64::from).sum();
        let findings =
            Findings::of(&self.census.finish()).with_key(moved.get(1..).unwrap_or_default(), in_all);
        let metadata = with_spans(make.metadata, converted.spans).to_bytes()?;
        let header = TexHeader { size: stored_size, format, flags }.to_bytes(metadata.len())?;
        if let Some(file) = self.file {
            let written = if self.is_whole {
                self.packed[..header.len()].copy_from_slice(&header);
                self.packed.extend_from_slice(&metadata);
                file.write_all(&self.packed)
            } else {
                file.write_all(&metadata)
                    .and_then(|()| file.seek(SeekFrom::Start(0)))
                    .and_then(|_| file.write_all(&header))
            };
            written.map_err(|source| WriteError { path: path.to_owned(), source })?;
        }
        give_buffer(self.packed);
        let pixel_bytes = stored_size.area() * format.bytes_per_pixel() as u64;
        Ok(Compiled {
            image_size: self.image,
            stored_size,
            format,
            has_alpha: self.scan.any_translucent(),
            file_bytes: HEADER_BYTES + pixel_bytes + metadata.len() as u64,
            findings,
        })
    }
}

fn with_spans(metadata: &Metadata, spans: Vec<i16>) -> Metadata {
    let mut metadata = metadata.clone();
    if let Some(key) = &mut metadata.chroma_key {
        key.spans = spans;
    }
    metadata
}
