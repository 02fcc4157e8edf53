//! An open sheet: its history, what its file says, and whether the two agree.

use std::collections::HashSet;
use std::sync::Arc;

use crate::edit::{History, Revision};
use crate::geometry::Size;
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::model::frame::RectFault;
use crate::model::{Frame, FrameId, Problem, Sheet};

use super::action::SelectMode;
use super::known::Known;
use super::outside::Answered;
use super::problems::Told;
use super::selection::after_click;

/// What a look at an asset's files gave.
#[derive(Debug, Clone)]
pub struct SheetOnDisk {
    /// The sheet that the sidecar describes; an unsliced one without a sidecar.
    pub sheet: Sheet,
    /// Size of the image.
    pub image_size: Size,
    /// The GUID that the sidecar gives, or the one that was handed in.
    pub guid: Option<Guid>,
    /// Hash of the sidecar; `None` without one.
    pub sidecar_hash: Option<ContentHash>,
    /// What is wrong with the sidecar.
    pub problems: Vec<Problem>,
}

/// Where a document stands.
#[derive(Debug, Clone)]
pub enum Load {
    /// Its files are being read.
    Loading,
    /// It can be edited.
    Ready,
    /// It cannot be read, and why; it stays open and comes back when its file does.
    Failed(String),
}

/// An open sheet.
#[derive(Debug)]
pub struct Document {
    /// Its path, relative to the project.
    pub path: Arc<str>,
    /// The GUID by which it is found again when its file moves.
    pub guid: Option<Guid>,
    /// Where it stands.
    pub load: Load,
    /// Its states.
    pub history: History<Sheet>,
    /// Size of its image.
    pub image_size: Size,
    /// The state that its file has; `None` when it has none of them.
    pub saved: Option<Revision>,
    /// The state that a running save writes.
    pub saving: Option<Revision>,
    /// Its sidecar as we last read or wrote it: what a watcher brings back with the same hash is our own.
    pub sidecar_hash: Option<ContentHash>,
    /// What its file says since it was changed outside, while there are unsaved edits here.
    pub theirs: Option<Box<SheetOnDisk>>,
    /// The size its image had when its grid was laid, since it has another one and nobody said what that means.
    pub resized: Option<Size>,
    /// Whether its image became smaller than some of its frames, and nobody said what becomes of these.
    pub has_shrunk: bool,
    /// What stood open before the last answer to that.
    pub(super) answered: Option<Answered>,
    /// The frame that Shift extends from.
    anchor: Option<FrameId>,
    /// The guess that is shown while the sheet is unsliced; `None` once they were declined.
    guess: Option<usize>,
    /// Whether another way to cut is being tried, so that no guess is shown.
    is_guess_aside: bool,
    /// What is known of the pixels under its frames.
    pub(super) known: Known,
    /// Its problems.
    pub(super) told: Option<Told>,
}

impl Document {
    /// A document whose files are still to be read.
    pub fn loading(path: Arc<str>, guid: Option<Guid>) -> Self {
        let history = History::new(Sheet::default());
        let saved = Some(history.revision());
        Self {
            path,
            guid,
            load: Load::Loading,
            history,
            image_size: Size::default(),
            saved,
            saving: None,
            sidecar_hash: None,
            theirs: None,
            resized: None,
            has_shrunk: false,
            answered: None,
            anchor: None,
            guess: Some(0),
            is_guess_aside: false,
            known: Known::default(),
            told: None,
        }
    }

    /// The last part of its path.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether it can be edited.
    pub fn is_ready(&self) -> bool {
        matches!(self.load, Load::Ready)
    }

    /// Whether its file says something else: it has changes that the file has not, or the file those of others.
    pub fn is_dirty(&self) -> bool {
        self.theirs.is_some() || self.saved != Some(self.history.revision())
    }

    /// The sheet as it is now.
    pub fn sheet(&self) -> &Sheet {
        self.history.sheet()
    }

    /// The selected frames, in the sheet's order, with their positions.
    pub fn selected_frames(&self) -> impl Iterator<Item = (usize, &Frame)> {
        let selection: HashSet<FrameId> = self.history.selection().iter().copied().collect();
        let frames = self.sheet().frames.iter().enumerate();
        frames.filter(move |(_, frame)| selection.contains(&frame.id))
    }

    /// Changes the selection as a click on a frame does.
    pub fn select(&mut self, id: FrameId, mode: SelectMode) {
        let order = || self.history.sheet().frames.iter().map(|frame| frame.id).collect();
        let selection = after_click(self.history.selection(), &mut self.anchor, id, mode, order);
        self.history.select(selection);
    }

    /// Selects what is not selected.
    pub fn invert_selection(&mut self) {
        let selection: HashSet<FrameId> = self.history.selection().iter().copied().collect();
        let others = self.sheet().frames.iter().map(|frame| frame.id).filter(|id| !selection.contains(id));
        self.history.select(others.collect());
    }

    /// How many frames lie partly outside the image, and how many wholly.
    pub fn frames_outside(&self) -> (usize, usize) {
        let faults = self.sheet().frames.iter().filter_map(|frame| frame.fault(self.image_size));
        faults.fold((0, 0), |(partly, wholly), fault| match fault {
            RectFault::PartlyOutside => (partly + 1, wholly),
            RectFault::Outside => (partly, wholly + 1),
            RectFault::Unreadable | RectFault::NoPixels => (partly, wholly),
        })
    }

    /// The number of the guess to show: none on a sheet with frames, while another way to cut is tried, or once they
    /// were declined.
    pub fn guess_number(&self) -> Option<usize> {
        self.guess.filter(|_| !self.sheet().is_sliced() && !self.is_guess_aside)
    }

    /// Whether another way to cut is being tried, so that no guess is shown.
    pub fn is_guess_aside(&self) -> bool {
        self.is_guess_aside
    }

    /// Says whether another way to cut is being tried; afterwards the guess is the one that was shown before.
    pub fn put_guess_aside(&mut self, is_aside: bool) {
        self.is_guess_aside = is_aside;
    }

    /// Shows another guess.
    pub fn show_guess(&mut self, number: usize) {
        self.guess = Some(number);
    }

    /// Declines all guesses.
    pub fn dismiss_guess(&mut self) {
        self.guess = None;
    }

    /// Begins with what the files say.
    pub fn take_first(&mut self, disk: SheetOnDisk) {
        // A frame may have been selected, from the browser, before the sheet was read.
        let selection = self.history.selection().to_vec();
        self.history = History::new(disk.sheet);
        self.history.select(selection);
        self.history.forget_missing_selection();
        self.saved = Some(self.history.revision());
        self.image_size = disk.image_size;
        self.sidecar_hash = disk.sidecar_hash;
        self.load = Load::Ready;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Edit;
    use crate::model::Run;

    fn ready() -> Document {
        let mut document = Document::loading("assets/a.png".into(), None);
        let image_size = Size::new(64, 32);
        let disk = SheetOnDisk {
            sheet: Sheet::default(),
            image_size,
            guid: None,
            sidecar_hash: None,
            problems: Vec::new(),
        };
        document.take_first(disk);
        document.history.apply(&Edit::SetGrid(Run::of_cell(Size::new(16, 16))), image_size).unwrap();
        document
    }

    fn selected(document: &Document) -> Vec<u32> {
        document.selected_frames().map(|(_, frame)| frame.id.0).collect()
    }

    #[test]
    fn clicks_replace_ctrl_toggles_and_shift_extends_from_the_last_click() {
        let mut document = ready();
        document.select(FrameId(1), SelectMode::Replace);
        document.select(FrameId(4), SelectMode::Extend);
        assert_eq!(selected(&document), [1, 2, 3, 4]);
        document.select(FrameId(0), SelectMode::Extend);
        assert_eq!(selected(&document), [0, 1]);
        document.select(FrameId(6), SelectMode::Toggle);
        document.select(FrameId(0), SelectMode::Toggle);
        assert_eq!(selected(&document), [1, 6]);
    }

    #[test]
    fn a_frame_selected_before_its_sheet_was_read_is_selected_then() {
        let sheet = ready().sheet().clone();
        let mut document = Document::loading("assets/a.png".into(), None);
        for id in [2, 99] {
            document.select(FrameId(id), SelectMode::Toggle);
        }
        let image_size = Size::new(64, 32);
        document.take_first(SheetOnDisk {
            sheet,
            image_size,
            guid: None,
            sidecar_hash: None,
            problems: Vec::new(),
        });
        assert_eq!(selected(&document), [2]);
    }

    #[test]
    fn selecting_does_not_make_a_document_dirty_and_undo_makes_it_clean() {
        let mut document = ready();
        document.saved = Some(document.history.revision());
        document.select(FrameId(1), SelectMode::Replace);
        assert!(!document.is_dirty());
        document.history.apply(&Edit::ClearSlicing, document.image_size).unwrap();
        assert!(document.is_dirty());
        document.history.undo();
        assert!(!document.is_dirty());
    }
}
