//! Frames as files, by the program without a window.

use std::fs;
use std::process::{Command, Output};

use cutsheet::geometry::Size;
use cutsheet::pixels::{decode_rgba, write_png};
use serde_json::json;

fn cutsheet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cutsheet")).args(arguments).output().unwrap()
}

/// A PNG with colours under every alpha, and its pixels.
fn picture() -> (Vec<u8>, Vec<u8>) {
    let rgba: Vec<u8> = (0..16_u8 * 8)
        .flat_map(|n| [n, 255 - n, n.wrapping_mul(7), [0, 1, 128, 255][n as usize % 4]])
        .collect();
    let mut bytes = Vec::new();
    let size = Size::new(16, 8);
    write_png(&mut bytes, size, rgba.chunks(64)).unwrap();
    (bytes, rgba)
}

#[test]
fn frames_are_files_with_every_bit_of_the_image() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("hero.png");
    let (bytes, rgba) = picture();
    fs::write(&image, &bytes).unwrap();
    let frames = json!([
        { "x": 0, "y": 0, "width": 8, "height": 8, "name": "../idle" },
        { "x": 8, "y": 2, "width": 4, "height": 3 },
        { "x": 14, "y": 6, "width": 9, "height": 9, "name": "hero" },
    ]);
    let sidecar = json!({ "guid": "3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810", "slicing": { "mode": "atlas", "frames": frames } });
    fs::write(folder.path().join("hero.png.data"), sidecar.to_string()).unwrap();
    let (image, out) = (image.to_str().unwrap(), folder.path().join("out"));
    let output = cutsheet(&["frames", image, "--out", out.to_str().unwrap()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("frame-partly-outside") && said.contains("file-name-changed"), "{said}");
    let rects = [("_._idle", 0, 0, 8, 8), ("hero_01", 8, 2, 4, 3), ("hero", 14, 6, 2, 2)];
    for (name, x, y, width, height) in rects {
        let (size, pixels) = decode_rgba(&fs::read(out.join(format!("{name}.png"))).unwrap(), None).unwrap();
        assert_eq!(size, Size::new(width, height), "{name}");
        let row = |y: u32| &rgba[(y * 16 + x) as usize * 4..(y * 16 + x + width) as usize * 4];
        assert_eq!(pixels, (y..y + height).flat_map(row).copied().collect::<Vec<_>>(), "{name}");
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), 3);
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);

    // The sheet itself is never written, and a pattern that is none is wrong usage.
    let here = folder.path().to_str().unwrap();
    let output = cutsheet(&["frames", image, "--out", here, "--pattern", "{sheet}"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(image).unwrap(), bytes);
    assert!(folder.path().join("hero_2.png").exists() && folder.path().join("hero_3.png").exists());
    assert_eq!(cutsheet(&["frames", image, "--out", here, "--pattern", "{x}"]).status.code(), Some(2));
}

#[test]
fn an_image_without_frames_and_one_with_16_bits_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("deep.png");
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.write_header().unwrap().write_image_data(&[0x12, 0x12, 0, 0, 0xff, 0xff, 0, 0]).unwrap();
    fs::write(&image, bytes).unwrap();
    let arguments = ["frames", image.to_str().unwrap(), "--out", folder.path().to_str().unwrap()];
    let output = cutsheet(&arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && said.contains("no frames"), "{said}");
    let sidecar = r#"{ "slicing": { "mode": "grid", "frameWidth": 1, "frameHeight": 1 } }"#;
    fs::write(folder.path().join("deep.png.data"), sidecar).unwrap();
    let output = cutsheet(&arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(0) && said.contains("depth-reduced"), "{said}");
    let frame = decode_rgba(&fs::read(folder.path().join("deep_00.png")).unwrap(), None).unwrap();
    assert_eq!(frame.1, [0x12, 0, 0xff, 0]);
}
