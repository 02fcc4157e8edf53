//! What is drawn over the scene: what is selected, where a move caught, and the handles of the tool.

use std::collections::HashSet;

use eframe::egui;
use egui::{Color32, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, Vec2};

use super::drag::Sides;
use super::place::Place;
use super::snap::Guide;
use super::{SceneView, Tool, draw};
use crate::model::scene::{ObjectKey, Point};
use crate::runtime::Bounds;
use crate::session::SceneDocument;
use crate::ui::theme;

/// Half the side of a handle.
const HANDLE: f32 = 4.0;
/// Half the side of the mark of an object that draws nothing.
pub(super) const MARK: f32 = 6.0;

impl SceneView {
    /// What is selected, where a move caught, and the handles of the tool.
    pub(super) fn over(&self, ui: &Ui, painter: &Painter, place: Place, document: &SceneDocument) {
        let palette = theme::palette(ui);
        let selection = document.history.selection();
        let selected: HashSet<ObjectKey> = selection.iter().copied().collect();
        let mut drawn = HashSet::new();
        for item in self.stage.items.iter().filter(|item| selected.contains(&item.object)) {
            draw::outline(painter, item.corners.map(|corner| place.screen(corner)), palette.accent, 1.5);
            drawn.insert(item.object);
        }
        let scene = self.stage.draft.as_ref().unwrap_or(document.scene());
        for key in selection.iter().filter(|key| !drawn.contains(*key)) {
            mark(painter, place.screen(scene.world_of(*key).origin), palette.accent);
        }
        for guide in &self.stage.guides {
            let line = Stroke::new(1.0, palette.accent);
            match guide {
                Guide::X(x) => {
                    painter.vline(place.screen(Point::new(*x, 0.0)).x, painter.clip_rect().y_range(), line)
                }
                Guide::Y(y) => {
                    painter.hline(painter.clip_rect().x_range(), place.screen(Point::new(0.0, *y)).y, line)
                }
            };
        }
        for (at, _) in self.handles(place, document) {
            let rect = Rect::from_center_size(at, Vec2::splat(2.0 * HANDLE));
            let line = Stroke::new(1.0, palette.accent);
            painter.rect(rect, 1.0, Color32::WHITE, line, StrokeKind::Outside);
        }
        if self.tool == Tool::Rotate
            && let Some(pivot) = self.pivot(document)
        {
            painter.circle_stroke(place.screen(pivot), HANDLE, Stroke::new(1.5, palette.accent));
        }
        if let (Some((from, _)), Some([x, y])) = (&self.stage.marquee, self.stage.pointer) {
            let rect = Rect::from_two_pos(place.screen(*from), place.screen(Point::new(x, y)));
            let line = Stroke::new(1.0, palette.accent);
            painter.rect(rect, 0.0, palette.accent.gamma_multiply(0.15), line, StrokeKind::Inside);
        }
    }

    /// What is turned around: the place of a single object, the middle of several.
    pub(super) fn pivot(&self, document: &SceneDocument) -> Option<Point> {
        match document.history.selection() {
            [] => None,
            [key] => Some(document.scene().world_of(*key).origin),
            _ => self.selection_bounds(document).map(|Bounds { min, max }| {
                Point::new(f64::midpoint(min.x, max.x), f64::midpoint(min.y, max.y))
            }),
        }
    }

    /// The handles that scale the one selected object: at the middle of its right and upper sides, and between them.
    pub(super) fn handles(&self, place: Place, document: &SceneDocument) -> Vec<(Pos2, Sides)> {
        let [key] = document.history.selection() else { return Vec::new() };
        if self.tool != Tool::Scale {
            return Vec::new();
        }
        let Some(item) = self.stage.items.iter().find(|item| item.object == *key) else { return Vec::new() };
        let [top_left, top_right, bottom_right, bottom_left] = item.corners;
        let middle = |one: Point, other: Point| {
            Point::new(f64::midpoint(one.x, other.x), f64::midpoint(one.y, other.y))
        };
        let width = Sides { width: true, height: false };
        let height = Sides { width: false, height: true };
        let handles = [
            (top_left, Sides::BOTH),
            (top_right, Sides::BOTH),
            (bottom_right, Sides::BOTH),
            (bottom_left, Sides::BOTH),
            (middle(top_right, bottom_right), width),
            (middle(top_left, bottom_left), width),
            (middle(top_left, top_right), height),
            (middle(bottom_left, bottom_right), height),
        ];
        handles.into_iter().map(|(at, sides)| (place.screen(at), sides)).collect()
    }
}

/// Where an object is that draws nothing.
pub(super) fn mark(painter: &Painter, at: Pos2, color: Color32) {
    for (width, color) in [(3.0, Color32::from_black_alpha(160)), (1.0, color)] {
        let line = Stroke::new(width, color);
        painter.hline(at.x - MARK..=at.x + MARK, at.y, line);
        painter.vline(at.x, at.y - MARK..=at.y + MARK, line);
    }
}
