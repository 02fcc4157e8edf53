//! What can be told to be wrong from a sheet and the size of its image.

use crate::geometry::Size;
use crate::model::frame::RectFault;
use crate::model::{Code, Frame, Leftover, Problem, Sheet};
use crate::slicing::{MAX_FRAMES, closing_margin, leftover};

/// The problems of a sheet on an image of that size, of the asset at `path`: frames, ids, grid. Overlaps are not
/// looked for.
pub fn problems(sheet: &Sheet, image: Size, path: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    if sheet.frames.len() > MAX_FRAMES {
        let text =
            "There are more than 65,535 frames, which no texture can hold: use larger cells or fewer frames";
        found.push(Problem::new(Code::TooManyFrames, path, text));
    }
    let faulty = sheet.frames.iter().enumerate();
    found
        .extend(faulty.filter_map(|(index, frame)| Some(frame_problem(frame, image, path)?.at_frame(index))));
    for index in sheet.duplicate_ids() {
        let id = sheet.frames[index].id;
        let text =
            format!("An earlier frame has the id {id} too, and references show that one: give one a new id");
        found.push(Problem::new(Code::FrameIdDuplicate, path, text).at_frame(index));
    }
    found.extend(grid_problem(sheet, image, path));
    found
}

fn frame_problem(frame: &Frame, image: Size, path: &str) -> Option<Problem> {
    let rect = frame.rect_in_image;
    Some(match frame.fault(image)? {
        RectFault::Unreadable => {
            let text = "The frame's entry is no rectangle of whole numbers: draw it anew or remove it";
            Problem::new(Code::FrameInvalid, path, text)
        }
        RectFault::NoPixels => {
            let text = format!("The frame, {rect}, has no pixels: give it a size or remove it");
            Problem::new(Code::FrameInvalid, path, text)
        }
        RectFault::Outside => {
            let text = format!("The frame, {rect}, is outside the image, {image}: move or remove it");
            Problem::new(Code::FrameInvalid, path, text)
        }
        RectFault::PartlyOutside => {
            let text =
                format!("The frame, {rect}, is partly outside the image, {image}, and is drawn clipped");
            Problem::new(Code::FramePartlyOutside, path, text)
        }
    })
}

/// Cells that do not fit, or pixels that no cell has; of a sheet with several runs the pixels between them are
/// nobody's.
fn grid_problem(sheet: &Sheet, image: Size, path: &str) -> Option<Problem> {
    let recipe = sheet.recipe.as_deref()?;
    let grids = recipe.grids().filter(|grids| grids.leftover == Leftover::Drop)?;
    let too_large =
        grids.runs.iter().find(|run| run.cell.width > image.width || run.cell.height > image.height);
    if let Some(run) = too_large {
        let cell = run.cell;
        let text = format!("The cell, {cell}, is larger than the image, {image}: make it smaller");
        return Some(Problem::new(Code::CellLargerThanImage, path, text));
    }
    let run = recipe.single_run()?;
    let rest = leftover(run, image);
    if rest.is_none() || closing_margin(run, image) {
        return None;
    }
    let text =
        format!("{} px at the right and {} px at the bottom are in no whole cell", rest.right, rest.bottom);
    Some(Problem::new(Code::LeftoverPixels, path, text))
}
