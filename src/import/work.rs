//! Pass 2 for one asset: from a plan to a texture in the cache, or to the reason why not.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::compile::{self, CompileError, Compiled, ImageFile};
use super::index::{Entry, Stamp};
use super::plan::{Plan, decode_code, extension_of};
use super::project::Project;
use super::scan;
use crate::format::sidecar::Sidecar;
use crate::fs_atomic;
use crate::hash::ContentHash;
use crate::model::{Code, Problem};
use crate::pixels::ImageInfo;
use crate::registry::{Asset, ImageFacts, State, TextureInfo};
use crate::sheet_file;
use crate::slicing::Findings;

/// What pass 2 did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// A texture was made.
    Imported,
    /// The texture there was is still right.
    Unchanged,
    /// The texture there is, if any, is not right, and nothing was to be written.
    Stale,
    /// No texture could be made.
    Failed,
    /// The user gave up.
    Cancelled,
    /// The files changed meanwhile: look again.
    Moved,
}

/// The result of pass 2 for one asset.
#[derive(Debug)]
pub struct Outcome {
    /// The plan's path.
    pub path: Arc<str>,
    /// What was done.
    pub status: Status,
    /// What to remember, unless the files changed meanwhile.
    pub entry: Option<Entry>,
}

/// How pass 2 is to work.
#[derive(Clone, Copy)]
pub struct Manner<'a> {
    /// The project.
    pub project: &'a Project,
    /// Set from anywhere to give up.
    pub cancel: &'a AtomicBool,
    /// Whether a second thread may help.
    pub second_thread: bool,
    /// Whether nothing may be written.
    pub read_only: bool,
}

/// Imports one asset. A panic inside becomes a problem of that asset, and the worker lives on.
pub fn import(plan: &Plan, manner: Manner<'_>) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| try_import(plan, manner))).unwrap_or_else(|_| {
        let problem = Problem::new(
            Code::Internal,
            &plan.path,
            "the importer failed on it; this is a fault of the program",
        );
        failed(plan, None, problem)
    })
}

fn try_import(plan: &Plan, manner: Manner<'_>) -> Outcome {
    let Manner { project, cancel, second_thread, read_only } = manner;
    let file = project.file(&plan.path);
    let bytes = match read_as_planned(&file, plan, project) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Outcome { path: plan.path.clone(), status: Status::Moved, entry: None },
        Err(why) => {
            let problem = Problem::new(Code::Unreadable, &plan.path, format!("cannot be read: {why}"));
            return failed(plan, None, problem);
        }
    };

    let image_hash = ContentHash::of(&bytes);
    let recipe = plan.recipe();
    let metadata = match recipe.metadata.to_bytes() {
        Ok(metadata) => metadata,
        Err(why) => {
            return failed(
                plan,
                Some(facts(plan, &bytes, image_hash, None)),
                format_problem(plan, &why.to_string()),
            );
        }
    };
    let settings_hash = recipe.settings_hash(plan.storing.max_size, &metadata);
    if let Some(same) = unchanged(plan, project, image_hash, settings_hash) {
        return finish(plan, manner, Status::Unchanged, same, settings_hash);
    }
    let image = ImageFile { bytes: &bytes, extension: extension_of(&file), second_thread };
    let compiled = if read_only {
        compile::rehearse(image, &recipe, cancel)
    } else {
        compile::compile(image, &recipe, cancel, &project.texture(plan.guid))
    };
    match compiled {
        Err(CompileError::OtherSize { .. }) => {
            Outcome { path: plan.path.clone(), status: Status::Moved, entry: None }
        }
        Ok(compiled) => {
            let made = Made {
                facts: facts(plan, &bytes, image_hash, Some(compiled.has_alpha)),
                texture: texture_info(plan, &compiled, image_hash, settings_hash),
                findings: Arc::new(compiled.findings),
            };
            let status = if read_only { Status::Stale } else { Status::Imported };
            finish(plan, manner, status, made, settings_hash)
        }
        Err(CompileError::Cancelled) => {
            let entry = entry(
                plan,
                State::Stale,
                Some(facts(plan, &bytes, image_hash, None)),
                kept_texture(plan),
                Arc::default(),
                Vec::new(),
            );
            Outcome { path: plan.path.clone(), status: Status::Cancelled, entry: Some(entry) }
        }
        Err(why) => {
            let code = match &why {
                CompileError::Decode(why) => decode_code(why),
                CompileError::Format(_) => Code::TextureTooLarge,
                CompileError::Write(_) | CompileError::OtherSize { .. } | CompileError::Cancelled => {
                    Code::Unwritable
                }
            };
            let facts = facts(plan, &bytes, image_hash, None);
            failed(plan, Some(facts), Problem::new(code, &plan.path, why.to_string()))
        }
    }
}

/// The image's bytes, or nothing when it or its sidecar is no longer the one that pass 1 saw: a program may be saving
/// this very moment.
fn read_as_planned(file: &Path, plan: &Plan, project: &Project) -> io::Result<Option<Vec<u8>>> {
    let mut opened = File::open(file)?;
    let mut bytes = Vec::with_capacity(plan.found.file.map_or(0, |stamp| stamp.len as usize + 1));
    // Through `take`, which does not ask for the length that pass 1 has told.
    opened.by_ref().take(u64::MAX).read_to_end(&mut bytes)?;
    let image = Some(Stamp::of(&opened.metadata()?));
    let is_same = |now: Option<Stamp>, then: Option<Stamp>| match (now, then) {
        (Some(now), Some(then)) => now.is_same_file(then),
        (now, then) => now.is_none() && then.is_none(),
    };
    let is_as_planned = is_same(image, plan.found.file)
        && is_same(scan::stamp(&project.sidecar(&plan.path)), plan.found.sidecar)
        && image.is_some_and(|stamp| stamp.len == bytes.len() as u64);
    Ok(is_as_planned.then_some(bytes))
}

/// What there is when an image has become a texture.
struct Made {
    facts: ImageFacts,
    texture: TextureInfo,
    findings: Arc<Findings>,
}

/// The last import's results, when they are those that this one would have.
fn unchanged(
    plan: &Plan,
    project: &Project,
    image_hash: ContentHash,
    settings_hash: ContentHash,
) -> Option<Made> {
    let previous = plan.previous.as_ref()?;
    let (image, texture) = (previous.asset.image.clone()?, previous.asset.texture.clone()?);
    let findings = previous.asset.findings.clone();
    let is_same = previous.settings_hash == settings_hash
        && image.hash == image_hash
        && previous.asset.guid == plan.guid
        && fs::metadata(project.texture(plan.guid)).is_ok_and(|found| found.len() == texture.file_bytes);
    is_same.then_some(Made { facts: image, texture, findings })
}

fn finish(
    plan: &Plan,
    manner: Manner<'_>,
    status: Status,
    Made { facts, texture, findings }: Made,
    settings_hash: ContentHash,
) -> Outcome {
    let mut plan_found = plan.found;
    let mut problems = plan.pixel_problems(&findings);
    if facts.has_alpha == Some(true) {
        problems.extend(sheet_file::alpha_problems(&plan.sheet, &plan.storing, &plan.path));
    }
    if plan.create_sidecar && !manner.read_only {
        let sidecar = manner.project.sidecar(&plan.path);
        match fs_atomic::write_synced(&sidecar, &Sidecar::new(plan.guid).to_bytes()) {
            Ok(()) => plan_found = scan::look(manner.project, &plan.path),
            Err(why) => problems.push(Problem::new(
                Code::Unwritable,
                &plan.path,
                format!("its sidecar was not made: {why}"),
            )),
        }
    }
    let state = if status == Status::Stale { State::Stale } else { State::UpToDate };
    let mut entry = entry(plan, state, Some(facts), Some(texture), findings, problems);
    entry.sidecar = plan_found.sidecar;
    entry.settings_hash = settings_hash;
    Outcome { path: plan.path.clone(), status, entry: Some(entry) }
}

/// A failed import keeps the last good texture.
fn failed(plan: &Plan, facts: Option<ImageFacts>, problem: Problem) -> Outcome {
    let entry = entry(plan, State::Failed, facts, kept_texture(plan), Arc::default(), vec![problem]);
    Outcome { path: plan.path.clone(), status: Status::Failed, entry: Some(entry) }
}

fn kept_texture(plan: &Plan) -> Option<TextureInfo> {
    plan.previous.as_ref().filter(|entry| entry.asset.guid == plan.guid)?.asset.texture.clone()
}

fn entry(
    plan: &Plan,
    state: State,
    image: Option<ImageFacts>,
    texture: Option<TextureInfo>,
    findings: Arc<Findings>,
    mut more_problems: Vec<Problem>,
) -> Entry {
    let mut problems = plan.problems.clone();
    problems.append(&mut more_problems);
    let asset = Asset {
        path: plan.path.clone(),
        guid: plan.guid,
        guid_is_provisional: plan.guid_is_provisional,
        state,
        image,
        texture,
        frames: plan.sub_assets(),
        findings,
        problems: problems.into(),
    };
    Entry {
        asset: Arc::new(asset),
        image: plan.found.file.unwrap_or_default(),
        sidecar: plan.found.sidecar,
        settings_hash: ContentHash::default(),
        project_hash: plan.project_hash,
    }
}

fn facts(plan: &Plan, bytes: &[u8], hash: ContentHash, has_alpha: Option<bool>) -> ImageFacts {
    let ImageInfo { kind, size, color, bit_depth, .. } = plan.image;
    ImageFacts {
        size,
        hash,
        file_bytes: bytes.len() as u64,
        has_alpha,
        color: format!("{} {}, {bit_depth} bit", kind.name(), color.as_str()).into(),
    }
}

/// Image, settings and the importer's version decide every byte of a texture, so their hashes say as much as one of the
/// texture would, and are there already.
fn texture_info(
    plan: &Plan,
    compiled: &Compiled,
    image_hash: ContentHash,
    settings_hash: ContentHash,
) -> TextureInfo {
    TextureInfo {
        stored_size: compiled.stored_size,
        format: compiled.format,
        format_is_automatic: plan.storing.format.is_none(),
        file_bytes: compiled.file_bytes,
        version: image_hash.with(settings_hash),
    }
}

fn format_problem(plan: &Plan, message: &str) -> Problem {
    let code = if plan.sheet.frames.len() > usize::from(u16::MAX) {
        Code::TooManyFrames
    } else {
        Code::TextureTooLarge
    };
    Problem::new(code, &plan.path, message)
}
