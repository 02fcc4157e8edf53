//! Whole-pixel sizes, points and rectangles, and the rule that maps edges to a smaller stored size.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Size {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

impl Size {
    /// A size of `width` by `height` pixels.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// Number of pixels; never wraps.
    pub const fn area(self) -> u64 {
        self.width as u64 * self.height as u64
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.width, self.height)
    }
}

/// A pair of pixel distances, one per axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Offset {
    /// Pixels to the right.
    pub x: i32,
    /// Pixels down.
    pub y: i32,
}

impl Offset {
    /// `x` pixels right and `y` pixels down.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

/// A rectangle of whole pixels, right and bottom edges exclusive. What a file says may be negative,
/// empty or outside any image, so nothing here assumes otherwise; arithmetic is done in 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct PixelRect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
}

impl PixelRect {
    /// A rectangle from its top left corner and its size.
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }

    /// The whole of an image.
    pub fn of_image(size: Size) -> Self {
        Self::new(0, 0, clamp_to_i32(i64::from(size.width)), clamp_to_i32(i64::from(size.height)))
    }

    /// Exclusive right edge.
    pub const fn right(self) -> i64 {
        self.x as i64 + self.width as i64
    }

    /// Exclusive bottom edge.
    pub const fn bottom(self) -> i64 {
        self.y as i64 + self.height as i64
    }

    /// Whether it has no pixels (zero or negative size).
    pub const fn is_empty(self) -> bool {
        self.width <= 0 || self.height <= 0
    }

    /// Whether every pixel of it is a pixel of the image.
    pub fn is_inside(self, image: Size) -> bool {
        !self.is_empty()
            && self.x >= 0
            && self.y >= 0
            && self.right() <= i64::from(image.width)
            && self.bottom() <= i64::from(image.height)
    }

    /// The part inside the image, `None` when no pixel is.
    pub fn clipped_to(self, image: Size) -> Option<Self> {
        self.intersection(Self::of_image(image))
    }

    /// The pixels that both have, `None` when there are none.
    pub fn intersection(self, other: Self) -> Option<Self> {
        if self.is_empty() || other.is_empty() {
            return None;
        }
        let x = self.x.max(other.x);
        let y = self.y.max(other.y);
        let width = self.right().min(other.right()) - i64::from(x);
        let height = self.bottom().min(other.bottom()) - i64::from(y);
        (width > 0 && height > 0).then(|| Self::new(x, y, width as i32, height as i32))
    }

    /// The smallest rectangle with all pixels of both, as far as 32 bits reach.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let width = self.right().max(other.right()) - i64::from(x);
        let height = self.bottom().max(other.bottom()) - i64::from(y);
        Self::new(x, y, clamp_to_i32(width), clamp_to_i32(height))
    }

    /// Whether the pixel at `x`, `y` belongs to it.
    pub fn contains(self, x: i64, y: i64) -> bool {
        x >= i64::from(self.x) && y >= i64::from(self.y) && x < self.right() && y < self.bottom()
    }
}

impl fmt::Display for PixelRect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {} at {}, {}", self.width, self.height, self.x, self.y)
    }
}

fn clamp_to_i32(v: i64) -> i32 {
    v.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// Maps the edge `v` from image pixels to stored pixels: `round(v x stored / image)`, halves up for
/// `v >= 0`, in 64-bit integers with the loader's truncating division. The identity when the sizes
/// are equal or the image size is not positive.
pub const fn map_edge(v: i64, image: i64, stored: i64) -> i64 {
    if image <= 0 || image == stored {
        return v;
    }
    (2 * v * stored + image) / (2 * image)
}

/// Maps edges and rectangles of one image to the size that it is stored at, as [`map_edge`] does. For rectangles that
/// have to do with the image; what a file may hold beyond 32 bits is the loader's to limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToStored {
    /// Size of the image.
    pub image: Size,
    /// Size of what is stored of it.
    pub stored: Size,
}

impl ToStored {
    /// A vertical edge, from image pixels to stored pixels.
    pub fn x(self, x_in_image: i64) -> i64 {
        map_edge(x_in_image, self.image.width.into(), self.stored.width.into())
    }

    /// A horizontal edge, from image pixels to stored pixels.
    pub fn y(self, y_in_image: i64) -> i64 {
        map_edge(y_in_image, self.image.height.into(), self.stored.height.into())
    }

    /// Where a rectangle goes, in stored pixels; empty where its edges come to the same place.
    pub fn rect(self, rect_in_image: PixelRect) -> PixelRect {
        let (left, top) = (self.x(rect_in_image.x.into()), self.y(rect_in_image.y.into()));
        let (right, bottom) = (self.x(rect_in_image.right()), self.y(rect_in_image.bottom()));
        PixelRect::new(left as i32, top as i32, (right - left) as i32, (bottom - top) as i32)
    }

    /// What the engine draws of a rectangle, in stored pixels: at least a pixel each way.
    pub fn drawn(self, rect_in_image: PixelRect) -> PixelRect {
        let PixelRect { x, y, width, height } = self.rect(rect_in_image);
        PixelRect::new(x, y, width.max(1), height.max(1))
    }
}

/// The size at which an image is stored: its longer side is `max_size`, the other in proportion, halves up, and at least
/// 1. Never larger than the image.
pub fn stored_size(image: Size, max_size: Option<u32>) -> Size {
    let longer = image.width.max(image.height);
    let Some(max_size) = max_size.filter(|max_size| *max_size < longer) else { return image };
    let side = |side: u32| map_edge(side.into(), longer.into(), max_size.into()).max(1) as u32;
    Size::new(side(image.width), side(image.height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_side_becomes_max_size_and_nothing_is_enlarged() {
        let stored = |width, height, max| {
            let Size { width, height } = stored_size(Size::new(width, height), max);
            (width, height)
        };
        assert_eq!(stored(300, 200, Some(128)), (128, 85), "85.33");
        assert_eq!(stored(200, 300, Some(128)), (85, 128));
        assert_eq!(stored(4, 3, Some(2)), (2, 2), "1.5 is rounded up");
        assert_eq!(stored(1000, 1, Some(10)), (10, 1), "never nothing");
        assert_eq!(stored(300, 200, Some(300)), (300, 200));
        assert_eq!(stored(300, 200, Some(4096)), (300, 200));
        assert_eq!(stored(300, 200, None), (300, 200));
    }

    #[test]
    fn edges_of_the_300_by_200_example_round_halves_up() {
        let xs: Vec<_> = [0, 100, 200, 300].map(|v| map_edge(v, 300, 128)).into();
        assert_eq!(xs, [0, 43, 85, 128]);
        let ys: Vec<_> = [0, 100, 200].map(|v| map_edge(v, 200, 85)).into();
        assert_eq!(ys, [0, 43, 85]);
    }

    #[test]
    fn negative_edges_truncate_toward_zero_as_the_loader_does() {
        // (2 * -3 * 1 + 2) / 4 = -4 / 4 = -1; (2 * -1 * 1 + 2) / 4 = 0
        assert_eq!(map_edge(-3, 2, 1), -1);
        assert_eq!(map_edge(-1, 2, 1), 0);
    }

    #[test]
    fn extreme_rectangles_neither_wrap_nor_pass_for_inside() {
        let image = Size::new(64, 32);
        let huge = PixelRect::new(i32::MAX, i32::MAX, i32::MAX, i32::MAX);
        assert!(!huge.is_inside(image));
        assert_eq!(huge.clipped_to(image), None);
        let lowest = PixelRect::new(i32::MIN, i32::MIN, i32::MIN, i32::MIN);
        assert!(lowest.is_empty());
        assert_eq!(lowest.clipped_to(image), None);
    }

    #[test]
    fn clipping_keeps_only_the_part_inside() {
        let clipped = PixelRect::new(-4, -4, 12, 12).clipped_to(Size::new(8, 8));
        assert_eq!(clipped, Some(PixelRect::new(0, 0, 8, 8)));
        assert_eq!(PixelRect::new(8, 0, 4, 4).clipped_to(Size::new(8, 8)), None);
    }
}
