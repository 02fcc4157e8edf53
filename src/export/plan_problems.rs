//! What is wrong with what is to be exported, in words that name who needs it.

use super::plan::{Item, Standing};
use super::survey::Survey;
use super::used::Users;
use crate::model::{Code, Problem, Severity};
use crate::registry::{Asset, Referrer, Registry, State, broken_references};

/// What is wrong with a sheet that scenes use: its errors, and that it does not go as it should.
pub(super) fn of_sheet(sheet: &Asset, item: &Item, target: Option<&str>) -> Vec<Problem> {
    let mut problems: Vec<_> = errors(&sheet.problems).cloned().collect();
    let what = match (item.standing, target) {
        (Standing::Ready, _) => return problems,
        (Standing::Missing, Some(target)) => {
            format!(
                "It has no texture for the target {target}, so it is not exported: import for that target first"
            )
        }
        (Standing::Missing, None) => match sheet.state {
            State::Failed => "It could not be imported and has no texture, so it is not exported".to_owned(),
            State::Missing => "Its image is gone and it has no texture, so it is not exported".to_owned(),
            _ => "Its texture is not in the cache, so it is not exported: import first".to_owned(),
        },
        (Standing::Failed, _) if sheet.state == State::Missing => {
            "Its image is gone, so the texture that it had is exported".to_owned()
        }
        (Standing::Failed, _) => "It could not be imported, so its last good texture is exported".to_owned(),
        (Standing::Stale, _) => {
            "Its texture is not that of its image and settings as they are now: import first".to_owned()
        }
    };
    problems.push(incomplete(&sheet.path, &what, &item.users));
    problems
}

/// What is wrong with a scene: its errors, references that lead nowhere, and that it cannot go.
pub(super) fn of_scene(
    registry: &Registry,
    scene: &Referrer,
    users: &Users,
    survey: &Survey,
) -> Vec<Problem> {
    let mut problems: Vec<_> = errors(&scene.problems).cloned().collect();
    let compiled = survey.compiled.get(&scene.path).map(Vec::as_slice);
    problems.extend(broken_references(registry, &scene.path, compiled.unwrap_or(&scene.references)));
    let is_authored = scene.problems.iter().any(|problem| problem.code == Code::SceneAuthored);
    let what = if scene.guid_is_provisional {
        "It has no GUID of its own, so a game has no name for it and it is not exported: give it a sidecar with one"
    } else if survey.references_of(scene).is_some() {
        return problems;
    } else if is_authored {
        "It is authored JSON and the cache has no compiled scene of it, so it is not exported: compile it with the engine"
    } else {
        "It could not be read, so it is not exported"
    };
    problems.push(incomplete(&scene.path, what, users));
    problems
}

/// Whether only a scene's sidecar is left.
pub(super) fn is_gone(scene: &Referrer) -> bool {
    scene.problems.iter().any(|problem| problem.code == Code::SidecarOrphan)
}

/// Two assets that a game could not tell apart by what it looks them up by.
pub(super) fn collision(path: &str, key: &str, owner: &str, owners_key: &str) -> Problem {
    let how = if key == owners_key {
        format!("are both looked up as {key}")
    } else {
        format!("have the same hash in the lookup table, as {key} and {owners_key}")
    };
    let message = format!("{path} and {owner} {how}, so only {owner} is in it: rename one of them");
    Problem::new(Code::LookupCollision, path, message)
}

fn incomplete(path: &str, what: &str, users: &Users) -> Problem {
    let message = match users.words() {
        Some(users) => format!("{what}; used by {users}"),
        None => what.to_owned(),
    };
    Problem::new(Code::ExportIncomplete, path, message)
}

fn errors(problems: &[Problem]) -> impl Iterator<Item = &Problem> {
    problems.iter().filter(|problem| problem.severity == Severity::Error)
}
