//! The `.data` sidecar beside an image: its GUID, how it is cut, and how it becomes a texture.
//!
//! The file belongs to several tools. It is held as a lossless tree; [`read`](Sidecar::read) takes from it what we
//! know, as plain stored types, and the `write_*` methods change only the values that differ. Both places where
//! tools keep the slicing are known, see [`Dialect`].

mod read;
mod read_recipe;
mod read_texture;
mod write;
mod write_texture;

pub(super) use read::Faults;
pub(super) use read_texture::{
    DITHERINGS, read_dithering, read_format, read_max_size, read_side, read_target,
};
pub(super) use write::{object_at, word};
pub(super) use write_texture::write_target_settings;

use std::sync::Arc;

use super::json::{Json, JsonError};
use crate::geometry::{PixelRect, Size};
use crate::guid::Guid;
use crate::model::{Code, Recipe, TextureSettings};

/// Ids are read up to the largest number that a tool with 32-bit signed integers can hold.
const MAX_ID: u32 = i32::MAX as u32;

/// Where a sidecar keeps the slicing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Top level, key `slicing`: new sidecars.
    Slicing,
    /// `settings`, key `sprite`: the engine's present editor. It wins where both are.
    SettingsSprite,
}

impl Dialect {
    /// The name that the headless commands print.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Slicing => "slicing",
            Self::SettingsSprite => "settings.sprite",
        }
    }
}

/// What stands where the GUID should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuidField {
    /// Nothing, or `null`.
    Missing,
    /// Something else; never replaced without the user knowing, never used as a path.
    Invalid {
        /// The value as the file has it, cut short for messages.
        text: String,
    },
    /// A GUID, in either case of its letters.
    Valid(Guid),
}

/// Why bytes are no sidecar. Such a file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SidecarError {
    /// It is no JSON.
    #[error("the sidecar is no JSON: {0}")]
    Json(#[from] JsonError),
    /// It is JSON, but no object.
    #[error("the sidecar must hold a JSON object, but holds {0}")]
    NotAnObject(&'static str),
}

/// Something in a sidecar that is not as the format says. The path is added by whoever knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub code: Code,
    /// What is wrong, in a sentence.
    pub text: String,
    /// Position of the frame it is about.
    pub frame: Option<usize>,
}

/// What a sidecar says, as far as it can be understood, and what is wrong with the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// How the image is cut.
    pub slicing: StoredSlicing,
    /// How it becomes a texture.
    pub texture: TextureSettings,
    /// What was not as it should be, in the order of the file's parts.
    pub faults: Vec<Fault>,
}

/// The slicing as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredSlicing {
    /// The frames, or the grid that implies them.
    pub cut: Cut,
    /// The next unused frame id, where the file says one.
    pub next_frame_id: Option<u32>,
    /// Size of the image at the last save by us.
    pub image_size: Option<Size>,
    /// The runs that gave the frames; an automatic recipe is kept in the file but not read.
    pub recipe: Option<Recipe>,
    /// Kinds of problems that are not to be told, in the order of their texts; texts that name none are kept in the
    /// file but not read.
    pub ignored: Vec<Code>,
}

/// The two modes of the format.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cut {
    /// Not cut, or nothing that could be understood.
    #[default]
    None,
    /// Equal cells from the top left corner.
    Grid(StoredGrid),
    /// Listed rectangles.
    Atlas(Vec<StoredFrame>),
}

/// Equal cells; what belongs to single cells is kept by position (ids) or by id (names, GUIDs).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredGrid {
    /// Width of a cell in image pixels; 0 is the image's width.
    pub frame_width: u32,
    /// Height of a cell in image pixels; 0 is the image's height.
    pub frame_height: u32,
    /// Ids by position; `None` where the entry is no id. May be shorter or longer than the grid.
    pub ids: Vec<Option<u32>>,
    /// Names by frame id.
    pub names: Vec<(u32, Arc<str>)>,
    /// Foreign GUIDs by frame id.
    pub guids: Vec<(u32, Guid)>,
}

/// One entry of a frame list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFrame {
    /// Its id: what the entry says, else its position.
    pub id: u32,
    /// The rectangle; `None` when the entry is no rectangle of 32-bit whole numbers.
    pub rect: Option<PixelRect>,
    /// Its name, often empty.
    pub name: Arc<str>,
    /// A GUID that another tool gave it.
    pub guid: Option<Guid>,
}

/// A sidecar's whole content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sidecar {
    root: Json,
}

impl Sidecar {
    /// The sidecar of an image that has none yet.
    pub fn new(guid: Guid) -> Self {
        Self { root: Json::Object(vec![("guid".to_owned(), guid.to_string().as_str().into())]) }
    }

    /// Reads a file. Fails only when it is no JSON object; everything else is a [`Fault`] of [`Sidecar::read`].
    pub fn parse(bytes: &[u8]) -> Result<Self, SidecarError> {
        let root = Json::parse(bytes)?;
        match root {
            Json::Object(_) => Ok(Self { root }),
            other => Err(SidecarError::NotAnObject(other.kind())),
        }
    }

    /// The file's bytes: every key that was there, in its order.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.root.to_text().into_bytes()
    }

    /// The whole tree.
    pub const fn json(&self) -> &Json {
        &self.root
    }

    /// The asset's GUID.
    pub fn guid(&self) -> GuidField {
        match present(self.root.get("guid")) {
            None => GuidField::Missing,
            Some(value) => match value.as_str().and_then(|text| text.parse().ok()) {
                Some(guid) => GuidField::Valid(guid),
                None => GuidField::Invalid { text: shown(value) },
            },
        }
    }

    /// Gives the asset another GUID. One that is there already stays as it is spelled.
    pub fn set_guid(&mut self, guid: Guid) {
        if self.guid() == GuidField::Valid(guid) {
            return;
        }
        let text = Json::from(guid.to_string().as_str());
        match &mut self.root {
            Json::Object(entries) if entries.iter().all(|(key, _)| key != "guid") => {
                entries.insert(0, ("guid".to_owned(), text));
            }
            root => root.set("guid", text),
        }
    }

    /// Where the slicing is kept; `None` when there is none yet.
    pub fn dialect(&self) -> Option<Dialect> {
        let sprite = self.root.get("settings").and_then(|settings| settings.get("sprite"));
        if present(sprite).is_some() {
            Some(Dialect::SettingsSprite)
        } else if present(self.root.get("slicing")).is_some() {
            Some(Dialect::Slicing)
        } else {
            // An empty place that another tool made is still the place where it looks.
            sprite.map(|_| Dialect::SettingsSprite)
        }
    }

    /// Whether a save can keep everything that is there. The error says in a sentence what is in its way: something
    /// of another shape stands where our values would have to go, and only its owner knows what it means.
    pub fn can_save(&self) -> Result<(), String> {
        match self.obstacle() {
            Some((path, found)) => Err(format!(
                "The sidecar is left as it is: {path} is {found}. Correct it in a text editor, then reload"
            )),
            None => Ok(()),
        }
    }

    /// The first value of a shape that cannot be written into, with what it is.
    fn obstacle(&self) -> Option<(String, String)> {
        let settings = present(self.root.get("settings"));
        let texture = settings.and_then(|settings| settings.get("texture"));
        let slicing = self.slicing();
        let path = self.slicing_path();
        let objects = [("settings", settings), ("settings.texture", present(texture)), (path, slicing)];
        for (path, value) in objects {
            if let Some(value) = value.filter(|value| value.as_object().is_none()) {
                return Some((path.to_owned(), format!("{} instead of an object", value.kind())));
            }
        }
        let slicing = slicing?;
        if let Some(mode) = present(slicing.get("mode")).filter(|mode| known_mode(mode).is_none()) {
            return Some((format!("{path}.mode"), format!("{}, which is no known mode", shown(mode))));
        }
        let frames = present(slicing.get("frames")).filter(|frames| frames.as_array().is_none())?;
        Some((format!("{path}.frames"), format!("{} instead of a list", frames.kind())))
    }

    /// The value that holds the slicing, whatever it is.
    fn slicing(&self) -> Option<&Json> {
        present(match self.dialect()? {
            Dialect::SettingsSprite => self.root.get("settings")?.get("sprite"),
            Dialect::Slicing => self.root.get("slicing"),
        })
    }

    fn slicing_path(&self) -> &'static str {
        self.dialect().unwrap_or(Dialect::Slicing).as_str()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Grid,
    Atlas,
}

impl Mode {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Atlas => "atlas",
        }
    }
}

fn known_mode(value: &Json) -> Option<Mode> {
    let text = value.as_str()?;
    [Mode::Grid, Mode::Atlas].into_iter().find(|mode| mode.as_str().eq_ignore_ascii_case(text))
}

/// `null` says as little as an absent key.
fn present(value: Option<&Json>) -> Option<&Json> {
    value.filter(|value| !value.is_null())
}

/// A value for a message: short, and without characters that would change how the message is shown.
fn shown(value: &Json) -> String {
    const MOST: usize = 60;
    match value {
        Json::String(text) => format!("{:?}", text.chars().take(MOST).collect::<String>()),
        Json::Number(spelled) => spelled.chars().take(MOST).collect(),
        other => other.kind().to_owned(),
    }
}

/// A size stored as a list of two positive numbers.
fn size_of(value: &Json) -> Option<Size> {
    let [width, height] = value.as_array()? else { return None };
    let side = |value: &Json| u32::try_from(value.as_i64()?).ok().filter(|side| *side > 0);
    Some(Size::new(side(width)?, side(height)?))
}

/// A frame id that is spelled as a key: canonical decimal, so that no two keys mean one id.
fn id_of_key(key: &str) -> Option<u32> {
    key.parse().ok().filter(|id: &u32| *id <= MAX_ID && id.to_string() == key)
}

/// A frame id that is spelled as a number.
fn id_of(value: &Json) -> Option<u32> {
    u32::try_from(value.as_i64()?).ok().filter(|id| *id <= MAX_ID)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

    fn sidecar(text: &str) -> Sidecar {
        Sidecar::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn only_objects_are_sidecars() {
        for (text, found) in [("[]", "a list"), ("null", "null"), ("42", "a number"), ("\"grid\"", "a text")]
        {
            assert_eq!(Sidecar::parse(text.as_bytes()), Err(SidecarError::NotAnObject(found)));
        }
        assert!(matches!(Sidecar::parse(b"{"), Err(SidecarError::Json(_))));
    }

    #[test]
    fn a_byte_order_mark_changes_nothing_and_two_byte_text_is_refused_by_its_name() {
        let text = format!(r#"{{"guid": "{GUID}", "slicing": {{"frameWidth": 16, "frameHeight": 16}}}}"#);
        let marked = [&b"\xef\xbb\xbf"[..], text.as_bytes()].concat();
        assert_eq!(Sidecar::parse(&marked), Ok(sidecar(&text)));
        let two_bytes: Vec<u8> =
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let message = Sidecar::parse(&two_bytes).unwrap_err().to_string();
        assert!(message.contains("the file is UTF-16"), "{message}");
    }

    #[test]
    fn guids_are_read_in_either_case_and_stay_as_spelled() {
        let upper = GUID.to_uppercase();
        let mut file = sidecar(&format!(r#"{{"a": 1, "guid": "{upper}"}}"#));
        let guid = GUID.parse().unwrap();
        assert_eq!(file.guid(), GuidField::Valid(guid));
        file.set_guid(guid);
        assert_eq!(file.json().get("guid").unwrap().as_str(), Some(upper.as_str()));
    }

    #[test]
    fn what_is_no_guid_is_shown_and_replaced_only_on_demand() {
        for (value, shown) in [
            (r#""""#, "\"\""),
            (r#""../../etc/passwd""#, "\"../../etc/passwd\""),
            ("7", "7"),
            ("[]", "a list"),
            (r#""00000000-0000-0000-0000-000000000000""#, "\"00000000-0000-0000-0000-000000000000\""),
        ] {
            let file = sidecar(&format!(r#"{{"guid": {value}}}"#));
            assert_eq!(file.guid(), GuidField::Invalid { text: shown.to_owned() });
        }
        let mut missing = sidecar(r#"{"a": 1, "guid2": 2}"#);
        assert_eq!(missing.guid(), GuidField::Missing);
        assert_eq!(sidecar(r#"{"guid": null}"#).guid(), GuidField::Missing);
        missing.set_guid(GUID.parse().unwrap());
        let expected = format!("{{\n  \"guid\": \"{GUID}\",\n  \"a\": 1,\n  \"guid2\": 2\n}}\n");
        assert_eq!(missing.to_bytes(), expected.as_bytes());
    }

    #[test]
    fn the_dialect_is_where_the_slicing_is() {
        for (text, dialect) in [
            ("{}", None),
            (r#"{"settings": {}}"#, None),
            (r#"{"settings": {"sprite": null}}"#, Some(Dialect::SettingsSprite)),
            (r#"{"settings": {"sprite": {}}}"#, Some(Dialect::SettingsSprite)),
            (r#"{"slicing": {}}"#, Some(Dialect::Slicing)),
            (r#"{"slicing": {}, "settings": {"sprite": null}}"#, Some(Dialect::Slicing)),
            (r#"{"slicing": {}, "settings": {"sprite": {}}}"#, Some(Dialect::SettingsSprite)),
        ] {
            assert_eq!(sidecar(text).dialect(), dialect, "{text}");
        }
    }

    #[test]
    fn nothing_is_written_over_a_value_of_another_shape() {
        for text in [
            r#"{"settings": []}"#,
            r#"{"settings": {"sprite": "grid"}}"#,
            r#"{"settings": {"texture": 1}}"#,
            r#"{"slicing": []}"#,
            r#"{"slicing": {"mode": 1}}"#,
            r#"{"slicing": {"mode": "hexagonal"}}"#,
            r#"{"slicing": {"mode": "atlas", "frames": {}}}"#,
        ] {
            assert!(sidecar(text).can_save().is_err(), "{text}");
        }
        for text in [
            "{}",
            r#"{"settings": null, "slicing": null}"#,
            r#"{"slicing": {"mode": "Grid", "frames": null}}"#,
            r#"{"slicing": "kept", "settings": {"sprite": {}}}"#,
        ] {
            assert_eq!(sidecar(text).can_save(), Ok(()), "{text}");
        }
    }
}
