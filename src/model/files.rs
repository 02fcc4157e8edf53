//! Which file names are a project's business. Only names: whether bytes are an image, bytes decide.

use serde::{Deserialize, Serialize};

/// Extensions of images, lower case; files have them in any case.
pub const IMAGE_EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "bmp", "tga", "gif", "webp"];

/// What a sidecar's name adds to its asset's.
pub const SIDECAR_SUFFIX: &str = ".data";

/// The extension of scenes.
pub const SCENE_EXTENSION: &str = "scene";

/// What a file is that refers to images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FileKind {
    /// A scene.
    Scene,
}

impl FileKind {
    /// What a file of that name is taken for.
    pub fn of_name(name: &str) -> Option<Self> {
        extension(name).filter(|found| found.eq_ignore_ascii_case(SCENE_EXTENSION)).map(|_| Self::Scene)
    }

    /// What the engine's lookup table calls it.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Scene => "Scene",
        }
    }
}

/// Whether a file of that name is taken for an image.
pub fn is_image_name(name: &str) -> bool {
    extension(name)
        .is_some_and(|found| IMAGE_EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known)))
}

/// The part after the last dot of a name that has something before it.
pub fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

/// Whether a file of that name is taken for an asset: an image, or something that refers to images.
pub fn is_asset_name(name: &str) -> bool {
    is_image_name(name) || FileKind::of_name(name).is_some()
}

/// Whether a folder of that name is never walked: hidden ones, and our own output directly under the root.
pub fn is_skipped_folder(name: &str, is_directly_under_root: bool) -> bool {
    name.starts_with('.') || (is_directly_under_root && matches!(name, "cache" | "storage"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_and_scenes_are_known_in_any_case() {
        assert!(is_image_name("a.PNG") && is_image_name("b.c.Jpeg") && is_image_name("x.webp"));
        assert!(!is_image_name(".png") && !is_image_name("png") && !is_image_name("a.png.data"));
        assert_eq!(FileKind::of_name("Level.SCENE"), Some(FileKind::Scene));
        assert_eq!((FileKind::of_name("level.scene.data"), FileKind::of_name(".scene")), (None, None));
        assert!(is_asset_name("a.scene") && is_asset_name("a.tga") && !is_asset_name("a.txt"));
    }

    #[test]
    fn only_folders_of_ours_under_the_root_and_hidden_ones_are_skipped() {
        assert!(is_skipped_folder("cache", true) && !is_skipped_folder("cache", false));
        assert!(is_skipped_folder(".git", false) && !is_skipped_folder("sprites", true));
    }
}
