//! Pixels of an image that few bits cannot tell from the chroma key and that are not it, as a picture to lay over it.

use std::sync::Arc;

use crate::geometry::Size;
use crate::pixels::pack::pack_565;
use crate::session::pictures::Bitmap;
use crate::session::source_picture::{SourcePicture, TileKey, Tiled, next_serial};
use crate::texture::ChromaKey;

/// White where a pixel would be taken for the key by mistake, clear elsewhere.
pub struct KeyMarks {
    serial: u64,
    source: Arc<SourcePicture>,
    key: ChromaKey,
}

impl KeyMarks {
    /// The marks of a key in an image.
    pub fn new(source: Arc<SourcePicture>, key: ChromaKey) -> Self {
        Self { serial: next_serial(), source, key }
    }

    /// Whether they are of that key in that image.
    pub fn is_of(&self, source: &SourcePicture, key: ChromaKey) -> bool {
        self.source.serial() == source.serial() && self.key == key
    }

    /// Whether a pixel, straight RGBA, is in the key's cell and not the key.
    fn is_mistaken(&self, [red, green, blue, alpha]: [u8; 4]) -> bool {
        let [key_red, key_green, key_blue] = self.key.rgb();
        let is_in_cell = pack_565(red, green, blue) == pack_565(key_red, key_green, key_blue);
        alpha > 0 && is_in_cell && [red, green, blue] != self.key.rgb()
    }
}

impl Tiled for KeyMarks {
    fn serial(&self) -> u64 {
        self.serial
    }

    fn size(&self) -> Size {
        self.source.size()
    }

    /// A pixel of a smaller level is marked when any is that it stands for: a single one is to be seen from afar.
    fn tile(&self, key: TileKey) -> Bitmap {
        let image = self.size();
        let (left, top, size) = self.tile_place(key);
        let mut premultiplied = Vec::with_capacity(size.area() as usize * 4);
        for y in top..top + size.height {
            for x in left..left + size.width {
                let block = |at: u32, length: u32| at << key.level..((at + 1) << key.level).min(length);
                let mut pixels = block(y, image.height)
                    .flat_map(|y| block(x, image.width).map(move |x| (i64::from(x), i64::from(y))));
                let is_marked = pixels
                    .any(|(x, y)| self.source.color_at(x, y).is_some_and(|pixel| self.is_mistaken(pixel)));
                premultiplied.extend([if is_marked { u8::MAX } else { 0 }; 4]);
            }
        }
        Bitmap { size, premultiplied }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_like_the_key_in_16_bits_and_is_not_it_is_marked_from_afar_too() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.png");
        let key = ChromaKey::from([255, 0, 255]);
        // The key, one of its cell, one beside it, one that is not seen.
        let colours = [[255, 0, 255, 255], [248, 3, 250, 255], [247, 0, 255, 255], [248, 3, 250, 0]];
        let image = image::RgbaImage::from_fn(600, 1, |x, _| {
            image::Rgba(colours.get(x as usize).copied().unwrap_or([0, 0, 0, 255]))
        });
        image.save(&file).unwrap();
        let marks = KeyMarks::new(Arc::new(SourcePicture::load(&file).unwrap()), key);
        let tile = |level| {
            let key = TileKey { picture: marks.serial(), level, column: 0, row: 0 };
            let Bitmap { premultiplied, .. } = marks.tile(key);
            premultiplied.as_chunks::<4>().0.iter().map(|pixel| pixel[3] > 0).collect::<Vec<_>>()
        };
        assert_eq!(tile(0)[..5], [false, true, false, false, false]);
        assert_eq!(tile(1)[..3], [true, false, false]);
        assert!(tile(2)[0] && !tile(2)[1]);
    }
}
