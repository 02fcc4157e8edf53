//! GUIDs: 128 bits shown as 36 lower-case characters, and the rule that gives every frame its own.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Namespace of frame GUIDs (sprite-system page, "GUID generation").
const FRAME_NAMESPACE: Uuid = Uuid::from_u128(0x7c1f_5a0e_3b7d_4c52_9a64_5e0d_2f8b_91c3);

/// An asset's or a frame's identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Guid(u128);

/// A map by GUID. Their bits are as random as any hash of them, so none is computed.
pub type GuidMap<V> = HashMap<Guid, V, BuildHasherDefault<GuidHasher>>;

/// Takes a GUID's own bits for its hash.
#[derive(Debug, Clone, Copy, Default)]
pub struct GuidHasher(u64);

impl Hasher for GuidHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.0 = self.0.rotate_left(5) ^ u64::from_le_bytes(word);
        }
    }

    fn write_u128(&mut self, bits: u128) {
        self.0 ^= bits as u64 ^ (bits >> 64) as u64;
    }
}

/// The text is not 8-4-4-4-12 hexadecimal digits, or it is the nil GUID that names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a GUID of the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")]
pub struct InvalidGuid;

impl Guid {
    /// A new random GUID (version 4), for a new sheet.
    pub fn random() -> Self {
        Self(Uuid::new_v4().as_u128())
    }

    /// The GUID of frame `id` of the sheet `parent`: version 5 of the text `parent:id`, so that a
    /// cache rebuilt from nothing gives every frame the GUID that scenes already store.
    pub fn for_frame(parent: Self, id: u32) -> Self {
        let mut text = [0; 36];
        let parent = Uuid::from_u128(parent.0).hyphenated().encode_lower(&mut text);
        let seed = [parent, ":", &id.to_string()].concat();
        Self(Uuid::new_v5(&FRAME_NAMESPACE, seed.as_bytes()).as_u128())
    }

    /// The 36 bytes a texture's frame list stores (lower case, no terminator).
    pub fn to_bytes36(self) -> [u8; 36] {
        let mut text = [0; 36];
        Uuid::from_u128(self.0).hyphenated().encode_lower(&mut text);
        text
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Uuid::from_u128(self.0).hyphenated().fmt(f)
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Guid {
    type Err = InvalidGuid;

    /// Only the hyphenated 36-character form, in either case: a looser reading would let a text
    /// that other tools do not take for a GUID name a file of ours.
    fn from_str(text: &str) -> Result<Self, InvalidGuid> {
        if text.len() != 36 {
            return Err(InvalidGuid);
        }
        match Uuid::try_parse(text) {
            Ok(uuid) if !uuid.is_nil() => Ok(Self(uuid.as_u128())),
            _ => Err(InvalidGuid),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "11111111-2222-4333-8444-555555555555";

    #[test]
    fn frame_guids_equal_the_worked_values_of_the_specification() {
        let parent: Guid = PARENT.parse().unwrap();
        for (id, expected) in [
            (0, "c1358fea-5654-5786-a2f9-6caa84f79513"),
            (1, "7f7f80fd-e526-558b-816c-007ec716700e"),
            (41, "0247700e-a489-511b-bbd3-296d6af52689"),
        ] {
            assert_eq!(Guid::for_frame(parent, id).to_string(), expected);
        }
    }

    #[test]
    fn upper_case_parents_give_the_same_frame_guids() {
        let lower: Guid = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee".parse().unwrap();
        let upper: Guid = "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE".parse().unwrap();
        assert_eq!(Guid::for_frame(lower, 7), Guid::for_frame(upper, 7));
    }

    #[test]
    fn only_the_hyphenated_form_is_a_guid() {
        for bad in [
            "",
            "11111111222243338444555555555555",
            "{11111111-2222-4333-8444-555555555555}",
            "11111111-2222-4333-8444-55555555555g",
            "../../../../../../../../etc/passwd-xx",
            "00000000-0000-0000-0000-000000000000",
            "11111111-2222-4333-8444-5555555555555",
            "urn:uuid:11111111-2222-4333-8444-555555555555",
        ] {
            assert_eq!(bad.parse::<Guid>(), Err(InvalidGuid), "{bad}");
        }
    }

    #[test]
    fn random_guids_are_version_4_and_differ() {
        let (a, b) = (Guid::random(), Guid::random());
        assert_ne!(a, b);
        assert_eq!(a.to_string().as_bytes()[14], b'4');
    }
}
