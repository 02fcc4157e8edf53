//! Assets that moved: those that we moved ourselves, and those that went without their sidecars, which are known by their
//! content, and the sidecars follow them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use super::index::{Entry, ReferrerEntry};
use super::scan::{self, Found};
use super::workspace::Workspace;
use crate::hash::ContentHash;
use crate::model::Code;
use crate::registry::State;

impl Workspace {
    /// A file without a sidecar that is, byte for byte, one that vanished and left its sidecar behind was moved: its
    /// sidecar follows it.
    pub(super) fn adopt_moved(&mut self, found: &mut BTreeMap<Arc<str>, Found>) {
        if self.read_only || !self.project.creates_sidecars() {
            return;
        }
        let orphans: Vec<_> =
            found.iter().filter(|(_, it)| it.file.is_none()).map(|(path, _)| path.clone()).collect();
        if orphans.is_empty() {
            return;
        }
        let newcomers: Vec<_> = found
            .iter()
            .filter(|(path, it)| {
                it.file.is_some() && it.sidecar.is_none() && self.index.guid_of(path).is_none()
            })
            .map(|(path, it)| (path.clone(), *it))
            .collect();
        for (path, found_here) in newcomers {
            if let Some(orphan) = self.adopt(&path, found_here, &orphans) {
                found.remove(&orphan);
                found.insert(path.clone(), scan::look(&self.project, &path));
            }
        }
    }

    /// Adopts for a single new path, while the project is open.
    pub fn adopt_orphan_for(&mut self, path: &Arc<str>) {
        let found = scan::look(&self.project, path);
        if found.file.is_none() || found.sidecar.is_some() || !self.project.creates_sidecars() {
            return;
        }
        let images = self.registry.assets().filter(|asset| asset.state == State::Missing);
        let images = images.map(|asset| asset.path.clone());
        let is_orphan = |code| code == Code::SidecarOrphan;
        let referrers =
            self.registry.referrers().filter(|it| it.problems.iter().any(|it| is_orphan(it.code)));
        let orphans: Vec<_> = images.chain(referrers.map(|it| it.path.clone())).collect();
        if let Some(orphan) = self.adopt(path, found, &orphans) {
            self.registry.remove(&orphan);
            self.registry.remove_referrer(&orphan);
        }
    }

    /// An asset's files were renamed by ourselves: what is known of it goes along.
    pub fn follow(&mut self, from: &str, to: &Arc<str>) {
        self.registry.rename(from, to);
        let image = self.index.get(from).cloned();
        let referrer = self.index.referrer(from).cloned();
        self.index.remove(from);
        if let Some(entry) = image {
            self.index.insert(Entry { asset: Arc::new(entry.asset.at(to)), ..entry });
        }
        if let Some(entry) = referrer {
            self.index.insert_referrer(ReferrerEntry { referrer: Arc::new(entry.referrer.at(to)), ..entry });
        }
    }

    /// Moves the sidecar of a vanished file with the same content beside `path`; the vanished one's path.
    fn adopt(&self, path: &str, found: Found, orphans: &[Arc<str>]) -> Option<Arc<str>> {
        let file = found.file?;
        let content = |orphan: &str| self.index.content_of(orphan).filter(|(bytes, _)| *bytes == file.len);
        let mut candidates = orphans.iter().filter(|orphan| content(orphan).is_some()).peekable();
        candidates.peek()?;
        let hash = ContentHash::of(&fs::read(self.project.file(path)).ok()?);
        let orphan = candidates.find(|orphan| content(orphan).is_some_and(|(_, known)| known == hash))?;
        match fs::rename(self.project.sidecar(orphan), self.project.sidecar(path)) {
            Ok(()) => Some(orphan.clone()),
            Err(why) => {
                log::warn!("the sidecar of {orphan} did not follow its file: {why}: {path}");
                None
            }
        }
    }
}
