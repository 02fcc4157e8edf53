//! The box that a click picks out of a sheet.

use crate::geometry::PixelRect;

use super::merging::{around, merge};
use super::{Islands, Merge};

/// The box of the sprite at the pixel `x`, `y`: of the island there or, where no ink is, of the smallest island whose
/// box contains the pixel; `None` when there is neither. With a gap of 0 it is the sprite as [`Merge::Overlap`] has
/// it; otherwise that grows over other such sprites with at most `gap` pixels between, again and again.
pub fn wand(islands: &Islands, x: u32, y: u32, gap: u32) -> Option<PixelRect> {
    let picked = islands.at(x, y).or_else(|| smallest_around(islands, x, y))?;
    let groups = merge(islands.all(), Merge::Overlap);
    let sprite = *groups.sprite_of_island.get(picked)?;
    let mut grown = groups.sprites.get(sprite as usize)?.rect;
    if gap == 0 {
        return Some(grown);
    }
    let mut others: Vec<_> = groups.sprites.iter().map(|sprite| sprite.rect).collect();
    loop {
        let before = grown;
        others.retain(|other| {
            let is_near = are_near(grown, *other, gap);
            if is_near {
                grown = around(grown, *other);
            }
            !is_near
        });
        if grown == before {
            return Some(grown);
        }
    }
}

fn smallest_around(islands: &Islands, x: u32, y: u32) -> Option<usize> {
    let around =
        islands.all().iter().enumerate().filter(|(_, island)| island.rect.contains(x.into(), y.into()));
    let area = |rect: PixelRect| i64::from(rect.width) * i64::from(rect.height);
    around.min_by_key(|(index, island)| (area(island.rect), *index)).map(|(index, _)| index)
}

fn are_near(a: PixelRect, b: PixelRect, gap: u32) -> bool {
    let across = i64::from(a.x.max(b.x)) - a.right().min(b.right());
    let down = i64::from(a.y.max(b.y)) - a.bottom().min(b.bottom());
    across.max(down) <= i64::from(gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use crate::slicing::detect::islands;
    use crate::slicing::ink::{InkBuilder, InkRule};

    fn picked(picture: &[&str], places: &[(u32, u32, u32)]) -> Vec<Option<(i32, i32, i32, i32)>> {
        let mut builder = InkBuilder::new(Size::new(picture[0].len() as u32, picture.len() as u32), &[]);
        for row in picture {
            let rgba: Vec<_> = row.bytes().map(|c| [0, 0, 0, if c == b'#' { 255 } else { 0 }]).collect();
            builder.push_rows(rgba.as_flattened());
        }
        let islands = islands(&builder.finish(), InkRule::default());
        let pick = |&(x, y, gap): &(u32, u32, u32)| {
            wand(&islands, x, y, gap).map(|rect| (rect.x, rect.y, rect.width, rect.height))
        };
        places.iter().map(pick).collect()
    }

    #[test]
    fn ink_and_the_hollow_around_it_pick_the_sprite() {
        let picture = ["####....", "#..#..##", "#..#..##", "####...."];
        let (frame, block) = (Some((0, 0, 4, 4)), Some((6, 1, 2, 2)));
        let places = [(0, 0, 0), (1, 1, 0), (7, 2, 0), (5, 1, 0), (4, 0, 0), (9, 9, 0)];
        assert_eq!(picked(&picture, &places), [frame, frame, block, None, None, None]);
    }

    #[test]
    fn in_a_hollow_the_smallest_box_counts_and_a_sprite_has_all_its_parts() {
        let picture =
            ["#######", "#.....#", "#.#...#", "#.##..#", "#.....#", "#######", ".......", "##....."];
        let frame = Some((0, 0, 7, 6));
        // At 3, 2 there is no ink, but the box of the small island.
        assert_eq!(picked(&picture, &[(3, 2, 0), (2, 3, 0), (0, 0, 0)]), [frame; 3]);
        assert_eq!(picked(&picture, &[(0, 7, 0), (0, 7, 1)]), [Some((0, 7, 2, 1)), Some((0, 0, 7, 8))]);
    }

    #[test]
    fn a_gap_grows_step_by_step() {
        let picture = ["#.#..#...#"];
        let widths = [0, 1, 2, 3].map(|gap| (0, 0, gap));
        let expected = [(0, 0, 1, 1), (0, 0, 3, 1), (0, 0, 6, 1), (0, 0, 10, 1)];
        assert_eq!(picked(&picture, &widths), expected.map(Some));
        assert_eq!(picked(&picture, &[(9, 0, 2)]), [Some((9, 0, 1, 1))]);
        assert_eq!(picked(&picture, &[(9, 0, u32::MAX)]), [Some((0, 0, 10, 1))]);
    }
}
