//! The pairs of numbers of the grid form: fields, the chain between two that go together, and the pin beside those that
//! were edited last.

use eframe::egui;
use egui::{Button, Label, Rect, RichText, Ui};
use egui_material_icons::icons::{ICON_KEEP, ICON_LINK, ICON_LINK_OFF};

use super::form::{Form, Numbers, Pair, Stays};
use super::place;
use super::rows::RowRects;
use crate::ui::theme;
use crate::ui::widgets::{self, NumberResponse};

/// More than an image can have, so that what was typed stays to be read beside the reason why it cannot be.
pub(super) const MOST: i32 = 99_999;

/// Names of a pair: of the row, and of its fields.
const fn names(pair: Pair) -> (&'static str, [&'static str; 2]) {
    match pair {
        Pair::Cell => ("Cell", ["Cell width", "Cell height"]),
        Pair::Offset => ("Offset", ["Offset x", "Offset y"]),
        Pair::Spacing => ("Spacing", ["Spacing x", "Spacing y"]),
        Pair::Count => ("Count", ["Columns", "Rows"]),
    }
}

const fn explanation(pair: Pair) -> &'static str {
    match pair {
        Pair::Cell => "Width and height of a frame",
        Pair::Offset => "From the image's left and top edge to the first cell",
        Pair::Spacing => "Between one cell and the next",
        Pair::Count => "Columns and rows",
    }
}

/// Which of size and count a pair is.
pub(super) const fn pinned(pair: Pair) -> Option<Stays> {
    match pair {
        Pair::Cell => Some(Stays::Size),
        Pair::Count => Some(Stays::Count),
        Pair::Offset | Pair::Spacing => None,
    }
}

fn numbers(form: &mut Form, pair: Pair) -> &mut Numbers {
    match pair {
        Pair::Cell => &mut form.cell,
        Pair::Offset => &mut form.offset,
        Pair::Spacing => &mut form.spacing,
        Pair::Count => &mut form.count,
    }
}

/// The numbers of a pair that may go together.
pub(super) fn linkable(form: &mut Form, pair: Pair) -> Option<&mut Numbers> {
    (pair != Pair::Count).then(|| numbers(form, pair))
}

/// The two fields of a row; `None` for one that follows the other.
pub(super) fn pair_fields(
    ui: &mut Ui,
    pair: Pair,
    form: &mut Form,
    rects: &RowRects,
    takes_keyboard: bool,
) -> [Option<NumberResponse>; 2] {
    let (row, [first, second]) = names(pair);
    rects.words(ui, row, explanation(pair));
    let Numbers { x, y, is_linked } = numbers(form, pair);
    let (least, unit) = match pair {
        Pair::Cell => (0, "px"),
        Pair::Count => (0, ""),
        Pair::Offset | Pair::Spacing => (-MOST, "px"),
    };
    let range = least..=MOST;
    let x = place(ui, rects.first, first, |ui| {
        if takes_keyboard {
            // Asked for before the field is drawn, so that it begins with all of its text selected.
            let id = ui.next_auto_id();
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        widgets::number_field(ui, first, x, range.clone(), unit)
    });
    if *is_linked {
        linked_field(ui, rects.second, second, *y, unit);
        return [Some(x), None];
    }
    let y = place(ui, rects.second, second, |ui| widgets::number_field(ui, second, y, range, unit));
    [Some(x), Some(y)]
}

/// The number that follows the one before it; Tab passes it by.
fn linked_field(ui: &mut Ui, rect: Rect, name: &str, number: i32, unit: &str) {
    place(ui, rect, name, |ui| {
        let text = (RichText::new(number.to_string()).monospace(), format!(" {unit}"));
        let button = Button::new(text).gap(0.0).min_size(rect.size()).truncate();
        ui.add_enabled(false, button)
            .accessible_name(name)
            .on_disabled_hover_text(format!("{name} follows the number before it. The chain parts them"));
    });
}

/// The chain between two numbers; whether it was clicked.
pub(super) fn chain(ui: &mut Ui, rect: Rect, pair: Pair, numbers: &mut Numbers) -> bool {
    let (row, _) = names(pair);
    let (icon, verb) = if numbers.is_linked { (ICON_LINK, "Part") } else { (ICON_LINK_OFF, "Link") };
    let name = format!("{verb} {} x and y", row.to_lowercase());
    let is_clicked =
        place(ui, rect, (row, "chain"), |ui| widgets::icon_button(ui, icon, &name, "").clicked());
    if is_clicked {
        numbers.toggle_link();
    }
    is_clicked
}

/// Says which of size and count stays when the other numbers change.
pub(super) fn pin(ui: &mut Ui, rect: Rect, stays: Stays) {
    let text = match stays {
        Stays::Size => "Edited last: the cell's size stays and the count follows",
        Stays::Count => "Edited last: the count stays and the cell's size follows",
    };
    let icon = widgets::icon_text(ICON_KEEP).size(14.0).color(theme::palette(ui).weak_text);
    place(ui, rect, "pin", |ui| ui.add(Label::new(icon).selectable(false)).on_hover_text(text));
}
