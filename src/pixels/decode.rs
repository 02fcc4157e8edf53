//! Image bytes to rows of straight RGBA, whatever their kind, so that an importer needs one loop.

use super::error::DecodeError;
use super::kind::ImageKind;
use super::png_rows::PngRows;
use super::whole::{Unread, Whole};
use crate::geometry::Size;

/// The colours a file stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColorKind {
    /// Brightness alone.
    Gray,
    /// Brightness and alpha.
    GrayAlpha,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha.
    Rgba,
    /// Indexes into a palette.
    Indexed,
}

impl ColorKind {
    /// The word that the headless commands print.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gray => "gray",
            Self::GrayAlpha => "gray_alpha",
            Self::Rgb => "rgb",
            Self::Rgba => "rgba",
            Self::Indexed => "indexed",
        }
    }
}

/// What a file's header says about its image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageInfo {
    /// The kind of file, by its content.
    pub kind: ImageKind,
    /// Width and height, neither zero.
    pub size: Size,
    /// The colours as stored.
    pub color: ColorKind,
    /// Bits of one stored sample or index.
    pub bit_depth: u8,
    /// Whether a PNG's rows come in seven passes.
    pub interlaced: bool,
    /// Whether any pixel could have an alpha below 255; `false` is a promise, `true` is not.
    pub may_have_alpha: bool,
}

/// Reads the header of `bytes` alone; refuses the sizes that decoding would refuse.
///
/// `extension` is the file name's, without a dot; it matters for TGA only.
pub fn probe(bytes: &[u8], extension: Option<&str>) -> Result<ImageInfo, DecodeError> {
    Ok(match ImageKind::of(bytes, extension)? {
        ImageKind::Png => *PngRows::open(bytes)?.info(),
        kind => Unread::open(kind, bytes)?.info,
    })
}

/// An image that is decoded a few rows at a time.
///
/// A plain PNG never exists as a whole in memory; interlaced PNGs and all other kinds do, from
/// [`RowDecoder::open`] on.
pub struct RowDecoder<'a> {
    info: ImageInfo,
    source: Source<'a>,
    next_row: u32,
}

enum Source<'a> {
    Png(Box<PngRows<'a>>),
    Whole(Whole),
}

impl<'a> RowDecoder<'a> {
    /// Opens an image; `extension` is the file name's, without a dot, and matters for TGA only.
    pub fn open(bytes: &'a [u8], extension: Option<&str>) -> Result<Self, DecodeError> {
        let source = match ImageKind::of(bytes, extension)? {
            ImageKind::Png => {
                let rows = PngRows::open(bytes)?;
                if rows.info().interlaced {
                    Source::Whole(rows.into_whole()?)
                } else {
                    Source::Png(Box::new(rows))
                }
            }
            kind => Source::Whole(Unread::open(kind, bytes)?.read()?),
        };
        let info = match &source {
            Source::Png(rows) => *rows.info(),
            Source::Whole(whole) => whole.info,
        };
        Ok(Self { info, source, next_row: 0 })
    }

    /// What the header says.
    pub const fn info(&self) -> &ImageInfo {
        &self.info
    }

    /// Width and height, neither zero.
    pub const fn size(&self) -> Size {
        self.info.size
    }

    /// Whether any pixel could have an alpha below 255.
    pub const fn may_have_alpha(&self) -> bool {
        self.info.may_have_alpha
    }

    /// Fills whole rows of `out`, whose length is a multiple of `width x 4`, with RGBA and returns how many:
    /// as many as fit, fewer at the bottom, 0 after it. After an error there are no further rows.
    ///
    /// With the last row the rest of the pixel data is checked too, so damage there is an error here.
    pub fn read_rows(&mut self, out: &mut [u8]) -> Result<usize, DecodeError> {
        let row_bytes = self.info.size.width as usize * 4;
        debug_assert_eq!(out.len() % row_bytes, 0, "not a whole number of rows");
        let height = self.info.size.height;
        let rows = (out.len() / row_bytes).min((height - self.next_row) as usize);
        let first_row = self.next_row;
        // Set before decoding: after an error the decoder is in no state to be asked again.
        self.next_row = height;
        let out = &mut out[..rows * row_bytes];
        match &mut self.source {
            Source::Png(png) => {
                for row in out.chunks_exact_mut(row_bytes) {
                    png.read_row(row)?;
                }
                if rows > 0 && first_row + rows as u32 == height {
                    png.finish()?;
                }
            }
            Source::Whole(whole) => whole.copy_rows(first_row, out),
        }
        self.next_row = first_row + rows as u32;
        Ok(rows)
    }
}

/// Decodes a whole image: its size and `width x height x 4` bytes of RGBA, at most 1 GiB.
pub fn decode_rgba(bytes: &[u8], extension: Option<&str>) -> Result<(Size, Vec<u8>), DecodeError> {
    let mut decoder = RowDecoder::open(bytes, extension)?;
    let size = decoder.size();
    // Zeroed pages are handed out when they are first written, so a header alone costs no memory.
    let mut rgba = vec![0; size.area() as usize * 4];
    decoder.read_rows(&mut rgba)?;
    Ok((size, rgba))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, RgbImage, RgbaImage};
    use proptest::prelude::*;

    use super::super::error::NotAnImage;
    use super::*;

    fn png(size: Size, color: png::ColorType, depth: png::BitDepth, samples: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size.width, size.height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == png::ColorType::Indexed {
            encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(samples).unwrap();
        writer.finish().unwrap();
        bytes
    }

    fn rgba_png() -> (Vec<u8>, Vec<u8>) {
        let rgba: Vec<u8> = (0..3 * 5 * 4).collect();
        (png(Size::new(3, 5), png::ColorType::Rgba, png::BitDepth::Eight, &rgba), rgba)
    }

    /// A PNG's signature and header chunk with a right checksum, and no pixels.
    fn png_header(size: Size) -> Vec<u8> {
        let mut bytes = png(Size::new(1, 1), png::ColorType::Rgba, png::BitDepth::Eight, &[0; 4]);
        bytes[16..20].copy_from_slice(&size.width.to_be_bytes());
        bytes[20..24].copy_from_slice(&size.height.to_be_bytes());
        let crc = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&crc.to_be_bytes());
        bytes
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
        })
    }

    /// The file with these chunks, rightly checksummed, before its pixel data.
    fn with_chunks(png: &[u8], chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let (header, rest) = png.split_at(33);
        let mut bytes = header.to_vec();
        for (kind, data) in chunks {
            bytes.extend((data.len() as u32).to_be_bytes());
            let typed = [&kind[..], data].concat();
            bytes.extend(&typed);
            bytes.extend(crc32(&typed).to_be_bytes());
        }
        bytes.extend(rest);
        bytes
    }

    #[test]
    fn rows_come_the_same_in_pieces_of_any_size() {
        let (bytes, rgba) = rgba_png();
        for rows in 1..=6 {
            let mut decoder = RowDecoder::open(&bytes, None).unwrap();
            let mut all = Vec::new();
            let mut buffer = vec![0; rows * 12];
            loop {
                let read = decoder.read_rows(&mut buffer).unwrap();
                all.extend_from_slice(&buffer[..read * 12]);
                if read == 0 {
                    break;
                }
            }
            assert_eq!(all, rgba, "{rows} at a time");
        }
    }

    #[test]
    fn every_png_colour_type_becomes_rgba_and_is_described() {
        use png::{BitDepth, ColorType};
        let check = |color, depth, samples: &[u8], kind, expected: [[u8; 4]; 2]| {
            let bytes = png(Size::new(2, 1), color, depth, samples);
            let (size, rgba) = decode_rgba(&bytes, None).unwrap();
            assert_eq!((size, rgba), (Size::new(2, 1), expected.concat()), "{color:?}");
            let info = probe(&bytes, None).unwrap();
            assert_eq!((info.color, info.bit_depth, info.interlaced), (kind, depth as u8, false));
            assert_eq!(info.may_have_alpha, kind == ColorKind::GrayAlpha);
        };
        let (gray, one, eight) = (ColorType::Grayscale, BitDepth::One, BitDepth::Eight);
        check(gray, eight, &[5, 6], ColorKind::Gray, [[5, 5, 5, 255], [6, 6, 6, 255]]);
        check(gray, one, &[0b0100_0000], ColorKind::Gray, [[0, 0, 0, 255], [255; 4]]);
        let pairs = [5, 1, 6, 2];
        check(ColorType::GrayscaleAlpha, eight, &pairs, ColorKind::GrayAlpha, [[5, 5, 5, 1], [6, 6, 6, 2]]);
        // 0x8080 / 257 is 128; 0xff00 / 257 is 254.007.
        let sixteen = [0, 0, 0x80, 0x80, 0xff, 0, 0, 0, 0, 0, 0, 0];
        let expected = [[0, 128, 254, 255], [0, 0, 0, 255]];
        check(ColorType::Rgb, BitDepth::Sixteen, &sixteen, ColorKind::Rgb, expected);
        let expected = [[40, 50, 60, 255], [10, 20, 30, 255]];
        check(ColorType::Indexed, BitDepth::Four, &[0x10], ColorKind::Indexed, expected);
    }

    #[test]
    fn the_other_kinds_decode_with_the_extension_lying_except_for_tga() {
        let rgba = RgbaImage::from_fn(4, 3, |x, y| image::Rgba([x as u8 * 60, y as u8 * 60, 0, 255]));
        let rgb = RgbImage::from_fn(4, 3, |_, _| image::Rgb([200, 100, 50]));
        for (format, kind, extension) in [
            (ImageFormat::Bmp, ImageKind::Bmp, "png"),
            (ImageFormat::Tga, ImageKind::Tga, "tga"),
            (ImageFormat::Gif, ImageKind::Gif, "png"),
            (ImageFormat::WebP, ImageKind::WebP, "jpg"),
        ] {
            let mut bytes = Cursor::new(Vec::new());
            rgba.write_to(&mut bytes, format).unwrap();
            let info = probe(bytes.get_ref(), Some(extension)).unwrap();
            assert_eq!((info.kind, info.size), (kind, Size::new(4, 3)));
            assert_eq!(decode_rgba(bytes.get_ref(), Some(extension)).unwrap().1, *rgba.as_raw(), "{kind:?}");
        }
        let mut bytes = Cursor::new(Vec::new());
        rgb.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
        let info = probe(bytes.get_ref(), Some("png")).unwrap();
        assert_eq!((info.kind, info.may_have_alpha), (ImageKind::Jpeg, false));
        let (_, pixels) = decode_rgba(bytes.get_ref(), Some("png")).unwrap();
        for pixel in pixels.chunks(4) {
            let near = pixel[..3].iter().zip([200_u8, 100, 50]).all(|(a, b)| a.abs_diff(b) <= 4);
            assert!(near && pixel[3] == 255, "{pixel:?}");
        }
    }

    #[test]
    fn sizes_are_refused_by_the_header_alone() {
        for size in [Size::new(100_000, 100_000), Size::new(i32::MAX as u32, 1), Size::new(1, 300_000)] {
            let bytes = png_header(size);
            assert!(probe(&bytes, None).unwrap_err().is_too_large(), "{size}");
            assert!(decode_rgba(&bytes, None).unwrap_err().is_too_large(), "{size}");
        }
        // Allowed by its size, and then there are no pixels.
        let error = decode_rgba(&png_header(Size::new(16_384, 16_384)), None).unwrap_err();
        assert!(matches!(error, DecodeError::Damaged(_)), "{error}");
    }

    #[test]
    fn a_wrong_checksum_after_the_last_row_is_an_error_and_then_there_are_no_rows() {
        let (mut bytes, _) = rgba_png();
        // The file ends with the pixel data's checksum and the 12 bytes of the end chunk.
        let last = bytes.len() - 13;
        bytes[last] ^= 1;
        let mut decoder = RowDecoder::open(&bytes, None).unwrap();
        let mut rows = vec![0; 5 * 12];
        let error = decoder.read_rows(&mut rows).unwrap_err();
        assert!(error.to_string().contains("checksum"), "{error}");
        assert_eq!(decoder.read_rows(&mut rows), Ok(0));
    }

    #[test]
    fn a_file_cut_short_says_so() {
        let (bytes, _) = rgba_png();
        let error = decode_rgba(&bytes[..bytes.len() - 30], None).unwrap_err();
        assert!(error.to_string().contains("ends before"), "{error}");
        assert_eq!(decode_rgba(b"", None).unwrap_err(), DecodeError::NotAnImage(NotAnImage::Empty));
    }

    #[test]
    fn a_decoder_can_move_to_another_thread() {
        fn assert_send<T: Send>() {}
        assert_send::<RowDecoder<'_>>();
    }

    #[test]
    fn palettes_that_are_no_whole_colours_are_refused() {
        let indexed = |palette: &[u8]| {
            // A grey picture's header made that of an indexed one.
            let mut bytes = png(Size::new(2, 1), png::ColorType::Grayscale, png::BitDepth::Eight, &[0, 1]);
            bytes[25] = 3;
            let crc = crc32(&bytes[12..29]);
            bytes[29..33].copy_from_slice(&crc.to_be_bytes());
            decode_rgba(&with_chunks(&bytes, &[(b"PLTE", palette)]), None)
        };
        assert_eq!(indexed(&[1, 2, 3, 4, 5, 6]).unwrap().1, [1, 2, 3, 255, 4, 5, 6, 255]);
        for length in [0, 1, 2, 4, 5, 767, 769, 771] {
            assert!(indexed(&vec![9; length]).is_err(), "{length}");
        }
    }

    #[test]
    fn a_first_animation_frame_of_another_size_is_refused() {
        let (bytes, rgba) = rgba_png();
        let frame = |width: u8, height: u8| {
            let control = [0, 0, 0, 1, 0, 0, 0, 0];
            let mut frame = [0; 26];
            frame[7] = width;
            frame[11] = height;
            decode_rgba(&with_chunks(&bytes, &[(b"acTL", &control), (b"fcTL", &frame)]), None)
        };
        assert_eq!(frame(3, 5).unwrap().1, rgba);
        assert!(frame(2, 5).is_err() && frame(3, 4).is_err() && frame(9, 9).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn odd_chunks_never_panic(
            color in prop::sample::select(vec![0_u8, 2, 3, 4, 6]),
            depth in prop::sample::select(vec![1_u8, 2, 4, 8, 16]),
            interlaced in 0_u8..2,
            chunks in prop::collection::vec(
                (
                    prop::sample::select(vec![
                        *b"PLTE", *b"tRNS", *b"acTL", *b"fcTL", *b"bKGD", *b"gAMA", *b"sBIT", *b"zTXt", *b"iCCP",
                        *b"IEND", *b"fdAT", *b"eXIf", *b"cHRM", *b"pHYs", *b"sRGB", *b"abcd",
                    ]),
                    prop::collection::vec(any::<u8>(), 0..40),
                ),
                0..5,
            ),
        ) {
            let samples = [0x5a; 4 * 4 * 8];
            let mut bytes = png(Size::new(4, 4), png::ColorType::Rgba, png::BitDepth::Sixteen, &samples);
            bytes[24..29].copy_from_slice(&[depth, color, 0, 0, interlaced]);
            let crc = crc32(&bytes[12..29]);
            bytes[29..33].copy_from_slice(&crc.to_be_bytes());
            let chunks: Vec<_> = chunks.iter().map(|(kind, data)| (kind, &data[..])).collect();
            if let Ok((size, rgba)) = decode_rgba(&with_chunks(&bytes, &chunks), None) {
                prop_assert_eq!(rgba.len() as u64, size.area() * 4);
            }
        }

        #[test]
        fn changed_bytes_never_panic(
            format in 0_usize..6,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
            length in any::<prop::sample::Index>(),
        ) {
            let formats = [
                ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Tga, ImageFormat::Gif, ImageFormat::WebP,
                ImageFormat::Jpeg,
            ];
            let rgb = RgbImage::from_fn(9, 7, |x, y| image::Rgb([x as u8, y as u8, 50]));
            let mut bytes = Cursor::new(Vec::new());
            rgb.write_to(&mut bytes, formats[format]).unwrap();
            let mut bytes = bytes.into_inner();
            for (at, value) in changes {
                // Mostly in the header, where sizes are.
                let range = if value % 2 == 0 { bytes.len() } else { bytes.len().min(40) };
                bytes[at.index(range)] = value;
            }
            bytes.truncate(bytes.len() - length.index(4));
            if let Ok(info) = probe(&bytes, Some("tga"))
                && info.size.area() < 1 << 22
            {
                let _result = decode_rgba(&bytes, Some("tga"));
            }
        }
    }
}
