//! A grid along one axis, and what speaks for it.

use super::profile::Profile;
use super::sample::spread;
use super::score::{self, AXIS_TERMS};

/// Cells smaller than this are no sprites.
pub(super) const SMALLEST_CELL: usize = 4;

/// Cells looked at per comb at most.
const MOST_PLACES: usize = 64;

/// Values of separators that differ by no more are one colour.
const SAME_COLOUR: u8 = 10;

/// Boundaries beyond so many say little new: neighbours are alike. Without this, a grid of many small cells that is
/// right here and there would outweigh one of few large cells that is right everywhere.
const FULLY_COUNTED: f32 = 32.0;

/// The numbers of one axis, all in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Comb {
    pub(super) offset: usize,
    pub(super) cell: usize,
    pub(super) spacing: usize,
}

impl Comb {
    pub(super) const fn new(offset: usize, cell: usize, spacing: usize) -> Self {
        Self { offset, cell, spacing }
    }

    pub(super) const fn pitch(self) -> usize {
        self.cell + self.spacing
    }

    /// Whole cells that fit.
    pub(super) fn count(self, length: usize) -> usize {
        (length + self.spacing).saturating_sub(self.offset) / self.pitch().max(1)
    }

    /// The same cells in the one way of saying it: without a second cell there is no spacing, and an offset of whole
    /// pitches is a grid that begins earlier. `None` when no cell fits or cells are too small.
    pub(super) fn normal(self, length: usize) -> Option<Self> {
        if self.cell < SMALLEST_CELL || self.offset >= self.pitch() {
            return None;
        }
        match self.count(length) {
            0 => None,
            1 => Some(Self { spacing: 0, ..self }).filter(|comb| comb.count(length) == 1),
            _ => Some(self),
        }
    }

    /// Whether the first cell does not begin at the image's edge or cells do not touch.
    pub(super) const fn is_framed(self) -> bool {
        self.offset > 0 || self.spacing > 0
    }
}

/// A comb with what speaks for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    pub(super) comb: Comb,
    /// Whole cells; at least one.
    pub(super) count: usize,
    pub(super) score: f32,
    /// What the content of the cells may still add, when they turn out to be filled from side to side.
    pub(super) hope: f32,
}

impl Fit {
    pub(super) fn new(profile: &Profile, comb: Comb) -> Self {
        let count = comb.count(profile.length);
        let seen = Seen::new(profile, comb, count);
        let terms = terms(profile, comb, count, &seen);
        let hope = if comb.is_framed() && seen.is_clear { score::HOPE * seen.fill.min(1.0) } else { 0.0 };
        Self { comb, count, score: score::of_axis(&terms), hope }
    }
}

/// Sums over the places where cells meet.
#[derive(Default)]
struct Boundaries {
    count: usize,
    crossing: f32,
    edges: f32,
    cut: f32,
    worst_cut: f32,
}

impl Boundaries {
    fn add(&mut self, profile: &Profile, places: [usize; 2]) {
        let mean = |evidence: &[f32]| {
            places.iter().map(|place| evidence.get(*place).copied().unwrap_or_default()).sum::<f32>() / 2.0
        };
        self.count += 1;
        self.crossing += mean(&profile.crossing);
        self.edges += mean(&profile.edges);
        let cut = mean(&profile.cuts);
        self.cut += cut;
        self.worst_cut = self.worst_cut.max(cut);
    }
}

/// What is found in the cells of a comb and between them.
struct Seen {
    boundaries: Boundaries,
    /// Pixels behind the last cell.
    leftover: usize,
    /// Whether there are gaps and each of their columns is empty or one colour.
    is_clear: bool,
    /// Whether there are gaps and all are filled with the same colour.
    is_coloured: bool,
    /// Share of cells without ink.
    empty: f32,
    /// Ink on the outermost columns of cells, compared to the mean of all columns of cells.
    fill: f32,
    /// Share of the ink that no cell has.
    outside: f32,
}

impl Seen {
    fn new(profile: &Profile, comb: Comb, count: usize) -> Self {
        let Comb { offset, cell, spacing } = comb;
        let pitch = comb.pitch();
        let end = offset + count.saturating_sub(1) * pitch + cell;
        let leftover = profile.length.saturating_sub(end);
        let step = spread(count, MOST_PLACES);

        let mut boundaries = Boundaries::default();
        let (mut cells, mut empty, mut filled) = (0, 0, 0);
        let (mut gaps, mut clear, mut gap_ink) = (0, 0, 0);
        let mut colours: Option<(u8, u8)> = None;
        let mut is_coloured = spacing > 0;
        for start in (offset..end).step_by(pitch * step) {
            let (cell_end, next) = (start + cell, start + pitch);
            cells += 1;
            empty += usize::from(profile.ink_in(start, cell_end) == 0);
            filled += profile.ink_in(start, start + 1) + profile.ink_in(cell_end - 1, cell_end);
            if next >= end {
                continue;
            }
            boundaries.add(profile, [cell_end, next]);
            gaps += spacing;
            clear += profile.gutters_in(cell_end, next);
            gap_ink += profile.ink_in(cell_end, next);
            for at in cell_end..next {
                match profile.uniform_value(at).filter(|value| *value > 0) {
                    Some(value) => {
                        let (low, high) = colours.unwrap_or((value, value));
                        colours = Some((low.min(value), high.max(value)));
                    }
                    None => is_coloured = false,
                }
            }
        }
        if offset > 0 {
            boundaries.add(profile, [offset; 2]);
        }
        if leftover > 0 && leftover != offset {
            boundaries.add(profile, [end; 2]);
        }

        let all_ink = profile.ink_in(0, profile.length);
        let inside = profile.ink_in(offset, end).saturating_sub(gap_ink * step as u64);
        let mean_ink = inside as f32 / (count * cell).max(1) as f32;
        let edge_ink = filled as f32 / (2 * cells).max(1) as f32;
        Self {
            boundaries,
            leftover,
            is_clear: gaps > 0 && clear == gaps,
            is_coloured: is_coloured && colours.is_some_and(|(low, high)| high - low <= SAME_COLOUR),
            empty: empty as f32 / cells.max(1) as f32,
            fill: if mean_ink > 0.0 { (edge_ink / mean_ink).min(1.2) } else { 0.0 },
            outside: all_ink.saturating_sub(inside) as f32 / all_ink.max(1) as f32,
        }
    }
}

/// What speaks for a comb, in the order of the weights in [`score`].
fn terms(profile: &Profile, comb: Comb, count: usize, seen: &Seen) -> [f32; AXIS_TERMS] {
    let Comb { offset, cell, spacing } = comb;
    let Seen { boundaries, leftover, is_clear, is_coloured, empty, fill, outside } = seen;
    let (leftover, pitch, several) = (*leftover, comb.pitch(), count > 1);
    let places = boundaries.count.max(1) as f32;
    let counted = damped(places.max(count as f32 - 1.0));
    let by_pitch = |evidence: &[f32]| evidence.get(pitch).copied().filter(|_| several).unwrap_or_default();
    let share_of_gutters = profile.gutters_in(0, profile.length) as f32 / profile.length.max(1) as f32;
    let is_closed = leftover == 0 || leftover == offset || leftover == spacing;
    [
        boundaries.crossing / places * counted.powf(0.75),
        boundaries.edges / places * counted.sqrt(),
        boundaries.cut / places,
        boundaries.worst_cut,
        by_pitch(&profile.likeness),
        by_pitch(&profile.peaks).clamp(-2.0, 4.0),
        flag(several),
        damped(count as f32).ln(),
        flag(spacing > 0),
        flag(spacing > 0 && !is_clear),
        if *is_clear { -share_of_gutters.max(0.02).ln() } else { 0.0 },
        flag(*is_coloured && count > 2),
        if spacing > 2 { *fill } else { 0.0 },
        flag(spacing > 0 && pitch.is_power_of_two()),
        flag(offset > 0),
        flag(offset > 0 && offset == spacing),
        if offset == spacing { 0.0 } else { (offset as f32).max(1.0).ln() },
        flag(leftover == 0),
        flag(leftover > 0 && leftover == offset),
        flag(leftover > 0 && leftover == spacing && leftover != offset),
        flag(!is_closed && profile.length.is_power_of_two()),
        flag(*outside > 0.001),
        *outside,
        *empty,
        flag(cell.is_multiple_of(4)),
        flag(cell.is_multiple_of(2)),
        flag(cell < 8),
        flag(cell < 6),
        flag([16, 24, 32, 48, 64].contains(&cell)),
    ]
}

fn damped(count: f32) -> f32 {
    if count <= FULLY_COUNTED { count } else { FULLY_COUNTED * (count / FULLY_COUNTED).powf(0.3) }
}

/// 1 or 0.
pub(super) fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}
