//! `export`: what a game gets, after an import of what is not up to date.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;
use serde_json::{Value, json};

use super::project::show_progress;
use super::{complain, finish, say, say_json};
use crate::export::{self, Action, FileReport, Plan, Refusal, Report, Request, Write, shown};
use crate::import::{BatchReport, Progress, Project, ProjectKind, import_all};
use crate::model::{Problem, Severity};

/// Copy what the scenes of a project use to where the game reads it.
#[derive(Args)]
pub(super) struct Export {
    /// The project's folder
    project: PathBuf,
    /// The target whose textures are exported
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// The folder to export to; `storage` in the project when not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Remove files of earlier exports that nothing uses any more
    #[arg(long)]
    prune: bool,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

impl Export {
    pub(super) fn run(self) -> ExitCode {
        let project = match Project::open(&self.project) {
            Ok(project) if matches!(project.kind, ProjectKind::Image(_)) => {
                complain(&format!("not a folder: {}", self.project.display()));
                return ExitCode::from(2);
            }
            Ok(project) => project,
            Err(why) => {
                complain(&why.to_string());
                return ExitCode::from(2);
            }
        };
        let request = Request { target: self.target.as_deref(), output: self.out.as_deref() };
        // Before the import, which may take long.
        if let Err(why) = export::check(&project, &request) {
            return self.refused(&project, &why);
        }
        let imported = import(&project);
        if !imported.is_complete {
            return self.end(&project, &Report::default(), &imported.problems);
        }
        let of_target = match self.target.as_deref().map(|name| project.target_named(name)) {
            None => Vec::new(),
            Some(Ok(target)) => import(&project.for_target(target)).problems,
            Some(Err(why)) => vec![why.problem()],
        };
        let mut plan = match export::prepare(&imported.registry, &project, &request) {
            Ok(plan) => plan,
            Err(why) => return self.refused(&project, &why),
        };
        let mut problems = of_no_asset(&imported);
        // What is wrong with the same sheets without the target is told by the plan.
        problems.extend(of_target.into_iter().filter(|problem| !imported.problems.contains(problem)));
        if !problems.is_empty() {
            plan.keep_all("some of the project could not be looked at");
        }
        let report = carry_out(&plan, self.prune);
        problems.append(&mut plan.problems);
        // A folder that cannot be written to was told already when the export was planned.
        let is_told = |new: &Problem| problems.iter().any(|it| (it.code, &it.path) == (new.code, &new.path));
        let new: Vec<_> = report.problems.iter().filter(|new| !is_told(new)).cloned().collect();
        problems.extend(new);
        self.tell_removals(&plan, &report);
        self.end(&project, &report, &problems)
    }

    fn refused(&self, project: &Project, why: &Refusal) -> ExitCode {
        self.end(project, &Report::default(), &[why.problem(project)])
    }

    /// Says what stays although nobody uses it, and why.
    fn tell_removals(&self, plan: &Plan, report: &Report) {
        if self.prune {
            if let Some(why) = &report.kept_because {
                complain(&format!("nothing was removed: {why}"));
            }
            return;
        }
        for removal in &plan.removals {
            let path = shown(&plan.root, &removal.file.path);
            complain(&format!("no longer used, --prune removes it ({} bytes): {path}", removal.file.bytes));
        }
    }

    fn end(&self, project: &Project, report: &Report, problems: &[Problem]) -> ExitCode {
        if self.json {
            say_json(&document(&project.root, report, problems));
        } else {
            print_text(&project.root, report);
        }
        finish(problems, self.json)
    }
}

fn import(project: &Project) -> BatchReport {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let shows_progress = io::stderr().is_terminal();
    import_all(project, threads, |progress| match progress {
        Progress::Waiting => complain("Another Cutsheet process is importing this project; waiting for it."),
        Progress::Done(done, total) if shows_progress => show_progress(done, total),
        Progress::Done(..) => {}
    })
}

fn carry_out(plan: &Plan, prunes: bool) -> Report {
    let shows_progress = io::stderr().is_terminal();
    let mut progress = |now: export::Progress| {
        if shows_progress && now.files > 0 {
            show_progress(now.files_done, now.files);
        }
    };
    export::write(plan, Write { prunes }, &mut progress, &AtomicBool::new(false))
}

/// Errors that belong to no asset: a folder that cannot be read, an index that cannot be written.
fn of_no_asset(imported: &BatchReport) -> Vec<Problem> {
    let registry = &imported.registry;
    let is_known = |path: &str| registry.asset(path).is_some() || registry.referrer(path).is_some();
    let errors = imported.problems.iter().filter(|problem| problem.severity == Severity::Error);
    errors.filter(|problem| !is_known(&problem.path)).cloned().collect()
}

fn document(root: &Path, report: &Report, problems: &[Problem]) -> Value {
    let file = |file: &FileReport| {
        json!({
            "path": shown(root, &file.path),
            "guid": file.guid.to_string(),
            "type": file.type_name,
            "bytes": file.bytes,
            "action": file.action.as_str(),
            "used_by": file.used_by,
        })
    };
    let files: Vec<_> = report.files.iter().map(file).collect();
    let table = report.table.as_ref().map(|table| shown(root, table));
    json!({ "files": files, "table": table, "problems": problems })
}

fn print_text(root: &Path, report: &Report) {
    for file in report.files.iter().filter(|file| file.action != Action::Unchanged) {
        let asset = file.asset.as_ref().map(|asset| format!("  {asset}")).unwrap_or_default();
        say(&format!("{:<9} {}{asset}", file.action.as_str(), shown(root, &file.path)));
    }
    let parts =
        [Action::Copied, Action::Unchanged, Action::Removed].map(|action| (report.count(action).0, action));
    let parts: Vec<_> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, action)| format!("{count} {}", action.as_str()))
        .collect();
    say(&if parts.is_empty() { "Nothing to export.".to_owned() } else { parts.join(", ") });
}
