//! What an image's alpha comes to: whether any pixel is translucent, whether any is not there at all.

/// The smallest alpha seen so far, which answers both questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlphaScan {
    smallest: u8,
}

impl Default for AlphaScan {
    fn default() -> Self {
        Self { smallest: u8::MAX }
    }
}

/// Pixels looked at before asking whether there is more to learn.
const BLOCK_BYTES: usize = 16 * 1024;

impl AlphaScan {
    /// Whether any alpha was below 255.
    pub const fn any_translucent(self) -> bool {
        self.smallest < u8::MAX
    }

    /// Whether any alpha was 0.
    pub const fn any_zero(self) -> bool {
        self.smallest == 0
    }

    /// Takes the next RGBA pixels. Costs nothing once an alpha of 0 was seen.
    pub fn scan(&mut self, rgba: &[u8]) {
        for block in rgba.chunks(BLOCK_BYTES) {
            if self.any_zero() {
                return;
            }
            let (pixels, _) = block.as_chunks::<4>();
            let words = pixels.iter().map(|pixel| u32::from_le_bytes(*pixel));
            // Opaque blocks are the most, and one instruction a register tells.
            if words.clone().fold(u32::MAX, |all, word| all & word) >> 24 == u32::from(u8::MAX) {
                continue;
            }
            // Signed, because that comparison exists for whole registers on every processor.
            let smallest = words.map(|word| (word >> 24) as i32).fold(i32::from(self.smallest), i32::min);
            self.smallest = smallest as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(alphas: &[u8]) -> AlphaScan {
        let rgba: Vec<u8> = alphas.iter().flat_map(|&alpha| [0, 9, 0, alpha]).collect();
        let mut scan = AlphaScan::default();
        scan.scan(&rgba);
        scan
    }

    #[test]
    fn both_answers_follow_the_alphas_alone() {
        let cases: [(&[u8], bool, bool); 5] = [
            (&[], false, false),
            (&[255, 255], false, false),
            (&[255, 254], true, false),
            (&[1, 255], true, false),
            (&[255, 0, 255], true, true),
        ];
        for (alphas, translucent, zero) in cases {
            let scan = scanned(alphas);
            assert_eq!((scan.any_translucent(), scan.any_zero()), (translucent, zero), "{alphas:?}");
        }
    }

    #[test]
    fn a_single_pixel_counts_in_any_block_and_answers_stay() {
        for position in [0, 4095, 4096, 9999] {
            let mut alphas = vec![255; 10_000];
            alphas[position] = 0;
            let mut scan = scanned(&alphas);
            scan.scan(&[255; 8]);
            assert!(scan.any_zero() && scan.any_translucent(), "{position}");
        }
    }
}
