//! The slots of the strip that show: how they look, and what a press on one asks for.

use eframe::egui;
use egui::{
    Align2, CursorIcon, Id, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2,
};

use super::drag::Drag;
use super::row::{CAPTION_HEIGHT, PADDING, Place};
use super::{menu, thumbnail};
use crate::model::FrameId;
use crate::session::{Action, Command, Document, SelectMode, Session};
use crate::ui::canvas::{Canvas, frame_label, select_mode};
use crate::ui::carry::{self, Carried, Item};
use crate::ui::{Hover, theme};

/// What a slot senses; without the keyboard, which the strip has as a whole.
const SENSE: Sense = Sense::CLICK.union(Sense::DRAG);

/// The slots that show, as they are drawn.
pub(super) struct Slots<'a> {
    pub(super) ui: &'a mut Ui,
    pub(super) session: &'a Session,
    pub(super) document: &'a Document,
    pub(super) place: Place,
    /// What has the keyboard when the strip has it.
    pub(super) focus: Id,
    pub(super) drag: Option<&'a Drag>,
    /// The slot where a drag began in this pass.
    pub(super) grabbed: Option<usize>,
}

/// The id of a slot.
pub(super) fn slot_id(focus: Id, position: usize) -> Id {
    focus.with(position)
}

/// Keeps a slot alive that was grabbed and then scrolled out of sight: without it the drag would end.
pub(super) fn hold(ui: &Ui, focus: Id, position: usize) {
    ui.interact(Rect::NOTHING, slot_id(focus, position), SENSE);
}

impl Slots<'_> {
    pub(super) fn slot(
        &mut self,
        position: usize,
        canvas: &mut Canvas,
        hover: &mut Hover,
        actions: &mut Vec<Action>,
    ) {
        let Self { ui, session, document, place, focus, drag, .. } = self;
        let (focus, view) = (*focus, place.view);
        let mut rect = place.slot(position);
        rect =
            rect.translate(vec2(ui.painter().round_to_pixel_center(rect.left()).floor() - rect.left(), 0.0));
        let frames = canvas.frames();
        let Some(frame) = frames.get(position) else { return };
        let (id, name) = (frame.id, frame.name.clone());
        let look = Look {
            is_selected: frames.is_selected(position),
            is_hovered: false,
            is_flagged: frames.is_flagged(position),
        };
        let response = ui.interact(rect, slot_id(focus, position), SENSE);
        response.widget_info(|| {
            let label = frame_label("Strip frame", position, &name);
            WidgetInfo::selected(Role::ListBoxOption, true, look.is_selected, label)
        });
        let is_hovered = response.hovered() || hover.of_sheet(&document.path) == Some(id);
        let look = Look { is_hovered: is_hovered && drag.is_none(), ..look };
        paint_back(ui, rect, look);
        let thumb = Rect::from_min_max(rect.min, rect.max - vec2(0.0, CAPTION_HEIGHT));
        let painter = ui.painter_at(view.intersect(ui.clip_rect()));
        thumbnail::paint(&painter, canvas, session, document, position, thumb.shrink(PADDING));
        caption(ui, rect, position, &name, look);
        let uses = session.asset(&document.path).map_or(0, |asset| {
            // A sheet that nobody uses has nothing to count.
            let frame = document
                .sheet()
                .frames
                .get(position)
                .filter(|_| !session.uses_of_sheet(asset.guid).is_empty());
            frame.map_or(0, |frame| session.use_count(frame.guid(asset.guid)))
        });
        badge(ui, thumb, uses);
        if drag.is_some_and(|drag| drag.moves(position)) {
            painter.rect_filled(rect, 4.0, theme::palette(ui).surface.gamma_multiply(0.6));
        }

        if response.hovered() && drag.is_none() {
            hover.set(&document.path, id);
            ui.set_cursor_icon(CursorIcon::PointingHand);
        }
        if response.clicked() {
            self.select(id, select_mode(self.ui), actions);
        }
        if response.double_clicked() {
            canvas.command(Command::FrameSelection, self.session);
        }
        let is_pressed_beside = !look.is_selected
            && (response.secondary_clicked() || response.drag_started_by(egui::PointerButton::Primary));
        if is_pressed_beside {
            self.select(id, SelectMode::Replace, actions);
        }
        if response.drag_started_by(egui::PointerButton::Primary) {
            self.grabbed = Some(position);
        }
        let (session, document) = (self.session, self.document);
        carry::from(self.ui, &response, || Some(carried(session, document, canvas, position)));
        response.context_menu(|ui| menu::ui(ui, session, actions));
    }

    fn select(&self, id: FrameId, mode: SelectMode, actions: &mut Vec<Action>) {
        actions.push(Action::Select(self.document.path.clone(), id, mode));
        self.ui.memory_mut(|memory| memory.request_focus(self.focus));
    }
}

/// What goes along when a slot is dragged out of the strip: all selected frames with a selected one.
fn carried(session: &Session, document: &Document, canvas: &Canvas, position: usize) -> Carried {
    let frames = canvas.frames();
    let goes_along =
        |other: &usize| *other == position || (frames.is_selected(position) && frames.is_selected(*other));
    let ids = (0..frames.len()).filter(goes_along).filter_map(|position| Some(frames.get(position)?.id));
    let items = Item::of_frames(session, &document.path, ids);
    // The strip draws them itself, also beside it.
    Carried::Sprites { items, has_ghosts: true, files: Vec::new() }
}

/// What sets a slot apart from others.
#[derive(Clone, Copy)]
struct Look {
    is_selected: bool,
    is_hovered: bool,
    is_flagged: bool,
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

/// How many places use the frame, in the corner of its picture.
fn badge(ui: &Ui, thumb: Rect, uses: u32) {
    if uses == 0 {
        return;
    }
    let palette = theme::palette(ui);
    let font = TextStyle::Small.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(uses.to_string(), font, palette.on_plate);
    let size = galley.size() + vec2(8.0, 0.0);
    let plate = Rect::from_min_size(pos2(thumb.right() - size.x - 2.0, thumb.top() + 2.0), size);
    ui.painter().rect_filled(plate, 6.0, palette.plate);
    ui.painter().galley(plate.min + vec2(4.0, 0.0), galley, palette.on_plate);
    let response = ui.interact(plate, ui.make_persistent_id(("uses", plate.min.x as i32)), Sense::hover());
    response.on_hover_text(match uses {
        1 => "Used at 1 place in the scenes".to_owned(),
        uses => format!("Used at {uses} places in the scenes"),
    });
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
