//! What an export will do: every file that goes, every one that nobody uses any more, the table, and what is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::plan_problems;
use super::survey::{Held, Survey};
use super::used::{self, Used, Users};
use crate::format::lookup_table::{self, Entry};
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::import::{Project, ProjectKind};
use crate::model::{Problem, files};
use crate::registry::{Asset, Referrer, Registry, State};

/// What the lookup table calls a sheet.
pub const SPRITE: &str = "Sprite";

/// What is done to a file of the export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is new there, or replaced.
    Copied,
    /// It has these bytes already.
    Unchanged,
    /// It is taken away.
    Removed,
}

impl Action {
    /// The word that the headless commands print.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Copied => "copied",
            Self::Unchanged => "unchanged",
            Self::Removed => "removed",
        }
    }
}

/// Whether what is exported is what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Ready,
    /// An import would make another texture.
    Stale,
    /// Its image could not be imported; the last good texture is exported.
    Failed,
    /// There is nothing to export.
    Missing,
}

impl Standing {
    /// Words for a person.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Stale => "not imported as it is now",
            Self::Failed => "not imported, so as it was last",
            Self::Missing => "missing",
        }
    }
}

/// Something that a game needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its GUID, which is the name of its file.
    pub guid: Guid,
    /// The asset's path; `None` for a file of the cache that is no asset of ours.
    pub asset: Option<Arc<str>>,
    /// What the lookup table calls its type; `None` where nobody knows.
    pub type_name: Option<&'static str>,
    /// What is copied; `None` when it is missing.
    pub source: Option<Held>,
    /// The hash that its bytes must have, for files that were looked into to know what else goes.
    pub expected: Option<ContentHash>,
    /// Where it goes.
    pub destination: PathBuf,
    /// Its place in the lookup table; `None` for what has none.
    pub entry: Option<Entry>,
    /// Who uses it.
    pub users: Users,
    /// Whether it is what it should be.
    pub standing: Standing,
    /// What will be done; `None` when there is nothing to copy.
    pub action: Option<Action>,
}

/// A file that an earlier export left and nobody uses any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The GUID that its name is.
    pub guid: Guid,
    /// The file.
    pub file: Held,
    /// Its place in the table of the earlier export.
    pub entry: Option<Entry>,
}

/// What an export will do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The project's folder, that paths are told relative to.
    pub root: PathBuf,
    /// The folder to export to.
    pub output: PathBuf,
    /// The target whose textures go.
    pub target: Option<Arc<str>>,
    /// Sheets, then scenes, both by their paths, then other files by their GUIDs.
    pub items: Vec<Item>,
    /// What nobody uses any more, in the order of the names. Stays unless it is asked to be removed.
    pub removals: Vec<Removal>,
    /// Why nothing may be removed: somebody may use it after all.
    pub keeps_because: Option<String>,
    /// What is wrong, and whose references it concerns.
    pub problems: Vec<Problem>,
}

impl Plan {
    /// Where the lookup table goes.
    pub fn table(&self) -> PathBuf {
        self.output.join(lookup_table::FILE_NAME)
    }

    /// The sheets that an import would make anew; best done before the plan is carried out.
    pub fn stale(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.standing == Standing::Stale)
    }

    /// How many files this is done to, and how many bytes they have. [`Action::Removed`] stands for all that nobody uses.
    pub fn count(&self, action: Action) -> (usize, u64) {
        let sum = |files: &mut dyn Iterator<Item = &Held>| {
            files.fold((0, 0), |(count, bytes), file| (count + 1, bytes + file.bytes))
        };
        if action == Action::Removed {
            return sum(&mut self.removals.iter().map(|removal| &removal.file));
        }
        let items = self.items.iter().filter(|item| item.action == Some(action));
        sum(&mut items.filter_map(|item| item.source.as_ref()))
    }

    /// Notes that there may be users that the plan does not know of, so that nothing is removed.
    pub fn keep_all(&mut self, why: impl Into<String>) {
        self.keeps_because.get_or_insert(why.into());
    }
}

/// Plans an export of what is in the registry, from what is on disk.
///
/// A sheet goes when a scene refers to it or to a frame of it, wherever in the scene; every scene goes; and so does any
/// other file that a scene refers to and the cache holds.
pub fn plan(registry: &Registry, project: &Project, survey: &Survey) -> Plan {
    let used = used::collect(registry, |scene| survey.references_of(scene).unwrap_or_default());
    let mut planner = Planner {
        project,
        survey,
        current: survey
            .stored
            .iter()
            .filter(|stored| stored.is_current)
            .map(|stored| stored.file.path.clone())
            .collect(),
        plan: Plan {
            root: project.root.clone(),
            output: survey.output.clone(),
            target: survey.target.clone(),
            problems: survey.problems.clone(),
            ..Plan::default()
        },
    };
    planner.add_items(registry, &used);
    planner.settle_table();
    planner.find_removals(&used);
    let mut plan = planner.plan;
    plan.problems.extend(used.problems);
    plan
}

struct Planner<'a> {
    project: &'a Project,
    survey: &'a Survey,
    /// Files that have the bytes that they should.
    current: BTreeSet<PathBuf>,
    plan: Plan,
}

impl Planner<'_> {
    fn add_items(&mut self, registry: &Registry, used: &Used) {
        for (path, users) in &used.sheets {
            let Some(sheet) = registry.asset(path) else { continue };
            let item = self.sheet(sheet, users);
            self.plan.problems.extend(plan_problems::of_sheet(sheet, &item, self.survey.target.as_deref()));
            self.plan.items.push(item);
        }
        for scene in registry.referrers() {
            let users = used.scenes.get(&scene.path).cloned().unwrap_or_default();
            if plan_problems::is_gone(scene) && users.references == 0 {
                // Only its sidecar is left, which an import tells.
                continue;
            }
            self.plan.problems.extend(plan_problems::of_scene(registry, scene, &users, self.survey));
            if self.survey.references_of(scene).is_none() && !plan_problems::is_gone(scene) {
                self.plan.keep_all(format!("nobody knows what {} uses", scene.path));
            }
            // A GUID of this run alone is no name that a game could know.
            if scene.guid_is_provisional {
                self.plan.keep_all(format!("nobody knows which file is that of {}", scene.path));
            } else {
                let item = self.scene(scene, users);
                self.plan.items.push(item);
            }
        }
        for (guid, users) in &used.others {
            if let Some(file) = self.survey.cached.get(guid) {
                let item = self.item(*guid, Some(file.clone()), users.clone());
                self.plan.items.push(item);
            }
        }
    }

    fn item(&self, guid: Guid, source: Option<Held>, users: Users) -> Item {
        let destination = self.survey.output.join(guid.to_string());
        let action = source
            .as_ref()
            .map(|_| if self.current.contains(&destination) { Action::Unchanged } else { Action::Copied });
        let standing = if source.is_some() { Standing::Ready } else { Standing::Missing };
        Item {
            guid,
            asset: None,
            type_name: None,
            source,
            expected: None,
            destination,
            entry: None,
            users,
            standing,
            action,
        }
    }

    fn sheet(&self, sheet: &Asset, users: &Users) -> Item {
        let source = self.survey.cached.get(&sheet.guid).cloned();
        let made = sheet.texture.as_ref().map(|texture| texture.file_bytes);
        let standing = match (&source, sheet.state) {
            (None, _) => Standing::Missing,
            (Some(_), State::Failed | State::Missing) => Standing::Failed,
            (Some(_), State::Importing | State::Stale) => Standing::Stale,
            // Somebody else wrote it since.
            (Some(file), State::UpToDate) if self.survey.target.is_none() && made != Some(file.bytes) => {
                Standing::Stale
            }
            (Some(_), State::UpToDate) => Standing::Ready,
        };
        let item = self.item(sheet.guid, source, users.clone());
        Item { standing, ..self.named(item, &sheet.path, SPRITE) }
    }

    fn scene(&self, scene: &Referrer, users: Users) -> Item {
        let item = self.item(scene.guid, self.survey.file_of_scene(scene, self.project), users);
        let expected = scene.is_readable.then_some(scene.hash);
        Item { expected, ..self.named(item, &scene.path, scene.kind.type_name()) }
    }

    fn named(&self, item: Item, path: &Arc<str>, type_name: &'static str) -> Item {
        let key = key_of(self.project, path, type_name);
        let entry = Entry { hash: lookup_table::hash_of(&key), guid: item.guid };
        Item { asset: Some(path.clone()), type_name: Some(type_name), entry: Some(entry), ..item }
    }

    /// Of two assets with one hash the first keeps its place in the table.
    fn settle_table(&mut self) {
        let mut owners: BTreeMap<u32, (Arc<str>, String)> = BTreeMap::new();
        for item in &mut self.plan.items {
            let (Some(entry), Some(path), Some(type_name)) = (item.entry, &item.asset, item.type_name) else {
                continue;
            };
            let key = key_of(self.project, path, type_name);
            if let Some((owner, owners_key)) = owners.get(&entry.hash) {
                item.entry = None;
                self.plan.problems.push(plan_problems::collision(path, &key, owner, owners_key));
            } else {
                owners.insert(entry.hash, (path.clone(), key));
            }
        }
    }

    /// What is there and nobody names, not even by a reference that leads nowhere.
    fn find_removals(&mut self, used: &Used) {
        let named: BTreeSet<Guid> =
            self.plan.items.iter().map(|item| item.guid).chain(used.others.keys().copied()).collect();
        let unused = self.survey.stored.iter().filter(|stored| !named.contains(&stored.guid));
        self.plan.removals = unused
            .map(|stored| Removal {
                guid: stored.guid,
                file: stored.file.clone(),
                entry: self.survey.table.iter().find(|entry| entry.guid == stored.guid).copied(),
            })
            .collect();
    }
}

/// What an asset is looked up by.
fn key_of(project: &Project, path: &str, type_name: &str) -> String {
    let below = match project.kind {
        ProjectKind::Game => path.strip_prefix("assets/").unwrap_or(path),
        ProjectKind::Folder | ProjectKind::Image(_) => path,
    };
    let name = below.rsplit('/').next().unwrap_or(below);
    let ending = files::extension(name).map_or(0, |extension| extension.len() + 1);
    lookup_table::key_of(below.get(..below.len() - ending).unwrap_or(below), type_name)
}
