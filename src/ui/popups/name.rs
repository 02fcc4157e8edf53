//! Renames one frame: a field over its caption in the strip, or a small window when that does not show.

use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Area, Frame, Id, Key, Margin, Order, Rect, Response, Stroke, TextEdit, Ui, Vec2, pos2};

use super::parts::{self, Choice};
use super::{Stage, dialogs};
use crate::edit::Edit;
use crate::model::FrameId;
use crate::session::{Action, Document};
use crate::ui::theme::{self, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::Tone;

/// The field over a caption is no narrower.
const MIN_WIDTH: f32 = 128.0;
const WINDOW_WIDTH: f32 = 320.0;

/// Renaming of one frame.
pub(super) struct Name {
    sheet: Arc<str>,
    frame: FrameId,
    text: String,
    /// Whether the keyboard is still to be given to the field.
    begins: bool,
}

impl Name {
    pub(super) fn new(document: &Document) -> Option<Self> {
        let (_, frame) = document.selected_frames().next()?;
        let sheet = document.path.clone();
        Some(Self { sheet, frame: frame.id, text: frame.name.to_string(), begins: true })
    }

    pub(super) fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        let Some(document) = stage.document.filter(|document| document.path == self.sheet) else {
            return true;
        };
        let Some(position) = document.sheet().index_of(self.frame) else { return true };
        let why_not = self.why_not(document, position);
        let choice = match stage.strip.caption(position) {
            Some(caption) => self.over_caption(ui, caption, position, why_not.as_deref()),
            None => self.window(ui, position, why_not.as_deref()),
        };
        if choice == Choice::Take && why_not.is_none() {
            let name: Arc<str> = self.text.trim().into();
            stage.actions.push(Action::Edit(Edit::Rename(vec![(self.frame, name)])));
            stage.actions.push(Action::Seal);
        }
        choice != Choice::Nothing
    }

    /// Which other frame has the name.
    fn why_not(&self, document: &Document, position: usize) -> Option<String> {
        let name = self.text.trim();
        if name.is_empty() {
            return None;
        }
        let mut frames = document.sheet().frames.iter().enumerate();
        let (other, _) = frames.find(|(index, frame)| *index != position && *frame.name == *name)?;
        Some(format!("Frame {other} has this name"))
    }

    fn over_caption(&mut self, ui: &Ui, caption: Rect, position: usize, why_not: Option<&str>) -> Choice {
        let width = caption.width().max(MIN_WIDTH);
        let bounds = ui.content_rect();
        let left = (caption.center().x - width / 2.0).clamp(bounds.left(), bounds.right() - width);
        // The lines above the field push it up, so the area hangs from the lower edge of the caption.
        let corner = pos2(left, caption.bottom() + 4.0);
        let area = Area::new(Id::unique("name of a frame"))
            .order(Order::Foreground)
            .pivot(Align2::LEFT_BOTTOM)
            .fixed_pos(corner)
            .constrain_to(bounds);
        let shown = area.show(ui, |ui| {
            if let Some(why) = why_not {
                let frame = Frame::popup(ui.style()).inner_margin(Margin::symmetric(6, 2));
                frame.show(ui, |ui| parts::message(ui, Some((Tone::Warning, why)), |_| ()));
            }
            let palette = theme::palette(ui);
            let frame = Frame::new().fill(palette.surface).stroke(Stroke::new(1.0, palette.accent));
            frame.corner_radius(4).show(ui, |ui| self.field(ui, position, width)).inner
        });
        self.choice_in_place(ui, &shown.inner, why_not)
    }

    /// Enter takes the name and so does leaving the field; Escape gives it up.
    fn choice_in_place(&self, ui: &Ui, field: &Response, why_not: Option<&str>) -> Choice {
        if self.begins || !field.lost_focus() {
            return Choice::Nothing;
        }
        let is_given_up = ui.input(|input| input.key_pressed(Key::Escape));
        if is_given_up {
            Choice::GiveUp
        } else if why_not.is_none() {
            Choice::Take
        } else if parts::is_entered(ui) {
            field.request_focus();
            Choice::Nothing
        } else {
            Choice::GiveUp
        }
    }

    fn window(&mut self, ui: &Ui, position: usize, why_not: Option<&str>) -> Choice {
        let shown = dialogs::modal("name of a frame", ui).show(ui, |ui| {
            ui.set_width(WINDOW_WIDTH);
            dialogs::title(ui, &format!("Rename frame {position}"));
            let field = self.field(ui, position, ui.available_width());
            ui.add_space(INSIDE);
            parts::message(ui, why_not.map(|why| (Tone::Warning, why)), |_| ());
            let choice = parts::buttons(ui, "Rename", "Enter", why_not);
            if choice != Choice::Nothing || !parts::is_entered(ui) {
                return choice;
            }
            if why_not.is_some() {
                field.request_focus();
                return Choice::Nothing;
            }
            Choice::Take
        });
        if shown.should_close() { Choice::GiveUp } else { shown.inner }
    }

    fn field(&mut self, ui: &mut Ui, position: usize, width: f32) -> Response {
        let field = TextEdit::singleline(&mut self.text)
            .id_salt("name")
            .desired_width(width)
            .min_size(Vec2::new(width, ROW_HEIGHT))
            .align(Align2::LEFT_CENTER)
            .hint_text("no name");
        let response = ui.add(field).accessible_name(format!("Name of frame {position}"));
        if self.begins {
            self.begins = !parts::focus_all(ui, &response, &self.text);
        }
        response.on_hover_text("Enter takes the name, Esc gives it up")
    }
}
