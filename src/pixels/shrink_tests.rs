//! The smaller picture against the rule pixel by pixel.

use proptest::prelude::*;

use super::shrink::*;
use crate::geometry::{PixelRect, Size};

/// An image with these pixels.
#[derive(Debug, Clone)]
struct Image {
    size: Size,
    pixels: Vec<[u8; 4]>,
}

impl Image {
    fn shrunk(&self, stored: Size, rects: &[PixelRect], filter: Filter) -> Vec<[u8; 4]> {
        let mut shrinker = Shrinker::new(self.size, stored, rects, filter);
        shrinker.push_rows(self.pixels.as_flattened());
        shrinker.finish().as_chunks().0.to_vec()
    }

    fn at(&self, x: i64, y: i64) -> [i128; 4] {
        self.pixels[(y * i64::from(self.size.width) + x) as usize].map(i128::from)
    }
}

/// How much of the source pixel `at` lies in the target pixel `on` of `targets` that `sources` pixels become, in parts
/// of which a source pixel has `targets`.
fn overlap(at: i64, on: i64, sources: i64, targets: i64) -> i128 {
    let (from, to) = (on * sources, (on + 1) * sources);
    ((to.min((at + 1) * targets) - from.max(at * targets)).max(0)).into()
}

/// The rule pixel by pixel in whole numbers: the area average of `rect` at a place of its target.
fn average(image: &Image, rect: PixelRect, target: (i64, i64), on: (i64, i64)) -> [u8; 4] {
    let (width, height) = (i64::from(rect.width), i64::from(rect.height));
    let (mut weights, mut alpha, mut seen, mut plain) = (0, 0, [0; 3], [0; 3]);
    for y in 0..height {
        for x in 0..width {
            let weight = overlap(x, on.0, width, target.0) * overlap(y, on.1, height, target.1);
            let pixel = image.at(i64::from(rect.x) + x, i64::from(rect.y) + y);
            weights += weight;
            alpha += weight * pixel[3];
            for channel in 0..3 {
                seen[channel] += weight * pixel[3] * pixel[channel];
                plain[channel] += weight * pixel[channel];
            }
        }
    }
    let round = |sum: i128, of: i128| u8::try_from((2 * sum + of).div_euclid(2 * of)).unwrap();
    let [red, green, blue] =
        if alpha > 0 { seen.map(|sum| round(sum, alpha)) } else { plain.map(|sum| round(sum, weights)) };
    [red, green, blue, round(alpha, weights)]
}

fn edge(at: i64, image: u32, stored: u32) -> i64 {
    // Half up, of numbers that are not negative.
    (2 * at * i64::from(stored) + i64::from(image)) / (2 * i64::from(image))
}

/// The whole picture by that rule: the whole, then each region over it.
fn expected(image: &Image, stored: Size, rects: &[PixelRect]) -> Vec<[u8; 4]> {
    let mut picture = vec![[0; 4]; stored.area() as usize];
    for rect in [PixelRect::of_image(image.size)].iter().chain(rects) {
        let left = edge(rect.x.into(), image.size.width, stored.width);
        let top = edge(rect.y.into(), image.size.height, stored.height);
        let width = edge(rect.right(), image.size.width, stored.width) - left;
        let height = edge(rect.bottom(), image.size.height, stored.height) - top;
        for y in 0..height {
            for x in 0..width {
                let place = (top + y) * i64::from(stored.width) + left + x;
                picture[place as usize] = average(image, *rect, (width, height), (x, y));
            }
        }
    }
    picture
}

/// Values that show rounding and what alpha does to it.
fn channel() -> impl Strategy<Value = u8> {
    prop_oneof![Just(0), Just(255), Just(128), any::<u8>()]
}

fn images() -> impl Strategy<Value = Image> {
    (1_u32..14, 1_u32..14).prop_flat_map(|(width, height)| {
        let pixel = [channel(), channel(), channel(), channel()];
        let pixels = proptest::collection::vec(pixel, (width * height) as usize);
        pixels.prop_map(move |pixels| Image { size: Size::new(width, height), pixels })
    })
}

/// An image, a smaller size, and rectangles inside the image.
fn orders() -> impl Strategy<Value = (Image, Size, Vec<PixelRect>)> {
    images().prop_flat_map(|image| {
        let Size { width, height } = image.size;
        let stored = (1..=width, 1..=height).prop_map(|(width, height)| Size::new(width, height));
        let rect = (0..width, 0..height).prop_flat_map(move |(x, y)| {
            let (x, y) = (x as i32, y as i32);
            (1..=width as i32 - x, 1..=height as i32 - y)
                .prop_map(move |(width, height)| PixelRect::new(x, y, width, height))
        });
        (Just(image), stored, proptest::collection::vec(rect, 0..5))
    })
}

proptest! {
    #[test]
    fn every_pixel_is_the_exact_average_and_later_regions_lie_over_earlier_ones(
        (image, stored, rects) in orders()
    ) {
        prop_assert_eq!(image.shrunk(stored, &rects, Filter::Area), expected(&image, stored, &rects));
    }

    #[test]
    fn nearest_brings_no_new_colour_and_takes_the_pixel_under_the_middle((image, stored, _) in orders()) {
        let picture = image.shrunk(stored, &[], Filter::Nearest);
        for (place, pixel) in picture.iter().enumerate() {
            let (x, y) = (place as u32 % stored.width, place as u32 / stored.width);
            let under = |at: u32, image: u32, stored: u32| (2 * at + 1) * image / (2 * stored);
            let from = (under(x, image.size.width, stored.width), under(y, image.size.height, stored.height));
            prop_assert_eq!(*pixel, image.pixels[(from.1 * image.size.width + from.0) as usize]);
        }
    }

    #[test]
    fn a_frame_has_nothing_of_what_is_outside_of_it((image, stored, rects) in orders()) {
        // Of several the last lies over the others.
        let Some(rect) = rects.last().copied() else { return Ok(()) };
        let mut other = image.clone();
        for (place, pixel) in other.pixels.iter_mut().enumerate() {
            let (x, y) = (place as u32 % image.size.width, place as u32 / image.size.width);
            if !rect.contains(x.into(), y.into()) {
                *pixel = [255 - pixel[0], pixel[1] ^ 0x55, 7, 255 - pixel[3]];
            }
        }
        for filter in [Filter::Area, Filter::Nearest] {
            let [one, two] = [&image, &other].map(|image| image.shrunk(stored, &rects, filter));
            let (columns, rows) = (
                edge(rect.x.into(), image.size.width, stored.width)..edge(rect.right(), image.size.width, stored.width),
                edge(rect.y.into(), image.size.height, stored.height)..edge(rect.bottom(), image.size.height, stored.height),
            );
            for y in rows {
                for x in columns.clone() {
                    let place = (y * i64::from(stored.width) + x) as usize;
                    prop_assert_eq!(one[place], two[place], "{:?} {} {}", filter, x, y);
                }
            }
        }
    }

    #[test]
    fn rows_may_come_in_any_portions((image, stored, rects) in orders(), portion in 1_usize..5) {
        let mut shrinker = Shrinker::new(image.size, stored, &rects, Filter::Area);
        for rows in image.pixels.chunks(portion * image.size.width as usize) {
            shrinker.push_rows(rows.as_flattened());
        }
        let whole = image.shrunk(stored, &rects, Filter::Area);
        prop_assert_eq!(shrinker.finish(), whole.as_flattened());
    }
}

fn row(pixels: &[[u8; 4]]) -> Image {
    Image { size: Size::new(pixels.len() as u32, 1), pixels: pixels.to_vec() }
}

#[test]
fn what_cannot_be_seen_does_not_darken_what_can() {
    let image = row(&[[255, 255, 255, 255], [0, 0, 0, 0]]);
    assert_eq!(image.shrunk(Size::new(1, 1), &[], Filter::Area), [[255, 255, 255, 128]]);
    let unseen = row(&[[10, 20, 30, 0], [20, 40, 61, 0]]);
    assert_eq!(unseen.shrunk(Size::new(1, 1), &[], Filter::Area), [[15, 30, 46, 0]], "45.5 is rounded up");
}

#[test]
fn a_pixel_that_two_share_counts_for_each_with_its_part() {
    // Three become two: the middle one lies half in each.
    let image = row(&[[0, 0, 0, 255], [120, 0, 0, 255], [240, 0, 0, 255]]);
    let picture = image.shrunk(Size::new(2, 1), &[], Filter::Area);
    assert_eq!(picture, [[40, 0, 0, 255], [200, 0, 0, 255]]);
}

#[test]
fn regions_without_a_pixel_at_the_stored_size_or_in_the_image_leave_the_whole() {
    let image = row(&[[0, 0, 0, 255], [100, 0, 0, 255], [100, 0, 0, 255], [200, 0, 0, 255]]);
    // Edges 0 and 1 of 4 both come to 0 of 1; the other lies outside.
    let rects = [PixelRect::new(0, 0, 1, 1), PixelRect::new(4, 0, 2, 1)];
    assert_eq!(image.shrunk(Size::new(1, 1), &rects, Filter::Area), [[100, 0, 0, 255]]);
}
