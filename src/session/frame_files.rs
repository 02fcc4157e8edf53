//! Frames of an open sheet saved as PNG files from the window: files that are there are asked about before they are
//! replaced, and the report stays until it is closed.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, unbounded};

use super::{Document, Effect, Session};
use crate::export::frames::{FrameExport, FrameReport, Naming, export_frames, plan_frames};
use crate::geometry::Size;
use crate::model::Frame;
use crate::slicing::pattern::Pattern;

/// Which frames become which files.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameOrder {
    /// The sheet's path.
    pub path: Arc<str>,
    /// All its frames, as they are edited.
    pub frames: Arc<[Frame]>,
    /// Size of its image.
    pub image_size: Size,
    /// The places of those that become files; `None` for all.
    pub selection: Option<Vec<usize>>,
    /// What the files are called; `None` for the frames' own names.
    pub pattern: Option<Pattern>,
    /// Where they go.
    pub folder: PathBuf,
}

/// How far it is.
#[derive(Debug)]
pub enum FrameStage {
    /// Whether files are there already is being looked at.
    Looking,
    /// These files are there and would be replaced; nothing is written yet.
    Asks(Vec<PathBuf>),
    /// So many of so many files are written.
    Writing(usize, usize),
    /// It is over.
    Done(Box<FrameReport>),
}

/// Frames on their way to files.
#[derive(Debug)]
pub struct FrameSaving {
    /// How far it is.
    pub stage: FrameStage,
    /// What was asked for.
    pub order: Arc<FrameOrder>,
    image: PathBuf,
    cancel: Arc<AtomicBool>,
    told: Option<Receiver<FrameStage>>,
}

impl Drop for FrameSaving {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// What the window asks of it.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameAsk {
    /// Ask for a folder.
    PickFolder,
    /// This one was picked.
    Folder(PathBuf),
    /// Save frames.
    Save(Box<FrameOrder>),
    /// Replace the files that are there.
    Replace,
    /// Stop writing.
    Cancel,
    /// Close it.
    Close,
    /// Show what was written.
    Reveal,
}

impl Session {
    /// The frames that are on their way to files.
    pub fn frame_saving(&self) -> Option<&FrameSaving> {
        self.frame_saving.as_ref()
    }

    /// The folder that frames of a sheet are offered to be saved in: beside `assets/`, where they are no assets.
    pub fn folder_for_frames(&self, document: &Document) -> Option<PathBuf> {
        let project = &self.open.as_ref()?.project;
        let name = document.file_name();
        let sheet = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if project.assets != project.root {
            return Some(project.root.join("frames").join(sheet));
        }
        let folder = project.root.file_name()?.to_string_lossy();
        Some(project.root.parent()?.join(format!("{folder} frames")).join(sheet))
    }

    fn save_frames(&mut self, order: FrameOrder) {
        let Some(open) = &self.open else { return };
        let image = open.project.file(&order.path);
        let cancel = Arc::new(AtomicBool::new(false));
        let (stage, order) = (FrameStage::Looking, Arc::new(order));
        self.frame_saving = Some(FrameSaving { stage, order, image, cancel, told: None });
        self.run_frame_saving(false);
    }

    /// Writes the files, unless some are there that may not be replaced.
    fn run_frame_saving(&mut self, may_replace: bool) {
        let Some(saving) = &mut self.frame_saving else { return };
        let (order, image, cancel) = (saving.order.clone(), saving.image.clone(), saving.cancel.clone());
        let (tell, told) = unbounded();
        let waker = self.waker.clone();
        let work = move || {
            let tell = |stage| {
                drop(tell.send(stage));
                waker();
            };
            if !may_replace {
                let there = files_there(&order);
                if !there.is_empty() {
                    return tell(FrameStage::Asks(there));
                }
            }
            let what = FrameExport {
                image: &image,
                path: &order.path,
                frames: &order.frames,
                selection: order.selection.as_deref(),
                naming: Naming { pattern: order.pattern.as_ref() },
                folder: &order.folder,
            };
            let mut progress = |done, total| tell(FrameStage::Writing(done, total));
            let report = export_frames(&what, &mut progress, &cancel);
            tell(FrameStage::Done(Box::new(report)));
        };
        saving.stage = FrameStage::Looking;
        saving.told = thread::Builder::new().name("export".into()).spawn(work).ok().map(|_| told);
        if saving.told.is_none() {
            self.frame_saving = None;
            self.toasts.error("Not saved: no thread could be started".to_owned());
        }
    }

    pub(super) fn ask_frame_saving(&mut self, ask: FrameAsk) {
        match ask {
            FrameAsk::PickFolder => self.effects.push(Effect::PickFrameFolder),
            FrameAsk::Folder(folder) => self.effects.push(Effect::FrameFolder(folder)),
            FrameAsk::Save(order) => self.save_frames(*order),
            FrameAsk::Replace => self.run_frame_saving(true),
            FrameAsk::Cancel => {
                if let Some(saving) = &self.frame_saving {
                    saving.cancel.store(true, Ordering::Relaxed);
                }
            }
            FrameAsk::Close => self.frame_saving = None,
            FrameAsk::Reveal => {
                if let Some(FrameStage::Done(report)) = self.frame_saving.as_ref().map(|it| &it.stage) {
                    self.effects.extend(report.files.first().cloned().map(Effect::Reveal));
                }
            }
        }
    }

    /// Takes in how far it is; whether anything changed.
    pub(super) fn follow_frame_saving(&mut self) -> bool {
        let Some(saving) = &mut self.frame_saving else { return false };
        let Some(stage) = saving.told.as_ref().and_then(|told| told.try_iter().last()) else { return false };
        saving.stage = stage;
        true
    }
}

/// The files of an order that are there, in the order of the sheet.
fn files_there(order: &FrameOrder) -> Vec<PathBuf> {
    let naming = Naming { pattern: order.pattern.as_ref() };
    let plan = plan_frames(&order.frames, order.selection.as_deref(), naming, order.image_size, &order.path);
    let files = plan.files.iter().map(|file| order.folder.join(&file.name));
    files.filter(|file| file.symlink_metadata().is_ok()).collect()
}
