//! The export: what it would write and why, how far it is, and what became of it.

use eframe::egui;
use egui::{Button, Checkbox, Label, ProgressBar, RichText, ScrollArea, Sides, Ui, Vec2};

use super::{is_entered, modal, set_width, title};
use crate::export::{Action as FileAction, Item, Plan, Report, Standing};
use crate::model::{Problem, Severity};
use crate::session::{Action, ExportAsk, ExportStage, Exporting, Session};
use crate::ui::theme::{self, AROUND, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone, bytes_text, count_text};

const WIDTH: f32 = 620.0;
const LIST_HEIGHT: f32 = 260.0;
const NAME_WIDTH: f32 = 216.0;
const BYTES_WIDTH: f32 = 64.0;
const STATE_WIDTH: f32 = 76.0;
/// More problems are only counted.
const MOST_PROBLEMS: usize = 20;

/// The window.
pub(super) fn ui(ui: &Ui, session: &Session, exporting: &Exporting, actions: &mut Vec<Action>) {
    let shown = modal("export", ui).show(ui, |ui| {
        set_width(ui, WIDTH);
        title(ui, "Export");
        match &exporting.stage {
            ExportStage::Planning => busy(ui, "Finding out what the scenes use…"),
            ExportStage::Saving => busy(ui, "Saving and importing what was changed…"),
            ExportStage::Planned(plan) => planned(ui, session, exporting, plan),
            ExportStage::Refused(problem) => {
                widgets::banner(ui, Tone::Error, &problem.message);
                buttons(ui, None)
            }
            ExportStage::Writing(progress) => {
                let part = progress.bytes_done as f32 / progress.bytes.max(1) as f32;
                let words = format!("{} of {} files", progress.files_done, progress.files);
                ui.add(ProgressBar::new(part).text(words));
                cancel(ui)
            }
            ExportStage::Done(report) => done(ui, report),
        }
    });
    let is_writing = matches!(exporting.stage, ExportStage::Writing(_));
    let closes =
        shown.should_close().then_some(if is_writing { ExportAsk::Cancel } else { ExportAsk::Close });
    actions.extend(shown.inner.or(closes).map(Action::Export));
}

fn busy(ui: &mut Ui, words: &str) -> Option<ExportAsk> {
    ui.horizontal(|ui| {
        ui.spinner();
        ui.add(Label::new(words).selectable(false));
    });
    buttons(ui, None)
}

/// What would be written, from which, for whom.
fn planned(ui: &mut Ui, session: &Session, exporting: &Exporting, plan: &Plan) -> Option<ExportAsk> {
    let weak = theme::palette(ui).weak_text;
    let goes_to = RichText::new(format!("To {}", plan.output.display())).color(weak);
    ui.add(Label::new(goes_to).truncate());
    ui.add_space(INSIDE);
    let unsaved = session.unsaved();
    if !unsaved.is_empty() {
        let words =
            format!("{} with unsaved changes: {}", count_text(unsaved.len(), "document"), names(&unsaved));
        widgets::banner(ui, Tone::Warning, &words);
        ui.add_space(INSIDE);
    }
    let (copied, copied_bytes) = plan.count(FileAction::Copied);
    let (unchanged, _) = plan.count(FileAction::Unchanged);
    let summary = match (copied, unchanged) {
        (0, 0) => "No scene uses anything yet: there is nothing to export.".to_owned(),
        (0, same) => format!("Nothing to do, {same} up to date."),
        (copied, 0) => format!("{} to write, {}", count_text(copied, "file"), bytes_text(copied_bytes)),
        (copied, same) => {
            format!(
                "{} to write, {}; {same} up to date",
                count_text(copied, "file"),
                bytes_text(copied_bytes)
            )
        }
    };
    ui.add(Label::new(summary).selectable(false));
    ScrollArea::vertical().max_height(LIST_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for item in &plan.items {
            row(ui, item);
        }
        problems(ui, &plan.problems);
    });
    let mut ask = None;
    if !plan.removals.is_empty() {
        let bytes: u64 = plan.removals.iter().map(|removal| removal.file.bytes).sum();
        let words = format!(
            "Remove {} that nothing uses any more, {}",
            count_text(plan.removals.len(), "file"),
            bytes_text(bytes)
        );
        let mut prunes = exporting.prunes;
        let may_not = plan.keeps_because.as_deref();
        let response = ui.add_enabled(may_not.is_none(), Checkbox::new(&mut prunes, words));
        let files: Vec<String> =
            plan.removals.iter().take(12).map(|removal| removal.file.path.display().to_string()).collect();
        let response = response.on_hover_text(files.join("\n"));
        if response.on_disabled_hover_text(may_not.unwrap_or_default()).clicked() {
            ask = Some(ExportAsk::Prune(prunes));
        }
    }
    let primary = match (unsaved.is_empty(), copied > 0 || exporting.prunes) {
        (false, _) => Some("Save all and export"),
        (true, true) => Some("Export"),
        (true, false) => None,
    };
    buttons(ui, primary).or(ask)
}

fn names(paths: &[std::sync::Arc<str>]) -> String {
    let names: Vec<&str> = paths.iter().map(|path| path.rsplit('/').next().unwrap_or(path)).collect();
    names.join(", ")
}

fn row(ui: &mut Ui, item: &Item) {
    let palette = theme::palette(ui);
    let name = item.asset.as_deref().map_or_else(|| item.guid.to_string(), str::to_owned);
    let bytes = item.source.as_ref().map_or_else(|| "missing".to_owned(), |source| bytes_text(source.bytes));
    let (words, color) = match (&item.standing, item.action) {
        (Standing::Stale, _) => ("stale", palette.warning),
        (Standing::Failed | Standing::Missing, _) => ("missing", palette.error),
        (_, Some(FileAction::Unchanged)) => ("up to date", palette.weak_text),
        (_, Some(_)) => ("to write", palette.text),
        (_, None) => ("left out", palette.warning),
    };
    let users = item.users.words().unwrap_or_default();
    let cells = [
        (NAME_WIDTH, RichText::new(&name)),
        (BYTES_WIDTH, RichText::new(bytes).color(palette.weak_text)),
        (STATE_WIDTH, RichText::new(words).color(color)),
        (f32::INFINITY, RichText::new(users).small().color(palette.weak_text)),
    ];
    let size = Vec2::new(ui.available_width(), ROW_HEIGHT);
    let row = ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = BETWEEN;
        for (width, text) in cells {
            let size = Vec2::new(width.min(ui.available_width()), ROW_HEIGHT);
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.set_min_width(size.x);
                ui.add(Label::new(text).truncate().selectable(false));
            });
        }
    });
    row.response.on_hover_text(format!("{name}\n{}", item.destination.display()));
}

fn problems(ui: &mut Ui, problems: &[Problem]) {
    for problem in problems.iter().take(MOST_PROBLEMS) {
        let tone = match problem.severity {
            Severity::Error => Tone::Error,
            Severity::Warning => Tone::Warning,
            Severity::Info => Tone::Info,
        };
        widgets::banner(ui, tone, &format!("{}: {}", problem.path, problem.message));
    }
    if problems.len() > MOST_PROBLEMS {
        ui.label(format!("and {} more", problems.len() - MOST_PROBLEMS));
    }
}

/// What became of it; stays until it is closed.
fn done(ui: &mut Ui, report: &Report) -> Option<ExportAsk> {
    let (copied, bytes) = report.count(FileAction::Copied);
    let (unchanged, _) = report.count(FileAction::Unchanged);
    let (removed, _) = report.count(FileAction::Removed);
    let has_errors = report.problems.iter().any(|problem| problem.severity == Severity::Error);
    let (tone, what) = match (report.is_cancelled, has_errors) {
        (true, _) => (Tone::Warning, "Cancelled. Every file is the old or the new one."),
        (false, true) => (Tone::Error, "Not everything was exported."),
        (false, false) => (Tone::Done, "Exported."),
    };
    let words = format!(
        "{what} {} written, {}; {unchanged} up to date; {removed} removed",
        count_text(copied, "file"),
        bytes_text(bytes)
    );
    widgets::banner(ui, tone, &words);
    ScrollArea::vertical().max_height(LIST_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        problems(ui, &report.problems);
    });
    ui.add_space(AROUND);
    let has_folder = report.table.is_some();
    let (reveal, close) = Sides::new().show(
        ui,
        |ui| {
            let button = Button::new("Open folder").min_size(Vec2::new(0.0, ROW_HEIGHT));
            ui.add_enabled(has_folder, button).on_hover_text("Show what was written").clicked()
        },
        |ui| ui.add(widgets::primary_button(ui, "Close")).on_hover_text("Close (Esc)").clicked(),
    );
    let ask = match (reveal, close) {
        (true, _) => Some(ExportAsk::Reveal),
        (false, true) => Some(ExportAsk::Close),
        (false, false) => None,
    };
    ask.or_else(|| is_entered(ui).then_some(ExportAsk::Close))
}

/// The primary button, which Enter presses, and Cancel.
fn buttons(ui: &mut Ui, primary: Option<&str>) -> Option<ExportAsk> {
    ui.add_space(AROUND);
    let mut ask = None;
    Sides::new().show(
        ui,
        |_| (),
        |ui| {
            if let Some(primary) = primary {
                let button = ui.add(widgets::primary_button(ui, primary));
                if button.on_hover_text(format!("{primary} (Enter)")).clicked() {
                    ask = Some(ExportAsk::Write);
                }
            }
            let words = if primary.is_some() { "Cancel" } else { "Close" };
            let cancel = Button::new(words).min_size(Vec2::new(72.0, ROW_HEIGHT));
            if ui.add(cancel).on_hover_text(format!("{words} (Esc)")).clicked() {
                ask = Some(ExportAsk::Close);
            }
        },
    );
    ask.or_else(|| (primary.is_some() && is_entered(ui)).then_some(ExportAsk::Write))
}

fn cancel(ui: &mut Ui) -> Option<ExportAsk> {
    ui.add_space(AROUND);
    let button = Button::new("Cancel").min_size(Vec2::new(72.0, ROW_HEIGHT));
    let response = ui.add(button).on_hover_text("Stop; each file is the old or the new one (Esc)");
    response.clicked().then_some(ExportAsk::Cancel)
}
