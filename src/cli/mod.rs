//! The command line: the window without a command, and the headless commands. Data goes to standard output,
//! messages to standard error; the exit status is 1 when there is a problem of severity error, 2 for wrong usage.

mod art;
mod export;
mod frames;
mod inspect;
mod preview;
mod project;
mod scene;
mod slice;
mod window;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use serde_json::{Value, json};

use crate::guid::Guid;
use crate::import::Project;
use crate::model::{Frame, Problem, Severity};

/// Slice sprite sheets, see what a small device will draw, compile textures.
#[derive(Parser)]
#[command(name = "cutsheet", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Headless>,
    /// A project folder or an image to open in the window; the current folder when it has `assets/`
    path: Option<PathBuf>,
    /// Close the window after so many frames, for measuring how long it takes to appear
    #[arg(long, hide = true)]
    quit_after_frames: Option<u32>,
}

#[derive(Subcommand)]
enum Headless {
    /// Compile the textures of a project that are not up to date
    Import(project::Import),
    /// Say what an import would do and what is wrong; writes nothing
    Check(project::Check),
    /// Say what is in a texture, a sidecar or an image
    Inspect(inspect::Inspect),
    /// Cut an image into frames
    Slice(slice::Slice),
    /// Copy what the scenes of a project use to where the game reads it
    Export(export::Export),
    /// Write frames as PNG files
    Frames(frames::Frames),
    /// Print a compiled scene as JSON, or write it from JSON
    Scene(scene::Scene),
    /// Draw the sample project or a benchmark sheet
    #[command(hide = true)]
    MakeArt(art::MakeArt),
}

/// Runs what the arguments ask for.
pub fn main() -> ExitCode {
    let Arguments { command, path, quit_after_frames } = Arguments::parse();
    match command {
        None => window::run(path, quit_after_frames),
        Some(Headless::Import(command)) => command.run(),
        Some(Headless::Check(command)) => command.run(),
        Some(Headless::Inspect(command)) => command.run(),
        Some(Headless::Slice(command)) => command.run(),
        Some(Headless::Export(command)) => command.run(),
        Some(Headless::Frames(command)) => command.run(),
        Some(Headless::Scene(command)) => command.run(),
        Some(Headless::MakeArt(command)) => command.run(),
    }
}

/// Prints to standard output. A reader that has gone away, such as `head`, is no fault.
fn say(text: &str) {
    if let Err(why) = writeln!(io::stdout(), "{text}") {
        log::debug!("standard output: {why}");
    }
}

/// Prints to standard error.
fn complain(text: &str) {
    if let Err(why) = writeln!(io::stderr(), "{text}") {
        log::debug!("standard error: {why}");
    }
}

/// Prints a JSON document.
fn say_json(document: &Value) {
    say(&format!("{document:#}"));
}

/// The project that an image belongs to and its path in it; complains when there is none.
fn project_of(image: &Path) -> Result<(Project, Arc<str>), ExitCode> {
    Project::containing(image).map_err(|why| {
        complain(&why.to_string());
        ExitCode::from(1)
    })
}

/// Prints problems for a person and tells the exit status.
fn finish(problems: &[Problem], is_json: bool) -> ExitCode {
    if !is_json {
        for problem in problems {
            complain(&problem.to_string());
        }
    }
    status(problems)
}

fn status(problems: &[Problem]) -> ExitCode {
    ExitCode::from(u8::from(problems.iter().any(|problem| problem.severity == Severity::Error)))
}

/// The shape of a frame; `parent` is the sheet's GUID where there is a sidecar.
fn frame_json(index: usize, frame: &Frame, parent: Option<Guid>) -> Value {
    let rect = frame.rect_in_image;
    let name = (!frame.name.is_empty()).then(|| frame.name.to_string());
    json!({
        "index": index,
        "id": parent.map(|_| frame.id.0),
        "guid": parent.map(|parent| frame.guid(parent).to_string()),
        "name": name,
        "x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height,
    })
}

fn frames_json(frames: &[Frame], parent: Option<Guid>) -> Vec<Value> {
    frames.iter().enumerate().map(|(index, frame)| frame_json(index, frame, parent)).collect()
}
