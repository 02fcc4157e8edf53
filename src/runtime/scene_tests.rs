//! Scenes drawn, pixel by pixel.

use std::cell::Cell;
use std::sync::Arc;

use proptest::prelude::*;

use super::testing::{add, at, frame_guid, give_sprite, numbered, numbers, parent, texture};
use super::*;
use crate::format::tex::{Metadata, TexChromaKey, TexFlags, TexFrame, TexHeader};
use crate::geometry::{PixelRect, Size};
use crate::guid::Guid;
use crate::model::scene::{Color, ObjectKey, Scene, Transform, Value};
use crate::texture::{ChromaKey, Insets, PixelFormat};

/// A pixel in metres.
const PIXEL: f32 = 1.0 / 16.0;
/// What no texture here has.
const CLEAR: Color = Color([0, 0, 9, 255]);

fn scene(width: u32, height: u32) -> Scene {
    let mut scene = Scene::new("Test");
    let sides = scene.body.with("width", width.into()).with("height", height.into());
    scene.body = sides.with("clear_color", CLEAR.to_value(None));
    scene
}

fn frames(rects: &[[i32; 4]]) -> Metadata {
    let frames = rects.iter().zip(0..).map(|([x, y, width, height], id)| {
        TexFrame::new(Guid::for_frame(parent(), id), PixelRect::new(*x, *y, *width, *height))
    });
    Metadata { frames: frames.collect(), ..Metadata::default() }
}

fn items(scene: &Scene, texture: &Texture) -> Vec<Item> {
    draw_list(scene, &|reference| Ok(Loaded { parent: texture_of(reference, &|_| None)?, texture }))
}

fn rendered(scene: &Scene, texture: &Texture) -> Picture {
    let pictures = |key: &PictureKey| Some(Arc::new(compose(texture, key.rect_in_texture, key.fill)));
    render(scene.size(), scene.clear_color(), &items(scene, texture), &pictures).unwrap()
}

/// Column and row in its texture of each pixel, `..` where nothing is drawn.
fn shown(scene: &Scene, texture: &Texture) -> Vec<String> {
    let picture = rendered(scene, texture);
    let word = |pixel: &[u8]| match pixel {
        [0, 0, 9, 255] => "..".to_owned(),
        [x, y, 0, 255] => format!("{x}{y}"),
        other => format!("{other:?}"),
    };
    let rows = picture.rgba.chunks(picture.size.width as usize * 4);
    rows.map(|row| row.chunks(4).map(word).collect::<Vec<_>>().join(" ")).collect()
}

/// A scene with one sprite, as [`shown`] has it.
fn shown_alone(
    size: [u32; 2],
    place: Transform,
    frame: Option<u32>,
    data: &[(&str, Value)],
    texture: &Texture,
) -> Vec<String> {
    let mut scene = scene(size[0], size[1]);
    let object = add(&mut scene, None, place);
    give_sprite(&mut scene, object, frame, data);
    shown(&scene, texture)
}

fn four_by_four() -> Texture {
    numbered(Size::new(4, 4), &frames(&[[1, 1, 2, 2], [0, 0, 3, 1], [3, 3, 1, 1]]))
}

#[test]
fn a_frame_lies_around_its_place_with_y_up() {
    let texture = four_by_four();
    let middle = shown_alone([4, 4], at(0.0, 0.0), Some(0), &[], &texture);
    assert_eq!(middle, [".. .. .. ..", ".. 11 21 ..", ".. 12 22 ..", ".. .. .. .."]);
    let corner = shown_alone([4, 4], at(PIXEL, PIXEL), Some(0), &[], &texture);
    assert_eq!(corner, [".. .. 11 21", ".. .. 12 22", ".. .. .. ..", ".. .. .. .."]);
    let outside = shown_alone([3, 2], at(-1.5 * PIXEL, 0.0), Some(0), &[], &texture);
    assert_eq!(outside, ["21 .. ..", "22 .. .."]);
}

#[test]
fn the_whole_and_a_missing_frame_are_the_whole_texture() {
    let texture = four_by_four();
    for frame in [None, Some(77)] {
        let whole = shown_alone([4, 4], at(0.0, 0.0), frame, &[], &texture);
        assert_eq!(whole, ["00 10 20 30", "01 11 21 31", "02 12 22 32", "03 13 23 33"]);
    }
    let mut scene = scene(4, 4);
    let object = add(&mut scene, None, at(0.0, 0.0));
    give_sprite(&mut scene, object, Some(77), &[]);
    let item = &items(&scene, &texture)[0];
    assert_eq!(item.fault, Some(Fault::MissingFrame(frame_guid(77).as_str().into())));
    assert!(item.picture.is_some());
}

#[test]
fn flips_mirror_the_picture_and_cover_the_same_pixels() {
    let texture = four_by_four();
    let flipped = |frame, horizontal: bool, vertical: bool| {
        let data = [("flipHorizontal", horizontal.into()), ("flipVertical", vertical.into())];
        let size = if frame == 0 { [2, 2] } else { [4, 1] };
        shown_alone(size, at(0.0, 0.0), Some(frame), &data, &texture)
    };
    assert_eq!(flipped(0, true, false), ["21 11", "22 12"]);
    assert_eq!(flipped(0, false, true), ["12 22", "11 21"]);
    assert_eq!(flipped(0, true, true), ["22 12", "21 11"]);
    // An odd width begins at 2 - floor(3 / 2).
    assert_eq!(flipped(1, false, false), [".. 00 10 20"]);
    assert_eq!(flipped(1, true, false), [".. 20 10 00"]);
    assert_eq!(flipped(1, false, true), [".. 00 10 20"]);
}

#[test]
fn a_quarter_turn_goes_against_the_clock() {
    let texture = four_by_four();
    let turned = |rotation| {
        let place = Transform { rotation, ..Transform::default() };
        shown_alone([2, 2], place, Some(0), &[], &texture)
    };
    // What was right is up.
    assert_eq!(turned(90.0), ["21 22", "11 12"]);
    assert_eq!(turned(180.0), ["22 12", "21 11"]);
    assert_eq!(turned(-90.0), ["12 11", "22 21"]);
}

#[test]
fn children_move_turn_and_grow_with_their_parents() {
    let texture = four_by_four();
    let mut scene = scene(6, 2);
    let above = Transform { x: 2.0 * PIXEL, rotation: 180.0, ..Transform::default() };
    let above = add(&mut scene, None, above);
    let object = add(&mut scene, Some(above), at(PIXEL, 0.0));
    give_sprite(&mut scene, object, Some(0), &[]);
    // 2 to the right, and from there 1 to the left.
    assert_eq!(shown(&scene, &texture), [".. .. .. 22 12 ..", ".. .. .. 21 11 .."]);
    let grown = Transform { x: 2.0 * PIXEL, scale_x: 2.0, scale_y: 2.0, ..Transform::default() };
    scene.object_mut(above).unwrap().set_transform(grown);
    // Around 3 + 2 + 2 x 1, so only the left half of its 4 x 4 pixels is in the picture.
    assert_eq!(shown(&scene, &texture), [".. .. .. .. .. 11", ".. .. .. .. .. 12"]);
    let mirrored = Transform { scale_x: -1.0, ..Transform::default() };
    scene.object_mut(above).unwrap().set_transform(mirrored);
    assert_eq!(shown(&scene, &texture), [".. 21 11 .. .. ..", ".. 22 12 .. .. .."]);
}

#[test]
fn what_has_no_area_draws_nothing() {
    let texture = four_by_four();
    for scale_x in [0.0, f32::MAX] {
        let place = Transform { x: f32::MAX, scale_x, ..Transform::default() };
        assert_eq!(shown_alone([2, 1], place, Some(0), &[], &texture), [".. .."]);
    }
}

#[test]
fn a_texture_of_half_the_size_keeps_its_size_in_the_world() {
    let metadata = Metadata { source_size: Some(Size::new(4, 4)), ..Metadata::default() };
    let texture = numbered(Size::new(2, 2), &metadata);
    let doubled = ["00 00 10 10", "00 00 10 10", "01 01 11 11", "01 01 11 11"];
    assert_eq!(shown_alone([4, 4], at(0.0, 0.0), None, &[], &texture), doubled);
    // 0.25 m are 2 stored pixels, and these a quarter of a metre.
    let data = [("renderMode", "Tiled".into()), ("width", 0.25.into())];
    assert_eq!(shown_alone([4, 4], at(0.0, 0.0), None, &data, &texture), doubled);
}

#[test]
fn tiles_and_nine_slices_fill_the_asked_size() {
    let mut metadata = frames(&[[1, 1, 2, 2], [0, 0, 3, 3]]);
    metadata.frames[1].nine_slice = Some(Insets { left: 1, right: 1, top: 1, bottom: 1 });
    let texture = numbered(Size::new(4, 4), &metadata);
    let size = [("width", Value::from(4.0 * PIXEL)), ("height", Value::from(3.0 * PIXEL))];
    let filled = |mode: &str, frame, flipped: bool| {
        let data = [&size[..], &[("renderMode", mode.into()), ("flipHorizontal", flipped.into())]].concat();
        shown_alone([4, 3], at(0.0, 0.0), Some(frame), &data, &texture)
    };
    let tiled = ["11 21 11 21", "12 22 12 22", "11 21 11 21"];
    assert_eq!(filled("Tiled", 0, false), tiled);
    // The mirrored picture begins at the right.
    assert_eq!(filled("Tiled", 0, true), ["21 11 21 11", "22 12 22 12", "21 11 21 11"]);
    assert_eq!(filled("NineSlice", 1, false), ["00 10 10 20", "01 11 11 21", "02 12 12 22"]);
    assert_eq!(filled("Normal", 1, false), [".. 00 10 20", ".. 01 11 21", ".. 02 12 22"]);
}

#[test]
fn a_refused_nine_slice_draws_nothing_and_keeps_a_place() {
    let texture = four_by_four();
    let mut scene = scene(4, 4);
    let object = add(&mut scene, None, at(0.0, 0.0));
    let data = [("renderMode", 2.into()), ("width", 2.into()), ("height", 1.into())];
    give_sprite(&mut scene, object, Some(0), &data);
    let item = &items(&scene, &texture)[0];
    assert_eq!((item.picture, &item.fault), (None, &Some(Fault::NoBorders)));
    assert_eq!(item.bounds(), Bounds { min: Point::new(-1.0, -0.5), max: Point::new(1.0, 0.5) });
    assert!(rendered(&scene, &texture).rgba.chunks(4).all(|pixel| pixel == CLEAR.0));
}

#[test]
fn a_tint_multiplies_straight_colours_and_fades_by_its_alpha() {
    let texture = texture(Size::new(1, 1), &[[200, 100, 50, 255]], &Metadata::default());
    let tinted = |tint: [u8; 4]| {
        let mut scene = scene(1, 1);
        let object = add(&mut scene, None, at(0.0, 0.0));
        give_sprite(&mut scene, object, None, &[("tintColor", Color(tint).to_value(None))]);
        rendered(&scene, &texture).pixel(0, 0).unwrap()
    };
    // 100 x 128 / 255 = 50.2.
    assert_eq!(tinted([255, 128, 0, 255]), [200, 50, 0, 255]);
    // 200 x 128 / 255 = 100.4, 50.2, (50 x 128 + 9 x 127) / 255 = 29.6.
    assert_eq!(tinted([255, 255, 255, 128]), [100, 50, 29, 255]);
    assert_eq!(tinted([255, 255, 255, 0]), CLEAR.0);
}

#[test]
fn alpha_is_blended_where_the_format_has_it() {
    let pixels = [[255, 0, 0, 51], [0, 255, 0, 0]];
    let texture = texture(Size::new(2, 1), &pixels, &Metadata::default());
    let mut scene = scene(2, 1);
    let object = add(&mut scene, None, at(0.0, 0.0));
    give_sprite(&mut scene, object, None, &[]);
    assert!(items(&scene, &texture)[0].has_alpha);
    // 255 x 51 / 255, and 9 x 204 / 255 = 7.2.
    assert_eq!(rendered(&scene, &texture).rgba, [[51, 0, 7, 255], CLEAR.0].concat());
}

#[test]
fn without_alpha_all_is_opaque_but_the_chroma_key() {
    let key = ChromaKey { red: 255, green: 0, blue: 255 };
    let chroma_key = Some(TexChromaKey { key, spans: vec![] });
    let after = Metadata { chroma_key, ..Metadata::default() }.to_bytes().unwrap();
    let (size, format, flags) = (Size::new(2, 1), PixelFormat::Rgb888, TexFlags::IS_SPRITE);
    let header = TexHeader { size, format, flags }.to_bytes(after.len()).unwrap();
    let bytes = [&header[..], &[255, 0, 255, 10, 20, 30], &after].concat();
    let texture = Texture::from_bytes(bytes).unwrap();
    let mut scene = scene(2, 1);
    let object = add(&mut scene, None, at(0.0, 0.0));
    give_sprite(&mut scene, object, None, &[]);
    assert_eq!(rendered(&scene, &texture).rgba, [CLEAR.0, [10, 20, 30, 255]].concat());
    let items = items(&scene, &texture);
    assert!(!items[0].has_alpha);
    let picture = Arc::new(Picture { size, rgba: vec![1, 2, 3, 9, 4, 5, 6, 0] });
    let drawn = render(size, CLEAR, &items, &|_| Some(picture.clone())).unwrap();
    assert_eq!(drawn.rgba, [[1, 2, 3, 255], CLEAR.0].concat());
}

#[test]
fn order_is_by_component_then_object_then_tree() {
    let texture = four_by_four();
    let mut scene = scene(4, 4);
    let object = |scene: &mut Scene, above, sorting_order: i32, sort_order: i32| {
        let key = add(scene, above, at(0.0, 0.0));
        give_sprite(scene, key, Some(0), &[("sortingOrder", sorting_order.into())]);
        let object = scene.object_mut(key).unwrap();
        object.body = object.body.with("sort_order", sort_order.into());
        key
    };
    let first = object(&mut scene, None, 0, 0);
    let child = object(&mut scene, Some(first), 0, 0);
    let behind = object(&mut scene, Some(first), -1, 9);
    let second = object(&mut scene, None, 0, 0);
    let later = object(&mut scene, None, 0, 1);
    let front = object(&mut scene, None, 1, -5);
    give_sprite(&mut scene, first, Some(0), &[]);
    let order: Vec<_> = items(&scene, &texture).iter().map(|item| (item.object, item.component)).collect();
    let expected = [(behind, 0), (first, 0), (first, 1), (child, 0), (second, 0), (later, 0), (front, 0)];
    assert_eq!(order, expected);
}

#[test]
fn an_inactive_object_hides_all_below_it_and_nothing_beside_it() {
    let texture = four_by_four();
    let mut scene = scene(4, 4);
    let object = |scene: &mut Scene, above: Option<ObjectKey>| {
        let key = add(scene, above, at(0.0, 0.0));
        give_sprite(scene, key, Some(0), &[]);
        key
    };
    let top = object(&mut scene, None);
    let hidden = object(&mut scene, Some(top));
    let child = object(&mut scene, Some(hidden));
    object(&mut scene, Some(child));
    let beside = object(&mut scene, Some(top));
    let last = object(&mut scene, None);
    scene.object_mut(hidden).unwrap().set_active(false);
    // A hidden child of a hidden object ends nothing.
    scene.object_mut(child).unwrap().set_active(false);
    let drawn: Vec<_> = items(&scene, &texture).iter().map(|item| item.object).collect();
    assert_eq!(drawn, [top, beside, last]);
}

#[test]
fn a_texture_is_asked_for_once_a_sprite_and_may_come_later() {
    let mut scene = scene(4, 4);
    for _ in 0..3 {
        let object = add(&mut scene, None, at(0.0, 0.0));
        give_sprite(&mut scene, object, Some(0), &[]);
    }
    let asked = Cell::new(0);
    let items = draw_list(&scene, &|_| {
        asked.set(asked.get() + 1);
        Err(Fault::Pending)
    });
    assert_eq!(asked.get(), 3);
    for item in items {
        assert_eq!((item.picture, &item.fault), (None, &Some(Fault::Pending)));
        // A square metre, to have something to press.
        assert!(item.contains(Point::new(0.49, -0.49)) && !item.contains(Point::new(0.51, 0.0)));
    }
}

#[test]
fn a_memo_sees_every_change_and_forgets_what_is_gone() {
    let mut scene = scene(4, 4);
    let above = add(&mut scene, None, at(1.0, 0.0));
    let object = add(&mut scene, Some(above), at(1.0, 0.0));
    give_sprite(&mut scene, object, Some(0), &[]);
    let mut memo = Memo::default();
    let mut middles = |scene: &Scene| -> Vec<f64> {
        let items = memo.draw_list(scene, &|_| Err(Fault::Pending));
        items.iter().map(|item| item.bounds().max.x - 0.5).collect()
    };
    assert_eq!(middles(&scene), [2.0]);
    let before = scene.clone();
    scene.object_mut(above).unwrap().set_transform(at(5.0, 0.0));
    assert_eq!(middles(&scene), [6.0]);
    scene.object_mut(object).unwrap().set_transform(at(3.0, 0.0));
    assert_eq!(middles(&scene), [8.0]);
    assert_eq!(middles(&before), [2.0]);
    scene.object_mut(above).unwrap().set_active(false);
    assert!(middles(&scene).is_empty());
    // Another scene has other objects of the same keys.
    let other = add(&mut scene, None, at(7.0, 0.0));
    give_sprite(&mut scene, other, Some(0), &[]);
    let mut another = Scene::new("Another");
    let first = add(&mut another, None, at(9.0, 0.0));
    give_sprite(&mut another, first, Some(0), &[]);
    assert_eq!((middles(&scene), middles(&another)), (vec![7.0], vec![9.0]));
    assert!(middles(&Scene::new("Empty")).is_empty());
    assert_eq!(middles(&scene), [7.0]);
}

#[test]
fn corners_follow_the_picture_and_points_are_found_in_it() {
    let texture = four_by_four();
    let mut scene = scene(40, 40);
    let back =
        add(&mut scene, None, Transform { rotation: 45.0, scale_x: 16.0, scale_y: 16.0, ..at(1.0, 0.0) });
    give_sprite(&mut scene, back, Some(0), &[]);
    let front = add(&mut scene, None, at(1.0, 0.0));
    give_sprite(&mut scene, front, Some(0), &[("flipHorizontal", true.into())]);
    let items = items(&scene, &texture);
    let p = Point::new;
    // 2 pixels are an eighth of a metre; the picture's left is at the right.
    let half = 0.0625;
    let expected = [p(1.0 + half, half), p(1.0 - half, half), p(1.0 - half, -half), p(1.0 + half, -half)];
    assert_eq!(items[1].corners, expected);
    assert_eq!(items[1].place_of(p(1.0 - half / 2.0, half / 2.0)), Some(p(0.75, 0.25)));
    // 2 metres a side on its corner reach 1.41 from the middle, along the axes only.
    assert!(items[0].contains(p(2.4, 0.0)) && !items[0].contains(p(2.0, 1.0)));
    let bounds = items[0].bounds();
    assert!((bounds.max.x - 1.0 - 2.0_f64.sqrt()).abs() < 1e-9, "{bounds:?}");
    assert!((bounds.min.y + 2.0_f64.sqrt()).abs() < 1e-9, "{bounds:?}");
    let found = |point| item_at(&items, point).map(|item| item.object);
    assert_eq!(found(p(1.0, 0.0)), Some(front));
    assert_eq!(found(p(2.0, 0.0)), Some(back));
    assert_eq!(found(p(5.0, 0.0)), None);
}

proptest! {
    #[test]
    fn a_sprite_as_it_is_shows_its_stored_pixels_in_their_places(
        frame in (0_i32..8, 0_i32..8, 1_i32..9, 1_i32..9),
        place in (-9_i32..9, -9_i32..9),
    ) {
        let sheet = Size::new(8, 8);
        let rect = PixelRect::new(frame.0, frame.1, frame.2, frame.3);
        let texture = texture(sheet, &numbers(sheet), &frames(&[[rect.x, rect.y, rect.width, rect.height]]));
        let mut scene = scene(12, 10);
        let object = add(&mut scene, None, at(place.0 as f32 * PIXEL, place.1 as f32 * PIXEL));
        give_sprite(&mut scene, object, Some(0), &[]);
        let drawn = rendered(&scene, &texture);
        let (size, rgba) = texture.decode_rect(rect);
        // The middle, the place with y up, then half of the frame back.
        let left = 6 + place.0 - size.width as i32 / 2;
        let top = 5 - place.1 - size.height as i32 / 2;
        for y in 0..10 {
            for x in 0..12 {
                let (column, row) = (x - left, y - top);
                let is_inside = PixelRect::of_image(size).contains(column.into(), row.into());
                let expected = if is_inside {
                    &rgba[(row * size.width as i32 + column) as usize * 4..][..4]
                } else {
                    &CLEAR.0[..]
                };
                prop_assert_eq!(&drawn.pixel(x as u32, y as u32).unwrap()[..], expected, "{} {}", x, y);
            }
        }
    }
}
