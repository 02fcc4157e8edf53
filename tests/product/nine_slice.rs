//! Nine-slice borders by accessible labels, and what the saved sidecar and an open scene make of them.

use std::fs;

use cutsheet::edit::{Bordered, Edit};
use cutsheet::geometry::{PixelRect, Size};
use cutsheet::model::FrameId;
use cutsheet::model::scene::RenderMode;
use cutsheet::runtime::{Fault, Fill, Memo, PictureKey, Texture, compose, file_of};
use cutsheet::sample::{Effort, Picture, encode_png};
use cutsheet::session::{Action, Bitmap, Command, SceneDocument, Stretch};
use cutsheet::texture::Insets;
use eframe::egui::{Key, Modifiers, Pos2, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::json;

use crate::harness::Window;
use crate::running::{Running, sidecar_json};

const PANEL: &str = "assets/sprites/panel.png";

/// The sample's panels with these frames selected, in the nine-slice mode.
fn panels(selected: &[u32]) -> Window {
    let mut window = Window::sample();
    window.open_sheet("panel.png");
    window.perform(Action::SelectFrames(selected.iter().copied().map(FrameId).collect()));
    window.key(Modifiers::NONE, Key::Num9);
    window
}

/// Whether borders are being edited.
fn is_on(window: &Window) -> bool {
    window.sees("Leave nine-slice")
}

fn borders(window: &Window, id: u32) -> Insets {
    window.document().sheet().settings.borders_of(Some(FrameId(id)))
}

fn insets(left: u16, top: u16, right: u16, bottom: u16) -> Insets {
    Insets { left, right, top, bottom }
}

fn steps(window: &Window) -> Vec<&str> {
    window.document().history.steps().0
}

fn number(window: &Window, field: &str) -> String {
    window.harness.get_by_label(field).accesskit_node().value().unwrap_or_default()
}

/// A point of the panel's frame on the canvas, in its pixels.
fn in_panel(window: &Window, x: f32, y: f32) -> Pos2 {
    let rect = window.place("Frame 0 panel");
    pos2(rect.left() + rect.width() * x / 48.0, rect.top() + rect.height() * y / 48.0)
}

#[test]
fn a_panel_gets_its_borders_within_six_actions() {
    let mut window = Window::sample();
    window.open_sheet("panel.png");
    let at = window.place("Frame 0 panel").center();
    window.button_click(at); // 1
    window.key(Modifiers::NONE, Key::Num9); // 2
    for guide in ["left", "top", "right", "bottom"] {
        assert!(window.sees(&format!("Guide of the {guide} border, 12 px")), "{guide}");
    }
    window.type_here("8"); // 3
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(borders(&window, 0), Insets::all(8));
    assert_eq!(number(&window, "Preview width"), "96 px", "twice the width");
    let corner = window.harness.get_by_label("Corner of the stretched preview").rect().center();
    window.drag(corner, corner + eframe::egui::vec2(-20.0, 20.0), false); // 4
    // The box holds 96 x 48 px twice as large.
    assert_eq!(
        (number(&window, "Preview width"), number(&window, "Preview height")),
        ("86 px".into(), "58 px".into())
    );
    assert_eq!(steps(&window), ["Nine-slice 1 frame"], "the preview is nobody's but the eye's");
    window.key(Modifiers::COMMAND, Key::S); // 5, and the sixth is for several frames
    window.wait("the save", |app| !app.session().current().unwrap().is_dirty());
    let sidecar = sidecar_json(&window.folder.path().join(format!("{PANEL}.data")));
    let expected = json!({ "0": [8, 8, 8, 8], "1": [5, 6, 6, 6], "2": [5, 6, 6, 6] });
    assert_eq!(sidecar["settings"]["frame_nine_slice"], expected);
}

#[test]
fn a_guide_that_is_dragged_is_one_step_and_saved_top_right_bottom_left() {
    let mut window = panels(&[0]);
    let (from, to) = (in_panel(&window, 12.0, 30.0), in_panel(&window, 5.0, 30.0));
    window.drag(from, to, false);
    assert_eq!(borders(&window, 0), insets(5, 12, 12, 12));
    let (from, to) = (in_panel(&window, 36.0, 12.0), in_panel(&window, 33.0, 7.0));
    window.drag(from, to, false);
    assert_eq!(borders(&window, 0), insets(5, 7, 15, 12), "a corner is two guides");
    assert_eq!(steps(&window), ["Nine-slice 1 frame", "Nine-slice 1 frame"]);
    window.key(Modifiers::COMMAND, Key::S);
    window.wait("the save", |app| !app.session().current().unwrap().is_dirty());
    let sidecar = sidecar_json(&window.folder.path().join(format!("{PANEL}.data")));
    assert_eq!(sidecar["settings"]["frame_nine_slice"]["0"], json!([7, 15, 12, 5]));
    window.key(Modifiers::NONE, Key::Escape);
    window.key(Modifiers::NONE, Key::Escape);
    assert!(!is_on(&window));
    window.key(Modifiers::COMMAND, Key::Z);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(borders(&window, 0), Insets::all(12));
}

#[test]
fn a_drag_is_given_up_by_escape_and_stops_where_a_device_would_refuse() {
    let mut window = panels(&[0]);
    let from = in_panel(&window, 12.0, 30.0);
    let far = in_panel(&window, 60.0, 30.0);
    window.drag(from, far, true);
    // 48 - 12 - 1.
    assert_eq!(number(&window, "Left border"), "35 px", "the panel follows the drag");
    assert!(window.sees("Left and right together stay below 48 px: a device draws nothing without a middle"));
    assert_eq!(borders(&window, 0), Insets::all(12), "nothing is changed before it is let go");
    window.key(Modifiers::NONE, Key::Escape);
    window.button(far, false);
    assert!(steps(&window).is_empty() && window.sees("Guide of the left border, 12 px"));
    assert!(is_on(&window), "Escape was the drag's");
    window.drag(from, far, false);
    assert_eq!(borders(&window, 0), insets(35, 12, 12, 12));
}

#[test]
fn a_frame_stays_where_it_is_while_its_borders_are_edited() {
    let mut window = panels(&[0]);
    let (from, to) = (in_panel(&window, 24.0, 24.0), in_panel(&window, 30.0, 30.0));
    window.drag(from, to, false);
    assert!(!window.document().is_dirty());
    let button = window.place("Frame 1 button").center();
    window.button_click(button);
    assert!(window.sees("Nine-slice: button"));
    assert_eq!(number(&window, "Top border"), "5 px");
}

#[test]
fn several_frames_have_the_same_borders_when_that_is_ticked() {
    let mut window = panels(&[0, 1, 2]);
    assert!(window.sees("Nine-slice: panel"), "it says whose guides they are");
    window.type_here("7");
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(borders(&window, 1), insets(6, 5, 6, 6), "not yet");
    window.click("Same for the 3 selected frames");
    assert_eq!([0, 1, 2].map(|id| borders(&window, id)), [Insets::all(7); 3]);
    let field = window.harness.get_by_label("Left border").rect().center();
    window.button_click(field);
    window.key(Modifiers::COMMAND, Key::A);
    window.type_here("12");
    window.key(Modifiers::NONE, Key::Enter);
    // 12 + 12 px are more than the buttons' 16.
    assert_eq!([0, 1, 2].map(|id| borders(&window, id)), [Insets::all(12), Insets::all(7), Insets::all(7)]);
    assert!(window.sees("button and button_pressed are too small for these borders and keep their own"));
    assert_eq!(steps(&window), ["Nine-slice 1 frame", "Nine-slice 3 frames", "Nine-slice 3 frames"]);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!([0, 1].map(|id| borders(&window, id)), [Insets::all(7); 2]);
}

#[test]
fn what_is_typed_is_given_up_by_escape_and_limited_with_a_reason() {
    let mut window = panels(&[0]);
    window.type_here("3");
    assert_eq!(borders(&window, 0), Insets::all(3), "the numbers are followed while they are typed");
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(borders(&window, 0), Insets::all(12));
    assert!(!window.document().is_dirty());
    let field = window.harness.get_by_label("Left border").rect().center();
    window.button_click(field);
    window.key(Modifiers::COMMAND, Key::A);
    window.type_here("24");
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(borders(&window, 0), Insets::all(23));
    assert!(window.sees("At most 23 px on all sides"));
    window.click("Part the borders");
    window.click("Clear");
    assert!(borders(&window, 0).is_zero());
    assert!(window.harness.get_by_label("Clear").accesskit_node().is_disabled());
    assert!(window.sees("Without borders a device draws nothing here"));
}

#[test]
fn the_mode_is_left_by_its_key_its_button_and_another_tool() {
    let mut window = panels(&[0]);
    assert!(is_on(&window));
    window.click("Leave nine-slice");
    assert!(!is_on(&window) && window.sees("12 px"));
    window.perform(Command::NineSlice);
    window.key(Modifiers::NONE, Key::Escape);
    assert!(is_on(&window), "Escape was the number's");
    window.key(Modifiers::NONE, Key::Num9);
    assert!(!is_on(&window));
    window.perform(Command::NineSlice);
    window.perform(Command::DrawTool);
    assert!(!is_on(&window));
}

#[test]
fn a_scene_draws_unsaved_borders_at_once() {
    const LEVEL: &str = "assets/scenes/level.scene";
    let mut running = Running::opened(PANEL);
    running.do_now(Action::OpenScene(LEVEL.into()));
    running.wait("the scene", |it| it.session.scene().is_some_and(SceneDocument::is_ready));
    let scene = running.session.scene().unwrap().scene().clone();
    let nine_slices = |running: &Running| -> Vec<Insets> {
        let items = running.session.stage(&scene, &mut Memo::default());
        let fills = items.iter().filter_map(|item| item.picture.as_ref()).map(|picture| picture.fill);
        fills
            .filter_map(|fill| if let Fill::NineSlice { borders, .. } = fill { Some(borders) } else { None })
            .collect()
    };
    running.wait("the textures", |it| !nine_slices(it).is_empty());
    assert!(nine_slices(&running).contains(&Insets::all(12)), "{:?}", nine_slices(&running));
    let version = running.session.stage_version();
    let edit = Edit::SetBorders(vec![Bordered::Frame(FrameId(0))], insets(1, 2, 3, 4));
    running.do_now(Command::SliceWorkspace);
    running.do_now(Action::Edit(edit));
    assert!(running.session.stage_version() != version, "lists of items are made anew");
    assert!(nine_slices(&running).contains(&insets(1, 2, 3, 4)), "{:?}", nine_slices(&running));
    running.do_now(Command::Undo);
    assert!(nine_slices(&running).contains(&Insets::all(12)));
    running.do_now(Action::Edit(Edit::SetBorders(vec![Bordered::Frame(FrameId(0))], Insets::default())));
    let items = running.session.stage(&scene, &mut Memo::default());
    assert!(items.iter().any(|item| item.fault == Some(Fault::NoBorders)));
}

/// What the preview shows, once it is made.
fn stretched(running: &mut Running, stretch: &Stretch) -> (Size, Vec<u8>) {
    let mut made = None;
    running.wait("the preview", |it| {
        let found = it.session.stretched(it.session.current().unwrap(), stretch);
        let picture = found.ok().and_then(|found| found.picture);
        made = picture.and_then(|picture| match picture {
            cutsheet::session::Lookup::Ready(bitmap) => Some(bitmap),
            _ => None,
        });
        made.is_some()
    });
    let Bitmap { size, premultiplied } = &*made.unwrap();
    (*size, premultiplied.clone())
}

#[test]
fn the_preview_is_the_runtimes_picture_from_image_and_texture() {
    const PATH: &str = "assets/sprites/numbers.png";
    let mut running = Running::sample();
    // Red is the column and green the row, in steps that five and six bits hold.
    let pixels = (0..3_u8).flat_map(|y| (0..4_u8).flat_map(move |x| [x * 8, y * 4, 0, 255])).collect();
    let image = Picture { size: Size::new(4, 3), rgba: pixels };
    fs::write(running.image(PATH), encode_png(&image, false, Effort::Fast)).unwrap();
    running.wait("the texture", |it| it.session.asset(PATH).is_some_and(|asset| asset.texture.is_some()));
    running.open(PATH);
    let rect_in_image = PixelRect::new(0, 0, 4, 3);
    let borders = Insets::all(1);
    let target = Size::new(7, 4);
    let stretch = Stretch { rect_in_image, borders, target, mode: RenderMode::NineSlice, is_stored: false };
    // Across 1 + 2 + 1 to 1 + 5 + 1: the middle is floor(i x 2 / 5) = 0 0 0 1 1. Down 1 + 1 + 1 to 1 + 2 + 1.
    let columns = [0, 1, 1, 1, 2, 2, 3_u8];
    let expected: Vec<u8> =
        [0, 1, 1, 2_u8].iter().flat_map(|y| columns.map(|x| [x * 8, y * 4, 0, 255])).flatten().collect();
    assert_eq!(stretched(&mut running, &stretch), (target, expected));
    let tiled = Stretch { mode: RenderMode::Tiled, ..stretch };
    let columns = [0, 1, 2, 3, 0, 1, 2_u8];
    let expected: Vec<u8> =
        [0, 1, 2, 0_u8].iter().flat_map(|y| columns.map(|x| [x * 8, y * 4, 0, 255])).flatten().collect();
    assert_eq!(stretched(&mut running, &tiled), (target, expected));
    let stored = Stretch { is_stored: true, ..stretch };
    let asset = running.session.asset(PATH).unwrap().clone();
    let texture = Texture::load(&file_of(&running.folder.path().join("cache"), asset.guid)).unwrap();
    let fill = Fill::NineSlice { borders, target };
    let key = PictureKey { texture: asset.guid, rect_in_texture: rect_in_image, fill };
    let picture = compose(&texture, key.rect_in_texture, key.fill);
    assert_eq!(stretched(&mut running, &stored), (target, picture.rgba));
}

#[test]
fn borders_of_an_image_without_frames_are_the_sheets() {
    let mut running = Running::opened(PANEL);
    running.do_now(Command::ClearSlicing);
    running.do_now(Action::Edit(Edit::SetBorders(vec![Bordered::Image], insets(1, 2, 3, 4))));
    running.do_now(Command::Save);
    running.wait_until_clean();
    assert_eq!(sidecar_json(&running.sidecar(PANEL))["settings"]["nine_slice"], json!([2, 3, 4, 1]));
}
