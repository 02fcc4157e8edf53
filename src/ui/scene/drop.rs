//! Frames and sheets that are let go over the canvas or the tree: what becomes of them.

use std::sync::Arc;

use eframe::egui;
use egui::{Area, Frame, Id, Key, Order, Popup, Response, Ui, pos2};

use super::place::Place;
use crate::edit::{Inserted, Place as TreePlace, SceneEdit};
use crate::model::scene::{Object, ObjectKey, Point, Property, Transform};
use crate::runtime::texture::PIXELS_PER_METER;
use crate::session::{Action, SceneDocument, Session};
use crate::ui::carry::{Carried, Carry, Item};
use crate::ui::widgets;

/// From one object of a row to the next when nobody knows how wide it is, in metres.
const USUAL_STEP: f32 = 2.0;

/// Something that was let go over the canvas.
pub(super) struct Dropped {
    items: Vec<Item>,
    at: Point,
    on_screen: egui::Pos2,
}

/// What was let go and waits for the answer whether it is several objects or one.
#[derive(Default)]
pub(super) struct Several {
    dropped: Option<Dropped>,
}

/// Offers the canvas to what is dragged; what was let go over it.
pub(super) fn on_canvas(
    ui: &Ui,
    carry: &mut Carry,
    response: &Response,
    place: Place,
    session: &Session,
) -> Option<Dropped> {
    let is_ready = session.scene().is_some_and(SceneDocument::is_ready);
    let carried = carry.target(ui, response, |carried| {
        let items = carried.sprites()?;
        match items {
            _ if !is_ready => Err("The scene cannot be edited".to_owned()),
            [item] => Ok(format!("New object: {}", item.name)),
            items => Ok(format!("{} sprites: in a row, or as one object", items.len())),
        }
    })?;
    let on_screen = ui.input(|input| input.pointer.interact_pos())?;
    let Carried::Sprites { items, .. } = &*carried else { return None };
    Some(Dropped { items: items.clone(), at: place.world(on_screen), on_screen })
}

/// Makes an object of one thing that was let go; of several only after a question.
pub(super) fn take(
    dropped: Dropped,
    several: &mut Several,
    session: &Session,
    document: &SceneDocument,
    actions: &mut Vec<Action>,
) {
    if dropped.items.len() > 1 {
        several.dropped = Some(dropped);
    } else {
        actions.extend(in_a_row(&dropped, session, document));
    }
}

/// On a whole pixel, so that the art is not between two.
fn on_pixel(metres: f64) -> f32 {
    (metres as f32 * PIXELS_PER_METER).round() / PIXELS_PER_METER
}

/// An object for each, side by side.
fn in_a_row(dropped: &Dropped, session: &Session, document: &SceneDocument) -> Option<Action> {
    let mut x = on_pixel(dropped.at.x);
    let y = on_pixel(dropped.at.y);
    let mut objects: Vec<Arc<Object>> = Vec::new();
    let mut half_before = 0.0;
    for (index, item) in dropped.items.iter().enumerate() {
        let width = item.part.map_or(USUAL_STEP, |part| part.width as f32 / PIXELS_PER_METER);
        if index > 0 {
            x += half_before + width / 2.0;
        }
        half_before = width / 2.0;
        let transform = Transform { x: on_pixel(x.into()), y, ..Transform::default() };
        objects.push(session.object_of(&item.reference, transform));
    }
    let edit = SceneEdit::Insert(Inserted::Drop, objects, TreePlace::end_of(None));
    document.is_ready().then_some(Action::EditScene(edit))
}

/// One object with a sprite for each.
fn as_one(dropped: &Dropped, session: &Session) -> Option<Action> {
    let (first, rest) = dropped.items.split_first()?;
    let transform =
        Transform { x: on_pixel(dropped.at.x), y: on_pixel(dropped.at.y), ..Transform::default() };
    let mut object = Object::clone(&session.object_of(&first.reference, transform));
    for item in rest {
        object.add_sprite(&item.reference);
    }
    let edit = SceneEdit::Insert(Inserted::Drop, vec![Arc::new(object)], TreePlace::end_of(None));
    Some(Action::EditScene(edit))
}

/// The question about several things, where they were let go.
pub(super) fn ui(ui: &Ui, session: &Session, several: &mut Several, actions: &mut Vec<Action>) {
    let Some(dropped) = &several.dropped else { return };
    let count = dropped.items.len();
    let corner = dropped.on_screen + egui::vec2(4.0, 4.0);
    let id = Id::unique("several sprites were dropped");
    // Escape is for the question, not for the selection.
    Popup::open_id(ui, id);
    let area = Area::new(id)
        .order(Order::Foreground)
        .fixed_pos(pos2(corner.x, corner.y))
        .constrain_to(ui.content_rect());
    let shown = area.show(ui, |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            let row = ui.add(widgets::primary_button(ui, &format!("{count} objects in a row")));
            let row = row.on_hover_text("An object for each, side by side (Enter)");
            let one = ui.button(format!("One object with {count} sprites"));
            let one = one.on_hover_text("They lie on each other, in their order");
            (row.clicked(), one.clicked())
        })
    });
    let (is_row, is_one) = shown.inner.inner;
    let (is_entered, is_escaped) = ui.input_mut(|input| {
        let none = egui::Modifiers::NONE;
        (input.consume_key(none, Key::Enter), input.consume_key(none, Key::Escape))
    });
    let document = session.scene().filter(|document| document.is_ready());
    if is_row || is_entered {
        actions.extend(document.and_then(|document| in_a_row(dropped, session, document)));
    } else if is_one {
        actions.extend(document.and_then(|_| as_one(dropped, session)));
    }
    let is_left = ui.input(|input| input.pointer.any_pressed()) && !shown.response.contains_pointer();
    if is_row || is_entered || is_one || is_escaped || is_left || document.is_none() {
        Popup::close_id(ui, id);
        several.dropped = None;
    }
}

/// Offers something that shows one object, or several that are selected, to what is dragged: it becomes their sprite.
pub(super) fn on_objects(
    ui: &Ui,
    carry: &mut Carry,
    response: &Response,
    keys: &[ObjectKey],
    name: &str,
    actions: &mut Vec<Action>,
) {
    let carried = carry.target(ui, response, |carried| {
        let items = carried.sprites()?;
        match items {
            [item] => Ok(format!("Set sprite of {name}: {}", item.name)),
            _ => Err("An object has one sprite: drag a single frame or sheet".to_owned()),
        }
    });
    let Some(carried) = carried else { return };
    if let Ok([item]) = carried.sprites() {
        let property = Property::Sprite(item.reference.clone());
        super::push_step(actions, SceneEdit::SetProperty(keys.to_vec(), property));
    }
}
