//! Cutting the empty pixels off around a sprite.

use super::arrange::{Span, clipped_inside, rect_of, spans};
use super::ink::{InkPlanes, InkRule};
use crate::geometry::PixelRect;

/// What trimming keeps unless told otherwise: every pixel that is not wholly transparent, so that soft edges stay;
/// on an opaque sheet what differs from the background by more than the usual noise.
pub const TRIM_RULE: InkRule = InkRule { alpha_threshold: 0, tolerance: 8 };

/// The smallest rectangle with all ink of `rect`, as far as that is inside the image; `None` when it has no ink.
pub fn trimmed(rect: PixelRect, planes: &InkPlanes, rule: InkRule) -> Option<PixelRect> {
    planes.ink_bounds(rect, rule)
}

/// Trims a group alike, so that an animation does not begin to jitter: each side of every frame loses what it can
/// lose in all frames, whatever their sizes. Frames without ink have no say; where they are too small for
/// what the others lose, they keep a pixel. `None` when no frame has ink.
pub fn trimmed_alike(rects: &[PixelRect], planes: &InkPlanes, rule: InkRule) -> Option<Vec<PixelRect>> {
    let image = planes.size();
    let inside: Vec<_> = rects.iter().map(|rect| clipped_inside(*rect, image)).collect();
    // Per axis: what comes off at the start and at the end.
    let insets = inside
        .iter()
        .filter_map(|rect| {
            let (outer, ink) = (spans(*rect), spans(trimmed(*rect, planes, rule)?));
            Some([0, 1].map(|axis| [ink[axis].start - outer[axis].start, outer[axis].end - ink[axis].end]))
        })
        .reduce(|a, b| [0, 1].map(|axis| [0, 1].map(|side| a[axis][side].min(b[axis][side]))))?;
    let cut = |rect: &PixelRect| {
        let mut spans = spans(*rect);
        for (span, [before, after]) in spans.iter_mut().zip(insets) {
            let start = span.start + before.min(span.length() - 1);
            *span = Span::new(start, (span.end - after).max(start + 1));
        }
        rect_of(spans)
    };
    Some(inside.iter().map(cut).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ink::InkBuilder;
    use super::*;
    use crate::geometry::Size;

    /// A transparent image with single pixels of some alpha.
    fn planes(size: Size, dots: &[(u32, u32, u8)]) -> InkPlanes {
        let mut rgba = vec![[0; 4]; size.area() as usize];
        for (x, y, alpha) in dots {
            rgba[(y * size.width + x) as usize] = [255, 0, 0, *alpha];
        }
        let mut builder = InkBuilder::new(size, &[]);
        builder.push_rows(rgba.as_flattened());
        builder.finish()
    }

    const IMAGE: Size = Size::new(16, 8);

    #[test]
    fn trimming_keeps_soft_edges_unless_the_threshold_says_otherwise() {
        let planes = planes(IMAGE, &[(3, 2, 255), (5, 4, 255), (6, 5, 1)]);
        let rect = PixelRect::new(0, 0, 8, 8);
        assert_eq!(trimmed(rect, &planes, TRIM_RULE), Some(PixelRect::new(3, 2, 4, 4)));
        assert_eq!(trimmed(rect, &planes, InkRule::default()), Some(PixelRect::new(3, 2, 3, 3)));
        assert_eq!(trimmed(PixelRect::new(8, 0, 8, 8), &planes, TRIM_RULE), None);
        assert_eq!(trimmed(PixelRect::new(-9, -9, 2, 2), &planes, TRIM_RULE), None);
    }

    #[test]
    fn a_background_colour_is_trimmed_away_as_well() {
        let mut builder = InkBuilder::new(Size::new(3, 1), &[[255, 0, 255]]);
        builder.push_rows(&[255, 0, 255, 255, 0, 0, 0, 255, 250, 0, 255, 255]);
        let whole = PixelRect::new(0, 0, 3, 1);
        assert_eq!(trimmed(whole, &builder.finish(), TRIM_RULE), Some(PixelRect::new(1, 0, 1, 1)));
    }

    #[test]
    fn a_group_loses_only_what_all_can_lose() {
        // Left frame: ink at x 2..=5, y 3..=6. Right frame: at x 1..=4 of its own, y 5..=7.
        let planes = planes(IMAGE, &[(2, 3, 255), (5, 6, 255), (9, 5, 255), (12, 7, 255)]);
        let cells = [PixelRect::new(0, 0, 8, 8), PixelRect::new(8, 0, 8, 8)];
        let expected = [PixelRect::new(1, 3, 5, 5), PixelRect::new(9, 3, 5, 5)];
        assert_eq!(trimmed_alike(&cells, &planes, TRIM_RULE), Some(expected.to_vec()));
    }

    #[test]
    fn frames_without_ink_have_no_say_but_are_cut_alike() {
        let planes = planes(IMAGE, &[(3, 3, 255)]);
        let cells = [PixelRect::new(0, 0, 8, 8), PixelRect::new(8, 0, 8, 8), PixelRect::new(8, 0, 2, 5)];
        let expected = [PixelRect::new(3, 3, 1, 1), PixelRect::new(11, 3, 1, 1), PixelRect::new(9, 3, 1, 1)];
        assert_eq!(trimmed_alike(&cells, &planes, TRIM_RULE), Some(expected.to_vec()));
        assert_eq!(trimmed_alike(&cells[1..], &planes, TRIM_RULE), None);
        assert_eq!(trimmed_alike(&[], &planes, TRIM_RULE), None);
    }

    proptest! {
        #[test]
        fn what_is_trimmed_is_inside_and_keeps_all_ink(
            dots in prop::collection::vec((0..16_u32, 0..8_u32, any::<u8>()), 0..9),
            rects in prop::collection::vec((-9..20_i32, -9..20_i32, -2..20_i32, -2..20_i32), 1..5),
        ) {
            let planes = planes(IMAGE, &dots);
            let rects: Vec<_> = rects.into_iter().map(|(x, y, w, h)| PixelRect::new(x, y, w, h)).collect();
            for (rect, cut) in rects.iter().zip(trimmed_alike(&rects, &planes, TRIM_RULE).unwrap_or_default()) {
                prop_assert!(cut.is_inside(IMAGE));
                if let Some(own) = trimmed(*rect, &planes, TRIM_RULE) {
                    prop_assert!(own.is_inside(IMAGE));
                    prop_assert_eq!(own.intersection(cut), Some(own));
                }
            }
        }
    }
}
