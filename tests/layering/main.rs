//! Holds the sources against `src/README.md`: levels, who may name what, the list of modules and the problem codes.
//! And every source file says what it is and stays short enough to read.

mod readme;
mod rust;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use cutsheet::model::Code;
use readme::{Readme, quoted};
use rust::{NamedPath, Token};

const MAX_LINES: usize = 600;

/// Who uses a module of its own level. All of them are above the session, where the program is put together.
const SAME_LEVEL: [(&str, &str); 3] = [("app", "dialogs"), ("cli", "app"), ("main", "cli")];

/// Methods of `Path` that ask the file system, and so count as naming `std::fs`.
const FILE_METHODS: [&str; 8] = [
    "canonicalize",
    "exists",
    "is_dir",
    "is_file",
    "read_dir",
    "read_link",
    "symlink_metadata",
    "try_exists",
];

/// A source file of the package.
struct Source {
    /// Relative to the package, with `/`.
    shown: String,
    text: String,
}

impl Source {
    /// Names of the modules from the root down to this file's; none for `src/lib.rs`.
    fn modules(&self) -> Vec<&str> {
        let path = self.shown.trim_start_matches("src/").trim_end_matches(".rs");
        let mut modules: Vec<_> = path.split('/').collect();
        if matches!(modules.last(), Some(&("mod" | "lib"))) {
            modules.pop();
        }
        modules
    }

    /// The module below the root that it is part of.
    fn top(&self) -> &str {
        self.modules().first().copied().unwrap_or("lib")
    }

    /// How the list of modules names it: a folder for its `mod.rs`.
    fn listed_as(&self) -> &str {
        self.shown.trim_start_matches("src/").trim_end_matches("mod.rs")
    }
}

/// All Rust files below these folders of the package, by path.
fn sources(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in folders {
        for entry in walkdir::WalkDir::new(root.join(folder)).follow_links(true).sort_by_file_name() {
            let entry = entry.unwrap_or_else(|why| panic!("{why}"));
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{why}: {}", path.display()));
                let relative = path.strip_prefix(root).unwrap_or(path);
                found.push(Source { shown: relative.to_string_lossy().replace('\\', "/"), text });
            }
        }
    }
    assert!(!found.is_empty(), "no sources below {folders:?}");
    found
}

/// The files that `#[cfg(test)] mod name;` brings in, as the list of modules would name them.
fn test_files(sources: &[Source]) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for source in sources {
        let tokens = rust::tokens(&source.text);
        for name in rust::split_tests(&tokens).test_modules {
            let path: Vec<_> = source.modules().into_iter().chain([name]).collect();
            files.insert(format!("{}.rs", path.join("/")));
        }
    }
    files
}

fn levels(readme: &Readme) -> BTreeMap<&str, u32> {
    let mut levels = BTreeMap::new();
    for row in readme.table("Levels") {
        let level = row[0].parse().unwrap_or_else(|why| panic!("{why}: level {:?} of src/README.md", row[0]));
        for name in quoted(row[1]) {
            levels.insert(name.trim_end_matches('/').trim_end_matches(".rs"), level);
        }
    }
    levels
}

/// The module below the root that a path leads to, seen from a module `depth` deep.
fn target<'a>(path: &NamedPath<'a>, depth: usize) -> Option<&'a str> {
    let segments = &path.segments;
    match segments.first().copied() {
        Some("crate" | "cutsheet") => segments.get(1).copied(),
        Some("super") => {
            let ups = segments.iter().take_while(|segment| **segment == "super").count();
            (ups >= depth).then(|| segments.get(ups).copied()).flatten()
        }
        _ => None,
    }
}

fn assert_none(violations: &[String]) {
    assert!(violations.is_empty(), "{} found:\n{}\n", violations.len(), violations.join("\n"));
}

#[test]
fn a_module_uses_modules_of_lower_levels_only() {
    let readme = Readme::read();
    let levels = levels(&readme);
    let sources = sources(&["src"]);
    let test_files = test_files(&sources);
    let mut violations = Vec::new();
    for source in &sources {
        let (from, depth) = (source.top(), source.modules().len());
        let Some(level) = levels.get(from) else {
            violations.push(format!("{}: `{from}` has no level in src/README.md", source.shown));
            continue;
        };
        let tokens = rust::tokens(&source.text);
        let code = rust::split_tests(&tokens);
        let is_test_file = test_files.contains(source.listed_as());
        let mut check = |tokens: &[Token<'_>], depth, is_test: bool| {
            for path in rust::paths(tokens) {
                let Some(to) = target(&path, depth).filter(|to| *to != from) else { continue };
                // What is not a module is an item of `lib.rs`, which has none, or of this very file.
                let Some(target_level) = levels.get(to) else {
                    let shown = path.segments.join("::");
                    violations.push(format!(
                        "{}:{}: `{shown}` leads to no module with a level",
                        source.shown, path.line
                    ));
                    continue;
                };
                let is_allowed = target_level < level
                    || (target_level == level && (is_test || SAME_LEVEL.contains(&(from, to))));
                if !is_allowed {
                    violations.push(format!(
                        "{}:{}: `{from}` (level {level}) uses `{to}` (level {target_level}); \
                         wire the two one level up, or move what is needed down",
                        source.shown, path.line
                    ));
                }
            }
        };
        check(&code.product, depth, is_test_file);
        // Inline test modules are one deeper.
        check(&code.tests, depth + 1, true);
    }
    assert_none(&violations);
}

#[test]
fn what_only_some_may_name_is_named_by_nobody_else() {
    let readme = Readme::read();
    let rules = readme.table("What only some may name");
    let sources = sources(&["src"]);
    let test_files = test_files(&sources);
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| !test_files.contains(source.listed_as())) {
        let tokens = rust::tokens(&source.text);
        let product = rust::split_tests(&tokens).product;
        let paths = rust::paths(&product);
        for rule in &rules {
            let (words, modules, why) = (quoted(rule[0]), quoted(rule[1]), rule[2]);
            if modules.contains(&source.top()) {
                continue;
            }
            for word in words {
                for path in paths.iter().filter(|path| path.begins_with(word)) {
                    violations.push(format!("{}:{}: names `{word}`: {why}", source.shown, path.line));
                }
                for method in rust::methods(&product) {
                    if word == "std::fs" && FILE_METHODS.contains(&method.text) {
                        violations.push(format!(
                            "{}:{}: calls `{}`: {why}",
                            source.shown, method.line, method.text
                        ));
                    }
                }
            }
        }
    }
    assert_none(&violations);
}

#[test]
fn every_file_says_what_it_is_and_is_short() {
    let mut violations = Vec::new();
    for Source { shown, text } in sources(&["src", "tests", "benches"]) {
        if !text.starts_with("//! ") {
            violations.push(format!("{shown}:1: begins without a `//!` line that says what the file is for"));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            violations.push(format!("{shown}: {lines} lines, over {MAX_LINES}: does it hold one idea?"));
        }
    }
    assert_none(&violations);
}

#[test]
fn the_list_of_modules_is_complete_and_true() {
    let readme = Readme::read();
    let listed = readme.listed_paths("Modules");
    let sources = sources(&["src"]);
    let test_files = test_files(&sources);
    let mut violations = Vec::new();
    let files: BTreeSet<_> = sources.iter().map(Source::listed_as).collect();
    for file in files.iter().filter(|file| !test_files.contains(**file) && !listed.contains(file)) {
        violations.push(format!("src/{file}: not in the list of modules of src/README.md"));
    }
    for path in listed.iter().filter(|path| !files.contains(**path)) {
        violations.push(format!("src/README.md lists `{path}`, which is not there"));
    }
    assert_none(&violations);
}

#[test]
fn the_list_of_problems_is_complete_and_true() {
    let readme = Readme::read();
    let rows = readme.table("Problems");
    let listed: Vec<_> =
        rows.iter().map(|row| format!("{} | {}", row[0].trim_matches('`'), row[1])).collect();
    let codes: Vec<_> =
        Code::ALL.iter().map(|code| format!("{} | {}", code.as_str(), code.severity())).collect();
    let mut violations = Vec::new();
    for code in codes.iter().filter(|code| !listed.contains(code)) {
        violations
            .push(format!("src/model/problem.rs has `{code}`, which the list in src/README.md has not"));
    }
    for row in listed.iter().filter(|row| !codes.contains(row)) {
        violations.push(format!("src/README.md lists `{row}`, which src/model/problem.rs has not"));
    }
    assert_none(&violations);
    assert_eq!(listed, codes, "src/README.md lists the codes in another order than src/model/problem.rs");
}
