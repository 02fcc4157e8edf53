//! `items.png`: sixteen things to pick up, of different sizes, packed as packing tools do it.

use super::Picture;
use super::palette::INK;
use crate::geometry::{Offset, PixelRect, Size};

/// Clear pixels between two items: enough for any slicer to tell them apart.
const GAP: i32 = 2;
/// Width of the packed sheet; its height follows.
const SHEET_WIDTH: i32 = 104;

const COIN: &str = "
...yyyy...
.yyYYYyoo.
.yYooooyO.
yYoyYyyoyO
yYoYyyyoYO
yYoyyyyoYO
yyoyyyooYO
.yyooooYO.
.ooYYYYoO.
...OOOO...
";

const GEM: &str = "
..cCCCbbBB..
.cCwCcbbBBB.
cCwCccbbbBBN
CCCcccbbbBBN
.CccccbbBBN.
..CcccbbBN..
...CccbBN...
....CcbN....
.....bN.....
";

const KEY: &str = "
..yyyy..
.yYyyoo.
yYy..yoO
yy....oO
yy....oO
yyy..ooO
.yooooO.
..yooO..
...yO...
...yO...
...yO...
...yOyo.
...yOoO.
...yO...
...yOyo.
...yOoO.
...oO...
";

const HEART: &str = "
..rrr...rrr..
.rqqrr.rrrrR.
rqwwqrrrrrrrR
rqwqrrrrrrrRR
rqqrrrrrrrrRR
rrrrrrrrrrrRR
.rrrrrrrrrRR.
..rrrrrrrRR..
...rrrrrRR...
....rrRRR....
.....RRQ.....
......Q......
";

const POTION: &str = "
....tTTx....
....TTxX....
....CssS....
.....sS.....
.....sS.....
...CsssSS...
..CsSSSSSd..
.CvvVVvvvvd.
.svvvvvvppd.
CvVVvvvpppPd
svVVvvvpppPd
svvvvVvppPPd
.svvvvppPPd.
..dppppPPd..
....dddd....
";

const SWORD: &str = "
....w....
...wsd...
...wsd...
...wsd...
...wsd...
...wsd...
...wsd...
...wsd...
...wsd...
...wsd...
...wsd...
...wsd...
.y.wSd.o.
yYyyooooO
.oyoooOO.
...tTx...
...xTX...
...tTx...
...xTX...
...yoO...
....O....
";

const SHIELD: &str = "
yyyyyyooooooOO
yYbbbbsSBBBBoO
yccbbbsSBBBBoO
ycbbbbsSBBBBoO
yCssssssSSSSoO
ysSSSSSSddddoO
ybbbbbsSBBBNoO
ybbbbbsSBBBNoO
yobbbbsSBBNNoO
.ybbbbsSBBNoO.
.yobbbsSBBNoO.
..yobbsSBNoO..
...yobBBNoO...
....yoNNoO....
.....ooOO.....
";

const MUSHROOM: &str = "
.....IIIII.....
...iiIIIIwwzz..
..iwwiIIIwsIzz.
.iiwsIIIIIIIIz.
.iIIIIwwwIIIIzz
iIIIIIwwwIIwwzz
IIIIIIwssIIwszz
zzzzzzzzzzzzzzz
.FfFfeFFeFeFee.
...fffffffFe...
....fffffFe....
....fffffFe....
....ffffFFe....
.....FFFFe.....
";

const APPLE: &str = "
......x.lg..
.....x.lgGG.
.....xGGGG..
..rrrXrrrr..
.rqqrXrrrrR.
rqwqrrrrrrRR
rqwqrrrrrrRR
rqrrrrrrrrRR
rrrrrrrrrrRQ
rrrrrrrrrRRQ
.rrrrrrrRRQ.
..rrRRrRRQ..
";

const BOMB: &str = "
.........y..y.
...........Y..
.........TyYyo
........T..o..
.......dT.y.o.
....dddDDK....
...dSSdDDKK...
..dSssdDDDKK..
.dSswdDDDDDKK.
.ddSdDDDDDDKK.
.dDDDDDDDDKKK.
.DDDDDDDDKKKK.
..DDDDDDKKKK..
...DDDKKKKK...
.....KKKK.....
";

const STAR: &str = "
.......y.......
......yYy......
......yYo......
.....yYYyo.....
yyyyyYYYyyooooO
.yYYYYYYyyyooO.
..yYYwYyyyyoO..
...yYYYyyyoO...
...yYYyyyyoO...
...yYyyyyyoO...
..yYyyyooyooO..
..yyyoO.OoooO..
.yyooO...OoooO.
.ooO.......OOO.
";

const SCROLL: &str = "
.ffffffffffffF.
fFeFffffffffeFe
.FFffffffffffe.
...fxxfxxxfF...
...ffffffffF...
...fxxxfxxfF...
...ffffffffF...
...fxfxxxffF...
...fffffqrfF...
.fffffffrRFffF.
fFeFffffFRFFeFe
.eFFFFFFFFFFFe.
";

const CHEST: &str = "
...tttttttttttTT..
..tTyoTTTTTTyoTTx.
.tTTyoTTTTTTyoTTxx
tTTTyoTTTTTTyoTTxx
tTxxyoxxxxxxyoxxxX
TTTTyoTTTTTTyoTTxX
yyyyyyyYYYyoooooOO
oOOOOOYyyyoOOOOOOu
kkkkkkYkkoOkkkkkkk
tTTTyoyykoOTyoTTxX
tTTTyoToOOTTyoTTxX
tTxxyoxxxxxxyoxxxX
tTTTyoTTTTTTyoTTxX
TxxxoOxxxxxxoOxxxX
";

const RING: &str = "
....CCc....
...CwcbB...
...CcbbB...
...obbBO...
..yYooooO..
.yYy...ooO.
yYy.....oO.
yY.......oO
yy.......oO
yy.......oO
.yo.....oO.
.yoo...ooO.
..oooooOO..
....OOO....
";

const FEATHER: &str = "
...........CCc
.........CCCcc
.......CCCccwb
......CCCccwbb
.....CCCccwbb.
....CCCccwbbB.
....CCccwbbB..
...CCccwbbB...
...CccwbbB....
...ccwbb......
..ccwbbBB.....
..cwbbBB......
..wbBB........
.sS...........
.S............
s.............
";

const BOOT: &str = "
.....tttTTTx.
.....TTTTTxx.
w....tTTTTx..
ww...tTTTTx..
wws.wtTTTTx..
.wwswwtTTTx..
..wwswwTTTTx.
...wsswtTTTTx
....sStTTTTTx
.....tTTTTTxx
.....XXXXXXXX
.....xxX.xxxX
";

/// Name and drawing of every item, in the order of their frames.
const ITEMS: [(&str, &str); 16] = [
    ("coin", COIN),
    ("gem", GEM),
    ("key", KEY),
    ("heart", HEART),
    ("potion", POTION),
    ("sword", SWORD),
    ("shield", SHIELD),
    ("mushroom", MUSHROOM),
    ("apple", APPLE),
    ("bomb", BOMB),
    ("star", STAR),
    ("scroll", SCROLL),
    ("chest", CHEST),
    ("ring", RING),
    ("feather", FEATHER),
    ("boot", BOOT),
];

/// An item on the sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// What it is.
    pub(super) name: &'static str,
    /// Exactly around its ink, in pixels of the sheet.
    pub(super) rect_in_image: PixelRect,
}

/// The sheet and where its items are.
pub(super) fn sheet() -> (Picture, Vec<Item>) {
    let pictures: Vec<Picture> =
        ITEMS.iter().map(|(_, text)| Picture::from_text(text).outlined(INK).trimmed()).collect();
    let rects = pack(&pictures.iter().map(|picture| picture.size).collect::<Vec<_>>());
    let height = rects.iter().map(|rect| rect.bottom()).max().unwrap_or(0) as i32 + GAP;
    let mut sheet = Picture::new(Size::new(SHEET_WIDTH as u32, height as u32));
    let mut items = Vec::with_capacity(ITEMS.len());
    for ((picture, rect), (name, _)) in pictures.iter().zip(rects).zip(ITEMS) {
        sheet.draw(picture, Offset::new(rect.x, rect.y));
        items.push(Item { name, rect_in_image: rect });
    }
    (sheet, items)
}

/// Places for pictures of these sizes: tallest first, each as far up and then as far left as it fits.
fn pack(sizes: &[Size]) -> Vec<PixelRect> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse((sizes[at].height, sizes[at].width)));
    let mut rects = vec![PixelRect::default(); sizes.len()];
    let mut taken: Vec<PixelRect> = Vec::new();
    for at in order {
        let rect = first_free(sizes[at], &taken);
        taken.push(PixelRect::new(rect.x - GAP, rect.y - GAP, rect.width + 2 * GAP, rect.height + 2 * GAP));
        rects[at] = rect;
    }
    rects
}

fn first_free(size: Size, taken: &[PixelRect]) -> PixelRect {
    let (width, height) = (size.width as i32, size.height as i32);
    let last = (SHEET_WIDTH - GAP - width).max(GAP);
    let mut y = GAP;
    loop {
        let row = (GAP..=last).map(|x| PixelRect::new(x, y, width, height));
        let free = row.into_iter().find(|rect| taken.iter().all(|other| other.intersection(*rect).is_none()));
        if let Some(rect) = free {
            return rect;
        }
        y += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rectangle_is_exactly_around_its_ink_and_no_ink_is_outside() {
        let (mut sheet, items) = sheet();
        assert_eq!(items.len(), 16);
        for Item { name, rect_in_image } in &items {
            let size = Size::new(rect_in_image.width as u32, rect_in_image.height as u32);
            assert!(rect_in_image.is_inside(sheet.size), "{name}");
            assert_eq!(sheet.cropped(*rect_in_image).ink_rect(), Some(PixelRect::of_image(size)), "{name}");
        }
        for item in &items {
            sheet.fill(item.rect_in_image, super::super::palette::CLEAR);
        }
        assert_eq!(sheet.ink_rect(), None);
    }

    #[test]
    fn items_are_at_least_two_pixels_apart() {
        let (_, items) = sheet();
        for (at, one) in items.iter().enumerate() {
            let r = one.rect_in_image;
            let grown = PixelRect::new(r.x - 2, r.y - 2, r.width + 4, r.height + 4);
            for other in &items[at + 1..] {
                assert_eq!(grown.intersection(other.rect_in_image), None, "{} {}", one.name, other.name);
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = ITEMS.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ITEMS.len());
    }
}
