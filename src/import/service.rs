//! The importer of an open project: a thread that takes changes and requests, runs both passes, and tells
//! the session what happened. It sleeps until something does.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};

use super::lock::CacheLock;
use super::plan::Plan;
use super::pool::{Crew, Pool, Report};
use super::project::Project;
use super::referrers::ReferrerDiscovery;
use super::target::SettingsReading;
use super::work::{Outcome, Status};
use super::workspace::{Discovery, Unplanned, Workspace};
use crate::model::files::{self, FileKind};
use crate::model::{Code, Problem};
use crate::registry::Registry;

/// How long a vanished file may stay away before it is called missing: some programs delete, pause, then
/// rename. The watcher has waited for it already.
const VANISHED_GRACE: Duration = Duration::from_millis(150);
/// How long a new image waits for its sidecar, which may be on its way from where both were.
const SIDECAR_GRACE: Duration = Duration::from_millis(500);
/// When a file that could not be decoded is tried again: it may be half written.
const RETRY_AFTER: Duration = Duration::from_millis(150);
/// How often, with the pause doubling each time, before its failure is believed.
const RETRIES: u32 = 4;
/// Snapshots of the registry are handed out this often while many assets finish.
const PUBLISH_EVERY: Duration = Duration::from_millis(40);
/// Assets planned before their compilation begins.
const PLANNED_AT_ONCE: usize = 32;

/// What the session asks for.
#[derive(Debug)]
pub enum Request {
    /// Look at this file: it appeared, changed or vanished.
    Look(PathBuf),
    /// These assets' files were renamed by ourselves, from one path to another, each with its sidecar.
    Moved(Vec<(Arc<str>, Arc<str>)>),
    /// Walk the project again.
    Rescan,
    /// Import this asset again even if nothing seems to have changed.
    Reimport(Arc<str>),
    /// Give up what is going on.
    Cancel,
    /// Tell when all that was asked for before is done, with this number.
    CatchUp(u64),
}

/// What the importer tells.
#[derive(Debug, Clone)]
pub enum Event {
    /// All assets and frames as they are now.
    Registry(Arc<Registry>),
    /// What the project's settings say now.
    Settings(SettingsReading),
    /// Problems of the project as a whole, replacing those told before.
    ProjectProblems(Vec<Problem>),
    /// So many of so many assets of this batch are done; the name of one being worked on.
    Progress {
        /// Assets done.
        done: usize,
        /// Assets of the batch.
        total: usize,
        /// Path of the asset begun last.
        current: Option<Arc<str>>,
    },
    /// Another process has the cache, and this one waits for it.
    Waiting,
    /// The batch is over.
    Idle,
    /// All is done that was asked for before the request with this number; the registry told last has it.
    CaughtUp(u64),
}

/// Called after an event was sent, from the importer's thread.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// The running importer of a project; dropping it ends its threads.
pub struct Service {
    requests: Option<Sender<Request>>,
    events: Receiver<Event>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Starts importing a project with `threads` workers.
    pub fn start(project: Project, threads: usize, waker: Waker) -> std::io::Result<Self> {
        let pool = Pool::start(&project, Crew { threads, caller_helps: false }, false)?;
        let (requests, incoming) = unbounded();
        let (events_tx, events) = unbounded();
        let thread = thread::Builder::new().name("importer".into()).spawn(move || {
            let mut running = Running {
                workspace: Workspace::open(project, false),
                pool,
                events: events_tx,
                waker,
                lock: None,
                later: BTreeMap::new(),
                retries: BTreeMap::new(),
                awaited: None,
                done: 0,
                total: 0,
                published: Instant::now(),
                publish_is_due: false,
            };
            running.rescan(true);
            running.settle();
            running.run(&incoming);
        })?;
        Ok(Self { requests: Some(requests), events, thread: Some(thread) })
    }

    /// What the importer tells.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// A handle for asking from other threads.
    pub fn requester(&self) -> Requester {
        Requester(self.requests.clone())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // Ends as soon as every requester is gone; a watcher may still hold one, so nobody waits here.
            drop(thread);
        }
    }
}

/// Asks the importer for work; stays valid, without effect, after it has ended.
#[derive(Clone)]
pub struct Requester(Option<Sender<Request>>);

impl Requester {
    /// Asks, and does not wait.
    pub fn ask(&self, request: Request) {
        if let Some(requests) = &self.0 {
            // An importer that has ended has nothing to import.
            drop(requests.send(request));
        }
    }
}

struct Running {
    workspace: Workspace,
    pool: Pool,
    events: Sender<Event>,
    waker: Waker,
    /// Held while a batch runs.
    lock: Option<CacheLock>,
    /// Paths to look at again at a time.
    later: BTreeMap<Arc<str>, Instant>,
    /// Failed tries of files that may be half written.
    retries: BTreeMap<Arc<str>, u32>,
    /// The number of the last request to be told when all is done.
    awaited: Option<u64>,
    done: usize,
    total: usize,
    published: Instant,
    publish_is_due: bool,
}

impl Running {
    fn run(&mut self, incoming: &Receiver<Request>) {
        loop {
            let deadline = self.next_deadline();
            let timer = deadline.map_or_else(never, |at| after(at.saturating_duration_since(Instant::now())));
            let reports = self.pool.reports().clone();
            select! {
                recv(incoming) -> request => match request {
                    Ok(request) => self.handle(request),
                    Err(_) => return,
                },
                recv(reports) -> report => if let Ok(report) = report { self.take(report) },
                recv(timer) -> _ => {}
            }
            while let Ok(report) = reports.try_recv() {
                self.take(report);
            }
            self.look_again();
            self.settle();
        }
    }

    fn next_deadline(&self) -> Option<Instant> {
        let publish = self.publish_is_due.then(|| self.published + PUBLISH_EVERY);
        self.later.values().min().copied().into_iter().chain(publish).min()
    }

    fn handle(&mut self, request: Request) {
        match request {
            Request::Look(file) => self.look(&file),
            Request::Moved(moves) => self.follow(&moves),
            Request::Rescan => self.rescan(false),
            Request::Reimport(path) => self.reimport(&path),
            Request::Cancel => self.cancel(),
            Request::CatchUp(number) => self.awaited = Some(number),
        }
    }

    fn rescan(&mut self, is_first: bool) {
        if !self.acquire() {
            return;
        }
        if !is_first {
            self.workspace.read_settings();
            self.tell(Event::Settings(self.workspace.project().settings.clone()));
        }
        let scan = super::scan::scan(self.workspace.project());
        let Unplanned { images, referrers, vanished } = self.workspace.discover_all(scan, is_first);
        self.tell(Event::ProjectProblems(self.workspace.project_problems().to_vec()));
        // What is known shows at once; the rest follows as it is planned.
        self.publish();
        for part in images.chunks(PLANNED_AT_ONCE) {
            let mut plans = Vec::with_capacity(part.len());
            for (path, found) in part {
                if let Discovery::Planned(plan) = self.workspace.plan(path, *found) {
                    plans.push(*plan);
                }
            }
            self.submit(plans);
            if self.published.elapsed() > PUBLISH_EVERY {
                self.publish();
            }
        }
        for path in &referrers {
            self.read_referrer(path);
        }
        for path in &vanished {
            self.workspace.forget(path);
        }
        self.publish_settled();
    }

    /// Each is the asset that it was, also without a sidecar that says so.
    fn follow(&mut self, moves: &[(Arc<str>, Arc<str>)]) {
        if !self.acquire() {
            return;
        }
        for (from, to) in moves {
            for path in [from, to] {
                self.later.remove(path);
                self.retries.remove(path);
            }
            self.workspace.follow(from, to);
            self.look(&self.workspace.project().file(to));
            self.look(&self.workspace.project().file(from));
            // An import that was running under the old path may tell of it once more.
            self.look_later(to.clone(), VANISHED_GRACE * 4);
        }
        self.publish_settled();
    }

    fn look(&mut self, file: &std::path::Path) {
        let Some(path) = self.workspace.project().asset_path(file) else { return };
        if !path.rsplit('/').next().is_some_and(files::is_asset_name) {
            return;
        }
        let found = super::scan::look(self.workspace.project(), &path);
        let registry = self.workspace.registry();
        let is_known = registry.asset(&path).is_some() || registry.referrer(&path).is_some();
        match (found.file.is_some(), found.sidecar.is_some()) {
            (false, _) if is_known => self.look_later(path, VANISHED_GRACE),
            (false, false) => {}
            (true, false) if !is_known => self.look_later(path, SIDECAR_GRACE),
            _ => {
                self.later.remove(&path);
                self.retries.remove(&path);
                self.import_now(&path);
            }
        }
    }

    fn look_later(&mut self, path: Arc<str>, wait: Duration) {
        self.later.insert(path, Instant::now() + wait);
    }

    fn look_again(&mut self) {
        let now = Instant::now();
        let due: Vec<_> =
            self.later.iter().filter(|(_, at)| **at <= now).map(|(path, _)| path.clone()).collect();
        for path in due {
            self.later.remove(&path);
            self.workspace.adopt_orphan_for(&path);
            self.import_now(&path);
        }
    }

    fn import_now(&mut self, path: &Arc<str>) {
        if !self.acquire() {
            return;
        }
        if FileKind::of_name(path).is_some() {
            self.read_referrer(path);
        } else if let Discovery::Planned(mut plan) = self.workspace.discover(path) {
            plan.is_urgent = true;
            self.submit(vec![*plan]);
        }
        self.publish_is_due = true;
    }

    fn read_referrer(&mut self, path: &Arc<str>) {
        if let ReferrerDiscovery::Read(reading) = self.workspace.look_at_referrer(path) {
            if reading.is_damaged() && self.may_be_half_written(path) {
                self.retry(path.clone());
                return;
            }
            self.workspace.take_referrer(*reading);
        }
        self.retries.remove(path);
    }

    fn reimport(&mut self, path: &Arc<str>) {
        self.workspace.forget(path);
        self.retries.remove(path);
        self.import_now(path);
    }

    fn cancel(&mut self) {
        let given_up = self.pool.cancel();
        for plan in given_up {
            self.done += 1;
            self.workspace.mark_stale(&plan.path);
        }
        self.publish_is_due = true;
    }

    /// Takes the cache's lock for a batch that begins; `false` when the cache cannot be written at all.
    fn acquire(&mut self) -> bool {
        if self.lock.is_some() {
            return true;
        }
        let events = (self.events.clone(), self.waker.clone());
        let cache = self.workspace.project().cache.clone();
        match CacheLock::acquire(&cache, || send(&events.0, &events.1, Event::Waiting)) {
            Ok(lock) => {
                self.lock = Some(lock);
                self.workspace.refresh();
                true
            }
            Err(why) => {
                self.tell_unwritable(&why.to_string());
                false
            }
        }
    }

    fn submit(&mut self, plans: Vec<Plan>) {
        if plans.is_empty() {
            return;
        }
        if let Err(why) = self.workspace.begin(plans.iter().map(|plan| &plan.path)) {
            self.tell_unwritable(&why.to_string());
            return;
        }
        if self.pool.unfinished() == 0 {
            self.pool.rearm();
        }
        self.total += plans.len();
        self.pool.submit(plans);
        self.tell(Event::Progress { done: self.done, total: self.total, current: None });
    }

    fn take(&mut self, report: Report) {
        match report {
            Report::Started(path) => {
                self.tell(Event::Progress { done: self.done, total: self.total, current: Some(path) });
            }
            Report::Done(outcome) => self.take_outcome(*outcome),
        }
    }

    fn take_outcome(&mut self, outcome: Outcome) {
        self.done += 1;
        let path = outcome.path.clone();
        match outcome.status {
            // Changed again while it was read: its newest state is looked at, and nobody sees this one.
            Status::Moved => {
                self.look_later(path, RETRY_AFTER / 8);
                return;
            }
            Status::Failed if self.may_be_half_written(&path) => {
                self.retry(path);
                return;
            }
            Status::Cancelled if outcome.entry.is_none() => self.workspace.mark_stale(&path),
            _ => {}
        }
        self.retries.remove(&outcome.path);
        self.workspace.apply(outcome);
        self.publish_is_due = true;
    }

    /// Tries again later, after a longer pause each time.
    fn retry(&mut self, path: Arc<str>) {
        let tries = self.retries.entry(path.clone()).or_default();
        *tries += 1;
        let wait = RETRY_AFTER * 2_u32.pow(*tries - 1);
        self.look_later(path, wait);
    }

    /// A file that was written a moment ago may be written on; its failure is believed after some tries.
    fn may_be_half_written(&self, path: &str) -> bool {
        let tries = self.retries.get(path).copied().unwrap_or(0);
        let is_fresh = || {
            let file = self.workspace.project().file(path);
            let modified = std::fs::metadata(file).and_then(|metadata| metadata.modified());
            modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < Duration::from_secs(5)))
        };
        tries < RETRIES && is_fresh()
    }

    /// Publishes what is due and ends the batch when nothing is left of it.
    fn settle(&mut self) {
        let is_over = self.pool.unfinished() == 0 && self.pool.reports().is_empty();
        if self.publish_is_due && (is_over || self.published.elapsed() >= PUBLISH_EVERY) {
            self.publish_settled();
        }
        if is_over && self.lock.is_some() {
            if let Err(why) = self.workspace.save() {
                self.tell_unwritable(&why.to_string());
            }
            self.lock = None;
            (self.done, self.total) = (0, 0);
            self.tell(Event::Idle);
        }
        if is_over
            && self.later.is_empty()
            && let Some(number) = self.awaited.take()
        {
            self.tell(Event::CaughtUp(number));
        }
    }

    /// Publishes when all assets are known, so that it can be told which references are broken.
    fn publish_settled(&mut self) {
        self.workspace.settle_references();
        self.publish();
    }

    fn publish(&mut self) {
        self.publish_is_due = false;
        self.published = Instant::now();
        self.tell(Event::Registry(Arc::new(self.workspace.registry().clone())));
    }

    fn tell_unwritable(&self, message: &str) {
        let mut problems = self.workspace.project_problems().to_vec();
        let cache = self.workspace.project().cache.display().to_string();
        let message = format!("textures cannot be written, so nothing is imported: {message}");
        problems.push(Problem::new(Code::Unwritable, &cache, message));
        self.tell(Event::ProjectProblems(problems));
    }

    fn tell(&self, event: Event) {
        send(&self.events, &self.waker, event);
    }
}

fn send(events: &Sender<Event>, waker: &Waker, event: Event) {
    // A session that has closed the project listens no more.
    if events.send(event).is_ok() {
        waker();
    }
}
