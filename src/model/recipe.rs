//! How frames came about: runs of equal cells, kept so that a grid opens again as the grid it was.

use crate::geometry::{Offset, Size};

/// In which order the cells of a run are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Left to right, then down.
    #[default]
    Rows,
    /// Top to bottom, then right.
    Columns,
    /// Left to right, then back on the next row.
    Serpentine,
}

/// What happens to pixels that fill no whole cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Leftover {
    /// They belong to no frame.
    #[default]
    Drop,
    /// The last column and row become smaller frames.
    Clip,
}

/// Equal cells at equal distances.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Run {
    /// Name of the run, often empty.
    pub name: String,
    /// Width and height of a cell, in image pixels.
    pub cell: Size,
    /// From the image's top left corner to the first cell.
    pub offset: Offset,
    /// Between one cell and the next.
    pub spacing: Offset,
    /// Columns, when fewer than fit.
    pub columns: Option<u32>,
    /// Rows, when fewer than fit.
    pub rows: Option<u32>,
    /// Numbering.
    pub order: Order,
    /// Cells skipped at the start.
    pub start: u32,
    /// Cells taken, when fewer than there are.
    pub count: Option<u32>,
    /// Cells whose every alpha is at or below this are left out.
    pub skip_empty: Option<u8>,
}

impl Run {
    /// A grid of `cell` that fills the image.
    pub fn of_cell(cell: Size) -> Self {
        Self { cell, ..Self::default() }
    }

    /// Whether the engine's own grid mode says the same: all whole cells from 0, 0, row by row.
    pub fn is_plain(&self) -> bool {
        *self == Self { name: self.name.clone(), ..Self::of_cell(self.cell) } && self.name.is_empty()
    }
}

/// How the frames of a sheet came about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recipe {
    /// The grids, in the order of their frames.
    pub runs: Vec<Run>,
    /// What happens to pixels that fill no whole cell.
    pub leftover: Leftover,
}

impl Recipe {
    /// One grid.
    pub fn grid(run: Run) -> Self {
        Self { runs: vec![run], leftover: Leftover::Drop }
    }

    /// The only run, when there is just one.
    pub fn single_run(&self) -> Option<&Run> {
        match self.runs.as_slice() {
            [run] => Some(run),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_grid_from_the_corner_is_plain() {
        let plain = Run::of_cell(Size::new(16, 16));
        assert!(plain.is_plain());
        let others = [
            Run { offset: Offset::new(1, 0), ..plain.clone() },
            Run { spacing: Offset::new(0, 1), ..plain.clone() },
            Run { columns: Some(2), ..plain.clone() },
            Run { count: Some(3), ..plain.clone() },
            Run { order: Order::Columns, ..plain.clone() },
            Run { name: "walk".into(), ..plain.clone() },
        ];
        assert!(others.iter().all(|run| !run.is_plain()));
    }
}
