//! Pictures as they are drawn: what names one, and its pixels.

use crate::geometry::{PixelRect, Size};
use crate::guid::Guid;
use crate::texture::Insets;

/// Straight RGBA.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// Pixels across and down.
    pub size: Size,
    /// Four bytes a pixel, rows from the top.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The pixel at `x`, `y`; `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let is_inside = x < self.size.width && y < self.size.height;
        let at = y as usize * self.size.width as usize + x as usize;
        self.rgba.as_chunks().0.get(at).copied().filter(|_| is_inside)
    }
}

/// How a region becomes a picture. Sizes and borders are stored pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fill {
    /// The region as it is.
    Normal,
    /// The region repeated from the top left.
    Tiled {
        /// The picture's size.
        target: Size,
    },
    /// The corners as they are, edges and middle stretched.
    NineSlice {
        /// How far edges and corners reach into the region.
        borders: Insets,
        /// The picture's size.
        target: Size,
    },
}

/// Names a picture, as long as the texture stays the same: whoever keeps pictures has the texture's version beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureKey {
    /// Whose pixels: the parent's GUID.
    pub texture: Guid,
    /// The region in stored pixels, inside the texture.
    pub rect_in_texture: PixelRect,
    /// What is made of it.
    pub fill: Fill,
}

impl PictureKey {
    /// The picture's size in stored pixels.
    pub const fn size(&self) -> Size {
        match self.fill {
            Fill::Normal => Size::new(self.rect_in_texture.width as u32, self.rect_in_texture.height as u32),
            Fill::Tiled { target } | Fill::NineSlice { target, .. } => target,
        }
    }
}
