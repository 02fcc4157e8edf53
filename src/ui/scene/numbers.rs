//! Number fields that stand for several objects: the number that all have, or "mixed".

use std::ops::RangeInclusive;

use eframe::egui;
use egui::{DragValue, RichText, Ui};

use crate::model::scene::ObjectKey;
use crate::session::Action;
use crate::ui::widgets;

/// What a mixed field holds: near enough to 0 to begin there, and no number that anybody has.
const MIXED: f64 = f64::MIN_POSITIVE * 3.0;

/// What the inspector's fields keep from one pass to the next.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// A name that is being typed, and whose it is.
    pub(super) name: Option<(Vec<ObjectKey>, String)>,
}

/// A number with its unit. `value` is that of all objects, `None` while theirs differ. The number that all are to have,
/// when it was changed.
pub(super) fn field(
    ui: &mut Ui,
    label: &str,
    value: Option<f32>,
    range: RangeInclusive<f64>,
    (speed, suffix): (f64, &str),
    actions: &mut Vec<Action>,
) -> Option<f32> {
    let mut number = value.map_or(MIXED, |value| round(value.into()));
    let before = number;
    let unit = if value.is_some() && !suffix.is_empty() { format!(" {suffix}") } else { String::new() };
    let field = DragValue::new(&mut number)
        .range(range)
        .speed(speed)
        .max_decimals(4)
        .suffix(RichText::new(unit).monospace())
        .clip_text(true)
        .custom_formatter(|number, _| if number == MIXED { "mixed".to_owned() } else { words(number) })
        .custom_parser(|text| widgets::calculate(text.trim_end().trim_end_matches(suffix)));
    let response = ui.add(field).accessible_name(label);
    if response.lost_focus() || response.drag_stopped() {
        actions.push(Action::Seal);
    }
    (number != before).then(|| round(number) as f32)
}

/// To a ten-thousandth: what is dragged or typed has no more, and what a file has is shown so.
fn round(number: f64) -> f64 {
    if number == MIXED { number } else { (number * 10_000.0).round() / 10_000.0 }
}

/// Without zeros that say nothing.
fn words(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The value that all have.
pub(super) fn common<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Option<T> {
    let mut values = values.into_iter();
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_without_zeros_that_say_nothing() {
        for (number, text) in [(1.5, "1.5"), (-0.0, "0"), (12.0, "12"), (0.0625, "0.0625"), (-3.25, "-3.25")]
        {
            assert_eq!(words(number), text);
        }
        assert_eq!(round(0.1_f32.into()), 0.1);
    }

    #[test]
    fn several_have_a_value_in_common_or_none() {
        assert_eq!(common([1, 1, 1]), Some(1));
        assert_eq!(common([1, 2, 1]), None);
        assert_eq!(common::<i32>([]), None);
    }
}
