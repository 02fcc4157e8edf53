//! The sidecars of the generated sheets and scenes, in the dialect that new sidecars use.
//!
//! Written out by hand instead of by the sidecar writer: what the sample says must not change when the writer does.

use crate::geometry::PixelRect;

/// A frame of an atlas.
pub(super) struct AtlasFrame {
    pub(super) name: &'static str,
    pub(super) rect_in_image: PixelRect,
    /// Nine-slice borders: top, right, bottom, left.
    pub(super) borders: Option<[i32; 4]>,
}

/// An image that nobody has cut yet, or a scene.
pub(super) fn unsliced(guid: &str) -> Vec<u8> {
    format!("{{\n  \"guid\": \"{guid}\"\n}}\n").into_bytes()
}

/// An uncut image with the colour that the device draws as nothing.
pub(super) fn with_chroma_key(guid: &str, [r, g, b]: [u8; 3]) -> Vec<u8> {
    format!(
        r#"{{
  "guid": "{guid}",
  "settings": {{
    "texture": {{
      "chroma_key": {{
        "enabled": true,
        "r": {r},
        "g": {g},
        "b": {b}
      }}
    }}
  }}
}}
"#
    )
    .into_bytes()
}

/// A full grid of square cells, of which some are empty on purpose.
pub(super) fn grid(guid: &str, cell: u32) -> Vec<u8> {
    format!(
        r#"{{
  "guid": "{guid}",
  "slicing": {{
    "mode": "grid",
    "frameWidth": {cell},
    "frameHeight": {cell},
    "ignoredProblems": [
      "frame-empty"
    ]
  }}
}}
"#
    )
    .into_bytes()
}

/// Frames one by one.
pub(super) fn atlas(guid: &str, frames: &[AtlasFrame]) -> Vec<u8> {
    let entries: Vec<String> = frames.iter().map(frame_entry).collect();
    let entries = entries.join(",\n");
    let settings = border_settings(frames);
    format!(
        r#"{{
  "guid": "{guid}",
  "slicing": {{
    "mode": "atlas",
    "frames": [
{entries}
    ]
  }}{settings}
}}
"#
    )
    .into_bytes()
}

fn frame_entry(frame: &AtlasFrame) -> String {
    let PixelRect { x, y, width, height } = frame.rect_in_image;
    let name = frame.name;
    format!(
        r#"      {{
        "x": {x},
        "y": {y},
        "width": {width},
        "height": {height},
        "name": "{name}"
      }}"#
    )
}

/// The borders by frame id, which here is the position; nothing when no frame has any.
fn border_settings(frames: &[AtlasFrame]) -> String {
    let bordered = frames.iter().enumerate().filter_map(|(id, frame)| Some((id, frame.borders?)));
    let entries: Vec<String> = bordered.map(|(id, borders)| border_entry(id, borders)).collect();
    if entries.is_empty() {
        return String::new();
    }
    let entries = entries.join(",\n");
    format!(
        r#",
  "settings": {{
    "frame_nine_slice": {{
{entries}
    }}
  }}"#
    )
}

fn border_entry(id: usize, [top, right, bottom, left]: [i32; 4]) -> String {
    format!(
        r#"      "{id}": [
        {top},
        {right},
        {bottom},
        {left}
      ]"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: &str = "11111111-2222-4333-8444-555555555555";

    #[test]
    fn every_sidecar_is_two_space_json_as_a_json_writer_spells_it() {
        let frames = [
            AtlasFrame { name: "a", rect_in_image: PixelRect::new(0, 0, 8, 9), borders: Some([1, 2, 3, 4]) },
            AtlasFrame { name: "b", rect_in_image: PixelRect::new(8, 0, 8, 9), borders: None },
            AtlasFrame { name: "c", rect_in_image: PixelRect::new(16, 0, 8, 9), borders: Some([5, 5, 5, 5]) },
        ];
        let all =
            [unsliced(GUID), with_chroma_key(GUID, [255, 0, 255]), grid(GUID, 32), atlas(GUID, &frames)];
        for bytes in all {
            let text = String::from_utf8(bytes).unwrap();
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["guid"], GUID);
            // Keys come out sorted there, so compare what does not depend on their order.
            let lines = |text: &str| {
                let mut lines: Vec<_> =
                    text.lines().map(|line| line.trim_end_matches(',').to_owned()).collect();
                lines.sort();
                lines
            };
            assert_eq!(lines(&text), lines(&serde_json::to_string_pretty(&value).unwrap()));
        }
    }

    #[test]
    fn borders_are_listed_by_frame_id_and_only_where_there_are_some() {
        let frame = |borders| AtlasFrame { name: "a", rect_in_image: PixelRect::new(0, 0, 8, 8), borders };
        let bytes = atlas(GUID, &[frame(None), frame(Some([1, 2, 3, 4]))]);
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(value["settings"]["frame_nine_slice"], serde_json::json!({ "1": [1, 2, 3, 4] }));
        let without: serde_json::Value = serde_json::from_slice(&atlas(GUID, &[frame(None)])).unwrap();
        assert!(without.get("settings").is_none());
    }
}
