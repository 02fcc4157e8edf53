//! Which paths below the root are worth a look, by their names alone.
//!
//! A thing that vanished can only be judged by its name, and a name costs no call to the system.

use std::path::{Component, Path};

use crate::model::files::{SIDECAR_SUFFIX, is_asset_name, is_skipped_folder};

/// Whether a file at `relative` (below the root) is an asset or a sidecar in a folder that is walked.
///
/// Hidden files are not: our own temporary files and those of most editors are among them.
pub fn is_file_of_interest(relative: &Path) -> bool {
    let Some(name) = relative.file_name() else { return false };
    let name = name.to_string_lossy();
    let is_ours =
        is_asset_name(&name) || name.strip_suffix(SIDECAR_SUFFIX).is_some_and(|stem| !stem.is_empty());
    is_ours && !name.starts_with('.') && relative.parent().is_none_or(is_folder_of_interest)
}

/// Whether a folder at `relative` (below the root; empty for the root itself) is walked.
pub fn is_folder_of_interest(relative: &Path) -> bool {
    relative.components().enumerate().all(|(depth, component)| match component {
        Component::Normal(name) => !is_skipped_folder(&name.to_string_lossy(), depth == 0),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs_atomic::TEMPORARY_PREFIX;

    #[test]
    fn images_and_scenes_in_any_case_and_sidecars_are_of_interest() {
        for name in ["a.png", "b.JPG", "c.jpeg", "d.Bmp", "e.tga", "f.gif", "deep/er/g.webp", "a.png.data"] {
            assert!(is_file_of_interest(Path::new(name)), "{name}");
        }
        for name in ["level.scene", "deep/Level.SCENE", "level.scene.data"] {
            assert!(is_file_of_interest(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn leftovers_of_editors_and_of_ours_are_not() {
        let ours = format!("sprites/{TEMPORARY_PREFIX}x1.png");
        let others = [
            "a.png~",
            "a.png.tmp",
            ".a.png.swp",
            "a.png.swp",
            ".goutputstream-X.png",
            "notes.txt",
            "a.scene~",
            "a.scene.tmp",
            ".data",
            "",
        ];
        for name in others.into_iter().chain([ours.as_str()]) {
            assert!(!is_file_of_interest(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn hidden_folders_and_our_output_under_the_root_are_not_walked() {
        for name in ["cache/a.png", "storage/x/a.png", ".git/a.png", "sprites/.trash/a.png", "../a.png"] {
            assert!(!is_file_of_interest(Path::new(name)), "{name}");
        }
        assert!(is_file_of_interest(Path::new("sprites/cache/a.png")));
        assert!(is_folder_of_interest(Path::new("")) && is_folder_of_interest(Path::new("sprites/cache")));
        assert!(!is_folder_of_interest(Path::new("cache")) && !is_folder_of_interest(Path::new("a/.git")));
    }
}
