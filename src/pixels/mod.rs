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
mod key;
pub mod kind;
pub mod limits;
pub mod pack;
mod part;
mod png_rows;
mod regions;
mod samples;
pub mod shrink;
pub mod unpack;
mod whole;

pub use alpha::AlphaScan;
pub use bleed::bleeding;
pub use convert::{Conversion, Converted, Converter};
pub use decode::{ColorKind, ImageInfo, RowDecoder, decode_rgba, probe};
pub use encode::write_png;
pub use error::{DecodeError, NotAnImage};
pub use kind::ImageKind;
pub use limits::TooLarge;
pub use pack::pack_rows;
pub use part::{Part, Whole};
pub use shrink::{Filter, Shrinker};
pub use unpack::unpack_rows;
