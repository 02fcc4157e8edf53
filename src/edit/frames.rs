//! Frames changed by hand. A sheet whose rectangles, order or number of frames differ from what its recipe gives
//! has no recipe any more; names are nobody's but the frame's.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::EditError;
use crate::geometry::{PixelRect, Size};
use crate::model::{Frame, FrameId, Sheet};
use crate::slicing::MAX_FRAMES;

/// How frames got other rectangles; the name of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reshape {
    /// Dragged to another place.
    Move,
    /// Dragged by an edge or corner.
    Resize,
    /// Moved by keys.
    Nudge,
    /// Their right and bottom edges moved by keys.
    NudgeEdges,
    /// Typed.
    Numbers,
    /// Cut down to their ink.
    Trim,
    /// Grown by a margin.
    Grow,
    /// Brought to a common edge or middle.
    Align,
    /// Made equally large.
    SameSize,
    /// Clipped to the image.
    Clip,
}

impl Reshape {
    pub(super) const fn verb(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Resize => "Resize",
            Self::Nudge => "Nudge",
            Self::NudgeEdges => "Nudge the edges of",
            Self::Numbers => "Set the numbers of",
            Self::Trim => "Trim",
            Self::Grow => "Grow",
            Self::Align => "Align",
            Self::SameSize => "Make the same size",
            Self::Clip => "Clip",
        }
    }
}

/// Where added frames came from; the name of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Added {
    /// Drawn by hand.
    Draw,
    /// Picked with the wand.
    Wand,
    /// From the clipboard.
    Paste,
    /// Copies of others.
    Duplicate,
    /// Found by a quick fix.
    Fix,
}

impl Added {
    pub(super) const fn verb(self) -> &'static str {
        match self {
            Self::Draw => "Draw",
            Self::Wand => "Pick",
            Self::Paste => "Paste",
            Self::Duplicate => "Duplicate",
            Self::Fix => "Add",
        }
    }
}

/// "Delete 3 frames".
pub(super) fn counted(verb: &str, count: usize) -> String {
    if count == 1 { format!("{verb} 1 frame") } else { format!("{verb} {count} frames") }
}

/// The sheet with other frames; what gave the old ones gives these no longer.
fn by_hand(sheet: &Sheet, frames: Vec<Frame>, next_frame_id: u32) -> Sheet {
    Sheet { frames: frames.into(), recipe: None, next_frame_id, ..sheet.clone() }
}

fn inside(rect: PixelRect, image: Size) -> Result<PixelRect, EditError> {
    if rect.is_inside(image) { Ok(rect) } else { Err(EditError::Outside(rect, image)) }
}

pub(super) fn set_rects(
    sheet: &Sheet,
    rects: &[(FrameId, PixelRect)],
    image: Size,
) -> Result<Sheet, EditError> {
    let mut by_id = HashMap::with_capacity(rects.len());
    for (id, rect) in rects {
        by_id.insert(*id, inside(*rect, image)?);
    }
    let mut changed = false;
    let frames: Vec<Frame> = sheet
        .frames
        .iter()
        .map(|frame| match by_id.remove(&frame.id) {
            Some(rect) if rect != frame.rect_in_image || frame.unreadable => {
                changed = true;
                Frame { rect_in_image: rect, unreadable: false, ..frame.clone() }
            }
            _ => frame.clone(),
        })
        .collect();
    Ok(if changed { by_hand(sheet, frames, sheet.next_frame_id) } else { sheet.clone() })
}

pub(super) fn add(sheet: &Sheet, added: &[(PixelRect, Arc<str>)], image: Size) -> Result<Sheet, EditError> {
    let count = sheet.frames.len() + added.len();
    if count > MAX_FRAMES {
        return Err(EditError::TooManyFrames(count));
    }
    if added.is_empty() {
        return Err(EditError::Frames("there is no frame to add"));
    }
    let mut next = sheet.first_free_id();
    let mut frames = sheet.frames.to_vec();
    for (rect, name) in added {
        frames.push(Frame { name: name.clone(), ..Frame::new(FrameId(next), inside(*rect, image)?) });
        next = next.saturating_add(1);
    }
    Ok(by_hand(sheet, frames, next))
}

pub(super) fn remove(sheet: &Sheet, ids: &[FrameId]) -> Sheet {
    let gone: HashSet<FrameId> = ids.iter().copied().collect();
    let frames: Vec<Frame> = sheet.frames.iter().filter(|frame| !gone.contains(&frame.id)).cloned().collect();
    if frames.len() == sheet.frames.len() {
        return sheet.clone();
    }
    by_hand(sheet, frames, sheet.first_free_id())
}

/// The frame that takes the place of removed ones, so that several can be removed in a row: the next that is
/// left, else the last one.
pub(super) fn next_to_removed(before: &Sheet, after: &Sheet, ids: &[FrameId]) -> Vec<FrameId> {
    let gone: HashSet<FrameId> = ids.iter().copied().collect();
    let Some(last) = before.frames.iter().rposition(|frame| gone.contains(&frame.id)) else {
        return Vec::new();
    };
    let next = before.frames[last..].iter().find(|frame| !gone.contains(&frame.id));
    next.or(after.frames.last()).map(|frame| frame.id).into_iter().collect()
}

pub(super) fn merge(sheet: &Sheet, ids: &[FrameId], image: Size) -> Result<Sheet, EditError> {
    let merged: HashSet<FrameId> = ids.iter().copied().collect();
    let rects = sheet.frames.iter().filter(|frame| merged.contains(&frame.id));
    let rects = rects.filter_map(|frame| frame.drawn_rect(image));
    let (mut count, mut around) = (0, None);
    for rect in rects {
        count += 1;
        around = Some(around.map_or(rect, |around| PixelRect::union(around, rect)));
    }
    let Some(around) = around.filter(|_| count > 1) else {
        return Err(EditError::Frames("select at least two frames to merge"));
    };
    let mut survivor = None;
    let mut frames = Vec::with_capacity(sheet.frames.len());
    for frame in &*sheet.frames {
        if !merged.contains(&frame.id) {
            frames.push(frame.clone());
        } else if survivor.is_none() {
            survivor = Some(frame.id);
            frames.push(Frame { rect_in_image: around, unreadable: false, ..frame.clone() });
        }
    }
    Ok(by_hand(sheet, frames, sheet.first_free_id()))
}

pub(super) fn split(
    sheet: &Sheet,
    id: FrameId,
    parts: &[PixelRect],
    image: Size,
) -> Result<Sheet, EditError> {
    let Some(position) = sheet.index_of(id) else {
        return Err(EditError::Frames("the frame is not there any more"));
    };
    let [first, others @ ..] = parts else {
        return Err(EditError::Frames("a frame needs at least one part"));
    };
    let count = sheet.frames.len() + others.len();
    if count > MAX_FRAMES {
        return Err(EditError::TooManyFrames(count));
    }
    let mut frames = sheet.frames.to_vec();
    frames[position].rect_in_image = inside(*first, image)?;
    frames[position].unreadable = false;
    let mut next = sheet.first_free_id();
    let mut added = Vec::with_capacity(others.len());
    for rect in others {
        added.push(Frame::new(FrameId(next), inside(*rect, image)?));
        next = next.saturating_add(1);
    }
    let rest = frames.split_off(position + 1);
    frames.extend(added);
    frames.extend(rest);
    Ok(by_hand(sheet, frames, next))
}

pub(super) fn reorder(sheet: &Sheet, ids: &[FrameId], to: usize) -> Sheet {
    let moving: HashSet<FrameId> = ids.iter().copied().collect();
    let is_moving = |frame: &&Frame| moving.contains(&frame.id);
    let to = to.min(sheet.frames.len());
    let before = sheet.frames[..to].iter().filter(|frame| !is_moving(frame));
    let moved = sheet.frames.iter().filter(is_moving);
    let after = sheet.frames[to..].iter().filter(|frame| !is_moving(frame));
    let frames: Vec<Frame> = before.chain(moved).chain(after).cloned().collect();
    if frames == *sheet.frames { sheet.clone() } else { by_hand(sheet, frames, sheet.first_free_id()) }
}

/// The first frame with an id keeps it, whatever is asked for.
pub(super) fn give_new_ids(sheet: &Sheet, positions: &[usize]) -> Sheet {
    let doubled: HashSet<usize> = sheet.duplicate_ids().into_iter().collect();
    let asked: HashSet<usize> = positions.iter().copied().collect();
    let mut next = sheet.first_free_id();
    let mut frames = sheet.frames.to_vec();
    for (position, frame) in frames.iter_mut().enumerate() {
        if asked.contains(&position) && doubled.contains(&position) {
            // A grid keeps the GUIDs of another tool by id, so that of both frames is one and the same.
            let earlier = sheet.frame(frame.id).and_then(|earlier| earlier.foreign_guid);
            frame.foreign_guid = frame.foreign_guid.filter(|own| Some(*own) != earlier);
            frame.id = FrameId(next);
            next = next.saturating_add(1);
        }
    }
    if next == sheet.first_free_id() {
        return sheet.clone();
    }
    Sheet { frames: frames.into(), next_frame_id: next, ..sheet.clone() }
}

pub(super) fn rename(sheet: &Sheet, names: &[(FrameId, Arc<str>)]) -> Sheet {
    let by_id: HashMap<FrameId, &Arc<str>> = names.iter().map(|(id, name)| (*id, name)).collect();
    let named = |frame: &Frame| match by_id.get(&frame.id) {
        Some(name) => Frame { name: Arc::clone(name), ..frame.clone() },
        None => frame.clone(),
    };
    Sheet { frames: sheet.frames.iter().map(named).collect(), ..sheet.clone() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::edit::{Bordered, Change as _, Cut, Edit, History, Reslice};
    use crate::model::{Code, FormatChoice, Run};
    use crate::texture::{Insets, PixelFormat};

    const IMAGE: Size = Size::new(64, 32);

    fn sliced() -> Sheet {
        let none = Sheet::default();
        Edit::SetGrid(Run::of_cell(Size::new(16, 16))).apply(&none, &none, IMAGE).unwrap()
    }

    fn ids(sheet: &Sheet) -> Vec<u32> {
        sheet.frames.iter().map(|frame| frame.id.0).collect()
    }

    fn all(list: &[u32]) -> Vec<FrameId> {
        list.iter().copied().map(FrameId).collect()
    }

    #[test]
    fn merging_keeps_the_first_in_the_sheets_order_whatever_was_clicked_first() {
        let merged = merge(&sliced(), &all(&[3, 2]), IMAGE).unwrap();
        assert_eq!(ids(&merged), [0, 1, 2, 4, 5, 6, 7]);
        assert_eq!(merged.frames[2].rect_in_image, PixelRect::new(32, 0, 32, 16));
        assert_eq!(merged.next_frame_id, 8, "3 is retired");
        assert!(merged.recipe.is_none());
        assert!(merge(&sliced(), &all(&[3]), IMAGE).is_err());
    }

    #[test]
    fn a_split_frame_keeps_its_id_in_its_first_part() {
        let halves = [PixelRect::new(16, 0, 8, 16), PixelRect::new(24, 0, 8, 16)];
        let parts = split(&sliced(), FrameId(1), &halves, IMAGE).unwrap();
        assert_eq!(ids(&parts), [0, 1, 8, 2, 3, 4, 5, 6, 7]);
        assert_eq!(parts.frames[1].rect_in_image, halves[0]);
    }

    #[test]
    fn frames_move_together_in_the_order_they_have() {
        let sheet = sliced();
        assert_eq!(ids(&reorder(&sheet, &all(&[6, 1]), 0)), [1, 6, 0, 2, 3, 4, 5, 7]);
        assert_eq!(ids(&reorder(&sheet, &all(&[1, 2]), 4)), [0, 3, 1, 2, 4, 5, 6, 7]);
        assert_eq!(ids(&reorder(&sheet, &all(&[0]), 99)), [1, 2, 3, 4, 5, 6, 7, 0]);
        assert_eq!(reorder(&sheet, &all(&[1, 2]), 2), sheet, "onto themselves is no change");
        assert!(reorder(&sheet, &all(&[0]), 8).recipe.is_none(), "the order is no grid's any more");
    }

    #[test]
    fn names_leave_the_grid_a_grid() {
        let named = rename(&sliced(), &[(FrameId(2), "walk".into())]);
        assert_eq!(&*named.frames[2].name, "walk");
        assert!(named.plain_grid_cell().is_some());
    }

    #[test]
    fn nothing_is_put_outside_the_image() {
        let sheet = sliced();
        let outside = PixelRect::new(60, 0, 8, 8);
        assert!(set_rects(&sheet, &[(FrameId(0), outside)], IMAGE).is_err());
        assert!(add(&sheet, &[(outside, "".into())], IMAGE).is_err());
        assert!(add(&sheet, &[(PixelRect::new(0, 0, 0, 8), "".into())], IMAGE).is_err());
    }

    #[test]
    fn a_typed_rectangle_mends_an_entry_that_could_not_be_read() {
        let mut sheet = sliced();
        let frames = sheet.frames.iter().cloned().map(|frame| Frame { unreadable: true, ..frame });
        sheet.frames = frames.collect();
        let rect = sheet.frames[0].rect_in_image;
        let mended = set_rects(&sheet, &[(FrameId(0), rect)], IMAGE).unwrap();
        assert!(!mended.frames[0].unreadable && mended.frames[1].unreadable);
    }

    #[test]
    fn after_each_deletion_the_next_frame_is_selected() {
        let mut history = History::new(sliced());
        history.select(all(&[6]));
        for expected in [7, 5, 4] {
            let selected = history.selection().to_vec();
            history.apply(&Edit::Remove(selected), IMAGE).unwrap();
            assert_eq!(history.selection(), all(&[expected]));
        }
        history.undo();
        assert_eq!(history.selection(), all(&[5]), "undo brings the selection back");
        history.redo();
        assert_eq!(history.selection(), all(&[4]));
    }

    fn any_edit() -> impl Strategy<Value = Edit> {
        let id = (0_u32..12).prop_map(FrameId);
        let ids = proptest::collection::vec(id.clone(), 0..4);
        let rect = (-4_i32..64, -4_i32..32, -2_i32..40, -2_i32..24);
        let rect = rect.prop_map(|(x, y, width, height)| PixelRect::new(x, y, width, height));
        let rects = proptest::collection::vec((id.clone(), rect.clone()), 0..3);
        let placed = (0_i32..48, 0_i32..24, 1_i32..17, 1_i32..9);
        let placed = placed.prop_map(|(x, y, width, height)| PixelRect::new(x, y, width, height));
        let frame = id.clone().prop_map(Bordered::Frame);
        let bordered = proptest::collection::vec(prop_oneof![frame, Just(Bordered::Image)], 0..4);
        prop_oneof![
            (1_u32..40, 1_u32..40).prop_map(|(w, h)| Edit::SetGrid(Run::of_cell(Size::new(w, h)))),
            Just(Edit::ClearSlicing),
            rects.prop_map(|rects| Edit::SetRects(Reshape::Move, rects)),
            rect.clone().prop_map(|rect| Edit::Add(Added::Draw, vec![(rect, "new".into())])),
            ids.clone().prop_map(Edit::Remove),
            ids.clone().prop_map(Edit::Merge),
            (id.clone(), proptest::collection::vec(rect, 0..3))
                .prop_map(|(id, parts)| Edit::Split(id, parts)),
            (ids, 0_usize..12).prop_map(|(ids, to)| Edit::Reorder(ids, to)),
            (id, "[a-z]{0,3}").prop_map(|(id, name)| Edit::Rename(vec![(id, name.into())])),
            (proptest::collection::vec(placed, 0..6), proptest::sample::select(Reslice::ALL.to_vec()))
                .prop_map(|(rects, mode)| Edit::Cut(Cut { mode, ..Cut::new(None, rects) })),
            Just(Edit::ToAtlas),
            proptest::collection::vec(0_usize..12, 0..3).prop_map(Edit::GiveNewIds),
            proptest::option::of(Just(FormatChoice::Fixed(PixelFormat::Rgb565))).prop_map(Edit::SetFormat),
            (bordered, 0_u16..12).prop_map(|(of, border)| Edit::SetBorders(of, Insets::all(border))),
            proptest::sample::select(Code::ALL).prop_map(Edit::IgnoreProblems),
            Just(Edit::HeedProblems),
        ]
    }

    proptest! {
        #[test]
        fn edits_are_undone_to_the_start_and_redone_to_the_end(
            edits in proptest::collection::vec((any_edit(), any::<bool>()), 1..24),
        ) {
            let start = sliced();
            let mut history = History::new(start.clone());
            let mut used: HashSet<FrameId> = start.frames.iter().map(|frame| frame.id).collect();
            // Within one step an id may be tried for one grid and then for another.
            let mut are_all_sealed = true;
            for (edit, seals) in &edits {
                let before = history.sheet().clone();
                if history.apply(edit, IMAGE).is_err() {
                    prop_assert_eq!(history.sheet(), &before, "what is refused changes nothing");
                    continue;
                }
                if *seals {
                    history.seal();
                }
                are_all_sealed &= *seals;
                let after = history.sheet();
                prop_assert!(after.duplicate_ids().is_empty());
                let inside = |frame: &Frame| frame.rect_in_image.is_inside(IMAGE);
                prop_assert!(after.frames.iter().all(inside), "{:?}", after.frames);
                let there: HashSet<FrameId> = before.frames.iter().map(|frame| frame.id).collect();
                if are_all_sealed {
                    let new = after.frames.iter().map(|frame| frame.id).filter(|id| !there.contains(id));
                    for id in new.collect::<Vec<_>>() {
                        prop_assert!(!used.contains(&id), "{id} was used before");
                    }
                }
                used.extend(after.frames.iter().map(|frame| frame.id));
            }
            let (end, selection) = (history.sheet().clone(), history.selection().to_vec());
            let steps = history.steps().1;
            history.go_to(0);
            prop_assert_eq!(history.sheet(), &start);
            history.go_to(steps);
            prop_assert_eq!(history.sheet(), &end);
            prop_assert_eq!(history.selection(), selection);
        }
    }
}
