//! Quick fixes: what can be done about a kind of problem at once, as one step of the history.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Document, Lookup, Session, Study};
use crate::edit::{Edit, Reshape};
use crate::model::{Code, Frame, FrameId};
use crate::slicing::regrow::grown_to_ink;

/// What is done about a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fix {
    /// Frames are clipped to the image.
    Clip,
    /// Frames are deleted.
    Delete,
    /// Frames that look as another does are deleted.
    DeleteCopy,
    /// A number is put behind the names.
    Number,
    /// Frames get ids of their own.
    NewId,
    /// Frames are grown to the sprites that their edges cut.
    Grow,
}

impl Fix {
    /// The one for a kind of problem, if there is one.
    pub const fn of(code: Code) -> Option<Self> {
        Some(match code {
            Code::FramePartlyOutside => Self::Clip,
            Code::FrameInvalid | Code::FrameEmpty | Code::FrameTiny => Self::Delete,
            Code::FramesIdentical => Self::DeleteCopy,
            Code::NameDuplicate => Self::Number,
            Code::FrameIdDuplicate => Self::NewId,
            Code::InkTouching => Self::Grow,
            _ => return None,
        })
    }

    /// Its name, for one problem.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Clip => "Clip",
            Self::Delete => "Delete",
            Self::DeleteCopy => "Delete the copy",
            Self::Number => "Append a number",
            Self::NewId => "Give a new id",
            Self::Grow => "Grow",
        }
    }

    /// Its name, for several problems.
    pub const fn text_for_all(self) -> &'static str {
        match self {
            Self::Clip => "Clip all",
            Self::Delete => "Delete all",
            Self::DeleteCopy => "Delete all copies",
            Self::Number => "Append numbers",
            Self::NewId => "Give new ids",
            Self::Grow => "Grow all",
        }
    }

    /// What it does, for a tooltip.
    pub const fn tooltip(self) -> &'static str {
        match self {
            Self::Clip => "Leave what is inside the image",
            Self::Delete => "Delete the frame; its id is retired",
            Self::DeleteCopy => {
                "Delete the later frame; its id is retired, and references to it find nothing"
            }
            Self::Number => "Make the name one of its own: run becomes run_2",
            Self::NewId => {
                "Give the frame an id that no other has; references keep showing the earlier frame"
            }
            Self::Grow => "Move the edges outwards until the whole sprite is inside",
        }
    }
}

impl Session {
    /// Why a sheet's problems cannot be fixed or ignored here now; `None` when they can.
    pub fn why_not_editable(&self, path: &str) -> Option<&'static str> {
        let document = self.documents.iter().find(|document| *document.path == *path);
        match document {
            None => Some("Open the sheet first: a click on the problem does"),
            Some(document) if !document.is_ready() => Some("The sheet is still being read"),
            Some(_) => None,
        }
    }

    /// Why a fix cannot be carried out on a sheet now; `None` when it can.
    pub fn why_no_fix(&self, fix: Fix, path: &str) -> Option<&'static str> {
        let why = self.why_not_editable(path);
        if why.is_some() || fix != Fix::Grow {
            return why;
        }
        let document = self.documents.iter().find(|document| *document.path == *path)?;
        match self.study(document) {
            Some(Lookup::Ready(_)) => None,
            Some(Lookup::Failed(..)) | None => Some("The image's pixels cannot be read"),
            Some(Lookup::Pending(_)) => Some("The image's pixels are still being read"),
        }
    }

    /// Fixes problems of a kind that frames at these positions of a sheet have.
    pub(super) fn fix(&mut self, path: &Arc<str>, code: Code, positions: &[u32]) {
        let Some(fix) = Fix::of(code) else { return };
        if let Some(why) = self.why_no_fix(fix, path) {
            self.toasts.warn(why.to_owned());
            return;
        }
        self.open_sheet(path);
        let Some(document) = self.current() else { return };
        let study = self.study(document).and_then(|study| study.shown().cloned());
        let positions: Vec<usize> = positions.iter().map(|position| *position as usize).collect();
        match edit_of(fix, document, &positions, study.as_deref()) {
            Ok(edit) => self.as_one_step(&edit),
            Err(why) => self.toasts.warn(why.to_owned()),
        }
    }

    fn as_one_step(&mut self, edit: &Edit) {
        self.with_current(|document| document.history.seal());
        self.edit(edit);
        self.with_current(|document| document.history.seal());
    }
}

/// The edit that carries out a fix, or why there is none.
fn edit_of(
    fix: Fix,
    document: &Document,
    positions: &[usize],
    study: Option<&Study>,
) -> Result<Edit, &'static str> {
    let (sheet, image) = (document.sheet(), document.image_size);
    if fix == Fix::NewId {
        return Ok(Edit::GiveNewIds(positions.to_vec()));
    }
    let frames = single_frames(&sheet.frames, positions);
    if frames.is_empty() {
        return Err("The frame's id is another's too: give it a new one first");
    }
    let reshaped = |how, change: &dyn Fn(&Frame) -> Option<_>| {
        let rects = frames.iter().filter_map(|frame| Some((frame.id, change(frame)?)));
        Edit::SetRects(how, rects.collect())
    };
    Ok(match fix {
        Fix::Clip => reshaped(Reshape::Clip, &|frame| frame.drawn_rect(image)),
        Fix::Grow => {
            let islands = &study.ok_or("The image's pixels are still being read")?.detected.islands;
            reshaped(Reshape::Grow, &|frame| Some(grown_to_ink(frame.drawn_rect(image)?, islands)))
        }
        Fix::Number => Edit::Rename(numbered(&sheet.frames, &frames)),
        Fix::Delete | Fix::DeleteCopy | Fix::NewId => {
            Edit::Remove(frames.iter().map(|frame| frame.id).collect())
        }
    })
}

/// The frames at these positions whose ids no others have: edits find frames by their ids.
fn single_frames<'a>(frames: &'a [Frame], positions: &[usize]) -> Vec<&'a Frame> {
    let mut counts: HashMap<FrameId, usize> = HashMap::with_capacity(frames.len());
    for frame in frames {
        *counts.entry(frame.id).or_default() += 1;
    }
    let frames = positions.iter().filter_map(|position| frames.get(*position));
    frames.filter(|frame| counts.get(&frame.id) == Some(&1)).collect()
}

/// New names for frames: their own with the first number from 2 on that makes it one of its own.
fn numbered(all: &[Frame], frames: &[&Frame]) -> Vec<(FrameId, Arc<str>)> {
    let mut taken: HashSet<Arc<str>> = all.iter().map(|frame| frame.name.clone()).collect();
    // Where to go on counting, so that many frames of one name are not counted from 2 each.
    let mut next: HashMap<&str, u32> = HashMap::new();
    let mut renamed = Vec::with_capacity(frames.len());
    for frame in frames {
        let number = next.entry(&frame.name).or_insert(2);
        let name = loop {
            let name: Arc<str> = format!("{}_{number}", frame.name).into();
            *number += 1;
            if taken.insert(name.clone()) {
                break name;
            }
        };
        renamed.push((frame.id, name));
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{PixelRect, Size};
    use crate::model::Sheet;
    use crate::session::document::SheetOnDisk;

    fn document(frames: &[(u32, &str, PixelRect)]) -> Document {
        let frames = frames
            .iter()
            .map(|(id, name, rect)| Frame { name: (*name).into(), ..Frame::new(FrameId(*id), *rect) });
        let sheet = Sheet { frames: frames.collect(), ..Sheet::default() };
        let image_size = Size::new(16, 16);
        let mut document = Document::loading("a.png".into(), None);
        document.take_first(SheetOnDisk {
            sheet,
            image_size,
            guid: None,
            sidecar_hash: None,
            problems: Vec::new(),
        });
        document
    }

    fn frames_after(document: &mut Document, fix: Fix, positions: &[usize]) -> Vec<(u32, String, PixelRect)> {
        let edit = edit_of(fix, document, positions, None).unwrap();
        document.history.apply(&edit, document.image_size).unwrap();
        let frames = document.sheet().frames.iter();
        frames.map(|frame| (frame.id.0, frame.name.to_string(), frame.rect_in_image)).collect()
    }

    const CELL: PixelRect = PixelRect::new(0, 0, 8, 8);

    #[test]
    fn names_get_the_first_free_number() {
        let named = [(0, "run", CELL), (1, "run_2", CELL), (2, "run", CELL), (3, "run", CELL)];
        let after = frames_after(&mut document(&named), Fix::Number, &[2, 3]);
        let names: Vec<_> = after.iter().map(|(_, name, _)| name.as_str()).collect();
        assert_eq!(names, ["run", "run_2", "run_3", "run_4"]);
    }

    #[test]
    fn frames_are_clipped_and_deleted_where_they_are() {
        let outside = PixelRect::new(12, -4, 8, 8);
        let mut sheet = document(&[(0, "", CELL), (5, "", outside), (2, "", CELL)]);
        let clipped = frames_after(&mut sheet, Fix::Clip, &[1]);
        assert_eq!(clipped[1], (5, String::new(), PixelRect::new(12, 0, 4, 4)));
        assert_eq!(sheet.history.undo_label(), Some("Clip 1 frame"));
        let left = frames_after(&mut sheet, Fix::DeleteCopy, &[2]);
        assert_eq!(left.iter().map(|(id, ..)| *id).collect::<Vec<_>>(), [0, 5]);
    }

    #[test]
    fn frames_that_are_no_rectangles_can_be_deleted_and_the_others_stay() {
        let [garbage, empty] = [PixelRect::new(-657_667_686, 0, -884_205_686, 4), PixelRect::new(0, 0, 0, 0)];
        let mut sheet = document(&[(0, "", garbage), (1, "", CELL), (2, "", empty)]);
        assert_eq!(Fix::of(Code::FrameInvalid), Some(Fix::Delete));
        assert_eq!(frames_after(&mut sheet, Fix::Delete, &[0, 2]), [(1, String::new(), CELL)]);
        assert_eq!(sheet.history.undo_label(), Some("Delete 2 frames"));
    }

    #[test]
    fn a_frame_whose_id_is_another_s_too_needs_its_own_before_it_is_deleted() {
        let mut sheet = document(&[(1, "", CELL), (1, "", PixelRect::new(0, 0, 0, 0))]);
        assert!(edit_of(Fix::Delete, &sheet, &[1], None).is_err());
        let mended = frames_after(&mut sheet, Fix::NewId, &[1]);
        assert_eq!(mended.iter().map(|(id, ..)| *id).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(frames_after(&mut sheet, Fix::Delete, &[1]).len(), 1);
    }
}
