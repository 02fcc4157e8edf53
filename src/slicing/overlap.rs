//! Which frames share pixels.

use crate::geometry::PixelRect;

/// Going from the top down, each rectangle that shares pixels with one before it, and one such, as positions in
/// `rects`. Of rectangles with the same top the first position is the first. `None` and rectangles without pixels
/// share none.
///
/// From the top down the tops never go back, so all that has to be known of those before is how far down they reach in
/// each column: the farthest, in a tree over the columns. That takes n log n however they lie over each other.
pub fn overlaps(rects: &[Option<PixelRect>]) -> Vec<(usize, usize)> {
    let there = rects.iter().enumerate().filter_map(|(position, rect)| Some((position, (*rect)?)));
    let mut there: Vec<_> = there.filter(|(_, rect)| !rect.is_empty()).collect();
    there.sort_by_key(|(position, rect)| (rect.y, *position));
    let mut columns: Vec<i64> =
        there.iter().flat_map(|(_, rect)| [i64::from(rect.x), rect.right()]).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut reach = Reach::new(columns.len());
    let mut found = Vec::new();
    for (position, rect) in there {
        let column = |x: i64| columns.binary_search(&x).unwrap_or_else(|place| place);
        let range = (column(rect.x.into()), column(rect.right()));
        if let Some((bottom, earlier)) = reach.farthest(range)
            && bottom > i64::from(rect.y)
        {
            found.push((position, earlier));
        }
        reach.extend(range, (rect.bottom(), position));
    }
    found
}

/// Where a rectangle ends, and which it is.
type End = (i64, usize);

/// How far down rectangles reach, over ranges of columns.
struct Reach {
    leaves: usize,
    /// The farthest of what covers all of a node's columns.
    whole: Vec<Option<End>>,
    /// The farthest in any of a node's columns.
    any: Vec<Option<End>>,
}

impl Reach {
    fn new(columns: usize) -> Self {
        let leaves = columns.next_power_of_two();
        Self { leaves, whole: vec![None; 2 * leaves], any: vec![None; 2 * leaves] }
    }

    fn farthest(&self, range: (usize, usize)) -> Option<End> {
        self.farthest_in(1, (0, self.leaves), range)
    }

    fn farthest_in(&self, node: usize, of_node: (usize, usize), range: (usize, usize)) -> Option<End> {
        if range.0 >= of_node.1 || of_node.0 >= range.1 {
            return None;
        }
        if range.0 <= of_node.0 && of_node.1 <= range.1 {
            return self.any[node];
        }
        let middle = of_node.0.midpoint(of_node.1);
        let left = self.farthest_in(2 * node, (of_node.0, middle), range);
        let right = self.farthest_in(2 * node + 1, (middle, of_node.1), range);
        self.whole[node].max(left).max(right)
    }

    fn extend(&mut self, range: (usize, usize), end: End) {
        self.extend_in(1, (0, self.leaves), range, end);
    }

    fn extend_in(&mut self, node: usize, of_node: (usize, usize), range: (usize, usize), end: End) {
        if range.0 >= of_node.1 || of_node.0 >= range.1 {
            return;
        }
        self.any[node] = self.any[node].max(Some(end));
        if range.0 <= of_node.0 && of_node.1 <= range.1 {
            self.whole[node] = self.whole[node].max(Some(end));
            return;
        }
        let middle = of_node.0.midpoint(of_node.1);
        self.extend_in(2 * node, (of_node.0, middle), range, end);
        self.extend_in(2 * node + 1, (middle, of_node.1), range, end);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rects<const N: usize>(rects: [(i32, i32, i32, i32); N]) -> [Option<PixelRect>; N] {
        rects.map(|(x, y, width, height)| Some(PixelRect::new(x, y, width, height)))
    }

    #[test]
    fn neighbours_share_nothing_and_nested_ones_do() {
        let cells = rects([(0, 0, 8, 8), (8, 0, 8, 8), (0, 8, 8, 8), (0, 0, 0, 9)]);
        assert_eq!(overlaps(&[&cells[..], &[None]].concat()), []);
        assert_eq!(overlaps(&rects([(2, 2, 2, 2), (0, 0, 8, 8)])), [(0, 1)]);
        assert_eq!(overlaps(&rects([(0, 0, 8, 8), (7, 7, 2, 2), (8, 0, 1, 7)])), [(1, 0)]);
        let far = [(i32::MAX - 1, 0, i32::MAX, 1), (i32::MAX, 0, 1, 1), (i32::MIN, 0, i32::MAX, 1)];
        assert_eq!(overlaps(&rects(far)), [(1, 0)]);
        assert_eq!(overlaps(&[]), []);
    }

    proptest! {
        #[test]
        fn the_sweep_finds_what_looking_at_all_pairs_finds(
            rects in prop::collection::vec(
                prop::option::weighted(0.9, (-3..20_i32, -3..20_i32, -1..9_i32, -1..9_i32)), 0..24),
        ) {
            let rects: Vec<_> =
                rects.into_iter().map(|it| it.map(|(x, y, w, h)| PixelRect::new(x, y, w, h))).collect();
            let place = |position: usize| (rects[position].map(|rect| rect.y), position);
            let share = |a: usize, b: usize| {
                rects[a].zip(rects[b]).is_some_and(|(a, b)| a.intersection(b).is_some())
            };
            let found = overlaps(&rects);
            for (position, earlier) in &found {
                prop_assert!(share(*position, *earlier) && place(*earlier) < place(*position));
            }
            let all = 0..rects.len();
            let mut expected: Vec<_> = all.clone()
                .filter(|later| all.clone().any(|earlier| place(earlier) < place(*later) && share(*later, earlier)))
                .collect();
            expected.sort_by_key(|position| place(*position));
            prop_assert_eq!(found.iter().map(|(position, _)| *position).collect::<Vec<_>>(), expected);
        }
    }
}
