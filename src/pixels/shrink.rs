//! A smaller picture of an image, made while the image's rows pass by: the whole first, then regions of it, each from its
//! own pixels alone.
//!
//! The rules are the engine's encoder's: an exact area average in which colours weigh by their alpha, halves rounded up;
//! or, for images with a chroma key, the pixel under the middle, which brings no colour that was not there.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::even::{Even, EvenSum};
use super::regions::{Area, GAPS, mapped};
use crate::geometry::{PixelRect, Size};

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
    next_row: usize,
    /// Of every stored pixel the task that it is of: the last in order that covers it.
    owners: Vec<u32>,
    rgba: Vec<u8>,
}

struct Task {
    /// Its place in the order of regions; [`GAPS`] for the whole.
    owner: u32,
    source: Area,
    target: Area,
    /// What of the target is wanted, counted from its corner, and the part of the source that this is made of.
    window: Area,
    looked_at: Area,
    columns: Arc<[Column]>,
    rows: Arc<[Share]>,
    /// What the present target row has so far, and what the present source row adds to it: red, green and blue times
    /// alpha, and alpha; and colour where nothing has alpha, for all columns or for none.
    sums: Vec<Sum>,
    row: Vec<[u64; 4]>,
    unseen: Vec<[u64; 3]>,
    /// Set where every target pixel is of as many whole source pixels, which no weights are needed for.
    even: Option<Even>,
}

/// The source pixels of a target pixel along a row. All but the first and the last lie in it with all they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Column {
    start: usize,
    end: usize,
    /// How much of the first and of the last lies in it, which may be one and the same.
    first: u64,
    last: u64,
}

impl Column {
    /// That of a target pixel, where so many source pixels become so many.
    fn of(target: usize, sources: usize, targets: usize) -> Self {
        let (from, to) = (target * sources, (target + 1) * sources);
        let (start, end) = (from / targets, to.div_ceil(targets));
        let first = to.min((start + 1) * targets) - from;
        let last = to - from.max((end - 1) * targets);
        Self { start, end, first: first as u64, last: last as u64 }
    }

    /// The source pixels, counted from one of them, and of these the ones that lie in it with all they have.
    fn sources(&self, from: usize, all: u64) -> (Range<usize>, Range<usize>) {
        let sources = self.start - from..self.end - from;
        let inner = sources.start + usize::from(self.first < all)..sources.end - usize::from(self.last < all);
        (sources, inner)
    }
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
        let all = Some(Area::of(stored));
        Self::of_part(image, stored, rects_in_image, filter, (all, all))
    }

    /// The same for what lies in one window of regions and in another of what none covers, both in stored pixels. The
    /// rest of the picture may be anything.
    pub(super) fn of_part(
        image: Size,
        stored: Size,
        rects_in_image: &[PixelRect],
        filter: Filter,
        (in_regions, in_gaps): (Option<Area>, Option<Area>),
    ) -> Self {
        let mut shares = Shares::default();
        let whole = PixelRect::of_image(image);
        let mut owners = vec![GAPS; stored.area() as usize];
        let mut tasks = Vec::with_capacity(rects_in_image.len() + 1);
        for (owner, rect) in (1..).zip(rects_in_image) {
            let Some((source, target)) = mapped(*rect, image, stored) else { continue };
            // Also where nothing of it is wanted it lies over what would show there.
            let over =
                [in_regions, in_gaps].into_iter().flatten().filter_map(|area| area.intersection(target));
            let Some(over) = over.reduce(Area::union) else { continue };
            for row in over.rows() {
                let start = row * stored.width as usize + over.x;
                if let Some(row) = owners.get_mut(start..start + over.width) {
                    row.fill(owner);
                }
            }
            if let Some(window) = in_regions.and_then(|area| area.intersection(target)) {
                tasks.push(Task::new(owner, source, target, window, &mut shares));
            }
        }
        // What regions cover throughout, nobody sees of the whole.
        if let Some(window) = in_gaps
            && window.rows().any(|row| {
                let start = row * stored.width as usize + window.x;
                owners.get(start..start + window.width).is_some_and(|row| row.contains(&GAPS))
            })
            && let Some((source, target)) = mapped(whole, image, stored)
        {
            tasks.push(Task::new(GAPS, source, target, window, &mut shares));
        }
        tasks.sort_by_key(|task| task.rows().start);
        let rgba = vec![0; stored.area() as usize * 4];
        Self { image, stored, filter, tasks, active: Vec::new(), begun: 0, next_row: 0, owners, rgba }
    }

    /// Takes the whole image, straight RGBA, of which only the rows that matter are looked at.
    pub(super) fn push_image(&mut self, rgba: &[u8]) {
        let first = self.tasks.first().map_or(0, |task| task.rows().start);
        let end = self.tasks.iter().map(|task| task.rows().end).max().unwrap_or(0);
        self.next_row = first;
        let rows = rgba.chunks_exact(self.image.width as usize * 4);
        for row in rows.take(end).skip(first) {
            self.push_row(row);
        }
    }

    /// Takes the next rows of the image, straight RGBA.
    pub fn push_rows(&mut self, rgba: &[u8]) {
        for row in rgba.chunks_exact(self.image.width as usize * 4) {
            self.push_row(row);
        }
    }

    fn push_row(&mut self, rgba: &[u8]) {
        let y = self.next_row;
        self.next_row += 1;
        let Self { tasks, active, begun, owners, rgba: stored, filter, .. } = self;
        while tasks.get(*begun).is_some_and(|task| task.rows().start <= y) {
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
            y + 1 < task.rows().end
        });
    }

    /// The picture, straight RGBA. Rows that never came are clear.
    pub fn finish(self) -> Vec<u8> {
        self.rgba
    }
}

/// Shares of sides that were asked for before: frames mostly have the same few sizes.
#[derive(Default)]
struct Shares {
    rows: HashMap<(usize, usize), Arc<[Share]>>,
    columns: HashMap<(usize, usize), Arc<[Column]>>,
}

impl Shares {
    /// The sources of each of so many target pixels that so many source pixels become.
    fn columns(&mut self, source: usize, target: usize) -> Arc<[Column]> {
        let made = self.columns.entry((source, target));
        made.or_insert_with(|| (0..target).map(|on| Column::of(on, source, target)).collect()).clone()
    }

    /// How so many source pixels fall on so many target pixels, which are no more. A source pixel is `target` parts long,
    /// a target pixel `source` parts.
    fn of(&mut self, source: usize, target: usize) -> Arc<[Share]> {
        let made = self.rows.entry((source, target)).or_insert_with(|| {
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
    /// Writes pixels from the place `x`, `y` on, where they are the owner's.
    fn write(&mut self, owner: u32, (x, y): (usize, usize), pixels: impl ExactSizeIterator<Item = [u8; 4]>) {
        let start = y * self.width + x;
        let places = start..start + pixels.len();
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
    /// Of the target `window` is wanted, in stored pixels.
    fn new(owner: u32, source: Area, target: Area, window: Area, shares: &mut Shares) -> Self {
        let columns = shares.columns(source.width, target.width);
        let rows = shares.of(source.height, target.height);
        let window = Area { x: window.x - target.x, y: window.y - target.y, ..window };
        // Of a source pixel that lies in two target pixels each gets its part.
        let span = |from: usize, to: usize, source: usize, target: usize| {
            let first = from * source / target;
            (first, (to * source).div_ceil(target) - first)
        };
        let (x, width) = span(window.x, window.right(), source.width, target.width);
        let (y, height) = span(window.y, window.bottom(), source.height, target.height);
        let looked_at = Area { x, y, width, height };
        let (sums, row, unseen) = (Vec::new(), Vec::new(), Vec::new());
        let even = Even::of(source, target);
        Self { owner, source, target, window, looked_at, columns, rows, sums, row, unseen, even }
    }

    /// The rows of the image that it looks at.
    fn rows(&self) -> Range<usize> {
        self.source.y + self.looked_at.y..self.source.y + self.looked_at.bottom()
    }

    /// Its part of a row of the image, and that row's place in its source.
    fn part<'a>(&self, y: usize, row: &'a [u8]) -> Option<(usize, &'a [[u8; 4]])> {
        let pixels = row.as_chunks::<4>().0;
        let start = self.source.x + self.looked_at.x;
        let part = pixels.get(start..start + self.looked_at.width)?;
        Some((y.checked_sub(self.source.y)?, part))
    }

    fn add_row(&mut self, y: usize, row: &[u8], out: &mut Stored<'_>) {
        let Some((at, part)) = self.part(y, row) else { return };
        if let Some(even) = &mut self.even {
            even.add_row(part);
            if (at + 1).is_multiple_of(even.down) {
                let on = at / even.down;
                if self.window.rows().contains(&on) {
                    let place = (self.target.x + self.window.x, self.target.y + on);
                    out.write(self.owner, place, even.pixels());
                }
                even.sums.fill(EvenSum::default());
            }
            if y + 1 == self.rows().end {
                self.even = None;
            }
            return;
        }
        let Some(share) = self.rows.get(at).copied() else { return };
        self.read_row(part);
        self.add_to_sums(share.first);
        let is_last = y + 1 == self.rows().end;
        if share.rest > 0 || is_last || self.rows.get(at + 1).is_some_and(|next| next.target > share.target) {
            let weight = (self.source.width * self.source.height) as u64;
            // A row above the window has only some of its sources.
            if self.window.rows().contains(&share.target) {
                let place = (self.target.x + self.window.x, self.target.y + share.target);
                out.write(self.owner, place, self.sums.iter().map(|sum| sum.pixel(weight)));
            }
            self.sums.fill(Sum::default());
            if share.rest > 0 {
                self.add_to_sums(share.rest);
            }
        }
        if is_last {
            // Of thousands of frames only those that pass by hold sums.
            (self.sums, self.row, self.unseen) = (Vec::new(), Vec::new(), Vec::new());
        }
    }

    /// What a source row adds to each target pixel of the window.
    fn read_row(&mut self, part: &[[u8; 4]]) {
        let columns = self.columns.get(self.window.x..self.window.right()).unwrap_or_default();
        self.sums.resize(columns.len(), Sum::default());
        self.row.clear();
        self.unseen.clear();
        let all = self.target.width as u64;
        for (place, column) in columns.iter().enumerate() {
            let (sources, inner) = column.sources(self.looked_at.x, all);
            let mut seen = [0; 4];
            for pixels in part.get(inner).unwrap_or_default().chunks(ADDED_AT_ONCE) {
                let mut inside = [0_u32; 4];
                for pixel in pixels {
                    let [red, green, blue, alpha] = pixel.map(u32::from);
                    inside[0] += red * alpha;
                    inside[1] += green * alpha;
                    inside[2] += blue * alpha;
                    inside[3] += alpha;
                }
                for (sum, inside) in seen.iter_mut().zip(inside) {
                    *sum += u64::from(inside) * all;
                }
            }
            if column.first < all {
                add_seen(&mut seen, part.get(sources.start), column.first);
            }
            if column.last < all {
                add_seen(&mut seen, part.get(sources.end - 1), column.last);
            }
            // Colour without any alpha counts only where nothing has alpha.
            if seen[3] == 0
                && let Some(colour) = unseen(part.get(sources).unwrap_or_default(), column, all)
            {
                self.unseen.resize(columns.len(), [0; 3]);
                if let Some(unseen) = self.unseen.get_mut(place) {
                    *unseen = colour;
                }
            }
            self.row.push(seen);
        }
    }

    /// Adds the source row with a weight.
    fn add_to_sums(&mut self, weight: u64) {
        for (sum, row) in self.sums.iter_mut().zip(&self.row) {
            for (sum, row) in sum.seen.iter_mut().zip(row) {
                *sum += row * weight;
            }
        }
        for (sum, row) in self.sums.iter_mut().zip(&self.unseen) {
            for (sum, row) in sum.unseen.iter_mut().zip(row) {
                *sum += row * weight;
            }
        }
    }

    /// Writes the target row whose middle lies in this row, if there is one.
    fn pick_row(&mut self, y: usize, row: &[u8], out: &mut Stored<'_>) {
        let Some((at, part)) = self.part(y, row) else { return };
        let middle = |target: usize, source: usize, targets: usize| (2 * target + 1) * source / (2 * targets);
        let Self { source, target, window, looked_at, .. } = *self;
        let first = at * target.height / source.height;
        let rows = [first, first + 1].into_iter().filter(|on| window.rows().contains(on));
        for on in rows.filter(|on| middle(*on, source.height, target.height) == at) {
            let columns = window.x..window.right();
            let columns = columns.map(|column| middle(column, source.width, target.width) - looked_at.x);
            let pixels = columns.map(|column| part.get(column).copied().unwrap_or_default());
            out.write(self.owner, (target.x + window.x, target.y + on), pixels);
        }
    }
}

/// So many pixels' sums of a channel times alpha fit 32 bits.
const ADDED_AT_ONCE: usize = 1 << 16;

/// Adds a pixel's alpha, and its colour times that, with a weight.
fn add_seen(sums: &mut [u64; 4], pixel: Option<&[u8; 4]>, weight: u64) {
    let Some([red, green, blue, alpha]) = pixel.map(|pixel| pixel.map(u64::from)) else { return };
    for (sum, value) in sums.iter_mut().zip([red * alpha, green * alpha, blue * alpha, alpha]) {
        *sum += value * weight;
    }
}

/// The colour of a target pixel's sources, none of which has alpha; `None` where there is none either.
fn unseen(sources: &[[u8; 4]], column: &Column, all: u64) -> Option<[u64; 3]> {
    if sources.iter().all(|pixel| *pixel == [0; 4]) {
        return None;
    }
    let mut sums = [0; 3];
    let last = sources.len().saturating_sub(1);
    for (at, pixel) in sources.iter().enumerate() {
        let weight = match at {
            0 => column.first,
            at if at == last => column.last,
            _ => all,
        };
        for (sum, channel) in sums.iter_mut().zip(pixel) {
            *sum += u64::from(*channel) * weight;
        }
    }
    Some(sums)
}

impl Sum {
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
