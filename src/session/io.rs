//! The session's file work: sheets read and saved, preferences written, projects made. One thread, in order,
//! so that a save never overtakes another; the window never waits for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::document::SheetOnDisk;
use super::save::{Save, read_sheet, save_sheet};
use crate::edit::Revision;
use crate::fs_atomic;
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::import::project::Project;
use crate::import::service::Waker;
use crate::sample;

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
    /// A folder is a project now, or not.
    ProjectMade(Result<PathBuf, String>),
    /// The preferences could not be written.
    PreferencesFailed(String),
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
                if let Some(done) = work(job) {
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

fn work(job: Job) -> Option<Done> {
    match job {
        Job::Read { project, path, guid } => {
            let result = read_sheet(&project, &path, guid);
            Some(Done::Read { path, result })
        }
        Job::Save(save) => {
            let result = save_sheet(&save);
            Some(Done::Saved { path: save.path, revision: save.revision, result })
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
