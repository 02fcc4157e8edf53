//! The program without a window.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

pub(crate) fn cutsheet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cutsheet")).args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> (i32, Value) {
    let output = cutsheet(arguments);
    let text = String::from_utf8_lossy(&output.stderr);
    (
        output.status.code().unwrap(),
        serde_json::from_slice(&output.stdout).unwrap_or_else(|why| panic!("{why}: {text}")),
    )
}

fn sample() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    cutsheet::sample::write_project(folder.path()).unwrap();
    folder
}

fn statuses(report: &Value) -> Vec<&str> {
    report["assets"].as_array().unwrap().iter().map(|asset| asset["status"].as_str().unwrap()).collect()
}

fn errors(report: &Value) -> Vec<&Value> {
    let problems = report["problems"].as_array().unwrap().iter();
    problems.filter(|problem| problem["severity"] == "error").collect()
}

#[test]
fn the_committed_sample_project_is_what_the_generator_draws() {
    for file in cutsheet::sample::files() {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join(file.path);
        let bytes = fs::read(&committed).unwrap();
        if Path::new(file.path).extension().is_some_and(|extension| extension == "png") {
            let pixels = |bytes: &[u8]| cutsheet::pixels::decode_rgba(bytes, None).unwrap();
            assert!(pixels(&bytes) == pixels(&file.bytes), "{}", file.path);
        } else if file.path.ends_with(".scene") {
            assert!(bytes == file.bytes, "{}", file.path);
        } else {
            let text = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap()["guid"].clone();
            assert_eq!(text(&bytes), text(&file.bytes), "{}", file.path);
        }
    }
}

#[test]
fn import_makes_textures_once_and_check_says_the_same_without_writing() {
    let folder = sample();
    let path = folder.path().to_str().unwrap();
    let (status, report) = json(&["check", path, "--json"]);
    assert_eq!((status, statuses(&report)), (0, vec!["stale"; 7]));
    assert!(!folder.path().join("cache").exists(), "check writes nothing");

    let (status, report) = json(&["import", path, "--json"]);
    assert_eq!((status, statuses(&report)), (0, vec!["imported"; 7]));
    // The scenes come first, and have no texture.
    for asset in &report["assets"].as_array().unwrap()[2..] {
        assert!(folder.path().join(asset["texture"].as_str().unwrap()).is_file(), "{asset}");
    }
    let (_, report) = json(&["import", path, "--json"]);
    assert_eq!(statuses(&report), ["unchanged"; 7]);
    let (_, report) = json(&["check", path, "--json"]);
    assert_eq!(statuses(&report), ["up_to_date"; 7]);
}

#[test]
fn a_changed_sidecar_an_image_touched_and_a_texture_lost_are_told_apart() {
    let folder = sample();
    let path = folder.path().to_str().unwrap();
    json(&["import", path, "--json"]);
    let sprites = folder.path().join("assets/sprites");
    // The same bytes at another time: hashed, found unchanged.
    let player = sprites.join("player.png");
    fs::write(&player, fs::read(&player).unwrap()).unwrap();
    // Another format: another texture.
    let items = sprites.join("items.png.data");
    let text = fs::read_to_string(&items).unwrap();
    let guid = serde_json::from_str::<Value>(&text).unwrap()["guid"].as_str().unwrap().to_owned();
    fs::write(
        &items,
        text.replacen('{', "{ \"settings\": { \"texture\": { \"format\": \"RGBA8888\" } },", 1),
    )
    .unwrap();
    // A texture that is gone is made again.
    let tiles = fs::read_to_string(sprites.join("tiles.png.data")).unwrap();
    let tiles = serde_json::from_str::<Value>(&tiles).unwrap()["guid"].as_str().unwrap().to_owned();
    fs::remove_file(folder.path().join("cache").join(tiles)).unwrap();
    let (_, report) = json(&["import", path, "--json"]);
    let sheets = ["unchanged", "imported", "unchanged", "unchanged", "imported"];
    assert_eq!(statuses(&report)[2..], sheets, "after the two scenes");
    let (_, texture) = json(&["inspect", folder.path().join("cache").join(guid).to_str().unwrap(), "--json"]);
    assert_eq!((&texture["format"], &texture["kind"]), (&"RGBA8888".into(), &"texture".into()));
}

#[test]
fn nothing_of_an_unchanged_project_is_opened() {
    let folder = sample();
    let path = folder.path().to_str().unwrap();
    // Old enough to be trusted by their times.
    let long_ago = std::time::SystemTime::now() - Duration::from_hours(1);
    let sprites = folder.path().join("assets/sprites");
    for entry in fs::read_dir(&sprites).unwrap() {
        fs::File::options().append(true).open(entry.unwrap().path()).unwrap().set_modified(long_ago).unwrap();
    }
    json(&["import", path, "--json"]);
    // Whoever opened these images would see that they are none: same length, same time, other bytes.
    for name in ["player.png", "items.png"] {
        let file = sprites.join(name);
        let length = fs::metadata(&file).unwrap().len() as usize;
        fs::write(&file, vec![b'x'; length]).unwrap();
        fs::File::options().append(true).open(&file).unwrap().set_modified(long_ago).unwrap();
    }
    let (status, report) = json(&["import", path, "--json"]);
    assert_eq!((status, statuses(&report)), (0, vec!["unchanged"; 7]));
    // A new time is looked into.
    fs::File::options()
        .append(true)
        .open(sprites.join("items.png"))
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    let (status, report) = json(&["import", path, "--json"]);
    assert_eq!(
        (status, statuses(&report)),
        (1, vec!["unchanged", "unchanged", "unchanged", "failed", "unchanged", "unchanged", "unchanged"])
    );
}

#[test]
fn textures_do_not_depend_on_the_number_of_threads() {
    let folders: Vec<_> = ["1", "2", "5"]
        .iter()
        .map(|threads| {
            let folder = sample();
            json(&["import", folder.path().to_str().unwrap(), "--threads", threads, "--json"]);
            folder
        })
        .collect();
    for entry in fs::read_dir(folders[0].path().join("cache")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.starts_with("cutsheet") {
            continue;
        }
        let bytes = |folder: &tempfile::TempDir| fs::read(folder.path().join("cache").join(&name)).unwrap();
        assert!(folders.iter().all(|folder| bytes(folder) == bytes(&folders[0])), "{name}");
    }
}

#[test]
fn new_images_get_a_sidecar_in_a_game_project_and_none_in_a_plain_folder() {
    let picture = &cutsheet::sample::files()[0].bytes;
    let game = tempfile::tempdir().unwrap();
    fs::create_dir(game.path().join("assets")).unwrap();
    fs::write(game.path().join("assets/한글.PNG"), picture).unwrap();
    let (status, report) = json(&["import", game.path().to_str().unwrap(), "--json"]);
    let guid = report["assets"][0]["guid"].as_str().unwrap();
    assert_eq!((status, guid.as_bytes()[14]), (0, b'4'));
    let sidecar: Value =
        serde_json::from_slice(&fs::read(game.path().join("assets/한글.PNG.data")).unwrap()).unwrap();
    assert_eq!(sidecar["guid"].as_str(), Some(guid));

    let plain = tempfile::tempdir().unwrap();
    fs::write(plain.path().join("a.png"), picture).unwrap();
    for expected in ["imported", "unchanged"] {
        let (status, report) = json(&["import", plain.path().to_str().unwrap(), "--json"]);
        assert_eq!((status, statuses(&report)), (0, vec![expected]));
        assert_eq!(report["assets"][0]["guid"], Value::Null, "one for this run only");
    }
    let names: Vec<_> = fs::read_dir(plain.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "the image and .cutsheet: {names:?}");
}

#[test]
fn a_moved_image_takes_its_identity_along_with_its_sidecar_or_by_its_content() {
    for takes_sidecar in [true, false] {
        let folder = sample();
        let path = folder.path().to_str().unwrap();
        json(&["import", path, "--json"]);
        let sprites = folder.path().join("assets/sprites");
        fs::create_dir(sprites.join("heroes")).unwrap();
        fs::rename(sprites.join("player.png"), sprites.join("heroes/hero.png")).unwrap();
        if takes_sidecar {
            fs::rename(sprites.join("player.png.data"), sprites.join("heroes/hero.png.data")).unwrap();
        }
        let (status, report) = json(&["import", path, "--json"]);
        let hero = report["assets"]
            .as_array()
            .unwrap()
            .iter()
            .find(|asset| asset["path"] == "assets/sprites/heroes/hero.png");
        assert_eq!(hero.unwrap()["guid"], "3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810", "{takes_sidecar}");
        assert_eq!(
            (status, hero.unwrap()["status"].as_str()),
            (0, Some("unchanged")),
            "its texture is reused"
        );
        assert!(sprites.join("heroes/hero.png.data").is_file() && !sprites.join("player.png.data").exists());
    }
}

#[test]
fn a_copy_with_its_sidecar_is_told_and_the_original_keeps_the_guid() {
    let folder = sample();
    let path = folder.path().to_str().unwrap();
    json(&["import", path, "--json"]);
    let sprites = folder.path().join("assets/sprites");
    for suffix in ["", ".data"] {
        fs::copy(sprites.join(format!("player.png{suffix}")), sprites.join(format!("a_copy.png{suffix}")))
            .unwrap();
    }
    for _ in 0..2 {
        let (status, report) = json(&["import", path, "--json"]);
        let problems = errors(&report);
        assert_eq!((status, problems.len()), (1, 1), "{problems:?}");
        assert_eq!(
            (&problems[0]["code"], &problems[0]["path"]),
            (&"guid-duplicate".into(), &"assets/sprites/a_copy.png".into())
        );
    }
    fs::remove_file(sprites.join("a_copy.png.data")).unwrap();
    let (status, report) = json(&["import", path, "--json"]);
    assert_eq!((status, errors(&report).len()), (0, 0));
}

#[test]
fn guids_of_another_tool_in_an_existing_texture_are_kept_and_saved() {
    let folder = sample();
    let path = folder.path().to_str().unwrap();
    json(&["import", path, "--json"]);
    let texture = folder.path().join("cache/3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810");
    let ours = cutsheet::guid::Guid::for_frame("3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810".parse().unwrap(), 4)
        .to_string();
    let foreign = "0badcafe-0000-1111-2222-333344445555";
    let mut bytes = fs::read(&texture).unwrap();
    let at = bytes.windows(36).position(|window| window == ours.as_bytes()).unwrap();
    bytes[at..at + 36].copy_from_slice(foreign.as_bytes());
    fs::write(&texture, bytes).unwrap();
    fs::remove_file(folder.path().join("cache/cutsheet-index")).unwrap();
    for _ in 0..2 {
        json(&["import", path, "--json"]);
        let (_, inspected) = json(&["inspect", texture.to_str().unwrap(), "--json"]);
        assert_eq!(inspected["frames"][4]["guid"], foreign);
    }
    let image = folder.path().join("assets/sprites/player.png");
    let (_, sliced) = json(&["slice", image.to_str().unwrap(), "--grid", "32x32", "--write", "--json"]);
    assert_eq!(sliced["frames"][4]["guid"], foreign);
}

#[test]
fn slice_says_frames_and_leftover_and_writes_only_when_told() {
    let folder = sample();
    let image = folder.path().join("assets/sprites/tiles.png");
    let image = image.to_str().unwrap();
    let before = fs::read(format!("{image}.data")).unwrap();
    let arguments = ["slice", image, "--grid", "16x16", "--offset", "1,1", "--spacing", "1,1", "--json"];
    let (status, report) = json(&arguments);
    assert_eq!((status, report["frames"].as_array().unwrap().len()), (0, 32));
    // 137 = 1 + 8 x 17: one pixel after the last cell's spacing is the closing margin.
    assert_eq!(report["leftover"], serde_json::json!({ "right": 1, "bottom": 1 }));
    assert_eq!(report["frames"][9]["x"], 18);
    assert_eq!(report["frames"][9]["y"], 18);
    assert_eq!(fs::read(format!("{image}.data")).unwrap(), before);
    json(&[&arguments[..], &["--write"]].concat());
    let (_, sidecar) = json(&["inspect", &format!("{image}.data"), "--json"]);
    assert_eq!((&sidecar["mode"], sidecar["frames"].as_array().unwrap().len()), (&"atlas".into(), 32));
    assert_eq!(sidecar["recipe"]["runs"][0]["offset"], serde_json::json!([1, 1]));
    assert_eq!(sidecar["guid"], "5d2e8f71-b3a4-4c69-8e07-1a9c5b60d3f2");
}

#[test]
fn wrong_usage_is_2_and_a_cell_that_does_not_fit_is_1() {
    let folder = sample();
    let image = folder.path().join("assets/sprites/player.png");
    let image = image.to_str().unwrap();
    for arguments in [
        &["slice", image][..],
        &["slice", image, "--grid", "32"],
        &["import"],
        &["import", "/no/such/folder"],
    ] {
        assert_eq!(cutsheet(arguments).status.code(), Some(2), "{arguments:?}");
    }
    let (status, report) = json(&["slice", image, "--grid", "32x4096", "--json"]);
    assert_eq!((status, report["frames"].as_array().unwrap().len()), (1, 0));
    assert!(report["problems"][0]["message"].as_str().unwrap().contains("taller than the image"));
}

#[test]
fn without_a_display_the_program_says_what_is_missing() {
    let output = Command::new(env!("CARGO_BIN_EXE_cutsheet"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("DISPLAY") && text.contains("cutsheet import"), "{text}");
}

#[test]
fn an_import_killed_at_any_moment_leaves_whole_textures_and_the_next_one_is_clean() {
    let folder = tempfile::tempdir().unwrap();
    cutsheet::sample::bench::write_bench_project(folder.path(), 120, 256).unwrap();
    let path = folder.path().to_str().unwrap();
    for wait_ms in [3, 8, 15, 25] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cutsheet")).args(["import", path]).spawn().unwrap();
        sleep(Duration::from_millis(wait_ms));
        // It may have ended by itself on a fast machine.
        drop(child.kill());
        child.wait().unwrap();
        let Ok(listing) = fs::read_dir(folder.path().join("cache")) else { continue };
        for file in listing.map(|entry| entry.unwrap().path()) {
            let name = file.file_name().unwrap().to_str().unwrap();
            if name.parse::<cutsheet::guid::Guid>().is_ok() {
                cutsheet::runtime::Texture::load(&file).unwrap();
            }
        }
    }
    let (status, report) = json(&["import", path, "--json"]);
    assert_eq!(status, 0);
    assert_eq!(report["assets"].as_array().unwrap().len(), 120);
    // 120 textures, the index and the lock: nothing half written is left.
    assert_eq!(fs::read_dir(folder.path().join("cache")).unwrap().count(), 122);
    let clean = tempfile::tempdir().unwrap();
    cutsheet::sample::bench::write_bench_project(clean.path(), 120, 256).unwrap();
    json(&["import", clean.path().to_str().unwrap(), "--json"]);
    for asset in report["assets"].as_array().unwrap() {
        let texture = asset["texture"].as_str().unwrap();
        let bytes = |root: &Path| fs::read(root.join(texture)).unwrap();
        assert!(bytes(folder.path()) == bytes(clean.path()), "{texture}");
    }
}

#[test]
fn two_imports_at_once_share_the_cache_and_the_second_says_that_it_waits() {
    let folder = tempfile::tempdir().unwrap();
    cutsheet::sample::bench::write_bench_project(folder.path(), 60, 256).unwrap();
    let path = folder.path().to_str().unwrap();
    fs::create_dir(folder.path().join("cache")).unwrap();
    let lock = fs::File::create(folder.path().join("cache/cutsheet-lock")).unwrap();
    lock.lock().unwrap();
    let mut waiting = Command::new(env!("CARGO_BIN_EXE_cutsheet"));
    waiting.args(["import", path]).stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
    let child = waiting.spawn().unwrap();
    sleep(Duration::from_millis(300));
    drop(lock);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("waiting"));
}

#[cfg(unix)]
#[test]
fn a_cache_that_cannot_be_written_is_said_and_nothing_is_lost() {
    let folder = sample();
    fs::write(folder.path().join("cache"), b"a file where the folder should be").unwrap();
    let (status, report) = json(&["import", folder.path().to_str().unwrap(), "--json"]);
    assert_eq!(status, 1);
    let problem = &report["problems"][0];
    assert_eq!(problem["code"], "unwritable");
    assert!(problem["message"].as_str().unwrap().contains("cache"), "{problem}");
}
