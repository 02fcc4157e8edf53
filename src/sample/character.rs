//! `player.png`: a young adventurer with a long scarf, put together from drawn parts that each frame moves a little.
//!
//! The rows are idle, walk and jump. A pose says where head, hands and feet are; the limbs between are drawn from
//! there, so a walk cycle is six poses and not six drawings.

use super::Picture;
use super::palette::{Colour, INK, colour};
use crate::geometry::{Offset, PixelRect, Size};

/// Side of a cell of `player.png`.
pub(super) const CELL: u32 = 32;

const HEAD: &str = "
......h.........
....hhaa.aaA....
...hhaaaaaaAAA..
..hhaahaaaaaAAA.
.hhaahaaaaAAAAA.
hhaaaaaaAAAAAAAj
.haaaAaaAAAAAAAj
.aaaAAaAAAfAAAAj
haaAAjAAfffAAffj
haAAjAAffffAffff
.aAAjFfffffffffF
.AAjFefffffffffF
aAjjFFfffffffff.
.A.jJFFffffffF..
....J.FFfff.....
";

const EYES_OPEN: &str = "
kk...kk
wk...wk
kk...kk
kk...kk
";

const EYES_HALF: &str = "
.......
kk...kk
kk...kk
kk...kk
";

const EYES_SHUT: &str = "
.......
.......
kk...kk
.......
";

const EYES_HAPPY: &str = "
.......
kkk.kkk
k.k.k.k
.......
";

const TORSO: &str = "
.bbBBBN.
bbbBBBBN
bbbBBBBN
xXXyOXXX
bbBBBBNN
bBBBBBBN
";

const SCARF: &str = "
.qrrrrrrR.
qrrrrrrrRR
.RRrrRRRR.
";

const TAILS: [&str; 4] = [
    "
..........
..........
.......qrr
....qqrrrR
..qqrrrRR.
qqrrRRR...
rRR.R.....
R.........
",
    "
..........
..........
.......qrr
..qqqqrrrR
qqrrrrrRR.
rRRRRR....
.RR.......
",
    "
..........
.qqq......
qrrrqqqqrr
rRRrrrrrrR
R..RRRRRR.
",
    "
.qq.......
qrrrq.....
rRRrrqqqrr
.R.RrrrrrR
.....RRRR.
",
];

const TAIL_DOWN: &str = "
......qrr
....qqrrR
...qrrrR.
..qrrrR..
..qrrR...
.qrrrR...
.qrrR....
qrrRr....
qR.rR....
R...R....
";

const TAIL_UP: &str = "
.q........
qrq.......
rRrq......
R.rrq.....
..Rrrq....
...Rrrqq..
....Rrrrqr
.....RRrrR
.......RR.
";

const BOOT_FLAT: &str = "
tTTx.
TTTTx
XXXXX
";

const BOOT_HEEL: &str = "
.tTxT
tTTTx
TTXX.
.X...
";

const BOOT_TOE: &str = "
tT...
TTTx.
XTTTx
.XXXX
";

const BOOT_HANGING: &str = "
tTx..
XTTx.
XTTTx
.XXX.
";

#[derive(Clone, Copy)]
struct Foot {
    /// From the middle of the body to the ankle's left edge.
    x: i32,
    /// Above the ground.
    lift: i32,
    boot: &'static str,
}

#[derive(Clone, Copy)]
struct Pose {
    /// How far head and body are above where they stand at rest.
    rise: i32,
    /// How far the head is above its place on the body.
    neck: i32,
    eyes: &'static str,
    /// From the shoulder.
    near_hand: Offset,
    /// From the other shoulder.
    far_hand: Offset,
    near_foot: Foot,
    far_foot: Foot,
    /// The end of the scarf that hangs behind.
    tail: &'static str,
    /// From where the scarf's tail begins at rest.
    tail_at: Offset,
}

const STANDING: Pose = Pose {
    rise: 0,
    neck: 0,
    eyes: EYES_OPEN,
    near_hand: Offset::new(-1, 5),
    far_hand: Offset::new(1, 5),
    near_foot: Foot { x: -4, lift: 0, boot: BOOT_FLAT },
    far_foot: Foot { x: 1, lift: 0, boot: BOOT_FLAT },
    tail: TAILS[0],
    tail_at: Offset::new(0, 0),
};

/// Row of the soles in the working canvas, which the outline makes one pixel larger on every side.
const GROUND: i32 = 28;
/// Column of the body's middle.
const MIDDLE: i32 = 14;

/// Breathing, and a blink.
fn idle() -> [Pose; 4] {
    let breathed_in =
        Pose { neck: 1, near_hand: Offset::new(-1, 4), far_hand: Offset::new(1, 4), ..STANDING };
    [
        STANDING,
        Pose { tail: TAILS[1], ..breathed_in },
        Pose { tail: TAILS[2], eyes: EYES_HALF, ..breathed_in },
        Pose { tail: TAILS[1], eyes: EYES_SHUT, ..STANDING },
    ]
}

/// Contact, down and passing with one foot, then with the other.
fn walk() -> [Pose; 6] {
    [
        step([(3, 0, BOOT_HEEL), (-7, 0, BOOT_TOE)], [(-4, 4), (4, 3)], 0, TAILS[1]),
        step([(1, 0, BOOT_FLAT), (-7, 2, BOOT_HANGING)], [(-3, 5), (3, 4)], -1, TAILS[0]),
        step([(-2, 0, BOOT_FLAT), (-2, 3, BOOT_HANGING)], [(0, 5), (1, 5)], 1, TAILS[2]),
        step([(-7, 0, BOOT_TOE), (3, 0, BOOT_HEEL)], [(4, 3), (-4, 4)], 0, TAILS[3]),
        step([(-7, 2, BOOT_HANGING), (1, 0, BOOT_FLAT)], [(3, 4), (-3, 5)], -1, TAILS[2]),
        step([(-2, 3, BOOT_HANGING), (-2, 0, BOOT_FLAT)], [(1, 5), (0, 5)], 1, TAILS[1]),
    ]
}

/// A pose of the walk; of feet (`x`, `lift`, `boot`) and hands the near one first.
fn step(feet: [(i32, i32, &'static str); 2], hands: [(i32, i32); 2], rise: i32, tail: &'static str) -> Pose {
    let [near_foot, far_foot] = feet.map(|(x, lift, boot)| Foot { x, lift, boot });
    let [near_hand, far_hand] = hands.map(|(x, y)| Offset::new(x, y));
    Pose { rise, near_hand, far_hand, near_foot, far_foot, tail, ..STANDING }
}

/// Crouch, rise, fall, land.
fn jump() -> [Pose; 4] {
    [
        Pose {
            rise: -3,
            neck: -1,
            near_hand: Offset::new(-4, 3),
            far_hand: Offset::new(-5, 3),
            near_foot: Foot { x: -6, lift: 0, boot: BOOT_FLAT },
            far_foot: Foot { x: 3, lift: 0, boot: BOOT_FLAT },
            tail: TAILS[3],
            ..STANDING
        },
        Pose {
            rise: 2,
            neck: 1,
            near_hand: Offset::new(-4, -1),
            far_hand: Offset::new(5, -3),
            near_foot: Foot { x: -4, lift: 2, boot: BOOT_HANGING },
            far_foot: Foot { x: 1, lift: 5, boot: BOOT_HANGING },
            tail: TAIL_DOWN,
            tail_at: Offset::new(0, 2),
            ..STANDING
        },
        Pose {
            rise: 3,
            near_hand: Offset::new(-5, -2),
            far_hand: Offset::new(6, -2),
            near_foot: Foot { x: -6, lift: 4, boot: BOOT_FLAT },
            far_foot: Foot { x: 2, lift: 3, boot: BOOT_HEEL },
            tail: TAIL_UP,
            tail_at: Offset::new(0, -5),
            ..STANDING
        },
        Pose {
            rise: -3,
            neck: -2,
            eyes: EYES_HAPPY,
            near_hand: Offset::new(-5, 2),
            far_hand: Offset::new(5, 2),
            near_foot: Foot { x: -7, lift: 0, boot: BOOT_FLAT },
            far_foot: Foot { x: 4, lift: 0, boot: BOOT_FLAT },
            tail: TAIL_UP,
            tail_at: Offset::new(0, -4),
        },
    ]
}

/// The sheet: 6 columns and 3 rows of cells, unused ones clear.
pub(super) fn sheet() -> Picture {
    let mut sheet = Picture::new(Size::new(6 * CELL, 3 * CELL));
    let rows: [&[Pose]; 3] = [&idle(), &walk(), &jump()];
    for (row, poses) in rows.iter().enumerate() {
        for (column, pose) in poses.iter().enumerate() {
            let at = Offset::new(column as i32 * CELL as i32, row as i32 * CELL as i32);
            sheet.draw(&draw(pose), at);
        }
    }
    sheet
}

fn draw(pose: &Pose) -> Picture {
    let mut canvas = Picture::new(Size::new(CELL - 2, CELL - 2));
    // Five rows of legs, five of body, fifteen of head; from back to front.
    let hip = GROUND - 5 - pose.rise;
    let shoulder = hip - 5;
    let head_top = shoulder - 15 - pose.neck;
    let tail = Picture::from_text(pose.tail);
    let knot = Offset::new(MIDDLE - 3, shoulder - 1 - pose.neck);
    canvas.draw(&tail, Offset::new(knot.x - tail.width() + pose.tail_at.x, knot.y - 2 + pose.tail_at.y));

    let far_arm = arm(Offset::new(MIDDLE + 3, shoulder + 1), pose.far_hand).in_shade();
    canvas.draw(&far_arm, Offset::default());
    canvas.draw(&leg(hip, 1, pose.far_foot).in_shade(), Offset::default());
    canvas.draw_set_off(&leg(hip, -1, pose.near_foot), Offset::default(), colour('K'));
    canvas.draw(&Picture::from_text(TORSO), Offset::new(MIDDLE - 4, shoulder));
    let near_arm = arm(Offset::new(MIDDLE - 3, shoulder + 1), pose.near_hand);
    canvas.draw_set_off(&near_arm, Offset::default(), colour('N'));

    let head = head(pose.eyes);
    canvas.draw_set_off(&head, Offset::new(MIDDLE - 7, head_top), colour('Q'));
    canvas.draw(&Picture::from_text(SCARF), Offset::new(MIDDLE - 5, shoulder - 1 - pose.neck));
    canvas.outlined(INK)
}

/// Head and scarf, without an outline.
pub(super) fn portrait() -> Picture {
    let mut portrait = Picture::new(Size::new(16, 17));
    portrait.draw(&head(EYES_OPEN), Offset::default());
    portrait.draw(&Picture::from_text(SCARF), Offset::new(2, 14));
    portrait
}

fn head(eyes: &str) -> Picture {
    let mut head = Picture::from_text(HEAD);
    head.draw(&Picture::from_text(eyes), Offset::new(7, 8));
    for x in [5, 13] {
        head.put(x, 12, colour('q'));
        head.put(x + 1, 12, colour('q'));
    }
    head
}

/// A sleeve from the shoulder and a hand at its end.
fn arm(shoulder: Offset, hand: Offset) -> Picture {
    let mut canvas = Picture::new(Size::new(CELL - 2, CELL - 2));
    let end = Offset::new(shoulder.x + hand.x, shoulder.y + hand.y);
    limb(&mut canvas, shoulder, end, [colour('c'), colour('b'), colour('B')]);
    canvas.fill(PixelRect::new(end.x - 1, end.y - 1, 3, 2), colour('f'));
    canvas.put(end.x + 1, end.y, colour('F'));
    canvas.fill(PixelRect::new(end.x, end.y + 1, 2, 1), colour('F'));
    canvas
}

/// A trouser leg from the hip and a boot at its end.
fn leg(hip: i32, side: i32, foot: Foot) -> Picture {
    let mut canvas = Picture::new(Size::new(CELL - 2, CELL - 2));
    let boot = Picture::from_text(foot.boot);
    let top = GROUND + 1 - foot.lift - boot.height();
    let ankle = MIDDLE + foot.x;
    limb(
        &mut canvas,
        Offset::new(MIDDLE + side * 2 - 1, hip),
        Offset::new(ankle + 1, top),
        [colour('d'), colour('D'), colour('K')],
    );
    canvas.draw(&boot, Offset::new(ankle, top));
    canvas
}

/// A line three pixels wide, light to dark from left to right.
fn limb(canvas: &mut Picture, from: Offset, to: Offset, shades: [Colour; 3]) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steps = dx.abs().max(dy.abs()).max(1);
    for step in 0..=steps {
        let x = from.x + (dx * step * 2 + steps * dx.signum()) / (steps * 2);
        let y = from.y + (dy * step * 2 + steps * dy.signum()) / (steps * 2);
        for (at, shade) in (-1..).zip(shades) {
            canvas.put(x + at, y, shade);
            if dx.abs() > dy.abs() {
                canvas.put(x + at, y + 1, shade);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(column: i32, row: i32) -> Picture {
        sheet().cropped(PixelRect::new(column * 32, row * 32, 32, 32))
    }

    #[test]
    fn used_cells_are_drawn_and_unused_ones_are_clear() {
        assert_eq!(sheet().size, Size::new(192, 96));
        for (row, used) in [(0, 4), (1, 6), (2, 4)] {
            for column in 0..6 {
                let ink = cell(column, row).ink_rect();
                assert_eq!(ink.is_some(), column < used, "column {column}, row {row}");
            }
        }
    }

    #[test]
    fn frames_that_follow_each_other_differ_also_around_the_loop() {
        for (row, count) in [(0, 4), (1, 6), (2, 4)] {
            for column in 0..count {
                assert_ne!(cell(column, row), cell((column + 1) % count, row), "column {column}, row {row}");
            }
        }
    }

    #[test]
    fn nothing_is_cut_off_at_the_edge_of_a_cell() {
        // What reaches the outermost pixels must be outline: ink inside would have lost its outline.
        for (row, count) in [(0, 4), (1, 6), (2, 4)] {
            for column in 0..count {
                let cell = cell(column, row);
                for along in 0..32 {
                    for (x, y) in [(along, 0), (along, 31), (0, along), (31, along)] {
                        assert!(
                            !cell.has_ink(x, y) || cell.get(x, y) == INK,
                            "column {column}, row {row}: {x}, {y}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn standing_frames_share_their_ground() {
        let bottoms: Vec<_> =
            (0..4).map(|column| cell(column, 0)).chain([0, 3].map(|column| cell(column, 1))).collect();
        let bottoms: Vec<_> = bottoms.iter().map(|cell| cell.ink_rect().unwrap().bottom()).collect();
        assert_eq!(bottoms, [31; 6]);
    }
}
