//! What can be told to be wrong with a sheet once it is known how its texture is stored.

use super::found::{Found, this_frame};
use crate::geometry::{Size, map_edge, stored_size};
use crate::model::{Code, Problem, Sheet, Storing, Target};

/// The kinds that [`stored_problems`] tells.
pub const OF_THE_STORED: [Code; 2] = [Code::FrameVanishes, Code::TextureOverLimit];

/// The problems of a sheet on an image of that size, of the asset at `path`, when its texture is stored so, for a target
/// or for none. What the sheet asks not to be told is left out.
pub fn stored_problems(
    sheet: &Sheet,
    image: Size,
    storing: &Storing,
    target: Option<&Target>,
    path: &str,
) -> Vec<Problem> {
    let mut found = Found::new(sheet, path);
    let stored = stored_size(image, storing.max_size);
    if stored != image {
        find_vanishing(sheet, image, stored, &mut found);
    }
    find_over_limit(stored, target, &mut found);
    found.finish()
}

/// Frames whose edges come to the same place at the stored size. The engine draws a pixel of their neighbour then, or none.
fn find_vanishing(sheet: &Sheet, image: Size, stored: Size, found: &mut Found<'_>) {
    let is_nothing = |from: i32, to: i64, image: u32, stored: u32| {
        let edge = |at| map_edge(at, image.into(), stored.into());
        edge(from.into()) == edge(to)
    };
    for (index, frame) in sheet.frames.iter().enumerate().filter(|(_, frame)| !frame.unreadable) {
        let Some(rect) = frame.drawn_rect(image) else { continue };
        let vanishes = is_nothing(rect.x, rect.right(), image.width, stored.width)
            || is_nothing(rect.y, rect.bottom(), image.height, stored.height);
        if vanishes {
            found.add(Code::FrameVanishes, Some(index), || {
                format!(
                    "{} vanishes: of {rect} nothing is left at {stored}. Give the texture a larger Max Size",
                    this_frame(frame)
                )
            });
        }
    }
}

/// The device of a target holds no texture as large as this one.
fn find_over_limit(stored: Size, target: Option<&Target>, found: &mut Found<'_>) {
    let Some((target, most)) = target.and_then(|target| Some((target, target.max_texture?))) else { return };
    if stored.width.max(stored.height) > most {
        found.add(Code::TextureOverLimit, None, || {
            format!(
                "The texture, {stored}, is larger than {} holds, {most} px a side: set Max Size {most} for it",
                target.name
            )
        });
    }
}
