//! The background colours of an image without transparency: which they are, others in their place, and the one that
//! is about to be picked on the canvas.

use eframe::egui;
use egui::{Label, RichText, Ui, Vec2};
use egui_material_icons::icons::{ICON_ADD, ICON_CLOSE, ICON_COLORIZE};

use super::rows::Answer;
use super::{labelled, weak};
use crate::session::Study;
use crate::ui::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// More colours than this are no background.
const MOST_COLOURS: usize = 8;
/// The colour that is there to be changed when one is added.
const ADDED: [u8; 3] = [255, 0, 255];

/// The part of the form. `picking` is the place of the colour that a click on the canvas gives.
pub(super) fn ui(
    ui: &mut Ui,
    colours: &mut Vec<[u8; 3]>,
    study: &Study,
    picking: &mut Option<usize>,
) -> Answer {
    let mut answer = Answer::default();
    if let Some(found) = &study.background {
        weak(ui, &words(colours, &found.colours));
    }
    let mut removed = None;
    for (index, colour) in colours.iter_mut().enumerate() {
        let number = index + 1;
        labelled(ui, &format!("Colour {number}"), ROW_HEIGHT, |ui| {
            ui.spacing_mut().interact_size = Vec2::new(ROW_HEIGHT, ROW_HEIGHT - INSIDE);
            let before = *colour;
            let swatch =
                ui.color_edit_button_srgb(colour).accessible_name(format!("Background colour {number}"));
            swatch.on_hover_text(format!("{}\nClick to change", spelled(*colour)));
            answer.changed |= before != *colour;
            ui.add(Label::new(RichText::new(spelled(*colour)).monospace()).selectable(false));
            ui.add_space(BETWEEN);
            pick_button(ui, picking, index, &format!("Pick colour {number} on the canvas"));
            let remove = format!("Remove colour {number}");
            if widgets::icon_button(ui, ICON_CLOSE, &remove, "").clicked() {
                removed = Some(index);
            }
        });
    }
    if let Some(index) = removed {
        colours.remove(index);
        *picking = None;
        answer = Answer { changed: true, finished: true };
    }
    if colours.len() < MOST_COLOURS {
        let count = colours.len();
        labelled(ui, if count == 0 { "Colour" } else { "" }, ROW_HEIGHT, |ui| {
            if widgets::icon_button(ui, ICON_ADD, "Add a background colour", "").clicked() {
                colours.push(ADDED);
                answer = Answer { changed: true, finished: true };
            }
            pick_button(ui, picking, count, "Pick another colour on the canvas");
            if picking.is_some() {
                let color = theme::palette(ui).weak_text;
                super::runs::row_words(ui, "Click the canvas", color);
            }
        });
    }
    answer
}

fn pick_button(ui: &mut Ui, picking: &mut Option<usize>, index: usize, name: &str) {
    let is_on = *picking == Some(index);
    if widgets::icon_toggle(ui, ICON_COLORIZE, name, "", is_on).clicked() {
        *picking = (!is_on).then_some(index);
    }
}

/// Puts a colour that was picked on the canvas in its place.
pub(super) fn take(colours: &mut Vec<[u8; 3]>, index: usize, colour: [u8; 3]) {
    match colours.get_mut(index) {
        Some(place) => *place = colour,
        None => colours.push(colour),
    }
    let mut seen = Vec::new();
    colours.retain(|colour| {
        let is_first = !seen.contains(colour);
        seen.push(*colour);
        is_first
    });
}

/// What the border told, while that is what is used.
fn words(colours: &[[u8; 3]], found: &[[u8; 3]]) -> String {
    match colours {
        [] if found.is_empty() => "No transparency, and no background colour was found at the border.".into(),
        [] => "No transparency, and no background colour.".into(),
        _ if colours == found => {
            let named: Vec<_> =
                found.iter().map(|colour| format!("{} {}", name(*colour), spelled(*colour))).collect();
            format!("No transparency. Background: {} found at the border", named.join(" and "))
        }
        _ => "No transparency. Background:".into(),
    }
}

/// "#FF00FF".
fn spelled([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// What people call a colour.
fn name([red, green, blue]: [u8; 3]) -> &'static str {
    let [r, g, b] = [red, green, blue].map(i32::from);
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let spread = most - least;
    if spread < 24 {
        return match most {
            0..40 => "black",
            40..216 => "grey",
            _ => "white",
        };
    }
    let sector = if most == r {
        (g - b) * 60 / spread
    } else if most == g {
        120 + (b - r) * 60 / spread
    } else {
        240 + (r - g) * 60 / spread
    };
    match sector.rem_euclid(360) {
        15..45 => "orange",
        45..75 => "yellow",
        75..165 => "green",
        165..195 => "cyan",
        195..255 => "blue",
        255..285 => "violet",
        285..330 => "magenta",
        _ => "red",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_named_as_people_do() {
        for (colour, called) in [
            ([255, 0, 255], "magenta"),
            ([0, 255, 0], "green"),
            ([0, 128, 128], "cyan"),
            ([250, 250, 250], "white"),
            ([8, 0, 4], "black"),
            ([255, 0, 8], "red"),
            ([120, 120, 130], "grey"),
        ] {
            assert_eq!(name(colour), called, "{colour:?}");
        }
        assert_eq!(
            words(&[[255, 0, 255]], &[[255, 0, 255]]),
            "No transparency. Background: magenta #FF00FF found at the border"
        );
    }

    #[test]
    fn a_picked_colour_takes_its_place_and_none_is_there_twice() {
        let mut colours = vec![[1; 3], [2; 3]];
        take(&mut colours, 0, [3; 3]);
        assert_eq!(colours, [[3; 3], [2; 3]]);
        take(&mut colours, 2, [2; 3]);
        assert_eq!(colours, [[3; 3], [2; 3]]);
        take(&mut colours, 2, [4; 3]);
        assert_eq!(colours.len(), 3);
    }
}
