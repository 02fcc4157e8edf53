//! Looking at some of many.

/// Steps that share no factor with the numbers of columns and rows of most grids.
const STEPS: [usize; 12] = [1, 7, 11, 13, 17, 29, 41, 67, 131, 257, 521, 1031];

/// The step with which about `most` of `all` are looked at. A step like 8 would look at the same place of a grid that is
/// 8 times coarser each time and take it for the finer one, so steps are primes.
pub(super) fn spread(all: usize, most: usize) -> usize {
    let wanted = all.div_ceil(most.max(1));
    STEPS.into_iter().find(|step| *step >= wanted).unwrap_or(wanted)
}
