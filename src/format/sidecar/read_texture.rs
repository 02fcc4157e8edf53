//! The texture settings of a sidecar: pixel format, Max Size, dithering, chroma key and nine-slice borders.
//! A value that is not understood is reported and its default used.

use std::collections::BTreeMap;

use super::read::{Faults, read_by_id};
use super::{Sidecar, present};
use crate::format::json::Json;
use crate::model::{FrameId, TargetSettings, TextureSettings};
use crate::texture::{ChromaKey, Dithering, Insets, PixelFormat};

/// The words for dithering, as they are stored.
pub(super) const DITHERINGS: [(&str, Dithering); 3] = [
    ("none", Dithering::None),
    ("ordered", Dithering::Ordered),
    ("floyd-steinberg", Dithering::FloydSteinberg),
];

/// The word for no fixed pixel format; an absent key means the same.
const AUTOMATIC: &str = "Automatic";

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
            format: value("format").and_then(|value| read_format(value, faults)),
            max_size: value("maxSize").and_then(|value| read_max_size(value, faults)),
            dithering: value("dithering")
                .map_or_else(Dithering::default, |value| read_dithering(value, faults)),
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
        }
    }
}

impl Sidecar {
    /// What the sheet says for a target alone; a value that is not understood says nothing.
    pub fn target(&self, name: &str) -> TargetSettings {
        let targets =
            self.root.get("settings").and_then(|settings| settings.get("texture")?.get("cutsheetTargets"));
        let of_target = targets.and_then(|targets| targets.get(name));
        of_target.and_then(|settings| target_settings(settings).ok()).unwrap_or_default()
    }
}

/// What is said for a target, `{"format", "maxSize"}`, or which of its values is none.
pub fn target_settings(settings: &Json) -> Result<TargetSettings, String> {
    let mut faults = Faults::default();
    let format = present(settings.get("format")).map(|value| (value, read_format(value, &mut faults)));
    let max_size = present(settings.get("maxSize")).map(|value| (value, read_max_size(value, &mut faults)));
    if max_size.is_some_and(|(_, size)| size.is_none()) {
        return Err("maxSize is no number of pixels from 1".to_owned());
    }
    if format.is_some_and(|(value, format)| format.is_none() && value.as_str() != Some(AUTOMATIC)) {
        return Err("format is none of RGB888, RGBA8888, RGB565, RGB565A8, ALPHA8 and Automatic".to_owned());
    }
    Ok(TargetSettings {
        format: format.and_then(|(_, format)| format),
        max_size: max_size.and_then(|(_, size)| size),
    })
}

fn read_format(value: &Json, faults: &mut Faults) -> Option<PixelFormat> {
    let text = value.as_str();
    let format = text.and_then(|text| text.parse().ok());
    if format.is_none() && text != Some(AUTOMATIC) {
        faults.setting(
            "settings.texture.format",
            value,
            "RGB888, RGBA8888, RGB565, RGB565A8, ALPHA8 or Automatic",
        );
    }
    format
}

fn read_max_size(value: &Json, faults: &mut Faults) -> Option<u32> {
    let size = value.as_i64().and_then(|size| u32::try_from(size).ok()).filter(|size| *size > 0);
    if size.is_none() {
        faults.setting("settings.texture.maxSize", value, "a number of pixels from 1");
    }
    size
}

fn read_dithering(value: &Json, faults: &mut Faults) -> Dithering {
    let found = DITHERINGS.iter().find(|(word, _)| value.as_str() == Some(word));
    found.map_or_else(
        || {
            faults.setting("settings.texture.dithering", value, "none, ordered or floyd-steinberg");
            Dithering::default()
        },
        |(_, dithering)| *dithering,
    )
}

/// The key when it is switched on; its absent channels are those of magenta.
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
                    "chroma_key": {"enabled": true, "g": 7}}}}"#,
        );
        let expected = TextureSettings {
            format: Some(PixelFormat::Rgb565),
            max_size: Some(128),
            dithering: Dithering::FloydSteinberg,
            chroma_key: Some(ChromaKey { red: 255, green: 7, blue: 255 }),
            nine_slice: Insets { top: 1, right: 2, bottom: 3, left: 4 },
            frame_nine_slice: BTreeMap::from([(FrameId(7), Insets { left: 9, ..Insets::default() })]),
        };
        assert_eq!((texture, faults), (expected, 0));
    }

    #[test]
    fn automatic_absent_and_null_mean_the_default() {
        for text in [
            "{}",
            "null",
            r#"{"format": "Automatic", "chroma_key": {}}"#,
            r#"{"format": null, "maxSize": null, "dithering": "none", "chroma_key": {"enabled": false, "r": 3}}"#,
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
