//! A scene: a tree of objects with components, as the engine's files have it (spec page "2DTX and sidecars", section 6).
//!
//! A scene is kept as the tree that its file holds. What we understand is read from it on request and written into it
//! key by key, so that components of other programs, keys that we do not know and values of another type than expected
//! survive whatever is done around them.

pub mod affine;
pub mod object;
pub mod sprite;
pub mod value;

use std::sync::Arc;

pub use affine::{Affine, Point};
pub use object::{Object, ObjectKey, Transform};
pub use sprite::{AssetRef, Color, Property, RenderMode, SPRITE_COMPONENT, Sprite};
pub use value::{Bytes, Data, Value};

use crate::geometry::Size;

/// How deep the engine's parser follows maps and lists.
pub const MAX_DEPTH: usize = 64;

/// The picture's size in pixels of a scene that does not say it.
pub const DEFAULT_SIZE: Size = Size::new(320, 240);

/// A scene. Cheap to copy: objects are shared.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The root map, with an empty list in the place of its objects, see [`Value::take_items`].
    pub body: Value,
    /// The objects at the root, in their order.
    pub objects: Arc<Vec<Arc<Object>>>,
    /// No object has or had this key or a higher one.
    pub next_key: u32,
    /// The whole file that it was read from, also when it has been changed since.
    pub spelled: Option<Bytes>,
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.body == other.body && same_objects(&self.objects, &other.objects)
    }
}

fn same_objects(one: &Arc<Vec<Arc<Object>>>, other: &Arc<Vec<Arc<Object>>>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

impl Default for Scene {
    fn default() -> Self {
        Self::new("Scene")
    }
}

impl Scene {
    /// A scene without objects.
    pub fn new(name: &str) -> Self {
        let body = Value::map([
            ("version", Value::from(1)),
            ("name", name.into()),
            ("width", DEFAULT_SIZE.width.into()),
            ("height", DEFAULT_SIZE.height.into()),
            ("clear_color", Color::BLACK.to_value(None)),
            ("objects", std::iter::empty().collect()),
        ]);
        Self { body, objects: Arc::default(), next_key: 0, spelled: None }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.body.get("name").and_then(Value::as_text).unwrap_or_default()
    }

    /// The picture's size in pixels.
    pub fn size(&self) -> Size {
        let side = |key, usual| {
            let side = self.body.get(key).and_then(Value::as_f32).filter(|side| *side >= 1.0);
            side.map_or(usual, |side| side.min(65_535.0) as u32)
        };
        Size::new(side("width", DEFAULT_SIZE.width), side("height", DEFAULT_SIZE.height))
    }

    /// What is behind everything.
    pub fn clear_color(&self) -> Color {
        self.body.get("clear_color").and_then(Color::of_value).unwrap_or(Color::BLACK)
    }

    /// Every object before its children, in the order of the tree, with its depth: 0 at the root.
    pub fn walk(&self) -> impl Iterator<Item = (usize, &Arc<Object>)> {
        let mut waiting: Vec<_> = self.objects.iter().rev().map(|object| (0, object)).collect();
        std::iter::from_fn(move || {
            let (depth, object) = waiting.pop()?;
            waiting.extend(object.children.iter().rev().map(|child| (depth + 1, child)));
            Some((depth, object))
        })
    }

    /// The object with that key.
    pub fn object(&self, key: ObjectKey) -> Option<&Arc<Object>> {
        self.walk().map(|(_, object)| object).find(|object| object.key == key)
    }

    /// The object that has that one as a child; `None` at the root, and for one that is not there.
    pub fn parent_of(&self, key: ObjectKey) -> Option<&Arc<Object>> {
        let is_parent = |object: &&Arc<Object>| object.children.iter().any(|child| child.key == key);
        self.walk().map(|(_, object)| object).find(is_parent)
    }

    /// The objects from the root down to that one, itself the last; empty for one that is not there.
    pub fn lineage(&self, key: ObjectKey) -> Vec<&Arc<Object>> {
        let mut lineage: Vec<&Arc<Object>> = Vec::new();
        for (depth, object) in self.walk() {
            lineage.truncate(depth);
            lineage.push(object);
            if object.key == key {
                return lineage;
            }
        }
        Vec::new()
    }

    /// How an object's coordinates become those of the world; those of the world itself for one that is not there.
    pub fn world_of(&self, key: ObjectKey) -> Affine {
        let lineage = self.lineage(key);
        lineage
            .iter()
            .fold(Affine::IDENTITY, |outer, object| outer.after(&Affine::of_transform(&object.transform())))
    }

    /// The object, to be changed.
    pub fn object_mut(&mut self, key: ObjectKey) -> Option<&mut Object> {
        let path = self.path_to(key)?;
        let (first, rest) = path.split_first()?;
        let mut object = Arc::make_mut(Arc::make_mut(&mut self.objects).get_mut(*first)?);
        for &index in rest {
            object = Arc::make_mut(object.children.get_mut(index)?);
        }
        Some(object)
    }

    /// Whether objects can be put at the root: not where the file has something else than a list of them.
    pub fn can_have_objects(&self) -> bool {
        object::can_have_list(&self.body, "objects")
    }

    /// The children of an object, or the objects at the root, to be changed. `None` when there is no such object, or it
    /// can have none.
    pub fn children_mut(&mut self, parent: Option<ObjectKey>) -> Option<&mut Vec<Arc<Object>>> {
        let Some(parent) = parent else {
            return self.can_have_objects().then(|| Arc::make_mut(&mut self.objects));
        };
        let object = self.object_mut(parent)?;
        object.can_have_children().then_some(&mut object.children)
    }

    /// Where an object is: the position at the root, then among the children of each.
    fn path_to(&self, key: ObjectKey) -> Option<Vec<usize>> {
        let mut path: Vec<usize> = Vec::new();
        let mut positions: Vec<usize> = Vec::new();
        for (depth, object) in self.walk() {
            positions.truncate(depth + 1);
            match positions.get_mut(depth) {
                Some(position) => *position += 1,
                None => positions.push(0),
            }
            if object.key == key {
                path.clone_from(&positions);
                return Some(path);
            }
        }
        None
    }

    /// A key that no object has or had.
    pub fn take_key(&mut self) -> ObjectKey {
        let key = ObjectKey(self.next_key);
        self.next_key += 1;
        key
    }

    /// A value for the `id` of a new object, of the kind that the others have: a number above all others, or a GUID.
    pub fn free_id(&self) -> Value {
        let ids = || self.walk().filter_map(|(_, object)| object.body.get("id"));
        if ids().any(|id| id.as_text().is_some()) {
            return crate::guid::Guid::random().to_string().as_str().into();
        }
        let numbers = ids().filter_map(|id| match id.data() {
            Data::Integer(number) => Some(*number),
            _ => None,
        });
        let free = numbers.max().map_or(1, |highest| highest.saturating_add(1).max(1));
        Data::Integer(free).into()
    }

    /// About how many bytes a copy in the undo history holds on to that others do not share.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.objects.len() * size_of::<Arc<Object>>() + self.body.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(scene: &mut Scene, parent: Option<ObjectKey>, name: &str) -> ObjectKey {
        let object = Object::new(scene.take_key(), scene.free_id(), name);
        let key = object.key;
        scene.children_mut(parent).unwrap().push(Arc::new(object));
        key
    }

    #[test]
    fn objects_are_walked_in_the_order_of_the_tree() {
        let mut scene = Scene::new("Level");
        let hero = named(&mut scene, None, "hero");
        let enemy = named(&mut scene, None, "enemy");
        let hat = named(&mut scene, Some(hero), "hat");
        let feather = named(&mut scene, Some(hat), "feather");
        let walked: Vec<_> = scene.walk().map(|(depth, object)| (depth, object.name().to_owned())).collect();
        let expected = [(0, "hero"), (1, "hat"), (2, "feather"), (0, "enemy")];
        assert_eq!(walked, expected.map(|(depth, name)| (depth, name.to_owned())));
        let lineage: Vec<_> = scene.lineage(feather).iter().map(|object| object.key).collect();
        assert_eq!(lineage, [hero, hat, feather]);
        assert_eq!(scene.parent_of(hat).map(|object| object.key), Some(hero));
        assert_eq!(scene.parent_of(enemy).map(|object| object.key), None);
        assert!(scene.lineage(ObjectKey(99)).is_empty());
    }

    #[test]
    fn changing_an_object_leaves_copies_and_its_brothers_as_they_are() {
        let mut scene = Scene::new("Level");
        let hero = named(&mut scene, None, "hero");
        named(&mut scene, None, "enemy");
        let hat = named(&mut scene, Some(hero), "hat");
        let before = scene.clone();
        scene.object_mut(hat).unwrap().set_name("crown");
        assert_eq!(before.object(hat).unwrap().name(), "hat");
        assert_eq!(scene.object(hat).unwrap().name(), "crown");
        assert!(Arc::ptr_eq(&before.objects[1], &scene.objects[1]));
        assert_ne!(before, scene);
        scene.object_mut(hat).unwrap().set_name("hat");
        assert_eq!(before, scene);
    }

    #[test]
    fn a_root_with_something_else_than_a_list_takes_no_objects() {
        let mut scene = Scene::new("Level");
        assert!(scene.children_mut(None).is_some());
        scene.body = scene.body.with("objects", 7.into());
        assert!(scene.children_mut(None).is_none());
    }

    #[test]
    fn new_ids_are_above_all_others_and_guids_where_the_others_are() {
        let mut scene = Scene::new("Level");
        assert_eq!(scene.free_id(), 1.into());
        let hero = named(&mut scene, None, "hero");
        assert_eq!(scene.free_id(), 2.into());
        let object = scene.object_mut(hero).unwrap();
        object.body = object.body.with("id", "c1358fea-5654-5786-a2f9-6caa84f79513".into());
        assert!(scene.free_id().as_text().is_some());
    }
}
