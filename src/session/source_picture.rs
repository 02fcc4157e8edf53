//! An image file's pixels with smaller copies of themselves, cut into tiles for the screen.
//!
//! A picture of any size shows: level 0 is left out when it would not fit in memory, and what is drawn is
//! always the level whose pixels are about as large as the screen's.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::pictures::Bitmap;
use crate::geometry::{PixelRect, Size};
use crate::import::plan::extension_of;
use crate::pixels::RowDecoder;
use crate::runtime::Picture;

/// Side of a tile in its level's pixels: 1 MiB, a fraction of a frame's time to upload.
pub const TILE_SIDE: u32 = 512;
/// The largest level that is kept, in pixels.
const MAX_LEVEL_PIXELS: u64 = 1 << 26;
/// Smaller copies are made until one fits this side.
const SMALLEST_SIDE: u32 = 256;

static NEXT_SERIAL: AtomicU64 = AtomicU64::new(1);

/// Names a tile of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileKey {
    /// The picture's serial number.
    pub picture: u64,
    /// Its level: the image is `1 << level` times as large.
    pub level: u8,
    /// Tiles to the left of it.
    pub column: u16,
    /// Tiles above it.
    pub row: u16,
}

/// A picture in tiles and smaller levels of itself.
pub trait Tiled: Send + Sync {
    /// A number that no other picture has.
    fn serial(&self) -> u64;

    /// Size of the image in its own pixels.
    fn size(&self) -> Size;

    /// Its levels, the finest first: halves of the image until one is small.
    fn levels(&self) -> RangeInclusive<u8> {
        let longest = self.size().width.max(self.size().height);
        let is_small = |level: &u8| longest.div_ceil(1 << level) <= SMALLEST_SIDE;
        0..=(0..31).find(is_small).unwrap_or_default()
    }

    /// A tile's pixels.
    fn tile(&self, key: TileKey) -> Bitmap;

    /// The level to draw when an image pixel covers `scale` screen pixels.
    fn level_for_scale(&self, scale: f32) -> u8 {
        let wanted = (1.0 / scale.max(f32::MIN_POSITIVE)).log2().floor().max(0.0) as u8;
        wanted.clamp(*self.levels().start(), *self.levels().end())
    }

    /// Size of a level in its own pixels.
    fn level_size(&self, level: u8) -> Size {
        let pixel = 1 << level.clamp(*self.levels().start(), *self.levels().end());
        let Size { width, height } = self.size();
        Size::new(width.div_ceil(pixel), height.div_ceil(pixel))
    }

    /// The left and top edges of a tile in its level's pixels, and its size, which is less at the far edges.
    fn tile_place(&self, key: TileKey) -> (u32, u32, Size) {
        let level = self.level_size(key.level);
        let (left, top) = (u32::from(key.column) * TILE_SIDE, u32::from(key.row) * TILE_SIDE);
        let side = |level: u32, from: u32| level.saturating_sub(from).min(TILE_SIDE);
        (left, top, Size::new(side(level.width, left), side(level.height, top)))
    }
}

/// A number that no other picture has.
pub(super) fn next_serial() -> u64 {
    NEXT_SERIAL.fetch_add(1, Ordering::Relaxed)
}

/// A picture at one of its sizes.
pub(super) struct Level {
    pub(super) size: Size,
    /// Straight RGBA.
    pub(super) rgba: Vec<u8>,
}

/// A picture of an image file.
pub struct SourcePicture {
    serial: u64,
    size: Size,
    first_level: u8,
    levels: Vec<Level>,
}

impl SourcePicture {
    /// Decodes an image file; the reason in words when that fails.
    pub fn load(file: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(file).map_err(|why| format!("cannot be read: {why}"))?;
        let mut decoder = RowDecoder::open(&bytes, extension_of(file)).map_err(|why| why.to_string())?;
        let size = decoder.size();
        let first_level = first_level(size);
        let mut builder = FirstLevel::new(size, first_level);
        let row_bytes = size.width as usize * 4;
        let mut band = vec![0; row_bytes * ((1 << 20) / row_bytes).clamp(1, size.height as usize)];
        loop {
            let rows = decoder.read_rows(&mut band).map_err(|why| why.to_string())?;
            if rows == 0 {
                break;
            }
            builder.take(&band[..rows * row_bytes]);
        }
        let mut levels = vec![builder.finish()];
        while let Some(last) = levels.last()
            && last.size.width.max(last.size.height) > SMALLEST_SIDE
        {
            levels.push(halved(last));
        }
        Ok(Self { serial: next_serial(), size, first_level, levels })
    }

    fn level(&self, level: u8) -> &Level {
        let index = usize::from(level.saturating_sub(self.first_level)).min(self.levels.len() - 1);
        &self.levels[index]
    }

    /// The colour at an image pixel, straight RGBA; `None` outside, and where the image is too large to be kept whole.
    pub fn color_at(&self, x: i64, y: i64) -> Option<[u8; 4]> {
        let is_inside = PixelRect::of_image(self.size).contains(x, y);
        if !is_inside || self.first_level > 0 {
            return None;
        }
        let start = (y as usize * self.size.width as usize + x as usize) * 4;
        self.levels[0].rgba.get(start..start + 4)?.try_into().ok()
    }

    /// All pixels, straight RGBA; `None` where the image is too large to be kept whole.
    pub fn rgba(&self) -> Option<&[u8]> {
        (self.first_level == 0).then(|| self.levels.first().map(|level| &*level.rgba)).flatten()
    }

    /// Whether all of its pixels are kept, not only smaller copies of them.
    pub const fn is_whole(&self) -> bool {
        self.first_level == 0
    }

    /// The pixels of the part of `rect` that is inside; none where the image is too large to be kept whole.
    pub fn part(&self, rect: PixelRect) -> Picture {
        let Some(rect) = rect.clipped_to(self.size).filter(|_| self.is_whole()) else {
            return Picture::default();
        };
        let row_bytes = self.size.width as usize * 4;
        let rows = self.levels[0].rgba.chunks_exact(row_bytes).skip(rect.y as usize);
        let (from, to) = (rect.x as usize * 4, (rect.x + rect.width) as usize * 4);
        let rows = rows.take(rect.height as usize).map(|row| &row[from..to]);
        Picture {
            size: Size::new(rect.width as u32, rect.height as u32),
            rgba: rows.flatten().copied().collect(),
        }
    }

    /// The tiles of a picture that each of its levels has in one; none of a larger picture.
    pub fn small_tiles(&self) -> impl Iterator<Item = TileKey> {
        let is_small = self.size.width.max(self.size.height) <= TILE_SIDE;
        let key = move |level| TileKey { picture: self.serial, level, column: 0, row: 0 };
        self.levels().filter(move |_| is_small).map(key)
    }
}

impl Tiled for SourcePicture {
    fn serial(&self) -> u64 {
        self.serial
    }

    fn size(&self) -> Size {
        self.size
    }

    fn levels(&self) -> RangeInclusive<u8> {
        self.first_level..=self.first_level + self.levels.len() as u8 - 1
    }

    fn tile(&self, key: TileKey) -> Bitmap {
        let level = self.level(key.level);
        let (left, top, size) = self.tile_place(key);
        let mut premultiplied = Vec::with_capacity(size.area() as usize * 4);
        for y in top..top + size.height {
            let start = (y as usize * level.size.width as usize + left as usize) * 4;
            push_premultiplied(&level.rgba[start..start + size.width as usize * 4], &mut premultiplied);
        }
        Bitmap { size, premultiplied }
    }
}

/// Appends straight RGBA as premultiplied RGBA.
pub fn push_premultiplied(rgba: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(rgba);
    premultiply(out.get_mut(start..).unwrap_or_default());
}

/// Makes premultiplied RGBA of straight RGBA.
pub fn premultiply(rgba: &mut [u8]) {
    for [red, green, blue, alpha] in rgba.as_chunks_mut::<4>().0 {
        for channel in [red, green, blue] {
            *channel = ((u32::from(*channel) * u32::from(*alpha) + 127) / 255) as u8;
        }
    }
}

/// How often the image is halved before it is small enough to be kept.
fn first_level(size: Size) -> u8 {
    let mut level = 0;
    while size.area() >> (2 * u32::from(level)) > MAX_LEVEL_PIXELS {
        level += 1;
    }
    level
}

/// Collects rows, averaging blocks of `1 << level` pixels on the way.
struct FirstLevel {
    block: u32,
    image: Size,
    level: Level,
    sums: Vec<[u32; 5]>,
    rows_in_sums: u32,
}

impl FirstLevel {
    fn new(image: Size, level: u8) -> Self {
        let block = 1 << level;
        let size = Size::new(image.width.div_ceil(block), image.height.div_ceil(block));
        let rgba = Vec::with_capacity(size.area() as usize * 4);
        let sums = if block > 1 { vec![[0; 5]; size.width as usize] } else { Vec::new() };
        Self { block, image, level: Level { size, rgba }, sums, rows_in_sums: 0 }
    }

    fn take(&mut self, rows: &[u8]) {
        if self.block == 1 {
            self.level.rgba.extend_from_slice(rows);
            return;
        }
        for row in rows.chunks_exact(self.image.width as usize * 4) {
            for (sum, block) in self.sums.iter_mut().zip(row.chunks(self.block as usize * 4)) {
                block.chunks_exact(4).for_each(|pixel| add(sum, pixel));
            }
            self.rows_in_sums += 1;
            if self.rows_in_sums == self.block {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        for sum in &mut self.sums {
            self.level.rgba.extend(average(sum));
            *sum = [0; 5];
        }
        self.rows_in_sums = 0;
    }

    fn finish(mut self) -> Level {
        if self.rows_in_sums > 0 {
            self.flush();
        }
        self.level
    }
}

/// Adds a pixel: colour weighted by alpha, alpha, and the count.
fn add(sum: &mut [u32; 5], pixel: &[u8]) {
    let alpha = u32::from(pixel[3]);
    for (sum, &channel) in sum.iter_mut().zip(&pixel[..3]) {
        *sum += u32::from(channel) * alpha;
    }
    sum[3] += alpha;
    sum[4] += 1;
}

fn average(sum: &[u32; 5]) -> [u8; 4] {
    let [red, green, blue, alpha, count] = *sum;
    if alpha == 0 || count == 0 {
        return [0; 4];
    }
    let mean = |sum: u32| ((sum + alpha / 2) / alpha) as u8;
    [mean(red), mean(green), mean(blue), ((alpha + count / 2) / count) as u8]
}

/// The picture at half that size: averages in which colours weigh by their alpha.
pub(super) fn halved(level: &Level) -> Level {
    let Level { size: Size { width, height }, rgba } = level;
    let size = Size::new(width.div_ceil(2), height.div_ceil(2));
    let row_bytes = *width as usize * 4;
    let mut out = Vec::with_capacity(size.area() as usize * 4);
    for rows in rgba.chunks(row_bytes * 2) {
        let (upper, lower) = rows.split_at(row_bytes);
        for x in (0..row_bytes).step_by(8) {
            let end = (x + 8).min(row_bytes);
            let mut sum = [0; 5];
            upper[x..end].chunks_exact(4).for_each(|pixel| add(&mut sum, pixel));
            lower
                .get(x..end)
                .into_iter()
                .flat_map(|part| part.chunks_exact(4))
                .for_each(|pixel| add(&mut sum, pixel));
            out.extend(average(&sum));
        }
    }
    Level { size, rgba: out }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(width: u32, height: u32, rgba: &[[u8; 4]]) -> Level {
        Level { size: Size::new(width, height), rgba: rgba.concat() }
    }

    #[test]
    fn halving_weighs_colour_by_alpha_and_keeps_odd_edges() {
        let white = [255, 255, 255, 255];
        let clear_black = [0, 0, 0, 0];
        let half = halved(&level(3, 1, &[white, clear_black, white]));
        assert_eq!(half.size, Size::new(2, 1));
        assert_eq!(half.rgba, [[255, 255, 255, 128], white].concat());
    }

    #[test]
    fn a_picture_too_large_to_keep_starts_smaller() {
        assert_eq!(first_level(Size::new(8192, 8192)), 0);
        assert_eq!(first_level(Size::new(16384, 16384)), 1);
        assert_eq!(first_level(Size::new(1, 30000)), 0);
    }

    #[test]
    fn images_longer_than_any_texture_are_all_there_in_small_tiles() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("long.png");
        // 8193 = 16 x 512 + 1, 20000 = 39 x 512 + 32, 30000 = 58 x 512 + 304.
        for (width, height, columns, rows, last) in [
            (1, 30_000, 1, 59, Size::new(1, 304)),
            (20_000, 16, 40, 1, Size::new(32, 16)),
            (8193, 64, 17, 1, Size::new(1, 64)),
        ] {
            // Red and green say the tile.
            let colour = |x, y| [(x / 512) as u8, (y / 512) as u8, 9, 255];
            let image = image::RgbaImage::from_fn(width, height, |x, y| image::Rgba(colour(x, y)));
            image.save(&file).unwrap();
            let picture = SourcePicture::load(&file).unwrap();
            assert_eq!((picture.size(), picture.level_for_scale(1.0)), (Size::new(width, height), 0));
            let key = |column, row| TileKey { picture: picture.serial(), level: 0, column, row };
            for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
                let tile = picture.tile(key(column, row));
                let is_last = (column, row) == (columns - 1, rows - 1);
                let whole = Size::new(width.min(TILE_SIDE), height.min(TILE_SIDE));
                assert_eq!(tile.size, if is_last { last } else { whole });
                let (pixels, _) = tile.premultiplied.as_chunks::<4>();
                assert!(pixels.iter().all(|pixel| *pixel == [column as u8, row as u8, 9, 255]));
            }
            let far = picture.color_at(i64::from(width) - 1, i64::from(height) - 1);
            assert_eq!(far, Some(colour(width - 1, height - 1)));
        }
    }

    #[test]
    fn blocks_are_averaged_row_by_row_as_they_come() {
        let mut builder = FirstLevel::new(Size::new(3, 3), 1);
        let rows: Vec<u8> = (0..9).flat_map(|i| [i * 10, 0, 0, 255]).collect();
        builder.take(&rows[..12]);
        builder.take(&rows[12..]);
        let level = builder.finish();
        let reds: Vec<u8> = level.rgba.chunks_exact(4).map(|pixel| pixel[0]).collect();
        // (0 + 10 + 30 + 40) / 4, (20 + 50) / 2, (60 + 70) / 2, 80
        assert_eq!(reds, [20, 35, 65, 80]);
    }

    #[test]
    fn premultiplying_rounds_to_nearest() {
        let mut out = Vec::new();
        push_premultiplied(&[255, 128, 1, 128, 9, 9, 9, 0], &mut out);
        assert_eq!(out, [128, 64, 1, 128, 0, 0, 0, 0]);
    }
}
