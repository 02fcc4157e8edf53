//! The stored recipe: the runs of cells, or the rules of detection, that gave the frames of a sheet.

use super::{present, shown};
use crate::format::json::Json;
use crate::geometry::{Offset, Size};
use crate::model::{Automatic, Grids, Leftover, Merge, Order, Recipe, Run};
use crate::texture::rgb_of;

/// The words for the orders, as they are stored.
pub(super) const ORDERS: [(&str, Order); 3] =
    [("rows", Order::Rows), ("columns", Order::Columns), ("serpentine", Order::Serpentine)];

/// The words for what happens to leftover pixels.
pub(super) const LEFTOVERS: [(&str, Leftover); 2] = [("drop", Leftover::Drop), ("clip", Leftover::Clip)];

/// Reads a recipe. `Ok(None)` is a recipe of another kind, which is kept but not read; the error says which value
/// is wrong, for the frames do not depend on it.
pub(super) fn read_recipe(json: &Json) -> Result<Option<Recipe>, String> {
    if json.as_object().is_none() {
        return Err(format!("it is {} instead of an object", json.kind()));
    }
    if let Some(automatic) = present(json.get("automatic")) {
        return read_automatic(automatic).map(|automatic| Some(Recipe::Automatic(automatic)));
    }
    let Some(runs) = present(json.get("runs")) else { return Ok(None) };
    let runs = runs.as_array().ok_or_else(|| format!("runs is {} instead of a list", runs.kind()))?;
    let runs = runs.iter().map(read_run).collect::<Result<_, _>>()?;
    let leftover = word(json, "leftover", &LEFTOVERS)?;
    Ok(Some(Recipe::Grids(Grids { runs, leftover })))
}

/// Reads the rules of detection. An absent key has its default.
fn read_automatic(json: &Json) -> Result<Automatic, String> {
    if json.as_object().is_none() {
        return Err(format!("automatic is {} instead of an object", json.kind()));
    }
    let default = Automatic::default();
    let background = match present(json.get("background")) {
        None => Vec::new(),
        Some(colours) => {
            let colours = colours.as_array().ok_or_else(|| wrong("background", colours))?;
            let one =
                |colour: &Json| colour.as_str().and_then(rgb_of).ok_or_else(|| wrong("background", colour));
            colours.iter().map(one).collect::<Result<_, _>>()?
        }
    };
    Ok(Automatic {
        alpha_threshold: number(json, "alphaThreshold")?.unwrap_or(default.alpha_threshold),
        min_area: number(json, "minArea")?.unwrap_or(default.min_area),
        merge: read_merge(json)?,
        background,
        tolerance: number(json, "tolerance")?.unwrap_or(default.tolerance),
    })
}

/// `"none"`, `"overlap"`, or the largest gap in pixels.
fn read_merge(json: &Json) -> Result<Merge, String> {
    let Some(value) = present(json.get("merge")) else { return Ok(Merge::default()) };
    match value.as_str() {
        Some("none") => Ok(Merge::None),
        Some("overlap") => Ok(Merge::Overlap),
        _ => {
            let gap = value.as_i64().and_then(|gap| u32::try_from(gap).ok());
            gap.map(Merge::Gap).ok_or_else(|| wrong("merge", value))
        }
    }
}

/// Reads one run. An absent key has its default.
pub(super) fn read_run(json: &Json) -> Result<Run, String> {
    if json.as_object().is_none() {
        return Err(format!("a run is {} instead of an object", json.kind()));
    }
    let name = match present(json.get("name")) {
        None => String::new(),
        Some(name) => name.as_str().ok_or_else(|| wrong("name", name))?.to_owned(),
    };
    let [width, height] = pair::<u32>(json, "cell")?.ok_or("a run has no cell")?;
    let offset = pair(json, "offset")?.unwrap_or_default();
    let spacing = pair(json, "spacing")?.unwrap_or_default();
    Ok(Run {
        name,
        cell: Size::new(width, height),
        offset: Offset::new(offset[0], offset[1]),
        spacing: Offset::new(spacing[0], spacing[1]),
        columns: number(json, "columns")?,
        rows: number(json, "rows")?,
        order: word(json, "order", &ORDERS)?,
        start: number(json, "start")?.unwrap_or(0),
        count: number(json, "count")?,
        skip_empty: number(json, "skipEmpty")?,
    })
}

fn wrong(key: &str, value: &Json) -> String {
    format!("{key} is {}", shown(value))
}

fn number<T: TryFrom<i64>>(json: &Json, key: &str) -> Result<Option<T>, String> {
    let Some(value) = present(json.get(key)) else { return Ok(None) };
    let number = value.as_i64().and_then(|number| T::try_from(number).ok());
    number.map(Some).ok_or_else(|| wrong(key, value))
}

fn pair<T: TryFrom<i64> + Copy>(json: &Json, key: &str) -> Result<Option<[T; 2]>, String> {
    let Some(value) = present(json.get(key)) else { return Ok(None) };
    let one = |value: &Json| T::try_from(value.as_i64()?).ok();
    let pair = match value.as_array() {
        Some([x, y]) => one(x).zip(one(y)),
        _ => None,
    };
    pair.map(|(x, y)| Some([x, y])).ok_or_else(|| format!("{key} must be two whole numbers"))
}

fn word<T: Copy + Default>(json: &Json, key: &str, words: &[(&str, T)]) -> Result<T, String> {
    let Some(value) = present(json.get(key)) else { return Ok(T::default()) };
    let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
    found.map(|(_, meaning)| *meaning).ok_or_else(|| wrong(key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Recipe>, String> {
        read_recipe(&Json::parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn absent_keys_mean_their_defaults() {
        let run = Run::of_cell(Size::new(16, 8));
        assert_eq!(read(r#"{"runs": [{"cell": [16, 8]}]}"#), Ok(Some(Recipe::grid(run))));
    }

    #[test]
    fn every_key_of_a_run_is_read() {
        let text = r#"{"leftover": "clip", "runs": [{"name": "walk", "cell": [32, 16], "offset": [-1, 2],
            "spacing": [3, -4], "columns": 5, "rows": 6, "order": "serpentine", "start": 7, "count": 8,
            "skipEmpty": 9}]}"#;
        let run = Run {
            name: "walk".into(),
            cell: Size::new(32, 16),
            offset: Offset::new(-1, 2),
            spacing: Offset::new(3, -4),
            columns: Some(5),
            rows: Some(6),
            order: Order::Serpentine,
            start: 7,
            count: Some(8),
            skip_empty: Some(9),
        };
        assert_eq!(read(text), Ok(Some(Recipe::Grids(Grids { runs: vec![run], leftover: Leftover::Clip }))));
    }

    #[test]
    fn the_rules_of_detection_are_read_and_absent_ones_are_the_default() {
        let text = r##"{"automatic": {"alphaThreshold": 0, "minArea": 5, "merge": 3, "background": ["#FF00ff"],
            "tolerance": 24}}"##;
        let rules = Automatic {
            alpha_threshold: 0,
            min_area: 5,
            merge: Merge::Gap(3),
            background: vec![[255, 0, 255]],
            tolerance: 24,
        };
        assert_eq!(read(text), Ok(Some(Recipe::Automatic(rules))));
        assert_eq!(read(r#"{"automatic": {}}"#), Ok(Some(Recipe::Automatic(Automatic::default()))));
        let none = Automatic { merge: Merge::None, ..Automatic::default() };
        assert_eq!(read(r#"{"automatic": {"merge": "none"}}"#), Ok(Some(Recipe::Automatic(none))));
    }

    #[test]
    fn other_kinds_are_passed_over_and_wrong_values_named() {
        assert_eq!(read(r#"{"hexagons": {"side": 8}}"#), Ok(None));
        for (text, reason) in [
            ("[]", "it is a list"),
            (r#"{"runs": {}}"#, "runs is an object"),
            (r#"{"runs": [7]}"#, "a run is a number"),
            (r#"{"runs": [{}]}"#, "no cell"),
            (r#"{"runs": [{"cell": [16]}]}"#, "cell must be two whole numbers"),
            (r#"{"runs": [{"cell": [-1, 2]}]}"#, "cell must be two whole numbers"),
            (r#"{"runs": [{"cell": [1, 2], "order": "spiral"}]}"#, "order is \"spiral\""),
            (r#"{"runs": [{"cell": [1, 2], "skipEmpty": 256}]}"#, "skipEmpty is 256"),
            (r#"{"automatic": []}"#, "automatic is a list"),
            (r#"{"automatic": {"alphaThreshold": 256}}"#, "alphaThreshold is 256"),
            (r#"{"automatic": {"merge": "near"}}"#, "merge is \"near\""),
            (r#"{"automatic": {"merge": -1}}"#, "merge is -1"),
            (r##"{"automatic": {"background": ["#12345"]}}"##, "background is \"#12345\""),
            (r##"{"automatic": {"background": ["#+12345"]}}"##, "background is \"#+12345\""),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
