//! Sheets that go to a sidecar and back, and sidecars that say something odd.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::{problems, read, write};
use crate::format::json::Json;
use crate::format::sidecar::Sidecar;
use crate::geometry::{Offset, PixelRect, Size};
use crate::guid::Guid;
use crate::model::{
    Code, FormatChoice, Frame, FrameId, Grids, Leftover, Order, Problem, Recipe, Run, Severity, Sheet,
    TargetSettings, TextureSettings,
};
use crate::slicing::cells;
use crate::texture::{ChromaKey, Dithering, Insets, PixelFormat};

const IMAGE: Size = Size::new(64, 32);
const GUID: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

fn sidecar(slicing: &str) -> Sidecar {
    Sidecar::parse(format!(r#"{{"guid": "{GUID}", "slicing": {slicing}}}"#).as_bytes()).unwrap()
}

fn read_slicing(slicing: &str, image: Size) -> (Sheet, Vec<Problem>) {
    read(&sidecar(slicing), image, "player.png")
}

fn ids(sheet: &Sheet) -> Vec<u32> {
    sheet.frames.iter().map(|frame| frame.id.0).collect()
}

fn codes(problems: &[Problem]) -> Vec<Code> {
    problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn specks_beside_other_frames_are_told_unless_they_are_cells() {
    let frame = |id: u32, side| Frame::new(FrameId(id), PixelRect::new(id as i32 * 40, 0, side, side));
    let frames: Arc<[Frame]> =
        (0..).zip([32, 1, 32, 2, 3, 32, 32]).map(|(id, side)| frame(id, side)).collect();
    let sheet = Sheet { frames, next_frame_id: 7, ..Sheet::default() };
    let image = Size::new(280, 32);
    let found = problems(&sheet, image, "a.png");
    // 9 px are no speck.
    assert_eq!(codes(&found), [Code::FrameTiny; 2]);
    assert_eq!(found.iter().map(|problem| problem.frame).collect::<Vec<_>>(), [Some(1), Some(3)]);
    assert_eq!(
        found[0].message,
        "The frame has just 1 x 1 px, a speck beside the others: delete it if it is noise"
    );
    let grid = Grids { runs: vec![Run::of_cell(Size::new(1, 1))], leftover: Leftover::Clip };
    let sheet = Sheet { recipe: Some(Arc::new(Recipe::Grids(grid))), ..sheet };
    assert!(!codes(&problems(&sheet, image, "a.png")).contains(&Code::FrameTiny));
}

fn of_run(run: &Run, leftover: Leftover, image: Size) -> Sheet {
    let frames =
        cells(run, leftover, image).into_iter().zip(0..).map(|(rect, id)| Frame::new(FrameId(id), rect));
    let frames: Arc<[Frame]> = frames.collect();
    let next_frame_id = frames.len() as u32;
    let recipe = Some(Arc::new(Recipe::Grids(Grids { runs: vec![run.clone()], leftover })));
    Sheet { frames, recipe, next_frame_id, image_size_at_save: Some(image), ..Sheet::default() }
}

fn stored(sheet: &Sheet, image: Size) -> Json {
    let mut file = Sidecar::new(Guid::random());
    write(sheet, &mut file, image);
    file.json().get("slicing").cloned().unwrap_or_default()
}

fn json(text: &str) -> Json {
    Json::parse(text.as_bytes()).unwrap()
}

#[test]
fn a_plain_grid_is_stored_as_the_engines_grid_and_opens_as_one() {
    let sheet = of_run(&Run::of_cell(Size::new(16, 16)), Leftover::Drop, IMAGE);
    let expected = r#"{"mode": "grid", "frameWidth": 16, "frameHeight": 16, "imageSize": [64, 32]}"#;
    assert_eq!(stored(&sheet, IMAGE), json(expected));
    assert_eq!(read_slicing(expected, IMAGE), (sheet, vec![]));
}

#[test]
fn a_part_of_a_grid_is_stored_as_its_frames_so_that_no_missing_cell_comes_back() {
    let mut sheet = of_run(&Run::of_cell(Size::new(16, 16)), Leftover::Drop, IMAGE);
    sheet.frames = sheet.frames.iter().take(5).cloned().collect();
    let stored = stored(&sheet, IMAGE);
    assert_eq!(stored.get("mode").unwrap().as_str(), Some("atlas"));
    assert_eq!(stored.get("frames").unwrap().as_array().unwrap().len(), 5);
}

#[test]
fn every_other_grid_is_stored_as_its_frames_with_its_recipe() {
    let run =
        Run { offset: Offset::new(1, 1), spacing: Offset::new(1, 1), ..Run::of_cell(Size::new(32, 32)) };
    let image = Size::new(67, 34);
    let expected = r#"{"mode": "atlas", "frames": [{"x": 1, "y": 1, "width": 32, "height": 32},
        {"x": 34, "y": 1, "width": 32, "height": 32}], "imageSize": [67, 34],
        "recipe": {"runs": [{"cell": [32, 32], "offset": [1, 1], "spacing": [1, 1]}]}}"#;
    let sheet = of_run(&run, Leftover::Drop, image);
    assert_eq!(stored(&sheet, image), json(expected));
    assert_eq!(read_slicing(expected, image), (sheet, vec![]));
}

#[test]
fn names_ids_and_foreign_guids_of_a_grid_survive() {
    let mut sheet = of_run(&Run::of_cell(Size::new(32, 32)), Leftover::Drop, IMAGE);
    let foreign: Guid = GUID.parse().unwrap();
    let mut frames = sheet.frames.to_vec();
    frames[0].id = FrameId(7);
    frames[0].name = "idle".into();
    frames[1].foreign_guid = Some(foreign);
    sheet.frames = frames.into();
    sheet.next_frame_id = 9;
    let expected = format!(
        r#"{{"mode": "grid", "frameWidth": 32, "frameHeight": 32, "frameIds": [7, 1], "frameNames": {{"7": "idle"}},
        "frameGuids": {{"1": "{foreign}"}}, "nextFrameId": 9, "imageSize": [64, 32]}}"#
    );
    assert_eq!(stored(&sheet, IMAGE), json(&expected));
    assert_eq!(read_slicing(&expected, IMAGE), (sheet, vec![]));
}

#[test]
fn a_recipe_is_dropped_when_it_no_longer_gives_the_frames() {
    let text = |x| {
        format!(
            r#"{{"mode": "atlas", "frames": [{{"x": {x}, "y": 0, "width": 32, "height": 32}}],
            "recipe": {{"runs": [{{"cell": [32, 32], "count": 1}}]}}}}"#
        )
    };
    assert!(read_slicing(&text(0), IMAGE).0.recipe.is_some());
    assert_eq!(read_slicing(&text(1), IMAGE).0.recipe, None);
}

#[test]
fn cells_that_a_recipe_leaves_out_as_empty_may_be_missing() {
    let text = |x, skip| {
        format!(
            r#"{{"mode": "atlas", "frames": [{{"x": {x}, "y": 0, "width": 16, "height": 32}}],
            "recipe": {{"runs": [{{"cell": [16, 32]{skip}}}]}}}}"#
        )
    };
    assert!(read_slicing(&text(32, r#", "skipEmpty": 0"#), IMAGE).0.recipe.is_some());
    assert_eq!(read_slicing(&text(33, r#", "skipEmpty": 0"#), IMAGE).0.recipe, None);
    assert_eq!(read_slicing(&text(32, ""), IMAGE).0.recipe, None);
}

#[test]
fn one_side_of_a_grid_may_be_the_whole_image_and_stays_stored_so() {
    let (sheet, found) = read_slicing(r#"{"mode": "grid", "frameHeight": 16}"#, IMAGE);
    let rects: Vec<_> = sheet.frames.iter().map(|frame| frame.rect_in_image).collect();
    assert_eq!(rects, [PixelRect::new(0, 0, 64, 16), PixelRect::new(0, 16, 64, 16)]);
    assert_eq!(found, []);
    let (_, found) = read_slicing(r#"{"mode": "grid", "frameWidth": 0, "frameHeight": 16}"#, IMAGE);
    assert_eq!(codes(&found), [Code::SettingInvalid]);
    let mut file = sidecar(r#"{"mode": "grid", "frameHeight": 16}"#);
    write(&sheet, &mut file, IMAGE);
    let expected = r#"{"mode": "grid", "frameHeight": 16, "imageSize": [64, 32]}"#;
    assert_eq!(file.json().get("slicing"), Some(&json(expected)));
}

#[test]
fn a_grid_on_a_wider_image_keeps_ids_by_place_and_says_so() {
    let slicing = r#"{"mode": "grid", "frameWidth": 32, "frameHeight": 32, "imageSize": [64, 64]}"#;
    let wider = Size::new(96, 64);
    let (sheet, found) = read_slicing(slicing, wider);
    assert_eq!(ids(&sheet), [0, 1, 4, 2, 3, 5]);
    assert_eq!(sheet.next_frame_id, 6);
    assert_eq!(codes(&found), [Code::GridRenumbered]);

    let mut file = sidecar(slicing);
    write(&sheet, &mut file, wider);
    let (again, found) = read(&file, wider, "player.png");
    assert_eq!((ids(&again), found), (vec![0, 1, 4, 2, 3, 5], vec![]));
}

#[test]
fn ids_of_cells_that_an_image_lost_stay_retired() {
    let slicing = r#"{"mode": "grid", "frameWidth": 32, "frameHeight": 32, "imageSize": [96, 64]}"#;
    let narrower = Size::new(64, 64);
    let (sheet, found) = read_slicing(slicing, narrower);
    assert_eq!((ids(&sheet), sheet.next_frame_id), (vec![0, 1, 3, 4], 6));
    assert_eq!(codes(&found), [Code::GridRenumbered]);
    let mut file = sidecar(slicing);
    write(&sheet, &mut file, narrower);
    let (grown_again, _) = read(&file, Size::new(96, 64), "player.png");
    assert_eq!(ids(&grown_again), [0, 1, 6, 3, 4, 7]);
}

#[test]
fn a_strip_that_grows_at_its_end_is_not_renumbered() {
    let slicing = r#"{"mode": "grid", "frameWidth": 32, "frameHeight": 32, "imageSize": [64, 32]}"#;
    let (sheet, found) = read_slicing(slicing, Size::new(128, 32));
    assert_eq!((ids(&sheet), found), (vec![0, 1, 2, 3], vec![]));
    let taller = Size::new(64, 64);
    let (sheet, found) = read_slicing(slicing, taller);
    assert_eq!((ids(&sheet), found), (vec![0, 1, 2, 3], vec![]));
}

#[test]
fn new_cells_behind_a_list_of_ids_take_no_retired_one() {
    let slicing =
        r#"{"mode": "grid", "frameWidth": 16, "frameHeight": 32, "frameIds": [5, 1], "nextFrameId": 9}"#;
    assert_eq!(ids(&read_slicing(slicing, IMAGE).0), [5, 1, 9, 10]);
}

#[test]
fn unreadable_entries_keep_their_place_and_the_others_their_ids() {
    let slicing = r#"{"mode": "atlas", "frames": [null, {"x": 0, "y": 0, "width": 16, "height": 16}, {"x": 0.5},
        {"x": 4294967296, "y": 0, "width": 4294967312, "height": 16}, {"x": 8, "y": 8, "width": 8, "height": 8, "id": 0}]}"#;
    let (sheet, found) = read_slicing(slicing, IMAGE);
    let unreadable: Vec<_> = sheet.frames.iter().map(|frame| frame.unreadable).collect();
    assert_eq!(unreadable, [true, false, true, true, false]);
    // The first entry's position is an id that a frame has, so it takes a free one.
    assert_eq!(ids(&sheet), [5, 1, 2, 3, 0]);
    let frames: Vec<_> = found.iter().map(|problem| (problem.code, problem.frame)).collect();
    let invalid = [0, 2, 3].map(|index| (Code::FrameInvalid, Some(index)));
    assert_eq!(frames, [&invalid[..], &[(Code::FrameOverlap, Some(4))]].concat());
}

#[test]
fn frames_outside_empty_and_partly_outside_are_flagged_and_keep_their_numbers() {
    let slicing = r#"{"mode": "atlas", "frames": [{"x": -4, "y": -4, "width": 12, "height": 12},
        {"x": -657667686, "y": 0, "width": -884205686, "height": 4}, {"x": 0, "y": 0, "width": 0, "height": 0},
        {"x": 2147483647, "y": 2147483647, "width": 2147483647, "height": 2147483647},
        {"x": 0, "y": 0, "width": 8, "height": 8}]}"#;
    let (sheet, found) = read_slicing(slicing, Size::new(8, 8));
    assert_eq!(sheet.frames[0].rect_in_image, PixelRect::new(-4, -4, 12, 12));
    let expected = [
        (Code::FramePartlyOutside, Some(0)),
        (Code::FrameInvalid, Some(1)),
        (Code::FrameInvalid, Some(2)),
        (Code::FrameInvalid, Some(3)),
        // What is left of the first inside the image is all that the last has.
        (Code::FrameOverlap, Some(4)),
    ];
    assert_eq!(found.iter().map(|problem| (problem.code, problem.frame)).collect::<Vec<_>>(), expected);
}

#[test]
fn frames_over_each_other_and_names_in_use_twice_are_told_unless_that_is_ignored() {
    let slicing = |rest| {
        format!(
            r#"{{"mode": "atlas", "frames": [{{"x": 0, "y": 8, "width": 8, "height": 8, "name": "run"}},
            {{"x": 8, "y": 8, "width": 8, "height": 8}}, {{"x": 2, "y": 10, "width": 4, "height": 4, "name": "run"}},
            {{"x": 0, "y": 0, "width": 8, "height": 9}}, {{"x": 8, "y": 8, "width": 8, "height": 8}}]{rest}}}"#
        )
    };
    let (_, found) = read_slicing(&slicing(""), IMAGE);
    let told: Vec<_> = found.iter().map(|it| (it.code, it.frame, it.message.as_str())).collect();
    let end = "which is legal: move or resize one if it is not meant";
    assert_eq!(
        told,
        [
            (
                Code::NameDuplicate,
                Some(2),
                "The frame is named \"run\" as frame 0 is: whoever looks for the name finds one of them"
            ),
            (Code::FrameOverlap, Some(0), &*format!("The frame \"run\" shares 8 x 1 px with frame 3, {end}")),
            (Code::FrameOverlap, Some(2), &*format!("The frame \"run\" lies inside frame 0 \"run\", {end}")),
            (Code::FrameOverlap, Some(4), &*format!("The frame has the same place as frame 1, {end}")),
        ]
    );
    let (sheet, found) = read_slicing(&slicing(r#", "ignoredProblems": ["frame-overlap"]"#), IMAGE);
    assert_eq!((&*sheet.ignored, codes(&found)), (&[Code::FrameOverlap][..], vec![Code::NameDuplicate]));
    assert_eq!(problems(&sheet, IMAGE, ""), [Problem { path: "".into(), ..found[0].clone() }]);
}

#[test]
fn of_one_kind_two_hundred_are_listed_and_the_rest_is_counted() {
    let frames = (0..300).map(|id| Frame::new(FrameId(id), PixelRect::new(0, 0, 0, 4)));
    let sheet = Sheet { frames: frames.collect(), ..Sheet::default() };
    let found = problems(&sheet, IMAGE, "");
    assert_eq!((found.len(), found[199].frame, found[200].frame), (201, Some(199), None));
    assert_eq!(found[200].code, Code::FrameInvalid);
    assert!(found[200].message.starts_with("There are 100 more frames without pixels"));
}

#[test]
fn too_many_cells_are_an_error_and_not_expanded() {
    let dots = r#"{"mode": "grid", "frameWidth": 1, "frameHeight": 1}"#;
    let (sheet, found) = read_slicing(dots, Size::new(257, 255));
    assert_eq!((sheet.frames.len(), found), (65_535, vec![]));
    let (sheet, found) = read_slicing(dots, Size::new(30_000, 30_000));
    assert_eq!(sheet.frames.len(), 65_536);
    assert_eq!(codes(&found), [Code::TooManyFrames]);
    assert_eq!(found[0].severity, Severity::Error);
    let absurd =
        r#"{"mode": "grid", "frameWidth": 1, "frameHeight": 1, "imageSize": [4294967295, 4294967295]}"#;
    assert_eq!(ids(&read_slicing(absurd, Size::new(2, 2)).0).len(), 4);
}

#[test]
fn cells_that_do_not_fit_and_pixels_left_over_are_told() {
    let grid = |width, height| {
        read_slicing(&format!(r#"{{"frameWidth": {width}, "frameHeight": {height}}}"#), IMAGE)
    };
    let (sheet, found) = grid(128, 16);
    assert!(sheet.frames.is_empty() && sheet.is_sliced());
    assert_eq!(codes(&found), [Code::CellLargerThanImage]);
    let (_, found) = grid(15, 10);
    assert_eq!(codes(&found), [Code::LeftoverPixels]);
    assert!(found[0].message.starts_with("4 px at the right and 2 px at the bottom"));
    let margin =
        Run { offset: Offset::new(1, 1), spacing: Offset::new(1, 1), ..Run::of_cell(Size::new(32, 32)) };
    let image = Size::new(67, 34);
    assert_eq!(problems(&of_run(&margin, Leftover::Drop, image), image, ""), []);
}

#[test]
fn two_frames_with_one_id_are_told() {
    let slicing = r#"{"mode": "atlas", "frames": [{"x": 0, "y": 0, "width": 8, "height": 8, "id": 1},
        {"x": 8, "y": 0, "width": 8, "height": 8}]}"#;
    let (_, found) = read_slicing(slicing, IMAGE);
    assert_eq!((codes(&found), found[0].frame), (vec![Code::FrameIdDuplicate], Some(1)));
}

#[test]
fn entries_with_keys_of_other_tools_are_not_turned_into_a_grid() {
    let mut file =
        sidecar(r#"{"mode": "atlas", "frames": [{"x": 0, "y": 0, "width": 64, "height": 32, "pivot": 1}]}"#);
    let sheet = of_run(&Run::of_cell(IMAGE), Leftover::Drop, IMAGE);
    write(&sheet, &mut file, IMAGE);
    let frames = file.json().get("slicing").unwrap().get("frames").unwrap();
    assert_eq!(frames.as_array().unwrap()[0].get("pivot"), Some(&1_i64.into()));
    assert_eq!(read(&file, IMAGE, "").0, sheet);
}

#[test]
fn a_slicing_that_is_not_understood_survives_a_save_of_other_settings() {
    let mut file = sidecar(r#"{"frameWidth": 16.5, "frameHeight": "16"}"#);
    let (mut sheet, found) = read(&file, IMAGE, "");
    assert_eq!(codes(&found), [Code::SlicingInvalid, Code::SlicingInvalid]);
    Arc::make_mut(&mut sheet.settings).max_size = Some(32);
    write(&sheet, &mut file, IMAGE);
    let expected = r#"{"frameWidth": 16.5, "frameHeight": "16"}"#;
    assert_eq!(file.json().get("slicing"), Some(&json(expected)));
    assert_eq!(read(&file, IMAGE, "").0.settings.max_size, Some(32));
}

#[test]
fn taking_the_slicing_away_leaves_other_keys_and_remembers_the_ids() {
    let mut file = sidecar(
        r#"{"mode": "grid", "frameWidth": 32, "frameHeight": 32, "later": 1, "imageSize": [64, 32]}"#,
    );
    let (sheet, _) = read(&file, IMAGE, "");
    let uncut = Sheet { next_frame_id: sheet.first_free_id(), ..Sheet::default() };
    write(&uncut, &mut file, IMAGE);
    assert_eq!(file.json().get("slicing"), Some(&json(r#"{"later": 1, "nextFrameId": 2}"#)));
    assert_eq!(read(&file, IMAGE, ""), (uncut, vec![]));
}

fn any_insets() -> impl Strategy<Value = Insets> {
    (1..9_u16, any::<u16>(), any::<u16>(), any::<u16>()).prop_map(|(left, right, top, bottom)| Insets {
        left,
        right,
        top,
        bottom,
    })
}

fn any_settings() -> impl Strategy<Value = TextureSettings> {
    let dithering =
        prop_oneof![Just(Dithering::None), Just(Dithering::Ordered), Just(Dithering::FloydSteinberg)];
    let fixed = || (0..5_u32).prop_map(|number| PixelFormat::from_number(number).unwrap());
    let format = prop_oneof![Just(FormatChoice::Automatic), fixed().prop_map(FormatChoice::Fixed)];
    let target = (prop::option::of(fixed()), prop::option::of(1..9999_u32))
        .prop_map(|(format, max_size)| TargetSettings { format, max_size })
        .prop_filter("an entry that says nothing is none", |target| !target.is_empty());
    let key = any::<(u8, u8, u8)>().prop_map(|(red, green, blue)| ChromaKey { red, green, blue });
    (
        prop::option::of(format),
        prop::option::of(1..9999_u32),
        prop::option::of(dithering),
        prop::option::of(key),
        prop::option::of(any_insets()),
        prop::collection::btree_map(0..9_u32, any_insets(), 0..4),
        prop::collection::btree_map("[a-c]{1,2}".prop_map(Arc::from), target, 0..3),
    )
        .prop_map(|(format, max_size, dithering, chroma_key, nine_slice, by_id, targets)| {
            let frame_nine_slice: BTreeMap<_, _> =
                by_id.into_iter().map(|(id, sides)| (FrameId(id), sides)).collect();
            let nine_slice = nine_slice.unwrap_or_default();
            TextureSettings { format, max_size, dithering, chroma_key, nine_slice, frame_nine_slice, targets }
        })
}

fn any_run() -> impl Strategy<Value = Run> {
    let distance = || (-3..9_i32, -3..9_i32).prop_map(|(x, y)| Offset::new(x, y));
    let cap = || prop::option::of(0..9_u32);
    let order = prop_oneof![Just(Order::Rows), Just(Order::Columns), Just(Order::Serpentine)];
    let run =
        ("[a-z]{0,3}", (4..40_u32, 4..40_u32), distance(), distance(), cap(), cap(), order, 0..3_u32, cap());
    let odd =
        run.prop_map(|(name, (width, height), offset, spacing, columns, rows, order, start, count)| Run {
            name,
            cell: Size::new(width, height),
            offset,
            spacing,
            columns,
            rows,
            order,
            start,
            count,
            skip_empty: None,
        });
    let plain = (4..40_u32, 4..40_u32).prop_map(|(width, height)| Run::of_cell(Size::new(width, height)));
    prop_oneof![odd, plain]
}

/// Cut by a run or by hand, with names, GUIDs of others and ids in any order.
fn any_sheet() -> impl Strategy<Value = Sheet> {
    let rects = prop::collection::vec(any::<(i32, i32, i32, i32)>(), 0..6);
    let by_hand = rects.prop_map(|rects| {
        let rects = rects.into_iter().map(|(x, y, width, height)| PixelRect::new(x, y, width, height));
        let frames: Arc<[Frame]> = rects.zip(0..).map(|(rect, id)| Frame::new(FrameId(id), rect)).collect();
        Sheet { frames, ..Sheet::default() }
    });
    let by_run = (any_run(), any::<bool>())
        .prop_map(|(run, clip)| of_run(&run, if clip { Leftover::Clip } else { Leftover::Drop }, IMAGE));
    let ignored = prop::collection::vec(prop::sample::select(Code::ALL), 0..3);
    let marks = (prop::collection::vec(("\\PC{0,3}", any::<bool>()), 0..6), any::<bool>(), 0..5_u32, ignored);
    (prop_oneof![by_hand, by_run], marks, any_settings()).prop_map(|(mut sheet, marks, settings)| {
        let (of_frames, is_reversed, retired, ignored) = marks;
        let mut frames = sheet.frames.to_vec();
        for (frame, (name, is_foreign)) in frames.iter_mut().zip(of_frames) {
            frame.name = name.into();
            frame.foreign_guid =
                is_foreign.then(|| Guid::for_frame(GUID.parse().unwrap(), 1000 + frame.id.0));
        }
        let last = frames.len() as u32;
        for frame in frames.iter_mut().filter(|_| is_reversed) {
            frame.id = FrameId(last - 1 - frame.id.0);
        }
        sheet.next_frame_id = last + retired;
        sheet.frames = frames.into();
        sheet.settings = Arc::new(settings);
        sheet.image_size_at_save = sheet.is_sliced().then_some(IMAGE);
        let ignored = ignored.into_iter().filter(|code| code.can_be_ignored());
        ignored.fold(sheet, |sheet, code| sheet.ignoring(code))
    })
}

proptest! {
    #[test]
    fn sheets_survive_a_new_sidecar(sheet in any_sheet()) {
        let mut file = Sidecar::new(Guid::random());
        write(&sheet, &mut file, IMAGE);
        let file = Sidecar::parse(&file.to_bytes()).unwrap();
        prop_assert_eq!(read(&file, IMAGE, "").0, sheet);
    }

    #[test]
    fn one_sheet_can_be_saved_over_any_other(first in any_sheet(), second in any_sheet(), old_dialect in any::<bool>()) {
        let text = if old_dialect { r#"{"settings": {"sprite": {"a": 1.0, "a": 2}}, "z": []}"# } else { r#"{"slicing": {}, "z": []}"# };
        let mut file = Sidecar::parse(text.as_bytes()).unwrap();
        write(&first, &mut file, IMAGE);
        let after_first = file.clone();
        write(&second, &mut file, IMAGE);
        prop_assert_eq!(read(&file, IMAGE, "").0, second.clone());
        prop_assert_eq!(file.json().get("z"), Some(&Json::Array(vec![])));
        prop_assert_eq!(file.json().get("slicing").is_none(), old_dialect);
        let once = file.clone();
        write(&second, &mut file, IMAGE);
        prop_assert_eq!(&file, &once, "a second save changes nothing");
        write(&first, &mut file, IMAGE);
        prop_assert_eq!(read(&file, IMAGE, "").0, read(&after_first, IMAGE, "").0);
    }

    #[test]
    fn reading_never_panics_and_an_unchanged_save_keeps_every_value(
        text in "\\{\"(mode|frames|frameWidth|recipe)\": (\"atlas\"|\\[\\{\"x\": 1, \"id\": 3\\}, 4\\]|16|null|\\{\\})(, \"(frameHeight|frames|frameIds|nextFrameId|imageSize)\": (8|0|\\[1, \"b\"\\]|\\[8, 16\\]|-1)){0,3}\\}",
    ) {
        let mut file = sidecar(&text);
        let (sheet, _) = read(&file, IMAGE, "");
        let before = file.clone();
        write(&sheet, &mut file, IMAGE);
        let (again, _) = read(&file, IMAGE, "");
        if before.can_save().is_ok() {
            prop_assert_eq!(again.frames, sheet.frames);
        } else {
            prop_assert_eq!(file, before);
        }
    }
}
