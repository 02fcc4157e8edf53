//! What a smaller size does to the frames of a sheet beside each other.

use std::collections::HashMap;

use crate::geometry::{PixelRect, Size, ToStored};

/// Frames that are not what they were, by their positions in the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrameChanges {
    /// Those that come out another size than most frames that are as large in the image.
    pub uneven: Vec<u32>,
    /// Those that are apart from another in the image and touch it in the texture.
    pub joined: Vec<u32>,
    /// Those of which nothing is left.
    pub vanished: Vec<u32>,
}

impl FrameChanges {
    /// Of frames with their positions, in image pixels.
    pub fn of(frames: &[(u32, PixelRect)], image: Size, stored: Size) -> Self {
        if image == stored {
            return Self::default();
        }
        let sizes = ToStored { image, stored };
        let mapped: Vec<_> =
            frames.iter().map(|(position, rect)| (*position, *rect, sizes.rect(*rect))).collect();
        let vanished = mapped.iter().filter(|(.., target)| target.is_empty()).map(|(position, ..)| *position);
        let vanished: Vec<u32> = vanished.collect();
        let mut joined = joined(&mapped, |rect| [rect.x.into(), rect.right(), rect.y.into(), rect.bottom()]);
        joined.extend(self::joined(&mapped, |rect| {
            [rect.y.into(), rect.bottom(), rect.x.into(), rect.right()]
        }));
        joined.sort_unstable();
        joined.dedup();
        Self { uneven: uneven(&mapped), joined, vanished }
    }
}

fn uneven(mapped: &[(u32, PixelRect, PixelRect)]) -> Vec<u32> {
    type Sides = (i32, i32);
    let sides = |rect: &PixelRect| -> Sides { (rect.width, rect.height) };
    let mut counts: HashMap<Sides, Vec<(Sides, usize)>> = HashMap::new();
    for (_, rect, target) in mapped {
        let of = counts.entry(sides(rect)).or_default();
        match of.iter_mut().find(|(target_sides, _)| *target_sides == sides(target)) {
            Some((_, count)) => *count += 1,
            None => of.push((sides(target), 1)),
        }
    }
    // Of equally many the first counts.
    let usual = |rect: &PixelRect| {
        let of = counts.get(&sides(rect))?;
        let most = of.iter().map(|(_, count)| *count).max()?;
        of.iter().find(|(_, count)| *count == most).map(|(target, _)| *target)
    };
    let others = mapped.iter().filter(|(_, rect, target)| usual(rect) != Some(sides(target)));
    others.map(|(position, ..)| *position).collect()
}

/// Those that touch another across one axis, of which `sides` gives the edges first: where one ends the other begins.
fn joined(mapped: &[(u32, PixelRect, PixelRect)], sides: impl Fn(&PixelRect) -> [i64; 4]) -> Vec<u32> {
    let mut by_start: HashMap<i64, Vec<usize>> = HashMap::new();
    for (index, (_, _, target)) in mapped.iter().enumerate().filter(|(_, (.., target))| !target.is_empty()) {
        by_start.entry(sides(target)[0]).or_default().push(index);
    }
    let mut found = Vec::new();
    for (position, rect, target) in mapped.iter().filter(|(.., target)| !target.is_empty()) {
        let [_, end, top, bottom] = sides(rect);
        let neighbours = by_start.get(&sides(target)[1]).into_iter().flatten();
        for (other, other_rect, _) in neighbours.filter_map(|index| mapped.get(*index)) {
            let [start, _, other_top, other_bottom] = sides(other_rect);
            if start > end && other_top < bottom && top < other_bottom {
                found.extend([*position, *other]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(rects: &[PixelRect]) -> Vec<(u32, PixelRect)> {
        (0..).zip(rects.iter().copied()).collect()
    }

    #[test]
    fn of_equal_frames_those_that_come_out_another_size_are_uneven() {
        // Edges 0, 43, 85, 128: widths 43, 42, 43. Edges 0, 43, 85: heights 43, 42. The first row's outer cells came first.
        let cells: Vec<PixelRect> =
            (0..6).map(|cell| PixelRect::new(cell % 3 * 100, cell / 3 * 100, 100, 100)).collect();
        let changes = FrameChanges::of(&numbered(&cells), Size::new(300, 200), Size::new(128, 85));
        assert_eq!(changes.uneven, [1, 3, 4, 5]);
        assert_eq!((changes.joined.len(), changes.vanished.len()), (0, 0), "they touched before");
        assert_eq!(
            FrameChanges::of(&numbered(&cells), Size::new(300, 200), Size::new(150, 100)),
            FrameChanges::default()
        );
    }

    #[test]
    fn frames_that_lose_the_gap_between_them_are_joined() {
        // At a quarter: 0 to 4 and 4 (4.25) to 8; below at 9 to 13 (8.5 is 9), which keeps a row apart.
        let rects =
            [PixelRect::new(0, 0, 16, 16), PixelRect::new(17, 0, 15, 16), PixelRect::new(0, 34, 16, 16)];
        let changes = FrameChanges::of(&numbered(&rects), Size::new(64, 64), Size::new(16, 16));
        assert_eq!(changes.joined, [0, 1]);
    }

    #[test]
    fn frames_without_a_pixel_vanish() {
        let rects = [PixelRect::new(0, 0, 1, 8), PixelRect::new(1, 0, 63, 8)];
        let changes = FrameChanges::of(&numbered(&rects), Size::new(64, 8), Size::new(16, 2));
        assert_eq!(changes.vanished, [0]);
    }
}
