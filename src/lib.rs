//! Cutsheet, a desktop sprite-sheet editor. Levels, invariants and data flow are in `src/README.md`.

pub mod cli;
pub mod edit;
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
pub mod watch;

/// Stand-in until the window is here.
pub mod app {
    /// Start
    #[derive(Default)]
    pub struct Start {
        /// x
        pub quit_after_frames: Option<u32>,
    }
    impl Start {
        /// x
        pub fn with_default_prefs(_: Option<std::path::PathBuf>) -> Self {
            Self::default()
        }
    }
    /// Says so.
    pub fn run(_: Start) -> Result<(), String> {
        Err("not here yet".into())
    }
}
