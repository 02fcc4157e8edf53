//! The whole project at once, for the headless commands: import it, or only say what an import would do.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::lock::CacheLock;
use super::pool::{Crew, Pool, Report};
use super::project::Project;
use super::referrers::ReferrerDiscovery;
use super::scan::Found;
use super::work::{Outcome, Status};
use super::workspace::{Discovery, Unplanned, Workspace};
use crate::fs_atomic::WriteError;
use crate::guid::Guid;
use crate::model::files::FileKind;
use crate::model::{Code, Problem};
use crate::registry::{Referrer, Registry, State};

/// Assets planned before their compilation begins.
const PLANNED_AT_ONCE: usize = 32;

/// What became of one asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetReport {
    /// Relative to the project.
    pub path: Arc<str>,
    /// What it is that refers to others; `None` for an image.
    pub kind: Option<FileKind>,
    /// Its GUID; `None` when it would get one only with an import.
    pub guid: Option<Guid>,
    /// What was done, or with a check: `Unchanged`, `Stale` or `Failed`.
    pub status: Status,
    /// Whether the cache has a texture of it.
    pub has_texture: bool,
}

/// What became of a project.
#[derive(Debug, Default)]
pub struct BatchReport {
    /// All assets, by path.
    pub assets: Vec<AssetReport>,
    /// All problems: the project's, then the assets'.
    pub problems: Vec<Problem>,
    /// All assets and frames.
    pub registry: Registry,
    /// Whether all assets were looked at. Where the cache could not be used, none may be known.
    pub is_complete: bool,
}

/// What a batch tells while it works.
pub enum Progress {
    /// Another process has the cache; this one waits.
    Waiting,
    /// So many of so many assets are done.
    Done(usize, usize),
}

/// Imports every asset of a project whose texture is not right.
pub fn import_all(project: &Project, threads: usize, progress: impl FnMut(Progress)) -> BatchReport {
    run(project, threads, false, progress)
}

/// Says what [`import_all`] would do, and writes nothing.
pub fn check_all(project: &Project, threads: usize, progress: impl FnMut(Progress)) -> BatchReport {
    run(project, threads, true, progress)
}

fn run(
    project: &Project,
    threads: usize,
    read_only: bool,
    mut progress: impl FnMut(Progress),
) -> BatchReport {
    let cannot_write = |why: &dyn std::fmt::Display| BatchReport {
        problems: vec![Problem::new(Code::Unwritable, &project.cache.display().to_string(), why.to_string())],
        ..BatchReport::default()
    };
    let lock = if read_only {
        None
    } else {
        match CacheLock::acquire(&project.cache, || progress(Progress::Waiting)) {
            Ok(lock) => Some(lock),
            Err(why) => return cannot_write(&why),
        }
    };
    let (mut workspace, scan) = Workspace::open_and_scan(project.clone(), read_only);
    let Unplanned { images: mut unplanned, referrers, vanished } = workspace.discover_all(scan, true);
    // The largest first, so that none of them is left for the end.
    unplanned.sort_by_key(|(path, found)| {
        (!workspace.has_older_claim(path), Reverse(found.file.map_or(0, |stamp| stamp.len)))
    });
    let mut late_problems = Vec::new();
    let mut statuses = BTreeMap::new();
    let start = || Pool::start(project, Crew { threads, caller_helps: true }, read_only);
    match (!unplanned.is_empty()).then(start) {
        Some(Ok(pool)) => {
            let total = unplanned.len();
            let mut batch = Batch {
                workspace: &mut workspace,
                referrers,
                pool,
                statuses,
                looks: BTreeMap::new(),
                open: 0,
                done: 0,
                total,
            };
            if let Err(why) = batch.work_off(&unplanned, &mut progress) {
                return cannot_write(&why);
            }
            statuses = batch.statuses;
        }
        without_pool => {
            read_referrers(&mut workspace, &referrers, &mut statuses);
            if let Some(Err(why)) = without_pool {
                let message = format!("no worker thread could be started: {why}");
                late_problems.push(Problem::new(Code::Internal, "", message));
            }
        }
    }
    for path in &vanished {
        workspace.forget(path);
    }
    if let Err(why) = workspace.save() {
        late_problems.push(Problem::new(Code::Unwritable, "", why.to_string()));
    }
    drop(lock);
    report(workspace, &statuses, late_problems)
}

/// Both passes on the assets that are not up to date: while the workers compile some, the next are planned.
struct Batch<'a> {
    workspace: &'a mut Workspace,
    /// Assets that refer to others, to be read when all images are planned.
    referrers: Vec<Arc<str>>,
    pool: Pool,
    /// What became of assets; of those that are up to date nothing is noted.
    statuses: BTreeMap<Arc<str>, Status>,
    /// A file that changes all the time is imported at the state it has on the third look.
    looks: BTreeMap<Arc<str>, u32>,
    /// Plans handed out and not done.
    open: usize,
    done: usize,
    total: usize,
}

impl Batch<'_> {
    fn work_off(
        &mut self,
        unplanned: &[(Arc<str>, Found)],
        progress: &mut impl FnMut(Progress),
    ) -> Result<(), WriteError> {
        for part in unplanned.chunks(PLANNED_AT_ONCE) {
            let mut plans = Vec::with_capacity(part.len());
            for (path, found) in part {
                match self.workspace.plan(path, *found) {
                    Discovery::Planned(plan) => plans.push(*plan),
                    Discovery::Failed(_) => drop(self.statuses.insert(path.clone(), Status::Failed)),
                    Discovery::UpToDate(_) | Discovery::Gone => {}
                }
            }
            self.workspace.begin(plans.iter().map(|plan| &plan.path))?;
            self.open += plans.len();
            self.done += part.len() - plans.len();
            self.pool.submit(plans);
        }
        read_referrers(self.workspace, &self.referrers, &mut self.statuses);
        while self.open > 0 {
            if let Ok(report) = self.pool.reports().try_recv() {
                self.take(report, progress);
            } else if !self.pool.help() {
                let Ok(report) = self.pool.reports().recv() else { break };
                self.take(report, progress);
            }
        }
        Ok(())
    }

    fn take(&mut self, report: Report, progress: &mut impl FnMut(Progress)) {
        if let Report::Done(outcome) = report {
            self.settle(*outcome);
            progress(Progress::Done(self.done, self.total));
        }
    }

    fn settle(&mut self, outcome: Outcome) {
        self.open -= 1;
        let path = outcome.path.clone();
        if outcome.status == Status::Moved {
            let looks = self.looks.entry(path.clone()).or_default();
            *looks += 1;
            if *looks < 3
                && let Discovery::Planned(plan) = self.workspace.discover(&path)
            {
                self.pool.submit(vec![*plan]);
                self.open += 1;
                return;
            }
        }
        self.statuses.insert(path, outcome.status);
        self.workspace.apply(outcome);
        self.done += 1;
    }
}

/// Pass 1 for assets that refer to others.
fn read_referrers(workspace: &mut Workspace, paths: &[Arc<str>], statuses: &mut BTreeMap<Arc<str>, Status>) {
    for path in paths {
        if let ReferrerDiscovery::Read(reading) = workspace.look_at_referrer(path) {
            statuses.insert(path.clone(), workspace.take_referrer(*reading));
        }
    }
}

fn report(
    workspace: Workspace,
    statuses: &BTreeMap<Arc<str>, Status>,
    late_problems: Vec<Problem>,
) -> BatchReport {
    let mut problems = workspace.project_problems().to_vec();
    problems.extend(late_problems);
    let registry = workspace.into_registry();
    let mut assets = Vec::with_capacity(registry.assets().len());
    for asset in registry.assets() {
        problems.extend(asset.problems.iter().cloned());
        let unchanged = if asset.state == State::UpToDate { Status::Unchanged } else { Status::Failed };
        let status = statuses.get(&asset.path).copied().unwrap_or(unchanged);
        assets.push(AssetReport {
            path: asset.path.clone(),
            kind: None,
            guid: (!asset.guid_is_provisional).then_some(asset.guid),
            status,
            has_texture: asset.texture.is_some() && status != Status::Stale,
        });
    }
    for referrer in registry.referrers() {
        problems.extend(registry.problems_of_referrer(&referrer.path).cloned());
        let Referrer { path, kind, guid, guid_is_provisional, .. } = Referrer::clone(referrer);
        let unchanged = if referrer.is_failed() { Status::Failed } else { Status::Unchanged };
        let status = statuses.get(&path).copied().unwrap_or(unchanged);
        let guid = (!guid_is_provisional).then_some(guid);
        assets.push(AssetReport { path, kind: Some(kind), guid, status, has_texture: false });
    }
    assets.sort_by(|a, b| a.path.cmp(&b.path));
    BatchReport { assets, problems, registry, is_complete: true }
}
