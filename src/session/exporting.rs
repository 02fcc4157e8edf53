//! An export from the window: planned and carried out on a thread of its own, with a report that stays until it is closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::Session;
use crate::export::{self, Plan, Progress, Report, Request, Write};
use crate::import::project::Project;
use crate::import::service::Request as ImportRequest;
use crate::import::{Progress as ImportProgress, import_all};
use crate::model::{Code, Problem};
use crate::registry::Registry;
use crate::sheet_file;

/// How far an export is.
#[derive(Debug)]
pub enum ExportStage {
    /// What is to be written is being found out.
    Planning,
    /// Textures of a target are being made: so many of so many are done.
    Making(usize, usize),
    /// What would be written; nothing is yet.
    Planned(Box<Plan>),
    /// It cannot be planned.
    Refused(Problem),
    /// Documents are being saved and imported; afterwards it goes on by itself.
    Saving,
    /// It is being written.
    Writing(Progress),
    /// It is over.
    Done(Box<Report>),
}

/// An export that the window shows.
#[derive(Debug)]
pub struct Exporting {
    /// How far it is.
    pub stage: ExportStage,
    /// The target that it is for.
    pub target: Option<Arc<str>>,
    /// Whether files that nobody uses any more are removed.
    pub prunes: bool,
    /// Whether it goes on when the plan is there.
    goes_on: bool,
    /// The importer tells with this number when it has seen all that was saved before.
    waits_for: Option<u64>,
    cancel: Arc<AtomicBool>,
    told: Option<Receiver<ExportStage>>,
}

impl Drop for Exporting {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// What the window asks of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportAsk {
    /// Write what is planned; save everything before.
    Write,
    /// Also remove files that nobody uses any more, or not.
    Prune(bool),
    /// Stop writing; each file is the old or the new one.
    Cancel,
    /// Close it.
    Close,
    /// Show the folder that was written to.
    Reveal,
}

impl Session {
    /// The export that is shown.
    pub fn exporting(&self) -> Option<&Exporting> {
        self.exporting.as_ref()
    }

    /// Paths of documents with unsaved changes, which an export would not have.
    pub fn unsaved(&self) -> Vec<Arc<str>> {
        self.changed().collect()
    }

    /// Finds out what an export would write, for the target that is shown.
    pub(super) fn begin_export(&mut self) {
        let cancel = Arc::new(AtomicBool::new(false));
        let exporting = Exporting {
            stage: ExportStage::Planning,
            target: self.target().map(|target| target.name.clone()),
            prunes: false,
            goes_on: false,
            waits_for: None,
            cancel,
            told: None,
        };
        self.exporting = Some(exporting);
        self.plan_export();
    }

    /// Plans as soon as the importer has seen everything: what was saved a moment ago goes along.
    fn plan_export(&mut self) {
        let (Some(open), Some(exporting)) = (&self.open, &mut self.exporting) else { return };
        self.catch_ups += 1;
        exporting.waits_for = Some(self.catch_ups);
        exporting.stage = ExportStage::Planning;
        exporting.told = None;
        open.requester.ask(ImportRequest::CatchUp(self.catch_ups));
    }

    pub(super) fn importer_caught_up(&mut self, number: u64) {
        let (Some(open), Some(exporting)) = (&self.open, &mut self.exporting) else { return };
        if exporting.waits_for != Some(number) || !matches!(exporting.stage, ExportStage::Planning) {
            return;
        }
        let (project, registry) = (open.project.clone(), open.registry.clone());
        let (waker, target) = (self.waker.clone(), exporting.target.clone());
        exporting.told = run(move |tell| {
            let told = |stage| {
                drop(tell.send(stage));
                waker();
            };
            told(planned(&project, &registry, target.as_deref(), &told));
        });
        if exporting.told.is_none() {
            self.exporting = None;
            self.toasts.error("Not exported: no thread could be started".to_owned());
        }
    }

    pub(super) fn ask_export(&mut self, ask: ExportAsk) {
        match ask {
            ExportAsk::Write => self.write_export(),
            ExportAsk::Prune(prunes) => {
                if let Some(exporting) = &mut self.exporting {
                    exporting.prunes = prunes;
                }
            }
            ExportAsk::Cancel => {
                if let Some(exporting) = &self.exporting {
                    exporting.cancel.store(true, Ordering::Relaxed);
                }
            }
            ExportAsk::Close => self.exporting = None,
            ExportAsk::Reveal => {
                let table = self.exporting.as_ref().and_then(|exporting| match &exporting.stage {
                    ExportStage::Done(report) => report.table.clone(),
                    _ => None,
                });
                self.effects.extend(table.map(super::Effect::Reveal));
            }
        }
    }

    /// Saves what is unsaved, waits for its textures, and writes.
    fn write_export(&mut self) {
        if self.exporting.is_none() {
            return;
        }
        let has_unsaved = self.changed().next().is_some();
        if has_unsaved {
            self.save_all();
        }
        let Some(exporting) = &mut self.exporting else { return };
        if has_unsaved {
            exporting.goes_on = true;
            exporting.stage = ExportStage::Saving;
            return;
        }
        let ExportStage::Planned(plan) = std::mem::replace(&mut exporting.stage, ExportStage::Planning)
        else {
            return;
        };
        exporting.stage = ExportStage::Writing(Progress::default());
        let (cancel, prunes, waker) = (exporting.cancel.clone(), exporting.prunes, self.waker.clone());
        exporting.told = run(move |tell| {
            let mut progress = |progress: Progress| {
                drop(tell.send(ExportStage::Writing(progress)));
                waker();
            };
            let report = export::write(&plan, Write { prunes }, &mut progress, &cancel);
            drop(tell.send(ExportStage::Done(Box::new(report))));
            waker();
        });
    }

    /// Takes in how far the export is; whether anything changed.
    pub(super) fn follow_export(&mut self) -> bool {
        let is_saving = self.documents.iter().any(|document| document.saving.is_some())
            || self.scenes.documents.iter().any(|document| document.saving.is_some());
        let is_unsaved = self.changed().next().is_some();
        let Some(exporting) = &mut self.exporting else { return false };
        if matches!(exporting.stage, ExportStage::Saving) {
            if !is_saving {
                // What could not be saved, and why, is told; whoever reads that decides.
                exporting.goes_on &= !is_unsaved;
                self.plan_export();
            }
            return !is_saving;
        }
        let Some(told) = &exporting.told else { return false };
        let Some(stage) = told.try_iter().last() else { return false };
        exporting.stage = stage;
        if std::mem::take(&mut exporting.goes_on) && matches!(exporting.stage, ExportStage::Planned(_)) {
            self.write_export();
        }
        true
    }
}

/// Makes the textures of a target, and finds out what would be written.
fn planned(
    project: &Project,
    registry: &Registry,
    target: Option<&str>,
    told: &dyn Fn(ExportStage),
) -> ExportStage {
    let mut of_target = Vec::new();
    match target.map(|name| project.target_named(name)).transpose() {
        Ok(None) => {}
        Ok(Some(target)) => {
            let threads = thread::available_parallelism().map_or(2, usize::from);
            let made = import_all(&project.for_target(target), threads, |progress| {
                if let ImportProgress::Done(done, total) = progress {
                    told(ExportStage::Making(done, total));
                }
            });
            of_target = made.problems;
        }
        Err(why) => return ExportStage::Refused(why.problem()),
    }
    let request = Request { target, output: None };
    match export::prepare(registry, project, &request) {
        Ok(mut plan) => {
            // What is wrong without the target too is told by the plan.
            let is_new = |problem: &Problem| !plan.problems.contains(problem);
            let new: Vec<_> = of_target.into_iter().filter(is_new).collect();
            plan.problems.extend(new.into_iter().filter(|problem| is_of_target(problem.code)));
            ExportStage::Planned(Box::new(plan))
        }
        Err(why) => ExportStage::Refused(why.problem(project)),
    }
}

/// Whether a problem may come with a target's size and format.
fn is_of_target(code: Code) -> bool {
    sheet_file::OF_THE_STORED.contains(&code) || matches!(code, Code::TextureTooLarge | Code::Unwritable)
}

/// Runs on a thread of its own; `None` when none can be had.
fn run(work: impl FnOnce(&Sender<ExportStage>) + Send + 'static) -> Option<Receiver<ExportStage>> {
    let (tell, told) = unbounded();
    let thread = thread::Builder::new().name("export".into()).spawn(move || work(&tell));
    thread.ok().map(|_| told)
}
