//! `asset_table.bin`: which GUID an asset has, found by its path and type (spec page "2DTX and sidecars", section 7).
//!
//! A count, then entries of 44 bytes sorted by their hash: the hash, the GUID as text with a NUL behind it, 3 zeros.
//! The engine halves its way to a hash and compares nothing else, so no two entries may have the same.

use crate::guid::Guid;

/// The table's file name in the folder of an export.
pub const FILE_NAME: &str = "asset_table.bin";

/// Bytes of the count in front.
const COUNT_BYTES: usize = 4;
/// Bytes of an entry.
const ENTRY_BYTES: usize = 44;
/// Bytes of an entry's hash, before its GUID.
const HASH_BYTES: usize = 4;
/// Characters of a GUID.
const GUID_BYTES: usize = 36;

/// An asset in the table. Sorted by the hash first, as the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// What it is found by, see [`hash_of`].
    pub hash: u32,
    /// Its GUID, which is the name of its file.
    pub guid: Guid,
}

/// Why bytes are no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Its length is not that of its count.
    #[error("a table of {count} entries has {expected} bytes, and this one has {found}")]
    Length {
        /// As many entries as it says to have.
        count: u32,
        /// Bytes that these have.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// It is too short for a count.
    #[error("it is too short for a table")]
    TooShort,
    /// An entry has something else in the place of its GUID.
    #[error("entry {0} has no GUID")]
    NoGuid(usize),
}

/// The text that an asset is found by: its path below `assets/` without extension, and its type.
pub fn key_of(path: &str, type_name: &str) -> String {
    format!("{path}:{type_name}")
}

/// The hash of such a text: FNV-1a of 32 bits.
pub fn hash_of(key: &str) -> u32 {
    key.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The table with these entries, in any order. The count has 32 bits: entries that do not fit it are not there.
pub fn write(entries: &[Entry]) -> Vec<u8> {
    let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    let mut sorted: Vec<_> = entries.iter().take(count as usize).collect();
    sorted.sort_unstable();
    let mut bytes = Vec::with_capacity(COUNT_BYTES + sorted.len() * ENTRY_BYTES);
    bytes.extend(count.to_le_bytes());
    for entry in sorted {
        let mut stored = [0; ENTRY_BYTES];
        let (hash, rest) = stored.split_at_mut(HASH_BYTES);
        hash.copy_from_slice(&entry.hash.to_le_bytes());
        rest[..GUID_BYTES].copy_from_slice(&entry.guid.to_bytes36());
        bytes.extend(stored);
    }
    bytes
}

/// The entries of a table, in its order.
pub fn read(bytes: &[u8]) -> Result<Vec<Entry>, TableError> {
    let (count, stored) = bytes.split_first_chunk::<COUNT_BYTES>().ok_or(TableError::TooShort)?;
    let count = u32::from_le_bytes(*count);
    let expected = COUNT_BYTES as u64 + u64::from(count) * ENTRY_BYTES as u64;
    if expected != bytes.len() as u64 {
        return Err(TableError::Length { count, expected, found: bytes.len() as u64 });
    }
    let (entries, _) = stored.as_chunks::<ENTRY_BYTES>();
    entries.iter().enumerate().map(|(index, stored)| entry(stored).ok_or(TableError::NoGuid(index))).collect()
}

fn entry(stored: &[u8; ENTRY_BYTES]) -> Option<Entry> {
    let (hash, rest) = stored.split_first_chunk::<HASH_BYTES>()?;
    let (guid, rest) = rest.split_first_chunk::<GUID_BYTES>()?;
    let guid = std::str::from_utf8(guid).ok()?.parse().ok()?;
    (rest.first() == Some(&0)).then_some(Entry { hash: u32::from_le_bytes(*hash), guid })
}

/// The GUID with that hash, as the engine finds it.
pub fn find(entries: &[Entry], hash: u32) -> Option<Guid> {
    let at = entries.binary_search_by_key(&hash, |entry| entry.hash).ok()?;
    entries.get(at).map(|entry| entry.guid)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIRST: &str = "11111111-2222-4333-8444-555555555555";
    const SECOND: &str = "21111111-2222-4333-8444-55555555555f";

    fn guid(text: &str) -> Guid {
        text.parse().unwrap()
    }

    #[test]
    fn the_hash_has_the_values_that_its_authors_published() {
        assert_eq!(hash_of(""), 0x811c_9dc5);
        assert_eq!(hash_of("a"), 0xe40c_292c);
        assert_eq!(hash_of("foobar"), 0xbf9c_f968);
        // From the specification.
        assert_eq!(hash_of("11111111-2222-3333-4444-555555555555:0"), 0x4f42_9b4b);
    }

    #[test]
    fn a_table_has_its_bytes_as_the_specification_says() {
        let entries =
            [Entry { hash: 0xe40c_292c, guid: guid(SECOND) }, Entry { hash: 0x0000_0102, guid: guid(FIRST) }];
        let expected = [
            &[2, 0, 0, 0][..],
            &[0x02, 0x01, 0x00, 0x00],
            b"11111111-2222-4333-8444-555555555555",
            &[0, 0, 0, 0],
            &[0x2c, 0x29, 0x0c, 0xe4],
            b"21111111-2222-4333-8444-55555555555f",
            &[0, 0, 0, 0],
        ]
        .concat();
        assert_eq!(expected.len(), 4 + 2 * 44);
        assert_eq!(write(&entries), expected);
        let read = read(&expected).unwrap();
        assert_eq!(read, [entries[1], entries[0]]);
        assert_eq!(find(&read, 0xe40c_292c), Some(guid(SECOND)));
        assert_eq!(find(&read, 1), None);
        assert_eq!(write(&[]), [0; 4]);
    }

    #[test]
    fn bytes_that_are_no_table_are_refused() {
        let table = write(&[Entry { hash: 1, guid: guid(FIRST) }]);
        assert_eq!(read(&[]), Err(TableError::TooShort));
        let cut = read(&table[..47]).unwrap_err();
        assert_eq!(cut.to_string(), "a table of 1 entries has 48 bytes, and this one has 47");
        assert!(read(&[&table[..], &[0]].concat()).is_err());
        assert!(read(&u32::MAX.to_le_bytes()).is_err());
        for at in [8, 44] {
            let mut odd = table.clone();
            odd[at] = b'x';
            assert_eq!(read(&odd), Err(TableError::NoGuid(0)));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_found(
            hashes in prop::collection::hash_set(any::<u32>(), 0..40),
        ) {
            let entries: Vec<_> =
                hashes.iter().map(|hash| Entry { hash: *hash, guid: Guid::for_frame(guid(FIRST), *hash) }).collect();
            let table = write(&entries);
            let read = read(&table).unwrap();
            prop_assert!(read.is_sorted());
            prop_assert_eq!(read.len(), entries.len());
            for entry in &entries {
                prop_assert_eq!(find(&read, entry.hash), Some(entry.guid));
            }
            prop_assert_eq!(write(&read), table);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            if let Ok(entries) = read(&bytes) {
                prop_assert_eq!(bytes.len(), 4 + 44 * entries.len());
            }
        }
    }
}
