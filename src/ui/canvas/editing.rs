//! Frames edited on the canvas: pressing, dragging, drawing, picking with the wand, nudging by keys.

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui;
use egui::{CursorIcon, Key, PointerButton, Pos2, Response, Ui};

use super::drag::{Drag, Drawing, Marquee, Pull, Reshaping, targets};
use super::frames::Frames;
use super::handles;
use super::nudge::Nudged;
use super::tool::Tool;
use super::view::Placement;
use crate::edit::{Added, Edit, Reshape};
use crate::geometry::PixelRect;
use crate::model::FrameId;
use crate::session::{Action, Document, SelectMode, Session};
use crate::slicing::arrange::Edges;
use crate::slicing::detect;

/// How near an edge must be to catch, in points.
const SNAP_REACH: f32 = 6.0;
/// Gaps that the wand grows across, one more with each click, in image pixels.
const WAND_GAPS: [u32; 3] = [2, 4, 8];

/// What the hands do with frames.
pub(super) struct Editing {
    /// The active tool.
    pub(super) tool: Tool,
    /// Whether edges catch on others.
    pub(super) snaps: bool,
    drag: Option<Drag>,
    /// What a click with the wand would make.
    wand: Option<Picked>,
    pub(super) nudged: Option<Nudged>,
    /// The gap that the wand grew across last, in image pixels, by sheet.
    gaps: HashMap<Arc<str>, u32>,
}

impl Default for Editing {
    fn default() -> Self {
        Self { tool: Tool::Select, snaps: true, drag: None, wand: None, nudged: None, gaps: HashMap::new() }
    }
}

impl Editing {
    /// What is remembered of sheets follows them.
    pub(super) fn files_moved(&mut self, moves: &[crate::session::Move]) {
        crate::ui::moved::follow_keys(moves, &mut self.gaps);
    }
}

/// What the wand is at.
#[derive(Clone, Copy)]
struct Picked {
    rect: PixelRect,
    /// The frame that is there already and would grow.
    grows: Option<FrameId>,
    /// The gap that it grows across, in image pixels; `None` for the sprite alone.
    gap: Option<u32>,
}

/// The pass and what it is about.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) session: &'a Session,
    pub(super) document: &'a Document,
    pub(super) frames: &'a Frames,
    pub(super) placement: &'a Placement,
}

impl Scene<'_> {
    fn path(&self) -> Arc<str> {
        self.document.path.clone()
    }

    /// The handle at a point of the screen: the position of its frame among all, and its edges.
    fn handle_at(&self, pos: Pos2) -> Option<(usize, Edges)> {
        let mut selected = self.frames.selection().iter().filter_map(|id| self.frames.position(*id));
        selected.find_map(|position| {
            let rect = self.placement.rect_on_screen(*self.frames.rects().get(position)?);
            Some((position, handles::edges_at(rect, pos)?))
        })
    }

    fn frame_at(&self, pos: Pos2) -> Option<usize> {
        let (x, y) = self.placement.pixel_at(pos);
        self.frames.at(x, y)
    }

    fn image_point(&self, pos: Pos2) -> [f64; 2] {
        self.placement.image_point(pos)
    }

    pub(super) fn targets(&self, without: &[FrameId]) -> crate::slicing::snap::SnapTargets {
        let study = self.session.study(self.document);
        let study = study.as_ref().and_then(|lookup| lookup.shown());
        let ink = study.map(|study| study.detected.detection.sprites.iter()).into_iter().flatten();
        targets(self.document.sheet(), self.document.image_size, without, ink.map(|sprite| sprite.rect))
    }
}

impl Editing {
    /// Whether a drag is under way.
    pub(super) fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// The drag under way.
    pub(super) fn drag(&self) -> Option<&Drag> {
        self.drag.as_ref()
    }

    /// The rectangle that a click with the wand would give.
    pub(super) fn wand_rect(&self) -> Option<PixelRect> {
        self.wand.map(|picked| picked.rect)
    }

    /// Gives up what is under way: another sheet is shown.
    pub(super) fn leave(&mut self) {
        self.drag = None;
        self.wand = None;
        self.nudged = None;
    }

    /// Follows the pointer and the keys. `pans` is whether the hand has the picture. The pointer's look, if it has one.
    pub(super) fn follow(
        &mut self,
        ui: &Ui,
        response: &Response,
        scene: Scene<'_>,
        pans: bool,
        actions: &mut Vec<Action>,
    ) -> Option<CursorIcon> {
        self.nudge(ui, scene, actions);
        if pans {
            self.wand = None;
            return None;
        }
        self.begin(ui, response, scene, actions);
        self.go_on(ui, response, scene, actions);
        let hover = response.hover_pos().filter(|_| response.contains_pointer());
        self.wand = match hover {
            Some(pos) if self.tool == Tool::Wand => {
                let gap = self.gaps.get(&scene.document.path).copied();
                pick(ui, scene, pos, gap.unwrap_or_default())
            }
            _ => None,
        };
        if self.tool == Tool::Wand && response.clicked_by(PointerButton::Primary) {
            self.take_picked(scene, actions);
        }
        self.cursor(scene, hover)
    }

    /// A press that became a drag.
    fn begin(&mut self, ui: &Ui, response: &Response, scene: Scene<'_>, actions: &mut Vec<Action>) {
        if self.drag.is_some() || !response.drag_started_by(PointerButton::Primary) {
            return;
        }
        let Some(pressed) = ui.input(|input| input.pointer.press_origin()) else { return };
        let reach = self.reach(ui, scene);
        self.drag = match self.tool {
            Tool::Select => begin_in_select(ui, scene, pressed, actions),
            Tool::Draw => {
                Some(Drag::Draw(Drawing::new(scene.image_point(pressed), reach, scene.targets(&[]))))
            }
            Tool::Wand | Tool::Pan => None,
        };
    }

    fn go_on(&mut self, ui: &Ui, response: &Response, scene: Scene<'_>, actions: &mut Vec<Action>) {
        let reach = self.reach(ui, scene);
        let Some(drag) = &mut self.drag else { return };
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.drag = None;
            ui.ctx().stop_dragging();
            return;
        }
        if let Some(pos) = ui.input(|input| input.pointer.latest_pos()) {
            drag.pull(Pull { at: scene.image_point(pos), reach }, scene.document.image_size);
        }
        if let Drag::Select(marquee) = drag {
            let selection = marquee.selection(scene.frames);
            if selection != scene.frames.selection() {
                actions.push(Action::SelectFrames(selection));
            }
        }
        if response.drag_stopped() || !response.dragged() {
            if let Some(edit) = drag.edit(scene.document.image_size) {
                actions.extend([Action::Seal, Action::Edit(edit), Action::Seal]);
            }
            self.drag = None;
        }
    }

    /// How near an edge must be to catch, in image pixels; 0 while snapping is off or suspended.
    fn reach(&self, ui: &Ui, scene: Scene<'_>) -> f32 {
        if !self.snaps || ui.input(|input| input.modifiers.command) {
            return 0.0;
        }
        let Placement { zoom, pixels_per_point, .. } = *scene.placement;
        (f64::from(SNAP_REACH) * pixels_per_point / zoom) as f32
    }

    fn take_picked(&mut self, scene: Scene<'_>, actions: &mut Vec<Action>) {
        let Some(Picked { rect, grows, gap }) = self.wand else { return };
        if let Some(gap) = gap {
            self.gaps.insert(scene.path(), gap);
        }
        let same = scene.frames.rects().iter().position(|there| *there == rect);
        if let Some(frame) = same.and_then(|position| scene.frames.get(position)) {
            actions.push(Action::Select(scene.path(), frame.id, SelectMode::Replace));
            return;
        }
        let edit = match grows {
            Some(id) => Edit::SetRects(Reshape::Resize, vec![(id, rect)]),
            None => Edit::Add(Added::Wand, vec![(rect, Arc::from(""))]),
        };
        actions.extend([Action::Seal, Action::Edit(edit), Action::Seal]);
    }

    fn cursor(&self, scene: Scene<'_>, hover: Option<Pos2>) -> Option<CursorIcon> {
        let pos = hover?;
        if let Some(Drag::Reshape(_)) = &self.drag {
            return None;
        }
        if self.tool != Tool::Select {
            return self.tool.cursor();
        }
        if let Some((_, edges)) = scene.handle_at(pos) {
            return Some(handles::cursor(edges));
        }
        let position = scene.frame_at(pos)?;
        Some(if scene.frames.is_selected(position) { CursorIcon::Move } else { CursorIcon::PointingHand })
    }
}

/// What a drag with the select tool is about: a handle, a frame, or a box beside frames.
fn begin_in_select(ui: &Ui, scene: Scene<'_>, pressed: Pos2, actions: &mut Vec<Action>) -> Option<Drag> {
    let Scene { frames, document, .. } = scene;
    let from = scene.image_point(pressed);
    let modifiers = ui.input(|input| input.modifiers);
    let handle = scene.handle_at(pressed);
    let (position, edges) = match (handle, scene.frame_at(pressed)) {
        (Some((position, edges)), _) => (position, Some(edges)),
        (None, Some(position)) if !modifiers.shift => (position, None),
        _ => {
            let keeps =
                if modifiers.shift || modifiers.command { frames.selection().to_vec() } else { Vec::new() };
            return Some(Drag::Select(Marquee::new(from, keeps)));
        }
    };
    let grabbed = frames.get(position)?.id;
    let mut ids = frames.selection().to_vec();
    if !frames.is_selected(position) {
        actions.push(Action::Select(scene.path(), grabbed, SelectMode::Replace));
        ids = vec![grabbed];
    }
    let sheet = document.sheet();
    let held: Vec<_> = ids
        .iter()
        .filter_map(|id| Some((*id, sheet.frames.get(frames.position(*id)?)?)))
        .filter_map(|(id, frame)| Some((id, frame.drawn_rect(document.image_size)?)))
        .collect();
    let grabbed = held.iter().position(|(id, _)| *id == grabbed)?;
    Reshaping::new(held, grabbed, edges, from, scene.targets(&ids)).map(Drag::Reshape)
}

/// What the wand gives at a point: the sprite there, with Alt together with what is across a gap. A new frame begins with
/// the gap that served the last one, `least`; one that is there grows across the next.
fn pick(ui: &Ui, scene: Scene<'_>, pos: Pos2, least: u32) -> Option<Picked> {
    let study = scene.session.study(scene.document)?;
    let detected = &study.shown()?.detected;
    let islands = &detected.islands;
    let (x, y) = scene.placement.pixel_at(pos);
    if !ui.input(|input| input.modifiers.alt) {
        return Some(Picked { rect: detected.sprite_at(x, y)?, grows: None, gap: None });
    }
    let (column, row) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
    let there = scene.frames.at(x, y);
    let there_rect = there.and_then(|position| scene.frames.rects().get(position)).copied();
    let gaps = WAND_GAPS.into_iter().filter(|gap| there.is_some() || *gap >= least);
    let grown = gaps.filter_map(|gap| Some((detect::wand(islands, column, row, gap)?, gap)));
    let mut last = None;
    for (rect, gap) in grown {
        last = Some((rect, gap));
        if there_rect.is_none_or(|there| there != rect && there.union(rect) == rect) {
            break;
        }
    }
    let (rect, gap) = last?;
    let grows = there.filter(|_| there_rect.is_some_and(|there| there.union(rect) == rect));
    let grows = grows.and_then(|position| scene.frames.get(position)).map(|frame| frame.id);
    Some(Picked { rect, grows, gap: Some(gap) })
}
