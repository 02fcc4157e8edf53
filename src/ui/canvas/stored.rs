//! The stored picture on the canvas, as the device draws it, with what is marked in it and what it is in words.

use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, TextStyle, Ui, Vec2};

use super::compare::{Marks, Sides};
use super::paint::border;
use super::picture::{mapping, thinnest};
use super::tiles::{Mapping, as_tiled};
use super::view::{Placement, Viewpoint};
use super::{Canvas, PointerInfo, select_mode};
use crate::geometry::{PixelRect, Size};
use crate::session::{Action, Document, Lookup, Session, SourcePicture, StoredView, Tiled as _};
use crate::ui::theme::{self, BETWEEN, INSIDE};
use crate::ui::{Hover, widgets};

/// Frames with a shorter side, in points, are not outlined one by one.
const OUTLINE_SIDE: f32 = 4.0;

/// Stored pixels on the screen: the picture is as large there as the image.
#[derive(Clone, Copy)]
struct StoredPlacement {
    placement: Placement,
    mapping: Mapping,
}

impl StoredPlacement {
    fn of(placement: &Placement, image: Size, stored: Size) -> Self {
        let Placement { zoom, origin_in_device, pixels_per_point } = *placement;
        let scale = |image: u32, stored: u32| {
            let zoom = zoom.max(1.0 / f64::from(image.max(1)));
            zoom * f64::from(image) / f64::from(stored.max(1)) / pixels_per_point
        };
        let mapping = Mapping {
            origin: origin_in_device.map(|it| it / pixels_per_point),
            scale: [scale(image.width, stored.width), scale(image.height, stored.height)],
        };
        Self { placement: *placement, mapping }
    }

    /// A rectangle of stored pixels on the screen, in points, its edges on whole device pixels.
    fn rect_on_screen(&self, rect: PixelRect) -> Rect {
        let device = self.placement.pixels_per_point;
        let along = |at: f64, axis: usize| {
            let points = self.mapping.origin[axis] + at * self.mapping.scale[axis];
            ((points * device).round() / device) as f32
        };
        Rect::from_min_max(
            Pos2::new(along(rect.x.into(), 0), along(rect.y.into(), 1)),
            Pos2::new(along(rect.right() as f64, 0), along(rect.bottom() as f64, 1)),
        )
    }
}

impl Canvas {
    /// The stored picture beside the image or over it, what each of the two is in words, and the pointer there.
    #[expect(clippy::too_many_arguments, reason = "the parts of one pass")]
    pub(super) fn stored_side(
        &mut self,
        ui: &Ui,
        sides: &Sides,
        viewpoint: Viewpoint,
        session: &Session,
        document: &Document,
        hover: &mut Hover,
        actions: &mut Vec<Action>,
    ) {
        self.tell_stored_pixel(document);
        let Some(side) = sides.stored else { return };
        if side.clip != sides.source.clip {
            plate(ui, &ui.painter_at(sides.source.clip), &format!("Source {}", document.image_size));
        }
        let placement = viewpoint.placement(side.screen(ui));
        self.paint_stored(ui, &ui.painter_at(side.clip), &placement, session, document);
        let Some((pos, is_clicked)) = self.compare.pointer() else { return };
        if let Some(cursor) = self.compare.cursor() {
            ui.set_cursor_icon(cursor);
        }
        let (x, y) = placement.pixel_at(pos);
        self.pointer = self.picture_of(&document.path).and_then(|picture| {
            let is_inside = PixelRect::of_image(picture.size()).contains(x, y);
            is_inside.then(|| PointerInfo { x, y, color: picture.color_at(x, y), stored: None })
        });
        self.tell_stored_pixel(document);
        let frame = self.frames.at(x, y).and_then(|position| self.frames.get(position));
        if let Some(id) = frame.map(|frame| frame.id) {
            hover.set(&document.path, id);
            if is_clicked {
                actions.push(Action::Select(document.path.clone(), id, select_mode(ui)));
            }
        }
    }

    /// Adds what is stored for the pixel under the pointer.
    fn tell_stored_pixel(&mut self, document: &Document) {
        let view = self.compare.view_of(&document.path).and_then(Lookup::shown).cloned();
        if let (Some(pointer), Some(view)) = (&mut self.pointer, view) {
            pointer.stored = view.picture.at_image_pixel(pointer.x, pointer.y);
        }
    }

    /// Draws the stored picture where `placement` has the image; `painter` has the part of the canvas that is its own.
    pub(super) fn paint_stored(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        placement: &Placement,
        session: &Session,
        document: &Document,
    ) {
        let palette = theme::palette(ui);
        painter.rect_filled(painter.clip_rect(), 0.0, palette.canvas);
        let lookup = self.compare.view_of(&document.path).cloned();
        let newest = lookup.as_ref().and_then(Lookup::shown);
        let Some(source) = self.picture_of(&document.path).cloned() else { return };
        if let Some(newest) = newest {
            self.take_newest(painter, placement, session, &source, newest);
        }
        if let Some(view) = self.compare.drawn.clone() {
            let placed = StoredPlacement::of(placement, source.size(), view.picture.size());
            let on_screen = placement.rect_on_screen(PixelRect::of_image(source.size()));
            let on_screen = Rect::from_min_size(on_screen.min, on_screen.size().max(thinnest(placement)));
            widgets::paint_backdrop(painter, on_screen, session.prefs().backdrop);
            let whole = PixelRect::of_image(view.picture.size());
            let tiles = &mut self.tiles;
            tiles.paint(
                painter,
                session.pictures(),
                &as_tiled(&view.picture),
                whole,
                &placed.mapping,
                Color32::WHITE,
            );
            self.paint_marks(ui, painter, placement, &placed, session, document, &view, &source);
        }
        self.paint_stored_words(ui, painter, session, document, lookup.as_ref());
    }

    /// A newer picture takes the place of the one that is drawn once all that shows of it is there.
    fn take_newest(
        &mut self,
        painter: &Painter,
        placement: &Placement,
        session: &Session,
        source: &Arc<SourcePicture>,
        newest: &Arc<StoredView>,
    ) {
        let drawn = self.compare.drawn.as_ref();
        if drawn.is_some_and(|drawn| Arc::ptr_eq(drawn, newest)) {
            return;
        }
        let is_same_picture = drawn.is_some_and(|drawn| drawn.picture.serial() == newest.picture.serial());
        let placed = StoredPlacement::of(placement, source.size(), newest.picture.size());
        let is_ready = drawn.is_none() || is_same_picture || {
            let whole = PixelRect::of_image(newest.picture.size());
            let picture = as_tiled(&newest.picture);
            self.tiles.prepare(painter, session.pictures(), &picture, whole, &placed.mapping)
        };
        if is_ready {
            self.compare.drawn = Some(newest.clone());
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one pass")]
    fn paint_marks(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        placement: &Placement,
        placed: &StoredPlacement,
        session: &Session,
        document: &Document,
        view: &StoredView,
        source: &Arc<SourcePicture>,
    ) {
        let Marks { edges, heat, bleed } = self.compare.marks;
        if heat && let Some(heat) = self.compare.heat_map(source) {
            let whole = PixelRect::of_image(source.size());
            let mapping = mapping(placement, source.size());
            self.tiles.paint(painter, session.pictures(), &as_tiled(&heat), whole, &mapping, Color32::WHITE);
        }
        if edges && self.shows.frames {
            paint_edges(ui, painter, placed, document, view);
        }
        if bleed && let Some(facts) = &view.facts {
            let color = theme::palette(ui).error;
            let mut mesh = Mesh::default();
            for run in &facts.bleeding {
                let rect = placed.rect_on_screen(*run).intersect(painter.clip_rect());
                if rect.is_positive() {
                    mesh.add_colored_rect(rect, color.gamma_multiply(0.8));
                }
            }
            painter.add(Shape::mesh(mesh));
        }
    }

    /// What the stored picture is, or why there is none.
    fn paint_stored_words(
        &self,
        ui: &Ui,
        painter: &Painter,
        session: &Session,
        document: &Document,
        lookup: Option<&Lookup<StoredView>>,
    ) {
        let has_alpha = session.asset(&document.path).and_then(|asset| asset.image.as_ref()?.has_alpha);
        let words = match (lookup, &self.compare.drawn) {
            (Some(Lookup::Failed(why, _)), _) => format!("Cannot be stored: {why}"),
            (_, None) => "Making the stored picture\u{2026}".to_owned(),
            (_, Some(view)) => {
                let texture = view.picture.texture();
                let bytes = widgets::bytes_text(texture.stored_pixels().len() as u64);
                let storing = session.storing(document.sheet());
                let why = match (storing.format, has_alpha) {
                    (None, Some(true)) => " (Automatic: has transparency)",
                    (None, Some(false)) => " (Automatic: no transparency)",
                    _ => "",
                };
                let target = session.target().map(|target| format!(", {}", target.name)).unwrap_or_default();
                format!("Stored {}, {}, {bytes}{why}{target}", texture.size, texture.format)
            }
        };
        plate(ui, painter, &words);
        if self.compare.drawn.is_none() && matches!(lookup, Some(Lookup::Failed(..))) {
            let rect = painter.clip_rect();
            let font = TextStyle::Body.resolve(ui.style());
            let color = theme::palette(ui).weak_text;
            painter.text(rect.center(), Align2::CENTER_CENTER, words, font, color);
        }
    }
}

/// Where the frames begin and end in stored pixels: amber where one comes out another size than its like.
fn paint_edges(ui: &Ui, painter: &Painter, placed: &StoredPlacement, document: &Document, view: &StoredView) {
    let palette = theme::palette(ui);
    let clip = painter.clip_rect().expand(2.0);
    let line = painter.pixels_per_point().round().max(1.0) / painter.pixels_per_point();
    let [light, dark] = palette.outline;
    let changed = view.facts.as_ref().map(|facts| &facts.frames);
    let is_changed = |position: u32| {
        changed.is_some_and(|changed| {
            changed.uneven.binary_search(&position).is_ok()
                || changed.vanished.binary_search(&position).is_ok()
        })
    };
    let mut mesh = Mesh::default();
    let mut above = Mesh::default();
    for (frame, position) in view.picture.texture().frames.iter().zip(&*view.positions) {
        let rect = placed.rect_on_screen(frame.rect);
        if !clip.intersects(rect) || rect.width().min(rect.height()) < OUTLINE_SIDE {
            continue;
        }
        let sheet_frame = document.sheet().frames.get(*position as usize);
        let is_selected = sheet_frame.is_some_and(|frame| document.history.selection().contains(&frame.id));
        if is_selected || is_changed(*position) {
            let color = if is_selected { palette.accent } else { palette.flag };
            border(&mut above, rect.expand(line), 2.0 * line, color);
        } else {
            border(&mut mesh, Rect::from_min_max(rect.min - Vec2::splat(line), rect.max), line, dark);
            border(&mut mesh, Rect::from_min_max(rect.min, rect.max + Vec2::splat(line)), line, light);
        }
    }
    painter.add(Shape::mesh(mesh));
    painter.add(Shape::mesh(above));
}

/// Words about a side of the comparison, in its lower left corner.
pub(super) fn plate(ui: &Ui, painter: &Painter, words: &str) {
    let palette = theme::palette(ui);
    let font = TextStyle::Small.resolve(ui.style());
    let room = painter.clip_rect();
    let width = (room.width() - 2.0 * BETWEEN - 2.0 * INSIDE).max(0.0);
    let mut job = egui::text::LayoutJob::simple_singleline(words.to_owned(), font, palette.on_plate);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width);
    let galley = painter.layout_job(job);
    let size = galley.size() + Vec2::new(2.0 * INSIDE, INSIDE);
    let corner = Pos2::new(room.left() + BETWEEN, room.bottom() - BETWEEN - size.y);
    painter.rect_filled(Rect::from_min_size(corner, size), 4.0, palette.plate);
    painter.galley(corner + Vec2::new(INSIDE, INSIDE / 2.0), galley, palette.on_plate);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_edges_are_where_their_share_of_the_image_is() {
        let placement = Placement { zoom: 2.0, origin_in_device: [10.0, 20.0], pixels_per_point: 1.0 };
        let placed = StoredPlacement::of(&placement, Size::new(300, 200), Size::new(128, 85));
        let whole = placed.rect_on_screen(PixelRect::new(0, 0, 128, 85));
        assert_eq!(whole, placement.rect_on_screen(PixelRect::new(0, 0, 300, 200)));
        // 43 of 128 of 600 is 201.56.
        let first = placed.rect_on_screen(PixelRect::new(0, 0, 43, 43));
        assert_eq!((first.right(), first.bottom()), (212.0, 222.0));
    }
}
