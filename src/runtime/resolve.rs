//! From a reference to the region of a texture that it draws (source page, "Frame Resolution Flow").

use std::sync::Arc;

use super::fault::Fault;
use super::texture::Texture;
use crate::geometry::PixelRect;
use crate::guid::Guid;
use crate::model::scene::{AssetRef, RenderMode};
use crate::texture::Insets;

/// What a reference turned out to name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The sheet itself.
    Whole,
    /// A frame that the texture has.
    Frame,
    /// A frame that the texture does not have: what the whole would draw is drawn.
    Missing,
}

/// The part of a texture that a sprite draws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// In stored pixels, inside the texture.
    pub rect_in_texture: PixelRect,
    /// Nine-slice borders in stored pixels: the frame's own, or the sheet's for the whole.
    pub borders: Option<Insets>,
    /// What the reference turned out to name.
    pub shown: Shown,
}

/// Which texture is loaded for a reference: that of its `guid`.
///
/// Older scenes have a frame's GUID in its place; `parent_of_frame` tells the sheet of a frame, and `None` for
/// every GUID that is no frame's.
pub fn texture_of(
    reference: &AssetRef,
    parent_of_frame: &dyn Fn(Guid) -> Option<Guid>,
) -> Result<Guid, Fault> {
    if reference.guid.is_empty() {
        return Err(Fault::Empty);
    }
    let Ok(guid) = reference.guid.parse() else {
        return Err(Fault::InvalidGuid(reference.guid.clone()));
    };
    Ok(parent_of_frame(guid).unwrap_or(guid))
}

/// The region that a reference draws of `texture`, which [`texture_of`] said to be `parent`'s.
///
/// A frame's borders are its own or none. The whole is the default frame at the top left where the texture has one and
/// the mode is Normal, else all of it. Fails when the region begins outside the texture; reaching out of it is cut off.
pub fn region(
    texture: &Texture,
    parent: Guid,
    reference: &AssetRef,
    mode: RenderMode,
) -> Result<Region, Fault> {
    let frame = texture.find_frame(reference.meaningful());
    let shown = match frame {
        Some(_) => Shown::Frame,
        None if reference.meaningful().parse() == Ok(parent) => Shown::Whole,
        None => Shown::Missing,
    };
    let whole = PixelRect::of_image(texture.size);
    // A file may list frames without pixels. To the engine a side of 0 is one that is not said.
    let (asked, borders) = match frame {
        Some(frame) if !frame.rect.is_empty() => (frame.rect, frame.nine_slice),
        _ if mode != RenderMode::Normal => (whole, texture.nine_slice),
        _ => {
            let said = frame.map(|frame| frame.rect).unwrap_or_default();
            let width = first_positive([said.width, texture.default_frame.width, whole.width]);
            let height = first_positive([said.height, texture.default_frame.height, whole.height]);
            (PixelRect { width, height, ..said }, texture.nine_slice)
        }
    };
    let outside = Fault::Outside { region: asked, texture: texture.size };
    if !whole.contains(asked.x.into(), asked.y.into()) {
        return Err(outside);
    }
    let rect_in_texture = asked.intersection(whole).ok_or(outside)?;
    Ok(Region { rect_in_texture, borders, shown })
}

impl Region {
    /// What is wrong when the reference's frame is missing.
    pub(super) fn fault(&self, reference: &AssetRef) -> Option<Fault> {
        let guid = if reference.source.is_empty() { &reference.guid } else { &reference.source };
        (self.shown == Shown::Missing).then(|| Fault::MissingFrame(Arc::clone(guid)))
    }
}

fn first_positive(sides: [i32; 3]) -> i32 {
    sides.into_iter().find(|side| *side > 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{frame_guid, numbered, parent, reference};
    use super::*;
    use crate::format::tex::{FrameSize, Metadata, TexFrame};
    use crate::geometry::Size;

    const BORDERS: Insets = Insets { left: 1, right: 2, top: 3, bottom: 4 };

    fn with_frames(rects: &[[i32; 4]]) -> Metadata {
        let frames = rects.iter().zip(0..).map(|([x, y, width, height], id)| {
            TexFrame::new(Guid::for_frame(parent(), id), PixelRect::new(*x, *y, *width, *height))
        });
        Metadata { frames: frames.collect(), ..Metadata::default() }
    }

    fn normal(texture: &Texture, reference: &AssetRef) -> Result<Region, Fault> {
        region(texture, parent(), reference, RenderMode::Normal)
    }

    #[test]
    fn the_texture_is_that_of_the_guid_or_of_the_sheet_whose_frame_it_is() {
        let frame: Guid = frame_guid(3).parse().unwrap();
        let parent_of_frame = |guid| (guid == frame).then(parent);
        let texture_of = |guid: &str, source: &str| {
            texture_of(&AssetRef { guid: guid.into(), source: source.into() }, &parent_of_frame)
        };
        let parent_text = parent().to_string();
        assert_eq!(texture_of(&parent_text, &frame_guid(3)), Ok(parent()));
        assert_eq!(texture_of(&frame_guid(3), ""), Ok(parent()));
        assert_eq!(texture_of(&frame_guid(4), ""), Ok(frame_guid(4).parse().unwrap()));
        assert_eq!(texture_of("", ""), Err(Fault::Empty));
        assert_eq!(texture_of("", &frame_guid(3)), Err(Fault::Empty));
        assert_eq!(texture_of("../secret", ""), Err(Fault::InvalidGuid("../secret".into())));
    }

    #[test]
    fn a_source_names_the_frame_and_an_old_reference_does_with_its_guid() {
        let texture = numbered(Size::new(8, 4), &with_frames(&[[0, 0, 4, 4], [4, 1, 4, 2]]));
        let old = AssetRef { guid: frame_guid(1).as_str().into(), source: "".into() };
        for reference in [reference(Some(1)), old] {
            let region = normal(&texture, &reference).unwrap();
            assert_eq!(region.rect_in_texture, PixelRect::new(4, 1, 4, 2));
            assert_eq!((region.shown, region.borders), (Shown::Frame, None));
        }
    }

    #[test]
    fn a_frame_has_its_own_borders_or_none_and_the_whole_has_the_sheets() {
        let mut metadata = with_frames(&[[0, 0, 4, 4], [4, 0, 4, 4]]);
        metadata.nine_slice = Some(BORDERS);
        metadata.frames[1].nine_slice = Some(Insets { left: 9, ..BORDERS });
        let texture = numbered(Size::new(8, 8), &metadata);
        let borders = |id| region(&texture, parent(), &reference(id), RenderMode::NineSlice).unwrap().borders;
        assert_eq!(borders(Some(0)), None);
        assert_eq!(borders(Some(1)), Some(Insets { left: 9, ..BORDERS }));
        assert_eq!(borders(None), Some(BORDERS));
    }

    #[test]
    fn a_missing_frame_draws_the_whole_and_says_so() {
        let texture = numbered(Size::new(8, 4), &with_frames(&[[0, 0, 4, 4]]));
        let missing = normal(&texture, &reference(Some(7))).unwrap();
        assert_eq!(missing.rect_in_texture, PixelRect::new(0, 0, 8, 4));
        assert_eq!(missing.shown, Shown::Missing);
        let fault = missing.fault(&reference(Some(7)));
        assert_eq!(fault, Some(Fault::MissingFrame(frame_guid(7).as_str().into())));
        let whole = normal(&texture, &reference(None)).unwrap();
        assert_eq!((whole.shown, whole.fault(&reference(None))), (Shown::Whole, None));
    }

    #[test]
    fn the_whole_of_a_grid_is_its_first_cell_unless_it_fills_a_size() {
        let mut metadata = with_frames(&[[0, 0, 4, 2], [4, 0, 4, 2]]);
        metadata.default_frame = FrameSize { width: 4, height: 0 };
        let texture = numbered(Size::new(8, 4), &metadata);
        let rect = |id, mode| region(&texture, parent(), &reference(id), mode).unwrap().rect_in_texture;
        // A height of 0 is the whole height.
        assert_eq!(rect(None, RenderMode::Normal), PixelRect::new(0, 0, 4, 4));
        assert_eq!(rect(Some(9), RenderMode::Normal), PixelRect::new(0, 0, 4, 4));
        assert_eq!(rect(Some(1), RenderMode::Normal), PixelRect::new(4, 0, 4, 2));
        for mode in [RenderMode::Tiled, RenderMode::NineSlice] {
            assert_eq!(rect(None, mode), PixelRect::new(0, 0, 8, 4));
        }
    }

    #[test]
    fn a_region_is_cut_at_the_texture_and_nothing_when_it_begins_outside() {
        let texture = numbered(
            Size::new(8, 4),
            &with_frames(&[[6, 2, 4, 4], [8, 0, 1, 1], [-1, 0, 4, 4], [0, 4, 1, 1], [2, 1, 0, 0]]),
        );
        let cut = normal(&texture, &reference(Some(0))).unwrap();
        assert_eq!(cut.rect_in_texture, PixelRect::new(6, 2, 2, 2));
        for id in 1..4 {
            let fault = normal(&texture, &reference(Some(id))).unwrap_err();
            assert!(matches!(fault, Fault::Outside { .. }), "{fault}");
        }
        // No width is the whole width, from where it begins.
        let unsaid = normal(&texture, &reference(Some(4))).unwrap();
        assert_eq!(unsaid.rect_in_texture, PixelRect::new(2, 1, 6, 3));
    }
}
