//! Dithering against arithmetic by hand and against the rule with whole pictures in memory.

use proptest::prelude::*;

use super::convert::{Conversion, Converter};
use super::regions::Regions;
use super::shrink::Filter;
use super::unpack::unpack_565;
use crate::geometry::{PixelRect, Size};
use crate::texture::{ChromaKey, Dithering, PixelFormat};

fn conversion(size: Size, dithering: Dithering, rects: &[PixelRect]) -> Conversion {
    Conversion {
        image: size,
        stored: size,
        regions: Regions::of(rects.to_vec()),
        filter: Filter::Area,
        format: PixelFormat::Rgb565,
        dithering,
        chroma_key: None,
    }
}

/// The stored colours of a picture.
fn colours(conversion: &Conversion, pixels: &[[u8; 4]]) -> Vec<u16> {
    let mut stored = vec![0; pixels.len() * 2];
    Converter::new(conversion).push_rows(pixels.as_flattened(), &mut stored);
    stored.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect()
}

/// The levels of red of a picture that is red alone.
fn reds(conversion: &Conversion, values: &[u8]) -> Vec<u16> {
    let pixels: Vec<_> = values.iter().map(|red| [*red, 0, 0, 255]).collect();
    colours(conversion, &pixels).iter().map(|colour| colour >> 11).collect()
}

#[test]
fn a_value_between_two_levels_rises_where_its_threshold_says() {
    // Half way from 0 to 8. The pattern's first rows are 0 32 8 40 2 34 10 42 and 48 16 56 24 50 18 58 26, of 64; a value
    // rises where its part of the way and the threshold together are a whole level.
    let size = Size::new(8, 2);
    let half = reds(&conversion(size, Dithering::Ordered, &[]), &[4; 16]);
    assert_eq!(half, [0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0]);
    // An eighth of the way: only thresholds of 56 and more, which are in the second row twice.
    let eighth = reds(&conversion(size, Dithering::Ordered, &[]), &[1; 16]);
    assert_eq!(eighth, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
    // From level 3, shown as 24, to level 4, shown as 33, the way is nine long: 28 is 28.4 parts of 64 above level 3.
    let ninths = reds(&conversion(size, Dithering::Ordered, &[]), &[28; 16]);
    assert_eq!(ninths, [3, 3, 3, 4, 3, 3, 3, 4, 4, 3, 4, 3, 4, 3, 4, 3]);
}

#[test]
fn errors_are_handed_on_as_floyd_and_steinberg_say() {
    // Levels 0, 8. First row: 4 is as near to 0, error 4; 4 + 28/16 = 6, to 8, error -2; 4 - 14/16 = 3, to 0, error 3.
    // Second row: 4 + (5*4 + 3*-2)/16 = 5, to 8, error -3; 4 + (7*-3 + 4 + 5*-2 + 3*3)/16 = 3, to 0, error 3;
    // 4 + (7*3 - 2 + 5*3)/16 = 6, to 8.
    let picture = reds(&conversion(Size::new(3, 2), Dithering::FloydSteinberg, &[]), &[4; 6]);
    assert_eq!(picture, [0, 1, 0, 1, 0, 1]);
}

#[test]
fn what_is_not_there_neither_gives_nor_takes() {
    let row = |pixels: &[[u8; 4]]| {
        let conversion = conversion(Size::new(pixels.len() as u32, 1), Dithering::FloydSteinberg, &[]);
        colours(&conversion, pixels)
    };
    let (red, unseen) = ([4, 0, 0, 255], [7, 0, 0, 0]);
    assert_eq!(row(&[red, red]), [0, 1 << 11]);
    assert_eq!(row(&[red, unseen, red]), [0, 0, 0], "7 is truncated, and the last begins anew");
}

#[test]
fn the_key_is_stored_as_it_is_and_nothing_else_in_its_cell() {
    let row = |[red, green, blue]: [u8; 3], dithering: Dithering, pixels: &[[u8; 4]]| {
        let key = ChromaKey { red, green, blue };
        let size = Size::new(pixels.len() as u32, 1);
        let conversion =
            Conversion { chroma_key: Some(key), filter: Filter::Nearest, ..conversion(size, dithering, &[]) };
        let mut stored = vec![0; pixels.len() * 2];
        let mut converter = Converter::new(&conversion);
        converter.push_rows(pixels.as_flattened(), &mut stored);
        let colours = stored.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
        (colours.collect::<Vec<_>>(), converter.moved().to_vec())
    };
    // Red and blue 31, green 0 and 1.
    let (cell, moved) = (0xf81f, 0xf83f);
    let (is_key, near, red) = ([250, 1, 250, 255], [255, 1, 255, 255], [4, 0, 0, 255]);
    for dithering in Dithering::ALL {
        let pixels = [is_key, near, is_key];
        assert_eq!(row([250, 1, 250], dithering, &pixels), (vec![cell, moved, cell], vec![1]));
    }
    // Neither the key nor what was moved hands on an error: 4 alone is level 0, and with an error it would be 1.
    let (colours, _) = row([250, 1, 250], Dithering::FloydSteinberg, &[red, is_key, red, near, red]);
    assert_eq!(colours, [0, cell, 0, moved, 0]);
    // Half way to level 1, which is the key's: where it rises it goes back, and the thresholds are as many above as below.
    assert_eq!(row([8, 0, 0], Dithering::Ordered, &[red; 8]), (vec![0; 8], vec![4]));
}

#[test]
fn colours_that_a_stored_value_means_are_not_disturbed() {
    let pixels: Vec<[u8; 4]> = (0..=u16::MAX)
        .map(|colour| {
            let [red, green, blue] = unpack_565(colour);
            [red, green, blue, 255]
        })
        .collect();
    for dithering in Dithering::ALL {
        let stored = colours(&conversion(Size::new(256, 256), dithering, &[]), &pixels);
        assert!(stored.iter().copied().eq(0..=u16::MAX), "{dithering:?}");
    }
}

/// The rule with everything in memory: of each pixel the last region, and errors pushed to the four that follow.
fn diffused(size: Size, rects: &[PixelRect], pixels: &[[u8; 4]]) -> Vec<u16> {
    let (width, height) = (i64::from(size.width), i64::from(size.height));
    let owner = |x: i64, y: i64| rects.iter().rposition(|rect| rect.contains(x, y));
    let mut taken = vec![[0_i32; 3]; pixels.len()];
    let mut stored = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let at = (y * width + x) as usize;
            let [red, green, blue, alpha] = pixels[at];
            if alpha == 0 {
                stored.push(u16::from(red >> 3) << 11 | u16::from(green >> 2) << 5 | u16::from(blue >> 3));
                continue;
            }
            let wanted: Vec<i32> = [red, green, blue]
                .iter()
                .zip(taken[at])
                .map(|(value, taken)| i32::from(*value) + (taken + 8).div_euclid(16))
                .collect();
            // Of all colours the nearest of each channel; of two as near the lower one.
            let nearest = |wanted: i32, levels: i32| {
                let shown =
                    |level: i32| if levels == 32 { level << 3 | level >> 2 } else { level << 2 | level >> 4 };
                let level = (0..levels).min_by_key(|level| (shown(*level) - wanted).abs()).unwrap();
                (level as u16, wanted - shown(level))
            };
            let [red, green, blue] = [nearest(wanted[0], 32), nearest(wanted[1], 64), nearest(wanted[2], 32)];
            stored.push(red.0 << 11 | green.0 << 5 | blue.0);
            for (dx, dy, weight) in [(1, 0, 7), (-1, 1, 3), (0, 1, 5), (1, 1, 1)] {
                let (to_x, to_y) = (x + dx, y + dy);
                let is_inside = (0..width).contains(&to_x) && to_y < height;
                if is_inside && owner(to_x, to_y) == owner(x, y) {
                    let taken = &mut taken[(to_y * width + to_x) as usize];
                    for (taken, error) in taken.iter_mut().zip([red.1, green.1, blue.1]) {
                        *taken += weight * error;
                    }
                }
            }
        }
    }
    stored
}

fn rect_in(size: Size) -> impl Strategy<Value = PixelRect> {
    let (width, height) = (size.width as i32, size.height as i32);
    (0..width, 0..height).prop_flat_map(move |(x, y)| {
        (1..=width - x, 1..=height - y).prop_map(move |(width, height)| PixelRect::new(x, y, width, height))
    })
}

fn pixel() -> impl Strategy<Value = [u8; 4]> {
    (any::<[u8; 3]>(), prop_oneof![Just(0), Just(255), Just(255), any::<u8>()])
        .prop_map(|([red, green, blue], alpha)| [red, green, blue, alpha])
}

/// A picture and rectangles inside of it.
fn pictures() -> impl Strategy<Value = (Size, Vec<[u8; 4]>, Vec<PixelRect>)> {
    (1_u32..18, 1_u32..14).prop_flat_map(|(width, height)| {
        let size = Size::new(width, height);
        let pixels = proptest::collection::vec(pixel(), size.area() as usize);
        (Just(size), pixels, proptest::collection::vec(rect_in(size), 0..5))
    })
}

proptest! {
    #[test]
    fn no_error_goes_from_one_region_to_another((size, pixels, rects) in pictures()) {
        let conversion = conversion(size, Dithering::FloydSteinberg, &rects);
        prop_assert_eq!(colours(&conversion, &pixels), diffused(size, &rects, &pixels));
    }

    #[test]
    fn rows_may_come_in_any_portions(
        (size, pixels, rects) in pictures(),
        portion in 1_usize..5,
        dithering in proptest::sample::select(Dithering::ALL.as_slice()),
    ) {
        let conversion = conversion(size, dithering, &rects);
        let (mut converter, mut stored) = (Converter::new(&conversion), Vec::new());
        for rows in pixels.chunks(portion * size.width as usize) {
            let mut out = vec![0; rows.len() * 2];
            converter.push_rows(rows.as_flattened(), &mut out);
            stored.extend(out.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)));
        }
        prop_assert_eq!(stored, colours(&conversion, &pixels));
    }

    #[test]
    fn equal_pictures_become_equal_pixels_wherever_they_lie(
        picture in proptest::collection::vec(pixel(), 5 * 4),
        around in pixel(),
        (left, top) in (0_usize..9, 0_usize..9),
        dithering in proptest::sample::select(Dithering::ALL.as_slice()),
    ) {
        // Once at 1, 2 and once anywhere below it.
        let size = Size::new(14, 20);
        let places = [(1, 2), (left, top + 7)];
        let mut pixels = vec![around; size.area() as usize];
        for (x, y) in places {
            for (row, from) in picture.chunks(5).enumerate() {
                pixels[(y + row) * 14 + x..][..5].copy_from_slice(from);
            }
        }
        let rects = places.map(|(x, y)| PixelRect::new(x as i32, y as i32, 5, 4));
        let stored = colours(&conversion(size, dithering, &rects), &pixels);
        let [one, other] = places.map(|(x, y)| {
            (0..4).flat_map(|row| stored[(y + row) * 14 + x..][..5].to_vec()).collect::<Vec<_>>()
        });
        prop_assert_eq!(one, other);
    }

    #[test]
    fn the_mean_of_a_flat_area_is_within_a_step_of_its_colour(
        color in any::<[u8; 3]>(),
        (width, height) in (1_u32..20, 1_u32..20),
        dithering in proptest::sample::select(vec![Dithering::Ordered, Dithering::FloydSteinberg]),
    ) {
        let size = Size::new(width, height);
        let [red, green, blue] = color;
        let pixels = vec![[red, green, blue, 255]; size.area() as usize];
        let stored = colours(&conversion(size, dithering, &[]), &pixels);
        // The widest gaps between what two levels are shown as.
        for (channel, step) in [9.0, 5.0, 9.0].into_iter().enumerate() {
            let sum: f64 = stored.iter().map(|colour| f64::from(unpack_565(*colour)[channel])).sum();
            let mean = sum / size.area() as f64;
            prop_assert!((mean - f64::from(color[channel])).abs() < step, "{} of {:?}", mean, color);
        }
    }

    #[test]
    fn over_whole_patterns_the_mean_is_nearly_exact(color in any::<[u8; 3]>()) {
        let [red, green, blue] = color;
        let stored = colours(&conversion(Size::new(16, 8), Dithering::Ordered, &[]), &[[red, green, blue, 255]; 128]);
        for (channel, value) in color.into_iter().enumerate() {
            let sum: f64 = stored.iter().map(|colour| f64::from(unpack_565(*colour)[channel])).sum();
            // Half a part of 64 of the widest gap.
            prop_assert!((sum / 128.0 - f64::from(value)).abs() <= 9.0 / 128.0);
        }
    }
}
