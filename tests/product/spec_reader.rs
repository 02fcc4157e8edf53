//! Textures that an import wrote, read by a small reader made from the format's description alone: it and a game must
//! agree in every field.

use std::fs;
use std::path::Path;
use std::process::Command;

use cutsheet::runtime::Texture;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

const GUID: &str = "11111111-2222-4333-8444-555555555555";

/// The file as its bytes say.
struct File<'a> {
    /// Width, height, format, bytes of the pixels, bytes of the metadata, flags.
    header: [u32; 6],
    pixels: &'a [u8],
    /// Types and payloads.
    chunks: Vec<(u32, &'a [u8])>,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn i32_at(bytes: &[u8], at: usize) -> i32 {
    u32_at(bytes, at) as i32
}

fn read(bytes: &[u8]) -> File<'_> {
    assert_eq!((&bytes[..4], u32_at(bytes, 4)), (&b"2DTX"[..], 1));
    let header = [8, 12, 16, 20, 24, 28].map(|at| u32_at(bytes, at));
    let (pixels, metadata) = bytes[32..].split_at(header[3] as usize);
    assert_eq!(metadata.len(), header[4] as usize, "nothing follows the metadata");
    let (mut chunks, mut at) = (Vec::new(), 4);
    for _ in 0..if metadata.is_empty() { 0 } else { u32_at(metadata, 0) } {
        let (kind, size) = (u32_at(metadata, at), u32_at(metadata, at + 4) as usize);
        chunks.push((kind, &metadata[at + 8..at + 8 + size]));
        at += 8 + size;
    }
    assert!(metadata.is_empty() || at == metadata.len(), "chunks fill the metadata");
    File { header, pixels, chunks }
}

/// An edge of an image of that length at a stored length: halves up.
fn mapped(edge: i32, image: i32, stored: i32) -> i32 {
    (2 * edge * stored + image) / (2 * image)
}

/// Imports one image; the texture's bytes.
fn imported(folder: &Path, image: &RgbaImage, sidecar: &Value) -> Vec<u8> {
    fs::create_dir_all(folder.join("assets")).unwrap();
    image.save(folder.join("assets/sheet.png")).unwrap();
    fs::write(folder.join("assets/sheet.png.data"), sidecar.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_cutsheet"))
        .args(["import", folder.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(folder.join("cache").join(GUID)).unwrap()
}

/// 30 x 20: magenta at both sides, so that each row's art is one run.
fn keyed() -> RgbaImage {
    RgbaImage::from_fn(30, 20, |x, y| match x {
        0..4 | 25..30 => Rgba([255, 0, 255, 255]),
        _ => Rgba([x as u8 * 8, y as u8 * 12, 90, 255]),
    })
}

#[test]
fn a_game_and_the_formats_description_agree_about_every_field() {
    for (max_size, dithering) in [(30, "none"), (15, "ordered"), (13, "floyd-steinberg")] {
        let key = json!({ "enabled": true, "r": 255, "g": 0, "b": 255 });
        let sidecar = json!({
            "guid": GUID,
            "slicing": { "mode": "grid", "frameWidth": 15, "frameHeight": 10 },
            "settings": {
                "texture": { "format": "RGB565", "maxSize": max_size, "dithering": dithering, "chroma_key": key },
                // Top, right, bottom, left.
                "nine_slice": [4, 5, 6, 7], "frame_nine_slice": { "2": [2, 3, 4, 5] },
            },
        });
        let folder = tempfile::tempdir().unwrap();
        let bytes = imported(folder.path(), &keyed(), &sidecar);
        let file = read(&bytes);
        let game = Texture::from_bytes(bytes.clone()).unwrap();
        // 20 x 13 / 30 is 8.67.
        let height = if max_size == 13 { 9 } else { max_size * 2 / 3 };
        let (width, size) = (max_size, max_size * height);
        let is_smaller = max_size < 30;
        let kinds: Vec<u32> = file.chunks.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, if is_smaller { vec![1, 2, 3, 4] } else { vec![1, 2, 3] });
        // Format 2 is RGB565, flag 4 a sprite.
        assert_eq!(file.header[..4], [width, height, 2, 2 * size]);
        assert_eq!((file.header[5], file.pixels), (4, game.stored_pixels()));
        assert_eq!((game.size.width, game.size.height), (width, height));

        let sprite = file.chunks[0].1;
        assert_eq!((i32_at(sprite, 0), i32_at(sprite, 4), sprite[8], sprite.len()), (15, 10, 1, 17));
        assert_eq!([9, 11, 13, 15].map(|at| u16_at(sprite, at)), [7, 5, 4, 6], "left, right, top, bottom");
        let (stored_x, stored_y) = (|x| mapped(x, 30, width as i32), |y| mapped(y, 20, height as i32));
        let borders = game.nine_slice.unwrap();
        assert_eq!(i32::from(borders.left), stored_x(7));
        assert_eq!(i32::from(borders.right), width as i32 - stored_x(25));
        assert_eq!(i32::from(borders.top), stored_y(4));
        assert_eq!(i32::from(borders.bottom), height as i32 - stored_y(14));

        let list = file.chunks[1].1;
        assert_eq!((u16_at(list, 0), list.len()), (4, 2 + 4 * 52 + 2 + 10));
        assert_eq!(game.frames.len(), 4);
        for (index, frame) in game.frames.iter().enumerate() {
            let entry = &list[2 + index * 52..][..52];
            assert_eq!(entry[..36], frame.guid);
            let rect = [36, 40, 44, 48].map(|at| i32_at(entry, at));
            let (x, y) = ((index % 2 * 15) as i32, (index / 2 * 10) as i32);
            assert_eq!(rect, [x, y, 15, 10], "in image pixels");
            let (left, top) = (stored_x(x), stored_y(y));
            let stored = [left, top, stored_x(x + 15) - left, stored_y(y + 10) - top];
            assert_eq!([frame.rect.x, frame.rect.y, frame.rect.width, frame.rect.height], stored);
            assert_eq!(frame.nine_slice.is_some(), index == 2);
        }
        let tail = &list[2 + 4 * 52..];
        // One bordered frame, the third: left, right, top, bottom.
        assert_eq!([0, 2, 4, 6, 8, 10].map(|at| u16_at(tail, at)), [1, 2, 5, 3, 2, 4]);
        let own = game.frames[2].nine_slice.unwrap();
        let inside = [own.left, own.right, own.top, own.bottom].map(i32::from);
        let rows = [stored_y(12) - stored_y(10), stored_y(20) - stored_y(16)];
        assert_eq!(inside, [stored_x(5), stored_x(15) - stored_x(12), rows[0], rows[1]]);

        let key = file.chunks[2].1;
        assert_eq!(key[..4], [1, 255, 0, 255]);
        let count = u32_at(key, 4) as usize;
        assert_eq!((count, key.len()), (2 * height as usize, 8 + 2 * count), "every row is one run");
        let spans: Vec<i16> = (0..count).map(|at| u16_at(key, 8 + 2 * at) as i16).collect();
        assert_eq!(game.chroma_key.as_ref().unwrap().spans, spans);
        // Drawn with the spans is drawn with the comparison: magenta is 31, 0, 31.
        for (row, span) in file.pixels.chunks(2 * width as usize).zip(spans.chunks(2)) {
            for (x, pixel) in (0..).zip(row.chunks(2)) {
                assert_eq!((span[0]..span[1]).contains(&x), u16_at(pixel, 0) != 0xf81f);
            }
        }
        if is_smaller {
            let image = file.chunks[3].1;
            assert_eq!((u32_at(image, 0), u32_at(image, 4), image.len()), (30, 20, 8));
        }
        assert_eq!(game.image_size.is_some(), is_smaller);
    }
}
