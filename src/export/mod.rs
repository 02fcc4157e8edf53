//! What a game gets, and what other programs do: frames as pictures of their own.

mod file_names;
pub mod frames;
