//! Reading: what is understood, what is told, what is refused.

use std::sync::Arc;

use proptest::prelude::*;

use super::arbitrary::any_file;
use super::*;
use crate::format::msgpack;
use crate::geometry::Size;
use crate::model::scene::{Color, Data, RenderMode, Value};

/// A scene of two objects, one below the other, in bytes written by hand.
pub(super) fn level() -> Vec<u8> {
    let parts: [&[u8]; 11] = [
        &[0x86],
        b"\xa7version\x01",
        b"\xa4name\xa5Level",
        b"\xa5width\xcd\x01\x40",
        b"\xa6height\xcc\xf0",
        b"\xabclear_color\x94\x00\x00\x00\xcc\xff",
        b"\xa7objects\x91",
        // The hero, with a number as no writer of ours has it, and a child in a list with a 16-bit count.
        b"\x84\xa2id\xcd\x00\x07\xa4name\xa4hero",
        b"\xaacomponents\x91\x82\xa4type\xb7Deki2D::SpriteComponent\xa4data\x81\xaarenderMode\xa5Tiled",
        b"\xa8children\xdc\x00\x01",
        b"\x82\xa2id\x08\xa4name\xa3hat",
    ];
    parts.concat()
}

pub(super) fn read_bytes(bytes: &[u8]) -> Result<Read, SceneError> {
    read(&Arc::from(bytes))
}

fn scene_of(bytes: &[u8]) -> Scene {
    read_bytes(bytes).unwrap().scene
}

/// A scene with these keys in its root, or in its only object.
fn root_with(key: &str, value: impl Into<Value>) -> Vec<u8> {
    msgpack::write(&Scene::new("Level").body.with(key, value.into())).unwrap()
}

fn object_with(key: &str, value: impl Into<Value>) -> Vec<u8> {
    let object = Object::new(ObjectKey(0), 1.into(), "hero").body.with(key, value.into());
    root_with("objects", [object].into_iter().collect::<Value>())
}

fn sprite_with(key: &str, value: impl Into<Value>) -> Vec<u8> {
    let component = [("type", "SpriteComponent".into()), ("data", Value::map([(key, value.into())]))];
    object_with("components", [Value::map(component)].into_iter().collect::<Value>())
}

#[test]
fn a_scene_is_read_with_its_objects_in_the_order_of_the_file() {
    let Read { scene, faults } = read_bytes(&level()).unwrap();
    assert_eq!(faults, []);
    assert_eq!(
        (scene.name(), scene.size(), scene.clear_color()),
        ("Level", Size::new(320, 240), Color::BLACK)
    );
    let walked: Vec<_> = scene.walk().map(|(depth, object)| (depth, object.key.0, object.name())).collect();
    assert_eq!(walked, [(0, 0, "hero"), (1, 1, "hat")]);
    assert_eq!(scene.next_key, 2);
    let hero = &scene.objects[0];
    assert_eq!(hero.body.get("id"), Some(&7.into()));
    assert_eq!(hero.body.get("children"), Some(&std::iter::empty().collect()));
    assert_eq!(hero.sprite().unwrap().1.mode, RenderMode::Tiled);
}

#[test]
fn what_is_not_as_expected_is_told_once_and_kept() {
    let number_list = || [1].map(Value::from).into_iter().collect::<Value>();
    let cases: [(Vec<u8>, &str); 22] = [
        (root_with("version", 2), "version is 2, and this program knows 1"),
        (root_with("version", "1"), "version is \"1\", and a whole number of 32 bits is expected"),
        (root_with("name", Data::Nil), "name is nothing, and a text is expected"),
        (root_with("width", 0), "width is 0, and a number of at least 1 is expected"),
        (root_with("height", f32::NAN), "height is NaN, and a number of at least 1"),
        (root_with("clear_color", "red"), "clear_color is \"red\", and a list of three or four numbers"),
        (root_with("objects", 7), "objects is 7, and a list is expected"),
        (
            root_with("objects", number_list()),
            "an object without a name: a map is expected, and a whole number",
        ),
        (object_with("id", true), "the object \"hero\": id is true or false, and a whole number or a text"),
        (object_with("name", 1), "an object without a name: name is 1, and a text is expected"),
        (object_with("active", 1), "the object \"hero\": active is 1, and true or false is expected"),
        (object_with("sort_order", 1.5), "sort_order is 1.5, and a whole number of 32 bits is expected"),
        (object_with("transform", 1), "transform is 1, and a map is expected"),
        (
            object_with("transform", Value::map([("scale_x", "2")].map(|(key, text)| (key, text.into())))),
            "transform.scaleX is \"2\", and a number is expected",
        ),
        (object_with("components", true), "components is true or false, and a list is expected"),
        (object_with("components", number_list()), "components[0] is a whole number, and a map is expected"),
        (object_with("children", 1), "children is 1, and a list is expected"),
        (sprite_with("tint_color", 9), "components[0].data.tintColor is 9, and a list of three or four"),
        (sprite_with("renderMode", "Round"), "data.renderMode is \"Round\", and Normal, Tiled or NineSlice"),
        (sprite_with("sprite", "guid"), "data.sprite is \"guid\", and a map with a guid is expected"),
        (sprite_with("flipVertical", 1), "data.flipVertical is 1, and true or false is expected"),
        (b"\x82\xa4name\xa1a\xa4name\xa1b".to_vec(), "name is there more than once, and the last counts"),
    ];
    for (bytes, expected) in cases {
        let Read { scene, faults } = read_bytes(&bytes).unwrap();
        assert!(faults.first().is_some_and(|fault| fault.text.contains(expected)), "{faults:?}: {expected}");
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].object.is_some(), faults[0].text.contains("object "), "{faults:?}");
        assert_eq!(write(&scene).unwrap(), bytes);
    }
}

#[test]
fn a_component_without_a_type_is_told() {
    let nameless: Value = [Value::map([("data", Value::from(1))])].into_iter().collect();
    let faults = read_bytes(&object_with("components", nameless)).unwrap().faults;
    let texts: Vec<_> = faults.iter().map(|fault| fault.text.as_str()).collect();
    let expected = ["components[0].data is 1, and a map is expected", "components[0] does not say its type"];
    assert_eq!(texts, expected.map(|text| format!("the object \"hero\": {text}")));
}

#[test]
fn an_id_in_use_twice_is_told_of_the_later_object() {
    let object = |id: Value, name: &str| Object::new(ObjectKey(0), id, name).body;
    let objects: Value = [
        object(1.into(), "a"),
        object(2.into(), "b").with("children", [object(1.into(), "c")].into_iter().collect()),
        object("1".into(), "d"),
        object("1".into(), "e"),
    ]
    .into_iter()
    .collect();
    let faults = read_bytes(&root_with("objects", objects)).unwrap().faults;
    let told: Vec<_> = faults.iter().map(|fault| (fault.code, fault.object, fault.text.as_str())).collect();
    let code = Code::SceneIdDuplicate;
    let expected = [
        (code, Some(ObjectKey(2)), "the object \"c\": the id 1 belongs to an earlier object"),
        (code, Some(ObjectKey(4)), "the object \"e\": the id \"1\" belongs to an earlier object"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn so_many_faults_are_told_one_by_one() {
    let objects: Value = std::iter::repeat_n(Value::from(0), 1000).collect();
    let faults = read_bytes(&root_with("objects", objects)).unwrap().faults;
    assert_eq!(faults.len(), 201);
    assert_eq!(faults[200].text, "and 800 more like these");
}

#[test]
fn what_is_no_compiled_scene_is_said_to_be_what_it_is() {
    let cases: [(&[u8], Code, &str); 9] = [
        (b"\n  {\"formatVersion\": 1}", Code::SceneAuthored, "needs the engine's compiler"),
        (b"\xef\xbb\xbf{\"formatVersion\": 1}", Code::SceneAuthored, "an authored scene in JSON"),
        (b"{\"name\": 1}", Code::SceneDamaged, "JSON without a formatVersion"),
        (
            b"{\"formatVersion\": 1,}",
            Code::SceneDamaged,
            "a text, no compiled scene, and no JSON either: line 1",
        ),
        (b"", Code::SceneDamaged, "byte 0: the file ends where a value should begin"),
        (b"\x93\x01\x02\x03", Code::SceneDamaged, "a compiled scene is a map, but this is a list"),
        (b"objects", Code::SceneDamaged, "a compiled scene is a map, but this is a whole number"),
        (b"\x82\xa1a", Code::SceneDamaged, "byte 0: 2 keys are announced here"),
        (b"\x81\xa1a\xc1", Code::SceneDamaged, "byte 3: c1 is a byte that no value begins with"),
    ];
    for (bytes, code, expected) in cases {
        let why = read_bytes(bytes).unwrap_err();
        assert!(why.code() == code && why.to_string().contains(expected), "{why}");
    }
    let deep = [b"\x81\xa1a".to_vec(), vec![0x91; 64], vec![0]].concat();
    let why = read_bytes(&deep).unwrap_err().to_string();
    assert!(why.contains("byte 66: lists and maps are nested more than 64 deep"), "{why}");
}

#[test]
fn bytes_after_the_end_are_told_and_kept_while_nothing_is_changed() {
    let bytes = [level(), b"tail".to_vec()].concat();
    let Read { mut scene, faults } = read_bytes(&bytes).unwrap();
    let text = format!("the file goes on for 4 bytes after the scene's end at byte {}", level().len());
    assert_eq!(faults, [Fault { code: Code::SceneOdd, object: None, text }]);
    assert_eq!(write(&scene).unwrap(), bytes);
    scene.object_mut(ObjectKey(1)).unwrap().set_name("cap");
    assert!(!write(&scene).unwrap().ends_with(b"tail"));
    scene.object_mut(ObjectKey(1)).unwrap().set_name("hat");
    assert_eq!(scene, scene_of(&bytes));
}

#[test]
fn a_file_cut_short_anywhere_is_refused() {
    let bytes = level();
    for length in 0..bytes.len() {
        assert!(read_bytes(&bytes[..length]).is_err(), "{length}");
    }
}

proptest! {
    #[test]
    fn any_file_is_read_and_written_unchanged(bytes in any_file(), tail in prop::collection::vec(any::<u8>(), 0..3)) {
        let bytes = [bytes, tail].concat();
        prop_assert_eq!(write(&read_bytes(&bytes).unwrap().scene).unwrap(), bytes);
    }

    #[test]
    fn a_file_cut_short_or_damaged_never_panics(bytes in any_file(), at in any::<prop::sample::Index>(), byte: u8) {
        let at = at.index(bytes.len());
        prop_assert!(read_bytes(&bytes[..at]).is_err());
        let mut damaged = bytes;
        damaged[at] = byte;
        if let Ok(Read { scene, .. }) = read_bytes(&damaged) {
            prop_assert_eq!(write(&scene).unwrap(), damaged);
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        // Most of them begin with no map.
        for bytes in [&bytes[..], &[&[0x83], &bytes[..]].concat()] {
            if let Ok(Read { scene, .. }) = read_bytes(bytes) {
                prop_assert_eq!(write(&scene).unwrap(), bytes);
            }
        }
    }
}
