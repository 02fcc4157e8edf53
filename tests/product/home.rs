//! Tests that use the system's trash, each in a process of its own whose home is a folder that goes away afterwards.

use std::path::{Path, PathBuf};
use std::process::Command;

const MARK: &str = "CUTSHEET_TEST_HOME";

/// Runs a test once more in a process of its own with such a home; there the home is returned, and the test goes on.
pub(crate) fn in_own_home(test: &str, has_home: bool) -> Option<PathBuf> {
    if let Some(home) = std::env::var_os(MARK) {
        return Some(home.into());
    }
    let home = tempfile::tempdir().unwrap();
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args([test, "--exact", "--nocapture"]).env(MARK, home.path());
    again.env("CUTSHEET_CONFIG_DIR", home.path().join("config"));
    if has_home {
        again.env("HOME", home.path()).env("XDG_DATA_HOME", home.path().join("data"));
    } else {
        again.env_remove("HOME").env_remove("XDG_DATA_HOME");
    }
    let output = again.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let cried = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{cried}");
    None
}

/// The names of what is in the trash of a home, in order.
pub(crate) fn in_trash(home: &Path) -> Vec<String> {
    let listing = std::fs::read_dir(home.join("data/Trash/files")).into_iter().flatten();
    let mut names: Vec<_> = listing.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
