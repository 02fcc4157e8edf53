//! Reading what a sidecar says about frames. It never fails: what cannot be understood becomes a fault, and the
//! rest is used.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::read_recipe::read_recipe;
use super::{
    Cut, Dialect, Fault, GuidField, MAX_ID, Mode, Reading, Sidecar, StoredFrame, StoredGrid, StoredSlicing,
    id_of, id_of_key, known_mode, present, shown, size_of,
};
use crate::format::json::Json;
use crate::geometry::PixelRect;
use crate::guid::Guid;
use crate::model::Code;

/// How many repeated keys are named before it is said that there are more.
const MOST_REPEATED: usize = 8;

/// Where the kinds of problems stand that are not to be told.
pub(super) const IGNORED: &str = "ignoredProblems";

/// The kinds of problems in a list of their texts, in the order of these; `None` when it is no list.
pub(super) fn ignored_of(value: &Json) -> Option<Vec<Code>> {
    let mut codes: Vec<_> = value.as_array()?.iter().filter_map(ignorable).collect();
    codes.sort_by_key(|code| code.as_str());
    codes.dedup();
    Some(codes)
}

/// The kind of problems that a text names, if that is one which can be ignored.
pub(super) fn ignorable(value: &Json) -> Option<Code> {
    Code::of_text(value.as_str()?).filter(|code| code.can_be_ignored())
}

/// Collects faults while values are taken.
#[derive(Default)]
pub(in crate::format) struct Faults(pub(in crate::format) Vec<Fault>);

impl Faults {
    pub(super) fn add(&mut self, code: Code, text: impl Into<String>) {
        self.0.push(Fault { code, text: text.into(), frame: None });
    }

    fn at_frame(&mut self, code: Code, frame: usize, text: impl Into<String>) {
        self.0.push(Fault { code, text: text.into(), frame: Some(frame) });
    }

    /// A setting whose value is not used.
    pub(in crate::format) fn setting(&mut self, path: &str, value: &Json, wanted: &str) {
        let found = shown(value);
        self.add(Code::SettingInvalid, format!("{path} is {found} and not used: {wanted} is expected"));
    }
}

impl Sidecar {
    /// What the sidecar says, with every fault found on the way.
    pub fn read(&self) -> Reading {
        let mut faults = Faults::default();
        self.check_guid(&mut faults);
        check_repeated_keys(&self.root, &mut faults);
        if self.dialect() == Some(Dialect::SettingsSprite) && present(self.root.get("slicing")).is_some() {
            let text =
                "The sidecar has both settings.sprite and slicing: settings.sprite is used, slicing is kept";
            faults.add(Code::SidecarAmbiguous, text);
        }
        let slicing = self.read_slicing(&mut faults);
        let texture = self.read_texture(&mut faults);
        Reading { slicing, texture, faults: faults.0 }
    }

    fn check_guid(&self, faults: &mut Faults) {
        match self.guid() {
            GuidField::Valid(_) => {}
            GuidField::Missing => {
                faults.add(Code::GuidInvalid, "The sidecar has no GUID: give it a new one");
            }
            GuidField::Invalid { text } => {
                faults.add(
                    Code::GuidInvalid,
                    format!("The sidecar's GUID is {text}, which is none: give it a new one"),
                );
            }
        }
    }

    pub(super) fn read_slicing(&self, faults: &mut Faults) -> StoredSlicing {
        let settings = present(self.root.get("settings"));
        if let Some(settings) = settings.filter(|settings| settings.as_object().is_none()) {
            faults.add(Code::SlicingInvalid, format!("settings is {} instead of an object", settings.kind()));
            return StoredSlicing::default();
        }
        let path = self.slicing_path();
        match self.slicing() {
            None if self.dialect().is_none() => self.read_legacy(faults),
            None => StoredSlicing::default(),
            Some(slicing) if slicing.as_object().is_some() => Slicing { path, json: slicing }.read(faults),
            Some(other) => {
                faults.add(Code::SlicingInvalid, format!("{path} is {} instead of an object", other.kind()));
                StoredSlicing::default()
            }
        }
    }

    /// The form of old engine versions: a top-level `sprite` with the cell size alone.
    fn read_legacy(&self, faults: &mut Faults) -> StoredSlicing {
        match present(self.root.get("sprite")) {
            Some(sprite) if sprite.as_object().is_some() => {
                Slicing { path: "sprite", json: sprite }.read(faults)
            }
            _ => StoredSlicing::default(),
        }
    }
}

/// The object that holds the slicing.
struct Slicing<'a> {
    path: &'a str,
    json: &'a Json,
}

impl<'a> Slicing<'a> {
    fn get(&self, key: &str) -> Option<&'a Json> {
        present(self.json.get(key))
    }

    fn read(&self, faults: &mut Faults) -> StoredSlicing {
        let cut = match self.mode(faults) {
            Some(Mode::Grid) => self.grid(faults),
            Some(Mode::Atlas) => Cut::Atlas(self.atlas(faults)),
            None => Cut::None,
        };
        StoredSlicing {
            cut,
            next_frame_id: self.get("nextFrameId").and_then(|value| {
                let next = id_of(value);
                if next.is_none() {
                    faults.setting(&format!("{}.nextFrameId", self.path), value, "a frame id");
                }
                next
            }),
            image_size: self.get("imageSize").and_then(|value| {
                let size = size_of(value);
                if size.is_none() {
                    faults.setting(&format!("{}.imageSize", self.path), value, "[width, height]");
                }
                size
            }),
            recipe: self.get("recipe").and_then(|value| {
                read_recipe(value)
                    .map_err(|reason| {
                        let text = format!("{}.recipe is not used, the frames are: {reason}", self.path);
                        faults.add(Code::SettingInvalid, text);
                    })
                    .ok()
                    .flatten()
            }),
            ignored: self.ignored(faults),
        }
    }

    fn ignored(&self, faults: &mut Faults) -> Vec<Code> {
        let Some(value) = self.get(IGNORED) else { return Vec::new() };
        let codes = ignored_of(value);
        if codes.is_none() {
            faults.setting(&format!("{}.{IGNORED}", self.path), value, "a list of problem codes");
        }
        codes.unwrap_or_default()
    }

    /// The mode; `None` when the image is not cut or the mode is no known one.
    fn mode(&self, faults: &mut Faults) -> Option<Mode> {
        let path = self.path;
        let Some(value) = self.get("mode") else {
            let has_cell = self.get("frameWidth").is_some() || self.get("frameHeight").is_some();
            if !has_cell && self.get("frames").is_some() {
                let text = format!("{path}.mode is missing: the listed frames are used");
                faults.add(Code::SettingInvalid, text);
                return Some(Mode::Atlas);
            }
            return has_cell.then_some(Mode::Grid);
        };
        let mode = known_mode(value);
        match mode {
            None => {
                let text = format!("{path}.mode is {}: only \"grid\" and \"atlas\" are known", shown(value));
                faults.add(Code::SlicingInvalid, text);
            }
            Some(mode) if value.as_str() != Some(mode.as_str()) => {
                let text = format!("{path}.mode is {}: \"{}\" is meant", shown(value), mode.as_str());
                faults.add(Code::SettingInvalid, text);
            }
            Some(_) => {}
        }
        mode
    }

    fn grid(&self, faults: &mut Faults) -> Cut {
        let sides = ["frameWidth", "frameHeight"].map(|key| self.cell_side(key, faults));
        let [Some(frame_width), Some(frame_height)] = sides else { return Cut::None };
        let path = self.path;
        if frame_width == 0 && frame_height == 0 {
            let text = format!("{path} is a grid without a cell size: set frameWidth and frameHeight");
            faults.add(Code::SlicingInvalid, text);
            return Cut::None;
        }
        for (key, side) in [("frameWidth", frame_width), ("frameHeight", frame_height)] {
            if side == 0 && self.get(key).is_some() {
                let text = format!("{path}.{key} is 0: cells take the whole image on that side");
                faults.add(Code::SettingInvalid, text);
            }
        }
        Cut::Grid(StoredGrid {
            frame_width,
            frame_height,
            ids: self.grid_ids(faults),
            names: self.by_id("frameNames", "a text", faults, |value| value.as_str().map(Arc::from)),
            guids: self.by_id("frameGuids", "a GUID", faults, guid_of),
        })
    }

    /// A cell's width or height; 0 when absent, `None` with a fault when it is no size.
    fn cell_side(&self, key: &str, faults: &mut Faults) -> Option<u32> {
        let Some(value) = self.get(key) else { return Some(0) };
        let side = value.as_i64().and_then(|side| i32::try_from(side).ok());
        let side = side.and_then(|side| u32::try_from(side).ok());
        if side.is_none() {
            let text =
                format!("{}.{key} is {}: a whole number of pixels is expected", self.path, shown(value));
            faults.add(Code::SlicingInvalid, text);
        }
        side
    }

    fn grid_ids(&self, faults: &mut Faults) -> Vec<Option<u32>> {
        let Some(value) = self.get("frameIds") else { return Vec::new() };
        let Some(entries) = value.as_array() else {
            faults.setting(&format!("{}.frameIds", self.path), value, "a list");
            return Vec::new();
        };
        entries
            .iter()
            .enumerate()
            .map(|(index, entry)| {
                let id = id_of(entry);
                if id.is_none() {
                    let text = format!("The frame's id is {}: its position is used", shown(entry));
                    faults.at_frame(Code::SettingInvalid, index, text);
                }
                id
            })
            .collect()
    }

    /// An object whose keys are frame ids, in the order of the ids.
    fn by_id<T>(
        &self,
        key: &str,
        wanted: &str,
        faults: &mut Faults,
        take: impl Fn(&Json) -> Option<T>,
    ) -> Vec<(u32, T)> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let path = format!("{}.{key}", self.path);
        read_by_id(&path, value, wanted, faults, take).into_iter().collect()
    }

    fn atlas(&self, faults: &mut Faults) -> Vec<StoredFrame> {
        let path = self.path;
        let Some(value) = self.get("frames") else {
            faults.add(
                Code::SettingInvalid,
                format!("{path}.mode is \"atlas\" but there is no list of frames"),
            );
            return Vec::new();
        };
        let Some(entries) = value.as_array() else {
            faults.add(Code::SlicingInvalid, format!("{path}.frames is {} instead of a list", value.kind()));
            return Vec::new();
        };
        let ids = entry_ids(entries);
        let frames = entries.iter().zip(ids).enumerate();
        frames.map(|(index, (entry, id))| frame(index, entry, id, faults)).collect()
    }
}

/// The ids of a frame list: what an entry says, else its position. An entry that is no rectangle leaves its
/// position to a frame that needs it and takes an id that no other has.
pub(super) fn entry_ids(entries: &[Json]) -> Vec<u32> {
    let said: Vec<_> = entries.iter().map(|entry| entry.get("id").and_then(id_of)).collect();
    let can_yield = |index: usize| said[index].is_none() && rect_of(&entries[index]).is_err();
    let position = |index: usize| index as u32;
    let own = |index: usize| said[index].unwrap_or_else(|| position(index));
    let mut taken: HashSet<u32> = (0..entries.len()).filter(|index| !can_yield(*index)).map(own).collect();
    let mut next = taken.iter().map(|id| id + 1).max().unwrap_or(0).max(entries.len() as u32);
    (0..entries.len())
        .map(|index| {
            if !can_yield(index) || taken.insert(position(index)) {
                return own(index);
            }
            next += 1;
            next - 1
        })
        .collect()
}

/// The rectangle of an entry, or what it lacks.
pub(super) fn rect_of(entry: &Json) -> Result<PixelRect, String> {
    if entry.as_object().is_none() {
        return Err(format!("the entry is {} instead of an object", entry.kind()));
    }
    let side = |key: &str| {
        let value = entry.get(key).ok_or_else(|| format!("{key} is missing"))?;
        let whole = value.as_i64().and_then(|number| i32::try_from(number).ok());
        whole.ok_or_else(|| format!("{key} is {}, not a whole number of 32 bits", shown(value)))
    };
    Ok(PixelRect::new(side("x")?, side("y")?, side("width")?, side("height")?))
}

pub(super) fn guid_of(value: &Json) -> Option<Guid> {
    value.as_str()?.parse().ok()
}

fn frame(index: usize, entry: &Json, id: u32, faults: &mut Faults) -> StoredFrame {
    let rect = rect_of(entry)
        .map_err(|reason| {
            let text = format!("The frame cannot be read: {reason}. Its entry is kept as it is");
            faults.at_frame(Code::FrameInvalid, index, text);
        })
        .ok();
    let mut ignored = |key: &str, value: &Json, wanted: &str| {
        let text = format!("The frame's {key} is {} and not used: {wanted} is expected", shown(value));
        faults.at_frame(Code::SettingInvalid, index, text);
    };
    if let Some(value) = present(entry.get("id")).filter(|value| id_of(value).is_none()) {
        ignored("id", value, &format!("a whole number up to {MAX_ID}"));
    }
    let name = present(entry.get("name"));
    if let Some(value) = name.filter(|value| value.as_str().is_none()) {
        ignored("name", value, "a text");
    }
    let guid = present(entry.get("guid"));
    if let Some(value) = guid.filter(|value| guid_of(value).is_none()) {
        ignored("guid", value, "a GUID");
    }
    let name = name.and_then(Json::as_str).unwrap_or_default().into();
    StoredFrame { id, rect, name, guid: guid.and_then(guid_of) }
}

/// Takes an object whose keys are frame ids. Keys and values of another kind are reported and passed over.
pub(super) fn read_by_id<T>(
    path: &str,
    value: &Json,
    wanted: &str,
    faults: &mut Faults,
    take: impl Fn(&Json) -> Option<T>,
) -> BTreeMap<u32, T> {
    let Some(entries) = value.as_object() else {
        faults.setting(path, value, "an object with frame ids as keys");
        return BTreeMap::new();
    };
    let mut taken = BTreeMap::new();
    for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
        let Some(id) = id_of_key(key) else {
            let key = shown(&Json::from(key.as_str()));
            faults.add(Code::SettingInvalid, format!("{path} has the key {key}, which is no frame id"));
            continue;
        };
        match take(value) {
            Some(value) => {
                taken.insert(id, value);
            }
            None => faults.setting(&format!("{path}.{id}"), value, wanted),
        }
    }
    taken
}

/// Reports every object that has a key more than once.
fn check_repeated_keys(root: &Json, faults: &mut Faults) {
    let mut repeated = Vec::new();
    collect_repeated(root, "", &mut repeated);
    let more = if repeated.len() > MOST_REPEATED { ", and more" } else { "" };
    repeated.truncate(MOST_REPEATED);
    if !repeated.is_empty() {
        let keys = repeated.join(", ");
        let text = format!("Keys that stand more than once, the last is used and all are kept: {keys}{more}");
        faults.add(Code::SidecarAmbiguous, text);
    }
}

fn collect_repeated(json: &Json, path: &str, repeated: &mut Vec<String>) {
    if repeated.len() > MOST_REPEATED {
        return;
    }
    let keys = json.duplicate_keys().into_iter();
    repeated.extend(keys.map(|key| format!("{path}{}", key.escape_debug())));
    match json {
        Json::Array(elements) => {
            for (index, element) in elements.iter().enumerate().filter(|(_, element)| has_inner(element)) {
                collect_repeated(element, &format!("{path}{index}."), repeated);
            }
        }
        Json::Object(entries) => {
            for (key, value) in entries.iter().filter(|(_, value)| has_inner(value)) {
                collect_repeated(value, &format!("{path}{}.", key.escape_debug()), repeated);
            }
        }
        _ => {}
    }
}

const fn has_inner(json: &Json) -> bool {
    matches!(json, Json::Array(_) | Json::Object(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;

    const GUID: &str = r#""guid": "0f8fad5b-d9cb-469f-a165-70867728950e""#;

    fn read(rest: &str) -> (StoredSlicing, Vec<Code>) {
        let file = Sidecar::parse(format!("{{{GUID}, {rest}}}").as_bytes()).unwrap();
        let reading = file.read();
        (reading.slicing, reading.faults.iter().map(|fault| fault.code).collect())
    }

    fn grid(frame_width: u32, frame_height: u32) -> Cut {
        Cut::Grid(StoredGrid { frame_width, frame_height, ..StoredGrid::default() })
    }

    #[test]
    fn both_dialects_and_the_old_form_are_read() {
        let cell = r#"{"frameWidth": 16, "frameHeight": 8}"#;
        for text in [
            format!(r#""slicing": {cell}"#),
            format!(r#""settings": {{"sprite": {cell}}}"#),
            format!(r#""sprite": {cell}"#),
            format!(r#""sprite": {{"frameWidth": 1}}, "slicing": {cell}"#),
        ] {
            let (slicing, faults) = read(&text);
            assert_eq!((slicing.cut, faults), (grid(16, 8), vec![]), "{text}");
        }
        let both = format!(r#""slicing": {{"frameWidth": 1}}, "settings": {{"sprite": {cell}}}"#);
        let (slicing, faults) = read(&both);
        assert_eq!((slicing.cut, faults), (grid(16, 8), vec![Code::SidecarAmbiguous]));
    }

    #[test]
    fn nothing_and_null_are_no_slicing_and_no_fault() {
        for text in [
            r#""settings": {}"#,
            r#""settings": null, "slicing": null"#,
            r#""settings": {"sprite": {}}"#,
            r#""slicing": {"mode": null, "nextFrameId": null, "recipe": null}"#,
        ] {
            assert_eq!(read(text), (StoredSlicing::default(), vec![]), "{text}");
        }
    }

    #[test]
    fn slicings_that_mean_nothing_are_errors_and_odd_ones_warnings() {
        for (text, cut, code) in [
            ("[]", Cut::None, Code::SlicingInvalid),
            (r#"{"mode": 1, "frameWidth": 8}"#, Cut::None, Code::SlicingInvalid),
            (r#"{"mode": "hexagonal"}"#, Cut::None, Code::SlicingInvalid),
            (r#"{"mode": "grid"}"#, Cut::None, Code::SlicingInvalid),
            (r#"{"frameWidth": 0, "frameHeight": 0}"#, Cut::None, Code::SlicingInvalid),
            (r#"{"frameWidth": -16, "frameHeight": 16}"#, Cut::None, Code::SlicingInvalid),
            (r#"{"frameWidth": 1099511627776, "frameHeight": 16}"#, Cut::None, Code::SlicingInvalid),
            (r#"{"mode": "atlas", "frames": {}}"#, Cut::Atlas(vec![]), Code::SlicingInvalid),
            (r#"{"mode": "atlas"}"#, Cut::Atlas(vec![]), Code::SettingInvalid),
            (r#"{"mode": "atlas", "frames": null}"#, Cut::Atlas(vec![]), Code::SettingInvalid),
            (r#"{"frames": []}"#, Cut::Atlas(vec![]), Code::SettingInvalid),
            (r#"{"mode": "Grid", "frameWidth": 8}"#, grid(8, 0), Code::SettingInvalid),
            (r#"{"frameWidth": 0, "frameHeight": 8}"#, grid(0, 8), Code::SettingInvalid),
            (r#"{"frameWidth": 8, "nextFrameId": -1}"#, grid(8, 0), Code::SettingInvalid),
            (r#"{"frameWidth": 8, "imageSize": [8]}"#, grid(8, 0), Code::SettingInvalid),
            (r#"{"frameWidth": 8, "recipe": 7}"#, grid(8, 0), Code::SettingInvalid),
            (r#"{"frameWidth": 8, "ignoredProblems": "all"}"#, grid(8, 0), Code::SettingInvalid),
            (r#"{"frameWidth": 8, "frameIds": 7}"#, grid(8, 0), Code::SettingInvalid),
            (r#"{"frameWidth": 8, "frameNames": {"x": "a"}}"#, grid(8, 0), Code::SettingInvalid),
            (r#"{"frameWidth": 8, "frameGuids": {"0": "a"}}"#, grid(8, 0), Code::SettingInvalid),
        ] {
            let (slicing, faults) = read(&format!(r#""slicing": {text}"#));
            assert_eq!((slicing.cut, faults), (cut, vec![code]), "{text}");
        }
    }

    #[test]
    fn everything_of_a_grid_is_read() {
        let (slicing, faults) = read(
            r#""slicing": {"mode": "grid", "frameWidth": 8, "frameHeight": 9, "frameIds": [4, "x", 0],
            "frameNames": {"4": "a"}, "frameGuids": {"0": "0F8FAD5B-D9CB-469F-A165-70867728950E"},
            "nextFrameId": 5, "imageSize": [24, 9],
            "ignoredProblems": ["frame-overlap", "later", 7, "unreadable", "frame-empty", "frame-overlap"]}"#,
        );
        let expected = StoredGrid {
            frame_width: 8,
            frame_height: 9,
            ids: vec![Some(4), None, Some(0)],
            names: vec![(4, "a".into())],
            guids: vec![(0, "0f8fad5b-d9cb-469f-a165-70867728950e".parse().unwrap())],
        };
        let expected = StoredSlicing {
            cut: Cut::Grid(expected),
            next_frame_id: Some(5),
            image_size: Some(Size::new(24, 9)),
            recipe: None,
            ignored: vec![Code::FrameEmpty, Code::FrameOverlap],
        };
        assert_eq!((slicing, faults), (expected, vec![Code::SettingInvalid]));
    }

    #[test]
    fn an_entry_says_what_it_lacks_and_the_next_ones_are_read() {
        let file = r#"{"slicing": {"mode": "atlas", "frames": [{"x": 0, "y": 0, "width": 16},
            {"x": "0", "y": 0, "width": 1, "height": 1}, null,
            {"x": 1, "y": 2, "width": 3, "height": 4, "name": "n", "id": 9}]}}"#;
        let reading = Sidecar::parse(file.as_bytes()).unwrap().read();
        let texts: Vec<_> = reading.faults[1..].iter().map(|fault| fault.text.as_str()).collect();
        assert!(texts[0].contains("height is missing"));
        assert!(texts[1].contains("x is \"0\", not a whole number"));
        assert!(texts[2].contains("null instead of an object"));
        let Cut::Atlas(frames) = reading.slicing.cut else { panic!("no atlas") };
        let last =
            StoredFrame { id: 9, rect: Some(PixelRect::new(1, 2, 3, 4)), name: "n".into(), guid: None };
        assert_eq!((frames.len(), &frames[3]), (4, &last));
    }

    #[test]
    fn repeated_keys_are_named_with_their_place() {
        let file = r#"{"guid": 1, "guid": 2, "slicing": {"frames": [{}, {"x": 1, "x": 2}]}}"#;
        let reading = Sidecar::parse(file.as_bytes()).unwrap().read();
        let fault = reading.faults.iter().find(|fault| fault.code == Code::SidecarAmbiguous).unwrap();
        assert!(fault.text.contains(": guid, slicing.frames.1.x"), "{}", fault.text);
    }
}
