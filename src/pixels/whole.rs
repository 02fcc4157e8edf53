//! Images whose decoders need the whole picture in memory: interlaced PNG, JPEG, BMP, TGA, GIF, WebP.

use std::io::Cursor;

use image::codecs::{
    bmp::BmpDecoder, gif::GifDecoder, jpeg::JpegDecoder, tga::TgaDecoder, webp::WebPDecoder,
};
use image::{ColorType, ImageDecoder, Limits};

use super::decode::{ColorKind, ImageInfo};
use super::error::DecodeError;
use super::kind::ImageKind;
use super::limits::{self, MAX_SIDE, MAX_WHOLE_PIXELS};
use super::samples::Samples;
use crate::geometry::Size;

/// A decoded picture in its decoder's own layout; rows become RGBA when they are asked for.
pub(super) struct Whole {
    pub(super) info: ImageInfo,
    pub(super) samples: Samples,
    /// Tightly packed, top row first.
    pub(super) pixels: Vec<u8>,
}

impl Whole {
    /// Writes the rows from `first_row` on to `rgba`, a whole number of rows that the image has.
    pub(super) fn copy_rows(&self, first_row: u32, rgba: &mut [u8]) {
        let bytes_per_pixel = self.samples.bytes_per_pixel();
        let start = first_row as usize * self.info.size.width as usize * bytes_per_pixel;
        let length = rgba.len() / 4 * bytes_per_pixel;
        self.samples.to_rgba8(&self.pixels[start..start + length], rgba);
    }
}

/// A file whose header is read and whose pixels are not.
pub(super) struct Unread<'a> {
    decoder: Box<dyn ImageDecoder + 'a>,
    pub(super) info: ImageInfo,
    samples: Samples,
}

impl<'a> Unread<'a> {
    /// Opens a file of any kind but PNG and checks its size.
    pub(super) fn open(kind: ImageKind, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut decoder = decoder_for(kind, bytes)?;
        let (width, height) = decoder.dimensions();
        let size = Size::new(width, height);
        if size.area() == 0 {
            return Err(DecodeError::damaged("its size is zero"));
        }
        limits::check(size, MAX_WHOLE_PIXELS)?;
        // What a decoder may allocate beside the result, a GIF frame outside its canvas for one.
        let mut memory = Limits::default();
        memory.max_image_width = Some(MAX_SIDE);
        memory.max_image_height = Some(MAX_SIDE);
        decoder.set_limits(memory)?;

        let (samples, color) = match decoder.color_type() {
            ColorType::L8 => (Samples::Gray8, ColorKind::Gray),
            ColorType::La8 => (Samples::GrayAlpha8, ColorKind::GrayAlpha),
            ColorType::Rgb8 => (Samples::Rgb8, ColorKind::Rgb),
            ColorType::Rgba8 => (Samples::Rgba8, ColorKind::Rgba),
            other => return Err(DecodeError::Unsupported(format!("{} with {other:?} pixels", kind.name()))),
        };
        let may_have_alpha = matches!(samples, Samples::GrayAlpha8 | Samples::Rgba8);
        let color = if kind == ImageKind::Gif { ColorKind::Indexed } else { color };
        let info = ImageInfo { kind, size, color, bit_depth: 8, interlaced: false, may_have_alpha };
        Ok(Self { decoder, info, samples })
    }

    /// Decodes the pixels.
    pub(super) fn read(self) -> Result<Whole, DecodeError> {
        let Self { decoder, info, samples } = self;
        let mut pixels = vec![0; info.size.area() as usize * samples.bytes_per_pixel()];
        decoder.read_image_boxed(&mut pixels)?;
        Ok(Whole { info, samples, pixels })
    }
}

fn decoder_for<'a>(kind: ImageKind, bytes: &'a [u8]) -> Result<Box<dyn ImageDecoder + 'a>, DecodeError> {
    let source = Cursor::new(bytes);
    Ok(match kind {
        ImageKind::Jpeg => Box::new(JpegDecoder::new(source)?),
        ImageKind::Bmp => Box::new(BmpDecoder::new(source)?),
        ImageKind::Tga => Box::new(TgaDecoder::new(source)?),
        ImageKind::Gif => Box::new(GifDecoder::new(source)?),
        ImageKind::WebP => Box::new(WebPDecoder::new(source)?),
        ImageKind::Png => Box::new(image::codecs::png::PngDecoder::new(source)?),
    })
}
