//! What an open scene draws: the engine's way from a reference to a picture, with the textures that are there so far.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use super::{Bitmap, BitmapKey, Document, Lookup, Session};
use crate::guid::{Guid, GuidMap};
use crate::model::Scene;
use crate::model::scene::AssetRef;
use crate::registry::Asset;
use crate::runtime::{Fault, Item, Loaded, Memo, PictureKey, Texture, texture_of};

/// What a list of a scene's items was made of; while it is the same, so is the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageVersion {
    registry: usize,
    textures_made: u64,
    /// Of the sheets that are being cut.
    cuts: u64,
}

impl StageVersion {
    /// Of a list that is not to be kept.
    pub const NONE: Self = Self { registry: 0, textures_made: u64::MAX, cuts: 0 };
}

impl Session {
    /// Tells lists of items apart that may differ although the scene does not.
    pub fn stage_version(&self) -> StageVersion {
        let registry = self.open.as_ref().map_or(0, |open| Arc::as_ptr(&open.registry) as usize);
        let mut cuts = DefaultHasher::new();
        for document in self.documents.iter().filter(|document| document.is_dirty()) {
            (&document.path, document.history.revision()).hash(&mut cuts);
        }
        let textures_made = self.pictures.textures_made();
        StageVersion { registry, textures_made, cuts: cuts.finish() }
    }

    /// The texture with the frames and borders that its sheet has now, when that is open and has unsaved edits.
    fn as_cut_now(&self, asset: &Asset, texture: &Arc<Texture>) -> Arc<Texture> {
        let is_cut =
            |document: &&Document| document.path == asset.path && document.is_ready() && document.is_dirty();
        let Some(document) = self.documents.iter().find(is_cut) else { return texture.clone() };
        let (sheet, image) = (document.sheet(), document.image_size);
        let frames = sheet.frames.iter().filter_map(|frame| {
            let borders = sheet.settings.borders_of(Some(frame.id));
            Some((frame.guid(asset.guid), frame.drawn_rect(image)?, borders))
        });
        Arc::new(texture.recut(frames, sheet.settings.borders_of(None)))
    }

    /// What a scene draws, in the order of drawing. Textures that are not there yet are asked for. `memo` keeps what was
    /// read of objects from one call to the next.
    pub fn stage(&self, scene: &Scene, memo: &mut Memo) -> Vec<Item> {
        let mut loaded = GuidMap::<Result<Arc<Texture>, Fault>>::default();
        let mut answers = HashMap::new();
        for reference in memo.references(scene) {
            let answer = self.texture_of(&reference).and_then(|parent| {
                let texture = loaded.entry(parent).or_insert_with(|| self.loaded_texture(parent));
                texture.clone().map(|texture| (parent, texture))
            });
            answers.insert(reference, answer);
        }
        memo.draw_list(scene, &|reference| match answers.get(reference) {
            Some(Ok((parent, texture))) => Ok(Loaded { parent: *parent, texture }),
            Some(Err(fault)) => Err(fault.clone()),
            None => Err(Fault::Pending),
        })
    }

    /// The sheet that a reference draws from.
    pub(super) fn texture_of(&self, reference: &AssetRef) -> Result<Guid, Fault> {
        let registry = self.open.as_ref().map(|open| &open.registry);
        texture_of(reference, &|guid| registry.and_then(|registry| registry.parent_of_frame(guid)))
    }

    pub(super) fn loaded_texture(&self, guid: Guid) -> Result<Arc<Texture>, Fault> {
        let Some(open) = &self.open else { return Err(Fault::Pending) };
        let Some(asset) = open.registry.by_guid(guid) else {
            return Err(if open.is_discovered { gone(guid) } else { Fault::Pending });
        };
        match self.pictures.texture(asset, &open.project) {
            None => Err(Fault::Pending),
            Some(found) => match (found.shown(), &found) {
                (Some(texture), _) => Ok(self.as_cut_now(asset, texture)),
                (None, Lookup::Failed(why, _)) => Err(Fault::Unloadable(why.clone())),
                (None, _) => Err(Fault::Pending),
            },
        }
    }

    /// The bitmap of what an item draws.
    pub fn stage_picture(&self, picture: &PictureKey) -> Option<(BitmapKey, Lookup<Bitmap>)> {
        let open = self.open.as_ref()?;
        let asset = open.registry.by_guid(picture.texture)?;
        self.pictures.drawn(asset, picture, &open.project)
    }
}

fn gone(guid: Guid) -> Fault {
    Fault::Unloadable(
        format!("No sheet of the project has the GUID {guid}. Pick another sprite, or clear it.").into(),
    )
}
