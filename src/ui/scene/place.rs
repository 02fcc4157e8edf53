//! Where the scene is on the screen. The canvas of sheets does the arithmetic: a pixel of the picture is one sixteenth of
//! a metre, counted from its upper left corner.

use eframe::egui;
use egui::{Pos2, Rect};

use crate::geometry::{PixelRect, Size};
use crate::runtime::{Bounds, Point};
use crate::ui::canvas::view::Placement;

/// Pixels of the picture to the metre.
pub(super) const PIXELS_PER_METER: f64 = crate::runtime::texture::PIXELS_PER_METER as f64;

/// Between the world and the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) placement: Placement,
    /// The picture's size in pixels.
    pub(super) size: Size,
}

impl Place {
    /// The pixel of the picture that a point of the world is at; also outside.
    pub(super) fn pixel(self, in_world: Point) -> [f64; 2] {
        let (width, height) = (f64::from(self.size.width), f64::from(self.size.height));
        [width / 2.0 + in_world.x * PIXELS_PER_METER, height / 2.0 - in_world.y * PIXELS_PER_METER]
    }

    /// Where a point of the world is on the screen.
    pub(super) fn screen(self, in_world: Point) -> Pos2 {
        let [x, y] = self.pixel(in_world);
        let Placement { zoom, origin_in_device: [left, top], pixels_per_point } = self.placement;
        let along = |at: f64, origin: f64| ((origin + at * zoom) / pixels_per_point) as f32;
        egui::pos2(along(x, left), along(y, top))
    }

    /// The point of the world at a point of the screen.
    pub(super) fn world(self, pos: Pos2) -> Point {
        let [x, y] = self.placement.image_point(pos);
        let (width, height) = (f64::from(self.size.width), f64::from(self.size.height));
        Point::new((x - width / 2.0) / PIXELS_PER_METER, (height / 2.0 - y) / PIXELS_PER_METER)
    }

    /// How many metres a point of the screen is wide.
    pub(super) fn metres_per_point(self) -> f64 {
        self.placement.pixels_per_point / self.placement.zoom / PIXELS_PER_METER
    }

    /// The picture's frame on the screen.
    pub(super) fn picture(self) -> Rect {
        self.placement.rect_on_screen(PixelRect::of_image(self.size))
    }

    /// The upright rectangle of the screen around bounds of the world.
    pub(super) fn rect(self, bounds: Bounds) -> Rect {
        Rect::from_two_pos(self.screen(bounds.min), self.screen(bounds.max))
    }

    /// Pixels of the picture, whole ones, around bounds of the world.
    pub(super) fn pixels_of(self, bounds: Bounds) -> PixelRect {
        let [left, bottom] = self.pixel(bounds.min);
        let [right, top] = self.pixel(bounds.max);
        let (x, y) = (left.floor() as i32, top.floor() as i32);
        PixelRect::new(
            x,
            y,
            (right.ceil() as i32).saturating_sub(x),
            (bottom.ceil() as i32).saturating_sub(y),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_picture_is_the_origin_and_y_goes_up() {
        let placement = Placement { zoom: 2.0, origin_in_device: [10.0, 20.0], pixels_per_point: 1.0 };
        let place = Place { placement, size: Size::new(320, 240) };
        assert_eq!(place.pixel(Point::new(0.0, 0.0)), [160.0, 120.0]);
        assert_eq!(place.pixel(Point::new(1.0, 2.0)), [176.0, 88.0]);
        assert_eq!(place.screen(Point::new(1.0, 2.0)), egui::pos2(10.0 + 352.0, 20.0 + 176.0));
        let back = place.world(egui::pos2(362.0, 196.0));
        assert_eq!((back.x, back.y), (1.0, 2.0));
        assert_eq!(place.metres_per_point(), 1.0 / 32.0);
    }
}
