//! From an image's pixels to stored ones: all of them while rows pass by, or those of a part that can be seen.

use super::dither::{self, Diffusion};
use super::key::{Apart, Key, NoKey};
use super::pack::{pack_colours, pack_rows};
use super::regions::{Area, GAPS, RegionRows, Regions, Span, mapped};
use super::shrink::{Filter, Shrinker};
use crate::geometry::{PixelRect, Size};
use crate::texture::{ChromaKey, Dithering, PixelFormat};

/// How the pixels of an image become those of its texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// Size of the image.
    pub image: Size,
    /// Size of the texture, no larger.
    pub stored: Size,
    /// What is made smaller and dithered by itself.
    pub regions: Regions,
    /// How several pixels become one.
    pub filter: Filter,
    /// How they are stored.
    pub format: PixelFormat,
    /// How colours between two stored values are rendered; only formats of 5, 6 and 5 bits have such colours.
    pub dithering: Dithering,
    /// The colour that is drawn as nothing.
    pub chroma_key: Option<ChromaKey>,
}

/// Stored pixels of a part of a texture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// Where they are, in stored pixels; empty when there are none.
    pub rect_in_stored: PixelRect,
    /// Its rows, tightly packed, in the conversion's format.
    pub pixels: Vec<u8>,
}

/// What of a texture is to be made.
struct Wanted {
    visible: Area,
    /// Around all that must be made of regions and of what none covers for it, in stored pixels.
    regions: Option<Area>,
    gaps: Option<Area>,
    /// Whether anything of a region is wanted, by its place in the order.
    owners: Vec<bool>,
}

impl Conversion {
    /// The stored pixels of what of `visible_in_stored` is inside the texture, exactly as all of it has them. `rgba` is
    /// the whole image; of it only what matters for the part is looked at. With error diffusion that is each region that
    /// can be seen, from its top.
    ///
    /// Nothing when there is nothing inside, or when `rgba` is not of the image's size.
    pub fn part(&self, rgba: &[u8], visible_in_stored: PixelRect) -> Part {
        let is_image = rgba.len() as u64 == self.image.area() * 4;
        let Some(rect_in_stored) = visible_in_stored.clipped_to(self.stored).filter(|_| is_image) else {
            return Part::default();
        };
        let visible = Area {
            x: rect_in_stored.x as usize,
            y: rect_in_stored.y as usize,
            width: rect_in_stored.width as usize,
            height: rect_in_stored.height as usize,
        };
        let wanted = self.wanted(visible);
        let smaller;
        let picture = if self.stored == self.image {
            rgba
        } else {
            let Self { image, stored, ref regions, filter, .. } = *self;
            let windows = (wanted.regions, wanted.gaps);
            let mut shrinker = Shrinker::of_part(image, stored, &regions.rects_in_image, filter, windows);
            shrinker.push_image(rgba);
            smaller = shrinker.finish();
            &smaller
        };
        let mut converter = Converter::new(self);
        let row_bytes = visible.width * self.format.bytes_per_pixel();
        let mut pixels = vec![0; row_bytes * visible.height];
        let tops = [wanted.regions, wanted.gaps].into_iter().flatten().map(|area| area.y);
        let first = tops.min().unwrap_or(visible.y);
        let rows = picture.chunks_exact(self.stored.width as usize * 4).enumerate();
        for (y, row) in rows.take(visible.bottom()).skip(first) {
            let out = match y.checked_sub(visible.y) {
                Some(at) => &mut pixels[at * row_bytes..(at + 1) * row_bytes],
                None => &mut [],
            };
            converter.convert_row(y, row, Some(&wanted), out);
        }
        Part { rect_in_stored, pixels }
    }

    /// Whether colours are rendered by what lies around them.
    fn dithering(&self) -> Dithering {
        let has_levels = matches!(self.format, PixelFormat::Rgb565 | PixelFormat::Rgb565A8);
        if has_levels { self.dithering } else { Dithering::None }
    }

    /// The regions that are dithered, in stored pixels, each with its place in the order.
    fn areas(&self) -> impl Iterator<Item = (u32, Area)> {
        let regions = (1..).zip(self.regions.dithered());
        regions.filter_map(|(owner, rect)| Some((owner, mapped(*rect, self.image, self.stored)?.1)))
    }

    fn wanted(&self, visible: Area) -> Wanted {
        let (mut regions, mut gaps) = (Some(visible), Some(visible));
        let mut owners = vec![true; self.regions.dithered().len() + 1];
        if self.dithering() == Dithering::FloydSteinberg {
            owners.fill(false);
            regions = None;
            for (owner, area) in self.areas().filter(|(_, area)| area.intersection(visible).is_some()) {
                owners[owner as usize] = true;
                let from_top = Area { height: visible.bottom().min(area.bottom()) - area.y, ..area };
                regions = Some(regions.map_or(from_top, |all| all.union(from_top)));
            }
            owners[GAPS as usize] = self.shows_gaps(visible);
            let from_top = Area { height: visible.bottom(), y: 0, ..Area::of(self.stored) };
            gaps = owners[GAPS as usize].then_some(from_top);
        }
        Wanted { visible, regions, gaps, owners }
    }

    /// Whether any pixel of a part belongs to no region.
    fn shows_gaps(&self, visible: Area) -> bool {
        let mut rows = RegionRows::new(self.stored.width as usize, self.areas());
        let is_seen =
            |span: &Span| span.owner == GAPS && span.start < visible.right() && span.end > visible.x;
        visible.rows().any(|y| rows.advance(y) && rows.spans().iter().any(is_seen))
    }
}

/// Converts the rows of a picture that has its stored size already, from the top.
pub struct Converter {
    format: PixelFormat,
    dithering: Dithering,
    chroma_key: Option<ChromaKey>,
    width: usize,
    next_row: usize,
    regions: RegionRows,
    diffusion: Diffusion,
    colours: Vec<u16>,
    /// How many pixels had to leave the key's cell, by the places of their regions.
    moved: Vec<u32>,
}

impl Converter {
    /// For all rows of a conversion.
    pub fn new(conversion: &Conversion) -> Self {
        let width = conversion.stored.width as usize;
        let Conversion { format, chroma_key, ref regions, .. } = *conversion;
        let diffuses = conversion.dithering() == Dithering::FloydSteinberg;
        Self {
            format,
            dithering: conversion.dithering,
            chroma_key,
            width,
            next_row: 0,
            regions: RegionRows::new(width, conversion.areas()),
            diffusion: Diffusion::new(if diffuses { width } else { 0 }),
            colours: Vec::new(),
            moved: vec![0; if chroma_key.is_some() { regions.dithered().len() + 1 } else { 0 }],
        }
    }

    /// Goes on from RGB565 to RGB565A8, which has the same colours.
    pub fn widen(&mut self) {
        self.format = PixelFormat::Rgb565A8;
    }

    /// Converts the next rows, straight RGBA, to as many stored pixels.
    pub fn push_rows(&mut self, rgba: &[u8], out: &mut [u8]) {
        if !self.looks_at_regions() {
            pack_rows(self.format, rgba, out);
            return;
        }
        let stored_bytes = self.width * self.format.bytes_per_pixel();
        for (row, out) in rgba.chunks_exact(self.width * 4).zip(out.chunks_exact_mut(stored_bytes)) {
            self.convert_row(self.next_row, row, None, out);
            self.next_row += 1;
        }
    }

    /// How many pixels that can be seen had to leave the key's cell: of what no region covers first, then of each region
    /// in order. Empty without a key.
    pub fn moved(&self) -> &[u32] {
        &self.moved
    }

    /// Whether a pixel can come to depend on more than itself.
    fn looks_at_regions(&self) -> bool {
        let has_levels = matches!(self.format, PixelFormat::Rgb565 | PixelFormat::Rgb565A8);
        has_levels && (self.dithering != Dithering::None || self.chroma_key.is_some())
    }

    /// Converts row `y` to `out`, or what is wanted of it. Above what can be seen `out` is empty.
    fn convert_row(&mut self, y: usize, rgba: &[u8], wanted: Option<&Wanted>, out: &mut [u8]) {
        let columns = wanted.map_or(0..self.width, |wanted| wanted.visible.x..wanted.visible.right());
        if !self.looks_at_regions() {
            if !out.is_empty() {
                pack_rows(self.format, &rgba[columns.start * 4..columns.end * 4], out);
            }
            return;
        }
        let (pixels, _) = rgba.as_chunks::<4>();
        match self.chroma_key {
            None => self.render_row(y, pixels, wanted, &mut NoKey, |_, _| {}),
            Some(key) => {
                let mut moved = std::mem::take(&mut self.moved);
                let mut key = Key::new(key, self.format);
                self.render_row(y, pixels, wanted, &mut key, |key, owner| {
                    if let Some(count) = moved.get_mut(owner) {
                        *count += std::mem::take(&mut key.moved);
                    }
                });
                self.moved = moved;
            }
        }
        if !out.is_empty() {
            pack_colours(self.format, &self.colours[columns.clone()], &pixels[columns], out);
        }
    }

    /// Renders the colours of a row, span by span; `after` each one is told whose it was.
    fn render_row<A: Apart>(
        &mut self,
        y: usize,
        pixels: &[[u8; 4]],
        wanted: Option<&Wanted>,
        apart: &mut A,
        mut after: impl FnMut(&mut A, usize),
    ) {
        let Self { dithering, regions, diffusion, colours, .. } = self;
        colours.resize(self.width, 0);
        let is_changed = regions.advance(y);
        for span in regions.spans() {
            let mut span = *span;
            if let Some(Wanted { visible, owners, .. }) = wanted {
                if !owners.get(span.owner as usize).is_some_and(|is_wanted| *is_wanted) {
                    continue;
                }
                if *dithering != Dithering::FloydSteinberg {
                    span =
                        Span { start: span.start.max(visible.x), end: span.end.min(visible.right()), ..span };
                }
            }
            let places = span.start..span.end;
            let (Some(pixels), Some(out)) = (pixels.get(places.clone()), colours.get_mut(places)) else {
                continue;
            };
            match dithering {
                Dithering::None => dither::truncate(pixels, apart, out),
                Dithering::Ordered => dither::order(pixels, span, y, apart, out),
                Dithering::FloydSteinberg => {
                    let above = is_changed.then(|| regions.spans_before());
                    diffusion.render(pixels, span, above, apart, out);
                }
            }
            after(apart, span.owner as usize);
        }
        diffusion.end_row();
    }
}
