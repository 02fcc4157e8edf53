//! The strip: the current sheet's frames in a row, in their order. Only the thumbnails that show are looked at,
//! so that a sheet with as many frames as a texture can hold scrolls like one with ten.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use eframe::egui;
use egui::{
    Align2, EventFilter, Id, Key, Label, Painter, Rect, RichText, Role, ScrollArea, Sense, Stroke,
    StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons::ICON_WARNING;

use super::canvas::{self, Canvas, Frames, frame_label, select_mode};
use super::{Hover, UiState, theme, widgets};
use crate::geometry::PixelRect;
use crate::model::FrameId;
use crate::session::{Action, Command, Document, SelectMode, Session};

/// Height of the line below a thumbnail.
const CAPTION_HEIGHT: f32 = 16.0;
/// Around a thumbnail within its slot.
const PADDING: f32 = 3.0;
/// Slots are no narrower, so that their captions can be read.
const MIN_SLOT: f32 = 36.0;
/// No narrower when frames have names.
const MIN_NAMED_SLOT: f32 = 64.0;

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
}

/// The measures of a row of equal slots, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    slot: Vec2,
    count: usize,
}

impl Row {
    /// As narrow as the frames allow: what is drawn of the largest fills its slot.
    fn new(height: f32, frames: &Frames, pixels_per_point: f32) -> Self {
        let least = if frames.has_names() { MIN_NAMED_SLOT } else { MIN_SLOT };
        let side = (height - CAPTION_HEIGHT).max(MIN_SLOT);
        let drawn = fitted_size(
            PixelRect::of_image(frames.largest()),
            Vec2::splat(side - 2.0 * PADDING),
            pixels_per_point,
        );
        let wide = (drawn.x + 4.0 * PADDING).clamp(least, side.max(least)).round();
        Self { slot: vec2(wide, side + CAPTION_HEIGHT), count: frames.len() }
    }

    fn width(self) -> f32 {
        (self.count as f64 * f64::from(self.slot.x)) as f32
    }

    /// Slots that show when `width` points are seen from `offset` on.
    fn shown(self, offset: f32, width: f32) -> Range<usize> {
        let slot_at = |points: f32| (f64::from(points.max(0.0)) / f64::from(self.slot.x)) as usize;
        slot_at(offset).min(self.count)..(slot_at(offset + width) + 1).min(self.count)
    }

    /// From the left end of the view to a slot. Reckoned in 64 bits: the row may be millions of points long.
    fn left(self, position: usize, offset: f32) -> f32 {
        (position as f64 * f64::from(self.slot.x) - f64::from(offset)) as f32
    }

    /// The offset at which a slot shows whole: the nearest one, or one that has it in the middle when it is far off.
    fn offset_showing(self, position: usize, offset: f32, width: f32) -> Option<f32> {
        let left = self.left(position, offset);
        let right = left + self.slot.x;
        let by = if left >= 0.0 && right <= width {
            return None;
        } else if left < -width || right > 2.0 * width {
            left + (self.slot.x - width) / 2.0
        } else if left < 0.0 {
            left
        } else {
            right - width
        };
        Some((offset + by).clamp(0.0, (self.width() - width).max(0.0)))
    }
}

/// Draws the strip.
pub fn ui(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let UiState { strip, canvas, hover, .. } = state;
    let Some(document) = session.current() else { return };
    canvas.sync(document);
    if canvas.frames().is_empty() {
        if document.is_ready() && canvas.picture_of(&document.path).is_some() {
            empty(ui);
        }
        return;
    }
    header(ui, canvas.frames());
    strip.row(ui, session, document, canvas, hover, actions);
}

/// "48 frames, 3 selected".
fn header(ui: &mut Ui, frames: &Frames) {
    let selected = frames.selection().len();
    let count = widgets::count_text(frames.len(), "frame");
    let text = if selected > 0 { format!("{count}, {selected} selected") } else { count };
    let color = theme::palette(ui).weak_text;
    ui.add(Label::new(RichText::new(text).small().color(color)).selectable(false));
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
        let output = area.show_viewport(ui, |ui, viewport| {
            ui.set_width(row.width());
            ui.set_height(row.slot.y);
            let mut slots = Slots { ui, session, document, row, view, focus, offset: viewport.left() };
            for position in row.shown(viewport.left(), viewport.width()) {
                slots.slot(position, canvas, hover, actions);
            }
        });
        self.offset = output.state.clamped_offset().x;
    }

    /// Shows what was selected elsewhere.
    fn follow(&mut self, ui: &Ui, document: &Document, frames: &Frames, row: Row, width: f32) {
        if self.sheet.as_ref() != Some(&document.path) {
            // Where this sheet was scrolled to is known in the next pass.
            self.sheet = Some(document.path.clone());
            self.selection.clear();
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

    /// Left and Right select the neighbour while the strip has the keyboard. Its id.
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
        let to = if ui.input(|input| input.key_pressed(Key::ArrowRight)) {
            current.map_or(Some(0), |current| Some(current + 1))
        } else if ui.input(|input| input.key_pressed(Key::ArrowLeft)) {
            current.and_then(|current| current.checked_sub(1))
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

/// The slots that show, as they are drawn.
struct Slots<'a> {
    ui: &'a mut Ui,
    session: &'a Session,
    document: &'a Document,
    row: Row,
    /// Where the strip shows, in points of the window.
    view: Rect,
    /// What has the keyboard when the strip has it.
    focus: Id,
    offset: f32,
}

impl Slots<'_> {
    fn slot(&mut self, position: usize, canvas: &mut Canvas, hover: &mut Hover, actions: &mut Vec<Action>) {
        let Self { ui, session, document, row, view, focus, offset } = self;
        let left = ui.painter().round_to_pixel_center(view.left() + row.left(position, *offset)).floor();
        let rect = Rect::from_min_size(pos2(left, view.top()), row.slot);
        let picture = canvas.picture_of(&document.path).cloned();
        let (frames, tiles) = canvas.frames_and_tiles();
        let Some(frame) = frames.get(position) else { return };
        let (id, name) = (frame.id, frame.name.clone());
        let is_selected = frames.is_selected(position);
        let response = ui.interact(rect, focus.with(position), Sense::CLICK);
        response.widget_info(|| {
            let label = frame_label("Strip frame", position, &name);
            WidgetInfo::selected(Role::ListBoxOption, true, is_selected, label)
        });

        let thumb = Rect::from_min_max(rect.min, rect.max - vec2(0.0, CAPTION_HEIGHT));
        let look = Look {
            is_selected,
            is_hovered: response.hovered() || hover.of_sheet(&document.path) == Some(id),
            is_flagged: frames.is_flagged(position),
        };
        paint_back(ui, rect, look);
        match (frames.drawn_rect(position), picture) {
            (Some(part), Some(picture)) => {
                let on_screen = fitted(ui.painter(), part, thumb.shrink(PADDING));
                let painter = ui.painter_at(view.intersect(ui.clip_rect()));
                widgets::paint_checker(&painter, on_screen, ui);
                canvas::paint_region(&painter, tiles, &picture, part, on_screen, session);
            }
            (None, _) => paint_missing(ui, thumb),
            (Some(_), None) => {}
        }
        caption(ui, rect, position, &name, look);

        if response.hovered() {
            hover.set(&document.path, id);
            ui.set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        if response.clicked() {
            actions.push(Action::Select(document.path.clone(), id, select_mode(ui)));
            ui.memory_mut(|memory| memory.request_focus(*focus));
        }
        if response.double_clicked() {
            canvas.command(Command::FrameSelection, session);
        }
    }
}

/// What sets a slot apart from others.
#[derive(Clone, Copy)]
struct Look {
    is_selected: bool,
    is_hovered: bool,
    is_flagged: bool,
}

/// A frame in the middle of a room, on whole device pixels.
fn fitted(painter: &Painter, part: PixelRect, room: Rect) -> Rect {
    let pixels_per_point = painter.pixels_per_point();
    let on_screen = fitted_size(part, room.size(), pixels_per_point);
    let snapped = |points: f32| (points * pixels_per_point).round() / pixels_per_point;
    let min = room.center() - on_screen / 2.0;
    Rect::from_min_size(pos2(snapped(min.x), snapped(min.y)), on_screen)
}

/// A frame as large as it fits, in points: a whole number of device pixels for each of its own, unless it is too
/// large for that.
fn fitted_size(part: PixelRect, room: Vec2, pixels_per_point: f32) -> Vec2 {
    let size = vec2(part.width as f32, part.height as f32);
    let exact = (room.x / size.x).min(room.y / size.y) * pixels_per_point;
    let scale = if exact >= 1.0 { exact.floor() } else { exact };
    (size * scale / pixels_per_point).max(Vec2::splat(1.0 / pixels_per_point))
}

fn paint_back(ui: &Ui, rect: Rect, look: Look) {
    let palette = theme::palette(ui);
    let rect = rect.shrink2(vec2(1.0, 0.0));
    if look.is_selected {
        ui.painter().rect(
            rect,
            4.0,
            palette.accent_surface,
            Stroke::new(1.0, palette.accent),
            StrokeKind::Inside,
        );
    } else if look.is_hovered {
        ui.painter().rect(rect, 4.0, palette.raised, Stroke::new(1.0, palette.weak_text), StrokeKind::Inside);
    }
}

/// A frame that has no pixels in the image.
fn paint_missing(ui: &Ui, thumb: Rect) {
    let color = theme::palette(ui).warning;
    let font = egui::FontId::new(theme::ICON_SIZE, ICON_WARNING.font_family());
    ui.painter().text(thumb.center(), Align2::CENTER_CENTER, ICON_WARNING.codepoint, font, color);
}

/// The number, and the name as far as there is room.
fn caption(ui: &Ui, slot: Rect, position: usize, name: &str, look: Look) {
    let palette = theme::palette(ui);
    let font = TextStyle::Small.resolve(ui.style());
    let number_color = if look.is_flagged {
        palette.warning
    } else if look.is_selected {
        palette.text
    } else {
        palette.weak_text
    };
    let mut job = egui::text::LayoutJob::default();
    let format = |color| egui::TextFormat { font_id: font.clone(), color, ..egui::TextFormat::default() };
    job.append(&position.to_string(), 0.0, format(number_color));
    if !name.is_empty() {
        job.append(name, 4.0, format(palette.text));
    }
    job.wrap = egui::text::TextWrapping::truncate_at_width(slot.width() - 2.0 * PADDING);
    let galley = ui.painter().layout_job(job);
    let line = Rect::from_min_max(pos2(slot.left(), slot.bottom() - CAPTION_HEIGHT), slot.max);
    let at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), line).min;
    ui.painter().galley(at, galley, palette.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Row = Row { slot: Vec2::new(64.0, 80.0), count: 65_535 };

    #[test]
    fn only_slots_in_view_are_drawn() {
        assert_eq!(ROW.shown(0.0, 640.0), 0..11);
        assert_eq!(ROW.shown(100.0, 640.0), 1..12);
        assert_eq!(ROW.shown(ROW.width() - 640.0, 640.0), 65_525..65_535);
        assert_eq!(Row { count: 3, ..ROW }.shown(0.0, 640.0), 0..3);
    }

    #[test]
    fn thumbnails_are_whole_multiples_unless_too_large() {
        let size =
            |width, height, scale| fitted_size(PixelRect::new(0, 0, width, height), Vec2::splat(54.0), scale);
        assert_eq!(size(16, 24, 1.0), vec2(32.0, 48.0));
        assert_eq!(size(16, 24, 2.0), vec2(32.0, 48.0), "at four device pixels each");
        assert_eq!(size(108, 54, 1.0), vec2(54.0, 27.0));
        assert_eq!(size(1, 30_000, 1.0), vec2(1.0, 54.0));
    }

    #[test]
    fn what_shows_already_is_not_scrolled_to() {
        assert_eq!(ROW.offset_showing(2, 0.0, 640.0), None);
        assert_eq!(ROW.offset_showing(10, 0.0, 640.0), Some(64.0), "just so far that it shows whole");
        assert_eq!(ROW.offset_showing(1, 100.0, 640.0), Some(64.0));
        assert_eq!(
            ROW.offset_showing(1000, 0.0, 640.0),
            Some(64_000.0 + 32.0 - 320.0),
            "far off: the middle"
        );
        assert_eq!(ROW.offset_showing(65_534, 0.0, 640.0), Some(ROW.width() - 640.0));
    }
}
