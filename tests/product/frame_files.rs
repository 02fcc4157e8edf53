//! Frames saved as PNG files from the window.

use std::fs;
use std::path::PathBuf;

use cutsheet::session::FrameStage;
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use image::RgbaImage;

use crate::harness::Window;

fn opened() -> Window {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    window
}

fn file(window: &Window, name: &str) -> PathBuf {
    window.folder.path().join("frames/player").join(name)
}

fn stage_is(window: &mut Window, what: &str, is_so: impl Fn(&FrameStage) -> bool) {
    window.wait(what, |app| app.session().frame_saving().is_some_and(|saving| is_so(&saving.stage)));
}

fn done(window: &mut Window) {
    stage_is(window, "the report", |stage| matches!(stage, FrameStage::Done(_)));
}

fn open_window(window: &mut Window) {
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::E);
    assert!(window.sees("Save frames as PNG"));
}

fn pixels(path: &std::path::Path) -> RgbaImage {
    image::open(path).unwrap().into_rgba8()
}

/// Frame 7 of the sheet: 32 x 32 pixels in its second column and row.
fn frame_7(window: &Window) -> RgbaImage {
    let sheet = pixels(&window.folder.path().join("assets/sprites/player.png"));
    image::imageops::crop_imm(&sheet, 32, 32, 32, 32).to_image()
}

#[test]
fn all_frames_are_files_with_the_pixels_of_the_sheet_and_every_name_is_shown_before() {
    let mut window = opened();
    open_window(&mut window);
    assert!(window.sees("Frame 0: player_00.png") && !file(&window, "player_00.png").exists());
    window.key(Modifiers::NONE, Key::Enter);
    done(&mut window);
    assert!(window.sees("18 files written to"));
    assert_eq!(fs::read_dir(file(&window, "")).unwrap().count(), 18);
    assert_eq!(pixels(&file(&window, "player_07.png")), frame_7(&window));
    window.harness.run_steps(100);
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.harness.state().session().frame_saving().is_none(), "the report stays until it is closed");
}

#[test]
fn selected_frames_are_named_by_a_pattern() {
    let mut window = opened();
    window.click("Strip frame 7");
    open_window(&mut window);
    window.type_here("hero_{row}_{n:03}");
    assert!(window.sees("Frame 7: hero_1_007.png"));
    window.click("Save 1 file");
    done(&mut window);
    assert_eq!(fs::read_dir(file(&window, "")).unwrap().count(), 1);
    assert_eq!(pixels(&file(&window, "hero_1_007.png")), frame_7(&window));
}

#[test]
fn a_pattern_that_is_none_says_why_and_nothing_is_saved() {
    let mut window = opened();
    open_window(&mut window);
    window.type_here("walk_{n");
    assert!(window.sees("Pattern, character 6"));
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.harness.state().session().frame_saving().is_none());
    assert!(window.sees("Save frames as PNG"));
}

#[test]
fn files_that_are_there_are_listed_and_replaced_only_after_a_yes() {
    let mut window = opened();
    fs::create_dir_all(file(&window, "")).unwrap();
    fs::write(file(&window, "player_07.png"), "mine").unwrap();
    let asks = |window: &mut Window| {
        open_window(window);
        window.key(Modifiers::NONE, Key::Enter);
        stage_is(
            window,
            "the question",
            |stage| matches!(stage, FrameStage::Asks(files) if files.len() == 1),
        );
    };
    asks(&mut window);
    assert!(window.sees("1 file is there already and would be replaced"));
    assert!(window.sees("player_07.png"));
    window.click("Cancel");
    assert_eq!(fs::read(file(&window, "player_07.png")).unwrap(), b"mine");
    assert_eq!(fs::read_dir(file(&window, "")).unwrap().count(), 1, "nothing else was written");
    asks(&mut window);
    window.click("Replace");
    done(&mut window);
    assert_eq!(pixels(&file(&window, "player_07.png")), frame_7(&window));
}

#[test]
fn a_folder_that_cannot_be_made_is_told_with_its_path() {
    let mut window = opened();
    fs::write(window.folder.path().join("frames"), "a file").unwrap();
    open_window(&mut window);
    window.key(Modifiers::NONE, Key::Enter);
    done(&mut window);
    assert!(window.sees("Not all were saved. 0 files written"));
    assert!(window.sees("cannot be made a folder"));
    assert!(window.harness.get_by_label("Open folder").accesskit_node().is_disabled());
}
