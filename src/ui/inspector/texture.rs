//! How the sheet becomes a texture: the pixel format and what it costs.

use eframe::egui;
use egui::{ComboBox, Ui};

use super::{labelled, part_title};
use crate::edit::Edit;
use crate::geometry::Size;
use crate::model::FormatChoice;
use crate::registry::Asset;
use crate::session::{Action, Document};
use crate::texture::PixelFormat;
use crate::ui::theme::ROW_HEIGHT;
use crate::ui::widgets::{self, Tone};

/// The section.
pub(super) fn ui(ui: &mut Ui, document: &Document, asset: Option<&Asset>, actions: &mut Vec<Action>) {
    let has_alpha = asset.and_then(|asset| asset.image.as_ref()).and_then(|image| image.has_alpha);
    let chosen = document.sheet().settings.format.and_then(FormatChoice::fixed);
    let size = stored_size(document, asset);
    let format = chosen.or(has_alpha.map(PixelFormat::automatic));
    let bytes = format.map(|format| format!("{} of pixels", pixel_bytes(size, format)));
    part_title(ui, "Texture", &bytes.unwrap_or_default());
    labelled(ui, "Format", ROW_HEIGHT, |ui| {
        let combo = ComboBox::from_id_salt("format")
            .width(ui.available_width())
            .selected_text(name(chosen, has_alpha));
        let combo = combo.show_ui(ui, |ui| {
            for option in std::iter::once(None).chain(PixelFormat::ALL.map(Some)) {
                if ui.selectable_label(option == chosen, choice(option, has_alpha, size)).clicked() {
                    actions.push(Action::Edit(Edit::SetFormat(option.map(FormatChoice::Fixed))));
                    actions.push(Action::Seal);
                }
            }
        });
        combo.response.accessible_name("Pixel format").on_hover_text(reason(chosen, has_alpha));
    });
    if has_alpha == Some(true) && chosen.is_some_and(|format| !format.has_alpha()) {
        widgets::banner(ui, Tone::Warning, "This format has no transparency, the image has.");
    }
}

/// The size at which the sheet is stored; the image's until that is known.
fn stored_size(document: &Document, asset: Option<&Asset>) -> Size {
    let texture = asset.and_then(|asset| asset.texture.as_ref());
    texture.map_or(document.image_size, |texture| texture.stored_size)
}

fn pixel_bytes(size: Size, format: PixelFormat) -> String {
    widgets::bytes_text(size.area() * format.bytes_per_pixel() as u64)
}

/// What is chosen, and for Automatic what that is.
fn name(chosen: Option<PixelFormat>, has_alpha: Option<bool>) -> String {
    match (chosen, has_alpha) {
        (Some(format), _) => format.to_string(),
        (None, Some(has_alpha)) => format!("Automatic: {}", PixelFormat::automatic(has_alpha)),
        (None, None) => "Automatic".to_owned(),
    }
}

/// A line of the list.
fn choice(option: Option<PixelFormat>, has_alpha: Option<bool>, size: Size) -> String {
    match option.or(has_alpha.map(PixelFormat::automatic)) {
        Some(format) => format!("{}, {}", name(option, has_alpha), pixel_bytes(size, format)),
        None => name(option, has_alpha),
    }
}

/// Why it is that format.
fn reason(chosen: Option<PixelFormat>, has_alpha: Option<bool>) -> String {
    match (chosen, has_alpha) {
        (Some(format), _) => {
            format!("{format}, chosen for this sheet: {} bytes a pixel", format.bytes_per_pixel())
        }
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

    #[test]
    fn automatic_says_what_it_chose_and_why() {
        assert_eq!(name(None, Some(true)), "Automatic: RGB565A8");
        assert_eq!(reason(None, Some(true)), "Automatic: RGB565A8, it has transparency");
        assert_eq!(reason(None, Some(false)), "Automatic: RGB565, it has no transparency");
        assert_eq!(name(None, None), "Automatic");
    }

    #[test]
    fn each_choice_says_what_it_costs() {
        // 192 x 96 x 3 = 55,296
        let size = Size::new(192, 96);
        assert_eq!(choice(None, Some(true), size), "Automatic: RGB565A8, 55 kB");
        assert_eq!(choice(Some(PixelFormat::Alpha8), Some(true), size), "ALPHA8, 18 kB");
        assert_eq!(choice(None, None, size), "Automatic");
    }
}
