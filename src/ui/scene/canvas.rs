//! The canvas: the scene in its picture's frame, and where it is looked at.

use std::collections::HashSet;

use eframe::egui;
use egui::{
    Align2, Painter, Rect, Response, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2,
};

use super::drag::Drag;
use super::place::Place;
use super::snap::{Guide, Targets};
use super::{SceneView, draw};
use crate::edit::{Change as _, Revision, SceneEdit};
use crate::model::Scene;
use crate::model::scene::{ObjectKey, Point};
use crate::runtime::{Bounds, Item, Memo};
use crate::session::document::Load;
use crate::session::{Action, Command, SceneDocument, Session, StageVersion};
use crate::ui::UiState;
use crate::ui::canvas::gestures::Gestures;
use crate::ui::canvas::view::{self, Screen, Viewpoint};
use crate::ui::{theme, widgets};

/// What the canvas keeps from one pass to the next.
#[derive(Default)]
pub(super) struct Stage {
    pub(super) gestures: Gestures,
    pub(super) drag: Option<Drag>,
    /// The scene in the middle of a drag.
    pub(super) draft: Option<Scene>,
    /// Where a box began that selects what it touches, and what was selected before.
    pub(super) marquee: Option<(Point, Vec<ObjectKey>)>,
    pub(super) guides: Vec<Guide>,
    /// Bounds of what is moved at the start, and what it may catch on.
    pub(super) catching: Option<(Bounds, Targets)>,
    memo: Memo,
    pub(super) items: Vec<Item>,
    pub(super) items_made_of: Option<(std::sync::Arc<str>, Revision, StageVersion)>,
    /// The point of the world under the pointer.
    pub(super) pointer: Option<[f64; 2]>,
    /// An object that is to be seen.
    pub(super) wanted: Option<ObjectKey>,
}

/// Where a scene is looked at.
#[derive(Clone, Copy)]
pub(super) struct SceneViewpoint {
    viewpoint: Viewpoint,
    screen: Screen,
    is_fitted: bool,
}

/// Draws the canvas over all the room there is.
pub(super) fn ui(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let screen = Screen { rect: ui.available_rect_before_wrap(), pixels_per_point: ui.pixels_per_point() };
    let response = ui.allocate_rect(screen.rect, Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Scene canvas"));
    crate::ui::canvas::take_keys_from_lists(ui, &response);
    let Some(document) = session.scene() else {
        state.scene.leave();
        no_scene(ui, screen.rect, session, actions);
        return;
    };
    match &document.load {
        Load::Ready => scene(ui, &response, screen, session, document, state, actions),
        Load::Loading => {}
        Load::Failed(why) => {
            state.scene.leave();
            let title = format!("{} cannot be edited", document.file_name());
            ui.accesskit_node_builder(response.id, |node| node.set_description(format!("{title}: {why}")));
            words(ui, screen.rect, &title, why);
        }
    }
}

impl SceneView {
    fn leave(&mut self) {
        self.stage = Stage::default();
        self.zoom = None;
        self.commands.clear();
    }
}

fn scene(
    ui: &mut Ui,
    response: &Response,
    screen: Screen,
    session: &Session,
    document: &SceneDocument,
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    crate::ui::bars::of_scene(ui, screen.rect, session, actions);
    let UiState { scene: view, textures, carry, .. } = state;
    let before = (view.zoom, view.stage.pointer.take());
    view.follow(session, document);
    let size = document.scene().size();
    let viewpoint = view.moved(ui, response, screen, document);
    let place = Place { placement: viewpoint.placement(screen), size };
    view.zoom = Some(viewpoint.zoom);
    let painter = ui.painter_at(screen.rect);
    backdrop(&painter, place, document.scene());
    draw::items(&painter, place, &view.stage.items, session, textures);
    painter.rect_stroke(
        place.picture(),
        0.0,
        Stroke::new(1.0, theme::palette(ui).weak_text),
        StrokeKind::Outside,
    );
    view.over(ui, &painter, place, document);
    view.point(ui, response, place, session, document, actions);
    view.nudge(ui, document, actions);
    if let Some(dropped) = super::drop::on_canvas(ui, carry, response, place, session) {
        super::drop::take(dropped, &mut view.several, session, document, actions);
    }
    if (view.zoom, view.stage.pointer) != before {
        // The status bar was drawn before.
        ui.request_repaint();
    }
}

/// What is behind everything: the scene's colour in its picture.
fn backdrop(painter: &Painter, place: Place, scene: &Scene) {
    let [red, green, blue, _] = scene.clear_color().0;
    painter.rect_filled(place.picture(), 0.0, theme::chosen([red, green, blue]));
}

impl SceneView {
    /// Lists what the scene draws, when it, a texture or a drag has changed.
    fn follow(&mut self, session: &Session, document: &SceneDocument) {
        let Stage { drag, draft, memo, items, items_made_of, .. } = &mut self.stage;
        let made_of = (document.path.clone(), document.history.revision(), session.stage_version());
        if items_made_of
            .as_ref()
            .is_some_and(|(path, revision, _)| (path, *revision) != (&made_of.0, made_of.1))
        {
            // What is dragged belongs to the scene as it was.
            *drag = None;
        }
        *draft = drag.as_ref().and_then(|drag| {
            let edit = SceneEdit::SetTransforms(drag.step(), drag.places.clone());
            edit.apply(document.scene(), document.scene(), ()).ok()
        });
        if let Some(draft) = draft {
            *items = session.stage(draft, memo);
            *items_made_of = Some((made_of.0, made_of.1, StageVersion::NONE));
        } else if items_made_of.as_ref() != Some(&made_of) {
            *items = session.stage(document.scene(), memo);
            *items_made_of = Some(made_of);
        }
    }

    /// Where the scene is looked at, after commands and gestures.
    fn moved(&mut self, ui: &Ui, response: &Response, screen: Screen, document: &SceneDocument) -> Viewpoint {
        let size = document.scene().size();
        let fitted = SceneViewpoint { viewpoint: Viewpoint::fitting(size, screen), screen, is_fitted: true };
        let mut view = self.views.get(&document.path).copied().unwrap_or(fitted);
        if view.is_fitted && view.screen != screen {
            view.viewpoint = fitted.viewpoint;
        }
        view.screen = screen;
        for command in std::mem::take(&mut self.commands) {
            let SceneViewpoint { viewpoint, is_fitted, .. } = &mut view;
            let middle = screen.rect.center();
            *is_fitted = command == Command::Fit;
            *viewpoint = match command {
                Command::Fit => fitted.viewpoint,
                Command::ActualSize => viewpoint.zoomed_at(1.0, middle, screen),
                Command::ZoomIn => viewpoint.zoomed_at(view::step_up(viewpoint.zoom), middle, screen),
                Command::ZoomOut => viewpoint.zoomed_at(
                    view::step_down(viewpoint.zoom, fitted.viewpoint.zoom),
                    middle,
                    screen,
                ),
                Command::FrameSelection => {
                    let place = Place { placement: viewpoint.placement(screen), size };
                    let bounds = self.selection_bounds(document).map(|bounds| place.pixels_of(bounds));
                    bounds.map_or(*viewpoint, |rect| Viewpoint::fitting_rect(rect, screen))
                }
                _ => *viewpoint,
            };
        }
        if let Some(wanted) = self.stage.wanted.take() {
            self.look_at(wanted, &mut view, document);
        }
        let is_moved = self.stage.gestures.apply(ui, response, &mut view.viewpoint, screen, size, false);
        view.is_fitted &= !is_moved;
        self.views.insert(document.path.clone(), view);
        view.viewpoint
    }

    fn look_at(&self, wanted: ObjectKey, view: &mut SceneViewpoint, document: &SceneDocument) {
        let place = Place { placement: view.viewpoint.placement(view.screen), size: document.scene().size() };
        let Some(bounds) = self.bounds_of(document.scene(), &[wanted]) else { return };
        if !view.screen.rect.contains_rect(place.rect(bounds)) {
            view.viewpoint = Viewpoint::fitting_rect(place.pixels_of(bounds), view.screen);
            view.is_fitted = false;
        }
    }

    /// The bounds of what these objects draw, of those below them too, and of the places of those that draw nothing.
    pub(super) fn bounds_of(&self, scene: &Scene, keys: &[ObjectKey]) -> Option<Bounds> {
        let items = &self.stage.items;
        let drawn: HashSet<ObjectKey> = items.iter().map(|item| item.object).collect();
        let Reach { inside, silent } = Reach::of(scene, keys, &drawn);
        let pictures = items.iter().filter(|item| inside.contains(&item.object)).map(Item::bounds);
        let places = silent.iter().map(|key| {
            let origin = scene.world_of(*key).origin;
            Bounds { min: origin, max: origin }
        });
        pictures.chain(places).reduce(union)
    }

    pub(super) fn selection_bounds(&self, document: &SceneDocument) -> Option<Bounds> {
        self.bounds_of(document.scene(), document.history.selection())
    }
}

/// Objects with all below them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Reach {
    /// They and all below them.
    pub(super) inside: HashSet<ObjectKey>,
    /// Those that draw nothing, nor does anything below them.
    silent: Vec<ObjectKey>,
}

impl Reach {
    /// What these objects reach, in one walk however many they are.
    pub(super) fn of(scene: &Scene, keys: &[ObjectKey], drawn: &HashSet<ObjectKey>) -> Self {
        let wanted: HashSet<ObjectKey> = keys.iter().copied().collect();
        let mut inside = HashSet::new();
        let mut heard = HashSet::new();
        let mut around: Vec<(usize, ObjectKey)> = Vec::new();
        for (depth, object) in scene.walk() {
            while around.pop_if(|(outer, _)| *outer >= depth).is_some() {}
            if wanted.contains(&object.key) {
                around.push((depth, object.key));
            }
            if !around.is_empty() {
                inside.insert(object.key);
            }
            if drawn.contains(&object.key) {
                heard.extend(around.iter().map(|(_, key)| *key));
            }
        }
        let is_silent = |key: &&ObjectKey| inside.contains(*key) && !heard.contains(*key);
        let silent = keys.iter().filter(is_silent).copied().collect();
        Self { inside, silent }
    }
}

fn union(one: Bounds, other: Bounds) -> Bounds {
    Bounds {
        min: Point::new(one.min.x.min(other.min.x), one.min.y.min(other.min.y)),
        max: Point::new(one.max.x.max(other.max.x), one.max.y.max(other.max.y)),
    }
}

fn no_scene(ui: &mut Ui, area: Rect, session: &Session, actions: &mut Vec<Action>) {
    let has_scenes = session.project().is_some_and(|open| open.registry.referrers().len() > 0);
    let text = if has_scenes {
        "Click a scene in the browser to put frames on its objects."
    } else {
        "The project has no scenes. A new one is written with its first save."
    };
    words(ui, area, "No scene is open", text);
    let size = vec2(140.0, theme::ROW_HEIGHT);
    let rect = Rect::from_center_size(area.center() + vec2(0.0, 48.0), size);
    let mut button = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    if widgets::command_button(&mut button, session, Command::NewScene, None) {
        actions.push(Command::NewScene.into());
    }
}

/// A title and an explanation in the middle.
fn words(ui: &mut Ui, area: Rect, title: &str, text: &str) {
    let palette = theme::palette(ui);
    let painter = ui.painter_at(area);
    let body = TextStyle::Body.resolve(ui.style());
    painter.text(area.center() - vec2(0.0, 12.0), Align2::CENTER_CENTER, title, body.clone(), palette.text);
    let galley = painter.layout(text.to_owned(), body, palette.weak_text, area.width().min(480.0));
    let at = pos2(area.center().x - galley.size().x / 2.0, area.center().y + 4.0);
    painter.galley(at, galley, palette.weak_text);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::scene::Object;

    #[test]
    fn what_objects_reach_is_all_below_them_and_some_of_it_draws_nothing() {
        let mut scene = Scene::new("Level");
        let mut add = |parent: Option<ObjectKey>| {
            let object = Object::new(scene.take_key(), scene.free_id(), "object");
            let key = object.key;
            scene.children_mut(parent).unwrap().push(Arc::new(object));
            key
        };
        let hero = add(None);
        let hat = add(Some(hero));
        let feather = add(Some(hat));
        let (enemy, empty) = (add(None), add(None));
        let drawn = HashSet::from([feather, enemy]);
        let reach = Reach::of(&scene, &[hero, empty, ObjectKey(99)], &drawn);
        assert_eq!(reach, Reach { inside: HashSet::from([hero, hat, feather, empty]), silent: vec![empty] });
        assert_eq!(Reach::of(&scene, &[hat, enemy], &HashSet::new()).silent, [hat, enemy]);
    }
}
