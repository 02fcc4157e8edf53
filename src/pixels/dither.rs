//! Dithering to 5, 6 and 5 bits: what lies between two stored values is shown by a mixture of them.
//!
//! A stored value means what a display makes of it, which is its share of the full range: 31 is as bright as 255. Levels
//! are therefore those of [`unpack_565`](super::unpack::unpack_565), and a colour that a level hits is stored as it is.

/// Bits of a channel that are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Levels {
    /// For each value, the highest level that is not above it.
    below: [u8; 256],
    /// How many of 64 pixels of that value take the level after it.
    sixty_fourths: [u8; 256],
    /// For each value, the level that is nearest; the lower one of two.
    nearest: [u8; 256],
    /// What each level shows as.
    shown: [u8; 64],
}

/// Red's and blue's 32 levels.
pub(super) const FIVE: Levels = Levels::new(5);
/// Green's 64 levels.
pub(super) const SIX: Levels = Levels::new(6);

impl Levels {
    const fn new(bits: u32) -> Self {
        let count = 1_usize << bits;
        let mut shown = [0; 64];
        let mut level = 0;
        while level < count {
            shown[level] = (level << (8 - bits) | level >> (2 * bits - 8)) as u8;
            level += 1;
        }
        let mut below = [0; 256];
        let mut sixty_fourths = [0; 256];
        let mut nearest = [0; 256];
        let mut value = 0;
        let mut level = 0;
        while value < 256 {
            while level + 1 < count && shown[level + 1] as usize <= value {
                level += 1;
            }
            below[value] = level as u8;
            nearest[value] = level as u8;
            let above = value - shown[level] as usize;
            if above > 0 {
                let step = shown[level + 1] as usize - shown[level] as usize;
                sixty_fourths[value] = ((above * 128 + step) / (2 * step)) as u8;
                if 2 * above > step {
                    nearest[value] = level as u8 + 1;
                }
            }
            value += 1;
        }
        Self { below, sixty_fourths, nearest, shown }
    }

    /// The level of a value where the pattern has this threshold, from 0 to 63.
    pub(super) fn ordered(&self, value: u8, threshold: u8) -> u8 {
        let value = usize::from(value);
        self.below[value] + u8::from(threshold < self.sixty_fourths[value])
    }

    /// The level nearest to a value in sixteenths, and what it shows as, in sixteenths.
    #[inline]
    pub(super) fn nearest(&self, sixteenths: i32) -> (u8, i32) {
        let value = ((sixteenths + 8) >> 4).clamp(0, 255);
        let level = self.nearest[value as usize];
        (level, self.shows(level))
    }

    /// What a level shows as, in sixteenths.
    #[inline]
    pub(super) fn shows(&self, level: u8) -> i32 {
        i32::from(self.shown[usize::from(level & 63)]) << 4
    }
}

/// Thresholds from 0 to 63 so that any first n of them are spread as evenly as they can be: Bayer's matrix of 8 x 8.
pub(super) const PATTERN: [[u8; 8]; 8] = pattern();

const fn pattern() -> [[u8; 8]; 8] {
    let mut pattern = [[0; 8]; 8];
    let mut y = 0;
    while y < 8 {
        let mut x = 0;
        while x < 8 {
            // Each bit of x and y, from the lowest, gives the two next lower bits of the threshold.
            let mut threshold = 0;
            let mut bit = 0;
            while bit < 3 {
                let (right, down) = (x >> bit & 1, y >> bit & 1);
                threshold |= (((right ^ down) << 1 | down) << (4 - 2 * bit)) as u8;
                bit += 1;
            }
            pattern[y][x] = threshold;
            x += 1;
        }
        y += 1;
    }
    pattern
}

/// Errors that a row hands on to the next, by column and channel, in sixteenths, with a place before the first column and
/// one after the last.
#[derive(Debug, Default)]
pub(super) struct Errors {
    pub(super) now: Vec<[i32; 3]>,
    pub(super) next: Vec<[i32; 3]>,
}

impl Errors {
    pub(super) fn new(width: usize) -> Self {
        Self { now: vec![[0; 3]; width + 2], next: vec![[0; 3]; width + 2] }
    }

    /// Goes on to the next row.
    pub(super) fn turn(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.fill([0; 3]);
    }
}

/// Seven, three and five of sixteen parts, and the rest, so that nothing gets lost: to the right, and below to the left,
/// in the middle and to the right.
#[inline]
pub(super) const fn shares(error: i32) -> [i32; 4] {
    let (right, left, middle) = (error * 7 / 16, error * 3 / 16, error * 5 / 16);
    [right, left, middle, error - right - left - middle]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_shares_of_the_full_range() {
        assert_eq!((FIVE.shows(0), FIVE.shows(31), SIX.shows(63)), (0, 255 << 4, 255 << 4));
        // 16 of 31 is 131.6; repeated bits give 10000 100, which is 132.
        assert_eq!(FIVE.shows(16), 132 << 4);
        assert_eq!(FIVE.nearest(132 << 4), (16, 132 << 4));
        // Between 123, which is 15, and 132 the middle is 127.5.
        assert_eq!((FIVE.nearest(127 << 4).0, FIVE.nearest(128 << 4).0), (15, 16));
    }

    #[test]
    fn a_value_that_a_level_hits_is_that_level_everywhere_and_others_are_mixed_in_their_share() {
        for levels in [&FIVE, &SIX] {
            for value in 0..=255 {
                let chosen: Vec<u8> = PATTERN
                    .as_flattened()
                    .iter()
                    .map(|threshold| levels.ordered(value, *threshold))
                    .collect();
                let sum: i32 = chosen.iter().map(|level| levels.shows(*level)).sum();
                let mean = f64::from(sum) / 64.0 / 16.0;
                assert!((mean - f64::from(value)).abs() <= 9.0 / 128.0, "{value}: {mean}");
                if levels.shown.contains(&value) {
                    assert!(chosen.windows(2).all(|two| two[0] == two[1]), "{value}");
                }
            }
        }
    }

    #[test]
    fn the_pattern_has_each_threshold_once_and_its_first_half_is_a_checkerboard() {
        let mut all: Vec<u8> = PATTERN.as_flattened().to_vec();
        all.sort_unstable();
        assert_eq!(all, (0..64).collect::<Vec<u8>>());
        for (y, row) in PATTERN.iter().enumerate() {
            for (x, threshold) in row.iter().enumerate() {
                assert_eq!(*threshold < 32, (x + y) % 2 == 0, "{x}, {y}");
            }
        }
    }

    #[test]
    fn all_of_an_error_is_handed_on() {
        for error in -200..200 {
            assert_eq!(shares(error).iter().sum::<i32>(), error);
        }
    }
}
