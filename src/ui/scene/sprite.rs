//! The sprite component of the selected objects: what it draws, and how.

use std::sync::Arc;

use eframe::egui;
use egui::{Checkbox, Ui};

use super::inspector::{add_sprite, color_button};
use super::numbers::{self, common};
use super::{field, inspector};
use crate::edit::SceneEdit;
use crate::model::scene::{Color, Object, ObjectKey, Property, RenderMode, Sprite};
use crate::runtime::Fault;
use crate::session::{Action, Session};
use crate::ui::UiState;
use crate::ui::inspector::rows::{Choice, RowRects, segments};
use crate::ui::inspector::{labelled, part_title};
use crate::ui::theme::ROW_HEIGHT;
use crate::ui::widgets::{self, Tone};

/// No sprite is larger, in metres.
const LARGE: f64 = 4096.0;

/// The section.
pub(super) fn ui(
    ui: &mut Ui,
    session: &Session,
    selected: &[&Arc<Object>],
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    let with_sprite: Vec<(ObjectKey, Sprite)> =
        selected.iter().filter_map(|object| Some((object.key, object.sprite()?.1))).collect();
    let words = match with_sprite.len() {
        0 => "none".to_owned(),
        count if count == selected.len() => String::new(),
        count => format!("of {count} of {}", selected.len()),
    };
    part_title(ui, "Sprite", &words);
    let all: Vec<ObjectKey> = selected.iter().map(|object| object.key).collect();
    let reference = common(with_sprite.iter().map(|(_, sprite)| &sprite.sprite));
    let is_mixed = with_sprite.len() > 1 && reference.is_none();
    let reference = reference.filter(|_| with_sprite.len() == selected.len()).cloned().unwrap_or_default();
    field::ui(ui, session, &reference, is_mixed, &all, &inspector::words_for(selected), state, actions);
    if let [(key, _)] = with_sprite.as_slice() {
        fault(ui, *key, state);
    }
    if with_sprite.is_empty() {
        add_sprite(ui, session, actions);
        return;
    }
    let keys: Vec<ObjectKey> = with_sprite.iter().map(|(key, _)| *key).collect();
    let sprites: Vec<&Sprite> = with_sprite.iter().map(|(_, sprite)| sprite).collect();
    properties(ui, &keys, &sprites, actions);
}

/// What is wrong with what it draws.
fn fault(ui: &mut Ui, key: ObjectKey, state: &UiState) {
    let item = state.scene.stage.items.iter().find(|item| item.object == key);
    let Some(fault) = item.and_then(|item| item.fault.as_ref()) else { return };
    let tone = match fault {
        Fault::Empty | Fault::Pending => return,
        Fault::TargetTooLarge { .. } | Fault::MissingFrame(_) => Tone::Warning,
        _ => Tone::Error,
    };
    widgets::banner(ui, tone, &fault.to_string());
}

fn properties(ui: &mut Ui, keys: &[ObjectKey], sprites: &[&Sprite], actions: &mut Vec<Action>) {
    let mut set = |property: Property, is_step: bool| {
        actions.push(Action::EditScene(SceneEdit::SetProperty(keys.to_vec(), property)));
        if is_step {
            actions.push(Action::Seal);
        }
    };
    let mode = common(sprites.iter().map(|sprite| sprite.mode));
    let choices = [
        Choice::new(Some(RenderMode::Normal), "Normal", "At its own size"),
        Choice::new(Some(RenderMode::Tiled), "Tiled", "Repeated from the top left over width and height"),
        Choice::new(
            Some(RenderMode::NineSlice),
            "Nine-slice",
            "Corners as they are, edges and middle stretched",
        ),
    ];
    if let Some(Some(mode)) = segments(ui, mode, &choices) {
        set(Property::Mode(mode), true);
    }
    labelled(ui, "Tint", ROW_HEIGHT, |ui| {
        let tint = common(sprites.iter().map(|sprite| sprite.tint));
        if let Some(color) = color_button(ui, "Tint", tint.unwrap_or(Color::WHITE)) {
            set(Property::Tint(color), false);
        }
        if tint.is_none() {
            ui.weak("mixed");
        }
    });
    labelled(ui, "Flip", ROW_HEIGHT, |ui| {
        let across = common(sprites.iter().map(|sprite| sprite.flip_horizontal));
        if let Some(is_on) = check(ui, "Across", "Mirrored left to right", across) {
            set(Property::FlipHorizontal(is_on), true);
        }
        let down = common(sprites.iter().map(|sprite| sprite.flip_vertical));
        if let Some(is_on) = check(ui, "Down", "Mirrored top to bottom", down) {
            set(Property::FlipVertical(is_on), true);
        }
    });
    let mut seals = Vec::new();
    if sprites.iter().any(|sprite| sprite.mode != RenderMode::Normal) {
        let rects = RowRects::next(ui);
        rects.words(ui, "Size", "In metres, tiled or nine-slice; 0 is the sprite's own");
        let width = common(sprites.iter().map(|sprite| sprite.width));
        if let Some(metres) = metres(ui, "Sprite width", rects.first, width, keys, &mut seals) {
            set(Property::Width(metres), false);
        }
        let height = common(sprites.iter().map(|sprite| sprite.height));
        if let Some(metres) = metres(ui, "Sprite height", rects.second, height, keys, &mut seals) {
            set(Property::Height(metres), false);
        }
    }
    let rects = RowRects::next(ui);
    rects.words(ui, "Sorting", "Sorting order: higher is drawn later, whatever the tree says");
    let order = common(sprites.iter().map(|sprite| sprite.sorting_order)).map(|order| order as f32);
    let mut place = child(ui, "Sorting order", rects.first, keys);
    let changed =
        numbers::field(&mut place, "Sorting order", order, -32_768.0..=32_767.0, (0.1, ""), &mut seals);
    if let Some(order) = changed {
        set(Property::SortingOrder(order.round() as i32), false);
    }
    let ignores = common(sprites.iter().map(|sprite| sprite.ignore_clip));
    if let Some(is_on) = check(ui, "Ignore clipping", "Drawn whatever clips it", ignores) {
        set(Property::IgnoreClip(is_on), true);
    }
    actions.append(&mut seals);
}

fn child(ui: &mut Ui, name: &str, rect: egui::Rect, keys: &[ObjectKey]) -> Ui {
    let salt = (name.to_owned(), keys.first().map(|key| key.0));
    let mut place = ui.new_child(egui::UiBuilder::new().id_salt(salt).max_rect(rect));
    place.spacing_mut().interact_size = rect.size();
    place
}

fn metres(
    ui: &mut Ui,
    name: &str,
    rect: egui::Rect,
    value: Option<f32>,
    keys: &[ObjectKey],
    seals: &mut Vec<Action>,
) -> Option<f32> {
    let mut place = child(ui, name, rect, keys);
    numbers::field(&mut place, name, value, 0.0..=LARGE, (0.0625, "m"), seals)
}

/// A switch that may be mixed. What it is to be, when it was pressed.
fn check(ui: &mut Ui, name: &str, explanation: &str, value: Option<bool>) -> Option<bool> {
    let mut is_on = value.unwrap_or(false);
    let response = ui.add(Checkbox::new(&mut is_on, name).indeterminate(value.is_none()));
    response.on_hover_text(explanation).clicked().then_some(value != Some(true))
}
