//! What `notify` reports on each system, told as [`RawEvent`]s.
//!
//! The systems differ in what they know: Linux tells a close after writing and pairs both halves of a rename,
//! but hides whether a renamed thing is a folder; Windows pairs by order and hides the kind of what is gone;
//! macOS knows the kind and hides which half of a rename it is. What is hidden is asked of the file system,
//! with one call per rename.

use std::path::{Path, PathBuf};

use notify::event::{
    AccessKind, AccessMode, CreateKind, EventKind, MetadataKind, ModifyKind, RemoveKind, RenameMode,
};
use notify::{ErrorKind, Event};

use super::coalesce::RawEvent;

/// What is at a path right now, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    File,
    Folder,
}

/// Asks the file system.
pub(super) fn look(path: &Path) -> Found {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => Found::Folder,
        Ok(_) => Found::File,
        Err(_) => Found::Nothing,
    }
}

/// Whether a report says nothing about changes (files opened, read and closed): not worth waking a thread.
pub(super) fn is_noise(report: &notify::Result<Event>) -> bool {
    let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
    report.as_ref().is_ok_and(|event| event.kind.is_access() && event.kind != written)
}

/// A file that could not be read may be readable after a change of permissions, which Linux does not tell
/// from others.
fn may_matter(kind: MetadataKind) -> bool {
    !matches!(kind, MetadataKind::AccessTime | MetadataKind::Extended | MetadataKind::Other)
}

/// Translates reports; remembers the first half of a rename until the second comes.
pub(super) struct Translator {
    root: PathBuf,
    /// Other spellings of the root that systems use: absolute, and with links resolved.
    spellings: Vec<PathBuf>,
    look: fn(&Path) -> Found,
    renamed_from: Option<(Option<usize>, PathBuf)>,
}

impl Translator {
    /// Paths come out starting with `root`, however the system spells it.
    pub(super) fn new(root: PathBuf, look: fn(&Path) -> Found) -> Self {
        let spellings = [std::path::absolute(&root), root.canonicalize()].into_iter().flatten().collect();
        Self { root, spellings, look, renamed_from: None }
    }

    /// The event in a report; none when it is about something outside the root or nothing that matters.
    pub(super) fn translate(&mut self, report: notify::Result<Event>) -> Option<RawEvent> {
        match report {
            Ok(event) if event.need_rescan() => Some(RawEvent::Lost),
            Ok(event) => {
                let path = self.below_root(event.paths.first()?)?;
                self.change(&event, path)
            }
            Err(error) => {
                if matches!(error.kind, ErrorKind::MaxFilesWatch) {
                    let path = error.paths.first().and_then(|path| self.below_root(path));
                    return Some(RawEvent::Unwatched(path.unwrap_or_else(|| self.root.clone())));
                }
                log::warn!("the system's watch reports a fault, everything is looked at again: {error}");
                Some(RawEvent::Lost)
            }
        }
    }

    fn change(&mut self, event: &Event, path: PathBuf) -> Option<RawEvent> {
        match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(RawEvent::Written(path)),
            EventKind::Access(_) | EventKind::Any | EventKind::Other => None,
            EventKind::Modify(ModifyKind::Metadata(kind)) if !may_matter(kind) => None,
            EventKind::Create(CreateKind::File) => Some(RawEvent::Created(path)),
            EventKind::Create(CreateKind::Folder) => Some(RawEvent::CreatedFolder(path)),
            EventKind::Create(_) => Some(match (self.look)(&path) {
                Found::Folder => RawEvent::CreatedFolder(path),
                Found::File | Found::Nothing => RawEvent::Created(path),
            }),
            EventKind::Modify(ModifyKind::Name(mode)) => self.rename(mode, event.tracker(), path),
            EventKind::Modify(_) => Some(RawEvent::Modified(path)),
            EventKind::Remove(RemoveKind::File) => Some(RawEvent::Removed(path)),
            EventKind::Remove(RemoveKind::Folder) => Some(RawEvent::RemovedFolder(path)),
            EventKind::Remove(_) => Some(RawEvent::Vanished(path)),
        }
    }

    fn rename(&mut self, mode: RenameMode, tracker: Option<usize>, path: PathBuf) -> Option<RawEvent> {
        match mode {
            RenameMode::From => {
                self.renamed_from = Some((tracker, path.clone()));
                Some(RawEvent::Vanished(path))
            }
            RenameMode::To => {
                let from = self.renamed_from.take_if(|(first_half, _)| *first_half == tracker);
                Some(match (from, (self.look)(&path)) {
                    (Some((_, from)), Found::Folder) => RawEvent::RenamedFolder { from, to: path },
                    (Some((_, from)), _) => RawEvent::Renamed { from, to: path },
                    (None, Found::Folder) => RawEvent::CreatedFolder(path),
                    (None, _) => RawEvent::RenamedInto(path),
                })
            }
            // Repeats the two halves that came just before.
            RenameMode::Both => None,
            RenameMode::Any | RenameMode::Other => Some(match (self.look)(&path) {
                Found::Folder => RawEvent::CreatedFolder(path),
                Found::File => RawEvent::RenamedInto(path),
                Found::Nothing => RawEvent::Vanished(path),
            }),
        }
    }

    fn below_root(&self, path: &Path) -> Option<PathBuf> {
        let relative = self.spellings.iter().find_map(|spelling| path.strip_prefix(spelling).ok())?;
        // Joining an empty path would add a slash.
        Some(if relative.as_os_str().is_empty() { self.root.clone() } else { self.root.join(relative) })
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{DataChange, Flag};

    use super::*;

    const ROOT: &str = "/game/assets";

    fn at(name: &str) -> PathBuf {
        Path::new(ROOT).join(name)
    }

    /// A file system in which names with an extension are files and others folders, save for what is gone.
    fn by_name(path: &Path) -> Found {
        match path.extension() {
            _ if path.ends_with("gone.png") => Found::Nothing,
            Some(_) => Found::File,
            None => Found::Folder,
        }
    }

    fn translator() -> Translator {
        Translator::new(ROOT.into(), by_name)
    }

    fn translate(kind: EventKind, name: &str) -> Option<RawEvent> {
        translator().translate(Ok(Event::new(kind).add_path(at(name))))
    }

    fn half(mode: RenameMode, tracker: usize, name: &str) -> Event {
        Event::new(EventKind::Modify(ModifyKind::Name(mode))).add_path(at(name)).set_tracker(tracker)
    }

    #[test]
    fn writing_is_told_from_reading() {
        let close = |mode| EventKind::Access(AccessKind::Close(mode));
        assert_eq!(translate(close(AccessMode::Write), "p.png"), Some(RawEvent::Written(at("p.png"))));
        assert_eq!(translate(close(AccessMode::Read), "p.png"), None);
        assert!(is_noise(&Ok(Event::new(EventKind::Access(AccessKind::Open(AccessMode::Any))))));
        assert!(!is_noise(&Ok(Event::new(close(AccessMode::Write)))));
        assert!(!is_noise(&Err(notify::Error::generic("x"))));
    }

    #[test]
    fn a_rename_on_linux_gives_each_half_once() {
        let mut linux = translator();
        assert_eq!(
            linux.translate(Ok(half(RenameMode::From, 7, "t.tmp"))),
            Some(RawEvent::Vanished(at("t.tmp")))
        );
        let renamed = RawEvent::Renamed { from: at("t.tmp"), to: at("p.png") };
        assert_eq!(linux.translate(Ok(half(RenameMode::To, 7, "p.png"))), Some(renamed));
        assert_eq!(linux.translate(Ok(half(RenameMode::Both, 7, "t.tmp"))), None);
    }

    #[test]
    fn a_second_half_without_its_first_came_from_outside() {
        let mut linux = translator();
        linux.translate(Ok(half(RenameMode::From, 7, "q.png")));
        assert_eq!(
            linux.translate(Ok(half(RenameMode::To, 8, "p.png"))),
            Some(RawEvent::RenamedInto(at("p.png")))
        );
        assert_eq!(
            linux.translate(Ok(half(RenameMode::To, 9, "walk"))),
            Some(RawEvent::CreatedFolder(at("walk")))
        );
    }

    #[test]
    fn a_renamed_folder_is_known_by_what_is_at_its_new_place() {
        let mut linux = translator();
        linux.translate(Ok(half(RenameMode::From, 7, "walk")));
        let renamed = RawEvent::RenamedFolder { from: at("walk"), to: at("run") };
        assert_eq!(linux.translate(Ok(half(RenameMode::To, 7, "run"))), Some(renamed));
    }

    #[test]
    fn halves_without_a_mark_are_told_apart_by_what_is_there() {
        let rename = EventKind::Modify(ModifyKind::Name(RenameMode::Any));
        assert_eq!(translate(rename, "p.png"), Some(RawEvent::RenamedInto(at("p.png"))));
        assert_eq!(translate(rename, "gone.png"), Some(RawEvent::Vanished(at("gone.png"))));
        assert_eq!(translate(rename, "walk"), Some(RawEvent::CreatedFolder(at("walk"))));
    }

    #[test]
    fn kinds_that_a_system_hides_are_asked_for_or_left_open() {
        let created = |name| translate(EventKind::Create(CreateKind::Any), name);
        assert_eq!(created("p.png"), Some(RawEvent::Created(at("p.png"))));
        assert_eq!(created("walk"), Some(RawEvent::CreatedFolder(at("walk"))));
        let removed = |kind| translate(EventKind::Remove(kind), "p.png");
        assert_eq!(removed(RemoveKind::Any), Some(RawEvent::Vanished(at("p.png"))));
        assert_eq!(removed(RemoveKind::File), Some(RawEvent::Removed(at("p.png"))));
        assert_eq!(removed(RemoveKind::Folder), Some(RawEvent::RemovedFolder(at("p.png"))));
    }

    #[test]
    fn bytes_and_permissions_count_and_access_times_do_not() {
        let modified = Some(RawEvent::Modified(at("p.png")));
        assert_eq!(translate(EventKind::Modify(ModifyKind::Data(DataChange::Any)), "p.png"), modified);
        assert_eq!(translate(EventKind::Modify(ModifyKind::Any), "p.png"), modified);
        let metadata = |kind| translate(EventKind::Modify(ModifyKind::Metadata(kind)), "p.png");
        assert_eq!(metadata(MetadataKind::Permissions), modified);
        assert_eq!(metadata(MetadataKind::AccessTime), None);
    }

    #[test]
    fn lost_events_and_faults_are_never_silent() {
        let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert_eq!(translator().translate(Ok(overflow)), Some(RawEvent::Lost));
        assert_eq!(translator().translate(Err(notify::Error::generic("x"))), Some(RawEvent::Lost));
        let limit = notify::Error::new(ErrorKind::MaxFilesWatch).add_path(at("walk"));
        assert_eq!(translator().translate(Err(limit)), Some(RawEvent::Unwatched(at("walk"))));
    }

    #[test]
    fn paths_come_out_as_the_root_was_given() {
        let mut relative = Translator::new("assets".into(), by_name);
        let absolute = std::path::absolute("assets/p.png").unwrap();
        let event = Event::new(EventKind::Remove(RemoveKind::File)).add_path(absolute);
        assert_eq!(relative.translate(Ok(event)), Some(RawEvent::Removed("assets/p.png".into())));
        let outside = Event::new(EventKind::Remove(RemoveKind::File)).add_path("/game/other/p.png".into());
        assert_eq!(translator().translate(Ok(outside)), None);
    }
}
