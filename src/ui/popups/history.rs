//! The steps of the history of what is shown in a small window that stays open beside the work.

use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Button, Id, RichText, ScrollArea, TextStyle, Ui, Vec2, Window, pos2, vec2};

use super::parts;
use crate::edit::{self, Editable, Revision};
use crate::session::{Action, Command, Session, Workspace};
use crate::ui::theme::{self, AROUND, BAR_HEIGHT, ROW_HEIGHT};

const WIDTH: f32 = 216.0;
const HEIGHT: f32 = 320.0;

/// The window.
#[derive(Default)]
pub(super) struct History {
    is_open: bool,
    /// The state that was scrolled to last.
    seen: Option<(Arc<str>, Revision)>,
}

impl History {
    pub(super) fn toggle(&mut self) {
        self.is_open = !self.is_open;
        self.seen = None;
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Draws it; at first its right edge is `right`, where the canvas ends and the inspector begins.
    pub(super) fn ui(&mut self, ui: &Ui, session: &Session, right: Option<f32>, actions: &mut Vec<Action>) {
        if !self.is_open {
            return;
        }
        let window = ui.content_rect();
        let corner =
            pos2(right.unwrap_or(window.right()), window.top()) + vec2(-AROUND, 4.0 * BAR_HEIGHT + AROUND);
        let mut is_open = true;
        Window::new(RichText::new(Command::History.text()).text_style(TextStyle::Body))
            .id(Id::unique("history"))
            .open(&mut is_open)
            .pivot(Align2::RIGHT_TOP)
            .default_pos(corner)
            .fixed_size(Vec2::new(WIDTH, HEIGHT))
            .collapsible(false)
            .show(ui, |ui| match session.workspace() {
                Workspace::Slice => match session.current() {
                    Some(document) => self.list(ui, &document.path, &document.history, actions),
                    None => parts::explanation(ui, "No sheet is open"),
                },
                Workspace::Scene => match session.scene() {
                    Some(document) => self.list(ui, &document.path, &document.history, actions),
                    None => parts::explanation(ui, "No scene is open"),
                },
            });
        self.is_open = is_open;
    }

    fn list<D: Editable>(
        &mut self,
        ui: &mut Ui,
        path: &Arc<str>,
        history: &edit::History<D>,
        actions: &mut Vec<Action>,
    ) {
        parts::explanation(ui, path.rsplit('/').next().unwrap_or(path));
        let (labels, done) = history.steps();
        let present = (path.clone(), history.revision());
        let has_moved = self.seen.as_ref() != Some(&present);
        ScrollArea::vertical().id_salt(&**path).auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (step, label) in std::iter::once("Opened").chain(labels).enumerate() {
                let is_present = step == done;
                let is_clicked = entry(ui, step, label, step.cmp(&done), is_present && has_moved);
                if is_clicked && !is_present {
                    actions.push(Action::GoToStep(step));
                }
            }
        });
        self.seen = Some(present);
    }
}

/// A step; whether it was clicked.
fn entry(ui: &mut Ui, step: usize, label: &str, place: std::cmp::Ordering, shows: bool) -> bool {
    let palette = theme::palette(ui);
    let (color, name, tooltip) = match place {
        std::cmp::Ordering::Less => (palette.text, format!("Step {step}, {label}"), "Go back to here"),
        std::cmp::Ordering::Equal => {
            (palette.on_accent_surface, format!("Step {step}, {label}, present"), "This is how it is now")
        }
        std::cmp::Ordering::Greater => {
            (palette.weak_text, format!("Step {step}, {label}, undone"), "Do the steps up to here again")
        }
    };
    let text = RichText::new(label).color(color);
    let text = if place.is_gt() { text.italics() } else { text };
    let button = Button::selectable(place.is_eq(), text)
        .truncate()
        .min_size(Vec2::new(ui.available_width(), ROW_HEIGHT));
    let response = ui.add(button).accessible_name(name).on_hover_text(tooltip);
    if shows {
        response.scroll_to_me(None);
    }
    response.clicked()
}
