//! From many events to few changes, as a pure function of events and time.
//!
//! One save is anything from one event to a dozen. Waiting a fixed time after each of them would make every
//! save feel slow, so what an event says decides how long its path waits:
//!
//! | event | waits for | because |
//! |---|---|---|
//! | closed after writing, renamed into place | [`TAIL`], hardly anything | the file is whole |
//! | created, modified | [`QUIET`] | more is coming, as a rule a close |
//! | vanished | [`COME_BACK`] | many programs delete or move the old file before the new one comes |
//! | a folder came or went | [`FOLDER_QUIET`] | what it holds is still on its way |
//!
//! A later event of the same path replaces the wait, but no path waits longer than [`MAX_WAIT`] from its
//! first event. Paths wait for themselves alone: a burst of a thousand files comes out as they become ready.
//!
//! A change says only "look at this path now". What was found there (new bytes, the bytes we wrote ourselves,
//! half a file, nothing) is for whoever looks: our own writes come through here like any other and are
//! recognised one level up, by content; so is a half-written file, which fails to decode and is tried again
//! after its next close.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::interest::{is_file_of_interest, is_folder_of_interest};

/// How long a finished file waits for the last strokes of its save: many programs rename first and close
/// after it, or set times and permissions when all is written. Too short to be felt.
pub const TAIL: Duration = Duration::from_millis(1);

/// How long a created or modified file must be left alone.
pub const QUIET: Duration = Duration::from_millis(25);

/// How long a vanished file may take to come back before anyone is told.
///
/// Programs that delete the target, pause and then rename over it have been seen to pause for 150 ms; nobody
/// minds that a file which is gone for good is shown for a moment more, while a flash of "missing" at each
/// save is a fault.
pub const COME_BACK: Duration = Duration::from_millis(200);

/// How long a new or vanished folder must be left alone: long enough for the system's watch to be set on
/// every folder below, so that nothing falls between the look and the first event.
pub const FOLDER_QUIET: Duration = Duration::from_millis(60);

/// No path waits longer than this, however busy it is.
pub const MAX_WAIT: Duration = Duration::from_millis(500);

/// What the system said, told apart as far as it matters here. Paths start with the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RawEvent {
    /// A file was closed after writing.
    Written(PathBuf),
    /// A file was created, perhaps without content yet.
    Created(PathBuf),
    /// A file's bytes or permissions changed; its writer may not be done.
    Modified(PathBuf),
    /// A file was deleted.
    Removed(PathBuf),
    /// Something of unknown kind was deleted or renamed away.
    Vanished(PathBuf),
    /// A file came in by a rename from outside the root.
    RenamedInto(PathBuf),
    /// A file was renamed; `from` has been reported as [`RawEvent::Vanished`].
    Renamed {
        /// The old path.
        from: PathBuf,
        /// The new path.
        to: PathBuf,
    },
    /// A folder was created or came in by a rename.
    CreatedFolder(PathBuf),
    /// A folder was deleted.
    RemovedFolder(PathBuf),
    /// A folder was renamed.
    RenamedFolder {
        /// The old path.
        from: PathBuf,
        /// The new path.
        to: PathBuf,
    },
    /// The system lost events: anything may have changed.
    Lost,
    /// The system cannot watch this folder.
    Unwatched(PathBuf),
}

/// What to do about it. Paths start with the root, as it was given.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Look at this file: it appeared, changed or vanished (then it may have been a folder of that name).
    Changed(PathBuf),
    /// Look at everything below this folder, which may be gone, or was a file of no interest.
    FolderChanged(PathBuf),
    /// Look at everything below the root, which may be gone.
    RescanAll,
    /// Nothing below this folder will be noticed, the system's limit is reached: tell the user
    /// (with [`WatchError::Limit`](super::WatchError::Limit)).
    Unwatched(PathBuf),
}

/// Keeps what waits. It has no clock: times are durations since any fixed start, and must not go back.
pub struct Coalescer {
    root: PathBuf,
    is_recursive: bool,
    waits: BTreeMap<Change, Wait>,
    /// The same waits by time, so that a long list costs nothing to look at.
    queue: BTreeSet<(Duration, Change)>,
}

/// One path's wait.
#[derive(Clone, Copy)]
struct Wait {
    since: Duration,
    until: Duration,
}

impl Coalescer {
    /// For the files below `root`, or directly in it when not recursive.
    pub fn new(root: PathBuf, is_recursive: bool) -> Self {
        Self { root, is_recursive, waits: BTreeMap::new(), queue: BTreeSet::new() }
    }

    /// Takes one event in. Events of paths that are of no interest leave no trace.
    pub fn event(&mut self, now: Duration, event: RawEvent) {
        match event {
            RawEvent::Written(path) | RawEvent::RenamedInto(path) => self.file(now, TAIL, path),
            RawEvent::Created(path) | RawEvent::Modified(path) => self.file(now, QUIET, path),
            RawEvent::Removed(path) => self.file(now, COME_BACK, path),
            RawEvent::Vanished(path) if self.wants_file(&path) => self.file(now, COME_BACK, path),
            RawEvent::Vanished(path) | RawEvent::CreatedFolder(path) | RawEvent::RemovedFolder(path) => {
                self.folder(now, &path);
            }
            RawEvent::Renamed { from, to } => {
                // The usual temporary file of a save: it was no folder, so there is nothing to look for.
                self.forget(&Change::FolderChanged(from));
                self.file(now, TAIL, to);
            }
            RawEvent::RenamedFolder { from, to } => {
                // Both at one time, so that they come out together and nothing seems to exist twice.
                self.forget(&Change::Changed(from.clone()));
                self.folder(now, &from);
                self.folder(now, &to);
            }
            RawEvent::Lost => self.folder(now, &self.root.clone()),
            RawEvent::Unwatched(path) => self.wait(now, Duration::ZERO, Change::Unwatched(path)),
        }
    }

    /// The changes that are ready, in the order in which they became so.
    pub fn due(&mut self, now: Duration) -> Vec<Change> {
        let mut ready = Vec::new();
        while self.queue.first().is_some_and(|(until, _)| *until <= now)
            && let Some((_, change)) = self.queue.pop_first()
        {
            self.waits.remove(&change);
            ready.push(match change {
                Change::FolderChanged(path) if path == self.root => Change::RescanAll,
                other => other,
            });
        }
        ready
    }

    /// When [`Coalescer::due`] has something next; `None` when nothing waits.
    pub fn next_deadline(&self) -> Option<Duration> {
        self.queue.first().map(|(until, _)| *until)
    }

    fn file(&mut self, now: Duration, quiet: Duration, path: PathBuf) {
        if self.wants_file(&path) {
            self.wait(now, quiet, Change::Changed(path));
        }
    }

    /// No folder waits below another that waits: the upper one's look finds it all, so it waits for both.
    fn folder(&mut self, now: Duration, path: &Path) {
        if !self.wants_folder(path) {
            return;
        }
        let above = path.ancestors().map(|folder| Change::FolderChanged(folder.to_owned()));
        if let Some(upper) = above.skip(1).find(|folder| self.waits.contains_key(folder)) {
            self.wait(now, FOLDER_QUIET, upper);
            return;
        }
        let upper = Change::FolderChanged(path.to_owned());
        // Paths sort by their parts: all that lies below a folder comes right after it.
        let below = self.waits.range(upper.clone()..).map(|(change, _)| change);
        let below =
            below.take_while(|change| matches!(change, Change::FolderChanged(at) if at.starts_with(path)));
        for lower in below.filter(|change| **change != upper).cloned().collect::<Vec<_>>() {
            self.forget(&lower);
        }
        self.wait(now, FOLDER_QUIET, upper);
    }

    fn wait(&mut self, now: Duration, quiet: Duration, change: Change) {
        let since = self.forget(&change).map_or(now, |wait| wait.since);
        let until = (now + quiet).min(since + MAX_WAIT);
        self.queue.insert((until, change.clone()));
        self.waits.insert(change, Wait { since, until });
    }

    fn forget(&mut self, change: &Change) -> Option<Wait> {
        let (change, wait) = self.waits.remove_entry(change)?;
        self.queue.remove(&(wait.until, change));
        Some(wait)
    }

    fn wants_file(&self, path: &Path) -> bool {
        path.strip_prefix(&self.root).is_ok_and(|relative| {
            is_file_of_interest(relative) && (self.is_recursive || relative.components().count() == 1)
        })
    }

    /// The root itself always; folders below it only when what they hold is of interest.
    fn wants_folder(&self, path: &Path) -> bool {
        path.strip_prefix(&self.root).is_ok_and(|relative| {
            relative.as_os_str().is_empty() || (self.is_recursive && is_folder_of_interest(relative))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ROOT: &str = "/game/assets";

    fn at(name: &str) -> PathBuf {
        Path::new(ROOT).join(name)
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn renamed(from: &str, to: &str) -> RawEvent {
        RawEvent::Renamed { from: at(from), to: at(to) }
    }

    /// Plays events at their times (in ms), looking whenever something is due, and says what came out when.
    fn play(events: Vec<(u64, RawEvent)>) -> Vec<(u64, Change)> {
        play_in(Coalescer::new(ROOT.into(), true), events)
    }

    fn play_in(mut coalescer: Coalescer, events: Vec<(u64, RawEvent)>) -> Vec<(u64, Change)> {
        let mut seen = Vec::new();
        let mut look = |coalescer: &mut Coalescer, now: Duration| {
            seen.extend(coalescer.due(now).into_iter().map(|change| (now.as_millis() as u64, change)));
        };
        for (time, event) in events {
            while let Some(deadline) = coalescer.next_deadline().filter(|deadline| *deadline < ms(time)) {
                look(&mut coalescer, deadline);
            }
            coalescer.event(ms(time), event);
            look(&mut coalescer, ms(time));
        }
        while let Some(deadline) = coalescer.next_deadline() {
            look(&mut coalescer, deadline);
        }
        seen
    }

    fn changed(time: u64, name: &str) -> (u64, Change) {
        (time, Change::Changed(at(name)))
    }

    fn folder_changed(time: u64, name: &str) -> (u64, Change) {
        (time, Change::FolderChanged(at(name)))
    }

    #[test]
    fn a_save_in_place_starts_with_its_close() {
        let p = at("p.png");
        let events = vec![
            (0, RawEvent::Modified(p.clone())),
            (8, RawEvent::Modified(p.clone())),
            (12, RawEvent::Written(p)),
        ];
        assert_eq!(play(events), [changed(13, "p.png")]);
    }

    #[test]
    fn a_modification_without_a_close_waits_for_quiet() {
        let p = at("p.png");
        let events = vec![(0, RawEvent::Modified(p.clone())), (20, RawEvent::Modified(p))];
        assert_eq!(play(events), [changed(45, "p.png")]);
    }

    #[test]
    fn a_temporary_file_renamed_into_place_is_one_change_at_once() {
        for temporary in ["p.png.tmp", "p.png.Xa81bQ", ".p.png.swp", "ps4711.tmp"] {
            let events = vec![
                (0, RawEvent::Created(at(temporary))),
                (1, RawEvent::Modified(at(temporary))),
                (2, RawEvent::Written(at(temporary))),
                (3, RawEvent::Vanished(at(temporary))),
                (3, renamed(temporary, "p.png")),
            ];
            assert_eq!(play(events), [changed(4, "p.png")], "{temporary}");
        }
    }

    #[test]
    fn a_file_that_is_closed_or_dated_just_after_its_rename_is_one_change() {
        let p = at("p.png");
        let closed = vec![(5, RawEvent::RenamedInto(p.clone())), (5, RawEvent::Written(p.clone()))];
        assert_eq!(play(closed), [changed(6, "p.png")]);
        let dated = vec![(5, RawEvent::Written(p.clone())), (5, RawEvent::Modified(p))];
        assert_eq!(play(dated), [changed(30, "p.png")]);
    }

    #[test]
    fn a_file_renamed_in_from_outside_starts_at_once() {
        assert_eq!(play(vec![(7, RawEvent::RenamedInto(at("p.png")))]), [changed(8, "p.png")]);
    }

    #[test]
    fn a_backup_by_rename_then_a_write_is_one_change() {
        let events = vec![
            (0, RawEvent::Vanished(at("p.png"))),
            (0, renamed("p.png", "p.png~")),
            (2, RawEvent::Created(at("p.png"))),
            (3, RawEvent::Modified(at("p.png"))),
            (9, RawEvent::Written(at("p.png"))),
            (10, RawEvent::Removed(at("p.png~"))),
        ];
        assert_eq!(play(events), [changed(10, "p.png")]);
    }

    #[test]
    fn a_target_deleted_before_the_rename_is_one_change_for_each_save() {
        let save = |start: u64| {
            [
                (start, RawEvent::Written(at("ps.tmp"))),
                (start + 1, RawEvent::Removed(at("p.png"))),
                (start + 151, RawEvent::Vanished(at("ps.tmp"))),
                (start + 151, renamed("ps.tmp", "p.png")),
            ]
        };
        let events = save(0).into_iter().chain(save(1000)).collect();
        assert_eq!(play(events), [changed(152, "p.png"), changed(1152, "p.png")]);
    }

    #[test]
    fn a_file_that_stays_away_is_a_change_and_one_that_comes_back_late_another() {
        let events = vec![(0, RawEvent::Removed(at("p.png"))), (300, RawEvent::Written(at("p.png")))];
        assert_eq!(play(events), [changed(200, "p.png"), changed(301, "p.png")]);
    }

    #[test]
    fn a_half_written_file_is_looked_at_after_each_close() {
        let p = at("p.png");
        let events = vec![
            (0, RawEvent::Modified(p.clone())),
            (1, RawEvent::Written(p.clone())),
            (301, RawEvent::Modified(p.clone())),
            (302, RawEvent::Written(p)),
        ];
        assert_eq!(play(events), [changed(2, "p.png"), changed(303, "p.png")]);
    }

    #[test]
    fn an_image_renamed_is_a_change_of_both_names() {
        let events = vec![(0, RawEvent::Vanished(at("hero.png"))), (0, renamed("hero.png", "knight.png"))];
        assert_eq!(play(events), [changed(1, "knight.png"), changed(200, "hero.png")]);
    }

    #[test]
    fn a_burst_comes_out_as_it_becomes_ready() {
        let name = |i: u64| format!("f{i:04}.png");
        let created = (0..1000).map(|i| (i, RawEvent::Created(at(&name(i)))));
        let expected: Vec<_> = (0..1000).map(|i| changed(i + 25, &name(i))).collect();
        assert_eq!(play(created.collect()), expected);
    }

    #[test]
    fn a_path_that_never_rests_is_looked_at_every_half_second_and_holds_nobody_up() {
        let mut events: Vec<_> = (0..120).map(|i| (i * 10, RawEvent::Modified(at("busy.png")))).collect();
        events.insert(31, (300, RawEvent::Written(at("p.png"))));
        // First at 0, so 500; the next modification is at 510 (that of 500 still belongs to the first), so
        // 1010; the one after at 1020, and the last at 1190 is followed by quiet.
        let busy = |time| changed(time, "busy.png");
        assert_eq!(play(events), [changed(301, "p.png"), busy(500), busy(1010), busy(1215)]);
    }

    #[test]
    fn a_new_folder_is_looked_into_once_it_rests_and_stands_for_those_below() {
        let events = vec![
            (0, RawEvent::CreatedFolder(at("walk"))),
            (20, RawEvent::CreatedFolder(at("walk/left"))),
            (30, RawEvent::Written(at("walk/left/a.png"))),
        ];
        assert_eq!(play(events), [changed(31, "walk/left/a.png"), folder_changed(80, "walk")]);
    }

    #[test]
    fn a_folder_moved_is_looked_for_at_both_places_at_one_time() {
        let events = vec![
            (0, RawEvent::Vanished(at("walk"))),
            (1, RawEvent::RenamedFolder { from: at("walk"), to: at("run") }),
        ];
        assert_eq!(play(events), [folder_changed(61, "run"), folder_changed(61, "walk")]);
    }

    #[test]
    fn a_folder_moved_out_or_deleted_from_within_is_one_look() {
        assert_eq!(play(vec![(0, RawEvent::Vanished(at("walk")))]), [folder_changed(60, "walk")]);
        let events = vec![
            (0, RawEvent::RemovedFolder(at("walk/left"))),
            (1, RawEvent::RemovedFolder(at("walk/right"))),
            (2, RawEvent::RemovedFolder(at("walk"))),
            (3, RawEvent::RemovedFolder(at("walking"))),
        ];
        assert_eq!(play(events), [folder_changed(62, "walk"), folder_changed(63, "walking")]);
    }

    #[test]
    fn lost_events_and_a_vanished_root_mean_a_look_at_everything() {
        let all = |time| (time, Change::RescanAll);
        assert_eq!(play(vec![(0, RawEvent::Lost), (5, RawEvent::Lost)]), [all(65)]);
        assert_eq!(play(vec![(0, RawEvent::RemovedFolder(ROOT.into()))]), [all(60)]);
        assert_eq!(play(vec![(0, RawEvent::Vanished(ROOT.into()))]), [all(60)]);
        let events = vec![(0, RawEvent::CreatedFolder(at("walk"))), (1, RawEvent::Lost)];
        assert_eq!(play(events), [all(61)]);
    }

    #[test]
    fn a_folder_that_cannot_be_watched_is_said_at_once() {
        let events = vec![(3, RawEvent::Unwatched(at("walk")))];
        assert_eq!(play(events), [(3, Change::Unwatched(at("walk")))]);
    }

    #[test]
    fn what_is_of_no_interest_leaves_no_trace() {
        let events = vec![
            (0, RawEvent::Written(at("notes.txt"))),
            (0, RawEvent::Written(at("cache/0a.png"))),
            (0, RawEvent::Removed(at("notes.txt"))),
            (0, RawEvent::CreatedFolder(at(".git"))),
            (0, RawEvent::Modified(ROOT.into())),
            (0, RawEvent::Written("/elsewhere/p.png".into())),
        ];
        assert_eq!(play(events), []);
    }

    #[test]
    fn without_recursion_only_files_in_the_root_count() {
        let events = vec![
            (0, RawEvent::Written(at("deep/p.png"))),
            (0, RawEvent::CreatedFolder(at("deep"))),
            (0, RawEvent::Written(at("p.png"))),
            (0, RawEvent::RemovedFolder(ROOT.into())),
        ];
        let flat = Coalescer::new(ROOT.into(), false);
        assert_eq!(play_in(flat, events), [changed(1, "p.png"), (60, Change::RescanAll)]);
    }

    fn any_event() -> impl Strategy<Value = RawEvent> {
        let path = prop_oneof![Just("a.png"), Just("b.png"), Just("d/c.png")].prop_map(at);
        (path, 0..5).prop_map(|(path, kind)| match kind {
            0 => RawEvent::Written(path),
            1 => RawEvent::Created(path),
            2 => RawEvent::Modified(path),
            3 => RawEvent::Removed(path),
            _ => RawEvent::Vanished(path),
        })
    }

    fn path_of(event: &RawEvent) -> PathBuf {
        match event {
            RawEvent::Written(path)
            | RawEvent::Created(path)
            | RawEvent::Modified(path)
            | RawEvent::Removed(path)
            | RawEvent::Vanished(path) => path.clone(),
            other => unreachable!("{other:?}"),
        }
    }

    proptest! {
        #[test]
        fn every_event_is_followed_by_a_look_within_the_longest_wait(
            steps in prop::collection::vec((0_u64..120, any_event()), 1..60),
        ) {
            let mut time = 0;
            let later = |(pause, event)| { time += pause; (time, event) };
            let events: Vec<_> = steps.into_iter().map(later).collect();
            let seen = play(events.clone());
            prop_assert!(seen.is_sorted_by_key(|(time, _)| *time));
            for (time, event) in events {
                let wanted = Change::Changed(path_of(&event));
                let in_time = time..=time + 500;
                prop_assert!(seen.iter().any(|(at, change)| in_time.contains(at) && *change == wanted));
            }
        }
    }
}
