//! The workers of pass 2: they take the most urgent, then the largest plan, and only the newest one per path.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::plan::Plan;
use super::project::Project;
use super::work::{self, Manner, Outcome, Status};

/// Below this many bytes an image is done before a second thread has started.
const SECOND_THREAD_FROM_BYTES: u64 = 256 << 10;

/// Something a worker did.
#[derive(Debug)]
pub enum Report {
    /// It began with the asset at that path.
    Started(Arc<str>),
    /// It is done with one.
    Done(Box<Outcome>),
}

/// Who imports plans.
#[derive(Debug, Clone, Copy)]
pub struct Crew {
    /// How many threads, at least one.
    pub threads: usize,
    /// Whether one of them is the caller's, which does its share with [`Pool::help`].
    pub caller_helps: bool,
}

/// Named threads that import plans.
pub struct Pool {
    shared: Arc<Shared>,
    reports: Receiver<Report>,
    reporter: Sender<Report>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    project: Project,
    read_only: bool,
    workers: usize,
    cancel: AtomicBool,
    queue: Mutex<Queue>,
    wake: Condvar,
}

/// Urgent before not, then larger before smaller, then by path.
type Rank = (Reverse<bool>, Reverse<u64>, Arc<str>);

#[derive(Default)]
struct Queue {
    waiting: BTreeMap<Rank, Plan>,
    rank_of_path: HashMap<Arc<str>, Rank>,
    running: BTreeSet<Arc<str>>,
    is_closed: bool,
}

impl Queue {
    fn add(&mut self, plan: Plan) {
        let bytes = plan.found.file.map_or(0, |stamp| stamp.len);
        let rank = (Reverse(plan.is_urgent), Reverse(bytes), plan.path.clone());
        if let Some(older) = self.rank_of_path.insert(plan.path.clone(), rank.clone()) {
            self.waiting.remove(&older);
        }
        self.waiting.insert(rank, plan);
    }

    /// The plan to do next: none whose path a worker has, since two would write one file.
    fn take(&mut self) -> Option<Plan> {
        let rank = self.waiting.keys().find(|(_, _, path)| !self.running.contains(path))?.clone();
        let plan = self.waiting.remove(&rank)?;
        self.rank_of_path.remove(&plan.path);
        self.running.insert(plan.path.clone());
        Some(plan)
    }

    fn clear(&mut self) -> Vec<Plan> {
        self.rank_of_path.clear();
        std::mem::take(&mut self.waiting).into_values().collect()
    }
}

impl Pool {
    /// Starts the workers that a crew is short of.
    pub fn start(project: &Project, crew: Crew, read_only: bool) -> std::io::Result<Self> {
        let (reporter, reports) = unbounded();
        let workers = crew.threads.max(1);
        let shared = Arc::new(Shared {
            project: project.clone(),
            read_only,
            workers,
            cancel: AtomicBool::new(false),
            queue: Mutex::default(),
            wake: Condvar::new(),
        });
        let spawn = |number| {
            let (shared, reporter) = (shared.clone(), reporter.clone());
            thread::Builder::new()
                .name(format!("import {number}"))
                .spawn(move || while shared.work(Shared::next, &reporter) {})
        };
        let threads = (1..=workers - usize::from(crew.caller_helps)).map(spawn).collect::<Result<_, _>>()?;
        Ok(Self { shared, reports, reporter, threads })
    }

    /// Does one plan on this thread; `false` when none waits that could be done now.
    pub fn help(&self) -> bool {
        self.shared.work(Shared::next_now, &self.reporter)
    }

    /// Adds plans; one that waits for the same path gives way.
    pub fn submit(&self, plans: Vec<Plan>) {
        let mut queue = self.shared.lock();
        for plan in plans {
            queue.add(plan);
        }
        drop(queue);
        self.shared.wake.notify_all();
    }

    /// Plans that wait or are being worked on.
    pub fn unfinished(&self) -> usize {
        let queue = self.shared.lock();
        queue.waiting.len() + queue.running.len()
    }

    /// What the workers did.
    pub fn reports(&self) -> &Receiver<Report> {
        &self.reports
    }

    /// Gives up what is being worked on; returns the plans that had not begun.
    pub fn cancel(&self) -> Vec<Plan> {
        self.shared.cancel.store(true, Ordering::Relaxed);
        self.shared.lock().clear()
    }

    /// Lets work begin again after [`Pool::cancel`], once nothing is unfinished.
    pub fn rearm(&self) {
        self.shared.cancel.store(false, Ordering::Relaxed);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
        self.shared.lock().is_closed = true;
        self.shared.wake.notify_all();
        for thread in self.threads.drain(..) {
            // A worker catches the panics of its work; one outside of it is in the log already.
            drop(thread.join());
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next plan, once there is one, and whether a second thread would otherwise idle.
    fn next(&self) -> Option<(Plan, bool)> {
        let mut queue = self.lock();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(next) = self.take(&mut queue) {
                return Some(next);
            }
            queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next plan, if there is one.
    fn next_now(&self) -> Option<(Plan, bool)> {
        self.take(&mut self.lock())
    }

    fn take(&self, queue: &mut Queue) -> Option<(Plan, bool)> {
        let plan = queue.take()?;
        let is_big = plan.found.file.is_some_and(|stamp| stamp.len >= SECOND_THREAD_FROM_BYTES);
        let others_idle = queue.waiting.is_empty() && queue.running.len() < self.workers;
        Some((plan, is_big && others_idle))
    }

    /// Imports the plan that `next` gives, and says whether there was one.
    fn work(&self, next: impl FnOnce(&Self) -> Option<(Plan, bool)>, reporter: &Sender<Report>) -> bool {
        let Some((plan, second_thread)) = next(self) else { return false };
        // Nobody listens any more when the pool is being dropped.
        drop(reporter.send(Report::Started(plan.path.clone())));
        let manner =
            Manner { project: &self.project, cancel: &self.cancel, second_thread, read_only: self.read_only };
        let outcome = if self.cancel.load(Ordering::Relaxed) {
            Outcome { path: plan.path.clone(), status: Status::Cancelled, entry: None }
        } else {
            work::import(&plan, manner)
        };
        let mut queue = self.lock();
        queue.running.remove(&plan.path);
        let is_awaited = queue.rank_of_path.contains_key(&plan.path);
        drop(queue);
        if is_awaited {
            // A plan for the same path waited for this one.
            self.wake.notify_all();
        }
        drop(reporter.send(Report::Done(Box::new(outcome))));
        true
    }
}
