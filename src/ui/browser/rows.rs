//! One row of the browser: a folder, a sheet or a frame; how it looks and what a click on it asks for.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, FontId, Modifiers, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke,
    StrokeKind, TextStyle, TextureHandle, Ui, Vec2, WidgetInfo,
};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_ACCOUNT_TREE, ICON_CHEVRON_RIGHT, ICON_EXPAND_MORE, ICON_FOLDER, ICON_FOLDER_OPEN, ICON_HIDE_IMAGE,
    ICON_IMAGE,
};

use super::files::Asked;
use super::tree::{Kind, Row};
use super::{menus, ready_document};
use crate::geometry::{PixelRect, Size};
use crate::model::{FrameId, Severity};
use crate::registry::{Asset, State};
use crate::session::{
    Action, Bitmap, BitmapKey, Document, Lookup, OpenProject, SceneDocument, Session, Workspace,
};
use crate::ui::carry::{self, Carried, Carry, Item};
use crate::ui::textures::Textures;
use crate::ui::theme::{self, BETWEEN, ICON_SIZE, INSIDE};
use crate::ui::{Hover, widgets};

/// By how much a row is further in than the folder that it is in.
const INDENT: f32 = 14.0;
/// Side of the box that a thumbnail fits in.
const THUMBNAIL: f32 = 22.0;
/// Below this width a reason is not worth showing.
const LEAST_REASON: f32 = 56.0;

/// What rows are drawn from, and what they say.
pub(super) struct RowContext<'a> {
    pub(super) session: &'a Session,
    pub(super) open: &'a OpenProject,
    pub(super) textures: &'a mut Textures,
    pub(super) hover: &'a mut Hover,
    pub(super) carry: &'a mut Carry,
    pub(super) actions: &'a mut Vec<Action>,
    /// What a menu asked for.
    pub(super) asked: Option<Asked>,
    /// The row that has the keyboard.
    pub(super) cursor: Option<(Arc<str>, Kind)>,
}

/// What was clicked of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clicked {
    /// The row itself.
    Row,
    /// What folds it.
    Fold,
}

/// What a row says of a frame.
struct FrameFacts {
    id: FrameId,
    rect_in_image: PixelRect,
    /// The part of it that has pixels.
    drawn: Option<PixelRect>,
    name: Arc<str>,
}

impl RowContext<'_> {
    /// Selects the frame at a position of a sheet.
    pub(super) fn select(&mut self, path: &Arc<str>, index: usize, modifiers: Modifiers) {
        let Some(frame) = frame_facts(self.session, path, index) else { return };
        let mode = widgets::select_mode_in_list(modifiers);
        self.actions.push(Action::Select(path.clone(), frame.id, mode));
    }

    fn texture(&mut self, ui: &Ui, found: Option<(BitmapKey, Lookup<Bitmap>)>) -> Option<TextureHandle> {
        let (key, found) = found?;
        Some(self.textures.get(ui, key, found.shown()?))
    }
}

/// How many frames a sheet has: as it is edited when it is open, else as its file says.
pub(super) fn frame_count(session: &Session, path: &str) -> usize {
    match ready_document(session, path) {
        Some(document) => document.sheet().frames.len(),
        None => session.asset(path).map_or(0, |asset| asset.frames.len()),
    }
}

fn frame_facts(session: &Session, path: &str, index: usize) -> Option<FrameFacts> {
    if let Some(document) = ready_document(session, path) {
        let frame = document.sheet().frames.get(index)?;
        let drawn = frame.drawn_rect(document.image_size);
        return Some(FrameFacts {
            id: frame.id,
            rect_in_image: frame.rect_in_image,
            drawn,
            name: frame.name.clone(),
        });
    }
    let frame = session.asset(path)?.frames.get(index)?;
    let (rect_in_image, name) = (frame.rect_in_image, frame.name.clone());
    Some(FrameFacts { id: frame.id, rect_in_image, drawn: Some(rect_in_image), name })
}

/// Draws a row; what was clicked of it, if anything was.
pub(super) fn ui(ui: &Ui, rect: Rect, row: &Row, context: &mut RowContext<'_>) -> Option<Clicked> {
    let response = ui.interact(
        rect,
        ui.make_persistent_id((&*row.path, kind_number(row.kind))),
        Sense::CLICK | Sense::DRAG,
    );
    carry::from(ui, &response, || carried(row, context));
    match row.kind {
        Kind::Folder => folder(ui, &response, row, context),
        Kind::Sheet => sheet(ui, &response, row, context),
        Kind::Scene => scene(ui, &response, row, context),
        Kind::Frame(index) => frame(ui, &response, row, index, context),
    }
}

/// What goes along when a row is dragged: with a selected frame all selected ones of its sheet.
fn carried(row: &Row, context: &RowContext<'_>) -> Option<Carried> {
    let session = context.session;
    let items = match row.kind {
        Kind::Folder => return Some(Carried::File { what: "A folder", path: row.path.clone() }),
        Kind::Scene => return Some(Carried::File { what: "A scene", path: row.path.clone() }),
        Kind::Sheet => vec![Item::of_sheet(session.asset(&row.path)?)],
        Kind::Frame(index) => {
            let id = frame_facts(session, &row.path, index)?.id;
            let selected = ready_document(session, &row.path).map(|document| document.history.selection());
            let ids =
                selected.filter(|selected| selected.contains(&id)).map_or_else(|| vec![id], <[_]>::to_vec);
            Item::of_frames(session, &row.path, ids)
        }
    };
    let files = if row.kind == Kind::Sheet { vec![row.path.clone()] } else { Vec::new() };
    Some(Carried::Sprites { items, has_ghosts: false, files })
}

/// Tells the rows of one path apart.
fn kind_number(kind: Kind) -> usize {
    match kind {
        Kind::Folder => 0,
        Kind::Sheet => 1,
        Kind::Scene => 2,
        Kind::Frame(index) => 3 + index,
    }
}

fn folder(ui: &Ui, response: &Response, row: &Row, context: &mut RowContext<'_>) -> Option<Clicked> {
    describe(ui, response, row.name(), false, Some(row.is_open));
    let mut line = Line::begin(ui, response, row, context, false);
    line.fold_icon(row.is_open);
    line.icon_in_thumbnail_box(if row.is_open { ICON_FOLDER_OPEN } else { ICON_FOLDER }, line.weak);
    line.text(row.name(), &TextStyle::Body, line.color);
    menus::folder(response, &row.path, context);
    take_files(ui, response, &row.path, context);
    response.clicked().then_some(Clicked::Fold)
}

/// Offers a folder to files that are dragged. Frames are no files: they go on over it as if it were not there.
pub(super) fn take_files(ui: &Ui, place: &Response, folder: &Arc<str>, context: &mut RowContext<'_>) {
    let Some(carried) = carry::carried(ui) else { return };
    if carried.files().is_empty() || carried.files().contains(folder) {
        return;
    }
    let session = context.session;
    let dropped = context.carry.target(ui, place, |carried| {
        let files = carried.files();
        let what = match files {
            [one] => one.rsplit('/').next().unwrap_or(one).to_owned(),
            many => format!("{} files", many.len()),
        };
        let folder_name = super::files::shown_folder(session, folder);
        session.why_no_move(files, folder).map_or_else(|| Ok(format!("Move {what} to {folder_name}")), Err)
    });
    if let Some(dropped) = dropped {
        context.actions.push(Action::MoveAssets(dropped.files().to_vec(), folder.clone()));
    }
}

fn sheet(ui: &Ui, response: &Response, row: &Row, context: &mut RowContext<'_>) -> Option<Clicked> {
    let asset = context.open.registry.asset(&row.path)?;
    let document = context.session.documents().iter().find(|document| document.path == row.path);
    let is_dirty = document.is_some_and(Document::is_dirty);
    let is_current = context.session.current().is_some_and(|document| document.path == row.path);
    let has_frames = frame_count(context.session, &row.path) > 0;
    describe(ui, response, row.name(), is_current, has_frames.then_some(row.is_open));

    let mut line = Line::begin(ui, response, row, context, is_current);
    let is_folded = has_frames && fold_button(ui, &line, row);
    if has_frames {
        line.fold_icon(row.is_open);
    }
    let found = context.session.pictures().thumbnail(asset, &context.open.project);
    let texture = context.texture(ui, found);
    line.thumbnail(texture.as_ref(), missing_icon(asset.state));
    if asset.state != State::UpToDate {
        let (icon, _, color) = widgets::state_look(ui, asset.state);
        line.icon_at_end(icon, color);
    }
    line.text(row.name(), &TextStyle::Body, line.color);
    if is_dirty {
        line.dot();
    }
    if let Some(reason) = failure(asset).filter(|_| line.room() >= LEAST_REASON) {
        line.text(reason, &TextStyle::Small, theme::palette(ui).error);
    }
    menus::sheet(response, asset, context);
    let is_clicked = response.clicked();
    if is_clicked && !is_folded {
        context.actions.push(Action::OpenSheet(row.path.clone()));
    }
    response.clone().on_hover_ui(|ui| {
        ui.label(sheet_words(asset, context.session.uses_of_sheet(asset.guid).len(), is_dirty));
    });
    if is_folded { Some(Clicked::Fold) } else { is_clicked.then_some(Clicked::Row) }
}

fn scene(ui: &Ui, response: &Response, row: &Row, context: &mut RowContext<'_>) -> Option<Clicked> {
    let document = context.session.scenes().iter().find(|document| document.path == row.path);
    let is_dirty = document.is_some_and(SceneDocument::is_dirty);
    let is_current = context.session.workspace() == Workspace::Scene
        && context.session.scene().is_some_and(|document| document.path == row.path);
    describe(ui, response, row.name(), is_current, None);
    let is_readable = context.open.registry.referrer(&row.path).is_none_or(|scene| scene.is_readable);
    let mut line = Line::begin(ui, response, row, context, is_current);
    line.icon_in_thumbnail_box(ICON_ACCOUNT_TREE, line.weak);
    if !is_readable {
        let (icon, _, color) = widgets::state_look(ui, State::Failed);
        line.icon_at_end(icon, color);
    }
    line.text(row.name(), &TextStyle::Body, line.color);
    if is_dirty {
        line.dot();
    }
    menus::scene(response, &row.path, context);
    if response.clicked() {
        context.actions.push(Action::OpenScene(row.path.clone()));
    }
    response.clicked().then_some(Clicked::Row)
}

fn frame(
    ui: &Ui,
    response: &Response,
    row: &Row,
    index: usize,
    context: &mut RowContext<'_>,
) -> Option<Clicked> {
    let facts = frame_facts(context.session, &row.path, index)?;
    let selected = ready_document(context.session, &row.path).map(|document| document.history.selection());
    let is_selected = selected.is_some_and(|selection| selection.contains(&facts.id));
    describe(ui, response, &format!("{} frame {index}", row.name()), is_selected, None);
    if response.hovered() {
        context.hover.set(&row.path, facts.id);
    }
    let is_hovered = context.hover.of_sheet(&row.path) == Some(facts.id);

    let mut line = Line::begin(ui, response, row, context, is_selected);
    if is_hovered && !is_selected {
        line.fill(theme::palette(ui).raised);
    }
    let asset = context.open.registry.asset(&row.path);
    let found = asset
        .zip(facts.drawn)
        .and_then(|(asset, part)| context.session.pictures().part(asset, part, &context.open.project));
    let texture = context.texture(ui, found);
    line.thumbnail(texture.as_ref(), ICON_IMAGE);
    // As wide as the last one's, so that what follows lines up.
    let digits = frame_count(context.session, &row.path).saturating_sub(1).to_string().len();
    line.text(&format!("{index:>digits$}"), &TextStyle::Monospace, line.weak);
    if facts.name.is_empty() {
        let PixelRect { width, height, .. } = facts.rect_in_image;
        line.text(&format!("{width} x {height}"), &TextStyle::Small, line.weak);
    } else {
        line.text(&facts.name, &TextStyle::Body, line.color);
    }
    if let Some(guid) = asset.map(|asset| frame_guid(context.session, asset, index, facts.id)) {
        let uses = context.session.use_count(guid);
        if uses > 0 {
            line.text(&format!("used {uses}×"), &TextStyle::Small, line.weak);
        }
        menus::frame(response, &row.path, (facts.id, guid), context);
    }
    response.clicked().then(|| {
        context.select(&row.path, index, ui.input(|input| input.modifiers));
        Clicked::Row
    })
}

fn frame_guid(session: &Session, asset: &Asset, index: usize, id: FrameId) -> crate::guid::Guid {
    let edited = ready_document(session, &asset.path).and_then(|document| document.sheet().frames.get(index));
    let known = asset.frames.iter().find(|frame| frame.id == id);
    match (edited, known) {
        (Some(frame), _) => frame.guid(asset.guid),
        (None, Some(frame)) => frame.guid,
        (None, None) => crate::guid::Guid::for_frame(asset.guid, id.0),
    }
}

/// Why an asset failed: the first of its errors.
fn failure(asset: &Asset) -> Option<&str> {
    let errors = asset.problems.iter().filter(|problem| problem.severity == Severity::Error);
    (asset.state == State::Failed).then(|| errors.map(|problem| problem.message.as_str()).next()).flatten()
}

/// What the pointer is told of a sheet.
fn sheet_words(asset: &Asset, uses: usize, is_dirty: bool) -> String {
    let mut lines = vec![asset.path.to_string()];
    if let Some(image) = &asset.image {
        let frames = widgets::count_text(asset.frames.len(), "frame");
        lines.push(format!("{}, {frames}", widgets::pixel_size_text(image.size)));
    }
    lines.extend(match asset.state {
        State::UpToDate => None,
        State::Importing => Some("Importing: its texture is being made".to_owned()),
        State::Failed => Some(format!("Failed: {}", failure(asset).unwrap_or("see the list of problems"))),
        State::Stale => Some("Stale: its import was cancelled. Reimport makes its texture anew".to_owned()),
        State::Missing => Some("Missing: its file is gone. The last good texture is shown".to_owned()),
    });
    lines.push(match uses {
        0 => "No scene uses it".to_owned(),
        uses => format!("Used at {}", widgets::count_text(uses, "place")),
    });
    if is_dirty {
        lines.push("Has unsaved changes".to_owned());
    }
    lines.join("\n")
}

fn missing_icon(state: State) -> MaterialIcon {
    if matches!(state, State::Failed | State::Missing) { ICON_HIDE_IMAGE } else { ICON_IMAGE }
}

/// Tells screen readers what a row is.
fn describe(ui: &Ui, response: &Response, name: &str, is_selected: bool, is_open: Option<bool>) {
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_selected, name));
    if let Some(is_open) = is_open {
        ui.accesskit_node_builder(response.id, |node| node.set_expanded(is_open));
    }
}

/// The part of a sheet's row that unfolds its frames; whether it was clicked.
fn fold_button(ui: &Ui, line: &Line<'_>, row: &Row) -> bool {
    let rect =
        Rect::from_center_size(line.at + Vec2::new(ICON_SIZE / 2.0, 0.0), Vec2::splat(line.rect.height()));
    let button = ui.interact(rect, ui.make_persistent_id((&*row.path, "fold")), Sense::CLICK);
    let name = format!("Frames of {}", row.name());
    button.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, row.is_open, &name));
    let name = if row.is_open { "Hide frames" } else { "Show frames" };
    button.on_hover_text(name).clicked()
}

/// A row that is filled from the left.
struct Line<'a> {
    ui: &'a Ui,
    painter: &'a Painter,
    rect: Rect,
    /// Middle of the left edge of what comes next.
    at: Pos2,
    /// Where the room for text ends.
    end: f32,
    color: Color32,
    weak: Color32,
}

impl<'a> Line<'a> {
    /// Paints what is behind the row.
    fn begin(
        ui: &'a Ui,
        response: &Response,
        row: &Row,
        context: &RowContext<'_>,
        is_selected: bool,
    ) -> Self {
        let palette = theme::palette(ui);
        let rect = response.rect;
        let indent = INSIDE + f32::from(row.depth) * INDENT;
        let mut line = Self {
            ui,
            painter: ui.painter(),
            rect,
            at: rect.left_center() + Vec2::new(indent, 0.0),
            end: rect.right() - INSIDE,
            color: palette.text,
            weak: palette.weak_text,
        };
        if is_selected {
            line.fill(palette.accent_surface);
            line.weak = palette.text;
        } else if response.hovered() || response.context_menu_opened() {
            line.fill(palette.raised);
        }
        if context.cursor.as_ref().is_some_and(|(path, kind)| row.identity() == (path, *kind)) {
            line.painter.rect_stroke(rect, 4.0, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
        }
        line
    }

    fn fill(&self, color: Color32) {
        self.painter.rect_filled(self.rect, 4.0, color);
    }

    /// Leaves the place of the fold icon free also when there is none.
    fn fold_icon(&self, is_open: bool) {
        let icon = if is_open { ICON_EXPAND_MORE } else { ICON_CHEVRON_RIGHT };
        self.icon(self.at + Vec2::new(ICON_SIZE / 2.0, 0.0), icon, self.weak);
    }

    fn icon(&self, center: Pos2, icon: MaterialIcon, color: Color32) {
        let font = FontId::new(ICON_SIZE, icon.font_family());
        self.painter.text(center, Align2::CENTER_CENTER, icon.codepoint, font, color);
    }

    fn thumbnail_box(&mut self) -> Rect {
        self.at.x += ICON_SIZE + 2.0;
        let rect = Rect::from_min_size(self.at - Vec2::new(0.0, THUMBNAIL / 2.0), Vec2::splat(THUMBNAIL));
        self.at.x += THUMBNAIL + 6.0;
        rect
    }

    fn icon_in_thumbnail_box(&mut self, icon: MaterialIcon, color: Color32) {
        let rect = self.thumbnail_box();
        self.icon(rect.center(), icon, color);
    }

    /// A picture on the checkerboard, or an icon where there is none.
    fn thumbnail(&mut self, texture: Option<&TextureHandle>, instead: MaterialIcon) {
        let Some(texture) = texture else {
            self.icon_in_thumbnail_box(instead, self.weak);
            return;
        };
        let [width, height] = texture.size();
        let rect = fitted(self.thumbnail_box(), Size::new(width as u32, height as u32));
        widgets::paint_checker(self.painter, rect, self.ui);
        let uv = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        self.painter.add(Shape::image(texture.id(), rect, uv, Color32::WHITE));
    }

    fn icon_at_end(&mut self, icon: MaterialIcon, color: Color32) {
        self.icon(Pos2::new(self.end - ICON_SIZE / 2.0, self.at.y), icon, color);
        self.end -= ICON_SIZE + INSIDE;
    }

    fn room(&self) -> f32 {
        self.end - self.at.x
    }

    /// Text that is cut when there is no room for it.
    fn text(&mut self, text: &str, style: &TextStyle, color: Color32) {
        let mut job = LayoutJob::simple_singleline(text.to_owned(), style.resolve(self.ui.style()), color);
        job.wrap = TextWrapping::truncate_at_width(self.room().max(0.0));
        let galley = self.painter.layout_job(job);
        let size = galley.size();
        self.painter.galley(self.at - Vec2::new(0.0, size.y / 2.0), galley, color);
        self.at.x += size.x + BETWEEN;
    }

    /// Says that there are unsaved changes.
    fn dot(&mut self) {
        self.painter.circle_filled(self.at - Vec2::new(1.0, 0.0), 3.0, self.color);
        self.at.x += BETWEEN;
    }
}

/// The largest rectangle with the proportions of `size` in the middle of `area`, not larger than `size` itself.
fn fitted(area: Rect, size: Size) -> Rect {
    let wanted = Vec2::new(size.width as f32, size.height as f32);
    let scale = (area.width() / wanted.x).min(area.height() / wanted.y).min(1.0);
    Rect::from_center_size(area.center(), (wanted * scale).max(Vec2::splat(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::Guid;
    use crate::model::{Code, Problem};
    use crate::registry::ImageFacts;

    fn asset(state: State) -> Asset {
        Asset {
            path: "assets/bat.png".into(),
            guid: Guid::random(),
            guid_is_provisional: false,
            state,
            image: Some(ImageFacts {
                size: Size::new(64, 32),
                hash: crate::hash::ContentHash::of(b""),
                file_bytes: 9,
                has_alpha: None,
                color: "RGBA, 8 bit".into(),
            }),
            texture: None,
            frames: [].into(),
            findings: Arc::default(),
            problems: [
                Problem::new(Code::LeftoverPixels, "assets/bat.png", "8 px left over"),
                Problem::new(Code::ImageDamaged, "assets/bat.png", "The image ends in the middle"),
            ]
            .into(),
        }
    }

    #[test]
    fn a_failed_sheet_says_its_first_error_and_others_their_state() {
        let failed = sheet_words(&asset(State::Failed), 2, true);
        assert_eq!(
            failed,
            "assets/bat.png\n64 x 32 px, 0 frames\nFailed: The image ends in the middle\nUsed at 2 places\n\
             Has unsaved changes"
        );
        assert_eq!(failure(&asset(State::UpToDate)), None);
        assert_eq!(
            sheet_words(&asset(State::UpToDate), 0, false),
            "assets/bat.png\n64 x 32 px, 0 frames\nNo scene uses it"
        );
    }

    #[test]
    fn thumbnails_keep_their_proportions_and_small_pictures_their_size() {
        let area = Rect::from_min_size(Pos2::new(10.0, 10.0), Vec2::splat(22.0));
        assert_eq!(fitted(area, Size::new(88, 44)).size(), Vec2::new(22.0, 11.0));
        assert_eq!(fitted(area, Size::new(8, 8)), Rect::from_center_size(area.center(), Vec2::splat(8.0)));
        assert_eq!(fitted(area, Size::new(1000, 1)).size(), Vec2::new(22.0, 1.0));
    }
}
