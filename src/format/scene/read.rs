//! From a file to a scene: what is not as expected is told, and kept.

use std::collections::HashSet;
use std::sync::Arc;

use super::expected::{COMPONENT, Expected, OBJECT, ROOT, SPRITE, TRANSFORM};
use super::{Fault, Read, SceneError, VERSION, words_for};
use crate::format::msgpack;
use crate::model::Code;
use crate::model::scene::object::property;
use crate::model::scene::{Bytes, Data, Object, ObjectKey, Scene, Sprite, Value};

/// So many faults are told one by one; a hostile file could have one for each of its bytes.
const MOST_FAULTS: usize = 200;

/// Reads a scene.
///
/// Refused is what is no `MessagePack` map from beginning to end, and what lies deeper than the engine reads.
pub fn read(file: &Arc<[u8]>) -> Result<Read, SceneError> {
    let (root, end) = root(file)?;
    let mut reader = Reader::default();
    reader.map(&root, &ROOT, "", Value::get);
    if let Some(version) = root.get("version").and_then(Value::as_i32).filter(|found| *found != VERSION) {
        reader.odd(format!("version is {version}, and this program knows {VERSION}"));
    }
    let (body, items) = root.take_items("objects").unwrap_or_else(|| (root, Arc::default()));
    let objects = items.iter().map(|item| reader.object(item)).collect();
    if end < file.len() {
        reader.subject = None;
        let count = file.len() - end;
        reader.odd(format!("the file goes on for {count} bytes after the scene's end at byte {end}"));
    }
    let spelled = Some(Bytes::of(file, 0..file.len()));
    let scene = Scene { body, objects: Arc::new(objects), next_key: reader.next_key, spelled };
    Ok(Read { scene, faults: reader.faults() })
}

/// The map of a scene's file as a plain value, and where it ends.
pub fn root(file: &Arc<[u8]>) -> Result<(Value, usize), SceneError> {
    if let Some(why) = SceneError::of_text(file) {
        return Err(why);
    }
    let (root, end) = msgpack::read(file)?;
    if root.entries().is_none() {
        return Err(SceneError::NotAMap(root.kind()));
    }
    Ok((root, end))
}

#[derive(Default)]
struct Reader {
    next_key: u32,
    /// The object that is being read, and it in words.
    subject: Option<(ObjectKey, String)>,
    number_ids: HashSet<i128>,
    text_ids: HashSet<Arc<str>>,
    faults: Vec<Fault>,
    more_faults: usize,
}

impl Reader {
    fn object(&mut self, value: &Value) -> Arc<Object> {
        let key = ObjectKey(self.next_key);
        self.next_key += 1;
        let (body, items) = value.take_items("children").unwrap_or_else(|| (value.clone(), Arc::default()));
        let mut object = Object { key, body, children: Vec::new() };
        self.subject = Some((key, words_for(&object)));
        if value.entries().is_some() {
            self.look_at_object(value);
        } else {
            self.odd(format!("a map is expected, and {} is there", value.kind()));
        }
        object.children = items.iter().map(|item| self.object(item)).collect();
        Arc::new(object)
    }

    fn look_at_object(&mut self, map: &Value) {
        self.map(map, &OBJECT, "", Value::get);
        if let Some(id) = map.get("id").filter(|id| !self.is_new_id(id)) {
            let shown = id.as_text().map_or_else(|| integer_words(id), |text| format!("{text:?}"));
            self.tell(Code::SceneIdDuplicate, format!("the id {shown} belongs to an earlier object"));
        }
        if let Some(transform) = map.get("transform") {
            self.map(transform, &TRANSFORM, "transform.", property);
        }
        let components = map.get("components").and_then(Value::items).unwrap_or_default();
        for (index, component) in components.iter().enumerate() {
            self.component(component, &format!("components[{index}]"));
        }
    }

    fn component(&mut self, component: &Value, place: &str) {
        if component.entries().is_none() {
            self.odd(format!("{place} is {}, and a map is expected", component.kind()));
            return;
        }
        self.map(component, &COMPONENT, &format!("{place}."), Value::get);
        if component.get("type").is_none() {
            self.odd(format!("{place} does not say its type"));
        }
        let is_sprite = Sprite::of_component(component).is_some();
        if let Some(data) = component.get("data").filter(|_| is_sprite) {
            self.map(data, &SPRITE, &format!("{place}.data."), property);
        }
    }

    /// Holds a map against what is expected, if it is one; `place` stands before its keys.
    fn map(
        &mut self,
        map: &Value,
        expected: &[Expected],
        place: &str,
        get: for<'a> fn(&'a Value, &str) -> Option<&'a Value>,
    ) {
        for Expected { key, what, fits } in expected {
            if let Some(value) = get(map, key).filter(|value| !fits(value)) {
                let found = found_words(value);
                self.odd(format!("{place}{key} is {found}, and {what} is expected"));
            }
        }
        for key in repeated_keys(map) {
            self.odd(format!("{place}{key} is there more than once, and the last counts"));
        }
    }

    fn is_new_id(&mut self, id: &Value) -> bool {
        match id.data() {
            Data::Integer(number) => self.number_ids.insert(*number),
            Data::Text(text) => self.text_ids.insert(text.clone()),
            _ => true,
        }
    }

    fn odd(&mut self, what: String) {
        self.tell(Code::SceneOdd, what);
    }

    fn tell(&mut self, code: Code, what: String) {
        if self.faults.len() == MOST_FAULTS {
            self.more_faults += 1;
            return;
        }
        let (object, text) = match &self.subject {
            Some((key, words)) => (Some(*key), format!("{words}: {what}")),
            None => (None, what),
        };
        self.faults.push(Fault { code, object, text });
    }

    fn faults(mut self) -> Vec<Fault> {
        if self.more_faults > 0 {
            let text = format!("and {} more like these", self.more_faults);
            self.faults.push(Fault { code: Code::SceneOdd, object: None, text });
        }
        self.faults
    }
}

/// The keys of a map that were there before, in their order.
fn repeated_keys(map: &Value) -> Vec<&str> {
    /// Up to so many it is cheaper to look at each than to hash them.
    const FEW: usize = 16;
    let keys: Vec<&str> = map.entries().into_iter().flatten().filter_map(|(key, _)| key.as_text()).collect();
    if keys.len() <= FEW {
        let is_there_before = |at: usize| keys.iter().take(at).any(|before| *before == keys[at]);
        return (0..keys.len()).filter(|at| is_there_before(*at)).map(|at| keys[at]).collect();
    }
    let mut seen = HashSet::new();
    keys.into_iter().filter(|key| !seen.insert(*key)).collect()
}

/// A value in words: short texts and numbers as they are, of others what they are.
fn found_words(value: &Value) -> String {
    match value.data() {
        Data::Text(text) if text.len() <= 40 => format!("{text:?}"),
        Data::Integer(_) => integer_words(value),
        Data::Real(number) => format!("{number:?}"),
        _ => value.kind().to_owned(),
    }
}

fn integer_words(value: &Value) -> String {
    match value.data() {
        Data::Integer(number) => number.to_string(),
        _ => value.kind().to_owned(),
    }
}
