//! Grid arithmetic: which cells of a run fit an image, where they are, and what is left over.
//!
//! Along one axis a cell starts every `cell + spacing` pixels after the offset, and a cell counts when the image
//! has all of its pixels. Spacing may be negative (cells overlap) while that step stays positive; a step of
//! zero or less gives no cells. The offset may be negative: the cells that start before the image are dropped,
//! and columns and rows are counted from the first that does not.

use crate::geometry::{Offset, PixelRect, Size};
use crate::model::{Leftover, Order, Run};

use super::MAX_FRAMES;

/// One axis of a run on an image, all in pixels.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) image: i64,
    pub(super) offset: i64,
    pub(super) cell: i64,
    pub(super) spacing: i64,
}

impl Axis {
    pub(super) fn x(run: &Run, image: Size) -> Self {
        Self::new(image.width, run.offset.x, run.cell.width, run.spacing.x)
    }

    pub(super) fn y(run: &Run, image: Size) -> Self {
        Self::new(image.height, run.offset.y, run.cell.height, run.spacing.y)
    }

    /// Rectangles have 32-bit coordinates, so an image ends there at the latest.
    fn new(image: u32, offset: i32, cell: u32, spacing: i32) -> Self {
        Self {
            image: i64::from(image).min(i64::from(i32::MAX)),
            offset: offset.into(),
            cell: cell.into(),
            spacing: spacing.into(),
        }
    }

    fn step(self) -> i64 {
        self.cell + self.spacing
    }

    fn is_usable(self) -> bool {
        self.cell > 0 && self.step() > 0
    }

    /// Start of the first cell that does not begin before the image.
    fn first(self) -> i64 {
        let dropped = if self.offset < 0 { (-self.offset + self.step() - 1) / self.step() } else { 0 };
        self.offset + dropped * self.step()
    }

    /// How many whole cells fit: `floor((image - first + spacing) / (cell + spacing))`.
    pub(super) fn fitting(self) -> i64 {
        if !self.is_usable() {
            return 0;
        }
        (self.image - self.first() + self.spacing).div_euclid(self.step()).max(0)
    }

    /// End of the last whole cell; 0 when there is none.
    fn end(self) -> i64 {
        match self.fitting() {
            0 => 0,
            fitting => self.first() + (fitting - 1) * self.step() + self.cell,
        }
    }

    /// Pixels behind the last whole cell.
    pub(super) fn leftover(self) -> i64 {
        (self.image - self.end()).max(0)
    }

    /// Number of cells with what caps and leftover make of it.
    fn count(self, cap: Option<u32>, leftover: Leftover) -> i64 {
        let fitting = self.fitting();
        let is_clipped = leftover == Leftover::Clip
            && self.is_usable()
            && self.leftover() > 0
            && self.first() + fitting * self.step() < self.image;
        let all = fitting + i64::from(is_clipped);
        cap.map_or(all, |cap| all.min(cap.into()))
    }

    /// Start and length of the cell at `index`, shortened at the image's end.
    fn span(self, index: i64) -> (i32, i32) {
        let start = self.first() + index * self.step();
        (start as i32, self.cell.min(self.image - start) as i32)
    }
}

/// Columns and rows of whole cells, after the caps of the run.
pub fn columns_and_rows(run: &Run, image: Size) -> (u32, u32) {
    let columns = Axis::x(run, image).count(run.columns, Leftover::Drop);
    let rows = Axis::y(run, image).count(run.rows, Leftover::Drop);
    (columns as u32, rows as u32)
}

/// The cells of a run in the order of their frames. With [`Leftover::Clip`] the pixels behind the last whole
/// column and row become smaller cells, as far as a cell starts there. Emptiness is not looked at: callers
/// with pixels leave out what `skip_empty` says. At most [`MAX_FRAMES`] + 1 are given, so that too many can be
/// told from just enough without room for all of them.
pub fn cells(run: &Run, leftover: Leftover, image: Size) -> Vec<PixelRect> {
    let (x, y) = (Axis::x(run, image), Axis::y(run, image));
    let (columns, rows) = (x.count(run.columns, leftover), y.count(run.rows, leftover));
    let all = columns.saturating_mul(rows);
    let start = i64::from(run.start).min(all);
    let taken = run.count.map_or(all - start, |count| i64::from(count).min(all - start));
    (start..start + taken.min(MAX_FRAMES as i64 + 1))
        .map(|number| {
            let (column, row) = place(run.order, number, columns, rows);
            let ((x, width), (y, height)) = (x.span(column), y.span(row));
            PixelRect::new(x, y, width, height)
        })
        .collect()
}

/// Column and row of the cell with that number.
fn place(order: Order, number: i64, columns: i64, rows: i64) -> (i64, i64) {
    match order {
        Order::Columns => (number / rows, number % rows),
        Order::Rows => (number % columns, number / columns),
        Order::Serpentine => {
            let (column, row) = (number % columns, number / columns);
            (if row % 2 == 0 { column } else { columns - 1 - column }, row)
        }
    }
}

/// Pixels that fill no whole cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftoverPixels {
    /// Pixels right of the last whole column.
    pub right: u32,
    /// Pixels below the last whole row.
    pub bottom: u32,
}

impl LeftoverPixels {
    /// Whether cells reach both ends of the image.
    pub const fn is_none(self) -> bool {
        self.right == 0 && self.bottom == 0
    }
}

/// The pixels behind the last whole column and row that fit; `columns`, `rows` and `count` of the run, which
/// leave cells out on purpose, do not add to them.
pub fn leftover(run: &Run, image: Size) -> LeftoverPixels {
    LeftoverPixels {
        right: Axis::x(run, image).leftover() as u32,
        bottom: Axis::y(run, image).leftover() as u32,
    }
}

/// Whether what is left over is just the margin that the offset has on the other side.
pub fn closing_margin(run: &Run, image: Size) -> bool {
    let LeftoverPixels { right, bottom } = leftover(run, image);
    let Offset { x, y } = run.offset;
    (right, bottom) != (0, 0) && i64::from(right) == i64::from(x) && i64::from(bottom) == i64::from(y)
}

/// The run with that many columns and rows and the largest whole-pixel cell that allows them. `None` when the
/// image is too small for them. Caps are set only where more cells would fit than are wanted.
pub fn run_for_count(columns: u32, rows: u32, offset: Offset, spacing: Offset, image: Size) -> Option<Run> {
    let width = cell_for_count(columns, image.width, offset.x, spacing.x)?;
    let height = cell_for_count(rows, image.height, offset.y, spacing.y)?;
    let mut run = Run { offset, spacing, ..Run::of_cell(Size::new(width, height)) };
    let (fitting_columns, fitting_rows) = columns_and_rows(&run, image);
    run.columns = (fitting_columns > columns).then_some(columns);
    run.rows = (fitting_rows > rows).then_some(rows);
    Some(run)
}

fn cell_for_count(count: u32, image: u32, offset: i32, spacing: i32) -> Option<u32> {
    let (count, spacing) = (i64::from(count), i64::from(spacing));
    if count == 0 {
        return None;
    }
    let room = i64::from(image) - i64::from(offset.max(0)) + spacing;
    let cell = u32::try_from(room.div_euclid(count) - spacing).ok()?;
    (cell > 0 && i64::from(cell) + spacing > 0).then_some(cell)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn run(cell: (u32, u32), offset: (i32, i32), spacing: (i32, i32)) -> Run {
        Run {
            offset: Offset::new(offset.0, offset.1),
            spacing: Offset::new(spacing.0, spacing.1),
            ..Run::of_cell(Size::new(cell.0, cell.1))
        }
    }

    fn dropped(run: &Run, image: Size) -> Vec<PixelRect> {
        cells(run, Leftover::Drop, image)
    }

    fn corners(run: &Run, image: Size) -> Vec<(i32, i32)> {
        dropped(run, image).iter().map(|rect| (rect.x, rect.y)).collect()
    }

    #[test]
    fn a_size_that_does_not_divide_gives_whole_pixels_and_names_the_rest() {
        let image = Size::new(100, 16);
        let six = run_for_count(6, 1, Offset::default(), Offset::default(), image).unwrap();
        assert_eq!(six, Run::of_cell(Size::new(16, 16)));
        assert_eq!(dropped(&six, image).len(), 6);
        assert_eq!(leftover(&six, image), LeftoverPixels { right: 4, bottom: 0 });
    }

    #[test]
    fn spacing_counts_between_cells_only() {
        let image = Size::new(63, 32);
        assert_eq!(columns_and_rows(&run((15, 15), (0, 0), (1, 1)), image).0, 4);
        let unspaced = run((16, 16), (0, 0), (0, 0));
        assert_eq!(columns_and_rows(&unspaced, image).0, 3);
        assert_eq!(leftover(&unspaced, image).right, 15);
    }

    #[test]
    fn columns_divide_by_cell_plus_spacing_and_no_cell_leaves_the_image() {
        let image = Size::new(420, 431);
        let spaced = run((32, 32), (0, 0), (1, 1));
        assert_eq!(columns_and_rows(&spaced, image), (12, 13));
        let all = dropped(&spaced, image);
        assert_eq!(all.len(), 156);
        assert!(all.iter().all(|rect| rect.is_inside(image)));
    }

    #[test]
    fn margin_and_spacing_together_end_where_they_should() {
        let image = Size::new(432, 396);
        let all = dropped(&run((32, 32), (2, 2), (4, 4)), image);
        assert_eq!(all.len(), 132);
        assert_eq!(all.last(), Some(&PixelRect::new(398, 362, 32, 32)));
        assert!(closing_margin(&run((32, 32), (2, 2), (4, 4)), image), "the 2 px at the end are no leftover");
    }

    #[test]
    fn a_margin_at_left_and_top_is_respected_and_its_like_at_the_end_is_no_column() {
        let image = Size::new(48, 48);
        let margin = run((16, 16), (8, 8), (0, 0));
        assert_eq!(corners(&margin, image), [(8, 8), (24, 8), (8, 24), (24, 24)]);
        assert!(closing_margin(&margin, image));
        assert!(!closing_margin(&run((16, 16), (0, 0), (0, 0)), image));
        assert!(!closing_margin(&run((16, 16), (8, 4), (0, 0)), image));
    }

    #[test]
    fn two_cells_with_spacing_fill_an_image() {
        let image = Size::new(180, 180);
        assert_eq!(corners(&run((180, 88), (0, 0), (0, 4)), image), [(0, 0), (0, 92)]);
    }

    #[test]
    fn a_cell_larger_than_the_image_gives_none() {
        let image = Size::new(64, 16);
        let tall = run((16, 32), (0, 0), (0, 0));
        assert_eq!(columns_and_rows(&tall, image), (4, 0));
        assert!(dropped(&tall, image).is_empty());
        assert_eq!(leftover(&tall, image), LeftoverPixels { right: 0, bottom: 16 });
    }

    #[test]
    fn many_cells_are_all_there() {
        let image = Size::new(968, 526);
        let spaced = run((16, 16), (0, 0), (1, 1));
        assert_eq!(columns_and_rows(&spaced, image), (57, 31));
        let all = dropped(&spaced, image);
        assert_eq!(all.len(), 1767);
        assert_eq!(all[1766], PixelRect::new(56 * 17, 30 * 17, 16, 16));
    }

    #[test]
    fn one_more_than_the_limit_is_given_and_no_more_than_that() {
        let dot = run((1, 1), (0, 0), (0, 0));
        assert_eq!(dropped(&dot, Size::new(257, 255)).len(), 65_535);
        assert_eq!(dropped(&dot, Size::new(256, 256)).len(), 65_536);
        assert_eq!(dropped(&dot, Size::new(u32::MAX, u32::MAX)).len(), 65_536);
    }

    #[test]
    fn clipping_turns_the_rest_into_smaller_last_cells() {
        let clipped = cells(&run((4, 4), (0, 0), (1, 0)), Leftover::Clip, Size::new(11, 6));
        let expected = [(0, 0, 4, 4), (5, 0, 4, 4), (10, 0, 1, 4), (0, 4, 4, 2), (5, 4, 4, 2), (10, 4, 1, 2)];
        assert_eq!(clipped, expected.map(|(x, y, w, h)| PixelRect::new(x, y, w, h)));
        // 9 = 4 + 1 + 4: nothing is left; 10: the pixel left over is spacing.
        for width in [9, 10] {
            assert_eq!(cells(&run((4, 4), (0, 0), (1, 0)), Leftover::Clip, Size::new(width, 4)).len(), 2);
        }
        let whole = cells(&run((16, 32), (0, 0), (0, 0)), Leftover::Clip, Size::new(8, 8));
        assert_eq!(whole, [PixelRect::new(0, 0, 8, 8)]);
    }

    #[test]
    fn orders_number_the_cells_by_rows_by_columns_and_back_and_forth() {
        let image = Size::new(3, 2);
        let dots = |order| corners(&Run { order, ..run((1, 1), (0, 0), (0, 0)) }, image);
        assert_eq!(dots(Order::Rows), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]);
        assert_eq!(dots(Order::Columns), [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
        assert_eq!(dots(Order::Serpentine), [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]);
    }

    #[test]
    fn start_count_and_caps_take_a_part() {
        let image = Size::new(4, 4);
        let dot = run((1, 1), (0, 0), (0, 0));
        let capped = Run { columns: Some(2), rows: Some(9), start: 1, count: Some(3), ..dot.clone() };
        assert_eq!(corners(&capped, image), [(1, 0), (0, 1), (1, 1)]);
        assert_eq!(columns_and_rows(&capped, image), (2, 4));
        assert!(corners(&Run { start: 99, ..dot.clone() }, image).is_empty());
        assert!(corners(&Run { columns: Some(0), ..dot }, image).is_empty());
    }

    #[test]
    fn negative_offsets_drop_the_cells_that_start_outside() {
        // Starts at -3, 1, 5: the first is dropped, the last has 3 of its 4 pixels.
        let negative = run((4, 1), (-3, 0), (0, 0));
        assert_eq!(corners(&negative, Size::new(8, 1)), [(1, 0)]);
        assert_eq!(leftover(&negative, Size::new(8, 1)).right, 3);
    }

    #[test]
    fn overlapping_cells_are_allowed_while_they_advance() {
        assert_eq!(corners(&run((4, 1), (0, 0), (-2, 0)), Size::new(8, 1)), [(0, 0), (2, 0), (4, 0)]);
        assert!(corners(&run((4, 1), (0, 0), (-4, 0)), Size::new(8, 1)).is_empty());
        assert!(corners(&run((4, 1), (0, 0), (i32::MIN, 0)), Size::new(8, 1)).is_empty());
    }

    #[test]
    fn a_wanted_count_gives_the_largest_cell_and_a_cap_where_more_would_fit() {
        let (one, none) = (Offset::new(1, 1), Offset::default());
        let desert = run_for_count(8, 6, one, one, Size::new(265, 199)).unwrap();
        assert_eq!(desert, run((32, 32), (1, 1), (1, 1)));
        let capped = run_for_count(4, 1, none, none, Size::new(7, 7)).unwrap();
        assert_eq!((capped.cell, capped.columns, capped.rows), (Size::new(1, 7), Some(4), None));
        assert_eq!(run_for_count(8, 1, none, none, Size::new(7, 7)), None);
        assert_eq!(run_for_count(0, 1, none, none, Size::new(7, 7)), None);
    }

    proptest! {
        #[test]
        fn every_cell_is_inside_whatever_the_numbers(
            cell in (any::<u32>(), 0..20_u32),
            offset in (any::<i32>(), -20..20),
            spacing in (any::<i32>(), -20..20),
            image in (any::<u32>(), 0..99_u32),
            clip in any::<bool>(),
        ) {
            let image = Size::new(image.0, image.1);
            let run = run(cell, offset, spacing);
            let mode = if clip { Leftover::Clip } else { Leftover::Drop };
            let all = cells(&run, mode, image);
            prop_assert!(all.len() <= MAX_FRAMES + 1);
            prop_assert!(all.iter().all(|rect| rect.is_inside(image)));
            let rest = leftover(&run, image);
            prop_assert!(rest.right <= image.width && rest.bottom <= image.height);
        }

        #[test]
        fn there_are_as_many_cells_as_fit_one_after_the_other(
            cell in 1..40_u32, offset in 0..30_i32, spacing in 0..9_i32, width in 1..500_u32,
        ) {
            let starts = (offset..).step_by((cell as i32 + spacing) as usize);
            let fitting: Vec<_> = starts.take_while(|start| *start as u32 + cell <= width).collect();
            let placed = corners(&run((cell, 1), (offset, 0), (spacing, 0)), Size::new(width, 1));
            prop_assert_eq!(placed.iter().map(|(x, _)| *x).collect::<Vec<_>>(), fitting);
        }

        #[test]
        fn a_wanted_count_is_what_comes_out(
            columns in 1..40_u32, rows in 1..40_u32, offset in 0..9_i32, spacing in 0..9_i32,
            width in 1..400_u32, height in 1..400_u32,
        ) {
            let (offset, spacing) = (Offset::new(offset, offset), Offset::new(spacing, spacing));
            let image = Size::new(width, height);
            if let Some(run) = run_for_count(columns, rows, offset, spacing, image) {
                prop_assert_eq!(columns_and_rows(&run, image), (columns, rows));
            }
        }
    }
}
