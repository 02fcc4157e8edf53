//! The lines of the list: problems by severity, then sheet, then kind; several of one kind under a line of their own.

use std::collections::HashSet;
use std::sync::Arc;

use crate::model::{Code, Problem};

/// A kind of problems of one sheet.
pub(super) type Kind = (Arc<str>, Code);

/// A line of the list.
#[derive(Debug)]
pub(super) enum Line<'a> {
    /// Several problems of one kind and sheet, at least two; whether they follow.
    Group(&'a [&'a Problem], bool),
    /// One of a group.
    Member(&'a Problem),
    /// One alone.
    Single(&'a Problem),
    /// Kinds that a sheet does not want to be told.
    Ignored(&'a Arc<str>, &'a [Code]),
}

impl<'a> Line<'a> {
    /// The problem of a line that has just one.
    pub(super) const fn problem(&self) -> Option<&'a Problem> {
        match self {
            Self::Member(problem) | Self::Single(problem) => Some(problem),
            Self::Group(..) | Self::Ignored(..) => None,
        }
    }
}

/// Brings problems into the order of the list.
pub(super) fn sort(problems: &mut [&Problem]) {
    problems.sort_by(|a, b| {
        let of_frame = |problem: &Problem| (problem.frame.is_none(), problem.frame);
        let kind = |problem: &Problem| (problem.severity, problem.code);
        a.severity
            .cmp(&b.severity)
            .then_with(|| a.path.cmp(&b.path))
            .then(kind(a).cmp(&kind(b)))
            .then(of_frame(a).cmp(&of_frame(b)))
    });
}

/// The lines of sorted problems.
pub(super) fn lines<'a>(problems: &'a [&'a Problem], folded: &HashSet<Kind>) -> Vec<Line<'a>> {
    let mut lines = Vec::with_capacity(problems.len());
    for group in problems.chunk_by(|a, b| (&a.path, a.code) == (&b.path, b.code)) {
        match group {
            [] => {}
            [one] => lines.push(Line::Single(one)),
            [first, ..] => {
                let is_open = !folded.contains(&(first.path.clone(), first.code));
                lines.push(Line::Group(group, is_open));
                if is_open {
                    lines.extend(group.iter().map(|problem| Line::Member(problem)));
                }
            }
        }
    }
    lines
}

/// "3 overlapping frames"; of more than are listed, "More than 200 overlapping frames".
pub(super) fn group_words(group: &[&Problem], code: Code) -> String {
    let listed = group.iter().filter(|problem| problem.frame.is_some()).count();
    match (listed, group.len()) {
        // None is of a frame.
        (0, count) => format!("{count} {}", code.words()),
        (listed, count) if listed < count => format!("More than {listed} {}", code.words()),
        (listed, _) => format!("{listed} {}", code.words()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(code: Code, path: &str, frame: Option<usize>) -> Problem {
        let problem = Problem::new(code, path, "");
        frame.map_or(problem.clone(), |frame| problem.at_frame(frame))
    }

    fn shown(lines: &[Line<'_>]) -> Vec<String> {
        let one = |problem: &Problem| {
            let frame = problem.frame.map(|frame| format!(" {frame}")).unwrap_or_default();
            format!("{} {}{frame}", problem.path, problem.code.as_str())
        };
        let shown = |line: &Line<'_>| match line {
            Line::Group(group, is_open) => {
                format!("{} {}: {is_open}", group[0].path, group_words(group, group[0].code))
            }
            Line::Member(problem) => format!("- {}", one(problem)),
            Line::Single(problem) => one(problem),
            Line::Ignored(..) => String::new(),
        };
        lines.iter().map(shown).collect()
    }

    #[test]
    fn several_of_a_kind_are_under_one_line_and_can_be_folded() {
        let all = [
            problem(Code::FrameEmpty, "b.png", None),
            problem(Code::FrameEmpty, "b.png", Some(7)),
            problem(Code::FrameOverlap, "a.png", Some(1)),
            problem(Code::FrameEmpty, "b.png", Some(2)),
            problem(Code::NameDuplicate, "b.png", Some(4)),
            problem(Code::Unreadable, "c.png", None),
            problem(Code::NameDuplicate, "b.png", Some(3)),
        ];
        let mut problems: Vec<&Problem> = all.iter().collect();
        sort(&mut problems);
        let folded = HashSet::from([(Arc::from("b.png"), Code::NameDuplicate)]);
        assert_eq!(
            shown(&lines(&problems, &folded)),
            [
                "c.png unreadable",
                "b.png 2 names in use twice: false",
                "a.png frame-overlap 1",
                "b.png More than 2 empty frames: true",
                "- b.png frame-empty 2",
                "- b.png frame-empty 7",
                "- b.png frame-empty",
            ]
        );
    }
}
