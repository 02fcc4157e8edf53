//! The list of problems: of open sheets as they are now, with their unsaved edits, of all else as the importer saw it.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Document, Session};
use crate::edit::Revision;
use crate::geometry::{PixelRect, Size};
use crate::model::{Code, FrameId, Problem};
use crate::registry::{Asset, Registry};
use crate::sheet_file;
use crate::slicing::Findings;

/// The kinds that only a look at the pixels tells.
const OF_THE_PIXELS: [Code; 3] = [Code::FrameEmpty, Code::FramesIdentical, Code::InkTouching];

/// The problems of an open sheet, and what they were made from.
#[derive(Debug)]
pub(super) struct Told {
    revision: Revision,
    image_size: Size,
    asset: Arc<Asset>,
    problems: Vec<Problem>,
}

impl Session {
    /// All problems: the project's, then the assets', by their paths, those that refer to others last.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let mut told: Vec<_> = self.told().collect();
        told.sort_by_key(|(document, _)| &document.path);
        let mut told = told.into_iter().peekable();
        let registry = self.project().map(|open| &*open.registry);
        let of_project = self.project().into_iter().flat_map(|open| open.problems.iter());
        let of_assets = registry.into_iter().flat_map(Registry::assets).flat_map(move |asset| {
            while told.next_if(|(document, _)| document.path < asset.path).is_some() {}
            let told = told.next_if(|(document, _)| document.path == asset.path);
            told.map_or(&*asset.problems, |(_, told)| &told.problems).iter()
        });
        let of_referrers = registry.into_iter().flat_map(|registry| {
            registry.referrers().flat_map(|referrer| registry.problems_of_referrer(&referrer.path))
        });
        of_project.chain(of_assets).chain(of_referrers)
    }

    /// Number of problems.
    pub fn problem_count(&self) -> usize {
        let Some(open) = self.project() else { return 0 };
        let mut count = open.problems.len() + open.registry.problem_count();
        for (document, told) in self.told() {
            if let Some(asset) = open.registry.asset(&document.path) {
                count = count - asset.problems.len() + told.problems.len();
            }
        }
        count
    }

    fn told(&self) -> impl Iterator<Item = (&Document, &Told)> {
        self.documents.iter().filter_map(|document| Some((document, document.told.as_ref()?)))
    }

    /// Brings the problems of open sheets up to date, where anything changed.
    pub(super) fn follow_problems(&mut self) {
        let Some(open) = &self.open else { return };
        for document in &mut self.documents {
            let asset = open.registry.asset(&document.path).filter(|_| document.is_ready());
            let Some(asset) = asset else {
                document.told = None;
                continue;
            };
            let revision = document.history.revision();
            let is_same = document.told.as_ref().is_some_and(|told| {
                told.revision == revision
                    && told.image_size == document.image_size
                    && Arc::ptr_eq(&told.asset, asset)
            });
            if !is_same {
                let problems = problems_of(document, asset);
                let (image_size, asset) = (document.image_size, asset.clone());
                document.told = Some(Told { revision, image_size, asset, problems });
            }
        }
    }
}

/// What is wrong with an open sheet: what can be told of it as it is now, what the importer found in its pixels about
/// frames that are still where they were, and what else the importer says of it.
fn problems_of(document: &Document, asset: &Asset) -> Vec<Problem> {
    let (sheet, image) = (document.sheet(), document.image_size);
    let is_other = |code| !sheet_file::OF_THE_SHEET.contains(&code) && !OF_THE_PIXELS.contains(&code);
    let others = asset.problems.iter().filter(|problem| is_other(problem.code) && sheet.heeds(problem.code));
    let mut problems: Vec<_> = others.cloned().collect();
    problems.extend(sheet_file::problems(sheet, image, &document.path));
    if *asset.findings != Findings::default() {
        let mut places: HashMap<(FrameId, PixelRect), usize> = HashMap::new();
        for (index, frame) in sheet.frames.iter().enumerate() {
            if let Some(rect) = frame.drawn_rect(image) {
                places.entry((frame.id, rect)).or_insert(index);
            }
        }
        let frame_at = |position: u32| {
            let was = asset.frames.get(position as usize)?;
            places.get(&(was.id, was.rect_in_image)).copied()
        };
        problems.extend(sheet_file::ink_problems(sheet, &asset.findings, frame_at, &document.path));
    }
    problems
}
