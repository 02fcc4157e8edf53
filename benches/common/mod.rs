//! What the benchmarks of the window share: its passes without a window system, and how their times are told.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cutsheet::registry::State;
use cutsheet::session::{Action, Command, Session, Workspace};
use cutsheet::ui::UiState;
use eframe::egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};

pub(crate) fn median(values: &mut [f64]) -> f64 {
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
pub(crate) struct Window {
    ctx: Context,
    pub(crate) session: Session,
    state: UiState,
    events: Vec<Event>,
    time: f64,
}

impl Window {
    /// On a project, whose textures are all made.
    pub(crate) fn open(folder: &Path) -> Self {
        let ctx = Context::default();
        cutsheet::ui::theme::install(&ctx);
        let session = Session::new(None, Arc::new(|| {})).unwrap();
        let mut window = Self { ctx, session, state: UiState::default(), events: Vec::new(), time: 0.0 };
        window.session.perform(Action::Open(folder.to_owned()));
        window.wait(|session| {
            let Some(open) = session.project() else { return false };
            let mut assets = open.registry.assets();
            assets.len() > 0 && assets.all(|asset| asset.state == State::UpToDate)
        });
        window
    }

    /// Steps until pictures and studies have come.
    pub(crate) fn settle(&mut self) {
        for _ in 0..200 {
            self.pass();
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn wait(&mut self, is_so: impl Fn(&Session) -> bool) {
        let start = Instant::now();
        while !is_so(&self.session) {
            self.pass();
            assert!(start.elapsed() < Duration::from_mins(1), "it did not come");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// One pass up to the triangles that a graphics card would get; milliseconds of the processor.
    pub(crate) fn pass(&mut self) -> f64 {
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

    fn undo_label(&self) -> Option<String> {
        let label = match self.session.workspace() {
            Workspace::Slice => self.session.current()?.history.undo_label(),
            Workspace::Scene => self.session.scene()?.history.undo_label(),
        };
        label.map(str::to_owned)
    }

    fn button(&mut self, button: PointerButton, pos: Pos2, pressed: bool) {
        let modifiers = Modifiers::NONE;
        self.events.push(Event::PointerButton { pos, button, pressed, modifiers });
        self.pass();
    }

    /// Milliseconds of each pass while a button drags from the middle of the canvas, and of a piece of work that is the
    /// same after each: what that varies by is the machine's.
    fn drag(&mut self, button: PointerButton, passes: usize) -> [Vec<f64>; 2] {
        let from = pos2(900.0, 480.0);
        self.events.push(Event::PointerMoved(from));
        self.pass();
        self.button(button, from, true);
        let mut times = [Vec::new(), Vec::new()];
        let mut to = from;
        for pass in 0..passes {
            let along = pass as f32;
            to = from + vec2(along.rem_euclid(97.0), (along * 0.7).rem_euclid(53.0));
            self.events.push(Event::PointerMoved(to));
            times[0].push(self.pass());
            times[1].push(fixed_work());
        }
        self.button(button, to, false);
        times
    }

    /// Five drags along the same way of 500 passes each. What they do is taken back, so that each begins like the first.
    pub(crate) fn least_of_five_drags(&mut self, button: PointerButton) -> Drags {
        // What the machine does beside it takes some passes three times as long. A pass that has more to do than others
        // has it in every drag along the same way, so of five drags each pass counts with its least.
        let mut drags =
            Drags { least: vec![f64::INFINITY; 500], all: Vec::new(), fixed: Vec::new(), step: None };
        for _ in 0..5 {
            let [passes, others] = self.drag(button, 500);
            let is_edit = button == PointerButton::Primary;
            drags.step = self.undo_label().filter(|_| is_edit);
            if is_edit {
                self.session.perform(Action::Command(Command::Undo));
                self.pass();
            }
            for (least, pass) in drags.least.iter_mut().zip(&passes) {
                *least = least.min(*pass);
            }
            drags.all.extend(passes);
            drags.fixed.extend(others);
        }
        drags
    }
}

/// Milliseconds of the passes of five drags.
pub(crate) struct Drags {
    least: Vec<f64>,
    all: Vec<f64>,
    fixed: Vec<f64>,
    /// What was done.
    step: Option<String>,
}

impl Drags {
    /// Each pass with its least of the five.
    pub(crate) fn least(&mut self) -> String {
        let times = &mut self.least;
        let (median, most) = (percentile(times, 50), percentile(times, 99));
        let step = self.step.as_ref().map_or_else(String::new, |step| format!(" ({step})"));
        format!("median {median:.2} ms, 99 of 100 below {most:.2} ms{step}")
    }

    /// All passes, and what work that is always the same took meanwhile.
    pub(crate) fn all(&mut self) -> String {
        let [all, fixed] =
            [&mut self.all, &mut self.fixed].map(|times| [percentile(times, 50), percentile(times, 99)]);
        format!(
            "all five drags: median {:.2} ms, 99 of 100 below {:.2} ms; work that is always the same: {:.2} ms, {:.2} ms",
            all[0], all[1], fixed[0], fixed[1]
        )
    }
}
