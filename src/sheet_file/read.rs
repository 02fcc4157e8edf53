//! From a sidecar to a sheet.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::found::Found;
use super::problems;
use crate::format::sidecar::{Cut, Reading, Sidecar, StoredFrame, StoredGrid, StoredSlicing};
use crate::geometry::{PixelRect, Size};
use crate::model::{Code, Frame, FrameId, Grids, Leftover, Problem, Recipe, Run, Sheet};
use crate::slicing::{MAX_FRAMES, cells, columns_and_rows};

/// The sheet that a sidecar describes on an image of that size, and the problems of both but for those that the sheet
/// asks not to be told; `path` is the asset's, for the problems. Never fails: what cannot be understood is left out
/// or flagged.
pub fn read(sidecar: &Sidecar, image: Size, path: &str) -> (Sheet, Vec<Problem>) {
    let Reading { slicing, texture, faults } = sidecar.read();
    let mut renumbered = None;
    let (frames, recipe) = match &slicing.cut {
        Cut::None => (Vec::new(), None),
        Cut::Grid(grid) => {
            let frames;
            (frames, renumbered) = grid_frames(grid, &slicing, image);
            let plain = Recipe::grid(Run::of_cell(cell_of(grid, image)));
            let stored = slicing.recipe.filter(|recipe| gives(recipe, &frames, image));
            (frames, Some(stored.unwrap_or(plain)))
        }
        Cut::Atlas(entries) => {
            let frames: Vec<_> = entries.iter().map(frame).collect();
            let recipe = slicing.recipe.filter(|recipe| gives(recipe, &frames, image));
            (frames, recipe)
        }
    };
    let mut sheet = Sheet {
        frames: frames.into(),
        recipe: recipe.map(Arc::new),
        next_frame_id: slicing.next_frame_id.unwrap_or(0),
        settings: Arc::new(texture),
        image_size_at_save: slicing.image_size,
        ignored: slicing.ignored.into(),
    };
    sheet.next_frame_id = sheet.first_free_id().max(retired_below(&slicing.cut, slicing.image_size));
    let mut found = Found::new(&sheet, path);
    for fault in faults {
        found.add(fault.code, fault.frame, || fault.text);
    }
    if let Some(text) = renumbered {
        found.add(Code::GridRenumbered, None, || text);
    }
    // The sidecar's own faults say more about entries that cannot be read.
    problems::find(&sheet, image, &|frame| !frame.unreadable, &mut found);
    let found = found.finish();
    (sheet, found)
}

fn frame(entry: &StoredFrame) -> Frame {
    Frame {
        id: FrameId(entry.id),
        name: Arc::clone(&entry.name),
        rect_in_image: entry.rect.unwrap_or_default(),
        foreign_guid: entry.guid,
        unreadable: entry.rect.is_none(),
    }
}

/// The cell of a stored grid; a side of 0 is the image's.
fn cell_of(grid: &StoredGrid, image: Size) -> Size {
    let side = |stored: u32, whole: u32| if stored == 0 { whole } else { stored };
    Size::new(side(grid.frame_width, image.width), side(grid.frame_height, image.height))
}

/// Columns and rows of a stored grid on an image of that size.
fn shape(grid: &StoredGrid, image: Size) -> (u64, u64) {
    let (columns, rows) = columns_and_rows(&Run::of_cell(cell_of(grid, image)), image);
    (columns.into(), rows.into())
}

/// Ids below this may have been in use although no frame has them now: cells that the image lost.
fn retired_below(cut: &Cut, image_at_save: Option<Size>) -> u32 {
    match (cut, image_at_save) {
        (Cut::Grid(grid), Some(image)) => {
            let (columns, rows) = shape(grid, image);
            let cells = columns.saturating_mul(rows).min(MAX_FRAMES as u64 + 1) as u32;
            grid.ids.iter().flatten().map(|id| id + 1).fold(cells, u32::max)
        }
        (Cut::Grid(grid), None) => grid.ids.iter().flatten().map(|id| id + 1).max().unwrap_or(0),
        (Cut::None | Cut::Atlas(_), _) => 0,
    }
}

/// The cells of a grid with their ids, and a sentence when they are not numbered as their positions would be.
///
/// When the image has another size than at the last save, a cell that it had then keeps the id of its place; the
/// others get fresh ids. Cells behind the end of a list of ids get fresh ones too.
fn grid_frames(grid: &StoredGrid, slicing: &StoredSlicing, image: Size) -> (Vec<Frame>, Option<String>) {
    let rects = cells(&Run::of_cell(cell_of(grid, image)), Leftover::Drop, image);
    let (columns, _) = shape(grid, image);
    let image_then = slicing.image_size.unwrap_or(image);
    let (columns_then, rows_then) = shape(grid, image_then);
    let names: BTreeMap<_, _> = grid.names.iter().map(|(id, name)| (*id, name)).collect();
    let guids: BTreeMap<_, _> = grid.guids.iter().copied().collect();

    let mut next = slicing.next_frame_id.unwrap_or(0).max(retired_below(&slicing.cut, slicing.image_size));
    let mut kept = 0;
    let mut is_renumbered = false;
    let frames: Vec<_> = (0_u64..)
        .zip(rects)
        .map(|(position, rect)| {
            let (column, row) = (position % columns, position / columns);
            let was_there = column < columns_then && row < rows_then;
            let then = was_there.then(|| row * columns_then + column);
            let id = then.and_then(|position| id_at(grid, position)).unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            kept += usize::from(was_there);
            is_renumbered |= id_at(grid, position).is_some_and(|by_position| by_position != id);
            Frame {
                name: names.get(&id).map_or_else(|| "".into(), |name| Arc::clone(name)),
                foreign_guid: guids.get(&id).copied(),
                ..Frame::new(FrameId(id), rect)
            }
        })
        .collect();
    let text = (is_renumbered && columns != columns_then).then(|| {
        let new = frames.len() - kept;
        format!(
            "The image was {image_then} when the grid was saved and is {image} now: {kept} frames keep their ids by \
             their place, {new} are new. Save to keep it so"
        )
    });
    (frames, text)
}

/// The id that a stored grid gives the cell at that position; `None` behind the end of its list.
fn id_at(grid: &StoredGrid, position: u64) -> Option<u32> {
    if grid.ids.is_empty() {
        return u32::try_from(position).ok();
    }
    let stored = grid.ids.get(usize::try_from(position).ok()?)?;
    stored.or_else(|| u32::try_from(position).ok())
}

/// Whether a recipe gives exactly those frames. Cells of a run that leaves out empty ones may be missing, for
/// the pixels are not known here.
fn gives(recipe: &Recipe, frames: &[Frame], image: Size) -> bool {
    if frames.iter().any(|frame| frame.unreadable) {
        return false;
    }
    // What detection gives is known with the pixels only; an edit by hand takes its recipe away.
    let Recipe::Grids(Grids { runs, leftover }) = recipe else { return true };
    if runs.is_empty() {
        return false;
    }
    let mut wanted = frames.iter().map(|frame| frame.rect_in_image).peekable();
    for run in runs {
        let mut is_next = |rect: PixelRect| wanted.next_if_eq(&rect).is_some();
        let given = cells(run, *leftover, image);
        if !given.into_iter().all(|rect| is_next(rect) || run.skip_empty.is_some()) {
            return false;
        }
    }
    wanted.next().is_none()
}
