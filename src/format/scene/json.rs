//! A scene's file as JSON: exactly its keys and nesting, and back again.
//!
//! What JSON has no words for (bin, ext, texts that are not UTF-8, maps with other keys than texts, numbers that are none)
//! is `{"$msgpack": "…"}` with its bytes in base64. Whole numbers are spelled without a point or an exponent, all other
//! numbers with one; back again the first become the smallest integer encoding and the others float32. What is equal to
//! what the file has keeps the file's bytes.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{SceneError, root};
use crate::format::json::Json;
use crate::format::msgpack::{self, Refusal, place_in, place_words};
use crate::model::scene::{Data, Value};

/// The key of bytes in base64. A map of a file that has it is itself written as bytes.
const PACKED: &str = "$msgpack";

/// Why JSON gives no file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FromJsonError {
    /// The file that is there is none that could be replaced.
    #[error(transparent)]
    File(#[from] SceneError),
    /// The JSON is something else than an object.
    #[error("a scene is a JSON object, but this is {0}")]
    NotAnObject(&'static str),
    /// Something in the JSON cannot be written.
    #[error("{0}")]
    Refused(Unwritable),
}

/// Something in JSON that cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{why}", place_words(place))]
pub struct Unwritable {
    /// Where it is, such as `objects[2].name`; empty for the whole.
    pub place: String,
    /// What is wrong with it.
    pub why: String,
}

impl From<Refusal> for Unwritable {
    fn from(Refusal { place, reason }: Refusal) -> Self {
        Self { place, why: reason.to_string() }
    }
}

impl Unwritable {
    fn here(why: impl Into<String>) -> Self {
        Self { place: String::new(), why: why.into() }
    }

    fn below(self, outer: &str) -> Self {
        Self { place: place_in(outer, &self.place), ..self }
    }
}

/// A value as JSON. Fails for values that were not read from a file and cannot be written to one.
pub fn to_json(value: &Value) -> Result<Json, Refusal> {
    match value.data() {
        Data::Nil => Ok(Json::Null),
        Data::Bool(is_so) => Ok(Json::Bool(*is_so)),
        Data::Integer(number) => Ok(Json::Number(number.to_string())),
        Data::Real(number) if number.is_finite() => Ok(Json::Number(real_words(*number))),
        Data::Text(text) => Ok(Json::String(text.to_string())),
        Data::List(items) => Ok(Json::Array(items.iter().map(to_json).collect::<Result<_, _>>()?)),
        Data::Map(entries)
            if entries.iter().all(|(key, _)| key.as_text().is_some_and(|key| key != PACKED)) =>
        {
            let entry = |(key, value): &(Value, Value)| {
                Ok::<_, Refusal>((key.as_text().unwrap_or_default().to_owned(), to_json(value)?))
            };
            Ok(Json::Object(entries.iter().map(entry).collect::<Result<_, _>>()?))
        }
        Data::Real(_) | Data::Map(_) | Data::Opaque(_) => {
            let text = BASE64.encode(msgpack::write(value)?);
            Ok(Json::Object(vec![(PACKED.to_owned(), Json::String(text))]))
        }
    }
}

/// The shortest number that is the same as float32, or as float64 if only that holds it. Always with a point or an
/// exponent.
fn real_words(number: f64) -> String {
    let single = number as f32;
    if f64::from(single) == number { format!("{single:?}") } else { format!("{number:?}") }
}

/// The bytes of a scene's file from its JSON. `file` is the one to be replaced: lists and maps that it has, wherever,
/// and values that it has in the same place are written with its bytes; an equal whole is the file itself.
pub fn from_json(json: &Json, file: Option<&Arc<[u8]>>) -> Result<Vec<u8>, FromJsonError> {
    let json = with_equal_numbers(json);
    let old = file.map(root).transpose()?.map(|(root, _)| root);
    let old_json = old.as_ref().map(to_json).transpose().map_err(|why| FromJsonError::Refused(why.into()))?;
    let old = old.zip(old_json.as_ref().map(with_equal_numbers));
    let old = old.as_ref().map(|(value, json)| (json, value));
    if let (Some(file), Some((old_json, _))) = (file, old)
        && *old_json == json
    {
        return Ok(file.to_vec());
    }
    let mut weaver = Weaver::default();
    if let Some((json, value)) = old {
        weaver.learn(json, value);
    }
    let value = weaver.value(&json, old).map_err(FromJsonError::Refused)?;
    if value.entries().is_none() {
        return Err(FromJsonError::NotAnObject(value.kind()));
    }
    msgpack::write(&value).map_err(|why| FromJsonError::Refused(why.into()))
}

/// The same tree with equal numbers spelled alike, so that they are equal as JSON: `1e1` and `10.0`, but not `10`.
fn with_equal_numbers(json: &Json) -> Json {
    match json {
        Json::Number(text) => Json::Number(if is_whole(text) {
            text.parse::<i128>().map_or_else(|_| text.clone(), |number| number.to_string())
        } else {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.map_or_else(|| text.clone(), |number| format!("{number:?}"))
        }),
        Json::Array(items) => Json::Array(items.iter().map(with_equal_numbers).collect()),
        Json::Object(entries) => Json::Object(
            entries.iter().map(|(key, value)| (key.clone(), with_equal_numbers(value))).collect(),
        ),
        other => other.clone(),
    }
}

fn is_whole(number: &str) -> bool {
    !number.contains(['.', 'e', 'E'])
}

/// Makes values of JSON, with the bytes of a file where it has the same.
#[derive(Default)]
struct Weaver<'a> {
    /// The lists and maps of the file; of equal ones the first.
    known: HashMap<&'a Json, &'a Value>,
}

impl<'a> Weaver<'a> {
    fn learn(&mut self, json: &'a Json, value: &'a Value) {
        match (json, value.data()) {
            (Json::Array(parts), Data::List(items)) if !parts.is_empty() => {
                self.known.entry(json).or_insert(value);
                parts.iter().zip(items.iter()).for_each(|(json, value)| self.learn(json, value));
            }
            (Json::Object(parts), Data::Map(entries)) if !parts.is_empty() && json.get(PACKED).is_none() => {
                self.known.entry(json).or_insert(value);
                parts.iter().zip(entries.iter()).for_each(|((_, json), (_, value))| self.learn(json, value));
            }
            _ => {}
        }
    }

    /// The value of JSON; `old` is what the file has in its place.
    fn value(&self, json: &Json, old: Option<(&Json, &Value)>) -> Result<Value, Unwritable> {
        if let Some((_, value)) = old.filter(|(old, _)| *old == json) {
            return Ok(value.clone());
        }
        if let Some(value) = self.known.get(json) {
            return Ok(Value::clone(value));
        }
        match json {
            Json::Null => Ok(Data::Nil.into()),
            Json::Bool(is_so) => Ok((*is_so).into()),
            Json::Number(text) => number(text),
            Json::String(text) => Ok(text.as_str().into()),
            Json::Array(items) => self.list(items, old),
            Json::Object(_) if json.get(PACKED).is_some() => unpacked(json),
            Json::Object(entries) => self.map(entries, old),
        }
    }

    /// An item's place in the file is that of the map with the same id, of others the same position.
    fn list(&self, items: &[Json], old: Option<(&Json, &Value)>) -> Result<Value, Unwritable> {
        let (old_items, old_values) =
            old.and_then(|(json, value)| Some((json.as_array()?, value.items()?))).unwrap_or_default();
        let ids: HashMap<_, _> =
            old_items.iter().enumerate().filter_map(|(index, item)| Some((item.get("id")?, index))).collect();
        let item = |(index, item): (usize, &Json)| {
            let place = item.get("id").and_then(|id| ids.get(id).copied()).unwrap_or(index);
            let old = old_items.get(place).zip(old_values.get(place));
            self.value(item, old).map_err(|why| why.below(&format!("[{index}]")))
        };
        items.iter().enumerate().map(item).collect()
    }

    /// An entry's place in the file is that of the same key, of repeated keys in their order.
    fn map(&self, entries: &[(String, Json)], old: Option<(&Json, &Value)>) -> Result<Value, Unwritable> {
        let (parts, old_entries) =
            old.and_then(|(json, value)| Some((json.as_object()?, value.entries()?))).unwrap_or_default();
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, (key, _)) in parts.iter().enumerate().rev() {
            places.entry(key).or_default().push(index);
        }
        let mut map = Vec::with_capacity(entries.len());
        for (key, json) in entries {
            let place = places.get_mut(key.as_str()).and_then(Vec::pop);
            let old = place.and_then(|place| parts.get(place).zip(old_entries.get(place)));
            let (name, old) = match old {
                Some(((_, old_json), (name, value))) => (name.clone(), Some((old_json, value))),
                None => (key.as_str().into(), None),
            };
            map.push((name, self.value(json, old).map_err(|why| why.below(key))?));
        }
        Ok(Data::Map(map.into()).into())
    }
}

fn number(text: &str) -> Result<Value, Unwritable> {
    if is_whole(text) {
        let whole = text.parse().ok().filter(|number| (i32::MIN.into()..=u32::MAX.into()).contains(number));
        let why = || Unwritable::here(format!("{text} is beyond the 32 bits of the engine's whole numbers"));
        return whole.map(|number: i128| Data::Integer(number).into()).ok_or_else(why);
    }
    let real = text.parse::<f32>().ok().filter(|number| number.is_finite());
    let why = || Unwritable::here(format!("{text} is beyond the engine's numbers, which are float32"));
    real.map(Value::from).ok_or_else(why)
}

/// The value whose bytes an object holds.
fn unpacked(json: &Json) -> Result<Value, Unwritable> {
    let Some([(_, Json::String(text))]) = json.as_object() else {
        return Err(Unwritable::here(format!(
            "{PACKED} stands alone in its object, and is a text in base64"
        )));
    };
    let bytes =
        BASE64.decode(text).map_err(|why| Unwritable::here(format!("{PACKED} is no base64: {why}")))?;
    let file: Arc<[u8]> = bytes.into();
    match msgpack::read(&file) {
        Ok((value, end)) if end == file.len() => Ok(value),
        Ok((_, end)) => {
            Err(Unwritable::here(format!("{PACKED} holds more than one value, which ends at byte {end}")))
        }
        Err(why) => Err(Unwritable::here(format!("{PACKED} is no MessagePack: {why}"))),
    }
}
