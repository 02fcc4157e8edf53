//! What the session does with its open sheets: open, edit, save, and keep up with their files.

use std::sync::Arc;

use super::document::{Document, Load, SheetOnDisk};
use super::io::Job;
use super::save::Save;
use super::{Command, Session, Workspace, outside};
use crate::edit::Change as _;
use crate::edit::{Edit, Revision};
use crate::hash::ContentHash;
use crate::import::service::Request;
use crate::registry::{Registry, State};

impl Session {
    pub(super) fn with_current(&mut self, change: impl FnOnce(&mut Document)) {
        if let Some(document) = self.current.and_then(|index| self.documents.get_mut(index)) {
            change(document);
        }
    }

    fn document_mut(&mut self, path: &str) -> Option<&mut Document> {
        self.documents.iter_mut().find(|document| *document.path == *path)
    }

    pub(super) fn open_sheet(&mut self, path: &Arc<str>) {
        let Some(open) = &self.open else { return };
        if let Some(index) = self.documents.iter().position(|document| document.path == *path) {
            self.current = Some(index);
            return;
        }
        let guid = open.registry.asset(path).map(|asset| asset.guid);
        self.io.ask(Job::Read { project: open.project.clone(), path: path.clone(), guid });
        self.documents.push(Document::loading(path.clone(), guid));
        self.current = Some(self.documents.len() - 1);
    }

    pub(super) fn close_sheet(&mut self, path: &str) {
        let Some(index) = self.documents.iter().position(|document| *document.path == *path) else { return };
        self.documents.remove(index);
        self.current = match self.current {
            Some(current) if current > index => Some(current - 1),
            Some(current) => self.documents.len().checked_sub(1).map(|last| current.min(last)),
            None => None,
        };
    }

    /// Shows the next open document, or the one before; sheets come first.
    pub(super) fn step_tab(&mut self, by: isize) {
        let (sheets, scenes) = (self.documents.len(), self.scenes.documents.len());
        let shown = match self.workspace {
            Workspace::Slice => self.current,
            Workspace::Scene => self.scenes.current.map(|index| sheets + index),
        };
        let count = (sheets + scenes) as isize;
        let Some(next) = shown.map(|shown| (shown as isize + by).rem_euclid(count.max(1)) as usize) else {
            return;
        };
        if next < sheets {
            (self.workspace, self.current) = (Workspace::Slice, Some(next));
        } else {
            (self.workspace, self.scenes.current) = (Workspace::Scene, Some(next - sheets));
        }
    }

    pub(super) fn edit(&mut self, edit: &Edit) {
        let Some(document) = self.current.and_then(|index| self.documents.get_mut(index)) else { return };
        if !document.is_ready() {
            return;
        }
        if let Err(why) = document.history.apply(edit, document.image_size) {
            self.toasts.warn(format!("{}: {why}", edit.label()));
        }
    }

    pub(super) fn save_current(&mut self) {
        if let Some(path) = self.current().map(|document| document.path.clone()) {
            self.save(&path);
        }
    }

    pub(super) fn save_all(&mut self) {
        let changed: Vec<_> = self.changed().collect();
        for path in changed {
            self.save_any(&path);
        }
    }

    pub(super) fn save(&mut self, path: &str) {
        if self.saves_later(path) {
            return;
        }
        let Some(open) = &self.open else { return };
        let Some(index) = self.documents.iter().position(|document| *document.path == *path) else { return };
        let document = &mut self.documents[index];
        if document.theirs.is_some() {
            // What others wrote would be gone, and nobody has said that it may.
            let name = document.file_name();
            self.toasts.warn(format!(
                "{name} was not saved: its sidecar was changed outside. Keep yours or take theirs first"
            ));
            self.current = Some(index);
            self.continue_after_saves();
            return;
        }
        let known = open.registry.asset(path).map(|asset| asset.guid).or(document.guid);
        let guid = known.unwrap_or_else(crate::guid::Guid::random);
        document.history.publish();
        // A save right behind another replaces what that one writes.
        let expected = document.sidecar_hash.filter(|_| document.saving.is_none());
        document.saving = Some(document.history.revision());
        self.io.ask(Job::Save(Box::new(Save {
            project: open.project.clone(),
            path: document.path.clone(),
            guid,
            sheet: document.sheet().clone(),
            image_size: document.image_size,
            revision: document.history.revision(),
            expected,
        })));
    }

    pub(super) fn take_saved(&mut self, path: &str, revision: Revision, result: Result<ContentHash, String>) {
        if let Some(document) = self.document_mut(path) {
            document.saving = None;
            if let Ok(hash) = &result {
                document.saved = Some(revision);
                document.sidecar_hash = Some(*hash);
            }
        }
        self.after_save(path, result.err(), Self::read_again);
    }

    /// A save is through: the importer looks at the file, or it is told why not and the file read again.
    pub(super) fn after_save(&mut self, path: &str, failure: Option<String>, read_again: fn(&Self, &str)) {
        if let Some(why) = failure {
            self.toasts.error(why);
            read_again(self, path);
        } else if let Some(open) = &self.open {
            open.requester.ask(Request::Look(open.project.file(path)));
        }
        self.continue_after_saves();
    }

    /// Takes the sheet as its file has it, as a step of the history.
    pub(super) fn revert(&mut self) {
        let Some(document) = self.current.and_then(|index| self.documents.get_mut(index)) else { return };
        // Whatever the file says is news, and nothing stands against it.
        document.sidecar_hash = None;
        document.theirs = None;
        document.saved = Some(document.history.revision());
        let path = document.path.clone();
        self.read_again(&path);
    }

    /// Looks at a sheet's files once more.
    pub(super) fn read_again(&self, path: &str) {
        let Some(open) = &self.open else { return };
        let Some(document) = self.documents.iter().find(|document| *document.path == *path) else { return };
        let (path, guid) = (document.path.clone(), document.guid);
        self.io.ask(Job::Read { project: open.project.clone(), path, guid });
    }

    pub(super) fn take_read(&mut self, path: &str, result: Result<SheetOnDisk, String>) {
        let Some(document) = self.document_mut(path) else { return };
        match result {
            Ok(disk) => {
                outside::take_disk(document, disk);
            }
            // A sheet that is being edited stays: its file may come back.
            Err(why) if !document.is_ready() => document.load = Load::Failed(why),
            Err(why) => log::debug!("{why}: {path}"),
        }
    }

    /// Brings the open sheets up to date with what the importer found.
    pub(super) fn follow_registry(&mut self, before: &Registry) {
        let Some(open) = &self.open else { return };
        let mut reads = Vec::new();
        let mut reloaded = Vec::new();
        for document in &mut self.documents {
            let asset = match open.registry.asset(&document.path) {
                Some(asset) => asset,
                // Its file moved, and its sidecar told where to.
                None => match document.guid.and_then(|guid| open.registry.by_guid(guid)) {
                    Some(asset) => {
                        document.path = asset.path.clone();
                        asset
                    }
                    None => continue,
                },
            };
            document.guid = Some(asset.guid);
            let last = before.asset(&document.path);
            if last.is_some_and(|last| Arc::ptr_eq(last, asset)) {
                continue;
            }
            let image_hash = |asset: &crate::registry::Asset| asset.image.as_ref().map(|image| image.hash);
            let had = last.and_then(|last| image_hash(last));
            if asset.state == State::UpToDate && had.is_some() && had != image_hash(asset) {
                reloaded.push(document.file_name().to_owned());
            }
            reads.push((document.path.clone(), asset.guid));
        }
        for name in reloaded {
            self.toasts.offer(format!("{name} changed outside, reloaded"), Command::ShowChanges);
        }
        for (path, guid) in reads {
            self.io.ask(Job::Read { project: open.project.clone(), path, guid: Some(guid) });
        }
    }
}
