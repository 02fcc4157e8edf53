//! What scenes use: sheets, other scenes, and files that we only copy; and who uses them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::guid::Guid;
use crate::model::files::FileKind;
use crate::model::problem::quoted;
use crate::model::scene::ObjectKey;
use crate::model::{Code, Problem};
use crate::registry::{Reference, Referrer, Registry};

/// Who uses something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Users {
    /// The paths of the scenes, each once, in their order.
    pub scenes: Vec<Arc<str>>,
    /// The first who does, in words; empty when nobody does.
    pub first: String,
    /// How many references lead to it.
    pub references: usize,
}

impl Users {
    fn add(&mut self, scene: &Arc<str>, reference: &Reference) {
        if self.references == 0 {
            self.first = user_words(scene, reference);
        }
        self.references += 1;
        // Scenes come one after the other.
        if self.scenes.last() != Some(scene) {
            self.scenes.push(scene.clone());
        }
    }

    /// Who they are: the first of them and how many more there are; `None` when nobody uses it.
    pub fn words(&self) -> Option<String> {
        match self.references {
            0 => None,
            1 => Some(self.first.clone()),
            more => Some(format!("{} and {} more", self.first, more - 1)),
        }
    }
}

fn user_words(scene: &str, reference: &Reference) -> String {
    match (reference.object, &*reference.object_name) {
        (None, _) => scene.to_owned(),
        (Some(_), "") => format!("an object without a name in {scene}"),
        (Some(_), name) => format!("the object {} in {scene}", quoted(name)),
    }
}

/// All that scenes use.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Sheets, by their paths.
    pub(super) sheets: BTreeMap<Arc<str>, Users>,
    /// Scenes, by their paths.
    pub(super) scenes: BTreeMap<Arc<str>, Users>,
    /// What is no asset of ours.
    pub(super) others: BTreeMap<Guid, Users>,
    /// What is odd about the references.
    pub(super) problems: Vec<Problem>,
}

/// What all scenes use; `references_of` gives what each refers to.
pub(super) fn collect<'a>(
    registry: &'a Registry,
    references_of: impl Fn(&'a Referrer) -> &'a [Reference],
) -> Used {
    let mut used = Used::default();
    for scene in registry.referrers() {
        // Every kind there is begins an export. One that does not must be used by a scene first.
        let FileKind::Scene = scene.kind;
        let mut older = Older::default();
        for reference in references_of(scene) {
            let Ok(guid) = reference.guid.parse::<Guid>() else { continue };
            let parent = registry.parent_of_frame(guid).filter(|_| registry.by_guid(guid).is_none());
            if let Some(sheet) = registry.by_guid(parent.unwrap_or(guid)) {
                used.sheets.entry(sheet.path.clone()).or_default().add(&scene.path, reference);
                if parent.is_some() {
                    older.add(reference, &sheet.path);
                }
            } else if let Some(other) = registry.referrer_by_guid(guid) {
                used.scenes.entry(other.path.clone()).or_default().add(&scene.path, reference);
            } else {
                used.others.entry(guid).or_default().add(&scene.path, reference);
            }
        }
        used.problems.extend(older.problem(&scene.path));
    }
    used
}

/// References of a scene in their older form: a frame's GUID in the place of its sheet's. A game has no file of that name.
#[derive(Default)]
struct Older {
    count: usize,
    first: Option<(Option<u32>, String)>,
}

impl Older {
    fn add(&mut self, reference: &Reference, sheet: &str) {
        self.count += 1;
        self.first.get_or_insert_with(|| {
            let owner = match &*reference.object_name {
                "" => "an object without a name".to_owned(),
                name => format!("the object {}", quoted(name)),
            };
            (reference.object, format!("{owner} names a frame of {sheet}"))
        });
    }

    fn problem(self, scene: &str) -> Option<Problem> {
        let (object, first) = self.first?;
        let more = match self.count {
            1 => String::new(),
            count => format!(", and {} more do alike", count - 1),
        };
        let message = format!(
            "In the older form of references {first} without its sheet{more}; a game finds no file of that name: choose \
             the frame anew, or save the scene in the engine's editor"
        );
        let problem = Problem::new(Code::SceneOdd, scene, message);
        Some(match object {
            Some(key) => problem.at_object(ObjectKey(key)),
            None => problem,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::testing::{FRAME, OTHER, SHEET, registry, scene};

    fn collected(scenes: &[(&str, &[(&str, &str)])]) -> Used {
        let mut registry = registry();
        for (path, references) in scenes {
            registry.insert_referrer(scene(path, references));
        }
        collect(&registry, |scene| &scene.references)
    }

    #[test]
    fn frames_lead_to_their_sheets_and_users_are_counted() {
        let used = collected(&[
            ("assets/a.scene", &[(SHEET, FRAME), (SHEET, ""), ("no guid", "")]),
            ("assets/b.scene", &[(&SHEET.to_uppercase(), "")]),
        ]);
        let users = &used.sheets["assets/sprites/hero.png"];
        assert_eq!(users.scenes, ["assets/a.scene".into(), "assets/b.scene".into()]);
        assert_eq!(users.words().unwrap(), "the object \"hero\" in assets/a.scene and 2 more");
        assert_eq!((used.sheets.len(), used.scenes.len(), used.others.len()), (1, 0, 0));
        assert_eq!(used.problems, []);
    }

    #[test]
    fn the_older_form_leads_to_the_sheet_and_is_told_once_for_a_scene() {
        let used = collected(&[("assets/a.scene", &[(FRAME, ""), (FRAME, ""), (SHEET, FRAME)])]);
        assert_eq!(used.sheets["assets/sprites/hero.png"].references, 3);
        let [problem] = &used.problems[..] else { panic!("{:?}", used.problems) };
        assert_eq!(
            (problem.code, problem.object, &*problem.path),
            (Code::SceneOdd, Some(0), "assets/a.scene")
        );
        assert!(problem.message.contains("hero.png") && problem.message.contains("1 more"), "{problem}");
    }

    #[test]
    fn scenes_in_scenes_and_what_nobody_knows_are_used_too() {
        let level = scene("assets/level.scene", &[]);
        let guid = level.guid.to_string();
        let used =
            collected(&[("assets/level.scene", &[]), ("assets/menu.scene", &[(&guid, ""), (OTHER, "")])]);
        assert_eq!(used.scenes["assets/level.scene"].scenes, ["assets/menu.scene".into()]);
        assert_eq!(used.others[&OTHER.parse().unwrap()].references, 1);
    }
}
