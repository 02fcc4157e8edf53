//! Registries for tests: a sheet with two frames, and scenes.

use std::sync::Arc;

use crate::geometry::Size;
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::registry::{self, Asset, Reference, Referrer, Registry, TextureInfo};
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
    let texture = TextureInfo {
        stored_size: Size::new(16, 8),
        format: PixelFormat::Rgb565,
        format_is_automatic: true,
        file_bytes: TEXTURE.len() as u64,
        version: ContentHash::of(TEXTURE),
    };
    Asset { texture: Some(texture), ..registry::testing::sheet(path, guid.parse().unwrap(), 2) }
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
    let guid = Guid::for_frame(OTHER.parse().unwrap(), path.bytes().map(u32::from).sum());
    let scene = registry::testing::scene(path, guid, references);
    Arc::new(Referrer { hash: ContentHash::of(&bytes), file_bytes: bytes.len() as u64, ..scene })
}
