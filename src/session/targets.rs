//! What the project says of all its textures, and the target that the window shows textures for.

use std::sync::Arc;

use super::Session;
use crate::model::{ProjectSettings, Sheet, Storing, Target};

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

    /// Shows textures for a target, or without one.
    pub(super) fn show_target(&mut self, name: Option<Arc<str>>) {
        self.shown_target = Shown(name);
    }
}
