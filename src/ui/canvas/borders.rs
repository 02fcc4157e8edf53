//! Nine-slice borders as they are drawn over a frame: corners, edges and middle tinted, guides, and how wide they are.

use eframe::egui;
use egui::{Align2, Mesh, Pos2, Rect, Shape, Stroke, TextStyle, Vec2, vec2};

use super::nine_slice::{Held, guides, line};
use super::paint::Overlay;
use crate::geometry::{PixelRect, Size};
use crate::texture::{Insets, Side};

/// Length of the grip in the middle of a guide, in points.
const GRIP: f32 = 14.0;

/// What is shown of borders.
pub(super) struct Look {
    pub(super) rect_in_image: PixelRect,
    pub(super) borders: Insets,
    /// The guides under the pointer.
    pub(super) held: Option<Held>,
    /// Whether they are being dragged: then all say how wide they are.
    pub(super) is_dragged: bool,
    /// Whether there is room for guides.
    pub(super) has_guides: bool,
}

impl Overlay<'_> {
    /// Borders over a frame.
    pub(super) fn borders(&self, look: &Look) {
        let frame = self.placement.rect_on_screen(look.rect_in_image);
        let guides = guides(self.placement, look.rect_in_image, look.borders);
        let size = Size::new(look.rect_in_image.width as u32, look.rect_in_image.height as u32);
        if !look.borders.is_zero() && look.borders.leave_middle(size) {
            self.tints(frame, guides);
        }
        if !look.has_guides {
            return;
        }
        let is_held = |side| look.held.is_some_and(|held| held.has(side));
        for (side, at) in Side::ALL.into_iter().zip(guides) {
            self.guide(frame, side, at, is_held(side));
        }
        for (side, at) in Side::ALL.into_iter().zip(guides) {
            if look.is_dragged || is_held(side) {
                self.value(frame, side, at, look.borders.side(side));
            }
        }
    }

    fn tints(&self, frame: Rect, [left, top, right, bottom]: [f32; 4]) {
        let columns = [frame.left(), left, right, frame.right()];
        let rows = [frame.top(), top, bottom, frame.bottom()];
        let corner = self.palette.accent.gamma_multiply(0.34);
        let edge = self.palette.done.gamma_multiply(0.22);
        let middle = self.palette.outline[0].gamma_multiply(0.1);
        let mut mesh = Mesh::default();
        for (row, y) in rows.windows(2).enumerate() {
            for (column, x) in columns.windows(2).enumerate() {
                let color = match (column == 1, row == 1) {
                    (true, true) => middle,
                    (false, false) => corner,
                    _ => edge,
                };
                mesh.add_colored_rect(Rect::from_x_y_ranges(x[0]..=x[1], y[0]..=y[1]), color);
            }
        }
        self.painter.add(Shape::mesh(mesh));
    }

    fn guide(&self, frame: Rect, side: Side, at: f32, is_held: bool) {
        let ends = line(frame, side, at);
        let width = if is_held { 2.0 } else { 1.0 } * self.line;
        let [light, dark] = self.palette.outline;
        self.painter.line_segment(ends, Stroke::new(width + 2.0 * self.line, dark));
        let color = if is_held { self.palette.accent } else { light.to_opaque() };
        self.painter.line_segment(ends, Stroke::new(width, color));
        let size = if side.is_across() { vec2(5.0, GRIP) } else { vec2(GRIP, 5.0) };
        let middle = ends[0] + (ends[1] - ends[0]) / 2.0;
        let grip = Rect::from_center_size(middle, size);
        self.painter.rect_filled(grip.expand(self.line), 2.0, dark);
        self.painter.rect_filled(grip, 2.0, if is_held { self.palette.accent } else { light.to_opaque() });
    }

    /// How wide a border is, at the end of its guide.
    fn value(&self, frame: Rect, side: Side, at: f32, border: u16) {
        let font = TextStyle::Small.resolve(&self.painter.ctx().global_style());
        let galley = self.painter.layout_no_wrap(format!("{border} px"), font, self.palette.on_plate);
        let size = galley.size() + vec2(8.0, 4.0);
        let [end, _] = line(frame, side, at);
        // Beside the frame, so that those of opposite guides that are close do not lie over each other.
        let corner = match side {
            Side::Left | Side::Top => end - size,
            Side::Right => end - vec2(0.0, size.y),
            Side::Bottom => end - vec2(size.x, 0.0),
        };
        let clip = self.painter.clip_rect();
        let most = (clip.max - size).max(clip.min);
        let plate = Rect::from_min_size(
            Pos2::new(corner.x.clamp(clip.left(), most.x), corner.y.clamp(clip.top(), most.y)),
            Vec2::new(size.x, size.y),
        );
        self.painter.rect_filled(plate, 3.0, self.palette.plate);
        let text = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), plate).min;
        self.painter.galley(text, galley, self.palette.on_plate);
    }
}
