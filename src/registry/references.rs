//! What a scene refers to.

use std::sync::Arc;

use super::Reference;
use crate::model::Scene;
use crate::model::scene::object::references;
use crate::model::scene::{Object, Value};

/// Every reference of a scene, in components of any kind and outside of them: the scene's own, then those of its objects
/// in the order of the tree.
pub fn references_of(scene: &Scene) -> Vec<Reference> {
    let mut found = Vec::new();
    add(&scene.body, &Owner { object: None, name: &"".into() }, "", &mut found);
    for (_, object) in scene.walk() {
        add_all_of(object, &mut found);
    }
    found
}

/// Who has a reference.
struct Owner<'a> {
    object: Option<u32>,
    name: &'a Arc<str>,
}

fn add_all_of(object: &Object, found: &mut Vec<Reference>) {
    let owner = Owner { object: Some(object.key.0), name: &object.name().into() };
    let Some(entries) = object.body.entries() else {
        add(&object.body, &owner, "", found);
        return;
    };
    for (key, value) in entries {
        let key = key.as_text().unwrap_or_default();
        match value.items().filter(|_| key == "components") {
            Some(components) => {
                for component in components {
                    let name = component.get("type").and_then(Value::as_text).unwrap_or_default();
                    add(component, &owner, name, found);
                }
            }
            None => add(value, &owner, key, found),
        }
    }
}

fn add(value: &Value, owner: &Owner<'_>, component: &str, found: &mut Vec<Reference>) {
    let mut here = Vec::new();
    references(value, &mut here);
    found.extend(here.into_iter().map(|(_, reference)| Reference {
        object: owner.object,
        object_name: owner.name.clone(),
        component: component.into(),
        guid: reference.guid,
        source: reference.source,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scene::{AssetRef, ObjectKey};

    fn reference(guid: &str) -> Value {
        AssetRef { guid: guid.into(), source: "".into() }.to_value(None)
    }

    #[test]
    fn references_are_found_wherever_they_are_and_know_who_has_them() {
        let mut hat = Object::new(ObjectKey(1), 2.into(), "hat");
        hat.add_sprite(&AssetRef { guid: "b".into(), source: "c".into() });
        let mut hero = Object::new(ObjectKey(0), 1.into(), "hero");
        let list = [reference("e"), reference("f")].into_iter().collect();
        let tiles = Value::map([("type", "Game::Tiles".into()), ("data", Value::map([("tiles", list)]))]);
        hero.set_components([tiles]);
        hero.body = hero.body.with("instance", reference("g"));
        hero.children.push(Arc::new(hat));
        let mut scene = Scene::new("Level");
        scene.body = scene.body.with("music", reference("a"));
        scene.objects = Arc::new(vec![Arc::new(hero)]);
        let found = references_of(&scene);
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.object, &*it.object_name, &*it.component, &*it.guid, &*it.source))
            .collect();
        assert_eq!(
            found,
            [
                (None, "", "", "a", ""),
                (Some(0), "hero", "Game::Tiles", "e", ""),
                (Some(0), "hero", "Game::Tiles", "f", ""),
                (Some(0), "hero", "instance", "g", ""),
                (Some(1), "hat", "Deki2D::SpriteComponent", "b", "c"),
            ]
        );
    }

    #[test]
    fn what_is_no_map_and_no_list_is_looked_through_as_well() {
        let mut odd = Object::new(ObjectKey(0), 1.into(), "odd");
        odd.body = odd.body.with("components", reference("a"));
        let mut list = Object::new(ObjectKey(1), 2.into(), "");
        list.body = [reference("b")].into_iter().collect();
        let mut scene = Scene::new("Level");
        scene.objects = Arc::new(vec![Arc::new(odd), Arc::new(list)]);
        let found = references_of(&scene);
        let found: Vec<_> = found.iter().map(|it| (it.object, &*it.component, &*it.guid)).collect();
        assert_eq!(found, [(Some(0), "components", "a"), (Some(1), "", "b")]);
    }
}
