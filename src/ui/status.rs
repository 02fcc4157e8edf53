//! The status bar: what a press would do, what is under the pointer, what is selected, and what is going on.
//!
//! All but the hint stand in zones of fixed width, so that nothing moves while the numbers change.

use eframe::egui;
use egui::{Align, Button, Label, Layout, Rect, Response, RichText, Sense, StrokeKind, Ui, Vec2};
use egui_material_icons::icons::{
    ICON_ARROW_RIGHT_ALT, ICON_CHECK_CIRCLE, ICON_CLOSE, ICON_HOURGLASS_EMPTY, ICON_VISIBILITY,
};

use super::UiState;
use super::canvas::PointerInfo;
use super::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use super::widgets::{self, Tone, count_text};
use crate::model::Severity;
use crate::registry::State;
use crate::session::{
    Action, Command, Document, ImportProgress, Load, Lookup, SceneDocument, Session, Workspace,
};

const PROBLEMS_WIDTH: f32 = 116.0;
const STATE_WIDTH: f32 = 96.0;
const ZOOM_WIDTH: f32 = 56.0;
const SELECTION_WIDTH: f32 = 148.0;
const POINTER_WIDTH: f32 = 340.0;
const METRES_WIDTH: f32 = 168.0;
const IMPORT_WIDTH: f32 = 288.0;
const SWATCH_SIDE: f32 = 12.0;
const PROGRESS_HEIGHT: f32 = 3.0;
/// The hint keeps at least this; what has no room beside it is left out.
const MIN_HINT_WIDTH: f32 = 120.0;

/// The status bar.
pub fn ui(ui: &mut Ui, session: &Session, state: &UiState, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| zones(ui, session, state, actions));
    });
}

/// From the right, so that the hint has what is left.
fn zones(ui: &mut Ui, session: &Session, state: &UiState, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = BETWEEN;
    zone(ui, PROBLEMS_WIDTH, |ui| problems(ui, session, state.problems.is_open(), actions));
    match session.workspace() {
        Workspace::Slice => of_sheet(ui, session, state),
        Workspace::Scene => of_scene(ui, session, state),
    }
    if let Some(open) = session.project() {
        work(ui, session, &open.progress, open.is_discovered, actions);
    }
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        let words = match session.workspace() {
            Workspace::Slice => state.canvas.hint(ui),
            Workspace::Scene => state.scene.hint(ui, session),
        };
        hint(ui, &words);
    });
}

fn of_sheet(ui: &mut Ui, session: &Session, state: &UiState) {
    if let Some(document) = session.current() {
        zone(ui, STATE_WIDTH, |ui| asset_state(ui, session, state, document));
        zone(ui, ZOOM_WIDTH, |ui| zoom(ui, state.canvas.zoom_percent()));
        zone(ui, SELECTION_WIDTH, |ui| selection(ui, document));
        zone(ui, POINTER_WIDTH, |ui| pointer(ui, state.canvas.pointer.as_ref()));
    }
}

fn of_scene(ui: &mut Ui, session: &Session, state: &UiState) {
    let Some(document) = session.scene().filter(|document| document.is_ready()) else { return };
    zone(ui, ZOOM_WIDTH, |ui| zoom(ui, state.scene.zoom_percent()));
    zone(ui, SELECTION_WIDTH, |ui| {
        ui.add(Label::new(objects_text(document)).truncate().selectable(false));
    });
    zone(ui, METRES_WIDTH, |ui| {
        if let Some([x, y]) = state.scene.pointer() {
            let place = ui.add(figures(&format!("{x:>8.2}, {y:>8.2} m")));
            place.on_hover_text("Where the pointer is in the scene, in metres from the middle, y up");
        }
    });
}

/// "Hero selected", or how many objects there are or are selected.
fn objects_text(document: &SceneDocument) -> String {
    match document.selected().as_slice() {
        [] => count_text(document.scene().walk().count(), "object"),
        [object] if object.name().is_empty() => "1 object selected".to_owned(),
        [object] => format!("{} selected", object.name()),
        objects => format!("{} objects selected", objects.len()),
    }
}

/// A part of the bar with a width of its own, filled from the left.
fn zone(ui: &mut Ui, width: f32, contents: impl FnOnce(&mut Ui)) {
    if ui.available_width() < width + MIN_HINT_WIDTH {
        return;
    }
    let size = Vec2::new(width, ROW_HEIGHT);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        ui.spacing_mut().item_spacing.x = INSIDE;
        contents(ui);
    });
}

fn hint(ui: &mut Ui, hint: &str) {
    ui.add(Label::new(RichText::new(hint).weak()).truncate().selectable(false));
}

/// Place, colour and stored value of the pixel under the pointer.
fn pointer(ui: &mut Ui, pointer: Option<&PointerInfo>) {
    let Some(PointerInfo { x, y, color, stored }) = pointer else { return };
    ui.spacing_mut().item_spacing.x = BETWEEN;
    let place = ui.add(figures(&format!("{x:>5}, {y:>5}")));
    place.on_hover_text("Image pixel under the pointer, counted from the top left");
    let Some(color) = color else { return };
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(SWATCH_SIDE), Sense::hover());
    paint_swatch(ui, rect, *color);
    let [red, green, blue, alpha] = *color;
    ui.add(figures(&format!("#{red:02X}{green:02X}{blue:02X}")))
        .on_hover_text("Red, green and blue of the image");
    ui.add(figures(&format!("A {alpha:>3}"))).on_hover_text("Alpha of the image, 0 to 255");
    let Some(stored) = stored else { return };
    let arrow = widgets::icon_text(ICON_ARROW_RIGHT_ALT).size(14.0).color(theme::palette(ui).weak_text);
    ui.add(Label::new(arrow).selectable(false));
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(SWATCH_SIDE), Sense::hover());
    paint_swatch(ui, rect, stored.rgba);
    let [red, green, blue, alpha] = stored.rgba;
    let bytes: Vec<String> = stored.bytes().iter().map(|byte| format!("{byte:02X}")).collect();
    ui.add(figures(&bytes.join(" "))).on_hover_text(format!(
        "Stored pixel {}, {}: #{red:02X}{green:02X}{blue:02X}, alpha {alpha}; the bytes are those of the texture",
        stored.x, stored.y
    ));
}

fn paint_swatch(ui: &Ui, rect: Rect, color: [u8; 4]) {
    widgets::paint_checker(ui.painter(), rect, ui);
    ui.painter().rect_filled(rect, 0.0, theme::color_of(color));
    let line = egui::Stroke::new(1.0, theme::palette(ui).weak_text);
    ui.painter().rect_stroke(rect, 0.0, line, StrokeKind::Outside);
}

/// Figures of equal width, in the text's colour.
fn figures(text: &str) -> Label {
    Label::new(RichText::new(text).monospace()).selectable(false)
}

fn selection(ui: &mut Ui, document: &Document) {
    ui.add(Label::new(selection_text(document)).truncate().selectable(false));
}

/// "run 2" of a single named frame, "Frame 3" of one without a name, else how many there are.
fn selection_text(document: &Document) -> String {
    let mut selected = document.selected_frames();
    match (selected.next(), selected.count()) {
        (None, _) if document.sheet().frames.is_empty() => "No frames".to_owned(),
        (None, _) => count_text(document.sheet().frames.len(), "frame"),
        (Some((index, frame)), 0) if frame.name.is_empty() => format!("Frame {index} selected"),
        (Some((_, frame)), 0) => format!("{} selected", frame.name),
        (Some(_), others) => format!("{} frames selected", others + 1),
    }
}

fn zoom(ui: &mut Ui, percent: Option<f32>) {
    let Some(percent) = percent else { return };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add(figures(&zoom_text(percent))).on_hover_text("Zoom: screen pixels per image pixel");
    });
}

/// "400 %"; fractions of a percent only below 100 and where there are any.
fn zoom_text(percent: f32) -> String {
    if percent < 100.0 && (percent - percent.round()).abs() >= 0.05 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

fn asset_state(ui: &mut Ui, session: &Session, state: &UiState, document: &Document) {
    let view = state.canvas.stored_view(&document.path).and_then(Lookup::shown);
    let is_settled = session.asset(&document.path).is_some_and(|asset| asset.state == State::UpToDate);
    if is_settled && view.is_some_and(|view| view.is_whole() && !session.is_on_disk(document, view)) {
        let color = theme::palette(ui).weak_text;
        ui.add(Label::new(widgets::icon_text(ICON_VISIBILITY).color(color)).selectable(false));
        ui.add(Label::new("Preview").truncate().selectable(false)).on_hover_text(
            "What is shown of the texture is not what is on disk: save, and the importer follows; or it is for a target",
        );
        return;
    }
    let (icon, word, color) = match (&document.load, session.asset(&document.path)) {
        (Load::Failed(_), None) => widgets::state_look(ui, State::Failed),
        (_, Some(asset)) => widgets::state_look(ui, asset.state),
        (_, None) => (ICON_HOURGLASS_EMPTY, "Loading", theme::palette(ui).weak_text),
    };
    ui.add(Label::new(widgets::icon_text(icon).color(color)).selectable(false));
    ui.add(Label::new(word).truncate().selectable(false))
        .on_hover_text(format!("The compiled texture of {}", document.file_name()));
}

/// What the importer does, how far it is, and a button to stop it.
fn work(
    ui: &mut Ui,
    session: &Session,
    progress: &ImportProgress,
    is_discovered: bool,
    actions: &mut Vec<Action>,
) {
    let Some(text) = work_text(progress, is_discovered) else { return };
    zone(ui, IMPORT_WIDTH, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if progress.total > 0 && widgets::command_icon(ui, session, Command::CancelImport, ICON_CLOSE) {
                actions.push(Command::CancelImport.into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let line = ui.available_rect_before_wrap();
                ui.add(Label::new(text.as_str()).truncate().selectable(false)).on_hover_text(text.as_str());
                if progress.total > 0 {
                    paint_progress(ui, line, progress.done as f32 / progress.total as f32);
                }
            });
        });
    });
}

fn work_text(progress: &ImportProgress, is_discovered: bool) -> Option<String> {
    let ImportProgress { done, total, current, is_waiting } = progress;
    if *is_waiting {
        return Some("Waiting for another Cutsheet process".to_owned());
    }
    if *total == 0 {
        return (!is_discovered).then(|| "Looking for images".to_owned());
    }
    let number = (done + 1).min(*total);
    let name = current.as_ref().map(|path| path.rsplit('/').next().unwrap_or(path));
    Some(match name {
        Some(name) => format!("Importing {number} of {total}: {name}"),
        None => format!("Importing {number} of {total}"),
    })
}

/// A thin line under the words; it moves only when something was done.
fn paint_progress(ui: &Ui, line: Rect, part: f32) {
    let palette = theme::palette(ui);
    let track = Rect::from_min_max(egui::pos2(line.left(), line.bottom() - PROGRESS_HEIGHT), line.max);
    ui.painter().rect_filled(track, PROGRESS_HEIGHT / 2.0, palette.control);
    let done =
        Rect::from_min_size(track.min, Vec2::new(track.width() * part.clamp(0.0, 1.0), PROGRESS_HEIGHT));
    ui.painter().rect_filled(done, PROGRESS_HEIGHT / 2.0, palette.weak_text);
}

fn problems(ui: &mut Ui, session: &Session, is_open: bool, actions: &mut Vec<Action>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if problems_button(ui, session, is_open).clicked() {
            actions.push(Command::Problems.into());
        }
    });
}

fn problems_button(ui: &mut Ui, session: &Session, is_open: bool) -> Response {
    let worst = worst(session.problems().map(|problem| problem.severity));
    let weak = theme::palette(ui).weak_text;
    let (icon, text) = match worst {
        Some(severity) => {
            let text = count_text(session.problem_count(), "problem");
            (Tone::from(severity).icon_text(ui), RichText::new(text))
        }
        None => (widgets::icon_text(ICON_CHECK_CIRCLE).color(weak), RichText::new("No problems").color(weak)),
    };
    let name = text.text().to_owned();
    let button = Button::new((icon, text)).frame_when_inactive(is_open);
    ui.add(button).accessible_name(name).on_hover_text(widgets::command_tooltip(ui, Command::Problems))
}

/// The gravest; stops at the first error.
fn worst(severities: impl Iterator<Item = Severity>) -> Option<Severity> {
    let mut worst = None;
    for severity in severities {
        if severity == Severity::Error {
            return Some(severity);
        }
        worst = worst.map_or(Some(severity), |it: Severity| Some(it.min(severity)));
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Edit;
    use crate::geometry::Size;
    use crate::model::{Run, Sheet};
    use crate::session::SelectMode;
    use crate::session::document::SheetOnDisk;

    fn progress(done: usize, total: usize, current: Option<&str>) -> ImportProgress {
        ImportProgress { done, total, current: current.map(Into::into), is_waiting: false }
    }

    #[test]
    fn work_says_what_and_how_far() {
        let text = |progress, is_discovered| work_text(&progress, is_discovered).unwrap_or_default();
        assert_eq!(text(progress(2, 12, Some("assets/player.png")), true), "Importing 3 of 12: player.png");
        assert_eq!(text(progress(12, 12, None), true), "Importing 12 of 12");
        assert_eq!(text(progress(0, 0, None), false), "Looking for images");
        assert_eq!(text(progress(0, 0, None), true), "");
        let waiting = ImportProgress { is_waiting: true, ..ImportProgress::default() };
        assert_eq!(text(waiting, true), "Waiting for another Cutsheet process");
    }

    #[test]
    fn zoom_is_said_without_needless_figures() {
        assert_eq!(zoom_text(400.0), "400 %");
        assert_eq!(zoom_text(100.0 / 6.0), "16.7 %");
        assert_eq!(zoom_text(12.5), "12.5 %");
        assert_eq!(zoom_text(50.0), "50 %");
    }

    #[test]
    fn the_worst_problem_gives_the_icon() {
        use Severity::{Error, Info, Warning};
        assert_eq!(worst([].into_iter()), None);
        assert_eq!(worst([Info, Warning, Info].into_iter()), Some(Warning));
        assert_eq!(worst([Info, Error, Warning].into_iter()), Some(Error));
    }

    #[test]
    fn the_selection_is_said_by_name_or_number() {
        let mut document = Document::loading("assets/a.png".into(), None);
        let image_size = Size::new(64, 32);
        document.take_first(SheetOnDisk {
            sheet: Sheet::default(),
            image_size,
            guid: None,
            sidecar_hash: None,
            problems: Vec::new(),
        });
        assert_eq!(selection_text(&document), "No frames");
        document.history.apply(&Edit::SetGrid(Run::of_cell(Size::new(16, 16))), image_size).unwrap();
        assert_eq!(selection_text(&document), "8 frames");
        let ids: Vec<_> = document.sheet().frames.iter().map(|frame| frame.id).collect();
        document.select(ids[3], SelectMode::Replace);
        assert_eq!(selection_text(&document), "Frame 3 selected");
        document.select(ids[5], SelectMode::Extend);
        assert_eq!(selection_text(&document), "3 frames selected");
    }
}
