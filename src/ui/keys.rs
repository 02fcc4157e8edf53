//! The key listener, made from the table of commands.
//!
//! Enter, Escape and single keys go, in this order, to: a dialog, a popup, a drag, a text field, the bar over the
//! canvas, the selection. Who has the keyboard is decided by `Keyboard::lets_through` alone; of the commands that share
//! a key the first in the table that makes sense now is the one that is meant.

use std::sync::LazyLock;

use eframe::egui;
use egui::{Context, Event, Id, Key, Modifiers, Popup, Ui};

use super::{bars, widgets};
use crate::session::{Action, Command, Session, Shortcut};

/// Keys beside the ones of the table: what other programs have taught, and what keyboards without a plus key send.
const ALSO: [(Command, Shortcut); 3] = [
    (Command::Palette, Shortcut { ctrl: true, shift: true, alt: false, key: "P" }),
    (Command::Redo, Shortcut { ctrl: true, shift: false, alt: false, key: "Y" }),
    (Command::ZoomIn, Shortcut { ctrl: true, shift: false, alt: false, key: "Equals" }),
];

struct Binding {
    command: Command,
    key: Key,
    modifiers: Modifiers,
}

/// All bindings, those with more modifiers first.
static BINDINGS: LazyLock<Vec<Binding>> = LazyLock::new(|| {
    let table = Command::ALL.iter().filter_map(|&command| Some((command, command.shortcut()?)));
    let mut bindings: Vec<_> =
        table.chain(ALSO).filter_map(|(command, shortcut)| bind(command, shortcut)).collect();
    bindings.sort_by_key(|binding| std::cmp::Reverse(modifier_count(binding.modifiers)));
    bindings
});

fn bind(command: Command, shortcut: Shortcut) -> Option<Binding> {
    let Shortcut { ctrl, shift, alt, key } = shortcut;
    let mut modifiers = Modifiers::NONE;
    modifiers.command = ctrl;
    modifiers.shift = shift;
    modifiers.alt = alt;
    Some(Binding { command, key: Key::from_name(key)?, modifiers })
}

fn modifier_count(modifiers: Modifiers) -> u32 {
    u32::from(modifiers.command) + u32::from(modifiers.shift) + u32::from(modifiers.alt)
}

/// Who has the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Keyboard {
    /// Nobody in particular.
    #[default]
    Window,
    /// A button of the bar over the canvas, which Enter presses.
    Bar,
    /// A field with a text of its own, such as a filter.
    Text,
    /// A number field, whose value is the document's.
    Number,
    /// The pointer, which drags something.
    Drag,
    /// An open menu or popup.
    Popup,
    /// A dialog over the window.
    Dialog,
}

impl Keyboard {
    /// Whether a command's key goes to the window rather than to whoever has the keyboard.
    fn lets_through(self, command: Command, modifiers: Modifiers, key: Key) -> bool {
        let types = !modifiers.command && !is_function_key(key);
        match self {
            Self::Window => true,
            Self::Bar => key != Key::Enter,
            Self::Text => {
                !types && !is_of_texts(command) && !matches!(command, Command::Undo | Command::Redo)
            }
            Self::Number => !types && !is_of_texts(command),
            Self::Drag | Self::Popup => key != Key::Escape,
            Self::Dialog => false,
        }
    }
}

/// Whether a field with a text has another use for the command's key.
fn is_of_texts(command: Command) -> bool {
    use Command::{CopyFrames, CutFrames, MoveEarlier, MoveLater, SelectAll};
    matches!(command, SelectAll | CopyFrames | CutFrames | MoveEarlier | MoveLater)
}

fn is_function_key(key: Key) -> bool {
    (Key::F1..=Key::F12).contains(&key)
}

/// The command of a pressed key, if it goes to the window. Of several with the same key it is the first that `can` be
/// carried out, or just the first.
fn command_of(
    keyboard: Keyboard,
    key: Key,
    pressed: Modifiers,
    can: impl Fn(Command) -> bool,
) -> Option<Command> {
    // Some keyboards need Shift for the signs.
    let is_sign = matches!(key, Key::Plus | Key::Minus | Key::Equals);
    let matches = |binding: &&Binding| {
        let is_held = if is_sign {
            pressed.matches_logically(binding.modifiers)
        } else {
            pressed.matches_exact(binding.modifiers)
        };
        binding.key == key && is_held
    };
    let mut matching = BINDINGS.iter().filter(matches).peekable();
    let first = *matching.peek()?;
    let binding = matching.find(|binding| can(binding.command)).unwrap_or(first);
    keyboard.lets_through(binding.command, binding.modifiers, key).then_some(binding.command)
}

/// Whether holding the key down repeats the command.
fn repeats(command: Command) -> bool {
    use Command::{MoveEarlier, MoveLater, NextTab, PreviousTab, Redo, Undo, ZoomIn, ZoomOut};
    matches!(command, Undo | Redo | ZoomIn | ZoomOut | NextTab | PreviousTab | MoveEarlier | MoveLater)
}

/// Turns pressed keys into commands, before any panel sees them.
pub fn listen(ui: &Ui, session: &Session, actions: &mut Vec<Action>) {
    let keyboard = if session.question().is_some() { Keyboard::Dialog } else { who_has_it(ui) };
    ui.input_mut(|input| {
        input.events.retain(|event| {
            if let Some(action) = clipboard_action(keyboard, event) {
                actions.push(action);
                return false;
            }
            let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
            let can = |command| session.why_disabled(command).is_none();
            let Some(command) = command_of(keyboard, *key, *modifiers, can) else { return true };
            // Without a guess Enter is nobody's here.
            if command == Command::AcceptGuess && !can(command) {
                return true;
            }
            if !*repeat || repeats(command) {
                actions.push(command.into());
            }
            false
        });
    });
}

/// What the system's copy, cut and paste mean while no text has the keyboard.
fn clipboard_action(keyboard: Keyboard, event: &Event) -> Option<Action> {
    if !matches!(keyboard, Keyboard::Window | Keyboard::Bar) {
        return None;
    }
    match event {
        Event::Copy => Some(Command::CopyFrames.into()),
        Event::Cut => Some(Command::CutFrames.into()),
        Event::Paste(text) => Some(Action::Paste(text.clone())),
        _ => None,
    }
}

/// Remembers who has the keyboard at the end of a pass: Escape takes the focus from a text field, and ends a drag,
/// before the next one begins, yet is meant for that field or drag.
pub fn note_focus(ui: &Ui) {
    let keyboard = if ui.dragged_id().is_some() { Keyboard::Drag } else { focused(ui) };
    ui.data_mut(|data| data.insert_temp(noted_id(), keyboard));
}

fn noted_id() -> Id {
    Id::unique("who had the keyboard")
}

fn who_has_it(ctx: &Context) -> Keyboard {
    if ctx.memory(|memory| memory.top_modal_layer().is_some()) {
        return Keyboard::Dialog;
    }
    if Popup::is_any_open(ctx) {
        return Keyboard::Popup;
    }
    if ctx.dragged_id().is_some() {
        return Keyboard::Drag;
    }
    let noted = ctx.data(|data| data.get_temp(noted_id())).unwrap_or_default();
    match focused(ctx) {
        // The button is still down, or was until this pass.
        Keyboard::Window | Keyboard::Bar if noted == Keyboard::Drag => Keyboard::Drag,
        Keyboard::Window => noted,
        other => other,
    }
}

fn focused(ctx: &Context) -> Keyboard {
    if widgets::is_number_focused(ctx) {
        Keyboard::Number
    } else if ctx.text_edit_focused() {
        Keyboard::Text
    } else if bars::has_keyboard(ctx) {
        Keyboard::Bar
    } else {
        Keyboard::Window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CTRL: Modifiers = Modifiers::COMMAND;
    const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

    fn in_window(key: Key, modifiers: Modifiers) -> Option<Command> {
        command_of(Keyboard::Window, key, modifiers, |_| true)
    }

    #[test]
    fn every_key_of_the_table_is_one_that_egui_knows() {
        let with_keys = Command::ALL.iter().filter_map(|command| command.shortcut());
        for shortcut in with_keys.chain(ALSO.map(|(_, shortcut)| shortcut)) {
            assert!(Key::from_name(shortcut.key).is_some(), "{shortcut:?}");
        }
    }

    #[test]
    fn more_modifiers_are_another_command() {
        assert_eq!(in_window(Key::Z, CTRL), Some(Command::Undo));
        assert_eq!(in_window(Key::Z, CTRL_SHIFT), Some(Command::Redo));
        assert_eq!(in_window(Key::Y, CTRL), Some(Command::Redo));
        assert_eq!(in_window(Key::S, CTRL.plus(Modifiers::ALT)), Some(Command::SaveAll));
        assert_eq!(in_window(Key::F, Modifiers::NONE), Some(Command::FrameSelection));
        assert_eq!(in_window(Key::F, Modifiers::ALT), None);
        assert_eq!(in_window(Key::F, CTRL), None);
    }

    #[test]
    fn plus_may_need_shift() {
        assert_eq!(in_window(Key::Plus, CTRL_SHIFT), Some(Command::ZoomIn));
        assert_eq!(in_window(Key::Equals, CTRL), Some(Command::ZoomIn));
        assert_eq!(in_window(Key::Minus, CTRL), Some(Command::ZoomOut));
    }

    #[test]
    fn escape_goes_to_dialog_popup_drag_and_field_before_the_selection() {
        for keyboard in [Keyboard::Dialog, Keyboard::Popup, Keyboard::Drag, Keyboard::Text, Keyboard::Number]
        {
            assert_eq!(command_of(keyboard, Key::Escape, Modifiers::NONE, |_| true), None, "{keyboard:?}");
        }
        let without_bar = |command| command != Command::DismissGuess;
        let escape =
            |can: &dyn Fn(Command) -> bool| command_of(Keyboard::Window, Key::Escape, Modifiers::NONE, can);
        assert_eq!(escape(&|_| true), Some(Command::DismissGuess), "the bar over the canvas comes first");
        assert_eq!(escape(&without_bar), Some(Command::Deselect));
    }

    #[test]
    fn enter_is_the_bars_unless_a_field_or_one_of_its_buttons_has_the_keyboard() {
        assert_eq!(in_window(Key::Enter, Modifiers::NONE), Some(Command::AcceptGuess));
        for keyboard in [Keyboard::Bar, Keyboard::Text, Keyboard::Number] {
            assert_eq!(command_of(keyboard, Key::Enter, Modifiers::NONE, |_| true), None, "{keyboard:?}");
        }
    }

    #[test]
    fn words_in_a_text_are_not_frames_in_a_row() {
        for key in [Key::ArrowLeft, Key::ArrowRight, Key::C, Key::X] {
            assert_eq!(command_of(Keyboard::Text, key, CTRL, |_| true), None, "{key:?}");
        }
        assert_eq!(in_window(Key::ArrowLeft, CTRL), Some(Command::MoveEarlier));
    }

    #[test]
    fn a_text_field_keeps_letters_and_its_own_undo() {
        let in_text = |key, modifiers| command_of(Keyboard::Text, key, modifiers, |_| true);
        assert_eq!(in_text(Key::F, Modifiers::NONE), None);
        assert_eq!(in_text(Key::Num1, Modifiers::NONE), None);
        assert_eq!(in_text(Key::A, CTRL), None);
        assert_eq!(in_text(Key::Z, CTRL), None);
        assert_eq!(in_text(Key::S, CTRL), Some(Command::Save));
        assert_eq!(in_text(Key::F8, Modifiers::NONE), Some(Command::NextProblem));
    }

    #[test]
    fn undo_in_a_number_field_is_the_document_s() {
        let in_number = |key, modifiers| command_of(Keyboard::Number, key, modifiers, |_| true);
        assert_eq!(in_number(Key::Z, CTRL), Some(Command::Undo));
        assert_eq!(in_number(Key::Z, CTRL_SHIFT), Some(Command::Redo));
        assert_eq!(in_number(Key::A, CTRL), None);
        assert_eq!(in_number(Key::Num1, Modifiers::NONE), None);
    }

    #[test]
    fn nothing_goes_past_a_dialog() {
        for binding in BINDINGS.iter() {
            assert_eq!(command_of(Keyboard::Dialog, binding.key, binding.modifiers, |_| true), None);
        }
    }
}
