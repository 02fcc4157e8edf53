//! One process at a time writes a cache. Who has to wait is told so.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::fs_atomic::WriteError;

const LOCK_NAME: &str = "cutsheet-lock";

/// Held while a batch is imported; dropping it lets the next process in.
pub struct CacheLock {
    _file: File,
}

impl CacheLock {
    /// Takes the lock of a cache, which is made if it is not there. When another process has it,
    /// `on_wait` is called once, and then this waits.
    pub fn acquire(cache: &Path, on_wait: impl FnOnce()) -> Result<Self, WriteError> {
        let path = lock_path(cache);
        let failed = |source| WriteError { path: path.clone(), source };
        fs::create_dir_all(cache).map_err(failed)?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                on_wait();
                file.lock().map_err(failed)?;
            }
            Err(TryLockError::Error(source)) => {
                // Some network file systems have no locks; one process is the rule there too, but unguarded.
                log::warn!("cache not locked: {source}: {}", path.display());
            }
        }
        Ok(Self { _file: file })
    }
}

fn lock_path(cache: &Path) -> PathBuf {
    cache.join(LOCK_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn the_second_is_told_and_waits_for_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let first = CacheLock::acquire(folder.path(), || panic!("nobody else is here")).unwrap();
        let (told_tx, told_rx) = mpsc::channel();
        let path = folder.path().to_owned();
        let second = thread::Builder::new()
            .spawn(move || CacheLock::acquire(&path, || told_tx.send(()).unwrap()).is_ok())
            .unwrap();
        told_rx.recv_timeout(Duration::from_secs(5)).unwrap();
        drop(first);
        assert!(second.join().unwrap());
    }
}
