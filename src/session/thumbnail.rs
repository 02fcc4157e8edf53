//! Small pictures out of compiled textures, so that what the window shows is what the device will draw.

use super::pictures::Bitmap;
use super::source_picture::premultiply;
use crate::geometry::{PixelRect, Size};
use crate::runtime::{Fill, Picture, Texture, compose};

/// Longest side of a thumbnail.
const SIDE: u32 = 64;
/// A part larger than this is shown smaller: no preview needs more pixels.
const PART_SIDE: u32 = 1024;

/// The whole texture, at most [`SIDE`] pixels a side.
pub(super) fn whole(texture: &Texture) -> Bitmap {
    let size = texture.size;
    let stored = PixelRect::of_image(size);
    shrunk(texture, stored, SIDE)
}

/// A part of the texture, given in image pixels.
pub(super) fn part(texture: &Texture, rect_in_image: PixelRect) -> Bitmap {
    shrunk(texture, stored_rect(texture, rect_in_image), PART_SIDE)
}

/// What a scene draws of a region of the texture, in all its pixels.
pub(super) fn drawn(texture: &Texture, rect_in_texture: PixelRect, fill: Fill) -> Bitmap {
    let Picture { size, mut rgba } = compose(texture, rect_in_texture, fill);
    premultiply(&mut rgba);
    Bitmap { size, premultiplied: rgba }
}

fn stored_rect(texture: &Texture, rect: PixelRect) -> PixelRect {
    let (left, top) = (texture.source_to_stored_x(rect.x), texture.source_to_stored_y(rect.y));
    let right = texture.source_to_stored_x(rect.x.saturating_add(rect.width));
    let bottom = texture.source_to_stored_y(rect.y.saturating_add(rect.height));
    PixelRect::new(left, top, (right - left).max(1), (bottom - top).max(1))
}

/// Takes every n-th pixel: a texture is shown as it is, without colours that it does not have.
fn shrunk(texture: &Texture, stored: PixelRect, side: u32) -> Bitmap {
    let (size, rgba) = texture.decode_rect(stored);
    let longer = size.width.max(size.height);
    let scale = |length: u32| {
        if longer <= side {
            length
        } else {
            (u64::from(length) * u64::from(side) / u64::from(longer)).max(1) as u32
        }
    };
    let small = Size::new(scale(size.width), scale(size.height));
    let mut premultiplied = Vec::with_capacity(small.area() as usize * 4);
    for y in 0..small.height {
        let from_y =
            (u64::from(y) * u64::from(size.height) + u64::from(size.height) / 2) / u64::from(small.height);
        let row = from_y.min(u64::from(size.height) - 1) as usize * size.width as usize;
        for x in 0..small.width {
            let from_x =
                (u64::from(x) * u64::from(size.width) + u64::from(size.width) / 2) / u64::from(small.width);
            let pixel = (row + from_x.min(u64::from(size.width) - 1) as usize) * 4;
            premultiplied.extend_from_slice(&rgba[pixel..pixel + 4]);
        }
    }
    premultiply(&mut premultiplied);
    Bitmap { size: small, premultiplied }
}
