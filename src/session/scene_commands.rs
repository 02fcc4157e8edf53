//! What the commands of the Edit menu do to the selected objects of a scene.

use std::sync::Arc;

use super::{Command, Effect, SceneDocument, Session};
use crate::edit::{Inserted, Moved, Place, SceneEdit, outermost};
use crate::model::scene::{AssetRef, Object, ObjectKey, Point, Property, Transform, Value};

/// A copy is put so far to the right and down of what it is a copy of, in metres: half of a tile of 16 pixels.
const COPY_STEP: f32 = 0.5;

/// What is on the clipboard while objects are the last thing that was copied: programs only tell of a paste when there
/// is some text, and the objects themselves are kept here.
const OBJECTS_TEXT: &str = "Objects of a Cutsheet scene";

impl Session {
    /// Why a command about scenes cannot be carried out now; `None` when it can, or is another kind.
    pub(super) fn why_scene_disabled(&self, command: Command) -> Option<&'static str> {
        let document = self.scene().filter(|document| document.is_ready());
        let Some(document) = document else { return Some("No scene is open") };
        let is_selected = !document.history.selection().is_empty();
        let needs = |ok: bool, why| (!ok).then_some(why);
        match command {
            Command::DeleteObjects
            | Command::DuplicateObjects
            | Command::CopyObjects
            | Command::CutObjects
            | Command::ShowObjects
            | Command::ObjectUp
            | Command::ObjectDown
            | Command::PickSprite
            | Command::RenameObject => needs(is_selected, "No object is selected"),
            Command::ClearSprite | Command::RemoveSprite => {
                let has_sprite = document.selected().iter().any(|object| object.sprite().is_some());
                needs(has_sprite, "No selected object has a sprite")
            }
            Command::PasteObjects => needs(!self.copied.is_empty(), "Nothing was copied"),
            _ => None,
        }
    }

    /// Carries out a command about scenes; whether it is one.
    pub(super) fn scene_command(&mut self, command: Command) -> bool {
        let Some(document) = self.scene() else { return false };
        let keys = document.history.selection().to_vec();
        let edit = match command {
            Command::AddObject => {
                let object = Object::new(ObjectKey(0), 0.into(), "Object");
                let place = behind_selection(document);
                SceneEdit::Insert(Inserted::Add, vec![Arc::new(object)], place)
            }
            Command::DeleteObjects => SceneEdit::Remove(keys),
            Command::DuplicateObjects => {
                let copies = copies(document);
                SceneEdit::Insert(Inserted::Duplicate, aside(&copies), behind_selection(document))
            }
            Command::CopyObjects | Command::CutObjects => {
                self.copied = copies(document);
                let count = self.copied.len();
                self.toasts.info(format!(
                    "Copied {}",
                    if count == 1 { "1 object".into() } else { format!("{count} objects") }
                ));
                self.effects.push(Effect::CopyText(OBJECTS_TEXT.to_owned()));
                if command == Command::CopyObjects {
                    return true;
                }
                SceneEdit::Remove(keys)
            }
            Command::PasteObjects => {
                SceneEdit::Insert(Inserted::Paste, aside(&self.copied), behind_selection(document))
            }
            Command::ShowObjects => {
                let is_any_hidden = document.selected().iter().any(|object| !object.is_active());
                SceneEdit::SetActive(keys, is_any_hidden)
            }
            Command::ClearSprite => SceneEdit::SetProperty(keys, Property::Sprite(AssetRef::default())),
            Command::RemoveSprite => SceneEdit::RemoveSprites(keys),
            Command::ObjectUp | Command::ObjectDown => {
                match stepped(document, command == Command::ObjectUp) {
                    Some(edit) => edit,
                    None => return true,
                }
            }
            _ => return false,
        };
        self.edit_scene(&edit);
        true
    }

    /// Puts a reference to the selected frame, or to the sheet, on the clipboard.
    pub(super) fn copy_frame_ref(&mut self) {
        let Some((reference, name)) = self.selected_reference() else { return };
        self.toasts.info(format!("Copied the reference of {name}; paste it on an object"));
        self.effects.push(Effect::CopyText(reference_text(&reference)));
    }

    /// What a drop of the frame that is selected would set, and what it is called; of the sheet without a frame.
    fn selected_reference(&self) -> Option<(AssetRef, String)> {
        let document = self.current()?;
        let asset = self.asset(&document.path)?;
        let first = document.selected_frames().next().map(|(_, frame)| frame.id);
        let frame = first.and_then(|id| asset.frames.iter().find(|frame| frame.id == id));
        let source = frame.map(|frame| frame.guid.to_string()).unwrap_or_default();
        let name = match frame {
            Some(frame) => {
                if frame.name.is_empty() {
                    format!("{}, frame {}", document.file_name(), frame.index)
                } else {
                    format!("{}, {}", document.file_name(), frame.name)
                }
            }
            None => document.file_name().to_owned(),
        };
        Some((AssetRef { guid: asset.guid.to_string().into(), source: source.into() }, name))
    }

    /// Puts what is on the clipboard into the scene: a reference on the selected objects, or on a new one.
    pub(super) fn paste_into_scene(&mut self, text: &str) {
        let Some(document) = self.scene().filter(|document| document.is_ready()) else { return };
        let keys = document.history.selection().to_vec();
        if let Some(reference) = reference_of_text(text) {
            let edit = if keys.is_empty() {
                let object = self.object_of(&reference, Transform::default());
                SceneEdit::Insert(Inserted::Paste, vec![object], Place::end_of(None))
            } else {
                SceneEdit::SetProperty(keys, Property::Sprite(reference))
            };
            self.edit_scene(&edit);
        } else if text == OBJECTS_TEXT {
            self.scene_command(Command::PasteObjects);
        } else {
            self.toasts
                .warn("Nothing was pasted: the clipboard holds no objects and no frame reference".to_owned());
        }
    }

    /// A new object that draws a frame or a sheet, named like it.
    pub fn object_of(&self, reference: &AssetRef, transform: Transform) -> Arc<Object> {
        let name = self.name_of(reference).unwrap_or_else(|| "Object".into());
        let mut object = Object::new(ObjectKey(0), 0.into(), &name);
        object.set_transform(transform);
        object.add_sprite(reference);
        Arc::new(object)
    }

    /// What a reference's frame or sheet is called, without the extension of its file.
    pub fn name_of(&self, reference: &AssetRef) -> Option<String> {
        let open = self.open.as_ref()?;
        let asset = open.registry.by_guid(reference.guid.parse().ok()?)?;
        let stem = asset.stem();
        let frame = reference.source.parse().ok().and_then(|guid| open.registry.frame(guid));
        Some(match frame {
            Some(frame) if frame.name.is_empty() => format!("{stem}_{}", frame.index),
            Some(frame) => frame.name.to_string(),
            None => stem.to_owned(),
        })
    }

    /// Selects all objects of the scene.
    pub(super) fn select_all_objects(&mut self) {
        self.with_scene(|document| {
            let all = document.scene().walk().map(|(_, object)| object.key).collect();
            document.history.select(all);
        });
    }

    /// Selects the objects that are not selected.
    pub(super) fn invert_objects(&mut self) {
        self.with_scene(|document| {
            let others = document.scene().walk().map(|(_, object)| object.key);
            let others = others.filter(|key| !document.is_selected(*key)).collect();
            document.history.select(others);
        });
    }

    /// Moves the selected objects by metres of the world; what is below them comes along.
    pub(super) fn nudge_objects(&mut self, dx: f32, dy: f32) {
        let Some(document) = self.scene() else { return };
        let keys = outermost(document.scene(), document.history.selection());
        let places = moved_by(document, &keys, Point::new(dx.into(), dy.into()));
        self.edit_scene(&SceneEdit::SetTransforms(Moved::Move, places));
    }
}

/// The transforms of objects that are moved by metres of the world.
pub fn moved_by(document: &SceneDocument, keys: &[ObjectKey], by: Point) -> Vec<(ObjectKey, Transform)> {
    let scene = document.scene();
    let moved = keys.iter().filter_map(|&key| {
        let object = scene.object(key)?;
        let parent = scene.parent_of(key).map(|parent| scene.world_of(parent.key));
        // Under a flat parent no move can be seen, and none is made.
        let by = match parent {
            Some(parent) => {
                let inside = parent.inverse()?;
                let (from, to) = (inside.apply(Point::default()), inside.apply(by));
                Point::new(to.x - from.x, to.y - from.y)
            }
            None => by,
        };
        let transform = object.transform();
        Some((key, Transform { x: transform.x + by.x as f32, y: transform.y + by.y as f32, ..transform }))
    });
    moved.collect()
}

/// The outermost selected objects.
fn copies(document: &SceneDocument) -> Vec<Arc<Object>> {
    let scene = document.scene();
    let keys = outermost(scene, document.history.selection());
    keys.iter().filter_map(|key| scene.object(*key).cloned()).collect()
}

/// The same a little to the right and down, so that both can be seen.
fn aside(objects: &[Arc<Object>]) -> Vec<Arc<Object>> {
    let moved = objects.iter().map(|object| {
        let mut object = Object::clone(object);
        let transform = object.transform();
        object.set_transform(Transform {
            x: transform.x + COPY_STEP,
            y: transform.y - COPY_STEP,
            ..transform
        });
        Arc::new(object)
    });
    moved.collect()
}

/// Right behind the last selected object, in the same parent; at the end of the root without a selection.
pub fn behind_selection(document: &SceneDocument) -> Place {
    let scene = document.scene();
    let last = outermost(scene, document.history.selection()).last().copied();
    let Some(last) = last else { return Place::end_of(None) };
    let parent = scene.parent_of(last);
    let siblings = parent.map_or(&**scene.objects, |parent| &parent.children);
    let index = siblings.iter().position(|object| object.key == last);
    Place { parent: parent.map(|parent| parent.key), index: index.map_or(usize::MAX, |index| index + 1) }
}

/// The selected objects one place earlier or later among their siblings; `None` at the end of the way.
fn stepped(document: &SceneDocument, is_up: bool) -> Option<SceneEdit> {
    let scene = document.scene();
    let keys = outermost(scene, document.history.selection());
    let parent = scene.parent_of(*keys.first()?).map(|parent| parent.key);
    let siblings = match parent {
        Some(parent) => &scene.object(parent)?.children,
        None => &**scene.objects,
    };
    let places: Vec<_> =
        keys.iter().map(|key| siblings.iter().position(|object| object.key == *key)).collect();
    // Of different parents there is no next place.
    let places: Vec<usize> = places.into_iter().collect::<Option<_>>()?;
    let index = if is_up {
        places.iter().min()?.checked_sub(1)?
    } else {
        let after = places.iter().max()? + 2;
        (after <= siblings.len()).then_some(after)?
    };
    Some(SceneEdit::Relocate(keys, Place { parent, index }))
}

/// What a frame or a sheet looks like on the clipboard: a JSON map of its GUIDs, as files have it.
pub fn reference_text(reference: &AssetRef) -> String {
    let AssetRef { guid, source } = reference;
    format!("{{\"guid\": \"{guid}\", \"source\": \"{source}\"}}")
}

/// The reference that a text is, if it is one.
pub fn reference_of_text(text: &str) -> Option<AssetRef> {
    let json = crate::format::json::Json::parse(text.trim().as_bytes()).ok()?;
    let text = |key| json.get(key).and_then(crate::format::json::Json::as_str).map(Value::from);
    AssetRef::of_value(&Value::map([
        ("guid", text("guid")?),
        ("source", text("source").unwrap_or_else(|| "".into())),
    ]))
}
