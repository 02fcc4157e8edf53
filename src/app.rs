//! Glue between the window system and the application: pumps the session, draws the window, carries out effects.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use eframe::egui;
use egui::{Context, Ui, ViewportCommand};

use crate::dialogs::{Dialogs, Picked};
use crate::session::prefs::Prefs;
use crate::session::{Action, Effect, FrameAsk, Session, ThemeChoice};
use crate::ui::pace::Pace;
use crate::ui::{self, UiState};

/// The application in its window.
pub struct App {
    session: Session,
    state: UiState,
    dialogs: Dialogs,
    pace: Pace,
    actions: Vec<Action>,
    may_close: bool,
    frames_left: Option<u32>,
    shown_theme: Option<ThemeChoice>,
    title: String,
}

/// How the application begins.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// What to open; `None` shows the start page.
    pub open: Option<PathBuf>,
    /// Where preferences are kept; `None` keeps none.
    pub prefs_file: Option<PathBuf>,
    /// Closes the window after so many frames; for measuring.
    pub quit_after_frames: Option<u32>,
}

impl Start {
    /// With the preferences in their usual place.
    pub fn with_default_prefs(open: Option<PathBuf>) -> Self {
        Self { open, prefs_file: Prefs::default_file(), quit_after_frames: None }
    }
}

impl App {
    /// The application for a window; fails only when no thread can be started.
    pub fn new(ctx: &Context, start: Start) -> std::io::Result<Self> {
        ui::theme::install(ctx);
        let waker = {
            let ctx = ctx.clone();
            Arc::new(move || ctx.request_repaint())
        };
        let mut session = Session::new(start.prefs_file, waker.clone())?;
        if let Some(path) = start.open {
            session.perform(Action::Open(path));
        }
        Ok(Self {
            session,
            state: UiState::default(),
            dialogs: Dialogs::new(waker),
            pace: Pace::default(),
            actions: Vec::new(),
            may_close: false,
            frames_left: start.quit_after_frames,
            shown_theme: None,
            title: String::new(),
        })
    }

    /// The application without its window, for tests.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Asks as a panel would, for tests.
    pub fn perform(&mut self, action: Action) {
        self.actions.push(action);
    }

    fn perform_all(&mut self, ctx: &Context) {
        for action in std::mem::take(&mut self.actions) {
            match action {
                Action::Command(command) if !command.is_of_session() => {
                    if self.session.why_disabled(command).is_none() {
                        self.state.command(command, &self.session);
                    }
                }
                action => self.session.perform(action),
            }
            ctx.request_repaint();
        }
        for effect in self.session.take_effects() {
            self.carry_out(ctx, effect);
        }
    }

    fn carry_out(&mut self, ctx: &Context, effect: Effect) {
        match effect {
            Effect::PickNewProject => self.dialogs.pick_folder("New project", Action::CreateProject),
            Effect::PickProject => self.dialogs.pick_folder("Open project", Action::Open),
            Effect::PickSampleFolder => {
                self.dialogs.pick_folder("Copy the sample project to", Action::CopySample);
            }
            Effect::PickImage => self.dialogs.pick_image("Open image", Action::Open),
            Effect::PickFrameFolder => {
                let picked = |folder| Action::FrameFiles(FrameAsk::Folder(folder));
                self.dialogs.pick_folder("Folder for the frames", picked);
            }
            Effect::FrameFolder(folder) => self.state.popups.take_folder(folder),
            Effect::CopyText(text) => ctx.copy_text(text),
            Effect::Reveal(file) => self.dialogs.reveal(file),
            Effect::ProjectChanged => self.state.project_changed(),
            Effect::Moved(moves) => self.state.files_moved(&moves),
            Effect::FolderMade(path) => self.state.browser.go_to_folder(&path),
            Effect::Quit => {
                self.may_close = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
        }
    }

    fn take_drops(&mut self, ctx: &Context) {
        let dropped =
            ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).next());
        if let Some(path) = dropped {
            self.actions.push(Action::Open(path));
        }
    }

    fn count_down(&mut self, ctx: &Context) {
        if let Some(left) = &mut self.frames_left {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.may_close = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
            ctx.request_repaint();
        }
    }

    fn show_theme(&mut self, ctx: &Context) {
        let theme = self.session.prefs().theme;
        if self.shown_theme != Some(theme) {
            self.shown_theme = Some(theme);
            ctx.set_theme(match theme {
                ThemeChoice::Dark => egui::ThemePreference::Dark,
                ThemeChoice::Light => egui::ThemePreference::Light,
                ThemeChoice::System => egui::ThemePreference::System,
            });
        }
    }

    fn show_title(&mut self, ctx: &Context) {
        let title = match (self.session.current(), self.session.project()) {
            (Some(document), Some(open)) => {
                let dot = if document.is_dirty() { "• " } else { "" };
                format!("{dot}{} - {} - Cutsheet", document.file_name(), open.project.name())
            }
            (None, Some(open)) => format!("{} - Cutsheet", open.project.name()),
            _ => "Cutsheet".to_owned(),
        };
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

impl eframe::App for App {
    fn raw_input_hook(&mut self, ctx: &Context, input: &mut egui::RawInput) {
        self.pace.take(ctx, input);
    }

    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        self.session.pump();
        for picked in self.dialogs.take() {
            match picked {
                Picked::Action(action) => self.actions.push(action),
                Picked::Failed(why) => self.session.tell(why),
            }
        }
        self.take_drops(ctx);
        self.perform_all(ctx);
        if ctx.input(|input| input.viewport().close_requested()) && !self.may_close {
            // Closing the window asks the same question as the menu does.
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.session.perform(Action::Command(crate::session::Command::Quit));
            self.perform_all(ctx);
        }
        self.show_theme(ctx);
        self.show_title(ctx);
        let has_left = ctx.input(|input| input.events.contains(&egui::Event::WindowFocused(false)));
        if has_left {
            self.session.copy_unsaved();
        }
        let due = [self.session.toasts().next_expiry(), self.session.next_recovery()];
        if let Some(soonest) = due.into_iter().flatten().min() {
            ctx.request_repaint_after(soonest.saturating_duration_since(Instant::now()));
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        ui::theme::canvas_color(visuals).to_normalized_gamma_f32()
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        ui::root(ui, &self.session, &mut self.state, &mut self.actions);
        let ctx = ui.ctx().clone();
        self.perform_all(&ctx);
        self.count_down(&ctx);
    }
}

/// Opens the window and returns when it is closed.
pub fn run(start: Start) -> eframe::Result {
    let icon = crate::sample::icon();
    let icon = egui::IconData { width: icon.size.width, height: icon.size.height, rgba: icon.rgba };
    let viewport = egui::ViewportBuilder::default()
        .with_title("Cutsheet")
        .with_app_id("cutsheet")
        .with_icon(icon)
        .with_inner_size([1240.0, 680.0])
        .with_min_inner_size([800.0, 500.0])
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    eframe::run_native(
        "cutsheet",
        options,
        Box::new(|creation| Ok(Box::new(App::new(&creation.egui_ctx, start)?))),
    )
}
