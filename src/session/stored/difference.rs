//! How far a stored picture is from its image: in numbers, and as a picture to lay over it.

use std::sync::Arc;

use super::picture::{StoredPicture, stored_place};
use crate::geometry::{PixelRect, Size};
use crate::session::pictures::Bitmap;
use crate::session::source_picture::{
    Level, SourcePicture, TILE_SIDE, TileKey, Tiled, halved, next_serial, premultiply,
};

/// How large differences are, over all pixels of an image: the largest that a channel has, from 0 to 255, of colours as
/// they show, which is times their alpha.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Error {
    /// Of the pixel that has the largest.
    pub worst: u8,
    /// On average.
    pub mean: f64,
}

impl Error {
    /// Between an image, straight RGBA, and what is stored of it.
    pub(super) fn between(image: Size, rgba: &[u8], stored: &StoredPicture) -> Self {
        let (mut worst, mut sum) = (0, 0_u64);
        let mut rows = StoredRows::of(stored);
        for (y, row) in (0_u64..).zip(rgba.chunks_exact(image.width.max(1) as usize * 4)) {
            let of = rows.at(stored_place(y, stored.size().height, image.height));
            for (x, pixel) in (0_u64..).zip(row.as_chunks::<4>().0) {
                let shown = of.get(stored_place(x, stored.size().width, image.width) as usize);
                let difference = difference(*pixel, shown.copied().unwrap_or_default());
                worst = worst.max(difference);
                sum += u64::from(difference);
            }
        }
        Self { worst, mean: sum as f64 / (image.area() as f64).max(1.0) }
    }
}

/// Rows of a stored picture as they show, the last one kept.
struct StoredRows<'a> {
    stored: &'a StoredPicture,
    row: Option<u32>,
    pixels: Vec<[u8; 4]>,
}

impl<'a> StoredRows<'a> {
    fn of(stored: &'a StoredPicture) -> Self {
        Self { stored, row: None, pixels: Vec::new() }
    }

    fn at(&mut self, row: u32) -> &[[u8; 4]] {
        if self.row != Some(row) {
            self.row = Some(row);
            let rect = PixelRect::new(0, row as i32, self.stored.size().width as i32, 1);
            let (_, rgba) = self.stored.texture().decode_rect(rect);
            self.pixels = rgba.as_chunks::<4>().0.to_vec();
        }
        &self.pixels
    }
}

/// The largest difference of a channel between two colours, straight RGBA, as they show.
fn difference(a: [u8; 4], b: [u8; 4]) -> u8 {
    if a == b {
        return 0;
    }
    let shown = |[red, green, blue, alpha]: [u8; 4]| {
        let times = |channel: u8| ((u32::from(channel) * u32::from(alpha) + 127) / 255) as u8;
        [times(red), times(green), times(blue), alpha]
    };
    let channels = shown(a).into_iter().zip(shown(b));
    channels.map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
}

/// The differences of every image pixel, as a picture of the image's size: clear where there is none, then from blue over
/// red to white.
pub struct HeatMap {
    serial: u64,
    source: Arc<SourcePicture>,
    stored: Arc<StoredPicture>,
}

impl HeatMap {
    /// The differences between an image and what is stored of it.
    pub fn new(source: Arc<SourcePicture>, stored: Arc<StoredPicture>) -> Self {
        Self { serial: next_serial(), source, stored }
    }

    /// Whether it is of these two.
    pub fn is_of(&self, source: &SourcePicture, stored: &StoredPicture) -> bool {
        self.source.serial() == source.serial() && self.stored.serial() == stored.serial()
    }
}

impl Tiled for HeatMap {
    fn serial(&self) -> u64 {
        self.serial
    }

    fn size(&self) -> Size {
        self.source.size()
    }

    fn tile(&self, key: TileKey) -> Bitmap {
        let image = self.size();
        let side = u64::from(TILE_SIDE) << key.level;
        let part = |number: u16, length: u32| {
            let from = u64::from(number) * side;
            from..(from + side).min(length.into()).max(from)
        };
        let (columns, rows) = (part(key.column, image.width), part(key.row, image.height));
        let size = Size::new((columns.end - columns.start) as u32, (rows.end - rows.start) as u32);
        let mut heats = Vec::with_capacity(size.area() as usize * 4);
        let mut stored = StoredRows::of(&self.stored);
        for y in rows {
            let of = stored.at(stored_place(y, self.stored.size().height, image.height));
            for x in columns.clone() {
                let shown = of.get(stored_place(x, self.stored.size().width, image.width) as usize);
                let source = self.source.color_at(x as i64, y as i64).unwrap_or_default();
                heats.extend(heat(difference(source, shown.copied().unwrap_or_default())));
            }
        }
        let mut level = Level { size, rgba: heats };
        for _ in 0..key.level {
            level = halved(&level);
        }
        premultiply(&mut level.rgba);
        Bitmap { size: level.size, premultiplied: level.rgba }
    }
}

/// The colour of a difference, straight RGBA. Small ones are most of what there is, so that the scale is finest there.
fn heat(difference: u8) -> [u8; 4] {
    if difference == 0 {
        return [0; 4];
    }
    // Full at 96: what is beyond is wrong anyway. What 5, 6 and 5 bits lose, which is up to 7, stays cool.
    let strength = (f32::from(difference) / 96.0).min(1.0).powf(0.75);
    let stops = [[40.0, 60.0, 200.0], [210.0, 40.0, 60.0], [255.0, 190.0, 60.0], [255.0, 255.0, 255.0]];
    let place = strength * 3.0;
    let first = (place as usize).min(2);
    let share = place - first as f32;
    let mix = |channel: usize| {
        let [from, to] = [stops[first][channel], stops[first + 1][channel]];
        (from + (to - from) * share).round() as u8
    };
    [mix(0), mix(1), mix(2), (60.0 + 170.0 * strength) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_makes_no_difference() {
        assert_eq!(difference([10, 20, 30, 0], [200, 200, 200, 0]), 0);
        assert_eq!(difference([10, 20, 30, 255], [12, 20, 25, 255]), 5);
        assert_eq!(difference([255, 255, 255, 255], [255, 255, 255, 128]), 127);
        // 100 of half alpha shows as 50.
        assert_eq!(difference([100, 0, 0, 128], [0, 0, 0, 128]), 50);
    }

    #[test]
    fn heat_is_clear_without_difference_and_grows_with_it() {
        assert_eq!(heat(0), [0; 4]);
        let strengths: Vec<u8> = [1, 4, 16, 64, 255].map(|it| heat(it)[3]).into();
        assert!(strengths.is_sorted(), "{strengths:?}");
        assert_eq!(heat(96), [255, 255, 255, 230]);
        assert_eq!(heat(255), heat(96));
    }
}
