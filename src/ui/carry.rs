//! Frames, sheets and files that are dragged from one place to another: what is on its way, who would take it, and what that
//! would do.
//!
//! Whoever takes things calls [`Carry::target`]: it is outlined while something is on its way, says under the pointer
//! what a release would do, or why it would do nothing, and gets what was let go over it. Escape ends a drag.

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align2, Color32, CursorIcon, DragAndDrop, Id, LayerId, Order, Pos2, Rect, Response, Shape, Stroke,
    StrokeKind, TextStyle, Ui, Vec2, vec2,
};

use super::textures::Textures;
use super::theme;
use crate::geometry::PixelRect;
use crate::guid::Guid;
use crate::model::FrameId;
use crate::model::scene::AssetRef;
use crate::registry::{Asset, SubAsset};
use crate::session::Session;

/// Side of a picture under the pointer.
const GHOST_SIDE: f32 = 48.0;
/// From one picture under the pointer to the next.
const GHOST_STEP: f32 = 6.0;
/// More pictures under the pointer are only counted.
const MAX_GHOSTS: usize = 3;

/// Something that is dragged.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What a field would be set to.
    pub reference: AssetRef,
    /// What it is called: "player / 2".
    pub name: String,
    /// The sheet's path.
    pub path: Arc<str>,
    /// The frame's pixels in the image; the whole sheet without.
    pub part: Option<PixelRect>,
}

impl Item {
    /// A frame of a sheet, as it is edited when the sheet is open.
    pub fn of_frame(session: &Session, path: &Arc<str>, id: FrameId) -> Option<Self> {
        let asset = session.asset(path)?;
        let document =
            session.documents().iter().find(|document| document.path == *path && document.is_ready());
        let Some(document) = document else {
            return asset
                .frames
                .iter()
                .find(|frame| frame.id == id)
                .map(|frame| Self::of_sub_asset(asset, frame));
        };
        let index = document.sheet().index_of(id)?;
        let frame = document.sheet().frames.get(index)?;
        let part = frame.drawn_rect(document.image_size);
        Some(Self::frame(asset, frame.guid(asset.guid), index, &frame.name, part))
    }

    /// Those of these frames of a sheet that are there.
    pub fn of_frames(
        session: &Session,
        path: &Arc<str>,
        ids: impl IntoIterator<Item = FrameId>,
    ) -> Vec<Self> {
        ids.into_iter().filter_map(|id| Self::of_frame(session, path, id)).collect()
    }

    /// A frame of a sheet as its file has it.
    pub fn of_sub_asset(asset: &Asset, frame: &SubAsset) -> Self {
        Self::frame(asset, frame.guid, frame.index as usize, &frame.name, Some(frame.rect_in_image))
    }

    fn frame(asset: &Asset, guid: Guid, index: usize, name: &str, part: Option<PixelRect>) -> Self {
        let sheet = asset.stem();
        let name = if name.is_empty() { format!("{sheet} / {index}") } else { format!("{sheet} / {name}") };
        let reference = AssetRef { guid: asset.guid.to_string().into(), source: guid.to_string().into() };
        Self { reference, name, path: asset.path.clone(), part }
    }

    /// A whole sheet.
    pub fn of_sheet(asset: &Asset) -> Self {
        let reference = AssetRef { guid: asset.guid.to_string().into(), source: "".into() };
        Self { reference, name: asset.stem().to_owned(), path: asset.path.clone(), part: None }
    }
}

/// What is on its way.
#[derive(Debug, Clone, PartialEq)]
pub enum Carried {
    /// Frames or sheets.
    Sprites {
        /// In the order in which they lie.
        items: Vec<Item>,
        /// Whether their pictures are drawn by whoever began the drag.
        has_ghosts: bool,
        /// The paths of whole sheets, which folders take; none for frames.
        files: Vec<Arc<str>>,
    },
    /// Something that only folders take.
    File {
        /// What it is, in words with their article.
        what: &'static str,
        /// Its path.
        path: Arc<str>,
    },
}

impl Carried {
    /// The frames or sheets, or why there are none.
    pub fn sprites(&self) -> Result<&[Item], String> {
        match self {
            Self::Sprites { items, .. } if items.is_empty() => Err("Nothing is dragged".to_owned()),
            Self::Sprites { items, .. } => Ok(items),
            Self::File { what, .. } => Err(format!("{what} is no sprite: drag a frame or a sheet")),
        }
    }

    /// What a folder would take; nothing of frames.
    pub fn files(&self) -> &[Arc<str>] {
        match self {
            Self::Sprites { files, .. } => files,
            Self::File { path, .. } => std::slice::from_ref(path),
        }
    }
}

/// Begins a drag of something, or goes on with it, while a response is dragged.
pub fn from(ui: &Ui, response: &Response, carried: impl FnOnce() -> Option<Carried>) {
    if response.drag_started_by(egui::PointerButton::Primary)
        && let Some(carried) = carried()
    {
        DragAndDrop::set_payload(ui, carried);
    }
}

/// What is on its way, if anything is.
pub fn carried(ctx: &egui::Context) -> Option<Arc<Carried>> {
    DragAndDrop::payload::<Carried>(ctx)
}

/// What a release would do.
struct Offer {
    is_taken: bool,
    words: String,
}

/// What the panels say to what is on its way, gathered in a pass.
#[derive(Default)]
pub struct Carry {
    offer: Option<Offer>,
}

impl Carry {
    /// Offers a place to what is on its way. `answer` says what a release there would do, or why nothing. What was let
    /// go there, once.
    pub fn target(
        &mut self,
        ui: &Ui,
        place: &Response,
        answer: impl FnOnce(&Carried) -> Result<String, String>,
    ) -> Option<Arc<Carried>> {
        let carried = carried(ui)?;
        let answer = answer(&carried);
        let is_at = place.contains_pointer();
        outline(ui, place.rect, [answer.is_ok(), is_at]);
        if !is_at {
            return None;
        }
        let is_taken = answer.is_ok();
        let words = answer.unwrap_or_else(|why| why);
        ui.set_cursor_icon(if is_taken { CursorIcon::Copy } else { CursorIcon::NotAllowed });
        self.offer = Some(Offer { is_taken, words });
        // A refused thing is let go all the same: nobody else may take it.
        place.dnd_release_payload::<Carried>().filter(|_| is_taken)
    }

    /// Draws what is on its way under the pointer, with what a release would do. The last thing in a pass.
    pub fn ui(&mut self, ui: &Ui, session: &Session, textures: &mut Textures) {
        let offer = self.offer.take();
        let Some(carried) = carried(ui) else { return };
        let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else { return };
        let painter = ui.layer_painter(LayerId::new(Order::Tooltip, Id::unique("what is dragged")));
        let palette = theme::palette(ui);
        let room = ui.content_rect().max - Vec2::splat(GHOST_SIDE + GHOST_STEP * MAX_GHOSTS as f32);
        let corner = (pointer + Vec2::splat(10.0)).min(room);
        let mut below = corner;
        if let Carried::Sprites { items, has_ghosts, .. } = &*carried {
            let shown = items.len().min(MAX_GHOSTS);
            // The first one lies on top.
            for (index, item) in items.iter().enumerate().take(shown).rev() {
                let at = corner + Vec2::splat(GHOST_STEP * index as f32);
                let rect = Rect::from_min_size(at, Vec2::splat(GHOST_SIDE));
                if !has_ghosts {
                    let line = Stroke::new(1.0, palette.accent);
                    painter.rect(rect, 4.0, palette.accent_surface, line, StrokeKind::Inside);
                    paint_item(&painter, ui, session, textures, item, rect.shrink(4.0));
                }
            }
            below += vec2(0.0, GHOST_SIDE + GHOST_STEP * (shown.max(1) - 1) as f32 + 2.0);
        }
        let words = match (&offer, &*carried) {
            (Some(offer), _) => offer.words.clone(),
            (None, Carried::Sprites { items, .. }) if items.len() == 1 => items[0].name.clone(),
            (None, Carried::Sprites { items, .. }) => format!("{} sprites", items.len()),
            (None, Carried::File { path, .. }) => path.rsplit('/').next().unwrap_or(path).to_owned(),
        };
        let is_refused = offer.is_some_and(|offer| !offer.is_taken);
        plate(ui, &painter, below, &words, is_refused);
    }
}

/// Every place that would take it, and the one under the pointer more so.
fn outline(ui: &Ui, rect: Rect, [is_taken, is_at]: [bool; 2]) {
    let palette = theme::palette(ui);
    let color = match (is_taken, is_at) {
        (true, _) => palette.accent,
        (false, true) => palette.error,
        (false, false) => return,
    };
    let width = if is_at { 2.0 } else { 1.0 };
    let layer = LayerId::new(Order::Foreground, Id::unique("places to drop at"));
    let painter = ui.layer_painter(layer).with_clip_rect(ui.clip_rect());
    painter.rect_stroke(rect, 4.0, Stroke::new(width, color), StrokeKind::Inside);
}

fn plate(ui: &Ui, painter: &egui::Painter, corner: Pos2, words: &str, is_refused: bool) {
    let palette = theme::palette(ui);
    let font = TextStyle::Small.resolve(ui.style());
    let color = if is_refused { palette.error } else { palette.on_plate };
    let galley = painter.layout_no_wrap(words.to_owned(), font, color);
    let size = galley.size() + vec2(8.0, 4.0);
    let corner = corner.min(ui.content_rect().max - size);
    let plate = Rect::from_min_size(corner, size);
    painter.rect_filled(plate, 3.0, palette.plate);
    painter.galley(Align2::CENTER_CENTER.align_size_within_rect(galley.size(), plate).min, galley, color);
}

/// The picture of a frame or sheet, as its texture has it, in the middle of a box and no larger than it.
pub fn paint_item(
    painter: &egui::Painter,
    ctx: &egui::Context,
    session: &Session,
    textures: &mut Textures,
    item: &Item,
    area: Rect,
) {
    let (Some(open), Some(asset)) = (session.project(), session.asset(&item.path)) else { return };
    let found = match item.part {
        Some(part) => session.pictures().part(asset, part, &open.project),
        None => session.pictures().thumbnail(asset, &open.project),
    };
    let Some((key, found)) = found else { return };
    let Some(bitmap) = found.shown() else { return };
    let texture = textures.get(ctx, key, bitmap);
    paint_fitted(painter, &texture, area);
}

/// A texture in the middle of a box, enlarged by whole numbers, or smaller where it must be.
pub fn paint_fitted(painter: &egui::Painter, texture: &egui::TextureHandle, area: Rect) {
    let size = texture.size_vec2();
    let fits = (area.width() / size.x).min(area.height() / size.y);
    let zoom = if fits >= 1.0 { fits.floor() } else { fits };
    let rect = Align2::CENTER_CENTER.align_size_within_rect(size * zoom, area);
    let uv = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
    painter.add(Shape::image(texture.id(), rect, uv, Color32::WHITE));
}
