//! Textures over the corpus: controls open without a warning, damaged ones are refused or reported, and no
//! number in any of them makes a game read outside the pixels.

use std::fs;
use std::time::{Duration, Instant};

use cutsheet::format::tex::{Tex, TexWarning};
use cutsheet::geometry::PixelRect;
use cutsheet::runtime::Texture;
use serde_json::Value;

#[test]
fn textures_open_are_reported_or_are_refused_as_listed_and_in_time() {
    let Some(shared) = crate::common::shared() else { return };
    let folder = shared.join("data/bad");
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let entries = manifest["cases"].as_array().unwrap().iter().filter(|entry| entry["kind"] == "tex");
    let mut count = 0;
    for entry in entries {
        let file = entry["file"].as_str().unwrap();
        let bytes = fs::read(folder.join(file)).unwrap();
        let start = Instant::now();
        let result = Tex::parse(&bytes);
        let loaded = Texture::from_bytes(bytes);
        assert_eq!(result.as_ref().err(), loaded.as_ref().err(), "{file}");
        if let Ok(texture) = loaded {
            decode_everything(&texture);
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{file}");
        match (entry["expect"].as_str().unwrap(), &result) {
            // The controls give both of their frames one GUID, which is worth its warning.
            ("open", Ok(tex)) => {
                let is_shared_guid =
                    |warning: &TexWarning| warning.message.contains("has the GUID of frame 0");
                assert!(tex.warnings.iter().all(is_shared_guid), "{file}: {:?}", tex.warnings);
            }
            ("report", Ok(tex)) => assert!(!tex.warnings.is_empty(), "{file} has no warning"),
            ("either", Ok(_)) => {}
            (expect, Ok(_)) => panic!("{file} opened: {expect}"),
            ("open", Err(error)) => panic!("{file} was refused: {error}"),
            (_, Err(error)) => assert!(!error.to_string().is_empty(), "{file}"),
        }
        count += 1;
    }
    assert!(count > 60, "only {count} files");
}

fn decode_everything(texture: &Texture) {
    assert_eq!(texture.decode_rgba().len() as u64, texture.size.area() * 4);
    for frame in &texture.frames {
        let (size, rgba) = texture.decode_rect(frame.rect);
        assert_eq!(rgba.len() as u64, size.area() * 4);
    }
    let default = PixelRect::new(0, 0, texture.default_frame.width, texture.default_frame.height);
    let (size, _) = texture.decode_rect(default);
    assert!(size.width <= texture.size.width && size.height <= texture.size.height);
}
