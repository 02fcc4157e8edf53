//! The chroma key: the colour that is drawn as nothing, and what else 16 bits would take for it.

use eframe::egui;
use egui::{Checkbox, Label, RichText, Ui, Vec2};
use egui_material_icons::icons::ICON_COLORIZE;

use super::super::{labelled, weak};
use super::{Subject, Texture};
use crate::edit::Edit;
use crate::session::Action;
use crate::texture::{ChromaKey, PixelFormat, rgb_text};
use crate::ui::theme::{BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// The colour of a first key where the image has no background; the engine's default.
const FIRST: [u8; 3] = [255, 0, 255];

/// The row of the form.
pub(super) fn ui(ui: &mut Ui, subject: &Subject<'_>, state: &mut Texture, actions: &mut Vec<Action>) {
    let key = subject.storing.chroma_key;
    let mut set = |key: Option<[u8; 3]>, is_done: bool| {
        actions.push(Action::Edit(Edit::SetChromaKey(key.map(ChromaKey::from))));
        actions.extend(is_done.then_some(Action::Seal));
    };
    if let Some(picked) = state.picked.take() {
        set(Some(picked), true);
    }
    labelled(ui, "Key", ROW_HEIGHT, |ui| {
        let mut is_on = key.is_some();
        let switch = ui.add(Checkbox::without_text(&mut is_on));
        let explanation = "A colour of the image that is drawn as nothing";
        if switch.accessible_name("Chroma key").on_hover_text(explanation).clicked() {
            state.picks_key = false;
            set(is_on.then(|| subject.background.unwrap_or(FIRST)), true);
        }
        let Some(key) = key else {
            pick_button(ui, state);
            if state.picks_key {
                weak(ui, "Click the canvas");
            }
            return;
        };
        ui.spacing_mut().interact_size = Vec2::new(ROW_HEIGHT, ROW_HEIGHT - INSIDE);
        let mut rgb = key.rgb();
        let swatch = ui.color_edit_button_srgb(&mut rgb).accessible_name("Colour of the chroma key");
        swatch.on_hover_text(format!("{}\nClick to change", rgb_text(key.rgb())));
        if rgb != key.rgb() {
            set(Some(rgb), false);
        }
        ui.add(Label::new(RichText::new(rgb_text(key.rgb())).monospace()).selectable(false));
        ui.add_space(BETWEEN);
        pick_button(ui, state);
    });
    if let Some(words) = key.and_then(|key| cell_words(key, subject.format_of(&subject.storing)?)) {
        weak(ui, &words);
    }
}

fn pick_button(ui: &mut Ui, state: &mut Texture) {
    let name = "Pick the chroma key on the canvas";
    if widgets::icon_toggle(ui, ICON_COLORIZE, name, "", state.picks_key).clicked() {
        state.picks_key = !state.picks_key;
    }
}

/// The colours that become nothing with a key in that format; nothing where it is only the key.
fn cell_words(key: ChromaKey, format: PixelFormat) -> Option<String> {
    match format {
        PixelFormat::Rgb565 | PixelFormat::Rgb565A8 => {
            let [red, green, blue] = cell(key);
            let words = |[from, to]: [u8; 2]| format!("{from}\u{2013}{to}");
            Some(format!(
                "In 16 bits it is red {}, green {}, blue {}; art in between, marked on the canvas, moves to the next colour.",
                words(red),
                words(green),
                words(blue)
            ))
        }
        PixelFormat::Alpha8 => Some("ALPHA8 has no colour: the key does nothing.".to_owned()),
        PixelFormat::Rgb888 | PixelFormat::Rgba8888 => None,
    }
}

/// The least and the largest value of each channel that 5, 6 and 5 bits cannot tell from the key.
fn cell(ChromaKey { red, green, blue }: ChromaKey) -> [[u8; 2]; 3] {
    [[red & 0xf8, red | 0x07], [green & 0xfc, green | 0x03], [blue & 0xf8, blue | 0x07]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magenta_takes_what_the_format_cannot_tell_from_it() {
        let magenta = ChromaKey::from([255, 0, 255]);
        assert_eq!(cell(magenta), [[248, 255], [0, 3], [248, 255]]);
        let words = cell_words(magenta, PixelFormat::Rgb565).unwrap();
        assert!(words.contains("red 248\u{2013}255, green 0\u{2013}3, blue 248\u{2013}255"), "{words}");
        assert_eq!(cell_words(magenta, PixelFormat::Rgb888), None);
    }
}
