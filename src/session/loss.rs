//! What hangs on files: how much goes with them, what is unsaved of it, and who uses it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::Session;
use crate::guid::Guid;
use crate::model::scene::{AssetRef, object};

/// What goes when files are deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loss {
    /// Sheets, with their numbers of frames.
    pub sheets: Vec<(Arc<str>, usize)>,
    /// Scenes.
    pub scenes: Vec<Arc<str>>,
    /// Folders that were named themselves: all that is in them goes, whatever it is.
    pub folders: Vec<Arc<str>>,
    /// Of the sheets and scenes those with unsaved edits.
    pub unsaved: Vec<Arc<str>>,
    /// Who else uses them.
    pub users: Vec<User>,
}

/// A scene that uses something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The scene's path.
    pub path: Arc<str>,
    /// How many of its objects do.
    pub objects: usize,
}

impl Loss {
    /// Number of frames of all sheets.
    pub fn frames(&self) -> usize {
        self.sheets.iter().map(|(_, frames)| frames).sum()
    }
}

/// Whether a path is one of these or in one of these folders.
pub(super) fn is_of(paths: &[Arc<str>], path: &str) -> bool {
    let is_in = |folder: &Arc<str>| path.strip_prefix(&**folder).is_some_and(|rest| rest.starts_with('/'));
    paths.iter().any(|it| **it == *path || is_in(it))
}

impl Session {
    /// What hangs on these files and folders.
    pub fn loss_of(&self, paths: &[Arc<str>]) -> Loss {
        let Some(open) = &self.open else { return Loss::default() };
        let mut loss = Loss { folders: self.folders_among(paths), ..Loss::default() };
        let mut guids = HashSet::new();
        for asset in open.registry.assets().filter(|asset| is_of(paths, &asset.path)) {
            let document = self.documents.iter().find(|it| it.path == asset.path && it.is_ready());
            let frames = document.map_or(asset.frames.len(), |document| document.sheet().frames.len());
            loss.sheets.push((asset.path.clone(), frames));
            guids.insert(asset.guid);
            guids.extend(asset.frames.iter().map(|frame| frame.guid));
        }
        for scene in open.registry.referrers().filter(|scene| is_of(paths, &scene.path)) {
            loss.scenes.push(scene.path.clone());
            guids.insert(scene.guid);
        }
        loss.unsaved = self.changed().filter(|path| is_of(paths, path)).collect();
        loss.users = self.users_of(&guids, paths);
        loss
    }

    /// The scenes outside of `paths` that refer to one of the GUIDs; open ones as they are edited.
    fn users_of(&self, guids: &HashSet<Guid>, paths: &[Arc<str>]) -> Vec<User> {
        let Some(open) = &self.open else { return Vec::new() };
        let mut users: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        for document in self.scenes.documents.iter().filter(|it| it.is_ready() && !is_of(paths, &it.path)) {
            let uses = |reference: &AssetRef| {
                let texts = [&reference.guid, &reference.source];
                texts.into_iter().filter_map(|text| text.parse().ok()).any(|guid| guids.contains(&guid))
            };
            let is_user = |components: &[crate::model::scene::Value]| {
                let mut found = Vec::new();
                for component in components {
                    object::references(component, &mut found);
                }
                found.iter().any(|(_, reference)| uses(reference))
            };
            let objects = document.scene().walk().filter(|(_, object)| is_user(object.components())).count();
            if objects > 0 {
                users.insert(document.path.clone(), objects);
            }
        }
        let is_open = |path: &Arc<str>| {
            self.scenes.documents.iter().any(|document| document.path == *path && document.is_ready())
        };
        let mut objects: BTreeMap<Arc<str>, BTreeSet<Option<u32>>> = BTreeMap::new();
        let mut sorted: Vec<_> = guids.iter().copied().collect();
        sorted.sort_unstable();
        for (referrer, reference) in sorted.into_iter().flat_map(|guid| open.registry.uses_of(guid)) {
            if !is_of(paths, &referrer.path) && !is_open(&referrer.path) {
                objects.entry(referrer.path.clone()).or_default().insert(reference.object);
            }
        }
        users.extend(objects.into_iter().map(|(path, objects)| (path, objects.len())));
        users.into_iter().map(|(path, objects)| User { path, objects }).collect()
    }
}
