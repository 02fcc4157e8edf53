//! Keys typed faster than frames are drawn. egui moves the focus at the start of a pass, so a Tab that arrives
//! together with the digits typed before it would take them along to the next field, and a Ctrl+S would save
//! before they count. Such keys wait for a pass of their own.

use eframe::egui;
use egui::{Context, Event, Key, RawInput};

/// Events that wait for the next pass.
#[derive(Default)]
pub struct Pace {
    waiting: Vec<Event>,
}

impl Pace {
    /// Leaves in `input` what belongs in one pass and asks for another for the rest.
    pub fn take(&mut self, ctx: &Context, input: &mut RawInput) {
        if self.waiting.is_empty() && !input.events.iter().any(begins_a_pass) {
            return;
        }
        let mut events = std::mem::take(&mut self.waiting);
        events.append(&mut input.events);
        self.waiting = events.split_off(end_of_pass(&events));
        input.events = events;
        if !self.waiting.is_empty() {
            ctx.request_repaint();
        }
    }
}

/// How many of the events belong in the next pass.
fn end_of_pass(events: &[Event]) -> usize {
    let mut has_typed = false;
    for (index, event) in events.iter().enumerate() {
        if begins_a_pass(event) && has_typed {
            return index;
        }
        if is_tab(event) {
            return index + 1;
        }
        has_typed |= matches!(event, Event::Text(_) | Event::Paste(_) | Event::Key { pressed: true, .. });
    }
    events.len()
}

fn is_tab(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Tab, pressed: true, .. })
}

/// Keys that act on what was typed before them.
fn begins_a_pass(event: &Event) -> bool {
    is_tab(event) || matches!(event, Event::Key { pressed: true, modifiers, .. } if modifiers.command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Modifiers;

    fn key(key: Key, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
    }

    fn text(text: &str) -> Event {
        Event::Text(text.to_owned())
    }

    fn passes(events: Vec<Event>) -> Vec<usize> {
        let mut pace = Pace::default();
        let ctx = Context::default();
        let mut input = RawInput { events, ..RawInput::default() };
        let mut passes = Vec::new();
        loop {
            pace.take(&ctx, &mut input);
            if input.events.is_empty() {
                return passes;
            }
            passes.push(std::mem::take(&mut input.events).len());
        }
    }

    #[test]
    fn a_tab_waits_for_the_digits_before_it_and_those_after_wait_for_the_tab() {
        let tab = || key(Key::Tab, Modifiers::NONE);
        assert_eq!(passes(vec![text("1"), text("6"), tab(), text("1"), tab()]), [2, 1, 1, 1]);
    }

    #[test]
    fn a_save_waits_for_what_was_typed_and_plain_typing_for_nothing() {
        assert_eq!(passes(vec![text("1"), key(Key::S, Modifiers::COMMAND)]), [1, 1]);
        assert_eq!(passes(vec![key(Key::Num1, Modifiers::NONE), text("1"), text("6")]), [3]);
        assert_eq!(passes(vec![key(Key::Z, Modifiers::COMMAND), key(Key::Z, Modifiers::COMMAND)]), [1, 1]);
    }
}
