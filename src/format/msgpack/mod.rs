//! `MessagePack` without loss: values keep the bytes they were read from, and what was changed is written in the smallest
//! of the encodings that the engine's parser knows (spec page "2DTX and sidecars", section 6.2).
//!
//! | a value that we spell | as |
//! |---|---|
//! | nothing, true, false | nil, bool |
//! | a whole number of at most 32 bits | the shortest of fixint, uint8/16/32, int8/16/32 |
//! | another number | float32 |
//! | a text of at most 65,535 bytes | the shortest of fixstr, str8, str16 |
//! | lists and maps | the shortest of fixarray, array16/32 and fixmap, map16/32 |
//!
//! Everything else (float64, 64-bit integers, bin, ext, texts that are not UTF-8) is only ever written with the bytes
//! that a file had.

mod read;
mod tag;
mod write;

#[cfg(test)]
pub(super) mod arbitrary;

pub(super) use read::list_items_of;
pub use read::{ReadError, ReadFault, read};
pub use write::{Refusal, RefusalReason, write};
pub(super) use write::{entry_refused, fits, key, list_head, map_head, place_in, place_words, value};

#[cfg(test)]
mod tests;
