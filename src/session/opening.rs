//! Opening a project and closing it.

use std::path::Path;
use std::sync::Arc;

use super::io::{Job, Opened};
use super::{Command, Effect, ImportProgress, OpenProject, Session, prefs};
use crate::import::project::ProjectKind;

impl Session {
    /// Opens a project folder or an image; what is open stays until that has worked.
    pub(super) fn open_path(&mut self, path: &Path) {
        self.opening = Some(path.to_owned());
        self.io.ask(Job::Open(path.to_owned()));
    }

    pub(super) fn take_opened(&mut self, path: &Path, result: Result<Box<Opened>, String>) {
        if self.opening.as_deref() == Some(path) {
            self.opening = None;
        }
        let Opened { project, service, watcher, recovered } = match result {
            Ok(opened) => *opened,
            Err(why) => {
                self.toasts.error(why);
                return;
            }
        };
        self.close_project();
        let watcher = watcher
            .inspect_err(|why| {
                let finder = Command::ReimportAll.text();
                self.toasts.warn(format!(
                    "Changes by other programs are not noticed; \u{201c}{finder}\u{201d} finds them. {why}"
                ));
            })
            .ok();
        let identity = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.prefs.remember_project(&identity, project.name());
        let image = match &project.kind {
            ProjectKind::Image(name) => Some(name.clone()),
            ProjectKind::Game | ProjectKind::Folder => None,
        };
        let remembered = self.prefs.open_sheets.get(&project.root).cloned().unwrap_or_default();
        self.open = Some(OpenProject {
            project,
            registry: Arc::default(),
            problems: Vec::new(),
            progress: ImportProgress::default(),
            is_discovered: false,
            requester: service.requester(),
            service,
            _watcher: watcher,
        });
        self.list_folders();
        self.take_recovered(recovered);
        self.effects.push(Effect::ProjectChanged);
        if let Some(image) = image {
            self.open_sheet(&image.into());
        } else {
            for path in remembered.paths.iter().chain(&remembered.current) {
                self.open_sheet(&path.as_str().into());
            }
            for path in remembered.scenes.iter().chain(&remembered.current_scene) {
                self.open_scene(&path.as_str().into());
            }
            self.workspace =
                if remembered.shows_scene { super::Workspace::Scene } else { super::Workspace::Slice };
        }
        // Last, so that what asks for an answer is in front.
        self.open_recovered();
        self.save_prefs();
    }

    pub(super) fn close_project(&mut self) {
        self.remember_open_sheets();
        self.forget_all_copies();
        self.files = super::files::Files::default();
        self.patterns.clear();
        self.exporting = None;
        self.documents.clear();
        self.current = None;
        self.scenes = super::scenes::Scenes::default();
        self.workspace = super::Workspace::default();
        if self.open.take().is_some() {
            self.effects.push(Effect::ProjectChanged);
        }
    }

    pub(super) fn remember_open_sheets(&mut self) {
        let Some(open) = &self.open else { return };
        let paths = self.documents.iter().map(|document| document.path.to_string()).collect();
        let current = self.current().map(|document| document.path.to_string());
        let picture = self.current().and_then(|document| open.registry.asset(&document.path));
        let picture = picture.or_else(|| open.registry.assets().find(|asset| asset.texture.is_some()));
        let picture = picture.map(|asset| open.project.texture(asset.guid));
        if let Some(recent) = self.prefs.recent.first_mut() {
            recent.picture = picture;
        }
        // A scene without a file could not be opened again.
        let scenes = self.scenes.documents.iter().filter(|document| !document.is_new());
        let scenes = scenes.map(|document| document.path.to_string()).collect();
        let current_scene = self.scene().filter(|document| !document.is_new());
        let current_scene = current_scene.map(|document| document.path.to_string());
        let shows_scene = self.workspace == super::Workspace::Scene;
        let remembered = prefs::OpenSheets { paths, current, scenes, current_scene, shows_scene };
        self.prefs.open_sheets.insert(open.project.root.clone(), remembered);
        self.save_prefs();
    }
}
