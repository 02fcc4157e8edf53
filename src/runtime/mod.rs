//! What a game does with what we make: load a texture, find a frame, decode what it would draw.
//!
//! It follows the engine's loader rule by rule, so that a preview made from it is what a device shows.

pub mod texture;

pub use texture::{LoadError, Texture, file_of};
