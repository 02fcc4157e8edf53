//! 2DTX, the compiled texture: a header of 32 bytes, stored pixels, then chunks of metadata; all numbers
//! little-endian.
//!
//! The reader takes and drops exactly what the engine's loader does, and adds a warning wherever that loader is
//! silent. The writer is strict: it writes nothing that a loader would drop.

mod check;
pub mod read;
pub mod write;

use crate::geometry::PixelRect;
use crate::guid::Guid;
use crate::texture::{ChromaKey, Insets};

pub use read::{ChunkInfo, Tex, TexError, TexWarning};
pub use write::{Metadata, TexHeader, TexWriteError};

/// The first four bytes of a texture.
pub const MAGIC: [u8; 4] = *b"2DTX";
/// The only version there is; loaders compare it for equality.
pub const VERSION: u32 = 1;
/// Bytes before the pixels.
pub const HEADER_BYTES: usize = 32;
/// The frame count has 16 bits.
pub const MAX_FRAMES: usize = 65_535;

/// Numbers of the chunk types, in the order in which they are written.
mod chunk {
    pub(super) const SPRITE: u32 = 1;
    pub(super) const FRAME_LIST: u32 = 2;
    pub(super) const CHROMA_KEY: u32 = 3;
    pub(super) const SOURCE_SIZE: u32 = 4;
}

/// Bytes of one frame in a frame list: GUID and rectangle.
const FRAME_BYTES: usize = 36 + 4 * 4;
/// Bytes of one frame's borders after a frame list: index and four sides.
const BORDER_BYTES: usize = 2 + 4 * 2;

/// The bit set of a texture's header. Bits without a name are kept and mean nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TexFlags(pub u32);

impl TexFlags {
    /// Some source alpha was 0.
    pub const HAS_TRANSPARENCY: Self = Self(0x01);
    /// Some source alpha was below 255, whether or not the format keeps it.
    pub const HAS_ALPHA: Self = Self(0x02);
    /// Made from a sprite, not a font.
    pub const IS_SPRITE: Self = Self(0x04);
    /// RGB565A8 with [`TexFlags::HAS_ALPHA`] only: every stored alpha is 255, no need to look.
    pub const ALL_OPAQUE: Self = Self(0x08);

    const NAMED: [(Self, &'static str); 4] = [
        (Self::HAS_TRANSPARENCY, "HasTransparency"),
        (Self::HAS_ALPHA, "HasAlpha"),
        (Self::IS_SPRITE, "IsSprite"),
        (Self::ALL_OPAQUE, "AllOpaque"),
    ];

    /// Whether every bit of `other` is set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These bits and those of `other`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The same, when `condition` holds; else these bits alone.
    #[must_use]
    pub const fn with_if(self, condition: bool, other: Self) -> Self {
        if condition { self.with(other) } else { self }
    }

    /// The names of the set bits that have one.
    pub fn names(self) -> Vec<&'static str> {
        Self::NAMED.into_iter().filter(|(flag, _)| self.contains(*flag)).map(|(_, name)| name).collect()
    }

    /// The set bits that have no name.
    pub const fn unknown(self) -> u32 {
        self.0 & !0x0f
    }
}

/// The default frame's size in image pixels; 0 by 0 is the whole image, and a file may say anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FrameSize {
    /// Pixels across, 0 for all.
    pub width: i32,
    /// Pixels down, 0 for all.
    pub height: i32,
}

/// A frame as a texture stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TexFrame {
    /// 36 bytes that should be a GUID's text.
    pub guid: [u8; 36],
    /// Where it is, in image pixels even when the texture is smaller than the image.
    pub rect: PixelRect,
    /// Its own nine-slice borders, in image pixels.
    pub nine_slice: Option<Insets>,
}

impl TexFrame {
    /// A frame of ours without borders.
    pub fn new(guid: Guid, rect_in_image: PixelRect) -> Self {
        Self { guid: guid.to_bytes36(), rect: rect_in_image, nine_slice: None }
    }

    /// Its GUID, `None` when the bytes are not one.
    pub fn parsed_guid(&self) -> Option<Guid> {
        std::str::from_utf8(&self.guid).ok()?.parse().ok()
    }
}

/// A colour that is drawn as nothing, with what each row keeps.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TexChromaKey {
    /// The colour.
    pub key: ChromaKey,
    /// For each stored row, the columns `[start, end)` that hold no key; empty when rows are not that simple.
    pub spans: Vec<i16>,
}

#[cfg(test)]
mod loader_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_named_as_the_headless_commands_print_them() {
        assert_eq!(TexFlags(0).names(), Vec::<&str>::new());
        assert_eq!(TexFlags(0xffff_fff0).names(), Vec::<&str>::new());
        assert_eq!(TexFlags(0x0f).names(), ["HasTransparency", "HasAlpha", "IsSprite", "AllOpaque"]);
        let flags =
            TexFlags::IS_SPRITE.with_if(true, TexFlags::HAS_ALPHA).with_if(false, TexFlags::ALL_OPAQUE);
        assert_eq!(flags, TexFlags(0x06));
        assert_eq!(TexFlags(0x106).unknown(), 0x100);
    }
}
