//! The tabs of the open sheets and scenes.

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align2, Color32, FontId, Id, Pos2, Rect, Response, Role, ScrollArea, Sense, TextStyle, Ui, Vec2,
    WidgetInfo,
};
use egui_material_icons::icons::{ICON_ACCOUNT_TREE, ICON_CLOSE, ICON_ERROR};

use super::theme::{self, BETWEEN, ICON_SIZE, INSIDE, Palette};
use crate::registry::State;
use crate::session::{Action, Document, Load, Session, Workspace};

const TAB_HEIGHT: f32 = 30.0;
const CLOSE_SIZE: f32 = 20.0;
const DOT_RADIUS: f32 = 3.0;
const MARK_HEIGHT: f32 = 2.0;
const MAX_NAME_WIDTH: f32 = 240.0;

/// What a tab is made of.
struct Tab<'a> {
    path: &'a Arc<str>,
    is_scene: bool,
    is_dirty: bool,
    /// Whether its file or its texture failed.
    is_failed: bool,
    /// Why it cannot be read.
    why: Option<&'a str>,
}

impl Tab<'_> {
    fn name(&self) -> &str {
        split(self.path).1
    }

    fn open(&self) -> Action {
        if self.is_scene {
            Action::OpenScene(self.path.clone())
        } else {
            Action::ShowSheet(self.path.clone())
        }
    }
}

/// The open documents: sheets, then scenes.
fn tabs(session: &Session) -> Vec<Tab<'_>> {
    fn why(load: &Load) -> Option<&str> {
        match load {
            Load::Failed(why) => Some(why),
            Load::Loading | Load::Ready => None,
        }
    }
    let sheets = session.documents().iter().map(|document| Tab {
        path: &document.path,
        is_scene: false,
        is_dirty: document.is_dirty(),
        is_failed: is_failed(session, document),
        why: why(&document.load),
    });
    let scenes = session.scenes().iter().map(|document| Tab {
        path: &document.path,
        is_scene: true,
        is_dirty: document.is_dirty(),
        is_failed: why(&document.load).is_some(),
        why: why(&document.load),
    });
    sheets.chain(scenes).collect()
}

/// The bar of tabs over the canvas.
pub fn ui(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let tabs = tabs(session);
    let paths: Vec<&str> = tabs.iter().map(|tab| tab.path.as_ref()).collect();
    let labels = labels(&paths);
    let current = match session.workspace() {
        Workspace::Slice => session.current().map(|document| &document.path),
        Workspace::Scene => session.scene().map(|document| &document.path),
    };
    let has_moved = note_current(ui, current);
    ui.style_mut().always_scroll_the_only_direction = true;
    ScrollArea::horizontal().id_salt("tabs").show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 1.0;
            for (tab, label) in tabs.iter().zip(&labels) {
                let is_current = current == Some(tab.path);
                let response = show(ui, tab, label, is_current, actions);
                if is_current && has_moved {
                    response.scroll_to_me(None);
                }
            }
        });
    });
}

/// Whether another sheet is shown than in the last pass.
fn note_current(ui: &Ui, current: Option<&Arc<str>>) -> bool {
    let id = Id::unique("tab that was shown");
    let last: Option<Arc<str>> = ui.data(|data| data.get_temp(id));
    if let Some(current) = current.filter(|current| last.as_ref() != Some(current)) {
        ui.data_mut(|data| data.insert_temp(id, current.clone()));
        return true;
    }
    false
}

/// What a tab says: the file's name, and its folder where another tab has the same name.
#[derive(Debug, PartialEq, Eq)]
struct TabLabel {
    name: String,
    folder: Option<String>,
}

fn labels(paths: &[&str]) -> Vec<TabLabel> {
    paths.iter().map(|path| label(path, paths)).collect()
}

fn label(path: &str, all: &[&str]) -> TabLabel {
    let (folder, name) = split(path);
    let same_name: Vec<_> = all.iter().map(|path| split(path)).filter(|(_, other)| *other == name).collect();
    if same_name.len() == 1 || folder.is_empty() {
        return TabLabel { name: name.to_owned(), folder: None };
    }
    let short = last_part(folder);
    let is_clear = same_name.iter().filter(|(other, _)| last_part(other) == short).count() == 1;
    TabLabel { name: name.to_owned(), folder: Some(if is_clear { short } else { folder }.to_owned()) }
}

/// Folder and file name.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn last_part(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

fn is_failed(session: &Session, document: &Document) -> bool {
    let state = session.asset(&document.path).map(|asset| asset.state);
    matches!(document.load, Load::Failed(_)) || matches!(state, Some(State::Failed | State::Missing))
}

fn show(
    ui: &mut Ui,
    tab: &Tab<'_>,
    label: &TabLabel,
    is_current: bool,
    actions: &mut Vec<Action>,
) -> Response {
    let palette = theme::palette(ui);
    let color = if is_current { palette.text } else { palette.weak_text };
    let name = cut_text(ui, &label.name, &TextStyle::Body, color);
    let folder =
        label.folder.as_ref().map(|folder| cut_text(ui, folder, &TextStyle::Small, palette.weak_text));
    let icon = match (tab.is_failed, tab.is_scene) {
        (true, _) => Some((ICON_ERROR, palette.error)),
        (false, true) => Some((ICON_ACCOUNT_TREE, palette.weak_text)),
        (false, false) => None,
    };
    let folder_width = folder.as_ref().map_or(0.0, |folder| folder.size().x + INSIDE);
    let icon_width = if icon.is_some() { ICON_SIZE + INSIDE } else { 0.0 };
    let width = BETWEEN + icon_width + name.size().x + folder_width + BETWEEN + CLOSE_SIZE + INSIDE;
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, TAB_HEIGHT), Sense::click());
    paint_back(ui, rect, &response, is_current, palette);

    let mut left = Pos2::new(rect.left() + BETWEEN, rect.center().y);
    if let Some((icon, color)) = icon {
        let font = FontId::new(ICON_SIZE, icon.font_family());
        ui.painter().text(left, Align2::LEFT_CENTER, icon.codepoint, font, color);
        left.x += icon_width;
    }
    for galley in std::iter::once(name).chain(folder) {
        let size = galley.size();
        ui.painter().galley(Pos2::new(left.x, left.y - size.y / 2.0), galley, color);
        left.x += size.x + INSIDE;
    }

    let response = answer(ui, response, tab, label, is_current, actions);
    close_button(ui, rect, &response, tab, actions);
    response
}

fn cut_text(ui: &Ui, text: &str, style: &TextStyle, color: Color32) -> Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), style.resolve(ui.style()), color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(MAX_NAME_WIDTH);
    ui.painter().layout_job(job)
}

fn paint_back(ui: &Ui, rect: Rect, response: &Response, is_current: bool, palette: &Palette) {
    let fill = match (is_current, response.hovered() || response.has_focus()) {
        (true, _) => palette.canvas,
        (false, true) => palette.control,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    if is_current {
        let mark = Rect::from_min_size(rect.min, Vec2::new(rect.width(), MARK_HEIGHT));
        ui.painter().rect_filled(mark, 0.0, palette.accent);
    }
}

fn answer(
    ui: &Ui,
    response: Response,
    tab: &Tab<'_>,
    label: &TabLabel,
    is_current: bool,
    actions: &mut Vec<Action>,
) -> Response {
    let unsaved = if tab.is_dirty { ", unsaved changes" } else { "" };
    let folder = label.folder.as_ref().map(|folder| format!(" ({folder})")).unwrap_or_default();
    let text = format!("{}{folder}{unsaved}", label.name);
    response.widget_info(|| WidgetInfo::selected(Role::Tab, ui.is_enabled(), is_current, &text));
    let path = tab.path;
    if response.clicked() {
        actions.push(tab.open());
    }
    if response.middle_clicked() {
        actions.push(Action::Close(path.clone()));
    }
    response.context_menu(|ui| {
        if ui.button("Close").clicked() {
            actions.push(Action::Close(path.clone()));
        }
        if ui.button("Show in file manager").clicked() {
            actions.push(Action::RevealFile(path.clone()));
        }
        if ui.button("Copy path").clicked() {
            actions.push(Action::CopyText(path.to_string()));
        }
    });
    let tooltip = match tab.why {
        Some(why) => format!("{path}\n{why}"),
        None if tab.is_dirty => format!("{path}\nUnsaved changes"),
        None => path.to_string(),
    };
    response.on_hover_text(tooltip)
}

/// The cross; of an unsaved document a dot, until the pointer is at it.
fn close_button(ui: &Ui, bounds: Rect, tab_response: &Response, tab: &Tab<'_>, actions: &mut Vec<Action>) {
    let center = Pos2::new(bounds.right() - INSIDE - CLOSE_SIZE / 2.0, bounds.center().y);
    let rect = Rect::from_center_size(center, Vec2::splat(CLOSE_SIZE));
    let response = ui.interact(rect, tab_response.id.with("close"), Sense::click());
    let name = format!("Close {}", tab.name());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &name));
    let palette = theme::palette(ui);
    let is_near = response.hovered() || response.has_focus();
    if is_near {
        ui.painter().rect_filled(rect, 4.0, palette.hovered);
    }
    if tab.is_dirty && !is_near {
        ui.painter().circle_filled(center, DOT_RADIUS, palette.text);
    } else {
        let color = if is_near { palette.text } else { palette.weak_text };
        let font = FontId::new(ICON_SIZE - 2.0, ICON_CLOSE.font_family());
        ui.painter().text(center, Align2::CENTER_CENTER, ICON_CLOSE.codepoint, font, color);
    }
    if response.on_hover_text(name).clicked() {
        actions.push(Action::Close(tab.path.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(paths: &[&str]) -> Vec<(String, Option<String>)> {
        labels(paths).into_iter().map(|label| (label.name, label.folder)).collect()
    }

    fn said(name: &str, folder: Option<&str>) -> (String, Option<String>) {
        (name.to_owned(), folder.map(str::to_owned))
    }

    #[test]
    fn a_name_that_only_one_sheet_has_stands_alone() {
        assert_eq!(shown(&["assets/a.png", "b.png"]), [said("a.png", None), said("b.png", None)]);
    }

    #[test]
    fn sheets_of_the_same_name_say_their_folder() {
        assert_eq!(
            shown(&["assets/hero/walk.png", "assets/foe/walk.png", "walk.png"]),
            [said("walk.png", Some("hero")), said("walk.png", Some("foe")), said("walk.png", None)]
        );
    }

    #[test]
    fn folders_of_the_same_name_are_said_in_full() {
        assert_eq!(
            shown(&["a/x/p.png", "b/x/p.png"]),
            [said("p.png", Some("a/x")), said("p.png", Some("b/x"))]
        );
    }
}
