//! Zooming and panning by wheel, trackpad, buttons and keys, and when the view has come to rest.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui;
use egui::{CursorIcon, Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, Response, Ui, Vec2};

use super::view::{self, Screen, Viewpoint};
use crate::geometry::Size;

/// Keys for zoom levels, in device pixels per image pixel. 1 is a command of the table.
const ZOOM_KEYS: [(Key, f64); 5] =
    [(Key::Num2, 2.0), (Key::Num3, 4.0), (Key::Num4, 8.0), (Key::Num5, 16.0), (Key::Num6, 32.0)];
/// A pinch of this factor, or this many points of scrolling with Ctrl, is a step.
const PINCH_STEP: f32 = 1.25;
const POINTS_PER_STEP: f32 = 50.0;
/// The view has settled when it has not changed for so many seconds.
const SETTLES_AFTER: f64 = 0.3;

/// What the hands are doing.
#[derive(Default)]
pub(in crate::ui) struct Gestures {
    is_space_held: bool,
    is_panning: bool,
    /// The part of a zoom step that was turned already; up is positive.
    turned: f32,
    /// The sheet whose view is to be remembered, and when it last changed.
    changed: Option<(Arc<str>, f64)>,
}

/// What the wheel or trackpad asked for in a pass.
#[derive(Debug, Default, PartialEq)]
struct Scrolled {
    /// Points to pan by.
    pan: Vec2,
    /// Zoom steps, also parts of one; up is positive.
    steps: f32,
}

impl Gestures {
    /// Moves the view as the hands say; whether they did. `has_hand` is whether the primary button pans by itself.
    pub(in crate::ui) fn apply(
        &mut self,
        ui: &Ui,
        response: &Response,
        viewpoint: &mut Viewpoint,
        screen: Screen,
        image: Size,
        has_hand: bool,
    ) -> bool {
        let before = *viewpoint;
        self.drag(ui, response, viewpoint, screen, has_hand);
        if let Some(pos) = response.hover_pos().filter(|_| response.contains_pointer()) {
            let scrolled = ui.input(|input| scrolled(&input.events));
            *viewpoint = viewpoint.panned(scrolled.pan, screen);
            self.turn(scrolled.steps, viewpoint, pos, screen, image);
        }
        keys(ui, viewpoint, screen);
        *viewpoint != before
    }

    fn drag(
        &mut self,
        ui: &Ui,
        response: &Response,
        viewpoint: &mut Viewpoint,
        screen: Screen,
        has_hand: bool,
    ) {
        let is_typing = ui.text_edit_focused();
        self.is_space_held = !is_typing && ui.input(|input| input.key_down(Key::Space));
        // Space that comes while frames are dragged does not take the drag over.
        let has_hand = has_hand || self.is_panning || (self.is_space_held && response.drag_started());
        let is_hand = response.dragged_by(PointerButton::Middle)
            || (response.dragged_by(PointerButton::Primary) && has_hand);
        // Space may be let go before the button.
        self.is_panning = is_hand;
        if is_hand {
            *viewpoint = viewpoint.panned(response.drag_delta(), screen);
        }
    }

    fn turn(&mut self, steps: f32, viewpoint: &mut Viewpoint, pos: Pos2, screen: Screen, image: Size) {
        if steps == 0.0 {
            return;
        }
        if self.turned * steps < 0.0 {
            self.turned = 0.0;
        }
        self.turned += steps;
        // A notch may come in parts that do not add up exactly. At most a step is taken in a pass, so that each is
        // seen, also of a wheel that spins freely.
        self.turned = self.turned.clamp(-1.0, 1.0);
        if self.turned.abs() > 0.99 {
            let zoom = if self.turned > 0.0 {
                view::step_up(viewpoint.zoom)
            } else {
                view::step_down(viewpoint.zoom, Viewpoint::fitting(image, screen).zoom)
            };
            *viewpoint = viewpoint.zoomed_at(zoom, pos, screen);
            self.turned = 0.0;
        }
    }

    /// The pointer while Space is held or the image is dragged.
    pub(in crate::ui) fn cursor(&self) -> Option<CursorIcon> {
        if self.is_panning {
            Some(CursorIcon::Grabbing)
        } else {
            self.is_space_held.then_some(CursorIcon::Grab)
        }
    }

    /// Whether a drag would pan.
    pub(in crate::ui) fn is_space_held(&self) -> bool {
        self.is_space_held
    }

    /// The view of a sheet is another than before.
    pub(in crate::ui) fn view_changed(&mut self, path: &Arc<str>, now: f64) {
        self.changed = Some((path.clone(), now));
    }

    /// Whether a view that changed has come to rest; asks to be called again when that may be.
    pub(in crate::ui) fn has_settled(&self, ui: &Ui, response: &Response) -> bool {
        let Some((_, since)) = &self.changed else { return false };
        let rest = SETTLES_AFTER - (ui.input(|input| input.time) - since);
        if rest > 0.0 {
            ui.ctx().request_repaint_after(Duration::from_secs_f64(rest));
        }
        rest <= 0.0 && !response.dragged()
    }

    /// The sheet whose view is to be remembered, once.
    pub(in crate::ui) fn take_changed(&mut self) -> Option<Arc<str>> {
        self.changed.take().map(|(path, _)| path)
    }
}

/// Wheels zoom, two fingers pan, and with Ctrl both zoom. Taken from the events themselves: what egui sums up smooths
/// a notch over many passes and turns it into panning.
fn scrolled(events: &[Event]) -> Scrolled {
    let mut scrolled = Scrolled::default();
    for event in events {
        match event {
            Event::MouseWheel { unit: MouseWheelUnit::Point, delta, modifiers, .. } => {
                if modifiers.command || modifiers.ctrl {
                    scrolled.steps += delta.y / POINTS_PER_STEP;
                } else {
                    scrolled.pan += *delta;
                }
            }
            Event::MouseWheel { delta, modifiers, .. } => {
                // Some systems turn the wheel sideways while Shift is held.
                scrolled.steps += if modifiers.shift && delta.y == 0.0 { delta.x } else { delta.y };
            }
            Event::Zoom(factor) if *factor > 0.0 => scrolled.steps += factor.ln() / PINCH_STEP.ln(),
            _ => {}
        }
    }
    scrolled
}

fn keys(ui: &Ui, viewpoint: &mut Viewpoint, screen: Screen) {
    let is_elsewhere = ui.text_edit_focused() || ui.memory(|memory| memory.top_modal_layer().is_some());
    if is_elsewhere {
        return;
    }
    for (key, zoom) in ZOOM_KEYS {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            *viewpoint = viewpoint.zoomed_at(zoom, screen.rect.center(), screen);
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::{MouseWheelSource, TouchPhase, pos2, vec2};

    use super::*;

    fn wheel(unit: MouseWheelUnit, delta: Vec2, modifiers: Modifiers) -> Event {
        Event::MouseWheel {
            unit,
            delta,
            phase: TouchPhase::Move,
            source: MouseWheelSource::Unknown,
            modifiers,
        }
    }

    #[test]
    fn a_wheel_zooms_and_two_fingers_pan() {
        let notch = wheel(MouseWheelUnit::Line, vec2(0.0, 1.0), Modifiers::NONE);
        assert_eq!(scrolled(&[notch]), Scrolled { pan: Vec2::ZERO, steps: 1.0 });
        let fingers = wheel(MouseWheelUnit::Point, vec2(3.0, -7.0), Modifiers::NONE);
        assert_eq!(scrolled(&[fingers]), Scrolled { pan: vec2(3.0, -7.0), steps: 0.0 });
    }

    #[test]
    fn a_pinch_and_ctrl_with_two_fingers_zoom() {
        let fingers = wheel(MouseWheelUnit::Point, vec2(0.0, -50.0), Modifiers::COMMAND);
        assert_eq!(scrolled(&[fingers]), Scrolled { pan: Vec2::ZERO, steps: -1.0 });
        assert!((scrolled(&[Event::Zoom(1.25)]).steps - 1.0).abs() < 1e-6);
    }

    #[test]
    fn parts_of_a_notch_add_up_and_turning_back_begins_anew() {
        let screen = Screen {
            rect: egui::Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 400.0)),
            pixels_per_point: 1.0,
        };
        let mut view = Viewpoint { zoom: 1.0, center_in_image: [50.0, 50.0] };
        let mut gestures = Gestures::default();
        let mut turn = |steps| {
            gestures.turn(steps, &mut view, pos2(200.0, 200.0), screen, Size::new(100, 100));
            view.zoom
        };
        assert_eq!(turn(0.6), 1.0);
        assert_eq!(turn(0.6), 2.0);
        assert_eq!(turn(-0.7), 2.0);
        assert_eq!(turn(-0.3), 1.0);
        assert_eq!(turn(3.0), 2.0, "a step a pass");
    }
}
