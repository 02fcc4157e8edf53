//! What the corpus tests share.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of shared data: `SHARED`, else `../shared` beside the package. `None`, with a notice, when it
/// is not there, which is a failure only where `CUTSHEET_REQUIRE_CORPUS` is set.
#[expect(clippy::print_stderr, reason = "a test that was skipped has to say so")]
pub(crate) fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let folder = env::var_os("SHARED").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(
        env::var_os("CUTSHEET_REQUIRE_CORPUS").is_none(),
        "the corpus is required but absent: {}",
        folder.display()
    );
    eprintln!("skipped: no corpus: {}", folder.display());
    None
}
