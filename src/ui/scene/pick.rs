//! A window to pick a frame or a sheet for the selected objects, by name and by picture.

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align2, Key, Modifiers, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, TextStyle, Ui,
    WidgetInfo, vec2,
};

use crate::edit::SceneEdit;
use crate::geometry::PixelRect;
use crate::model::scene::Property;
use crate::registry::Registry;
use crate::session::{Action, Session};
use crate::ui::carry::{self, Item};
use crate::ui::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::{UiState, dialogs};

const WIDTH: f32 = 460.0;
const ROW: f32 = 40.0;
const SHOWN_ROWS: f32 = 9.0;

/// The window.
#[derive(Default)]
pub(super) struct Pick {
    is_wanted: bool,
    open: Option<Open>,
}

#[derive(Default)]
struct Open {
    typed: String,
    hits: Vec<Hit>,
    /// What the hits were found for.
    found_for: Option<(Arc<Registry>, String)>,
    selected: usize,
    shows_selected: bool,
}

/// A sheet or a frame.
struct Hit {
    item: Item,
    /// The path, and the frame's size.
    words: String,
}

impl Pick {
    /// Opens it in the next pass.
    pub(super) fn open(&mut self) {
        self.is_wanted = true;
    }
}

/// Draws it while it is open.
pub(super) fn ui(ui: &Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let UiState { scene, textures, .. } = state;
    let pick = &mut scene.pick;
    if std::mem::take(&mut pick.is_wanted) {
        pick.open = Some(Open::default());
    }
    let Some(open) = &mut pick.open else { return };
    let keys = session.scene().map(|document| document.history.selection().to_vec()).unwrap_or_default();
    let steps = take_steps(ui);
    let modal = dialogs::modal("pick a sprite", ui);
    let shown = modal.show(ui, |ui| {
        dialogs::set_width(ui, WIDTH);
        dialogs::title(ui, "Pick a sprite");
        let field = TextEdit::singleline(&mut open.typed)
            .id_salt("which sprite")
            .desired_width(f32::INFINITY)
            .min_size(vec2(0.0, ROW_HEIGHT))
            .hint_text("Parts of a sheet's path or a frame's name");
        let field = ui.add(field).accessible_name("Find a sprite");
        let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if !field.has_focus() {
            field.request_focus();
        }
        open.find(session);
        open.step(steps);
        ui.add_space(BETWEEN);
        let room = vec2(ui.available_width(), SHOWN_ROWS * ROW);
        let clicked = ui.allocate_ui(room, |ui| open.list(ui, session, textures)).inner;
        clicked.or_else(|| is_entered.then_some(open.selected))
    });
    if let Some(hit) = shown.inner.and_then(|index| open.hits.get(index)) {
        let property = Property::Sprite(hit.item.reference.clone());
        super::push_step(actions, SceneEdit::SetProperty(keys, property));
        pick.open = None;
    } else if shown.should_close() || session.scene().is_none() {
        pick.open = None;
    }
}

/// Rows that arrow keys go by.
fn take_steps(ui: &Ui) -> isize {
    ui.input_mut(|input| {
        let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown) as isize;
        let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp) as isize;
        down - up
    })
}

impl Open {
    /// Finds what was typed, anew when it or the project has changed.
    fn find(&mut self, session: &Session) {
        let Some(open) = session.project() else { return };
        let is_same = |(registry, typed): &(Arc<Registry>, String)| {
            Arc::ptr_eq(registry, &open.registry) && *typed == self.typed
        };
        if self.found_for.as_ref().is_some_and(is_same) {
            return;
        }
        self.found_for = Some((open.registry.clone(), self.typed.clone()));
        let words: Vec<String> = self.typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let fits = |text: &str| words.iter().all(|word| text.contains(word));
        self.hits.clear();
        let root = open.project.assets_prefix();
        for asset in open.registry.assets() {
            let path = asset.path.strip_prefix(root).unwrap_or(&asset.path);
            let text = path.to_lowercase();
            if fits(&text) {
                self.hits
                    .push(Hit { item: Item::of_sheet(asset), words: format!("{path}, the whole sheet") });
            }
            for frame in asset.frames.iter() {
                let item = Item::of_sub_asset(asset, frame);
                if fits(&format!("{text} {}", item.name.to_lowercase())) {
                    let PixelRect { width, height, .. } = frame.rect_in_image;
                    self.hits.push(Hit { item, words: format!("{path}, {width} x {height}") });
                }
            }
        }
        self.selected = 0;
        self.shows_selected = true;
    }

    fn step(&mut self, steps: isize) {
        if steps != 0 && !self.hits.is_empty() {
            let last = self.hits.len() as isize - 1;
            self.selected = (self.selected as isize + steps).clamp(0, last) as usize;
            self.shows_selected = true;
        }
    }

    /// The list; the row that was clicked.
    fn list(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        textures: &mut crate::ui::textures::Textures,
    ) -> Option<usize> {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.set_min_height(SHOWN_ROWS * ROW);
        if self.hits.is_empty() {
            ui.label("No sheet and no frame has a name like that");
            return None;
        }
        let shows_selected = std::mem::take(&mut self.shows_selected);
        let (hits, selected) = (&self.hits, self.selected);
        ScrollArea::vertical()
            .auto_shrink(false)
            .show_rows(ui, ROW, hits.len(), |ui, range| {
                let (rows, _) = ui.allocate_exact_size(
                    vec2(ui.available_width(), range.len() as f32 * ROW),
                    Sense::hover(),
                );
                let rect_of = |index: usize| {
                    let y = (index as f32 - range.start as f32) * ROW;
                    Rect::from_min_size(rows.min + vec2(0.0, y), vec2(rows.width(), ROW))
                };
                if shows_selected {
                    ui.scroll_to_rect(rect_of(selected), None);
                }
                let mut clicked = None;
                for index in range.clone() {
                    if row(ui, rect_of(index), &hits[index], index == selected, session, textures) {
                        clicked = Some(index);
                    }
                }
                clicked
            })
            .inner
    }
}

fn row(
    ui: &Ui,
    rect: Rect,
    hit: &Hit,
    is_selected: bool,
    session: &Session,
    textures: &mut crate::ui::textures::Textures,
) -> bool {
    let source = hit.item.reference.meaningful();
    let response = ui.interact(rect, ui.make_persistent_id(("sprite", source)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_selected, &hit.item.name));
    let palette = theme::palette(ui);
    if is_selected {
        ui.painter().rect(
            rect,
            4.0,
            palette.accent_surface,
            Stroke::new(1.0, palette.accent),
            StrokeKind::Inside,
        );
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, palette.raised);
    }
    let picture = Rect::from_min_size(rect.min, egui::Vec2::splat(ROW)).shrink(INSIDE);
    carry::paint_item(ui.painter(), ui, session, textures, &hit.item, picture);
    let left = picture.right() + BETWEEN;
    let painter = ui.painter_at(rect);
    let body = TextStyle::Body.resolve(ui.style());
    let small = TextStyle::Small.resolve(ui.style());
    let at = |y: f32| egui::pos2(left, rect.top() + y);
    painter.text(at(ROW * 0.32), Align2::LEFT_CENTER, &hit.item.name, body, palette.text);
    painter.text(at(ROW * 0.72), Align2::LEFT_CENTER, &hit.words, small, palette.weak_text);
    response.clicked()
}
