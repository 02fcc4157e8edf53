//! Messages about what just happened, in the lower right corner.

use eframe::egui;
use egui::{Align2, Area, Frame, Id, Label, Order, Ui};
use egui_material_icons::icons::ICON_CLOSE;

use super::theme::{self, BAR_HEIGHT, BETWEEN, ROW_HEIGHT};
use super::widgets::{self, Tone};
use crate::session::toast::ToastKind;
use crate::session::{Action, Session, Toast};

const WIDTH: f32 = 360.0;
/// Older ones come back when newer ones go.
const MAX_SHOWN: usize = 4;

/// The stack of messages, the newest at the bottom.
pub fn ui(ui: &Ui, session: &Session, actions: &mut Vec<Action>) {
    let toasts = session.toasts().shown();
    if toasts.is_empty() {
        return;
    }
    let newest = &toasts[toasts.len().saturating_sub(MAX_SHOWN)..];
    let above_status_bar = [-BETWEEN, -(BAR_HEIGHT + BETWEEN)];
    Area::new(Id::unique("toasts"))
        .order(Order::Foreground)
        .anchor(Align2::RIGHT_BOTTOM, above_status_bar)
        .fade_in(false)
        .show(ui, |ui| {
            ui.set_width(WIDTH);
            ui.spacing_mut().item_spacing.y = BETWEEN;
            for shown in newest {
                toast(ui, session, shown, actions);
            }
        });
}

fn toast(ui: &mut Ui, session: &Session, toast: &Toast, actions: &mut Vec<Action>) {
    let tone = match toast.kind {
        ToastKind::Info => Tone::Done,
        ToastKind::Warning => Tone::Warning,
        ToastKind::Error => Tone::Error,
    };
    let frame = Frame::popup(ui.style()).fill(theme::palette(ui).raised).inner_margin(BETWEEN);
    frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.add(Label::new(tone.icon_text(ui)).selectable(false));
            let text_width = ui.available_width() - ROW_HEIGHT - BETWEEN;
            ui.scope(|ui| {
                ui.set_width(text_width);
                ui.add(Label::new(toast.text.as_str()).wrap());
            });
            if widgets::icon_button(ui, ICON_CLOSE, "Dismiss", "").clicked() {
                actions.push(Action::DismissToast(toast.id));
            }
        });
        if let Some(command) = toast.offers {
            let words = toast.offers_as.unwrap_or(command.text());
            if widgets::command_button_as(ui, session, command, words) {
                actions.push(command.into());
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    #[test]
    fn a_message_is_shown_until_its_cross_is_pressed() {
        let mut session = Session::new(None, Arc::new(|| {})).unwrap();
        session.tell("hero.png was not saved: the disk is full".to_owned());
        let mut harness = Harness::builder().with_context_setup(theme::install).build_ui_state(
            |ui, (session, actions): &mut (Session, Vec<Action>)| super::ui(ui, session, actions),
            (session, Vec::new()),
        );
        harness.run();
        harness.get_by_label_contains("the disk is full");
        harness.get_by_label("Dismiss").click();
        harness.run();
        let (session, actions) = harness.state();
        let id = session.toasts().shown()[0].id;
        assert!(matches!(actions.as_slice(), [Action::DismissToast(dismissed)] if *dismissed == id));
    }

    #[test]
    fn only_the_newest_are_shown() {
        let mut session = Session::new(None, Arc::new(|| {})).unwrap();
        for number in 1..=6 {
            session.tell(format!("Message {number}"));
        }
        let mut harness = Harness::builder()
            .with_context_setup(theme::install)
            .build_ui(|ui| super::ui(ui, &session, &mut Vec::new()));
        harness.run();
        assert!(harness.query_by_label("Message 2").is_none());
        assert!(harness.query_by_label("Message 3").is_some());
        assert!(harness.query_by_label("Message 6").is_some());
    }
}
