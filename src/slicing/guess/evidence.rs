//! What one pass over the pixels keeps for guessing: sums per column and per row, and a reduced map of the ink.

use super::map::{InkMap, MapBuilder};
use crate::geometry::Size;
use crate::slicing::ink::{InkRule, Rgb};

/// In how many parts the other axis is cut to tell columns (and rows) of different content apart.
pub(super) const BANDS: usize = 32;

/// A step in brightness above this counts no more: one outline must not outweigh a whole seam of texture.
const MAX_STEP: u8 = 40;

/// How far the values of a column may spread for it to count as one colour; compression leaves some noise.
const UNIFORM_SPREAD: u8 = 10;

/// Values of ink start here, so that dark ink still differs from no ink, which is 0.
const DARKEST_INK: u32 = 55;

/// The columns of an image, or its rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    /// Pixels of ink.
    pub(super) ink: Vec<u32>,
    /// Pixels of ink whose neighbour before (left, or above) is ink too.
    pub(super) crossing: Vec<u32>,
    /// Over those, the steps of brightness.
    pub(super) steps: Vec<u32>,
    /// Smallest and largest value.
    pub(super) range: Vec<(u8, u8)>,
    /// [`BANDS`] mean values each, scaled by [`BAND_SCALE`].
    pub(super) bands: Vec<u16>,
}

/// The bands keep fractions of a value, or faint differences would vanish in tall bands.
const BAND_SCALE: u32 = 64;

impl Sums {
    /// Whether all pixels of that column or row are one colour, or none of them is ink.
    pub(super) fn is_uniform(&self, at: usize) -> bool {
        self.range.get(at).is_some_and(|(low, high)| high.saturating_sub(*low) <= UNIFORM_SPREAD)
    }
}

/// All that guesses are made from. Beside sums
/// per column and per row it holds a map of at most 1024 by 1024 blocks.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    pub(super) size: Size,
    pub(super) columns: Sums,
    pub(super) rows: Sums,
    pub(super) map: InkMap,
}

impl Evidence {
    /// Whether any pixel is ink.
    pub(super) fn has_ink(&self) -> bool {
        self.rows.ink.iter().any(|ink| *ink > 0)
    }
}

/// Sums of few rows per column, narrow so that many are added at once.
struct Narrow {
    ink: Vec<u16>,
    crossing: Vec<u16>,
    steps: Vec<u16>,
    values: Vec<u16>,
}

/// Rows that the narrow sums hold: 256 of the largest value are just less than they can.
const MOST_NARROW: usize = 256;

/// Makes evidence from rows of straight RGBA.
pub struct EvidenceBuilder {
    size: Size,
    rule: InkRule,
    backgrounds: Vec<[u32; 3]>,
    rows_seen: usize,
    /// The values of the current row and of the one above.
    values: Vec<u8>,
    above: Vec<u8>,
    columns: Sums,
    narrow: Narrow,
    low: Vec<u8>,
    high: Vec<u8>,
    rows: Sums,
    /// Sum of each column in the current band of rows.
    band: Vec<u32>,
    map: MapBuilder,
}

impl EvidenceBuilder {
    /// For an image of `size` pixels whose background has these colours (none: alpha alone tells).
    pub fn new(size: Size, rule: InkRule, backgrounds: &[Rgb]) -> Self {
        let width = size.width as usize;
        let columns = Sums {
            ink: vec![0; width],
            crossing: vec![0; width],
            steps: vec![0; width],
            range: Vec::new(),
            bands: vec![0; width * BANDS],
        };
        Self {
            size,
            rule,
            backgrounds: backgrounds.iter().map(|colour| colour.map(u32::from)).collect(),
            rows_seen: 0,
            values: vec![0; width],
            above: vec![0; width],
            columns,
            narrow: Narrow {
                ink: vec![0; width],
                crossing: vec![0; width],
                steps: vec![0; width],
                values: vec![0; width],
            },
            low: vec![u8::MAX; width],
            high: vec![0; width],
            rows: Sums::default(),
            band: vec![0; width],
            map: MapBuilder::new(size),
        }
    }

    /// Takes the next rows from the top: straight RGBA, whole rows. What is more than the image has is ignored.
    pub fn push_rows(&mut self, rgba: &[u8]) {
        let row_bytes = self.size.width as usize * 4;
        if row_bytes == 0 {
            return;
        }
        let missing = (self.size.height as usize).saturating_sub(self.rows_seen);
        for row in rgba.chunks_exact(row_bytes).take(missing) {
            self.push_row(row.as_chunks::<4>().0);
        }
    }

    fn push_row(&mut self, pixels: &[[u8; 4]]) {
        std::mem::swap(&mut self.values, &mut self.above);
        let (alpha, tolerance) = (u32::from(self.rule.alpha_threshold), u32::from(self.rule.tolerance));
        match self.backgrounds.as_slice() {
            [] => fill(&mut self.values, pixels, |pixel| pixel[3] > alpha),
            [colour] => {
                let is_ink = |pixel: [u32; 4]| (pixel[3] > alpha) & (distance(pixel, *colour) > tolerance);
                fill(&mut self.values, pixels, is_ink);
            }
            colours => fill(&mut self.values, pixels, |pixel| {
                pixel[3] > alpha && colours.iter().all(|colour| distance(pixel, *colour) > tolerance)
            }),
        }
        self.add_to_columns();
        self.add_row();
        self.map.push_row(&self.values);
        self.rows_seen += 1;
        if self.rows_seen.is_multiple_of(MOST_NARROW) {
            self.widen();
        }
        if self.rows_seen.is_multiple_of(band_length(self.size.height)) {
            self.close_band();
        }
    }

    fn add_to_columns(&mut self) {
        let Narrow { ink, crossing, steps, values: sums } = &mut self.narrow;
        let values = self.values.as_slice();
        let range = self.low.iter_mut().zip(&mut self.high);
        for ((value, (low, high)), (ink, sum)) in values.iter().zip(range).zip(ink.iter_mut().zip(sums)) {
            *low = (*low).min(*value);
            *high = (*high).max(*value);
            *ink += u16::from(*value > 0);
            *sum += u16::from(*value);
        }
        let pairs = values.iter().zip(values.get(1..).unwrap_or_default());
        let sums = crossing.iter_mut().zip(steps).skip(1);
        for ((left, right), (crossing, steps)) in pairs.zip(sums) {
            let (both, step) = crossing_step(*left, *right);
            *crossing += u16::from(both);
            *steps += u16::from(step);
        }
    }

    /// Empties the narrow sums into the wide ones, before they can overflow.
    fn widen(&mut self) {
        let narrow = &mut self.narrow;
        let pairs = [
            (&mut narrow.ink, &mut self.columns.ink),
            (&mut narrow.crossing, &mut self.columns.crossing),
            (&mut narrow.steps, &mut self.columns.steps),
            (&mut narrow.values, &mut self.band),
        ];
        for (narrow, wide) in pairs {
            for (narrow, wide) in narrow.iter_mut().zip(wide) {
                *wide += u32::from(std::mem::take(narrow));
            }
        }
    }

    fn add_row(&mut self) {
        let (mut crossing, mut steps) = (0, 0);
        if self.rows_seen > 0 {
            for (upper, lower) in self.above.iter().zip(&self.values) {
                let (both, step) = crossing_step(*upper, *lower);
                crossing += u32::from(both);
                steps += u32::from(step);
            }
        }
        let ink = self.values.iter().map(|value| u32::from(*value > 0)).sum();
        let low = self.values.iter().min().copied().unwrap_or_default();
        let high = self.values.iter().max().copied().unwrap_or_default();
        self.rows.ink.push(ink);
        self.rows.crossing.push(crossing);
        self.rows.steps.push(steps);
        self.rows.range.push((low, high));
        let length = band_length(self.size.width);
        let parts = self.values.chunks(length).map(|part| {
            let sum: u32 = part.iter().map(|value| u32::from(*value)).sum();
            (sum * BAND_SCALE / part.len().max(1) as u32) as u16
        });
        self.rows.bands.extend(parts.chain(std::iter::repeat(0)).take(BANDS));
    }

    fn close_band(&mut self) {
        self.widen();
        let length = band_length(self.size.height);
        let index = (self.rows_seen.max(1) - 1) / length;
        let rows = self.rows_seen - index * length;
        for (sum, bands) in self.band.iter_mut().zip(self.columns.bands.as_chunks_mut::<BANDS>().0) {
            if let Some(band) = bands.get_mut(index) {
                *band = (*sum * BAND_SCALE / rows.max(1) as u32) as u16;
            }
            *sum = 0;
        }
    }

    /// The evidence of the rows that came.
    pub fn finish(mut self) -> Evidence {
        self.widen();
        if self.rows_seen > 0 && !self.rows_seen.is_multiple_of(band_length(self.size.height)) {
            self.close_band();
        }
        self.columns.range = self.low.into_iter().zip(self.high).collect();
        let size = Size::new(self.size.width, self.rows_seen as u32);
        Evidence { size, columns: self.columns, rows: self.rows, map: self.map.finish() }
    }
}

/// 0 for what is no ink, else brightness. Written with lanes of 32 bits, which the compiler turns into vectors.
fn fill(values: &mut [u8], pixels: &[[u8; 4]], is_ink: impl Fn([u32; 4]) -> bool) {
    for (value, pixel) in values.iter_mut().zip(pixels) {
        let pixel = u32::from_le_bytes(*pixel);
        let [r, g, b, a] = [pixel & 0xff, (pixel >> 8) & 0xff, (pixel >> 16) & 0xff, pixel >> 24];
        let brightness = (2 * r + 5 * g + b) / 8;
        let ink = DARKEST_INK + brightness * (255 - DARKEST_INK) / 256;
        *value = if is_ink([r, g, b, a]) { ink as u8 } else { 0 };
    }
}

/// The largest difference of a channel.
fn distance([r, g, b, _]: [u32; 4], colour: [u32; 3]) -> u32 {
    r.abs_diff(colour[0]).max(g.abs_diff(colour[1])).max(b.abs_diff(colour[2]))
}

/// Whether both are ink, and if so the step between them.
fn crossing_step(one: u8, other: u8) -> (bool, u8) {
    let both = one.min(other) > 0;
    (both, if both { one.abs_diff(other).min(MAX_STEP) } else { 0 })
}

fn band_length(length: u32) -> usize {
    (length as usize).div_ceil(BANDS).max(1)
}
