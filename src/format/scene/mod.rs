//! `.scene` files: the engine's compiled scenes, `MessagePack` with the keys that `read` and `write` name (spec page
//! "2DTX and sidecars", sections 6.2 and 6.3).
//!
//! A file is read into a tree that keeps all of it, also what nobody knows, and written from it. What was not changed
//! has the bytes that it had.

mod expected;
mod json;
mod read;
mod write;

#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod json_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod write_tests;

use super::json::{Json, JsonError};
use super::msgpack::{ReadError, Refusal};
use crate::model::Code;
use crate::model::scene::{Object, ObjectKey, Scene};

pub use json::{FromJsonError, Unwritable, from_json, to_json};
pub use read::{read, root};
pub use write::write;

/// The version of the format.
pub const VERSION: i32 = 1;

/// A scene, and what is odd about its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The scene. Its objects have the keys 0, 1, 2… in the order of the file.
    pub scene: Scene,
    /// What was not as expected, in the order of the file. All of it is kept.
    pub faults: Vec<Fault>,
}

/// Something in a scene that is not as expected. The path is added by whoever knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub code: Code,
    /// The object that it is about.
    pub object: Option<ObjectKey>,
    /// What is wrong, in a sentence that names the object.
    pub text: String,
}

/// Why bytes are no scene that can be edited. Such a file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// What people write, and the engine's compiler makes a scene from.
    #[error("this is an authored scene in JSON: it needs the engine's compiler and is left as it is")]
    Authored,
    /// JSON of another kind.
    #[error("this is JSON without a formatVersion, no scene")]
    Json,
    /// It begins as JSON does.
    #[error("this is a text, no compiled scene, and no JSON either: {0}")]
    Text(#[from] JsonError),
    /// A value, but no map.
    #[error("a compiled scene is a map, but this is {0}")]
    NotAMap(&'static str),
    /// It is no `MessagePack`.
    #[error("the scene is damaged: {0}")]
    Damaged(#[from] ReadError),
}

impl SceneError {
    /// Its kind of problem.
    pub const fn code(&self) -> Code {
        match self {
            Self::Authored => Code::SceneAuthored,
            _ => Code::SceneDamaged,
        }
    }

    /// What a file is that begins as JSON does. No `MessagePack` of a map does.
    fn of_text(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        text.starts_with(b"{").then(|| match Json::parse(bytes) {
            Ok(json) if json.get("formatVersion").is_some() => Self::Authored,
            Ok(_) => Self::Json,
            Err(why) => Self::Text(why),
        })
    }
}

/// A scene that cannot be written as it is: the engine could not read it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{subject}: {refusal}")]
pub struct WriteError {
    /// The object that it is about.
    pub object: Option<ObjectKey>,
    /// The object in words, or the scene.
    subject: String,
    /// What is wrong, and where in the object.
    pub refusal: Refusal,
}

/// An object in words.
fn words_for(object: &Object) -> String {
    match object.name() {
        "" => "an object without a name".to_owned(),
        name => format!("the object {name:?}"),
    }
}
