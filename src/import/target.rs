//! What a project's `cutsheet.json` says, and the targets that it names: kinds of devices that textures of their own are
//! made for.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Project;
use crate::format::project_file::{FILE_NAME, ProjectFile};
use crate::model::{Code, Problem, ProjectSettings, Target};

/// A project's settings as its file has them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettingsReading {
    /// What is said.
    pub settings: Arc<ProjectSettings>,
    /// Why nothing of the file is used, in words.
    pub failure: Option<Arc<str>>,
    /// What is wrong with it.
    pub problems: Arc<[Problem]>,
}

impl SettingsReading {
    /// Reads the settings of the project in that folder; one without a file says nothing.
    pub fn of(root: &Path) -> Self {
        let bytes = match fs::read(root.join(FILE_NAME)) {
            Ok(bytes) => bytes,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Self::default(),
            Err(why) => return Self::failed(Code::Unreadable, &format!("it cannot be read: {why}")),
        };
        match ProjectFile::parse(&bytes) {
            Ok(file) => {
                let (settings, faults) = file.read();
                let problems =
                    faults.into_iter().map(|fault| Problem::new(Code::SettingInvalid, FILE_NAME, fault));
                Self { settings: Arc::new(settings), failure: None, problems: problems.collect() }
            }
            Err(why) => Self::failed(Code::ProjectSettingsUnparsable, &why.to_string()),
        }
    }

    fn failed(code: Code, why: &str) -> Self {
        let message = format!("The project's settings and targets are not used, and the file stays: {why}");
        Self {
            failure: Some(why.into()),
            problems: [Problem::new(code, FILE_NAME, message)].into(),
            ..Self::default()
        }
    }
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
        why: Arc<str>,
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

impl Project {
    /// The target of that name.
    pub fn target_named(&self, name: &str) -> Result<Target, TargetError> {
        if let Some(why) = &self.settings.failure {
            return Err(TargetError::Settings { path: self.root.join(FILE_NAME), why: why.clone() });
        }
        let targets = &self.settings.settings.targets;
        self.settings.settings.target(name).cloned().ok_or_else(|| TargetError::Unknown {
            root: self.root.clone(),
            name: name.to_owned(),
            known: targets.iter().map(|target| target.name.to_string()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TargetSettings;
    use crate::texture::PixelFormat;

    fn project(settings: Option<&str>) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("assets")).unwrap();
        if let Some(settings) = settings {
            fs::write(folder.path().join(FILE_NAME), settings).unwrap();
        }
        let project = Project::open(folder.path()).unwrap();
        (folder, project)
    }

    #[test]
    fn targets_are_those_that_the_project_names() {
        let settings = r#"{"formatVersion":1,"targets":{"handheld":{"maxSize":256,"format":"RGB565","maxTexture":512},
            "../up":{},"a\\b":{}}}"#;
        let (folder, project) = project(Some(settings));
        let target = project.target_named("handheld").unwrap();
        assert_eq!(
            target.settings,
            TargetSettings { format: Some(PixelFormat::Rgb565), max_size: Some(256) }
        );
        assert_eq!(target.max_texture, Some(512));
        assert_eq!(project.for_target(target).cache, folder.path().join("cache/targets/handheld"));
        assert_eq!(project.settings.problems.len(), 2);
        for name in ["console", "../up", "a\\b", "", ".", "handheld/"] {
            let refusal = project.target_named(name).unwrap_err();
            assert!(matches!(refusal, TargetError::Unknown { .. }), "{name}");
            assert!(refusal.to_string().contains("handheld"), "{refusal}");
        }
    }

    #[test]
    fn without_settings_there_is_no_target_and_damaged_ones_say_so() {
        let (_folder, plain) = project(None);
        let refusal = plain.target_named("handheld").unwrap_err().to_string();
        assert!(refusal.contains("handheld") && refusal.contains("has none"), "{refusal}");
        let (_folder, damaged) = project(Some("{"));
        assert!(matches!(damaged.target_named("handheld"), Err(TargetError::Settings { .. })));
        assert_eq!(damaged.settings.problems[0].code, Code::ProjectSettingsUnparsable);
        let (_folder, odd) = project(Some(r#"{"targets":{"handheld":{"maxSize":"big"}}}"#));
        assert_eq!(odd.target_named("handheld").unwrap().settings, TargetSettings::default());
        assert!(odd.settings.problems[0].message.contains("targets.handheld.maxSize"));
    }
}
