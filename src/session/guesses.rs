//! Guesses on the canvas of an unsliced sheet: shown, gone through, accepted; never written unasked.

use std::path::PathBuf;

use super::{Detected, Document, Lookup, Proposal, Session, Study};
use crate::edit::{Cut, Edit};
use crate::hash::ContentHash;
use crate::model::Automatic;

impl Session {
    /// What the pixels of a sheet's image tell. `None` while nothing is known of the image.
    pub fn study(&self, document: &Document) -> Option<Lookup<Study>> {
        let (image, file) = self.image_of(document)?;
        Some(self.studies.study(image, file))
    }

    /// What detection finds in a sheet's image by these rules.
    pub fn detected(&self, document: &Document, rules: &Automatic) -> Option<Lookup<Detected>> {
        let (image, file) = self.image_of(document)?;
        Some(self.studies.detected(image, file, rules))
    }

    fn image_of(&self, document: &Document) -> Option<(ContentHash, PathBuf)> {
        let open = self.project()?;
        let hash = open.registry.asset(&document.path)?.image.as_ref()?.hash;
        Some((hash, open.project.file(&document.path)))
    }

    /// The guess that is shown on the current sheet, its number from 0, and all of them. There is one only while the
    /// sheet is unsliced, no other way to cut it is being tried, its guesses were not declined, and no more urgent
    /// question has the bar over the canvas.
    pub fn proposal(&self) -> Option<(usize, Vec<Proposal>)> {
        let document = self.current().filter(|document| document.is_ready())?;
        let is_asked = document.theirs.is_some() || document.resized.is_some() || document.has_shrunk;
        if self.recovered().is_some() || is_asked {
            return None;
        }
        let number = document.guess_number()?;
        let study = self.study(document)?;
        let proposals = &study.shown()?.proposals;
        let number = number.checked_rem(proposals.len())?;
        Some((number, proposals.clone()))
    }

    pub(super) fn accept_guess(&mut self) {
        let Some((number, mut proposals)) = self.proposal() else { return };
        let Proposal { recipe, rects, .. } = proposals.swap_remove(number);
        self.edit(&Edit::Cut(Cut::new(recipe, rects.to_vec())));
        self.with_current(|document| document.history.seal());
    }

    pub(super) fn step_guess(&mut self, by: isize) {
        let Some((number, proposals)) = self.proposal() else { return };
        let count = proposals.len() as isize;
        let next = (number as isize + by).rem_euclid(count.max(1)) as usize;
        self.with_current(|document| document.show_guess(next));
    }
}
