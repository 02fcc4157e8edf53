//! Where a move catches: on edges and middles of other pictures and of the scene's own, else on whole pixels. Pure.

use crate::runtime::{Bounds, Point};

use super::place::PIXELS_PER_METER;

/// A line of the world that a move caught on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Guide {
    /// A vertical line at this x.
    X(f64),
    /// A horizontal line at this y.
    Y(f64),
}

/// What there is to catch on; each axis sorted.
#[derive(Debug, Default)]
pub(super) struct Targets {
    xs: Vec<f64>,
    ys: Vec<f64>,
}

impl Targets {
    /// The edges and middles of these bounds.
    pub(super) fn of(bounds: impl IntoIterator<Item = Bounds>) -> Self {
        let mut targets = Self::default();
        for Bounds { min, max } in bounds {
            targets.xs.extend([min.x, f64::midpoint(min.x, max.x), max.x]);
            targets.ys.extend([min.y, f64::midpoint(min.y, max.y), max.y]);
        }
        for axis in [&mut targets.xs, &mut targets.ys] {
            axis.sort_by(f64::total_cmp);
            axis.dedup();
        }
        targets
    }

    /// The way that a move of `bounds` by `way` becomes, catching within `reach` metres. An axis on which nothing moves
    /// stays as it is.
    pub(super) fn caught(&self, bounds: Bounds, way: Point, reach: f64) -> (Point, Vec<Guide>) {
        let mut guides = Vec::new();
        let mut along = |line: &[f64], from: f64, to: f64, way: f64, guide: fn(f64) -> Guide| {
            if way == 0.0 {
                return 0.0;
            }
            let edges = [from, f64::midpoint(from, to), to].map(|edge| edge + way);
            let nearest = edges.iter().filter_map(|edge| Some((nearest(line, *edge)?, *edge)));
            let nearest =
                nearest.min_by(|(a, edge), (b, other)| (a - edge).abs().total_cmp(&(b - other).abs()));
            match nearest {
                Some((target, edge)) if (target - edge).abs() <= reach => {
                    guides.push(guide(target));
                    way + target - edge
                }
                _ => on_pixel(from + way) - from,
            }
        };
        let x = along(&self.xs, bounds.min.x, bounds.max.x, way.x, Guide::X);
        let y = along(&self.ys, bounds.min.y, bounds.max.y, way.y, Guide::Y);
        (Point::new(x, y), guides)
    }
}

/// The nearest whole pixel, in metres.
fn on_pixel(metres: f64) -> f64 {
    (metres * PIXELS_PER_METER).round() / PIXELS_PER_METER
}

fn nearest(line: &[f64], at: f64) -> Option<f64> {
    let after = line.partition_point(|target| *target < at);
    let candidates = [after.checked_sub(1).and_then(|before| line.get(before)), line.get(after)];
    candidates.into_iter().flatten().copied().min_by(|a, b| (a - at).abs().total_cmp(&(b - at).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(left: f64, bottom: f64, right: f64, top: f64) -> Bounds {
        Bounds { min: Point::new(left, bottom), max: Point::new(right, top) }
    }

    #[test]
    fn an_edge_catches_on_the_nearest_edge_or_middle_and_says_where() {
        let targets = Targets::of([bounds(10.0, 0.0, 12.0, 2.0)]);
        let (way, guides) = targets.caught(bounds(0.0, 0.0, 1.0, 1.0), Point::new(8.875, 0.0), 0.25);
        assert_eq!((way, guides), (Point::new(9.0, 0.0), vec![Guide::X(10.0)]));
    }

    #[test]
    fn an_axis_on_which_nothing_moves_stays() {
        let targets = Targets::of([bounds(0.0, 0.05, 1.0, 1.05)]);
        let (way, guides) = targets.caught(bounds(5.0, 0.0, 6.0, 1.0), Point::new(3.0, 0.0), 0.2);
        assert_eq!((way.y, guides.len()), (0.0, 0));
    }

    #[test]
    fn far_from_everything_it_goes_by_whole_pixels() {
        let (way, guides) = Targets::default().caught(bounds(0.0, 0.0, 1.0, 1.0), Point::new(0.1, -0.3), 0.2);
        assert_eq!((way, guides), (Point::new(0.125, -0.3125), vec![]));
    }
}
