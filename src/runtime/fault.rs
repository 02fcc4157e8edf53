//! Why a sprite of a scene draws nothing, or something else than was meant.

use std::sync::Arc;

use crate::geometry::{PixelRect, Size};

/// What is wrong with a sprite, as a device would have it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its reference names no sheet. Nothing is drawn.
    #[error("No sprite is chosen.")]
    Empty,
    /// Its reference names a sheet by something that is no GUID. Nothing is drawn.
    #[error("The sprite refers to {0:?}, which is no GUID.")]
    InvalidGuid(Arc<str>),
    /// The texture is being loaded; until then nothing is drawn.
    #[error("The texture is being loaded.")]
    Pending,
    /// The texture cannot be loaded, and why. Nothing is drawn.
    #[error("{0}")]
    Unloadable(Arc<str>),
    /// The texture has no such frame: the whole is drawn.
    #[error("The sheet has no frame {0}, so the whole sprite is drawn.")]
    MissingFrame(Arc<str>),
    /// The region begins outside the texture. Nothing is drawn.
    #[error("The frame ({region}) begins outside its texture ({texture}), so nothing is drawn.")]
    Outside {
        /// Where it should be, in stored pixels.
        region: PixelRect,
        /// The texture's size in stored pixels.
        texture: Size,
    },
    /// It asks for less than a pixel. Nothing is drawn.
    #[error("The asked width or height is less than a pixel, so nothing is drawn.")]
    EmptyTarget,
    /// It asks for more than we draw: that much is drawn.
    #[error("The asked size of {asked} pixels is cut to {drawn}.")]
    TargetTooLarge {
        /// In stored pixels.
        asked: Size,
        /// In stored pixels.
        drawn: Size,
    },
    /// Nine-slice without borders. Nothing is drawn.
    #[error("The sprite is drawn as nine-slice and has no borders, so nothing is drawn. Give it borders.")]
    NoBorders,
    /// Borders that leave no middle. Nothing is drawn.
    #[error(
        "The borders ({borders}) leave no middle in the {region} pixels of the sprite, so nothing is drawn."
    )]
    BordersTooLarge {
        /// Left and right, top and bottom together, in stored pixels.
        borders: Size,
        /// The region's size in stored pixels.
        region: Size,
    },
    /// A target that has no room for the borders. Nothing is drawn.
    #[error(
        "The asked size of {target} pixels has no room for the borders ({borders}), so nothing is drawn."
    )]
    TargetTooSmall {
        /// In stored pixels.
        target: Size,
        /// Left and right, top and bottom together, in stored pixels.
        borders: Size,
    },
}
