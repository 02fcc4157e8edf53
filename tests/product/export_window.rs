//! An export from the window: its plan, its report, what is asked before files go, and where its problems lead.

use std::fs;

use cutsheet::session::{Action, Command, ExportStage, SceneDocument};
use eframe::egui::{Key, Modifiers};

use crate::harness::Window;

const LEVEL: &str = "assets/scenes/level.scene";
const PLAYER: &str = "3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810";

fn stage_is(window: &mut Window, what: &str, is_so: impl Fn(&ExportStage) -> bool) {
    window.wait(what, |app| app.session().exporting().is_some_and(|exporting| is_so(&exporting.stage)));
}

fn planned(window: &mut Window) {
    window.key(Modifiers::COMMAND, Key::E);
    stage_is(window, "the plan", |stage| matches!(stage, ExportStage::Planned(_)));
}

fn done(window: &mut Window) {
    stage_is(window, "the report", |stage| matches!(stage, ExportStage::Done(_)));
}

fn stored(window: &Window, name: &str) -> std::path::PathBuf {
    window.folder.path().join("storage").join(name)
}

#[test]
fn two_keys_export_what_the_scenes_use_and_the_report_stays_until_it_is_closed() {
    let mut window = Window::sample();
    planned(&mut window);
    assert!(
        window.sees("to write") && !stored(&window, "asset_table.bin").exists(),
        "nothing is written yet"
    );
    window.key(Modifiers::NONE, Key::Enter);
    done(&mut window);
    window.harness.run_steps(200);
    assert!(window.sees("Exported."));
    assert!(stored(&window, PLAYER).exists() && stored(&window, "asset_table.bin").exists());
    window.click("Close");
    assert!(window.harness.state().session().exporting().is_none());
    planned(&mut window);
    assert!(window.sees("Nothing to do"), "a second one has nothing to write");
    window.key(Modifiers::NONE, Key::Escape);
    assert!(window.harness.state().session().exporting().is_none());
}

#[test]
fn unsaved_scenes_are_named_and_saved_before_they_are_exported() {
    let mut window = Window::sample();
    window.perform(Action::OpenScene(LEVEL.into()));
    window.wait("the scene", |app| app.session().scene().is_some_and(SceneDocument::is_ready));
    window.perform(Command::AddObject);
    let before = fs::read(window.folder.path().join(LEVEL)).unwrap();
    planned(&mut window);
    assert!(window.sees("1 document with unsaved changes: level.scene"));
    window.click("Save all and export");
    done(&mut window);
    let after = fs::read(window.folder.path().join(LEVEL)).unwrap();
    assert_ne!(before, after);
    let said = window.harness.state().session().exporting().map(|it| format!("{:?}", it.stage));
    assert!(window.sees("Exported."), "{said:?}");
    let copies = fs::read_dir(window.folder.path().join("storage")).unwrap();
    let copies: Vec<_> = copies.filter_map(|entry| fs::read(entry.unwrap().path()).ok()).collect();
    assert!(copies.contains(&after), "what was saved is what was exported");
}

#[test]
fn files_that_nothing_uses_any_more_are_listed_and_go_only_when_that_was_ticked() {
    let mut window = Window::sample();
    planned(&mut window);
    window.key(Modifiers::NONE, Key::Enter);
    done(&mut window);
    window.click("Close");
    // No scene is left that could use anything.
    fs::remove_dir_all(window.folder.path().join("assets/scenes")).unwrap();
    window.wait("the scenes to go", |app| {
        app.session().project().is_some_and(|open| open.registry.referrers().len() == 0)
    });
    planned(&mut window);
    assert!(window.sees(PLAYER) && window.sees("No scene uses it any more"));
    assert!(stored(&window, PLAYER).exists());
    window.click_on_words("that nothing uses any more");
    window.key(Modifiers::NONE, Key::Enter);
    done(&mut window);
    assert!(!stored(&window, PLAYER).exists() && window.sees("removed"));
}

#[test]
fn a_click_on_a_problem_closes_the_export_and_leads_to_it() {
    let mut window = Window::sample();
    fs::remove_file(window.folder.path().join("assets/sprites/player.png")).unwrap();
    fs::remove_file(window.folder.path().join("assets/sprites/player.png.data")).unwrap();
    window.wait("the problems", |app| app.session().problem_count() > 0);
    planned(&mut window);
    window.click_on_words("which no asset of the project has");
    assert!(window.harness.state().session().exporting().is_none());
    window.wait("the object", |app| {
        app.session().scene().is_some_and(|scene| {
            let selected = scene.selected();
            selected.first().is_some_and(|object| object.name() == "Player")
        })
    });
}

#[test]
fn where_the_folder_should_be_a_file_the_report_says_so_and_the_file_stays() {
    let mut window = Window::sample();
    fs::write(window.folder.path().join("storage"), "mine").unwrap();
    window.key(Modifiers::COMMAND, Key::E);
    window.wait("an answer", |app| {
        app.session().exporting().is_some_and(|exporting| {
            matches!(exporting.stage, ExportStage::Planned(_) | ExportStage::Refused(_))
        })
    });
    if window.sees("to write") {
        window.key(Modifiers::NONE, Key::Enter);
        done(&mut window);
        assert!(window.sees("Not everything was exported."));
    }
    assert!(window.sees("storage"));
    assert_eq!(fs::read(window.folder.path().join("storage")).unwrap(), b"mine");
}

#[test]
fn what_cannot_be_saved_is_not_exported_and_the_plan_comes_back() {
    let mut window = Window::sample();
    window.perform(Action::OpenScene(LEVEL.into()));
    window.wait("the scene", |app| app.session().scene().is_some_and(SceneDocument::is_ready));
    window.perform(Command::AddObject);
    let menu = fs::read(window.folder.path().join("assets/scenes/menu.scene")).unwrap();
    fs::write(window.folder.path().join(LEVEL), menu).unwrap();
    window.wait("their scene", |app| app.session().scene().is_some_and(|scene| scene.theirs.is_some()));
    planned(&mut window);
    window.click("Save all and export");
    stage_is(&mut window, "the plan once more", |stage| matches!(stage, ExportStage::Planned(_)));
    window.harness.run_steps(30);
    assert!(window.sees("with unsaved changes: level.scene") && window.sees("changed outside"));
    assert!(!stored(&window, "asset_table.bin").exists());
}
