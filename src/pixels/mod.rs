//! Pixels in and out: image files decoded row by row within limits, and the five stored pixel formats.
//!
//! Everything here works on bytes that the caller has read: no file is opened. Decoded pixels are always
//! straight (not premultiplied) RGBA, 8 bits a channel, rows tightly packed, top row first.

pub mod alpha;
mod bleed;
pub mod convert;
pub mod decode;
mod dither;
pub mod encode;
pub mod error;
mod even;
pub mod key;
pub mod kind;
pub mod limits;
pub mod pack;
mod png_rows;
pub mod regions;
mod samples;
pub mod shrink;
pub mod unpack;
mod whole;

pub use alpha::AlphaScan;
pub use bleed::bleeding;
pub use convert::{Conversion, Converter, Part};
pub use decode::{ColorKind, ImageInfo, RowDecoder, decode_rgba, probe};
pub use encode::write_png;
pub use error::{DecodeError, NotAnImage};
pub use key::KeySpans;
pub use kind::ImageKind;
pub use limits::TooLarge;
pub use pack::pack_rows;
pub use regions::Regions;
pub use shrink::{Filter, Shrinker};
pub use unpack::unpack_rows;

#[cfg(test)]
mod convert_tests;
#[cfg(test)]
mod dither_tests;
#[cfg(test)]
mod shrink_tests;
