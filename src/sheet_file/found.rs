//! Problems as they are found: those that the sheet asks not to be told are left out, and of one kind there are only so
//! many before it is said how many more.

use std::collections::BTreeMap;

use crate::model::problem::quoted;
use crate::model::{Code, Frame, Problem, Sheet};
use crate::slicing::findings::MOST_LISTED;

/// Collects the problems of one sheet.
pub(super) struct Found<'a> {
    sheet: &'a Sheet,
    path: &'a str,
    problems: Vec<Problem>,
    counts: BTreeMap<Code, usize>,
}

impl<'a> Found<'a> {
    pub(super) fn new(sheet: &'a Sheet, path: &'a str) -> Self {
        Self { sheet, path, problems: Vec::new(), counts: BTreeMap::new() }
    }

    /// Adds one, of the frame at `frame` unless it is of the sheet as a whole.
    pub(super) fn add(&mut self, code: Code, frame: Option<usize>, text: impl FnOnce() -> String) {
        if !self.sheet.heeds(code) {
            return;
        }
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count > MOST_LISTED {
            return;
        }
        let problem = Problem::new(code, self.path, text());
        self.problems.push(match frame {
            Some(index) => problem.at_frame(index),
            None => problem,
        });
    }

    /// Says that there are more than were added.
    pub(super) fn add_uncounted(&mut self, code: Code, more: usize) {
        if more > 0 && self.sheet.heeds(code) {
            let count = self.counts.entry(code).or_default();
            *count = more + (*count).max(MOST_LISTED);
        }
    }

    pub(super) fn finish(self) -> Vec<Problem> {
        let Self { path, mut problems, counts, .. } = self;
        for (code, count) in counts {
            let more = count.saturating_sub(MOST_LISTED);
            if more > 0 {
                let text =
                    format!("There are {more} more {}: mend those that are listed first", code.words());
                problems.push(Problem::new(code, path, text));
            }
        }
        problems
    }
}

/// "The frame", or with its name.
pub(super) fn this_frame(frame: &Frame) -> String {
    if frame.name.is_empty() { "The frame".to_owned() } else { format!("The frame {}", quoted(&frame.name)) }
}

/// "frame 12", or with its name behind it.
pub(super) fn other_frame(index: usize, frame: &Frame) -> String {
    if frame.name.is_empty() {
        format!("frame {index}")
    } else {
        format!("frame {index} {}", quoted(&frame.name))
    }
}
