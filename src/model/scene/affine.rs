//! Places in a scene: how an object's own coordinates become those of the world.

use super::object::Transform;

/// Maps points: first scaled and turned, then moved. Metres, x to the right, y up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// Where the unit along x goes.
    pub x_axis: [f64; 2],
    /// Where the unit along y goes.
    pub y_axis: [f64; 2],
    /// Where the origin goes.
    pub origin: [f64; 2],
}

impl Affine {
    /// Leaves every point where it is.
    pub const IDENTITY: Self = Self { x_axis: [1.0, 0.0], y_axis: [0.0, 1.0], origin: [0.0, 0.0] };

    /// What a transform does to points of its object.
    pub fn of(transform: &Transform) -> Self {
        let (sin, cos) = turn(transform.rotation);
        let (width, height) = (f64::from(transform.scale_x), f64::from(transform.scale_y));
        Self {
            x_axis: [cos * width, sin * width],
            y_axis: [-sin * height, cos * height],
            origin: [transform.x.into(), transform.y.into()],
        }
    }

    /// First `inner`, then this: the place of a child in what this is the place in.
    #[must_use]
    pub fn around(&self, inner: &Self) -> Self {
        let origin = self.map(inner.origin);
        Self { x_axis: self.turn(inner.x_axis), y_axis: self.turn(inner.y_axis), origin }
    }

    /// Where a point goes.
    pub fn map(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [dx, dy] = self.turn([x, y]);
        [self.origin[0] + dx, self.origin[1] + dy]
    }

    /// Where a direction goes, with its length.
    fn turn(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.x_axis[0] * x + self.y_axis[0] * y, self.x_axis[1] * x + self.y_axis[1] * y]
    }

    /// What takes this back; `None` when it makes everything flat.
    pub fn inverse(&self) -> Option<Self> {
        let (across, up) = (self.x_axis, self.y_axis);
        let area = self.area();
        if !area.is_normal() {
            return None;
        }
        let back = Self {
            x_axis: [up[1] / area, -across[1] / area],
            y_axis: [-up[0] / area, across[0] / area],
            origin: [0.0, 0.0],
        };
        let [x, y] = back.turn(self.origin);
        Some(Self { origin: [-x, -y], ..back })
    }

    /// What becomes of a unit square's area; negative when it is mirrored.
    fn area(&self) -> f64 {
        self.x_axis[0] * self.y_axis[1] - self.x_axis[1] * self.y_axis[0]
    }

    /// The transform that does this, with the `z` of another. Exact unless there is a slant in it, as a turn under a
    /// parent that is wider than high makes.
    pub fn to_transform(self, z: f32) -> Transform {
        let width = self.x_axis[0].hypot(self.x_axis[1]);
        let height = if width > 0.0 { self.area() / width } else { self.y_axis[0].hypot(self.y_axis[1]) };
        let rotation = self.x_axis[1].atan2(self.x_axis[0]).to_degrees();
        let [x, y] = self.origin.map(|metres| metres as f32);
        Transform { x, y, z, rotation: rotation as f32, scale_x: width as f32, scale_y: height as f32 }
    }
}

/// Sine and cosine of degrees; quarter turns are exact.
fn turn(degrees: f32) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => f64::from(degrees).to_radians().sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> bool {
        (ax - bx).abs() < 1e-3 && (ay - by).abs() < 1e-3
    }

    #[test]
    fn a_child_is_turned_and_scaled_with_its_parent() {
        let parent = Transform { x: 10.0, y: 5.0, rotation: 90.0, scale_x: 2.0, scale_y: 2.0, z: 0.0 };
        let child = Transform { x: 3.0, ..Transform::default() };
        let world = Affine::of(&parent).around(&Affine::of(&child));
        // 3 to the right of a parent that is turned to the left and twice as large: 6 up.
        assert_eq!(world.map([0.0, 0.0]), [10.0, 11.0]);
        // And 1 up of the child is 2 to the left.
        assert_eq!(world.map([0.0, 1.0]), [8.0, 11.0]);
    }

    #[test]
    fn what_is_flat_has_no_inverse() {
        let flat = Affine::of(&Transform { scale_x: 0.0, ..Transform::default() });
        assert_eq!(flat.inverse(), None);
    }

    proptest! {
        #[test]
        fn an_inverse_takes_back_and_a_transform_is_found_again(
            (x, y, rotation) in (-50.0f32..50.0, -50.0f32..50.0, -170.0f32..170.0),
            (scale_x, scale_y) in (0.1f32..4.0, -4.0f32..-0.1),
            point in (-9.0f64..9.0, -9.0f64..9.0),
        ) {
            let transform = Transform { x, y, z: 7.0, rotation, scale_x, scale_y };
            let affine = Affine::of(&transform);
            let point = [point.0, point.1];
            prop_assert!(near(affine.inverse().unwrap().map(affine.map(point)), point));
            let again = affine.to_transform(7.0);
            prop_assert!(near(Affine::of(&again).map(point), affine.map(point)), "{:?}", again);
        }
    }
}
