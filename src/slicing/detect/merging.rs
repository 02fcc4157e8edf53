//! Merging of boxes until no two are near each other.
//!
//! Boxes are taken in one at a time. Those taken in are always apart, so a new one looks for what it meets, becomes
//! the box around all of it, and then has to look only where that box reaches further than its parts did. The result
//! does not depend on the order: it is the finest grouping whose boxes are apart.

use super::{Island, Sprite};
use crate::geometry::PixelRect;
use crate::model::Merge;

/// Islands put together.
pub(super) struct Groups {
    /// In the order of their first islands.
    pub(super) sprites: Vec<Sprite>,
    /// For each island the index of its sprite.
    pub(super) sprite_of_island: Vec<u32>,
}

pub(super) fn merge(islands: &[Island], merge: Merge) -> Groups {
    let owners = match merge {
        Merge::None => (0..islands.len() as u32).collect(),
        Merge::Overlap => owners(islands, 0),
        // Boxes with a gap of n meet when each is n + 1 longer at one end of each axis.
        Merge::Gap(gap) => owners(islands, i64::from(gap) + 1),
    };
    let mut groups = Groups { sprites: Vec::new(), sprite_of_island: Vec::with_capacity(islands.len()) };
    let mut sprite_of_owner = vec![None; islands.len()];
    for (island, owner) in islands.iter().zip(owners) {
        let new = groups.sprites.len() as u32;
        let sprite = *sprite_of_owner[owner as usize].get_or_insert(new);
        groups.sprite_of_island.push(sprite);
        if let Some(sprite) = groups.sprites.get_mut(sprite as usize) {
            sprite.rect = around(sprite.rect, island.rect);
            sprite.ink_area += island.ink_area;
            sprite.parts += 1;
        } else {
            groups.sprites.push(Sprite { rect: island.rect, ink_area: island.ink_area, parts: 1 });
        }
    }
    groups
}

/// The smallest rectangle around two with pixels.
pub(super) fn around(a: PixelRect, b: PixelRect) -> PixelRect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let width = a.right().max(b.right()) - i64::from(x);
    let height = a.bottom().max(b.bottom()) - i64::from(y);
    PixelRect::new(x, y, width as i32, height as i32)
}

/// For each island one that stands for its group.
fn owners(islands: &[Island], reach: i64) -> Vec<u32> {
    let spans: Vec<_> = islands.iter().map(|island| Span::of(island.rect, reach)).collect();
    let Some(whole) = spans.iter().copied().reduce(Span::around) else { return Vec::new() };
    let mut boxes =
        Boxes { cells: Cells::new(whole, spans.len()), owners: (0..spans.len() as u32).collect(), spans };
    for index in 0..islands.len() as u32 {
        boxes.take_in(index);
    }
    for index in 0..islands.len() as u32 {
        boxes.owners[index as usize] = boxes.owner(index);
    }
    boxes.owners
}

/// A rectangle by its edges, exclusive at right and bottom, with room for any reach.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Span {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Span {
    fn of(rect: PixelRect, reach: i64) -> Self {
        let (right, bottom) = (rect.right() + reach, rect.bottom() + reach);
        Self { left: rect.x.into(), top: rect.y.into(), right, bottom }
    }

    const fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    const fn meets(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn around(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    const fn area(self) -> i64 {
        (self.right - self.left).saturating_mul(self.bottom - self.top)
    }

    /// What of it is not in the other, in up to four parts: above, below, left and right of it.
    fn minus(self, other: Self) -> impl Iterator<Item = Self> {
        let (top, bottom) = (self.top.max(other.top), self.bottom.min(other.bottom));
        let parts = if self.meets(other) {
            [
                Self { bottom: top, ..self },
                Self { top: bottom, ..self },
                Self { top, bottom, right: other.left, ..self },
                Self { top, bottom, left: other.right, ..self },
            ]
        } else {
            [
                self,
                Self { right: self.left, ..self },
                Self { right: self.left, ..self },
                Self { right: self.left, ..self },
            ]
        };
        parts.into_iter().filter(|part| !part.is_empty())
    }
}

/// The boxes, and which of them went into which.
struct Boxes {
    cells: Cells,
    owners: Vec<u32>,
    spans: Vec<Span>,
}

impl Boxes {
    fn take_in(&mut self, index: u32) {
        let mut grown = self.spans[index as usize];
        let mut largest: Option<u32> = None;
        let mut unsearched = vec![grown];
        while let Some(region) = unsearched.pop() {
            for cell in self.cells.under(region) {
                while let Some(met) = self.meeting(cell, grown, index) {
                    let (before, absorbed) = (grown, self.spans[met as usize]);
                    grown = grown.around(absorbed);
                    // What was absorbed meets nothing else, and what was there before is searched or about to be.
                    for part in grown.minus(before) {
                        unsearched.extend(part.minus(absorbed));
                    }
                    self.owners[met as usize] = index;
                    let largest_area = largest.map_or(0, |largest| self.spans[largest as usize].area());
                    if absorbed.area() > largest_area {
                        largest = Some(met);
                    }
                }
            }
        }
        // The largest goes on for the whole group: it is in most of the group's cells already.
        let (owner, known) = match largest {
            Some(largest) => (largest, Some(self.spans[largest as usize])),
            None => (index, None),
        };
        self.owners[index as usize] = owner;
        self.owners[owner as usize] = owner;
        self.spans[owner as usize] = grown;
        self.cells.add(owner, grown, known);
    }

    /// A box in the cell that meets the span and belongs to no other. Those that went into another are taken off the
    /// cell, except what the box that is being taken in absorbed: one of them will stay.
    fn meeting(&mut self, cell: usize, span: Span, taken_in: u32) -> Option<u32> {
        let mut previous = None;
        let mut next = self.cells.heads[cell];
        while let Some(link) = self.cells.links.get(next as usize).copied() {
            let owner = self.owners[link.index as usize];
            if owner == link.index && self.spans[owner as usize].meets(span) {
                return Some(owner);
            }
            if owner == link.index || owner == taken_in {
                previous = Some(next);
            } else if let Some(previous) = previous {
                self.cells.links[previous as usize].next = link.next;
            } else {
                self.cells.heads[cell] = link.next;
            }
            next = link.next;
        }
        None
    }

    fn owner(&self, mut index: u32) -> u32 {
        while self.owners[index as usize] != index {
            index = self.owners[index as usize];
        }
        index
    }
}

/// Square cells over all boxes, about as many as there are boxes, each with a list of those that cover some of it.
struct Cells {
    whole: Span,
    /// Binary logarithm of a cell's side.
    shift: u32,
    columns: usize,
    heads: Vec<u32>,
    links: Vec<Link>,
}

#[derive(Clone, Copy)]
struct Link {
    index: u32,
    next: u32,
}

/// Behind every list.
const END: u32 = u32::MAX;

impl Cells {
    fn new(whole: Span, boxes: usize) -> Self {
        let side = (whole.area() as f64 / boxes.max(1) as f64).sqrt();
        let shift = (side.max(1.0).log2().ceil() as u32).min(32);
        let columns = ((whole.right - whole.left) >> shift) as usize + 1;
        let rows = ((whole.bottom - whole.top) >> shift) as usize + 1;
        Self { whole, shift, columns, heads: vec![END; columns * rows], links: Vec::with_capacity(boxes * 2) }
    }

    /// The cells that a span inside the whole covers, row by row.
    fn under(&self, span: Span) -> impl Iterator<Item = usize> + use<> {
        let at = |from: i64, to: i64| ((to - from) >> self.shift) as usize;
        let columns = at(self.whole.left, span.left)..=at(self.whole.left, span.right - 1);
        let rows = at(self.whole.top, span.top)..=at(self.whole.top, span.bottom - 1);
        let width = self.columns;
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// Puts a box into the cells that it covers, except those that it covered before.
    fn add(&mut self, index: u32, span: Span, before: Option<Span>) {
        let on_grid = |span: Span| {
            let cell = |from: i64, to: i64| (to - from) >> self.shift;
            let (left, right) = (cell(self.whole.left, span.left), cell(self.whole.left, span.right - 1) + 1);
            let (top, bottom) = (cell(self.whole.top, span.top), cell(self.whole.top, span.bottom - 1) + 1);
            Span { left, top, right, bottom }
        };
        let covered = on_grid(span);
        let nothing = Span { left: 0, top: 0, right: 0, bottom: 0 };
        for part in covered.minus(before.map_or(nothing, on_grid)) {
            for row in part.top..part.bottom {
                for column in part.left..part.right {
                    let head = &mut self.heads[row as usize * self.columns + column as usize];
                    self.links.push(Link { index, next: *head });
                    *head = (self.links.len() - 1) as u32;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn islands(boxes: &[(i32, i32, i32, i32)]) -> Vec<Island> {
        let island = |&(x, y, width, height): &(i32, i32, i32, i32)| Island {
            rect: PixelRect::new(x, y, width, height),
            ink_area: 1,
        };
        boxes.iter().map(island).collect()
    }

    fn merged(boxes: &[(i32, i32, i32, i32)], how: Merge) -> Vec<(i32, i32, i32, i32, u32)> {
        let tuple = |Sprite { rect: PixelRect { x, y, width, height }, parts, .. }: &Sprite| {
            (*x, *y, *width, *height, *parts)
        };
        merge(&islands(boxes), how).sprites.iter().map(tuple).collect()
    }

    #[test]
    fn boxes_that_touch_stay_apart_and_one_pixel_in_common_joins_them() {
        let touching = [(0, 0, 4, 4), (4, 0, 4, 4), (8, 4, 4, 4)];
        assert_eq!(merged(&touching, Merge::Overlap).len(), 3);
        assert_eq!(merged(&touching, Merge::None).len(), 3);
        assert_eq!(merged(&touching, Merge::Gap(0)), [(0, 0, 12, 8, 3)], "the last touches at a corner");
        assert_eq!(merged(&[(0, 0, 4, 4), (3, 3, 4, 4)], Merge::Overlap), [(0, 0, 7, 7, 2)]);
    }

    #[test]
    fn a_gap_counts_pixels_between_on_both_axes() {
        let boxes = [(0, 0, 4, 4), (6, 0, 4, 4), (0, 7, 4, 4)];
        assert_eq!(merged(&boxes, Merge::Gap(1)).len(), 3);
        assert_eq!(merged(&boxes, Merge::Gap(2)), [(0, 0, 10, 4, 2), (0, 7, 4, 4, 1)]);
        assert_eq!(merged(&boxes, Merge::Gap(3)), [(0, 0, 10, 11, 3)]);
        // 2 across but 9 down is far.
        assert_eq!(merged(&[(0, 0, 4, 4), (6, 13, 4, 4)], Merge::Gap(8)).len(), 2);
        assert_eq!(merged(&boxes, Merge::Gap(u32::MAX)).len(), 1);
    }

    #[test]
    fn a_merged_box_absorbs_what_only_it_meets_also_above() {
        // The second and the third make 0, 4 to 10, 10, which covers the first; that reaches the fourth.
        let boxes = [(5, 2, 8, 3), (0, 4, 2, 6), (1, 9, 9, 1), (12, 0, 2, 3), (14, 0, 2, 3)];
        assert_eq!(merged(&boxes, Merge::Overlap), [(0, 0, 14, 10, 4), (14, 0, 2, 3, 1)]);
    }

    #[test]
    fn a_chain_falls_one_after_the_other() {
        // Each step of the stairs is reached only by the box around all steps before: 4 wide, 3 apart, 2 high.
        let mut boxes: Vec<_> = (0..200).map(|n| (n * 3, n, 4, 2)).collect();
        assert_eq!(merged(&boxes, Merge::Overlap), [(0, 0, 601, 201, 200)]);
        boxes.reverse();
        assert_eq!(merged(&boxes, Merge::Overlap), [(0, 0, 601, 201, 200)]);
    }

    #[test]
    fn specks_under_one_large_box_are_its_parts() {
        let mut boxes = vec![(0, 0, 400, 400)];
        boxes.extend((0..160_000).map(|n| (n % 400, n / 400, 1, 1)));
        assert_eq!(merged(&boxes, Merge::Overlap), [(0, 0, 400, 400, 160_001)]);
    }

    #[test]
    fn islands_know_their_sprites() {
        let groups =
            merge(&islands(&[(0, 0, 1, 1), (5, 0, 4, 4), (9, 9, 1, 1), (6, 1, 1, 1)]), Merge::Overlap);
        assert_eq!(groups.sprite_of_island, [0, 1, 2, 1]);
        assert_eq!(groups.sprites[1].ink_area, 2);
        assert!(merge(&[], Merge::Overlap).sprites.is_empty());
    }

    fn plainly_merged(mut rects: Vec<PixelRect>, reach: i64) -> Vec<PixelRect> {
        'again: loop {
            for a in 0..rects.len() {
                for b in 0..a {
                    if Span::of(rects[a], reach).meets(Span::of(rects[b], reach)) {
                        let absorbed = rects.swap_remove(a);
                        rects[b] = around(rects[b], absorbed);
                        continue 'again;
                    }
                }
            }
            return rects;
        }
    }

    proptest! {
        #[test]
        fn merging_is_what_comparing_all_with_all_gives(
            boxes in prop::collection::vec((0..90_i32, 0..90_i32, 1..14_i32, 1..14_i32), 0..60),
            gap in prop::option::of(0..4_u32),
        ) {
            let islands = islands(&boxes);
            let groups = merge(&islands, gap.map_or(Merge::Overlap, Merge::Gap));
            let rects = islands.iter().map(|island| island.rect).collect();
            let by_place = |rect: &PixelRect| (rect.y, rect.x);
            let mut expected = plainly_merged(rects, gap.map_or(0, |gap| i64::from(gap) + 1));
            expected.sort_by_key(by_place);
            let mut found: Vec<_> = groups.sprites.iter().map(|sprite| sprite.rect).collect();
            found.sort_by_key(by_place);
            prop_assert_eq!(found, expected);
            for (island, sprite) in islands.iter().zip(&groups.sprite_of_island) {
                let sprite = groups.sprites[*sprite as usize];
                prop_assert_eq!(sprite.rect.intersection(island.rect), Some(island.rect));
            }
        }
    }
}
