//! The application's icon: the sample's hero inside a frame that is being cut.

use super::Picture;
use super::character;
use super::palette::{INK, colour};
use crate::geometry::{Offset, PixelRect, Size};

const SIDE: i32 = 64;

/// 64 by 64 pixels.
pub fn icon() -> Picture {
    let mut icon = Picture::new(Size::new(SIDE as u32, SIDE as u32));
    rounded(&mut icon, PixelRect::new(0, 0, SIDE, SIDE), 'k');
    // A card with light on its upper left edges and a lip below.
    rounded(&mut icon, PixelRect::new(2, 2, SIDE - 4, SIDE - 4), 'B');
    rounded(&mut icon, PixelRect::new(2, 2, SIDE - 4, SIDE - 8), 'c');
    rounded(&mut icon, PixelRect::new(4, 4, SIDE - 6, SIDE - 10), 'b');
    let head = character::portrait().outlined(INK).enlarged(3);
    icon.draw(&head, Offset::new((SIDE - head.width()) / 2, SIDE - 5 - head.height()));
    cut_marks(&mut icon);
    icon
}

/// A filled square with round corners.
fn rounded(icon: &mut Picture, rect: PixelRect, letter: char) {
    // How far each of the outer rows is drawn in: a quarter circle of eight pixels.
    const ROUND: [i32; 8] = [8, 5, 4, 3, 2, 1, 1, 1];
    for row in 0..rect.height {
        let from_edge = row.min(rect.height - 1 - row);
        let drawn_in = ROUND.get(from_edge as usize).copied().unwrap_or(0);
        let line = PixelRect::new(rect.x + drawn_in, rect.y + row, rect.width - 2 * drawn_in, 1);
        icon.fill(line, colour(letter));
    }
}

/// The corners of a selected frame.
fn cut_marks(icon: &mut Picture) {
    const LENGTH: i32 = 12;
    let (near, far) = (6, SIDE - 6 - 3);
    for (corner_x, corner_y) in [(near, near), (far, near), (near, far), (far, far)] {
        let start = |corner: i32| if corner == near { corner } else { corner + 3 - LENGTH };
        let across = PixelRect::new(start(corner_x), corner_y, LENGTH, 3);
        let down = PixelRect::new(corner_x, start(corner_y), 3, LENGTH);
        for rect in [across, down] {
            icon.fill(PixelRect::new(rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2), INK);
        }
        for rect in [across, down] {
            icon.fill(rect, colour('y'));
        }
    }
}
