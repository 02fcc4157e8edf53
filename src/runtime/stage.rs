//! A scene with all that it draws from, loaded at once: for tests, export and the command line, which wait.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::compose::compose;
use super::fault::Fault;
use super::picture::{Picture, PictureKey};
use super::raster::{TooLarge, render};
use super::resolve;
use super::scene::{Item, Loaded, draw_list};
use super::texture::{Texture, file_of};
use crate::guid::{Guid, GuidMap};
use crate::model::scene::{AssetRef, Scene, Sprite};

/// A scene and its textures.
#[derive(Debug)]
pub struct Stage {
    scene: Scene,
    /// What each `guid` of a reference names.
    parents: HashMap<Arc<str>, Result<Guid, Fault>>,
    textures: GuidMap<Result<Texture, Fault>>,
}

impl Stage {
    /// Loads the textures that a game finds in `folder` for the scene: each parent's file once, named by its GUID.
    ///
    /// What cannot be loaded is a fault of the items that need it.
    pub fn load(folder: &Path, scene: &Scene) -> Self {
        Self::load_with(folder, scene, &|_| None)
    }

    /// The same for scenes that may be older: see [`resolve::texture_of`].
    pub fn load_with(folder: &Path, scene: &Scene, parent_of_frame: &dyn Fn(Guid) -> Option<Guid>) -> Self {
        let mut stage = Self { scene: scene.clone(), parents: HashMap::new(), textures: GuidMap::default() };
        for (_, object) in scene.walk() {
            for sprite in object.components().iter().filter_map(Sprite::of_component) {
                stage.add(folder, &sprite.sprite, parent_of_frame);
            }
        }
        stage
    }

    fn add(&mut self, folder: &Path, reference: &AssetRef, parent_of_frame: &dyn Fn(Guid) -> Option<Guid>) {
        if self.parents.contains_key(&reference.guid) {
            return;
        }
        let parent = resolve::texture_of(reference, parent_of_frame);
        if let Ok(parent) = parent {
            self.textures.entry(parent).or_insert_with(|| {
                Texture::load(&file_of(folder, parent))
                    .map_err(|why| Fault::Unloadable(why.to_string().into()))
            });
        }
        self.parents.insert(reference.guid.clone(), parent);
    }

    /// The texture of a reference of the scene.
    pub fn texture(&self, reference: &AssetRef) -> Result<Loaded<'_>, Fault> {
        let parent = self.parents.get(&reference.guid).cloned().unwrap_or(Err(Fault::Pending))?;
        match self.textures.get(&parent) {
            Some(Ok(texture)) => Ok(Loaded { parent, texture }),
            Some(Err(fault)) => Err(fault.clone()),
            None => Err(Fault::Pending),
        }
    }

    /// What is drawn, from the back to the front, with what is wrong.
    pub fn items(&self) -> Vec<Item> {
        draw_list(&self.scene, &|reference| self.texture(reference))
    }

    /// The picture of that name; `None` when its texture is not there.
    pub fn picture(&self, key: &PictureKey) -> Option<Picture> {
        self.textures
            .get(&key.texture)?
            .as_ref()
            .ok()
            .map(|texture| compose(texture, key.rect_in_texture, key.fill))
    }

    /// Draws these items, each picture made once.
    pub fn render(&self, items: &[Item]) -> Result<Picture, TooLarge> {
        let made: RefCell<HashMap<PictureKey, Option<Arc<Picture>>>> = RefCell::default();
        let pictures = |key: &PictureKey| {
            made.borrow_mut().entry(*key).or_insert_with(|| self.picture(key).map(Arc::new)).clone()
        };
        render(self.scene.size(), self.scene.clear_color(), items, &pictures)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::testing::{add, at, file, frame_guid, give_sprite, numbers, parent};
    use super::*;
    use crate::format::tex::{Metadata, TexFrame};
    use crate::geometry::{PixelRect, Size};

    /// A scene of 2 x 1 pixels with a sprite of one pixel at the left and one at the right.
    fn scene() -> Scene {
        let mut scene = Scene::new("Test");
        scene.body = scene.body.with("width", 2.into()).with("height", 1.into());
        for (x, frame) in [(-0.5, 0), (0.5, 1)] {
            let object = add(&mut scene, None, at(x / 16.0, 0.0));
            give_sprite(&mut scene, object, Some(frame), &[]);
        }
        scene
    }

    /// A folder with a texture of two frames of one pixel.
    fn storage() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let frame = |id| TexFrame::new(Guid::for_frame(parent(), id), PixelRect::new(id as i32, 0, 1, 1));
        let metadata = Metadata { frames: vec![frame(0), frame(1)], ..Metadata::default() };
        let size = Size::new(2, 1);
        fs::write(file_of(folder.path(), parent()), file(size, &numbers(size), &metadata)).unwrap();
        folder
    }

    #[test]
    fn a_scene_is_drawn_from_the_files_of_its_parents() {
        let storage = storage();
        let stage = Stage::load(storage.path(), &scene());
        assert_eq!(stage.textures.len(), 1);
        let items = stage.items();
        assert!(items.iter().all(|item| item.fault.is_none()));
        assert_eq!(stage.render(&items).unwrap().rgba, [0, 0, 0, 255, 1, 0, 0, 255]);
    }

    #[test]
    fn an_older_scene_is_drawn_when_somebody_knows_its_frames() {
        let storage = storage();
        let mut scene = Scene::new("Test");
        scene.body = scene.body.with("width", 1.into()).with("height", 1.into());
        let object = add(&mut scene, None, at(0.0, 0.0));
        scene
            .object_mut(object)
            .unwrap()
            .add_sprite(&AssetRef { guid: frame_guid(1).as_str().into(), source: "".into() });
        let stage = Stage::load_with(storage.path(), &scene, &|_| Some(parent()));
        assert_eq!(stage.render(&stage.items()).unwrap().rgba, [1, 0, 0, 255]);
        let unknown = Stage::load(storage.path(), &scene).items();
        assert!(matches!(unknown[0].fault, Some(Fault::Unloadable(_))), "{unknown:?}");
    }

    #[test]
    fn a_texture_that_is_not_there_is_told_and_nothing_drawn() {
        let empty = tempfile::tempdir().unwrap();
        let stage = Stage::load(empty.path(), &scene());
        let items = stage.items();
        for item in &items {
            let Some(Fault::Unloadable(why)) = &item.fault else { panic!("{item:?}") };
            assert!(why.contains(&parent().to_string()), "{why}");
        }
        assert_eq!(stage.render(&items).unwrap().rgba, [0, 0, 0, 255].repeat(2));
    }
}
