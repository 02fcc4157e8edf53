//! The grid form: numbers that lay the grids while they are typed.

use std::sync::Arc;

use eframe::egui;
use egui::Ui;

use super::form::{Form, Pair};
use super::more::{self, Counts};
use super::pairs::{chain, linkable, pair_fields, pin, pinned};
use super::reslice::{Cause, Cutter, is_cut_alike};
use super::rows::{RowRects, escapes};
use super::runs::{self, Asked};
use super::slicing::Pixels;
use super::{leftover, weak};
use crate::geometry::Size;
use crate::model::{Grids, Leftover, Run, Sheet};
use crate::session::{Action, Lookup};
use crate::slicing::ink::InkPlanes;
use crate::ui::theme::{self, INSIDE};
use crate::ui::widgets::{self, Tone};

/// What the grid form keeps from one pass to the next.
#[derive(Default)]
pub(super) struct GridForm {
    sheet: Option<Arc<str>>,
    /// Size of its image when it was last looked at.
    image: Size,
    pub(super) form: Form,
    /// All grids; the one at `edited` is as it was before the form changed it.
    pub(super) grids: Grids,
    pub(super) edited: usize,
    /// What the sheet was when it was last looked at; another one was made elsewhere. `None` when the sheet's numbers
    /// are to be shown again.
    seen: Option<Sheet>,
    /// Whether what is typed now changed the sheet already.
    has_pushed: bool,
    /// A cut that waits for the image's pixels.
    waits: Option<Cause>,
    /// Whether the next pass gives the first field the keyboard.
    wants_keyboard: bool,
    /// Whether what is folded away is not as it is for a simple grid, and was not so a moment ago.
    pub(super) unfolds: bool,
    pub(super) counts: Option<Counts>,
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

impl GridForm {
    /// The first field takes the keyboard: what is typed next is the cell.
    pub(super) fn take_keyboard(&mut self) {
        self.wants_keyboard = true;
    }

    /// Forgets what was typed: the sheet's numbers are shown again.
    pub(super) fn forget(&mut self) {
        self.seen = None;
    }

    /// The sheet is as it is because of this form, whose numbers stay.
    pub(super) fn accept(&mut self, sheet: &Sheet) {
        if let Some(seen) = &mut self.seen {
            *seen = sheet.clone();
        }
    }

    /// Takes the sheet's numbers when they were changed elsewhere: another sheet, an undo, another program.
    pub(super) fn follow(&mut self, subject: Subject<'_>, may_link: bool) {
        let is_same_sheet = self.sheet.as_ref() == Some(subject.path);
        let is_same_image = std::mem::replace(&mut self.image, subject.image) == subject.image;
        if is_same_sheet
            && is_same_image
            && self.seen.as_ref().is_some_and(|seen| is_cut_alike(seen, subject.sheet))
        {
            return;
        }
        let grids = subject.sheet.grids();
        let grids = grids.filter(|grids| !grids.runs.is_empty());
        self.edited = if is_same_sheet { self.edited } else { 0 };
        self.edited = self.edited.min(grids.map_or(0, |grids| grids.runs.len() - 1));
        let run = grids.map(|grids| &grids.runs[self.edited]);
        self.form = Form::of(run, subject.image, may_link);
        self.grids = grids
            .cloned()
            .unwrap_or_else(|| Grids { runs: vec![Run::default()], leftover: Leftover::default() });
        self.sheet = Some(subject.path.clone());
        self.seen = Some(subject.sheet.clone());
        self.has_pushed = false;
        self.waits = None;
        self.unfolds = !more::is_default(&self.form.rest, &self.grids);
    }

    /// The grids that the numbers mean, or why there are none.
    pub(super) fn grids_as_typed(&self, image: Size) -> Result<Grids, String> {
        let mut grids = self.grids.clone();
        match grids.runs.get_mut(self.edited) {
            Some(run) => *run = self.form.run(image)?,
            None => grids.runs.push(self.form.run(image)?),
        }
        Ok(grids)
    }

    /// Lays the grids, if the numbers give any.
    pub(super) fn push(&mut self, cause: Cause, ink: Option<&InkPlanes>, cutter: &mut Cutter<'_>) {
        let Subject { sheet, image, .. } = cutter.subject;
        let Ok(grids) = self.grids_as_typed(image) else { return };
        if sheet.grids() == Some(&grids) {
            return;
        }
        let Some(laid) = runs::lay(&grids, image, ink) else {
            self.waits = Some(cause);
            return;
        };
        if runs::fault(&laid).is_none() {
            self.waits = None;
            self.has_pushed = true;
            cutter.grids(grids, laid.rects, cause);
        }
    }

    /// Ends the step; numbers that say nothing any more leave none.
    fn seal(&mut self, cutter: &mut Cutter<'_>) {
        if self.has_pushed && self.form.is_empty() {
            self.give_up(cutter);
        } else {
            cutter.seal();
        }
        self.has_pushed = false;
    }

    /// Takes back what was typed.
    pub(super) fn give_up(&mut self, cutter: &mut Cutter<'_>) {
        self.forget();
        cutter.give_up();
    }

    /// Edits another of the grids.
    fn choose(&mut self, index: usize, image: Size, may_link: bool) {
        self.edited = index;
        self.form = Form::of(self.grids.runs.get(index), image, may_link);
    }

    fn list(&mut self, ui: &mut Ui, may_link: bool, ink: Option<&InkPlanes>, cutter: &mut Cutter<'_>) {
        let image = cutter.subject.image;
        let mut shown = self.grids.clone();
        if let (Some(run), Ok(typed)) = (shown.runs.get_mut(self.edited), self.form.run(image)) {
            *run = typed;
        }
        match runs::list(ui, &shown, self.edited, image) {
            Some(Asked::Choose(index)) => {
                self.grids = shown;
                self.choose(index, image, may_link);
            }
            Some(Asked::Remove(index)) => {
                self.grids = shown;
                self.grids.runs.remove(index);
                let next = if index < self.edited { self.edited - 1 } else { self.edited };
                self.choose(next.min(self.grids.runs.len() - 1), image, may_link);
                self.push(Cause::Button, ink, cutter);
            }
            None => {}
        }
    }

    /// Adds a grid and edits that.
    pub(super) fn add(&mut self, ink: Option<&InkPlanes>, cutter: &mut Cutter<'_>) {
        let image = cutter.subject.image;
        let (Ok(grids), Ok(run)) = (self.grids_as_typed(image), self.form.run(image)) else { return };
        let further = runs::further(&grids, &run, image);
        self.grids = grids;
        self.grids.runs.push(further);
        self.choose(self.grids.runs.len() - 1, image, self.form.offset.is_linked);
        self.push(Cause::Button, ink, cutter);
    }
}

/// The section.
pub(super) fn ui(
    ui: &mut Ui,
    grid: &mut GridForm,
    may_link: bool,
    pixels: &dyn Pixels,
    cutter: &mut Cutter<'_>,
) {
    let needs_ink =
        grid.form.rest.skip_empty.is_some() || grid.grids.runs.iter().any(|run| run.skip_empty.is_some());
    let study = needs_ink.then(|| pixels.study()).flatten();
    let ink = study.as_ref().and_then(Lookup::shown);
    let ink = ink.map(|study| &*study.planes);
    if let Some(cause) = grid.waits.filter(|_| ink.is_some()) {
        grid.push(cause, ink, cutter);
    }
    let image = cutter.subject.image;
    if grid.grids.runs.len() > 1 {
        grid.list(ui, may_link, ink, cutter);
    }
    fields(ui, grid, ink, cutter);
    if grid.form.offset.x < 0 || grid.form.offset.y < 0 {
        weak(ui, "Negative offset: cells that begin before the image are left out.");
    }
    ui.add_space(INSIDE);
    match grid.grids_as_typed(image) {
        _ if grid.form.is_empty() => hint(ui, cutter.subject.sheet, grid.grids.runs.len()),
        Err(why) => drop(widgets::banner(ui, Tone::Warning, &why)),
        Ok(grids) => rest(ui, grid, &grids, ink, cutter),
    }
    more::ui(ui, grid, study.as_ref(), ink, cutter);
}

/// What is left over, and what is wrong with all grids together.
fn rest(ui: &mut Ui, grid: &mut GridForm, grids: &Grids, ink: Option<&InkPlanes>, cutter: &mut Cutter<'_>) {
    let image = cutter.subject.image;
    if grid.counts(grids, image, ink).is_some_and(|counts| counts.of(grids.leftover) == 0) {
        widgets::banner(ui, Tone::Warning, "Every cell is empty: skip only those with less alpha.");
    } else if let [run] = grids.runs.as_slice()
        && grids.leftover == Leftover::Drop
        && let Some(picked) = leftover::ui(ui, run, image)
    {
        grid.form = Form::of(Some(&picked), image, true);
        grid.push(Cause::Button, ink, cutter);
    }
}

/// What to do with a sheet that no grid describes.
fn hint(ui: &mut Ui, sheet: &Sheet, grids: usize) {
    if sheet.frames.is_empty() {
        widgets::banner(ui, Tone::Info, "Not sliced yet. Type a cell size.");
    } else if grids > 1 {
        weak(ui, "This grid has no cells yet. Type a cell size.");
    } else {
        let frames = widgets::count_text(sheet.frames.len(), "frame");
        let how = if sheet.recipe.is_some() { "by ink" } else { "by hand" };
        weak(ui, &format!("{frames}, cut {how}. A cell size typed here replaces them."));
    }
}

fn fields(ui: &mut Ui, grid: &mut GridForm, ink: Option<&InkPlanes>, cutter: &mut Cutter<'_>) {
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
            cutter.actions.push(Action::RememberGridAxes { parted: !numbers.is_linked });
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
    if finished && escapes(ui) {
        grid.give_up(cutter);
        return;
    }
    if let Some(pair) = changed {
        grid.form.changed(pair, cutter.subject.image);
        grid.push(Cause::Typed, ink, cutter);
    }
    if finished {
        grid.seal(cutter);
    }
}

#[cfg(test)]
mod tests {
    use egui::Key;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::super::bench::{self, Bench, run_of, type_into};
    use super::*;
    use crate::geometry::Offset;

    fn bench(width: u32, height: u32) -> Harness<'static, Bench> {
        bench::slicing(width, height)
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
        harness.state_mut().slicing.take_keyboard();
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
        assert_eq!(harness.state().slicing.grid().form.cell.x, 99);
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
        harness.get_by_label_contains("4 px right left over");
        assert_eq!(harness.state().document.sheet().frames.len(), 6);
        type_into(&mut harness, "Spacing x", "2");
        assert_eq!(run_of(&harness).unwrap().cell, Size::new(15, 16));
    }
}
