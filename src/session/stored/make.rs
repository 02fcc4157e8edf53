//! Makes what a question asks for, by the importer's own code: first what is looked at, then all, then the numbers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Error, Facts, FrameChanges, Question, StoredPicture, StoredView};
use crate::format::tex::{TexFlags, TexHeader};
use crate::geometry::{PixelRect, Size};
use crate::import::compile::{CompileError, compile_pixels};
use crate::import::making::{Making, Prepared, frame_guids};
use crate::pixels::{Conversion, Part, Whole, bleeding};
use crate::runtime::Texture;
use crate::session::source_picture::Tiled as _;
use crate::texture::PixelFormat;

/// Pictures with fewer stored and image pixels are made at once.
const SMALL: u64 = 512 * 512;

/// Makes a view and tells each state of it that is worth to be seen. Without a word when it was given up.
pub(super) fn make(
    question: &Question,
    gives_up: &AtomicBool,
    tell: &mut dyn FnMut(StoredView),
) -> Result<(), String> {
    let Some(rgba) = question.source.rgba() else { return from_disk(question, tell) };
    let image = question.source.size();
    let making = Making { sheet: &question.sheet, image, storing: &question.storing };
    let prepared = making.prepare(frame_guids(&question.sheet, image, question.guid).iter().copied());
    let metadata = prepared.metadata_bytes().map_err(|why| why.to_string())?;
    let version = question.image.with(making.settings_hash(&metadata));
    let positions: Arc<[u32]> = making.drawn_frames().map(|(index, ..)| index as u32).collect();

    let stored = making.stored_size();
    let visible = question.visible.and_then(|visible| visible.clipped_to(stored));
    let is_small = image.area().max(stored.area()) <= SMALL;
    if let Some(visible) = visible.filter(|visible| !is_small && *visible != PixelRect::of_image(stored)) {
        let texture = seen_first(&making, &prepared, rgba, visible, question.has_alpha)?;
        tell(StoredView {
            picture: Arc::new(StoredPicture::new(Arc::new(texture))),
            rect_in_stored: visible,
            positions: positions.clone(),
            facts: None,
            version: None,
        });
    }
    let (compiled, bytes) = match compile_pixels(image, rgba, &making.make(&prepared), gives_up) {
        Ok(made) => made,
        Err(CompileError::Cancelled) => return Ok(()),
        Err(why) => return Err(why.to_string()),
    };
    let texture = Texture::from_bytes(bytes).map_err(|why| why.to_string())?;
    let picture = Arc::new(StoredPicture::new(Arc::new(texture)));
    let view = |facts| StoredView {
        picture: picture.clone(),
        rect_in_stored: PixelRect::of_image(stored),
        positions: positions.clone(),
        facts,
        version: Some(version),
    };
    tell(view(None));
    if gives_up.load(Ordering::Relaxed) {
        return Ok(());
    }
    let rects = &prepared.rects_in_image;
    let numbered: Vec<_> = positions.iter().copied().zip(rects.iter().copied()).collect();
    tell(view(Some(Arc::new(Facts {
        error: Error::between(image, rgba, &picture),
        frames: FrameChanges::of(&numbered, image, stored),
        bleeding: bleeding(image, stored, rects, &prepared.regions),
        moved_from_key: compiled.findings.in_key_cell_in_all,
    }))));
    Ok(())
}

/// A texture of which only a part is right.
fn seen_first(
    making: &Making<'_>,
    prepared: &Prepared,
    rgba: &[u8],
    visible: PixelRect,
    has_alpha: bool,
) -> Result<Texture, String> {
    let size: Size = making.stored_size();
    let format = making.storing.format.unwrap_or(PixelFormat::automatic(has_alpha));
    let conversion = Conversion {
        size,
        format,
        dithering: making.storing.dithering,
        chroma_key: making.storing.chroma_key,
        rects_in_stored: &prepared.rects_in_stored,
    };
    let whole =
        Whole { image: making.image, rgba, filter: making.filter(), regions: &prepared.regions, conversion };
    let Part { rect_in_stored, rows } = whole.part(visible);
    let metadata = prepared.metadata_bytes().map_err(|why| why.to_string())?;
    let flags = TexFlags::IS_SPRITE.with_if(has_alpha, TexFlags::HAS_ALPHA);
    let header = TexHeader { size, format, flags }.to_bytes(metadata.len()).map_err(|why| why.to_string())?;
    let row_bytes = size.width as usize * format.bytes_per_pixel();
    let mut bytes = header.to_vec();
    bytes.resize(header.len() + rect_in_stored.y as usize * row_bytes, 0);
    bytes.extend(rows);
    bytes.resize(header.len() + size.height as usize * row_bytes, 0);
    bytes.extend(metadata);
    Texture::from_bytes(bytes).map_err(|why| why.to_string())
}

/// Of an image that is too large to be kept whole, what the last import made.
fn from_disk(question: &Question, tell: &mut dyn FnMut(StoredView)) -> Result<(), String> {
    let Some((file, version)) = &question.texture else {
        return Err("The image is too large for a preview before it is imported".to_owned());
    };
    let texture = Texture::load(file).map_err(|why| why.to_string())?;
    let positions = 0..texture.frames.len() as u32;
    tell(StoredView {
        rect_in_stored: PixelRect::of_image(texture.size),
        positions: positions.collect(),
        picture: Arc::new(StoredPicture::new(Arc::new(texture))),
        facts: Some(Arc::default()),
        version: Some(*version),
    });
    Ok(())
}
