//! How sheets are stored: what is told to be wrong with it, and previews of what a device shows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cutsheet::runtime::Texture;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

const GUID: &str = "11111111-2222-4333-8444-555555555555";
const MAGENTA: Rgba<u8> = Rgba([255, 0, 255, 255]);

/// A project with one image and what its sidecar says.
fn project(image: &RgbaImage, slicing: &Value, settings: &Value) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let assets = folder.path().join("assets");
    fs::create_dir(&assets).unwrap();
    let file = assets.join("sheet.png");
    image.save(&file).unwrap();
    let sidecar = json!({ "guid": GUID, "slicing": slicing, "settings": settings });
    fs::write(assets.join("sheet.png.data"), sidecar.to_string()).unwrap();
    (folder, file)
}

/// The exit status, the document and what was told on standard error.
fn cutsheet(arguments: &[&str]) -> (i32, Value, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cutsheet")).args(arguments).output().unwrap();
    let document = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), document, String::from_utf8(output.stderr).unwrap())
}

fn told(document: &Value) -> Vec<(&str, Option<u64>, &str)> {
    let problems = document["problems"].as_array().unwrap().iter();
    problems
        .map(|it| (it["code"].as_str().unwrap(), it["frame"].as_u64(), it["message"].as_str().unwrap()))
        .collect()
}

#[test]
fn art_in_the_keys_cell_is_counted_by_import_and_check_and_remembered() {
    // Two frames of 4 x 2; 254, 1, 255 lies in magenta's cell and is not magenta.
    let image = RgbaImage::from_fn(8, 2, |x, y| match (x, y) {
        (0, 0) | (5, _) => Rgba([254, 1, 255, 255]),
        (1..=2, _) | (6, 0) => Rgba([0, 128, 0, 255]),
        _ => MAGENTA,
    });
    let slicing = json!({ "mode": "grid", "frameWidth": 4, "frameHeight": 2 });
    let key = json!({ "enabled": true, "r": 255, "g": 0, "b": 255 });
    let (folder, _) =
        project(&image, &slicing, &json!({ "texture": { "format": "RGB565", "chroma_key": key } }));
    let path = folder.path().to_str().unwrap();
    for command in ["check", "import", "import", "check"] {
        let (status, document, _) = cutsheet(&[command, path, "--json"]);
        let found = told(&document);
        let places: Vec<_> = found.iter().map(|(code, frame, _)| (*code, *frame)).collect();
        let code = "key-in-art";
        assert_eq!(places, [(code, None), (code, Some(0)), (code, Some(1))], "{command}");
        assert!(found[0].2.contains("3 pixels") && found[2].2.contains("2 pixels"), "{found:?}");
        assert_eq!(status, 0, "warnings");
    }
    // Of the first row 0 to 2 and 5 to 6 are no key, which is not one run.
    let texture = folder.path().join("cache").join(GUID);
    let (_, document, _) = cutsheet(&["inspect", texture.to_str().unwrap(), "--json"]);
    assert_eq!(document["chroma_key"], json!({ "r": 255, "g": 0, "b": 255, "span_count": 0 }));
}

#[test]
fn a_format_without_alpha_and_borders_that_meet_are_told_unless_the_sheet_asks_not_to_be() {
    let image = RgbaImage::from_fn(20, 10, |x, _| Rgba([9, 9, 9, if x == 0 { 0 } else { 255 }]));
    let mut slicing = json!({ "mode": "atlas", "frames": [
        { "x": 0, "y": 0, "width": 20, "height": 10, "name": "box" } ] });
    // Top, right, bottom, left.
    let settings = json!({ "texture": { "format": "RGB565" }, "frame_nine_slice": { "0": [2, 10, 2, 10] } });
    let (folder, _) = project(&image, &slicing, &settings);
    let path = folder.path().to_str().unwrap();
    for command in ["import", "import"] {
        let (_, document, _) = cutsheet(&[command, path, "--json"]);
        let mut places: Vec<_> =
            told(&document).into_iter().map(|(code, frame, _)| (code.to_owned(), frame)).collect();
        places.sort();
        let expected = [("borders-collapse".to_owned(), Some(0)), ("format-loses-alpha".to_owned(), None)];
        assert_eq!(places, expected);
    }
    slicing["ignoredProblems"] = json!(["borders-collapse", "format-loses-alpha"]);
    let sidecar = json!({ "guid": GUID, "slicing": slicing, "settings": settings });
    fs::write(folder.path().join("assets/sheet.png.data"), sidecar.to_string()).unwrap();
    let (_, document, _) = cutsheet(&["import", path, "--json"]);
    assert_eq!(told(&document), []);
}

fn preview(file: &Path, out: &Path) -> (i32, Value, String) {
    cutsheet(&["inspect", file.to_str().unwrap(), "--preview", out.to_str().unwrap(), "--json"])
}

#[test]
fn previews_of_a_texture_an_image_and_a_sidecar_are_what_the_device_shows() {
    let image = RgbaImage::from_fn(24, 16, |x, y| Rgba([x as u8 * 10, y as u8 * 15, 77, (x * y) as u8]));
    let slicing = json!({ "mode": "grid", "frameWidth": 8, "frameHeight": 8 });
    let (folder, file) = project(&image, &slicing, &json!({ "texture": { "maxSize": 12 } }));
    // What the project says for all counts too.
    let defaults = json!({ "formatVersion": 1, "defaults": { "dithering": "floyd-steinberg" } });
    fs::write(folder.path().join("cutsheet.json"), defaults.to_string()).unwrap();
    cutsheet(&["import", folder.path().to_str().unwrap()]);
    let texture = folder.path().join("cache").join(GUID);
    let shown = Texture::load(&texture).unwrap().decode_rgba();
    let sidecar = file.with_extension("png.data");
    for inspected in [&texture, &file, &sidecar] {
        let out = folder.path().join("preview.png");
        let before = fs::read(inspected).unwrap();
        let (status, document, errors) = preview(inspected, &out);
        assert_eq!((status, &document["problems"]), (0, &json!([])), "{errors}");
        let picture = image::open(&out).unwrap().into_rgba8();
        assert_eq!(picture.dimensions(), (12, 8));
        assert!(picture.into_raw() == shown, "{}", inspected.display());
        assert!(fs::read(inspected).unwrap() == before);
        fs::remove_file(out).unwrap();
    }
}

#[test]
fn a_preview_replaces_nothing_that_is_inspected_and_its_errors_carry_paths() {
    let image = RgbaImage::from_pixel(4, 4, MAGENTA);
    let (folder, file) = project(&image, &json!({}), &json!({}));
    let sidecar = file.with_extension("png.data");
    let before = [fs::read(&file).unwrap(), fs::read(&sidecar).unwrap()];
    // The same file by another way counts too.
    let roundabout = folder.path().join("assets/../assets/sheet.png");
    for (inspected, out) in [(&file, &file), (&file, &sidecar), (&sidecar, &file), (&file, &roundabout)] {
        let (status, _, errors) = preview(inspected, out);
        assert_eq!(status, 2);
        assert!(errors.trim_end().ends_with(&*out.display().to_string()), "{errors}");
    }
    assert_eq!([fs::read(&file).unwrap(), fs::read(&sidecar).unwrap()], before);

    let nowhere = folder.path().join("nowhere/preview.png");
    let (status, document, _) = preview(&file, &nowhere);
    assert_eq!((status, told(&document)[0].0), (1, "unwritable"));
    assert_eq!(document["problems"][0]["path"], nowhere.to_str().unwrap());
    let out = folder.path().join("preview.png");
    fs::write(&sidecar, "{").unwrap();
    for inspected in [&file, &sidecar] {
        let (status, document, _) = preview(inspected, &out);
        let codes: Vec<_> = told(&document).into_iter().map(|(code, ..)| code).collect();
        assert_eq!((status, codes), (1, vec!["sidecar-unparsable"]));
    }
    fs::write(&file, "no image").unwrap();
    let (status, document, _) = preview(&file, &out);
    assert_eq!((status, told(&document).len(), told(&document)[0].0), (1, 1, "image-damaged"));
    assert!(!out.exists());
}
