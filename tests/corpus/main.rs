//! The product against real sheets, hostile files and the PNG conformance images.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work has failed")]

#[path = "../common/mod.rs"]
mod common;

mod hostile;
mod images;
mod sheets;
mod sidecars;
mod slicing;
mod textures;
