//! Every real sheet imports, with the frames, sizes and pixels that its manifest says.

use std::fs;
use std::path::Path;

use cutsheet::edit::{Edit, History};
use cutsheet::geometry::{Offset, PixelRect, Size};
use cutsheet::guid::Guid;
use cutsheet::import::{Project, Status, import_all};
use cutsheet::model::{Run, Sheet};
use cutsheet::runtime::Texture;
use cutsheet::session::save::{Save, read_sheet, save_sheet};
use serde_json::{Value, json};

pub(crate) fn manifest(shared: &Path) -> Vec<Value> {
    let bytes = fs::read(shared.join("data/sheets/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&bytes).unwrap();
    manifest["sheets"].as_array().unwrap().clone()
}

fn rects(entry: &Value) -> Vec<PixelRect> {
    rects_in(entry, "frames")
}

/// The rectangles of one of an entry's lists.
pub(crate) fn rects_in(entry: &Value, list: &str) -> Vec<PixelRect> {
    let number = |frame: &Value, key: &str| frame[key].as_i64().unwrap() as i32;
    let rect = |frame| {
        PixelRect::new(
            number(frame, "x"),
            number(frame, "y"),
            number(frame, "width"),
            number(frame, "height"),
        )
    };
    entry[list].as_array().unwrap().iter().map(rect).collect()
}

#[test]
fn every_sheet_imports_with_the_frames_and_pixels_of_its_manifest() {
    let Some(shared) = crate::common::shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let sheets = manifest(&shared);
    assert!(sheets.len() >= 30);
    for entry in &sheets {
        let file = entry["file"].as_str().unwrap();
        let target = folder.path().join("assets").join(file);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(shared.join("data/sheets").join(file), &target).unwrap();
        let frames: Vec<_> = rects(entry)
            .iter()
            .map(|rect| json!({ "x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height }))
            .collect();
        let sidecar = json!({
            "guid": Guid::random().to_string(),
            "slicing": { "mode": "atlas", "frames": frames },
            "settings": { "texture": { "format": "RGBA8888" } },
        });
        fs::write(format!("{}.data", target.display()), sidecar.to_string()).unwrap();
    }
    let project = Project::open(folder.path()).unwrap();
    let report = import_all(&project, 2, |_| {});
    for entry in &sheets {
        let file = entry["file"].as_str().unwrap();
        let asset = report.registry.asset(&format!("assets/{file}")).unwrap();
        let status = report.assets.iter().find(|found| found.path == asset.path).unwrap().status;
        assert_eq!(status, Status::Imported, "{file}");
        let texture = Texture::load(&project.texture(asset.guid)).unwrap();
        let size =
            Size::new(entry["width"].as_u64().unwrap() as u32, entry["height"].as_u64().unwrap() as u32);
        assert_eq!(texture.size, size, "{file}");
        let stored: Vec<_> = texture.frames.iter().map(|frame| frame.rect).collect();
        assert_eq!(stored, rects(entry), "{file}");
        for (index, frame) in texture.frames.iter().enumerate() {
            let expected = Guid::for_frame(asset.guid, index as u32);
            assert_eq!(frame.parsed_guid(), Some(expected), "{file}");
        }
        // Another decoder, since ours made the texture. It rounds 16-bit samples as we do, give or take one.
        let reader = image::ImageReader::open(shared.join("data/sheets").join(file)).unwrap();
        let reference = reader.with_guessed_format().unwrap().decode().unwrap().into_rgba8();
        let pixels = texture.decode_rgba();
        assert_eq!(pixels.len(), reference.len(), "{file}");
        let worst = pixels.iter().zip(reference.iter()).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        let allowed = u8::from(entry["file"].as_str().unwrap().contains("16"));
        assert!(worst <= allowed, "{file}: a channel differs by {worst}");
    }
}

#[test]
fn grid_sheets_cut_by_their_numbers_have_the_frames_of_their_manifest_and_open_as_grids_again() {
    let Some(shared) = crate::common::shared() else { return };
    for entry in manifest(&shared).iter().filter(|entry| entry["kind"] == "grid") {
        let file = entry["file"].as_str().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join(Path::new(file).file_name().unwrap());
        fs::copy(shared.join("data/sheets").join(file), &image).unwrap();
        let (project, path) = Project::containing(&image).unwrap();
        let disk = read_sheet(&project, &path, None).unwrap();
        let pair = |key: &str| {
            let pair = &entry[key];
            Offset::new(pair["x"].as_i64().unwrap() as i32, pair["y"].as_i64().unwrap() as i32)
        };
        let number = |key: &str| entry[key].as_u64().unwrap() as u32;
        let run = Run {
            offset: pair("margin"),
            spacing: pair("spacing"),
            ..Run::of_cell(Size::new(number("frameWidth"), number("frameHeight")))
        };
        let mut history = History::new(Sheet::default());
        history.apply(&Edit::SetGrid(run.clone()), disk.image_size).unwrap();
        let cut: Vec<_> = history.sheet().frames.iter().map(|frame| frame.rect_in_image).collect();
        // Some manifests list only the cells that are used.
        for rect in rects(entry) {
            assert!(cut.contains(&rect), "{file}: {rect}");
        }
        assert_eq!(cut.len() as u32, number("columns") * number("rows"), "{file}");
        let (sheet, revision) = (history.sheet().clone(), history.revision());
        let (guid, image_size) = (Guid::random(), disk.image_size);
        let save = Save {
            project: project.clone(),
            path: path.clone(),
            guid,
            sheet,
            image_size,
            revision,
            expected: None,
        };
        save_sheet(&save).unwrap();
        let again = read_sheet(&project, &path, None).unwrap();
        assert_eq!(again.sheet.frames, history.sheet().frames, "{file}");
        assert_eq!(
            again.sheet.recipe.as_deref().and_then(|recipe| recipe.single_run()),
            Some(&run),
            "{file}"
        );
    }
}
