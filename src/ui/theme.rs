//! Every colour, distance and text size of the window, for both themes. Nothing else names a colour.

#![expect(clippy::disallowed_methods, reason = "this is the one place where colours are spelled out")]

use eframe::egui;
use egui::{
    Color32, Context, CornerRadius, FontId, Frame, Margin, Stroke, Style, TextStyle, Theme, Ui, Visuals,
};

/// Inside a group of things that belong together.
pub const INSIDE: f32 = 4.0;
/// Between things.
pub const BETWEEN: f32 = 8.0;
/// Around panels.
pub const AROUND: f32 = 12.0;
/// Height of a row of a list or a form.
pub const ROW_HEIGHT: f32 = 24.0;
/// Height of a tool bar.
pub const BAR_HEIGHT: f32 = 32.0;
/// Side of an icon.
pub const ICON_SIZE: f32 = 16.0;

/// The colours of a theme.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    /// Behind the art, where no checkerboard is.
    pub canvas: Color32,
    /// Panels.
    pub surface: Color32,
    /// Bars, fields, rows under the pointer.
    pub raised: Color32,
    /// Buttons and other things to press.
    pub control: Color32,
    /// The same under the pointer.
    pub hovered: Color32,
    /// Lines between surfaces.
    pub line: Color32,
    /// Text to read.
    pub text: Color32,
    /// Text that explains.
    pub weak_text: Color32,
    /// Selection and the primary button, nothing else.
    pub accent: Color32,
    /// Behind selected rows.
    pub accent_surface: Color32,
    /// Text on selected rows, and the outline of what has the keyboard.
    pub on_accent_surface: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// Something is likely not as meant.
    pub warning: Color32,
    /// Something is wrong.
    pub error: Color32,
    /// Something is done.
    pub done: Color32,
    /// The two greys of the checkerboard behind transparent art.
    pub checker: [Color32; 2],
    /// The light and the dark half of an outline over art, so that it shows on any picture.
    pub outline: [Color32; 2],
    /// Marks over art of what is likely not as meant; bright, since art is.
    pub flag: Color32,
    /// Behind labels over art.
    pub plate: Color32,
    /// Text on a plate.
    pub on_plate: Color32,
}

const DARK: Palette = Palette {
    canvas: Color32::from_rgb(0x1B, 0x1D, 0x21),
    surface: Color32::from_rgb(0x24, 0x26, 0x2B),
    raised: Color32::from_rgb(0x2C, 0x2F, 0x35),
    control: Color32::from_rgb(0x38, 0x3C, 0x44),
    hovered: Color32::from_rgb(0x44, 0x49, 0x53),
    line: Color32::from_rgb(0x15, 0x16, 0x19),
    text: Color32::from_rgb(0xDD, 0xE0, 0xE6),
    weak_text: Color32::from_rgb(0x9C, 0xA2, 0xAE),
    accent: Color32::from_rgb(0x5B, 0x9D, 0xF5),
    accent_surface: Color32::from_rgb(0x2B, 0x41, 0x62),
    on_accent_surface: Color32::from_rgb(0xB9, 0xD5, 0xFC),
    on_accent: Color32::from_rgb(0x0B, 0x18, 0x2B),
    warning: Color32::from_rgb(0xE8, 0xB3, 0x4B),
    error: Color32::from_rgb(0xF2, 0x7A, 0x72),
    done: Color32::from_rgb(0x74, 0xC9, 0x8B),
    checker: [Color32::from_rgb(0x3A, 0x3C, 0x40), Color32::from_rgb(0x45, 0x47, 0x4C)],
    outline: [
        Color32::from_rgba_premultiplied(190, 194, 200, 200),
        Color32::from_rgba_premultiplied(0, 0, 0, 170),
    ],
    flag: Color32::from_rgb(0xE8, 0xB3, 0x4B),
    plate: Color32::from_rgba_premultiplied(12, 13, 16, 190),
    on_plate: Color32::from_rgb(0xF2, 0xF4, 0xF7),
};

const LIGHT: Palette = Palette {
    canvas: Color32::from_rgb(0xDF, 0xE1, 0xE5),
    surface: Color32::from_rgb(0xF3, 0xF4, 0xF6),
    raised: Color32::from_rgb(0xE8, 0xEA, 0xED),
    control: Color32::from_rgb(0xDA, 0xDD, 0xE2),
    hovered: Color32::from_rgb(0xCC, 0xD1, 0xD8),
    line: Color32::from_rgb(0xC4, 0xC8, 0xCF),
    text: Color32::from_rgb(0x1E, 0x21, 0x27),
    weak_text: Color32::from_rgb(0x58, 0x5F, 0x6B),
    accent: Color32::from_rgb(0x1D, 0x5F, 0xBF),
    accent_surface: Color32::from_rgb(0xC6, 0xDA, 0xF6),
    on_accent_surface: Color32::from_rgb(0x0E, 0x3F, 0x8A),
    on_accent: Color32::WHITE,
    warning: Color32::from_rgb(0x8A, 0x5A, 0x00),
    error: Color32::from_rgb(0xB3, 0x26, 0x1E),
    done: Color32::from_rgb(0x1E, 0x6B, 0x38),
    checker: [Color32::from_rgb(0xD4, 0xD6, 0xDA), Color32::from_rgb(0xC6, 0xC8, 0xCD)],
    outline: [
        Color32::from_rgba_premultiplied(235, 237, 240, 235),
        Color32::from_rgba_premultiplied(0, 0, 0, 190),
    ],
    flag: Color32::from_rgb(0xE8, 0x9A, 0x1B),
    plate: Color32::from_rgba_premultiplied(12, 13, 16, 200),
    on_plate: Color32::from_rgb(0xF7, 0xF8, 0xFA),
};

/// The colours of the theme that is shown.
pub fn palette(ctx: &Context) -> &'static Palette {
    match ctx.theme() {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
    }
}

/// A colour that the person chose, or that a picture has.
pub const fn chosen([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// The colour of an empty canvas, which the window is cleared to.
pub fn canvas_color(visuals: &egui::Visuals) -> Color32 {
    if visuals.dark_mode { DARK.canvas } else { LIGHT.canvas }
}

/// Sets fonts and styles of both themes; once, at the start.
pub fn install(ctx: &Context) {
    let mut icons = egui_material_icons::font_insert();
    // The icons' middle at the middle of the text beside them.
    icons.data.tweak.y_offset_factor = -0.05;
    ctx.add_font(icons);
    // These keys zoom the picture, not the window.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(BETWEEN, INSIDE);
        style.spacing.button_padding = egui::vec2(BETWEEN, 3.0);
        style.spacing.interact_size = egui::vec2(40.0, ROW_HEIGHT);
        style.spacing.window_margin = Margin::same(AROUND as i8);
        style.spacing.menu_margin = Margin::same(INSIDE as i8);
        style.animation_time = 0.08;
        style.drag_value_text_style = TextStyle::Monospace;
        style.text_styles = text_styles();
    });
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| paint(style, theme));
    }
}

fn text_styles() -> std::collections::BTreeMap<TextStyle, FontId> {
    [
        (TextStyle::Heading, FontId::proportional(18.0)),
        (TextStyle::Body, FontId::proportional(13.0)),
        (TextStyle::Button, FontId::proportional(13.0)),
        (TextStyle::Monospace, FontId::monospace(12.0)),
        (TextStyle::Small, FontId::proportional(11.0)),
    ]
    .into()
}

fn paint(style: &mut Style, theme: Theme) {
    let (palette, mut visuals) = match theme {
        Theme::Dark => (DARK, Visuals::dark()),
        Theme::Light => (LIGHT, Visuals::light()),
    };
    visuals.panel_fill = palette.surface;
    visuals.window_fill = palette.surface;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.extreme_bg_color = palette.canvas;
    visuals.faint_bg_color = palette.raised;
    // A caret that blinks would keep an idle window busy for ever.
    visuals.text_cursor.blink = false;
    visuals.selection.bg_fill = palette.accent_surface;
    visuals.selection.stroke = Stroke::new(1.0, palette.on_accent_surface);
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.error;
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let radius = CornerRadius::same(4);
    let widgets = &mut visuals.widgets;
    for (widget, fill) in [
        (&mut widgets.noninteractive, palette.surface),
        (&mut widgets.inactive, palette.control),
        (&mut widgets.hovered, palette.hovered),
        (&mut widgets.active, palette.accent_surface),
        (&mut widgets.open, palette.control),
    ] {
        widget.corner_radius = radius;
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::NONE;
        widget.fg_stroke = Stroke::new(1.0, palette.text);
        widget.expansion = 0.0;
    }
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.line);
    visuals.weak_text_color = Some(palette.weak_text);
    style.visuals = visuals;
}

/// The colour of a pixel: red, green, blue and straight alpha.
pub fn color_of([red, green, blue, alpha]: [u8; 4]) -> Color32 {
    Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

/// The menu bar and the status bar.
pub fn bar_frame(ui: &Ui) -> Frame {
    Frame::new().fill(palette(ui).raised).inner_margin(Margin::symmetric(BETWEEN as i8, 2))
}

/// The bar of tabs over the canvas.
pub fn tab_bar_frame(ui: &Ui) -> Frame {
    Frame::new().fill(palette(ui).raised).inner_margin(Margin::symmetric(INSIDE as i8, 0))
}

/// Panels beside and below the canvas.
pub fn side_frame(ui: &Ui) -> Frame {
    Frame::new().fill(palette(ui).surface).inner_margin(Margin::same(BETWEEN as i8))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of an opaque colour, as WCAG 2 defines it.
    fn luminance(color: Color32) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    fn contrast(one: Color32, other: Color32) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn black_on_white_has_the_greatest_contrast() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-9);
    }

    #[test]
    fn text_is_legible_on_what_it_stands_on() {
        for (theme, palette) in [("dark", DARK), ("light", LIGHT)] {
            let texts = [
                ("text", palette.text),
                ("weak text", palette.weak_text),
                ("warning", palette.warning),
                ("error", palette.error),
                ("done", palette.done),
            ];
            let surfaces =
                [("surface", palette.surface), ("raised", palette.raised), ("canvas", palette.canvas)];
            let on_surfaces =
                texts.iter().flat_map(|&text| surfaces.iter().map(move |&surface| (text, surface)));
            let others = [
                (("text", palette.text), ("control", palette.control)),
                (("text", palette.text), ("hovered", palette.hovered)),
                (("on accent", palette.on_accent), ("accent", palette.accent)),
                (("text", palette.text), ("accent surface", palette.accent_surface)),
                (
                    ("on accent surface", palette.on_accent_surface),
                    ("accent surface", palette.accent_surface),
                ),
            ];
            for ((text, color), (surface, behind)) in on_surfaces.chain(others) {
                let contrast = contrast(color, behind);
                assert!(contrast >= 4.5, "{theme}: {text} on {surface} has {contrast:.2} : 1");
            }
        }
    }
}
