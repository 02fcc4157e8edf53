//! How a sheet becomes a texture.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::frame::FrameId;
use crate::texture::{ChromaKey, Dithering, Insets, PixelFormat};

/// The settings that decide a texture's bytes, beside its image and its frames.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct TextureSettings {
    /// The pixel format; `None` is Automatic.
    pub format: Option<PixelFormat>,
    /// Longest side of the stored picture, in pixels; `None` is unlimited.
    pub max_size: Option<u32>,
    /// How colours between two stored values are rendered.
    pub dithering: Dithering,
    /// The colour drawn as nothing.
    pub chroma_key: Option<ChromaKey>,
    /// Borders of the whole image, in image pixels.
    pub nine_slice: Insets,
    /// Borders of single frames, in image pixels measured inside the frame.
    pub frame_nine_slice: BTreeMap<FrameId, Insets>,
}

/// What is other for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TargetSettings {
    /// The pixel format; `None` leaves the sheet's.
    pub format: Option<PixelFormat>,
    /// Longest side of the stored picture, in pixels; `None` leaves the sheet's.
    pub max_size: Option<u32>,
}

impl TextureSettings {
    /// The borders of a frame, or of the whole image; those of a frame that has none are 0.
    pub fn borders_of(&self, frame: Option<FrameId>) -> Insets {
        frame.map_or(self.nine_slice, |id| self.frame_nine_slice.get(&id).copied().unwrap_or_default())
    }

    /// The settings for a target. What the sheet says for that target counts before what the target says for all sheets;
    /// of two sizes for all the smaller one counts, since both are limits.
    #[must_use]
    pub fn for_target(&self, target: TargetSettings, of_sheet: TargetSettings) -> Self {
        let for_all = [target.max_size, self.max_size].into_iter().flatten().min();
        Self {
            format: of_sheet.format.or(target.format).or(self.format),
            max_size: of_sheet.max_size.or(for_all),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheets_word_for_a_target_counts_first_and_of_two_limits_the_smaller() {
        let none = TargetSettings::default();
        let of = |format, max_size| TargetSettings { format, max_size };
        let sheet = |max_size| TextureSettings { max_size, ..TextureSettings::default() };
        let handheld = of(Some(PixelFormat::Rgb565), Some(256));
        let made = sheet(None).for_target(handheld, none);
        assert_eq!((made.format, made.max_size), (Some(PixelFormat::Rgb565), Some(256)));
        assert_eq!(sheet(Some(128)).for_target(handheld, none).max_size, Some(128));
        let made = sheet(Some(128)).for_target(handheld, of(Some(PixelFormat::Alpha8), Some(512)));
        assert_eq!((made.format, made.max_size), (Some(PixelFormat::Alpha8), Some(512)));
        assert_eq!(sheet(Some(64)).for_target(none, none), sheet(Some(64)));
    }
}
