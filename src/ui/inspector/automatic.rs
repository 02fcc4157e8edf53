//! Cutting by ink: the rules of detection with sliders, what they find, and the cut that follows them.

use std::sync::Arc;

use eframe::egui;
use egui::{Button, Label, RichText, Ui, Vec2};

use super::background;
use super::found::{found_words, specks};
use super::grid::Subject;
use super::labelled;
use super::reslice::{Cause, Cutter};
use super::rows::{Answer, Choice, SliderRow, escapes, segments};
use super::runs::row_words;
use super::slicing::Pixels;
use super::weak;
use crate::geometry::PixelRect;
use crate::model::{Automatic, Merge, Recipe};
use crate::session::{Detected, Lookup, Study};
use crate::slicing::MAX_FRAMES;
use crate::ui::theme::{self, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const LARGEST_AREA: i32 = 99_999;
const LARGEST_GAP: i32 = 999;
/// Pixels between boxes that become one, when that is chosen.
const FIRST_GAP: u32 = 2;
/// What the form keeps from one pass to the next.
#[derive(Default)]
pub(super) struct AutomaticForm {
    sheet: Option<Arc<str>>,
    rules: Automatic,
    /// Whether the rules are the sheet's, the image's or the person's, not just any.
    is_known: bool,
    /// The sheet's rules when it was last looked at.
    seen: Option<Automatic>,
    /// A cut that waits until these rules were tried.
    wanted: Option<Cause>,
    /// Whether the step ends after that cut.
    seals: bool,
    /// Whether a colour was changed in its popup, which says not when it is let go.
    is_colouring: bool,
    /// The last that was found.
    shown: Option<Arc<Detected>>,
    /// The same, while the sheet is cut otherwise and nothing was asked for to change that.
    offered: Option<Arc<Detected>>,
    /// The place of the colour that a click on the canvas gives.
    picking: Option<usize>,
}

impl AutomaticForm {
    /// Forgets what was changed: the sheet's rules are shown again.
    pub(super) fn forget(&mut self) {
        self.sheet = None;
    }

    /// The form is not shown.
    pub(super) fn leave(&mut self) {
        self.picking = None;
        self.shown = None;
        self.offered = None;
        self.wanted = None;
    }

    /// What was found last.
    pub(super) fn shown(&self) -> Option<&Arc<Detected>> {
        self.shown.as_ref()
    }

    /// The frames that the button would make, in image pixels; none of a sheet that has them.
    pub(super) fn offered(&self) -> Vec<PixelRect> {
        self.offered.as_ref().map(|detected| detected.rects()).unwrap_or_default()
    }

    /// Whether a click on the canvas gives a background colour.
    pub(super) fn wants_color(&self) -> bool {
        self.picking.is_some()
    }

    /// Takes that colour.
    pub(super) fn take_color(&mut self, rgb: [u8; 3]) {
        if let Some(index) = self.picking.take() {
            background::take(&mut self.rules.background, index, rgb);
            self.wanted = Some(Cause::Button);
        }
    }

    /// Takes the sheet's rules when they were changed elsewhere. `is_own` is whether that was asked for here.
    pub(super) fn follow(&mut self, subject: Subject<'_>, is_own: bool) {
        let rules = subject.sheet.recipe.as_deref().and_then(Recipe::automatic);
        let is_same_sheet = self.sheet.as_ref() == Some(subject.path);
        if is_same_sheet && (is_own || self.seen.as_ref() == rules) {
            self.seen = rules.cloned();
            return;
        }
        let shown = self.shown.take().filter(|_| is_same_sheet);
        *self = Self {
            sheet: Some(subject.path.clone()),
            rules: rules.cloned().unwrap_or_default(),
            is_known: rules.is_some(),
            seen: rules.cloned(),
            shown,
            ..Self::default()
        };
    }

    /// Cuts by what was found, if that was asked for and is another slicing than the sheet's.
    fn cut(&mut self, detected: &Detected, cutter: &mut Cutter<'_>) {
        if let Some(cause) = self.wanted.take()
            && can_be_frames(detected)
            && !is_cut(&cutter.subject, detected)
        {
            cutter.recipe(Recipe::Automatic(self.rules.clone()), detected.rects(), cause);
        }
        if std::mem::take(&mut self.seals) {
            cutter.seal();
        }
    }
}

/// Whether there are sprites, and not more than a texture holds.
fn can_be_frames(detected: &Detected) -> bool {
    (1..=MAX_FRAMES).contains(&detected.detection.sprites.len())
}

/// Whether the sheet is cut by what was found.
fn is_cut(subject: &Subject<'_>, detected: &Detected) -> bool {
    let sheet = subject.sheet;
    let sprites = &detected.detection.sprites;
    sheet.recipe.as_deref().and_then(Recipe::automatic) == Some(detected.rules())
        && sheet.frames.len() == sprites.len()
        && sheet.frames.iter().zip(sprites).all(|(frame, sprite)| frame.rect_in_image == sprite.rect)
}

/// The section.
pub(super) fn ui(ui: &mut Ui, form: &mut AutomaticForm, pixels: &dyn Pixels, cutter: &mut Cutter<'_>) {
    let study = match pixels.study() {
        Some(Lookup::Ready(study)) => study,
        Some(Lookup::Failed(why, _)) => {
            form.leave();
            widgets::banner(ui, Tone::Error, &format!("The pixels cannot be read: {why}"));
            return;
        }
        Some(Lookup::Pending(_)) | None => {
            weak(ui, "Reading the pixels…");
            return;
        }
    };
    if !std::mem::replace(&mut form.is_known, true) {
        form.rules = study.rules.clone();
        // What the device draws as nothing is no sprite.
        if let Some(key) = cutter.subject.sheet.settings.chroma_key {
            form.rules.background = vec![key.rgb()];
        }
    }
    let (answer, cause) = rules(ui, form, &study);
    if answer.finished && escapes(ui) {
        (form.wanted, form.seals) = (None, false);
        cutter.give_up();
    } else {
        form.wanted = if answer.changed { Some(cause) } else { form.wanted };
        form.seals |= answer.finished;
    }
    let found = if form.rules == study.rules {
        Some(Lookup::Ready(study.detected.clone()))
    } else {
        pixels.detected(&form.rules)
    };
    match &found {
        Some(Lookup::Ready(detected)) => {
            form.shown = Some(detected.clone());
            form.cut(detected, cutter);
        }
        Some(Lookup::Failed(why, _)) => {
            widgets::banner(ui, Tone::Error, &format!("Nothing was detected: {why}"));
            (form.wanted, form.seals) = (None, false);
        }
        Some(Lookup::Pending(_)) | None => {}
    }
    let is_pending = !matches!(found, Some(Lookup::Ready(_)));
    ui.add_space(INSIDE);
    results(ui, form, is_pending, cutter);
}

/// The controls; what they were asked for, and whether by typing or by a choice.
fn rules(ui: &mut Ui, form: &mut AutomaticForm, study: &Study) -> (Answer, Cause) {
    let rules = &mut form.rules;
    let mut typed = Answer::default();
    let mut number = i32::from(rules.alpha_threshold);
    let row = SliderRow {
        word: "Alpha",
        name: "Alpha threshold",
        explanation: "Ink has a larger alpha than this: raise it when faint pixels join sprites",
        range: 0..=254,
        slider_end: 254,
        suffix: "",
    };
    typed.add(row.show(ui, &mut number));
    rules.alpha_threshold = number as u8;
    let mut number = i32::try_from(rules.min_area).unwrap_or(LARGEST_AREA);
    let row = SliderRow {
        word: "Area",
        name: "Smallest area",
        explanation: "Sprites with fewer pixels of ink are left out",
        range: 1..=LARGEST_AREA,
        slider_end: 1000,
        suffix: "px",
    };
    typed.add(row.show(ui, &mut number));
    if typed.changed {
        rules.min_area = number as u32;
    }
    let is_merge_picked = merge_row(ui, &mut rules.merge);
    if let Merge::Gap(gap) = &mut rules.merge {
        let mut number = i32::try_from(*gap).unwrap_or(LARGEST_GAP);
        let row = SliderRow {
            word: "Gap",
            name: "Merge gap",
            explanation: "Boxes with at most so many pixels between them are one sprite",
            range: 0..=LARGEST_GAP,
            slider_end: 32,
            suffix: "px",
        };
        let answer = row.show(ui, &mut number);
        if answer.changed {
            *gap = number as u32;
        }
        typed.add(answer);
    }
    if study.background.is_some() || !rules.background.is_empty() {
        let colours = background::ui(ui, &mut rules.background, study, &mut form.picking);
        form.is_colouring |= colours.changed;
        typed.add(colours);
    }
    if !rules.background.is_empty() {
        let mut number = i32::from(rules.tolerance);
        let row = SliderRow {
            word: "Tolerance",
            name: "Colour tolerance",
            explanation: "Ink differs from every background colour by more than this in some channel",
            range: 0..=255,
            slider_end: 255,
            suffix: "",
        };
        typed.add(row.show(ui, &mut number));
        rules.tolerance = number as u8;
    }
    if form.is_colouring && !ui.input(|input| input.pointer.any_down()) {
        form.is_colouring = false;
        typed.finished = true;
    }
    if is_merge_picked {
        return (Answer { changed: true, finished: typed.finished }, Cause::Button);
    }
    (typed, Cause::Typed)
}

/// Which boxes become one; whether another way was picked.
fn merge_row(ui: &mut Ui, merge: &mut Merge) -> bool {
    let kind = if matches!(merge, Merge::Gap(_)) { Merge::Gap(FIRST_GAP) } else { *merge };
    let choices = [
        Choice::new(Merge::None, "None", "Every island of ink is a sprite of its own"),
        Choice::new(Merge::Overlap, "Overlap", "Islands whose boxes overlap by a pixel are one sprite"),
        Choice::new(
            Merge::Gap(FIRST_GAP),
            "Gap",
            "Islands with few pixels between their boxes are one sprite",
        ),
    ];
    let mut picked = None;
    labelled(ui, "Merge", ROW_HEIGHT, |ui| picked = segments(ui, kind, &choices));
    if let Some(picked) = picked {
        *merge = picked;
    }
    picked.is_some()
}

/// How many sprites there are, quick fixes, and the button for a sheet that is not cut so yet.
fn results(ui: &mut Ui, form: &mut AutomaticForm, is_pending: bool, cutter: &mut Cutter<'_>) {
    let palette = theme::palette(ui);
    let row = Vec2::new(ui.available_width(), ROW_HEIGHT);
    ui.allocate_ui_with_layout(row, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        let words = form.shown.as_ref().map(|detected| found_words(detected));
        ui.add(Label::new(RichText::new(words.unwrap_or_default()).strong()).selectable(false))
            .on_hover_text(
                "Merged: islands that are only a part of a sprite. Dropped: too small, drawn but no frames",
            );
        if is_pending {
            row_words(ui, "Detecting…", palette.weak_text);
        }
    });
    let Some(detected) = form.shown.clone() else { return };
    let sprites = &detected.detection.sprites;
    if sprites.is_empty() && !is_pending {
        widgets::banner(ui, Tone::Warning, "No sprites: lower the alpha, the area or the tolerance.");
    } else if sprites.len() > MAX_FRAMES {
        let words = format!("A texture holds at most {MAX_FRAMES} frames: raise the smallest area.");
        widgets::banner(ui, Tone::Warning, &words);
    }
    if let Some((count, area)) = specks(sprites) {
        let words = format!("Drop {}", widgets::count_text(count, "speck"));
        let button = Button::new(words).min_size(Vec2::new(0.0, ROW_HEIGHT));
        let explanation = format!("Leaves out sprites of less than {area} px; the others are far larger");
        if ui.add(button).on_hover_text(explanation).clicked() {
            form.rules.min_area = area;
            form.wanted = Some(Cause::Button);
            ui.request_repaint();
        }
    }
    let is_other = can_be_frames(&detected) && !cutter.has_cut() && !is_cut(&cutter.subject, &detected);
    form.offered = is_other.then(|| detected.clone());
    if is_other && form.wanted.is_none() && detected.rules() == &form.rules {
        ui.add_space(INSIDE);
        let words = format!("Cut {}", widgets::count_text(sprites.len(), "sprite"));
        let button = ui.add(widgets::primary_button(ui, &words));
        if button.on_hover_text("Make a frame of each sprite").clicked() {
            form.wanted = Some(Cause::Button);
            form.cut(&detected, cutter);
            form.offered = form.offered.take().filter(|_| !cutter.has_cut());
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::Key;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::super::bench::{self, Bench, begin_typing, click, type_into};
    use super::*;

    const CLEAR: [u8; 4] = [0; 4];
    const RED: [u8; 4] = [255, 0, 0, 255];

    /// 48 x 24 with two squares of 18 and, between them, a dot of alpha 255 and one of alpha 40.
    fn sheet(ground: [u8; 4]) -> Harness<'static, Bench> {
        let squares = [PixelRect::new(2, 2, 18, 18), PixelRect::new(28, 2, 18, 18)];
        let pixel = |index: i64| {
            let (x, y) = (index % 48, index / 48);
            match (x, y) {
                _ if squares.iter().any(|square| square.contains(x, y)) => RED,
                (23, 4) => RED,
                (23, 10) if ground == CLEAR => [255, 0, 0, 40],
                _ => ground,
            }
        };
        let pixels: Vec<_> = (0..48 * 24).map(pixel).collect();
        let mut harness = bench::image(48, 24, &pixels);
        click(&mut harness, "Automatic");
        harness
    }

    fn frames(harness: &Harness<'_, Bench>) -> usize {
        harness.state().document.sheet().frames.len()
    }

    #[test]
    fn nothing_is_written_before_a_value_is_touched_or_the_button_pressed() {
        let mut harness = sheet(CLEAR);
        harness.get_by_label("4 sprites");
        assert_eq!(harness.state().edits(), 0);
        assert_eq!(harness.state().slicing.overlay().unwrap().detection.sprites.len(), 4);
        assert_eq!(
            harness.state().slicing.offered().len(),
            4,
            "what the button would make shows on the canvas"
        );
        click(&mut harness, "Cut 4 sprites");
        assert_eq!((frames(&harness), harness.state().edits()), (4, 1));
        assert!(harness.query_by_label_contains("Cut ").is_none());
        assert!(harness.state().slicing.offered().is_empty());
        click(&mut harness, "Grid");
        assert!(harness.state().slicing.overlay().is_none());
    }

    #[test]
    fn the_sheet_follows_each_value_and_the_field_is_one_step() {
        let mut harness = sheet(CLEAR);
        type_into(&mut harness, "Alpha threshold", "40");
        assert_eq!(frames(&harness), 3);
        assert_eq!(harness.state().edits(), 2, "one for 4 and one for 40");
        assert_eq!(harness.state().document.history.steps().1, 1);
        type_into(&mut harness, "Smallest area", "2");
        assert_eq!(frames(&harness), 2);
        assert_eq!(harness.state().document.history.steps().1, 2);
        harness.get_by_label("2 sprites, 1 dropped");
    }

    #[test]
    fn a_slider_is_one_step_by_keys_and_by_drag() {
        let mut harness = sheet(CLEAR);
        let rect = harness.get_by_label("Alpha threshold slider").rect();
        let at = |share: f32| egui::pos2(rect.left() + rect.width() * share, rect.center().y);
        harness.drag_at(at(0.1));
        harness.run();
        for share in [0.3, 0.6, 0.8] {
            harness.hover_at(at(share));
            harness.run();
        }
        harness.drop_at(at(0.8));
        harness.run();
        assert_eq!(frames(&harness), 3);
        assert_eq!(harness.state().document.history.steps().1, 1);
        assert!(matches!(harness.state().asked.last(), Some(crate::session::Action::Seal)));
    }

    #[test]
    fn escape_takes_back_what_was_typed() {
        let mut harness = sheet(CLEAR);
        click(&mut harness, "Cut 4 sprites");
        begin_typing(&mut harness, "Alpha threshold", "200");
        assert_eq!(frames(&harness), 3);
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(frames(&harness), 4);
    }

    #[test]
    fn specks_are_dropped_only_when_asked() {
        let mut harness = sheet(CLEAR);
        click(&mut harness, "Drop 2 specks");
        assert_eq!(frames(&harness), 2);
        assert!(harness.query_by_label_contains("Drop").is_none());
    }

    #[test]
    fn merging_with_a_gap_joins_what_is_near() {
        let mut harness = sheet(CLEAR);
        click(&mut harness, "Gap");
        type_into(&mut harness, "Merge gap", "4");
        assert_eq!(frames(&harness), 1);
        harness.get_by_label("1 sprite, 4 merged");
    }

    #[test]
    fn an_opaque_sheet_says_its_background_and_takes_another_from_the_canvas() {
        let mut harness = sheet([255, 0, 255, 255]);
        harness.get_by_label("No transparency. Background: magenta #FF00FF found at the border");
        harness.get_by_label("3 sprites");
        assert!(!harness.state().slicing.wants_color());
        click(&mut harness, "Pick another colour on the canvas");
        assert!(harness.state().slicing.wants_color());
        // Taking a colour that is there already changes nothing and needs no file.
        harness.state_mut().slicing.take_color([255, 0, 255]);
        harness.run();
        assert!(!harness.state().slicing.wants_color());
        assert_eq!(frames(&harness), 3);
        type_into(&mut harness, "Colour tolerance", "255");
        harness.get_by_label_contains("No sprites");
        assert_eq!(frames(&harness), 3, "a sheet is not cut into nothing");
    }
}
