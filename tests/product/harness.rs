//! The whole window without a screen: what a person clicks, types and reads, by accessible labels.

use std::path::Path;
use std::time::{Duration, Instant};

use cutsheet::app::{App, Start};
use cutsheet::registry::State;
use cutsheet::session::{Action, Document};
use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, HarnessBuilder};

/// Seconds from one pass to the next.
const STEP: f32 = 1.0 / 60.0;
const PATIENCE: Duration = Duration::from_secs(20);
pub(crate) const TILES: &str = "assets/sprites/tiles.png";

pub(crate) struct Window {
    pub(crate) harness: Harness<'static, App>,
    pub(crate) folder: tempfile::TempDir,
}

impl Window {
    pub(crate) fn start_page() -> Self {
        Self::open(None, tempfile::tempdir().unwrap())
    }

    pub(crate) fn sample() -> Self {
        let folder = tempfile::tempdir().unwrap();
        cutsheet::sample::write_project(folder.path()).unwrap();
        let open = folder.path().to_owned();
        let mut window = Self::open(Some(&open), folder);
        window.wait_for_import();
        window
    }

    pub(crate) fn open(project: Option<&Path>, folder: tempfile::TempDir) -> Self {
        Self::build(Harness::builder(), project, folder)
    }

    /// The sample project in a window that can be photographed.
    pub(crate) fn photographed() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Its name is to be read in the picture.
        let open = folder.path().join("sample");
        cutsheet::sample::write_project(&open).unwrap();
        let mut window = Self::build(Harness::builder().wgpu(), Some(&open), folder);
        window.wait_for_import();
        window
    }

    fn build(builder: HarnessBuilder<App>, project: Option<&Path>, folder: tempfile::TempDir) -> Self {
        let open = project.map(Path::to_owned);
        let harness =
            builder.with_size(vec2(1280.0, 720.0)).with_max_steps(64).with_step_dt(STEP).build_eframe(
                move |creation| App::new(&creation.egui_ctx, Start { open, ..Start::default() }).unwrap(),
            );
        Self { harness, folder }
    }

    fn wait_for_import(&mut self) {
        self.wait("the import", |app| {
            let Some(open) = app.session().project() else { return false };
            open.registry.assets().len() == 5
                && open.registry.assets().all(|asset| asset.state == State::UpToDate)
        });
    }

    /// Steps until something is so; other threads have their time in between.
    pub(crate) fn wait(&mut self, what: &str, is_so: impl Fn(&App) -> bool) {
        let start = Instant::now();
        loop {
            self.harness.step();
            if is_so(self.harness.state()) {
                self.harness.run_steps(3);
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{what} did not come");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Does something that no label is needed for.
    pub(crate) fn perform(&mut self, action: impl Into<Action>) {
        self.harness.state_mut().perform(action.into());
        self.harness.run_steps(4);
    }

    /// Until nothing moves any more: pictures have come, messages have gone, no field blinks.
    pub(crate) fn settle(&mut self) {
        for _ in 0..40 {
            self.harness.run_steps(4);
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    pub(crate) fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.harness.run_steps(4);
    }

    /// Clicks the first thing with that in its label.
    pub(crate) fn click_on_words(&mut self, words: &str) {
        self.harness.query_all_by_label_contains(words).next().unwrap().click();
        self.harness.run_steps(4);
    }

    pub(crate) fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(4);
    }

    /// Types into whatever has the keyboard, letter by letter with time in between, as a person does.
    pub(crate) fn type_here(&mut self, text: &str) {
        for letter in text.chars() {
            self.harness.event(eframe::egui::Event::Text(letter.to_string()));
            self.harness.run_steps(4);
        }
    }

    pub(crate) fn open_sheet(&mut self, label: &str) {
        self.click(label);
        self.wait("the sheet", |app| {
            app.session().current().is_some_and(cutsheet::session::Document::is_ready)
        });
    }

    pub(crate) fn frames(&self) -> usize {
        self.harness.state().session().current().unwrap().sheet().frames.len()
    }

    pub(crate) fn sees(&self, text: &str) -> bool {
        self.harness.query_all_by_label_contains(text).next().is_some()
    }

    /// Declines the guess that an unsliced sheet is met with, once it is there or sure not to come.
    pub(crate) fn decline_guess(&mut self) {
        self.wait("the study", |app| {
            let session = app.session();
            let study = session.current().and_then(|document| session.study(document));
            study.is_some_and(|lookup| lookup.shown().is_some())
        });
        if self.harness.state().session().proposal().is_some() {
            self.key(Modifiers::NONE, Key::Escape);
        }
        self.harness.run_steps(4);
    }

    /// The pointer goes there, presses, goes on in steps, and lets go unless `holds`.
    pub(crate) fn drag(&mut self, from: Pos2, to: Pos2, holds: bool) {
        self.harness.hover_at(from);
        self.harness.run_steps(2);
        self.button(from, true);
        for step in 1..=8 {
            self.harness.hover_at(from + (to - from) * (step as f32 / 8.0));
            self.harness.run_steps(2);
        }
        if !holds {
            self.button(to, false);
        }
        self.harness.run_steps(3);
    }

    /// Presses or lets go of the primary button.
    pub(crate) fn button(&mut self, pos: Pos2, pressed: bool) {
        let button = eframe::egui::PointerButton::Primary;
        self.harness.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        self.harness.run_steps(2);
    }

    /// A click there, without a label.
    pub(crate) fn button_click(&mut self, pos: Pos2) {
        self.click_with(pos, Modifiers::NONE);
    }

    /// A click there with keys held.
    pub(crate) fn click_with(&mut self, pos: Pos2, modifiers: Modifiers) {
        self.harness.event(Event::ModifiersChanged(modifiers));
        self.harness.hover_at(pos);
        self.harness.run_steps(2);
        for pressed in [true, false] {
            let button = eframe::egui::PointerButton::Primary;
            self.harness.event(Event::PointerButton { pos, button, pressed, modifiers });
            self.harness.run_steps(1);
        }
        self.harness.event(Event::ModifiersChanged(Modifiers::NONE));
        self.harness.run_steps(3);
    }

    /// Where a frame is on the canvas, by its label.
    pub(crate) fn place(&self, label: &str) -> Rect {
        self.harness.get_by_role_and_label(Role::ListBoxOption, label).rect()
    }

    pub(crate) fn document(&self) -> &Document {
        self.harness.state().session().current().unwrap()
    }
}
