//! Makes what a question asks for, by the importer's own code: first what is looked at, then all, then the numbers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Error, Facts, FrameChanges, Question, StoredPicture, StoredView};
use crate::format::tex::{TexFlags, TexHeader};
use crate::geometry::PixelRect;
use crate::import::Recipe;
use crate::import::compile::{CompileError, compile_pixels};
use crate::pixels::{Conversion, Part, bleeding};
use crate::runtime::Texture;
use crate::session::source_picture::Tiled as _;
use crate::sheet_file;

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
    let recipe = Recipe::of(&question.sheet, question.guid, image, &question.storing);
    let metadata = recipe.metadata.to_bytes().map_err(|why| why.to_string())?;
    let version = question.image.with(recipe.settings_hash(question.storing.max_size, &metadata));
    let drawn = sheet_file::drawn_frames(&question.sheet, image);
    let positions: Arc<[u32]> = drawn.into_iter().map(|index| index as u32).collect();

    let stored = recipe.stored;
    let visible = question.visible.and_then(|visible| visible.clipped_to(stored));
    let is_small = image.area().max(stored.area()) <= SMALL;
    if let Some(visible) = visible.filter(|visible| !is_small && *visible != PixelRect::of_image(stored)) {
        let texture = seen_first(&recipe, rgba, visible, question.has_alpha, &metadata)?;
        tell(StoredView {
            picture: Arc::new(StoredPicture::new(Arc::new(texture))),
            positions: positions.clone(),
            facts: None,
            version: None,
        });
    }
    let (bytes, compiled) = match compile_pixels(rgba, &recipe, gives_up) {
        Ok(made) => made,
        Err(CompileError::Cancelled) => return Ok(()),
        Err(why) => return Err(why.to_string()),
    };
    let texture = Texture::from_bytes(bytes).map_err(|why| why.to_string())?;
    let picture = Arc::new(StoredPicture::new(Arc::new(texture)));
    let view = |facts| StoredView {
        picture: picture.clone(),
        positions: positions.clone(),
        facts,
        version: Some(version),
    };
    tell(view(None));
    if gives_up.load(Ordering::Relaxed) {
        return Ok(());
    }
    let rects = &recipe.frames;
    let numbered: Vec<_> = positions.iter().copied().zip(rects.iter().copied()).collect();
    tell(view(Some(Arc::new(Facts {
        error: Error::between(image, rgba, &picture),
        frames: FrameChanges::of(&numbered, image, stored),
        bleeding: bleeding(image, stored, rects, &recipe.regions.rects_in_image),
        moved_from_key: compiled.findings.in_key_cell_in_all,
    }))));
    Ok(())
}

/// A texture of which only a part is right.
fn seen_first(
    recipe: &Recipe,
    rgba: &[u8],
    visible: PixelRect,
    has_alpha: bool,
    metadata: &[u8],
) -> Result<Texture, String> {
    let conversion = recipe.conversion(has_alpha);
    let Conversion { stored: size, format, .. } = conversion;
    let Part { rect_in_stored, pixels } = conversion.part(rgba, visible);
    let flags = TexFlags::IS_SPRITE.with_if(has_alpha, TexFlags::HAS_ALPHA);
    let header = TexHeader { size, format, flags }.to_bytes(metadata.len()).map_err(|why| why.to_string())?;
    let pixel_bytes = format.bytes_per_pixel();
    let mut bytes = header.to_vec();
    bytes.resize(header.len() + size.area() as usize * pixel_bytes, 0);
    let row_bytes = rect_in_stored.width as usize * pixel_bytes;
    for (row, pixels) in (rect_in_stored.y as usize..).zip(pixels.chunks_exact(row_bytes.max(1))) {
        let at = (row * size.width as usize + rect_in_stored.x as usize) * pixel_bytes + header.len();
        if let Some(place) = bytes.get_mut(at..at + row_bytes) {
            place.copy_from_slice(pixels);
        }
    }
    bytes.extend_from_slice(metadata);
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
        positions: positions.collect(),
        picture: Arc::new(StoredPicture::new(Arc::new(texture))),
        facts: Some(Arc::default()),
        version: Some(*version),
    });
    Ok(())
}
