//! What a person does in the list of problems.

use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::*;
use crate::geometry::PixelRect;
use crate::model::FrameId;
use crate::session::Document;

const HERO: &str = "hero.png";

struct Bench {
    session: Session,
    state: UiState,
    is_dressed: bool,
    _folder: tempfile::TempDir,
}

/// Draws the list and carries out what it asks for, as the window does.
fn show(ui: &mut Ui, bench: &mut Bench) {
    if !std::mem::replace(&mut bench.is_dressed, true) {
        theme::install(ui);
        return;
    }
    let mut actions = Vec::new();
    super::ui(ui, &bench.session, &mut bench.state, &mut actions);
    for action in actions {
        bench.session.perform(action);
    }
    bench.session.pump();
}

/// The list for a sheet of 16 x 8 px with these frames, which is open.
fn list(frames: &str) -> Harness<'static, Bench> {
    let folder = tempfile::tempdir().unwrap();
    let picture = image::RgbaImage::from_fn(16, 8, |x, y| image::Rgba([x as u8, y as u8, 0, 255]));
    picture.save(folder.path().join(HERO)).unwrap();
    let sidecar = format!(
        r#"{{"guid": "0f8fad5b-d9cb-469f-a165-70867728950e", "slicing": {{"mode": "atlas", "frames": [{frames}]}}}}"#
    );
    std::fs::write(folder.path().join("hero.png.data"), sidecar).unwrap();
    let mut session = Session::new(None, Arc::new(|| ())).unwrap();
    session.perform(Action::Open(folder.path().to_owned()));
    wait(&mut session, |session| session.asset(HERO).is_some());
    session.perform(Action::OpenSheet(HERO.into()));
    wait(&mut session, |session| session.current().is_some_and(Document::is_ready));
    wait(&mut session, |session| session.problem_count() > 0);
    let bench = Bench { session, state: UiState::default(), is_dressed: false, _folder: folder };
    let mut harness = Harness::builder().with_size(egui::vec2(900.0, 200.0)).build_ui_state(show, bench);
    harness.run_steps(3);
    harness
}

fn wait(session: &mut Session, is_so: impl Fn(&Session) -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        session.pump();
        if is_so(session) {
            return;
        }
        assert!(Instant::now() < until, "it did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn click(harness: &mut Harness<'_, Bench>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(4);
}

fn document<'a>(harness: &'a Harness<'_, Bench>) -> &'a Document {
    harness.state().session.current().unwrap()
}

const OUTSIDE: &str =
    r#"{"x": 0, "y": 0, "width": 8, "height": 8}, {"x": 12, "y": 0, "width": 8, "height": 8}"#;
const TWO_OUTSIDE: &str =
    r#"{"x": -2, "y": 0, "width": 8, "height": 8}, {"x": 12, "y": 0, "width": 8, "height": 8}"#;

#[test]
fn a_frame_that_reaches_outside_is_clipped_by_its_button_and_undo_brings_it_back() {
    let mut harness = list(OUTSIDE);
    click(&mut harness, "Clip: frame 1 of hero.png");
    assert_eq!(document(&harness).sheet().frames[1].rect_in_image, PixelRect::new(12, 0, 4, 8));
    assert_eq!(document(&harness).history.undo_label(), Some("Clip 1 frame"));
    harness.get_by_label("No problems");
    harness.state_mut().session.perform(Command::Undo.into());
    harness.run_steps(4);
    harness.get_by_label_contains("Warning, hero.png, frame 1");
}

#[test]
fn a_kind_is_ignored_for_the_sheet_and_heeded_again() {
    let mut harness = list(OUTSIDE);
    click(&mut harness, "Ignore frames partly outside of hero.png");
    assert_eq!(document(&harness).history.undo_label(), Some("Ignore frames partly outside"));
    assert!(harness.query_by_label_contains("Warning, hero.png").is_none());
    harness.get_by_label("hero.png: Ignored: frames partly outside");
    harness.state_mut().session.perform(Command::Undo.into());
    harness.run_steps(4);
    harness.get_by_label_contains("Warning, hero.png, frame 1");
    click(&mut harness, "Ignore frames partly outside of hero.png");
    click(&mut harness, "Heed all problems of hero.png");
    harness.get_by_label_contains("Warning, hero.png, frame 1");
}

#[test]
fn several_of_a_kind_are_fixed_as_one_step_and_fold() {
    let mut harness = list(TWO_OUTSIDE);
    let group = "Warning, hero.png: 2 frames partly outside";
    click(&mut harness, group);
    assert!(harness.query_by_label("Clip: frame 1 of hero.png").is_none(), "folded");
    click(&mut harness, group);
    harness.get_by_label("Clip: frame 1 of hero.png");
    click(&mut harness, "Clip all: 2 frames partly outside of hero.png");
    assert_eq!(document(&harness).history.undo_label(), Some("Clip 2 frames"));
    harness.state_mut().session.perform(Command::Undo.into());
    harness.run_steps(4);
    harness.get_by_label(group);
}

#[test]
fn a_row_shows_its_frame_and_a_click_selects_it() {
    let mut harness = list(OUTSIDE);
    let row = harness.get_by_label_contains("Warning, hero.png, frame 1");
    let label = row.accesskit_node().label().unwrap();
    row.hover();
    harness.run_steps(2);
    assert!(harness.state().state.hover.next == Some((HERO.into(), FrameId(1))));
    // Beside its buttons.
    click(&mut harness, &label);
    assert_eq!(document(&harness).history.selection(), [FrameId(1)]);
}

#[test]
fn stepping_goes_from_problem_to_problem_and_around() {
    let mut harness = list(TWO_OUTSIDE);
    for (step, frame) in
        [(Step::Next, 0), (Step::Next, 1), (Step::Next, 0), (Step::Previous, 1), (Step::Previous, 0)]
    {
        harness.state_mut().state.problems.step(step);
        harness.run_steps(4);
        assert_eq!(document(&harness).history.selection(), [FrameId(frame)], "{step:?}");
    }
    assert!(harness.state().state.problems.is_open());
    // One that was mended meanwhile is begun after anew.
    click(&mut harness, "Clip: frame 0 of hero.png");
    harness.state_mut().state.problems.step(Step::Next);
    harness.run_steps(4);
    assert_eq!(document(&harness).history.selection(), [FrameId(1)]);
}

#[test]
fn stepping_where_there_are_no_problems_does_nothing() {
    let mut harness = list(OUTSIDE);
    click(&mut harness, "Clip: frame 1 of hero.png");
    let before = document(&harness).history.selection().to_vec();
    for step in [Step::Next, Step::Previous] {
        harness.state_mut().state.problems.step(step);
        harness.run_steps(4);
    }
    assert_eq!(document(&harness).history.selection(), before);
}
