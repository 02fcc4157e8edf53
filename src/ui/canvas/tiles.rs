//! Pictures of images on the graphics card: tiles are uploaded a few at a time, and until the right one is there,
//! a finer or coarser one is drawn in its place.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use eframe::egui;
use egui::{
    Color32, Context, Mesh, Painter, Pos2, Rect, Shape, TextureFilter, TextureHandle, TextureOptions, pos2,
};

use crate::geometry::{PixelRect, Size};
use crate::session::source_picture::TILE_SIDE;
use crate::session::{Pictures, Session, TileKey, Tiled};
use crate::ui::textures::color_image;

/// Tiles on the card at most, 1 MiB each; what is drawn now is never let go.
const MAX_TILES: usize = 192;
/// Uploads in one pass; more would be felt.
const UPLOADS_PER_PASS: usize = 4;
/// How many levels finer a stand-in may be: each takes four times the tiles.
const FINER_LEVELS: u8 = 2;

/// Crisp when pixels are magnified, even when they are not.
const FILTER: TextureOptions = TextureOptions {
    magnification: TextureFilter::Nearest,
    minification: TextureFilter::Linear,
    ..TextureOptions::NEAREST
};

/// Draws a part of a picture, in its own pixels, over a part of the screen, in points. Whether all of it was
/// there; when not, the window is repainted as tiles arrive.
pub fn paint_region<T: Tiled + 'static>(
    painter: &Painter,
    tiles: &mut Tiles,
    picture: &Arc<T>,
    rect_in_picture: PixelRect,
    rect_on_screen: Rect,
    session: &Session,
) -> bool {
    let mapping = Mapping::between(rect_in_picture, rect_on_screen);
    tiles.paint(painter, session.pictures(), &as_tiled(picture), rect_in_picture, &mapping, Color32::WHITE)
}

/// A picture of any kind, for what is the same for all.
pub(super) fn as_tiled<T: Tiled + 'static>(picture: &Arc<T>) -> Arc<dyn Tiled> {
    picture.clone()
}

/// From image pixels to points of the screen, along each axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mapping {
    /// The screen point of the image's top left corner.
    pub(super) origin: [f64; 2],
    /// Points per image pixel.
    pub(super) scale: [f64; 2],
}

impl Mapping {
    fn between(rect_in_image: PixelRect, rect_on_screen: Rect) -> Self {
        let along = |at: i32, length: i32, start: f32, room: f32| {
            let scale = f64::from(room) / f64::from(length.max(1));
            (f64::from(start) - f64::from(at) * scale, scale)
        };
        let PixelRect { x, y, width, height } = rect_in_image;
        let (left, scale_x) = along(x, width, rect_on_screen.left(), rect_on_screen.width());
        let (top, scale_y) = along(y, height, rect_on_screen.top(), rect_on_screen.height());
        Self { origin: [left, top], scale: [scale_x, scale_y] }
    }

    fn to_screen(self, x: f64, y: f64) -> Pos2 {
        let Self { origin: [left, top], scale: [scale_x, scale_y] } = self;
        pos2((left + x * scale_x) as f32, (top + y * scale_y) as f32)
    }

    /// The part of the image that a part of the screen shows.
    fn to_image(self, rect: Rect) -> Area {
        let Self { origin: [left, top], scale: [scale_x, scale_y] } = self;
        Area {
            left: (f64::from(rect.left()) - left) / scale_x,
            top: (f64::from(rect.top()) - top) / scale_y,
            right: (f64::from(rect.right()) - left) / scale_x,
            bottom: (f64::from(rect.bottom()) - top) / scale_y,
        }
    }
}

/// A part of an image, in image pixels, also in the midst of one.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn of_rect(rect: PixelRect) -> Self {
        Self {
            left: rect.x.into(),
            top: rect.y.into(),
            right: rect.right() as f64,
            bottom: rect.bottom() as f64,
        }
    }

    fn of_tile(key: TileKey) -> Self {
        let side = tile_side(key.level);
        let (left, top) = (f64::from(key.column) * side, f64::from(key.row) * side);
        Self { left, top, right: left + side, bottom: top + side }
    }

    fn intersection(self, other: Self) -> Option<Self> {
        let both = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (both.left < both.right && both.top < both.bottom).then_some(both)
    }

    /// The tiles of a level that have some of it.
    fn tiles(self, picture: u64, level: u8) -> impl Iterator<Item = TileKey> {
        let side = tile_side(level);
        let numbers = |from: f64, to: f64| (from / side).floor() as u16..(to / side).ceil() as u16;
        let columns = numbers(self.left, self.right);
        numbers(self.top, self.bottom)
            .flat_map(move |row| columns.clone().map(move |column| TileKey { picture, level, column, row }))
    }
}

/// Side of a tile in image pixels.
fn tile_side(level: u8) -> f64 {
    f64::from(TILE_SIDE) * f64::from(1_u32 << level.min(31))
}

struct Tile {
    handle: TextureHandle,
    last_pass: u64,
}

/// The uploaded tiles.
#[derive(Default)]
pub struct Tiles {
    uploaded: BTreeMap<TileKey, Tile>,
    pictures: BTreeMap<u64, Weak<dyn Tiled>>,
    pass: u64,
    uploads_in_pass: usize,
}

impl Tiles {
    /// Draws the part of the picture that `mapping` puts on the painter's clip rectangle, its colours times `tint`;
    /// whether all tiles were there.
    pub(super) fn paint(
        &mut self,
        painter: &Painter,
        pictures: &Pictures,
        picture: &Arc<dyn Tiled>,
        rect_in_image: PixelRect,
        mapping: &Mapping,
        tint: Color32,
    ) -> bool {
        let Some((area, level)) = self.wanted(painter, picture, rect_in_image, mapping) else { return true };
        let coarsest = picture.level_for_scale(0.0);
        if !self.is_any_there(picture.serial(), level) {
            // One small tile shows the whole picture at once.
            for key in area.tiles(picture.serial(), coarsest) {
                self.fetch(painter.ctx(), pictures, picture, key);
            }
        }
        let mut is_complete = true;
        for key in area.tiles(picture.serial(), level) {
            let Some(part) = area.intersection(Area::of_tile(key)) else { continue };
            if self.fetch(painter.ctx(), pictures, picture, key) {
                self.paint_tile(painter, picture.as_ref(), key, part, mapping, tint);
            } else {
                is_complete = false;
                self.paint_stand_in(painter, picture.as_ref(), key, part, mapping, tint);
            }
        }
        is_complete
    }

    /// Uploads what [`Tiles::paint`] would draw; whether all of it is there.
    pub(super) fn prepare(
        &mut self,
        painter: &Painter,
        pictures: &Pictures,
        picture: &Arc<dyn Tiled>,
        rect_in_image: PixelRect,
        mapping: &Mapping,
    ) -> bool {
        let Some((area, level)) = self.wanted(painter, picture, rect_in_image, mapping) else { return true };
        let keys = area.tiles(picture.serial(), level);
        // All are asked for, also after one that is not there.
        keys.filter(|key| !self.fetch(painter.ctx(), pictures, picture, *key)).count() == 0
    }

    /// The part of the picture that shows, and at which level.
    fn wanted(
        &mut self,
        painter: &Painter,
        picture: &Arc<dyn Tiled>,
        rect_in_image: PixelRect,
        mapping: &Mapping,
    ) -> Option<(Area, u8)> {
        self.begin_pass(painter.ctx());
        self.pictures.entry(picture.serial()).or_insert_with(|| Arc::downgrade(picture));
        let rect_in_image = rect_in_image.clipped_to(picture.size())?;
        let area = mapping.to_image(painter.clip_rect()).intersection(Area::of_rect(rect_in_image))?;
        let scale = mapping.scale[0].min(mapping.scale[1]) as f32 * painter.pixels_per_point();
        Some((area, picture.level_for_scale(scale)))
    }

    fn begin_pass(&mut self, ctx: &Context) {
        let pass = ctx.cumulative_pass_nr();
        if pass == self.pass {
            return;
        }
        self.pass = pass;
        self.uploads_in_pass = 0;
        let Self { uploaded, pictures, .. } = self;
        let before = pictures.len();
        pictures.retain(|_, picture| picture.strong_count() > 0);
        if pictures.len() < before {
            uploaded.retain(|key, _| pictures.contains_key(&key.picture));
        }
        while uploaded.len() > MAX_TILES
            && let Some((&oldest, tile)) = uploaded.iter().min_by_key(|(_, tile)| tile.last_pass)
            && tile.last_pass + 1 < pass
        {
            uploaded.remove(&oldest);
        }
    }

    fn is_any_there(&self, picture: u64, level: u8) -> bool {
        let first = TileKey { picture, level, column: 0, row: 0 };
        let last = TileKey { column: u16::MAX, row: u16::MAX, ..first };
        self.uploaded.range(first..=last).next().is_some()
    }

    /// Whether a tile is on the card; brings it there when it is ready and this pass has not uploaded much yet.
    fn fetch(&mut self, ctx: &Context, pictures: &Pictures, picture: &Arc<dyn Tiled>, key: TileKey) -> bool {
        if let Some(tile) = self.uploaded.get_mut(&key) {
            tile.last_pass = self.pass;
            return true;
        }
        if self.uploads_in_pass >= UPLOADS_PER_PASS {
            ctx.request_repaint();
            return false;
        }
        let Some(bitmap) = pictures.take_tile(picture, key) else { return false };
        let handle = ctx.load_texture("tile", color_image(&bitmap), FILTER);
        self.uploads_in_pass += 1;
        self.uploaded.insert(key, Tile { handle, last_pass: self.pass });
        true
    }

    fn is_there(&mut self, key: TileKey) -> bool {
        let tile = self.uploaded.get_mut(&key);
        tile.map(|tile| tile.last_pass = self.pass).is_some()
    }

    /// Draws `part` from finer tiles if all of them are there, else from a coarser one.
    fn paint_stand_in(
        &mut self,
        painter: &Painter,
        picture: &dyn Tiled,
        key: TileKey,
        part: Area,
        mapping: &Mapping,
        tint: Color32,
    ) {
        let finest = picture.level_for_scale(1.0).max(key.level.saturating_sub(FINER_LEVELS));
        for level in (finest..key.level).rev() {
            let finer: Vec<_> = part.tiles(key.picture, level).collect();
            if finer.iter().all(|key| self.is_there(*key)) {
                for key in finer {
                    if let Some(part) = part.intersection(Area::of_tile(key)) {
                        self.paint_tile(painter, picture, key, part, mapping, tint);
                    }
                }
                return;
            }
        }
        for level in key.level + 1..=picture.level_for_scale(0.0) {
            let up = level - key.level;
            let coarser = TileKey { level, column: key.column >> up, row: key.row >> up, ..key };
            if self.is_there(coarser) {
                self.paint_tile(painter, picture, coarser, part, mapping, tint);
                return;
            }
        }
    }

    fn paint_tile(
        &self,
        painter: &Painter,
        picture: &dyn Tiled,
        key: TileKey,
        part: Area,
        mapping: &Mapping,
        tint: Color32,
    ) {
        let Some(tile) = self.uploaded.get(&key) else { return };
        let on_screen = Rect::from_min_max(
            mapping.to_screen(part.left, part.top),
            mapping.to_screen(part.right, part.bottom),
        );
        let uv = uv_in_tile(part, key, picture.level_size(key.level));
        // A mesh of its own: what egui draws for an image has softened edges, which would show as seams.
        let mut mesh = Mesh::with_texture(tile.handle.id());
        mesh.add_rect_with_uv(on_screen, uv, tint);
        painter.add(Shape::mesh(mesh));
    }
}

/// A part of an image as a part of one tile's texture, from 0 to 1. Every pixel of a level is `1 << level` image
/// pixels wide, also the last one, of which the image may have less.
fn uv_in_tile(part: Area, key: TileKey, level_size: Size) -> Rect {
    let pixel = f64::from(1_u32 << key.level.min(31));
    let along = |at: f64, number: u16, length: u32| {
        let start = u32::from(number) * TILE_SIDE;
        let tile_length = length.saturating_sub(start).clamp(1, TILE_SIDE);
        ((at / pixel - f64::from(start)) / f64::from(tile_length)) as f32
    };
    let Size { width, height } = level_size;
    Rect::from_min_max(
        pos2(along(part.left, key.column, width), along(part.top, key.row, height)),
        pos2(along(part.right, key.column, width), along(part.bottom, key.row, height)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(left: f64, top: f64, right: f64, bottom: f64) -> Area {
        Area { left, top, right, bottom }
    }

    fn key(level: u8, column: u16, row: u16) -> TileKey {
        TileKey { picture: 7, level, column, row }
    }

    #[test]
    fn an_area_has_the_tiles_it_touches() {
        let tiles: Vec<_> = area(500.0, 0.0, 1024.0, 10.0).tiles(7, 0).collect();
        assert_eq!(tiles, [key(0, 0, 0), key(0, 1, 0)], "1024 is where the third begins");
        let halves: Vec<_> = area(500.0, 0.0, 1024.0, 10.0).tiles(7, 1).collect();
        assert_eq!(halves, [key(1, 0, 0)]);
    }

    #[test]
    fn a_tile_at_the_edge_is_narrower_and_its_last_pixel_may_be_cut() {
        // 1301 pixels at half size are 651, the second tile has 139 of them.
        let level = Size::new(651, 100);
        let uv = uv_in_tile(area(1024.0, 0.0, 1301.0, 200.0), key(1, 1, 0), level);
        assert_eq!((uv.left(), uv.top(), uv.bottom()), (0.0, 0.0, 1.0));
        assert!((uv.right() - 138.5 / 139.0).abs() < 1e-6);
    }

    #[test]
    fn tiles_beside_each_other_share_their_edge_exactly() {
        let mapping = Mapping::between(
            PixelRect::new(3, 0, 2000, 40),
            Rect::from_min_max(pos2(10.3, 0.0), pos2(777.7, 31.0)),
        );
        let (left, right) = (Area::of_tile(key(0, 1, 0)), Area::of_tile(key(0, 2, 0)));
        assert_eq!(mapping.to_screen(left.right, 0.0), mapping.to_screen(right.left, 0.0));
    }

    #[test]
    fn a_mapping_leads_back_to_where_it_came_from() {
        let screen = Rect::from_min_max(pos2(100.0, 50.0), pos2(228.0, 114.0));
        let mapping = Mapping::between(PixelRect::new(32, 16, 64, 32), screen);
        assert_eq!(mapping.scale, [2.0, 2.0]);
        assert_eq!(mapping.to_image(screen), area(32.0, 16.0, 96.0, 48.0));
    }
}
