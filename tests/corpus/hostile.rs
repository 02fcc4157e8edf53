//! Hostile files through the real program, each with 10 seconds and 1 GiB.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(10);

/// Runs the program in a shell that takes away more than 1 GiB of memory.
fn cutsheet(arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 1048576 2>/dev/null; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_cutsheet")]);
    let start = Instant::now();
    let output = command.args(arguments).output().unwrap();
    assert!(start.elapsed() < LIMIT, "{arguments:?} took {:?}", start.elapsed());
    assert!(
        output.status.code().is_some(),
        "{arguments:?} was killed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn cases(shared: &Path, kind: &str) -> Vec<(PathBuf, String)> {
    let bytes = fs::read(shared.join("data/bad/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&bytes).unwrap();
    let all = manifest["cases"].as_array().unwrap().iter();
    let wanted =
        all.filter(|case| case["kind"] == kind && !case["file"].as_str().unwrap().starts_with("foreign"));
    wanted
        .map(|case| {
            let file = shared.join("data/bad").join(case["file"].as_str().unwrap());
            (file, case["expect"].as_str().unwrap().to_owned())
        })
        .collect()
}

/// Imports a project with these files, and gives the report.
fn import(files: &[(&Path, &str)]) -> (i32, Value) {
    let folder = tempfile::tempdir().unwrap();
    let assets = folder.path().join("assets");
    fs::create_dir(&assets).unwrap();
    for (file, name) in files {
        fs::write(assets.join(name), fs::read(file).unwrap()).unwrap();
    }
    let output = cutsheet(&["import", folder.path().to_str().unwrap(), "--threads", "2", "--json"]);
    let report = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code().unwrap(), report)
}

fn error_messages(report: &Value) -> Vec<&str> {
    let problems = report["problems"].as_array().unwrap().iter();
    problems.filter(|it| it["severity"] == "error").map(|it| it["message"].as_str().unwrap()).collect()
}

#[test]
fn hostile_images_end_as_their_manifest_says() {
    let Some(shared) = crate::common::shared() else { return };
    let cases = cases(&shared, "png");
    assert!(cases.len() > 70);
    for (file, expect) in cases {
        let (status, report) = import(&[(&file, "image.png")]);
        let errors = error_messages(&report);
        let name = file.display();
        match expect.as_str() {
            "open" => assert_eq!((status, &report["assets"][0]["status"]), (0, &"imported".into()), "{name}"),
            "error" => {
                assert_eq!((status, &report["assets"][0]["status"]), (1, &"failed".into()), "{name}");
                assert!(errors.iter().any(|message| message.len() > 10), "{name}: {errors:?}");
            }
            _ => assert_eq!(status == 1, !errors.is_empty(), "{name}: {errors:?}"),
        }
    }
}

#[test]
fn hostile_sidecars_end_as_their_manifest_says_and_stay_as_they_are() {
    let Some(shared) = crate::common::shared() else { return };
    for (file, expect) in cases(&shared, "data") {
        let name = file.display();
        let image = file.with_file_name("sheet.png");
        let folder = tempfile::tempdir().unwrap();
        let assets = folder.path().join("assets");
        fs::create_dir(&assets).unwrap();
        let bytes = fs::read(&file).unwrap();
        fs::write(assets.join("sheet.png.data"), &bytes).unwrap();
        if image.is_file() {
            fs::write(assets.join("sheet.png"), fs::read(&image).unwrap()).unwrap();
        }
        let output = cutsheet(&["import", folder.path().to_str().unwrap(), "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let problems = report["problems"].as_array().unwrap();
        let hindering = problems.iter().filter(|problem| problem["severity"] != "info").count();
        match expect.as_str() {
            "open" | "preserve" => assert_eq!(output.status.code(), Some(0), "{name}: {problems:?}"),
            "image-only" | "error" => assert!(hindering > 0, "{name}"),
            _ => {}
        }
        assert_eq!(fs::read(assets.join("sheet.png.data")).unwrap(), bytes, "{name} was written to");
        for entry in fs::read_dir(folder.path()).unwrap().chain(fs::read_dir(&assets).unwrap()) {
            let found = entry.unwrap().file_name().into_string().unwrap();
            assert!(
                ["assets", "cache", ".cutsheet", "sheet.png", "sheet.png.data"].contains(&found.as_str()),
                "{name}: {found}"
            );
        }
    }
}

#[test]
fn hostile_textures_end_as_their_manifest_says() {
    let Some(shared) = crate::common::shared() else { return };
    for (file, expect) in cases(&shared, "tex") {
        let name = file.display();
        let output = cutsheet(&["inspect", file.to_str().unwrap(), "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let problems = report["problems"].as_array().unwrap();
        let status = output.status.code().unwrap();
        match expect.as_str() {
            "open" => assert_eq!((status, report["version"].as_u64()), (0, Some(1)), "{name}: {problems:?}"),
            "error" => assert_eq!((status, error_messages(&report).len()), (1, 1), "{name}"),
            "report" => assert!(!problems.is_empty(), "{name}"),
            _ => {}
        }
    }
}

#[test]
fn the_conformance_images_import_and_the_broken_ones_say_why() {
    let Some(shared) = crate::common::shared() else { return };
    let bytes = fs::read(shared.join("data/pngsuite/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&bytes).unwrap();
    let images = manifest["images"].as_array().unwrap();
    assert!(images.len() > 170);
    let folder = tempfile::tempdir().unwrap();
    let assets = folder.path().join("assets");
    fs::create_dir(&assets).unwrap();
    for image in images {
        let file = image["file"].as_str().unwrap();
        fs::copy(shared.join("data/pngsuite").join(file), assets.join(file)).unwrap();
    }
    let output = cutsheet(&["import", folder.path().to_str().unwrap(), "--threads", "2", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for image in images {
        let file = image["file"].as_str().unwrap();
        let path = format!("assets/{file}");
        let asset =
            report["assets"].as_array().unwrap().iter().find(|asset| asset["path"] == path.as_str()).unwrap();
        let is_good = asset["status"] == "imported";
        assert_eq!(is_good, image["valid"].as_bool().unwrap(), "{file}: {asset}");
        let said =
            report["problems"].as_array().unwrap().iter().any(|problem| problem["path"] == path.as_str());
        assert_eq!(said, !is_good, "{file}");
    }
}
