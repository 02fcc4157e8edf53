//! What the session does with its open sheets: open, edit, save, and keep up with their files.

use std::sync::Arc;

use super::document::{Document, Load, SheetOnDisk};
use super::io::Job;
use super::save::Save;
use super::{Command, Session};
use crate::edit::{Edit, Reshape, Revision};
use crate::geometry::Size;
use crate::hash::ContentHash;
use crate::import::service::Request;
use crate::model::frame::RectFault;
use crate::registry::{Registry, State};
use crate::slicing::grid;

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

    pub(super) fn step_tab(&mut self, by: usize) {
        if let Some(current) = self.current {
            self.current = Some((current + by) % self.documents.len());
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
        let changed: Vec<_> = self
            .documents
            .iter()
            .filter(|document| document.is_dirty())
            .map(|document| document.path.clone())
            .collect();
        for path in changed {
            self.save(&path);
        }
    }

    pub(super) fn save(&mut self, path: &str) {
        let Some(open) = &self.open else { return };
        let Some(document) = self.documents.iter_mut().find(|document| *document.path == *path) else {
            return;
        };
        let known = open.registry.asset(path).map(|asset| asset.guid).or(document.guid);
        let guid = known.unwrap_or_else(crate::guid::Guid::random);
        document.history.publish();
        document.saving = Some(document.history.revision());
        self.io.ask(Job::Save(Box::new(Save {
            project: open.project.clone(),
            path: document.path.clone(),
            guid,
            sheet: document.sheet().clone(),
            image_size: document.image_size,
            revision: document.history.revision(),
        })));
    }

    pub(super) fn take_saved(&mut self, path: &str, revision: Revision, result: Result<ContentHash, String>) {
        if let Some(document) = self.document_mut(path) {
            document.saving = None;
            if let Ok(hash) = &result {
                document.saved = revision;
                document.sidecar_hash = Some(*hash);
            }
        }
        match result {
            Ok(_) => {
                if let Some(open) = &self.open {
                    open.requester.ask(Request::Look(open.project.file(path)));
                }
            }
            Err(why) => self.toasts.error(why),
        }
        self.continue_after_saves();
    }

    /// Takes the sheet as its file has it, as a step of the history.
    pub(super) fn revert(&mut self) {
        let Some(open) = &self.open else { return };
        let Some(document) = self.current.and_then(|index| self.documents.get_mut(index)) else { return };
        // Whatever the file says is news.
        document.sidecar_hash = None;
        document.saved = document.history.revision();
        let (path, guid) = (document.path.clone(), document.guid);
        self.io.ask(Job::Read { project: open.project.clone(), path, guid });
    }

    /// Takes what was changed outside instead of the unsaved edits, which undo brings back.
    pub(super) fn take_theirs(&mut self) {
        self.with_current(|document| {
            if let Some(disk) = document.theirs.take() {
                take_as_step(document, *disk);
                document.saved = document.history.revision();
            }
        });
    }

    /// What becomes of a grid's frames now that the image has another size.
    pub(super) fn answer_resize(&mut self, answer: Command) {
        let Some(document) = self.current() else { return };
        let run = document.sheet().recipe.as_ref().and_then(|recipe| recipe.single_run()).cloned();
        let edit = match (answer, run) {
            (Command::KeepPlaces, Some(run)) => Edit::SetGrid(run),
            (Command::Renumber, Some(run)) => Edit::Renumber(run),
            _ => Edit::ToAtlas,
        };
        self.edit(&edit);
        self.with_current(|document| {
            document.history.seal();
            document.resized = None;
            document.has_shrunk &= document.frames_outside() != (0, 0);
        });
    }

    /// Clips frames to the image, or deletes those that are outside it.
    pub(super) fn mend_outside(&mut self, how: Command) {
        let Some(document) = self.current() else { return };
        let image = document.image_size;
        let frames = document.sheet().frames.iter();
        let edit = if how == Command::ClipOutside {
            let partly = frames.filter(|frame| frame.fault(image) == Some(RectFault::PartlyOutside));
            let clipped = partly.filter_map(|frame| Some((frame.id, frame.drawn_rect(image)?)));
            Edit::SetRects(Reshape::Clip, clipped.collect())
        } else {
            let outside = frames.filter(|frame| frame.fault(image) == Some(RectFault::Outside));
            Edit::Remove(outside.map(|frame| frame.id).collect())
        };
        self.edit(&edit);
        self.with_current(|document| {
            document.history.seal();
            document.has_shrunk &= document.frames_outside() != (0, 0);
        });
    }

    pub(super) fn take_read(&mut self, path: &str, result: Result<SheetOnDisk, String>) {
        let Some(document) = self.document_mut(path) else { return };
        match result {
            Ok(disk) => {
                take_disk(document, disk);
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

/// Takes what a sheet's files say: at first as the beginning, later as a step of the history. Our own save is no news;
/// what would cost unsaved edits, or renumber frames, waits for an answer.
fn take_disk(document: &mut Document, disk: SheetOnDisk) {
    if !document.is_ready() {
        document.take_first(disk);
        return;
    }
    let image_before = document.image_size;
    let image_changed = image_before != disk.image_size;
    let sidecar_changed = document.sidecar_hash != disk.sidecar_hash;
    document.image_size = disk.image_size;
    if image_changed {
        note_resize(document, image_before);
    }
    if document.saving.is_some() || !sidecar_changed {
        return;
    }
    let is_first_sidecar = document.sidecar_hash.is_none();
    document.sidecar_hash = disk.sidecar_hash;
    if document.is_dirty() {
        document.theirs = (disk.sheet != *document.sheet()).then(|| Box::new(disk));
        return;
    }
    if is_first_sidecar && !document.sheet().is_sliced() && disk.sheet == *document.sheet() {
        return;
    }
    document.resized = None;
    take_as_step(document, disk);
    document.saved = document.history.revision();
}

fn take_as_step(document: &mut Document, disk: SheetOnDisk) {
    document.history.seal();
    // Taking a sheet from disk is always possible.
    drop(document.history.apply(&Edit::TakeFromDisk(disk.sheet), disk.image_size));
    document.history.publish();
}

/// Under a grid another number of columns would renumber what scenes refer to, so somebody has to say what is meant.
/// An image that got back the size it had is as if nothing was.
fn note_resize(document: &mut Document, before: Size) {
    let now = document.image_size;
    document.has_shrunk = document.frames_outside() != (0, 0);
    if document.resized == Some(now) {
        document.resized = None;
        return;
    }
    let run = document.sheet().recipe.as_ref().and_then(|recipe| recipe.single_run());
    let shape = |image| run.map(|run| grid::columns_and_rows(run, image));
    if shape(before) != shape(now) {
        document.resized.get_or_insert(before);
    }
}
