//! What a batch of frames will be called: planned in full before anything is renamed, so that a preview shows it.

use std::collections::HashMap;

use super::pattern::{Context, MOST_DIGITS, Pattern, push_number};

/// A frame that is to be renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selected<'a> {
    /// Which one of the sheet's frames it is.
    pub index: usize,
    /// Its name so far, often empty.
    pub name: &'a str,
    /// Row in which it lies, from 0, see [`super::divide::visual_rows`].
    pub row: u32,
    /// Place in that row, from 0.
    pub column: u32,
}

impl<'a> Selected<'a> {
    /// A frame whose place is not known: in row and column 0.
    pub const fn new(index: usize, name: &'a str) -> Self {
        Self { index, name, row: 0, column: 0 }
    }
}

/// How the number runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbering {
    /// Number of the first frame.
    pub start: u32,
    /// From one frame to the next; 0 counts as 1.
    pub step: u32,
}

impl Numbering {
    /// The number of the frame at that position.
    pub(super) fn number(self, position: usize) -> u64 {
        u64::from(self.start) + position as u64 * u64::from(self.step.max(1))
    }
}

impl Default for Numbering {
    fn default() -> Self {
        Self { start: 0, step: 1 }
    }
}

/// One frame's old and new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameEntry {
    /// Which one of the sheet's frames it is.
    pub index: usize,
    /// Its name so far.
    pub old: String,
    /// Its name to be.
    pub new: String,
    /// Another frame that has that name, or would get it too. No name at all is nobody's.
    pub collides_with: Option<usize>,
}

/// A pattern and a first number with which nothing collides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameSuggestion {
    /// The pattern, as to be typed; often the same.
    pub pattern: String,
    /// The first number; often the same.
    pub start: u32,
}

/// What a batch of frames will be called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenamePlan {
    /// In the order in which the frames were selected.
    pub entries: Vec<RenameEntry>,
    /// What to do about collisions, when there are any and there is something.
    pub suggestion: Option<RenameSuggestion>,
}

impl RenamePlan {
    /// How many names collide.
    pub fn collisions(&self) -> usize {
        self.entries.iter().filter(|entry| entry.collides_with.is_some()).count()
    }
}

/// Plans the names of the selected frames, in their order. `all_names` are the names of all frames of the sheet by
/// index; the old names of the selected are free for the others. `sheet` is what `{sheet}` stands for.
pub fn rename_plan(
    selected: &[Selected<'_>],
    all_names: &[impl AsRef<str>],
    pattern: &Pattern,
    numbering: Numbering,
    sheet: &str,
) -> RenamePlan {
    let mut is_selected = vec![false; all_names.len()];
    for frame in selected {
        if let Some(mark) = is_selected.get_mut(frame.index) {
            *mark = true;
        }
    }
    let others = all_names.iter().map(AsRef::as_ref).enumerate();
    let taken: HashMap<&str, usize> = others
        .filter(|(index, name)| !is_selected[*index] && !name.is_empty())
        .map(|(index, name)| (name, index))
        .collect();
    let batch = Batch { selected, taken, sheet };
    let entries = batch.entries(pattern, numbering);
    let has_collisions = entries.iter().any(|entry| entry.collides_with.is_some());
    let suggestion = has_collisions.then(|| batch.suggestion(pattern, numbering)).flatten();
    RenamePlan { entries, suggestion }
}

struct Batch<'a> {
    selected: &'a [Selected<'a>],
    /// Names of the frames that are not selected, and which have them.
    taken: HashMap<&'a str, usize>,
    sheet: &'a str,
}

impl Batch<'_> {
    fn context<'a>(&'a self, position: usize, frame: &Selected<'a>, numbering: Numbering) -> Context<'a> {
        Context {
            n: numbering.number(position),
            sheet: self.sheet,
            old_name: frame.name,
            row: frame.row,
            column: frame.column,
        }
    }

    fn entries(&self, pattern: &Pattern, numbering: Numbering) -> Vec<RenameEntry> {
        let frames = self.selected.iter().enumerate();
        let names: Vec<_> =
            frames.map(|(i, frame)| pattern.name(&self.context(i, frame, numbering))).collect();
        // The first two frames that get a name: each is the other's collision, and the first is everybody else's.
        let mut users: HashMap<&str, (usize, Option<usize>)> = HashMap::with_capacity(names.len());
        for (name, frame) in names.iter().zip(self.selected) {
            users
                .entry(name)
                .and_modify(|(_, second)| *second = second.or(Some(frame.index)))
                .or_insert((frame.index, None));
        }
        let collision = |name: &str, index: usize| {
            if name.is_empty() {
                return None;
            }
            let in_batch = || {
                let (first, second) = *users.get(name)?;
                if first == index { second } else { Some(first) }
            };
            self.taken.get(name).copied().or_else(in_batch)
        };
        let collisions: Vec<_> =
            names.iter().zip(self.selected).map(|(name, frame)| collision(name, frame.index)).collect();
        let parts = self.selected.iter().zip(names).zip(collisions);
        parts
            .map(|((frame, new), collides_with)| RenameEntry {
                index: frame.index,
                old: frame.name.to_owned(),
                new,
                collides_with,
            })
            .collect()
    }

    /// A number behind a pattern that has none, a start behind the numbers that are taken, or both; the first that
    /// makes all names free.
    fn suggestion(&self, pattern: &Pattern, numbering: Numbering) -> Option<RenameSuggestion> {
        let numbered = if pattern.has_number() {
            pattern.clone()
        } else {
            let last = numbering.number(self.selected.len().saturating_sub(1));
            Pattern::parse(&format!("{}_{{n:0{}}}", pattern.text(), digits_for(last))).ok()?
        };
        let behind = self.start_behind(&numbered, numbering).map(|start| Numbering { start, ..numbering });
        let is_free = |numbering: &Numbering| {
            self.entries(&numbered, *numbering).iter().all(|entry| entry.collides_with.is_none())
        };
        let start = [Some(numbering), behind].into_iter().flatten().find(is_free)?.start;
        Some(RenameSuggestion { pattern: numbered.text().to_owned(), start })
    }

    /// The number after the largest that a frame outside the batch has in a name of that pattern.
    fn start_behind(&self, pattern: &Pattern, numbering: Numbering) -> Option<u32> {
        let first = self.selected.first()?;
        let context = self.context(0, first, numbering);
        let numbers = self.taken.keys().filter_map(|name| pattern.number_in(name, &context));
        u32::try_from(numbers.max()?.checked_add(1)?).ok()
    }
}

/// How many digits numbers up to the last one get: two, or as many as needed.
fn digits_for(last: u64) -> usize {
    last.to_string().len().clamp(2, MOST_DIGITS)
}

/// Names for rows of frames, a name for each row: `idle_00`, `idle_01`, … Two digits, or as many as the row needs.
/// Rows with the same name are numbered on; a row with an empty name, or none, is left alone.
pub fn row_pattern_names(rows: &[Vec<usize>], names: &[&str]) -> Vec<(usize, String)> {
    let named: Vec<_> = rows
        .iter()
        .zip(names)
        .map(|(row, name)| (row, name.trim()))
        .filter(|(_, name)| !name.is_empty())
        .collect();
    // Frames of a name, and how many of them have got theirs.
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for (row, name) in &named {
        counts.entry(name).or_default().0 += row.len();
    }
    let mut new_names = Vec::new();
    for (row, name) in named {
        let (all, done) = counts.entry(name).or_default();
        for frame in row {
            let mut new = format!("{name}_");
            push_number(&mut new, *done as u64, digits_for(*all as u64 - 1));
            new_names.push((*frame, new));
            *done += 1;
        }
    }
    new_names
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plan(names: &[&str], selected: &[usize], pattern: &str, numbering: Numbering) -> RenamePlan {
        let selected: Vec<_> = selected.iter().map(|index| Selected::new(*index, names[*index])).collect();
        rename_plan(&selected, names, &Pattern::parse(pattern).unwrap(), numbering, "hero")
    }

    fn new_names(plan: &RenamePlan) -> Vec<&str> {
        plan.entries.iter().map(|entry| entry.new.as_str()).collect()
    }

    fn collisions(plan: &RenamePlan) -> Vec<Option<usize>> {
        plan.entries.iter().map(|entry| entry.collides_with).collect()
    }

    fn suggested(plan: &RenamePlan) -> Option<(&str, u32)> {
        plan.suggestion.as_ref().map(|suggestion| (suggestion.pattern.as_str(), suggestion.start))
    }

    #[test]
    fn names_count_in_the_order_of_the_selection() {
        let names = ["a", "", "c", "d"];
        let plan = plan(&names, &[2, 0], "walk_{n:02}", Numbering { start: 8, step: 4 });
        assert_eq!(new_names(&plan), ["walk_08", "walk_12"]);
        assert_eq!((plan.entries[0].index, plan.entries[0].old.as_str()), (2, "c"));
        assert_eq!((plan.collisions(), &plan.suggestion), (0, &None));
    }

    #[test]
    fn old_names_of_the_selection_are_free_also_to_be_swapped() {
        let names = ["walk_01", "walk_00", ""];
        let plan = plan(&names, &[0, 1], "walk_{n:02}", Numbering::default());
        assert_eq!(new_names(&plan), ["walk_00", "walk_01"]);
        assert_eq!(collisions(&plan), [None, None]);
    }

    #[test]
    fn a_pattern_without_a_number_collides_with_itself_and_gets_one() {
        let plan = plan(&["", "", ""], &[0, 1, 2], "walk", Numbering::default());
        assert_eq!(collisions(&plan), [Some(1), Some(0), Some(0)]);
        assert_eq!(suggested(&plan), Some(("walk_{n:02}", 0)));
    }

    #[test]
    fn taken_numbers_lead_to_a_higher_start() {
        let names = ["walk_00", "walk_05", "walk_x", "", "", "", "", ""];
        let before = plan(&names, &[3, 4, 5], "walk_{n:02}", Numbering::default());
        assert_eq!(collisions(&before), [Some(0), None, None]);
        assert_eq!(suggested(&before), Some(("walk_{n:02}", 6)));
        let without = plan(&["walk", "walk_00", ""], &[2], "walk", Numbering::default());
        assert_eq!(collisions(&without), [Some(0)]);
        assert_eq!(suggested(&without), Some(("walk_{n:02}", 1)));
    }

    #[test]
    fn a_step_of_none_counts_as_one_and_no_name_is_nobody_s() {
        let stepless = plan(&["", ""], &[0, 1], "{n}", Numbering { start: 3, step: 0 });
        assert_eq!(new_names(&stepless), ["3", "4"]);
        let nameless = plan(&["", "", ""], &[0, 1], "{name}", Numbering::default());
        assert_eq!(collisions(&nameless), [None, None]);
    }

    #[test]
    fn rows_are_numbered_each_by_itself() {
        let rows = [vec![4, 5], vec![0, 1], vec![2], vec![3]];
        let names = row_pattern_names(&rows, &["idle", " ", "walk"]);
        let names: Vec<_> = names.iter().map(|(index, name)| (*index, name.as_str())).collect();
        assert_eq!(names, [(4, "idle_00"), (5, "idle_01"), (2, "walk_00")]);
        let again = row_pattern_names(&[vec![0], vec![1]], &["a{n}", "a{n}"]);
        assert_eq!(again, [(0, "a{n}_00".to_owned()), (1, "a{n}_01".to_owned())]);
        let many = row_pattern_names(&[(0..101).collect()], &["run"]);
        assert_eq!((many[7].1.as_str(), many[100].1.as_str()), ("run_007", "run_100"));
        assert_eq!(row_pattern_names(&[(0..100).collect()], &["run"])[7].1, "run_07");
    }

    proptest! {
        #[test]
        fn a_suggestion_leaves_no_collision(
            names in prop::collection::vec("|(walk|a)(_0?[0-9]{1,2})?", 1..9),
            chosen in prop::collection::btree_set(0..9_usize, 1..9),
            pattern in prop::sample::select(vec!["walk", "walk_{n:02}", "a_{n}", "{name}", "{name}_{n}", "{n}{n}"]),
            start in 0..12_u32, step in 0..3_u32,
        ) {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            let chosen: Vec<_> = chosen.into_iter().filter(|index| *index < names.len()).collect();
            let before = plan(&names, &chosen, pattern, Numbering { start, step });
            if let Some(RenameSuggestion { pattern, start }) = &before.suggestion {
                prop_assert!(before.collisions() > 0);
                prop_assert_eq!(plan(&names, &chosen, pattern, Numbering { start: *start, step }).collisions(), 0);
            }
        }
    }
}
