//! From a scene to a file. What is as it was read has the bytes that it had: told by comparing, so that nobody who
//! changes a scene has to keep account of it.

use std::sync::Arc;

use super::{WriteError, words_for};
use crate::format::msgpack::{self, Refusal, RefusalReason};
use crate::model::scene::{MAX_DEPTH, Object, Scene, Value};

/// The bytes of a scene's file.
///
/// An unchanged scene gives the file that it was read from, with whatever follows the scene's end there. Refused is
/// what the engine could not read in what was changed: whole numbers beyond 32 bits, long texts, deep nesting.
pub fn write(scene: &Scene) -> Result<Vec<u8>, WriteError> {
    let root = Node { body: &scene.body, list: "objects", objects: &scene.objects, object: None };
    if let (Some(file), Some(bytes)) = (&scene.spelled, root.untouched())
        && file.as_slice().starts_with(bytes)
    {
        return Ok(file.as_slice().to_vec());
    }
    root.check_depth(MAX_DEPTH)?;
    let mut out = Vec::new();
    root.write(&mut out, MAX_DEPTH)?;
    Ok(out)
}

/// A map with a list of objects: the root, or an object.
struct Node<'a> {
    body: &'a Value,
    /// The key of the list.
    list: &'static str,
    objects: &'a [Arc<Object>],
    /// `None` for the root.
    object: Option<&'a Object>,
}

impl<'a> Node<'a> {
    fn of(object: &'a Object) -> Self {
        Self { body: &object.body, list: "children", objects: &object.children, object: Some(object) }
    }

    /// Its bytes in the file, when it is as it was read, with all below it.
    fn untouched(&self) -> Option<&'a [u8]> {
        let bytes = self.body.spelled()?;
        let is_whole = match self.position_of_list() {
            Some((_, list)) => is_list_untouched(list, self.objects),
            None => self.objects.is_empty(),
        };
        is_whole.then_some(bytes)
    }

    /// Where the list of objects stands in the body, and the empty list that is there.
    fn position_of_list(&self) -> Option<(usize, &'a Value)> {
        let entries = self.body.entries()?;
        let index = entries.iter().rposition(|(key, _)| key.as_text() == Some(self.list))?;
        let (_, value) = entries.get(index)?;
        value.items().is_some().then_some((index, value))
    }

    /// Objects can have been moved to deeper places with the bytes they had.
    fn check_depth(&self, room: usize) -> Result<(), WriteError> {
        let room_of_objects = room.checked_sub(2);
        if !msgpack::fits(self.body, room) || (room_of_objects.is_none() && !self.objects.is_empty()) {
            return Err(self.refused(RefusalReason::Depth.into()));
        }
        let room = room_of_objects.unwrap_or_default();
        self.objects.iter().try_for_each(|object| Node::of(object).check_depth(room))
    }

    fn write(&self, out: &mut Vec<u8>, room: usize) -> Result<(), WriteError> {
        if let Some(bytes) = self.untouched() {
            out.extend_from_slice(bytes);
            return Ok(());
        }
        let refused = |refusal: Refusal| self.refused(refusal);
        let at = self.position_of_list();
        let has_place = at.is_some() || (self.body.entries().is_some() && self.body.get(self.list).is_none());
        if !has_place && !self.objects.is_empty() {
            return Err(self.refused(RefusalReason::NoList.into()));
        }
        let Some(entries) = self.body.entries() else {
            return msgpack::value(out, self.body, room).map_err(refused);
        };
        let room = room.saturating_sub(1);
        let is_list_new = at.is_none() && !self.objects.is_empty();
        msgpack::map_head(out, entries.len() + usize::from(is_list_new))
            .map_err(|why| refused(why.into()))?;
        for (index, (key, value)) in entries.iter().enumerate() {
            msgpack::key(out, key, room).map_err(refused)?;
            if at.is_some_and(|(place, _)| place == index) {
                self.write_list(out, value, room)?;
            } else {
                msgpack::value(out, value, room).map_err(|why| refused(msgpack::entry_refused(key)(why)))?;
            }
        }
        if is_list_new {
            msgpack::key(out, &self.list.into(), room).map_err(refused)?;
            self.write_list(out, &std::iter::empty().collect(), room)?;
        }
        Ok(())
    }

    /// Writes the objects; `list` is the empty list in their place.
    fn write_list(&self, out: &mut Vec<u8>, list: &Value, room: usize) -> Result<(), WriteError> {
        if let Some(bytes) = list.spelled().filter(|_| is_list_untouched(list, self.objects)) {
            out.extend_from_slice(bytes);
            return Ok(());
        }
        msgpack::list_head(out, self.objects.len()).map_err(|why| self.refused(why.into()))?;
        let room = room.saturating_sub(1);
        self.objects.iter().try_for_each(|object| Node::of(object).write(out, room))
    }

    fn refused(&self, refusal: Refusal) -> WriteError {
        let subject = self.object.map_or_else(|| "the scene".to_owned(), words_for);
        WriteError { object: self.object.map(|object| object.key), subject, refusal }
    }
}

/// Whether the bytes of the list, which `list` has kept, are those of exactly these objects.
fn is_list_untouched(list: &Value, objects: &[Arc<Object>]) -> bool {
    let Some(mut rest) = list.spelled().and_then(msgpack::list_items_of) else { return false };
    for object in objects {
        // Bytes before all below them: they end, and so does this.
        let after = object.body.spelled().and_then(|bytes| rest.strip_prefix(bytes));
        let Some(after) = after.filter(|_| Node::of(object).untouched().is_some()) else { return false };
        rest = after;
    }
    rest.is_empty()
}
