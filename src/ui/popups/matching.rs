//! What is meant by a few letters: words in any order, in upper or lower case, the best match first.

/// How well a text matches; the greater the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The letters come in this order, with others between.
    Letters,
    /// Words lie somewhere within words.
    Inside,
    /// Words begin words.
    WordStarts,
    /// The text begins so.
    Start,
    /// That is the text.
    Whole,
}

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Query {
    text: String,
}

impl Query {
    pub(super) fn new(typed: &str) -> Self {
        let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
        Self { text: words.join(" ") }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The position of a frame, if that is what was typed.
    pub(super) fn number(&self) -> Option<usize> {
        self.text.strip_prefix("frame ").unwrap_or(&self.text).parse().ok()
    }

    /// How well a text matches, if it does. Nothing matches everything, in no better way than any other.
    pub(super) fn fit(&self, text: &str) -> Option<Fit> {
        let text = text.to_lowercase();
        if text.trim_end_matches('…') == self.text || text == self.text {
            return Some(Fit::Whole);
        }
        if text.starts_with(&self.text) {
            return Some(Fit::Start);
        }
        if self.text.split(' ').all(|word| begins_a_word(&text, word)) {
            return Some(Fit::WordStarts);
        }
        if self.text.split(' ').all(|word| text.contains(word)) {
            return Some(Fit::Inside);
        }
        has_letters(&text, &self.text).then_some(Fit::Letters)
    }

    /// How well a name matches: letters scattered over it would find too many.
    pub(super) fn fit_of_name(&self, name: &str) -> Option<Fit> {
        self.fit(name).filter(|fit| *fit > Fit::Letters)
    }
}

fn begins_a_word(text: &str, word: &str) -> bool {
    let mut hits = text.match_indices(word);
    hits.any(|(at, _)| text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric()))
}

/// Whether the letters come in that order, the first of them at the start of a word.
fn has_letters(text: &str, letters: &str) -> bool {
    let mut letters = letters.chars().filter(|letter| *letter != ' ');
    let Some(first) = letters.next() else { return true };
    let rest: Vec<char> = letters.collect();
    let mut starts = text.char_indices().filter(|(at, letter)| {
        *letter == first && text[..*at].chars().next_back().is_none_or(|before| !before.is_alphanumeric())
    });
    starts.any(|(at, _)| {
        let mut text = text[at..].chars().skip(1);
        rest.iter().all(|letter| text.any(|it| it == *letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(typed: &str, text: &str) -> Option<Fit> {
        Query::new(typed).fit(text)
    }

    #[test]
    fn words_match_in_any_order_and_case() {
        assert_eq!(fit("frames MERGE", "Merge frames"), Some(Fit::WordStarts));
        assert_eq!(fit("mer fra", "Merge frames"), Some(Fit::WordStarts));
        assert_eq!(fit("erge", "Merge frames"), Some(Fit::Inside));
        assert_eq!(fit("merge rows", "Merge frames"), None);
    }

    #[test]
    fn better_matches_are_greater() {
        assert_eq!(fit("rename", "Rename…"), Some(Fit::Whole));
        assert_eq!(fit("ren", "Rename…"), Some(Fit::Start));
        assert_eq!(fit("mf", "Merge frames"), Some(Fit::Letters));
        assert_eq!(fit("fg", "Merge frames"), None, "the first letter begins a word");
        assert!(Fit::Whole > Fit::Start && Fit::WordStarts > Fit::Inside && Fit::Inside > Fit::Letters);
    }

    #[test]
    fn nothing_typed_matches_everything_alike() {
        assert_eq!(fit("  ", "Save"), fit("", "Undo"));
        assert!(fit("", "Undo").is_some());
    }

    #[test]
    fn a_number_is_a_frame_s() {
        assert_eq!(Query::new("12").number(), Some(12));
        assert_eq!(Query::new(" Frame  12 ").number(), Some(12));
        assert_eq!(Query::new("walk").number(), None);
    }

    #[test]
    fn letters_beyond_the_first_alphabet_are_no_fault() {
        assert_eq!(fit("ä", "läuft äste"), Some(Fit::WordStarts));
        assert_eq!(fit("🏃", "läuft🏃"), Some(Fit::Inside));
        assert_eq!(Query::new("é").fit_of_name("café"), Some(Fit::Inside));
    }
}
