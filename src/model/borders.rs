//! Nine-slice borders of a region: which of them leave a middle, and how wide a border may be beside the others.

use crate::geometry::Size;
use crate::texture::{Insets, Side};

impl Insets {
    /// What opposite borders take together, across and down.
    pub const fn sums(self) -> Size {
        Size::new(self.left as u32 + self.right as u32, self.top as u32 + self.bottom as u32)
    }

    /// Whether they leave a middle both ways in a region of that size. The engine draws nothing when they do not, not even
    /// when opposite borders just meet.
    pub const fn leave_middle(self, region: Size) -> bool {
        let sums = self.sums();
        sums.width < region.width && sums.height < region.height
    }

    /// The widest border that a side may have beside the one across.
    pub fn most(self, side: Side, region: Size) -> u16 {
        let length = if side.is_across() { region.width } else { region.height };
        let most = length.saturating_sub(1).saturating_sub(self.side(side.opposite()).into());
        u16::try_from(most).unwrap_or(u16::MAX)
    }

    /// The widest border that all sides may have.
    pub fn most_for_all(region: Size) -> u16 {
        let shorter = region.width.min(region.height);
        u16::try_from(shorter.saturating_sub(1) / 2).unwrap_or(u16::MAX)
    }

    /// The nearest borders that leave a middle: of two that do not, the right and the bottom one give way.
    #[must_use]
    pub fn limited(self, region: Size) -> Self {
        let mut limited = Self::default();
        for side in Side::ALL {
            limited = limited.with_side(side, self.side(side).min(limited.most(side, region)));
        }
        limited
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_borders_must_leave_a_pixel_between_them() {
        let region = Size::new(16, 8);
        let insets = |left, top, right, bottom| Insets { left, right, top, bottom };
        assert!(insets(7, 3, 8, 4).leave_middle(region));
        assert!(!insets(8, 3, 8, 4).leave_middle(region), "they meet");
        assert!(!insets(7, 4, 8, 4).leave_middle(region));
        // 16 - 1 - 8 = 7 and 8 - 1 - 3 = 4.
        assert_eq!(insets(0, 3, 8, 0).most(Side::Left, region), 7);
        assert_eq!(insets(0, 3, 8, 0).most(Side::Bottom, region), 4);
        assert_eq!((Insets::most_for_all(region), Insets::most_for_all(Size::new(9, 9))), (3, 4));
        assert_eq!(insets(20, 3, 8, 9).limited(region), insets(15, 3, 0, 4));
        assert_eq!(insets(1, 1, 1, 1).limited(Size::new(1, 1)), Insets::default());
        assert_eq!(Insets { left: 1, top: 2, right: 3, bottom: 4 }.sums(), Size::new(4, 6));
    }
}
