//! Cuts other sheets as the current one is cut: which of them it fits, and what would not.

use std::collections::HashSet;
use std::sync::Arc;

use eframe::egui;
use egui::{Align, Checkbox, Label, Layout, RichText, ScrollArea, Ui, vec2};

use super::parts::{self, Choice};
use super::{Stage, dialogs};
use crate::session::{Action, Fit};
use crate::slicing::LeftoverPixels;
use crate::ui::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const WIDTH: f32 = 560.0;
const LIST_HEIGHT: f32 = 320.0;
/// Room for the name of a sheet.
const NAME_WIDTH: f32 = 240.0;

/// The choice of sheets.
pub(super) struct Apply {
    sheet: Arc<str>,
    fits: Vec<(Arc<str>, Fit)>,
    chosen: HashSet<Arc<str>>,
}

impl Apply {
    /// All other sheets; those that fit exactly and have no frames are chosen.
    pub(super) fn new(sheet: Arc<str>, mut fits: Vec<(Arc<str>, Fit)>) -> Self {
        fits.sort_by_key(|(_, fit)| (!fit.is_exact(), fit.replaces > 0));
        let is_meant = |fit: &Fit| fit.is_exact() && fit.replaces == 0;
        let chosen = fits.iter().filter(|(_, fit)| is_meant(fit)).map(|(path, _)| path.clone()).collect();
        Self { sheet, fits, chosen }
    }

    pub(super) fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        if stage.document.is_none_or(|document| document.path != self.sheet) {
            return true;
        }
        let shown = dialogs::modal("apply to other sheets", ui).show(ui, |ui| {
            dialogs::set_width(ui, WIDTH);
            dialogs::title(ui, "Apply to other sheets");
            parts::explanation(
                ui,
                "The chosen sheets are cut as this one is. They open in tabs, unsaved, and each cut can be undone.",
            );
            ui.add_space(INSIDE);
            self.list(ui);
            let lost = self.chosen_fits().any(|fit| fit.replaces > 0);
            let warning = "Sheets that have frames already get these instead; ids follow the picture";
            parts::message(ui, lost.then_some((Tone::Warning, warning)), |_| ());
            let count = self.chosen.len();
            let why_not = if self.fits.is_empty() {
                Some("There is no other sheet in this project")
            } else {
                (count == 0).then_some("Choose at least one sheet")
            };
            let primary = format!("Cut {}", widgets::count_text(count, "sheet"));
            let choice = parts::buttons(ui, &primary, "Enter", why_not);
            if choice == Choice::Nothing && why_not.is_none() && parts::is_entered(ui) {
                return Choice::Take;
            }
            choice
        });
        let choice = if shown.should_close() { Choice::GiveUp } else { shown.inner };
        if choice == Choice::Take {
            let paths = self.fits.iter().map(|(path, _)| path).filter(|path| self.chosen.contains(*path));
            stage.actions.push(Action::ApplyToOthers(paths.cloned().collect()));
        }
        choice != Choice::Nothing
    }

    fn chosen_fits(&self) -> impl Iterator<Item = &Fit> {
        self.fits.iter().filter(|(path, _)| self.chosen.contains(path)).map(|(_, fit)| fit)
    }

    fn list(&mut self, ui: &mut Ui) {
        let Self { fits, chosen, .. } = self;
        let area = ScrollArea::vertical().max_height(LIST_HEIGHT).auto_shrink([false, true]);
        area.show_rows(ui, ROW_HEIGHT, fits.len(), |ui, rows| {
            for (path, fit) in &fits[rows] {
                row(ui, path, fit, chosen);
            }
        });
    }
}

fn row(ui: &mut Ui, path: &Arc<str>, fit: &Fit, chosen: &mut HashSet<Arc<str>>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = BETWEEN;
        let mut is_chosen = chosen.contains(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        let size = vec2(NAME_WIDTH, ROW_HEIGHT);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME_WIDTH);
            let is_possible = fit.frames > 0;
            let response = ui
                .add_enabled(is_possible, Checkbox::new(&mut is_chosen, name))
                .on_hover_text(&**path)
                .on_disabled_hover_text("No frame of this slicing fits its image");
            if response.changed() {
                if is_chosen {
                    chosen.insert(path.clone());
                } else {
                    chosen.remove(path);
                }
            }
        });
        let (tone, words) = verdict(fit);
        ui.add(Label::new(tone.icon_text(ui)).selectable(false));
        let color = if tone == Tone::Done { theme::palette(ui).text } else { tone.color(ui) };
        ui.add(Label::new(RichText::new(words).color(color)).truncate().selectable(false));
    });
}

/// "48 frames", with what does not fit and what is there already.
fn verdict(fit: &Fit) -> (Tone, String) {
    if fit.frames == 0 {
        return (Tone::Error, "does not fit".to_owned());
    }
    let mut words = vec![widgets::count_text(fit.frames, "frame")];
    let LeftoverPixels { right, bottom } = fit.leftover;
    if right > 0 {
        words.push(format!("{right} px right left over"));
    }
    if bottom > 0 {
        words.push(format!("{bottom} px bottom left over"));
    }
    if fit.outside > 0 {
        words.push(format!("{} outside its image", widgets::count_text(fit.outside, "frame")));
    }
    if fit.replaces > 0 {
        words.push(format!("replaces {}", widgets::count_text(fit.replaces, "frame")));
    }
    let tone = if fit.is_exact() && fit.replaces == 0 { Tone::Done } else { Tone::Warning };
    (tone, words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_says_what_does_not_fit() {
        let exact = Fit { frames: 48, ..Fit::default() };
        assert_eq!(verdict(&exact), (Tone::Done, "48 frames".to_owned()));
        let leftover = LeftoverPixels { right: 8, bottom: 0 };
        let rough = Fit { frames: 2, outside: 1, leftover, replaces: 5 };
        let expected = "2 frames, 8 px right left over, 1 frame outside its image, replaces 5 frames";
        assert_eq!(verdict(&rough), (Tone::Warning, expected.to_owned()));
        assert_eq!(verdict(&Fit::default()).0, Tone::Error);
    }

    #[test]
    fn sheets_that_fit_and_have_no_frames_are_chosen_at_first() {
        let fit = |frames, replaces| Fit { frames, replaces, ..Fit::default() };
        let fits = vec![("a".into(), fit(4, 2)), ("b".into(), fit(4, 0)), ("c".into(), fit(0, 0))];
        let apply = Apply::new("sheet".into(), fits);
        assert_eq!(apply.chosen, HashSet::from(["b".into()]));
        assert_eq!(&*apply.fits[0].0, "b");
    }
}
