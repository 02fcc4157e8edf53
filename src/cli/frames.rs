//! `frames`: the frames of a sheet as PNG files.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::project::show_progress;
use super::{complain, finish, project_of, say};
use crate::export::frames::{FrameExport, Naming, export_frames, frames_of};
use crate::slicing::pattern::Pattern;

/// Write frames as PNG files.
#[derive(Args)]
pub(super) struct Frames {
    /// The image
    image: PathBuf,
    /// The folder for the files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What the files are called, such as walk_{n:02}; with {sheet}, {name}, {row} and {col} too. Without it frames have
    /// their names, and those that have none the sheet's with a number
    #[arg(long, value_name = "P", value_parser = parse_pattern)]
    pattern: Option<Pattern>,
}

fn parse_pattern(text: &str) -> Result<Pattern, String> {
    Pattern::parse(text).map_err(|why| why.to_string())
}

impl Frames {
    pub(super) fn run(self) -> ExitCode {
        let (project, path) = match project_of(&self.image) {
            Ok(found) => found,
            Err(status) => return status,
        };
        let (frames, mut problems) = match frames_of(&project, &path) {
            Ok(found) => found,
            Err(problem) => return finish(&[problem], false),
        };
        if frames.is_empty() {
            finish(&problems, false);
            complain(&format!("it has no frames: slice it first: {}", self.image.display()));
            return ExitCode::from(1);
        }
        let shows_progress = io::stderr().is_terminal() && !io::stdout().is_terminal();
        let mut progress = |done, total| {
            if shows_progress {
                show_progress(done, total);
            }
        };
        let (image, cancel) = (project.file(&path), AtomicBool::new(false));
        let what = FrameExport {
            image: &image,
            path: &path,
            frames: &frames,
            selection: None,
            naming: Naming { pattern: self.pattern.as_ref() },
            folder: &self.out,
        };
        let report = export_frames(&what, &mut progress, &cancel);
        for file in &report.files {
            say(&file.display().to_string());
        }
        problems.extend(report.problems);
        finish(&problems, false)
    }
}
