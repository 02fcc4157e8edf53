//! `cutsheet.json` in a project's folder: what the project says of all its textures, and its targets.
//!
//! `{"formatVersion":1,"defaults":{"format","maxSize","dithering"},"targets":{name:{"format","maxSize","maxTexture"}}}`,
//! every key of which may be absent. The file is held as a lossless tree; keys that are not ours survive a save.

use std::collections::BTreeSet;

use super::json::{Json, JsonError};
use super::sidecar::{
    DITHERINGS, Faults, object_at, read_dithering, read_format, read_max_size, read_side, read_target, word,
    write_target_settings,
};
use crate::model::file_name::{self, Named};
use crate::model::{FormatChoice, ProjectSettings, Target, TargetSettings, TextureDefaults};

/// The file's name.
pub const FILE_NAME: &str = "cutsheet.json";
/// The version that is written into new files.
const VERSION: i64 = 1;

/// Why bytes are no settings. Such a file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProjectFileError {
    /// It is no JSON.
    #[error("it is no JSON: {0}")]
    Json(#[from] JsonError),
    /// It is JSON, but no object.
    #[error("it must hold a JSON object, but holds {0}")]
    NotAnObject(&'static str),
}

/// The file as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectFile {
    root: Json,
}

impl Default for ProjectFile {
    fn default() -> Self {
        let mut root = Json::object();
        root.set("formatVersion", Json::from(VERSION));
        Self { root }
    }
}

impl ProjectFile {
    /// Takes a file's bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, ProjectFileError> {
        let root = Json::parse(bytes)?;
        if root.as_object().is_none() {
            return Err(ProjectFileError::NotAnObject(root.kind()));
        }
        Ok(Self { root })
    }

    /// What it says, and a sentence for every value that is not used.
    pub fn read(&self) -> (ProjectSettings, Vec<String>) {
        let mut faults = Faults::default();
        let defaults = present(&self.root, "defaults").map(|defaults| read_defaults(defaults, &mut faults));
        let targets = present(&self.root, "targets").map(|targets| read_targets(targets, &mut faults));
        let settings =
            ProjectSettings { defaults: defaults.unwrap_or_default(), targets: targets.unwrap_or_default() };
        (settings, faults.0.into_iter().map(|fault| fault.text).collect())
    }

    /// Stores settings, each only where it differs from what is there.
    pub fn write(&mut self, new: &ProjectSettings) {
        let (old, _) = self.read();
        if old.defaults != new.defaults
            && let Some(defaults) = object_at(&mut self.root, "defaults")
        {
            write_defaults(defaults, old.defaults, new.defaults);
        }
        let names: BTreeSet<_> = old.targets.iter().chain(&new.targets).map(|target| &target.name).collect();
        for name in names {
            let (before, now) = (old.target(name), new.target(name));
            if before == now {
                continue;
            }
            let Some(targets) = object_at(&mut self.root, "targets") else { return };
            match now {
                None => drop(targets.remove(name)),
                Some(now) => {
                    if let Some(entry) = object_at(targets, name) {
                        write_target(entry, before, now);
                    }
                }
            }
        }
    }

    /// The file's text, indented by two spaces.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.root.to_text().into_bytes()
    }
}

/// A value that is there and not `null`.
fn present<'a>(object: &'a Json, key: &str) -> Option<&'a Json> {
    object.get(key).filter(|value| !value.is_null())
}

fn read_defaults(defaults: &Json, faults: &mut Faults) -> TextureDefaults {
    const PLACE: &str = "defaults";
    if defaults.as_object().is_none() {
        faults.setting(PLACE, defaults, "an object");
    }
    let format = present(defaults, "format").and_then(|value| read_format(value, PLACE, faults));
    let max_size = present(defaults, "maxSize").and_then(|value| read_max_size(value, PLACE, faults));
    let dithering = present(defaults, "dithering").and_then(|value| read_dithering(value, PLACE, faults));
    TextureDefaults {
        format: format.and_then(FormatChoice::fixed),
        max_size,
        dithering: dithering.unwrap_or_default(),
    }
}

fn read_targets(targets: &Json, faults: &mut Faults) -> Vec<Target> {
    let Some(entries) = targets.as_object() else {
        faults.setting("targets", targets, "an object with a target's name before each entry");
        return Vec::new();
    };
    let mut read: Vec<Target> = Vec::with_capacity(entries.len());
    for (name, entry) in entries {
        let place = format!("targets.{name}");
        // A target has a folder of its name: one that would lead elsewhere is none, whoever wrote it down.
        if why_no_target(name).is_some() {
            faults.setting(&place, entry, "a name that a folder can have");
            continue;
        }
        let settings = read_target(entry, &place, faults);
        let max_texture = present(entry, "maxTexture");
        let max_texture = max_texture.and_then(|value| read_side(value, &place, "maxTexture", faults));
        // Of a repeated name the last one counts, as everywhere.
        read.retain(|target| *target.name != **name);
        read.push(Target { name: name.as_str().into(), settings, max_texture });
    }
    read
}

/// Why a target cannot have that name: a sentence without its full stop.
pub fn why_no_target(name: &str) -> Option<String> {
    file_name::why_not(name, Named::Folder { is_directly_under_root: false })
}

fn write_defaults(object: &mut Json, old: TextureDefaults, new: TextureDefaults) {
    let of =
        |defaults: TextureDefaults| TargetSettings { format: defaults.format, max_size: defaults.max_size };
    write_target_settings(object, of(old), of(new));
    if old.dithering != new.dithering {
        object.set("dithering", word(new.dithering, &DITHERINGS));
    }
}

fn write_target(object: &mut Json, old: Option<&Target>, new: &Target) {
    write_target_settings(object, old.map(|old| old.settings).unwrap_or_default(), new.settings);
    if old.and_then(|old| old.max_texture) != new.max_texture {
        match new.max_texture {
            Some(side) => object.set("maxTexture", side.into()),
            None => drop(object.remove("maxTexture")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::{Dithering, PixelFormat};

    fn read(text: &str) -> (ProjectSettings, usize) {
        let (settings, faults) = ProjectFile::parse(text.as_bytes()).unwrap().read();
        (settings, faults.len())
    }

    fn target(name: &str, format: Option<PixelFormat>, max_size: Option<u32>, most: Option<u32>) -> Target {
        Target { name: name.into(), settings: TargetSettings { format, max_size }, max_texture: most }
    }

    #[test]
    fn every_setting_is_read() {
        let text = r#"{"formatVersion": 1, "defaults": {"format": "RGB565", "maxSize": 512, "dithering": "ordered"},
            "targets": {"handheld": {"format": "ALPHA8", "maxSize": 128, "maxTexture": 256}, "console": {},
                "desk": {"format": "Automatic"}}}"#;
        let defaults = TextureDefaults {
            format: Some(PixelFormat::Rgb565),
            max_size: Some(512),
            dithering: Dithering::Ordered,
        };
        let targets = vec![
            target("handheld", Some(PixelFormat::Alpha8), Some(128), Some(256)),
            target("console", None, None, None),
            target("desk", None, None, None),
        ];
        assert_eq!(read(text), (ProjectSettings { defaults, targets }, 0));
        assert_eq!(read("{}"), (ProjectSettings::default(), 0));
    }

    #[test]
    fn what_is_not_understood_is_told_and_not_used() {
        let text = r#"{"defaults": {"format": "x", "maxSize": 0, "dithering": 7}, "targets": {"../up": {}, "a\\b": {},
            "": {}, ".": {}, "a/b": {}, "good": {"maxSize": "big", "maxTexture": -1}}}"#;
        let (settings, faults) = read(text);
        let expected =
            ProjectSettings { targets: vec![target("good", None, None, None)], ..ProjectSettings::default() };
        assert_eq!((settings, faults), (expected, 10));
        assert_eq!(read(r#"{"defaults": [], "targets": 1}"#), (ProjectSettings::default(), 2));
        for text in ["", "[]", "{", "1"] {
            assert!(ProjectFile::parse(text.as_bytes()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_save_changes_what_differs_and_keeps_the_rest() {
        let before = r#"{"note": 1, "targets": {"a": {"maxSize": 64, "fps": 30}, "b": {}}, "defaults": {"maxSize": 8}}"#;
        let after = r#"{"note": 1, "targets": {"a": {"fps": 30, "maxTexture": 99}, "c": {"format": "RGB888"}},
            "defaults": {"maxSize": 8, "dithering": "floyd-steinberg"}}"#;
        let mut file = ProjectFile::parse(before.as_bytes()).unwrap();
        let settings = ProjectSettings {
            defaults: TextureDefaults {
                max_size: Some(8),
                dithering: Dithering::FloydSteinberg,
                ..TextureDefaults::default()
            },
            targets: vec![
                target("a", None, None, Some(99)),
                target("c", Some(PixelFormat::Rgb888), None, None),
            ],
        };
        file.write(&settings);
        assert_eq!(file.root, Json::parse(after.as_bytes()).unwrap());
        assert_eq!(file.read(), (settings, Vec::new()));
    }
}
