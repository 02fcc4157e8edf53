//! Rows of the inspector's forms: where their parts are, and the controls that several forms have.

use std::ops::RangeInclusive;

use eframe::egui;
use egui::{Align, Button, Label, Layout, Rect, RichText, Slider, SliderClamping, Ui, UiBuilder, Vec2};

use super::{LABEL_WIDTH, labelled, place};
use crate::ui::theme::{self, BETWEEN, ICON_SIZE, INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// Width of the number beside a slider.
const NUMBER_WIDTH: f32 = 60.0;

/// Where the parts of a row with two numbers are.
pub(in crate::ui) struct RowRects {
    pub(in crate::ui) label: Rect,
    pub(in crate::ui) first: Rect,
    pub(in crate::ui) link: Rect,
    pub(in crate::ui) second: Rect,
    pub(in crate::ui) pin: Rect,
}

impl RowRects {
    /// The next row.
    pub(in crate::ui) fn next(ui: &mut Ui) -> Self {
        let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), ROW_HEIGHT));
        let field = ((row.width() - LABEL_WIDTH - ROW_HEIGHT - ICON_SIZE - 4.0 * INSIDE) / 2.0).max(40.0);
        let mut x = row.left();
        let mut take = |width: f32| {
            let rect = Rect::from_min_size(egui::pos2(x, row.top()), Vec2::new(width, ROW_HEIGHT));
            x += width + INSIDE;
            rect
        };
        Self {
            label: take(LABEL_WIDTH),
            first: take(field),
            link: take(ROW_HEIGHT),
            second: take(field),
            pin: take(ICON_SIZE),
        }
    }

    /// The word before the numbers.
    pub(in crate::ui) fn words(&self, ui: &mut Ui, text: &str, explanation: &str) {
        let label = Label::new(RichText::new(text).color(theme::palette(ui).weak_text)).selectable(false);
        place(ui, self.label, text, |ui| {
            ui.add(label).on_hover_text(explanation);
        });
    }
}

/// Whether a control that was left in this pass was given up.
pub(in crate::ui) fn escapes(ui: &Ui) -> bool {
    ui.input(|input| input.key_pressed(egui::Key::Escape))
}

/// What a control was asked for in this pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::ui) struct Answer {
    /// Another value than before.
    pub(in crate::ui) changed: bool,
    /// It was left or let go: the next change is a step of its own.
    pub(in crate::ui) finished: bool,
}

impl Answer {
    /// Takes in what another control was asked for.
    pub(in crate::ui) fn add(&mut self, other: Self) {
        self.changed |= other.changed;
        self.finished |= other.finished;
    }
}

/// A choice of a few: its words, which are its accessible name too, and what it does.
pub(in crate::ui) struct Choice<T> {
    pub(in crate::ui) value: T,
    pub(in crate::ui) text: String,
    pub(in crate::ui) explanation: &'static str,
}

impl<T> Choice<T> {
    pub(in crate::ui) fn new(value: T, text: impl Into<String>, explanation: &'static str) -> Self {
        Self { value, text: text.into(), explanation }
    }
}

/// Choices side by side over all the width there is, one of them on. The one that was picked.
pub(in crate::ui) fn segments<T: Copy + PartialEq>(
    ui: &mut Ui,
    chosen: T,
    choices: &[Choice<T>],
) -> Option<T> {
    let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), ROW_HEIGHT));
    ui.painter().rect_filled(row, 4.0, theme::palette(ui).raised);
    let font = egui::TextStyle::Button.resolve(ui.style());
    let width_of = |text: &str| {
        ui.painter().layout_no_wrap(text.to_owned(), font.clone(), egui::Color32::WHITE).size().x
    };
    let widths: Vec<f32> = choices.iter().map(|choice| width_of(&choice.text)).collect();
    let spare = (row.width() - widths.iter().sum::<f32>()) / choices.len().max(1) as f32;
    let (mut left, mut picked) = (row.left(), None);
    for (choice, width) in choices.iter().zip(widths) {
        let right = left + width + spare;
        let rect =
            Rect::from_min_max(egui::pos2(left.round(), row.top()), egui::pos2(right.round(), row.bottom()));
        left = right;
        let layout = Layout::centered_and_justified(egui::Direction::LeftToRight);
        let builder = UiBuilder::new().id_salt(choice.explanation).max_rect(rect).layout(layout);
        let mut ui = ui.new_child(builder);
        ui.spacing_mut().button_padding.x = 0.0;
        let button = Button::selectable(chosen == choice.value, choice.text.as_str());
        let response = ui.add(button).on_hover_text(choice.explanation);
        if response.clicked() && chosen != choice.value {
            picked = Some(choice.value);
        }
    }
    picked
}

/// A number with a slider. The slider has its own range, since numbers beyond it are rare.
pub(in crate::ui) struct SliderRow<'a> {
    /// The word before it.
    pub(in crate::ui) word: &'a str,
    /// The number's accessible name.
    pub(in crate::ui) name: &'a str,
    pub(in crate::ui) explanation: &'a str,
    pub(in crate::ui) range: RangeInclusive<i32>,
    pub(in crate::ui) slider_end: i32,
    pub(in crate::ui) suffix: &'a str,
}

impl SliderRow<'_> {
    pub(in crate::ui) fn show(self, ui: &mut Ui, value: &mut i32) -> Answer {
        let mut answer = Answer::default();
        let Self { word, name, explanation, range, slider_end, suffix } = self;
        labelled(ui, word, ROW_HEIGHT, |ui| {
            let end = slider_end.clamp(*range.start() + 1, *range.end());
            ui.spacing_mut().slider_width = ui.available_width() - NUMBER_WIDTH - BETWEEN;
            let slider = Slider::new(value, *range.start()..=end)
                .show_value(false)
                .logarithmic(end > 255)
                .clamping(SliderClamping::Edits);
            let slider = ui.add(slider).accessible_name(format!("{name} slider")).on_hover_text(explanation);
            answer.add(Answer {
                changed: slider.changed(),
                finished: slider.drag_stopped() || slider.lost_focus(),
            });
            ui.add_space(BETWEEN - INSIDE);
            ui.spacing_mut().interact_size = Vec2::new(NUMBER_WIDTH, ROW_HEIGHT);
            let number = widgets::number_field(ui, name, value, range, suffix);
            answer.add(Answer { changed: number.changed, finished: number.finished });
            number.response.on_hover_text(explanation);
        });
        answer
    }
}

/// Buttons of one row, from the left.
pub(in crate::ui) fn button_row<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = Layout::left_to_right(Align::Center).with_main_wrap(true);
    ui.allocate_ui_with_layout(Vec2::new(ui.available_width(), ROW_HEIGHT), layout, |ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(INSIDE);
        add(ui)
    })
    .inner
}
