//! Reads a texture as the engine's loader does: what that refuses is an error, what it drops in silence is a
//! warning, and no count in the file is believed before the bytes are there.

use std::ops::Range;

use super::{
    BORDER_BYTES, FRAME_BYTES, FrameSize, HEADER_BYTES, MAGIC, TexChromaKey, TexFlags, TexFrame, VERSION,
    check, chunk,
};
use crate::geometry::{PixelRect, Size};
use crate::texture::{ChromaKey, Insets, PixelFormat};

/// A texture's header and metadata, and where its pixels are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tex {
    /// Width and height in stored pixels.
    pub size: Size,
    /// How the pixels are stored.
    pub format: PixelFormat,
    /// The header's flags, unknown bits included.
    pub flags: TexFlags,
    /// Where in the file the pixels are: row by row, top row first.
    pub pixels: Range<usize>,
    /// Bytes of metadata after the pixels.
    pub metadata_bytes: u32,
    /// The default frame's size in image pixels, when there is a sprite chunk.
    pub default_frame: Option<FrameSize>,
    /// The frames in the file's order, rectangles as they stand there.
    pub frames: Vec<TexFrame>,
    /// The whole image's nine-slice borders, in image pixels.
    pub nine_slice: Option<Insets>,
    /// The colour that is drawn as nothing.
    pub chroma_key: Option<TexChromaKey>,
    /// The image's size when the texture is smaller than the image.
    pub source_size: Option<Size>,
    /// The chunks that a loader visits, in the file's order.
    pub chunks: Vec<ChunkInfo>,
    /// What a loader drops or cannot draw, at most 1,000 of it.
    pub warnings: Vec<TexWarning>,
}

/// A chunk's prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkInfo {
    /// 1 sprite, 2 frame list, 3 chroma key, 4 source size; others are skipped.
    pub kind: u32,
    /// Bytes after the prefix.
    pub size: u32,
}

/// Something that a loader takes without a word and that is likely not as meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TexWarning {
    /// The frame's position in the list.
    pub frame: Option<usize>,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// A loader refuses the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TexError {
    /// The mark is another.
    #[error("The file is no texture: it does not begin with \"2DTX\".")]
    NotATexture,
    /// Not even a header.
    #[error("The texture is cut off: {0} bytes cannot hold its header of 32. Import the image again.")]
    NoHeader(usize),
    /// A version of another time.
    #[error("The texture has version {0}, and only version 1 is known. Import the image again.")]
    Version(u32),
    /// A side of zero, or one that a signed number does not hold.
    #[error("The texture has an impossible size, {0} pixels. Import the image again.")]
    Size(Size),
    /// A number that is no format's.
    #[error("The texture has the unknown pixel format {0}. Import the image again.")]
    Format(u32),
    /// The size of the data is not that of the pixels.
    #[error(
        "The texture says {stated} bytes of pixels where its size needs {needed}. Import the image again."
    )]
    DataSize {
        /// What the header says.
        stated: u32,
        /// Width x height x bytes per pixel.
        needed: u64,
    },
    /// The file ends early.
    #[error("The texture is cut off after {found} of {needed} bytes. Import the image again.")]
    CutOff {
        /// Bytes there are.
        found: usize,
        /// Bytes its header asks for.
        needed: u64,
    },
}

impl Tex {
    /// Reads a whole file.
    pub fn parse(bytes: &[u8]) -> Result<Self, TexError> {
        let header = Header::parse(bytes)?;
        let Header { size, format, flags, pixel_bytes, metadata_bytes } = header;
        let pixels_end = HEADER_BYTES as u64 + u64::from(pixel_bytes);
        let end = pixels_end + u64::from(metadata_bytes);
        let cut_off = TexError::CutOff { found: bytes.len(), needed: end };
        let end = usize::try_from(end).or(Err(cut_off))?;
        // Not beyond the end, which fits.
        let pixels_end = pixels_end as usize;
        let metadata = bytes.get(pixels_end..end).ok_or(cut_off)?;

        let mut tex = Self {
            size,
            format,
            flags,
            pixels: HEADER_BYTES..pixels_end,
            metadata_bytes,
            default_frame: None,
            frames: Vec::new(),
            nine_slice: None,
            chroma_key: None,
            source_size: None,
            chunks: Vec::new(),
            warnings: Vec::new(),
        };
        tex.read_metadata(metadata);
        if bytes.len() > end {
            tex.warn(format!("{} bytes after the texture's end are ignored.", bytes.len() - end));
        }
        check::check(&mut tex);
        Ok(tex)
    }

    /// The size that rectangles and borders are measured in.
    pub fn image_size(&self) -> Size {
        self.source_size.unwrap_or(self.size)
    }

    fn read_metadata(&mut self, metadata: &[u8]) {
        if metadata.is_empty() {
            return;
        }
        let mut reader = Reader(metadata);
        let Some(count) = reader.u32() else {
            self.warn(format!("{} bytes of metadata are too few for any and are ignored.", metadata.len()));
            return;
        };
        let mut seen = Vec::new();
        for index in 0..count {
            let (Some(kind), Some(size)) = (reader.u32(), reader.u32()) else {
                self.warn(format!("The metadata counts {count} chunks and holds {index}."));
                return;
            };
            let Some(payload) = reader.take(size as usize) else {
                self.warn(format!(
                    "Chunk {index} of type {kind} claims {size} bytes where {} are left; it and the rest are ignored.",
                    reader.0.len()
                ));
                return;
            };
            if seen.contains(&kind) {
                self.warn(format!("There is more than one chunk of type {kind}; the last one counts."));
            } else if is_known(kind) {
                seen.push(kind);
            }
            self.chunks.push(ChunkInfo { kind, size });
            if self.read_chunk(kind, payload).is_none() {
                self.warn(format!("A chunk of type {kind} is too short with {size} bytes and is ignored."));
            }
        }
        if !reader.0.is_empty() {
            self.warn(format!("{} bytes after the last counted chunk are ignored.", reader.0.len()));
        }
    }

    /// `None` when the chunk is too short for its type.
    fn read_chunk(&mut self, kind: u32, payload: &[u8]) -> Option<()> {
        match kind {
            chunk::SPRITE => self.read_sprite(Reader(payload)),
            chunk::FRAME_LIST => self.read_frames(Reader(payload)),
            chunk::CHROMA_KEY => self.read_chroma_key(Reader(payload)),
            chunk::SOURCE_SIZE => self.read_source_size(Reader(payload)),
            _ => Some(()),
        }
    }

    fn read_sprite(&mut self, mut reader: Reader<'_>) -> Option<()> {
        self.default_frame = Some(FrameSize { width: reader.i32()?, height: reader.i32()? });
        // A later chunk without borders does not take back those of an earlier one.
        if reader.u8().is_some_and(|flag| flag != 0) {
            match reader.insets() {
                Some(insets) => self.nine_slice = Some(insets),
                None => self.warn("The nine-slice borders are cut short and are ignored.".to_owned()),
            }
        }
        Some(())
    }

    fn read_frames(&mut self, mut reader: Reader<'_>) -> Option<()> {
        let count = usize::from(reader.u16()?);
        let mut list = Reader(reader.take(count * FRAME_BYTES)?);
        // Borders of an earlier list stay with their positions, as in the loader.
        let earlier = std::mem::take(&mut self.frames);
        self.frames.reserve_exact(count);
        while let Some(mut frame) = list.frame() {
            frame.nine_slice = earlier.get(self.frames.len()).and_then(|frame| frame.nine_slice);
            self.frames.push(frame);
        }
        self.read_borders(reader);
        Some(())
    }

    /// The newer part of a frame list; fewer than two bytes are the old form, or padding.
    fn read_borders(&mut self, mut reader: Reader<'_>) {
        let Some(count) = reader.u16() else { return };
        let mut skipped = 0;
        for read in 0..count {
            let Some(mut entry) = reader.take(BORDER_BYTES).map(Reader) else {
                self.warn(format!("The list of frame borders counts {count} and holds {read}."));
                break;
            };
            let frame = entry.u16().and_then(|index| self.frames.get_mut(usize::from(index)));
            match frame {
                Some(frame) => frame.nine_slice = entry.insets(),
                None => skipped += 1,
            }
        }
        if skipped > 0 {
            self.warn(format!("{skipped} frame borders name frames that are not there and are ignored."));
        }
    }

    fn read_chroma_key(&mut self, mut reader: Reader<'_>) -> Option<()> {
        let [enabled, red, green, blue] = reader.array()?;
        let count = reader.u32()?;
        if enabled == 0 {
            self.chroma_key = None;
            return Some(());
        }
        let stored = (count as usize).checked_mul(2).and_then(|length| reader.take(length));
        if stored.is_none() {
            self.warn(format!("The chroma key's {count} row spans do not fit their chunk and are ignored."));
        }
        let (spans, _) = stored.unwrap_or_default().as_chunks();
        self.chroma_key = Some(TexChromaKey {
            key: ChromaKey { red, green, blue },
            spans: spans.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect(),
        });
        Some(())
    }

    fn read_source_size(&mut self, mut reader: Reader<'_>) -> Option<()> {
        let (width, height) = (reader.i32()?, reader.i32()?);
        let size = Size::new(width.max(0) as u32, height.max(0) as u32);
        if size.area() == 0 {
            self.warn(format!("The image's size of {width} x {height} is not positive and is ignored."));
            self.source_size = None;
        } else {
            self.source_size = (size != self.size).then_some(size);
        }
        Some(())
    }

    fn warn(&mut self, message: String) {
        check::push(&mut self.warnings, None, message);
    }
}

const fn is_known(kind: u32) -> bool {
    matches!(kind, chunk::SPRITE | chunk::FRAME_LIST | chunk::CHROMA_KEY | chunk::SOURCE_SIZE)
}

struct Header {
    size: Size,
    format: PixelFormat,
    flags: TexFlags,
    pixel_bytes: u32,
    metadata_bytes: u32,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Self, TexError> {
        let mut reader = Reader(bytes);
        let no_header = TexError::NoHeader(bytes.len());
        let magic: [u8; 4] = reader.array().ok_or(no_header)?;
        if magic != MAGIC {
            return Err(TexError::NotATexture);
        }
        let mut next = || reader.u32().ok_or(no_header);
        let [version, width, height, format, pixel_bytes, metadata_bytes, flags] =
            [next()?, next()?, next()?, next()?, next()?, next()?, next()?];
        if version != VERSION {
            return Err(TexError::Version(version));
        }
        let size = Size::new(width, height);
        // Loaders keep sides as signed numbers; beyond those the edge arithmetic would wrap.
        let sides = 1..=i32::MAX as u32;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(TexError::Size(size));
        }
        let format = PixelFormat::from_number(format).ok_or(TexError::Format(format))?;
        // Below 2^62 pixels of at most 4 bytes: saturated is never equal to a 32-bit number.
        let needed = size.area().saturating_mul(format.bytes_per_pixel() as u64);
        if u64::from(pixel_bytes) != needed {
            return Err(TexError::DataSize { stated: pixel_bytes, needed });
        }
        Ok(Self { size, format, flags: TexFlags(flags), pixel_bytes, metadata_bytes })
    }
}

/// The bytes not yet read. Every method takes what it returns, or nothing.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }

    fn insets(&mut self) -> Option<Insets> {
        let (left, right, top, bottom) = (self.u16()?, self.u16()?, self.u16()?, self.u16()?);
        Some(Insets { left, right, top, bottom })
    }

    fn frame(&mut self) -> Option<TexFrame> {
        let guid = self.array()?;
        let rect = PixelRect::new(self.i32()?, self.i32()?, self.i32()?, self.i32()?);
        Some(TexFrame { guid, rect, nine_slice: None })
    }
}
