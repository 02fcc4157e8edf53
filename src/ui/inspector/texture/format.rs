//! The pixel format: which one counts and why, and what each would cost.

use eframe::egui;
use egui::Ui;

use super::super::labelled;
use super::Subject;
use super::list::{Row, list};
use crate::edit::Edit;
use crate::model::{FormatChoice, TargetSettings};
use crate::session::Action;
use crate::texture::PixelFormat;
use crate::ui::theme::ROW_HEIGHT;
use crate::ui::widgets::{self, Tone};

/// The row of the form.
pub(super) fn ui(ui: &mut Ui, subject: &Subject<'_>, actions: &mut Vec<Action>) {
    labelled(ui, "Format", ROW_HEIGHT, |ui| {
        let picked =
            list(ui, "Pixel format", &words(subject), &reason(subject), said(subject), &rows(subject));
        if let Some(format) = picked {
            actions.push(Action::Edit(edit(subject, format)));
            actions.push(Action::Seal);
        }
    });
    let format = subject.format_of(&subject.storing);
    let loses_alpha = subject.has_alpha == Some(true) && format.is_some_and(|format| !format.has_alpha());
    if loses_alpha && subject.storing.chroma_key.is_none() {
        widgets::banner(ui, Tone::Warning, "This format has no transparency, the image has.");
    }
}

/// What is said where it is edited: for the target that is shown, or for all.
fn said(subject: &Subject<'_>) -> Option<FormatChoice> {
    if subject.target.is_some() {
        return subject.own().format.map(FormatChoice::Fixed);
    }
    let is_default = |said: &FormatChoice| said.fixed().is_none() && subject.defaults.format.is_none();
    subject.sheet.settings.format.filter(|said| !is_default(said))
}

/// The edit that says so instead.
fn edit(subject: &Subject<'_>, format: Option<FormatChoice>) -> Edit {
    let of_target =
        subject.set_own(TargetSettings { format: format.and_then(FormatChoice::fixed), ..subject.own() });
    of_target.unwrap_or(Edit::SetFormat(format))
}

/// What counts, and for Automatic what that is.
fn words(subject: &Subject<'_>) -> String {
    match (subject.storing.format, subject.has_alpha) {
        (Some(format), _) => format.to_string(),
        (None, Some(has_alpha)) => format!("Automatic: {}", PixelFormat::automatic(has_alpha)),
        (None, None) => "Automatic".to_owned(),
    }
}

fn rows(subject: &Subject<'_>) -> Vec<Row<Option<FormatChoice>>> {
    let row = |format: Option<FormatChoice>, name: String| {
        let storing = subject.storing_after(&edit(subject, format));
        Row { costs: [String::new(), subject.bytes_of(&storing)], ..Row::new(format, name) }
    };
    let nothing = match (subject.target, subject.defaults.format) {
        (Some(target), _) => format!("As {}", target.name),
        (None, Some(format)) => format!("Project: {format}"),
        (None, None) => "Automatic".to_owned(),
    };
    let automatic =
        (subject.target.is_none() && subject.defaults.format.is_some()).then_some(FormatChoice::Automatic);
    let others = automatic.into_iter().chain(PixelFormat::ALL.map(FormatChoice::Fixed));
    let others = others.map(|choice| row(Some(choice), choice.to_string()));
    std::iter::once(row(None, nothing)).chain(others).collect()
}

/// Why it is that format.
fn reason(subject: &Subject<'_>) -> String {
    let who = if said(subject).is_some() {
        "chosen for this sheet"
    } else if subject.target.is_some_and(|target| target.settings.format.is_some()) {
        "the target's"
    } else if subject.sheet.settings.format.is_some() {
        "chosen for this sheet"
    } else {
        "the project's"
    };
    match (subject.storing.format, subject.has_alpha) {
        (Some(format), _) => format!("{format}, {who}: {} bytes a pixel", format.bytes_per_pixel()),
        (None, Some(true)) => format!("Automatic: {}, it has transparency", PixelFormat::automatic(true)),
        (None, Some(false)) => {
            format!("Automatic: {}, it has no transparency", PixelFormat::automatic(false))
        }
        (None, None) => "Automatic: chosen when the image is imported".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use crate::model::{Sheet, TextureDefaults};

    #[test]
    fn automatic_says_what_it_chose_and_why() {
        let sheet = Sheet::default();
        let of = |has_alpha| Subject::silent(&sheet, Size::new(192, 96), has_alpha);
        assert_eq!(words(&of(Some(true))), "Automatic: RGB565A8");
        assert_eq!(reason(&of(Some(true))), "Automatic: RGB565A8, it has transparency");
        assert_eq!(reason(&of(Some(false))), "Automatic: RGB565, it has no transparency");
        assert_eq!(words(&of(None)), "Automatic");
    }

    #[test]
    fn each_choice_says_what_it_costs() {
        let sheet = Sheet::default();
        let told = |has_alpha| -> Vec<(String, String)> {
            let subject = Subject::silent(&sheet, Size::new(192, 96), has_alpha);
            rows(&subject).into_iter().map(|Row { name, costs: [_, bytes], .. }| (name, bytes)).collect()
        };
        let line = |name: &str, bytes: &str| (name.to_owned(), bytes.to_owned());
        // 192 x 96 = 18,432 pixels of 3, 3, 4, 2, 3 and 1 bytes.
        let expected = [
            line("Automatic", "55 kB"),
            line("RGB888", "55 kB"),
            line("RGBA8888", "74 kB"),
            line("RGB565", "37 kB"),
            line("RGB565A8", "55 kB"),
            line("ALPHA8", "18 kB"),
        ];
        assert_eq!(told(Some(true)), expected);
        assert_eq!(told(None)[0], line("Automatic", ""));
    }

    #[test]
    fn with_a_format_of_the_project_automatic_is_a_word_of_its_own() {
        let sheet = Sheet::default();
        let defaults = TextureDefaults { format: Some(PixelFormat::Rgb565), ..TextureDefaults::default() };
        let storing = sheet.settings.storing(&defaults, None);
        let silent = Subject::silent(&sheet, Size::new(8, 8), Some(true));
        let subject = Subject { defaults, storing, ..silent };
        let rows = rows(&subject);
        assert_eq!((rows[0].name.as_str(), rows[0].value), ("Project: RGB565", None));
        assert_eq!((rows[1].name.as_str(), rows[1].value), ("Automatic", Some(FormatChoice::Automatic)));
        assert_eq!(reason(&subject), "RGB565, the project's: 2 bytes a pixel");
    }
}
