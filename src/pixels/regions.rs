//! Which region each pixel of the stored picture belongs to, told row by row, so that no map of the whole is needed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::geometry::{PixelRect, Size, ToStored};

/// The regions of an image that nothing crosses, in image pixels and in the encoder's order: of several the last covers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Regions {
    /// Each is made smaller by itself.
    pub rects_in_image: Vec<PixelRect>,
    /// So many from the first on are dithered by themselves too. Those behind them are parts of these, and dithering
    /// goes on from part to part: what is drawn in one piece should not show where its borders are.
    pub whole: usize,
}

impl Regions {
    /// Regions of which none is a part of another.
    pub fn of(rects_in_image: Vec<PixelRect>) -> Self {
        Self { whole: rects_in_image.len(), rects_in_image }
    }

    /// Those that are dithered by themselves.
    pub fn dithered(&self) -> &[PixelRect] {
        self.rects_in_image.get(..self.whole).unwrap_or(&self.rects_in_image)
    }
}

/// A rectangle inside a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Area {
    /// The whole of a picture.
    pub(super) const fn of(size: Size) -> Self {
        Self { x: 0, y: 0, width: size.width as usize, height: size.height as usize }
    }

    pub(super) const fn right(self) -> usize {
        self.x + self.width
    }

    pub(super) const fn bottom(self) -> usize {
        self.y + self.height
    }

    pub(super) const fn rows(self) -> std::ops::Range<usize> {
        self.y..self.y + self.height
    }

    /// What both have, `None` when that is nothing.
    pub(super) fn intersection(self, other: Self) -> Option<Self> {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let width = self.right().min(other.right()).checked_sub(x)?;
        let height = self.bottom().min(other.bottom()).checked_sub(y)?;
        (width > 0 && height > 0).then_some(Self { x, y, width, height })
    }

    /// The smallest that has all of both.
    pub(super) fn union(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) = (self.right().max(other.right()), self.bottom().max(other.bottom()));
        Self { x, y, width: right - x, height: bottom - y }
    }
}

/// A rectangle of the image and where it goes; `None` when there is nothing of it in one of the two.
pub(super) fn mapped(rect_in_image: PixelRect, image: Size, stored: Size) -> Option<(Area, Area)> {
    let source = rect_in_image.clipped_to(image)?;
    let target = ToStored { image, stored }.rect(source);
    let area = |rect: PixelRect| Area {
        x: rect.x as usize,
        y: rect.y as usize,
        width: rect.width as usize,
        height: rect.height as usize,
    };
    (!target.is_empty()).then(|| (area(source), area(target)))
}

/// The owner of what no region covers.
pub(super) const GAPS: u32 = 0;

/// Pixels of a row that follow each other and belong to one region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The region's place in the order, from 1 on; [`GAPS`] for none.
    pub(super) owner: u32,
    /// The region's top left corner.
    pub(super) origin: (usize, usize),
}

/// The spans of one row after the other.
pub(super) struct RegionRows {
    width: usize,
    /// With their places in the order, by their first rows.
    areas: Vec<(u32, Area)>,
    /// So many of them have begun.
    begun: usize,
    /// Those that have begun and not ended, the last in order first.
    active: BTreeMap<Reverse<u32>, Area>,
    endings: BTreeSet<(usize, u32)>,
    spans: Vec<Span>,
    spans_before: Vec<Span>,
    changes_at: usize,
}

impl RegionRows {
    /// For a stored picture of that width with these regions in stored pixels, each with its place in the order.
    pub(super) fn new(width: usize, areas: impl Iterator<Item = (u32, Area)>) -> Self {
        let mut areas: Vec<_> = areas.collect();
        areas.sort_by_key(|(_, area)| area.y);
        Self {
            width,
            areas,
            begun: 0,
            active: BTreeMap::new(),
            endings: BTreeSet::new(),
            spans: Vec::new(),
            spans_before: Vec::new(),
            changes_at: 0,
        }
    }

    /// Goes on to row `y`, which lies below the last one; whether its spans are other ones.
    pub(super) fn advance(&mut self, y: usize) -> bool {
        if y < self.changes_at {
            return false;
        }
        while let Some((owner, area)) = self.areas.get(self.begun).filter(|(_, area)| area.y <= y) {
            self.begun += 1;
            self.active.insert(Reverse(*owner), *area);
            self.endings.insert((area.bottom(), *owner));
        }
        while let Some((_, owner)) = self.endings.first().copied().filter(|(bottom, _)| *bottom <= y) {
            self.endings.pop_first();
            self.active.remove(&Reverse(owner));
        }
        let next_begins = self.areas.get(self.begun).map(|(_, area)| area.y);
        let next_ends = self.endings.first().map(|(bottom, _)| *bottom);
        self.changes_at = next_begins.into_iter().chain(next_ends).min().unwrap_or(usize::MAX);
        std::mem::swap(&mut self.spans, &mut self.spans_before);
        self.lay_spans();
        true
    }

    /// The last in order takes its columns first, the others what is left.
    fn lay_spans(&mut self) {
        self.spans.clear();
        let mut free = BTreeMap::from([(0, self.width)]);
        for (Reverse(owner), area) in &self.active {
            if free.is_empty() {
                break;
            }
            let (left, right) = (area.x, area.right());
            while let Some((start, end)) = last_below(&free, right).filter(|(_, end)| *end > left) {
                free.remove(&start);
                if start < left {
                    free.insert(start, left);
                }
                if end > right {
                    free.insert(right, end);
                }
                let (start, end) = (start.max(left), end.min(right));
                self.spans.push(Span { start, end, owner: *owner, origin: (area.x, area.y) });
            }
        }
        let gaps = free.into_iter().map(|(start, end)| Span { start, end, owner: GAPS, origin: (0, 0) });
        self.spans.extend(gaps);
        self.spans.sort_unstable_by_key(|span| span.start);
    }

    /// The spans of this row, from the left; they cover all of it.
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Those before the last change.
    pub(super) fn spans_before(&self) -> &[Span] {
        &self.spans_before
    }
}

/// The last free columns that begin before `right`.
fn last_below(free: &BTreeMap<usize, usize>, right: usize) -> Option<(usize, usize)> {
    free.range(..right).next_back().map(|(start, end)| (*start, *end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn areas() -> impl Strategy<Value = Vec<Area>> {
        let area = (0_usize..12, 0_usize..12, 1_usize..13, 1_usize..13);
        let inside = area.prop_map(|(x, y, width, height)| Area {
            x,
            y,
            width: width.min(12 - x),
            height: height.min(12 - y),
        });
        proptest::collection::vec(inside, 0..7)
    }

    proptest! {
        #[test]
        fn every_pixel_is_the_last_regions_that_covers_it(areas in areas(), first in 0_usize..6) {
            let mut rows = RegionRows::new(12, (1..).zip(areas.iter().copied()));
            let mut last = Vec::new();
            // Rows may be passed over.
            for y in first..12 {
                let changed = rows.advance(y);
                let mut owners = vec![];
                for span in rows.spans() {
                    prop_assert_eq!(owners.len(), span.start, "no hole, no overlap");
                    owners.resize(span.end, span.owner);
                    if let Some(area) = (span.owner as usize).checked_sub(1).map(|at| areas[at]) {
                        prop_assert_eq!(span.origin, (area.x, area.y));
                    }
                }
                let covers = |area: &Area, x: usize| area.rows().contains(&y) && (area.x..area.right()).contains(&x);
                for (x, owner) in owners.iter().enumerate() {
                    let expected = areas.iter().rposition(|area| covers(area, x)).map_or(0, |at| at as u32 + 1);
                    prop_assert_eq!(*owner, expected, "{} {}", x, y);
                }
                prop_assert_eq!(owners.len(), 12);
                prop_assert!(changed || owners == last);
                last = owners;
            }
        }
    }

    #[test]
    fn parts_are_made_smaller_but_not_dithered_by_themselves() {
        let [outer, part] = [PixelRect::new(0, 0, 8, 8), PixelRect::new(0, 0, 2, 2)];
        let regions = Regions { rects_in_image: vec![outer, part], whole: 1 };
        assert_eq!(regions.dithered(), [outer]);
        assert_eq!(Regions::of(vec![outer, part]).dithered(), [outer, part]);
    }
}
