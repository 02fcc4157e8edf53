//! From a sheet to a sidecar.

use super::read::read;
use crate::format::sidecar::{Cut, Sidecar, StoredFrame, StoredGrid, StoredSlicing};
use crate::geometry::Size;
use crate::model::{Frame, Leftover, Recipe, Run, Sheet};
use crate::slicing::cells;

/// Stores a sheet, cut from an image of that size, in its sidecar. What did not change since the sidecar was read,
/// and what is not ours, stays as it is. Does nothing while [`Sidecar::can_save`] refuses.
pub fn write(sheet: &Sheet, sidecar: &mut Sidecar, image: Size) {
    sidecar.write_texture(&sheet.settings);
    let (stored, _) = read(sidecar, image, "");
    let is_unchanged = stored.frames == sheet.frames
        && stored.recipe == sheet.recipe
        && stored.next_frame_id == sheet.first_free_id()
        && stored.ignored == sheet.ignored
        && (!sheet.is_sliced() || stored.image_size_at_save == Some(image));
    if !is_unchanged {
        let slicing = slicing(sheet, image, sidecar.has_unknown_frame_keys());
        sidecar.write_slicing(&slicing);
    }
}

fn slicing(sheet: &Sheet, image: Size, needs_entries: bool) -> StoredSlicing {
    let says_ids = !sheet.ids_are_positions();
    let recipe = sheet.recipe.as_deref();
    let plain_run = plain_run(sheet, image).filter(|_| !needs_entries);
    let cut = match plain_run {
        _ if !sheet.is_sliced() => Cut::None,
        Some(run) => Cut::Grid(grid(&sheet.frames, run, says_ids)),
        None => Cut::Atlas(sheet.frames.iter().map(entry).collect()),
    };
    // A grid is its own recipe.
    let is_implied = plain_run.is_some_and(|run| recipe == Some(&Recipe::grid(run.clone())));
    StoredSlicing {
        cut,
        next_frame_id: says_ids.then(|| sheet.first_free_id()),
        image_size: sheet.is_sliced().then_some(image),
        recipe: recipe.filter(|_| !is_implied).cloned(),
        ignored: sheet.ignored.to_vec(),
    }
}

/// The run of a sheet whose frames are all whole cells of it from the image's corner, and nothing else: only such
/// a sheet comes back the same from a stored grid.
fn plain_run(sheet: &Sheet, image: Size) -> Option<&Run> {
    let run = sheet.single_run().filter(|run| run.is_plain())?;
    let rects = sheet.frames.iter().map(|frame| (!frame.unreadable).then_some(frame.rect_in_image));
    let is_full = rects.eq(cells(run, Leftover::Drop, image).into_iter().map(Some));
    is_full.then_some(run)
}

fn grid(frames: &[Frame], run: &Run, says_ids: bool) -> StoredGrid {
    let named = frames.iter().filter(|frame| !frame.name.is_empty());
    StoredGrid {
        frame_width: run.cell.width,
        frame_height: run.cell.height,
        ids: if says_ids { frames.iter().map(|frame| Some(frame.id.0)).collect() } else { Vec::new() },
        names: named.map(|frame| (frame.id.0, frame.name.clone())).collect(),
        guids: frames.iter().filter_map(|frame| Some((frame.id.0, frame.foreign_guid?))).collect(),
    }
}

fn entry(frame: &Frame) -> StoredFrame {
    StoredFrame {
        id: frame.id.0,
        rect: (!frame.unreadable).then_some(frame.rect_in_image),
        name: frame.name.clone(),
        guid: frame.foreign_guid,
    }
}
