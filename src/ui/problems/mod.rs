//! The list of problems under the canvas: what is wrong now, the gravest first. A click leads there, the pointer shows
//! the frame on the canvas, and what can be mended at once has a button.

mod lines;
mod mend;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use eframe::egui;
use egui::{Align, Button, Label, Layout, Response, RichText, ScrollArea, Ui};
use egui_material_icons::icons::{ICON_CHECK_CIRCLE, ICON_CLOSE};

use super::UiState;
use super::theme::{self, BETWEEN, ROW_HEIGHT};
use super::widgets::{self, Tone, count_text};
use crate::model::{Code, Problem, Severity};
use crate::session::{Action, Command, Session};
use lines::{Kind, Line};

pub use rows::go_to;

const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

/// The state of the list.
#[derive(Debug, Default)]
pub struct Problems {
    is_open: bool,
    /// Severities that are not shown.
    hidden: Vec<Severity>,
    /// Kinds whose problems are not shown one by one.
    folded: HashSet<Kind>,
    /// The one that was gone to last.
    at: Option<Place>,
    /// Where to go with the next pass.
    step: Option<Step>,
}

/// Which problem to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The one after the last, from the end the first.
    Next,
    /// The one before.
    Previous,
}

/// What tells a problem from others while the list changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    path: Arc<str>,
    code: Code,
    frame: Option<u32>,
    object: Option<u32>,
    /// An object may have the same kind of problem twice.
    message: String,
}

impl Place {
    fn of(problem: &Problem) -> Self {
        let Problem { path, code, frame, object, message, .. } = problem.clone();
        Self { path, code, frame, object, message }
    }
}

impl Problems {
    /// Opens or closes the list.
    pub fn toggle(&mut self) {
        self.is_open = !self.is_open;
    }

    /// Opens the list and goes to another problem with the next pass.
    pub(super) fn step(&mut self, step: Step) {
        self.is_open = true;
        self.step = Some(step);
    }

    /// The line to go to, when that was asked for.
    fn take_step(&mut self, lines: &[Line<'_>]) -> Option<usize> {
        let step = self.step.take()?;
        let stops: Vec<usize> = (0..lines.len()).filter(|index| lines[*index].problem().is_some()).collect();
        let place = |index: &usize| lines[*index].problem().map(Place::of);
        let at = stops.iter().position(|index| place(index) == self.at).filter(|_| self.at.is_some());
        let next = match (step, at) {
            (Step::Next, Some(at)) => (at + 1) % stops.len(),
            (Step::Next, None) => 0,
            (Step::Previous, at) => at.unwrap_or(0).checked_sub(1).unwrap_or(stops.len().saturating_sub(1)),
        };
        stops.get(next).copied()
    }

    /// Whether this one was gone to last.
    fn is_at(&self, problem: &Problem) -> bool {
        self.at.as_ref().is_some_and(|at| *at == Place::of(problem))
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

    fn toggle_fold(&mut self, kind: Kind) {
        if !self.folded.remove(&kind) {
            self.folded.insert(kind);
        }
    }
}

/// The list of problems.
pub fn ui(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let mut problems: Vec<&Problem> = session.problems().collect();
    header(ui, &problems, &mut state.problems, actions);
    problems.retain(|problem| !state.problems.hidden.contains(&problem.severity));
    lines::sort(&mut problems);
    let mut lines = lines::lines(&problems, &state.problems.folded);
    let ready = session.documents().iter().filter(|document| document.is_ready());
    let ignored: Vec<(&Arc<str>, &[Code])> =
        ready.map(|document| (&document.path, &*document.sheet().ignored)).collect();
    lines.extend(
        ignored.iter().filter(|(_, codes)| !codes.is_empty()).map(|(path, codes)| Line::Ignored(path, codes)),
    );
    if lines.is_empty() {
        nothing(ui, session.problem_count() > 0);
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("problems").auto_shrink(false);
    if let Some(index) = state.problems.take_step(&lines)
        && let Some(problem) = lines[index].problem()
    {
        rows::go_to(session, state, problem, actions);
        let middle = (ui.available_height() - ROW_HEIGHT) / 2.0;
        area = area.vertical_scroll_offset((index as f32 * ROW_HEIGHT - middle).max(0.0));
    }
    area.show_rows(ui, ROW_HEIGHT, lines.len(), |ui, shown| {
        for (index, line) in shown.clone().zip(&lines[shown]) {
            rows::line(ui, session, state, index, line, actions);
        }
    });
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
            let key = widgets::key_text(ui, Command::Problems);
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
