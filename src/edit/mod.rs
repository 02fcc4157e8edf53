//! Undoable changes: what a document changes by, and the history that takes them back.

mod borders;
mod cut;
mod frames;
mod history;
mod scene;
mod tree;

use std::collections::HashSet;
use std::sync::Arc;

use crate::geometry::{PixelRect, Size};
use crate::hash::ContentHash;
use crate::model::{Code, FormatChoice, Frame, FrameId, Run, Sheet, TargetSettings, TextureSettings};
use crate::texture::{ChromaKey, Dithering, Insets, rgb_text};

pub use borders::Bordered;
pub use cut::{Cut, Difference, Reslice, difference, grid_fault};
pub use frames::{Added, Reshape};
pub use history::{Change, Editable, History, Revision};
pub use scene::{Inserted, Moved, SceneEdit, SceneEditError};
pub use tree::{Place, outermost};

/// A change of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Lays one grid anew; ids follow the picture.
    SetGrid(Run),
    /// Lays frames anew by a recipe.
    Cut(Cut),
    /// Lays one grid anew and gives its cells their positions for ids: references move to other pictures, on purpose.
    Renumber(Run),
    /// Keeps the frames and forgets how they came about.
    ToAtlas,
    /// Removes all frames.
    ClearSlicing,
    /// Gives frames other rectangles, all of them inside the image.
    SetRects(Reshape, Vec<(FrameId, PixelRect)>),
    /// Adds frames behind the others, with their names.
    Add(Added, Vec<(PixelRect, Arc<str>)>),
    /// Removes frames; their ids are retired.
    Remove(Vec<FrameId>),
    /// Makes one frame of several: the first in the sheet's order keeps its id and gets the rectangle around all.
    Merge(Vec<FrameId>),
    /// Makes several frames of one: it keeps the first rectangle, the others become new frames behind it.
    Split(FrameId, Vec<PixelRect>),
    /// Moves frames, in the order they have, so that they stand before the one that is at this position now.
    Reorder(Vec<FrameId>, usize),
    /// Names frames.
    Rename(Vec<(FrameId, Arc<str>)>),
    /// Chooses the pixel format; `None` is the project's.
    SetFormat(Option<FormatChoice>),
    /// Chooses the longest side of the texture; `None` is the project's.
    SetMaxSize(Option<u32>),
    /// Chooses how colours between two stored values are rendered; `None` is the project's.
    SetDithering(Option<Dithering>),
    /// Chooses the colour that is drawn as nothing.
    SetChromaKey(Option<ChromaKey>),
    /// Says what is other for a target; nothing leaves it as it is without one.
    SetTarget(Arc<str>, TargetSettings),
    /// Gives frames, or the whole image, nine-slice borders. One in which they would leave no middle has those that it had
    /// when its step began, also while a larger number is being typed.
    SetBorders(Vec<Bordered>, Insets),
    /// Gives the frames at these positions, which have an id that another has, an id of their own.
    GiveNewIds(Vec<usize>),
    /// Asks not to be told of problems of a kind.
    IgnoreProblems(Code),
    /// Asks to be told of all problems again.
    HeedProblems,
    /// Takes over what another program wrote.
    TakeFromDisk(Sheet),
    /// Takes over the unsaved edits of a session that ended without saving them.
    Recover(Sheet),
}

/// Edits with the same key that follow each other are one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeKey {
    /// The grid form.
    Grid,
    /// The sliders of detection.
    Automatic,
    /// The pixel format.
    Format,
    /// Max Size.
    MaxSize,
    /// Dithering.
    Dithering,
    /// The chroma key.
    ChromaKey,
    /// The settings for the target of that name.
    Target(ContentHash),
    /// The same change of the same frames' rectangles.
    Rects(Reshape, ContentHash),
    /// The borders of the same frames.
    Borders(ContentHash),
}

/// Why an edit is not possible, in words for its control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The grid's numbers give no frames.
    #[error("{0}")]
    Grid(String),
    /// There would be more frames than a texture can hold.
    #[error("{0} frames: a texture holds at most 65,535")]
    TooManyFrames(usize),
    /// A frame would not lie inside the image.
    #[error("the frame {0} would not lie inside the image, {1}")]
    Outside(PixelRect, Size),
    /// The borders leave no middle in any frame that they are for, which a device would not draw.
    #[error("borders of {0} px across and down leave no middle in {1} px, so a device would draw nothing")]
    Borders(Size, Size),
    /// The edit needs other frames than are there.
    #[error("{0}")]
    Frames(&'static str),
    /// Errors are always told.
    #[error("errors cannot be ignored")]
    IsError,
}

impl Change<Sheet> for Edit {
    type MergeKey = MergeKey;
    /// The size of the sheet's image.
    type Context = Size;
    type Error = EditError;

    fn label(&self) -> String {
        match self {
            Self::SetGrid(run) => format!("Grid {}", run.words()),
            Self::Cut(cut) => cut.label(),
            Self::Renumber(_) => "Renumber the grid".into(),
            Self::ToAtlas => "Grid to atlas".into(),
            Self::ClearSlicing => "Remove all frames".into(),
            Self::SetRects(how, rects) => frames::counted(how.verb(), rects.len()),
            Self::Add(how, added) => frames::counted(how.verb(), added.len()),
            Self::Remove(ids) => frames::counted("Delete", ids.len()),
            Self::Merge(ids) => frames::counted("Merge", ids.len()),
            Self::Split(_, parts) => format!("Split into {}", parts.len()),
            Self::Reorder(ids, _) => frames::counted("Reorder", ids.len()),
            Self::Rename(names) => frames::counted("Rename", names.len()),
            Self::SetFormat(None) => "Format as the project's".into(),
            Self::SetFormat(Some(format)) => format!("Format {format}"),
            Self::SetMaxSize(None) => "Max Size as the project's".into(),
            Self::SetMaxSize(Some(side)) => format!("Max Size {side}"),
            Self::SetDithering(None) => "Dithering as the project's".into(),
            Self::SetDithering(Some(dithering)) => format!("Dithering {}", dithering.words()),
            Self::SetChromaKey(None) => "No chroma key".into(),
            Self::SetChromaKey(Some(key)) => format!("Chroma key {}", rgb_text(key.rgb())),
            Self::SetTarget(name, _) => format!("Settings for {name}"),
            Self::SetBorders(of, insets) => borders::label(of, *insets),
            Self::GiveNewIds(positions) => match positions.len() {
                1 => "Give 1 frame a new id".into(),
                count => format!("Give {count} frames new ids"),
            },
            Self::IgnoreProblems(code) => format!("Ignore {}", code.words()),
            Self::HeedProblems => "Heed all problems".into(),
            Self::TakeFromDisk(_) => "Changed outside".into(),
            Self::Recover(_) => "Restore unsaved edits".into(),
        }
    }

    fn merge_key(&self) -> Option<MergeKey> {
        match self {
            Self::SetGrid(_) => Some(MergeKey::Grid),
            Self::Cut(cut) => cut.merge_key(),
            Self::SetFormat(_) => Some(MergeKey::Format),
            Self::SetMaxSize(_) => Some(MergeKey::MaxSize),
            Self::SetDithering(_) => Some(MergeKey::Dithering),
            Self::SetChromaKey(_) => Some(MergeKey::ChromaKey),
            Self::SetTarget(name, _) => Some(MergeKey::Target(ContentHash::of(name.as_bytes()))),
            Self::SetRects(how, rects) => {
                let ids: Vec<u8> = rects.iter().flat_map(|(id, _)| id.0.to_le_bytes()).collect();
                Some(MergeKey::Rects(*how, ContentHash::of(&ids)))
            }
            Self::SetBorders(of, _) => Some(MergeKey::Borders(borders::hash(of))),
            Self::Renumber(_)
            | Self::ToAtlas
            | Self::ClearSlicing
            | Self::Add(..)
            | Self::Remove(_)
            | Self::Merge(_)
            | Self::Split(..)
            | Self::Reorder(..)
            | Self::Rename(_)
            | Self::GiveNewIds(_)
            | Self::IgnoreProblems(_)
            | Self::HeedProblems
            | Self::TakeFromDisk(_)
            | Self::Recover(_) => None,
        }
    }

    /// The ids of `base` are carried over, so that typing 1, 16, 160 in one step retires none.
    fn apply(&self, base: &Sheet, current: &Sheet, image: Size) -> Result<Sheet, EditError> {
        let with_settings = |change: &dyn Fn(&mut TextureSettings)| {
            let mut settings = TextureSettings::clone(&current.settings);
            change(&mut settings);
            Sheet { settings: Arc::new(settings), ..current.clone() }
        };
        Ok(match self {
            Self::SetGrid(run) => Cut::grid(run.clone(), image)?.apply(base, current, image)?,
            Self::Cut(cut) => cut.apply(base, current, image)?,
            Self::Renumber(run) => {
                let sheet = Cut::grid(run.clone(), image)?.apply(base, current, image)?;
                let count = sheet.frames.len() as u32;
                let renumbered = (0..count).zip(sheet.frames.iter());
                let renumbered = renumbered.map(|(id, frame)| Frame {
                    foreign_guid: None,
                    id: FrameId(id),
                    ..frame.clone()
                });
                let next_frame_id = current.first_free_id().max(count);
                Sheet { frames: renumbered.collect(), next_frame_id, ..sheet }
            }
            Self::ToAtlas => Sheet { recipe: None, ..current.clone() },
            Self::ClearSlicing => Sheet {
                frames: [].into(),
                recipe: None,
                next_frame_id: current.first_free_id(),
                ..current.clone()
            },
            Self::SetRects(_, rects) => {
                let sheet = frames::set_rects(current, rects, image)?;
                // Back where its step began: whatever gave the frames gives them again.
                if sheet.frames == base.frames { base.clone() } else { sheet }
            }
            Self::Add(_, added) => frames::add(current, added, image)?,
            Self::Remove(ids) => frames::remove(current, ids),
            Self::Merge(ids) => frames::merge(current, ids, image)?,
            Self::Split(id, parts) => frames::split(current, *id, parts, image)?,
            Self::Reorder(ids, to) => frames::reorder(current, ids, *to),
            Self::Rename(names) => frames::rename(current, names),
            Self::SetFormat(format) => with_settings(&|settings| settings.format = *format),
            Self::SetMaxSize(side) => with_settings(&|settings| settings.max_size = *side),
            Self::SetDithering(dithering) => with_settings(&|settings| settings.dithering = *dithering),
            Self::SetChromaKey(key) => with_settings(&|settings| settings.chroma_key = *key),
            Self::SetTarget(name, target) => with_settings(&|settings| {
                if target.is_empty() {
                    settings.targets.remove(name);
                } else {
                    settings.targets.insert(name.clone(), *target);
                }
            }),
            Self::SetBorders(of, insets) => {
                let given = borders::given(base, current, image, of, *insets)?;
                with_settings(&|settings| given.put_into(settings))
            }
            Self::GiveNewIds(positions) => frames::give_new_ids(current, positions),
            Self::IgnoreProblems(code) if !code.can_be_ignored() => return Err(EditError::IsError),
            Self::IgnoreProblems(code) => current.ignoring(*code),
            Self::HeedProblems => Sheet { ignored: Arc::default(), ..current.clone() },
            Self::TakeFromDisk(sheet) | Self::Recover(sheet) => sheet.clone(),
        })
    }

    fn selection(&self, before: &Sheet, after: &Sheet) -> Option<Vec<FrameId>> {
        match self {
            Self::Add(_, added) => {
                let first = after.frames.len().saturating_sub(added.len());
                Some(after.frames[first..].iter().map(|frame| frame.id).collect())
            }
            Self::Remove(ids) => Some(frames::next_to_removed(before, after, ids)),
            Self::Merge(ids) => {
                let survivor = after.frames.iter().find(|frame| ids.contains(&frame.id));
                Some(survivor.map(|frame| frame.id).into_iter().collect())
            }
            Self::Split(id, parts) => {
                let first = after.index_of(*id)?;
                let parts = after.frames.iter().skip(first).take(parts.len());
                Some(parts.map(|frame| frame.id).collect())
            }
            _ => None,
        }
    }
}

impl Editable for Sheet {
    type Item = FrameId;
    type Edit = Edit;

    fn items(&self) -> HashSet<FrameId> {
        self.frames.iter().map(|frame| frame.id).collect()
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }

    fn first_free(&self) -> u32 {
        self.first_free_id()
    }

    fn give_from(&mut self, first_free: u32) {
        self.next_frame_id = first_free;
    }
}

impl History<Sheet> {
    /// The sheet as it is now.
    pub fn sheet(&self) -> &Sheet {
        self.present()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Offset;

    const IMAGE: Size = Size::new(64, 32);

    fn apply(sheet: &Sheet, edit: &Edit) -> Sheet {
        edit.apply(sheet, sheet, IMAGE).unwrap()
    }

    #[test]
    fn a_first_grid_numbers_its_frames_from_0() {
        let sheet = apply(&Sheet::default(), &Edit::SetGrid(Run::of_cell(Size::new(16, 16))));
        assert_eq!(sheet.frames.len(), 8);
        assert!(sheet.ids_are_positions());
        assert_eq!(sheet.plain_grid_cell(), Some(Size::new(16, 16)));
    }

    #[test]
    fn ids_of_removed_frames_are_never_used_again() {
        let sliced = apply(&Sheet::default(), &Edit::SetGrid(Run::of_cell(Size::new(16, 16))));
        let cleared = apply(&sliced, &Edit::ClearSlicing);
        let again = apply(&cleared, &Edit::SetGrid(Run::of_cell(Size::new(32, 32))));
        assert!(again.frames.iter().all(|frame| frame.id.0 >= 8), "{:?}", again.frames);
    }

    #[test]
    fn ignoring_is_undone_like_any_edit_and_errors_stay() {
        let mut history = History::new(Sheet::default());
        for code in [Code::LeftoverPixels, Code::FrameOverlap] {
            history.apply(&Edit::IgnoreProblems(code), IMAGE).unwrap();
        }
        assert_eq!(history.undo_label(), Some("Ignore overlapping frames"));
        history.apply(&Edit::HeedProblems, IMAGE).unwrap();
        assert!(history.sheet().heeds(Code::LeftoverPixels));
        history.undo();
        assert_eq!(&*history.sheet().ignored, [Code::FrameOverlap, Code::LeftoverPixels]);
        history.undo();
        assert!(history.sheet().heeds(Code::FrameOverlap) && !history.sheet().heeds(Code::LeftoverPixels));
        assert_eq!(history.apply(&Edit::IgnoreProblems(Code::FrameInvalid), IMAGE), Err(EditError::IsError));
    }

    #[test]
    fn frames_with_the_id_of_another_get_free_ones_and_the_grid_stays() {
        let mut sheet = apply(&Sheet::default(), &Edit::SetGrid(Run::of_cell(Size::new(32, 16))));
        let ids = [0, 1, 0, 0].map(FrameId);
        sheet.frames = sheet.frames.iter().zip(ids).map(|(it, id)| Frame { id, ..it.clone() }).collect();
        let mended = apply(&sheet, &Edit::GiveNewIds(vec![2, 3, 9]));
        assert_eq!(mended.frames.iter().map(|frame| frame.id.0).collect::<Vec<_>>(), [0, 1, 4, 5]);
        assert!(mended.recipe.is_some() && mended.next_frame_id == 6);
        assert_eq!(apply(&mended, &Edit::GiveNewIds(vec![2])), mended, "an id that no other has stays");
    }

    #[test]
    fn a_grid_that_gives_no_frames_says_why() {
        for run in [
            Run::of_cell(Size::new(0, 16)),
            Run::of_cell(Size::new(16, 64)),
            Run { offset: Offset::new(60, 0), ..Run::of_cell(Size::new(16, 16)) },
        ] {
            let error = Edit::SetGrid(run.clone()).apply(&Sheet::default(), &Sheet::default(), IMAGE);
            assert!(error.is_err(), "{run:?}");
        }
    }
}
