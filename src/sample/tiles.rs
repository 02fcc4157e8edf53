//! `tiles.png`: a tile set of 8 by 4 tiles with a margin and spacing of one pixel.
//!
//! Ground, stone, brick and water repeat without a seam; what stands on the ground has a clear background.

use super::Picture;
use super::palette::{CLEAR, INK, colour, darker};
use crate::geometry::{Offset, PixelRect, Size};

/// Side of a tile.
pub(super) const TILE: i32 = 16;
/// Clear pixels around the sheet and between tiles.
pub(super) const SPACING: i32 = 1;
/// Tiles across.
pub(super) const COLUMNS: i32 = 8;
/// Tiles down.
pub(super) const ROWS: i32 = 4;

const DIRT: &str = "
xxxxxxxxxxxxxxxx
xxxTTxxxxxxxxXxx
xxTtTXxxxxxxXXxx
xxXTXxxxxTxxxxxx
xxxxxxxxxxxxxxxx
xxxxxxxxxxxxxxTx
xTxxxXXxxxxxxxxx
xxxxXXxxxxTTTxxx
xxxxxxxxxTttTXxx
xxxxxxxxxTTTXXxx
xxxxxxxxxXXXXxxx
XxxxTxxxxxxxxxxX
XxxxxxxxxxxxxxXX
xxxxxxxXxxxxxxxx
xxTxxxXXxxxxTxxx
xxxxxxxxxxxxxxxx
";

const GRASS: &str = "
LlLLLlLLLLlLLlLL
llllgllllglllgll
lgllglglggllglgl
ggGgggGgggGggggG
gGGgGggGgGGgGggG
GGnGGgGnGGnGGGGn
nGnnGGGnnGnnGGnX
XnXXnGnXXnXXnnXX
XXxXXnXXxXXxXXxx
";

const STONE: &str = "
DSSSSSdKSSSSSSdK
SsSSdddKSsSSdddK
SSdddddKSSdddddK
SddddddKSddddddK
SdddddDKSdddddDK
ddddDDDKddddDDDK
KDDDDDKKKDDDDDKK
KKKKKKKKKKKKKKKK
SSdKSSSSSSdKSSSS
dddKSsSSdddKSsSS
dddKSSdddddKSSdd
dddKSddddddKSddd
ddDKSdddddDKSddd
DDDKddddDDDKdddd
DDKKKDDDDDKKKDDD
KKKKKKKKKKKKKKKK
";

const MOSS: &str = "
lLlllLlLllLlLLll
glgglgllglgglglg
GgGGg.GgGgGG.gGg
nG.n..nGnG...nGn
.n.....n.....n..
................
................
................
.lg.......lgg...
gGG......gGGn...
Gn........n.....
";

const BRICK: &str = "
aaaaAAjJaaaaAAjJ
aAAAAAjJaAAAAAjJ
AAAAjjjJAAAAjjjJ
JJJJJJJJJJJJJJJJ
AAjJaaaaAAjJaaaa
AAjJaAAAAAjJaAAA
jjjJAAAAjjjJAAAA
JJJJJJJJJJJJJJJJ
aaaaAAjJhaaaAAjJ
aAAAAAjJaaAAAAjJ
AAAAjjjJAAAAjjjJ
JJJJJJJJJJJJJJJJ
AAjJaaaaAAjJaaaa
AAjJaAAAAAjJaAAA
jjjJAAAAjjjJAAAA
JJJJJJJJJJJJJJJJ
";

const CRATE: &str = "
kkkkkkkkkkkkkkkk
ktttttttttttttTk
ktTTTTTTTTTTTTxk
ktTkkkkkkkkkkTxk
ktTktTxkTTTxkTxk
ktTkTtTxkTxtkTxk
ktTkxTtTxkxTkTxk
ktTkTxTtTxkTkTxk
ktTkTTxTtTxkkTxk
ktTkTTkxTtTxkTxk
ktTkTxTkxTtTkTxk
ktTkxTTTkxTtkTxk
ktTkkkkkkkkkkTxk
ktTTTTTTTTTTTTxk
kTxxxxxxxxxxxxXk
kkkkkkkkkkkkkkkk
";

const LADDER: &str = "
..kTxk....kTxk..
..ktxkkkkkktxk..
..kttttttttTxk..
..kTTTTTTTTTxk..
..ktxxxxxxxxxk..
..ktxkkkkkktxk..
..kTxk....kTxk..
..kTxk....kTxk..
..kTxk....kTxk..
..ktxkkkkkktxk..
..kttttttttTxk..
..kTTTTTTTTTxk..
..ktxxxxxxxxxk..
..ktxkkkkkktxk..
..kTxk....kTxk..
..kTxk....kTxk..
";

const SPIKES: &str = "
................
................
................
................
...kk......kk...
...kk......kk...
..kwSk....kwSk..
..kwSk....kwSk..
..kwSk....kwSk..
.kwsSdk..kwsSdk.
.kwsSdk..kwsSdk.
.kwsSdk..kwsSdk.
kwsSSddkkwsSSddk
kkkkkkkkkkkkkkkk
SSddddddddddddDD
kkkkkkkkkkkkkkkk
";

const FLOWERS: &str = "
................
................
................
....kkk.........
...kwwwk........
..kwwYwwk..kkk..
..kwYoYwk.kIiIk.
..kwwYwwkkIiYiIk
...kwwwk.kIYoYzk
....kGk..kIiYizk
..kkkGk...kIzIk.
.klgkGkkkkkkGk..
.kGggGkglk.kGkk.
..kGgGgGk.kkGglk
...kkGGk..kgGGk.
...kkGkkkkkkGkk.
";

const TALL_GRASS: &str = "
................
................
................
.....k..........
....klk....k....
....klk...klk...
.k..klgk..klk..k
klk.kllk.klgk.kl
kllkklgk.klgkkll
.klgkllgkklgkklg
.klgkklgkllgklg.
..klgklgklgkklgk
..kllglgGlgklgk.
...klgGlGlgGlgk.
...kGgGgGgGGgGk.
....kGnGGnGGnk..
";

const CLOUD: &str = "
................................................
................................................
...................CCCCC........................
.................CwwwwwwwC......................
...............CCwwwwwwwwwC.....................
..............CwwwwwwwwwwwwC..CCCC..............
.......CCCCC.CwwwwwwwwwwwwwwCCwwwwCC............
......CwwwwwCCwwwwwwwwwwwwwwwwwwwwwwC...........
.....CwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwCCCC.......
....CwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwCC.....
...CwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwC....
...CwwwwwwwwwwCwwwwwwwwwwwwwwCwwwwwwwwwwwwwwC...
...CCwwwwwCCCCCCCwwwwwwwwwCCCCCCwwwwwwwwwwwCC...
....CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC....
......CCCCCC..CCCCCCCCCCCCC..CCCCCCCCCCCCC......
................................................
";

const HILL: &str = "
................................
.............nnnnnn.............
..........nnnGGGGGGnn...........
........nnGGgGGGGGGGGnn.........
.......nGGggGGGGGGGGGGGn........
......nGggGGGGGGGGGGGGGGn.......
.....nGggGGGGGGGGGGGGGGGGn......
....nGggGGGGGGGnnGGGGGGGGGn.....
...nGgGGGGGGGGGGGGGGGGGGGGGn....
...nGgGGGGGGGGGGGGGGGGnGGGGn....
..nGgGGGGGGGGGGGGGGGGnnnGGGGn...
..nGGGGGnGGGGGGGGGGGGGGGGGGGn...
.nGgGGGnnnGGGGGGGGGGGGGGGGGGGn..
.nGGGGGGGGGGGGGGGGnnGGGGGGGGGn..
.nGGGGGGGGGGGGGGGGGGGGGGGGGGGGn.
nGGGGGGGGGGGGGGGGGGGGGGGGGGGGGn.
";

const WAVES: &str = "
................
................
....CCC.....CCC.
..CCwwwCC.CCwwwC
CCwwcccwwCwwcccw
wwccbbbccwccbbbc
ccbbbbbbbcbbbbbb
bbbbbbbbbbbbbbbb
";

const RIPPLES: &str = "
................
.cc.............
c..c.........ccc
............c...
................
....BBBB........
...B....B.......
..........ccc...
.........c...c..
................
................
BB............BB
..BB.........B..
.....ccc........
....c...........
................
";

const PLANK: &str = "
kkkkkkkkkkkkkkkk
tttttttttttttttt
TTTTTTTkTTTTTTTk
TTxTTTxkTTTxxTxk
xxxxxxxkxxxxxxxk
kkkkkkkkkkkkkkkk
..kTxk....kTxk..
...kk......kk...
";

const BLOCK: &str = "
kkkkkkkkkkkkkkkk
kYYYYYYYYYYYYYok
kYyyyyyyyyyyyyOk
kYykyyyyyyyykyOk
kYyyyyyYYyyyyyOk
kYyyyyYccOyyyyOk
kYyyyYccbbOyyyOk
kYyyYccbbbBOyyOk
kYyyYcbbbBBOyyOk
kYyyyObbBBOyyyOk
kYyyyyOBBOyyyyOk
kYyyyyyOOyyyyyOk
kYykyyyyyyyykyOk
kYyyyyyyyyyyyyOk
koOOOOOOOOOOOOuk
kkkkkkkkkkkkkkkk
";

const SIGN: &str = "
................
.kkkkkkkkkkkkkk.
ktttttttttttttTk
ktTTTTTTTTTTTTxk
ktTTTTTTwTTTTTxk
ktTTTTTTwwTTTTxk
ktTwwwwwwwwTTTxk
ktTTTTTTwwTTTTxk
ktTTTTTTwTTTTTxk
kTxxxxxxxxxxxxXk
.kkkkkkkkkkkkkk.
......ktxk......
......kTxk......
......kTxk......
....kkkTxkkk....
...klgkTxklgk...
";

const BUSH: &str = "
................
................
................
.....kkkk.......
....klLllkkk....
...klLllglllk...
..klLllgglllgk..
.kkllllgGlggGgk.
kllklggGGGgqGGgk
klLllgqGGggGGGnk
kllllggGllgGGnGk
klggqgGllggGqGnk
kgGggGGlggGGGnnk
kGGGGGnGGGnGGnnk
.knGnnnGnnnnnnk.
..kkkkkkkkkkkk..
";

const FOSSIL: &str = "
................
................
................
...kkkkk........
..kffffFkk......
.kffFFFFFek.....
.kfFkkkkFFek....
kffkfffFkFek....
kfFkfkFFkFekk...
kfFkfFkekFeFFk..
kfFFkkkFFFekFFk.
.kfFFFFFFekkFek.
.kkeFFFFeekFFk..
...keeeeekkek...
....kkkkk..k....
................
";

/// The tile set, all 32 tiles in their places.
pub(super) fn sheet() -> Picture {
    let pitch = TILE + SPACING;
    let (width, height) = (SPACING + COLUMNS * pitch, SPACING + ROWS * pitch);
    let mut sheet = Picture::new(Size::new(width as u32, height as u32));
    for (at, tile) in (0..).zip(tiles()) {
        let (column, row) = (at % COLUMNS, at / COLUMNS);
        sheet.draw(&tile, Offset::new(SPACING + column * pitch, SPACING + row * pitch));
    }
    sheet
}

/// All tiles, row by row.
fn tiles() -> [Picture; 32] {
    let text = Picture::from_text;
    let grass = over(text(DIRT), GRASS);
    let cloud = over(sky(48), CLOUD);
    let hill = over(sky(32), HILL);
    let water = over(filled(TILE, 'b'), RIPPLES);
    let column = |picture: &Picture, at: i32| picture.cropped(PixelRect::new(at * TILE, 0, TILE, TILE));
    [
        edged(grass.clone(), &[Side::Left]),
        grass.clone(),
        edged(grass.clone(), &[Side::Right]),
        edged(grass, &[Side::Left, Side::Right]),
        text(FLOWERS),
        text(TALL_GRASS),
        text(BUSH),
        text(SIGN),
        edged(text(DIRT), &[Side::Left]),
        text(DIRT),
        edged(text(DIRT), &[Side::Right]),
        over(text(DIRT), FOSSIL),
        text(STONE),
        over(text(STONE), MOSS),
        text(BRICK),
        text(CRATE),
        edged(text(DIRT), &[Side::Left, Side::Bottom]),
        edged(text(DIRT), &[Side::Bottom]),
        edged(text(DIRT), &[Side::Right, Side::Bottom]),
        wave_top(&water),
        water,
        padded(PLANK),
        text(LADDER),
        text(SPIKES),
        sky(TILE),
        column(&cloud, 0),
        column(&cloud, 1),
        column(&cloud, 2),
        column(&hill, 0),
        column(&hill, 1),
        text(BLOCK),
        padded(TORCH),
    ]
}

const TORCH: &str = "
................
.......y........
......yo........
......yyo.......
.....yYyo.......
.....yYYyo......
....oyYwyyo.....
....oyYwYyo.....
....royYYyr.....
.....rooor......
....kkkkkkk.....
....kdSSddk.....
.....kxTxk......
.....kxTxk......
......kxk.......
.......k........
";

fn filled(width: i32, letter: char) -> Picture {
    let mut tile = Picture::new(Size::new(width as u32, TILE as u32));
    tile.fill(PixelRect::new(0, 0, width, TILE), colour(letter));
    tile
}

fn sky(width: i32) -> Picture {
    filled(width, 'c')
}

fn over(mut below: Picture, above: &str) -> Picture {
    below.draw(&Picture::from_text(above), Offset::default());
    below
}

/// A drawing with fewer rows than a tile, at the tile's top.
fn padded(text: &str) -> Picture {
    let mut tile = Picture::new(Size::new(TILE as u32, TILE as u32));
    tile.draw(&Picture::from_text(text), Offset::default());
    tile
}

/// The water's surface: clear above the waves.
fn wave_top(water: &Picture) -> Picture {
    let mut tile = Picture::new(water.size);
    for y in 8..TILE {
        for x in 0..TILE {
            tile.put(x, y, water.get(x, y));
        }
    }
    over(tile, WAVES)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    Bottom,
}

/// Ground that ends on those sides: lit on the left, in the shade on the right and below, outlined.
fn edged(mut tile: Picture, sides: &[Side]) -> Picture {
    let last = TILE - 1;
    for along in 0..TILE {
        for side in sides {
            let at = |depth: i32| match side {
                Side::Left => (depth, along),
                Side::Right => (last - depth, along),
                Side::Bottom => (along, last - depth),
            };
            // The light or the shade of an edge is two pixels deep, with a notch here and there.
            let depth = if (along * 7 + 3) % 5 == 0 { 2 } else { 3 };
            for inner in 1..depth {
                let (x, y) = at(inner);
                let found = tile.get(x, y);
                let shaded = match side {
                    Side::Left if found == colour('x') => colour('T'),
                    Side::Left => found,
                    Side::Right | Side::Bottom => darker(found),
                };
                tile.put(x, y, shaded);
            }
            let (x, y) = at(0);
            tile.put(x, y, INK);
        }
    }
    for side in sides.iter().filter(|side| **side != Side::Bottom) {
        let x = if *side == Side::Left { 0 } else { last };
        let corner = if tile.get(TILE / 2, 0) == colour('x') { last } else { 0 };
        let rounded = corner == 0 || sides.contains(&Side::Bottom);
        if rounded {
            tile.put(x, corner, CLEAR);
            tile.put((x - 1).abs().min(last - 1).max(1), corner, INK);
        }
    }
    tile
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_is_sixteen_pixels_square_has_ink_and_differs_from_all_others() {
        let tiles = tiles();
        for (at, tile) in tiles.iter().enumerate() {
            assert_eq!(tile.size, Size::new(16, 16), "tile {at}");
            // Plain sky is the only tile of one colour; all have ink.
            assert!(tile.ink_rect().is_some(), "tile {at}");
            assert!(tiles[at + 1..].iter().all(|other| other != tile), "tile {at} occurs twice");
        }
    }

    #[test]
    fn margin_and_spacing_are_clear_and_the_closing_margin_is_there() {
        let sheet = sheet();
        assert_eq!(sheet.size, Size::new(137, 69));
        for at in 0..137 {
            for line in (0..137).step_by(17) {
                assert!(!sheet.has_ink(line, at) && !sheet.has_ink(at, line));
            }
        }
    }

    #[test]
    fn courses_of_stone_and_brick_go_on_across_the_seam() {
        for text in [STONE, BRICK] {
            let tile = Picture::from_text(text);
            let mortar = tile.get(0, 15);
            assert!((0..16).all(|x| tile.get(x, 15) == mortar), "the last row closes the lowest course");
            assert!((0..16).any(|x| tile.get(x, 0) != mortar), "the first row opens the next");
        }
    }

    #[test]
    fn ground_tiles_have_no_gap_where_they_meet() {
        let full = |at: usize| tiles()[at].rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 255);
        for at in [1, 9, 11, 12, 13, 14, 17, 20, 24, 25, 26, 27, 28, 29] {
            assert!(full(at), "tile {at}");
        }
    }
}
