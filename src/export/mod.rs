//! What a game gets: the files that its scenes use, the table that finds them, and frames as pictures of their own.
//!
//! An export is planned before anything is written, as plain data that a window can show: [`survey()`] says what is on
//! disk, [`plan()`] what is to be done, a pure function of that and the registry, and [`write()`] does it. [`prepare`]
//! is the first two at once. None of them imports anything: who wants the newest textures imports first.

mod file_names;
pub mod frames;
mod output;
pub mod plan;
mod plan_problems;
pub mod survey;
mod used;
pub mod write;

#[cfg(test)]
mod plan_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod write_tests;

use std::path::Path;

pub use output::{Refusal, shown};
pub use plan::{Action, Item, Plan, Removal, Standing, plan};
pub use survey::{Survey, survey};
pub use used::Users;
pub use write::{FileReport, Progress, Report, Write, write};

use crate::import::Project;
use crate::registry::Registry;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Request<'a> {
    /// The target whose textures are exported; `None` for those of the project.
    pub target: Option<&'a str>,
    /// The folder to export to; `None` for the project's `storage/`.
    pub output: Option<&'a Path>,
}

/// Whether an export as it is asked for can be planned at all, before anything is imported for it.
pub fn check(project: &Project, request: &Request<'_>) -> Result<(), Refusal> {
    output::folder(project, request.output)?;
    request.target.map(|name| project.target_named(name)).transpose()?;
    Ok(())
}

/// Looks at what there is and plans an export. Waits for the disk.
pub fn prepare(registry: &Registry, project: &Project, request: &Request<'_>) -> Result<Plan, Refusal> {
    Ok(plan(registry, project, &survey(registry, project, request)?))
}
