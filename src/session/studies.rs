//! Studies of open sheets' images, what detection finds in them, and looks at the pixels under unsaved frames, made by a
//! thread of their own.
//!
//! Asking costs a lookup. A slider asks for other rules many times a second; only the newest rules asked for are
//! worked on, and until they are done the last result is shown. Looks wait until a hand rests, and for all else.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::look::Look;
use super::pictures::Lookup;
use super::study::{Detected, Study};
use crate::hash::ContentHash;
use crate::import::service::Waker;
use crate::model::Automatic;

/// Studies that are kept; each has a byte or two for every pixel.
const MAX_STUDIES: usize = 4;
/// A look is taken when no other was asked for in its place for so long: a number that is dragged makes many edits.
const REST: Duration = Duration::from_millis(150);

type Made<T> = Result<Arc<T>, Arc<str>>;

/// The store and its thread; dropping it ends the thread.
pub(super) struct Studies {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    waker: Waker,
}

#[derive(Default)]
struct State {
    is_closed: bool,
    /// Images to study, the newest last.
    waiting: Vec<(ContentHash, PathBuf)>,
    /// The newest question of detection.
    question: Option<(ContentHash, PathBuf, Automatic)>,
    /// The newest last.
    studies: Vec<(ContentHash, Made<Study>)>,
    /// The last answer for each image, the newest last.
    detected: Vec<(ContentHash, Made<Detected>, Automatic)>,
    /// Looks, and when they are due: one for each sheet at most, since the others are not wanted any more.
    looks: Vec<(Instant, Look)>,
    /// What is being worked on, unless it is a look.
    at_work: Option<Work>,
}

/// What the thread does next.
enum Task {
    Work(Work),
    Look(Look),
}

#[derive(Debug, Clone, PartialEq)]
enum Work {
    Study(ContentHash, PathBuf),
    Detect(ContentHash, PathBuf, Automatic),
}

impl Studies {
    /// Starts the thread. `waker` is called when something is ready.
    pub(super) fn start(waker: Waker) -> std::io::Result<Self> {
        let shared = Arc::new(Shared { state: Mutex::default(), wake: Condvar::new(), waker });
        let of_thread = shared.clone();
        thread::Builder::new().name("studies".into()).spawn(move || of_thread.work())?;
        Ok(Self { shared })
    }

    /// The study of the image with that hash, which is in `file`.
    pub(super) fn study(&self, image: ContentHash, file: PathBuf) -> Lookup<Study> {
        let mut state = self.shared.lock();
        if let Some((_, made)) = state.studies.iter().find(|(hash, _)| *hash == image) {
            return lookup_of(made);
        }
        let is_at_work = matches!(&state.at_work, Some(Work::Study(hash, _)) if *hash == image);
        if !is_at_work {
            state.waiting.retain(|(hash, _)| *hash != image);
            state.waiting.push((image, file));
            self.shared.wake.notify_one();
        }
        Lookup::Pending(None)
    }

    /// What detection finds by these rules in the image with that hash, which is in `file`.
    pub(super) fn detected(&self, image: ContentHash, file: PathBuf, rules: &Automatic) -> Lookup<Detected> {
        let mut state = self.shared.lock();
        let last = state.detected.iter().find(|(hash, ..)| *hash == image);
        let last = last.map(|(_, made, by)| (made.clone(), by == rules));
        if let Some((made, true)) = &last {
            return lookup_of(made);
        }
        let wanted = Work::Detect(image, file, rules.clone());
        if state.at_work.as_ref() != Some(&wanted) {
            let Work::Detect(image, file, rules) = wanted else { return Lookup::Pending(None) };
            state.question = Some((image, file, rules));
            self.shared.wake.notify_one();
        }
        Lookup::Pending(last.and_then(|(made, _)| made.ok()))
    }

    /// Takes a look soon, if it is still wanted then.
    pub(super) fn look(&self, look: Look) {
        let mut state = self.shared.lock();
        state.looks.retain(|(_, look)| look.is_wanted());
        state.looks.push((Instant::now() + REST, look));
        self.shared.wake.notify_one();
    }
}

fn lookup_of<T>(made: &Made<T>) -> Lookup<T> {
    match made {
        Ok(made) => Lookup::Ready(made.clone()),
        Err(why) => Lookup::Failed(why.clone(), None),
    }
}

impl Drop for Studies {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What to do next: what a hand waits for comes first, looks come last.
    fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            let question = state.question.take().map(|(image, file, rules)| Work::Detect(image, file, rules));
            let work = question.or_else(|| state.waiting.pop().map(|(image, file)| Work::Study(image, file)));
            if let Some(work) = work {
                state.at_work = Some(work.clone());
                return Some(Task::Work(work));
            }
            state.looks.retain(|(_, look)| look.is_wanted());
            let Some(soonest) = (0..state.looks.len()).min_by_key(|index| state.looks[*index].0) else {
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = state.looks[soonest].0.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Some(Task::Look(state.looks.swap_remove(soonest).1));
            }
            state = self.wake.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn work(&self) {
        while let Some(task) = self.next() {
            match task {
                Task::Work(work) => {
                    self.carry_out(work);
                    self.lock().at_work = None;
                    (self.waker)();
                }
                Task::Look(look) => self.take_look(look),
            }
        }
    }

    fn carry_out(&self, work: Work) {
        match work {
            Work::Study(image, file) => {
                let made = Study::of_file(&file).map(Arc::new).map_err(Arc::from);
                let mut state = self.lock();
                state.studies.push((image, made));
                let excess = state.studies.len().saturating_sub(MAX_STUDIES);
                state.studies.drain(..excess);
            }
            Work::Detect(image, file, rules) => {
                let last = self.last_detected(image);
                let study = self.finished_study(image);
                let made = Detected::by(&rules, &file, study.as_deref(), last.as_deref());
                let made = made.map(Arc::new).map_err(Arc::from);
                let mut state = self.lock();
                state.detected.retain(|(hash, ..)| *hash != image);
                state.detected.push((image, made, rules));
                let excess = state.detected.len().saturating_sub(MAX_STUDIES);
                state.detected.drain(..excess);
            }
        }
    }

    /// Takes a look, or puts it off when something else is to be done first.
    fn take_look(&self, look: Look) {
        let has_time = || {
            let state = self.lock();
            !state.is_closed && state.question.is_none() && state.waiting.is_empty()
        };
        let Some(found) = look.findings(|| look.is_wanted() && has_time()) else {
            self.lock().looks.push((Instant::now(), look));
            return;
        };
        if let Err(why) = &found {
            log::debug!("not looked at, {why}: {}", look.file.display());
        }
        if let Some(answer) = look.answer.upgrade()
            && answer.set(found.ok().map(Arc::new)).is_ok()
        {
            (self.waker)();
        }
    }

    fn last_detected(&self, image: ContentHash) -> Option<Arc<Detected>> {
        let state = self.lock();
        let (_, made, _) = state.detected.iter().find(|(hash, ..)| *hash == image)?;
        made.as_ref().ok().cloned()
    }

    fn finished_study(&self, image: ContentHash) -> Option<Arc<Study>> {
        let state = self.lock();
        let (_, made) = state.studies.iter().find(|(hash, _)| *hash == image)?;
        made.as_ref().ok().cloned()
    }
}
