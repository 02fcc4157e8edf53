//! Between a sidecar and a sheet: what the stored numbers mean for an image of a certain size, and how a sheet is
//! stored. The window and the headless commands both go through here, so that they see the same frames and say
//! the same problems.

mod found;
mod ink;
mod key;
mod problems;
mod read;
mod stored;
mod write;

pub use ink::{drawn_frames, ink_problems};
pub use key::key_problems;
pub use problems::{OF_THE_SHEET, problems};
pub use read::read;
pub use stored::{OF_THE_STORED, alpha_problems, stored_problems};
pub use write::write;

#[cfg(test)]
mod tests;
