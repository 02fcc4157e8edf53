//! What goes into an export, and what is said about it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::plan::{Action, Plan, Standing, plan};
use super::survey::{Held, Stored, Survey};
use super::testing::{FRAME, OTHER, SHEET, TEXTURE, registry, scene, sheet};
use crate::format::lookup_table::{Entry, hash_of};
use crate::guid::Guid;
use crate::import::{Project, ProjectKind, SettingsReading};
use crate::model::{Code, Problem};
use crate::registry::{Asset, Referrer, Registry, State};

const LEVEL: &str = "assets/scenes/level.scene";

fn project() -> Project {
    let root = PathBuf::from("/game");
    Project {
        kind: ProjectKind::Game,
        assets: root.join("assets"),
        cache: root.join("cache"),
        notes: root.join(".cutsheet"),
        root,
        settings: SettingsReading::default(),
        target: None,
    }
}

fn guid(text: &str) -> Guid {
    text.parse().unwrap()
}

fn held(folder: &str, guid: Guid, bytes: usize) -> Held {
    Held { path: Path::new("/game").join(folder).join(guid.to_string()), bytes: bytes as u64 }
}

/// A survey of a cache with the textures of these sheets and of an output with nothing.
fn survey(cached: &[&str]) -> Survey {
    let cached = cached.iter().map(|text| (guid(text), held("cache", guid(text), TEXTURE.len())));
    Survey { output: "/game/storage".into(), cached: cached.collect(), ..Survey::default() }
}

fn stored(of: Guid, is_current: bool) -> Stored {
    Stored { guid: of, file: held("storage", of, TEXTURE.len()), is_current }
}

fn with_level(references: &[(&str, &str)]) -> Registry {
    let mut registry = registry();
    registry.insert_referrer(scene(LEVEL, references));
    registry
}

fn assets(plan: &Plan) -> Vec<Option<&str>> {
    plan.items.iter().map(|item| item.asset.as_deref()).collect()
}

fn codes(plan: &Plan) -> Vec<(Code, &str)> {
    plan.problems.iter().map(|problem| (problem.code, &*problem.path)).collect()
}

#[test]
fn the_parents_of_used_frames_go_and_the_scenes_and_nothing_else() {
    let mut registry = with_level(&[(SHEET, FRAME)]);
    registry.insert(Arc::new(sheet("assets/unused.png", "21111111-2222-4333-8444-555555555555")));
    let plan = plan(&registry, &project(), &survey(&[SHEET, "21111111-2222-4333-8444-555555555555"]));
    assert_eq!(assets(&plan), [Some("assets/sprites/hero.png"), Some(LEVEL)]);
    assert_eq!((codes(&plan), plan.keeps_because.as_deref()), (vec![], None));
    let [hero, level] = &plan.items[..] else { panic!("{plan:?}") };
    assert_eq!(hero.source, Some(held("cache", guid(SHEET), TEXTURE.len())));
    assert_eq!(hero.destination, Path::new("/game/storage").join(SHEET));
    assert_eq!(hero.entry, Some(Entry { hash: hash_of("sprites/hero:Sprite"), guid: guid(SHEET) }));
    assert_eq!((hero.standing, hero.action), (Standing::Ready, Some(Action::Copied)));
    assert_eq!(*hero.users.scenes, [LEVEL.into()]);
    assert_eq!(level.source.as_ref().map(|file| &*file.path), Some(Path::new("/game").join(LEVEL).as_path()));
    assert_eq!(level.entry.map(|entry| entry.hash), Some(hash_of("scenes/level:Scene")));
    assert_eq!((level.type_name, level.users.words()), (Some("Scene"), None));
}

#[test]
fn other_files_go_when_the_cache_holds_them_and_have_no_place_in_the_table() {
    let gone = "41111111-2222-4333-8444-555555555555";
    let plan = plan(&with_level(&[(OTHER, ""), (gone, "")]), &project(), &survey(&[OTHER]));
    assert_eq!(assets(&plan), [Some(LEVEL), None]);
    let other = &plan.items[1];
    assert_eq!((other.guid, other.type_name, other.entry), (guid(OTHER), None, None));
}

#[test]
fn what_is_there_already_is_unchanged_and_what_nobody_names_may_be_removed() {
    let old = "41111111-2222-4333-8444-555555555555";
    let old_entry = Entry { hash: 7, guid: guid(old) };
    let broken = "51111111-2222-4333-8444-555555555555";
    let mut survey = survey(&[SHEET]);
    survey.stored = vec![stored(guid(SHEET), true), stored(guid(old), false), stored(guid(broken), false)];
    survey.table = vec![old_entry, Entry { hash: 8, guid: guid(SHEET) }];
    let plan = plan(&with_level(&[(SHEET, ""), (broken, "")]), &project(), &survey);
    assert_eq!(plan.items[0].action, Some(Action::Unchanged));
    let removals: Vec<_> = plan.removals.iter().map(|removal| (removal.guid, removal.entry)).collect();
    assert_eq!(removals, [(guid(old), Some(old_entry))], "a broken reference still names its file");
    let bytes = TEXTURE.len() as u64;
    assert_eq!(plan.count(Action::Unchanged), (1, bytes));
    assert_eq!((plan.count(Action::Removed), plan.count(Action::Copied).0), ((1, bytes), 1));
    assert_eq!(codes(&plan), [(Code::ReferenceBroken, LEVEL)]);
}

#[test]
fn sheets_that_cannot_go_as_they_should_are_errors_that_name_their_users() {
    let problem = Problem::new(Code::ImageDamaged, "assets/sprites/hero.png", "no image");
    for (state, cached, standing, code) in [
        (State::UpToDate, &[][..], Standing::Missing, Code::ExportIncomplete),
        (State::Failed, &[][..], Standing::Missing, Code::ImageDamaged),
        (State::Failed, &[SHEET][..], Standing::Failed, Code::ImageDamaged),
        (State::Missing, &[SHEET][..], Standing::Failed, Code::ExportIncomplete),
        (State::Importing, &[SHEET][..], Standing::Stale, Code::ExportIncomplete),
    ] {
        let mut registry = with_level(&[(SHEET, FRAME)]);
        let problems = if state == State::Failed { vec![problem.clone()] } else { vec![] };
        let hero = sheet("assets/sprites/hero.png", SHEET);
        registry.insert(Arc::new(Asset { state, problems: problems.into(), ..hero }));
        let plan = plan(&registry, &project(), &survey(cached));
        let hero = &plan.items[0];
        assert_eq!((hero.standing, hero.action.is_some()), (standing, !cached.is_empty()), "{state:?}");
        assert_eq!(plan.problems[0].code, code, "{state:?}");
        let last = plan.problems.last().unwrap();
        assert_eq!((last.code, &*last.path), (Code::ExportIncomplete, "assets/sprites/hero.png"));
        assert!(last.message.contains("the object \"hero\" in assets/scenes/level.scene"), "{last}");
        assert_eq!(plan.stale().count(), usize::from(standing == Standing::Stale));
    }
    // Written by somebody else since: another length than the import's.
    let mut survey = survey(&[]);
    survey.cached.insert(guid(SHEET), held("cache", guid(SHEET), 5));
    let plan = plan(&with_level(&[(SHEET, "")]), &project(), &survey);
    assert_eq!(plan.items[0].standing, Standing::Stale);
}

#[test]
fn two_assets_with_one_path_and_type_are_an_error_that_names_both() {
    let twin = "21111111-2222-4333-8444-555555555555";
    let mut registry = with_level(&[(SHEET, ""), (twin, "")]);
    registry.insert(Arc::new(sheet("assets/sprites/hero.jpg", twin)));
    let plan = plan(&registry, &project(), &survey(&[SHEET, twin]));
    let [problem] = &plan.problems[..] else { panic!("{:?}", plan.problems) };
    assert_eq!((problem.code, &*problem.path), (Code::LookupCollision, "assets/sprites/hero.png"));
    for name in ["sprites/hero.png", "sprites/hero.jpg", "sprites/hero:Sprite"] {
        assert!(problem.message.contains(name), "{problem}");
    }
    let entries: Vec<_> = plan.items.iter().map(|item| item.entry.is_some()).collect();
    assert_eq!(entries, [true, false, true]);
}

fn level_with(code: Code) -> Referrer {
    let level = Referrer::clone(&scene(LEVEL, &[]));
    Referrer { is_readable: false, problems: [Problem::new(code, LEVEL, "why")].into(), ..level }
}

#[test]
fn while_nobody_knows_what_a_scene_uses_nothing_may_be_removed() {
    for (code, expected) in [
        (Code::SceneDamaged, vec![(Code::SceneDamaged, LEVEL), (Code::ExportIncomplete, LEVEL)]),
        (Code::SceneAuthored, vec![(Code::ExportIncomplete, LEVEL)]),
    ] {
        let mut registry = registry();
        registry.insert_referrer(Arc::new(level_with(code)));
        let plan = plan(&registry, &project(), &survey(&[SHEET]));
        assert_eq!(codes(&plan), expected);
        assert!(plan.keeps_because.unwrap().contains(LEVEL));
        assert_eq!((plan.items.len(), plan.items[0].standing), (1, Standing::Missing));
    }
    let mut registry = registry();
    registry.insert_referrer(Arc::new(level_with(Code::SidecarOrphan)));
    let plan = plan(&registry, &project(), &survey(&[SHEET]));
    assert_eq!(
        (codes(&plan), plan.items.len(), &plan.keeps_because),
        (vec![], 0, &None),
        "it is no scene any more"
    );
}

#[test]
fn an_authored_scene_goes_as_the_engine_compiled_it() {
    let mut registry = registry();
    let level = level_with(Code::SceneAuthored);
    let mut survey = survey(&[SHEET]);
    let compiled = held("cache", level.guid, 40);
    survey.cached.insert(level.guid, compiled.clone());
    survey.compiled.insert(LEVEL.into(), scene(LEVEL, &[(SHEET, "")]).references.to_vec());
    registry.insert_referrer(Arc::new(level));
    let plan = plan(&registry, &project(), &survey);
    assert_eq!((assets(&plan), codes(&plan)), (vec![Some("assets/sprites/hero.png"), Some(LEVEL)], vec![]));
    assert_eq!((plan.items[1].source.clone(), plan.items[1].expected), (Some(compiled), None));
}

#[test]
fn a_scene_without_a_guid_of_its_own_is_told_and_its_sheets_go() {
    let mut registry = registry();
    let level = Referrer { guid_is_provisional: true, ..Referrer::clone(&scene(LEVEL, &[(SHEET, "")])) };
    registry.insert_referrer(Arc::new(level));
    let plan = plan(&registry, &project(), &survey(&[SHEET]));
    assert_eq!(assets(&plan), [Some("assets/sprites/hero.png")]);
    assert_eq!(codes(&plan), [(Code::ExportIncomplete, LEVEL)]);
    assert!(plan.keeps_because.is_some());
}

#[test]
fn a_target_without_a_texture_says_what_to_do() {
    let mut survey = survey(&[]);
    survey.target = Some("handheld".into());
    let plan = plan(&with_level(&[(SHEET, "")]), &project(), &survey);
    assert_eq!(codes(&plan), [(Code::ExportIncomplete, "assets/sprites/hero.png")]);
    assert!(plan.problems[0].message.contains("target handheld"), "{}", plan.problems[0]);
}

#[test]
fn in_a_folder_without_assets_paths_are_those_below_it() {
    let mut registry = Registry::default();
    registry.insert(Arc::new(sheet("x.y/hero", SHEET)));
    registry.insert(Arc::new(sheet("a.b.png", OTHER)));
    registry.insert_referrer(scene("level.scene", &[(SHEET, ""), (OTHER, "")]));
    let folder = Project { kind: ProjectKind::Folder, ..project() };
    let plan = plan(&registry, &folder, &survey(&[SHEET, OTHER]));
    let hashes: Vec<_> = plan.items.iter().filter_map(|item| item.entry).map(|entry| entry.hash).collect();
    assert_eq!(hashes, ["a.b:Sprite", "x.y/hero:Sprite", "level:Scene"].map(hash_of));
}
