//! Reads values with the bytes they have in the file. What a file announces is believed only as far as it has bytes.

use std::collections::HashSet;
use std::sync::Arc;

use super::tag;
use crate::model::scene::{Bytes, Data, MAX_DEPTH, Value};

/// Why bytes are no `MessagePack` value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {fault}")]
pub struct ReadError {
    /// Where the value at fault begins, in bytes from the beginning of the file.
    pub offset: usize,
    /// What is wrong with it.
    pub fault: ReadFault,
}

/// What can be wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// There is no value where one should be.
    #[error("the file ends where a value should begin")]
    Missing,
    /// The value is longer than what is left of the file.
    #[error("{what} of {announced} bytes begins here, and the file ends before it does")]
    CutShort {
        /// What it is, with its article.
        what: &'static str,
        /// Its length in bytes.
        announced: u64,
    },
    /// A list or a map announces more values than there are bytes left.
    #[error("{announced} {what} are announced here, more than the rest of the file can hold")]
    TooMany {
        /// What they are.
        what: &'static str,
        /// So many.
        announced: u64,
    },
    /// It lies in more lists and maps than the engine follows.
    #[error("lists and maps are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// It begins with the one byte that begins no value.
    #[error("c1 is a byte that no value begins with")]
    NoValue,
}

/// Reads the value at the beginning of a file, and says where it ends.
///
/// Takes no more memory than in proportion to the file, whatever the file announces.
pub fn read(file: &Arc<[u8]>) -> Result<(Value, usize), ReadError> {
    let mut reader = Reader { file, at: 0, keys: HashSet::new() };
    let value = reader.value(MAX_DEPTH)?;
    Ok((value, reader.at))
}

/// The bytes of a list that is one without those that say so and count: the bytes of its values.
pub(crate) fn list_items_of(list: &[u8]) -> Option<&[u8]> {
    let head = match *list.first()? {
        tag::FIXARRAY..tag::FIXSTR => 1,
        tag::ARRAY_16 => 3,
        tag::ARRAY_32 => 5,
        _ => return None,
    };
    list.get(head..)
}

struct Reader<'a> {
    file: &'a Arc<[u8]>,
    at: usize,
    /// The keys so far. A scene has the same few thousands of times, which are held once.
    keys: HashSet<Arc<str>>,
}

/// So much room is made for what a list or a map announces; for more when it is there. Lists in lists could each announce
/// the rest of the file.
const ROOM_AHEAD: u64 = 16;

/// Something before its place in the file is known.
type Found<T> = Result<T, ReadFault>;

impl Reader<'_> {
    fn left(&self) -> usize {
        self.file.len().saturating_sub(self.at)
    }

    /// A value; lists and maps may be so deep in it.
    fn value(&mut self, room: usize) -> Result<Value, ReadError> {
        let start = self.at;
        let head = self.head();
        let data = match head.map_err(|fault| ReadError { offset: start, fault })? {
            Head::Whole(data) => data,
            Head::Carried => Data::Opaque(Bytes::of(self.file, start..self.at)),
            Head::List(_) | Head::Map(_) if room == 0 => {
                return Err(ReadError { offset: start, fault: ReadFault::TooDeep });
            }
            Head::List(count) => {
                let mut items = Vec::with_capacity(count.min(ROOM_AHEAD) as usize);
                for _ in 0..count {
                    items.push(self.value(room - 1)?);
                }
                Data::List(items.into())
            }
            Head::Map(count) => {
                let mut entries = Vec::with_capacity(count.min(ROOM_AHEAD) as usize);
                for _ in 0..count {
                    entries.push((self.key(room - 1)?, self.value(room - 1)?));
                }
                Data::Map(entries.into())
            }
        };
        Ok(Value::read(data, Bytes::of(self.file, start..self.at)))
    }

    /// A key, which mostly is a short text that was there before.
    fn key(&mut self, room: usize) -> Result<Value, ReadError> {
        let (file, start) = (self.file, self.at);
        let length = match file.get(start) {
            Some(&first @ tag::FIXSTR..tag::NIL) => usize::from(first - tag::FIXSTR),
            _ => return self.value(room),
        };
        let bytes = file.get(start + 1..start + 1 + length);
        let Some(text) = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
            return self.value(room);
        };
        let held = self.keys.get(text).cloned().unwrap_or_else(|| {
            let new: Arc<str> = text.into();
            self.keys.insert(new.clone());
            new
        });
        self.at = start + 1 + length;
        Ok(Value::read(Data::Text(held), Bytes::of(file, start..self.at)))
    }

    /// The tag and what belongs to it; of lists and maps the number of values, which are still to be read.
    fn head(&mut self) -> Found<Head> {
        let Some(&first) = self.file.get(self.at) else { return Err(ReadFault::Missing) };
        self.at += 1;
        let whole = |number: i128| Ok(Head::Whole(Data::Integer(number)));
        match first {
            tag::POSITIVE_FIXINT..tag::FIXMAP => whole(first.into()),
            tag::FIXMAP..tag::FIXARRAY => self.map(u64::from(first - tag::FIXMAP)),
            tag::FIXARRAY..tag::FIXSTR => self.list(u64::from(first - tag::FIXARRAY)),
            tag::FIXSTR..tag::NIL => self.text(u64::from(first - tag::FIXSTR)),
            tag::NIL => Ok(Head::Whole(Data::Nil)),
            tag::NEVER_USED => Err(ReadFault::NoValue),
            tag::FALSE => Ok(Head::Whole(Data::Bool(false))),
            tag::TRUE => Ok(Head::Whole(Data::Bool(true))),
            tag::BIN_8..=tag::BIN_32 => {
                let length = self.number(1 << (first - tag::BIN_8))?;
                self.carried(length)
            }
            // The type's byte is not in the length.
            tag::EXT_8..=tag::EXT_32 => {
                let length = self.number(1 << (first - tag::EXT_8))?;
                self.carried(length + 1)
            }
            tag::FIXEXT_1..=tag::FIXEXT_16 => self.carried((1 << (first - tag::FIXEXT_1)) + 1),
            tag::FLOAT_32 => {
                let number = f32::from_bits(self.number(4)? as u32);
                Ok(Head::Whole(Data::Real(number.into())))
            }
            tag::FLOAT_64 => Ok(Head::Whole(Data::Real(f64::from_bits(self.number(8)?)))),
            tag::UINT_8..=tag::UINT_64 => whole(self.number(1 << (first - tag::UINT_8))?.into()),
            tag::INT_8 => whole((self.number(1)? as i8).into()),
            tag::INT_16 => whole((self.number(2)? as i16).into()),
            tag::INT_32 => whole((self.number(4)? as i32).into()),
            tag::INT_64 => whole((self.number(8)? as i64).into()),
            tag::STR_8..=tag::STR_32 => {
                let length = self.number(1 << (first - tag::STR_8))?;
                self.text(length)
            }
            tag::ARRAY_16 | tag::ARRAY_32 => {
                let count = self.number(if first == tag::ARRAY_16 { 2 } else { 4 })?;
                self.list(count)
            }
            tag::MAP_16 | tag::MAP_32 => {
                let count = self.number(if first == tag::MAP_16 { 2 } else { 4 })?;
                self.map(count)
            }
            tag::NEGATIVE_FIXINT..=u8::MAX => whole((first as i8).into()),
        }
    }

    fn take(&mut self, what: &'static str, length: u64) -> Found<&[u8]> {
        let cut_short = ReadFault::CutShort { what, announced: length };
        let length = usize::try_from(length).ok().filter(|length| *length <= self.left()).ok_or(cut_short)?;
        self.at += length;
        self.file.get(self.at - length..self.at).ok_or(cut_short)
    }

    /// A number of at most 8 bytes, the highest first.
    fn number(&mut self, length: u64) -> Found<u64> {
        let bytes = self.take("a number", length)?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// A text, or its bytes when it is none.
    fn text(&mut self, length: u64) -> Found<Head> {
        let bytes = self.take("a text", length)?;
        Ok(std::str::from_utf8(bytes).map_or(Head::Carried, |text| Head::Whole(Data::Text(text.into()))))
    }

    fn carried(&mut self, length: u64) -> Found<Head> {
        self.take("a block of bytes", length).map(|_| Head::Carried)
    }

    fn list(&self, count: u64) -> Found<Head> {
        self.can_hold("values", count, 1).map(|()| Head::List(count))
    }

    fn map(&self, count: u64) -> Found<Head> {
        self.can_hold("keys", count, 2).map(|()| Head::Map(count))
    }

    /// A value takes a byte at least.
    fn can_hold(&self, what: &'static str, announced: u64, bytes_each: u64) -> Found<()> {
        let is_held = announced * bytes_each <= self.left() as u64;
        is_held.then_some(()).ok_or(ReadFault::TooMany { what, announced })
    }
}

enum Head {
    /// The value.
    Whole(Data),
    /// A value that is only carried along.
    Carried,
    /// So many values follow.
    List(u64),
    /// So many keys with their values follow.
    Map(u64),
}
