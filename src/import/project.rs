//! Where a project's files are. A folder with `assets/` is a game project; any other folder is its own
//! assets root and keeps its cache in `.cutsheet/`; an image alone has its cache in the user's cache folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::target::SettingsReading;
use crate::guid::Guid;
use crate::hash::{ContentHash, Hasher};
use crate::model::{Target, files};

/// What was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectKind {
    /// A folder with `assets/`: new images get sidecars.
    Game,
    /// Any other folder: nothing is written beside its images until the user saves.
    Folder,
    /// One image of a folder, by its name.
    Image(String),
}

/// A project's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// What was opened.
    pub kind: ProjectKind,
    /// The folder that asset paths are relative to.
    pub root: PathBuf,
    /// The folder that is walked for images.
    pub assets: PathBuf,
    /// Where textures are kept.
    pub cache: PathBuf,
    /// Where our own notes about the project are kept.
    pub notes: PathBuf,
    /// What its `cutsheet.json` says.
    pub settings: SettingsReading,
    /// The target that textures are made for; none for those that the window shows.
    pub target: Option<Arc<Target>>,
}

/// A path cannot be opened as a project.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is not there, or may not be read.
    #[error("cannot open: {source}: {path}")]
    Unreadable {
        /// What was to be opened.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a file, but none that we open.
    #[error(
        "not a folder and not an image: open a project folder or a PNG, JPEG, BMP, TGA, GIF or WebP file: {path}"
    )]
    NotAProject {
        /// What was to be opened.
        path: PathBuf,
    },
}

impl Project {
    /// Opens a folder or a single image.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let unreadable = |source| OpenError::Unreadable { path: path.to_owned(), source };
        let path = std::path::absolute(path).map_err(unreadable)?;
        let metadata = std::fs::metadata(&path).map_err(unreadable)?;
        if metadata.is_dir() {
            // Listing it now gives the reason in words when it may not be read.
            std::fs::read_dir(&path).map_err(unreadable)?;
            let assets = path.join("assets");
            return Ok(if assets.is_dir() {
                Self::game(path, assets)
            } else {
                let notes = path.join(".cutsheet");
                Self {
                    kind: ProjectKind::Folder,
                    assets: path.clone(),
                    cache: notes.join("cache"),
                    notes,
                    settings: SettingsReading::of(&path),
                    root: path,
                    target: None,
                }
            });
        }
        let name = path.file_name().and_then(|name| name.to_str()).filter(|name| files::is_image_name(name));
        match (name, path.parent()) {
            (Some(name), Some(folder)) => Ok(Self::image(name, folder, &path)),
            _ => Err(OpenError::NotAProject { path }),
        }
    }

    /// The project that an image belongs to, and the image's path in it: the game project whose `assets`
    /// folder it is in, else the image alone.
    pub fn containing(image: &Path) -> Result<(Self, Arc<str>), OpenError> {
        let absolute = std::path::absolute(image)
            .map_err(|source| OpenError::Unreadable { path: image.to_owned(), source })?;
        let assets = absolute
            .ancestors()
            .skip(1)
            .find(|folder| folder.file_name().is_some_and(|name| name == "assets"));
        let project = match assets.and_then(Path::parent) {
            Some(root) if absolute.is_file() => Self::game(root.to_owned(), root.join("assets")),
            _ => Self::open(&absolute)?,
        };
        match project.asset_path(&absolute) {
            Some(path) if absolute.is_file() => Ok((project, path)),
            _ => Err(OpenError::NotAProject { path: absolute }),
        }
    }

    fn game(root: PathBuf, assets: PathBuf) -> Self {
        Self {
            kind: ProjectKind::Game,
            assets,
            cache: root.join("cache"),
            notes: root.join(".cutsheet"),
            settings: SettingsReading::of(&root),
            root,
            target: None,
        }
    }

    fn image(name: &str, folder: &Path, path: &Path) -> Self {
        let user_cache = directories::ProjectDirs::from("", "", "cutsheet")
            .map_or_else(|| folder.join(".cutsheet"), |found| found.cache_dir().to_owned());
        let hash = ContentHash::of(path.as_os_str().as_encoded_bytes());
        let notes = user_cache.join(format!("{hash}"));
        Self {
            kind: ProjectKind::Image(name.to_owned()),
            root: folder.to_owned(),
            assets: folder.to_owned(),
            cache: notes.join("cache"),
            notes,
            // The folder was not opened, so what it says is not for the image.
            settings: SettingsReading::default(),
            target: None,
        }
    }

    /// The same project with the textures of a target, which have a cache of their own.
    #[must_use]
    pub fn for_target(&self, target: Target) -> Self {
        let cache = self.cache.join("targets").join(&*target.name);
        Self { cache, target: Some(Arc::new(target)), ..self.clone() }
    }

    /// Reads its settings again.
    pub fn read_settings(&mut self) {
        if !matches!(self.kind, ProjectKind::Image(_)) {
            self.settings = SettingsReading::of(&self.root);
        }
    }

    /// Hash of what is said for all sheets: their textures may be others when it is another.
    pub fn settings_hash(&self) -> ContentHash {
        let mut hasher = Hasher::default();
        let defaults = &self.settings.settings.defaults;
        // Whatever they come to hold is told apart by how they are shown.
        hasher.update(format!("{defaults:?} {:?}", self.target).as_bytes());
        hasher.finish()
    }

    /// Whether new images get a sidecar without being asked.
    pub fn creates_sidecars(&self) -> bool {
        self.kind == ProjectKind::Game
    }

    /// What the paths of assets begin with: the name of the folder they are in, with its `/`, or nothing.
    pub fn assets_prefix(&self) -> &'static str {
        if self.kind == ProjectKind::Game { "assets/" } else { "" }
    }

    /// The project's name: its folder's.
    pub fn name(&self) -> String {
        let named = match &self.kind {
            ProjectKind::Image(name) => return name.clone(),
            ProjectKind::Game | ProjectKind::Folder => self.root.file_name(),
        };
        named.map_or_else(|| self.root.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// The file of an asset.
    pub fn file(&self, asset_path: &str) -> PathBuf {
        self.root.join(asset_path)
    }

    /// The sidecar of an asset.
    pub fn sidecar(&self, asset_path: &str) -> PathBuf {
        self.root.join(format!("{asset_path}{}", files::SIDECAR_SUFFIX))
    }

    /// The compiled texture of an asset: its GUID in lower case, no extension.
    pub fn texture(&self, guid: Guid) -> PathBuf {
        self.cache.join(guid.to_string())
    }

    /// The asset path of a file, or of the image that a sidecar stands beside; `None` outside the project.
    pub fn asset_path(&self, file: &Path) -> Option<Arc<str>> {
        // Of plain text, since a walk asks for tens of thousands of them.
        let root = self.root.to_str()?;
        let below_root = file.to_str()?.strip_prefix(root)?;
        let relative = match below_root.strip_prefix(std::path::MAIN_SEPARATOR) {
            Some(relative) => relative,
            None if root.ends_with(std::path::MAIN_SEPARATOR) => below_root,
            None => return None,
        };
        let asset = relative.strip_suffix(files::SIDECAR_SUFFIX).unwrap_or(relative);
        Some(if std::path::MAIN_SEPARATOR == '/' { asset.into() } else { asset.replace('\\', "/").into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_assets_is_a_game_and_any_other_keeps_to_itself() {
        let folder = tempfile::tempdir().unwrap();
        let plain = Project::open(folder.path()).unwrap();
        assert_eq!((plain.kind.clone(), plain.creates_sidecars()), (ProjectKind::Folder, false));
        assert_eq!(plain.cache, folder.path().join(".cutsheet/cache"));
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        let game = Project::open(folder.path()).unwrap();
        assert!(game.creates_sidecars());
        assert_eq!(game.cache, folder.path().join("cache"));
    }

    #[test]
    fn an_image_opens_alone_and_other_files_do_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.png", "a.txt"] {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        let image = Project::open(&folder.path().join("a.png")).unwrap();
        assert_eq!(image.kind, ProjectKind::Image("a.png".into()));
        assert!(!image.cache.starts_with(folder.path()));
        assert!(Project::open(&folder.path().join("a.txt")).is_err());
        let message = Project::open(&folder.path().join("gone")).unwrap_err().to_string();
        assert!(message.contains("gone"), "{message}");
    }

    #[test]
    fn sidecars_lead_to_their_image() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        let project = Project::open(folder.path()).unwrap();
        let path = project.asset_path(&folder.path().join("assets/x/a.PNG.data"));
        assert_eq!(path.as_deref(), Some("assets/x/a.PNG"));
        assert_eq!(project.asset_path(Path::new("/elsewhere/a.png")), None);
    }
}
