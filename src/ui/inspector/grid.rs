//! The grid form: numbers that lay the grid while they are typed, what is left over, and grids that leave nothing.

use std::sync::Arc;

use eframe::egui;
use egui::{Button, Label, Rect, RichText, Ui, Vec2};
use egui_material_icons::icons::{ICON_KEEP, ICON_LINK, ICON_LINK_OFF};

use super::form::{Form, Numbers, Pair, Stays};
use super::{part_title, place, weak};
use crate::edit::Edit;
use crate::geometry::Size;
use crate::model::{Run, Sheet};
use crate::session::{Action, Command};
use crate::slicing::grid::{self, LeftoverPixels};
use crate::slicing::suggest::{self, Suggestion};
use crate::ui::theme::{self, ICON_SIZE, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, NumberResponse, Tone};

/// Width of the words before the fields.
const LABEL_WIDTH: f32 = 56.0;
/// More than an image can have, so that what was typed stays to be read beside the reason why it cannot be.
const MOST: i32 = 99_999;

/// What the grid form keeps from one pass to the next.
#[derive(Default)]
pub(super) struct GridForm {
    sheet: Option<Arc<str>>,
    form: Form,
    /// The grid of the sheet when it was last looked at; another one was made elsewhere.
    seen: Option<Run>,
    /// Whether what is typed now changed the sheet already.
    has_pushed: bool,
    /// Whether the next pass gives the first field the keyboard.
    wants_keyboard: bool,
}

/// The sheet that is edited.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    /// Its path.
    pub(super) path: &'a Arc<str>,
    /// The sheet.
    pub(super) sheet: &'a Sheet,
    /// Size of its image.
    pub(super) image: Size,
}

impl Subject<'_> {
    fn run(&self) -> Option<&Run> {
        self.sheet.recipe.as_ref()?.single_run()
    }
}

impl GridForm {
    /// The first field takes the keyboard: what is typed next is the cell.
    pub(super) fn take_keyboard(&mut self) {
        self.wants_keyboard = true;
    }

    /// Takes the sheet's numbers when they were changed elsewhere: another sheet, an undo, another program.
    fn follow(&mut self, subject: Subject<'_>, may_link: bool) {
        let Self { sheet, form, seen, has_pushed, .. } = self;
        let run = subject.run();
        if sheet.as_ref() != Some(subject.path) || seen.as_ref() != run {
            *sheet = Some(subject.path.clone());
            *form = Form::of(run, subject.image, may_link);
            *seen = run.cloned();
            *has_pushed = false;
        }
    }

    /// Lays the grid, if the numbers give one.
    fn push(&mut self, image: Size, actions: &mut Vec<Action>) {
        if let Ok(run) = self.form.run(image)
            && self.seen.as_ref() != Some(&run)
        {
            self.seen = Some(run.clone());
            self.has_pushed = true;
            actions.push(Action::Edit(Edit::SetGrid(run)));
        }
    }

    /// Ends the step. An edit that was given up on a sheet without a grid leaves none.
    fn seal(&mut self, actions: &mut Vec<Action>) {
        let gave_up = self.has_pushed && self.form.is_empty();
        actions.push(if gave_up { Action::Command(Command::Undo) } else { Action::Seal });
        self.has_pushed = false;
    }
}

/// The section.
pub(super) fn ui(
    ui: &mut Ui,
    grid: &mut GridForm,
    subject: Subject<'_>,
    may_link: bool,
    actions: &mut Vec<Action>,
) {
    grid.follow(subject, may_link);
    let frames = subject.sheet.frames.len();
    part_title(ui, "Grid", &if frames > 0 { widgets::count_text(frames, "frame") } else { String::new() });
    fields(ui, grid, subject.image, actions);
    ui.add_space(INSIDE);
    match grid.form.run(subject.image) {
        _ if grid.form.is_empty() => hint(ui, subject.sheet),
        Err(why) => drop(widgets::banner(ui, Tone::Warning, &why)),
        Ok(run) => leftover(ui, grid, &run, subject.image, actions),
    }
}

/// What to do with a sheet that no single grid describes.
fn hint(ui: &mut Ui, sheet: &Sheet) {
    let frames = sheet.frames.len();
    let runs = sheet.recipe.as_ref().and_then(|recipe| recipe.grids()).map_or(0, |grids| grids.runs.len());
    if frames == 0 {
        widgets::banner(ui, Tone::Info, "Not sliced yet. Type a cell size.");
    } else if runs > 1 {
        weak(ui, &format!("{runs} grids, {frames} frames. A cell size typed here replaces them."));
    } else {
        let frames = widgets::count_text(frames, "frame");
        weak(ui, &format!("Atlas of {frames}, cut by hand. A cell size typed here replaces it."));
    }
}

/// Where the parts of a row are.
struct RowRects {
    label: Rect,
    first: Rect,
    link: Rect,
    second: Rect,
    pin: Rect,
}

impl RowRects {
    fn next(ui: &mut Ui) -> Self {
        let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), ROW_HEIGHT));
        let field = ((row.width() - LABEL_WIDTH - ROW_HEIGHT - ICON_SIZE - 4.0 * INSIDE) / 2.0).max(40.0);
        let mut x = row.left();
        let mut take = |width: f32| {
            let rect = Rect::from_min_size(egui::pos2(x, row.top()), Vec2::new(width, ROW_HEIGHT));
            x += width + INSIDE;
            rect
        };
        Self {
            label: take(LABEL_WIDTH),
            first: take(field),
            link: take(ROW_HEIGHT),
            second: take(field),
            pin: take(ICON_SIZE),
        }
    }
}

fn fields(ui: &mut Ui, grid: &mut GridForm, image: Size, actions: &mut Vec<Action>) {
    let takes_keyboard = std::mem::take(&mut grid.wants_keyboard);
    let rows = [Pair::Cell, Pair::Offset, Pair::Spacing, Pair::Count].map(|pair| (pair, RowRects::next(ui)));
    let mut changed = None;
    let mut finished = false;
    for (pair, rects) in &rows {
        let is_first = takes_keyboard && *pair == Pair::Cell;
        for answer in pair_fields(ui, *pair, &mut grid.form, rects, is_first).into_iter().flatten() {
            changed = if answer.changed { Some(*pair) } else { changed };
            finished |= answer.finished;
        }
        if pinned(*pair) == Some(grid.form.stays) && !grid.form.is_empty() {
            pin(ui, rects.pin, grid.form.stays);
        }
    }
    // The chains come after all the fields, so that Tab goes from number to number.
    for (pair, rects) in &rows {
        if let Some(numbers) = linkable(&mut grid.form, *pair)
            && chain(ui, rects.link, *pair, numbers)
        {
            changed = Some(*pair);
            finished = true;
            actions.push(Action::RememberGridAxes { parted: !numbers.is_linked });
        } else if *pair == Pair::Count {
            ui.painter().text(
                rects.link.center(),
                egui::Align2::CENTER_CENTER,
                "x",
                egui::TextStyle::Body.resolve(ui.style()),
                theme::palette(ui).weak_text,
            );
        }
    }
    if let Some(pair) = changed {
        grid.form.changed(pair, image);
        grid.push(image, actions);
    }
    if finished {
        grid.seal(actions);
    }
}

/// Names of a pair: of the row, and of its fields.
const fn names(pair: Pair) -> (&'static str, [&'static str; 2]) {
    match pair {
        Pair::Cell => ("Cell", ["Cell width", "Cell height"]),
        Pair::Offset => ("Offset", ["Offset x", "Offset y"]),
        Pair::Spacing => ("Spacing", ["Spacing x", "Spacing y"]),
        Pair::Count => ("Count", ["Columns", "Rows"]),
    }
}

const fn explanation(pair: Pair) -> &'static str {
    match pair {
        Pair::Cell => "Width and height of a frame",
        Pair::Offset => "From the image's left and top edge to the first cell",
        Pair::Spacing => "Between one cell and the next",
        Pair::Count => "Columns and rows",
    }
}

const fn pinned(pair: Pair) -> Option<Stays> {
    match pair {
        Pair::Cell => Some(Stays::Size),
        Pair::Count => Some(Stays::Count),
        Pair::Offset | Pair::Spacing => None,
    }
}

fn numbers(form: &mut Form, pair: Pair) -> &mut Numbers {
    match pair {
        Pair::Cell => &mut form.cell,
        Pair::Offset => &mut form.offset,
        Pair::Spacing => &mut form.spacing,
        Pair::Count => &mut form.count,
    }
}

fn linkable(form: &mut Form, pair: Pair) -> Option<&mut Numbers> {
    (pair != Pair::Count).then(|| numbers(form, pair))
}

fn pair_fields(
    ui: &mut Ui,
    pair: Pair,
    form: &mut Form,
    rects: &RowRects,
    takes_keyboard: bool,
) -> [Option<NumberResponse>; 2] {
    let (row, [first, second]) = names(pair);
    let label = Label::new(RichText::new(row).color(theme::palette(ui).weak_text)).selectable(false);
    place(ui, rects.label, row, |ui| {
        ui.add(label).on_hover_text(explanation(pair));
    });
    let Numbers { x, y, is_linked } = numbers(form, pair);
    let (least, unit) = match pair {
        Pair::Cell => (0, "px"),
        Pair::Count => (0, ""),
        Pair::Offset | Pair::Spacing => (-MOST, "px"),
    };
    let range = least..=MOST;
    let x = place(ui, rects.first, first, |ui| {
        if takes_keyboard {
            // Asked for before the field is drawn, so that it begins with all of its text selected.
            let id = ui.next_auto_id();
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        widgets::number_field(ui, first, x, range.clone(), unit)
    });
    if *is_linked {
        linked_field(ui, rects.second, second, *y, unit);
        return [Some(x), None];
    }
    let y = place(ui, rects.second, second, |ui| widgets::number_field(ui, second, y, range, unit));
    [Some(x), Some(y)]
}

/// The number that follows the one before it; Tab passes it by.
fn linked_field(ui: &mut Ui, rect: Rect, name: &str, number: i32, unit: &str) {
    place(ui, rect, name, |ui| {
        let text = (RichText::new(number.to_string()).monospace(), format!(" {unit}"));
        let button = Button::new(text).gap(0.0).min_size(rect.size()).truncate();
        ui.add_enabled(false, button)
            .accessible_name(name)
            .on_disabled_hover_text(format!("{name} follows the number before it. The chain parts them"));
    });
}

/// The chain between two numbers; whether it was clicked.
fn chain(ui: &mut Ui, rect: Rect, pair: Pair, numbers: &mut Numbers) -> bool {
    let (row, _) = names(pair);
    let (icon, verb) = if numbers.is_linked { (ICON_LINK, "Part") } else { (ICON_LINK_OFF, "Link") };
    let name = format!("{verb} {} x and y", row.to_lowercase());
    let is_clicked =
        place(ui, rect, (row, "chain"), |ui| widgets::icon_button(ui, icon, &name, "").clicked());
    if is_clicked {
        numbers.toggle_link();
    }
    is_clicked
}

/// Says which of size and count stays when the other numbers change.
fn pin(ui: &mut Ui, rect: Rect, stays: Stays) {
    let text = match stays {
        Stays::Size => "Edited last: the cell's size stays and the count follows",
        Stays::Count => "Edited last: the count stays and the cell's size follows",
    };
    let icon = widgets::icon_text(ICON_KEEP).size(14.0).color(theme::palette(ui).weak_text);
    place(ui, rect, "pin", |ui| ui.add(Label::new(icon).selectable(false)).on_hover_text(text));
}

/// Pixels that belong to no cell, and the nearest grids that leave none.
fn leftover(ui: &mut Ui, grid: &mut GridForm, run: &Run, image: Size, actions: &mut Vec<Action>) {
    let rest = grid::leftover(run, image);
    if rest.is_none() {
        return;
    }
    if grid::closing_margin(run, image) {
        weak(ui, &closing_words(rest));
        return;
    }
    widgets::banner(ui, Tone::Warning, &leftover_words(rest));
    let suggestions = suggest::suggest(run, image);
    if suggestions.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(INSIDE);
        for suggestion in &suggestions {
            if suggestion_button(ui, run, suggestion) {
                grid.form = Form::of(Some(&suggestion.run), image, true);
                grid.push(image, actions);
                actions.push(Action::Seal);
            }
        }
    });
}

fn suggestion_button(ui: &mut Ui, typed: &Run, suggestion: &Suggestion) -> bool {
    let Suggestion { run, columns, rows } = suggestion;
    let count = u64::from(*columns) * u64::from(*rows);
    let button = Button::new(suggestion_words(typed, run)).min_size(Vec2::new(0.0, ROW_HEIGHT));
    ui.add(button).on_hover_text(format!("{columns} x {rows} = {count} frames, nothing left over")).clicked()
}

/// "8 px right, 6 px bottom left over".
fn leftover_words(LeftoverPixels { right, bottom }: LeftoverPixels) -> String {
    match (right, bottom) {
        (right, 0) => format!("{right} px right left over"),
        (0, bottom) => format!("{bottom} px bottom left over"),
        (right, bottom) => format!("{right} px right, {bottom} px bottom left over"),
    }
}

/// What is left over is the margin that the offset has on the other side.
fn closing_words(LeftoverPixels { right, bottom }: LeftoverPixels) -> String {
    if right == bottom {
        format!("{right} px left over right and bottom, same as the offset")
    } else {
        format!("{}, same as the offset", leftover_words(LeftoverPixels { right, bottom }))
    }
}

/// The cell, and what else is not as typed: "32 x 32 + spacing 1".
fn suggestion_words(typed: &Run, run: &Run) -> String {
    let pair = |x: i32, y: i32| if x == y { x.to_string() } else { format!("{x}, {y}") };
    let mut words = vec![run.cell.to_string()];
    if run.spacing != typed.spacing {
        words.push(format!("spacing {}", pair(run.spacing.x, run.spacing.y)));
    }
    if run.offset != typed.offset {
        words.push(format!("offset {}", pair(run.offset.x, run.offset.y)));
    }
    words.join(" + ")
}

#[cfg(test)]
mod tests {
    use egui::{Key, Modifiers};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::geometry::Offset;
    use crate::session::Document;
    use crate::session::document::SheetOnDisk;

    /// A document, its form, and what the form asked for.
    struct Bench {
        document: Document,
        grid: GridForm,
        asked: Vec<Action>,
        is_dressed: bool,
    }

    /// Carries out what the form asks for, as the session does.
    fn perform(document: &mut Document, action: &Action) {
        match action {
            Action::Edit(edit) => document.history.apply(edit, document.image_size).unwrap(),
            Action::Seal => document.history.seal(),
            Action::Command(Command::Undo) => drop(document.history.undo()),
            Action::RememberGridAxes { .. } => {}
            other => panic!("{other:?}"),
        }
    }

    fn show(ui: &mut Ui, bench: &mut Bench) {
        if !std::mem::replace(&mut bench.is_dressed, true) {
            theme::install(ui);
            return;
        }
        let mut actions = Vec::new();
        let Bench { document, grid, .. } = bench;
        let subject =
            Subject { path: &document.path, sheet: document.history.sheet(), image: document.image_size };
        super::ui(ui, grid, subject, true, &mut actions);
        for action in &actions {
            perform(document, action);
        }
        bench.asked.append(&mut actions);
    }

    fn bench(width: u32, height: u32) -> Harness<'static, Bench> {
        let mut document = Document::loading("a.png".into(), None);
        let image_size = Size::new(width, height);
        document.take_first(SheetOnDisk {
            sheet: Sheet::default(),
            image_size,
            guid: None,
            sidecar_hash: None,
            problems: Vec::new(),
        });
        let bench = Bench { document, grid: GridForm::default(), asked: Vec::new(), is_dressed: false };
        let mut harness = Harness::builder().with_size(Vec2::new(272.0, 320.0)).build_ui_state(show, bench);
        harness.run();
        harness
    }

    fn type_into(harness: &mut Harness<'_, Bench>, field: &str, text: &str) {
        harness.get_by_label(field).click();
        harness.run();
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.run();
        for letter in text.chars() {
            harness.get_by_label(field).type_text(&letter.to_string());
            harness.run();
        }
        harness.key_press(Key::Enter);
        harness.run();
    }

    fn run_of(harness: &Harness<'_, Bench>) -> Option<Run> {
        harness.state().document.sheet().recipe.as_ref()?.single_run().cloned()
    }

    #[test]
    fn the_grid_is_laid_with_each_digit_and_is_one_step() {
        let mut harness = bench(265, 199);
        type_into(&mut harness, "Cell width", "32");
        let edits = harness.state().asked.iter().filter(|action| matches!(action, Action::Edit(_))).count();
        assert_eq!(edits, 2, "one for 3 and one for 32");
        assert_eq!(run_of(&harness), Some(Run::of_cell(Size::new(32, 32))));
        harness.state_mut().document.history.undo();
        harness.run();
        assert_eq!(run_of(&harness), None);
        harness.get_by_label_contains("Not sliced yet");
    }

    #[test]
    fn tab_goes_from_cell_to_offset_to_spacing_while_they_are_linked() {
        let mut harness = bench(265, 199);
        harness.state_mut().grid.take_keyboard();
        harness.run();
        for text in ["32", "1", "1"] {
            harness.event(egui::Event::Text(text.to_owned()));
            harness.run();
            harness.key_press(Key::Tab);
            harness.run();
        }
        let run = run_of(&harness).unwrap();
        assert_eq!(run.cell, Size::new(32, 32));
        assert_eq!((run.offset, run.spacing), (Offset::new(1, 1), Offset::new(1, 1)));
        harness.get_by_label("1 px left over right and bottom, same as the offset");
        assert_eq!(harness.state().document.sheet().frames.len(), 48);
    }

    #[test]
    fn a_clicked_chain_parts_the_numbers() {
        let mut harness = bench(64, 64);
        type_into(&mut harness, "Cell width", "8");
        harness.get_by_label("Part spacing x and y").click();
        harness.run();
        type_into(&mut harness, "Spacing y", "2");
        assert_eq!(run_of(&harness).unwrap().spacing, Offset::new(0, 2));
    }

    #[test]
    fn an_impossible_cell_says_why_and_asks_for_nothing() {
        let mut harness = bench(64, 64);
        type_into(&mut harness, "Cell width", "99");
        harness.get_by_label_contains("wider than the image: 99 of 64 px");
        // 9 is laid, 99 is not, and the field still has it.
        assert_eq!(run_of(&harness).unwrap().cell, Size::new(9, 9));
        assert_eq!(harness.state().grid.form.cell.x, 99);
    }

    #[test]
    fn pixels_left_over_are_told_and_the_likely_grid_is_one_click() {
        let mut harness = bench(265, 199);
        type_into(&mut harness, "Cell width", "32");
        type_into(&mut harness, "Offset x", "1");
        harness.get_by_label_contains("8 px right, 6 px bottom left over");
        harness.get_by_label("32 x 32 + spacing 1").click();
        harness.run();
        assert_eq!(run_of(&harness).unwrap().spacing, Offset::new(1, 1));
        assert!(harness.query_by_label_contains("bottom left over").is_none());
    }

    #[test]
    fn escape_on_an_unsliced_sheet_leaves_it_unsliced() {
        let mut harness = bench(64, 64);
        harness.get_by_label("Cell width").click();
        harness.run();
        harness.event(egui::Event::Text("16".to_owned()));
        harness.run();
        assert!(run_of(&harness).is_some());
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(run_of(&harness), None);
        assert!(!harness.state().document.is_dirty());
    }

    #[test]
    fn columns_that_are_typed_stay_when_the_spacing_changes() {
        let mut harness = bench(100, 16);
        type_into(&mut harness, "Columns", "6");
        assert_eq!(run_of(&harness).unwrap().cell, Size::new(16, 16));
        type_into(&mut harness, "Spacing x", "2");
        assert_eq!(run_of(&harness).unwrap().cell, Size::new(15, 16));
    }

    #[test]
    fn the_first_suggestion_puts_the_offset_between_the_cells() {
        let typed = Run { offset: Offset::new(1, 1), ..Run::of_cell(Size::new(32, 32)) };
        let first = &suggest::suggest(&typed, Size::new(265, 199))[0];
        assert_eq!(suggestion_words(&typed, &first.run), "32 x 32 + spacing 1");
    }

    #[test]
    fn leftover_pixels_are_told_for_the_sides_that_have_them() {
        assert_eq!(leftover_words(LeftoverPixels { right: 4, bottom: 0 }), "4 px right left over");
        assert_eq!(
            closing_words(LeftoverPixels { right: 11, bottom: 2 }),
            "11 px right, 2 px bottom left over, same as the offset"
        );
    }
}
