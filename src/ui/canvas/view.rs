//! Where the canvas is looked at: pure arithmetic of zooming and panning, apart from what is drawn.
//!
//! Zoom is in device pixels per image pixel, so that 100 % is one to one on any display and every step from
//! there on is whole. Positions are kept in 64 bits: at 6400 % an image is millions of pixels wide.

use eframe::egui;
use egui::{Pos2, Rect, Vec2, pos2};

use crate::geometry::{PixelRect, Size};
use crate::session::View;

/// Zoom steps, in device pixels per image pixel.
pub(in crate::ui) const STEPS: [f64; 20] = [
    0.1,
    0.125,
    1.0 / 6.0,
    0.25,
    1.0 / 3.0,
    0.5,
    2.0 / 3.0,
    1.0,
    2.0,
    3.0,
    4.0,
    5.0,
    6.0,
    8.0,
    12.0,
    16.0,
    24.0,
    32.0,
    48.0,
    64.0,
];
/// Fitting magnifies no further: a small icon need not fill the window.
const MAX_FIT: f64 = 16.0;
/// Free around a fitted image, in points.
const FIT_MARGIN: f32 = 12.0;
/// So much of the image stays on the canvas however far it is dragged, in points.
const IN_REACH: f64 = 48.0;
/// Zoom levels that differ by less are the same.
const TOLERANCE: f64 = 1e-3;

/// The part of the window that the canvas has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ui) struct Screen {
    /// Where it is, in points.
    pub(in crate::ui) rect: Rect,
    /// Device pixels per point.
    pub(in crate::ui) pixels_per_point: f32,
}

impl Screen {
    fn device(self, points: f32) -> f64 {
        f64::from(points) * f64::from(self.pixels_per_point)
    }

    /// How far from the middle of the canvas, in device pixels.
    fn device_offset(self, pos: Pos2) -> [f64; 2] {
        let Vec2 { x, y } = pos - self.rect.center();
        [self.device(x), self.device(y)]
    }
}

/// Where a sheet is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ui) struct Viewpoint {
    /// Device pixels per image pixel.
    pub(in crate::ui) zoom: f64,
    /// The image point in the middle of the canvas, x and y.
    pub(in crate::ui) center_in_image: [f64; 2],
}

impl Viewpoint {
    /// The whole image, at the largest step at which it fits.
    pub(in crate::ui) fn fitting(image: Size, screen: Screen) -> Self {
        Self::fitting_rect(PixelRect::of_image(image), screen)
    }

    /// A part of the image, at the largest step at which it fits.
    pub(in crate::ui) fn fitting_rect(rect_in_image: PixelRect, screen: Screen) -> Self {
        let PixelRect { x, y, width, height } = rect_in_image;
        let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
        let room = |points: f32| screen.device((points - 2.0 * FIT_MARGIN).max(1.0));
        let exact = (room(screen.rect.width()) / width).min(room(screen.rect.height()) / height);
        let center_in_image = [f64::from(x) + width / 2.0, f64::from(y) + height / 2.0];
        Self { zoom: step_at_most(exact).min(MAX_FIT), center_in_image }
    }

    /// What was remembered, on this display.
    pub(in crate::ui) fn from_remembered(view: View, screen: Screen) -> Self {
        let zoom = screen.device(view.zoom);
        let is_usable =
            zoom.is_finite() && zoom > 0.0 && view.center_x.is_finite() && view.center_y.is_finite();
        if !is_usable {
            return Self { zoom: 1.0, center_in_image: [0.0, 0.0] };
        }
        let zoom = if zoom < STEPS[0] { zoom } else { nearest_step(zoom) };
        Self { zoom, center_in_image: [view.center_x.into(), view.center_y.into()] }
    }

    /// What to remember.
    pub(in crate::ui) fn to_remember(self, screen: Screen) -> View {
        let [center_x, center_y] = self.center_in_image.map(|it| it as f32);
        View { zoom: (self.zoom / f64::from(screen.pixels_per_point)) as f32, center_x, center_y }
    }

    /// Another zoom; the image point at `pos` stays there.
    #[must_use]
    pub(in crate::ui) fn zoomed_at(self, zoom: f64, pos: Pos2, screen: Screen) -> Self {
        let Self { zoom: old, center_in_image: [x, y] } = self;
        let [right, down] = screen.device_offset(pos);
        let shift = 1.0 / old - 1.0 / zoom;
        Self { zoom, center_in_image: [x + right * shift, y + down * shift] }
    }

    /// The image follows the hand by `delta` points.
    #[must_use]
    pub(in crate::ui) fn panned(self, delta: Vec2, screen: Screen) -> Self {
        let [x, y] = self.center_in_image;
        let center_in_image =
            [x - screen.device(delta.x) / self.zoom, y - screen.device(delta.y) / self.zoom];
        Self { center_in_image, ..self }
    }

    /// The nearest view that leaves some of the image on the canvas.
    #[must_use]
    pub(in crate::ui) fn in_reach(self, image: Size, screen: Screen) -> Self {
        let within = |center: f64, length: u32, canvas: f32| {
            let half = (screen.device(canvas) / 2.0 - IN_REACH).max(0.0) / self.zoom;
            center.clamp(-half, f64::from(length) + half)
        };
        let [x, y] = self.center_in_image;
        let center_in_image =
            [within(x, image.width, screen.rect.width()), within(y, image.height, screen.rect.height())];
        Self { center_in_image, ..self }
    }

    /// Where that puts the image on the screen.
    pub(in crate::ui) fn placement(self, screen: Screen) -> Placement {
        let middle = screen.rect.center();
        let [x, y] = self.center_in_image;
        // A whole device pixel: the art neither blurs nor shimmers while it is dragged.
        let origin_in_device = [
            (screen.device(middle.x) - x * self.zoom).round(),
            (screen.device(middle.y) - y * self.zoom).round(),
        ];
        Placement { zoom: self.zoom, origin_in_device, pixels_per_point: screen.pixels_per_point.into() }
    }
}

/// The largest step that is no larger; what is smaller than all steps stays as it is.
pub(in crate::ui) fn step_at_most(zoom: f64) -> f64 {
    STEPS.into_iter().rfind(|step| *step <= zoom * (1.0 + TOLERANCE)).unwrap_or(zoom)
}

/// The step above; the last one stays.
pub(in crate::ui) fn step_up(zoom: f64) -> f64 {
    STEPS.into_iter().find(|step| *step > zoom * (1.0 + TOLERANCE)).unwrap_or(STEPS[STEPS.len() - 1])
}

/// The step below. Below all steps comes `smallest`, the zoom at which a very long image fits.
pub(in crate::ui) fn step_down(zoom: f64, smallest: f64) -> f64 {
    STEPS.into_iter().rfind(|step| *step < zoom * (1.0 - TOLERANCE)).unwrap_or(smallest.min(zoom))
}

fn nearest_step(zoom: f64) -> f64 {
    let ratio = |step: f64| (step / zoom).max(zoom / step);
    STEPS.into_iter().min_by(|a, b| ratio(*a).total_cmp(&ratio(*b))).unwrap_or(zoom)
}

/// Where the image is on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ui) struct Placement {
    /// Device pixels per image pixel.
    pub(in crate::ui) zoom: f64,
    /// The image's top left corner, in whole device pixels.
    pub(in crate::ui) origin_in_device: [f64; 2],
    /// Device pixels per point.
    pub(in crate::ui) pixels_per_point: f64,
}

impl Placement {
    /// The image point at a point of the screen, x and y.
    pub(in crate::ui) fn image_point(&self, pos: Pos2) -> [f64; 2] {
        let [left, top] = self.origin_in_device;
        let along =
            |points: f32, origin: f64| (f64::from(points) * self.pixels_per_point - origin) / self.zoom;
        [along(pos.x, left), along(pos.y, top)]
    }

    /// The image pixel at a point of the screen; also outside the image.
    pub(in crate::ui) fn pixel_at(&self, pos: Pos2) -> (i64, i64) {
        let [x, y] = self.image_point(pos);
        (x.floor() as i64, y.floor() as i64)
    }

    /// The screen point of an image point, in points, on a whole device pixel.
    pub(in crate::ui) fn snapped(&self, x: i64, y: i64) -> Pos2 {
        let [left, top] = self.origin_in_device;
        let along =
            |at: i64, origin: f64| ((origin + at as f64 * self.zoom).round() / self.pixels_per_point) as f32;
        pos2(along(x, left), along(y, top))
    }

    /// A rectangle of image pixels on the screen, in points, its edges on whole device pixels.
    pub(in crate::ui) fn rect_on_screen(&self, rect: PixelRect) -> Rect {
        let min = self.snapped(rect.x.into(), rect.y.into());
        Rect::from_min_max(min, self.snapped(rect.right(), rect.bottom()))
    }

    /// The pixels of the image that a part of the screen shows; `None` when it shows none.
    pub(in crate::ui) fn shown(&self, rect_on_screen: Rect, image: Size) -> Option<PixelRect> {
        self.pixels_in(rect_on_screen).clipped_to(image)
    }

    /// The pixels, also outside the image, that a part of the screen shows.
    pub(in crate::ui) fn pixels_in(&self, rect_on_screen: Rect) -> PixelRect {
        let [left, top] = self.image_point(rect_on_screen.min).map(|it| it.floor() as i32);
        let [right, bottom] = self.image_point(rect_on_screen.max).map(|it| it.ceil() as i32);
        PixelRect::new(left, top, right.saturating_sub(left), bottom.saturating_sub(top))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn screen(width: f32, height: f32, pixels_per_point: f32) -> Screen {
        Screen { rect: Rect::from_min_size(pos2(100.0, 50.0), egui::vec2(width, height)), pixels_per_point }
    }

    #[test]
    fn fitting_rounds_down_to_a_step() {
        // 776 / 265 = 2.93, 576 / 199 = 2.89
        assert_eq!(Viewpoint::fitting(Size::new(265, 199), screen(800.0, 600.0, 1.0)).zoom, 2.0);
        // 776 / 1024 = 0.76
        let fitted = Viewpoint::fitting(Size::new(1024, 300), screen(800.0, 600.0, 1.0));
        assert_eq!((fitted.zoom, fitted.center_in_image), (2.0 / 3.0, [512.0, 150.0]));
    }

    #[test]
    fn a_small_image_is_fitted_at_1600_percent_and_a_very_long_one_below_10() {
        assert_eq!(Viewpoint::fitting(Size::new(4, 4), screen(800.0, 600.0, 1.0)).zoom, 16.0);
        let long = Viewpoint::fitting(Size::new(1, 30_000), screen(800.0, 600.0, 1.0));
        assert!((long.zoom - 576.0 / 30_000.0).abs() < 1e-9);
    }

    #[test]
    fn fitting_counts_device_pixels() {
        assert_eq!(Viewpoint::fitting(Size::new(265, 199), screen(800.0, 600.0, 2.0)).zoom, 5.0);
    }

    #[test]
    fn steps_go_up_and_down_and_end() {
        assert_eq!(step_up(1.0), 2.0);
        assert_eq!(step_up(64.0), 64.0);
        assert_eq!(step_up(0.02), 0.1);
        assert_eq!(step_down(1.0, 0.02), 2.0 / 3.0);
        assert_eq!(step_down(0.1, 0.02), 0.02);
        assert_eq!(step_down(0.02, 0.02), 0.02);
        assert_eq!(step_down(0.1, 0.5), 0.1, "what fits at 50 % is not shown smaller than the last step");
    }

    #[test]
    fn panning_follows_the_hand() {
        let view = Viewpoint { zoom: 4.0, center_in_image: [10.0, 10.0] };
        let panned = view.panned(egui::vec2(8.0, -4.0), screen(800.0, 600.0, 1.0));
        assert_eq!(panned.center_in_image, [8.0, 11.0]);
    }

    #[test]
    fn the_image_cannot_be_dragged_out_of_reach() {
        let screen = screen(800.0, 600.0, 1.0);
        let far = Viewpoint { zoom: 1.0, center_in_image: [5000.0, -5000.0] };
        let view = far.in_reach(Size::new(64, 64), screen);
        assert_eq!(view.center_in_image, [64.0 + 352.0, -252.0]);
        let shown = view.placement(screen).shown(screen.rect, Size::new(64, 64));
        assert_eq!(shown, Some(PixelRect::new(16, 0, 48, 48)));
    }

    #[test]
    fn a_view_is_remembered_in_points_and_comes_back_on_a_step() {
        let on_hidpi = screen(800.0, 600.0, 2.0);
        let view = Viewpoint { zoom: 8.0, center_in_image: [12.5, 7.0] };
        let remembered = view.to_remember(on_hidpi);
        assert_eq!(remembered.zoom, 4.0);
        assert_eq!(Viewpoint::from_remembered(remembered, on_hidpi), view);
        assert_eq!(Viewpoint::from_remembered(remembered, screen(800.0, 600.0, 1.0)).zoom, 4.0);
        let odd = View { zoom: 3.4, ..remembered };
        assert_eq!(Viewpoint::from_remembered(odd, screen(800.0, 600.0, 1.0)).zoom, 3.0);
        let broken = View { zoom: f32::NAN, ..remembered };
        assert_eq!(Viewpoint::from_remembered(broken, on_hidpi).zoom, 1.0);
    }

    #[test]
    fn pixels_are_found_where_they_are_drawn() {
        let screen = screen(800.0, 600.0, 1.0);
        let placement = Viewpoint { zoom: 8.0, center_in_image: [32.0, 16.0] }.placement(screen);
        // The middle of the canvas is at 500, 350.
        assert_eq!(placement.rect_on_screen(PixelRect::new(32, 16, 1, 1)).min, pos2(500.0, 350.0));
        assert_eq!(placement.pixel_at(pos2(507.9, 350.0)), (32, 16));
        assert_eq!(placement.pixel_at(pos2(499.9, 349.9)), (31, 15));
    }

    proptest! {
        #[test]
        fn the_pixel_under_the_pointer_stays_while_zooming(
            x in 100.0_f32..900.0, y in 50.0_f32..650.0, from in 0..20_usize, to in 0..20_usize,
            center in (0.0..30_000.0_f64, 0.0..30_000.0_f64),
        ) {
            let screen = screen(800.0, 600.0, 1.5);
            let pos = pos2(x, y);
            let view = Viewpoint { zoom: STEPS[from], center_in_image: center.into() };
            let zoomed = view.zoomed_at(STEPS[to], pos, screen);
            let before = view.placement(screen).image_point(pos);
            let after = zoomed.placement(screen).image_point(pos);
            // Both placements are rounded to a device pixel.
            let allowed = 0.5001 / STEPS[from] + 0.5001 / STEPS[to];
            prop_assert!((before[0] - after[0]).abs() <= allowed, "{before:?} {after:?}");
            prop_assert!((before[1] - after[1]).abs() <= allowed, "{before:?} {after:?}");
        }

        #[test]
        fn from_100_percent_on_every_pixel_edge_is_a_device_pixel(
            center in (0.0..4000.0_f64, 0.0..4000.0_f64), step in 7..20_usize, at in 0..4000_i64,
        ) {
            let screen = screen(801.0, 599.0, 1.5);
            let placement = Viewpoint { zoom: STEPS[step], center_in_image: center.into() }.placement(screen);
            let exact = placement.origin_in_device[0] + at as f64 * placement.zoom;
            prop_assert_eq!(exact, exact.round());
        }

        #[test]
        fn what_is_shown_covers_the_canvas(center in (-100.0..400.0_f64, -100.0..400.0_f64), step in 0..20_usize) {
            let screen = screen(800.0, 600.0, 1.0);
            let image = Size::new(300, 300);
            let placement = Viewpoint { zoom: STEPS[step], center_in_image: center.into() }.placement(screen);
            let pixel = placement.pixel_at(screen.rect.center());
            if PixelRect::of_image(image).contains(pixel.0, pixel.1) {
                let shown = placement.shown(screen.rect, image);
                prop_assert!(shown.is_some_and(|shown| shown.contains(pixel.0, pixel.1)));
            }
        }
    }
}
