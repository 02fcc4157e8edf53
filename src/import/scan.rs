//! The walk: which assets and sidecars a project has, with their lengths and times.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use walkdir::WalkDir;

use super::index::Stamp;
use super::project::{Project, ProjectKind};
use crate::model::files::{self, FileKind};
use crate::model::{Code, Problem};

/// An asset's file and the sidecar beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Found {
    /// The file; `None` for a sidecar that stands alone.
    pub file: Option<Stamp>,
    /// Its sidecar.
    pub sidecar: Option<Stamp>,
}

/// What a walk found, by asset path, and the folders it could not read.
#[derive(Debug, Default)]
pub struct Scan {
    /// Images and their sidecars.
    pub found: BTreeMap<Arc<str>, Found>,
    /// Files that refer to others, and their sidecars.
    pub referrers: BTreeMap<Arc<str>, Found>,
    /// Folders and names that could not be read.
    pub problems: Vec<Problem>,
}

/// Walks a project's assets. Link loops, hidden folders and our own output are never entered.
pub fn scan(project: &Project) -> Scan {
    let (mut images, mut referrers) = (Vec::new(), Vec::new());
    let mut problems = Vec::new();
    let now = SystemTime::now();
    let max_depth = if matches!(project.kind, ProjectKind::Image(_)) { 1 } else { usize::MAX };
    let skip_output = project.assets == project.root;
    let walk = WalkDir::new(&project.assets).follow_links(true).max_depth(max_depth).into_iter();
    let wanted = walk.filter_entry(|entry| {
        let is_folder = entry.depth() > 0 && entry.file_type().is_dir();
        !is_folder
            || !entry
                .file_name()
                .to_str()
                .is_some_and(|name| files::is_skipped_folder(name, skip_output && entry.depth() == 1))
    });
    for entry in wanted {
        match entry {
            Ok(entry) if entry.file_type().is_file() => {
                if let Some(file) = file(project, &entry, now) {
                    (if file.is_image { &mut images } else { &mut referrers }).push(file);
                }
            }
            Ok(_) => {}
            Err(why) if why.loop_ancestor().is_some() => {}
            Err(why) => {
                let path = why.path().and_then(|path| project.asset_path(path)).unwrap_or_default();
                problems.push(Problem::new(Code::Unreadable, &path, format!("cannot be read: {why}")));
            }
        }
    }
    Scan { found: paired(images), referrers: paired(referrers), problems }
}

/// A file of an asset.
struct AssetFile {
    path: Arc<str>,
    is_image: bool,
    is_sidecar: bool,
    stamp: Stamp,
}

/// Files with their sidecars. Sorted first and then built at once, which for tens of thousands is far less work than
/// one by one.
fn paired(mut files: Vec<AssetFile>) -> BTreeMap<Arc<str>, Found> {
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let mut found: Vec<(Arc<str>, Found)> = Vec::with_capacity(files.len());
    for AssetFile { path, is_sidecar, stamp, .. } in files {
        if found.last().is_none_or(|(last, _)| *last != path) {
            found.push((path, Found::default()));
        }
        if let Some((_, found)) = found.last_mut() {
            *(if is_sidecar { &mut found.sidecar } else { &mut found.file }) = Some(stamp);
        }
    }
    found.into_iter().collect()
}

fn file(project: &Project, entry: &walkdir::DirEntry, now: SystemTime) -> Option<AssetFile> {
    let name = entry.file_name().to_str()?;
    let sidecar_of = name.strip_suffix(files::SIDECAR_SUFFIX);
    let asset = sidecar_of.unwrap_or(name);
    let is_image = files::is_image_name(asset);
    if !(is_image || FileKind::of_name(asset).is_some()) {
        return None;
    }
    if let ProjectKind::Image(only) = &project.kind
        && asset != only
    {
        return None;
    }
    // A file that went away since it was listed is as good as never there.
    let metadata = entry.metadata().ok()?;
    let path = project.asset_path(entry.path())?;
    Some(AssetFile { path, is_image, is_sidecar: sidecar_of.is_some(), stamp: Stamp::at(now, &metadata) })
}

/// Looks at one asset's files.
pub fn look(project: &Project, path: &str) -> Found {
    Found { file: stamp(&project.file(path)), sidecar: stamp(&project.sidecar(path)) }
}

/// Looks at one file.
pub fn stamp(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| Stamp::of(&metadata))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_and_scenes_of_any_case_are_found_and_our_own_folders_are_not_entered() {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            "a/b/X.PNG",
            "a/b/X.PNG.data",
            ".git/c.png",
            "cache/d.png",
            "a/cache/e.gif",
            "a/f.txt",
            "a/g.webp.data",
            "a/Level.SCENE",
            "a/Level.SCENE.data",
            "a/b/lost.scene.data",
            "storage/h.scene",
        ] {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, b"x").unwrap();
        }
        let scan = scan(&Project::open(folder.path()).unwrap());
        let seen = |found: &BTreeMap<Arc<str>, Found>| -> Vec<_> {
            let each = found.iter();
            each.map(|(path, it)| (path.to_string(), it.file.is_some(), it.sidecar.is_some())).collect()
        };
        let expected = |paths: &[(&str, bool, bool)]| -> Vec<_> {
            paths.iter().map(|(path, file, sidecar)| ((*path).to_owned(), *file, *sidecar)).collect()
        };
        let images = [("a/b/X.PNG", true, true), ("a/cache/e.gif", true, false), ("a/g.webp", false, true)];
        assert_eq!(seen(&scan.found), expected(&images));
        let scenes = [("a/Level.SCENE", true, true), ("a/b/lost.scene", false, true)];
        assert_eq!(seen(&scan.referrers), expected(&scenes));
        assert_eq!(scan.problems, []);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_parent_folder_is_no_loop() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/x.png"), b"x").unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/up")).unwrap();
        let scan = scan(&Project::open(folder.path()).unwrap());
        assert_eq!(scan.found.keys().map(|path| &**path).collect::<Vec<_>>(), ["a/x.png"]);
        assert_eq!(scan.problems, []);
    }
}
