//! A part of a texture against the whole, and frames against what lies around them.

use proptest::prelude::*;

use super::convert::{Conversion, Converter, Part};
use super::regions::Regions;
use super::shrink::{Filter, Shrinker};
use crate::geometry::{PixelRect, Size, map_edge};
use crate::texture::{ChromaKey, Dithering, PixelFormat};

/// All stored pixels, made as the importer makes them.
fn whole(conversion: &Conversion, rgba: &[u8]) -> Vec<u8> {
    let Conversion { image, stored, regions, filter, format, .. } = conversion;
    let mut out = vec![0; stored.area() as usize * format.bytes_per_pixel()];
    let mut converter = Converter::new(conversion);
    if stored == image {
        converter.push_rows(rgba, &mut out);
    } else {
        let mut shrinker = Shrinker::new(*image, *stored, &regions.rects_in_image, *filter);
        shrinker.push_rows(rgba);
        converter.push_rows(&shrinker.finish(), &mut out);
    }
    out
}

/// The bytes of a rectangle inside.
fn cut(conversion: &Conversion, stored_bytes: &[u8], rect_in_stored: PixelRect) -> Vec<u8> {
    let pixel = conversion.format.bytes_per_pixel();
    let rows = stored_bytes.chunks(conversion.stored.width as usize * pixel);
    let rows = rows.skip(rect_in_stored.y as usize).take(rect_in_stored.height as usize);
    let (from, to) = (rect_in_stored.x as usize * pixel, rect_in_stored.right() as usize * pixel);
    rows.flat_map(|row| row[from..to].to_vec()).collect()
}

fn rect_in(size: Size) -> impl Strategy<Value = PixelRect> {
    let (width, height) = (size.width as i32, size.height as i32);
    (0..width, 0..height).prop_flat_map(move |(x, y)| {
        (1..=width - x, 1..=height - y).prop_map(move |(width, height)| PixelRect::new(x, y, width, height))
    })
}

/// Few colours, so that the key and its neighbours come up.
fn pixel() -> impl Strategy<Value = [u8; 4]> {
    let channel = || prop_oneof![Just(0_u8), Just(3), Just(250), Just(255), Just(255), any::<u8>()];
    [channel(), channel(), channel(), channel()]
}

/// A conversion and an image for it.
fn conversions() -> impl Strategy<Value = (Conversion, Vec<[u8; 4]>)> {
    let size = (1_u32..16, 1_u32..16).prop_map(|(width, height)| Size::new(width, height));
    size.prop_flat_map(|image| {
        let smaller =
            (1..=image.width, 1..=image.height).prop_map(|(width, height)| Size::new(width, height));
        let stored = prop_oneof![Just(image), smaller];
        let rects = proptest::collection::vec(rect_in(image), 0..5);
        let manner = (
            proptest::sample::select(PixelFormat::ALL.as_slice()),
            proptest::sample::select(Dithering::ALL.as_slice()),
            proptest::option::of(Just(ChromaKey { red: 255, green: 0, blue: 250 })),
            proptest::sample::select(vec![Filter::Area, Filter::Nearest]),
        );
        let pixels = proptest::collection::vec(pixel(), image.area() as usize);
        (stored, rects, 0_usize..5, manner, pixels).prop_map(move |(stored, rects, parts, manner, pixels)| {
            let (format, dithering, chroma_key, filter) = manner;
            let whole = rects.len().saturating_sub(parts);
            // Parts lie in regions that are whole, as those of a frame do.
            let inside = |(at, rect): (usize, &PixelRect)| match at.checked_sub(whole) {
                Some(_) => rects[..whole].iter().find_map(|outer| outer.intersection(*rect)),
                None => Some(*rect),
            };
            let rects_in_image: Vec<_> = rects.iter().enumerate().filter_map(inside).collect();
            let regions = Regions { rects_in_image, whole };
            (Conversion { image, stored, regions, filter, format, dithering, chroma_key }, pixels)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn a_part_is_what_the_whole_has_there(
        (conversion, pixels) in conversions(),
        (x, y, width, height) in (-3_i32..16, -3_i32..16, 1_i32..20, 1_i32..20),
    ) {
        let rgba = pixels.as_flattened();
        let rect = PixelRect::new(x, y, width, height);
        let Part { rect_in_stored, pixels } = conversion.part(rgba, rect);
        let visible = rect.clipped_to(conversion.stored).unwrap_or_default();
        prop_assert_eq!(rect_in_stored, visible, "nothing of it may be inside");
        prop_assert_eq!(pixels, cut(&conversion, &whole(&conversion, rgba), visible));
    }

    #[test]
    fn no_stored_pixel_of_a_frame_depends_on_one_outside(
        (mut conversion, pixels) in conversions(),
        cuts in [1_i32..16, 1_i32..16],
        other in proptest::collection::vec(pixel(), 16 * 16),
    ) {
        // Four frames that touch, as far as they have pixels: a cross through the image.
        let Size { width, height } = conversion.image;
        let (x, y) = (cuts[0].min(width as i32), cuts[1].min(height as i32));
        let (right, bottom) = (width as i32 - x, height as i32 - y);
        let frames = [(0, 0, x, y), (x, 0, right, y), (0, y, x, bottom), (x, y, right, bottom)];
        let frames: Vec<_> = frames.map(|(x, y, width, height)| PixelRect::new(x, y, width, height)).to_vec();
        conversion.regions = Regions::of(frames.clone());
        let before = whole(&conversion, pixels.as_flattened());
        for frame in frames {
            let mut changed = pixels.clone();
            for (at, pixel) in changed.iter_mut().enumerate() {
                let at_x = at as u32 % width;
                if !frame.contains(at_x.into(), (at as u32 / width).into()) {
                    *pixel = other[at];
                }
            }
            let after = whole(&conversion, changed.as_flattened());
            let edge = |at: i64, image: u32, stored: u32| map_edge(at, image.into(), stored.into()) as i32;
            let (left, right) = (
                edge(frame.x.into(), width, conversion.stored.width),
                edge(frame.right(), width, conversion.stored.width),
            );
            let (top, bottom) = (
                edge(frame.y.into(), height, conversion.stored.height),
                edge(frame.bottom(), height, conversion.stored.height),
            );
            let rect = PixelRect::new(left, top, right - left, bottom - top);
            if !rect.is_empty() {
                prop_assert_eq!(cut(&conversion, &before, rect), cut(&conversion, &after, rect), "{}", frame);
            }
        }
    }

    #[test]
    fn nothing_but_the_key_is_in_its_cell_and_the_key_is_always(
        (conversion, pixels) in conversions(),
        key in pixel(),
    ) {
        let [red, green, blue, _] = key;
        let conversion = Conversion {
            stored: conversion.image,
            chroma_key: Some(ChromaKey { red, green, blue }),
            format: PixelFormat::Rgb565A8,
            ..conversion
        };
        let stored = whole(&conversion, pixels.as_flattened());
        let cell = [(green << 3 & 0xe0) | blue >> 3, red & 0xf8 | green >> 5];
        for (pixel, stored) in pixels.iter().zip(stored.as_chunks::<3>().0) {
            prop_assert_eq!(stored[..2] == cell, pixel[..3] == key[..3], "{:?} {:?}", pixel, stored);
            prop_assert_eq!(stored[2], pixel[3], "alpha is as it was");
        }
    }
}

#[test]
fn an_image_of_another_size_has_no_parts() {
    let size = Size::new(2, 2);
    let conversion = Conversion {
        image: size,
        stored: size,
        regions: Regions::default(),
        filter: Filter::Area,
        format: PixelFormat::Rgb565,
        dithering: Dithering::None,
        chroma_key: None,
    };
    assert_eq!(conversion.part(&[0; 15], PixelRect::of_image(size)), Part::default());
}
