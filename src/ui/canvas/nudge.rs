//! Frames nudged by keys. For a moment after each it is told where they are and which edges they came to lie on, as while
//! they are dragged.

use std::time::Duration;

use eframe::egui;
use egui::{Key, Modifiers, Ui};

use super::editing::{Editing, Scene};
use crate::geometry::PixelRect;
use crate::session::Action;
use crate::slicing::arrange::Edges;
use crate::slicing::snap::{Guide, SnapTargets};

/// Nudges within so many seconds are one step.
const RUN: f64 = 0.6;
/// Seconds for which the last one is told.
const TOLD: f64 = 1.2;
/// What a nudge by a cell is on a sheet without a grid, in pixels.
const CELL_WITHOUT_GRID: i32 = 8;

/// The last nudge.
pub(super) struct Nudged {
    /// When it was, in the window's seconds.
    at: f64,
    /// The edges of what is not nudged, gathered once for a run of nudges.
    targets: SnapTargets,
    /// Where the frames' edges came to lie on others.
    guides: Vec<Guide>,
}

impl Editing {
    /// Arrow keys move the selected frames by a pixel, with Shift by a cell; with Alt their right and bottom edges.
    pub(super) fn nudge(&mut self, ui: &Ui, scene: Scene<'_>, actions: &mut Vec<Action>) {
        let now = ui.input(|input| input.time);
        if let Some(nudged) = &self.nudged
            && now - nudged.at < TOLD
        {
            ui.request_repaint_after(Duration::from_secs_f64(nudged.at + TOLD - now));
        }
        if scene.frames.selection().is_empty() || ui.text_edit_focused() || self.is_dragging() {
            return;
        }
        let is_free = ui.memory(|memory| memory.focused().is_none() && memory.top_modal_layer().is_none());
        let cell = scene.document.sheet().single_run();
        let step = cell.map_or([CELL_WITHOUT_GRID; 2], |run| {
            [run.cell.width as i32 + run.spacing.x, run.cell.height as i32 + run.spacing.y]
        });
        let keys = [
            (Key::ArrowLeft, [-1, 0]),
            (Key::ArrowRight, [1, 0]),
            (Key::ArrowUp, [0, -1]),
            (Key::ArrowDown, [0, 1]),
        ];
        for (key, [right, down]) in keys {
            for (modifiers, by, edges) in [
                (Modifiers::ALT | Modifiers::SHIFT, [CELL_WITHOUT_GRID; 2], true),
                (Modifiers::ALT, [1, 1], true),
                (Modifiers::SHIFT, step, false),
                (Modifiers::NONE, [1, 1], false),
            ] {
                // The strip and the browser have arrows of their own, but not with Alt.
                if !(is_free || edges) {
                    continue;
                }
                let times = ui.input_mut(|input| input.count_and_consume_key(modifiers, key)) as i32;
                if times != 0 {
                    let (dx, dy) = (right * by[0] * times, down * by[1] * times);
                    self.note_nudge(scene, now, [dx, dy], edges, actions);
                    actions.push(Action::Nudge { dx, dy, edges });
                }
            }
        }
    }

    fn note_nudge(
        &mut self,
        scene: Scene<'_>,
        now: f64,
        by: [i32; 2],
        edges: bool,
        actions: &mut Vec<Action>,
    ) {
        let selection = scene.frames.selection();
        let last = self.nudged.take().filter(|last| now - last.at <= RUN);
        if last.is_none() {
            actions.push(Action::Seal);
        }
        let targets = last.map_or_else(|| scene.targets(selection), |last| last.targets);
        let positions = selection.iter().filter_map(|id| scene.frames.position(*id));
        let around = positions.map(|position| scene.frames.rects()[position]).reduce(PixelRect::union);
        let guides = around.map_or_else(Vec::new, |rect| {
            let [dx, dy] = by;
            let right_bottom = Edges { right: true, bottom: true, ..Edges::default() };
            // Nothing snaps from afar: a nudge goes as far as it says.
            let snapped = if edges {
                targets.snap_edges(rect, right_bottom, dx, dy, 0.0)
            } else {
                targets.snap_move(rect, dx, dy, 0.0)
            };
            snapped.guides
        });
        self.nudged = Some(Nudged { at: now, targets, guides });
    }

    /// The lines to show for the last nudge, while it is told.
    pub(super) fn told_nudge(&self, now: f64) -> Option<&[Guide]> {
        let nudged = self.nudged.as_ref().filter(|nudged| now - nudged.at < TOLD)?;
        Some(&nudged.guides)
    }
}
