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
use std::sync::Arc;
use std::time::{Duration, Instant};

use cutsheet::edit::Edit;
use cutsheet::geometry::Size;
use cutsheet::model::{FrameId, Run};
use cutsheet::sample::{Effort, Picture, bench, encode_png};
use cutsheet::session::study::label;
use cutsheet::session::{Action, Document, Session};
use cutsheet::slicing::ink::{InkBuilder, InkRule};
use cutsheet::ui::UiState;
use eframe::egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};

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

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent / 100).min(values.len() - 1)]
}

/// Milliseconds that this thread had the processor. On a machine with other work a clock would count the passes that had
/// to wait for it.
fn processor_ms() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        START.elapsed().as_secs_f64() * 1e3
    }
}

/// Milliseconds of about as much work as a pass is, on fresh memory as there.
fn fixed_work() -> f64 {
    let start = processor_ms();
    let mut state = 1_u32;
    let mut numbers: Vec<u32> = (0..40_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        })
        .collect();
    numbers.sort_unstable();
    black_box(numbers);
    processor_ms() - start
}

/// The window's passes without a window system: what the processor does, and nothing else.
struct Window {
    ctx: Context,
    session: Session,
    state: UiState,
    events: Vec<Event>,
    time: f64,
}

impl Window {
    /// On a project with one sheet, cut into cells.
    fn open(folder: &Path, picture: &Picture, cell: u32) -> Self {
        fs::create_dir_all(folder.join("assets")).unwrap();
        fs::write(folder.join("assets/sheet.png"), encode_png(picture, false, Effort::Fast)).unwrap();
        let ctx = Context::default();
        cutsheet::ui::theme::install(&ctx);
        let session = Session::new(None, Arc::new(|| {})).unwrap();
        let mut window = Self { ctx, session, state: UiState::default(), events: Vec::new(), time: 0.0 };
        window.session.perform(Action::Open(folder.to_owned()));
        let path = "assets/sheet.png";
        window.wait(|session| session.asset(path).is_some_and(|asset| asset.texture.is_some()));
        window.session.perform(Action::OpenSheet(path.into()));
        window.wait(|session| session.current().is_some_and(Document::is_ready));
        window.session.perform(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(cell, cell)))));
        // Pictures and the study arrive.
        for _ in 0..200 {
            window.pass();
            std::thread::sleep(Duration::from_millis(5));
        }
        window
    }

    fn wait(&mut self, is_so: impl Fn(&Session) -> bool) {
        let start = Instant::now();
        while !is_so(&self.session) {
            self.pass();
            assert!(start.elapsed() < Duration::from_mins(1), "it did not come");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// One pass up to the triangles that a graphics card would get; milliseconds of the processor.
    fn pass(&mut self) -> f64 {
        let start = processor_ms();
        self.session.pump();
        self.time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1920.0, 1080.0))),
            max_texture_side: Some(8192),
            time: Some(self.time),
            events: std::mem::take(&mut self.events),
            focused: true,
            ..RawInput::default()
        };
        let mut actions = Vec::new();
        let (session, state) = (&self.session, &mut self.state);
        let output = self.ctx.run_ui(input, |ui| cutsheet::ui::root(ui, session, state, &mut actions));
        for action in actions {
            match action {
                Action::Command(command) if !command.is_of_session() => {
                    self.state.command(command, &self.session);
                }
                action => self.session.perform(action),
            }
        }
        drop(self.session.take_effects());
        black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
        processor_ms() - start
    }

    fn button(&mut self, pos: Pos2, pressed: bool) {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        self.events.push(Event::PointerButton { pos, button, pressed, modifiers });
        self.pass();
    }

    /// Milliseconds of each pass while the pointer drags from the middle of the canvas, and of a piece of work that is the
    /// same after each: what that varies by is the machine's.
    fn drag(&mut self, passes: usize) -> [Vec<f64>; 2] {
        let from = pos2(900.0, 480.0);
        self.events.push(Event::PointerMoved(from));
        self.pass();
        self.button(from, true);
        let mut times = [Vec::new(), Vec::new()];
        let mut to = from;
        for pass in 0..passes {
            let along = pass as f32;
            to = from + vec2(along.rem_euclid(97.0), (along * 0.7).rem_euclid(53.0));
            self.events.push(Event::PointerMoved(to));
            times[0].push(self.pass());
            times[1].push(fixed_work());
        }
        self.button(to, false);
        times
    }
}

fn dragging(scratch: &Path) {
    println!("a pass of the window at 1920 x 1080, up to its triangles, while frames are dragged");
    let mut window = Window::open(&scratch.join("many"), &bench::sheet(4096, 64), 64);
    let mut report = |name: &str, selection: Vec<FrameId>, goal: &str| {
        window.session.perform(Action::SelectFrames(selection));
        for _ in 0..4 {
            window.pass();
        }
        // What the machine does beside it takes some passes three times as long. A pass that has more to do than others
        // has it in every drag along the same way, so of five drags each pass counts with its least.
        let mut times = vec![f64::INFINITY; 500];
        let mut all = Vec::new();
        let mut fixed = Vec::new();
        for _ in 0..5 {
            let [passes, others] = window.drag(500);
            for (least, pass) in times.iter_mut().zip(&passes) {
                *least = least.min(*pass);
            }
            all.extend(passes);
            fixed.extend(others);
        }
        let step = window.session.current().unwrap().history.undo_label().unwrap_or("nothing").to_owned();
        println!(
            "  4,096 frames, {name:<12} median {:.2} ms, 99 of 100 below {:.2} ms{goal} ({step})\n    \
             all five drags: median {:.2} ms, 99 of 100 below {:.2} ms; work that is always the same: {:.2} ms, {:.2} ms",
            percentile(&mut times, 50),
            percentile(&mut times, 99),
            percentile(&mut all, 50),
            percentile(&mut all, 99),
            percentile(&mut fixed, 50),
            percentile(&mut fixed, 99)
        );
    };
    report("one dragged", Vec::new(), "  goal 4 ms");
    report("all dragged", (0..4096).map(FrameId).collect(), "");
    drop(window);

    // 257 x 255 cells of 8 pixels.
    let picture = Picture { size: Size::new(2056, 2040), rgba: vec![180; 2056 * 2040 * 4] };
    let mut window = Window::open(&scratch.join("most"), &picture, 8);
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
