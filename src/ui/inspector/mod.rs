//! The inspector: what the current sheet is, how it is cut, its texture, the selected frames in numbers and as the
//! device will draw them, and who they are to scenes.

mod automatic;
mod background;
#[cfg(test)]
mod bench;
mod border_words;
mod fates;
mod form;
mod found;
mod grid;
mod identity;
mod leftover;
mod more;
mod nine_slice;
mod numbers;
mod pairs;
mod preview;
mod reslice;
pub(super) mod rows;
mod runs;
mod slicing;
mod stretched;
mod texture;

use std::sync::Arc;

use eframe::egui;
use egui::{Align, AsIdSalt, Frame, Label, Layout, Panel, Rect, RichText, ScrollArea, Ui, UiBuilder, Vec2};

use self::grid::Subject;
use self::numbers::FrameForm;
use self::rows::Choice;
use self::slicing::{OfDocument, Slicing};
use super::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use super::widgets::{self, Tone};
use super::{UiState, moved};
use crate::geometry::PixelRect;
use crate::model::Severity;
use crate::registry::{Asset, State};
use crate::session::document::Load;
use crate::session::{Action, Command, Detected, Document, Lookup, Move, Session};
use crate::texture::{ChromaKey, PixelFormat};

/// Width of the words before facts and fields.
const LABEL_WIDTH: f32 = 64.0;
/// Height of a fact: text without anything to press.
const FACT_HEIGHT: f32 = 18.0;

/// What of the sheet is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tab {
    /// How it is cut.
    #[default]
    Slicing,
    /// How it is stored.
    Device,
}

/// What the inspector keeps from one pass to the next.
#[derive(Default)]
pub struct Inspector {
    tab: Tab,
    /// The one to go back to when nothing is compared any more.
    tab_before: Option<Tab>,
    slicing: Slicing,
    frames: FrameForm,
    texture: texture::Texture,
    borders: nine_slice::BorderForm,
    preview: preview::Preview,
    stretched: stretched::StretchedPreview,
    /// Height of what is above the selected frames.
    forms_height: f32,
    /// Open sheets that had the keyboard offered.
    welcomed: Vec<Arc<str>>,
}

impl Inspector {
    /// What is remembered of sheets follows them.
    pub fn files_moved(&mut self, moves: &[Move]) {
        self.welcomed.iter_mut().for_each(|path| moved::follow(moves, path));
        self.slicing.files_moved(moves);
    }

    /// Shows the preview from the image, or again from the compiled texture.
    pub fn toggle_source(&mut self) {
        self.preview.toggle_source();
    }

    /// What detection found by the rules that the form shows, as of this pass; `None` when the sheet that is shown is
    /// not being cut by its ink.
    pub fn automatic_overlay(&self) -> Option<&Arc<Detected>> {
        self.slicing.overlay()
    }

    /// The frames that the form's button would make and that the sheet does not have yet, in image pixels.
    pub fn offered(&self) -> Vec<PixelRect> {
        self.slicing.offered()
    }

    /// No sheet is shown.
    fn leave(&mut self) {
        self.slicing.leave();
        self.texture.leave();
    }

    /// The panel is hidden: nothing of it shows on the canvas any more.
    pub fn put_away(&mut self, session: &Session, actions: &mut Vec<Action>) {
        self.leave();
        if let Some(document) = session.current() {
            put_guess_aside(document, false, actions);
        }
    }

    /// The chroma key whose mistakes are to be seen on the canvas: while how the sheet is stored is shown, and few bits
    /// make some.
    pub fn shown_key(&self, session: &Session, document: &Document) -> Option<ChromaKey> {
        let has_few_bits = |format| matches!(format, PixelFormat::Rgb565 | PixelFormat::Rgb565A8);
        let (_, format) = session.stored_as(document)?;
        let key = document.sheet().settings.chroma_key?;
        (self.tab == Tab::Device && has_few_bits(format)).then_some(key)
    }

    /// The canvas compares image and stored picture, or no longer: with what decides the stored one at hand.
    pub fn comparing(&mut self, compares: bool) {
        if compares {
            self.tab_before = Some(std::mem::replace(&mut self.tab, Tab::Device));
        } else if let Some(before) = self.tab_before.take() {
            self.tab = before;
        }
    }

    /// Whether the next click on the canvas gives a background colour, or the chroma key.
    pub fn wants_color(&self) -> bool {
        self.slicing.wants_color() || self.texture.wants_color()
    }

    /// Takes the colour of the image where the canvas was clicked.
    pub fn take_color(&mut self, rgb: [u8; 3]) {
        if self.texture.wants_color() {
            self.texture.take_color(rgb);
        } else {
            self.slicing.take_color(rgb);
        }
    }

    /// An unsliced sheet that was just opened waits for its cell to be typed, unless a guess waits for an answer.
    fn welcome(&mut self, ui: &Ui, session: &Session, document: &Document) {
        let is_open = |path: &Arc<str>| session.documents().iter().any(|document| document.path == *path);
        self.welcomed.retain(is_open);
        self.slicing.keep(is_open);
        if !document.is_ready() || self.welcomed.contains(&document.path) {
            return;
        }
        let is_sliced = document.sheet().is_sliced();
        let is_studied = || matches!(session.study(document), Some(Lookup::Ready(_) | Lookup::Failed(..)));
        let waits = || session.proposal().is_some() || document.is_guess_aside();
        if is_sliced || (is_studied() && !waits()) {
            self.welcomed.push(document.path.clone());
            let is_typing = ui.text_edit_focused() || widgets::is_number_focused(ui);
            if !is_sliced && !is_typing {
                self.slicing.take_keyboard();
            }
        }
    }
}

/// The panel.
pub fn ui(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    // A panel is as wide as its contents, and must not become narrow while there are few.
    ui.set_min_width(ui.available_width());
    let Some(document) = session.current() else {
        state.inspector.leave();
        ui.add_space(BETWEEN);
        ui.add(Label::new("No sheet is open").selectable(false));
        weak(ui, "Click a sheet in the browser to see and cut it here.");
        return;
    };
    state.inspector.welcome(ui, session, document);
    let mut asked = Vec::new();
    if document.is_ready() {
        // Always in sight: what is dragged and typed shows there.
        let room = ui.available_height() - state.inspector.forms_height;
        Panel::bottom("selected frames").frame(Frame::NONE).show_separator_line(false).show(ui, |ui| {
            let top = ui.cursor().top();
            if !state.canvas.nine_slice().is_on() {
                numbers::ui(ui, &mut state.inspector.frames, document, session, &mut asked);
            }
            let subject = nine_slice::ui(
                ui,
                &mut state.inspector.borders,
                state.canvas.nine_slice_mut(),
                document,
                session,
                &mut asked,
            );
            let room = room - (ui.cursor().top() - top);
            match subject {
                Some(subject) => {
                    let borders = state.canvas.nine_slice().borders(document, &subject);
                    let preview = &mut state.inspector.stretched;
                    stretched::ui(ui, preview, session, document, (&subject, borders), room);
                }
                None => preview::ui(ui, session, document, state, room, &mut asked),
            }
        });
    }
    let scroll = ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        header(ui, session, document);
        if !document.is_ready() {
            state.inspector.leave();
            not_ready(ui, session, document, &mut asked);
            return;
        }
        tabs(ui, &mut state.inspector.tab);
        let asset = session.asset(&document.path);
        if state.inspector.tab == Tab::Slicing {
            slicing_section(ui, session, document, state, &mut asked);
            let tries_another_way = state.inspector.slicing.tries_another_way(document.sheet());
            put_guess_aside(document, tries_another_way, &mut asked);
            identity::users(ui, session, document, asset.map(AsRef::as_ref), &mut asked);
            identity::ui(ui, document, asset.map(AsRef::as_ref), &mut asked);
            return;
        }
        state.inspector.slicing.leave();
        put_guess_aside(document, false, &mut asked);
        texture::ui(
            ui,
            session,
            document,
            asset.map(AsRef::as_ref),
            &mut state.inspector.texture,
            &mut asked,
        );
    });
    state.inspector.forms_height = scroll.content_size.y;
    // What was typed here is for the sheet and the frames that were shown, also when this pass asks for others: a
    // click on another sheet takes the keyboard from a field.
    actions.splice(0..0, asked);
}

/// How the sheet is cut, or what the device makes of it.
fn tabs(ui: &mut Ui, tab: &mut Tab) {
    let choices = [
        Choice::new(Tab::Slicing, "Slicing", "How the sheet is cut into frames"),
        Choice::new(Tab::Device, "Device", "How the sheet is stored, and what that costs"),
    ];
    ui.add_space(INSIDE);
    if let Some(picked) = rows::segments(ui, *tab, &choices) {
        *tab = picked;
    }
}

/// A guess beside what is tried here would be taken for it.
fn put_guess_aside(document: &Document, is_aside: bool, actions: &mut Vec<Action>) {
    if document.is_guess_aside() != is_aside {
        actions.push(Action::PutGuessAside(document.path.clone(), is_aside));
    }
}

/// Name, facts and state.
fn header(ui: &mut Ui, session: &Session, document: &Document) {
    ui.allocate_ui_with_layout(
        Vec2::new(ui.available_width(), ROW_HEIGHT),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.add(Label::new(RichText::new(document.file_name()).strong()).truncate().selectable(false))
                .on_hover_text(&*document.path);
            if document.is_dirty() {
                let (rect, dot) = ui.allocate_exact_size(Vec2::splat(BETWEEN), egui::Sense::hover());
                ui.painter().circle_filled(rect.center(), 3.0, theme::palette(ui).text);
                dot.on_hover_text("Has unsaved changes");
            }
        },
    );
    let Some(asset) = session.asset(&document.path) else { return };
    if let Some(image) = &asset.image {
        fact(ui, "Image", &format!("{}, {}", widgets::pixel_size_text(image.size), image.color));
    }
    if let Some(stored) = &asset.texture {
        let bytes = widgets::bytes_text(stored.file_bytes);
        fact(
            ui,
            "Stored",
            &format!("{}, {}, {bytes}", widgets::pixel_size_text(stored.stored_size), stored.format),
        );
    }
    state_line(ui, asset);
}

fn state_line(ui: &mut Ui, asset: &Asset) {
    let (icon, words, color) = widgets::state_look(ui, asset.state);
    labelled(ui, "State", FACT_HEIGHT, |ui| {
        ui.spacing_mut().item_spacing.x = INSIDE;
        ui.add(Label::new(widgets::icon_text(icon).size(14.0).color(color)).selectable(false));
        ui.add(Label::new(words).truncate().selectable(false));
    });
    let errors = asset.problems.iter().filter(|problem| problem.severity == Severity::Error);
    match asset.state {
        State::Failed => {
            for problem in errors.take(2) {
                widgets::banner(ui, Tone::Error, &problem.message);
            }
        }
        State::Missing => {
            widgets::banner(ui, Tone::Error, "The file is gone. The last good texture is shown.");
        }
        State::Stale => {
            let how = widgets::with_key(ui, Command::Reimport.text(), Command::Reimport);
            let text = format!("The import was cancelled. {how} imports the sheet again.");
            widgets::banner(ui, Tone::Warning, &text);
        }
        State::Importing | State::UpToDate => {}
    }
}

fn not_ready(ui: &mut Ui, session: &Session, document: &Document, actions: &mut Vec<Action>) {
    match &document.load {
        Load::Failed(why) => {
            let is_told = session.asset(&document.path).is_some_and(|asset| asset.state != State::UpToDate);
            if !is_told {
                widgets::banner(ui, Tone::Error, &format!("Cannot be read: {why}"));
            }
            if widgets::command_button(ui, session, Command::Reimport, None) {
                actions.push(Command::Reimport.into());
            }
        }
        Load::Loading | Load::Ready => weak(ui, "Reading…"),
    }
}

fn slicing_section(
    ui: &mut Ui,
    session: &Session,
    document: &Document,
    UiState { inspector: Inspector { slicing, .. }, canvas, .. }: &mut UiState,
    actions: &mut Vec<Action>,
) {
    let subject = Subject { path: &document.path, sheet: document.sheet(), image: document.image_size };
    let pixels = OfDocument(session, document);
    slicing::ui(ui, slicing, subject, &pixels, canvas, session, actions);
}

/// The title of a section, with a line above it and words at its right end.
pub(super) fn part_title(ui: &mut Ui, title: &str, words: &str) {
    ui.add_space(INSIDE);
    ui.separator();
    let left = widgets::section_title(ui, title).rect;
    let right = left.with_min_x(left.right() + BETWEEN).with_max_x(ui.max_rect().right());
    place(ui, right, title, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let color = theme::palette(ui).weak_text;
            ui.add(Label::new(RichText::new(words).small().color(color)).truncate().selectable(false));
        });
    });
}

/// Adds something at a place that was set aside for it: the next thing comes where it would have come anyway. What is
/// there keeps its identity, and with it the keyboard, whatever comes and goes above it.
fn place<R>(ui: &mut Ui, rect: Rect, salt: impl AsIdSalt, add: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = Layout::left_to_right(Align::Center);
    let scope = ui.scope_id().with(("place", salt));
    let mut placed = ui.new_child(UiBuilder::new().scope_id(scope).max_rect(rect).layout(layout));
    placed.spacing_mut().interact_size = rect.size();
    add(&mut placed)
}

/// Words that explain.
pub(super) fn weak(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).color(theme::palette(ui).weak_text)).wrap().selectable(false));
}

/// A fact and what it is about.
pub(super) fn fact(ui: &mut Ui, label: &str, text: &str) -> egui::Response {
    labelled(ui, label, FACT_HEIGHT, |ui| ui.add(Label::new(text).truncate().selectable(false)))
}

/// Something with a word before it, in line with others.
pub(super) fn labelled<R>(ui: &mut Ui, label: &str, height: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.allocate_ui_with_layout(
        Vec2::new(ui.available_width(), height),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.spacing_mut().item_spacing.x = INSIDE;
            let words =
                Label::new(RichText::new(label).color(theme::palette(ui).weak_text)).selectable(false);
            let size = Vec2::new(LABEL_WIDTH, height);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(LABEL_WIDTH);
                ui.add(words);
            });
            let scope = ui.scope_id().with(("labelled", label));
            ui.scope_builder(UiBuilder::new().scope_id(scope), add).inner
        },
    )
    .inner
}
