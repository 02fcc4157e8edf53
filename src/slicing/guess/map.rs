//! How much ink is where, in blocks of at least a pixel; any rectangle of blocks is summed in four look-ups.

use crate::geometry::Size;

/// Blocks along the longer side at most.
const MOST_BLOCKS: u32 = 1024;

/// Ink by blocks, summed from the top left.
#[derive(Debug, Clone, Default)]
pub(super) struct InkMap {
    /// Side of a block, in pixels.
    pub(super) block: usize,
    columns: usize,
    /// One more row and column than blocks, so that the first are 0.
    sums: Vec<u32>,
}

impl InkMap {
    /// Pixels of ink in a rectangle of blocks, which the map must have; ends are exclusive.
    pub(super) fn ink(&self, x: [usize; 2], y: [usize; 2]) -> u32 {
        let at = |x: usize, y: usize| self.sums.get(y * (self.columns + 1) + x).copied().unwrap_or_default();
        (at(x[1], y[1]) + at(x[0], y[0])).saturating_sub(at(x[0], y[1]) + at(x[1], y[0]))
    }
}

pub(super) struct MapBuilder {
    map: InkMap,
    /// The ink of each column of pixels in the current row of blocks.
    row: Vec<u16>,
    rows_seen: usize,
}

impl MapBuilder {
    pub(super) fn new(size: Size) -> Self {
        let block = size.width.max(size.height).div_ceil(MOST_BLOCKS).max(1) as usize;
        let columns = (size.width as usize).div_ceil(block);
        let map = InkMap { block, columns, sums: vec![0; columns + 1] };
        Self { map, row: vec![0; size.width as usize], rows_seen: 0 }
    }

    /// Takes a row of values, 0 where there is no ink.
    pub(super) fn push_row(&mut self, values: &[u8]) {
        for (sum, value) in self.row.iter_mut().zip(values) {
            *sum = sum.saturating_add(u16::from(*value > 0));
        }
        self.rows_seen += 1;
        if self.rows_seen.is_multiple_of(self.map.block) {
            self.close_row();
        }
    }

    fn close_row(&mut self) {
        let above = self.map.sums.len() - self.map.columns;
        let mut left = 0;
        self.map.sums.push(0);
        for (index, part) in self.row.chunks(self.map.block).enumerate() {
            left += part.iter().map(|ink| u32::from(*ink)).sum::<u32>();
            let upper = self.map.sums.get(above + index).copied().unwrap_or_default();
            self.map.sums.push(upper + left);
        }
        self.row.fill(0);
    }

    pub(super) fn finish(mut self) -> InkMap {
        if !self.rows_seen.is_multiple_of(self.map.block) {
            self.close_row();
        }
        self.map
    }
}
