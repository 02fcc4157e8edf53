//! Keeps the system's watch on the root, also when the root goes away and comes back.
//!
//! A checkout of another branch deletes and makes the whole folder again, and a watch dies with its folder.
//! While the root is away its nearest existing ancestor is watched instead (that folder alone), until the
//! root is back.

use std::io;
use std::path::{Path, PathBuf};

use notify::{Config, ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::WatchError;

/// The system's watch.
pub(super) struct Attachment {
    system: RecommendedWatcher,
    /// Absolute and without links: its ancestors must be found, and a root that is a link would not be
    /// followed.
    root: PathBuf,
    mode: RecursiveMode,
    /// The root, or an ancestor while it is away; nothing when even that failed.
    watched: Option<PathBuf>,
}

impl Attachment {
    /// Watches `root`, which must be a folder. `handler` is called on a thread of the system's watch.
    pub(super) fn new(
        root: &Path,
        is_recursive: bool,
        handler: impl FnMut(notify::Result<Event>) + Send + 'static,
    ) -> Result<Self, WatchError> {
        if !root.is_dir() {
            return Err(WatchError::NoFolder { path: root.to_owned() });
        }
        let fault = |error| WatchError::from_notify(root, error);
        let real = root.canonicalize().map_err(|error| fault(error.into()))?;
        // Links are not followed: a loop would never end, and one file would have two paths.
        let config = Config::default().with_follow_symlinks(false);
        let mut system = RecommendedWatcher::new(handler, config).map_err(fault)?;
        let mode = if is_recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        system.watch(&real, mode).map_err(fault)?;
        Ok(Self { system, watched: Some(real.clone()), root: real, mode })
    }

    /// Whether the root is away.
    pub(super) fn is_lost(&self) -> bool {
        self.watched.as_ref() != Some(&self.root)
    }

    /// The watch of the root died, or followed the folder to another name.
    pub(super) fn root_vanished(&mut self) {
        self.release();
    }

    /// Watches the root if it is there, else what is nearest to it; says whether the root is watched.
    pub(super) fn recover(&mut self) -> bool {
        // Again until nothing changes: the folder looked for may come between the look and the watch.
        loop {
            let nearest = self.root.ancestors().find(|folder| folder.is_dir()).map(Path::to_owned);
            if nearest == self.watched {
                return !self.is_lost();
            }
            self.release();
            let Some(folder) = nearest else { return false };
            let mode = if folder == self.root { self.mode } else { RecursiveMode::NonRecursive };
            match self.system.watch(&folder, mode) {
                Ok(()) => self.watched = Some(folder),
                Err(error) if folder.is_dir() => {
                    log::warn!("{}", WatchError::from_notify(&folder, error));
                    return false;
                }
                Err(error) => log::debug!("gone before it could be watched: {error}"),
            }
        }
    }

    fn release(&mut self) {
        if let Some(folder) = self.watched.take()
            && let Err(error) = self.system.unwatch(&folder)
        {
            // As a rule it died with its folder.
            log::debug!("watch already gone: {error}");
        }
    }
}

impl WatchError {
    fn from_notify(path: &Path, error: notify::Error) -> Self {
        let path = path.to_owned();
        match error.kind {
            ErrorKind::MaxFilesWatch => Self::Limit { path },
            ErrorKind::Io(source) if is_limit(&source) => Self::Limit { path },
            ErrorKind::Io(source) => Self::System { path, source },
            ErrorKind::PathNotFound => Self::NoFolder { path },
            _ => Self::System { path, source: io::Error::other(error.to_string()) },
        }
    }
}

/// Linux refuses a watch beyond the limit as "no space", and a watcher beyond it as "too many open files".
fn is_limit(error: &io::Error) -> bool {
    const TOO_MANY_OPEN_FILES: i32 = 24;
    cfg!(target_os = "linux")
        && (error.kind() == io::ErrorKind::StorageFull || error.raw_os_error() == Some(TOO_MANY_OPEN_FILES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn limits_are_told_from_other_faults() {
        let from = |kind| WatchError::from_notify(Path::new("assets"), notify::Error::new(kind));
        assert!(matches!(from(ErrorKind::MaxFilesWatch), WatchError::Limit { .. }));
        assert!(matches!(
            from(ErrorKind::Io(io::Error::from(io::ErrorKind::StorageFull))),
            WatchError::Limit { .. }
        ));
        assert!(matches!(from(ErrorKind::PathNotFound), WatchError::NoFolder { .. }));
        let denied = from(ErrorKind::Io(io::Error::from(io::ErrorKind::PermissionDenied)));
        assert!(matches!(denied, WatchError::System { .. }));
    }

    #[test]
    fn while_the_root_is_away_the_nearest_folder_is_watched() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("game/assets");
        std::fs::create_dir_all(&root).unwrap();
        let mut attachment = Attachment::new(&root, true, |_| {}).unwrap();
        std::fs::remove_dir_all(folder.path().join("game")).unwrap();
        attachment.root_vanished();
        assert!(!attachment.recover() && attachment.is_lost());
        assert_eq!(attachment.watched, folder.path().canonicalize().ok());
        std::fs::create_dir_all(&root).unwrap();
        assert!(attachment.recover() && !attachment.is_lost());
    }
}
