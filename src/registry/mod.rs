//! The in-memory frame registry: every asset and every frame of the open project, for browser, canvas,
//! inspector and preview alike.
//!
//! A [`Registry`] is a value: the importer changes its own and hands out `Arc` snapshots, so a reader
//! never waits for a worker and never sees half a change.

mod broken;
mod references;
mod referrers;
#[cfg(test)]
pub(crate) mod testing;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::geometry::{PixelRect, Size};
use crate::guid::{Guid, GuidMap};
use crate::hash::ContentHash;
use crate::model::{FrameId, Problem, Severity};
use crate::slicing::Findings;
use crate::texture::PixelFormat;

use broken::Broken;
pub use broken::{broken_references, is_broken};
pub use references::references_of;
use referrers::Referrers;
pub use referrers::{Reference, Referrer};

/// A frame seen as an asset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubAsset {
    /// Its own GUID.
    pub guid: Guid,
    /// The GUID of its sheet, which is the file to load.
    pub parent_guid: Guid,
    /// Its position in the sheet, counting frames that the texture leaves out.
    pub index: u32,
    /// Its id in the sheet.
    pub id: FrameId,
    /// Its pixels in the image, clipped to it.
    pub rect_in_image: PixelRect,
    /// Its name, often empty.
    pub name: Arc<str>,
}

/// What is known of a compiled texture without opening it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextureInfo {
    /// Stored size.
    pub stored_size: Size,
    /// Stored pixel format.
    pub format: PixelFormat,
    /// Whether the format was Automatic's choice.
    pub format_is_automatic: bool,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Hash of all that decides its bytes; tells one version of a texture from the next.
    pub version: ContentHash,
}

/// What an image file said of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageFacts {
    /// Width and height in image pixels.
    pub size: Size,
    /// Hash of the file's bytes; tells one version of the picture from the next.
    pub hash: ContentHash,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Whether any pixel's alpha is below 255; `None` until it was decoded.
    pub has_alpha: Option<bool>,
    /// The file's own words for its colour, such as "RGBA, 8 bit".
    pub color: Arc<str>,
}

/// Where an asset stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Its texture is not made yet, or an older one is being replaced.
    Importing,
    /// Its texture is that of its image and settings.
    UpToDate,
    /// It could not be imported; its problems say why. The last good texture, if any, stays.
    Failed,
    /// Its import was cancelled.
    Stale,
    /// Its file is gone; the last good texture stays.
    Missing,
}

/// An image of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    /// Relative to the project, with `/`.
    pub path: Arc<str>,
    /// Its GUID.
    pub guid: Guid,
    /// Whether the GUID is for this run only, because its sidecar has none that can be used.
    pub guid_is_provisional: bool,
    /// Where it stands.
    pub state: State,
    /// What its file says; `None` when it could not be read.
    pub image: Option<ImageFacts>,
    /// Its compiled texture, the last good one.
    pub texture: Option<TextureInfo>,
    /// Its frames, without those that have no pixels.
    pub frames: Arc<[SubAsset]>,
    /// What is odd about the pixels of these frames, by their positions in the list.
    pub findings: Arc<Findings>,
    /// What is wrong with it.
    pub problems: Arc<[Problem]>,
}

impl Asset {
    /// The last part of its path.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The last part of its path without the extension.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The same asset at another path.
    #[must_use]
    pub fn at(&self, path: &Arc<str>) -> Self {
        Self { path: path.clone(), problems: problems_at(&self.problems, path), ..self.clone() }
    }

    /// Whether its frames are all that it has. Of a sheet that could not be read none may be known.
    pub fn knows_its_frames(&self) -> bool {
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        !self.frames.is_empty() || !self.problems.iter().any(is_error)
    }

    /// Whether a reference to it leads to the same as one to the other.
    fn is_found_like(&self, other: &Self) -> bool {
        self.guid == other.guid
            && (Arc::ptr_eq(&self.frames, &other.frames) || self.frames == other.frames)
            && self.knows_its_frames() == other.knows_its_frames()
    }
}

fn problems_at(problems: &[Problem], path: &Arc<str>) -> Arc<[Problem]> {
    problems.iter().map(|problem| Problem { path: path.clone(), ..problem.clone() }).collect()
}

/// All assets and frames of a project.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    assets: BTreeMap<Arc<str>, Arc<Asset>>,
    path_of_guid: GuidMap<Arc<str>>,
    parent_of_frame: GuidMap<Guid>,
    referrers: Referrers,
    broken: Broken,
    /// Problems of the assets and of those that refer to others, without the broken references.
    problem_count: usize,
}

impl Registry {
    /// Adds an asset, or replaces the one with its path and all that one's frames.
    pub fn insert(&mut self, asset: Arc<Asset>) {
        let (guid, path) = (asset.guid, asset.path.clone());
        let frames = asset.frames.clone();
        self.problem_count += asset.problems.len();
        // Of two with the same GUID it may be found from now on instead of the other.
        let is_found = self.path_of_guid.get(&guid).is_some_and(|owner| *owner == path);
        let there = self.assets.get(&path);
        self.broken.are_settled &= is_found && there.is_some_and(|there| there.is_found_like(&asset));
        if let Some(replaced) = self.assets.insert(path.clone(), asset) {
            self.forget(&replaced);
        }
        for frame in frames.iter() {
            self.parent_of_frame.insert(frame.guid, frame.parent_guid);
        }
        self.path_of_guid.insert(guid, path);
    }

    /// Adds many assets, in the order of their paths; into an empty registry at a fraction of the price of one by one.
    pub fn insert_sorted(&mut self, assets: Vec<Arc<Asset>>) {
        if !self.assets.is_empty() {
            for asset in assets {
                self.insert(asset);
            }
            return;
        }
        self.broken.are_settled = false;
        self.path_of_guid.reserve(assets.len());
        for asset in &assets {
            self.problem_count += asset.problems.len();
            for frame in asset.frames.iter() {
                self.parent_of_frame.insert(frame.guid, frame.parent_guid);
            }
            self.path_of_guid.insert(asset.guid, asset.path.clone());
        }
        self.assets = assets.into_iter().map(|asset| (asset.path.clone(), asset)).collect();
    }

    /// Removes the asset at `path` and its frames.
    pub fn remove(&mut self, path: &str) -> Option<Arc<Asset>> {
        let asset = self.assets.remove(path)?;
        self.broken.are_settled = false;
        self.forget(&asset);
        Some(asset)
    }

    /// Takes what is at a path to another one, where nothing is.
    pub fn rename(&mut self, from: &str, to: &Arc<str>) {
        if let Some(asset) = self.remove(from) {
            self.insert(Arc::new(asset.at(to)));
        }
        if let Some(referrer) = self.remove_referrer(from) {
            self.insert_referrer(Arc::new(referrer.at(to)));
        }
    }

    /// Takes out of the lookups what an asset put in, unless another has its GUID by now.
    fn forget(&mut self, asset: &Asset) {
        if self.path_of_guid.get(&asset.guid).is_some_and(|owner| *owner == asset.path) {
            self.path_of_guid.remove(&asset.guid);
            for frame in asset.frames.iter() {
                self.parent_of_frame.remove(&frame.guid);
            }
        }
        self.problem_count -= asset.problems.len();
    }

    /// The asset at `path`.
    pub fn asset(&self, path: &str) -> Option<&Arc<Asset>> {
        self.assets.get(path)
    }

    /// The asset with that GUID.
    pub fn by_guid(&self, guid: Guid) -> Option<&Arc<Asset>> {
        self.assets.get(self.path_of_guid.get(&guid)?)
    }

    /// The frame with that GUID.
    pub fn frame(&self, guid: Guid) -> Option<&SubAsset> {
        let parent = self.by_guid(self.parent_of_frame(guid)?)?;
        parent.frames.iter().find(|frame| frame.guid == guid)
    }

    /// The sheet a frame belongs to: its texture is the file to load (the engine's `LookupPath`).
    pub fn parent_of_frame(&self, guid: Guid) -> Option<Guid> {
        self.parent_of_frame.get(&guid).copied()
    }

    /// All assets, by path.
    pub fn assets(&self) -> impl ExactSizeIterator<Item = &Arc<Asset>> {
        self.assets.values()
    }

    /// Adds an asset that refers to others, or replaces the one with its path.
    pub fn insert_referrer(&mut self, referrer: Arc<Referrer>) {
        if self.referrers.get(&referrer.path).is_some_and(|there| *there == referrer) {
            return;
        }
        self.remove_referrer(&referrer.path);
        self.broken.are_settled = false;
        self.problem_count += referrer.problems.len();
        self.referrers.insert(referrer);
    }

    /// Removes the asset at `path` that refers to others.
    pub fn remove_referrer(&mut self, path: &str) -> Option<Arc<Referrer>> {
        let removed = self.referrers.remove(path)?;
        // Other references may have led to it.
        self.broken.are_settled = false;
        self.broken.forget(path);
        self.problem_count -= removed.problems.len();
        Some(removed)
    }

    /// The asset at `path` that refers to others.
    pub fn referrer(&self, path: &str) -> Option<&Arc<Referrer>> {
        self.referrers.get(path)
    }

    /// The asset with that GUID that refers to others.
    pub fn referrer_by_guid(&self, guid: Guid) -> Option<&Arc<Referrer>> {
        self.referrers.by_guid(guid)
    }

    /// All assets that refer to others, by path.
    pub fn referrers(&self) -> impl ExactSizeIterator<Item = &Arc<Referrer>> {
        self.referrers.all()
    }

    /// Who refers to a sheet or one of its frames, or to a frame, by its GUID.
    pub fn uses_of(&self, guid: Guid) -> impl Iterator<Item = (&Arc<Referrer>, &Reference)> {
        self.referrers.uses_of(guid)
    }

    /// Finds the broken references, unless nothing has changed that decides which are. To be called when all assets are
    /// known: before, those that come last would be missed.
    pub fn settle_references(&mut self) {
        if !self.broken.are_settled {
            self.broken = Broken::find(self);
        }
    }

    /// Whether nothing has changed that decides which references are broken since they were settled.
    pub const fn are_references_settled(&self) -> bool {
        self.broken.are_settled
    }

    /// What is wrong with the asset at `path` that refers to others: by itself, then its broken references as they were
    /// found when they were settled last.
    pub fn problems_of_referrer(&self, path: &str) -> impl Iterator<Item = &Problem> {
        let own = self.referrers.get(path).map_or(&[][..], |referrer| &referrer.problems);
        own.iter().chain(self.broken.of(path))
    }

    /// Number of problems of all assets, broken references among them.
    pub fn problem_count(&self) -> usize {
        self.problem_count + self.broken.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asset(path: &str, guid: Guid, frames: u32) -> Arc<Asset> {
        Arc::new(testing::sheet(path, guid, frames))
    }

    #[test]
    fn a_frame_guid_leads_to_its_parent_and_its_rectangle() {
        let guid = Guid::random();
        let mut registry = Registry::default();
        registry.insert(asset("assets/a.png", guid, 3));
        let frame_guid = Guid::for_frame(guid, 2);
        assert_eq!(registry.parent_of_frame(frame_guid), Some(guid));
        assert_eq!(registry.frame(frame_guid).unwrap().rect_in_image.x, 16);
        assert_eq!(registry.by_guid(guid).unwrap().file_name(), "a.png");
    }

    #[test]
    fn problems_are_counted_as_they_come_and_go() {
        let problem = |path| Problem::new(crate::model::Code::SceneOdd, path, "");
        let scene = |problems: Vec<Problem>| {
            let scene = testing::scene("a.scene", Guid::random(), []);
            Arc::new(Referrer { problems: problems.into(), ..scene })
        };
        let mut registry = Registry::default();
        registry.insert_referrer(scene(vec![problem("a.scene"), problem("a.scene")]));
        assert_eq!(registry.problem_count(), 2);
        registry.insert_referrer(scene(vec![problem("a.scene")]));
        assert_eq!((registry.problem_count(), registry.problems_of_referrer("a.scene").count()), (1, 1));
        registry.remove_referrer("a.scene");
        assert_eq!(registry.problem_count(), 0);
    }

    #[test]
    fn replacing_an_asset_forgets_frames_that_it_no_longer_has() {
        let guid = Guid::random();
        let mut registry = Registry::default();
        registry.insert(asset("assets/a.png", guid, 3));
        registry.insert(asset("assets/a.png", guid, 1));
        assert!(registry.frame(Guid::for_frame(guid, 0)).is_some());
        assert_eq!(registry.parent_of_frame(Guid::for_frame(guid, 1)), None);
    }

    #[test]
    fn what_is_renamed_is_found_by_its_guids_as_before() {
        let guid = Guid::random();
        let mut registry = Registry::default();
        let problem = Problem::new(crate::model::Code::FrameTiny, "assets/a.png", "tiny");
        let asset = Asset { problems: [problem].into(), ..Asset::clone(&asset("assets/a.png", guid, 2)) };
        registry.insert(Arc::new(asset));
        registry.rename("assets/a.png", &"assets/b.png".into());
        assert!(registry.asset("assets/a.png").is_none());
        assert_eq!(&*registry.by_guid(guid).unwrap().problems[0].path, "assets/b.png");
        assert_eq!(registry.frame(Guid::for_frame(guid, 1)).unwrap().parent_guid, guid);
        assert_eq!(registry.problem_count(), 1);
    }

    #[test]
    fn a_moved_asset_keeps_its_guid_whichever_path_goes_first() {
        let guid = Guid::random();
        let mut registry = Registry::default();
        registry.insert(asset("assets/old.png", guid, 1));
        registry.insert(asset("assets/new.png", guid, 1));
        registry.remove("assets/old.png");
        assert_eq!(&*registry.by_guid(guid).unwrap().path, "assets/new.png");
        assert_eq!(registry.parent_of_frame(Guid::for_frame(guid, 0)), Some(guid));
    }
}
