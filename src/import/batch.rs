//! The whole project at once, for the headless commands: import it, or only say what an import would do.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lock::CacheLock;
use super::pool::{Pool, Report};
use super::project::Project;
use super::work::Status;
use super::workspace::{Discovery, Workspace};
use crate::guid::Guid;
use crate::model::{Code, Problem};
use crate::registry::Registry;

/// What became of one asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetReport {
    /// Relative to the project.
    pub path: Arc<str>,
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

fn run(project: &Project, threads: usize, read_only: bool, mut progress: impl FnMut(Progress)) -> BatchReport {
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
    let mut workspace = Workspace::open(project.clone(), read_only);
    let mut statuses: BTreeMap<Arc<str>, Status> = BTreeMap::new();
    let mut plans = Vec::new();
    let unplanned = workspace.discover_all(true);
    let up_to_date: Vec<_> = workspace.registry().assets().cloned().collect();
    for asset in up_to_date {
        let failed = asset.state == crate::registry::State::Failed;
        statuses.insert(asset.path.clone(), if failed { Status::Failed } else { Status::Unchanged });
    }
    for (path, found) in unplanned {
        match workspace.plan(&path, found) {
            Discovery::Planned(plan) => plans.push(*plan),
            Discovery::UpToDate(_) => drop(statuses.insert(path, Status::Unchanged)),
            Discovery::Failed(_) => drop(statuses.insert(path, Status::Failed)),
            Discovery::Gone => {}
        }
    }
    let mut late_problems = Vec::new();
    if !plans.is_empty() {
        match Pool::start(project, threads, read_only) {
            Ok(pool) => {
                if let Err(why) = workspace.begin(plans.iter().map(|plan| &plan.path)) {
                    return cannot_write(&why);
                }
                work_off(&pool, plans, &mut workspace, &mut statuses, &mut progress);
            }
            Err(why) => {
                let message = format!("no worker thread could be started: {why}");
                late_problems.push(Problem::new(Code::Internal, "", message));
            }
        }
    }
    if let Err(why) = workspace.save() {
        late_problems.push(Problem::new(Code::Unwritable, "", why.to_string()));
    }
    drop(lock);
    report(&workspace, &statuses, late_problems)
}

fn work_off(
    pool: &Pool,
    plans: Vec<super::plan::Plan>,
    workspace: &mut Workspace,
    statuses: &mut BTreeMap<Arc<str>, Status>,
    progress: &mut impl FnMut(Progress),
) {
    let total = plans.len();
    let mut done = 0;
    // A file that changes all the time is imported at the state it has on the third look.
    let mut looks: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    pool.submit(plans);
    let mut open = total;
    while open > 0 {
        let Ok(report) = pool.reports().recv() else { break };
        let Report::Done(outcome) = report else { continue };
        open -= 1;
        let path = outcome.path.clone();
        if outcome.status == Status::Moved {
            let again = looks.entry(path.clone()).or_default();
            *again += 1;
            if *again < 3
                && let Discovery::Planned(plan) = workspace.discover(&path)
            {
                pool.submit(vec![*plan]);
                open += 1;
                continue;
            }
        }
        statuses.insert(path, outcome.status);
        workspace.apply(*outcome);
        done += 1;
        progress(Progress::Done(done, total));
    }
}

fn report(
    workspace: &Workspace,
    statuses: &BTreeMap<Arc<str>, Status>,
    late_problems: Vec<Problem>,
) -> BatchReport {
    let registry = workspace.registry().clone();
    let mut problems = workspace.project_problems().to_vec();
    problems.extend(late_problems);
    let mut assets = Vec::with_capacity(registry.assets().len());
    for asset in registry.assets() {
        problems.extend(asset.problems.iter().cloned());
        let status = statuses.get(&asset.path).copied().unwrap_or(Status::Failed);
        assets.push(AssetReport {
            path: asset.path.clone(),
            guid: (!asset.guid_is_provisional).then_some(asset.guid),
            status,
            has_texture: asset.texture.is_some() && status != Status::Stale,
        });
    }
    BatchReport { assets, problems, registry }
}
