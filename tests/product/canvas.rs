//! Frames edited with the pointer and the keys on the canvas of the whole window.

use cutsheet::edit::Edit;
use cutsheet::geometry::{PixelRect, Size};
use cutsheet::model::{FrameId, Run};
use cutsheet::session::{Action, Command};
use eframe::egui::{Color32, Key, Mesh, Modifiers, Pos2, Rect, Shape, TextureId, vec2};

use crate::harness::Window;

/// The player's sheet at 200 %, six columns and three rows of 32 pixels.
fn player() -> Window {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    window.key(Modifiers::NONE, Key::Num2);
    window
}

fn rect(window: &Window, id: u32) -> PixelRect {
    window.document().sheet().frame(FrameId(id)).unwrap().rect_in_image
}

fn selected(window: &Window) -> Vec<usize> {
    window.document().selected_frames().map(|(position, _)| position).collect()
}

fn label(window: &Window) -> Option<String> {
    window.document().history.undo_label().map(str::to_owned)
}

/// The middle of a frame on the screen.
fn middle(window: &Window, position: usize) -> Pos2 {
    canvas_rect(window, position).center()
}

fn canvas_rect(window: &Window, position: usize) -> Rect {
    window.place(&format!("Frame {position}"))
}

/// Screen points per image pixel.
fn scale(window: &Window) -> f32 {
    canvas_rect(window, 0).width() / 32.0
}

#[test]
fn a_click_selects_and_leaves_no_trace_in_the_history() {
    let mut window = player();
    let at = middle(&window, 7);
    window.button_click(at);
    assert_eq!(selected(&window), [7]);
    assert_eq!(label(&window), None);
    assert!(!window.document().is_dirty());
}

#[test]
fn a_drag_moves_a_frame_as_one_step_and_escape_gives_it_up() {
    let mut window = player();
    window.harness.state_mut().perform(Command::Snap.into());
    let (from, by) = (middle(&window, 7), scale(&window) * vec2(10.0, 6.0));
    window.drag(from, from + by, false);
    assert_eq!(rect(&window, 7), PixelRect::new(42, 38, 32, 32));
    assert_eq!(label(&window).as_deref(), Some("Move 1 frame"));
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(rect(&window, 7), PixelRect::new(32, 32, 32, 32));
    assert_eq!(label(&window), None, "one step");

    window.drag(from, from + by, true);
    window.key(Modifiers::NONE, Key::Escape);
    window.button(from + by, false);
    assert_eq!(rect(&window, 7), PixelRect::new(32, 32, 32, 32));
    assert_eq!(label(&window), None);
    assert_eq!(selected(&window), [7], "the drag was given up, not the selection");
}

#[test]
fn a_handle_resizes_and_stays_inside_the_image() {
    let mut window = player();
    window.harness.state_mut().perform(Command::Snap.into());
    let at = middle(&window, 17);
    window.button_click(at);
    let (corner, per_pixel) = (canvas_rect(&window, 17).left_top(), scale(&window));
    window.drag(corner, corner + per_pixel * vec2(4.0, 5.0), false);
    assert_eq!(rect(&window, 17), PixelRect::new(164, 69, 28, 27));
    assert_eq!(label(&window).as_deref(), Some("Resize 1 frame"));
    let right_bottom = canvas_rect(&window, 17).right_bottom();
    window.drag(right_bottom, right_bottom + vec2(300.0, 300.0), false);
    assert_eq!(rect(&window, 17), PixelRect::new(164, 69, 28, 27), "the image ends there");
}

#[test]
fn an_edge_catches_on_its_neighbours_edge_only_while_it_is_dragged() {
    let mut window = player();
    let (from, per_pixel) = (middle(&window, 7), scale(&window));
    // 2 pixels off are within 6 points at 200 %, so the frame goes back to its neighbours; the third way is free.
    window.drag(from, from + per_pixel * vec2(2.0, 0.0), false);
    assert_eq!(rect(&window, 7), PixelRect::new(32, 32, 32, 32));
    assert_eq!(label(&window), None);
}

#[test]
fn a_box_beside_frames_selects_what_it_touches() {
    let mut window = player();
    let sheet = canvas_rect(&window, 0).union(canvas_rect(&window, 17));
    let outside = sheet.left_top() - vec2(12.0, 12.0);
    window.drag(outside, middle(&window, 7), false);
    assert_eq!(selected(&window), [0, 1, 6, 7]);
    assert_eq!(label(&window), None);
}

#[test]
fn a_frame_is_drawn_with_the_draw_tool() {
    let mut window = player();
    window.key(Modifiers::NONE, Key::R);
    window.harness.state_mut().perform(Command::Snap.into());
    let (corner, per_pixel) = (canvas_rect(&window, 0).left_top(), scale(&window));
    window.drag(corner + per_pixel * vec2(4.0, 4.0), corner + per_pixel * vec2(20.0, 14.0), false);
    assert_eq!(rect(&window, 18), PixelRect::new(4, 4, 16, 10));
    assert_eq!(selected(&window), [18]);
    window.key(Modifiers::NONE, Key::V);
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(window.frames(), 18);
}

#[test]
fn the_wand_takes_a_sprite_grows_it_across_a_gap_and_begins_the_next_one_with_that_gap() {
    let folder = tempfile::tempdir().unwrap();
    // Two sprites in two parts each, 3 px apart.
    let is_ink =
        |x, y| (4..12).contains(&y) && [4..12, 15..23, 36..44, 47..55].iter().any(|part| part.contains(&x));
    let picture =
        image::RgbaImage::from_fn(64, 32, |x, y| image::Rgba([200, 80, 40, u8::from(is_ink(x, y)) * 255]));
    picture.save(folder.path().join("parts.png")).unwrap();
    let project = folder.path().to_owned();
    let mut window = Window::open(Some(&project), folder);
    window
        .wait("the sheet", |app| app.session().asset("parts.png").is_some_and(|asset| asset.image.is_some()));
    window.open_sheet("parts.png");
    window.decline_guess();
    // A frame tells where the pixels are on the screen.
    window.perform(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(32, 32)))));
    let cell = canvas_rect(&window, 0);
    window.perform(Command::ClearSlicing);
    let at = |x: f32, y: f32| cell.min + vec2(x, y) * (cell.width() / 32.0);
    window.perform(Command::Deselect);
    window.harness.state_mut().perform(Command::WandTool.into());
    let rects = |window: &Window| -> Vec<PixelRect> {
        window.document().sheet().frames.iter().map(|frame| frame.rect_in_image).collect()
    };
    window.click_with(at(8.0, 8.0), Modifiers::NONE);
    assert_eq!(rects(&window), [PixelRect::new(4, 4, 8, 8)]);
    window.click_with(at(8.0, 8.0), Modifiers::ALT);
    assert_eq!(rects(&window), [PixelRect::new(4, 4, 19, 8)], "2 px were too few, 4 were not");
    window.click_with(at(40.0, 8.0), Modifiers::ALT);
    assert_eq!(rects(&window), [PixelRect::new(4, 4, 19, 8), PixelRect::new(36, 4, 19, 8)]);
    window.key(Modifiers::COMMAND, Key::Z);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(rects(&window), [PixelRect::new(4, 4, 8, 8)]);
}

#[test]
fn arrows_nudge_and_alt_moves_the_right_and_bottom_edges() {
    let mut window = player();
    let at = middle(&window, 0);
    window.button_click(at);
    window.key(Modifiers::NONE, Key::ArrowRight);
    window.key(Modifiers::NONE, Key::ArrowDown);
    assert_eq!(rect(&window, 0), PixelRect::new(1, 1, 32, 32));
    assert_eq!(label(&window).as_deref(), Some("Nudge 1 frame"));
    window.key(Modifiers::ALT, Key::ArrowRight);
    assert_eq!(rect(&window, 0), PixelRect::new(1, 1, 33, 32));
    window.key(Modifiers::COMMAND, Key::Z);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(rect(&window, 0), PixelRect::new(0, 0, 32, 32));
    assert!(!window.document().is_dirty(), "two steps, taken back");
    window.key(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(rect(&window, 0), PixelRect::new(32, 0, 32, 32), "Shift moves by a cell");
}

#[test]
fn merging_keeps_the_first_frame_and_split_by_undo_brings_both_back() {
    let mut window = player();
    let (first, second) = (middle(&window, 2), middle(&window, 3));
    window.button_click(first);
    window.click_with(second, Modifiers::SHIFT);
    assert_eq!(selected(&window), [2, 3]);
    window.key(Modifiers::COMMAND, Key::M);
    assert_eq!(rect(&window, 2), PixelRect::new(64, 0, 64, 32));
    assert_eq!(window.frames(), 17);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!((window.frames(), selected(&window)), (18, vec![2, 3]));
}

#[test]
fn the_guess_is_taken_with_enter_and_its_frames_are_there() {
    let mut window = Window::sample();
    window.open_sheet("tiles.png");
    window.wait("the guess", |app| app.session().proposal().is_some());
    assert!(window.sees("Guess 1 of"));
    assert!(window.sees("16 x 16, offset 1, spacing 1, 8 x 4 = 32 frames"));
    assert!(!window.document().is_dirty());
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(window.frames(), 32);
    assert!(window.document().is_dirty() && !window.sees("Guess 1 of"));
}

#[test]
fn no_guess_is_shown_or_taken_while_another_way_to_cut_is_tried() {
    let mut window = Window::sample();
    window.open_sheet("tiles.png");
    window.wait("the guess", |app| app.session().proposal().is_some());
    window.key(Modifiers::NONE, Key::G);
    assert!(window.sees("Guess 2 of"));
    window.click("Automatic");
    assert!(window.sees(" sprites") && !window.sees("Guess "));
    window.key(Modifiers::NONE, Key::Enter);
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.frames(), 0, "the guess is not there to be taken");
    window.click("Grid");
    assert!(window.sees("Guess 2 of"), "nor to be declined");
    window.click("By hand");
    assert!(!window.sees("Guess "));
    window.harness.state_mut().perform(Command::Inspector.into());
    window.harness.run_steps(4);
    assert!(window.sees("Guess 2 of"), "what is hidden tries nothing");
}

/// An opaque sheet of 64 x 32 pixels with two black squares on magenta.
fn opaque() -> Window {
    let folder = tempfile::tempdir().unwrap();
    let is_ink = |x: u32, y: u32| (4..28).contains(&(x % 32)) && (4..28).contains(&y);
    let image = image::RgbImage::from_fn(64, 32, |x, y| {
        image::Rgb(if is_ink(x, y) { [0, 0, 0] } else { [255, 0, 255] })
    });
    image.save(folder.path().join("squares.png")).unwrap();
    let open = folder.path().to_owned();
    let mut window = Window::open(Some(&open), folder);
    window.wait("the sheet in the browser", |app| {
        app.session().project().is_some_and(|open| open.registry.assets().len() == 1)
    });
    window.open_sheet("squares.png");
    window
}

/// Where a picture is drawn through which others are to be seen, and which.
fn veils(window: &Window) -> Vec<(Rect, TextureId)> {
    let is_translucent = |mesh: &Mesh| {
        mesh.vertices.iter().all(|it| it.color != Color32::TRANSPARENT && !it.color.is_opaque())
    };
    let shapes = window.harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Mesh(mesh) => Some(mesh),
        _ => None,
    });
    shapes
        .filter(|mesh| mesh.texture_id != TextureId::default() && is_translucent(mesh))
        .map(|mesh| (mesh.calc_bounds(), mesh.texture_id))
        .collect()
}

/// Passes until one veil is drawn that is not `before`.
fn next_veil(window: &mut Window, before: Option<TextureId>) -> (Rect, TextureId) {
    for _ in 0..400 {
        window.harness.run_steps(2);
        if let [(rect, texture)] = veils(window)[..]
            && Some(texture) != before
        {
            return (rect, texture);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("no other veil came, there are {:?}", veils(window));
}

#[test]
fn the_background_is_dimmed_while_sprites_are_told_from_its_colour() {
    let mut window = opaque();
    window.decline_guess();
    assert_eq!(veils(&window), []);
    window.click("Automatic");
    let (rect, first) = next_veil(&mut window, None);
    assert_eq!(rect.width(), 2.0 * rect.height(), "it is over the image");
    window.click("Cut 2 sprites");
    let sprite = canvas_rect(&window, 0);
    assert_eq!(sprite.left() - rect.left(), rect.width() * 4.0 / 64.0, "pixel for pixel");
    assert_eq!(next_veil(&mut window, None), (rect, first), "the same ink has the same veil");
    window.click("Colour tolerance");
    window.key(Modifiers::COMMAND, Key::A);
    window.type_here("1");
    let (_, second) = next_veil(&mut window, Some(first));
    window.harness.state_mut().perform(Command::ShowFrames.into());
    window.harness.run_steps(4);
    assert_eq!(veils(&window), [], "it goes with the boxes that detection draws");
    window.harness.state_mut().perform(Command::ShowFrames.into());
    assert_eq!(next_veil(&mut window, None).1, second);
    window.click("Grid");
    assert_eq!(veils(&window), []);
}

#[test]
fn what_alpha_tells_from_sprites_is_not_dimmed() {
    let mut window = Window::sample();
    window.open_sheet("tiles.png");
    window.decline_guess();
    window.click("Automatic");
    assert!(window.sees(" sprites"));
    window.harness.run_steps(20);
    assert_eq!(veils(&window), []);
}

#[test]
fn differences_from_what_was_changed_outside_are_looked_at_before_one_is_chosen() {
    let mut window = player();
    window.perform(Action::Edit(Edit::Rename(vec![(FrameId(17), "hero".into())])));
    let sidecar = window.folder.path().join("assets/sprites/player.png.data");
    let text = std::fs::read_to_string(&sidecar).unwrap();
    std::fs::write(&sidecar, text.replace("\"frameWidth\": 32", "\"frameWidth\": 16")).unwrap();
    window.wait("the question", |app| app.session().documents()[0].theirs.is_some());
    assert!(window.sees("18 moved, 18 new"));
    let before = scale(&window);
    window.click("Show differences");
    assert!(scale(&window) > before, "they are all over the sheet, which fits at more than 200 %");
    assert!(window.sees("Keep mine") && window.document().is_dirty(), "nothing is chosen yet");
    window.click("Take theirs");
    assert_eq!(window.frames(), 36);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.frames(), 18);
}
