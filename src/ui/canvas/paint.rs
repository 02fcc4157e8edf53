//! What lies over the art: pixel grid, leftover pixels, frames with their numbers. All lines are whole device pixels
//! wide and go into few meshes, so that thousands of frames cost little.

use eframe::egui;
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, TextStyle, Vec2, pos2, vec2};

use super::frames::Frames;
use super::view::Placement;
use crate::geometry::{PixelRect, Size};
use crate::model::{Grids, Leftover, Sheet};
use crate::slicing::{LeftoverPixels, closing_margin, leftover};
use crate::ui::theme::Palette;

/// Zoom from which single pixels are told apart.
const PIXEL_GRID_ZOOM: f64 = 8.0;
/// Cells with a shorter side, in points, are not outlined one by one.
const OUTLINE_SIDE: f32 = 4.0;
/// Outlines are at their full strength from this side on, in points.
const FULL_OUTLINE_SIDE: f32 = 32.0;
/// The strength of the thinnest outlines.
const FAINTEST: f32 = 0.35;
/// Selected cells are not tinted from this side on, in points.
const UNTINTED_SIDE: f32 = 48.0;
/// Cells with a shorter side, in points, have a single line for a ring.
const RING_SIDE: f32 = 16.0;
/// Cells with a shorter side, in points, have no number.
const NUMBER_SIDE: f32 = 20.0;
/// Size of numbers that would not fit otherwise, in points.
const TIGHT_NUMBER: f32 = 9.0;
/// Side of the mark in the corner of a flagged frame, in points.
const MARK_SIDE: f32 = 8.0;
/// Between the lines of the hatch, in points.
const HATCH_STEP: f32 = 8.0;

/// Draws over the art.
pub(super) struct Overlay<'a> {
    pub(super) painter: &'a Painter,
    pub(super) placement: &'a Placement,
    pub(super) palette: &'a Palette,
    /// Width of a thin line, in points: about one point, and whole device pixels.
    pub(super) line: f32,
}

impl<'a> Overlay<'a> {
    /// Draws within the painter's clip rectangle.
    pub(super) fn new(painter: &'a Painter, placement: &'a Placement, palette: &'a Palette) -> Self {
        let pixels_per_point = painter.pixels_per_point();
        let line = pixels_per_point.round().max(1.0) / pixels_per_point;
        Self { painter, placement, palette, line }
    }

    /// Lines between the pixels of the image, from 800 % on.
    pub(super) fn pixel_grid(&self, image: Size) {
        if self.placement.zoom < PIXEL_GRID_ZOOM {
            return;
        }
        let Some(shown) = self.placement.shown(self.painter.clip_rect(), image) else { return };
        let area = self.placement.rect_on_screen(shown);
        let width = 1.0 / self.painter.pixels_per_point();
        // Fainter where the lines are a large part of what there is to see.
        let strength = ((self.placement.zoom / 32.0) as f32).clamp(0.4, 1.0);
        let [light, dark] = self.palette.outline;
        let (light, dark) = (light.gamma_multiply(0.2 * strength), dark.gamma_multiply(0.3 * strength));
        let mut mesh = Mesh::default();
        for x in i64::from(shown.x) + 1..shown.right() {
            let x = self.placement.snapped(x, 0).x;
            mesh.add_colored_rect(Rect::from_x_y_ranges(x - width..=x, area.y_range()), dark);
            mesh.add_colored_rect(Rect::from_x_y_ranges(x..=x + width, area.y_range()), light);
        }
        for y in i64::from(shown.y) + 1..shown.bottom() {
            let y = self.placement.snapped(0, y).y;
            mesh.add_colored_rect(Rect::from_x_y_ranges(area.x_range(), y - width..=y), dark);
            mesh.add_colored_rect(Rect::from_x_y_ranges(area.x_range(), y..=y + width), light);
        }
        self.painter.add(Shape::mesh(mesh));
    }

    /// The pixels that a grid leaves over: hatched in amber, or plain grey where they are just the margin that the
    /// offset has on the other side.
    pub(super) fn leftover(&self, sheet: &Sheet, image: Size) {
        let Some(recipe) = &sheet.recipe else { return };
        let drops = |grids: &Grids| grids.leftover == Leftover::Drop;
        let Some(run) = recipe.single_run().filter(|_| recipe.grids().is_some_and(drops)) else { return };
        let is_margin = closing_margin(run, image);
        for strip in leftover_strips(leftover(run, image), image) {
            let rect = self.placement.rect_on_screen(strip).intersect(self.painter.clip_rect());
            if !rect.is_positive() {
                continue;
            }
            if is_margin {
                self.painter.rect_filled(rect, 0.0, self.palette.weak_text.gamma_multiply(0.3));
            } else {
                self.painter.rect_filled(rect, 0.0, self.palette.flag.gamma_multiply(0.28));
                self.hatch(rect, self.palette.flag.gamma_multiply(0.8));
            }
        }
    }

    fn hatch(&self, rect: Rect, color: Color32) {
        let painter = self.painter.with_clip_rect(rect);
        // Lines from bottom left to top right, at the same places whatever part of the strip shows.
        let first = ((rect.left() + rect.top()) / HATCH_STEP).floor() as i32;
        let last = ((rect.right() + rect.bottom()) / HATCH_STEP).ceil() as i32;
        for number in first..=last {
            let sum = number as f32 * HATCH_STEP;
            let ends = [pos2(sum - rect.bottom(), rect.bottom()), pos2(sum - rect.top(), rect.top())];
            painter.line_segment(ends, (self.line, color));
        }
    }

    /// The frames of which anything shows, in order.
    pub(super) fn in_view(&self, frames: &Frames) -> Vec<usize> {
        let clip = self.painter.clip_rect().expand(2.0 * self.line + MARK_SIDE);
        frames.within(self.placement.pixels_in(clip)).collect()
    }

    /// The frames `in_view`, the selected and the hovered one above the others.
    pub(super) fn frames(&self, frames: &Frames, in_view: &[usize], hovered: Option<usize>) {
        self.outlines(frames, in_view);
        let mut above = Mesh::default();
        self.selection(frames, in_view, &mut above);
        for &position in in_view.iter().filter(|position| frames.is_flagged(**position)) {
            self.flag(frames, position, &mut above);
        }
        if let Some(position) = hovered {
            let color = if frames.is_selected(position) { self.palette.accent } else { Color32::WHITE };
            self.ring(&mut above, self.rect_of(frames, position), color);
        }
        self.painter.add(Shape::mesh(above));
        self.numbers(frames, in_view, hovered);
    }

    pub(super) fn rect_of(&self, frames: &Frames, position: usize) -> Rect {
        frames.rects().get(position).map_or(Rect::NOTHING, |rect| self.placement.rect_on_screen(*rect))
    }

    /// The shorter side of a frame on the screen, about, in points: cheaper than its rectangle.
    fn side_of(&self, frames: &Frames, position: usize) -> f32 {
        let points_per_pixel = (self.placement.zoom / self.placement.pixels_per_point) as f32;
        frames.rects().get(position).map_or(0.0, |rect| rect.width.min(rect.height) as f32 * points_per_pixel)
    }

    fn outlines(&self, frames: &Frames, in_view: &[usize]) {
        let mut mesh = Mesh::default();
        mesh.reserve_vertices(in_view.len() * 16);
        mesh.reserve_triangles(in_view.len() * 16);
        let mut too_small = 0;
        for &position in in_view {
            let side = self.side_of(frames, position);
            if side < OUTLINE_SIDE {
                too_small += usize::from(side > 0.0);
                continue;
            }
            if side >= RING_SIDE && frames.is_selected(position) {
                continue;
            }
            let strength = ((side - OUTLINE_SIDE) / (FULL_OUTLINE_SIDE - OUTLINE_SIDE)).clamp(FAINTEST, 1.0);
            let colors = self.palette.outline.map(|color| color.gamma_multiply(strength));
            self.outline(&mut mesh, self.rect_of(frames, position), colors);
        }
        // Where hardly one has an outline, a line around all of them says that there are frames.
        let are_most_too_small = too_small * 2 > in_view.len();
        if let Some(bounds) = frames.bounds().filter(|_| are_most_too_small) {
            self.outline(&mut mesh, self.placement.rect_on_screen(bounds), self.palette.outline);
        }
        // Shapes of one clip rectangle grow into one mesh, which moves as it grows. Thousands of outlines keep to
        // themselves, by a difference that is no pixel.
        let clip = self.painter.clip_rect().shrink(1.0 / 256.0);
        self.painter.with_clip_rect(clip).add(Shape::mesh(mesh));
    }

    /// A dark line before each edge and a light one after it: frames side by side share them.
    fn outline(&self, mesh: &mut Mesh, rect: Rect, [light, dark]: [Color32; 2]) {
        let line = Vec2::splat(self.line);
        border(mesh, Rect::from_min_max(rect.min - line, rect.max), self.line, dark);
        border(mesh, Rect::from_min_max(rect.min, rect.max + line), self.line, light);
    }

    /// A coloured line around a frame, with darker or lighter ones on both sides; alone where there is little room.
    pub(super) fn ring(&self, mesh: &mut Mesh, rect: Rect, color: Color32) {
        if rect.width().min(rect.height()) < RING_SIDE {
            border(mesh, rect, self.line, color);
            return;
        }
        let [light, dark] = self.palette.outline;
        let beside = if color.intensity() < 0.45 { light } else { dark };
        border(mesh, rect.expand(2.0 * self.line), self.line, beside);
        border(mesh, rect.expand(self.line), 2.0 * self.line, color);
        border(mesh, rect.shrink(self.line), self.line, beside.gamma_multiply(0.6));
    }

    fn selection(&self, frames: &Frames, in_view: &[usize], mesh: &mut Mesh) {
        let strong_fill = self.palette.accent.gamma_multiply(0.5);
        // Neighbours that are too small for a ring are filled together.
        let mut run: Option<Rect> = None;
        for &position in in_view.iter().filter(|position| frames.is_selected(**position)) {
            let rect = self.rect_of(frames, position);
            let side = rect.width().min(rect.height());
            if side >= OUTLINE_SIDE {
                // A tint helps where the ring is small; where it is not, the art keeps its colours.
                let strength = 0.3 * (1.0 - side / UNTINTED_SIDE).max(0.0);
                mesh.add_colored_rect(rect, self.palette.accent.gamma_multiply(strength));
                self.ring(mesh, rect, self.palette.accent);
                continue;
            }
            let rect = Rect::from_min_size(rect.min, rect.size().max(Vec2::splat(self.line)));
            match &mut run {
                Some(run)
                    if run.max.x == rect.min.x && run.min.y == rect.min.y && run.max.y == rect.max.y =>
                {
                    run.max.x = rect.max.x;
                }
                _ => {
                    if let Some(run) = run.replace(rect) {
                        mesh.add_colored_rect(run, strong_fill);
                    }
                }
            }
        }
        if let Some(run) = run {
            mesh.add_colored_rect(run, strong_fill);
        }
    }

    /// Something is wrong with the frame's rectangle: amber, and a mark in its corner, which also shows where it has
    /// no pixels.
    fn flag(&self, frames: &Frames, position: usize, mesh: &mut Mesh) {
        if frames.get(position).is_some_and(|frame| frame.unreadable) {
            return;
        }
        let rect = self.rect_of(frames, position);
        let mut rect = Rect::from_two_pos(rect.min, rect.max);
        if frames.drawn_rect(position).is_none() {
            rect = Rect::from_center_size(rect.center(), rect.size().max(Vec2::splat(MARK_SIDE)));
        }
        if !frames.is_selected(position) {
            self.ring(mesh, rect, self.palette.flag);
        }
        let side = MARK_SIDE.min(rect.width().max(MARK_SIDE / 2.0)).min(rect.height().max(MARK_SIDE / 2.0));
        let corner = pos2(rect.right(), rect.top());
        triangle(mesh, corner, side + 2.0 * self.line, self.palette.outline[1]);
        triangle(mesh, corner, side, self.palette.flag);
    }

    /// Positions in the sheet's order, on plates in the corners of those cells that have room.
    fn numbers(&self, frames: &Frames, in_view: &[usize], hovered: Option<usize>) {
        let font = TextStyle::Small.resolve(&self.painter.ctx().global_style());
        let tight = FontId::new(TIGHT_NUMBER, font.family.clone());
        let mut plates = Mesh::default();
        let mut texts = Vec::new();
        for &position in in_view {
            if self.side_of(frames, position) < NUMBER_SIDE {
                continue;
            }
            let rect = self.rect_of(frames, position);
            if !rect.intersects(self.painter.clip_rect()) {
                continue;
            }
            let (plate, text) = self.plate_colors(frames, position, hovered);
            let room = rect.width() - 4.0 * self.line;
            let fonts = [&font, &tight].into_iter();
            let galley = fonts
                .map(|font| self.painter.layout_no_wrap(position.to_string(), font.clone(), text))
                .find(|galley| galley.size().x + 4.0 <= room);
            let Some(galley) = galley else { continue };
            let corner = rect.min + Vec2::splat(2.0 * self.line);
            let plate_rect = Rect::from_min_size(corner, galley.size() + vec2(4.0, 0.0));
            plates.add_colored_rect(plate_rect, plate);
            let at = Align2::LEFT_TOP.anchor_size(corner + vec2(2.0, 0.0), galley.size()).min;
            texts.push(Shape::galley(at, galley, text));
        }
        self.painter.add(Shape::mesh(plates));
        self.painter.extend(texts);
    }

    /// The colours of a number: plate and text.
    fn plate_colors(&self, frames: &Frames, position: usize, hovered: Option<usize>) -> (Color32, Color32) {
        if frames.is_selected(position) {
            (self.palette.accent, self.palette.on_accent)
        } else if hovered == Some(position) {
            (self.palette.plate.to_opaque(), Color32::WHITE)
        } else {
            (self.palette.plate, self.palette.on_plate)
        }
    }
}

/// A line of `width` along the inside of a rectangle: eight points, as this is what there is most of.
pub(super) fn border(mesh: &mut Mesh, outer: Rect, width: f32, color: Color32) {
    let inner = outer.shrink(width);
    if inner.is_negative() {
        mesh.add_colored_rect(outer, color);
        return;
    }
    let first = mesh.vertices.len() as u32;
    let corners = |rect: Rect| [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
    for pos in corners(outer).into_iter().chain(corners(inner)) {
        mesh.colored_vertex(pos, color);
    }
    for (corner, next) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        mesh.add_triangle(first + corner, first + next, first + next + 4);
        mesh.add_triangle(first + corner, first + next + 4, first + corner + 4);
    }
}

/// A triangle in the upper right corner of something.
fn triangle(mesh: &mut Mesh, corner: Pos2, side: f32, color: Color32) {
    let first = mesh.vertices.len() as u32;
    for pos in [corner, corner - vec2(side, 0.0), corner + vec2(0.0, side)] {
        mesh.colored_vertex(pos, color);
    }
    mesh.add_triangle(first, first + 1, first + 2);
}

/// Where the leftover pixels are: right of all columns, and below all rows as far as the first.
fn leftover_strips(leftover: LeftoverPixels, image: Size) -> Vec<PixelRect> {
    let LeftoverPixels { right, bottom } = leftover;
    let whole = PixelRect::of_image(image);
    let (right, bottom) = ((right as i32).min(whole.width), (bottom as i32).min(whole.height));
    let strips = [
        PixelRect::new(whole.width - right, 0, right, whole.height),
        PixelRect::new(0, whole.height - bottom, whole.width - right, bottom),
    ];
    strips.into_iter().filter(|strip| !strip.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftover_strips_meet_in_the_corner_without_covering_it_twice() {
        let strips = leftover_strips(LeftoverPixels { right: 8, bottom: 6 }, Size::new(265, 199));
        assert_eq!(strips, [PixelRect::new(257, 0, 8, 199), PixelRect::new(0, 193, 257, 6)]);
        let only_right = leftover_strips(LeftoverPixels { right: 8, bottom: 0 }, Size::new(265, 199));
        assert_eq!(only_right, [PixelRect::new(257, 0, 8, 199)]);
    }

    #[test]
    fn a_border_leaves_the_inside_free_unless_there_is_none() {
        let mut mesh = Mesh::default();
        border(&mut mesh, Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 6.0)), 1.0, Color32::WHITE);
        let area = |mesh: &Mesh| -> f32 {
            let corner = |index: u32| mesh.vertices[index as usize].pos;
            let doubled = mesh.triangles().map(|[a, b, c]| {
                let (to_b, to_c) = (corner(b) - corner(a), corner(c) - corner(a));
                (to_b.x * to_c.y - to_b.y * to_c.x).abs()
            });
            doubled.sum::<f32>() / 2.0
        };
        assert_eq!(area(&mesh), 60.0 - 32.0);
        let mut thin = Mesh::default();
        border(&mut thin, Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 1.0)), 1.0, Color32::WHITE);
        assert_eq!(area(&thin), 10.0);
    }

    #[test]
    fn without_any_whole_cell_all_is_left_over() {
        let strips = leftover_strips(LeftoverPixels { right: 64, bottom: 32 }, Size::new(64, 32));
        assert_eq!(strips, [PixelRect::new(0, 0, 64, 32)]);
    }
}
