//! Why bytes could not be decoded, by whose fault it is. No path is in here: callers know it and add it.

use std::error::Error as _;
use std::io;

use super::limits::TooLarge;

/// An image could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// More pixels than we take.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// An image, but a broken one; the text is a clause without a full stop.
    #[error("The image is damaged: {0}. Export it again from the program that made it.")]
    Damaged(String),
    /// Something else under an image's name.
    #[error("{0}")]
    NotAnImage(NotAnImage),
    /// An image of a kind or a variant that we do not read; the text names it.
    #[error("Cutsheet does not read {0}. Save the image as PNG.")]
    Unsupported(String),
}

/// What a file without an image in it seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAnImage {
    /// Not one byte.
    Empty,
    /// The text that stands for a file in a checkout without Git LFS.
    GitLfsPointer,
    /// Often an error page that a download saved.
    WebPage,
    /// Some other text.
    Text,
    /// None of the kinds that we know.
    Unknown,
}

impl std::fmt::Display for NotAnImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Empty => "The file is empty. Export the image again from the program that made it.",
            Self::GitLfsPointer => {
                "The file is a Git LFS pointer, not the image itself. Run \"git lfs pull\" to fetch the image."
            }
            Self::WebPage => "The file is a web page, not an image. Download the image itself.",
            Self::Text => "The file is text, not an image.",
            Self::Unknown => "The file is no image that Cutsheet reads. Use PNG, JPEG, BMP, TGA, GIF or WebP.",
        })
    }
}

impl DecodeError {
    /// Whether the image is refused for its size alone.
    pub const fn is_too_large(&self) -> bool {
        matches!(self, Self::TooLarge(_))
    }

    pub(super) fn damaged(reason: &str) -> Self {
        Self::Damaged(reason.trim_end().trim_end_matches('.').to_owned())
    }
}

impl From<png::DecodingError> for DecodeError {
    fn from(error: png::DecodingError) -> Self {
        match error {
            png::DecodingError::IoError(error) => error.into(),
            png::DecodingError::LimitsExceeded => Self::damaged("a part beside the pixels is too large"),
            // For the common faults the library's words name its own data structures.
            other => match other.to_string() {
                text if text.starts_with("CRC error") => Self::damaged("a checksum does not match its data"),
                text if text.starts_with("Corrupt deflate") => Self::damaged("its compressed data is broken"),
                text if text.starts_with("IDAT") => Self::damaged("pixels are missing"),
                text if text.contains("ChunkType") => {
                    Self::damaged("a part of the file has the wrong length or is in the wrong place")
                }
                text => Self::damaged(&text),
            },
        }
    }
}

impl From<image::ImageError> for DecodeError {
    fn from(error: image::ImageError) -> Self {
        match error {
            image::ImageError::IoError(error) => error.into(),
            image::ImageError::Unsupported(error) => Self::Unsupported(format!("this variant ({error})")),
            // The wrapper only repeats the kind of file.
            other => match other.source() {
                Some(inner) => Self::damaged(&inner.to_string()),
                None => Self::damaged(&other.to_string()),
            },
        }
    }
}

impl From<io::Error> for DecodeError {
    /// The bytes are in memory, so reading them fails only where they end.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            Self::damaged("the file ends before the image does")
        } else {
            Self::damaged(&error.to_string())
        }
    }
}
