//! A texture as the device draws it, in tiles for the screen. Its pixels stay as they are stored: a tile that is not
//! looked at costs nothing, and there is no second copy.

use std::sync::Arc;

use crate::geometry::{PixelRect, Size};
use crate::runtime::Texture;
use crate::session::pictures::Bitmap;
use crate::session::source_picture::{Level, TILE_SIDE, TileKey, Tiled, halved, next_serial, premultiply};

/// A texture in tiles.
pub struct StoredPicture {
    serial: u64,
    texture: Arc<Texture>,
}

/// What is stored for a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredPixel {
    /// Pixels from the texture's left edge.
    pub x: u32,
    /// Pixels from its top edge.
    pub y: u32,
    /// As the device draws it, straight RGBA.
    pub rgba: [u8; 4],
    bytes: [u8; 4],
    count: u8,
}

impl StoredPixel {
    /// The bytes of the file, from one to four.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.count)).unwrap_or_default()
    }
}

impl StoredPicture {
    /// The picture of a texture.
    pub(super) fn new(texture: Arc<Texture>) -> Self {
        Self { serial: next_serial(), texture }
    }

    /// The texture.
    pub fn texture(&self) -> &Arc<Texture> {
        &self.texture
    }

    /// The stored pixel that shows where the middle of an image pixel is; `None` outside the image.
    pub fn at_image_pixel(&self, x: i64, y: i64) -> Option<StoredPixel> {
        let stored = self.texture.size;
        let image = self.texture.image_size.unwrap_or(stored);
        if !PixelRect::of_image(image).contains(x, y) {
            return None;
        }
        let along = |at: i64, stored: u32, image: u32| stored_place(at as u64, stored, image);
        self.pixel(along(x, stored.width, image.width), along(y, stored.height, image.height))
    }

    fn pixel(&self, x: u32, y: u32) -> Option<StoredPixel> {
        let Texture { size, format, .. } = &*self.texture;
        let (_, rgba) = self.texture.decode_rect(PixelRect::new(x as i32, y as i32, 1, 1));
        let at = (y as usize * size.width as usize + x as usize) * format.bytes_per_pixel();
        let stored = self.texture.stored_pixels().get(at..at + format.bytes_per_pixel())?;
        let mut bytes = [0; 4];
        bytes.iter_mut().zip(stored).for_each(|(byte, stored)| *byte = *stored);
        Some(StoredPixel { x, y, rgba: rgba.try_into().ok()?, bytes, count: stored.len() as u8 })
    }
}

/// The stored pixel, along one axis, that shows where the middle of an image pixel is.
pub(super) const fn stored_place(at: u64, stored: u32, image: u32) -> u32 {
    let image = if image == 0 { 1 } else { image as u64 };
    ((2 * at + 1) * stored as u64 / (2 * image)) as u32
}

impl Tiled for StoredPicture {
    fn serial(&self) -> u64 {
        self.serial
    }

    fn size(&self) -> Size {
        self.texture.size
    }

    fn tile(&self, key: TileKey) -> Bitmap {
        let side = i64::from(TILE_SIDE) << key.level;
        let (left, top) = (i64::from(key.column) * side, i64::from(key.row) * side);
        let rect = PixelRect::new(left as i32, top as i32, side as i32, side as i32);
        let (size, rgba) = self.texture.decode_rect(rect);
        let mut level = Level { size, rgba };
        for _ in 0..key.level {
            level = halved(&level);
        }
        premultiply(&mut level.rgba);
        Bitmap { size: level.size, premultiplied: level.rgba }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tex::{Metadata, TexFlags, TexHeader};
    use crate::texture::PixelFormat;

    fn texture(size: Size, image: Option<Size>, pixels: &[u8]) -> Arc<Texture> {
        let metadata = Metadata { source_size: image, ..Metadata::default() }.to_bytes().unwrap();
        let header = TexHeader { size, format: PixelFormat::Rgb888, flags: TexFlags::IS_SPRITE };
        let bytes = [&header.to_bytes(metadata.len()).unwrap()[..], pixels, &metadata].concat();
        Arc::new(Texture::from_bytes(bytes).unwrap())
    }

    #[test]
    fn the_middle_of_an_image_pixel_tells_the_stored_one() {
        // Three image pixels on two: the middle one's middle is the border, which begins the second.
        let picture =
            StoredPicture::new(texture(Size::new(2, 1), Some(Size::new(3, 1)), &[1, 2, 3, 4, 5, 6]));
        let at = |x| picture.at_image_pixel(x, 0).map(|pixel| (pixel.x, pixel.bytes().to_vec()));
        assert_eq!(at(0), Some((0, vec![1, 2, 3])));
        assert_eq!(at(1), Some((1, vec![4, 5, 6])));
        assert_eq!(at(2), Some((1, vec![4, 5, 6])));
        assert_eq!((at(3), at(-1)), (None, None));
        assert_eq!(picture.at_image_pixel(0, 0).unwrap().rgba, [1, 2, 3, 255]);
    }

    #[test]
    fn tiles_of_a_coarser_level_are_averages_of_stored_pixels() {
        let width = 600;
        let pixels: Vec<u8> = (0..width).flat_map(|x| [if x % 2 == 0 { 0 } else { 200 }; 3]).collect();
        let picture = StoredPicture::new(texture(Size::new(width, 1), None, &pixels));
        assert_eq!(picture.levels(), 0..=2, "300 is not small enough, 150 is");
        let key = |level, column| TileKey { picture: picture.serial(), level, column, row: 0 };
        assert_eq!(picture.tile(key(0, 1)).size, Size::new(88, 1));
        let tile = picture.tile(key(1, 0));
        assert_eq!((tile.size, &tile.premultiplied[..4]), (Size::new(300, 1), &[100, 100, 100, 255][..]));
    }
}
