//! The list of problems under the canvas: what is wrong now, the gravest first; a click leads there.

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align, Align2, Button, Color32, FontId, Galley, Label, Layout, Pos2, Rect, Response, RichText, Role,
};
use egui::{ScrollArea, Sense, Stroke, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo};
use egui_material_icons::icons::{ICON_CHECK_CIRCLE, ICON_CLOSE};

use super::theme::{self, BETWEEN, ICON_SIZE, INSIDE, ROW_HEIGHT};
use super::widgets::{self, Tone, count_text};
use crate::model::{FrameId, Problem, Severity};
use crate::session::{Action, Command, SelectMode, Session};

const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];
const SEVERITY_WIDTH: f32 = 88.0;
const SHEET_WIDTH: f32 = 200.0;
const FRAME_WIDTH: f32 = 80.0;

/// The state of the list.
#[derive(Debug, Default)]
pub struct Problems {
    is_open: bool,
    /// Severities that are not shown.
    hidden: Vec<Severity>,
}

impl Problems {
    /// Opens or closes the list.
    pub fn toggle(&mut self) {
        self.is_open = !self.is_open;
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    fn toggle_severity(&mut self, severity: Severity) {
        match self.hidden.iter().position(|hidden| *hidden == severity) {
            Some(index) => drop(self.hidden.swap_remove(index)),
            None => self.hidden.push(severity),
        }
    }
}

/// The list of problems.
pub fn ui(ui: &mut Ui, session: &Session, state: &mut Problems, actions: &mut Vec<Action>) {
    let mut problems: Vec<&Problem> = session.problems().collect();
    problems.sort_by_key(|problem| problem.severity);
    header(ui, &problems, state, actions);
    problems.retain(|problem| !state.hidden.contains(&problem.severity));
    if problems.is_empty() {
        nothing(ui, session.problem_count() > 0);
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().id_salt("problems").auto_shrink(false).show_rows(
        ui,
        ROW_HEIGHT,
        problems.len(),
        |ui, shown| {
            for (index, problem) in shown.clone().zip(&problems[shown]) {
                row(ui, session, index, problem, actions);
            }
        },
    );
}

fn header(ui: &mut Ui, problems: &[&Problem], state: &mut Problems, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.add(Label::new("Problems").selectable(false));
        ui.add_space(BETWEEN);
        for severity in SEVERITIES {
            let count = problems.iter().filter(|problem| problem.severity == severity).count();
            if filter(ui, severity, count, !state.hidden.contains(&severity)).clicked() {
                state.toggle_severity(severity);
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let key =
                Command::Problems.shortcut().map(|it| widgets::shortcut_text(ui, it)).unwrap_or_default();
            if widgets::icon_button(ui, ICON_CLOSE, "Close the list of problems", &key).clicked() {
                actions.push(Command::Problems.into());
            }
        });
    });
}

/// How many there are of a severity; a press hides or shows them.
fn filter(ui: &mut Ui, severity: Severity, count: usize, is_shown: bool) -> Response {
    let text = count_of(severity, count);
    let icon = if count > 0 {
        Tone::from(severity).icon_text(ui)
    } else {
        widgets::icon_text(Tone::from(severity).icon()).weak()
    };
    let button = Button::new((icon, RichText::new(text.as_str()))).frame_when_inactive(is_shown && count > 0);
    let response = ui.add_enabled(count > 0, button).accessible_name(text.as_str());
    response.on_disabled_hover_text("There are none").on_hover_text(if is_shown {
        "Shown; click to hide them"
    } else {
        "Hidden; click to show them"
    })
}

fn count_of(severity: Severity, count: usize) -> String {
    match severity {
        Severity::Info => format!("{count} info"),
        other => count_text(count, &other.to_string()),
    }
}

fn nothing(ui: &mut Ui, all_hidden: bool) {
    let weak = theme::palette(ui).weak_text;
    let words = if all_hidden { "All problems are hidden by the filter above" } else { "No problems" };
    ui.add_space(BETWEEN);
    ui.horizontal(|ui| {
        ui.add(Label::new(widgets::icon_text(ICON_CHECK_CIRCLE).color(weak)).selectable(false));
        ui.add(Label::new(RichText::new(words).color(weak)).selectable(false));
    });
}

/// Where a click on a problem leads.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    path: Arc<str>,
    frame: Option<FrameId>,
}

/// The sheet of a problem and its frame, as far as they are there.
fn target(session: &Session, problem: &Problem) -> Option<Target> {
    let document = session.documents().iter().find(|document| document.path == problem.path);
    let asset = session.asset(&problem.path);
    if document.is_none() && asset.is_none() {
        return None;
    }
    let frame = problem.frame.and_then(|index| {
        let of_document = document.filter(|document| document.is_ready());
        match of_document {
            Some(document) => document.sheet().frames.get(index as usize).map(|frame| frame.id),
            None => asset?.frames.iter().find(|frame| frame.index == index).map(|frame| frame.id),
        }
    });
    Some(Target { path: problem.path.clone(), frame })
}

fn row(ui: &mut Ui, session: &Session, index: usize, problem: &Problem, actions: &mut Vec<Action>) {
    let size = Vec2::new(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let label = row_text(problem);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &label));
    paint_row(ui, rect, &response, index, problem);
    if response.clicked()
        && let Some(Target { path, frame }) = target(session, problem)
    {
        actions.push(match frame {
            Some(frame) => Action::Select(path, frame, SelectMode::Replace),
            None => Action::OpenSheet(path),
        });
    }
    response.context_menu(|ui| {
        if ui.button("Copy message").clicked() {
            actions.push(Action::CopyText(problem.to_string()));
        }
        if ui.button("Show in file manager").clicked() {
            actions.push(Action::RevealFile(problem.path.clone()));
        }
    });
    response.on_hover_text(format!("{}\n{}", problem.message, problem.path));
}

/// What a screen reader says of a row.
fn row_text(problem: &Problem) -> String {
    let Problem { severity, path, frame, message, .. } = problem;
    let frame = frame.map(|frame| format!(", frame {frame}")).unwrap_or_default();
    format!("{}, {}{frame}: {message}", word(*severity), file_name(path))
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Info",
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn paint_row(ui: &Ui, rect: Rect, response: &Response, index: usize, problem: &Problem) {
    let palette = theme::palette(ui);
    if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, palette.control);
    } else if index % 2 == 1 {
        ui.painter().rect_filled(rect, 2.0, palette.raised);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    }
    let tone = Tone::from(problem.severity);
    let color = tone.color(ui);
    let middle = rect.center().y;
    let mut left = rect.left() + INSIDE;
    let font = FontId::new(ICON_SIZE, tone.icon().font_family());
    ui.painter().text(Pos2::new(left, middle), Align2::LEFT_CENTER, tone.icon().codepoint, font, color);
    let after_icon = left + ICON_SIZE + INSIDE;
    paint_cell(
        ui,
        Pos2::new(after_icon, middle),
        SEVERITY_WIDTH - ICON_SIZE - INSIDE,
        word(problem.severity),
        color,
    );
    left += SEVERITY_WIDTH;
    paint_cell(ui, Pos2::new(left, middle), SHEET_WIDTH, file_name(&problem.path), palette.text);
    left += SHEET_WIDTH;
    if let Some(frame) = problem.frame {
        paint_cell(ui, Pos2::new(left, middle), FRAME_WIDTH, &format!("Frame {frame}"), palette.weak_text);
    }
    left += FRAME_WIDTH;
    paint_cell(ui, Pos2::new(left, middle), rect.right() - left, &problem.message, palette.text);
}

/// Text in a cell, cut where the next one begins.
fn paint_cell(ui: &Ui, left_middle: Pos2, width: f32, text: &str, color: Color32) {
    let galley = cut_text(ui, text, width - BETWEEN, color);
    let top_left = Pos2::new(left_middle.x, left_middle.y - galley.size().y / 2.0);
    ui.painter().galley(top_left, galley, color);
}

fn cut_text(ui: &Ui, text: &str, width: f32, color: Color32) -> Arc<Galley> {
    let font = TextStyle::Body.resolve(ui.style());
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    ui.painter().layout_job(job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Code;

    #[test]
    fn a_row_is_said_with_its_severity_sheet_and_frame() {
        let problem =
            Problem::new(Code::FramePartlyOutside, "assets/hero.png", "Lies partly outside").at_frame(3);
        assert_eq!(row_text(&problem), "Warning, hero.png, frame 3: Lies partly outside");
        let problem = Problem::new(Code::Unreadable, "C:\\art\\hero.png", "Cannot be read");
        assert_eq!(row_text(&problem), "Error, hero.png: Cannot be read");
    }

    #[test]
    fn severities_are_counted_in_words() {
        assert_eq!(count_of(Severity::Error, 1), "1 error");
        assert_eq!(count_of(Severity::Warning, 2), "2 warnings");
        assert_eq!(count_of(Severity::Info, 2), "2 info");
    }

    #[test]
    fn a_severity_is_hidden_and_shown_again() {
        let mut problems = Problems::default();
        problems.toggle_severity(Severity::Info);
        assert_eq!(problems.hidden, [Severity::Info]);
        problems.toggle_severity(Severity::Info);
        assert!(problems.hidden.is_empty());
    }
}
