//! A loaded texture: frames in stored pixels, as the engine keeps them, and pixels decoded on request.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::format::tex::{FrameSize, Tex, TexChromaKey, TexError, TexFlags, TexFrame};
use crate::geometry::{PixelRect, Size, map_edge};
use crate::guid::Guid;
use crate::pixels::pack::pack_565;
use crate::pixels::unpack_rows;
use crate::texture::{ChromaKey, Insets, PixelFormat};

/// Pixels per metre of every texture that was not made smaller; no file says otherwise.
pub const PIXELS_PER_METER: f32 = 16.0;

/// A texture as a game holds it. Pixels stay as they are stored until they are asked for.
#[derive(Debug)]
pub struct Texture {
    bytes: Arc<Vec<u8>>,
    pixels: Range<usize>,
    /// Width and height in stored pixels.
    pub size: Size,
    /// How the pixels are stored.
    pub format: PixelFormat,
    /// Whether it is drawn with blending: the header's flag, after the loader's look at RGB565A8's alpha.
    pub has_alpha: bool,
    /// Stored pixels per metre: 16, less when the texture is smaller than its image.
    pub pixels_per_meter: f32,
    /// Stored width / image width.
    pub source_scale: f32,
    /// The image's size when the texture is smaller.
    pub image_size: Option<Size>,
    /// The default frame in stored pixels, 0 by 0 for the whole.
    pub default_frame: FrameSize,
    /// The frames, rectangles and borders in stored pixels.
    pub frames: Vec<TexFrame>,
    /// The whole image's nine-slice borders in stored pixels.
    pub nine_slice: Option<Insets>,
    /// The colour that is drawn as nothing.
    pub chroma_key: Option<TexChromaKey>,
    /// Positions of the frames by their GUIDs, made when one is first looked for.
    by_guid: OnceLock<HashMap<[u8; 36], usize>>,
}

/// A texture file cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("Cannot read the texture: {source}: {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A loader refuses what is in it.
    #[error("{source}: {path}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        source: TexError,
    },
}

/// Where the texture of the image with GUID `parent` is: named by the GUID in lower case, without extension.
pub fn file_of(cache_folder: &Path, parent: Guid) -> PathBuf {
    cache_folder.join(parent.to_string())
}

impl Texture {
    /// Takes a whole file's bytes, and applies its source size.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, TexError> {
        let tex = Tex::parse(&bytes)?;
        let has_alpha = blends(&tex, &bytes[tex.pixels.clone()]);
        let Tex { size, format, pixels, frames, nine_slice, chroma_key, source_size, .. } = tex;
        let mut texture = Self {
            bytes: Arc::new(bytes),
            pixels,
            size,
            format,
            has_alpha,
            pixels_per_meter: PIXELS_PER_METER,
            source_scale: 1.0,
            image_size: None,
            default_frame: tex.default_frame.unwrap_or_default(),
            frames,
            nine_slice,
            chroma_key,
            by_guid: OnceLock::new(),
        };
        if let Some(image) = source_size {
            texture.apply_source_size(image);
        }
        Ok(texture)
    }

    /// Loads a file.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let bytes = fs::read(path).map_err(|source| LoadError::Read { path: path.to_owned(), source })?;
        Self::from_bytes(bytes).map_err(|source| LoadError::Refused { path: path.to_owned(), source })
    }

    /// The stored pixels, row by row, top row first.
    pub fn stored_pixels(&self) -> &[u8] {
        &self.bytes[self.pixels.clone()]
    }

    /// The first frame with exactly that GUID text. `None` means that the whole texture is drawn.
    ///
    /// Takes the same time in sheets of any number of frames: a scene looks for thousands.
    pub fn find_frame(&self, guid: &str) -> Option<&TexFrame> {
        let by_guid = self.by_guid.get_or_init(|| {
            // Of equal ones the first is collected last.
            self.frames.iter().enumerate().rev().map(|(position, frame)| (frame.guid, position)).collect()
        });
        let guid: [u8; 36] = guid.as_bytes().try_into().ok()?;
        self.frames.get(*by_guid.get(&guid)?)
    }

    /// Maps an x in image pixels to the stored edge it falls on.
    pub fn source_to_stored_x(&self, x_in_image: i32) -> i32 {
        self.edges(self.image_size.unwrap_or(self.size)).x(x_in_image.into())
    }

    /// Maps a y in image pixels to the stored edge it falls on.
    pub fn source_to_stored_y(&self, y_in_image: i32) -> i32 {
        self.edges(self.image_size.unwrap_or(self.size)).y(y_in_image.into())
    }

    /// Maps frames, borders and default frame from an image of that size to stored pixels, edge by edge.
    ///
    /// [`Texture::from_bytes`] does this for a file that has a source size; a second time changes nothing, as
    /// does an empty image or one of the stored size. A frame keeps at least one pixel each way, which may lie
    /// outside the texture or on a neighbour.
    pub fn apply_source_size(&mut self, image: Size) {
        if self.image_size.is_some() || image.area() == 0 || image == self.size {
            return;
        }
        let edges = self.edges(image);
        for frame in &mut self.frames {
            // The borders are measured from the rectangle as it was.
            frame.nine_slice = frame.nine_slice.map(|insets| edges.insets(insets, frame.rect));
            frame.rect = edges.rect(frame.rect);
        }
        let FrameSize { width, height } = self.default_frame;
        self.default_frame = FrameSize {
            width: if width > 0 { edges.x(width.into()).max(1) } else { edges.x(width.into()) },
            height: if height > 0 { edges.y(height.into()).max(1) } else { edges.y(height.into()) },
        };
        self.nine_slice = self.nine_slice.map(|insets| edges.insets(insets, PixelRect::of_image(image)));
        self.source_scale = self.size.width as f32 / image.width as f32;
        self.pixels_per_meter *= self.source_scale;
        self.image_size = Some(image);
    }

    /// The same pixels with other frames and borders, all in image pixels: of a sheet that is being edited, while the
    /// texture is still that of its last save. `whole` are the borders of the whole image; none at all are no borders.
    #[must_use]
    pub fn recut(&self, frames: impl IntoIterator<Item = (Guid, PixelRect, Insets)>, whole: Insets) -> Self {
        let image = self.image_size.unwrap_or(self.size);
        let edges = self.edges(image);
        let recut = frames.into_iter().map(|(guid, rect_in_image, insets)| TexFrame {
            nine_slice: (!insets.is_zero()).then(|| edges.insets(insets, rect_in_image)),
            ..TexFrame::new(guid, edges.rect(rect_in_image))
        });
        Self {
            bytes: self.bytes.clone(),
            pixels: self.pixels.clone(),
            frames: recut.collect(),
            by_guid: OnceLock::new(),
            size: self.size,
            format: self.format,
            has_alpha: self.has_alpha,
            pixels_per_meter: self.pixels_per_meter,
            source_scale: self.source_scale,
            image_size: self.image_size,
            default_frame: self.default_frame,
            nine_slice: (!whole.is_zero()).then(|| edges.insets(whole, PixelRect::of_image(image))),
            chroma_key: self.chroma_key.clone(),
        }
    }

    /// All pixels as straight RGBA, `width x height x 4` bytes; those of the chroma key are 0, 0, 0, 0.
    pub fn decode_rgba(&self) -> Vec<u8> {
        self.decode_rect(PixelRect::of_image(self.size)).1
    }

    /// The pixels of the part of `rect_in_texture` that is inside, with that part's size: 0 by 0 for none.
    pub fn decode_rect(&self, rect_in_texture: PixelRect) -> (Size, Vec<u8>) {
        let Some(rect) = rect_in_texture.clipped_to(self.size) else {
            return (Size::default(), Vec::new());
        };
        // Inside the texture, so no number is negative and every row is there.
        let (x, y, width, height) =
            (rect.x as usize, rect.y as usize, rect.width as usize, rect.height as usize);
        let pixel_bytes = self.format.bytes_per_pixel();
        let stored_rows = self.stored_pixels().chunks_exact(self.size.width as usize * pixel_bytes);
        let mut rgba = vec![0; width * height * 4];
        for (stored, row) in stored_rows.skip(y).zip(rgba.chunks_exact_mut(width * 4)) {
            self.decode_row(&stored[x * pixel_bytes..(x + width) * pixel_bytes], row);
        }
        (Size::new(width as u32, height as u32), rgba)
    }

    fn decode_row(&self, stored: &[u8], rgba: &mut [u8]) {
        unpack_rows(self.format, stored, rgba, self.has_alpha);
        if let Some(TexChromaKey { key, .. }) = &self.chroma_key {
            remove_key(self.format, *key, stored, rgba);
        }
    }

    const fn edges(&self, image: Size) -> Edges {
        Edges { image, stored: self.size }
    }
}

/// Where a rectangle and the borders inside it come to lie when an image is stored in another size.
pub fn stored_region(image: Size, stored: Size, rect: PixelRect, insets: Insets) -> (PixelRect, Insets) {
    let edges = Edges { image, stored };
    (edges.rect(rect), edges.insets(insets, rect))
}

/// The engine's blend decision. It trusts `AllOpaque`, and so do we: this is what a device shows.
fn blends(tex: &Tex, pixels: &[u8]) -> bool {
    if tex.format != PixelFormat::Rgb565A8 || !tex.flags.contains(TexFlags::HAS_ALPHA) {
        return tex.flags.contains(TexFlags::HAS_ALPHA);
    }
    let (stored, _) = pixels.as_chunks::<3>();
    !tex.flags.contains(TexFlags::ALL_OPAQUE) && stored.iter().any(|[_, _, alpha]| *alpha < 255)
}

/// Clears the pixels that the device skips. With 5, 6 and 5 bits it compares those, so every colour in the
/// key's cell goes; ALPHA8 has no colour to compare.
fn remove_key(format: PixelFormat, key: ChromaKey, stored: &[u8], rgba: &mut [u8]) {
    let ChromaKey { red, green, blue } = key;
    let [low, high] = pack_565(red, green, blue).to_le_bytes();
    let is_key = |pixel: &[u8]| match format {
        PixelFormat::Rgb888 | PixelFormat::Rgba8888 => pixel[..3] == [red, green, blue],
        PixelFormat::Rgb565 | PixelFormat::Rgb565A8 => pixel[..2] == [low, high],
        PixelFormat::Alpha8 => false,
    };
    let (out, _) = rgba.as_chunks_mut::<4>();
    for (pixel, out) in stored.chunks_exact(format.bytes_per_pixel()).zip(out) {
        if is_key(pixel) {
            *out = [0; 4];
        }
    }
}

/// Image edges to stored edges.
#[derive(Clone, Copy)]
struct Edges {
    image: Size,
    stored: Size,
}

impl Edges {
    fn x(self, x: i64) -> i32 {
        map(x, self.image.width, self.stored.width)
    }

    fn y(self, y: i64) -> i32 {
        map(y, self.image.height, self.stored.height)
    }

    fn rect(self, rect: PixelRect) -> PixelRect {
        let (x0, x1) = (self.x(rect.x.into()), self.x(rect.right()));
        let (y0, y1) = (self.y(rect.y.into()), self.y(rect.bottom()));
        PixelRect::new(x0, y0, x1.saturating_sub(x0).max(1), y1.saturating_sub(y0).max(1))
    }

    /// Borders from the sides of `rect` as it is in the image; a negative one wraps in 16 bits as in the engine.
    fn insets(self, insets: Insets, rect: PixelRect) -> Insets {
        let Insets { left, right, top, bottom } = insets;
        let (x0, y0) = (i64::from(rect.x), i64::from(rect.y));
        let between = |from: i32, to: i32| to.wrapping_sub(from) as u16;
        Insets {
            left: between(self.x(x0), self.x(x0 + i64::from(left))),
            right: between(self.x(rect.right() - i64::from(right)), self.x(rect.right())),
            top: between(self.y(y0), self.y(y0 + i64::from(top))),
            bottom: between(self.y(rect.bottom() - i64::from(bottom)), self.y(rect.bottom())),
        }
    }
}

/// [`map_edge`] for any numbers that a file may hold: what 32 bits cannot say stays at their end.
fn map(v: i64, image: u32, stored: u32) -> i32 {
    let limits = (i64::from(i32::MIN), i64::from(i32::MAX));
    let v = v.clamp(limits.0, limits.1);
    map_edge(v, image.into(), stored.into()).clamp(limits.0, limits.1) as i32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::tex::{Metadata, TexHeader};

    const PARENT: &str = "11111111-2222-4333-8444-555555555555";

    fn parent() -> Guid {
        PARENT.parse().unwrap()
    }

    fn texture(
        size: Size,
        format: PixelFormat,
        flags: TexFlags,
        pixels: &[u8],
        metadata: &Metadata,
    ) -> Texture {
        let after = metadata.to_bytes().unwrap();
        let header = TexHeader { size, format, flags };
        let bytes = [&header.to_bytes(after.len()).unwrap()[..], pixels, &after].concat();
        Texture::from_bytes(bytes).unwrap()
    }

    /// An ALPHA8 texture of that size made from an image of the other.
    fn shrunk(stored: Size, image: Size, metadata: Metadata) -> Texture {
        let metadata = Metadata { source_size: Some(image), ..metadata };
        let pixels = vec![0; stored.area() as usize];
        texture(stored, PixelFormat::Alpha8, TexFlags::IS_SPRITE, &pixels, &metadata)
    }

    fn frames(rects: &[[i32; 4]]) -> Metadata {
        let frames = rects.iter().zip(0..).map(|([x, y, width, height], id)| {
            TexFrame::new(Guid::for_frame(parent(), id), PixelRect::new(*x, *y, *width, *height))
        });
        Metadata { frames: frames.collect(), ..Metadata::default() }
    }

    fn insets(left: u16, right: u16, top: u16, bottom: u16) -> Insets {
        Insets { left, right, top, bottom }
    }

    #[test]
    fn frames_of_the_300_by_200_example_map_by_their_edges() {
        let image = Size::new(300, 200);
        let metadata = frames(&[[0, 0, 100, 100], [100, 0, 100, 100], [200, 100, 100, 100]]);
        let texture = shrunk(Size::new(128, 85), image, metadata);
        let rects: Vec<_> = texture.frames.iter().map(|frame| frame.rect).collect();
        let expected =
            [PixelRect::new(0, 0, 43, 43), PixelRect::new(43, 0, 42, 43), PixelRect::new(85, 43, 43, 42)];
        assert_eq!(rects, expected);
        assert_eq!(texture.image_size, Some(image));
        assert_eq!((texture.source_to_stored_x(200), texture.source_to_stored_y(100)), (85, 43));
        assert!((texture.source_scale - 128.0 / 300.0).abs() < 1e-6);
    }

    #[test]
    fn other_frames_and_borders_map_by_the_same_edges() {
        let mut metadata = frames(&[[0, 0, 100, 100], [100, 0, 100, 100]]);
        metadata.frames[1].nine_slice = Some(insets(10, 10, 10, 10));
        let texture = shrunk(Size::new(150, 100), Size::new(300, 200), metadata);
        let of = |id| Guid::for_frame(parent(), id);
        let recut = texture.recut(
            [
                (of(1), PixelRect::new(200, 100, 100, 100), insets(8, 6, 4, 2)),
                (of(7), PixelRect::new(0, 0, 3, 2), Insets::default()),
            ],
            insets(3, 0, 0, 0),
        );
        let found = recut.find_frame(&of(1).to_string()).unwrap();
        assert_eq!(found.rect, PixelRect::new(100, 50, 50, 50));
        assert_eq!(found.nine_slice, Some(insets(4, 3, 2, 1)));
        let other = recut.find_frame(&of(7).to_string()).unwrap();
        // 3 / 2 rounds up to 2.
        assert_eq!((other.rect, other.nine_slice), (PixelRect::new(0, 0, 2, 1), None));
        assert_eq!(recut.nine_slice, Some(insets(2, 0, 0, 0)));
        assert_eq!(recut.find_frame(&of(0).to_string()), None);
        assert_eq!(recut.stored_pixels(), texture.stored_pixels());
    }

    #[test]
    fn half_the_size_is_half_the_pixels_per_metre_by_width_alone() {
        let texture = shrunk(Size::new(32, 32), Size::new(64, 32), Metadata::default());
        assert!((texture.pixels_per_meter - 8.0).abs() < 1e-6);
        let same_width = shrunk(Size::new(32, 16), Size::new(32, 32), Metadata::default());
        assert!((same_width.pixels_per_meter - 16.0).abs() < 1e-6);
    }

    #[test]
    fn a_frame_at_the_far_edge_of_100_to_2_pixels_lies_outside_and_decodes_to_nothing() {
        // 99 x 2 / 100 = 1.98 rounds to 2, the texture's width; at least one pixel is kept.
        let texture =
            shrunk(Size::new(2, 2), Size::new(100, 100), frames(&[[99, 0, 1, 100], [30, 0, 10, 100]]));
        assert_eq!(texture.frames[0].rect, PixelRect::new(2, 0, 1, 2));
        assert_eq!(texture.decode_rect(texture.frames[0].rect), (Size::new(0, 0), vec![]));
        // 0.6 and 0.8 both round to 1: one pixel that belongs to its neighbour.
        assert_eq!(texture.frames[1].rect, PixelRect::new(1, 0, 1, 2));
    }

    #[test]
    fn default_frame_and_borders_map_with_the_image() {
        let mut metadata = frames(&[[10, 10, 20, 20]]);
        metadata.default_frame = FrameSize { width: 1, height: 0 };
        metadata.nine_slice = Some(insets(10, 21, 9, 0));
        metadata.frames[0].nine_slice = Some(insets(5, 6, 7, 8));
        let texture = shrunk(Size::new(25, 25), Size::new(100, 100), metadata);
        // 1 / 4 rounds to 0, and a default frame keeps one pixel; 0 stays the whole height.
        assert_eq!(texture.default_frame, FrameSize { width: 1, height: 0 });
        // Left 10 -> 2.5 -> 3; right edge 79 -> 19.75 -> 20, 25 - 20 = 5; top 9 -> 2.25 -> 2.
        assert_eq!(texture.nine_slice, Some(insets(3, 5, 2, 0)));
        // Edges 10 -> 3 and 30 -> 8 (7.5); 15 -> 4, 24 -> 6, 17 -> 4 (4.25), 22 -> 6 (5.5).
        assert_eq!(texture.frames[0].rect, PixelRect::new(3, 3, 5, 5));
        assert_eq!(texture.frames[0].nine_slice, Some(insets(1, 2, 1, 2)));
    }

    #[test]
    fn sizes_that_say_nothing_change_nothing_and_none_applies_twice() {
        let mut texture = texture(
            Size::new(4, 4),
            PixelFormat::Alpha8,
            TexFlags::IS_SPRITE,
            &[0; 16],
            &frames(&[[2, 2, 2, 2]]),
        );
        for image in [Size::new(4, 4), Size::new(0, 8), Size::new(8, 0)] {
            texture.apply_source_size(image);
            assert_eq!((texture.frames[0].rect, texture.image_size), (PixelRect::new(2, 2, 2, 2), None));
        }
        assert_eq!(texture.source_to_stored_x(-7), -7);
        for _ in 0..2 {
            texture.apply_source_size(Size::new(8, 8));
            assert_eq!(texture.frames[0].rect, PixelRect::new(1, 1, 1, 1));
        }
    }

    #[test]
    fn frames_are_found_by_their_exact_text_and_the_first_wins() {
        let mut metadata = frames(&[[0, 0, 1, 1], [1, 0, 1, 1]]);
        metadata.frames.push(TexFrame { rect: PixelRect::new(9, 9, 1, 1), ..metadata.frames[0] });
        let texture = shrunk(Size::new(4, 4), Size::new(8, 8), metadata);
        let guid = Guid::for_frame(parent(), 0).to_string();
        assert_eq!(texture.find_frame(&guid), Some(&texture.frames[0]));
        assert_eq!(texture.find_frame(&guid.to_uppercase()), None);
        assert_eq!(texture.find_frame(""), None);
        assert_eq!(texture.find_frame(PARENT), None);
    }

    #[test]
    fn each_of_very_many_frames_is_found_with_its_own_rectangle() {
        // 57 x 31 cells of 16 pixels with 1 between them.
        let size = Size::new(968, 526);
        let rects: Vec<_> = (0..1767).map(|k| [k % 57 * 17, k / 57 * 17, 16, 16]).collect();
        let pixels = vec![0; size.area() as usize];
        let loaded = texture(size, PixelFormat::Alpha8, TexFlags::IS_SPRITE, &pixels, &frames(&rects));
        assert_eq!(loaded.frames.len(), 1767);
        for (id, [x, y, width, height]) in (0..).zip(rects) {
            let found = loaded.find_frame(&Guid::for_frame(parent(), id).to_string()).unwrap();
            assert_eq!(found.rect, PixelRect::new(x, y, width, height), "{id}");
        }
    }

    #[test]
    fn rgb565a8_blends_only_with_the_flag_and_an_alpha_below_255() {
        let load = |flags: u32, alpha: u8| {
            let pixels = [0, 0xf8, 255, 0, 0xf8, alpha];
            let size = Size::new(2, 1);
            let loaded = texture(size, PixelFormat::Rgb565A8, TexFlags(flags), &pixels, &Metadata::default());
            (loaded.has_alpha, loaded.decode_rgba()[7])
        };
        let (flag, all_opaque) = (0x02, 0x08);
        assert_eq!(load(flag, 9), (true, 9));
        assert_eq!(load(flag, 255), (false, 255));
        assert_eq!(load(0, 9), (false, 255));
        // Trusted blindly, so transparent pixels are solid.
        assert_eq!(load(flag | all_opaque, 9), (false, 255));
        assert_eq!(load(all_opaque, 9), (false, 255));
    }

    #[test]
    fn rgba8888_keeps_its_alpha_whatever_the_flags() {
        for flags in [0, 0x02, 0x0a] {
            let size = Size::new(1, 1);
            let loaded =
                texture(size, PixelFormat::Rgba8888, TexFlags(flags), &[1, 2, 3, 4], &Metadata::default());
            assert_eq!(loaded.decode_rgba(), [1, 2, 3, 4]);
            assert_eq!(loaded.has_alpha, flags & 2 != 0);
        }
    }

    #[test]
    fn key_pixels_are_not_there_and_565_compares_in_its_own_bits() {
        let key = ChromaKey { red: 255, green: 0, blue: 255 };
        let metadata =
            Metadata { chroma_key: Some(TexChromaKey { key, spans: vec![] }), ..Metadata::default() };
        let decode = |format, pixels: &[u8]| {
            let size = Size::new(2, 1);
            texture(size, format, TexFlags::IS_SPRITE, pixels, &metadata).decode_rgba()
        };
        let gone = [0, 0, 0, 0];
        let rgb = decode(PixelFormat::Rgb888, &[255, 0, 255, 254, 0, 255]);
        assert_eq!(rgb, [gone, [254, 0, 255, 255]].concat());
        let rgba = decode(PixelFormat::Rgba8888, &[255, 0, 255, 9, 255, 1, 255, 9]);
        assert_eq!(rgba, [gone, [255, 1, 255, 9]].concat());
        // f81f is the key's cell, which holds 248, 3, 250 too.
        let packed = pack_565(248, 3, 250).to_le_bytes();
        assert_eq!(
            decode(PixelFormat::Rgb565, &[packed[0], packed[1], 0, 0]),
            [gone, [0, 0, 0, 255]].concat()
        );
        assert_eq!(decode(PixelFormat::Rgb565A8, &[0x1f, 0xf8, 1, 0, 0, 1]), [gone, [0, 0, 0, 255]].concat());
        assert_eq!(decode(PixelFormat::Alpha8, &[255, 0]), [255, 255, 255, 255, 255, 255, 255, 0]);
    }

    #[test]
    fn a_rectangle_is_decoded_as_far_as_it_is_inside() {
        let pixels: Vec<u8> = (0..12).collect();
        let loaded =
            texture(Size::new(4, 3), PixelFormat::Alpha8, TexFlags(0), &pixels, &Metadata::default());
        let alphas = |rect| {
            let (size, rgba) = loaded.decode_rect(rect);
            (size.width, size.height, rgba.chunks(4).map(|pixel| pixel[3]).collect::<Vec<_>>())
        };
        assert_eq!(alphas(PixelRect::new(1, 1, 2, 2)), (2, 2, vec![5, 6, 9, 10]));
        assert_eq!(alphas(PixelRect::new(-5, 2, 7, 90)), (2, 1, vec![8, 9]));
        assert_eq!(alphas(PixelRect::new(4, 0, 1, 1)), (0, 0, vec![]));
        assert_eq!(alphas(PixelRect::new(2, 2, -1, 1)), (0, 0, vec![]));
        assert_eq!(alphas(PixelRect::new(0, 0, 0, 0)), (0, 0, vec![]), "not the whole image");
        assert_eq!(loaded.decode_rgba().len(), 48);
    }

    #[test]
    fn errors_end_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = file_of(folder.path(), parent());
        assert_eq!(path, folder.path().join(PARENT));
        let missing = Texture::load(&path).unwrap_err().to_string();
        fs::write(&path, b"no texture").unwrap();
        let refused = Texture::load(&path).unwrap_err().to_string();
        for message in [missing, refused] {
            assert!(message.ends_with(PARENT), "{message}");
        }
    }

    proptest! {
        #[test]
        fn any_numbers_map_without_a_panic_and_decode_inside(
            rect in any::<[i32; 4]>(),
            sides in any::<[u16; 4]>(),
            image in (1..=i32::MAX as u32, 1..=i32::MAX as u32),
            stored in (1_u32..20, 1_u32..20),
        ) {
            let mut metadata = frames(&[rect]);
            let [left, right, top, bottom] = sides;
            metadata.frames[0].nine_slice = Some(insets(left, right, top, bottom));
            metadata.nine_slice = metadata.frames[0].nine_slice;
            metadata.default_frame = FrameSize { width: rect[2], height: rect[3] };
            let stored = Size::new(stored.0, stored.1);
            let texture = shrunk(stored, Size::new(image.0, image.1), metadata);
            let (size, rgba) = texture.decode_rect(texture.frames[0].rect);
            prop_assert!(size.width <= stored.width && size.height <= stored.height);
            prop_assert_eq!(rgba.len() as u64, size.area() * 4);
        }
    }
}
