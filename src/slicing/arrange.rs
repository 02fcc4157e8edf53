//! Moving, sizing and merging frames: pure functions over rectangles in image pixels.
//!
//! A function that is given the image returns rectangles inside it with at least a pixel each, also for what a file
//! placed outside (an image without pixels counts as one pixel). What is asked to change by nothing comes back as it
//! was, so a click that moves nothing repairs nothing. Whether frames overlap is nobody's business here.

use serde::{Deserialize, Serialize};

use crate::geometry::{Offset, PixelRect, Size};

pub use super::align::{Align, Anchor, aligned, same_size};

/// How far from the original a duplicate goes that has no room beside it, in pixels.
const DUPLICATE_OFFSET: i64 = 8;
/// After so many places that hold a frame already, a duplicate may cover one.
const MOST_DUPLICATES: i64 = 64;

/// Some edges of a rectangle: those a handle drags, or those that cut through a sprite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "one for each edge")]
pub struct Edges {
    /// The left one.
    pub left: bool,
    /// The top one.
    pub top: bool,
    /// The right one.
    pub right: bool,
    /// The bottom one.
    pub bottom: bool,
}

/// A rectangle along one axis: start and exclusive end. In 64 bits, because a file may say anything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: i64,
    pub(super) end: i64,
}

impl Span {
    pub(super) const fn new(start: i64, end: i64) -> Self {
        Self { start, end }
    }

    pub(super) const fn length(self) -> i64 {
        self.end - self.start
    }

    pub(super) fn moved(self, by: i64) -> Self {
        Self::new(self.start + by, self.end + by)
    }

    pub(super) fn shifted_inside(self, image: i64) -> Self {
        let length = self.length().clamp(1, image);
        let start = self.start.clamp(0, image - length);
        Self::new(start, start + length)
    }

    fn clipped_inside(self, image: i64) -> Self {
        let clipped = Self::new(self.start.max(0), self.end.min(image));
        if clipped.length() > 0 { clipped } else { self.shifted_inside(image) }
    }

    fn dragged(self, [start, end]: [bool; 2], by: i64, image: i64) -> Self {
        let Self { start: mut from, end: mut to } = self;
        if start {
            from = (from + by).clamp(0, to - 1);
        }
        if end {
            to = (to + by).clamp(from + 1, image);
        }
        Self::new(from, to)
    }
}

/// The rectangle along x and along y.
pub(super) fn spans(rect: PixelRect) -> [Span; 2] {
    [Span::new(rect.x.into(), rect.right()), Span::new(rect.y.into(), rect.bottom())]
}

/// The rectangle of two spans, as far as its numbers go.
pub(super) fn rect_of([x, y]: [Span; 2]) -> PixelRect {
    let narrow = |value: i64| value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    PixelRect::new(narrow(x.start), narrow(y.start), narrow(x.length()), narrow(y.length()))
}

/// Where an image ends along x and along y, for rectangles with 32-bit coordinates.
pub(super) fn ends(image: Size) -> [i64; 2] {
    [image.width, image.height].map(|end| i64::from(end).clamp(1, i32::MAX.into()))
}

/// The nearest place inside the image; a rectangle larger than the image becomes as large as the image.
pub fn shifted_inside(rect: PixelRect, image: Size) -> PixelRect {
    let ([x, y], [width, height]) = (spans(rect), ends(image));
    rect_of([x.shifted_inside(width), y.shifted_inside(height)])
}

/// The part inside the image; along an axis on which nothing is inside, the nearest place that is.
pub fn clipped_inside(rect: PixelRect, image: Size) -> PixelRect {
    let ([x, y], [width, height]) = (spans(rect), ends(image));
    rect_of([x.clipped_inside(width), y.clipped_inside(height)])
}

/// How far a group can really go when it is to go `dx` and `dy`: an axis stops where the first frame reaches the
/// image's edge. Frames outside are taken to be where [`shifted_inside`] puts them.
pub fn limited_move(rects: &[PixelRect], dx: i32, dy: i32, image: Size) -> Offset {
    let limits = ends(image);
    // From the largest step towards the start, a negative number, to the largest step towards the end.
    let mut room = limits.map(|end| Span::new(-end, end));
    for rect in rects {
        for (axis, span) in spans(shifted_inside(*rect, image)).into_iter().enumerate() {
            room[axis].start = room[axis].start.max(-span.start);
            room[axis].end = room[axis].end.min(limits[axis] - span.end);
        }
    }
    let limited = |by: i32, room: Span| i64::from(by).clamp(room.start, room.end) as i32;
    Offset::new(limited(dx, room[0]), limited(dy, room[1]))
}

/// Moves a group as far as [`limited_move`] lets it. The group stays rigid; only frames outside the image first
/// come inside, each by itself.
pub fn moved(rects: &[PixelRect], dx: i32, dy: i32, image: Size) -> Vec<PixelRect> {
    if (dx, dy) == (0, 0) {
        return rects.to_vec();
    }
    let by = limited_move(rects, dx, dy, image);
    let place = |rect: &PixelRect| {
        let [x, y] = spans(shifted_inside(*rect, image));
        rect_of([x.moved(by.x.into()), y.moved(by.y.into())])
    };
    rects.iter().map(place).collect()
}

/// Drags edges: none leaves the image, and each stops a pixel before the opposite one. The rectangle is first
/// clipped to the image. Where both edges of an axis are dragged, the left or top one goes first.
pub fn resized(rect: PixelRect, edges: Edges, dx: i32, dy: i32, image: Size) -> PixelRect {
    let on_x = [edges.left, edges.right];
    let on_y = [edges.top, edges.bottom];
    let is_dragged = |edges: [bool; 2], by: i32| by != 0 && edges != [false; 2];
    if !is_dragged(on_x, dx) && !is_dragged(on_y, dy) {
        return rect;
    }
    let ([x, y], [width, height]) = (spans(clipped_inside(rect, image)), ends(image));
    rect_of([x.dragged(on_x, dx.into(), width), y.dragged(on_y, dy.into(), height)])
}

/// Drags the same edges of all frames by the same amount. Each is limited by itself: a small frame, or one at the
/// image's edge, must not stop the others, and a drag that comes back finds all as they were, because it is
/// reckoned from the rectangles that it began with.
pub fn resized_group(rects: &[PixelRect], edges: Edges, dx: i32, dy: i32, image: Size) -> Vec<PixelRect> {
    rects.iter().map(|rect| resized(*rect, edges, dx, dy, image)).collect()
}

/// Adds a margin on all four sides, as far as the image goes; a negative margin takes away as much on both sides as
/// leaves a pixel, so the middle stays the middle.
pub fn grown(rect: PixelRect, margin: i32, image: Size) -> PixelRect {
    if margin == 0 {
        return rect;
    }
    let grow = |span: Span| {
        let by = i64::from(margin).max(-((span.length() - 1) / 2));
        Span::new(span.start - by, span.end + by)
    };
    let inside = clipped_inside(rect, image);
    clipped_inside(rect_of(spans(inside).map(grow)), image)
}

/// The smallest rectangle around all that have pixels; `None` when none has.
pub fn merged(rects: &[PixelRect]) -> Option<PixelRect> {
    rects.iter().copied().filter(|rect| !rect.is_empty()).reduce(PixelRect::union)
}

/// Where a duplicate goes: right of the original, else below it, where that is inside the image and free of `others`.
/// Where neither is, 8 pixels right and down, moved inside the image, and on by as much past places that a frame has
/// already; at the image's end the same to the left and up. For a group give the rectangle around it.
pub fn duplicate_place(rect: PixelRect, others: &[PixelRect], image: Size) -> PixelRect {
    let rect = shifted_inside(rect, image);
    let offset_by = |dx: i64, dy: i64| {
        let [x, y] = spans(rect);
        rect_of([x.moved(dx), y.moved(dy)])
    };
    let is_free = |place: &PixelRect| {
        place.is_inside(image) && others.iter().all(|other| other.intersection(*place).is_none())
    };
    let beside = [(rect.width.into(), 0), (0, rect.height.into())].map(|(dx, dy)| offset_by(dx, dy));
    if let Some(place) = beside.into_iter().find(is_free) {
        return place;
    }
    let cascade = (1..=MOST_DUPLICATES).map(|step| step * DUPLICATE_OFFSET);
    cascade
        .clone()
        .chain(cascade.map(|by| -by))
        .map(|by| shifted_inside(offset_by(by, by), image))
        .find(|place| *place != rect && !others.contains(place))
        .unwrap_or_else(|| shifted_inside(offset_by(DUPLICATE_OFFSET, DUPLICATE_OFFSET), image))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const IMAGE: Size = Size::new(64, 32);
    const RIGHT: Edges = Edges { left: false, top: false, right: true, bottom: false };
    const TOP_LEFT: Edges = Edges { left: true, top: true, right: false, bottom: false };

    fn rect((x, y, width, height): (i32, i32, i32, i32)) -> PixelRect {
        PixelRect::new(x, y, width, height)
    }

    #[test]
    fn a_group_stops_together_where_its_first_frame_reaches_the_edge() {
        let group = [rect((4, 4, 8, 8)), rect((40, 10, 16, 16))];
        assert_eq!(moved(&group, 5, -2, IMAGE), [rect((9, 2, 8, 8)), rect((45, 8, 16, 16))]);
        assert_eq!(moved(&group, 100, -100, IMAGE), [rect((12, 0, 8, 8)), rect((48, 6, 16, 16))]);
        assert_eq!(limited_move(&group, i32::MIN, i32::MAX, IMAGE), Offset::new(-4, 6));
    }

    #[test]
    fn a_frame_outside_stays_until_it_is_really_moved_and_then_comes_inside() {
        let outside = [rect((-4, -4, 12, 12))];
        assert_eq!(moved(&outside, 0, 0, IMAGE), outside);
        assert_eq!(moved(&outside, 1, 0, IMAGE), [rect((1, 0, 12, 12))]);
        assert_eq!(resized(outside[0], RIGHT, 0, 9, IMAGE), outside[0], "no bottom edge is dragged");
        assert_eq!(resized(outside[0], RIGHT, 1, 0, IMAGE), rect((0, 0, 9, 8)));
        assert_eq!(grown(outside[0], 0, IMAGE), outside[0]);
        assert_eq!(clipped_inside(rect((90, -3, 5, 9)), IMAGE), rect((59, 0, 5, 6)));
        assert_eq!(shifted_inside(rect((90, -3, 99, 0)), IMAGE), rect((0, 0, 64, 1)));
    }

    #[test]
    fn edges_never_cross_and_never_leave() {
        let frame = rect((10, 10, 8, 8));
        assert_eq!(resized(frame, TOP_LEFT, 3, -4, IMAGE), rect((13, 6, 5, 12)));
        assert_eq!(resized(frame, TOP_LEFT, 99, 99, IMAGE), rect((17, 17, 1, 1)));
        assert_eq!(resized(frame, TOP_LEFT, -99, -99, IMAGE), rect((0, 0, 18, 18)));
        assert_eq!(resized(frame, RIGHT, i32::MIN, 0, IMAGE), rect((10, 10, 1, 8)));
        assert_eq!(resized(frame, RIGHT, i32::MAX, 0, IMAGE), rect((10, 10, 54, 8)));
    }

    #[test]
    fn in_a_group_each_frame_is_limited_by_itself() {
        let group = [rect((0, 0, 8, 8)), rect((56, 0, 8, 8)), rect((8, 0, 2, 8))];
        let wider = [rect((0, 0, 12, 8)), rect((56, 0, 8, 8)), rect((8, 0, 6, 8))];
        assert_eq!(resized_group(&group, RIGHT, 4, 0, IMAGE), wider);
        let narrower = [rect((0, 0, 4, 8)), rect((56, 0, 4, 8)), rect((8, 0, 1, 8))];
        assert_eq!(resized_group(&group, RIGHT, -4, 0, IMAGE), narrower);
    }

    #[test]
    fn growing_stops_at_the_image_and_shrinking_keeps_the_middle() {
        assert_eq!(grown(rect((2, 10, 8, 8)), 3, IMAGE), rect((0, 7, 13, 14)));
        assert_eq!(grown(rect((2, 10, 7, 8)), -2, IMAGE), rect((4, 12, 3, 4)));
        assert_eq!(grown(rect((2, 10, 7, 8)), i32::MIN, IMAGE), rect((5, 13, 1, 2)));
    }

    #[test]
    fn merging_goes_around_all_that_have_pixels() {
        let parts = [rect((4, 4, 8, 8)), rect((0, 0, 0, 9)), rect((20, 2, 4, 4))];
        assert_eq!(merged(&parts), Some(rect((4, 2, 20, 10))));
        assert_eq!(merged(&parts[1..2]), None);
    }

    #[test]
    fn a_duplicate_goes_right_else_below_else_a_step_aside() {
        let original = rect((0, 0, 16, 16));
        assert_eq!(duplicate_place(original, &[original], IMAGE), rect((16, 0, 16, 16)));
        let taken = [original, rect((20, 4, 8, 8))];
        assert_eq!(duplicate_place(original, &taken, IMAGE), rect((0, 16, 16, 16)));
        let taken = [original, rect((20, 4, 8, 8)), rect((0, 20, 4, 4)), rect((8, 8, 16, 16))];
        assert_eq!(duplicate_place(original, &taken, IMAGE), rect((16, 16, 16, 16)));
        assert_eq!(duplicate_place(rect((48, 16, 16, 16)), &[], IMAGE), rect((40, 8, 16, 16)));
        assert_eq!(
            duplicate_place(rect((0, 0, 64, 32)), &[], IMAGE),
            rect((0, 0, 64, 32)),
            "there is no other"
        );
    }

    fn any_rect() -> impl Strategy<Value = PixelRect> {
        let near = (-20..80_i32, -20..80_i32, -5..80_i32, -5..80_i32);
        let any = (any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>());
        prop_oneof![near.prop_map(rect), any.prop_map(rect)]
    }

    fn any_image() -> impl Strategy<Value = Size> {
        prop_oneof![(1..80_u32, 1..80_u32), (1..=u32::MAX, 1..=u32::MAX)]
            .prop_map(|(width, height)| Size::new(width, height))
    }

    fn any_step() -> impl Strategy<Value = i32> {
        prop_oneof![-9..9_i32, any::<i32>()]
    }

    proptest! {
        #[test]
        fn results_are_inside_with_a_pixel_at_least(
            rects in prop::collection::vec(any_rect(), 1..6), image in any_image(),
            dx in any_step(), dy in any_step(), edges in any::<[bool; 4]>(),
        ) {
            let [left, top, right, bottom] = edges;
            let edges = Edges { left, top, right, bottom };
            let inside: Vec<_> = rects.iter().map(|rect| clipped_inside(*rect, image)).collect();
            let mut all = [inside.clone(), resized_group(&inside, edges, dx, dy, image)].concat();
            all.extend(rects.iter().map(|rect| shifted_inside(*rect, image)));
            all.extend(rects.iter().map(|rect| grown(*rect, if dx == 0 { 1 } else { dx }, image)));
            all.extend(rects.iter().map(|rect| duplicate_place(*rect, &rects, image)));
            all.extend(merged(&inside));
            all.extend(moved(&rects, dx, if dy == 0 { 1 } else { dy }, image));
            prop_assert!(all.iter().all(|rect| rect.is_inside(image)));
            prop_assert_eq!(moved(&rects, 0, 0, image), rects);
        }

        #[test]
        fn a_moving_group_is_rigid_and_comes_back_when_nothing_stopped_it(
            rects in prop::collection::vec(any_rect(), 1..6), image in any_image(), dx in any_step(), dy in any_step(),
        ) {
            let before: Vec<_> = rects.iter().map(|rect| clipped_inside(*rect, image)).collect();
            let after = moved(&before, dx, dy, image);
            let by = limited_move(&before, dx, dy, image);
            for (before, after) in before.iter().zip(&after) {
                let expected = PixelRect { x: before.x + by.x, y: before.y + by.y, ..*before };
                prop_assert_eq!(*after, expected);
            }
            prop_assert_eq!(moved(&after, -by.x, -by.y, image), before);
        }
    }
}
