//! Names of frames as names of files: whatever a frame is called, its file is in the folder that was asked for, on any
//! system.

use std::collections::HashMap;

/// Bytes of a name without its ending. Systems allow 255 for all of it.
const MOST_BYTES: usize = 120;

/// Names that Windows keeps for devices, with or without an ending.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Names that it keeps with a digit behind them.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// A name that a file can have everywhere, as near to `name` as that goes; `fallback` when nothing of it is left.
///
/// No separators, no control characters, no dots at its ends, no device of Windows, and not too long.
pub(super) fn safe_name(name: &str, fallback: &str) -> String {
    let mut safe: String = name.chars().map(|c| if is_refused(c) { '_' } else { c }).collect();
    let mut end = safe.len().min(MOST_BYTES);
    while !safe.is_char_boundary(end) {
        end -= 1;
    }
    safe.truncate(end);
    let trimmed = safe.trim().trim_end_matches(['.', ' ']);
    // A dot in front hides a file.
    let safe = match trimmed.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None => trimmed.to_owned(),
    };
    if safe.chars().all(|c| c == '_') && !name.chars().all(|c| c == '_') || safe.is_empty() {
        return fallback.to_owned();
    }
    if is_device(&safe) { format!("_{safe}") } else { safe }
}

/// Separators, what systems refuse, and what shows as nothing or turns the text around.
fn is_refused(c: char) -> bool {
    c.is_control()
        || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let is_numbered = || {
        let mut chars = stem.chars();
        let digit = chars.next_back();
        digit.is_some_and(|c| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³'))
            && NUMBERED_DEVICES.iter().any(|device| device.eq_ignore_ascii_case(chars.as_str()))
    };
    DEVICES.iter().any(|device| device.eq_ignore_ascii_case(stem)) || is_numbered()
}

/// Makes names different from each other, also where systems take capitals and small letters for the same.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// Names in small letters, who has them, and the number that is tried next.
    names: HashMap<String, (usize, u64)>,
}

impl Taken {
    /// The name itself while it is free, else with the first free number from 2 behind it, and who has it.
    pub(super) fn take(&mut self, name: String, owner: usize) -> (String, Option<usize>) {
        let key = name.to_lowercase();
        let Some((first, next)) = self.names.get(&key).copied() else {
            self.names.insert(key, (owner, 2));
            return (name, None);
        };
        let mut number = next;
        let mut free = format!("{name}_{number}");
        while self.names.contains_key(&free.to_lowercase()) {
            number += 1;
            free = format!("{name}_{number}");
        }
        self.names.insert(key, (first, number + 1));
        self.names.insert(free.to_lowercase(), (owner, 2));
        (free, Some(first))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_never_leads_out_of_its_folder() {
        for (name, expected) in [
            ("walk_01", "walk_01"),
            ("walk 1.5", "walk 1.5"),
            ("läuft 🏃", "läuft 🏃"),
            ("../../etc/passwd", "_._.._etc_passwd"),
            ("..", "f"),
            (".", "f"),
            ("", "f"),
            ("  ", "f"),
            ("/", "f"),
            ("_", "_"),
            (".hidden", "_hidden"),
            ("C:\\a", "C__a"),
            ("a\u{0}b\nc", "a_b_c"),
            ("exe.\u{202e}gnp", "exe._gnp"),
            ("end. . ", "end"),
            ("con", "_con"),
            ("Nul.walk", "_Nul.walk"),
            ("COM1", "_COM1"),
            ("lpt²", "_lpt²"),
            ("COM", "COM"),
            ("COM10", "COM10"),
            ("console", "console"),
        ] {
            assert_eq!(safe_name(name, "f"), expected, "{name:?}");
        }
        let long = "é".repeat(500);
        assert_eq!(safe_name(&long, "f"), "é".repeat(60));
    }

    #[test]
    fn names_that_are_taken_get_numbers_that_are_free() {
        let mut taken = Taken::default();
        let mut take = |name: &str, owner| taken.take(name.to_owned(), owner);
        assert_eq!(take("walk", 0), ("walk".to_owned(), None));
        assert_eq!(take("walk_2", 1), ("walk_2".to_owned(), None));
        assert_eq!(take("Walk", 2), ("Walk_3".to_owned(), Some(0)));
        assert_eq!(take("walk", 3), ("walk_4".to_owned(), Some(0)));
        assert_eq!(take("walk_3", 4), ("walk_3_2".to_owned(), Some(2)));
    }

    proptest! {
        #[test]
        fn any_names_become_different_plain_ones(names in prop::collection::vec(any::<String>(), 0..20)) {
            let mut taken = Taken::default();
            let mut seen = std::collections::HashSet::new();
            for (index, name) in names.iter().enumerate() {
                let (safe, _) = taken.take(safe_name(name, "frame"), index);
                let path = std::path::Path::new(&safe);
                prop_assert_eq!(path.components().count(), 1);
                prop_assert_eq!(path.file_name().and_then(|name| name.to_str()), Some(&*safe));
                prop_assert!(!safe.starts_with('.') && !safe.ends_with('.') && safe.len() < 200);
                prop_assert!(seen.insert(safe.to_lowercase()));
            }
        }
    }
}
