//! What a texture's metadata says that cannot be drawn as meant, found once all of it is read.

use std::collections::HashMap;

use super::TexFrame;
use super::read::{Tex, TexWarning};
use crate::geometry::Size;
use crate::texture::Insets;

/// A hostile file must not fill the memory, nor a broken one the problem list.
pub(super) const MAX_WARNINGS: usize = 1000;

/// Adds a warning while there is room, and then one that says that there are more.
pub(super) fn push(warnings: &mut Vec<TexWarning>, frame: Option<usize>, message: String) {
    if warnings.len() + 1 < MAX_WARNINGS {
        warnings.push(TexWarning { frame, message });
    } else if warnings.len() < MAX_WARNINGS {
        warnings
            .push(TexWarning { frame: None, message: "There are more faults than are listed.".to_owned() });
    }
}

/// Adds a warning for everything that points outside or names nothing.
pub(super) fn check(tex: &mut Tex) {
    let mut found = Vec::new();
    check_whole(tex, &mut found);
    check_frames(tex, &mut found);
    for TexWarning { frame, message } in found {
        push(&mut tex.warnings, frame, message);
    }
}

fn check_whole(tex: &Tex, found: &mut Vec<TexWarning>) {
    let image = tex.image_size();
    if tex.flags.unknown() != 0 {
        push(found, None, format!("The flag bits {:#x} are unknown and are ignored.", tex.flags.unknown()));
    }
    if let Some(frame) = tex.default_frame
        && (is_outside(frame.width, image.width) || is_outside(frame.height, image.height))
    {
        let (width, height) = (frame.width, frame.height);
        push(
            found,
            None,
            format!("The default frame of {width} x {height} does not fit the image of {image}."),
        );
    }
    if tex
        .nine_slice
        .is_some_and(|insets| leaves_no_centre(insets, i64::from(image.width), i64::from(image.height)))
    {
        push(found, None, format!("The nine-slice borders leave no centre in the image of {image}."));
    }
    check_spans(tex, found);
}

const fn is_outside(side: i32, image_side: u32) -> bool {
    side < 0 || side as u32 > image_side
}

/// The engine draws nothing then: it needs a centre to stretch.
fn leaves_no_centre(insets: Insets, width: i64, height: i64) -> bool {
    let Insets { left, right, top, bottom } = insets;
    i64::from(left) + i64::from(right) >= width || i64::from(top) + i64::from(bottom) >= height
}

fn check_spans(tex: &Tex, found: &mut Vec<TexWarning>) {
    let Some(key) = tex.chroma_key.as_ref().filter(|key| !key.spans.is_empty()) else { return };
    let Size { width, height } = tex.size;
    if key.spans.len() as u64 != 2 * u64::from(height) {
        push(found, None, format!("{} row span ends are stored for {height} rows.", key.spans.len()));
    }
    let (rows, _) = key.spans.as_chunks::<2>();
    let wild =
        rows.iter().filter(|[start, end]| *start < 0 || start > end || i64::from(*end) > i64::from(width));
    let wild = wild.count();
    if wild > 0 {
        push(found, None, format!("The chroma key's spans of {wild} rows lie outside the texture."));
    }
}

fn check_frames(tex: &Tex, found: &mut Vec<TexWarning>) {
    let image = tex.image_size();
    let mut first_with: HashMap<&[u8; 36], usize> = HashMap::with_capacity(tex.frames.len());
    for (index, frame) in tex.frames.iter().enumerate() {
        if let Some(message) = rect_fault(frame, image) {
            push(found, Some(index), message);
        }
        if let Some(insets) = frame.nine_slice
            && !frame.rect.is_empty()
            && leaves_no_centre(insets, i64::from(frame.rect.width), i64::from(frame.rect.height))
        {
            push(found, Some(index), "The frame's nine-slice borders leave no centre.".to_owned());
        }
        if frame.parsed_guid().is_none() {
            push(found, Some(index), "The frame's GUID is none, so nothing can refer to it.".to_owned());
        }
        let first = *first_with.entry(&frame.guid).or_insert(index);
        if first != index {
            let message = format!("The frame has the GUID of frame {first}, which is found in its place.");
            push(found, Some(index), message);
        }
    }
}

fn rect_fault(frame: &TexFrame, image: Size) -> Option<String> {
    let TexFrame { rect, .. } = frame;
    if rect.is_empty() {
        Some(format!("The frame of {rect} has no pixels."))
    } else if rect.is_inside(image) {
        None
    } else if rect.clipped_to(image).is_some() {
        Some(format!("The frame of {rect} lies partly outside the image of {image}."))
    } else {
        Some(format!("The frame of {rect} lies outside the image of {image}."))
    }
}
