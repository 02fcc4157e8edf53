//! The product as its users meet it: the real program, a running project, and the window by its labels.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work has failed")]

mod canvas;
mod device;
mod editing;
mod export;
mod export_window;
mod files;
mod files_window;
mod frame_files;
mod frames;
mod harness;
mod headless;
mod headless_scene;
mod home;
mod looks;
mod max_size;
mod nine_slice;
mod problems;
mod resized;
mod running;
mod saves;
mod scene_import;
mod scenes;
mod sessions;
mod spec_reader;
mod stored;
mod window;
