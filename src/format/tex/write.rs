//! Writes a texture's header and metadata. The pixels go between them, streamed by the importer.

use super::{FRAME_BYTES, FrameSize, HEADER_BYTES, MAGIC, TexChromaKey, TexFlags, TexFrame, VERSION, chunk};
use crate::geometry::Size;
use crate::texture::{Insets, PixelFormat};

/// What the first 32 bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TexHeader {
    /// Width and height in stored pixels.
    pub size: Size,
    /// How the pixels are stored.
    pub format: PixelFormat,
    /// The flags.
    pub flags: TexFlags,
}

/// What follows the pixels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// A grid's cell in image pixels; 0 by 0, the default, for everything else.
    pub default_frame: FrameSize,
    /// The frames, rectangles and borders in image pixels. Borders of zero are none.
    pub frames: Vec<TexFrame>,
    /// The whole image's borders in image pixels. Borders of zero are none.
    pub nine_slice: Option<Insets>,
    /// The colour that is drawn as nothing.
    pub chroma_key: Option<TexChromaKey>,
    /// The image's size, when the texture is smaller.
    pub source_size: Option<Size>,
}

/// The format cannot say what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TexWriteError {
    /// More frames than a 16-bit count holds.
    #[error("A texture holds at most 65535 frames, and there are {0}. Split the sheet.")]
    TooManyFrames(usize),
    /// A size that no texture or image has.
    #[error("A texture cannot have the size {0}.")]
    BadSize(Size),
    /// The bytes of the pixels, or of the metadata, pass 32 bits.
    #[error("The texture would be larger than 4 GiB at {0} pixels. Split the sheet or set Max Size.")]
    TooLarge(Size),
    /// The chroma key's rows pass 32 bits.
    #[error("The chroma key has too many row spans: {0}.")]
    TooManySpans(usize),
}

impl TexHeader {
    /// Bytes of all pixels; refuses a zero size, sides beyond a signed number and more than 32 bits of bytes.
    pub fn pixel_bytes(&self) -> Result<u32, TexWriteError> {
        let Self { size, format, .. } = *self;
        if !is_image_size(size) {
            return Err(TexWriteError::BadSize(size));
        }
        let bytes = size.area().saturating_mul(format.bytes_per_pixel() as u64);
        u32::try_from(bytes).or(Err(TexWriteError::TooLarge(size)))
    }

    /// The file's first bytes; `metadata_bytes` is the length of what follows the pixels.
    pub fn to_bytes(&self, metadata_bytes: usize) -> Result<[u8; HEADER_BYTES], TexWriteError> {
        let Self { size, format, flags } = *self;
        let metadata_bytes = u32::try_from(metadata_bytes).or(Err(TexWriteError::TooLarge(size)))?;
        let numbers = [
            u32::from_le_bytes(MAGIC),
            VERSION,
            size.width,
            size.height,
            format as u32,
            self.pixel_bytes()?,
            metadata_bytes,
            flags.0,
        ];
        let mut bytes = [0; HEADER_BYTES];
        for (place, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
            *place = number.to_le_bytes();
        }
        Ok(bytes)
    }
}

impl Metadata {
    /// The chunks 1, 2, 3, 4 in that order, each only when it says something; no bytes when none does.
    ///
    /// The sprite chunk is there whenever there are frames or borders, so that every loader takes the texture
    /// for a sprite. Fails when the format cannot hold what is asked; never drops any of it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TexWriteError> {
        let Self { default_frame, frames, nine_slice, chroma_key, source_size } = self;
        let mut chunks = Chunks::default();
        let nine_slice = nine_slice.filter(|insets| !insets.is_zero());
        if *default_frame != FrameSize::default() || !frames.is_empty() || nine_slice.is_some() {
            chunks.add(chunk::SPRITE, &sprite(*default_frame, nine_slice));
        }
        if !frames.is_empty() {
            chunks.add(chunk::FRAME_LIST, &frame_list(frames)?);
        }
        if let Some(key) = chroma_key {
            chunks.add(chunk::CHROMA_KEY, &chroma(key)?);
        }
        if let Some(size) = *source_size {
            if !is_image_size(size) {
                return Err(TexWriteError::BadSize(size));
            }
            chunks.add(chunk::SOURCE_SIZE, &[size.width.to_le_bytes(), size.height.to_le_bytes()].concat());
        }
        Ok(chunks.into_bytes())
    }
}

/// Loaders read sides as signed numbers and take those that are not positive for none.
const fn is_image_size(size: Size) -> bool {
    let most = i32::MAX as u32;
    size.width > 0 && size.height > 0 && size.width <= most && size.height <= most
}

#[derive(Default)]
struct Chunks {
    count: u32,
    bytes: Vec<u8>,
}

impl Chunks {
    /// The payloads made here are far below 32 bits of length: each checks its own counts.
    fn add(&mut self, kind: u32, payload: &[u8]) {
        self.count += 1;
        self.bytes.extend(kind.to_le_bytes());
        self.bytes.extend((payload.len() as u32).to_le_bytes());
        self.bytes.extend(payload);
    }

    fn into_bytes(self) -> Vec<u8> {
        let Self { count, bytes } = self;
        if count == 0 { Vec::new() } else { [&count.to_le_bytes()[..], &bytes].concat() }
    }
}

fn sprite(frame: FrameSize, nine_slice: Option<Insets>) -> Vec<u8> {
    let mut bytes = [frame.width.to_le_bytes(), frame.height.to_le_bytes()].concat();
    if let Some(insets) = nine_slice {
        bytes.push(1);
        put_insets(&mut bytes, insets);
    }
    bytes
}

fn frame_list(frames: &[TexFrame]) -> Result<Vec<u8>, TexWriteError> {
    let count = u16::try_from(frames.len()).or(Err(TexWriteError::TooManyFrames(frames.len())))?;
    let mut bytes = Vec::with_capacity(2 + frames.len() * FRAME_BYTES);
    bytes.extend(count.to_le_bytes());
    for TexFrame { guid, rect, .. } in frames {
        bytes.extend(guid);
        for number in [rect.x, rect.y, rect.width, rect.height] {
            bytes.extend(number.to_le_bytes());
        }
    }
    let bordered: Vec<(u16, Insets)> = (0..count)
        .zip(frames)
        .filter_map(|(index, frame)| Some((index, frame.nine_slice.filter(|insets| !insets.is_zero())?)))
        .collect();
    if !bordered.is_empty() {
        // No more than there are frames.
        bytes.extend((bordered.len() as u16).to_le_bytes());
        for (index, insets) in bordered {
            bytes.extend(index.to_le_bytes());
            put_insets(&mut bytes, insets);
        }
    }
    Ok(bytes)
}

fn put_insets(bytes: &mut Vec<u8>, insets: Insets) {
    let Insets { left, right, top, bottom } = insets;
    for side in [left, right, top, bottom] {
        bytes.extend(side.to_le_bytes());
    }
}

fn chroma(key: &TexChromaKey) -> Result<Vec<u8>, TexWriteError> {
    let TexChromaKey { key, spans } = key;
    // The chunk's own length, twice as many bytes, must fit 32 bits too.
    let count = u32::try_from(spans.len())
        .ok()
        .filter(|count| *count <= i32::MAX as u32 / 2)
        .ok_or(TexWriteError::TooManySpans(spans.len()))?;
    let mut bytes = vec![1, key.red, key.green, key.blue];
    bytes.extend(count.to_le_bytes());
    bytes.extend(spans.iter().flat_map(|end| end.to_le_bytes()));
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PixelRect;
    use crate::guid::Guid;
    use crate::texture::ChromaKey;

    fn frame(x: i32) -> TexFrame {
        let parent: Guid = "11111111-2222-4333-8444-555555555555".parse().unwrap();
        TexFrame::new(Guid::for_frame(parent, 0), PixelRect::new(x, 0, 16, 32))
    }

    #[test]
    fn the_header_is_byte_for_byte_that_of_the_table() {
        let header =
            TexHeader { size: Size::new(3, 5), format: PixelFormat::Rgb565A8, flags: TexFlags(0x06) };
        let bytes = header.to_bytes(0x0102).unwrap();
        #[rustfmt::skip]
        let expected = [
            b'2', b'D', b'T', b'X', 1, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0,
            3, 0, 0, 0, 45, 0, 0, 0, 2, 1, 0, 0, 6, 0, 0, 0,
        ];
        assert_eq!(bytes, expected);
    }

    #[test]
    fn sizes_that_the_header_cannot_say_are_refused() {
        let header = |width, height, format| {
            TexHeader { size: Size::new(width, height), format, flags: TexFlags(0) }.to_bytes(0)
        };
        let rgba = PixelFormat::Rgba8888;
        for (width, height) in [(0, 0), (0, 4), (4, 0), (1 << 31, 1)] {
            let error = header(width, height, rgba).unwrap_err();
            assert_eq!(error, TexWriteError::BadSize(Size::new(width, height)));
        }
        // 32768 x 32768 x 4 is exactly 2^32.
        assert!(matches!(header(32_768, 32_768, rgba), Err(TexWriteError::TooLarge(_))));
        assert!(header(32_768, 32_767, rgba).is_ok());
        assert!(matches!(header(65_536, 65_536, PixelFormat::Alpha8), Err(TexWriteError::TooLarge(_))));
    }

    #[test]
    fn nothing_to_say_is_no_bytes() {
        assert_eq!(Metadata::default().to_bytes().unwrap(), b"");
        let zero = Metadata { nine_slice: Some(Insets::default()), ..Metadata::default() };
        assert_eq!(zero.to_bytes().unwrap(), b"");
    }

    #[test]
    fn a_plain_image_made_smaller_has_the_source_size_alone() {
        let metadata = Metadata { source_size: Some(Size::new(300, 200)), ..Metadata::default() };
        #[rustfmt::skip]
        let expected = [1, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 44, 1, 0, 0, 200, 0, 0, 0];
        assert_eq!(metadata.to_bytes().unwrap(), expected);
        let bad = Metadata { source_size: Some(Size::new(300, 0)), ..Metadata::default() };
        assert_eq!(bad.to_bytes(), Err(TexWriteError::BadSize(Size::new(300, 0))));
    }

    #[test]
    fn all_chunks_come_in_order_with_borders_after_the_frames() {
        let mut second = frame(16);
        second.nine_slice = Some(Insets { left: 1, right: 2, top: 3, bottom: 4 });
        let metadata = Metadata {
            default_frame: FrameSize { width: 16, height: 32 },
            frames: vec![frame(0), second],
            nine_slice: Some(Insets { left: 5, right: 6, top: 7, bottom: 8 }),
            chroma_key: Some(TexChromaKey {
                key: ChromaKey { red: 255, green: 0, blue: 254 },
                spans: vec![-1, 2],
            }),
            source_size: Some(Size::new(64, 32)),
        };
        let mut expected = vec![4, 0, 0, 0];
        expected.extend([1, 0, 0, 0, 17, 0, 0, 0, 16, 0, 0, 0, 32, 0, 0, 0, 1, 5, 0, 6, 0, 7, 0, 8, 0]);
        expected.extend([2, 0, 0, 0, 118, 0, 0, 0, 2, 0]); // 2 + 2 x 52 + 2 + 10
        for x in [0, 16] {
            expected.extend(b"c1358fea-5654-5786-a2f9-6caa84f79513");
            expected.extend([x, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 32, 0, 0, 0]);
        }
        expected.extend([1, 0, 1, 0, 1, 0, 2, 0, 3, 0, 4, 0]);
        expected.extend([3, 0, 0, 0, 12, 0, 0, 0, 1, 255, 0, 254, 2, 0, 0, 0, 255, 255, 2, 0]);
        expected.extend([4, 0, 0, 0, 8, 0, 0, 0, 64, 0, 0, 0, 32, 0, 0, 0]);
        assert_eq!(metadata.to_bytes().unwrap(), expected);
    }

    #[test]
    fn an_atlas_has_a_default_frame_of_nothing() {
        let metadata = Metadata { frames: vec![frame(0)], ..Metadata::default() };
        let bytes = metadata.to_bytes().unwrap();
        assert_eq!(bytes[..20], [2, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn frames_are_counted_in_16_bits() {
        let metadata = |count| Metadata { frames: vec![frame(0); count], ..Metadata::default() };
        assert!(metadata(65_535).to_bytes().is_ok());
        assert_eq!(metadata(65_536).to_bytes(), Err(TexWriteError::TooManyFrames(65_536)));
    }
}
