//! A session that runs on a copy of the sample project, for tests that need no window.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use cutsheet::edit::Edit;
use cutsheet::geometry::{Offset, Size};
use cutsheet::model::Run;
use cutsheet::registry::State;
use cutsheet::session::{Action, Document, Effect, Session};

const PATIENCE: Duration = Duration::from_secs(10);
pub(crate) const TILES: &str = "assets/sprites/tiles.png";
pub(crate) const PLAYER: &str = "assets/sprites/player.png";

pub(crate) struct Running {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) session: Session,
    pub(crate) effects: Vec<Effect>,
}

impl Running {
    pub(crate) fn sample() -> Self {
        let folder = tempfile::tempdir().unwrap();
        cutsheet::sample::write_project(folder.path()).unwrap();
        let mut running = Self { session: new_session(None), folder, effects: Vec::new() };
        let root = running.folder.path().to_owned();
        running.session.perform(Action::Open(root));
        running.wait("the import", |it| {
            let Some(open) = it.session.project() else { return false };
            open.registry.assets().len() == 5
                && open.registry.assets().all(|asset| asset.state == State::UpToDate)
        });
        running
    }

    pub(crate) fn opened(path: &str) -> Self {
        let mut running = Self::sample();
        running.open(path);
        running
    }

    pub(crate) fn open(&mut self, path: &str) {
        self.session.perform(Action::OpenSheet(path.into()));
        self.wait("the sheet", |it| it.session.current().is_some_and(Document::is_ready));
    }

    pub(crate) fn pump(&mut self) {
        self.session.pump();
        self.effects.extend(self.session.take_effects());
    }

    pub(crate) fn wait(&mut self, what: &str, mut is_there: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        loop {
            self.pump();
            if is_there(self) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{what} did not come: {:?}", self.session.toasts().shown());
            sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn rest(&mut self) {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(900) {
            self.pump();
            sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn do_now(&mut self, action: impl Into<Action>) {
        self.session.perform(action.into());
        self.pump();
    }

    pub(crate) fn document(&self) -> &Document {
        self.session.current().unwrap()
    }

    pub(crate) fn sidecar(&self, path: &str) -> PathBuf {
        self.folder.path().join(format!("{path}.data"))
    }

    pub(crate) fn image(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn wait_until_clean(&mut self) {
        self.wait("the save", |it| it.session.documents().iter().all(|document| !document.is_dirty()));
    }
}

pub(crate) fn new_session(prefs_file: Option<PathBuf>) -> Session {
    Session::new(prefs_file, Arc::new(|| {})).unwrap()
}

pub(crate) fn tile_grid() -> Edit {
    Edit::SetGrid(Run {
        offset: Offset::new(1, 1),
        spacing: Offset::new(1, 1),
        ..Run::of_cell(Size::new(16, 16))
    })
}

pub(crate) fn sidecar_json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}
