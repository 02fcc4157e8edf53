//! What is said to be wrong with a sheet: by an import, by a check, and of a sheet that is being edited.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command as Program;

use cutsheet::edit::{Added, Edit};
use cutsheet::geometry::PixelRect;
use cutsheet::model::{Code, FrameId};
use cutsheet::registry::State;
use cutsheet::runtime::Texture;
use cutsheet::session::{Action, Command, Fix};
use serde_json::{Value, json};

use crate::running::{Running, new_session};

const HERO: &str = "assets/hero.png";
const GUID: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

/// A row of five cells of 8 x 8 px: a block, the same block, nothing, two blocks with a bridge from one to the other.
fn picture() -> image::RgbaImage {
    image::RgbaImage::from_fn(40, 8, |x, y| {
        let is_block = |left| (left..left + 4).contains(&x) && (2..6).contains(&y);
        let is_bridge = (30..34).contains(&x) && y == 3;
        let red = if x < 16 { 1 } else { x as u8 };
        let is_ink = is_block(2) || is_block(10) || is_block(26) || is_block(34) || is_bridge;
        image::Rgba(if is_ink { [red, 0, 0, 255] } else { [0; 4] })
    })
}

fn frames(names: &[&str]) -> Vec<Value> {
    let frames = names.iter().enumerate();
    frames
        .map(|(index, name)| json!({ "x": 8 * index, "y": 0, "width": 8, "height": 8, "name": name }))
        .collect()
}

fn project(slicing: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("assets")).unwrap();
    picture().save(folder.path().join(HERO)).unwrap();
    write_sidecar(folder.path(), slicing);
    folder
}

fn write_sidecar(folder: &Path, slicing: &Value) {
    let sidecar = json!({ "guid": GUID, "slicing": slicing });
    fs::write(folder.join(format!("{HERO}.data")), sidecar.to_string()).unwrap();
}

/// The exit status and each problem's code and frame.
fn told(command: &str, folder: &Path) -> (Option<i32>, Vec<(String, Option<u64>)>) {
    let mut program = Program::new(env!("CARGO_BIN_EXE_cutsheet"));
    let output = program.args([command, folder.to_str().unwrap(), "--json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let problems = report["problems"].as_array().unwrap().iter();
    let codes = problems.map(|it| (it["code"].as_str().unwrap().to_owned(), it["frame"].as_u64()));
    (output.status.code(), codes.collect())
}

fn expected(codes: &[(&str, u64)]) -> (Option<i32>, Vec<(String, Option<u64>)>) {
    (Some(0), codes.iter().map(|(code, frame)| ((*code).to_owned(), Some(*frame))).collect())
}

#[test]
fn check_and_import_tell_the_same_before_and_after_and_ignored_kinds_not_at_all() {
    let list = frames(&["run", "", "run", "", ""]);
    let folder = project(&json!({ "mode": "atlas", "frames": list }));
    let all = expected(&[
        ("name-duplicate", 2),
        ("frame-empty", 2),
        ("frames-identical", 1),
        ("ink-touching", 3),
        ("ink-touching", 4),
    ]);
    // What is stale is looked at by a check as by an import; after that the index knows.
    for command in ["check", "import", "check", "import"] {
        assert_eq!(told(command, folder.path()), all, "{command}");
    }
    // Another name alone makes no other texture, and what was found in the pixels stays true.
    let list = frames(&["run", "", "", "", ""]);
    write_sidecar(folder.path(), &json!({ "mode": "atlas", "frames": list }));
    for command in ["import", "check"] {
        assert_eq!(
            told(command, folder.path()),
            expected(&[
                ("frame-empty", 2),
                ("frames-identical", 1),
                ("ink-touching", 3),
                ("ink-touching", 4),
            ])
        );
    }
    let ignored = ["frame-empty", "ink-touching", "later"];
    write_sidecar(folder.path(), &json!({ "mode": "atlas", "frames": list, "ignoredProblems": ignored }));
    for command in ["check", "import", "check"] {
        assert_eq!(told(command, folder.path()), expected(&[("frames-identical", 1)]), "{command}");
    }
}

fn opened(slicing: &Value) -> Running {
    let folder = project(slicing);
    let mut running = Running { session: new_session(None), folder, effects: Vec::new() };
    running.do_now(Action::Open(running.folder.path().to_owned()));
    running
        .wait("the import", |it| it.session.asset(HERO).is_some_and(|asset| asset.state == State::UpToDate));
    running.open(HERO);
    running
}

/// Does something; then frames by the kind of their problems.
fn told_after(running: &mut Running, action: impl Into<Action>) -> BTreeMap<Code, Vec<u32>> {
    running.do_now(action);
    told_of(running)
}

fn told_of(running: &Running) -> BTreeMap<Code, Vec<u32>> {
    let mut told: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for problem in running.session.problems() {
        told.entry(problem.code).or_default().extend(problem.frame);
    }
    assert_eq!(running.session.problem_count(), running.session.problems().count());
    told
}

fn wait_until_told(running: &mut Running, expected: &BTreeMap<Code, Vec<u32>>) {
    running.wait(&format!("{expected:?}"), |it| told_of(it) == *expected);
}

/// Draws a frame over a cell of the picture.
fn draw(cell: i32) -> Action {
    Action::Edit(Edit::Add(Added::Draw, vec![(PixelRect::new(8 * cell, 0, 8, 8), "".into())]))
}

#[test]
fn the_pixels_of_unsaved_frames_are_told_of_without_a_save_and_an_undo_takes_that_back() {
    let mut running = opened(&json!({ "mode": "atlas", "frames": frames(&["run"]) }));
    assert_eq!(told_of(&running), BTreeMap::new());
    for (cell, code) in [(1, Code::FramesIdentical), (2, Code::FrameEmpty), (3, Code::InkTouching)] {
        running.do_now(draw(cell));
        wait_until_told(&mut running, &BTreeMap::from([(code, vec![1])]));
        assert_eq!(told_after(&mut running, Command::Undo), BTreeMap::new(), "{code:?}");
        running.do_now(Command::Redo);
        wait_until_told(&mut running, &BTreeMap::from([(code, vec![1])]));
        running.do_now(Command::Undo);
    }
    running.rest();
    assert_eq!(told_of(&running), BTreeMap::new(), "no answer comes late");
}

#[test]
fn an_unsaved_sheet_a_saved_one_and_an_import_are_told_the_same() {
    let mut running = opened(&json!({ "mode": "atlas", "frames": frames(&["run"]) }));
    // Faster than any look could be taken.
    for cell in [1, 2, 3, 4] {
        running.do_now(draw(cell));
    }
    let all = BTreeMap::from([
        (Code::FramesIdentical, vec![1]),
        (Code::FrameEmpty, vec![2]),
        (Code::InkTouching, vec![3, 4]),
    ]);
    wait_until_told(&mut running, &all);
    let unsaved: Vec<_> = running.session.problems().cloned().collect();
    running.do_now(Command::Save);
    let mut is_always_told = true;
    running.wait("the import", |it| {
        is_always_told &= told_of(it) == all;
        let asset = it.session.asset(HERO).unwrap();
        !it.document().is_dirty() && asset.state == State::UpToDate && asset.frames.len() == 5
    });
    assert!(is_always_told, "nothing flickers while it is imported");
    let saved: Vec<_> = running.session.problems().cloned().collect();
    let imported = running.session.asset(HERO).unwrap().problems.to_vec();
    assert_eq!(unsaved, saved);
    assert_eq!(saved, imported);
}

#[test]
fn what_is_repainted_outside_is_looked_at_again_under_unsaved_frames() {
    let mut running = opened(&json!({ "mode": "atlas", "frames": frames(&["run"]) }));
    running.do_now(draw(2));
    wait_until_told(&mut running, &BTreeMap::from([(Code::FrameEmpty, vec![1])]));
    let mut repainted = picture();
    repainted.put_pixel(20, 4, image::Rgba([9, 9, 9, 255]));
    repainted.save(running.image(HERO)).unwrap();
    wait_until_told(&mut running, &BTreeMap::new());
    assert!(running.document().is_dirty());
    picture().save(running.image(HERO)).unwrap();
    wait_until_told(&mut running, &BTreeMap::from([(Code::FrameEmpty, vec![1])]));
}

#[test]
fn an_open_sheet_is_told_of_as_it_is_now() {
    let mut running = opened(&json!({ "mode": "atlas", "frames": frames(&["run", "", "run", "", ""]) }));
    let all = BTreeMap::from([
        (Code::NameDuplicate, vec![2]),
        (Code::FrameEmpty, vec![2]),
        (Code::FramesIdentical, vec![1]),
        (Code::InkTouching, vec![3, 4]),
    ]);
    assert_eq!(told_of(&running), all);
    // Without the first frame the second is no copy any more, and the others have moved up.
    let told = told_after(&mut running, Action::Edit(Edit::Remove(vec![FrameId(0)])));
    assert_eq!(told, BTreeMap::from([(Code::FrameEmpty, vec![1]), (Code::InkTouching, vec![2, 3])]));
    assert_eq!(told_after(&mut running, Command::Undo), all);
    let told = told_after(&mut running, Action::Fix(HERO.into(), Code::NameDuplicate, vec![2]));
    assert!(!told.contains_key(&Code::NameDuplicate));
    let told = told_after(&mut running, Action::Fix(HERO.into(), Code::FramesIdentical, vec![1]));
    assert_eq!(told, BTreeMap::from([(Code::FrameEmpty, vec![1]), (Code::InkTouching, vec![2, 3])]));
    assert_eq!(running.document().history.undo_label(), Some("Delete 1 frame"));
    // The pixels of a frame that was moved are not known at once.
    running.wait("the study", |it| it.session.why_no_fix(Fix::Grow, HERO).is_none());
    let told = told_after(&mut running, Action::Fix(HERO.into(), Code::InkTouching, vec![2]));
    assert_eq!(running.document().sheet().frames[2].rect_in_image, PixelRect::new(24, 0, 14, 8));
    let overlap = (Code::FrameOverlap, vec![3]);
    assert_eq!(told, BTreeMap::from([(Code::FrameEmpty, vec![1]), (Code::InkTouching, vec![3]), overlap]));
    wait_until_told(&mut running, &told);
    let told = told_after(&mut running, Action::Edit(Edit::IgnoreProblems(Code::FrameOverlap)));
    assert!(!told.contains_key(&Code::FrameOverlap));
    running.do_now(Command::Save);
    running.wait("the import", |it| {
        let asset = it.session.asset(HERO).unwrap();
        !it.document().is_dirty() && asset.state == State::UpToDate && asset.frames.len() == 4
    });
    assert_eq!(
        told_of(&running),
        BTreeMap::from([(Code::FrameEmpty, vec![1]), (Code::InkTouching, vec![3])])
    );
    let told = told_after(&mut running, Action::Edit(Edit::HeedProblems));
    assert_eq!(told.get(&Code::FrameOverlap), Some(&vec![3]));
}

#[test]
fn frames_that_are_no_rectangles_are_errors_and_the_others_are_in_the_texture() {
    let list = json!([
        { "x": -657_667_686, "y": 0, "width": -884_205_686, "height": 8 },
        { "x": 0, "y": 0, "width": 0, "height": 0 },
        { "x": -4, "y": -4, "width": 12, "height": 12 },
        { "x": 8, "y": 0, "width": 8, "height": 8 },
    ]);
    let folder = project(&json!({ "mode": "atlas", "frames": list }));
    let (status, problems) = told("import", folder.path());
    let of_frames = |code: &str| {
        let positions = problems.iter().filter(|(told, _)| told == code).map(|(_, frame)| frame.unwrap());
        positions.collect::<Vec<_>>()
    };
    assert_eq!((status, of_frames("frame-invalid")), (Some(1), vec![0, 1]));
    assert_eq!(of_frames("frame-partly-outside"), [2]);
    let texture = Texture::load(&folder.path().join("cache").join(GUID)).unwrap();
    let rects: Vec<_> = texture.frames.iter().map(|frame| frame.rect).collect();
    assert_eq!(rects, [PixelRect::new(0, 0, 8, 8), PixelRect::new(8, 0, 8, 8)]);
}
