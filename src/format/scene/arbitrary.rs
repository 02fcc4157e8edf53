//! Scenes for property tests.

use std::sync::Arc;

use proptest::prelude::*;

use crate::format::msgpack::arbitrary::{
    any_spelling, any_text, any_value, counted, list_form, map_spelling, text_spelling,
};
use crate::model::scene::{Object, ObjectKey, Scene, Value};

/// Scenes that can be written, with keys as a reader gives them.
pub(super) fn any_scene() -> impl Strategy<Value = Scene> {
    let objects = prop::collection::vec(any_object(), 0..4);
    (objects, "\\PC{0,9}", any_value()).prop_map(|(mut objects, name, extra)| {
        let mut scene = Scene::new(&name);
        scene.body = scene.body.with("extra", extra);
        for object in &mut objects {
            number(object, &mut scene);
        }
        scene.objects = Arc::new(objects.into_iter().map(Arc::new).collect());
        scene
    })
}

fn number(object: &mut Object, scene: &mut Scene) {
    object.key = scene.take_key();
    for child in &mut object.children {
        number(Arc::make_mut(child), scene);
    }
}

fn any_object() -> impl Strategy<Value = Object> {
    let alone = (any::<u32>(), "\\PC{0,9}", any_value()).prop_map(|(id, name, component)| {
        let mut object = Object::new(ObjectKey(0), id.into(), &name);
        object.set_components([component]);
        object
    });
    alone.prop_recursive(3, 8, 3, |inner| {
        (inner.clone(), prop::collection::vec(inner, 0..3)).prop_map(|(mut object, children)| {
            object.children.extend(children.into_iter().map(Arc::new));
            object
        })
    })
}

/// The bytes of a scene's file: the keys that we know among others, everything in any encoding.
pub(super) fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let objects = prop::collection::vec(any_object_spelling(), 1..4);
    (objects, any_entries(), 0..3_usize, 0..3_usize).prop_map(|(objects, mut entries, form, list)| {
        let objects =
            (text_spelling(1, b"objects"), counted(list_form(list), objects.len(), &objects.concat()));
        entries.insert(entries.len() / 2, objects);
        map_spelling(form, &entries)
    })
}

fn any_object_spelling() -> impl Strategy<Value = Vec<u8>> {
    let object = |children: BoxedStrategy<Vec<Vec<u8>>>| {
        (any_text(), any_entries(), children, any::<[u8; 4]>()).prop_map(
            |(name, mut entries, children, forms)| {
                let [key, list, map, has_children] = forms.map(|form| usize::from(form) % 3);
                entries.insert(0, (text_spelling(key, b"name"), name));
                if has_children > 0 {
                    let children = counted(list_form(list), children.len(), &children.concat());
                    entries.push((text_spelling(key, b"children"), children));
                }
                map_spelling(map, &entries)
            },
        )
    };
    object(Just(Vec::new()).boxed()).prop_recursive(3, 8, 3, move |inner| {
        prop_oneof![
            12 => object(prop::collection::vec(inner, 0..3).boxed()),
            1 => any_spelling(),
        ]
    })
}

fn any_entries() -> impl Strategy<Value = Vec<(Vec<u8>, Vec<u8>)>> {
    let known = prop_oneof![Just("id"), Just("transform"), Just("components"), Just("active"), Just("data")];
    let key = prop_oneof![
        4 => (known, 0..4_usize).prop_map(|(key, form)| text_spelling(form, key.as_bytes())),
        2 => any_text(),
        1 => any_spelling(),
    ];
    prop::collection::vec((key, any_spelling()), 0..4)
}

/// The bytes of everything in the body of an object but its name and its children.
pub(super) fn other_entries(object: &Object) -> Vec<[Option<&[u8]>; 2]> {
    let entries = object.body.entries().unwrap_or_default().iter();
    let others = entries.filter(|(key, _)| !matches!(key.as_text(), Some("name" | "children")));
    others.map(|(key, value)| [key, value].map(Value::spelled)).collect()
}
