//! The popups by their accessible labels.

use eframe::egui;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::bench::Bench;
use crate::geometry::PixelRect;
use crate::session::Command;

fn renaming(ids: &[u32]) -> Bench {
    let mut bench = Bench::new();
    bench.rename(7, "walk_02");
    bench.select(ids);
    bench.key(Key::F2);
    bench
}

#[test]
fn six_frames_are_renamed_by_a_pattern_and_enter() {
    let mut bench = renaming(&[0, 1, 2, 3, 4, 5]);
    assert!(bench.is_focused("Name pattern") && bench.sees("no name becomes hero_05"));
    bench.text("run_{n:02}");
    assert!(bench.sees("no name becomes run_05") && !bench.is_disabled("Rename 6 frames"));
    bench.key(Key::Enter);
    assert_eq!(bench.names()[..6], ["run_00", "run_01", "run_02", "run_03", "run_04", "run_05"]);
    assert_eq!(bench.steps().0, Some("Rename 6 frames"));
    assert!(!bench.sees("Name pattern"));
    bench.key_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.names()[..2], ["", ""]);
}

#[test]
fn a_key_right_behind_enter_is_not_the_popup_s() {
    let mut bench = renaming(&[0, 1]);
    bench.harness.key_press(Key::Enter);
    bench.harness.step();
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    bench.settle();
    assert_eq!(bench.names()[..2], ["", ""], "undone at once");
}

#[test]
fn a_longer_list_than_last_time_shows_as_well() {
    let mut bench = renaming(&[0, 1]);
    bench.key(Key::Escape);
    bench.select(&[0, 1, 2, 3, 4, 5, 6]);
    bench.key(Key::F2);
    let last = bench.harness.get_by_label("no name becomes hero_06").rect();
    let button = bench.harness.get_by_label("Rename 7 frames").rect();
    assert!(last.bottom() < button.top() && button.bottom() < 720.0, "{last:?} {button:?}");
}

#[test]
fn frames_that_would_share_a_name_are_counted() {
    let mut bench = renaming(&[0, 1, 2]);
    bench.text("jump");
    assert!(bench.sees("3 frames would be called jump") && bench.is_disabled("Rename 3 frames"));
}

#[test]
fn names_that_are_taken_are_said_and_the_suggestion_mends_them() {
    let mut bench = renaming(&[0, 1, 2]);
    bench.text("walk_{n:02}");
    assert!(bench.sees("walk_02 is taken") && bench.is_disabled("Rename 3 frames"));
    bench.key(Key::Enter);
    assert!(bench.is_focused("Name pattern"), "it is not done");
    assert_eq!(bench.names()[0], "");
    bench.click("Use walk_{n:02} from 3");
    assert!(!bench.sees("taken"));
    bench.click("Rename 3 frames");
    assert_eq!(bench.names()[..3], ["walk_03", "walk_04", "walk_05"]);
}

#[test]
fn a_pattern_that_is_none_is_said_in_words() {
    let mut bench = renaming(&[0, 1]);
    bench.text("a{");
    assert!(bench.sees("character 2: this { is not closed") && bench.is_disabled("Rename 2 frames"));
    bench.key(Key::Escape);
    assert!(!bench.sees("Name pattern"));
    assert_eq!(bench.names()[0], "");
}

#[test]
fn start_and_step_come_after_the_pattern() {
    let mut bench = renaming(&[0, 1]);
    bench.key(Key::Tab);
    bench.text("8");
    assert!(bench.sees("no name becomes hero_08"));
    bench.key(Key::Tab);
    bench.text("4");
    assert!(bench.sees("no name becomes hero_12"));
    bench.key(Key::Enter);
    assert_eq!(bench.names()[..2], ["hero_08", "hero_12"]);
}

#[test]
fn one_frame_is_renamed_over_its_caption() {
    let mut bench = renaming(&[1]);
    assert!(bench.is_focused("Name of frame 1") && !bench.sees("Rename frame 1"));
    bench.text("jump");
    bench.key(Key::Enter);
    assert_eq!(bench.names()[1], "jump");
    bench.key(Key::F2);
    bench.text("fall");
    bench.key(Key::Escape);
    assert_eq!(bench.names()[1], "jump");
    assert!(!bench.sees("Name of frame 1"));
    assert_eq!(bench.selected(), [1], "Escape was the field's");
}

#[test]
fn a_name_that_another_frame_has_is_not_taken() {
    let mut bench = renaming(&[1]);
    bench.text("walk_02");
    assert!(bench.sees("Frame 7 has this name"));
    bench.key(Key::Enter);
    assert!(bench.is_focused("Name of frame 1"));
    bench.text("x");
    bench.key(Key::Enter);
    assert_eq!(bench.names()[1], "walk_02x");
}

#[test]
fn rows_are_named_one_after_the_other() {
    let mut bench = Bench::new();
    bench.command(Command::NameRows);
    assert!(bench.is_focused("Name of row 0") && bench.is_disabled("Name frames"));
    bench.text("idle");
    assert!(bench.sees("idle_00 … idle_03"));
    bench.key(Key::Enter);
    assert!(bench.is_focused("Name of row 1"));
    bench.text("walk");
    bench.key(Key::Enter);
    let expected = ["idle_00", "idle_01", "idle_02", "idle_03", "walk_00", "walk_01", "walk_02", "walk_03"];
    assert_eq!(bench.names(), expected);
    assert_eq!(bench.steps().0, Some("Rename 8 frames"));
}

#[test]
fn a_row_without_a_name_is_left_alone_and_its_names_are_not_given_again() {
    let mut bench = Bench::new();
    bench.rename(0, "walk_01");
    bench.command(Command::NameRows);
    bench.key(Key::Enter);
    bench.text("walk");
    assert!(bench.sees("1 of these names is another frame's") && bench.is_disabled("Name 4 frames"));
    bench.text("s");
    bench.key_with(Modifiers::COMMAND, Key::Enter);
    assert_eq!((bench.names()[0].as_str(), bench.names()[4].as_str()), ("walk_01", "walks_00"));
}

#[test]
fn a_frame_is_split_by_columns_and_rows() {
    let mut bench = Bench::new();
    bench.select(&[1]);
    bench.key_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::M);
    assert!(bench.is_focused("Split columns") && bench.sees("2 parts of 8 x 16 px"));
    let preview = bench.harness.state().state.popups.split_preview().map(<[PixelRect]>::len);
    assert_eq!(preview, Some(2));
    bench.key(Key::Tab);
    bench.text("2");
    assert!(bench.sees("4 parts of 8 x 8 px"));
    bench.key(Key::Enter);
    assert_eq!(
        bench.rects()[1..5].iter().map(|rect| (rect.x, rect.y)).collect::<Vec<_>>(),
        [(16, 0), (24, 0), (16, 8), (24, 8)]
    );
    assert_eq!(bench.steps().0, Some("Split into 4"));
    assert!(bench.harness.state().state.popups.split_preview().is_none());
}

#[test]
fn a_frame_is_split_by_size_and_what_is_left_over_is_said() {
    let mut bench = Bench::new();
    bench.select(&[0]);
    bench.command(Command::SplitFrame);
    bench.text("1");
    assert!(bench.is_disabled("Split into 1"));
    bench.click("Size of a part");
    bench.text("5");
    assert!(bench.sees("3 parts of 5 x 16 px") && bench.sees("1 px left over at the right"));
    bench.key(Key::Escape);
    bench.key(Key::Escape);
    assert_eq!(bench.ids().len(), 8);
}

#[test]
fn the_palette_runs_a_command_and_not_one_that_is_disabled() {
    let mut bench = Bench::new();
    bench.key_with(Modifiers::COMMAND, Key::P);
    assert!(bench.is_focused("Find a command"));
    bench.text("frames merge");
    assert!(bench.is_disabled("Merge frames"));
    bench.key(Key::Enter);
    assert!(bench.is_focused("Find a command"), "it stays");
    assert_eq!(bench.ids().len(), 8);
    bench.key(Key::Escape);
    assert!(!bench.sees("Find a command"));
    bench.select(&[0, 1]);
    bench.key_with(Modifiers::COMMAND, Key::P);
    bench.text("merge");
    bench.key(Key::Enter);
    assert_eq!(bench.ids().len(), 7);
    assert!(!bench.sees("Find a command"));
}

#[test]
fn the_palette_finds_frames_and_sheets() {
    let mut bench = Bench::new();
    bench.rename(3, "walk_03");
    bench.key_with(Modifiers::COMMAND, Key::P);
    bench.text("walk");
    bench.click("Select frame 3 walk_03");
    assert_eq!(bench.selected(), [3]);
    bench.key_with(Modifiers::COMMAND, Key::P);
    bench.text("5");
    bench.key(Key::Enter);
    assert_eq!(bench.selected(), [5]);
    bench.key_with(Modifiers::COMMAND, Key::P);
    bench.text("hero");
    assert!(bench.sees("Open sheet hero.png"));
    bench.key_with(Modifiers::COMMAND, Key::P);
    assert!(!bench.sees("Find a command"), "its key closes it");
}

#[test]
fn arrow_keys_choose_in_the_palette_and_a_command_may_open_another_popup() {
    let mut bench = Bench::new();
    bench.select(&[0, 1]);
    bench.key_with(Modifiers::COMMAND, Key::P);
    bench.text("align left");
    bench.key(Key::ArrowDown);
    bench.key(Key::ArrowUp);
    bench.key_with(Modifiers::COMMAND, Key::A);
    bench.text("rename");
    bench.key(Key::Enter);
    assert!(bench.is_focused("Name pattern"));
}

#[test]
fn the_history_goes_where_it_is_clicked_and_stays_open() {
    let mut bench = Bench::new();
    bench.rename(0, "one");
    bench.rename(1, "two");
    bench.command(Command::History);
    assert!(bench.sees("Step 3, Rename 1 frame, present"));
    bench.click("Step 1, Grid 16 x 16");
    assert_eq!((bench.steps().1, bench.names()[0].as_str()), (1, ""));
    assert!(bench.sees("Step 2, Rename 1 frame, undone"));
    bench.click("Step 0, Opened");
    assert!(bench.ids().is_empty());
    bench.click("Step 3, Rename 1 frame, undone");
    assert_eq!(bench.names()[..2], ["one", "two"]);
    bench.command(Command::History);
    assert!(!bench.sees("Step 0"));
}
