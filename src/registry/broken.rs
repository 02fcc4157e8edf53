//! References that lead nowhere. Which do depends on all assets, so they are found when all of them are known.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Asset, Reference, Referrer, Registry};
use crate::guid::Guid;
use crate::model::problem::quoted;
use crate::model::scene::ObjectKey;
use crate::model::scene::sprite::{is_sprite_type, without_namespace};
use crate::model::{Code, Problem};
use crate::slicing::findings::MOST_LISTED;

/// The broken references of a project as they were found last.
#[derive(Debug, Clone, Default)]
pub(super) struct Broken {
    by_path: Arc<BTreeMap<Arc<str>, Vec<Problem>>>,
    count: usize,
    /// Whether nothing has changed since that decides which references are broken.
    pub(super) are_settled: bool,
}

impl Broken {
    pub(super) fn find(registry: &Registry) -> Self {
        let problems = |it: &Referrer| broken_references(registry, &it.path, &it.references);
        let all = registry.referrers().map(|it| (it.path.clone(), problems(it)));
        let by_path: BTreeMap<_, _> = all.filter(|(_, problems)| !problems.is_empty()).collect();
        let count = by_path.values().map(Vec::len).sum();
        Self { by_path: Arc::new(by_path), count, are_settled: true }
    }

    pub(super) fn forget(&mut self, path: &str) {
        if self.by_path.contains_key(path)
            && let Some(forgotten) = Arc::make_mut(&mut self.by_path).remove(path)
        {
            self.count -= forgotten.len();
        }
    }

    pub(super) fn of(&self, path: &str) -> &[Problem] {
        self.by_path.get(path).map_or(&[], Vec::as_slice)
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }
}

/// The references of the asset at `path` that lead nowhere, in their order; of very many the first, and how many more there are.
///
/// What a component that we do not know refers to may be an asset of a kind that we do not know either: of those only
/// frames that a sheet does not have are told.
pub fn broken_references(registry: &Registry, path: &Arc<str>, references: &[Reference]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut more = 0_usize;
    for reference in references {
        let Some(message) = fault(registry, reference) else { continue };
        if problems.len() == MOST_LISTED {
            more += 1;
            continue;
        }
        let problem = Problem::new(Code::ReferenceBroken, path, message);
        problems.push(match reference.object {
            Some(key) => problem.at_object(ObjectKey(key)),
            None => problem,
        });
    }
    if more > 0 {
        let words = Code::ReferenceBroken.words();
        let message = format!("There are {more} more {words}: mend those that are listed first");
        problems.push(Problem::new(Code::ReferenceBroken, path, message));
    }
    problems
}

/// Whether a reference leads nowhere.
pub fn is_broken(registry: &Registry, reference: &Reference) -> bool {
    fault(registry, reference).is_some()
}

/// What is wrong with a reference, in a sentence that begins with who has it.
fn fault(registry: &Registry, reference: &Reference) -> Option<String> {
    let is_sprite = is_sprite_type(&reference.component);
    let Ok(guid) = reference.guid.parse::<Guid>() else {
        let told = || format!("{} {}", subject(reference), quoted(&reference.guid));
        return is_sprite.then(|| format!("{}, which is no GUID: choose its sprite anew", told()));
    };
    // Older files have a frame's GUID in the place of its sheet's.
    let sheet = registry.by_guid(guid).or_else(|| registry.by_guid(registry.parent_of_frame(guid)?));
    let Some(sheet) = sheet else {
        let is_broken = is_sprite && registry.referrer_by_guid(guid).is_none();
        return is_broken.then(|| {
            format!(
                "{} {guid}, which no asset of the project has: bring the image back with its sidecar, or choose \
                 another sprite",
                subject(reference)
            )
        });
    };
    if reference.source.is_empty() || !sheet.knows_its_frames() {
        return None;
    }
    let frame = reference.source.parse::<Guid>().ok();
    // To the engine the sheet's own GUID names the whole, there as well.
    if frame.is_some_and(|frame| frame == sheet.guid || has_frame(registry, sheet, frame)) {
        return None;
    }
    let shown = frame.map_or_else(|| quoted(&reference.source), |frame| frame.to_string());
    let owner = frame.and_then(|frame| registry.by_guid(registry.parent_of_frame(frame)?));
    let owner = owner.map_or_else(String::new, |owner| format!(" and is one of {}", owner.path));
    let drawn = if is_sprite { ", so the whole sprite is drawn" } else { "" };
    let (subject, path) = (subject(reference), &sheet.path);
    Some(format!(
        "{subject} the frame {shown}, which is none of {path}{owner}{drawn}: choose a frame of that sheet"
    ))
}

/// Whether a sheet has a frame. One that another sheet has too, as copies may, is in the lookup once.
fn has_frame(registry: &Registry, sheet: &Asset, frame: Guid) -> bool {
    registry.parent_of_frame(frame) == Some(sheet.guid) || sheet.frames.iter().any(|it| it.guid == frame)
}

/// Who has a reference, and what it does with it.
fn subject(reference: &Reference) -> String {
    let owner = match (reference.object, &*reference.object_name) {
        (None, _) => "The scene".to_owned(),
        (Some(_), "") => "An object without a name".to_owned(),
        (Some(_), name) => format!("The object {}", quoted(name)),
    };
    match without_namespace(&reference.component) {
        component if is_sprite_type(component) => format!("{owner} shows"),
        "" => format!("{owner} refers to"),
        component => format!("{owner} refers in {} to", quoted(component)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::registry::testing;

    const SHEET: &str = "11111111-2222-4333-8444-555555555555";
    const OTHER: &str = "21111111-2222-4333-8444-555555555555";
    const GONE: &str = "31111111-2222-4333-8444-555555555555";
    const LEVEL: &str = "41111111-2222-4333-8444-555555555555";
    /// Frame 0 of the sheet, from the specification.
    const FRAME: &str = "c1358fea-5654-5786-a2f9-6caa84f79513";

    fn sheet(path: &str, guid: &str, frames: u32) -> Arc<Asset> {
        Arc::new(testing::sheet(path, guid.parse().unwrap(), frames))
    }

    fn scene(references: &[(&str, &str, &str)]) -> Arc<Referrer> {
        let references = (0..).zip(references).map(|(key, (component, guid, source))| Reference {
            object: Some(key),
            object_name: "hero".into(),
            component: (*component).into(),
            guid: (*guid).into(),
            source: (*source).into(),
        });
        Arc::new(testing::scene("level.scene", LEVEL.parse().unwrap(), references))
    }

    /// The messages of the broken references, with their objects, in a project of two sheets and that scene.
    fn told(references: &[(&str, &str, &str)]) -> Vec<(Option<u32>, String)> {
        let mut registry = Registry::default();
        registry.insert(sheet("a.png", SHEET, 2));
        registry.insert(sheet("b.png", OTHER, 1));
        let scene = scene(references);
        registry.insert_referrer(scene.clone());
        let problems = broken_references(&registry, &scene.path, &scene.references).into_iter();
        problems.map(|problem| (problem.object, problem.message)).collect()
    }

    #[test]
    fn references_that_lead_somewhere_are_none_of_the_broken() {
        let upper = SHEET.to_uppercase();
        assert_eq!(
            told(&[
                ("SpriteComponent", SHEET, ""),
                ("Deki2D::SpriteComponent", &upper, FRAME),
                // The older form, the whole in other words, and a scene, as prefabs are.
                ("Deki2D::SpriteComponent", FRAME, ""),
                ("Deki2D::SpriteComponent", FRAME, FRAME),
                ("SpriteComponent", SHEET, SHEET),
                ("instance", LEVEL, ""),
                ("SpriteComponent", LEVEL, FRAME),
            ]),
            []
        );
    }

    #[test]
    fn an_asset_that_is_not_there_is_told_of_sprites_alone() {
        let gone = format!(
            "The object \"hero\" shows {GONE}, which no asset of the project has: bring the image back with its \
             sidecar, or choose another sprite"
        );
        let no_guid =
            "The object \"hero\" shows \"my hero\", which is no GUID: choose its sprite anew".to_owned();
        assert_eq!(
            told(&[
                ("Game::Label", GONE, ""),
                ("Deki2D::SpriteComponent", GONE, FRAME),
                ("Game::Label", "my font", ""),
                ("SpriteComponent", "my hero", ""),
            ]),
            [(Some(1), gone), (Some(3), no_guid)]
        );
    }

    #[test]
    fn a_frame_that_the_sheet_does_not_have_is_told_of_every_component() {
        let other = Guid::for_frame(OTHER.parse().unwrap(), 0).to_string();
        let expected = [
            (
                Some(0),
                format!(
                    "The object \"hero\" shows the frame {GONE}, which is none of a.png, so the whole sprite is drawn: \
                     choose a frame of that sheet"
                ),
            ),
            (
                Some(1),
                format!(
                    "The object \"hero\" refers in \"Tiles\" to the frame {other}, which is none of a.png and is one of \
                     b.png: choose a frame of that sheet"
                ),
            ),
            (
                Some(2),
                "The object \"hero\" shows the frame \"run\", which is none of b.png, so the whole sprite is drawn: \
                 choose a frame of that sheet"
                    .to_owned(),
            ),
        ];
        let references = [
            ("Deki2D::SpriteComponent", SHEET, GONE),
            ("Game::Tiles", SHEET, &*other),
            ("SpriteComponent", OTHER, "run"),
        ];
        assert_eq!(told(&references), expected);
    }

    #[test]
    fn the_frames_of_a_sheet_that_could_not_be_read_are_not_missed() {
        let mut registry = Registry::default();
        let problem = Problem::new(Code::ImageDamaged, "a.png", "");
        let damaged = Asset { problems: [problem].into(), ..Asset::clone(&sheet("a.png", SHEET, 0)) };
        registry.insert(Arc::new(damaged));
        let scene = scene(&[("SpriteComponent", SHEET, FRAME)]);
        assert_eq!(broken_references(&registry, &scene.path, &scene.references), []);
        registry.insert(sheet("a.png", SHEET, 0));
        assert_eq!(broken_references(&registry, &scene.path, &scene.references).len(), 1);
    }

    #[test]
    fn of_very_many_the_first_are_told_and_how_many_more_there_are() {
        let told = told(&vec![("SpriteComponent", GONE, ""); 203]);
        assert_eq!(told.len(), 201);
        let more = "There are 3 more broken references: mend those that are listed first".to_owned();
        assert_eq!(told.last(), Some(&(None, more)));
    }

    #[test]
    fn broken_references_follow_every_change_that_decides_them_once_they_are_settled() {
        let mut registry = Registry::default();
        let settled = |registry: &mut Registry| {
            registry.settle_references();
            assert_eq!(registry.problem_count(), registry.problems_of_referrer("level.scene").count());
            registry.problem_count()
        };
        registry.insert_referrer(scene(&[("SpriteComponent", SHEET, FRAME)]));
        assert_eq!(registry.problem_count(), 0, "nothing is known yet");
        assert_eq!(settled(&mut registry), 1);
        registry.insert(sheet("a.png", SHEET, 1));
        assert_eq!(registry.problem_count(), 1, "as it was settled last");
        assert_eq!(settled(&mut registry), 0);
        registry.insert(sheet("a.png", SHEET, 0));
        assert_eq!(settled(&mut registry), 1);
        registry.insert(sheet("a.png", OTHER, 1));
        assert_eq!(settled(&mut registry), 1);
        registry.insert_sorted(vec![sheet("b.png", SHEET, 1)]);
        assert_eq!(settled(&mut registry), 0);
        registry.remove("b.png");
        assert_eq!(settled(&mut registry), 1);
        registry.insert_referrer(scene(&[]));
        assert_eq!((registry.problem_count(), settled(&mut registry)), (0, 0));
        registry.insert_referrer(scene(&[("SpriteComponent", GONE, "")]));
        assert_eq!(settled(&mut registry), 1);
        registry.remove_referrer("level.scene");
        assert_eq!((registry.problem_count(), settled(&mut registry)), (0, 0));
    }

    /// A change of a registry: of the sheet or the scene at one of a few paths.
    #[derive(Debug, Clone)]
    enum Change {
        Sheet { path: usize, guid: usize, frames: u32, is_damaged: bool },
        Scene { path: usize, references: Vec<(usize, usize)> },
        RemoveSheet(usize),
        RemoveScene(usize),
        Settle,
    }

    const SHEETS: [&str; 2] = ["a.png", "b.png"];
    const SCENES: [&str; 2] = ["a.scene", "b.scene"];
    const GUIDS: [&str; 3] = [SHEET, OTHER, GONE];

    fn change() -> impl Strategy<Value = Change> {
        let sheet = (0..2_usize, 0..3_usize, 0..3_u32, any::<bool>());
        let references = prop::collection::vec((0..3_usize, 0..4_usize), 0..4);
        prop_oneof![
            4 => sheet.prop_map(|(path, guid, frames, is_damaged)| Change::Sheet { path, guid, frames, is_damaged }),
            3 => (0..2_usize, references).prop_map(|(path, references)| Change::Scene { path, references }),
            1 => (0..2_usize).prop_map(Change::RemoveSheet),
            1 => (0..2_usize).prop_map(Change::RemoveScene),
            2 => Just(Change::Settle),
        ]
    }

    fn make(registry: &mut Registry, change: Change) {
        match change {
            Change::Sheet { path, guid, frames, is_damaged } => {
                let path = SHEETS[path];
                let problem = is_damaged.then(|| Problem::new(Code::ImageDamaged, path, ""));
                let sheet = Asset::clone(&sheet(path, GUIDS[guid], frames));
                registry.insert(Arc::new(Asset { problems: problem.into_iter().collect(), ..sheet }));
            }
            Change::Scene { path, references } => {
                let frame = |id: usize| Guid::for_frame(SHEET.parse().unwrap(), id as u32).to_string();
                let sources: Vec<_> = references
                    .iter()
                    .map(|(_, id)| if *id > 2 { String::new() } else { frame(*id) })
                    .collect();
                let references = references.iter().zip(&sources);
                let references: Vec<_> = references
                    .map(|((guid, _), source)| ("SpriteComponent", GUIDS[*guid], &**source))
                    .collect();
                let (guid, path) = ([LEVEL, FRAME][path].parse().unwrap(), SCENES[path].into());
                registry.insert_referrer(Arc::new(Referrer {
                    path,
                    guid,
                    ..Referrer::clone(&scene(&references))
                }));
            }
            Change::RemoveSheet(path) => drop(registry.remove(SHEETS[path])),
            Change::RemoveScene(path) => drop(registry.remove_referrer(SCENES[path])),
            Change::Settle => registry.settle_references(),
        }
    }

    proptest! {
        #[test]
        fn settled_references_are_those_that_are_broken_now_however_it_came_to_that(
            changes in prop::collection::vec(change(), 1..24)
        ) {
            let mut registry = Registry::default();
            for change in changes {
                make(&mut registry, change);
                let of_sheets: usize = registry.assets().map(|sheet| sheet.problems.len()).sum();
                let of_scenes = SCENES.map(|path| registry.problems_of_referrer(path).count());
                prop_assert_eq!(registry.problem_count(), of_sheets + of_scenes.iter().sum::<usize>());
            }
            registry.settle_references();
            for scene in registry.referrers() {
                let settled: Vec<_> = registry.problems_of_referrer(&scene.path).cloned().collect();
                prop_assert_eq!(settled, broken_references(&registry, &scene.path, &scene.references));
            }
        }
    }
}
