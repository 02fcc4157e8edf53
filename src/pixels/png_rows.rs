//! PNG by rows, the path nearly every sheet takes. Only interlaced files are held as a whole.

use std::io::Cursor;

use png::{BitDepth, ColorType, DecodeOptions, Decoder, Reader, Transformations};

use super::decode::{ColorKind, ImageInfo};
use super::error::DecodeError;
use super::kind::ImageKind;
use super::limits::{self, MAX_STREAMED_PIXELS, MAX_WHOLE_PIXELS};
use super::samples::Samples;
use super::whole::Whole;
use crate::geometry::Size;

/// A PNG whose header and palette are read and whose pixels are not.
pub(super) struct PngRows<'a> {
    reader: Reader<Cursor<&'a [u8]>>,
    info: ImageInfo,
    samples: Samples,
    /// One row as the file has it, for all but 8-bit RGBA.
    row: Vec<u8>,
}

impl<'a> PngRows<'a> {
    /// Reads up to the pixels and checks the size before anything is allocated for them.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut options = DecodeOptions::default();
        // Neither is used, and either may be hundreds of megabytes when inflated.
        options.set_ignore_text_chunk(true);
        options.set_ignore_iccp_chunk(true);
        let mut decoder = Decoder::new_with_options(Cursor::new(bytes), options);
        decoder.set_transformations(Transformations::EXPAND);

        let header = decoder.read_header_info()?;
        let max_pixels = if header.interlaced { MAX_WHOLE_PIXELS } else { MAX_STREAMED_PIXELS };
        limits::check(Size::new(header.width, header.height), max_pixels)?;

        let reader = decoder.read_info()?;
        let info = info_of(reader.info());
        check_palette(reader.info())?;
        // The first picture of an animated file has the size of the canvas; rows of another would not fit.
        if let Some(frame) = reader.info().frame_control
            && Size::new(frame.width, frame.height) != info.size
        {
            return Err(DecodeError::damaged("its first animation frame has another size than the image"));
        }
        let samples = match reader.output_color_type() {
            (ColorType::Grayscale, BitDepth::Sixteen) => Samples::Gray16,
            (ColorType::GrayscaleAlpha, BitDepth::Sixteen) => Samples::GrayAlpha16,
            (ColorType::Rgb, BitDepth::Sixteen) => Samples::Rgb16,
            (ColorType::Rgba, BitDepth::Sixteen) => Samples::Rgba16,
            (ColorType::GrayscaleAlpha, _) => Samples::GrayAlpha8,
            (ColorType::Rgb, _) => Samples::Rgb8,
            (ColorType::Rgba, _) => Samples::Rgba8,
            // EXPAND leaves no indexed pixels.
            (ColorType::Grayscale | ColorType::Indexed, _) => Samples::Gray8,
        };
        Ok(Self { reader, info, samples, row: Vec::new() })
    }

    pub(super) const fn info(&self) -> &ImageInfo {
        &self.info
    }

    /// Decodes the next row into `rgba`, which is one row long.
    pub(super) fn read_row(&mut self, rgba: &mut [u8]) -> Result<(), DecodeError> {
        let Self { reader, samples, row, .. } = self;
        if *samples == Samples::Rgba8 {
            reader.read_row(rgba)?;
        } else {
            row.resize(rgba.len() / 4 * samples.bytes_per_pixel(), 0);
            reader.read_row(row)?;
            samples.to_rgba8(row, rgba);
        }
        Ok(())
    }

    /// After the last row: reads on to the end of the pixel data, where the last checksum is.
    pub(super) fn finish(&mut self) -> Result<(), DecodeError> {
        self.reader.read_row(&mut [])?;
        Ok(())
    }

    /// Decodes an interlaced image, whose rows are complete only at the end.
    pub(super) fn into_whole(mut self) -> Result<Whole, DecodeError> {
        let length = self.info.size.area() as usize * self.samples.bytes_per_pixel();
        let mut pixels = vec![0; length];
        self.reader.next_frame(&mut pixels)?;
        Ok(Whole { info: self.info, samples: self.samples, pixels })
    }
}

/// The library expands palettes of whole colours only, and panics at others.
fn check_palette(info: &png::Info<'_>) -> Result<(), DecodeError> {
    let bytes = info.palette.as_ref().map_or(0, |palette| palette.len());
    if info.color_type == ColorType::Indexed && (!bytes.is_multiple_of(3) || !(3..=3 * 256).contains(&bytes))
    {
        return Err(DecodeError::damaged("its palette is missing or broken"));
    }
    Ok(())
}

fn info_of(info: &png::Info<'_>) -> ImageInfo {
    let (color, has_alpha_channel) = match info.color_type {
        ColorType::Grayscale => (ColorKind::Gray, false),
        ColorType::GrayscaleAlpha => (ColorKind::GrayAlpha, true),
        ColorType::Rgb => (ColorKind::Rgb, false),
        ColorType::Rgba => (ColorKind::Rgba, true),
        ColorType::Indexed => (ColorKind::Indexed, false),
    };
    ImageInfo {
        kind: ImageKind::Png,
        size: Size::new(info.width, info.height),
        color,
        bit_depth: info.bit_depth as u8,
        interlaced: info.interlaced,
        may_have_alpha: has_alpha_channel || info.trns.is_some(),
    }
}
