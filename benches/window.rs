//! The first window against an empty one of the same eframe, and what an idle window costs. Needs a display:
//! `xvfb-run -a cargo bench --bench window`.

#![expect(clippy::print_stdout, reason = "a benchmark's results are its output")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot do its work stops")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use eframe::egui;

const ROUNDS: usize = 9;
const EMPTY: &str = "--empty-window";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == EMPTY) {
        empty_window();
    } else if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() {
        println!("skipped: no display. Run `xvfb-run -a cargo bench --bench window`.");
    } else if !arguments.iter().any(|argument| argument == "--test") {
        first_window();
        idle_window();
    }
}

struct Empty {
    frames: u32,
}

impl eframe::App for Empty {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        ui.label("empty");
        self.frames += 1;
        if self.frames >= 2 {
            ui.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        ui.request_repaint();
    }
}

fn empty_window() {
    let viewport = egui::ViewportBuilder::default().with_inner_size([1280.0, 720.0]);
    let options = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    eframe::run_native("empty", options, Box::new(|_| Ok(Box::new(Empty { frames: 0 })))).unwrap();
}

fn cutsheet(project: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cutsheet"));
    command.arg(project).args(arguments).env("CUTSHEET_CONFIG_DIR", project).stderr(Stdio::null());
    command
}

fn seconds_of(mut command: Command) -> f64 {
    let start = Instant::now();
    assert!(command.status().unwrap().success());
    start.elapsed().as_secs_f64()
}

/// From the start of the program to the end of its second frame, then closed; both in turn.
fn first_window() {
    let folder = sample();
    let mut pairs = Vec::new();
    for _ in 0..=ROUNDS {
        let mut empty = Command::new(std::env::current_exe().unwrap());
        empty.arg(EMPTY).stderr(Stdio::null());
        pairs.push((seconds_of(empty), seconds_of(cutsheet(folder.path(), &["--quit-after-frames", "2"]))));
    }
    let pairs = &pairs[1..];
    let middle = |of: &dyn Fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = pairs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    println!("first window with the sample project, against an empty window of the same eframe");
    println!("  empty window   {:6.0} ms", middle(&|pair| pair.0) * 1e3);
    println!(
        "  cutsheet       {:6.0} ms  {:.2}x  goal 1.50x",
        middle(&|pair| pair.1) * 1e3,
        middle(&|pair| pair.1 / pair.0)
    );
}

fn idle_window() {
    let folder = sample();
    let mut child = cutsheet(folder.path(), &[]).spawn().unwrap();
    sleep(Duration::from_secs(8));
    let before = cpu_ticks(&child);
    sleep(Duration::from_secs(10));
    let after = cpu_ticks(&child);
    child.kill().unwrap();
    child.wait().unwrap();
    println!("idle window with the watcher on\n  {} ticks of CPU time in 10 s  goal 0", after - before);
}

/// User and system time of a process and its threads, in hundredths of a second.
fn cpu_ticks(child: &Child) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn sample() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    cutsheet::sample::write_project(folder.path()).unwrap();
    let project = cutsheet::import::Project::open(folder.path()).unwrap();
    cutsheet::import::import_all(&project, 2, |_| {});
    folder
}
