//! What the cells of a grid hold: whether they are empty, and how alike their contents lie.

use super::axis::{Comb, Fit};
use super::map::InkMap;
use super::sample::spread;
use crate::geometry::Size;

/// Cells looked at per grid at most; more of the same would say the same.
const MOST_CELLS: usize = 400;

/// Content of the cells of a grid.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Content {
    /// Share of cells without ink that have one with ink behind them in their row.
    pub(super) holes: f32,
    /// Share of cells with ink that their ink fills from side to side, both ways.
    pub(super) full: f32,
    /// Share of cells with ink whose ink takes just the same part of the cell, but not all of it.
    pub(super) alike: f32,
    /// How far the middles of the ink scatter, in cells: 0 where all lie alike, about a quarter by chance.
    pub(super) scatter: [f32; 2],
    /// How far the sizes of the ink scatter, in cells.
    pub(super) sizes: [f32; 2],
}

/// First and last + 1 of what a cell's ink takes, in pixels from the cell's start.
type Span = [f32; 2];

pub(super) fn content(map: &InkMap, image: Size, x: &Fit, y: &Fit) -> Content {
    let blocks = Size::new(image.width.div_ceil(map.block as u32), image.height.div_ceil(map.block as u32));
    let all = x.count * y.count;
    let step = spread(all, MOST_CELLS);
    let (mut seen, mut empty, mut holes, mut full) = (0, 0, 0, 0);
    // Where blocks are larger than pixels, the same place may be a block further on in the next cell.
    let slack = usize::from(map.block > 1);
    let mut pending = (0, 0);
    let mut spans: [Vec<Span>; 2] = [Vec::new(), Vec::new()];
    for index in (0..all).step_by(step) {
        let (column, row) = (index % x.count, index / x.count);
        let across = range(x.comb, column, map.block, blocks.width);
        let down = range(y.comb, row, map.block, blocks.height);
        if pending.0 != row {
            pending = (row, 0);
        }
        seen += 1;
        if map.ink(across, down) == 0 {
            empty += 1;
            pending.1 += 1;
            continue;
        }
        holes += std::mem::take(&mut pending.1);
        let horizontal = bounds(across, |part| map.ink(part, down));
        let vertical = bounds(down, |part| map.ink(across, part));
        let is_full =
            |[from, to]: [usize; 2], cell: [usize; 2]| from - cell[0] <= slack && cell[1] - to <= slack;
        full += usize::from(is_full(horizontal, across) && is_full(vertical, down));
        for ((spans, bounds), (origin, cell)) in spans
            .iter_mut()
            .zip([horizontal, vertical])
            .zip([(across[0], x.comb.cell), (down[0], y.comb.cell)])
        {
            let place = |at: usize| (at.saturating_sub(origin) * map.block) as f32 / cell as f32;
            spans.push(bounds.map(place));
        }
    }
    let tolerance = [x, y].map(|fit| (slack * map.block) as f32 / fit.comb.cell as f32 + f32::EPSILON);
    let (alike, is_whole) = alike(&spans, tolerance);
    let share = |count: usize| count as f32 / seen.max(1) as f32;
    let middles = |spans: &Vec<Span>| deviation(spans, |span| f32::midpoint(span[0], span[1]));
    // Figures stand on one line more often than their middles are level.
    let ends = |spans: &Vec<Span>| deviation(spans, |span| span[1]);
    let sizes = |spans: &Vec<Span>| deviation(spans, |span| span[1] - span[0]);
    let [horizontal, vertical] = &spans;
    Content {
        holes: share(holes),
        alike: if is_whole || seen - empty < 4 { 0.0 } else { alike },
        full: full as f32 / (seen - empty).max(1) as f32,
        scatter: [middles(horizontal), middles(vertical).min(ends(vertical))],
        sizes: [sizes(horizontal), sizes(vertical)],
    }
}

/// The share of boxes that are the middle one, and whether that is the whole cell.
fn alike(spans: &[Vec<Span>; 2], tolerance: [f32; 2]) -> (f32, bool) {
    let mut is_whole = true;
    let mut middle = [[0.0; 2]; 2];
    for ((middle, spans), tolerance) in middle.iter_mut().zip(spans).zip(tolerance) {
        for (end, middle) in middle.iter_mut().enumerate() {
            let mut places: Vec<f32> = spans.iter().map(|span| span[end]).collect();
            places.sort_unstable_by(f32::total_cmp);
            *middle = places.get(places.len() / 2).copied().unwrap_or_default();
        }
        is_whole &= middle[0] <= tolerance && middle[1] >= 1.0 - tolerance;
    }
    let is_near = |span: &Span, axis: usize| {
        span.iter().zip(&middle[axis]).all(|(one, other)| (one - other).abs() <= tolerance[axis])
    };
    let count = spans[0].iter().zip(&spans[1]).filter(|(x, y)| is_near(x, 0) && is_near(y, 1)).count();
    (count as f32 / spans[0].len().max(1) as f32, is_whole)
}

/// The blocks of a cell.
fn range(comb: Comb, index: usize, block: usize, blocks: u32) -> [usize; 2] {
    let start = comb.offset + index * (comb.cell + comb.spacing);
    let from = (start + block / 2) / block;
    let to = ((start + comb.cell + block / 2) / block).max(from + 1).min(blocks as usize);
    [from.min(to), to]
}

/// The smallest part of a range with all its ink, which there is.
fn bounds([from, to]: [usize; 2], ink: impl Fn([usize; 2]) -> u32) -> [usize; 2] {
    let first = partition(from, to, |at| ink([from, at + 1]) == 0);
    let end = partition(first, to, |at| ink([at, to]) > 0);
    [first, end]
}

/// The first place for which `is_before` no longer holds.
fn partition(mut from: usize, mut to: usize, is_before: impl Fn(usize) -> bool) -> usize {
    while from < to {
        let middle = usize::midpoint(from, to);
        if is_before(middle) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

/// Mean distance from the mean.
fn deviation(spans: &[Span], of: impl Fn(&Span) -> f32) -> f32 {
    let count = spans.len().max(1) as f32;
    let mean = spans.iter().map(&of).sum::<f32>() / count;
    spans.iter().map(|span| (of(span) - mean).abs()).sum::<f32>() / count
}
