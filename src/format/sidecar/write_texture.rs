//! Writing the texture settings back into the tree, each only where it differs from what the tree says.

use std::collections::{BTreeMap, BTreeSet};

use super::read::Faults;
use super::read_texture::{DITHERINGS, TARGETS, insets_of};
use super::write::{object_at, set_or_remove, word, write_by_id};
use super::{Sidecar, present};
use crate::format::json::Json;
use crate::model::{FormatChoice, TargetSettings, TextureSettings};
use crate::texture::{ChromaKey, Insets};

impl Sidecar {
    /// Stores the texture settings. Does nothing while [`Sidecar::can_save`] refuses.
    pub fn write_texture(&mut self, new: &TextureSettings) {
        let old = self.read_texture(&mut Faults::default());
        if old == *new || self.can_save().is_err() {
            return;
        }
        let has_legacy_borders = present(self.root.get("nine_slice")).is_some();
        let Some(settings) = object_at(&mut self.root, "settings") else { return };
        if old.nine_slice != new.nine_slice {
            // Without an entry of ours the old one would count again.
            let is_needed = !new.nine_slice.is_zero() || has_legacy_borders;
            let borders = is_needed.then(|| insets(new.nine_slice, settings.get("nine_slice")));
            set_or_remove(settings, "nine_slice", borders);
        }
        if old.frame_nine_slice != new.frame_nine_slice {
            let bordered = new.frame_nine_slice.iter().filter(|(_, insets)| !insets.is_zero());
            let by_id: BTreeMap<u32, Insets> = bordered.map(|(id, insets)| (id.0, *insets)).collect();
            write_by_id(settings, "frame_nine_slice", &by_id, insets_of, |sides, old| insets(*sides, old));
        }
        let is_texture_unchanged = (old.format, old.max_size, old.dithering, old.chroma_key, &old.targets)
            == (new.format, new.max_size, new.dithering, new.chroma_key, &new.targets);
        if is_texture_unchanged {
            return;
        }
        let Some(texture) = object_at(settings, "texture") else { return };
        if old.format != new.format {
            set_or_remove(texture, "format", new.format.map(|format| FormatChoice::name(format).into()));
        }
        if old.max_size != new.max_size {
            set_or_remove(texture, "maxSize", new.max_size.map(Json::from));
        }
        if old.dithering != new.dithering {
            set_or_remove(texture, "dithering", new.dithering.map(|dithering| word(dithering, &DITHERINGS)));
        }
        if old.chroma_key != new.chroma_key
            && let Some(key) = object_at(texture, "chroma_key")
        {
            write_chroma_key(key, new.chroma_key);
        }
        let names: BTreeSet<_> = old.targets.keys().chain(new.targets.keys()).collect();
        for name in names {
            let of = |settings: &TextureSettings| settings.targets.get(name).copied().unwrap_or_default();
            if of(&old) != of(new) {
                write_target(texture, name, of(&old), of(new));
            }
        }
    }
}

/// Brings a target's entry to what is new, and takes it away with its last key.
fn write_target(texture: &mut Json, name: &str, old: TargetSettings, new: TargetSettings) {
    let Some(targets) = object_at(texture, TARGETS) else { return };
    if let Some(entry) = object_at(targets, name) {
        write_target_settings(entry, old, new);
        if entry.as_object().is_some_and(<[_]>::is_empty) {
            targets.remove(name);
        }
    }
    if targets.as_object().is_some_and(<[_]>::is_empty) {
        texture.remove(TARGETS);
    }
}

/// Brings format and Max Size of an object to what is new.
pub(in crate::format) fn write_target_settings(object: &mut Json, old: TargetSettings, new: TargetSettings) {
    if old.format != new.format {
        set_or_remove(object, "format", new.format.map(|format| format.name().into()));
    }
    if old.max_size != new.max_size {
        set_or_remove(object, "maxSize", new.max_size.map(Json::from));
    }
}

/// Switching the key off keeps its colour for the next time.
fn write_chroma_key(object: &mut Json, key: Option<ChromaKey>) {
    object.set("enabled", Json::Bool(key.is_some()));
    if let Some(ChromaKey { red, green, blue }) = key {
        for (name, channel) in [("r", red), ("g", green), ("b", blue)] {
            object.set(name, u32::from(channel).into());
        }
    }
}

/// Top, right, bottom, left, and whatever stood behind them.
fn insets(insets: Insets, old: Option<&Json>) -> Json {
    let Insets { left, right, top, bottom } = insets;
    let sides = [top, right, bottom, left].map(|side| Json::from(u32::from(side)));
    let behind = old.and_then(Json::as_array).unwrap_or_default().iter().skip(4);
    Json::Array(sides.into_iter().chain(behind.cloned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FrameId;
    use crate::texture::{Dithering, PixelFormat};

    fn written(text: &str, settings: &TextureSettings) -> Json {
        let mut file = Sidecar::parse(text.as_bytes()).unwrap();
        file.write_texture(settings);
        assert_eq!(file.read().texture, *settings);
        file.json().clone()
    }

    fn json(text: &str) -> Json {
        Json::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn borders_are_stored_as_top_right_bottom_left() {
        let borders = Insets { left: 4, right: 2, top: 1, bottom: 3 };
        let settings = TextureSettings {
            nine_slice: borders,
            frame_nine_slice: BTreeMap::from([(FrameId(7), borders)]),
            ..TextureSettings::default()
        };
        let expected =
            r#"{"settings": {"nine_slice": [1, 2, 3, 4], "frame_nine_slice": {"7": [1, 2, 3, 4]}}}"#;
        assert_eq!(written("{}", &settings), json(expected));
        assert_eq!(written(expected, &TextureSettings::default()), json(r#"{"settings": {}}"#));
    }

    #[test]
    fn settings_change_in_place_and_unknown_ones_stay() {
        let before = r#"{"settings": {"texture": {"targets": {"a": 1}, "format": "RGB888", "maxSize": 64,
            "chroma_key": {"enabled": true, "r": 1, "g": 2, "b": 3, "soft": true}}, "nine_slice": [1, 1, 1, 1, "x"]}}"#;
        let after = r#"{"settings": {"texture": {"targets": {"a": 1}, "format": "ALPHA8",
            "chroma_key": {"enabled": false, "r": 1, "g": 2, "b": 3, "soft": true}, "dithering": "ordered"},
            "nine_slice": [2, 1, 1, 1, "x"]}}"#;
        let settings = TextureSettings {
            format: Some(FormatChoice::Fixed(PixelFormat::Alpha8)),
            dithering: Some(Dithering::Ordered),
            nine_slice: Insets { left: 1, right: 1, top: 2, bottom: 1 },
            ..TextureSettings::default()
        };
        assert_eq!(written(before, &settings), json(after));
    }

    #[test]
    fn targets_change_alone_and_entries_that_say_nothing_go() {
        let before = r#"{"settings": {"texture": {"targets": {"handheld": 7},
            "cutsheetTargets": {"handheld": {"format": "RGB565", "note": 1}, "console": {"maxSize": 64}}}}}"#;
        let after = r#"{"settings": {"texture": {"targets": {"handheld": 7},
            "cutsheetTargets": {"handheld": {"note": 1, "maxSize": 32}}}}}"#;
        let handheld = TargetSettings { format: None, max_size: Some(32) };
        let settings = TextureSettings {
            targets: BTreeMap::from([("handheld".into(), handheld)]),
            ..TextureSettings::default()
        };
        assert_eq!(written(before, &settings), json(after));
        let none = r#"{"settings": {"texture": {"cutsheetTargets": {"console": {"maxSize": 64}}}}}"#;
        assert_eq!(written(none, &TextureSettings::default()), json(r#"{"settings": {"texture": {}}}"#));
    }

    #[test]
    fn borders_of_old_files_can_be_cleared_without_touching_them() {
        let expected = r#"{"nine_slice": [1, 1, 1, 1], "settings": {"nine_slice": [0, 0, 0, 0]}}"#;
        assert_eq!(written(r#"{"nine_slice": [1, 1, 1, 1]}"#, &TextureSettings::default()), json(expected));
    }

    #[test]
    fn values_that_were_not_understood_stay_while_their_setting_does_not_change() {
        let before = r#"{"settings": {"texture": {"format": "ETC2", "maxSize": "big"},
            "frame_nine_slice": {"7": "later", "x": 1}}}"#;
        let after = r#"{"settings": {"texture": {"format": "ETC2", "maxSize": 32},
            "frame_nine_slice": {"7": "later", "x": 1, "9": [0, 0, 0, 5]}}}"#;
        let settings = TextureSettings {
            max_size: Some(32),
            frame_nine_slice: BTreeMap::from([(FrameId(9), Insets { left: 5, ..Insets::default() })]),
            ..TextureSettings::default()
        };
        assert_eq!(written(before, &settings), json(after));
    }
}
