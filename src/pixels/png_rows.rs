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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::decode_rgba;

    /// The pixels of a PNG with these samples, palette and transparency.
    fn decoded(
        size: (u32, u32),
        color: ColorType,
        depth: BitDepth,
        palette: &[u8],
        transparency: &[u8],
        samples: &[u8],
    ) -> Vec<[u8; 4]> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        if !transparency.is_empty() {
            encoder.set_trns(transparency.to_vec());
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(samples).unwrap();
        writer.finish().unwrap();
        let (_, rgba) = decode_rgba(&bytes, None).unwrap();
        rgba.as_chunks::<4>().0.to_vec()
    }

    #[test]
    fn colours_that_a_short_transparency_list_leaves_out_are_opaque() {
        let palette = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
        let samples = [0b00_01_10_11];
        let four = decoded((4, 1), ColorType::Indexed, BitDepth::Two, &palette, &[0], &samples);
        assert_eq!(four, [[1, 2, 3, 0], [4, 5, 6, 255], [7, 8, 9, 255], [10, 11, 12, 255]]);

        let palette: Vec<u8> = (0..=255).flat_map(|entry| [entry, 255 - entry, 7]).collect();
        let samples: Vec<u8> = (0..=255).collect();
        let all = decoded((256, 1), ColorType::Indexed, BitDepth::Eight, &palette, &[0; 174], &samples);
        for (entry, pixel) in (0..=255).zip(all) {
            assert_eq!(pixel, [entry, 255 - entry, 7, if entry < 174 { 0 } else { 255 }]);
        }
    }

    /// 5 x 3 pixels whose values count up, each row from one more, at that many bits.
    fn counting(bits: usize) -> (Vec<u8>, Vec<u8>) {
        let values: Vec<u8> = (0..15).map(|at| ((at % 5 + at / 5) % (1 << bits)) as u8).collect();
        let packed_row = |row: &[u8]| {
            let digits = row.iter().fold(0_u32, |digits, value| (digits << bits) | u32::from(*value));
            let bytes = (digits << (32 - 5 * bits)).to_be_bytes();
            bytes[..(5 * bits).div_ceil(8)].to_vec()
        };
        let samples = values.chunks(5).flat_map(packed_row).collect();
        (values, samples)
    }

    #[test]
    fn rows_that_end_within_a_byte_have_all_their_pixels() {
        assert_eq!(counting(2).1, [0b00_01_10_11, 0, 0b01_10_11_00, 0b0100_0000, 0b10_11_00_01, 0b1000_0000]);
        for (depth, bits) in [(BitDepth::One, 1), (BitDepth::Two, 2), (BitDepth::Four, 4)] {
            let (values, samples) = counting(bits);
            let palette: Vec<u8> = (0..1 << bits).flat_map(|entry| [entry, 100 + entry, 200]).collect();
            for (transparency, alphas) in [(&[][..], [255, 255]), (&[10, 0][..], [10, 0])] {
                let found = decoded((5, 3), ColorType::Indexed, depth, &palette, transparency, &samples);
                let alpha = |value: u8| alphas.get(usize::from(value)).copied().unwrap_or(255);
                let expected: Vec<_> = values.iter().map(|it| [*it, 100 + it, 200, alpha(*it)]).collect();
                assert_eq!(found, expected, "{bits} bits with a palette, {transparency:?}");
            }
            // White is the largest value: 255 = 1 x 255 = 3 x 85 = 15 x 17. The value 1 is the one that is clear.
            let step = [0, 255, 85, 0, 17][bits];
            for (transparency, alpha_of_1) in [(&[][..], 255), (&[0, 1][..], 0)] {
                let found = decoded((5, 3), ColorType::Grayscale, depth, &[], transparency, &samples);
                let expected: Vec<_> = values
                    .iter()
                    .map(|it| [it * step, it * step, it * step, if *it == 1 { alpha_of_1 } else { 255 }])
                    .collect();
                assert_eq!(found, expected, "{bits} bits of grey, {transparency:?}");
            }
        }
    }

    #[test]
    fn sixteen_bits_are_rounded_and_their_clear_colour_is_compared_in_all_of_them() {
        // 0x00ff / 257 is 0.99 and 0x0100 / 257 is 0.996: both are 1 in 8 bits.
        let (none, low, high, full) = ([0, 0], [0, 0xff], [1, 0], [0xff, 0xff]);
        let sixteen = BitDepth::Sixteen;
        let pixels = [[none, low, high, full], [low, high, full, none], [high, full, none, low], [full; 4]];
        let samples = pixels.concat().concat();
        let found = decoded((2, 2), ColorType::Rgba, sixteen, &[], &[], &samples);
        assert_eq!(found, [[0, 1, 1, 255], [1, 1, 255, 0], [1, 255, 0, 1], [255; 4]]);

        let samples = [none, low, high, full].concat();
        let grey = |key: [u8; 2]| decoded((2, 2), ColorType::Grayscale, sixteen, &[], &key, &samples);
        assert_eq!(grey(high), [[0, 0, 0, 255], [1, 1, 1, 255], [1, 1, 1, 0], [255; 4]]);
        assert_eq!(grey(low), [[0, 0, 0, 255], [1, 1, 1, 0], [1, 1, 1, 255], [255; 4]]);

        let samples = [[low, high, full], [high, low, full]].concat().concat();
        let key = [low, high, full].concat();
        let colours = decoded((2, 1), ColorType::Rgb, sixteen, &[], &key, &samples);
        assert_eq!(colours, [[1, 1, 255, 0], [1, 1, 255, 255]]);
    }
}
