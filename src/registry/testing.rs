//! Assets as tests make them.

use std::sync::Arc;

use super::{Asset, Reference, Referrer, State, SubAsset};
use crate::geometry::PixelRect;
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::model::FrameId;
use crate::model::files::FileKind;

/// A sheet that is up to date, with so many frames of 8 by 8 pixels in a row.
pub(crate) fn sheet(path: &str, guid: Guid, frames: u32) -> Asset {
    let frames = (0..frames).map(|index| SubAsset {
        guid: Guid::for_frame(guid, index),
        parent_guid: guid,
        index,
        id: FrameId(index),
        rect_in_image: PixelRect::new(index as i32 * 8, 0, 8, 8),
        name: "".into(),
    });
    Asset {
        path: path.into(),
        guid,
        guid_is_provisional: false,
        state: State::UpToDate,
        image: None,
        texture: None,
        frames: frames.collect(),
        findings: Arc::default(),
        problems: [].into(),
    }
}

/// A scene that can be read, with these references.
pub(crate) fn scene(path: &str, guid: Guid, references: impl IntoIterator<Item = Reference>) -> Referrer {
    Referrer {
        path: path.into(),
        kind: FileKind::Scene,
        guid,
        guid_is_provisional: false,
        hash: ContentHash::of(b""),
        file_bytes: 0,
        is_readable: true,
        references: references.into_iter().collect(),
        problems: [].into(),
    }
}
