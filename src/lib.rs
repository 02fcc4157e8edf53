//! Cutsheet, a desktop sprite-sheet editor. Levels, invariants and data flow are in `src/README.md`.

pub mod app;
pub mod cli;
pub mod dialogs;
pub mod edit;
pub mod export;
pub mod format;
pub mod fs_atomic;
pub mod geometry;
pub mod guid;
pub mod hash;
pub mod import;
pub mod model;
pub mod pixels;
pub mod registry;
pub mod runtime;
pub mod sample;
pub mod session;
pub mod sheet_file;
pub mod slicing;
pub mod texture;
pub mod ui;
pub mod watch;
