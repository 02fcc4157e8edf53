//! Which region of a picture each of its pixels is of, row by row. Of regions that overlap the later one has the pixel; a
//! pixel that none has is of the rest, which is a region of its own.

use std::ops::Range;

use crate::geometry::{PixelRect, Size};

/// The owner of pixels that no region has.
pub(super) const REST: u32 = 0;

/// Pixels of one row, side by side, that are of one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// Columns.
    pub(super) columns: Range<usize>,
    /// [`REST`], or the region's position in the order plus 1.
    pub(super) owner: u32,
    /// The region's top left corner, x and y; the picture's for the rest.
    pub(super) origin: (usize, usize),
}

/// The spans of a picture's rows, from the top. Rows that have the same spans share them.
pub(super) struct Regions {
    width: usize,
    height: usize,
    /// Inside the picture, in the order of the encoder, with their owners.
    rects: Vec<(u32, Area)>,
    /// Regions by their first rows, as positions in `rects`.
    by_top: Vec<usize>,
    /// How many of them have begun.
    begun: usize,
    /// Those that the present rows have, as positions in `rects`, in their order.
    active: Vec<usize>,
    owners: Vec<u32>,
    spans: Vec<Span>,
    /// The first row that has other spans than the present ones.
    until: usize,
}

#[derive(Debug, Clone, Copy)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Regions {
    /// Of a picture of that size, with regions in its pixels and in their order.
    pub(super) fn new(size: Size, rects: &[PixelRect]) -> Self {
        let inside = (1..).zip(rects).filter_map(|(owner, rect)| {
            let rect = rect.clipped_to(size)?;
            let (left, top) = (rect.x as usize, rect.y as usize);
            let area = Area { left, top, right: rect.right() as usize, bottom: rect.bottom() as usize };
            Some((owner, area))
        });
        let rects: Vec<(u32, Area)> = inside.collect();
        let mut by_top: Vec<usize> = (0..rects.len()).collect();
        by_top.sort_by_key(|index| rects[*index].1.top);
        let (width, height) = (size.width as usize, size.height as usize);
        Self {
            width,
            height,
            rects,
            by_top,
            begun: 0,
            active: Vec::new(),
            owners: vec![REST; width],
            spans: Vec::new(),
            until: 0,
        }
    }

    /// The spans of a row, from the left; rows are asked for from the top.
    pub(super) fn of_row(&mut self, row: usize) -> &[Span] {
        if row >= self.until {
            self.begin_band(row);
        }
        &self.spans
    }

    /// Whether the row after this one has the same spans.
    pub(super) fn goes_on_after(&self, row: usize) -> bool {
        row + 1 < self.until
    }

    fn begin_band(&mut self, row: usize) {
        let Self { rects, by_top, begun, active, .. } = self;
        active.retain(|index| rects[*index].1.bottom > row);
        while let Some(index) = by_top.get(*begun).filter(|index| rects[**index].1.top <= row) {
            if rects[*index].1.bottom > row {
                active.push(*index);
            }
            *begun += 1;
        }
        active.sort_unstable();
        let ends = active.iter().map(|index| rects[*index].1.bottom);
        let begins = by_top.get(*begun).map(|index| rects[*index].1.top);
        self.until = ends.chain(begins).min().unwrap_or(self.height).min(self.height);
        self.owners.fill(REST);
        for index in &self.active {
            let (owner, area) = self.rects[*index];
            self.owners[area.left..area.right].fill(owner);
        }
        self.spans.clear();
        let mut start = 0;
        while start < self.width {
            let owner = self.owners[start];
            let length = self.owners[start..].iter().take_while(|it| **it == owner).count();
            let origin = self.active.iter().map(|index| self.rects[*index]).find(|(it, _)| *it == owner);
            let origin = origin.map_or((0, 0), |(_, area)| (area.left, area.top));
            self.spans.push(Span { columns: start..start + length, owner, origin });
            start += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn owners(size: Size, rects: &[PixelRect]) -> Vec<Vec<u32>> {
        let mut regions = Regions::new(size, rects);
        let row = |row| {
            let spans = regions.of_row(row).to_vec();
            spans.iter().flat_map(|span| span.columns.clone().map(|_| span.owner)).collect()
        };
        (0..size.height as usize).map(row).collect()
    }

    #[test]
    fn the_later_of_two_has_what_both_have() {
        let rects = [PixelRect::new(0, 0, 3, 2), PixelRect::new(2, 1, 9, 1), PixelRect::new(-5, 9, 2, 2)];
        let expected = [vec![1, 1, 1, 0, 0], vec![1, 1, 2, 2, 2], vec![0, 0, 0, 0, 0]];
        assert_eq!(owners(Size::new(5, 3), &rects), expected);
    }

    #[test]
    fn a_span_knows_the_corner_of_its_region_also_where_another_covers_it() {
        let rects = [PixelRect::new(1, 0, 4, 3), PixelRect::new(0, 1, 2, 1)];
        let mut regions = Regions::new(Size::new(6, 3), &rects);
        let origins: Vec<_> = regions.of_row(1).iter().map(|span| (span.owner, span.origin)).collect();
        assert_eq!(origins, [(2, (0, 1)), (1, (1, 0)), (0, (0, 0))]);
    }

    proptest! {
        #[test]
        fn every_pixel_is_of_the_last_region_that_has_it(
            rects in proptest::collection::vec((-3..12_i32, -3..12_i32, 1..9_i32, 1..9_i32), 0..9),
        ) {
            let rects: Vec<PixelRect> =
                rects.into_iter().map(|(x, y, width, height)| PixelRect::new(x, y, width, height)).collect();
            let size = Size::new(10, 9);
            let owner = |x: i64, y: i64| rects.iter().rposition(|rect| rect.contains(x, y)).map_or(0, |at| at as u32 + 1);
            let expected: Vec<Vec<u32>> = (0..9).map(|y| (0..10).map(|x| owner(x, y)).collect()).collect();
            prop_assert_eq!(owners(size, &rects), expected);
        }
    }
}
