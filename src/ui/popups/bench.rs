//! A window with a sheet of eight frames, for tests of what is done to frames.

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui;
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::edit::Edit;
use crate::geometry::{PixelRect, Size};
use crate::model::{FrameId, Run};
use crate::session::{Action, Command, Document, Session};
use crate::ui::{UiState, theme};

/// What the harness shows.
pub(in crate::ui) struct Stage {
    pub(in crate::ui) session: Session,
    pub(in crate::ui) state: UiState,
    is_dressed: bool,
    _folder: tempfile::TempDir,
}

/// The window and hands for it.
pub(in crate::ui) struct Bench {
    pub(in crate::ui) harness: Harness<'static, Stage>,
}

/// As the application does it: everything is drawn, then what was asked for is done.
fn show(ui: &mut egui::Ui, stage: &mut Stage) {
    if !std::mem::replace(&mut stage.is_dressed, true) {
        theme::install(ui);
        return;
    }
    stage.session.pump();
    let mut actions = Vec::new();
    crate::ui::root(ui, &stage.session, &mut stage.state, &mut actions);
    for action in actions {
        stage.perform(action);
        ui.request_repaint();
    }
}

impl Stage {
    pub(in crate::ui) fn perform(&mut self, action: Action) {
        match action {
            Action::Command(command) if !command.is_of_session() => {
                if self.session.why_disabled(command).is_none() {
                    self.state.command(command, &self.session);
                }
            }
            action => self.session.perform(action),
        }
    }
}

impl Bench {
    /// `hero.png`, 64 x 32, cut into cells of 16 x 16.
    pub(in crate::ui) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let picture = image::RgbaImage::from_fn(64, 32, |x, y| {
            image::Rgba([x as u8 * 3, y as u8 * 7, 90, if (x + y) % 5 == 0 { 0 } else { 255 }])
        });
        picture.save(folder.path().join("hero.png")).unwrap();
        let mut session = Session::new(None, Arc::new(|| ())).unwrap();
        session.perform(Action::Open(folder.path().to_owned()));
        let until = Instant::now() + Duration::from_secs(30);
        let wait = |session: &mut Session, is_so: &dyn Fn(&Session) -> bool| {
            while !is_so(session) {
                assert!(Instant::now() < until, "the sheet did not come");
                session.pump();
                std::thread::sleep(Duration::from_millis(2));
            }
        };
        wait(&mut session, &|session| session.project().is_some_and(|open| open.is_discovered));
        session.perform(Action::OpenSheet("hero.png".into()));
        wait(&mut session, &|session| session.current().is_some_and(Document::is_ready));
        session.perform(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(16, 16)))));
        session.perform(Action::Seal);
        let stage = Stage { session, state: UiState::default(), is_dressed: false, _folder: folder };
        let harness = Harness::builder()
            .with_size(egui::vec2(1280.0, 720.0))
            .with_os(egui::os::OperatingSystem::Nix)
            .build_ui_state(show, stage);
        let mut bench = Self { harness };
        bench.settle();
        bench
    }

    pub(in crate::ui) fn settle(&mut self) {
        self.harness.run_steps(5);
    }

    pub(in crate::ui) fn perform(&mut self, action: impl Into<Action>) {
        self.harness.state_mut().perform(action.into());
        self.settle();
    }

    pub(in crate::ui) fn command(&mut self, command: Command) {
        self.perform(command);
    }

    pub(in crate::ui) fn select(&mut self, ids: &[u32]) {
        self.perform(Action::SelectFrames(ids.iter().copied().map(FrameId).collect()));
    }

    pub(in crate::ui) fn rename(&mut self, id: u32, name: &str) {
        self.perform(Action::Edit(Edit::Rename(vec![(FrameId(id), name.into())])));
    }

    pub(in crate::ui) fn key(&mut self, key: Key) {
        self.harness.key_press(key);
        self.settle();
    }

    pub(in crate::ui) fn key_with(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.settle();
    }

    /// Types into whatever has the keyboard.
    pub(in crate::ui) fn text(&mut self, text: &str) {
        self.harness.event(Event::Text(text.to_owned()));
        self.settle();
    }

    pub(in crate::ui) fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.settle();
    }

    pub(in crate::ui) fn sees(&self, text: &str) -> bool {
        self.harness.query_all_by_label_contains(text).next().is_some()
    }

    pub(in crate::ui) fn is_disabled(&self, label: &str) -> bool {
        self.harness.get_by_label(label).accesskit_node().is_disabled()
    }

    pub(in crate::ui) fn is_focused(&self, label: &str) -> bool {
        self.harness.get_by_label(label).accesskit_node().is_focused()
    }

    pub(in crate::ui) fn document(&self) -> &Document {
        self.harness.state().session.current().unwrap()
    }

    pub(in crate::ui) fn names(&self) -> Vec<String> {
        self.document().sheet().frames.iter().map(|frame| frame.name.to_string()).collect()
    }

    pub(in crate::ui) fn ids(&self) -> Vec<u32> {
        self.document().sheet().frames.iter().map(|frame| frame.id.0).collect()
    }

    pub(in crate::ui) fn rects(&self) -> Vec<PixelRect> {
        self.document().sheet().frames.iter().map(|frame| frame.rect_in_image).collect()
    }

    pub(in crate::ui) fn selected(&self) -> Vec<u32> {
        self.document().selected_frames().map(|(_, frame)| frame.id.0).collect()
    }

    /// The last step of the history, and how many there are.
    pub(in crate::ui) fn steps(&self) -> (Option<&str>, usize) {
        let history = &self.document().history;
        (history.undo_label(), history.steps().1)
    }
}
