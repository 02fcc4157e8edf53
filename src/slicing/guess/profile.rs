//! One axis read as evidence: how likely a cell boundary is at each place, and how alike the axis is to itself
//! a distance further on.
//!
//! Places are compared by rank and not by amount, so that sparse and dense sheets, large and small ones, speak the
//! same language: a boundary of a real grid is among the places least crossed by ink and, where ink meets ink,
//! among those with the strongest edges. What a rank says is the logarithm of how much likelier it is at a boundary
//! than anywhere.

use super::evidence::{BANDS, Sums};

/// Pitches are looked at up to this; larger cells come from what divides the image.
pub(super) const LONGEST_PITCH: usize = 1024;

/// Share of boundaries among the best `u` of all places: `u` to the power of this.
const RANK_POWER: f32 = 0.25;

/// Positions compared per pitch at most.
const MOST_SAMPLES: usize = 256;

/// One axis, ready to be asked about grids.
pub(super) struct Profile {
    /// Pixels along the axis.
    pub(super) length: usize,
    /// Evidence for a boundary before each pixel, from crossing ink.
    pub(super) crossing: Vec<f32>,
    /// The same from edges between ink and ink.
    pub(super) edges: Vec<f32>,
    /// Ink that crosses there, compared to the mean of places that ink crosses; opaque images are all 1.
    pub(super) cuts: Vec<f32>,
    /// Whether the pixel's column is empty or one colour, summed from the start.
    gutters: Vec<u32>,
    /// Ink summed from the start.
    ink: Vec<u64>,
    /// Values of uniform columns, for telling separators of one colour.
    pub(super) uniform: Vec<Option<u8>>,
    /// How alike the axis is to itself a pitch further on: 0 as unlike as on average, 1 equal.
    pub(super) likeness: Vec<f32>,
    /// Evidence for each pitch from how its likeness stands out from its neighbours.
    pub(super) peaks: Vec<f32>,
}

impl Profile {
    pub(super) fn new(sums: &Sums, across: usize) -> Self {
        let length = sums.ink.len();
        let uniform: Vec<Option<u8>> = (0..length)
            .map(|at| sums.range.get(at).filter(|_| sums.is_uniform(at)).map(|range| range.0))
            .collect();
        let gutters = prefix(uniform.iter().map(|value| u32::from(value.is_some())));
        let ink = prefix(sums.ink.iter().map(|ink| u64::from(*ink)));
        let (likeness, peaks) = likeness(&sums.bands, length);
        Self {
            length,
            crossing: crossing(sums),
            cuts: cuts(sums),
            edges: edges(sums, across),
            gutters,
            ink,
            uniform,
            likeness,
            peaks,
        }
    }

    /// Number of uniform columns in a range.
    pub(super) fn gutters_in(&self, from: usize, to: usize) -> usize {
        let at = |at: usize| self.gutters.get(at.min(self.length)).copied().unwrap_or_default();
        at(to).saturating_sub(at(from)) as usize
    }

    pub(super) fn ink_in(&self, from: usize, to: usize) -> u64 {
        let at = |at: usize| self.ink.get(at.min(self.length)).copied().unwrap_or_default();
        at(to).saturating_sub(at(from))
    }

    /// The colour of a uniform column.
    pub(super) fn uniform_value(&self, at: usize) -> Option<u8> {
        self.uniform.get(at).copied().flatten()
    }
}

fn prefix<T: Copy + Default + std::ops::Add<Output = T>>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut sum = T::default();
    std::iter::once(sum)
        .chain(values.map(|value| {
            sum = sum + value;
            sum
        }))
        .collect()
}

/// The fewer pixels of ink cross a place, the likelier it is a boundary. The image's own ends say nothing.
fn crossing(sums: &Sums) -> Vec<f32> {
    let inner: Vec<f32> = sums.crossing.iter().skip(1).map(|crossing| *crossing as f32).collect();
    framed(by_rank(&inner))
}

fn cuts(sums: &Sums) -> Vec<f32> {
    let crossed = sums.crossing.iter().filter(|crossing| **crossing > 0);
    let (sum, count) =
        crossed.fold((0_u64, 0_u64), |(sum, count), crossing| (sum + u64::from(*crossing), count + 1));
    let mean = sum as f32 / count.max(1) as f32;
    framed(sums.crossing.iter().skip(1).map(|crossing| (*crossing as f32 / mean.max(1.0)).min(1.5)).collect())
}

/// The stronger the steps between ink and ink, the likelier; counted only as far as ink crosses there at all.
fn edges(sums: &Sums, across: usize) -> Vec<f32> {
    let strength: Vec<f32> = sums
        .crossing
        .iter()
        .zip(&sums.steps)
        .skip(1)
        .map(|(crossing, steps)| -(*steps as f32) / (*crossing).max(1) as f32)
        .collect();
    let mut evidence = by_rank(&strength);
    for (evidence, crossing) in evidence.iter_mut().zip(sums.crossing.iter().skip(1)) {
        *evidence *= *crossing as f32 / across.max(1) as f32;
    }
    framed(evidence)
}

fn framed(inner: Vec<f32>) -> Vec<f32> {
    std::iter::once(0.0).chain(inner).chain(std::iter::once(0.0)).collect()
}

/// For each value the logarithm of the density at its rank, small values being the likely ones. Equal values share
/// their ranks.
fn by_rank(values: &[f32]) -> Vec<f32> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let value = |index: &usize| values.get(*index).copied().unwrap_or_default();
    order.sort_unstable_by(|one, other| value(one).total_cmp(&value(other)));
    let all = values.len().max(1) as f32;
    let mut evidence = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|one, other| value(one) == value(other)) {
        let (low, high) = (before as f32 / all, (before + equal.len()) as f32 / all);
        let density = (high.powf(RANK_POWER) - low.powf(RANK_POWER)) / (high - low);
        for index in equal {
            if let Some(evidence) = evidence.get_mut(*index) {
                *evidence = density.ln();
            }
        }
        before += equal.len();
    }
    evidence
}

/// Likeness of the axis to itself by distance, and the evidence in its peaks.
fn likeness(bands: &[u16], length: usize) -> (Vec<f32>, Vec<f32>) {
    let (columns, _) = bands.as_chunks::<BANDS>();
    let longest = length.saturating_sub(length / 4).min(LONGEST_PITCH + 2);
    let step = if length <= 2 * MOST_SAMPLES { 1 } else { length.div_ceil(MOST_SAMPLES) };
    let difference = |pitch: usize| {
        let pairs = columns.iter().zip(columns.get(pitch..).unwrap_or_default()).step_by(step);
        let count = pairs.len().max(1);
        let sum: u64 = pairs
            .map(|(one, other)| {
                let parts = one.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(*other)));
                u64::from(parts.sum::<u32>())
            })
            .sum();
        sum as f32 / count as f32
    };
    let differences: Vec<f32> = (0..longest).map(difference).collect();
    let considered = differences.get(1..).unwrap_or_default();
    let mean = considered.iter().sum::<f32>() / considered.len().max(1) as f32;
    if mean <= 0.0 {
        return (vec![0.0; longest], vec![0.0; longest]);
    }
    let likeness = differences.iter().map(|difference| 1.0 - difference / mean).collect();
    let around = |pitch: usize| {
        let at = |pitch: usize| differences.get(pitch).copied().unwrap_or(f32::MAX);
        at(pitch) - at(pitch.saturating_sub(1)).min(at(pitch + 1))
    };
    let peaks: Vec<f32> = (2..longest.saturating_sub(1)).map(around).collect();
    let peaks = [0.0, 0.0].into_iter().chain(by_rank(&peaks)).chain([0.0]).collect();
    (likeness, peaks)
}
