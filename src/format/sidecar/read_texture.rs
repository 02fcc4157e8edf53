//! The texture settings of a sidecar: pixel format, Max Size, dithering, chroma key and nine-slice borders.
//! A value that is not understood is reported and its default used.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::read::{Faults, read_by_id};
use super::{Sidecar, present};
use crate::format::json::Json;
use crate::model::{FormatChoice, FrameId, TargetSettings, TextureSettings};
use crate::texture::{ChromaKey, Dithering, Insets};

/// The words for dithering, as they are stored.
pub(in crate::format) const DITHERINGS: [(&str, Dithering); 3] = [
    ("none", Dithering::None),
    ("ordered", Dithering::Ordered),
    ("floyd-steinberg", Dithering::FloydSteinberg),
];

/// The key of our own with what is other for targets.
pub(super) const TARGETS: &str = "cutsheetTargets";

impl Sidecar {
    pub(super) fn read_texture(&self, faults: &mut Faults) -> TextureSettings {
        let settings = present(self.root.get("settings"));
        let setting = |key: &str| settings.and_then(|settings| present(settings.get(key)));
        let texture = setting("texture");
        if let Some(texture) = texture.filter(|texture| texture.as_object().is_none()) {
            faults.setting("settings.texture", texture, "an object");
        }
        let value = |key: &str| texture.and_then(|texture| present(texture.get(key)));
        // Old engine versions keep the borders at the top level.
        let (path, nine_slice) = match setting("nine_slice") {
            None => ("nine_slice", present(self.root.get("nine_slice"))),
            some => ("settings.nine_slice", some),
        };
        TextureSettings {
            format: value("format").and_then(|value| read_format(value, PLACE, faults)),
            max_size: value("maxSize").and_then(|value| read_max_size(value, PLACE, faults)),
            dithering: value("dithering").and_then(|value| read_dithering(value, PLACE, faults)),
            chroma_key: value("chroma_key").and_then(|value| read_chroma_key(value, faults)),
            nine_slice: nine_slice.map_or_else(Insets::default, |value| {
                insets_of(value).unwrap_or_else(|| {
                    faults.setting(path, value, "[top, right, bottom, left]");
                    Insets::default()
                })
            }),
            frame_nine_slice: setting("frame_nine_slice").map_or_else(BTreeMap::new, |value| {
                let path = "settings.frame_nine_slice";
                let by_id = read_by_id(path, value, "[top, right, bottom, left]", faults, insets_of);
                let bordered = by_id.into_iter().filter(|(_, insets)| !insets.is_zero());
                bordered.map(|(id, insets)| (FrameId(id), insets)).collect()
            }),
            targets: value(TARGETS).map_or_else(BTreeMap::new, |value| read_targets(value, faults)),
        }
    }
}

/// Where a sidecar has the settings of the texture.
const PLACE: &str = "settings.texture";

/// What is other for targets; entries that say nothing are none.
fn read_targets(value: &Json, faults: &mut Faults) -> BTreeMap<Arc<str>, TargetSettings> {
    let place = format!("{PLACE}.{TARGETS}");
    let Some(entries) = value.as_object() else {
        faults.setting(&place, value, "an object with a target's name before each entry");
        return BTreeMap::new();
    };
    let entries = entries.iter().filter(|(_, entry)| !entry.is_null());
    let targets = entries
        .map(|(name, entry)| (name.as_str().into(), read_target(entry, &format!("{place}.{name}"), faults)));
    targets.filter(|(_, target)| !target.is_empty()).collect()
}

/// What is said for a target, `{"format", "maxSize"}`; "Automatic" says nothing.
pub(in crate::format) fn read_target(value: &Json, place: &str, faults: &mut Faults) -> TargetSettings {
    if value.as_object().is_none() {
        faults.setting(place, value, "an object");
    }
    let said = |key: &str| present(value.get(key));
    let format = said("format").and_then(|value| read_format(value, place, faults));
    let max_size = said("maxSize").and_then(|value| read_max_size(value, place, faults));
    TargetSettings { format: format.and_then(FormatChoice::fixed), max_size }
}

pub(in crate::format) fn read_format(value: &Json, place: &str, faults: &mut Faults) -> Option<FormatChoice> {
    let format = value.as_str().and_then(|text| text.parse().ok());
    if format.is_none() {
        let wanted = "RGB888, RGBA8888, RGB565, RGB565A8, ALPHA8 or Automatic";
        faults.setting(&format!("{place}.format"), value, wanted);
    }
    format
}

pub(in crate::format) fn read_max_size(value: &Json, place: &str, faults: &mut Faults) -> Option<u32> {
    read_side(value, place, "maxSize", faults)
}

/// A number of pixels.
pub(in crate::format) fn read_side(value: &Json, place: &str, key: &str, faults: &mut Faults) -> Option<u32> {
    let side = value.as_i64().and_then(|side| u32::try_from(side).ok()).filter(|side| *side > 0);
    if side.is_none() {
        faults.setting(&format!("{place}.{key}"), value, "a number of pixels from 1");
    }
    side
}

pub(in crate::format) fn read_dithering(value: &Json, place: &str, faults: &mut Faults) -> Option<Dithering> {
    let found = DITHERINGS.iter().find(|(word, _)| value.as_str() == Some(word));
    if found.is_none() {
        let wanted = "none, ordered or floyd-steinberg";
        faults.setting(&format!("{place}.dithering"), value, wanted);
    }
    found.map(|(_, dithering)| *dithering)
}

fn read_chroma_key(value: &Json, faults: &mut Faults) -> Option<ChromaKey> {
    let is_enabled = match present(value.get("enabled")) {
        None => value.as_object().map(|_| false),
        Some(enabled) => enabled.as_bool(),
    };
    let channel = |key: &str, default: u8| {
        present(value.get(key)).map_or(Some(default), |value| u8::try_from(value.as_i64()?).ok())
    };
    let key = channel("r", 255).zip(channel("g", 0)).zip(channel("b", 255));
    let key = key.map(|((red, green), blue)| ChromaKey { red, green, blue });
    if is_enabled.is_none() || key.is_none() {
        faults.setting(
            "settings.texture.chroma_key",
            value,
            "enabled true or false and r, g, b from 0 to 255",
        );
    }
    key.filter(|_| is_enabled == Some(true))
}

/// Borders as they are stored: top, right, bottom, left; more elements than four are not looked at.
pub(super) fn insets_of(value: &Json) -> Option<Insets> {
    let [top, right, bottom, left, ..] = value.as_array()? else { return None };
    let side = |value: &Json| u16::try_from(value.as_i64()?).ok();
    Some(Insets { left: side(left)?, right: side(right)?, top: side(top)?, bottom: side(bottom)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Code;
    use crate::texture::PixelFormat;

    fn read(text: &str) -> (TextureSettings, usize) {
        let file = Sidecar::parse(text.as_bytes()).unwrap();
        let reading = file.read();
        let faults = reading.faults.iter().filter(|fault| fault.code == Code::SettingInvalid).count();
        (reading.texture, faults)
    }

    fn read_in_texture(text: &str) -> (TextureSettings, usize) {
        read(&format!(r#"{{"settings": {{"texture": {text}}}}}"#))
    }

    #[test]
    fn every_setting_is_read() {
        let (texture, faults) = read(
            r#"{"settings": {
                "nine_slice": [1, 2, 3, 4],
                "frame_nine_slice": {"7": [0, 0, 0, 9, 55], "8": [0, 0, 0, 0]},
                "texture": {"format": "RGB565", "maxSize": 128, "dithering": "floyd-steinberg",
                    "chroma_key": {"enabled": true, "g": 7},
                    "cutsheetTargets": {"handheld": {"format": "ALPHA8", "maxSize": 64, "other": 1},
                        "console": {"format": "Automatic"}}}}}"#,
        );
        let handheld = TargetSettings { format: Some(PixelFormat::Alpha8), max_size: Some(64) };
        let expected = TextureSettings {
            format: Some(FormatChoice::Fixed(PixelFormat::Rgb565)),
            max_size: Some(128),
            dithering: Some(Dithering::FloydSteinberg),
            chroma_key: Some(ChromaKey { red: 255, green: 7, blue: 255 }),
            nine_slice: Insets { top: 1, right: 2, bottom: 3, left: 4 },
            frame_nine_slice: BTreeMap::from([(FrameId(7), Insets { left: 9, ..Insets::default() })]),
            targets: BTreeMap::from([("handheld".into(), handheld)]),
        };
        assert_eq!((texture, faults), (expected, 0));
    }

    #[test]
    fn absent_and_null_leave_it_to_the_project_and_words_do_not() {
        let (texture, faults) = read_in_texture(r#"{"format": "Automatic", "dithering": "none"}"#);
        let said = (Some(FormatChoice::Automatic), Some(Dithering::None), 0);
        assert_eq!((texture.format, texture.dithering, faults), said);
        for text in [
            "{}",
            "null",
            r#"{"chroma_key": {}, "cutsheetTargets": null}"#,
            r#"{"format": null, "maxSize": null, "dithering": null, "chroma_key": {"enabled": false, "r": 3}}"#,
        ] {
            assert_eq!(read_in_texture(text), (TextureSettings::default(), 0), "{text}");
        }
    }

    #[test]
    fn wrong_values_are_reported_and_give_the_default() {
        for text in [
            "[]",
            r#"{"format": "rgb565"}"#,
            r#"{"format": 2}"#,
            r#"{"maxSize": 0}"#,
            r#"{"maxSize": -1}"#,
            r#"{"maxSize": 128.0}"#,
            r#"{"dithering": "bayer"}"#,
            r#"{"chroma_key": true}"#,
            r#"{"chroma_key": {"enabled": 1}}"#,
            r#"{"chroma_key": {"enabled": true, "r": 256}}"#,
            r#"{"cutsheetTargets": []}"#,
            r#"{"cutsheetTargets": {"handheld": 5}}"#,
            r#"{"cutsheetTargets": {"handheld": {"maxSize": "big"}}}"#,
        ] {
            assert_eq!(read_in_texture(text), (TextureSettings::default(), 1), "{text}");
        }
        for text in [
            r#"{"settings": {"nine_slice": [1, 2, 3]}}"#,
            r#"{"settings": {"nine_slice": [1, 2, 3, -4]}}"#,
            r#"{"settings": {"frame_nine_slice": []}}"#,
            r#"{"settings": {"frame_nine_slice": {"07": [1, 1, 1, 1]}}}"#,
            r#"{"settings": {"frame_nine_slice": {"7": 1}}}"#,
        ] {
            assert_eq!(read(text), (TextureSettings::default(), 1), "{text}");
        }
    }

    #[test]
    fn borders_of_old_files_are_read_until_there_are_new_ones() {
        let (texture, _) = read(r#"{"nine_slice": [1, 2, 3, 4]}"#);
        assert_eq!(texture.nine_slice, Insets { top: 1, right: 2, bottom: 3, left: 4 });
        let (texture, _) = read(r#"{"nine_slice": [1, 2, 3, 4], "settings": {"nine_slice": [0, 0, 0, 0]}}"#);
        assert_eq!(texture.nine_slice, Insets::default());
    }
}
