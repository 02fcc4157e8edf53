//! A smaller picture of an image, made while the image's rows pass by: the whole first, then regions of it, each from its
//! own pixels alone.
//!
//! The rules are the engine's encoder's: an exact area average in which colours weigh by their alpha, halves rounded up;
//! or, for images with a chroma key, the pixel under the middle, which brings no colour that was not there.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::geometry::{PixelRect, Size, map_edge};

/// How several pixels become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// Their average.
    Area,
    /// The one under the middle.
    Nearest,
}

/// Makes the smaller picture. Takes as much memory as that has pixels, whatever the image has.
pub struct Shrinker {
    image: Size,
    stored: Size,
    filter: Filter,
    /// By their first rows.
    tasks: Vec<Task>,
    /// Tasks whose rows pass by, as positions.
    active: Vec<usize>,
    /// Tasks that have begun.
    begun: usize,
    next_row: u32,
    /// Of every stored pixel the task that it is of: the last in order that covers it.
    owners: Vec<u32>,
    rgba: Vec<u8>,
}

/// A rectangle inside a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

struct Task {
    /// Its place in the order of regions; 0 for the whole.
    owner: u32,
    source: Area,
    target: Area,
    columns: Arc<[Share]>,
    rows: Arc<[Share]>,
    /// What the present target row has so far, and what the present source row adds.
    sums: Vec<Sum>,
    row: Vec<Sum>,
    /// Whether the source row has colour without any alpha.
    has_unseen: bool,
}

/// How a source pixel falls on target pixels: on one with so much of it, with the rest on the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    target: usize,
    first: u64,
    rest: u64,
}

/// Weighted sums of pixels: of a row, or of rows.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    /// Red, green and blue times alpha, and alpha.
    seen: [u64; 4],
    /// Colour of pixels without any alpha, which counts when there are no others.
    unseen: [u64; 3],
}

impl Shrinker {
    /// For an image that becomes `stored`, which is no larger, with these regions in their order, in image pixels. What
    /// lies outside the image is left out, and so is what has no pixel at the stored size.
    pub fn new(image: Size, stored: Size, rects_in_image: &[PixelRect], filter: Filter) -> Self {
        let mut shares = Shares::default();
        let whole = PixelRect::of_image(image);
        let mut owners = vec![0; stored.area() as usize];
        let mut tasks = Vec::with_capacity(rects_in_image.len() + 1);
        for (owner, rect) in (1..).zip(rects_in_image) {
            let Some((source, target)) = mapped(*rect, image, stored) else { continue };
            for row in target.rows() {
                let start = row * stored.width as usize + target.x;
                if let Some(row) = owners.get_mut(start..start + target.width) {
                    row.fill(owner);
                }
            }
            tasks.push(Task::new(owner, source, target, &mut shares));
        }
        // What regions cover throughout, nobody sees of the whole.
        if owners.contains(&0)
            && let Some((source, target)) = mapped(whole, image, stored)
        {
            tasks.push(Task::new(0, source, target, &mut shares));
        }
        tasks.sort_by_key(|task| task.source.y);
        let rgba = vec![0; stored.area() as usize * 4];
        Self { image, stored, filter, tasks, active: Vec::new(), begun: 0, next_row: 0, owners, rgba }
    }

    /// Leaves out what has no pixel in a part of the stored picture, so that the rest of it is not right: the image rows
    /// that still matter, of which the first is the first to be pushed.
    pub fn only_for(&mut self, rect_in_stored: PixelRect) -> Range<u32> {
        let width = self.stored.width as usize;
        let Some(part) = rect_in_stored.clipped_to(self.stored) else { return 0..0 };
        let part = Area {
            x: part.x as usize,
            y: part.y as usize,
            width: part.width as usize,
            height: part.height as usize,
        };
        // Those that others cover are not seen.
        let mut seen = vec![false; self.tasks.iter().map(|task| task.owner as usize + 1).max().unwrap_or(0)];
        for row in part.rows() {
            for owner in
                self.owners.get(row * width + part.x..row * width + part.x + part.width).unwrap_or_default()
            {
                if let Some(seen) = seen.get_mut(*owner as usize) {
                    *seen = true;
                }
            }
        }
        self.tasks.retain(|task| seen.get(task.owner as usize).is_some_and(|seen| *seen));
        let first = self.tasks.iter().map(|task| task.source.y).min().unwrap_or(0) as u32;
        let last = self.tasks.iter().map(|task| task.source.y + task.source.height).max().unwrap_or(0) as u32;
        self.next_row = first;
        first..last
    }

    /// Takes the next rows of the image, straight RGBA.
    pub fn push_rows(&mut self, rgba: &[u8]) {
        for row in rgba.chunks_exact(self.image.width as usize * 4) {
            self.push_row(row);
        }
    }

    fn push_row(&mut self, rgba: &[u8]) {
        let Self { tasks, active, begun, owners, rgba: stored, filter, .. } = self;
        let y = self.next_row as usize;
        self.next_row += 1;
        while tasks.get(*begun).is_some_and(|task| task.source.y <= y) {
            active.push(*begun);
            *begun += 1;
        }
        let mut out = Stored { owners, rgba: stored, width: self.stored.width as usize };
        active.retain(|task| {
            let Some(task) = tasks.get_mut(*task) else { return false };
            match filter {
                Filter::Area => task.add_row(y, rgba, &mut out),
                Filter::Nearest => task.pick_row(y, rgba, &mut out),
            }
            y + 1 < task.source.y + task.source.height
        });
    }

    /// The picture, straight RGBA. Rows that never came are clear.
    pub fn finish(self) -> Vec<u8> {
        self.rgba
    }
}

/// A rectangle of the image and where it goes; `None` when there is nothing of it in one of the two.
fn mapped(rect: PixelRect, image: Size, stored: Size) -> Option<(Area, Area)> {
    let source = rect.clipped_to(image)?;
    let edge = |at: i64, image: u32, stored: u32| map_edge(at, image.into(), stored.into());
    let span = |from: i32, to: i64, image: u32, stored: u32| {
        let from = edge(from.into(), image, stored);
        (from as usize, (edge(to, image, stored) - from) as usize)
    };
    let (x, width) = span(source.x, source.right(), image.width, stored.width);
    let (y, height) = span(source.y, source.bottom(), image.height, stored.height);
    let from = Area {
        x: source.x as usize,
        y: source.y as usize,
        width: source.width as usize,
        height: source.height as usize,
    };
    (width > 0 && height > 0).then_some((from, Area { x, y, width, height }))
}

impl Area {
    fn rows(self) -> Range<usize> {
        self.y..self.y + self.height
    }
}

/// Shares of sides that were asked for before: frames mostly have the same few sizes.
#[derive(Default)]
struct Shares(HashMap<(usize, usize), Arc<[Share]>>);

impl Shares {
    /// How so many source pixels fall on so many target pixels, which are no more. A source pixel is `target` parts long,
    /// a target pixel `source` parts.
    fn of(&mut self, source: usize, target: usize) -> Arc<[Share]> {
        let made = self.0.entry((source, target)).or_insert_with(|| {
            let share = |at: usize| {
                let on = at * target / source;
                let first = ((on + 1) * source - at * target).min(target);
                Share { target: on, first: first as u64, rest: (target - first) as u64 }
            };
            (0..source).map(share).collect()
        });
        made.clone()
    }
}

/// The stored picture, of whose pixels each is one task's.
struct Stored<'a> {
    owners: &'a [u32],
    rgba: &'a mut [u8],
    width: usize,
}

impl Stored<'_> {
    /// Writes a row of a target, where it is the owner's.
    fn write(&mut self, owner: u32, target: Area, row: usize, pixels: impl Iterator<Item = [u8; 4]>) {
        let start = (target.y + row) * self.width + target.x;
        let places = start..start + target.width;
        let Some(owners) = self.owners.get(places.clone()) else { return };
        let Some(stored) = self.rgba.get_mut(places.start * 4..places.end * 4) else { return };
        for ((place, whose), pixel) in stored.as_chunks_mut::<4>().0.iter_mut().zip(owners).zip(pixels) {
            if *whose == owner {
                *place = pixel;
            }
        }
    }
}

impl Task {
    fn new(owner: u32, source: Area, target: Area, shares: &mut Shares) -> Self {
        let columns = shares.of(source.width, target.width);
        let rows = shares.of(source.height, target.height);
        Self { owner, source, target, columns, rows, sums: Vec::new(), row: Vec::new(), has_unseen: false }
    }

    /// Its part of a row of the image, and that row's place in it.
    fn part<'a>(&self, y: usize, row: &'a [u8]) -> Option<(usize, &'a [[u8; 4]])> {
        let pixels = row.as_chunks::<4>().0;
        let part = pixels.get(self.source.x..self.source.x + self.source.width)?;
        Some((y.checked_sub(self.source.y)?, part))
    }

    fn add_row(&mut self, y: usize, row: &[u8], out: &mut Stored<'_>) {
        let Some((at, part)) = self.part(y, row) else { return };
        let Some(share) = self.rows.get(at).copied() else { return };
        self.row.clear();
        // One more than there are, for the rest of the last pixel, which is nothing.
        self.row.resize(self.target.width + 1, Sum::default());
        self.has_unseen = false;
        self.sums.resize(self.target.width, Sum::default());
        for (pixel, share) in part.iter().zip(&*self.columns) {
            // Nothing, which much of a sheet is, adds nothing.
            if *pixel == [0; 4] {
                continue;
            }
            self.has_unseen |= pixel[3] == 0;
            if let Some([on, next]) = self.row.get_mut(share.target..).and_then(<[_]>::first_chunk_mut) {
                on.add_pixel(*pixel, share.first);
                if share.rest > 0 {
                    next.add_pixel(*pixel, share.rest);
                }
            }
        }
        self.add_to_sums(share.first);
        let is_last = at + 1 == self.source.height;
        if share.rest > 0 || is_last || self.rows.get(at + 1).is_some_and(|next| next.target > share.target) {
            let weight = (self.source.width * self.source.height) as u64;
            let pixels = self.sums.iter().map(|sum| sum.pixel(weight));
            out.write(self.owner, self.target, share.target, pixels);
            self.sums.fill(Sum::default());
            if share.rest > 0 {
                self.add_to_sums(share.rest);
            }
        }
        if is_last {
            // Of thousands of frames only those that pass by hold sums.
            (self.sums, self.row) = (Vec::new(), Vec::new());
        }
    }

    /// Adds the source row with a weight.
    fn add_to_sums(&mut self, weight: u64) {
        for (sum, row) in self.sums.iter_mut().zip(&self.row) {
            for (sum, row) in sum.seen.iter_mut().zip(row.seen) {
                *sum += row * weight;
            }
        }
        if self.has_unseen {
            for (sum, row) in self.sums.iter_mut().zip(&self.row) {
                for (sum, row) in sum.unseen.iter_mut().zip(row.unseen) {
                    *sum += row * weight;
                }
            }
        }
    }

    /// Writes the target row whose middle lies in this row, if there is one.
    fn pick_row(&mut self, y: usize, row: &[u8], out: &mut Stored<'_>) {
        let Some((at, part)) = self.part(y, row) else { return };
        let middle = |target: usize, source: usize, targets: usize| (2 * target + 1) * source / (2 * targets);
        let (source, target) = (self.source, self.target);
        let first = at * target.height / source.height;
        let rows = [first, first + 1].into_iter().filter(|on| *on < target.height);
        for on in rows.filter(|on| middle(*on, source.height, target.height) == at) {
            let columns = (0..target.width).map(|column| middle(column, source.width, target.width));
            let pixels = columns.map(|column| part.get(column).copied().unwrap_or_default());
            out.write(self.owner, target, on, pixels);
        }
    }
}

impl Sum {
    fn add_pixel(&mut self, [red, green, blue, alpha]: [u8; 4], weight: u64) {
        if alpha == 0 {
            for (sum, channel) in self.unseen.iter_mut().zip([red, green, blue]) {
                *sum += u64::from(channel) * weight;
            }
            return;
        }
        let seen = u64::from(alpha) * weight;
        let values = [u64::from(red) * seen, u64::from(green) * seen, u64::from(blue) * seen, seen];
        for (sum, value) in self.seen.iter_mut().zip(values) {
            *sum += value;
        }
    }

    /// The pixel of sums of that weight.
    fn pixel(&self, weight: u64) -> [u8; 4] {
        let [red, green, blue, alpha] = self.seen;
        if alpha == 0 {
            let [red, green, blue] = self.unseen.map(|sum| rounded(sum, weight));
            return [red, green, blue, 0];
        }
        let [red, green, blue] = [red, green, blue].map(|sum| rounded(sum, alpha));
        [red, green, blue, rounded(alpha, weight)]
    }
}

/// `sum / of`, halves up. A double divides faster than whole numbers are divided, and exactly enough: both numbers are
/// below 2^53, and a quotient below a whole number of at most 255 is so by 2^-42 or more, which a double tells apart.
fn rounded(sum: u64, of: u64) -> u8 {
    ((2 * sum + of) as f64 / (2 * of) as f64) as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An image with these pixels.
    #[derive(Debug, Clone)]
    struct Image {
        size: Size,
        pixels: Vec<[u8; 4]>,
    }

    impl Image {
        fn shrunk(&self, stored: Size, rects: &[PixelRect], filter: Filter) -> Vec<[u8; 4]> {
            let mut shrinker = Shrinker::new(self.size, stored, rects, filter);
            shrinker.push_rows(self.pixels.as_flattened());
            shrinker.finish().as_chunks().0.to_vec()
        }

        fn at(&self, x: i64, y: i64) -> [i128; 4] {
            self.pixels[(y * i64::from(self.size.width) + x) as usize].map(i128::from)
        }
    }

    /// How much of the source pixel `at` lies in the target pixel `on` of `targets` that `sources` pixels become, in parts
    /// of which a source pixel has `targets`.
    fn overlap(at: i64, on: i64, sources: i64, targets: i64) -> i128 {
        let (from, to) = (on * sources, (on + 1) * sources);
        ((to.min((at + 1) * targets) - from.max(at * targets)).max(0)).into()
    }

    /// The rule pixel by pixel in whole numbers: the area average of `rect` at a place of its target.
    fn average(image: &Image, rect: PixelRect, target: (i64, i64), on: (i64, i64)) -> [u8; 4] {
        let (width, height) = (i64::from(rect.width), i64::from(rect.height));
        let (mut weights, mut alpha, mut seen, mut plain) = (0, 0, [0; 3], [0; 3]);
        for y in 0..height {
            for x in 0..width {
                let weight = overlap(x, on.0, width, target.0) * overlap(y, on.1, height, target.1);
                let pixel = image.at(i64::from(rect.x) + x, i64::from(rect.y) + y);
                weights += weight;
                alpha += weight * pixel[3];
                for channel in 0..3 {
                    seen[channel] += weight * pixel[3] * pixel[channel];
                    plain[channel] += weight * pixel[channel];
                }
            }
        }
        let round = |sum: i128, of: i128| u8::try_from((2 * sum + of).div_euclid(2 * of)).unwrap();
        let [red, green, blue] =
            if alpha > 0 { seen.map(|sum| round(sum, alpha)) } else { plain.map(|sum| round(sum, weights)) };
        [red, green, blue, round(alpha, weights)]
    }

    fn edge(at: i64, image: u32, stored: u32) -> i64 {
        // Half up, of numbers that are not negative.
        (2 * at * i64::from(stored) + i64::from(image)) / (2 * i64::from(image))
    }

    /// The whole picture by that rule: the whole, then each region over it.
    fn expected(image: &Image, stored: Size, rects: &[PixelRect]) -> Vec<[u8; 4]> {
        let mut picture = vec![[0; 4]; stored.area() as usize];
        for rect in [PixelRect::of_image(image.size)].iter().chain(rects) {
            let left = edge(rect.x.into(), image.size.width, stored.width);
            let top = edge(rect.y.into(), image.size.height, stored.height);
            let width = edge(rect.right(), image.size.width, stored.width) - left;
            let height = edge(rect.bottom(), image.size.height, stored.height) - top;
            for y in 0..height {
                for x in 0..width {
                    let place = (top + y) * i64::from(stored.width) + left + x;
                    picture[place as usize] = average(image, *rect, (width, height), (x, y));
                }
            }
        }
        picture
    }

    /// Values that show rounding and what alpha does to it.
    fn channel() -> impl Strategy<Value = u8> {
        prop_oneof![Just(0), Just(255), Just(128), any::<u8>()]
    }

    fn images() -> impl Strategy<Value = Image> {
        (1_u32..14, 1_u32..14).prop_flat_map(|(width, height)| {
            let pixel = [channel(), channel(), channel(), channel()];
            let pixels = proptest::collection::vec(pixel, (width * height) as usize);
            pixels.prop_map(move |pixels| Image { size: Size::new(width, height), pixels })
        })
    }

    /// An image, a smaller size, and rectangles inside the image.
    fn orders() -> impl Strategy<Value = (Image, Size, Vec<PixelRect>)> {
        images().prop_flat_map(|image| {
            let Size { width, height } = image.size;
            let stored = (1..=width, 1..=height).prop_map(|(width, height)| Size::new(width, height));
            let rect = (0..width, 0..height).prop_flat_map(move |(x, y)| {
                let (x, y) = (x as i32, y as i32);
                (1..=width as i32 - x, 1..=height as i32 - y)
                    .prop_map(move |(width, height)| PixelRect::new(x, y, width, height))
            });
            (Just(image), stored, proptest::collection::vec(rect, 0..5))
        })
    }

    proptest! {
        #[test]
        fn every_pixel_is_the_exact_average_and_later_regions_lie_over_earlier_ones(
            (image, stored, rects) in orders()
        ) {
            prop_assert_eq!(image.shrunk(stored, &rects, Filter::Area), expected(&image, stored, &rects));
        }

        #[test]
        fn nearest_brings_no_new_colour_and_takes_the_pixel_under_the_middle((image, stored, _) in orders()) {
            let picture = image.shrunk(stored, &[], Filter::Nearest);
            for (place, pixel) in picture.iter().enumerate() {
                let (x, y) = (place as u32 % stored.width, place as u32 / stored.width);
                let under = |at: u32, image: u32, stored: u32| (2 * at + 1) * image / (2 * stored);
                let from = (under(x, image.size.width, stored.width), under(y, image.size.height, stored.height));
                prop_assert_eq!(*pixel, image.pixels[(from.1 * image.size.width + from.0) as usize]);
            }
        }

        #[test]
        fn a_frame_has_nothing_of_what_is_outside_of_it((image, stored, rects) in orders()) {
            // Of several the last lies over the others.
            let Some(rect) = rects.last().copied() else { return Ok(()) };
            let mut other = image.clone();
            for (place, pixel) in other.pixels.iter_mut().enumerate() {
                let (x, y) = (place as u32 % image.size.width, place as u32 / image.size.width);
                if !rect.contains(x.into(), y.into()) {
                    *pixel = [255 - pixel[0], pixel[1] ^ 0x55, 7, 255 - pixel[3]];
                }
            }
            for filter in [Filter::Area, Filter::Nearest] {
                let [one, two] = [&image, &other].map(|image| image.shrunk(stored, &rects, filter));
                let (columns, rows) = (
                    edge(rect.x.into(), image.size.width, stored.width)..edge(rect.right(), image.size.width, stored.width),
                    edge(rect.y.into(), image.size.height, stored.height)..edge(rect.bottom(), image.size.height, stored.height),
                );
                for y in rows {
                    for x in columns.clone() {
                        let place = (y * i64::from(stored.width) + x) as usize;
                        prop_assert_eq!(one[place], two[place], "{:?} {} {}", filter, x, y);
                    }
                }
            }
        }

        #[test]
        fn rows_may_come_in_any_portions((image, stored, rects) in orders(), portion in 1_usize..5) {
            let mut shrinker = Shrinker::new(image.size, stored, &rects, Filter::Area);
            for rows in image.pixels.chunks(portion * image.size.width as usize) {
                shrinker.push_rows(rows.as_flattened());
            }
            let whole = image.shrunk(stored, &rects, Filter::Area);
            prop_assert_eq!(shrinker.finish(), whole.as_flattened());
        }
    }

    fn row(pixels: &[[u8; 4]]) -> Image {
        Image { size: Size::new(pixels.len() as u32, 1), pixels: pixels.to_vec() }
    }

    #[test]
    fn what_cannot_be_seen_does_not_darken_what_can() {
        let image = row(&[[255, 255, 255, 255], [0, 0, 0, 0]]);
        assert_eq!(image.shrunk(Size::new(1, 1), &[], Filter::Area), [[255, 255, 255, 128]]);
        let unseen = row(&[[10, 20, 30, 0], [20, 40, 61, 0]]);
        assert_eq!(
            unseen.shrunk(Size::new(1, 1), &[], Filter::Area),
            [[15, 30, 46, 0]],
            "45.5 is rounded up"
        );
    }

    #[test]
    fn a_pixel_that_two_share_counts_for_each_with_its_part() {
        // Three become two: the middle one lies half in each.
        let image = row(&[[0, 0, 0, 255], [120, 0, 0, 255], [240, 0, 0, 255]]);
        let picture = image.shrunk(Size::new(2, 1), &[], Filter::Area);
        assert_eq!(picture, [[40, 0, 0, 255], [200, 0, 0, 255]]);
    }

    #[test]
    fn regions_without_a_pixel_at_the_stored_size_or_in_the_image_leave_the_whole() {
        let image = row(&[[0, 0, 0, 255], [100, 0, 0, 255], [100, 0, 0, 255], [200, 0, 0, 255]]);
        // Edges 0 and 1 of 4 both come to 0 of 1; the other lies outside.
        let rects = [PixelRect::new(0, 0, 1, 1), PixelRect::new(4, 0, 2, 1)];
        assert_eq!(image.shrunk(Size::new(1, 1), &rects, Filter::Area), [[100, 0, 0, 255]]);
    }
}
