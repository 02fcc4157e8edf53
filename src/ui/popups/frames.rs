//! Saves frames as PNG files: which ones, what they are called, and where they go, with every name before it is done.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Rect, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};

use super::parts::{self, Choice};
use super::rename::PLACEHOLDERS;
use super::{Stage, dialogs};
use crate::export::frames::{FrameFile, FramePlan, Naming, plan_frames};
use crate::model::{Frame, FrameId};
use crate::session::{Action, Document, FrameAsk, FrameOrder, Session};
use crate::slicing::pattern::{Pattern, PatternError};
use crate::ui::inspector::rows::{self, segments};
use crate::ui::strip::thumbnail;
use crate::ui::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const WIDTH: f32 = 600.0;
const LABEL_WIDTH: f32 = 64.0;
const LINE_HEIGHT: f32 = 32.0;
const LIST_HEIGHT: f32 = 8.0 * LINE_HEIGHT;
/// Room for so many lines stays when there are fewer.
const LEAST_LINES: usize = 3;

/// Saving of frames.
pub(super) struct FrameFiles {
    pattern: String,
    only_selected: bool,
    folder: String,
    /// What the plan was made of.
    frames: Arc<[Frame]>,
    selection: Vec<FrameId>,
    plan: Result<FramePlan, PatternError>,
    /// Why a frame's file is not as expected, by the frame's place.
    notes: HashMap<usize, String>,
    begins: bool,
}

impl FrameFiles {
    /// `folder` is where frames were saved last.
    pub(super) fn new(session: &Session, document: &Document, folder: Option<&PathBuf>) -> Self {
        let folder = folder.cloned().or_else(|| session.folder_for_frames(document));
        let mut frames = Self {
            pattern: String::new(),
            only_selected: !document.history.selection().is_empty(),
            folder: folder.map(|folder| folder.display().to_string()).unwrap_or_default(),
            frames: [].into(),
            selection: Vec::new(),
            plan: Ok(FramePlan::default()),
            notes: HashMap::new(),
            begins: true,
        };
        frames.follow(document);
        frames
    }

    /// Takes the folder that was chosen.
    pub(super) fn take_folder(&mut self, folder: &std::path::Path) {
        self.folder = folder.display().to_string();
    }

    fn follow(&mut self, document: &Document) {
        let frames = &document.sheet().frames;
        let selection = document.history.selection();
        if !Arc::ptr_eq(&self.frames, frames) || self.selection != selection {
            self.frames = frames.clone();
            self.selection = selection.to_vec();
            self.make_plan(document);
        }
    }

    /// What the files are called; `None` for the frames' own names.
    fn parsed(&self) -> Result<Option<Pattern>, PatternError> {
        if self.pattern.trim().is_empty() { Ok(None) } else { Pattern::parse(&self.pattern).map(Some) }
    }

    fn positions(&self, document: &Document) -> Option<Vec<usize>> {
        self.only_selected.then(|| document.selected_frames().map(|(index, _)| index).collect())
    }

    fn make_plan(&mut self, document: &Document) {
        let selection = self.positions(document);
        self.plan = self.parsed().map(|pattern| {
            let naming = Naming { pattern: pattern.as_ref() };
            plan_frames(&self.frames, selection.as_deref(), naming, document.image_size, &document.path)
        });
        let problems = self.plan.iter().flat_map(|plan| &plan.problems);
        let notes = problems.filter_map(|problem| Some((problem.frame? as usize, problem.message.clone())));
        self.notes = notes.collect();
    }

    fn why_not(&self) -> Option<String> {
        match &self.plan {
            Err(error) => Some(format!("Pattern, {error}")),
            Ok(plan) if plan.files.is_empty() => Some("None of these frames has pixels in the image".into()),
            Ok(_) if self.folder.trim().is_empty() => Some("Choose a folder for the files".into()),
            Ok(_) => None,
        }
    }

    pub(super) fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        let Some(document) = stage.document else { return true };
        self.follow(document);
        if self.frames.is_empty() {
            return true;
        }
        let shown = dialogs::modal("frames as files", ui).show(ui, |ui| {
            dialogs::set_width(ui, WIDTH);
            dialogs::title(ui, "Save frames as PNG");
            if self.fields(ui, document, stage.actions) {
                self.make_plan(document);
            }
            ui.add_space(INSIDE);
            self.list(ui, stage, document);
            let why_not = self.why_not();
            parts::message(
                ui,
                self.message(why_not.as_deref()).as_ref().map(|(tone, it)| (*tone, &**it)),
                |_| (),
            );
            let count = self.plan.as_ref().map_or(0, |plan| plan.files.len());
            let primary = format!("Save {}", widgets::count_text(count, "file"));
            let choice = parts::buttons(ui, &primary, "Enter", why_not.as_deref());
            let takes = choice == Choice::Nothing && parts::is_entered(ui) && why_not.is_none();
            if takes { Choice::Take } else { choice }
        });
        let choice = if shown.should_close() { Choice::GiveUp } else { shown.inner };
        if choice == Choice::Take {
            let order = self.order(document);
            stage.actions.extend(order.map(|order| Action::FrameFiles(FrameAsk::Save(Box::new(order)))));
        }
        choice != Choice::Nothing
    }

    fn order(&self, document: &Document) -> Option<FrameOrder> {
        Some(FrameOrder {
            path: document.path.clone(),
            frames: self.frames.clone(),
            image_size: document.image_size,
            selection: self.positions(document),
            pattern: self.parsed().ok()?,
            folder: PathBuf::from(self.folder.trim()),
        })
    }

    /// Names, frames and folder; whether the names are others now.
    fn fields(&mut self, ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) -> bool {
        let mut changes = false;
        row(ui, "Names", |ui| {
            let field = field(&mut self.pattern, ui.available_width()).id_salt("file names");
            let field = ui.add(field.hint_text("The frames' own names")).accessible_name("File names");
            let field = field.on_hover_text(PLACEHOLDERS);
            if self.begins {
                self.begins = !parts::focus_all(ui, &field, &self.pattern);
            }
            changes = field.changed();
        });
        parts::explanation(ui, PLACEHOLDERS);
        let selected = document.history.selection().len();
        if selected > 0 {
            row(ui, "Frames", |ui| {
                let all = format!("All {}", self.frames.len());
                let choices = [
                    rows::Choice::new(false, all, "Every frame of the sheet"),
                    rows::Choice::new(true, format!("{selected} selected"), "Only the selected frames"),
                ];
                if let Some(only_selected) = segments(ui, self.only_selected, &choices) {
                    self.only_selected = only_selected;
                    changes = true;
                }
            });
        } else if std::mem::take(&mut self.only_selected) {
            changes = true;
        }
        row(ui, "Folder", |ui| {
            let width = ui.available_width() - 88.0;
            let field = ui.add(field(&mut self.folder, width).id_salt("folder")).accessible_name("Folder");
            field.on_hover_text("Where the files go; it is made when it is missing");
            let choose = egui::Button::new("Choose…").min_size(vec2(80.0, ROW_HEIGHT));
            if ui.add(choose).on_hover_text("Choose a folder").clicked() {
                actions.push(Action::FrameFiles(FrameAsk::PickFolder));
            }
        });
        changes
    }

    /// Every file with its frame.
    fn list(&self, ui: &mut Ui, stage: &mut Stage<'_>, document: &Document) {
        let files = self.plan.as_ref().map_or(&[][..], |plan| &plan.files);
        let most = (ui.content_rect().height() - 330.0).max(3.0 * LINE_HEIGHT);
        let height = LIST_HEIGHT.min(files.len().max(LEAST_LINES) as f32 * LINE_HEIGHT).min(most);
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.set_min_height(height);
            let area = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
            area.show_rows(ui, LINE_HEIGHT, files.len(), |ui, range| {
                for file in files.get(range).unwrap_or_default() {
                    let size = vec2(ui.available_width(), LINE_HEIGHT);
                    let rect = ui.allocate_exact_size(size, Sense::hover()).0;
                    self.line(ui, rect, file, stage, document);
                }
            });
        });
    }

    fn line(&self, ui: &Ui, rect: Rect, file: &FrameFile, stage: &mut Stage<'_>, document: &Document) {
        let palette = theme::palette(ui);
        let column = |left: f32, width: f32| {
            Rect::from_min_size(pos2(rect.left() + left, rect.top()), vec2(width, rect.height()))
        };
        let painter = ui.painter_at(ui.clip_rect());
        let thumb = column(0.0, LINE_HEIGHT).shrink(2.0);
        thumbnail::paint(&painter, stage.canvas, stage.session, document, file.index, thumb);
        let number = file.index.to_string();
        parts::text_in(ui, column(32.0, 36.0), &number, palette.weak_text, Align2::RIGHT_CENTER);
        let note = self.notes.get(&file.index);
        let color = if note.is_some() { palette.warning } else { palette.text };
        parts::text_in(ui, column(84.0, rect.width() - 172.0), &file.name, color, Align2::LEFT_CENTER);
        let size = format!("{} × {}", file.rect_in_image.width, file.rect_in_image.height);
        let right = column(rect.width() - 80.0, 80.0);
        parts::text_in(ui, right, &size, palette.weak_text, Align2::RIGHT_CENTER);
        let response = ui.interact(rect, ui.scope_id().with(("file", file.index)), Sense::hover());
        let label = format!("Frame {}: {}", file.index, file.name);
        response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, &label));
        response.on_hover_text(note.map_or(label.clone(), |note| format!("{label}\n{note}")));
    }

    /// What is wrong, or what is to be known about the names.
    fn message(&self, why_not: Option<&str>) -> Option<(Tone, String)> {
        if let Some(why) = why_not {
            return Some((Tone::Warning, why.to_owned()));
        }
        let problems = self.plan.as_ref().map_or(&[][..], |plan| &plan.problems);
        match problems {
            [] => None,
            [one] => Some((Tone::Info, one.message.clone())),
            [.., _] => Some((
                Tone::Info,
                format!("{} files are not as their frames say: point at them", problems.len()),
            )),
        }
    }
}

fn field(text: &mut String, width: f32) -> TextEdit<'_> {
    TextEdit::singleline(text)
        .desired_width(width)
        .min_size(vec2(width, ROW_HEIGHT))
        .align(Align2::LEFT_CENTER)
}

fn row(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = BETWEEN;
        ui.set_min_height(ROW_HEIGHT);
        let label = egui::Label::new(label).selectable(false);
        ui.scope(|ui| {
            ui.set_min_width(LABEL_WIDTH);
            ui.add(label);
        });
        add(ui);
    });
}
