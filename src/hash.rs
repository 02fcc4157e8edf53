//! Content hashes: 128 bits of XXH3 decide whether bytes changed.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// What bytes were, in 128 bits. It guards against change, not against an attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct ContentHash(u128);

impl ContentHash {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }

    /// One hash of what two hashes stand for, in that order.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let mut both = [0; 32];
        both[..16].copy_from_slice(&self.0.to_le_bytes());
        both[16..].copy_from_slice(&other.0.to_le_bytes());
        Self::of(&both)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A hash of bytes that come in pieces.
#[derive(Default)]
pub struct Hasher(Xxh3);

impl Hasher {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes so far.
    pub fn finish(&self) -> ContentHash {
        ContentHash(self.0.digest128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hash_as_the_whole_does() {
        let mut hasher = Hasher::default();
        hasher.update(b"sprite");
        hasher.update(b"sheet");
        assert_eq!(hasher.finish(), ContentHash::of(b"spritesheet"));
        let (a, b) = (ContentHash::of(b"a"), ContentHash::of(b"b"));
        assert_ne!(a, b);
        assert_ne!(a.with(b), b.with(a));
    }
}
