//! Grids of one axis: a cell, where the first begins, and the space between them.

use super::profile::{LONGEST_PITCH, Profile};
use super::score::{AXIS_FEATURES, dot_axis};

/// Cells smaller than this are no sprites.
pub(super) const SMALLEST_CELL: usize = 4;

/// Offsets and spacings that people choose.
const USUAL: [usize; 13] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32];

/// Boundaries looked at per comb at most.
const MOST_PLACES: usize = 64;

/// Pitches and phases taken over from the pixels.
const MOST_PHASES: usize = 160;

/// How much more a grid from the image's corner is expected than one from elsewhere, before anything else is known.
const CORNER: f32 = 1.0;

/// Values of separators that differ by no more are one colour.
const SAME_COLOUR: u8 = 10;

/// The numbers of one axis, all in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Comb {
    pub(super) offset: usize,
    pub(super) cell: usize,
    pub(super) spacing: usize,
}

/// A comb with what speaks for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    pub(super) comb: Comb,
    pub(super) count: usize,
    pub(super) features: [f32; AXIS_FEATURES],
    pub(super) score: f32,
    /// What the content of its cells may still add to the score, when they turn out to be filled from side to side.
    pub(super) hope: f32,
}

impl Comb {
    const fn new(offset: usize, cell: usize, spacing: usize) -> Self {
        Self { offset, cell, spacing }
    }

    const fn pitch(self) -> usize {
        self.cell + self.spacing
    }

    /// Whole cells that fit.
    pub(super) fn count(self, length: usize) -> usize {
        (length + self.spacing).saturating_sub(self.offset) / self.pitch().max(1)
    }

    /// The same cells in the one way of saying it: without a second cell there is no spacing, and an offset of whole
    /// pitches is a grid that begins earlier.
    fn normal(self, length: usize) -> Option<Self> {
        if self.cell < SMALLEST_CELL || self.offset >= self.pitch() {
            return None;
        }
        match self.count(length) {
            0 => None,
            1 => Some(Self { spacing: 0, ..self }).filter(|comb| comb.count(length) == 1),
            _ => Some(self),
        }
    }
}

/// The most promising combs of an axis, best first.
pub(super) fn fits(profile: &Profile, most: usize) -> Vec<Fit> {
    let mut combs: Vec<Comb> = from_length(profile.length)
        .into_iter()
        .chain(from_pixels(profile))
        .filter_map(|comb| comb.normal(profile.length))
        .collect();
    combs.sort_unstable();
    combs.dedup();
    let mut fits: Vec<Fit> = combs.into_iter().map(|comb| fit(profile, comb)).collect();
    fits.sort_by(|one, other| (other.score + other.hope).total_cmp(&(one.score + one.hope)));
    fits.truncate(most);
    fits
}

/// Combs that come out even, with a closing margin or without.
fn from_length(length: usize) -> Vec<Comb> {
    let mut combs = vec![Comb::new(0, length, 0)];
    for spacing in USUAL {
        for offset in USUAL {
            let is_usual = spacing == 0 || offset <= 2 || offset == spacing || 2 * offset == spacing;
            for closing in [0, offset, spacing] {
                if closing == offset || (is_usual && offset != spacing) {
                    even_division(length, Comb::new(offset, 0, spacing), closing, &mut combs);
                }
            }
        }
    }
    combs
}

/// All cells that leave exactly the closing margin.
fn even_division(length: usize, Comb { offset, spacing, .. }: Comb, closing: usize, combs: &mut Vec<Comb>) {
    let room = (length + spacing).saturating_sub(offset + closing);
    let mut add = |count: usize| {
        let pitch = room / count;
        if pitch >= spacing + SMALLEST_CELL {
            combs.push(Comb::new(offset, pitch - spacing, spacing));
        }
    };
    for divisor in (1..=room.isqrt()).filter(|divisor| room % divisor == 0) {
        add(divisor);
        add(room / divisor);
    }
}

/// Combs that the pixels propose: for each pitch the one with the longest gap that is clear in all periods, and
/// for the pitches whose boundaries are best those from the image's corner and from the best phase.
fn from_pixels(profile: &Profile) -> Vec<Comb> {
    let length = profile.length;
    let both: Vec<f32> =
        profile.crossing.iter().zip(&profile.edges).map(|(one, other)| one + other).collect();
    let mut sums = Vec::new();
    let mut combs = Vec::new();
    let mut phases = Vec::new();
    for pitch in SMALLEST_CELL..=length.saturating_sub(1).min(LONGEST_PITCH) {
        combs.extend(clear_gap(profile, pitch));
        sums.clear();
        sums.resize(pitch, 0.0_f32);
        for part in both.chunks(pitch) {
            for (sum, evidence) in sums.iter_mut().zip(part) {
                *sum += evidence;
            }
        }
        let likeness = |evidence: &[f32]| evidence.get(pitch).copied().unwrap_or_default();
        let alike = likeness(&profile.likeness) + likeness(&profile.peaks);
        let strength = |sum: f32| sum / (length as f32 / pitch as f32).sqrt() + alike;
        let best = sums.iter().enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other));
        phases.extend(best.map(|(phase, sum)| (strength(*sum), Comb::new(phase, pitch, 0))));
        phases.extend(sums.first().map(|sum| (strength(*sum) + CORNER, Comb::new(0, pitch, 0))));
    }
    phases.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    for (_, comb) in phases.into_iter().take(MOST_PHASES) {
        let narrower = |spacing| Comb { cell: comb.cell.saturating_sub(spacing), spacing, ..comb };
        combs.extend([comb, narrower(1), narrower(2)]);
    }
    combs
}

fn clear_gap(profile: &Profile, pitch: usize) -> Option<Comb> {
    let mut clear = vec![true; pitch];
    for part in profile.uniform.chunks(pitch) {
        let mut is_any = false;
        for (clear, value) in clear.iter_mut().zip(part) {
            *clear &= value.is_some();
            is_any |= *clear;
        }
        if !is_any {
            return None;
        }
    }
    let first_taken = clear.iter().position(|clear| !clear)?;
    let (mut best, mut run) = ((0, 0), 0);
    for index in 1..=pitch {
        let phase = (first_taken + index) % pitch;
        if clear.get(phase) == Some(&true) {
            run += 1;
        } else {
            best = best.max((run, phase));
            run = 0;
        }
    }
    let (spacing, offset) = best;
    (spacing > 0 && pitch > spacing).then(|| Comb::new(offset, pitch - spacing, spacing))
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

/// What speaks for a comb, term by term; the weights are in [`super::score`].
fn fit(profile: &Profile, comb: Comb) -> Fit {
    let Comb { offset, cell, spacing } = comb;
    let (length, pitch, count) = (profile.length, comb.pitch(), comb.count(profile.length));
    let end = offset + count.saturating_sub(1) * pitch + cell;
    let leftover = length.saturating_sub(end);

    let mut boundaries = Boundaries::default();
    let (mut clear, mut gaps, mut gap_ink, mut filled, mut empty, mut seen) = (0, 0, 0, 0, 0, 0);
    let mut colours: Option<(u8, u8)> = None;
    let mut is_coloured = spacing > 0;
    let step = count.div_ceil(MOST_PLACES).max(1);
    for start in (offset..end).step_by(pitch * step) {
        seen += 1;
        empty += usize::from(profile.ink_in(start, start + cell) == 0);
        filled += profile.ink_in(start, start + 1) + profile.ink_in(start + cell - 1, start + cell);
        let next = start + pitch;
        if next >= end {
            continue;
        }
        boundaries.add(profile, [start + cell, next]);
        gaps += spacing;
        clear += profile.gutters_in(start + cell, next);
        gap_ink += profile.ink_in(start + cell, next);
        for at in start + cell..next {
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
    let is_coloured = is_coloured && colours.is_some_and(|(low, high)| high - low <= SAME_COLOUR);

    let places = boundaries.count.max(1) as f32;
    let most_places = (places.max(count as f32 - 1.0)).sqrt();
    let inside = profile.ink_in(offset, end).saturating_sub(gap_ink * step as u64);
    let share_of_gutters = profile.gutters_in(0, length) as f32 / length as f32;
    let is_clear = gaps > 0 && clear == gaps;
    let all_ink = profile.ink_in(0, length);
    let outside = all_ink.saturating_sub(inside) as f32 / all_ink.max(1) as f32;
    let mean_ink = inside as f32 / (count * cell).max(1) as f32;
    let fill =
        if mean_ink > 0.0 { (filled as f32 / (2 * seen).max(1) as f32 / mean_ink).min(1.2) } else { 0.0 };
    let several = count > 1;
    let like =
        |evidence: &[f32]| if several { evidence.get(pitch).copied().unwrap_or_default() } else { 0.0 };
    let flag = |is: bool| f32::from(u8::from(is));
    let is_framed = spacing > 0 || offset > 0;
    let is_closed = leftover == 0 || leftover == offset || leftover == spacing;

    let features = [
        boundaries.crossing / places * most_places,
        (boundaries.crossing / places * most_places * most_places).clamp(-40.0, 40.0),
        boundaries.edges / places * most_places,
        (boundaries.edges / places * most_places * most_places).clamp(-40.0, 40.0),
        like(&profile.likeness),
        like(&profile.peaks).clamp(-2.0, 4.0),
        flag(spacing > 0),
        (spacing as f32).max(1.0).ln(),
        flag(gaps > 0 && !is_clear),
        if is_clear { -share_of_gutters.max(0.02).ln() } else { 0.0 },
        flag(is_coloured && count > 2),
        if is_framed { fill } else { 0.0 },
        flag(offset > 0),
        flag(offset > 0 && offset == spacing),
        if offset == spacing { 0.0 } else { (offset as f32).max(1.0).ln() },
        flag(leftover == 0),
        flag(leftover > 0 && leftover == offset),
        if is_closed { 0.0 } else { leftover as f32 / pitch as f32 },
        flag(outside > 0.001),
        outside,
        flag(cell.is_power_of_two() && cell >= 8),
        flag(cell % 8 == 0),
        flag(cell % 4 == 0),
        flag(cell % 2 == 0),
        flag(!several),
        (count as f32).ln(),
        empty as f32 / seen.max(1) as f32,
        flag(cell < 8),
        flag([16, 24, 32, 48, 64].contains(&cell)),
        flag(spacing > 0 && pitch.is_power_of_two()),
        flag(!is_closed && length.is_power_of_two()),
        if spacing > 2 { fill } else { 0.0 },
        boundaries.cut / places,
        boundaries.worst_cut,
    ];
    Fit {
        comb,
        count,
        features,
        score: dot_axis(&features),
        hope: if is_framed && is_clear { 2.0 * fill } else { 0.0 },
    }
}
