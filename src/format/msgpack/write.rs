//! Writes values: untouched ones with the bytes they had, the others in the smallest encoding that the engine knows.

use super::tag;
use crate::model::scene::{Data, MAX_DEPTH, Value};

/// The longest text that the engine reads, in bytes.
const MAX_TEXT: usize = 65_535;

/// Something that the engine could not read, and that is not written therefore.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}{reason}", place_words(place))]
pub struct Refusal {
    /// Where it is, such as `objects[2].name`; empty for the whole.
    pub place: String,
    /// What is wrong with it.
    pub reason: RefusalReason,
}

/// A place as messages begin with it.
pub(crate) fn place_words(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!("{place}: ") }
}

/// What the engine cannot read.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum RefusalReason {
    /// A whole number of more than 32 bits.
    #[error("{0} is beyond the 32 bits of the engine's whole numbers")]
    Integer(i128),
    /// A number beyond the largest float32.
    #[error("{0:e} is beyond the engine's numbers, which are float32")]
    Real(f64),
    /// A long text.
    #[error("the text has {0} bytes, and the engine reads at most {MAX_TEXT}")]
    Text(usize),
    /// A key of a map that is no text.
    #[error("a key of the map is {0}, and the engine has texts for keys")]
    Key(&'static str),
    /// A list or map of more than 32 bits' worth of values.
    #[error("{0} values are more than a list can have")]
    Count(usize),
    /// It lies in more lists and maps than the engine follows.
    #[error("it is more than {MAX_DEPTH} lists and maps deep, which is as far as the engine reads")]
    Depth,
    /// Objects below something that has something else in the place of their list.
    #[error("objects cannot be put here: the file has something else than a list of them")]
    NoList,
}

impl From<RefusalReason> for Refusal {
    fn from(reason: RefusalReason) -> Self {
        Self { place: String::new(), reason }
    }
}

/// The bytes of a value.
pub fn write(whole: &Value) -> Result<Vec<u8>, Refusal> {
    let mut out = Vec::new();
    value(&mut out, whole, MAX_DEPTH)?;
    Ok(out)
}

/// Adds the bytes of a value; lists and maps may be so deep in it.
pub(crate) fn value(out: &mut Vec<u8>, value: &Value, room: usize) -> Result<(), Refusal> {
    if let Some(spelled) = value.spelled() {
        // It may have been moved to a deeper place.
        if !fits(value, room) {
            return Err(RefusalReason::Depth.into());
        }
        out.extend_from_slice(spelled);
        return Ok(());
    }
    match value.data() {
        Data::Nil => out.push(tag::NIL),
        Data::Bool(is_so) => out.push(if *is_so { tag::TRUE } else { tag::FALSE }),
        Data::Integer(number) => integer(out, *number)?,
        Data::Real(number) => real(out, *number)?,
        Data::Text(content) => text(out, content)?,
        Data::Opaque(bytes) => out.extend_from_slice(bytes.as_slice()),
        Data::List(items) => {
            let room = room.checked_sub(1).ok_or(RefusalReason::Depth)?;
            list_head(out, items.len())?;
            for (index, item) in items.iter().enumerate() {
                self::value(out, item, room).map_err(item_refused(index))?;
            }
        }
        Data::Map(entries) => {
            let room = room.checked_sub(1).ok_or(RefusalReason::Depth)?;
            map_head(out, entries.len())?;
            for (name, item) in entries.iter() {
                key(out, name, room)?;
                self::value(out, item, room).map_err(entry_refused(name))?;
            }
        }
    }
    Ok(())
}

/// Whether lists and maps in a value are at most so deep.
pub(crate) fn fits(value: &Value, room: usize) -> bool {
    let Some(inner) = room.checked_sub(1) else {
        return !matches!(value.data(), Data::List(_) | Data::Map(_));
    };
    match value.data() {
        Data::List(items) => items.iter().all(|item| fits(item, inner)),
        Data::Map(entries) => entries.iter().all(|(key, item)| fits(key, inner) && fits(item, inner)),
        _ => true,
    }
}

/// Adds the key of a map.
pub(crate) fn key(out: &mut Vec<u8>, key: &Value, room: usize) -> Result<(), Refusal> {
    if key.spelled().is_none() && key.as_text().is_none() {
        return Err(RefusalReason::Key(key.kind()).into());
    }
    value(out, key, room)
}

/// Puts a position in a list before the place of what was refused there.
pub(crate) fn item_refused(index: usize) -> impl FnOnce(Refusal) -> Refusal {
    move |Refusal { place, reason }| Refusal { place: place_in(&format!("[{index}]"), &place), reason }
}

/// Puts a key of a map before the place of what was refused there.
pub(crate) fn entry_refused(key: &Value) -> impl FnOnce(Refusal) -> Refusal {
    move |Refusal { place, reason }| Refusal { place: place_in(key.as_text().unwrap_or("?"), &place), reason }
}

/// The place of something in something that has a place.
pub(crate) fn place_in(outer: &str, inner: &str) -> String {
    let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
    format!("{outer}{dot}{inner}")
}

/// Adds what stands before the values of a list.
pub(crate) fn list_head(out: &mut Vec<u8>, count: usize) -> Result<(), RefusalReason> {
    head(out, count, [tag::FIXARRAY, tag::ARRAY_16, tag::ARRAY_32])
}

/// Adds what stands before the keys and values of a map.
pub(crate) fn map_head(out: &mut Vec<u8>, count: usize) -> Result<(), RefusalReason> {
    head(out, count, [tag::FIXMAP, tag::MAP_16, tag::MAP_32])
}

fn head(out: &mut Vec<u8>, count: usize, [small, medium, large]: [u8; 3]) -> Result<(), RefusalReason> {
    if count < 16 {
        out.push(small + count as u8);
    } else if let Ok(count) = u16::try_from(count) {
        tagged(out, medium, &count.to_be_bytes());
    } else {
        let count = u32::try_from(count).ok().ok_or(RefusalReason::Count(count))?;
        tagged(out, large, &count.to_be_bytes());
    }
    Ok(())
}

fn tagged(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    out.extend_from_slice(bytes);
}

/// Numbers without a sign in the shortest form for those without, the others in the shortest with one.
fn integer(out: &mut Vec<u8>, number: i128) -> Result<(), RefusalReason> {
    if let Ok(number) = u8::try_from(number) {
        match number {
            tag::POSITIVE_FIXINT..tag::FIXMAP => out.push(number),
            _ => tagged(out, tag::UINT_8, &[number]),
        }
    } else if let Ok(number) = u16::try_from(number) {
        tagged(out, tag::UINT_16, &number.to_be_bytes());
    } else if let Ok(number) = u32::try_from(number) {
        tagged(out, tag::UINT_32, &number.to_be_bytes());
    } else if let Ok(number) = i8::try_from(number) {
        match number {
            -32..=-1 => out.push(number as u8),
            _ => tagged(out, tag::INT_8, &number.to_be_bytes()),
        }
    } else if let Ok(number) = i16::try_from(number) {
        tagged(out, tag::INT_16, &number.to_be_bytes());
    } else {
        let number = i32::try_from(number).ok().ok_or(RefusalReason::Integer(number))?;
        tagged(out, tag::INT_32, &number.to_be_bytes());
    }
    Ok(())
}

fn real(out: &mut Vec<u8>, number: f64) -> Result<(), RefusalReason> {
    let written = number as f32;
    if number.is_finite() && written.is_infinite() {
        return Err(RefusalReason::Real(number));
    }
    tagged(out, tag::FLOAT_32, &written.to_be_bytes());
    Ok(())
}

fn text(out: &mut Vec<u8>, text: &str) -> Result<(), RefusalReason> {
    match text.len() {
        length @ 0..32 => out.push(tag::FIXSTR + length as u8),
        length @ 32..256 => tagged(out, tag::STR_8, &[length as u8]),
        length @ 256..=MAX_TEXT => tagged(out, tag::STR_16, &(length as u16).to_be_bytes()),
        length => return Err(RefusalReason::Text(length)),
    }
    out.extend_from_slice(text.as_bytes());
    Ok(())
}
