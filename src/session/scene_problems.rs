//! What is wrong with scenes, of open ones as they are now, and what can be done about sprites that are not there.

use std::collections::HashSet;
use std::sync::Arc;

use super::{SceneDocument, Session};
use crate::edit::Revision;
use crate::model::Problem;
use crate::model::scene::sprite::is_sprite_type;
use crate::model::scene::{AssetRef, ObjectKey};
use crate::registry::{Reference, Registry, broken_references, is_broken, references_of};

/// What an open scene refers to and what is wrong with it, and what that was found from.
#[derive(Debug)]
pub(super) struct SceneTold {
    revision: Revision,
    registry: Arc<Registry>,
    /// In the order of its tree.
    pub(super) references: Arc<[Reference]>,
    /// What is odd about its file, then its broken references.
    pub(super) problems: Vec<Problem>,
}

/// A sprite that is not there, and the object that shows it.
pub type BrokenSprite = (ObjectKey, AssetRef);

impl Session {
    /// Brings what is told of open scenes up to date, where anything changed; whether it did.
    pub(super) fn follow_scene_problems(&mut self) -> bool {
        let Some(open) = &self.open else { return false };
        let mut changed = false;
        for document in &mut self.scenes.documents {
            if document.is_ready() {
                changed |= follow(document, &open.registry);
            } else {
                document.told = None;
            }
        }
        if changed {
            self.ask_for_textures();
        }
        changed
    }

    /// Has the textures of the shown scene loaded while the window works out what else there is to draw.
    fn ask_for_textures(&self) {
        let Some(told) = self.scene().and_then(|document| document.told.as_ref()) else { return };
        let mut asked = HashSet::new();
        for Reference { guid, source, component, .. } in told.references.iter() {
            let reference = AssetRef { guid: guid.clone(), source: source.clone() };
            let parent = is_sprite_type(component).then(|| self.texture_of(&reference).ok()).flatten();
            if let Some(parent) = parent.filter(|parent| asked.insert(*parent)) {
                // What comes of it, the canvas asks for.
                drop(self.loaded_texture(parent));
            }
        }
    }

    /// The problems of scenes by their paths, those of scenes without a file last.
    pub(super) fn problems_of_scenes<'a>(&'a self) -> impl Iterator<Item = &'a Problem> {
        let registry = self.project().map(|open| &*open.registry);
        let of_file = move |registry: &'a Registry, path: &'a str| {
            let told = self.told_of(path);
            let as_found = told.is_none().then(|| registry.problems_of_referrer(path));
            told.into_iter().flat_map(|told| &told.problems).chain(as_found.into_iter().flatten())
        };
        let with_file = registry.into_iter().flat_map(move |registry| {
            registry.referrers().flat_map(move |referrer| of_file(registry, &referrer.path))
        });
        let has_file = move |path: &str| registry.is_some_and(|registry| registry.referrer(path).is_some());
        let without = self.told_of_scenes().filter(move |(path, _)| !has_file(path));
        with_file.chain(without.flat_map(|(_, told)| &told.problems))
    }

    /// What is told of open scenes, with their paths.
    pub(super) fn told_of_scenes(&self) -> impl Iterator<Item = (&Arc<str>, &SceneTold)> {
        let documents = self.scenes.documents.iter();
        documents.filter_map(|document| Some((&document.path, document.told.as_ref()?)))
    }

    fn told_of(&self, path: &str) -> Option<&SceneTold> {
        self.told_of_scenes().find(|(of, _)| ***of == *path).map(|(_, told)| told)
    }

    /// The sprites that are not there of these objects of a scene.
    pub fn broken_sprites(&self, path: &str, objects: &HashSet<ObjectKey>) -> Vec<BrokenSprite> {
        let Some(open) = self.project() else { return Vec::new() };
        let told = self.told_of(path).map(|told| &*told.references);
        let in_file = || open.registry.referrer(path).map(|referrer| &*referrer.references);
        let references = told.or_else(in_file).unwrap_or_default();
        let broken = references.iter().filter_map(|reference| {
            let key = ObjectKey(reference.object?);
            let is_meant = is_sprite_type(&reference.component) && objects.contains(&key);
            let Reference { guid, source, .. } = reference;
            let sprite = || AssetRef { guid: guid.clone(), source: source.clone() };
            (is_meant && is_broken(&open.registry, reference)).then(|| (key, sprite()))
        });
        broken.collect()
    }

    /// Why the sprites of a scene cannot be changed from elsewhere now; `None` when they can.
    pub fn why_not_mended(&self, path: &str) -> Option<&'static str> {
        match self.scenes.documents.iter().find(|document| *document.path == *path) {
            None => Some("Open the scene first: a click on the problem does"),
            Some(document) if !document.is_ready() => Some("The scene is still being read"),
            Some(_) => None,
        }
    }
}

fn follow(document: &mut SceneDocument, registry: &Arc<Registry>) -> bool {
    let revision = document.history.revision();
    let last = document.told.take();
    if let Some(told) = &last
        && told.revision == revision
        && Arc::ptr_eq(&told.registry, registry)
    {
        document.told = last;
        return false;
    }
    let references = match &last {
        Some(told) if told.revision == revision => told.references.clone(),
        _ => references_of(document.scene()).into(),
    };
    let problems = match last {
        // Which are broken is decided when all assets are known; until then what was told still holds.
        Some(told) if !registry.are_references_settled() => told.problems,
        None if !registry.are_references_settled() => {
            registry.problems_of_referrer(&document.path).cloned().collect()
        }
        _ => {
            let of_file = registry.referrer(&document.path).map(|referrer| referrer.problems.iter().cloned());
            let broken = broken_references(registry, &document.path, &references);
            of_file.into_iter().flatten().chain(broken).collect()
        }
    };
    document.told = Some(SceneTold { revision, registry: registry.clone(), references, problems });
    true
}
