//! How much each observation counts.
//!
//! A grid's score is a weighted sum of terms: first those of each axis, then those of the pair. Weights are in natural
//! logarithms of odds: they were fitted (a conditional logit with "this is no grid" as one of the choices) to a few
//! thousand made-up sheets of all kinds, among them single images, photographs and irregular atlases. So the share
//! of a grid's exponentiated score among those of all grids and [`NO_GRID`] is the probability that it is right.

/// Number of terms of an axis.
pub(super) const AXIS_TERMS: usize = 29;

/// Number of terms of a pair of axes.
pub(super) const PAIR_TERMS: usize = 16;

/// The score of there being no grid.
pub(super) const NO_GRID: f32 = 10.66;

/// What filled cells can add to the score of a framed axis; about half of what they add to the pair.
pub(super) const HOPE: f32 = 2.5;

#[rustfmt::skip]
const AXIS_WEIGHTS: [f32; AXIS_TERMS] = [
    0.68,  // boundaries that little ink crosses, by rank
    1.89,  // boundaries with strong edges between ink and ink, by rank
    -1.64, // mean amount of ink that boundaries cut
    -3.28, // most ink that a boundary cuts
    0.16,  // likeness at the pitch
    0.34,  // how that stands out from the pitches next to it
    1.15,  // several cells, and
    0.50,  // the logarithm of how many
    -1.96, // spacing
    -2.83, // spacing with something in it
    0.43,  // spacing all clear, the more the less of the sheet is clear
    3.75,  // spacing all of one colour
    2.98,  // cells filled to their ends beside wide spacing
    -0.67, // spacing that only rounds the pitch up to a power of two
    -3.94, // offset
    2.54,  // offset equal to the spacing
    0.18,  // logarithm of another offset
    3.12,  // no leftover
    4.25,  // leftover equal to the offset
    1.06,  // leftover equal to the spacing alone
    0.82,  // any other leftover on an axis padded to a power of two
    -2.60, // ink outside of all cells
    -4.96, // how much of it
    -3.88, // share of empty columns of cells
    0.90,  // cell a multiple of 4
    -0.24, // of 2
    -0.04, // below 8
    -3.22, // below 6
    0.93,  // one of the commonest sizes
];

#[rustfmt::skip]
const PAIR_WEIGHTS: [f32; PAIR_TERMS] = [
    1.90,  // square cells
    -1.96, // spacings that differ
    -2.71, // offsets that differ
    -2.22, // spacing on one axis only
    -1.62, // logarithm of the ratio of the sides
    -2.89, // empty cells before one with ink in the same row
    -4.97, // scatter of the ink's place in the cell, across
    -5.70, // and down
    -0.40, // scatter of the ink's width
    -1.83, // and height
    1.12,  // sides in a ratio of 2 or 1.5
    1.28,  // square cells in a single row or column
    -0.90, // scatter there
    -2.49, // two cells only
    6.07,  // framed cells that are filled from side to side
    -4.62, // cells that all have the same smaller part filled
];

/// The weighted sum of the terms of an axis.
pub(super) fn of_axis(terms: &[f32; AXIS_TERMS]) -> f32 {
    weighted(terms, &AXIS_WEIGHTS)
}

/// The weighted sum of the terms of a pair.
pub(super) fn of_pair(terms: &[f32; PAIR_TERMS]) -> f32 {
    weighted(terms, &PAIR_WEIGHTS)
}

fn weighted(terms: &[f32], weights: &[f32]) -> f32 {
    terms.iter().zip(weights).map(|(term, weight)| term * weight).sum()
}
