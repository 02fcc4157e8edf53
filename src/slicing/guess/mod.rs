//! Guesses.

mod axis;
mod cells;
mod evidence;
mod map;
mod profile;
/// .
pub mod score;

pub use evidence::{Evidence, EvidenceBuilder};

use crate::geometry::{Offset, Size};
use crate::model::Run;
use axis::Fit;
use profile::Profile;
use score::{AXIS_FEATURES, PAIR_FEATURES};

/// A grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The whole run, to be taken as it is.
    pub run: Run,
    /// Columns it gives.
    pub columns: u32,
    /// Rows it gives.
    pub rows: u32,
    /// How likely it is, from 0 to 1.
    pub confidence: f32,
}

const MOST: usize = 5;
const AXIS_MOST: usize = 40;
const PAIRS_MOST: usize = 48;

/// .
pub struct Candidate {
    /// .
    pub run: Run,
    /// .
    pub count: (usize, usize),
    /// .
    pub features: Vec<f32>,
    /// .
    pub score: f32,
}

/// .
pub fn candidates(evidence: &Evidence) -> Vec<Candidate> {
    let size = evidence.size;
    let x = Profile::new(&evidence.columns, size.height as usize);
    let y = Profile::new(&evidence.rows, size.width as usize);
    let (x, y) = (axis::fits(&x, AXIS_MOST), axis::fits(&y, AXIS_MOST));
    let mut pairs: Vec<(f32, &Fit, &Fit)> = x
        .iter()
        .flat_map(|x| y.iter().map(move |y| (x, y)))
        .filter(|(x, y)| x.count * y.count > 1 && x.count * y.count <= crate::slicing::MAX_FRAMES)
        .map(|(x, y)| {
            (x.score + y.score + x.hope + y.hope + score::dot_pair(&pair_features(x, y, None)), x, y)
        })
        .collect();
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    pairs.truncate(PAIRS_MOST);
    let mut all: Vec<Candidate> = pairs
        .into_iter()
        .map(|(_, x, y)| {
            let content = cells::content(&evidence.map, size, x, y);
            let pair = pair_features(x, y, Some(content));
            let score = x.score + y.score + score::dot_pair(&pair);
            let run = Run {
                offset: Offset::new(x.comb.offset as i32, y.comb.offset as i32),
                spacing: Offset::new(x.comb.spacing as i32, y.comb.spacing as i32),
                ..Run::of_cell(Size::new(x.comb.cell as u32, y.comb.cell as u32))
            };
            let axis = x.features.iter().zip(&y.features).map(|(x, y)| x + y);
            Candidate { run, count: (x.count, y.count), features: axis.chain(pair).collect(), score }
        })
        .collect();
    all.sort_by(|one, other| other.score.total_cmp(&one.score));
    all
}

fn pair_features(x: &Fit, y: &Fit, content: Option<cells::Content>) -> [f32; PAIR_FEATURES] {
    let _ = AXIS_FEATURES;
    let flag = |is: bool| f32::from(u8::from(is));
    let (a, b) = (x.comb, y.comb);
    let several = x.count > 1 && y.count > 1;
    let ratio = (a.cell.max(b.cell)) as f32 / a.cell.min(b.cell) as f32;
    let is_framed = [a, b].iter().all(|comb| comb.spacing > 0 || comb.offset > 0);
    let c = content.unwrap_or_default();
    [
        flag(a.cell == b.cell),
        flag(several && a.spacing != b.spacing),
        flag(a.offset != b.offset),
        flag(several && (a.spacing > 0) != (b.spacing > 0)),
        ratio.ln(),
        c.empty,
        c.holes,
        c.scatter[0],
        c.scatter[1],
        c.sizes[0],
        c.sizes[1],
        ((x.count * y.count) as f32).ln(),
        flag([1.5, 2.0].contains(&ratio)),
        flag(!several && a.cell == b.cell),
        if several { 0.0 } else { c.scatter[0] + c.scatter[1] },
        flag(x.count * y.count == 2),
        if is_framed { c.full } else { 0.0 },
        if several { (c.alike - 0.5).max(0.0) * 2.0 } else { 0.0 },
    ]
}

/// The grids.
pub fn guess_grids(evidence: &Evidence) -> Vec<Guess> {
    let all = candidates(evidence);
    let Some(best) = all.first().map(|best| best.score.max(score::no_grid())) else { return Vec::new() };
    let sum: f32 =
        all.iter().map(|one| (one.score - best).exp()).sum::<f32>() + (score::no_grid() - best).exp();
    all.into_iter()
        .take(MOST)
        .map(|one| Guess {
            run: one.run,
            columns: one.count.0 as u32,
            rows: one.count.1 as u32,
            confidence: (one.score - best).exp() / sum,
        })
        .collect()
}
