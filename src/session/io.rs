//! The session's file work: sheets read and saved, preferences written, projects made. One thread, in order,
//! so that a save never overtakes another; the window never waits for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::document::SheetOnDisk;
use super::file_work::{self, FileDone, FileJob};
use super::recovery::{self, Recovered};
use super::save::{Save, read_sheet, save_sheet};
use super::scene_document::SceneOnDisk;
use super::scene_file::{SceneSave, read_scene, save_scene};
use super::targets;
use crate::edit::Revision;
use crate::fs_atomic;
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::import::project::{Project, ProjectKind};
use crate::import::service::{Request, Requester, Service, Waker};
use crate::model::ProjectSettings;
use crate::sample;
use crate::watch::{Change, WatchError, Watcher};

/// File work to do.
pub(super) enum Job {
    /// Read a sheet's sidecar and its image's size.
    Read {
        /// The project.
        project: Project,
        /// The sheet.
        path: Arc<str>,
        /// The GUID its frames' kept GUIDs are found by.
        guid: Option<Guid>,
    },
    /// Write a sheet into its sidecar.
    Save(Box<Save>),
    /// Read a scene's file.
    ReadScene {
        /// The project.
        project: Project,
        /// The scene.
        path: Arc<str>,
    },
    /// Write a scene into its file.
    SaveScene(Box<SceneSave>),
    /// Open a project folder or an image: start its importer and its watcher.
    Open(PathBuf),
    /// Copy an unsaved sheet, so that a crash does not cost it.
    WriteRecovery(Box<Save>),
    /// Copy an unsaved scene.
    WriteSceneRecovery(Box<SceneSave>),
    /// Delete the copy of a document.
    ForgetRecovery(Project, Arc<str>),
    /// Change a project's files and folders.
    Files(Project, FileJob),
    /// Write what a project says of all its textures.
    ProjectSettings(Project, ProjectSettings),
    /// Write the preferences.
    Preferences(PathBuf, Vec<u8>),
    /// Make a project folder with an `assets` folder.
    CreateProject(PathBuf),
    /// Put the sample project in a folder.
    CopySample(PathBuf),
}

/// File work done.
pub(super) enum Done {
    /// A sheet was read.
    Read {
        /// The sheet.
        path: Arc<str>,
        /// What its files say, or why they cannot be read.
        result: Result<SheetOnDisk, String>,
    },
    /// A sheet was saved, or not.
    Saved {
        /// The sheet.
        path: Arc<str>,
        /// The state that was written.
        revision: Revision,
        /// Hash of the sidecar, or why it is as it was.
        result: Result<ContentHash, String>,
    },
    /// A scene was read.
    SceneRead {
        /// The scene.
        path: Arc<str>,
        /// What its file says, or why it cannot be edited.
        result: Result<SceneOnDisk, String>,
    },
    /// A scene was saved, or not.
    SceneSaved {
        /// The scene.
        path: Arc<str>,
        /// The state that was written.
        revision: Revision,
        /// Hash of the file, or why it is as it was.
        result: Result<ContentHash, String>,
    },
    /// A project is open, or why not.
    Opened {
        /// What was to be opened.
        path: PathBuf,
        /// The project with its threads.
        result: Result<Box<Opened>, String>,
    },
    /// A project's files and folders were changed, or not; with its root.
    Files(PathBuf, FileDone),
    /// A folder is a project now, or not.
    ProjectMade(Result<PathBuf, String>),
    /// What the project says was written, or not.
    ProjectSettings(Result<(), String>),
    /// The preferences could not be written.
    PreferencesFailed(String),
}

/// A project whose threads run.
pub(super) struct Opened {
    /// Its folders.
    pub(super) project: Project,
    /// Its importer.
    pub(super) service: Service,
    /// Its watcher, or why changes are not noticed.
    pub(super) watcher: Result<Watcher, String>,
    /// Unsaved edits that an earlier run left behind.
    pub(super) recovered: Vec<Recovered>,
}

/// The thread; it ends when this is dropped and its jobs are done.
pub(super) struct Io {
    jobs: Option<Sender<Job>>,
    done: Receiver<Done>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Io {
    /// Starts the thread.
    pub(super) fn start(waker: Waker) -> std::io::Result<Self> {
        let (jobs, todo) = unbounded::<Job>();
        let (done_tx, done) = unbounded();
        let thread = thread::Builder::new().name("files".into()).spawn(move || {
            for job in todo {
                if let Some(done) = work(job, &waker) {
                    // A session that has ended wants no results, but its saves still happen.
                    drop(done_tx.send(done));
                    waker();
                }
            }
        })?;
        Ok(Self { jobs: Some(jobs), done, thread: Some(thread) })
    }

    /// Adds work.
    pub(super) fn ask(&self, job: Job) {
        if let Some(jobs) = &self.jobs
            && jobs.send(job).is_err()
        {
            log::error!("the file thread has ended");
        }
    }

    /// What was done since the last call.
    pub(super) fn take(&self) -> impl Iterator<Item = Done> {
        self.done.try_iter()
    }
}

impl Drop for Io {
    /// Waits: what was to be saved is saved.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the file thread panicked");
        }
    }
}

fn work(job: Job, waker: &Waker) -> Option<Done> {
    match job {
        Job::Open(path) => {
            let result = open(&path, waker).map(Box::new);
            Some(Done::Opened { path, result })
        }
        Job::Read { project, path, guid } => {
            let result = read_sheet(&project, &path, guid);
            Some(Done::Read { path, result })
        }
        Job::Save(save) => {
            let result = save_sheet(&save);
            Some(Done::Saved { path: save.path, revision: save.revision, result })
        }
        Job::ReadScene { project, path } => {
            let result = read_scene(&project, &path);
            Some(Done::SceneRead { path, result })
        }
        Job::SaveScene(save) => {
            let result = save_scene(&save);
            Some(Done::SceneSaved { path: save.path, revision: save.revision, result })
        }
        Job::WriteRecovery(save) => {
            if let Err(why) = recovery::write(&save) {
                log::warn!("unsaved edits were not copied: {why}");
            }
            None
        }
        Job::WriteSceneRecovery(save) => {
            if let Err(why) = recovery::write_scene(&save) {
                log::warn!("unsaved edits were not copied: {why}");
            }
            None
        }
        Job::ForgetRecovery(project, path) => {
            recovery::forget(&project, &path);
            None
        }
        Job::Files(project, job) => {
            let done = file_work::work(&project, job);
            Some(Done::Files(project.root, done))
        }
        Job::ProjectSettings(project, settings) => {
            Some(Done::ProjectSettings(targets::save_settings(&project, &settings)))
        }
        Job::Preferences(file, bytes) => {
            let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            let failed = match folder {
                Ok(()) => fs_atomic::write(&file, &bytes).err().map(|why| why.to_string()),
                Err(why) => Some(format!("{why}: {}", file.display())),
            };
            failed.map(Done::PreferencesFailed)
        }
        Job::CreateProject(folder) => {
            let made = std::fs::create_dir_all(folder.join("assets"));
            let failed = |why| format!("The project was not made: {why}: {}", folder.display());
            Some(Done::ProjectMade(made.map_err(failed).map(|()| folder.clone())))
        }
        Job::CopySample(folder) => {
            let made = sample::write_project(&folder);
            let failed = |why| format!("The sample project was not copied: {why}");
            Some(Done::ProjectMade(made.map_err(failed).map(|()| folder)))
        }
    }
}

fn open(path: &Path, waker: &Waker) -> Result<Opened, String> {
    let project = Project::open(path).map_err(|why| format!("Not opened: {why}"))?;
    let threads = thread::available_parallelism().map_or(2, usize::from);
    let service = Service::start(project.clone(), threads, waker.clone())
        .map_err(|why| format!("Not opened, no thread could be started: {why}: {}", path.display()))?;
    let watcher = watch(&project, service.requester()).map_err(|why| why.to_string());
    // What changed between the importer's first walk and the watcher's start, neither has seen.
    service.requester().ask(Request::Rescan);
    let recovered = recovery::find(&project);
    Ok(Opened { project, service, watcher, recovered })
}

fn watch(project: &Project, requester: Requester) -> Result<Watcher, WatchError> {
    let sink = move |changes: Vec<Change>| {
        for change in changes {
            requester.ask(match change {
                Change::Changed(file) => Request::Look(file),
                Change::FolderChanged(_) | Change::RescanAll | Change::Unwatched(_) => Request::Rescan,
            });
        }
    };
    let is_recursive = !matches!(project.kind, ProjectKind::Image(_));
    Watcher::start(&project.assets, is_recursive, Box::new(sink))
}
