//! Colours between those that 5, 6 and 5 bits can say, rendered by what lies around them.
//!
//! A stored value means the colour that it is shown as: its upper bits repeated below, 31 as 255. That is how the window
//! shows it and how a panel spreads its levels, so the mean of what is shown is the mean of what was drawn. (Were it the
//! value with zeros below, as the runtime blends, nothing could mean white, and everything would come out lighter than it
//! is drawn.) A colour that a stored value means exactly is stored as that value, with either rule.
//!
//! Pixels that are not there, those without any alpha, and those of a chroma key are truncated, and neither give an error
//! nor take one. A pixel that had to leave the key's cell gives none either: its change is the key's, and passed on it
//! would move its neighbours too.

use super::key::Apart;
use super::pack::pack_565;
use super::regions::Span;
use super::unpack::unpack_565;

/// Side of the threshold pattern.
const SIDE: usize = 8;
/// How many parts the way from one level to the next has.
const PARTS: u16 = 64;
/// Values are looked up with this added: errors may take them below 0 and beyond 255.
const MARGIN: i32 = 128;

/// The thresholds, in parts of a level, each once, as evenly spread as can be at any level: the bits of x ^ y and of y,
/// the lowest first.
const PATTERN: [[u16; SIDE]; SIDE] = {
    let mut pattern = [[0; SIDE]; SIDE];
    let mut y = 0;
    while y < SIDE {
        let mut x = 0;
        while x < SIDE {
            let (mixed, mut bit) = (x ^ y, 0);
            while bit < 3 {
                pattern[y][x] |= (((mixed >> bit) & 1) << (5 - 2 * bit)) as u16;
                pattern[y][x] |= (((y >> bit) & 1) << (4 - 2 * bit)) as u16;
                bit += 1;
            }
            x += 1;
        }
        y += 1;
    }
    pattern
};

/// What the value of so many bits is shown as.
const fn shown(level: u16, bits: u32) -> u16 {
    let [red, green, _] = unpack_565(if bits == 6 { level << 5 } else { level << 11 });
    if bits == 6 { green as u16 } else { red as u16 }
}

/// How far up the levels each 8-bit value is: whole levels and parts of the way to the next, rounded.
const fn heights(bits: u32) -> [u16; 256] {
    let mut heights = [0; 256];
    let (mut value, mut level) = (0, 0);
    while value < 256 {
        if level + 1 < 1 << bits && shown(level + 1, bits) <= value {
            level += 1;
        }
        let above = value - shown(level, bits);
        let gap = if above == 0 { 1 } else { shown(level + 1, bits) - shown(level, bits) };
        heights[value as usize] = level * PARTS + (2 * above * PARTS + gap) / (2 * gap);
        value += 1;
    }
    heights
}

/// For each value, [`MARGIN`] added: the nearest level, of two as near the lower one, and how much the value is above it.
struct Nearest {
    levels: [u8; 512],
    errors: [i8; 512],
}

const fn nearest(bits: u32) -> Nearest {
    let mut nearest = Nearest { levels: [0; 512], errors: [0; 512] };
    let (mut at, mut level) = (0, 0);
    while at < 512 {
        let value = at as i32 - MARGIN;
        while level + 1 < 1 << bits
            && value - (shown(level, bits) as i32) > shown(level + 1, bits) as i32 - value
        {
            level += 1;
        }
        let error = value - shown(level, bits) as i32;
        nearest.levels[at] = level as u8;
        // Only values that no sum of errors reaches are farther than that from a level.
        nearest.errors[at] = if error < -127 {
            -127
        } else if error > 127 {
            127
        } else {
            error as i8
        };
        at += 1;
    }
    nearest
}

static HEIGHTS_5: [u16; 256] = heights(5);
static HEIGHTS_6: [u16; 256] = heights(6);
static NEAREST_5: Nearest = nearest(5);
static NEAREST_6: Nearest = nearest(6);

/// Truncates pixels, as the engine's own compare assumes.
pub(super) fn truncate(pixels: &[[u8; 4]], apart: &mut impl Apart, out: &mut [u16]) {
    for (pixel, out) in pixels.iter().zip(out) {
        let [red, green, blue, _] = *pixel;
        let colour = pack_565(red, green, blue);
        *out = apart.moved(*pixel, colour).unwrap_or(colour);
    }
}

/// Renders part of row `y` with the threshold pattern, which begins at the region's own corner: equal pictures become
/// equal pixels wherever they lie. `pixels` and `out` are those of `span`.
#[inline]
pub(super) fn order(pixels: &[[u8; 4]], span: Span, y: usize, apart: &mut impl Apart, out: &mut [u16]) {
    let (left, top) = span.origin;
    let thresholds = &PATTERN[(y - top) % SIDE];
    let first = span.start - left;
    for (x, (pixel, out)) in (first..).zip(pixels.iter().zip(out)) {
        let [red, green, blue, _] = *pixel;
        let threshold = thresholds[x % SIDE];
        let level = |heights: &[u16; 256], value: u8| (heights[usize::from(value)] + threshold) / PARTS;
        let colour = if apart.stays(*pixel) {
            pack_565(red, green, blue)
        } else {
            level(&HEIGHTS_5, red) << 11 | level(&HEIGHTS_6, green) << 5 | level(&HEIGHTS_5, blue)
        };
        *out = apart.moved(*pixel, colour).unwrap_or(colour);
    }
}

/// Error diffusion after Floyd and Steinberg, from the left in every row. It goes on from row to row.
pub(super) struct Diffusion {
    /// Red, green and blue errors of the row before, and of this one, one per column.
    errors: Vec<[i16; 4]>,
    fresh: Vec<[i16; 4]>,
    /// What the row above gives to the pixels of one span.
    above: Vec<[i16; 4]>,
    given: Vec<[i16; 4]>,
}

impl Diffusion {
    /// For rows of that width.
    pub(super) fn new(width: usize) -> Self {
        let none = vec![[0; 4]; width];
        Self { errors: none.clone(), fresh: none, above: Vec::new(), given: Vec::new() }
    }

    /// Renders one span of a row, whose pixels and places these are. `spans_above` are those of the row above, `None`
    /// when they are the same, and when there is none.
    pub(super) fn render(
        &mut self,
        pixels: &[[u8; 4]],
        span: Span,
        spans_above: Option<&[Span]>,
        apart: &mut impl Apart,
        out: &mut [u16],
    ) {
        self.look_above(span, spans_above);
        let Some(fresh) = self.fresh.get_mut(span.start..span.end) else { return };
        let mut left = [0_i32; 3];
        let places = out.iter_mut().zip(fresh);
        for ((pixel, given), (out, fresh)) in pixels.iter().zip(&self.given).zip(places) {
            let [red, green, blue, _] = *pixel;
            if apart.stays(*pixel) {
                let colour = pack_565(red, green, blue);
                (left, *fresh, *out) = ([0; 3], [0; 4], apart.moved(*pixel, colour).unwrap_or(colour));
                continue;
            }
            // Sixteenths, rounded. The error of a level is at most half a gap, and so are four of them that weigh one
            // together: what is looked up is never far outside of 0 to 255.
            let at = |value: u8, channel: usize| {
                let taken = (7 * left[channel] + i32::from(given[channel]) + 8) >> 4;
                (i32::from(value) + taken + MARGIN) as usize & 511
            };
            let (red, green, blue) = (at(red, 0), at(green, 1), at(blue, 2));
            let colour = u16::from(NEAREST_5.levels[red]) << 11
                | u16::from(NEAREST_6.levels[green]) << 5
                | u16::from(NEAREST_5.levels[blue]);
            if let Some(moved) = apart.moved(*pixel, colour) {
                (left, *fresh, *out) = ([0; 3], [0; 4], moved);
                continue;
            }
            *out = colour;
            let errors = [NEAREST_5.errors[red], NEAREST_6.errors[green], NEAREST_5.errors[blue]];
            left = errors.map(i32::from);
            *fresh = [errors[0].into(), errors[1].into(), errors[2].into(), 0];
        }
    }

    /// What the three pixels above each one give it: three sixteenths from the right, five from the middle, one from the
    /// left, and nothing from those that belong to another region.
    fn look_above(&mut self, span: Span, spans_above: Option<&[Span]>) {
        let length = span.end - span.start;
        self.above.clear();
        self.above.resize(length + 2, [0; 4]);
        match spans_above {
            None => self.above[1..=length].copy_from_slice(&self.errors[span.start..span.end]),
            Some(spans) => {
                // One more on either side; the first place of `above` is the column before the span.
                let (from, to) = (span.start.saturating_sub(1), (span.end + 1).min(self.errors.len()));
                let first = spans.partition_point(|above| above.end <= from);
                let near = spans[first..].iter().take_while(|above| above.start < to);
                for above in near.filter(|above| above.owner == span.owner) {
                    let (start, end) = (above.start.max(from), above.end.min(to));
                    let places = start + 1 - span.start..end + 1 - span.start;
                    self.above[places].copy_from_slice(&self.errors[start..end]);
                }
            }
        }
        self.given.clear();
        self.given.extend(self.above.array_windows().map(|[left, middle, right]| {
            std::array::from_fn(|at| left[at] + 5 * middle[at] + 3 * right[at])
        }));
    }

    /// Ends a row.
    pub(super) fn end_row(&mut self) {
        std::mem::swap(&mut self.errors, &mut self.fresh);
    }
}
