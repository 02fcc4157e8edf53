//! Labels of connected runs: which labels turned out to be one island, and what each has seen of it.

use crate::geometry::PixelRect;

use super::Island;

/// What was given one label: its extent, exclusive at right and bottom, and its ink.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
    ink_area: u64,
}

impl Extent {
    fn add(&mut self, other: Self) {
        self.left = self.left.min(other.left);
        self.top = self.top.min(other.top);
        self.right = self.right.max(other.right);
        self.bottom = self.bottom.max(other.bottom);
        self.ink_area += other.ink_area;
    }

    fn island(self) -> Island {
        let Self { left, top, right, bottom, ink_area } = self;
        let rect = PixelRect::new(left as i32, top as i32, (right - left) as i32, (bottom - top) as i32);
        Island { rect, ink_area }
    }
}

/// A forest of labels. A parent is never larger than its child, so the root of an island is the label of its
/// first run in reading order, and one pass from the front finds all roots.
#[derive(Default)]
pub(super) struct Labels {
    parents: Vec<u32>,
    extents: Vec<Extent>,
}

impl Labels {
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// A new label for a run that meets none above it.
    pub(super) fn start(&mut self, y: u32, [left, right]: [u32; 2]) -> u32 {
        let label = self.parents.len() as u32;
        self.parents.push(label);
        let ink_area = u64::from(right - left);
        self.extents.push(Extent { left, top: y, right, bottom: y + 1, ink_area });
        label
    }

    /// Adds a run of row `y`, which is not above any before, to a label.
    pub(super) fn extend(&mut self, label: u32, y: u32, [left, right]: [u32; 2]) {
        let extent = &mut self.extents[label as usize];
        extent.left = extent.left.min(left);
        extent.right = extent.right.max(right);
        extent.bottom = y + 1;
        extent.ink_area += u64::from(right - left);
    }

    /// Makes two labels one island and returns the label of both.
    pub(super) fn unite(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high as usize] = low;
        low
    }

    fn root(&mut self, mut label: u32) -> u32 {
        loop {
            let parent = self.parents[label as usize];
            if parent == label {
                return label;
            }
            let above = self.parents[parent as usize];
            self.parents[label as usize] = above;
            label = above;
        }
    }

    /// Takes over the labels of rows below, from [`Self::len`] on.
    pub(super) fn append(&mut self, below: Self) {
        let offset = self.parents.len() as u32;
        if offset == 0 {
            *self = below;
            return;
        }
        self.parents.extend(below.parents.into_iter().map(|parent| parent + offset));
        self.extents.extend(below.extents);
    }

    /// The islands in reading order of their first pixels, and the index of each label's island.
    pub(super) fn finish(self) -> (Vec<Island>, Vec<u32>) {
        let Self { parents: mut island_of_label, mut extents } = self;
        let mut count = 0;
        // Islands are gathered at the front of `extents`: never behind the label that is looked at.
        for label in 0..extents.len() {
            let parent = island_of_label[label] as usize;
            let extent = extents[label];
            if parent == label {
                extents[count] = extent;
                island_of_label[label] = count as u32;
                count += 1;
            } else {
                let island = island_of_label[parent];
                island_of_label[label] = island;
                extents[island as usize].add(extent);
            }
        }
        let islands = extents[..count].iter().map(|extent| extent.island()).collect();
        (islands, island_of_label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn united_labels_are_one_island_numbered_by_its_first() {
        let mut labels = Labels::default();
        let [a, b, c] = [[4, 6], [8, 9], [11, 12]].map(|run| labels.start(0, run));
        labels.extend(b, 1, [7, 9]);
        labels.unite(c, a);
        labels.extend(c, 2, [2, 3]);
        let (islands, island_of_label) = labels.finish();
        assert_eq!(island_of_label, [0, 1, 0]);
        // Runs of 2, 1 and 1 pixels from columns 2 to 11; then 1 and 2 pixels.
        assert_eq!(islands[0], Island { rect: PixelRect::new(2, 0, 10, 3), ink_area: 4 });
        assert_eq!(islands[1], Island { rect: PixelRect::new(7, 0, 2, 2), ink_area: 3 });
    }

    #[test]
    fn labels_from_below_are_renumbered_with_their_islands() {
        let mut above = Labels::default();
        above.start(0, [0, 1]);
        let mut below = Labels::default();
        let first = below.start(1, [0, 1]);
        let second = below.start(1, [5, 6]);
        below.unite(first, second);
        above.append(below);
        assert_eq!(above.len(), 3);
        let (islands, island_of_label) = above.finish();
        assert_eq!((islands.len(), island_of_label), (2, vec![0, 1, 1]));
    }
}
