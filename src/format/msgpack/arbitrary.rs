//! Values and files for property tests.

use proptest::prelude::*;

use super::tag;
use crate::model::scene::{Data, Value};

/// Values that can be written.
pub(crate) fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Data::Nil),
        any::<bool>().prop_map(Data::Bool),
        (i64::from(i32::MIN)..=i64::from(u32::MAX)).prop_map(|number| Data::Integer(number.into())),
        (-300_i128..70_000).prop_map(Data::Integer),
        any_real().prop_map(|number| Data::Real(number.into())),
        "\\PC{0,40}".prop_map(|text| Data::Text(text.into())),
    ];
    leaf.prop_map(Value::from).prop_recursive(4, 64, 20, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..20).prop_map(|items| items.into_iter().collect()),
            prop::collection::vec(("[a-d]|\\PC{0,40}", inner), 0..20).prop_map(Value::map),
        ]
    })
}

fn any_real() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0), Just(-0.0), Just(f32::NAN), Just(f32::INFINITY), any::<f32>()]
}

/// The bytes of a value, with numbers and lengths in any of the encodings that hold them.
pub(crate) fn any_spelling() -> impl Strategy<Value = Vec<u8>> {
    any_leaf().prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..6), 0..3_usize).prop_map(|(items, form)| counted(
                list_form(form),
                items.len(),
                &items.concat()
            )),
            (prop::collection::vec((any_key(inner.clone()), inner), 0..6), 0..3_usize)
                .prop_map(|(entries, form)| map_spelling(form, &entries)),
        ]
    })
}

/// Keys that are mostly texts.
fn any_key(inner: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![6 => any_text(), 1 => inner]
}

/// The bytes of a text in one of its encodings.
pub(crate) fn any_text() -> impl Strategy<Value = Vec<u8>> {
    ("[a-c]|\\PC{0,8}", 0..4_usize).prop_map(|(text, form)| text_spelling(form, text.as_bytes()))
}

/// A text with a length of the first form that holds it, or of a wider one.
pub(crate) fn text_spelling(form: usize, text: &[u8]) -> Vec<u8> {
    let is_fix = form == 0 && text.len() < 32;
    let form = if is_fix { (tag::FIXSTR, 0) } else { wide(tag::STR_8, form.max(1) - 1, text.len()) };
    counted(form, text.len(), text)
}

/// A map with a count of the first form that holds it, or of a wider one.
pub(crate) fn map_spelling(form: usize, entries: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let content =
        entries.iter().flat_map(|(key, value)| [key.as_slice(), value].concat()).collect::<Vec<_>>();
    let form = match form {
        0 => (tag::FIXMAP, 0),
        1 => (tag::MAP_16, 2),
        _ => (tag::MAP_32, 4),
    };
    counted(form, entries.len(), &content)
}

/// A list in the same way.
pub(crate) fn list_form(form: usize) -> (u8, usize) {
    match form {
        0 => (tag::FIXARRAY, 0),
        1 => (tag::ARRAY_16, 2),
        _ => (tag::ARRAY_32, 4),
    }
}

/// Of tags for 1, 2 and 4 bytes of length the one asked for, or the next that holds the length.
fn wide(first: u8, form: usize, length: usize) -> (u8, usize) {
    let form = if length < 256 { form } else { form.max(1) };
    (first + form as u8, 1 << form)
}

/// A tag, a count of so many bytes (0: in the tag) and what is counted.
pub(crate) fn counted((tag, width): (u8, usize), count: usize, content: &[u8]) -> Vec<u8> {
    let tag = if width == 0 { tag + count as u8 } else { tag };
    let count = &(count as u32).to_be_bytes()[4 - width..];
    [&[tag], count, content].concat()
}

fn any_leaf() -> impl Strategy<Value = Vec<u8>> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..20);
    prop_oneof![
        prop_oneof![Just(tag::NIL), Just(tag::FALSE), Just(tag::TRUE)].prop_map(|tag| vec![tag]),
        prop_oneof![0..0x80_u8, 0xe0..=0xff_u8].prop_map(|fixint| vec![fixint]),
        // Integers of all widths, float32 and float64.
        (tag::FLOAT_32..=tag::INT_64, any::<u64>()).prop_map(|(tag, bits)| {
            let width = match tag {
                tag::FLOAT_32 => 4,
                tag::FLOAT_64 => 8,
                tag::UINT_8..=tag::UINT_64 => 1 << (tag - tag::UINT_8),
                _ => 1 << (tag - tag::INT_8),
            };
            [&[tag], &bits.to_be_bytes()[8 - width..]].concat()
        }),
        any_text(),
        // Many of them are no UTF-8.
        (bytes(), 0..4_usize).prop_map(|(bytes, form)| text_spelling(form, &bytes)),
        (bytes(), 0..3_usize).prop_map(|(bytes, form)| counted(
            wide(tag::BIN_8, form, bytes.len()),
            bytes.len(),
            &bytes
        )),
        (bytes(), any::<u8>(), 0..3_usize).prop_map(|(bytes, kind, form)| {
            let content = [&[kind], bytes.as_slice()].concat();
            counted(wide(tag::EXT_8, form, bytes.len()), bytes.len(), &content)
        }),
        (0..5_u8, any::<[u8; 17]>()).prop_map(|(form, bytes)| [
            &[tag::FIXEXT_1 + form],
            &bytes[..=1 << form]
        ]
        .concat()),
    ]
}
