//! What is on disk before an export: the files that the cache holds, and what an earlier export left.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Request;
use super::output::{self, Refusal};
use crate::format::lookup_table::{self, Entry};
use crate::format::scene;
use crate::guid::Guid;
use crate::import::Project;
use crate::model::{Code, Problem};
use crate::registry::{Reference, Referrer, Registry, references_of};

/// Larger scenes are not read.
const MOST_SCENE_BYTES: u64 = 64 << 20;
/// Bytes compared at a time.
const BLOCK: usize = 64 << 10;

/// A file with a GUID for its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Where it is.
    pub path: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
}

/// A file of an earlier export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The GUID that its name is.
    pub guid: Guid,
    /// Where it is.
    pub file: Held,
    /// Whether it has the bytes of what would be exported there now.
    pub is_current: bool,
}

/// What is on disk.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// The folder that is exported to.
    pub output: PathBuf,
    /// The target whose textures are exported.
    pub target: Option<Arc<str>>,
    /// The textures to export, and other files of the cache.
    pub cached: BTreeMap<Guid, Held>,
    /// What scenes refer to that are there in the form that people write, by their paths: as the engine's compiler put
    /// them into the cache.
    pub compiled: BTreeMap<Arc<str>, Vec<Reference>>,
    /// Files of earlier exports, in the order of their names.
    pub stored: Vec<Stored>,
    /// The table of an earlier export.
    pub table: Vec<Entry>,
    /// What could not be looked at.
    pub problems: Vec<Problem>,
}

/// Looks at cache and output. Refused is a target that is none, and an output where no export may go.
pub fn survey(registry: &Registry, project: &Project, request: &Request<'_>) -> Result<Survey, Refusal> {
    let output = output::folder(project, request.output)?;
    let target = request.target.map(|name| project.target_named(name)).transpose()?;
    let textures = target.map(|target| project.for_target(target).cache);
    let mut survey = Survey { output, target: request.target.map(Into::into), ..Survey::default() };
    survey.list_cache(registry, project, textures.as_deref());
    for scene in registry.referrers().filter(|scene| !scene.is_readable) {
        if let Some(references) = survey.cached.get(&scene.guid).and_then(compiled) {
            survey.compiled.insert(scene.path.clone(), references);
        }
    }
    survey.list_output(registry, project);
    survey.table = fs::read(survey.output.join(lookup_table::FILE_NAME))
        .ok()
        .and_then(|bytes| lookup_table::read(&bytes).ok())
        .unwrap_or_default();
    Ok(survey)
}

impl Survey {
    /// The file that is exported for a scene: itself, or what the compiler made of it.
    pub(super) fn file_of_scene(&self, scene: &Referrer, project: &Project) -> Option<Held> {
        if scene.is_readable {
            return Some(Held { path: project.file(&scene.path), bytes: scene.file_bytes });
        }
        self.compiled.contains_key(&scene.path).then(|| self.cached.get(&scene.guid).cloned()).flatten()
    }

    /// What a scene refers to; `None` when nobody can tell.
    pub(super) fn references_of<'a>(&'a self, scene: &'a Referrer) -> Option<&'a [Reference]> {
        match self.compiled.get(&scene.path) {
            Some(references) => Some(references),
            None => scene.is_readable.then_some(&*scene.references),
        }
    }

    fn list_cache(&mut self, registry: &Registry, project: &Project, textures: Option<&Path>) {
        let list = |folder: &Path, problems: &mut Vec<Problem>| match list(folder) {
            Ok(files) => files,
            Err(why) if why.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(why) => {
                let path = output::shown(&project.root, folder);
                problems.push(Problem::new(Code::Unreadable, &path, format!("cannot be listed: {why}")));
                Vec::new()
            }
        };
        self.cached = list(&project.cache, &mut self.problems).into_iter().collect();
        if let Some(textures) = textures {
            // What is no image is the same for all targets, as long as the target has none of its own.
            self.cached.retain(|guid, _| registry.by_guid(*guid).is_none());
            self.cached.extend(list(textures, &mut self.problems));
        }
    }

    fn list_output(&mut self, registry: &Registry, project: &Project) {
        let files = match list(&self.output) {
            Ok(files) => files,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return,
            Err(why) => {
                let path = output::shown(&project.root, &self.output);
                let message = format!("is no folder that can be exported to: {why}");
                self.problems.push(Problem::new(Code::Unwritable, &path, message));
                return;
            }
        };
        for (guid, file) in files {
            let source = match registry.referrer_by_guid(guid) {
                Some(scene) => self.file_of_scene(scene, project),
                None => self.cached.get(&guid).cloned(),
            };
            let is_current = source.is_some_and(|source| {
                source.bytes == file.bytes && is_same(&source.path, &file.path).unwrap_or(false)
            });
            self.stored.push(Stored { guid, file, is_current });
        }
    }
}

/// The files of a folder that have a GUID for their name, in the order of their names.
fn list(folder: &Path) -> io::Result<Vec<(Guid, Held)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(guid) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
        // Links and folders are nothing that an export made.
        let Ok(found) = entry.metadata() else { continue };
        if found.is_file() {
            files.push((guid, Held { path: entry.path(), bytes: found.len() }));
        }
    }
    files.sort_by(|(_, a), (_, b)| a.path.cmp(&b.path));
    Ok(files)
}

/// What a compiled scene refers to; `None` when it is none.
fn compiled(file: &Held) -> Option<Vec<Reference>> {
    if file.bytes > MOST_SCENE_BYTES {
        return None;
    }
    let bytes: Arc<[u8]> = fs::read(&file.path).ok()?.into();
    scene::read(&bytes).ok().map(|read| references_of(&read.scene))
}

/// Whether two files have the same bytes.
pub(super) fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut ones, mut others) = (vec![0; BLOCK], vec![0; BLOCK]);
    loop {
        let count = one.read(&mut ones)?;
        if count == 0 {
            return Ok(other.read(&mut others)? == 0);
        }
        match other.read_exact(&mut others[..count]) {
            Ok(()) if ones[..count] == others[..count] => {}
            Ok(()) => return Ok(false),
            Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(why) => return Err(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_named_by_a_guid_are_listed_in_either_case() {
        let folder = tempfile::tempdir().unwrap();
        let lower = "a1111111-2222-4333-8444-555555555555";
        for name in [lower, "B1111111-2222-4333-8444-555555555555", "asset_table.bin", "readme.txt"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        fs::create_dir(folder.path().join("c1111111-2222-4333-8444-555555555555")).unwrap();
        let names: Vec<_> =
            list(folder.path()).unwrap().into_iter().map(|(guid, _)| guid.to_string()).collect();
        assert_eq!(names, ["b1111111-2222-4333-8444-555555555555", lower]);
    }

    #[test]
    fn files_are_the_same_when_all_their_bytes_are() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let long = vec![7; BLOCK * 2 + 5];
        let mut other = long.clone();
        other[BLOCK * 2 + 4] = 8;
        let (a, b, c) = (write("a", &long), write("b", &long), write("c", &other));
        assert!(is_same(&a, &b).unwrap());
        assert!(!is_same(&a, &c).unwrap() && !is_same(&a, &write("d", &long[1..])).unwrap());
        assert!(is_same(&write("e", b""), &write("f", b"")).unwrap());
        assert!(is_same(&a, &folder.path().join("gone")).is_err());
    }
}
