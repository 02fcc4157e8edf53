//! What the cache knows of every asset, so that an unchanged project is opened without opening an image.
//!
//! The index is written when a batch ends. Until then the journal names every asset that the batch
//! touches; a journal found at the start means that the batch did not end, and what it names is
//! imported again. Both live in the cache and can be deleted with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::fs_atomic::{self, WriteError};
use crate::guid::{Guid, GuidMap};
use crate::hash::ContentHash;
use crate::registry::{Asset, Referrer};

/// Raised whenever the same input would give another texture or another index.
pub const IMPORTER_VERSION: u32 = 6;

const INDEX_NAME: &str = "cutsheet-index";
const JOURNAL_NAME: &str = "cutsheet-journal";
/// A file younger than this when it was read may change again without its time changing.
const SETTLED_AFTER: Duration = Duration::from_millis(50);

/// Length and time of a file when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stamp {
    /// Bytes of the file.
    pub len: u64,
    modified_ns: u64,
    settled: bool,
}

impl Stamp {
    /// The stamp of a file that is about to be read.
    pub fn of(metadata: &Metadata) -> Self {
        Self::at(SystemTime::now(), metadata)
    }

    /// The stamp of a file that is looked at in a walk which began at `now`.
    pub fn at(now: SystemTime, metadata: &Metadata) -> Self {
        let modified = metadata.modified().unwrap_or(UNIX_EPOCH);
        let since_epoch = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        let age = now.duration_since(modified).unwrap_or_default();
        Self {
            len: metadata.len(),
            modified_ns: u64::try_from(since_epoch.as_nanos()).unwrap_or(u64::MAX),
            settled: age > SETTLED_AFTER,
        }
    }

    /// Whether both are of one version of a file, as far as length and time tell.
    pub fn is_same_file(self, other: Self) -> bool {
        self.len == other.len && self.modified_ns == other.modified_ns
    }

    /// Whether a file with stamp `now` is surely the one that was read.
    pub fn proves_unchanged(self, now: Self) -> bool {
        self.settled && self.is_same_file(now)
    }
}

/// What the last import of an asset saw and made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    /// The asset as the registry shows it.
    pub asset: Arc<Asset>,
    /// The image file.
    pub image: Stamp,
    /// The sidecar file, if there was one.
    pub sidecar: Option<Stamp>,
    /// Hash of everything but the image that decides the texture.
    pub settings_hash: ContentHash,
    /// Hash of what the project said for all sheets.
    pub project_hash: ContentHash,
}

/// What the last import saw of an asset that refers to others.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReferrerEntry {
    /// The asset as the registry shows it.
    pub referrer: Arc<Referrer>,
    /// Its file.
    pub file: Stamp,
    /// The sidecar file, if there was one.
    pub sidecar: Option<Stamp>,
}

/// What is known of one asset.
trait Known {
    fn path(&self) -> &Arc<str>;
    fn guid(&self) -> Guid;
}

impl Known for Entry {
    fn path(&self) -> &Arc<str> {
        &self.asset.path
    }

    fn guid(&self) -> Guid {
        self.asset.guid
    }
}

impl Known for ReferrerEntry {
    fn path(&self) -> &Arc<str> {
        &self.referrer.path
    }

    fn guid(&self) -> Guid {
        self.referrer.guid
    }
}

/// Entries by path, and where a GUID is.
struct Table<E> {
    entries: BTreeMap<Arc<str>, E>,
    path_of_guid: GuidMap<Arc<str>>,
}

impl<E> Default for Table<E> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), path_of_guid: GuidMap::default() }
    }
}

impl<E: Known> Table<E> {
    /// All entries but those that are in doubt.
    fn load(entries: Vec<E>, in_doubt: &str) -> Self {
        let entries = entries.into_iter().map(|entry| (entry.path().clone(), entry));
        let mut entries: BTreeMap<_, _> = entries.collect();
        for path in in_doubt.lines() {
            entries.remove(path);
        }
        let path_of_guid = entries.values().map(|entry| (entry.guid(), entry.path().clone())).collect();
        Self { entries, path_of_guid }
    }

    fn insert(&mut self, entry: E) {
        self.remove(&entry.path().clone());
        self.path_of_guid.insert(entry.guid(), entry.path().clone());
        self.entries.insert(entry.path().clone(), entry);
    }

    fn remove(&mut self, path: &str) -> Option<E> {
        let entry = self.entries.remove(path)?;
        if self.path_of_guid.get(&entry.guid()).is_some_and(|owner| **owner == *path) {
            self.path_of_guid.remove(&entry.guid());
        }
        Some(entry)
    }
}

/// Entries by asset path, with the journal that guards those of images.
pub struct Index {
    folder: PathBuf,
    images: Table<Entry>,
    referrers: Table<ReferrerEntry>,
    journal: Option<BufWriter<File>>,
    journalled: BTreeSet<Arc<str>>,
    saved_as: Option<Stamp>,
    saved_in_this_boot: bool,
    is_dirty: bool,
}

#[derive(Serialize)]
struct FileRef<'a> {
    version: u32,
    boot: Option<String>,
    entries: Vec<&'a Entry>,
    referrers: Vec<&'a ReferrerEntry>,
}

#[derive(Deserialize)]
struct FileOwned {
    version: u32,
    boot: Option<String>,
    entries: Vec<Entry>,
    /// Indexes of older versions have none.
    #[serde(default)]
    referrers: Vec<ReferrerEntry>,
}

impl Index {
    /// Reads the index of a cache. One that is missing, damaged or of another version is empty; what
    /// an unfinished journal names is left out.
    pub fn load(cache: &Path) -> Self {
        let mut index = Self {
            folder: cache.to_owned(),
            images: Table::default(),
            referrers: Table::default(),
            journal: None,
            journalled: BTreeSet::new(),
            saved_as: None,
            saved_in_this_boot: false,
            is_dirty: false,
        };
        index.reload();
        index
    }

    /// Takes over what another process wrote since, if anything.
    pub fn reload_if_changed(&mut self) {
        let now = stamp_of(&self.folder.join(INDEX_NAME));
        let is_ours = match (now, self.saved_as) {
            (Some(now), Some(saved)) => now.is_same_file(saved),
            (now, saved) => now.is_none() && saved.is_none(),
        };
        if !is_ours {
            self.reload();
        }
    }

    fn reload(&mut self) {
        let path = self.folder.join(INDEX_NAME);
        self.saved_as = stamp_of(&path);
        let (mut images, mut referrers) = (Vec::new(), Vec::new());
        if let Ok(bytes) = fs::read(&path) {
            match rmp_serde::from_slice::<FileOwned>(&bytes) {
                Ok(file) if file.version == IMPORTER_VERSION => {
                    self.saved_in_this_boot = file.boot.is_some() && file.boot == boot_id();
                    (images, referrers) = (file.entries, file.referrers);
                }
                Ok(_) => log::info!("the cache is of another version: everything is imported again"),
                Err(why) => {
                    log::warn!("index not readable, everything is imported again: {why}: {}", path.display());
                }
            }
        }
        let unfinished = fs::read_to_string(self.folder.join(JOURNAL_NAME)).unwrap_or_default();
        self.images = Table::load(images, &unfinished);
        self.referrers = Table::load(referrers, "");
    }

    /// Whether the system ran without a break since the index was saved. Textures are not synced, so only a
    /// break can have cut one short that the index takes for whole.
    pub fn is_of_this_boot(&self) -> bool {
        self.saved_in_this_boot
    }

    /// The entry of an image.
    pub fn get(&self, path: &str) -> Option<&Entry> {
        self.images.entries.get(path)
    }

    /// The path of the image with that GUID.
    pub fn path_of(&self, guid: Guid) -> Option<Arc<str>> {
        self.images.path_of_guid.get(&guid).cloned()
    }

    /// The entries of all images, by path.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.images.entries.values()
    }

    /// The entry of an asset that refers to others.
    pub fn referrer(&self, path: &str) -> Option<&ReferrerEntry> {
        self.referrers.entries.get(path)
    }

    /// The path of the asset with that GUID that refers to others.
    pub fn path_of_referrer(&self, guid: Guid) -> Option<Arc<str>> {
        self.referrers.path_of_guid.get(&guid).cloned()
    }

    /// The entries of all assets that refer to others, by path.
    pub fn referrers(&self) -> impl Iterator<Item = &ReferrerEntry> {
        self.referrers.entries.values()
    }

    /// The GUID that an asset had at the last import.
    pub fn guid_of(&self, path: &str) -> Option<Guid> {
        let of_image = self.get(path).map(|entry| entry.asset.guid);
        of_image.or_else(|| self.referrer(path).map(|entry| entry.referrer.guid))
    }

    /// Bytes and hash of an asset's file at the last import.
    pub fn content_of(&self, path: &str) -> Option<(u64, ContentHash)> {
        let of_image = self.get(path).and_then(|entry| entry.asset.image.as_ref());
        let of_image = of_image.map(|image| (image.file_bytes, image.hash));
        of_image.or_else(|| self.referrer(path).map(|entry| (entry.referrer.file_bytes, entry.referrer.hash)))
    }

    /// Notes, before a texture is touched, that its asset's import has begun.
    pub fn begin(&mut self, path: &Arc<str>) -> Result<(), WriteError> {
        if !self.journalled.insert(path.clone()) {
            return Ok(());
        }
        let file = self.folder.join(JOURNAL_NAME);
        let failed = |source| WriteError { path: file.clone(), source };
        let journal = match &mut self.journal {
            Some(journal) => journal,
            none => {
                // What an earlier, unfinished journal names is still in doubt until this batch ends well.
                let opened = OpenOptions::new().create(true).append(true).open(&file).map_err(failed)?;
                none.insert(BufWriter::new(opened))
            }
        };
        writeln!(journal, "{path}").map_err(failed)
    }

    /// Hands the journal to the system: from here on textures may be touched.
    pub fn flush_journal(&mut self) -> Result<(), WriteError> {
        match &mut self.journal {
            Some(journal) => {
                journal.flush().map_err(|source| WriteError { path: self.folder.join(JOURNAL_NAME), source })
            }
            None => Ok(()),
        }
    }

    /// Records what an import of an image saw and made.
    pub fn insert(&mut self, entry: Entry) {
        self.is_dirty = true;
        self.images.insert(entry);
    }

    /// Records what an import saw of an asset that refers to others.
    pub fn insert_referrer(&mut self, entry: ReferrerEntry) {
        self.is_dirty = true;
        self.referrers.insert(entry);
    }

    /// Forgets an asset.
    pub fn remove(&mut self, path: &str) {
        let was_known = self.images.remove(path).is_some() | self.referrers.remove(path).is_some();
        self.is_dirty |= was_known;
    }

    /// Ends a batch: writes the index, then drops the journal.
    pub fn save(&mut self) -> Result<(), WriteError> {
        if self.is_dirty {
            let path = self.folder.join(INDEX_NAME);
            let file = FileRef {
                version: IMPORTER_VERSION,
                boot: boot_id(),
                entries: self.entries().collect(),
                referrers: self.referrers().collect(),
            };
            let failed = |why| WriteError { path: path.clone(), source: io::Error::other(why) };
            let bytes = rmp_serde::to_vec(&file).map_err(failed)?;
            fs_atomic::write(&path, &bytes)?;
            self.saved_as = stamp_of(&path);
            self.is_dirty = false;
        }
        self.journal = None;
        self.journalled.clear();
        let journal = self.folder.join(JOURNAL_NAME);
        match fs::remove_file(&journal) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(WriteError { path: journal, source })
            }
            _ => Ok(()),
        }
    }
}

/// Names the system's present run, where it has a name.
fn boot_id() -> Option<String> {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()
}

fn stamp_of(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::Guid;
    use crate::model::scene::ObjectKey;
    use crate::model::{Code, Problem};
    use crate::registry::Reference;
    use crate::registry::testing;

    fn entry(path: &str) -> Entry {
        let asset = testing::sheet(path, Guid::random(), 0);
        let stamp = Stamp { len: 5, modified_ns: 9, settled: true };
        Entry {
            asset: Arc::new(asset),
            image: stamp,
            sidecar: None,
            settings_hash: ContentHash::default(),
            project_hash: ContentHash::default(),
        }
    }

    #[test]
    fn entries_survive_and_an_unfinished_batch_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::load(folder.path());
        index.insert(entry("a.png"));
        index.insert(entry("b.png"));
        index.save().unwrap();

        let mut index = Index::load(folder.path());
        assert_eq!(index.entries().count(), 2);
        index.begin(&"b.png".into()).unwrap();
        index.flush_journal().unwrap();
        drop(index); // as a crash would

        let mut index = Index::load(folder.path());
        assert!(index.get("a.png").is_some() && index.get("b.png").is_none());
        // A second crash, in a batch that does not touch b.png, must not clear the doubt about it.
        index.begin(&"a.png".into()).unwrap();
        index.flush_journal().unwrap();
        drop(index);
        assert_eq!(Index::load(folder.path()).entries().count(), 0);
    }

    #[test]
    fn assets_that_refer_to_others_are_in_no_doubt_since_nothing_is_made_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::load(folder.path());
        let reference = Reference {
            object: Some(2),
            object_name: "hero".into(),
            component: "SpriteComponent".into(),
            guid: "a".into(),
            source: "".into(),
        };
        let problem = Problem::new(Code::SceneOdd, "a.scene", "odd").at_object(ObjectKey(2));
        let scene = testing::scene("a.scene", Guid::random(), [reference]);
        let (hash, file_bytes) = (ContentHash::of(b"scene"), 5);
        let referrer = Arc::new(Referrer { hash, file_bytes, problems: [problem].into(), ..scene });
        let stamp = Stamp { len: 5, modified_ns: 9, settled: true };
        index.insert_referrer(ReferrerEntry {
            referrer: referrer.clone(),
            file: stamp,
            sidecar: Some(stamp),
        });
        index.insert(entry("b.png"));
        index.save().unwrap();
        index.begin(&"b.png".into()).unwrap();
        index.flush_journal().unwrap();
        drop(index); // as a crash would

        let mut index = Index::load(folder.path());
        assert_eq!(index.referrer("a.scene").map(|entry| &entry.referrer), Some(&referrer));
        assert_eq!(index.path_of_referrer(referrer.guid).as_deref(), Some("a.scene"));
        assert_eq!(index.content_of("a.scene"), Some((5, ContentHash::of(b"scene"))));
        index.remove("a.scene");
        assert!(index.referrers().next().is_none() && index.path_of_referrer(referrer.guid).is_none());
    }

    #[test]
    fn a_damaged_index_is_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(INDEX_NAME), b"\xc1 no index").unwrap();
        assert_eq!(Index::load(folder.path()).entries().count(), 0);
    }

    #[test]
    fn only_a_settled_stamp_proves_anything() {
        let settled = Stamp { len: 5, modified_ns: 9, settled: true };
        assert!(settled.proves_unchanged(settled));
        assert!(!settled.proves_unchanged(Stamp { len: 6, ..settled }));
        assert!(!settled.proves_unchanged(Stamp { modified_ns: 8, ..settled }));
        assert!(!Stamp { settled: false, ..settled }.proves_unchanged(settled));
    }

    #[test]
    fn what_another_process_saved_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut mine = Index::load(folder.path());
        let mut theirs = Index::load(folder.path());
        theirs.insert(entry("a.png"));
        theirs.save().unwrap();
        mine.reload_if_changed();
        assert!(mine.get("a.png").is_some());
    }
}
