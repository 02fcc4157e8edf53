//! The properties of the selected objects, or of the scene while none is selected.

use std::sync::Arc;

use eframe::egui;
use egui::{Checkbox, ScrollArea, TextEdit, Ui};
use egui_material_icons::icons::ICON_ADD_PHOTO_ALTERNATE;

use super::numbers::{self, common};
use super::{sprite, tree};
use crate::edit::{Moved, SceneEdit};
use crate::geometry::Size;
use crate::model::scene::{Color, Object, ObjectKey, Transform, Value};
use crate::session::{Action, Command, SceneDocument, Session};
use crate::ui::inspector::rows::{RowRects, escapes};
use crate::ui::inspector::{labelled, part_title, weak};
use crate::ui::theme::{BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::{UiState, theme, widgets};

/// No scene is larger, in metres.
const FAR: f64 = 1.0e6;

/// The panel.
pub(super) fn ui(
    ui: &mut Ui,
    session: &Session,
    document: &SceneDocument,
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    let mut asked = Vec::new();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let selected = document.selected();
        if selected.is_empty() {
            scene(ui, document, &mut asked);
        } else {
            objects(ui, &selected, state, &mut asked);
            sprite::ui(ui, session, &selected, state, &mut asked);
            others(ui, &selected);
        }
    });
    // What was typed here is for what was selected, also when this pass asks for another selection.
    actions.splice(0..0, asked);
}

/// What the scene says of itself.
fn scene(ui: &mut Ui, document: &SceneDocument, actions: &mut Vec<Action>) {
    let scene = document.scene();
    part_title(ui, "Scene", document.file_name());
    labelled(ui, "Name", ROW_HEIGHT, |ui| {
        let mut name = scene.name().to_owned();
        let field = TextEdit::singleline(&mut name).id_salt("scene name").desired_width(ui.available_width());
        let response = ui.add(field).accessible_name("Scene name");
        if response.changed() {
            actions.push(Action::EditScene(SceneEdit::SetName(name.into())));
        }
        if response.lost_focus() {
            actions.push(Action::Seal);
        }
    });
    let size = scene.size();
    let rects = RowRects::next(ui);
    rects.words(ui, "Picture", "What a screen of this size shows, in pixels; 16 are a metre");
    let sides = [("Picture width", size.width, rects.first), ("Picture height", size.height, rects.second)];
    for (index, (name, side, rect)) in sides.into_iter().enumerate() {
        let mut side = side;
        let mut place = ui.new_child(egui::UiBuilder::new().max_rect(rect));
        place.spacing_mut().interact_size = rect.size();
        let field = widgets::number_field(&mut place, name, &mut side, 1..=4096, "px");
        if field.changed {
            let size = if index == 0 { Size::new(side, size.height) } else { Size::new(size.width, side) };
            actions.push(Action::EditScene(SceneEdit::SetSize(size)));
        }
        if field.finished {
            actions.push(Action::Seal);
        }
    }
    labelled(ui, "Colour", ROW_HEIGHT, |ui| {
        if let Some(color) = color_button(ui, "Background colour", scene.clear_color()) {
            actions.push(Action::EditScene(SceneEdit::SetClearColor(color)));
        }
    });
    ui.add_space(BETWEEN);
    weak(ui, "Select an object in the tree or on the canvas to see its properties.");
}

/// A colour to choose. The chosen one, when it changed.
pub(super) fn color_button(ui: &mut Ui, name: &str, color: Color) -> Option<Color> {
    let mut rgba = color.0;
    let response = ui.color_edit_button_srgba_unmultiplied(&mut rgba).accessible_name(name);
    let [red, green, blue, alpha] = rgba;
    let text = egui::RichText::new(format!("#{red:02X}{green:02X}{blue:02X} {alpha}")).monospace();
    ui.add(egui::Label::new(text).selectable(false));
    response.on_hover_text(name);
    (rgba != color.0).then_some(Color(rgba))
}

fn keys_of(selected: &[&Arc<Object>]) -> Vec<ObjectKey> {
    selected.iter().map(|object| object.key).collect()
}

/// Name, whether they are shown, place and order of drawing.
fn objects(ui: &mut Ui, selected: &[&Arc<Object>], state: &mut UiState, actions: &mut Vec<Action>) {
    let keys = keys_of(selected);
    let title = match selected {
        [_] => "Object".to_owned(),
        _ => widgets::count_text(selected.len(), "object"),
    };
    part_title(ui, &title, "");
    name(ui, selected, &keys, state, actions);
    labelled(ui, "Shown", ROW_HEIGHT, |ui| {
        let is_active = common(selected.iter().map(|object| object.is_active()));
        let mut checked = is_active.unwrap_or(false);
        let box_ = Checkbox::without_text(&mut checked).indeterminate(is_active.is_none());
        let response = ui.add(box_).accessible_name("Shown");
        if response.on_hover_text("Whether the objects, and all below them, are drawn").clicked() {
            actions.push(Action::EditScene(SceneEdit::SetActive(keys.clone(), is_active != Some(true))));
            actions.push(Action::Seal);
        }
    });
    let rows: [(&str, &str, [Field; 2]); 2] = [
        (
            "Position",
            "In the parent, in metres; 16 pixels are a metre. What is typed goes to all",
            [Field::X, Field::Y],
        ),
        ("Scale", "1 is the sprite's own size; negative mirrors", [Field::ScaleX, Field::ScaleY]),
    ];
    for (word, explanation, fields) in rows {
        let rects = RowRects::next(ui);
        rects.words(ui, word, explanation);
        for (field, rect) in fields.into_iter().zip([rects.first, rects.second]) {
            transform_field(ui, field, rect, selected, actions);
        }
    }
    let rects = RowRects::next(ui);
    rects.words(ui, "Rotation", "In degrees, against the clock");
    transform_field(ui, Field::Rotation, rects.first, selected, actions);
    let rects = RowRects::next(ui);
    rects.words(ui, "Order", "Among sprites of the same sorting order: higher is drawn later");
    let mut place = ui.new_child(egui::UiBuilder::new().max_rect(rects.first));
    place.spacing_mut().interact_size = rects.first.size();
    let order = common(selected.iter().map(|object| object.sort_order()));
    let shown = order.map(|order| order as f32);
    if let Some(order) = numbers::field(&mut place, "Order", shown, -32_768.0..=32_767.0, (0.1, ""), actions)
    {
        actions.push(Action::EditScene(SceneEdit::SetSortOrder(keys, order.round() as i32)));
    }
}

fn name(
    ui: &mut Ui,
    selected: &[&Arc<Object>],
    keys: &[ObjectKey],
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    let form = &mut state.scene.form;
    labelled(ui, "Name", ROW_HEIGHT, |ui| {
        let shared = common(selected.iter().map(|object| object.name()));
        let mut text = match &form.name {
            Some((whose, text)) if whose == keys => text.clone(),
            _ => shared.unwrap_or_default().to_owned(),
        };
        let hint = if shared.is_none() { "mixed" } else { "none" };
        let field = TextEdit::singleline(&mut text)
            .id_salt(("object name", keys.first().map(|key| key.0)))
            .desired_width(ui.available_width())
            .hint_text(hint);
        let response = ui.add(field).accessible_name("Object name");
        if response.changed() {
            form.name = Some((keys.to_vec(), text));
        }
        if response.lost_focus()
            && let Some((whose, text)) = form.name.take()
            && !escapes(ui)
        {
            actions.push(Action::EditScene(SceneEdit::Rename(whose, text.trim().into())));
            actions.push(Action::Seal);
        }
    });
}

/// A number of a transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    X,
    Y,
    Rotation,
    ScaleX,
    ScaleY,
}

impl Field {
    const fn name(self) -> &'static str {
        match self {
            Self::X => "X",
            Self::Y => "Y",
            Self::Rotation => "Rotation",
            Self::ScaleX => "Scale X",
            Self::ScaleY => "Scale Y",
        }
    }

    /// By how much a point of dragging changes it, and its unit.
    const fn speed(self) -> (f64, &'static str) {
        match self {
            Self::X | Self::Y => (0.0625, "m"),
            Self::Rotation => (1.0, "°"),
            Self::ScaleX | Self::ScaleY => (0.01, ""),
        }
    }

    const fn of(self, transform: &Transform) -> f32 {
        match self {
            Self::X => transform.x,
            Self::Y => transform.y,
            Self::Rotation => transform.rotation,
            Self::ScaleX => transform.scale_x,
            Self::ScaleY => transform.scale_y,
        }
    }

    const fn set(self, transform: Transform, number: f32) -> Transform {
        match self {
            Self::X => Transform { x: number, ..transform },
            Self::Y => Transform { y: number, ..transform },
            Self::Rotation => Transform { rotation: number, ..transform },
            Self::ScaleX => Transform { scale_x: number, ..transform },
            Self::ScaleY => Transform { scale_y: number, ..transform },
        }
    }
}

fn transform_field(
    ui: &mut Ui,
    field: Field,
    rect: egui::Rect,
    selected: &[&Arc<Object>],
    actions: &mut Vec<Action>,
) {
    let salt = (field.name(), selected.first().map(|object| object.key.0));
    let mut place = ui.new_child(egui::UiBuilder::new().id_salt(salt).max_rect(rect));
    place.spacing_mut().interact_size = rect.size();
    let value = common(selected.iter().map(|object| field.of(&object.transform())));
    let changed = numbers::field(&mut place, field.name(), value, -FAR..=FAR, field.speed(), actions);
    if let Some(number) = changed {
        let places = selected.iter().map(|object| (object.key, field.set(object.transform(), number)));
        actions.push(Action::EditScene(SceneEdit::SetTransforms(Moved::Type, places.collect())));
    }
}

/// Components that are other programs' business, to be read only.
fn others(ui: &mut Ui, selected: &[&Arc<Object>]) {
    let [object] = selected else { return };
    let shown = object.sprite().map(|(index, _)| index);
    for (index, component) in
        object.components().iter().enumerate().filter(|(index, _)| Some(*index) != shown)
    {
        let name = object.component_names().nth(index).unwrap_or("?");
        part_title(ui, name, "kept as it is");
        ui.indent(("component", index), |ui| entries(ui, component.get("data").unwrap_or(component)));
    }
}

/// The keys and values of a map, one line each.
fn entries(ui: &mut Ui, value: &Value) {
    for (key, value) in value.entries().into_iter().flatten() {
        let words = format!("{}: {}", key.as_text().unwrap_or("?"), short(value));
        let color = theme::palette(ui).weak_text;
        let text = egui::RichText::new(words).small().color(color);
        ui.add(egui::Label::new(text).truncate().selectable(false));
    }
}

/// A value in a few words.
fn short(value: &Value) -> String {
    use crate::model::scene::Data;
    match value.data() {
        Data::Nil => "none".to_owned(),
        Data::Bool(is_so) => is_so.to_string(),
        Data::Integer(number) => number.to_string(),
        Data::Real(number) => number.to_string(),
        Data::Text(text) => format!("\u{201c}{text}\u{201d}"),
        Data::List(items) => format!("{} values", items.len()),
        Data::Map(entries) => format!("{} entries", entries.len()),
        Data::Opaque(_) => "bytes".to_owned(),
    }
}

/// Beside a title when there is no sprite: a button that adds one.
pub(super) fn add_sprite(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    ui.add_space(INSIDE);
    if widgets::command_button(ui, session, Command::PickSprite, Some(ICON_ADD_PHOTO_ALTERNATE)) {
        actions.push(Command::PickSprite.into());
    }
}

/// What several objects are called together.
pub(super) fn words_for(selected: &[&Arc<Object>]) -> String {
    match selected {
        [object] => tree::shown_name(object).to_owned(),
        objects => widgets::count_text(objects.len(), "object"),
    }
}
