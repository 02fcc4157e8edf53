//! What a simple grid does without, folded away: the order of the cells, pixels left over, empty cells, a run of
//! frames, further grids.

use eframe::egui;
use egui::{Button, Checkbox, CollapsingHeader, RichText, Ui, Vec2};
use egui_material_icons::icons::ICON_ADD;

use super::grid::GridForm;
use super::pairs::MOST;
use super::reslice::{Cause, Cutter};
use super::rows::{Answer, Choice, RowRects, escapes, segments};
use super::runs::{self, row_words};
use super::{labelled, place, weak};
use crate::geometry::Size;
use crate::model::{Grids, Leftover, Order, Run};
use crate::session::{Lookup, Study};
use crate::slicing::grid;
use crate::slicing::ink::InkPlanes;
use crate::ui::theme::{self, INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// How many frames the grids give, with the pixels that are left over and without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counts {
    grids: Grids,
    image: Size,
    /// Which pixels were looked at.
    pixels: Option<usize>,
    drop: usize,
    clip: usize,
    skipped: usize,
}

impl Counts {
    /// The number of frames.
    pub(super) fn of(&self, leftover: Leftover) -> usize {
        match leftover {
            Leftover::Drop => self.drop,
            Leftover::Clip => self.clip,
        }
    }
}

impl GridForm {
    /// The counts of these grids; `None` while they need pixels that are not there.
    pub(super) fn counts(&mut self, grids: &Grids, image: Size, ink: Option<&InkPlanes>) -> Option<&Counts> {
        let pixels = ink.map(|planes| std::ptr::from_ref(planes).addr());
        let is_known = |it: &Counts| it.grids == *grids && it.image == image && it.pixels == pixels;
        if !self.counts.as_ref().is_some_and(is_known) {
            let lay = |leftover| runs::lay(&Grids { leftover, ..grids.clone() }, image, ink);
            let (drop, clip) = (lay(Leftover::Drop)?, lay(Leftover::Clip)?);
            let skipped =
                if grids.leftover == Leftover::Drop { drop.skipped.len() } else { clip.skipped.len() };
            let (drop, clip) = (drop.rects.len(), clip.rects.len());
            self.counts = Some(Counts { grids: grids.clone(), image, pixels, drop, clip, skipped });
        }
        self.counts.as_ref()
    }
}

/// Whether nothing that is folded away says anything.
pub(super) fn is_default(run: &Run, grids: &Grids) -> bool {
    let Run { order, start, count, skip_empty, .. } = run;
    *order == Order::default()
        && *start == 0
        && count.is_none()
        && skip_empty.is_none()
        && grids.leftover == Leftover::default()
        && grids.runs.len() < 2
}

/// The part of the form that is folded away.
pub(super) fn ui(
    ui: &mut Ui,
    grid: &mut GridForm,
    study: Option<&Lookup<Study>>,
    ink: Option<&InkPlanes>,
    cutter: &mut Cutter<'_>,
) {
    let unfolds = std::mem::take(&mut grid.unfolds);
    let title = RichText::new("More").small().strong().color(theme::palette(ui).weak_text);
    let header = CollapsingHeader::new(title).id_salt("more of the grid").open(unfolds.then_some(true));
    let shown = header.show_unindented(ui, |ui| {
        let image = cutter.subject.image;
        let grids = grid.grids_as_typed(image).ok().filter(|_| !grid.form.is_empty());
        let counts = grids.as_ref().and_then(|grids| grid.counts(grids, image, ink)).cloned();
        let mut is_cut = order(ui, &mut grid.form.rest.order);
        is_cut |= leftover(ui, &mut grid.grids.leftover, counts.as_ref());
        let skipped = counts.as_ref().map(|counts| counts.skipped);
        let empty = skip_empty(ui, &mut grid.form.rest.skip_empty, study, skipped);
        is_cut |= empty.is_cut;
        let mut typed = empty.answer;
        let (columns, rows) = grid::columns_and_rows(&grid.form.typed_run(), image);
        let cells = u64::from(columns) * u64::from(rows);
        typed.add(run_of_frames(ui, &mut grid.form.rest, i32::try_from(cells).unwrap_or(MOST).min(MOST)));
        if grid.grids.runs.len() > 1 && runs::name_field(ui, &mut grid.form.rest.name) {
            (is_cut, typed.finished) = if escapes(ui) { (is_cut, true) } else { (true, typed.finished) };
        }
        if typed.finished && escapes(ui) {
            grid.give_up(cutter);
            return;
        }
        if typed.changed {
            grid.push(Cause::Typed, ink, cutter);
        }
        if typed.finished {
            cutter.seal();
        }
        if is_cut {
            grid.push(Cause::Button, ink, cutter);
        }
        add_button(ui, grid, grids.is_some(), ink, cutter);
    });
    shown
        .header_response
        .on_hover_text("Order, pixels left over, empty cells, a run of frames, further grids");
}

fn order(ui: &mut Ui, order: &mut Order) -> bool {
    let choices = [
        Choice::new(Order::Rows, "By rows", "Left to right, then down"),
        Choice::new(Order::Columns, "By columns", "Top to bottom, then right"),
        Choice::new(Order::Serpentine, "Serpentine", "Left to right, then back on the next row"),
    ];
    choose(ui, "Order", order, &choices)
}

fn leftover(ui: &mut Ui, leftover: &mut Leftover, counts: Option<&Counts>) -> bool {
    let text = |word: &str, kind| match counts {
        Some(counts) => format!("{word} {}", counts.of(kind)),
        None => word.to_owned(),
    };
    let drop = text("Drop", Leftover::Drop);
    let clip = text("Clip", Leftover::Clip);
    let choices = [
        Choice::new(Leftover::Drop, drop, "Pixels that fill no whole cell belong to no frame"),
        Choice::new(Leftover::Clip, clip, "Pixels that fill no whole cell become smaller frames"),
    ];
    choose(ui, "Leftover", leftover, &choices)
}

/// A row with a choice; whether another one was picked.
fn choose<T: Copy + PartialEq>(ui: &mut Ui, word: &str, value: &mut T, choices: &[Choice<T>]) -> bool {
    let mut picked = None;
    labelled(ui, word, ROW_HEIGHT, |ui| picked = segments(ui, *value, choices));
    if let Some(picked) = picked {
        *value = picked;
    }
    picked.is_some()
}

/// What the row about empty cells was asked for.
#[derive(Default)]
struct Empty {
    answer: Answer,
    /// Whether it was switched on or off.
    is_cut: bool,
}

fn skip_empty(
    ui: &mut Ui,
    skip: &mut Option<u8>,
    study: Option<&Lookup<Study>>,
    skipped: Option<usize>,
) -> Empty {
    let mut asked = Empty::default();
    let weak_text = theme::palette(ui).weak_text;
    labelled(ui, "Empty", ROW_HEIGHT, |ui| {
        let mut is_on = skip.is_some();
        let switch = ui.add(Checkbox::new(&mut is_on, "Skip")).accessible_name("Skip empty cells");
        if switch.on_hover_text("Cells without ink are no frames").clicked() {
            *skip = is_on.then_some(0);
            asked.is_cut = true;
        }
        let Some(alpha) = skip else { return };
        ui.spacing_mut().interact_size = Vec2::new(64.0, ROW_HEIGHT);
        let field = widgets::number_field(ui, "Empty up to alpha", alpha, 0..=254, "alpha");
        asked.answer = Answer { changed: field.changed, finished: field.finished };
        field.response.on_hover_text("Pixels with this alpha or less are no ink");
        let words = match (study, skipped) {
            (Some(Lookup::Failed(..)), _) => "Not readable".to_owned(),
            (_, Some(skipped)) => format!("{skipped} skipped"),
            (_, None) => String::new(),
        };
        row_words(ui, &words, weak_text);
    });
    asked
}

/// Start and count in a grid of so many cells, and what they give when that is not what was asked for.
fn run_of_frames(ui: &mut Ui, run: &mut Run, cells: i32) -> Answer {
    const START: &str = "Cells passed by before the first frame, counted from 0 in their order";
    const COUNT: &str = "Frames of the run, which goes on in the next row; 0 takes all";
    let rects = RowRects::next(ui);
    rects.words(ui, "Run", "A run of cells: where it starts and how many frames it has");
    let mut answer = Answer::default();
    let mut start = i32::try_from(run.start).unwrap_or(MOST);
    let field = place(ui, rects.first, "start", |ui| {
        widgets::number_field(ui, "Start cell", &mut start, 0..=MOST, "")
    });
    if field.changed {
        run.start = start.max(0) as u32;
    }
    answer.add(Answer { changed: field.changed, finished: field.finished });
    field.response.on_hover_text(START);
    let mut count = run.count.map(|count| i32::try_from(count).unwrap_or(MOST));
    let left = (cells - start).max(0);
    let field = place(ui, rects.second, "count", |ui| {
        widgets::optional_field(ui, "Cell count", &mut count, ("all", left.min(MOST - 1)), 0..=MOST, "")
    });
    if field.changed {
        run.count = count.and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0);
    }
    answer.add(Answer { changed: field.changed, finished: field.finished });
    field.response.on_hover_text(COUNT);
    if let Some(count) = run.count.filter(|count| left > 0 && i64::from(*count) > i64::from(left)) {
        weak(ui, &format!("{left} of {count} frames: the grid has {cells} cells."));
    }
    answer
}

fn add_button(
    ui: &mut Ui,
    grid: &mut GridForm,
    has_cells: bool,
    ink: Option<&InkPlanes>,
    cutter: &mut Cutter<'_>,
) {
    ui.add_space(INSIDE);
    let button = Button::new((widgets::icon_text(ICON_ADD), "Add grid")).min_size(Vec2::new(0.0, ROW_HEIGHT));
    let response = ui
        .add_enabled(has_cells, button)
        .accessible_name("Add grid")
        .on_hover_text("Lay a further grid over the image, below the others; its frames come behind theirs")
        .on_disabled_hover_text("First give this grid its cells");
    if response.clicked() {
        grid.add(ink, cutter);
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::super::bench::{self, click, run_of, type_into};
    use super::*;
    use crate::geometry::PixelRect;
    use crate::model::Recipe;

    #[test]
    fn what_is_left_over_is_counted_both_ways_before_it_is_chosen() {
        let mut harness = bench::slicing(72, 40);
        type_into(&mut harness, "Cell width", "32");
        click(&mut harness, "More");
        harness.get_by_label("Drop 2");
        click(&mut harness, "Clip 6");
        let sheet = harness.state().document.sheet();
        assert_eq!(sheet.frames.len(), 6);
        assert_eq!(sheet.frames[5].rect_in_image, PixelRect::new(64, 32, 8, 8));
        assert!(harness.query_by_label_contains("left over").is_none());
        harness.state_mut().document.history.undo();
        harness.run();
        assert_eq!(harness.state().document.sheet().frames.len(), 2, "the choice was a step of its own");
    }

    #[test]
    fn the_order_keeps_ids_with_their_pictures() {
        let mut harness = bench::slicing(32, 32);
        type_into(&mut harness, "Cell width", "16");
        click(&mut harness, "More");
        click(&mut harness, "By columns");
        let ids: Vec<u32> = harness.state().document.sheet().frames.iter().map(|frame| frame.id.0).collect();
        assert_eq!(ids, [0, 2, 1, 3]);
        assert_eq!(run_of(&harness).unwrap().order, Order::Columns);
    }

    #[test]
    fn a_run_of_frames_starts_at_its_cell_and_wraps() {
        let mut harness = bench::slicing(200, 80);
        type_into(&mut harness, "Cell width", "40");
        click(&mut harness, "More");
        type_into(&mut harness, "Start cell", "3");
        type_into(&mut harness, "Cell count", "4");
        let sheet = harness.state().document.sheet();
        let corners: Vec<_> =
            sheet.frames.iter().map(|it| (it.rect_in_image.x, it.rect_in_image.y)).collect();
        assert_eq!(corners, [(120, 0), (160, 0), (0, 40), (40, 40)]);
        type_into(&mut harness, "Cell count", "9");
        harness.get_by_label("7 of 9 frames: the grid has 10 cells.");
        type_into(&mut harness, "Cell count", "0");
        assert_eq!(run_of(&harness).unwrap().count, None);
    }

    #[test]
    fn empty_cells_are_skipped_and_counted() {
        // A dot in the first of four cells.
        let mut harness = bench::slicing_of(8, 8, &[(1, 1)]);
        type_into(&mut harness, "Cell width", "4");
        click(&mut harness, "More");
        click(&mut harness, "Skip empty cells");
        harness.get_by_label("3 skipped");
        assert_eq!(harness.state().document.sheet().frames.len(), 1);
        assert_eq!(run_of(&harness).unwrap().skip_empty, Some(0));
    }

    #[test]
    fn a_second_grid_is_laid_below_and_has_numbers_of_its_own() {
        let mut harness = bench::slicing(64, 64);
        type_into(&mut harness, "Cell width", "32");
        type_into(&mut harness, "Rows", "1");
        type_into(&mut harness, "Cell height", "32");
        click(&mut harness, "More");
        // A cell typed again takes all rows.
        type_into(&mut harness, "Cell count", "2");
        assert_eq!(harness.state().document.sheet().frames.len(), 2);
        harness.state_mut().document.history.seal();
        click(&mut harness, "Add grid");
        let grids = |harness: &egui_kittest::Harness<'_, bench::Bench>| {
            let recipe = harness.state().document.sheet().recipe.clone().unwrap();
            Recipe::grids(&recipe).unwrap().clone()
        };
        assert_eq!(grids(&harness).runs.len(), 2);
        type_into(&mut harness, "Cell width", "16");
        let found = grids(&harness);
        assert_eq!(found.runs[0].cell, Size::new(32, 32));
        assert_eq!(found.runs[1].cell, Size::new(16, 16));
        click(&mut harness, "Grid 1");
        type_into(&mut harness, "Cell width", "8");
        assert_eq!(grids(&harness).runs[0].cell, Size::new(8, 8));
        click(&mut harness, "Remove grid 1");
        assert_eq!(run_of(&harness).unwrap().cell, Size::new(16, 16));
    }
}
