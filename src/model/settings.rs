//! How a sheet's image becomes a texture: what its sidecar says, what its project says for all sheets, and which of the
//! two counts.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::frame::FrameId;
use crate::texture::{ChromaKey, Dithering, Insets, PixelFormat, UnknownFormat};

/// Which pixel format is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FormatChoice {
    /// The one that the image's alpha asks for, see [`PixelFormat::automatic`].
    Automatic,
    /// Always this one.
    Fixed(PixelFormat),
}

impl FormatChoice {
    /// The format, unless the image is to tell.
    pub const fn fixed(self) -> Option<PixelFormat> {
        match self {
            Self::Automatic => None,
            Self::Fixed(format) => Some(format),
        }
    }

    /// The name that files use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Automatic => "Automatic",
            Self::Fixed(format) => format.name(),
        }
    }
}

impl fmt::Display for FormatChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for FormatChoice {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        if text == Self::Automatic.name() { Ok(Self::Automatic) } else { text.parse().map(Self::Fixed) }
    }
}

/// How a sheet's image is stored, as its sidecar says. What it does not say, the project does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextureSettings {
    /// The pixel format.
    pub format: Option<FormatChoice>,
    /// Longest side of the stored picture, in pixels.
    pub max_size: Option<u32>,
    /// How colours between two stored values are rendered.
    pub dithering: Option<Dithering>,
    /// The colour drawn as nothing.
    pub chroma_key: Option<ChromaKey>,
    /// Borders of the whole image, in image pixels.
    pub nine_slice: Insets,
    /// Borders of single frames, in image pixels measured inside the frame.
    pub frame_nine_slice: BTreeMap<FrameId, Insets>,
    /// What is other for targets, by their names.
    pub targets: BTreeMap<Arc<str>, TargetSettings>,
}

/// What is other for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TargetSettings {
    /// The pixel format; `None` leaves the sheet's.
    pub format: Option<PixelFormat>,
    /// Longest side of the stored picture, in pixels; `None` leaves the sheet's.
    pub max_size: Option<u32>,
}

impl TargetSettings {
    /// Whether it leaves everything.
    pub const fn is_empty(self) -> bool {
        self.format.is_none() && self.max_size.is_none()
    }
}

/// A kind of device that a project makes textures of their own for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its name, which is the name of its folder too.
    pub name: Arc<str>,
    /// What its textures are, unless a sheet says otherwise.
    pub settings: TargetSettings,
    /// The longest side of a texture that the device can hold, in pixels.
    pub max_texture: Option<u32>,
}

/// What a project says of textures whose sheets say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextureDefaults {
    /// The pixel format; `None` is Automatic.
    pub format: Option<PixelFormat>,
    /// Longest side of the stored picture, in pixels; `None` is unlimited.
    pub max_size: Option<u32>,
    /// How colours between two stored values are rendered.
    pub dithering: Dithering,
}

/// What a project says of all its textures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectSettings {
    /// For sheets that say nothing.
    pub defaults: TextureDefaults,
    /// Its targets, in its order.
    pub targets: Vec<Target>,
}

impl ProjectSettings {
    /// The target of that name.
    pub fn target(&self, name: &str) -> Option<&Target> {
        self.targets.iter().find(|target| *target.name == *name)
    }
}

/// How a texture is stored, all said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Storing {
    /// The pixel format; `None` is Automatic.
    pub format: Option<PixelFormat>,
    /// Longest side, in pixels; `None` is unlimited.
    pub max_size: Option<u32>,
    /// How colours between two stored values are rendered.
    pub dithering: Dithering,
    /// The colour drawn as nothing.
    pub chroma_key: Option<ChromaKey>,
}

impl TextureSettings {
    /// The borders of a frame, or of the whole image; those of a frame that has none are 0.
    pub fn borders_of(&self, frame: Option<FrameId>) -> Insets {
        frame.map_or(self.nine_slice, |id| self.frame_nine_slice.get(&id).copied().unwrap_or_default())
    }

    /// How the sheet is stored in a project, and for a target. What the sheet says for that target counts before what
    /// the target says for all sheets, and both before what the sheet says for all targets; of two sizes for all the
    /// smaller one counts, since both are limits. What nobody says, the project's defaults do.
    pub fn storing(&self, defaults: &TextureDefaults, target: Option<&Target>) -> Storing {
        let of_sheet = target.and_then(|target| self.targets.get(&target.name)).copied().unwrap_or_default();
        let of_target = target.map(|target| target.settings).unwrap_or_default();
        let for_all = self.format.map_or(defaults.format, FormatChoice::fixed);
        let of_all = [of_target.max_size, self.max_size.or(defaults.max_size)].into_iter().flatten().min();
        Storing {
            format: of_sheet.format.or(of_target.format).or(for_all),
            max_size: of_sheet.max_size.or(of_all),
            dithering: self.dithering.unwrap_or(defaults.dithering),
            chroma_key: self.chroma_key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: TextureDefaults =
        TextureDefaults { format: None, max_size: None, dithering: Dithering::None };

    fn target(format: Option<PixelFormat>, max_size: Option<u32>) -> Target {
        let settings = TargetSettings { format, max_size };
        Target { name: "handheld".into(), settings, max_texture: None }
    }

    fn sheet(max_size: Option<u32>) -> TextureSettings {
        TextureSettings { max_size, ..TextureSettings::default() }
    }

    #[test]
    fn a_sheets_word_for_a_target_counts_first_and_of_two_limits_the_smaller() {
        let handheld = target(Some(PixelFormat::Rgb565), Some(256));
        let size_and_format = |sheet: &TextureSettings, target| {
            let Storing { format, max_size, .. } = sheet.storing(&NONE, target);
            (format, max_size)
        };
        assert_eq!(size_and_format(&sheet(None), Some(&handheld)), (Some(PixelFormat::Rgb565), Some(256)));
        assert_eq!(sheet(Some(128)).storing(&NONE, Some(&handheld)).max_size, Some(128));
        let own = TargetSettings { format: Some(PixelFormat::Alpha8), max_size: Some(512) };
        let with_own = TextureSettings {
            targets: BTreeMap::from([("handheld".into(), own)]),
            format: Some(FormatChoice::Fixed(PixelFormat::Rgb888)),
            ..sheet(Some(128))
        };
        assert_eq!(size_and_format(&with_own, Some(&handheld)), (Some(PixelFormat::Alpha8), Some(512)));
        assert_eq!(size_and_format(&with_own, None), (Some(PixelFormat::Rgb888), Some(128)));
        let other = Target { name: "console".into(), ..target(None, None) };
        assert_eq!(size_and_format(&with_own, Some(&other)), (Some(PixelFormat::Rgb888), Some(128)));
    }

    #[test]
    fn a_projects_defaults_are_for_sheets_that_say_nothing() {
        let defaults = TextureDefaults {
            format: Some(PixelFormat::Rgb565),
            max_size: Some(64),
            dithering: Dithering::Ordered,
        };
        let of = |sheet: &TextureSettings| sheet.storing(&defaults, None);
        let silent = of(&TextureSettings::default());
        assert_eq!(
            (silent.format, silent.max_size, silent.dithering),
            (Some(PixelFormat::Rgb565), Some(64), Dithering::Ordered)
        );
        let outspoken = TextureSettings {
            format: Some(FormatChoice::Automatic),
            max_size: Some(512),
            dithering: Some(Dithering::None),
            ..TextureSettings::default()
        };
        let Storing { format, max_size, dithering, .. } = of(&outspoken);
        assert_eq!((format, max_size, dithering), (None, Some(512), Dithering::None));
    }
}
