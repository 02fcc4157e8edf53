//! The reader against the loader's behaviour, row by row of its validation table, and against the writer.

use proptest::prelude::*;

use super::*;
use crate::geometry::Size;
use crate::texture::PixelFormat;

const GUID_A: &[u8; 36] = b"c1358fea-5654-5786-a2f9-6caa84f79513";
const GUID_B: &[u8; 36] = b"7f7f80fd-e526-558b-816c-007ec716700e";

/// A 64 x 32 RGB565 texture with that metadata.
fn file(metadata: &[u8]) -> Vec<u8> {
    let mut bytes = header([64, 32, 2, 4096, metadata.len() as u32, 4]);
    bytes.resize(32 + 4096, 0xee);
    bytes.extend(metadata);
    bytes
}

/// Width, height, format, data size, metadata size, flags.
fn header(numbers: [u32; 6]) -> Vec<u8> {
    let mut bytes = b"2DTX\x01\0\0\0".to_vec();
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

fn metadata(chunks: &[Vec<u8>]) -> Vec<u8> {
    [&(chunks.len() as u32).to_le_bytes()[..], &chunks.concat()].concat()
}

fn chunk_claiming(kind: u32, size: u32, payload: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &size.to_le_bytes(), payload].concat()
}

fn chunk(kind: u32, payload: &[u8]) -> Vec<u8> {
    chunk_claiming(kind, payload.len() as u32, payload)
}

fn numbers(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn frame_list(count: u16, frames: &[(&[u8; 36], [i32; 4])], tail: &[u8]) -> Vec<u8> {
    let mut payload = count.to_le_bytes().to_vec();
    for (guid, rect) in frames {
        payload.extend(*guid);
        payload.extend(numbers(rect));
    }
    payload.extend(tail);
    chunk(2, &payload)
}

fn two_frames(tail: &[u8]) -> Vec<u8> {
    frame_list(2, &[(GUID_A, [0, 0, 16, 16]), (GUID_B, [16, 0, 16, 16])], tail)
}

fn grid() -> Vec<u8> {
    chunk(1, &numbers(&[16, 8]))
}

/// Parses a file that a loader takes.
fn read(chunks: &[Vec<u8>]) -> Tex {
    Tex::parse(&file(&metadata(chunks))).unwrap()
}

fn insets(left: u16, right: u16, top: u16, bottom: u16) -> Insets {
    Insets { left, right, top, bottom }
}

fn warned(tex: &Tex, word: &str) -> bool {
    tex.warnings.iter().any(|warning| warning.message.contains(word))
}

#[test]
fn a_file_without_faults_has_no_warnings() {
    let tex = read(&[grid(), two_frames(&[])]);
    assert_eq!(tex.warnings, []);
    assert_eq!(
        (tex.size, tex.format, tex.flags),
        (Size::new(64, 32), PixelFormat::Rgb565, TexFlags::IS_SPRITE)
    );
    assert_eq!(tex.pixels, 32..4128);
    assert_eq!(tex.default_frame, Some(FrameSize { width: 16, height: 8 }));
    assert_eq!(tex.frames[1].guid, *GUID_B);
    assert_eq!(tex.frames[1].rect, PixelRect::new(16, 0, 16, 16));
    assert_eq!(tex.chunks, [ChunkInfo { kind: 1, size: 8 }, ChunkInfo { kind: 2, size: 106 }]);
}

#[test]
fn headers_that_a_loader_refuses_are_errors() {
    let whole = file(&metadata(&[grid()]));
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        Tex::parse(&file).unwrap_err()
    };
    assert_eq!(Tex::parse(b"").unwrap_err(), TexError::NoHeader(0));
    assert_eq!(Tex::parse(&whole[..31]).unwrap_err(), TexError::NoHeader(31));
    assert_eq!(changed(0, b"2dtx"), TexError::NotATexture);
    assert_eq!(changed(4, &[0]), TexError::Version(0));
    assert_eq!(changed(4, &[2]), TexError::Version(2));
    assert!(matches!(changed(8, &[0]), TexError::Size(_)));
    assert!(matches!(changed(12, &[0]), TexError::Size(_)));
    assert_eq!(changed(16, &[5]), TexError::Format(5));
    assert_eq!(changed(16, &[3]), TexError::DataSize { stated: 4096, needed: 6144 });
    assert_eq!(changed(20, &[1]), TexError::DataSize { stated: 4097, needed: 4096 });
}

#[test]
fn products_that_wrap_in_32_bits_are_refused() {
    // 65536 x 65536 x 1 is 0 in 32 bits; 2^30 x 4 x 4 is 0 as well.
    for numbers in [[65_536, 65_536, 4, 0, 0, 4], [1 << 30, 4, 1, 0, 0, 4]] {
        let error = Tex::parse(&header(numbers)).unwrap_err();
        assert!(matches!(error, TexError::DataSize { stated: 0, .. }), "{error}");
    }
    for side in [1 << 31, u32::MAX] {
        assert!(matches!(Tex::parse(&header([side, side, 1, 4, 0, 4])), Err(TexError::Size(_))));
    }
}

#[test]
fn a_file_short_by_one_byte_is_refused_and_a_longer_one_is_not() {
    let mut bytes = file(&metadata(&[grid()]));
    let length = bytes.len();
    let error = Tex::parse(&bytes[..length - 1]).unwrap_err();
    assert_eq!(error, TexError::CutOff { found: length - 1, needed: length as u64 });
    assert!(matches!(Tex::parse(&bytes[..32]), Err(TexError::CutOff { .. })));
    bytes.extend(b"rest");
    let tex = Tex::parse(&bytes).unwrap();
    assert!(tex.default_frame.is_some() && warned(&tex, "4 bytes after"));
    let huge_metadata = [header([64, 32, 2, 4096, u32::MAX, 4]), vec![0; 4096]].concat();
    assert!(matches!(Tex::parse(&huge_metadata), Err(TexError::CutOff { .. })));
}

#[test]
fn no_metadata_and_too_little_metadata_are_taken() {
    let tex = Tex::parse(&file(&[])).unwrap();
    assert_eq!((tex.default_frame, tex.frames.len(), tex.warnings.len()), (None, 0, 0));
    for length in 1..=3 {
        let tex = Tex::parse(&file(&vec![1; length])).unwrap();
        assert!(tex.chunks.is_empty() && warned(&tex, "too few"));
    }
    assert_eq!(read(&[]).warnings, []);
}

#[test]
fn chunk_counts_are_believed_as_far_as_the_bytes_go() {
    for count in [2_u32, u32::MAX] {
        let tex = Tex::parse(&file(&[&count.to_le_bytes()[..], &grid()].concat())).unwrap();
        assert!(tex.default_frame.is_some() && warned(&tex, "counts"), "{count}");
    }
    let fewer = [&1_u32.to_le_bytes()[..], &grid(), &two_frames(&[])].concat();
    let tex = Tex::parse(&file(&fewer)).unwrap();
    assert!(tex.default_frame.is_some() && tex.frames.is_empty() && warned(&tex, "after the last"));
}

#[test]
fn a_chunk_past_the_end_stops_the_reading_there() {
    // 18 bytes are left after the prefix.
    for size in [19, 5000, 0xffff_fff8, u32::MAX] {
        let source = chunk(4, &numbers(&[128, 64]));
        let tex = read(&[grid(), chunk_claiming(2, size, &[1, 0]), source]);
        assert!(tex.default_frame.is_some() && tex.frames.is_empty(), "{size}");
        assert!(tex.source_size.is_none() && warned(&tex, "claims"), "{size}");
    }
}

#[test]
fn unknown_chunks_are_skipped_and_order_does_not_matter() {
    let source = chunk(4, &numbers(&[128, 64]));
    let tex = read(&[source, chunk(99, b"x"), two_frames(&[]), grid()]);
    assert_eq!((tex.source_size, tex.frames.len()), (Some(Size::new(128, 64)), 2));
    assert!(tex.default_frame.is_some());
    assert_eq!(tex.warnings, []);
    assert_eq!(tex.chunks[1], ChunkInfo { kind: 99, size: 1 });
}

#[test]
fn short_chunks_are_skipped_and_reading_goes_on() {
    for (kind, least) in [(1, 8), (2, 2), (3, 8), (4, 8)] {
        let tex = read(&[chunk(kind, &vec![1; least - 1]), chunk(1, &numbers(&[4, 4]))]);
        assert_eq!(tex.default_frame, Some(FrameSize { width: 4, height: 4 }), "{kind}");
        assert!(warned(&tex, "too short"), "{kind}");
    }
}

#[test]
fn longer_chunks_are_legal_padding() {
    let padded = chunk(1, &[numbers(&[16, 8]), vec![0; 12]].concat());
    let source = chunk(4, &numbers(&[128, 64, 0]));
    let tex = read(&[padded, two_frames(&[0]), source]);
    assert_eq!(tex.default_frame, Some(FrameSize { width: 16, height: 8 }));
    assert_eq!((tex.nine_slice, tex.frames.len(), tex.warnings.len()), (None, 2, 0));
}

#[test]
fn sheet_borders_need_17_bytes_and_the_flag() {
    let sprite = |flag: u8, length: usize| {
        let mut payload = numbers(&[16, 8]);
        payload.extend([flag, 4, 0, 5, 0, 6, 0, 7, 0]);
        payload.truncate(length);
        read(&[chunk(1, &payload)])
    };
    assert_eq!(sprite(1, 17).nine_slice, Some(insets(4, 5, 6, 7)));
    assert_eq!(sprite(0, 17).nine_slice, None);
    assert_eq!(sprite(0, 17).warnings, []);
    for length in 8..17 {
        let tex = sprite(1, length);
        assert_eq!((tex.nine_slice, tex.default_frame.is_some()), (None, true), "{length}");
        assert_eq!(warned(&tex, "cut short"), length > 8, "{length}");
    }
}

#[test]
fn the_last_of_two_equal_chunks_counts_but_borders_stay() {
    let bordered = chunk(1, &[numbers(&[16, 8]), vec![1, 4, 0, 5, 0, 6, 0, 7, 0]].concat());
    let tail = [&[1, 0, 1, 0][..], &[1, 0, 2, 0, 3, 0, 4, 0]].concat();
    let again = frame_list(2, &[(GUID_B, [0, 0, 8, 8]), (GUID_A, [8, 0, 8, 8])], &[]);
    let tex = read(&[bordered, chunk(1, &numbers(&[4, 4])), two_frames(&tail), again]);
    assert_eq!(tex.default_frame, Some(FrameSize { width: 4, height: 4 }));
    assert_eq!(tex.nine_slice, Some(insets(4, 5, 6, 7)));
    assert_eq!(tex.frames[1].rect, PixelRect::new(8, 0, 8, 8));
    assert_eq!(tex.frames[0].guid, *GUID_B);
    assert_eq!(tex.frames[1].nine_slice, Some(insets(1, 2, 3, 4)));
    assert!(warned(&tex, "more than one chunk of type 1") && warned(&tex, "more than one chunk of type 2"));
}

#[test]
fn a_frame_list_that_does_not_hold_its_count_is_dropped_whole() {
    for count in [3, 200, u16::MAX] {
        let list = frame_list(count, &[(GUID_A, [0, 0, 16, 16]), (GUID_B, [16, 0, 16, 16])], &[]);
        let tex = read(&[list, grid()]);
        assert!(tex.frames.is_empty() && tex.default_frame.is_some() && warned(&tex, "too short"), "{count}");
    }
}

#[test]
fn frame_borders_are_read_by_index_and_whole_entries_only() {
    let entry = |index: u16| [&index.to_le_bytes()[..], &[1, 0, 2, 0, 3, 0, 4, 0]].concat();
    let tex = read(&[two_frames(&[&[2, 0][..], &entry(1), &entry(0)].concat())]);
    assert_eq!(tex.frames[0].nine_slice, Some(insets(1, 2, 3, 4)));
    assert_eq!((tex.frames[1].nine_slice, tex.warnings.len()), (Some(insets(1, 2, 3, 4)), 0));

    let tex = read(&[two_frames(&[&[2, 0][..], &entry(2), &entry(0)].concat())]);
    assert!(tex.frames[0].nine_slice.is_some() && warned(&tex, "1 frame borders name"));

    let tex = read(&[two_frames(&[&[2, 0][..], &entry(1), &entry(0)[..9]].concat())]);
    assert_eq!((tex.frames[0].nine_slice, tex.frames[1].nine_slice.is_some()), (None, true));
    assert!(warned(&tex, "counts 2 and holds 1"));
}

#[test]
fn wrong_rectangles_and_guids_load_as_they_are_with_a_warning_each() {
    for rect in [
        [1000, 1000, 16, 16],
        [-8, -8, 16, 16],
        [16, 16, -8, -8],
        [0, 0, 0, 0],
        [i32::MAX, i32::MAX, i32::MAX, i32::MAX],
        [i32::MIN, i32::MIN, i32::MIN, i32::MIN],
    ] {
        let tex = read(&[frame_list(1, &[(GUID_A, rect)], &[])]);
        let [x, y, width, height] = rect;
        assert_eq!(tex.frames[0].rect, PixelRect::new(x, y, width, height));
        assert_eq!((tex.warnings.len(), tex.warnings[0].frame), (1, Some(0)), "{rect:?}");
    }
    let tex = read(&[frame_list(1, &[(&[0xc8; 36], [0, 0, 16, 16])], &[])]);
    assert_eq!((tex.frames[0].guid, tex.frames[0].parsed_guid()), ([0xc8; 36], None));
    assert!(warned(&tex, "GUID is none"));
    let tex = read(&[frame_list(2, &[(GUID_A, [0, 0, 16, 16]), (GUID_A, [16, 0, 16, 16])], &[])]);
    assert_eq!(tex.frames.len(), 2);
    assert_eq!((tex.warnings.len(), tex.warnings[0].frame), (1, Some(1)));
}

#[test]
fn rectangles_are_judged_by_the_image_not_by_the_smaller_texture() {
    let list = frame_list(1, &[(GUID_A, [64, 32, 64, 32])], &[]);
    let source = chunk(4, &numbers(&[128, 64]));
    assert_eq!(read(&[list.clone(), source]).warnings, []);
    assert_eq!(read(&[list]).warnings.len(), 1);
}

#[test]
fn default_frames_and_borders_that_do_not_fit_are_reported() {
    for size in [[-16, -16], [4096, 16], [16, 33], [i32::MAX, i32::MAX], [i32::MIN, 0]] {
        assert!(warned(&read(&[chunk(1, &numbers(&size))]), "does not fit"), "{size:?}");
    }
    assert_eq!(read(&[chunk(1, &numbers(&[0, 0]))]).warnings, []);
    let sprite = |left: u8| chunk(1, &[numbers(&[0, 0]), vec![1, left, 0, 32, 0, 1, 0, 1, 0]].concat());
    assert_eq!(read(&[sprite(31)]).warnings, []);
    // 32 + 32 = 64: nothing is left to stretch.
    assert!(warned(&read(&[sprite(32)]), "no centre"));
}

#[test]
fn chroma_keys_keep_the_colour_when_their_spans_do_not_fit() {
    let key = |count: u32, spans: &[u8]| {
        read(&[chunk(3, &[&[1, 255, 0, 254][..], &count.to_le_bytes(), spans].concat())])
    };
    let colour = ChromaKey { red: 255, green: 0, blue: 254 };
    let plain = key(0, &[]);
    assert_eq!(plain.chroma_key, Some(TexChromaKey { key: colour, spans: vec![] }));
    assert_eq!(plain.warnings, []);
    for count in [6, 0x8000_0001, u32::MAX] {
        let tex = key(count, &[0; 10]);
        assert_eq!(tex.chroma_key, Some(TexChromaKey { key: colour, spans: vec![] }), "{count}");
        assert!(warned(&tex, "do not fit"), "{count}");
    }
    let row = [numbers(&[0x0040_0000])].concat(); // 0, 64
    let tex = key(64, &row.repeat(32));
    assert_eq!((tex.chroma_key.unwrap().spans, tex.warnings.len()), ([0, 64].repeat(32), 0));
    assert!(warned(&key(62, &row.repeat(31)), "62 row span ends"));
    let wild = [&row.repeat(31)[..], &[0xff, 0xff, 0x41, 0]].concat();
    assert!(warned(&key(64, &wild), "1 rows lie outside"));
    let disabled = read(&[chunk(3, &[0, 255, 0, 254, 9, 9, 9, 9])]);
    assert_eq!((disabled.chroma_key, disabled.warnings.len()), (None, 0));
}

#[test]
fn a_source_size_that_says_nothing_is_dropped() {
    for size in [[0, 64], [128, -1], [i32::MIN, i32::MIN]] {
        let tex = read(&[chunk(4, &numbers(&size))]);
        assert!(tex.source_size.is_none() && warned(&tex, "not positive"), "{size:?}");
    }
    let same = read(&[chunk(4, &numbers(&[64, 32]))]);
    assert_eq!((same.source_size, same.warnings.len()), (None, 0));
}

#[test]
fn unknown_flags_are_kept_and_reported() {
    let mut bytes = file(&[]);
    bytes[28..32].copy_from_slice(&u32::MAX.to_le_bytes());
    let tex = Tex::parse(&bytes).unwrap();
    assert_eq!(tex.flags, TexFlags(u32::MAX));
    assert!(warned(&tex, "0xfffffff0"));
}

#[test]
fn warnings_are_capped_and_say_so() {
    let frames = vec![(GUID_A, [0, 0, 0, 0]); 5000];
    let tex = read(&[frame_list(5000, &frames, &[])]);
    assert_eq!((tex.frames.len(), tex.warnings.len()), (5000, 1000));
    assert!(tex.warnings[999].message.contains("more faults"));
}

/// What a file holds, read from the table of the format alone, with nothing of the reader's code.
fn read_independently(bytes: &[u8]) -> Vec<i64> {
    let u32_at = |at: usize| {
        i64::from(bytes[at])
            + (i64::from(bytes[at + 1]) << 8)
            + (i64::from(bytes[at + 2]) << 16)
            + (i64::from(bytes[at + 3]) << 24)
    };
    assert_eq!(&bytes[..8], b"2DTX\x01\0\0\0");
    (2..8).map(|index| u32_at(4 * index)).collect()
}

fn any_insets() -> impl Strategy<Value = Insets> {
    (any::<u16>(), any::<u16>(), any::<u16>(), 1..=u16::MAX).prop_map(|(l, r, t, b)| insets(l, r, t, b))
}

fn any_frame() -> impl Strategy<Value = TexFrame> {
    let rect = (any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>());
    let guid = prop::collection::vec(any::<u8>(), 36);
    (guid, rect, prop::option::of(any_insets())).prop_map(|(guid, (x, y, width, height), nine_slice)| {
        TexFrame { guid: guid.try_into().unwrap(), rect: PixelRect::new(x, y, width, height), nine_slice }
    })
}

prop_compose! {
    fn any_metadata()(
        (width, height) in any::<(i32, i32)>(),
        frames in prop::collection::vec(any_frame(), 0..20),
        nine_slice in prop::option::of(any_insets()),
        key in prop::option::of((any::<[u8; 3]>(), prop::collection::vec(any::<i16>(), 0..20))),
        // Never the stored size, which says nothing.
        source in prop::option::of((100..=i32::MAX as u32, 1..=i32::MAX as u32)),
    ) -> Metadata {
        Metadata {
            default_frame: FrameSize { width, height },
            frames,
            nine_slice,
            chroma_key: key.map(|([red, green, blue], spans)| {
                TexChromaKey { key: ChromaKey { red, green, blue }, spans }
            }),
            source_size: source.map(|(width, height)| Size::new(width, height)),
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        metadata in any_metadata(),
        (width, height) in (1_u32..40, 1_u32..40),
        format in 0_u32..5,
        flags in any::<u32>(),
    ) {
        let header = TexHeader {
            size: Size::new(width, height),
            format: PixelFormat::from_number(format).unwrap(),
            flags: TexFlags(flags),
        };
        let after = metadata.to_bytes().unwrap();
        let mut bytes = header.to_bytes(after.len()).unwrap().to_vec();
        bytes.resize(bytes.len() + header.pixel_bytes().unwrap() as usize, 7);
        bytes.extend(&after);

        let tex = Tex::parse(&bytes).unwrap();
        prop_assert_eq!((tex.size, tex.format, tex.flags), (header.size, header.format, header.flags));
        prop_assert_eq!(tex.pixels.len(), header.pixel_bytes().unwrap() as usize);
        let again = Metadata {
            default_frame: tex.default_frame.unwrap_or_default(),
            frames: tex.frames,
            nine_slice: tex.nine_slice,
            chroma_key: tex.chroma_key,
            source_size: tex.source_size,
        };
        prop_assert_eq!(again, metadata);

        let bytes_per_pixel = [3, 4, 2, 3, 1][format as usize];
        let expected = [width, height, format, width * height * bytes_per_pixel, after.len() as u32, flags];
        prop_assert_eq!(read_independently(&bytes), expected.map(i64::from));
    }

    #[test]
    fn changed_bytes_never_panic(
        metadata in any_metadata(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..10),
        cut in 0_usize..50,
    ) {
        let mut bytes = file(&metadata.to_bytes().unwrap());
        let metadata_start = 32 + 4096;
        for (at, value) in changes {
            let at = at.index(bytes.len() - 4096);
            let at = if at < 32 { at } else { at - 32 + metadata_start };
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        bytes.truncate(bytes.len() - cut.saturating_sub(40));
        if let Ok(tex) = Tex::parse(&bytes) {
            prop_assert!(tex.pixels.end <= bytes.len() && tex.warnings.len() <= 1000);
        }
    }
}
