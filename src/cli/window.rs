//! The window, or why there is none.

use std::path::PathBuf;
use std::process::ExitCode;

use super::complain;
use crate::app::Start;

const HEADLESS_HINT: &str = "Without a display these commands work: cutsheet import, check, inspect, slice, scene. \
                             See cutsheet --help.";

/// Opens the window on a project: the one named, else the current folder when it has `assets/`.
pub(super) fn run(path: Option<PathBuf>, quit_after_frames: Option<u32>) -> ExitCode {
    if let Some(why) = missing_display() {
        complain(&format!("No window: {why}. {HEADLESS_HINT}"));
        return ExitCode::FAILURE;
    }
    let path = path.or_else(current_project);
    let start = Start { quit_after_frames, ..Start::with_default_prefs(path) };
    match crate::app::run(start) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            complain(&format!("No window: {why}. {HEADLESS_HINT}"));
            ExitCode::FAILURE
        }
    }
}

fn current_project() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.join("assets").is_dir().then_some(here)
}

/// Only Linux and its like can be without one.
fn missing_display() -> Option<&'static str> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let needs_display = cfg!(all(unix, not(target_os = "macos")));
    (needs_display && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY"))
        .then_some("neither DISPLAY nor WAYLAND_DISPLAY is set")
}
