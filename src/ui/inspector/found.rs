//! What detection found, in words, and which of it is likely no sprite.

use crate::session::Detected;
use crate::slicing::detect::Sprite;
use crate::ui::widgets;

/// Sprites with at most so many pixels may be specks,
const SPECK_AREA: u64 = 8;
/// when the middle one has so many times more.
const SPECK_SHARE: u64 = 50;

/// "117 sprites, 4 merged, 3 dropped".
pub(super) fn found_words(detected: &Detected) -> String {
    let detection = &detected.detection;
    let mut words = vec![widgets::count_text(detection.sprites.len(), "sprite")];
    for (count, word) in [(detection.merged.len(), "merged"), (detection.dropped.len(), "dropped")] {
        if count > 0 {
            words.push(format!("{count} {word}"));
        }
    }
    words.join(", ")
}

/// How many sprites are specks beside the others, and the smallest area that leaves these out.
pub(super) fn specks(sprites: &[Sprite]) -> Option<(usize, u32)> {
    let mut areas: Vec<u64> = sprites.iter().map(|sprite| sprite.ink_area).collect();
    areas.sort_unstable();
    let median = *areas.get(areas.len() / 2)?;
    let is_speck = |area: &u64| *area <= SPECK_AREA && area * SPECK_SHARE < median;
    let count = areas.partition_point(is_speck);
    let largest = areas[..count].last()?;
    Some((count, *largest as u32 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PixelRect;

    #[test]
    fn specks_are_small_beside_the_middle_sprite() {
        let sprite = |ink_area| Sprite { rect: PixelRect::default(), ink_area, parts: 1 };
        let all = |areas: &[u64]| areas.iter().copied().map(sprite).collect::<Vec<_>>();
        assert_eq!(specks(&all(&[400, 3, 400, 1, 390])), Some((2, 4)));
        assert_eq!(specks(&all(&[8, 9, 500, 500, 600])), Some((1, 9)));
        assert_eq!(specks(&all(&[3, 3, 4])), None);
        assert_eq!(specks(&[]), None);
    }
}
