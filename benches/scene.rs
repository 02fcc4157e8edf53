//! A scene of 2,000 objects that draw frames of 200 sheets: how long it takes to open beside the decoding of its textures,
//! and a pass of the window while it is panned and while an object is dragged. `cargo bench --bench scene`.

#![expect(clippy::print_stdout, reason = "a benchmark's results are its output")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot do its work stops")]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cutsheet::format::scene;
use cutsheet::guid::Guid;
use cutsheet::model::scene::{AssetRef, Object, Scene, Transform};
use cutsheet::runtime::{Memo, Texture};
use cutsheet::sample::bench;
use cutsheet::session::{Action, SceneDocument, Session};
use eframe::egui::PointerButton;

#[path = "common/mod.rs"]
mod common;

use common::{Window, median};

const SHEETS: usize = 200;
const OBJECTS: usize = 2000;
/// Of a sheet, in pixels: 64 or 256 frames of 32 by 32.
const SIDES: [u32; 2] = [256, 512];
const SCENE: &str = "assets/level.scene";
const ROUNDS: usize = 9;

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // `cargo test --benches` only asks whether it runs.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    println!("a scene of {OBJECTS} objects on {SHEETS} sheets");
    for side in SIDES {
        let folder = scratch.path().join(side.to_string());
        let textures = project(&folder, side);
        opening(&folder, side, &textures);
    }
    moving(&scratch.path().join(SIDES[0].to_string()));
}

/// Sheets cut into cells, all imported, and the scene; the paths of the textures.
fn project(folder: &Path, side: u32) -> Vec<PathBuf> {
    bench::write_bench_project(folder, SHEETS as u32, side).unwrap();
    let window = Window::open(folder);
    let open = window.session.project().unwrap();
    let guids: Vec<Guid> = open.registry.assets().map(|asset| asset.guid).collect();
    fs::write(folder.join(SCENE), scene::write(&scene_of(&guids)).unwrap()).unwrap();
    let scene = format!("{{ \"guid\": \"{}\" }}", Guid::random());
    fs::write(folder.join(format!("{SCENE}.data")), scene).unwrap();
    guids.iter().map(|guid| open.project.texture(*guid)).collect()
}

/// Objects in rows, each with another sheet than the one before.
fn scene_of(sheets: &[Guid]) -> Scene {
    let mut scene = Scene::new("Level");
    // 16 pixels a metre: all objects lie in it.
    scene.body = scene.body.with("width", 832_u32.into()).with("height", 672_u32.into());
    for place in 0..OBJECTS {
        let sheet = sheets[place % SHEETS];
        let frame = Guid::for_frame(sheet, (place / SHEETS) as u32).to_string();
        let mut object = Object::new(scene.take_key(), scene.free_id(), &format!("object {place}"));
        let (column, row) = (place % 50, place / 50);
        let (x, y) = (column as f32 - 25.0, row as f32 - 20.0);
        object.set_transform(Transform { x, y, ..Transform::default() });
        object
            .add_sprite(&AssetRef { guid: sheet.to_string().as_str().into(), source: frame.as_str().into() });
        scene.children_mut(None).unwrap().push(Arc::new(object));
    }
    scene
}

/// Milliseconds from asking for the scene until all that it draws is on screen, and of decoding its textures with as many
/// threads as the window has for pictures.
fn opening(folder: &Path, side: u32, textures: &[PathBuf]) {
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let decoded = decode(textures);
        let mut window = Window::open(folder);
        window.wait(|session| session.pictures().is_idle());
        let start = Instant::now();
        window.session.perform(Action::OpenScene(SCENE.into()));
        // What a pass finds missing it asks for: one that begins and ends with nothing being made has found all.
        let mut is_complete = false;
        while !is_complete {
            let is_shown = window.session.scene().is_some_and(SceneDocument::is_ready);
            let was_idle = window.session.pictures().is_idle();
            window.pass();
            is_complete = is_shown && was_idle && window.session.pictures().is_idle();
            // The threads that decode have their turn.
            std::thread::sleep(Duration::from_micros(500));
        }
        let opened = start.elapsed().as_secs_f64() * 1e3;
        ours.push(opened);
        assert!(is_all_drawn(&window.session), "all objects lie in the picture");
        theirs.push(decoded);
        ratios.push(opened / decoded);
    }
    println!(
        "  sheets of {side} x {side}: open with all its pictures {:.0} ms, its textures decoded {:.0} ms: {:.2}x  goal at most 1.5x",
        median(&mut ours),
        median(&mut theirs),
        median(&mut ratios)
    );
}

fn decode(textures: &[PathBuf]) -> f64 {
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(path) = textures.get(next.fetch_add(1, Ordering::Relaxed)) {
                    black_box(Texture::load(path).unwrap().decode_rgba());
                }
            });
        }
    });
    start.elapsed().as_secs_f64() * 1e3
}

fn is_all_drawn(session: &Session) -> bool {
    let Some(document) = session.scene().filter(|document| document.is_ready()) else { return false };
    let items = session.stage(document.scene(), &mut Memo::default());
    let there = items.iter().filter(|item| {
        let picture = item.picture.as_ref().and_then(|picture| session.stage_picture(picture));
        picture.is_some_and(|(_, found)| found.shown().is_some())
    });
    there.count() == OBJECTS
}

fn moving(folder: &Path) {
    println!("a pass of the window at 1920 x 1080, up to its triangles");
    let mut window = Window::open(folder);
    window.session.perform(Action::OpenScene(SCENE.into()));
    window.wait(|session| session.scene().is_some_and(SceneDocument::is_ready));
    window.settle();
    let mut panned = window.least_of_five_drags(PointerButton::Middle);
    println!("  panned   {}  goal 4 ms\n    {}", panned.least(), panned.all());
    let mut dragged = window.least_of_five_drags(PointerButton::Primary);
    println!("  dragged  {}\n    {}", dragged.least(), dragged.all());
}
