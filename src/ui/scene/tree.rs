//! The tree of the scene's objects: select, fold, show and hide, rename, rearrange by dragging, and take frames.

use std::collections::HashSet;
use std::sync::Arc;

use eframe::egui;
use egui::{
    Align2, CursorIcon, DragAndDrop, EventFilter, FontId, Key, Modifiers, Pos2, Rect, Response, Role,
    ScrollArea, Sense, Stroke, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_CHEVRON_RIGHT, ICON_EXPAND_MORE, ICON_IMAGE, ICON_RADIO_BUTTON_UNCHECKED, ICON_VISIBILITY,
    ICON_VISIBILITY_OFF, ICON_WARNING,
};

use super::drop;
use crate::edit::{Place, Revision, SceneEdit, outermost};
use crate::model::Scene;
use crate::model::scene::{Object, ObjectKey};
use crate::runtime::Fault;
use crate::session::{Action, Command, SceneDocument, SelectMode, Session};
use crate::ui::theme::{self, ICON_SIZE, INSIDE};
use crate::ui::{UiState, widgets};

const ROW: f32 = 24.0;
/// By how much a child is further in than its parent.
const INDENT: f32 = 14.0;
/// A drop in this part of a row at its upper and lower end goes before and behind it.
const EDGE: f32 = 0.28;

/// What the tree keeps from one pass to the next.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) scene: Option<Arc<str>>,
    closed: HashSet<ObjectKey>,
    /// The row that keys act on.
    cursor: Option<ObjectKey>,
    rows: Vec<Row>,
    rows_made_of: Option<(Arc<str>, Revision, usize)>,
    /// How often a fold was opened or closed.
    folded: usize,
    /// The selection that was last seen.
    selection: Vec<ObjectKey>,
}

/// A row: an object, how deep it is, where it stands among its brothers, and whether it and all around it are shown.
struct Row {
    object: Arc<Object>,
    parent: Option<ObjectKey>,
    index: usize,
    depth: usize,
    is_shown: bool,
}

impl Row {
    fn key(&self) -> ObjectKey {
        self.object.key
    }

    fn has_children(&self) -> bool {
        !self.object.children.is_empty()
    }
}

/// Objects that are dragged in the tree.
struct Rearranged(Vec<ObjectKey>);

/// Where dragged objects would go.
#[derive(Clone, Copy, PartialEq)]
enum Spot {
    Before,
    Inside,
    Behind,
}

/// The panel.
pub(super) fn ui(
    ui: &mut Ui,
    session: &Session,
    document: &SceneDocument,
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    title(ui, session, document, actions);
    let scene = document.scene();
    state.scene.tree.follow(document);
    let area = ui.available_rect_before_wrap();
    let list = ui.interact(area, ui.make_persistent_id("objects"), Sense::click());
    list.widget_info(|| WidgetInfo::labeled(Role::Tree, true, "Objects"));
    if list.clicked() {
        actions.push(Action::SelectObjects(Vec::new()));
        list.request_focus();
    }
    if scene.objects.is_empty() {
        let color = theme::palette(ui).weak_text;
        let font = TextStyle::Body.resolve(ui.style());
        let words = "No objects yet. Drag a frame here, or add one.";
        ui.painter().text(area.min + vec2(0.0, INSIDE), Align2::LEFT_TOP, words, font, color);
    }
    let moved = state.scene.tree.take_keys(ui, &list, actions);
    let followed = state.scene.tree.note_selection(document);
    let scrolls_to = moved.or(followed).and_then(|key| state.scene.tree.position(key));
    let rows = std::mem::take(&mut state.scene.tree.rows);
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, rows.len(), |ui, range| {
        let top_left = ui.max_rect().min;
        let width = ui.available_width();
        let rect_of = |index: usize| {
            let y = (index as f32 - range.start as f32) * ROW;
            Rect::from_min_size(top_left + vec2(0.0, y), vec2(width, ROW))
        };
        if let Some(index) = scrolls_to {
            ui.scroll_to_rect(rect_of(index), None);
        }
        ui.expand_to_include_rect(rect_of(range.end.saturating_sub(1)));
        for index in range.clone() {
            row_ui(ui, rect_of(index), &rows[index], &list, document, session, state, actions);
        }
    });
    state.scene.tree.rows = rows;
    drop_on_rest(ui, &list, session, document, state, actions);
    list.context_menu(|ui| menu(ui, session, actions));
}

/// The scene's name, how many objects it has, and a button to add one.
fn title(ui: &mut Ui, session: &Session, document: &SceneDocument, actions: &mut Vec<Action>) {
    let count = document.scene().objects.iter().map(|object| object.count()).sum();
    ui.horizontal(|ui| {
        widgets::section_title(ui, "Objects");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if widgets::command_icon(
                ui,
                session,
                Command::AddObject,
                egui_material_icons::icons::ICON_ADD_BOX,
            ) {
                actions.push(Command::AddObject.into());
            }
            let weak = theme::palette(ui).weak_text;
            let text = egui::RichText::new(widgets::count_text(count, "object")).small().color(weak);
            ui.add(egui::Label::new(text).selectable(false));
        });
    });
}

impl Tree {
    /// Lists the rows anew when the scene or a fold has changed.
    fn follow(&mut self, document: &SceneDocument) {
        if self.scene.as_ref() != Some(&document.path) {
            *self = Self { scene: Some(document.path.clone()), ..Self::default() };
        }
        // What was selected elsewhere can be seen.
        for key in document.history.selection() {
            if self.selection.contains(key) {
                continue;
            }
            let lineage = document.scene().lineage(*key);
            let around = lineage.iter().take(lineage.len().saturating_sub(1));
            for object in around {
                self.folded += usize::from(self.closed.remove(&object.key));
            }
        }
        let made_of = (document.path.clone(), document.history.revision(), self.folded);
        if self.rows_made_of.as_ref() != Some(&made_of) {
            self.rows = rows(document.scene(), &self.closed);
            self.rows_made_of = Some(made_of);
        }
    }

    /// The object that was selected since the last pass, to be scrolled to.
    fn note_selection(&mut self, document: &SceneDocument) -> Option<ObjectKey> {
        let selection = document.history.selection();
        let new = selection.iter().find(|key| !self.selection.contains(key)).copied();
        if self.selection != selection {
            self.selection = selection.to_vec();
        }
        new
    }

    fn position(&self, key: ObjectKey) -> Option<usize> {
        self.rows.iter().position(|row| row.key() == key)
    }

    fn set_open(&mut self, key: ObjectKey, is_open: bool) {
        let changed = if is_open { self.closed.remove(&key) } else { self.closed.insert(key) };
        self.folded += usize::from(changed);
    }

    /// Arrow keys go through the rows and fold them, while the tree has the keyboard. The row that was gone to.
    fn take_keys(&mut self, ui: &Ui, list: &Response, actions: &mut Vec<Action>) -> Option<ObjectKey> {
        if !list.has_focus() || self.rows.is_empty() {
            return None;
        }
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(list.id, filter));
        let from = self.cursor.and_then(|key| self.position(key));
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let extends = ui.input_mut(|input| {
            let down = input.consume_key(Modifiers::SHIFT, Key::ArrowDown);
            let up = input.consume_key(Modifiers::SHIFT, Key::ArrowUp);
            (down || up).then_some(if down { 1 } else { -1 })
        });
        let last = self.rows.len() - 1;
        let step = |by: isize| from.map_or(0, |from| (from as isize + by).clamp(0, last as isize) as usize);
        let row = from.map(|from| {
            let row = &self.rows[from];
            (row.key(), row.parent, row.has_children())
        });
        let (to, mode) = if let Some(by) = extends {
            (step(by), SelectMode::Extend)
        } else if pressed(Key::ArrowDown) {
            (step(1), SelectMode::Replace)
        } else if pressed(Key::ArrowUp) {
            (step(-1), SelectMode::Replace)
        } else if pressed(Key::Home) {
            (0, SelectMode::Replace)
        } else if pressed(Key::End) {
            (last, SelectMode::Replace)
        } else if pressed(Key::ArrowRight) {
            let (key, _, _) = row.filter(|(_, _, has_children)| *has_children)?;
            self.set_open(key, true);
            return None;
        } else if pressed(Key::ArrowLeft) {
            let (key, parent, has_children) = row?;
            if has_children && !self.closed.contains(&key) {
                self.set_open(key, false);
                return None;
            }
            (self.position(parent?)?, SelectMode::Replace)
        } else {
            return None;
        };
        let key = self.rows[to].key();
        self.cursor = Some(key);
        actions.push(Action::SelectObject(key, mode));
        Some(key)
    }
}

/// The rows of a scene without those below folded ones.
fn rows(scene: &Scene, closed: &HashSet<ObjectKey>) -> Vec<Row> {
    fn add(
        rows: &mut Vec<Row>,
        objects: &[Arc<Object>],
        around: Option<(ObjectKey, usize, bool)>,
        closed: &HashSet<ObjectKey>,
    ) {
        for (index, object) in objects.iter().enumerate() {
            let parent = around.map(|(parent, _, _)| parent);
            let depth = around.map_or(0, |(_, depth, _)| depth + 1);
            let is_shown = object.is_active() && around.is_none_or(|(_, _, is_shown)| is_shown);
            rows.push(Row { object: object.clone(), parent, index, depth, is_shown });
            if !closed.contains(&object.key) {
                add(rows, &object.children, Some((object.key, depth, is_shown)), closed);
            }
        }
    }
    let mut rows = Vec::new();
    add(&mut rows, &scene.objects, None, closed);
    rows
}

#[expect(clippy::too_many_arguments, reason = "the parts of one row")]
fn row_ui(
    ui: &mut Ui,
    rect: Rect,
    row: &Row,
    list: &Response,
    document: &SceneDocument,
    session: &Session,
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    let UiState { scene: view, carry, .. } = state;
    let (object, key) = (&*row.object, row.key());
    let tree = &mut view.tree;
    let response = ui.interact(rect, ui.make_persistent_id(("object", key.0)), Sense::click_and_drag());
    let is_selected = document.is_selected(key);
    let is_open = row.has_children() && !tree.closed.contains(&key);
    let name = shown_name(object);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_selected, name));
    if row.has_children() {
        ui.accesskit_node_builder(response.id, |node| node.set_expanded(is_open));
    }
    let palette = theme::palette(ui);
    if is_selected {
        ui.painter().rect_filled(rect, 4.0, palette.accent_surface);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, palette.raised);
    }
    if list.has_focus() && tree.cursor == Some(key) {
        ui.painter().rect_stroke(rect, 4.0, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    }
    let mut at = pos2(rect.left() + INSIDE + row.depth as f32 * INDENT, rect.center().y);
    if row.has_children() {
        let fold = Rect::from_center_size(at + vec2(ICON_SIZE / 2.0, 0.0), Vec2::splat(ROW));
        let button = ui.interact(fold, response.id.with("fold"), Sense::click());
        button.widget_info(|| {
            WidgetInfo::selected(Role::DisclosureTriangle, true, is_open, format!("Children of {name}"))
        });
        icon(ui, at, if is_open { ICON_EXPAND_MORE } else { ICON_CHEVRON_RIGHT }, palette.weak_text);
        if button.clicked() {
            tree.set_open(key, !is_open);
        }
    }
    at.x += ICON_SIZE + INSIDE;
    let item = view.stage.items.iter().find(|item| item.object == key);
    let fault = item.and_then(|item| item.fault.as_ref()).filter(|fault| **fault != Fault::Pending);
    let (sign, color) = match (fault, object.sprite()) {
        (Some(Fault::Empty), _) | (None, Some(_)) => (ICON_IMAGE, palette.weak_text),
        (Some(_), _) => (ICON_WARNING, palette.error),
        (None, None) => (ICON_RADIO_BUTTON_UNCHECKED, palette.weak_text),
    };
    icon(ui, at, sign, color);
    at.x += ICON_SIZE + INSIDE;
    eye(ui, rect, &response, object, key, actions);
    let text_end = rect.right() - ROW;
    let color = if row.is_shown { palette.text } else { palette.weak_text.gamma_multiply(0.7) };
    let mut job =
        egui::text::LayoutJob::simple_singleline(name.to_owned(), TextStyle::Body.resolve(ui.style()), color);
    job.wrap = egui::text::TextWrapping::truncate_at_width((text_end - at.x).max(8.0));
    let galley = ui.painter().layout_job(job);
    ui.painter().galley(pos2(at.x, at.y - galley.size().y / 2.0), galley, color);

    if response.clicked() {
        let mode = widgets::select_mode_in_list(ui.input(|input| input.modifiers));
        tree.cursor = Some(key);
        list.request_focus();
        actions.push(Action::SelectObject(key, mode));
    }
    if response.double_clicked() {
        actions.push(Command::RenameObject.into());
    }
    if response.secondary_clicked() && !is_selected {
        actions.push(Action::SelectObject(key, SelectMode::Replace));
    }
    if response.drag_started_by(egui::PointerButton::Primary) {
        let keys = if is_selected { document.history.selection().to_vec() } else { vec![key] };
        DragAndDrop::set_payload(ui, Rearranged(outermost(document.scene(), &keys)));
    }
    rearrange(ui, &response, row, document, actions);
    drop::on_objects(ui, carry, &response, &[key], name, actions);
    if let Some(fault) = fault {
        response.clone().on_hover_text(fault.to_string());
    }
    response.context_menu(|ui| menu(ui, session, actions));
}

/// What an object without a name is called.
pub(super) fn shown_name(object: &Object) -> &str {
    if object.name().is_empty() { "(no name)" } else { object.name() }
}

fn icon(ui: &Ui, at: Pos2, icon: MaterialIcon, color: egui::Color32) {
    let font = FontId::new(ICON_SIZE - 2.0, icon.font_family());
    ui.painter().text(at, Align2::LEFT_CENTER, icon.codepoint, font, color);
}

/// The button that shows or hides the object, at the end of its row.
fn eye(ui: &Ui, row: Rect, response: &Response, object: &Object, key: ObjectKey, actions: &mut Vec<Action>) {
    let rect = Rect::from_min_max(pos2(row.right() - ROW, row.top()), row.max);
    let button = ui.interact(rect, response.id.with("eye"), Sense::click());
    let is_active = object.is_active();
    let name = format!("{} {}", if is_active { "Hide" } else { "Show" }, shown_name(object));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if !is_active || response.hovered() || button.hovered() || button.has_focus() {
        let sign = if is_active { ICON_VISIBILITY } else { ICON_VISIBILITY_OFF };
        let font = FontId::new(ICON_SIZE - 2.0, sign.font_family());
        let color = theme::palette(ui).weak_text;
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, sign.codepoint, font, color);
    }
    if button.on_hover_text(name).clicked() {
        actions.push(Action::EditScene(SceneEdit::SetActive(vec![key], !is_active)));
        actions.push(Action::Seal);
    }
}

/// Shows where objects that are dragged in the tree would go, and puts them there.
fn rearrange(ui: &Ui, response: &Response, row: &Row, document: &SceneDocument, actions: &mut Vec<Action>) {
    let Some(dragged) = response.dnd_hover_payload::<Rearranged>() else {
        return;
    };
    let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else { return };
    let rect = response.rect;
    let along = (pointer.y - rect.top()) / rect.height();
    let spot = match along {
        along if along < EDGE => Spot::Before,
        along if along > 1.0 - EDGE || !row.object.can_have_children() => Spot::Behind,
        _ => Spot::Inside,
    };
    let place = match spot {
        Spot::Before => Place { parent: row.parent, index: row.index },
        Spot::Behind => Place { parent: row.parent, index: row.index + 1 },
        Spot::Inside => Place::end_of(Some(row.key())),
    };
    let lineage = document.scene().lineage(row.key());
    let is_loop = lineage.iter().any(|object| dragged.0.contains(&object.key));
    let palette = theme::palette(ui);
    if is_loop {
        ui.set_cursor_icon(CursorIcon::NotAllowed);
    } else if spot == Spot::Inside {
        ui.painter().rect_stroke(rect, 4.0, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
    } else {
        let y = if spot == Spot::Before { rect.top() } else { rect.bottom() };
        let left = rect.left() + INSIDE + row.depth as f32 * INDENT;
        ui.painter().hline(left..=rect.right(), y, Stroke::new(2.0, palette.accent));
    }
    if response.dnd_release_payload::<Rearranged>().is_some() && !is_loop {
        actions.push(Action::EditScene(SceneEdit::Relocate(dragged.0.clone(), place)));
        actions.push(Action::Seal);
    }
}

/// Below the rows: objects go to the end of the root, frames become a new object.
fn drop_on_rest(
    ui: &Ui,
    list: &Response,
    session: &Session,
    document: &SceneDocument,
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    let used = ROW * state.scene.tree.rows.len() as f32;
    let rest = list.rect.with_min_y((list.rect.top() + used).min(list.rect.bottom()));
    if rest.height() < 4.0 || !ui.rect_contains_pointer(rest) {
        return;
    }
    if let Some(dragged) = list.dnd_release_payload::<Rearranged>() {
        let place = Place::end_of(None);
        actions.push(Action::EditScene(SceneEdit::Relocate(dragged.0.clone(), place)));
        actions.push(Action::Seal);
    }
    let carried = state.carry.target(ui, list, |carried| {
        let items = carried.sprites()?;
        Ok(format!("New object: {}", items[0].name))
    });
    if let Some(carried) = carried
        && let Ok(items) = carried.sprites()
    {
        let objects = items
            .iter()
            .map(|item| session.object_of(&item.reference, crate::model::scene::Transform::default()));
        let edit = SceneEdit::Insert(crate::edit::Inserted::Drop, objects.collect(), Place::end_of(None));
        actions.push(Action::Seal);
        actions.extend(document.is_ready().then_some(Action::EditScene(edit)));
    }
}

/// What can be done with the selected objects.
pub(super) fn menu(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let groups: [&[Command]; 4] = [
        &[Command::AddObject],
        &[Command::RenameObject, Command::ShowObjects, Command::ObjectUp, Command::ObjectDown],
        &[Command::PickSprite, Command::ClearSprite, Command::RemoveSprite],
        &[
            Command::CutObjects,
            Command::CopyObjects,
            Command::PasteObjects,
            Command::DuplicateObjects,
            Command::DeleteObjects,
        ],
    ];
    for (index, commands) in groups.into_iter().enumerate() {
        if index > 0 {
            ui.separator();
        }
        for command in commands {
            let why_disabled = session.why_disabled(*command);
            let button = egui::Button::new(command.text()).shortcut_text(widgets::key_text(ui, *command));
            let response = ui.add_enabled(why_disabled.is_none(), button);
            if response.on_disabled_hover_text(why_disabled.unwrap_or_default()).clicked() {
                actions.push((*command).into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_children_have_no_rows_and_places_count_brothers() {
        let mut scene = Scene::new("Level");
        let mut add = |parent: Option<ObjectKey>, name: &str| {
            let object = Object::new(scene.take_key(), scene.free_id(), name);
            let key = object.key;
            scene.children_mut(parent).unwrap().push(Arc::new(object));
            key
        };
        let hero = add(None, "hero");
        add(Some(hero), "hat");
        let enemy = add(None, "enemy");
        let all = rows(&scene, &HashSet::new());
        assert_eq!(
            all.iter().map(|row| (row.depth, row.index)).collect::<Vec<_>>(),
            [(0, 0), (1, 0), (0, 1)]
        );
        let folded = rows(&scene, &HashSet::from([hero]));
        assert_eq!(folded.iter().map(Row::key).collect::<Vec<_>>(), [hero, enemy]);
    }
}
