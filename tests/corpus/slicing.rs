//! Detection and guesses against the true frames of real sheets.

use std::path::Path;

use cutsheet::geometry::{Offset, PixelRect, Size};
use cutsheet::session::Study;
use serde_json::Value;

use crate::sheets::{manifest, rects_in};

/// The least overlap, as intersection over union, at which two rectangles are the same sprite.
const SAME: f64 = 0.9;

fn study(shared: &Path, entry: &Value) -> Study {
    Study::of_file(&shared.join("data/sheets").join(entry["file"].as_str().unwrap())).unwrap()
}

fn overlap(a: PixelRect, b: PixelRect) -> f64 {
    let area = |rect: PixelRect| f64::from(rect.width) * f64::from(rect.height);
    let common = a.intersection(b).map_or(0.0, area);
    common / (area(a) + area(b) - common)
}

/// The largest number of pairs in which each rectangle is used once.
fn matched(found: &[PixelRect], truth: &[PixelRect]) -> usize {
    fn place(from: usize, partners: &[Vec<usize>], taken: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        for &to in &partners[from] {
            if std::mem::replace(&mut seen[to], true) {
                continue;
            }
            let is_free = match taken[to] {
                None => true,
                Some(other) => place(other, partners, taken, seen),
            };
            if is_free {
                taken[to] = Some(from);
                return true;
            }
        }
        false
    }
    let partners: Vec<Vec<usize>> = found
        .iter()
        .map(|rect| (0..truth.len()).filter(|index| overlap(*rect, truth[*index]) >= SAME).collect())
        .collect();
    let mut taken = vec![None; truth.len()];
    (0..found.len()).filter(|from| place(*from, &partners, &mut taken, &mut vec![false; truth.len()])).count()
}

/// The harmonic mean of precision and recall, equal rectangles counting once.
fn f1(found: &[PixelRect], truth: &[PixelRect]) -> f64 {
    let distinct = |rects: &[PixelRect]| {
        let mut kept: Vec<PixelRect> = Vec::new();
        for rect in rects {
            if !kept.contains(rect) {
                kept.push(*rect);
            }
        }
        kept
    };
    let (found, truth) = (distinct(found), distinct(truth));
    2.0 * matched(&found, &truth) as f64 / (found.len() + truth.len()) as f64
}

#[test]
fn detection_finds_the_sprites_of_sheets_that_ink_can_tell_apart() {
    let Some(shared) = crate::common::shared() else { return };
    let sheets = manifest(&shared);
    let judged: Vec<_> = sheets.iter().filter(|entry| entry["autoslice"]["use"] == true).collect();
    assert!(judged.len() >= 25);
    let mut sum = 0.0;
    for entry in &judged {
        let score = f1(&study(&shared, entry).detected.rects(), &rects_in(entry, "tightFrames"));
        assert!(score > 0.9, "{}: {score}", entry["id"]);
        sum += score;
    }
    let mean = sum / judged.len() as f64;
    assert!(mean >= 0.99, "{mean}");
}

#[test]
fn the_right_grid_is_the_first_guess() {
    let Some(shared) = crate::common::shared() else { return };
    let sheets = manifest(&shared);
    let grids: Vec<_> = sheets.iter().filter(|entry| entry["kind"] == "grid").collect();
    assert!(grids.len() >= 25);
    let is_right = |entry: &Value| {
        let guesses = study(&shared, entry).guesses;
        let pair = |key: &str| {
            let pair = &entry[key];
            Offset::new(pair["x"].as_i64().unwrap() as i32, pair["y"].as_i64().unwrap() as i32)
        };
        let number = |key: &str| entry[key].as_u64().unwrap() as u32;
        let cell = Size::new(number("frameWidth"), number("frameHeight"));
        guesses.first().is_some_and(|guess| {
            let spacing_counts = |cells: u32, spacing: i32| if cells > 1 { spacing } else { 0 };
            let spacing = pair("spacing");
            guess.run.cell == cell
                && guess.run.offset == pair("margin")
                && spacing_counts(guess.columns, guess.run.spacing.x)
                    == spacing_counts(guess.columns, spacing.x)
                && spacing_counts(guess.rows, guess.run.spacing.y) == spacing_counts(guess.rows, spacing.y)
        })
    };
    let wrong: Vec<_> = grids.iter().filter(|entry| !is_right(entry)).map(|entry| &entry["id"]).collect();
    assert!(wrong.len() * 10 <= grids.len(), "{} of {}: {wrong:?}", wrong.len(), grids.len());
}

#[test]
fn an_opaque_sheet_tells_its_background() {
    let Some(shared) = crate::common::shared() else { return };
    let sheets = manifest(&shared);
    let magenta = sheets.iter().find(|entry| entry["file"].as_str().unwrap().ends_with("rgb8_magenta.png"));
    let study = study(&shared, magenta.unwrap());
    assert_eq!(study.rules.background, [[255, 0, 255]]);
    assert_eq!(study.detected.detection.sprites.len(), 7);
}
