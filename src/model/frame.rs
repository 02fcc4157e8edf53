//! A frame: a region of a sheet with an id that never changes its meaning.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::geometry::{PixelRect, Size};
use crate::guid::Guid;

/// What a frame's GUID is made of. A removed id is never given to another frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct FrameId(pub u32);

impl fmt::Display for FrameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why a frame cannot be drawn as its numbers say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RectFault {
    /// Its entry is no rectangle of whole numbers (its bytes stay in the file as they are).
    Unreadable,
    /// Zero or negative width or height.
    NoPixels,
    /// Not one pixel inside the image.
    Outside,
    /// Some pixels inside, some not: drawn clipped, numbers kept.
    PartlyOutside,
}

impl RectFault {
    /// Whether the frame is left out of registry and texture.
    pub const fn excludes_frame(self) -> bool {
        !matches!(self, Self::PartlyOutside)
    }
}

/// A region of a sheet's image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its identity within the sheet.
    pub id: FrameId,
    /// Its name, often empty.
    pub name: Arc<str>,
    /// Where it is, in image pixels, as its file or its user says.
    pub rect_in_image: PixelRect,
    /// A GUID that another tool gave it, kept in place of the one our rule gives.
    pub foreign_guid: Option<Guid>,
    /// Whether its entry in the file could not be read as a rectangle.
    pub unreadable: bool,
}

impl Frame {
    /// A nameless frame of our own.
    pub fn new(id: FrameId, rect_in_image: PixelRect) -> Self {
        Self { id, name: "".into(), rect_in_image, foreign_guid: None, unreadable: false }
    }

    /// Its GUID in the sheet `parent`.
    pub fn guid(&self, parent: Guid) -> Guid {
        self.foreign_guid.unwrap_or_else(|| Guid::for_frame(parent, self.id.0))
    }

    /// What is wrong with its rectangle on an image of that size, if anything is.
    pub fn fault(&self, image: Size) -> Option<RectFault> {
        let rect = self.rect_in_image;
        if self.unreadable {
            Some(RectFault::Unreadable)
        } else if rect.is_empty() {
            Some(RectFault::NoPixels)
        } else if rect.is_inside(image) {
            None
        } else if rect.clipped_to(image).is_some() {
            Some(RectFault::PartlyOutside)
        } else {
            Some(RectFault::Outside)
        }
    }

    /// The rectangle that texture and preview use: clipped to the image, `None` for a frame they leave out.
    pub fn drawn_rect(&self, image: Size) -> Option<PixelRect> {
        if self.unreadable { None } else { self.rect_in_image.clipped_to(image) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_follow_the_rectangle_and_only_partly_outside_is_drawn() {
        let image = Size::new(64, 32);
        let cases = [
            (PixelRect::new(0, 0, 64, 32), None, true),
            (PixelRect::new(0, 0, 0, 4), Some(RectFault::NoPixels), false),
            (PixelRect::new(4, 4, -2, 4), Some(RectFault::NoPixels), false),
            (PixelRect::new(64, 0, 4, 4), Some(RectFault::Outside), false),
            (PixelRect::new(-4, 0, 4, 4), Some(RectFault::Outside), false),
            (PixelRect::new(60, 0, 8, 8), Some(RectFault::PartlyOutside), true),
            (PixelRect::new(i32::MAX, 0, i32::MAX, 1), Some(RectFault::Outside), false),
        ];
        for (rect, fault, drawn) in cases {
            let frame = Frame::new(FrameId(0), rect);
            assert_eq!(frame.fault(image), fault, "{rect}");
            assert_eq!(frame.drawn_rect(image).is_some(), drawn, "{rect}");
            assert_eq!(fault.is_none_or(|fault| !fault.excludes_frame()), drawn, "{rect}");
        }
    }

    #[test]
    fn a_foreign_guid_wins_over_the_rule() {
        let parent = Guid::random();
        let mut frame = Frame::new(FrameId(3), PixelRect::default());
        assert_eq!(frame.guid(parent), Guid::for_frame(parent, 3));
        let foreign = Guid::random();
        frame.foreign_guid = Some(foreign);
        assert_eq!(frame.guid(parent), foreign);
    }
}
