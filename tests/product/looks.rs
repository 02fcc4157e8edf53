//! A few pictures of the window, held against those in `tests/snapshots`: what no label tells, such as outlines, plates and
//! the room between things. After a wanted change `UPDATE_SNAPSHOTS=1 cargo test --test product looks` makes them anew;
//! look at each before it is kept.

use cutsheet::edit::Edit;
use cutsheet::geometry::{Offset, Size};
use cutsheet::model::{FrameId, Run};
use cutsheet::session::{Action, Command, SceneDocument};
use eframe::egui::{Key, Modifiers};
use egui_kittest::SnapshotOptions;

use crate::harness::{TILES, Window};

/// Renderers round the edges of letters in their own ways.
fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(2.0).max_failed_pixels(400_usize)
}

/// Holds the window against a kept picture. Thumbnails come when they are ready, on a busy machine later.
fn hold(window: &mut Window, name: &str) {
    for _ in 0..8 {
        window.settle();
        if window.harness.try_snapshot_options(name, &options()).is_ok() {
            return;
        }
    }
    window.harness.snapshot_options(name, &options());
}

#[test]
fn a_cut_sheet_with_a_selected_frame() {
    let mut window = Window::photographed();
    window.open_sheet("tiles.png");
    window.decline_guess();
    let grid =
        Run { offset: Offset::new(1, 1), spacing: Offset::new(1, 1), ..Run::of_cell(Size::new(16, 16)) };
    window.perform(Action::Edit(Edit::SetGrid(grid)));
    window.perform(Action::SelectFrames(vec![FrameId(10)]));
    window.perform(Command::Save);
    window.wait("the texture", |app| {
        let asset = app.session().asset(TILES);
        asset.is_some_and(|asset| asset.frames.len() == 32 && !app.session().documents()[0].is_dirty())
    });
    hold(&mut window, "cut_sheet");
}

#[test]
fn a_guess_over_the_picture() {
    let mut window = Window::photographed();
    window.open_sheet("tiles.png");
    window.wait("a guess", |app| app.session().proposal().is_some());
    hold(&mut window, "guess");
}

#[test]
fn the_list_of_keys() {
    let mut window = Window::photographed();
    window.key(Modifiers::NONE, Key::F1);
    hold(&mut window, "keys");
}

#[test]
fn a_scene_with_a_selected_object_and_the_frames_of_a_sheet_below() {
    let mut window = Window::photographed();
    window.open_sheet("player.png");
    window.perform(Action::OpenScene("assets/scenes/level.scene".into()));
    window.wait("the scene", |app| app.session().scene().is_some_and(SceneDocument::is_ready));
    window.click("Sword");
    hold(&mut window, "scene");
}

#[test]
fn a_panel_whose_borders_are_edited() {
    let mut window = Window::photographed();
    window.open_sheet("panel.png");
    window.perform(Action::SelectFrames(vec![FrameId(0)]));
    window.key(Modifiers::NONE, Key::Num9);
    window.key(Modifiers::NONE, Key::Escape);
    hold(&mut window, "nine_slice");
}
