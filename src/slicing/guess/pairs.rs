//! Grids of both axes together, ranked.

use super::axis::{Fit, flag};
use super::cells::{Content, content};
use super::evidence::Evidence;
use super::profile::Profile;
use super::propose::fits;
use super::score::{self, PAIR_TERMS};
use crate::slicing::MAX_FRAMES;

/// Combs of an axis that are paired at most.
const MOST_FITS: usize = 40;

/// Pairs whose cells are looked into at most.
const MOST_PAIRS: usize = 64;

/// A grid with its score.
pub(super) struct Scored {
    pub(super) x: Fit,
    pub(super) y: Fit,
    pub(super) score: f32,
}

/// The likeliest grids of more than one cell, best first.
pub(super) fn ranked(evidence: &Evidence) -> Vec<Scored> {
    let size = evidence.size;
    let x = fits(&Profile::new(&evidence.columns, size.height as usize), MOST_FITS);
    let y = fits(&Profile::new(&evidence.rows, size.width as usize), MOST_FITS);
    let mut pairs: Vec<(f32, Fit, Fit)> = x
        .iter()
        .flat_map(|x| y.iter().map(move |y| (*x, *y)))
        .filter(|(x, y)| (2..=MAX_FRAMES).contains(&(x.count * y.count)))
        .map(|(x, y)| (x.score + x.hope + y.score + y.hope + score::of_pair(&terms(&x, &y, None)), x, y))
        .collect();
    pairs.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    pairs.truncate(MOST_PAIRS);
    let mut all: Vec<Scored> = pairs
        .into_iter()
        .map(|(_, x, y)| {
            let content = content(&evidence.map, size, &x, &y);
            Scored { x, y, score: x.score + y.score + score::of_pair(&terms(&x, &y, Some(content))) }
        })
        .collect();
    all.sort_by(|one, other| other.score.total_cmp(&one.score));
    all
}

/// What speaks for two combs together, in the order of the weights in [`score`]. Before the cells are looked into, their
/// content says nothing.
fn terms(x: &Fit, y: &Fit, content: Option<Content>) -> [f32; PAIR_TERMS] {
    let (across, down) = (x.comb, y.comb);
    let several = x.count > 1 && y.count > 1;
    let is_square = across.cell == down.cell;
    let ratio = across.cell.max(down.cell) as f32 / across.cell.min(down.cell).max(1) as f32;
    let Content { holes, full, alike, scatter, sizes } = content.unwrap_or_default();
    let is_framed = across.is_framed() && down.is_framed();
    [
        flag(is_square),
        flag(several && across.spacing != down.spacing),
        flag(across.offset != down.offset),
        flag(several && (across.spacing > 0) != (down.spacing > 0)),
        ratio.ln(),
        holes,
        scatter[0],
        scatter[1],
        sizes[0],
        sizes[1],
        flag([1.5, 2.0].contains(&ratio)),
        flag(!several && is_square),
        if several { 0.0 } else { scatter[0] + scatter[1] },
        flag(x.count * y.count == 2),
        if is_framed { full } else { 0.0 },
        if several { (2.0 * alike - 1.0).max(0.0) } else { 0.0 },
    ]
}
