//! What the commands of the Edit menu do to the selected frames.

use std::sync::Arc;

use super::{Command, Document, Effect, Session};
use crate::edit::{Added, Edit, Reshape};
use crate::format::clipboard;
use crate::geometry::PixelRect;
use crate::model::FrameId;
use crate::slicing::arrange::{self, Align, Anchor, Edges};
use crate::slicing::ink::InkPlanes;
use crate::slicing::trim;

/// Pasted frames that would lie exactly on others are put beside them by so many pixels.
const PASTE_STEP: i32 = 8;

/// The selected frames that the image has pixels of.
struct Selected {
    ids: Vec<FrameId>,
    rects: Vec<PixelRect>,
}

impl Selected {
    fn of(document: &Document) -> Self {
        let image = document.image_size;
        let (ids, rects) = document
            .selected_frames()
            .filter_map(|(_, frame)| Some((frame.id, frame.drawn_rect(image)?)))
            .unzip();
        Self { ids, rects }
    }

    fn with(&self, rects: Vec<PixelRect>) -> Vec<(FrameId, PixelRect)> {
        self.ids.iter().copied().zip(rects).collect()
    }
}

impl Session {
    /// Why a command about the selected frames cannot be carried out now; `None` when it can, or is another kind.
    pub(super) fn why_frames_disabled(&self, command: Command) -> Option<&'static str> {
        let document = self.current();
        let selected = document.map_or(0, |document| document.history.selection().len());
        let (least, why) = match command {
            Command::DeleteFrames
            | Command::DuplicateFrames
            | Command::CopyFrames
            | Command::CutFrames
            | Command::TrimFrames
            | Command::GrowFrames
            | Command::ShrinkFrames
            | Command::MoveEarlier
            | Command::MoveLater
            | Command::RenameFrames => (1, "No frame is selected"),
            Command::MergeFrames
            | Command::TrimAlike
            | Command::SameSize
            | Command::AlignLeft
            | Command::AlignCenterX
            | Command::AlignRight
            | Command::AlignTop
            | Command::AlignCenterY
            | Command::AlignBottom => (2, "Select at least two frames"),
            Command::NineSlice if document.is_none() => return Some("No sheet is open"),
            Command::SplitFrame if selected != 1 => return Some("Select one frame"),
            _ => return None,
        };
        if selected < least {
            return Some(why);
        }
        let needs_ink = matches!(command, Command::TrimFrames | Command::TrimAlike);
        (needs_ink && self.planes().is_none()).then_some("The image's pixels are still being read")
    }

    fn planes(&self) -> Option<Arc<super::Study>> {
        let document = self.current()?;
        self.study(document)?.shown().cloned()
    }

    /// Carries out a command about the selected frames; whether it is one.
    pub(super) fn frame_command(&mut self, command: Command) -> bool {
        let Some(document) = self.current() else { return false };
        let image = document.image_size;
        let selected = Selected::of(document);
        let rects = &selected.rects;
        let merged: Vec<_> = match command {
            Command::MergeFrames => document.selected_frames().map(|(at, frame)| (at, frame.id)).collect(),
            _ => Vec::new(),
        };
        let edit = match command {
            Command::DeleteFrames => {
                let ids = document.history.selection().to_vec();
                self.delete_frames(Edit::Remove(ids.clone()), &ids);
                self.with_current(|document| document.history.seal());
                None
            }
            Command::CopyFrames => {
                self.copy_frames();
                None
            }
            Command::CutFrames => {
                let ids = document.history.selection().to_vec();
                self.copy_frames();
                self.delete_frames(Edit::Remove(ids.clone()), &ids);
                self.with_current(|document| document.history.seal());
                None
            }
            Command::DuplicateFrames => Some(Edit::Add(Added::Duplicate, duplicates(document))),
            Command::MergeFrames => Some(Edit::Merge(document.history.selection().to_vec())),
            Command::TrimFrames => self.planes().map(|study| {
                let trimmed =
                    |rect: &PixelRect| trim::trimmed(*rect, &study.planes, trim::TRIM_RULE).unwrap_or(*rect);
                Edit::SetRects(Reshape::Trim, selected.with(rects.iter().map(trimmed).collect()))
            }),
            Command::TrimAlike => self.planes().and_then(|study| trim_alike(&selected, &study.planes)),
            Command::GrowFrames | Command::ShrinkFrames => {
                let margin = if command == Command::GrowFrames { 1 } else { -1 };
                let grown = rects.iter().map(|rect| arrange::grown(*rect, margin, image)).collect();
                Some(Edit::SetRects(Reshape::Grow, selected.with(grown)))
            }
            Command::SameSize => {
                let equal = arrange::same_size(rects, Anchor::default(), image);
                Some(Edit::SetRects(Reshape::SameSize, selected.with(equal)))
            }
            Command::MoveEarlier | Command::MoveLater => reordered(document, command == Command::MoveLater),
            _ => match alignment(command) {
                Some(align) => {
                    Some(Edit::SetRects(Reshape::Align, selected.with(arrange::aligned(rects, align))))
                }
                None => return false,
            },
        };
        if let Some(edit) = edit {
            self.edit(&edit);
            if command == Command::MergeFrames {
                self.tell_merged(&merged);
            }
            if !matches!(command, Command::GrowFrames | Command::ShrinkFrames) {
                self.with_current(|document| document.history.seal());
            }
        }
        true
    }

    /// Says which of the merged frames, given by their positions before, references find from now on.
    fn tell_merged(&mut self, merged: &[(usize, FrameId)]) {
        let Some(document) = self.current() else { return };
        let is_left = |(_, id): &&(usize, FrameId)| document.sheet().index_of(*id).is_some();
        let kept = merged.iter().find(is_left).map(|(position, _)| *position);
        let retired: Vec<_> =
            merged.iter().filter(|it| !is_left(it)).map(|(position, _)| position.to_string()).collect();
        let words = match (kept, retired.as_slice()) {
            (Some(kept), [one]) => format!("Keeps frame {kept}; frame {one} is retired"),
            (Some(kept), [a, b]) => format!("Keeps frame {kept}; frames {a} and {b} are retired"),
            (Some(kept), [a, b, more @ ..]) => {
                format!("Keeps frame {kept}; frames {a}, {b} and {} more are retired", more.len())
            }
            _ => return,
        };
        self.toasts.info(words);
    }

    /// Moves the selected frames or their right and bottom edges, as far as the image goes.
    pub(super) fn nudge(&mut self, dx: i32, dy: i32, edges: bool) {
        let Some(document) = self.current() else { return };
        let image = document.image_size;
        let selected = Selected::of(document);
        if selected.ids.is_empty() {
            return;
        }
        let (how, rects) = if edges {
            let right_and_bottom = Edges { right: dx != 0, bottom: dy != 0, ..Edges::default() };
            let resized = arrange::resized_group(&selected.rects, right_and_bottom, dx, dy, image);
            (Reshape::NudgeEdges, resized)
        } else {
            (Reshape::Nudge, arrange::moved(&selected.rects, dx, dy, image))
        };
        self.edit(&Edit::SetRects(how, selected.with(rects)));
    }

    fn copy_frames(&mut self) {
        let Some(document) = self.current() else { return };
        let frames: Vec<_> = document
            .selected_frames()
            .map(|(_, frame)| clipboard::ClipFrame {
                name: frame.name.to_string(),
                rect_in_image: frame.rect_in_image,
            })
            .collect();
        let count = frames.len();
        let text = clipboard::write(document.image_size, &frames);
        self.toasts.info(if count == 1 { "Copied 1 frame".into() } else { format!("Copied {count} frames") });
        self.effects.push(Effect::CopyText(text));
    }

    /// Adds the frames of a text; those that lie outside this image are moved inside.
    pub(super) fn paste(&mut self, text: &str) {
        let Some(document) = self.current().filter(|document| document.is_ready()) else { return };
        let image = document.image_size;
        let clip = match clipboard::read(text) {
            Ok(clip) => clip,
            Err(why) => {
                self.toasts.warn(format!("Nothing was pasted: {why}"));
                return;
            }
        };
        let there: std::collections::HashSet<PixelRect> =
            document.sheet().frames.iter().map(|frame| frame.rect_in_image).collect();
        let by =
            if clip.frames.iter().any(|frame| there.contains(&frame.rect_in_image)) { PASTE_STEP } else { 0 };
        let placed: Vec<(PixelRect, Arc<str>)> = clip
            .frames
            .iter()
            .map(|frame| {
                let PixelRect { x, y, width, height } = frame.rect_in_image;
                let beside = PixelRect::new(x.saturating_add(by), y.saturating_add(by), width, height);
                (arrange::shifted_inside(beside, image), frame.name.as_str().into())
            })
            .collect();
        for why in &clip.skipped {
            self.toasts.warn(why.clone());
        }
        self.edit(&Edit::Add(Added::Paste, placed));
    }
}

/// Copies of the selected frames, moved together to where there is room.
fn duplicates(document: &Document) -> Vec<(PixelRect, Arc<str>)> {
    let image = document.image_size;
    let there: Vec<PixelRect> = document.sheet().frames.iter().map(|frame| frame.rect_in_image).collect();
    let selected = Selected::of(document);
    let Some(group) = arrange::merged(&selected.rects) else { return Vec::new() };
    let place = arrange::duplicate_place(group, &there, image);
    let moved = arrange::moved(&selected.rects, place.x - group.x, place.y - group.y, image);
    moved.into_iter().map(|rect| (rect, Arc::from(""))).collect()
}

fn trim_alike(selected: &Selected, planes: &InkPlanes) -> Option<Edit> {
    let rects = trim::trimmed_alike(&selected.rects, planes, trim::TRIM_RULE)?;
    Some(Edit::SetRects(Reshape::Trim, selected.with(rects)))
}

/// The selected frames one place on, together.
fn reordered(document: &Document, later: bool) -> Option<Edit> {
    let positions: Vec<usize> = document.selected_frames().map(|(position, _)| position).collect();
    let (first, last) = (*positions.first()?, *positions.last()?);
    let to = if later {
        // Before the frame behind the next one.
        (last + 2 <= document.sheet().frames.len()).then_some(last + 2)?
    } else {
        first.checked_sub(1)?
    };
    Some(Edit::Reorder(document.history.selection().to_vec(), to))
}

const fn alignment(command: Command) -> Option<Align> {
    Some(match command {
        Command::AlignLeft => Align::Left,
        Command::AlignCenterX => Align::CentreX,
        Command::AlignRight => Align::Right,
        Command::AlignTop => Align::Top,
        Command::AlignCenterY => Align::CentreY,
        Command::AlignBottom => Align::Bottom,
        _ => return None,
    })
}
