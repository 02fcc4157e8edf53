//! A strict JSON parser (RFC 8259) that says where and why it stops, in words for whoever saved the file.

use super::Json;

/// How deep lists and objects may be nested: a file must not be able to exhaust the stack.
pub const MAX_DEPTH: usize = 128;

/// Why bytes are no JSON document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct JsonError {
    /// Line of the fault, from 1.
    pub line: usize,
    /// Column of the fault in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

impl JsonError {
    fn at(bytes: &[u8], offset: usize, reason: String) -> Self {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |index| index + 1);
        let line = before.split(|&byte| byte == b'\n').count();
        let column = 1 + String::from_utf8_lossy(&before[line_start..]).chars().count();
        Self { line, column, reason }
    }
}

/// Reads a document; a UTF-8 byte order mark in front is passed over.
pub(super) fn document(bytes: &[u8]) -> Result<Json, JsonError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    parse(bytes).map_err(|fault| {
        let Fault { offset, reason } = whole_file_fault(bytes).unwrap_or(fault);
        JsonError::at(bytes, offset, reason)
    })
}

fn parse(bytes: &[u8]) -> Result<Json, Fault> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Fault::new(error.valid_up_to(), "the text is not UTF-8 from here on"))?;
    let mut parser = Parser { text, at: 0 };
    let json = parser.value(0)?;
    parser.skip_white_space();
    match parser.peek() {
        None => Ok(json),
        Some(_) => parser.fail("text after the end of the document"),
    }
}

/// What is wrong with the file as a whole, where that says more than the first unexpected character.
fn whole_file_fault(bytes: &[u8]) -> Option<Fault> {
    let has_zero_at = |index: usize| bytes.get(index) == Some(&0);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Some(Fault::new(0, "the file is empty"));
    }
    if bytes.iter().all(|&byte| byte == 0) {
        return Some(Fault::new(0, "the file holds only zero bytes, as after a power failure"));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || has_zero_at(0) || has_zero_at(1) {
        return Some(Fault::new(0, "the file is UTF-16: save it as UTF-8"));
    }
    let mut offset = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        if line.starts_with(b"<<<<<<<") || line.starts_with(b">>>>>>>") {
            return Some(Fault::new(
                offset,
                "a conflict mark of a version control merge: resolve the conflict",
            ));
        }
        offset += line.len() + 1;
    }
    None
}

struct Fault {
    offset: usize,
    reason: String,
}

impl Fault {
    fn new(offset: usize, reason: &str) -> Self {
        Self { offset, reason: reason.to_owned() }
    }
}

struct Parser<'a> {
    text: &'a str,
    /// Offset in bytes, always between two characters.
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, reason: &str) -> Result<T, Fault> {
        Err(Fault::new(self.at, reason))
    }

    /// Fails at a character that cannot stand here, with the habit of other languages it comes from.
    fn unexpected<T>(&self, wanted: &str) -> Result<T, Fault> {
        let Some(found) = self.rest().chars().next() else {
            return self.fail("the file ends in the middle of the document");
        };
        let habit = match found {
            '/' | '#' => ": JSON has no comments",
            '\'' => ": JSON texts stand in double quotes",
            'N' | 'I' => ": NaN and Infinity are no JSON numbers",
            '+' => ": JSON numbers have no plus sign",
            _ => "",
        };
        let reason = format!("{wanted} expected, {found:?} found{habit}");
        Err(Fault { offset: self.at, reason })
    }

    fn value(&mut self, depth: usize) -> Result<Json, Fault> {
        self.skip_white_space();
        match self.peek() {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => self.fail("nested too deeply"),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Json, Fault> {
        let words = [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))];
        for (word, value) in words {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.unexpected("a value")
    }

    fn array(&mut self, depth: usize) -> Result<Json, Fault> {
        self.at += 1;
        let mut elements = Vec::new();
        self.skip_white_space();
        if self.take(b']') {
            return Ok(Json::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            if !self.goes_on(b']')? {
                return Ok(Json::Array(elements));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, Fault> {
        self.at += 1;
        let mut entries = Vec::new();
        self.skip_white_space();
        if self.take(b'}') {
            return Ok(Json::Object(entries));
        }
        loop {
            self.skip_white_space();
            if self.peek() != Some(b'"') {
                return self.unexpected("a key in double quotes");
            }
            let key = self.string()?;
            self.skip_white_space();
            if !self.take(b':') {
                return self.unexpected("a colon");
            }
            entries.push((key, self.value(depth + 1)?));
            if !self.goes_on(b'}')? {
                return Ok(Json::Object(entries));
            }
        }
    }

    /// After an element: whether another follows.
    fn goes_on(&mut self, close: u8) -> Result<bool, Fault> {
        self.skip_white_space();
        if self.take(close) {
            return Ok(false);
        }
        if !self.take(b',') {
            return self.unexpected(if close == b']' { "a comma or ]" } else { "a comma or }" });
        }
        self.skip_white_space();
        if self.peek() == Some(close) {
            return self.fail("a comma after the last entry");
        }
        Ok(true)
    }

    fn number(&mut self) -> Result<Json, Fault> {
        let start = self.at;
        self.take(b'-');
        if self.take(b'0') {
            if matches!(self.peek(), Some(b'0'..=b'9' | b'x' | b'X')) {
                return self.fail("JSON numbers are decimal and do not begin with 0");
            }
        } else {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        Ok(Json::Number(self.text.get(start..self.at).unwrap_or_default().to_owned()))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { self.unexpected("a digit") } else { Ok(()) }
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
            let plain = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            text.push_str(plain);
            self.at += plain.len();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return self.fail("a line end or control character inside a text"),
                None => return self.unexpected("a double quote"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        self.at += 1;
        let plain = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return self.unexpected("one of \"\\/bfnrtu after a backslash"),
        };
        self.at += 1;
        Ok(plain)
    }

    /// The digits after `\u`, and the second half of a surrogate pair.
    fn unicode_escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        let first = self.four_hex_digits()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = self.four_hex_digits()?;
            if (0xdc00..0xe000).contains(&second) {
                0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            } else {
                first
            }
        } else {
            first
        };
        char::from_u32(code)
            .ok_or_else(|| Fault::new(start, "half a character: a \\u escape without its pair"))
    }

    fn four_hex_digits(&mut self) -> Result<u32, Fault> {
        let digits = self.rest().get(..4).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|text| u32::from_str_radix(text, 16).ok()) else {
            return self.fail("four hexadecimal digits expected after \\u");
        };
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reason(bytes: &[u8]) -> String {
        Json::parse(bytes).unwrap_err().to_string()
    }

    #[test]
    fn a_byte_order_mark_windows_line_ends_and_every_escape_are_read() {
        let text = "\u{feff}{\r\n\t\"a\" : [ true , false , null , -0.5E+2 ] ,\"b\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude80\"}";
        let json = Json::parse(text.as_bytes()).unwrap();
        let list = [Json::Bool(true), Json::Bool(false), Json::Null, Json::Number("-0.5E+2".into())];
        assert_eq!(json.get("a").unwrap().as_array(), Some(&list[..]));
        assert_eq!(json.get("b").unwrap().as_str(), Some("\"\\/\u{8}\u{c}\n\r\té🚀"));
    }

    #[test]
    fn faults_are_named_with_line_and_column() {
        let cases: [(&[u8], &str); 22] = [
            (b"", "line 1, column 1: the file is empty"),
            (b" \n\t", "line 1, column 1: the file is empty"),
            (b"\0\0\0", "line 1, column 1: the file holds only zero bytes"),
            (b"\xff\xfe{\0}\0", "line 1, column 1: the file is UTF-16"),
            (b"{\0}\0", "line 1, column 1: the file is UTF-16"),
            (b"{\n\"a\": 1,\n<<<<<<< HEAD\n", "line 3, column 1: a conflict mark"),
            (b"{\"a\": 1,}", "line 1, column 9: a comma after the last entry"),
            (b"[1,\n 2,\n]", "line 3, column 1: a comma after the last entry"),
            (b"// x\n{}", "line 1, column 1: a value expected, '/' found: JSON has no comments"),
            (b"{'a': 1}", "column 2: a key in double quotes expected, '\\'' found: JSON texts stand in"),
            (b"[NaN]", "column 2: a value expected, 'N' found: NaN and Infinity"),
            (b"[-Infinity]", "column 3: a digit expected, 'I' found: NaN and Infinity"),
            (b"[+1]", "column 2: a value expected, '+' found: JSON numbers have no plus sign"),
            (b"[016]", "column 3: JSON numbers are decimal"),
            (b"[0x10]", "column 3: JSON numbers are decimal"),
            (b"{} {}", "column 4: text after the end"),
            (b"{\"a\"", "column 5: the file ends in the middle"),
            (b"[\"ab", "column 5: the file ends in the middle"),
            (b"[\"a\nb\"]", "line 1, column 4: a line end or control character"),
            ("[\"é\", \"\\x\"]".as_bytes(), "column 9: one of"),
            (b"[\"gr\xff\xfed\"]", "line 1, column 5: the text is not UTF-8"),
            (b"mode = grid\n", "column 1: a value expected, 'm' found"),
        ];
        for (bytes, expected) in cases {
            let text = reason(bytes);
            assert!(text.contains(expected), "{text} does not contain {expected}");
        }
    }

    #[test]
    fn half_a_character_is_refused() {
        for text in
            ["\"\\ud83d\"", "\"\\ude80\"", "\"\\ud83d\\u0041\"", "\"\\ud83dx\"", "\"\\u12\"", "\"\\u+123\""]
        {
            assert!(Json::parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_and_exhausts_no_stack() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Json::parse(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert!(reason(nested(MAX_DEPTH + 1).as_bytes()).contains("nested too deeply"));
        assert!(reason(nested(200_000).as_bytes()).contains("nested too deeply"));
        assert!(reason("{\"a\":".repeat(50_000).as_bytes()).contains("nested too deeply"));
    }

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Bool),
            "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?".prop_map(Json::Number),
            any::<String>().prop_map(Json::String),
        ];
        leaf.prop_recursive(5, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Array),
                prop::collection::vec(("[a-c]|\\PC*", inner), 0..6).prop_map(Json::Object),
            ]
        })
    }

    proptest! {
        #[test]
        fn writing_and_reading_gives_the_same_tree(json in any_json()) {
            prop_assert_eq!(Json::parse(json.to_text().as_bytes()), Ok(json));
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            prop_assert!(Json::parse(&bytes).map_or(true, |json| Json::parse(json.to_text().as_bytes()) == Ok(json)));
        }

        #[test]
        fn arbitrary_text_of_json_characters_never_panics(text in "[\\[\\]{}\",:\\\\u0-9dDeE.+ -]{0,40}") {
            prop_assert!(Json::parse(text.as_bytes()).map_or(true, |json| json.to_text().len() > 1));
        }
    }
}
