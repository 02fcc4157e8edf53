//! Files renamed, moved and deleted in the browser, by labels, keys and the pointer.

use cutsheet::session::Action;
use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, Rect};
use egui_kittest::kittest::Queryable as _;

use crate::harness::Window;

const PLAYER: &str = "assets/sprites/player.png";

impl Window {
    fn row(&self, label: &str) -> Rect {
        self.harness.get_by_role_and_label(Role::TreeItem, label).rect()
    }

    /// Puts the browser's keys at a row, as its menu does, without opening anything.
    fn menu_of(&mut self, label: &str) {
        self.harness.get_by_role_and_label(Role::TreeItem, label).click_secondary();
        self.harness.run_steps(4);
    }

    fn has_asset(&self, path: &str) -> bool {
        self.harness.state().session().asset(path).is_some()
    }

    fn wait_for_asset(&mut self, path: &'static str) {
        self.wait(path, move |app| app.session().asset(path).is_some());
    }

    fn wait_for_folder(&mut self, path: &'static str) {
        self.wait(path, move |app| app.session().folders().iter().any(|folder| **folder == *path));
    }

    fn typed(&mut self, text: &str) {
        self.key(Modifiers::COMMAND, Key::A);
        self.type_here(text);
    }
}

#[test]
fn a_sheet_is_renamed_by_f2_and_enter_and_taken_back_by_a_button() {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    window.key(Modifiers::NONE, Key::F2);
    assert!(window.sees("Rename player.png"));
    // The name without its extension is selected.
    window.type_here("tiles");
    assert!(window.sees("There is something of that name already"));
    window.key(Modifiers::NONE, Key::Enter);
    assert!(window.sees("Rename player.png"), "what cannot be is not done");
    window.typed("knight.png");
    window.key(Modifiers::NONE, Key::Enter);
    window.wait_for_asset("assets/sprites/knight.png");
    assert!(!window.sees("Rename player.png"));
    window.row("knight.png");
    assert_eq!(&*window.document().path, "assets/sprites/knight.png");
    assert!(window.sees("player.png is knight.png now"));
    // The keyboard is where it was: once more, and given up.
    window.key(Modifiers::NONE, Key::F2);
    assert!(window.sees("Rename knight.png"));
    window.key(Modifiers::NONE, Key::Escape);
    assert!(!window.sees("Rename knight.png"));
    window.click("Undo move");
    window.wait_for_asset(PLAYER);
    assert_eq!(&*window.document().path, PLAYER);
    assert!(!window.has_asset("assets/sprites/knight.png"));
}

#[test]
fn f2_and_delete_are_the_frames_keys_once_the_canvas_was_clicked() {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    let canvas = window.place("Frame 6").center();
    window.button_click(canvas);
    window.key(Modifiers::NONE, Key::Delete);
    assert!(!window.sees("Delete player.png?"));
    // Frames that scenes use are asked about as well.
    let asks = window.harness.state().session().in_use().is_some();
    assert!(asks || window.frames() == 17);
}

#[test]
fn deleting_asks_first_and_names_what_goes() {
    let mut window = Window::sample();
    window.open_sheet("player.png");
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.sees("Delete player.png?") && window.sees("The sheet with its 18 frames"));
    assert!(window.sees("It goes to the system's trash"));
    window.key(Modifiers::NONE, Key::Escape);
    assert!(!window.sees("Delete player.png?"));
    window.perform(cutsheet::session::Action::Edit(cutsheet::edit::Edit::ToAtlas));
    window.menu_of("sprites");
    window.click("Delete…");
    assert!(window.sees("Delete sprites?"));
    assert!(window.sees("The folder with all that is in it: 5 sheets,"));
    assert!(window.sees("player.png, 18 frames"));
    assert!(window.sees("player.png has unsaved edits, which are lost"));
    window.click("Cancel");
    assert!(window.has_asset(PLAYER));
}

#[test]
fn a_folder_is_made_and_a_sheet_moved_into_it_by_menu_and_keys() {
    let mut window = Window::sample();
    window.menu_of("sprites");
    window.click("New folder…");
    assert!(window.sees("New folder in assets/sprites"));
    window.type_here("heroes");
    window.key(Modifiers::NONE, Key::Enter);
    window.wait_for_folder("assets/sprites/heroes");
    window.row("heroes");
    window.menu_of("player.png");
    window.click("Move to…");
    assert!(window.sees("Move player.png to"));
    // "assets" comes first, then that of the scenes, then the new folder; its own is not offered.
    window.key(Modifiers::NONE, Key::ArrowDown);
    window.key(Modifiers::NONE, Key::ArrowDown);
    window.key(Modifiers::NONE, Key::Enter);
    window.wait_for_asset("assets/sprites/heroes/player.png");
    assert!(window.sees("player.png is in assets/sprites/heroes now"));
}

#[test]
fn a_sheet_dragged_onto_a_folder_goes_into_it_and_a_frame_does_not() {
    let mut window = Window::sample();
    window.perform(Action::NewFolder("assets".into(), "heroes".into()));
    window.wait_for_folder("assets/heroes");
    let (from, to) = (window.row("player.png").center(), window.row("heroes").center());
    window.drag(from, to, true);
    window.button(to, false);
    window.wait_for_asset("assets/heroes/player.png");
    // A folder that is dragged onto what is in it is refused.
    window.perform(Action::NewFolder("assets/heroes".into(), "deep".into()));
    window.wait_for_folder("assets/heroes/deep");
    let (from, to) = (window.row("heroes").center(), window.row("deep").center());
    window.drag(from, to, false);
    window.harness.run_steps(10);
    assert!(window.has_asset("assets/heroes/player.png"));
    // Below the rows is the folder that holds all.
    let (from, to) = (window.row("player.png").center(), window.row("tiles.png").center());
    let below = eframe::egui::pos2(to.x, window.harness.get_by_label("assets").rect().bottom() - 8.0);
    window.drag(from, below, false);
    window.wait_for_asset("assets/player.png");
}

#[test]
fn commands_without_a_row_or_a_document_begin_in_the_browser() {
    let mut window = Window::sample();
    window.perform(cutsheet::session::Command::RenameFile);
    window.key(Modifiers::NONE, Key::F2);
    assert!(window.sees("Rename scenes"), "the first row has the keyboard");
    window.key(Modifiers::NONE, Key::Escape);
}
