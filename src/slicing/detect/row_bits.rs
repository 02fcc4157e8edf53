//! One row of ink as bits, 64 pixels a word, and from those the places where ink begins and ends. Compares of whole
//! blocks are what the compiler turns into vector instructions; a loop over single pixels it does not.

use crate::slicing::ink::{InkPlanes, InkRule};

const BLOCK: usize = 64;

/// Finds the edges of rows, with buffers that are used again.
pub(super) struct RowScanner<'a> {
    planes: &'a InkPlanes,
    rule: InkRule,
    words: Vec<u64>,
    edges: Vec<u32>,
}

impl<'a> RowScanner<'a> {
    pub(super) fn new(planes: &'a InkPlanes, rule: InkRule) -> Self {
        Self { planes, rule, words: Vec::new(), edges: Vec::new() }
    }

    /// The runs of ink of row `y`, which the image must have, from the left: first column, and column behind the
    /// last.
    pub(super) fn runs(&mut self, y: u32) -> &[[u32; 2]] {
        let width = self.planes.size().width;
        self.words.clear();
        self.edges.clear();
        match (self.planes.alpha_row(y), self.planes.distance_row(y)) {
            (Some(alpha), Some(distance)) => {
                above(alpha, self.rule.alpha_threshold, |word| self.words.push(word));
                let mut words = self.words.iter_mut();
                above(distance, self.rule.tolerance, |word| {
                    if let Some(alpha_word) = words.next() {
                        *alpha_word &= word;
                    }
                });
            }
            (Some(alpha), None) => {
                above(alpha, self.rule.alpha_threshold, |word| self.words.push(word));
            }
            (None, Some(distance)) => above(distance, self.rule.tolerance, |word| self.words.push(word)),
            (None, None) if width > 0 => self.edges.extend([0, width]),
            (None, None) => {}
        }
        push_edges(&self.words, width, &mut self.edges);
        self.edges.as_chunks().0
    }
}

/// Gives `take` a word for every 64 values: the bits, lowest first, of those above the threshold. What is missing of
/// the last word is not above it.
fn above(values: &[u8], threshold: u8, mut take: impl FnMut(u64)) {
    let (blocks, rest) = values.as_chunks::<BLOCK>();
    for block in blocks {
        take(bits_above(block, threshold));
    }
    if !rest.is_empty() {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        take(bits_above(&block, threshold));
    }
}

fn bits_above(block: &[u8; BLOCK], threshold: u8) -> u64 {
    let flags = block.map(|value| u8::from(value > threshold));
    let lanes = flags.as_chunks::<8>().0.iter().map(|lane| u64::from_le_bytes(*lane));
    // Most blocks of a sheet are empty.
    if lanes.clone().fold(0, |any, lane| any | lane) == 0 {
        return 0;
    }
    // The product has the lowest bits of the 8 bytes side by side in its highest byte.
    let gathered = lanes.map(|lane| lane.wrapping_mul(0x0102_0408_1020_4080) >> 56);
    gathered.rev().fold(0, |bits, byte| bits << 8 | byte)
}

/// Where bits change, so by turns where ink begins and where it ends.
fn push_edges(words: &[u64], width: u32, edges: &mut Vec<u32>) {
    let mut last = 0;
    for (index, word) in words.iter().enumerate() {
        let mut changes = word ^ (word << 1 | last);
        last = word >> 63;
        while changes != 0 {
            edges.push((index * BLOCK) as u32 + changes.trailing_zeros());
            changes &= changes - 1;
        }
    }
    if last == 1 {
        edges.push(width);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::geometry::Size;
    use crate::slicing::ink::InkBuilder;

    fn runs(alpha: &[u8], threshold: u8) -> Vec<[u32; 2]> {
        let mut builder = InkBuilder::new(Size::new(alpha.len() as u32, 1), &[]);
        let rgba: Vec<_> = alpha.iter().map(|alpha| [0, 0, 0, *alpha]).collect();
        builder.push_rows(rgba.as_flattened());
        let rule = InkRule { alpha_threshold: threshold, ..InkRule::default() };
        RowScanner::new(&builder.finish(), rule).runs(0).to_vec()
    }

    #[test]
    fn runs_end_behind_their_last_pixel_also_at_the_row_s_end() {
        assert_eq!(runs(&[9, 0, 9, 9], 8), [[0, 1], [2, 4]]);
        assert_eq!(runs(&[255], 0), [[0, 1]]);
        assert_eq!(runs(&[8], 8), [] as [[u32; 2]; 0]);
        assert_eq!(runs(&[255; 3], 255), [[0, 3]], "an image without alpha is ink at every threshold");
    }

    #[test]
    fn runs_cross_the_borders_of_words() {
        let mut alpha = [0; 192];
        alpha[60..70].fill(255);
        alpha[127] = 255;
        alpha[128] = 255;
        alpha[191] = 255;
        assert_eq!(runs(&alpha, 8), [[60, 70], [127, 129], [191, 192]]);
    }

    #[test]
    fn ink_needs_both_alpha_and_distance() {
        let mut builder = InkBuilder::new(Size::new(5, 1), &[[0, 0, 0]]);
        builder
            .push_rows([[99, 0, 0, 255], [99, 0, 0, 8], [8, 0, 0, 255], [9, 0, 0, 9], [0; 4]].as_flattened());
        let planes = builder.finish();
        assert_eq!(RowScanner::new(&planes, InkRule::default()).runs(0), [[0, 1], [3, 4]]);
    }

    proptest! {
        #[test]
        fn runs_are_exactly_the_values_above(
            alpha in prop::collection::vec(prop_oneof![Just(0_u8), any::<u8>()], 1..300),
            threshold in 0..255_u8,
        ) {
            let mut is_ink = vec![alpha.iter().all(|alpha| *alpha == 255); alpha.len()];
            for [start, end] in runs(&alpha, threshold) {
                prop_assert!(start < end);
                is_ink[start as usize..end as usize].fill(true);
            }
            let expected: Vec<_> = alpha.iter().map(|alpha| *alpha > threshold).collect();
            prop_assert_eq!(is_ink, expected);
        }
    }
}
