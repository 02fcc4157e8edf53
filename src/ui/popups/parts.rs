//! What the popups share: fields that begin with the keyboard, lines that say what is wrong, the buttons below.

use eframe::egui;
use egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat, TextWrapping};
use egui::widgets::text_edit::TextEditState;
use egui::{
    Align2, Button, Color32, FontId, Key, Label, Rect, Response, RichText, Sides, TextStyle, Ui, Vec2,
};
use egui_material_icons::MaterialIcon;

use crate::ui::theme::{self, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

/// Gives a field the keyboard with all of its text selected. Whether it has it.
pub(in crate::ui) fn focus_all(ui: &Ui, field: &Response, text: &str) -> bool {
    focus_first(ui, field, text.chars().count())
}

/// Gives a field the keyboard with so many characters from the first one selected. Whether it has it.
pub(in crate::ui) fn focus_first(ui: &Ui, field: &Response, characters: usize) -> bool {
    if field.has_focus() {
        return true;
    }
    field.request_focus();
    let mut state = TextEditState::load(ui, field.id).unwrap_or_default();
    let selected = CCursorRange::two(CCursor::new(0), CCursor::new(characters));
    state.cursor.set_char_range(Some(selected));
    state.store(ui, field.id);
    false
}

/// A line of text within a rectangle, in the middle of its height, cut where it is too long.
pub(in crate::ui) fn text_in(ui: &Ui, rect: Rect, text: &str, color: Color32, align: Align2) {
    let format = TextFormat { font_id: TextStyle::Body.resolve(ui.style()), color, ..TextFormat::default() };
    let mut job = LayoutJob::single_section(text.to_owned(), format);
    job.wrap = TextWrapping::truncate_at_width(rect.width());
    let galley = ui.painter().layout_job(job);
    let at = align.align_size_within_rect(galley.size(), rect).min;
    ui.painter().galley(at, galley, color);
}

/// An icon in the middle of a rectangle.
pub(in crate::ui) fn icon_in(ui: &Ui, rect: Rect, icon: MaterialIcon, color: Color32) {
    let font = FontId::new(theme::ICON_SIZE, icon.font_family());
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, icon.codepoint, font, color);
}

/// An explanation in small weak text.
pub(in crate::ui) fn explanation(ui: &mut Ui, text: &str) {
    let text = RichText::new(text).small().color(theme::palette(ui).weak_text);
    ui.add(Label::new(text).wrap().selectable(false));
}

/// What is to be known, with its icon; takes the height of a row so that nothing jumps when it comes and goes.
/// `beside` is drawn behind it.
pub(in crate::ui) fn message<T>(
    ui: &mut Ui,
    message: Option<(Tone, &str)>,
    beside: impl FnOnce(&mut Ui) -> T,
) -> T {
    ui.horizontal(|ui| {
        ui.set_min_height(ROW_HEIGHT);
        if let Some((tone, text)) = message {
            ui.add(Label::new(tone.icon_text(ui)).selectable(false));
            let color = if tone == Tone::Info { theme::palette(ui).weak_text } else { tone.color(ui) };
            ui.add(Label::new(RichText::new(text).color(color)).selectable(false));
        }
        beside(ui)
    })
    .inner
}

/// What was chosen below a popup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ui) enum Choice {
    Nothing,
    Take,
    GiveUp,
}

/// The primary button, which says its key, and Cancel. `why_not` is why the primary one is disabled.
pub(in crate::ui) fn buttons(ui: &mut Ui, primary: &str, key: &str, why_not: Option<&str>) -> Choice {
    ui.add_space(theme::BETWEEN);
    let ((), choice) = Sides::new().show(
        ui,
        |_| (),
        |ui| {
            let button = widgets::primary_button(ui, primary);
            let take = ui
                .add_enabled(why_not.is_none(), button)
                .on_hover_text(format!("{primary} ({key})"))
                .on_disabled_hover_text(why_not.unwrap_or_default());
            let cancel = Button::new("Cancel").min_size(Vec2::new(72.0, ROW_HEIGHT));
            if ui.add(cancel).on_hover_text("Cancel (Esc)").clicked() {
                Choice::GiveUp
            } else if take.clicked() {
                Choice::Take
            } else {
                Choice::Nothing
            }
        },
    );
    choice
}

/// Whether Enter was pressed in this pass.
pub(in crate::ui) fn is_entered(ui: &Ui) -> bool {
    ui.input(|input| input.key_pressed(Key::Enter))
}
