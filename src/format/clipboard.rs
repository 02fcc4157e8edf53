//! Frames as text on the clipboard, so that they go to other sheets, other windows and other programs, and come back.
//!
//! What is written is `{"cutsheet": "frames", "version": 1, "imageSize": [w, h], "frames": [{"name", "x", "y", "width",
//! "height"}, …]}`. What is read may be less than that: a list of rectangles alone, or `w` and `h`, as other programs
//! and people write them.

use super::json::{Json, JsonError};
use crate::geometry::{PixelRect, Size};

const KIND: &str = "frames";
const VERSION: i64 = 1;
/// So many faults are named one by one; a file of thousands is counted.
const MOST_NAMED: usize = 4;

/// A frame's name and rectangle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClipFrame {
    /// Its name, often empty.
    pub name: String,
    /// Where it is, in image pixels.
    pub rect_in_image: PixelRect,
}

/// Frames from a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clip {
    /// The frames that could be read, at least one; where they lie was not held against any image.
    pub frames: Vec<ClipFrame>,
    /// The size of the image they are from, where the text has it.
    pub image_size: Option<Size>,
    /// What was left out, in a few lines of words.
    pub skipped: Vec<String>,
}

/// Why a text gives no frames.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClipboardError {
    /// There is no text.
    #[error("the clipboard holds no text")]
    Empty,
    /// It is not even JSON.
    #[error("the clipboard holds a text that is no list of frames ({0})")]
    NotJson(JsonError),
    /// It is JSON about something else.
    #[error("the clipboard holds {0}, no list of frames")]
    NotFrames(String),
    /// It is a list of frames without one that can be used.
    #[error("the clipboard holds no frame that can be used: {0}")]
    NoFrames(String),
}

/// The frames of an image of that size as text for the clipboard.
pub fn write(image_size: Size, frames: &[ClipFrame]) -> String {
    let entry = |ClipFrame { name, rect_in_image: rect }: &ClipFrame| {
        let numbers = [("x", rect.x), ("y", rect.y), ("width", rect.width), ("height", rect.height)];
        let mut entry = vec![("name".to_owned(), name.as_str().into())];
        entry.extend(numbers.map(|(key, number)| (key.to_owned(), number.into())));
        Json::Object(entry)
    };
    let mut text = Json::object();
    text.set("cutsheet", KIND.into());
    text.set("version", VERSION.into());
    text.set("imageSize", Json::Array(vec![image_size.width.into(), image_size.height.into()]));
    text.set("frames", Json::Array(frames.iter().map(entry).collect()));
    text.to_text()
}

/// Reads the frames of a text from the clipboard: takes what can be used and says what cannot.
pub fn read(text: &str) -> Result<Clip, ClipboardError> {
    if text.trim().is_empty() {
        return Err(ClipboardError::Empty);
    }
    let json = Json::parse(text.as_bytes()).map_err(ClipboardError::NotJson)?;
    let mut pasted = Clip { image_size: json.get("imageSize").and_then(size), ..Clip::default() };
    match json.get("cutsheet").map(Json::as_str) {
        None | Some(Some(KIND)) => {}
        Some(Some(other)) => return Err(ClipboardError::NotFrames(format!("{other:?} of Cutsheet"))),
        Some(None) => return Err(ClipboardError::NotFrames("something else of Cutsheet".to_owned())),
    }
    if json.get("version").and_then(Json::as_i64).is_some_and(|version| version > VERSION) {
        pasted.skipped.push("Left out what a newer version of Cutsheet added".to_owned());
    }
    let entries = json.as_array().or_else(|| json.get("frames")?.as_array());
    let entries = entries.ok_or_else(|| ClipboardError::NotFrames(json.kind().to_owned()))?;
    let mut faults = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        match frame(entry) {
            Ok(frame) => pasted.frames.push(frame),
            Err(reason) => faults.push(format!("frame {}: {reason}", index + 1)),
        }
    }
    if pasted.frames.is_empty() {
        let reason = faults.into_iter().next();
        return Err(ClipboardError::NoFrames(reason.unwrap_or_else(|| "the list is empty".to_owned())));
    }
    pasted.skipped.extend(faults.iter().take(MOST_NAMED).map(|fault| format!("Left out {fault}")));
    if let more @ 1.. = faults.len().saturating_sub(MOST_NAMED) {
        pasted.skipped.push(format!("Left out {more} more of {} frames", entries.len()));
    }
    Ok(pasted)
}

fn frame(entry: &Json) -> Result<ClipFrame, String> {
    if entry.as_object().is_none() {
        return Err(format!("{} where a rectangle should be", entry.kind()));
    }
    let (x, y) = (number(entry, &["x"])?, number(entry, &["y"])?);
    let (width, height) = (number(entry, &["width", "w"])?, number(entry, &["height", "h"])?);
    let rect = PixelRect::new(x, y, width, height);
    if rect.is_empty() {
        return Err(format!("{rect} has no pixels"));
    }
    // A name that is none is no reason to lose the rectangle.
    let name = entry.get("name").and_then(Json::as_str).unwrap_or_default().to_owned();
    Ok(ClipFrame { name, rect_in_image: rect })
}

/// The whole number at the first of the keys that is there.
fn number(entry: &Json, keys: &[&str]) -> Result<i32, String> {
    let key = keys.first().copied().unwrap_or_default();
    let value = keys.iter().find_map(|key| entry.get(key)).ok_or_else(|| format!("{key} is missing"))?;
    let Json::Number(spelled) = value else { return Err(format!("{key} is {}, no number", value.kind())) };
    whole(spelled).ok_or_else(|| format!("{key} is {spelled}, no whole number of pixels"))
}

/// A whole number of 32 bits. Many programs have one kind of number only and write `16.0`.
fn whole(spelled: &str) -> Option<i32> {
    let by_value = || {
        let value: f64 = spelled.parse().ok()?;
        let is_whole = value.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
        is_whole.then_some(value as i32)
    };
    spelled.parse().ok().or_else(by_value)
}

fn size(json: &Json) -> Option<Size> {
    let [width, height] = json.as_array()? else { return None };
    Some(Size::new(u32::try_from(width.as_i64()?).ok()?, u32::try_from(height.as_i64()?).ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(name: &str, rect: (i32, i32, i32, i32)) -> ClipFrame {
        ClipFrame { name: name.to_owned(), rect_in_image: PixelRect::new(rect.0, rect.1, rect.2, rect.3) }
    }

    #[test]
    fn frames_are_written_in_the_form_that_the_page_above_says() {
        let text = write(Size::new(64, 32), &[named("walk \"1\"", (1, 2, 3, 4))]);
        let expected = r#"{"cutsheet": "frames", "version": 1, "imageSize": [64, 32],
            "frames": [{"name": "walk \"1\"", "x": 1, "y": 2, "width": 3, "height": 4}]}"#;
        assert_eq!(Json::parse(text.as_bytes()), Json::parse(expected.as_bytes()));
    }

    #[test]
    fn lists_and_short_spellings_of_others_are_read() {
        let texts = [
            r#"[{"x": 1, "y": 2, "w": 3, "h": 4}]"#,
            r#"{"frames": [{"h": 4.0, "w": 3e0, "y": 2, "x": 1, "more": []}], "meta": {}}"#,
            " [ {\"name\": null, \"x\": 1, \"y\": 2, \"width\": 3, \"height\": 4, \"w\": 9} ]\n",
        ];
        for text in texts {
            let pasted = Clip { frames: vec![named("", (1, 2, 3, 4))], ..Clip::default() };
            assert_eq!(read(text), Ok(pasted), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_said() {
        let text = r#"{"cutsheet": "frames", "version": 2, "imageSize": [-1, 3], "frames": [
            7, {"x": 1}, {"x": "1", "y": 0, "w": 1, "h": 1}, {"x": 0.5, "y": 0, "w": 1, "h": 1},
            {"x": 0, "y": 0, "w": 0, "h": 1}, {"x": 2147483648, "y": 0, "w": 1, "h": 1},
            {"x": -4, "y": 0, "w": 1, "h": 1}
        ]}"#;
        let pasted = read(text).unwrap();
        assert_eq!((pasted.frames, pasted.image_size), (vec![named("", (-4, 0, 1, 1))], None));
        let expected = [
            "Left out what a newer version of Cutsheet added",
            "Left out frame 1: a number where a rectangle should be",
            "Left out frame 2: y is missing",
            "Left out frame 3: x is a text, no number",
            "Left out frame 4: x is 0.5, no whole number of pixels",
            "Left out 2 more of 7 frames",
        ];
        assert_eq!(pasted.skipped, expected);
    }

    #[test]
    fn every_fault_has_its_words() {
        let cases = [
            (r#"{"x": 0, "y": 0, "w": 0, "h": 1}"#, "frame 1: 0 x 1 at 0, 0 has no pixels"),
            (r#"{"x": 2147483648, "y": 0, "w": 1, "h": 1}"#, "x is 2147483648, no whole number of pixels"),
            (r#"{"x": 0, "y": 0, "width": null, "w": 1, "h": 1}"#, "width is null, no number"),
        ];
        for (entry, expected) in cases {
            let words = read(&format!("[{entry}]")).unwrap_err().to_string();
            assert!(words.contains(expected), "{words}");
        }
    }

    #[test]
    fn other_texts_are_refused_in_words() {
        let cases = [
            ("", "the clipboard holds no text"),
            (" \n", "the clipboard holds no text"),
            ("Hello", "a text that is no list of frames (line 1, column 1"),
            ("12", "the clipboard holds a number, no list of frames"),
            (r#"{"a": 1}"#, "the clipboard holds an object, no list of frames"),
            (
                r#"{"cutsheet": "clip", "frames": [1]}"#,
                "the clipboard holds \"clip\" of Cutsheet, no list of frames",
            ),
            ("[]", "no frame that can be used: the list is empty"),
            ("[{}]", "no frame that can be used: frame 1: x is missing"),
        ];
        for (text, expected) in cases {
            let words = read(text).unwrap_err().to_string();
            assert!(words.contains(expected), "{text}: {words}");
        }
    }

    fn any_frame() -> impl Strategy<Value = ClipFrame> {
        let rect = (any::<i32>(), any::<i32>(), 1..=i32::MAX, 1..=i32::MAX);
        (any::<String>(), rect).prop_map(|(name, rect)| named(&name, rect))
    }

    proptest! {
        #[test]
        fn what_is_copied_can_be_pasted(
            frames in prop::collection::vec(any_frame(), 1..9), (width, height) in any::<(u32, u32)>(),
        ) {
            let image = Size::new(width, height);
            let pasted = read(&write(image, &frames));
            prop_assert_eq!(pasted, Ok(Clip { frames, image_size: Some(image), skipped: Vec::new() }));
        }

        #[test]
        fn arbitrary_text_never_panics(text in any::<String>(), nearly in "[\\[\\]{}\",:xywh0-9.e-]{0,40}") {
            prop_assert!(read(&text).map_or(true, |pasted| !pasted.frames.is_empty()));
            prop_assert!(read(&nearly).map_or(true, |pasted| !pasted.frames.is_empty()));
        }
    }
}
