//! What is said of nine-slice borders: how wide they are, why they cannot be wider, and what the stored size makes of them.

use crate::edit::Bordered;
use crate::geometry::{Size, stored_size};
use crate::runtime::stored_region;
use crate::session::Document;
use crate::texture::{Insets, Side};
use crate::ui::canvas::{BorderSubject, why_stopped};

/// Frames that are named; of more it is said how many they are.
const MOST_NAMED: usize = 2;

/// "none", "8 px", or all four.
pub(super) fn short_words(borders: Insets) -> String {
    let Insets { left, top, right, bottom } = borders;
    match borders.equal() {
        Some(0) => "none".to_owned(),
        Some(border) => format!("{border} px"),
        None => format!("L {left} T {top} R {right} B {bottom}"),
    }
}

/// "panel", "frame 3", "whole image".
pub(super) fn subject_name(document: &Document, of: Bordered) -> String {
    let Some(id) = of.frame() else { return "whole image".to_owned() };
    let sheet = document.sheet();
    match sheet.frame(id) {
        Some(frame) if !frame.name.is_empty() => frame.name.to_string(),
        _ => format!("frame {}", sheet.index_of(id).unwrap_or_default()),
    }
}

/// Why a border is not as wide as was asked for.
pub(super) fn why_limited(side: Side, is_linked: bool, start: Insets, size: Size, most: u16) -> String {
    if !is_linked {
        let across = start.side(side.opposite());
        let beside = format!("beside {across} px on the {}", side.opposite().name());
        return format!("At most {most} px {beside}. {}", why_stopped(side, size));
    }
    let side = if size.width < size.height { Side::Left } else { Side::Top };
    format!("At most {most} px on all sides. {}", why_stopped(side, size))
}

/// Which of the selected frames do not take the borders of the first.
pub(super) fn left_out_words(
    document: &Document,
    subject: &BorderSubject,
    borders: Insets,
) -> Option<String> {
    let (sheet, image) = (document.sheet(), document.image_size);
    let left_out: Vec<Bordered> =
        subject.all.iter().copied().filter(|it| !it.takes(borders, sheet, image)).collect();
    let names: Vec<_> = left_out.iter().take(MOST_NAMED).map(|it| subject_name(document, *it)).collect();
    let (verb, keep) = if left_out.len() == 1 { ("is", "keeps its") } else { ("are", "keep their") };
    let names = match left_out.len().saturating_sub(MOST_NAMED) {
        0 if names.is_empty() => return None,
        0 => names.join(" and "),
        more => format!("{} and {more} more", names.join(", ")),
    };
    Some(format!("{names} {verb} too small for these borders and {keep} own"))
}

/// What becomes of borders that collapse at the stored size.
pub(super) fn collapse_words(
    document: &Document,
    subject: &BorderSubject,
    borders: Insets,
) -> Option<String> {
    let image = document.image_size;
    let stored = stored_size(image, document.sheet().settings.max_size);
    collapsed(image, stored, subject, borders)
}

fn collapsed(image: Size, stored: Size, subject: &BorderSubject, borders: Insets) -> Option<String> {
    if borders.is_zero() {
        return None;
    }
    if !borders.leave_middle(subject.size()) {
        return Some(
            "These borders leave no middle, so a device draws nothing. Make them narrower".to_owned(),
        );
    }
    let (rect, mapped) = stored_region(image, stored, subject.rect_in_image, borders);
    let size =
        rect.clipped_to(stored).map_or(Size::default(), |it| Size::new(it.width as u32, it.height as u32));
    if !mapped.leave_middle(size) {
        return Some(format!(
            "At the stored size, {size} px, these borders leave no middle, so a device draws nothing"
        ));
    }
    let is_gone = |side: &Side| borders.side(*side) > 0 && mapped.side(*side) == 0;
    let gone: Vec<_> = Side::ALL.into_iter().filter(is_gone).map(Side::name).collect();
    let borders = if gone.len() == 1 { "border is" } else { "borders are" };
    (!gone.is_empty())
        .then(|| format!("At the stored size, {size} px, the {} {borders} 0 px wide", gone.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PixelRect;

    fn words(stored: Size, borders: Insets) -> Option<String> {
        let rect_in_image = PixelRect::new(0, 0, 48, 48);
        let subject = BorderSubject { primary: Bordered::Image, rect_in_image, all: vec![Bordered::Image] };
        collapsed(Size::new(48, 96), stored, &subject, borders)
    }

    #[test]
    fn borders_that_survive_are_not_spoken_of() {
        assert_eq!(words(Size::new(48, 96), Insets::all(12)), None);
        assert_eq!(words(Size::new(24, 48), Insets::all(12)), None);
        assert_eq!(words(Size::new(1, 2), Insets::all(0)), None);
    }

    #[test]
    fn borders_that_collapse_are_told_by_their_sides() {
        // At a twelfth 5 px are 0.42, which is 0; 8 px are 0.67, which is 1.
        let borders = Insets { left: 5, right: 8, top: 8, bottom: 5 };
        let told = "At the stored size, 4 x 4 px, the left and bottom borders are 0 px wide";
        assert_eq!(words(Size::new(4, 8), borders).as_deref(), Some(told));
        // 12 px are 0.5 of 2 px, which is 1 on the left; on the right the edge at 36 is 1.5, which is 2.
        let told = "At the stored size, 2 x 2 px, the right and bottom borders are 0 px wide";
        assert_eq!(words(Size::new(2, 4), Insets::all(12)).as_deref(), Some(told));
        // 23 px are 0.96 of 2 px on both sides, which is 1 and 1 of 2.
        let told = "At the stored size, 2 x 2 px, these borders leave no middle, so a device draws nothing";
        assert_eq!(words(Size::new(2, 4), Insets::all(23)).as_deref(), Some(told));
    }

    #[test]
    fn borders_of_a_file_that_no_device_takes_are_told_at_any_size() {
        let told = "These borders leave no middle, so a device draws nothing. Make them narrower";
        assert_eq!(words(Size::new(48, 96), Insets::all(24)).as_deref(), Some(told));
    }

    #[test]
    fn a_limit_says_what_it_is_and_why() {
        let size = Size::new(48, 16);
        let start = Insets { right: 20, ..Insets::default() };
        let told = why_limited(Side::Left, false, start, size, 27);
        assert_eq!(
            told,
            "At most 27 px beside 20 px on the right. Left and right together stay below 48 px: a device draws \
             nothing without a middle"
        );
        assert!(
            why_limited(Side::Left, true, start, size, 7).starts_with("At most 7 px on all sides. Top and")
        );
    }

    #[test]
    fn borders_are_said_in_short() {
        assert_eq!([0, 8].map(|all| short_words(Insets::all(all))), ["none", "8 px"]);
        assert_eq!(short_words(Insets { left: 1, top: 2, right: 3, bottom: 4 }), "L 1 T 2 R 3 B 4");
    }
}
