//! How colours between two stored values are rendered.

use eframe::egui;
use egui::{ComboBox, Ui};

use super::super::labelled;
use super::Subject;
use super::list::{Row, list};
use crate::edit::Edit;
use crate::session::Action;
use crate::texture::{Dithering, PixelFormat};
use crate::ui::theme::ROW_HEIGHT;

/// The row of the form.
pub(super) fn ui(ui: &mut Ui, subject: &Subject<'_>, actions: &mut Vec<Action>) {
    labelled(ui, "Dithering", ROW_HEIGHT, |ui| {
        let format = subject.format_of(&subject.storing);
        if let Some(why) = format.and_then(why_not) {
            ui.add_enabled_ui(false, |ui| {
                let combo = ComboBox::from_id_salt("no dithering").width(ui.available_width());
                let combo = combo.selected_text("None").show_ui(ui, |_| {});
                combo.response.accessible_name("Dithering").on_disabled_hover_text(why);
            });
            return;
        }
        let counts = subject.storing.dithering;
        let picked =
            list(ui, "Dithering", counts.words(), explanation(counts), said(subject), &rows(subject));
        if let Some(dithering) = picked {
            actions.push(Action::Edit(Edit::SetDithering(dithering)));
            actions.push(Action::Seal);
        }
    });
}

/// Formats with all bits of a colour have nothing between two values.
fn why_not(format: PixelFormat) -> Option<String> {
    let has_few_bits = matches!(format, PixelFormat::Rgb565 | PixelFormat::Rgb565A8);
    (!has_few_bits).then(|| format!("Only RGB565 and RGB565A8 lose colours, {format} does not"))
}

/// What the sheet says; without a word of the project none is nothing said.
fn said(subject: &Subject<'_>) -> Option<Dithering> {
    let is_default = |said: &Dithering| *said == Dithering::None && subject.defaults.dithering == *said;
    subject.sheet.settings.dithering.filter(|said| !is_default(said))
}

fn rows(subject: &Subject<'_>) -> Vec<Row<Option<Dithering>>> {
    let default = subject.defaults.dithering;
    let all = Dithering::ALL.map(|dithering| Row::new(Some(dithering), dithering.words()));
    if default == Dithering::None {
        let nothing = Row::new(None, Dithering::None.words());
        return std::iter::once(nothing).chain(all.into_iter().skip(1)).collect();
    }
    let nothing = Row::new(None, format!("Project: {}", default.words()));
    std::iter::once(nothing).chain(all).collect()
}

const fn explanation(dithering: Dithering) -> &'static str {
    match dithering {
        Dithering::None => "Colours are cut to 5, 6 and 5 bits, as the engine does: smooth shades get bands",
        Dithering::Ordered => "A fixed pattern between two stored colours, from each frame's own corner",
        Dithering::FloydSteinberg => "What a pixel loses its neighbours make up for, within each frame",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use crate::model::{Sheet, TextureDefaults};

    #[test]
    fn none_is_nothing_said_unless_the_project_says_otherwise() {
        let sheet = Sheet::default();
        let subject = Subject::silent(&sheet, Size::new(8, 8), Some(false));
        let values =
            |subject: &Subject<'_>| rows(subject).into_iter().map(|row| row.value).collect::<Vec<_>>();
        let [ordered, diffused] = [Dithering::Ordered, Dithering::FloydSteinberg].map(Some);
        assert_eq!(values(&subject), [None, ordered, diffused]);
        let defaults = TextureDefaults { dithering: Dithering::Ordered, ..TextureDefaults::default() };
        let subject = Subject { defaults, ..subject };
        assert_eq!(values(&subject), [None, Some(Dithering::None), ordered, diffused]);
        assert_eq!(rows(&subject)[0].name, "Project: Ordered");
    }

    #[test]
    fn only_formats_that_lose_colours_are_dithered() {
        let lose = PixelFormat::ALL.into_iter().filter(|format| why_not(*format).is_none());
        assert_eq!(lose.collect::<Vec<_>>(), [PixelFormat::Rgb565, PixelFormat::Rgb565A8]);
    }
}
