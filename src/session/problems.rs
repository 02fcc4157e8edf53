//! The list of problems: of open sheets as they are now, with their unsaved edits, of all else as the importer saw it.

use std::sync::Arc;

use super::{Document, Session};
use crate::edit::Revision;
use crate::geometry::Size;
use crate::model::{Code, Problem, Storing, Target};
use crate::registry::{Asset, Registry};
use crate::sheet_file;

/// The kinds that only a look at the pixels tells.
const OF_THE_PIXELS: [Code; 3] = [Code::FrameEmpty, Code::FramesIdentical, Code::InkTouching];

/// The problems of an open sheet, and what they were made from.
#[derive(Debug)]
pub(super) struct Told {
    revision: Revision,
    image_size: Size,
    asset: Arc<Asset>,
    /// How the texture is stored, and for which target.
    stored: (Storing, Option<Target>),
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
        of_project.chain(of_assets).chain(self.problems_of_scenes())
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
        for (path, told) in self.told_of_scenes() {
            count = count - open.registry.problems_of_referrer(path).count() + told.problems.len();
        }
        count
    }

    fn told(&self) -> impl Iterator<Item = (&Document, &Told)> {
        self.documents.iter().filter_map(|document| Some((document, document.told.as_ref()?)))
    }

    /// Brings the problems of open sheets up to date, where anything changed; whether more is known of any.
    pub(super) fn follow_problems(&mut self) -> bool {
        let target = self.target().cloned();
        let Some(open) = &self.open else { return false };
        let defaults = open.project.settings.settings.defaults;
        let mut is_more_known = false;
        for document in &mut self.documents {
            let asset = open.registry.asset(&document.path).filter(|_| document.is_ready());
            let Some(asset) = asset else {
                document.told = None;
                continue;
            };
            let is_answered = document.known.take_answer();
            is_more_known |= is_answered;
            let revision = document.history.revision();
            let storing = document.sheet().settings.storing(&defaults, target.as_ref());
            let is_same = document.told.as_ref().is_some_and(|told| {
                told.revision == revision
                    && told.image_size == document.image_size
                    && (told.stored.0, &told.stored.1) == (storing, &target)
                    && Arc::ptr_eq(&told.asset, asset)
            });
            if is_same && !is_answered {
                continue;
            }
            let (sheet, image_size) = (document.history.sheet(), document.image_size);
            let look = document.known.follow(sheet, image_size, asset, open.project.file(&document.path));
            if let Some(look) = look {
                self.studies.look(look);
            }
            let mut problems = problems_of(document, asset);
            let has_alpha = asset.image.as_ref().and_then(|image| image.has_alpha);
            let (target, path) = (target.as_ref(), &document.path);
            let of_stored = sheet_file::stored_problems(sheet, image_size, has_alpha, &storing, target, path);
            problems.extend(of_stored);
            let stored = (storing, target.cloned());
            document.told = Some(Told { revision, image_size, asset: asset.clone(), stored, problems });
        }
        is_more_known
    }
}

/// What is wrong with an open sheet: what the importer alone can say of it, what can be told of it as it is now, and what
/// is known of its pixels.
fn problems_of(document: &Document, asset: &Asset) -> Vec<Problem> {
    let (sheet, image) = (document.sheet(), document.image_size);
    let is_other = |code| {
        let known = [&sheet_file::OF_THE_SHEET[..], &sheet_file::OF_THE_STORED, &OF_THE_PIXELS];
        !known.into_iter().any(|codes| codes.contains(&code))
    };
    let others = asset.problems.iter().filter(|problem| is_other(problem.code) && sheet.heeds(problem.code));
    let mut problems: Vec<_> = others.cloned().collect();
    problems.extend(sheet_file::problems(sheet, image, &document.path));
    problems.extend(document.known.problems(sheet, image, asset, &document.path));
    problems
}
