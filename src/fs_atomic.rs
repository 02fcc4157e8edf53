//! Files that are the old one or the new one, never half of one: write beside, then rename over. And renaming that
//! replaces nothing.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file could not be replaced.
#[derive(Debug, thiserror::Error)]
#[error("cannot write: {source}: {path}")]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Prefix of the temporary files, so that scans and watchers know them for what they are.
pub const TEMPORARY_PREFIX: &str = ".cutsheet-tmp-";

/// A file in the making beside its destination; dropped without [`Pending::commit`] it leaves no trace.
pub struct Pending {
    file: NamedTempFile,
    destination: PathBuf,
}

impl Pending {
    /// Starts a new version of `destination`, whose folder must exist, with the permissions of any new file.
    pub fn create(destination: &Path) -> Result<Self, WriteError> {
        let folder = destination.parent().unwrap_or_else(|| Path::new("."));
        let file = builder().tempfile_in(folder).map_err(|source| error(destination, source))?;
        Ok(Self { file, destination: destination.to_owned() })
    }

    /// Starts a new version of `destination` as [`write_synced`] does: with the permissions of the old one, and not where
    /// that is marked read-only.
    pub fn replace(destination: &Path) -> Result<Self, WriteError> {
        refuse_read_only(destination)?;
        Self::create_alike(destination)
    }

    /// Starts a new version of `destination`, whose folder must exist, with the permissions of the old one.
    fn create_alike(destination: &Path) -> Result<Self, WriteError> {
        let pending = Self::create(destination)?;
        take_permissions(pending.file.as_file(), destination).map_err(|source| error(destination, source))?;
        Ok(pending)
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Renames it over the destination.
    pub fn commit(self) -> Result<(), WriteError> {
        let Self { file, destination } = self;
        match file.persist(&destination) {
            Ok(_) => Ok(()),
            Err(failure) => Err(error(&destination, failure.error)),
        }
    }

    /// Waits until the bytes are on the disk, then renames, then makes the rename itself last.
    pub fn commit_synced(mut self) -> Result<(), WriteError> {
        let destination = self.destination.clone();
        self.file().sync_all().map_err(|source| error(&destination, source))?;
        self.commit()?;
        sync_folder(&destination);
        Ok(())
    }
}

/// Replaces `destination` with `bytes` and waits for the disk: for files that nothing can make again.
///
/// A destination marked read-only is refused: the rename would succeed all the same, against its owner's wish.
pub fn write_synced(destination: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut pending = Pending::replace(destination)?;
    pending.file().write_all(bytes).map_err(|source| error(destination, source))?;
    pending.commit_synced()
}

/// Replaces `destination` with `bytes` without waiting for the disk: for what can be made again.
pub fn write(destination: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut pending = Pending::create_alike(destination)?;
    pending.file().write_all(bytes).map_err(|source| error(destination, source))?;
    pending.commit()
}

/// Renames a file or a folder and replaces nothing: where the new name is taken that is an error of the kind
/// [`io::ErrorKind::AlreadyExists`]. A name that differs from the old one by its case alone is free, also where the file
/// system tells no case apart.
///
/// Where neither the system nor the file system can refuse by itself, it is looked right before.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    if is_same_entry(from, to) {
        return fs::rename(from, to);
    }
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            done => return done.map_err(io::Error::from),
        }
    }
    match fs::symlink_metadata(to) {
        Ok(_) => Err(io::Error::from(io::ErrorKind::AlreadyExists)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => fs::rename(from, to),
        Err(why) => Err(why),
    }
}

/// Whether the second path leads to the first one's entry, its name in other capitals: then no entry of its folder has
/// just that name, and still it is there.
fn is_same_entry(from: &Path, to: &Path) -> bool {
    let (Some(old), Some(new)) = (from.file_name(), to.file_name()) else { return false };
    let lower = |name: &std::ffi::OsStr| name.to_string_lossy().to_lowercase();
    if old == new || from.parent() != to.parent() || lower(old) != lower(new) {
        return false;
    }
    let Some(Ok(mut entries)) = to.parent().map(fs::read_dir) else { return false };
    let is_new = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() == new);
    fs::symlink_metadata(to).is_ok() && !entries.any(is_new)
}

fn refuse_read_only(destination: &Path) -> Result<(), WriteError> {
    if fs::metadata(destination).is_ok_and(|found| found.permissions().readonly()) {
        let source = io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only");
        return Err(error(destination, source));
    }
    Ok(())
}

fn error(path: &Path, source: io::Error) -> WriteError {
    WriteError { path: path.to_owned(), source }
}

/// Not every file system lets a folder be synced; the file itself is safe either way.
fn sync_folder(destination: &Path) {
    if let Some(folder) = destination.parent()
        && let Ok(handle) = File::open(folder)
        && let Err(why) = handle.sync_all()
    {
        log::debug!("folder not synced: {why}: {}", folder.display());
    }
}

/// Temporary files are private by default; a file that others can read must stay so.
#[cfg(unix)]
fn take_permissions(file: &File, destination: &Path) -> io::Result<()> {
    match fs::metadata(destination) {
        Ok(found) => file.set_permissions(found.permissions()),
        // A new file was made with what the umask leaves.
        Err(_) => Ok(()),
    }
}

#[cfg(not(unix))]
fn take_permissions(_file: &File, _destination: &Path) -> io::Result<()> {
    Ok(())
}

/// What the umask leaves of this is what any new file gets.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_file_in_the_making_leaves_the_old_one_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.data");
        write(&path, b"old").unwrap();
        let mut pending = Pending::create(&path).unwrap();
        pending.file().write_all(b"half of the ne").unwrap();
        drop(pending);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone/a.data");
        let message = write_synced(&path, b"x").unwrap_err().to_string();
        assert!(message.contains("a.data"), "{message}");
    }

    #[test]
    fn a_rename_replaces_neither_a_file_nor_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), b"mine").unwrap();
        fs::write(at("b"), b"theirs").unwrap();
        fs::create_dir(at("empty")).unwrap();
        fs::create_dir(at("moved")).unwrap();
        for (from, to) in [("a", "b"), ("a", "empty"), ("moved", "empty"), ("moved", "b")] {
            let why = rename_new(&at(from), &at(to)).unwrap_err();
            assert_eq!(why.kind(), io::ErrorKind::AlreadyExists, "{from} to {to}");
        }
        assert_eq!(fs::read(at("b")).unwrap(), b"theirs");
        rename_new(&at("a"), &at("moved/a")).unwrap();
        assert_eq!((fs::read(at("moved/a")).unwrap(), at("a").exists()), (b"mine".to_vec(), false));
    }

    #[test]
    fn only_the_case_of_a_name_may_change_but_not_into_that_of_another_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("hero"), b"1").unwrap();
        rename_new(&at("hero"), &at("Hero")).unwrap();
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(names, ["Hero"]);
        fs::write(at("hero"), b"2").unwrap();
        // Where no case is told apart that was the same file.
        if fs::read_dir(folder.path()).unwrap().count() == 2 {
            let why = rename_new(&at("hero"), &at("Hero")).unwrap_err();
            assert_eq!(why.kind(), io::ErrorKind::AlreadyExists);
        }
    }

    #[test]
    fn a_read_only_file_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.data");
        fs::write(&path, b"old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let message = write_synced(&path, b"new").unwrap_err().to_string();
        assert!(message.contains("read-only") && message.contains("a.data"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_still_read_what_they_could_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.data");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o664)).unwrap();
        write_synced(&path, b"new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o664);
    }
}
