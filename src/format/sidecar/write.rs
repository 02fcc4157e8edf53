//! Writing a slicing back into the tree. Only values that differ are touched, so that unknown keys, their order, the
//! spelling of numbers and GUIDs, and entries that cannot be read stay as they are.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::read::{Faults, IGNORED, entry_ids, guid_of, ignorable, ignored_of, rect_of};
use super::read_recipe::{LEFTOVERS, ORDERS, read_recipe, read_run};
use super::{
    Cut, Dialect, Mode, Sidecar, StoredFrame, StoredGrid, StoredSlicing, id_of, id_of_key, present, size_of,
};
use crate::format::json::Json;
use crate::geometry::PixelRect;
use crate::model::{Automatic, Code, Grids, Leftover, Merge, Order, Recipe, Run};
use crate::texture::rgb_text;

/// Keys that only a grid uses.
const GRID_KEYS: [&str; 5] = ["frameWidth", "frameHeight", "frameIds", "frameNames", "frameGuids"];

/// Keys of a frame's entry that we write.
const ENTRY_KEYS: [&str; 7] = ["x", "y", "width", "height", "name", "id", "guid"];

impl Sidecar {
    /// Stores a slicing where the sidecar has its slicing, or at the top level. `next_frame_id` and the ids of a
    /// grid are there exactly when the ids are not the positions. A recipe of another kind stays while the
    /// rectangles do. Does nothing while [`Sidecar::can_save`] refuses.
    pub fn write_slicing(&mut self, new: &StoredSlicing) {
        if self.can_save().is_err() {
            return;
        }
        let old = self.read_slicing(&mut Faults::default());
        let says_nothing = new.cut == Cut::None && new.next_frame_id.is_none() && new.ignored.is_empty();
        if says_nothing && old.cut == Cut::None && self.slicing().is_none() {
            return;
        }
        let Some(place) = self.slicing_mut() else { return };
        match &new.cut {
            Cut::None => {
                for key in GRID_KEYS.into_iter().chain(["mode", "frames"]) {
                    place.remove(key);
                }
            }
            Cut::Grid(grid) => write_grid(place, grid, &old, new),
            Cut::Atlas(frames) => write_atlas(place, frames, &old, new.next_frame_id.is_some()),
        }
        write_next_frame_id(place, new);
        match new.image_size {
            None => drop(place.remove("imageSize")),
            Some(size) if place.get("imageSize").and_then(size_of) == Some(size) => {}
            Some(size) => place.set("imageSize", Json::Array(vec![size.width.into(), size.height.into()])),
        }
        write_recipe(place, new, rects(&old.cut) == rects(&new.cut));
        write_ignored(place, &new.ignored);
    }

    /// Whether the entries of the frame list hold keys of other tools, which a grid has no room for.
    pub fn has_unknown_frame_keys(&self) -> bool {
        let frames = self.slicing().and_then(|slicing| slicing.get("frames")).and_then(Json::as_array);
        let mut keys = frames.unwrap_or_default().iter().filter_map(Json::as_object).flatten();
        keys.any(|(key, _)| !ENTRY_KEYS.contains(&key.as_str()))
    }

    fn slicing_mut(&mut self) -> Option<&mut Json> {
        match self.dialect().unwrap_or(Dialect::Slicing) {
            Dialect::Slicing => object_at(&mut self.root, "slicing"),
            Dialect::SettingsSprite => object_at(object_at(&mut self.root, "settings")?, "sprite"),
        }
    }
}

/// The object at `key`, made where there is none.
pub(in crate::format) fn object_at<'a>(parent: &'a mut Json, key: &str) -> Option<&'a mut Json> {
    if parent.get(key).and_then(Json::as_object).is_none() {
        parent.set(key, Json::object());
    }
    parent.get_mut(key)
}

fn rects(cut: &Cut) -> Option<Vec<Option<PixelRect>>> {
    match cut {
        Cut::Atlas(frames) => Some(frames.iter().map(|frame| frame.rect).collect()),
        Cut::None | Cut::Grid(_) => None,
    }
}

fn write_mode(place: &mut Json, mode: Mode) {
    if place.get("mode").and_then(Json::as_str) != Some(mode.as_str()) {
        place.set("mode", mode.as_str().into());
    }
}

fn write_grid(place: &mut Json, grid: &StoredGrid, old: &StoredSlicing, new: &StoredSlicing) {
    write_mode(place, Mode::Grid);
    if matches!(old.cut, Cut::Atlas(_)) {
        place.remove("frames");
    }
    let old = match &old.cut {
        Cut::Grid(old) => old,
        Cut::None | Cut::Atlas(_) => &StoredGrid::default(),
    };
    let image = new.image_size.unwrap_or_default();
    for (key, old_side, side, whole) in [
        ("frameWidth", old.frame_width, grid.frame_width, image.width),
        ("frameHeight", old.frame_height, grid.frame_height, image.height),
    ] {
        let is_whole_already = old != &StoredGrid::default() && old_side == 0 && side == whole;
        if old_side != side && !is_whole_already {
            place.set(key, side.into());
        }
    }
    if grid.ids != old.ids {
        let ids = grid.ids.iter().map(|id| id.map_or(Json::Null, Json::from)).collect();
        set_or_remove(place, "frameIds", (!grid.ids.is_empty()).then_some(Json::Array(ids)));
    }
    let names = grid.names.iter().map(|(id, name)| (*id, name.to_string())).collect();
    write_by_id(
        place,
        "frameNames",
        &names,
        |value| value.as_str().map(str::to_owned),
        |name, _| name.as_str().into(),
    );
    let guids = grid.guids.iter().copied().collect();
    write_by_id(place, "frameGuids", &guids, guid_of, |guid, _| guid.to_string().as_str().into());
}

fn write_atlas(place: &mut Json, frames: &[StoredFrame], old: &StoredSlicing, with_ids: bool) {
    write_mode(place, Mode::Atlas);
    if matches!(old.cut, Cut::Grid(_)) {
        for key in GRID_KEYS {
            place.remove(key);
        }
    }
    let mut old_entries: HashMap<u32, VecDeque<Json>> = HashMap::new();
    if let Some(Json::Array(entries)) = place.get_mut("frames").map(std::mem::take) {
        let ids = entry_ids(&entries);
        for (id, entry) in ids.into_iter().zip(entries) {
            old_entries.entry(id).or_default().push_back(entry);
        }
    }
    let entries = frames.iter().zip(0..).map(|(frame, position)| {
        let old = old_entries.get_mut(&frame.id).and_then(VecDeque::pop_front);
        let mut entry = old.unwrap_or_else(Json::object);
        if frame.rect.is_some() && entry.as_object().is_none() {
            entry = Json::object();
        }
        write_entry(&mut entry, frame, position, with_ids);
        entry
    });
    let entries = Json::Array(entries.collect());
    place.set("frames", entries);
}

fn write_entry(entry: &mut Json, frame: &StoredFrame, position: u32, with_id: bool) {
    let StoredFrame { id, rect, name, guid } = frame;
    if let Some(PixelRect { x, y, width, height }) = *rect
        && rect_of(entry).ok() != *rect
    {
        for (key, side) in [("x", x), ("y", y), ("width", width), ("height", height)] {
            if entry.get(key).and_then(Json::as_i64) != Some(side.into()) {
                entry.set(key, side.into());
            }
        }
    }
    let old_name = entry.get("name").and_then(Json::as_str).unwrap_or_default();
    if old_name != &**name {
        set_or_remove(entry, "name", (!name.is_empty()).then(|| (&**name).into()));
    }
    let old_id = entry.get("id").and_then(id_of);
    if with_id && old_id != Some(*id) {
        entry.set("id", (*id).into());
    } else if !with_id && old_id.is_some_and(|id| id != position) {
        entry.remove("id");
    }
    if entry.get("guid").and_then(guid_of) != *guid {
        set_or_remove(entry, "guid", guid.map(|guid| guid.to_string().as_str().into()));
    }
}

fn write_next_frame_id(place: &mut Json, new: &StoredSlicing) {
    let old = place.get("nextFrameId").and_then(id_of);
    if old != new.next_frame_id {
        set_or_remove(place, "nextFrameId", new.next_frame_id.map(Json::from));
    }
}

/// What names no kind of problems that can be ignored stays, behind those that do.
fn write_ignored(place: &mut Json, ignored: &[Code]) {
    let old = present(place.get(IGNORED));
    if old.and_then(ignored_of).unwrap_or_default() == ignored {
        return;
    }
    let others = old.and_then(Json::as_array).unwrap_or_default();
    let others: Vec<_> = others.iter().filter(|value| ignorable(value).is_none()).cloned().collect();
    let list: Vec<_> = ignored.iter().map(|code| code.as_str().into()).chain(others).collect();
    set_or_remove(place, IGNORED, (!list.is_empty()).then_some(Json::Array(list)));
}

fn write_recipe(place: &mut Json, new: &StoredSlicing, are_rects_unchanged: bool) {
    let old = place.get("recipe").map(read_recipe);
    let known = match &old {
        Some(Ok(Some(recipe))) => Some(recipe),
        _ => None,
    };
    match &new.recipe {
        Some(recipe) if known == Some(recipe) => {}
        Some(recipe) => {
            if let Some(object) = object_at(place, "recipe") {
                match recipe {
                    Recipe::Grids(grids) => write_runs(object, grids),
                    Recipe::Automatic(automatic) => write_automatic(object, automatic),
                }
            }
        }
        None if known.is_none() && are_rects_unchanged => {}
        None => drop(place.remove("recipe")),
    }
}

/// Writes the rules that do not say their default.
fn write_automatic(object: &mut Json, automatic: &Automatic) {
    object.remove("runs");
    object.remove("leftover");
    let Some(rules) = object_at(object, "automatic") else { return };
    let default = Automatic::default();
    let Automatic { alpha_threshold, min_area, merge, background, tolerance } = automatic;
    let threshold =
        (*alpha_threshold != default.alpha_threshold).then(|| Json::from(u32::from(*alpha_threshold)));
    set_or_remove(rules, "alphaThreshold", threshold);
    set_or_remove(rules, "minArea", (*min_area != default.min_area).then(|| Json::from(*min_area)));
    let merge = match merge {
        Merge::Overlap => None,
        Merge::None => Some("none".into()),
        Merge::Gap(pixels) => Some(Json::from(*pixels)),
    };
    set_or_remove(rules, "merge", merge);
    let colours = background.iter().map(|colour| rgb_text(*colour).as_str().into());
    set_or_remove(rules, "background", (!background.is_empty()).then(|| Json::Array(colours.collect())));
    let tolerance = (*tolerance != default.tolerance).then(|| Json::from(u32::from(*tolerance)));
    set_or_remove(rules, "tolerance", tolerance);
}

fn write_runs(object: &mut Json, grids: &Grids) {
    object.remove("automatic");
    let mut old = match object.get_mut("runs").map(std::mem::take) {
        Some(Json::Array(runs)) => runs.into_iter(),
        _ => Vec::new().into_iter(),
    };
    let runs = grids.runs.iter().map(|run| {
        let mut json = old.next().filter(|json| json.as_object().is_some()).unwrap_or_else(Json::object);
        if read_run(&json).as_ref() != Ok(run) {
            write_run(&mut json, run);
        }
        json
    });
    let runs = Json::Array(runs.collect());
    object.set("runs", runs);
    let leftover = (grids.leftover != Leftover::default()).then(|| word(grids.leftover, &LEFTOVERS));
    set_or_remove(object, "leftover", leftover);
}

/// Writes the keys of a run that do not say their default.
fn write_run(json: &mut Json, run: &Run) {
    let Run { name, cell, offset, spacing, columns, rows, order, start, count, skip_empty } = run;
    let pair = |x: i64, y: i64| Json::Array(vec![x.into(), y.into()]);
    let distance = |x: i32, y: i32| ((x, y) != (0, 0)).then(|| pair(x.into(), y.into()));
    set_or_remove(json, "name", (!name.is_empty()).then(|| name.as_str().into()));
    json.set("cell", pair(cell.width.into(), cell.height.into()));
    set_or_remove(json, "offset", distance(offset.x, offset.y));
    set_or_remove(json, "spacing", distance(spacing.x, spacing.y));
    set_or_remove(json, "columns", columns.map(Json::from));
    set_or_remove(json, "rows", rows.map(Json::from));
    set_or_remove(json, "order", (*order != Order::default()).then(|| word(*order, &ORDERS)));
    set_or_remove(json, "start", (*start != 0).then(|| (*start).into()));
    set_or_remove(json, "count", count.map(Json::from));
    set_or_remove(json, "skipEmpty", skip_empty.map(|alpha| u32::from(alpha).into()));
}

/// The stored word for a value; every value has one in its table.
pub(in crate::format) fn word<T: PartialEq + Copy>(value: T, words: &[(&str, T)]) -> Json {
    words.iter().find(|(_, meaning)| *meaning == value).map_or(Json::Null, |(word, _)| (*word).into())
}

pub(super) fn set_or_remove(object: &mut Json, key: &str, value: Option<Json>) {
    match value {
        Some(value) => object.set(key, value),
        None => drop(object.remove(key)),
    }
}

/// Brings an object with frame ids as keys to `values`. Entries that say the same already, that `take` cannot read,
/// or whose key is no id stay as they are; an object without entries goes.
pub(super) fn write_by_id<T: PartialEq>(
    parent: &mut Json,
    key: &str,
    values: &BTreeMap<u32, T>,
    take: impl Fn(&Json) -> Option<T>,
    put: impl Fn(&T, Option<&Json>) -> Json,
) {
    if values.is_empty() && present(parent.get(key)).is_none_or(|old| old.as_object().is_none()) {
        return;
    }
    let Some(Json::Object(entries)) = object_at(parent, key) else { return };
    let mut missing: BTreeMap<u32, &T> = values.iter().map(|(id, value)| (*id, value)).collect();
    let mut occurrences: HashMap<u32, (usize, usize)> = HashMap::new();
    for id in entries.iter().filter_map(|(key, _)| id_of_key(key)) {
        let (all, left) = occurrences.entry(id).or_default();
        *all += 1;
        *left += 1;
    }
    entries.retain_mut(|(key, entry)| {
        let Some(id) = id_of_key(key) else { return true };
        let Some((all, left)) = occurrences.get_mut(&id) else { return true };
        *left -= 1;
        // Of a repeated key only the last counts, see `Json::remove`.
        if *left > 0 {
            return true;
        }
        let old = take(entry);
        match missing.remove(&id) {
            Some(value) if old.as_ref() == Some(value) => true,
            Some(value) => {
                *entry = put(value, Some(entry));
                true
            }
            None if old.is_none() => true,
            None if *all > 1 => {
                *entry = Json::Null;
                true
            }
            None => false,
        }
    });
    entries.extend(missing.into_iter().map(|(id, value)| (id.to_string(), put(value, None))));
    if entries.is_empty() {
        parent.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;

    fn json(text: &str) -> Json {
        Json::parse(text.as_bytes()).unwrap()
    }

    fn written(text: &str, change: impl FnOnce(&mut StoredSlicing)) -> Json {
        let mut file = Sidecar::parse(text.as_bytes()).unwrap();
        let mut slicing = file.read().slicing;
        change(&mut slicing);
        file.write_slicing(&slicing);
        file.json().clone()
    }

    fn frames(slicing: &mut StoredSlicing) -> &mut Vec<StoredFrame> {
        match &mut slicing.cut {
            Cut::Atlas(frames) => frames,
            other => panic!("{other:?} is no atlas"),
        }
    }

    const ATLAS: &str = r#"{"settings": {"sprite": {"mode": "atlas", "zoom": 1.50, "frames": [
        {"x": 0, "y": 0, "pivot": [0.5, 1], "width": 16, "height": 16, "name": "a"}, 7,
        {"x": 0, "y": 0, "width": 16.0, "height": 16},
        {"height": 16, "x": 32, "y": 0, "width": 16, "tag": null}], "later": {}}}, "b": 2}"#;

    #[test]
    fn an_unchanged_slicing_changes_nothing() {
        assert_eq!(written(ATLAS, |_| {}), json(ATLAS));
    }

    #[test]
    fn a_changed_frame_keeps_unknown_keys_and_unreadable_neighbours() {
        let changed = written(ATLAS, |slicing| {
            frames(slicing)[0].rect = Some(PixelRect::new(1, 0, 15, 16));
            frames(slicing)[3].name = "d".into();
        });
        let expected = ATLAS
            .replacen("\"x\": 0", "\"x\": 1", 1)
            .replacen("\"width\": 16,", "\"width\": 15,", 1)
            .replace("\"tag\": null", "\"tag\": null, \"name\": \"d\"");
        assert_eq!(changed, json(&expected));
    }

    #[test]
    fn ignored_kinds_are_written_in_order_and_texts_of_others_survive() {
        let old = r#"{"slicing": {"mode": "grid", "frameWidth": 8, "ignoredProblems": ["later", "frame-overlap", "unreadable", 7]}}"#;
        assert_eq!(written(old, |slicing| slicing.image_size = None), json(old));
        let more = written(old, |slicing| slicing.ignored = vec![Code::FrameEmpty, Code::FrameOverlap]);
        let list = r#"["frame-empty", "frame-overlap", "later", "unreadable", 7]"#;
        assert_eq!(more.get("slicing").unwrap().get(IGNORED), Some(&json(list)));
        let none = written(old, |slicing| slicing.ignored.clear());
        assert_eq!(none.get("slicing").unwrap().get(IGNORED), Some(&json(r#"["later", "unreadable", 7]"#)));
        let fresh = written("{}", |slicing| slicing.ignored = vec![Code::FrameEmpty]);
        assert_eq!(fresh, json(r#"{"slicing": {"ignoredProblems": ["frame-empty"]}}"#));
        let sprite = written(ATLAS, |slicing| slicing.ignored = vec![Code::FrameEmpty]);
        let place = sprite.get("settings").unwrap().get("sprite").unwrap();
        assert_eq!(place.get(IGNORED), Some(&json(r#"["frame-empty"]"#)));
    }

    #[test]
    fn moved_frames_take_their_unknown_keys_with_them_by_id() {
        let moved = written(ATLAS, |slicing| {
            frames(slicing).swap(0, 3);
            frames(slicing).truncate(3);
            slicing.next_frame_id = Some(4);
        });
        let expected = r#"{"settings": {"sprite": {"mode": "atlas", "zoom": 1.50, "frames": [
            {"height": 16, "x": 32, "y": 0, "width": 16, "tag": null, "id": 3}, 7,
            {"x": 0, "y": 0, "width": 16.0, "height": 16, "id": 2}], "later": {}, "nextFrameId": 4}}, "b": 2}"#;
        assert_eq!(moved, json(expected));
    }

    #[test]
    fn a_grid_that_becomes_an_atlas_leaves_no_grid_keys_behind() {
        let grid = r#"{"slicing": {"mode": "grid", "frameWidth": 8, "frameHeight": 8, "frameNames": {"0": "a"}, "z": 0}}"#;
        let atlas = written(grid, |slicing| {
            let rect = Some(PixelRect::new(0, 0, 8, 8));
            slicing.cut = Cut::Atlas(vec![StoredFrame { id: 0, rect, name: "a".into(), guid: None }]);
            slicing.image_size = Some(Size::new(16, 8));
        });
        let expected = r#"{"slicing": {"mode": "atlas", "z": 0,
            "frames": [{"x": 0, "y": 0, "width": 8, "height": 8, "name": "a"}], "imageSize": [16, 8]}}"#;
        assert_eq!(atlas, json(expected));
    }

    #[test]
    fn repeated_keys_are_not_lost() {
        let text = r#"{"slicing": {"frameWidth": 1, "frameWidth": 8, "frameHeight": 8, "frameNames": {"0": "a", "0": "b"}}}"#;
        let changed = written(text, |slicing| {
            slicing.cut = Cut::Grid(StoredGrid { frame_width: 4, frame_height: 8, ..StoredGrid::default() });
        });
        let expected = r#"{"slicing": {"frameWidth": 1, "frameWidth": 4, "frameHeight": 8,
            "frameNames": {"0": "a", "0": null}, "mode": "grid"}}"#;
        assert_eq!(changed, json(expected));
        let uncut = written(text, |slicing| *slicing = StoredSlicing::default());
        let expected = r#"{"slicing": {"frameWidth": 1, "frameWidth": null}}"#;
        assert_eq!(uncut, json(expected));
    }

    #[test]
    fn a_recipe_says_only_what_is_not_the_default_and_another_kind_stays_while_the_frames_do() {
        let other = r#"{"slicing": {"mode": "atlas", "frames": [{"x": 0, "y": 0, "width": 8, "height": 8}],
            "recipe": {"hexagons": {"side": 4}}}}"#;
        assert_eq!(written(other, |_| {}), json(other));
        let moved = written(other, |slicing| frames(slicing)[0].rect = Some(PixelRect::new(1, 0, 8, 8)));
        assert_eq!(moved.get("slicing").unwrap().get("recipe"), None);
        let run = Run { order: Order::Columns, start: 2, ..Run::of_cell(Size::new(8, 8)) };
        let runs = written(other, |slicing| slicing.recipe = Some(Recipe::grid(run)));
        let expected =
            r#"{"hexagons": {"side": 4}, "runs": [{"cell": [8, 8], "order": "columns", "start": 2}]}"#;
        assert_eq!(runs.get("slicing").unwrap().get("recipe"), Some(&json(expected)));
    }

    #[test]
    fn the_rules_of_detection_say_only_what_is_not_the_default() {
        let text = r#"{"slicing": {"mode": "atlas", "frames": [{"x": 0, "y": 0, "width": 8, "height": 8}],
            "recipe": {"automatic": {"minArea": 4, "ours": 1}}}}"#;
        assert_eq!(written(text, |_| {}), json(text));
        let rules = Automatic {
            alpha_threshold: 0,
            merge: Merge::Gap(2),
            background: vec![[255, 0, 255]],
            tolerance: 24,
            ..Automatic::default()
        };
        let changed = written(text, |slicing| slicing.recipe = Some(Recipe::Automatic(rules)));
        let expected = r##"{"automatic": {"ours": 1, "alphaThreshold": 0, "merge": 2, "background": ["#ff00ff"],
            "tolerance": 24}}"##;
        assert_eq!(changed.get("slicing").unwrap().get("recipe"), Some(&json(expected)));
        let moved = written(text, |slicing| slicing.recipe = None);
        assert_eq!(moved.get("slicing").unwrap().get("recipe"), None);
    }

    #[test]
    fn guids_stay_as_spelled_and_go_with_their_frame() {
        let upper = "0F8FAD5B-D9CB-469F-A165-70867728950E";
        let text = format!(
            r#"{{"slicing": {{"mode": "atlas", "frames": [
            {{"x": 0, "y": 0, "width": 8, "height": 8, "guid": "{upper}"}}]}}}}"#
        );
        let named = written(&text, |slicing| frames(slicing)[0].name = "a".into());
        let entry = &named.get("slicing").unwrap().get("frames").unwrap().as_array().unwrap()[0];
        assert_eq!(entry.get("guid").unwrap().as_str(), Some(upper));
        let ours = written(&text, |slicing| frames(slicing)[0].guid = None);
        let entry = &ours.get("slicing").unwrap().get("frames").unwrap().as_array().unwrap()[0];
        assert_eq!(entry.get("guid"), None);
    }

    #[test]
    fn new_sidecars_keep_the_slicing_at_the_top_level() {
        let grid = StoredGrid { frame_width: 8, frame_height: 8, ..StoredGrid::default() };
        let new = written("{}", |slicing| slicing.cut = Cut::Grid(grid));
        assert_eq!(new, json(r#"{"slicing": {"mode": "grid", "frameWidth": 8, "frameHeight": 8}}"#));
    }
}
