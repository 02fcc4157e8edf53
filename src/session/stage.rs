//! What an open scene draws: the engine's way from a reference to a picture, with the textures that are there so far.

use std::sync::Arc;

use super::{Bitmap, BitmapKey, Lookup, Session};
use crate::guid::Guid;
use crate::model::Scene;
use crate::model::scene::{AssetRef, Sprite};
use crate::runtime::{Fault, Item, Loaded, PictureKey, Texture, draw_list, texture_of};

/// What a list of a scene's items was made of; while it is the same, so is the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageVersion {
    registry: usize,
    textures_made: u64,
}

impl StageVersion {
    /// Of a list that is not to be kept.
    pub const NONE: Self = Self { registry: 0, textures_made: u64::MAX };
}

impl Session {
    /// Tells lists of items apart that may differ although the scene does not.
    pub fn stage_version(&self) -> StageVersion {
        let registry = self.open.as_ref().map_or(0, |open| Arc::as_ptr(&open.registry) as usize);
        StageVersion { registry, textures_made: self.pictures.textures_made() }
    }

    /// What a scene draws, in the order of drawing. Textures that are not there yet are asked for.
    pub fn stage(&self, scene: &Scene) -> Vec<Item> {
        let mut seen = crate::guid::GuidMap::<Result<Arc<Texture>, Fault>>::default();
        for (_, object) in scene.walk() {
            for sprite in object.components().iter().filter_map(Sprite::of_component) {
                if let Ok(guid) = self.texture_of(&sprite.sprite) {
                    seen.entry(guid).or_insert_with(|| self.loaded_texture(guid));
                }
            }
        }
        draw_list(scene, &|reference| {
            let parent = self.texture_of(reference)?;
            match seen.get(&parent) {
                Some(Ok(texture)) => Ok(Loaded { parent, texture }),
                Some(Err(fault)) => Err(fault.clone()),
                None => Err(Fault::Pending),
            }
        })
    }

    /// The sheet that a reference draws from.
    fn texture_of(&self, reference: &AssetRef) -> Result<Guid, Fault> {
        let registry = self.open.as_ref().map(|open| &open.registry);
        texture_of(reference, &|guid| registry.and_then(|registry| registry.parent_of_frame(guid)))
    }

    fn loaded_texture(&self, guid: Guid) -> Result<Arc<Texture>, Fault> {
        let Some(open) = &self.open else { return Err(Fault::Pending) };
        let Some(asset) = open.registry.by_guid(guid) else {
            return Err(if open.is_discovered { gone(guid) } else { Fault::Pending });
        };
        match self.pictures.texture(asset, open.project.texture(guid)) {
            None => Err(Fault::Pending),
            Some(found) => match (found.shown(), &found) {
                (Some(texture), _) => Ok(texture.clone()),
                (None, Lookup::Failed(why, _)) => Err(Fault::Unloadable(why.clone())),
                (None, _) => Err(Fault::Pending),
            },
        }
    }

    /// The bitmap of what an item draws.
    pub fn stage_picture(&self, picture: &PictureKey) -> Option<(BitmapKey, Lookup<Bitmap>)> {
        let open = self.open.as_ref()?;
        let asset = open.registry.by_guid(picture.texture)?;
        self.pictures.drawn(asset, picture, open.project.texture(picture.texture))
    }
}

fn gone(guid: Guid) -> Fault {
    Fault::Unloadable(
        format!("No sheet of the project has the GUID {guid}. Pick another sprite, or clear it.").into(),
    )
}
