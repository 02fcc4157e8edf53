//! The tool bar over the canvas: tools, what is drawn over the picture, undo, zoom.

use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Align, Label, Layout, RichText, Ui};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_ADD, ICON_ARROW_DROP_DOWN, ICON_BORDER_INNER, ICON_COMPARE, ICON_FIT_SCREEN, ICON_GRID_4X4,
    ICON_HISTORY, ICON_REDO, ICON_REMOVE, ICON_SELECT_ALL, ICON_STACK_STAR, ICON_UNDO,
};

use super::canvas::{self, Tool};
use super::theme::{self, BETWEEN, INSIDE};
use super::{UiState, widgets};
use crate::session::{Action, Command, Session};

/// Room for "6400 %".
const ZOOM_WIDTH: f32 = 48.0;

/// The bar.
pub fn ui(ui: &mut Ui, session: &Session, state: &UiState, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = INSIDE;
        for (tool, command, icon) in Tool::ALL {
            toggle(ui, command, icon, state.canvas.tool() == tool, actions);
        }
        ui.add_space(BETWEEN);
        toggle(ui, Command::Snap, ICON_STACK_STAR, state.canvas.snaps(), actions);
        toggle(ui, Command::ShowFrames, ICON_SELECT_ALL, state.canvas.shows_frames(), actions);
        toggle(ui, Command::ShowPixelGrid, ICON_GRID_4X4, state.canvas.shows_pixel_grid(), actions);
        toggle(ui, Command::NineSlice, ICON_BORDER_INNER, state.canvas.nine_slice().is_on(), actions);
        ui.add_space(BETWEEN);
        compare(ui, state, actions);
        ui.add_space(BETWEEN);
        for (command, icon) in
            [(Command::Undo, ICON_UNDO), (Command::Redo, ICON_REDO), (Command::History, ICON_HISTORY)]
        {
            if widgets::command_icon(ui, session, command, icon) {
                actions.push(command.into());
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            zoom(ui, session, state.canvas.zoom_percent(), actions);
        });
    });
}

/// The comparison, and a menu of what it marks.
fn compare(ui: &mut Ui, state: &UiState, actions: &mut Vec<Action>) {
    let is_on = |command| state.canvas.compares(command);
    toggle(ui, Command::Compare, ICON_COMPARE, is_on(Command::Compare) || is_on(Command::Wipe), actions);
    let button = egui::Button::new(widgets::icon_text(ICON_ARROW_DROP_DOWN)).frame_when_inactive(false);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        let mut entry = |ui: &mut Ui, command: Command| {
            let mut is_on = is_on(command);
            let words = widgets::with_key(ui, command.text(), command);
            if ui.checkbox(&mut is_on, words).on_hover_text(command.tooltip()).clicked() {
                actions.push(command.into());
            }
        };
        for command in canvas::TOGETHER {
            entry(ui, command);
        }
        ui.separator();
        for command in canvas::MARKED {
            entry(ui, command);
        }
    });
    response.accessible_name("Compare menu").on_hover_text("What the comparison shows and marks");
}

pub(super) fn toggle(
    ui: &mut Ui,
    command: Command,
    icon: MaterialIcon,
    is_on: bool,
    actions: &mut Vec<Action>,
) {
    let shortcut = widgets::key_text(ui, command);
    let name = command.text();
    let response = widgets::icon_toggle(ui, icon, name, &shortcut, is_on).on_hover_text(command.tooltip());
    if response.clicked() {
        actions.push(command.into());
    }
}

/// Fit, zoom in, the zoom in percent, zoom out, from the right.
pub(super) fn zoom(ui: &mut Ui, session: &Session, percent: Option<f32>, actions: &mut Vec<Action>) {
    let mut button = |ui: &mut Ui, command, icon| {
        if widgets::command_icon(ui, session, command, icon) {
            actions.push(command.into());
        }
    };
    button(ui, Command::Fit, ICON_FIT_SCREEN);
    button(ui, Command::ZoomIn, ICON_ADD);
    let percent = percent.map_or_else(String::new, |percent| format!("{percent:.0} %"));
    let color = theme::palette(ui).weak_text;
    ui.allocate_ui_with_layout(
        egui::vec2(ZOOM_WIDTH, ui.available_height()),
        Layout::centered_and_justified(egui::Direction::LeftToRight),
        |ui| ui.add(Label::new(RichText::new(percent).small().color(color)).selectable(false)),
    );
    button(ui, Command::ZoomOut, ICON_REMOVE);
}
