//! Pass 2 for one image: decode by rows, convert, and stream the texture out, so that no picture is
//! ever whole in memory. Two threads share the work on a big file: one decodes, one converts and writes.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::format::tex::{TexFlags, TexHeader, TexWriteError};
use crate::fs_atomic::{Pending, WriteError};
use crate::geometry::{PixelRect, Size};
use crate::pixels::{AlphaScan, DecodeError, Filter, RowDecoder, Shrinker, pack_rows};
use crate::slicing::{Census, Findings};
use crate::texture::PixelFormat;

/// Bytes of decoded rows handed from one thread to the other at once: small enough for the cache.
const BAND_BYTES: usize = 512 << 10;
/// Bands in flight.
const BANDS: usize = 4;
/// Bytes moved at once when a started texture turns out to need alpha.
const WIDEN_PIXELS: usize = 64 << 10;
/// Bytes of a texture's header.
const HEADER_BYTES: u64 = 32;

/// Why an image did not become a texture.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The image cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The texture cannot be said in the format.
    #[error(transparent)]
    Format(#[from] TexWriteError),
    /// The texture cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The user gave up.
    #[error("cancelled")]
    Cancelled,
}

/// What to make of an image.
pub struct Order<'a> {
    /// The image file's bytes.
    pub image: &'a [u8],
    /// The file name's extension, for kinds that cannot be told from their bytes.
    pub extension: Option<&'a str>,
    /// The wanted format; `None` is Automatic.
    pub format: Option<PixelFormat>,
    /// How it is made smaller; `None` when it is stored as large as it is.
    pub shrink: Option<Shrink<'a>>,
    /// What follows the pixels.
    pub metadata: Vec<u8>,
    /// The frames whose pixels are to be looked at on the way.
    pub frames: &'a [PixelRect],
    /// Whether a second thread may convert and write.
    pub second_thread: bool,
    /// Set from anywhere to give up.
    pub cancel: &'a AtomicBool,
}

/// How an image becomes a smaller texture.
#[derive(Debug, Clone, Copy)]
pub struct Shrink<'a> {
    /// Size of the texture.
    pub stored: Size,
    /// What is made smaller by itself, in image pixels and in the order of the encoder.
    pub regions: &'a [PixelRect],
    /// How several pixels become one.
    pub filter: Filter,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// Size of the image.
    pub image_size: Size,
    /// Size of the texture.
    pub stored_size: Size,
    /// The format, chosen if Automatic.
    pub format: PixelFormat,
    /// Whether any source alpha is below 255.
    pub has_alpha: bool,
    /// Bytes of the texture file.
    pub file_bytes: u64,
    /// What is odd about the frames.
    pub findings: Findings,
}

/// Compiles an image into the texture file `destination`, which is the old one or the new one at any moment.
pub fn compile(order: Order<'_>, destination: &Path) -> Result<Compiled, CompileError> {
    let mut pending = Pending::create(destination)?;
    let compiled = stream(order, Some(pending.file()), destination)?;
    pending.commit()?;
    Ok(compiled)
}

/// Decodes an image as [`compile`] would, and writes nothing.
pub fn rehearse(order: Order<'_>) -> Result<Compiled, CompileError> {
    stream(order, None, Path::new(""))
}

fn stream(order: Order<'_>, file: Option<&mut File>, path: &Path) -> Result<Compiled, CompileError> {
    let Order { image, extension, format, shrink, metadata, frames, second_thread, cancel } = order;
    let mut decoder = RowDecoder::open(image, extension)?;
    let size = decoder.size();
    let row_bytes = size.width as usize * 4;
    let band_bytes = (BAND_BYTES / row_bytes).clamp(1, size.height as usize) * row_bytes;
    let write_failed = |source| WriteError { path: path.to_owned(), source };

    let mut sink = PixelSink::new(file, format, size, shrink, frames)?;
    if second_thread {
        decode_beside(&mut decoder, band_bytes, cancel, &mut sink, path)?;
    } else {
        let mut band = take_buffer();
        band.resize(band_bytes, 0);
        loop {
            let rows = decoder.read_rows(&mut band)?;
            if rows == 0 {
                break;
            }
            sink.take(&band[..rows * row_bytes]).map_err(write_failed)?;
            if cancel.load(Ordering::Relaxed) {
                return Err(CompileError::Cancelled);
            }
        }
        give_buffer(band);
    }
    sink.shrink();
    let stored_size = sink.stored_size;
    let header =
        TexHeader { size: stored_size, format: sink.format, flags: sink.flags() }.to_bytes(metadata.len())?;
    sink.finish(&header, &metadata).map_err(write_failed)?;
    give_buffer(std::mem::take(&mut sink.packed));
    let pixel_bytes = stored_size.area() * sink.format.bytes_per_pixel() as u64;
    Ok(Compiled {
        image_size: size,
        stored_size,
        format: sink.format,
        has_alpha: sink.scan.any_translucent(),
        file_bytes: HEADER_BYTES + pixel_bytes + metadata.len() as u64,
        findings: Findings::of(&sink.census.finish()),
    })
}

thread_local! {
    /// Buffers of the images that a worker compiled before: the system takes its time to hand out fresh memory, which
    /// is a good part of what a small image costs.
    static BUFFERS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Buffers larger than this are not kept.
const KEPT_BYTES: usize = 1 << 20;

/// A buffer with any contents, if possible one that was used before: what is there need not be cleared again.
fn take_buffer() -> Vec<u8> {
    BUFFERS.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Keeps a buffer for the next image.
fn give_buffer(buffer: Vec<u8>) {
    if buffer.capacity() <= KEPT_BYTES {
        BUFFERS.with_borrow_mut(|buffers| {
            if buffers.len() < 4 {
                buffers.push(buffer);
            }
        });
    }
}

/// Decodes on this thread while `sink` converts and writes on another. Buffers go round, so that no
/// memory is touched for the first time once the ring is full.
fn decode_beside(
    decoder: &mut RowDecoder<'_>,
    band_bytes: usize,
    cancel: &AtomicBool,
    sink: &mut PixelSink<'_>,
    path: &Path,
) -> Result<(), CompileError> {
    let row_bytes = decoder.size().width as usize * 4;
    let (full_tx, full_rx): (Sender<(Vec<u8>, usize)>, Receiver<_>) = bounded(BANDS);
    let (empty_tx, empty_rx) = bounded(BANDS);
    let failed = |source| CompileError::from(WriteError { path: path.to_owned(), source });
    thread::scope(|scope| {
        let writer = thread::Builder::new()
            .name("convert".into())
            .spawn_scoped(scope, move || -> io::Result<()> {
                for (band, used) in full_rx {
                    sink.take(&band[..used])?;
                    // The decoder may be done and gone; then the buffer is simply dropped.
                    drop(empty_tx.send(band));
                }
                Ok(())
            })
            .map_err(failed)?;
        let mut fresh = 0;
        let decoded = loop {
            let mut band = if fresh < BANDS {
                fresh += 1;
                vec![0; band_bytes]
            } else if let Ok(band) = empty_rx.recv() {
                band
            } else {
                break Ok(());
            };
            match decoder.read_rows(&mut band) {
                Ok(0) => break Ok(()),
                Ok(rows) => {
                    if full_tx.send((band, rows * row_bytes)).is_err() {
                        break Ok(());
                    }
                }
                Err(why) => break Err(CompileError::from(why)),
            }
            if cancel.load(Ordering::Relaxed) {
                break Err(CompileError::Cancelled);
            }
        };
        drop(full_tx);
        let written =
            writer.join().unwrap_or_else(|_| Err(io::Error::other("the converting thread panicked")));
        decoded?;
        written.map_err(failed)
    })
}

/// Converts rows and writes them. With Automatic it begins without alpha and widens what is written
/// when the first translucent pixel comes: most sheets have one in their first rows, the others none at all. What is made
/// smaller is held until the last row has come, and written then.
struct PixelSink<'a> {
    file: Option<&'a mut File>,
    automatic: bool,
    format: PixelFormat,
    /// Stored pixels on their way to the file; of an image that came at once, the whole file.
    packed: Vec<u8>,
    pixels: u64,
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
    fn new(
        file: Option<&'a mut File>,
        wanted: Option<PixelFormat>,
        size: Size,
        shrink: Option<Shrink<'_>>,
        frames: &[PixelRect],
    ) -> Result<Self, TexWriteError> {
        let format = wanted.unwrap_or(PixelFormat::Rgb565);
        let stored_size = shrink.map_or(size, |shrink| shrink.stored);
        TexHeader { size: stored_size, format, flags: TexFlags::IS_SPRITE }.to_bytes(0)?;
        let shrinker =
            shrink.map(|Shrink { stored, regions, filter }| Shrinker::new(size, stored, regions, filter));
        Ok(Self {
            file,
            automatic: wanted.is_none(),
            format,
            packed: take_buffer(),
            pixels: size.area(),
            is_whole: false,
            scan: AlphaScan::default(),
            pixels_written: 0,
            census: Census::new(frames.iter().copied(), size),
            shrinker,
            stored_size,
            is_opaque_when_smaller: false,
        })
    }

    fn take(&mut self, rgba: &[u8]) -> io::Result<()> {
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
        let Some(file) = &mut self.file else { return Ok(()) };
        self.is_whole = is_first && self.pixels_written == self.pixels;
        if is_first && !self.is_whole {
            file.write_all(&[0; HEADER_BYTES as usize])?;
        }
        let start = if self.is_whole { HEADER_BYTES as usize } else { 0 };
        self.packed.resize(start + pixels * self.format.bytes_per_pixel(), 0);
        pack_rows(self.format, rgba, &mut self.packed[start..]);
        if self.is_whole { Ok(()) } else { file.write_all(&self.packed) }
    }

    /// Packs what was made smaller, now that all of the image has passed and the format is known.
    fn shrink(&mut self) {
        let Some(shrinker) = self.shrinker.take() else { return };
        let rgba = shrinker.finish();
        self.is_opaque_when_smaller = rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == u8::MAX);
        let start = HEADER_BYTES as usize;
        self.packed.resize(start + rgba.len() / 4 * self.format.bytes_per_pixel(), 0);
        if let Some(packed) = self.packed.get_mut(start..) {
            pack_rows(self.format, &rgba, packed);
        }
        self.is_whole = true;
    }

    /// Turns the RGB565 written so far into opaque RGB565A8, in place and from the end.
    fn widen(&mut self) -> io::Result<()> {
        self.format = PixelFormat::Rgb565A8;
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

    fn finish(&mut self, header: &[u8], metadata: &[u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if self.is_whole {
            self.packed[..header.len()].copy_from_slice(header);
            self.packed.extend_from_slice(metadata);
            return file.write_all(&self.packed);
        }
        file.write_all(metadata)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tex::Tex;

    /// A PNG of `height` rows, opaque but for one translucent pixel in `translucent_row`.
    fn png(width: u32, height: u32, translucent_row: Option<u32>) -> Vec<u8> {
        let mut rgba = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let alpha = if Some(y) == translucent_row && x == width - 1 { 0 } else { 255 };
                rgba.extend([x as u8, y as u8, (x ^ y) as u8, alpha]);
            }
        }
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(&rgba).unwrap();
        bytes
    }

    fn compile_bytes(image: &[u8], format: Option<PixelFormat>, second_thread: bool) -> (Compiled, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        let cancel = AtomicBool::new(false);
        let order = Order {
            image,
            extension: None,
            format,
            shrink: None,
            metadata: Vec::new(),
            frames: &[],
            second_thread,
            cancel: &cancel,
        };
        let compiled = compile(order, &path).unwrap();
        (compiled, std::fs::read(&path).unwrap())
    }

    #[test]
    fn automatic_widens_what_is_written_when_alpha_comes_late() {
        // 700 x 600: several bands, so rows are on disk before the last row's pixel is seen.
        let image = png(700, 600, Some(599));
        let (automatic, file) = compile_bytes(&image, None, false);
        assert_eq!(automatic.format, PixelFormat::Rgb565A8);
        let (explicit, expected) = compile_bytes(&image, Some(PixelFormat::Rgb565A8), false);
        assert!(file == expected, "a widened texture equals one written with alpha from the start");
        assert_eq!(automatic, explicit);
    }

    #[test]
    fn automatic_stays_without_alpha_when_every_pixel_is_opaque() {
        let (compiled, file) = compile_bytes(&png(16, 4, None), None, false);
        assert_eq!((compiled.format, compiled.has_alpha), (PixelFormat::Rgb565, false));
        assert_eq!(file.len(), 32 + 16 * 4 * 2);
        assert_eq!(Tex::parse(&file).unwrap().flags, TexFlags::IS_SPRITE);
    }

    #[test]
    fn one_thread_and_two_give_the_same_bytes() {
        let image = png(700, 600, Some(3));
        for format in [None].into_iter().chain(PixelFormat::ALL.map(Some)) {
            let (alone, one) = compile_bytes(&image, format, false);
            let (beside, two) = compile_bytes(&image, format, true);
            assert!(one == two, "{format:?}");
            assert_eq!(alone, beside);
            assert_eq!(alone.file_bytes, one.len() as u64);
        }
    }

    #[test]
    fn giving_up_or_failing_leaves_the_old_texture() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        std::fs::write(&path, b"old").unwrap();
        let whole = png(700, 600, None);
        for (image, cancelled) in [(&whole[..], true), (&whole[..whole.len() / 2], false)] {
            for second_thread in [false, true] {
                let cancel = AtomicBool::new(cancelled);
                let metadata = Vec::new();
                let order = Order {
                    image,
                    extension: None,
                    format: None,
                    shrink: None,
                    metadata,
                    frames: &[],
                    second_thread,
                    cancel: &cancel,
                };
                assert!(compile(order, &path).is_err());
                assert_eq!(std::fs::read(&path).unwrap(), b"old");
                assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            }
        }
    }
}
