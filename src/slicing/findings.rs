//! What is odd about the frames of a sheet by their pixels: the outcome of a census, short enough to be kept.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::arrange::Edges;
use super::census::FrameInk;

/// So many findings of a kind are kept; of the others only how many there are.
pub const MOST_LISTED: usize = 200;

/// Findings of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Few<T> {
    /// The first [`MOST_LISTED`].
    pub listed: Vec<T>,
    /// How many there are.
    pub count: u32,
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self { listed: Vec::new(), count: 0 }
    }
}

impl<T> Few<T> {
    fn add(&mut self, finding: T) {
        if self.listed.len() < MOST_LISTED {
            self.listed.push(finding);
        }
        self.count += 1;
    }

    /// How many are not listed.
    pub fn more(&self) -> usize {
        self.count as usize - self.listed.len().min(self.count as usize)
    }
}

/// What is odd about frames, by their positions in the list that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Frames with no pixel to see.
    pub empty: Few<u32>,
    /// Frames that look as an earlier one does, with that one.
    pub identical: Few<(u32, u32)>,
    /// Frames whose edges cut through a sprite.
    pub cut: Few<(u32, Edges)>,
    /// Frames with pixels that would have been taken for the chroma key and were stored as another colour, with how many.
    /// Only making the texture tells.
    pub in_key_cell: Few<(u32, u32)>,
    /// How many such pixels there are in all, in frames or not.
    pub in_key_cell_in_all: u64,
}

impl Findings {
    /// What is odd about frames. Empty frames are not called identical, nor are those of a line of pixels or less.
    pub fn of(frames: &[Option<FrameInk>]) -> Self {
        let mut findings = Self::default();
        let mut first = HashMap::new();
        for (position, ink) in (0..).zip(frames) {
            let Some(FrameInk { size, is_empty, hash, cut }) = *ink else { continue };
            if is_empty {
                findings.empty.add(position);
                continue;
            }
            if size.width > 1 && size.height > 1 {
                let earlier = *first.entry((size, hash)).or_insert(position);
                if earlier != position {
                    findings.identical.add((position, earlier));
                }
            }
            if cut != Edges::default() {
                findings.cut.add((position, cut));
            }
        }
        findings
    }

    /// The same with the pixels that would have been taken for the chroma key: how many each frame has, and all frames
    /// and what is between them.
    #[must_use]
    pub fn with_key(mut self, of_frames: &[u32], in_all: u64) -> Self {
        for (position, count) in (0..).zip(of_frames).filter(|(_, count)| **count > 0) {
            self.in_key_cell.add((position, *count));
        }
        self.in_key_cell_in_all = in_all;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use crate::hash::ContentHash;

    fn ink(width: u32, picture: &str) -> FrameInk {
        let hash = ContentHash::of(picture.as_bytes());
        let is_empty = picture.is_empty();
        FrameInk { size: Size::new(width, 2), is_empty, hash, cut: Edges::default() }
    }

    #[test]
    fn equal_pictures_of_one_size_are_copies_of_the_first() {
        let cut = Edges { left: true, ..Edges::default() };
        let last = FrameInk { cut, ..ink(3, "c") };
        let seen = [ink(2, "a"), ink(3, "a"), ink(2, ""), ink(2, ""), ink(2, "a"), last].map(Some);
        let frames = [&[Some(ink(2, "a")), None], &seen[..]].concat();
        let Findings { empty, identical, cut: found, .. } = Findings::of(&frames);
        assert_eq!((empty.listed, identical.listed), (vec![4, 5], vec![(2, 0), (6, 0)]));
        assert_eq!(found.listed, [(7, cut)]);
        assert_eq!(Findings::of(&[Some(ink(1, "a")); 2]), Findings::default(), "a line of pixels");
    }

    #[test]
    fn only_frames_with_pixels_in_the_keys_cell_are_listed() {
        let findings = Findings::default().with_key(&[0, 7, 0, 1], 12);
        assert_eq!((findings.in_key_cell.listed, findings.in_key_cell_in_all), (vec![(1, 7), (3, 1)], 12));
    }

    #[test]
    fn what_is_beyond_the_list_is_counted() {
        let empty = Findings::of(&[Some(ink(2, "")); 203]).empty;
        assert_eq!((empty.listed.len(), empty.count, empty.more()), (MOST_LISTED, 203, 3));
    }
}
