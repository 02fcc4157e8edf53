//! What an artist's hand waits for: detection against OpenCV, and frames of the window while a sheet of thousands of
//! frames is dragged. `cargo bench --bench editor`; the race needs Python with OpenCV
//! (`pip install numpy opencv-python-headless`; `PYTHON` names another interpreter than `python3`).

#![expect(clippy::print_stdout, reason = "a benchmark's results are its output")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot do its work stops")]

use std::fs;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use cutsheet::app::{App, Start};
use cutsheet::edit::Edit;
use cutsheet::geometry::Size;
use cutsheet::model::{FrameId, Run};
use cutsheet::sample::{Effort, Picture, bench, encode_png};
use cutsheet::session::{Action, Document};
use cutsheet::slicing::detect::{join, label_rows};
use cutsheet::slicing::ink::{InkBuilder, InkPlanes, InkRule};
use eframe::egui::{PointerButton, Pos2, pos2, vec2};
use egui_kittest::Harness;

const ROUNDS: usize = 9;

fn main() {
    // `cargo test --benches` only asks whether it runs.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    detection(scratch.path());
    dragging(scratch.path());
}

/// Labelling with two threads, as the window does.
fn islands(planes: &InkPlanes) -> usize {
    let rule = InkRule::default();
    let (height, half) = (planes.size().height, planes.size().height / 2);
    let (top, bottom) = std::thread::scope(|scope| {
        let bottom = scope.spawn(|| label_rows(planes, rule, half..height));
        (label_rows(planes, rule, 0..half), bottom.join().unwrap())
    });
    join(vec![top, bottom]).all().len()
}

fn detection(scratch: &Path) {
    println!("islands of ink, two threads, against OpenCV's connectedComponentsWithStats with two threads");
    let mut noise = Picture { size: Size::new(4096, 4096), rgba: Vec::new() };
    let mut state = 1_u64;
    noise.rgba.extend((0..4096 * 4096).flat_map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        [0, 0, 0, if state >> 62 == 0 { 255 } else { 0 }]
    }));
    for (name, goal, picture) in
        [("4096 sprites", 8.0, bench::sheet(4096, 64)), ("noise, a quarter ink", 1.0, noise)]
    {
        let mut builder = InkBuilder::new(picture.size, &[]);
        builder.push_rows(&picture.rgba);
        let planes = builder.finish();
        let mask: Vec<u8> = picture.rgba.chunks_exact(4).map(|pixel| u8::from(pixel[3] > 8)).collect();
        let file = scratch.join("mask");
        fs::write(&file, mask).unwrap();
        let Some(mut peer) = Peer::start(&file, picture.size) else {
            println!("  skipped: no Python with numpy and OpenCV\n");
            return;
        };
        let mut ratios = Vec::new();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (their_ms, their_count) = peer.turn();
            let start = Instant::now();
            let count = black_box(islands(&planes));
            let our_ms = start.elapsed().as_secs_f64() * 1e3;
            assert_eq!(count, their_count, "both count the same islands");
            ratios.push(their_ms / our_ms);
            ours.push(our_ms);
            theirs.push(their_ms);
        }
        println!(
            "  {name:<22} {:7.1} ms, OpenCV {:7.1} ms: {:.1}x as fast  goal {goal:.0}x",
            median(&mut ours),
            median(&mut theirs),
            median(&mut ratios)
        );
    }
    println!();
}

/// OpenCV in a process of its own, which labels when it is told to.
struct Peer {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    fn start(mask: &Path, size: Size) -> Option<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/opencv_peer.py");
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
        let mut command = Command::new(python);
        command.arg(script).arg(mask).args([size.width.to_string(), size.height.to_string()]);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = pipes.spawn().ok()?;
        let mut answers = BufReader::new(child.stdout.take()?);
        let mut line = String::new();
        answers.read_line(&mut line).ok()?;
        (line.trim() == "ready").then_some(Self { child, answers })
    }

    fn turn(&mut self) -> (f64, usize) {
        writeln!(self.child.stdin.as_mut().unwrap()).unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let mut words = line.split_whitespace();
        (words.next().unwrap().parse().unwrap(), words.next().unwrap().parse().unwrap())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent / 100).min(values.len() - 1)]
}

/// A window on a project with one sheet of `side` pixels, cut into cells.
fn window(folder: &Path, picture: &Picture, cell: u32) -> Harness<'static, App> {
    fs::create_dir_all(folder.join("assets")).unwrap();
    fs::write(folder.join("assets/sheet.png"), encode_png(picture, false, Effort::Fast)).unwrap();
    let open = folder.to_owned();
    let mut harness =
        Harness::builder().with_size(vec2(1920.0, 1080.0)).with_max_steps(64).build_eframe(move |creation| {
            App::new(&creation.egui_ctx, Start { open: Some(open), ..Start::default() }).unwrap()
        });
    let path = "assets/sheet.png";
    wait(&mut harness, |app| app.session().asset(path).is_some_and(|asset| asset.texture.is_some()));
    harness.state_mut().perform(Action::OpenSheet(path.into()));
    wait(&mut harness, |app| app.session().current().is_some_and(Document::is_ready));
    let grid = Edit::SetGrid(Run::of_cell(Size::new(cell, cell)));
    harness.state_mut().perform(Action::Edit(grid));
    wait(&mut harness, |app| app.session().current().is_some_and(|it| !it.sheet().frames.is_empty()));
    // The pictures arrive.
    for _ in 0..100 {
        harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    harness
}

fn wait(harness: &mut Harness<'static, App>, is_so: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !is_so(harness.state()) {
        harness.step();
        assert!(start.elapsed() < Duration::from_secs(60), "it did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Milliseconds of each pass while the pointer drags from the middle of the canvas.
fn drag(harness: &mut Harness<'static, App>, passes: usize) -> Vec<f64> {
    let from = pos2(900.0, 480.0);
    harness.hover_at(from);
    harness.step();
    button(harness, from, true);
    harness.step();
    let mut times = Vec::new();
    for pass in 0..passes {
        let along = pass as f32;
        harness.hover_at(from + vec2(along.rem_euclid(97.0), (along * 0.7).rem_euclid(53.0)));
        let start = Instant::now();
        harness.step();
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    button(harness, from, false);
    harness.step();
    times
}

fn button(harness: &mut Harness<'static, App>, pos: Pos2, pressed: bool) {
    harness.event(eframe::egui::Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: eframe::egui::Modifiers::NONE,
    });
}

fn dragging(scratch: &Path) {
    println!("the processor's part of a pass of the window at 1920 x 1080 while frames are dragged");
    let mut harness = window(&scratch.join("many"), &bench::sheet(4096, 64), 64);
    let mut report = |name: &str, selection: Vec<FrameId>, goal: &str| {
        harness.state_mut().perform(Action::SelectFrames(selection));
        harness.run_steps(4);
        let mut times = drag(&mut harness, 300);
        println!(
            "  4,096 frames, {name:<14} median {:.2} ms, 99 of 100 below {:.2} ms{goal}",
            percentile(&mut times, 50),
            percentile(&mut times, 99)
        );
    };
    report("one dragged", Vec::new(), "  goal 4 ms");
    report("all dragged", (0..4096).map(FrameId).collect(), "");
    drop(harness);

    let start = Instant::now();
    // 257 x 255 cells of 8 pixels.
    let picture = Picture { size: Size::new(2056, 2040), rgba: vec![180; 2056 * 2040 * 4] };
    let mut harness = window(&scratch.join("most"), &picture, 8);
    let count = harness.state().session().current().unwrap().sheet().frames.len();
    println!("  {count} frames: opened and cut within {:.1} s", start.elapsed().as_secs_f64() - 0.5);
    harness.state_mut().perform(Action::SelectFrames(vec![FrameId(0)]));
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        harness.state_mut().perform(Action::Nudge { dx: 1, dy: 0, edges: false });
        harness.step();
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    println!(
        "  {count} frames: a nudge, from the key to the next picture, median {:.1} ms",
        median(&mut times)
    );
}
