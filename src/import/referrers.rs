//! Pass 1 for assets that refer to others, which have no other pass: what each refers to, and its GUID.
//!
//! Their files are read and never written. A new one in a game project gets a sidecar, as an image does.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use super::index::{ReferrerEntry, Stamp};
use super::plan::{self, SidecarReading};
use super::scan::{self, Found};
use super::work::Status;
use super::workspace::Workspace;
use crate::format::scene;
use crate::format::sidecar::Sidecar;
use crate::fs_atomic;
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::model::files::FileKind;
use crate::model::{Code, Problem};
use crate::registry::{Reference, Referrer, references_of};

/// How often a file is read that changes meanwhile; then it is taken as it is, and looked at again with the next
/// change or import.
const MOST_READS: usize = 3;

/// Larger files are not read: a value of one byte takes a hundred in memory.
const MOST_BYTES: u64 = 64 << 20;

/// What a look at an asset that refers to others found.
pub enum ReferrerDiscovery {
    /// It is as the last import saw it.
    Unchanged,
    /// It was read, for [`Workspace::take_referrer`].
    Read(Box<ReferrerReading>),
    /// Its sidecar stands alone; the registry says so.
    Orphan,
    /// It is no asset, or no longer one.
    Gone,
}

/// An asset that refers to others, as it was read.
pub struct ReferrerReading {
    entry: ReferrerEntry,
    status: Status,
    creates_sidecar: bool,
}

impl ReferrerReading {
    /// Whether it may be a file that is still being written.
    pub fn is_damaged(&self) -> bool {
        self.status == Status::Failed
    }
}

/// What a file's bytes say.
struct Content {
    references: Vec<Reference>,
    problems: Vec<Problem>,
    is_readable: bool,
}

impl Content {
    fn unreadable(problem: Problem) -> Self {
        Self { references: Vec::new(), problems: vec![problem], is_readable: false }
    }

    fn of_scene(bytes: &Arc<[u8]>, path: &str) -> Self {
        let Ok(read) = catch_unwind(AssertUnwindSafe(|| scene::read(bytes))) else {
            let message = "the reader of scenes failed on it; this is a fault of the program";
            return Self::unreadable(Problem::new(Code::Internal, path, message));
        };
        match read {
            Ok(scene::Read { scene, faults }) => {
                let problem = |fault: scene::Fault| {
                    let problem = Problem::new(fault.code, path, fault.text);
                    fault.object.map_or(problem.clone(), |object| problem.at_object(object))
                };
                Self {
                    references: references_of(&scene),
                    problems: faults.into_iter().map(problem).collect(),
                    is_readable: true,
                }
            }
            Err(why) => Self::unreadable(Problem::new(why.code(), path, why.to_string())),
        }
    }
}

impl Workspace {
    /// Puts those that are as they were into the registry, and takes out those that are gone. The others are returned,
    /// and those that are in the index alone.
    pub(super) fn discover_referrers(
        &mut self,
        mut found: BTreeMap<Arc<str>, Found>,
    ) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
        self.adopt_moved(&mut found);
        let shown = self.registry.referrers().map(|it| it.path.clone());
        let gone: Vec<_> = shown.filter(|path| !found.contains_key(path)).collect();
        for path in gone {
            self.registry.remove_referrer(&path);
        }
        let indexed = self.index.referrers().map(|entry| entry.referrer.path.clone());
        let vanished: Vec<_> = indexed.filter(|path| !found.contains_key(path)).collect();
        let mut rest = Vec::new();
        for (path, found) in found {
            let entry = self.index.referrer(&path);
            let is_unchanged = entry.is_some_and(|entry| self.is_unchanged(entry, found));
            let keeps_guid = entry.is_some_and(|entry| {
                let is_same =
                    entry.sidecar.zip(found.sidecar).is_some_and(|(old, now)| old.is_same_file(now));
                is_same && !entry.referrer.guid_is_provisional
            });
            if let Some(entry) = entry.filter(|_| is_unchanged || keeps_guid) {
                // One that changed is there as it was until it is read, so that nobody else takes its GUID.
                self.registry.insert_referrer(entry.referrer.clone());
            }
            if !is_unchanged {
                rest.push(path);
            }
        }
        (rest, vanished)
    }

    fn is_unchanged(&self, entry: &ReferrerEntry, found: Found) -> bool {
        // Whether a GUID is someone else's does not depend on this asset's own files.
        let is_contested = entry.referrer.problems.iter().any(|it| it.code == Code::GuidDuplicate);
        found.file.is_some_and(|now| entry.file.proves_unchanged(now))
            && self.is_same_sidecar(entry.sidecar, found.sidecar)
            && !is_contested
    }

    /// Looks at one asset, and reads it unless it is surely as it was.
    pub fn look_at_referrer(&mut self, path: &Arc<str>) -> ReferrerDiscovery {
        let Some(kind) = FileKind::of_name(path) else { return ReferrerDiscovery::Gone };
        let found = scan::look(&self.project, path);
        if found.file.is_none() {
            return self.without_file(path, kind, found);
        }
        if let Some(entry) = self.index.referrer(path).filter(|entry| self.is_unchanged(entry, found)) {
            self.registry.insert_referrer(entry.referrer.clone());
            return ReferrerDiscovery::Unchanged;
        }
        ReferrerDiscovery::Read(Box::new(self.read_referrer(path, kind, found)))
    }

    fn read_referrer(&mut self, path: &Arc<str>, kind: FileKind, found: Found) -> ReferrerReading {
        let reading = plan::read_sidecar(&self.project, path);
        let mut problems = sidecar_problems(&reading, path);
        let own_guid = plan::guid_of(&reading);
        let (guid, guid_is_provisional) = self.settle_guid(path, own_guid, &reading, &mut problems);
        let (bytes, stamp, content) = match read_settled(&self.project.file(path)) {
            Ok((bytes, stamp)) => {
                let FileKind::Scene = kind;
                let content = Content::of_scene(&bytes, path);
                (bytes, stamp, content)
            }
            Err(why) => {
                let problem = Problem::new(Code::Unreadable, path, format!("cannot be read: {why}"));
                (Arc::default(), Stamp::default(), Content::unreadable(problem))
            }
        };
        problems.extend(content.problems);
        let referrer = Referrer {
            path: path.clone(),
            kind,
            guid,
            guid_is_provisional,
            hash: ContentHash::of(&bytes),
            file_bytes: bytes.len() as u64,
            is_readable: content.is_readable,
            references: content.references.into(),
            problems: problems.into(),
        };
        let is_failed = referrer.is_failed();
        let status = match (is_failed, self.read_only) {
            (true, _) => Status::Failed,
            _ if self.is_imported(&referrer) => Status::Unchanged,
            (_, true) => Status::Stale,
            (_, false) => Status::Imported,
        };
        let creates_sidecar = found.sidecar.is_none() && self.project.creates_sidecars() && !is_failed;
        let entry = ReferrerEntry { referrer: Arc::new(referrer), file: stamp, sidecar: found.sidecar };
        ReferrerReading { entry, status, creates_sidecar }
    }

    /// Whether the last import saw the same, here or under the name it had then.
    fn is_imported(&self, referrer: &Referrer) -> bool {
        let here = self.index.referrer(&referrer.path);
        let path = self.index.path_of_referrer(referrer.guid);
        let last = here.or_else(|| self.index.referrer(&path?)).map(|entry| &entry.referrer);
        last.is_some_and(|last| {
            last.guid == referrer.guid
                && last.hash == referrer.hash
                && last.guid_is_provisional == referrer.guid_is_provisional
        })
    }

    /// Takes what was read into index and registry, and makes the sidecar that a new one gets.
    pub fn take_referrer(&mut self, reading: ReferrerReading) -> Status {
        let ReferrerReading { mut entry, status, creates_sidecar } = reading;
        let path = entry.referrer.path.clone();
        if creates_sidecar && !self.read_only {
            let sidecar = self.project.sidecar(&path);
            match fs_atomic::write_synced(&sidecar, &Sidecar::new(entry.referrer.guid).to_bytes()) {
                Ok(()) => entry.sidecar = scan::stamp(&sidecar),
                Err(why) => {
                    let message = format!("its sidecar was not made: {why}");
                    let problem = Problem::new(Code::Unwritable, &path, message);
                    let referrer = Arc::make_mut(&mut entry.referrer);
                    referrer.problems = referrer.problems.iter().cloned().chain([problem]).collect();
                }
            }
        }
        self.registry.insert_referrer(entry.referrer.clone());
        if !self.read_only {
            let old_path = self.index.path_of_referrer(entry.referrer.guid);
            if let Some(old_path) = old_path.filter(|old_path| *old_path != path) {
                self.index.remove(&old_path);
            }
            self.index.insert_referrer(entry);
        }
        status
    }

    fn without_file(&mut self, path: &Arc<str>, kind: FileKind, found: Found) -> ReferrerDiscovery {
        if found.sidecar.is_none() {
            self.registry.remove_referrer(path);
            return ReferrerDiscovery::Gone;
        }
        let reading = plan::read_sidecar(&self.project, path);
        let guid =
            self.index.referrer(path).map(|entry| entry.referrer.guid).or_else(|| plan::guid_of(&reading));
        let message = "The scene is gone and its sidecar is still here: bring the scene back, or delete the sidecar too";
        self.registry.insert_referrer(Arc::new(Referrer {
            path: path.clone(),
            kind,
            guid: guid.unwrap_or_else(Guid::random),
            guid_is_provisional: guid.is_none(),
            hash: ContentHash::default(),
            file_bytes: 0,
            is_readable: false,
            references: [].into(),
            problems: [Problem::new(Code::SidecarOrphan, path, message)].into(),
        }));
        ReferrerDiscovery::Orphan
    }
}

/// What is wrong with the sidecar of an asset that has nothing in it but its GUID.
fn sidecar_problems(reading: &SidecarReading, path: &str) -> Vec<Problem> {
    let faults = reading.sidecar.as_ref().map(|sidecar| sidecar.read().faults).unwrap_or_default();
    let of_guid = faults.into_iter().filter(|fault| fault.code == Code::GuidInvalid);
    let of_guid = of_guid.map(|fault| Problem::new(fault.code, path, fault.text));
    reading.problem.clone().into_iter().chain(of_guid).collect()
}

/// A file's bytes, and the stamp it had while they were read.
fn read_settled(file: &Path) -> io::Result<(Arc<[u8]>, Stamp)> {
    let mut reads = 0;
    loop {
        let mut opened = File::open(file)?;
        let before = Stamp::of(&opened.metadata()?);
        if before.len > MOST_BYTES {
            return Err(io::Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20)));
        }
        let mut bytes = Vec::with_capacity(before.len as usize + 1);
        opened.by_ref().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        let is_same = before.is_same_file(Stamp::of(&opened.metadata()?)) && bytes.len() as u64 == before.len;
        reads += 1;
        if is_same || reads == MOST_READS {
            return Ok((bytes.into(), before));
        }
    }
}
