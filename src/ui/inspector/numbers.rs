//! The selected frames: name, place and size in numbers, and the commands about them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use eframe::egui;
use egui::{TextEdit, Ui};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_CELL_MERGE, ICON_CONTENT_COPY, ICON_CROP, ICON_DELETE, ICON_EQUAL, ICON_SPLITSCREEN,
};

use super::rows::{RowRects, button_row, escapes};
use super::{labelled, part_title, place};
use crate::edit::{Edit, Reshape, Revision};
use crate::geometry::{PixelRect, Size};
use crate::model::{Frame, FrameId};
use crate::session::{Action, Command, Document, Session};
use crate::slicing::arrange;
use crate::ui::theme::{INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// Commands about frames that are nowhere else on the screen.
const COMMANDS: [(Command, MaterialIcon); 6] = [
    (Command::TrimFrames, ICON_CROP),
    (Command::SameSize, ICON_EQUAL),
    (Command::MergeFrames, ICON_CELL_MERGE),
    (Command::SplitFrame, ICON_SPLITSCREEN),
    (Command::DuplicateFrames, ICON_CONTENT_COPY),
    (Command::DeleteFrames, ICON_DELETE),
];

/// A number of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    X,
    Y,
    Width,
    Height,
}

impl Field {
    const fn name(self) -> &'static str {
        match self {
            Self::X => "X",
            Self::Y => "Y",
            Self::Width => "Width",
            Self::Height => "Height",
        }
    }

    const fn explanation(self) -> &'static str {
        match self {
            Self::X => "From the image's left edge to the frame, in image pixels",
            Self::Y => "From the image's top edge to the frame, in image pixels",
            Self::Width => "Width of the frame, in image pixels",
            Self::Height => "Height of the frame, in image pixels",
        }
    }

    const fn of(self, rect: PixelRect) -> i32 {
        match self {
            Self::X => rect.x,
            Self::Y => rect.y,
            Self::Width => rect.width,
            Self::Height => rect.height,
        }
    }

    /// The rectangle with another number, inside the image.
    fn set(self, rect: PixelRect, number: i32, image: Size) -> PixelRect {
        match self {
            Self::X => arrange::shifted_inside(PixelRect { x: number, ..rect }, image),
            Self::Y => arrange::shifted_inside(PixelRect { y: number, ..rect }, image),
            Self::Width => arrange::clipped_inside(PixelRect { width: number, ..rect }, image),
            Self::Height => arrange::clipped_inside(PixelRect { height: number, ..rect }, image),
        }
    }
}

/// What the section keeps from one pass to the next.
#[derive(Default)]
pub(super) struct FrameForm {
    sheet: Option<Arc<str>>,
    selection: Vec<FrameId>,
    /// The state before a number was typed that changed something.
    typed_from: Option<Revision>,
    /// A name that is being typed, and whose it is.
    name: Option<(FrameId, String)>,
}

impl FrameForm {
    /// Another selection ends what is being typed; a name is its frame's, whatever is selected by now.
    fn follow(&mut self, document: &Document, actions: &mut Vec<Action>) {
        let is_same_sheet = self.sheet.as_ref() == Some(&document.path);
        if is_same_sheet && self.selection == document.history.selection() {
            return;
        }
        if is_same_sheet {
            self.take_name(document, actions);
            if self.typed_from.is_some() {
                actions.push(Action::Seal);
            }
        }
        *self = Self {
            sheet: Some(document.path.clone()),
            selection: document.history.selection().to_vec(),
            ..Self::default()
        };
    }

    /// Gives the frame the name that was typed for it.
    fn take_name(&mut self, document: &Document, actions: &mut Vec<Action>) {
        let Some((id, text)) = self.name.take() else { return };
        let text = text.trim();
        if document.sheet().frame(id).is_some_and(|frame| *frame.name != *text) {
            actions.push(Action::Edit(Edit::Rename(vec![(id, text.into())])));
        }
    }

    /// Names the fields after their frames: a text that is left over in one belongs to no other frame.
    fn salt(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.sheet, &self.selection).hash(&mut hasher);
        hasher.finish()
    }
}

/// The section; nothing while no frame is selected.
pub(super) fn ui(
    ui: &mut Ui,
    form: &mut FrameForm,
    document: &Document,
    session: &Session,
    actions: &mut Vec<Action>,
) {
    form.follow(document, actions);
    let selected: Vec<(usize, &Frame)> = document.selected_frames().collect();
    let [(number, first), ..] = selected.as_slice() else { return };
    let is_single = selected.len() == 1;
    let title =
        if is_single { format!("Frame {number}") } else { widgets::count_text(selected.len(), "frame") };
    part_title(ui, &title, &format!("of {}", document.sheet().frames.len()));
    let salt = form.salt();
    if is_single {
        name(ui, form, first, salt, document, actions);
    }
    let frames: Vec<&Frame> = selected.iter().map(|(_, frame)| *frame).collect();
    let rows = [("Position", [Field::X, Field::Y]), ("Size", [Field::Width, Field::Height])];
    for (word, fields) in rows {
        let rects = RowRects::next(ui);
        rects.words(ui, word, "In image pixels; what is typed goes to all selected frames");
        for (field, rect) in fields.into_iter().zip([rects.first, rects.second]) {
            place(ui, rect, (field.name(), salt), |ui| {
                number_field(ui, form, field, &frames, document, actions);
            });
        }
    }
    ui.add_space(INSIDE);
    button_row(ui, |ui| {
        for (command, icon) in COMMANDS {
            if widgets::command_icon(ui, session, command, icon) {
                actions.push(command.into());
            }
        }
    });
}

fn name(
    ui: &mut Ui,
    form: &mut FrameForm,
    frame: &Frame,
    salt: u64,
    document: &Document,
    actions: &mut Vec<Action>,
) {
    labelled(ui, "Name", ROW_HEIGHT, |ui| {
        let mut text = match &form.name {
            Some((id, text)) if *id == frame.id => text.clone(),
            _ => frame.name.to_string(),
        };
        let field = TextEdit::singleline(&mut text)
            .id_salt(("frame name", salt))
            .desired_width(ui.available_width())
            .hint_text("none");
        let response = ui.add(field).accessible_name("Frame name");
        if response.changed() {
            form.name = Some((frame.id, text));
        }
        if response.lost_focus() {
            if escapes(ui) {
                form.name = None;
            }
            form.take_name(document, actions);
        }
        response.on_hover_text("The frame's name, for people and for exports; scenes refer to its id");
    });
}

/// A number of all frames, "mixed" while they differ.
fn number_field(
    ui: &mut Ui,
    form: &mut FrameForm,
    field: Field,
    frames: &[&Frame],
    document: &Document,
    actions: &mut Vec<Action>,
) {
    let mut numbers = frames.iter().map(|frame| field.of(frame.rect_in_image));
    let first = numbers.next().unwrap_or_default();
    let mut number = numbers.all(|number| number == first).then_some(first);
    // Any number is taken, since what is in a file may be any; what is typed is brought inside the image.
    let range = i32::MIN..=i32::MAX;
    let answer = widgets::optional_field(ui, field.name(), &mut number, ("mixed", first), range, "px");
    if answer.finished && escapes(ui) {
        let changed = form.typed_from.take().is_some_and(|before| before != document.history.revision());
        actions.push(if changed { Command::Undo.into() } else { Action::Seal });
    } else {
        if let Some(number) = number.filter(|_| answer.changed) {
            set(form, field, number, frames, document, actions);
        }
        if answer.finished {
            form.typed_from = None;
            actions.push(Action::Seal);
        }
    }
    answer.response.on_hover_text(field.explanation());
}

/// Gives all frames that number, as far as the image goes.
fn set(
    form: &mut FrameForm,
    field: Field,
    number: i32,
    frames: &[&Frame],
    document: &Document,
    actions: &mut Vec<Action>,
) {
    let mut changes = false;
    let rects = frames.iter().map(|frame| {
        let rect = field.set(frame.rect_in_image, number, document.image_size);
        changes |= rect != frame.rect_in_image || frame.unreadable;
        (frame.id, rect)
    });
    let rects = rects.collect();
    if changes {
        if form.typed_from.is_none() {
            // Whatever came before is another step.
            actions.push(Action::Seal);
            form.typed_from = Some(document.history.revision());
        }
        actions.push(Action::Edit(Edit::SetRects(Reshape::Numbers, rects)));
    }
}

#[cfg(test)]
mod tests {
    use egui::Key;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    use super::super::bench::{self, Bench, begin_typing, type_into};
    use super::*;
    use crate::model::Run;

    const IMAGE: Size = Size::new(64, 32);

    fn sliced(selected: &[u32]) -> Harness<'static, Bench> {
        let mut harness = bench::slicing(64, 32);
        let history = &mut harness.state_mut().document.history;
        history.apply(&Edit::SetGrid(Run::of_cell(Size::new(16, 16))), IMAGE).unwrap();
        history.seal();
        history.select(selected.iter().copied().map(FrameId).collect());
        harness.run();
        harness
    }

    fn rects(harness: &Harness<'_, Bench>) -> Vec<PixelRect> {
        harness.state().document.sheet().frames.iter().map(|frame| frame.rect_in_image).collect()
    }

    fn steps(harness: &Harness<'_, Bench>) -> usize {
        harness.state().document.history.steps().1
    }

    fn select(harness: &mut Harness<'_, Bench>, id: u32) {
        harness.state_mut().document.history.select(vec![FrameId(id)]);
        harness.run();
    }

    #[test]
    fn the_numbers_of_a_frame_are_typed_and_one_step() {
        let mut harness = sliced(&[1]);
        harness.get_by_label("Frame 1");
        type_into(&mut harness, "X", "12");
        type_into(&mut harness, "Height", "20");
        assert_eq!(rects(&harness)[1], PixelRect::new(12, 0, 16, 20));
        assert_eq!(steps(&harness), 3, "the grid, and one for each field");
        type_into(&mut harness, "X", "999");
        assert_eq!(rects(&harness)[1], PixelRect::new(48, 0, 16, 20), "as far as the image goes");
    }

    #[test]
    fn with_several_frames_numbers_that_differ_are_mixed_and_one_typed_goes_to_all() {
        let mut harness = sliced(&[0, 1, 6]);
        harness.get_by_label("3 frames");
        let value = |harness: &Harness<'_, Bench>, field: &str| {
            harness.get_by_label(field).accesskit_node().value().unwrap_or_default()
        };
        assert_eq!(value(&harness, "X"), "mixed");
        assert_eq!(value(&harness, "Width"), "16 px");
        // The number of the first frame too is a change for the others.
        type_into(&mut harness, "X", "0");
        let all = rects(&harness);
        assert_eq!((all[0].x, all[1].x, all[6].x, all[2].x), (0, 0, 0, 32));
        type_into(&mut harness, "Width", "8");
        assert!([0, 1, 6].iter().all(|index| rects(&harness)[*index].width == 8));
    }

    #[test]
    fn escape_gives_each_frame_its_own_number_back() {
        let mut harness = sliced(&[0, 1]);
        let before = harness.state().document.sheet().clone();
        begin_typing(&mut harness, "X", "20");
        assert_eq!(rects(&harness)[0].x, 20);
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(harness.state().document.sheet(), &before, "also the grid that they were cut by");
        // With nothing typed there is nothing to take back.
        begin_typing(&mut harness, "X", "");
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!((harness.state().document.sheet(), steps(&harness)), (&before, 1));
    }

    #[test]
    fn what_was_typed_stays_with_the_frame_it_was_typed_for() {
        let mut harness = sliced(&[1]);
        begin_typing(&mut harness, "X", "12");
        begin_typing(&mut harness, "Frame name", "walk");
        select(&mut harness, 2);
        let frames = &harness.state().document.sheet().frames;
        assert_eq!((frames[1].rect_in_image.x, &*frames[1].name), (12, "walk"));
        assert_eq!((frames[2].rect_in_image.x, &*frames[2].name), (32, ""));
        begin_typing(&mut harness, "Y", "3");
        select(&mut harness, 4);
        begin_typing(&mut harness, "Y", "5");
        assert_eq!((rects(&harness)[2].y, rects(&harness)[4].y), (3, 5));
        assert_eq!(steps(&harness), 5, "each a step of its own");
    }

    #[test]
    fn a_name_is_taken_by_enter_and_given_up_by_escape() {
        let mut harness = sliced(&[3]);
        begin_typing(&mut harness, "Frame name", "idle");
        assert_eq!(harness.state().edits(), 0, "not before it is left");
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(&*harness.state().document.sheet().frames[3].name, "idle");
        begin_typing(&mut harness, "Frame name", "run");
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(&*harness.state().document.sheet().frames[3].name, "idle");
        assert_eq!(harness.state().edits(), 1);
        assert!(harness.state().document.sheet().recipe.is_some(), "a name leaves the grid a grid");
    }

    #[test]
    fn a_frame_outside_the_image_stays_until_a_number_is_typed() {
        let mut harness = sliced(&[0]);
        let mut sheet = harness.state().document.sheet().clone();
        let mut frames = sheet.frames.to_vec();
        frames[0].rect_in_image = PixelRect::new(-657_667_686, -4, 12, 12);
        sheet.frames = frames.into();
        harness.state_mut().document.history.apply(&Edit::TakeFromDisk(sheet), IMAGE).unwrap();
        harness.run();
        assert_eq!(rects(&harness)[0].x, -657_667_686);
        assert_eq!(harness.state().edits(), 0);
        type_into(&mut harness, "X", "2");
        assert_eq!(rects(&harness)[0], PixelRect::new(2, 0, 12, 12));
    }
}
