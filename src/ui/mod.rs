//! The window's contents: panels read `&Session`, draw, and say what they were asked for as [`Action`]s.
//! What only the window knows (what is unfolded, hovered, scrolled to) is in [`UiState`].

pub mod bars;
pub mod bindings;
pub mod browser;
pub mod canvas;
pub mod carry;
pub mod dialogs;
pub mod inspector;
pub mod keys;
pub mod menu;
mod moved;
pub mod pace;
pub mod popups;
pub mod problems;
pub mod scene;
pub mod start;
pub mod status;
pub mod strip;
pub mod tabs;
mod target_list;
pub mod textures;
pub mod theme;
pub mod toasts;
pub mod toolbar;
pub mod widgets;

use std::sync::Arc;

use eframe::egui;
use egui::{CentralPanel, Panel, Ui};

use crate::model::FrameId;
use crate::session::{Action, Command, Move, Session, Workspace};

/// A frame of a sheet, by the sheet's path.
pub type FrameRef = (Arc<str>, FrameId);

/// What only the window knows.
#[derive(Default)]
pub struct UiState {
    /// The browser's folds, filter and scroll.
    pub browser: browser::Browser,
    /// The canvas: view, tiles, what the pointer is at.
    pub canvas: canvas::Canvas,
    /// The bar over the canvas.
    pub bars: bars::Bars,
    /// The frame strip.
    pub strip: strip::Strip,
    /// The inspector.
    pub inspector: inspector::Inspector,
    /// The problem list.
    pub problems: problems::Problems,
    /// Keys sheet and about box.
    pub dialogs: dialogs::Dialogs,
    /// Renaming, splitting, history, commands by name.
    pub popups: popups::Popups,
    /// Pictures on the graphics card.
    pub textures: textures::Textures,
    /// The frame under the pointer, wherever that is.
    pub hover: Hover,
    /// What is dragged from one panel to another.
    pub carry: carry::Carry,
    /// The Scene workspace.
    pub scene: scene::SceneView,
    /// Which panels are hidden.
    pub hidden: HiddenPanels,
}

/// Panels that were put away.
#[derive(Default)]
pub struct HiddenPanels {
    /// The browser on the left.
    pub browser: bool,
    /// The inspector on the right.
    pub inspector: bool,
}

/// The frame under the pointer: canvas, strip and browser each say theirs, and all show it in the next frame.
#[derive(Default)]
pub struct Hover {
    shown: Option<FrameRef>,
    next: Option<FrameRef>,
}

impl Hover {
    /// Says that the pointer is at this frame.
    pub fn set(&mut self, path: &Arc<str>, id: FrameId) {
        self.next = Some((path.clone(), id));
    }

    /// The hovered frame, if it is of that sheet.
    pub fn of_sheet(&self, path: &str) -> Option<FrameId> {
        self.shown.as_ref().filter(|(sheet, _)| **sheet == *path).map(|(_, id)| *id)
    }

    /// Ends a pass: what was said in it is shown in the next, which is asked for when it differs.
    fn turn(&mut self, ui: &Ui) {
        let next = self.next.take();
        if next != self.shown {
            self.shown = next;
            ui.request_repaint();
        }
    }
}

impl UiState {
    /// Begins anew for another project.
    pub fn project_changed(&mut self) {
        let hidden = std::mem::take(&mut self.hidden);
        *self = Self { hidden, ..Self::default() };
    }

    /// What is remembered by path follows the files that were moved.
    pub fn files_moved(&mut self, moves: &[Move]) {
        self.browser.files_moved(moves);
        self.canvas.files_moved(moves);
        self.strip.files_moved(moves);
        self.inspector.files_moved(moves);
        self.scene.files_moved(moves);
    }

    /// Carries out a command that is the window's own.
    pub fn command(&mut self, command: Command, session: &Session) {
        match command {
            Command::Browser => self.hidden.browser = !self.hidden.browser,
            Command::RenameFile | Command::MoveFile | Command::DeleteFile | Command::NewFolder => {
                self.hidden.browser = false;
                self.browser.command(command, session);
            }
            Command::Inspector => self.hidden.inspector = !self.hidden.inspector,
            Command::Problems => self.problems.toggle(),
            Command::NextProblem => self.problems.step(problems::Step::Next),
            Command::PreviousProblem => self.problems.step(problems::Step::Previous),
            Command::Shortcuts => self.dialogs.toggle_keys(),
            Command::About => self.dialogs.toggle_about(),
            Command::ShowSource => self.inspector.toggle_source(),
            Command::RenameFrames
            | Command::NameRows
            | Command::ApplyToOthers
            | Command::SplitFrame
            | Command::History
            | Command::Palette
            | Command::FindUnused
            | Command::ProjectTextures
            | Command::SaveFrames => self.popups.toggle(command),
            Command::RenameObject | Command::PickSprite | Command::SaveAs => self.scene.command(command),
            _ if session.workspace() == Workspace::Scene => self.scene.command(command),
            _ => self.canvas.command(command, session),
        }
    }
}

/// The whole window.
pub fn root(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    keys::listen(ui, session, state.canvas.nine_slice().is_on(), actions);
    dialogs::listen(ui, session, &mut state.dialogs, actions);
    Panel::top("menu").frame(theme::bar_frame(ui)).show(ui, |ui| menu::ui(ui, session, state, actions));
    if session.project().is_some() {
        workspace(ui, session, state, actions);
    } else if session.opening().is_some() {
        // A moment at the start: the start page would only flash up. The window was cleared to the canvas' colour, and
        // filling it again is what costs most where the processor draws.
        CentralPanel::default().frame(egui::Frame::NONE).show(ui, |_| {});
    } else {
        CentralPanel::default().show(ui, |ui| start::ui(ui, session, &mut state.textures, actions));
    }
    popups::ui(ui, session, state, actions);
    state.carry.ui(ui, session, &mut state.textures);
    dialogs::ui(ui, session, state, actions);
    toasts::ui(ui, session, actions);
    keys::note_focus(ui);
    state.hover.turn(ui);
}

fn workspace(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    Panel::bottom("status")
        .frame(theme::bar_frame(ui))
        .show(ui, |ui| status::ui(ui, session, state, actions));
    if state.problems.is_open() {
        Panel::bottom("problems")
            .resizable(true)
            .default_size(160.0)
            .size_range(80.0..=480.0)
            .frame(theme::side_frame(ui))
            .show(ui, |ui| {
                ui.take_available_height();
                problems::ui(ui, session, state, actions);
            });
    }
    if !state.hidden.browser {
        Panel::left("browser")
            .resizable(true)
            .default_size(248.0)
            .size_range(180.0..=480.0)
            .frame(theme::side_frame(ui))
            .show(ui, |ui| {
                ui.take_available_width();
                browser::ui(ui, session, state, actions);
            });
    }
    match session.workspace() {
        Workspace::Slice => slice_workspace(ui, session, state, actions),
        Workspace::Scene => scene::workspace(ui, session, state, actions),
    }
}

fn slice_workspace(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    if state.hidden.inspector {
        state.inspector.put_away(session, actions);
    } else {
        right_panel(ui, "inspector", |ui| inspector::ui(ui, session, state, actions));
    }
    tab_bar(ui, session, actions);
    if !session.documents().is_empty() {
        Panel::top("tools")
            .frame(theme::tab_bar_frame(ui))
            .show(ui, |ui| toolbar::ui(ui, session, state, actions));
        strip_panel(ui, session, state, actions);
    }
    // Not filled: the window was cleared to the canvas' colour.
    CentralPanel::default().frame(egui::Frame::NONE).show(ui, |ui| canvas::ui(ui, session, state, actions));
}

/// The panel on the right, of the same width in all workspaces.
fn right_panel(ui: &mut Ui, name: &'static str, contents: impl FnOnce(&mut Ui)) {
    Panel::right(name)
        .resizable(true)
        .default_size(288.0)
        .size_range(240.0..=480.0)
        .frame(theme::side_frame(ui))
        .show(ui, |ui| {
            ui.take_available_width();
            contents(ui);
        });
}

/// The tabs of all open documents, the same in all workspaces.
fn tab_bar(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    if !session.documents().is_empty() || !session.scenes().is_empty() {
        Panel::top("tabs").frame(theme::tab_bar_frame(ui)).show(ui, |ui| tabs::ui(ui, session, actions));
    }
}

/// The frames of the sheet that was looked at last, the same in all workspaces.
fn strip_panel(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    Panel::bottom("strip")
        .resizable(true)
        .default_size(108.0)
        .size_range(72.0..=280.0)
        .frame(theme::side_frame(ui))
        .show(ui, |ui| {
            ui.take_available_height();
            strip::ui(ui, session, state, actions);
        });
}
