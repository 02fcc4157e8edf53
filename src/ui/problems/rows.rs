//! One line of the list of problems: what it says, where a click leads, and what can be done about it.

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align, Align2, Button, Color32, FontId, Galley, Layout, Pos2, Rect, Response, Role, Sense, Stroke,
    StrokeKind, TextStyle, Ui, UiBuilder, Vec2, WidgetInfo,
};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{ICON_CHEVRON_RIGHT, ICON_EXPAND_MORE, ICON_VISIBILITY_OFF};

use super::lines::{Line, group_words};
use super::{Place, mend};
use crate::edit::Edit;
use crate::model::files::FileKind;
use crate::model::scene::ObjectKey;
use crate::model::{Code, FrameId, Problem, Severity};
use crate::session::{Action, Fix, SelectMode, Session};
use crate::ui::UiState;
use crate::ui::theme::{self, BETWEEN, ICON_SIZE, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const SEVERITY_WIDTH: f32 = 88.0;
const SHEET_WIDTH: f32 = 200.0;
const FRAME_WIDTH: f32 = 80.0;

/// Draws a line and does what is asked of it.
pub(super) fn line(
    ui: &mut Ui,
    session: &Session,
    state: &mut UiState,
    index: usize,
    line: &Line<'_>,
    actions: &mut Vec<Action>,
) {
    match line {
        Line::Group(group, is_open) => self::group(ui, session, state, index, group, *is_open, actions),
        Line::Member(one) => problem(ui, session, state, index, one, false, actions),
        Line::Single(one) => problem(ui, session, state, index, one, true, actions),
        Line::Ignored(path, codes) => ignored(ui, index, path, codes, actions),
    }
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

fn problem(
    ui: &mut Ui,
    session: &Session,
    state: &mut UiState,
    index: usize,
    problem: &Problem,
    is_single: bool,
    actions: &mut Vec<Action>,
) {
    let ground = ground(index, state.problems.is_at(problem));
    let (rect, response) = begin(ui, ground, &row_text(problem));
    let right = buttons(ui, rect, index, |ui| {
        if is_single {
            ignore_button(ui, session, &problem.path, problem.code, actions);
        }
        if let (Some(fix), Some(frame)) = (Fix::of(problem.code), problem.frame) {
            let name = format!("{}: frame {frame} of {}", fix.text(), file_name(&problem.path));
            if fix_button(ui, session, &problem.path, (fix, fix.text()), &name) {
                actions.push(Action::Fix(problem.path.clone(), problem.code, vec![frame]));
            }
        }
        mend::buttons(ui, session, state, problem, actions);
    });
    let cells = Cells { ui, rect, right };
    let palette = theme::palette(ui);
    if is_single {
        cells.severity(problem.severity);
        cells.text(SEVERITY_WIDTH, SHEET_WIDTH, file_name(&problem.path), palette.text);
    }
    if let Some(frame) = problem.frame {
        let left = SEVERITY_WIDTH + SHEET_WIDTH;
        cells.text(left, FRAME_WIDTH, &format!("Frame {frame}"), palette.weak_text);
    }
    cells.rest(&problem.message, palette.text);
    if response.contains_pointer()
        && let Some(Target { path, frame: Some(frame) }) = target(session, problem)
    {
        state.hover.set(&path, frame);
    }
    if response.clicked() {
        go_to(session, state, problem, actions);
    }
    response.context_menu(|ui| menu(ui, session, problem, actions));
    response.on_hover_text(format!("{}\n{}", problem.message, problem.path));
}

/// Shows where a problem is.
pub fn go_to(session: &Session, state: &mut UiState, problem: &Problem, actions: &mut Vec<Action>) {
    state.problems.at = Some(Place::of(problem));
    if FileKind::of_name(&problem.path) == Some(FileKind::Scene) {
        actions.push(Action::OpenScene(problem.path.clone()));
        if let Some(object) = problem.object {
            state.scene.reveal(object);
            actions.push(Action::SelectObject(ObjectKey(object), SelectMode::Replace));
        }
        return;
    }
    let Some(Target { path, frame }) = target(session, problem) else { return };
    actions.push(Action::ShowSheet(path.clone()));
    actions.push(match frame {
        Some(frame) => {
            state.canvas.reveal(&path, frame);
            Action::Select(path, frame, SelectMode::Replace)
        }
        None => return,
    });
}

fn menu(ui: &mut Ui, session: &Session, problem: &Problem, actions: &mut Vec<Action>) {
    if ui.button("Copy message").clicked() {
        actions.push(Action::CopyText(problem.to_string()));
    }
    if ui.button("Show in file manager").clicked() {
        actions.push(Action::RevealFile(problem.path.clone()));
    }
    ui.separator();
    let why = why_not_ignored(session, &problem.path, problem.code);
    let ignore = ui.add_enabled(why.is_none(), Button::new("Ignore for this sheet"));
    let ignore = ignore.on_disabled_hover_text(why.unwrap_or_default());
    if ignore.on_hover_text(ignore_tooltip(problem.code)).clicked() {
        edit(&problem.path, Edit::IgnoreProblems(problem.code), actions);
    }
}

fn group(
    ui: &mut Ui,
    session: &Session,
    state: &mut UiState,
    index: usize,
    group: &[&Problem],
    is_open: bool,
    actions: &mut Vec<Action>,
) {
    let Some(Problem { severity, code, path, .. }) = group.first().copied() else { return };
    let words = group_words(group, *code);
    let (rect, response) =
        begin(ui, ground(index, false), &format!("{}, {}: {words}", word(*severity), file_name(path)));
    let right = buttons(ui, rect, index, |ui| {
        ignore_button(ui, session, path, *code, actions);
        let positions: Vec<u32> = group.iter().filter_map(|problem| problem.frame).collect();
        let fix = Fix::of(*code).filter(|_| positions.len() > 1);
        if let Some(fix) = fix {
            let name = format!("{}: {words} of {}", fix.text_for_all(), file_name(path));
            if fix_button(ui, session, path, (fix, fix.text_for_all()), &name) {
                actions.push(Action::Fix(path.clone(), *code, positions));
            }
        }
        mend::button_for_all(ui, session, group, actions);
    });
    let cells = Cells { ui, rect, right };
    let palette = theme::palette(ui);
    cells.severity(*severity);
    cells.text(SEVERITY_WIDTH, SHEET_WIDTH, file_name(path), palette.text);
    let fold = if is_open { ICON_EXPAND_MORE } else { ICON_CHEVRON_RIGHT };
    cells.icon(SEVERITY_WIDTH + SHEET_WIDTH, fold, palette.weak_text);
    let left = SEVERITY_WIDTH + SHEET_WIDTH + ICON_SIZE + INSIDE;
    cells.text(left, f32::INFINITY, &words, palette.text);
    if response.clicked() {
        state.problems.toggle_fold((path.clone(), *code));
    }
    response.on_hover_text(if is_open { "Click to fold them" } else { "Click to show each" });
}

/// What a sheet does not want to be told, and a way back.
fn ignored(ui: &mut Ui, index: usize, path: &Arc<str>, codes: &[Code], actions: &mut Vec<Action>) {
    let kinds: Vec<_> = codes.iter().map(|code| code.words()).collect();
    let text = format!("Ignored: {}", kinds.join(", "));
    let (rect, response) = begin(ui, ground(index, false), &format!("{}: {text}", file_name(path)));
    let right = buttons(ui, rect, index, |ui| {
        let name = format!("Heed all problems of {}", file_name(path));
        let heed = ui.add(Button::new("Heed all")).accessible_name(name);
        if heed.on_hover_text("Be told of all problems of this sheet again").clicked() {
            edit(path, Edit::HeedProblems, actions);
        }
    });
    let cells = Cells { ui, rect, right };
    let weak = theme::palette(ui).weak_text;
    cells.icon(INSIDE, ICON_VISIBILITY_OFF, weak);
    cells.text(SEVERITY_WIDTH, SHEET_WIDTH, file_name(path), weak);
    cells.text(SEVERITY_WIDTH + SHEET_WIDTH, f32::INFINITY, &text, weak);
    if response.clicked() {
        actions.push(Action::ShowSheet(path.clone()));
    }
    response.on_hover_text(format!("{text}\n{path}"));
}

/// An edit of a sheet, which comes to the front, as a step of its own.
fn edit(path: &Arc<str>, edit: Edit, actions: &mut Vec<Action>) {
    actions.extend([Action::ShowSheet(path.clone()), Action::Seal, Action::Edit(edit), Action::Seal]);
}

/// What is under a line's words.
#[derive(Clone, Copy)]
enum Ground {
    Bare,
    /// Every second line is a little lighter.
    Raised,
    /// Of the problem that was gone to last.
    Current,
}

const fn ground(index: usize, is_current: bool) -> Ground {
    if is_current {
        Ground::Current
    } else if index % 2 == 1 {
        Ground::Raised
    } else {
        Ground::Bare
    }
}

/// Takes the room of a line and draws what is under its words.
fn begin(ui: &mut Ui, ground: Ground, label: &str) -> (Rect, Response) {
    let size = Vec2::new(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let palette = theme::palette(ui);
    let color = match ground {
        _ if response.contains_pointer() => Some(palette.control),
        Ground::Current => Some(palette.accent.gamma_multiply(0.25)),
        Ground::Raised => Some(palette.raised),
        Ground::Bare => None,
    };
    if let Some(color) = color {
        ui.painter().rect_filled(rect, 2.0, color);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    }
    (rect, response)
}

/// Buttons at the right end of a line, the last one leftmost; where they begin.
fn buttons(ui: &mut Ui, rect: Rect, index: usize, add: impl FnOnce(&mut Ui)) -> f32 {
    let room = rect.shrink2(Vec2::new(INSIDE, 0.0));
    let builder = UiBuilder::new()
        .id_salt(("problem buttons", index))
        .max_rect(room)
        .layout(Layout::right_to_left(Align::Center));
    let mut child = ui.new_child(builder);
    child.spacing_mut().item_spacing.x = INSIDE;
    child.spacing_mut().interact_size.y = ROW_HEIGHT - 2.0 * BUTTON_GAP;
    child.spacing_mut().button_padding.y = 0.0;
    add(&mut child);
    child.min_rect().left()
}

/// Room between a button and the next line.
const BUTTON_GAP: f32 = 2.0;

fn fix_button(ui: &mut Ui, session: &Session, path: &str, (fix, text): (Fix, &str), name: &str) -> bool {
    let why = session.why_no_fix(fix, path);
    let response = ui.add_enabled(why.is_none(), Button::new(text)).accessible_name(name);
    let response = response.on_disabled_hover_text(format!("{}\n{}", fix.tooltip(), why.unwrap_or_default()));
    response.on_hover_text(fix.tooltip()).clicked()
}

fn ignore_button(ui: &mut Ui, session: &Session, path: &Arc<str>, code: Code, actions: &mut Vec<Action>) {
    if !code.can_be_ignored() {
        return;
    }
    let why = why_not_ignored(session, path, code);
    let button = Button::new(widgets::icon_text(ICON_VISIBILITY_OFF)).frame_when_inactive(false);
    let name = format!("Ignore {} of {}", code.words(), file_name(path));
    let response = ui.add_enabled(why.is_none(), button).accessible_name(name);
    let tooltip = format!("Ignore for this sheet\n{}", ignore_tooltip(code));
    let response = response.on_disabled_hover_text(format!("{tooltip}\n{}", why.unwrap_or_default()));
    if response.on_hover_text(tooltip).clicked() {
        edit(path, Edit::IgnoreProblems(code), actions);
    }
}

fn why_not_ignored(session: &Session, path: &str, code: Code) -> Option<&'static str> {
    if FileKind::of_name(path).is_some() {
        return Some("Problems of scenes cannot be ignored");
    }
    if code.can_be_ignored() { session.why_not_editable(path) } else { Some("Errors cannot be ignored") }
}

fn ignore_tooltip(code: Code) -> String {
    format!("Say nothing of {} of this sheet any more; kept in its sidecar", code.words())
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

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Places words and icons in a line.
struct Cells<'a> {
    ui: &'a Ui,
    rect: Rect,
    /// Where the words end.
    right: f32,
}

impl Cells<'_> {
    fn severity(&self, severity: Severity) {
        let tone = Tone::from(severity);
        let color = tone.color(self.ui);
        self.icon(INSIDE, tone.icon(), color);
        let left = INSIDE + ICON_SIZE + INSIDE;
        self.text(left, SEVERITY_WIDTH - left, word(severity), color);
    }

    fn icon(&self, left: f32, icon: MaterialIcon, color: Color32) {
        let font = FontId::new(ICON_SIZE, icon.font_family());
        let place = Pos2::new(self.rect.left() + left, self.rect.center().y);
        self.ui.painter().text(place, Align2::LEFT_CENTER, icon.codepoint, font, color);
    }

    /// The message: what is left of the line.
    fn rest(&self, text: &str, color: Color32) {
        self.text(SEVERITY_WIDTH + SHEET_WIDTH + FRAME_WIDTH, f32::INFINITY, text, color);
    }

    /// Text in a cell, cut where the next one or the buttons begin.
    fn text(&self, left: f32, width: f32, text: &str, color: Color32) {
        let left = self.rect.left() + left;
        let galley = cut_text(self.ui, text, width.min(self.right - left) - BETWEEN, color);
        let top_left = Pos2::new(left, self.rect.center().y - galley.size().y / 2.0);
        self.ui.painter().galley(top_left, galley, color);
    }
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

    #[test]
    fn a_row_is_said_with_its_severity_sheet_and_frame() {
        let problem =
            Problem::new(Code::FramePartlyOutside, "assets/hero.png", "Lies partly outside").at_frame(3);
        assert_eq!(row_text(&problem), "Warning, hero.png, frame 3: Lies partly outside");
        let problem = Problem::new(Code::Unreadable, "C:\\art\\hero.png", "Cannot be read");
        assert_eq!(row_text(&problem), "Error, hero.png: Cannot be read");
    }
}
