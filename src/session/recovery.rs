//! Unsaved edits outlive a crash: copies of changed sheets and scenes in `.cutsheet/recovery/`, written now and then while they
//! are unsaved, deleted when they are saved or given up, and offered when the project is opened again.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::document::Load;
use super::file_work::{Move, moved};
use super::io::Job;
use super::save::{Save, sidecar_with};
use super::scene_file::SceneSave;
use super::{Session, Workspace};
use crate::edit::{Edit, Revision};
use crate::format;
use crate::format::sidecar::Sidecar;
use crate::fs_atomic;
use crate::geometry::Size;
use crate::hash::ContentHash;
use crate::import::project::Project;
use crate::model::{Scene, Sheet};
use crate::sheet_file;

/// Changed documents are copied this long after their first unsaved edit.
const EVERY: Duration = Duration::from_secs(30);
const FOLDER: &str = "recovery";
const FORMAT_VERSION: u32 = 1;

/// A document with unsaved edits.
#[derive(Debug, Clone, PartialEq)]
pub enum Unsaved {
    /// A sheet.
    Sheet(Sheet),
    /// A scene.
    Scene(Scene),
}

/// Unsaved edits that an earlier run left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// The sheet's or the scene's path.
    pub path: Arc<str>,
    /// The document as it was.
    pub document: Unsaved,
    /// When the copy was made, by the clock here: "14:02", of another day with the date.
    pub taken: String,
}

/// Which copies there are, and when the next are due.
#[derive(Default)]
pub(super) struct Recovery {
    due: Option<Instant>,
    written: HashMap<Arc<str>, Revision>,
    /// What was found when the project was opened and not answered yet.
    found: Vec<Recovered>,
}

/// A copy as it is on disk.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    format_version: u32,
    path: String,
    seconds_since_1970: u64,
    #[serde(default)]
    image_size: [u32; 2],
    /// The sidecar that a save would have written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sidecar: Option<String>,
    /// The scene's file that a save would have written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scene: Option<Vec<u8>>,
}

fn file_of(project: &Project, path: &str) -> PathBuf {
    project.notes.join(FOLDER).join(format!("{}.json", ContentHash::of(path.as_bytes())))
}

/// Writes the copy of a sheet; why not, in words.
pub(super) fn write(save: &Save) -> Result<(), String> {
    let (_, sidecar) = sidecar_with(save)?;
    let copy = File {
        image_size: [save.image_size.width, save.image_size.height],
        sidecar: Some(String::from_utf8_lossy(&sidecar).into_owned()),
        ..File::of(&save.path)
    };
    copy.write(&save.project)
}

/// Writes the copy of a scene; why not, in words.
pub(super) fn write_scene(save: &SceneSave) -> Result<(), String> {
    let scene = format::scene::write(&save.scene).map_err(|why| why.to_string())?;
    File { scene: Some(scene), ..File::of(&save.path) }.write(&save.project)
}

impl File {
    fn of(path: &str) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            format_version: FORMAT_VERSION,
            path: path.to_owned(),
            seconds_since_1970: since.as_secs(),
            image_size: [0, 0],
            sidecar: None,
            scene: None,
        }
    }

    fn write(&self, project: &Project) -> Result<(), String> {
        let file = file_of(project, &self.path);
        let bytes = serde_json::to_vec(self).map_err(|why| why.to_string())?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|why| format!("{why}: {}", folder.display()))?;
        }
        fs_atomic::write_synced(&file, &bytes).map_err(|why| why.to_string())
    }

    /// What it is a copy of; `None` when that cannot be read any more.
    fn document(&self) -> Option<Unsaved> {
        if let Some(scene) = &self.scene {
            let read = format::scene::read(&scene.as_slice().into()).ok()?;
            return Some(Unsaved::Scene(read.scene));
        }
        let sidecar = Sidecar::parse(self.sidecar.as_ref()?.as_bytes()).ok()?;
        let [width, height] = self.image_size;
        Some(Unsaved::Sheet(sheet_file::read(&sidecar, Size::new(width, height), &self.path).0))
    }
}

/// Deletes the copy of a document.
pub(super) fn forget(project: &Project, path: &str) {
    let file = file_of(project, path);
    match std::fs::remove_file(&file) {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => {
            log::warn!("a recovery copy stays: {why}: {}", file.display());
        }
        _ => {}
    }
}

/// Copies of sheets that were moved say the new paths from now on.
pub(super) fn follow(project: &Project, moves: &[Move]) {
    let Ok(listing) = std::fs::read_dir(project.notes.join(FOLDER)) else { return };
    for file in listing.flatten().map(|entry| entry.path()) {
        let Some(copy) = std::fs::read(&file).ok().and_then(|it| serde_json::from_slice::<File>(&it).ok())
        else {
            continue;
        };
        let Some(path) = moved(moves, &copy.path) else { continue };
        let now = file_of(project, &path);
        let copy = File { path: path.to_string(), ..copy };
        let bytes = serde_json::to_vec_pretty(&copy).map_err(|why| why.to_string());
        let written = bytes.and_then(|it| fs_atomic::write_synced(&now, &it).map_err(|why| why.to_string()));
        let done = written.and_then(|()| std::fs::remove_file(&file).map_err(|why| why.to_string()));
        if let Err(why) = done {
            log::warn!("a recovery copy did not follow its sheet: {why}: {}", file.display());
        }
    }
}

/// The copies in a project; what cannot be read is passed over and stays.
pub(super) fn find(project: &Project) -> Vec<Recovered> {
    let Ok(listing) = std::fs::read_dir(project.notes.join(FOLDER)) else { return Vec::new() };
    let mut found: Vec<_> = listing
        .flatten()
        .filter_map(|entry| {
            let file = entry.path();
            let copy: File = serde_json::from_slice(&std::fs::read(&file).ok()?)
                .inspect_err(|why| log::warn!("a recovery copy cannot be read: {why}: {}", file.display()))
                .ok()?;
            let document = copy.document()?;
            let taken_at = UNIX_EPOCH + Duration::from_secs(copy.seconds_since_1970);
            let taken = time_words(taken_at, SystemTime::now(), &TimeZone::system());
            Some(Recovered { path: copy.path.into(), document, taken })
        })
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// "14:02", or "2026-03-01 14:02" when that is another day than `now`.
fn time_words(time: SystemTime, now: SystemTime, zone: &TimeZone) -> String {
    let here = |time| Timestamp::try_from(time).map(|time| time.to_zoned_datetime(zone.clone()));
    let (Ok(time), Ok(now)) = (here(time), here(now)) else { return "an unknown time".to_owned() };
    let pattern = if time.date() == now.date() { "%H:%M" } else { "%Y-%m-%d %H:%M" };
    time.strftime(pattern).to_string()
}

impl Session {
    /// Unsaved edits of an earlier run that wait for an answer.
    pub fn recovered(&self) -> Option<&Recovered> {
        self.recovery.found.first()
    }

    /// Sheets were moved, and [`follow`] was done for their copies.
    pub(super) fn recovery_follows(&mut self, moves: &[Move]) {
        for recovered in &mut self.recovery.found {
            recovered.path = moved(moves, &recovered.path).unwrap_or_else(|| recovered.path.clone());
        }
        let written = std::mem::take(&mut self.recovery.written);
        let written = written.into_iter().map(|(path, it)| (moved(moves, &path).unwrap_or(path), it));
        self.recovery.written = written.collect();
    }

    pub(super) fn take_recovered(&mut self, found: Vec<Recovered>) {
        self.recovery.found = found;
    }

    /// Opens the document of the first copy and takes its edits as a step of the history.
    pub(super) fn restore_recovered(&mut self) {
        self.open_recovered();
        self.finish_restore();
    }

    /// Shows the document that the first copy is of. A scene that never had a file begins anew.
    pub(super) fn open_recovered(&mut self) {
        let Some(Recovered { path, document, .. }) = self.recovery.found.first().cloned() else { return };
        match document {
            Unsaved::Sheet(_) => {
                self.workspace = Workspace::Slice;
                self.open_sheet(&path);
            }
            Unsaved::Scene(_) => self.open_scene(&path),
        }
    }

    /// Takes the edits once the document that they belong to is read.
    pub(super) fn finish_restore(&mut self) {
        let Some(recovered) = self.recovery.found.first() else { return };
        let done = match &recovered.document {
            Unsaved::Sheet(sheet) => {
                let document = self.documents.iter_mut().find(|document| document.path == recovered.path);
                document.filter(|document| document.is_ready()).map(|document| {
                    document.history.seal();
                    let done = document.history.apply(&Edit::Recover(sheet.clone()), document.image_size);
                    document.history.seal();
                    done.map_err(|why| why.to_string())
                })
            }
            Unsaved::Scene(scene) => {
                let document = self.scenes.by_path(&recovered.path);
                document.filter(|document| !matches!(document.load, Load::Loading)).map(|document| {
                    document.recover(scene.clone());
                    Ok(())
                })
            }
        };
        let Some(done) = done else {
            self.recovery_is_wanted = true;
            return;
        };
        self.recovery_is_wanted = false;
        let path = self.recovery.found.remove(0).path;
        match done {
            // The copy stays until the edits are saved or given up.
            Ok(()) => drop(self.recovery.written.insert(path, Revision::default())),
            Err(why) => self.toasts.error(format!("Not restored: {why}")),
        }
    }

    /// Deletes the first copy.
    pub(super) fn discard_recovered(&mut self) {
        if self.recovery.found.is_empty() {
            return;
        }
        let recovered = self.recovery.found.remove(0);
        if let Some(open) = &self.open {
            self.io.ask(Job::ForgetRecovery(open.project.clone(), recovered.path));
        }
    }

    /// When the next copies are due, for whoever has to call [`Session::pump`] then.
    pub fn next_recovery(&self) -> Option<Instant> {
        self.recovery.due
    }

    /// Copies what was changed since the last copies: the window is left, and nobody knows for how long.
    pub fn copy_unsaved(&mut self) {
        self.recovery.due = None;
        let Some(open) = &self.open else { return };
        // What is on its way has another path in a moment.
        let stays = |path: &str| !self.files.is_moving(path);
        let sheets = self.documents.iter().filter(|document| document.is_dirty() && document.is_ready());
        for document in sheets.filter(|document| stays(&document.path)) {
            let revision = document.history.revision();
            if self.recovery.written.get(&document.path) == Some(&revision) {
                continue;
            }
            let Some(guid) = document.guid else { continue };
            self.io.ask(Job::WriteRecovery(Box::new(Save {
                project: open.project.clone(),
                path: document.path.clone(),
                guid,
                sheet: document.sheet().clone(),
                image_size: document.image_size,
                revision,
                expected: None,
            })));
            self.recovery.written.insert(document.path.clone(), revision);
        }
        let scenes = self.scenes.documents.iter().filter(|document| document.is_dirty());
        for document in scenes.filter(|document| stays(&document.path)) {
            let revision = document.history.revision();
            if self.recovery.written.get(&document.path) == Some(&revision) {
                continue;
            }
            self.io.ask(Job::WriteSceneRecovery(Box::new(SceneSave {
                project: open.project.clone(),
                path: document.path.clone(),
                scene: document.scene().clone(),
                revision,
                expected: None,
                is_new: false,
            })));
            self.recovery.written.insert(document.path.clone(), revision);
        }
    }

    /// Keeps the copies in step with what is unsaved: plans the next, deletes those that say nothing any more.
    pub(super) fn follow_unsaved(&mut self) {
        let now = Instant::now();
        if self.recovery.due.is_some_and(|due| due <= now) {
            self.copy_unsaved();
        }
        let written = &self.recovery.written;
        let is_copied = |path: &Arc<str>, revision| written.get(path) == Some(&revision);
        let sheets = self.documents.iter().filter(|document| document.is_dirty());
        let scenes = self.scenes.documents.iter().filter(|document| document.is_dirty());
        let mut unsaved = sheets
            .map(|document| (&document.path, document.history.revision()))
            .chain(scenes.map(|document| (&document.path, document.history.revision())));
        if unsaved.any(|(path, revision)| !is_copied(path, revision)) {
            self.recovery.due.get_or_insert(now + EVERY);
        } else {
            self.recovery.due = None;
        }
        if written.is_empty() {
            return;
        }
        let unsaved: HashSet<Arc<str>> = self.changed().collect();
        let saved: Vec<_> = written.keys().filter(|path| !unsaved.contains(*path)).cloned().collect();
        self.forget_copies(saved);
    }

    /// Deletes the copies of all documents: they were saved or given up.
    pub(super) fn forget_all_copies(&mut self) {
        let all = self.recovery.written.keys().cloned().collect();
        self.forget_copies(all);
        self.recovery = Recovery::default();
        self.recovery_is_wanted = false;
    }

    fn forget_copies(&mut self, paths: Vec<Arc<str>>) {
        let Some(open) = &self.open else { return };
        for path in paths {
            self.recovery.written.remove(&path);
            self.io.ask(Job::ForgetRecovery(open.project.clone(), path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_other_days_have_their_date() {
        let at = |text: &str| SystemTime::try_from(text.parse::<Timestamp>().unwrap()).unwrap();
        // Two hours east of Greenwich, where the next day begins at ten in the evening.
        let words = |taken, now| time_words(at(taken), at(now), &TimeZone::fixed(jiff::tz::offset(2)));
        assert_eq!(words("2026-03-01T12:02:59Z", "2026-03-01T21:59:00Z"), "14:02");
        assert_eq!(words("2026-03-01T12:02:59Z", "2026-03-01T22:01:00Z"), "2026-03-01 14:02");
    }
}
