//! What becomes of all that knows a path, once files of the project were renamed, moved or deleted from within.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::document::Load;
use super::file_work::{FileDone, Move, Told, moved};
use super::files::{folder_of, name_of};
use super::loss::is_of;
use super::{Command, Effect, OpenProject, Pending, Session};
use crate::import::service::Request;

/// Takes a path along; whether it is another one now.
fn follow(moves: &[Move], path: &mut Arc<str>) -> bool {
    let to = moved(moves, path);
    let has_moved = to.is_some();
    if let Some(to) = to {
        *path = to;
    }
    has_moved
}

impl OpenProject {
    /// The paths of all assets, of whatever kind.
    fn all_paths(&self) -> impl Iterator<Item = &Arc<str>> {
        let sheets = self.registry.assets().map(|asset| &asset.path);
        sheets.chain(self.registry.referrers().map(|scene| &scene.path))
    }

    /// The assets that moves are about: their paths before and after them.
    pub(super) fn pairs(&self, moves: &[Move]) -> Vec<(Arc<str>, Arc<str>)> {
        self.all_paths().filter_map(|from| Some((from.clone(), moved(moves, from)?))).collect()
    }
}

impl Session {
    /// Takes in what was done in the project at `root`.
    pub(super) fn take_files(&mut self, root: &Path, done: FileDone) {
        if self.open.as_ref().is_none_or(|open| open.project.root != root) {
            return;
        }
        match done {
            FileDone::Listed(folders) => self.set_folders(folders),
            FileDone::FolderMade(path, Ok(())) => {
                let folders = self.files.folders.iter().cloned().chain([path.clone()]);
                self.set_folders(folders.collect());
                self.effects.push(Effect::FolderMade(path));
            }
            FileDone::FolderMade(_, Err(why)) => self.toasts.error(why),
            FileDone::Deleted { gone, why } => self.take_deleted(&gone, why),
            FileDone::Moved { moves, told, result } => self.take_move(moves, told, result),
        }
    }

    fn set_folders(&mut self, mut folders: Vec<Arc<str>>) {
        folders.sort_unstable();
        folders.dedup();
        if *folders != *self.files.folders {
            self.files.folders = folders.into();
        }
    }

    fn take_move(&mut self, moves: Vec<Move>, told: Told, result: Result<(), String>) {
        let mut pairs = Vec::new();
        if let Some(index) = self.files.running.iter().position(|running| running.moves == moves) {
            pairs = self.files.running.remove(index).pairs;
            self.files.ahead.end(&pairs);
        }
        match result {
            Ok(()) => {
                let text = self.words(&moves, told);
                self.follow_moves(&moves, pairs);
                if told == Told::Undone {
                    self.toasts.info(text);
                } else {
                    self.files.way_back = Some(moves.iter().rev().map(Move::back).collect());
                    self.toasts.offer_as(text, Command::UndoMove, "Undo");
                }
                self.effects.push(Effect::Moved(moves));
            }
            Err(why) => {
                self.toasts.error(why);
                self.request(Request::Rescan);
            }
        }
        self.save_what_waited();
        self.list_folders();
    }

    fn save_what_waited(&mut self) {
        for path in std::mem::take(&mut self.files.saves) {
            self.save_any(&path);
        }
    }

    /// All that knows a path follows at once, so that nothing is seen to go and come back.
    /// `pairs` are the assets that were known when it was asked for.
    fn follow_moves(&mut self, moves: &[Move], mut pairs: Vec<(Arc<str>, Arc<str>)>) {
        let Some(open) = &mut self.open else { return };
        let known: HashSet<_> = pairs.iter().map(|(from, _)| from.clone()).collect();
        pairs.extend(open.pairs(moves).into_iter().filter(|(from, _)| !known.contains(from)));
        for (from, to) in &pairs {
            self.files.ahead.note(from.clone(), Some(to.clone()));
            self.pictures.follow(from, to);
        }
        let before = open.registry.clone();
        open.registry = self.files.ahead.amend(before.clone(), &before);
        open.requester.ask(Request::Moved(pairs));
        let root = open.project.root.clone();
        for step in moves {
            self.prefs.move_views(&root.join(&*step.from), &root.join(&*step.to));
        }
        self.documents_follow(moves);
        let mut folders = self.files.folders.to_vec();
        let waiting = self.patterns.iter_mut().map(|(path, _)| path).chain(&mut self.files.saves);
        for path in waiting.chain(&mut folders) {
            follow(moves, path);
        }
        self.set_folders(folders);
        if let Some(question) = &mut self.question {
            for path in &mut question.changed {
                follow(moves, path);
            }
            if let Pending::Close(path) = &mut question.then {
                follow(moves, path);
            }
        }
        self.recovery_follows(moves);
        self.remember_open_sheets();
    }

    /// Tabs, edits and selections stay; what could not be read, maybe because it was on its way, is read again.
    fn documents_follow(&mut self, moves: &[Move]) {
        let is_unread = |load: &Load| !matches!(load, Load::Ready);
        let sheets = self.documents.iter_mut().filter_map(|document| {
            let has_moved = follow(moves, &mut document.path);
            (has_moved && is_unread(&document.load)).then(|| document.path.clone())
        });
        let sheets: Vec<_> = sheets.collect();
        let scenes = self.scenes.documents.iter_mut().filter_map(|document| {
            let has_moved = follow(moves, &mut document.path);
            (has_moved && is_unread(&document.load)).then(|| document.path.clone())
        });
        let scenes: Vec<_> = scenes.collect();
        for path in &sheets {
            self.read_again(path);
        }
        for path in &scenes {
            self.read_scene_again(path);
        }
    }

    fn take_deleted(&mut self, gone: &[Arc<str>], why: Option<String>) {
        self.files.deleting.clear();
        if !gone.is_empty() {
            self.forget_deleted(gone);
            self.toasts.info(match gone {
                [one] => format!("{} is in the system's trash", name_of(one)),
                many => format!("{} files and folders are in the system's trash", many.len()),
            });
        }
        if let Some(why) = why {
            self.toasts.error(why);
            self.request(Request::Rescan);
        }
        self.save_what_waited();
        self.list_folders();
    }

    fn forget_deleted(&mut self, gone: &[Arc<str>]) {
        let Some(open) = &mut self.open else { return };
        let lost: Vec<_> = open.all_paths().filter(|path| is_of(gone, path)).cloned().collect();
        for path in &lost {
            self.files.ahead.note(path.clone(), None);
            open.requester.ask(Request::Look(open.project.file(path)));
        }
        let before = open.registry.clone();
        open.registry = self.files.ahead.amend(before.clone(), &before);
        let documents = self.documents.iter().map(|document| document.path.clone());
        let scenes = self.scenes.documents.iter().map(|document| document.path.clone());
        let closed: Vec<_> = documents.chain(scenes).filter(|path| is_of(gone, path)).collect();
        for path in &closed {
            self.close(path);
        }
        let folders = self.files.folders.iter().filter(|path| !is_of(gone, path)).cloned().collect();
        self.set_folders(folders);
        if self.files.way_back.iter().flatten().any(|step| is_of(gone, &step.from)) {
            self.files.way_back = None;
            self.toasts.withdraw(Command::UndoMove);
        }
        self.remember_open_sheets();
    }

    /// What is told of a move.
    fn words(&self, moves: &[Move], told: Told) -> String {
        let [step] = moves else { return format!("{} files and folders moved", moves.len()) };
        let (from, to) = (name_of(&step.from), name_of(&step.to));
        let folder = Some(folder_of(&step.to)).filter(|folder| !folder.is_empty());
        let folder = folder.unwrap_or("the project's folder");
        let text = match told {
            Told::Renamed => format!("{from} is {to} now"),
            Told::Moved => format!("{to} is in {folder} now"),
            Told::Undone => format!("{to} is in {folder} again"),
        };
        // The importer may have been quicker.
        let users = self.loss_of(&[step.from.clone(), step.to.clone()]).users;
        let objects: usize = users.iter().map(|user| user.objects).sum();
        match (objects, told) {
            (0, _) | (_, Told::Undone) => text,
            (1, _) => format!("{text}. The object that uses it still does"),
            (many, _) => format!("{text}. The {many} objects that use it still do"),
        }
    }
}
