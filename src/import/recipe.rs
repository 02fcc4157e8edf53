//! What makes a texture of an image, all said: a function of the sheet as it is now, saved or not, and of how it is stored.

use std::sync::Arc;

use super::index::IMPORTER_VERSION;
use crate::format::tex::{FrameSize, Metadata, TexChromaKey, TexFrame};
use crate::geometry::{PixelRect, Size, stored_size};
use crate::guid::Guid;
use crate::hash::{ContentHash, Hasher};
use crate::model::{Sheet, Storing};
use crate::pixels::{Conversion, Filter, Regions};
use crate::registry::SubAsset;
use crate::texture::{ChromaKey, Dithering, Insets, PixelFormat};

/// Everything but the pixels that decides a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// Size of the image.
    pub image: Size,
    /// Size of the texture.
    pub stored: Size,
    /// The wanted format; `None` is Automatic.
    pub format: Option<PixelFormat>,
    /// How colours between two stored values are rendered.
    pub dithering: Dithering,
    /// The colour that is drawn as nothing.
    pub chroma_key: Option<ChromaKey>,
    /// How several pixels become one.
    pub filter: Filter,
    /// What is made smaller and dithered by itself.
    pub regions: Regions,
    /// The frames that the texture knows, in image pixels: those whose pixels are looked at on the way.
    pub frames: Vec<PixelRect>,
    /// What follows the pixels, but for the rows of a chroma key, which only the pixels tell.
    pub metadata: Metadata,
}

impl Recipe {
    /// Of a sheet with that GUID on an image of that size.
    pub fn of(sheet: &Sheet, guid: Guid, image: Size, storing: &Storing) -> Self {
        Self::with_frames(sheet, &sub_assets(sheet, guid, image), image, storing)
    }

    /// The same when the sheet's frames are there as assets already.
    pub fn with_frames(sheet: &Sheet, frames: &[SubAsset], image: Size, storing: &Storing) -> Self {
        let Storing { format, max_size, dithering, chroma_key } = *storing;
        let stored = stored_size(image, max_size);
        let rects: Vec<_> = frames.iter().map(|frame| frame.rect_in_image).collect();
        Self {
            image,
            stored,
            format,
            dithering,
            chroma_key,
            // With a key no colour may come that was not there.
            filter: if chroma_key.is_some() { Filter::Nearest } else { Filter::Area },
            regions: regions(sheet, &rects, image),
            metadata: metadata(sheet, frames, (stored != image).then_some(image), chroma_key),
            frames: rects,
        }
    }

    /// Of an image that nobody cut, stored as large as it is.
    pub fn plain(image: Size, format: Option<PixelFormat>) -> Self {
        let storing = Storing { format, ..Storing::default() };
        Self::with_frames(&Sheet::default(), &[], image, &storing)
    }

    /// Hash of everything but the image that decides the texture. `metadata` is what follows the pixels, without what only
    /// they tell; `max_size` is what was asked for.
    pub fn settings_hash(&self, max_size: Option<u32>, metadata: &[u8]) -> ContentHash {
        let mut hasher = Hasher::default();
        hasher.update(&IMPORTER_VERSION.to_le_bytes());
        hasher.update(self.format.map_or("Automatic", PixelFormat::name).as_bytes());
        hasher.update(&[self.dithering as u8]);
        hasher.update(&max_size.unwrap_or(0).to_le_bytes());
        hasher.update(metadata);
        hasher.finish()
    }

    /// Whether the texture is smaller than the image.
    pub fn shrinks(&self) -> bool {
        self.stored != self.image
    }

    /// How the pixels are converted, when it is known whether any of the image has an alpha below 255.
    pub fn conversion(&self, image_has_alpha: bool) -> Conversion {
        Conversion {
            image: self.image,
            stored: self.stored,
            regions: self.regions.clone(),
            filter: self.filter,
            format: self.format.unwrap_or_else(|| PixelFormat::automatic(image_has_alpha)),
            dithering: self.dithering,
            chroma_key: self.chroma_key,
        }
    }
}

/// The frames of a sheet that registry and texture know, with their GUIDs.
pub fn sub_assets(sheet: &Sheet, guid: Guid, image: Size) -> Arc<[SubAsset]> {
    let frames = sheet.frames.iter().enumerate();
    frames
        .filter_map(|(index, frame)| {
            Some(SubAsset {
                guid: frame.guid(guid),
                parent_guid: guid,
                index: u32::try_from(index).ok()?,
                id: frame.id,
                rect_in_image: frame.drawn_rect(image)?,
                name: frame.name.clone(),
            })
        })
        .collect()
}

/// In the encoder's order: the frames, or the parts between the sheet's borders when there are none, then the parts
/// between the borders of single frames.
fn regions(sheet: &Sheet, frames: &[PixelRect], image: Size) -> Regions {
    let settings = &sheet.settings;
    let mut rects_in_image = frames.to_vec();
    if rects_in_image.is_empty() {
        rects_in_image.extend(nine_parts(PixelRect::of_image(image), settings.nine_slice));
    }
    let whole = rects_in_image.len();
    for (id, borders) in &settings.frame_nine_slice {
        let frame = sheet.frame(*id).and_then(|frame| frame.drawn_rect(image));
        rects_in_image.extend(frame.into_iter().flat_map(|frame| nine_parts(frame, *borders)));
    }
    Regions { rects_in_image, whole }
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

fn metadata(
    sheet: &Sheet,
    frames: &[SubAsset],
    source_size: Option<Size>,
    chroma_key: Option<ChromaKey>,
) -> Metadata {
    let settings = &sheet.settings;
    let frames = frames.iter().map(|frame| {
        let borders = settings.frame_nine_slice.get(&frame.id).copied();
        TexFrame {
            nine_slice: borders.filter(|borders| !borders.is_zero()),
            ..TexFrame::new(frame.guid, frame.rect_in_image)
        }
    });
    // Only the engine's own grid has a default frame: with one, a component without a frame draws just that.
    let cell = sheet.plain_grid_cell();
    let cell = cell.map(|cell| FrameSize { width: cell.width as i32, height: cell.height as i32 });
    Metadata {
        default_frame: cell.unwrap_or_default(),
        frames: frames.collect(),
        nine_slice: (!settings.nine_slice.is_zero()).then_some(settings.nine_slice),
        chroma_key: chroma_key.map(|key| TexChromaKey { key, spans: Vec::new() }),
        source_size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Frame, FrameId, TextureSettings};

    const BORDERS: Insets = Insets { left: 2, right: 3, top: 1, bottom: 0 };

    fn guid() -> Guid {
        "11111111-2222-4333-8444-555555555555".parse().unwrap()
    }

    fn regions_of(sheet: &Sheet) -> Regions {
        Recipe::of(sheet, guid(), Size::new(16, 8), &Storing::default()).regions
    }

    #[test]
    fn the_parts_of_a_frame_come_after_all_frames_and_are_not_dithered_by_themselves() {
        let [first, second] = [PixelRect::new(0, 0, 8, 8), PixelRect::new(8, 0, 8, 8)];
        let frames = [first, second].into_iter().zip([4, 7]);
        let frames = frames.map(|(rect, id)| Frame::new(FrameId(id), rect)).collect();
        let settings = TextureSettings {
            nine_slice: BORDERS,
            frame_nine_slice: [(FrameId(7), BORDERS)].into(),
            ..TextureSettings::default()
        };
        let sheet = Sheet { frames, settings: settings.into(), ..Sheet::default() };
        let Regions { rects_in_image, whole } = regions_of(&sheet);
        assert_eq!(whole, 2);
        let parts = [
            PixelRect::new(8, 0, 2, 1),
            PixelRect::new(10, 0, 3, 1),
            PixelRect::new(13, 0, 3, 1),
            PixelRect::new(8, 1, 2, 7),
            PixelRect::new(10, 1, 3, 7),
            PixelRect::new(13, 1, 3, 7),
        ];
        assert_eq!(rects_in_image, [&[first, second], &parts[..]].concat());
    }

    #[test]
    fn the_parts_of_an_image_without_frames_are_regions_of_their_own() {
        assert_eq!(regions_of(&Sheet::default()), Regions::default());
        let settings = TextureSettings { nine_slice: BORDERS, ..TextureSettings::default() };
        let sheet = Sheet { settings: settings.into(), ..Sheet::default() };
        let Regions { rects_in_image, whole } = regions_of(&sheet);
        assert_eq!((whole, rects_in_image.len()), (6, 6));
        assert_eq!(rects_in_image[4], PixelRect::new(2, 1, 11, 7));
    }
}
