//! What the project says of all its textures, and the target that the window shows textures for.

use std::fs;
use std::io;
use std::sync::Arc;

use super::io::Job;
use super::{Document, ExportStage, Session};
use crate::format::project_file::{FILE_NAME, ProjectFile};
use crate::fs_atomic;
use crate::geometry::{Size, stored_size};
use crate::import::service::Request;
use crate::import::{Project, ProjectKind};
use crate::model::{ProjectSettings, Sheet, Storing, Target};
use crate::texture::PixelFormat;

/// What the window shows textures for: a target's name, or none.
#[derive(Debug, Default)]
pub(super) struct Shown(Option<Arc<str>>);

impl Session {
    /// What the project says of all its textures; of no project nothing.
    pub fn project_settings(&self) -> Arc<ProjectSettings> {
        self.project().map(|open| open.project.settings.settings.clone()).unwrap_or_default()
    }

    /// The target that textures are shown for; `None` for the sheets as they are without one.
    pub fn target(&self) -> Option<&Target> {
        let name = self.shown_target.0.as_deref()?;
        self.project()?.project.settings.settings.target(name)
    }

    /// How a sheet's texture is stored, for the target that is shown.
    pub fn storing(&self, sheet: &Sheet) -> Storing {
        self.storing_for(sheet, self.target())
    }

    /// How a sheet's texture is stored for a target, or without one.
    pub fn storing_for(&self, sheet: &Sheet, target: Option<&Target>) -> Storing {
        let defaults = self.project().map(|open| open.project.settings.settings.defaults);
        sheet.settings.storing(&defaults.unwrap_or_default(), target)
    }

    /// Size and format of an open sheet's texture as it would be made now; `None` while Automatic does not know the image.
    pub fn stored_as(&self, document: &Document) -> Option<(Size, PixelFormat)> {
        let storing = self.storing(document.sheet());
        let asset = self.asset(&document.path)?;
        let has_alpha = || asset.image.as_ref().and_then(|image| image.has_alpha);
        let format = storing.format.or_else(|| has_alpha().map(PixelFormat::automatic))?;
        Some((stored_size(document.image_size, storing.max_size), format))
    }

    /// Why the project's settings cannot be changed, in words for a disabled control.
    pub(super) fn why_no_project_settings(&self) -> Option<&'static str> {
        match self.project() {
            None => Some("No project is open"),
            Some(open) if matches!(open.project.kind, ProjectKind::Image(_)) => {
                Some("An image that was opened alone has no project")
            }
            Some(open) if open.project.settings.failure.is_some() => {
                Some("cutsheet.json is not understood; the list of problems says why")
            }
            Some(_) => None,
        }
    }

    /// Writes what the project says of all its textures.
    pub(super) fn save_project_settings(&mut self, settings: ProjectSettings) {
        if let Some(open) = &self.open {
            self.io.ask(Job::ProjectSettings(open.project.clone(), settings));
        }
    }

    /// The file was written, or not: the importer reads it like any other.
    pub(super) fn take_project_settings(&mut self, result: Result<(), String>) {
        match result {
            Ok(()) => self.request(Request::Rescan),
            Err(why) => self.toasts.error(why),
        }
    }

    /// Shows textures for a target, or without one. An export that is planned is for it, too.
    pub(super) fn show_target(&mut self, name: Option<Arc<str>>) {
        self.shown_target = Shown(name);
        let is_planned =
            |stage: &ExportStage| matches!(stage, ExportStage::Planned(_) | ExportStage::Refused(_));
        if self.exporting().is_some_and(|exporting| is_planned(&exporting.stage)) {
            self.begin_export();
        }
    }
}

/// Brings a project's `cutsheet.json` to these settings; why it is as it was, in words.
pub(super) fn save_settings(project: &Project, settings: &ProjectSettings) -> Result<(), String> {
    let path = project.root.join(FILE_NAME);
    let failed = |why: String| format!("The project's settings were not written: {why}: {}", path.display());
    let mut file = match fs::read(&path) {
        Ok(bytes) => ProjectFile::parse(&bytes).map_err(|why| failed(why.to_string()))?,
        Err(why) if why.kind() == io::ErrorKind::NotFound => ProjectFile::default(),
        Err(why) => return Err(failed(why.to_string())),
    };
    file.write(settings);
    fs_atomic::write_synced(&path, &file.to_bytes())
        .map_err(|why| format!("The project's settings were not written: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{TargetSettings, TextureDefaults};

    #[test]
    fn settings_are_written_beside_what_is_there_and_over_nothing_that_is_not_understood() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("assets")).unwrap();
        let file = folder.path().join(FILE_NAME);
        let project = Project::open(folder.path()).unwrap();
        let target = Target {
            name: "handheld".into(),
            settings: TargetSettings { format: None, max_size: Some(64) },
            max_texture: None,
        };
        let settings = ProjectSettings { defaults: TextureDefaults::default(), targets: vec![target] };
        save_settings(&project, &settings).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let expected = "{\n  \"formatVersion\": 1,\n  \"targets\": {\n    \"handheld\": {\n      \"maxSize\": 64\n    }\n  }\n}\n";
        assert_eq!(text, expected);
        fs::write(&file, "<<<<<<< ours").unwrap();
        let why = save_settings(&project, &settings).unwrap_err();
        assert!(why.contains(FILE_NAME), "{why}");
        assert_eq!(fs::read(&file).unwrap(), b"<<<<<<< ours");
    }
}
