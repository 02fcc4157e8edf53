//! An object of a scene: a name, a place, components, children.

use std::sync::Arc;

use super::sprite::{AssetRef, SPRITE_COMPONENT, Sprite, component_name};
use super::value::{Data, Value};

/// Names an object while its scene is open, through every change of the tree. Files know nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectKey(pub u32);

/// Where an object is in its parent. Lengths are metres, angles degrees; x goes to the right, y up, turns go
/// against the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
    /// Kept, and not drawn by: the order of drawing is another number.
    pub z: f32,
    /// Degrees against the clock.
    pub rotation: f32,
    /// Width factor; negative mirrors.
    pub scale_x: f32,
    /// Height factor; negative mirrors.
    pub scale_y: f32,
}

impl Default for Transform {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, z: 0.0, rotation: 0.0, scale_x: 1.0, scale_y: 1.0 }
    }
}

impl Transform {
    /// The keys, and the value of each.
    const fn fields(&self) -> [(&'static str, f32); 6] {
        [
            ("x", self.x),
            ("y", self.y),
            ("z", self.z),
            ("rotation", self.rotation),
            ("scaleX", self.scale_x),
            ("scaleY", self.scale_y),
        ]
    }
}

/// An object and all below it.
#[derive(Debug, Clone)]
pub struct Object {
    /// Its name while the scene is open.
    pub key: ObjectKey,
    /// Its map, with an empty list in the place of its children, see [`Value::take_items`]. In a file with something
    /// else than a map in its place, that.
    pub body: Value,
    /// The objects below it, in their order.
    pub children: Vec<Arc<Object>>,
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.body == other.body && self.children == other.children
    }
}

impl Object {
    /// An object without components.
    pub fn new(key: ObjectKey, id: Value, name: &str) -> Self {
        let transform = Transform::default().fields().map(|(key, value)| (key, Value::from(value)));
        let body = Value::map([
            ("id", id),
            ("name", name.into()),
            ("active", true.into()),
            ("sort_order", 0.into()),
            ("transform", Value::map(transform)),
            ("components", std::iter::empty().collect()),
            ("children", std::iter::empty().collect()),
        ]);
        Self { key, body, children: Vec::new() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.body.get("name").and_then(Value::as_text).unwrap_or_default()
    }

    /// Renames it.
    pub fn set_name(&mut self, name: &str) {
        self.body = self.body.with("name", name.into());
    }

    /// Whether it is shown; what does not say is.
    pub fn is_active(&self) -> bool {
        self.body.get("active").and_then(Value::as_bool).unwrap_or(true)
    }

    /// Shows or hides it, with all below it.
    pub fn set_active(&mut self, is_active: bool) {
        self.body = self.body.with("active", is_active.into());
    }

    /// Among what has the same sorting order: higher is drawn later.
    pub fn sort_order(&self) -> i32 {
        self.body.get("sort_order").and_then(Value::as_i32).unwrap_or_default()
    }

    /// Where it is in its parent.
    pub fn transform(&self) -> Transform {
        let Some(map) = self.body.get("transform") else { return Transform::default() };
        let keys = Transform::default().fields().map(|(key, _)| key);
        let [x, y, z, rotation, scale_x, scale_y] = properties(map, keys);
        let number = |value: Option<&Value>, usual| value.and_then(Value::as_f32).unwrap_or(usual);
        Transform {
            x: number(x, 0.0),
            y: number(y, 0.0),
            z: number(z, 0.0),
            rotation: number(rotation, 0.0),
            scale_x: number(scale_x, 1.0),
            scale_y: number(scale_y, 1.0),
        }
    }

    /// Puts it somewhere else; only the numbers that differ are written.
    pub fn set_transform(&mut self, to: Transform) {
        let before = self.transform().fields();
        let mut map = self.body.get("transform").cloned().unwrap_or_else(|| Value::map::<&str>([]));
        for ((key, number), (_, old)) in to.fields().into_iter().zip(before) {
            if number.to_bits() != old.to_bits() {
                map = map.with(spelling(&map, key), number.into());
            }
        }
        self.body = self.body.with("transform", map);
    }

    /// Its components as the file has them.
    pub fn components(&self) -> &[Value] {
        self.body.get("components").and_then(Value::items).unwrap_or_default()
    }

    /// Puts other components in their place.
    pub fn set_components(&mut self, components: impl IntoIterator<Item = Value>) {
        self.body = self.body.with("components", components.into_iter().collect());
    }

    /// Position and properties of its first sprite component.
    pub fn sprite(&self) -> Option<(usize, Sprite)> {
        let mut components = self.components().iter().enumerate();
        components.find_map(|(index, component)| Some((index, Sprite::of_component(component)?)))
    }

    /// Changes the properties of the component at a position, as `change` does.
    pub fn change_component(&mut self, index: usize, change: impl FnOnce(&Value) -> Value) {
        let mut components = self.components().to_vec();
        if let Some(component) = components.get_mut(index) {
            let data = component.get("data").cloned().unwrap_or_else(|| Value::map::<&str>([]));
            *component = component.with("data", change(&data));
            self.set_components(components);
        }
    }

    /// Adds a sprite component that draws `sprite`.
    pub fn add_sprite(&mut self, sprite: &AssetRef) {
        let component = Value::map([
            ("type", Value::from(SPRITE_COMPONENT)),
            ("data", Value::map([("sprite", sprite.to_value(None))])),
        ]);
        let components: Vec<_> = self.components().iter().cloned().chain([component]).collect();
        self.set_components(components);
    }

    /// The names of its components' types, without their namespace.
    pub fn component_names(&self) -> impl Iterator<Item = &str> {
        self.components().iter().map(|component| component_name(component).unwrap_or("?"))
    }

    /// Whether objects can be put below it: not where the file has something else than a list of them.
    pub fn can_have_children(&self) -> bool {
        can_have_list(&self.body, "children")
    }

    /// Number of objects in it, itself among them.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(|child| child.count()).sum::<usize>()
    }
}

/// Whether a body has a map that can have a list under that key.
pub(super) fn can_have_list(body: &Value, key: &str) -> bool {
    body.entries().is_some() && body.get(key).is_none_or(|value| value.items().is_some())
}

/// The value of one property, see [`properties`].
pub fn property<'a>(map: &'a Value, name: &str) -> Option<&'a Value> {
    properties(map, [name])[0]
}

/// The values of properties; older files spell `tintColor` as `tint_color`. The map is read once for all of them: a
/// scene asks for thousands each time it is drawn.
pub fn properties<'a, const N: usize>(map: &'a Value, names: [&str; N]) -> [Option<&'a Value>; N] {
    let mut found = [None; N];
    let mut has_other_keys = false;
    for (key, value) in map.entries().into_iter().flatten().rev() {
        let place = key.as_text().and_then(|key| names.iter().position(|name| *name == key));
        match place.and_then(|place| found.get_mut(place)) {
            Some(found) => *found = found.or(Some(value)),
            None => has_other_keys = true,
        }
    }
    if has_other_keys {
        for (found, name) in found.iter_mut().zip(names) {
            *found = found.or_else(|| older_spelling(map, name).map(|(_, value)| value));
        }
    }
    found
}

/// The key that a map has for a property: in the present spelling, unless it only has the older one.
pub fn spelling<'a>(map: &'a Value, name: &'a str) -> &'a str {
    if map.get(name).is_some() {
        return name;
    }
    older_spelling(map, name).map_or(name, |(key, _)| key)
}

fn older_spelling<'a>(map: &'a Value, name: &str) -> Option<(&'a str, &'a Value)> {
    let mut entries = map.entries()?.iter().rev().filter_map(|(key, value)| Some((key.as_text()?, value)));
    entries.find(|(key, _)| letters(key).eq(letters(name)))
}

/// What names with humps and with underscores have in common.
fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|letter| *letter != b'_').map(|letter| letter.to_ascii_lowercase())
}

/// Every map with a text `guid` below a value, with the names of the maps it is in: a reference to an asset.
pub fn references<'a>(value: &'a Value, found: &mut Vec<(&'a Value, AssetRef)>) {
    match value.data() {
        Data::Map(entries) => {
            if let Some(reference) = AssetRef::of_value(value).filter(|reference| !reference.guid.is_empty())
            {
                found.push((value, reference));
            }
            entries.iter().for_each(|(_, value)| references(value, found));
        }
        Data::List(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> Object {
        Object::new(ObjectKey(0), 1.into(), "hero")
    }

    #[test]
    fn only_the_numbers_that_change_are_written() {
        let mut object = object();
        object.body = object.body.with("transform", Value::map([("x", Value::from(2)), ("w", "?".into())]));
        object.set_transform(Transform { y: 0.5, ..object.transform() });
        let expected = Value::map([("x", Value::from(2)), ("w", "?".into()), ("y", 0.5.into())]);
        assert_eq!(object.body.get("transform"), Some(&expected));
        let (transform, x) = (object.transform(), 2.0);
        assert_eq!(transform, Transform { x, y: 0.5, ..Transform::default() });
    }

    #[test]
    fn an_older_spelling_is_read_and_kept() {
        let mut object = object();
        object.body = object.body.with("transform", Value::map([("scale_x", Value::from(2.0))]));
        object.set_transform(Transform { scale_x: 3.0, ..object.transform() });
        let expected = Value::map([("scale_x", Value::from(3.0))]);
        assert_eq!(object.body.get("transform"), Some(&expected));
    }

    #[test]
    fn references_are_found_at_any_depth_and_in_components_of_others() {
        let inner = Value::map([("guid", Value::from("b")), ("source", "c".into())]);
        let value =
            Value::map([("list", [Value::map([("guid", Value::from("a"))]), inner].into_iter().collect())]);
        let mut found = Vec::new();
        references(&value, &mut found);
        let found: Vec<_> = found.iter().map(|(_, found)| (&*found.guid, &*found.source)).collect();
        assert_eq!(found, [("a", ""), ("b", "c")]);
    }

    #[test]
    fn an_object_whose_children_are_no_list_takes_none() {
        let mut object = object();
        assert!(object.can_have_children());
        object.body = object.body.with("children", 7.into());
        assert!(!object.can_have_children());
    }
}
