//! How a sheet is cut: by a grid, by its ink or by hand, each with a form of its own.

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui;
use egui::{Painter, Rect, Ui};
use egui_material_icons::icons::{ICON_AUTO_FIX_HIGH, ICON_RECTANGLE};

use super::automatic::{self, AutomaticForm};
use super::grid::{self, GridForm, Subject};
use super::reslice::{Cutter, Cutting};
use super::rows::{Choice, button_row, segments};
use super::weak;
use crate::geometry::PixelRect;
use crate::model::{Automatic, Frame, Recipe, Sheet};
use crate::session::{Action, Command, Detected, Document, Lookup, Session, Study, Tiled as _};
use crate::ui::canvas::Canvas;
use crate::ui::strip::thumbnail;
use crate::ui::theme::INSIDE;
use crate::ui::widgets;

/// A way to cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Grid,
    Automatic,
    ByHand,
}

impl Mode {
    /// The way that a sheet was cut.
    fn of(sheet: &Sheet) -> Self {
        match sheet.recipe.as_deref() {
            Some(Recipe::Grids(_)) => Self::Grid,
            Some(Recipe::Automatic(_)) => Self::Automatic,
            None if sheet.frames.is_empty() => Self::Grid,
            None => Self::ByHand,
        }
    }
}

/// The way that was picked for a sheet, and the way it was cut then.
#[derive(Debug, Clone, Copy)]
struct Picked {
    mode: Mode,
    sheet_was: Mode,
}

/// What the pixels of the sheet's image tell.
pub(super) trait Pixels {
    /// What there is in them.
    fn study(&self) -> Option<Lookup<Study>>;

    /// What these rules find in them.
    fn detected(&self, rules: &Automatic) -> Option<Lookup<Detected>>;
}

/// The pixels of an open sheet.
pub(super) struct OfDocument<'a>(pub(super) &'a Session, pub(super) &'a Document);

impl Pixels for OfDocument<'_> {
    fn study(&self) -> Option<Lookup<Study>> {
        self.0.study(self.1)
    }

    fn detected(&self, rules: &Automatic) -> Option<Lookup<Detected>> {
        self.0.detected(self.1, rules)
    }
}

/// What the section keeps from one pass to the next.
#[derive(Default)]
pub(super) struct Slicing {
    picked: HashMap<Arc<str>, Picked>,
    /// The one that is shown.
    mode: Mode,
    grid: GridForm,
    automatic: AutomaticForm,
    cutting: Cutting,
}

impl Slicing {
    /// The first field of the grid takes the keyboard, if the grid is shown.
    pub(super) fn take_keyboard(&mut self) {
        self.grid.take_keyboard();
    }

    /// What was detected, while that is what the section is about.
    pub(super) fn overlay(&self) -> Option<&Arc<Detected>> {
        self.automatic.shown().filter(|_| self.mode == Mode::Automatic)
    }

    /// The frames that the section would cut the sheet into and that it does not have yet, in image pixels.
    pub(super) fn offered(&self) -> Vec<PixelRect> {
        if self.mode == Mode::Automatic { self.automatic.offered() } else { Vec::new() }
    }

    /// Whether another way to cut is tried than the one that guesses on the canvas are about.
    pub(super) fn tries_another_way(&self, sheet: &Sheet) -> bool {
        self.mode != Mode::of(sheet)
    }

    /// Whether a click on the canvas gives a background colour.
    pub(super) fn wants_color(&self) -> bool {
        self.mode == Mode::Automatic && self.automatic.wants_color()
    }

    /// Takes that colour.
    pub(super) fn take_color(&mut self, rgb: [u8; 3]) {
        self.automatic.take_color(rgb);
    }

    /// No sheet is shown.
    pub(super) fn leave(&mut self) {
        self.automatic.leave();
    }

    /// The ways picked for sheets follow them.
    pub(super) fn files_moved(&mut self, moves: &[crate::session::Move]) {
        crate::ui::moved::follow_keys(moves, &mut self.picked);
    }

    /// Forgets the ways picked for sheets that are not open any more.
    pub(super) fn keep(&mut self, is_open: impl Fn(&Arc<str>) -> bool) {
        self.picked.retain(|path, _| is_open(path));
    }

    #[cfg(test)]
    pub(super) fn grid(&self) -> &GridForm {
        &self.grid
    }

    /// The way that is shown: the one that was picked, until the sheet is cut in another way than that elsewhere.
    fn mode_of(&mut self, subject: Subject<'_>, is_own: bool) -> Mode {
        let sheet_is = Mode::of(subject.sheet);
        if is_own {
            // Numbers typed in a form stay there, whatever becomes of the sheet.
            self.picked.insert(subject.path.clone(), Picked { mode: self.mode, sheet_was: sheet_is });
        }
        match self.picked.get(subject.path) {
            Some(picked) if sheet_is == picked.sheet_was || sheet_is == picked.mode => picked.mode,
            _ => {
                self.picked.remove(subject.path);
                sheet_is
            }
        }
    }
}

/// The section.
pub(super) fn ui(
    ui: &mut Ui,
    slicing: &mut Slicing,
    subject: Subject<'_>,
    pixels: &dyn Pixels,
    canvas: &mut Canvas,
    session: &Session,
    actions: &mut Vec<Action>,
) {
    let may_link = !session.prefs().grid_axes_parted;
    let is_own = slicing.cutting.follow(subject);
    slicing.mode = slicing.mode_of(subject, is_own);
    ui.add_space(INSIDE);
    if let Some(mode) = segments(ui, slicing.mode, &modes()) {
        slicing.mode = mode;
        slicing.picked.insert(subject.path.clone(), Picked { mode, sheet_was: Mode::of(subject.sheet) });
    }
    ui.add_space(INSIDE);
    let Slicing { mode, grid, automatic, cutting, .. } = slicing;
    if is_own && *mode == Mode::Grid {
        grid.accept(subject.sheet);
    }
    grid.follow(subject, may_link);
    automatic.follow(subject, is_own && *mode == Mode::Automatic);
    if *mode != Mode::Automatic {
        automatic.leave();
    }
    let guid = session.asset(subject.path).map(|asset| asset.guid);
    let users = |frame: &Frame| guid.map(|guid| session.users_in_words(guid, frame)).unwrap_or_default();
    let mut cutter = Cutter { subject, cutting, actions, users: &users };
    match mode {
        Mode::Grid => grid::ui(ui, grid, may_link, pixels, &mut cutter),
        Mode::Automatic => automatic::ui(ui, automatic, pixels, &mut cutter),
        Mode::ByHand => by_hand(ui, session, cutter.actions),
    }
    if *mode != Mode::ByHand {
        cutter.ui(ui);
    }
    let mut paint = |painter: &Painter, part: PixelRect, room: Rect| {
        let Some(picture) = canvas.picture_of(subject.path).cloned() else { return };
        match part.clipped_to(picture.size()) {
            Some(part) => thumbnail::paint_part(painter, &mut canvas.tiles, session, &picture, part, room),
            None => thumbnail::paint_missing(painter, room),
        }
    };
    if cutter.question(ui, &mut paint) {
        grid.forget();
        automatic.forget();
    }
    footer(ui, session, subject, actions);
}

fn modes() -> [Choice<Mode>; 3] {
    [
        Choice::new(Mode::Grid, "Grid", "Equal cells by numbers"),
        Choice::new(Mode::Automatic, "Automatic", "A frame around each sprite, found by its ink"),
        Choice::new(Mode::ByHand, "By hand", "Frames drawn, picked and changed one by one"),
    ]
}

fn by_hand(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    weak(
        ui,
        "Drag with the Draw tool (R) to draw a frame. Click a sprite with the Wand (W) to frame it; \
         Alt+click reaches across gaps.",
    );
    ui.add_space(INSIDE);
    button_row(ui, |ui| {
        for (command, icon) in [(Command::DrawTool, ICON_RECTANGLE), (Command::WandTool, ICON_AUTO_FIX_HIGH)]
        {
            if widgets::command_button(ui, session, command, Some(icon)) {
                actions.push(command.into());
            }
        }
    });
}

/// What can be done with all frames.
fn footer(ui: &mut Ui, session: &Session, subject: Subject<'_>, actions: &mut Vec<Action>) {
    let sheet = subject.sheet;
    if sheet.frames.is_empty() {
        return;
    }
    ui.add_space(INSIDE);
    button_row(ui, |ui| {
        let to_atlas = sheet.grids().map(|_| Command::ToAtlas);
        for command in to_atlas.into_iter().chain([Command::ClearSlicing]) {
            if widgets::command_button(ui, session, command, None) {
                actions.push(command.into());
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    use super::super::bench::{self, click, type_into};
    use super::*;
    use crate::edit::{Added, Edit, Reshape};
    use crate::geometry::Size;
    use crate::model::FrameId;

    const IMAGE: Size = Size::new(64, 64);

    fn is_on(harness: &egui_kittest::Harness<'_, bench::Bench>, mode: &str) -> bool {
        let node = harness.get_by_label(mode);
        node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    }

    #[test]
    fn the_way_is_the_sheets_until_another_is_picked() {
        let mut harness = bench::slicing(64, 64);
        assert!(is_on(&harness, "Grid") && !is_on(&harness, "Automatic") && !is_on(&harness, "By hand"));
        let drawn = vec![(PixelRect::new(0, 0, 8, 8), "".into())];
        harness.state_mut().document.history.apply(&Edit::Add(Added::Draw, drawn), IMAGE).unwrap();
        harness.run();
        assert!(is_on(&harness, "By hand"));
        harness.get_by_label_contains("Drag with the Draw tool (R)");
        click(&mut harness, "Grid");
        harness.get_by_label_contains("cut by hand. A cell size typed here replaces them");
        type_into(&mut harness, "Cell width", "16");
        assert!(is_on(&harness, "Grid"));
        let moved = vec![(FrameId(1), PixelRect::new(1, 1, 16, 16))];
        harness.state_mut().document.history.apply(&Edit::SetRects(Reshape::Move, moved), IMAGE).unwrap();
        harness.run();
        assert!(is_on(&harness, "By hand"), "a frame that was moved belongs to no grid");
    }

    #[test]
    fn frames_kept_while_a_grid_is_typed_leave_the_form_as_it_is() {
        let mut harness = bench::slicing(64, 64);
        let drawn = vec![(PixelRect::new(0, 0, 8, 8), "".into())];
        harness.state_mut().document.history.apply(&Edit::Add(Added::Draw, drawn), IMAGE).unwrap();
        harness.state_mut().document.history.seal();
        harness.run();
        click(&mut harness, "Grid");
        click(&mut harness, "Existing frames");
        click(&mut harness, "Keep and add");
        type_into(&mut harness, "Cell width", "32");
        let sheet = harness.state().document.sheet();
        assert_eq!(sheet.frames.len(), 4, "three cells beside the frame that was drawn");
        assert!(is_on(&harness, "Grid"));
        assert_eq!(harness.state().slicing.grid().form.cell.x, 32);
        harness.get_by_label("1 kept, 3 new");
        assert_eq!(harness.state().document.history.steps().1, 2);
    }
}
