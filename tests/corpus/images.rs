//! Image decoding over the corpus: the PNG conformance suite, damaged files, and real sheets of every kind.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use cutsheet::geometry::Size;
use cutsheet::pixels::{DecodeError, RowDecoder, decode_rgba, probe};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The longest that a damaged file may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The reference pixels of one picture, stored in seven files, follow neither rule for 16 bits.
const GRAY_16_GRADIENT: &str = "438b32851e176fd57ad5d9827acc97b9ccba0bdb57a9982d6f01627102fb2650";

fn manifest(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn size_of(entry: &Value) -> Size {
    let side = |key: &str| entry[key].as_u64().unwrap().try_into().unwrap();
    Size::new(side("width"), side("height"))
}

fn extension(file: &str) -> Option<&str> {
    Path::new(file).extension().and_then(|extension| extension.to_str())
}

/// Decodes all rows, 16 at a time, so that a valid picture of gigabytes needs no gigabytes.
fn decode_by_rows(bytes: &[u8], extension: Option<&str>) -> Result<Size, DecodeError> {
    let mut decoder = RowDecoder::open(bytes, extension)?;
    let size = decoder.size();
    let mut band = vec![0; size.width as usize * 4 * 16];
    let mut rows = 0;
    loop {
        match decoder.read_rows(&mut band)? {
            0 => break,
            read => rows += read,
        }
    }
    assert_eq!(rows as u64, u64::from(size.height));
    Ok(size)
}

fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// A 16-bit PNG as RGBA of every sample's upper byte.
fn upper_bytes(bytes: &[u8]) -> Vec<u8> {
    use png::{ColorType, Transformations};
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let color = reader.next_frame(&mut pixels).unwrap().color_type;
    let rgba = |pixel: &[u8]| match (color, pixel) {
        (ColorType::Grayscale, [v]) => [*v, *v, *v, 255],
        (ColorType::GrayscaleAlpha, [v, a]) => [*v, *v, *v, *a],
        (ColorType::Rgb, [r, g, b]) => [*r, *g, *b, 255],
        (_, [r, g, b, a]) => [*r, *g, *b, *a],
        _ => panic!("{color:?}"),
    };
    pixels.chunks(color.samples()).flat_map(rgba).collect()
}

#[test]
fn the_conformance_suite_decodes_to_its_reference_pixels_and_its_broken_files_do_not() {
    let Some(shared) = crate::common::shared() else { return };
    let folder = shared.join("data/pngsuite");
    let manifest = manifest(&folder.join("manifest.json"));
    let mut hashed = 0;
    for entry in manifest["images"].as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let bytes = fs::read(folder.join(file)).unwrap();
        if entry["valid"] == false {
            let error = decode_rgba(&bytes, Some("png")).expect_err(file);
            assert!(!error.to_string().is_empty());
            continue;
        }
        let info = probe(&bytes, Some("png")).unwrap();
        assert_eq!(u64::from(info.bit_depth), entry["bitDepth"].as_u64().unwrap(), "{file}");
        assert_eq!(info.interlaced, entry["interlaced"], "{file}");
        let (size, rgba) = decode_rgba(&bytes, Some("png")).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!((size, info.size), (size_of(entry), size), "{file}");
        let is_translucent = rgba.chunks(4).any(|pixel| pixel[3] < 255);
        assert!(info.may_have_alpha || !is_translucent, "{file}");
        if let Some(expected) = entry["rgba8Sha256"].as_str() {
            // The references drop the lower byte of 16 bits where we round: one step at most.
            let reference = if info.bit_depth == 16 { upper_bytes(&bytes) } else { rgba.clone() };
            assert!(expected == GRAY_16_GRADIENT || sha256(&reference) == expected, "{file}");
            assert!(rgba.iter().zip(&reference).all(|(ours, theirs)| ours.abs_diff(*theirs) <= 1), "{file}");
            hashed += 1;
        }
    }
    assert!(hashed > 150, "only {hashed} files have reference pixels");
}

#[test]
fn damaged_files_open_or_are_refused_as_listed_and_in_time() {
    let Some(shared) = crate::common::shared() else { return };
    let folder = shared.join("data/bad");
    let manifest = manifest(&folder.join("manifest.json"));
    let entries = manifest["cases"].as_array().unwrap().iter().filter(|entry| entry["kind"] == "png");
    let mut count = 0;
    for entry in entries {
        let file = entry["file"].as_str().unwrap();
        let bytes = fs::read(folder.join(file)).unwrap();
        let start = Instant::now();
        let result = decode_by_rows(&bytes, extension(file));
        assert!(start.elapsed() < PATIENCE, "{file} took {:?}", start.elapsed());
        match entry["expect"].as_str().unwrap() {
            "open" => assert!(result.is_ok(), "{file}: {result:?}"),
            "error" => assert!(result.is_err(), "{file} opened"),
            _ => {}
        }
        if let Err(error) = result {
            assert!(!error.to_string().is_empty(), "{file}");
        }
        count += 1;
    }
    assert!(count > 70, "only {count} files");
}

#[test]
fn every_sheet_of_the_corpus_decodes_to_its_size() {
    let Some(shared) = crate::common::shared() else { return };
    let folder = shared.join("data/sheets");
    let manifest = manifest(&folder.join("manifest.json"));
    for entry in manifest["sheets"].as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let bytes = fs::read(folder.join(file)).unwrap();
        let (size, rgba) =
            decode_rgba(&bytes, extension(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(size, size_of(entry), "{file}");
        assert_eq!(rgba.len() as u64, size.area() * 4, "{file}");
        let kind = probe(&bytes, extension(file)).unwrap().kind.name();
        assert!(kind.eq_ignore_ascii_case(entry["imageFormat"].as_str().unwrap()), "{file}");
    }
}
