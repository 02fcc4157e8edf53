//! A document, the panels about its slicing, and what they asked for, for tests.

use std::path::Path;
use std::sync::Arc;

use eframe::egui;
use egui::{Key, Modifiers, Ui, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::grid::Subject;
use super::numbers::{self, FrameForm};
use super::slicing::{self, Pixels, Slicing};
use crate::geometry::Size;
use crate::model::{Automatic, Run, Sheet};
use crate::session::document::SheetOnDisk;
use crate::session::{Action, Command, Detected, Document, Lookup, Session, Study};
use crate::ui::canvas::Canvas;
use crate::ui::theme;

/// The document, its panels, and what they asked for.
pub(super) struct Bench {
    pub(super) document: Document,
    pub(super) slicing: Slicing,
    pub(super) frames: FrameForm,
    pub(super) asked: Vec<Action>,
    canvas: Canvas,
    session: Session,
    study: Option<Arc<Study>>,
    is_dressed: bool,
}

/// An image that was studied.
struct Studied(Option<Arc<Study>>);

impl Pixels for Studied {
    fn study(&self) -> Option<Lookup<Study>> {
        self.0.clone().map(Lookup::Ready)
    }

    fn detected(&self, rules: &Automatic) -> Option<Lookup<Detected>> {
        let study = self.0.as_ref()?;
        let made = Detected::by(rules, Path::new("nowhere.png"), Some(study), None);
        Some(Lookup::Ready(Arc::new(made.unwrap())))
    }
}

impl Bench {
    /// Carries out what the panels ask for, as the session does.
    fn perform(&mut self, action: &Action) {
        let document = &mut self.document;
        match action {
            Action::Edit(edit) => document.history.apply(edit, document.image_size).unwrap(),
            Action::Seal => document.history.seal(),
            Action::Command(Command::Undo) => drop(document.history.undo()),
            Action::RememberGridAxes { .. } => {}
            other => panic!("{other:?}"),
        }
    }

    /// How many edits were asked for.
    pub(super) fn edits(&self) -> usize {
        self.asked.iter().filter(|action| matches!(action, Action::Edit(_))).count()
    }
}

fn show(ui: &mut Ui, bench: &mut Bench) {
    if !std::mem::replace(&mut bench.is_dressed, true) {
        theme::install(ui);
        return;
    }
    ui.set_max_width(272.0);
    let mut actions = Vec::new();
    let Bench { document, slicing, frames, canvas, session, study, .. } = bench;
    let subject =
        Subject { path: &document.path, sheet: document.history.sheet(), image: document.image_size };
    slicing::ui(ui, slicing, subject, &Studied(study.clone()), canvas, session, &mut actions);
    numbers::ui(ui, frames, document, session, &mut actions);
    for action in &actions {
        bench.perform(action);
    }
    bench.asked.append(&mut actions);
}

/// An image of that size whose pixels nobody knows.
pub(super) fn slicing(width: u32, height: u32) -> Harness<'static, Bench> {
    harness(Size::new(width, height), None)
}

/// An image of that size with red dots at these places.
pub(super) fn slicing_of(width: u32, height: u32, dots: &[(u32, u32)]) -> Harness<'static, Bench> {
    let at = |index: u32| (index % width, index / width);
    let pixel = |index| if dots.contains(&at(index)) { [255, 0, 0, 255] } else { [0; 4] };
    image(width, height, &(0..width * height).map(pixel).collect::<Vec<_>>())
}

/// An image with these pixels.
pub(super) fn image(width: u32, height: u32, rgba: &[[u8; 4]]) -> Harness<'static, Bench> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(rgba.as_flattened()).unwrap();
    let study = Study::of_image(&bytes, Some("png")).unwrap();
    harness(Size::new(width, height), Some(Arc::new(study)))
}

fn harness(image_size: Size, study: Option<Arc<Study>>) -> Harness<'static, Bench> {
    let mut document = Document::loading("a.png".into(), None);
    document.take_first(SheetOnDisk {
        sheet: Sheet::default(),
        image_size,
        guid: None,
        sidecar_hash: None,
        problems: Vec::new(),
    });
    let bench = Bench {
        document,
        slicing: Slicing::default(),
        frames: FrameForm::default(),
        asked: Vec::new(),
        canvas: Canvas::default(),
        session: Session::new(None, Arc::new(|| {})).unwrap(),
        study,
        is_dressed: false,
    };
    let mut harness = Harness::builder().with_size(Vec2::new(640.0, 900.0)).build_ui_state(show, bench);
    harness.run();
    harness
}

/// Clicks what has that name.
pub(super) fn click(harness: &mut Harness<'_, Bench>, name: &str) {
    harness.get_by_label(name).click();
    harness.run();
}

/// Enters a field and types over what it has.
pub(super) fn begin_typing(harness: &mut Harness<'_, Bench>, field: &str, text: &str) {
    harness.get_by_label(field).click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run();
    for letter in text.chars() {
        harness.get_by_label(field).type_text(&letter.to_string());
        harness.run();
    }
}

/// Types over what a field has and takes it.
pub(super) fn type_into(harness: &mut Harness<'_, Bench>, field: &str, text: &str) {
    begin_typing(harness, field, text);
    harness.key_press(Key::Enter);
    harness.run();
}

/// The grid of the sheet, when it has one.
pub(super) fn run_of(harness: &Harness<'_, Bench>) -> Option<Run> {
    harness.state().document.sheet().recipe.as_ref()?.single_run().cloned()
}
