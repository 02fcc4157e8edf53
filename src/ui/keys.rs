//! The key listener: from the present keys of commands to what is asked for.
//!
//! Enter, Escape and single keys go, in this order, to: a dialog, a popup, a drag, a text field, the bar over the
//! canvas, the selection. Who has the keyboard is decided by `Keyboard::lets_through` alone; of the commands that share
//! a key the first in the table that makes sense now is the one that is meant.

use eframe::egui;
use egui::{Context, Event, Id, Key, Modifiers, Popup, Ui};

use super::bindings::{self, Binding, Bindings};
use super::{bars, browser, widgets};
use crate::session::{Action, Command, Session, Workspace};

/// Who has the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Keyboard {
    /// Nobody in particular.
    #[default]
    Window,
    /// A button of the bar over the canvas, which Enter presses.
    Bar,
    /// The browser's list, at a file or a folder, which it renames and deletes.
    Files,
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
            Self::Files => modifiers.any() || !matches!(key, Key::F2 | Key::Delete),
            Self::Text => {
                let is_undo = is_undo_of_texts(key) || matches!(command, Command::Undo | Command::Redo);
                !types && !is_of_texts(key) && !is_undo
            }
            Self::Number => !types && !is_of_texts(key),
            Self::Drag | Self::Popup => key != Key::Escape,
            Self::Dialog => false,
        }
    }
}

/// Whether a field with a text has another use for the key together with Ctrl, whichever command has it now.
fn is_of_texts(key: Key) -> bool {
    use Key::{A, ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Backspace, C, Delete, End, Home, V, X};
    matches!(
        key,
        A | C | X | V | ArrowLeft | ArrowRight | ArrowUp | ArrowDown | Home | End | Backspace | Delete
    )
}

/// Whether a text undoes or does again what was typed by the key together with Ctrl.
fn is_undo_of_texts(key: Key) -> bool {
    matches!(key, Key::Y | Key::Z)
}

fn is_function_key(key: Key) -> bool {
    (Key::F1..=Key::F35).contains(&key)
}

/// The command of a pressed key, if it goes to the window. Of several with the same key it is the first that `can` be
/// carried out, or just the first.
fn command_of(
    bindings: &Bindings,
    keyboard: Keyboard,
    (key, pressed): (Key, Modifiers),
    can: impl Fn(Command) -> bool,
) -> Option<Command> {
    let matches = |binding: &&Binding| {
        let modifiers = binding.key.modifiers;
        let is_held = if bindings::is_sign(key) {
            pressed.matches_logically(modifiers)
        } else {
            pressed.matches_exact(modifiers)
        };
        binding.key.logical_key == key && is_held
    };
    let mut matching = bindings.all().iter().filter(matches).peekable();
    let first = *matching.peek()?;
    let binding = matching.find(|binding| can(binding.command)).unwrap_or(first);
    keyboard.lets_through(binding.command, binding.key.modifiers, key).then_some(binding.command)
}

/// The same while a mode is on the canvas: Escape leaves it, unless a guess is there to be declined.
fn command_in_mode(
    command: Option<Command>,
    keyboard: Keyboard,
    (key, modifiers): (Key, Modifiers),
    is_in_mode: bool,
    can: impl Fn(Command) -> bool,
) -> Option<Command> {
    let is_escape = key == Key::Escape && modifiers.is_none();
    let is_of_guess = command.is_some_and(|command| command.is_of_guess() && can(command));
    if is_in_mode && is_escape && !is_of_guess && keyboard.lets_through(Command::NineSlice, modifiers, key) {
        return Some(Command::NineSlice);
    }
    command
}

/// Whether holding the key down repeats the command.
fn repeats(command: Command) -> bool {
    use Command::{MoveEarlier, MoveLater, NextTab, PreviousTab, Redo, Undo, ZoomIn, ZoomOut};
    matches!(command, Undo | Redo | ZoomIn | ZoomOut | NextTab | PreviousTab | MoveEarlier | MoveLater)
}

/// Turns pressed keys into commands, before any panel sees them. `is_in_mode` is whether the canvas is in a mode that Escape
/// leaves before it means the selection.
pub fn listen(ui: &Ui, session: &Session, is_in_mode: bool, actions: &mut Vec<Action>) {
    let bindings = bindings::follow(ui, &session.prefs().keys);
    let keyboard = if session.question().is_some() { Keyboard::Dialog } else { who_has_it(ui) };
    ui.input_mut(|input| {
        input.events.retain(|event| {
            if let Some(action) = clipboard_action(keyboard, session.workspace(), event) {
                actions.push(action);
                return false;
            }
            let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
            let can = |command| session.why_disabled(command).is_none();
            let command = command_of(&bindings, keyboard, (*key, *modifiers), can);
            let is_in_mode = is_in_mode && can(Command::NineSlice);
            let Some(command) = command_in_mode(command, keyboard, (*key, *modifiers), is_in_mode, can)
            else {
                return true;
            };
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

/// Takes the key of a command out of this pass; whether it was pressed. For what a dialog does by the key that opened
/// it: while a text is typed there, letters are its own.
pub fn take(ctx: &Context, command: Command) -> bool {
    let keyboard = if ctx.text_edit_focused() { Keyboard::Text } else { Keyboard::Window };
    let bindings = bindings::present(ctx);
    let mut is_pressed = false;
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
            let meant = command_of(&bindings, keyboard, (*key, *modifiers), |it| it == command);
            // The key is still down by which it was opened.
            is_pressed |= meant == Some(command) && !repeat;
            meant != Some(command)
        });
    });
    is_pressed
}

/// What the system's copy, cut and paste mean while no text has the keyboard.
fn clipboard_action(keyboard: Keyboard, workspace: Workspace, event: &Event) -> Option<Action> {
    if !matches!(keyboard, Keyboard::Window | Keyboard::Bar | Keyboard::Files) {
        return None;
    }
    let (copy, cut) = match workspace {
        Workspace::Slice => (Command::CopyFrames, Command::CutFrames),
        Workspace::Scene => (Command::CopyObjects, Command::CutObjects),
    };
    match event {
        Event::Copy => Some(copy.into()),
        Event::Cut => Some(cut.into()),
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
        Keyboard::Window | Keyboard::Bar | Keyboard::Files if noted == Keyboard::Drag => Keyboard::Drag,
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
    } else if browser::has_file_keys(ctx) {
        Keyboard::Files
    } else {
        Keyboard::Window
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::prefs::KeyChanges;

    const CTRL: Modifiers = Modifiers::COMMAND;
    const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

    fn pressed(
        keyboard: Keyboard,
        key: Key,
        modifiers: Modifiers,
        can: impl Fn(Command) -> bool,
    ) -> Option<Command> {
        command_of(&Bindings::new(&KeyChanges::default()), keyboard, (key, modifiers), can)
    }

    fn in_window(key: Key, modifiers: Modifiers) -> Option<Command> {
        pressed(Keyboard::Window, key, modifiers, |_| true)
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
            assert_eq!(pressed(keyboard, Key::Escape, Modifiers::NONE, |_| true), None, "{keyboard:?}");
        }
        let without_bar = |command| command != Command::DismissGuess;
        let escape =
            |can: &dyn Fn(Command) -> bool| pressed(Keyboard::Window, Key::Escape, Modifiers::NONE, can);
        assert_eq!(escape(&|_| true), Some(Command::DismissGuess), "the bar over the canvas comes first");
        assert_eq!(escape(&without_bar), Some(Command::Deselect));
    }

    #[test]
    fn escape_leaves_the_mode_on_the_canvas_before_it_means_the_selection() {
        let escape = |keyboard, has_guess: bool, is_in_mode| {
            let can = |command: Command| has_guess || !command.is_of_guess();
            let command = pressed(keyboard, Key::Escape, Modifiers::NONE, can);
            command_in_mode(command, keyboard, (Key::Escape, Modifiers::NONE), is_in_mode, can)
        };
        assert_eq!(escape(Keyboard::Window, false, true), Some(Command::NineSlice));
        assert_eq!(escape(Keyboard::Window, true, true), Some(Command::DismissGuess));
        assert_eq!(escape(Keyboard::Window, false, false), Some(Command::Deselect));
        for keyboard in [Keyboard::Drag, Keyboard::Number, Keyboard::Text, Keyboard::Popup, Keyboard::Dialog]
        {
            assert_eq!(escape(keyboard, false, true), None, "{keyboard:?}");
        }
    }

    #[test]
    fn enter_is_the_bars_unless_a_field_or_one_of_its_buttons_has_the_keyboard() {
        assert_eq!(in_window(Key::Enter, Modifiers::NONE), Some(Command::AcceptGuess));
        for keyboard in [Keyboard::Bar, Keyboard::Text, Keyboard::Number] {
            assert_eq!(pressed(keyboard, Key::Enter, Modifiers::NONE, |_| true), None, "{keyboard:?}");
        }
    }

    #[test]
    fn the_browser_renames_and_deletes_files_and_leaves_all_else_to_the_window() {
        let in_files = |key, modifiers| pressed(Keyboard::Files, key, modifiers, |_| true);
        assert_eq!(
            (in_files(Key::F2, Modifiers::NONE), in_files(Key::Delete, Modifiers::NONE)),
            (None, None)
        );
        assert_eq!(in_files(Key::S, CTRL), Some(Command::Save));
        assert_eq!(in_files(Key::F, Modifiers::NONE), Some(Command::FrameSelection));
    }

    #[test]
    fn words_in_a_text_are_not_frames_in_a_row() {
        for key in [Key::ArrowLeft, Key::ArrowRight, Key::C, Key::X] {
            assert_eq!(pressed(Keyboard::Text, key, CTRL, |_| true), None, "{key:?}");
        }
        assert_eq!(in_window(Key::ArrowLeft, CTRL), Some(Command::MoveEarlier));
    }

    #[test]
    fn a_text_field_keeps_letters_and_its_own_undo() {
        let in_text = |key, modifiers| pressed(Keyboard::Text, key, modifiers, |_| true);
        assert_eq!(in_text(Key::F, Modifiers::NONE), None);
        assert_eq!(in_text(Key::Num1, Modifiers::NONE), None);
        assert_eq!(in_text(Key::A, CTRL), None);
        assert_eq!(in_text(Key::Z, CTRL), None);
        assert_eq!(in_text(Key::S, CTRL), Some(Command::Save));
        assert_eq!(in_text(Key::F8, Modifiers::NONE), Some(Command::NextProblem));
    }

    #[test]
    fn undo_in_a_number_field_is_the_document_s() {
        let in_number = |key, modifiers| pressed(Keyboard::Number, key, modifiers, |_| true);
        assert_eq!(in_number(Key::Z, CTRL), Some(Command::Undo));
        assert_eq!(in_number(Key::Z, CTRL_SHIFT), Some(Command::Redo));
        assert_eq!(in_number(Key::A, CTRL), None);
        assert_eq!(in_number(Key::Num1, Modifiers::NONE), None);
    }

    #[test]
    fn nothing_goes_past_a_dialog() {
        for Binding { key, .. } in Bindings::new(&KeyChanges::default()).all() {
            assert_eq!(pressed(Keyboard::Dialog, key.logical_key, key.modifiers, |_| true), None);
        }
    }

    #[test]
    fn a_key_that_was_given_acts_and_the_one_from_before_does_not() {
        let mut changes = KeyChanges::default();
        changes.change(Command::DuplicateFrames, Some("K".to_owned()));
        changes.change(Command::Undo, Some("Ctrl+U".to_owned()));
        changes.change(Command::SelectAll, Some("F9".to_owned()));
        changes.change(Command::Save, Some("Ctrl+A".to_owned()));
        let bindings = Bindings::new(&changes);
        let meant = |keyboard, key, held| command_of(&bindings, keyboard, (key, held), |_| true);
        assert_eq!(meant(Keyboard::Window, Key::K, Modifiers::NONE), Some(Command::DuplicateFrames));
        let other = meant(Keyboard::Window, Key::D, CTRL);
        assert_eq!(other, Some(Command::DuplicateObjects), "it is that of another workspace still");
        assert_eq!(meant(Keyboard::Text, Key::K, Modifiers::NONE), None, "letters are typed");
        assert_eq!(meant(Keyboard::Text, Key::U, CTRL), None, "the text has an undo of its own");
        assert_eq!(meant(Keyboard::Number, Key::U, CTRL), Some(Command::Undo));
        assert_eq!(meant(Keyboard::Text, Key::F9, Modifiers::NONE), Some(Command::SelectAll));
        assert_eq!(meant(Keyboard::Text, Key::A, CTRL), None, "the text selects all of itself");
    }

    #[test]
    fn a_guess_comes_first_also_with_a_key_that_another_has() {
        let mut changes = KeyChanges::default();
        changes.change(Command::NextGuess, Some("Ctrl+S".to_owned()));
        let bindings = Bindings::new(&changes);
        let meant = |has_guess: bool| {
            command_of(&bindings, Keyboard::Window, (Key::S, CTRL), |it| has_guess || !it.is_of_guess())
        };
        assert_eq!(meant(true), Some(Command::NextGuess));
        assert_eq!(meant(false), Some(Command::Save));
    }
}
