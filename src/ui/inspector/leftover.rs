//! Pixels that belong to no cell, and the nearest grids that leave none.

use eframe::egui;
use egui::{Button, Ui, Vec2};

use super::rows::button_row;
use super::weak;
use crate::geometry::Size;
use crate::model::Run;
use crate::slicing::grid::{self, LeftoverPixels};
use crate::slicing::suggest::{self, Suggestion};
use crate::ui::theme::ROW_HEIGHT;
use crate::ui::widgets::{self, Tone};

/// Says what is left over; the grid that was picked instead.
pub(super) fn ui(ui: &mut Ui, run: &Run, image: Size) -> Option<Run> {
    let rest = grid::leftover(run, image);
    if rest.is_none() {
        return None;
    }
    if grid::closing_margin(run, image) {
        weak(ui, &closing_words(rest));
        return None;
    }
    widgets::banner(ui, Tone::Warning, &leftover_words(rest));
    let mut picked = None;
    let suggestions = suggest::suggest(run, image);
    if !suggestions.is_empty() {
        button_row(ui, |ui| {
            for suggestion in suggestions {
                if suggestion_button(ui, run, &suggestion) {
                    picked = Some(suggestion.run);
                }
            }
        });
    }
    picked
}

fn suggestion_button(ui: &mut Ui, typed: &Run, suggestion: &Suggestion) -> bool {
    let Suggestion { run, columns, rows } = suggestion;
    let count = u64::from(*columns) * u64::from(*rows);
    let button = Button::new(suggestion_words(typed, run)).min_size(Vec2::new(0.0, ROW_HEIGHT));
    ui.add(button).on_hover_text(format!("{columns} x {rows} = {count} frames, nothing left over")).clicked()
}

/// "8 px right, 6 px bottom left over".
fn leftover_words(LeftoverPixels { right, bottom }: LeftoverPixels) -> String {
    match (right, bottom) {
        (right, 0) => format!("{right} px right left over"),
        (0, bottom) => format!("{bottom} px bottom left over"),
        (right, bottom) => format!("{right} px right, {bottom} px bottom left over"),
    }
}

/// What is left over is the margin that the offset has on the other side.
fn closing_words(LeftoverPixels { right, bottom }: LeftoverPixels) -> String {
    if right == bottom {
        format!("{right} px left over right and bottom, same as the offset")
    } else {
        format!("{}, same as the offset", leftover_words(LeftoverPixels { right, bottom }))
    }
}

/// The cell, and what else is not as typed: "32 x 32 + spacing 1".
fn suggestion_words(typed: &Run, run: &Run) -> String {
    let pair = |x: i32, y: i32| if x == y { x.to_string() } else { format!("{x}, {y}") };
    let mut words = vec![run.cell.to_string()];
    if run.spacing != typed.spacing {
        words.push(format!("spacing {}", pair(run.spacing.x, run.spacing.y)));
    }
    if run.offset != typed.offset {
        words.push(format!("offset {}", pair(run.offset.x, run.offset.y)));
    }
    words.join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Offset;

    #[test]
    fn the_first_suggestion_puts_the_offset_between_the_cells() {
        let typed = Run { offset: Offset::new(1, 1), ..Run::of_cell(Size::new(32, 32)) };
        let first = &suggest::suggest(&typed, Size::new(265, 199))[0];
        assert_eq!(suggestion_words(&typed, &first.run), "32 x 32 + spacing 1");
    }

    #[test]
    fn leftover_pixels_are_told_for_the_sides_that_have_them() {
        assert_eq!(leftover_words(LeftoverPixels { right: 4, bottom: 0 }), "4 px right left over");
        assert_eq!(
            closing_words(LeftoverPixels { right: 11, bottom: 2 }),
            "11 px right, 2 px bottom left over, same as the offset"
        );
    }
}
