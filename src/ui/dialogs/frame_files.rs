//! Frames on their way to PNG files: what would be replaced, how far it is, what was written.

use eframe::egui;
use egui::{Button, Label, ProgressBar, ScrollArea, Sides, Ui, Vec2};

use super::{is_entered, modal, set_width, title};
use crate::export::frames::FrameReport;
use crate::session::{Action, FrameAsk, FrameSaving, FrameStage};
use crate::ui::theme::{AROUND, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone, count_text};

const WIDTH: f32 = 520.0;
const LIST_HEIGHT: f32 = 200.0;
/// More are only counted.
const MOST_LISTED: usize = 50;

/// The window.
pub(super) fn ui(ui: &Ui, saving: &FrameSaving, actions: &mut Vec<Action>) {
    let shown = modal("frame files", ui).show(ui, |ui| {
        set_width(ui, WIDTH);
        title(ui, "Save frames as PNG");
        match &saving.stage {
            FrameStage::Looking => {
                ui.horizontal(|ui| {
                    ui.spinner();
                    ui.add(Label::new("Reading the image…").selectable(false));
                });
                one_button(ui, "Cancel", "Stop (Esc)", FrameAsk::Close)
            }
            FrameStage::Asks(there) => asks(ui, there),
            FrameStage::Writing(done, total) => {
                let part = *done as f32 / (*total).max(1) as f32;
                ui.add(ProgressBar::new(part).text(format!("{done} of {total} files")));
                one_button(ui, "Cancel", "Stop; what is written stays (Esc)", FrameAsk::Cancel)
            }
            FrameStage::Done(report) => done(ui, saving, report),
        }
    });
    let is_writing = matches!(saving.stage, FrameStage::Writing(..));
    let closes = if is_writing { FrameAsk::Cancel } else { FrameAsk::Close };
    let closes = shown.should_close().then_some(closes);
    actions.extend(shown.inner.or(closes).map(Action::FrameFiles));
}

/// What would be lost.
fn asks(ui: &mut Ui, there: &[std::path::PathBuf]) -> Option<FrameAsk> {
    let verb = if there.len() == 1 { "is" } else { "are" };
    let words = format!(
        "{} {verb} there already and would be replaced. What they hold now is lost.",
        count_text(there.len(), "file")
    );
    widgets::banner(ui, Tone::Warning, &words);
    list(ui, there.iter().map(|file| file.display().to_string()), there.len());
    ui.add_space(AROUND);
    let ((), ask) = Sides::new().show(
        ui,
        |_| (),
        |ui| {
            let replace = ui.add(widgets::primary_button(ui, "Replace"));
            let cancel = Button::new("Cancel").min_size(Vec2::new(72.0, ROW_HEIGHT));
            let cancels = ui.add(cancel).on_hover_text("Write nothing (Esc)").clicked();
            if replace.on_hover_text("Replace these files, and write the others").clicked() {
                Some(FrameAsk::Replace)
            } else {
                cancels.then_some(FrameAsk::Close)
            }
        },
    );
    ask
}

/// What was written; stays until it is closed.
fn done(ui: &mut Ui, saving: &FrameSaving, report: &FrameReport) -> Option<FrameAsk> {
    let count = count_text(report.files.len(), "file");
    let folder = saving.order.folder.display();
    let has_errors = report.problems.iter().any(|problem| problem.severity == crate::model::Severity::Error);
    let (tone, words) = match (report.is_cancelled, has_errors) {
        (true, _) => (Tone::Warning, format!("Cancelled. {count} written to {folder}")),
        (false, true) => (Tone::Error, format!("Not all were saved. {count} written to {folder}")),
        (false, false) => (Tone::Done, format!("{count} written to {folder}")),
    };
    widgets::banner(ui, tone, &words);
    ui.add_space(INSIDE);
    let problems = report.problems.iter().map(|problem| match problem.frame {
        Some(frame) => format!("Frame {frame}: {}", problem.message),
        None => format!("{}: {}", problem.path, problem.message),
    });
    list(ui, problems, report.problems.len());
    ui.add_space(AROUND);
    let (reveals, closes) = Sides::new().show(
        ui,
        |ui| {
            let button = Button::new("Open folder").min_size(Vec2::new(0.0, ROW_HEIGHT));
            let reveal = ui.add_enabled(!report.files.is_empty(), button);
            reveal.on_hover_text("Show what was written").clicked()
        },
        |ui| ui.add(widgets::primary_button(ui, "Close")).on_hover_text("Close (Enter, Esc)").clicked(),
    );
    if reveals {
        return Some(FrameAsk::Reveal);
    }
    (closes || is_entered(ui)).then_some(FrameAsk::Close)
}

fn list(ui: &mut Ui, lines: impl Iterator<Item = String>, count: usize) {
    ScrollArea::vertical().max_height(LIST_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        for line in lines.take(MOST_LISTED) {
            ui.add(Label::new(line).wrap());
        }
        if count > MOST_LISTED {
            ui.label(format!("and {} more", count - MOST_LISTED));
        }
    });
}

fn one_button(ui: &mut Ui, text: &str, tooltip: &str, ask: FrameAsk) -> Option<FrameAsk> {
    ui.add_space(AROUND);
    let button = Button::new(text).min_size(Vec2::new(72.0, ROW_HEIGHT));
    ui.add(button).on_hover_text(tooltip).clicked().then_some(ask)
}
