//! Patterns for names: what `{sheet}_{n:02}` means, and what is wrong with one in words for whoever types it.

use std::fmt::Write as _;

/// The pattern that names are made by unless another is typed.
pub const DEFAULT_PATTERN: &str = "{sheet}_{n:02}";
/// The most digits a number is filled up to.
pub(super) const MOST_DIGITS: usize = 9;
/// Endings that image files have.
const IMAGE_EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "tga"];

/// What the placeholders of a pattern stand for in one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Context<'a> {
    /// `{n}`, the running number.
    pub n: u64,
    /// `{sheet}`, the name of the sheet, see [`clean_sheet_name`].
    pub sheet: &'a str,
    /// `{name}`, the name so far.
    pub old_name: &'a str,
    /// `{row}`, from 0.
    pub row: u32,
    /// `{col}`, from 0.
    pub column: u32,
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("character {position}: {reason}")]
pub struct PatternError {
    /// Where, in characters from 1.
    pub position: usize,
    /// What is wrong there, in words.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counter {
    Number,
    Row,
    Column,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Sheet,
    Name,
    /// Filled up with zeros to so many digits.
    Counter(Counter, usize),
}

/// A pattern that was understood: text with `{n}`, `{n:02}`, `{sheet}`, `{name}`, `{row}` and `{col}`; `{{` and `}}`
/// are braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    pieces: Vec<Piece>,
}

impl Pattern {
    /// Understands a pattern. An empty one is refused: it would take all names away.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        if text.trim().is_empty() {
            return Err(fault(0, "type a name, for instance walk_{n:02}".to_owned()));
        }
        let chars: Vec<char> = text.chars().collect();
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut at = 0;
        while let Some(&c) = chars.get(at) {
            let is_doubled = chars.get(at + 1) == Some(&c);
            if matches!(c, '{' | '}') && is_doubled {
                literal.push(c);
                at += 2;
            } else if c == '{' {
                let length = chars.iter().skip(at).position(|&c| c == '}');
                let Some(length) = length else {
                    return Err(fault(at, "this { is not closed; a brace itself is {{".to_owned()));
                };
                let inside: String = chars.iter().skip(at + 1).take(length - 1).collect();
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(placeholder(&inside).map_err(|reason| fault(at, reason))?);
                at += length + 1;
            } else if c == '}' {
                return Err(fault(at, "this } closes nothing; a brace itself is }}".to_owned()));
            } else {
                literal.push(c);
                at += 1;
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        Ok(Self { text: text.to_owned(), pieces })
    }

    /// The pattern as it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether names differ by their number.
    pub fn has_number(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Counter(Counter::Number, _)))
    }

    /// The name that the pattern makes.
    pub fn name(&self, context: &Context<'_>) -> String {
        let mut name = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => name.push_str(text),
                Piece::Sheet => name.push_str(context.sheet),
                Piece::Name => name.push_str(context.old_name),
                Piece::Counter(counter, width) => push_number(&mut name, counter.of(context), *width),
            }
        }
        name
    }

    /// The number in a name that this pattern makes with another number and otherwise the same context. `None` for
    /// other names, and for patterns that have the number more than once.
    pub(super) fn number_in(&self, name: &str, context: &Context<'_>) -> Option<u64> {
        let is_number = |piece: &Piece| matches!(piece, Piece::Counter(Counter::Number, _));
        let index = self.pieces.iter().position(is_number)?;
        let (before, rest) = self.pieces.split_at(index);
        let part = |pieces: &[Piece]| Self { text: String::new(), pieces: pieces.to_vec() }.name(context);
        let digits = name.strip_prefix(part(before).as_str())?.strip_suffix(part(rest.get(1..)?).as_str())?;
        let n = digits.parse().ok()?;
        (self.name(&Context { n, ..*context }) == name).then_some(n)
    }
}

impl Counter {
    fn of(self, context: &Context<'_>) -> u64 {
        match self {
            Self::Number => context.n,
            Self::Row => context.row.into(),
            Self::Column => context.column.into(),
        }
    }
}

/// Appends a number with zeros in front, so that names sort as they count.
pub(super) fn push_number(name: &mut String, number: u64, width: usize) {
    // Writing to a text cannot fail.
    write!(name, "{number:0width$}").unwrap_or_default();
}

fn fault(index: usize, reason: String) -> PatternError {
    PatternError { position: index + 1, reason }
}

/// What stands between braces, or what is wrong with it.
fn placeholder(inside: &str) -> Result<Piece, String> {
    let (word, width) = match inside.split_once(':') {
        Some((word, width)) => (word.trim(), Some(width.trim())),
        None => (inside.trim(), None),
    };
    let counter = match word {
        "n" => Counter::Number,
        "row" => Counter::Row,
        "col" => Counter::Column,
        "sheet" | "name" if width.is_some() => {
            return Err(format!("{{{word}}} has no width, only numbers have"));
        }
        "sheet" => return Ok(Piece::Sheet),
        "name" => return Ok(Piece::Name),
        _ => {
            return Err(format!(
                "there is no {{{word}}}: use {{n}}, {{sheet}}, {{name}}, {{row}} or {{col}}"
            ));
        }
    };
    let Some(width) = width else { return Ok(Piece::Counter(counter, 0)) };
    let digits = width.bytes().all(|byte| byte.is_ascii_digit()).then(|| width.parse().ok()).flatten();
    digits
        .filter(|digits| (1..=MOST_DIGITS).contains(digits))
        .map(|digits| Piece::Counter(counter, digits))
        .ok_or_else(|| {
            format!("{{{word}:02}} has two digits; 1 to {MOST_DIGITS} are possible, not {width:?}")
        })
}

/// What a sheet is called in names of its frames: its file's name without folder, ending of an image and what export
/// dialogs add (`hero_strip8.png` is `hero`).
pub fn clean_sheet_name(file_name: &str) -> &str {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let stem = match name.rsplit_once('.') {
        Some((stem, ending)) if is_image(ending) && !stem.is_empty() => stem,
        _ => name,
    };
    without_strip(stem).unwrap_or(stem)
}

fn is_image(ending: &str) -> bool {
    IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// The stem without `_strip8`; `None` where it has no such end, or nothing else.
fn without_strip(stem: &str) -> Option<&str> {
    const STRIP: &str = "strip";
    let before_digits = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let at = before_digits.len().checked_sub(STRIP.len())?;
    let is_strip = before_digits.get(at..)?.eq_ignore_ascii_case(STRIP) && before_digits.len() < stem.len();
    let rest = before_digits.get(..at)?.strip_suffix(['_', '-', ' ', '.'])?;
    (is_strip && !rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(pattern: &str, n: u64) -> String {
        let context = Context { n, sheet: "hero", old_name: "old", row: 1, column: 2 };
        Pattern::parse(pattern).unwrap().name(&context)
    }

    #[test]
    fn placeholders_and_braces_are_filled_in() {
        assert_eq!(name(DEFAULT_PATTERN, 7), "hero_07");
        assert_eq!(name("walk_{n:02}", 123), "walk_123");
        assert_eq!(name("{name}-{n}", 0), "old-0");
        assert_eq!(name("{ row }x{col:3}", 0), "1x002");
        assert_eq!(name("{{n}} {n}", 5), "{n} 5");
        assert_eq!(name("läuft🏃{n}", 5), "läuft🏃5");
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let cases = [
            ("", "character 1: type a name"),
            ("  ", "character 1: type a name"),
            ("é_{n", "character 3: this { is not closed"),
            ("walk}", "character 5: this } closes nothing"),
            ("{}", "character 1: there is no {}"),
            ("a{number}", "character 2: there is no {number}: use {n}"),
            ("{n:}", "character 1: {n:02} has two digits"),
            ("{n:x}", "not \"x\""),
            ("{n:+2}", "not \"+2\""),
            ("{n:99}", "1 to 9 are possible"),
            ("{n:0}", "not \"0\""),
            ("{sheet:02}", "{sheet} has no width"),
        ];
        for (text, expected) in cases {
            let words = Pattern::parse(text).unwrap_err().to_string();
            assert!(words.contains(expected), "{text}: {words}");
        }
    }

    #[test]
    fn a_name_s_number_is_found_where_the_pattern_put_it() {
        let context = Context { sheet: "hero", ..Context::default() };
        let number = |pattern: &str, name: &str| Pattern::parse(pattern).unwrap().number_in(name, &context);
        assert_eq!(number("{sheet}_{n:02}b", "hero_07b"), Some(7));
        assert_eq!(number("{sheet}_{n:02}b", "hero_7b"), None, "the pattern would say 07");
        assert_eq!(number("{n}", "+7"), None);
        assert_eq!(number("{sheet}", "hero"), None);
        assert_eq!(number("{n}{n}", "11"), None);
        assert_eq!(number("a{n}a", "a"), None);
    }

    #[test]
    fn what_exports_add_to_a_sheet_s_name_is_cut_off() {
        let cases = [
            ("hero_strip8.png", "hero"),
            ("HERO-Strip12.PNG", "HERO"),
            ("art/player/hero.strip8.png", "hero"),
            ("art\\hero strip8", "hero"),
            ("hero.v2.png", "hero.v2"),
            ("hero.v2", "hero.v2"),
            ("airstrip8.png", "airstrip8"),
            ("hero_strip.png", "hero_strip"),
            ("_strip8.png", "_strip8"),
            ("héro_8.png", "héro_8"),
            (".png", ".png"),
            ("", ""),
        ];
        for (file, expected) in cases {
            assert_eq!(clean_sheet_name(file), expected, "{file}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in any::<String>(), sheet in any::<String>(), n in any::<u64>()) {
            if let Ok(pattern) = Pattern::parse(&text) {
                let context = Context { n, sheet: &sheet, ..Context::default() };
                let name = pattern.name(&context);
                pattern.number_in(&name, &context);
            }
            prop_assert!(sheet.contains(clean_sheet_name(&sheet)));
        }

        #[test]
        fn arbitrary_text_of_pattern_characters_never_panics(text in "[{}:0-9nsheetamrowcl_ é]{0,24}") {
            if let Ok(pattern) = Pattern::parse(&text) {
                prop_assert_eq!(pattern.text(), text);
                pattern.name(&Context::default());
            }
        }

        #[test]
        fn doubled_braces_make_any_text_a_name(text in "\\PC*[a-z{}]\\PC*") {
            let escaped = text.replace('{', "{{").replace('}', "}}");
            prop_assert_eq!(name(&escaped, 3), text);
        }
    }
}
