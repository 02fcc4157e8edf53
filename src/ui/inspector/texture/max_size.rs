//! Max Size: the longest side of the texture, as a list with what each would give.

use eframe::egui;
use egui::Ui;

use super::super::{labelled, weak};
use super::Subject;
use super::list::{Row, list};
use crate::edit::Edit;
use crate::geometry::{Size, stored_size};
use crate::model::TargetSettings;
use crate::session::Action;
use crate::ui::theme::ROW_HEIGHT;
use crate::ui::widgets;

/// The sizes that are offered, in pixels.
const OFFERED: [u32; 8] = [32, 64, 128, 256, 512, 1024, 2048, 4096];
/// No image is as large: what a sheet says that is not limited where its project has a limit.
const UNLIMITED: u32 = 1 << 20;

/// The row of the form.
pub(super) fn ui(ui: &mut Ui, subject: &Subject<'_>, actions: &mut Vec<Action>) {
    labelled(ui, "Max Size", ROW_HEIGHT, |ui| {
        let explanation = "The longest side of the texture in pixels; a smaller image is stored as it is.\nThe wheel goes \
                           through the list.";
        let picked = list(ui, "Max Size", &words(subject), explanation, said(subject), &rows(subject));
        if let Some(side) = picked {
            actions.push(Action::Edit(edit(subject, side)));
            actions.extend(ends_step(ui).then_some(Action::Seal));
        }
    });
    let stored = stored_size(subject.image, subject.storing.max_size);
    if stored != subject.image {
        weak(
            ui,
            &format!("{} of {}", scale_text(stored, subject.image), widgets::pixel_size_text(subject.image)),
        );
    }
}

/// A turn of the wheel may go on; a click on a line of the list is all.
fn ends_step(ui: &Ui) -> bool {
    ui.input(|input| input.pointer.any_click())
}

/// What is said where it is edited: for the target that is shown, or for all.
fn said(subject: &Subject<'_>) -> Option<u32> {
    if subject.target.is_some() { subject.own().max_size } else { subject.sheet.settings.max_size }
}

/// The edit that says so instead.
fn edit(subject: &Subject<'_>, side: Option<u32>) -> Edit {
    let of_target = subject.set_own(TargetSettings { max_size: side, ..subject.own() });
    of_target.unwrap_or(Edit::SetMaxSize(side))
}

/// What counts, and what that comes to.
fn words(subject: &Subject<'_>) -> String {
    let stored = stored_size(subject.image, subject.storing.max_size);
    let size = stored;
    match subject.storing.max_size.filter(|side| *side < UNLIMITED) {
        Some(side) if stored == subject.image => format!("{side}: stays {size}"),
        Some(side) => format!("{side}: {size}"),
        None => format!("Unlimited: {size}"),
    }
}

/// "43 %": of the longer side, which is the exact one.
fn scale_text(stored: Size, image: Size) -> String {
    let longer = |size: Size| f64::from(size.width.max(size.height));
    let percent = longer(stored) / longer(image).max(1.0) * 100.0;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

fn rows(subject: &Subject<'_>) -> Vec<Row<Option<u32>>> {
    let longer = subject.image.width.max(subject.image.height);
    let said = said(subject);
    let has_limit_of_others = subject.target.is_some() || subject.defaults.max_size.is_some();
    let nothing = match (subject.target, subject.defaults.max_size) {
        (Some(target), _) => format!("As {}", target.name),
        (None, Some(side)) => format!("Project: {side}"),
        (None, None) => "Unlimited".to_owned(),
    };
    let unlimited = has_limit_of_others.then_some(UNLIMITED);
    let mut sides: Vec<u32> = OFFERED.into_iter().filter(|side| *side < longer).chain(unlimited).collect();
    sides.extend(said.filter(|said| !sides.contains(said)));
    sides.sort_unstable();
    let row = |side: Option<u32>, name: String| {
        let storing = subject.storing_after(&edit(subject, side));
        let size = stored_size(subject.image, storing.max_size);
        Row {
            costs: [size.to_string(), subject.bytes_of(&storing)],
            warning: over_limit(subject, size),
            ..Row::new(side, name)
        }
    };
    let name = |side: u32| if side >= UNLIMITED { "Unlimited".to_owned() } else { side.to_string() };
    std::iter::once(row(None, nothing))
        .chain(sides.into_iter().map(|side| row(Some(side), name(side))))
        .collect()
}

fn over_limit(subject: &Subject<'_>, stored: Size) -> Option<String> {
    let target = subject.target?;
    let most = target.max_texture.filter(|most| stored.width.max(stored.height) > *most)?;
    Some(format!("Larger than {} holds: {most} px a side", target.name))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Sheet, Storing, Target, TextureDefaults, TextureSettings};

    const IMAGE: Size = Size::new(300, 200);

    fn told(rows: &[Row<Option<u32>>]) -> Vec<(String, String, String, bool)> {
        let row = |row: &Row<Option<u32>>| {
            let [size, bytes] = row.costs.clone();
            (row.name.clone(), size, bytes, row.warning.is_some())
        };
        rows.iter().map(row).collect()
    }

    fn line(name: &str, size: &str, bytes: &str, is_over: bool) -> (String, String, String, bool) {
        (name.into(), size.into(), bytes.into(), is_over)
    }

    #[test]
    fn each_size_below_the_image_says_what_it_gives() {
        let sheet = Sheet::default();
        // 300 x 200 x 3 = 180,000; 32 x 21 (21.33), 64 x 43 (42.67), 128 x 85 (85.33), 256 x 171 (170.67).
        let expected = [
            line("Unlimited", "300 x 200", "180 kB", false),
            line("32", "32 x 21", "2.0 kB", false),
            line("64", "64 x 43", "8.3 kB", false),
            line("128", "128 x 85", "33 kB", false),
            line("256", "256 x 171", "131 kB", false),
        ];
        assert_eq!(told(&rows(&Subject::silent(&sheet, IMAGE, Some(true)))), expected);
    }

    #[test]
    fn what_the_project_and_the_target_say_is_a_row_and_what_is_too_large_is_told() {
        let settings = TextureSettings { max_size: Some(100), ..TextureSettings::default() };
        let sheet = Sheet { settings: Arc::new(settings), ..Sheet::default() };
        let defaults = TextureDefaults { max_size: Some(64), ..TextureDefaults::default() };
        let storing = sheet.settings.storing(&defaults, None);
        let subject = Subject { defaults, storing, ..Subject::silent(&sheet, IMAGE, Some(false)) };
        let names = |subject: &Subject<'_>| rows(subject).into_iter().map(|row| row.name).collect::<Vec<_>>();
        assert_eq!(names(&subject), ["Project: 64", "32", "64", "100", "128", "256", "Unlimited"]);
        assert_eq!(words(&subject), "100: 100 x 67");

        let settings = TargetSettings { max_size: Some(200), format: None };
        let target = Target { name: "handheld".into(), settings, max_texture: Some(128) };
        let storing = sheet.settings.storing(&defaults, Some(&target));
        let subject = Subject { storing, target: Some(&target), ..subject };
        assert_eq!(names(&subject), ["As handheld", "32", "64", "128", "256", "Unlimited"]);
        let over: Vec<bool> = rows(&subject).iter().map(|row| row.warning.is_some()).collect();
        // As the target: of 200 and the sheet's 100 the smaller one.
        assert_eq!(over, [false, false, false, false, true, true]);
        assert_eq!(
            edit(&subject, Some(32)),
            Edit::SetTarget("handheld".into(), TargetSettings { format: None, max_size: Some(32) })
        );
    }

    #[test]
    fn what_counts_is_told_with_what_it_comes_to() {
        let sheet = Sheet::default();
        let of = |max_size| Subject {
            storing: Storing { max_size, ..Storing::default() },
            ..Subject::silent(&sheet, IMAGE, None)
        };
        assert_eq!(words(&of(None)), "Unlimited: 300 x 200");
        assert_eq!(words(&of(Some(128))), "128: 128 x 85");
        assert_eq!(words(&of(Some(512))), "512: stays 300 x 200");
        assert_eq!(scale_text(Size::new(128, 85), IMAGE), "43 %");
        assert_eq!(scale_text(Size::new(16, 11), IMAGE), "5.3 %");
    }
}
