//! An open scene: its history, what its file says, and whether the two agree.

use std::collections::HashSet;
use std::sync::Arc;

use super::action::SelectMode;
use super::document::Load;
use super::scene_problems::SceneTold;
use super::selection::after_click;
use crate::edit::{History, Revision, SceneEdit};
use crate::hash::ContentHash;
use crate::model::scene::{Object, ObjectKey};
use crate::model::{Problem, Scene};

/// What a look at a scene's file gave.
#[derive(Debug, Clone)]
pub struct SceneOnDisk {
    /// The scene.
    pub scene: Scene,
    /// Hash of the file.
    pub hash: ContentHash,
    /// What is odd about it.
    pub problems: Vec<Problem>,
}

/// An open scene.
#[derive(Debug)]
pub struct SceneDocument {
    /// Its path, relative to the project.
    pub path: Arc<str>,
    /// Where it stands.
    pub load: Load,
    /// Its states.
    pub history: History<Scene>,
    /// The state that its file has; `None` when it has none of them, or there is no file yet.
    pub saved: Option<Revision>,
    /// The state that a running save writes.
    pub saving: Option<Revision>,
    /// Its file as we last read or wrote it; `None` while there is none.
    pub file_hash: Option<ContentHash>,
    /// What its file says since it was changed outside, while there are unsaved edits here.
    pub theirs: Option<Box<SceneOnDisk>>,
    /// What is odd about its file.
    pub problems: Vec<Problem>,
    /// The object that Shift extends from.
    anchor: Option<ObjectKey>,
    /// What it refers to and what is wrong with it, as of its last state.
    pub(super) told: Option<SceneTold>,
}

impl SceneDocument {
    /// A document whose file is still to be read.
    pub fn loading(path: Arc<str>) -> Self {
        let history = History::new(Scene::default());
        let saved = Some(history.revision());
        Self {
            path,
            load: Load::Loading,
            history,
            saved,
            saving: None,
            file_hash: None,
            theirs: None,
            problems: Vec::new(),
            anchor: None,
            told: None,
        }
    }

    /// A scene that has no file yet.
    pub fn new(path: Arc<str>, scene: Scene) -> Self {
        Self { load: Load::Ready, history: History::new(scene), saved: None, ..Self::loading(path) }
    }

    /// The last part of its path.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether it can be edited.
    pub fn is_ready(&self) -> bool {
        matches!(self.load, Load::Ready)
    }

    /// Whether it has no file yet.
    pub fn is_new(&self) -> bool {
        self.is_ready() && self.file_hash.is_none()
    }

    /// Whether its file says something else, or there is none.
    pub fn is_dirty(&self) -> bool {
        self.is_ready() && (self.theirs.is_some() || self.saved != Some(self.history.revision()))
    }

    /// The scene as it is now.
    pub fn scene(&self) -> &Scene {
        self.history.scene()
    }

    /// Whether an object is selected.
    pub fn is_selected(&self, key: ObjectKey) -> bool {
        self.history.selection().contains(&key)
    }

    /// The selected objects, in the order of the tree.
    pub fn selected(&self) -> Vec<&Arc<Object>> {
        if self.history.selection().is_empty() {
            return Vec::new();
        }
        let selection: HashSet<ObjectKey> = self.history.selection().iter().copied().collect();
        self.scene()
            .walk()
            .map(|(_, object)| object)
            .filter(|object| selection.contains(&object.key))
            .collect()
    }

    /// Changes the selection as a click on an object does.
    pub fn select(&mut self, key: ObjectKey, mode: SelectMode) {
        let order = || self.history.scene().walk().map(|(_, object)| object.key).collect();
        let selection = after_click(self.history.selection(), &mut self.anchor, key, mode, order);
        self.history.select(selection);
    }

    /// Takes unsaved edits of an earlier run, as a step of the history; of a scene that has no file they are all there is.
    pub fn recover(&mut self, scene: Scene) {
        if !self.is_ready() {
            *self = Self::new(self.path.clone(), scene);
            return;
        }
        self.history.seal();
        // To take over another scene cannot fail.
        self.history.apply(&SceneEdit::Recover(scene), ()).ok();
        self.history.seal();
    }

    /// Begins with what the file says.
    pub fn take_first(&mut self, disk: SceneOnDisk) {
        // An object may have been selected, from the list of problems, before the scene was read.
        let selection = self.history.selection().to_vec();
        self.history = History::new(disk.scene);
        self.history.select(selection);
        self.history.forget_missing_selection();
        self.saved = Some(self.history.revision());
        self.file_hash = Some(disk.hash);
        self.problems = disk.problems;
        self.load = Load::Ready;
    }
}
