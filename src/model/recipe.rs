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
    /// "32 x 32, offset 1, spacing 1/2": the cell, and what is not 0.
    pub fn words(&self) -> String {
        let named = |name, Offset { x, y }: Offset| match (x, y) {
            (0, 0) => String::new(),
            (x, y) if x == y => format!(", {name} {x}"),
            (x, y) => format!(", {name} {x}/{y}"),
        };
        format!("{}{}{}", self.cell, named("offset", self.offset), named("spacing", self.spacing))
    }

    /// A grid of `cell` that fills the image.
    pub fn of_cell(cell: Size) -> Self {
        Self { cell, ..Self::default() }
    }

    /// Whether the engine's own grid mode says the same: all whole cells from 0, 0, row by row.
    pub fn is_plain(&self) -> bool {
        *self == Self { name: self.name.clone(), ..Self::of_cell(self.cell) } && self.name.is_empty()
    }
}

/// Equal cells in one or more runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grids {
    /// The grids, in the order of their frames.
    pub runs: Vec<Run>,
    /// What happens to pixels that fill no whole cell.
    pub leftover: Leftover,
}

/// Which boxes of ink are one sprite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Merge {
    /// Every island is a sprite of its own.
    None,
    /// Boxes that share a pixel; those that only touch stay apart.
    #[default]
    Overlap,
    /// Boxes with at most so many pixels between them; 0 merges those that touch.
    Gap(u32),
}

/// Islands of ink, found by these rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automatic {
    /// Ink has a larger alpha than this.
    pub alpha_threshold: u8,
    /// Sprites with fewer pixels of ink are left out.
    pub min_area: u32,
    /// Which islands are one sprite.
    pub merge: Merge,
    /// Colours that count as background; none when alpha tells.
    pub background: Vec<[u8; 3]>,
    /// Ink differs from every background colour by more than this in some channel.
    pub tolerance: u8,
}

impl Default for Automatic {
    /// Faint pixels are no ink, no sprite is too small, and 8 per channel is the noise of a reduced palette.
    fn default() -> Self {
        Self {
            alpha_threshold: 8,
            min_area: 1,
            merge: Merge::default(),
            background: Vec::new(),
            tolerance: 8,
        }
    }
}

/// How the frames of a sheet came about. A sheet whose frames were changed by hand since has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipe {
    /// By grids.
    Grids(Grids),
    /// By their ink.
    Automatic(Automatic),
}

impl Recipe {
    /// One grid, leftover pixels dropped.
    pub fn grid(run: Run) -> Self {
        Self::Grids(Grids { runs: vec![run], leftover: Leftover::Drop })
    }

    /// The grids, when it is by grids.
    pub fn grids(&self) -> Option<&Grids> {
        match self {
            Self::Grids(grids) => Some(grids),
            Self::Automatic(_) => None,
        }
    }

    /// The rules, when it is by ink.
    pub fn automatic(&self) -> Option<&Automatic> {
        match self {
            Self::Automatic(automatic) => Some(automatic),
            Self::Grids(_) => None,
        }
    }

    /// The only run, when there is just one.
    pub fn single_run(&self) -> Option<&Run> {
        match self.grids()?.runs.as_slice() {
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
