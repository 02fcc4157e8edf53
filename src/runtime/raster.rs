//! The reference picture of a scene, drawn without a graphics card: the nearest pixel of each picture, over what is
//! behind it.

use std::sync::Arc;

use super::picture::{Picture, PictureKey};
use super::scene::Item;
use super::texture::PIXELS_PER_METER;
use crate::geometry::Size;
use crate::model::scene::Color;
use crate::model::scene::{Affine, Point};

/// Pixels of the largest picture that is drawn: 256 MiB.
pub const MAX_PIXELS: u64 = 1 << 26;

/// How far up and to the left of a pixel's centre it looks, in pixels. An edge that runs through centres, as those of a
/// sprite of odd size in the middle do, would fall to either side by rounding; this way it falls as in the engine, which
/// begins a sprite at `place - floor(size / 2)`.
const HAIR: f64 = 1.0 / 1024.0;

/// The scene's picture would be too large to be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("A scene of {0} pixels is too large to be drawn. Make it smaller.")]
pub struct TooLarge(pub Size);

/// From the world to pixels of a scene's picture of that size, y down: 16 pixels are a metre, and the world's origin is
/// in the middle.
pub fn world_to_pixels(size: Size) -> Affine {
    let pixels_per_metre = f64::from(PIXELS_PER_METER);
    Affine {
        along_x: Point::new(pixels_per_metre, 0.0),
        along_y: Point::new(0.0, -pixels_per_metre),
        origin: Point::new(f64::from(size.width) / 2.0, f64::from(size.height) / 2.0),
    }
}

/// Draws items in their order over a clear colour. A picture that `pictures` does not have is left out.
pub fn render(
    size: Size,
    clear: Color,
    items: &[Item],
    pictures: &dyn Fn(&PictureKey) -> Option<Arc<Picture>>,
) -> Result<Picture, TooLarge> {
    if size.area() > MAX_PIXELS {
        return Err(TooLarge(size));
    }
    let mut canvas = Picture { size, rgba: clear.0.repeat(size.area() as usize) };
    for item in items {
        if let Some(picture) = item.picture.as_ref().and_then(pictures) {
            draw(&mut canvas, item, &picture);
        }
    }
    Ok(canvas)
}

fn draw(canvas: &mut Picture, item: &Item, picture: &Picture) {
    let to_pixels = world_to_pixels(canvas.size);
    let corners = item.corners.map(|corner| to_pixels.apply(corner));
    let Some(place_of) = unflipped(corners, item).inverse() else { return };
    let (width, height) = (f64::from(picture.size.width), f64::from(picture.size.height));
    let range = |side: fn(&Point) -> f64, limit: u32| {
        let from = corners.iter().map(side).fold(f64::INFINITY, f64::min).floor().max(0.0) as usize;
        let to = corners.iter().map(side).fold(f64::NEG_INFINITY, f64::max).ceil().max(0.0) as usize;
        from..(to.saturating_add(1)).min(limit as usize)
    };
    let (columns, rows) = (range(|p| p.x, canvas.size.width), range(|p| p.y, canvas.size.height));
    let across = canvas.size.width as usize;
    let (pixels, _) = picture.rgba.as_chunks::<4>();
    let (canvas, _) = canvas.rgba.as_chunks_mut::<4>();
    for y in rows {
        for x in columns.clone() {
            let centre = Point::new(x as f64 + 0.5 - HAIR, y as f64 + 0.5 - HAIR);
            let place = place_of.apply(centre);
            let (column, row) = ((place.x * width).floor(), (place.y * height).floor());
            if column < 0.0 || column >= width || row < 0.0 || row >= height {
                continue;
            }
            let (mut column, mut row) = (column as usize, row as usize);
            if item.flip_horizontal {
                column = picture.size.width as usize - 1 - column;
            }
            if item.flip_vertical {
                row = picture.size.height as usize - 1 - row;
            }
            let Some(drawn) = pixels.get(row * picture.size.width as usize + column) else { continue };
            let under = &mut canvas[y * across + x];
            *under = over(tinted(*drawn, item), *under);
        }
    }
}

/// The item's map as if it were not mirrored. A mirrored sprite covers the same pixels, so it is mirrored while its
/// picture is read.
fn unflipped([mut a, mut b, mut c, mut d]: [Point; 4], item: &Item) -> Affine {
    if item.flip_horizontal {
        (a, b, c, d) = (b, a, d, c);
    }
    if item.flip_vertical {
        (a, b, d) = (d, c, a);
    }
    Affine::of_corners(a, b, d)
}

/// Each channel times that of the tint, `floor(x / 255)` as in the engine.
fn tinted([red, green, blue, alpha]: [u8; 4], item: &Item) -> [u8; 4] {
    // The chroma key is not there, in whatever format.
    let alpha = if item.has_alpha || alpha == 0 { alpha } else { 255 };
    let mut pixel = [red, green, blue, alpha];
    for (channel, tint) in pixel.iter_mut().zip(item.tint.0) {
        *channel = (u32::from(*channel) * u32::from(tint) / 255) as u8;
    }
    pixel
}

/// Source over, in straight alpha: colours weigh by their share of what is seen, and every division is rounded down.
/// Over an opaque pixel that is the engine's `floor((source x alpha + under x (255 - alpha)) / 255)`.
fn over(source: [u8; 4], under: [u8; 4]) -> [u8; 4] {
    let [.., alpha] = source.map(u32::from);
    let [.., under_alpha] = under.map(u32::from);
    match alpha {
        255 => return source,
        0 => return under,
        _ => {}
    }
    let (weight, under_weight) = (alpha * 255, under_alpha * (255 - alpha));
    let mut mixed = [(alpha + under_weight / 255) as u8; 4];
    for ((mixed, source), under) in mixed.iter_mut().zip(source).zip(under).take(3) {
        let sum = u32::from(source) * weight + u32::from(under) * under_weight;
        *mixed = (sum / (weight + under_weight)) as u8;
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_opaque_pixels_it_is_the_engines_rule() {
        // (200 x 128 + 10 x 127) / 255 = 105.4; 128 + 127 = 255.
        assert_eq!(over([200, 0, 255, 128], [10, 255, 255, 255]), [105, 127, 255, 255]);
        assert_eq!(over([1, 2, 3, 255], [9; 4]), [1, 2, 3, 255]);
        assert_eq!(over([1, 2, 3, 0], [9; 4]), [9; 4]);
    }

    #[test]
    fn over_translucent_pixels_colours_weigh_by_what_is_seen_of_them() {
        assert_eq!(over([200, 100, 50, 7], [0, 0, 0, 0]), [200, 100, 50, 7]);
        // Weights 51 x 255 = 13005 and 100 x 204 = 20400; (255 x 13005) / 33405 = 99.3; 51 + 80 = 131.
        assert_eq!(over([255, 0, 0, 51], [0, 255, 0, 100]), [99, 155, 0, 131]);
    }

    #[test]
    fn a_scene_that_no_memory_holds_is_refused() {
        let size = Size::new(65_535, 65_535);
        assert_eq!(render(size, Color::BLACK, &[], &|_| None), Err(TooLarge(size)));
    }
}
