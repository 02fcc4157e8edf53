//! Small parts that several panels share, so that a button, a number or a message looks and reads the same everywhere.
//!
//! Each takes the `Ui` first and gives back a response; none knows the session beyond "why is this disabled".

use std::ops::RangeInclusive;

use eframe::egui;
use egui::emath::Numeric;
use egui::{
    Align, Button, Context, DragValue, Frame, Id, Key, Label, Layout, Margin, Mesh, Modifiers, Painter, Rect,
    Response, RichText, Sense, Shape, Ui, Vec2, Widget as _,
};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_BLOCK, ICON_CHECK_CIRCLE, ICON_ERROR, ICON_HOURGLASS_EMPTY, ICON_INFO, ICON_PENDING, ICON_WARNING,
};

use super::bindings;
use super::theme::{self, BETWEEN, ICON_SIZE, INSIDE, ROW_HEIGHT};
use crate::geometry::Size;
use crate::model::Severity;
use crate::registry::State;
use crate::session::{Action, Backdrop, Command, SelectMode, Session};

/// Side of a square of the checkerboard, in points.
pub const CHECKER_SIDE: f32 = 8.0;

/// A command's name on a button, with its shortcut in the tooltip; disabled with the reason. Whether it was pressed.
pub fn command_button(ui: &mut Ui, session: &Session, command: Command, icon: Option<MaterialIcon>) -> bool {
    let button = match icon {
        Some(icon) => Button::new((icon_text(icon), command.text())),
        None => Button::new(command.text()),
    };
    add_command(ui, session, command, button.min_size(Vec2::new(0.0, ROW_HEIGHT)))
}

/// A command as a button on which its name is shortened. Whether it was pressed.
pub fn command_button_as(ui: &mut Ui, session: &Session, command: Command, words: &str) -> bool {
    add_command(ui, session, command, Button::new(words).min_size(Vec2::new(0.0, ROW_HEIGHT)))
}

/// A command as an icon alone. Whether it was pressed.
pub fn command_icon(ui: &mut Ui, session: &Session, command: Command, icon: MaterialIcon) -> bool {
    add_command(ui, session, command, quiet_icon(icon))
}

fn add_command(ui: &mut Ui, session: &Session, command: Command, button: Button<'_>) -> bool {
    let why_disabled = session.why_disabled(command);
    let response = ui.add_enabled(why_disabled.is_none(), button).accessible_name(command.text());
    let tooltip = command_tooltip(ui, command);
    match why_disabled {
        Some(why) => response.on_disabled_hover_text(format!("{tooltip}\n{why}")).clicked(),
        None => response.on_hover_text(tooltip).clicked(),
    }
}

/// "Name (Shortcut)" and what the command does.
pub fn command_tooltip(ctx: &Context, command: Command) -> String {
    format!("{}\n{}", with_key(ctx, command.text(), command), command.tooltip())
}

/// Words with the present key of a command: "Next (G)".
pub fn with_key(ctx: &Context, words: &str, command: Command) -> String {
    named(words, &key_text(ctx, command))
}

/// "Name (Shortcut)", or the name alone.
fn named(name: &str, shortcut: &str) -> String {
    if shortcut.is_empty() { name.to_owned() } else { format!("{name} ({shortcut})") }
}

/// A quiet button that is only an icon. `name` is its accessible name and, with `shortcut` unless that is empty, its
/// tooltip.
pub fn icon_button(ui: &mut Ui, icon: MaterialIcon, name: &str, shortcut: &str) -> Response {
    ui.add(quiet_icon(icon)).accessible_name(name).on_hover_text(named(name, shortcut))
}

/// An icon button that stays pressed while `is_on`.
pub fn icon_toggle(ui: &mut Ui, icon: MaterialIcon, name: &str, shortcut: &str, is_on: bool) -> Response {
    let button = quiet_icon(icon).selected(is_on);
    let button =
        if is_on { button.fill(theme::palette(ui).accent_surface).frame_when_inactive(true) } else { button };
    ui.add(button).accessible_name(name).on_hover_text(named(name, shortcut))
}

fn quiet_icon(icon: MaterialIcon) -> Button<'static> {
    Button::new(icon_text(icon)).frame_when_inactive(false).min_size(Vec2::splat(ROW_HEIGHT))
}

/// An icon at the size that all icons have, to put in a label or a button.
pub fn icon_text(icon: MaterialIcon) -> RichText {
    icon.rich_text().size(ICON_SIZE)
}

/// The one button of a window that stands out.
pub fn primary_button<'a>(ctx: &Context, text: &str) -> Button<'a> {
    let palette = theme::palette(ctx);
    Button::new(RichText::new(text).color(palette.on_accent))
        .fill(palette.accent)
        .min_size(Vec2::new(0.0, ROW_HEIGHT))
}

/// A small, calm title over a group of controls.
pub fn section_title(ui: &mut Ui, text: &str) -> Response {
    ui.add_space(INSIDE);
    Label::new(RichText::new(text).small().strong().color(theme::palette(ui).weak_text))
        .selectable(false)
        .ui(ui)
}

/// Text that a click copies. `label` says what it is ("GUID"); only the text itself is drawn.
pub fn copyable(ui: &mut Ui, label: &str, text: &str, actions: &mut Vec<Action>) -> Response {
    let shown =
        Label::new(RichText::new(text).monospace()).truncate().selectable(false).sense(Sense::click());
    let response = ui
        .add(shown)
        .accessible_name(format!("Copy {label}"))
        .on_hover_cursor(egui::CursorIcon::Copy)
        .on_hover_text(format!("{text}\nClick to copy"));
    if response.clicked() {
        actions.push(Action::CopyText(text.to_owned()));
    }
    response
}

/// What happened to a number field in this pass.
#[derive(Debug)]
pub struct NumberResponse {
    /// The field itself.
    pub response: Response,
    /// Whether the value is another than before, also while typing or dragging.
    pub changed: bool,
    /// Whether it was left or a drag ended: the next change is a step of its own.
    pub finished: bool,
}

/// The value a field had when it was entered, and the one it gave back last.
#[derive(Debug, Clone, Copy, Default)]
struct Entered {
    value: f64,
    last: f64,
}

/// A number to drag, type or step with the arrow keys; takes `32*3`. The value follows while typing; Escape brings
/// back the one from before, Enter keeps it. `label` is the accessible name, `suffix` a unit such as "px" or nothing.
pub fn number_field<N: Numeric>(
    ui: &mut Ui,
    label: &str,
    value: &mut N,
    range: RangeInclusive<N>,
    suffix: &str,
) -> NumberResponse {
    let before = *value;
    let field = DragValue::new(value).range(range);
    let response = add_number::<N>(ui, label, field, suffix);
    answered(ui, response, value, before)
}

/// A number that may be none, such as one that stands for several that differ; then it reads `none`, and drags and
/// arrow keys begin at `start`.
pub fn optional_field(
    ui: &mut Ui,
    label: &str,
    value: &mut Option<i32>,
    (none, start): (&str, i32),
    range: RangeInclusive<i32>,
    suffix: &str,
) -> NumberResponse {
    // None is between two whole numbers, so that each of these is another value.
    let between = f64::from(start) + 0.5;
    let mut number = value.map_or(between, f64::from);
    let before = number;
    let suffix = if value.is_some() { suffix } else { "" };
    let field = DragValue::new(&mut number)
        .range(f64::from(*range.start())..=f64::from(*range.end()))
        .max_decimals(0)
        .custom_formatter(|it, _| if it.fract() == 0.0 { it.to_string() } else { none.to_owned() });
    let response = add_number::<i32>(ui, label, field, suffix);
    let answer = answered(ui, response, &mut number, before);
    if answer.changed {
        *value = (number != between).then_some(number.round() as i32);
    }
    answer
}

fn add_number<N: Numeric>(ui: &mut Ui, label: &str, field: DragValue<'_>, suffix: &str) -> Response {
    let unit = if suffix.is_empty() { String::new() } else { format!(" {suffix}") };
    let id = ui.next_auto_id();
    // An arrow key is a step of one; a drag needs a few points for it.
    let speed = if ui.memory(|memory| memory.has_focus(id)) { 1.0 } else { 0.25 };
    let field =
        field.speed(speed).suffix(RichText::new(unit).monospace()).clip_text(true).custom_parser(|text| {
            calculate(text.trim_end().trim_end_matches(suffix)).map(|it| rounded::<N>(it))
        });
    ui.add(field).accessible_name(label)
}

fn answered<N: Numeric>(ui: &Ui, response: Response, value: &mut N, before: N) -> NumberResponse {
    let escaped = follow_editing(ui, &response, value, before);
    let changed = *value != before;
    let finished = response.lost_focus() || response.drag_stopped() || escaped;
    NumberResponse { response, changed, finished }
}

/// Remembers the value at the start of an edit and brings it back on Escape; whether it did.
fn follow_editing<N: Numeric>(ui: &Ui, response: &Response, value: &mut N, before: N) -> bool {
    let id = response.id;
    if response.has_focus() {
        let entered = ui.data(|data| data.get_temp::<Entered>(id));
        // What changed it since our last pass was not this field: an undo, say. That is the value to go back to.
        let start = entered
            .filter(|it| it.last.total_cmp(&before.to_f64()).is_eq())
            .map_or(before.to_f64(), |it| it.value);
        ui.data_mut(|data| {
            data.insert_temp(id, Entered { value: start, last: value.to_f64() });
            data.insert_temp(number_focus_id(), id);
        });
        return false;
    }
    let entered = ui.data_mut(|data| data.remove_temp::<Entered>(id));
    let Some(entered) =
        entered.filter(|_| response.lost_focus() && ui.input(|it| it.key_pressed(Key::Escape)))
    else {
        return false;
    };
    *value = N::from_f64(entered.value);
    true
}

fn number_focus_id() -> Id {
    Id::unique("number field with focus")
}

/// Whether a number field has the keyboard; its value follows each key, so undo belongs to the document.
pub fn is_number_focused(ctx: &Context) -> bool {
    let number = ctx.data(|data| data.get_temp::<Id>(number_focus_id()));
    number.is_some() && ctx.memory(egui::Memory::focused) == number
}

fn rounded<N: Numeric>(value: f64) -> f64 {
    if N::INTEGRAL { value.round() } else { value }
}

/// The value of an expression of numbers, `+ - * /` and parentheses; `None` when it is none, or not finite.
pub fn calculate(text: &str) -> Option<f64> {
    let compact: Vec<u8> =
        text.replace('−', "-").replace('×', "*").bytes().filter(|it| !it.is_ascii_whitespace()).collect();
    let mut rest = compact.as_slice();
    let value = sum(&mut rest, 0)?;
    (rest.is_empty() && value.is_finite()).then_some(value)
}

/// Deeper nesting than anyone types; keeps a pasted text from exhausting the stack.
const MAX_NESTING: u32 = 32;

fn sum(rest: &mut &[u8], depth: u32) -> Option<f64> {
    let mut value = product(rest, depth)?;
    while let Some((operator @ (b'+' | b'-'), after)) = rest.split_first() {
        *rest = after;
        let term = product(rest, depth)?;
        value = if *operator == b'+' { value + term } else { value - term };
    }
    Some(value)
}

fn product(rest: &mut &[u8], depth: u32) -> Option<f64> {
    let mut value = factor(rest, depth)?;
    while let Some((operator @ (b'*' | b'/'), after)) = rest.split_first() {
        *rest = after;
        let term = factor(rest, depth)?;
        value = if *operator == b'*' { value * term } else { value / term };
    }
    Some(value)
}

fn factor(rest: &mut &[u8], depth: u32) -> Option<f64> {
    if depth > MAX_NESTING {
        return None;
    }
    let (first, after) = rest.split_first()?;
    match first {
        b'-' => {
            *rest = after;
            factor(rest, depth + 1).map(|value| -value)
        }
        b'(' => {
            *rest = after;
            let value = sum(rest, depth + 1)?;
            *rest = rest.strip_prefix(b")")?;
            Some(value)
        }
        _ => {
            let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
            let length = rest.iter().take_while(|byte| is_part(byte)).count();
            let (number, after) = rest.split_at(length);
            *rest = after;
            std::str::from_utf8(number).ok()?.parse().ok()
        }
    }
}

/// How a banner, a problem or a message is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Worth knowing.
    Info,
    /// Likely not as meant.
    Warning,
    /// Wrong.
    Error,
    /// Went well.
    Done,
}

impl Tone {
    /// Its icon; shape tells as much as colour does.
    pub const fn icon(self) -> MaterialIcon {
        match self {
            Self::Info => ICON_INFO,
            Self::Warning => ICON_WARNING,
            Self::Error => ICON_ERROR,
            Self::Done => ICON_CHECK_CIRCLE,
        }
    }

    /// Its colour in the theme that is shown.
    pub fn color(self, ctx: &Context) -> egui::Color32 {
        let palette = theme::palette(ctx);
        match self {
            Self::Info => palette.weak_text,
            Self::Warning => palette.warning,
            Self::Error => palette.error,
            Self::Done => palette.done,
        }
    }

    /// The icon in its colour.
    pub fn icon_text(self, ctx: &Context) -> RichText {
        icon_text(self.icon()).color(self.color(ctx))
    }
}

impl From<Severity> for Tone {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Info => Self::Info,
        }
    }
}

/// A message that stays as long as it is true, over the full width.
pub fn banner(ui: &mut Ui, tone: Tone, text: &str) -> Response {
    let frame = Frame::new()
        .fill(theme::palette(ui).raised)
        .corner_radius(4)
        .inner_margin(Margin::symmetric(BETWEEN as i8, INSIDE as i8));
    let shown = frame.show(ui, |ui| {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            ui.set_min_width(ui.available_width());
            ui.add(Label::new(tone.icon_text(ui)).selectable(false));
            ui.add(Label::new(text).wrap());
        });
    });
    shown.response
}

/// Icon, word and colour of where an asset stands.
pub fn state_look(ctx: &Context, state: State) -> (MaterialIcon, &'static str, egui::Color32) {
    let palette = theme::palette(ctx);
    match state {
        State::Importing => (ICON_HOURGLASS_EMPTY, "Importing", palette.weak_text),
        State::UpToDate => (ICON_CHECK_CIRCLE, "Up to date", palette.done),
        State::Failed => (ICON_ERROR, "Failed", palette.error),
        State::Stale => (ICON_PENDING, "Stale", palette.warning),
        State::Missing => (ICON_BLOCK, "Missing", palette.error),
    }
}

/// The present key of a command in words, empty when it has none.
pub fn key_text(ctx: &Context, command: Command) -> String {
    let key = bindings::present(ctx).key(command);
    key.map(|key| bindings::text(key, is_mac(ctx))).unwrap_or_default()
}

/// What the main modifier is called on this system: "Ctrl", or "Cmd" on macOS.
pub fn ctrl_text(ctx: &Context) -> &'static str {
    if is_mac(ctx) { "Cmd" } else { "Ctrl" }
}

/// Whether keys are spelled as on macOS.
pub fn is_mac(ctx: &Context) -> bool {
    ctx.os() == egui::os::OperatingSystem::Mac
}

/// What a click in a list does to the selection: Shift goes on from the last one, Ctrl adds or takes away.
pub const fn select_mode_in_list(modifiers: Modifiers) -> SelectMode {
    if modifiers.shift {
        SelectMode::Extend
    } else if modifiers.command {
        SelectMode::Toggle
    } else {
        SelectMode::Replace
    }
}

/// "32 x 16 px".
pub fn pixel_size_text(size: Size) -> String {
    format!("{size} px")
}

/// Bytes as people say them: "812 bytes", "1.5 kB", "23 MB"; 1000 to the kilobyte.
pub fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
    }
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    // Rounding may not give "1000 kB".
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let unit = UNITS[unit];
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// "1 frame", "3 frames".
pub fn count_text(count: usize, singular: &str) -> String {
    if count == 1 { format!("1 {singular}") } else { format!("{count} {singular}s") }
}

/// What was chosen to be behind transparent art.
pub fn paint_backdrop(painter: &Painter, rect: Rect, backdrop: Backdrop) {
    match backdrop {
        Backdrop::Checker => paint_checker(painter, rect, painter.ctx()),
        Backdrop::Color(color) => {
            painter.rect_filled(rect, 0.0, theme::chosen(color));
        }
    }
}

/// Two close greys behind transparent art, in squares of screen points from the corner of `rect`.
pub fn paint_checker(painter: &Painter, rect: Rect, ctx: &Context) {
    let [dark, light] = theme::palette(ctx).checker;
    let seen = rect.intersect(painter.clip_rect());
    if !seen.is_positive() {
        return;
    }
    painter.rect_filled(seen, 0.0, dark);
    let squares = |from: f32, to: f32, start: f32| {
        ((from - start) / CHECKER_SIDE).floor() as i32..((to - start) / CHECKER_SIDE).ceil() as i32
    };
    let mut mesh = Mesh::default();
    for row in squares(seen.top(), seen.bottom(), rect.top()) {
        for column in squares(seen.left(), seen.right(), rect.left()).filter(|column| (column + row) % 2 == 0)
        {
            let corner = rect.min + Vec2::new(column as f32, row as f32) * CHECKER_SIDE;
            mesh.add_colored_rect(
                Rect::from_min_size(corner, Vec2::splat(CHECKER_SIDE)).intersect(seen),
                light,
            );
        }
    }
    painter.add(Shape::mesh(mesh));
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn arithmetic_is_calculated_and_nonsense_is_not() {
        for (text, value) in [
            ("32*3", Some(96.0)),
            (" 2 + 3 * 4 ", Some(14.0)),
            ("(2+3)*4-1", Some(19.0)),
            ("265/8", Some(33.125)),
            ("-4", Some(-4.0)),
            ("2×8", Some(16.0)),
            ("32*", None),
            ("", None),
            ("1/0", None),
            ("1e9", None),
            ("2)", None),
            ("1.2.3", None),
        ] {
            assert_eq!(calculate(text), value, "{text:?}");
        }
        assert_eq!(calculate(&"(".repeat(100_000)), None);
        assert_eq!(calculate(&"-".repeat(100_000)), None);
    }

    #[test]
    fn bytes_are_said_with_two_digits_or_more() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (999, "999 bytes"),
            (1500, "1.5 kB"),
            (23_400, "23 kB"),
            (999_900, "1.0 MB"),
            (5_000_000_000, "5.0 GB"),
        ] {
            assert_eq!(bytes_text(bytes), text);
        }
    }

    /// A number field whose value and last answer are the state.
    fn number() -> Harness<'static, (u32, bool)> {
        Harness::new_ui_state(
            |ui, (value, finished): &mut (u32, bool)| {
                let response = number_field(ui, "Cell width", value, 1..=500, "px");
                *finished |= response.finished;
            },
            (16, false),
        )
    }

    fn edit_field(harness: &mut Harness<'_, (u32, bool)>, text: &str) {
        harness.get_by_label("Cell width").click();
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        harness.run();
        harness.get_by_label("Cell width").type_text(text);
        harness.run();
    }

    #[test]
    fn a_number_field_follows_typing_and_enter_keeps_it() {
        let mut harness = number();
        edit_field(&mut harness, "32*3");
        assert_eq!(*harness.state(), (96, false));
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(*harness.state(), (96, true));
    }

    #[test]
    fn escape_brings_back_the_number_from_before() {
        let mut harness = number();
        edit_field(&mut harness, "240");
        assert_eq!(harness.state().0, 240);
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(*harness.state(), (16, true));
    }

    #[test]
    fn a_number_stays_in_its_range_and_arrows_step_it() {
        let mut harness = number();
        edit_field(&mut harness, "9999");
        assert_eq!(harness.state().0, 500);
        edit_field(&mut harness, "7");
        harness.key_press(Key::ArrowUp);
        harness.run();
        assert_eq!(harness.state().0, 8);
    }
}
