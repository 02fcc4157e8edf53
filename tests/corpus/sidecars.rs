//! Sidecars of all shapes, good and bad: none stops the image from being shown, none loses what it holds.

use std::fs;
use std::path::Path;

use cutsheet::format::json::Json;
use cutsheet::format::sidecar::Sidecar;
use cutsheet::geometry::Size;
use cutsheet::model::{Code, Problem, Severity, Sheet};
use cutsheet::sheet_file;

struct Case {
    file: String,
    expect: String,
    bytes: Vec<u8>,
    image: Size,
}

#[test]
fn every_sidecar_of_the_corpus_behaves_as_its_manifest_says() {
    let Some(shared) = crate::common::shared() else { return };
    let cases = cases(&shared.join("data/bad"));
    assert!(cases.len() > 80, "{} cases", cases.len());
    for case in &cases {
        let Case { file, expect, .. } = case;
        match (read(case), expect.as_str()) {
            (Ok((_, _, problems)), "open") => {
                let hindering: Vec<_> = problems.iter().filter(|problem| hinders(problem)).collect();
                assert!(hindering.is_empty(), "{file}: {hindering:?}");
            }
            (Ok((_, _, problems)), "image-only") => {
                assert!(problems.iter().any(hinders), "{file}: no problem");
            }
            (Ok(_), "preserve" | "either" | "error") | (Err(_), "image-only" | "either" | "error") => {}
            (outcome, _) => panic!("{file}: {expect} expected: {:?}", outcome.err()),
        }
    }
}

#[test]
fn saving_what_could_be_read_keeps_the_whole_tree() {
    let Some(shared) = crate::common::shared() else { return };
    for case in &cases(&shared.join("data/bad")) {
        let Ok((sidecar, sheet, _)) = read(case) else { continue };
        let file = &case.file;
        assert_eq!(Json::parse(&sidecar.to_bytes()).as_ref(), Ok(sidecar.json()), "{file}");
        let mut saved = sidecar.clone();
        sheet_file::write(&sheet, &mut saved, case.image);
        assert_kept(sidecar.json(), saved.json(), file);
        let (again, _) = sheet_file::read(&saved, case.image, file);
        let unstamped = Sheet { image_size_at_save: sheet.image_size_at_save, ..again };
        assert_eq!(unstamped, sheet, "{file}");
        if sidecar.can_save().is_err() {
            assert_eq!(saved, sidecar, "{file}");
        }
    }
}

#[test]
fn particular_faults_are_named() {
    let Some(shared) = crate::common::shared() else { return };
    let cases = cases(&shared.join("data/bad"));
    let case = |name: &str| {
        let file = format!("data/{name}/sheet.png.data");
        cases.iter().find(|case| case.file == file).unwrap()
    };
    for (name, words) in [
        ("empty_file", "the file is empty"),
        ("whitespace", "the file is empty"),
        ("nul_bytes", "only zero bytes"),
        ("merge_conflict", "line 1, column 1: a conflict mark"),
        ("trailing_comma", "a comma after the last entry"),
        ("comments", "no comments"),
        ("single_quotes", "double quotes"),
        ("utf16", "UTF-16"),
        ("bad_utf8", "not UTF-8"),
        ("deep_nesting", "nested too deeply"),
        ("deep_objects", "nested too deeply"),
        ("frame_nan", "NaN"),
        ("frame_leading_zero", "do not begin with 0"),
        ("two_documents", "text after the end"),
        ("top_array", "a list"),
    ] {
        let message = read(case(name)).unwrap_err();
        assert!(message.contains(words), "{name}: {message}");
    }
    for (name, code, frames) in [
        ("duplicate_keys", Code::SidecarAmbiguous, 2),
        ("guid_path", Code::GuidInvalid, 8),
        ("mode_case", Code::SettingInvalid, 8),
        ("settings_array", Code::SlicingInvalid, 0),
        ("sprite_string", Code::SlicingInvalid, 0),
        ("frame_null", Code::FrameInvalid, 5),
        ("frames_65536", Code::TooManyFrames, 65_536),
        ("grid_u16_overflow", Code::CellLargerThanImage, 0),
        ("grid_zero", Code::SettingInvalid, 2),
    ] {
        let (_, sheet, problems) = read(case(name)).unwrap();
        assert!(problems.iter().any(|problem| problem.code == code), "{name}: {problems:?}");
        assert_eq!(sheet.frames.len(), frames, "{name}");
    }
}

fn hinders(problem: &Problem) -> bool {
    problem.severity != Severity::Info
}

fn read(case: &Case) -> Result<(Sidecar, Sheet, Vec<Problem>), String> {
    let sidecar = Sidecar::parse(&case.bytes).map_err(|error| error.to_string())?;
    let (sheet, problems) = sheet_file::read(&sidecar, case.image, &case.file);
    Ok((sidecar, sheet, problems))
}

/// Every value of the first tree is in the second at the same place; only what we write may be new.
fn assert_kept(before: &Json, after: &Json, file: &str) {
    match (before, after) {
        (Json::Object(old), Json::Object(new)) => {
            let mut left = new.iter();
            for (key, value) in old {
                let kept = left.find(|(name, _)| name == key);
                let (_, kept) = kept.unwrap_or_else(|| panic!("{file}: {key} is lost or moved"));
                if key != "mode" {
                    assert_kept(value, kept, file);
                }
            }
        }
        (Json::Array(old), Json::Array(new)) => {
            assert_eq!(old.len(), new.len(), "{file}");
            for (old, new) in old.iter().zip(new) {
                assert_kept(old, new, file);
            }
        }
        _ => assert_eq!(before, after, "{file}"),
    }
}

fn cases(bad: &Path) -> Vec<Case> {
    let manifest = Json::parse(&bytes(&bad.join("manifest.json"))).unwrap_or_default();
    let all = manifest.get("cases").and_then(Json::as_array).unwrap_or_default();
    let text = |case: &Json, key: &str| case.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let data = all.iter().filter(|case| text(case, "kind") == "data");
    data.map(|case| {
        let (file, image) = (text(case, "file"), text(case, "image"));
        let bytes_of_file = bytes(&bad.join(&file));
        // A sidecar without its image is read all the same.
        let image = if image.is_empty() { Size::new(64, 32) } else { png_size(&bytes(&bad.join(image))) };
        Case { file, expect: text(case, "expect"), bytes: bytes_of_file, image }
    })
    .collect()
}

fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{error}: {}", path.display()))
}

/// Width and height of a PNG's header.
fn png_size(png: &[u8]) -> Size {
    let number = |at: usize| png[at..at + 4].iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
    Size::new(number(16), number(20))
}
