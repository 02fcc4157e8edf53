//! The rows of the browser's list: folders, sheets and unfolded frames, in the order in which they are shown.
//!
//! Rows are made of paths, folds and the filter alone, and made anew only when one of these changed, so that a list
//! of ten thousand sheets costs a frame of the window no more than the rows in sight.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use crate::model::files::FileKind;
use crate::session::Move;
use crate::ui::moved;

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A folder.
    Folder,
    /// A sheet.
    Sheet,
    /// A scene.
    Scene,
    /// A frame of the sheet, by its position.
    Frame(usize),
}

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// The folder, the sheet, or the sheet that the frame is of.
    pub(super) path: Arc<str>,
    /// What it shows.
    pub(super) kind: Kind,
    /// Folders around it.
    pub(super) depth: u16,
    /// Whether what is in it is listed under it.
    pub(super) is_open: bool,
}

impl Row {
    /// The last part of its path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// What stays the same when rows come and go.
    pub(super) fn identity(&self) -> (&Arc<str>, Kind) {
        (&self.path, self.kind)
    }
}

/// What is folded: folders are open until they are closed, sheets closed until they are opened.
#[derive(Debug, Default)]
pub(super) struct Folds {
    closed_folders: HashSet<Arc<str>>,
    open_sheets: HashSet<Arc<str>>,
    version: u64,
}

impl Folds {
    /// Opens or closes a folder or a sheet.
    pub(super) fn set_open(&mut self, path: &Arc<str>, kind: Kind, is_open: bool) {
        let changed = match (kind, is_open) {
            (Kind::Folder, true) => self.closed_folders.remove(path),
            (Kind::Folder, false) => self.closed_folders.insert(path.clone()),
            (_, true) => self.open_sheets.insert(path.clone()),
            (_, false) => self.open_sheets.remove(path),
        };
        self.version += u64::from(changed);
    }

    /// What is folded follows the files that were moved.
    pub(super) fn files_moved(&mut self, moves: &[Move]) {
        for set in [&mut self.closed_folders, &mut self.open_sheets] {
            let paths = std::mem::take(set);
            set.extend(paths.into_iter().map(|mut path| {
                moved::follow(moves, &mut path);
                path
            }));
        }
        self.version += 1;
    }

    /// Another number after every change.
    pub(super) fn version(&self) -> u64 {
        self.version
    }
}

/// The words of a filter; a sheet is shown when its path has all of them, in any case.
#[derive(Debug, Default)]
pub(super) struct Filter(Vec<String>);

impl Filter {
    /// The words of a text.
    pub(super) fn of(text: &str) -> Self {
        Self(text.to_lowercase().split_whitespace().map(str::to_owned).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn accepts(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        self.0.iter().all(|word| path.contains(word))
    }
}

/// The rows of the sheets and scenes at `paths`, which are in the order of their bytes; with a `/` at its end a path is
/// that of a folder, which may be empty. Paths are shown, and filtered, without
/// `root`. While a filter is on, all folders are open. `frames_of` gives a sheet's number of frames.
pub(super) fn rows(
    paths: &[Arc<str>],
    root: &str,
    folds: &Folds,
    filter: &Filter,
    frames_of: impl Fn(&str) -> usize,
) -> Vec<Row> {
    let shown =
        |path: &&Arc<str>| filter.is_empty() || filter.accepts(path.strip_prefix(root).unwrap_or(path));
    let paths: Vec<&Arc<str>> = paths.iter().filter(shown).collect();
    let start = if paths.iter().all(|path| path.starts_with(root)) { root.len() } else { 0 };
    let mut builder = Builder {
        rows: Vec::with_capacity(paths.len()),
        folds,
        ignores_folds: !filter.is_empty(),
        frames_of,
    };
    builder.add_folder(&paths, start, 0);
    builder.rows
}

struct Builder<'a, F> {
    rows: Vec<Row>,
    folds: &'a Folds,
    ignores_folds: bool,
    frames_of: F,
}

impl<F: Fn(&str) -> usize> Builder<'_, F> {
    /// Adds what is in a folder: `paths` all begin with the same `start` bytes.
    fn add_folder(&mut self, mut paths: &[&Arc<str>], start: usize, depth: u16) {
        let mut folders = Vec::new();
        let mut sheets = Vec::new();
        while let Some((first, rest)) = paths.split_first() {
            let Some(length) = first[start..].find('/') else {
                // A folder itself has no more than its name.
                sheets.extend((first.len() > start).then_some(*first));
                paths = rest;
                continue;
            };
            // In the order of bytes, what is in a folder is not parted by anything.
            let folder = &first[..=start + length];
            let (inside, after) = paths.split_at(paths.partition_point(|path| path.starts_with(folder)));
            folders.push((folder, inside));
            paths = after;
        }
        folders.sort_by(|(a, _), (b, _)| natural_order(a, b));
        sheets.sort_by(|a, b| natural_order(a, b));
        for (folder, inside) in folders {
            let path: Arc<str> = folder.trim_end_matches('/').into();
            let is_open = self.ignores_folds || !self.folds.closed_folders.contains(&path);
            self.rows.push(Row { path, kind: Kind::Folder, depth, is_open });
            if is_open {
                self.add_folder(inside, folder.len(), depth.saturating_add(1));
            }
        }
        for sheet in sheets {
            self.add_sheet(sheet, depth);
        }
    }

    fn add_sheet(&mut self, path: &Arc<str>, depth: u16) {
        if FileKind::of_name(path).is_some() {
            self.rows.push(Row { path: path.clone(), kind: Kind::Scene, depth, is_open: false });
            return;
        }
        let frames = if self.folds.open_sheets.contains(path) { (self.frames_of)(path) } else { 0 };
        self.rows.push(Row { path: path.clone(), kind: Kind::Sheet, depth, is_open: frames > 0 });
        let frame =
            |index| Row { path: path.clone(), kind: Kind::Frame(index), depth: depth + 1, is_open: false };
        self.rows.extend((0..frames).map(frame));
    }
}

/// As people sort: "walk 9" before "walk 10", and capitals among the others.
fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    while let (Some(x), Some(y)) = (left.chars().next(), right.chars().next()) {
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (number, other) = (take_number(&mut left), take_number(&mut right));
            number.len().cmp(&other.len()).then_with(|| number.cmp(other))
        } else {
            left = &left[x.len_utf8()..];
            right = &right[y.len_utf8()..];
            x.to_lowercase().cmp(y.to_lowercase())
        };
        if order.is_ne() {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// Takes the digits from the start of a text, without leading zeros.
fn take_number<'a>(text: &mut &'a str) -> &'a str {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    *text = rest;
    digits.trim_start_matches('0')
}

/// Where a key moves the cursor in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// By that many rows.
    By(isize),
    /// To the folder or the sheet that a row is in.
    Parent,
    /// To the first thing in it.
    Child,
}

/// The row after a step from the one at `from`; the first one when there is no cursor.
pub(super) fn step(rows: &[Row], from: Option<usize>, step: Step) -> Option<usize> {
    let last = rows.len().checked_sub(1)?;
    let Some(from) = from else { return Some(0) };
    match step {
        Step::By(by) => Some(from.saturating_add_signed(by).min(last)),
        Step::Parent => rows[..from].iter().rposition(|row| row.depth < rows[from].depth),
        Step::Child => (from < last && rows[from + 1].depth > rows[from].depth).then_some(from + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_FRAMES: fn(&str) -> usize = |_| 0;

    fn paths(paths: &[&str]) -> Vec<Arc<str>> {
        let mut paths: Vec<Arc<str>> = paths.iter().map(|path| Arc::from(*path)).collect();
        paths.sort();
        paths
    }

    fn project() -> Vec<Arc<str>> {
        paths(&[
            "assets/player.png",
            "assets/enemies/bat.png",
            "assets/enemies/deep/Slug.png",
            "assets/enemies-old.png",
            "assets/enemies.png",
        ])
    }

    /// Rows as lines: two spaces a level, `/` after folders, `#` before frames.
    fn drawn(rows: &[Row]) -> Vec<String> {
        let line = |row: &Row| {
            let indent = "  ".repeat(usize::from(row.depth));
            match row.kind {
                Kind::Folder => format!("{indent}{}/", row.name()),
                Kind::Sheet | Kind::Scene => format!("{indent}{}", row.name()),
                Kind::Frame(index) => format!("{indent}#{index}"),
            }
        };
        rows.iter().map(line).collect()
    }

    #[test]
    fn folders_come_first_and_the_root_is_left_out() {
        let rows = rows(&project(), "assets/", &Folds::default(), &Filter::default(), NO_FRAMES);
        let expected = [
            "enemies/",
            "  deep/",
            "    Slug.png",
            "  bat.png",
            "enemies-old.png",
            "enemies.png",
            "player.png",
        ];
        assert_eq!(drawn(&rows), expected);
        assert_eq!(&*rows[1].path, "assets/enemies/deep");
    }

    #[test]
    fn a_folder_without_sheets_is_listed_too() {
        let mut with_folders =
            paths(&["assets/enemies/", "assets/new/", "assets/enemies/new/", "assets/new.png"]);
        with_folders.extend(project());
        with_folders.sort();
        let rows = rows(&with_folders, "assets/", &Folds::default(), &Filter::default(), NO_FRAMES);
        let folders: Vec<_> =
            rows.iter().filter(|row| row.kind == Kind::Folder).map(|row| &*row.path).collect();
        assert_eq!(folders, ["assets/enemies", "assets/enemies/deep", "assets/enemies/new", "assets/new"]);
        assert_eq!(rows.iter().filter(|row| row.kind == Kind::Sheet).count(), 6);
    }

    #[test]
    fn a_closed_folder_hides_what_is_in_it_and_an_opened_sheet_lists_its_frames() {
        let mut folds = Folds::default();
        folds.set_open(&"assets/enemies".into(), Kind::Folder, false);
        folds.set_open(&"assets/player.png".into(), Kind::Sheet, true);
        let rows = rows(&project(), "assets/", &folds, &Filter::default(), |_| 2);
        assert_eq!(
            drawn(&rows),
            ["enemies/", "enemies-old.png", "enemies.png", "player.png", "  #0", "  #1"]
        );
        assert!(rows[3].is_open && !rows[0].is_open);
    }

    #[test]
    fn a_filter_matches_any_part_of_the_path_and_opens_the_folders_of_its_hits() {
        let mut folds = Folds::default();
        folds.set_open(&"assets/enemies".into(), Kind::Folder, false);
        let found = |text: &str| drawn(&rows(&project(), "assets/", &folds, &Filter::of(text), NO_FRAMES));
        assert_eq!(found("slug"), ["enemies/", "  deep/", "    Slug.png"]);
        assert_eq!(found("ENEM bat"), ["enemies/", "  bat.png"]);
        assert!(found("assets").is_empty(), "the root is not shown, so it is not searched");
        assert!(found("owl").is_empty());
    }

    #[test]
    fn paths_outside_the_root_are_shown_whole() {
        let mixed = paths(&["assets/a.png", "b.png"]);
        let rows = rows(&mixed, "assets/", &Folds::default(), &Filter::default(), NO_FRAMES);
        assert_eq!(drawn(&rows), ["assets/", "  a.png", "b.png"]);
    }

    #[test]
    fn numbers_in_names_are_ordered_as_numbers_and_case_does_not_matter() {
        let mut names = ["walk10.png", "Walk9.png", "walk2.png", "idle.png", "walk02.png"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["idle.png", "walk02.png", "walk2.png", "Walk9.png", "walk10.png"]);
    }

    #[test]
    fn folds_count_only_what_changes_them() {
        let mut folds = Folds::default();
        let folder: Arc<str> = "a".into();
        folds.set_open(&folder, Kind::Folder, true);
        assert_eq!(folds.version(), 0);
        folds.set_open(&folder, Kind::Folder, false);
        folds.set_open(&folder, Kind::Folder, false);
        assert_eq!(folds.version(), 1);
    }

    #[test]
    fn the_cursor_stays_in_the_list_and_finds_parents_and_children() {
        let rows = rows(&project(), "assets/", &Folds::default(), &Filter::default(), NO_FRAMES);
        assert_eq!(step(&rows, None, Step::By(1)), Some(0));
        assert_eq!(step(&rows, Some(0), Step::By(-1)), Some(0));
        assert_eq!(step(&rows, Some(5), Step::By(9)), Some(6));
        assert_eq!(step(&rows, Some(3), Step::Parent), Some(0), "bat.png is in enemies, not in deep");
        assert_eq!(step(&rows, Some(6), Step::Parent), None);
        assert_eq!(step(&rows, Some(0), Step::Child), Some(1));
        assert_eq!(step(&rows, Some(2), Step::Child), None);
        assert_eq!(step(&[], None, Step::By(1)), None);
    }

    #[test]
    fn ten_thousand_sheets_are_listed_in_a_moment() {
        let many: Vec<_> =
            (0..10_000).map(|n| format!("assets/{}/{}/sheet {n}.png", n % 10, n % 97)).collect();
        let many = paths(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let started = std::time::Instant::now();
        let rows = rows(&many, "assets/", &Folds::default(), &Filter::of("sheet"), NO_FRAMES);
        assert_eq!(rows.iter().filter(|row| row.kind == Kind::Sheet).count(), 10_000);
        // The bound leaves room for a busy machine; it takes some milliseconds.
        assert!(started.elapsed().as_millis() < 500, "{:?}", started.elapsed());
    }
}
