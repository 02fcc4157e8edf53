//! Scenes without a window: as JSON, and from JSON.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::headless::cutsheet;

/// A scene with an object, in bytes written by hand. Its id has more bits than it needs, its component holds a float64, a
/// block of bytes and a map with a number for a key.
const LEVEL: &[u8] = b"\x85\xa7version\x01\xa4name\xa5Level\xa5width\xcd\x01\x40\xa6height\xcc\xf0\xa7objects\x91\
    \x84\xa2id\xcd\x00\x07\xa4name\xa4hero\xaacomponents\x91\x82\xa4type\xadGame::Unknown\
    \xa4data\x83\xa1a\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a\xa1b\xc4\x02\x01\x02\xa1c\x81\x01\x02\xa8children\x90";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// What `scene` with these arguments says: status, standard output, standard error.
    fn scene(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_cutsheet"))
            .arg("scene")
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn a_scene_is_printed_with_its_keys_and_nesting() {
    let folder = Folder::new();
    folder.write("level.scene", LEVEL);
    let (status, text, complaints) = folder.scene(&["level.scene", "--json"]);
    assert_eq!((status, complaints.as_str()), (0, ""));
    let data = json!({ "a": 0.1, "b": { "$msgpack": "xAIBAg==" }, "c": { "$msgpack": "gQEC" } });
    let object = json!({
        "id": 7, "name": "hero", "components": [{ "type": "Game::Unknown", "data": data }], "children": [],
    });
    let expected = json!({ "version": 1, "name": "Level", "width": 320, "height": 240, "objects": [object] });
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    // The order of the file's keys is that of the document's.
    assert!(text.find("version") < text.find("height") && text.find("height") < text.find("objects"));
}

#[test]
fn a_printed_scene_gives_the_same_file_also_after_its_end() {
    for tail in [&b""[..], b"tail"] {
        let folder = Folder::new();
        let bytes = [LEVEL, tail].concat();
        folder.write("level.scene", &bytes);
        let (status, text, complaints) = folder.scene(&["level.scene", "--json"]);
        assert_eq!((status, complaints.contains("goes on for 4 bytes")), (0, !tail.is_empty()));
        folder.write("level.json", text.as_bytes());
        let (status, text, _) = folder.scene(&["level.scene", "--from-json", "level.json"]);
        assert_eq!((status, text.as_str()), (0, ""));
        assert_eq!(folder.read("level.scene"), bytes);
    }
}

#[test]
fn a_changed_document_changes_only_what_it_says() {
    let folder = Folder::new();
    folder.write("level.scene", LEVEL);
    let (_, text, _) = folder.scene(&["level.scene", "--json"]);
    folder.write("level.json", text.replace("hero", "cat").as_bytes());
    let (status, _, complaints) = folder.scene(&["level.scene", "--from-json", "level.json"]);
    assert_eq!((status, complaints.as_str()), (0, ""));
    let at = LEVEL.windows(5).position(|part| part == b"\xa4hero").unwrap();
    assert_eq!(folder.read("level.scene"), [&LEVEL[..at], b"\xa3cat", &LEVEL[at + 5..]].concat());
    // Without the file, what says as much: the id in its smallest form, the float64 as float32.
    folder.scene(&["new.scene", "--from-json", "level.json"]);
    let new = folder.read("new.scene");
    assert!(new.windows(5).any(|part| part == b"\xa2id\x07\xa4"));
    assert!(new.windows(7).any(|part| part == b"\xa1a\xca\x3d\xcc\xcc\xcd"));
    let (_, again, _) = folder.scene(&["new.scene", "--json"]);
    assert_eq!(again, text.replace("hero", "cat"));
}

#[test]
fn what_cannot_be_written_leaves_the_file_and_names_the_place() {
    let folder = Folder::new();
    folder.write("level.scene", LEVEL);
    let cases: [(&str, &[u8], &str); 4] = [
        (
            "long.json",
            br#"{"objects": [{"id": 5000000000}]}"#,
            "objects[0].id: 5000000000 is beyond the 32 bits",
        ),
        ("list.json", b"[1]", "a scene is a JSON object, but this is a list"),
        ("broken.json", b"{\n\"a\": 1,}", "line 2, column 8: a comma after the last entry"),
        ("null.json", b"null", "a scene is a JSON object"),
    ];
    for (name, bytes, expected) in cases {
        folder.write(name, bytes);
        let (status, text, complaints) = folder.scene(&["level.scene", "--from-json", name]);
        assert_eq!((status, text.as_str()), (1, ""));
        assert!(complaints.contains(expected) && complaints.trim_end().ends_with(name), "{complaints}");
    }
    let (status, _, complaints) = folder.scene(&["level.scene", "--from-json", "gone.json"]);
    assert!(status == 1 && complaints.contains("cannot be read") && complaints.contains("gone.json"));
    assert_eq!(folder.read("level.scene"), LEVEL);
    let (status, _, complaints) = folder.scene(&["gone/level.scene", "--from-json", "list.json"]);
    assert!(status == 1 && !complaints.is_empty() && !folder.path("gone").exists());
}

#[test]
fn a_file_that_is_no_compiled_scene_is_said_to_be_none_and_left() {
    let folder = Folder::new();
    folder.write("scene.json", b"{\"version\": 1}");
    let cases: [(&str, &[u8], &str); 4] = [
        (
            "authored.scene",
            b"{\"formatVersion\": 1}",
            "info[scene-authored]: this is an authored scene in JSON",
        ),
        ("cut.scene", &LEVEL[..60], "error[scene-damaged]: the scene is damaged: byte "),
        ("list.scene", b"\x91\x01", "error[scene-damaged]: a compiled scene is a map, but this is a list"),
        ("huge.scene", b"\xdf\xff\xff\xff\xff\xa1a\x01", "byte 0: 4294967295 keys are announced"),
    ];
    for (name, bytes, expected) in cases {
        folder.write(name, bytes);
        let (status, text, complaints) = folder.scene(&[name, "--json"]);
        assert_eq!((status, text.trim_end()), (1, "null"));
        assert!(complaints.contains(expected) && complaints.trim_end().ends_with(name), "{complaints}");
        let (status, text, complaints) = folder.scene(&[name, "--from-json", "scene.json"]);
        assert_eq!((status, text.as_str()), (1, ""));
        assert!(complaints.contains(expected) && complaints.trim_end().ends_with(name), "{complaints}");
        assert_eq!(folder.read(name), bytes);
    }
    let (status, text, complaints) = folder.scene(&["gone.scene", "--json"]);
    assert!((status, text.trim_end()) == (1, "null") && complaints.contains("gone.scene"), "{complaints}");
}

#[test]
fn odd_values_are_told_and_kept() {
    let folder = Folder::new();
    folder.write("odd.scene", b"\x82\xa4name\x07\xa7objects\x91\x81\xa6active\xa2no");
    let (status, text, complaints) = folder.scene(&["odd.scene", "--json"]);
    let expected = json!({ "name": 7, "objects": [{ "active": "no" }] });
    assert_eq!((status, serde_json::from_str::<Value>(&text).unwrap()), (0, expected));
    let told: Vec<_> = complaints.lines().collect();
    assert_eq!(
        told,
        [
            "warning[scene-odd]: name is 7, and a text is expected: odd.scene",
            "warning[scene-odd]: an object without a name: active is \"no\", and true or false is expected: odd.scene",
        ]
    );
}

#[test]
fn wrong_usage_is_2() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let here = here.to_str().unwrap();
    for arguments in [
        &["scene"][..],
        &["scene", here],
        &["scene", here, "--json", "--from-json", here],
        &["scene", here, "--from-json"],
    ] {
        assert_eq!(cutsheet(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
