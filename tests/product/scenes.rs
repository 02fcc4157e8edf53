//! The Scene workspace by its accessible labels: frames that are dragged onto objects, and what the saved file says then.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use cutsheet::format;
use cutsheet::model::Scene;
use cutsheet::model::scene::{AssetRef, Object};
use cutsheet::session::SceneDocument;
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, OutputCommand, Pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::harness::Window;

const LEVEL: &str = "assets/scenes/level.scene";
const NEW: &str = "assets/scenes/scene.scene";
/// The sheet's, from its sidecar.
const PLAYER: &str = "3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810";
/// Version 5 of "PLAYER:3" and "PLAYER:4" in the namespace of frames.
const FRAME_3: &str = "b86f5487-e6d2-5023-ab2f-ea591cede6ba";
const FRAME_4: &str = "dfc44913-3b69-5771-8713-612b4ec7bc66";

fn frame_3() -> AssetRef {
    AssetRef { guid: PLAYER.into(), source: FRAME_3.into() }
}

/// The sample project with the Scene workspace, an empty scene, and the frames of player.png unfolded.
fn new_scene() -> Window {
    let mut window = Window::sample();
    window.click("Frames of player.png");
    window.key(Modifiers::COMMAND, Key::Num2);
    window.key(Modifiers::COMMAND, Key::N);
    assert!(document(&window).is_new());
    window
}

/// The same with level.scene.
fn level() -> Window {
    let mut window = Window::sample();
    window.click("Frames of player.png");
    open(&mut window, "level.scene");
    window
}

fn open(window: &mut Window, name: &str) {
    item(window, name).click();
    window.wait("the scene", |app| app.session().scene().is_some_and(SceneDocument::is_ready));
}

fn item<'w>(window: &'w Window, name: &'w str) -> egui_kittest::Node<'w> {
    window.harness.get_by_role_and_label(Role::TreeItem, name)
}

fn middle_of(window: &Window, name: &str) -> Pos2 {
    item(window, name).rect().center()
}

fn canvas(window: &Window) -> Pos2 {
    window.harness.get_by_label("Scene canvas").rect().center()
}

/// The middle of the field for the sprite.
fn field(window: &Window) -> Pos2 {
    window
        .harness
        .get_by(|node| node.label().is_some_and(|label| label.starts_with("Sprite: ")))
        .rect()
        .center()
}

fn document(window: &Window) -> &SceneDocument {
    window.harness.state().session().scene().unwrap()
}

fn named(scene: &Scene, name: &str) -> Arc<Object> {
    scene.walk().map(|(_, object)| object).find(|object| object.name() == name).unwrap().clone()
}

/// The reference of the sprite that an object draws.
fn sprite(scene: &Scene, name: &str) -> Option<AssetRef> {
    Some(named(scene, name).sprite()?.1.sprite)
}

fn names(window: &Window) -> Vec<String> {
    document(window).scene().walk().map(|(_, object)| object.name().to_owned()).collect()
}

fn roots(window: &Window) -> Vec<String> {
    document(window).scene().objects.iter().map(|object| object.name().to_owned()).collect()
}

fn file(window: &Window, path: &str) -> PathBuf {
    window.folder.path().join(path)
}

/// Saves, and reads what was written.
fn saved(window: &mut Window, path: &str) -> Scene {
    window.key(Modifiers::COMMAND, Key::S);
    window.wait("the save", |app| app.session().scene().is_some_and(|document| !document.is_dirty()));
    format::scene::read(&fs::read(file(window, path)).unwrap().into()).unwrap().scene
}

fn drag_frame(window: &mut Window, to: Pos2) {
    let from = middle_of(window, "player.png frame 3");
    window.drag(from, to, false);
}

fn select(window: &mut Window, name: &str) {
    let at = middle_of(window, name);
    window.button_click(at);
}

#[test]
fn a_frame_let_go_over_the_canvas_is_a_new_object_in_the_saved_file() {
    let mut window = new_scene();
    let to = canvas(&window);
    drag_frame(&mut window, to);
    assert_eq!(names(&window), ["player_3"]);
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(names(&window).is_empty());
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    let file = saved(&mut window, NEW);
    assert_eq!(sprite(&file, "player_3"), Some(frame_3()));
    window.key(Modifiers::COMMAND, Key::W);
    assert!(window.harness.state().session().scenes().is_empty());
    window.wait("the new file in the browser", |app| {
        app.session().project().is_some_and(|open| open.registry.referrer(NEW).is_some())
    });
    open(&mut window, "scene.scene");
    assert_eq!(sprite(document(&window).scene(), "player_3"), Some(frame_3()));
    assert_eq!(names(&window), ["player_3"]);
}

#[test]
fn a_frame_let_go_over_an_object_in_the_tree_is_its_sprite() {
    let mut window = level();
    let (before, to) = (names(&window), middle_of(&window, "Hero"));
    drag_frame(&mut window, to);
    let file = saved(&mut window, LEVEL);
    assert_eq!(sprite(&file, "Hero"), Some(frame_3()));
    assert_eq!(names(&window), before);
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(sprite(document(&window).scene(), "Hero"), None);
}

#[test]
fn a_frame_let_go_over_the_field_is_the_sprite_of_the_selected_object() {
    let mut window = level();
    select(&mut window, "Hero");
    assert!(window.sees("Sprite: No sprite"));
    let to = field(&window);
    drag_frame(&mut window, to);
    assert!(window.sees("Sprite: Frame 3"));
    assert_eq!(sprite(&saved(&mut window, LEVEL), "Hero"), Some(frame_3()));
}

#[test]
fn a_folder_is_refused_everywhere_and_escape_ends_a_drag_without_a_trace() {
    let mut window = level();
    select(&mut window, "Hero");
    let before = document(&window).scene().clone();
    let folder = middle_of(&window, "sprites");
    for to in [canvas(&window), field(&window), middle_of(&window, "Hero")] {
        window.drag(folder, to, false);
        assert_eq!(*document(&window).scene(), before);
    }
    let frame = middle_of(&window, "player.png frame 3");
    for to in [canvas(&window), field(&window), middle_of(&window, "Hero")] {
        window.drag(frame, to, true);
        window.key(Modifiers::NONE, Key::Escape);
        window.button(to, false);
        assert_eq!(*document(&window).scene(), before);
    }
    assert!(!document(&window).is_dirty());
    assert_eq!(document(&window).history.undo_label(), None);
}

/// Frames 3 and 4 are let go over the canvas of an empty scene.
fn two_frames_dropped() -> Window {
    let mut window = Window::sample();
    window.click("Frames of player.png");
    window.open_sheet("player.png");
    select(&mut window, "player.png frame 3");
    let other = middle_of(&window, "player.png frame 4");
    window.click_with(other, Modifiers::COMMAND);
    window.key(Modifiers::COMMAND, Key::Num2);
    window.key(Modifiers::COMMAND, Key::N);
    let to = canvas(&window);
    drag_frame(&mut window, to);
    window
}

#[test]
fn several_frames_are_objects_in_a_row_or_one_object() {
    let mut window = two_frames_dropped();
    assert!(names(&window).is_empty(), "nothing is made before the answer");
    window.click("2 objects in a row");
    assert_eq!(names(&window), ["player_3", "player_4"]);
    let scene = document(&window).scene();
    let x = |name: &str| named(scene, name).transform().x;
    // Each is 32 pixels wide, and 16 are a metre.
    assert!((x("player_4") - x("player_3") - 2.0).abs() < 1e-6);

    let mut window = two_frames_dropped();
    window.click("One object with 2 sprites");
    let scene = document(&window).scene();
    let object = &scene.objects[0];
    let drawn: Vec<AssetRef> = object
        .components()
        .iter()
        .filter_map(|component| Some(cutsheet::model::scene::Sprite::of_component(component)?.sprite))
        .collect();
    let frame_4 = AssetRef { guid: PLAYER.into(), source: FRAME_4.into() };
    assert_eq!((scene.objects.len(), drawn), (1, vec![frame_3(), frame_4]));

    let mut window = two_frames_dropped();
    window.key(Modifiers::NONE, Key::Escape);
    assert!(names(&window).is_empty() && !window.sees("objects in a row"));
}

#[test]
fn a_frame_held_over_the_tab_of_the_scenes_opens_them_and_goes_on() {
    let mut window = level();
    window.key(Modifiers::COMMAND, Key::Num1);
    assert!(window.harness.query_by_label("Scene canvas").is_none());
    let from = middle_of(&window, "player.png frame 3");
    drag_over_the_tab_to_hero(&mut window, from);
    assert_eq!(sprite(document(&window).scene(), "Hero"), Some(frame_3()));
}

#[test]
fn the_preview_is_dragged_as_the_selected_frame_and_without_one_as_the_sheet() {
    let mut window = level();
    window.key(Modifiers::COMMAND, Key::Num1);
    window.open_sheet("player.png");
    select(&mut window, "player.png frame 3");
    let from = window.harness.get_by_role_and_label(Role::Image, "Preview").rect().center();
    drag_over_the_tab_to_hero(&mut window, from);
    assert_eq!(sprite(document(&window).scene(), "Hero"), Some(frame_3()));
    window.key(Modifiers::COMMAND, Key::Num1);
    window.key(Modifiers::NONE, Key::Escape);
    let from = window.harness.get_by_role_and_label(Role::Image, "Preview").rect().center();
    drag_over_the_tab_to_hero(&mut window, from);
    let sheet = AssetRef { guid: PLAYER.into(), source: "".into() };
    assert_eq!(sprite(document(&window).scene(), "Hero"), Some(sheet));
}

/// Rests on the tab of the scenes with what is dragged from there, and lets go over the object in the tree.
fn drag_over_the_tab_to_hero(window: &mut Window, from: Pos2) {
    let tab = window.harness.get_by_label("Scene workspace").rect().center();
    window.drag(from, tab, true);
    // Half a second at 60 passes a second.
    window.harness.run_steps(15);
    assert!(window.harness.query_by_label("Scene canvas").is_none());
    window.harness.run_steps(25);
    assert!(window.harness.query_by_label("Scene canvas").is_some());
    let hero = middle_of(window, "Hero");
    window.harness.hover_at(hero);
    window.harness.run_steps(3);
    window.button(hero, false);
}

/// What a key puts on the clipboard. Of several events the harness keeps only the last one's output.
fn copied(window: &mut Window, modifiers: Modifiers, key: Key) -> String {
    let event = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    window.harness.input_mut().events.push(event);
    let text = (0..4).find_map(|_| {
        window.harness.step();
        let commands = &window.harness.output().platform_output.commands;
        commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    });
    window.harness.key_up_modifiers(modifiers, key);
    window.harness.run_steps(2);
    text.unwrap()
}

#[test]
fn a_copied_frame_reference_is_pasted_on_the_selected_object() {
    let mut window = level();
    window.key(Modifiers::COMMAND, Key::Num1);
    window.open_sheet("player.png");
    select(&mut window, "player.png frame 3");
    let copied = copied(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::C);
    window.key(Modifiers::COMMAND, Key::Num2);
    select(&mut window, "Hero");
    window.harness.event(Event::Paste(copied));
    window.harness.run_steps(4);
    assert_eq!(sprite(&saved(&mut window, LEVEL), "Hero"), Some(frame_3()));
}

#[test]
fn objects_are_renamed_hidden_duplicated_moved_and_deleted_by_keys() {
    let mut window = level();
    let before = roots(&window);
    assert_eq!(before[..3], ["Player", "Hero", "Enemies"]);
    select(&mut window, "Hero");
    window.key(Modifiers::COMMAND, Key::ArrowUp);
    assert_eq!(roots(&window)[..3], ["Hero", "Player", "Enemies"]);
    window.key(Modifiers::COMMAND, Key::ArrowDown);
    assert_eq!(roots(&window), before);
    window.key(Modifiers::NONE, Key::F2);
    window.key(Modifiers::COMMAND, Key::A);
    window.type_here("Owl");
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(roots(&window)[..3], ["Player", "Owl", "Enemies"]);
    window.key(Modifiers::NONE, Key::H);
    assert!(!named(document(&window).scene(), "Owl").is_active());
    window.key(Modifiers::NONE, Key::H);
    assert!(named(document(&window).scene(), "Owl").is_active());
    window.key(Modifiers::COMMAND, Key::D);
    assert_eq!(roots(&window).len(), before.len() + 1);
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(roots(&window).len(), before.len());
    let file = saved(&mut window, LEVEL);
    let written: Vec<&str> = file.objects.iter().map(|object| object.name()).collect();
    assert_eq!(written[..3], ["Player", "Owl", "Enemies"]);
}

#[test]
fn two_objects_show_what_they_have_in_common_and_an_edit_goes_to_both() {
    let mut window = level();
    select(&mut window, "Hero");
    let sword = middle_of(&window, "Sword");
    window.click_with(sword, Modifiers::COMMAND);
    assert!(window.sees("2 objects"));
    let x = |window: &Window, name: &str| named(document(window).scene(), name).transform().x;
    let y = |window: &Window, name: &str| named(document(window).scene(), name).transform().y;
    let y_before = [y(&window, "Hero"), y(&window, "Sword")];
    let field = window.harness.get_by_role_and_label(Role::SpinButton, "X");
    assert_eq!(field.value().as_deref(), Some("mixed"));
    field.click();
    window.harness.run_steps(4);
    window.key(Modifiers::COMMAND, Key::A);
    window.type_here("2.5");
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!([x(&window, "Hero"), x(&window, "Sword")], [2.5, 2.5]);
    assert_eq!([y(&window, "Hero"), y(&window, "Sword")], y_before);
    assert_eq!(document(&window).history.undo_label(), Some("Place 2 objects"));
    let to = self::field(&window);
    drag_frame(&mut window, to);
    let file = saved(&mut window, LEVEL);
    assert_eq!([sprite(&file, "Hero"), sprite(&file, "Sword")], [Some(frame_3()), Some(frame_3())]);
}

/// level.scene with an unsaved edit, while another program puts the menu into its file.
fn changed_on_both_sides() -> Window {
    let mut window = level();
    select(&mut window, "Hero");
    window.key(Modifiers::NONE, Key::H);
    assert!(document(&window).is_dirty());
    let menu = fs::read(file(&window, "assets/scenes/menu.scene")).unwrap();
    fs::write(file(&window, LEVEL), menu).unwrap();
    window
        .wait("the question", |app| app.session().scene().is_some_and(|document| document.theirs.is_some()));
    assert!(window.sees("level.scene was changed outside while you edited it"));
    window
}

#[test]
fn a_scene_that_was_changed_outside_is_kept_or_taken() {
    let mut window = changed_on_both_sides();
    window.click("Keep mine");
    assert!(!named(document(&window).scene(), "Hero").is_active());
    assert!(!named(&saved(&mut window, LEVEL), "Hero").is_active());

    let mut window = changed_on_both_sides();
    window.click("Take theirs");
    assert_eq!(document(&window).scene().name(), "Menu");
    assert!(!document(&window).is_dirty());
    window.key(Modifiers::COMMAND, Key::Z);
    assert!(!named(document(&window).scene(), "Hero").is_active(), "one step of the history");
}

#[test]
fn a_broken_scene_says_why_and_is_left_as_it_is() {
    let mut window = Window::sample();
    let broken = fs::read(file(&window, LEVEL)).unwrap()[..200].to_vec();
    fs::write(file(&window, LEVEL), &broken).unwrap();
    window.wait("the damage in the registry", |app| {
        let open = app.session().project().unwrap();
        open.registry.referrer(LEVEL).is_some_and(|scene| !scene.is_readable)
    });
    item(&window, "level.scene").click();
    window.wait("the tab", |app| app.session().scene().is_some());
    window.harness.run_steps(30);
    window.settle();
    assert!(window.sees("1 problem"));
    window.key(Modifiers::COMMAND, Key::S);
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::A);
    window.settle();
    assert!(!document(&window).is_ready() && !document(&window).is_dirty());
    let canvas = window.harness.get_by_label("Scene canvas").accesskit_node();
    let said = canvas.description().unwrap();
    assert!(said.starts_with("level.scene cannot be edited: the scene is damaged"), "{said}");
    assert_eq!(fs::read(file(&window, LEVEL)).unwrap(), broken);
}

#[test]
fn a_sprite_is_picked_by_a_click_on_a_row_below_the_field() {
    let mut window = level();
    select(&mut window, "Hero");
    window.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::F);
    window.harness.run_steps(8);
    let row =
        |window: &Window, name: &str| window.harness.get_by_role_and_label(Role::ListBoxOption, name).rect();
    let field = window.harness.get_by_label("Find a sprite").rect();
    let title = window.harness.get_by_label("Pick a sprite").rect();
    assert!(field.top() >= title.bottom() && row(&window, "enemies").top() >= field.bottom());
    window.harness.get_by_label("Find a sprite").type_text("player");
    window.harness.run_steps(4);
    let at = row(&window, "player / 3").center();
    window.button_click(at);
    assert_eq!(sprite(document(&window).scene(), "Hero"), Some(frame_3()));
    assert!(!window.sees("Find a sprite"));
}
