//! The Scene workspace: the scene as a game draws it, the tree of its objects, and their properties.

mod canvas;
mod drag;
mod draw;
mod drop;
mod field;
mod inspector;
mod marks;
mod names;
mod numbers;
mod pick;
mod place;
mod pointing;
mod snap;
mod sprite;
mod tool;
mod tree;

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui;
use egui::{Align, CentralPanel, Label, Layout, Panel, RichText, Ui};
use egui_material_icons::icons::{ICON_ADD_BOX, ICON_HISTORY, ICON_REDO, ICON_STACK_STAR, ICON_UNDO};

pub use tool::Tool;

use super::theme::{self, BETWEEN, INSIDE};
use super::{UiState, moved, right_panel, strip_panel, tab_bar, widgets};
use crate::edit::SceneEdit;
use crate::session::{Action, Command, Move, Session};

/// What the properties of an object with a sprite take.
const SPRITE_PROPERTIES_HEIGHT: f32 = 500.0;
const LEAST_TREE_HEIGHT: f32 = 200.0;

/// What the workspace keeps from one pass to the next.
pub struct SceneView {
    tool: Tool,
    snaps: bool,
    stage: canvas::Stage,
    views: HashMap<Arc<str>, canvas::SceneViewpoint>,
    tree: tree::Tree,
    form: numbers::Form,
    asked: names::Asked,
    pick: pick::Pick,
    several: drop::Several,
    /// Commands of the view for the next pass.
    commands: Vec<Command>,
    zoom: Option<f64>,
}

impl Default for SceneView {
    fn default() -> Self {
        Self {
            tool: Tool::Select,
            snaps: true,
            stage: canvas::Stage::default(),
            views: HashMap::new(),
            tree: tree::Tree::default(),
            form: numbers::Form::default(),
            asked: names::Asked::default(),
            pick: pick::Pick::default(),
            several: drop::Several::default(),
            commands: Vec::new(),
            zoom: None,
        }
    }
}

impl SceneView {
    /// What is remembered of scenes follows them.
    pub fn files_moved(&mut self, moves: &[Move]) {
        moved::follow_keys(moves, &mut self.views);
        moved::follow_some(moves, &mut self.tree.scene);
    }

    /// Carries out a command of the tools at once, one of the view in the next pass.
    pub fn command(&mut self, command: Command) {
        match (Tool::of_command(command), command) {
            (Some(tool), _) => self.tool = tool,
            (None, Command::Snap) => self.snaps = !self.snaps,
            (None, Command::RenameObject | Command::SaveAs) => self.asked.ask(command),
            (None, Command::PickSprite) => self.pick.open(),
            _ => self.commands.push(command),
        }
    }

    /// The active tool.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// Whether a move catches on edges and pixels.
    pub fn snaps(&self) -> bool {
        self.snaps
    }

    /// Zoom in percent of device pixels per pixel of the picture; `None` while no scene is shown.
    pub fn zoom_percent(&self) -> Option<f32> {
        self.zoom.map(|zoom| (zoom * 100.0) as f32)
    }

    /// The point of the world under the pointer, in metres.
    pub fn pointer(&self) -> Option<[f64; 2]> {
        self.stage.pointer
    }

    /// What the pointer does here, for the hint line.
    pub fn hint(&self, ctx: &egui::Context, session: &Session) -> String {
        let Some(document) = session.scene().filter(|document| document.is_ready()) else {
            return String::new();
        };
        let objects = document.scene().objects.len();
        self.tool.hint(ctx, objects, document.history.selection().len())
    }

    /// Looks at an object, unless it is in view.
    pub fn reveal(&mut self, object: u32) {
        self.stage.wanted = Some(crate::model::scene::ObjectKey(object));
    }
}

/// Asks for an edit that is a step of its own.
fn push_step(actions: &mut Vec<Action>, edit: SceneEdit) {
    actions.extend([Action::Seal, Action::EditScene(edit), Action::Seal]);
}

/// Panels and canvas of the workspace.
pub(super) fn workspace(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    if !state.hidden.inspector {
        right_panel(ui, "scene inspector", |ui| right(ui, session, state, actions));
    }
    tab_bar(ui, session, actions);
    if session.scene().is_some() {
        Panel::top("scene tools")
            .frame(theme::tab_bar_frame(ui))
            .show(ui, |ui| toolbar(ui, session, &state.scene, actions));
    }
    if let Some(document) = session.current() {
        state.canvas.follow_unseen(session, document, actions);
        strip_panel(ui, session, state, actions);
    }
    CentralPanel::default().frame(egui::Frame::NONE).show(ui, |ui| canvas::ui(ui, session, state, actions));
    names::ui(ui, session, &mut state.scene.asked, actions);
    pick::ui(ui, session, state, actions);
    drop::ui(ui, session, &mut state.scene.several, actions);
}

/// The tree over the inspector.
fn right(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    ui.set_min_width(ui.available_width());
    let Some(document) = session.scene() else {
        ui.add_space(BETWEEN);
        ui.add(Label::new("No scene is open").selectable(false));
        let text = "Click a scene in the browser, or begin a new one.";
        ui.add(Label::new(RichText::new(text).color(theme::palette(ui).weak_text)).wrap().selectable(false));
        return;
    };
    if !document.is_ready() {
        ui.add(Label::new(RichText::new(document.file_name()).strong()).selectable(false));
        return;
    }
    // A window of another height has another division: the tree gets what the properties of a sprite leave.
    let room = ui.available_height();
    Panel::top(egui::Id::unique(("objects", room as u32 / 32)))
        .resizable(true)
        .default_size((room - SPRITE_PROPERTIES_HEIGHT).max(LEAST_TREE_HEIGHT))
        .size_range(80.0..=(room - 80.0).max(80.0))
        .frame(egui::Frame::NONE)
        .show(ui, |ui| {
            ui.take_available_height();
            tree::ui(ui, session, document, state, actions);
        });
    inspector::ui(ui, session, document, state, actions);
}

fn toolbar(ui: &mut Ui, session: &Session, view: &SceneView, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = INSIDE;
        for (tool, command, icon) in Tool::ALL {
            super::toolbar::toggle(ui, command, icon, view.tool == tool, actions);
        }
        ui.add_space(BETWEEN);
        super::toolbar::toggle(ui, Command::Snap, ICON_STACK_STAR, view.snaps, actions);
        ui.add_space(BETWEEN);
        for (command, icon) in [
            (Command::AddObject, ICON_ADD_BOX),
            (Command::Undo, ICON_UNDO),
            (Command::Redo, ICON_REDO),
            (Command::History, ICON_HISTORY),
        ] {
            if widgets::command_icon(ui, session, command, icon) {
                actions.push(command.into());
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            super::toolbar::zoom(ui, session, view.zoom_percent(), actions);
        });
    });
}
