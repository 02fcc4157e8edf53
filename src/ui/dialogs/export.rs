//! The export: what it would write and why, how far it is, and what became of it.

use eframe::egui;
use egui::{
    Align, Button, Checkbox, Color32, CursorIcon, Label, Layout, ProgressBar, Response, RichText, Role,
    ScrollArea, Sense, Sides, Ui, Vec2, WidgetInfo,
};

use super::{is_entered, modal, set_width, title};
use crate::export::{Action as FileAction, Item, Plan, Removal, Report, Standing};
use crate::model::{Problem, Severity};
use crate::session::{Action, ExportAsk, ExportStage, Exporting, Session};
use crate::ui::theme::{self, AROUND, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone, bytes_text, count_text};
use crate::ui::{UiState, problems, target_list};

const WIDTH: f32 = 760.0;
const LIST_HEIGHT: f32 = 260.0;
const NAME_WIDTH: f32 = 216.0;
const BYTES_WIDTH: f32 = 64.0;
const STATE_WIDTH: f32 = 76.0;
/// More problems are only counted.
const MOST_PROBLEMS: usize = 20;

/// The window.
pub(super) fn ui(
    ui: &Ui,
    session: &Session,
    exporting: &Exporting,
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    let mut leads_to = None;
    let shown = modal("export", ui).show(ui, |ui| {
        set_width(ui, WIDTH);
        title(ui, "Export");
        match &exporting.stage {
            ExportStage::Planning => busy(ui, &planning_words(session)),
            ExportStage::Making(done, total) => {
                let target = exporting.target.as_deref().unwrap_or_default();
                busy(ui, &format!("Making the textures for {target}, {done} of {total}…"))
            }
            ExportStage::Saving => busy(ui, "Saving what was changed…"),
            ExportStage::Planned(plan) => planned(ui, session, exporting, plan, &mut leads_to, actions),
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
            ExportStage::Done(report) => done(ui, report, &mut leads_to),
        }
    });
    let is_writing = matches!(exporting.stage, ExportStage::Writing(_));
    let closes =
        shown.should_close().then_some(if is_writing { ExportAsk::Cancel } else { ExportAsk::Close });
    actions.extend(shown.inner.or(closes).map(Action::Export));
    if let Some(problem) = leads_to {
        actions.push(Action::Export(ExportAsk::Close));
        problems::go_to(session, state, problem, actions);
    }
}

fn planning_words(session: &Session) -> String {
    match session.project().map(|open| &open.progress) {
        Some(progress) if progress.is_waiting => "Waiting for another program that has the cache…".to_owned(),
        Some(progress) if progress.total > 0 => {
            format!("Importing what was changed, {} of {}…", progress.done, progress.total)
        }
        _ => "Finding out what the scenes use…".to_owned(),
    }
}

fn busy(ui: &mut Ui, words: &str) -> Option<ExportAsk> {
    ui.horizontal(|ui| {
        ui.spinner();
        ui.add(Label::new(words).selectable(false));
    });
    buttons(ui, None)
}

/// The target that the export is for, where the project has some.
fn target_list(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    if session.project_settings().targets.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        ui.add(Label::new("Textures for").selectable(false));
        let list = target_list::ui(ui, session, "no target", None, actions);
        list.accessible_name("Target of the export");
    });
    ui.add_space(INSIDE);
}

/// What would be written, from which, for whom.
fn planned<'a>(
    ui: &mut Ui,
    session: &Session,
    exporting: &Exporting,
    plan: &'a Plan,
    leads_to: &mut Option<&'a Problem>,
    actions: &mut Vec<Action>,
) -> Option<ExportAsk> {
    let weak = theme::palette(ui).weak_text;
    let goes_to = RichText::new(format!("To {}", plan.output.display())).color(weak);
    ui.add(Label::new(goes_to).truncate());
    ui.add_space(INSIDE);
    target_list(ui, session, actions);
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
        for removal in &plan.removals {
            unused(ui, removal, exporting.prunes);
        }
        list(ui, &plan.problems, leads_to);
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
        let response = response.on_hover_text("Delete for good the files that the list calls unused");
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
    let standing = match (&item.standing, item.action) {
        (Standing::Stale, _) => ("stale", palette.warning),
        (Standing::Failed | Standing::Missing, _) => ("missing", palette.error),
        _ if item.asset.is_none() => ("no image", palette.warning),
        (_, Some(FileAction::Unchanged)) => ("up to date", palette.weak_text),
        (_, Some(_)) => ("to write", palette.text),
        (_, None) => ("left out", palette.warning),
    };
    let users = item.users.words().unwrap_or_default();
    cells(ui, &name, &bytes, standing, &users)
        .on_hover_text(format!("{name}\n{}", item.destination.display()));
}

/// A file that nothing uses any more.
fn unused(ui: &mut Ui, removal: &Removal, is_removed: bool) {
    let palette = theme::palette(ui);
    let name = removal.file.path.file_name().unwrap_or_default().to_string_lossy();
    let standing = if is_removed { ("to remove", palette.warning) } else { ("unused", palette.weak_text) };
    let users = "No scene uses it any more";
    let row = cells(ui, &name, &bytes_text(removal.file.bytes), standing, users);
    row.on_hover_text(removal.file.path.display().to_string());
}

fn cells(ui: &mut Ui, name: &str, bytes: &str, (words, color): (&str, Color32), why: &str) -> Response {
    let weak = theme::palette(ui).weak_text;
    let cells = [
        (NAME_WIDTH, RichText::new(name)),
        (BYTES_WIDTH, RichText::new(bytes).color(weak)),
        (STATE_WIDTH, RichText::new(words).color(color)),
        (f32::INFINITY, RichText::new(why).small().color(weak)),
    ];
    let size = Vec2::new(ui.available_width(), ROW_HEIGHT);
    let row = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = BETWEEN;
        for (width, text) in cells {
            let size = Vec2::new(width.min(ui.available_width()), ROW_HEIGHT);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(size.x);
                ui.add(Label::new(text).truncate().selectable(false));
            });
        }
    });
    row.response
}

/// What is wrong. A click leads to where it is.
fn list<'a>(ui: &mut Ui, problems: &'a [Problem], leads_to: &mut Option<&'a Problem>) {
    for problem in problems.iter().take(MOST_PROBLEMS) {
        let text = format!("{}: {}", problem.path, problem.message);
        let banner = widgets::banner(ui, problem.severity.into(), &text).interact(Sense::click());
        banner.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
        let banner =
            banner.on_hover_cursor(CursorIcon::PointingHand).on_hover_text("Close this and go there");
        if banner.clicked() {
            *leads_to = Some(problem);
        }
    }
    if problems.len() > MOST_PROBLEMS {
        ui.label(format!("and {} more", problems.len() - MOST_PROBLEMS));
    }
}

/// What became of it; stays until it is closed.
fn done<'a>(ui: &mut Ui, report: &'a Report, leads_to: &mut Option<&'a Problem>) -> Option<ExportAsk> {
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
        list(ui, &report.problems, leads_to);
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
