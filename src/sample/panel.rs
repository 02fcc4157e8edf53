//! `panel.png`: a window frame and a button in two states, drawn for nine-slicing: the corners hold the ornaments, and
//! edges and middle look the same at every length.

use super::Picture;
use super::palette::{Colour, INK, colour};
use crate::geometry::{Offset, PixelRect, Size};

/// Borders of the window frame, on all sides.
const PANEL_BORDER: i32 = 12;
const BUTTON_BORDERS: [i32; 4] = [5, 6, 6, 6];

/// A frame of the sheet.
pub(super) struct PanelFrame {
    /// What it is.
    pub(super) name: &'static str,
    /// Where it is, in pixels of the sheet.
    pub(super) rect_in_image: PixelRect,
    /// Nine-slice borders: top, right, bottom, left.
    pub(super) borders: [i32; 4],
}

/// The frames in their order: the window, the button, the button while it is pressed.
pub(super) const FRAMES: [PanelFrame; 3] = [
    PanelFrame { name: "panel", rect_in_image: PixelRect::new(0, 0, 48, 48), borders: [PANEL_BORDER; 4] },
    PanelFrame { name: "button", rect_in_image: PixelRect::new(0, 50, 48, 16), borders: BUTTON_BORDERS },
    PanelFrame {
        name: "button_pressed",
        rect_in_image: PixelRect::new(0, 68, 48, 16),
        borders: BUTTON_BORDERS,
    },
];

const CORNER: &str = "
...kkkkkk...
..kYyyyook..
.kYyyyoooOk.
kYyykkkkooOk
kyykqrrRkoOk
kyykrwrRkoOk
kyykrrRRkoOk
kyokRRRQkoOk
koookkkkooOk
.koooooooOk.
..kOOOOOOk..
...kkkkkk...
";

/// What a border is made of, from the outside in; a dot is clear.
const TOP_AND_LEFT: &str = "..kYyokMNNBN";
const BOTTOM_AND_RIGHT: &str = "..kOoykMNNMN";

/// The sheet.
pub(super) fn sheet() -> Picture {
    let mut sheet = Picture::new(Size::new(48, 84));
    let pictures = [window(), button(false), button(true)];
    for (frame, picture) in FRAMES.iter().zip(&pictures) {
        sheet.draw(picture, Offset::new(frame.rect_in_image.x, frame.rect_in_image.y));
    }
    sheet
}

fn window() -> Picture {
    let mut window = Picture::new(Size::new(48, 48));
    let last = window.width() - 1;
    window.fill(PixelRect::new(8, 8, 32, 32), colour('N'));
    for (depth, (lit, shaded)) in (0..).zip(TOP_AND_LEFT.chars().zip(BOTTOM_AND_RIGHT.chars())) {
        let length = last + 1 - 2 * depth;
        if lit != '.' {
            window.fill(PixelRect::new(depth, last - depth, length, 1), colour(shaded));
            window.fill(PixelRect::new(last - depth, depth, 1, length), colour(shaded));
            window.fill(PixelRect::new(depth, depth, length, 1), colour(lit));
            window.fill(PixelRect::new(depth, depth, 1, length), colour(lit));
        }
    }
    let corner = Picture::from_text(CORNER);
    let far = last + 1 - PANEL_BORDER;
    for (x, y) in [(0, 0), (far, 0), (0, far), (far, far)] {
        window.draw(&corner, Offset::new(x, y));
    }
    window
}

fn button(pressed: bool) -> Picture {
    let mut button = Picture::new(Size::new(48, 16));
    let (top, lip) = if pressed { (2, 1) } else { (0, 3) };
    let face = PixelRect::new(0, top, 48, 16 - top);
    rounded(&mut button, face, INK);
    rounded(&mut button, PixelRect::new(1, top + 1, 46, 14 - top), colour('N'));
    let body = PixelRect::new(1, top + 1, 46, 14 - top - lip);
    let [light, middle, dark] = if pressed { ['b', 'B', 'B'] } else { ['c', 'b', 'B'] }.map(colour);
    rounded(&mut button, body, dark);
    rounded(&mut button, PixelRect::new(body.x, body.y, body.width - 1, body.height - 1), light);
    rounded(&mut button, PixelRect::new(body.x + 1, body.y + 1, body.width - 2, body.height - 2), middle);
    if !pressed {
        button.fill(PixelRect::new(3, top + 2, 2, 1), colour('w'));
        button.put(2, top + 3, colour('w'));
    }
    button
}

/// A filled rectangle without its four corner pixels.
fn rounded(picture: &mut Picture, rect: PixelRect, fill: Colour) {
    picture.fill(PixelRect::new(rect.x + 1, rect.y, rect.width - 2, 1), fill);
    picture.fill(PixelRect::new(rect.x, rect.y + 1, rect.width, rect.height - 2), fill);
    picture.fill(PixelRect::new(rect.x + 1, rect.y + rect.height - 1, rect.width - 2, 1), fill);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_is_full_and_nothing_is_between_them() {
        let mut sheet = sheet();
        for PanelFrame { name, rect_in_image, .. } in &FRAMES {
            let part = sheet.cropped(*rect_in_image);
            let ink = part.ink_rect().unwrap();
            assert_eq!(
                (ink.width, ink.right(), ink.bottom()),
                (48, 48, i64::from(rect_in_image.height)),
                "{name}"
            );
        }
        for frame in &FRAMES {
            sheet.fill(frame.rect_in_image, super::super::palette::CLEAR);
        }
        assert_eq!(sheet.ink_rect(), None);
    }

    #[test]
    fn edges_and_middle_look_the_same_at_every_length() {
        let sheet = sheet();
        for PanelFrame { name, rect_in_image: rect, borders: [top, right, bottom, left] } in &FRAMES {
            let part = sheet.cropped(*rect);
            for y in 0..part.height() {
                for x in *left..part.width() - right {
                    assert_eq!(part.get(x, y), part.get(*left, y), "{name}: column {x}, row {y}");
                }
            }
            for x in 0..part.width() {
                for y in *top..part.height() - bottom {
                    assert_eq!(part.get(x, y), part.get(x, *top), "{name}: column {x}, row {y}");
                }
            }
        }
    }
}
