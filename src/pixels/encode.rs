//! Pixels to PNG, a row at a time.

use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use crate::geometry::Size;

/// Writes an RGBA PNG of that size, 8 bits a channel, with the colours as they are also where nothing of them shows.
///
/// `rows` are `width x 4` bytes each, from the top, as many as the height. Only a few rows are held in memory.
pub fn write_png<'a>(out: impl Write, size: Size, rows: impl Iterator<Item = &'a [u8]>) -> io::Result<()> {
    let mut encoder = Encoder::new(out, size.width, size.height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    for row in rows {
        stream.write_all(row)?;
    }
    stream.finish()?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::super::decode_rgba;
    use super::*;

    #[test]
    fn rows_come_back_bit_for_bit_and_a_wrong_number_of_them_is_an_error() {
        let size = Size::new(3, 5);
        let rgba: Vec<u8> = (0..60).map(|n| if n % 4 == 3 { n % 8 / 4 } else { n * 4 }).collect();
        let mut bytes = Vec::new();
        write_png(&mut bytes, size, rgba.chunks(12)).unwrap();
        assert_eq!(decode_rgba(&bytes, None).unwrap(), (size, rgba.clone()));
        assert!(write_png(&mut Vec::new(), size, rgba.chunks(12).take(4)).is_err());
        assert!(write_png(&mut Vec::new(), size, rgba.chunks(12).chain([&rgba[..12]])).is_err());
    }
}
