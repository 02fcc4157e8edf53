//! What other programs did to an open sheet: its sidecar changed, or its image has another size. What costs nothing is
//! taken; what would cost unsaved edits, move references or lose frames waits for an answer.

use std::collections::{HashMap, HashSet};

use super::document::{Document, SheetOnDisk};
use super::{Command, Session};
use crate::edit::{Change as _, Edit, Reshape, Revision};
use crate::geometry::{PixelRect, Size};
use crate::model::frame::RectFault;
use crate::model::{FrameId, Sheet};
use crate::slicing;

/// What stood open before an answer, which an undo brings back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answered {
    revision: Revision,
    resized: Option<Size>,
    has_shrunk: bool,
}

/// A frame that shows another picture, or none, once its grid is renumbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Renumbered {
    /// Its position among the frames there are.
    pub position: usize,
    /// What it shows, in image pixels.
    pub before: PixelRect,
    /// What its id shows afterwards; `None` where no cell gets that id.
    pub after: Option<PixelRect>,
}

impl Session {
    /// Keeps the unsaved edits: the next save may replace what was changed outside.
    pub(super) fn keep_mine(&mut self) {
        self.with_current(|document| {
            document.theirs = None;
            // No state of the history is the one that the file has now.
            document.saved = None;
        });
    }

    /// Takes what was changed outside instead of the unsaved edits, which undo brings back.
    pub(super) fn take_theirs(&mut self) {
        self.with_current(|document| {
            if let Some(disk) = document.theirs.take() {
                take_as_step(document, *disk);
            }
        });
    }

    /// What becomes of a grid's frames now that the image has another size.
    pub(super) fn answer_resize(&mut self, answer: Command) {
        let Some(document) = self.current() else { return };
        let edit = match (answer, document.sheet().single_run().cloned()) {
            (Command::KeepPlaces, Some(run)) => Edit::SetGrid(run),
            (Command::Renumber, Some(run)) => Edit::Renumber(run),
            _ => Edit::ToAtlas,
        };
        self.settle(&edit);
    }

    /// Clips frames to the image, or deletes those that are outside it.
    pub(super) fn mend_outside(&mut self, how: Command) {
        let Some(document) = self.current() else { return };
        let image = document.image_size;
        let (partly, _) = document.frames_outside();
        let frames = document.sheet().frames.iter();
        let edit = if how == Command::ClipOutside {
            let partly = frames.filter(|frame| frame.fault(image) == Some(RectFault::PartlyOutside));
            let clipped = partly.filter_map(|frame| Some((frame.id, frame.drawn_rect(image)?)));
            Edit::SetRects(Reshape::Clip, clipped.collect())
        } else if let Some(run) = document.sheet().single_run().filter(|_| partly == 0) {
            // What is left is a grid still.
            Edit::SetGrid(run.clone())
        } else {
            let outside = frames.filter(|frame| frame.fault(image) == Some(RectFault::Outside));
            Edit::Remove(outside.map(|frame| frame.id).collect())
        };
        self.settle(&edit);
    }

    /// Leaves the frames outside a smaller image as they are: it may get its old size back.
    pub(super) fn wait_for_size(&mut self) {
        self.with_current(|document| {
            document.has_shrunk = false;
            document.resized = None;
        });
    }

    /// Does what was answered, as a step of its own.
    fn settle(&mut self, edit: &Edit) {
        self.with_current(|document| {
            document.history.seal();
            document.answered = Some(Answered {
                revision: document.history.revision(),
                resized: document.resized,
                has_shrunk: document.has_shrunk,
            });
        });
        self.edit(edit);
        self.with_current(|document| {
            document.history.seal();
            document.has_shrunk &= document.frames_outside() != (0, 0);
            if !document.has_shrunk {
                document.resized = None;
            }
        });
    }

    /// After a step through the history: an answer that was undone is asked for again.
    pub(super) fn step_history(&mut self, step: impl FnOnce(&mut Document)) {
        self.with_current(|document| {
            step(document);
            let present = document.history.revision();
            let Some(answered) = document.answered else { return };
            let is_before = answered.revision == present;
            document.resized = answered.resized.filter(|_| is_before);
            document.has_shrunk = answered.has_shrunk && is_before;
        });
    }
}

impl Document {
    /// The cells that [`Command::KeepPlaces`] would add, while that is asked.
    pub fn cells_to_add(&self) -> Vec<PixelRect> {
        if self.resized.is_none() || self.has_shrunk {
            return Vec::new();
        }
        let there: HashSet<PixelRect> = self.sheet().frames.iter().map(|frame| frame.rect_in_image).collect();
        let cells = laid(self.sheet(), self.image_size).into_iter().flatten();
        cells.filter(|cell| !there.contains(cell)).collect()
    }

    /// The frames to which [`Command::Renumber`] would give another picture, while that is asked.
    pub fn renumbered(&self) -> Vec<Renumbered> {
        let sheet = self.sheet();
        let run = sheet.single_run().filter(|_| self.resized.is_some() && !self.has_shrunk);
        let after = run.and_then(|run| Edit::Renumber(run.clone()).apply(sheet, sheet, self.image_size).ok());
        let Some(after) = after else { return Vec::new() };
        let cells: HashMap<FrameId, PixelRect> =
            after.frames.iter().map(|frame| (frame.id, frame.rect_in_image)).collect();
        let frames = sheet.frames.iter().enumerate().map(|(position, frame)| Renumbered {
            position,
            before: frame.rect_in_image,
            after: cells.get(&frame.id).copied(),
        });
        frames.filter(|frame| frame.after != Some(frame.before)).collect()
    }
}

/// The cells of a sheet's one grid on an image of that size.
fn laid(sheet: &Sheet, image: Size) -> Option<Vec<PixelRect>> {
    Some(slicing::cells(sheet.single_run()?, sheet.grids()?.leftover, image))
}

/// Takes what a sheet's files say: at first as the beginning, later as a step of the history. Our own save is no news.
pub(super) fn take_disk(document: &mut Document, disk: SheetOnDisk) {
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
    let says_the_same = disk.sheet == *document.sheet();
    if document.is_dirty() {
        document.saved = says_the_same.then(|| document.history.revision());
        document.theirs = (!says_the_same).then(|| Box::new(disk));
        return;
    }
    if is_first_sidecar && !document.sheet().is_sliced() && says_the_same {
        return;
    }
    document.resized = None;
    take_as_step(document, disk);
}

fn take_as_step(document: &mut Document, disk: SheetOnDisk) {
    document.history.seal();
    // Taking a sheet from disk is always possible.
    drop(document.history.apply(&Edit::TakeFromDisk(disk.sheet), disk.image_size));
    document.history.publish();
    document.saved = Some(document.history.revision());
}

/// Under a grid another number of columns would renumber what scenes refer to, so somebody has to say what is meant.
/// Where the cells on the new size are the frames that there are, as when the image got its old size back, there is
/// nothing to say.
fn note_resize(document: &mut Document, before: Size) {
    let now = document.image_size;
    document.answered = None;
    document.has_shrunk = document.frames_outside() != (0, 0);
    let sheet = document.sheet();
    let (Some(run), Some(cells)) = (sheet.single_run(), laid(sheet, now)) else {
        document.resized = None;
        return;
    };
    let frames = sheet.frames.iter().map(|frame| frame.rect_in_image);
    let is_laid = document.resized == Some(now) || frames.eq(cells);
    let shape = |image| slicing::grid::columns_and_rows(run, image);
    let is_other = shape(before) != shape(now);
    if is_laid {
        document.resized = None;
    } else if is_other {
        document.resized.get_or_insert(before);
    }
}
