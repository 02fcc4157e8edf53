//! Exports into real folders: what is written, when, and what stays when something goes wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::testing::{FRAME, OTHER, SHEET, TEXTURE, registry, scene, scene_bytes};
use super::{Action, Plan, Progress, Report, Request, Write, prepare, write};
use crate::format::lookup_table::{self, FILE_NAME, hash_of};
use crate::guid::Guid;
use crate::import::Project;
use crate::model::Code;
use crate::registry::Registry;

const LEVEL: &str = "assets/level.scene";

/// A game of a scene, a sheet with its texture, and a file of another kind.
struct Game {
    folder: tempfile::TempDir,
    project: Project,
    registry: Registry,
}

impl Game {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["assets", "cache"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let project = Project::open(folder.path()).unwrap();
        let mut game = Self { folder, project, registry: registry() };
        game.put(LEVEL, &scene_bytes(LEVEL));
        game.put(&format!("cache/{SHEET}"), TEXTURE);
        game.put(&format!("cache/{OTHER}"), b"a font");
        game.use_sheets(&[(SHEET, FRAME), (OTHER, "")]);
        game
    }

    fn use_sheets(&mut self, references: &[(&str, &str)]) {
        self.registry.insert_referrer(scene(LEVEL, references));
    }

    fn put(&self, path: &str, bytes: &[u8]) {
        fs::write(self.path(path), bytes).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn stored(&self, name: &str) -> PathBuf {
        self.path("storage").join(name)
    }

    fn plan(&self) -> Plan {
        prepare(&self.registry, &self.project, &Request::default()).unwrap()
    }

    fn export(&self, prunes: bool) -> Report {
        write(&self.plan(), Write { prunes }, &mut |_| {}, &AtomicBool::new(false))
    }

    /// The names in the output folder.
    fn names(&self) -> Vec<String> {
        let listing = fs::read_dir(self.path("storage")).unwrap();
        let mut names: Vec<_> =
            listing.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    fn table(&self) -> Vec<lookup_table::Entry> {
        lookup_table::read(&fs::read(self.stored(FILE_NAME)).unwrap()).unwrap()
    }
}

fn level() -> Guid {
    scene(LEVEL, &[]).guid
}

fn actions(report: &Report) -> Vec<Action> {
    report.files.iter().map(|file| file.action).collect()
}

#[test]
fn an_export_has_its_files_and_the_table_and_a_second_one_writes_nothing() {
    let game = Game::new();
    let report = game.export(false);
    assert_eq!((actions(&report), &report.problems[..]), (vec![Action::Copied; 3], &[][..]));
    assert_eq!(report.table, Some(game.stored(FILE_NAME)));
    assert_eq!(fs::read(game.stored(SHEET)).unwrap(), TEXTURE);
    assert_eq!(fs::read(game.stored(&level().to_string())).unwrap(), scene_bytes(LEVEL));
    assert_eq!(fs::read(game.stored(OTHER)).unwrap(), b"a font");
    let table = game.table();
    assert_eq!(lookup_table::find(&table, hash_of("sprites/hero:Sprite")), Some(SHEET.parse().unwrap()));
    assert_eq!(lookup_table::find(&table, hash_of("level:Scene")), Some(level()));
    assert_eq!((table.len(), game.names().len()), (2, 4));

    let times = || {
        let modified = |name: &String| fs::metadata(game.stored(name)).unwrap().modified().unwrap();
        game.names().iter().map(modified).collect::<Vec<_>>()
    };
    let before = times();
    assert!(game.plan().items.iter().all(|item| item.action == Some(Action::Unchanged)));
    assert_eq!(actions(&game.export(false)), [Action::Unchanged; 3]);
    assert_eq!(times(), before);
    // As long as it was, and other bytes.
    game.put(&format!("cache/{SHEET}"), b"A TEXTURE");
    assert_eq!(actions(&game.export(false)), [Action::Copied, Action::Unchanged, Action::Unchanged]);
    assert_eq!(fs::read(game.stored(SHEET)).unwrap(), b"A TEXTURE");
}

#[test]
fn what_is_no_longer_used_stays_and_is_found_until_it_is_pruned() {
    let mut game = Game::new();
    game.export(false);
    for name in ["readme.txt", "61111111-2222-4333-8444-555555555555.bak", ".cutsheet-tmp-x"] {
        fs::write(game.stored(name), b"mine").unwrap();
    }
    fs::create_dir(game.stored("71111111-2222-4333-8444-555555555555")).unwrap();
    fs::write(game.stored("A1111111-2222-4333-8444-555555555555"), b"old").unwrap();
    game.use_sheets(&[]);
    assert_eq!(game.plan().removals.len(), 3);
    let report = game.export(false);
    assert_eq!((actions(&report), game.table().len()), (vec![Action::Unchanged], 2));
    assert!(game.stored(SHEET).exists() && game.stored(OTHER).exists());

    let report = game.export(true);
    assert_eq!(
        (actions(&report), report.problems.len()),
        (vec![Action::Unchanged, Action::Removed, Action::Removed, Action::Removed], 0)
    );
    assert_eq!(report.files[1].bytes, TEXTURE.len() as u64);
    let left: Vec<_> = game.table().iter().map(|entry| entry.guid).collect();
    assert_eq!(left, [level()]);
    assert_eq!(game.names().len(), 6, "{:?}", game.names());
}

#[test]
fn a_moved_asset_has_one_place_in_the_table() {
    let mut game = Game::new();
    game.export(false);
    let hero = game.registry.remove("assets/sprites/hero.png").unwrap();
    let moved = crate::registry::Asset { path: "assets/heroes/hero.png".into(), ..(*hero).clone() };
    game.registry.insert(moved.into());
    game.export(false);
    let table = game.table();
    assert_eq!(lookup_table::find(&table, hash_of("heroes/hero:Sprite")), Some(SHEET.parse().unwrap()));
    assert_eq!(table.len(), 2);
}

#[test]
fn a_cancelled_export_leaves_the_old_table_and_nothing_half_written() {
    let game = Game::new();
    game.export(false);
    let table = fs::read(game.stored(FILE_NAME)).unwrap();
    game.put(&format!("cache/{SHEET}"), b"A TEXTURE");
    game.put(&format!("cache/{OTHER}"), b"A font");
    let cancel = AtomicBool::new(false);
    let mut told = Vec::new();
    let mut progress = |now: Progress| {
        told.push((now.files_done, now.files, now.bytes_done));
        cancel.store(now.files_done == 1, Ordering::Relaxed);
    };
    let report = write(&game.plan(), Write { prunes: true }, &mut progress, &cancel);
    assert!(report.is_cancelled && report.table.is_none());
    assert_eq!((actions(&report), told), (vec![Action::Copied], vec![(0, 3, 0), (1, 3, 9)]));
    assert_eq!(fs::read(game.stored(SHEET)).unwrap(), b"A TEXTURE");
    assert_eq!(fs::read(game.stored(OTHER)).unwrap(), b"a font");
    assert_eq!(fs::read(game.stored(FILE_NAME)).unwrap(), table);
    assert_eq!(game.names().len(), 4);
}

#[test]
fn a_file_in_the_place_of_the_folder_is_told_and_stays() {
    let game = Game::new();
    game.put("storage", b"mine");
    let (plan, report) = (game.plan(), game.export(true));
    assert_eq!((plan.problems[0].code, &*plan.problems[0].path), (Code::Unwritable, "storage"));
    assert_eq!((report.problems[0].code, &*report.problems[0].path), (Code::Unwritable, "storage"));
    assert_eq!((report.files.len(), report.table), (0, None));
    assert_eq!(fs::read(game.path("storage")).unwrap(), b"mine");
}

#[test]
fn one_file_that_cannot_be_written_leaves_the_others_and_prevents_removal() {
    let mut game = Game::new();
    game.export(false);
    fs::remove_file(game.stored(SHEET)).unwrap();
    fs::create_dir_all(game.stored(SHEET).join("mine")).unwrap();
    game.use_sheets(&[(SHEET, "")]);
    let report = game.export(true);
    assert_eq!(actions(&report), [Action::Unchanged]);
    let [problem] = &report.problems[..] else { panic!("{report:?}") };
    assert_eq!((problem.code, &*problem.path), (Code::Unwritable, &*format!("storage/{SHEET}")));
    assert!(report.kept_because.is_some() && game.stored(OTHER).exists());
    // The table names no file that is not there.
    let left: Vec<_> = game.table().iter().map(|entry| entry.guid).collect();
    assert_eq!(left, [level()]);
}

#[test]
fn a_read_only_file_is_left_and_told() {
    let game = Game::new();
    game.export(false);
    game.put(&format!("cache/{SHEET}"), b"A TEXTURE");
    let mut permissions = fs::metadata(game.stored(SHEET)).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(game.stored(SHEET), permissions).unwrap();
    let report = game.export(false);
    assert_eq!((report.problems.len(), report.problems[0].code), (1, Code::Unwritable));
    assert!(report.problems[0].message.contains("read-only"), "{}", report.problems[0]);
    assert_eq!(fs::read(game.stored(SHEET)).unwrap(), TEXTURE);
    assert_eq!(game.table().len(), 2);
}

#[test]
fn a_texture_that_is_gone_is_no_reason_to_take_the_old_one_out() {
    let game = Game::new();
    game.export(false);
    fs::remove_file(game.path("cache").join(SHEET)).unwrap();
    let plan = game.plan();
    assert_eq!(plan.problems[0].code, Code::ExportIncomplete);
    let report = game.export(true);
    assert_eq!((actions(&report), game.table().len()), (vec![Action::Unchanged; 2], 2));
    assert!(game.stored(SHEET).exists());
    // Gone after the plan was made.
    game.put(&format!("cache/{SHEET}"), TEXTURE);
    let plan = game.plan();
    fs::remove_file(game.path("cache").join(SHEET)).unwrap();
    let report = write(&plan, Write::default(), &mut |_| {}, &AtomicBool::new(false));
    let [problem] = &report.problems[..] else { panic!("{report:?}") };
    assert_eq!((problem.code, &*problem.path), (Code::Unreadable, &*format!("cache/{SHEET}")));
    assert!(problem.message.contains("the object \"hero\" in assets/level.scene"), "{problem}");
}

#[test]
fn a_scene_that_changed_since_it_was_looked_into_is_not_exported() {
    let game = Game::new();
    let plan = game.plan();
    game.put(LEVEL, b"it refers to something else now");
    let report = write(&plan, Write::default(), &mut |_| {}, &AtomicBool::new(false));
    let [problem] = &report.problems[..] else { panic!("{report:?}") };
    assert_eq!((problem.code, &*problem.path), (Code::ExportIncomplete, LEVEL));
    assert!(!game.stored(&level().to_string()).exists());
    assert_eq!(game.table().len(), 1);
}

#[test]
fn another_folder_is_made_and_a_target_has_textures_of_its_own() {
    let mut game = Game::new();
    game.put("cutsheet.json", br#"{"formatVersion":1,"targets":{"handheld":{}}}"#);
    game.project.read_settings();
    fs::create_dir_all(game.path("cache/targets/handheld")).unwrap();
    game.put(&format!("cache/targets/handheld/{SHEET}"), b"smaller");
    let out = game.path("build/handheld");
    let request = Request { target: Some("handheld"), output: Some(&out) };
    let plan = prepare(&game.registry, &game.project, &request).unwrap();
    assert_eq!(plan.problems, []);
    let report = write(&plan, Write::default(), &mut |_| {}, &AtomicBool::new(false));
    assert_eq!((actions(&report), report.problems.len()), (vec![Action::Copied; 3], 0));
    assert_eq!(fs::read(out.join(SHEET)).unwrap(), b"smaller");
    assert_eq!(fs::read(out.join(OTHER)).unwrap(), b"a font");
    assert!(!game.path("storage").exists());
    let unknown = Request { target: Some("console"), output: Some(Path::new("elsewhere")) };
    let refusal = prepare(&game.registry, &game.project, &unknown).unwrap_err();
    assert_eq!(refusal.problem(&game.project).code, Code::TargetUnknown);
}
