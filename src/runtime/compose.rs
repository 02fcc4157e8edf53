//! Pictures out of regions: as they are, repeated, or stretched between their borders.
//!
//! Flips and tints are no part of a picture; they are applied where it is drawn.

use super::fault::Fault;
use super::picture::{Fill, Picture};
use super::resolve::Region;
use super::texture::{PIXELS_PER_METER, Texture};
use crate::geometry::{PixelRect, Size};
use crate::model::scene::{RenderMode, Sprite};

/// Longest side of a picture that fills an asked size, in stored pixels; a region that is larger keeps its own. The
/// engine has no limit but its memory.
pub const MAX_TARGET_SIDE: u32 = 4096;

/// What a sprite component makes of its region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How the picture is made; `None` when the engine refuses and draws nothing.
    pub fill: Option<Fill>,
    /// The size of the picture, or of the one that was asked for, in stored pixels.
    pub size: Size,
    /// Why nothing is drawn, or less than was asked for.
    pub fault: Option<Fault>,
}

impl Plan {
    /// Follows the engine: asked metres become `trunc(metres x 16 x source scale)` stored pixels, and none the region's
    /// own. Nine-slice needs borders, a middle between them (so equal is refused), and a target with room for them.
    pub fn of(sprite: &Sprite, region: &Region, texture: &Texture) -> Self {
        Self::at_scale(sprite, region, texture.source_scale)
    }

    /// The same, of a texture that is known by its width in stored pixels / that of its image alone.
    pub fn at_scale(sprite: &Sprite, region: &Region, source_scale: f32) -> Self {
        let rect = region.rect_in_texture;
        let own = Size::new(rect.width as u32, rect.height as u32);
        if sprite.mode == RenderMode::Normal {
            return Self { fill: Some(Fill::Normal), size: own, fault: None };
        }
        let pixels_per_metre = PIXELS_PER_METER * source_scale;
        let asked = Size::new(
            asked_pixels(sprite.width, pixels_per_metre, own.width),
            asked_pixels(sprite.height, pixels_per_metre, own.height),
        );
        if asked.area() == 0 {
            return Self { fill: None, size: own, fault: Some(Fault::EmptyTarget) };
        }
        let target = Size::new(
            asked.width.min(MAX_TARGET_SIDE.max(own.width)),
            asked.height.min(MAX_TARGET_SIDE.max(own.height)),
        );
        let fill = match sprite.mode {
            RenderMode::NineSlice => nine_slice(region, own, target),
            RenderMode::Tiled | RenderMode::Normal => Ok(Fill::Tiled { target }),
        };
        match fill {
            Ok(fill) => {
                let fault = (target != asked).then_some(Fault::TargetTooLarge { asked, drawn: target });
                Self { fill: Some(fill), size: target, fault }
            }
            Err(fault) => Self { fill: None, size: target, fault: Some(fault) },
        }
    }
}

/// A negative or absent length is the region's own. What 32 bits cannot say stays at their end.
fn asked_pixels(metres: f32, pixels_per_metre: f32, own: u32) -> u32 {
    if metres > 0.0 { (metres * pixels_per_metre) as u32 } else { own }
}

fn nine_slice(region: &Region, own: Size, target: Size) -> Result<Fill, Fault> {
    let insets = region.borders.ok_or(Fault::NoBorders)?;
    let borders = insets.sums();
    if !insets.leave_middle(own) {
        return Err(Fault::BordersTooLarge { borders, region: own });
    }
    if target.width < borders.width || target.height < borders.height {
        return Err(Fault::TargetTooSmall { target, borders });
    }
    Ok(Fill::NineSlice { borders: insets, target })
}

/// The picture that a region of a texture, in stored pixels, makes. Empty when the region is outside.
///
/// Takes the time of its pixels and belongs on a worker's thread; [`Plan`] bounds its size.
pub fn compose(texture: &Texture, rect_in_texture: PixelRect, fill: Fill) -> Picture {
    let (size, rgba) = texture.decode_rect(rect_in_texture);
    compose_region(Picture { size, rgba }, fill)
}

/// The same of a region whose pixels are there already.
pub fn compose_region(region: Picture, fill: Fill) -> Picture {
    let own = region.size;
    if own.area() == 0 {
        return Picture::default();
    }
    let (columns, rows, size) = match fill {
        Fill::Normal => return region,
        Fill::Tiled { target } => {
            (repeated(own.width, target.width), repeated(own.height, target.height), target)
        }
        Fill::NineSlice { borders: insets, target } => (
            stretched(own.width, [insets.left, insets.right], target.width),
            stretched(own.height, [insets.top, insets.bottom], target.height),
            target,
        ),
    };
    let mut rgba = Vec::with_capacity(size.area() as usize * 4);
    let (pixels, _) = region.rgba.as_chunks::<4>();
    for row in rows {
        let row = &pixels[row * own.width as usize..][..own.width as usize];
        for &column in &columns {
            rgba.extend_from_slice(&row[column]);
        }
    }
    Picture { size, rgba }
}

/// Which of `source` pixels each of `target` is, from the first and again.
fn repeated(source: u32, target: u32) -> Vec<usize> {
    (0..target).map(|at| (at % source) as usize).collect()
}

/// Which of `source` pixels each of `target` is: both ends as they are, what is between them by
/// `floor(i x source / target)`.
fn stretched(source: u32, ends: [u16; 2], target: u32) -> Vec<usize> {
    let [first, last] = ends.map(u64::from);
    let (source, target) = (u64::from(source), u64::from(target));
    let middle_of = |side: u64| side.saturating_sub(first + last);
    let place = |at: u64| match at {
        at if at < first => at,
        at if at + last >= target => (at + source).saturating_sub(target),
        at => first + (at - first) * middle_of(source) / middle_of(target).max(1),
    };
    // A key that nobody planned may have borders that do not fit.
    (0..target).map(|at| place(at).min(source - 1) as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::super::resolve::Shown;
    use super::super::testing::{numbered, parent, reference};
    use super::*;
    use crate::format::tex::Metadata;
    use crate::geometry::PixelRect;
    use crate::model::scene::Color;
    use crate::runtime::PictureKey;
    use crate::texture::Insets;

    fn sprite(mode: RenderMode, width: f32, height: f32) -> Sprite {
        Sprite {
            sprite: reference(None),
            tint: Color::WHITE,
            mode,
            flip_horizontal: false,
            flip_vertical: false,
            width,
            height,
            sorting_order: 0,
            ignore_clip: false,
        }
    }

    fn region(width: i32, height: i32, borders: Option<Insets>) -> Region {
        Region { rect_in_texture: PixelRect::new(0, 0, width, height), borders, shown: Shown::Whole }
    }

    fn insets(left: u16, right: u16, top: u16, bottom: u16) -> Insets {
        Insets { left, right, top, bottom }
    }

    /// Plans for a texture of 8 x 8 pixels made of an image of 8 x 8, or of one twice as large.
    fn plan(sprite: &Sprite, region: &Region, is_half: bool) -> Plan {
        let source_size = is_half.then_some(Size::new(16, 16));
        let texture = numbered(Size::new(8, 8), &Metadata { source_size, ..Metadata::default() });
        Plan::of(sprite, region, &texture)
    }

    /// Column and row of each pixel's source.
    fn sources(rect: PixelRect, fill: Fill) -> Vec<Vec<(u8, u8)>> {
        let texture = numbered(Size::new(8, 8), &Metadata::default());
        let key = PictureKey { texture: parent(), rect_in_texture: rect, fill };
        let picture = compose(&texture, rect, fill);
        assert_eq!(picture.size, key.size());
        let rows = picture.rgba.chunks(picture.size.width as usize * 4);
        rows.map(|row| row.chunks(4).map(|pixel| (pixel[0], pixel[1])).collect()).collect()
    }

    #[test]
    fn normal_is_the_region() {
        let plan = plan(&sprite(RenderMode::Normal, 9.0, 9.0), &region(3, 2, None), false);
        assert_eq!(plan, Plan { fill: Some(Fill::Normal), size: Size::new(3, 2), fault: None });
        let expected = [[(5, 2), (6, 2)], [(5, 3), (6, 3)]];
        assert_eq!(sources(PixelRect::new(5, 2, 2, 2), Fill::Normal), expected);
    }

    #[test]
    fn metres_become_whole_stored_pixels_and_none_are_the_regions_own() {
        let size = |width, height, is_half| {
            plan(&sprite(RenderMode::Tiled, width, height), &region(3, 2, None), is_half).size
        };
        // 1.99 x 16 = 31.84; at half the size 1.99 x 8 = 15.92.
        assert_eq!(size(1.99, 0.0, false), Size::new(31, 2));
        assert_eq!(size(1.99, -1.0, true), Size::new(15, 2));
        assert_eq!(size(0.0, 0.5, false), Size::new(3, 8));
    }

    #[test]
    fn less_than_a_pixel_is_nothing_and_too_much_is_cut() {
        // 0.06 x 16 = 0.96.
        let nothing = plan(&sprite(RenderMode::Tiled, 0.06, 1.0), &region(3, 2, None), false);
        assert_eq!((nothing.fill, nothing.fault), (None, Some(Fault::EmptyTarget)));
        let much = plan(&sprite(RenderMode::Tiled, 1000.0, f32::MAX), &region(3, 2, None), false);
        let drawn = Size::new(4096, 4096);
        assert_eq!(much.fill, Some(Fill::Tiled { target: drawn }));
        let asked = Size::new(16_000, u32::MAX);
        assert_eq!((much.size, much.fault), (drawn, Some(Fault::TargetTooLarge { asked, drawn })));
        let large = plan(&sprite(RenderMode::Tiled, 0.0, 0.0), &region(5000, 2, None), false);
        assert_eq!((large.size, large.fault), (Size::new(5000, 2), None));
    }

    #[test]
    fn tiles_repeat_from_the_top_left_and_are_cut_at_the_other_end() {
        let fill = Fill::Tiled { target: Size::new(5, 3) };
        let row = |y| [2, 3, 2, 3, 2].map(|x| (x, y)).to_vec();
        assert_eq!(sources(PixelRect::new(2, 4, 2, 2), fill), [row(4), row(5), row(4)]);
    }

    #[test]
    fn nine_slice_keeps_corners_and_stretches_by_the_floor() {
        // Across 1 + 3 + 1 to 1 + 5 + 1: the middle is floor(i x 3 / 5) = 0 0 1 1 2.
        let fill = Fill::NineSlice { borders: insets(1, 1, 2, 1), target: Size::new(7, 4) };
        let columns = [0, 1, 1, 2, 2, 3, 4];
        // Down 2 + 2 + 1 to 2 + 1 + 1: the middle is its first row.
        let expected = [0, 1, 2, 4].map(|y| columns.map(|x| (x + 3, y + 1)).to_vec());
        assert_eq!(sources(PixelRect::new(3, 1, 5, 5), fill), expected);
    }

    #[test]
    fn nine_slice_of_just_its_borders_has_no_middle() {
        let fill = Fill::NineSlice { borders: insets(1, 1, 1, 1), target: Size::new(2, 2) };
        let expected = [[(0, 0), (4, 0)], [(0, 3), (4, 3)]];
        assert_eq!(sources(PixelRect::new(0, 0, 5, 4), fill), expected);
    }

    #[test]
    fn nine_slice_is_refused_without_borders_middle_or_room() {
        let planned = |width, height, borders| {
            plan(&sprite(RenderMode::NineSlice, width, height), &region(8, 8, borders), false)
        };
        let fault = |width, height, borders| {
            let plan = planned(width, height, borders);
            assert_eq!(plan.fill, None);
            plan.fault.unwrap()
        };
        assert_eq!(fault(1.0, 1.0, None), Fault::NoBorders);
        let region = Size::new(8, 8);
        // Equal leaves no middle.
        let (borders, wide) = (Size::new(8, 2), insets(3, 5, 1, 1));
        assert_eq!(fault(1.0, 1.0, Some(wide)), Fault::BordersTooLarge { borders, region });
        let (borders, high) = (Size::new(2, 8), insets(1, 1, 4, 4));
        assert_eq!(fault(1.0, 1.0, Some(high)), Fault::BordersTooLarge { borders, region });
        // 0.375 x 16 = 6 below 7; then exactly the borders.
        let (borders, fitting) = (Size::new(7, 2), insets(3, 4, 1, 1));
        let target = Size::new(6, 8);
        assert_eq!(fault(0.375, 0.0, Some(fitting)), Fault::TargetTooSmall { target, borders });
        let target = Size::new(7, 8);
        let just = planned(0.4375, 0.0, Some(fitting));
        assert_eq!(just.fill, Some(Fill::NineSlice { borders: fitting, target }));
        assert_eq!(just.fault, None);
    }

    #[test]
    fn keys_that_nobody_planned_make_no_panic() {
        let texture = numbered(Size::new(4, 4), &Metadata::default());
        let compose = |rect_in_texture, fill| compose(&texture, rect_in_texture, fill).size;
        let target = Size::new(3, 1);
        let fill = Fill::NineSlice { borders: insets(9, 9, 9, 9), target };
        assert_eq!(compose(PixelRect::new(0, 0, 2, 2), fill), target);
        assert_eq!(compose(PixelRect::new(4, 0, 2, 2), Fill::Tiled { target }), Size::default());
    }
}
