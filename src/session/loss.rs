//! What hangs on files: how much goes with them, what is unsaved of it, and who uses it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Session;
use crate::guid::Guid;

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
        let mut guids = Vec::new();
        for asset in open.registry.assets().filter(|asset| is_of(paths, &asset.path)) {
            let document = self.documents.iter().find(|it| it.path == asset.path && it.is_ready());
            let frames = document.map_or(asset.frames.len(), |document| document.sheet().frames.len());
            loss.sheets.push((asset.path.clone(), frames));
            guids.push(asset.guid);
        }
        let scenes = open.registry.referrers().filter(|scene| is_of(paths, &scene.path));
        loss.scenes = scenes.map(|scene| scene.path.clone()).collect();
        loss.unsaved = self.changed().filter(|path| is_of(paths, path)).collect();
        loss.users = self.users_of(&guids, paths);
        loss
    }

    /// The scenes outside of `paths` that use one of the sheets.
    fn users_of(&self, sheets: &[Guid], paths: &[Arc<str>]) -> Vec<User> {
        let mut objects: BTreeMap<&Arc<str>, BTreeSet<Option<u32>>> = BTreeMap::new();
        for used in sheets.iter().flat_map(|guid| self.uses_of_sheet(*guid)) {
            if !is_of(paths, &used.scene) {
                objects.entry(&used.scene).or_default().insert(used.object);
            }
        }
        objects
            .into_iter()
            .map(|(path, objects)| User { path: path.clone(), objects: objects.len() })
            .collect()
    }
}
