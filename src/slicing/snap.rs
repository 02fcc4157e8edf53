//! One snap engine for every tool: where an edge near another edge goes.
//!
//! The edges to snap to are gathered once per drag into a sorted list per axis, so that a query costs a binary search,
//! however many frames a sheet has. Only what is dragged snaps: an axis on which nothing moves stays as it is, so
//! switching snapping on, a click, or a drag straight down never shifts a frame sideways. What is dragged must
//! not be among the frames it snaps to.

use super::arrange::{Edges, Span, ends, spans};
use super::grid::cells;
use crate::geometry::{PixelRect, Size};
use crate::model::{Leftover, Order, Run};

/// What an edge snapped to. Earlier ones win where two are equally near: first what never moves, last what there is
/// a lot of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GuideKind {
    /// The image's edge.
    Image,
    /// The edge of a grid's cell.
    Grid,
    /// The edge of another frame.
    Frame,
    /// The edge of something drawn.
    Ink,
}

/// The axis on which a guide has its coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GuideAxis {
    /// A vertical line at some x.
    X,
    /// A horizontal line at some y.
    Y,
}

/// A line that says what a drag snapped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Guide {
    /// Whether the line is vertical or horizontal.
    pub axis: GuideAxis,
    /// Where it is, in image pixels; an edge lies between pixels.
    pub coordinate: i32,
    /// What is there.
    pub kind: GuideKind,
}

/// A drag after snapping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapped {
    /// Pixels to the right.
    pub dx: i32,
    /// Pixels down.
    pub dy: i32,
    /// The lines that edges came to lie on.
    pub guides: Vec<Guide>,
}

/// A point after snapping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SnappedPoint {
    /// Its x, in image pixels.
    pub x: i32,
    /// Its y, in image pixels.
    pub y: i32,
    /// The lines that it came to lie on.
    pub guides: Vec<Guide>,
}

/// All coordinates to snap to; each axis sorted, each coordinate there once with what counts most there.
#[derive(Debug, Clone)]
pub struct SnapTargets {
    image: Size,
    axes: [Vec<(i32, GuideKind)>; 2],
}

/// The edge that snaps best on an axis: how far it has to go, and where to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Nearest {
    distance: i64,
    kind: GuideKind,
    coordinate: i64,
    correction: i64,
}

/// An edge of what is dragged: where the drag put it, and between which coordinates it may snap so that the result
/// has a pixel and lies inside the image.
#[derive(Clone, Copy)]
struct Edge {
    at: i64,
    room: Span,
}

impl SnapTargets {
    /// The edges of an image; add what else is there.
    pub fn of_image(image: Size) -> Self {
        let axes = ends(image).map(|end| vec![(0, GuideKind::Image), (end as i32, GuideKind::Image)]);
        Self { image, axes }
    }

    /// Adds the edges of other frames. Frames without pixels have none.
    #[must_use]
    pub fn and_frames(mut self, rects: impl IntoIterator<Item = PixelRect>) -> Self {
        for rect in rects.into_iter().filter(|rect| !rect.is_empty()) {
            for (axis, span) in spans(rect).into_iter().enumerate() {
                self.push(axis, [span.start, span.end], GuideKind::Frame);
            }
        }
        self.sorted()
    }

    /// Adds the edges of a grid's cells, those of all its columns and rows.
    #[must_use]
    pub fn and_grid(mut self, run: &Run) -> Self {
        let whole = Run { start: 0, count: None, order: Order::Rows, ..run.clone() };
        // A column and a row have all edges; all cells of a fine grid would be too many.
        let across = Run { rows: whole.rows.map(|rows| rows.min(1)).or(Some(1)), ..whole.clone() };
        let down = Run { columns: whole.columns.map(|columns| columns.min(1)).or(Some(1)), ..whole };
        for (axis, line) in [across, down].into_iter().enumerate() {
            for cell in cells(&line, Leftover::Drop, self.image) {
                let Span { start, end } = spans(cell)[axis];
                self.push(axis, [start, end], GuideKind::Grid);
            }
        }
        self.sorted()
    }

    /// Adds edges of what is drawn: the x of vertical and the y of horizontal ones.
    #[must_use]
    pub fn and_ink(mut self, vertical: &[i32], horizontal: &[i32]) -> Self {
        for (axis, edges) in [vertical, horizontal].into_iter().enumerate() {
            self.push(axis, edges.iter().map(|edge| i64::from(*edge)), GuideKind::Ink);
        }
        self.sorted()
    }

    /// What lies outside the image is nothing to snap to.
    fn push(&mut self, axis: usize, coordinates: impl IntoIterator<Item = i64>, kind: GuideKind) {
        let end = ends(self.image)[axis];
        let inside = coordinates.into_iter().filter(|coordinate| (0..=end).contains(coordinate));
        self.axes[axis].extend(inside.map(|coordinate| (coordinate as i32, kind)));
    }

    fn sorted(mut self) -> Self {
        for axis in &mut self.axes {
            axis.sort_unstable();
            axis.dedup_by_key(|target| target.0);
        }
        self
    }

    /// Snaps a move of `rect`, or of the rectangle around a group, by its four edges. `reach` is in image pixels.
    /// Limit the move to the image first ([`super::arrange::limited_move`]); snapping does not lead out of it.
    pub fn snap_move(&self, rect: PixelRect, dx: i32, dy: i32, reach: f32) -> Snapped {
        let limits = ends(self.image);
        let mut edges = [[None; 2]; 2];
        for (axis, (span, by)) in spans(rect).into_iter().zip([dx, dy]).enumerate() {
            let by = i64::from(by);
            let room = Span::new(0, limits[axis] - span.length());
            let far_room = Span::new(span.length(), limits[axis]);
            edges[axis] =
                [Some(Edge { at: span.start + by, room }), Some(Edge { at: span.end + by, room: far_room })];
        }
        self.snap(edges, [dx, dy], reach)
    }

    /// Snaps a drag of some edges of `rect`. `reach` is in image pixels.
    pub fn snap_edges(&self, rect: PixelRect, edges: Edges, dx: i32, dy: i32, reach: f32) -> Snapped {
        let limits = ends(self.image);
        let dragged = [[edges.left, edges.right], [edges.top, edges.bottom]];
        let mut edges = [[None; 2]; 2];
        for (axis, (span, by)) in spans(rect).into_iter().zip([dx, dy]).enumerate() {
            let near = Edge { at: span.start + i64::from(by), room: Span::new(0, span.end - 1) };
            let far = Edge { at: span.end + i64::from(by), room: Span::new(span.start + 1, limits[axis]) };
            let [start, end] = dragged[axis];
            edges[axis] = [start.then_some(near), end.then_some(far)];
        }
        self.snap(edges, [dx, dy], reach)
    }

    /// Snaps a corner of a frame that is being drawn. `reach` is in image pixels.
    pub fn snap_point(&self, x: i32, y: i32, reach: f32) -> SnappedPoint {
        let mut guides = Vec::new();
        let [x, y] = [x, y].map(i64::from);
        let edges = [
            [Some(Edge { at: x, room: self.whole(0) }), None],
            [Some(Edge { at: y, room: self.whole(1) }), None],
        ];
        let [by_x, by_y] = [0, 1].map(|axis| self.snap_axis(axis, edges[axis], reach, &mut guides));
        SnappedPoint { x: (x + by_x) as i32, y: (y + by_y) as i32, guides }
    }

    fn whole(&self, axis: usize) -> Span {
        Span::new(0, ends(self.image)[axis])
    }

    fn snap(&self, edges: [[Option<Edge>; 2]; 2], by: [i32; 2], reach: f32) -> Snapped {
        let mut guides = Vec::new();
        let [dx, dy] = [0, 1].map(|axis| {
            if by[axis] == 0 {
                return 0;
            }
            let corrected = i64::from(by[axis]) + self.snap_axis(axis, edges[axis], reach, &mut guides);
            corrected.clamp(i32::MIN.into(), i32::MAX.into()) as i32
        });
        Snapped { dx, dy, guides }
    }

    /// How far the edges of an axis have to go so that the nearest of them snaps; adds the lines that they lie on then.
    fn snap_axis(&self, axis: usize, edges: [Option<Edge>; 2], reach: f32, guides: &mut Vec<Guide>) -> i64 {
        let edges = edges.into_iter().flatten();
        let nearest = edges.clone().filter_map(|edge| self.nearest(axis, edge)).min();
        let Some(found) = nearest.filter(|found| found.distance as f64 <= f64::from(reach)) else { return 0 };
        let guide_axis = if axis == 0 { GuideAxis::X } else { GuideAxis::Y };
        for edge in edges {
            let now = edge.at + found.correction;
            if let Ok(index) = self.axes[axis].binary_search_by_key(&now, |target| target.0.into()) {
                let (coordinate, kind) = self.axes[axis][index];
                guides.push(Guide { axis: guide_axis, coordinate, kind });
            }
        }
        found.correction
    }

    /// The target nearest to an edge within its room.
    fn nearest(&self, axis: usize, Edge { at, room }: Edge) -> Option<Nearest> {
        if room.length() < 0 {
            return None;
        }
        let targets = &self.axes[axis];
        let wanted = at.clamp(room.start, room.end);
        let above = targets.partition_point(|target| i64::from(target.0) < wanted);
        let candidates = [above.checked_sub(1), Some(above)].into_iter().flatten();
        candidates
            .filter_map(|index| targets.get(index))
            .map(|(coordinate, kind)| (i64::from(*coordinate), *kind))
            .filter(|(coordinate, _)| (room.start..=room.end).contains(coordinate))
            .map(|(coordinate, kind)| {
                let correction = coordinate - at;
                Nearest { distance: correction.abs(), kind, coordinate, correction }
            })
            .min()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arrange::{clipped_inside, limited_move, resized};
    use super::*;
    use crate::geometry::Offset;

    const IMAGE: Size = Size::new(64, 32);
    const BOTTOM_RIGHT: Edges = Edges { left: false, top: false, right: true, bottom: true };

    fn guide(axis: GuideAxis, coordinate: i32, kind: GuideKind) -> Guide {
        Guide { axis, coordinate, kind }
    }

    fn snapped(dx: i32, dy: i32, guides: &[Guide]) -> Snapped {
        Snapped { dx, dy, guides: guides.to_vec() }
    }

    #[test]
    fn switching_snapping_on_rewrites_no_frame() {
        let targets = SnapTargets::of_image(IMAGE).and_grid(&Run::of_cell(Size::new(8, 8)));
        let frame = PixelRect::new(3, 5, 10, 10);
        assert_eq!(targets.snap_move(frame, 0, 0, 6.0), Snapped::default());
        assert_eq!(targets.snap_edges(frame, BOTTOM_RIGHT, 0, 0, 6.0), Snapped::default());
        let only_down = targets.snap_move(frame, 0, 2, 1.0);
        assert_eq!(only_down, snapped(0, 3, &[guide(GuideAxis::Y, 8, GuideKind::Grid)]), "x did not move");
    }

    #[test]
    fn the_nearest_edge_within_reach_wins() {
        let targets = SnapTargets::of_image(IMAGE).and_frames([PixelRect::new(20, 8, 10, 10)]);
        let frame = PixelRect::new(0, 20, 8, 8);
        let at_20 = guide(GuideAxis::X, 20, GuideKind::Frame);
        assert_eq!(
            targets.snap_move(frame, 10, 0, 3.0),
            snapped(12, 0, &[at_20]),
            "right edge from 18 to 20"
        );
        assert_eq!(targets.snap_move(frame, 10, 0, 1.9), snapped(10, 0, &[]));
        assert_eq!(targets.snap_move(frame, 19, 0, 3.0), snapped(20, 0, &[at_20]), "left edge from 19 to 20");
        assert_eq!(targets.snap_move(frame, 10, 0, f32::NAN), snapped(10, 0, &[]));
    }

    #[test]
    fn equally_near_the_kind_decides_and_then_the_lower_coordinate() {
        let point = |targets: &SnapTargets| targets.snap_point(10, 5, 4.0).x;
        let image = SnapTargets::of_image(Size::new(64, 64));
        assert_eq!(point(&image.clone().and_ink(&[8, 12], &[])), 8);
        assert_eq!(point(&image.clone().and_ink(&[8], &[]).and_frames([PixelRect::new(12, 0, 20, 1)])), 12);
        let grid = Run { offset: Offset::new(8, 0), ..Run::of_cell(Size::new(40, 40)) };
        assert_eq!(point(&image.clone().and_frames([PixelRect::new(12, 0, 20, 1)]).and_grid(&grid)), 8);
        let both = image.and_frames([PixelRect::new(8, 0, 20, 1)]).and_grid(&grid).snap_point(9, 60, 2.0);
        assert_eq!(both.guides, [guide(GuideAxis::X, 8, GuideKind::Grid)], "one line, of the first kind");
    }

    #[test]
    fn both_edges_on_a_line_show_both_lines() {
        let run = Run::of_cell(Size::new(8, 8));
        let moved =
            SnapTargets::of_image(IMAGE).and_grid(&run).snap_move(PixelRect::new(0, 8, 16, 8), 9, 0, 2.0);
        let lines = [guide(GuideAxis::X, 8, GuideKind::Grid), guide(GuideAxis::X, 24, GuideKind::Grid)];
        assert_eq!(moved, snapped(8, 0, &lines));
    }

    #[test]
    fn a_dragged_edge_snaps_without_crossing_the_other() {
        let targets = SnapTargets::of_image(IMAGE).and_ink(&[12, 20], &[9]);
        let frame = PixelRect::new(10, 2, 16, 4);
        let right = |dx| targets.snap_edges(frame, BOTTOM_RIGHT, dx, 0, 5.0).dx;
        assert_eq!(right(-5), -6, "21 to 20");
        assert_eq!(right(-12), -14, "14 to 12");
        let far = SnapTargets::of_image(IMAGE).and_ink(&[10], &[]);
        assert_eq!(far.snap_edges(frame, BOTTOM_RIGHT, -14, 0, 5.0).dx, -14, "10 is the left edge itself");
        assert_eq!(targets.snap_edges(frame, BOTTOM_RIGHT, 0, 2, 5.0).dy, 3);
    }

    #[test]
    fn snapping_leads_nowhere_outside() {
        let targets = SnapTargets::of_image(IMAGE).and_ink(&[60], &[]);
        // The left edge at 58 would like 60, but only 64 - 10 = 54 leaves the right edge inside.
        assert_eq!(targets.snap_move(PixelRect::new(0, 0, 10, 8), 58, 0, 5.0).dx, 54);
        let outside = SnapTargets::of_image(IMAGE).and_frames([PixelRect::new(-4, 0, 2, 2)]);
        assert_eq!(
            outside.snap_point(-4, 40, 9.0),
            SnappedPoint {
                x: 0,
                y: 32,
                guides: vec![
                    guide(GuideAxis::X, 0, GuideKind::Image),
                    guide(GuideAxis::Y, 32, GuideKind::Image)
                ],
            }
        );
    }

    #[test]
    fn a_fine_grid_has_all_its_lines() {
        let image = Size::new(5000, 5000);
        let targets =
            SnapTargets::of_image(image).and_grid(&Run { count: Some(3), ..Run::of_cell(Size::new(2, 2)) });
        assert_eq!(targets.axes.each_ref().map(Vec::len), [2501, 2501]);
        assert!(targets.axes[1].contains(&(4998, GuideKind::Grid)));
    }

    fn any_rect() -> impl Strategy<Value = PixelRect> {
        (-9..70_i32, -9..40_i32, -2..40_i32, -2..40_i32).prop_map(|(x, y, w, h)| PixelRect::new(x, y, w, h))
    }

    proptest! {
        #[test]
        fn a_snapped_drag_keeps_within_reach_inside_and_on_its_lines(
            others in prop::collection::vec(any_rect(), 0..9), frame in any_rect(),
            dx in -70..70_i32, dy in -70..70_i32, reach in 0.0..12.0_f32,
        ) {
            let targets = SnapTargets::of_image(IMAGE).and_frames(others);
            let frame = clipped_inside(frame, IMAGE);
            let by = limited_move(&[frame], dx, dy, IMAGE);
            let moved = targets.snap_move(frame, by.x, by.y, reach);
            let place = PixelRect { x: frame.x + moved.dx, y: frame.y + moved.dy, ..frame };
            prop_assert!(place.is_inside(IMAGE));
            for (by, after) in [(by.x, moved.dx), (by.y, moved.dy)] {
                prop_assert!((after - by).abs() as f32 <= reach && (by != 0 || after == 0));
            }
            let sized = targets.snap_edges(frame, BOTTOM_RIGHT, dx, dy, reach);
            let size = resized(frame, BOTTOM_RIGHT, sized.dx, sized.dy, IMAGE);
            for (rect, guides) in [(place, moved.guides), (size, sized.guides)] {
                for Guide { axis, coordinate, .. } in guides {
                    let Span { start, end } = spans(rect)[usize::from(axis == GuideAxis::Y)];
                    prop_assert!([start, end].contains(&coordinate.into()));
                }
            }
            prop_assert_eq!(targets.snap_move(frame, 0, 0, reach), Snapped::default());
        }

        #[test]
        fn arbitrary_numbers_never_panic(
            (x, y, w, h) in any::<(i32, i32, i32, i32)>(), (dx, dy) in any::<(i32, i32)>(),
            (width, height) in any::<(u32, u32)>(), reach in any::<f32>(),
        ) {
            let rect = PixelRect::new(x, y, w, h);
            let targets = SnapTargets::of_image(Size::new(width, height)).and_frames([rect]);
            targets.snap_move(rect, dx, dy, reach);
            targets.snap_edges(rect, BOTTOM_RIGHT, dx, dy, reach);
            targets.snap_point(x, y, reach);
        }
    }
}
