//! Points of a scene's world and the maps between its spaces.

use super::object::Transform;

/// A point or a distance. In the world metres, x to the right and y up, with the origin in the middle of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Up in the world, down in pictures.
    pub y: f64,
}

impl Point {
    /// The point at `x`, `y`.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    fn minus(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

/// A map that keeps straight lines straight: what becomes of a step along x, of one along y, and of the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// Where a step of 1 along x leads.
    pub along_x: Point,
    /// Where a step of 1 along y leads.
    pub along_y: Point,
    /// Where the origin lies.
    pub origin: Point,
}

impl Affine {
    /// Changes nothing.
    pub const IDENTITY: Self =
        Self { along_x: Point::new(1.0, 0.0), along_y: Point::new(0.0, 1.0), origin: Point::new(0.0, 0.0) };

    /// From an object's own space to that of its parent: made larger, then turned, then moved.
    pub fn of_transform(transform: &Transform) -> Self {
        let Transform { x, y, rotation, scale_x, scale_y, .. } = *transform;
        let (sin, cos) = sin_cos_of_degrees(rotation.into());
        let (scale_x, scale_y) = (f64::from(scale_x), f64::from(scale_y));
        Self {
            along_x: Point::new(cos * scale_x, sin * scale_x),
            along_y: Point::new(-sin * scale_y, cos * scale_y),
            origin: Point::new(x.into(), y.into()),
        }
    }

    /// From the square between 0, 0 and 1, 1 to the parallelogram whose corners these three are.
    pub fn of_corners(origin: Point, end_of_x: Point, end_of_y: Point) -> Self {
        Self { along_x: end_of_x.minus(origin), along_y: end_of_y.minus(origin), origin }
    }

    /// Where a point is mapped to.
    pub fn apply(&self, point: Point) -> Point {
        let Point { x, y } = self.direction(point);
        Point::new(x + self.origin.x, y + self.origin.y)
    }

    /// Where a distance is mapped to.
    fn direction(&self, by: Point) -> Point {
        let Self { along_x, along_y, .. } = self;
        Point::new(along_x.x * by.x + along_y.x * by.y, along_x.y * by.x + along_y.y * by.y)
    }

    /// First `inner`, then this.
    #[must_use]
    pub fn after(&self, inner: &Self) -> Self {
        Self {
            along_x: self.direction(inner.along_x),
            along_y: self.direction(inner.along_y),
            origin: self.apply(inner.origin),
        }
    }

    /// The way back; `None` for what has no area, or too much for a number.
    pub fn inverse(&self) -> Option<Self> {
        let Self { along_x, along_y, origin } = self;
        let area = along_x.x * along_y.y - along_y.x * along_x.y;
        if !area.is_normal() {
            return None;
        }
        let turned = Self {
            along_x: Point::new(along_y.y / area, -along_x.y / area),
            along_y: Point::new(-along_y.x / area, along_x.x / area),
            origin: Point::default(),
        };
        let Point { x, y } = turned.direction(*origin);
        (x.is_finite() && y.is_finite()).then_some(Self { origin: Point::new(-x, -y), ..turned })
    }
}

impl Affine {
    /// The transform that does this, with the `z` of another. Exact unless there is a slant in it, as a turn under a
    /// parent that is wider than high makes.
    pub fn to_transform(self, z: f32) -> Transform {
        let Self { along_x, along_y, origin } = self;
        let width = along_x.x.hypot(along_x.y);
        let area = along_x.x * along_y.y - along_y.x * along_x.y;
        let height = if width > 0.0 { area / width } else { along_y.x.hypot(along_y.y) };
        let rotation = along_x.y.atan2(along_x.x).to_degrees();
        Transform {
            x: origin.x as f32,
            y: origin.y as f32,
            z,
            rotation: rotation as f32,
            scale_x: width as f32,
            scale_y: height as f32,
        }
    }
}

/// Quarter turns are exact, so that pixels stay pixels.
fn sin_cos_of_degrees(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => other.to_radians().sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(x: f64, y: f64) -> Point {
        Point::new(x, y)
    }

    #[test]
    fn an_object_is_made_larger_then_turned_against_the_clock_then_moved() {
        let transform = Transform {
            x: 10.0,
            y: 20.0,
            rotation: 90.0,
            scale_x: 2.0,
            scale_y: 3.0,
            ..Transform::default()
        };
        let map = Affine::of_transform(&transform);
        // Right becomes up, up becomes left.
        assert_eq!(map.apply(at(1.0, 0.0)), at(10.0, 22.0));
        assert_eq!(map.apply(at(0.0, 1.0)), at(7.0, 20.0));
    }

    #[test]
    fn quarter_turns_are_exact_either_way_and_others_near() {
        for (degrees, expected) in [(-90.0, (-1.0, 0.0)), (450.0, (1.0, 0.0)), (-180.0, (0.0, -1.0))] {
            assert_eq!(sin_cos_of_degrees(degrees), expected);
        }
        let (sin, cos) = sin_cos_of_degrees(30.0);
        assert!((sin - 0.5).abs() < 1e-12 && (cos - 0.75_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_child_is_mapped_by_its_own_and_then_by_its_parent() {
        let parent = Affine::of_transform(&Transform { x: 5.0, rotation: 180.0, ..Transform::default() });
        let child = Affine::of_transform(&Transform { x: 1.0, scale_x: 2.0, ..Transform::default() });
        // 3 x 2 + 1 = 7, turned to -7, moved to -2.
        assert_eq!(parent.after(&child).apply(at(3.0, 1.0)), at(-2.0, -1.0));
    }

    #[test]
    fn the_way_back_leads_back_and_what_is_flat_has_none() {
        let map = Affine::of_corners(at(1.0, 1.0), at(5.0, 1.0), at(3.0, -1.0));
        let back = map.inverse().unwrap();
        assert_eq!(map.apply(at(0.5, 0.5)), at(4.0, 0.0));
        assert_eq!(back.apply(at(4.0, 0.0)), at(0.5, 0.5));
        let flat = Affine::of_corners(at(1.0, 1.0), at(5.0, 1.0), at(9.0, 1.0));
        assert_eq!(flat.inverse(), None);
        let endless = Affine { origin: at(f64::INFINITY, 0.0), ..Affine::IDENTITY };
        assert_eq!(endless.inverse(), None);
    }
}
