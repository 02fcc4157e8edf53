//! Something that is wrong now, in words, with the asset it belongs to.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::scene::ObjectKey;

/// How much a problem hinders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The asset cannot be used as asked.
    Error,
    /// It can, but likely not as meant.
    Warning,
    /// Worth knowing.
    Info,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        })
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $severity:ident, $words:literal;)*) => {
        /// A stable name for each kind of problem; scripts match on it, `src/README.md` lists them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl Code {
            /// All codes, in the order of the list in `src/README.md`.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The text that the headless commands print.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// How much a problem of this kind hinders.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// What several problems of this kind are called.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $words,)* }
            }

            /// The code of that text.
            pub fn of_text(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }

            /// Whether a sheet may ask not to be told: errors are always told.
            pub fn can_be_ignored(self) -> bool {
                self.severity() != Severity::Error
            }
        }
    };
}

codes! {
    /// A file or folder cannot be read.
    Unreadable = "unreadable", Error, "unreadable files";
    /// An image's bytes are no image, or a damaged one.
    ImageDamaged = "image-damaged", Error, "damaged images";
    /// An image has more pixels, or a longer side, than we take.
    ImageTooLarge = "image-too-large", Error, "images too large";
    /// A file cannot be written.
    Unwritable = "unwritable", Error, "files not written";
    /// A sidecar is no JSON object.
    SidecarUnparsable = "sidecar-unparsable", Error, "unreadable sidecars";
    /// A sidecar's slicing is not what the format says.
    SlicingInvalid = "slicing-invalid", Error, "invalid slicings";
    /// A sidecar stands beside no image and no scene.
    SidecarOrphan = "sidecar-orphan", Error, "sidecars that stand alone";
    /// A sidecar has no GUID, or one that is none.
    GuidInvalid = "guid-invalid", Error, "invalid GUIDs";
    /// Two assets have the same GUID.
    GuidDuplicate = "guid-duplicate", Error, "GUIDs in use twice";
    /// A frame's entry is no rectangle, or has no pixels inside the image.
    FrameInvalid = "frame-invalid", Error, "frames without pixels";
    /// More frames than a texture's 16-bit count holds.
    TooManyFrames = "too-many-frames", Error, "too many frames";
    /// A texture would be larger than its format can say.
    TextureTooLarge = "texture-too-large", Error, "textures too large";
    /// A texture is not what its format says.
    TextureDamaged = "texture-damaged", Error, "damaged textures";
    /// A scene is no compiled scene, or a damaged one.
    SceneDamaged = "scene-damaged", Error, "damaged scenes";
    /// Something refers to an asset or a frame that is not there.
    ReferenceBroken = "reference-broken", Error, "broken references";
    /// A game would not get all that its scenes use, or not as it is now.
    ExportIncomplete = "export-incomplete", Error, "incomplete exports";
    /// Two exported assets cannot be told apart in the lookup table.
    LookupCollision = "lookup-collision", Error, "collisions in the lookup table";
    /// A target is asked for that the project does not have.
    TargetUnknown = "target-unknown", Error, "unknown targets";
    /// A project's settings are no JSON object.
    ProjectSettingsUnparsable = "project-settings-unparsable", Error, "unreadable project settings";
    /// Something in the program itself failed.
    Internal = "internal", Error, "faults of the program";
    /// At the stored size a frame has no pixel of its own.
    FrameVanishes = "frame-vanishes", Warning, "frames that vanish";
    /// A texture is larger than the device of a target holds.
    TextureOverLimit = "texture-over-limit", Warning, "textures over a target's limit";
    /// At the stored size nine-slice borders leave nothing between them, or nothing is left of one.
    BordersCollapse = "borders-collapse", Warning, "borders that collapse";
    /// The image has alpha, and the format that was asked for keeps none.
    FormatLosesAlpha = "format-loses-alpha", Warning, "formats that lose alpha";
    /// Pixels that are not the chroma key would be taken for it.
    KeyInArt = "key-in-art", Warning, "pixels taken for the chroma key";
    /// A frame lies partly outside its image and is drawn clipped.
    FramePartlyOutside = "frame-partly-outside", Warning, "frames partly outside";
    /// Two frames have the same id.
    FrameIdDuplicate = "frame-id-duplicate", Warning, "ids in use twice";
    /// A grid's cell does not fit the image.
    CellLargerThanImage = "cell-larger-than-image", Warning, "cells larger than the image";
    /// A sidecar has both dialects, or the same key twice.
    SidecarAmbiguous = "sidecar-ambiguous", Warning, "ambiguous sidecars";
    /// A sidecar's setting has a value that the format does not know; the default is used.
    SettingInvalid = "setting-invalid", Warning, "invalid settings";
    /// Two frames have the same name.
    NameDuplicate = "name-duplicate", Warning, "names in use twice";
    /// A grid's columns changed with the image's size, so its frames would be renumbered.
    GridRenumbered = "grid-renumbered", Warning, "renumbered grids";
    /// A texture's metadata says something that a loader skips or that points outside.
    TextureMetadata = "texture-metadata", Warning, "odd texture metadata";
    /// A scene holds something that is not as expected; it is kept as it is.
    SceneOdd = "scene-odd", Warning, "oddities in scenes";
    /// Two objects of a scene have the same id.
    SceneIdDuplicate = "scene-id-duplicate", Warning, "object ids in use twice";
    /// A frame's file is not called as its name says.
    FileNameChanged = "file-name-changed", Warning, "changed file names";
    /// A texture does not match its image and settings.
    TextureStale = "texture-stale", Info, "stale textures";
    /// A scene is the JSON that the engine's compiler makes scenes from.
    SceneAuthored = "scene-authored", Info, "scenes that are not compiled";
    /// An image's 16-bit colours were written with 8 bits.
    DepthReduced = "depth-reduced", Info, "reduced colours";
    /// Pixels at the right or the bottom belong to no whole cell.
    LeftoverPixels = "leftover-pixels", Info, "leftover pixels";
    /// Two frames share pixels, which is legal.
    FrameOverlap = "frame-overlap", Info, "overlapping frames";
    /// A frame that is no cell of a grid is a speck beside the others.
    FrameTiny = "frame-tiny", Info, "tiny frames";
    /// No pixel of a frame can be seen.
    FrameEmpty = "frame-empty", Info, "empty frames";
    /// A frame has the same pixels as an earlier one.
    FramesIdentical = "frames-identical", Info, "identical frames";
    /// A sprite goes on beyond an edge of its frame.
    InkTouching = "ink-touching", Info, "sprites cut by an edge";
}

/// Something that is wrong now.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Problem {
    /// How much it hinders.
    pub severity: Severity,
    /// Its kind.
    pub code: Code,
    /// The asset it belongs to: a path relative to the project, with `/`; a whole path for a single file.
    pub path: Arc<str>,
    /// The frame's position in the sheet.
    pub frame: Option<u32>,
    /// What is wrong and what to do, in one or two sentences.
    pub message: String,
    /// The object of the scene, by its place in the file's reading order. The last field, since lists of values have
    /// nothing in its place where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<u32>,
}

impl Problem {
    /// A problem of the asset at `path`.
    pub fn new(code: Code, path: &str, message: impl Into<String>) -> Self {
        Self {
            severity: code.severity(),
            code,
            path: path.into(),
            frame: None,
            message: message.into(),
            object: None,
        }
    }

    /// The same, about an object of the scene.
    #[must_use]
    pub fn at_object(self, object: ObjectKey) -> Self {
        Self { object: Some(object.0), ..self }
    }

    /// The same, about the frame at `index`.
    #[must_use]
    pub fn at_frame(mut self, index: usize) -> Self {
        self.frame = u32::try_from(index).ok();
        self
    }
}

/// A name or another text of a file for a message: short, and without characters that would change how the message is
/// shown.
pub fn quoted(text: &str) -> String {
    const MOST_LETTERS: usize = 40;
    format!("{:?}", text.chars().take(MOST_LETTERS).collect::<String>())
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, code, path, frame, message, object: _ } = self;
        write!(f, "{severity}[{}]: {message}", code.as_str())?;
        if let Some(frame) = frame {
            write!(f, " (frame {frame})")?;
        }
        write!(f, ": {path}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_serialise_as_their_text() {
        let mut texts: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), Code::ALL.len());
        for code in Code::ALL {
            assert_eq!(serde_json::to_string(code).unwrap(), format!("{:?}", code.as_str()));
            assert_eq!(Code::of_text(code.as_str()), Some(*code));
        }
    }

    #[test]
    fn a_problem_survives_the_index_with_and_without_an_object() {
        let problem = Problem::new(Code::ReferenceBroken, "a.scene", "gone");
        for problem in [problem.clone(), problem.at_object(ObjectKey(7))] {
            let stored = rmp_serde::to_vec(&problem).unwrap();
            assert_eq!(rmp_serde::from_slice::<Problem>(&stored).unwrap(), problem);
        }
    }
}
