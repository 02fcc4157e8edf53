//! Finds commands, frames and sheets by what one types.

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align2, Key, Modal, Modifiers, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui,
    WidgetInfo, pos2, vec2,
};

use super::matching::{Fit, Query};
use super::{Stage, dialogs, parts};
use crate::model::FrameId;
use crate::model::files::FileKind;
use crate::session::{Action, Command, SelectMode, Session};
use crate::ui::canvas::frame_label;
use crate::ui::theme::{self, BAR_HEIGHT, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::{keys, widgets};

const WIDTH: f32 = 520.0;
const MAX_LINES: f32 = 14.0;
/// Frames, and sheets, that are offered at most.
const MAX_NAMED: usize = 20;

/// The commands by name.
#[derive(Default)]
pub(super) struct Palette {
    typed: String,
    hits: Vec<Hit>,
    /// What the hits were found for.
    query: Option<Query>,
    selected: usize,
    /// Whether the selected one is to be scrolled to.
    shows_selected: bool,
}

/// Something that can be chosen.
struct Hit {
    what: What,
    text: String,
    fit: Fit,
    is_enabled: bool,
}

#[derive(Clone)]
enum What {
    Command(Command),
    Frame(Arc<str>, FrameId),
    Sheet(Arc<str>),
    Scene(Arc<str>),
}

impl What {
    fn action(self) -> Action {
        match self {
            Self::Command(command) => command.into(),
            Self::Frame(sheet, id) => Action::Select(sheet, id, SelectMode::Replace),
            Self::Sheet(sheet) => Action::ShowSheet(sheet),
            Self::Scene(scene) => Action::OpenScene(scene),
        }
    }

    fn why_disabled(&self, session: &Session) -> Option<&'static str> {
        match self {
            Self::Command(command) => session.why_disabled(*command),
            Self::Frame(..) | Self::Sheet(_) | Self::Scene(_) => None,
        }
    }
}

impl Palette {
    pub(super) fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        let is_closed = keys::take(ui, Command::Palette);
        let steps = take_steps(ui);
        let id = egui::Id::unique("commands by name");
        let modal = Modal::new(id)
            .area(Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 2.0 * BAR_HEIGHT)))
            .frame(egui::Frame::window(ui.style()).inner_margin(BETWEEN));
        let shown = modal.show(ui, |ui| {
            dialogs::set_width(ui, WIDTH);
            let is_entered = self.field(ui);
            self.find(stage.session);
            self.step(steps);
            ui.add_space(INSIDE);
            let clicked = self.list(ui, stage.session);
            clicked.or_else(|| is_entered.then_some(self.selected))
        });
        if let Some(hit) = shown.inner.and_then(|index| self.hits.get(index))
            && hit.what.why_disabled(stage.session).is_none()
        {
            stage.actions.push(hit.what.clone().action());
            return true;
        }
        is_closed || shown.should_close()
    }

    /// The field, which always has the keyboard; whether Enter was pressed in it.
    fn field(&mut self, ui: &mut Ui) -> bool {
        let field = TextEdit::singleline(&mut self.typed)
            .id_salt("what to do")
            .desired_width(f32::INFINITY)
            .min_size(vec2(0.0, ROW_HEIGHT))
            .align(Align2::LEFT_CENTER)
            .hint_text("A command, the number or name of a frame, a sheet");
        let response = ui.add(field).accessible_name("Find a command");
        let is_entered = response.lost_focus() && parts::is_entered(ui);
        if !response.has_focus() {
            response.request_focus();
        }
        is_entered
    }

    /// Looks for what was typed, when that is something else than before.
    fn find(&mut self, session: &Session) {
        let query = Query::new(&self.typed);
        if self.query.as_ref() == Some(&query) {
            return;
        }
        let mut hits = commands(&query, session);
        if !query.is_empty() {
            hits.extend(frames(&query, session));
            hits.extend(sheets(&query, session));
        }
        // Of equal ones the order is kept: commands as in the table, then frames, then sheets.
        hits.sort_by_key(|hit| std::cmp::Reverse((hit.fit, hit.is_enabled)));
        self.hits = hits;
        self.query = Some(query);
        self.selected = 0;
        self.shows_selected = true;
    }

    fn step(&mut self, by: isize) {
        if by != 0 {
            let last = self.hits.len().saturating_sub(1);
            self.selected = self.selected.saturating_add_signed(by).min(last);
            self.shows_selected = true;
        }
    }

    /// The hits; the one that was clicked.
    fn list(&mut self, ui: &mut Ui, session: &Session) -> Option<usize> {
        if self.hits.is_empty() {
            let text = format!("Nothing is called \u{201c}{}\u{201d}", self.typed.trim());
            parts::explanation(ui, &text);
            return None;
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let room = (ui.content_rect().height() - 4.0 * BAR_HEIGHT).max(4.0 * ROW_HEIGHT);
        let height = (MAX_LINES * ROW_HEIGHT).min(room);
        let area = ScrollArea::vertical().max_height(height).auto_shrink([false, true]);
        let shown = area.show_rows(ui, ROW_HEIGHT, self.hits.len(), |ui, range| {
            let top_left = ui.max_rect().min;
            let width = ui.available_width();
            let rect_of = |index: usize| {
                let y = (index as f32 - range.start as f32) * ROW_HEIGHT;
                Rect::from_min_size(top_left + vec2(0.0, y), vec2(width, ROW_HEIGHT))
            };
            if std::mem::take(&mut self.shows_selected) {
                ui.scroll_to_rect(rect_of(self.selected), None);
            }
            ui.expand_to_include_rect(rect_of(range.end.saturating_sub(1)));
            let mut clicked = None;
            for index in range.clone() {
                let Some(hit) = self.hits.get(index) else { continue };
                if line(ui, rect_of(index), hit, (index, self.selected), session) {
                    clicked = Some(index);
                }
            }
            clicked
        });
        shown.inner
    }
}

/// Arrow keys and pages, which are the list's and not the field's.
fn take_steps(ui: &Ui) -> isize {
    ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        let page = MAX_LINES as isize - 1;
        count(Key::ArrowDown) - count(Key::ArrowUp) + page * (count(Key::PageDown) - count(Key::PageUp))
    })
}

/// A hit; whether it was clicked.
fn line(ui: &Ui, rect: Rect, hit: &Hit, (index, selected): (usize, usize), session: &Session) -> bool {
    let is_selected = index == selected;
    let palette = theme::palette(ui);
    let why_disabled = hit.what.why_disabled(session);
    // The keyboard stays with the field.
    let response = ui.interact(rect, ui.scope_id().with(index), Sense::CLICK);
    response.widget_info(|| {
        WidgetInfo::selected(Role::ListBoxOption, why_disabled.is_none(), is_selected, &hit.text)
    });
    if is_selected {
        let stroke = Stroke::new(1.0, palette.accent);
        ui.painter().rect(rect, 4.0, palette.accent_surface, stroke, StrokeKind::Inside);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, palette.raised);
    }
    let command = match hit.what {
        What::Command(command) => Some(command),
        What::Frame(..) | What::Sheet(_) | What::Scene(_) => None,
    };
    let shortcut = command.map(|command| widgets::key_text(ui, command));
    let beside = why_disabled.map(str::to_owned).or(shortcut).unwrap_or_default();
    let inner = rect.shrink2(vec2(BETWEEN, 0.0));
    let middle = inner.left() + inner.width() * 0.56;
    let left = Rect::from_min_max(inner.min, pos2(middle, inner.bottom()));
    let right = Rect::from_min_max(pos2(middle, inner.top()), inner.max);
    let color = if why_disabled.is_some() { palette.weak_text } else { palette.text };
    parts::text_in(ui, left, &hit.text, color, Align2::LEFT_CENTER);
    parts::text_in(ui, right, &beside, palette.weak_text, Align2::RIGHT_CENTER);
    let response = match command {
        Some(command) => response.on_hover_text(widgets::command_tooltip(ui, command)),
        None => response,
    };
    response.clicked()
}

fn commands(query: &Query, session: &Session) -> Vec<Hit> {
    let others = Command::ALL.iter().copied().filter(|command| *command != Command::Palette);
    let hits = others.filter_map(|command| {
        // What a command does is worth a look when its name is another.
        let by_tooltip = || query.fit_of_name(command.tooltip()).map(|_| Fit::Letters);
        let fit = query.fit(command.text()).or_else(by_tooltip)?;
        let is_enabled = session.why_disabled(command).is_none();
        Some(Hit { what: What::Command(command), text: command.text().to_owned(), fit, is_enabled })
    });
    hits.collect()
}

/// The frame with that number, and frames with that name.
fn frames(query: &Query, session: &Session) -> Vec<Hit> {
    let Some(document) = session.current() else { return Vec::new() };
    let number = query.number();
    let hits = document.sheet().frames.iter().enumerate().filter_map(|(position, frame)| {
        let fit = if number == Some(position) {
            Fit::Whole
        } else if frame.name.is_empty() {
            return None;
        } else {
            query.fit_of_name(&frame.name)?
        };
        let text = frame_label("Select frame", position, &frame.name);
        Some(Hit { what: What::Frame(document.path.clone(), frame.id), text, fit, is_enabled: true })
    });
    best(hits.collect())
}

fn sheets(query: &Query, session: &Session) -> Vec<Hit> {
    let Some(open) = session.project() else { return Vec::new() };
    let hits = open.registry.assets().filter_map(|asset| {
        let fit = query.fit_of_name(asset.file_name()).or_else(|| query.fit_of_name(&asset.path))?;
        let text = format!("Open sheet {}", asset.file_name());
        Some(Hit { what: What::Sheet(asset.path.clone()), text, fit, is_enabled: true })
    });
    let scenes = open.registry.referrers().filter(|it| it.kind == FileKind::Scene).filter_map(|scene| {
        let fit = query.fit_of_name(scene.file_name()).or_else(|| query.fit_of_name(&scene.path))?;
        let text = format!("Open scene {}", scene.file_name());
        Some(Hit { what: What::Scene(scene.path.clone()), text, fit, is_enabled: true })
    });
    best(hits.chain(scenes).collect())
}

fn best(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.fit));
    hits.truncate(MAX_NAMED);
    hits
}
