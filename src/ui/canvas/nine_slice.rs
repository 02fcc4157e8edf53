//! Nine-slice borders on the canvas: four guides in the selected frame, or in an image without frames, that are dragged.
//! Meanwhile the tools rest; a click still selects.

use std::sync::Arc;

use eframe::egui;
use egui::{CursorIcon, Key, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo};

use super::borders::Look;
use super::paint::Overlay;
use super::view::Placement;
use crate::edit::{Bordered, Edit, Revision};
use crate::geometry::{PixelRect, Size};
use crate::model::FrameId;
use crate::session::{Action, Command, Document};
use crate::texture::{Insets, Side};
use crate::ui::widgets;

/// How near to a guide the pointer has it, in points.
const REACH: f32 = 6.0;
/// How far guides reach out of their frame, in points.
pub(super) const OVERHANG: f32 = 12.0;
/// Frames with a shorter side, in points, are too small to tell guides apart.
const LEAST_SIDE: f32 = 24.0;

/// What has borders to be edited: the frame that was selected first, or an image without frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BorderSubject {
    /// Whose guides are shown.
    pub primary: Bordered,
    /// Its pixels in the image.
    pub rect_in_image: PixelRect,
    /// All that is selected and has pixels, the primary one first.
    pub all: Vec<Bordered>,
}

impl BorderSubject {
    /// That of a document; `None` while none of its frames is selected, or none with pixels.
    pub fn of(document: &Document) -> Option<Self> {
        let (sheet, image) = (document.sheet(), document.image_size);
        let selection = document.history.selection();
        let all: Vec<Bordered> = if sheet.frames.is_empty() {
            vec![Bordered::Image]
        } else {
            let selected = selection.iter().map(|id| Bordered::Frame(*id));
            selected.filter(|it| it.rect_in_image(sheet, image).is_some()).collect()
        };
        let primary = *all.first()?;
        Some(Self { primary, rect_in_image: primary.rect_in_image(sheet, image)?, all })
    }

    /// The size that borders are measured in.
    pub const fn size(&self) -> Size {
        Size::new(self.rect_in_image.width as u32, self.rect_in_image.height as u32)
    }
}

/// Guides that go together: one across, one down, or both at a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Held {
    across: Option<Side>,
    down: Option<Side>,
}

impl Held {
    pub(super) fn sides(self) -> impl Iterator<Item = Side> {
        [self.across, self.down].into_iter().flatten()
    }

    pub(super) fn has(self, side: Side) -> bool {
        self.sides().any(|held| held == side)
    }

    const fn cursor(self) -> CursorIcon {
        match (self.across, self.down) {
            (Some(_), None) => CursorIcon::ResizeHorizontal,
            (None, _) => CursorIcon::ResizeVertical,
            (Some(Side::Left), Some(Side::Top)) | (Some(Side::Right), Some(Side::Bottom)) => {
                CursorIcon::ResizeNwSe
            }
            _ => CursorIcon::ResizeNeSw,
        }
    }
}

/// Guides on their way to other places.
struct BorderDrag {
    of: Vec<Bordered>,
    size: Size,
    held: Held,
    /// Where the drag began, in image pixels.
    from: [f64; 2],
    before: Insets,
    /// The same as far as they leave a middle: a file may have others.
    start: Insets,
    now: Insets,
    /// The side whose guide stopped before a border that a device would refuse.
    stopped: Option<Side>,
}

impl BorderDrag {
    /// Follows the pointer; `all` moves all four guides.
    fn pull(&mut self, at: [f64; 2], all: bool) {
        let asked = |side: Side| {
            let axis = usize::from(!side.is_across());
            let inwards = if matches!(side, Side::Left | Side::Top) { 1.0 } else { -1.0 };
            f64::from(self.start.side(side)) + ((at[axis] - self.from[axis]) * inwards).round()
        };
        let limit = |asked: f64, most: u16| (asked.clamp(0.0, most.into()) as u16, asked > most.into());
        self.stopped = None;
        self.now = self.start;
        for side in self.held.sides() {
            let most = if all { Insets::most_for_all(self.size) } else { self.now.most(side, self.size) };
            let (border, is_stopped) = limit(asked(side), most);
            self.now = if all { Insets::all(border) } else { self.now.with_side(side, border) };
            self.stopped = self.stopped.or(is_stopped.then_some(side));
            if all {
                break;
            }
        }
    }

    /// "Left and right together stay below 48 px: a device draws nothing without a middle".
    fn why_stopped(&self) -> Option<String> {
        Some(why_stopped(self.stopped?, self.size))
    }
}

/// Why a border of a side cannot be wider.
pub fn why_stopped(side: Side, size: Size) -> String {
    let (names, length) =
        if side.is_across() { ("Left and right", size.width) } else { ("Top and bottom", size.height) };
    format!("{names} together stay below {length} px: a device draws nothing without a middle")
}

/// Whether borders are being edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Off,
    /// Since this pass: the first number waits to be typed.
    Entered,
    On,
}

/// The mode in which borders are edited.
#[derive(Default)]
pub struct NineSlice {
    mode: Mode,
    drag: Option<BorderDrag>,
    hovered: Option<Held>,
    /// Whether what is done to one frame is done to all that are selected.
    is_same: bool,
    /// The state that this was said in: until there is another, what was asked for is still to be done.
    said_at: Option<Revision>,
    /// The sheet and selection that this was said of.
    of: Option<(Arc<str>, Vec<FrameId>)>,
    /// Whether the frame is large enough on the screen for its guides.
    has_room: bool,
}

impl NineSlice {
    /// Whether borders are being edited.
    pub fn is_on(&self) -> bool {
        self.mode != Mode::Off
    }

    /// Begins or ends it.
    pub(super) fn toggle(&mut self) {
        self.mode = if self.is_on() { Mode::Off } else { Mode::Entered };
        self.leave();
    }

    /// Another tool was chosen.
    pub(super) fn end(&mut self) {
        self.mode = Mode::Off;
        self.leave();
    }

    /// Gives up what is under way.
    pub(super) fn leave(&mut self) {
        self.drag = None;
        self.hovered = None;
    }

    /// Whether the mode was entered since this was asked last.
    pub fn take_entered(&mut self) -> bool {
        let is_entered = self.mode == Mode::Entered;
        if is_entered {
            self.mode = Mode::On;
        }
        is_entered
    }

    /// Whether what is done to one frame is done to all that are selected.
    pub fn is_same(&self) -> bool {
        self.is_same
    }

    /// Says so, or not.
    pub fn set_same(&mut self, is_same: bool, document: &Document) {
        self.is_same = is_same;
        self.said_at = Some(document.history.revision());
    }

    /// The borders that a drag would give, of what it is about.
    pub fn draft(&self) -> Option<Insets> {
        self.drag.as_ref().map(|drag| drag.now)
    }

    /// The borders to show for a subject.
    pub fn borders(&self, document: &Document, subject: &BorderSubject) -> Insets {
        self.draft().unwrap_or_else(|| subject.primary.borders(document.sheet()))
    }

    /// What an edit of the borders is about.
    pub fn targets(&self, subject: &BorderSubject) -> Vec<Bordered> {
        if self.is_same { subject.all.clone() } else { vec![subject.primary] }
    }

    /// Another selection is not the same for all until somebody says so; nor is one whose borders differ, after an undo.
    pub fn sync(&mut self, document: &Document) {
        let selection = document.history.selection();
        let is_as_before =
            self.of.as_ref().is_some_and(|(path, of)| *path == document.path && of == selection);
        if !is_as_before {
            self.of = Some((document.path.clone(), selection.to_vec()));
            self.is_same = false;
            self.leave();
        }
        self.said_at = self.said_at.filter(|said_at| *said_at == document.history.revision());
        if self.is_same && self.said_at.is_none() && self.drag.is_none() {
            let (sheet, image) = (document.sheet(), document.image_size);
            self.is_same = BorderSubject::of(document).is_some_and(|subject| {
                let borders = subject.primary.borders(sheet);
                let differs = |it: &Bordered| it.borders(sheet) != borders && it.takes(borders, sheet, image);
                !subject.all.iter().any(differs)
            });
        }
    }

    /// Follows the pointer. Its look, where a guide has a say.
    pub(super) fn follow(
        &mut self,
        ui: &Ui,
        response: &Response,
        placement: &Placement,
        document: &Document,
        has_hand: bool,
        actions: &mut Vec<Action>,
    ) -> Option<CursorIcon> {
        self.sync(document);
        // No number waits in a panel that is hidden.
        self.take_entered();
        let Some(subject) = BorderSubject::of(document) else {
            self.leave();
            return None;
        };
        let rect = placement.rect_on_screen(subject.rect_in_image);
        self.has_room = rect.width().min(rect.height()) >= LEAST_SIDE;
        let borders = self.borders(document, &subject);
        tell(ui, response, rect, guides(placement, subject.rect_in_image, borders), borders);
        let held_at = |pos: Pos2| held_at(rect, guides(placement, subject.rect_in_image, borders), pos);
        if self.drag.is_none()
            && !has_hand
            && self.has_room
            && response.drag_started_by(PointerButton::Primary)
            && let Some(pressed) = ui.input(|input| input.pointer.press_origin())
            && let Some(held) = held_at(pressed)
        {
            let before = subject.primary.borders(document.sheet());
            let start = before.limited(subject.size());
            self.drag = Some(BorderDrag {
                of: self.targets(&subject),
                size: subject.size(),
                held,
                from: placement.image_point(pressed),
                before,
                start,
                now: start,
                stopped: None,
            });
        }
        self.go_on(ui, response, placement, actions);
        let pos = response.hover_pos().filter(|_| response.contains_pointer() && !has_hand && self.has_room);
        self.hovered = pos.and_then(held_at);
        let held = self.drag.as_ref().map(|drag| drag.held).or(self.hovered);
        held.map(Held::cursor)
    }

    fn go_on(&mut self, ui: &Ui, response: &Response, placement: &Placement, actions: &mut Vec<Action>) {
        let Some(drag) = &mut self.drag else { return };
        // What shows the borders was drawn before.
        ui.request_repaint();
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.drag = None;
            ui.ctx().stop_dragging();
            return;
        }
        if let Some(pos) = ui.input(|input| input.pointer.latest_pos()) {
            drag.pull(placement.image_point(pos), ui.input(|input| input.modifiers.shift));
        }
        if response.drag_stopped() || !response.dragged() {
            if drag.now != drag.before && drag.now != drag.start {
                let edit = Edit::SetBorders(drag.of.clone(), drag.now);
                actions.extend([Action::Seal, Action::Edit(edit), Action::Seal]);
            }
            self.drag = None;
        }
    }

    /// Whether the pointer has a guide.
    pub(super) fn has_pointer(&self) -> bool {
        self.drag.is_some() || self.hovered.is_some()
    }

    /// Draws the borders of what is edited.
    pub(super) fn paint(&self, overlay: &Overlay<'_>, document: &Document) {
        if let Some(subject) = BorderSubject::of(document) {
            overlay.borders(&Look {
                rect_in_image: subject.rect_in_image,
                borders: self.borders(document, &subject),
                held: self.drag.as_ref().map(|drag| drag.held).or(self.hovered),
                is_dragged: self.drag.is_some(),
                has_guides: self.has_room,
            });
        }
    }

    /// What the pointer does in this mode.
    pub(super) fn hint(&self, ctx: &egui::Context, has_subject: bool) -> String {
        let key = |command| widgets::key_text(ctx, command);
        if let Some(why) = self.drag.as_ref().and_then(BorderDrag::why_stopped) {
            return why;
        }
        if !has_subject {
            return "Click a frame to give it borders; Esc leaves nine-slice".to_owned();
        }
        if !self.has_room {
            let zoom = key(Command::FrameSelection);
            return format!("The frame is too small here for its guides: {zoom} zooms to it");
        }
        "Drag a guide or a corner, Shift: all four alike, Esc gives a drag up, then leaves nine-slice"
            .to_owned()
    }
}

/// Where the guides are on the screen, in the order of [`Side::ALL`]: x of those across, y of the others.
pub(super) fn guides(placement: &Placement, rect: PixelRect, borders: Insets) -> [f32; 4] {
    Side::ALL.map(|side| {
        let border = i64::from(borders.side(side));
        let at = match side {
            Side::Left => i64::from(rect.x) + border,
            Side::Top => i64::from(rect.y) + border,
            Side::Right => rect.right() - border,
            Side::Bottom => rect.bottom() - border,
        };
        if side.is_across() { placement.snapped(at, 0).x } else { placement.snapped(0, at).y }
    })
}

/// The guides that a press at `pos` would drag; `None` where it would not.
fn held_at(frame: Rect, guides: [f32; 4], pos: Pos2) -> Option<Held> {
    if !frame.expand(OVERHANG).contains(pos) {
        return None;
    }
    let near = |is_across: bool| {
        let at = if is_across { pos.x } else { pos.y };
        let of_axis = Side::ALL.into_iter().zip(guides).filter(|(side, _)| side.is_across() == is_across);
        let near = of_axis.map(|(side, guide)| (side, (guide - at).abs())).filter(|(_, far)| *far <= REACH);
        near.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(side, _)| side)
    };
    let held = Held { across: near(true), down: near(false) };
    (held != Held::default()).then_some(held)
}

/// Where a guide is drawn.
pub(super) fn line(frame: Rect, side: Side, at: f32) -> [Pos2; 2] {
    let out = frame.expand(OVERHANG);
    if side.is_across() {
        [Pos2::new(at, out.top()), Pos2::new(at, out.bottom())]
    } else {
        [Pos2::new(out.left(), at), Pos2::new(out.right(), at)]
    }
}

/// Gives the guides names for screen readers and tests. The canvas takes the pointer.
fn tell(ui: &Ui, response: &Response, frame: Rect, guides: [f32; 4], borders: Insets) {
    if ui.accesskit_node_builder(response.id, |_| ()).is_none() {
        return;
    }
    for (side, at) in Side::ALL.into_iter().zip(guides) {
        let rect = Rect::from_points(&line(frame, side, at)).expand(1.0).intersect(response.rect);
        if rect.is_positive() {
            let guide = ui.interact(rect, ui.make_persistent_id(("guide", side.name())), Sense::hover());
            guide.widget_info(|| {
                let label = format!("Guide of the {} border, {} px", side.name(), borders.side(side));
                WidgetInfo::labeled(Role::Splitter, true, label)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Rect = Rect { min: Pos2::new(100.0, 100.0), max: Pos2::new(200.0, 160.0) };
    /// Left, top, right and bottom.
    const GUIDES: [f32; 4] = [110.0, 100.0, 190.0, 150.0];

    const fn held(across: Option<Side>, down: Option<Side>) -> Held {
        Held { across, down }
    }

    #[test]
    fn the_nearest_guide_of_each_direction_is_held_and_two_at_their_corner() {
        let at = |x, y| held_at(FRAME, GUIDES, Pos2::new(x, y));
        assert_eq!(at(113.0, 130.0), Some(held(Some(Side::Left), None)));
        assert_eq!(at(150.0, 145.0), Some(held(None, Some(Side::Bottom))));
        assert_eq!(at(186.0, 96.0), Some(held(Some(Side::Right), Some(Side::Top))));
        assert_eq!(at(150.0, 130.0), None);
        assert_eq!(at(110.0, 173.0), None, "beyond its end");
        let close = held_at(FRAME, [110.0, 100.0, 114.0, 150.0], Pos2::new(113.0, 130.0));
        assert_eq!(close, Some(held(Some(Side::Right), None)));
    }

    fn drag(held: Held, start: Insets) -> BorderDrag {
        BorderDrag {
            of: vec![Bordered::Image],
            size: Size::new(48, 16),
            held,
            from: [10.0, 10.0],
            before: start,
            start,
            now: start,
            stopped: None,
        }
    }

    fn pulled(held: Held, start: Insets, at: [f64; 2], all: bool) -> (Insets, Option<Side>) {
        let mut drag = drag(held, start);
        drag.pull(at, all);
        (drag.now, drag.stopped)
    }

    #[test]
    fn a_guide_goes_with_the_pointer_and_stops_before_borders_that_a_device_refuses() {
        let left = Held { across: Some(Side::Left), down: None };
        let start = Insets { right: 20, ..Insets::all(2) };
        assert_eq!(pulled(left, start, [15.4, 99.0], false), (Insets { left: 7, ..start }, None));
        // 48 - 20 - 1.
        assert_eq!(pulled(left, start, [90.0, 0.0], false), (Insets { left: 27, ..start }, Some(Side::Left)));
        assert_eq!(pulled(left, start, [-90.0, 0.0], false), (Insets { left: 0, ..start }, None));
        let corner = Held { across: Some(Side::Right), down: Some(Side::Bottom) };
        let expected = Insets { right: 17, bottom: 5, ..Insets::all(2) };
        assert_eq!(pulled(corner, start, [13.0, 7.0], false), (expected, None));
    }

    #[test]
    fn with_shift_all_four_go_as_far_as_the_shorter_side_lets_them() {
        let left = Held { across: Some(Side::Left), down: None };
        assert_eq!(pulled(left, Insets::all(2), [13.0, 0.0], true), (Insets::all(5), None));
        // (16 - 1) / 2.
        assert_eq!(pulled(left, Insets::all(2), [40.0, 0.0], true), (Insets::all(7), Some(Side::Left)));
    }

    #[test]
    fn a_guide_that_stops_says_why() {
        let mut drag = drag(Held { across: None, down: Some(Side::Top) }, Insets::default());
        drag.pull([0.0, 99.0], false);
        let why = "Top and bottom together stay below 16 px: a device draws nothing without a middle";
        assert_eq!(drag.why_stopped().as_deref(), Some(why));
    }
}
