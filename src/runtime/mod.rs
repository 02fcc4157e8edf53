//! What a game does with what we make: load a texture, find a frame, decode what it would draw, draw a scene.
//!
//! It follows the engine's loader rule by rule, so that a preview made from it is what a device shows. A window asks a
//! [`Memo`] for the draw list, keeps textures and pictures by their keys, and draws the items itself; [`Stage`] does all of it at
//! once.

pub mod compose;
pub mod fault;
pub mod picture;
pub mod raster;
pub mod resolve;
pub mod scene;
pub mod stage;
pub mod texture;

#[cfg(test)]
mod scene_tests;
#[cfg(test)]
mod testing;

pub use crate::model::scene::{Affine, Point};
pub use compose::{Plan, compose, compose_region};
pub use fault::Fault;
pub use picture::{Fill, Picture, PictureKey};
pub use raster::{TooLarge, render, world_to_pixels};
pub use resolve::{Region, Shown, region, texture_of};
pub use scene::{Bounds, Item, Loaded, Memo, draw_list, item_at};
pub use stage::Stage;
pub use texture::{LoadError, Texture, file_of, stored_region};
