//! Which grids of an axis are worth weighing: those that come out even, and those that the pixels suggest.

use super::axis::{Comb, Fit, SMALLEST_CELL};
use super::profile::{LONGEST_PITCH, Profile};

/// Offsets and spacings that people choose.
const USUAL: [usize; 13] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32];

/// Pitches and phases taken over from the pixels.
const MOST_PHASES: usize = 160;

/// How much more a grid from the image's corner is expected than one from elsewhere, before anything else is known.
const CORNER: f32 = 1.0;

/// The most promising combs of an axis, best first.
pub(super) fn fits(profile: &Profile, most: usize) -> Vec<Fit> {
    let mut combs: Vec<Comb> = from_length(profile.length)
        .into_iter()
        .chain(from_pixels(profile))
        .filter_map(|comb| comb.normal(profile.length))
        .collect();
    combs.sort_unstable();
    combs.dedup();
    let mut fits: Vec<Fit> = combs.into_iter().map(|comb| Fit::new(profile, comb)).collect();
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
                if closing == offset || is_usual {
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
    for divisor in (1..=room.isqrt()).filter(|divisor| room.is_multiple_of(*divisor)) {
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
        if !is_any && part.len() == pitch {
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
