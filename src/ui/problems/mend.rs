//! What can be done at once about sprites that are not there: another is picked, or none is shown.

use std::collections::HashSet;
use std::sync::Arc;

use eframe::egui;
use egui::{Button, Ui};

use super::rows::{file_name, go_to};
use crate::edit::SceneEdit;
use crate::model::scene::ObjectKey;
use crate::model::{Code, Problem};
use crate::session::{Action, BrokenSprite, Command, Session};
use crate::ui::UiState;

/// The buttons of one problem, if it is about a sprite.
pub(super) fn buttons(
    ui: &mut Ui,
    session: &Session,
    state: &mut UiState,
    problem: &Problem,
    actions: &mut Vec<Action>,
) {
    let Some(object) = object_of(problem) else { return };
    let broken = session.broken_sprites(&problem.path, &HashSet::from([object]));
    if broken.is_empty() {
        return;
    }
    let why = session.why_not_mended(&problem.path);
    let clear = "Leave the sprite component without a picture; the object stays";
    if button(ui, "Clear", clear, &format!("Clear: {}", problem.message), why) {
        clear_all(&problem.path, broken, actions);
    }
    let pick = "Go to the object and pick another frame or sheet";
    if button(ui, "Pick…", pick, &format!("Pick: {}", problem.message), why) {
        go_to(session, state, problem, actions);
        actions.push(Command::PickSprite.into());
    }
}

/// The button of several problems of a kind.
pub(super) fn button_for_all(ui: &mut Ui, session: &Session, group: &[&Problem], actions: &mut Vec<Action>) {
    let objects: HashSet<ObjectKey> = group.iter().filter_map(|problem| object_of(problem)).collect();
    let Some(first) = group.first().filter(|_| !objects.is_empty()) else { return };
    let broken = session.broken_sprites(&first.path, &objects);
    if broken.len() < 2 {
        return;
    }
    let name = format!("Clear all broken sprites of {}", file_name(&first.path));
    let tooltip = "Leave all these sprite components without a picture; the objects stay";
    if button(ui, "Clear all", tooltip, &name, session.why_not_mended(&first.path)) {
        clear_all(&first.path, broken, actions);
    }
}

fn object_of(problem: &Problem) -> Option<ObjectKey> {
    problem.object.filter(|_| problem.code == Code::ReferenceBroken).map(ObjectKey)
}

fn clear_all(path: &Arc<str>, broken: Vec<BrokenSprite>, actions: &mut Vec<Action>) {
    let edit = SceneEdit::ClearSprites(broken);
    actions.extend([Action::OpenScene(path.clone()), Action::Seal, Action::EditScene(edit), Action::Seal]);
}

fn button(ui: &mut Ui, text: &str, tooltip: &str, name: &str, why_not: Option<&'static str>) -> bool {
    let response = ui.add_enabled(why_not.is_none(), Button::new(text)).accessible_name(name);
    let response = response.on_disabled_hover_text(format!("{tooltip}\n{}", why_not.unwrap_or_default()));
    response.on_hover_text(tooltip).clicked()
}
