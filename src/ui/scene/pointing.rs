//! What the pointer and the arrow keys do on the canvas: selecting, and dragging by the tool that is active.

use std::collections::HashSet;

use eframe::egui;
use egui::{CursorIcon, Key, Modifiers, PointerButton, Pos2, Response, Ui};

use super::canvas::Reach;
use super::drag::{Drag, How, Sides};
use super::marks::MARK;
use super::place::{PIXELS_PER_METER, Place};
use super::snap::Targets;
use super::{SceneView, Tool, push_step};
use crate::edit::{SceneEdit, outermost};
use crate::model::Scene;
use crate::model::scene::{ObjectKey, Point};
use crate::runtime::{Bounds, Item, item_at};
use crate::session::{Action, Command, SceneDocument, SelectMode, Session};

/// A move catches within so many points of the screen.
const CATCHES: f64 = 6.0;
/// A press so near to a handle means it.
const HANDLE_REACH: f32 = 10.0;
/// Shift nudges by so many pixels.
const LONG_NUDGE: f32 = 16.0;

impl SceneView {
    /// The object at a point of the screen: the topmost picture, or the mark of one that draws nothing.
    fn object_at(&self, place: Place, scene: &Scene, pos: Pos2) -> Option<ObjectKey> {
        if let Some(item) = item_at(&self.stage.items, place.world(pos)) {
            return Some(item.object);
        }
        let plain = scene.walk().map(|(_, object)| object).filter(|object| object.sprite().is_none());
        let near = |key: ObjectKey| place.screen(scene.world_of(key).origin).distance(pos) <= MARK + 2.0;
        plain.map(|object| object.key).find(|key| near(*key))
    }

    pub(super) fn point(
        &mut self,
        ui: &Ui,
        response: &Response,
        place: Place,
        session: &Session,
        document: &SceneDocument,
        actions: &mut Vec<Action>,
    ) {
        let pos = response.interact_pointer_pos().or_else(|| response.hover_pos());
        self.stage.pointer = pos.map(|pos| place.world(pos)).map(|at| [at.x, at.y]);
        let hand = self.stage.gestures.cursor();
        if let Some(cursor) = hand {
            ui.set_cursor_icon(cursor);
        }
        let Some(pos) = pos else { return };
        let modifiers = ui.input(|input| input.modifiers);
        let handle =
            self.handles(place, document).into_iter().find(|(at, _)| at.distance(pos) <= HANDLE_REACH);
        if response.hovered() && hand.is_none() {
            let under = self.object_at(place, document.scene(), pos);
            let is_over = handle.is_some() || under.is_some_and(|key| document.is_selected(key));
            match self.tool {
                _ if handle.is_some() => ui.set_cursor_icon(CursorIcon::PointingHand),
                Tool::Select | Tool::Move if is_over => ui.set_cursor_icon(CursorIcon::Move),
                _ => {}
            }
        }
        if response.clicked() && hand.is_none() {
            self.click(place, document, pos, modifiers, actions);
        }
        if response.double_clicked() {
            let under = self.object_at(place, document.scene(), pos);
            self.commands.push(if under.is_some() { Command::FrameSelection } else { Command::Fit });
        }
        if response.drag_started_by(PointerButton::Primary) && hand.is_none() {
            let start = ui.input(|input| input.pointer.press_origin()).unwrap_or(pos);
            self.begin_drag(place, document, start, handle.map(|(_, sides)| sides), modifiers, actions);
        }
        self.go_on(ui, response, place, document, pos, modifiers, actions);
        response.context_menu(|ui| super::tree::menu(ui, session, actions));
        if response.secondary_clicked()
            && let Some(key) =
                self.object_at(place, document.scene(), pos).filter(|key| !document.is_selected(*key))
        {
            actions.push(Action::SelectObject(key, SelectMode::Replace));
        }
    }

    fn click(
        &self,
        place: Place,
        document: &SceneDocument,
        pos: Pos2,
        modifiers: Modifiers,
        actions: &mut Vec<Action>,
    ) {
        let adds = modifiers.shift || modifiers.command;
        match self.object_at(place, document.scene(), pos) {
            Some(key) => {
                let mode = if adds { SelectMode::Toggle } else { SelectMode::Replace };
                actions.push(Action::SelectObject(key, mode));
            }
            None if !adds => actions.push(Action::SelectObjects(Vec::new())),
            None => {}
        }
    }

    fn begin_drag(
        &mut self,
        place: Place,
        document: &SceneDocument,
        start: Pos2,
        handle: Option<Sides>,
        modifiers: Modifiers,
        actions: &mut Vec<Action>,
    ) {
        let scene = document.scene();
        let under = self.object_at(place, scene, start);
        let mut keys = document.history.selection().to_vec();
        let picks = self.tool == Tool::Select || keys.is_empty();
        if let Some(key) = under.filter(|key| picks && handle.is_none() && !keys.contains(key)) {
            keys = vec![key];
            actions.push(Action::SelectObject(key, SelectMode::Replace));
        } else if picks && handle.is_none() && under.is_none() {
            let before = if modifiers.shift || modifiers.command { keys } else { Vec::new() };
            self.stage.marquee = Some((place.world(start), before));
            return;
        }
        let how = match (self.tool, handle) {
            (_, Some(sides)) => How::Scale(sides),
            (Tool::Select | Tool::Move, _) => How::Move,
            (Tool::Scale, _) => How::Scale(Sides::BOTH),
            (Tool::Rotate, _) => {
                let Some(pivot) =
                    self.pivot(document).or_else(|| Some(scene.world_of(*keys.first()?).origin))
                else {
                    return;
                };
                How::Rotate(pivot)
            }
        };
        let keys = outermost(scene, &keys);
        self.gather(document, &keys);
        self.stage.drag = Some(Drag::new(how, place.world(start), scene, &keys));
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one pass")]
    fn go_on(
        &mut self,
        ui: &Ui,
        response: &Response,
        place: Place,
        document: &SceneDocument,
        pos: Pos2,
        modifiers: Modifiers,
        actions: &mut Vec<Action>,
    ) {
        let is_ended = response.drag_stopped();
        let is_given_up = !response.dragged() && !is_ended;
        if let Some((from, before)) = self.stage.marquee.clone() {
            if is_ended {
                let keys = self.touched(document.scene(), from, place.world(pos), before);
                actions.push(Action::SelectObjects(keys));
            }
            if is_ended || is_given_up {
                self.stage.marquee = None;
            }
            ui.request_repaint();
        }
        self.stage.guides.clear();
        let Some(mut drag) = self.stage.drag.take() else { return };
        if is_given_up {
            self.stage.items_made_of = None;
            ui.request_repaint();
            return;
        }
        let to = place.world(pos);
        if drag.how == How::Move {
            let way = drag.way(to, modifiers.shift);
            let way = if self.snaps && !modifiers.command { self.caught(place, way) } else { way };
            drag.move_by(way);
        } else {
            drag.drag_to(to, modifiers.shift);
        }
        if is_ended {
            if drag.changes() {
                push_step(actions, SceneEdit::SetTransforms(drag.step(), drag.places));
            }
            self.stage.items_made_of = None;
            self.stage.guides.clear();
        } else {
            self.stage.drag = Some(drag);
        }
        // What was drawn is a pass behind.
        ui.request_repaint();
    }

    /// Gathers what a move of these objects may catch on. Their pictures are where they were as long as nothing moves.
    fn gather(&mut self, document: &SceneDocument, keys: &[ObjectKey]) {
        let scene = document.scene();
        let moved = Reach::of(scene, keys, &HashSet::new()).inside;
        let half = |pixels: u32| f64::from(pixels) / 2.0 / PIXELS_PER_METER;
        let (x, y) = (half(scene.size().width), half(scene.size().height));
        let picture = Bounds { min: Point::new(-x, -y), max: Point::new(x, y) };
        let others = self.stage.items.iter().filter(|item| !moved.contains(&item.object)).map(Item::bounds);
        let targets = Targets::of(others.chain([picture]));
        self.stage.catching = self.bounds_of(scene, keys).map(|bounds| (bounds, targets));
    }

    /// A way that catches on the edges of what does not move.
    fn caught(&mut self, place: Place, way: Point) -> Point {
        let Some((bounds, targets)) = &self.stage.catching else { return way };
        let (way, guides) = targets.caught(*bounds, way, CATCHES * place.metres_per_point());
        self.stage.guides = guides;
        way
    }

    /// What a box touches, with what was selected before.
    fn touched(&self, scene: &Scene, from: Point, to: Point, before: Vec<ObjectKey>) -> Vec<ObjectKey> {
        let min = Point::new(from.x.min(to.x), from.y.min(to.y));
        let max = Point::new(from.x.max(to.x), from.y.max(to.y));
        let is_in = |Bounds { min: low, max: high }: Bounds| {
            low.x <= max.x && high.x >= min.x && low.y <= max.y && high.y >= min.y
        };
        let mut keys = before;
        let drawn = self.stage.items.iter().filter(|item| is_in(item.bounds())).map(|item| item.object);
        let plain = scene.walk().map(|(_, object)| object).filter(|object| object.sprite().is_none());
        let plain = plain.map(|object| object.key).filter(|key| {
            let origin = scene.world_of(*key).origin;
            is_in(Bounds { min: origin, max: origin })
        });
        for key in drawn.chain(plain) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// Arrow keys move the selected objects by a pixel, with Shift by a tile.
    pub(super) fn nudge(&self, ui: &Ui, document: &SceneDocument, actions: &mut Vec<Action>) {
        let is_free = ui.memory(|memory| memory.focused().is_none() && memory.top_modal_layer().is_none());
        if !is_free || document.history.selection().is_empty() || self.stage.drag.is_some() {
            return;
        }
        let keys = [
            (Key::ArrowLeft, [-1.0, 0.0]),
            (Key::ArrowRight, [1.0, 0.0]),
            (Key::ArrowUp, [0.0, 1.0]),
            (Key::ArrowDown, [0.0, -1.0]),
        ];
        for (key, [right, up]) in keys {
            for (modifiers, pixels) in [(Modifiers::SHIFT, LONG_NUDGE), (Modifiers::NONE, 1.0)] {
                let times = ui.input_mut(|input| input.count_and_consume_key(modifiers, key)) as f32;
                if times > 0.0 {
                    let metres = pixels * times / PIXELS_PER_METER as f32;
                    actions.push(Action::NudgeObjects { dx: right * metres, dy: up * metres });
                }
            }
        }
    }
}
