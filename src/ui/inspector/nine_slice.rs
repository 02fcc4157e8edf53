//! The borders of the selected frame, or of an image without frames: a few words that say what they are, and in the
//! nine-slice mode their numbers.

use std::sync::Arc;

use eframe::egui;
use egui::{Align, Button, Checkbox, Label, Layout, Rect, RichText, Ui, Vec2};
use egui_material_icons::icons::{ICON_BORDER_CLEAR, ICON_CLOSE, ICON_LINK, ICON_LINK_OFF};

use super::border_words::{collapse_words, left_out_words, short_words, subject_name, why_limited};
use super::pairs::MOST;
use super::rows::{RowRects, escapes};
use super::{part_title, place, weak};
use crate::edit::{Bordered, Edit, Revision};
use crate::session::{Action, Command, Document, Session};
use crate::texture::{Insets, Side};
use crate::ui::canvas::{BorderSubject, NineSlice};
use crate::ui::theme::{self, ICON_SIZE, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, NumberResponse};

/// What the section keeps from one pass to the next.
#[derive(Default)]
pub(super) struct BorderForm {
    of: Option<(Arc<str>, Bordered)>,
    /// The state before a number was typed that changed something.
    typed_from: Option<Revision>,
    /// Equal borders go their own ways, as somebody asked for.
    is_parted: bool,
    /// Why what was typed last is not what they became, for as long as they are this.
    refused: Option<(String, Insets)>,
}

impl BorderForm {
    /// Other borders end what is being typed.
    fn follow(&mut self, document: &Document, subject: &BorderSubject, actions: &mut Vec<Action>) {
        let is_same =
            self.of.as_ref().is_some_and(|(path, of)| *path == document.path && *of == subject.primary);
        if !is_same {
            if self.typed_from.is_some() {
                actions.push(Action::Seal);
            }
            *self = Self { of: Some((document.path.clone(), subject.primary)), ..Self::default() };
        }
    }

    fn is_linked(&self, borders: Insets) -> bool {
        borders.equal().is_some() && !self.is_parted
    }
}

/// What the section is about in this pass.
struct Borders<'a> {
    document: &'a Document,
    subject: &'a BorderSubject,
    mode: &'a mut NineSlice,
    now: Insets,
}

impl Borders<'_> {
    fn edit(&self, insets: Insets) -> Action {
        Action::Edit(Edit::SetBorders(self.mode.targets(self.subject), insets))
    }
}

/// The section. What is edited in the mode: its stretched preview takes the place of the plain one.
pub(super) fn ui(
    ui: &mut Ui,
    form: &mut BorderForm,
    mode: &mut NineSlice,
    document: &Document,
    session: &Session,
    actions: &mut Vec<Action>,
) -> Option<BorderSubject> {
    mode.sync(document);
    let Some(subject) = BorderSubject::of(document) else {
        mode.take_entered();
        if mode.is_on() {
            title(ui, session, "Nine-slice", actions);
            let none_is_selected = document.history.selection().is_empty();
            weak(
                ui,
                if none_is_selected {
                    "Select a frame to give it borders."
                } else {
                    "The frame has no pixels inside the image."
                },
            );
        }
        return None;
    };
    form.follow(document, &subject, actions);
    let now = mode.borders(document, &subject);
    if !mode.is_on() {
        return None;
    }
    let takes_keyboard = mode.take_entered();
    title(ui, session, &format!("Nine-slice: {}", subject_name(document, subject.primary)), actions);
    let mut borders = Borders { document, subject: &subject, mode, now };
    fields(ui, form, &mut borders, takes_keyboard, actions);
    same(ui, &mut borders, actions);
    words(ui, form, &borders);
    Some(subject)
}

/// What the borders are while they are not edited, and the button that changes that; from the right end of a row.
pub(super) fn summary(ui: &mut Ui, session: &Session, document: &Document, actions: &mut Vec<Action>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if widgets::command_button(ui, session, Command::NineSlice, None) {
            actions.push(Command::NineSlice.into());
        }
        if let Some(subject) = BorderSubject::of(document) {
            let borders = subject.primary.borders(document.sheet());
            if !borders.is_zero() {
                let words = RichText::new(short_words(borders)).color(theme::palette(ui).weak_text);
                ui.add(Label::new(words).truncate().selectable(false)).on_hover_text("Nine-slice borders");
            }
        }
    });
}

/// Whose borders they are, and a button to leave the mode.
fn title(ui: &mut Ui, session: &Session, text: &str, actions: &mut Vec<Action>) {
    let right = ui.max_rect().right();
    part_title(ui, text, "");
    let bottom = ui.cursor().top();
    let rect = Rect::from_min_max(
        egui::pos2(right - ROW_HEIGHT, bottom - ROW_HEIGHT + INSIDE / 2.0),
        egui::pos2(right, bottom + INSIDE / 2.0),
    );
    let is_left = place(ui, rect, "leave nine-slice", |ui| {
        widgets::icon_button(ui, ICON_CLOSE, "Leave nine-slice", &widgets::key_text(ui, Command::NineSlice))
            .clicked()
    });
    if is_left && session.why_disabled(Command::NineSlice).is_none() {
        actions.push(Command::NineSlice.into());
    }
}

/// The four numbers with their chain, and the button that clears them.
fn fields(
    ui: &mut Ui,
    form: &mut BorderForm,
    borders: &mut Borders<'_>,
    takes_keyboard: bool,
    actions: &mut Vec<Action>,
) {
    let is_linked = form.is_linked(borders.now);
    let rows = [("L and R", [Side::Left, Side::Right]), ("T and B", [Side::Top, Side::Bottom])];
    for (number, (word, sides)) in rows.into_iter().enumerate() {
        let rects = RowRects::next(ui);
        rects.words(ui, word, "From the frame's own edges inwards, in image pixels");
        for (side, rect) in sides.into_iter().zip([rects.first, rects.second]) {
            if is_linked && side != Side::Left {
                following(ui, rect, side, borders.now.side(side));
                continue;
            }
            place(ui, rect, (side.name(), "border"), |ui| {
                if takes_keyboard && side == Side::Left {
                    // Asked for before the field is drawn, so that it begins with all of its text selected.
                    let id = ui.next_auto_id();
                    ui.memory_mut(|memory| memory.request_focus(id));
                }
                number_field(ui, form, side, is_linked, borders, actions);
            });
        }
        if number == 0 {
            chain(ui, rects.link, form, is_linked, borders, actions);
        } else {
            clear(ui, rects.link, borders, actions);
        }
    }
}

fn field_name(side: Side) -> &'static str {
    match side {
        Side::Left => "Left border",
        Side::Top => "Top border",
        Side::Right => "Right border",
        Side::Bottom => "Bottom border",
    }
}

/// A number that follows the left one; Tab passes it by.
fn following(ui: &mut Ui, rect: Rect, side: Side, border: u16) {
    place(ui, rect, (side.name(), "border"), |ui| {
        let text = (RichText::new(border.to_string()).monospace(), " px");
        let button = Button::new(text).gap(0.0).min_size(rect.size()).truncate();
        ui.add_enabled(false, button).accessible_name(field_name(side)).on_disabled_hover_text(format!(
            "{} follows the left one. The chain parts them",
            field_name(side)
        ));
    });
}

fn number_field(
    ui: &mut Ui,
    form: &mut BorderForm,
    side: Side,
    is_linked: bool,
    borders: &Borders<'_>,
    actions: &mut Vec<Action>,
) {
    let mut number = i32::from(borders.now.side(side));
    let NumberResponse { response, changed, finished } =
        widgets::number_field(ui, field_name(side), &mut number, 0..=MOST, "px");
    if finished && escapes(ui) {
        form.refused = None;
        let before = form.typed_from.take();
        let is_changed = before.is_some_and(|before| before != borders.document.history.revision());
        actions.push(if is_changed { Command::Undo.into() } else { Action::Seal });
    } else {
        if changed {
            set(form, side, is_linked, number, borders, actions);
        }
        if finished {
            form.typed_from = None;
            actions.push(Action::Seal);
        }
    }
    let explanation =
        if is_linked { "Width of all four borders" } else { "Width of this border, in image pixels" };
    response.on_hover_text(format!("{}\n{explanation}", field_name(side)));
}

/// Takes a number as far as a device would draw what has such borders.
fn set(
    form: &mut BorderForm,
    side: Side,
    is_linked: bool,
    number: i32,
    borders: &Borders<'_>,
    actions: &mut Vec<Action>,
) {
    let size = borders.subject.size();
    let asked = u16::try_from(number).unwrap_or(u16::MAX);
    let start = borders.now.limited(size);
    let (most, wanted) = if is_linked {
        let most = Insets::most_for_all(size);
        (most, Insets::all(asked.min(most)))
    } else {
        let most = start.most(side, size);
        (most, start.with_side(side, asked.min(most)))
    };
    form.refused = (asked > most).then(|| (why_limited(side, is_linked, start, size, most), wanted));
    let is_new = wanted != borders.subject.primary.borders(borders.document.sheet());
    if is_new {
        if form.typed_from.is_none() {
            // Whatever came before is another step.
            actions.push(Action::Seal);
            form.typed_from = Some(borders.document.history.revision());
        }
        actions.push(borders.edit(wanted));
    }
}

/// The chain between the four.
fn chain(
    ui: &mut Ui,
    rect: Rect,
    form: &mut BorderForm,
    is_linked: bool,
    borders: &Borders<'_>,
    actions: &mut Vec<Action>,
) {
    let (icon, name) = if is_linked {
        (ICON_LINK, "Part the borders")
    } else {
        (ICON_LINK_OFF, "Link the borders: all as the left one")
    };
    let is_clicked = place(ui, rect, "border chain", |ui| widgets::icon_button(ui, icon, name, "").clicked());
    if is_clicked {
        form.is_parted = is_linked;
        let all = Insets::all(borders.now.left.min(Insets::most_for_all(borders.subject.size())));
        if !is_linked && all != borders.now {
            actions.extend([Action::Seal, borders.edit(all), Action::Seal]);
        }
    }
}

fn clear(ui: &mut Ui, rect: Rect, borders: &Borders<'_>, actions: &mut Vec<Action>) {
    let sheet = borders.document.sheet();
    let has_any = borders.mode.targets(borders.subject).iter().any(|it| !it.borders(sheet).is_zero());
    place(ui, rect, "clear borders", |ui| {
        let icon = Button::new(widgets::icon_text(ICON_BORDER_CLEAR));
        let button = icon.frame_when_inactive(false).min_size(Vec2::splat(ROW_HEIGHT));
        let response = ui.add_enabled(has_any, button).accessible_name("Clear");
        let response = response.on_disabled_hover_text("Clear\nThere are no borders to take away");
        if response.on_hover_text("Clear\nTake all four borders away").clicked() {
            actions.extend([Action::Seal, borders.edit(Insets::default()), Action::Seal]);
        }
    });
}

/// Whether all that is selected goes along.
fn same(ui: &mut Ui, borders: &mut Borders<'_>, actions: &mut Vec<Action>) {
    let count = borders.subject.all.len();
    if count < 2 {
        return;
    }
    let mut is_same = borders.mode.is_same();
    let text = format!("Same for the {count} selected frames");
    let response = ui.add(Checkbox::new(&mut is_same, text));
    let response = response.on_hover_text(
        "Gives all selected frames these borders, now and while it is ticked; one that is too small for them keeps its own",
    );
    if response.clicked() {
        borders.mode.set_same(is_same, borders.document);
        if is_same {
            let borders = borders.edit(borders.subject.primary.borders(borders.document.sheet()));
            actions.extend([Action::Seal, borders, Action::Seal]);
        }
    }
}

/// What is worth knowing of these borders.
fn words(ui: &mut Ui, form: &BorderForm, borders: &Borders<'_>) {
    let Borders { document, subject, mode, now } = borders;
    let left_out = mode.is_same().then(|| left_out_words(document, subject, *now)).flatten();
    let collapse = collapse_words(document, subject, *now);
    let refused = form.refused.as_ref().filter(|(_, became)| became == now).map(|(why, _)| why);
    for words in [refused, left_out.as_ref(), collapse.as_ref()].into_iter().flatten() {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = INSIDE;
            let icon = widgets::Tone::Warning.icon_text(ui).size(ICON_SIZE);
            ui.add(Label::new(icon).selectable(false));
            let color = theme::palette(ui).text;
            ui.add(Label::new(RichText::new(words).small().color(color)).wrap().selectable(false));
        });
    }
}
