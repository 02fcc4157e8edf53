//! Registries for tests: a sheet with two frames, and scenes.

use std::sync::Arc;

use crate::geometry::{PixelRect, Size};
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::model::FrameId;
use crate::model::files::FileKind;
use crate::registry::{Asset, Reference, Referrer, Registry, State, SubAsset, TextureInfo};
use crate::texture::PixelFormat;

/// The sheet `assets/sprites/hero.png`.
pub(super) const SHEET: &str = "11111111-2222-4333-8444-555555555555";
/// Its frame 0, from the specification.
pub(super) const FRAME: &str = "c1358fea-5654-5786-a2f9-6caa84f79513";
/// No asset.
pub(super) const OTHER: &str = "31111111-2222-4333-8444-555555555555";
/// Bytes of every texture.
pub(super) const TEXTURE: &[u8] = b"a texture";

/// A sheet with two frames, imported into a texture of [`TEXTURE`].
pub(super) fn sheet(path: &str, guid: &str) -> Asset {
    let parent_guid: Guid = guid.parse().unwrap();
    let frames = (0..2).map(|index| SubAsset {
        guid: Guid::for_frame(parent_guid, index),
        parent_guid,
        index,
        id: FrameId(index),
        rect_in_image: PixelRect::new(index as i32 * 8, 0, 8, 8),
        name: "".into(),
    });
    Asset {
        path: path.into(),
        guid: parent_guid,
        guid_is_provisional: false,
        state: State::UpToDate,
        image: None,
        texture: Some(TextureInfo {
            stored_size: Size::new(16, 8),
            format: PixelFormat::Rgb565,
            format_is_automatic: true,
            file_bytes: TEXTURE.len() as u64,
            version: ContentHash::of(TEXTURE),
        }),
        frames: frames.collect(),
        findings: Arc::default(),
        problems: [].into(),
    }
}

/// A registry with that sheet.
pub(super) fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.insert(Arc::new(sheet("assets/sprites/hero.png", SHEET)));
    registry
}

/// The bytes of the scene at that path.
pub(super) fn scene_bytes(path: &str) -> Vec<u8> {
    format!("the scene {path}").into_bytes()
}

/// A scene whose object has sprites that refer to these, and a label that refers to [`OTHER`]. Its GUID is that of its
/// path.
pub(super) fn scene(path: &str, references: &[(&str, &str)]) -> Arc<Referrer> {
    let references = references.iter().map(|(guid, source)| Reference {
        object: Some(0),
        object_name: "hero".into(),
        component: if *guid == OTHER { "Game::Label" } else { "Deki2D::SpriteComponent" }.into(),
        guid: (*guid).into(),
        source: (*source).into(),
    });
    let bytes = scene_bytes(path);
    Arc::new(Referrer {
        path: path.into(),
        kind: FileKind::Scene,
        guid: Guid::for_frame(OTHER.parse().unwrap(), path.bytes().map(u32::from).sum()),
        guid_is_provisional: false,
        hash: ContentHash::of(&bytes),
        file_bytes: bytes.len() as u64,
        is_readable: true,
        references: references.collect(),
        problems: [].into(),
    })
}
