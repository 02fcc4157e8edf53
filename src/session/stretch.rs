//! A part of an open sheet as a sprite component of some size would draw it, by the rules of the runtime: from the pixels of
//! its image, or from those of its texture. The borders may still be in the making.

use std::sync::Arc;

use super::source_picture::{SourcePicture, premultiply};
use super::{Bitmap, Document, Lookup, Session, Tiled as _};
use crate::geometry::{PixelRect, Size};
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::model::scene::{AssetRef, Color, RenderMode, Sprite};
use crate::runtime::texture::PIXELS_PER_METER;
use crate::runtime::{
    Fault, Fill, Picture, Plan, Region, Shown, Texture, compose, compose_region, stored_region,
};
use crate::texture::Insets;

/// What is stretched, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The part of the sheet, in image pixels.
    pub rect_in_image: PixelRect,
    /// Its borders in image pixels, measured inside the part.
    pub borders: Insets,
    /// The size asked for, in image pixels.
    pub target: Size,
    /// Nine-slice or tiled.
    pub mode: RenderMode,
    /// From the texture as a device has it, not from the image.
    pub is_stored: bool,
}

/// What comes of it.
#[derive(Debug)]
pub struct Stretched {
    /// The picture's size: in stored pixels when it is made from the texture.
    pub size: Size,
    /// Why nothing is drawn, or less than was asked for.
    pub fault: Option<Fault>,
    /// The picture; `None` when nothing is drawn.
    pub picture: Option<Lookup<Bitmap>>,
}

/// Names a stretched picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StretchKey {
    pixels: Pixels,
    rect: PixelRect,
    fill: Fill,
}

/// The region that is stretched.
pub(super) type StretchOf = (Pixels, PixelRect);

impl StretchKey {
    /// What it is stretched from.
    pub(super) const fn of(&self) -> StretchOf {
        (self.pixels, self.rect)
    }
}

/// Whose pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Pixels {
    /// Of the image with that serial number.
    Image(u64),
    /// Of a version of a sheet's texture.
    Texture(Guid, ContentHash),
}

/// Pixels that can be stretched.
pub(super) enum Stretchable {
    Image(Arc<SourcePicture>),
    Texture(Arc<Texture>),
}

impl Stretchable {
    /// The picture of that name; takes the time of its pixels.
    pub(super) fn stretched(&self, key: &StretchKey) -> Bitmap {
        let Picture { size, mut rgba } = match self {
            Self::Image(image) => compose_region(image.part(key.rect), key.fill),
            Self::Texture(texture) => compose(texture, key.rect, key.fill),
        };
        premultiply(&mut rgba);
        Bitmap { size, premultiplied: rgba }
    }
}

/// A sprite component of a size in image pixels.
fn sprite(mode: RenderMode, target: Size) -> Sprite {
    Sprite {
        sprite: AssetRef::default(),
        tint: Color::WHITE,
        mode,
        flip_horizontal: false,
        flip_vertical: false,
        width: target.width as f32 / PIXELS_PER_METER,
        height: target.height as f32 / PIXELS_PER_METER,
        sorting_order: 0,
        ignore_clip: false,
    }
}

fn region(rect_in_texture: PixelRect, borders: Insets) -> Region {
    let borders = (!borders.is_zero()).then_some(borders);
    Region { rect_in_texture, borders, shown: Shown::Frame }
}

impl Session {
    /// What a device, or the image, makes of a part of an open sheet; why there is nothing to show, in words that are
    /// empty while the pixels are being read.
    pub fn stretched(&self, document: &Document, stretch: &Stretch) -> Result<Stretched, Arc<str>> {
        let open = self.open.as_ref().ok_or("No project is open")?;
        let asset = self.asset(&document.path).ok_or("Nothing is known of the image yet")?;
        let sprite = sprite(stretch.mode, stretch.target);
        if stretch.is_stored {
            let version = asset.texture.as_ref().ok_or("The sheet has no texture yet")?.version;
            let texture = shown(self.pictures.texture(asset, &open.project))?;
            let image = texture.image_size.unwrap_or(texture.size);
            let (rect, borders) = stored_region(image, texture.size, stretch.rect_in_image, stretch.borders);
            let rect =
                rect.clipped_to(texture.size).ok_or("At its stored size the frame is outside its texture")?;
            let plan = Plan::of(&sprite, &region(rect, borders), &texture);
            let pixels = Pixels::Texture(asset.guid, version);
            return Ok(self.made(&plan, pixels, rect, Stretchable::Texture(texture)));
        }
        let image = shown(self.pictures.source(asset, open.project.file(&asset.path)))?;
        if !image.is_whole() {
            return Err("The image is too large to be stretched here; Stored shows its texture".into());
        }
        let rect = stretch.rect_in_image.clipped_to(image.size());
        let rect = rect.ok_or("The frame has no pixels inside the image")?;
        let plan = Plan::at_scale(&sprite, &region(rect, stretch.borders), 1.0);
        Ok(self.made(&plan, Pixels::Image(image.serial()), rect, Stretchable::Image(image)))
    }

    fn made(&self, plan: &Plan, pixels: Pixels, rect: PixelRect, from: Stretchable) -> Stretched {
        let picture = plan.fill.map(|fill| self.pictures.stretched(StretchKey { pixels, rect, fill }, from));
        Stretched { size: plan.size, fault: plan.fault.clone(), picture }
    }
}

/// What was found, or why there is nothing.
fn shown<T>(found: Option<Lookup<T>>) -> Result<Arc<T>, Arc<str>> {
    let found = found.ok_or("")?;
    match (found.shown(), &found) {
        (Some(shown), _) => Ok(shown.clone()),
        (None, Lookup::Failed(why, _)) => Err(why.clone()),
        (None, _) => Err("".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image of 4 x 3 pixels whose red is the column and green the row.
    fn image() -> Arc<SourcePicture> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("panel.png");
        let pixels = image::RgbaImage::from_fn(4, 3, |x, y| image::Rgba([x as u8, y as u8, 0, 255]));
        pixels.save(&file).unwrap();
        Arc::new(SourcePicture::load(&file).unwrap())
    }

    /// Column and row of each pixel's source.
    fn sources(rect: PixelRect, fill: Fill) -> Vec<Vec<(u8, u8)>> {
        let image = image();
        let key = StretchKey { pixels: Pixels::Image(image.serial()), rect, fill };
        let made = Stretchable::Image(image).stretched(&key);
        let rows = made.premultiplied.chunks(made.size.width as usize * 4);
        rows.map(|row| row.chunks(4).map(|pixel| (pixel[0], pixel[1])).collect()).collect()
    }

    #[test]
    fn an_image_is_stretched_by_the_runtimes_rule() {
        // Across 1 + 2 + 1 to 1 + 5 + 1: the middle is floor(i x 2 / 5) = 0 0 0 1 1. Down 1 + 1 + 1 to 1 + 2 + 1.
        let borders = Insets::all(1);
        let plan = Plan::at_scale(
            &sprite(RenderMode::NineSlice, Size::new(7, 4)),
            &region(PixelRect::new(0, 0, 4, 3), borders),
            1.0,
        );
        let fill = Fill::NineSlice { borders, target: Size::new(7, 4) };
        assert_eq!((plan.fill, plan.fault), (Some(fill), None));
        let expected = [0, 1, 1, 2].map(|y| [0, 1, 1, 1, 2, 2, 3].map(|x| (x, y)).to_vec());
        assert_eq!(sources(PixelRect::new(0, 0, 4, 3), fill), expected);
    }

    #[test]
    fn tiled_the_part_is_repeated_whole() {
        let fill = Fill::Tiled { target: Size::new(5, 1) };
        assert_eq!(sources(PixelRect::new(1, 2, 2, 1), fill), [[1, 2, 1, 2, 1].map(|x| (x, 2)).to_vec()]);
    }

    #[test]
    fn without_borders_a_device_draws_nothing_as_nine_slice() {
        let part = region(PixelRect::new(0, 0, 4, 3), Insets::default());
        let plan = Plan::at_scale(&sprite(RenderMode::NineSlice, Size::new(8, 3)), &part, 1.0);
        assert_eq!((plan.fill, plan.fault), (None, Some(Fault::NoBorders)));
    }

    #[test]
    fn a_size_in_image_pixels_is_that_many_stored_pixels_at_half_the_scale() {
        let part = region(PixelRect::new(0, 0, 4, 3), Insets::all(1));
        let plan = Plan::at_scale(&sprite(RenderMode::NineSlice, Size::new(97, 6)), &part, 0.5);
        // trunc(97 / 2) and 6 / 2.
        assert_eq!(plan.size, Size::new(48, 3));
    }
}
