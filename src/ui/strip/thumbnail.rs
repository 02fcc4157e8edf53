//! A frame as a small picture: in the strip, under the pointer while it is dragged, and in lists of popups.

use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Color32, FontId, Painter, Rect, Vec2, pos2, vec2};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{ICON_ARROW_FORWARD, ICON_REMOVE, ICON_WARNING};

use crate::geometry::PixelRect;
use crate::session::{Document, Session, SourcePicture};
use crate::ui::canvas::{self, Canvas, Tiles};
use crate::ui::theme::{self, ICON_SIZE, INSIDE};
use crate::ui::widgets;

/// Draws the frame at a position in the middle of a room, as large as it fits, or a sign that the image has no
/// pixels of it.
pub fn paint(
    painter: &Painter,
    canvas: &mut Canvas,
    session: &Session,
    document: &Document,
    position: usize,
    room: Rect,
) {
    let picture = canvas.picture_of(&document.path).cloned();
    let (frames, tiles) = canvas.frames_and_tiles();
    match (frames.drawn_rect(position), picture) {
        (Some(part), Some(picture)) => paint_part(painter, tiles, session, &picture, part, room),
        (None, _) => paint_missing(painter, room),
        (Some(_), None) => {}
    }
}

/// Draws a part of a picture in the middle of a room, as large as it fits.
pub fn paint_part(
    painter: &Painter,
    tiles: &mut Tiles,
    session: &Session,
    picture: &Arc<SourcePicture>,
    part: PixelRect,
    room: Rect,
) {
    let on_screen = fitted(painter, part, room);
    widgets::paint_backdrop(painter, on_screen, session.prefs().backdrop);
    canvas::paint_region(painter, tiles, picture, part, on_screen, session);
}

/// A frame in the middle of a room, on whole device pixels.
fn fitted(painter: &Painter, part: PixelRect, room: Rect) -> Rect {
    let pixels_per_point = painter.pixels_per_point();
    let on_screen = fitted_size(part, room.size(), pixels_per_point);
    let snapped = |points: f32| (points * pixels_per_point).round() / pixels_per_point;
    let min = room.center() - on_screen / 2.0;
    Rect::from_min_size(pos2(snapped(min.x), snapped(min.y)), on_screen)
}

/// A frame as large as it fits, in points: a whole number of device pixels for each of its own, unless it is too
/// large for that.
pub(super) fn fitted_size(part: PixelRect, room: Vec2, pixels_per_point: f32) -> Vec2 {
    let size = vec2(part.width as f32, part.height as f32);
    let exact = (room.x / size.x).min(room.y / size.y) * pixels_per_point;
    let scale = if exact >= 1.0 { exact.floor() } else { exact };
    (size * scale / pixels_per_point).max(Vec2::splat(1.0 / pixels_per_point))
}

/// Draws a sign in the place of a frame that has no pixels in the image.
pub fn paint_missing(painter: &Painter, room: Rect) {
    paint_icon(painter, ICON_WARNING, room, theme::palette(painter.ctx()).warning);
}

/// Draws a sign in the place of a frame that is not there.
pub fn paint_nothing(painter: &Painter, room: Rect) {
    paint_icon(painter, ICON_REMOVE, room, theme::palette(painter.ctx()).weak_text);
}

/// Width of two pictures of that side with an arrow between them, in points.
pub const fn change_width(side: f32) -> f32 {
    side + INSIDE + ICON_SIZE + INSIDE + side
}

/// Draws the arrow of a change at the right end of a place, and gives the rooms for the pictures before and after it,
/// which are as high as the place.
pub fn paint_change(painter: &Painter, place: Rect) -> [Rect; 2] {
    let side = place.height();
    let after = Rect::from_min_max(place.max - Vec2::splat(side), place.max);
    let arrow = Rect::from_min_size(after.min - vec2(INSIDE + ICON_SIZE, 0.0), vec2(ICON_SIZE, side));
    paint_icon(painter, ICON_ARROW_FORWARD, arrow, theme::palette(painter.ctx()).weak_text);
    [Rect::from_min_size(arrow.min - vec2(INSIDE + side, 0.0), Vec2::splat(side)), after]
}

fn paint_icon(painter: &Painter, icon: MaterialIcon, room: Rect, color: Color32) {
    let font = FontId::new(ICON_SIZE, icon.font_family());
    painter.text(room.center(), Align2::CENTER_CENTER, icon.codepoint, font, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thumbnails_are_whole_multiples_unless_too_large() {
        let size =
            |width, height, scale| fitted_size(PixelRect::new(0, 0, width, height), Vec2::splat(54.0), scale);
        assert_eq!(size(16, 24, 1.0), vec2(32.0, 48.0));
        assert_eq!(size(16, 24, 2.0), vec2(32.0, 48.0), "at four device pixels each");
        assert_eq!(size(108, 54, 1.0), vec2(54.0, 27.0));
        assert_eq!(size(1, 30_000, 1.0), vec2(1.0, 54.0));
    }
}
