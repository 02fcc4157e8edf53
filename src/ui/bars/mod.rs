//! One bar over the canvas: a question that does not stop anybody from working, with its answers as buttons.

mod renumbered;

use eframe::egui;
use egui::{
    Align, Button, Color32, Frame, Id, Label, Layout, Margin, Rect, RichText, Stroke, TextStyle, Ui,
    UiBuilder, Vec2, vec2,
};

use super::canvas::Canvas;
use super::theme::{self, AROUND, BETWEEN, INSIDE, ROW_HEIGHT};
use super::widgets;
use crate::edit;
use crate::geometry::Size;
use crate::model::Recipe;
use crate::session::{Action, Command, Document, Proposal, Recovered, Session};
use crate::slicing::grid;
use renumbered::Comparison;

/// What is kept of the bar from one pass to the next.
#[derive(Default)]
pub struct Bars {
    /// While a resized image is asked about.
    comparison: Option<Comparison>,
}

/// A row below the question: its height, and what draws it.
type Below<'a> = (f32, &'a mut dyn FnMut(&mut Ui));

/// What a bar asks.
struct Question {
    /// Tells the bars apart.
    name: &'static str,
    text: String,
    /// The first is the recommended one.
    answers: Vec<(Command, String)>,
    /// Size of the image before, where old and new pictures help to answer.
    compared_with: Option<Size>,
}

impl Question {
    fn new(name: &'static str, text: String, answers: &[Command]) -> Self {
        let answers = answers.iter().map(|command| (*command, command.text().to_owned())).collect();
        Self { name, text, answers, compared_with: None }
    }
}

impl Bars {
    /// The bar that is due, over the upper end of the canvas, which has all of `room`.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        room: Rect,
        session: &Session,
        canvas: &mut Canvas,
        actions: &mut Vec<Action>,
    ) {
        let last = self.comparison.take();
        let Some(question) = due(ui, session) else { return };
        let compared = session.current().zip(question.compared_with);
        if let Some((document, before)) = compared {
            let comparison = Comparison::of(document, before, last, canvas);
            let below = &mut |ui: &mut Ui| comparison.ui(ui, session, document, canvas);
            bar(ui, room, &question, session, Some((renumbered::HEIGHT, below)), actions);
            self.comparison = Some(comparison);
        } else {
            bar(ui, room, &question, session, None, actions);
        }
    }

    /// No sheet is shown any more.
    pub fn leave(&mut self) {
        self.comparison = None;
    }
}

/// The bar that is due over the scene that is shown.
pub(super) fn of_scene(ui: &mut Ui, room: Rect, session: &Session, actions: &mut Vec<Action>) {
    let changed = session.scene().filter(|document| document.theirs.is_some());
    let question = match (session.recovered(), changed) {
        (Some(recovered), _) => recovered_question(recovered),
        (None, Some(document)) => {
            let text = format!("{} was changed outside while you edited it", document.file_name());
            Question::new("scene changed", text, &[Command::KeepMine, Command::TakeTheirs])
        }
        (None, None) => return,
    };
    bar(ui, room, &question, session, None, actions);
}

fn recovered_question(recovered: &Recovered) -> Question {
    Question::new("recovered", recovered_words(recovered), &[Command::Restore, Command::Discard])
}

/// The most urgent question.
fn due(ui: &Ui, session: &Session) -> Option<Question> {
    if let Some(recovered) = session.recovered() {
        return Some(recovered_question(recovered));
    }
    let document = session.current()?;
    if let Some(theirs) = &document.theirs {
        let difference = edit::difference(&document.sheet().frames, &theirs.sheet.frames).words();
        let text = format!("Changed outside. Theirs against yours, dashed where they differ: {difference}");
        let answers = [Command::KeepMine, Command::TakeTheirs, Command::ShowDifferences];
        Some(Question::new("theirs", text, &answers))
    } else if document.has_shrunk {
        let (partly, wholly) = document.frames_outside();
        let mut answers = vec![Command::WaitForSize];
        answers.extend((partly > 0).then_some(Command::ClipOutside));
        answers.extend((wholly > 0).then_some(Command::DeleteOutside));
        Some(Question::new("shrunk", shrunk_words(partly, wholly), &answers))
    } else if let Some(before) = document.resized {
        let answers = [Command::KeepPlaces, Command::Renumber, Command::LeaveFrames];
        let mut question = Question::new("resized", resized_words(document, before), &answers);
        if let Some((_, recommended)) = question.answers.first_mut() {
            recommended.push_str(" (recommended)");
        }
        Some(Question { compared_with: Some(before), ..question })
    } else {
        let (number, proposals) = session.proposal()?;
        guess(ui, number, &proposals)
    }
}

/// "The image is smaller now: 2 frames reach over its edge, 1 frame lies outside".
fn shrunk_words(partly: usize, wholly: usize) -> String {
    let verb = |count: usize, one: &str, many: &str| {
        format!("{} {}", widgets::count_text(count, "frame"), if count == 1 { one } else { many })
    };
    let mut parts = Vec::new();
    if partly > 0 {
        parts.push(verb(partly, "reaches over its edge", "reach over its edge"));
    }
    if wholly > 0 {
        parts.push(verb(wholly, "lies outside", "lie outside"));
    }
    format!("The image is smaller now: {}", parts.join(", "))
}

/// "Unsaved edits of player.png from 14:02".
fn recovered_words(recovered: &Recovered) -> String {
    let name = recovered.path.rsplit('/').next().unwrap_or(&recovered.path);
    format!("Unsaved edits of {name} from {}", recovered.taken)
}

/// "The image grew from 96 x 32 to 128 x 32: keep the 12 frames where they are and add 4?"
fn resized_words(document: &Document, before: Size) -> String {
    let now = document.image_size;
    let run = document.sheet().single_run();
    let count = |image| {
        run.map_or(0, |run| {
            let (columns, rows) = grid::columns_and_rows(run, image);
            columns as usize * rows as usize
        })
    };
    let frames = document.sheet().frames.len();
    let (then, new) = (count(before), count(now));
    let what = if new >= then { "grew" } else { "shrank" };
    let outcome = if new >= then {
        format!("keep the {frames} frames where they are and add {}", new - then)
    } else {
        format!("keep the frames that are left where they are and lose {}", then - new)
    };
    format!("The image {what} from {before} to {now}: {outcome}?")
}

/// Whether one of the bar's buttons has the keyboard.
pub fn has_keyboard(ctx: &egui::Context) -> bool {
    let focused = ctx.memory(egui::Memory::focused);
    focused.is_some() && focused == ctx.data(|data| data.get_temp::<Id>(focused_id()))
}

fn focused_id() -> Id {
    Id::unique("the button of the bar that has the keyboard")
}

/// Words, and at the right end the answers; below them what helps to answer.
fn bar(
    ui: &mut Ui,
    canvas: Rect,
    question: &Question,
    session: &Session,
    below: Option<Below<'_>>,
    actions: &mut Vec<Action>,
) {
    let Question { name, text, answers, .. } = question;
    let room = canvas.shrink(BETWEEN);
    let font = TextStyle::Body.resolve(ui.style());
    let width =
        |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x;
    let padding = 2.0 * ui.spacing().button_padding.x + BETWEEN;
    let buttons: f32 = answers.iter().map(|(_, text)| width(text) + padding).sum();
    // Words that are too long for one line go on in the next.
    let for_words = (room.width() - 2.0 * AROUND - buttons - BETWEEN).max(1.0);
    let words = ui.painter().layout(text.clone(), font.clone(), Color32::WHITE, for_words).size().y;
    let height = words.max(ROW_HEIGHT);
    let below_height = below.as_ref().map_or(0.0, |(height, _)| INSIDE + height);
    let rect = Rect::from_min_size(room.min, vec2(room.width(), height + below_height + 2.0 * INSIDE));
    let palette = theme::palette(ui);
    let frame = Frame::new()
        .fill(palette.raised)
        .stroke(Stroke::new(1.0, palette.accent))
        .corner_radius(4)
        .inner_margin(Margin::symmetric(AROUND as i8, INSIDE as i8));
    let builder = UiBuilder::new().id_salt(("bar", name)).max_rect(rect).sense(egui::Sense::CLICK);
    ui.scope_builder(builder, |ui| {
        frame.show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(BETWEEN, INSIDE);
            let line = vec2(ui.available_width(), height);
            ui.allocate_ui_with_layout(line, Layout::right_to_left(Align::Center), |ui| {
                for (index, (command, text)) in answers.iter().enumerate().rev() {
                    answer(ui, session, *command, text, index == 0, actions);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(RichText::new(text).strong()).wrap().selectable(false));
                });
            });
            if let Some((height, add)) = below {
                let line = vec2(ui.available_width(), height);
                ui.allocate_ui_with_layout(line, Layout::left_to_right(Align::Center), add);
            }
        });
    });
}

/// An answer that is a command.
fn answer(
    ui: &mut Ui,
    session: &Session,
    command: Command,
    text: &str,
    is_primary: bool,
    actions: &mut Vec<Action>,
) {
    let button = Button::new(text).min_size(Vec2::new(0.0, ROW_HEIGHT));
    let button = if is_primary { widgets::primary_button(ui, text) } else { button };
    let why = session.why_disabled(command);
    let response = ui.add_enabled(why.is_none(), button);
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(focused_id(), response.id));
    }
    let response = response
        .on_hover_text(widgets::command_tooltip(ui, command))
        .on_disabled_hover_text(why.unwrap_or_default());
    if response.clicked() {
        actions.push(command.into());
    }
}

fn guess(ui: &Ui, number: usize, proposals: &[Proposal]) -> Option<Question> {
    let proposal = proposals.get(number)?;
    let mut answers = vec![(Command::AcceptGuess, "Accept")];
    answers.extend((proposals.len() > 1).then_some((Command::NextGuess, "Next")));
    answers.push((Command::DismissGuess, "No"));
    let with_key = |(command, words): (Command, &str)| (command, widgets::with_key(ui, words, command));
    let answers = answers.into_iter().map(with_key).collect();
    let text = guess_words(number, proposals.len(), proposal);
    Some(Question { name: "guess", text, answers, compared_with: None })
}

/// "Guess 1 of 3: 32 x 32, offset 1, spacing 1, 8 x 6 = 48 frames, 97 % sure".
fn guess_words(number: usize, of: usize, proposal: &Proposal) -> String {
    let frames = widgets::count_text(proposal.rects.len(), "frame");
    let what = match (&proposal.recipe, proposal.run()) {
        (Recipe::Automatic(_), _) => {
            format!("Automatic, {}", widgets::count_text(proposal.rects.len(), "sprite"))
        }
        (_, Some(run)) => {
            let mut parts = vec![run.words()];
            parts.push(match proposal.columns_and_rows {
                Some((columns, rows)) => format!("{columns} x {rows} = {frames}"),
                None => frames,
            });
            parts.join(", ")
        }
        _ => frames,
    };
    format!("Guess {} of {of}: {what}, {:.0} % sure", number + 1, proposal.confidence * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Offset, PixelRect};
    use crate::model::{Automatic, Run};

    #[test]
    fn a_guess_says_all_its_numbers() {
        let run =
            Run { offset: Offset::new(1, 1), spacing: Offset::new(1, 2), ..Run::of_cell(Size::new(32, 32)) };
        let proposal = Proposal {
            recipe: Recipe::grid(run),
            rects: vec![PixelRect::default(); 48].into(),
            columns_and_rows: Some((8, 6)),
            confidence: 0.97,
        };
        assert_eq!(
            guess_words(0, 3, &proposal),
            "Guess 1 of 3: 32 x 32, offset 1, spacing 1/2, 8 x 6 = 48 frames, 97 % sure"
        );
        let automatic = Proposal {
            recipe: Recipe::Automatic(Automatic::default()),
            rects: vec![PixelRect::default()].into(),
            columns_and_rows: None,
            confidence: 0.75,
        };
        assert_eq!(guess_words(1, 2, &automatic), "Guess 2 of 2: Automatic, 1 sprite, 75 % sure");
    }
}
