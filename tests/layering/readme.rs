//! The tables and the list of `src/README.md`, which the sources are held against.

use std::fs;
use std::path::Path;

/// The text of `src/README.md`, by sections.
pub(crate) struct Readme {
    text: String,
}

impl Readme {
    /// Reads it.
    pub(crate) fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/README.md");
        let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{why}: {}", path.display()));
        Self { text }
    }

    fn section(&self, heading: &str) -> impl Iterator<Item = &str> {
        let heading = format!("## {heading}");
        let lines = self.text.lines().skip_while(move |line| *line != heading).skip(1);
        lines.take_while(|line| !line.starts_with("## "))
    }

    /// The rows of a section's table, without its head.
    pub(crate) fn table(&self, heading: &str) -> Vec<Vec<&str>> {
        let lines = self.section(heading).filter_map(|line| line.trim().strip_prefix('|')?.strip_suffix('|'));
        let rows: Vec<Vec<&str>> = lines.skip(2).map(|row| row.split('|').map(str::trim).collect()).collect();
        assert!(!rows.is_empty(), "src/README.md has no table under \"## {heading}\"");
        rows
    }

    /// The paths at the head of a section's list items.
    pub(crate) fn listed_paths(&self, heading: &str) -> Vec<&str> {
        self.section(heading).filter_map(|line| quoted(line.strip_prefix("- ")?).first().copied()).collect()
    }
}

/// The words in backticks.
pub(crate) fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}
