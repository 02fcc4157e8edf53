//! Frames cut anew over others: what becomes of those that are there, told afterwards in a line, and asked before
//! where scenes may mean a frame that would move or go.

use std::sync::Arc;

use eframe::egui;
use egui::{ComboBox, Id, Label, Link, Modal, Painter, Rect, RichText, Sides, Ui, Vec2};

use super::fates::{self, Fates};
use super::grid::Subject;
use super::{labelled, weak};
use crate::edit::{self, Change as _, Cut, Edit, Reslice};
use crate::geometry::PixelRect;
use crate::model::{Frame, Grids, Leftover, Recipe, Sheet};
use crate::session::{Action, Command};
use crate::ui::theme::{self, AROUND, INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// Draws a part of the sheet's image, in image pixels, in the middle of a room.
pub(super) type Paint<'a> = dyn FnMut(&Painter, PixelRect, Rect) + 'a;

/// What asked for a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// A number that is still being typed or dragged: part of a step that a seal ends.
    Typed,
    /// A button or a choice: a step of its own, and a question when frames in use would move or go.
    Button,
}

/// What is kept from one pass to the next.
#[derive(Default)]
pub(super) struct Cutting {
    mode: Reslice,
    /// The sheet before the step that is being typed.
    typed_from: Option<Sheet>,
    last: Option<LastCut>,
    question: Option<Question>,
    /// The frames before a step that was typed and has ended, until it is known whether that is to be asked about.
    ended_from: Option<Arc<[Frame]>>,
    /// Whether the last pass asked for a cut, so that the sheet is another one because of us.
    is_own: bool,
}

struct LastCut {
    sheet: Arc<str>,
    before: Arc<[Frame]>,
    /// The frames it gave, once they are there, and what became of those before.
    after: Option<(Arc<[Frame]>, String)>,
}

/// The table of a cut.
struct Question {
    sheet: Arc<str>,
    about: About,
    fates: Fates,
    is_new: bool,
}

/// What a table is about.
enum About {
    /// A cut that waits for an answer.
    Cut(Edit),
    /// What was typed, which is there already and may be taken back.
    Typed,
    /// The last cut, which somebody wants to see.
    Last,
}

/// Cuts the sheet that is shown.
pub(super) struct Cutter<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) cutting: &'a mut Cutting,
    pub(super) actions: &'a mut Vec<Action>,
    /// Which places of scenes use a frame, in words; empty when none does.
    pub(super) users: &'a dyn Fn(&Frame) -> String,
}

impl Cutter<'_> {
    /// Lays these grids, whose cells are `rects`.
    pub(super) fn grids(&mut self, grids: Grids, rects: Vec<PixelRect>, cause: Cause) {
        let is_simple = self.cutting.mode == Reslice::default() && grids.leftover == Leftover::Drop;
        let edit = match grids.runs.as_slice() {
            [run] if is_simple && run.skip_empty.is_none() => Edit::SetGrid(run.clone()),
            _ => self.edit_of(Recipe::Grids(grids), rects),
        };
        self.cut(edit, cause);
    }

    /// Cuts by ink.
    pub(super) fn recipe(&mut self, recipe: Recipe, rects: Vec<PixelRect>, cause: Cause) {
        let edit = self.edit_of(recipe, rects);
        self.cut(edit, cause);
    }

    fn edit_of(&self, recipe: Recipe, rects: Vec<PixelRect>) -> Edit {
        Edit::Cut(Cut { mode: self.cutting.mode, ..Cut::new(recipe, rects) })
    }

    fn cut(&mut self, edit: Edit, cause: Cause) {
        let Subject { path, sheet, image } = self.subject;
        if cause == Cause::Button {
            self.cutting.typed_from = None;
            if let Ok(after) = edit.apply(sheet, sheet, image) {
                let fates = Fates::of(&sheet.frames, &after.frames, self.users);
                if fates.affected > 0 {
                    let (sheet, about) = (path.clone(), About::Cut(edit));
                    self.cutting.question = Some(Question { sheet, about, fates, is_new: true });
                    return;
                }
            }
        }
        self.push(edit, cause);
    }

    fn push(&mut self, edit: Edit, cause: Cause) {
        let Subject { path, sheet, .. } = self.subject;
        if self.cutting.typed_from.is_none() {
            // Whatever came before is another step.
            self.actions.push(Action::Seal);
        }
        let before = self.cutting.typed_from.get_or_insert_with(|| sheet.clone()).frames.clone();
        self.cutting.last = Some(LastCut { sheet: path.clone(), before, after: None });
        self.cutting.is_own = true;
        self.actions.push(Action::Edit(edit));
        if cause == Cause::Button {
            self.cutting.typed_from = None;
            self.actions.push(Action::Seal);
        }
    }

    /// Asks about what was typed, once its frames are there, when frames in use have changed.
    fn ask_about_typed(&mut self) {
        if self.cutting.is_own {
            return;
        }
        let Some(before) = self.cutting.ended_from.take() else { return };
        let Subject { path, sheet, .. } = self.subject;
        let is_about_this = self.cutting.last.as_ref().is_some_and(|last| last.sheet == *path);
        if Arc::ptr_eq(&before, &sheet.frames) || !is_about_this {
            return;
        }
        let fates = Fates::of(&before, &sheet.frames, self.users);
        if fates.affected > 0 {
            let question = Question { sheet: path.clone(), about: About::Typed, fates, is_new: true };
            self.cutting.question = Some(question);
        }
    }

    /// The table over the window, if there is one; whether a cut was answered with no. `paint` draws a part of the
    /// image in the middle of a room.
    pub(super) fn question(&mut self, ui: &Ui, paint: &mut Paint<'_>) -> bool {
        self.ask_about_typed();
        let Some(question) = &mut self.cutting.question else { return false };
        let shown = Modal::new(Id::unique("cut over frames in use"))
            .frame(egui::Frame::window(ui.style()).inner_margin(AROUND + INSIDE))
            .show(ui, |ui| {
                ui.set_width(fates::WIDTH);
                table(ui, question, paint)
            });
        let answer = shown.inner.or_else(|| shown.should_close().then_some(false));
        question.is_new = false;
        let Some(is_yes) = answer else { return false };
        match self.cutting.question.take().map(|question| question.about) {
            Some(About::Cut(edit)) if is_yes => self.push(edit, Cause::Button),
            Some(About::Typed) if !is_yes => {
                self.cutting.is_own = true;
                self.actions.push(Action::Command(Command::Undo));
            }
            Some(About::Last) | None => return false,
            Some(About::Cut(_) | About::Typed) => {}
        }
        !is_yes
    }

    /// What becomes of the frames that are there, and what became of them in the last cut.
    pub(super) fn ui(&mut self, ui: &mut Ui) {
        let Subject { path, sheet, .. } = self.subject;
        if sheet.frames.is_empty() {
            return;
        }
        mode(ui, &mut self.cutting.mode);
        let Some(LastCut { before, after: Some((after, words)), .. }) = &self.cutting.last else { return };
        if before.is_empty() {
            return;
        }
        let tooltip = "What became of each frame, in a table";
        let link = Link::new(RichText::new(words).color(theme::palette(ui).weak_text));
        if ui.add(link).on_hover_text(tooltip).clicked() {
            let fates = Fates::of(before, after, self.users);
            let question = Question { sheet: path.clone(), about: About::Last, fates, is_new: true };
            self.cutting.question = Some(question);
        }
    }

    /// Whether this pass has asked for other frames, which the sheet does not have yet.
    pub(super) fn has_cut(&self) -> bool {
        self.cutting.is_own
    }

    /// Ends the step.
    pub(super) fn seal(&mut self) {
        let before = self.cutting.typed_from.take().map(|sheet| sheet.frames);
        self.cutting.ended_from = before.or(self.cutting.ended_from.take());
        self.actions.push(Action::Seal);
    }

    /// Takes back what was typed since the last seal, unless that was undone already.
    pub(super) fn give_up(&mut self) {
        match self.cutting.typed_from.take() {
            Some(before) if !is_cut_alike(&before, self.subject.sheet) => {
                self.cutting.is_own = true;
                self.actions.push(Action::Command(Command::Undo));
            }
            _ => self.actions.push(Action::Seal),
        }
    }
}

/// Whether the frames of two states of a sheet came about in the same way. By hand, each change is another way.
pub(super) fn is_cut_alike(one: &Sheet, other: &Sheet) -> bool {
    match (&one.recipe, &other.recipe) {
        (None, None) => Arc::ptr_eq(&one.frames, &other.frames),
        (one, other) => one == other,
    }
}

impl Cutting {
    /// Looks at what the last pass made of the sheet; whether that was our own cut.
    pub(super) fn follow(&mut self, subject: Subject<'_>) -> bool {
        let frames = &subject.sheet.frames;
        if let Some(last) = &mut self.last {
            match &last.after {
                None => {
                    let words = edit::difference(&last.before, frames).words();
                    last.after = Some((frames.clone(), words));
                }
                // Changed since, or another sheet.
                Some((after, _)) if last.sheet != *subject.path || !Arc::ptr_eq(after, frames) => {
                    self.last = None;
                    self.typed_from = None;
                }
                Some(_) => {}
            }
        }
        if self.question.as_ref().is_some_and(|question| question.sheet != *subject.path) {
            self.question = None;
        }
        std::mem::take(&mut self.is_own)
    }
}

fn mode(ui: &mut Ui, mode: &mut Reslice) {
    labelled(ui, "Existing", ROW_HEIGHT, |ui| {
        let combo = ComboBox::from_id_salt("existing frames")
            .width(ui.available_width())
            .selected_text(mode.text())
            .show_ui(ui, |ui| {
                for choice in Reslice::ALL {
                    let row = ui.selectable_label(choice == *mode, choice.text());
                    if row.on_hover_text(explanation(choice)).clicked() {
                        *mode = choice;
                    }
                }
            });
        let words = format!("What the next cut does with the frames that are there\n{}", explanation(*mode));
        combo.response.accessible_name("Existing frames").on_hover_text(words);
    });
}

const fn explanation(mode: Reslice) -> &'static str {
    match mode {
        Reslice::KeepByOverlap => "A new frame takes over the id and name of the one that it covers most",
        Reslice::KeepAndAdd => "Frames stay as they are; new ones come where they overlap none",
        Reslice::ReplaceAll => "All frames are new; references to the old ones break",
    }
}

/// The table and its buttons; the answer, once it is given.
fn table(ui: &mut Ui, question: &Question, paint: &mut Paint<'_>) -> Option<bool> {
    let Question { about, fates, is_new, .. } = question;
    let (would, show) = match about {
        About::Cut(_) => ("would change", " Scenes that show these frames would show other pixels."),
        About::Typed => ("changed", " Scenes that show these frames show other pixels now."),
        About::Last => ("", ""),
    };
    let title = match (about, fates.affected) {
        (About::Last, _) => "What became of the frames".to_owned(),
        (_, 1) => format!("1 frame in use {would}"),
        (_, count) => format!("{count} frames in use {would}"),
    };
    ui.add(Label::new(RichText::new(title).heading()).wrap().selectable(false));
    ui.add_space(INSIDE);
    weak(ui, &format!("{}.{show}", fates.words));
    ui.add_space(INSIDE);
    fates.ui(ui, paint);
    ui.add_space(AROUND);
    let buttons = match about {
        About::Cut(_) => {
            [("Cut", "Cut all the same; can be undone"), ("Cancel", "Leave the sheet as it is (Esc)")]
        }
        About::Typed => [
            ("Keep", "Keep the frames as they were typed; can be undone"),
            ("Take back", "Have the frames from before back (Esc)"),
        ],
        About::Last => [("Close", "Back to the sheet (Esc)"), ("", "")],
    };
    let ((), answer) = Sides::new().show(ui, |_| {}, |ui| answer(ui, buttons, *is_new));
    answer
}

/// Yes and no; without a name there is no second button.
fn answer(ui: &mut Ui, [yes, no]: [(&str, &str); 2], takes_keyboard: bool) -> Option<bool> {
    let primary = ui.add(widgets::primary_button(ui, yes.0));
    if takes_keyboard {
        primary.request_focus();
    }
    let is_yes = primary.on_hover_text(yes.1).clicked();
    let mut is_no = false;
    if !no.0.is_empty() {
        let button = egui::Button::new(no.0).min_size(Vec2::new(0.0, ROW_HEIGHT));
        is_no = ui.add(button).on_hover_text(no.1).clicked();
    }
    (is_yes || is_no).then_some(is_yes)
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::super::bench::{self, Bench};
    use super::*;
    use crate::geometry::Size;
    use crate::model::{FrameId, Run};

    /// 64 x 64 in cells of 16, frame 5 named.
    fn named() -> egui_kittest::Harness<'static, Bench> {
        let mut harness = bench::slicing(64, 64);
        let history = &mut harness.state_mut().document.history;
        let image = Size::new(64, 64);
        history.apply(&Edit::SetGrid(Run::of_cell(Size::new(16, 16))), image).unwrap();
        history.seal();
        history.apply(&Edit::Rename(vec![(FrameId(5), "walk".into())]), image).unwrap();
        history.seal();
        harness.run();
        harness
    }

    #[test]
    fn typing_over_frames_in_use_asks_when_it_ends_and_tells_what_became_of_them() {
        let mut harness = named();
        let before = harness.state().document.sheet().clone();
        bench::begin_typing(&mut harness, "Cell width", "32");
        assert!(harness.query_by_label("1 frame in use changed").is_none(), "it is still being typed");
        harness.key_press(egui::Key::Enter);
        harness.run();
        assert_eq!(harness.state().document.sheet().frames.len(), 4, "it is there to be seen");
        harness.get_by_label("1 frame in use changed");
        bench::click(&mut harness, "Take back");
        assert_eq!(harness.state().document.sheet(), &before);
        bench::type_into(&mut harness, "Cell width", "32");
        bench::click(&mut harness, "Keep");
        assert_eq!(harness.state().document.sheet().frames.len(), 4);
        bench::click(&mut harness, "4 moved, 12 lost");
        harness.get_by_label("What became of the frames");
        harness.get_by_label("Frame 5 walk at 16, 16 (16 × 16) is lost");
        bench::click(&mut harness, "Close");
        assert_eq!(harness.query_by_label("What became of the frames").map(drop), None);
        assert_eq!(harness.state().document.sheet().frames.len(), 4);
    }

    #[test]
    fn a_button_that_would_lose_a_named_frame_asks_first() {
        let mut harness = named();
        bench::type_into(&mut harness, "Rows", "3");
        bench::click(&mut harness, "Keep");
        let before = harness.state().document.sheet().clone();
        bench::click(&mut harness, "More");
        bench::click(&mut harness, "Add grid");
        assert_eq!(harness.state().document.sheet(), &before, "there is no room for a second one");
        harness.state_mut().document.history.undo();
        harness.run();
        bench::type_into(&mut harness, "Start cell", "3");
        bench::click(&mut harness, "Existing frames");
        bench::click(&mut harness, "Replace all");
        bench::click(&mut harness, "By columns");
        harness.get_by_label("1 frame in use would change");
        harness.get_by_label("walk");
        bench::click(&mut harness, "Cancel");
        assert_eq!(harness.state().document.sheet().recipe.as_ref().unwrap().single_run().unwrap().start, 3);
        bench::click(&mut harness, "By columns");
        bench::click(&mut harness, "Cut");
        let sheet = harness.state().document.sheet();
        assert!(sheet.frames.iter().all(|frame| frame.name.is_empty()));
    }
}
