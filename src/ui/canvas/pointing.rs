//! What the pointer is at on the canvas and what a click there does; the same for whoever goes by names instead.

use eframe::egui;
use egui::accesskit::Action as Asked;
use egui::{CursorIcon, PointerButton, Response, Role, Sense, Ui, WidgetInfo};

use super::Canvas;
use super::drag::Drag;
use super::editing::Scene;
use super::tool::Tool;
use super::view::Placement;
use crate::geometry::PixelRect;
use crate::model::FrameId;
use crate::session::{Action, Command, Document, SelectMode, Session, StoredPixel, Tiled as _};
use crate::ui::Hover;

/// More frames than this are not all told to screen readers, only the selected and the hovered ones.
const MAX_TOLD_FRAMES: usize = 300;
/// What is under the pointer, for the status bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointerInfo {
    /// Image pixels from the left edge.
    pub x: i64,
    /// Image pixels from the top edge.
    pub y: i64,
    /// Straight RGBA; `None` in images too large to be kept whole.
    pub color: Option<[u8; 4]>,
    /// What is stored there; `None` while that is not known.
    pub stored: Option<StoredPixel>,
}

impl Canvas {
    /// What the pointer is at, and what a press there does.
    #[expect(clippy::too_many_arguments, reason = "the parts of one pass")]
    pub(super) fn point_and_click(
        &mut self,
        ui: &Ui,
        response: &Response,
        placement: &Placement,
        session: &Session,
        document: &Document,
        hover: &mut Hover,
        actions: &mut Vec<Action>,
    ) {
        if self.over.picks_color {
            self.pick_color(ui, response, placement, document);
            return;
        }
        let hand = self.gestures.cursor();
        let before = self.editing.wand_rect();
        let look = if self.nine_slice.is_on() {
            self.editing.leave();
            self.nine_slice.follow(ui, response, placement, document, hand.is_some(), actions)
        } else {
            let scene = Scene { session, document, frames: &self.frames, placement };
            self.editing.follow(ui, response, scene, hand.is_some(), actions)
        };
        let draft = self.editing.drag().map(Drag::draft).unwrap_or_default();
        if self.editing.is_dragging() {
            self.frames.set_draft(&draft);
        }
        if self.editing.is_dragging() || self.editing.wand_rect() != before {
            // What was drawn is a pass behind.
            ui.request_repaint();
        }
        let pos = response.hover_pos().filter(|_| response.contains_pointer());
        let Some(pos) = pos else { return };
        let (x, y) = placement.pixel_at(pos);
        let hit = self.frames.at(x, y).and_then(|position| self.frames.get(position)).map(|frame| frame.id);
        if let Some(picture) = self.picture_of(&document.path)
            && PixelRect::of_image(picture.size()).contains(x, y)
        {
            self.pointer = Some(PointerInfo { x, y, color: picture.color_at(x, y), stored: None });
        }
        if let Some(cursor) = hand.or(look) {
            ui.set_cursor_icon(cursor);
        }
        if hand.is_some() || self.editing.is_dragging() || self.nine_slice.has_pointer() {
            return;
        }
        if let Some(id) = hit {
            hover.set(&document.path, id);
        }
        if self.editing.tool != Tool::Select {
            return;
        }
        if response.double_clicked() && hit.is_none() {
            self.commands.push(Command::Fit);
            ui.request_repaint();
        } else if response.clicked_by(PointerButton::Primary) {
            match hit {
                Some(id) => actions.push(Action::Select(document.path.clone(), id, select_mode(ui))),
                None if !self.frames.selection().is_empty() => actions.push(Command::Deselect.into()),
                None => {}
            }
        }
    }

    /// The eyedropper: a click takes the colour under the pointer.
    fn pick_color(&mut self, ui: &Ui, response: &Response, placement: &Placement, document: &Document) {
        let pos = response.hover_pos().filter(|_| response.contains_pointer());
        let Some(pos) = pos else { return };
        let (x, y) = placement.pixel_at(pos);
        let Some(picture) = self.picture_of(&document.path) else { return };
        let color = picture.color_at(x, y);
        if PixelRect::of_image(picture.size()).contains(x, y) {
            self.pointer = Some(PointerInfo { x, y, color, stored: None });
        }
        ui.set_cursor_icon(CursorIcon::Crosshair);
        if response.clicked_by(PointerButton::Primary)
            && let Some([red, green, blue, _]) = color
        {
            self.over.picked = Some([red, green, blue]);
        }
    }

    /// Gives the frames that show a name for screen readers and tests; the one that was pressed by name.
    pub(super) fn tell_frames(
        &self,
        ui: &Ui,
        response: &Response,
        placement: &Placement,
        in_view: &[usize],
        hover: &Hover,
        document: &Document,
    ) -> Option<FrameId> {
        // Nobody listens: spare the widgets.
        ui.accesskit_node_builder(response.id, |_| ())?;
        let frames = &self.frames;
        let hovered = hover.of_sheet(&document.path).and_then(|id| frames.position(id));
        let is_few = in_view.len() <= MAX_TOLD_FRAMES;
        let is_told =
            |position: &usize| is_few || hovered == Some(*position) || frames.is_selected(*position);
        let told = in_view.iter().copied().filter(is_told);
        let mut pressed = None;
        for position in told.take(MAX_TOLD_FRAMES) {
            let (Some(frame), Some(rect)) = (frames.get(position), frames.rects().get(position)) else {
                continue;
            };
            let rect = placement.rect_on_screen(*rect).intersect(response.rect);
            if !rect.is_positive() {
                continue;
            }
            // It only has a name: the canvas takes the pointer, so that overlapping frames are told apart.
            let id = ui.make_persistent_id(("frame", position));
            let response = ui.interact(rect, id, Sense::hover());
            let is_selected = frames.is_selected(position);
            response.widget_info(|| {
                let label = frame_label("Frame", position, &frame.name);
                WidgetInfo::selected(Role::ListBoxOption, true, is_selected, label)
            });
            ui.accesskit_node_builder(id, |node| node.add_action(Asked::Click));
            if ui.input(|input| input.has_accesskit_action_request(id, Asked::Click)) {
                pressed = Some(frame.id);
            }
        }
        pressed
    }
}

/// How a click changes the selection, by the keys that are held.
pub fn select_mode(ui: &Ui) -> SelectMode {
    let modifiers = ui.input(|input| input.modifiers);
    if modifiers.command {
        SelectMode::Toggle
    } else if modifiers.shift {
        SelectMode::Extend
    } else {
        SelectMode::Replace
    }
}

/// "Frame 12", or with the name behind it.
pub fn frame_label(what: &str, position: usize, name: &str) -> String {
    if name.is_empty() { format!("{what} {position}") } else { format!("{what} {position} {name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_called_by_its_position_and_its_name() {
        assert_eq!(frame_label("Frame", 12, ""), "Frame 12");
        assert_eq!(frame_label("Strip frame", 3, "walk_03"), "Strip frame 3 walk_03");
    }
}
