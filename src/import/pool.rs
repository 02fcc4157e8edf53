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

/// Named threads that import plans.
pub struct Pool {
    shared: Arc<Shared>,
    reports: Receiver<Report>,
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
        let bytes = plan.found.image.map_or(0, |stamp| stamp.len);
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
    /// Starts `threads` workers, at least one.
    pub fn start(project: &Project, threads: usize, read_only: bool) -> std::io::Result<Self> {
        let (tx, reports) = unbounded();
        let workers = threads.max(1);
        let shared = Arc::new(Shared {
            project: project.clone(),
            read_only,
            workers,
            cancel: AtomicBool::new(false),
            queue: Mutex::default(),
            wake: Condvar::new(),
        });
        let spawn = |number| {
            let (shared, tx) = (shared.clone(), tx.clone());
            thread::Builder::new().name(format!("import {number}")).spawn(move || work_on(&shared, &tx))
        };
        let threads = (1..=workers).map(spawn).collect::<Result<_, _>>()?;
        Ok(Self { shared, reports, threads })
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

    /// The next plan, and whether a second thread would otherwise idle.
    fn next(&self) -> Option<(Plan, bool)> {
        let mut queue = self.lock();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(plan) = queue.take() {
                let is_big = plan.found.image.is_some_and(|stamp| stamp.len >= SECOND_THREAD_FROM_BYTES);
                let others_idle = queue.waiting.is_empty() && queue.running.len() < self.workers;
                return Some((plan, is_big && others_idle));
            }
            queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn work_on(shared: &Shared, reports: &Sender<Report>) {
    while let Some((plan, second_thread)) = shared.next() {
        // Nobody listens any more when the pool is being dropped.
        drop(reports.send(Report::Started(plan.path.clone())));
        let manner = Manner {
            project: &shared.project,
            cancel: &shared.cancel,
            second_thread,
            read_only: shared.read_only,
        };
        let outcome = if shared.cancel.load(Ordering::Relaxed) {
            Outcome { path: plan.path.clone(), status: Status::Cancelled, entry: None }
        } else {
            work::import(&plan, manner)
        };
        shared.lock().running.remove(&plan.path);
        // A plan for the same path may have waited for this one.
        shared.wake.notify_all();
        drop(reports.send(Report::Done(Box::new(outcome))));
    }
}
