//! Nine-slice borders of frames and of whole images: what may have which, and none that a device would refuse to draw.

use super::EditError;
use super::frames::counted;
use crate::geometry::{PixelRect, Size};
use crate::hash::ContentHash;
use crate::model::{FrameId, Sheet, TextureSettings};
use crate::texture::Insets;

/// What has borders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bordered {
    /// The whole image.
    Image,
    /// A frame.
    Frame(FrameId),
}

impl Bordered {
    /// The frame that it is.
    pub const fn frame(self) -> Option<FrameId> {
        match self {
            Self::Image => None,
            Self::Frame(id) => Some(id),
        }
    }

    /// The pixels that borders are measured in; `None` when there are none.
    pub fn rect_in_image(self, sheet: &Sheet, image: Size) -> Option<PixelRect> {
        match self {
            Self::Image => PixelRect::of_image(image).clipped_to(image),
            Self::Frame(id) => sheet.frame(id)?.drawn_rect(image),
        }
    }

    /// Its borders.
    pub fn borders(self, sheet: &Sheet) -> Insets {
        sheet.settings.borders_of(self.frame())
    }

    /// Whether a device would draw it with these borders, or they are none.
    pub fn takes(self, insets: Insets, sheet: &Sheet, image: Size) -> bool {
        let size = self.rect_in_image(sheet, image).map(size_of);
        size.is_some_and(|size| insets.is_zero() || insets.leave_middle(size))
    }
}

fn size_of(rect: PixelRect) -> Size {
    Size::new(rect.width as u32, rect.height as u32)
}

/// Borders on their way into the settings.
pub(super) struct Given(Vec<(Bordered, Insets)>);

impl Given {
    pub(super) fn put_into(&self, settings: &mut TextureSettings) {
        for (of, insets) in &self.0 {
            match of {
                Bordered::Image => settings.nine_slice = *insets,
                Bordered::Frame(id) if insets.is_zero() => drop(settings.frame_nine_slice.remove(id)),
                Bordered::Frame(id) => drop(settings.frame_nine_slice.insert(*id, *insets)),
            }
        }
    }
}

/// What each gets: the borders where they leave a middle, else what it had in `base`. Fails when nothing takes them.
pub(super) fn given(
    base: &Sheet,
    current: &Sheet,
    image: Size,
    of: &[Bordered],
    insets: Insets,
) -> Result<Given, EditError> {
    let takes = |it: &Bordered| it.takes(insets, current, image);
    if !of.iter().any(takes) {
        let rect = of.first().and_then(|first| first.rect_in_image(current, image));
        let rect = rect.ok_or(EditError::Frames("the frame has no pixels in the image"))?;
        return Err(EditError::Borders(insets.sums(), size_of(rect)));
    }
    let each = of.iter().map(|it| (*it, if takes(it) { insets } else { it.borders(base) }));
    Ok(Given(each.collect()))
}

pub(super) fn label(of: &[Bordered], insets: Insets) -> String {
    let verb = if insets.is_zero() { "Clear the borders of" } else { "Nine-slice" };
    match of {
        [Bordered::Image] => format!("{verb} the image"),
        frames => counted(verb, frames.len()),
    }
}

pub(super) fn hash(of: &[Bordered]) -> ContentHash {
    let ids = of.iter().flat_map(|it| it.frame().map_or(u64::MAX, |id| id.0.into()).to_le_bytes());
    ContentHash::of(&ids.collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::edit::{Cut, Edit, History};
    use crate::model::Frame;
    use crate::texture::Side;

    const IMAGE: Size = Size::new(64, 64);
    const PANEL: Bordered = Bordered::Frame(FrameId(0));
    const BUTTON: Bordered = Bordered::Frame(FrameId(1));

    /// A frame of 32 x 32 and one of 32 x 8, and one outside the image.
    fn sliced() -> History<Sheet> {
        let mut history = History::new(Sheet::default());
        let rects = vec![PixelRect::new(0, 0, 32, 32), PixelRect::new(0, 40, 32, 8)];
        history.apply(&Edit::Cut(Cut::new(None, rects)), IMAGE).unwrap();
        let mut sheet = history.sheet().clone();
        let outside = Frame::new(FrameId(2), PixelRect::new(70, 0, 8, 8));
        sheet.frames = sheet.frames.iter().cloned().chain([outside]).collect();
        History::new(sheet)
    }

    fn set(history: &mut History<Sheet>, of: &[Bordered], insets: Insets) -> Result<(), EditError> {
        history.apply(&Edit::SetBorders(of.to_vec(), insets), IMAGE)
    }

    #[test]
    fn borders_are_kept_by_the_frames_id_and_none_leave_no_entry() {
        let mut history = sliced();
        let insets = Insets { left: 1, right: 2, top: 3, bottom: 4 };
        set(&mut history, &[BUTTON], insets).unwrap();
        assert_eq!(history.sheet().settings.frame_nine_slice.get(&FrameId(1)), Some(&insets));
        assert_eq!(
            (BUTTON.borders(history.sheet()), PANEL.borders(history.sheet())),
            (insets, Insets::all(0))
        );
        history.seal();
        set(&mut history, &[BUTTON], Insets::default()).unwrap();
        assert!(history.sheet().settings.frame_nine_slice.is_empty());
        assert_eq!(history.steps().0, ["Nine-slice 1 frame", "Clear the borders of 1 frame"]);
        history.undo();
        assert_eq!(BUTTON.borders(history.sheet()), insets);
        history.undo();
        assert!(history.sheet().settings.frame_nine_slice.is_empty());
    }

    #[test]
    fn a_number_that_is_typed_is_one_step_for_the_same_frames() {
        let mut history = sliced();
        for border in [1, 12] {
            set(&mut history, &[PANEL], Insets::all(border)).unwrap();
        }
        assert_eq!(history.steps(), (vec!["Nine-slice 1 frame"], 1));
        set(&mut history, &[BUTTON], Insets::all(1)).unwrap();
        assert_eq!(history.steps().1, 2, "another frame is another step");
        history.undo();
        set(&mut history, &[PANEL], Insets::all(0)).unwrap();
        assert_eq!(history.steps().1, 2, "after an undo it is a step of its own");
    }

    #[test]
    fn borders_that_leave_no_middle_are_refused() {
        let mut history = sliced();
        // 4 + 4 is all of the 8 pixels.
        assert_eq!(
            set(&mut history, &[BUTTON], Insets::all(4)),
            Err(EditError::Borders(Size::new(8, 8), Size::new(32, 8)))
        );
        assert!(set(&mut history, &[Bordered::Frame(FrameId(2))], Insets::all(1)).is_err(), "it is outside");
        assert!(
            set(&mut history, &[Bordered::Frame(FrameId(9))], Insets::all(1)).is_err(),
            "it is not there"
        );
        assert_eq!(set(&mut history, &[Bordered::Image], Insets::all(31)), Ok(()));
        assert!(set(&mut history, &[Bordered::Image], Insets::all(32)).is_err());
    }

    #[test]
    fn a_frame_that_is_too_small_has_what_it_had_before_all_was_typed() {
        let mut history = sliced();
        set(&mut history, &[BUTTON], Insets::all(2)).unwrap();
        history.seal();
        for border in [1, 12] {
            set(&mut history, &[PANEL, BUTTON], Insets::all(border)).unwrap();
        }
        assert_eq!(PANEL.borders(history.sheet()), Insets::all(12));
        assert_eq!(BUTTON.borders(history.sheet()), Insets::all(2), "not the 1 on the way to 12");
        assert_eq!(history.undo_label(), Some("Nine-slice 2 frames"));
        assert_eq!(history.steps().1, 2);
    }

    proptest! {
        /// Guides dragged in any order, each as far as it goes, never give borders that a device refuses.
        #[test]
        fn borders_dragged_in_any_order_leave_a_middle(
            width in 1..40_u32,
            height in 1..40_u32,
            drags in prop::collection::vec((0..4_usize, any::<u16>()), 0..40),
        ) {
            let image = Size::new(width, height);
            let mut history = History::new(Sheet::default());
            for (side, asked) in drags {
                let side = Side::ALL[side];
                let borders = Bordered::Image.borders(history.sheet()).limited(image);
                let border = asked.min(borders.most(side, image));
                let edit = Edit::SetBorders(vec![Bordered::Image], borders.with_side(side, border));
                prop_assert!(history.apply(&edit, image).is_ok());
                let Insets { left, right, top, bottom } = history.sheet().settings.nine_slice;
                prop_assert!(u32::from(left) + u32::from(right) < width);
                prop_assert!(u32::from(top) + u32::from(bottom) < height);
            }
        }
    }
}
