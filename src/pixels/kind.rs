//! Which kind of image bytes are. The content decides, whatever the file is called.

use super::error::{DecodeError, NotAnImage};

/// A kind of image file that we read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageKind {
    /// Portable Network Graphics; of an animated one, the default image.
    Png,
    /// JPEG.
    Jpeg,
    /// Windows bitmap.
    Bmp,
    /// Truevision Targa.
    Tga,
    /// GIF; of an animated one, the first frame.
    Gif,
    /// WebP; of an animated one, the first frame.
    WebP,
}

impl ImageKind {
    /// The kind's usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Bmp => "BMP",
            Self::Tga => "TGA",
            Self::Gif => "GIF",
            Self::WebP => "WebP",
        }
    }

    /// The kind of `bytes`. TGA files begin with no mark of their own, so that kind alone is believed on
    /// the word of the `extension` (without a dot, any case), when the content is nothing else.
    pub fn of(bytes: &[u8], extension: Option<&str>) -> Result<Self, DecodeError> {
        if bytes.is_empty() {
            return Err(DecodeError::NotAnImage(NotAnImage::Empty));
        }
        if let Some(kind) = Self::by_mark(bytes) {
            return Ok(kind);
        }
        if let Some(hint) = kind_of_text(bytes) {
            return Err(DecodeError::NotAnImage(hint));
        }
        if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("tga")) {
            return Ok(Self::Tga);
        }
        Err(unreadable(bytes))
    }

    fn by_mark(bytes: &[u8]) -> Option<Self> {
        let kind = if bytes.starts_with(PNG_SIGNATURE) {
            Self::Png
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Self::Jpeg
        } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
            Self::Gif
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Self::WebP
        } else if is_bitmap(bytes) {
            Self::Bmp
        } else {
            return None;
        };
        Some(kind)
    }
}

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Marks of common images that we do not read, by their offset, and how a message calls them.
const UNREAD_MARKS: [(usize, &[u8], &str); 9] = [
    (0, b"8BPS", "Photoshop documents"),
    (0, b"gimp xcf", "GIMP documents"),
    (0, b"II*\0", "TIFF"),
    (0, b"MM\0*", "TIFF"),
    (0, b"qoif", "QOI"),
    (0, b"DDS ", "DDS"),
    (4, b"ftypavif", "AVIF"),
    (4, b"ftyphei", "HEIF"),
    (4, b"\xe0\xa5", "Aseprite documents"),
];

/// Two letters are a weak mark: the size of the second header, which the format fixes, makes it sure.
fn is_bitmap(bytes: &[u8]) -> bool {
    let header_size = bytes.get(14..18).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes);
    bytes.starts_with(b"BM") && header_size.is_some_and(|size| (12..=255).contains(&size))
}

/// Texts that are mistaken for images, known by their first words.
fn kind_of_text(bytes: &[u8]) -> Option<NotAnImage> {
    let start = bytes[..bytes.len().min(256)].trim_ascii_start().to_ascii_lowercase();
    if start.starts_with(b"version https://git-lfs") {
        Some(NotAnImage::GitLfsPointer)
    } else if start.starts_with(b"<!doctype html") || start.starts_with(b"<html") {
        Some(NotAnImage::WebPage)
    } else {
        None
    }
}

/// The clearest word on bytes that are none of our kinds.
fn unreadable(bytes: &[u8]) -> DecodeError {
    if bytes.starts_with(&PNG_SIGNATURE[..4]) {
        return DecodeError::damaged("its first bytes were changed, as when a transfer converts line ends");
    }
    for (offset, mark, name) in UNREAD_MARKS {
        if bytes.get(offset..).is_some_and(|rest| rest.starts_with(mark)) {
            return DecodeError::Unsupported(name.to_owned());
        }
    }
    let start = &bytes[..bytes.len().min(512)];
    if start.windows(4).any(|word| word == b"<svg") {
        return DecodeError::Unsupported("SVG drawings".to_owned());
    }
    let is_text = start.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    DecodeError::NotAnImage(if is_text { NotAnImage::Text } else { NotAnImage::Unknown })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> Result<ImageKind, DecodeError> {
        ImageKind::of(bytes, None)
    }

    #[test]
    fn the_content_decides_whatever_the_extension_says() {
        let mut bitmap = b"BM".to_vec();
        bitmap.extend([0; 12]);
        bitmap.extend(40_u32.to_le_bytes());
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\n...."[..], ImageKind::Png),
            (b"\xff\xd8\xff\xe0", ImageKind::Jpeg),
            (b"GIF89a", ImageKind::Gif),
            (b"RIFF\x10\0\0\0WEBPVP8 ", ImageKind::WebP),
            (&bitmap, ImageKind::Bmp),
        ] {
            for extension in [None, Some("png"), Some("tga"), Some("jpeg")] {
                assert_eq!(ImageKind::of(bytes, extension), Ok(kind));
            }
        }
    }

    #[test]
    fn only_the_extension_makes_a_tga_and_only_when_the_content_is_nothing_else() {
        let header = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 8];
        assert_eq!(ImageKind::of(&header, Some("TGA")), Ok(ImageKind::Tga));
        assert_eq!(of(&header), Err(DecodeError::NotAnImage(NotAnImage::Unknown)));
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n";
        let not_fetched = Err(DecodeError::NotAnImage(NotAnImage::GitLfsPointer));
        assert_eq!(ImageKind::of(pointer, Some("tga")), not_fetched);
    }

    #[test]
    fn what_is_no_image_is_called_by_its_name() {
        assert_eq!(of(b""), Err(DecodeError::NotAnImage(NotAnImage::Empty)));
        assert_eq!(of(b"\n <!DOCTYPE html><p>"), Err(DecodeError::NotAnImage(NotAnImage::WebPage)));
        assert_eq!(of(b"BMX is a bicycle, not a bitmap"), Err(DecodeError::NotAnImage(NotAnImage::Text)));
        assert_eq!(of(b"8BPS\0\x01"), Err(DecodeError::Unsupported("Photoshop documents".to_owned())));
        assert_eq!(of(b"<?xml?><svg/>"), Err(DecodeError::Unsupported("SVG drawings".to_owned())));
        assert!(matches!(of(b"\x89PNG\n\x1a\n\0\0"), Err(DecodeError::Damaged(_))));
        assert_eq!(of(b"\x89"), Err(DecodeError::NotAnImage(NotAnImage::Unknown)));
        assert_eq!(of(&[0; 16]), Err(DecodeError::NotAnImage(NotAnImage::Unknown)));
    }
}
