//! How a sheet's texture is made, said for the importer and for whoever wants to see it before anything is saved.

use std::sync::Arc;

use super::compile::{Make, Shrink};
use super::index::IMPORTER_VERSION;
use crate::format::tex::{FrameSize, Metadata, TexChromaKey, TexFrame, TexWriteError};
use crate::geometry::{PixelRect, Size, map_edge, stored_size};
use crate::guid::Guid;
use crate::hash::{ContentHash, Hasher};
use crate::model::{FrameId, Sheet, Storing};
use crate::pixels::Filter;
use crate::texture::{Insets, PixelFormat};

/// A sheet and all that decides its texture but for the pixels.
#[derive(Clone, Copy)]
pub struct Making<'a> {
    /// The sheet.
    pub sheet: &'a Sheet,
    /// Size of its image.
    pub image: Size,
    /// How it is stored, all said.
    pub storing: &'a Storing,
}

/// What is worked out of a [`Making`], for the encoder.
pub struct Prepared {
    /// The frames that the texture has, in image pixels.
    pub rects_in_image: Vec<PixelRect>,
    /// What is made smaller by itself, in image pixels and in the encoder's order.
    pub regions: Vec<PixelRect>,
    /// What is dithered by itself, in stored pixels and in the sheet's order.
    pub rects_in_stored: Vec<PixelRect>,
    /// What follows the pixels.
    pub metadata: Metadata,
}

impl Making<'_> {
    /// The positions of the frames that the texture has, and their rectangles in image pixels.
    pub fn drawn_frames(&self) -> impl Iterator<Item = (usize, FrameId, PixelRect)> {
        let frames = self.sheet.frames.iter().enumerate();
        frames.filter_map(|(index, frame)| Some((index, frame.id, frame.drawn_rect(self.image)?)))
    }

    /// Size of the texture.
    pub fn stored_size(&self) -> Size {
        stored_size(self.image, self.storing.max_size)
    }

    /// Whether the texture is smaller than the image.
    pub fn shrinks(&self) -> bool {
        self.stored_size() != self.image
    }

    /// How it is made smaller: with a chroma key no colour may come that was not there.
    pub fn filter(&self) -> Filter {
        if self.storing.chroma_key.is_some() { Filter::Nearest } else { Filter::Area }
    }

    /// What is made smaller by itself, in image pixels and in the encoder's order: the frames, or the parts between the
    /// sheet's borders when there are none, then the parts between the borders of single frames.
    pub fn regions(&self) -> Vec<PixelRect> {
        let settings = &self.sheet.settings;
        let mut regions: Vec<PixelRect> = self.drawn_frames().map(|(.., rect)| rect).collect();
        if regions.is_empty() {
            regions.extend(nine_parts(PixelRect::of_image(self.image), settings.nine_slice));
        }
        for (id, borders) in &settings.frame_nine_slice {
            let frame = self.sheet.frame(*id).and_then(|frame| frame.drawn_rect(self.image));
            regions.extend(frame.into_iter().flat_map(|frame| nine_parts(frame, *borders)));
        }
        regions
    }

    /// Where the frames are in the stored picture; one without a pixel there is empty.
    pub fn rects_in_stored(&self) -> Vec<PixelRect> {
        let stored = self.stored_size();
        let x = |at: i64| map_edge(at, self.image.width.into(), stored.width.into()) as i32;
        let y = |at: i64| map_edge(at, self.image.height.into(), stored.height.into()) as i32;
        let mapped = self.drawn_frames().map(|(.., rect)| {
            let (left, top) = (x(rect.x.into()), y(rect.y.into()));
            PixelRect::new(left, top, x(rect.right()) - left, y(rect.bottom()) - top)
        });
        mapped.collect()
    }

    /// What follows the texture's pixels, its frames having these GUIDs. The chroma key has no spans yet: the pixels tell.
    pub fn metadata(&self, guids: impl IntoIterator<Item = Guid>) -> Metadata {
        let settings = &self.sheet.settings;
        let frames = self.drawn_frames().zip(guids).map(|((_, id, rect), guid)| {
            let borders = settings.borders_of(Some(id));
            TexFrame { nine_slice: (!borders.is_zero()).then_some(borders), ..TexFrame::new(guid, rect) }
        });
        // Only the engine's own grid has a default frame: with one, a component without a frame draws just that.
        let cell = self
            .sheet
            .plain_grid_cell()
            .map(|cell| FrameSize { width: cell.width as i32, height: cell.height as i32 });
        Metadata {
            default_frame: cell.unwrap_or_default(),
            frames: frames.collect(),
            nine_slice: (!settings.nine_slice.is_zero()).then_some(settings.nine_slice),
            chroma_key: self.storing.chroma_key.map(|key| TexChromaKey { key, spans: Vec::new() }),
            source_size: self.shrinks().then_some(self.image),
        }
    }

    /// All that the encoder needs, the frames having these GUIDs.
    pub fn prepare(&self, guids: impl IntoIterator<Item = Guid>) -> Prepared {
        Prepared {
            rects_in_image: self.drawn_frames().map(|(.., rect)| rect).collect(),
            regions: if self.shrinks() { self.regions() } else { Vec::new() },
            rects_in_stored: self.rects_in_stored(),
            metadata: self.metadata(guids),
        }
    }

    /// Hash of everything but the image that decides the texture, `metadata` being the bytes of what follows the pixels.
    pub fn settings_hash(&self, metadata: &[u8]) -> ContentHash {
        let Storing { format, max_size, dithering, .. } = self.storing;
        let mut hasher = Hasher::default();
        hasher.update(&IMPORTER_VERSION.to_le_bytes());
        hasher.update(format.map_or("Automatic", PixelFormat::name).as_bytes());
        hasher.update(&[*dithering as u8]);
        hasher.update(&max_size.unwrap_or(0).to_le_bytes());
        hasher.update(metadata);
        hasher.finish()
    }

    /// What to make of the pixels.
    pub fn make<'a>(&self, prepared: &'a Prepared) -> Make<'a> {
        Make {
            format: self.storing.format,
            dithering: self.storing.dithering,
            chroma_key: self.storing.chroma_key,
            shrink: self.shrinks().then(|| Shrink {
                stored: self.stored_size(),
                regions: &prepared.regions,
                filter: self.filter(),
            }),
            rects_in_stored: &prepared.rects_in_stored,
            metadata: &prepared.metadata,
            frames: &prepared.rects_in_image,
        }
    }
}

impl Prepared {
    /// The bytes that follow the pixels while nothing is known of the pixels, which is what their hash is made of.
    pub fn metadata_bytes(&self) -> Result<Vec<u8>, TexWriteError> {
        self.metadata.to_bytes()
    }
}

/// The GUIDs of the frames that the texture of a sheet has, whose own GUID is `parent`.
pub fn frame_guids(sheet: &Sheet, image: Size, parent: Guid) -> Arc<[Guid]> {
    let drawn = sheet.frames.iter().filter(|frame| frame.drawn_rect(image).is_some());
    drawn.map(|frame| frame.guid(parent)).collect()
}

/// The parts of a rectangle between its borders, from the top left in rows; none without borders.
fn nine_parts(rect: PixelRect, borders: Insets) -> Vec<PixelRect> {
    if borders.is_zero() {
        return Vec::new();
    }
    let cuts = |from: i32, length: i32, first: u16, last: u16| {
        let inner = from.saturating_add(first.into()).min(from + length);
        [from, inner, (from + length - i32::from(last)).max(inner), from + length]
    };
    let columns = cuts(rect.x, rect.width, borders.left, borders.right);
    let rows = cuts(rect.y, rect.height, borders.top, borders.bottom);
    let parts = rows.windows(2).flat_map(|row| columns.windows(2).map(move |column| (row, column)));
    let parts =
        parts.map(|(row, column)| PixelRect::new(column[0], row[0], column[1] - column[0], row[1] - row[0]));
    parts.filter(|part| !part.is_empty()).collect()
}
