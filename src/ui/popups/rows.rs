//! Names the rows in which the frames lie: one field for each row, and what its frames will be called beside it.

use std::collections::HashSet;
use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Id, Key, Modifiers, Rect, ScrollArea, Sense, TextEdit, Ui, UiBuilder, pos2, vec2};

use super::parts::{self, Choice};
use super::{Stage, dialogs};
use crate::edit::Edit;
use crate::geometry::PixelRect;
use crate::model::Frame;
use crate::session::{Action, Document};
use crate::slicing::divide::visual_rows;
use crate::slicing::rename::row_pattern_names;
use crate::ui::strip::thumbnail;
use crate::ui::theme::{self, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const WIDTH: f32 = 600.0;
const LINE_HEIGHT: f32 = 40.0;
const LIST_HEIGHT: f32 = 9.0 * LINE_HEIGHT;
const FIELD_WIDTH: f32 = 176.0;
/// Names longer than anyone types would only cost.
const MAX_NAME: usize = 256;

/// Naming of rows.
pub(super) struct Rows {
    frames: Arc<[Frame]>,
    /// Positions of the frames of each row.
    members: Vec<Vec<usize>>,
    /// What was typed for each row.
    names: Vec<String>,
    plan: Plan,
    /// The field that is to get the keyboard.
    next: Option<usize>,
}

/// What the typed names mean.
#[derive(Default)]
struct Plan {
    /// New names by position.
    names: Vec<(usize, String)>,
    /// What each row's frames will be called, in words; empty for rows that are left alone.
    previews: Vec<String>,
    /// How many of them another frame has.
    taken: usize,
}

impl Rows {
    pub(super) fn new(document: &Document) -> Self {
        let mut rows = Self {
            frames: [].into(),
            members: Vec::new(),
            names: Vec::new(),
            plan: Plan::default(),
            next: Some(0),
        };
        rows.follow(document);
        rows
    }

    /// Looks whether the frames are others.
    fn follow(&mut self, document: &Document) {
        let frames = &document.sheet().frames;
        if Arc::ptr_eq(&self.frames, frames) {
            return;
        }
        self.frames = frames.clone();
        let rects: Vec<PixelRect> = frames.iter().map(|frame| frame.rect_in_image).collect();
        self.members = visual_rows(&rects);
        self.names.resize(self.members.len(), String::new());
        self.make_plan();
    }

    fn make_plan(&mut self) {
        let typed: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let names = row_pattern_names(&self.members, &typed);
        let renamed: HashSet<usize> = names.iter().map(|(position, _)| *position).collect();
        let others = self.frames.iter().enumerate().filter(|(position, _)| !renamed.contains(position));
        let others: HashSet<&str> = others.map(|(_, frame)| &*frame.name).collect();
        let taken = names.iter().filter(|(_, name)| others.contains(name.as_str())).count();
        let mut left = names.as_slice();
        let previews = self.members.iter().zip(&self.names).map(|(row, name)| {
            if name.trim().is_empty() {
                return String::new();
            }
            let (of_row, rest) = left.split_at(row.len().min(left.len()));
            left = rest;
            preview(of_row)
        });
        let previews = previews.collect();
        self.plan = Plan { names, previews, taken };
    }

    fn why_not(&self) -> Option<String> {
        match self.plan.taken {
            0 if self.plan.names.is_empty() => Some("Type a name for at least one row".to_owned()),
            0 => None,
            1 => Some("1 of these names is another frame's".to_owned()),
            taken => Some(format!("{taken} of these names are other frames'")),
        }
    }

    pub(super) fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        let Some(document) = stage.document else { return true };
        self.follow(document);
        if self.members.is_empty() {
            return true;
        }
        let takes_at_once = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
        let shown = dialogs::modal("rows", ui).show(ui, |ui| {
            dialogs::set_width(ui, WIDTH);
            dialogs::title(ui, &format!("Name {}", widgets::count_text(self.members.len(), "row")));
            let text = "Enter goes on to the next row, and in the last one it names all. Rows without a name are \
                        left as they are.";
            parts::explanation(ui, text);
            ui.add_space(INSIDE);
            let is_last_entered = self.list(ui, stage, document);
            let why_not = self.why_not();
            let message = why_not.as_deref().filter(|_| self.plan.taken > 0);
            parts::message(ui, message.map(|why| (Tone::Warning, why)), |_| ());
            let primary = match self.plan.names.len() {
                0 => "Name frames".to_owned(),
                count => format!("Name {}", widgets::count_text(count, "frame")),
            };
            let key = format!("{}+Enter", widgets::ctrl_text(ui));
            let choice = parts::buttons(ui, &primary, &key, why_not.as_deref());
            if choice != Choice::Nothing || !(takes_at_once || is_last_entered) {
                return choice;
            }
            if why_not.is_some() {
                self.next = Some(0);
                return Choice::Nothing;
            }
            Choice::Take
        });
        let choice = if shown.should_close() { Choice::GiveUp } else { shown.inner };
        if choice == Choice::Take {
            self.take(stage.actions);
        }
        choice != Choice::Nothing
    }

    /// The rows with their fields; whether Enter was pressed in the last one.
    fn list(&mut self, ui: &mut Ui, stage: &mut Stage<'_>, document: &Document) -> bool {
        let room = (ui.content_rect().height() - 240.0).max(2.0 * LINE_HEIGHT);
        let height = LIST_HEIGHT.min(room).min(self.members.len() as f32 * LINE_HEIGHT);
        let count = self.members.len();
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let area = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
            area.show_rows(ui, LINE_HEIGHT, count, |ui, range| {
                let top_left = ui.max_rect().min;
                if let Some(next) = self.next {
                    let y = (next as f32 - range.start as f32) * LINE_HEIGHT;
                    let size = vec2(ui.available_width(), LINE_HEIGHT);
                    ui.scroll_to_rect(Rect::from_min_size(top_left + vec2(0.0, y), size), None);
                }
                let mut is_last_entered = false;
                for row in range {
                    let size = vec2(ui.available_width(), LINE_HEIGHT);
                    let rect = ui.allocate_exact_size(size, Sense::hover()).0;
                    let is_entered = self.line(ui, rect, row, stage, document);
                    if is_entered && row + 1 < count {
                        self.next = Some(row + 1);
                        ui.request_repaint();
                    }
                    is_last_entered |= is_entered && row + 1 == count;
                }
                is_last_entered
            })
            .inner
        })
        .inner
    }

    /// A row; whether Enter was pressed in its field.
    fn line(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        row: usize,
        stage: &mut Stage<'_>,
        document: &Document,
    ) -> bool {
        let (Some(members), Some(name)) = (self.members.get(row), self.names.get_mut(row)) else {
            return false;
        };
        let palette = theme::palette(ui);
        let column = |left: f32, width: f32| {
            Rect::from_min_size(pos2(rect.left() + left, rect.top()), vec2(width, rect.height()))
        };
        let thumb = column(0.0, LINE_HEIGHT).shrink(2.0);
        let painter = ui.painter_at(ui.clip_rect());
        let first = members.first().copied().unwrap_or_default();
        thumbnail::paint(&painter, stage.canvas, stage.session, document, first, thumb);
        let count = widgets::count_text(members.len(), "frame");
        parts::text_in(ui, column(48.0, 84.0), &count, palette.weak_text, Align2::LEFT_CENTER);
        let room = column(136.0, FIELD_WIDTH).shrink2(vec2(0.0, (LINE_HEIGHT - ROW_HEIGHT) / 2.0));
        let field = TextEdit::singleline(name)
            .id(Id::unique(("name of a row", row)))
            .desired_width(FIELD_WIDTH)
            .min_size(vec2(FIELD_WIDTH, ROW_HEIGHT))
            .align(Align2::LEFT_CENTER)
            .char_limit(MAX_NAME)
            .hint_text("leave as it is");
        // A child of its own, since the room of the line is taken already.
        let response = ui.new_child(UiBuilder::new().max_rect(room)).add(field);
        let response = response.accessible_name(format!("Name of row {row}"));
        if self.next == Some(row) && parts::focus_all(ui, &response, name) {
            self.next = None;
        }
        if response.changed() {
            self.make_plan();
        }
        if let Some(preview) = self.plan.previews.get(row).filter(|preview| !preview.is_empty()) {
            let left = 136.0 + FIELD_WIDTH + 12.0;
            let room = column(left, rect.width() - left);
            parts::text_in(ui, room, preview, palette.text, Align2::LEFT_CENTER);
            let shown = ui.interact(room, response.id.with("preview"), Sense::hover());
            shown.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, preview));
            shown.on_hover_text(preview.as_str());
        }
        response.lost_focus() && parts::is_entered(ui)
    }

    fn take(&self, actions: &mut Vec<Action>) {
        let names =
            self.plan.names.iter().filter_map(|(position, name)| {
                Some((self.frames.get(*position)?.id, Arc::from(name.as_str())))
            });
        actions.push(Action::Edit(Edit::Rename(names.collect())));
        actions.push(Action::Seal);
    }
}

/// The first and the last name, with what lies between left out.
fn preview(names: &[(usize, String)]) -> String {
    match names {
        [] => String::new(),
        [(_, only)] => only.clone(),
        [(_, first), (_, second)] => format!("{first}, {second}"),
        [(_, first), .., (_, last)] => format!("{first} … {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_s_names_are_told_by_the_first_and_the_last() {
        let names: Vec<_> = (0..4_usize).map(|n| (n, format!("idle_{n:02}"))).collect();
        assert_eq!(preview(&names), "idle_00 … idle_03");
        assert_eq!(preview(&names[..2]), "idle_00, idle_01");
        assert_eq!(preview(&names[..1]), "idle_00");
        assert_eq!(preview(&[]), "");
    }
}
