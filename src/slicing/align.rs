//! Making the frames of a group alike: in line with each other, or of one size.

use super::arrange::{Span, ends, merged, rect_of, spans};
use crate::geometry::{PixelRect, Size};

/// What the frames of a group get in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Align {
    /// The left edge.
    Left,
    /// The middle between left and right.
    CentreX,
    /// The right edge.
    Right,
    /// The top edge.
    Top,
    /// The middle between top and bottom.
    CentreY,
    /// The bottom edge.
    Bottom,
}

/// The point of a frame that stays where it is while the frame grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Anchor {
    /// The top left corner.
    TopLeft,
    /// The middle of the top edge.
    TopCentre,
    /// The top right corner.
    TopRight,
    /// The middle of the left edge.
    CentreLeft,
    /// The middle.
    Centre,
    /// The middle of the right edge.
    CentreRight,
    /// The bottom left corner.
    BottomLeft,
    /// The middle of the bottom edge: a character keeps standing where it stood.
    #[default]
    BottomCentre,
    /// The bottom right corner.
    BottomRight,
}

impl Anchor {
    /// Halves of the growth that go to the left and to the top.
    const fn halves_before(self) -> [i64; 2] {
        match self {
            Self::TopLeft => [0, 0],
            Self::TopCentre => [1, 0],
            Self::TopRight => [2, 0],
            Self::CentreLeft => [0, 1],
            Self::Centre => [1, 1],
            Self::CentreRight => [2, 1],
            Self::BottomLeft => [0, 2],
            Self::BottomCentre => [1, 2],
            Self::BottomRight => [2, 2],
        }
    }
}

/// Moves each frame to an edge or the middle of the smallest rectangle around the group (half a pixel is rounded
/// to the left and to the top). A frame without pixels stays as it is.
pub fn aligned(rects: &[PixelRect], align: Align) -> Vec<PixelRect> {
    let Some(group) = merged(rects).map(spans) else { return rects.to_vec() };
    let (axis, halves) = match align {
        Align::Left => (0, 0),
        Align::CentreX => (0, 1),
        Align::Right => (0, 2),
        Align::Top => (1, 0),
        Align::CentreY => (1, 1),
        Align::Bottom => (1, 2),
    };
    let place = |rect: &PixelRect| {
        if rect.is_empty() {
            return *rect;
        }
        let mut spans = spans(*rect);
        let room = group[axis].length() - spans[axis].length();
        spans[axis] = spans[axis].moved(group[axis].start + room * halves / 2 - spans[axis].start);
        rect_of(spans)
    };
    rects.iter().map(place).collect()
}

/// Makes all frames as wide as the widest and as high as the highest. They grow away from the anchor (an odd pixel
/// goes to the right and to the bottom); where the image's edge is in the way the whole frame moves inside.
pub fn same_size(rects: &[PixelRect], anchor: Anchor, image: Size) -> Vec<PixelRect> {
    let limits = ends(image);
    let mut largest = [1, 1];
    for rect in rects {
        for (axis, span) in spans(*rect).into_iter().enumerate() {
            largest[axis] = span.length().clamp(largest[axis], limits[axis]);
        }
    }
    let halves = anchor.halves_before();
    let place = |rect: &PixelRect| {
        let mut spans = spans(*rect);
        for (axis, span) in spans.iter_mut().enumerate() {
            let growth = largest[axis] - span.length().max(0);
            let start = span.start - (growth * halves[axis]).div_euclid(2);
            *span = Span::new(start, start + largest[axis]).shifted_inside(limits[axis]);
        }
        rect_of(spans)
    };
    rects.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const IMAGE: Size = Size::new(64, 32);
    const ANCHORS: [Anchor; 9] = [
        Anchor::TopLeft,
        Anchor::TopCentre,
        Anchor::TopRight,
        Anchor::CentreLeft,
        Anchor::Centre,
        Anchor::CentreRight,
        Anchor::BottomLeft,
        Anchor::BottomCentre,
        Anchor::BottomRight,
    ];
    const ALIGNS: [Align; 6] =
        [Align::Left, Align::CentreX, Align::Right, Align::Top, Align::CentreY, Align::Bottom];

    fn rect((x, y, width, height): (i32, i32, i32, i32)) -> PixelRect {
        PixelRect::new(x, y, width, height)
    }

    #[test]
    fn frames_line_up_with_the_rectangle_around_them() {
        let group = [rect((4, 2, 8, 4)), rect((20, 10, 5, 9)), rect((0, 0, 0, 9))];
        // Around both: 4..25 and 2..19.
        let expected = [
            (Align::Left, [(4, 2), (4, 10)]),
            (Align::CentreX, [(10, 2), (12, 10)]),
            (Align::Right, [(17, 2), (20, 10)]),
            (Align::Top, [(4, 2), (20, 2)]),
            (Align::CentreY, [(4, 8), (20, 6)]),
            (Align::Bottom, [(4, 15), (20, 10)]),
        ];
        for (align, [first, second]) in expected {
            let after = aligned(&group, align);
            assert_eq!(after[0], rect((first.0, first.1, 8, 4)), "{align:?}");
            assert_eq!(after[1], rect((second.0, second.1, 5, 9)), "{align:?}");
            assert_eq!(after[2], group[2], "{align:?}");
        }
        assert_eq!(aligned(&group[2..], Align::Left), group[2..]);
    }

    #[test]
    fn one_size_grows_away_from_the_anchor() {
        let group = [rect((20, 10, 9, 8)), rect((40, 10, 4, 12))];
        let of = |anchor| same_size(&group, anchor, IMAGE);
        // The second is 5 too narrow: 2 of them go to the left.
        assert_eq!(of(Anchor::default()), [rect((20, 6, 9, 12)), rect((38, 10, 9, 12))]);
        assert_eq!(of(Anchor::TopLeft), [rect((20, 10, 9, 12)), rect((40, 10, 9, 12))]);
        assert_eq!(of(Anchor::CentreRight), [rect((20, 8, 9, 12)), rect((35, 10, 9, 12))]);
        assert_eq!(of(Anchor::BottomRight), [rect((20, 6, 9, 12)), rect((35, 10, 9, 12))]);
    }

    #[test]
    fn at_the_image_s_edge_a_frame_that_grows_moves_inside() {
        let group = [rect((0, 0, 4, 4)), rect((30, 8, 10, 10)), rect((62, 30, 2, 2))];
        let expected = [rect((0, 0, 10, 10)), rect((30, 8, 10, 10)), rect((54, 22, 10, 10))];
        assert_eq!(same_size(&group, Anchor::BottomCentre, IMAGE), expected);
    }

    proptest! {
        #[test]
        fn frames_of_one_size_are_inside_and_keep_their_pixels(
            rects in prop::collection::vec((0..64_i32, 0..32_i32, 1..64_i32, 1..32_i32), 1..6),
            anchor in prop::sample::select(&ANCHORS[..]),
        ) {
            let rects: Vec<_> = rects.into_iter().filter_map(|r| rect(r).clipped_to(IMAGE)).collect();
            let after = same_size(&rects, anchor, IMAGE);
            for (before, after) in rects.iter().zip(&after) {
                prop_assert!(after.is_inside(IMAGE));
                prop_assert_eq!(before.intersection(*after), Some(*before));
            }
            prop_assert_eq!(same_size(&after, anchor, IMAGE), after);
        }

        #[test]
        fn whatever_a_file_says_one_size_is_inside(
            rects in prop::collection::vec((any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>()), 1..4),
            anchor in prop::sample::select(&ANCHORS[..]), width in 1_u32.., height in 1_u32..,
        ) {
            let (rects, image): (Vec<_>, _) = (rects.into_iter().map(rect).collect(), Size::new(width, height));
            prop_assert!(same_size(&rects, anchor, image).iter().all(|rect| rect.is_inside(image)));
        }

        #[test]
        fn aligned_frames_stay_within_the_group_and_keep_their_size(
            rects in prop::collection::vec((-99..99_i32, -99..99_i32, 1..50_i32, 1..50_i32), 1..6),
            align in prop::sample::select(&ALIGNS[..]),
        ) {
            let rects: Vec<_> = rects.into_iter().map(rect).collect();
            let group = merged(&rects).unwrap();
            for (before, after) in rects.iter().zip(aligned(&rects, align)) {
                prop_assert_eq!(group.intersection(after), Some(after));
                prop_assert_eq!((after.width, after.height), (before.width, before.height));
            }
        }
    }
}
