//! What an artist's hand waits for: detection against `OpenCV`, and frames of the window while a sheet of thousands of
//! frames is dragged. `cargo bench --bench editor`; the race needs Python with `OpenCV`
//! (`pip install numpy opencv-python-headless`; `PYTHON` names another interpreter than `python3`).

#![expect(clippy::print_stdout, reason = "a benchmark's results are its output")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot do its work stops")]

use std::fs;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

use cutsheet::edit::Edit;
use cutsheet::geometry::Size;
use cutsheet::model::{FrameId, Run};
use cutsheet::sample::{Effort, Picture, bench, encode_png};
use cutsheet::session::study::label;
use cutsheet::session::{Action, Document};
use cutsheet::slicing::ink::{InkBuilder, InkRule};
use eframe::egui::PointerButton;

#[path = "common/mod.rs"]
mod common;

use common::{Window, median};

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
    detection(scratch.path());
    dragging(scratch.path());
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
            let count = black_box(label(&planes, InkRule::default()).all().len());
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

/// `OpenCV` in a process of its own, which labels when it is told to.
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

/// A window on a project with one sheet, cut into cells.
fn cut(folder: &Path, picture: &Picture, cell: u32) -> Window {
    fs::create_dir_all(folder.join("assets")).unwrap();
    fs::write(folder.join("assets/sheet.png"), encode_png(picture, false, Effort::Fast)).unwrap();
    let mut window = Window::open(folder);
    window.session.perform(Action::OpenSheet("assets/sheet.png".into()));
    window.wait(|session| session.current().is_some_and(Document::is_ready));
    window.session.perform(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(cell, cell)))));
    window.settle();
    window
}

fn dragging(scratch: &Path) {
    println!("a pass of the window at 1920 x 1080, up to its triangles, while frames are dragged");
    let mut window = cut(&scratch.join("many"), &bench::sheet(4096, 64), 64);
    let mut report = |name: &str, selection: Vec<FrameId>, goal: &str| {
        window.session.perform(Action::SelectFrames(selection));
        for _ in 0..4 {
            window.pass();
        }
        let mut drags = window.least_of_five_drags(PointerButton::Primary);
        println!("  4,096 frames, {name:<13} {}{goal}\n    {}", drags.least(), drags.all());
    };
    report("one dragged", Vec::new(), "  goal 4 ms");
    // Those at the border cannot go any further.
    let is_inside = |id: &u32| [id % 64, id / 64].iter().all(|at| (1..63).contains(at));
    report("3,844 dragged", (0..4096).filter(is_inside).map(FrameId).collect(), "");
    drop(window);

    // 257 x 255 cells of 8 pixels.
    let picture = Picture { size: Size::new(2056, 2040), rgba: vec![180; 2056 * 2040 * 4] };
    let mut window = cut(&scratch.join("most"), &picture, 8);
    let count = window.session.current().unwrap().sheet().frames.len();
    window.session.perform(Action::SelectFrames(vec![FrameId(0)]));
    let mut idle: Vec<f64> = (0..50).map(|_| window.pass()).collect();
    let mut times = Vec::new();
    for step in 0..50 {
        window.session.perform(Action::Nudge { dx: if step % 2 == 0 { 1 } else { -1 }, dy: 0, edges: false });
        times.push(window.pass());
    }
    println!(
        "  {count} frames: a pass takes {:.1} ms, the one after a nudge {:.1} ms (medians)",
        median(&mut idle),
        median(&mut times)
    );
}
