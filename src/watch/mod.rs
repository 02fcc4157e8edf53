//! Notices what other programs do to a project's files and says where to look.
//!
//! `notify` reports what the system saw, `platform` tells it in our words, [`coalesce`] makes one change of
//! the many events of a save, and a thread named `watch` hands the changes to a sink. Idle, that thread
//! sleeps: it wakes for an event or for a wait that ends, and never to poll.
//!
//! What we write ourselves comes back as a change like everything else: time and names cannot tell who wrote
//! a file. Whoever looks compares content, and does nothing when it is what it already has.

mod attachment;
pub mod coalesce;
mod interest;
mod platform;

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use attachment::Attachment;
pub use coalesce::Change;
use coalesce::{Coalescer, RawEvent};
pub use interest::{is_file_of_interest, is_folder_of_interest};
use platform::Translator;

/// Events taken in at one go: enough for any save, and a storm cannot keep what is ready from going out.
const MAX_EVENTS_AT_ONCE: usize = 4096;

/// Changes cannot be noticed.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// There is nothing to watch.
    #[error("cannot watch for changes, there is no such folder: {path}")]
    NoFolder {
        /// The folder that was to be watched.
        path: PathBuf,
    },
    /// The system allows no more.
    #[error(
        "cannot watch for changes, the system's limit is reached: raise fs.inotify.max_user_watches \
         (or max_user_instances), or press F5 to reimport by hand: {path}"
    )]
    Limit {
        /// The folder that is not watched.
        path: PathBuf,
    },
    /// The system refused for another reason.
    #[error("cannot watch for changes: {source}; press F5 to reimport by hand: {path}")]
    System {
        /// The folder that is not watched.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Watches one folder until it is dropped.
pub struct Watcher {
    inbox: Sender<Message>,
}

/// Takes the changes that are ready, never none; called on the `watch` thread, it should only pass them on.
pub type Sink = Box<dyn Fn(Vec<Change>) + Send>;

enum Message {
    Report(notify::Result<notify::Event>),
    Stop,
}

impl Watcher {
    /// Starts to watch `root`, and the folders below it when recursive.
    ///
    /// The paths of the changes start with `root` as given. What happens after this returns is not missed, so
    /// start before the first scan. It visits every folder below the root: not a call for a thread that
    /// draws.
    pub fn start(root: &Path, is_recursive: bool, sink: Sink) -> Result<Self, WatchError> {
        let (inbox, messages) = unbounded();
        let reports = inbox.clone();
        let attachment = Attachment::new(root, is_recursive, move |report| {
            if !platform::is_noise(&report) && reports.send(Message::Report(report)).is_err() {
                log::trace!("a report after the end of the watch");
            }
        })?;
        let worker = Worker {
            root: root.to_owned(),
            translator: Translator::new(root.to_owned(), platform::look),
            coalescer: Coalescer::new(root.to_owned(), is_recursive),
            attachment,
            started: Instant::now(),
            sink,
        };
        thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || worker.run(&messages))
            .map_err(|source| WatchError::System { path: root.to_owned(), source })?;
        Ok(Self { inbox })
    }
}

impl Drop for Watcher {
    /// Ends the thread without waiting for it: a last batch may still reach the sink.
    fn drop(&mut self) {
        if self.inbox.send(Message::Stop).is_err() {
            log::debug!("the watch had already ended");
        }
    }
}

/// What the `watch` thread owns.
struct Worker {
    root: PathBuf,
    translator: Translator,
    coalescer: Coalescer,
    attachment: Attachment,
    started: Instant,
    sink: Sink,
}

impl Worker {
    fn run(mut self, messages: &Receiver<Message>) {
        loop {
            let first = match self.coalescer.next_deadline() {
                Some(deadline) => messages.recv_deadline(self.started + deadline),
                None => messages.recv().map_err(RecvTimeoutError::from),
            };
            match first {
                Ok(message) => {
                    for message in
                        std::iter::once(message).chain(messages.try_iter()).take(MAX_EVENTS_AT_ONCE)
                    {
                        match message {
                            Message::Report(report) => self.take(report),
                            Message::Stop => return,
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let ready = self.coalescer.due(self.started.elapsed());
            if !ready.is_empty() {
                (self.sink)(ready);
            }
        }
    }

    fn take(&mut self, report: notify::Result<notify::Event>) {
        let now = self.started.elapsed();
        if let Some(event) = self.translator.translate(report) {
            if let RawEvent::RemovedFolder(path) | RawEvent::Vanished(path) = &event
                && *path == self.root
            {
                self.attachment.root_vanished();
            }
            self.coalescer.event(now, event);
        }
        if self.attachment.is_lost() && self.attachment.recover() {
            self.coalescer.event(now, RawEvent::Lost);
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::time::Duration;

    use super::*;

    /// Far more than anything takes; only a failure waits that long.
    const PATIENCE: Duration = Duration::from_secs(5);
    /// Longer than any change waits that is still to come when all is quiet.
    const SILENCE: Duration = Duration::from_millis(400);

    /// A watched folder with what has been noticed.
    struct Watched {
        folder: tempfile::TempDir,
        root: PathBuf,
        changes: Receiver<Vec<Change>>,
        watcher: Watcher,
    }

    impl Watched {
        /// Watches `game/assets`, which holds `p.png` and `walk/a.png`; the folder around it is outside.
        fn start(is_recursive: bool) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().join("game/assets");
            fs::create_dir_all(root.join("walk")).unwrap();
            fs::write(root.join("p.png"), "old").unwrap();
            fs::write(root.join("walk/a.png"), "old").unwrap();
            let (changes, watcher) = watch(&root, is_recursive);
            Self { folder, root, changes, watcher }
        }

        fn at(&self, name: &str) -> PathBuf {
            self.root.join(name)
        }

        fn changed(&self, name: &str) -> Change {
            Change::Changed(self.at(name))
        }

        fn folder_changed(&self, name: &str) -> Change {
            Change::FolderChanged(self.at(name))
        }

        /// All changes up to `last`, which must come.
        fn until(&self, last: &Change) -> Vec<Change> {
            let mut seen = Vec::new();
            while !seen.contains(last) {
                match self.changes.recv_timeout(PATIENCE) {
                    Ok(more) => seen.extend(more),
                    Err(error) => panic!("{last:?} never came, only {seen:?}: {error}"),
                }
            }
            seen
        }

        /// All changes until nothing more comes.
        fn rest(&self) -> Vec<Change> {
            let mut seen = Vec::new();
            while let Ok(more) = self.changes.recv_timeout(SILENCE) {
                seen.extend(more);
            }
            seen
        }
    }

    fn watch(root: &Path, is_recursive: bool) -> (Receiver<Vec<Change>>, Watcher) {
        let (sender, changes) = unbounded();
        let sink = Box::new(move |batch| sender.send(batch).unwrap_or_default());
        (changes, Watcher::start(root, is_recursive, sink).unwrap())
    }

    #[test]
    fn a_temporary_file_renamed_over_an_image_is_exactly_one_change() {
        let watched = Watched::start(true);
        for temporary in ["p.png.tmp", "p.png.Xa81bQ", ".hidden"] {
            fs::write(watched.at(temporary), "new").unwrap();
            fs::rename(watched.at(temporary), watched.at("p.png")).unwrap();
            let mut seen = watched.until(&watched.changed("p.png"));
            seen.extend(watched.rest());
            assert_eq!(seen, [watched.changed("p.png")], "{temporary}");
        }
    }

    #[test]
    fn a_save_of_ours_is_a_change_of_its_file_alone() {
        let watched = Watched::start(true);
        crate::fs_atomic::write_synced(&watched.at("p.png.data"), b"{}").unwrap();
        let mut seen = watched.until(&watched.changed("p.png.data"));
        seen.extend(watched.rest());
        assert!(seen.iter().all(|change| *change == watched.changed("p.png.data")), "{seen:?}");
    }

    #[test]
    fn saves_in_place_and_by_backup_are_changes_of_the_image_alone() {
        let watched = Watched::start(true);
        fs::write(watched.at("p.png"), "new").unwrap();
        watched.until(&watched.changed("p.png"));
        fs::rename(watched.at("p.png"), watched.at("p.png~")).unwrap();
        fs::write(watched.at("p.png"), "newer").unwrap();
        fs::remove_file(watched.at("p.png~")).unwrap();
        let mut seen = watched.until(&watched.changed("p.png"));
        seen.extend(watched.rest());
        // A slow machine may come between the steps of a save, so how many is not certain here.
        assert!(seen.iter().all(|change| *change == watched.changed("p.png")), "{seen:?}");
    }

    #[test]
    fn an_idle_watcher_and_one_whose_files_are_read_deliver_nothing() {
        let watched = Watched::start(true);
        assert_eq!(watched.rest(), []);
        fs::read(watched.at("p.png")).unwrap();
        fs::read_dir(&watched.root).unwrap().for_each(drop);
        fs::write(watched.at("notes.txt"), "x").unwrap();
        fs::remove_file(watched.at("notes.txt")).unwrap();
        assert_eq!(watched.rest(), []);
    }

    #[test]
    fn files_made_at_once_in_new_folders_are_found_by_a_look_and_later_ones_by_events() {
        let watched = Watched::start(true);
        fs::create_dir_all(watched.at("run/left")).unwrap();
        fs::write(watched.at("run/left/a.png"), "x").unwrap();
        watched.until(&watched.folder_changed("run"));
        fs::write(watched.at("run/left/b.png"), "x").unwrap();
        watched.until(&watched.changed("run/left/b.png"));
    }

    #[test]
    fn folders_moved_within_out_and_in_are_looked_for() {
        let watched = Watched::start(true);
        fs::rename(watched.at("walk"), watched.at("run")).unwrap();
        let seen = watched.until(&watched.folder_changed("walk"));
        assert_eq!(seen, [watched.folder_changed("run"), watched.folder_changed("walk")]);
        fs::write(watched.at("run/a.png"), "new").unwrap();
        watched.until(&watched.changed("run/a.png"));
        let outside = watched.folder.path().join("outside");
        fs::rename(watched.at("run"), &outside).unwrap();
        watched.until(&watched.folder_changed("run"));
        fs::rename(&outside, watched.at("back")).unwrap();
        watched.until(&watched.folder_changed("back"));
    }

    #[test]
    fn a_root_that_goes_away_and_comes_back_is_watched_again() {
        let watched = Watched::start(true);
        fs::remove_dir_all(watched.folder.path().join("game")).unwrap();
        watched.until(&Change::RescanAll);
        watched.rest();
        fs::create_dir_all(&watched.root).unwrap();
        watched.until(&Change::RescanAll);
        fs::write(watched.at("p.png"), "new").unwrap();
        watched.until(&watched.changed("p.png"));

        let aside = watched.folder.path().join("aside");
        fs::rename(&watched.root, &aside).unwrap();
        watched.until(&Change::RescanAll);
        fs::rename(&aside, &watched.root).unwrap();
        watched.until(&Change::RescanAll);
        fs::write(watched.at("p.png"), "newer").unwrap();
        watched.until(&watched.changed("p.png"));
    }

    #[test]
    fn links_are_followed_to_the_root_alone_and_loops_do_no_harm() {
        let watched = Watched::start(true);
        symlink(&watched.root, watched.at("walk/loop")).unwrap();
        let link = watched.folder.path().join("link");
        symlink(&watched.root, &link).unwrap();
        let (changes, _watcher) = watch(&link, true);
        fs::write(watched.at("walk/a.png"), "new").unwrap();
        let first = changes.recv_timeout(PATIENCE).unwrap();
        assert_eq!(first, [Change::Changed(link.join("walk/a.png"))]);
        fs::rename(watched.at("walk/a.png"), watched.at("p.png")).unwrap();
        let first = changes.recv_timeout(PATIENCE).unwrap();
        assert_eq!(first, [Change::Changed(link.join("p.png"))]);
    }

    #[test]
    fn without_recursion_folders_below_are_left_alone() {
        let watched = Watched::start(false);
        fs::write(watched.at("walk/a.png"), "new").unwrap();
        fs::create_dir(watched.at("run")).unwrap();
        fs::write(watched.at("p.png"), "new").unwrap();
        let mut seen = watched.until(&watched.changed("p.png"));
        seen.extend(watched.rest());
        assert!(seen.iter().all(|change| *change == watched.changed("p.png")), "{seen:?}");
    }

    #[test]
    fn a_dropped_watcher_lets_go_of_its_sink() {
        let Watched { changes, watcher, .. } = Watched::start(true);
        drop(watcher);
        assert_eq!(changes.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn a_missing_root_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("nowhere");
        let error = Watcher::start(&root, true, Box::new(drop)).err().unwrap();
        assert!(error.to_string().contains("no such folder") && error.to_string().contains("nowhere"));
        fs::write(&root, "a file").unwrap();
        assert!(matches!(Watcher::start(&root, true, Box::new(drop)), Err(WatchError::NoFolder { .. })));
    }
}
