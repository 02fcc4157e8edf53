//! A value of a scene's file. Most of what a scene holds is other programs' business: it is kept as it is, and what
//! nobody changed is written back with the bytes it had.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A part of a file's bytes; the file is held once for all its parts.
#[derive(Clone)]
pub struct Bytes {
    file: Arc<[u8]>,
    range: Range<usize>,
}

impl Bytes {
    /// A part of `file`; what lies beyond its end is left out.
    pub fn of(file: &Arc<[u8]>, range: Range<usize>) -> Self {
        let end = range.end.min(file.len());
        Self { file: file.clone(), range: range.start.min(end)..end }
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        &self.file[self.range.clone()]
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({:02x?})", self.as_slice())
    }
}

/// What a value says.
#[derive(Debug, Clone)]
pub enum Data {
    /// Nothing.
    Nil,
    /// Yes or no.
    Bool(bool),
    /// A whole number of at most 64 bits.
    Integer(i128),
    /// A number that was stored with a fraction, or may have one.
    Real(f64),
    /// Text.
    Text(Arc<str>),
    /// Values in their order.
    List(Arc<[Value]>),
    /// Keys and values in their order; a key is mostly text and may be there twice.
    Map(Arc<[(Value, Value)]>),
    /// Something that we only carry along, as it was spelled.
    Opaque(Bytes),
}

impl PartialEq for Data {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nil, Self::Nil) => true,
            (Self::Bool(one), Self::Bool(other)) => one == other,
            (Self::Integer(one), Self::Integer(other)) => one == other,
            // No number is another one for the sake of equality: a file can hold one that is none.
            (Self::Real(one), Self::Real(other)) => one.to_bits() == other.to_bits(),
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::List(one), Self::List(other)) => Arc::ptr_eq(one, other) || one == other,
            (Self::Map(one), Self::Map(other)) => Arc::ptr_eq(one, other) || one == other,
            (Self::Opaque(one), Self::Opaque(other)) => one == other,
            _ => false,
        }
    }
}

/// A value, and how the file spells it as long as nothing in it was changed. Two values are equal when they say the
/// same.
#[derive(Debug, Clone)]
pub struct Value {
    data: Data,
    spelled: Option<Bytes>,
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}

impl From<Data> for Value {
    fn from(data: Data) -> Self {
        Self { data, spelled: None }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Data::Text(text.into()).into()
    }
}

impl From<bool> for Value {
    fn from(is_so: bool) -> Self {
        Data::Bool(is_so).into()
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Data::Integer(number.into()).into()
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Data::Integer(number.into()).into()
    }
}

impl From<f32> for Value {
    fn from(number: f32) -> Self {
        Data::Real(number.into()).into()
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Self>>(values: I) -> Self {
        Data::List(values.into_iter().collect()).into()
    }
}

impl Value {
    /// A value as it was read, with its bytes.
    pub fn read(data: Data, spelled: Bytes) -> Self {
        Self { data, spelled: Some(spelled) }
    }

    /// A map with these keys.
    pub fn map<K: AsRef<str>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Data::Map(entries.into_iter().map(|(key, value)| (key.as_ref().into(), value)).collect()).into()
    }

    /// What it says.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// How the file spells it, when it is as it was read.
    pub fn spelled(&self) -> Option<&[u8]> {
        self.spelled.as_ref().map(Bytes::as_slice)
    }

    /// The value of a key; of a repeated one the last, as most readers have it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries()?.iter().rev().find(|(name, _)| name.as_text() == Some(key)).map(|(_, value)| value)
    }

    /// The entries of a map.
    pub fn entries(&self) -> Option<&[(Self, Self)]> {
        match &self.data {
            Data::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The values of a list.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text, to be held without a copy.
    pub const fn shared_text(&self) -> Option<&Arc<str>> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Yes or no.
    pub const fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(is_so) => Some(is_so),
            _ => None,
        }
    }

    /// A whole number of 32 bits with a sign.
    pub fn as_i32(&self) -> Option<i32> {
        match self.data {
            Data::Integer(number) => i32::try_from(number).ok(),
            _ => None,
        }
    }

    /// A number, whole or not, that is one.
    pub fn as_f32(&self) -> Option<f32> {
        let number = match self.data {
            Data::Integer(number) => number as f32,
            Data::Real(number) => number as f32,
            _ => return None,
        };
        number.is_finite().then_some(number)
    }

    /// The same map with another value for a key, in its place or at the end. What is no map stays what it is.
    #[must_use]
    pub fn with(&self, key: &str, value: Self) -> Self {
        let Some(entries) = self.entries() else { return self.clone() };
        let mut entries = entries.to_vec();
        match entries.iter_mut().rev().find(|(name, _)| name.as_text() == Some(key)) {
            Some((_, old)) if *old == value => return self.clone(),
            Some((_, old)) => *old = value,
            None => entries.push((key.into(), value)),
        }
        Data::Map(entries.into()).into()
    }

    /// The list of a key, and the map with an empty list in its place. Both keep the spelling of the whole, so that
    /// whoever puts them together again can tell whether they are what they were. `None` where there is no list.
    pub fn take_items(&self, key: &str) -> Option<(Self, Arc<[Self]>)> {
        let mut entries = self.entries()?.to_vec();
        let (_, value) = entries.iter_mut().rev().find(|(name, _)| name.as_text() == Some(key))?;
        let Data::List(items) = std::mem::replace(&mut value.data, Data::List(Arc::default())) else {
            return None;
        };
        Some((Self { data: Data::Map(entries.into()), spelled: self.spelled.clone() }, items))
    }

    /// The same map without a key.
    #[must_use]
    pub fn without(&self, key: &str) -> Self {
        if self.get(key).is_none() {
            return self.clone();
        }
        let entries = self.entries().into_iter().flatten();
        let rest = entries.filter(|(name, _)| name.as_text() != Some(key)).cloned();
        Data::Map(rest.collect()).into()
    }

    /// What it is, with its article, for messages.
    pub const fn kind(&self) -> &'static str {
        match self.data {
            Data::Nil => "nothing",
            Data::Bool(_) => "true or false",
            Data::Integer(_) => "a whole number",
            Data::Real(_) => "a number",
            Data::Text(_) => "a text",
            Data::List(_) => "a list",
            Data::Map(_) => "a map",
            Data::Opaque(_) => "bytes",
        }
    }

    /// About how many bytes it holds in memory.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + match &self.data {
                Data::Text(text) => text.len(),
                Data::List(items) => items.iter().map(Self::memory_bytes).sum(),
                Data::Map(entries) => {
                    entries.iter().map(|(key, value)| key.memory_bytes() + value.memory_bytes()).sum()
                }
                _ => 0,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_map_has_no_spelling_and_its_other_values_keep_theirs() {
        let file: Arc<[u8]> = [0xc3].into();
        let read = Value::read(Data::Bool(true), Bytes::of(&file, 0..1));
        let map = Value::map([("kept", read), ("changed", 1.into())]);
        let changed = map.with("changed", 2.into());
        assert_eq!(changed.spelled(), None);
        assert_eq!(changed.get("kept").and_then(Value::spelled), Some(&[0xc3][..]));
        assert_eq!(changed.get("changed"), Some(&2.into()));
        assert_eq!(changed.with("changed", 1.into()), map);
    }

    #[test]
    fn of_a_repeated_key_the_last_counts() {
        let map = Value::map([("a", 1.into()), ("b", 2.into()), ("a", 3.into())]);
        assert_eq!(map.get("a"), Some(&3.into()));
        assert_eq!(map.with("a", 4.into()).entries().unwrap().len(), 3);
        assert_eq!(map.without("a"), Value::map([("b", 2.into())]));
    }

    #[test]
    fn a_list_is_taken_out_of_its_map_and_both_keep_their_spelling() {
        // {"a": [1], "b": 2}
        let file: Arc<[u8]> = [0x82, 0xa1, b'a', 0x91, 1, 0xa1, b'b', 2].into();
        let list = Value::read(Data::List([1.into()].into()), Bytes::of(&file, 3..5));
        let map = Data::Map([("a".into(), list), ("b".into(), 2.into())].into());
        let (rest, items) = Value::read(map, Bytes::of(&file, 0..8)).take_items("a").unwrap();
        assert_eq!(*items, [1.into()]);
        assert_eq!(rest, Value::map([("a", [].into_iter().collect()), ("b", 2.into())]));
        assert_eq!(rest.spelled(), Some(&*file));
        assert_eq!(rest.get("a").and_then(Value::spelled), Some(&[0x91, 1][..]));
        assert!(rest.take_items("b").is_none() && rest.take_items("c").is_none());
    }

    #[test]
    fn numbers_that_are_none_are_not_read_as_numbers() {
        assert_eq!(Value::from(f32::NAN).as_f32(), None);
        assert_eq!(Value::from(f32::INFINITY).as_f32(), None);
        assert_eq!(Value::from(Data::Integer(1 << 40)).as_i32(), None);
        assert_eq!(Value::from(7).as_f32(), Some(7.0));
    }
}
