//! A look at the pixels under frames that no import has seen: the same census that an import takes on its way to the
//! texture, so that both find the same.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock, Weak};

use super::study::each_band;
use crate::geometry::{PixelRect, Size};
use crate::hash::ContentHash;
use crate::import::plan::extension_of;
use crate::model::{Frame, FrameId, Sheet};
use crate::pixels::RowDecoder;
use crate::slicing::{Census, Findings};

/// Frames over the pixels of an image.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    /// The image.
    pub(super) image: ContentHash,
    /// Its size.
    pub(super) image_size: Size,
    /// The frames in their sheet's order, also those without pixels.
    pub(super) frames: Arc<[Frame]>,
}

impl Ground {
    /// The frames that have pixels, by which findings count, and where these are.
    pub(super) fn drawn(&self) -> impl Iterator<Item = (FrameId, PixelRect)> {
        self.frames.iter().filter_map(|frame| Some((frame.id, frame.drawn_rect(self.image_size)?)))
    }

    /// Whether a sheet's frames have the same pixels of the same image, in the same order.
    pub(super) fn is_under(&self, sheet: &Sheet, image_size: Size, image: ContentHash) -> bool {
        let is_same = Arc::ptr_eq(&self.frames, &sheet.frames) && self.image_size == image_size;
        self.image == image && (is_same || self.drawn().map(|(_, rect)| rect).eq(rects(sheet, image_size)))
    }
}

/// Where the frames of a sheet have pixels in an image of that size.
pub(super) fn rects(sheet: &Sheet, image_size: Size) -> impl Iterator<Item = PixelRect> {
    sheet.frames.iter().filter_map(move |frame| frame.drawn_rect(image_size))
}

/// Where the findings of a look will be; `None` when the pixels could not be read.
pub(super) type Answer = OnceLock<Option<Arc<Findings>>>;

/// A look to be taken, for as long as somebody waits for the answer.
#[derive(Debug)]
pub(super) struct Look {
    /// What to look at.
    pub(super) ground: Ground,
    /// The image's file.
    pub(super) file: PathBuf,
    /// Dropped by whoever asked when another question takes this one's place.
    pub(super) answer: Weak<Answer>,
}

impl Look {
    /// Whether anybody waits for it.
    pub(super) fn is_wanted(&self) -> bool {
        self.answer.strong_count() > 0
    }

    /// Looks, and asks now and then whether to go on; `None` when not. Why it cannot, in words.
    pub(super) fn findings(&self, goes_on: impl Fn() -> bool) -> Option<Result<Findings, String>> {
        let bytes = match std::fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(why) => return Some(Err(format!("cannot be read: {why}"))),
        };
        if !goes_on() {
            return None;
        }
        // It may have changed since; then the importer tells of it.
        if ContentHash::of(&bytes) != self.ground.image {
            return Some(Err("is another image by now".to_owned()));
        }
        self.census(&bytes, goes_on).transpose()
    }

    fn census(&self, bytes: &[u8], goes_on: impl Fn() -> bool) -> Result<Option<Findings>, String> {
        let extension = extension_of(&self.file);
        let mut decoder = RowDecoder::open(bytes, extension).map_err(|why| why.to_string())?;
        let mut census = Census::new(self.ground.drawn().map(|(_, rect)| rect), decoder.size());
        let is_whole = each_band(&mut decoder, |rows| {
            census.push_rows(rows);
            goes_on()
        })?;
        Ok(is_whole.then(|| Findings::of(&census.finish())))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::sample::{Effort, Picture, encode_png};

    /// 4 x 1024 px, so that there are several bands where rows are wide; the lower half can be seen.
    fn picture(width: u32) -> Vec<u8> {
        let size = Size::new(width, 1024);
        let rgba = (0..size.area()).flat_map(|at| [0, 0, 0, if at >= size.area() / 2 { 255 } else { 0 }]);
        encode_png(&Picture { size, rgba: rgba.collect() }, false, Effort::Fast)
    }

    fn look(folder: &tempfile::TempDir, bytes: &[u8], answer: &Arc<Answer>) -> Look {
        let file = folder.path().join("a.png");
        std::fs::write(&file, bytes).unwrap();
        let rects = [(0, 0), (0, 2000), (0, 600)].map(|(x, y)| PixelRect::new(x, y, 8, 8));
        let frames = (0..).zip(rects).map(|(id, rect)| Frame::new(FrameId(id), rect)).collect();
        let ground = Ground {
            image: ContentHash::of(bytes),
            image_size: RowDecoder::open(bytes, None).unwrap().size(),
            frames,
        };
        Look { ground, file, answer: Arc::downgrade(answer) }
    }

    #[test]
    fn findings_count_the_frames_that_have_pixels() {
        let (folder, answer) = (tempfile::tempdir().unwrap(), Arc::default());
        let look = look(&folder, &picture(8), &answer);
        let found = look.findings(|| true).unwrap().unwrap();
        assert_eq!((found.empty.listed, look.ground.drawn().count()), (vec![0], 2));
        assert!(look.is_wanted());
        drop(answer);
        assert!(!look.is_wanted());
    }

    #[test]
    fn a_look_ends_in_the_midst_of_an_image_when_it_is_not_to_go_on() {
        let (folder, answer) = (tempfile::tempdir().unwrap(), Arc::default());
        let look = look(&folder, &picture(1024), &answer);
        let asked = Cell::new(0);
        let goes_on = |most| {
            asked.set(0);
            let goes_on = look.findings(|| {
                asked.set(asked.get() + 1);
                asked.get() <= most
            });
            (goes_on.is_some(), asked.get())
        };
        assert_eq!(goes_on(0), (false, 1), "before it is decoded");
        assert_eq!(goes_on(2), (false, 3));
        let (is_whole, bands) = goes_on(u32::MAX);
        assert!(is_whole && bands > 3);
    }

    #[test]
    fn an_image_that_is_another_by_now_is_not_looked_at() {
        let (folder, answer) = (tempfile::tempdir().unwrap(), Arc::default());
        let look = look(&folder, &picture(8), &answer);
        std::fs::write(&look.file, picture(16)).unwrap();
        assert!(look.findings(|| true).unwrap().is_err());
        std::fs::remove_file(&look.file).unwrap();
        assert!(look.findings(|| true).unwrap().is_err());
    }

    #[test]
    fn the_ground_is_the_same_for_other_names_and_another_for_other_places() {
        let rects = [PixelRect::new(0, 0, 8, 8), PixelRect::new(60, 0, 8, 8)];
        let sheet_of = |rects: &[PixelRect], name: &str| Sheet {
            frames: (0..)
                .zip(rects)
                .map(|(id, rect)| Frame { name: name.into(), ..Frame::new(FrameId(id), *rect) })
                .collect(),
            ..Sheet::default()
        };
        let (image, image_size) = (ContentHash::of(b"a"), Size::new(64, 64));
        let sheet = sheet_of(&rects, "");
        let ground = Ground { image, image_size, frames: sheet.frames.clone() };
        assert!(ground.is_under(&sheet, image_size, image));
        assert!(ground.is_under(&sheet_of(&rects, "run"), image_size, image));
        assert!(!ground.is_under(&sheet_of(&rects[..1], ""), image_size, image));
        assert!(!ground.is_under(&sheet, Size::new(128, 64), image), "less of it is clipped");
        assert!(!ground.is_under(&sheet, image_size, ContentHash::of(b"b")));
    }
}
