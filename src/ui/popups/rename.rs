//! Renames the selected frames with a pattern; old and new names stand side by side before anything is done.

use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Rect, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};
use egui_material_icons::icons::ICON_ARROW_FORWARD;

use super::parts::{self, Choice};
use super::{Stage, dialogs};
use crate::edit::Edit;
use crate::geometry::PixelRect;
use crate::model::{Frame, FrameId};
use crate::session::{Action, Document};
use crate::slicing::divide::visual_rows;
use crate::slicing::pattern::{DEFAULT_PATTERN, Pattern, PatternError, clean_sheet_name};
use crate::slicing::rename::{Numbering, RenameEntry, RenamePlan, Selected, rename_plan};
use crate::ui::strip::thumbnail;
use crate::ui::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const WIDTH: f32 = 600.0;
const LINE_HEIGHT: f32 = 32.0;
const LIST_HEIGHT: f32 = 10.0 * LINE_HEIGHT;
const FIELD_WIDTH: f32 = 288.0;
pub(super) const PLACEHOLDERS: &str =
    "{n} counts, {n:02} with two digits; also {sheet}, {name} for the old name, {row} and {col}";

/// Renaming of several frames.
pub(super) struct Rename {
    pattern: String,
    numbering: Numbering,
    /// What the plan was made of.
    frames: Arc<[Frame]>,
    selection: Vec<FrameId>,
    /// Row and place in it of every frame.
    places: Vec<(u32, u32)>,
    plan: Result<RenamePlan, PatternError>,
    /// Whether the keyboard is still to be given to the pattern.
    begins: bool,
}

impl Rename {
    pub(super) fn new(document: &Document) -> Self {
        let mut rename = Self {
            pattern: DEFAULT_PATTERN.to_owned(),
            numbering: Numbering::default(),
            frames: [].into(),
            selection: Vec::new(),
            places: Vec::new(),
            plan: Ok(RenamePlan::default()),
            begins: true,
        };
        rename.follow(document);
        rename
    }

    /// Looks whether frames or selection are others.
    fn follow(&mut self, document: &Document) {
        let frames = &document.sheet().frames;
        let is_same = Arc::ptr_eq(&self.frames, frames);
        if !is_same {
            self.frames = frames.clone();
            let rects: Vec<PixelRect> = frames.iter().map(|frame| frame.rect_in_image).collect();
            self.places = vec![(0, 0); frames.len()];
            for (row, members) in visual_rows(&rects).iter().enumerate() {
                for (column, index) in members.iter().enumerate() {
                    self.places[*index] = (row as u32, column as u32);
                }
            }
        }
        if !is_same || self.selection != document.history.selection() {
            self.selection = document.history.selection().to_vec();
            self.make_plan(document);
        }
    }

    fn make_plan(&mut self, document: &Document) {
        self.plan = Pattern::parse(&self.pattern).map(|pattern| {
            let names: Vec<&str> = self.frames.iter().map(|frame| &*frame.name).collect();
            let selected = document.selected_frames().map(|(index, frame)| {
                let (row, column) = self.places.get(index).copied().unwrap_or_default();
                Selected { row, column, ..Selected::new(index, &frame.name) }
            });
            let selected: Vec<_> = selected.collect();
            rename_plan(&selected, &names, &pattern, self.numbering, clean_sheet_name(document.file_name()))
        });
    }

    /// Why the names cannot be given.
    fn why_not(&self) -> Option<String> {
        match &self.plan {
            Err(error) => Some(format!("Pattern, {error}")),
            Ok(plan) => {
                let taken = plan.entries.iter().filter(|entry| entry.collides_with.is_some());
                let taken: Vec<_> = taken.map(|entry| &entry.new).collect();
                let first = *taken.first()?;
                let alike = plan.entries.iter().filter(|entry| entry.new == *first).count();
                Some(if alike > 1 && taken.iter().all(|name| *name == first) {
                    format!("{alike} frames would be called {first}")
                } else if let [one] = taken.as_slice() {
                    format!("{one} is taken")
                } else {
                    format!("{first} and {} more are taken", taken.len() - 1)
                })
            }
        }
    }

    pub(super) fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        let Some(document) = stage.document else { return true };
        self.follow(document);
        if self.selection.is_empty() {
            return true;
        }
        let shown = dialogs::modal("rename", ui).show(ui, |ui| {
            dialogs::set_width(ui, WIDTH);
            dialogs::title(ui, "Rename by pattern");
            let pattern = self.fields(ui, document);
            ui.add_space(INSIDE);
            self.list(ui, stage, document);
            let why_not = self.why_not();
            let is_suggestion_taken = self.problem(ui, why_not.as_deref(), document);
            let primary = format!("Rename {}", widgets::count_text(self.selection.len(), "frame"));
            let choice = parts::buttons(ui, &primary, "Enter", why_not.as_deref());
            if choice != Choice::Nothing || is_suggestion_taken || !parts::is_entered(ui) {
                return choice;
            }
            if why_not.is_some() {
                pattern.request_focus();
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

    /// Pattern, start and step; the response of the pattern's field.
    fn fields(&mut self, ui: &mut Ui, document: &Document) -> egui::Response {
        let before = self.numbering;
        let pattern = ui.horizontal(|ui| {
            ui.label("Pattern");
            let field = TextEdit::singleline(&mut self.pattern)
                .id_salt("pattern")
                .desired_width(FIELD_WIDTH)
                .min_size(vec2(FIELD_WIDTH, ROW_HEIGHT))
                .align(Align2::LEFT_CENTER)
                .hint_text(DEFAULT_PATTERN);
            let response = ui.add(field).accessible_name("Name pattern").on_hover_text(PLACEHOLDERS);
            ui.add_space(BETWEEN);
            ui.label("Start");
            let start = widgets::number_field(ui, "Start", &mut self.numbering.start, 0..=999_999, "");
            start.response.on_hover_text("Number of the first frame");
            ui.add_space(BETWEEN);
            ui.label("Step");
            let step = widgets::number_field(ui, "Step", &mut self.numbering.step, 1..=9999, "");
            step.response.on_hover_text("From one frame to the next");
            response
        });
        let pattern = pattern.inner;
        if self.begins {
            self.begins = !parts::focus_all(ui, &pattern, &self.pattern);
        }
        if pattern.changed() || before != self.numbering {
            self.make_plan(document);
        }
        parts::explanation(ui, PLACEHOLDERS);
        pattern
    }

    /// Old and new names, side by side.
    fn list(&self, ui: &mut Ui, stage: &mut Stage<'_>, document: &Document) {
        let entries = self.plan.as_ref().map_or(&[][..], |plan| &plan.entries);
        // As high as its lines, with or without a plan, so that the window stays where it is.
        let height = LIST_HEIGHT.min(self.selection.len() as f32 * LINE_HEIGHT);
        let height = height.min((ui.content_rect().height() - 260.0).max(3.0 * LINE_HEIGHT));
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.set_min_height(height);
            let area = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
            area.show_rows(ui, LINE_HEIGHT, entries.len(), |ui, range| {
                for entry in entries.get(range).unwrap_or_default() {
                    let size = vec2(ui.available_width(), LINE_HEIGHT);
                    let rect = ui.allocate_exact_size(size, Sense::hover()).0;
                    self.line(ui, rect, entry, stage, document);
                }
            });
        });
    }

    fn line(&self, ui: &Ui, rect: Rect, entry: &RenameEntry, stage: &mut Stage<'_>, document: &Document) {
        let palette = theme::palette(ui);
        let half = (rect.width() - 96.0) / 2.0;
        let column = |left: f32, width: f32| {
            Rect::from_min_size(pos2(rect.left() + left, rect.top()), vec2(width, rect.height()))
        };
        let thumb = column(0.0, LINE_HEIGHT).shrink(2.0);
        let painter = ui.painter_at(ui.clip_rect());
        thumbnail::paint(&painter, stage.canvas, stage.session, document, entry.index, thumb);
        let number = entry.index.to_string();
        parts::text_in(ui, column(32.0, 36.0), &number, palette.weak_text, Align2::RIGHT_CENTER);
        let old = if entry.old.is_empty() { "no name" } else { &entry.old };
        parts::text_in(ui, column(76.0, half - 24.0), old, palette.weak_text, Align2::LEFT_CENTER);
        let arrow = column(76.0 + half - 24.0, 24.0);
        parts::icon_in(ui, arrow, ICON_ARROW_FORWARD, palette.weak_text);
        let (new, color) = match self.collision(entry) {
            Some(why) => (format!("{}   {why}", entry.new), palette.warning),
            None => (entry.new.clone(), palette.text),
        };
        parts::text_in(ui, column(84.0 + half, half + 8.0), &new, color, Align2::LEFT_CENTER);
        let response = ui.interact(rect, ui.scope_id().with(("renamed", entry.index)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, format!("{old} becomes {new}")));
        response.on_hover_text(format!("Frame {}: {old} becomes {new}", entry.index));
    }

    /// Whose name a new name would be too, in words.
    fn collision(&self, entry: &RenameEntry) -> Option<String> {
        let other = entry.collides_with?;
        let other_id = self.frames.get(other)?.id;
        let verb = if self.selection.contains(&other_id) { "gets it too" } else { "has it" };
        Some(format!("(frame {other} {verb})"))
    }

    /// What is wrong, and a button that mends it; whether that was pressed.
    fn problem(&mut self, ui: &mut Ui, why_not: Option<&str>, document: &Document) -> bool {
        let suggestion = self.plan.as_ref().ok().and_then(|plan| plan.suggestion.clone());
        let message = why_not.map(|why| (Tone::Warning, why));
        let is_pressed = parts::message(ui, message, |ui| {
            let Some(suggestion) = &suggestion else { return false };
            let text = format!("Use {} from {}", suggestion.pattern, suggestion.start);
            ui.button(text).on_hover_text("Take a pattern and a start that leave every name free").clicked()
        });
        if let Some(suggestion) = suggestion.filter(|_| is_pressed) {
            self.pattern = suggestion.pattern;
            self.numbering.start = suggestion.start;
            self.make_plan(document);
        }
        is_pressed
    }

    fn take(&self, actions: &mut Vec<Action>) {
        let Ok(plan) = &self.plan else { return };
        let names = plan.entries.iter().filter_map(|entry| {
            let frame = self.frames.get(entry.index)?;
            Some((frame.id, Arc::from(entry.new.as_str())))
        });
        actions.push(Action::Edit(Edit::Rename(names.collect())));
        actions.push(Action::Seal);
    }
}
