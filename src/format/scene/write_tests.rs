//! Writing: what changed is spelled anew, and nothing else; what the engine cannot read is refused.

use std::sync::Arc;

use proptest::prelude::*;

use super::arbitrary::{any_file, any_scene, other_entries};
use super::tests::{level, read_bytes};
use super::*;
use crate::model::scene::{AssetRef, Data, Property, Value};

const HERO: ObjectKey = ObjectKey(0);
const HAT: ObjectKey = ObjectKey(1);

fn scene_of(bytes: &[u8]) -> Scene {
    read_bytes(bytes).unwrap().scene
}

/// The level with one part of its bytes replaced.
fn level_with(old: &[u8], new: &[u8]) -> Vec<u8> {
    let bytes = level();
    let at = bytes.windows(old.len()).position(|part| part == old).unwrap();
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

#[test]
fn a_new_scene_is_spelled_in_the_smallest_forms() {
    let mut scene = Scene::new("A");
    let mut object = Object::new(scene.take_key(), 1.into(), "b");
    object.add_sprite(&AssetRef { guid: "g".into(), source: "s".into() });
    scene.children_mut(None).unwrap().push(Arc::new(object));
    let expected: [&[u8]; 13] = [
        b"\x86\xa7version\x01\xa4name\xa1A\xa5width\xcd\x01\x40\xa6height\xcc\xf0",
        b"\xabclear_color\x94\x00\x00\x00\xcc\xff",
        b"\xa7objects\x91",
        b"\x87\xa2id\x01\xa4name\xa1b\xa6active\xc3\xaasort_order\x00",
        b"\xa9transform\x86",
        b"\xa1x\xca\x00\x00\x00\x00\xa1y\xca\x00\x00\x00\x00\xa1z\xca\x00\x00\x00\x00",
        b"\xa8rotation\xca\x00\x00\x00\x00",
        b"\xa6scaleX\xca\x3f\x80\x00\x00\xa6scaleY\xca\x3f\x80\x00\x00",
        b"\xaacomponents\x91\x82",
        b"\xa4type\xb7Deki2D::SpriteComponent",
        b"\xa4data\x81\xa6sprite\x82",
        b"\xa4guid\xa1g\xa6source\xa1s",
        b"\xa8children\x90",
    ];
    assert_eq!(write(&scene).unwrap(), expected.concat());
}

#[test]
fn a_name_is_all_that_a_new_name_changes() {
    let mut scene = scene_of(&level());
    scene.object_mut(HERO).unwrap().set_name("cat");
    // The child's list keeps its 16-bit count, the id its 16 bits.
    assert_eq!(write(&scene).unwrap(), level_with(b"\xa4hero", b"\xa3cat"));
    let mut scene = scene_of(&level());
    scene.object_mut(HAT).unwrap().set_name("cap");
    // What holds something that changed is spelled anew: its list has the smallest count now.
    let expected =
        level_with(b"\xdc\x00\x01\x82\xa2id\x08\xa4name\xa3hat", b"\x91\x82\xa2id\x08\xa4name\xa3cap");
    assert_eq!(write(&scene).unwrap(), expected);
}

#[test]
fn the_root_changes_without_its_objects() {
    let mut scene = scene_of(&level());
    scene.body = scene.body.with("width", 100.into());
    assert_eq!(write(&scene).unwrap(), level_with(b"\xcd\x01\x40", b"\x64"));
}

#[test]
fn what_was_opened_for_a_change_and_not_changed_has_its_bytes() {
    let mut scene = scene_of(&level());
    let name = scene.object(HAT).unwrap().name().to_owned();
    scene.object_mut(HAT).unwrap().set_name(&name);
    scene.children_mut(Some(HERO)).unwrap().reverse();
    assert_eq!(write(&scene).unwrap(), level());
}

#[test]
fn a_property_of_a_component_changes_alone() {
    let mut scene = scene_of(&level());
    let flip = Property::FlipVertical(true);
    scene.object_mut(HERO).unwrap().change_component(0, |data| flip.write_into(data));
    let expected =
        level_with(b"\x81\xaarenderMode\xa5Tiled", b"\x82\xaarenderMode\xa5Tiled\xacflipVertical\xc3");
    assert_eq!(write(&scene).unwrap(), expected);
}

#[test]
fn objects_are_taken_out_put_in_and_copied() {
    let mut scene = scene_of(&level());
    let hat = scene.children_mut(Some(HERO)).unwrap().pop().unwrap();
    assert_eq!(write(&scene).unwrap(), level_with(b"\xdc\x00\x01\x82\xa2id\x08\xa4name\xa3hat", b"\x90"));
    scene.children_mut(None).unwrap().push(hat.clone());
    let mut copy = Object::clone(&hat);
    copy.body = copy.body.with("id", 9.into());
    // The hat has no list of children in the file.
    scene.children_mut(Some(HAT)).unwrap().push(Arc::new(copy));
    let expected = level_with(b"\xa7objects\x91", b"\xa7objects\x92");
    let expected = expected[..expected.len() - b"\xdc\x00\x01\x82\xa2id\x08\xa4name\xa3hat".len()].to_vec();
    let hats = b"\x90\x83\xa2id\x08\xa4name\xa3hat\xa8children\x91\x82\xa2id\x09\xa4name\xa3hat";
    assert_eq!(write(&scene).unwrap(), [expected, hats.to_vec()].concat());
}

#[test]
fn what_the_engine_cannot_read_is_refused_and_its_object_named() {
    let with = |value: Value| {
        let mut scene = scene_of(&level());
        scene.object_mut(HERO).unwrap().change_component(0, |data| data.with("x", value));
        write(&scene).unwrap_err()
    };
    let why = with(Data::Integer(1 << 40).into());
    assert_eq!(why.object, Some(HERO));
    let expected =
        "the object \"hero\": components[0].data.x: 1099511627776 is beyond the 32 bits of the engine's";
    assert!(why.to_string().starts_with(expected), "{why}");
    let why = with("x".repeat(65_536).as_str().into());
    assert!(why.to_string().contains("components[0].data.x: the text has 65536 bytes"), "{why}");
    let mut scene = scene_of(&level());
    scene.body = scene.body.with("width", Data::Real(1e300).into());
    let why = write(&scene).unwrap_err();
    assert!(
        why.object.is_none() && why.to_string().starts_with("the scene: width: 1e300 is beyond"),
        "{why}"
    );
}

#[test]
fn what_the_engine_cannot_read_is_kept_where_the_file_has_it() {
    let file = level_with(b"\xa2id\x08", b"\xa2id\xcf\x00\x00\x01\x00\x00\x00\x00\x00");
    let mut scene = scene_of(&file);
    scene.object_mut(HAT).unwrap().set_name("cap");
    let written = write(&scene).unwrap();
    assert!(written.ends_with(b"\xa2id\xcf\x00\x00\x01\x00\x00\x00\x00\x00\xa4name\xa3cap"));
}

#[test]
fn objects_moved_too_deep_are_refused() {
    let mut scene = Scene::new("Deep");
    let mut parent = None;
    // The root's map and list, then a map and a list for each object; the lists in the last are the 64th.
    for _ in 0..32 {
        assert!(write(&scene).is_ok());
        let object = Object::new(scene.take_key(), scene.free_id(), "o");
        let key = object.key;
        scene.children_mut(parent).unwrap().push(Arc::new(object));
        parent = Some(key);
    }
    let why = write(&scene).unwrap_err();
    assert_eq!((why.object, why.refusal.reason), (parent, crate::format::msgpack::RefusalReason::Depth));
    let mut scene = scene_of(&level());
    for _ in 0..2000 {
        let deeper = scene.clone();
        scene.objects = Arc::new(vec![Arc::new(Object {
            key: scene.take_key(),
            body: scene.objects[0].body.clone(),
            children: deeper.objects.to_vec(),
        })]);
    }
    assert!(write(&scene).is_err());
}

#[test]
fn objects_without_a_list_for_them_are_not_lost_in_silence() {
    let mut scene = scene_of(&level());
    let hat = scene.object(HAT).unwrap().clone();
    let hero = scene.object_mut(HERO).unwrap();
    hero.body = hero.body.with("children", 7.into());
    assert!(write(&scene).unwrap_err().to_string().contains("objects cannot be put here"));
    scene.object_mut(HERO).unwrap().children.clear();
    assert!(write(&scene).is_ok());
    scene.body = scene.body.with("objects", 7.into());
    scene.objects = Arc::new(vec![hat]);
    assert!(write(&scene).unwrap_err().to_string().starts_with("the scene: objects cannot be put here"));
}

proptest! {
    #[test]
    fn a_scene_is_read_as_it_was_written(scene in any_scene()) {
        let bytes = write(&scene).unwrap();
        let read = scene_of(&bytes);
        prop_assert_eq!(&read, &scene);
        prop_assert_eq!(read.next_key, scene.next_key);
        prop_assert_eq!(write(&read).unwrap(), bytes);
    }

    #[test]
    fn a_new_name_leaves_the_bytes_of_all_other_objects(bytes in any_file(), which in any::<prop::sample::Index>()) {
        let before = scene_of(&bytes);
        let key = ObjectKey(which.index(before.next_key as usize) as u32);
        let mut scene = before.clone();
        let object = scene.object_mut(key).unwrap();
        object.set_name("renamed at last");
        let after = scene_of(&write(&scene).unwrap());
        prop_assert_eq!(&after, &scene);
        let changed: Vec<_> = scene.lineage(key).iter().map(|object| object.key).collect();
        for (_, old) in before.walk() {
            let new = after.object(old.key).unwrap();
            if changed.contains(&old.key) {
                prop_assert_eq!(other_entries(old), other_entries(new));
            } else {
                prop_assert_eq!(old.body.spelled(), new.body.spelled());
            }
        }
    }
}
