//! Pass 2 for one image: decode by rows, convert, and stream the texture out, so that no picture is
//! ever whole in memory. Two threads share the work on a big file: one decodes, one converts and writes.

use std::cell::RefCell;
use std::io::{self, Cursor};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::sink::{PixelSink, Storage};
use crate::format::tex::{Metadata, TexWriteError};
use crate::fs_atomic::{Pending, WriteError};
use crate::geometry::{PixelRect, Size};
use crate::pixels::{DecodeError, Filter, RowDecoder};
use crate::slicing::Findings;
use crate::texture::{ChromaKey, Dithering, PixelFormat};

/// Bytes of decoded rows handed from one thread to the other at once: small enough for the cache.
const BAND_BYTES: usize = 512 << 10;
/// Bands in flight.
const BANDS: usize = 4;

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

/// An image file, and what to make of it.
pub struct Order<'a> {
    /// The image file's bytes.
    pub image: &'a [u8],
    /// The file name's extension, for kinds that cannot be told from their bytes.
    pub extension: Option<&'a str>,
    /// What to make of its pixels.
    pub make: Make<'a>,
    /// Whether a second thread may convert and write.
    pub second_thread: bool,
    /// Set from anywhere to give up.
    pub cancel: &'a AtomicBool,
}

/// What to make of an image's pixels.
#[derive(Clone, Copy)]
pub struct Make<'a> {
    /// The wanted format; `None` is Automatic.
    pub format: Option<PixelFormat>,
    /// How colours between two stored values are rendered.
    pub dithering: Dithering,
    /// The colour that is drawn as nothing.
    pub chroma_key: Option<ChromaKey>,
    /// How it is made smaller; `None` when it is stored as large as it is.
    pub shrink: Option<Shrink<'a>>,
    /// What is dithered by itself, in stored pixels and in the encoder's order.
    pub rects_in_stored: &'a [PixelRect],
    /// What follows the pixels; the chroma key's spans are found on the way.
    pub metadata: &'a Metadata,
    /// The frames whose pixels are to be looked at on the way, in image pixels.
    pub frames: &'a [PixelRect],
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

/// The bytes of the texture file that [`compile`] makes of an image with these pixels, straight RGBA, of that size.
pub fn compile_pixels(
    image: Size,
    rgba: &[u8],
    make: &Make<'_>,
    cancel: &AtomicBool,
) -> Result<(Compiled, Vec<u8>), CompileError> {
    let path = Path::new("");
    let failed = |source| CompileError::from(WriteError { path: path.to_owned(), source });
    let mut bytes = Cursor::new(Vec::new());
    let mut sink = PixelSink::new(Some(&mut bytes), image, make)?;
    for band in rgba.chunks(band_bytes(image)) {
        if cancel.load(Ordering::Relaxed) {
            return Err(CompileError::Cancelled);
        }
        sink.take(band).map_err(failed)?;
    }
    let compiled = sink.finish(make, path)?;
    Ok((compiled, bytes.into_inner()))
}

/// Bytes of so many whole rows as are handed on at once.
fn band_bytes(image: Size) -> usize {
    let row_bytes = image.width as usize * 4;
    (BAND_BYTES / row_bytes).clamp(1, image.height as usize) * row_bytes
}

fn stream(order: Order<'_>, file: Option<&mut dyn Storage>, path: &Path) -> Result<Compiled, CompileError> {
    let Order { image, extension, make, second_thread, cancel } = order;
    let mut decoder = RowDecoder::open(image, extension)?;
    let size = decoder.size();
    let row_bytes = size.width as usize * 4;
    let band_bytes = band_bytes(size);
    let write_failed = |source| WriteError { path: path.to_owned(), source };

    let mut sink = PixelSink::new(file, size, &make)?;
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
    sink.finish(&make, path)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tex::{Tex, TexFlags};

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

    fn make(format: Option<PixelFormat>, metadata: &Metadata) -> Make<'_> {
        Make {
            format,
            dithering: Dithering::None,
            chroma_key: None,
            shrink: None,
            rects_in_stored: &[],
            metadata,
            frames: &[],
        }
    }

    fn compile_bytes(image: &[u8], format: Option<PixelFormat>, second_thread: bool) -> (Compiled, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        let cancel = AtomicBool::new(false);
        let metadata = Metadata::default();
        let make = make(format, &metadata);
        let order = Order { image, extension: None, make, second_thread, cancel: &cancel };
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
                let metadata = Metadata::default();
                let make = make(None, &metadata);
                let order = Order { image, extension: None, make, second_thread, cancel: &cancel };
                assert!(compile(order, &path).is_err());
                assert_eq!(std::fs::read(&path).unwrap(), b"old");
                assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            }
        }
    }
}
