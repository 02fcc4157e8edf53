//! The importer's knowledge of a project: the index of what is on disk, the registry that readers see,
//! and pass 1, which decides for every asset whether there is anything to do.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::sync::{Arc, OnceLock};
use std::thread;

use super::foreign::ForeignGuids;
use super::index::{Entry, Index, Stamp};
use super::plan::{self, Plan, SidecarReading};
use super::project::Project;
use super::scan::{self, Found, Scan};
use super::work::{Outcome, Status};
use crate::format::tex::Tex;
use crate::fs_atomic::{TEMPORARY_PREFIX, WriteError};
use crate::guid::{Guid, GuidMap};
use crate::hash::ContentHash;
use crate::model::{Code, Problem, Sheet};
use crate::registry::{Asset, Registry, State};
use crate::sheet_file;

/// What pass 1 found out about one path.
pub enum Discovery {
    /// Its texture is right.
    UpToDate(Arc<Asset>),
    /// Pass 2 has to look at it.
    Planned(Box<Plan>),
    /// It cannot be imported as it is; the registry says why.
    Failed(Arc<Asset>),
    /// It is no asset, or no longer one.
    Gone,
}

/// Everything the importer knows of a project.
pub struct Workspace {
    pub(super) project: Project,
    project_hash: ContentHash,
    pub(super) index: Index,
    pub(super) registry: Registry,
    foreign: ForeignGuids,
    project_problems: Vec<Problem>,
    /// The cache's textures, when they were listed already.
    listed: Option<Textures>,
    /// The cache's textures as they were before the batch that is being planned; `None` when that is long ago.
    in_cache: Option<Textures>,
    /// Whether there is an export, whose textures may have GUIDs that scenes use.
    has_storage: bool,
    pub(super) read_only: bool,
}

/// What pass 1 for the whole project leaves to be looked into.
#[derive(Debug, Default)]
pub struct Unplanned {
    /// Images, for [`Workspace::plan`], which may take a while for each.
    pub images: Vec<(Arc<str>, Found)>,
    /// Assets that refer to others, for [`Workspace::look_at_referrer`]. After the images: of an image and a scene
    /// that are both new and have the same GUID, the image keeps it.
    pub referrers: Vec<Arc<str>>,
    /// Of those, what the index still has and is nowhere any more: to be forgotten when the others are read, since it
    /// may be found among them under another name.
    pub vanished: Vec<Arc<str>>,
}

/// Textures in the cache, with their lengths where those may not be what the index says.
type Textures = GuidMap<Option<u64>>;

impl Workspace {
    /// Opens a project's cache. With `read_only` nothing is ever written.
    pub fn open(project: Project, read_only: bool) -> Self {
        let index = Index::load(&project.cache);
        Self::with_index(project, index, read_only)
    }

    /// Opens a project's cache and walks its assets, both at once.
    pub fn open_and_scan(project: Project, read_only: bool) -> (Self, Scan) {
        let (index, scan) = thread::scope(|scope| {
            let walk =
                thread::Builder::new().name("walk".into()).spawn_scoped(scope, || scan::scan(&project));
            let index = Index::load(&project.cache);
            let textures = list_textures(&project, &index, !read_only);
            let scan = walk.ok().and_then(|walk| walk.join().ok());
            ((index, textures), scan)
        });
        // Without a second thread, one after the other.
        let scan = scan.unwrap_or_else(|| scan::scan(&project));
        let (index, textures) = index;
        let workspace = Self { listed: Some(textures), ..Self::with_index(project, index, read_only) };
        (workspace, scan)
    }

    fn with_index(project: Project, index: Index, read_only: bool) -> Self {
        let foreign = ForeignGuids::load(&project.notes);
        let has_storage = project.root.join("storage").is_dir();
        Self {
            project_hash: project.settings_hash(),
            project,
            index,
            registry: Registry::default(),
            foreign,
            project_problems: Vec::new(),
            listed: None,
            in_cache: None,
            has_storage,
            read_only,
        }
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Takes over what the project's settings say now.
    pub fn read_settings(&mut self) {
        self.project.read_settings();
        self.project_hash = self.project.settings_hash();
    }

    /// The registry as it is now.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Problems that belong to no single asset.
    pub fn project_problems(&self) -> &[Problem] {
        &self.project_problems
    }

    /// Takes over what another process imported meanwhile.
    pub fn refresh(&mut self) {
        self.index.reload_if_changed();
    }

    /// Finds the references that are broken, now that all assets are known.
    pub fn settle_references(&mut self) {
        self.registry.settle_references();
    }

    /// Ends a batch.
    pub fn save(&mut self) -> Result<(), WriteError> {
        if self.read_only { Ok(()) } else { self.index.save() }
    }

    /// The registry, when the rest is not needed any more.
    pub fn into_registry(mut self) -> Registry {
        self.registry.settle_references();
        self.registry
    }

    /// Pass 1 for the whole project, after a walk. What is up to date is in the registry at once; the rest is returned.
    pub fn discover_all(&mut self, scan: Scan, forget_vanished: bool) -> Unplanned {
        let Scan { mut found, referrers, problems } = scan;
        self.project_problems = problems;
        self.project_problems.extend_from_slice(&self.project.settings.problems);
        self.adopt_moved(&mut found);
        let (referrers, mut vanished) = self.discover_referrers(referrers);
        let sweeps = forget_vanished && !self.read_only;
        let listed = self.listed.take();
        let textures = listed.unwrap_or_else(|| list_textures(&self.project, &self.index, sweeps));
        let texture_len = |guid, expected| match textures.get(&guid) {
            Some(Some(len)) => Some(*len),
            // It is there, and nothing can have cut it short.
            Some(None) => Some(expected),
            None => None,
        };
        let gone: Vec<_> = self
            .registry
            .assets()
            .map(|asset| asset.path.clone())
            .filter(|path| !found.contains_key(path))
            .collect();
        for path in gone {
            self.registry.remove(&path);
        }
        let mut rest = Vec::new();
        let mut unchanged = Vec::with_capacity(found.len());
        let mut entries = self.index.entries().peekable();
        for (path, found) in &found {
            // Both are in the order of their paths, so the next entry is never far.
            while entries.next_if(|entry| entry.asset.path < *path).is_some() {}
            let entry = entries.next_if(|entry| entry.asset.path == *path);
            match entry.and_then(|entry| self.unchanged(entry, *found, texture_len)) {
                Some(asset) => unchanged.push(asset),
                None => rest.push((path.clone(), *found)),
            }
        }
        drop(entries);
        self.registry.insert_sorted(unchanged);
        self.in_cache = Some(textures);
        self.has_storage = self.project.root.join("storage").is_dir();
        rest.sort_by_key(|(path, _)| !self.has_older_claim(path));
        if forget_vanished && !self.read_only {
            self.forget_vanished(&found, &rest);
        } else {
            vanished.clear();
        }
        Unplanned { images: rest, referrers, vanished }
    }

    /// Whether an asset was there before with its GUID: of two with the same one it keeps it, being planned first.
    pub fn has_older_claim(&self, path: &str) -> bool {
        self.index.get(path).is_some_and(|entry| !entry.asset.guid_is_provisional)
    }

    /// Pass 1 for one asset.
    pub fn discover(&mut self, path: &Arc<str>) -> Discovery {
        self.in_cache = None;
        let found = scan::look(&self.project, path);
        let texture_len = |guid, _| fs::metadata(self.project.texture(guid)).ok().map(|found| found.len());
        let entry = self.index.get(path);
        if let Some(asset) = entry.and_then(|entry| self.unchanged(entry, found, texture_len)) {
            self.registry.insert(asset.clone());
            return Discovery::UpToDate(asset);
        }
        self.plan(path, found)
    }

    fn unchanged(
        &self,
        entry: &Entry,
        found: Found,
        texture_len: impl Fn(Guid, u64) -> Option<u64>,
    ) -> Option<Arc<Asset>> {
        let same_image = entry.image.proves_unchanged(found.file?);
        let same_sidecar =
            self.is_same_sidecar(entry.sidecar, found.sidecar) && entry.project_hash == self.project_hash;
        // Whether a GUID is someone else's does not depend on this asset's own files.
        let is_settled = matches!(entry.asset.state, State::UpToDate | State::Failed)
            && !entry.asset.problems.iter().any(|problem| problem.code == Code::GuidDuplicate);
        let texture_is_there = match &entry.asset.texture {
            Some(texture) => texture_len(entry.asset.guid, texture.file_bytes) == Some(texture.file_bytes),
            None => entry.asset.state == State::Failed,
        };
        (same_image && same_sidecar && is_settled && texture_is_there).then(|| entry.asset.clone())
    }

    /// Whether a sidecar is surely as it was, and there is none to be made.
    pub(super) fn is_same_sidecar(&self, before: Option<Stamp>, now: Option<Stamp>) -> bool {
        match (before, now) {
            (Some(before), Some(now)) => before.proves_unchanged(now),
            (before, now) => before.is_none() && now.is_none() && !self.project.creates_sidecars(),
        }
    }

    /// Looks into an asset's sidecar and image header, and registers its frames.
    pub fn plan(&mut self, path: &Arc<str>, found: Found) -> Discovery {
        if found.file.is_none() {
            return self.without_image(path, found);
        }
        let reading = plan::read_sidecar(&self.project, path);
        let own_guid = plan::guid_of(&reading);
        let mut problems: Vec<_> = reading.problem.clone().into_iter().collect();
        let (guid, guid_is_provisional) = self.settle_guid(path, own_guid, &reading, &mut problems);
        let previous = self.previous(path, guid);
        let image = match plan::probe(&self.project.file(path)) {
            Ok(image) => image,
            Err(why) => {
                problems.push(why.problem(path));
                return Discovery::Failed(self.register_failed(
                    path,
                    guid,
                    guid_is_provisional,
                    found,
                    problems,
                ));
            }
        };
        let (mut sheet, mut sheet_problems) =
            plan::read_sheet(&reading, guid, image.size, path, &self.foreign);
        problems.append(&mut sheet_problems);
        let target = self.project.target.as_deref();
        let storing = sheet.settings.storing(&self.project.settings.settings.defaults, target);
        problems.extend(sheet_file::stored_problems(&sheet, image.size, None, &storing, target, path));
        if previous.is_none() {
            self.keep_foreign_guids(guid, &mut sheet, &mut problems, path);
        }
        if reading.problem.is_some() && previous.as_ref().is_some_and(|entry| entry.asset.texture.is_some()) {
            // The last good texture has the frames that the broken sidecar no longer gives.
            return Discovery::Failed(self.register_failed(path, guid, guid_is_provisional, found, problems));
        }
        let plan = Plan {
            path: path.clone(),
            guid,
            guid_is_provisional,
            found,
            sheet,
            storing,
            project_hash: self.project_hash,
            image,
            create_sidecar: found.sidecar.is_none() && self.project.creates_sidecars(),
            problems,
            previous,
            is_urgent: false,
            sub_assets: OnceLock::new(),
        };
        self.register_planned(&plan);
        Discovery::Planned(Box::new(plan))
    }

    /// The GUID to use: the sidecar's own unless another asset has it, else the one of the last run, else a new one.
    pub(super) fn settle_guid(
        &mut self,
        path: &Arc<str>,
        own: Option<Guid>,
        reading: &SidecarReading,
        problems: &mut Vec<Problem>,
    ) -> (Guid, bool) {
        if let Some(guid) = own {
            let of_image = self.registry.by_guid(guid).map(|owner| &owner.path);
            let of_referrer = self.registry.referrer_by_guid(guid).map(|owner| &owner.path);
            let owner = [of_image, of_referrer].into_iter().flatten().find(|owner| *owner != path).cloned();
            match owner {
                Some(owner) if scan::look(&self.project, &owner).file.is_some() => {
                    let message = format!(
                        "has the same guid as {owner}, which keeps it; another is used for this run. \
                         Delete the sidecar of the copy to give it a new one"
                    );
                    problems.push(Problem::new(Code::GuidDuplicate, path, message));
                }
                Some(owner) => {
                    // Its file moved here and took its sidecar along.
                    self.registry.remove(&owner);
                    self.registry.remove_referrer(&owner);
                    return (guid, false);
                }
                None => return (guid, false),
            }
        }
        let remembered = self.index.guid_of(path).filter(|&guid| Some(guid) != own);
        let is_new_asset = reading.sidecar.is_none() && reading.problem.is_none();
        let guid = remembered.unwrap_or_else(Guid::random);
        (guid, !(is_new_asset && self.project.creates_sidecars() && !self.read_only))
    }

    /// What the last import made of this asset, under this name or another.
    fn previous(&self, path: &str, guid: Guid) -> Option<Entry> {
        let here = self.index.get(path).filter(|entry| entry.asset.guid == guid);
        here.or_else(|| self.index.get(&self.index.path_of(guid)?)).cloned()
    }

    /// A texture that is there and not ours may hold GUIDs that scenes use.
    fn keep_foreign_guids(&mut self, guid: Guid, sheet: &mut Sheet, problems: &mut Vec<Problem>, path: &str) {
        let stored = self.project.root.join("storage").join(guid.to_string());
        // A file that is not there is looked for once for all assets, not once for each.
        let is_cached = self.in_cache.as_ref().is_none_or(|textures| textures.contains_key(&guid));
        let texture = is_cached.then(|| self.project.texture(guid));
        let stored = self.has_storage.then_some(stored);
        let candidates = [texture, stored];
        let Some(bytes) = candidates.iter().flatten().find_map(|file| fs::read(file).ok()) else { return };
        let Ok(texture) = Tex::parse(&bytes) else { return };
        if self.read_only {
            return;
        }
        match self.foreign.learn(guid, &texture, &sheet.frames) {
            Ok(true) => self.foreign.apply(guid, &mut sheet.frames),
            Ok(false) => {}
            Err(why) => problems.push(Problem::new(Code::Unwritable, path, why.to_string())),
        }
    }

    fn without_image(&mut self, path: &Arc<str>, found: Found) -> Discovery {
        let last =
            self.registry.asset(path).or_else(|| self.index.get(path).map(|entry| &entry.asset)).cloned();
        if found.sidecar.is_none() {
            self.registry.remove(path);
            return Discovery::Gone;
        }
        let problem = Problem::new(
            Code::SidecarOrphan,
            path,
            "The image is gone and its sidecar is still here: bring the image back, or delete the sidecar too",
        );
        let guid = last.as_ref().map(|asset| asset.guid);
        let guid = guid.or_else(|| plan::guid_of(&plan::read_sidecar(&self.project, path)));
        let asset = Arc::new(Asset {
            path: path.clone(),
            guid: guid.unwrap_or_else(Guid::random),
            guid_is_provisional: guid.is_none(),
            state: State::Missing,
            image: last.as_ref().and_then(|asset| asset.image.clone()),
            texture: last.as_ref().and_then(|asset| asset.texture.clone()),
            frames: last.as_ref().map_or_else(|| [].into(), |asset| asset.frames.clone()),
            findings: last.map(|asset| asset.findings.clone()).unwrap_or_default(),
            problems: [problem].into(),
        });
        self.registry.insert(asset.clone());
        Discovery::Failed(asset)
    }

    fn register_failed(
        &mut self,
        path: &Arc<str>,
        guid: Guid,
        guid_is_provisional: bool,
        found: Found,
        problems: Vec<Problem>,
    ) -> Arc<Asset> {
        let last = self.previous(path, guid);
        let asset = Arc::new(Asset {
            path: path.clone(),
            guid,
            guid_is_provisional,
            state: State::Failed,
            image: last.as_ref().and_then(|last| last.asset.image.clone()),
            texture: last.as_ref().and_then(|last| last.asset.texture.clone()),
            frames: last.as_ref().map_or_else(|| [].into(), |last| last.asset.frames.clone()),
            findings: last.map(|last| last.asset.findings.clone()).unwrap_or_default(),
            problems: problems.into(),
        });
        if !self.read_only {
            self.index.insert(Entry {
                asset: asset.clone(),
                image: found.file.unwrap_or_default(),
                sidecar: found.sidecar,
                settings_hash: ContentHash::default(),
                project_hash: self.project_hash,
            });
        }
        self.registry.insert(asset.clone());
        asset
    }

    fn register_planned(&mut self, plan: &Plan) {
        let last = plan.previous.as_ref().map(|entry| &entry.asset);
        let findings = plan.last_findings();
        let mut problems = plan.problems.clone();
        problems.extend(plan.pixel_problems(&findings));
        self.registry.insert(Arc::new(Asset {
            path: plan.path.clone(),
            guid: plan.guid,
            guid_is_provisional: plan.guid_is_provisional,
            state: State::Importing,
            image: last.and_then(|last| last.image.clone()),
            texture: last.and_then(|last| last.texture.clone()),
            frames: plan.sub_assets(),
            findings,
            problems: problems.into(),
        }));
    }

    /// Notes that pass 2 is about to touch the textures of these plans.
    pub fn begin<'a>(&mut self, paths: impl Iterator<Item = &'a Arc<str>>) -> Result<(), WriteError> {
        if self.read_only {
            return Ok(());
        }
        for path in paths {
            self.index.begin(path)?;
        }
        self.index.flush_journal()
    }

    /// Takes the result of pass 2 into index and registry.
    pub fn apply(&mut self, outcome: Outcome) {
        let Outcome { path, status, entry } = outcome;
        let Some(entry) = entry else { return };
        self.registry.insert(entry.asset.clone());
        if self.read_only {
            return;
        }
        if let Some(old_path) = self.index.path_of(entry.asset.guid).filter(|old_path| **old_path != *path) {
            self.index.remove(&old_path);
        }
        if status == Status::Cancelled {
            self.index.remove(&path);
        } else {
            self.index.insert(entry);
        }
    }

    /// Makes the next look at an asset find its texture out of date.
    pub fn forget(&mut self, path: &str) {
        self.index.remove(path);
    }

    /// Notes that the import of an asset was given up before it began.
    pub fn mark_stale(&mut self, path: &str) {
        if let Some(asset) = self.registry.asset(path) {
            let stale = Asset { state: State::Stale, ..Asset::clone(asset) };
            self.registry.insert(Arc::new(stale));
            self.index.remove(path);
        }
    }

    /// Drops entries and textures of assets that are no more. One whose GUID lives on under a new name,
    /// not yet imported there, keeps both: its texture is reused.
    fn forget_vanished(&mut self, found: &BTreeMap<Arc<str>, Found>, unplanned: &[(Arc<str>, Found)]) {
        let is_gone = |entry: &&Entry| !found.contains_key(&entry.asset.path);
        let vanished: Vec<_> =
            self.index.entries().filter(is_gone).map(|entry| entry.asset.clone()).collect();
        if vanished.is_empty() {
            return;
        }
        let newcomers =
            unplanned.iter().filter(|(path, it)| it.sidecar.is_some() && self.index.get(path).is_none());
        let moved: HashSet<Guid> = newcomers
            .filter_map(|(path, _)| plan::guid_of(&plan::read_sidecar(&self.project, path)))
            .collect();
        for asset in vanished.iter().filter(|asset| !moved.contains(&asset.guid)) {
            self.index.remove(&asset.path);
            let texture = self.project.texture(asset.guid);
            if self.registry.by_guid(asset.guid).is_none()
                && let Err(why) = fs::remove_file(&texture)
                && why.kind() != std::io::ErrorKind::NotFound
            {
                log::warn!("a texture of no asset stays: {why}: {}", texture.display());
            }
        }
    }
}

/// The textures in a project's cache. With `sweep` it removes what a program that was killed left half written there:
/// the cache is locked to us now.
fn list_textures(project: &Project, index: &Index, sweep: bool) -> Textures {
    let Ok(listing) = fs::read_dir(&project.cache) else { return Textures::default() };
    let needs_length = !index.is_of_this_boot();
    let mut textures = Textures::default();
    for file in listing.flatten() {
        let name = file.file_name();
        let Some(name) = name.to_str() else { continue };
        if let Ok(guid) = name.parse() {
            let length = if needs_length { file.metadata().ok().map(|found| found.len()) } else { None };
            textures.insert(guid, length);
        } else if sweep
            && name.starts_with(TEMPORARY_PREFIX)
            && let Err(why) = fs::remove_file(file.path())
        {
            log::warn!("a half-written file stays: {why}: {}", file.path().display());
        }
    }
    textures
}
