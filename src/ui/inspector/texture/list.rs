//! A list to choose from that says what each choice costs, and that the wheel goes through.

use eframe::egui;
use egui::{ComboBox, Event, Response, RichText, Ui, Vec2};

use crate::ui::theme;

/// A choice.
pub(super) struct Row<T> {
    pub(super) value: T,
    /// What it is called.
    pub(super) name: String,
    /// What it gives, in columns: the size, the bytes.
    pub(super) costs: [String; 2],
    /// Why it is not what the target can take.
    pub(super) warning: Option<String>,
}

impl<T> Row<T> {
    pub(super) fn new(value: T, name: impl Into<String>) -> Self {
        Self { value, name: name.into(), costs: Default::default(), warning: None }
    }
}

/// The list, as wide as there is room. What was chosen in this pass.
pub(super) fn list<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    selected_text: &str,
    explanation: &str,
    chosen: T,
    rows: &[Row<T>],
) -> Option<T> {
    let mut picked = None;
    let warn = theme::palette(ui).warning;
    let combo = ComboBox::from_id_salt(name).width(ui.available_width()).selected_text(selected_text);
    let combo = combo.height(400.0).show_ui(ui, |ui| {
        let widest = |column: fn(&Row<T>) -> &str| rows.iter().map(|row| column(row).chars().count()).max();
        let [first, second, third] =
            [widest(|row| &row.name), widest(|row| &row.costs[0]), widest(|row| &row.costs[1])]
                .map(Option::unwrap_or_default);
        for row in rows {
            let [size, bytes] = &row.costs;
            let text = format!("{:<first$}  {size:>second$}  {bytes:>third$}", row.name);
            let mut text = RichText::new(text.trim_end()).monospace();
            if row.warning.is_some() {
                text = text.color(warn);
            }
            let mut line = ui.selectable_label(row.value == chosen, text);
            if let Some(warning) = &row.warning {
                line = line.on_hover_text(warning);
            }
            if line.clicked() && row.value != chosen {
                picked = Some(row.value);
            }
        }
    });
    let response = combo.response;
    response.clone().accessible_name(name).on_hover_text(explanation);
    picked.or_else(|| turned(ui, &response, chosen, rows))
}

/// The choice that the wheel goes to while the pointer is over the list's field: down to the next, up to the one before.
fn turned<T: Copy + PartialEq>(ui: &Ui, response: &Response, chosen: T, rows: &[Row<T>]) -> Option<T> {
    if !response.contains_pointer() || egui::Popup::is_any_open(ui) {
        return None;
    }
    let steps: i32 = ui.input_mut(|input| {
        let turns = input.events.iter().filter_map(|event| match event {
            Event::MouseWheel { delta, modifiers, .. } if modifiers.is_none() && delta.y != 0.0 => {
                Some(if delta.y > 0.0 { -1 } else { 1 })
            }
            _ => None,
        });
        let steps = turns.sum();
        // The panel stays where it is.
        input.smooth_scroll_delta = Vec2::ZERO;
        steps
    });
    let at = rows.iter().position(|row| row.value == chosen)?;
    let to = (at as i64 + i64::from(steps)).clamp(0, rows.len() as i64 - 1) as usize;
    rows.get(to).map(|row| row.value).filter(|value| *value != chosen)
}
