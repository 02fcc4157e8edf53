//! Assets that refer to sheets and frames: which there are, and who uses what.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::guid::{Guid, GuidMap};
use crate::hash::ContentHash;
use crate::model::files::FileKind;
use crate::model::{Code, Problem};

/// A reference to an asset, and who has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The object that has it, by its place in the file's reading order; `None` outside the objects.
    pub object: Option<u32>,
    /// The object's name.
    pub object_name: Arc<str>,
    /// What in the object has it: the type of a component.
    pub component: Arc<str>,
    /// The asset's GUID as it is written, for a frame its sheet's.
    pub guid: Arc<str>,
    /// The frame's GUID as it is written; empty for the whole.
    pub source: Arc<str>,
}

impl Reference {
    /// The GUIDs that it names, as far as its texts are any.
    pub fn guids(&self) -> impl Iterator<Item = Guid> {
        [&self.guid, &self.source].into_iter().filter_map(|text| text.parse().ok())
    }
}

/// An asset that refers to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Referrer {
    /// Relative to the project, with `/`.
    pub path: Arc<str>,
    /// What it is.
    pub kind: FileKind,
    /// Its GUID, from its own sidecar.
    pub guid: Guid,
    /// Whether the GUID is for this run only, because its sidecar has none that can be used.
    pub guid_is_provisional: bool,
    /// Hash of the file's bytes; tells one version from the next.
    pub hash: ContentHash,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Whether it was understood; its problems say why not.
    pub is_readable: bool,
    /// What it refers to, in the order of the file.
    pub references: Arc<[Reference]>,
    /// What is wrong with it by itself.
    pub problems: Arc<[Problem]>,
}

impl Referrer {
    /// The last part of its path.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The same at another path.
    #[must_use]
    pub fn at(&self, path: &Arc<str>) -> Self {
        Self { path: path.clone(), problems: super::problems_at(&self.problems, path), ..self.clone() }
    }

    /// Whether it could not be imported: it is gone, unreadable or damaged. What is not understood because another
    /// program has to make something of it first is no failure.
    pub fn is_failed(&self) -> bool {
        !self.is_readable && !self.problems.iter().any(|problem| problem.code == Code::SceneAuthored)
    }
}

/// All of them, and the way back from what they use.
#[derive(Debug, Clone, Default)]
pub(super) struct Referrers {
    by_path: BTreeMap<Arc<str>, Arc<Referrer>>,
    path_of_guid: GuidMap<Arc<str>>,
    /// Who names a GUID: the path, and the position in its list.
    uses: GuidMap<Vec<(Arc<str>, u32)>>,
}

impl Referrers {
    pub(super) fn insert(&mut self, referrer: Arc<Referrer>) {
        self.remove(&referrer.path.clone());
        for (position, reference) in (0..).zip(referrer.references.iter()) {
            for guid in reference.guids() {
                self.uses.entry(guid).or_default().push((referrer.path.clone(), position));
            }
        }
        self.path_of_guid.insert(referrer.guid, referrer.path.clone());
        self.by_path.insert(referrer.path.clone(), referrer);
    }

    pub(super) fn remove(&mut self, path: &str) -> Option<Arc<Referrer>> {
        let removed = self.by_path.remove(path)?;
        // Each once: a scene may show one sheet a thousand times, and so may a hundred others.
        let guids: BTreeSet<Guid> = removed.references.iter().flat_map(Reference::guids).collect();
        for guid in guids {
            if let Some(uses) = self.uses.get_mut(&guid) {
                uses.retain(|(user, _)| **user != *path);
                if uses.is_empty() {
                    self.uses.remove(&guid);
                }
            }
        }
        if self.path_of_guid.get(&removed.guid).is_some_and(|owner| **owner == *path) {
            self.path_of_guid.remove(&removed.guid);
        }
        Some(removed)
    }

    pub(super) fn get(&self, path: &str) -> Option<&Arc<Referrer>> {
        self.by_path.get(path)
    }

    pub(super) fn by_guid(&self, guid: Guid) -> Option<&Arc<Referrer>> {
        self.by_path.get(self.path_of_guid.get(&guid)?)
    }

    pub(super) fn all(&self) -> impl ExactSizeIterator<Item = &Arc<Referrer>> {
        self.by_path.values()
    }

    pub(super) fn uses_of(&self, guid: Guid) -> impl Iterator<Item = (&Arc<Referrer>, &Reference)> {
        self.uses.get(&guid).into_iter().flatten().filter_map(|(path, position)| {
            let referrer = self.by_path.get(path)?;
            Some((referrer, referrer.references.get(*position as usize)?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn referrer(path: &str, references: &[(&str, &str)]) -> Arc<Referrer> {
        let references = references.iter().map(|(guid, source)| Reference {
            object: Some(0),
            object_name: "hero".into(),
            component: "SpriteComponent".into(),
            guid: (*guid).into(),
            source: (*source).into(),
        });
        Arc::new(testing::scene(path, Guid::random(), references))
    }

    #[test]
    fn sheets_and_frames_know_who_uses_them_as_long_as_somebody_does() {
        let sheet: Guid = "11111111-2222-4333-8444-555555555555".parse().unwrap();
        let frame = Guid::for_frame(sheet, 3);
        let (sheet_text, frame_text) = (sheet.to_string(), frame.to_string());
        let mut referrers = Referrers::default();
        referrers
            .insert(referrer("a.scene", &[(&sheet_text, &frame_text), ("no guid", ""), (&sheet_text, "")]));
        referrers.insert(referrer("b.scene", &[(&sheet_text, "")]));
        let users = |referrers: &Referrers, guid| -> Vec<String> {
            referrers.uses_of(guid).map(|(referrer, _)| referrer.path.to_string()).collect()
        };
        assert_eq!(users(&referrers, sheet), ["a.scene", "a.scene", "b.scene"]);
        assert_eq!(users(&referrers, frame), ["a.scene"]);
        referrers.insert(referrer("a.scene", &[]));
        assert_eq!(users(&referrers, sheet), ["b.scene"]);
        assert!(users(&referrers, frame).is_empty());
        referrers.remove("b.scene");
        assert!(referrers.uses.is_empty() && referrers.path_of_guid.len() == 1);
    }
}
