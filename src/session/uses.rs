//! Who uses which sheet and frame: scenes as their files have them, and open ones as they are now.

use std::sync::Arc;

use super::{Document, Session};
use crate::edit::{Edit, Revision};
use crate::guid::{Guid, GuidMap};
use crate::model::{Frame, FrameId};
use crate::registry::{Reference, Registry};

/// A place that uses a sheet, or a frame of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The scene's path.
    pub scene: Arc<str>,
    /// The object, by its place in the scene's reading order; in an open scene its key.
    pub object: Option<u32>,
    /// The object's name.
    pub object_name: Arc<str>,
    /// The frame's GUID; `None` when it is the whole sheet.
    pub frame: Option<Guid>,
}

impl Use {
    /// "Hero in level.scene".
    pub fn words(&self) -> String {
        let scene = self.scene.rsplit('/').next().unwrap_or(&self.scene);
        match &*self.object_name {
            "" => scene.to_owned(),
            name => format!("{name} in {scene}"),
        }
    }
}

/// What uses were gathered from: the registry, and open scenes.
type GatheredFrom = (Arc<Registry>, Vec<(Arc<str>, Revision)>);

/// All uses, by the sheet's GUID, and what they were gathered from.
#[derive(Default)]
pub(super) struct Uses {
    gathered_from: Option<GatheredFrom>,
    of_sheet: GuidMap<Vec<Use>>,
    of_frame: GuidMap<u32>,
}

impl Uses {
    fn add(&mut self, registry: &Registry, scene: &Arc<str>, references: &[Reference]) {
        for reference in references {
            let Ok(guid) = reference.guid.parse::<Guid>() else { continue };
            // Older scenes have a frame's GUID where the sheet's should be.
            let sheet = registry.parent_of_frame(guid).unwrap_or(guid);
            let named = if reference.source.is_empty() { Some(guid) } else { reference.source.parse().ok() };
            let frame = named.filter(|named| *named != sheet);
            if let Some(frame) = frame {
                *self.of_frame.entry(frame).or_default() += 1;
            }
            self.of_sheet.entry(sheet).or_default().push(Use {
                scene: scene.clone(),
                object: reference.object,
                object_name: reference.object_name.clone(),
                frame,
            });
        }
    }
}

/// A question before frames that are in use are deleted.
#[derive(Debug, Clone, PartialEq)]
pub struct InUse {
    /// What would be lost, and who uses it.
    pub words: String,
    pub(super) edit: Edit,
}

impl Session {
    /// Who uses a sheet or any of its frames.
    pub fn uses_of_sheet(&self, sheet: Guid) -> &[Use] {
        self.uses.of_sheet.get(&sheet).map(Vec::as_slice).unwrap_or_default()
    }

    /// How many places use a frame.
    pub fn use_count(&self, frame: Guid) -> u32 {
        self.uses.of_frame.get(&frame).copied().unwrap_or_default()
    }

    /// Who uses a frame of a sheet: "Hero in level.scene and 2 more", or nothing.
    pub fn users_in_words(&self, sheet: Guid, frame: &Frame) -> String {
        let guid = frame.guid(sheet);
        let count = self.use_count(guid);
        let first =
            (count > 0).then(|| self.uses_of_sheet(sheet).iter().find(|used| used.frame == Some(guid)));
        match first.flatten() {
            Some(first) if count > 1 => format!("{} and {} more", first.words(), count - 1),
            first => first.map(Use::words).unwrap_or_default(),
        }
    }

    /// Gathers the uses anew when a scene or the registry has changed.
    pub(super) fn follow_uses(&mut self) {
        let Some(open) = &self.open else {
            self.uses = Uses::default();
            return;
        };
        // Also those that are as their file says: their objects have other keys than a file that was just read.
        let shown: Vec<_> = self
            .scenes
            .documents
            .iter()
            .filter_map(|document| Some((document, document.told.as_ref()?)))
            .collect();
        let revisions: Vec<_> =
            shown.iter().map(|(document, _)| (document.path.clone(), document.history.revision())).collect();
        let is_same =
            |(registry, of): &GatheredFrom| Arc::ptr_eq(registry, &open.registry) && *of == revisions;
        if self.uses.gathered_from.as_ref().is_some_and(is_same) {
            return;
        }
        let mut uses = Uses::default();
        for referrer in open.registry.referrers() {
            if !revisions.iter().any(|(path, _)| *path == referrer.path) {
                uses.add(&open.registry, &referrer.path, &referrer.references);
            }
        }
        for (document, told) in shown {
            uses.add(&open.registry, &document.path, &told.references);
        }
        uses.gathered_from = Some((open.registry.clone(), revisions));
        self.uses = uses;
    }

    /// The question before frames that are in use are deleted.
    pub fn in_use(&self) -> Option<&InUse> {
        self.in_use.as_ref()
    }

    /// Deletes frames; those in use only after a question.
    pub(super) fn delete_frames(&mut self, edit: Edit, ids: &[FrameId]) {
        match self.current().and_then(|document| self.words_for_use(document, ids)) {
            Some(words) => self.in_use = Some(InUse { words, edit }),
            None => self.edit(&edit),
        }
    }

    /// Answers the question about frames in use.
    pub(super) fn answer_in_use(&mut self, is_yes: bool) {
        if let Some(InUse { edit, .. }) = self.in_use.take().filter(|_| is_yes) {
            self.edit(&edit);
            self.with_current(|document| document.history.seal());
        }
    }

    /// Which of these frames are used by whom; `None` when none is.
    fn words_for_use(&self, document: &Document, ids: &[FrameId]) -> Option<String> {
        let sheet = document.guid?;
        let frames = ids.iter().filter_map(|id| document.sheet().frame(*id));
        let lost: Vec<Guid> =
            frames.map(|frame| frame.guid(sheet)).filter(|guid| self.use_count(*guid) > 0).collect();
        let uses = self.uses_of_sheet(sheet).iter();
        let users: Vec<_> =
            uses.filter(|used| used.frame.is_some_and(|frame| lost.contains(&frame))).collect();
        let (first, rest) = users.split_first()?;
        let frames =
            if lost.len() == 1 { "1 frame is".to_owned() } else { format!("{} frames are", lost.len()) };
        let others = match rest.len() {
            0 => String::new(),
            1 => format!(" and by {}", rest[0].words()),
            more => format!(" and at {more} other places"),
        };
        Some(format!(
            "{frames} in use: by {}{others}. The engine draws the whole sheet in the place of a frame that is gone.",
            first.words()
        ))
    }
}
