//! JSON: the words of each value, and a file that comes back as it was.

use std::sync::Arc;

use proptest::prelude::*;

use super::arbitrary::{any_file, any_scene};
use super::tests::level;
use super::*;
use crate::format::msgpack;
use crate::model::scene::Value;

fn value_of(bytes: &[u8]) -> Value {
    msgpack::read(&Arc::from(bytes)).unwrap().0
}

fn parse(text: &str) -> Json {
    Json::parse(text.as_bytes()).unwrap()
}

/// The bytes of a scene from JSON, where there is no file.
fn made(text: &str) -> Result<Vec<u8>, String> {
    from_json(&parse(text), None).map_err(|why| why.to_string())
}

/// The bytes of a file after its JSON was changed.
fn replaced(file: &[u8], old: &str, new: &str) -> Vec<u8> {
    let text = to_json(&value_of(file)).unwrap().to_text();
    assert!(text.contains(old), "{text}");
    from_json(&parse(&text.replacen(old, new, 1)), Some(&Arc::from(file))).unwrap()
}

#[test]
fn values_have_the_words_of_json_and_bytes_are_base64() {
    let cases: [(&[u8], &str); 19] = [
        (b"\xc0", "null"),
        (b"\xc3", "true"),
        (b"\xcd\x00\x07", "7"),
        (b"\xd3\xff\xff\xff\xff\xff\xff\xff\xff", "-1"),
        (b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615"),
        (b"\xca\x3f\x80\x00\x00", "1.0"),
        (b"\xca\x3d\xcc\xcc\xcd", "0.1"),
        (b"\xca\x80\x00\x00\x00", "-0.0"),
        // 2 to the power of 100 is 1.2676506e30 in the shortest form that is the same float32.
        (b"\xca\x71\x80\x00\x00", "1.2676506e30"),
        (b"\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a", "0.1"),
        (b"\xca\x7f\xc0\x00\x00", "{\"$msgpack\":\"yn/AAAA=\"}"),
        (b"\xa2h\xc3", "{\"$msgpack\":\"omjD\"}"),
        (b"\xa2hi", "\"hi\""),
        (b"\xc4\x02\x01\x02", "{\"$msgpack\":\"xAIBAg==\"}"),
        (b"\xd4\x05\x09", "{\"$msgpack\":\"1AUJ\"}"),
        (b"\x92\x01\x90", "[1,[]]"),
        (b"\x82\xa1b\x01\xa1a\x80", "{\"b\":1,\"a\":{}}"),
        // A map with another key than a text, and one that looks like bytes in base64, go as a whole.
        (b"\x81\x01\x02", "{\"$msgpack\":\"gQEC\"}"),
        (b"\x81\xa8$msgpack\xa0", "{\"$msgpack\":\"gagkbXNncGFja6A=\"}"),
    ];
    for (bytes, text) in cases {
        assert_eq!(to_json(&value_of(bytes)).unwrap(), parse(text));
    }
}

#[test]
fn json_is_written_in_the_smallest_forms() {
    let text = r#"{"a": [255, -33, 1.5, 1e1, true, null], "b": {"$msgpack": "xAIBAg=="}, "b": "hi"}"#;
    let expected: [&[u8]; 4] = [
        b"\x83\xa1a\x96\xcc\xff\xd0\xdf\xca\x3f\xc0\x00\x00\xca\x41\x20\x00\x00\xc3\xc0",
        b"\xa1b",
        b"\xc4\x02\x01\x02",
        b"\xa1b\xa2hi",
    ];
    assert_eq!(made(text).unwrap(), expected.concat());
}

#[test]
fn what_cannot_be_written_is_named_with_its_place() {
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(64), "]".repeat(64));
    let long = format!("{{\"a\": {:?}}}", "x".repeat(65_536));
    let cases = [
        (r#"{"a": [1, {"b": 4294967296}]}"#, "a[1].b: 4294967296 is beyond the 32 bits"),
        (r#"{"a": -2147483649}"#, "a: -2147483649 is beyond the 32 bits"),
        (r#"{"a": 1e39}"#, "a: 1e39 is beyond the engine's numbers"),
        (r#"{"a": {"$msgpack": 1}}"#, "a: $msgpack stands alone in its object"),
        (r#"{"a": {"$msgpack": "", "b": 1}}"#, "a: $msgpack stands alone in its object"),
        (r#"{"a": {"$msgpack": "?"}}"#, "a: $msgpack is no base64"),
        (r#"{"a": {"$msgpack": "kg=="}}"#, "a: $msgpack is no MessagePack: byte 0"),
        (r#"{"a": {"$msgpack": "AQE="}}"#, "a: $msgpack holds more than one value"),
        (&deep, "]: it is more than 64 lists and maps deep"),
        (&long, "a: the text has 65536 bytes"),
        ("[1]", "a scene is a JSON object, but this is a list"),
        ("null", "a scene is a JSON object, but this is nothing"),
        (r#"{"$msgpack": "AQ=="}"#, "a scene is a JSON object, but this is a whole number"),
        ("1e99", "1e99 is beyond"),
    ];
    for (text, expected) in cases {
        let why = made(text).unwrap_err();
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn what_is_equal_to_the_file_keeps_its_bytes() {
    // Renamed: the id keeps its 16 bits, the untouched list of children its count.
    let renamed = replaced(&level(), "\"hero\"", "\"cat\"");
    let at = level().windows(5).position(|part| part == b"\xa4hero").unwrap();
    assert_eq!(renamed, [&level()[..at], b"\xa3cat", &level()[at + 5..]].concat());
    // Beyond what we write, and kept beside what was changed.
    let file = b"\x82\xa1a\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a\xa1b\xcf\xff\xff\xff\xff\xff\xff\xff\xff";
    let changed = replaced(file, "\"b\"", "\"c\": 1, \"b\"");
    assert_eq!(changed, [b"\x83", &file[1..12], b"\xa1c\x01", &file[12..]].concat());
    // Equal numbers may be spelled in other ways, but a whole number is no other number.
    assert_eq!(
        replaced(b"\x81\xa1a\xcb\x40\x24\0\0\0\0\0\0", "10.0", "1e+1"),
        b"\x81\xa1a\xcb\x40\x24\0\0\0\0\0\0"
    );
    assert_eq!(replaced(b"\x81\xa1a\xcb\x40\x24\0\0\0\0\0\0", "10.0", "10"), b"\x81\xa1a\x0a");
}

#[test]
fn lists_and_maps_keep_their_bytes_where_they_move() {
    // [{"id": 1, "v": uint16 5}, {"id": 2, "v": uint16 6}], the maps with 16-bit counts.
    let one = b"\xde\x00\x02\xa2id\x01\xa1v\xcd\x00\x05";
    let two = b"\xde\x00\x02\xa2id\x02\xa1v\xcd\x00\x06";
    let file: Arc<[u8]> = [b"\x81\xa1l\x92", &one[..], &two[..]].concat().into();
    let moved = r#"{"m": {"id": 1, "v": 5}, "l": [{"id": 2, "v": 6, "w": 0}]}"#;
    let expected: [&[u8]; 4] = [b"\x82\xa1m", one, b"\xa1l\x91", b"\x83\xa2id\x02\xa1v\xcd\x00\x06\xa1w\x00"];
    assert_eq!(from_json(&parse(moved), Some(&file)).unwrap(), expected.concat());
}

#[test]
fn a_file_that_is_no_scene_is_not_replaced() {
    let authored: Arc<[u8]> = Arc::from(&b"{\"formatVersion\": 1}"[..]);
    let damaged: Arc<[u8]> = Arc::from(&b"\x82\xa1a"[..]);
    for file in [authored, damaged] {
        assert!(matches!(from_json(&Json::object(), Some(&file)), Err(FromJsonError::File(_))));
    }
}

proptest! {
    #[test]
    fn the_json_of_a_file_gives_the_file(bytes in any_file(), tail in prop::collection::vec(any::<u8>(), 0..3)) {
        let file: Arc<[u8]> = [bytes, tail].concat().into();
        let text = to_json(&root(&file).unwrap().0).unwrap().to_text();
        prop_assert_eq!(from_json(&parse(&text), Some(&file)).unwrap(), file.to_vec());
    }

    #[test]
    fn the_json_of_a_scene_gives_an_equal_scene(scene in any_scene()) {
        let bytes = write(&scene).unwrap();
        let text = to_json(&value_of(&bytes)).unwrap().to_text();
        let again = from_json(&parse(&text), None).unwrap();
        prop_assert_eq!(read(&again.into()).unwrap().scene, scene);
    }
}
