//! Just enough of Rust's grammar to see which paths a file names: tokens without comments and literals, `use` trees
//! spelled out, and test code told from the rest.

/// A word or a sign, with the line it stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

impl Token<'_> {
    fn is_word(&self) -> bool {
        self.text.starts_with(is_word_char)
    }
}

/// A path as `use` or an expression names it; a `use` with braces gives one for each of its leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedPath<'a> {
    pub(crate) segments: Vec<&'a str>,
    pub(crate) line: usize,
}

impl NamedPath<'_> {
    pub(crate) fn begins_with(&self, path: &str) -> bool {
        let mut segments = self.segments.iter();
        path.split("::").all(|wanted| segments.next() == Some(&wanted))
    }
}

/// A file's tokens, those of its tests apart.
#[derive(Debug, Default)]
pub(crate) struct Code<'a> {
    pub(crate) product: Vec<Token<'a>>,
    pub(crate) tests: Vec<Token<'a>>,
    /// Modules in files of their own that are compiled for tests only.
    pub(crate) test_modules: Vec<&'a str>,
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// All tokens of a source text; comments and literals are left out.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while !rest.is_empty() {
        let (length, is_code) = next_piece(rest);
        let (piece, after) = rest.split_at(length);
        if is_code {
            tokens.push(Token { text: piece, line });
        }
        line += piece.matches('\n').count();
        rest = after;
    }
    tokens
}

/// Bytes of the piece that `rest` begins with, and whether it is a word or a sign.
fn next_piece(rest: &str) -> (usize, bool) {
    let first = rest.chars().next().unwrap_or(' ');
    if rest.starts_with("//") {
        (rest.find('\n').unwrap_or(rest.len()), false)
    } else if rest.starts_with("/*") {
        (block_comment(rest), false)
    } else if let Some(length) = raw_string(rest) {
        (length, false)
    } else if first == '"' {
        (quoted(rest, '"'), false)
    } else if first == '\'' {
        (char_or_lifetime(rest), false)
    } else if is_word_char(first) {
        (rest.find(|c| !is_word_char(c)).unwrap_or(rest.len()), true)
    } else if rest.starts_with("::") {
        (2, true)
    } else {
        (first.len_utf8(), !first.is_whitespace())
    }
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest[at..];
        if here.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if here.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        rest.strip_prefix(prefix).is_some_and(|after| after.trim_start_matches('#').starts_with('"'))
    })?;
    let after = &rest[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let end = format!("\"{}", "#".repeat(hashes));
    let body = prefix.len() + hashes + 1;
    Some(rest[body..].find(&end).map_or(rest.len(), |at| body + at + end.len()))
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at + c.len_utf8();
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    rest.len()
}

fn char_or_lifetime(rest: &str) -> usize {
    let mut after = rest.chars().skip(1);
    let (second, third) = (after.next(), after.next());
    if second == Some('\\') || third == Some('\'') {
        quoted(rest, '\'')
    } else {
        1 + rest[1..].find(|c| !is_word_char(c)).unwrap_or(rest.len() - 1)
    }
}

/// Tells the items under `#[cfg(test)]` from the others.
pub(crate) fn split_tests<'a>(tokens: &[Token<'a>]) -> Code<'a> {
    const CFG_TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut code = Code::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let here = tokens[at..].iter().take(CFG_TEST.len()).map(|token| token.text);
        if here.eq(CFG_TEST) {
            let item = &tokens[at + CFG_TEST.len()..];
            let item = &item[..item_length(item)];
            if let [.., keyword, name, end] = item
                && (keyword.text, end.text) == ("mod", ";")
            {
                code.test_modules.push(name.text);
            }
            code.tests.extend(item);
            at += CFG_TEST.len() + item.len();
        } else {
            code.product.push(*token);
            at += 1;
        }
    }
    code
}

/// Tokens up to the `;` or the closing brace that ends an item.
fn item_length(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && matches!(token.text, ";" | "}") {
            return at + 1;
        }
    }
    tokens.len()
}

/// The paths that tokens name.
pub(crate) fn paths<'a>(tokens: &[Token<'a>]) -> Vec<NamedPath<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
        let is_path = tokens.get(at + 1).is_some_and(|next| next.text == "::") || before == "use";
        if token.is_word() && is_path && before != "." {
            at = path_tree(tokens, at, &[], &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// Adds the paths of the tree that begins at `at`; where the tokens after it begin.
fn path_tree<'a>(
    tokens: &[Token<'a>],
    mut at: usize,
    prefix: &[&'a str],
    found: &mut Vec<NamedPath<'a>>,
) -> usize {
    let line = tokens[at].line;
    let mut segments = prefix.to_vec();
    while let Some(token) = tokens.get(at).filter(|token| token.is_word()) {
        segments.push(token.text);
        at += 1;
        if tokens.get(at).is_none_or(|next| next.text != "::") {
            found.push(NamedPath { segments, line });
            return at;
        }
        at += 1;
    }
    if tokens.get(at).is_none_or(|token| token.text != "{") {
        // A star, or the `<` of a generic argument.
        found.push(NamedPath { segments, line });
        return at;
    }
    at += 1;
    while let Some(token) = tokens.get(at) {
        at = match token.text {
            "}" => return at + 1,
            "as" => at + 2,
            _ if token.is_word() => path_tree(tokens, at, &segments, found),
            _ => at + 1,
        };
    }
    at
}

/// The methods that tokens call or name.
pub(crate) fn methods<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let pairs = tokens.windows(2).filter(|pair| pair[0].text == "." && pair[1].is_word());
    pairs.map(|pair| pair[1]).collect()
}

#[test]
fn paths_are_seen_through_use_trees_and_past_comments_and_strings() {
    let text = r##"
// crate::comment
/* crate::a /* crate::b */ crate::c */
use crate::{geometry::{self, Size as S}, model::Sheet};
const A: &str = "crate::text \" crate::more"; const B: &str = r#"crate::" raw"#; const C: char = '"';
fn f<'a>(x: &'a crate::guid::Guid) -> Vec<u8> { Vec::<u8>::new() }
"##;
    let tokens = tokens(text);
    let found: Vec<_> = paths(&tokens).iter().map(|path| (path.segments.join("::"), path.line)).collect();
    let expected = [
        ("crate::geometry::self", 4),
        ("crate::geometry::Size", 4),
        ("crate::model::Sheet", 4),
        ("crate::guid::Guid", 6),
        ("Vec", 6),
    ];
    assert_eq!(found, expected.map(|(path, line)| (path.to_owned(), line)));
}

#[test]
fn test_code_is_told_from_the_product() {
    let text = "use a::b;\n#[cfg(test)]\nmod more;\n#[cfg(test)]\nmod tests { use c::d; }\nfn f() { e::f() }";
    let tokens = tokens(text);
    let code = split_tests(&tokens);
    let firsts = |tokens: &[Token<'_>]| -> Vec<String> {
        paths(tokens).iter().map(|path| path.segments[0].to_owned()).collect()
    };
    assert_eq!(
        (firsts(&code.product), firsts(&code.tests)),
        (vec!["a".into(), "e".into()], vec!["c".into()])
    );
    assert_eq!(code.test_modules, ["more"]);
}
