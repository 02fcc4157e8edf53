//! What can be told to be wrong from a sheet and the size of its image.

use std::collections::HashMap;

use super::found::{Found, other_frame, this_frame};
use crate::geometry::{PixelRect, Size};
use crate::model::frame::RectFault;
use crate::model::problem::quoted;
use crate::model::{Code, Frame, Leftover, Problem, Sheet};
use crate::slicing::{MAX_FRAMES, closing_margin, largest_speck, leftover, overlaps};

/// The kinds that [`problems`] tells.
pub const OF_THE_SHEET: [Code; 9] = [
    Code::TooManyFrames,
    Code::FrameInvalid,
    Code::FramePartlyOutside,
    Code::FrameIdDuplicate,
    Code::NameDuplicate,
    Code::CellLargerThanImage,
    Code::LeftoverPixels,
    Code::FrameOverlap,
    Code::FrameTiny,
];

/// The problems of a sheet on an image of that size, of the asset at `path`: frames, ids, names, grid. What the sheet
/// asks not to be told is left out.
pub fn problems(sheet: &Sheet, image: Size, path: &str) -> Vec<Problem> {
    let mut found = Found::new(sheet, path);
    find(sheet, image, &|_| true, &mut found);
    found.finish()
}

/// Adds the problems of the sheet, those of single frames only where `tells` says so.
pub(super) fn find(sheet: &Sheet, image: Size, tells: &dyn Fn(&Frame) -> bool, found: &mut Found<'_>) {
    if sheet.frames.len() > MAX_FRAMES {
        found.add(Code::TooManyFrames, None, || {
            "There are more than 65,535 frames, which no texture can hold: use larger cells or fewer frames".into()
        });
    }
    for (index, frame) in sheet.frames.iter().enumerate().filter(|(_, frame)| tells(frame)) {
        if let Some(fault) = frame.fault(image) {
            add_fault(fault, index, frame, image, found);
        }
    }
    for (index, frame) in duplicate_ids(sheet).filter(|(_, frame)| tells(frame)) {
        let id = frame.id;
        found.add(Code::FrameIdDuplicate, Some(index), || {
            format!("An earlier frame has the id {id} too, and references show that one: give one a new id")
        });
    }
    find_duplicate_names(sheet, tells, found);
    find_overlaps(sheet, image, found);
    find_specks(sheet, found);
    if let Some((code, text)) = grid_problem(sheet, image) {
        found.add(code, None, || text);
    }
}

fn duplicate_ids(sheet: &Sheet) -> impl Iterator<Item = (usize, &Frame)> {
    sheet.duplicate_ids().into_iter().map(|index| (index, &sheet.frames[index]))
}

fn add_fault(fault: RectFault, index: usize, frame: &Frame, image: Size, found: &mut Found<'_>) {
    let rect = frame.rect_in_image;
    let code = if fault.excludes_frame() { Code::FrameInvalid } else { Code::FramePartlyOutside };
    found.add(code, Some(index), || match fault {
        RectFault::Unreadable => {
            "The frame's entry is no rectangle of whole numbers: draw it anew or remove it".to_owned()
        }
        RectFault::NoPixels => format!("The frame, {rect}, has no pixels: give it a size or remove it"),
        RectFault::Outside => format!("The frame, {rect}, is outside the image, {image}: move or remove it"),
        RectFault::PartlyOutside => {
            format!("The frame, {rect}, is partly outside the image, {image}, and is drawn clipped")
        }
    });
}

fn find_duplicate_names(sheet: &Sheet, tells: &dyn Fn(&Frame) -> bool, found: &mut Found<'_>) {
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (index, frame) in sheet.frames.iter().enumerate().filter(|(_, frame)| !frame.name.is_empty()) {
        let earlier = *first.entry(&frame.name).or_insert(index);
        if earlier != index && tells(frame) {
            found.add(Code::NameDuplicate, Some(index), || {
                let name = quoted(&frame.name);
                format!("The frame is named {name} as frame {earlier} is: whoever looks for the name finds one of them")
            });
        }
    }
}

fn find_overlaps(sheet: &Sheet, image: Size, found: &mut Found<'_>) {
    let rects: Vec<Option<PixelRect>> = sheet.frames.iter().map(|frame| frame.drawn_rect(image)).collect();
    let mut pairs = overlaps(&rects);
    // From the sweep's order, which only it needs, to the sheet's.
    pairs.sort_unstable();
    for (index, earlier) in pairs {
        let shared = rects[index].zip(rects[earlier]).and_then(|(a, b)| a.intersection(b));
        let Some(shared) = shared else { continue };
        found.add(Code::FrameOverlap, Some(index), || {
            let this = this_frame(&sheet.frames[index]);
            let other = other_frame(earlier, &sheet.frames[earlier]);
            let how = if rects[index] == rects[earlier] {
                format!("has the same place as {other}")
            } else if rects[index] == Some(shared) {
                format!("lies inside {other}")
            } else if rects[earlier] == Some(shared) {
                format!("has {other} inside it")
            } else {
                format!("shares {} x {} px with {other}", shared.width, shared.height)
            };
            format!("{this} {how}, which is legal: move or resize one if it is not meant")
        });
    }
}

/// What is left of noise after automatic slicing; cells of a grid are as small as they were made.
fn find_specks(sheet: &Sheet, found: &mut Found<'_>) {
    if sheet.grids().is_some() {
        return;
    }
    let area = |frame: &Frame| {
        let PixelRect { width, height, .. } = frame.rect_in_image;
        u64::try_from(i64::from(width) * i64::from(height)).ok().filter(|area| *area > 0)
    };
    let Some(largest) = largest_speck(sheet.frames.iter().filter_map(area)) else { return };
    let is_speck = |frame: &Frame| area(frame).is_some_and(|area| area <= largest);
    for (index, frame) in sheet.frames.iter().enumerate().filter(|(_, frame)| is_speck(frame)) {
        let PixelRect { width, height, .. } = frame.rect_in_image;
        found.add(Code::FrameTiny, Some(index), || {
            format!("The frame has just {width} x {height} px, a speck beside the others: delete it if it is noise")
        });
    }
}

/// Cells that do not fit, or pixels that no cell has; of a sheet with several runs the pixels between them are
/// nobody's.
fn grid_problem(sheet: &Sheet, image: Size) -> Option<(Code, String)> {
    let recipe = sheet.recipe.as_deref()?;
    let grids = recipe.grids().filter(|grids| grids.leftover == Leftover::Drop)?;
    let too_large =
        grids.runs.iter().find(|run| run.cell.width > image.width || run.cell.height > image.height);
    if let Some(run) = too_large {
        let cell = run.cell;
        let text = format!("The cell, {cell}, is larger than the image, {image}: make it smaller");
        return Some((Code::CellLargerThanImage, text));
    }
    let run = recipe.single_run()?;
    let rest = leftover(run, image);
    if rest.is_none() || closing_margin(run, image) {
        return None;
    }
    let text =
        format!("{} px at the right and {} px at the bottom are in no whole cell", rest.right, rest.bottom);
    Some((Code::LeftoverPixels, text))
}
