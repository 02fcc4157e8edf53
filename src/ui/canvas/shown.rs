//! The picture that is on the screen, and the one that it was before it changed outside.

use std::sync::Arc;

use crate::session::SourcePicture;

/// The picture that is on the screen.
pub(super) struct Shown {
    pub(super) path: Arc<str>,
    pub(super) picture: Arc<SourcePicture>,
    /// What it was before it changed outside.
    pub(super) before: Option<Arc<SourcePicture>>,
    /// Whether that is drawn in its place.
    pub(super) shows_before: bool,
}

impl Shown {
    /// Another picture takes the place of the one that is shown.
    pub(super) fn replace(shown: &mut Option<Self>, path: &Arc<str>, picture: &Arc<SourcePicture>) {
        let before = shown.take().filter(|shown| shown.path == *path).map(|shown| shown.picture);
        *shown = Some(Self { path: path.clone(), picture: picture.clone(), before, shows_before: false });
    }

    pub(super) fn drawn(&self) -> &Arc<SourcePicture> {
        self.before.as_ref().filter(|_| self.shows_before).unwrap_or(&self.picture)
    }
}
