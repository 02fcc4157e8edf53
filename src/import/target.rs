//! Targets: kinds of devices that a project makes textures of their own for, as its `cutsheet.json` names them.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::Project;
use crate::format::json::Json;
use crate::format::sidecar::target_settings;
use crate::model::{Code, Problem, TargetSettings};

/// The file with a project's settings.
const SETTINGS: &str = "cutsheet.json";

/// A target of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its name, which is the name of its folder too.
    pub name: Arc<str>,
    /// What its textures are, unless a sheet says otherwise.
    pub settings: TargetSettings,
}

/// Why there is no target as asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The project does not have it.
    #[error("there is no target {name:?}; {}", known_words(.known))]
    Unknown {
        /// The project's folder.
        root: PathBuf,
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// The project's settings, which name the targets, cannot be read.
    #[error("the targets of the project cannot be read: {why}")]
    Settings {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
}

fn known_words(known: &[String]) -> String {
    match known {
        [] => "the project has none: name it in cutsheet.json".to_owned(),
        known => format!("the project has {}", known.join(", ")),
    }
}

impl TargetError {
    /// The same as a problem.
    pub fn problem(&self) -> Problem {
        let code = match self {
            Self::Unknown { .. } => Code::TargetUnknown,
            Self::Settings { .. } => Code::Unreadable,
        };
        Problem::new(code, &self.path().display().to_string(), self.to_string())
    }

    /// The project's folder, or the file of its settings.
    pub fn path(&self) -> &Path {
        match self {
            Self::Unknown { root: path, .. } | Self::Settings { path, .. } => path,
        }
    }
}

impl Target {
    /// The target of that name.
    pub fn of(project: &Project, name: &str) -> Result<Self, TargetError> {
        let targets = targets(project)?;
        // A name is a folder's: one that would lead elsewhere is no target, whoever wrote it down.
        let parts: Vec<_> = Path::new(name).components().collect();
        let is_plain = matches!(parts[..], [Component::Normal(part)] if part == name) && !name.contains('\\');
        let known = || targets.iter().map(|(name, _)| name.clone()).collect();
        let found = targets.iter().find(|(target, _)| is_plain && target == name);
        let Some((_, settings)) = found else {
            let root = project.root.clone();
            return Err(TargetError::Unknown { root, name: name.to_owned(), known: known() });
        };
        let settings = target_settings(settings).map_err(|why| TargetError::Settings {
            path: project.root.join(SETTINGS),
            why: format!("targets.{name}.{why}"),
        })?;
        Ok(Self { name: name.into(), settings })
    }
}

/// The targets that a project names, with what it says of each.
fn targets(project: &Project) -> Result<Vec<(String, Json)>, TargetError> {
    let file = project.root.join(SETTINGS);
    let refuse = |why: String| TargetError::Settings { path: file.clone(), why };
    let bytes = match fs::read(&file) {
        Ok(bytes) => bytes,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(refuse(why.to_string())),
    };
    let settings = Json::parse(&bytes).map_err(|why| refuse(why.to_string()))?;
    match settings.get("targets") {
        Some(Json::Object(targets)) => Ok(targets.clone()),
        _ => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::PixelFormat;

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
        let settings = r#"{"formatVersion":1,"targets":{"handheld":{"maxSize":256,"format":"RGB565","maxTexture":512},
            "../up":{},"a\\b":{}}}"#;
        let (folder, project) = project(Some(settings));
        let target = Target::of(&project, "handheld").unwrap();
        assert_eq!(
            target.settings,
            TargetSettings { format: Some(PixelFormat::Rgb565), max_size: Some(256) }
        );
        assert_eq!(project.for_target(target).cache, folder.path().join("cache/targets/handheld"));
        for name in ["console", "../up", "a\\b", "", ".", "handheld/"] {
            let refusal = Target::of(&project, name).unwrap_err();
            assert!(matches!(refusal, TargetError::Unknown { .. }), "{name}");
            assert!(refusal.to_string().contains("handheld"), "{refusal}");
        }
    }

    #[test]
    fn without_settings_there_is_no_target_and_damaged_ones_say_so() {
        let (_folder, plain) = project(None);
        let refusal = Target::of(&plain, "handheld").unwrap_err().to_string();
        assert!(refusal.contains("handheld") && refusal.contains("has none"), "{refusal}");
        let (_folder, damaged) = project(Some("{"));
        assert!(matches!(Target::of(&damaged, "handheld"), Err(TargetError::Settings { .. })));
        let (_folder, odd) = project(Some(r#"{"targets":{"handheld":{"maxSize":"big"}}}"#));
        let refusal = Target::of(&odd, "handheld").unwrap_err().to_string();
        assert!(refusal.contains("targets.handheld.maxSize"), "{refusal}");
    }
}
