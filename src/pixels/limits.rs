//! How large an image may be, checked on the numbers in its header before anything is allocated.

use crate::geometry::Size;

/// The longest side, in pixels: one decoded row stays at 1 MiB.
pub const MAX_SIDE: u32 = 262_144;

/// Most pixels of an image that is decoded row by row: a sheet of 16,384 by 16,384.
pub const MAX_STREAMED_PIXELS: u64 = 1 << 28;

/// Most pixels of an image that its decoder must hold as a whole. With 16-bit samples or a progressive
/// JPEG's coefficients beside the result this stays below 1 GiB.
pub const MAX_WHOLE_PIXELS: u64 = 1 << 26;

/// An image has more pixels, or a longer side, than we take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The image claims {size} pixels, more than the limit of {limit}. Split it into smaller sheets.")]
pub struct TooLarge {
    /// Its size as its header says.
    pub size: Size,
    /// The limit it passes.
    pub limit: Limit,
}

/// A limit on an image's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Pixels along one side.
    Side(u32),
    /// Pixels in all.
    Pixels(u64),
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Side(pixels) => write!(f, "{pixels} along one side"),
            Self::Pixels(pixels) => write!(f, "{pixels} in all for this kind of file"),
        }
    }
}

/// Refuses a size with a side over [`MAX_SIDE`] or more than `max_pixels` pixels.
pub(super) fn check(size: Size, max_pixels: u64) -> Result<(), TooLarge> {
    if size.width > MAX_SIDE || size.height > MAX_SIDE {
        return Err(TooLarge { size, limit: Limit::Side(MAX_SIDE) });
    }
    if size.area() > max_pixels {
        return Err(TooLarge { size, limit: Limit::Pixels(max_pixels) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_pass_up_to_each_limit_and_no_further() {
        assert_eq!(check(Size::new(262_144, 1024), MAX_STREAMED_PIXELS), Ok(()));
        assert_eq!(check(Size::new(16_384, 16_384), MAX_STREAMED_PIXELS), Ok(()));
        assert!(check(Size::new(262_145, 1), MAX_STREAMED_PIXELS).is_err());
        assert!(check(Size::new(1, 262_145), MAX_STREAMED_PIXELS).is_err());
        assert!(check(Size::new(16_384, 16_385), MAX_STREAMED_PIXELS).is_err());
        assert!(check(Size::new(u32::MAX, u32::MAX), MAX_STREAMED_PIXELS).is_err());
        assert_eq!(check(Size::new(8192, 8192), MAX_WHOLE_PIXELS), Ok(()));
        assert!(check(Size::new(8192, 8193), MAX_WHOLE_PIXELS).is_err());
    }

    #[test]
    fn the_message_says_the_size_and_the_limit() {
        let message = check(Size::new(100_000, 100_000), MAX_STREAMED_PIXELS).unwrap_err().to_string();
        assert!(message.contains("100000 x 100000") && message.contains("268435456"), "{message}");
        let message = check(Size::new(300_000, 1), MAX_STREAMED_PIXELS).unwrap_err().to_string();
        assert!(message.contains("300000 x 1") && message.contains("262144"), "{message}");
    }
}
