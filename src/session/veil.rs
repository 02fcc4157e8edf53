//! Which pixels of an image are background by their colour, as a picture to lay over it: white where they are, clear
//! elsewhere. Its tiles are made one by one from the planes that detection has anyway, so that one that is not looked
//! at costs nothing.

use std::sync::Arc;

use super::pictures::Bitmap;
use super::source_picture::{TileKey, Tiled, next_serial};
use crate::geometry::Size;
use crate::slicing::ink::{InkPlanes, InkRule};

/// The background of an image by some rule.
pub struct Veil {
    serial: u64,
    planes: Arc<InkPlanes>,
    rule: InkRule,
}

impl Veil {
    /// The background that colours tell. `None` without such colours: what alpha tells can be seen as it is.
    pub(super) fn over(planes: &Arc<InkPlanes>, rule: InkRule) -> Option<Self> {
        let is_by_colour = planes.has_background_colours();
        is_by_colour.then(|| Self { serial: next_serial(), planes: planes.clone(), rule })
    }
}

impl Tiled for Veil {
    fn serial(&self) -> u64 {
        self.serial
    }

    fn size(&self) -> Size {
        self.planes.size()
    }

    /// A pixel of a smaller level is as white as the share of background in what it stands for.
    fn tile(&self, key: TileKey) -> Bitmap {
        let image = self.size();
        let side = 1_u32 << key.level;
        let (left, top, Size { width, height }) = self.tile_place(key);
        let left_in_image = left * side;
        let mut marks =
            vec![0; ((left + width) * side).min(image.width).saturating_sub(left_in_image) as usize];
        let mut counts = vec![0; width as usize];
        let mut premultiplied = Vec::with_capacity(width as usize * height as usize * 4);
        for y in top..top + height {
            let rows = y * side..((y + 1) * side).min(image.height);
            counts.fill(0);
            for row in rows.clone() {
                self.planes.mark_background(left_in_image, row, self.rule, &mut marks);
                count_in_blocks(&marks, side as usize, &mut counts);
            }
            let blocks = marks.chunks(side as usize);
            for (count, block) in counts.iter().zip(blocks) {
                premultiplied.extend([share(*count, block.len() as u32 * rows.len() as u32); 4]);
            }
        }
        Bitmap { size: Size::new(width, height), premultiplied }
    }
}

/// Adds up the marks of each block of `side` pixels.
fn count_in_blocks(marks: &[u8], side: usize, counts: &mut [u32]) {
    for (count, block) in counts.iter_mut().zip(marks.chunks(side)) {
        *count += block.iter().map(|mark| u32::from(*mark)).sum::<u32>();
    }
}

/// From 0 to 255.
fn share(count: u32, of: u32) -> u8 {
    let of = u64::from(of.max(1));
    ((u64::from(count) * 255 + of / 2) / of) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slicing::ink::InkBuilder;

    const PINK: [u8; 4] = [255, 0, 255, 255];
    const NEAR: [u8; 4] = [250, 0, 255, 255];
    const INK: [u8; 4] = [0, 0, 0, 255];

    fn veil(size: Size, rgba: &[[u8; 4]], tolerance: u8) -> Veil {
        let mut builder = InkBuilder::new(size, &[[255, 0, 255]]);
        builder.push_rows(rgba.as_flattened());
        let rule = InkRule { tolerance, ..InkRule::default() };
        Veil::over(&Arc::new(builder.finish()), rule).unwrap()
    }

    /// The alpha of each pixel of a tile, after a look at its colour.
    fn veiled(veil: &Veil, level: u8, column: u16, row: u16) -> (Size, Vec<u8>) {
        let Bitmap { size, premultiplied } =
            veil.tile(TileKey { picture: veil.serial(), level, column, row });
        let (pixels, _) = premultiplied.as_chunks::<4>();
        assert!(pixels.iter().all(|[red, green, blue, alpha]| [red, green, blue] == [alpha; 3]), "white");
        (size, pixels.iter().map(|pixel| pixel[3]).collect())
    }

    #[test]
    fn exactly_the_pixels_within_the_tolerance_are_veiled() {
        let rgba = [PINK, INK, NEAR, INK, PINK, INK];
        let size = Size::new(3, 2);
        let all = |tolerance| veiled(&veil(size, &rgba, tolerance), 0, 0, 0);
        assert_eq!(all(5), (size, vec![255, 0, 255, 0, 255, 0]));
        assert_eq!(all(4), (size, vec![255, 0, 0, 0, 255, 0]));
    }

    #[test]
    fn without_a_background_colour_nothing_is_veiled() {
        let mut builder = InkBuilder::new(Size::new(1, 2), &[]);
        builder.push_rows(&[[0; 4], INK].concat());
        assert!(Veil::over(&Arc::new(builder.finish()), InkRule::default()).is_none());
    }

    #[test]
    fn a_smaller_level_is_veiled_by_its_share_of_background() {
        // 513 x 3: ink in the whole first row and in the last column.
        let size = Size::new(513, 3);
        let pixel = |index: u32| if index < 513 || index % 513 == 512 { INK } else { PINK };
        let rgba: Vec<_> = (0..513 * 3).map(pixel).collect();
        let veil = veil(size, &rgba, 0);
        assert_eq!(veil.levels(), 0..=2, "129 pixels are few enough");
        assert_eq!(veiled(&veil, 0, 1, 0), (Size::new(1, 3), vec![0, 0, 0]));
        let (half, alpha) = veiled(&veil, 1, 0, 0);
        assert_eq!(half, Size::new(257, 2));
        assert_eq!((alpha[0], alpha[256]), (128, 0), "two of four, none of two");
        assert_eq!((alpha[257], alpha[513]), (255, 0), "the last row stands for one row of pixels");
    }
}
