//! Short messages about something that just happened. What is wrong and stays wrong is a problem, not a toast.

use std::time::{Duration, Instant};

use super::Command;

const INFO_STAYS: Duration = Duration::from_secs(4);
const WARNING_STAYS: Duration = Duration::from_secs(10);

/// How a toast is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToastKind {
    /// Something went well.
    Info,
    /// Something went otherwise than meant.
    Warning,
    /// Something was not done; stays until it is dismissed.
    Error,
}

/// A message.
#[derive(Debug, Clone)]
pub struct Toast {
    /// Names it when it is dismissed.
    pub id: u64,
    /// How it is to be taken.
    pub kind: ToastKind,
    /// What happened, to what, and what to do.
    pub text: String,
    /// What can be done about it at once.
    pub offers: Option<Command>,
    /// What the button says instead of the command's name.
    pub offers_as: Option<&'static str>,
    until: Option<Instant>,
}

/// The messages that are shown now, oldest first.
#[derive(Debug, Default)]
pub struct Toasts {
    shown: Vec<Toast>,
    next_id: u64,
}

impl Toasts {
    /// Something went well.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(ToastKind::Info, text.into(), None, Some(INFO_STAYS));
    }

    /// Something happened that more can be seen of.
    pub fn offer(&mut self, text: impl Into<String>, command: Command) {
        self.push(ToastKind::Info, text.into(), Some(command), Some(WARNING_STAYS));
    }

    /// Something happened that can be taken back, by a button of that name.
    pub fn offer_as(&mut self, text: impl Into<String>, command: Command, words: &'static str) {
        self.offer(text, command);
        if let Some(toast) = self.shown.last_mut() {
            toast.offers_as = Some(words);
        }
    }

    /// Takes away those that offer a command: there is nothing to it any more.
    pub fn withdraw(&mut self, command: Command) {
        self.shown.retain(|toast| toast.offers != Some(command));
    }

    /// Something went otherwise than meant.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.push(ToastKind::Warning, text.into(), None, Some(WARNING_STAYS));
    }

    /// Something was not done.
    pub fn error(&mut self, text: impl Into<String>) {
        self.push(ToastKind::Error, text.into(), None, None);
    }

    /// The same text again replaces the earlier one rather than pile up.
    fn push(&mut self, kind: ToastKind, text: String, offers: Option<Command>, stays: Option<Duration>) {
        self.shown.retain(|toast| toast.text != text);
        self.next_id += 1;
        self.shown.push(Toast {
            id: self.next_id,
            kind,
            text,
            offers,
            offers_as: None,
            until: stays.map(|stays| Instant::now() + stays),
        });
    }

    /// The messages, oldest first.
    pub fn shown(&self) -> &[Toast] {
        &self.shown
    }

    /// When the next one goes by itself.
    pub fn next_expiry(&self) -> Option<Instant> {
        self.shown.iter().filter_map(|toast| toast.until).min()
    }

    /// Takes away those whose time is over; whether there were any.
    pub fn expire(&mut self) -> bool {
        let now = Instant::now();
        let before = self.shown.len();
        self.shown.retain(|toast| toast.until.is_none_or(|until| until > now));
        self.shown.len() != before
    }

    /// Takes one away.
    pub fn dismiss(&mut self, id: u64) {
        self.shown.retain(|toast| toast.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_stay_and_repeats_do_not_pile_up() {
        let mut toasts = Toasts::default();
        toasts.error("Not saved");
        toasts.error("Not saved");
        toasts.info("Saved");
        assert_eq!(toasts.shown().len(), 2);
        assert!(toasts.next_expiry().is_some());
        let id = toasts.shown()[0].id;
        toasts.dismiss(id);
        toasts.dismiss(toasts.shown()[0].id);
        assert_eq!(toasts.next_expiry(), None);
    }
}
