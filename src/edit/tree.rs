//! Objects put into, taken out of and moved in the tree of a scene.

use std::collections::HashSet;
use std::sync::Arc;

use crate::guid::Guid;
use crate::model::Scene;
use crate::model::scene::{Affine, Data, Object, ObjectKey, Value};

/// A place for objects: below one, or at the root, before the child that has this position now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The object that they go below; `None` is the root.
    pub parent: Option<ObjectKey>,
    /// How many of the children there now stay before them; as many as there are for the end.
    pub index: usize,
}

impl Place {
    /// Behind everything that is below an object, or at the root.
    pub const fn end_of(parent: Option<ObjectKey>) -> Self {
        Self { parent, index: usize::MAX }
    }
}

/// The outermost of these objects, in the order of the tree: what is done to them is done to all below them.
pub fn outermost(scene: &Scene, keys: &[ObjectKey]) -> Vec<ObjectKey> {
    let wanted: HashSet<ObjectKey> = keys.iter().copied().collect();
    let mut inside: Option<usize> = None;
    let mut found = Vec::new();
    for (depth, object) in scene.walk() {
        if inside.is_some_and(|outer| depth > outer) {
            continue;
        }
        inside = wanted.contains(&object.key).then_some(depth);
        found.extend(inside.map(|_| object.key));
    }
    found
}

/// Puts copies of objects into the tree, with keys and ids that nothing has; the keys of the outermost.
pub(super) fn insert(scene: &mut Scene, objects: &[Arc<Object>], place: Place) -> Option<Vec<ObjectKey>> {
    let mut id = scene.free_id();
    let fresh: Vec<_> = objects.iter().map(|object| Arc::new(renew(scene, &mut id, object))).collect();
    let keys = fresh.iter().map(|object| object.key).collect();
    put(scene, fresh, place)?;
    Some(keys)
}

/// A copy with keys and ids that nothing has, `id` being the first of them and afterwards the next.
fn renew(scene: &mut Scene, id: &mut Value, object: &Object) -> Object {
    let key = scene.take_key();
    let next = match id.data() {
        Data::Integer(number) => Data::Integer(number.saturating_add(1)).into(),
        _ => Guid::random().to_string().as_str().into(),
    };
    let body = object.body.with("id", std::mem::replace(id, next));
    let children = object.children.iter().map(|child| Arc::new(renew(scene, id, child))).collect();
    Object { key, body, children }
}

fn put(scene: &mut Scene, objects: Vec<Arc<Object>>, place: Place) -> Option<()> {
    let siblings = scene.children_mut(place.parent)?;
    let index = place.index.min(siblings.len());
    siblings.splice(index..index, objects);
    Some(())
}

/// Takes objects out of the tree, with all below them.
pub(super) fn take(scene: &mut Scene, keys: &[ObjectKey]) -> Vec<Arc<Object>> {
    let mut taken = Vec::new();
    for key in outermost(scene, keys) {
        let parent = scene.parent_of(key).map(|parent| parent.key);
        let Some(siblings) = scene.children_mut(parent) else { continue };
        if let Some(index) = siblings.iter().position(|object| object.key == key) {
            taken.push(siblings.remove(index));
        }
    }
    taken
}

/// Moves objects to another place in the tree. They stay where they are in the world, as far as their new parent can
/// say that. `None` when the place is in one of them, or takes no objects.
pub(super) fn relocate(scene: &mut Scene, keys: &[ObjectKey], place: Place) -> Option<()> {
    let moved = outermost(scene, keys);
    let ways = place.parent.map(|parent| scene.lineage(parent)).unwrap_or_default();
    if ways.iter().any(|object| moved.contains(&object.key)) || (place.parent.is_some() && ways.is_empty()) {
        return None;
    }
    let siblings = ways.last().map_or(&**scene.objects, |parent| &parent.children);
    let before = siblings.iter().take(place.index);
    let stay = before.filter(|object| !moved.contains(&object.key)).count();
    let worlds: Vec<_> =
        moved.iter().map(|key| (scene.parent_of(*key).map(|it| it.key), scene.world_of(*key))).collect();
    let inside = place.parent.map_or(Affine::IDENTITY, |parent| scene.world_of(parent)).inverse();
    let mut objects = take(scene, &moved);
    for (object, (old_parent, world)) in objects.iter_mut().zip(worlds) {
        // In the same parent the numbers stay as they are written.
        if let Some(inside) = inside.filter(|_| old_parent != place.parent) {
            let object = Arc::make_mut(object);
            let z = object.transform().z;
            object.set_transform(inside.after(&world).to_transform(z));
        }
    }
    put(scene, objects, Place { parent: place.parent, index: stay })
}

/// What to select when these are gone: what follows the last of them, or what is before the first, or the parent.
pub(super) fn next_to_removed(before: &Scene, after: &Scene, removed: &[ObjectKey]) -> Vec<ObjectKey> {
    let Some(last) = outermost(before, removed).last().copied() else { return Vec::new() };
    let parent = before.parent_of(last);
    let siblings = parent.map_or(&**before.objects, |parent| &parent.children);
    let index = siblings.iter().position(|object| object.key == last).unwrap_or_default();
    let there: HashSet<ObjectKey> = after.walk().map(|(_, object)| object.key).collect();
    let mut candidates = siblings[index..].iter().chain(siblings[..index].iter().rev()).chain(parent);
    candidates.find(|object| there.contains(&object.key)).map(|object| object.key).into_iter().collect()
}
