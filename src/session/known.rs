//! What is known of the pixels under an open sheet's frames. Of frames as they are in the file an import tells it; for
//! others a look of our own is asked for, and until it is taken what is known of frames that did not move still holds.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::look::{Answer, Ground, Look, rects};
use crate::geometry::{PixelRect, Size};
use crate::model::{FrameId, Problem, Sheet};
use crate::registry::{Asset, State};
use crate::sheet_file;
use crate::slicing::Findings;

/// What is known of one sheet.
#[derive(Debug, Default)]
pub(super) struct Known {
    seen: Option<Seen>,
    asked: Option<Asked>,
}

/// What was found, by an import or by a look.
#[derive(Debug)]
struct Seen {
    ground: Ground,
    findings: Arc<Findings>,
}

/// What was asked last. It stays when it could not be told, so that it is not asked again and again.
#[derive(Debug)]
struct Asked {
    ground: Ground,
    answer: Arc<Answer>,
}

impl Known {
    /// Takes the answer to what was asked, if it is there.
    pub(super) fn take_answer(&mut self) -> bool {
        let findings = self.asked.as_ref().and_then(|asked| asked.answer.get()?.clone());
        let Some((Asked { ground, .. }, findings)) = findings.and_then(|it| Some((self.asked.take()?, it)))
        else {
            return false;
        };
        self.seen = Some(Seen { ground, findings });
        true
    }

    /// After a change of the sheet or its asset: the look that is to be taken, if one is. What was asked before and is of
    /// no use any more is given up.
    pub(super) fn follow(
        &mut self,
        sheet: &Sheet,
        image_size: Size,
        asset: &Asset,
        file: PathBuf,
    ) -> Option<Look> {
        let image = asset.image.as_ref()?;
        let is_under = |ground: &Ground| ground.is_under(sheet, image_size, image.hash);
        let ground = || Ground { image: image.hash, image_size, frames: sheet.frames.clone() };
        let is_imported = asset.frames.iter().map(|frame| frame.rect_in_image).eq(rects(sheet, image_size));
        let has_pixels = rects(sheet, image_size).next().is_some();
        if (is_imported && asset.state == State::UpToDate) || !has_pixels {
            let findings = if has_pixels { asset.findings.clone() } else { Arc::default() };
            *self = Self { seen: Some(Seen { ground: ground(), findings }), asked: None };
            return None;
        }
        if image.size != image_size || self.asked.as_ref().is_some_and(|asked| is_under(&asked.ground)) {
            return None;
        }
        self.asked = None;
        // What is being imported as it is needs no look of ours.
        if is_imported || self.seen.as_ref().is_some_and(|seen| is_under(&seen.ground)) {
            return None;
        }
        let (ground, answer) = (ground(), Arc::default());
        let look = Look { ground: ground.clone(), file, answer: Arc::downgrade(&answer) };
        self.asked = Some(Asked { ground, answer });
        Some(look)
    }

    /// What is wrong with a sheet's frames by their pixels, as far as that is known.
    pub(super) fn problems(
        &self,
        sheet: &Sheet,
        image_size: Size,
        asset: &Asset,
        path: &str,
    ) -> Vec<Problem> {
        let image = asset.image.as_ref().map(|image| image.hash);
        let seen = self.seen.as_ref().filter(|seen| Some(seen.ground.image) == image);
        let findings = seen.map_or(&*asset.findings, |seen| &*seen.findings);
        if *findings == Findings::default() {
            return Vec::new();
        }
        if seen.is_some_and(|seen| seen.ground.is_under(sheet, image_size, seen.ground.image)) {
            let drawn = sheet_file::drawn_frames(sheet, image_size);
            let frame_at = |position: u32| drawn.get(position as usize).copied();
            return sheet_file::ink_problems(sheet, findings, frame_at, path);
        }
        let was: Vec<_> = match seen {
            Some(seen) => seen.ground.drawn().collect(),
            None => asset.frames.iter().map(|frame| (frame.id, frame.rect_in_image)).collect(),
        };
        let places = places(sheet, image_size);
        let frame_at = |position: u32| places.get(was.get(position as usize)?).copied();
        sheet_file::ink_problems(sheet, findings, frame_at, path)
    }
}

/// Where in the sheet the frame with an id and a place is.
fn places(sheet: &Sheet, image_size: Size) -> HashMap<(FrameId, PixelRect), usize> {
    let mut places = HashMap::with_capacity(sheet.frames.len());
    for (index, frame) in sheet.frames.iter().enumerate() {
        if let Some(rect) = frame.drawn_rect(image_size) {
            places.entry((frame.id, rect)).or_insert(index);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::Guid;
    use crate::hash::ContentHash;
    use crate::model::{Code, Frame};
    use crate::registry::{ImageFacts, SubAsset};
    use crate::slicing::findings::Few;

    const IMAGE: Size = Size::new(64, 16);

    /// Frames of 16 x 16 px with these left edges.
    fn sheet(lefts: &[i32]) -> Sheet {
        let frames = (0..).zip(lefts).map(|(id, x)| Frame::new(FrameId(id), PixelRect::new(*x, 0, 16, 16)));
        Sheet { frames: frames.collect(), ..Sheet::default() }
    }

    fn empty(positions: &[u32]) -> Findings {
        Findings {
            empty: Few { listed: positions.to_vec(), count: positions.len() as u32 },
            ..Findings::default()
        }
    }

    fn asset(sheet: &Sheet, image: &[u8], state: State, findings: Findings) -> Asset {
        let guid = Guid::random();
        let frames = (0..).zip(sheet.frames.iter()).map(|(index, frame)| SubAsset {
            guid: frame.guid(guid),
            parent_guid: guid,
            index,
            id: frame.id,
            rect_in_image: frame.rect_in_image,
            name: frame.name.clone(),
        });
        let hash = ContentHash::of(image);
        Asset {
            path: "a.png".into(),
            guid,
            guid_is_provisional: false,
            state,
            image: Some(ImageFacts { size: IMAGE, hash, file_bytes: 0, has_alpha: None, color: "".into() }),
            texture: None,
            frames: frames.collect(),
            findings: findings.into(),
            problems: [].into(),
        }
    }

    struct Stage {
        known: Known,
        asset: Asset,
    }

    impl Stage {
        fn follow(&mut self, sheet: &Sheet) -> Option<Look> {
            self.known.follow(sheet, IMAGE, &self.asset, PathBuf::new())
        }

        fn empty(&self, sheet: &Sheet) -> Vec<u32> {
            let problems = self.known.problems(sheet, IMAGE, &self.asset, "a.png");
            assert!(problems.iter().all(|problem| problem.code == Code::FrameEmpty));
            problems.iter().filter_map(|problem| problem.frame).collect()
        }
    }

    fn answer(look: &Look, findings: Option<Findings>) {
        look.answer.upgrade().unwrap().set(findings.map(Arc::new)).unwrap();
    }

    #[test]
    fn frames_of_the_file_are_told_by_the_import_and_others_by_a_look() {
        let saved = sheet(&[0, 16]);
        let asset = asset(&saved, b"a", State::UpToDate, empty(&[1]));
        let mut stage = Stage { known: Known::default(), asset };
        assert!(stage.follow(&saved).is_none());
        assert_eq!(stage.empty(&saved), [1]);

        let more = sheet(&[0, 16, 32]);
        let look = stage.follow(&more).unwrap();
        assert_eq!(stage.empty(&more), [1], "what is known of those that did not move");
        assert!(stage.follow(&more).is_none(), "asked once");
        assert!(!stage.known.take_answer());
        answer(&look, Some(empty(&[1, 2])));
        assert!(stage.known.take_answer() && !stage.known.take_answer());
        assert!(stage.follow(&more).is_none());
        assert_eq!(stage.empty(&more), [1, 2]);

        let other = sheet(&[0, 48, 32]);
        let look = stage.follow(&other).unwrap();
        assert_eq!(stage.empty(&other), [2], "of the last look");
        assert!(stage.follow(&saved).is_none());
        assert!(!look.is_wanted(), "undone, so nobody waits for it");
        assert_eq!(stage.empty(&saved), [1]);
    }

    #[test]
    fn what_a_look_saw_holds_while_the_same_is_imported() {
        let saved = sheet(&[0]);
        let mut stage =
            Stage { known: Known::default(), asset: asset(&saved, b"a", State::UpToDate, empty(&[])) };
        stage.follow(&saved);
        let more = sheet(&[0, 16]);
        let look = stage.follow(&more).unwrap();
        answer(&look, Some(empty(&[1])));
        stage.known.take_answer();
        stage.asset = asset(&more, b"a", State::Importing, empty(&[]));
        assert!(stage.follow(&more).is_none());
        assert_eq!(stage.empty(&more), [1]);
        stage.asset = asset(&more, b"a", State::UpToDate, empty(&[0]));
        assert!(stage.follow(&more).is_none());
        assert_eq!(stage.empty(&more), [0], "the import has the last word");
    }

    #[test]
    fn another_image_is_another_question_and_a_failure_is_none() {
        let saved = sheet(&[0]);
        let mut stage =
            Stage { known: Known::default(), asset: asset(&saved, b"a", State::UpToDate, empty(&[])) };
        stage.follow(&saved);
        let more = sheet(&[0, 16]);
        let look = stage.follow(&more).unwrap();
        answer(&look, None);
        assert!(!stage.known.take_answer());
        assert!(stage.follow(&more).is_none(), "it would fail again");
        stage.asset = asset(&saved, b"b", State::UpToDate, empty(&[0]));
        let look = stage.follow(&more).unwrap();
        assert_eq!(stage.empty(&more), [0], "what the import found in the new one");
        answer(&look, Some(empty(&[1])));
        stage.known.take_answer();
        assert_eq!(stage.empty(&more), [1]);
        assert!(stage.follow(&sheet(&[])).is_none(), "no frames, nothing to look at");
        assert!(stage.empty(&sheet(&[])).is_empty());
    }
}
