//! The canvas: the current sheet's image on a checkerboard with its frames over it, zoomed and panned, and what
//! the pointer does there. What is the matter with a sheet is said in words where its picture would be.

mod borders;
mod compare;
mod drag;
mod editing;
mod frames;
pub(in crate::ui) mod gestures;
mod handles;
mod looking;
mod marks;
mod nine_slice;
mod nudge;
mod paint;
mod picture;
mod pointing;
mod shown;
mod stored;
mod tiles;
mod tool;
mod veil;
pub(in crate::ui) mod view;
mod words;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use eframe::egui;
use egui::{Painter, Response, Role, Sense, Ui, WidgetInfo};

pub use compare::{MARKED, TOGETHER};
pub use frames::Frames;
pub use nine_slice::{BorderSubject, NineSlice, why_stopped};
pub use pointing::{PointerInfo, frame_label, select_mode};
pub use tiles::{Tiles, paint_region};
pub use tool::Tool;

use super::{FrameRef, Hover, UiState, moved, theme};
use crate::edit::{self, Difference};
use crate::geometry::{PixelRect, Size};
use crate::model::{FrameId, Sheet};
use crate::session::{
    Action, Command, Detected, Document, KeyMarks, Lookup, Move, SelectMode, Session, SourcePicture,
    StoredView, Tiled as _,
};
use crate::texture::ChromaKey;
use compare::{Compare, Sides};
use editing::Editing;
use gestures::Gestures;
use looking::SheetView;
use paint::Overlay;
use shown::Shown;
use veil::Dimming;
use view::Placement;

/// How much of a picture shows that is no longer true.
const DIMMED: f32 = 0.65;

/// The canvas's own state.
#[derive(Default)]
pub struct Canvas {
    /// The image pixel under the pointer; `None` when the pointer is elsewhere.
    pub pointer: Option<PointerInfo>,
    /// Tiles of source pictures, for whoever draws from them.
    pub tiles: Tiles,
    /// The current sheet's frames.
    frames: Frames,
    shown: Option<Shown>,
    compare: Compare,
    dimming: Dimming,
    key_marks: Option<Arc<KeyMarks>>,
    views: HashMap<Arc<str>, SheetView>,
    gestures: Gestures,
    editing: Editing,
    nine_slice: NineSlice,
    shows: Shows,
    over: Over,
    commands: Vec<Command>,
    zoom: Option<f64>,
    /// A frame that is to be seen, as soon as its sheet is shown.
    wanted: Option<FrameRef>,
}

/// What is drawn over the picture.
struct Shows {
    frames: bool,
    pixel_grid: bool,
}

/// What other panels have the canvas show or do.
#[derive(Default)]
struct Over {
    /// What detection found, made of others and leaves out.
    automatic: Option<Arc<Detected>>,
    /// The frames that it would give and that the sheet does not have.
    offered: Vec<PixelRect>,
    /// The parts that a frame would be split into.
    split: Vec<PixelRect>,
    /// The chroma key whose mistakes are shown.
    key: Option<ChromaKey>,
    /// Whether a click picks a colour.
    picks_color: bool,
    /// The colour that was picked.
    picked: Option<[u8; 3]>,
}

impl Default for Shows {
    fn default() -> Self {
        Self { frames: true, pixel_grid: true }
    }
}

impl Canvas {
    /// What is remembered of sheets follows them.
    pub fn files_moved(&mut self, moves: &[Move]) {
        moved::follow_keys(moves, &mut self.views);
        self.editing.files_moved(moves);
        if let Some(shown) = &mut self.shown {
            moved::follow(moves, &mut shown.path);
        }
        if let Some((path, _)) = &mut self.wanted {
            moved::follow(moves, path);
        }
    }

    /// Carries out a command of the tools at once, one of the view in the next pass.
    pub fn command(&mut self, command: Command, _session: &Session) {
        if self.compare.command(command) {
            return;
        }
        match (Tool::of_command(command), command) {
            (Some(tool), _) => {
                self.editing.tool = tool;
                self.nine_slice.end();
            }
            (None, Command::NineSlice) => {
                self.editing.tool = Tool::Select;
                self.nine_slice.toggle();
            }
            (None, Command::Snap) => self.editing.snaps = !self.editing.snaps,
            (None, Command::ShowFrames) => self.shows.frames = !self.shows.frames,
            (None, Command::ShowPixelGrid) => self.shows.pixel_grid = !self.shows.pixel_grid,
            (None, Command::ShowChanges) => {
                if let Some(shown) = &mut self.shown {
                    shown.shows_before = !shown.shows_before && shown.before.is_some();
                }
            }
            _ => self.commands.push(command),
        }
    }

    /// Looks at a frame, unless it is in view; its sheet may still have to be opened.
    pub fn reveal(&mut self, path: &Arc<str>, id: FrameId) {
        self.wanted = Some((path.clone(), id));
    }

    /// The active tool.
    pub fn tool(&self) -> Tool {
        self.editing.tool
    }

    /// The mode in which borders are edited.
    pub fn nine_slice(&self) -> &NineSlice {
        &self.nine_slice
    }

    /// The same, to change it.
    pub fn nine_slice_mut(&mut self) -> &mut NineSlice {
        &mut self.nine_slice
    }

    /// Whether edges catch on others while they are dragged.
    pub fn snaps(&self) -> bool {
        self.editing.snaps
    }

    /// Whether frames and their numbers are drawn over the picture.
    pub fn shows_frames(&self) -> bool {
        self.shows.frames
    }

    /// Whether a command of the comparison is on.
    pub fn compares(&self, command: Command) -> bool {
        self.compare.is_on(command)
    }

    /// What the device will draw of a sheet, as of the last pass.
    pub fn stored_view(&self, path: &str) -> Option<&Lookup<StoredView>> {
        self.compare.view_of(path)
    }

    /// Whether lines between pixels are drawn where those are large.
    pub fn shows_pixel_grid(&self) -> bool {
        self.shows.pixel_grid
    }

    /// Zoom in percent of device pixels; `None` while no picture is shown.
    pub fn zoom_percent(&self) -> Option<f32> {
        self.zoom.map(|zoom| (zoom * 100.0) as f32)
    }

    /// What the pointer does here, for the hint line.
    pub fn hint(&self, ctx: &egui::Context) -> String {
        let words = if self.zoom.is_none() {
            ""
        } else if self.shown.as_ref().is_some_and(|shown| shown.shows_before) {
            "This is the picture as it was before it changed outside; Show changes goes back"
        } else if let Some(words) = self.compared_hint() {
            words
        } else if self.over.picks_color {
            "Click picks the colour, Esc leaves it"
        } else if self.gestures.is_space_held() {
            "Drag pans; wheel zooms"
        } else if self.nine_slice.is_on() {
            let has_subject = self.frames.is_empty() || !self.frames.selection().is_empty();
            return self.nine_slice.hint(ctx, has_subject);
        } else {
            return self.editing.tool.hint(ctx, self.frames.len(), self.frames.selection().len());
        };
        words.to_owned()
    }

    /// What can be done with the comparison, unless the hands are at something else.
    fn compared_hint(&self) -> Option<&'static str> {
        self.compare.hint().filter(|_| !self.over.picks_color && !self.nine_slice.is_on())
    }

    /// The source picture of a sheet, if that is the one on the canvas.
    pub fn picture_of(&self, path: &str) -> Option<&Arc<SourcePicture>> {
        self.shown.as_ref().filter(|shown| *shown.path == *path).map(|shown| &shown.picture)
    }

    /// A picture that a sheet has or had, by its size: of the one on the canvas, and the one that this was before.
    pub fn picture_of_size(&self, path: &str, size: Size) -> Option<&Arc<SourcePicture>> {
        let shown = self.shown.as_ref().filter(|shown| *shown.path == *path)?;
        [Some(&shown.picture), shown.before.as_ref()]
            .into_iter()
            .flatten()
            .find(|picture| picture.size() == size)
    }

    /// Takes over the current document's frames and selection, for what is drawn before the canvas.
    pub fn sync(&mut self, document: &Document) {
        self.frames.sync(document);
    }

    /// The current document's frames, as of the last [`Canvas::sync`].
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// The current document's frames and what they are drawn from.
    pub fn frames_and_tiles(&mut self) -> (&Frames, &mut Tiles) {
        (&self.frames, &mut self.tiles)
    }
}

/// What is known of a sheet's image.
fn source_of(session: &Session, path: &str) -> Option<Lookup<SourcePicture>> {
    let open = session.project()?;
    session.pictures().source(session.asset(path)?, open.project.file(path))
}

/// A press on a canvas takes the keyboard from the list that was clicked before: Delete means what is on the canvas now,
/// and no file.
pub(in crate::ui) fn take_keys_from_lists(ui: &Ui, canvas: &Response) {
    if canvas.is_pointer_button_down_on() && ui.input(|input| input.pointer.any_pressed()) {
        ui.memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
        });
    }
}

/// Draws the canvas over all the room there is.
pub fn ui(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let UiState { canvas, bars, hover, inspector, popups, .. } = state;
    canvas.over.automatic = inspector.automatic_overlay().cloned();
    canvas.over.offered = inspector.offered();
    canvas.over.split = popups.split_preview().map(<[_]>::to_vec).unwrap_or_default();
    canvas.over.picks_color = inspector.wants_color();
    canvas.over.key = session.current().and_then(|document| inspector.shown_key(session, document));
    let room = ui.available_rect_before_wrap();
    let compared = canvas.compare.compares();
    let sides = canvas.compare.sides(ui, room);
    if canvas.compare.compares() != compared {
        inspector.comparing(!compared);
        ui.request_repaint();
    }
    let response = ui.allocate_rect(sides.source.screen, Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Sheet canvas"));
    take_keys_from_lists(ui, &response);
    canvas.compare.take_hands(ui, &sides);
    let before = (canvas.pointer.take(), canvas.zoom);
    if let Some(document) = session.current() {
        canvas.sheet(ui, &response, &sides, session, document, hover, actions);
        canvas.compare.divider(ui, room);
        if let Some([red, green, blue]) = canvas.over.picked.take() {
            inspector.take_color([red, green, blue]);
        }
        bars.ui(ui, room, session, canvas, actions);
    } else {
        bars.leave();
        canvas.leave(actions);
        words::no_sheet(ui, room, session, actions);
    }
    if (canvas.pointer, canvas.zoom) != before {
        // The status bar was drawn before.
        ui.request_repaint();
    }
}

impl Canvas {
    /// No sheet is shown any more.
    fn leave(&mut self, actions: &mut Vec<Action>) {
        self.remember_view(actions);
        self.editing.leave();
        self.nine_slice.leave();
        self.shown = None;
        self.dimming.leave();
        self.compare.leave();
        self.zoom = None;
        self.commands.clear();
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one pass")]
    fn sheet(
        &mut self,
        ui: &mut Ui,
        response: &Response,
        sides: &Sides,
        session: &Session,
        document: &Document,
        hover: &mut Hover,
        actions: &mut Vec<Action>,
    ) {
        let path = &document.path;
        let screen = sides.source.screen(ui);
        if self.shown.as_ref().is_some_and(|shown| shown.path != *path) {
            self.leave(actions);
        }
        let asset = session.asset(path).map(|asset| &**asset);
        let lookup = source_of(session, path);
        let matter = words::matter(document, asset, lookup.as_ref());
        let newest = lookup.as_ref().and_then(|lookup| lookup.shown());
        if let Some(size) = self.size_to_show(path, newest) {
            let viewpoint = self.moved_view(ui, response, screen, session, document, size);
            let placement = viewpoint.placement(screen);
            self.zoom = Some(viewpoint.zoom);
            let painter = ui.painter_at(sides.source.clip);
            self.picture(&painter, &placement, session, path, newest);
            self.dim(&painter, &placement, session);
            self.mark_key(&painter, &placement, session);
            self.frames.sync(document);
            if !self.editing.is_dragging() {
                self.frames.set_draft(&[]);
            }
            let in_view = document
                .is_ready()
                .then(|| self.over_art(ui, &painter, &placement, session, document, hover));
            if matches!(matter, Some(words::Matter::Failed { .. })) {
                painter.rect_filled(screen.rect, 0.0, theme::palette(ui).canvas.gamma_multiply(DIMMED));
            }
            if let Some(in_view) = in_view {
                if let Some(id) = self.tell_frames(ui, response, &placement, &in_view, hover, document) {
                    actions.push(Action::Select(path.clone(), id, SelectMode::Replace));
                }
                self.point_and_click(ui, response, &placement, session, document, hover, actions);
            }
            let visible = placement.shown(sides.source.clip, size);
            self.compare.follow(session, document, visible);
            self.stored_side(ui, sides, viewpoint, session, document, hover, actions);
            self.remember_settled_view(ui, response, actions);
        }
        if let Some(matter) = &matter {
            words::tell(ui, screen.rect, path, matter, self.shown.is_some(), actions);
        }
    }

    /// Takes the picture of the current sheet while another workspace is shown, for its frames in the strip.
    pub fn follow_unseen(&mut self, session: &Session, document: &Document, actions: &mut Vec<Action>) {
        let path = &document.path;
        if self.shown.as_ref().is_some_and(|shown| shown.path != *path) {
            self.leave(actions);
        }
        let lookup = source_of(session, path);
        let newest = lookup.as_ref().and_then(|lookup| lookup.shown());
        let shown = self.shown.as_ref().map(|shown| shown.picture.serial());
        if let Some(newest) = newest.filter(|newest| shown != Some(newest.serial())) {
            Shown::replace(&mut self.shown, path, newest);
        }
    }

    /// Size of the picture that will be drawn.
    fn size_to_show(&self, path: &Arc<str>, newest: Option<&Arc<SourcePicture>>) -> Option<Size> {
        newest.or_else(|| self.picture_of(path)).map(|picture| picture.size())
    }

    /// Pixel grid, leftover pixels and frames; the frames that show.
    fn over_art(
        &self,
        ui: &Ui,
        painter: &Painter,
        placement: &Placement,
        session: &Session,
        document: &Document,
        hover: &Hover,
    ) -> Vec<usize> {
        let overlay = Overlay::new(painter, placement, theme::palette(ui));
        if self.shows.pixel_grid {
            overlay.pixel_grid(document.image_size);
        }
        let in_view = overlay.in_view(&self.frames);
        if !self.shows.frames {
            if self.nine_slice.is_on() {
                self.nine_slice.paint(&overlay, document);
            }
            return in_view;
        }
        overlay.leftover(document.sheet(), document.image_size);
        let hovered = hover.of_sheet(&document.path).and_then(|id| self.frames.position(id));
        overlay.frames(&self.frames, &in_view, hovered);
        if self.nine_slice.is_on() {
            self.nine_slice.paint(&overlay, document);
        } else {
            if self.editing.tool == Tool::Select {
                overlay.handles(&self.frames);
            }
            overlay.centres(&self.frames);
        }
        if let Some(detected) = &self.over.automatic {
            overlay.detection(&detected.detection);
        }
        overlay.proposed(&self.over.offered);
        overlay.proposed(&self.over.split);
        if let Some(theirs) = &document.theirs {
            overlay.proposed(&others(document.sheet(), &theirs.sheet));
        }
        overlay.proposed(&document.cells_to_add());
        if let Some((number, proposals)) = session.proposal()
            && let Some(proposal) = proposals.get(number)
        {
            overlay.proposed(&proposal.rects);
        }
        if let Some(drag) = self.editing.drag() {
            overlay.drag(drag, document.image_size);
        } else if let Some(guides) = self.editing.told_nudge(ui.input(|input| input.time)) {
            overlay.nudged(&self.frames, guides);
        }
        if let Some(rect) = self.editing.wand_rect() {
            overlay.picked(rect);
        }
        in_view
    }
}

/// Rectangles of the frames of `theirs` that `mine` does not have, or has elsewhere or by another name.
fn others(mine: &Sheet, theirs: &Sheet) -> Vec<PixelRect> {
    let Difference { moved, added, renamed, .. } = edit::difference(&mine.frames, &theirs.frames);
    let others: HashSet<FrameId> = moved.into_iter().chain(added).chain(renamed).collect();
    let frames = theirs.frames.iter().filter(|frame| others.contains(&frame.id));
    frames.map(|frame| frame.rect_in_image).collect()
}
