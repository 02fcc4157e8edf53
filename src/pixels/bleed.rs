//! Which stored pixels of a frame take colour from outside of it.
//!
//! The encoder makes each region smaller from its own pixels alone, so that with frames apart from each other there are
//! none. Frames that share pixels, and frames that have no pixel of their own at the stored size, have some: there the
//! engine draws what another frame, or the image around it, left.

use crate::geometry::{PixelRect, Size, ToStored};

/// The pixels, as runs of one row each in stored pixels, in the order of the rows. `rects_in_image` are the frames' as
/// the texture lists them, `regions` all that is made smaller by itself, in the encoder's order.
pub fn bleeding(
    image: Size,
    stored: Size,
    rects_in_image: &[PixelRect],
    regions: &[PixelRect],
) -> Vec<PixelRect> {
    if stored == image {
        // Every pixel is stored as it is, whoever draws it.
        return Vec::new();
    }
    let sizes = ToStored { image, stored };
    let whole = PixelRect::of_image(image);
    let mut owners = vec![whole; stored.area() as usize];
    for region in regions.iter().filter_map(|region| region.clipped_to(image)) {
        let target = sizes.rect(region);
        for row in target.y.max(0)..target.bottom() as i32 {
            let start = row as usize * stored.width as usize + target.x.max(0) as usize;
            if let Some(places) = owners.get_mut(start..start + target.width.max(0) as usize) {
                places.fill(region);
            }
        }
    }
    let mut runs = Vec::new();
    for rect in rects_in_image {
        let Some(drawn) = sizes.drawn(*rect).clipped_to(stored) else { continue };
        for y in drawn.y..drawn.bottom() as i32 {
            let mut run: Option<PixelRect> = None;
            for x in drawn.x..drawn.right() as i32 {
                let owner = owners.get(y as usize * stored.width as usize + x as usize);
                let is_own = owner.is_some_and(|owner| is_inside(sources(sizes, *owner, x, y), *rect));
                match &mut run {
                    _ if is_own => runs.extend(run.take()),
                    Some(run) => run.width += 1,
                    None => run = Some(PixelRect::new(x, y, 1, 1)),
                }
            }
            runs.extend(run);
        }
    }
    runs.sort_unstable_by_key(|run| (run.y, run.x, run.width));
    runs.dedup();
    runs
}

fn is_inside(part: PixelRect, rect: PixelRect) -> bool {
    part.x >= rect.x && part.y >= rect.y && part.right() <= rect.right() && part.bottom() <= rect.bottom()
}

/// The image pixels that a stored pixel of a region is made of.
fn sources(sizes: ToStored, region: PixelRect, x: i32, y: i32) -> PixelRect {
    let target = sizes.rect(region);
    let along = |at: i32, from: i32, targets: i32, source: i32, sources: i32| {
        let (at, targets, sources) = (i64::from(at - from), i64::from(targets.max(1)), i64::from(sources));
        let (first, last) = (at * sources / targets, ((at + 1) * sources + targets - 1) / targets);
        (i64::from(source) + first, last - first)
    };
    let (x, width) = along(x, target.x, target.width, region.x, region.width);
    let (y, height) = along(y, target.y, target.height, region.y, region.height);
    PixelRect::new(x as i32, y as i32, width as i32, height as i32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn frames_side_by_side_keep_to_themselves_at_any_size() {
        let image = Size::new(300, 200);
        let cells: Vec<PixelRect> =
            (0..6).map(|cell| PixelRect::new(cell % 3 * 100, cell / 3 * 100, 100, 100)).collect();
        for stored in [Size::new(128, 85), Size::new(7, 5), image] {
            assert_eq!(bleeding(image, stored, &cells, &cells), [], "{stored}");
        }
    }

    #[test]
    fn of_frames_that_overlap_the_later_one_has_the_pixels() {
        // 8 to 4: the first is 0 to 2, the second, from 2 to 6, is 1 to 3 and covers pixel 1, which is made of 2 and 3:
        // both frames have these.
        let image = Size::new(8, 1);
        let stored = Size::new(4, 1);
        let [first, second] = [PixelRect::new(0, 0, 4, 1), PixelRect::new(2, 0, 4, 1)];
        assert_eq!(bleeding(image, stored, &[first, second], &[first, second]), []);
        // One that begins at 3 is 2 to 4 and is made of 3 to 6, of which a pixel has two.
        let [first, second] = [PixelRect::new(0, 0, 5, 1), PixelRect::new(3, 0, 4, 1)];
        // Edges 0, 2.5 which is 3; 1.5 which is 2, 3.5 which is 4: the first is 0 to 3, the second covers 2 with 3 and 4.
        assert_eq!(bleeding(image, stored, &[first, second], &[first, second]), []);
        let second = PixelRect::new(4, 0, 4, 1);
        // It is 2 to 4, and covers pixel 2 of the first with 4 and 5, of which the first has no 5.
        let expected = [PixelRect::new(2, 0, 1, 1)];
        assert_eq!(bleeding(image, stored, &[first, second], &[first, second]), expected);
    }

    #[test]
    fn a_frame_without_a_pixel_of_its_own_draws_its_neighbours() {
        let image = Size::new(8, 1);
        let stored = Size::new(2, 1);
        // Edges 0 and 1 of 8 both come to 0 of 2.
        let [small, large] = [PixelRect::new(0, 0, 1, 1), PixelRect::new(1, 0, 7, 1)];
        assert_eq!(bleeding(image, stored, &[small, large], &[small, large]), [PixelRect::new(0, 0, 1, 1)]);
    }

    proptest! {
        #[test]
        fn frames_apart_with_pixels_of_their_own_never_bleed(
            columns in proptest::collection::vec(1..20_i32, 1..6),
            gaps in 0..3_i32,
            max in 1..60_u32,
        ) {
            let mut x = 0;
            let mut rects = Vec::new();
            for width in columns {
                rects.push(PixelRect::new(x, 0, width, 9));
                x += width + gaps;
            }
            let image = Size::new(x as u32, 9);
            let stored = crate::geometry::stored_size(image, Some(max));
            let sizes = ToStored { image, stored };
            prop_assume!(rects.iter().all(|rect| !sizes.rect(*rect).is_empty()));
            prop_assert_eq!(bleeding(image, stored, &rects, &rects), vec![]);
        }
    }
}
