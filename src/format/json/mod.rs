//! A lossless JSON tree: keys in their order, also repeated ones, and numbers as they were spelled.
//!
//! Sidecars belong to several tools at once. A value type that rounds numbers or drops one of two equal keys
//! would destroy what another tool wrote, so files are edited in this tree and written back from it.

mod parse;
mod write;

use std::collections::HashSet;

pub use parse::{JsonError, MAX_DEPTH};

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Json {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is spelled in the file.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// Keys and values in their order; a key may be there more than once.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// An object without keys.
    pub const fn object() -> Self {
        Self::Object(Vec::new())
    }

    /// Reads a whole document, see [`JsonError`] for what is refused.
    pub fn parse(bytes: &[u8]) -> Result<Self, JsonError> {
        parse::document(bytes)
    }

    /// The document as text with an indent of two spaces and a line end at its end.
    pub fn to_text(&self) -> String {
        write::document(self)
    }

    /// What the value is, with its article, for messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::String(_) => "a text",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// Whether it is `null`.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a truth value.
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of a number that is spelled as a whole number and fits: neither `1.0` nor `1e3`.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(spelled) => spelled.parse().ok(),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The keys and values of an object.
    pub fn as_object(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of `key` in an object; of a repeated key the last value, as most parsers have it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Object(entries) => {
                entries.iter_mut().rev().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Replaces the value that [`Json::get`] gives, in its place, or appends the key. Does nothing to what is
    /// no object.
    pub fn set(&mut self, key: &str, value: Self) {
        if let Some(old) = self.get_mut(key) {
            *old = value;
        } else if let Self::Object(entries) = self {
            entries.push((key.to_owned(), value));
        }
    }

    /// Takes a key out of an object. Of a repeated key the value that counts becomes `null` and the others
    /// stay: removing it would bring an earlier one to life, removing all would lose what nobody looked at.
    pub fn remove(&mut self, key: &str) -> Option<Self> {
        let Self::Object(entries) = self else { return None };
        let index = entries.iter().rposition(|(name, _)| name == key)?;
        let is_repeated = entries.iter().take(index).any(|(name, _)| name == key);
        Some(if is_repeated {
            std::mem::replace(&mut entries[index].1, Self::Null)
        } else {
            entries.remove(index).1
        })
    }

    /// The keys that an object has more than once, each named once.
    pub fn duplicate_keys(&self) -> Vec<&str> {
        let entries = self.as_object().unwrap_or_default();
        let mut seen = HashSet::with_capacity(entries.len());
        let mut repeated = Vec::new();
        for (key, _) in entries {
            if !seen.insert(key.as_str()) && !repeated.contains(&key.as_str()) {
                repeated.push(key.as_str());
            }
        }
        repeated
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Self::Number(value.to_string())
    }
}

impl From<i32> for Json {
    fn from(value: i32) -> Self {
        i64::from(value).into()
    }
}

impl From<u32> for Json {
    fn from(value: u32) -> Self {
        i64::from(value).into()
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Json {
        Json::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_last_of_repeated_keys_counts_and_is_the_one_replaced() {
        let mut json = parse(r#"{"a": 1, "b": 2, "a": 3, "a": 4, "b": 5}"#);
        assert_eq!(json.get("a").unwrap().as_i64(), Some(4));
        assert_eq!(json.duplicate_keys(), ["a", "b"]);
        json.set("a", 9_i64.into());
        json.set("c", Json::Null);
        assert_eq!(json, parse(r#"{"a": 1, "b": 2, "a": 3, "a": 9, "b": 5, "c": null}"#));
    }

    #[test]
    fn removing_a_repeated_key_brings_no_earlier_value_to_life() {
        let mut json = parse(r#"{"a": 1, "a": 2, "b": 3}"#);
        assert_eq!(json.remove("a"), Some(2_i64.into()));
        assert_eq!(json.remove("b"), Some(3_i64.into()));
        assert_eq!(json.remove("b"), None);
        assert_eq!(json, parse(r#"{"a": 1, "a": null}"#));
    }

    #[test]
    fn only_whole_numbers_spelled_as_such_are_integers() {
        let integers = [("0", 0), ("-7", -7), ("9223372036854775807", i64::MAX), ("-0", 0)];
        for (text, value) in integers {
            assert_eq!(parse(text).as_i64(), Some(value), "{text}");
        }
        for text in ["1.0", "1e3", "9223372036854775808", "\"1\"", "true", "null"] {
            assert_eq!(parse(text).as_i64(), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_object_has_no_keys() {
        let mut list = parse("[1]");
        assert_eq!(list.get("a"), None);
        list.set("a", Json::Null);
        assert_eq!(list.remove("a"), None);
        assert_eq!(list, parse("[1]"));
    }
}
