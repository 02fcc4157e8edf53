//! What the pixels of each frame are: whether there are any to see, whether other frames have the same, and whether an
//! edge cuts through a sprite. Counted while an image's rows pass by on their way to the texture, so that it costs
//! little: hashing, a look for the first ink of each frame, and the edges.

use std::collections::HashMap;
use std::ops::Range;

use super::arrange::Edges;
use super::ink::InkRule;
use crate::geometry::{PixelRect, Size};
use crate::hash::{ContentHash, Hasher};

/// Pixels that are looked at, as a multiple of the image's: frames that lie over each other are counted again, and a
/// file can list thousands of large ones.
const MAX_COVERAGE: u64 = 8;
/// Pixels looked at together for the first ink.
const CHUNK: usize = 64;

/// What the pixels of a frame are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameInk {
    /// Size of the part that the image has.
    pub size: Size,
    /// Whether no pixel of it can be seen.
    pub is_empty: bool,
    /// Hash of its pixels: frames of one size with the same hash look the same.
    pub hash: ContentHash,
    /// Edges that cut through a sprite.
    pub cut: Edges,
}

/// Looks at the frames of an image while its rows pass by.
pub struct Census {
    image: Size,
    /// What is to be looked at, each rectangle once.
    rects: Vec<PixelRect>,
    /// Each frame's place in `rects`.
    place_of_frame: Vec<Option<usize>>,
    /// Places in `rects` from the top down.
    order: Vec<usize>,
    begun: usize,
    active: Vec<Active>,
    done: Vec<Option<FrameInk>>,
    /// Room for one frame's part of some rows.
    together: Vec<[u8; 4]>,
    /// The row above the next one.
    last_row: Vec<u8>,
    /// The next row.
    y: u32,
}

/// A frame that has begun and not ended.
struct Active {
    place: usize,
    rect: PixelRect,
    has_ink: bool,
    left: Meeting,
    right: Meeting,
    top: Meeting,
    hasher: Hasher,
}

/// Rows that came together, and the one above them.
struct Band<'a> {
    above: &'a [u8],
    rows: &'a [u8],
    row_bytes: usize,
    /// The first of the rows.
    start: u32,
    /// The row after the last.
    end: u32,
}

impl Band<'_> {
    /// The pixels of a row of these, or of the one above.
    fn row(&self, y: u32) -> &[[u8; 4]] {
        let bytes = match y.checked_sub(self.start) {
            Some(row) => &self.rows[row as usize * self.row_bytes..][..self.row_bytes],
            None => self.above,
        };
        bytes.as_chunks().0
    }
}

/// Pixels along an edge.
#[derive(Clone, Copy, Default)]
struct Meeting {
    /// Ink inside.
    ink: u32,
    /// Ink inside with ink beyond the edge.
    crossing: u32,
}

impl Meeting {
    fn add(&mut self, inside: [u8; 4], beyond: [u8; 4]) {
        let is_inside = is_ink(inside);
        self.ink += u32::from(is_inside);
        self.crossing += u32::from(is_inside && is_ink(beyond));
    }

    fn along(inside: &[[u8; 4]], beyond: &[[u8; 4]]) -> Self {
        let mut meeting = Self::default();
        for (inside, beyond) in inside.iter().zip(beyond) {
            meeting.add(*inside, *beyond);
        }
        meeting
    }

    fn is_cut(self, length: u32) -> bool {
        is_cut(self.ink, self.crossing, length)
    }
}

/// Whether an edge of so many pixels cuts a sprite, by its pixels of ink and by those of them with ink beyond the edge.
/// Tiles that fill their cells touch on purpose, and so do opaque images everywhere: a sprite is cut where ink goes on
/// over less than 60 % of an edge that has gaps.
pub fn is_cut(ink: u32, crossing: u32, length: u32) -> bool {
    crossing > 0 && ink < length && u64::from(crossing) * 10 < u64::from(length) * 6
}

fn is_ink(pixel: [u8; 4]) -> bool {
    pixel[3] > InkRule::default().alpha_threshold
}

fn has_ink(pixels: &[[u8; 4]]) -> bool {
    // The bits of many alphas at once rule out most that have no ink: a loop that could end at any pixel would take
    // them one by one.
    let faint = (InkRule::default().alpha_threshold + 1).next_power_of_two() / 2 - 1;
    pixels.chunks(CHUNK).any(|chunk| {
        let bits = chunk.iter().fold(0, |bits, pixel| bits | u32::from_le_bytes(*pixel));
        bits.to_le_bytes()[3] > faint && chunk.iter().any(|pixel| is_ink(*pixel))
    })
}

impl Active {
    fn columns(&self) -> Range<usize> {
        self.rect.x as usize..self.rect.right() as usize
    }

    /// Takes its part of some rows. That part is put together first: the rows of small frames are too short to be
    /// hashed one by one.
    fn take(&mut self, band: &Band<'_>, together: &mut Vec<[u8; 4]>) {
        let Range { start, end } = self.columns();
        let (top, bottom) = (self.rect.y as u32, self.rect.bottom() as u32);
        if top > 0 && top >= band.start {
            self.top = Meeting::along(&band.row(top)[start..end], &band.row(top - 1)[start..end]);
        }
        together.clear();
        for y in top.max(band.start)..bottom.min(band.end) {
            let row = band.row(y);
            together.extend_from_slice(&row[start..end]);
            if start > 0 {
                self.left.add(row[start], row[start - 1]);
            }
            if let Some(beyond) = row.get(end) {
                self.right.add(row[end - 1], *beyond);
            }
        }
        self.hasher.update(together.as_flattened());
        self.has_ink = self.has_ink || has_ink(together);
    }
}

impl Census {
    /// For an image of that size with these frames, which may lie anywhere.
    pub fn new(rects: impl IntoIterator<Item = PixelRect>, image: Size) -> Self {
        let rects = rects.into_iter();
        let (expected, _) = rects.size_hint();
        let mut left = image.area().saturating_mul(MAX_COVERAGE);
        let mut places = HashMap::with_capacity(expected);
        let mut wanted: Vec<PixelRect> = Vec::with_capacity(expected);
        let place_of_frame = rects
            .map(|rect| {
                let rect = rect.clipped_to(image)?;
                let known = places.get(&rect).copied();
                known.or_else(|| {
                    left = left.checked_sub(rect.width as u64 * rect.height as u64)?;
                    wanted.push(rect);
                    places.insert(rect, wanted.len() - 1);
                    Some(wanted.len() - 1)
                })
            })
            .collect();
        let mut order: Vec<usize> = (0..wanted.len()).collect();
        order.sort_by_key(|place| (wanted[*place].y, wanted[*place].x));
        Self {
            image,
            done: vec![None; wanted.len()],
            rects: wanted,
            place_of_frame,
            order,
            begun: 0,
            active: Vec::new(),
            together: Vec::new(),
            last_row: Vec::new(),
            y: 0,
        }
    }

    /// Takes the next rows from the top: straight RGBA, whole rows, not more than the image has.
    pub fn push_rows(&mut self, rgba: &[u8]) {
        let row_bytes = self.image.width as usize * 4;
        if row_bytes == 0 || (self.active.is_empty() && self.begun == self.order.len()) {
            return;
        }
        let above = std::mem::take(&mut self.last_row);
        let (start, end) = (self.y, self.y + (rgba.len() / row_bytes) as u32);
        let band = Band { above: &above, rows: rgba, row_bytes, start, end };
        self.begin_in(&band);
        let mut index = 0;
        while let Some(active) = self.active.get_mut(index) {
            active.take(&band, &mut self.together);
            let bottom = active.rect.bottom() as u32;
            // What comes below its last row may be in the next band.
            if bottom < end {
                let columns = active.columns();
                let meeting =
                    Meeting::along(&band.row(bottom - 1)[columns.clone()], &band.row(bottom)[columns]);
                let ended = self.active.swap_remove(index);
                self.end(ended, meeting);
            } else {
                index += 1;
            }
        }
        if end > start {
            self.last_row = band.row(end - 1).as_flattened().to_vec();
        }
        self.y = end;
    }

    fn begin_in(&mut self, band: &Band<'_>) {
        while let Some(place) = self.order.get(self.begun).copied() {
            let rect = self.rects[place];
            if rect.y as u32 >= band.end {
                break;
            }
            let (left, right, top) = Default::default();
            let hasher = Hasher::default();
            self.active.push(Active { place, rect, has_ink: false, left, right, top, hasher });
            self.begun += 1;
        }
    }

    fn end(&mut self, active: Active, bottom: Meeting) {
        let Active { place, rect: PixelRect { width, height, .. }, has_ink, left, right, top, hasher } =
            active;
        let size = Size::new(width as u32, height as u32);
        let cut = Edges {
            left: left.is_cut(size.height),
            top: top.is_cut(size.width),
            right: right.is_cut(size.height),
            bottom: bottom.is_cut(size.width),
        };
        self.done[place] = Some(FrameInk { size, is_empty: !has_ink, hash: hasher.finish(), cut });
    }

    /// What there is in each frame; `None` for one that has no pixels in the image, or that was too much to look at.
    pub fn finish(mut self) -> Vec<Option<FrameInk>> {
        for active in std::mem::take(&mut self.active) {
            // Below the last row there is nothing to be cut off from.
            if active.rect.bottom() == i64::from(self.y) {
                self.end(active, Meeting::default());
            }
        }
        self.place_of_frame.iter().map(|place| self.done[(*place)?]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One letter for a pixel: `.` clear, `:` too faint to see, others ink of their own colour.
    fn rows(picture: &[&str]) -> Vec<u8> {
        let pixel = |letter| match letter {
            b'.' => [0; 4],
            b':' => [9, 9, 9, 8],
            other => [other, 0, 0, 9],
        };
        picture.iter().flat_map(|row| row.bytes()).flat_map(pixel).collect()
    }

    fn census(
        picture: &[&str],
        rects: &[(i32, i32, i32, i32)],
        rows_at_once: usize,
    ) -> Vec<Option<FrameInk>> {
        let size = Size::new(picture[0].len() as u32, picture.len() as u32);
        let rects = rects.iter().map(|(x, y, width, height)| PixelRect::new(*x, *y, *width, *height));
        let mut census = Census::new(rects, size);
        for band in rows(picture).chunks(rows_at_once * picture[0].len() * 4) {
            census.push_rows(band);
        }
        census.finish()
    }

    const NONE: Edges = Edges { left: false, top: false, right: false, bottom: false };

    #[test]
    fn empty_frames_have_no_ink_and_equal_ones_the_same_hash() {
        let picture = ["ab..ab..", "ba:.ba..", "....ab..", "....ba.."];
        let rects = [
            (0, 0, 2, 2),
            (2, 0, 2, 2),
            (4, 0, 2, 2),
            (4, 2, 2, 2),
            (6, 0, 2, 2),
            (0, 0, 2, 1),
            (9, 9, 2, 2),
        ];
        for rows_at_once in 1..5 {
            let found = census(&picture, &rects, rows_at_once);
            let empty: Vec<_> = found.iter().map(|ink| ink.map(|ink| ink.is_empty)).collect();
            let seen = Some(false);
            assert_eq!(empty, [seen, Some(true), seen, seen, Some(true), seen, None]);
            let hash = |index: usize| found[index].unwrap().hash;
            assert_eq!(hash(0), ContentHash::of(&rows(&["ab", "ba"])));
            assert!(hash(0) == hash(2) && hash(0) == hash(3) && hash(1) != hash(4));
            assert_eq!(found[5].unwrap().size, Size::new(2, 1));
        }
    }

    #[test]
    fn a_sprite_that_goes_on_beyond_an_edge_is_cut_there() {
        let picture = ["........", "..aaaa..", "...a....", "...aa...", "...a....", "........"];
        // The left half ends in the second and third sprite columns; the middle ends under the first row.
        let rects = [(0, 0, 4, 6), (4, 0, 4, 6), (0, 0, 8, 2), (0, 2, 8, 4), (2, 1, 4, 4)];
        for rows_at_once in [1, 2, 3, 6] {
            let cut: Vec<_> =
                census(&picture, &rects, rows_at_once).into_iter().map(|ink| ink.unwrap().cut).collect();
            assert_eq!(cut[0], Edges { right: true, ..NONE }, "2 of 6 px");
            assert_eq!(cut[1], Edges { left: true, ..NONE });
            assert_eq!(cut[2], Edges { bottom: true, ..NONE }, "1 of 8 px");
            assert_eq!(cut[3], Edges { top: true, ..NONE });
            assert_eq!(cut[4], NONE, "all of the sprite");
        }
    }

    #[test]
    fn full_edges_and_wide_meetings_are_tiles_that_touch_on_purpose() {
        let opaque = ["aabb", "aabb", "aabb", "aabb"];
        assert_eq!(
            census(&opaque, &[(0, 0, 2, 4), (2, 2, 2, 2)], 4)
                .into_iter()
                .map(|ink| ink.unwrap().cut)
                .collect::<Vec<_>>(),
            [NONE; 2]
        );
        // Ink along the whole of the left one's edge, on one pixel of the right one's.
        let tiles = ["aab.", "aa..", "aa..", "aa.."];
        let found = census(&tiles, &[(0, 0, 2, 4), (2, 0, 2, 4)], 4);
        assert_eq!((found[0].unwrap().cut, found[1].unwrap().cut), (NONE, Edges { left: true, ..NONE }));
        // 3 of 5 px are 60 %, 2 of 5 are less.
        for (picture, is_cut) in [
            (["ab", "ab", "ab", "..", ".."], false),
            (["ab", "ab", "..", "..", ".."], true),
            (["a.", "a.", "..", ".b", ".b"], false),
        ] {
            let found = census(&picture, &[(0, 0, 1, 5)], 5);
            assert_eq!(found[0].unwrap().cut.right, is_cut, "{picture:?}");
        }
    }

    #[test]
    fn frames_over_each_other_are_looked_at_as_far_as_is_reasonable() {
        let picture = ["ab", "ab"];
        // 8 images' worth: the whole once however often it is listed, then 7 x 4 pixels of others.
        let mut rects = vec![(0, 0, 2, 2); 50];
        rects.extend([(-1, 0, 2, 2), (1, 1, 5, 5), (0, 0, 1, 1)]);
        let found = census(&picture, &rects, 1);
        assert!(found.iter().all(Option::is_some));
        assert_eq!(found[50].unwrap().size, Size::new(1, 2), "the part that the image has");
        let size = Size::new(64, 1);
        let many = (0..64).map(|x| PixelRect::new(x, 0, 64, 1));
        let mut census = Census::new(many, size);
        census.push_rows(&[255; 256]);
        // 64 + 63 + … + 57 = 484 pixels; with 56 more they would be over 8 x 64 = 512.
        let found = census.finish();
        assert_eq!(found.iter().take_while(|ink| ink.is_some()).count(), 8);
    }
}
