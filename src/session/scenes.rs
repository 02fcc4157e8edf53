//! What the session does with its open scenes: open, edit, save, and keep up with their files.

use std::sync::Arc;

use super::document::Load;
use super::io::Job;
use super::scene_document::{SceneDocument, SceneOnDisk};
use super::scene_file::SceneSave;
use super::{Session, Workspace};
use crate::edit::{Change as _, Revision, SceneEdit};
use crate::hash::ContentHash;
use crate::model::Scene;
use crate::model::files::SCENE_EXTENSION;

/// Where new scenes go in a game project.
const SCENES_FOLDER: &str = "scenes";

/// The open scenes, and which of them is shown in the Scene workspace.
#[derive(Default)]
pub(super) struct Scenes {
    pub(super) documents: Vec<SceneDocument>,
    pub(super) current: Option<usize>,
}

impl Scenes {
    pub(super) fn by_path(&mut self, path: &str) -> Option<&mut SceneDocument> {
        self.documents.iter_mut().find(|document| *document.path == *path)
    }
}

impl Session {
    /// The open scenes, in the order of their tabs.
    pub fn scenes(&self) -> &[SceneDocument] {
        &self.scenes.documents
    }

    /// The scene that is shown, or would be in the Scene workspace.
    pub fn scene(&self) -> Option<&SceneDocument> {
        self.scenes.documents.get(self.scenes.current?)
    }

    pub(super) fn with_scene(&mut self, change: impl FnOnce(&mut SceneDocument)) {
        if let Some(document) = self.scenes.current.and_then(|index| self.scenes.documents.get_mut(index)) {
            change(document);
        }
    }

    pub(super) fn open_scene(&mut self, path: &Arc<str>) {
        let Some(open) = &self.open else { return };
        self.workspace = Workspace::Scene;
        if let Some(index) = self.scenes.documents.iter().position(|document| document.path == *path) {
            self.scenes.current = Some(index);
            return;
        }
        self.io.ask(Job::ReadScene { project: open.project.clone(), path: path.clone() });
        self.add_scene(SceneDocument::loading(path.clone()));
    }

    /// Begins a scene that has no file yet.
    pub(super) fn new_scene(&mut self) {
        let Some(path) = self.free_scene_path() else { return };
        let name = path.rsplit('/').next().unwrap_or(&path);
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        self.workspace = Workspace::Scene;
        self.add_scene(SceneDocument::new(path.clone(), Scene::new(name)));
    }

    fn add_scene(&mut self, document: SceneDocument) {
        self.scenes.documents.push(document);
        self.scenes.current = Some(self.scenes.documents.len() - 1);
    }

    /// A path that no scene has.
    fn free_scene_path(&self) -> Option<Arc<str>> {
        let open = self.open.as_ref()?;
        let folder = open.project.assets_prefix();
        let path = |number: u32| -> Arc<str> {
            let number = if number == 1 { String::new() } else { format!("_{number}") };
            format!("{folder}{SCENES_FOLDER}/scene{number}.{SCENE_EXTENSION}").into()
        };
        let is_free = |path: &Arc<str>| {
            let is_open = self.scenes.documents.iter().any(|document| document.path == *path);
            !is_open && open.registry.referrer(path).is_none()
        };
        (1..=u32::MAX).map(path).find(is_free)
    }

    /// Closes a scene; whether there was one of that path.
    pub(super) fn close_scene(&mut self, path: &str) -> bool {
        let Scenes { documents, current } = &mut self.scenes;
        let Some(index) = documents.iter().position(|document| *document.path == *path) else { return false };
        documents.remove(index);
        *current = match *current {
            Some(shown) if shown > index => Some(shown - 1),
            Some(shown) => documents.len().checked_sub(1).map(|last| shown.min(last)),
            None => None,
        };
        true
    }

    pub(super) fn edit_scene(&mut self, edit: &SceneEdit) {
        let Some(document) = self.scenes.current.and_then(|index| self.scenes.documents.get_mut(index))
        else {
            return;
        };
        if !document.is_ready() {
            return;
        }
        if let Err(why) = document.history.apply(edit, ()) {
            self.toasts.warn(format!("{}: {why}", edit.label()));
        }
    }

    /// Writes a scene into its file.
    pub(super) fn save_scene(&mut self, path: &str) {
        if self.saves_later(path) {
            return;
        }
        let Some(open) = &self.open else { return };
        let Some(index) = self.scenes.documents.iter().position(|document| *document.path == *path) else {
            return;
        };
        let document = &mut self.scenes.documents[index];
        if document.theirs.is_some() {
            let name = document.file_name();
            self.toasts.warn(format!(
                "{name} was not saved: its file was changed outside. Keep yours or take theirs first"
            ));
            (self.scenes.current, self.workspace) = (Some(index), Workspace::Scene);
            self.continue_after_saves();
            return;
        }
        document.history.publish();
        // A save right behind another replaces what that one writes.
        let is_first = document.saving.is_none();
        document.saving = Some(document.history.revision());
        self.io.ask(Job::SaveScene(Box::new(SceneSave {
            project: open.project.clone(),
            path: document.path.clone(),
            scene: document.scene().clone(),
            revision: document.history.revision(),
            expected: document.file_hash.filter(|_| is_first),
            is_new: document.file_hash.is_none() && is_first,
        })));
    }

    /// Saves the scene that is shown under another path, which becomes its own; the file from before stays.
    pub(super) fn save_scene_as(&mut self, path: &Arc<str>) {
        let is_taken = self.scenes.documents.iter().any(|document| document.path == *path);
        let Some(document) = self.scene() else { return };
        if document.path == *path {
            return self.save_scene(path);
        }
        if is_taken {
            self.toasts.warn(format!("Not saved: another tab has that name: {path}"));
            return;
        }
        self.with_scene(|document| {
            document.path = path.clone();
            document.file_hash = None;
            document.theirs = None;
            document.saved = None;
        });
        self.save_scene(path);
    }

    pub(super) fn take_scene_saved(
        &mut self,
        path: &str,
        revision: Revision,
        result: Result<ContentHash, String>,
    ) {
        if let Some(document) = self.scenes.by_path(path) {
            document.saving = None;
            if let Ok(hash) = &result {
                document.saved = Some(revision);
                document.file_hash = Some(*hash);
            }
        }
        self.after_save(path, result.err(), Self::read_scene_again);
    }

    /// Takes the scene as its file has it, as a step of the history.
    pub(super) fn revert_scene(&mut self) {
        let Some(document) = self.scenes.current.and_then(|index| self.scenes.documents.get_mut(index))
        else {
            return;
        };
        if document.is_new() {
            return;
        }
        document.file_hash = None;
        document.theirs = None;
        document.saved = Some(document.history.revision());
        let path = document.path.clone();
        self.read_scene_again(&path);
    }

    pub(super) fn read_scene_again(&self, path: &str) {
        let Some(open) = &self.open else { return };
        if let Some(document) = self.scenes.documents.iter().find(|document| *document.path == *path)
            && !document.is_new()
        {
            self.io.ask(Job::ReadScene { project: open.project.clone(), path: document.path.clone() });
        }
    }

    pub(super) fn take_scene_read(&mut self, path: &str, result: Result<SceneOnDisk, String>) {
        let Some(document) = self.scenes.by_path(path) else { return };
        match result {
            Ok(disk) => take_disk(document, disk),
            Err(why) if !document.is_ready() => document.load = Load::Failed(why),
            // A scene that is being edited stays: its file may come back.
            Err(why) => log::debug!("{why}: {path}"),
        }
    }

    /// Keeps the unsaved edits of the scene: the next save may replace what was changed outside.
    pub(super) fn keep_my_scene(&mut self) {
        self.with_scene(|document| {
            if let Some(theirs) = document.theirs.take() {
                document.file_hash = Some(theirs.hash);
                document.saved = None;
            }
        });
    }

    /// Takes the scene as it was changed outside; undo brings the edits back.
    pub(super) fn take_their_scene(&mut self) {
        self.with_scene(|document| {
            if let Some(disk) = document.theirs.take() {
                take_as_step(document, *disk);
            }
        });
    }

    /// Looks again at the files of open scenes that the importer saw change.
    pub(super) fn follow_scenes(&self, before: &crate::registry::Registry) {
        let Some(open) = &self.open else { return };
        for document in &self.scenes.documents {
            let now = open.registry.referrer(&document.path);
            if now
                .is_some_and(|now| before.referrer(&document.path).is_none_or(|last| !Arc::ptr_eq(last, now)))
            {
                self.read_scene_again(&document.path);
            }
        }
    }
}

/// What the file says now, of a scene that may have been edited meanwhile.
fn take_disk(document: &mut SceneDocument, disk: SceneOnDisk) {
    if !document.is_ready() {
        document.take_first(disk);
    } else if document.file_hash == Some(disk.hash) || document.saving.is_some() {
        // Our own write, or one that our running save will be asked about.
    } else if document.is_dirty() {
        document.theirs = Some(Box::new(disk));
    } else {
        take_as_step(document, disk);
    }
}

fn take_as_step(document: &mut SceneDocument, disk: SceneOnDisk) {
    let SceneOnDisk { scene, hash, problems } = disk;
    let selected: Vec<_> = document.selected().iter().filter_map(|object| id_of(object)).collect();
    document.history.seal();
    // Taking over what a file says cannot fail.
    document.history.apply(&SceneEdit::TakeFromDisk(scene), ()).ok();
    document.history.seal();
    let again =
        document.scene().walk().filter(|(_, object)| id_of(object).is_some_and(|id| selected.contains(&id)));
    let again = again.map(|(_, object)| object.key).collect();
    document.history.select(again);
    document.saved = Some(document.history.revision());
    document.file_hash = Some(hash);
    document.problems = problems;
}

/// What files know an object by.
fn id_of(object: &crate::model::scene::Object) -> Option<crate::model::scene::Value> {
    object.body.get("id").cloned()
}
