//! What a game gets, by the program without a window.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use cutsheet::format::lookup_table::{self, hash_of};
use cutsheet::format::scene;
use cutsheet::guid::Guid;
use cutsheet::model::scene::{AssetRef, Object, Scene, Transform};
use cutsheet::runtime::{Stage, Texture, file_of};
use serde_json::{Value, json};

const PLAYER: &str = "3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810";
const ITEMS: &str = "a94b7c06-2e5f-4d18-b0c3-7f8e91d2645a";
const TILES: &str = "5d2e8f71-b3a4-4c69-8e07-1a9c5b60d3f2";
const LEVEL: &str = "assets/scenes/level.scene";
const LEVEL_GUID: &str = "e1f5a7c3-0b2d-4e68-9a41-5c7d8e9f0a12";

fn cutsheet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cutsheet")).args(arguments).output().unwrap()
}

fn frame(sheet: &str, id: u32) -> AssetRef {
    let frame = Guid::for_frame(sheet.parse().unwrap(), id).to_string();
    AssetRef { guid: sheet.into(), source: frame.as_str().into() }
}

fn whole(sheet: &str) -> AssetRef {
    AssetRef { guid: sheet.into(), source: "".into() }
}

/// A scene with a sprite for each of these, side by side.
fn scene_of(sprites: &[AssetRef]) -> Scene {
    let mut scene = Scene::new("Level");
    for (place, sprite) in sprites.iter().enumerate() {
        let mut object = Object::new(scene.take_key(), scene.free_id(), &format!("object {place}"));
        object.set_transform(Transform { x: place as f32 * 3.0 - 4.0, ..Transform::default() });
        object.add_sprite(sprite);
        scene.children_mut(None).unwrap().push(Arc::new(object));
    }
    scene
}

/// The sample project with a scene.
struct Game {
    folder: tempfile::TempDir,
}

impl Game {
    fn new(sprites: &[AssetRef]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        cutsheet::sample::write_project(folder.path()).unwrap();
        let game = Self { folder };
        // Its own scenes would be exported too.
        fs::remove_dir_all(game.path("assets/scenes")).unwrap();
        fs::create_dir(game.path("assets/scenes")).unwrap();
        fs::write(game.path(&format!("{LEVEL}.data")), format!("{{ \"guid\": \"{LEVEL_GUID}\" }}")).unwrap();
        game.show(sprites);
        game
    }

    /// Writes a scene that shows these.
    fn show(&self, sprites: &[AssetRef]) {
        fs::write(self.path(LEVEL), scene::write(&scene_of(sprites)).unwrap()).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn stored(&self, name: &str) -> PathBuf {
        self.path("storage").join(name)
    }

    /// The exit status, the document and what was said on standard error.
    fn export(&self, arguments: &[&str]) -> (i32, Value, String) {
        let folder = self.folder.path().to_str().unwrap();
        let output = cutsheet(&[&["export", folder, "--json"], arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        let document = serde_json::from_slice(&output.stdout).unwrap_or_else(|why| panic!("{why}: {said}"));
        (output.status.code().unwrap(), document, said)
    }
}

/// What was done, by GUID.
fn actions(document: &Value) -> BTreeMap<&str, &str> {
    let files = document["files"].as_array().unwrap().iter();
    files.map(|file| (file["guid"].as_str().unwrap(), file["action"].as_str().unwrap())).collect()
}

fn problems(document: &Value) -> Vec<(&str, &str)> {
    let problems = document["problems"].as_array().unwrap().iter();
    problems.map(|it| (it["code"].as_str().unwrap(), it["path"].as_str().unwrap())).collect()
}

#[test]
fn a_game_gets_what_its_scenes_use_and_a_table_and_nothing_twice() {
    let game = Game::new(&[frame(PLAYER, 1), frame(ITEMS, 0), whole(PLAYER)]);
    let (status, document, said) = game.export(&[]);
    assert_eq!((status, problems(&document), &*said), (0, vec![], ""));
    assert_eq!(actions(&document), [(PLAYER, "copied"), (ITEMS, "copied"), (LEVEL_GUID, "copied")].into());
    assert_eq!(document["table"], "storage/asset_table.bin");
    for file in document["files"].as_array().unwrap() {
        let guid = file["guid"].as_str().unwrap();
        let bytes = fs::read(game.path(file["path"].as_str().unwrap())).unwrap();
        let (source, type_name) = if guid == LEVEL_GUID {
            (game.path(LEVEL), "Scene")
        } else {
            (game.path("cache").join(guid), "Sprite")
        };
        assert_eq!(bytes, fs::read(source).unwrap(), "{guid}");
        assert_eq!((&file["bytes"], &file["type"]), (&json!(bytes.len()), &json!(type_name)));
        let used_by = if guid == LEVEL_GUID { json!([]) } else { json!([LEVEL]) };
        assert_eq!(file["used_by"], used_by);
    }
    assert_eq!(fs::read_dir(game.path("storage")).unwrap().count(), 4);
    let table = fs::read(game.stored("asset_table.bin")).unwrap();
    assert_eq!((table.len(), &table[..4]), (4 + 3 * 44, &[3, 0, 0, 0][..]));

    let (status, document, _) = game.export(&["--prune"]);
    assert_eq!((status, problems(&document)), (0, vec![]));
    assert_eq!(
        actions(&document),
        [(PLAYER, "unchanged"), (ITEMS, "unchanged"), (LEVEL_GUID, "unchanged")].into()
    );
}

#[test]
fn a_scene_is_drawn_from_the_export_alone_as_from_the_cache() {
    let game = Game::new(&[frame(PLAYER, 1), frame(ITEMS, 0), whole(TILES)]);
    assert_eq!(game.export(&[]).0, 0);
    let draw = |folder: &Path, bytes: Vec<u8>| {
        let scene = scene::read(&bytes.into()).unwrap().scene;
        let stage = Stage::load(folder, &scene);
        let items = stage.items();
        assert!(items.iter().all(|item| item.fault.is_none()), "{items:?}");
        (items.len(), stage.render(&items).unwrap())
    };
    let from_cache = draw(&game.path("cache"), fs::read(game.path(LEVEL)).unwrap());
    // As a game does: a path to a GUID, a GUID to a file.
    let storage = game.path("storage");
    let table = lookup_table::read(&fs::read(storage.join("asset_table.bin")).unwrap()).unwrap();
    let level = lookup_table::find(&table, hash_of("scenes/level:Scene")).unwrap();
    let player = lookup_table::find(&table, hash_of("sprites/player:Sprite")).unwrap();
    let first = Guid::for_frame(player, 1).to_string();
    assert!(Texture::load(&file_of(&storage, player)).unwrap().find_frame(&first).is_some());
    assert!(table.iter().all(|entry| entry.guid.to_string() != first));
    fs::remove_dir_all(game.path("cache")).unwrap();
    fs::remove_dir_all(game.path("assets")).unwrap();
    let from_storage = draw(&storage, fs::read(file_of(&storage, level)).unwrap());
    assert_eq!(from_storage.0, 3);
    assert!(from_storage == from_cache);
    let background = &from_cache.1.rgba[..4];
    assert!(from_cache.1.rgba.chunks(4).any(|pixel| pixel != background), "something is to be seen");
}

#[test]
fn what_is_no_longer_used_is_listed_and_goes_only_when_asked() {
    let game = Game::new(&[frame(PLAYER, 1), frame(ITEMS, 0)]);
    game.export(&[]);
    fs::write(game.stored("notes.txt"), "mine").unwrap();
    game.show(&[frame(PLAYER, 1)]);
    let (status, document, said) = game.export(&[]);
    assert_eq!((status, actions(&document).len()), (0, 2));
    assert!(said.contains(ITEMS) && said.contains("--prune") && !said.contains(PLAYER), "{said}");
    assert!(game.stored(ITEMS).exists());
    let (status, document, said) = game.export(&["--prune"]);
    assert_eq!((status, actions(&document)[ITEMS], &*said), (0, "removed", ""));
    assert!(!game.stored(ITEMS).exists() && game.stored("notes.txt").exists());
    assert_eq!(fs::read(game.stored("asset_table.bin")).unwrap().len(), 4 + 2 * 44);
}

#[test]
fn broken_references_are_errors_and_the_rest_is_exported() {
    let gone = "01234567-89ab-4cde-8f01-23456789abcd";
    let game = Game::new(&[frame(PLAYER, 1), whole(gone), frame(ITEMS, 999)]);
    let (status, document, said) = game.export(&["--prune"]);
    assert_eq!(status, 1, "{said}");
    assert_eq!(problems(&document), [("reference-broken", LEVEL); 2]);
    assert_eq!(actions(&document).len(), 3);
    let text = cutsheet(&["export", game.folder.path().to_str().unwrap()]);
    let said = String::from_utf8(text.stderr).unwrap();
    assert!(text.status.code() == Some(1) && said.contains(gone) && said.contains(LEVEL), "{said}");
}

#[test]
fn a_sheet_without_a_texture_is_named_with_who_uses_it_and_unused_ones_do_not_matter() {
    let game = Game::new(&[frame(PLAYER, 1), frame(ITEMS, 0)]);
    for name in ["items.png", "tiles.png"] {
        fs::write(game.path("assets/sprites").join(name), "no image").unwrap();
    }
    let (status, document, _) = game.export(&[]);
    let items = "assets/sprites/items.png";
    assert_eq!((status, actions(&document).len()), (1, 2));
    assert_eq!(problems(&document), [("image-damaged", items), ("export-incomplete", items)]);
    let message = document["problems"][1]["message"].as_str().unwrap();
    assert!(message.contains("object 1") && message.contains(LEVEL), "{message}");
}

#[test]
fn one_path_for_two_sheets_is_an_error_that_names_both() {
    let twin = "01234567-89ab-4cde-8f01-23456789abcd";
    let game = Game::new(&[frame(PLAYER, 1), whole(twin)]);
    let sprites = game.path("assets/sprites");
    fs::copy(sprites.join("tiles.png"), sprites.join("player.bmp")).unwrap();
    fs::write(sprites.join("player.bmp.data"), format!("{{ \"guid\": \"{twin}\" }}")).unwrap();
    let (status, document, _) = game.export(&[]);
    let codes: Vec<_> = problems(&document).iter().map(|(code, _)| *code).collect();
    assert_eq!((status, codes), (1, vec!["lookup-collision"]));
    let message = document["problems"][0]["message"].as_str().unwrap();
    assert!(message.contains("player.png") && message.contains("player.bmp"), "{message}");
}

#[test]
fn a_file_where_the_folder_should_be_an_unknown_target_and_a_bad_folder_are_told() {
    let game = Game::new(&[frame(PLAYER, 1)]);
    fs::write(game.path("storage"), "mine").unwrap();
    let (status, document, _) = game.export(&[]);
    assert_eq!((status, &document["table"]), (1, &Value::Null));
    assert_eq!(problems(&document), [("unwritable", "storage")]);
    assert_eq!(fs::read(game.path("storage")).unwrap(), b"mine");

    let (status, document, _) = game.export(&["--target", "console"]);
    assert_eq!((status, problems(&document)[0].0), (1, "target-unknown"));
    let cache = game.path("cache");
    let before = fs::read_dir(&cache).unwrap().count();
    let (status, document, _) = game.export(&["--prune", "--out", cache.to_str().unwrap()]);
    assert_eq!((status, problems(&document)), (1, vec![("unwritable", "cache")]));
    assert_eq!(fs::read_dir(&cache).unwrap().count(), before);
    assert_eq!(cutsheet(&["export", "/no/such/folder"]).status.code(), Some(2));
    assert_eq!(cutsheet(&["export"]).status.code(), Some(2));

    let out = game.path("build/data");
    let (status, document, _) = game.export(&["--out", out.to_str().unwrap()]);
    assert_eq!((status, &document["table"]), (0, &json!("build/data/asset_table.bin")));
    assert!(out.join(PLAYER).is_file());
}

#[test]
fn an_export_for_a_target_makes_its_textures_first() {
    let game = Game::new(&[frame(PLAYER, 1)]);
    let settings = json!({ "formatVersion": 1, "targets": { "handheld": { "maxSize": 96 } } });
    fs::write(game.path("cutsheet.json"), settings.to_string()).unwrap();
    let (status, document, said) = game.export(&["--target", "handheld"]);
    assert_eq!((status, actions(&document)[PLAYER]), (0, "copied"), "{said}");
    let texture = Texture::load(&game.stored(PLAYER)).unwrap();
    // 192 x 96 pixels at half their size.
    assert_eq!((texture.size.width, texture.size.height), (96, 48));
    let shown = Texture::load(&game.path("cache").join(PLAYER)).unwrap();
    assert_eq!(shown.size.width, 192);
    let (status, document, _) = game.export(&[]);
    assert_eq!((status, actions(&document)[PLAYER]), (0, "copied"), "another target, other bytes");
    let texture = Texture::load(&game.stored(PLAYER)).unwrap();
    assert_eq!(texture.size.width, 192);
}
