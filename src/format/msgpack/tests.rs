//! Encodings worked out by hand, and what must hold for all of them.

use std::sync::Arc;

use proptest::prelude::*;

use super::arbitrary::{any_spelling, any_value};
use super::*;
use crate::model::scene::{Data, MAX_DEPTH, Value};

fn read_whole(bytes: &[u8]) -> Result<Value, ReadError> {
    let (value, end) = read(&Arc::from(bytes))?;
    assert_eq!(end, bytes.len());
    Ok(value)
}

fn integer(number: i128) -> Value {
    Data::Integer(number).into()
}

fn text(length: usize) -> Value {
    "x".repeat(length).as_str().into()
}

/// The first bytes of what is written, up to where values or characters begin.
fn head(value: &Value, length: usize) -> Vec<u8> {
    write(value).unwrap()[..length].to_vec()
}

#[test]
fn whole_numbers_take_the_shortest_form() {
    let cases: [(i128, &[u8]); 20] = [
        (0, &[0x00]),
        (127, &[0x7f]),
        (128, &[0xcc, 0x80]),
        (255, &[0xcc, 0xff]),
        (256, &[0xcd, 0x01, 0x00]),
        (65_535, &[0xcd, 0xff, 0xff]),
        (65_536, &[0xce, 0x00, 0x01, 0x00, 0x00]),
        (2_147_483_648, &[0xce, 0x80, 0x00, 0x00, 0x00]),
        (4_294_967_295, &[0xce, 0xff, 0xff, 0xff, 0xff]),
        (-1, &[0xff]),
        (-32, &[0xe0]),
        (-33, &[0xd0, 0xdf]),
        (-128, &[0xd0, 0x80]),
        (-129, &[0xd1, 0xff, 0x7f]),
        (-32_768, &[0xd1, 0x80, 0x00]),
        (-32_769, &[0xd2, 0xff, 0xff, 0x7f, 0xff]),
        (-2_147_483_648, &[0xd2, 0x80, 0x00, 0x00, 0x00]),
        (1, &[0x01]),
        (100, &[0x64]),
        (1000, &[0xcd, 0x03, 0xe8]),
    ];
    for (number, bytes) in cases {
        assert_eq!(write(&integer(number)).unwrap(), bytes, "{number}");
        assert_eq!(read_whole(bytes).unwrap(), integer(number), "{number}");
    }
}

#[test]
fn other_numbers_are_float32() {
    // 1.5 is sign 0, exponent 127, half of the fraction; 0.1 is 3dcccccd in every table.
    let cases: [(f32, [u8; 5]); 4] = [
        (1.5, [0xca, 0x3f, 0xc0, 0x00, 0x00]),
        (0.1, [0xca, 0x3d, 0xcc, 0xcc, 0xcd]),
        (-0.0, [0xca, 0x80, 0x00, 0x00, 0x00]),
        (f32::INFINITY, [0xca, 0x7f, 0x80, 0x00, 0x00]),
    ];
    for (number, bytes) in cases {
        assert_eq!(write(&number.into()).unwrap(), bytes, "{number}");
        assert_eq!(read_whole(&bytes).unwrap(), number.into(), "{number}");
    }
}

#[test]
fn texts_lists_and_maps_change_form_where_their_count_does_not_fit() {
    let list = |count| -> Value { std::iter::repeat_n(Value::from(true), count).collect() };
    let map = |count| Value::map((0..count).map(|_| ("", Value::from(true))));
    assert_eq!(write(&"hé".into()).unwrap(), [0xa3, b'h', 0xc3, 0xa9]);
    assert_eq!(head(&text(31), 2), [0xbf, b'x']);
    assert_eq!(head(&text(32), 3), [0xd9, 32, b'x']);
    assert_eq!(head(&text(255), 3), [0xd9, 255, b'x']);
    assert_eq!(head(&text(256), 4), [0xda, 1, 0, b'x']);
    assert_eq!(head(&text(65_535), 4), [0xda, 255, 255, b'x']);
    assert_eq!(head(&list(15), 2), [0x9f, 0xc3]);
    assert_eq!(head(&list(16), 4), [0xdc, 0, 16, 0xc3]);
    assert_eq!(head(&list(65_536), 6), [0xdd, 0, 1, 0, 0, 0xc3]);
    assert_eq!(head(&map(15), 3), [0x8f, 0xa0, 0xc3]);
    assert_eq!(head(&map(16), 5), [0xde, 0, 16, 0xa0, 0xc3]);
    assert_eq!(head(&map(65_536), 7), [0xdf, 0, 1, 0, 0, 0xa0, 0xc3]);
}

#[test]
fn what_we_do_not_write_is_read_and_kept() {
    let cases: [(&[u8], Data); 8] = [
        (&[0xcd, 0x00, 0x07], Data::Integer(7)),
        (&[0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], Data::Integer(u64::MAX.into())),
        (&[0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0], Data::Integer(i64::MIN.into())),
        (&[0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], Data::Real(1.5)),
        (&[0xdb, 0, 0, 0, 1, b'a'], Data::Text("a".into())),
        (&[0xdd, 0, 0, 0, 0], Data::List([].into())),
        (&[0xdf, 0, 0, 0, 0], Data::Map([].into())),
        (&[0xde, 0, 1, 0xc0, 0xc0], Data::Map([(Data::Nil.into(), Data::Nil.into())].into())),
    ];
    for (bytes, data) in cases {
        let value = read_whole(bytes).unwrap();
        assert_eq!(value.data(), &data);
        assert_eq!(write(&value).unwrap(), bytes);
    }
    let carried: [&[u8]; 5] = [
        &[0xc4, 2, 0, 1],
        &[0xc7, 1, 5, 9],
        &[0xd4, 5, 9],
        &[0xd8, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        &[0xa2, 0xff, 0xfe],
    ];
    for bytes in carried {
        let value = read_whole(bytes).unwrap();
        assert!(matches!(value.data(), Data::Opaque(kept) if kept.as_slice() == bytes), "{value:?}");
        assert_eq!(write(&value).unwrap(), bytes);
    }
}

#[test]
fn in_a_changed_map_only_what_changed_is_spelled_anew() {
    // A map16 of a str8 key with a uint16 7, and a fixstr key with a float64.
    let bytes = [0xde, 0, 2, 0xd9, 1, b'a', 0xcd, 0, 7, 0xa1, b'b', 0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0];
    let map = read_whole(&bytes).unwrap();
    assert_eq!(write(&map).unwrap(), bytes);
    let changed = map.with("b", 2.into());
    assert_eq!(write(&changed).unwrap(), [0x82, 0xd9, 1, b'a', 0xcd, 0, 7, 0xa1, b'b', 2]);
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(Value::from(1), |inner, _| [inner].into_iter().collect())
}

#[test]
fn what_the_engine_cannot_read_is_refused_with_its_place() {
    let in_a_map = |value| Value::map([("a", [1.into(), Value::map([("b", value)])].into_iter().collect())]);
    let cases = [
        (integer(1 << 32), "a[1].b: 4294967296 is beyond the 32 bits"),
        (integer(-(1 << 31) - 1), "a[1].b: -2147483649 is beyond the 32 bits"),
        (Data::Real(1e39).into(), "a[1].b: 1e39 is beyond the engine's numbers"),
        (text(65_536), "a[1].b: the text has 65536 bytes"),
        (Data::Map([(1.into(), 2.into())].into()).into(), "a[1].b: a key of the map is a whole number"),
        (nested(MAX_DEPTH), "more than 64 lists and maps deep"),
    ];
    for (value, expected) in cases {
        let message = write(&in_a_map(value)).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(write(&nested(MAX_DEPTH)).unwrap(), [vec![0x91; MAX_DEPTH], vec![1]].concat());
}

#[test]
fn an_untouched_value_is_refused_where_it_would_be_too_deep() {
    let read = read_whole(&[vec![0x91; MAX_DEPTH], vec![1]].concat()).unwrap();
    assert!(write(&read).is_ok());
    let moved: Value = [read].into_iter().collect();
    assert_eq!(write(&moved).unwrap_err().reason, RefusalReason::Depth);
}

#[test]
fn faults_are_named_with_their_byte() {
    let cases: [(&[u8], &str); 10] = [
        (&[], "byte 0: the file ends where a value should begin"),
        (&[0x92, 0x01], "byte 0: 2 values are announced here, more than the rest of the file can hold"),
        (&[0x92, 0xa1, b'a'], "byte 3: the file ends where a value should begin"),
        (&[0xc1], "byte 0: c1 is a byte that no value begins with"),
        (
            &[0x91, 0xa5, b'a', b'b'],
            "byte 1: a text of 5 bytes begins here, and the file ends before it does",
        ),
        (&[0xcd, 0x01], "byte 0: a number of 2 bytes begins here"),
        (&[0xdb, 0xff, 0xff, 0xff, 0xff, b'a'], "byte 0: a text of 4294967295 bytes"),
        (&[0xdd, 0xff, 0xff, 0xff, 0xff, 1], "byte 0: 4294967295 values"),
        (&[0xdf, 0xff, 0xff, 0xff, 0xff, 1], "byte 0: 4294967295 keys"),
        (&[0xc9, 0xff, 0xff, 0xff, 0xff, 1], "byte 0: a block of bytes of 4294967296 bytes"),
    ];
    for (bytes, expected) in cases {
        let message = read_whole(bytes).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    let deep = read_whole(&vec![0x91; 1_000_000]).unwrap_err();
    assert_eq!(deep, ReadError { offset: 64, fault: ReadFault::TooDeep });
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_the_same(value in any_value()) {
        let bytes = write(&value).unwrap();
        let read = read_whole(&bytes).unwrap();
        prop_assert_eq!(&read, &value);
        prop_assert_eq!(read.spelled(), Some(&bytes[..]));
    }

    #[test]
    fn any_spelling_is_read_and_written_unchanged(bytes in any_spelling()) {
        let read = read_whole(&bytes).unwrap();
        prop_assert_eq!(write(&read).unwrap(), bytes);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok((value, end)) = read(&Arc::from(bytes.as_slice())) {
            prop_assert_eq!(write(&value).unwrap(), &bytes[..end]);
        }
    }

    #[test]
    fn a_value_cut_short_anywhere_is_an_error(bytes in any_spelling()) {
        for length in 0..bytes.len() {
            prop_assert!(read(&Arc::from(&bytes[..length])).is_err());
        }
    }
}
