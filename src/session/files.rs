//! Files of the project renamed, moved, deleted and folders made, from within: what may be, and asking for it. The work is
//! done on the thread `files`.

use std::sync::Arc;

use super::ahead::Ahead;
use super::file_work::{FileJob, Move, Told, moved};
use super::io::Job;
use super::loss::is_of;
use super::{Command, Session};
use crate::import::project::ProjectKind;
use crate::model::file_name::{self, Named};

/// What is known of the files, and what is being done to them.
#[derive(Default)]
pub(super) struct Files {
    /// All folders, by path, as they were listed last.
    pub(super) folders: Arc<[Arc<str>]>,
    /// Moves that the thread was asked for and has not answered.
    pub(super) running: Vec<Running>,
    /// What is on its way to the trash.
    pub(super) deleting: Vec<Arc<str>>,
    /// Documents to be saved as soon as it is known where they are.
    pub(super) saves: Vec<Arc<str>>,
    /// The way back from the last move.
    pub(super) way_back: Option<Vec<Move>>,
    /// What the importer has still to tell.
    pub(super) ahead: Ahead,
}

/// A move that was asked for.
pub(super) struct Running {
    pub(super) moves: Vec<Move>,
    /// The paths of all assets that it is about, before and after it.
    pub(super) pairs: Vec<(Arc<str>, Arc<str>)>,
}

impl Files {
    /// Whether a path is on its way to another one, or to the trash.
    pub(super) fn is_moving(&self, path: &str) -> bool {
        self.running.iter().any(|it| moved(&it.moves, path).is_some()) || is_of(&self.deleting, path)
    }

    pub(super) fn has_saves(&self) -> bool {
        !self.saves.is_empty()
    }
}

/// The folder that something is in; empty for what is in no other than the root.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn joined(folder: &str, name: &str) -> Arc<str> {
    if folder.is_empty() { name.into() } else { format!("{folder}/{name}").into() }
}

impl Session {
    /// All folders of the project, by path, also those without any asset; not the one that holds them all.
    pub fn folders(&self) -> &Arc<[Arc<str>]> {
        &self.files.folders
    }

    /// The folder that holds all assets; empty when it is the project's own.
    pub fn top_folder(&self) -> &'static str {
        self.open.as_ref().map_or("", |open| open.project.assets_prefix().trim_end_matches('/'))
    }

    /// Why no file can be renamed, moved or deleted.
    pub fn why_no_file_work(&self) -> Option<&'static str> {
        match self.open.as_ref().map(|open| &open.project.kind) {
            None => Some("No project is open"),
            Some(ProjectKind::Image(_)) => Some("The image was opened alone: open its folder"),
            Some(ProjectKind::Game | ProjectKind::Folder) => None,
        }
    }

    /// Whether a move can be taken back.
    pub(super) fn can_undo_move(&self) -> bool {
        self.files.way_back.is_some() && self.files.running.is_empty()
    }

    /// What lies at a path: a sheet, a scene or a folder.
    fn named(&self, path: &str) -> Named {
        let is_asset = self.open.as_ref().is_some_and(|open| {
            open.registry.asset(path).is_some() || open.registry.referrer(path).is_some()
        });
        let is_document = self.scenes.documents.iter().any(|document| *document.path == *path);
        let file = Named::of_file(name_of(path)).filter(|_| is_asset || is_document);
        file.unwrap_or(Named::Folder {
            is_directly_under_root: folder_of(path).is_empty() && self.top_folder().is_empty(),
        })
    }

    pub(super) fn folders_among(&self, paths: &[Arc<str>]) -> Vec<Arc<str>> {
        paths.iter().filter(|path| matches!(self.named(path), Named::Folder { .. })).cloned().collect()
    }

    /// Whether something that we know of has a path.
    fn is_taken(&self, path: &str) -> bool {
        let Some(open) = &self.open else { return false };
        open.registry.asset(path).is_some()
            || open.registry.referrer(path).is_some()
            || self.files.folders.iter().any(|folder| **folder == *path)
            || self.scenes.documents.iter().any(|document| *document.path == *path)
    }

    /// Why what is at a path cannot have a name, in a sentence without its full stop.
    pub fn why_no_rename(&self, path: &str, name: &str) -> Option<String> {
        if name == name_of(path) {
            return Some("This is its name".to_owned());
        }
        if let Some(why) = self.why_stays(path) {
            return Some(why);
        }
        let why = file_name::why_not(name, self.named(path));
        why.or_else(|| self.is_taken(&joined(folder_of(path), name)).then(taken))
    }

    /// Why files and folders cannot go into a folder, in a sentence without its full stop.
    pub fn why_no_move(&self, paths: &[Arc<str>], folder: &str) -> Option<String> {
        if !self.is_folder(folder) {
            return Some("There is no such folder".to_owned());
        }
        let mut targets: Vec<Arc<str>> = Vec::new();
        for path in paths {
            if is_of(std::slice::from_ref(path), folder) {
                return Some("A folder cannot go into itself".to_owned());
            }
            if let Some(why) = self.why_stays(path) {
                return Some(why);
            }
            let target = joined(folder, name_of(path));
            if *target != **path && (self.is_taken(&target) || targets.contains(&target)) {
                return Some(format!("There is a {} in that folder already", name_of(path)));
            }
            targets.push(target);
        }
        let is_there = paths.iter().all(|path| folder_of(path) == folder);
        is_there.then(|| "It is in that folder already".to_owned())
    }

    /// Why a folder cannot have a new one of that name in it, in a sentence without its full stop.
    pub fn why_no_folder(&self, parent: &str, name: &str) -> Option<String> {
        if !self.is_folder(parent) {
            return Some("There is no such folder".to_owned());
        }
        let is_directly_under_root = parent.is_empty() && self.top_folder().is_empty();
        let why = file_name::why_not(name, Named::Folder { is_directly_under_root });
        why.or_else(|| self.is_taken(&joined(parent, name)).then(taken))
    }

    /// Whether the project has that folder, as far as we know.
    fn is_folder(&self, path: &str) -> bool {
        path == self.top_folder() || self.files.folders.iter().any(|folder| **folder == *path)
    }

    /// Why something cannot be moved or deleted, wherever to.
    fn why_stays(&self, path: &str) -> Option<String> {
        if let Some(why) = self.why_no_file_work() {
            return Some(why.to_owned());
        }
        let top = self.top_folder();
        let is_inside = path.split('/').all(|part| !matches!(part, "" | "." | ".."))
            && (top.is_empty() || is_of(&[Arc::from(top)], path))
            && path != top;
        if !is_inside {
            return Some("It is not in the project".to_owned());
        }
        if self.scenes.documents.iter().any(|document| *document.path == *path && document.is_new()) {
            return Some("It has no file yet: save it first".to_owned());
        }
        self.files.is_moving(path).then(|| "It is being moved".to_owned())
    }

    pub(super) fn rename_asset(&mut self, path: &Arc<str>, name: &str) {
        if let Some(why) = self.why_no_rename(path, name) {
            self.toasts.warn(format!("Not renamed: {why}: {path}"));
            return;
        }
        let to = joined(folder_of(path), name);
        self.move_files(vec![Move { from: path.clone(), to }], Told::Renamed);
    }

    pub(super) fn move_assets(&mut self, paths: &[Arc<str>], folder: &str) {
        let paths = outermost(paths);
        let Some(first) = paths.first() else { return };
        if let Some(why) = self.why_no_move(&paths, folder) {
            self.toasts.warn(format!("Not moved: {why}: {first}"));
            return;
        }
        let moves = paths.iter().map(|from| Move { from: from.clone(), to: joined(folder, name_of(from)) });
        let moves: Vec<_> = moves.filter(|step| step.from != step.to).collect();
        self.move_files(moves, Told::Moved);
    }

    pub(super) fn undo_move(&mut self) {
        if let Some(moves) = self.files.way_back.take() {
            self.move_files(moves, Told::Undone);
        }
    }

    fn move_files(&mut self, moves: Vec<Move>, told: Told) {
        self.toasts.withdraw(Command::UndoMove);
        let pairs = self.open.as_ref().map_or_else(Vec::new, |open| open.pairs(&moves));
        for (from, to) in &pairs {
            self.files.ahead.begin(from.clone(), to.clone());
        }
        self.files.running.push(Running { moves: moves.clone(), pairs });
        self.ask_for_files(FileJob::Move { moves, told });
    }

    pub(super) fn delete_assets(&mut self, paths: &[Arc<str>]) {
        let paths = outermost(paths);
        if let Some((path, why)) = paths.iter().find_map(|path| Some((path, self.why_stays(path)?))) {
            self.toasts.warn(format!("Not deleted: {why}: {path}"));
        } else if !paths.is_empty() {
            self.files.deleting.extend(paths.iter().cloned());
            self.ask_for_files(FileJob::Delete(paths));
        }
    }

    pub(super) fn new_folder(&mut self, parent: &str, name: &str) {
        match self.why_no_file_work().map(str::to_owned).or_else(|| self.why_no_folder(parent, name)) {
            Some(why) => self.toasts.warn(format!("No folder was made: {why}: {}", joined(parent, name))),
            None => self.ask_for_files(FileJob::NewFolder(joined(parent, name))),
        }
    }

    /// Lists the folders anew.
    pub(super) fn list_folders(&self) {
        self.ask_for_files(FileJob::List);
    }

    fn ask_for_files(&self, job: FileJob) {
        if let Some(open) = &self.open {
            self.io.ask(Job::Files(open.project.clone(), job));
        }
    }

    /// Whether a document's save waits until it is known where its file is.
    pub(super) fn saves_later(&mut self, path: &str) -> bool {
        let waits = self.files.is_moving(path);
        if waits && !self.files.saves.iter().any(|it| **it == *path) {
            self.files.saves.push(path.into());
        }
        waits
    }
}

fn taken() -> String {
    "There is something of that name already".to_owned()
}

/// Those that are in none of the others.
fn outermost(paths: &[Arc<str>]) -> Vec<Arc<str>> {
    let mut kept: Vec<Arc<str>> = Vec::new();
    for path in paths {
        let is_in_other = paths.iter().any(|other| other != path && is_of(std::slice::from_ref(other), path));
        if !is_in_other && !kept.contains(path) {
            kept.push(path.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_folder_that_goes_itself_goes_with_it() {
        let paths: Vec<Arc<str>> = ["a/x/b.png", "a/x", "c.png", "c.png"].map(Arc::from).to_vec();
        assert_eq!(outermost(&paths), ["a/x".into(), Arc::from("c.png")]);
    }

    #[test]
    fn folders_and_names_make_paths() {
        assert_eq!((folder_of("a/b/c.png"), folder_of("c.png")), ("a/b", ""));
        assert_eq!((&*joined("", "c.png"), &*joined("a/b", "c.png")), ("c.png", "a/b/c.png"));
    }
}
