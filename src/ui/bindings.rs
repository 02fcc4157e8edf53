//! Which key each command has now: that of the table of commands, or the one that somebody gave it; and keys as text.
//!
//! Preferences keep only what differs. What they say and nobody can press, or what another command has, is passed by.

use std::sync::{Arc, LazyLock};

use eframe::egui;
use egui::{Context, Id, Key, KeyboardShortcut, Modifiers};

use crate::session::prefs::KeyChanges;
use crate::session::{Command, KeyChange, Shortcut};

/// Keys beside the ones of the table: what other programs have taught, and what keyboards without a plus key send. A
/// command has them as long as it has its own key, and nobody else was given them.
const ALSO: [(Command, Shortcut); 3] = [
    (Command::Palette, Shortcut { ctrl: true, shift: true, alt: false, key: "P" }),
    (Command::Redo, Shortcut { ctrl: true, shift: false, alt: false, key: "Y" }),
    (Command::ZoomIn, Shortcut { ctrl: true, shift: false, alt: false, key: "Equals" }),
];

/// A key and the command that it means.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// What it means.
    pub command: Command,
    /// What is pressed.
    pub key: KeyboardShortcut,
}

/// The present keys of all commands.
#[derive(Debug)]
pub struct Bindings {
    /// What they were made from.
    changes: KeyChanges,
    /// By the commands' places in the table.
    keys: Vec<Option<KeyboardShortcut>>,
    /// In the order in which a pressed key is looked for.
    all: Vec<Binding>,
}

static DEFAULT: LazyLock<Arc<Bindings>> = LazyLock::new(|| Arc::new(Bindings::new(&KeyChanges::default())));

/// The keys that everything in the window shows and listens to.
pub fn present(ctx: &Context) -> Arc<Bindings> {
    ctx.data(|data| data.get_temp(present_id())).unwrap_or_else(|| DEFAULT.clone())
}

/// The present keys, made anew when something else is remembered than before.
pub fn follow(ctx: &Context, changes: &KeyChanges) -> Arc<Bindings> {
    let before = present(ctx);
    if before.changes == *changes {
        return before;
    }
    let now = Arc::new(Bindings::new(changes));
    ctx.data_mut(|data| data.insert_temp(present_id(), now.clone()));
    now
}

fn present_id() -> Id {
    Id::unique("the keys of commands")
}

impl Bindings {
    /// The table's keys with these changes.
    pub fn new(changes: &KeyChanges) -> Self {
        let keys = vec![None; Command::ALL.len()];
        let mut bindings = Self { changes: changes.clone(), keys, all: Vec::new() };
        let chosen: Vec<_> = changes.iter().filter_map(chosen).collect();
        // A key that was given to a command is no longer another's, also if it became that one's in a newer version.
        for (command, key) in &chosen {
            bindings.set_if_free(*command, *key);
        }
        for command in Command::ALL {
            if !chosen.iter().any(|(it, _)| it == command) {
                bindings.set_if_free(*command, default_key(*command));
            }
        }
        bindings.all = bindings.in_order();
        bindings
    }

    fn set_if_free(&mut self, command: Command, key: Option<KeyboardShortcut>) {
        let key = key.filter(|key| self.owner(*key, command).is_none());
        if let Some(place) = self.keys.get_mut(command as usize) {
            *place = key;
        }
    }

    /// Those with more modifiers come first, then those that only count while a guess is shown.
    fn in_order(&self) -> Vec<Binding> {
        let own = Command::ALL.iter().filter_map(|command| Some((*command, self.key(*command)?)));
        let also = ALSO.iter().map(|(command, _)| *command).filter_map(|it| Some((it, self.also(it)?)));
        let mut all: Vec<_> = own.chain(also).map(|(command, key)| Binding { command, key }).collect();
        all.sort_by_key(|Binding { command, key }| {
            (std::cmp::Reverse(modifier_count(key.modifiers)), !command.is_of_guess())
        });
        all
    }

    /// All of them, in the order in which a pressed key is looked for.
    pub fn all(&self) -> &[Binding] {
        &self.all
    }

    /// A command's key.
    pub fn key(&self, command: Command) -> Option<KeyboardShortcut> {
        self.keys.get(command as usize).copied().flatten()
    }

    /// The key that a command has beside its own.
    pub fn also(&self, command: Command) -> Option<KeyboardShortcut> {
        let (_, also) = ALSO.iter().find(|(it, _)| *it == command)?;
        let also = from_table(*also)?;
        (!self.is_changed(command) && self.owner(also, command).is_none()).then_some(also)
    }

    /// Whether a command has another key than that of the table, or none of late.
    pub fn is_changed(&self, command: Command) -> bool {
        self.key(command) != default_key(command)
    }

    /// The commands that have.
    pub fn changed(&self) -> impl Iterator<Item = Command> {
        Command::ALL.iter().copied().filter(|command| self.is_changed(*command))
    }

    /// The other command that has a key at the same time.
    pub fn owner(&self, key: KeyboardShortcut, except: Command) -> Option<Command> {
        others(except).find(|command| self.key(*command) == Some(key))
    }

    /// The other command that has a key beside its own.
    pub fn also_owner(&self, key: KeyboardShortcut, except: Command) -> Option<Command> {
        others(except).find(|command| self.also(*command) == Some(key))
    }
}

/// The commands whose keys must be others than this one's: what a guess asks for comes before all else while it is
/// shown, so that those keys may be used twice.
fn others(command: Command) -> impl Iterator<Item = Command> {
    let meets = move |it: Command| match (it.workspace(), command.workspace()) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let is_other =
        move |it: &Command| *it != command && it.is_of_guess() == command.is_of_guess() && meets(*it);
    Command::ALL.iter().copied().filter(is_other)
}

/// What preferences say of a command, unless it makes no sense here.
fn chosen((command, text): (Command, &str)) -> Option<(Command, Option<KeyboardShortcut>)> {
    if why_fixed(command).is_some() {
        return None;
    }
    if text.is_empty() {
        return Some((command, None));
    }
    let key = parse(text).filter(|key| why_reserved(*key).is_none())?;
    Some((command, Some(key)))
}

/// What is to be remembered so that a command has this key.
pub fn change(command: Command, key: Option<KeyboardShortcut>) -> KeyChange {
    let differs = key != default_key(command);
    (command, differs.then(|| key.map_or_else(String::new, file_text)))
}

/// The key that the table has for a command.
pub fn default_key(command: Command) -> Option<KeyboardShortcut> {
    from_table(command.default_shortcut()?)
}

fn from_table(Shortcut { ctrl, shift, alt, key }: Shortcut) -> Option<KeyboardShortcut> {
    let modifiers = Modifiers { command: ctrl, shift, alt, ..Modifiers::NONE };
    Some(shortcut(modifiers, Key::from_name(key)?))
}

/// A key with the modifiers that count: the signs that some keyboards have above another key are the same with Shift.
pub fn shortcut(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    let Modifiers { command, shift, alt, .. } = modifiers;
    let shift = shift && !is_sign(key);
    KeyboardShortcut::new(Modifiers { command, shift, alt, ..Modifiers::NONE }, key)
}

/// Signs for which some keyboards need Shift.
pub fn is_sign(key: Key) -> bool {
    matches!(key, Key::Plus | Key::Minus | Key::Equals)
}

fn modifier_count(modifiers: Modifiers) -> u32 {
    u32::from(modifiers.command) + u32::from(modifiers.shift) + u32::from(modifiers.alt)
}

/// Whether a key can be anybody's: modifiers alone and locks cannot.
pub fn is_usable(key: Key) -> bool {
    let is_modifier = (Key::ShiftLeft..=Key::SuperRight).contains(&key);
    !is_modifier && !matches!(key, Key::CapsLock | Key::NumLock | Key::ScrollLock | Key::Fn)
}

/// Why a key cannot be given to a command: what it does is not of the table, or goes by who has the keyboard.
pub fn why_reserved(key: KeyboardShortcut) -> Option<&'static str> {
    use Key::{
        ArrowDown, ArrowLeft, ArrowRight, ArrowUp, C, Copy, Cut, End, Enter, Escape, F, Home, Num2, Num6,
        PageDown, PageUp, Paste, Space, Tab, V, X,
    };
    let Modifiers { command, shift, alt, .. } = key.modifiers;
    match (key.logical_key, command) {
        (Escape, _) | (Enter, false) => Some("it goes to whatever waits for an answer"),
        (Tab, false) => Some("it leads from field to field"),
        (Space, false) => Some("it moves the picture while it is held"),
        (ArrowLeft | ArrowRight | ArrowUp | ArrowDown, false) => {
            Some("arrow keys move frames and selections")
        }
        (Home | End | PageUp | PageDown, false) => Some("it goes through lists"),
        (digit, false) if (Num2..=Num6).contains(&digit) && !shift && !alt => Some("2 to 6 set the zoom"),
        (Copy | Cut | Paste, _) => Some("it is the clipboard's"),
        (C | X | V, true) if !shift && !alt => Some("it is the clipboard's"),
        (F, true) if !shift && !alt => Some("it filters the browser"),
        _ => None,
    }
}

/// Why a command keeps its key.
pub fn why_fixed(command: Command) -> Option<&'static str> {
    default_key(command).and_then(why_reserved)
}

/// A key as files have it, the same on every system: "Ctrl+Shift+S", "Ctrl+Plus".
pub fn file_text(key: KeyboardShortcut) -> String {
    join(key.modifiers, ["Ctrl", "Shift", "Alt"], key.logical_key.name())
}

/// A key in words: "Ctrl+Shift+S", with Cmd and Option on macOS.
pub fn text(key: KeyboardShortcut, is_mac: bool) -> String {
    let word = match key.logical_key {
        Key::Escape => "Esc",
        Key::Delete => "Del",
        Key::Minus => "-",
        Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown => key.logical_key.name(),
        other => other.symbol_or_name(),
    };
    join(key.modifiers, modifier_words(is_mac), word)
}

/// The modifiers that are held, with a plus after each.
pub fn held_text(modifiers: Modifiers, is_mac: bool) -> String {
    join(modifiers, modifier_words(is_mac), "")
}

const fn modifier_words(is_mac: bool) -> [&'static str; 3] {
    if is_mac { ["Cmd", "Shift", "Option"] } else { ["Ctrl", "Shift", "Alt"] }
}

fn join(modifiers: Modifiers, words: [&str; 3], key: &str) -> String {
    let held = [modifiers.command, modifiers.shift, modifiers.alt];
    let held = words.into_iter().zip(held).filter(|(_, is_held)| *is_held).map(|(word, _)| word);
    held.chain([key]).collect::<Vec<_>>().join("+")
}

/// The key that a text means, in the spelling of files or of any system.
pub fn parse(text: &str) -> Option<KeyboardShortcut> {
    let text = text.trim();
    let (held, key) = match text.strip_suffix('+') {
        // The key is the plus itself.
        Some("") => ("", "Plus"),
        Some(before) => (before.strip_suffix('+')?, "Plus"),
        None => text.rsplit_once('+').unwrap_or(("", text)),
    };
    let mut modifiers = Modifiers::NONE;
    for word in held.split('+').map(str::trim).filter(|_| !held.is_empty()) {
        match word.to_ascii_lowercase().as_str() {
            "ctrl" | "cmd" | "command" => modifiers.command = true,
            "shift" => modifiers.shift = true,
            "alt" | "option" => modifiers.alt = true,
            _ => return None,
        }
    }
    let key = match key.trim() {
        "Del" => Key::Delete,
        name => Key::from_name(name)?,
    };
    is_usable(key).then(|| shortcut(modifiers, key))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changes(changes: &[(Command, &str)]) -> KeyChanges {
        let mut made = KeyChanges::default();
        for (command, key) in changes {
            made.change(*command, Some((*key).to_owned()));
        }
        made
    }

    fn bindings(made: &[(Command, &str)]) -> Bindings {
        Bindings::new(&changes(made))
    }

    fn key(text: &str) -> KeyboardShortcut {
        parse(text).unwrap()
    }

    #[test]
    fn without_changes_all_keys_are_the_table_s() {
        let bindings = bindings(&[]);
        for command in Command::ALL {
            assert_eq!(bindings.key(*command).is_some(), command.default_shortcut().is_some(), "{command:?}");
        }
        assert_eq!(bindings.changed().count(), 0);
        assert!(ALSO.iter().all(|(command, _)| bindings.also(*command).is_some()));
        assert!(ALSO.iter().all(|(_, also)| from_table(*also).is_some()));
    }

    #[test]
    fn a_key_that_was_given_away_is_gone_from_who_had_it_by_default() {
        let bindings = bindings(&[(Command::Save, "Ctrl+D")]);
        assert_eq!(bindings.key(Command::Save), Some(key("Ctrl+D")));
        assert_eq!(bindings.key(Command::DuplicateFrames), None);
        assert_eq!(
            bindings.key(Command::DuplicateObjects),
            None,
            "nor has it who shared it in another workspace"
        );
        assert_eq!(
            bindings.changed().collect::<Vec<_>>(),
            [Command::Save, Command::DuplicateFrames, Command::DuplicateObjects]
        );
        assert!(bindings.all().iter().all(|binding| binding.key != key("Ctrl+S")));
    }

    #[test]
    fn a_key_beside_another_goes_with_it_and_gives_way() {
        let given = bindings(&[(Command::Revert, "Ctrl+Y")]);
        assert_eq!(given.also(Command::Redo), None);
        assert_eq!(given.key(Command::Redo), Some(key("Ctrl+Shift+Z")));
        let moved = bindings(&[(Command::Redo, "Ctrl+U")]);
        assert_eq!(moved.also(Command::Redo), None);
    }

    #[test]
    fn what_makes_no_sense_in_a_file_leaves_the_default() {
        let made = [
            (Command::Save, "Hyper+Q"),
            (Command::SaveAll, "Enter"),
            (Command::Deselect, "Ctrl+L"),
            (Command::CopyFrames, ""),
            (Command::Undo, "Ctrl+"),
            (Command::Redo, "ShiftLeft"),
            (Command::Fit, "Ctrl+J"),
        ];
        let bindings = bindings(&made);
        assert_eq!(bindings.changed().collect::<Vec<_>>(), [Command::Fit]);
    }

    #[test]
    fn of_two_commands_with_one_key_in_a_file_one_has_it() {
        let bindings = bindings(&[(Command::Save, "Ctrl+J"), (Command::Revert, "Ctrl+J")]);
        let owners = [Command::Save, Command::Revert].map(|command| bindings.key(command));
        assert_eq!(owners.iter().flatten().count(), 1);
    }

    #[test]
    fn keys_of_a_guess_may_be_used_twice() {
        let bindings = bindings(&[(Command::NextGuess, "F")]);
        assert_eq!(bindings.key(Command::NextGuess), bindings.key(Command::FrameSelection));
        let first = bindings.all().iter().find(|binding| binding.key == key("F")).unwrap();
        assert_eq!(first.command, Command::NextGuess);
    }

    #[test]
    fn only_what_differs_is_remembered() {
        assert_eq!(change(Command::Save, Some(key("Ctrl+S"))), (Command::Save, None));
        assert_eq!(change(Command::Save, Some(key("Cmd+J"))), (Command::Save, Some("Ctrl+J".to_owned())));
        assert_eq!(change(Command::Save, None), (Command::Save, Some(String::new())));
        assert_eq!(change(Command::Revert, None), (Command::Revert, None));
    }

    #[test]
    fn keys_are_spelled_for_the_system() {
        let shown = |command, is_mac| text(default_key(command).unwrap(), is_mac);
        assert_eq!(shown(Command::SaveAll, false), "Ctrl+Alt+S");
        assert_eq!(shown(Command::SaveAll, true), "Cmd+Option+S");
        assert_eq!(shown(Command::Fit, false), "Ctrl+0");
        assert_eq!(shown(Command::ZoomIn, false), "Ctrl++");
        assert_eq!(shown(Command::ZoomOut, false), "Ctrl+-");
        assert_eq!(shown(Command::MoveEarlier, false), "Ctrl+Left");
        assert_eq!(shown(Command::DeleteFrames, false), "Del");
        assert_eq!(shown(Command::Deselect, false), "Esc");
        assert_eq!(file_text(default_key(Command::ZoomIn).unwrap()), "Ctrl+Plus");
    }

    #[test]
    fn plus_is_a_key_and_what_stands_between_keys() {
        for text in ["Ctrl++", "Ctrl+Plus", "ctrl + Plus", "Cmd+Shift++"] {
            assert_eq!(parse(text), Some(shortcut(Modifiers::COMMAND, Key::Plus)), "{text}");
        }
        assert_eq!(parse("+"), Some(shortcut(Modifiers::NONE, Key::Plus)));
        for text in ["", "Ctrl", "Ctrl+", "Ctrl+Ctl+A", "Ctrl++A", "ControlLeft"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_key_survives_its_text(place in 0..Key::ALL.len(), held in 0_u8..8) {
            let modifiers = Modifiers {
                command: held & 1 != 0, shift: held & 2 != 0, alt: held & 4 != 0, ..Modifiers::NONE
            };
            let key = Key::ALL[place];
            let bound = shortcut(modifiers, key);
            let expected = is_usable(key).then_some(bound);
            let in_file = file_text(bound);
            for text in [in_file.clone(), text(bound, false), text(bound, true)] {
                prop_assert_eq!(parse(&text), expected, "{}", text);
            }
            if let Some(read) = parse(&in_file) {
                prop_assert_eq!(file_text(read), in_file);
            }
        }

        #[test]
        fn any_text_is_a_key_or_none(text in "[A-Za-z0-9+ ⏷é]{0,12}") {
            if let Some(key) = parse(&text) {
                prop_assert_eq!(parse(&file_text(key)), Some(key));
            }
        }
    }
}
