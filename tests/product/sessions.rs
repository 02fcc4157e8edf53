//! The application without a window: open, cut, save, undo, and keep up with other programs.

use std::fs;

use cutsheet::edit::Edit;
use cutsheet::geometry::Size;
use cutsheet::model::{FrameId, Run};
use cutsheet::registry::State;
use cutsheet::session::prefs::Prefs;
use cutsheet::session::toast::ToastKind;
use cutsheet::session::{Action, Answer, Command, Document, Effect, Load, SelectMode};

use crate::running::{PLAYER, Running, TILES, new_session, sidecar_json, tile_grid};

#[test]
fn a_grid_is_cut_saved_and_in_the_texture_at_once() {
    let mut running = Running::opened(TILES);
    assert!(!running.document().is_dirty());
    running.do_now(Action::Edit(tile_grid()));
    assert!(running.document().is_dirty());
    running.do_now(Command::Save);
    running.wait_until_clean();
    let sidecar = sidecar_json(&running.sidecar(TILES));
    assert_eq!(sidecar["slicing"]["mode"], "atlas");
    assert_eq!(sidecar["slicing"]["frames"].as_array().unwrap().len(), 32);
    assert_eq!(sidecar["slicing"]["imageSize"], serde_json::json!([137, 69]));
    running.wait("the texture", |it| {
        it.session
            .asset(TILES)
            .is_some_and(|asset| asset.frames.len() == 32 && asset.state == State::UpToDate)
    });
    // Our own save comes back through the watcher and is not taken for somebody else's.
    running.rest();
    assert_eq!(running.document().history.undo_label(), Some("Grid 16 x 16, offset 1, spacing 1"));
    assert!(!running.document().is_dirty());
    let toasts = running.session.toasts().shown();
    assert!(toasts.iter().all(|toast| !toast.text.contains("changed outside")), "{toasts:?}");
    let registry = running.session.project().unwrap().registry.clone();
    running.rest();
    let now = &running.session.project().unwrap().registry;
    assert!(std::sync::Arc::ptr_eq(&registry, now), "nothing is imported again and again");
}

#[test]
fn undo_after_a_save_is_dirty_and_redo_is_clean_again() {
    let mut running = Running::opened(TILES);
    running.do_now(Action::Edit(tile_grid()));
    running.do_now(Command::Save);
    running.wait_until_clean();
    running.do_now(Command::Undo);
    assert!(running.document().is_dirty() && running.document().sheet().frames.is_empty());
    running.do_now(Command::Redo);
    assert!(!running.document().is_dirty());
}

#[test]
fn an_edit_made_while_a_save_runs_stays_dirty() {
    let mut running = Running::opened(TILES);
    running.do_now(Action::Edit(tile_grid()));
    running.session.perform(Command::Save.into());
    running.session.perform(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(8, 8)))));
    running.wait("the save", |it| it.document().saving.is_none());
    assert!(running.document().is_dirty());
}

#[test]
fn a_repaint_outside_keeps_selection_history_and_unsaved_edits() {
    let mut running = Running::opened(PLAYER);
    let grid = Edit::SetGrid(Run::of_cell(Size::new(16, 16)));
    running.do_now(Action::Edit(grid));
    running.do_now(Action::Select(PLAYER.into(), FrameId(30), SelectMode::Replace));
    let before = running.session.asset(PLAYER).unwrap().clone();
    let revision = running.document().history.revision();
    // Another picture of the same size, saved as most programs do.
    let mut picture = cutsheet::sample::bench::sheet(192, 32);
    picture =
        cutsheet::sample::Picture { size: Size::new(192, 96), rgba: picture.rgba[..192 * 96 * 4].to_vec() };
    let bytes = cutsheet::sample::encode_png(&picture, false, cutsheet::sample::Effort::Fast);
    let temporary = running.folder.path().join("assets/sprites/.saving");
    fs::write(&temporary, bytes).unwrap();
    fs::rename(&temporary, running.image(PLAYER)).unwrap();
    running.wait("the new picture", |it| {
        let asset = it.session.asset(PLAYER).unwrap();
        asset.image.as_ref().map(|image| image.hash) != before.image.as_ref().map(|image| image.hash)
            && asset.state == State::UpToDate
    });
    running.rest();
    let document = running.document();
    assert_eq!((document.history.revision(), document.history.selection()), (revision, &[FrameId(30)][..]));
    assert!(document.is_dirty());
    let texts: Vec<_> = running.session.toasts().shown().iter().map(|toast| toast.text.clone()).collect();
    assert_eq!(texts, ["player.png changed outside, reloaded"]);
}

#[test]
fn a_sidecar_changed_outside_is_one_step_without_unsaved_edits_and_waits_with_them() {
    let mut running = Running::opened(PLAYER);
    let text = fs::read_to_string(running.sidecar(PLAYER)).unwrap();
    let changed = |side: u32| text.replace("\"frameWidth\": 32", &format!("\"frameWidth\": {side}"));
    assert_ne!(changed(16), text);
    fs::write(running.sidecar(PLAYER), changed(16)).unwrap();
    running.wait("their frames", |it| it.document().sheet().frames.len() == 36);
    assert!(!running.document().is_dirty());
    running.do_now(Command::Undo);
    assert_eq!(running.document().sheet().frames.len(), 18);
    assert!(running.document().is_dirty());
    fs::write(running.sidecar(PLAYER), changed(64)).unwrap();
    running.wait("the question", |it| it.document().theirs.is_some());
    assert_eq!(running.document().sheet().frames.len(), 18, "unsaved edits stay");
    running.do_now(Command::TakeTheirs);
    assert_eq!(running.document().sheet().frames.len(), 9);
    assert!(!running.document().is_dirty());
    running.do_now(Command::Undo);
    assert_eq!(running.document().sheet().frames.len(), 18, "taking theirs is one step");
    fs::write(running.sidecar(PLAYER), changed(8)).unwrap();
    running.wait("the question", |it| it.document().theirs.is_some());
    running.do_now(Command::Save);
    running.rest();
    assert_eq!(
        sidecar_json(&running.sidecar(PLAYER))["slicing"]["frameWidth"],
        8,
        "theirs is not written over"
    );
    assert!(running.document().theirs.is_some() && running.document().is_dirty());
    running.do_now(Command::KeepMine);
    assert_eq!((running.document().sheet().frames.len(), running.document().is_dirty()), (18, true));
    running.do_now(Command::Save);
    running.wait_until_clean();
    assert_eq!(sidecar_json(&running.sidecar(PLAYER))["slicing"]["frameWidth"], 32);
}

#[test]
fn what_the_file_says_decides_what_is_unsaved_and_no_save_goes_over_the_question() {
    let mut running = Running::opened(PLAYER);
    let text = fs::read_to_string(running.sidecar(PLAYER)).unwrap();
    let changed = |side: u32| text.replace("\"frameWidth\": 32", &format!("\"frameWidth\": {side}"));
    running.do_now(Action::Edit(Edit::ClearSlicing));
    fs::write(running.sidecar(PLAYER), changed(16)).unwrap();
    running.wait("the question", |it| it.document().theirs.is_some());
    // Back to what was saved once, which is not what the file says now.
    running.do_now(Command::Undo);
    assert!(running.document().is_dirty());
    // Leaving with "Save all" neither writes over it nor leaves.
    running.do_now(Command::Quit);
    running.do_now(Action::Answer(Answer::SaveAll));
    running.rest();
    assert!(running.session.question().is_none() && !running.effects.contains(&Effect::Quit));
    assert_eq!(fs::read_to_string(running.sidecar(PLAYER)).unwrap(), changed(16));
    running.do_now(Command::KeepMine);
    assert!(running.document().is_dirty());
    running.do_now(Command::Save);
    running.wait_until_clean();
    assert_eq!(sidecar_json(&running.sidecar(PLAYER))["slicing"]["frameWidth"], 32);
}

#[test]
fn closing_asks_once_for_all_and_saves_before_it_leaves() {
    let mut running = Running::opened(TILES);
    running.do_now(Action::Edit(tile_grid()));
    running.open(PLAYER);
    running.do_now(Action::Edit(Edit::ClearSlicing));
    running.do_now(Command::Quit);
    let question = running.session.question().unwrap();
    assert_eq!(question.changed.len(), 2);
    running.do_now(Action::Answer(Answer::Cancel));
    assert!(running.session.question().is_none() && !running.effects.contains(&Effect::Quit));
    running.do_now(Command::Quit);
    running.do_now(Action::Answer(Answer::SaveAll));
    running.wait("leaving", |it| it.effects.contains(&Effect::Quit));
    assert_eq!(sidecar_json(&running.sidecar(TILES))["slicing"]["mode"], "atlas");
}

#[test]
fn a_tab_closed_with_discard_leaves_the_file_as_it_was() {
    let mut running = Running::opened(TILES);
    let before = fs::read(running.sidecar(TILES)).unwrap();
    running.do_now(Action::Edit(tile_grid()));
    running.do_now(Command::CloseTab);
    running.do_now(Action::Answer(Answer::Discard));
    assert!(running.session.documents().is_empty());
    assert_eq!(fs::read(running.sidecar(TILES)).unwrap(), before);
}

#[test]
fn a_save_that_fails_says_where_and_why_and_stays_dirty() {
    let mut running = Running::opened(TILES);
    let sidecar = running.sidecar(TILES);
    let writable = fs::metadata(&sidecar).unwrap().permissions();
    let mut permissions = writable.clone();
    permissions.set_readonly(true);
    fs::set_permissions(&sidecar, permissions).unwrap();
    running.do_now(Action::Edit(tile_grid()));
    running.do_now(Command::Save);
    running.wait("the message", |it| !it.session.toasts().shown().is_empty());
    let toast = &running.session.toasts().shown()[0];
    assert_eq!(toast.kind, ToastKind::Error);
    assert!(toast.text.contains("read-only") && toast.text.contains("tiles.png.data"), "{}", toast.text);
    assert!(running.document().is_dirty());
    // A question that waits for this save does not close anything.
    running.do_now(Command::Quit);
    running.do_now(Action::Answer(Answer::SaveAll));
    running.wait("the question's end", |it| it.session.question().is_none());
    assert!(!running.effects.contains(&Effect::Quit) && running.document().is_dirty());
    // Once the file may be written to, the same command saves.
    fs::set_permissions(&sidecar, writable).unwrap();
    running.do_now(Command::Save);
    running.wait_until_clean();
    assert_eq!(sidecar_json(&sidecar)["slicing"]["frames"].as_array().unwrap().len(), 32);
}

#[cfg(unix)]
#[test]
fn a_save_into_a_folder_that_takes_no_files_says_so_and_stays_dirty() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut running = Running::opened(TILES);
    let sidecar = running.sidecar(TILES);
    let folder = sidecar.parent().unwrap().to_owned();
    let before = fs::read(&sidecar).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    // Who may write anywhere, as in a container, cannot try this.
    if fs::write(folder.join("probe"), b"").is_ok() {
        return;
    }
    running.do_now(Action::Edit(tile_grid()));
    running.do_now(Command::Save);
    running.wait("the message", |it| !it.session.toasts().shown().is_empty());
    let toast = running.session.toasts().shown()[0].clone();
    assert!(running.document().is_dirty());
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(toast.kind, ToastKind::Error);
    assert!(toast.text.contains("tiles.png.data"), "{}", toast.text);
    assert_eq!(fs::read(&sidecar).unwrap(), before);
}

#[test]
fn a_sidecar_that_cannot_be_parsed_is_never_written_over() {
    let conflict = b"{\n<<<<<<< ours\n  \"guid\": 1\n=======\n>>>>>>> theirs\n}\n".to_vec();
    let utf16 = "\u{feff}{}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, words) in [(conflict, "a conflict mark"), (utf16, "UTF-16")] {
        let mut running = Running::sample();
        fs::write(running.sidecar(TILES), &bytes).unwrap();
        running.wait("the problem", |it| it.session.problem_count() > 0);
        running.open(TILES);
        running.do_now(Action::Edit(tile_grid()));
        running.do_now(Command::Save);
        running.wait("the message", |it| {
            let toasts = it.session.toasts().shown();
            toasts.iter().any(|toast| toast.kind == ToastKind::Error && toast.text.contains(words))
        });
        assert_eq!(fs::read(running.sidecar(TILES)).unwrap(), bytes);
        assert!(running.document().is_dirty());
    }
}

#[test]
fn a_document_follows_its_file_to_a_new_name() {
    let mut running = Running::opened(PLAYER);
    let to = "assets/sprites/hero.png";
    fs::rename(running.image(PLAYER), running.image(to)).unwrap();
    fs::rename(running.sidecar(PLAYER), running.sidecar(to)).unwrap();
    running.wait("the new name", |it| *it.document().path == *to);
    assert!(matches!(running.document().load, Load::Ready));
    assert_eq!(running.document().sheet().frames.len(), 18);
}

#[test]
fn sheets_tabs_and_views_are_as_they_were_after_a_restart() {
    let config = tempfile::tempdir().unwrap();
    let prefs = config.path().join("new/preferences.json");
    let folder = tempfile::tempdir().unwrap();
    cutsheet::sample::write_project(folder.path()).unwrap();
    let mut running = Running { session: new_session(Some(prefs.clone())), folder, effects: Vec::new() };
    let root = running.folder.path().to_owned();
    running.do_now(Action::Open(root.clone()));
    running
        .wait("the import", |it| it.session.project().is_some_and(|open| open.registry.assets().len() == 5));
    running.open(PLAYER);
    running.open(TILES);
    running.do_now(Action::OpenSheet(PLAYER.into()));
    let view = cutsheet::session::View { zoom: 3.0, center_x: 10.0, center_y: 20.0 };
    running.do_now(Action::RememberView(PLAYER.into(), view));
    running.do_now(Command::Quit);
    drop(std::mem::replace(&mut running.session, new_session(None)));

    let remembered = Prefs::load(&prefs);
    assert_eq!(remembered.recent[0].path, root);
    assert_eq!(remembered.views.get(&root.join(PLAYER)), Some(&view));
    running.session = new_session(Some(prefs));
    running.do_now(Action::Open(root));
    running.wait("the project", |it| it.session.project().is_some());
    let tabs: Vec<_> = running.session.documents().iter().map(|document| document.path.to_string()).collect();
    assert_eq!(tabs, [PLAYER, TILES]);
    assert_eq!(&*running.document().path, PLAYER);
}

#[test]
fn a_missing_project_is_said_and_what_is_open_stays() {
    let mut running = Running::opened(TILES);
    running.do_now(Action::Open("/no/such/project".into()));
    running.wait("the message", |it| !it.session.toasts().shown().is_empty());
    assert!(running.session.toasts().shown()[0].text.contains("/no/such/project"));
    assert_eq!(running.session.documents().len(), 1);
}

#[test]
fn an_image_opened_alone_leaves_its_folder_alone_until_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let picture = &cutsheet::sample::files()[0].bytes;
    for name in ["a.png", "b.png"] {
        fs::write(folder.path().join(name), picture).unwrap();
    }
    let mut running = Running { session: new_session(None), folder, effects: Vec::new() };
    let image = running.folder.path().join("a.png");
    running.do_now(Action::Open(image.clone()));
    running.wait("the sheet", |it| it.session.current().is_some_and(Document::is_ready));
    running.wait("the texture", |it| {
        it.session.asset("a.png").is_some_and(|asset| asset.state == State::UpToDate)
    });
    let names = || fs::read_dir(image.parent().unwrap()).unwrap().count();
    assert_eq!((running.session.project().unwrap().registry.assets().len(), names()), (1, 2));
    running.do_now(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(32, 32)))));
    running.do_now(Command::Save);
    running.wait_until_clean();
    assert_eq!(names(), 3);
    let guid = sidecar_json(&image.with_file_name("a.png.data"))["guid"].as_str().unwrap().to_owned();
    running
        .wait("the GUID", |it| it.session.asset("a.png").is_some_and(|asset| asset.guid.to_string() == guid));
}
