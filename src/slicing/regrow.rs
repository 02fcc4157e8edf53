//! Growing a frame that cuts a sprite to all of it.

use super::census::is_cut;
use super::detect::Islands;
use crate::geometry::PixelRect;

/// The rectangle with all islands that its edges cut, see [`is_cut`]; itself when they cut none, or when no pixel of it
/// is inside the image.
pub fn grown_to_ink(rect: PixelRect, islands: &Islands) -> PixelRect {
    let Some(PixelRect { x, y, width, height }) = rect.clipped_to(islands.size()) else { return rect };
    let (right, bottom) = (x + width, y + height);
    let across = |at: i32, step: i32| (y..bottom).map(move |y| ((at, y), (at + step, y)));
    let down = |at: i32, step: i32| (x..right).map(move |x| ((x, at), (x, at + step)));
    let mut grown = rect;
    for pairs in [across(x, -1).collect::<Vec<_>>(), across(right - 1, 1).collect()] {
        grown = grow_over(grown, &pairs, islands);
    }
    for pairs in [down(y, -1).collect::<Vec<_>>(), down(bottom - 1, 1).collect()] {
        grown = grow_over(grown, &pairs, islands);
    }
    grown
}

/// A pixel inside an edge and the one beyond it.
type Pair = ((i32, i32), (i32, i32));

fn grow_over(rect: PixelRect, edge: &[Pair], islands: &Islands) -> PixelRect {
    let at = |(x, y): (i32, i32)| islands.at(u32::try_from(x).ok()?, u32::try_from(y).ok()?);
    let inside: Vec<_> =
        edge.iter().filter_map(|(inside, beyond)| Some((at(*inside)?, at(*beyond)))).collect();
    let crossing: Vec<_> =
        inside.iter().filter(|(_, beyond)| beyond.is_some()).map(|(island, _)| *island).collect();
    if !is_cut(inside.len() as u32, crossing.len() as u32, edge.len() as u32) {
        return rect;
    }
    let cut = crossing.into_iter().filter_map(|island| islands.all().get(island));
    cut.fold(rect, |rect, island| rect.union(island.rect))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use crate::slicing::detect::islands;
    use crate::slicing::ink::{InkBuilder, InkRule};

    #[test]
    fn a_frame_grows_to_the_sprites_that_its_edges_cut_and_to_no_others() {
        let picture = ["........", "..####..", "...#....", "...##...", "...#...#", "#......#"];
        let mut builder = InkBuilder::new(Size::new(8, 6), &[]);
        for row in picture {
            let rgba: Vec<_> = row.bytes().map(|c| [0, 0, 0, if c == b'#' { 255 } else { 0 }]).collect();
            builder.push_rows(rgba.as_flattened());
        }
        let islands = islands(&builder.finish(), InkRule::default());
        let grown = |x, y, width, height| grown_to_ink(PixelRect::new(x, y, width, height), &islands);
        assert_eq!(grown(0, 0, 4, 6), PixelRect::new(0, 0, 6, 6), "over the right edge");
        assert_eq!(
            grown(4, 0, 3, 4),
            PixelRect::new(2, 0, 5, 5),
            "over the left edge, and the sprite ends lower"
        );
        assert_eq!(grown(2, 1, 4, 4), PixelRect::new(2, 1, 4, 4));
        assert_eq!(grown(7, 5, 1, 1), PixelRect::new(7, 5, 1, 1), "ink along all of an edge");
        assert_eq!(grown(-2, 0, 6, 6), PixelRect::new(-2, 0, 8, 6), "what is outside stays");
        assert_eq!(grown(9, 9, 1, 1), PixelRect::new(9, 9, 1, 1));
    }
}
