//! Changes of a scene.

use std::collections::HashSet;
use std::sync::Arc;

use super::history::{Change, Editable, History};
use super::tree::{self, Place};
use crate::geometry::Size;
use crate::hash::ContentHash;
use crate::model::Scene;
use crate::model::scene::{AssetRef, Color, Object, ObjectKey, Property, Sprite, Transform, Value};

/// Where new objects come from; for the name of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inserted {
    /// They were asked for.
    Add,
    /// They are copies of others.
    Duplicate,
    /// They were on the clipboard.
    Paste,
    /// Frames or sheets were dropped.
    Drop,
}

/// How objects change their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// Moved.
    Move,
    /// Turned.
    Rotate,
    /// Made larger or smaller.
    Scale,
    /// Numbers were typed.
    Type,
}

/// A change of a scene.
#[derive(Debug, Clone, PartialEq)]
pub enum SceneEdit {
    /// Puts copies of objects into the tree.
    Insert(Inserted, Vec<Arc<Object>>, Place),
    /// Takes objects out, with all below them.
    Remove(Vec<ObjectKey>),
    /// Moves objects in the tree; in the world they stay where they are.
    Relocate(Vec<ObjectKey>, Place),
    /// Renames objects.
    Rename(Vec<ObjectKey>, Arc<str>),
    /// Shows or hides objects.
    SetActive(Vec<ObjectKey>, bool),
    /// Gives objects other places in their parents.
    SetTransforms(Moved, Vec<(ObjectKey, Transform)>),
    /// Sets the order in which objects of the same sorting order are drawn.
    SetSortOrder(Vec<ObjectKey>, i32),
    /// Sets a property of the objects' sprite components; objects without one get one when it is the sprite.
    SetProperty(Vec<ObjectKey>, Property),
    /// Gives each of these objects its own sprite.
    SetSprites(Vec<(ObjectKey, AssetRef)>),
    /// Leaves the sprite components of objects that show this without a picture.
    ClearSprites(Vec<(ObjectKey, AssetRef)>),
    /// Takes the sprite component off objects.
    RemoveSprites(Vec<ObjectKey>),
    /// Renames the scene.
    SetName(Arc<str>),
    /// Sets the size of its picture in pixels.
    SetSize(Size),
    /// Sets what is behind everything.
    SetClearColor(Color),
    /// Takes over what another program wrote.
    TakeFromDisk(Scene),
    /// Takes over the unsaved edits of a run that ended without saving them.
    Recover(Scene),
}

/// Why an edit is not possible, in words for its control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SceneEditError {
    /// The tree would have a loop, or the place takes no objects.
    #[error("objects cannot be put below themselves, nor below one whose file says that it has none")]
    Place,
    /// None of the objects is there any more.
    #[error("the objects are gone")]
    Gone,
}

impl SceneEdit {
    /// The objects that it changes.
    fn keys(&self) -> Vec<ObjectKey> {
        match self {
            Self::Remove(keys)
            | Self::Relocate(keys, _)
            | Self::Rename(keys, _)
            | Self::SetActive(keys, _)
            | Self::SetSortOrder(keys, _)
            | Self::SetProperty(keys, _)
            | Self::RemoveSprites(keys) => keys.clone(),
            Self::SetTransforms(_, places) => places.iter().map(|(key, _)| *key).collect(),
            Self::SetSprites(sprites) | Self::ClearSprites(sprites) => {
                sprites.iter().map(|(key, _)| *key).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn counted(verb: &str, count: usize) -> String {
    if count == 1 { format!("{verb} 1 object") } else { format!("{verb} {count} objects") }
}

impl Change<Scene> for SceneEdit {
    type MergeKey = (&'static str, ContentHash);
    type Context = ();
    type Error = SceneEditError;

    fn label(&self) -> String {
        match self {
            Self::Insert(how, objects, _) => {
                let verb = match how {
                    Inserted::Add => "Add",
                    Inserted::Duplicate => "Duplicate",
                    Inserted::Paste => "Paste",
                    Inserted::Drop => "Drop",
                };
                counted(verb, objects.len())
            }
            Self::Remove(keys) => counted("Delete", keys.len()),
            Self::Relocate(keys, _) => counted("Rearrange", keys.len()),
            Self::Rename(keys, name) if keys.len() == 1 => format!("Rename to {name}"),
            Self::Rename(keys, _) => counted("Rename", keys.len()),
            Self::SetActive(keys, true) => counted("Show", keys.len()),
            Self::SetActive(keys, false) => counted("Hide", keys.len()),
            Self::SetTransforms(how, places) => {
                let verb = match how {
                    Moved::Move => "Move",
                    Moved::Rotate => "Rotate",
                    Moved::Scale => "Scale",
                    Moved::Type => "Place",
                };
                counted(verb, places.len())
            }
            Self::SetSortOrder(..) => "Order of drawing".into(),
            Self::SetProperty(_, property) => property.words().into(),
            Self::SetSprites(sprites) => counted("Set the sprite of", sprites.len()),
            Self::ClearSprites(sprites) => counted("Clear the sprite of", sprites.len()),
            Self::RemoveSprites(keys) => counted("Take the sprite off", keys.len()),
            Self::SetName(name) => format!("Rename the scene to {name}"),
            Self::SetSize(size) => format!("Picture {size}"),
            Self::SetClearColor(_) => "Background colour".into(),
            Self::TakeFromDisk(_) => "Changed outside".into(),
            Self::Recover(_) => "Restore unsaved edits".into(),
        }
    }

    fn merge_key(&self) -> Option<Self::MergeKey> {
        let kind = match self {
            Self::SetTransforms(Moved::Move, _) => "move",
            Self::SetTransforms(Moved::Type, _) => "type",
            Self::SetSortOrder(..) => "sort order",
            Self::SetProperty(_, property) => property.key(),
            Self::SetName(_) => "name",
            Self::SetSize(_) => "size",
            Self::SetClearColor(_) => "clear colour",
            _ => return None,
        };
        let keys: Vec<u8> = self.keys().iter().flat_map(|key| key.0.to_le_bytes()).collect();
        Some((kind, ContentHash::of(&keys)))
    }

    fn apply(&self, _base: &Scene, current: &Scene, (): ()) -> Result<Scene, SceneEditError> {
        let mut scene = current.clone();
        let change = |scene: &mut Scene, keys: &[ObjectKey], change: &dyn Fn(&mut Object)| {
            let mut is_there = false;
            for key in keys {
                // What says the same afterwards keeps its bytes.
                let Some(object) = scene.object(*key) else { continue };
                is_there = true;
                let mut changed = Object::clone(object);
                change(&mut changed);
                if changed != **object
                    && let Some(object) = scene.object_mut(*key)
                {
                    object.body = changed.body;
                }
            }
            is_there.then_some(()).ok_or(SceneEditError::Gone)
        };
        match self {
            Self::Insert(_, objects, place) => {
                tree::insert(&mut scene, objects, *place).ok_or(SceneEditError::Place)?;
            }
            Self::Remove(keys) => drop(tree::take(&mut scene, keys)),
            Self::Relocate(keys, place) => {
                tree::relocate(&mut scene, keys, *place).ok_or(SceneEditError::Place)?;
            }
            Self::Rename(keys, name) => change(&mut scene, keys, &|object| object.set_name(name))?,
            Self::SetActive(keys, is_active) => {
                change(&mut scene, keys, &|object| object.set_active(*is_active))?;
            }
            Self::SetTransforms(_, places) => {
                for (key, transform) in places {
                    change(&mut scene, &[*key], &|object| object.set_transform(*transform))?;
                }
            }
            Self::SetSortOrder(keys, order) => {
                let order = Value::from(*order);
                change(&mut scene, keys, &|object| {
                    object.body = object.body.with("sort_order", order.clone());
                })?;
            }
            Self::SetProperty(keys, property) => {
                change(&mut scene, keys, &|object| set_property(object, property))?;
            }
            Self::SetSprites(sprites) => {
                for (key, sprite) in sprites {
                    let property = Property::Sprite(sprite.clone());
                    change(&mut scene, &[*key], &|object| set_property(object, &property))?;
                }
            }
            Self::ClearSprites(sprites) => {
                for (key, sprite) in sprites {
                    change(&mut scene, &[*key], &|object| clear_sprite(object, sprite))?;
                }
            }
            Self::RemoveSprites(keys) => change(&mut scene, keys, &remove_sprite)?,
            Self::SetName(name) => set_root(&mut scene, "name", (&**name).into()),
            Self::SetSize(size) => {
                set_root(&mut scene, "width", size.width.into());
                set_root(&mut scene, "height", size.height.into());
            }
            Self::SetClearColor(color) => {
                let value = color.to_value(scene.body.get("clear_color"));
                set_root(&mut scene, "clear_color", value);
            }
            Self::TakeFromDisk(theirs) | Self::Recover(theirs) => scene = theirs.clone(),
        }
        Ok(scene)
    }

    fn selection(&self, before: &Scene, after: &Scene) -> Option<Vec<ObjectKey>> {
        match self {
            Self::Insert(..) => {
                let keys: Vec<_> = after.walk().map(|(_, object)| object.key).collect();
                let new: Vec<_> = keys.into_iter().filter(|key| key.0 >= before.next_key).collect();
                Some(tree::outermost(after, &new))
            }
            Self::Remove(keys) => Some(tree::next_to_removed(before, after, keys)),
            _ => None,
        }
    }
}

fn set_root(scene: &mut Scene, key: &str, value: Value) {
    let body = scene.body.with(key, value);
    if body != scene.body {
        scene.body = body;
    }
}

fn set_property(object: &mut Object, property: &Property) {
    match (object.sprite(), property) {
        (Some((index, _)), property) => object.change_component(index, |data| property.write_into(data)),
        (None, Property::Sprite(sprite)) => object.add_sprite(sprite),
        (None, _) => {}
    }
}

/// Of several sprite components those that show it, and no other.
fn clear_sprite(object: &mut Object, sprite: &AssetRef) {
    for index in 0..object.components().len() {
        let shown = object.components().get(index).and_then(Sprite::of_component);
        if shown.is_some_and(|shown| shown.sprite == *sprite) {
            let empty = Property::Sprite(AssetRef::default());
            object.change_component(index, |data| empty.write_into(data));
        }
    }
}

fn remove_sprite(object: &mut Object) {
    if let Some((index, _)) = object.sprite() {
        let components = object.components().iter().enumerate();
        let rest: Vec<_> = components.filter(|(at, _)| *at != index).map(|(_, it)| it.clone()).collect();
        object.set_components(rest);
    }
}

impl Editable for Scene {
    type Item = ObjectKey;
    type Edit = SceneEdit;

    fn items(&self) -> HashSet<ObjectKey> {
        self.walk().map(|(_, object)| object.key).collect()
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }

    fn first_free(&self) -> u32 {
        self.next_key
    }

    fn give_from(&mut self, first_free: u32) {
        self.next_key = first_free;
    }
}

impl History<Scene> {
    /// The scene as it is now.
    pub fn scene(&self) -> &Scene {
        self.present()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::scene::RenderMode;

    fn object(name: &str) -> Arc<Object> {
        Arc::new(Object::new(ObjectKey(0), 0.into(), name))
    }

    fn add(history: &mut History<Scene>, name: &str, parent: Option<ObjectKey>) -> ObjectKey {
        let edit = SceneEdit::Insert(Inserted::Add, vec![object(name)], Place::end_of(parent));
        history.apply(&edit, ()).unwrap();
        history.seal();
        history.selection()[0]
    }

    fn names(history: &History<Scene>) -> Vec<String> {
        history.scene().walk().map(|(depth, object)| format!("{depth}{}", object.name())).collect()
    }

    fn frame() -> AssetRef {
        AssetRef { guid: "a".into(), source: "b".into() }
    }

    #[test]
    fn new_objects_are_selected_and_what_follows_a_deleted_one() {
        let mut history = History::new(Scene::new("Level"));
        let [a, b, c] = ["a", "b", "c"].map(|name| add(&mut history, name, None));
        assert_eq!(history.selection(), [c]);
        history.apply(&SceneEdit::Remove(vec![a, b]), ()).unwrap();
        assert_eq!((names(&history), history.selection()), (vec!["0c".to_owned()], &[c][..]));
        history.undo();
        assert_eq!(names(&history), ["0a", "0b", "0c"]);
    }

    #[test]
    fn copies_have_ids_of_their_own_all_the_way_down() {
        let mut history = History::new(Scene::new("Level"));
        let hero = add(&mut history, "hero", None);
        add(&mut history, "hat", Some(hero));
        let copy = history.scene().object(hero).unwrap().clone();
        let edit = SceneEdit::Insert(Inserted::Duplicate, vec![copy], Place { parent: None, index: 0 });
        history.apply(&edit, ()).unwrap();
        assert_eq!(names(&history), ["0hero", "1hat", "0hero", "1hat"]);
        let ids: HashSet<_> = history
            .scene()
            .walk()
            .map(|(_, object)| object.body.get("id").unwrap().as_i32().unwrap())
            .collect();
        assert_eq!(ids.len(), 4);
    }

    #[test]
    fn an_object_that_is_moved_below_another_stays_where_it_is_in_the_world() {
        let mut history = History::new(Scene::new("Level"));
        let [cart, hero] = ["cart", "hero"].map(|name| add(&mut history, name, None));
        let turned = Transform { x: 4.0, y: 2.0, rotation: 90.0, scale_x: 2.0, scale_y: 2.0, z: 0.0 };
        let standing = Transform { x: 4.0, y: 6.0, z: 3.0, ..Transform::default() };
        let places = vec![(cart, turned), (hero, standing)];
        history.apply(&SceneEdit::SetTransforms(Moved::Type, places), ()).unwrap();
        history.apply(&SceneEdit::Relocate(vec![hero], Place::end_of(Some(cart))), ()).unwrap();
        assert_eq!(names(&history), ["0cart", "1hero"]);
        // 4 above a cart that is turned to the left and twice as large: 2 along its x.
        let inside = history.scene().object(hero).unwrap().transform();
        let expected = Transform { x: 2.0, y: 0.0, z: 3.0, rotation: -90.0, scale_x: 0.5, scale_y: 0.5 };
        for (one, other) in [
            (inside.x, expected.x),
            (inside.y, expected.y),
            (inside.z, expected.z),
            (inside.rotation, expected.rotation),
            (inside.scale_x, expected.scale_x),
            (inside.scale_y, expected.scale_y),
        ] {
            assert!((one - other).abs() < 1e-5, "{inside:?}");
        }
        let loops = SceneEdit::Relocate(vec![cart], Place::end_of(Some(hero)));
        assert_eq!(history.apply(&loops, ()), Err(SceneEditError::Place));
    }

    #[test]
    fn reordering_counts_the_children_that_stay() {
        let mut history = History::new(Scene::new("Level"));
        let [a, _, c, _] = ["a", "b", "c", "d"].map(|name| add(&mut history, name, None));
        let place = Place { parent: None, index: 3 };
        history.apply(&SceneEdit::Relocate(vec![c, a], place), ()).unwrap();
        assert_eq!(names(&history), ["0b", "0a", "0c", "0d"]);
    }

    #[test]
    fn a_sprite_is_set_where_there_is_a_component_and_added_where_there_is_none() {
        let mut history = History::new(Scene::new("Level"));
        let hero = add(&mut history, "hero", None);
        let set = |property| SceneEdit::SetProperty(vec![hero], property);
        history.apply(&set(Property::FlipHorizontal(true)), ()).unwrap();
        assert_eq!(history.scene().object(hero).unwrap().sprite(), None, "there is nothing to mirror");
        history.apply(&set(Property::Sprite(frame())), ()).unwrap();
        history.apply(&set(Property::Mode(RenderMode::Tiled)), ()).unwrap();
        let (_, sprite) = history.scene().object(hero).unwrap().sprite().unwrap();
        assert_eq!((sprite.sprite, sprite.mode), (frame(), RenderMode::Tiled));
        assert_eq!(history.scene().object(hero).unwrap().components().len(), 1);
        history.apply(&SceneEdit::RemoveSprites(vec![hero]), ()).unwrap();
        assert!(history.scene().object(hero).unwrap().components().is_empty());
    }

    #[test]
    fn of_several_sprites_only_the_one_that_is_meant_is_cleared() {
        let mut history = History::new(Scene::new("Level"));
        let mut two = Object::new(ObjectKey(0), 1.into(), "two");
        let other = AssetRef { guid: "other".into(), source: "".into() };
        two.add_sprite(&frame());
        two.add_sprite(&other);
        let edit = SceneEdit::Insert(Inserted::Add, vec![Arc::new(two)], Place::end_of(None));
        history.apply(&edit, ()).unwrap();
        let [two] = history.selection() else { panic!("it is selected") };
        let two = *two;
        history.apply(&SceneEdit::ClearSprites(vec![(two, other)]), ()).unwrap();
        let object = history.scene().object(two).unwrap();
        let shown: Vec<_> =
            object.components().iter().filter_map(Sprite::of_component).map(|sprite| sprite.sprite).collect();
        assert_eq!(shown, [frame(), AssetRef::default()]);
    }

    #[test]
    fn typing_is_one_step_and_what_changes_nothing_is_none() {
        let mut history = History::new(Scene::new("Level"));
        let hero = add(&mut history, "hero", None);
        let to = |x| Transform { x, ..Transform::default() };
        for x in [1.0, 1.5, 1.0] {
            history.apply(&SceneEdit::SetTransforms(Moved::Type, vec![(hero, to(x))]), ()).unwrap();
        }
        let steps = history.steps().0.len();
        assert_eq!(steps, 2, "added, placed");
        history.apply(&SceneEdit::SetName("Level".into()), ()).unwrap();
        assert_eq!(history.steps().0.len(), steps);
    }

    fn any_edit() -> impl Strategy<Value = SceneEdit> {
        let keys = || prop::collection::vec((0..9_u32).prop_map(ObjectKey), 1..4);
        let place = (prop::option::of(0..9_u32), 0..5_usize)
            .prop_map(|(parent, index)| Place { parent: parent.map(ObjectKey), index });
        prop_oneof![
            place.clone().prop_map(|place| SceneEdit::Insert(Inserted::Add, vec![object("o")], place)),
            keys().prop_map(SceneEdit::Remove),
            (keys(), place).prop_map(|(keys, place)| SceneEdit::Relocate(keys, place)),
            (keys(), "[a-c]").prop_map(|(keys, name)| SceneEdit::Rename(keys, name.into())),
            (keys(), any::<bool>()).prop_map(|(keys, is)| SceneEdit::SetActive(keys, is)),
            (keys(), -3..3_i32).prop_map(|(keys, order)| SceneEdit::SetSortOrder(keys, order)),
            keys().prop_map(|keys| SceneEdit::SetProperty(keys, Property::Sprite(frame()))),
            keys().prop_map(SceneEdit::RemoveSprites),
        ]
    }

    proptest! {
        #[test]
        fn undoing_all_gives_the_start_and_redoing_all_the_end(edits in prop::collection::vec(any_edit(), 0..30)) {
            let mut history = History::new(Scene::new("Level"));
            for edit in &edits {
                let before = history.scene().clone();
                history.seal();
                if history.apply(edit, ()).is_err() {
                    prop_assert_eq!(history.scene(), &before);
                }
                let keys = history.scene().items();
                let count = history.scene().walk().count();
                prop_assert_eq!(keys.len(), count, "a key is there twice after {:?}", edit);
            }
            let end = history.scene().clone();
            while history.undo().is_some() {}
            prop_assert_eq!(history.scene(), &Scene::new("Level"));
            while history.redo().is_some() {}
            prop_assert_eq!(history.scene(), &end);
        }
    }
}
