//! Which sprites are likely none: tiny ones beside others of an ordinary size.

/// Sprites with at most so many pixels may be specks,
const SPECK_AREA: u64 = 8;
/// when the middle one has so many times more.
const SPECK_SHARE: u64 = 50;

/// The largest area, in pixels, that is a speck beside the others; `None` when there are no specks.
pub fn largest_speck(areas: impl IntoIterator<Item = u64>) -> Option<u64> {
    let mut areas: Vec<u64> = areas.into_iter().collect();
    areas.sort_unstable();
    let median = *areas.get(areas.len() / 2)?;
    let is_speck = |area: &u64| *area <= SPECK_AREA && area * SPECK_SHARE < median;
    let count = areas.partition_point(is_speck);
    areas[..count].last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specks_are_small_beside_the_middle_sprite() {
        assert_eq!(largest_speck([400, 3, 400, 1, 390]), Some(3));
        assert_eq!(largest_speck([8, 9, 500, 500, 600]), Some(8));
        assert_eq!(largest_speck([3, 3, 4]), None);
        assert_eq!(largest_speck([]), None);
    }
}
