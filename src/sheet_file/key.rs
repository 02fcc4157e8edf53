//! Art that a device would take for the chroma key.

use super::found::{Found, this_frame};
use crate::model::{Code, Problem, Sheet};
use crate::slicing::Findings;
use crate::texture::rgb_text;

/// The problems that making the texture of the asset at `path` found about its chroma key. `frame_at` tells where in the
/// sheet the frame is that was at a position of the texture.
pub fn key_problems(
    sheet: &Sheet,
    findings: &Findings,
    frame_at: impl Fn(u32) -> Option<usize>,
    path: &str,
) -> Vec<Problem> {
    let Findings { in_key_cell, in_key_cell_in_all, .. } = findings;
    let mut found = Found::new(sheet, path);
    let Some(key) = sheet.settings.chroma_key.filter(|_| *in_key_cell_in_all > 0) else { return Vec::new() };
    let advice = format!(
        "would be taken for the key {} and are stored a little off: repaint them or choose another key",
        rgb_text(key.rgb())
    );
    // One frame that has them all says as much.
    if in_key_cell.listed.first().is_none_or(|(_, count)| u64::from(*count) != *in_key_cell_in_all) {
        found.add(Code::KeyInArt, None, || {
            format!("Of the whole image {} {advice}", pixels(*in_key_cell_in_all))
        });
    }
    for (position, count) in &in_key_cell.listed {
        let Some((index, frame)) =
            frame_at(*position).and_then(|index| Some((index, sheet.frames.get(index)?)))
        else {
            continue;
        };
        found.add(Code::KeyInArt, Some(index), || {
            format!("{}: {} {advice}", this_frame(frame), pixels(u64::from(*count)))
        });
    }
    found.add_uncounted(Code::KeyInArt, in_key_cell.more());
    found.finish()
}

fn pixels(count: u64) -> String {
    if count == 1 { "1 pixel".to_owned() } else { format!("{count} pixels") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PixelRect;
    use crate::model::{Frame, FrameId, TextureSettings};
    use crate::slicing::findings::Few;

    fn told(listed: &[(u32, u32)], in_all: u64, key: Option<[u8; 3]>) -> Vec<(Option<u32>, String)> {
        let frames = ["walk", ""].into_iter().zip(0..).map(|(name, id)| Frame {
            name: name.into(),
            ..Frame::new(FrameId(id), PixelRect::new(0, 0, 2, 2))
        });
        let settings = TextureSettings { chroma_key: key.map(Into::into), ..TextureSettings::default() };
        let sheet = Sheet { frames: frames.collect(), settings: settings.into(), ..Sheet::default() };
        let findings = Findings {
            in_key_cell: Few { listed: listed.to_vec(), count: listed.len() as u32 },
            in_key_cell_in_all: in_all,
            ..Findings::default()
        };
        let found = key_problems(&sheet, &findings, |position| Some(position as usize), "a.png");
        found.into_iter().map(|problem| (problem.frame, problem.message)).collect()
    }

    #[test]
    fn pixels_are_counted_for_each_frame_and_in_all() {
        let advice = "would be taken for the key #ff00ff and are stored a little off: repaint them or choose another key";
        let magenta = Some([255, 0, 255]);
        let walk = (Some(0), format!("The frame \"walk\": 3 pixels {advice}"));
        assert_eq!(told(&[(0, 3)], 3, magenta), std::slice::from_ref(&walk));
        let all = (None, format!("Of the whole image 5 pixels {advice}"));
        let second = (Some(1), format!("The frame: 1 pixel {advice}"));
        assert_eq!(told(&[(0, 3), (1, 1)], 5, magenta), [all, walk, second]);
        assert_eq!(told(&[], 1, magenta), [(None, format!("Of the whole image 1 pixel {advice}"))]);
        assert_eq!(told(&[], 0, magenta), []);
        assert_eq!(told(&[(0, 3)], 3, None), [], "the key is gone");
    }
}
