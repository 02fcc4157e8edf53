//! A running project while other programs save: after each pattern the texture is that of a clean import.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use cutsheet::geometry::Size;
use cutsheet::import::service::{Event, Request, Service};
use cutsheet::import::{Project, import_all};
use cutsheet::registry::{Registry, State};
use cutsheet::sample::{Effort, Picture, bench, encode_png};
use cutsheet::watch::{Change, Watcher};

const PATIENCE: Duration = Duration::from_secs(10);

struct Running {
    folder: tempfile::TempDir,
    project: Project,
    service: Service,
    _watcher: Watcher,
    registry: Arc<Registry>,
    /// States that the asset of interest was seen in.
    seen: Vec<(String, State)>,
}

impl Running {
    /// A project with one sheet, imported and watched.
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("assets/sub")).unwrap();
        fs::write(folder.path().join("assets/hero.png"), picture(1)).unwrap();
        let project = Project::open(folder.path()).unwrap();
        let service = Service::start(project.clone(), 2, Arc::new(|| {})).unwrap();
        let requester = service.requester();
        let sink = move |changes: Vec<Change>| {
            for change in changes {
                requester.ask(match change {
                    Change::Changed(file) => Request::Look(file),
                    Change::FolderChanged(_) | Change::RescanAll | Change::Unwatched(_) => Request::Rescan,
                });
            }
        };
        let watcher = Watcher::start(&project.assets, true, Box::new(sink)).unwrap();
        let mut running =
            Self { folder, project, service, _watcher: watcher, registry: Arc::default(), seen: Vec::new() };
        running.wait("the first import", |it| it.is_up_to_date("assets/hero.png"));
        running.seen.clear();
        running
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("assets").join(name)
    }

    fn state(&self, path: &str) -> Option<State> {
        self.registry.asset(path).map(|asset| asset.state)
    }

    /// Whether the cache holds, byte for byte, what a clean import of the same files makes.
    fn is_up_to_date(&self, path: &str) -> bool {
        let Some(asset) = self.registry.asset(path) else { return false };
        let clean = tempfile::tempdir().unwrap();
        let target = clean.path().join(path);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        let (Ok(image), Ok(sidecar)) =
            (fs::read(self.project.file(path)), fs::read(self.project.sidecar(path)))
        else {
            return false;
        };
        fs::write(&target, image).unwrap();
        fs::write(clean.path().join(format!("{path}.data")), sidecar).unwrap();
        let clean_project = Project::open(clean.path()).unwrap();
        import_all(&clean_project, 1, |_| {});
        let expected = fs::read(clean_project.texture(asset.guid)).ok();
        let got = fs::read(self.project.texture(asset.guid)).ok();
        asset.state == State::UpToDate && expected.is_some() && got == expected
    }

    fn pump(&mut self) {
        while let Ok(event) = self.service.events().recv_timeout(Duration::from_millis(5)) {
            if let Event::Registry(registry) = event {
                self.seen.extend(registry.assets().map(|asset| (asset.path.to_string(), asset.state)));
                self.registry = registry;
            }
        }
    }

    fn wait(&mut self, what: &str, mut is_there: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        loop {
            self.pump();
            if is_there(self) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{what} did not come; seen {:?}", self.seen);
        }
    }

    /// Waits for a state to have settled, and says what happened in between.
    fn settle(&mut self) {
        sleep(Duration::from_millis(700));
        self.pump();
    }

    fn saw(&self, state: State) -> bool {
        self.seen.iter().any(|(_, seen)| *seen == state)
    }
}

fn picture(version: u32) -> Vec<u8> {
    let mut picture: Picture = bench::sheet(64, 16);
    for pixel in picture.rgba.chunks_exact_mut(4).take(64) {
        pixel.copy_from_slice(&[version as u8, (version * 7) as u8, 200, 255]);
    }
    encode_png(&picture, false, Effort::Fast)
}

fn in_place(file: &Path, bytes: &[u8]) {
    fs::write(file, bytes).unwrap();
}

fn by_temporary(file: &Path, bytes: &[u8]) {
    let temporary = file.with_extension("png.tmp");
    fs::write(&temporary, bytes).unwrap();
    fs::rename(temporary, file).unwrap();
}

fn by_backup(file: &Path, bytes: &[u8]) {
    let backup = file.with_extension("png~");
    fs::rename(file, &backup).unwrap();
    fs::write(file, bytes).unwrap();
    fs::remove_file(backup).unwrap();
}

fn with_a_gap(file: &Path, bytes: &[u8]) {
    let temporary = file.with_file_name("psd.tmp");
    fs::write(&temporary, bytes).unwrap();
    fs::remove_file(file).unwrap();
    sleep(Duration::from_millis(150));
    fs::rename(temporary, file).unwrap();
}

fn in_two_halves(file: &Path, bytes: &[u8]) {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    fs::write(file, first).unwrap();
    sleep(Duration::from_millis(300));
    File::options().append(true).open(file).unwrap().write_all(second).unwrap();
}

#[test]
fn however_a_program_saves_the_texture_follows_and_nothing_is_ever_missing_or_failed() {
    type Save = fn(&Path, &[u8]);
    let patterns: [(&str, Save); 5] = [
        ("in place", in_place),
        ("temporary and rename", by_temporary),
        ("backup and rename", by_backup),
        ("delete, pause, rename", with_a_gap),
        ("two halves", in_two_halves),
    ];
    let mut running = Running::start();
    let file = running.file("hero.png");
    let mut version = 1;
    for (name, save) in patterns {
        // Twice: some watchers see the first only.
        for _ in 0..2 {
            version += 1;
            running.seen.clear();
            save(&file, &picture(version));
            running.wait(name, |it| it.is_up_to_date("assets/hero.png"));
            assert!(
                !running.saw(State::Missing) && !running.saw(State::Failed),
                "{name}: {:?}",
                running.seen
            );
        }
    }
}

#[test]
fn a_large_image_that_is_half_there_leaves_the_last_texture_until_it_is_whole() {
    let mut running = Running::start();
    let texture = running.project.texture(running.registry.asset("assets/hero.png").unwrap().guid);
    let good = fs::read(&texture).unwrap();
    let mut number = 1_u32;
    let noise = std::iter::repeat_with(|| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 24) as u8
    });
    let rgba = noise.take(1024 * 512 * 4).collect();
    let bytes = encode_png(&Picture { size: Size::new(1024, 512), rgba }, false, Effort::Fast);
    assert!(bytes.len() > 2_000_000, "{} bytes", bytes.len());
    let (first, second) = bytes.split_at(bytes.len() / 2);
    fs::write(running.file("hero.png"), first).unwrap();
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(300) {
        running.pump();
        assert_eq!(fs::read(&texture).unwrap(), good);
    }
    File::options().append(true).open(running.file("hero.png")).unwrap().write_all(second).unwrap();
    running.wait("the whole image", |it| it.is_up_to_date("assets/hero.png"));
    assert!(!running.saw(State::Missing) && !running.saw(State::Failed), "{:?}", running.seen);
}

#[test]
fn an_image_that_is_renamed_into_place_is_imported_once() {
    let mut running = Running::start();
    running.settle();
    running.seen.clear();
    by_temporary(&running.file("hero.png"), &picture(2));
    running.wait("the new picture", |it| it.is_up_to_date("assets/hero.png"));
    running.settle();
    let mut states: Vec<_> = running.seen.iter().map(|(_, state)| *state).collect();
    states.dedup();
    assert!(states.iter().filter(|state| **state == State::Importing).count() <= 1, "{states:?}");
    assert_eq!(states.last(), Some(&State::UpToDate));
}

#[test]
fn a_burst_of_new_and_changed_images_is_followed_to_the_last() {
    let mut running = Running::start();
    for number in 0..150 {
        fs::write(running.file(&format!("sub/{number}.png")), picture(number)).unwrap();
    }
    running.wait("the burst", |it| {
        (0..150).all(|number| it.state(&format!("assets/sub/{number}.png")) == Some(State::UpToDate))
    });
    for number in [0, 77, 149] {
        assert!(running.is_up_to_date(&format!("assets/sub/{number}.png")));
    }
}

#[test]
fn moves_with_and_without_the_sidecar_keep_the_guid() {
    let mut running = Running::start();
    let guid = running.registry.asset("assets/hero.png").unwrap().guid;
    fs::rename(running.file("hero.png"), running.file("sub/moved.png")).unwrap();
    fs::rename(running.file("hero.png.data"), running.file("sub/moved.png.data")).unwrap();
    let is_at = |path: &'static str| {
        move |it: &mut Running| {
            it.registry.assets().len() == 1
                && it
                    .registry
                    .asset(path)
                    .is_some_and(|asset| asset.guid == guid && asset.state == State::UpToDate)
        }
    };
    running.wait("the move with its sidecar", is_at("assets/sub/moved.png"));
    fs::rename(running.file("sub/moved.png"), running.file("alone.png")).unwrap();
    running.wait("the move without", is_at("assets/alone.png"));
    assert!(running.file("alone.png.data").is_file());
}

#[test]
fn folders_that_move_vanish_and_appear_are_followed() {
    let mut running = Running::start();
    fs::write(running.file("sub/a.png"), picture(5)).unwrap();
    running.wait("a new image", |it| it.state("assets/sub/a.png") == Some(State::UpToDate));
    fs::rename(running.file("sub"), running.file("other")).unwrap();
    running.wait("the moved folder", |it| {
        it.state("assets/other/a.png") == Some(State::UpToDate) && it.state("assets/sub/a.png").is_none()
    });
    fs::remove_dir_all(running.file("other")).unwrap();
    running.wait("the deletion", |it| it.state("assets/other/a.png").is_none());
    let outside = tempfile::tempdir_in(running.folder.path()).unwrap();
    fs::create_dir(outside.path().join("ready")).unwrap();
    fs::write(outside.path().join("ready/b.png"), picture(6)).unwrap();
    fs::rename(outside.path().join("ready"), running.file("ready")).unwrap();
    running.wait("the folder from outside", |it| it.state("assets/ready/b.png") == Some(State::UpToDate));
}

#[test]
fn a_broken_or_vanished_image_keeps_its_last_texture_and_comes_back_by_itself() {
    let mut running = Running::start();
    let guid = running.registry.asset("assets/hero.png").unwrap().guid;
    let texture = running.project.texture(guid);
    let good = fs::read(&texture).unwrap();
    let sidecar = fs::read(running.file("hero.png.data")).unwrap();

    let whole = picture(9);
    fs::write(running.file("hero.png"), &whole[..whole.len() / 2]).unwrap();
    running.wait("the failure", |it| it.state("assets/hero.png") == Some(State::Failed));
    let asset = running.registry.asset("assets/hero.png").unwrap().clone();
    assert!(asset.texture.is_some() && !asset.problems.is_empty());
    assert_eq!(fs::read(&texture).unwrap(), good);

    fs::write(running.file("hero.png"), picture(2)).unwrap();
    running.wait("the repair", |it| it.is_up_to_date("assets/hero.png"));

    fs::remove_file(running.file("hero.png")).unwrap();
    running.wait("the loss", |it| it.state("assets/hero.png") == Some(State::Missing));
    assert!(running.registry.asset("assets/hero.png").unwrap().texture.is_some());
    assert_eq!(fs::read(running.file("hero.png.data")).unwrap(), sidecar);
    fs::write(running.file("hero.png"), picture(3)).unwrap();
    running.wait("the return", |it| it.is_up_to_date("assets/hero.png"));
    assert_eq!(running.registry.asset("assets/hero.png").unwrap().guid, guid);
}

#[test]
fn our_own_writes_bring_no_further_imports() {
    let mut running = Running::start();
    running.settle();
    running.seen.clear();
    running.settle();
    assert_eq!(running.seen, [], "an idle project is told nothing");
}
