//! Objects that are moved, turned and scaled by the pointer: from where it is to where that puts them. Pure.

use crate::edit::Moved;
use crate::model::Scene;
use crate::model::scene::{Affine, ObjectKey, Point, Transform};

/// Turning with Shift goes in steps of so many degrees.
const DEGREES_STEP: f32 = 15.0;
/// So near to the pivot, in metres, a direction is none.
const LEAST_ARM: f64 = 1e-6;

/// Which sides a handle scales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) width: bool,
    pub(super) height: bool,
}

impl Sides {
    pub(super) const BOTH: Self = Self { width: true, height: true };
}

/// What a drag does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum How {
    Move,
    /// Around this point of the world.
    Rotate(Point),
    /// Each around its own place, along its own axes.
    Scale(Sides),
}

/// An object at the start of a drag.
#[derive(Debug, Clone, Copy)]
struct Grabbed {
    key: ObjectKey,
    transform: Transform,
    world: Affine,
    /// From the world to what its numbers are in.
    inside: Affine,
}

/// Objects that are dragged. Nothing changes until the button is let go.
#[derive(Debug, Clone)]
pub(super) struct Drag {
    pub(super) how: How,
    start: Point,
    objects: Vec<Grabbed>,
    /// Where the objects would be.
    pub(super) places: Vec<(ObjectKey, Transform)>,
}

impl Drag {
    /// A drag of the outermost of these objects from a point of the world.
    pub(super) fn new(how: How, start: Point, scene: &Scene, keys: &[ObjectKey]) -> Self {
        let grabbed = keys.iter().filter_map(|&key| {
            let parent = scene.parent_of(key).map_or(Affine::IDENTITY, |parent| scene.world_of(parent.key));
            let transform = scene.object(key)?.transform();
            Some(Grabbed { key, transform, world: scene.world_of(key), inside: parent.inverse()? })
        });
        Self { how, start, objects: grabbed.collect(), places: Vec::new() }
    }

    /// The kind of step that it becomes.
    pub(super) const fn step(&self) -> Moved {
        match self.how {
            How::Move => Moved::Move,
            How::Rotate(_) => Moved::Rotate,
            How::Scale(_) => Moved::Scale,
        }
    }

    /// Whether anything is elsewhere than at the start.
    pub(super) fn changes(&self) -> bool {
        let before = |key| self.objects.iter().find(|grabbed| grabbed.key == key).map(|it| it.transform);
        self.places.iter().any(|(key, transform)| before(*key) != Some(*transform))
    }

    /// How far the pointer went, along one axis of the world only when `is_straight`.
    pub(super) fn way(&self, to: Point, is_straight: bool) -> Point {
        let (dx, dy) = (to.x - self.start.x, to.y - self.start.y);
        match is_straight {
            true if dx.abs() >= dy.abs() => Point::new(dx, 0.0),
            true => Point::new(0.0, dy),
            false => Point::new(dx, dy),
        }
    }

    /// Moves the objects by metres of the world.
    pub(super) fn move_by(&mut self, way: Point) {
        let places = self.objects.iter().map(|grabbed| {
            let Grabbed { key, transform, world, inside } = grabbed;
            if way == Point::new(0.0, 0.0) {
                return (*key, *transform);
            }
            let origin = Point::new(world.origin.x + way.x, world.origin.y + way.y);
            let inside = inside.apply(origin);
            (*key, Transform { x: inside.x as f32, y: inside.y as f32, ..*transform })
        });
        self.places = places.collect();
    }

    /// Turns or scales the objects as the pointer at `to` says. `is_even` turns in steps, and keeps shapes.
    pub(super) fn drag_to(&mut self, to: Point, is_even: bool) {
        let start = self.start;
        self.places = match self.how {
            How::Move => return,
            How::Rotate(pivot) => {
                let angle = |point: Point| (point.y - pivot.y).atan2(point.x - pivot.x).to_degrees();
                let is_near = |point: Point| (point.x - pivot.x).hypot(point.y - pivot.y) < LEAST_ARM;
                if is_near(start) || is_near(to) {
                    return;
                }
                let mut by = (angle(to) - angle(start)) as f32;
                if is_even {
                    by = (by / DEGREES_STEP).round() * DEGREES_STEP;
                }
                self.objects.iter().map(|grabbed| (grabbed.key, grabbed.turned(pivot, by))).collect()
            }
            How::Scale(sides) => {
                let scaled = |grabbed: &Grabbed| (grabbed.key, grabbed.scaled(sides, start, to, is_even));
                self.objects.iter().map(scaled).collect()
            }
        };
    }
}

impl Grabbed {
    fn turned(&self, pivot: Point, degrees: f32) -> Transform {
        if degrees == 0.0 {
            return self.transform;
        }
        let turn = Affine::of_transform(&Transform { rotation: degrees, ..Transform::default() });
        let arm = Point::new(self.world.origin.x - pivot.x, self.world.origin.y - pivot.y);
        let arm = turn.apply(arm);
        let origin = self.inside.apply(Point::new(pivot.x + arm.x, pivot.y + arm.y));
        let rotation = tidy((self.transform.rotation + degrees).rem_euclid(360.0));
        // A single object turns on the spot: its numbers stay as they are written.
        let is_on_the_spot = arm.x.hypot(arm.y) < LEAST_ARM;
        let (x, y) = if is_on_the_spot {
            (self.transform.x, self.transform.y)
        } else {
            (origin.x as f32, origin.y as f32)
        };
        Transform { x, y, rotation, ..self.transform }
    }

    fn scaled(&self, sides: Sides, start: Point, to: Point, is_even: bool) -> Transform {
        let Some(own) = self.world.inverse() else { return self.transform };
        let (from, to) = (own.apply(start), own.apply(to));
        let ratio = |from: f64, to: f64| if from.abs() < LEAST_ARM { 1.0 } else { to / from };
        let mut width = if sides.width { ratio(from.x, to.x) } else { 1.0 };
        let mut height = if sides.height { ratio(from.y, to.y) } else { 1.0 };
        if is_even {
            let both = if (width - 1.0).abs() > (height - 1.0).abs() { width } else { height };
            (width, height) = (both, both);
        }
        let Transform { scale_x, scale_y, .. } = self.transform;
        let scaled = |scale: f32, by: f64| tidy((f64::from(scale) * by) as f32);
        Transform { scale_x: scaled(scale_x, width), scale_y: scaled(scale_y, height), ..self.transform }
    }
}

/// Hundredths are enough for a hand.
fn tidy(number: f32) -> f32 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::scene::Object;

    /// A parent at 10, 0 that is turned to the left, with a child 2 further along its x.
    fn scene() -> (Scene, ObjectKey, ObjectKey) {
        let mut scene = Scene::new("Level");
        let add = |scene: &mut Scene, parent, transform| {
            let mut object = Object::new(scene.take_key(), scene.free_id(), "object");
            object.set_transform(transform);
            let key = object.key;
            scene.children_mut(parent).unwrap().push(Arc::new(object));
            key
        };
        let turned = Transform { x: 10.0, rotation: 90.0, ..Transform::default() };
        let parent = add(&mut scene, None, turned);
        let child = add(&mut scene, Some(parent), Transform { x: 2.0, ..Transform::default() });
        (scene, parent, child)
    }

    #[test]
    fn a_child_goes_where_the_pointer_goes_whatever_its_parent_does() {
        let (scene, _, child) = scene();
        let mut drag = Drag::new(How::Move, Point::new(0.0, 0.0), &scene, &[child]);
        drag.move_by(Point::new(3.0, 0.0));
        // 3 to the right of the world is 3 down for what is turned to the left.
        let (_, moved) = drag.places[0];
        assert!((moved.x - 2.0).abs() < 1e-5 && (moved.y + 3.0).abs() < 1e-5, "{moved:?}");
        drag.move_by(Point::new(0.0, 0.0));
        assert!(!drag.changes());
    }

    #[test]
    fn a_straight_move_keeps_to_the_longer_way() {
        let (scene, _, child) = scene();
        let drag = Drag::new(How::Move, Point::new(1.0, 1.0), &scene, &[child]);
        assert_eq!(drag.way(Point::new(4.0, 2.0), true), Point::new(3.0, 0.0));
        assert_eq!(drag.way(Point::new(2.0, -4.0), true), Point::new(0.0, -5.0));
    }

    #[test]
    fn a_quarter_turn_around_its_own_place_changes_the_angle_alone() {
        let (scene, parent, _) = scene();
        let pivot = Point::new(10.0, 0.0);
        let mut drag = Drag::new(How::Rotate(pivot), Point::new(11.0, 0.0), &scene, &[parent]);
        drag.drag_to(Point::new(10.05, 3.0), true);
        let (_, turned) = drag.places[0];
        assert_eq!((turned.x, turned.y, turned.rotation), (10.0, 0.0, 180.0));
    }

    #[test]
    fn scaling_goes_along_the_objects_own_axes() {
        let (scene, parent, _) = scene();
        let sides = Sides { width: true, height: false };
        let mut drag = Drag::new(How::Scale(sides), Point::new(10.0, 1.0), &scene, &[parent]);
        // Its x goes up in the world.
        drag.drag_to(Point::new(25.0, 2.0), false);
        let (_, scaled) = drag.places[0];
        assert_eq!((scaled.scale_x, scaled.scale_y), (2.0, 1.0));
        drag.drag_to(Point::new(25.0, 2.0), true);
        assert_eq!((drag.places[0].1.scale_x, drag.places[0].1.scale_y), (2.0, 2.0));
    }
}
