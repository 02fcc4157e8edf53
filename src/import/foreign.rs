//! Frame GUIDs that another tool gave. A texture that was in the cache before ours may list GUIDs that
//! scenes store and our rule gives for no frame: they are kept, here until the sheet's next save.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::format::tex::Tex;
use crate::fs_atomic::{self, WriteError};
use crate::guid::Guid;
use crate::model::Frame;

/// Kept GUIDs by parent, then by frame id.
#[derive(Debug, Default)]
pub struct ForeignGuids {
    path: PathBuf,
    by_parent: BTreeMap<Guid, BTreeMap<u32, Guid>>,
}

impl ForeignGuids {
    /// Reads the notes of a project; none are none.
    pub fn load(notes: &Path) -> Self {
        let path = notes.join("foreign-guids.json");
        let by_parent = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice::<BTreeMap<String, BTreeMap<u32, String>>>(&bytes)
                .inspect_err(|why| log::warn!("kept GUIDs not readable: {why}: {}", path.display()))
                .unwrap_or_default(),
            Err(_) => BTreeMap::new(),
        };
        let parse = |(parent, frames): (String, BTreeMap<u32, String>)| {
            let frames = frames.into_iter().filter_map(|(id, guid)| Some((id, guid.parse().ok()?)));
            Some((parent.parse().ok()?, frames.collect()))
        };
        Self { path, by_parent: by_parent.into_iter().filter_map(parse).collect() }
    }

    /// Gives frames of `parent` the GUIDs kept for their ids; what the sidecar says goes first.
    pub fn apply(&self, parent: Guid, frames: &mut Arc<[Frame]>) {
        let Some(kept) = self.by_parent.get(&parent) else { return };
        if !frames.iter().any(|frame| frame.foreign_guid.is_none() && kept.contains_key(&frame.id.0)) {
            return;
        }
        let with_guid = frames.iter().map(|frame| {
            let foreign_guid = frame.foreign_guid.or_else(|| kept.get(&frame.id.0).copied());
            Frame { foreign_guid, ..frame.clone() }
        });
        *frames = with_guid.collect();
    }

    /// Keeps what a texture that we did not make says, and writes it down. Whether there was anything to keep.
    pub fn learn(&mut self, parent: Guid, texture: &Tex, frames: &[Frame]) -> Result<bool, WriteError> {
        let found = match_guids(parent, texture, frames);
        if found.is_empty() {
            return Ok(false);
        }
        self.by_parent.entry(parent).or_default().extend(found);
        self.save()?;
        Ok(true)
    }

    fn save(&self) -> Result<(), WriteError> {
        let text: BTreeMap<String, BTreeMap<u32, String>> = self
            .by_parent
            .iter()
            .map(|(parent, kept)| {
                (parent.to_string(), kept.iter().map(|(id, guid)| (*id, guid.to_string())).collect())
            })
            .collect();
        let failed = |source| WriteError { path: self.path.clone(), source };
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let bytes = serde_json::to_vec_pretty(&text).map_err(|why| failed(why.into()))?;
        fs_atomic::write_synced(&self.path, &bytes)
    }
}

/// Pairs of frame id and foreign GUID: first the frame with the same rectangle, then the one at the same position.
fn match_guids(parent: Guid, texture: &Tex, frames: &[Frame]) -> BTreeMap<u32, Guid> {
    let ours: HashSet<Guid> = frames.iter().map(|frame| Guid::for_frame(parent, frame.id.0)).collect();
    let known: HashSet<Guid> = frames.iter().filter_map(|frame| frame.foreign_guid).collect();
    let listed = texture.frames.iter().enumerate().filter_map(|(position, listed)| {
        let guid = listed.parsed_guid()?;
        (!ours.contains(&guid) && !known.contains(&guid)).then_some((position, guid, listed.rect))
    });
    let mut found = BTreeMap::new();
    let mut by_position = Vec::new();
    for (position, guid, rect) in listed {
        let same_rect = frames.iter().find(|frame| {
            frame.rect_in_image == rect && frame.foreign_guid.is_none() && !found.contains_key(&frame.id.0)
        });
        match same_rect {
            Some(frame) => {
                found.insert(frame.id.0, guid);
            }
            None => by_position.push((position, guid)),
        }
    }
    for (position, guid) in by_position {
        if let Some(frame) = frames.get(position).filter(|frame| frame.foreign_guid.is_none()) {
            found.entry(frame.id.0).or_insert(guid);
        }
    }
    found
}
