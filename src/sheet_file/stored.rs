//! What can be told to be wrong with a sheet once it is known how its texture is stored.

use super::found::{Found, other_frame, this_frame};
use crate::geometry::{PixelRect, Size, ToStored, stored_size};
use crate::model::{Code, Problem, Sheet, Storing, Target};
use crate::texture::Insets;

/// The kinds that [`stored_problems`] tells.
pub const OF_THE_STORED: [Code; 4] =
    [Code::FrameVanishes, Code::BordersCollapse, Code::TextureOverLimit, Code::FormatLosesAlpha];

/// The problems of a sheet on an image of that size, of the asset at `path`, when its texture is stored so, for a target
/// or for none. Whether the image has any alpha below 255 is told where it is known. What the sheet asks not to be told
/// is left out.
pub fn stored_problems(
    sheet: &Sheet,
    image: Size,
    image_has_alpha: Option<bool>,
    storing: &Storing,
    target: Option<&Target>,
    path: &str,
) -> Vec<Problem> {
    let mut found = Found::new(sheet, path);
    let sizes = ToStored { image, stored: stored_size(image, storing.max_size) };
    if sizes.stored != image {
        find_vanishing(sheet, sizes, &mut found);
    }
    find_collapsing(sheet, sizes, &mut found);
    find_over_limit(sizes.stored, target, &mut found);
    if image_has_alpha == Some(true) {
        find_lost_alpha(storing, &mut found);
    }
    found.finish()
}

/// The same of what only the image's alpha tells, when all else was told before it was known.
pub fn alpha_problems(sheet: &Sheet, storing: &Storing, path: &str) -> Vec<Problem> {
    let mut found = Found::new(sheet, path);
    find_lost_alpha(storing, &mut found);
    found.finish()
}

/// Frames whose edges come to the same place at the stored size. The loader gives such a frame one pixel all the same.
fn find_vanishing(sheet: &Sheet, sizes: ToStored, found: &mut Found<'_>) {
    for (index, frame) in sheet.frames.iter().enumerate().filter(|(_, frame)| !frame.unreadable) {
        let Some(rect) = frame.drawn_rect(sizes.image).filter(|rect| sizes.rect(*rect).is_empty()) else {
            continue;
        };
        found.add(Code::FrameVanishes, Some(index), || {
            format!(
                "{} vanishes: of {rect} nothing is left at {}, and the engine draws {} in its place. Give the texture a \
                 larger Max Size",
                this_frame(frame),
                sizes.stored,
                drawn_instead(sheet, rect, sizes)
            )
        });
    }
}

/// What the engine draws of a frame of which nothing is left: the pixel that its corner comes to.
fn drawn_instead(sheet: &Sheet, rect_in_image: PixelRect, sizes: ToStored) -> String {
    let drawn = sizes.drawn(rect_in_image);
    if drawn.clipped_to(sizes.stored).is_none() {
        return "nothing".to_owned();
    }
    // Of several the last lies over the others.
    let neighbour = sheet.frames.iter().enumerate().rev().find(|(_, frame)| {
        let rect = frame.drawn_rect(sizes.image).filter(|_| !frame.unreadable);
        rect.is_some_and(|rect| sizes.rect(rect).contains(drawn.x.into(), drawn.y.into()))
    });
    match neighbour {
        Some((index, frame)) => format!("a pixel of {}", other_frame(index, frame)),
        None => "a pixel from between the frames".to_owned(),
    }
}

/// Borders that leave nothing between them at the stored size, which the engine refuses to draw, and borders of which
/// nothing is left.
fn find_collapsing(sheet: &Sheet, sizes: ToStored, found: &mut Found<'_>) {
    let settings = &sheet.settings;
    let whole = PixelRect::of_image(sizes.image);
    if let Some(why) = collapse(whole, settings.nine_slice, sizes) {
        found.add(Code::BordersCollapse, None, || format!("The borders of the whole image collapse: {why}"));
    }
    if settings.frame_nine_slice.is_empty() {
        return;
    }
    for (index, frame) in sheet.frames.iter().enumerate().filter(|(_, frame)| !frame.unreadable) {
        let borders = settings.borders_of(Some(frame.id));
        let rect = frame.drawn_rect(sizes.image).filter(|rect| !sizes.rect(*rect).is_empty());
        if let Some(why) = rect.and_then(|rect| collapse(rect, borders, sizes)) {
            found.add(Code::BordersCollapse, Some(index), || {
                format!("The borders of {} collapse: {why}", lower(&this_frame(frame)))
            });
        }
    }
}

/// A sentence's first words inside of another.
fn lower(text: &str) -> String {
    text.replacen("The ", "the ", 1)
}

/// Which borders of a rectangle collapse and what to do; `None` for none. The edges are mapped as the loader maps them.
fn collapse(rect_in_image: PixelRect, borders: Insets, sizes: ToStored) -> Option<String> {
    let Insets { left, right, top, bottom } = borders;
    let drawn = sizes.rect(rect_in_image);
    let (x0, y0, x1, y1) = (i64::from(drawn.x), i64::from(drawn.y), drawn.right(), drawn.bottom());
    let stored = [
        ("left", left, sizes.x(i64::from(rect_in_image.x) + i64::from(left)) - x0),
        ("right", right, x1 - sizes.x(rect_in_image.right() - i64::from(right))),
        ("top", top, sizes.y(i64::from(rect_in_image.y) + i64::from(top)) - y0),
        ("bottom", bottom, y1 - sizes.y(rect_in_image.bottom() - i64::from(bottom))),
    ];
    let mut faults = Vec::new();
    for (sides, of, length) in [(&stored[..2], "width", x1 - x0), (&stored[2..], "height", y1 - y0)] {
        let [(first, _, from), (last, _, to)] = sides else { continue };
        if from + to > 0 && from + to >= length {
            faults.push(format!("{first} {from} and {last} {to} leave nothing of a {of} of {length}"));
        }
    }
    let gone = stored.iter().filter(|(_, in_image, in_stored)| *in_image > 0 && *in_stored <= 0);
    faults.extend(gone.map(|(side, in_image, _)| format!("{side}, {in_image} in the image, becomes 0")));
    if faults.is_empty() {
        return None;
    }
    let faults = faults.join("; ");
    Some(if sizes.stored == sizes.image {
        format!("{faults}. Make the borders smaller")
    } else {
        format!("{faults} at {}. Change the borders or give the texture a larger Max Size", sizes.stored)
    })
}

/// The device of a target holds no texture as large as this one.
fn find_over_limit(stored: Size, target: Option<&Target>, found: &mut Found<'_>) {
    let Some((target, most)) = target.and_then(|target| Some((target, target.max_texture?))) else { return };
    if stored.width.max(stored.height) > most {
        found.add(Code::TextureOverLimit, None, || {
            format!(
                "The texture, {stored}, is larger than {} holds, {most} px a side: set Max Size {most} for it",
                target.name
            )
        });
    }
}

/// A format that was asked for and keeps no alpha, for an image that has some. A chroma key is another way to have
/// pixels that are not drawn.
fn find_lost_alpha(storing: &Storing, found: &mut Found<'_>) {
    let Some(format) = storing.format.filter(|format| !format.has_alpha()) else { return };
    if storing.chroma_key.is_some() {
        return;
    }
    found.add(Code::FormatLosesAlpha, None, || {
        format!(
            "The image has pixels that can be seen through, and {format} draws them solid: choose Automatic, RGB565A8 or \
             RGBA8888, or set a chroma key"
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Frame, FrameId, TextureSettings};
    use crate::texture::PixelFormat;

    fn sheet(frames: &[(PixelRect, &str)]) -> Sheet {
        let frames = (0..).zip(frames);
        let frames = frames
            .map(|(id, (rect, name))| Frame { name: (*name).into(), ..Frame::new(FrameId(id), *rect) })
            .collect();
        Sheet { frames, ..Sheet::default() }
    }

    fn told(
        sheet: &Sheet,
        image: Size,
        storing: &Storing,
        alpha: Option<bool>,
    ) -> Vec<(Option<u32>, String)> {
        let found = stored_problems(sheet, image, alpha, storing, None, "a.png");
        found.into_iter().map(|problem| (problem.frame, problem.message)).collect()
    }

    #[test]
    fn what_is_drawn_of_a_frame_that_vanishes_is_told() {
        let [before, thin, last] =
            [PixelRect::new(0, 0, 40, 10), PixelRect::new(40, 0, 1, 10), PixelRect::new(99, 0, 1, 10)];
        let beyond = PixelRect::new(41, 0, 40, 10);
        let to_ten = Storing { max_size: Some(10), ..Storing::default() };
        // Edges 0, 40, 41, 81, 99 and 100 of 100 come to 0, 4, 4, 8, 10 and 10 of 10.
        let frames = [(before, ""), (thin, "thin"), (beyond, "run"), (last, "")];
        let found = told(&sheet(&frames), Size::new(100, 10), &to_ten, None);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].0, Some(1));
        assert!(
            found[0].1.contains("\"thin\" vanishes") && found[0].1.contains("a pixel of frame 2 \"run\"")
        );
        assert!(found[1].0 == Some(3) && found[1].1.contains("the engine draws nothing"));
        let alone = told(&sheet(&frames[..2]), Size::new(100, 10), &to_ten, None);
        assert!(alone[0].1.contains("a pixel from between the frames"), "{alone:?}");
    }

    #[test]
    fn borders_that_meet_or_are_gone_are_told_with_their_sides() {
        let with_borders = |left, right, top, bottom| {
            let borders = Insets { left, right, top, bottom };
            let settings = TextureSettings {
                frame_nine_slice: [(FrameId(0), borders)].into(),
                ..TextureSettings::default()
            };
            Sheet { settings: settings.into(), ..sheet(&[(PixelRect::new(0, 0, 20, 20), "box")]) }
        };
        let small = with_borders(6, 6, 1, 2);
        let image = Size::new(40, 20);
        assert_eq!(told(&small, image, &Storing::default(), None), []);
        // To 8 x 4, a fifth: left 6 to 1 of 4, right 14 to 3, so 1; top 1 to 0 of 4; bottom 18 to 4, so 0.
        let to_eight = Storing { max_size: Some(8), ..Storing::default() };
        let found = told(&small, image, &to_eight, None);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, Some(0));
        let expected = "The borders of the frame \"box\" collapse: top, 1 in the image, becomes 0; bottom, 2 in the image, \
                        becomes 0 at 8 x 4. Change the borders or give the texture a larger Max Size";
        assert_eq!(found[0].1, expected);
        // 10 and 10 of 20 leave nothing to stretch.
        let wide = with_borders(10, 10, 0, 0);
        let found = told(&wide, image, &Storing::default(), None);
        assert!(
            found[0]
                .1
                .contains("left 10 and right 10 leave nothing of a width of 20. Make the borders smaller")
        );
        assert_eq!(told(&wide.ignoring(Code::BordersCollapse), image, &Storing::default(), None), []);
        let settings = TextureSettings {
            nine_slice: Insets { left: 0, right: 0, top: 12, bottom: 8 },
            ..TextureSettings::default()
        };
        let sheet = Sheet { settings: settings.into(), ..Sheet::default() };
        let found = told(&sheet, image, &Storing::default(), None);
        assert!(
            found[0].0.is_none()
                && found[0].1.contains("top 12 and bottom 8 leave nothing of a height of 20")
        );
    }

    #[test]
    fn alpha_is_lost_only_where_there_is_some_and_nothing_stands_for_it() {
        let storing = |format, key: Option<[u8; 3]>| Storing {
            format,
            chroma_key: key.map(Into::into),
            ..Storing::default()
        };
        let count = |storing: Storing, alpha| told(&sheet(&[]), Size::new(8, 8), &storing, alpha).len();
        for format in PixelFormat::ALL {
            let expected = usize::from(matches!(format, PixelFormat::Rgb888 | PixelFormat::Rgb565));
            assert_eq!(count(storing(Some(format), None), Some(true)), expected, "{format}");
        }
        assert_eq!(count(storing(Some(PixelFormat::Rgb565), None), Some(false)), 0);
        assert_eq!(count(storing(Some(PixelFormat::Rgb565), None), None), 0, "not known yet");
        assert_eq!(count(storing(Some(PixelFormat::Rgb565), Some([255, 0, 255])), Some(true)), 0);
        assert_eq!(count(storing(None, None), Some(true)), 0, "Automatic keeps it");
    }
}
