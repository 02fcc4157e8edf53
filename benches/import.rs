//! Import against its floors, all in one run: each round does every command in turn, and the ratios are taken
//! round by round, so that a machine that slows down slows all alike. `cargo bench --bench import`, or one group of it:
//! `cargo bench --bench import -- small`.

#![expect(clippy::print_stdout, reason = "a benchmark's results are its output")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot do its work stops")]

use std::cell::Cell;
use std::fs;
use std::hint::black_box;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cutsheet::geometry::{PixelRect, Size};
use cutsheet::import::compile::{self, ImageFile};
use cutsheet::import::{Project, Recipe, import_all};
use cutsheet::model::{Leftover, Run};
use cutsheet::pixels::{Filter, Regions, decode_rgba};
use cutsheet::sample::{Effort, bench, encode_png};
use cutsheet::slicing::cells;
use cutsheet::texture::{Dithering, PixelFormat};

const ROUNDS: usize = 9;
/// Short ones want more rounds.
const SMALL_ROUNDS: usize = 15;

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Contenders that race together, and the name to ask for them alone.
type Group = (&'static str, fn(&Path));

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    // `cargo test --benches` only asks whether it runs.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    println!(
        "{ROUNDS} rounds in turn, of short ones {SMALL_ROUNDS}; ms are medians, ratios medians of the rounds' ratios (lowest to \
         highest)\n"
    );
    let groups: [Group; 6] = [
        ("big", big_sheet),
        ("smaller", smaller_sheet),
        ("part", visible_part),
        ("small", small_sheets),
        ("unchanged", unchanged_project),
        ("memory", peak_memory),
    ];
    for (name, group) in groups {
        if arguments.is_empty() || arguments.iter().any(|argument| argument == name) {
            group(scratch.path());
        }
    }
}

/// A command of a group; the first is what the others are compared with.
struct Contender<'a> {
    name: &'a str,
    goal: Option<f64>,
    run: Box<dyn FnMut() + 'a>,
}

fn contender<'a>(name: &'a str, goal: Option<f64>, run: impl FnMut() + 'a) -> Contender<'a> {
    Contender { name, goal, run: Box::new(run) }
}

fn race(title: &str, mut contenders: Vec<Contender<'_>>) {
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..=ROUNDS {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (contender.run)();
            // The first round warms the page cache.
            if round > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    println!("{title}");
    for (contender, own) in contenders.iter().zip(&times) {
        let mut ratios: Vec<f64> = own.iter().zip(&times[0]).map(|(own, first)| own / first).collect();
        ratios.sort_by(f64::total_cmp);
        let goal = contender.goal.map(|goal| format!("  goal {goal:.2}x")).unwrap_or_default();
        let (low, middle, high) = (ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]);
        println!(
            "  {:<44} {:8.1} ms  {middle:.2}x ({low:.2} to {high:.2}){goal}",
            contender.name,
            median(own)
        );
    }
    println!();
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn decode_whole(bytes: &[u8]) {
    let limits = png::Limits { bytes: 1 << 31 };
    let mut reader = png::Decoder::new_with_limits(Cursor::new(bytes), limits).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    black_box(pixels);
}

fn compile_to(image: &[u8], recipe: &Recipe, second_thread: bool, destination: &Path) {
    let image = ImageFile { bytes: image, extension: None, second_thread };
    compile::compile(image, recipe, &AtomicBool::new(false), destination).unwrap();
}

const BIG: Size = Size::new(4096, 4096);

/// The big sheet in that format.
fn plain(format: Option<PixelFormat>) -> Recipe {
    Recipe::plain(BIG, format)
}

/// The cells of a sheet, 64 pixels a side.
fn cells_of(size: Size) -> Vec<PixelRect> {
    cells(&Run::of_cell(Size::new(64, 64)), Leftover::Drop, size)
}

fn big_png() -> Vec<u8> {
    encode_png(&bench::sheet(4096, 64), false, Effort::Balanced)
}

fn big_sheet(scratch: &Path) {
    let file = scratch.join("sheet.png");
    fs::write(&file, big_png()).unwrap();
    let out = scratch.join("texture");
    let read = || fs::read(&file).unwrap();
    let to = |recipe: Recipe, second_thread| {
        let (out, read) = (&out, &read);
        move || compile_to(&read(), &recipe, second_thread, out)
    };
    let frames = cells_of(BIG);
    let narrow = || plain(Some(PixelFormat::Rgb565));
    let wide = || plain(Some(PixelFormat::Rgb565A8));
    let dithered = |dithering| Recipe { dithering, regions: Regions::of(frames.clone()), ..narrow() };
    let (ordered, diffused) = (dithered(Dithering::Ordered), dithered(Dithering::FloydSteinberg));
    let with_alpha = Recipe { format: Some(PixelFormat::Rgb565A8), ..diffused.clone() };
    race(
        "4096 x 4096 sheet, file to texture in the page cache, against decoding it",
        vec![
            contender("decode only, png crate, whole buffer", None, || decode_whole(&read())),
            contender("import RGB565, two threads", Some(1.0), to(narrow(), true)),
            contender(
                "the same, looking into 4,096 frames",
                None,
                to(Recipe { frames: frames.clone(), ..narrow() }, true),
            ),
            contender("import RGB565, one thread", None, to(narrow(), false)),
            contender("import RGB565A8, two threads", Some(1.15), to(wide(), true)),
            contender("import Automatic, two threads", Some(1.15), to(plain(None), true)),
            contender(
                "import RGBA8888, two threads",
                Some(1.05),
                to(plain(Some(PixelFormat::Rgba8888)), true),
            ),
            contender("ordered, 4,096 frames, two threads", Some(1.05), to(ordered.clone(), true)),
            contender("ordered, one thread", None, to(ordered, false)),
            contender("Floyd-Steinberg, 4,096 frames, two threads", Some(1.3), to(diffused.clone(), true)),
            contender("Floyd-Steinberg, one thread", None, to(diffused, false)),
            contender("Floyd-Steinberg RGB565A8, two threads", Some(1.3), to(with_alpha, true)),
        ],
    );
}

fn smaller_sheet(scratch: &Path) {
    let file = scratch.join("sheet.png");
    fs::write(&file, big_png()).unwrap();
    let out = scratch.join("texture");
    let read = || fs::read(&file).unwrap();
    let frames = cells_of(BIG);
    let smaller = |max_size: u32, regions: &[PixelRect], filter| {
        let stored = Size::new(max_size, max_size);
        let recipe = Recipe {
            stored,
            regions: Regions::of(regions.to_vec()),
            filter,
            ..plain(Some(PixelFormat::Rgb565))
        };
        let (out, read) = (&out, &read);
        move || compile_to(&read(), &recipe, true, out)
    };
    race(
        "the same sheet with Max Size, against the same import without",
        vec![
            contender("import RGB565, two threads", None, || {
                compile_to(&read(), &plain(Some(PixelFormat::Rgb565)), true, &out);
            }),
            contender("Max Size 2048, 4,096 frames", Some(1.4), smaller(2048, &frames, Filter::Area)),
            contender("Max Size 1000, 4,096 frames", Some(1.4), smaller(1000, &frames, Filter::Area)),
            contender("Max Size 2048, no frames", Some(1.4), smaller(2048, &[], Filter::Area)),
            contender("Max Size 2048, chroma key", Some(1.4), smaller(2048, &frames, Filter::Nearest)),
        ],
    );
}

/// What a window shows of a texture that is not made yet, from the image in memory.
fn visible_part(_: &Path) {
    let size = Size::new(2048, 2048);
    let png = encode_png(&bench::sheet(2048, 64), false, Effort::Balanced);
    let (_, rgba) = decode_rgba(&png, None).unwrap();
    let part = |dithering, regions: &[PixelRect], visible: PixelRect| {
        let recipe = Recipe {
            stored: Size::new(1024, 1024),
            regions: Regions::of(regions.to_vec()),
            dithering,
            ..Recipe::plain(size, Some(PixelFormat::Rgb565A8))
        };
        let (conversion, rgba) = (recipe.conversion(true), &rgba);
        move || {
            black_box(conversion.part(rgba, visible));
        }
    };
    // A window of 1280 x 720 points shows 1024 of the columns.
    let (window, all) = (PixelRect::new(0, 304, 1280, 720), PixelRect::new(0, 0, 1024, 1024));
    let (frames, goal) = (cells_of(size), Some(0.5));
    let diffused = Dithering::FloydSteinberg;
    race(
        "the visible part of a 2048 x 2048 sheet at Max Size 1024, against decoding the sheet",
        vec![
            contender("decode only, png crate, whole buffer", None, || decode_whole(&png)),
            contender("1280 x 720 at 1:1, no dithering", goal, part(Dithering::None, &frames, window)),
            contender("1280 x 720 at 1:1, ordered", goal, part(Dithering::Ordered, &frames, window)),
            contender("1280 x 720 at 1:1, Floyd-Steinberg", goal, part(diffused, &frames, window)),
            contender("the same at the bottom of a sheet without frames", goal, part(diffused, &[], window)),
            contender("all of it, no dithering", goal, part(Dithering::None, &frames, all)),
            contender("all of it, ordered", goal, part(Dithering::Ordered, &frames, all)),
            contender("all of it, Floyd-Steinberg", goal, part(diffused, &frames, all)),
        ],
    );
}

fn images_of(folder: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "png")).collect()
}

/// A folder in memory where the system has such, so that it is not the disk's pace that is measured: it writes back what
/// came before whenever it likes.
fn in_memory() -> Option<tempfile::TempDir> {
    tempfile::tempdir_in("/dev/shm").ok()
}

fn small_sheets(scratch: &Path) {
    let memory = in_memory();
    let scratch = memory.as_ref().map_or(scratch, tempfile::TempDir::path);
    let folder = scratch.join("small");
    bench::write_bench_project(&folder, 500, 128).unwrap();
    let project = Project::open(&folder).unwrap();
    import_all(&project, 2, |_| {});
    let textures: Vec<Vec<u8>> =
        fs::read_dir(&project.cache).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
    let images = images_of(&folder);
    // On a disk, what a round wrote is moved out of the way and kept: a file system that has just deleted as many files
    // looks at each of them again before it makes new ones, and that is not what is measured.
    let kept = Cell::new(0);
    let set_aside = |folder: &Path| {
        if memory.is_some() {
            fs::remove_dir_all(folder).unwrap();
            return;
        }
        kept.set(kept.get() + 1);
        fs::rename(folder, scratch.join(format!("kept {}", kept.get()))).unwrap();
    };
    set_aside(&project.cache);
    let floor = || {
        let written = scratch.join("written");
        let start = Instant::now();
        for image in &images {
            decode_whole(&fs::read(image).unwrap());
        }
        fs::create_dir(&written).unwrap();
        for (number, texture) in textures.iter().enumerate() {
            fs::write(written.join(number.to_string()), texture).unwrap();
        }
        let time = start.elapsed();
        set_aside(&written);
        time
    };
    let import = |threads| {
        let start = Instant::now();
        import_all(&project, threads, |_| {});
        let time = start.elapsed();
        set_aside(&project.cache);
        time
    };
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..=SMALL_ROUNDS {
        for (index, time) in [floor(), import(2), import(1)].into_iter().enumerate() {
            times[index].push(time.as_secs_f64() * 1e3);
        }
    }
    let place = if memory.is_some() { "in memory" } else { "on the disk" };
    println!(
        "500 sheets of 128 x 128 {place}, cold cache folder, against decoding and writing on one thread"
    );
    for (index, name) in
        ["decode + write the same files, one thread", "import, two threads", "import, one thread"]
            .iter()
            .enumerate()
    {
        let mut ratios: Vec<f64> =
            times[index].iter().zip(&times[0]).skip(1).map(|(own, first)| own / first).collect();
        ratios.sort_by(f64::total_cmp);
        let goal = if index == 1 { "  goal 1.00x" } else { "" };
        let (low, middle, high) = (ratios[0], ratios[SMALL_ROUNDS / 2], ratios[SMALL_ROUNDS - 1]);
        println!(
            "  {name:<44} {:8.1} ms  {middle:.2}x ({low:.2} to {high:.2}){goal}",
            median(&times[index][1..])
        );
    }
    println!();
}

fn unchanged_project(scratch: &Path) {
    let folder = scratch.join("many");
    bench::write_bench_project(&folder, 10_000, 32).unwrap();
    let project = Project::open(&folder).unwrap();
    for _ in 0..2 {
        import_all(&project, 2, |_| {});
    }
    let walk = || {
        for entry in walkdir::WalkDir::new(&project.assets) {
            black_box(entry.unwrap().metadata().unwrap());
        }
    };
    race(
        "10,000 unchanged images with sidecars, against walking and statting them",
        vec![
            contender("walk + stat of the 20,000 files", None, walk),
            contender("import, nothing to do", Some(2.0), || {
                black_box(import_all(&project, 2, |_| {}));
            }),
        ],
    );
}

/// Peak memory of the whole program, read from the system while it runs.
fn peak_memory(scratch: &Path) {
    let folder = scratch.join("one");
    fs::create_dir_all(folder.join("assets")).unwrap();
    let image = folder.join("assets/sheet.png");
    fs::write(&image, big_png()).unwrap();
    let file_bytes = fs::metadata(&image).unwrap().len();
    let peak = (0..3).map(|_| peak_of_import(&folder)).max().unwrap();
    let beyond = peak.saturating_sub(file_bytes) as f64 / 1_048_576.0;
    println!("peak memory of `cutsheet import` of that sheet beyond the file's bytes");
    println!("  {beyond:.1} MiB  goal 16 MiB");
}

fn peak_of_import(folder: &Path) -> u64 {
    drop(fs::remove_dir_all(folder.join("cache")));
    let mut child = Command::new(env!("CARGO_BIN_EXE_cutsheet"))
        .args([Path::new("import"), folder])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: u64 =
            line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0);
        peak = peak.max(kib * 1024);
    }
    peak
}
