//! Files renamed, moved and deleted from within, with all that is open on them.

use std::fs;
use std::sync::Arc;

use cutsheet::edit::{Edit, Inserted, Place, SceneEdit};
use cutsheet::model::scene::{AssetRef, Transform};
use cutsheet::model::{Code, FrameId};
use cutsheet::registry::State;
use cutsheet::runtime::Memo;
use cutsheet::session::toast::ToastKind;
use cutsheet::session::{Action, Command, SelectMode, Unsaved};

use crate::running::{PLAYER, Running, TILES, new_session, sidecar_json, tile_grid};

const KNIGHT: &str = "assets/sprites/knight.png";

fn rename(path: &str, name: &str) -> Action {
    Action::RenameAsset(path.into(), name.to_owned())
}

fn move_to(path: &str, folder: &str) -> Action {
    Action::MoveAssets(vec![path.into()], folder.into())
}

/// Waits until an asset is at a path; in every moment on the way it is at the old one or at the new one, and so is the
/// open document.
fn wait_for_move(running: &mut Running, from: &str, to: &str) {
    running.wait("the move", |it| {
        let has = |path: &str| it.session.asset(path).is_some();
        assert!(has(from) != has(to), "neither or both");
        if let Some(document) = it.session.current() {
            assert!(has(&document.path), "{} is not known", document.path);
        }
        has(to)
    });
}

fn texts(running: &Running) -> Vec<String> {
    running.session.toasts().shown().iter().map(|toast| toast.text.clone()).collect()
}

fn frame_ref(running: &Running, path: &str, index: usize) -> AssetRef {
    let asset = running.session.asset(path).unwrap();
    let source = asset.frames[index].guid.to_string().into();
    AssetRef { guid: asset.guid.to_string().into(), source }
}

/// A scene with an object that shows a frame of the player, saved.
fn scene_with_player(running: &mut Running) {
    running.do_now(Command::NewScene);
    let object = running.session.object_of(&frame_ref(running, PLAYER, 2), Transform::default());
    let edit = SceneEdit::Insert(Inserted::Drop, vec![object], Place::end_of(None));
    running.do_now(Action::EditScene(edit));
    running.do_now(Command::Save);
    let path = running.session.scene().unwrap().path.clone();
    running.wait("the scene's import", |it| {
        let registry = &it.session.project().unwrap().registry;
        let is_imported = registry.referrer(&path).is_some_and(|scene| scene.references.len() == 1);
        !it.session.scene().unwrap().is_dirty() && is_imported && it.sidecar(&path).exists()
    });
}

#[test]
fn a_renamed_sheet_keeps_its_tab_edits_selection_and_undo_and_is_saved_under_its_new_name() {
    let mut running = Running::opened(PLAYER);
    let before = running.session.asset(PLAYER).unwrap().clone();
    running.do_now(Action::Edit(Edit::ToAtlas));
    running.do_now(Action::Edit(Edit::Remove(vec![FrameId(3)])));
    running.do_now(Action::Select(PLAYER.into(), FrameId(7), SelectMode::Replace));
    running.do_now(rename(PLAYER, "knight.png"));
    wait_for_move(&mut running, PLAYER, KNIGHT);
    for _ in 0..2 {
        let document = running.document();
        assert_eq!((&*document.path, running.session.documents().len()), (KNIGHT, 1));
        assert_eq!((document.sheet().frames.len(), document.is_dirty()), (17, true));
        assert_eq!(document.history.selection(), [FrameId(7)]);
        assert!(document.history.undo_label().is_some() && document.theirs.is_none());
        // The watcher tells of it, too.
        running.rest();
    }
    let now = running.session.asset(KNIGHT).unwrap();
    assert_eq!((now.guid, now.state, now.frames.len()), (before.guid, State::UpToDate, 18));
    assert_eq!(now.texture, before.texture, "nothing was compiled again");
    assert_eq!(running.session.project().unwrap().registry.assets().len(), 5);
    assert!(!running.image(PLAYER).exists() && !running.sidecar(PLAYER).exists());
    running.do_now(Command::Save);
    running.wait_until_clean();
    assert_eq!(sidecar_json(&running.sidecar(KNIGHT))["slicing"]["frames"].as_array().unwrap().len(), 17);
    assert!(!running.sidecar(PLAYER).exists(), "nothing is written at the old name");
    running.do_now(Command::Undo);
    assert_eq!(running.document().sheet().frames.len(), 18);
    assert!(texts(&running).iter().all(|text| !text.contains("changed outside")), "{:?}", texts(&running));
}

#[test]
fn a_save_asked_for_while_the_file_is_on_its_way_goes_to_the_new_place() {
    let mut running = Running::opened(TILES);
    running.session.perform(Action::Edit(tile_grid()));
    running.session.perform(rename(TILES, "ground.png"));
    running.session.perform(Command::Save.into());
    running.wait_until_clean();
    assert!(!running.sidecar(TILES).exists());
    let sidecar = sidecar_json(&running.sidecar("assets/sprites/ground.png"));
    assert_eq!(sidecar["slicing"]["frames"].as_array().unwrap().len(), 32);
}

#[test]
fn references_of_a_scene_hold_wherever_the_sheet_and_the_scene_go() {
    let mut running = Running::sample();
    scene_with_player(&mut running);
    let path = running.session.scene().unwrap().path.clone();
    let guid = running.session.project().unwrap().registry.referrer(&path).unwrap().guid;
    let users = running.session.loss_of(&[PLAYER.into()]).users;
    let objects: usize = users.iter().map(|user| user.objects).sum();
    assert!(objects > 1 && users.iter().any(|user| user.path == path && user.objects == 1), "{users:?}");
    running.do_now(Action::NewFolder("assets".into(), "heroes".into()));
    running.wait("the folder", |it| it.session.folders().iter().any(|it| **it == *"assets/heroes"));
    running.do_now(move_to(PLAYER, "assets/heroes"));
    wait_for_move(&mut running, PLAYER, "assets/heroes/player.png");
    let words = format!("player.png is in assets/heroes now. The {objects} objects that use it still do");
    assert_eq!(*texts(&running).last().unwrap(), words);
    running.do_now(rename(&path, "arena.scene"));
    running
        .wait("the scene's new name", |it| *it.session.scene().unwrap().path == *"assets/scenes/arena.scene");
    running.rest();
    let arena = "assets/scenes/arena.scene";
    assert!(running.image(arena).exists() && running.sidecar(arena).exists());
    assert!(!running.image(&path).exists() && !running.sidecar(&path).exists());
    let registry = &running.session.project().unwrap().registry;
    assert_eq!(registry.referrer(arena).unwrap().guid, guid);
    assert!(registry.referrer(&path).is_none());
    let player = registry.asset("assets/heroes/player.png").unwrap().guid;
    assert!(registry.uses_of(player).any(|(scene, _)| &*scene.path == arena));
    for scene in registry.referrers() {
        let broken = registry.problems_of_referrer(&scene.path).filter(|it| it.code == Code::ReferenceBroken);
        assert_eq!(broken.count(), 0, "{}", scene.path);
    }
    let drawn = |running: &Running| {
        let items = running.session.stage(running.session.scene().unwrap().scene(), &mut Memo::default());
        items.len() == 1 && items[0].picture.is_some() && items[0].fault.is_none()
    };
    running.wait("the picture", |it| drawn(it));
    let object = running.session.scene().unwrap().scene().objects[0].key;
    running.do_now(Action::EditScene(SceneEdit::Rename(vec![object], "hero".into())));
    running.do_now(Command::Save);
    running.wait("the scene's save", |it| !it.session.scene().unwrap().is_dirty());
    assert!(!running.image(&path).exists());
}

#[test]
fn a_folder_takes_along_all_that_is_in_it_and_one_word_brings_it_back() {
    let mut running = Running::opened(PLAYER);
    fs::write(running.image("assets/sprites/notes.txt"), "mine").unwrap();
    running.do_now(Action::Edit(Edit::ToAtlas));
    let guid = running.session.asset(PLAYER).unwrap().guid;
    running.do_now(rename("assets/sprites", "art"));
    wait_for_move(&mut running, PLAYER, "assets/art/player.png");
    running.rest();
    assert_eq!(running.session.asset("assets/art/player.png").unwrap().guid, guid);
    assert!(running.image("assets/art/notes.txt").exists() && !running.image("assets/sprites").exists());
    assert_eq!((&*running.document().path, running.document().is_dirty()), ("assets/art/player.png", true));
    let paths: Vec<_> =
        running.session.project().unwrap().registry.assets().map(|it| it.path.clone()).collect();
    assert!(paths.len() == 5 && paths.iter().all(|path| path.starts_with("assets/art/")), "{paths:?}");
    let offer = running.session.toasts().shown().last().unwrap();
    assert_eq!((offer.offers, offer.offers_as), (Some(Command::UndoMove), Some("Undo")));
    running.do_now(Command::UndoMove);
    wait_for_move(&mut running, "assets/art/player.png", PLAYER);
    running.rest();
    assert!(running.image("assets/sprites/notes.txt").exists() && !running.image("assets/art").exists());
    assert_eq!((&*running.document().path, running.document().is_dirty()), (PLAYER, true));
    assert!(running.session.why_disabled(Command::UndoMove).is_some(), "there is nothing more to take back");
    assert!(running.session.toasts().shown().iter().all(|toast| toast.offers.is_none()));
}

#[test]
fn only_the_case_of_a_name_may_change() {
    let mut running = Running::opened(PLAYER);
    running.do_now(rename(PLAYER, "Player.PNG"));
    let now = "assets/sprites/Player.PNG";
    wait_for_move(&mut running, PLAYER, now);
    running.rest();
    assert_eq!(&*running.document().path, now);
    let names = fs::read_dir(running.image("assets/sprites")).unwrap().map(|it| it.unwrap().file_name());
    let names: Vec<_> =
        names.filter(|it| it.to_ascii_lowercase().to_string_lossy().contains("player")).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.to_string_lossy().starts_with("Player.PNG")), "{names:?}");
}

#[test]
fn what_cannot_be_is_refused_with_words_and_nothing_is_touched() {
    let mut running = Running::opened(PLAYER);
    let before = fs::read(running.image(TILES)).unwrap();
    fs::write(running.image("assets/sprites/unseen.txt"), "theirs").unwrap();
    let refused = [
        (rename(PLAYER, "tiles.png"), "of that name already"),
        (rename(PLAYER, "../player.png"), "has no /"),
        (rename(PLAYER, "player"), "ends with .png"),
        (rename(PLAYER, "nul.png"), "device"),
        (rename(PLAYER, "player.png"), "This is its name"),
        (rename("assets", "other"), "not in the project"),
        (rename("../elsewhere.png", "a.png"), "not in the project"),
        (move_to(PLAYER, "assets/sprites"), "in that folder already"),
        (move_to(PLAYER, "assets/../.."), "no such folder"),
        (move_to("assets/sprites", "assets/sprites"), "into itself"),
        (Action::NewFolder("assets".into(), "sprites".into()), "of that name already"),
        (Action::NewFolder("assets".into(), "a/b".into()), "has no /"),
        (Action::DeleteAssets(vec!["assets/../../x".into()]), "not in the project"),
        // What nobody told us of is seen by the file system itself.
        (rename("assets/sprites", "hidden"), "of that name already"),
    ];
    fs::create_dir(running.image("assets/hidden")).unwrap();
    for (action, words) in refused {
        running.do_now(action);
        running.wait(words, |it| it.session.toasts().shown().iter().any(|toast| toast.text.contains(words)));
        let kinds: Vec<_> = running.session.toasts().shown().iter().map(|toast| toast.kind).collect();
        assert!(kinds.iter().all(|kind| *kind != ToastKind::Info));
        for id in running.session.toasts().shown().iter().map(|toast| toast.id).collect::<Vec<_>>() {
            running.do_now(Action::DismissToast(id));
        }
    }
    assert_eq!(fs::read(running.image(TILES)).unwrap(), before);
    assert!(running.image(PLAYER).exists() && &*running.document().path == PLAYER);
}

#[test]
fn an_image_without_a_sidecar_keeps_its_guid_and_the_place_where_it_was_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let settings = tempfile::tempdir().unwrap();
    let picture = cutsheet::sample::bench::sheet(64, 16);
    let bytes = cutsheet::sample::encode_png(&picture, false, cutsheet::sample::Effort::Fast);
    fs::write(folder.path().join("hero.png"), bytes).unwrap();
    let session = new_session(Some(settings.path().join("preferences.json")));
    let mut running = Running { folder, session, effects: Vec::new() };
    let root = running.folder.path().to_owned();
    running.session.perform(Action::Open(root.clone()));
    running.wait("the import", |it| {
        it.session.asset("hero.png").is_some_and(|asset| asset.state == State::UpToDate)
    });
    let guid = running.session.asset("hero.png").unwrap().guid;
    running.open("hero.png");
    let view = cutsheet::session::View { zoom: 3.0, center_x: 4.0, center_y: 5.0 };
    running.do_now(Action::RememberView("hero.png".into(), view));
    running.do_now(rename("hero.png", "knight.png"));
    wait_for_move(&mut running, "hero.png", "knight.png");
    running.rest();
    running.rest();
    assert_eq!(running.session.asset("knight.png").unwrap().guid, guid);
    assert!(running.session.asset("hero.png").is_none());
    assert!(!root.join("knight.png.data").exists(), "a sidecar is made by a save alone");
    assert_eq!(running.session.prefs().views.get(&root.join("knight.png")), Some(&view));
    assert_eq!(running.session.prefs().open_sheets[&root].paths, ["knight.png"]);
}

#[test]
fn unsaved_edits_of_a_moved_sheet_outlive_a_crash() {
    let mut running = Running::opened(TILES);
    running.do_now(Action::Edit(tile_grid()));
    running.session.copy_unsaved();
    running.do_now(rename(TILES, "ground.png"));
    wait_for_move(&mut running, TILES, "assets/sprites/ground.png");
    running.rest();
    // Another session finds the copy, as after a crash of this one.
    let mut session = new_session(None);
    session.perform(Action::Open(running.folder.path().to_owned()));
    let start = std::time::Instant::now();
    while session.recovered().is_none() && start.elapsed().as_secs() < 10 {
        session.pump();
    }
    assert_eq!(&*session.recovered().unwrap().path, "assets/sprites/ground.png");
    let Unsaved::Sheet(sheet) = &session.recovered().unwrap().document else { panic!("no sheet") };
    assert_eq!(sheet.frames.len(), 32);
}

#[test]
fn deleting_says_what_goes_and_who_uses_it() {
    let mut running = Running::opened(PLAYER);
    running.do_now(Action::Edit(Edit::ToAtlas));
    scene_with_player(&mut running);
    let scene = running.session.scene().unwrap().path.clone();
    let loss = running.session.loss_of(&[Arc::from("assets/sprites")]);
    assert_eq!((loss.sheets.len(), loss.unsaved), (5, vec![PLAYER.into()]));
    assert_eq!(loss.folders, ["assets/sprites".into()]);
    assert!(loss.sheets.contains(&(PLAYER.into(), 18)));
    assert!(loss.users.iter().any(|user| user.path == scene && user.objects == 1), "{:?}", loss.users);
    let all = running.session.loss_of(&["assets/sprites".into(), "assets/scenes".into()]);
    assert!(all.users.is_empty(), "who goes along misses nothing");
}

#[cfg(target_os = "linux")]
mod trash {
    use super::*;
    use crate::home::{in_own_home, in_trash};

    #[test]
    fn what_is_deleted_is_in_the_trash_with_its_sidecar_and_its_tab_is_closed() {
        let name = "files::trash::what_is_deleted_is_in_the_trash_with_its_sidecar_and_its_tab_is_closed";
        let Some(home) = in_own_home(name, true) else { return };
        let mut running = Running::opened(PLAYER);
        running.do_now(Action::Edit(Edit::ToAtlas));
        running.open(TILES);
        running.do_now(Action::DeleteAssets(vec![PLAYER.into()]));
        running.wait("the deletion", |it| it.session.asset(PLAYER).is_none());
        running.rest();
        assert!(running.session.asset(PLAYER).is_none() && !running.sidecar(PLAYER).exists());
        assert_eq!(in_trash(&home), ["player.png", "player.png.data"]);
        let open: Vec<_> = running.session.documents().iter().map(|it| &*it.path).collect();
        assert_eq!(open, [TILES]);
        assert!(texts(&running).contains(&"player.png is in the system's trash".to_owned()));
        running.do_now(Action::DeleteAssets(vec!["assets/sprites".into()]));
        running.wait("the deletion", |it| it.session.project().unwrap().registry.assets().len() == 0);
        assert_eq!(in_trash(&home), ["player.png", "player.png.data", "sprites"]);
        assert!(running.session.documents().is_empty() && !running.image("assets/sprites").exists());
    }

    #[test]
    fn without_a_trash_nothing_is_deleted_and_that_is_said() {
        let name = "files::trash::without_a_trash_nothing_is_deleted_and_that_is_said";
        let Some(_) = in_own_home(name, false) else { return };
        let mut running = Running::opened(PLAYER);
        running.do_now(Action::DeleteAssets(vec![PLAYER.into()]));
        running
            .wait("the words", |it| it.session.toasts().shown().iter().any(|it| it.kind == ToastKind::Error));
        let words = texts(&running).join(" ");
        assert!(words.contains("Not put into the system's trash") && words.contains("player.png"), "{words}");
        assert!(words.contains("Nothing of it was deleted"), "{words}");
        running.rest();
        assert!(running.image(PLAYER).exists() && running.sidecar(PLAYER).exists());
        assert_eq!((running.session.documents().len(), running.session.asset(PLAYER).is_some()), (1, true));
    }
}
