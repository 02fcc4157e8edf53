//! `import` and `check`.

use std::io::IsTerminal as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::{complain, finish, say, say_json};
use crate::import::{
    AssetReport, BatchReport, Progress, Project, ProjectKind, Status, check_all, import_all,
};
use crate::model::files::FileKind;

/// Compile the textures of a project that are not up to date.
#[derive(Args)]
pub(super) struct Import {
    /// The project's folder
    project: PathBuf,
    /// The target whose textures are made; without it those that the window shows
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// Worker threads; as many as there are cores when not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

/// Say what an import would do.
#[derive(Args)]
pub(super) struct Check {
    /// The project's folder
    project: PathBuf,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

impl Import {
    pub(super) fn run(self) -> ExitCode {
        let Self { project, target, threads, json } = self;
        batch(&project, target.as_deref(), threads, json, Mode::Import)
    }
}

impl Check {
    pub(super) fn run(self) -> ExitCode {
        let Self { project, json } = self;
        batch(&project, None, None, json, Mode::Check)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Import,
    Check,
}

fn batch(
    path: &std::path::Path,
    target: Option<&str>,
    threads: Option<u16>,
    is_json: bool,
    mode: Mode,
) -> ExitCode {
    let project = match Project::open(path) {
        Ok(project) if matches!(project.kind, ProjectKind::Image(_)) => {
            complain(&format!("not a folder: {}", path.display()));
            return ExitCode::from(2);
        }
        Ok(project) => project,
        Err(why) => {
            complain(&why.to_string());
            return ExitCode::from(2);
        }
    };
    let project = match target.map(|name| project.target_named(name)) {
        None => project,
        Some(Ok(target)) => project.for_target(target),
        Some(Err(why)) => {
            let report = BatchReport { problems: vec![why.problem()], ..BatchReport::default() };
            if is_json {
                print_json(&project, &report, mode);
            }
            return finish(&report.problems, is_json);
        }
    };
    let threads =
        threads.map_or_else(|| std::thread::available_parallelism().map_or(2, usize::from), usize::from);
    let shows_progress = io::stderr().is_terminal();
    let progress = move |progress: Progress| match progress {
        Progress::Waiting => complain("Another Cutsheet process is importing this project; waiting for it."),
        Progress::Done(done, total) if shows_progress => show_progress(done, total),
        Progress::Done(..) => {}
    };
    let report = match mode {
        Mode::Import => import_all(&project, threads, progress),
        Mode::Check => check_all(&project, threads, progress),
    };
    if is_json {
        print_json(&project, &report, mode);
    } else {
        print_text(&report, mode);
    }
    finish(&report.problems, is_json)
}

pub(super) fn show_progress(done: usize, total: usize) {
    let width = 30;
    let filled = done * width / total.max(1);
    let end = if done == total { "\n" } else { "" };
    let bar = format!("\r[{:<width$}] {done} of {total}{end}", "#".repeat(filled));
    if let Err(why) = io::stderr().write_all(bar.as_bytes()) {
        log::debug!("standard error: {why}");
    }
}

fn status_word(status: Status, mode: Mode) -> &'static str {
    match (status, mode) {
        (Status::Imported, _) => "imported",
        (Status::Unchanged, Mode::Import) => "unchanged",
        (Status::Unchanged, Mode::Check) => "up_to_date",
        (Status::Stale, _) => "stale",
        (Status::Failed, _) => "failed",
        // A file that changed at every look, and one that was given up.
        (Status::Cancelled | Status::Moved, _) => "skipped",
    }
}

const fn kind_word(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Scene => "scene",
    }
}

/// Where an asset's texture is, relative to the project where it is inside.
fn texture_path(project: &Project, asset: &AssetReport) -> Option<String> {
    let texture = project.texture(asset.guid.filter(|_| asset.has_texture)?);
    Some(texture.strip_prefix(&project.root).unwrap_or(&texture).display().to_string())
}

fn print_json(project: &Project, report: &BatchReport, mode: Mode) {
    let assets: Vec<_> = report
        .assets
        .iter()
        .map(|asset| {
            json!({
                "path": &*asset.path,
                "kind": asset.kind.map_or("image", kind_word),
                "guid": asset.guid.map(|guid| guid.to_string()),
                "status": status_word(asset.status, mode),
                "texture": texture_path(project, asset),
            })
        })
        .collect();
    say_json(&json!({ "assets": assets, "problems": report.problems }));
}

fn print_text(report: &BatchReport, mode: Mode) {
    let count = |status| report.assets.iter().filter(|asset| asset.status == status).count();
    for asset in report.assets.iter().filter(|asset| asset.status != Status::Unchanged) {
        say(&format!("{:<9} {}", status_word(asset.status, mode), asset.path));
    }
    let parts = [
        (count(Status::Imported), "imported"),
        (count(Status::Unchanged), "up to date"),
        (count(Status::Stale), "stale"),
        (count(Status::Failed), "failed"),
    ];
    let parts: Vec<_> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    say(&if parts.is_empty() { "No images and no scenes.".to_owned() } else { parts.join(", ") });
}
