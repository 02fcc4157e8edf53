//! One history per document: whole documents that share their parts, a label, and the selection before and after.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::hash::Hash;

const MAX_STEPS: usize = 200;
const MAX_BYTES: usize = 64 << 20;

/// A kind of document that has a history.
pub trait Editable: Clone + PartialEq {
    /// What of it can be selected.
    type Item: Copy + Eq + Hash + fmt::Debug;
    /// What it changes by.
    type Edit: Change<Self>;

    /// All that can be selected.
    fn items(&self) -> HashSet<Self::Item>;
    /// About how many bytes a step of the history holds on to.
    fn memory_bytes(&self) -> usize;
    /// The first number for a new item that no item has or had.
    fn first_free(&self) -> u32;
    /// Gives new items numbers from this one on.
    fn give_from(&mut self, first_free: u32);
}

/// A change of a document.
pub trait Change<D> {
    /// Edits with the same key that follow each other are one step.
    type MergeKey: Clone + PartialEq + fmt::Debug;
    /// What else a change depends on.
    type Context: Copy;
    /// Why it is not possible.
    type Error;

    /// Its name in the history.
    fn label(&self) -> String;
    /// What it merges with.
    fn merge_key(&self) -> Option<Self::MergeKey>;
    /// The document after it. `base` is the one before the step that it becomes a part of, `current` the one right before.
    fn apply(&self, base: &D, current: &D, context: Self::Context) -> Result<D, Self::Error>;
    /// What is selected after it, when that is not what was selected before and is still there.
    fn selection(&self, before: &D, after: &D) -> Option<Vec<D::Item>>
    where
        D: Editable;
}

/// Names a state of a document. A save remembers the one it wrote, so a document that was undone back to
/// it is clean again, and one edited while the save ran is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Revision(u64);

#[derive(Debug, Clone)]
struct State<D: Editable> {
    document: D,
    selection: Vec<D::Item>,
    revision: Revision,
}

type MergeKeyOf<D> = <<D as Editable>::Edit as Change<D>>::MergeKey;
type ContextOf<D> = <<D as Editable>::Edit as Change<D>>::Context;
type ErrorOf<D> = <<D as Editable>::Edit as Change<D>>::Error;

/// A named step of the history.
#[derive(Debug, Clone)]
struct Step<D: Editable> {
    label: String,
    merge_key: Option<MergeKeyOf<D>>,
    before: State<D>,
    bytes: usize,
}

/// A document's present state and the steps that led to it.
#[derive(Debug, Clone)]
pub struct History<D: Editable> {
    present: State<D>,
    done: VecDeque<Step<D>>,
    /// Undone steps, the next to redo last; each holds the state after it.
    undone: Vec<Step<D>>,
    /// Whether the next edit begins a new step whatever its key.
    is_sealed: bool,
    newest_revision: u64,
    /// Files have had items with numbers below this. They are retired in every state, or an undo would give them to others.
    published_below: u32,
}

impl<D: Editable> History<D> {
    /// A history that begins with `document`.
    pub fn new(document: D) -> Self {
        let present = State { document, selection: Vec::new(), revision: Revision(0) };
        Self {
            present,
            done: VecDeque::new(),
            undone: Vec::new(),
            is_sealed: true,
            newest_revision: 0,
            published_below: 0,
        }
    }

    /// The document as it is now.
    pub fn present(&self) -> &D {
        &self.present.document
    }

    /// The name of the present state.
    pub fn revision(&self) -> Revision {
        self.present.revision
    }

    /// What is selected.
    pub fn selection(&self) -> &[D::Item] {
        &self.present.selection
    }

    /// Selects; no step of its own.
    pub fn select(&mut self, selection: Vec<D::Item>) {
        self.present.selection = selection;
    }

    /// Deselects what is not there.
    pub fn forget_missing_selection(&mut self) {
        let State { document, selection, .. } = &mut self.present;
        if !selection.is_empty() {
            let there = document.items();
            selection.retain(|item| there.contains(item));
        }
    }

    /// Makes the next edit a step of its own: a field was left, a drag ended.
    pub fn seal(&mut self) {
        self.is_sealed = true;
    }

    /// The present document is in a file, or is on its way there, so that others may refer to its items: no other item gets
    /// one of their numbers, whatever is undone. The next edit is a step of its own.
    pub fn publish(&mut self) {
        self.seal();
        self.published_below = self.published_below.max(self.present.document.first_free());
    }

    /// Retires in a document the numbers that files have had and that it would give away again.
    fn retire_published(&self, document: &mut D) {
        if document.first_free() < self.published_below {
            document.give_from(self.published_below);
        }
    }

    /// Applies an edit. One that changes nothing leaves no trace; one that takes back all that its step
    /// did takes the step back too.
    pub fn apply(&mut self, edit: &D::Edit, context: ContextOf<D>) -> Result<(), ErrorOf<D>> {
        let merges = !self.is_sealed
            && edit.merge_key().is_some()
            && self.done.back().is_some_and(|step| step.merge_key == edit.merge_key());
        let base = match self.done.back() {
            Some(step) if merges => &step.before.document,
            _ => &self.present.document,
        };
        let mut document = edit.apply(base, &self.present.document, context)?;
        self.retire_published(&mut document);
        if document == self.present.document {
            return Ok(());
        }
        self.undone.clear();
        self.is_sealed = false;
        if merges {
            if self.done.back().is_some_and(|step| step.before.document == document) {
                if let Some(step) = self.done.pop_back() {
                    self.present.revision = step.before.revision;
                }
                self.present.document = document;
                self.is_sealed = true;
                return Ok(());
            }
            if let Some(step) = self.done.back_mut() {
                step.label = edit.label();
            }
        } else {
            let bytes = document.memory_bytes();
            let before = self.present.clone();
            self.done.push_back(Step { label: edit.label(), merge_key: edit.merge_key(), before, bytes });
        }
        self.newest_revision += 1;
        self.present.revision = Revision(self.newest_revision);
        if let Some(selection) = edit.selection(&self.present.document, &document) {
            self.present.selection = selection;
        }
        self.present.document = document;
        self.forget_missing_selection();
        self.forget_oldest();
        Ok(())
    }

    fn forget_oldest(&mut self) {
        let mut bytes: usize = self.done.iter().map(|step| step.bytes).sum();
        while self.done.len() > MAX_STEPS || (bytes > MAX_BYTES && self.done.len() > 1) {
            bytes -= self.done.pop_front().map_or(0, |step| step.bytes);
        }
    }

    /// Takes the last step back, with the selection there was before it; its name.
    pub fn undo(&mut self) -> Option<String> {
        let step = self.done.pop_back()?;
        let Step { label, merge_key, mut before, bytes } = step;
        self.retire_published(&mut before.document);
        let after = std::mem::replace(&mut self.present, before);
        self.undone.push(Step { label: label.clone(), merge_key, before: after, bytes });
        self.is_sealed = true;
        Some(label)
    }

    /// Does the step again that was last taken back; its name.
    pub fn redo(&mut self) -> Option<String> {
        let step = self.undone.pop()?;
        let Step { label, merge_key, before: mut after, bytes } = step;
        self.retire_published(&mut after.document);
        let before = std::mem::replace(&mut self.present, after);
        self.done.push_back(Step { label: label.clone(), merge_key, before, bytes });
        self.is_sealed = true;
        Some(label)
    }

    /// The names of all steps, oldest first, and how many of them are done; the others are undone.
    pub fn steps(&self) -> (Vec<&str>, usize) {
        let done = self.done.iter().map(|step| step.label.as_str());
        let undone = self.undone.iter().rev().map(|step| step.label.as_str());
        (done.chain(undone).collect(), self.done.len())
    }

    /// Undoes or redoes until so many steps are done.
    pub fn go_to(&mut self, done: usize) {
        while self.done.len() > done && self.undo().is_some() {}
        while self.done.len() < done && self.redo().is_some() {}
    }

    /// The step that undo would take back.
    pub fn undo_label(&self) -> Option<&str> {
        self.done.back().map(|step| step.label.as_str())
    }

    /// The step that redo would do again.
    pub fn redo_label(&self) -> Option<&str> {
        self.undone.last().map(|step| step.label.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Added, Edit};
    use crate::geometry::{PixelRect, Size};
    use crate::model::{FormatChoice, Frame, FrameId, Run, Sheet};
    use crate::texture::PixelFormat;
    use proptest::prelude::*;

    const IMAGE: Size = Size::new(64, 64);

    fn grid(side: u32) -> Edit {
        Edit::SetGrid(Run::of_cell(Size::new(side, side)))
    }

    #[test]
    fn typing_a_number_is_one_step_and_retires_no_ids() {
        let mut history = History::new(Sheet::default());
        for side in [1, 16] {
            history.apply(&grid(side), IMAGE).unwrap();
        }
        assert_eq!(history.done.len(), 1);
        assert_eq!(history.undo_label(), Some("Grid 16 x 16"));
        assert!(history.sheet().ids_are_positions());
        history.undo();
        assert_eq!(history.sheet(), &Sheet::default());
    }

    #[test]
    fn a_sealed_step_is_not_merged_into() {
        let mut history = History::new(Sheet::default());
        history.apply(&grid(16), IMAGE).unwrap();
        history.seal();
        history.apply(&grid(32), IMAGE).unwrap();
        assert_eq!(history.done.len(), 2);
    }

    #[test]
    fn an_edit_without_effect_and_one_taken_back_leave_no_step() {
        let mut history = History::new(Sheet::default());
        history.apply(&Edit::SetFormat(None), IMAGE).unwrap();
        assert_eq!(history.undo_label(), None);
        let clean = history.revision();
        history.apply(&Edit::SetFormat(Some(FormatChoice::Fixed(PixelFormat::Alpha8))), IMAGE).unwrap();
        assert_ne!(history.revision(), clean);
        history.apply(&Edit::SetFormat(None), IMAGE).unwrap();
        assert_eq!((history.undo_label(), history.revision()), (None, clean));
    }

    #[test]
    fn undo_brings_the_selection_back_and_the_revision_with_it() {
        let mut history = History::new(Sheet::default());
        history.apply(&grid(16), IMAGE).unwrap();
        history.select(vec![FrameId(3)]);
        let saved = history.revision();
        history.seal();
        history.apply(&Edit::ClearSlicing, IMAGE).unwrap();
        assert!(history.selection().is_empty());
        history.undo();
        assert_eq!((history.selection(), history.revision()), (&[FrameId(3)][..], saved));
    }

    #[test]
    fn the_history_is_capped() {
        let mut history = History::new(Sheet::default());
        for step in 0..MAX_STEPS as u32 + 50 {
            history.seal();
            history.apply(&grid(1 + step % 60), IMAGE).unwrap();
        }
        assert_eq!(history.done.len(), MAX_STEPS);
    }

    #[test]
    fn an_id_that_was_saved_and_undone_is_no_other_frames() {
        let draw = |x| Edit::Add(Added::Draw, vec![(PixelRect::new(x, 0, 4, 4), "".into())]);
        let drawn_id = |history: &History<Sheet>| history.sheet().frames.last().map(|frame| frame.id.0);
        let mut history = History::new(Sheet::default());
        history.apply(&draw(0), IMAGE).unwrap();
        history.undo();
        history.apply(&draw(8), IMAGE).unwrap();
        assert_eq!(drawn_id(&history), Some(0), "nobody has seen the first 0");
        history.publish();
        history.undo();
        history.apply(&draw(16), IMAGE).unwrap();
        assert_eq!(drawn_id(&history), Some(1));
        history.undo();
        history.redo();
        assert_eq!(drawn_id(&history), Some(1), "redone, the frame is the same");
        // A file that is written without any frame still says which ids were used.
        history.undo();
        assert_eq!((history.sheet().frames.len(), history.sheet().first_free_id()), (0, 1));
    }

    /// What a person does to an open sheet.
    #[derive(Debug, Clone)]
    enum Deed {
        Edit(Edit),
        Undo,
        Redo,
        Save,
    }

    fn any_deed() -> impl Strategy<Value = Deed> {
        let rect = (0..48_i32, 0..48_i32).prop_map(|(x, y)| PixelRect::new(x, y, 16, 16));
        prop_oneof![
            (8u32..70).prop_map(|side| Deed::Edit(grid(side))),
            rect.prop_map(|rect| Deed::Edit(Edit::Add(Added::Draw, vec![(rect, "".into())]))),
            (0..70_u32).prop_map(|id| Deed::Edit(Edit::Remove(vec![FrameId(id)]))),
            Just(Deed::Edit(Edit::ClearSlicing)),
            Just(Deed::Undo),
            Just(Deed::Redo),
            Just(Deed::Save),
        ]
    }

    fn any_edit() -> impl Strategy<Value = (bool, Edit)> {
        let sheet = prop::collection::vec((0..9_u32, 0..48_i32), 0..4).prop_map(|frames| {
            let frame = |(id, x)| Frame::new(FrameId(id), PixelRect::new(x, 0, 16, 16));
            Sheet { frames: frames.into_iter().map(frame).collect(), ..Sheet::default() }
        });
        let edit = prop_oneof![
            (1u32..70).prop_map(grid),
            (1u32..70).prop_map(|side| Edit::Renumber(Run::of_cell(Size::new(side, side)))),
            sheet.clone().prop_map(Edit::TakeFromDisk),
            sheet.prop_map(Edit::Recover),
            Just(Edit::ClearSlicing),
            prop::sample::select(vec![None, Some(PixelFormat::Rgb565), Some(PixelFormat::Alpha8)])
                .prop_map(|format| Edit::SetFormat(format.map(FormatChoice::Fixed))),
        ];
        (any::<bool>(), edit)
    }

    proptest! {
        #[test]
        fn undoing_all_gives_the_start_and_redoing_all_the_end(edits in prop::collection::vec(any_edit(), 0..30)) {
            let mut history = History::new(Sheet::default());
            for (seal, edit) in &edits {
                if *seal {
                    history.seal();
                }
                // A grid larger than the image is refused and changes nothing.
                drop(history.apply(edit, IMAGE));
            }
            let end = history.sheet().clone();
            while history.undo().is_some() {}
            prop_assert_eq!(history.sheet(), &Sheet::default());
            while history.redo().is_some() {}
            prop_assert_eq!(history.sheet(), &end);
        }

        #[test]
        fn an_id_that_was_in_a_file_is_given_to_no_new_frame(deeds in prop::collection::vec(any_deed(), 0..40)) {
            let ids = |history: &History<Sheet>| -> HashSet<FrameId> {
                history.sheet().frames.iter().map(|frame| frame.id).collect()
            };
            let mut history = History::new(Sheet::default());
            let mut in_files = HashSet::new();
            for deed in deeds {
                let before = ids(&history);
                match deed {
                    Deed::Edit(edit) => {
                        history.seal();
                        drop(history.apply(&edit, IMAGE));
                        let mut new = ids(&history).into_iter().filter(|id| !before.contains(id));
                        prop_assert!(new.all(|id| !in_files.contains(&id)), "{:?}", edit);
                    }
                    Deed::Undo => drop(history.undo()),
                    Deed::Redo => drop(history.redo()),
                    Deed::Save => {
                        history.publish();
                        in_files.extend(before);
                    }
                }
                let free = history.sheet().first_free_id();
                prop_assert!(in_files.iter().all(|id| id.0 < free), "a file would not say that they were used");
            }
        }
    }
}
