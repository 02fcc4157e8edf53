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
