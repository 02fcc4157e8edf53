//! Splits the selected frame by a small grid of its own; the canvas shows the parts meanwhile.

use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Button, Color32, Modal, Response, Ui, Vec2, vec2};

use super::parts::{self, Choice};
use super::{Stage, dialogs};
use crate::edit::Edit;
use crate::geometry::{PixelRect, Size};
use crate::model::FrameId;
use crate::session::{Action, Document};
use crate::slicing::{MAX_FRAMES, divide};
use crate::ui::theme::{AROUND, BAR_HEIGHT, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const WIDTH: f32 = 256.0;

/// Splitting of a frame.
pub(super) struct Split {
    sheet: Arc<str>,
    frame: FrameId,
    /// What there is to split.
    rect: PixelRect,
    by: By,
    columns: u32,
    rows: u32,
    cell: Size,
    parts: Vec<PixelRect>,
    /// Whether the keyboard is still to be given to the first field.
    begins: bool,
}

/// What the numbers say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Count,
    Size,
}

impl Split {
    pub(super) fn new(document: &Document) -> Option<Self> {
        let (_, frame) = document.selected_frames().next()?;
        let rect = frame.drawn_rect(document.image_size)?;
        let mut split = Self {
            sheet: document.path.clone(),
            frame: frame.id,
            rect,
            by: By::Count,
            columns: if rect.width > 1 { 2 } else { 1 },
            rows: if rect.width > 1 { 1 } else { 2 },
            cell: Size::new((rect.width as u32).div_ceil(2), rect.height as u32),
            parts: Vec::new(),
            begins: true,
        };
        split.divide();
        Some(split)
    }

    /// The parts, if there is more than one.
    pub(super) fn preview(&self) -> Option<&[PixelRect]> {
        (self.parts.len() > 1).then_some(self.parts.as_slice())
    }

    fn divide(&mut self) {
        self.parts = match self.by {
            By::Count => divide::split(self.rect, self.columns, self.rows),
            By::Size => divide::split_by_cell(self.rect, self.cell),
        };
    }

    /// Looks whether the frame is another; whether it is there.
    fn follow(&mut self, document: &Document) -> bool {
        let frame = document.sheet().frames.iter().find(|frame| frame.id == self.frame);
        let rect = frame.and_then(|frame| frame.drawn_rect(document.image_size));
        let Some(rect) = rect.filter(|_| document.path == self.sheet) else { return false };
        if rect != self.rect {
            self.rect = rect;
            self.divide();
        }
        true
    }

    fn why_not(&self, document: &Document) -> Option<String> {
        let all = document.sheet().frames.len() + self.parts.len().saturating_sub(1);
        match self.parts.len() {
            0 => Some("Not one part of this size fits".to_owned()),
            1 if self.by == By::Count => Some("One part is the frame as it is".to_owned()),
            _ if all > MAX_FRAMES => Some("More frames than a texture holds, 65,535".to_owned()),
            _ => None,
        }
    }

    pub(super) fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        let Some(document) = stage.document else { return true };
        if !self.follow(document) {
            return true;
        }
        // Beside the picture, which shows the parts and is not dimmed for that.
        let id = egui::Id::unique("split a frame");
        let corner = vec2(-AROUND, 2.0 * BAR_HEIGHT);
        let frame = egui::Frame::window(ui.style()).inner_margin(AROUND + INSIDE);
        let modal = Modal::new(id)
            .area(Modal::default_area(id).anchor(Align2::RIGHT_TOP, corner))
            .backdrop_color(Color32::TRANSPARENT)
            .frame(frame);
        let shown = modal.show(ui, |ui| {
            ui.set_width(WIDTH);
            let position = document.sheet().index_of(self.frame).unwrap_or_default();
            dialogs::title(ui, &format!("Split frame {position}"));
            let size = Size::new(self.rect.width as u32, self.rect.height as u32);
            parts::explanation(ui, &widgets::pixel_size_text(size));
            ui.add_space(INSIDE);
            let is_switched = self.switch(ui);
            ui.add_space(INSIDE);
            let first = self.fields(ui);
            ui.add_space(INSIDE);
            let why_not = self.why_not(document);
            match &why_not {
                Some(why) => parts::message(ui, Some((Tone::Warning, why)), |_| ()),
                None => parts::message(ui, Some((Tone::Info, &count_text(&self.parts))), |_| ()),
            }
            let rest = self.leftover().unwrap_or_default();
            parts::message(ui, (!rest.is_empty()).then_some((Tone::Info, &*rest)), |_| ());
            let primary = format!("Split into {}", self.parts.len());
            let choice = parts::buttons(ui, &primary, "Enter", why_not.as_deref());
            if choice != Choice::Nothing || is_switched || !parts::is_entered(ui) {
                return choice;
            }
            if why_not.is_some() {
                first.request_focus();
                return Choice::Nothing;
            }
            Choice::Take
        });
        let choice = if shown.should_close() { Choice::GiveUp } else { shown.inner };
        if choice == Choice::Take {
            stage.actions.push(Action::Edit(Edit::Split(self.frame, std::mem::take(&mut self.parts))));
            stage.actions.push(Action::Seal);
        }
        choice != Choice::Nothing
    }

    /// By count or by size; whether that was changed.
    fn switch(&mut self, ui: &mut Ui) -> bool {
        let choices = [
            (By::Count, "Columns and rows", "So many parts, as equal as whole pixels allow"),
            (By::Size, "Size of a part", "Parts of exactly this size; what is left over belongs to none"),
        ];
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = INSIDE;
            let mut is_switched = false;
            for (by, text, tooltip) in choices {
                let button = Button::selectable(self.by == by, text).min_size(Vec2::new(0.0, ROW_HEIGHT));
                if ui.add(button).on_hover_text(tooltip).clicked() {
                    self.by = by;
                    self.begins = true;
                    self.divide();
                    is_switched = true;
                }
            }
            is_switched
        })
        .inner
    }

    /// Two numbers; the response of the first.
    fn fields(&mut self, ui: &mut Ui) -> Response {
        let (width, height) = (self.rect.width as u32, self.rect.height as u32);
        let numbers = match self.by {
            By::Count => [
                ("Columns", "Split columns", &mut self.columns, width, ""),
                ("Rows", "Split rows", &mut self.rows, height, ""),
            ],
            By::Size => [
                ("Width", "Part width", &mut self.cell.width, width, "px"),
                ("Height", "Part height", &mut self.cell.height, height, "px"),
            ],
        };
        let mut begins = self.begins;
        let fields = ui.horizontal(|ui| {
            let mut field = |(text, name, value, most, unit)| {
                ui.label(text);
                if std::mem::take(&mut begins) {
                    // Before the field is drawn, so that it begins with all of its digits selected.
                    let id = ui.next_auto_id();
                    ui.memory_mut(|memory| memory.request_focus(id));
                }
                let field = widgets::number_field(ui, name, value, 1..=most, unit);
                ui.add_space(BETWEEN);
                (field.response.on_hover_text("Drag, type, or use the arrow keys"), field.changed)
            };
            let [first, second] = numbers.map(&mut field);
            (first.0, first.1 || second.1)
        });
        let (first, changed) = fields.inner;
        if changed {
            self.divide();
        }
        self.begins &= !first.has_focus();
        first
    }

    /// Pixels that no part has.
    fn leftover(&self) -> Option<String> {
        let right = self.parts.iter().map(|part| part.right()).max()?;
        let bottom = self.parts.iter().map(|part| part.bottom()).max()?;
        match (self.rect.right() - right, self.rect.bottom() - bottom) {
            (0, 0) => None,
            (x, 0) => Some(format!("{x} px left over at the right")),
            (0, y) => Some(format!("{y} px left over at the bottom")),
            (x, y) => Some(format!("{x} px right, {y} px bottom left over")),
        }
    }
}

/// "4 parts of 16 x 16 px"; sizes that whole pixels make unequal are both said.
fn count_text(parts: &[PixelRect]) -> String {
    let sides = |side: fn(&PixelRect) -> i32| {
        let (least, most) = (parts.iter().map(side).min(), parts.iter().map(side).max());
        let (least, most) = (least.unwrap_or_default(), most.unwrap_or_default());
        if least == most { least.to_string() } else { format!("{least} or {most}") }
    };
    let count = widgets::count_text(parts.len(), "part");
    format!("{count} of {} x {} px", sides(|part| part.width), sides(|part| part.height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_with_their_size() {
        let text = |columns, rows| count_text(&divide::split(PixelRect::new(0, 0, 32, 33), columns, rows));
        assert_eq!(text(2, 1), "2 parts of 16 x 33 px");
        assert_eq!(text(2, 2), "4 parts of 16 x 16 or 17 px");
        assert_eq!(text(3, 1), "3 parts of 10 or 11 x 33 px");
    }
}
