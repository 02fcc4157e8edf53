//! What detection found, in words, and which of it is likely no sprite.

use crate::session::Detected;
use crate::slicing::detect::Sprite;
use crate::slicing::largest_speck;
use crate::ui::widgets;

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
    let largest = largest_speck(sprites.iter().map(|sprite| sprite.ink_area))?;
    let count = sprites.iter().filter(|sprite| sprite.ink_area <= largest).count();
    Some((count, largest as u32 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PixelRect;

    #[test]
    fn specks_are_counted_with_the_area_that_leaves_them_out() {
        let sprite = |ink_area| Sprite { rect: PixelRect::default(), ink_area, parts: 1 };
        let all = |areas: &[u64]| areas.iter().copied().map(sprite).collect::<Vec<_>>();
        assert_eq!(specks(&all(&[400, 3, 400, 1, 390])), Some((2, 4)));
        assert_eq!(specks(&all(&[3, 3, 4])), None);
    }
}
