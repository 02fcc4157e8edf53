//! Sheets with a Max Size, from the files to what a game draws.

use std::fs;
use std::path::Path;
use std::process::Command;

use cutsheet::geometry::{PixelRect, Size};
use cutsheet::guid::Guid;
use cutsheet::runtime::Texture;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

const GUID: &str = "11111111-2222-4333-8444-555555555555";

/// A colour for each cell of 100 x 100 pixels.
const COLORS: [[u8; 4]; 6] = [
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [0, 0, 255, 255],
    [255, 255, 0, 255],
    [0, 255, 255, 255],
    [255, 0, 255, 255],
];

/// A project with the image and what its sidecar says.
fn project(image: &RgbaImage, slicing: &Value, texture: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let assets = folder.path().join("assets");
    fs::create_dir(&assets).unwrap();
    image.save(assets.join("sheet.png")).unwrap();
    let sidecar = json!({ "guid": GUID, "slicing": slicing, "settings": { "texture": texture } });
    fs::write(assets.join("sheet.png.data"), sidecar.to_string()).unwrap();
    folder
}

fn cutsheet(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_cutsheet")).args(arguments).arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Imports the project; what is told of it, and the texture's path.
fn imported(folder: &Path) -> (Vec<Value>, std::path::PathBuf) {
    let document = cutsheet(&["import", folder.to_str().unwrap()]);
    (document["problems"].as_array().unwrap().clone(), folder.join("cache").join(GUID))
}

#[test]
fn the_300_by_200_example_keeps_its_frames_apart_and_says_everything_in_image_pixels() {
    let color = |x: u32, y: u32| Rgba(COLORS[(y / 100 * 3 + x / 100) as usize]);
    let slicing = json!({ "mode": "grid", "frameWidth": 100, "frameHeight": 100 });
    let texture = json!({ "format": "RGB888", "maxSize": 128 });
    let folder = project(&RgbaImage::from_fn(300, 200, color), &slicing, &texture);
    let (problems, path) = imported(folder.path());
    assert_eq!(problems, Vec::<Value>::new());

    let told = cutsheet(&["inspect", path.to_str().unwrap()]);
    assert_eq!((&told["width"], &told["height"]), (&json!(128), &json!(85)));
    assert_eq!(told["source_size"], json!({ "width": 300, "height": 200 }));
    assert_eq!(told["default_frame"], json!({ "width": 100, "height": 100 }));
    let last = &told["frames"][5];
    assert_eq!([&last["x"], &last["y"], &last["width"]], [&json!(200), &json!(100), &json!(100)]);

    // Edges 0, 43, 85, 128 across and 0, 43, 85 down.
    let stored = [
        (0, 0, 43, 43),
        (43, 0, 42, 43),
        (85, 0, 43, 43),
        (0, 43, 43, 42),
        (43, 43, 42, 42),
        (85, 43, 43, 42),
    ];
    let texture = Texture::load(&path).unwrap();
    assert_eq!(texture.size, Size::new(128, 85));
    for (id, ((x, y, width, height), color)) in (0..).zip(stored.into_iter().zip(COLORS)) {
        let guid = Guid::for_frame(GUID.parse().unwrap(), id).to_string();
        let frame = texture.find_frame(&guid).unwrap();
        let rect = PixelRect::new(x, y, width, height);
        assert_eq!(frame.rect, rect, "frame {id}");
        let (_, rgba) = texture.decode_rect(rect);
        assert!(
            rgba.as_chunks::<4>().0.iter().all(|pixel| *pixel == color),
            "frame {id} has a neighbour's colour"
        );
    }
}

#[test]
fn a_sheet_that_fits_is_stored_as_it_is() {
    let image = RgbaImage::from_pixel(30, 20, Rgba(COLORS[0]));
    let folder = project(&image, &json!({}), &json!({ "maxSize": 30 }));
    let (_, path) = imported(folder.path());
    let told = cutsheet(&["inspect", path.to_str().unwrap()]);
    assert_eq!((&told["width"], &told["source_size"]), (&json!(30), &Value::Null));
}

#[test]
fn frames_that_vanish_are_told_with_their_names() {
    let image = RgbaImage::from_pixel(100, 10, Rgba(COLORS[0]));
    let frames = json!({ "mode": "atlas", "frames": [
        { "x": 0, "y": 0, "width": 50, "height": 10, "name": "wide" },
        { "x": 99, "y": 0, "width": 1, "height": 10, "name": "thin" },
    ] });
    // Edges 0, 50, 99 and 100 of 100 come to 0, 1, 2 and 2 of 2.
    let folder = project(&image, &frames, &json!({ "maxSize": 2 }));
    let (problems, _) = imported(folder.path());
    let told: Vec<_> = problems.iter().map(|problem| (&problem["code"], &problem["frame"])).collect();
    assert_eq!(told, [(&json!("frame-vanishes"), &json!(1))]);
    assert!(problems[0]["message"].as_str().unwrap().contains("\"thin\""));
}

#[test]
fn nothing_transparent_is_left_where_all_stored_pixels_are_opaque() {
    // The one translucent column of a hundred weighs less than half a step: 255 - 0.01 x 1.
    let image = RgbaImage::from_fn(100, 1, |x, _| Rgba([9, 9, 9, if x == 0 { 254 } else { 255 }]));
    let folder = project(&image, &json!({}), &json!({ "maxSize": 1 }));
    let (_, path) = imported(folder.path());
    let told = cutsheet(&["inspect", path.to_str().unwrap()]);
    assert_eq!(told["format"], "RGB565A8", "the image has alpha");
    assert_eq!(told["flags"], json!(["HasAlpha", "IsSprite", "AllOpaque"]));
}

/// What an import for the handheld tells: the exit status, each asset's status, and each problem's code.
fn imported_for(folder: &Path, target: &str) -> (Option<i32>, Vec<Value>, Vec<Value>) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_cutsheet"));
    let output =
        program.args(["import", folder.to_str().unwrap(), "--target", target, "--json"]).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = |key: &str, what: &str| -> Vec<Value> {
        document[key].as_array().unwrap().iter().map(|entry| entry[what].clone()).collect()
    };
    (output.status.code(), list("assets", "status"), list("problems", "code"))
}

#[test]
fn a_target_has_textures_of_its_own_and_a_sheet_may_say_otherwise() {
    let image = RgbaImage::from_pixel(300, 200, Rgba(COLORS[0]));
    let folder = project(&image, &json!({}), &json!({ "format": "RGB888" }));
    let settings =
        json!({ "formatVersion": 1, "targets": { "handheld": { "format": "RGB565", "maxSize": 128 } } });
    fs::write(folder.path().join("cutsheet.json"), settings.to_string()).unwrap();
    let (_, usual) = imported(folder.path());
    let before = fs::read(&usual).unwrap();

    assert_eq!(imported_for(folder.path(), "handheld"), (Some(0), vec![json!("imported")], vec![]));
    let of_target = folder.path().join("cache/targets/handheld").join(GUID);
    let told = cutsheet(&["inspect", of_target.to_str().unwrap()]);
    assert_eq!(
        [&told["width"], &told["height"], &told["format"]],
        [&json!(128), &json!(85), &json!("RGB565")]
    );
    assert_eq!(fs::read(&usual).unwrap(), before, "what the window shows is another texture");
    assert_eq!(imported_for(folder.path(), "handheld"), (Some(0), vec![json!("unchanged")], vec![]));

    let own = json!({ "guid": GUID, "settings": { "texture": {
        "format": "RGB888", "cutsheetTargets": { "handheld": { "maxSize": 256, "format": "ALPHA8" } } } } });
    fs::write(folder.path().join("assets/sheet.png.data"), own.to_string()).unwrap();
    assert_eq!(imported_for(folder.path(), "handheld"), (Some(0), vec![json!("imported")], vec![]));
    let told = cutsheet(&["inspect", of_target.to_str().unwrap()]);
    assert_eq!([&told["width"], &told["format"]], [&json!(256), &json!("ALPHA8")]);

    assert_eq!(imported_for(folder.path(), "console"), (Some(1), vec![], vec![json!("target-unknown")]));
    assert!(!folder.path().join("cache/targets/console").exists());
}
