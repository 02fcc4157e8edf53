//! Scenes as assets of a project: found, given a GUID, followed, and told of when they refer to something that is not
//! there. Their files are made by hand, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Program;
use std::time::{Duration, SystemTime};

use cutsheet::guid::Guid;
use cutsheet::model::Code;
use cutsheet::session::{Action, Command, SceneDocument};
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use serde_json::Value;

use crate::harness::Window;
use crate::running::{PLAYER, Running, new_session};

const PLAYER_GUID: &str = "3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810";
const TILES_GUID: &str = "5d2e8f71-b3a4-4c69-8e07-1a9c5b60d3f2";
const GONE: &str = "0badcafe-0000-1111-2222-333344445555";
const LEVEL: &str = "assets/scenes/level.scene";
const SPRITE: &str = "Deki2D::SpriteComponent";

/// A text of `MessagePack`: fixstr or str8.
fn text(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    let head = if length < 32 { vec![0xa0 | length] } else { vec![0xd9, length] };
    [&head, text.as_bytes()].concat()
}

/// A map of at most 15 entries.
fn map(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entries_bytes = entries.iter().flat_map(|(key, value)| [text(key), value.clone()].concat());
    [0x80 | u8::try_from(entries.len()).unwrap()].into_iter().chain(entries_bytes).collect()
}

/// A list of at most 15 values.
fn list(values: &[Vec<u8>]) -> Vec<u8> {
    [&[0x90 | u8::try_from(values.len()).unwrap()][..], &values.concat()].concat()
}

/// A scene of objects with a component each that refers to something.
fn scene(objects: &[(&str, &str, &str, &str)]) -> Vec<u8> {
    let object = |(id, (name, component, guid, source)): (usize, &(&str, &str, &str, &str))| {
        let reference = map(&[("guid", text(guid)), ("source", text(source))]);
        let component = map(&[("type", text(component)), ("data", map(&[("sprite", reference)]))]);
        let id = vec![u8::try_from(id + 1).unwrap()];
        map(&[("id", id), ("name", text(name)), ("components", list(&[component]))])
    };
    let objects: Vec<_> = objects.iter().enumerate().map(object).collect();
    map(&[("version", vec![1]), ("name", text("Level")), ("objects", list(&objects))])
}

fn good_scene() -> Vec<u8> {
    scene(&[("hero", SPRITE, PLAYER_GUID, &frame(3)), ("all", SPRITE, PLAYER_GUID, "")])
}

/// The GUID of a frame of the player's sheet.
fn frame(id: u32) -> String {
    Guid::for_frame(PLAYER_GUID.parse().unwrap(), id).to_string()
}

/// The sample project with these scenes instead of its own.
fn project(scenes: &[(&str, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    cutsheet::sample::write_project(folder.path()).unwrap();
    fs::remove_dir_all(folder.path().join("assets/scenes")).unwrap();
    for (path, bytes) in scenes {
        write(&folder.path().join(path), bytes);
    }
    folder
}

fn write(file: &Path, bytes: &[u8]) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

fn sidecar_of(file: &Path) -> PathBuf {
    let name = format!("{}.data", file.file_name().unwrap().to_str().unwrap());
    file.with_file_name(name)
}

fn told(command: &str, folder: &Path) -> (Option<i32>, Value) {
    let mut program = Program::new(env!("CARGO_BIN_EXE_cutsheet"));
    let output = program.args([command, folder.to_str().unwrap(), "--json"]).output().unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

fn asset<'a>(report: &'a Value, path: &str) -> &'a Value {
    report["assets"].as_array().unwrap().iter().find(|asset| asset["path"] == path).unwrap()
}

fn status<'a>(report: &'a Value, path: &str) -> &'a str {
    asset(report, path)["status"].as_str().unwrap()
}

/// Code, path, object and message of every problem.
fn problems(report: &Value) -> Vec<(&str, &str, Option<u64>, &str)> {
    let problems = report["problems"].as_array().unwrap().iter();
    problems
        .map(|it| {
            let [code, path, message] = ["code", "path", "message"].map(|key| it[key].as_str().unwrap());
            (code, path, it["object"].as_u64(), message)
        })
        .collect()
}

fn codes(report: &Value) -> Vec<(&str, &str)> {
    problems(report).into_iter().map(|(code, path, ..)| (code, path)).collect()
}

fn date(file: &Path, at: SystemTime) {
    fs::File::options().append(true).open(file).unwrap().set_modified(at).unwrap();
}

#[test]
fn a_new_scene_gets_a_guid_and_nothing_else_of_it_is_written() {
    let folder = project(&[(LEVEL, good_scene()), ("assets/Menu.SCENE", good_scene())]);
    let file = folder.path().join(LEVEL);
    let (code, report) = told("check", folder.path());
    assert_eq!((code, status(&report, LEVEL)), (Some(0), "stale"));
    assert_eq!(asset(&report, LEVEL)["guid"], Value::Null);
    assert!(!sidecar_of(&file).exists(), "check writes nothing");

    let (code, report) = told("import", folder.path());
    let level = asset(&report, LEVEL);
    let expected = (Some(0), "scene", "imported", &Value::Null);
    assert_eq!((code, level["kind"].as_str().unwrap(), status(&report, LEVEL), &level["texture"]), expected);
    assert_eq!(asset(&report, PLAYER)["kind"], "image");
    let sidecar: Value = serde_json::from_slice(&fs::read(sidecar_of(&file)).unwrap()).unwrap();
    assert_eq!(sidecar["guid"], level["guid"]);
    assert!(level["guid"].as_str().unwrap().parse::<Guid>().is_ok());
    assert_eq!(fs::read(&file).unwrap(), good_scene());
    assert_eq!(status(&report, "assets/Menu.SCENE"), "imported");
    let paths: Vec<_> =
        report["assets"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert!(paths.is_sorted(), "{paths:?}");

    for (command, expected) in [("import", "unchanged"), ("check", "up_to_date")] {
        let (code, report) = told(command, folder.path());
        assert_eq!((code, status(&report, LEVEL)), (Some(0), expected));
        assert_eq!(asset(&report, LEVEL)["guid"], sidecar["guid"]);
    }
}

#[test]
fn no_scene_of_an_unchanged_project_is_opened() {
    let folder =
        project(&[(LEVEL, good_scene()), ("assets/broken.scene", scene(&[("x", SPRITE, GONE, "")]))]);
    let file = folder.path().join(LEVEL);
    told("import", folder.path());
    let long_ago = SystemTime::now() - Duration::from_hours(1);
    for path in [LEVEL, "assets/broken.scene"] {
        for file in [folder.path().join(path), sidecar_of(&folder.path().join(path))] {
            date(&file, long_ago);
        }
    }
    // The same bytes at another time.
    let (_, report) = told("import", folder.path());
    assert_eq!(status(&report, LEVEL), "unchanged");
    // Whoever opened it would see that it is no scene: same length, same time, other bytes.
    fs::write(&file, vec![0xc1; good_scene().len()]).unwrap();
    date(&file, long_ago);
    for (command, expected) in [("import", "unchanged"), ("check", "up_to_date")] {
        let (code, report) = told(command, folder.path());
        assert_eq!((code, status(&report, LEVEL)), (Some(1), expected));
        assert_eq!(
            codes(&report),
            [("reference-broken", "assets/broken.scene")],
            "what is broken is still told"
        );
    }
    date(&file, SystemTime::now());
    let (_, report) = told("import", folder.path());
    assert_eq!(status(&report, LEVEL), "failed");
}

#[test]
fn references_that_lead_nowhere_are_told_the_same_by_check_and_import() {
    let tile = Guid::for_frame(TILES_GUID.parse().unwrap(), 0).to_string();
    let bytes = scene(&[
        ("hero", SPRITE, PLAYER_GUID, &frame(3)),
        ("older", "SpriteComponent", &frame(3), ""),
        ("ghost", SPRITE, GONE, ""),
        ("label", "Game::Label", GONE, ""),
        ("wrong", SPRITE, PLAYER_GUID, GONE),
        ("no guid", SPRITE, "../player.png", ""),
        ("other", "Game::Door", PLAYER_GUID, &tile),
    ]);
    let folder = project(&[(LEVEL, bytes)]);
    for command in ["check", "import", "check", "import"] {
        let (code, report) = told(command, folder.path());
        let expected = [
            (2, "The object \"ghost\" shows 0badcafe-0000-1111-2222-333344445555, which no asset"),
            (
                4,
                "The object \"wrong\" shows the frame 0badcafe-0000-1111-2222-333344445555, which is none of \
                 assets/sprites/player.png, so the whole sprite is drawn",
            ),
            (5, "The object \"no guid\" shows \"../player.png\", which is no GUID"),
            (6, "The object \"other\" refers in \"Door\" to the frame"),
        ];
        let problems = problems(&report);
        assert_eq!((code, problems.len()), (Some(1), expected.len()), "{command}: {problems:?}");
        for ((code, path, object, message), (key, words)) in problems.iter().zip(expected) {
            assert_eq!((*code, *path, *object), ("reference-broken", LEVEL, Some(key)), "{command}");
            assert!(message.starts_with(words), "{command}: {message}");
        }
    }
}

#[test]
fn damaged_authored_and_odd_scenes_are_told_and_left_as_they_are() {
    let authored = b"{\"formatVersion\": 1, \"name\": \"Level\"}".to_vec();
    let whole = good_scene();
    let cut = whole[..whole.len() - 20].to_vec();
    let odd = map(&[("version", vec![1]), ("width", text("wide")), ("objects", list(&[]))]);
    let scenes = [
        ("assets/a_cut.scene", cut),
        ("assets/b_authored.scene", authored),
        ("assets/c_odd.scene", odd),
        ("assets/d_empty.scene", Vec::new()),
    ];
    let folder = project(&scenes);
    for command in ["check", "import", "import"] {
        let (code, report) = told(command, folder.path());
        let expected = ["scene-damaged", "scene-authored", "scene-odd", "scene-damaged"];
        let expected: Vec<_> = expected.into_iter().zip(scenes.iter().map(|(path, _)| *path)).collect();
        assert_eq!((code, codes(&report)), (Some(1), expected), "{command}");
        let message = problems(&report)[0].3;
        assert!(message.contains("byte "), "{message}");
        assert_eq!(status(&report, scenes[0].0), "failed");
    }
    for (path, bytes) in &scenes {
        assert_eq!(fs::read(folder.path().join(path)).unwrap(), *bytes, "{path}");
    }
    // As with a damaged image, there is no sidecar before there is something that it belongs to.
    let has_sidecar = scenes.each_ref().map(|(path, _)| sidecar_of(&folder.path().join(path)).exists());
    assert_eq!(has_sidecar, [false, true, true, false]);
}

#[test]
fn a_moved_scene_keeps_its_guid_and_a_lost_one_leaves_an_orphan() {
    for takes_sidecar in [true, false] {
        let folder = project(&[(LEVEL, good_scene())]);
        let (_, report) = told("import", folder.path());
        let guid = asset(&report, LEVEL)["guid"].clone();
        let (old, new) = (folder.path().join(LEVEL), folder.path().join("assets/first.scene"));
        fs::rename(&old, &new).unwrap();
        if takes_sidecar {
            fs::rename(sidecar_of(&old), sidecar_of(&new)).unwrap();
        }
        let (code, report) = told("import", folder.path());
        let moved =
            (asset(&report, "assets/first.scene")["guid"].clone(), status(&report, "assets/first.scene"));
        assert_eq!((code, moved), (Some(0), (guid, "unchanged")), "{takes_sidecar}");
        assert!(sidecar_of(&new).exists() && !sidecar_of(&old).exists());

        fs::remove_file(&new).unwrap();
        let (code, report) = told("import", folder.path());
        assert_eq!((code, codes(&report)), (Some(1), vec![("sidecar-orphan", "assets/first.scene")]));
        fs::remove_file(sidecar_of(&new)).unwrap();
        let (code, report) = told("import", folder.path());
        assert_eq!((code, report["assets"].as_array().unwrap().len()), (Some(0), 5));
    }
}

#[test]
fn a_guid_belongs_to_one_asset_be_it_an_image_or_a_scene() {
    let folder = project(&[(LEVEL, good_scene())]);
    told("import", folder.path());
    let level = folder.path().join(LEVEL);
    // A copy with its sidecar, a scene with an image's GUID, and an image with the scene's.
    let copy = folder.path().join("assets/a_copy.scene");
    fs::copy(&level, &copy).unwrap();
    fs::copy(sidecar_of(&level), sidecar_of(&copy)).unwrap();
    let thief = folder.path().join("assets/a_thief.scene");
    write(&thief, &good_scene());
    fs::copy(folder.path().join(format!("{PLAYER}.data")), sidecar_of(&thief)).unwrap();
    let image = folder.path().join("assets/a.png");
    fs::copy(folder.path().join(PLAYER), &image).unwrap();
    fs::copy(sidecar_of(&level), sidecar_of(&image)).unwrap();
    for _ in 0..2 {
        let (code, report) = told("import", folder.path());
        let expected = ["assets/a.png", "assets/a_copy.scene", "assets/a_thief.scene"];
        let expected: Vec<_> = expected.into_iter().map(|path| ("guid-duplicate", path)).collect();
        assert_eq!((code, codes(&report)), (Some(1), expected));
        for (_, path) in codes(&report) {
            assert_eq!(asset(&report, path)["guid"], Value::Null, "one for this run only");
        }
    }
    fs::write(sidecar_of(&copy), "{}").unwrap();
    let (_, report) = told("check", folder.path());
    assert!(codes(&report).contains(&("guid-invalid", "assets/a_copy.scene")), "{report}");
}

#[test]
fn in_a_plain_folder_no_sidecar_is_made() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("level.scene"), scene(&[("hero", "Game::Label", GONE, "")])).unwrap();
    for expected in ["imported", "unchanged"] {
        let (code, report) = told("import", folder.path());
        let level = (status(&report, "level.scene"), asset(&report, "level.scene")["guid"].clone());
        assert_eq!((code, level), (Some(0), (expected, Value::Null)));
    }
    assert!(!folder.path().join("level.scene.data").exists());
}

fn opened(scenes: &[(&str, Vec<u8>)]) -> Running {
    let folder = project(scenes);
    let mut running = Running { session: new_session(None), folder, effects: Vec::new() };
    running.do_now(Action::Open(running.folder.path().to_owned()));
    running.wait("the import", |it| {
        let Some(open) = it.session.project() else { return false };
        let assets = open.registry.assets();
        open.is_discovered && assets.len() == 5 && assets.into_iter().all(|asset| asset.texture.is_some())
    });
    running
}

fn listed(running: &Running) -> Vec<(Code, String)> {
    let listed = running.session.problems().map(|problem| (problem.code, problem.path.to_string()));
    let listed: Vec<_> = listed.collect();
    assert_eq!(running.session.problem_count(), listed.len());
    listed
}

fn users_of_player(running: &Running) -> Vec<String> {
    let registry = &running.session.project().unwrap().registry;
    let users = registry.uses_of(PLAYER_GUID.parse().unwrap());
    users.map(|(referrer, reference)| format!("{} {}", referrer.path, reference.object_name)).collect()
}

#[test]
fn an_open_project_follows_its_scenes() {
    let mut running = opened(&[]);
    let file = running.folder.path().join(LEVEL);
    write(&file, &good_scene());
    running.wait("the scene", |it| users_of_player(it) == [format!("{LEVEL} hero"), format!("{LEVEL} all")]);
    running.wait("its sidecar", |_| sidecar_of(&file).exists());
    let guid = |it: &Running, path: &str| {
        let referrer = it.session.project().unwrap().registry.referrer(path);
        referrer.map(|referrer| referrer.guid)
    };
    let own = guid(&running, LEVEL).unwrap();
    assert_eq!(listed(&running), []);

    fs::write(&file, scene(&[("ghost", SPRITE, GONE, "")])).unwrap();
    running.wait("the broken reference", |it| listed(it) == [(Code::ReferenceBroken, LEVEL.to_owned())]);
    assert!(users_of_player(&running).is_empty());
    fs::write(&file, good_scene()).unwrap();
    running.wait("the mended reference", |it| listed(it).is_empty());

    let moved = "assets/first.scene";
    let to = running.folder.path().join(moved);
    fs::rename(&file, &to).unwrap();
    fs::rename(sidecar_of(&file), sidecar_of(&to)).unwrap();
    running.wait("the move", |it| guid(it, moved) == Some(own) && guid(it, LEVEL).is_none());
    // Without its sidecar, which follows.
    fs::rename(&to, &file).unwrap();
    running.wait("the move back", |it| guid(it, LEVEL) == Some(own) && guid(it, moved).is_none());
    assert!(sidecar_of(&file).exists() && listed(&running).is_empty());

    // A sheet that goes takes the references with it, and brings them back.
    let (player, sidecar) = (running.image(PLAYER), running.sidecar(PLAYER));
    let away = [player.with_extension("away"), player.with_extension("also-away")];
    fs::rename(&player, &away[0]).unwrap();
    fs::rename(&sidecar, &away[1]).unwrap();
    running.wait("the loss", |it| listed(it) == [(); 2].map(|()| (Code::ReferenceBroken, LEVEL.to_owned())));
    fs::rename(&away[1], &sidecar).unwrap();
    fs::rename(&away[0], &player).unwrap();
    running.wait("the return", |it| listed(it).is_empty());

    fs::remove_file(&file).unwrap();
    running.wait("the orphan", |it| listed(it) == [(Code::SidecarOrphan, LEVEL.to_owned())]);
    fs::remove_file(sidecar_of(&file)).unwrap();
    running.wait("the end", |it| listed(it).is_empty() && guid(it, LEVEL).is_none());
}

#[test]
fn a_scene_that_is_still_being_written_is_no_damaged_one() {
    let mut running = opened(&[]);
    let file = running.folder.path().join(LEVEL);
    let whole = good_scene();
    write(&file, &whole[..whole.len() / 2]);
    running.rest();
    assert_eq!(listed(&running), []);
    fs::write(&file, &whole).unwrap();
    running.wait("the scene", |it| users_of_player(it).len() == 2);
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    running.wait("the damage", |it| listed(it) == [(Code::SceneDamaged, LEVEL.to_owned())]);
}

#[test]
fn an_idle_project_with_scenes_stays_idle() {
    let mut running =
        opened(&[(LEVEL, good_scene()), ("assets/broken.scene", scene(&[("x", SPRITE, GONE, "")]))]);
    running
        .wait("the problem", |it| listed(it) == [(Code::ReferenceBroken, "assets/broken.scene".to_owned())]);
    running.rest();
    let before = running.session.project().unwrap().registry.clone();
    running.rest();
    let after = &running.session.project().unwrap().registry;
    assert!(std::sync::Arc::ptr_eq(&before, after), "our own sidecars bring no further imports");
}

#[test]
fn the_list_of_problems_shows_those_of_scenes() {
    let folder = project(&[(
        LEVEL,
        scene(&[("a", SPRITE, GONE, ""), ("b", SPRITE, GONE, ""), ("c", SPRITE, "?", "")]),
    )]);
    let open = folder.path().to_owned();
    let mut window = Window::open(Some(&open), folder);
    window.wait("the problems", |app| app.session().problem_count() == 3);
    window.perform(Command::Problems);
    window.click("Error, level.scene: 3 broken references");
    assert!(!window.sees("The object \"c\" shows \"?\""), "folded");
    window.click("Error, level.scene: 3 broken references");
    let row = "Error, level.scene: The object \"c\" shows \"?\", which is no GUID: choose its sprite anew";
    window.click(row);
    assert!(window.harness.state().session().documents().is_empty(), "a scene is no sheet");
    window.perform(Command::NextProblem);
    assert!(window.sees(row));
}

#[test]
fn sprites_that_are_not_there_are_cleared_or_picked_anew_from_the_list() {
    let component = "Game::Weapon";
    let folder = project(&[(
        LEVEL,
        scene(&[
            ("a", SPRITE, GONE, ""),
            ("b", SPRITE, GONE, ""),
            ("c", SPRITE, "?", ""),
            ("d", component, PLAYER_GUID, GONE),
        ]),
    )]);
    let open = folder.path().to_owned();
    let mut window = Window::open(Some(&open), folder);
    let wait_for = |window: &mut Window, count: usize| {
        window.wait("so many problems", |app| app.session().problem_count() == count);
        window.harness.run_steps(3);
    };
    wait_for(&mut window, 4);
    window.perform(Command::Problems);
    let of_c = "The object \"c\" shows \"?\", which is no GUID: choose its sprite anew";
    window.click(&format!("Clear: {of_c}"));
    assert_eq!(window.harness.state().session().problem_count(), 4, "the scene is not open yet");
    window.click(&format!("Error, level.scene: {of_c}"));
    window.wait("the scene", |app| app.session().scene().is_some_and(SceneDocument::is_ready));
    window.harness.run_steps(3);
    window.click(&format!("Clear: {of_c}"));
    wait_for(&mut window, 3);
    assert!(!window.sees(of_c), "what is edited is told as it is, unsaved");
    window.perform(Command::Undo);
    wait_for(&mut window, 4);
    window.click("Clear all broken sprites of level.scene");
    wait_for(&mut window, 1);
    assert!(window.sees("refers in \"Weapon\" to"), "what no sprite shows is left alone");
    window.perform(Command::Undo);
    wait_for(&mut window, 4);
    window.click(&format!("Pick: {of_c}"));
    window.harness.run_steps(3);
    window.harness.get_by_label("Find a sprite").type_text("player / 3");
    window.harness.run_steps(3);
    window.key(Modifiers::NONE, Key::Enter);
    wait_for(&mut window, 3);
    let session = window.harness.state().session();
    let scene = session.scene().unwrap().scene();
    let (_, c) = scene.walk().find(|(_, object)| object.name() == "c").unwrap();
    let (_, sprite) = c.sprite().unwrap();
    assert_eq!((&*sprite.sprite.guid, &*sprite.sprite.source), (PLAYER_GUID, &*frame(3)));
}
