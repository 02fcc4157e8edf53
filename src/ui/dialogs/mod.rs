//! Dialogs over the window: the question about unsaved changes, the list of keys, and the about box.

mod export;
mod frame_files;
mod groups;
mod keys;
mod rebind;

use eframe::egui;
use egui::{Button, Id, Image, Key, Label, Modal, Modifiers, RichText, Sides, Ui, Vec2};

use super::theme::{self, AROUND, INSIDE, ROW_HEIGHT};
use super::{UiState, start, widgets};
use crate::session::{Action, Answer, Pending, Question, Session};

const QUESTION_WIDTH: f32 = 400.0;
const ABOUT_WIDTH: f32 = 420.0;
const LOGO_SIDE: f32 = 64.0;
/// More names than this are counted, not listed.
const MAX_NAMES: usize = 8;

/// Which dialogs are open.
#[derive(Debug, Default)]
pub struct Dialogs {
    /// The list of keys while it is open.
    keys: Option<keys::Keys>,
    shows_about: bool,
}

impl Dialogs {
    /// Opens or closes the list of keys.
    pub fn toggle_keys(&mut self) {
        self.keys = if self.keys.is_some() { None } else { Some(keys::Keys::default()) };
        self.shows_about = false;
    }

    /// Opens or closes the about box.
    pub fn toggle_about(&mut self) {
        self.shows_about = !self.shows_about;
        self.keys = None;
    }
}

/// While a key is asked for, it is taken before any panel sees it.
pub fn listen(ui: &Ui, session: &Session, dialogs: &mut Dialogs, actions: &mut Vec<Action>) {
    if let Some(keys) = dialogs.keys.as_mut().filter(|_| session.question().is_none()) {
        keys.listen(ui, actions);
    }
}

/// The dialog that is open; a question comes before all others.
pub fn ui(ui: &Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let dialogs = &mut state.dialogs;
    if let Some(question) = session.question() {
        unsaved_changes(ui, question, actions);
    } else if let Some(exporting) = session.exporting() {
        export::ui(ui, session, exporting, state, actions);
    } else if let Some(saving) = session.frame_saving() {
        frame_files::ui(ui, saving, actions);
    } else if let Some(question) = session.in_use() {
        in_use(ui, &question.words, actions);
    } else if let Some(keys) = &mut dialogs.keys {
        if keys.ui(ui, session.workspace(), actions) {
            dialogs.keys = None;
        }
    } else if dialogs.shows_about {
        dialogs.shows_about = !about(ui);
    }
}

/// A window over all others, in the middle; `name` tells it from the others.
pub(super) fn modal(name: &str, ui: &Ui) -> Modal {
    let frame = egui::Frame::window(ui.style()).inner_margin(AROUND + INSIDE);
    Modal::new(Id::unique(("dialog", name))).frame(frame)
}

/// Gives such a window its width, and the whole window's height as room: of itself it would be no higher than it was
/// when it was last open, and scroll what it has room for.
pub(super) fn set_width(ui: &mut Ui, width: f32) {
    ui.set_width(width);
    ui.set_max_height(ui.content_rect().height());
}

/// What such a window is about, at its top.
pub(super) fn title(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).heading()).wrap());
    ui.add_space(INSIDE);
}

fn unsaved_changes(ui: &Ui, question: &Question, actions: &mut Vec<Action>) {
    let shown = modal("unsaved changes", ui).show(ui, |ui| {
        ui.set_width(QUESTION_WIDTH);
        title(ui, &question_title(question));
        changed_sheets(ui, question);
        ui.add_space(AROUND);
        answers(ui, question)
    });
    let answer = shown.inner.or_else(|| shown.should_close().then_some(Answer::Cancel));
    if let Some(answer) = answer.filter(|_| !question.is_saving) {
        actions.push(Action::Answer(answer));
    }
}

fn question_title(question: &Question) -> String {
    match question.changed.as_slice() {
        [one] => format!("Save changes to {}?", file_name(one)),
        many => format!("Save changes to {} documents?", many.len()),
    }
}

/// What goes on after the answer.
fn what_follows(then: &Pending) -> &'static str {
    match then {
        Pending::Close(_) => "It is about to be closed.",
        Pending::CloseProject => "The project is about to be closed.",
        Pending::Open(_) => "Another project is about to be opened.",
        Pending::Quit => "Cutsheet is about to quit.",
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn changed_sheets(ui: &mut Ui, question: &Question) {
    let weak = theme::palette(ui).weak_text;
    if question.changed.len() > 1 {
        for path in question.changed.iter().take(MAX_NAMES) {
            ui.horizontal(|ui| {
                ui.add(Label::new(format!("•  {}", file_name(path))).selectable(false))
                    .on_hover_text(path.as_ref());
            });
        }
        let more = question.changed.len().saturating_sub(MAX_NAMES);
        if more > 0 {
            ui.add(Label::new(RichText::new(format!("and {more} more")).color(weak)).selectable(false));
        }
        ui.add_space(INSIDE);
    }
    let lost = "Without saving, the changes since the last save are lost: frames, grid and texture settings. \
                Images are never touched.";
    ui.add(Label::new(RichText::new(format!("{} {lost}", what_follows(&question.then))).color(weak)).wrap());
}

fn answers(ui: &mut Ui, question: &Question) -> Option<Answer> {
    if question.is_saving {
        ui.add(Label::new(RichText::new("Saving…").color(theme::palette(ui).weak_text)).selectable(false));
        return None;
    }
    let save = if question.changed.len() == 1 { "Save" } else { "Save all" };
    let discard = if question.changed.len() == 1 { "Discard changes" } else { "Discard all changes" };
    let (discarded, answer) = Sides::new().show(
        ui,
        |ui| answer(ui, Button::new(discard), discard, "", Answer::Discard),
        |ui| {
            let primary = widgets::primary_button(ui, save);
            let saved = answer(ui, primary, save, "Enter", Answer::SaveAll);
            saved.or(answer(ui, Button::new("Cancel"), "Cancel", "Esc", Answer::Cancel))
        },
    );
    discarded.or(answer).or(is_entered(ui).then_some(Answer::SaveAll))
}

/// Takes Enter out of this pass; whether it was pressed. A button that was reached with Tab has it for itself.
fn is_entered(ui: &Ui) -> bool {
    let is_free = ui.memory(|memory| memory.focused().is_none());
    is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter))
}

fn answer(ui: &mut Ui, button: Button<'_>, name: &str, key: &str, answer: Answer) -> Option<Answer> {
    let response = ui.add(button.min_size(Vec2::new(72.0, ROW_HEIGHT)));
    let response = if key.is_empty() { response } else { response.on_hover_text(format!("{name} ({key})")) };
    response.clicked().then_some(answer)
}

/// Asks before frames are deleted that scenes use.
fn in_use(ui: &Ui, words: &str, actions: &mut Vec<Action>) {
    let shown = modal("frames in use", ui).show(ui, |ui| {
        ui.set_width(QUESTION_WIDTH);
        title(ui, "Delete frames that are in use?");
        ui.add(Label::new(words).wrap());
        ui.add_space(AROUND);
        let mut answer = None;
        Sides::new().show(
            ui,
            |_| (),
            |ui| {
                let delete = widgets::primary_button(ui, "Delete");
                if ui.add(delete).on_hover_text("Delete them all the same; can be undone").clicked() {
                    answer = Some(true);
                }
                let cancel = Button::new("Cancel").min_size(Vec2::new(72.0, ROW_HEIGHT));
                if ui.add(cancel).on_hover_text("Leave them (Esc)").clicked() {
                    answer = Some(false);
                }
            },
        );
        answer
    });
    let answer = shown.inner.or_else(|| shown.should_close().then_some(false));
    let answer = answer.or(is_entered(ui).then_some(true));
    actions.extend(answer.map(Action::AnswerInUse));
}

/// The version and the licence; whether the box is to be closed.
fn about(ui: &Ui) -> bool {
    let shown = modal("about", ui).show(ui, |ui| {
        ui.set_width(ABOUT_WIDTH);
        ui.horizontal_top(|ui| {
            ui.add(
                Image::new(&start::logo(ui)).fit_to_exact_size(Vec2::splat(LOGO_SIDE)).alt_text("Cutsheet"),
            );
            ui.add_space(INSIDE);
            ui.vertical(|ui| {
                title(ui, "Cutsheet");
                ui.label(format!("Version {}", env!("CARGO_PKG_VERSION")));
                let weak = theme::palette(ui).weak_text;
                ui.add(Label::new(RichText::new(start::WHAT_IT_IS).color(weak)).wrap());
                ui.add_space(INSIDE);
                let licence = format!("Licence: {}", env!("CARGO_PKG_LICENSE").replace(" OR ", " or "));
                ui.label(RichText::new(licence).color(weak));
            });
        });
        close_button(ui)
    });
    shown.inner || shown.should_close()
}

fn close_button(ui: &mut Ui) -> bool {
    ui.add_space(AROUND);
    let ((), closed) = Sides::new().show(
        ui,
        |_| (),
        |ui| {
            ui.add(Button::new("Close").min_size(Vec2::new(72.0, ROW_HEIGHT)))
                .on_hover_text("Close (Esc)")
                .clicked()
        },
    );
    closed
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    fn question(changed: &[&str]) -> Question {
        let changed = changed.iter().map(|path| (*path).into()).collect();
        Question { changed, then: Pending::Quit, is_saving: false }
    }

    /// A question and the answers that were given.
    fn asked(changed: &[&str]) -> Harness<'static, (Question, Vec<Action>)> {
        Harness::new_ui_state(
            |ui, (question, actions): &mut (Question, Vec<Action>)| unsaved_changes(ui, question, actions),
            (question(changed), Vec::new()),
        )
    }

    fn answers_of(harness: &Harness<'_, (Question, Vec<Action>)>) -> Vec<Answer> {
        let answers = harness.state().1.iter().map(|action| match action {
            Action::Answer(answer) => *answer,
            other => panic!("{other:?}"),
        });
        answers.collect()
    }

    #[test]
    fn one_sheet_is_asked_about_by_name_and_more_by_number() {
        assert_eq!(question_title(&question(&["assets/player.png"])), "Save changes to player.png?");
        assert_eq!(question_title(&question(&["a.png", "b.png"])), "Save changes to 2 documents?");
    }

    #[test]
    fn enter_saves_and_escape_cancels() {
        let mut harness = asked(&["a.png", "b.png"]);
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(answers_of(&harness), [Answer::SaveAll, Answer::Cancel]);
    }

    #[test]
    fn each_button_gives_its_answer() {
        let mut harness = asked(&["a.png", "b.png"]);
        for name in ["Save all", "Discard all changes", "Cancel"] {
            harness.run();
            harness.get_by_label(name).click();
            harness.run();
        }
        assert_eq!(answers_of(&harness), [Answer::SaveAll, Answer::Discard, Answer::Cancel]);
    }

    #[test]
    fn while_saving_nothing_can_be_answered() {
        let mut harness = asked(&["a.png"]);
        harness.state_mut().0.is_saving = true;
        harness.run();
        assert!(harness.query_by_label("Save").is_none());
        harness.get_by_label("Saving…");
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(answers_of(&harness), []);
    }
}
