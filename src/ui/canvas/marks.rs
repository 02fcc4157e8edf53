//! What is drawn over frames while they are edited: handles, guides, boxes, guesses, and what detection left out.

use eframe::egui;
use egui::{Align2, Color32, Mesh, Rect, Shape, Stroke, StrokeKind, TextStyle, Vec2, pos2, vec2};

use super::drag::Drag;
use super::frames::Frames;
use super::handles::{self, HANDLE_SIDE};
use super::paint::{Overlay, border};
use crate::geometry::{PixelRect, Size};
use crate::slicing::detect::Detection;
use crate::slicing::snap::{Guide, GuideAxis};

/// More frames than this are outlined with plain lines instead of dashes.
const MAX_DASHED: usize = 600;
/// More selected frames than this have no handles.
const MAX_WITH_HANDLES: usize = 64;
const DASH: f32 = 5.0;

impl Overlay<'_> {
    /// The handles of the selected frames.
    pub(super) fn handles(&self, frames: &Frames) {
        if frames.selection().len() > MAX_WITH_HANDLES {
            return;
        }
        let mut mesh = Mesh::default();
        let [light, dark] = self.palette.outline;
        for position in frames.selection().iter().filter_map(|id| frames.position(*id)) {
            for at in handles::places(self.rect_of(frames, position)) {
                let rect = Rect::from_center_size(at, Vec2::splat(HANDLE_SIDE));
                mesh.add_colored_rect(rect.expand(self.line), dark);
                mesh.add_colored_rect(rect, light.to_opaque());
                border(&mut mesh, rect, self.line, self.palette.accent);
            }
        }
        self.painter.add(Shape::mesh(mesh));
    }

    /// The centre of each selected frame, which is where the engine places it.
    pub(super) fn centres(&self, frames: &Frames) {
        if frames.selection().len() > MAX_WITH_HANDLES {
            return;
        }
        for position in frames.selection().iter().filter_map(|id| frames.position(*id)) {
            let rect = self.rect_of(frames, position);
            if rect.width().min(rect.height()) < 4.0 * HANDLE_SIDE {
                continue;
            }
            let (center, arm) = (rect.center(), 4.0);
            for (width, color) in [(3.0, self.palette.outline[1]), (1.0, self.palette.accent)] {
                let stroke = Stroke::new(width * self.line, color);
                self.painter.line_segment([center - vec2(arm, 0.0), center + vec2(arm, 0.0)], stroke);
                self.painter.line_segment([center - vec2(0.0, arm), center + vec2(0.0, arm)], stroke);
            }
        }
    }

    /// A drag under way: its box, its guides, and the size at the frame while that changes.
    pub(super) fn drag(&self, drag: &Drag, image: Size) {
        self.guides(drag.guides());
        match drag {
            Drag::Select(marquee) => {
                let rect = self.placement.rect_on_screen(marquee.rect());
                self.painter.rect_filled(rect, 0.0, self.palette.accent.gamma_multiply(0.12));
                let stroke = Stroke::new(self.line, self.palette.accent);
                self.painter.rect_stroke(rect, 0.0, stroke, StrokeKind::Inside);
            }
            Drag::Draw(drawing) => {
                if let Some(rect) = drawing.rect(image) {
                    let mut mesh = Mesh::default();
                    self.ring(&mut mesh, self.placement.rect_on_screen(rect), self.palette.accent);
                    self.painter.add(Shape::mesh(mesh));
                }
            }
            Drag::Reshape(_) => {}
        }
        if let Some(rect) = drag.told_rect(image) {
            self.plate_below(self.placement.rect_on_screen(rect), &rect.to_string());
        }
    }

    /// Lines that edges came to lie on.
    fn guides<'a>(&self, guides: impl IntoIterator<Item = &'a Guide>) {
        let clip = self.painter.clip_rect();
        for Guide { axis, coordinate, .. } in guides {
            let at = self.placement.snapped(i64::from(*coordinate), i64::from(*coordinate));
            let ends = match axis {
                GuideAxis::X => [pos2(at.x, clip.top()), pos2(at.x, clip.bottom())],
                GuideAxis::Y => [pos2(clip.left(), at.y), pos2(clip.right(), at.y)],
            };
            self.painter.line_segment(ends, Stroke::new(3.0 * self.line, self.palette.outline[1]));
            self.painter.line_segment(ends, Stroke::new(self.line, self.palette.flag));
        }
    }

    /// What a nudge did: where the frame is, if it is one, and what its edges lie on.
    pub(super) fn nudged(&self, frames: &Frames, guides: &[Guide]) {
        self.guides(guides);
        if let [one] = frames.selection()
            && let Some(rect) = frames.position(*one).and_then(|position| frames.rects().get(position))
        {
            self.plate_below(self.placement.rect_on_screen(*rect), &rect.to_string());
        }
    }

    /// Words on a plate below a rectangle, or above it where there is no room.
    fn plate_below(&self, rect: Rect, text: &str) {
        let font = TextStyle::Small.resolve(&self.painter.ctx().global_style());
        let galley = self.painter.layout_no_wrap(text.to_owned(), font, self.palette.on_plate);
        let size = galley.size() + vec2(8.0, 4.0);
        let clip = self.painter.clip_rect();
        let below = rect.bottom() + 8.0;
        let top = if below + size.y <= clip.bottom() { below } else { rect.top() - 8.0 - size.y };
        let left =
            (rect.center().x - size.x / 2.0).clamp(clip.left(), (clip.right() - size.x).max(clip.left()));
        let plate = Rect::from_min_size(pos2(left, top.max(clip.top())), size);
        self.painter.rect_filled(plate, 3.0, self.palette.plate);
        let at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), plate).min;
        self.painter.galley(at, galley, self.palette.on_plate);
    }

    /// Frames that are not there yet: dashed, faint.
    pub(super) fn proposed(&self, rects: &[PixelRect]) {
        let clip = self.painter.clip_rect().expand(DASH);
        let seen: Vec<Rect> = rects
            .iter()
            .map(|rect| self.placement.rect_on_screen(*rect))
            .filter(|rect| rect.intersects(clip))
            .collect();
        let [light, dark] = self.palette.outline;
        if seen.len() > MAX_DASHED {
            let mut mesh = Mesh::default();
            for rect in seen {
                border(&mut mesh, rect, self.line, light.gamma_multiply(0.5));
            }
            self.painter.add(Shape::mesh(mesh));
            return;
        }
        for rect in seen {
            self.dashed(rect, light, dark.gamma_multiply(0.7));
        }
    }

    /// A dashed line just inside a rectangle, on a darker one.
    pub(super) fn dashed(&self, rect: Rect, color: Color32, beside: Color32) {
        let inside = rect.shrink(self.line / 2.0);
        let path = [
            inside.left_top(),
            inside.right_top(),
            inside.right_bottom(),
            inside.left_bottom(),
            inside.left_top(),
        ];
        self.painter.add(Shape::line(path.to_vec(), Stroke::new(self.line, beside)));
        self.painter.extend(Shape::dashed_line(&path, Stroke::new(self.line, color), DASH, DASH));
    }

    /// The rectangle that a click would make a frame of.
    pub(super) fn picked(&self, rect: PixelRect) {
        self.dashed(self.placement.rect_on_screen(rect), self.palette.accent, self.palette.outline[1]);
    }

    /// Boxes that detection made one of others, and those that it leaves out.
    pub(super) fn detection(&self, detection: &Detection) {
        let clip = self.painter.clip_rect();
        let on_screen = |rect: &PixelRect| self.placement.rect_on_screen(*rect);
        let merged = detection.merged.iter().map(on_screen).filter(|rect| rect.intersects(clip));
        for rect in merged.take(MAX_DASHED) {
            self.dashed(rect, self.palette.outline[0].gamma_multiply(0.8), self.palette.outline[1]);
        }
        let dropped = detection.dropped.iter().map(|sprite| on_screen(&sprite.rect));
        for rect in dropped.filter(|rect| rect.intersects(clip)).take(MAX_DASHED) {
            let rect = rect.expand(2.0 * self.line);
            self.painter.rect_stroke(
                rect,
                0.0,
                Stroke::new(self.line, self.palette.flag),
                StrokeKind::Outside,
            );
            self.painter.line_segment(
                [rect.left_bottom(), rect.right_top()],
                Stroke::new(self.line, self.palette.flag),
            );
        }
    }
}
