//! The product against real sheets, hostile files and the PNG conformance images.

#[path = "../common/mod.rs"]
mod common;

mod hostile;
mod images;
mod sheets;
mod sidecars;
mod textures;
