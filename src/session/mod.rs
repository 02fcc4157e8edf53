//! The application without a window: the open project, open documents, selection, actions, jobs and what is
//! remembered. Panels read `&Session` and return [`Action`]s; the window's code carries out [`Effect`]s.

pub mod action;
mod apply;
mod availability;
pub mod document;
mod documents;
mod fixes;
mod frame_commands;
mod guesses;
mod io;
mod known;
mod look;
mod outside;
pub mod pictures;
pub mod prefs;
mod problems;
mod recovery;
pub mod save;
pub mod source_picture;
mod studies;
pub mod study;
mod thumbnail;
pub mod toast;
mod veil;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::import::project::{Project, ProjectKind};
use crate::import::service::{Event, Request, Requester, Service, Waker};
use crate::model::{Code, Problem};
use crate::registry::{Asset, Registry};
use crate::watch::Watcher;

pub use action::{Action, Answer, Command, KeyChange, SelectMode, Shortcut, View};
pub use apply::Fit;
pub use document::{Document, Load};
pub use fixes::Fix;
pub use outside::Renumbered;
pub use pictures::{Bitmap, BitmapKey, Lookup, Pictures};
pub use prefs::{Backdrop, Prefs, ThemeChoice};
pub use recovery::Recovered;
pub use source_picture::{SourcePicture, TileKey, Tiled};
pub use study::{Detected, Proposal, Study};
pub use toast::{Toast, Toasts};
pub use veil::Veil;

use io::{Done, Io, Job, Opened};
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
    /// Put text on the clipboard.
    CopyText(String),
    /// Show a file in the system's file manager.
    Reveal(PathBuf),
    /// Close the window.
    Quit,
    /// A project was opened, or the start page is shown: the window's own state begins anew.
    ProjectChanged,
}

/// What waits for the answer to "there are unsaved changes".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pending {
    /// Closing a sheet.
    CloseSheet(Arc<str>),
    /// Going back to the start page.
    CloseProject,
    /// Opening another project.
    Open(PathBuf),
    /// Leaving.
    Quit,
}

/// The question that stands open: these sheets have unsaved changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Paths of the changed sheets.
    pub changed: Vec<Arc<str>>,
    /// What goes on after the answer.
    pub then: Pending,
    /// Whether "save all" was answered and the saves run.
    pub is_saving: bool,
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
    question: Option<Question>,
    toasts: Toasts,
    prefs: Prefs,
    prefs_file: Option<PathBuf>,
    pictures: Pictures,
    studies: Studies,
    recovery: recovery::Recovery,
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
            question: None,
            toasts: Toasts::default(),
            prefs,
            prefs_file,
            pictures: Pictures::start(waker.clone())?,
            studies: Studies::start(waker.clone())?,
            recovery: recovery::Recovery::default(),
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
            Action::CloseSheet(path) => self.ask_before(Pending::CloseSheet(path)),
            Action::ForgetRecent(path) => {
                self.prefs.recent.retain(|recent| recent.path != path);
                self.save_prefs();
            }
            Action::Edit(edit) => self.edit(&edit),
            Action::Fix(path, code, positions) => self.fix(&path, code, &positions),
            Action::Seal => self.with_current(|document| document.history.seal()),
            Action::Nudge { dx, dy, edges } => self.nudge(dx, dy, edges),
            Action::Paste(text) => self.paste(&text),
            Action::SelectFrames(ids) => self.with_current(|document| document.history.select(ids)),
            Action::ApplyToOthers(paths) => self.apply_to_others(&paths),
            Action::GoToStep(done) => self.step_history(|document| document.history.go_to(done)),
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
            Action::Answer(answer) => self.answer(answer),
            Action::DismissToast(id) => self.toasts.dismiss(id),
            Action::PutGuessAside(path, is_aside) => {
                if let Some(document) = self.documents.iter_mut().find(|document| document.path == path) {
                    document.put_guess_aside(is_aside);
                }
            }
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

    fn command(&mut self, command: Command) {
        if self.why_disabled(command).is_some() {
            return;
        }
        match command {
            Command::NewProject => self.effects.push(Effect::PickNewProject),
            Command::OpenProject => self.effects.push(Effect::PickProject),
            Command::OpenImage => self.effects.push(Effect::PickImage),
            Command::CopySample => self.effects.push(Effect::PickSampleFolder),
            Command::CloseProject => self.ask_before(Pending::CloseProject),
            Command::Quit => self.ask_before(Pending::Quit),
            Command::Save => self.save_current(),
            Command::SaveAll => self.save_all(),
            Command::Revert => self.revert(),
            Command::CloseTab => {
                if let Some(path) = self.current().map(|document| document.path.clone()) {
                    self.ask_before(Pending::CloseSheet(path));
                }
            }
            Command::NextTab => self.step_tab(1),
            Command::PreviousTab => self.step_tab(self.documents.len() - 1),
            Command::Undo => self.step_history(|document| drop(document.history.undo())),
            Command::Redo => self.step_history(|document| drop(document.history.redo())),
            Command::SelectAll => self.with_current(|document| {
                let all = document.sheet().frames.iter().map(|frame| frame.id).collect();
                document.history.select(all);
            }),
            Command::InvertSelection => self.with_current(Document::invert_selection),
            Command::ToAtlas => self.edit(&crate::edit::Edit::ToAtlas),
            Command::AcceptGuess => self.accept_guess(),
            Command::NextGuess => self.step_guess(1),
            Command::PreviousGuess => self.step_guess(-1),
            Command::DismissGuess => self.with_current(Document::dismiss_guess),
            Command::KeepMine => self.keep_mine(),
            Command::TakeTheirs => self.take_theirs(),
            Command::KeepPlaces | Command::Renumber | Command::LeaveFrames => self.answer_resize(command),
            Command::ClipOutside | Command::DeleteOutside => self.mend_outside(command),
            Command::WaitForSize => self.wait_for_size(),
            Command::Restore => self.restore_recovered(),
            Command::Discard => self.discard_recovered(),
            Command::Deselect => self.with_current(|document| document.history.select(Vec::new())),
            Command::ClearSlicing => self.edit(&crate::edit::Edit::ClearSlicing),
            Command::Reimport => {
                if let Some(path) = self.current().map(|document| document.path.clone()) {
                    self.request(Request::Reimport(path));
                }
            }
            Command::ReimportAll => self.request(Request::Rescan),
            Command::CancelImport => self.request(Request::Cancel),
            Command::BackdropChecker => self.set_backdrop(Backdrop::Checker),
            Command::BackdropBlack => self.set_backdrop(Backdrop::BLACK),
            Command::BackdropWhite => self.set_backdrop(Backdrop::WHITE),
            Command::BackdropMagenta => self.set_backdrop(Backdrop::MAGENTA),
            Command::ThemeDark => self.set_theme(ThemeChoice::Dark),
            Command::ThemeLight => self.set_theme(ThemeChoice::Light),
            Command::ThemeSystem => self.set_theme(ThemeChoice::System),
            _ => {
                let is_done = self.frame_command(command);
                debug_assert!(is_done || !command.is_of_session(), "{command:?} is nobody's");
            }
        }
    }

    fn set_backdrop(&mut self, backdrop: Backdrop) {
        self.prefs.backdrop = backdrop;
        self.save_prefs();
    }

    fn set_theme(&mut self, theme: ThemeChoice) {
        self.prefs.theme = theme;
        self.save_prefs();
    }

    fn request(&self, request: Request) {
        if let Some(open) = &self.open {
            open.requester.ask(request);
        }
    }

    /// Closes, opens or leaves at once when nothing would be lost, else asks once for all.
    fn ask_before(&mut self, then: Pending) {
        let concerned = |document: &&Document| match &then {
            Pending::CloseSheet(path) => document.path == *path,
            _ => true,
        };
        let changed: Vec<_> = self
            .documents
            .iter()
            .filter(|document| document.is_dirty())
            .filter(concerned)
            .map(|document| document.path.clone())
            .collect();
        if changed.is_empty() {
            self.go_on(then);
        } else {
            self.question = Some(Question { changed, then, is_saving: false });
        }
    }

    fn answer(&mut self, answer: Answer) {
        let Some(mut question) = self.question.take() else { return };
        match answer {
            Answer::Cancel => {}
            Answer::Discard => self.go_on(question.then),
            Answer::SaveAll => {
                let changed = question.changed.clone();
                question.is_saving = true;
                self.question = Some(question);
                for path in &changed {
                    self.save(path);
                }
            }
        }
    }

    /// Goes on with what waited for saves, once they are through.
    fn continue_after_saves(&mut self) {
        let Some(question) = self.question.take_if(|question| question.is_saving) else { return };
        let is_clean = |path: &Arc<str>| {
            let document = self.documents.iter().find(|document| document.path == *path);
            document.is_none_or(|document| !document.is_dirty())
        };
        let is_saving = self.documents.iter().any(|document| document.saving.is_some());
        if question.changed.iter().all(is_clean) {
            self.go_on(question.then);
        } else if is_saving {
            self.question = Some(question);
        }
        // Else a save failed; its toast says so, and nothing is closed.
    }

    fn go_on(&mut self, then: Pending) {
        match then {
            Pending::CloseSheet(path) => self.close_sheet(&path),
            Pending::CloseProject => self.close_project(),
            Pending::Open(path) => self.open_path(&path),
            Pending::Quit => {
                self.remember_open_sheets();
                self.forget_all_copies();
                self.effects.push(Effect::Quit);
            }
        }
    }

    /// Opens a project folder or an image; what is open stays until that has worked.
    fn open_path(&mut self, path: &Path) {
        self.opening = Some(path.to_owned());
        self.io.ask(Job::Open(path.to_owned()));
    }

    fn take_opened(&mut self, path: &Path, result: Result<Box<Opened>, String>) {
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
        self.take_recovered(recovered);
        self.effects.push(Effect::ProjectChanged);
        if let Some(image) = image {
            self.open_sheet(&image.into());
        } else {
            for path in remembered.paths.iter().chain(&remembered.current) {
                self.open_sheet(&path.as_str().into());
            }
        }
        // Last, so that what asks for an answer is in front.
        if let Some(path) = self.recovered().map(|recovered| recovered.path.clone()) {
            self.open_sheet(&path);
        }
        self.save_prefs();
    }

    fn close_project(&mut self) {
        self.remember_open_sheets();
        self.forget_all_copies();
        self.patterns.clear();
        self.documents.clear();
        self.current = None;
        if self.open.take().is_some() {
            self.effects.push(Effect::ProjectChanged);
        }
    }

    fn remember_open_sheets(&mut self) {
        let Some(open) = &self.open else { return };
        let paths = self.documents.iter().map(|document| document.path.to_string()).collect();
        let current = self.current().map(|document| document.path.to_string());
        let picture = self.current().and_then(|document| open.registry.asset(&document.path));
        let picture = picture.or_else(|| open.registry.assets().find(|asset| asset.texture.is_some()));
        let picture = picture.map(|asset| open.project.texture(asset.guid));
        if let Some(recent) = self.prefs.recent.first_mut() {
            recent.picture = picture;
        }
        self.prefs.open_sheets.insert(open.project.root.clone(), prefs::OpenSheets { paths, current });
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
                let before = std::mem::replace(&mut open.registry, registry);
                open.is_discovered = true;
                self.follow_registry(&before);
            }
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
            Event::Idle => open.progress = ImportProgress::default(),
        }
    }

    fn take_done(&mut self, done: Done) {
        match done {
            Done::Read { path, result } => self.take_read(&path, result),
            Done::Saved { path, revision, result } => self.take_saved(&path, revision, result),
            Done::Opened { path, result } => self.take_opened(&path, result),
            Done::ProjectMade(Ok(folder)) => self.ask_before(Pending::Open(folder)),
            Done::ProjectMade(Err(why)) => self.toasts.error(why),
            Done::PreferencesFailed(why) => self.toasts.warn(format!("Preferences were not written: {why}")),
        }
    }
}
