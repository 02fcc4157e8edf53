//! Laying frames anew over old ones: which new frame is the old one that scenes refer to.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use crate::geometry::PixelRect;
use crate::model::{Frame, FrameId};

/// Limits for sheets whose frames nearly all overlap each other, which no artist makes but a file can contain:
/// past them the frames that are left count as new. An ordinary grid of 65,535 cells stays far below.
const MAX_COMPARISONS: usize = 100_000_000;
const MAX_PAIRS: usize = 4_000_000;

/// Frames at `new_rects`, in that order, with the ids of the old frames that they replace, and the next unused id.
///
/// A rectangle that an old frame has exactly takes that frame's id; of the rest the pair with the largest common
/// area comes first, then lower positions. Each old frame is used once; its name and foreign GUID go with its
/// id. Every other frame gets a fresh id from `next_id` on, or from above every old id where that is higher: the id
/// of an old frame that is not used is never given to another.
pub fn carry_ids(old: &[Frame], new_rects: &[PixelRect], next_id: u32) -> (Vec<Frame>, u32) {
    let replaced = matches(old, new_rects);
    let after_old = old.iter().map(|frame| frame.id.0.saturating_add(1)).max();
    let mut next = next_id.max(after_old.unwrap_or(0));
    let frames = new_rects.iter().zip(replaced).map(|(&rect, replaced)| {
        if let Some(frame) = replaced {
            return Frame { rect_in_image: rect, unreadable: false, ..frame.clone() };
        }
        let id = FrameId(next);
        next = next.saturating_add(1);
        Frame::new(id, rect)
    });
    let frames = frames.collect();
    (frames, next)
}

/// For each new rectangle whether it shares a pixel with an old frame.
pub fn overlaps_any(old: &[Frame], new_rects: &[PixelRect]) -> Vec<bool> {
    let indexed = |rects: &mut dyn Iterator<Item = PixelRect>| rects.enumerate().collect::<Vec<_>>();
    let old = indexed(&mut old.iter().map(|frame| frame.rect_in_image));
    let new = indexed(&mut new_rects.iter().copied());
    let mut overlaps = vec![false; new_rects.len()];
    for pair in overlapping_pairs(old, new) {
        overlaps[pair.new] = true;
    }
    overlaps
}

/// For each new rectangle the old frame that it replaces.
fn matches<'a>(old: &'a [Frame], new_rects: &[PixelRect]) -> Vec<Option<&'a Frame>> {
    let mut replaced = vec![None; new_rects.len()];
    let mut free: HashMap<PixelRect, VecDeque<usize>> = HashMap::new();
    let mut seen = HashSet::new();
    // Of two old frames with one id only the first can hand it on.
    let mut is_free: Vec<bool> = old.iter().map(|frame| !frame.unreadable && seen.insert(frame.id)).collect();
    for (index, frame) in old.iter().enumerate().filter(|(index, _)| is_free[*index]) {
        free.entry(frame.rect_in_image).or_default().push_back(index);
    }
    for (slot, rect) in replaced.iter_mut().zip(new_rects) {
        if let Some(index) = free.get_mut(rect).and_then(VecDeque::pop_front) {
            *slot = Some(&old[index]);
            is_free[index] = false;
        }
    }
    let left_old = old.iter().enumerate().filter(|(index, _)| is_free[*index]);
    let left_old = left_old.map(|(index, frame)| (index, frame.rect_in_image)).collect();
    let left_new =
        new_rects.iter().copied().enumerate().filter(|(index, _)| replaced[*index].is_none()).collect();
    let mut pairs = overlapping_pairs(left_old, left_new);
    pairs.sort_unstable_by_key(|pair| (std::cmp::Reverse(pair.area), pair.old, pair.new));
    for Pair { old: from, new: to, .. } in pairs {
        if is_free[from] && replaced[to].is_none() {
            is_free[from] = false;
            replaced[to] = Some(&old[from]);
        }
    }
    replaced
}

struct Pair {
    area: u64,
    old: usize,
    new: usize,
}

type Indexed = (usize, PixelRect);

/// All pairs with a pixel in common: a sweep along one axis over frames that are sorted into lanes along the
/// other, so that little more than real neighbours meet.
fn overlapping_pairs(mut old: Vec<Indexed>, mut new: Vec<Indexed>) -> Vec<Pair> {
    old.retain(|(_, rect)| !rect.is_empty());
    new.retain(|(_, rect)| !rect.is_empty());
    old.sort_by_key(|(_, rect)| rect.y);
    new.sort_by_key(|(_, rect)| rect.y);
    let lanes = Lanes::between(&old);
    let mut active: Vec<Vec<Indexed>> = vec![Vec::new(); lanes.count()];

    let mut pairs = Vec::new();
    let mut comparisons = 0;
    let mut upcoming = old.into_iter().peekable();
    for (new_index, new_rect) in new {
        while let Some(entry) = upcoming.next_if(|(_, rect)| i64::from(rect.y) < new_rect.bottom()) {
            for lane in &mut active[lanes.of(entry.1)] {
                lane.push(entry);
            }
        }
        let covered = lanes.of(new_rect);
        for lane_index in covered.clone() {
            let lane = &mut active[lane_index];
            comparisons += lane.len();
            if comparisons > MAX_COMPARISONS || pairs.len() > MAX_PAIRS {
                return pairs;
            }
            lane.retain(|(_, rect)| rect.bottom() > i64::from(new_rect.y));
            pairs.extend(lane.iter().filter_map(|&(old_index, old_rect)| {
                let common = old_rect.intersection(new_rect)?;
                // Two frames that share several lanes meet in the first of them only.
                if covered.start.max(lanes.of(old_rect).start) != lane_index {
                    return None;
                }
                let area = common.width as u64 * common.height as u64;
                Some(Pair { area, old: old_index, new: new_index })
            }));
        }
    }
    pairs
}

/// Strips side by side across the frames, with about as many frames beginning in each.
struct Lanes {
    /// Where all but the first begin, rising.
    starts: Vec<i32>,
}

impl Lanes {
    const MOST: usize = 256;

    fn between(frames: &[Indexed]) -> Self {
        let mut lefts: Vec<_> = frames.iter().map(|(_, rect)| rect.x).collect();
        lefts.sort_unstable();
        let mut starts: Vec<_> = lefts.into_iter().step_by(frames.len() / Self::MOST + 1).collect();
        starts.dedup();
        Self { starts }
    }

    fn count(&self) -> usize {
        self.starts.len() + 1
    }

    /// The lanes that a frame with pixels covers.
    fn of(&self, rect: PixelRect) -> Range<usize> {
        let first = self.starts.partition_point(|start| *start <= rect.x);
        let last = self.starts.partition_point(|start| i64::from(*start) < rect.right());
        first..last + 1
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;
    use crate::geometry::Size;
    use crate::guid::Guid;
    use crate::model::{Leftover, Run};
    use crate::slicing::cells;

    fn ids(frames: &[Frame]) -> Vec<u32> {
        frames.iter().map(|frame| frame.id.0).collect()
    }

    fn grid(cell: u32, image: Size) -> Vec<PixelRect> {
        cells(&Run::of_cell(Size::new(cell, cell)), Leftover::Drop, image)
    }

    #[test]
    fn a_first_slicing_numbers_by_position() {
        let (frames, next) = carry_ids(&[], &grid(8, Size::new(16, 16)), 0);
        assert_eq!((ids(&frames), next), (vec![0, 1, 2, 3], 4));
    }

    #[test]
    fn a_wider_image_keeps_the_pictures_ids_and_gives_new_cells_fresh_ones() {
        let (old, next) = carry_ids(&[], &grid(8, Size::new(16, 16)), 0);
        let (frames, next) = carry_ids(&old, &grid(8, Size::new(24, 16)), next);
        assert_eq!((ids(&frames), next), (vec![0, 1, 4, 2, 3, 5], 6));
    }

    #[test]
    fn the_largest_overlap_wins_and_removed_ids_stay_retired() {
        let old = [
            Frame::new(FrameId(5), PixelRect::new(0, 0, 10, 10)),
            Frame::new(FrameId(2), PixelRect::new(10, 0, 10, 10)),
            Frame::new(FrameId(9), PixelRect::new(50, 50, 10, 10)),
        ];
        let rects = [PixelRect::new(8, 0, 10, 10), PixelRect::new(0, 0, 8, 10), PixelRect::new(30, 0, 5, 5)];
        // 8 x 10 of id 2 against 2 x 10 of id 5; id 9 is retired and the fresh id is above it.
        let (frames, next) = carry_ids(&old, &rects, 0);
        assert_eq!((ids(&frames), next), (vec![2, 5, 10], 11));
        let (frames, next) = carry_ids(&old, &[PixelRect::new(90, 90, 1, 1)], 40);
        assert_eq!((ids(&frames), next), (vec![40], 41));
    }

    #[test]
    fn an_identical_rectangle_wins_over_a_larger_frame_around_it() {
        let old = [
            Frame::new(FrameId(0), PixelRect::new(0, 0, 32, 32)),
            Frame::new(FrameId(1), PixelRect::new(0, 0, 16, 16)),
        ];
        let (frames, _) = carry_ids(&old, &[PixelRect::new(0, 0, 16, 16)], 2);
        assert_eq!(ids(&frames), [1]);
    }

    #[test]
    fn names_and_foreign_guids_go_with_the_id() {
        let mut old = Frame::new(FrameId(3), PixelRect::new(0, 0, 8, 8));
        old.name = "walk".into();
        old.foreign_guid = Some(Guid::random());
        let (frames, _) = carry_ids(&[old.clone()], &[PixelRect::new(1, 1, 8, 8)], 4);
        assert_eq!(frames, [Frame { rect_in_image: PixelRect::new(1, 1, 8, 8), ..old }]);
    }

    #[test]
    fn two_old_frames_of_one_id_do_not_double_it() {
        let old =
            [PixelRect::new(0, 0, 4, 4), PixelRect::new(4, 0, 4, 4)].map(|rect| Frame::new(FrameId(0), rect));
        let (frames, _) = carry_ids(&old, &[PixelRect::new(0, 0, 4, 4), PixelRect::new(4, 0, 4, 4)], 1);
        assert_eq!(ids(&frames), [0, 1]);
    }

    #[test]
    fn the_largest_sheets_are_carried_in_no_time() {
        let image = Size::new(1024, 1023);
        let (old, next) = carry_ids(&[], &grid(4, image), 0);
        assert_eq!(old.len(), 65_280);
        let shifted: Vec<_> = old
            .iter()
            .map(|frame| PixelRect { x: frame.rect_in_image.x + 1, ..frame.rect_in_image })
            .collect();
        let started = Instant::now();
        let (frames, _) = carry_ids(&old, &shifted, next);
        // n^2 would be 4,000 million comparisons. The bound leaves room for a busy machine.
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        assert!(frames.iter().zip(&old).all(|(new, old)| new.id == old.id));
    }

    #[test]
    fn thousands_of_frames_on_one_spot_neither_hang_nor_fill_the_memory() {
        let pile = |by: i32| (0..40_000).map(move |_| PixelRect::new(by, 0, 1000, 1000));
        let (old, next) = carry_ids(&[], &pile(0).collect::<Vec<_>>(), 0);
        let (frames, _) = carry_ids(&old, &pile(1).collect::<Vec<_>>(), next);
        assert_eq!(frames.len(), 40_000);
    }

    fn rects(most: usize) -> impl Strategy<Value = Vec<PixelRect>> {
        let rect = (-4..40_i32, -4..40_i32, -1..20_i32, -1..20_i32);
        prop::collection::vec(rect.prop_map(|(x, y, w, h)| PixelRect::new(x, y, w, h)), 0..most)
    }

    proptest! {
        #[test]
        fn ids_are_unique_and_never_an_id_that_is_gone(slicings in prop::collection::vec(rects(12), 1..6)) {
            let (mut frames, mut next): (Vec<Frame>, u32) = (Vec::new(), 0);
            let mut retired = HashSet::new();
            for rects in slicings {
                let before: HashSet<u32> = ids(&frames).into_iter().collect();
                let (after, after_next) = carry_ids(&frames, &rects, next);
                let now: HashSet<u32> = ids(&after).into_iter().collect();
                prop_assert_eq!(now.len(), rects.len());
                prop_assert!(now.is_disjoint(&retired));
                prop_assert!(now.iter().all(|id| before.contains(id) || *id >= next));
                prop_assert!(now.iter().all(|id| *id < after_next) && after_next >= next);
                retired.extend(before.difference(&now));
                (frames, next) = (after, after_next);
            }
        }

        #[test]
        fn every_common_pixel_is_found_once(old in rects(40), new in rects(40)) {
            let indexed = |rects: &[PixelRect]| rects.iter().copied().enumerate().collect::<Vec<_>>();
            let pairs = overlapping_pairs(indexed(&old), indexed(&new));
            let mut found: Vec<_> = pairs.iter().map(|pair| (pair.old, pair.new, pair.area)).collect();
            found.sort_unstable();
            let mut expected = Vec::new();
            for (old_index, old_rect) in old.iter().enumerate() {
                for (new_index, new_rect) in new.iter().enumerate() {
                    if let Some(common) = old_rect.intersection(*new_rect) {
                        expected.push((old_index, new_index, (common.width * common.height) as u64));
                    }
                }
            }
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn identical_rectangles_keep_their_ids_in_any_order(rects in rects(12), rotation in 0..12_usize) {
            let (old, next) = carry_ids(&[], &rects, 7);
            let mut turned = old.clone();
            turned.rotate_left(rotation.min(old.len()));
            let turned_rects: Vec<_> = turned.iter().map(|frame| frame.rect_in_image).collect();
            let (frames, after) = carry_ids(&old, &turned_rects, next);
            prop_assert_eq!(after, next);
            let by_rect = |frames: &[Frame]| {
                let mut all: Vec<_> = frames.iter().map(|frame| (frame.rect_in_image.to_string(), frame.id)).collect();
                all.sort();
                all
            };
            prop_assert_eq!(by_rect(&frames), by_rect(&old));
        }
    }
}
