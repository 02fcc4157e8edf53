//! What the device will draw: Max Size chosen by eye, image and texture side by side, targets, and that what was seen is
//! what is made.

use std::fs;

use cutsheet::geometry::{PixelRect, Size};
use cutsheet::guid::Guid;
use cutsheet::registry::State;
use cutsheet::runtime::Texture;
use cutsheet::session::{Action, Command, Lookup, StoredView, Tiled as _};
use cutsheet::texture::{Dithering, PixelFormat};
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, vec2};
use egui_kittest::kittest::Queryable as _;
use image::{Rgba, RgbaImage};

use crate::harness::Window;
use crate::running::sidecar_json;

const GUID: &str = "11111111-2222-4333-8444-555555555555";
const SHEET: &str = "assets/sheet.png";
const SHEET_DATA: &str = "assets/sheet.png.data";

/// A window on a project with one sheet of 300 x 200, cut into 3 x 2, every pixel of it another colour.
fn window() -> Window {
    let folder = tempfile::tempdir().unwrap();
    let open = folder.path().to_owned();
    fs::create_dir(open.join("assets")).unwrap();
    let pixel = |x: u32, y: u32| Rgba([(x % 256) as u8, y as u8, (x * y % 251) as u8, 255]);
    RgbaImage::from_fn(300, 200, pixel).save(open.join(SHEET)).unwrap();
    let sidecar = format!(
        r#"{{"guid":"{GUID}","slicing":{{"mode":"grid","frameWidth":100,"frameHeight":100}},"settings":{{"texture":{{"targets":{{"a":1}}}}}}}}"#
    );
    fs::write(open.join(SHEET_DATA), sidecar).unwrap();
    let settings = r#"{"targets":{"handheld":{"maxSize":64,"maxTexture":48}}}"#;
    fs::write(open.join("cutsheet.json"), settings).unwrap();
    let mut window = Window::open(Some(&open), folder);
    window.wait("the import", |app| {
        let open = app.session().project();
        open.is_some_and(|open| open.registry.assets().any(|asset| asset.state == State::UpToDate))
    });
    window.open_sheet("sheet.png");
    window
}

/// Waits until the stored picture is made, with all that is told of it.
fn stored(window: &mut Window) -> std::sync::Arc<StoredView> {
    let found = |app: &cutsheet::app::App| {
        let session = app.session();
        let document = session.current()?;
        match session.stored(document, None)? {
            Lookup::Ready(view) if view.facts.is_some() => Some(view),
            _ => None,
        }
    };
    window.wait("the stored picture", |app| found(app).is_some());
    found(window.harness.state()).unwrap()
}

fn texture_on_disk(window: &Window) -> Texture {
    Texture::load(&window.folder.path().join("cache").join(GUID)).unwrap()
}

fn turn_wheel(window: &mut Window, label: &str, notches: f32) {
    let at = window.harness.get_by_role_and_label(Role::ComboBox, label).rect().center();
    window.harness.hover_at(at);
    window.harness.run_steps(2);
    for _ in 0..notches.abs() as usize {
        window.harness.event(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta: vec2(0.0, notches.signum()),
            phase: TouchPhase::Move,
            source: MouseWheelSource::Unknown,
            modifiers: Modifiers::NONE,
        });
        window.harness.run_steps(2);
    }
}

#[test]
fn max_size_is_chosen_by_eye_in_four_actions() {
    let mut window = window(); // 1
    window.key(Modifiers::NONE, Key::C); // 2
    assert!(window.sees("Stored picture") && window.sees("Divider of the comparison"));
    assert_eq!(stored(&mut window).picture.size(), Size::new(300, 200));
    turn_wheel(&mut window, "Max Size", -3.0); // 3: 32, 64, 128
    assert_eq!(window.document().sheet().settings.max_size, Some(128));
    let view = stored(&mut window);
    assert_eq!(view.picture.size(), Size::new(128, 85));
    let edges: Vec<PixelRect> = view.picture.texture().frames.iter().map(|frame| frame.rect).collect();
    assert_eq!((edges[0], edges[4]), (PixelRect::new(0, 0, 43, 43), PixelRect::new(43, 43, 42, 42)));
    assert_eq!(view.facts.as_ref().unwrap().frames.uneven, [1, 3, 4, 5]);
    assert!(window.sees("4 are not as large as their like") && window.sees("43 % of 300 x 200 px"));
    assert!(window.sees("Preview, not on disk yet"));
    // Through the list and back is no step at all; on again it is one.
    turn_wheel(&mut window, "Max Size", 3.0);
    assert_eq!(window.document().sheet().settings.max_size, None);
    turn_wheel(&mut window, "Max Size", -3.0);
    assert_eq!(window.document().history.steps().0, ["Max Size 128"]);
    let seen = stored(&mut window);
    window.key(Modifiers::COMMAND, Key::S); // 4
    window.wait("the texture", |app| {
        let asset = app.session().asset(SHEET).unwrap();
        asset.state == State::UpToDate
            && asset.texture.as_ref().is_some_and(|texture| texture.stored_size == Size::new(128, 85))
    });
    let made = texture_on_disk(&window);
    assert!(made.stored_pixels() == seen.picture.texture().stored_pixels(), "what was seen is what is made");
    assert_eq!(made.frames, seen.picture.texture().frames);
    let session = window.harness.state().session();
    assert!(session.is_on_disk(session.current().unwrap(), &seen));
    let sidecar = sidecar_json(&window.folder.path().join(SHEET_DATA));
    assert_eq!(sidecar["settings"]["texture"], serde_json::json!({ "targets": { "a": 1 }, "maxSize": 128 }));
}

#[test]
fn what_is_shown_is_what_an_import_makes_with_every_dithering_and_a_key() {
    use cutsheet::edit::Edit;
    for (dithering, key) in [
        (Dithering::Ordered, None),
        (Dithering::FloydSteinberg, None),
        (Dithering::FloydSteinberg, Some([255, 7, 3].into())),
    ] {
        let mut window = window();
        window.perform(Action::Edit(Edit::SetMaxSize(Some(96))));
        window.perform(Action::Edit(Edit::SetDithering(Some(dithering))));
        window.perform(Action::Edit(Edit::SetChromaKey(key)));
        let seen = stored(&mut window);
        window.perform(Command::Save);
        window.wait("the texture", |app| {
            let session = app.session();
            session.is_on_disk(session.current().unwrap(), &seen)
        });
        let made = texture_on_disk(&window);
        assert!(made.stored_pixels() == seen.picture.texture().stored_pixels(), "{dithering:?} {key:?}");
        assert_eq!(made.chroma_key, seen.picture.texture().chroma_key);
    }
}

#[test]
fn a_target_is_shown_and_what_is_set_then_is_for_it_alone() {
    let mut window = window();
    window.click("Device");
    window.perform(Action::ShowTarget(Some("handheld".into())));
    assert_eq!(stored(&mut window).picture.size(), Size::new(64, 43));
    assert!(window.sees("As handheld gets it"));
    let problems: Vec<String> =
        window.harness.state().session().problems().map(|problem| problem.message.clone()).collect();
    assert!(problems.iter().any(|message| message.contains("handheld holds, 48 px")), "{problems:?}");
    turn_wheel(&mut window, "Max Size", -1.0);
    assert_eq!(stored(&mut window).picture.size(), Size::new(32, 21));
    window.perform(Action::ShowTarget(None));
    assert_eq!(stored(&mut window).picture.size(), Size::new(300, 200));
    window.perform(Command::Save);
    window.wait("the save", |app| !app.session().current().unwrap().is_dirty());
    let texture = &sidecar_json(&window.folder.path().join(SHEET_DATA))["settings"]["texture"];
    assert_eq!(texture["cutsheetTargets"], serde_json::json!({ "handheld": { "maxSize": 32 } }));
    assert_eq!(texture["maxSize"], serde_json::Value::Null);
}

#[test]
fn targets_and_defaults_are_written_and_counted_at_once() {
    let mut window = window();
    window.perform(Command::ProjectTextures);
    window.click("Add a target");
    assert!(window.sees("Target 2: A name is needed"));
    window.type_here("console");
    window.click("Format of the project");
    window.click("RGB888");
    window.click("Save");
    window.wait("the settings", |app| app.session().project_settings().targets.len() == 2);
    window.wait("the texture", |app| {
        let asset = app.session().asset(SHEET).unwrap();
        asset.texture.as_ref().is_some_and(|texture| texture.format == PixelFormat::Rgb888)
    });
    let written = fs::read(window.folder.path().join("cutsheet.json")).unwrap();
    let written: serde_json::Value = serde_json::from_slice(&written).unwrap();
    let expected = serde_json::json!({
        "targets": { "handheld": { "maxSize": 64, "maxTexture": 48 }, "console": {} },
        "defaults": { "format": "RGB888" },
    });
    assert_eq!(written, expected);
    let guid: Guid = GUID.parse().unwrap();
    assert_eq!(
        Texture::load(&window.folder.path().join("cache").join(guid.to_string())).unwrap().size.width,
        300
    );
}

#[test]
fn the_pixel_under_the_pointer_says_what_is_stored_for_it() {
    let mut window = window();
    window.key(Modifiers::NONE, Key::C);
    stored(&mut window);
    let canvas = window.harness.get_by_label("Stored picture").rect();
    window.harness.hover_at(canvas.center());
    window.harness.run_steps(4);
    let told = |x: u32, y: u32| window.sees(&format!("{x:>5}, {y:>5}"));
    let near = (145..155).flat_map(|x| (95..105).map(move |y| (x, y)));
    let (x, y) = near.into_iter().find(|(x, y)| told(*x, *y)).unwrap();
    let [red, green, blue] = [x % 256, y, x * y % 251];
    assert!(window.sees(&format!("#{red:02X}{green:02X}{blue:02X}")));
    // Cut to 5, 6 and 5 bits, the low byte first.
    let packed = (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3;
    assert!(window.sees(&format!("{:02X} {:02X}", packed & 255, packed >> 8)));
}
