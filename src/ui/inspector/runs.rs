//! The grids of a sheet: the cells that all of them give, and the list of them when there are several.

use eframe::egui;
use egui::{Button, Label, Rect, RichText, TextEdit, Ui, Vec2};
use egui_material_icons::icons::ICON_CLOSE;

use super::{labelled, place};
use crate::edit;
use crate::geometry::{Offset, PixelRect, Size};
use crate::model::{Grids, Leftover, Run};
use crate::slicing::ink::InkPlanes;
use crate::slicing::{self, Laid, MAX_FRAMES, grid};
use crate::ui::theme::{INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// Lays all grids. `None` while that needs pixels that are not there.
pub(super) fn lay(grids: &Grids, image: Size, planes: Option<&InkPlanes>) -> Option<Laid> {
    let planes = planes.filter(|planes| planes.size() == image);
    let needs_pixels = grids.runs.iter().any(|run| run.skip_empty.is_some());
    (planes.is_some() || !needs_pixels).then(|| slicing::lay(grids, image, planes))
}

/// Why what was laid is no slicing.
pub(super) fn fault(laid: &Laid) -> Option<String> {
    let count = laid.rects.len();
    if count == 0 {
        return Some("Every cell is empty: lower the alpha up to which cells are skipped".into());
    }
    let is_too_many = count > MAX_FRAMES;
    is_too_many.then(|| format!("{count} frames: a texture holds at most {MAX_FRAMES}, make a cell larger"))
}

/// A further grid with cells like those of `run`, below all that there are; an empty one when there is no room.
pub(super) fn further(grids: &Grids, run: &Run, image: Size) -> Run {
    let all = grids.runs.iter().flat_map(|run| slicing::cells(run, Leftover::Drop, image));
    let below = all.map(PixelRect::bottom).max().unwrap_or(0);
    let y = i32::try_from(below).unwrap_or(i32::MAX).saturating_add(run.spacing.y.max(0));
    let further =
        Run { offset: Offset::new(run.offset.x, y), spacing: run.spacing, ..Run::of_cell(run.cell) };
    if edit::grid_fault(&further, image).is_none() { further } else { Run::default() }
}

/// What was asked for in the list.
pub(super) enum Asked {
    /// Edit the grid at that position.
    Choose(usize),
    /// Take it away.
    Remove(usize),
}

/// The list; the form edits the grid at `edited`.
pub(super) fn list(ui: &mut Ui, grids: &Grids, edited: usize, image: Size) -> Option<Asked> {
    let mut asked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    for (index, run) in grids.runs.iter().enumerate() {
        let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), ROW_HEIGHT));
        let choice = row.with_max_x(row.right() - ROW_HEIGHT - INSIDE);
        let remove = Rect::from_min_max(egui::pos2(choice.right() + INSIDE, row.top()), row.max);
        let name = format!("Grid {}", index + 1);
        let words = place(ui, choice, ("run", index), |ui| {
            let button = Button::selectable(index == edited, words(run, index, image))
                .min_size(choice.size())
                .truncate();
            ui.add(button).accessible_name(&name).on_hover_text("The numbers below are this grid's").clicked()
        });
        if words && index != edited {
            asked = Some(Asked::Choose(index));
        }
        let text = format!("Remove grid {}", index + 1);
        if place(ui, remove, ("remove run", index), |ui| {
            widgets::icon_button(ui, ICON_CLOSE, &text, "").clicked()
        }) {
            asked = Some(Asked::Remove(index));
        }
    }
    ui.spacing_mut().item_spacing.y = INSIDE;
    ui.add_space(INSIDE);
    asked
}

/// "walk: 32 x 32, 8 x 6".
fn words(run: &Run, index: usize, image: Size) -> String {
    let name = if run.name.is_empty() { format!("Grid {}", index + 1) } else { run.name.clone() };
    if run.cell == Size::default() {
        return format!("{name}: no cells yet");
    }
    let (columns, rows) = grid::columns_and_rows(run, image);
    format!("{name}: {}, {columns} x {rows}", run.cell)
}

/// The name of a grid; whether it was left.
pub(super) fn name_field(ui: &mut Ui, name: &mut String) -> bool {
    let mut left = false;
    labelled(ui, "Name", ROW_HEIGHT, |ui| {
        let field = TextEdit::singleline(name).desired_width(ui.available_width()).hint_text("of this grid");
        let response = ui.add(field).accessible_name("Name of the grid");
        left = response.lost_focus();
        response.on_hover_text("A name for this grid, to tell it from the others");
    });
    left
}

/// Quiet words at the end of a row.
pub(super) fn row_words(ui: &mut Ui, text: &str, color: egui::Color32) {
    ui.add(Label::new(RichText::new(text).color(color)).truncate().selectable(false));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slicing::ink::InkBuilder;

    /// The rule of the engine's own sheets: frames wrap to x = 0 of the next row.
    fn by_the_rule(image: Size, [x, y]: [u32; 2], cell: Size, count: u32) -> Vec<(i32, i32)> {
        let first = (image.width - x) / cell.width;
        let rest = image.width / cell.width;
        let place = |k: u32| match k.checked_sub(first) {
            None => (x + k * cell.width, y),
            Some(j) => ((j % rest) * cell.width, y + (1 + j / rest) * cell.height),
        };
        let is_there = |(_, y): &(u32, u32)| y + cell.height <= image.height;
        (0..count).map(place).filter(is_there).map(|(x, y)| (x as i32, y as i32)).collect()
    }

    fn corners(run: Run, image: Size) -> Vec<(i32, i32)> {
        let laid = lay(&Grids { runs: vec![run], leftover: Leftover::Drop }, image, None).unwrap();
        laid.rects.iter().map(|rect| (rect.x, rect.y)).collect()
    }

    #[test]
    fn a_run_of_frames_goes_on_at_the_left_edge_of_the_next_row_as_the_engine_does() {
        let cell = Size::new(40, 40);
        // 4 frames from (120, 40) in 200 x 80: two are there. 8 frames of a row of 6: six are.
        for (image, at, count, there) in [
            (Size::new(200, 80), [120, 40], 4, 2),
            (Size::new(240, 40), [0, 0], 8, 6),
            (Size::new(240, 120), [160, 0], 5, 5),
            (Size::new(100, 160), [40, 40], 5, 5),
        ] {
            let columns = image.width / cell.width;
            let start = at[1] / cell.height * columns + at[0] / cell.width;
            let run = Run { start, count: Some(count), ..Run::of_cell(cell) };
            let found = corners(run, image);
            assert_eq!(found, by_the_rule(image, at, cell, count), "{image} from {at:?}");
            assert_eq!(found.len(), there);
        }
    }

    #[test]
    fn leftover_columns_are_never_part_of_a_frame() {
        let run = Run { start: 1, count: Some(3), ..Run::of_cell(Size::new(40, 20)) };
        assert_eq!(corners(run, Size::new(100, 60)), [(40, 0), (0, 20), (40, 20)]);
    }

    #[test]
    fn empty_cells_are_left_out_by_their_alpha_and_need_pixels() {
        let image = Size::new(4, 2);
        let run = Run { skip_empty: Some(8), ..Run::of_cell(Size::new(2, 2)) };
        let grids = Grids { runs: vec![run], leftover: Leftover::Drop };
        assert_eq!(lay(&grids, image, None), None);
        let mut ink = InkBuilder::new(image, &[]);
        let alpha = [0, 0, 8, 0, 0, 9, 8, 8];
        ink.push_rows(&alpha.map(|alpha| [0, 0, 0, alpha]).concat());
        let planes = ink.finish();
        let laid = lay(&grids, image, Some(&planes)).unwrap();
        assert_eq!(laid.rects, [PixelRect::new(0, 0, 2, 2)]);
        assert_eq!(laid.skipped, [PixelRect::new(2, 0, 2, 2)]);
        assert_eq!(lay(&grids, Size::new(8, 2), Some(&planes)), None, "pixels of another size");
    }

    #[test]
    fn a_further_grid_begins_below_the_others_and_is_empty_without_room() {
        let image = Size::new(64, 64);
        let first = Run { rows: Some(2), ..Run::of_cell(Size::new(16, 16)) };
        let grids = Grids { runs: vec![first.clone()], leftover: Leftover::Drop };
        let second = further(&grids, &first, image);
        assert_eq!((second.cell, second.offset), (first.cell, Offset::new(0, 32)));
        let full = Grids { runs: vec![Run::of_cell(Size::new(16, 16))], leftover: Leftover::Drop };
        assert_eq!(further(&full, &first, image), Run::default());
    }
}
