//! Targets: kinds of devices that a project makes textures of their own for, as its `cutsheet.json` names them.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::Refusal;
use crate::format::json::Json;
use crate::import::Project;

/// The file with a project's settings.
const SETTINGS: &str = "cutsheet.json";

/// The names of the targets that a project has.
pub fn known_targets(project: &Project) -> Result<Vec<String>, Refusal> {
    let file = project.root.join(SETTINGS);
    let refuse = |why: String| Refusal::Settings { path: file.clone(), why };
    let bytes = match fs::read(&file) {
        Ok(bytes) => bytes,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(refuse(why.to_string())),
    };
    let settings = Json::parse(&bytes).map_err(|why| refuse(why.to_string()))?;
    match settings.get("targets") {
        Some(Json::Object(targets)) => Ok(targets.iter().map(|(name, _)| name.clone()).collect()),
        _ => Ok(Vec::new()),
    }
}

/// Where the textures of a target are. One that the project does not know has none.
pub(super) fn folder_of(project: &Project, name: &str) -> Result<PathBuf, Refusal> {
    let known = known_targets(project)?;
    // A name is a folder's: one that would lead elsewhere is no target, whoever wrote it down.
    let parts: Vec<_> = Path::new(name).components().collect();
    let is_plain = matches!(parts[..], [Component::Normal(part)] if part == name) && !name.contains('\\');
    if is_plain && known.iter().any(|target| target == name) {
        return Ok(project.cache.join("targets").join(name));
    }
    Err(Refusal::UnknownTarget { name: name.to_owned(), known })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(settings: Option<&str>) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("assets")).unwrap();
        if let Some(settings) = settings {
            fs::write(folder.path().join(SETTINGS), settings).unwrap();
        }
        let project = Project::open(folder.path()).unwrap();
        (folder, project)
    }

    #[test]
    fn targets_are_those_that_the_project_names() {
        let settings = r#"{"formatVersion":1,"targets":{"handheld":{"maxSize":256},"../up":{},"a\\b":{}}}"#;
        let (folder, project) = project(Some(settings));
        assert_eq!(folder_of(&project, "handheld"), Ok(folder.path().join("cache/targets/handheld")));
        for name in ["console", "../up", "a\\b", "", ".", "handheld/"] {
            let refusal = folder_of(&project, name).unwrap_err();
            assert!(matches!(refusal, Refusal::UnknownTarget { .. }), "{name}");
            assert!(refusal.to_string().contains("handheld"), "{refusal}");
        }
    }

    #[test]
    fn without_settings_there_is_no_target_and_damaged_ones_say_so() {
        let (_folder, plain) = project(None);
        assert_eq!(known_targets(&plain), Ok(Vec::new()));
        let refusal = folder_of(&plain, "handheld").unwrap_err().to_string();
        assert!(refusal.contains("handheld") && refusal.contains("has none"), "{refusal}");
        let (_folder, damaged) = project(Some("{"));
        assert!(matches!(known_targets(&damaged), Err(Refusal::Settings { .. })));
    }
}
