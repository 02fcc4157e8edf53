//! The canvas as a comparison: the image beside what the device will draw of it, at the same size and always at the same
//! place, or both in one place with a divider between them.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui;
use egui::{CursorIcon, Key, Pos2, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::gestures::Gestures;
use super::view::{Screen, Viewpoint};
use crate::geometry::{PixelRect, Size};
use crate::session::{Command, Document, HeatMap, Lookup, Session, SourcePicture, StoredView};
use crate::ui::{bindings, theme};

/// A key that is down for so many seconds is held: then both are shown in one place until it is let go.
const HOLD: f64 = 0.25;
/// Points on each side of the divider that take it up.
const GRIP: f32 = 5.0;
/// Between the two sides, in points.
const GAP: f32 = 2.0;
/// The least share of the canvas that each side of the divider keeps.
const LEAST: f32 = 0.02;

/// The commands that show the two together.
pub const TOGETHER: [Command; 2] = [Command::Compare, Command::Wipe];
/// The commands that mark something in the stored picture.
pub const MARKED: [Command; 3] = [Command::ShowStoredEdges, Command::ShowHeatMap, Command::ShowBleed];

/// How the two are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mode {
    /// The image alone.
    #[default]
    Off,
    /// Side by side.
    Beside,
    /// In one place, the image left of the divider.
    Wipe,
}

/// What is drawn over the stored picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) edges: bool,
    pub(super) heat: bool,
    pub(super) bleed: bool,
}

/// A command that was asked for.
#[derive(Debug, Clone, Copy, Default)]
struct Press {
    /// When that was first seen.
    since: Option<f64>,
}

/// The comparison's own state.
pub(super) struct Compare {
    mode: Mode,
    /// Where the divider of a wipe is, as a share of the canvas.
    divider: f32,
    /// The command was asked for, by a key that may still be down.
    press: Option<Press>,
    /// Whether the key is held, so that the stored picture is shown in the image's place.
    peeks: bool,
    pub(super) marks: Marks,
    gestures: Gestures,
    /// What the hands do to the stored side.
    hands: Option<(Response, Screen)>,
    /// What is known of the stored picture.
    pub(super) view: Option<(Arc<str>, Lookup<StoredView>)>,
    /// The one that is drawn.
    pub(super) drawn: Option<Arc<StoredView>>,
    pub(super) heat: Option<Arc<HeatMap>>,
}

impl Default for Compare {
    fn default() -> Self {
        Self {
            mode: Mode::Off,
            divider: 0.5,
            press: None,
            peeks: false,
            marks: Marks { edges: true, heat: false, bleed: false },
            gestures: Gestures::default(),
            hands: None,
            view: None,
            drawn: None,
            heat: None,
        }
    }
}

/// Where a picture is on the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    /// What its place is told by.
    pub(super) screen: Rect,
    /// The part that is its own.
    pub(super) clip: Rect,
}

impl Side {
    const fn whole(rect: Rect) -> Self {
        Self { screen: rect, clip: rect }
    }

    pub(super) fn screen(self, ui: &Ui) -> Screen {
        Screen { rect: self.screen, pixels_per_point: ui.pixels_per_point() }
    }
}

/// Where the two pictures are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sides {
    pub(super) source: Side,
    pub(super) stored: Option<Side>,
}

impl Compare {
    /// Carries out a command of the comparison; whether it is one.
    pub(super) fn command(&mut self, command: Command) -> bool {
        match command {
            // What it means is known when the key is let go, or has been down for a while.
            Command::Compare => self.press = Some(Press::default()),
            Command::Wipe if self.mode == Mode::Wipe => self.mode = Mode::Off,
            Command::Wipe => self.mode = Mode::Wipe,
            Command::ShowStoredEdges => self.marks.edges = !self.marks.edges,
            Command::ShowHeatMap => self.marks.heat = !self.marks.heat,
            Command::ShowBleed => self.marks.bleed = !self.marks.bleed,
            _ => return false,
        }
        true
    }

    /// Whether a command of the comparison is on, for the menus.
    pub(super) fn is_on(&self, command: Command) -> bool {
        match command {
            Command::Compare => self.mode == Mode::Beside,
            Command::Wipe => self.mode == Mode::Wipe,
            Command::ShowStoredEdges => self.marks.edges,
            Command::ShowHeatMap => self.marks.heat,
            Command::ShowBleed => self.marks.bleed,
            _ => false,
        }
    }

    /// Whether both pictures are shown for longer than a key is held.
    pub(super) fn compares(&self) -> bool {
        self.mode != Mode::Off
    }

    /// What the pointer can do, for the hint line.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match self.mode {
            _ if self.peeks => {
                Some("This is what the device draws; letting the key go shows the image again")
            }
            Mode::Off => None,
            Mode::Beside => {
                Some("Left the image, right what the device draws; drag the line between them to wipe")
            }
            Mode::Wipe => Some("Drag the line to wipe; double click it for side by side"),
        }
    }

    /// Tells a key that is held from one that was pressed.
    fn follow_key(&mut self, ui: &Ui) {
        let Some(press) = &mut self.press else { return };
        let now = ui.input(|input| input.time);
        let since = *press.since.get_or_insert(now);
        let key = bindings::present(ui).key(Command::Compare).map(|key| key.logical_key);
        let is_down = key.is_some_and(|key: Key| ui.input(|input| input.key_down(key)));
        let left = HOLD - (now - since);
        if is_down {
            self.peeks |= left <= 0.0;
            if left > 0.0 {
                ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
            }
            return;
        }
        if !self.peeks {
            self.mode = if self.mode == Mode::Off { Mode::Beside } else { Mode::Off };
        }
        self.peeks = false;
        self.press = None;
    }

    /// Where the two pictures are in all the room of the canvas.
    pub(super) fn sides(&mut self, ui: &Ui, room: Rect) -> Sides {
        self.follow_key(ui);
        let whole = Side::whole(room);
        match self.mode {
            _ if self.peeks => Sides { source: whole, stored: Some(whole) },
            Mode::Off => Sides { source: whole, stored: None },
            Mode::Beside => {
                let half = Vec2::new((room.width() - GAP) / 2.0, room.height());
                let left = Rect::from_min_size(room.min, half);
                let right = Rect::from_min_size(Pos2::new(room.right() - half.x, room.top()), half);
                Sides { source: Side::whole(left), stored: Some(Side::whole(right)) }
            }
            Mode::Wipe => {
                let (left, right) = room.split_left_right_at_x(self.divider_x(room));
                let of = |clip| Side { screen: room, clip };
                Sides { source: of(left), stored: Some(of(right)) }
            }
        }
    }

    /// The stored picture beside the image is a place for hands of its own.
    pub(super) fn take_hands(&mut self, ui: &Ui, sides: &Sides) {
        let beside = sides.stored.filter(|_| self.mode == Mode::Beside && !self.peeks);
        self.hands = beside.map(|side| {
            let response = ui.interact(side.clip, ui.scope_id().with("stored"), Sense::CLICK | Sense::DRAG);
            response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Stored picture"));
            (response, side.screen(ui))
        });
    }

    fn divider_x(&self, room: Rect) -> f32 {
        match self.mode {
            Mode::Wipe => room.left() + room.width() * self.divider,
            Mode::Off | Mode::Beside => room.center().x,
        }
    }

    /// The line between the two, which a drag makes a wipe of.
    pub(super) fn divider(&mut self, ui: &Ui, room: Rect) {
        if self.mode == Mode::Off || self.peeks {
            return;
        }
        let x = self.divider_x(room);
        let grip = Rect::from_x_y_ranges(x - GRIP..=x + GRIP, room.y_range());
        let response = ui.interact(grip, ui.scope_id().with("divider"), Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, "Divider of the comparison"));
        if let Some(pos) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            self.mode = Mode::Wipe;
            self.divider = ((pos.x - room.left()) / room.width().max(1.0)).clamp(LEAST, 1.0 - LEAST);
        }
        if response.double_clicked() {
            (self.mode, self.divider) = (Mode::Beside, 0.5);
        }
        if response.hovered() || response.dragged() {
            ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        let is_lit = response.hovered() || response.dragged();
        self.paint_divider(ui, room, is_lit);
    }

    fn paint_divider(&self, ui: &Ui, room: Rect, is_lit: bool) {
        let palette = theme::palette(ui);
        let x = self.divider_x(room).round();
        let painter = ui.painter_at(room);
        let line = Rect::from_x_y_ranges(x - GAP / 2.0..=x + GAP / 2.0, room.y_range());
        painter.rect_filled(line, 0.0, if is_lit { palette.text } else { palette.weak_text });
        let handle = Rect::from_center_size(Pos2::new(x, room.center().y), Vec2::new(8.0, 28.0));
        painter.rect_filled(handle, 4.0, if is_lit { palette.text } else { palette.weak_text });
        let notch = Rect::from_center_size(handle.center(), Vec2::new(2.0, 12.0));
        painter.rect_filled(notch, 1.0, palette.surface);
    }

    /// The hands on the stored side move both; whether they did.
    pub(super) fn pan_and_zoom(&mut self, ui: &Ui, viewpoint: &mut Viewpoint, image: Size) -> bool {
        let Some((response, screen)) = &self.hands else { return false };
        self.gestures.apply(ui, response, viewpoint, *screen, image, true)
    }

    /// Where the pointer is that is over the stored side, and whether it was clicked.
    pub(super) fn pointer(&self) -> Option<(Pos2, bool)> {
        let (response, _) = self.hands.as_ref()?;
        let pos = response.hover_pos().filter(|_| response.contains_pointer())?;
        Some((pos, response.clicked()))
    }

    /// The pointer over the stored side.
    pub(super) fn cursor(&self) -> Option<CursorIcon> {
        self.gestures.cursor()
    }

    /// Asks what the device draws of a sheet, of which this part, in image pixels, is looked at.
    pub(super) fn follow(
        &mut self,
        session: &Session,
        document: &Document,
        visible_in_image: Option<PixelRect>,
    ) {
        if self.view.as_ref().is_some_and(|(path, _)| *path != document.path) {
            (self.view, self.drawn) = (None, None);
        }
        let newest = session.stored(document, visible_in_image);
        self.view = newest.map(|newest| (document.path.clone(), newest));
    }

    /// The newest stored picture of a sheet.
    pub(super) fn view_of(&self, path: &str) -> Option<&Lookup<StoredView>> {
        self.view.as_ref().filter(|(of, _)| **of == *path).map(|(_, view)| view)
    }

    /// The differences between the two that are drawn.
    pub(super) fn heat_map(&mut self, source: &Arc<SourcePicture>) -> Option<Arc<HeatMap>> {
        let stored = &self.drawn.as_ref()?.picture;
        if !self.heat.as_ref().is_some_and(|heat| heat.is_of(source, stored)) {
            self.heat = Some(Arc::new(HeatMap::new(source.clone(), stored.clone())));
        }
        self.heat.clone()
    }

    /// No sheet is shown any more.
    pub(super) fn leave(&mut self) {
        (self.view, self.drawn, self.heat) = (None, None, None);
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    fn show(ui: &mut Ui, compare: &mut Compare) {
        let room = Rect::from_min_size(Pos2::ZERO, Vec2::new(400.0, 300.0));
        compare.sides(ui, room);
        compare.divider(ui, room);
    }

    impl Compare {
        fn is_shown(&self) -> bool {
            self.peeks || self.mode != Mode::Off
        }
    }

    fn harness() -> Harness<'static, Compare> {
        let mut harness =
            Harness::builder().with_size(Vec2::new(400.0, 300.0)).build_ui_state(show, Compare::default());
        theme::install(&harness.ctx);
        harness.run();
        harness
    }

    #[test]
    fn a_command_without_its_key_shows_both_and_the_next_one_the_image_alone() {
        let mut harness = harness();
        assert!(!harness.state().is_shown());
        for is_shown in [true, false] {
            harness.state_mut().command(Command::Compare);
            harness.run();
            assert_eq!(harness.state().is_shown(), is_shown);
        }
    }

    #[test]
    fn a_key_that_is_held_shows_the_stored_picture_until_it_is_let_go() {
        let mut harness = harness();
        harness.key_down(Key::C);
        harness.step();
        harness.state_mut().command(Command::Compare);
        harness.step();
        assert!(!harness.state().peeks, "it may be a short press");
        let passes = (HOLD / f64::from(1.0_f32 / 60.0)).ceil() as usize + 1;
        (0..passes).for_each(|_| harness.step());
        assert!(harness.state().peeks && harness.state().mode == Mode::Off);
        harness.key_up(Key::C);
        harness.run();
        assert!(!harness.state().is_shown(), "it was held, so nothing is switched");
    }

    #[test]
    fn dragging_the_line_between_the_sides_wipes() {
        let mut harness = harness();
        harness.state_mut().command(Command::Compare);
        harness.run();
        let middle = harness.get_by_label("Divider of the comparison").rect().center();
        harness.drag_at(middle);
        harness.run();
        for x in [180.0, 140.0, 100.0] {
            harness.hover_at(Pos2::new(x, 150.0));
            harness.run();
        }
        harness.drop_at(Pos2::new(100.0, 150.0));
        harness.run();
        assert_eq!(harness.state().mode, Mode::Wipe);
        assert_eq!(harness.state().divider, 0.25);
    }
}
