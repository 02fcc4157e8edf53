//! Undoable changes: what a document changes by, and the history that takes them back.

mod history;

use std::sync::Arc;

use crate::geometry::Size;
use crate::model::{Leftover, Recipe, Run, Sheet, TextureSettings};
use crate::slicing::{self, grid, reslice};
use crate::texture::PixelFormat;

pub use history::{History, Revision, Step};

/// Frames a texture's 16-bit count can tell.
const MAX_FRAMES: u64 = u16::MAX as u64;

/// A change of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Lays a grid anew; ids follow the picture.
    SetGrid(Run),
    /// Removes all frames.
    ClearSlicing,
    /// Chooses the pixel format; `None` is Automatic.
    SetFormat(Option<PixelFormat>),
    /// Takes over what another program wrote.
    TakeFromDisk(Sheet),
}

/// Edits with the same key that follow each other are one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeKey {
    /// The grid form.
    Grid,
    /// The pixel format.
    Format,
}

/// Why an edit is not possible, in words for its control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The grid's numbers give no frames.
    #[error("{0}")]
    Grid(String),
}

impl Edit {
    /// Its name in the history.
    pub fn label(&self) -> String {
        match self {
            Self::SetGrid(run) => format!("Grid {}", run.cell),
            Self::ClearSlicing => "Remove all frames".into(),
            Self::SetFormat(None) => "Format Automatic".into(),
            Self::SetFormat(Some(format)) => format!("Format {format}"),
            Self::TakeFromDisk(_) => "Changed outside".into(),
        }
    }

    /// What it merges with.
    pub const fn merge_key(&self) -> Option<MergeKey> {
        match self {
            Self::SetGrid(_) => Some(MergeKey::Grid),
            Self::SetFormat(_) => Some(MergeKey::Format),
            Self::ClearSlicing | Self::TakeFromDisk(_) => None,
        }
    }

    /// The sheet after this edit of a sheet whose image has that size. `base` is the sheet whose ids are
    /// carried over: within one step, the one before the step, so that typing 1, 16, 160 retires no ids.
    pub fn apply(&self, base: &Sheet, current: &Sheet, image: Size) -> Result<Sheet, EditError> {
        let with_settings = |change: &dyn Fn(&mut TextureSettings)| {
            let mut settings = TextureSettings::clone(&current.settings);
            change(&mut settings);
            Sheet { settings: Arc::new(settings), ..current.clone() }
        };
        Ok(match self {
            Self::SetGrid(run) => with_grid(base, current, run, image)?,
            Self::ClearSlicing => Sheet {
                frames: [].into(),
                recipe: None,
                next_frame_id: current.first_free_id(),
                ..current.clone()
            },
            Self::SetFormat(format) => with_settings(&|settings| settings.format = *format),
            Self::TakeFromDisk(sheet) => sheet.clone(),
        })
    }
}

fn with_grid(base: &Sheet, current: &Sheet, run: &Run, image: Size) -> Result<Sheet, EditError> {
    if let Some(why) = grid_fault(run, image) {
        return Err(EditError::Grid(why));
    }
    let rects = slicing::cells(run, Leftover::Drop, image);
    let (frames, next_frame_id) = reslice::carry_ids(&base.frames, &rects, base.first_free_id());
    Ok(Sheet {
        frames: frames.into(),
        recipe: Some(Arc::new(Recipe::grid(run.clone()))),
        next_frame_id,
        ..current.clone()
    })
}

/// Why a grid gives no frames on an image of that size, or more than a texture holds.
pub fn grid_fault(run: &Run, image: Size) -> Option<String> {
    let Size { width, height } = run.cell;
    if width == 0 || height == 0 {
        return Some("The cell needs a width and a height of at least 1".into());
    }
    if width > image.width {
        return Some(format!("The cell is wider than the image: {width} of {} px", image.width));
    }
    if height > image.height {
        return Some(format!("The cell is taller than the image: {height} of {} px", image.height));
    }
    let (columns, rows) = grid::columns_and_rows(run, image);
    if columns == 0 || rows == 0 {
        return Some("No whole cell fits: make the offset or the cell smaller".into());
    }
    let count = u64::from(columns) * u64::from(rows);
    (count > MAX_FRAMES)
        .then(|| format!("{count} frames: a texture holds at most {MAX_FRAMES}, make the cell larger"))
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
