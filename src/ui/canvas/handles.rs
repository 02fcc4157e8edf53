//! The handles of selected frames: where they are on the screen, and which one the pointer is at.

use eframe::egui::{CursorIcon, Pos2, Rect, pos2};

use crate::slicing::arrange::Edges;

/// How near to an edge the pointer has it, in points.
const EDGE_REACH: f32 = 6.0;
/// How near to a corner.
const CORNER_REACH: f32 = 10.0;
/// Frames with a shorter side, in points, have no handles: there must be room to grab the frame itself.
const LEAST_SIDE: f32 = 24.0;
/// Side of a handle, in points.
pub(super) const HANDLE_SIDE: f32 = 7.0;

/// The edges that a press at `pos` would drag; `None` where it would not.
pub(super) fn edges_at(rect: Rect, pos: Pos2) -> Option<Edges> {
    if rect.width().min(rect.height()) < LEAST_SIDE || !rect.expand(CORNER_REACH).contains(pos) {
        return None;
    }
    let near = |a: f32, b: f32, reach: f32| (a - b).abs() <= reach;
    let at = |reach: f32| Edges {
        left: near(pos.x, rect.left(), reach),
        right: near(pos.x, rect.right(), reach),
        top: near(pos.y, rect.top(), reach),
        bottom: near(pos.y, rect.bottom(), reach),
    };
    let corner = at(CORNER_REACH);
    if (corner.left || corner.right) && (corner.top || corner.bottom) {
        return Some(corner);
    }
    let edges = at(EDGE_REACH);
    let is_beside = rect.x_range().contains(pos.x) || rect.y_range().contains(pos.y);
    (is_beside && edges != Edges::default()).then_some(edges)
}

/// The middles of the handles; none on a frame that is too small for them.
pub(super) fn places(rect: Rect) -> impl Iterator<Item = Pos2> {
    let shows = rect.width().min(rect.height()) >= LEAST_SIDE;
    let (middle_x, middle_y) = (rect.center().x, rect.center().y);
    let places = [
        rect.left_top(),
        pos2(middle_x, rect.top()),
        rect.right_top(),
        pos2(rect.right(), middle_y),
        rect.right_bottom(),
        pos2(middle_x, rect.bottom()),
        rect.left_bottom(),
        pos2(rect.left(), middle_y),
    ];
    places.into_iter().filter(move |_| shows)
}

/// The pointer that tells which way the edges go.
pub(super) const fn cursor(edges: Edges) -> CursorIcon {
    let Edges { left, top, right, bottom } = edges;
    match (left || right, top || bottom) {
        (true, false) => CursorIcon::ResizeHorizontal,
        (false, _) => CursorIcon::ResizeVertical,
        (true, true) if (left && top) || (right && bottom) => CursorIcon::ResizeNwSe,
        (true, true) => CursorIcon::ResizeNeSw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Rect = Rect { min: pos2(100.0, 100.0), max: pos2(200.0, 160.0) };

    #[test]
    fn corners_come_before_edges_and_the_middle_is_the_frames_own() {
        let at = |x, y| edges_at(FRAME, pos2(x, y));
        let edges = |left, top, right, bottom| Some(Edges { left, top, right, bottom });
        assert_eq!(at(93.0, 95.0), edges(true, true, false, false));
        assert_eq!(at(203.0, 165.0), edges(false, false, true, true));
        assert_eq!(at(150.0, 155.0), edges(false, false, false, true));
        assert_eq!(at(95.0, 130.0), edges(true, false, false, false));
        assert_eq!(at(150.0, 130.0), None);
        assert_eq!(at(150.0, 172.0), None, "beyond reach");
    }

    #[test]
    fn small_frames_have_no_handles() {
        let small = Rect::from_min_max(pos2(0.0, 0.0), pos2(20.0, 60.0));
        assert_eq!(edges_at(small, pos2(0.0, 0.0)), None);
        assert_eq!(places(small).count(), 0);
        assert_eq!(places(FRAME).count(), 8);
    }
}
