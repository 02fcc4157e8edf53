//! Pass 2 for one image: decode by rows, convert, and stream the texture out, so that no picture is
//! ever whole in memory. Two threads share the work on a big file: one decodes, one converts and writes.
//! An image whose pixels are in memory already becomes the same texture without any file.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::recipe::Recipe;
use super::sink::{Destination, PixelSink, give_buffer, take_buffer};
use crate::format::tex::{HEADER_BYTES, Metadata, TexChromaKey, TexWriteError};
use crate::fs_atomic::{Pending, WriteError};
use crate::geometry::Size;
use crate::pixels::{AlphaScan, DecodeError, RowDecoder};
use crate::slicing::Findings;
use crate::texture::PixelFormat;

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
    /// The image is not as large as the one that the recipe is for.
    #[error("the image is {found} px and should be {expected} px")]
    OtherSize {
        /// Size of the image that the recipe is for.
        expected: Size,
        /// Size of this one; 0 by 0 for bytes that are none of any size.
        found: Size,
    },
    /// The user gave up.
    #[error("cancelled")]
    Cancelled,
}

/// An image as its file has it.
#[derive(Clone, Copy)]
pub struct ImageFile<'a> {
    /// The file's bytes.
    pub bytes: &'a [u8],
    /// The file name's extension, for kinds that cannot be told from their bytes.
    pub extension: Option<&'a str>,
    /// Whether a second thread may convert and write.
    pub second_thread: bool,
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
/// `cancel` is set from anywhere to give up.
pub fn compile(
    image: ImageFile<'_>,
    recipe: &Recipe,
    cancel: &AtomicBool,
    destination: &Path,
) -> Result<Compiled, CompileError> {
    let mut pending = Pending::create(destination)?;
    let compiled = stream(image, recipe, cancel, Some(pending.file()), destination)?;
    pending.commit()?;
    Ok(compiled)
}

/// Decodes an image as [`compile`] would, and writes nothing.
pub fn rehearse(
    image: ImageFile<'_>,
    recipe: &Recipe,
    cancel: &AtomicBool,
) -> Result<Compiled, CompileError> {
    stream(image, recipe, cancel, None, Path::new(""))
}

/// Compiles an image of which all pixels are there, straight RGBA, to the bytes of its texture file: those that
/// [`compile`] would write for a file with these pixels.
pub fn compile_pixels(
    rgba: &[u8],
    recipe: &Recipe,
    cancel: &AtomicBool,
) -> Result<(Vec<u8>, Compiled), CompileError> {
    let expected = recipe.image;
    if rgba.is_empty() || rgba.len() as u64 != expected.area() * 4 {
        return Err(CompileError::OtherSize { expected, found: Size::default() });
    }
    let mut alpha = AlphaScan::default();
    alpha.scan(rgba);
    let mut sink = PixelSink::new(Destination::Memory, recipe, Some(alpha))?;
    for band in rgba.chunks(band_bytes(expected)) {
        if cancel.load(Ordering::Relaxed) {
            return Err(CompileError::Cancelled);
        }
        sink.take(band).map_err(|source| write_failed(source, Path::new("")))?;
    }
    finish(sink, recipe, cancel, Path::new(""))
}

fn stream(
    image: ImageFile<'_>,
    recipe: &Recipe,
    cancel: &AtomicBool,
    file: Option<&mut File>,
    path: &Path,
) -> Result<Compiled, CompileError> {
    let mut decoder = RowDecoder::open(image.bytes, image.extension)?;
    let (expected, found) = (recipe.image, decoder.size());
    if found != expected {
        return Err(CompileError::OtherSize { expected, found });
    }
    let row_bytes = found.width as usize * 4;
    let band_bytes = band_bytes(found);
    let mut sink = PixelSink::new(file.map_or(Destination::Nowhere, Destination::File), recipe, None)?;
    if image.second_thread {
        decode_beside(&mut decoder, band_bytes, cancel, &mut sink, path)?;
    } else {
        let mut band = take_buffer();
        band.resize(band_bytes, 0);
        loop {
            let rows = decoder.read_rows(&mut band)?;
            if rows == 0 {
                break;
            }
            sink.take(&band[..rows * row_bytes]).map_err(|source| write_failed(source, path))?;
            if cancel.load(Ordering::Relaxed) {
                return Err(CompileError::Cancelled);
            }
        }
        give_buffer(band);
    }
    Ok(finish(sink, recipe, cancel, path)?.1)
}

/// Converts what is left, now that all rows have come, and writes what could not be known before.
fn finish(
    mut sink: PixelSink<'_>,
    recipe: &Recipe,
    cancel: &AtomicBool,
    path: &Path,
) -> Result<(Vec<u8>, Compiled), CompileError> {
    if !sink.shrink(cancel) {
        return Err(CompileError::Cancelled);
    }
    let spans = sink.take_key_spans();
    let metadata = if spans.is_empty() {
        recipe.metadata.to_bytes()?
    } else {
        let chroma_key = recipe.chroma_key.map(|key| TexChromaKey { key, spans });
        Metadata { chroma_key, ..recipe.metadata.clone() }.to_bytes()?
    };
    let header = sink.header();
    let compiled = Compiled {
        image_size: recipe.image,
        stored_size: header.size,
        format: header.format,
        has_alpha: sink.image_has_alpha(),
        file_bytes: HEADER_BYTES as u64 + u64::from(header.pixel_bytes()?) + metadata.len() as u64,
        findings: sink.take_findings(),
    };
    let header = header.to_bytes(metadata.len())?;
    let bytes = sink.finish(&header, &metadata).map_err(|source| write_failed(source, path))?;
    Ok((bytes, compiled))
}

fn write_failed(source: io::Error, path: &Path) -> CompileError {
    WriteError { path: path.to_owned(), source }.into()
}

/// Bytes of the rows that are converted at once.
fn band_bytes(image: Size) -> usize {
    let row_bytes = image.width as usize * 4;
    (BAND_BYTES / row_bytes).clamp(1, image.height as usize) * row_bytes
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
    let failed = |source| write_failed(source, path);
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
    use proptest::prelude::*;

    use crate::geometry::PixelRect;
    use crate::guid::Guid;
    use crate::model::{Frame, FrameId, Sheet, Storing};
    use crate::pixels::{Regions, probe};
    use crate::texture::{ChromaKey, Dithering};

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
        let file = ImageFile { bytes: image, extension: None, second_thread };
        let recipe = Recipe::plain(probe(image, None).unwrap().size, format);
        let compiled = compile(file, &recipe, &cancel, &path).unwrap();
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
                let file = ImageFile { bytes: image, extension: None, second_thread };
                let recipe = Recipe::plain(Size::new(700, 600), None);
                assert!(compile(file, &recipe, &cancel, &path).is_err());
                assert_eq!(std::fs::read(&path).unwrap(), b"old");
                assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            }
        }
    }

    #[test]
    fn pixels_in_memory_are_given_up_and_refused_as_those_of_a_file() {
        let recipe = Recipe::plain(Size::new(2, 2), None);
        let cancelled = compile_pixels(&[0; 16], &recipe, &AtomicBool::new(true));
        assert!(matches!(cancelled, Err(CompileError::Cancelled)));
        for length in [0, 15, 17, 20] {
            let refused = compile_pixels(&vec![0; length], &recipe, &AtomicBool::new(false));
            assert!(matches!(refused, Err(CompileError::OtherSize { .. })), "{length}");
        }
        let other = ImageFile { bytes: &png(3, 2, None), extension: None, second_thread: false };
        let refused = rehearse(other, &recipe, &AtomicBool::new(false));
        assert!(matches!(refused, Err(CompileError::OtherSize { found: Size { width: 3, height: 2 }, .. })));
    }

    /// A sheet of frames anywhere, on an image of any alpha, stored in any way.
    fn orders() -> impl Strategy<Value = (Vec<u8>, Recipe)> {
        let size = (1_u32..24, 1_u32..24).prop_map(|(width, height)| Size::new(width, height));
        size.prop_flat_map(|size| {
            let channel = || prop_oneof![Just(0), Just(248), Just(255), any::<u8>()];
            let alpha = prop_oneof![9 => Just(255_u8), 1 => any::<u8>()];
            let pixel = (channel(), channel(), channel(), alpha).prop_map(|(r, g, b, a)| [r, g, b, a]);
            let pixels = proptest::collection::vec(pixel, size.area() as usize);
            let frame = (-2_i32..24, -2_i32..24, 1_i32..24, 1_i32..24)
                .prop_map(|(x, y, width, height)| PixelRect::new(x, y, width, height));
            let storing = (
                proptest::option::of(proptest::sample::select(PixelFormat::ALL.as_slice())),
                proptest::option::of(1_u32..24),
                proptest::sample::select(Dithering::ALL.as_slice()),
                proptest::option::of(Just(ChromaKey { red: 255, green: 0, blue: 248 })),
            );
            (pixels, proptest::collection::vec(frame, 0..6), storing).prop_map(
                move |(pixels, frames, storing)| {
                    let (format, max_size, dithering, chroma_key) = storing;
                    let frames = (0..).zip(frames).map(|(id, rect)| Frame::new(FrameId(id), rect)).collect();
                    let sheet = Sheet { frames, ..Sheet::default() };
                    let storing = Storing { format, max_size, dithering, chroma_key };
                    (pixels.as_flattened().to_vec(), Recipe::of(&sheet, Guid::random(), size, &storing))
                },
            )
        })
    }

    proptest! {
        #[test]
        fn pixels_in_memory_become_what_a_file_with_them_becomes((rgba, recipe) in orders()) {
            let never = AtomicBool::new(false);
            let mut file = Vec::new();
            crate::pixels::write_png(&mut file, recipe.image, rgba.chunks(recipe.image.width as usize * 4)).unwrap();
            let (bytes, compiled) = compile_pixels(&rgba, &recipe, &never).unwrap();
            prop_assert_eq!(bytes.len() as u64, compiled.file_bytes);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t");
            for second_thread in [false, true] {
                let image = ImageFile { bytes: &file, extension: None, second_thread };
                prop_assert_eq!(&compile(image, &recipe, &never, &path).unwrap(), &compiled);
                prop_assert!(std::fs::read(&path).unwrap() == bytes);
                prop_assert_eq!(&rehearse(image, &recipe, &never).unwrap(), &compiled);
            }
        }
    }

    #[test]
    fn rows_that_come_in_bands_are_dithered_as_those_that_come_at_once() {
        // 700 x 600 is four bands of a file, with frames across their borders.
        let image = png(700, 600, Some(599));
        let (size, rgba) = crate::pixels::decode_rgba(&image, None).unwrap();
        let frames = [PixelRect::new(0, 0, 300, 500), PixelRect::new(300, 100, 400, 500)];
        for dithering in Dithering::ALL {
            let regions = Regions::of(frames.to_vec());
            let recipe = Recipe { dithering, regions, ..Recipe::plain(size, None) };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t");
            let file = ImageFile { bytes: &image, extension: None, second_thread: true };
            compile(file, &recipe, &AtomicBool::new(false), &path).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let part = recipe.conversion(true).part(&rgba, PixelRect::of_image(size));
            assert!(bytes[HEADER_BYTES..] == part.pixels, "{dithering:?}");
        }
    }
}
