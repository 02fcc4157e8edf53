//! What the thread `files` does to a project's files: renames them with their sidecars, makes folders, and puts into the
//! trash. Nothing is ever written over, and what fails in the middle is taken back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::recovery;
use crate::fs_atomic;
use crate::import::project::Project;
use crate::model::files;

/// A file or a folder that gets another path; with a folder goes all that is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Its path, relative to the project.
    pub from: Arc<str>,
    /// The path that it is to have.
    pub to: Arc<str>,
}

impl Move {
    /// Where something at `path` is afterwards; `None` when it stays.
    pub fn of(&self, path: &str) -> Option<Arc<str>> {
        let rest = path.strip_prefix(&*self.from)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", self.to).into())
    }

    /// The way back.
    #[must_use]
    pub fn back(&self) -> Self {
        Self { from: self.to.clone(), to: self.from.clone() }
    }
}

/// Where something at `path` is after all of them; `None` when it stays.
pub(super) fn moved(moves: &[Move], path: &str) -> Option<Arc<str>> {
    moves.iter().find_map(|step| step.of(path))
}

/// What to do to a project's files.
pub(super) enum FileJob {
    /// Rename files and folders.
    Move {
        /// From where to where, in order.
        moves: Vec<Move>,
        /// What is told when it is done.
        told: Told,
    },
    /// Make a folder.
    NewFolder(Arc<str>),
    /// Put these files and folders into the trash.
    Delete(Vec<Arc<str>>),
    /// List all folders.
    List,
}

/// How a move came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Something got another name.
    Renamed,
    /// Things went into another folder.
    Moved,
    /// A move was taken back.
    Undone,
}

/// What became of it.
pub(super) enum FileDone {
    /// Files and folders have other paths, or not.
    Moved {
        /// What was asked for.
        moves: Vec<Move>,
        /// How it came about.
        told: Told,
        /// Why all is as it was, in words.
        result: Result<(), String>,
    },
    /// A folder was made, or why not, in words.
    FolderMade(Arc<str>, Result<(), String>),
    /// Files and folders are in the trash.
    Deleted {
        /// Those that are gone.
        gone: Vec<Arc<str>>,
        /// Why others are not, in words.
        why: Option<String>,
    },
    /// All folders, by path.
    Listed(Vec<Arc<str>>),
}

/// Does it.
pub(super) fn work(project: &Project, job: FileJob) -> FileDone {
    match job {
        FileJob::Move { moves, told } => {
            let result = move_all(project, &moves);
            if result.is_ok() {
                recovery::follow(project, &moves);
            }
            FileDone::Moved { moves, told, result }
        }
        FileJob::NewFolder(path) => {
            let result = make_folder(project, &path);
            FileDone::FolderMade(path, result)
        }
        FileJob::Delete(paths) => {
            let (gone, why) = to_trash(project, &paths);
            FileDone::Deleted { gone, why }
        }
        FileJob::List => FileDone::Listed(list_folders(project)),
    }
}

/// One renaming on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    from: PathBuf,
    to: PathBuf,
    /// Whether it is a sidecar that goes along with its asset.
    is_sidecar: bool,
}

/// Renames all of them or none; why none, in words.
fn move_all(project: &Project, moves: &[Move]) -> Result<(), String> {
    let mut steps = Vec::new();
    for step in moves {
        plan(project, step, &mut steps)?;
    }
    carry_out(&steps)
}

/// What is to be renamed for a move, once it was looked whether it can be.
fn plan(project: &Project, step: &Move, steps: &mut Vec<Step>) -> Result<(), String> {
    let (from, to) = (project.file(&step.from), project.file(&step.to));
    let found = fs::symlink_metadata(&from).map_err(|why| not_done(&why, &from))?;
    if to.parent().is_none_or(|folder| !folder.is_dir()) {
        return Err(format!("Not moved: its new folder is gone. Choose another: {}", to.display()));
    }
    let mut add = |from: PathBuf, to: PathBuf, is_sidecar| {
        if is_taken(&from, &to) {
            return Err(taken(&to));
        }
        steps.push(Step { from, to, is_sidecar });
        Ok(())
    };
    add(from, to, false)?;
    if found.is_dir() {
        return Ok(());
    }
    let (from, to) = (project.sidecar(&step.from), project.sidecar(&step.to));
    if fs::symlink_metadata(&from).is_ok() {
        add(from, to, true)
    } else if fs::symlink_metadata(&to).is_ok() && !is_only_case(&from, &to) {
        // It would become the sidecar of something that it does not belong to.
        Err(taken(&to))
    } else {
        Ok(())
    }
}

/// Whether something else has the name; the renaming looks again, in one with the deed.
fn is_taken(from: &Path, to: &Path) -> bool {
    fs::symlink_metadata(to).is_ok() && !is_only_case(from, to)
}

fn is_only_case(from: &Path, to: &Path) -> bool {
    from != to && from.to_string_lossy().to_lowercase() == to.to_string_lossy().to_lowercase()
}

/// Renames in order; when one fails, those before it get their old names again.
fn carry_out(steps: &[Step]) -> Result<(), String> {
    for (index, step) in steps.iter().enumerate() {
        let Err(why) = fs_atomic::rename_new(&step.from, &step.to) else { continue };
        // An importer that saw the image without it may have been so kind already.
        if step.is_sidecar && why.kind() == io::ErrorKind::NotFound && step.to.is_file() {
            continue;
        }
        let what = if step.is_sidecar {
            let why = if why.kind() == io::ErrorKind::AlreadyExists {
                "one of the new name is there".to_owned()
            } else {
                why.to_string()
            };
            format!("Not moved, its sidecar could not go along: {why}: {}", step.from.display())
        } else if why.kind() == io::ErrorKind::AlreadyExists {
            taken(&step.to)
        } else {
            not_done(&why, &step.from)
        };
        let mut left = Vec::new();
        for done in steps[..index].iter().rev() {
            if let Err(why) = fs_atomic::rename_new(&done.to, &done.from) {
                left.push(format!("{} ({why})", done.to.display()));
            }
        }
        return Err(if left.is_empty() {
            what
        } else {
            format!(
                "{what}. Rename by hand what has its new name and could not be taken back: {}",
                left.join(", ")
            )
        });
    }
    Ok(())
}

fn taken(to: &Path) -> String {
    format!("Not moved: there is something of that name already. Choose another name: {}", to.display())
}

fn not_done(why: &io::Error, from: &Path) -> String {
    let shown = from.display();
    match why.kind() {
        io::ErrorKind::NotFound => format!("Not moved: it is not there any more: {shown}"),
        io::ErrorKind::CrossesDevices => {
            format!("Not moved: the folder is on another disk. Move it with the file manager: {shown}")
        }
        _ => format!("Not moved: {why}: {shown}"),
    }
}

/// Makes a folder; why not, in words.
fn make_folder(project: &Project, path: &str) -> Result<(), String> {
    let folder = project.file(path);
    fs::create_dir(&folder).map_err(|why| match why.kind() {
        io::ErrorKind::AlreadyExists => {
            format!(
                "Not made: there is something of that name already. Choose another name: {}",
                folder.display()
            )
        }
        _ => format!("The folder was not made: {why}: {}", folder.display()),
    })
}

/// Puts files with their sidecars, and folders with all in them, into the system's trash. Which are gone from the
/// project, and why the next one is not, in words.
fn to_trash(project: &Project, paths: &[Arc<str>]) -> (Vec<Arc<str>>, Option<String>) {
    let mut gone = Vec::new();
    for path in paths {
        let file = project.file(path);
        let sidecar = Some(project.sidecar(path)).filter(|it| !file.is_dir() && it.is_file());
        // The file first: a sidecar alone is told of, a file without its sidecar would get another GUID.
        let put = trash::delete(&file).map_err(|why| (why, "Nothing of it was deleted", &file));
        let done = put.and_then(|()| match &sidecar {
            Some(it) => {
                trash::delete(it).map_err(|why| (why, "Its file is in the trash and this stayed", it))
            }
            None => Ok(()),
        });
        if fs::symlink_metadata(&file).is_err() {
            gone.push(path.clone());
        }
        if let Err((why, what, at)) = done {
            let why = words_of(why);
            return (gone, Some(format!("Not put into the system's trash: {why}. {what}: {}", at.display())));
        }
    }
    (gone, None)
}

fn words_of(why: trash::Error) -> String {
    match why {
        trash::Error::Unknown { description } | trash::Error::Os { description, .. } => description,
        trash::Error::CouldNotAccess { target } => format!("it may not be deleted: {target}"),
        trash::Error::CanonicalizePath { .. } => "it is not there any more".to_owned(),
        #[cfg(all(unix, not(target_os = "macos"), not(target_os = "ios"), not(target_os = "android")))]
        trash::Error::FileSystem { path, source } => format!("{source}: {}", path.display()),
        other => other.to_string(),
    }
}

/// All folders of a project that are looked into, by path; without the one that holds them all.
fn list_folders(project: &Project) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    let is_root = project.assets == project.root;
    add_folders(&project.assets, project.assets_prefix(), is_root, &mut found);
    found.sort_unstable();
    found
}

/// Links are passed by: one may lead to a folder above it.
fn add_folders(folder: &Path, prefix: &str, is_root: bool, found: &mut Vec<Arc<str>>) {
    let Ok(listing) = fs::read_dir(folder) else { return };
    for entry in listing.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !files::is_skipped_folder(name, is_root)) else {
            continue;
        };
        let path = format!("{prefix}{name}");
        add_folders(&entry.path(), &format!("{path}/"), false, found);
        found.push(path.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game project with these files, whose content is their path.
    fn project(paths: &[&str]) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("assets")).unwrap();
        for path in paths {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, path).unwrap();
        }
        let project = Project::open(folder.path()).unwrap();
        (folder, project)
    }

    fn step(from: &str, to: &str) -> Move {
        Move { from: from.into(), to: to.into() }
    }

    fn content(project: &Project, path: &str) -> Option<String> {
        fs::read_to_string(project.file(path)).ok()
    }

    #[test]
    fn a_sidecar_goes_along_and_a_folder_takes_all_that_is_in_it() {
        let (_folder, project) =
            project(&["assets/a.png", "assets/a.png.data", "assets/x/b.scene", "assets/x/notes.txt"]);
        let moves = [step("assets/a.png", "assets/x/c.png"), step("assets/x", "assets/y")];
        for it in moves {
            move_all(&project, &[it]).unwrap();
        }
        assert_eq!(content(&project, "assets/y/c.png").as_deref(), Some("assets/a.png"));
        assert_eq!(content(&project, "assets/y/c.png.data").as_deref(), Some("assets/a.png.data"));
        assert_eq!(content(&project, "assets/y/notes.txt").as_deref(), Some("assets/x/notes.txt"));
        assert!(!project.file("assets/x").exists() && !project.file("assets/a.png.data").exists());
    }

    #[test]
    fn only_the_case_of_a_name_may_change() {
        let (_folder, project) = project(&["assets/hero.png", "assets/hero.png.data"]);
        move_all(&project, &[step("assets/hero.png", "assets/Hero.PNG")]).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&project.assets).unwrap().map(|it| it.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["Hero.PNG", "Hero.PNG.data"]);
    }

    #[test]
    fn a_name_that_is_taken_by_a_file_a_folder_or_a_lone_sidecar_is_refused() {
        let (_folder, project) =
            project(&["assets/a.png", "assets/b.png", "assets/c.png.data", "assets/d.png/x.txt"]);
        for to in ["assets/b.png", "assets/c.png", "assets/d.png"] {
            let why = move_all(&project, &[step("assets/a.png", to)]).unwrap_err();
            assert!(why.contains("of that name already") && why.contains(to), "{why}");
        }
        assert_eq!(content(&project, "assets/a.png").as_deref(), Some("assets/a.png"));
        assert_eq!(content(&project, "assets/b.png").as_deref(), Some("assets/b.png"));
        let why = move_all(&project, &[step("assets/gone.png", "assets/e.png")]).unwrap_err();
        assert!(why.contains("not there any more") && why.contains("gone.png"), "{why}");
        let why = move_all(&project, &[step("assets/a.png", "assets/none/a.png")]).unwrap_err();
        assert!(why.contains("folder is gone"), "{why}");
        let why = move_all(&project, &[step("assets/d.png", "assets/d.png/inside")]).unwrap_err();
        assert!(why.starts_with("Not moved"), "{why}");
    }

    #[test]
    fn when_the_sidecar_cannot_follow_the_image_has_its_old_name_again() {
        let (_folder, project) = project(&["assets/a.png", "assets/a.png.data"]);
        let mut steps = Vec::new();
        plan(&project, &step("assets/a.png", "assets/b.png"), &mut steps).unwrap();
        // Somebody takes the sidecar's name right after it was looked.
        fs::write(project.sidecar("assets/b.png"), "theirs").unwrap();
        let why = carry_out(&steps).unwrap_err();
        assert!(why.contains("sidecar could not go along") && why.contains("a.png.data"), "{why}");
        assert_eq!(content(&project, "assets/a.png").as_deref(), Some("assets/a.png"));
        assert_eq!(content(&project, "assets/a.png.data").as_deref(), Some("assets/a.png.data"));
        assert_eq!(content(&project, "assets/b.png.data").as_deref(), Some("theirs"));
        assert!(!project.file("assets/b.png").exists());
    }

    #[test]
    fn of_several_all_move_or_none() {
        let (_folder, project) = project(&["assets/a.png", "assets/b.png", "assets/x/c.txt"]);
        let moves = [step("assets/a.png", "assets/x/a.png"), step("assets/b.png", "assets/x/c.txt")];
        assert!(move_all(&project, &moves).is_err());
        assert!(project.file("assets/a.png").exists() && !project.file("assets/x/a.png").exists());
    }

    #[test]
    fn paths_follow_the_folder_that_they_are_in_and_not_one_whose_name_begins_alike() {
        let it = step("assets/x", "assets/deep/y");
        assert_eq!(it.of("assets/x/a/b.png").as_deref(), Some("assets/deep/y/a/b.png"));
        assert_eq!(it.of("assets/x").as_deref(), Some("assets/deep/y"));
        assert_eq!((it.of("assets/xy/b.png"), it.of("assets")), (None, None));
        assert_eq!(it.back().of("assets/deep/y/b.png").as_deref(), Some("assets/x/b.png"));
    }

    #[test]
    fn folders_are_made_once_and_listed_without_those_that_are_passed_by() {
        let (_folder, project) = project(&["assets/x/y/a.png", "assets/.git/b.png", "assets/cache/c.png"]);
        make_folder(&project, "assets/new").unwrap();
        let why = make_folder(&project, "assets/new").unwrap_err();
        assert!(why.contains("of that name already"), "{why}");
        let listed = list_folders(&project);
        let listed: Vec<_> = listed.iter().map(|it| &**it).collect();
        assert_eq!(listed, ["assets/cache", "assets/new", "assets/x", "assets/x/y"]);
    }
}
