//! Writing a tree: two spaces per level, one entry per line, numbers as they were spelled.

use super::Json;

/// The whole document, ending with a line end.
pub(super) fn document(json: &Json) -> String {
    let mut out = String::new();
    value(&mut out, json, 0);
    out.push('\n');
    out
}

fn value(out: &mut String, json: &Json, depth: usize) {
    match json {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(spelled) => out.push_str(spelled),
        Json::String(text) => string(out, text),
        Json::Array(elements) => {
            list(out, ['[', ']'], depth, elements, |out, element| value(out, element, depth + 1));
        }
        Json::Object(entries) => list(out, ['{', '}'], depth, entries, |out, (key, entry)| {
            string(out, key);
            out.push_str(": ");
            value(out, entry, depth + 1);
        }),
    }
}

fn list<T>(out: &mut String, brackets: [char; 2], depth: usize, items: &[T], item: impl Fn(&mut String, &T)) {
    let [open, close] = brackets;
    out.push(open);
    for (index, each) in items.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        indent(out, depth + 1);
        item(out, each);
    }
    if !items.is_empty() {
        out.push('\n');
        indent(out, depth);
    }
    out.push(close);
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' => {
                out.push_str("\\u00");
                let digits = [u32::from(c) / 16, u32::from(c) % 16];
                out.extend(digits.into_iter().filter_map(|digit| char::from_digit(digit, 16)));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_indented_by_two_spaces_and_empty_lists_stay_on_their_line() {
        let json = Json::parse(br#"{"a":[1.10,[],{}],"b":{"c":null},"d":"x\u0001\n\"\\/\u00e9"}"#).unwrap();
        let expected = r#"{
  "a": [
    1.10,
    [],
    {}
  ],
  "b": {
    "c": null
  },
  "d": "x\u0001\n\"\\/é"
}
"#;
        assert_eq!(document(&json), expected);
    }
}
