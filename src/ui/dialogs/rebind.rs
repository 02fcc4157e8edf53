//! Gives a command another key: listens for it, asks before another command loses it, and says so in a line.

use eframe::egui;
use egui::{Button, Context, Event, Key, KeyboardShortcut, Label, Modifiers, RichText, Sides, Ui, Vec2};

use crate::session::{Action, Command, KeyChange};
use crate::ui::bindings::{self, Bindings};
use crate::ui::theme::{self, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

/// What is being done to keys, one thing at a time.
#[derive(Debug, Default)]
pub(super) struct Rebind {
    state: State,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum State {
    #[default]
    Idle,
    /// The next key is this command's.
    Listening { command: Command, refusal: Option<String> },
    /// The key is another command's, which may have to give it up.
    Conflict { command: Command, key: KeyboardShortcut, owner: Command },
    /// All keys are about to be those of the table.
    ResettingAll,
}

/// What came while a key was listened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pressed {
    Key(KeyboardShortcut),
    Remove,
    GiveUp,
    /// Control on macOS, where Cmd has its part.
    OtherControl,
}

impl Pressed {
    /// `None` for what is no key to have, such as Shift alone.
    fn of(event: &Event) -> Option<Self> {
        let clipboard = |key| Some(Self::Key(bindings::shortcut(Modifiers::COMMAND, key)));
        match event {
            Event::Copy => clipboard(Key::C),
            Event::Cut => clipboard(Key::X),
            Event::Paste(_) => clipboard(Key::V),
            Event::Key { key, pressed: true, repeat: false, modifiers, .. } => Self::of_key(*key, *modifiers),
            _ => None,
        }
    }

    fn of_key(key: Key, modifiers: Modifiers) -> Option<Self> {
        if !bindings::is_usable(key) {
            return None;
        }
        Some(match key {
            Key::Escape if modifiers.is_none() => Self::GiveUp,
            Key::Backspace if modifiers.is_none() => Self::Remove,
            _ if modifiers.ctrl && !modifiers.command => Self::OtherControl,
            _ => Self::Key(bindings::shortcut(modifiers, key)),
        })
    }
}

impl Rebind {
    /// The next key is to be this command's.
    pub(super) fn begin(&mut self, command: Command) {
        self.state = State::Listening { command, refusal: None };
    }

    /// The command is to have the key of the table again, if nobody else has it by now.
    pub(super) fn reset(&mut self, command: Command, bindings: &Bindings) -> Vec<KeyChange> {
        self.give(command, bindings::default_key(command), bindings)
    }

    /// Whether the next key is this command's.
    pub(super) fn is_listening_for(&self, command: Command) -> bool {
        matches!(self.state, State::Listening { command: it, .. } if it == command)
    }

    /// The key that this command has as soon as another gives it up.
    pub(super) fn key_asked_for(&self, command: Command) -> Option<KeyboardShortcut> {
        match self.state {
            State::Conflict { command: it, key, .. } if it == command => Some(key),
            _ => None,
        }
    }

    /// Takes the keyboard as long as something is asked, before anything in the window sees it.
    pub(super) fn listen(&mut self, ui: &Ui, bindings: &Bindings, actions: &mut Vec<Action>) {
        let changes = match self.state {
            State::Idle => return,
            State::Listening { .. } => {
                let pressed = take_pressed(ui);
                // A press elsewhere means something else.
                if ui.input(|input| input.pointer.any_pressed()) {
                    self.state = State::Idle;
                }
                pressed.map(|pressed| self.hear(pressed, bindings, widgets::is_mac(ui))).unwrap_or_default()
            }
            State::Conflict { .. } | State::ResettingAll => {
                let took = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
                if took(Key::Escape) {
                    self.state = State::Idle;
                }
                if took(Key::Enter) { self.agree(bindings) } else { Vec::new() }
            }
        };
        remember(changes, actions);
    }

    fn hear(&mut self, pressed: Pressed, bindings: &Bindings, is_mac: bool) -> Vec<KeyChange> {
        let State::Listening { command, .. } = self.state else { return Vec::new() };
        match pressed {
            Pressed::GiveUp => {
                self.state = State::Idle;
                Vec::new()
            }
            Pressed::Remove => self.give(command, None, bindings),
            Pressed::OtherControl => self.refuse(command, "Control is no key here, Cmd is".to_owned()),
            Pressed::Key(key) => match bindings::why_reserved(key) {
                Some(why) => {
                    let text = bindings::text(key, is_mac);
                    self.refuse(command, format!("{text} stays as it is: {why}"))
                }
                None => self.give(command, Some(key), bindings),
            },
        }
    }

    fn refuse(&mut self, command: Command, why: String) -> Vec<KeyChange> {
        self.state = State::Listening { command, refusal: Some(why) };
        Vec::new()
    }

    /// Gives the command a key, or asks first when another has it.
    fn give(
        &mut self,
        command: Command,
        key: Option<KeyboardShortcut>,
        bindings: &Bindings,
    ) -> Vec<KeyChange> {
        let owner = |key| bindings.owner(key, command).or_else(|| bindings.also_owner(key, command));
        if let Some(key) = key
            && let Some(owner) = owner(key)
        {
            self.state = State::Conflict { command, key, owner };
            return Vec::new();
        }
        self.state = State::Idle;
        if bindings.key(command) == key { Vec::new() } else { vec![bindings::change(command, key)] }
    }

    /// Yes to what is asked.
    fn agree(&mut self, bindings: &Bindings) -> Vec<KeyChange> {
        match std::mem::take(&mut self.state) {
            State::Conflict { command, key, owner } => {
                let given = bindings::change(command, Some(key));
                // What another has beside its own key goes by itself.
                let is_own = bindings.key(owner) == Some(key);
                let lost = is_own.then(|| bindings::change(owner, None));
                lost.into_iter().chain([given]).collect()
            }
            State::ResettingAll => bindings.changed().map(|command| (command, None)).collect(),
            State::Idle | State::Listening { .. } => Vec::new(),
        }
    }

    /// The line below the list: what is asked or can be done, and the answers. Whether the list is to be closed.
    pub(super) fn line(&mut self, ui: &mut Ui, bindings: &Bindings, actions: &mut Vec<Action>) -> bool {
        let (tone, words) = self.words(ui);
        let asked = match &self.state {
            State::Conflict { .. } => Some(("Take it", "The other command has no such key then")),
            State::ResettingAll => Some(("Reset", "All commands have the keys they began with")),
            State::Idle | State::Listening { .. } => None,
        };
        let resets = if self.state == State::Idle { bindings.changed().count() } else { 0 };
        let ((), (answer, closed)) = Sides::new().height(ROW_HEIGHT).shrink_left().truncate().show(
            ui,
            |ui| {
                if let Some(tone) = tone {
                    ui.add(Label::new(tone.icon_text(ui)).selectable(false));
                }
                let color = tone.map_or(theme::palette(ui).weak_text, |_| theme::palette(ui).text);
                let label = Label::new(RichText::new(words.as_str()).color(color)).truncate();
                ui.add(label.selectable(false)).on_hover_text(words.as_str());
            },
            |ui| {
                if let Some((yes, more)) = asked {
                    return (answers(ui, yes, more), false);
                }
                let closed = plain(ui, "Close", "Close (Esc)");
                (reset_all(ui, resets).then_some(Answer::AskToResetAll), closed)
            },
        );
        match answer {
            Some(Answer::Yes) => remember(self.agree(bindings), actions),
            Some(Answer::No) => self.state = State::Idle,
            Some(Answer::AskToResetAll) => self.state = State::ResettingAll,
            None => {}
        }
        closed
    }

    fn words(&self, ctx: &Context) -> (Option<Tone>, String) {
        match &self.state {
            State::Idle => (None, "Click a key to change it".to_owned()),
            State::Listening { refusal: Some(why), .. } => {
                (Some(Tone::Warning), format!("{why}. Press another, or Esc"))
            }
            State::Listening { command, refusal: None } => {
                let name = name_of(*command);
                (None, format!("Press keys for {name}… Esc cancels, Backspace removes"))
            }
            State::Conflict { command, key, owner } => {
                let key = bindings::text(*key, widgets::is_mac(ctx));
                let (name, owner) = (name_of(*command), name_of(*owner));
                (Some(Tone::Warning), format!("{owner} has {key}. Take it for {name}?"))
            }
            State::ResettingAll => {
                (Some(Tone::Warning), "Give all commands the keys they began with?".to_owned())
            }
        }
    }
}

/// What a command is called in a sentence.
pub(super) fn name_of(command: Command) -> &'static str {
    command.text().trim_end_matches('…')
}

fn remember(changes: Vec<KeyChange>, actions: &mut Vec<Action>) {
    if !changes.is_empty() {
        actions.push(Action::RememberKeys(changes));
    }
}

/// Takes all that was typed out of this pass; the first key of it.
fn take_pressed(ctx: &Context) -> Option<Pressed> {
    let mut first = None;
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            first = first.or_else(|| Pressed::of(event));
            !matches!(
                event,
                Event::Key { pressed: true, .. }
                    | Event::Text(_)
                    | Event::Copy
                    | Event::Cut
                    | Event::Paste(_)
            )
        });
    });
    first
}

enum Answer {
    Yes,
    No,
    AskToResetAll,
}

/// Both answers to a question, the first from the right.
fn answers(ui: &mut Ui, yes: &str, more: &str) -> Option<Answer> {
    let refused = plain(ui, "Cancel", "Cancel (Esc)");
    let primary = widgets::primary_button(ui, yes).min_size(Vec2::new(72.0, ROW_HEIGHT));
    let agreed = ui.add(primary).on_hover_text(format!("{yes} (Enter)\n{more}")).clicked();
    if agreed { Some(Answer::Yes) } else { refused.then_some(Answer::No) }
}

/// A button for all keys that differ, unless none does.
fn reset_all(ui: &mut Ui, count: usize) -> bool {
    let more = format!("{} another key than in the beginning", commands_have(count));
    count > 0 && plain(ui, &format!("Reset all keys ({count})"), &more)
}

fn commands_have(count: usize) -> String {
    let verb = if count == 1 { "has" } else { "have" };
    format!("{} {verb}", widgets::count_text(count, "command"))
}

fn plain(ui: &mut Ui, text: &str, tooltip: &str) -> bool {
    ui.add(Button::new(text).min_size(Vec2::new(72.0, ROW_HEIGHT))).on_hover_text(tooltip).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::prefs::KeyChanges;

    fn none() -> Bindings {
        Bindings::new(&KeyChanges::default())
    }

    fn key(text: &str) -> Pressed {
        Pressed::Key(bindings::parse(text).unwrap())
    }

    fn listening(command: Command) -> Rebind {
        let mut rebind = Rebind::default();
        rebind.begin(command);
        rebind
    }

    #[test]
    fn a_free_key_is_taken_at_once_and_one_that_stays_is_refused() {
        let mut rebind = listening(Command::Save);
        assert_eq!(rebind.hear(key("Space"), &none(), false), []);
        let (tone, words) = rebind.words(&Context::default());
        assert_eq!(tone, Some(Tone::Warning));
        assert!(words.starts_with("Space stays as it is: "), "{words}");
        assert!(rebind.is_listening_for(Command::Save));
        let given = rebind.hear(key("Ctrl+J"), &none(), false);
        assert_eq!(given, [(Command::Save, Some("Ctrl+J".to_owned()))]);
        assert_eq!(rebind.state, State::Idle);
    }

    #[test]
    fn another_command_loses_its_key_only_when_that_is_agreed_to() {
        let mut rebind = listening(Command::Save);
        assert_eq!(rebind.hear(key("Ctrl+D"), &none(), false), []);
        assert!(matches!(rebind.state, State::Conflict { owner: Command::DuplicateFrames, .. }));
        let given = (Command::Save, Some("Ctrl+D".to_owned()));
        assert_eq!(rebind.agree(&none()), [(Command::DuplicateFrames, Some(String::new())), given]);
    }

    #[test]
    fn a_key_beside_another_is_asked_for_and_costs_that_one_nothing_else() {
        let mut rebind = listening(Command::Revert);
        assert_eq!(rebind.hear(key("Ctrl+Y"), &none(), false), []);
        assert!(matches!(rebind.state, State::Conflict { owner: Command::Redo, .. }));
        assert_eq!(rebind.agree(&none()), [(Command::Revert, Some("Ctrl+Y".to_owned()))]);
    }

    #[test]
    fn its_own_key_changes_nothing_and_backspace_removes_it() {
        assert_eq!(listening(Command::Save).hear(key("Ctrl+S"), &none(), false), []);
        let removed = listening(Command::Save).hear(Pressed::Remove, &none(), false);
        assert_eq!(removed, [(Command::Save, Some(String::new()))]);
        assert_eq!(listening(Command::Revert).hear(Pressed::Remove, &none(), false), []);
    }

    #[test]
    fn a_key_of_the_table_that_another_has_by_now_is_asked_for_too() {
        let mut changes = KeyChanges::default();
        changes.change(Command::Save, Some("Ctrl+D".to_owned()));
        changes.change(Command::DuplicateFrames, Some(String::new()));
        let bindings = Bindings::new(&changes);
        let mut rebind = Rebind::default();
        assert_eq!(rebind.reset(Command::DuplicateFrames, &bindings), []);
        let back = [(Command::Save, Some(String::new())), (Command::DuplicateFrames, None)];
        assert_eq!(rebind.agree(&bindings), back);
        assert_eq!(rebind.reset(Command::Save, &bindings), [(Command::Save, None)]);
    }

    #[test]
    fn modifiers_alone_are_waited_out_and_control_is_not_cmd() {
        let pressed = |key, modifiers| Pressed::of_key(key, modifiers);
        assert_eq!(pressed(Key::ControlLeft, Modifiers::COMMAND), None);
        assert_eq!(pressed(Key::CapsLock, Modifiers::NONE), None);
        assert_eq!(pressed(Key::K, Modifiers::CTRL), Some(Pressed::OtherControl));
        let control_and_command = Modifiers::CTRL | Modifiers::COMMAND;
        assert_eq!(pressed(Key::K, control_and_command), Some(key("Ctrl+K")));
        assert_eq!(pressed(Key::Backspace, Modifiers::COMMAND), Some(key("Ctrl+Backspace")));
        assert_eq!(Pressed::of(&Event::Copy), Some(key("Ctrl+C")));
    }
}
