//! Small windows over the panels, each for one command: renaming, naming rows, splitting, history, commands by name.
//!
//! One is open at a time, and has the keyboard until it is done; the history alone stays open beside the work.

mod apply;
mod frames;
mod history;
mod matching;
mod name;
mod palette;
pub(in crate::ui) mod parts;
mod project;
mod rename;
mod rows;
mod split;
mod unused;

use std::path::PathBuf;

use eframe::egui;
use egui::{Id, Ui};

use super::canvas::Canvas;
use super::strip::Strip;
use super::{UiState, dialogs};
use crate::geometry::PixelRect;
use crate::session::{Action, Command, Document, Session};

/// Which one is open.
#[derive(Default)]
pub struct Popups {
    open: Option<Popup>,
    /// The one to open, or to close, in the next pass.
    wanted: Option<Command>,
    /// What had the keyboard before.
    focus_before: Option<Id>,
    history: history::History,
    /// Where frames were saved last.
    frame_folder: Option<PathBuf>,
}

enum Popup {
    Apply(apply::Apply),
    Frames(frames::FrameFiles),
    Rename(rename::Rename),
    Name(name::Name),
    Rows(rows::Rows),
    Split(split::Split),
    Palette(palette::Palette),
    Project(project::ProjectTextures),
    Unused,
}

/// What a popup is about and draws from.
struct Stage<'a> {
    session: &'a Session,
    document: Option<&'a Document>,
    canvas: &'a mut Canvas,
    strip: &'a Strip,
    actions: &'a mut Vec<Action>,
}

impl Popups {
    /// Opens the one of a command, or closes it.
    pub fn toggle(&mut self, command: Command) {
        if command == Command::History {
            self.history.toggle();
        } else {
            self.wanted = Some(command);
        }
    }

    /// Whether the history is shown.
    pub fn shows_history(&self) -> bool {
        self.history.is_open()
    }

    /// The parts that the selected frame is about to be cut into, in image pixels, for the canvas to show.
    pub fn split_preview(&self) -> Option<&[PixelRect]> {
        match &self.open {
            Some(Popup::Split(split)) => split.preview(),
            _ => None,
        }
    }

    /// Takes the folder that was chosen for frames; it is offered again.
    pub fn take_folder(&mut self, folder: PathBuf) {
        if let Some(Popup::Frames(frames)) = &mut self.open {
            frames.take_folder(&folder);
        }
        self.frame_folder = Some(folder);
    }

    fn take_wish(&mut self, ui: &Ui, session: &Session) {
        let Some(wanted) = self.wanted.take() else { return };
        if self.open.as_ref().is_some_and(|open| open.command() == wanted) {
            self.close(ui);
            return;
        }
        if self.open.is_none() {
            self.focus_before = ui.memory(egui::Memory::focused);
        }
        self.open = Popup::of(wanted, session, self.frame_folder.as_ref());
    }

    /// Gives the keyboard back to what had it.
    fn close(&mut self, ui: &Ui) {
        self.open = None;
        if let Some(id) = self.focus_before.take() {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        // Drawn again at once without it: a key pressed right after would otherwise still find it on the screen.
        ui.request_discard("a popup was closed");
    }
}

impl Popup {
    /// The popup of a command, for what is selected now.
    fn of(command: Command, session: &Session, frame_folder: Option<&PathBuf>) -> Option<Self> {
        let document = session.current();
        Some(match command {
            Command::Palette => Self::Palette(palette::Palette::default()),
            Command::FindUnused => Self::Unused,
            Command::ProjectTextures => Self::Project(project::ProjectTextures::new(session)),
            Command::SaveFrames => Self::Frames(frames::FrameFiles::new(session, document?, frame_folder)),
            Command::NameRows => Self::Rows(rows::Rows::new(document?)),
            Command::ApplyToOthers => Self::Apply(apply::Apply::new(document?.path.clone(), session.fits())),
            Command::SplitFrame => Self::Split(split::Split::new(document?)?),
            Command::RenameFrames if document?.history.selection().len() > 1 => {
                Self::Rename(rename::Rename::new(document?))
            }
            Command::RenameFrames => Self::Name(name::Name::new(document?)?),
            _ => return None,
        })
    }

    fn command(&self) -> Command {
        match self {
            Self::Rename(_) | Self::Name(_) => Command::RenameFrames,
            Self::Apply(_) => Command::ApplyToOthers,
            Self::Frames(_) => Command::SaveFrames,
            Self::Rows(_) => Command::NameRows,
            Self::Split(_) => Command::SplitFrame,
            Self::Palette(_) => Command::Palette,
            Self::Project(_) => Command::ProjectTextures,
            Self::Unused => Command::FindUnused,
        }
    }

    /// Draws it. Whether it is done.
    fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        match self {
            Self::Apply(apply) => apply.ui(ui, stage),
            Self::Frames(frames) => frames.ui(ui, stage),
            Self::Rename(rename) => rename.ui(ui, stage),
            Self::Name(name) => name.ui(ui, stage),
            Self::Rows(rows) => rows.ui(ui, stage),
            Self::Split(split) => split.ui(ui, stage),
            Self::Palette(palette) => palette.ui(ui, stage),
            Self::Project(project) => project.ui(ui, stage),
            Self::Unused => unused::ui(ui, stage),
        }
    }
}

/// Draws the ones that are open.
pub fn ui(ui: &Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let UiState { popups, canvas, strip, .. } = state;
    popups.history.ui(ui, session, strip.right_edge(), actions);
    popups.take_wish(ui, session);
    if session.question().is_some() {
        return;
    }
    let mut stage = Stage { session, document: session.current(), canvas, strip, actions };
    if popups.open.as_mut().is_some_and(|open| open.ui(ui, &mut stage)) {
        popups.close(ui);
    }
}

#[cfg(test)]
pub(super) mod bench;
#[cfg(test)]
mod tests;
