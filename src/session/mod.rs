//! The application without a window: the open project, open documents, selection, actions, jobs and what is
//! remembered. Panels read `&Session` and return [`Action`]s; the window's code carries out [`Effect`]s.

pub mod action;
mod ahead;
mod apply;
mod availability;
mod commands;
pub mod document;
mod documents;
mod exporting;
mod file_work;
mod files;
mod files_done;
mod fixes;
mod frame_commands;
mod frame_files;
mod guesses;
mod io;
mod known;
mod look;
mod loss;
mod opening;
mod outside;
pub mod pictures;
pub mod prefs;
mod problems;
mod questions;
mod recovery;
pub mod save;
mod scene_commands;
pub mod scene_document;
pub mod scene_file;
mod scene_problems;
mod scenes;
mod selection;
pub mod source_picture;
mod stage;
pub mod stored;
mod stretch;
mod studies;
pub mod study;
mod targets;
mod thumbnail;
pub mod toast;
mod uses;
mod veil;
mod workspace;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::import::project::Project;
use crate::import::service::{Event, Request, Requester, Service, Waker};
use crate::model::{Code, Problem};
use crate::registry::{Asset, Registry};
use crate::watch::Watcher;

pub use action::{Action, Answer, Command, KeyChange, SelectMode, Shortcut, View};
pub use apply::Fit;
pub use document::{Document, Load};
pub use exporting::{ExportAsk, ExportStage, Exporting};
pub use file_work::Move;
pub use files::folder_of;
pub use fixes::Fix;
pub use frame_files::{FrameAsk, FrameOrder, FrameSaving, FrameStage};
pub use loss::{Loss, User};
pub use outside::Renumbered;
pub use pictures::{Bitmap, BitmapKey, Lookup, Pictures};
pub use prefs::{Backdrop, Prefs, ThemeChoice};
pub use questions::{Pending, Question};
pub use recovery::{Recovered, Unsaved};
pub use scene_commands::{behind_selection, moved_by, reference_of_text, reference_text};
pub use scene_document::SceneDocument;
pub use scene_problems::BrokenSprite;
pub use source_picture::{SourcePicture, TileKey, Tiled};
pub use stage::StageVersion;
pub use stored::{Facts, FrameChanges, HeatMap, KeyMarks, StoredPicture, StoredPixel, StoredView};
pub use stretch::{Stretch, Stretched};
pub use study::{Detected, Proposal, Study};
pub use toast::{Toast, Toasts};
pub use uses::{InUse, Use};
pub use veil::Veil;
pub use workspace::Workspace;

use crate::model::scene::Object;
use io::{Done, Io, Job};
use scenes::Scenes;
use studies::Studies;

/// Something that only the window can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Ask for a folder to make a project in.
    PickNewProject,
    /// Ask for a project folder.
    PickProject,
    /// Ask for an image file.
    PickImage,
    /// Ask for a folder to copy the sample project to.
    PickSampleFolder,
    /// Ask for a folder to save frames in.
    PickFrameFolder,
    /// The folder to save frames in was picked.
    FrameFolder(PathBuf),
    /// Put text on the clipboard.
    CopyText(String),
    /// Show a file in the system's file manager.
    Reveal(PathBuf),
    /// Files have other paths: what the window remembers of the old ones is of the new ones.
    Moved(Vec<Move>),
    /// A folder was made: the browser goes to it.
    FolderMade(Arc<str>),
    /// Close the window.
    Quit,
    /// A project was opened, or the start page is shown: the window's own state begins anew.
    ProjectChanged,
}

/// How far an import is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportProgress {
    /// Assets done.
    pub done: usize,
    /// Assets of the batch; 0 when nothing is being imported.
    pub total: usize,
    /// The asset begun last.
    pub current: Option<Arc<str>>,
    /// Whether another process has the cache.
    pub is_waiting: bool,
}

/// An open project.
pub struct OpenProject {
    /// Its folders.
    pub project: Project,
    /// All assets and frames, as last told by the importer.
    pub registry: Arc<Registry>,
    /// Problems that belong to no single asset.
    pub problems: Vec<Problem>,
    /// How far the import is.
    pub progress: ImportProgress,
    /// Whether the first walk of the project is over.
    pub is_discovered: bool,
    service: Service,
    requester: Requester,
    _watcher: Option<Watcher>,
}

/// The application without a window.
pub struct Session {
    open: Option<OpenProject>,
    opening: Option<PathBuf>,
    documents: Vec<Document>,
    current: Option<usize>,
    scenes: Scenes,
    workspace: Workspace,
    shown_target: targets::Shown,
    uses: uses::Uses,
    in_use: Option<InUse>,
    exporting: Option<Exporting>,
    frame_saving: Option<FrameSaving>,
    /// How often the importer was asked to tell when it has seen everything.
    catch_ups: u64,
    waker: Waker,
    /// Objects that were copied, for any scene.
    copied: Vec<Arc<Object>>,
    question: Option<Question>,
    toasts: Toasts,
    prefs: Prefs,
    prefs_file: Option<PathBuf>,
    pictures: Pictures,
    stored: stored::Stored,
    studies: Studies,
    recovery: recovery::Recovery,
    files: files::Files,
    /// Sheets to cut like another as soon as they are read.
    patterns: Vec<(Arc<str>, crate::model::Sheet)>,
    /// Edits are to be restored as soon as their sheet is read.
    recovery_is_wanted: bool,
    io: Io,
    effects: Vec<Effect>,
}

impl Session {
    /// A session without a project. `waker` is called from other threads when there is something to pump.
    pub fn new(prefs_file: Option<PathBuf>, waker: Waker) -> std::io::Result<Self> {
        let prefs = prefs_file.as_deref().map(Prefs::load).unwrap_or_default();
        Ok(Self {
            open: None,
            opening: None,
            documents: Vec::new(),
            current: None,
            scenes: Scenes::default(),
            workspace: Workspace::default(),
            shown_target: targets::Shown::default(),
            uses: uses::Uses::default(),
            in_use: None,
            exporting: None,
            frame_saving: None,
            catch_ups: 0,
            waker: waker.clone(),
            copied: Vec::new(),
            question: None,
            toasts: Toasts::default(),
            prefs,
            prefs_file,
            pictures: Pictures::start(waker.clone())?,
            stored: stored::Stored::start(waker.clone())?,
            studies: Studies::start(waker.clone())?,
            recovery: recovery::Recovery::default(),
            files: files::Files::default(),
            patterns: Vec::new(),
            recovery_is_wanted: false,
            io: Io::start(waker)?,
            effects: Vec::new(),
        })
    }

    /// The open project.
    pub fn project(&self) -> Option<&OpenProject> {
        self.open.as_ref()
    }

    /// What is being opened and not open yet.
    pub fn opening(&self) -> Option<&Path> {
        self.opening.as_deref()
    }

    /// The open sheets, in the order of their tabs.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The sheet that is shown.
    pub fn current(&self) -> Option<&Document> {
        self.documents.get(self.current?)
    }

    /// What the middle of the window is for.
    pub fn workspace(&self) -> Workspace {
        self.workspace
    }

    /// What undo would take back and redo do again, of the document that is shown.
    pub fn undo_and_redo_labels(&self) -> (Option<&str>, Option<&str>) {
        match self.workspace {
            Workspace::Slice => {
                let history = self.current().map(|document| &document.history);
                (history.and_then(|it| it.undo_label()), history.and_then(|it| it.redo_label()))
            }
            Workspace::Scene => {
                let history = self.scene().map(|document| &document.history);
                (history.and_then(|it| it.undo_label()), history.and_then(|it| it.redo_label()))
            }
        }
    }

    /// The registry's asset of a sheet.
    pub fn asset(&self, path: &str) -> Option<&Arc<Asset>> {
        self.open.as_ref()?.registry.asset(path)
    }

    /// The open question.
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// What just happened.
    pub fn toasts(&self) -> &Toasts {
        &self.toasts
    }

    /// What is remembered.
    pub fn prefs(&self) -> &Prefs {
        &self.prefs
    }

    /// The store of pictures.
    pub fn pictures(&self) -> &Pictures {
        &self.pictures
    }

    /// Shows a message that something was not done.
    pub fn tell(&mut self, message: String) {
        self.toasts.error(message);
    }

    /// Takes what the window has to do.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Carries out what a panel asked for.
    pub fn perform(&mut self, action: Action) {
        match action {
            Action::Command(command) => self.command(command),
            Action::Open(path) => self.ask_before(Pending::Open(path)),
            Action::CreateProject(folder) => self.io.ask(Job::CreateProject(folder)),
            Action::CopySample(folder) => self.io.ask(Job::CopySample(folder)),
            Action::OpenSheet(path) => self.open_sheet(&path),
            Action::ShowSheet(path) => {
                self.workspace = Workspace::Slice;
                self.open_sheet(&path);
            }
            Action::OpenScene(path) => self.open_scene(&path),
            Action::Close(path) => self.ask_before(Pending::Close(path)),
            Action::SaveSceneAs(path) => self.save_scene_as(&path),
            Action::RenameAsset(path, name) => self.rename_asset(&path, &name),
            Action::MoveAssets(paths, folder) => self.move_assets(&paths, &folder),
            Action::DeleteAssets(paths) => self.delete_assets(&paths),
            Action::NewFolder(parent, name) => self.new_folder(&parent, &name),
            Action::EditScene(edit) => self.edit_scene(&edit),
            Action::SelectObjects(keys) => self.with_scene(|document| document.history.select(keys)),
            Action::SelectObject(key, mode) => self.with_scene(|document| document.select(key, mode)),
            Action::NudgeObjects { dx, dy } => self.nudge_objects(dx, dy),
            Action::ForgetRecent(path) => self.forget_recent(&path),
            Action::Edit(edit) => self.edit(&edit),
            Action::Fix(path, code, positions) => self.fix(&path, code, &positions),
            Action::Seal => match self.workspace {
                Workspace::Slice => self.with_current(|document| document.history.seal()),
                Workspace::Scene => self.with_scene(|document| document.history.seal()),
            },
            Action::Nudge { dx, dy, edges } => self.nudge(dx, dy, edges),
            Action::Paste(text) => match self.workspace {
                Workspace::Slice => self.paste(&text),
                Workspace::Scene => self.paste_into_scene(&text),
            },
            Action::SelectFrames(ids) => self.with_current(|document| document.history.select(ids)),
            Action::ApplyToOthers(paths) => self.apply_to_others(&paths),
            Action::GoToStep(done) => match self.workspace {
                Workspace::Slice => self.step_history(|document| document.history.go_to(done)),
                Workspace::Scene => self.with_scene(|document| document.history.go_to(done)),
            },
            Action::Select(path, id, mode) => {
                self.open_sheet(&path);
                self.with_current(|document| document.select(id, mode));
            }
            Action::ReimportAsset(path) => self.request(Request::Reimport(path)),
            Action::RevealFile(path) => {
                if let Some(open) = &self.open {
                    self.effects.push(Effect::Reveal(open.project.file(&path)));
                }
            }
            Action::CopyText(text) => {
                self.toasts.info(format!("Copied {text}"));
                self.effects.push(Effect::CopyText(text));
            }
            Action::Export(ask) => self.ask_export(ask),
            Action::FrameFiles(ask) => self.ask_frame_saving(ask),
            Action::AnswerInUse(is_yes) => self.answer_in_use(is_yes),
            Action::Answer(answer) => self.answer(answer),
            Action::DismissToast(id) => self.toasts.dismiss(id),
            Action::PutGuessAside(path, is_aside) => {
                if let Some(document) = self.documents.iter_mut().find(|document| document.path == path) {
                    document.put_guess_aside(is_aside);
                }
            }
            Action::SaveProjectSettings(settings) => self.save_project_settings(settings),
            Action::ShowTarget(name) => self.show_target(name),
            Action::SetBackdrop(backdrop) => self.prefs.backdrop = backdrop,
            Action::RememberGridAxes { parted } => self.prefs.grid_axes_parted = parted,
            Action::RememberView(path, view) => {
                if let Some(open) = &self.open {
                    self.prefs.remember_view(open.project.file(&path), view);
                }
            }
            Action::RememberKeys(changes) => {
                for (command, key) in changes {
                    self.prefs.keys.change(command, key);
                }
                self.save_prefs();
            }
        }
    }

    fn request(&self, request: Request) {
        if let Some(open) = &self.open {
            open.requester.ask(request);
        }
    }

    fn forget_recent(&mut self, path: &Path) {
        self.prefs.recent.retain(|recent| recent.path != path);
        self.save_prefs();
    }

    fn save_prefs(&self) {
        if let Some(file) = &self.prefs_file {
            self.io.ask(Job::Preferences(file.clone(), self.prefs.to_bytes()));
        }
    }

    /// Takes in what other threads did. Whether anything changed.
    pub fn pump(&mut self) -> bool {
        let mut changed = self.toasts.expire();
        while let Some(event) = self.next_event() {
            changed = true;
            self.take_event(event);
        }
        let done: Vec<_> = self.io.take().collect();
        for done in done {
            changed = true;
            self.take_done(done);
        }
        if self.recovery_is_wanted {
            self.finish_restore();
        }
        if !self.patterns.is_empty() {
            self.apply_patterns();
        }
        changed |= self.follow_export();
        changed |= self.follow_frame_saving();
        changed |= self.follow_scene_problems();
        self.follow_uses();
        self.follow_unsaved();
        changed |= self.follow_problems();
        changed
    }

    fn next_event(&self) -> Option<Event> {
        self.open.as_ref()?.service.events().try_recv().ok()
    }

    fn take_event(&mut self, event: Event) {
        let Some(open) = &mut self.open else { return };
        match event {
            Event::Registry(registry) => {
                let registry = self.files.ahead.amend(registry, &open.registry);
                let before = std::mem::replace(&mut open.registry, registry);
                open.is_discovered = true;
                self.follow_registry(&before);
                self.follow_scenes(&before);
            }
            Event::Settings(reading) => open.project.settings = reading,
            Event::ProjectProblems(problems) => {
                if let Some(problem) = problems.iter().find(|problem| problem.code == Code::Unwritable) {
                    self.toasts.error(problem.message.clone());
                }
                open.problems = problems;
            }
            Event::Progress { done, total, current } => {
                let current = current.or(open.progress.current.take());
                open.progress = ImportProgress { done, total, current, is_waiting: false };
            }
            Event::Waiting => open.progress.is_waiting = true,
            Event::Idle => {
                open.progress = ImportProgress::default();
                self.list_folders();
            }
            Event::CaughtUp(number) => self.importer_caught_up(number),
        }
    }

    fn take_done(&mut self, done: Done) {
        match done {
            Done::Read { path, result } => self.take_read(&path, result),
            Done::Saved { path, revision, result } => self.take_saved(&path, revision, result),
            Done::SceneRead { path, result } => self.take_scene_read(&path, result),
            Done::SceneSaved { path, revision, result } => self.take_scene_saved(&path, revision, result),
            Done::Opened { path, result } => self.take_opened(&path, result),
            Done::Files(root, done) => self.take_files(&root, done),
            Done::ProjectMade(Ok(folder)) => self.ask_before(Pending::Open(folder)),
            Done::ProjectMade(Err(why)) => self.toasts.error(why),
            Done::ProjectSettings(result) => self.take_project_settings(result),
            Done::PreferencesFailed(why) => self.toasts.warn(format!("Preferences were not written: {why}")),
        }
    }
}
