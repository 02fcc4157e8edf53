//! The sample project: its pictures, drawn by this program from palettes and text, its scenes, and their sidecars.
//!
//! The same code makes the copy that a user can play with, the repository's own `assets/`, the application's icon and
//! the sheets of the benchmarks. Everything is deterministic: the same version gives the same bytes.

pub mod bench;
mod canvas;
mod character;
mod encode;
mod enemies;
mod icon;
mod items;
mod palette;
mod panel;
pub mod photo;
mod scenes;
mod sidecar;
mod tiles;

pub use encode::{Effort, encode_png};
pub use icon::icon;

use std::fs;
use std::io;
use std::path::Path;

use crate::fs_atomic::{self, WriteError};
use crate::geometry::Size;
use scenes::Sheets;
use sidecar::AtlasFrame;

const SHEETS: Sheets = Sheets {
    player: "3f0d6a52-8c1e-4b7a-9d35-61e2c4a7f810",
    items: "a94b7c06-2e5f-4d18-b0c3-7f8e91d2645a",
    panel: "c8167e3d-054b-49f2-a6d8-e23b90c74f15",
    enemies: "7b90c2e4-d61f-4a83-95be-08f4d7a1362c",
};

/// A drawn picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its size.
    pub size: Size,
    /// Its pixels from the top left, row by row: red, green, blue, straight alpha.
    pub rgba: Vec<u8>,
}

/// A file of the sample project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleFile {
    /// Where it goes, relative to the project's folder, with `/`.
    pub path: &'static str,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// All files of the sample project: sheets and scenes, each followed by its sidecar.
pub fn files() -> Vec<SampleFile> {
    let (items, found) = items::sheet();
    let item_frames: Vec<AtlasFrame> = found
        .into_iter()
        .map(|item| AtlasFrame { name: item.name, rect_in_image: item.rect_in_image, borders: None })
        .collect();
    let panel_frames: Vec<AtlasFrame> = panel::FRAMES
        .iter()
        .map(|frame| AtlasFrame {
            name: frame.name,
            rect_in_image: frame.rect_in_image,
            borders: Some(frame.borders),
        })
        .collect();
    let [r, g, b, _] = palette::KEY;

    let file = |path, bytes| SampleFile { path, bytes };
    let png = |picture: &Picture, opaque| encode_png(picture, opaque, Effort::Balanced);
    vec![
        file("assets/sprites/player.png", png(&character::sheet(), false)),
        file("assets/sprites/player.png.data", sidecar::grid(SHEETS.player, character::CELL)),
        file("assets/sprites/items.png", png(&items, false)),
        file("assets/sprites/items.png.data", sidecar::atlas(SHEETS.items, &item_frames)),
        file("assets/sprites/tiles.png", png(&tiles::sheet(), false)),
        file("assets/sprites/tiles.png.data", sidecar::unsliced("5d2e8f71-b3a4-4c69-8e07-1a9c5b60d3f2")),
        file("assets/sprites/panel.png", png(&panel::sheet(), false)),
        file("assets/sprites/panel.png.data", sidecar::atlas(SHEETS.panel, &panel_frames)),
        file("assets/sprites/enemies.png", png(&enemies::sheet(), true)),
        file("assets/sprites/enemies.png.data", sidecar::with_chroma_key(SHEETS.enemies, [r, g, b])),
        file("assets/scenes/level.scene", scenes::level(SHEETS)),
        file("assets/scenes/level.scene.data", sidecar::unsliced("0e8c4b19-73da-4f56-8a2d-c5b1f60e9748")),
        file("assets/scenes/menu.scene", scenes::menu(SHEETS)),
        file("assets/scenes/menu.scene.data", sidecar::unsliced("f2a7d350-9b48-4ce1-b6f3-2d80a4c71e95")),
    ]
}

/// Writes the sample project into `folder`, which is made when it is missing.
///
/// A file that exists is never replaced: the first one found is an error, and nothing is written at all.
pub fn write_project(folder: &Path) -> Result<(), WriteError> {
    let files = files();
    for file in &files {
        let path = folder.join(file.path);
        if path.symlink_metadata().is_ok() {
            let source = io::Error::new(io::ErrorKind::AlreadyExists, "a file of this name is already there");
            return Err(io_error(&path, source));
        }
    }
    for file in &files {
        let path = folder.join(file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|source| io_error(parent, source))?;
        }
        fs_atomic::write_synced(&path, &file.bytes)?;
    }
    Ok(())
}

fn io_error(path: &Path, source: io::Error) -> WriteError {
    WriteError { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::io::Cursor;

    fn bytes_of(path: &str) -> Vec<u8> {
        files().into_iter().find(|file| file.path == path).unwrap().bytes
    }

    fn json_of(path: &str) -> serde_json::Value {
        serde_json::from_slice(&bytes_of(path)).unwrap()
    }

    #[test]
    fn every_asset_has_its_sidecar_and_every_sidecar_its_own_version_4_guid() {
        let files = files();
        let mut guids = BTreeSet::new();
        for pair in files.chunks(2) {
            assert_eq!(pair[1].path, format!("{}.data", pair[0].path));
            let value: serde_json::Value = serde_json::from_slice(&pair[1].bytes).unwrap();
            let guid = value["guid"].as_str().unwrap().to_owned();
            let bytes = guid.as_bytes();
            assert_eq!((guid.len(), bytes[14]), (36, b'4'), "{guid}");
            assert!(b"89ab".contains(&bytes[19]), "{guid}");
            assert!(guids.insert(guid));
        }
        assert_eq!(guids.len(), 7);
    }

    #[test]
    fn pictures_have_the_promised_sizes_and_only_the_key_coloured_sheet_has_no_alpha() {
        let expected = [
            ("player", Some((192, 96)), png::ColorType::Rgba),
            ("items", None, png::ColorType::Rgba),
            ("tiles", Some((137, 69)), png::ColorType::Rgba),
            ("panel", Some((48, 84)), png::ColorType::Rgba),
            ("enemies", Some((160, 64)), png::ColorType::Rgb),
        ];
        for (name, size, color) in expected {
            let bytes = bytes_of(&format!("assets/sprites/{name}.png"));
            let reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
            let info = reader.info();
            assert_eq!(info.color_type, color, "{name}");
            assert!(size.is_none_or(|size| size == (info.width, info.height)), "{name}");
        }
    }

    #[test]
    fn decoding_a_sheet_gives_the_drawn_pixels() {
        let mut reader =
            png::Decoder::new(Cursor::new(bytes_of("assets/sprites/player.png"))).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, character::sheet().rgba);
    }

    #[test]
    fn the_tile_set_and_the_enemies_are_left_to_be_cut() {
        for name in ["tiles", "enemies"] {
            let value = json_of(&format!("assets/sprites/{name}.png.data"));
            assert!(value.get("slicing").is_none(), "{name}");
        }
        let key = &json_of("assets/sprites/enemies.png.data")["settings"]["texture"]["chroma_key"];
        assert_eq!(*key, serde_json::json!({ "enabled": true, "r": 255, "g": 0, "b": 255 }));
    }

    #[test]
    fn the_project_is_the_same_each_time() {
        assert_eq!(files(), files());
    }

    #[test]
    fn a_project_is_written_once_and_never_over_existing_files() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("new/project");
        write_project(&project).unwrap();
        for file in files() {
            assert_eq!(fs::read(project.join(file.path)).unwrap(), file.bytes, "{}", file.path);
        }
        let message = write_project(&project).unwrap_err().to_string();
        assert!(message.contains("already there") && message.contains("player.png"), "{message}");
    }

    #[test]
    fn one_existing_file_keeps_its_bytes_and_stops_the_whole_project() {
        let folder = tempfile::tempdir().unwrap();
        let sprites = folder.path().join("assets/sprites");
        fs::create_dir_all(&sprites).unwrap();
        fs::write(sprites.join("tiles.png"), b"mine").unwrap();
        write_project(folder.path()).unwrap_err();
        assert_eq!(fs::read(sprites.join("tiles.png")).unwrap(), b"mine");
        assert_eq!(fs::read_dir(&sprites).unwrap().count(), 1);
    }

    #[test]
    fn the_icon_is_64_pixels_square_with_clear_corners() {
        let icon = icon();
        assert_eq!(icon.size, Size::new(64, 64));
        for (x, y) in [(0, 0), (63, 0), (0, 63), (63, 63)] {
            assert!(!icon.has_ink(x, y));
        }
        assert!(icon.has_ink(32, 32));
    }
}
