//! What is wrong with a sheet's frames by their pixels.

use super::found::{Found, other_frame, this_frame};
use crate::geometry::Size;
use crate::model::{Code, Problem, Sheet};
use crate::slicing::Findings;
use crate::slicing::arrange::Edges;

/// The problems that a census found in the asset at `path`. `frame_at` tells where in the sheet the frame is now that
/// was at a position of the census; findings about frames that are gone are left out.
pub fn ink_problems(
    sheet: &Sheet,
    findings: &Findings,
    frame_at: impl Fn(u32) -> Option<usize>,
    path: &str,
) -> Vec<Problem> {
    let Findings { empty, identical, cut, .. } = findings;
    let mut found = Found::new(sheet, path);
    let frame_at = |position: u32| {
        let index = frame_at(position)?;
        Some((index, sheet.frames.get(index)?))
    };
    for (index, frame) in empty.listed.iter().filter_map(|position| frame_at(*position)) {
        found.add(Code::FrameEmpty, Some(index), || {
            format!("{} is empty, no pixel of it can be seen: delete it or paint it", this_frame(frame))
        });
    }
    for (copy, first) in &identical.listed {
        let (Some((index, frame)), Some((first, of_first))) = (frame_at(*copy), frame_at(*first)) else {
            continue;
        };
        found.add(Code::FramesIdentical, Some(index), || {
            let first = other_frame(first, of_first);
            format!(
                "{} looks exactly as {first} does: delete the copy unless both are meant",
                this_frame(frame)
            )
        });
    }
    for (position, edges) in &cut.listed {
        let Some((index, frame)) = frame_at(*position) else { continue };
        found.add(Code::InkTouching, Some(index), || {
            format!(
                "{} cuts a sprite at {}: grow it to all of the sprite",
                this_frame(frame),
                edge_words(*edges)
            )
        });
    }
    found.add_uncounted(Code::FrameEmpty, empty.more());
    found.add_uncounted(Code::FramesIdentical, identical.more());
    found.add_uncounted(Code::InkTouching, cut.more());
    found.finish()
}

/// Positions in the sheet of the frames that have pixels in an image of that size: those that a census looks at.
pub fn drawn_frames(sheet: &Sheet, image: Size) -> Vec<usize> {
    let frames = sheet.frames.iter().enumerate();
    frames.filter(|(_, frame)| frame.drawn_rect(image).is_some()).map(|(index, _)| index).collect()
}

/// "its left edge", "its left and bottom edges".
fn edge_words(edges: Edges) -> String {
    let Edges { left, top, right, bottom } = edges;
    let named = [(left, "left"), (right, "right"), (top, "top"), (bottom, "bottom")];
    let names: Vec<_> = named.into_iter().filter(|(is_cut, _)| *is_cut).map(|(_, name)| name).collect();
    match names.as_slice() {
        [] => "an edge".to_owned(),
        [one] => format!("its {one} edge"),
        [others @ .., last] => format!("its {} and {last} edges", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PixelRect;
    use crate::model::{Frame, FrameId};
    use crate::slicing::findings::Few;

    fn sheet(names: &[&str]) -> Sheet {
        let frames = (0..).zip(names).map(|(id, name)| Frame {
            name: (*name).into(),
            ..Frame::new(FrameId(id), PixelRect::new(0, 0, 2, 2))
        });
        Sheet { frames: frames.collect(), ..Sheet::default() }
    }

    #[test]
    fn each_finding_is_told_of_the_frame_where_it_is_now() {
        let findings = Findings {
            empty: Few { listed: vec![0, 1], count: 2 },
            identical: Few { listed: vec![(3, 2), (3, 0)], count: 2 },
            cut: Few {
                listed: vec![(2, Edges { left: true, top: true, bottom: true, right: false })],
                count: 1,
            },
            ..Findings::default()
        };
        // The first frame is gone, the others moved up.
        let frame_at = |position: u32| (position as usize).checked_sub(1);
        let sheet = sheet(&["", "run", "jump\u{202e}"]);
        let found = ink_problems(&sheet, &findings, frame_at, "a.png");
        let told: Vec<_> = found.iter().map(|it| (it.code, it.frame, it.message.as_str())).collect();
        assert_eq!(
            told,
            [
                (
                    Code::FrameEmpty,
                    Some(0),
                    "The frame is empty, no pixel of it can be seen: delete it or paint it"
                ),
                (
                    Code::FramesIdentical,
                    Some(2),
                    "The frame \"jump\\u{202e}\" looks exactly as frame 1 \"run\" does: delete the copy unless both are meant"
                ),
                (
                    Code::InkTouching,
                    Some(1),
                    "The frame \"run\" cuts a sprite at its left, top and bottom edges: grow it to all of the sprite"
                ),
            ]
        );
        let found = ink_problems(&sheet.ignoring(Code::FrameEmpty), &findings, frame_at, "a.png");
        assert_eq!(found.len(), 2, "what is ignored is not told");
    }

    #[test]
    fn what_is_not_listed_is_counted() {
        let empty = Few { listed: (0..200).collect(), count: 4096 };
        let findings = Findings { empty, ..Findings::default() };
        let sheet = sheet(&[""; 200]);
        let found = ink_problems(&sheet, &findings, |position| Some(position as usize), "a.png");
        assert_eq!((found.len(), found[200].frame), (201, None));
        assert!(found[200].message.starts_with("There are 3896 more empty frames"), "{}", found[200].message);
    }
}
