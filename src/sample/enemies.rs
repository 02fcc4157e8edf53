//! `enemies.png`: a slime that squashes and stretches, and a bat, on an opaque sheet with a key colour, as many older
//! sheets are.

use super::Picture;
use super::palette::{INK, KEY, colour};
use crate::geometry::{Offset, PixelRect, Size};

const SHEET: Size = Size::new(160, 64);
/// Bottom row of the slimes and middle row of the bats.
const SLIME_GROUND: i32 = 28;
const BAT_MIDDLE: i32 = 46;

const BAT_BODY: &str = "
.v........p.
.vv......pp.
.vvv....ppP.
.vVvvvvpppP.
vVVvvvvvpppP
vVYYvvvYYppP
vvYkvvvYkppP
vvYkvvvYkppP
vvvvvvpppppP
.vvwkkkwppP.
..vvppppPP..
....ppPP....
";

const WING_UP: &str = "
.......pp..
......pPPp.
.....pPmPp.
....pPPmPp.
...pPPmPPp.
..pPPPmPPp.
.pPPPmPPmp.
pPPPmPP.mp.
PPPmPP...p.
PPmP.......
Pm.........
";

const WING_LEVEL: &str = "
...ppppp.....
.ppPPPPPppp..
pPPmPPPmPPPpp
PPPmPPPPmPPPp
PPmPPmPPPmPPp
Pm.PPmPP.mPP.
....mP....PP.
....m......p.
";

const WING_DOWN: &str = "
pp........
PPpp......
PPPPpp....
PmPPPPp...
PmPPmPPp..
PPmPPmPPp.
.PmPPmPPp.
.m.PPPmPp.
....PPmPp.
.....m.Pp.
.......p..
";

/// A slime: size of its body in pixels and whether its eyes are shut.
struct Slime {
    size: Size,
    eyes_shut: bool,
}

const SLIMES: [Slime; 4] = [
    Slime { size: Size::new(20, 15), eyes_shut: false },
    Slime { size: Size::new(25, 10), eyes_shut: true },
    Slime { size: Size::new(15, 20), eyes_shut: false },
    Slime { size: Size::new(18, 17), eyes_shut: false },
];

/// A bat: its wing, how far above the body's top the wing begins, and how far the body is above the middle.
const BATS: [(&str, i32, i32); 4] =
    [(WING_UP, -6, -2), (WING_LEVEL, 1, 0), (WING_DOWN, 4, 3), (WING_LEVEL, 2, 1)];

/// The sheet: every pixel opaque, [`KEY`] where nothing is.
pub(super) fn sheet() -> Picture {
    let mut sheet = Picture::new(SHEET);
    sheet.fill(PixelRect::of_image(SHEET), KEY);
    let mut x = 6;
    for slime in &SLIMES {
        let picture = draw_slime(slime);
        sheet.draw(&picture, Offset::new(x, SLIME_GROUND - picture.height()));
        x += picture.width() + 18;
    }
    let mut x = 3;
    for (wing, above, rise) in BATS {
        let picture = draw_bat(wing, above);
        sheet.draw(&picture, Offset::new(x, BAT_MIDDLE - picture.height() / 2 - rise));
        x += picture.width() + 5;
    }
    sheet
}

fn draw_slime(slime: &Slime) -> Picture {
    let mut body = Picture::new(slime.size);
    let (width, height) = (slime.size.width as f32, slime.size.height as f32);
    // A tall body under a wide one's curve would be pointed.
    let tall = (height / width * 0.9).min(1.0);
    for y in 0..body.height() {
        for x in 0..body.width() {
            // From -1 to 1 across; from 0 at the top to 1 at the ground, where the body is widest.
            let across = (x as f32 + 0.5) / width * 2.0 - 1.0;
            let down = (y as f32 + 0.5) / height;
            let half = slime_half_width(down, tall) * if y == body.height() - 1 { 0.92 } else { 1.0 };
            if across.abs() <= half {
                body.put(x, y, colour(slime_shade(across / half, down)));
            }
        }
    }
    let (shine_x, shine_y) = ((width * 0.22) as i32, (height * 0.22) as i32);
    body.fill(PixelRect::new(shine_x, shine_y, 2, 1), colour('w'));
    body.put(shine_x - 1, shine_y + 1, colour('w'));
    draw_face(&mut body, slime.eyes_shut);
    body.outlined(INK)
}

/// Half the width, of 1, between a circle's and a rounder curve. Products and a root only: those are the same on
/// every machine, powers are not.
fn slime_half_width(down: f32, tall: f32) -> f32 {
    let up = 1.0 - down * 0.93;
    let (square, fourth) = (up * up, up * up * up * up);
    (1.0 - square - (fourth - square) * tall).max(0.0).sqrt()
}

fn draw_face(body: &mut Picture, eyes_shut: bool) {
    let middle = body.width() / 2;
    let top = body.height() * 2 / 5;
    for x in [middle - 4, middle + 2] {
        if eyes_shut {
            body.fill(PixelRect::new(x - 1, top + 1, 3, 1), INK);
        } else {
            body.fill(PixelRect::new(x, top, 2, 3), INK);
            body.put(x, top, colour('w'));
        }
    }
    for cheek in [middle - 5, middle + 4] {
        body.put(cheek, top + 3, colour('G'));
    }
    body.fill(PixelRect::new(middle - 1, top + 3, 2, 1), colour('n'));
}

/// Light from the top left, a dark rim at the bottom right.
fn slime_shade(across: f32, down: f32) -> char {
    let light = across * 0.55 + down * 0.75;
    match light {
        v if v < -0.08 => 'L',
        v if v < 0.28 => 'l',
        v if v < 0.82 => 'g',
        v if v < 1.05 => 'G',
        _ => 'n',
    }
}

fn draw_bat(wing: &str, above: i32) -> Picture {
    let body = Picture::from_text(BAT_BODY);
    let right = Picture::from_text(wing);
    let mut canvas = Picture::new(Size::new(64, 48));
    let at = Offset::new(32 - body.width() / 2, 16);
    let top = at.y + above;
    canvas.draw(&right, Offset::new(at.x + body.width() - 1, top));
    canvas.draw(&right.mirrored(), Offset::new(at.x + 1 - right.width(), top));
    canvas.draw_set_off(&body, at, colour('m'));
    canvas.trimmed().outlined(INK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_is_opaque_and_the_border_is_the_key_colour() {
        let sheet = sheet();
        assert_eq!(sheet.size, Size::new(160, 64));
        assert!(sheet.rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 255));
        for x in 0..160 {
            assert_eq!([sheet.get(x, 0), sheet.get(x, 63)], [KEY, KEY]);
        }
        for y in 0..64 {
            assert_eq!([sheet.get(0, y), sheet.get(159, y)], [KEY, KEY]);
        }
    }

    #[test]
    fn the_four_slimes_and_the_four_bats_have_sizes_of_their_own() {
        let mut sizes: Vec<_> = SLIMES.iter().map(|slime| draw_slime(slime).size).collect();
        sizes.extend(BATS.iter().map(|(wing, above, _)| draw_bat(wing, *above).size));
        let widths: std::collections::BTreeSet<_> =
            sizes.iter().map(|size| (size.width, size.height)).collect();
        assert!(widths.len() >= 7, "{sizes:?}");
    }
}
