//! The numbers of the grid form as they are typed, and the grid that they mean.
//!
//! Pure: the fields in `grid` show and change it. Of cell size and cell count the one that was edited last stays and
//! the other follows.

use crate::edit;
use crate::geometry::{Offset, Size};
use crate::model::Run;
use crate::slicing::grid;

/// Which of the two stays when offset or spacing change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stays {
    /// The size of a cell.
    #[default]
    Size,
    /// The number of columns and rows.
    Count,
}

/// A pair of numbers that may go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    /// Width and height of a cell.
    Cell,
    /// From the image's corner to the first cell.
    Offset,
    /// Between cells.
    Spacing,
    /// Columns and rows.
    Count,
}

/// A pair of numbers, one for each axis, in pixels or cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Numbers {
    /// Across.
    pub(super) x: i32,
    /// Down.
    pub(super) y: i32,
    /// Whether `y` follows `x`.
    pub(super) is_linked: bool,
}

impl Numbers {
    fn new(x: i32, y: i32, may_link: bool) -> Self {
        Self { x, y, is_linked: may_link && x == y }
    }

    fn offset(self) -> Offset {
        Offset::new(self.x, self.y)
    }

    /// Negative numbers are none.
    fn size(self) -> Size {
        Size::new(u32::try_from(self.x).unwrap_or(0), u32::try_from(self.y).unwrap_or(0))
    }

    /// Links or parts the two; linked ones become equal.
    pub(super) fn toggle_link(&mut self) {
        self.is_linked = !self.is_linked;
        self.follow();
    }

    /// Brings `y` to `x` when it follows.
    fn follow(&mut self) {
        if self.is_linked {
            self.y = self.x;
        }
    }
}

/// The numbers of the form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Form {
    /// Width and height of a cell.
    pub(super) cell: Numbers,
    /// From the image's corner to the first cell.
    pub(super) offset: Numbers,
    /// Between cells.
    pub(super) spacing: Numbers,
    /// Columns and rows.
    pub(super) count: Numbers,
    /// Which of size and count stays.
    pub(super) stays: Stays,
    /// What the form does not show, such as the order of the cells.
    pub(super) rest: Run,
}

impl Form {
    /// The form of a grid; an empty one for a sheet without. `may_link` is whether equal numbers go together.
    pub(super) fn of(run: Option<&Run>, image: Size, may_link: bool) -> Self {
        let rest = run.cloned().unwrap_or_default();
        let Run { cell, offset, spacing, columns, rows, .. } = rest;
        let is_capped = columns.is_some() || rows.is_some();
        let mut form = Self {
            cell: Numbers::new(to_i32(cell.width), to_i32(cell.height), may_link),
            offset: Numbers::new(offset.x, offset.y, may_link),
            spacing: Numbers::new(spacing.x, spacing.y, may_link),
            count: Numbers::default(),
            stays: if is_capped { Stays::Count } else { Stays::Size },
            rest,
        };
        form.count_cells(image);
        form
    }

    /// Whether no number was given yet.
    pub(super) fn is_empty(&self) -> bool {
        self.cell.size() == Size::default() && self.count.size() == Size::default()
    }

    /// Follows a change of a pair: what goes together goes together, and of size and count the other one follows.
    pub(super) fn changed(&mut self, pair: Pair, image: Size) {
        for numbers in [&mut self.cell, &mut self.offset, &mut self.spacing] {
            numbers.follow();
        }
        match pair {
            Pair::Cell => self.stays = Stays::Size,
            Pair::Count => self.stays = Stays::Count,
            Pair::Offset | Pair::Spacing => {}
        }
        match self.stays {
            Stays::Size => {
                if pair == Pair::Cell {
                    (self.rest.columns, self.rest.rows) = (None, None);
                }
                self.count_cells(image);
            }
            Stays::Count => {
                if let Some(run) = self.run_for_count(image) {
                    let is_linked = self.cell.is_linked && run.cell.width == run.cell.height;
                    let (x, y) = (to_i32(run.cell.width), to_i32(run.cell.height));
                    self.cell = Numbers { x, y, is_linked };
                    (self.rest.columns, self.rest.rows) = (run.columns, run.rows);
                }
            }
        }
    }

    /// The grid that the numbers mean, or why there is none.
    pub(super) fn run(&self, image: Size) -> Result<Run, String> {
        if self.stays == Stays::Count && self.run_for_count(image).is_none() {
            let (columns, rows) = (self.count.x.max(1), self.count.y.max(1));
            return Err(format!("The image is too small for {columns} x {rows} cells"));
        }
        let run = self.typed_run();
        edit::grid_fault(&run, image).map_or(Ok(run), Err)
    }

    /// The grid that the numbers say, whether it can be or not.
    pub(super) fn typed_run(&self) -> Run {
        Run {
            cell: self.cell.size(),
            offset: self.offset.offset(),
            spacing: self.spacing.offset(),
            ..self.rest.clone()
        }
    }

    /// One missing number of the two counts as 1: "4 columns" is a strip.
    fn run_for_count(&self, image: Size) -> Option<Run> {
        let Size { width: columns, height: rows } = self.count.size();
        grid::run_for_count(columns.max(1), rows.max(1), self.offset.offset(), self.spacing.offset(), image)
    }

    fn count_cells(&mut self, image: Size) {
        let (columns, rows) = grid::columns_and_rows(&self.typed_run(), image);
        self.count = Numbers { x: to_i32(columns), y: to_i32(rows), is_linked: false };
    }
}

fn to_i32(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Order;

    /// 8 x 6 cells of 32 with an offset and a spacing of 1.
    const DESERT: Size = Size::new(265, 199);

    fn desert() -> Form {
        let mut form = Form::of(None, DESERT, true);
        form.cell.x = 32;
        form.changed(Pair::Cell, DESERT);
        form.offset.x = 1;
        form.changed(Pair::Offset, DESERT);
        form.spacing.x = 1;
        form.changed(Pair::Spacing, DESERT);
        form
    }

    #[test]
    fn three_numbers_make_a_grid_with_margin_and_spacing() {
        let form = desert();
        let run = form.run(DESERT).unwrap();
        assert_eq!(run.cell, Size::new(32, 32));
        assert_eq!((run.offset, run.spacing), (Offset::new(1, 1), Offset::new(1, 1)));
        assert_eq!((form.count.x, form.count.y), (8, 6));
        assert_eq!(Form::of(Some(&run), DESERT, true), Form { rest: run, ..form });
    }

    #[test]
    fn unequal_numbers_and_parted_axes_are_not_linked() {
        let run = Run { spacing: Offset::new(23, 5), ..Run::of_cell(Size::new(42, 60)) };
        let form = Form::of(Some(&run), Size::new(900, 400), true);
        assert!(!form.cell.is_linked && form.offset.is_linked && !form.spacing.is_linked);
        assert!(!Form::of(Some(&run), Size::new(900, 400), false).offset.is_linked);
    }

    #[test]
    fn parted_numbers_go_their_own_ways_and_linking_makes_them_equal() {
        let mut form = desert();
        form.spacing.toggle_link();
        form.spacing.y = 3;
        form.changed(Pair::Spacing, DESERT);
        assert_eq!(form.run(DESERT).unwrap().spacing, Offset::new(1, 3));
        form.spacing.toggle_link();
        form.changed(Pair::Spacing, DESERT);
        assert_eq!(form.run(DESERT).unwrap().spacing, Offset::new(1, 1));
    }

    #[test]
    fn the_count_that_was_typed_last_stays_and_the_size_follows() {
        let image = Size::new(100, 16);
        let mut form = Form::of(None, image, true);
        form.count.x = 6;
        form.changed(Pair::Count, image);
        assert_eq!(form.stays, Stays::Count);
        assert_eq!(form.run(image).unwrap().cell, Size::new(16, 16));
        // 100 = 6 x 15 + 5 x 2
        form.spacing.x = 2;
        form.changed(Pair::Spacing, image);
        assert_eq!(form.run(image).unwrap().cell, Size::new(15, 16));
        assert_eq!(form.count.x, 6);
        form.cell.x = 16;
        form.changed(Pair::Cell, image);
        assert_eq!((form.stays, form.count.x), (Stays::Size, 5));
    }

    #[test]
    fn numbers_that_give_no_grid_say_why_and_stay() {
        let mut form = desert();
        form.cell.x = 320;
        form.changed(Pair::Cell, DESERT);
        assert_eq!(form.run(DESERT).unwrap_err(), "The cell is wider than the image: 320 of 265 px");
        assert_eq!(form.cell.x, 320);
        form.count.x = 300;
        form.changed(Pair::Count, DESERT);
        assert!(form.run(DESERT).unwrap_err().starts_with("The image is too small for 300 x"));
    }

    #[test]
    fn what_the_form_does_not_show_is_kept() {
        let run = Run { order: Order::Columns, ..Run::of_cell(Size::new(16, 16)) };
        let image = Size::new(64, 64);
        let mut form = Form::of(Some(&run), image, true);
        form.cell.x = 32;
        form.changed(Pair::Cell, image);
        assert_eq!(form.run(image).unwrap(), Run { cell: Size::new(32, 32), ..run });
    }

    #[test]
    fn an_unsliced_sheet_begins_empty_and_linked() {
        let form = Form::of(None, DESERT, true);
        assert!(form.is_empty() && form.cell.is_linked);
    }
}
