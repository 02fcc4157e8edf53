//! Textures and scenes for tests.

use std::sync::Arc;

use super::texture::Texture;
use crate::format::tex::{Metadata, TexFlags, TexHeader};
use crate::geometry::Size;
use crate::guid::Guid;
use crate::model::scene::{AssetRef, Object, ObjectKey, SPRITE_COMPONENT, Scene, Transform, Value};
use crate::texture::PixelFormat;

/// The sheet of all textures here.
pub(super) fn parent() -> Guid {
    "11111111-2222-4333-8444-555555555555".parse().unwrap()
}

/// A texture file of RGBA8888 with alpha.
pub(super) fn file(size: Size, pixels: &[[u8; 4]], metadata: &Metadata) -> Vec<u8> {
    let after = metadata.to_bytes().unwrap();
    let flags = TexFlags::IS_SPRITE.with(TexFlags::HAS_ALPHA);
    let header = TexHeader { size, format: PixelFormat::Rgba8888, flags };
    [&header.to_bytes(after.len()).unwrap()[..], pixels.as_flattened(), &after].concat()
}

/// That file, loaded.
pub(super) fn texture(size: Size, pixels: &[[u8; 4]], metadata: &Metadata) -> Texture {
    Texture::from_bytes(file(size, pixels, metadata)).unwrap()
}

/// Opaque pixels that say their column and row in red and green.
pub(super) fn numbers(size: Size) -> Vec<[u8; 4]> {
    (0..size.height).flat_map(|y| (0..size.width).map(move |x| [x as u8, y as u8, 0, 255])).collect()
}

/// A texture of such pixels.
pub(super) fn numbered(size: Size, metadata: &Metadata) -> Texture {
    texture(size, &numbers(size), metadata)
}

/// The text of a frame's GUID.
pub(super) fn frame_guid(id: u32) -> String {
    Guid::for_frame(parent(), id).to_string()
}

/// A reference to a frame, or to the sheet itself.
pub(super) fn reference(frame: Option<u32>) -> AssetRef {
    let source = frame.map(frame_guid).unwrap_or_default();
    AssetRef { guid: parent().to_string().as_str().into(), source: source.as_str().into() }
}

/// Adds an object without components.
pub(super) fn add(scene: &mut Scene, above: Option<ObjectKey>, transform: Transform) -> ObjectKey {
    let mut object = Object::new(scene.take_key(), scene.free_id(), "object");
    object.set_transform(transform);
    let key = object.key;
    scene.children_mut(above).unwrap().push(Arc::new(object));
    key
}

/// Adds a sprite component with these properties to an object.
pub(super) fn give_sprite(scene: &mut Scene, to: ObjectKey, frame: Option<u32>, data: &[(&str, Value)]) {
    let object = scene.object_mut(to).unwrap();
    let sprite = ("sprite", reference(frame).to_value(None));
    let data = Value::map([sprite].into_iter().chain(data.iter().cloned()));
    let component = Value::map([("type", SPRITE_COMPONENT.into()), ("data", data)]);
    let components: Vec<_> = object.components().iter().cloned().chain([component]).collect();
    object.set_components(components);
}

/// An object's place without a turn.
pub(super) fn at(x: f32, y: f32) -> Transform {
    Transform { x, y, ..Transform::default() }
}
