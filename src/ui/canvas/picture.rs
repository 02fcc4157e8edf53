//! The image on the canvas: its picture on the backdrop, and the veil over its background.

use std::sync::Arc;

use eframe::egui;
use egui::{Color32, Painter, Rect};

use super::Canvas;
use super::shown::Shown;
use super::tiles::{Mapping, as_tiled};
use super::view::Placement;
use crate::geometry::{PixelRect, Size};
use crate::session::{KeyMarks, Session, SourcePicture, Tiled as _};
use crate::ui::{theme, widgets};

impl Canvas {
    /// The picture on its checkerboard. A newer one takes its place once all that shows of it is there.
    pub(super) fn picture(
        &mut self,
        painter: &Painter,
        placement: &Placement,
        session: &Session,
        path: &Arc<str>,
        newest: Option<&Arc<SourcePicture>>,
    ) {
        let Self { tiles, shown, .. } = self;
        if let Some(newest) = newest {
            let mapping = mapping(placement, newest.size());
            let whole = PixelRect::of_image(newest.size());
            let is_first = shown.as_ref().is_none_or(|shown| shown.path != *path);
            let is_other = shown.as_ref().is_none_or(|shown| shown.picture.serial() != newest.serial());
            if is_first
                || (is_other
                    && tiles.prepare(painter, session.pictures(), &as_tiled(newest), whole, &mapping))
            {
                Shown::replace(shown, path, newest);
                // The strip was drawn before; drawn again at once, it never shows the old picture beside the new one.
                painter.ctx().request_discard("another picture");
            }
        }
        let Some(picture) = shown.as_ref().map(Shown::drawn) else { return };
        let size = picture.size();
        let mapping = mapping(placement, size);
        let on_screen = placement.rect_on_screen(PixelRect::of_image(size));
        let on_screen = Rect::from_min_size(on_screen.min, on_screen.size().max(thinnest(placement)));
        widgets::paint_backdrop(painter, on_screen, session.prefs().backdrop);
        let whole = PixelRect::of_image(size);
        tiles.paint(painter, session.pictures(), &as_tiled(picture), whole, &mapping, Color32::WHITE);
    }

    /// What detection takes for background recedes, as long as what it found is drawn.
    pub(super) fn dim(&mut self, painter: &Painter, placement: &Placement, session: &Session) {
        let detected = self.over.automatic.as_ref().filter(|_| self.shows.frames);
        let veil = detected.and_then(|detected| detected.veil());
        let picture = self.shown.as_ref().filter(|shown| !shown.shows_before).map(|shown| &shown.picture);
        // While an image is read anew, what was found is of another one.
        match (veil, picture) {
            (Some(veil), Some(picture)) if veil.size() == picture.size() => {
                let (mapping, color) =
                    (mapping(placement, veil.size()), theme::palette(painter.ctx()).canvas);
                self.dimming.paint(painter, &mut self.tiles, session.pictures(), veil, &mapping, color);
            }
            _ => self.dimming.leave(),
        }
    }

    /// Pixels that the device would take for the chroma key by mistake, in the colour of what is wrong.
    pub(super) fn mark_key(&mut self, painter: &Painter, placement: &Placement, session: &Session) {
        let source = self.shown.as_ref().filter(|shown| !shown.shows_before).map(|shown| &shown.picture);
        let (Some(key), Some(source)) = (self.over.key, source) else {
            self.key_marks = None;
            return;
        };
        let known = self.key_marks.take().filter(|marks| marks.is_of(source, key));
        let marks = known.unwrap_or_else(|| Arc::new(KeyMarks::new(source.clone(), key)));
        let (whole, mapping) = (PixelRect::of_image(marks.size()), mapping(placement, marks.size()));
        let color = theme::palette(painter.ctx()).flag;
        self.tiles.paint(painter, session.pictures(), &as_tiled(&marks), whole, &mapping, color);
        self.key_marks = Some(marks);
    }
}

/// A very long image is still a device pixel thick.
pub(super) fn mapping(placement: &Placement, size: Size) -> Mapping {
    let Placement { zoom, origin_in_device, pixels_per_point } = *placement;
    let scale = |length: u32| zoom.max(1.0 / f64::from(length.max(1))) / pixels_per_point;
    Mapping {
        origin: origin_in_device.map(|it| it / pixels_per_point),
        scale: [scale(size.width), scale(size.height)],
    }
}

/// A device pixel.
pub(super) fn thinnest(placement: &Placement) -> egui::Vec2 {
    egui::Vec2::splat((1.0 / placement.pixels_per_point) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_one_pixel_wide_is_drawn_one_device_pixel_wide() {
        let placement = Placement { zoom: 0.02, origin_in_device: [400.0, 12.0], pixels_per_point: 2.0 };
        let mapping = mapping(&placement, Size::new(1, 30_000));
        assert_eq!(mapping.scale, [0.5, 0.01]);
        assert_eq!(mapping.origin, [200.0, 6.0]);
    }
}
