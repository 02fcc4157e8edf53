//! Where an export goes, and why one is refused before anything is looked at.

use std::fs;
use std::path::{Path, PathBuf};

use crate::import::{Project, TargetError};
use crate::model::{Code, Problem};

/// The folder of a project's export.
const STORAGE: &str = "storage";

/// Why nothing can be exported as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no target as asked for.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A folder where other files have their names from GUIDs, or where sources are.
    #[error("an export cannot go into the project's {what}")]
    Taken {
        /// The folder that was asked for.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
}

impl Refusal {
    /// The same as a problem of the project in that folder.
    pub fn problem(&self, project: &Project) -> Problem {
        match self {
            Self::Target(why) => Problem { path: shown(&project.root, why.path()).into(), ..why.problem() },
            Self::Taken { path, .. } => {
                Problem::new(Code::Unwritable, &shown(&project.root, path), self.to_string())
            }
        }
    }
}

/// A path as it is told: relative to the project's folder where it is inside.
pub fn shown(root: &Path, path: &Path) -> String {
    match path.strip_prefix(root) {
        Ok(relative) if !relative.as_os_str().is_empty() => relative.display().to_string().replace('\\', "/"),
        _ => path.display().to_string(),
    }
}

/// The folder to export to.
pub(super) fn folder(project: &Project, asked: Option<&Path>) -> Result<PathBuf, Refusal> {
    let Some(asked) = asked else { return Ok(project.root.join(STORAGE)) };
    let absolute = std::path::absolute(asked).unwrap_or_else(|_| asked.to_owned());
    let there = real(&absolute);
    let is_game = project.assets != project.root;
    let taken = [
        (Some(&project.cache), "cache"),
        (Some(&project.notes), "notes"),
        (is_game.then_some(&project.assets), "assets"),
    ];
    for (taken, what) in taken {
        if taken.is_some_and(|taken| there.starts_with(real(taken))) {
            return Err(Refusal::Taken { path: absolute, what });
        }
    }
    Ok(absolute)
}

/// The path without links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    for existing in path.ancestors() {
        if let Ok(real) = fs::canonicalize(existing) {
            return path.strip_prefix(existing).map_or_else(|_| real.clone(), |rest| real.join(rest));
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_goes_anywhere_but_among_sources_and_textures() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("assets")).unwrap();
        fs::create_dir(root.path().join("cache")).unwrap();
        let project = Project::open(root.path()).unwrap();
        assert_eq!(folder(&project, None), Ok(root.path().join("storage")));
        for name in ["out", "build/data", "assets2", "."] {
            assert!(folder(&project, Some(&root.path().join(name))).is_ok(), "{name}");
        }
        for name in ["cache", "assets", "assets/new", "cache/targets/x", ".cutsheet", "cache/../assets"] {
            let refusal = folder(&project, Some(&root.path().join(name))).unwrap_err();
            assert_eq!(refusal.problem(&project).code, Code::Unwritable, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_where_it_leads() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("assets")).unwrap();
        std::os::unix::fs::symlink(root.path().join("assets"), root.path().join("out")).unwrap();
        let project = Project::open(root.path()).unwrap();
        assert!(folder(&project, Some(&root.path().join("out/deeper"))).is_err());
    }
}
