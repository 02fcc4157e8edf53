//! PNG bytes of the generated pictures.
//!
//! Writing into memory cannot fail and the sizes are ours, so a failure of the encoder yields no bytes instead of an
//! error that no caller could act on.

use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use super::Picture;

/// How hard to compress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// For files that people download.
    Balanced,
    /// For large sheets that are made, measured and thrown away.
    Fast,
}

/// The picture as a PNG: RGBA, or RGB when `opaque`; rows are filtered adaptively, as drawing programs do.
pub fn encode_png(picture: &Picture, opaque: bool, effort: Effort) -> Vec<u8> {
    let mut bytes = Vec::new();
    match write(picture, opaque, effort, &mut bytes) {
        Ok(()) => bytes,
        Err(why) => {
            log::error!("sample picture not encoded: {why}");
            Vec::new()
        }
    }
}

fn write(
    picture: &Picture,
    opaque: bool,
    effort: Effort,
    bytes: &mut Vec<u8>,
) -> Result<(), png::EncodingError> {
    let mut encoder = Encoder::new(bytes, picture.size.width, picture.size.height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_color(if opaque { ColorType::Rgb } else { ColorType::Rgba });
    encoder.set_compression(match effort {
        Effort::Balanced => Compression::Balanced,
        Effort::Fast => Compression::Fast,
    });
    encoder.set_filter(Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    if opaque {
        let rgb: Vec<u8> =
            picture.rgba.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        writer.write_image_data(&rgb)?;
    } else {
        writer.write_image_data(&picture.rgba)?;
    }
    writer.finish()
}
