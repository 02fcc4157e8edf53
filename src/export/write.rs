//! Carries a plan out. Every file is the old one or the new one at any moment; the table comes after the files that it
//! names, and what nobody uses any more goes last.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::output::shown;
use super::plan::{Action, Item, Plan, Removal};
use super::survey::{Held, is_same};
use crate::format::lookup_table::{self, Entry};
use crate::fs_atomic::{self, Pending, WriteError};
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::model::{Code, Problem};

/// Bytes copied between two looks at whether to stop.
const BLOCK: usize = 1 << 20;

/// How a plan is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Write {
    /// Whether what nobody uses any more is removed.
    pub prunes: bool,
}

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Files that are done.
    pub files_done: usize,
    /// All files.
    pub files: usize,
    /// Bytes of the files that are done.
    pub bytes_done: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// What was done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// The file of the export.
    pub path: PathBuf,
    /// The GUID that its name is.
    pub guid: Guid,
    /// The asset; `None` for what is none of ours, and for what was removed.
    pub asset: Option<Arc<str>>,
    /// What the lookup table calls its type; `None` where nobody knows.
    pub type_name: Option<&'static str>,
    /// How many bytes it has, or had.
    pub bytes: u64,
    /// What was done.
    pub action: Action,
    /// The paths of the scenes that use it.
    pub used_by: Vec<Arc<str>>,
}

/// What an export did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// What was done, in the order of the plan. What could not be done is among the problems.
    pub files: Vec<FileReport>,
    /// The lookup table, when it is that of this export.
    pub table: Option<PathBuf>,
    /// What went wrong. What was wrong before is in the plan.
    pub problems: Vec<Problem>,
    /// Whether it was stopped. The files are old or new, and the table is the old one.
    pub is_cancelled: bool,
    /// Why nothing was removed although that was asked.
    pub kept_because: Option<String>,
}

impl Report {
    /// How many files this was done to, and how many bytes they have.
    pub fn count(&self, action: Action) -> (usize, u64) {
        let files = self.files.iter().filter(|file| file.action == action);
        files.fold((0, 0), |(count, bytes), file| (count + 1, bytes + file.bytes))
    }
}

/// Carries out a plan, and waits for the disk. `cancel` may be set on another thread at any time.
pub fn write(plan: &Plan, how: Write, progress: &mut dyn FnMut(Progress), cancel: &AtomicBool) -> Report {
    let mut writer = Writer { plan, cancel, report: Report::default(), has_pruned: false };
    if let Err(Stop::Cancelled) = writer.run(how, progress) {
        writer.report.is_cancelled = true;
    }
    if how.prunes && !plan.removals.is_empty() && !writer.has_pruned {
        let failed = "not everything could be exported".to_owned();
        writer.report.kept_because = Some(plan.keeps_because.clone().unwrap_or(failed));
    }
    writer.report
}

/// Why the rest is not even tried.
enum Stop {
    Cancelled,
    /// The next file would fail for the same reason; the problems say which.
    Hopeless,
}

/// Why a file was not copied.
enum CopyError {
    Cancelled,
    Read(io::Error),
    Write(WriteError),
    /// It is not the file that was looked into.
    Changed,
}

impl From<WriteError> for CopyError {
    fn from(why: WriteError) -> Self {
        Self::Write(why)
    }
}

struct Writer<'a> {
    plan: &'a Plan,
    cancel: &'a AtomicBool,
    report: Report,
    has_pruned: bool,
}

impl Writer<'_> {
    fn run(&mut self, how: Write, progress: &mut dyn FnMut(Progress)) -> Result<(), Stop> {
        let output = &self.plan.output;
        if let Err(source) = fs::create_dir_all(output) {
            self.unwritable(&WriteError { path: output.clone(), source });
            return Err(Stop::Hopeless);
        }
        let files = self.plan.items.iter().filter_map(|item| Some((item, item.source.as_ref()?)));
        let mut now = Progress {
            files_done: 0,
            files: files.clone().count(),
            bytes_done: 0,
            bytes: files.clone().map(|(_, source)| source.bytes).sum(),
        };
        progress(now);
        for (item, source) in files {
            self.stop_if_cancelled()?;
            self.copy_item(item, source)?;
            now.files_done += 1;
            now.bytes_done += source.bytes;
            progress(now);
        }
        self.stop_if_cancelled()?;
        let prunes = how.prunes && self.plan.keeps_because.is_none() && self.report.problems.is_empty();
        self.write_table(prunes)?;
        if prunes {
            self.has_pruned = true;
            for removal in &self.plan.removals {
                self.remove(removal);
            }
        }
        Ok(())
    }

    fn stop_if_cancelled(&self) -> Result<(), Stop> {
        if self.cancel.load(Ordering::Relaxed) { Err(Stop::Cancelled) } else { Ok(()) }
    }

    fn copy_item(&mut self, item: &Item, source: &Held) -> Result<(), Stop> {
        let done = match item.expected {
            Some(expected) => copy_known(&source.path, &item.destination, expected),
            None => copy(&source.path, &item.destination, self.cancel),
        };
        match done {
            Ok((action, bytes)) => self.report.files.push(FileReport {
                path: item.destination.clone(),
                guid: item.guid,
                asset: item.asset.clone(),
                type_name: item.type_name,
                bytes,
                action,
                used_by: item.users.scenes.clone(),
            }),
            Err(CopyError::Cancelled) => return Err(Stop::Cancelled),
            Err(CopyError::Write(why)) => {
                self.unwritable(&why);
                if is_hopeless(&why.source) {
                    return Err(Stop::Hopeless);
                }
            }
            Err(CopyError::Read(why)) => {
                let message = match item.users.words() {
                    Some(users) => format!("cannot be read, so it is not exported: {why}; used by {users}"),
                    None => format!("cannot be read, so it is not exported: {why}"),
                };
                self.problem(Code::Unreadable, &source.path, message);
            }
            Err(CopyError::Changed) => {
                let message = "It changed while the export ran and was left out, since it may use other sheets now: \
                               export again";
                self.problem(Code::ExportIncomplete, &source.path, message.to_owned());
            }
        }
        Ok(())
    }

    /// The table of all that is there. Without `prunes` what an earlier table said of files that stay does so too.
    fn write_table(&mut self, prunes: bool) -> Result<(), Stop> {
        let is_there = |item: &&Item| item.destination.is_file();
        let mut entries: Vec<Entry> =
            self.plan.items.iter().filter(is_there).filter_map(|item| item.entry).collect();
        if !prunes {
            let mut hashes: BTreeSet<u32> = entries.iter().map(|entry| entry.hash).collect();
            let stays = self.plan.removals.iter().filter_map(|removal| removal.entry);
            entries.extend(stays.filter(|entry| hashes.insert(entry.hash)));
        }
        let (table, bytes) = (self.plan.table(), lookup_table::write(&entries));
        if !fs::read(&table).is_ok_and(|old| old == bytes)
            && let Err(why) = fs_atomic::write_synced(&table, &bytes)
        {
            self.unwritable(&why);
            return Err(Stop::Hopeless);
        }
        self.report.table = Some(table);
        Ok(())
    }

    fn remove(&mut self, removal: &Removal) {
        let Held { path, bytes } = &removal.file;
        // Only what an export makes: a file that took its place since is somebody else's, and so is a folder or a link.
        if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
            return;
        }
        match fs::remove_file(path) {
            Ok(()) => self.report.files.push(FileReport {
                path: path.clone(),
                guid: removal.guid,
                asset: None,
                type_name: None,
                bytes: *bytes,
                action: Action::Removed,
                used_by: Vec::new(),
            }),
            Err(why) => self.problem(Code::Unwritable, path, format!("cannot be removed: {why}")),
        }
    }

    fn unwritable(&mut self, why: &WriteError) {
        self.problem(Code::Unwritable, &why.path, format!("cannot be written: {}", why.source));
    }

    fn problem(&mut self, code: Code, path: &Path, message: String) {
        self.report.problems.push(Problem::new(code, &shown(&self.plan.root, path), message));
    }
}

/// Whether all further files would fail alike.
fn is_hopeless(why: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(why.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem)
}

/// Copies a file that must have the bytes of that hash.
fn copy_known(source: &Path, destination: &Path, expected: ContentHash) -> Result<(Action, u64), CopyError> {
    let bytes = fs::read(source).map_err(CopyError::Read)?;
    if ContentHash::of(&bytes) != expected {
        return Err(CopyError::Changed);
    }
    let length = bytes.len() as u64;
    if is_file_with(destination, &bytes) {
        return Ok((Action::Unchanged, length));
    }
    fs_atomic::write_synced(destination, &bytes)?;
    Ok((Action::Copied, length))
}

/// Whether a file has these bytes; one of another length is not read.
fn is_file_with(file: &Path, bytes: &[u8]) -> bool {
    fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64)
        && fs::read(file).is_ok_and(|there| there == bytes)
}

/// Copies a file of any size, unless the bytes are there already.
fn copy(source: &Path, destination: &Path, cancel: &AtomicBool) -> Result<(Action, u64), CopyError> {
    let mut from = File::open(source).map_err(CopyError::Read)?;
    let length = from.metadata().map_err(CopyError::Read)?.len();
    if is_same(source, destination).unwrap_or(false) {
        return Ok((Action::Unchanged, length));
    }
    let mut pending = Pending::replace(destination)?;
    let mut block = vec![0; BLOCK.min(length as usize + 1)];
    let mut copied = 0;
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Err(CopyError::Cancelled);
        }
        let count = match from.read(&mut block) {
            Ok(0) => break,
            Ok(count) => count,
            Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
            Err(why) => return Err(CopyError::Read(why)),
        };
        let write = |source| WriteError { path: destination.to_owned(), source };
        pending.file().write_all(&block[..count]).map_err(write)?;
        copied += count as u64;
    }
    pending.commit_synced()?;
    Ok((Action::Copied, copied))
}
