//! Cutting an image into frames: pure functions from sizes, numbers and old frames to rectangles and ids.
//! Whoever calls them owns the pixels, the files and the undo history.

mod align;
pub mod arrange;
pub mod census;
pub mod detect;
pub mod divide;
pub mod findings;
pub mod grid;
pub mod guess;
pub mod ink;
pub mod lay;
pub mod overlap;
pub mod pattern;
pub mod regrow;
pub mod rename;
pub mod reslice;
pub mod snap;
pub mod specks;
pub mod suggest;
pub mod trim;

pub use census::{Census, FrameInk};
pub use findings::Findings;
pub use grid::{LeftoverPixels, cells, closing_margin, columns_and_rows, leftover, run_for_count};
pub use lay::{Laid, lay};
pub use overlap::overlaps;
pub use reslice::carry_ids;
pub use specks::largest_speck;
pub use suggest::{Suggestion, suggest};

/// The most frames that a texture's 16-bit count holds.
pub const MAX_FRAMES: usize = 65_535;
