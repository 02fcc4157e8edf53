//! The strip: the current sheet's frames in a row, in their order, to select and to put in another order. Only the
//! thumbnails that show are looked at, so that a sheet with as many frames as a texture can hold scrolls like one
//! with ten.

mod drag;
mod menu;
mod order;
mod row;
mod slots;
pub mod thumbnail;

use std::collections::HashSet;
use std::sync::Arc;

use eframe::egui;
use egui::{EventFilter, Id, Key, Label, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo};

use super::canvas::{Canvas, Frames};
use super::{Hover, UiState, moved, theme, widgets};
use crate::model::FrameId;
use crate::session::{Action, Document, Move, SelectMode, Session};
use drag::Drag;
use order::OrderHint;
use row::{Place, Row};
use slots::Slots;

/// The strip's own state.
#[derive(Default)]
pub struct Strip {
    sheet: Option<Arc<str>>,
    /// The selection that was last seen.
    selection: Vec<FrameId>,
    /// Points that are scrolled by.
    offset: f32,
    /// Where to scroll to in the next pass.
    scroll_to: Option<f32>,
    drag: Option<Drag>,
    hint: OrderHint,
    /// Where the row was drawn in this pass.
    place: Option<Place>,
}

impl Strip {
    /// The sheet that is shown has another path.
    pub fn files_moved(&mut self, moves: &[Move]) {
        moved::follow_some(moves, &mut self.sheet);
    }

    /// Where the caption of a frame is on the screen, if all of it shows.
    pub fn caption(&self, position: usize) -> Option<Rect> {
        self.place?.caption(position)
    }

    /// Where the strip, and the canvas above it, end at the right.
    pub fn right_edge(&self) -> Option<f32> {
        Some(self.place?.view.right())
    }
}

/// Draws the strip.
pub fn ui(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let UiState { strip, canvas, hover, .. } = state;
    strip.place = None;
    let Some(document) = session.current() else { return };
    canvas.sync(document);
    if canvas.frames().is_empty() {
        if document.is_ready() && canvas.picture_of(&document.path).is_some() {
            empty(ui);
        }
        return;
    }
    strip.hint.follow(document);
    header(ui, canvas.frames(), &strip.hint);
    strip.row(ui, session, document, canvas, hover, actions);
}

/// "48 frames, 3 selected", and once what becomes of references.
fn header(ui: &mut Ui, frames: &Frames, hint: &OrderHint) {
    let selected = frames.selection().len();
    let count = widgets::count_text(frames.len(), "frame");
    let text = if selected > 0 { format!("{count}, {selected} selected") } else { count };
    let small = |text: &str, color| Label::new(RichText::new(text).small().color(color)).selectable(false);
    let palette = theme::palette(ui);
    ui.scope(|ui| {
        // As high as one line of small text, so that the row below keeps its room.
        ui.spacing_mut().interact_size.y = 0.0;
        ui.horizontal(|ui| {
            ui.add(small(&text, palette.weak_text));
            if let Some(words) = hint.words() {
                ui.add(small("·", palette.weak_text));
                ui.add(small(words, palette.text));
            }
        });
    });
}

fn empty(ui: &mut Ui) {
    let color = theme::palette(ui).weak_text;
    ui.centered_and_justified(|ui| {
        let text = "No frames yet. Set a cell size on the right to cut the sheet.";
        ui.add(Label::new(RichText::new(text).color(color)).wrap().selectable(false));
    });
}

impl Strip {
    fn row(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        document: &Document,
        canvas: &mut Canvas,
        hover: &mut Hover,
        actions: &mut Vec<Action>,
    ) {
        let view = ui.available_rect_before_wrap();
        let row = Row::new(view.height(), canvas.frames(), ui.pixels_per_point());
        self.follow(ui, document, canvas.frames(), row, view.width());
        let focus = self.take_keys(ui, document, canvas, row, view, actions);
        ui.style_mut().always_scroll_the_only_direction = true;
        let mut area = ScrollArea::horizontal().id_salt(&*document.path).auto_shrink(false);
        if let Some(offset) = self.scroll_to.take() {
            area = area.horizontal_scroll_offset(offset);
        }
        let mut place = Place { row, view, offset: self.offset };
        let drag = self.drag.as_ref();
        let output = area.show_viewport(ui, |ui, viewport| {
            ui.set_width(row.width());
            ui.set_height(row.slot.y);
            place.offset = viewport.left();
            let shown = row.shown(viewport.left(), viewport.width());
            if let Some(drag) = drag.filter(|drag| !shown.contains(&drag.grabbed)) {
                slots::hold(ui, focus, drag.grabbed);
            }
            let mut slots = Slots { ui, session, document, place, focus, drag, grabbed: None };
            for position in shown {
                slots.slot(position, canvas, hover, actions);
            }
            slots.grabbed
        });
        self.offset = output.state.clamped_offset().x;
        self.place = Some(place);
        if let Some(grabbed) = output.inner {
            self.drag = Some(Drag::of(grabbed, canvas.frames()));
        }
        self.drag_on(ui, session, document, canvas, focus, actions);
    }

    /// Shows where a drag would put its frames, or puts them there when it has ended.
    fn drag_on(
        &mut self,
        ui: &Ui,
        session: &Session,
        document: &Document,
        canvas: &mut Canvas,
        focus: Id,
        actions: &mut Vec<Action>,
    ) {
        let (Some(drag), Some(place)) = (self.drag.take(), self.place) else { return };
        let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else { return };
        if !drag.is_true_of(canvas.frames()) {
            return;
        }
        if ui.dragged_id() == Some(slots::slot_id(focus, drag.grabbed)) {
            drag.paint(ui, &place, pointer, canvas, session, document);
            if let Some(offset) = drag::scrolled(ui, &place, pointer) {
                self.scroll_to = Some(offset);
                ui.request_repaint();
            }
            self.drag = Some(drag);
        } else if !ui.input(|input| input.pointer.primary_down()) {
            drag.drop_at(&place, pointer, actions);
        }
        // Else Escape ended it while the button is still down.
    }

    /// Shows what was selected elsewhere.
    fn follow(&mut self, ui: &Ui, document: &Document, frames: &Frames, row: Row, width: f32) {
        if self.sheet.as_ref() != Some(&document.path) {
            // Where this sheet was scrolled to is known in the next pass.
            self.sheet = Some(document.path.clone());
            self.selection.clear();
            self.drag = None;
            ui.request_repaint();
            return;
        }
        if self.selection == frames.selection() {
            return;
        }
        let before: HashSet<FrameId> = self.selection.drain(..).collect();
        self.selection.extend_from_slice(frames.selection());
        let added =
            self.selection.iter().filter(|id| !before.contains(id)).filter_map(|id| frames.position(*id));
        let added: Vec<usize> = added.collect();
        let shown = row.shown(self.offset, width);
        if let Some(first) = added.first()
            && !added.iter().any(|position| shown.contains(position))
        {
            self.scroll_to = row.offset_showing(*first, self.offset, width);
        }
    }

    /// Left and Right select the neighbour while the strip has the keyboard, Home and End the first and the last.
    /// Its id.
    fn take_keys(
        &mut self,
        ui: &Ui,
        document: &Document,
        canvas: &Canvas,
        row: Row,
        view: Rect,
        actions: &mut Vec<Action>,
    ) -> Id {
        let id = ui.make_persistent_id("frame strip");
        let response = ui.interact(view, id, Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(Role::ListBox, true, "Frame strip"));
        if !response.has_focus() {
            return id;
        }
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        let frames = canvas.frames();
        let current = frames.selection().last().and_then(|id| frames.position(*id));
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        let to = if pressed(Key::ArrowRight) {
            current.map_or(Some(0), |current| Some(current + 1))
        } else if pressed(Key::ArrowLeft) {
            current.and_then(|current| current.checked_sub(1))
        } else if pressed(Key::Home) {
            Some(0)
        } else if pressed(Key::End) {
            frames.len().checked_sub(1)
        } else {
            None
        };
        if let Some(to) = to
            && let Some(frame) = frames.get(to)
        {
            let mode = if ui.input(|input| input.modifiers.shift) {
                SelectMode::Extend
            } else {
                SelectMode::Replace
            };
            actions.push(Action::Select(document.path.clone(), frame.id, mode));
            self.scroll_to = row.offset_showing(to, self.offset, view.width());
        }
        id
    }
}

#[cfg(test)]
mod tests;
