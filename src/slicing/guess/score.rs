//! Weights.

/// .
pub(crate) const AXIS_FEATURES: usize = 34;
/// .
pub(crate) const PAIR_FEATURES: usize = 18;

/// .
pub(crate) const AXIS_WEIGHTS: [f32; AXIS_FEATURES] = [
    0.8, 0.1, 0.8, 0.1, 1.0, 0.5, -2.0, -0.5, -2.0, 0.7, 2.0, 0.5, -2.0, 1.5, -0.7, 2.0, 1.0, -2.0, -1.0,
    -5.0, 0.7, 0.5, 0.3, 0.5, -1.0, -0.1, -1.0, -1.0, 0.7, 0.0, 1.0, 2.0, -1.0, -1.0,
];
/// .
pub(crate) const PAIR_WEIGHTS: [f32; PAIR_FEATURES] =
    [2.0, -2.0, -1.0, -1.0, -0.5, -1.0, -2.0, -3.0, -3.0, -1.0, -1.0, -0.1, 0.3, 0.5, 0.0, 0.0, 4.0, -4.0];
/// .
pub(crate) const NO_GRID: f32 = 6.0;

pub(super) fn dot_axis(features: &[f32; AXIS_FEATURES]) -> f32 {
    features.iter().zip(weights().iter()).map(|(feature, weight)| feature * weight).sum()
}
pub(super) fn dot_pair(features: &[f32; PAIR_FEATURES]) -> f32 {
    features.iter().zip(weights()[AXIS_FEATURES..].iter()).map(|(feature, weight)| feature * weight).sum()
}
pub(super) fn no_grid() -> f32 {
    weights()[AXIS_FEATURES + PAIR_FEATURES]
}

/// .
pub static TRIAL: std::sync::OnceLock<Vec<f32>> = std::sync::OnceLock::new();
fn weights() -> &'static [f32] {
    TRIAL.get_or_init(|| AXIS_WEIGHTS.iter().chain(&PAIR_WEIGHTS).chain([&NO_GRID]).copied().collect())
}
