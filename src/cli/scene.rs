//! `scene`: a compiled scene as JSON, and back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::{complain, finish, say};
use crate::format::json::Json;
use crate::format::scene::{self, FromJsonError, SceneError};
use crate::fs_atomic;
use crate::model::Problem;

/// Print a compiled scene as JSON, or write it from JSON.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("how").required(true))]
pub(super) struct Scene {
    /// The compiled scene
    file: PathBuf,
    /// Print it as a JSON document: its own keys and nesting
    #[arg(long, group = "how")]
    json: bool,
    /// Write it from such a document; what is equal to what it has keeps its bytes
    #[arg(long, value_name = "F", group = "how")]
    from_json: Option<PathBuf>,
}

impl Scene {
    pub(super) fn run(self) -> ExitCode {
        match &self.from_json {
            None => self.print(),
            Some(document) => self.write(document),
        }
    }

    fn print(&self) -> ExitCode {
        let file: Arc<[u8]> = match fs::read(&self.file) {
            Ok(bytes) => bytes.into(),
            Err(why) => {
                say("null");
                return fail(&format!("cannot be read: {why}"), &self.file);
            }
        };
        let root = scene::root(&file);
        match root.map(|(root, _)| scene::to_json(&root)) {
            Ok(Ok(json)) => {
                say(json.to_text().trim_end());
                self.finish(&file)
            }
            Ok(Err(why)) => {
                say("null");
                fail(&why.to_string(), &self.file)
            }
            Err(why) => {
                say("null");
                self.finish_with(&why)
            }
        }
    }

    fn write(&self, document: &Path) -> ExitCode {
        let json = match fs::read(document) {
            Ok(bytes) => Json::parse(&bytes),
            Err(why) => return fail(&format!("cannot be read: {why}"), document),
        };
        let json = match json {
            Ok(json) => json,
            Err(why) => return fail(&why.to_string(), document),
        };
        let old: Option<Arc<[u8]>> = match fs::read(&self.file) {
            Ok(bytes) => Some(bytes.into()),
            Err(why) if why.kind() == io::ErrorKind::NotFound => None,
            Err(why) => return fail(&format!("cannot be read: {why}"), &self.file),
        };
        let new: Arc<[u8]> = match scene::from_json(&json, old.as_ref()) {
            Ok(bytes) => bytes.into(),
            Err(FromJsonError::File(why)) => return self.finish_with(&why),
            Err(why) => return fail(&why.to_string(), document),
        };
        if old.as_ref() != Some(&new)
            && let Err(why) = fs_atomic::write_synced(&self.file, &new)
        {
            complain(&why.to_string());
            return ExitCode::FAILURE;
        }
        self.finish(&new)
    }

    /// Tells what is odd about the scene.
    fn finish(&self, file: &Arc<[u8]>) -> ExitCode {
        let read = match scene::read(file) {
            Ok(read) => read,
            Err(why) => return self.finish_with(&why),
        };
        let path = self.file.display().to_string();
        let problems = read.faults.into_iter().map(|fault| Problem::new(fault.code, &path, fault.text));
        finish(&problems.collect::<Vec<_>>(), false)
    }

    /// Tells why the file is no scene. What was asked cannot be done then, whatever the severity.
    fn finish_with(&self, why: &SceneError) -> ExitCode {
        let problem = Problem::new(why.code(), &self.file.display().to_string(), why.to_string());
        complain(&problem.to_string());
        ExitCode::FAILURE
    }
}

fn fail(why: &str, path: &Path) -> ExitCode {
    complain(&format!("{why}: {}", path.display()));
    ExitCode::FAILURE
}
