//! The whole window by its accessible labels: what a person clicks, types and reads.

use std::fs;
use std::time::{Duration, Instant};

use cutsheet::app::App;
use cutsheet::registry::State;
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::Value;

use crate::harness::{TILES, Window};

#[test]
fn the_start_page_says_what_to_do() {
    let mut window = Window::start_page();
    window.harness.run_steps(4);
    for label in ["Open project…", "New project…", "Open image…"] {
        assert!(window.sees(label), "{label}");
    }
}

#[test]
fn a_sheet_is_cut_by_typing_and_saved_within_six_actions() {
    let mut window = Window::sample();
    window.open_sheet("tiles.png"); // 1
    window.decline_guess(); // 2, if there was one
    assert!(window.sees("Not sliced yet"));
    window.type_here("16"); // 3
    window.key(Modifiers::NONE, Key::Tab);
    window.type_here("1"); // 4
    window.key(Modifiers::NONE, Key::Tab);
    window.type_here("1"); // 5
    window.key(Modifiers::NONE, Key::Tab);
    assert_eq!(window.frames(), 32);
    window.key(Modifiers::COMMAND, Key::S); // 6
    window.wait("the save", |app| !app.session().current().unwrap().is_dirty());
    let sidecar = fs::read(window.folder.path().join(format!("{TILES}.data"))).unwrap();
    let sidecar: Value = serde_json::from_slice(&sidecar).unwrap();
    let run = &sidecar["slicing"]["recipe"]["runs"][0];
    assert_eq!(
        (&run["cell"], &run["offset"], &run["spacing"]),
        (&Value::from(vec![16, 16]), &Value::from(vec![1, 1]), &Value::from(vec![1, 1]))
    );
}

#[test]
fn leftover_pixels_are_named_and_the_right_spacing_is_offered_first() {
    let mut window = Window::sample();
    window.open_sheet("tiles.png");
    window.decline_guess();
    window.type_here("16");
    window.key(Modifiers::NONE, Key::Tab);
    window.type_here("1");
    window.key(Modifiers::NONE, Key::Tab);
    // (137 - 1) / 16 leaves 8, (69 - 1) / 16 leaves 4.
    assert!(window.sees("8 px right, 4 px bottom left over"));
    let first =
        window.harness.query_all_by_label_contains("spacing 1").next().unwrap().accesskit_node().label();
    window.click(&first.unwrap());
    assert_eq!(window.frames(), 32);
    assert!(!window.sees("4 px bottom left over"));
}

#[test]
fn a_click_on_a_frame_selects_it_everywhere_and_undo_takes_a_grid_back() {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    window.click("Strip frame 6");
    let selected: Vec<_> = {
        let document = window.harness.state().session().current().unwrap();
        document.selected_frames().map(|(index, _)| index).collect()
    };
    assert_eq!(selected, [6]);
    window.harness.run_steps(4);
    assert!(window.sees("32 x 32 at 0, 32"), "the preview names the frame's place");
    window.key(Modifiers::COMMAND, Key::A);
    let count = window.harness.state().session().current().unwrap().history.selection().len();
    assert_eq!(count, 18);
}

#[test]
fn closing_a_changed_sheet_asks_and_escape_keeps_it_open() {
    let mut window = Window::sample();
    window.open_sheet("tiles.png");
    window.decline_guess();
    window.type_here("16");
    window.key(Modifiers::NONE, Key::Enter);
    window.key(Modifiers::COMMAND, Key::W);
    assert!(window.harness.state().session().question().is_some());
    assert!(window.sees("Discard"));
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.harness.state().session().question().is_none());
    assert_eq!(window.harness.state().session().documents().len(), 1);
    window.key(Modifiers::COMMAND, Key::W);
    window.click("Discard changes");
    assert!(window.harness.state().session().documents().is_empty());
}

#[test]
fn a_broken_image_says_why_where_the_picture_is_and_comes_back() {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    let file = window.folder.path().join("assets/sprites/player.png");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..200]).unwrap();
    let state = |app: &App| app.session().asset("assets/sprites/player.png").map(|asset| asset.state);
    window.wait("the failure", |app| state(app) == Some(State::Failed));
    assert!(window.sees("Retry"));
    assert!(window.sees("1 problem"));
    fs::write(&file, &whole).unwrap();
    window.wait("the repair", |app| state(app) == Some(State::UpToDate));
    assert!(!window.sees("Retry"));
}

#[test]
fn a_repainted_image_offers_to_show_what_it_was() {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    window.harness.run_steps(8);
    let file = window.folder.path().join("assets/sprites/player.png");
    let mut picture = cutsheet::sample::bench::sheet(192, 32);
    picture.size.height = 96;
    picture.rgba.truncate(192 * 96 * 4);
    fs::write(&file, cutsheet::sample::encode_png(&picture, false, cutsheet::sample::Effort::Fast)).unwrap();
    window.wait("the message", |app| {
        app.session().toasts().shown().iter().any(|toast| toast.text.contains("changed outside"))
    });
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(500) {
        window.harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    window.click("Show changes");
    assert!(window.sees("as it was before it changed outside"));
    window.click("Show changes");
    assert!(!window.sees("as it was before it changed outside"));
}

#[test]
fn an_open_window_that_nothing_happens_in_asks_for_no_repaint() {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    // Pictures arrive and toasts go.
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(1500) {
        window.harness.step();
        std::thread::sleep(Duration::from_millis(10));
    }
    // Fails by itself when the window does not come to rest within its steps.
    window.harness.run();
}
