//! Finding the sprites of a sheet by its ink, in two stages. Labelling looks at every pixel and is kept for as
//! long as the [`InkRule`](super::ink::InkRule) stays; merging, dropping and ordering look at boxes only, so a slider can
//! drive them.
//!
//! [`islands`] (or [`label_rows`] per band of rows and [`join`], where bands run side by side) is the first stage,
//! [`detect`] the second. An opaque image needs its background colours first: [`BackgroundBuilder`].

mod background;
mod fill;
mod islands;
mod labels;
mod merging;
mod order;
mod row_bits;
mod wand;

pub use background::{Background, BackgroundBuilder};
pub use islands::{Band, Island, Islands, islands, join, label_rows};
pub use order::rows;
pub use wand::wand;

use crate::geometry::PixelRect;
use crate::model::Merge;

/// A box with the ink that is in its islands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sprite {
    /// The smallest rectangle around its islands, in image pixels.
    pub rect: PixelRect,
    /// Ink pixels.
    pub ink_area: u64,
    /// Number of islands.
    pub parts: u32,
}

/// What the second stage makes of the islands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Detection {
    /// Sprites in reading order.
    pub sprites: Vec<Sprite>,
    /// Boxes of the islands that are only a part of their sprite's box, in the order of the islands.
    pub merged: Vec<PixelRect>,
    /// Sprites with too little ink, in the order of their first islands.
    pub dropped: Vec<Sprite>,
}

/// Merges the islands' boxes, drops those with less than `min_area` ink pixels and puts the rest in reading order:
/// [`rows`] from the top, each from the left.
pub fn detect(islands: &Islands, min_area: u32, merge: Merge) -> Detection {
    let groups = merging::merge(islands.all(), merge);
    let is_kept = |sprite: &Sprite| sprite.ink_area >= u64::from(min_area);
    let merged = islands.all().iter().zip(&groups.sprite_of_island).filter_map(|(island, sprite)| {
        let sprite = &groups.sprites[*sprite as usize];
        (is_kept(sprite) && sprite.rect != island.rect).then_some(island.rect)
    });
    let merged = merged.collect();
    let (kept, dropped): (Vec<_>, Vec<_>) = groups.sprites.into_iter().partition(is_kept);
    let rects: Vec<_> = kept.iter().map(|sprite| sprite.rect).collect();
    let sprites = rows(&rects).into_iter().flatten().map(|index| kept[index]).collect();
    Detection { sprites, merged, dropped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use crate::slicing::ink::{InkBuilder, InkPlanes, InkRule};

    const RED: [u8; 4] = [255, 0, 0, 255];

    fn sheet(size: Size, ground: [u8; 4], blocks: &[(PixelRect, [u8; 4])]) -> Vec<u8> {
        let mut rgba = vec![ground; size.area() as usize];
        for (rect, colour) in blocks {
            for y in rect.y..rect.bottom() as i32 {
                for x in rect.x..rect.right() as i32 {
                    rgba[y as usize * size.width as usize + x as usize] = *colour;
                }
            }
        }
        rgba.into_flattened()
    }

    fn planes(size: Size, backgrounds: &[[u8; 3]], rgba: &[u8]) -> InkPlanes {
        let mut builder = InkBuilder::new(size, backgrounds);
        builder.push_rows(rgba);
        builder.finish()
    }

    fn rects(detection: &Detection) -> Vec<PixelRect> {
        detection.sprites.iter().map(|sprite| sprite.rect).collect()
    }

    #[test]
    fn a_box_ends_behind_the_last_pixel_of_its_block() {
        let size = Size::new(16, 16);
        let block = PixelRect::new(3, 2, 4, 8);
        let planes = planes(size, &[], &sheet(size, [0; 4], &[(block, RED)]));
        let found = detect(&islands(&planes, InkRule::default()), 1, Merge::Overlap);
        assert_eq!(found.sprites, [Sprite { rect: block, ink_area: 32, parts: 1 }]);
        assert_eq!((found.merged.len(), found.dropped.len()), (0, 0));
    }

    #[test]
    fn faint_specks_are_sprites_at_threshold_0_only() {
        let size = Size::new(64, 64);
        let mut blocks = vec![(PixelRect::new(4, 30, 8, 8), RED), (PixelRect::new(32, 30, 8, 8), RED)];
        blocks.extend((0..12).map(|n| (PixelRect::new(n * 5 + 1, n % 3 * 4 + 2, 1, 1), [9, 9, 9, 1])));
        let planes = planes(size, &[], &sheet(size, [0; 4], &blocks));
        let at = |alpha_threshold| {
            let rule = InkRule { alpha_threshold, ..InkRule::default() };
            detect(&islands(&planes, rule), 1, Merge::default())
        };
        assert_eq!(at(0).sprites.len(), 14);
        assert_eq!(rects(&at(8)), [blocks[0].0, blocks[1].0]);
    }

    #[test]
    fn an_opaque_sheet_is_cut_by_its_background() {
        let size = Size::new(40, 20);
        let magenta = [255, 0, 255, 255];
        let blocks = [(2, 3, 6, 9), (15, 0, 5, 20), (30, 8, 10, 4)]
            .map(|(x, y, width, height)| (PixelRect::new(x, y, width, height), RED));
        let rgba = sheet(size, magenta, &blocks);
        let mut builder = BackgroundBuilder::new(size, 8);
        builder.push_rows(&rgba);
        let background = builder.finish();
        assert_eq!(background.colours, [[255, 0, 255]]);
        let without = islands(&planes(size, &[], &rgba), InkRule::default());
        assert_eq!(rects(&detect(&without, 1, Merge::Overlap)), [PixelRect::of_image(size)]);
        let with = islands(&planes(size, &background.colours, &rgba), InkRule::default());
        assert_eq!(rects(&detect(&with, 1, Merge::Overlap)), blocks.map(|(rect, _)| rect));
    }

    #[test]
    fn a_background_that_varies_a_little_is_found_and_left_out() {
        // Every channel is up to 2 off, each in a way of its own.
        let size = Size::new(60, 30);
        let ground = [100, 150, 200, 255];
        let blocks = [(4, 5), (26, 12), (48, 3)].map(|(x, y)| (PixelRect::new(x, y, 8, 8), RED));
        let mut rgba = sheet(size, ground, &blocks);
        for (index, pixel) in rgba.chunks_exact_mut(4).enumerate().filter(|(_, pixel)| **pixel == ground) {
            for (channel, step) in [7, 11, 13].into_iter().enumerate() {
                pixel[channel] = pixel[channel] - 2 + (index * step / 3 % 5) as u8;
            }
        }
        let mut builder = BackgroundBuilder::new(size, 8);
        builder.push_rows(&rgba);
        let background = builder.finish();
        assert_eq!(background.colours.len(), 1);
        let islands = islands(&planes(size, &background.colours, &rgba), InkRule::default());
        assert_eq!(rects(&detect(&islands, 1, Merge::Overlap)), blocks.map(|(rect, _)| rect));
    }

    #[test]
    fn what_is_merged_and_what_is_dropped_is_told() {
        let size = Size::new(32, 8);
        // An L of 6 + 5 pixels whose box has the block of 4 inside, a pair, and a block.
        let blocks = [(0, 0, 1, 6), (0, 5, 6, 1), (3, 1, 2, 2), (12, 0, 2, 1), (20, 0, 3, 3)]
            .map(|(x, y, width, height)| (PixelRect::new(x, y, width, height), RED));
        let planes = planes(size, &[], &sheet(size, [0; 4], &blocks));
        let islands = islands(&planes, InkRule::default());
        let found = detect(&islands, 3, Merge::Overlap);
        let angle = Sprite { rect: PixelRect::new(0, 0, 6, 6), ink_area: 6 + 5 + 4, parts: 2 };
        let block = Sprite { rect: PixelRect::new(20, 0, 3, 3), ink_area: 9, parts: 1 };
        assert_eq!(found.sprites, [angle, block]);
        assert_eq!(found.merged, [PixelRect::new(3, 1, 2, 2)]);
        assert_eq!(found.dropped, [Sprite { rect: PixelRect::new(12, 0, 2, 1), ink_area: 2, parts: 1 }]);
        assert_eq!(detect(&islands, 1, Merge::None).sprites.len(), 4);
        // 6 pixels between the angle and the pair, 6 between the pair and the block.
        assert_eq!(detect(&islands, 1, Merge::Gap(5)).sprites.len(), 3);
        let all = detect(&islands, 1, Merge::Gap(6));
        assert_eq!(all.sprites, [Sprite { rect: PixelRect::new(0, 0, 23, 6), ink_area: 26, parts: 4 }]);
        assert_eq!(all.merged.len(), 4);
    }

    #[test]
    fn a_hundred_thousand_sprites_are_found_and_merged() {
        // Dots at every third pixel, 317 x 317.
        let size = Size::new(951, 951);
        let mut rgba = vec![[0_u8; 4]; size.area() as usize];
        for y in (0..951).step_by(3) {
            for x in (0..951).step_by(3) {
                rgba[y * 951 + x] = RED;
            }
        }
        let islands = islands(&planes(size, &[], rgba.as_flattened()), InkRule::default());
        let apart = detect(&islands, 1, Merge::Gap(1));
        assert_eq!(apart.sprites.len(), 317 * 317);
        assert_eq!(apart.sprites[318].rect, PixelRect::new(3, 3, 1, 1));
        let whole = detect(&islands, 1, Merge::Gap(2));
        assert_eq!(rects(&whole), [PixelRect::new(0, 0, 949, 949)]);
        assert_eq!(detect(&islands, 2, Merge::Overlap).dropped.len(), 317 * 317);
    }
}
