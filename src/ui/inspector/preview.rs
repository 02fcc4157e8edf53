//! The selected frame, or the whole sheet, at the largest whole-number zoom that fits: as the compiled texture has
//! it, or as the image has it.

use eframe::egui;
use egui::{Align, Color32, Label, Layout, Pos2, Rect, RichText, Sense, Shape, TextureHandle, Ui, Vec2};

use super::identity::single;
use super::{nine_slice, part_title, place, weak};
use crate::geometry::{PixelRect, Size, ToStored};
use crate::guid::Guid;
use crate::registry::{Asset, State};
use crate::session::{Action, Command, Document, Lookup, Session, Tiled as _};
use crate::texture::PixelFormat;
use crate::ui::UiState;
use crate::ui::canvas::{self, Canvas};
use crate::ui::carry::{self, Carried, Item};
use crate::ui::theme::{self, INSIDE, ROW_HEIGHT};
use crate::ui::widgets;

/// Height of the picture's box: between these, as the panel has room.
const LEAST_HEIGHT: f32 = 112.0;
const MOST_HEIGHT: f32 = 320.0;
/// Room for what stands around the picture: title, caption, switch.
const AROUND_PICTURE: f32 = 112.0;
/// Larger than this, pixel art is not easier to judge.
const MOST_ZOOM: f32 = 16.0;

/// What the preview keeps from one pass to the next.
#[derive(Default)]
pub(super) struct Preview {
    shows_source: bool,
    /// What was drawn last, shown on while the next picture is made.
    last: Option<(Guid, TextureHandle)>,
}

impl Preview {
    /// From the image, or again from the texture.
    pub(super) fn toggle_source(&mut self) {
        self.shows_source = !self.shows_source;
    }
}

/// The section. `room` is the height that the forms above leave of the panel.
pub(super) fn ui(
    ui: &mut Ui,
    session: &Session,
    document: &Document,
    state: &mut UiState,
    room: f32,
    actions: &mut Vec<Action>,
) {
    let frame = single(document);
    state.canvas.sync(document);
    let part = match frame {
        // As it is on the canvas, where it may be in the middle of a drag.
        Some((position, _)) => state.canvas.frames().drawn_rect(position),
        None => Some(PixelRect::of_image(document.image_size)),
    };
    let height = (room - AROUND_PICTURE).clamp(LEAST_HEIGHT, MOST_HEIGHT);
    if document.history.selection().is_empty() {
        part_title(ui, "Preview", "Whole sheet");
    } else {
        // It belongs to the numbers above.
        ui.add_space(INSIDE);
    }
    let (area, picture) = ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::drag());
    picture.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Preview"));
    carry::from(ui, &picture, || carried(session, document));
    ui.painter().rect_filled(area, 4.0, theme::palette(ui).canvas);
    let asset = session.asset(&document.path).map(AsRef::as_ref);
    let drawn = match (part, asset) {
        (Some(part), Some(asset)) => draw(ui, session, document, asset, part, area.shrink(INSIDE), state),
        (None, _) => Err("The frame has no pixels inside the image".to_owned()),
        (_, None) => Err("No preview yet".to_owned()),
    };
    match drawn {
        Ok(zoom) => zoom_plate(ui, area, zoom),
        Err(why) => words_in(ui, area, &why),
    }
    let rect = frame.and_then(|(position, _)| state.canvas.frames().rects().get(position).copied());
    caption(ui, session, document, asset, [rect, part], state.inspector.preview.shows_source);
    source_switch(ui, session, document, state.inspector.preview.shows_source, actions);
}

/// What is dragged from here: the selected frames, or the sheet while none is selected.
fn carried(session: &Session, document: &Document) -> Option<Carried> {
    let asset = session.asset(&document.path)?;
    let frames = document.selected_frames().map(|(_, frame)| frame.id);
    let items = match document.history.selection() {
        [] => vec![Item::of_sheet(asset)],
        _ => Item::of_frames(session, &document.path, frames),
    };
    Some(Carried::Sprites { items, has_ghosts: false, files: Vec::new() })
}

/// Draws the part; its zoom in screen pixels per image pixel, or why there is nothing to draw.
fn draw(
    ui: &Ui,
    session: &Session,
    document: &Document,
    asset: &Asset,
    part: PixelRect,
    area: Rect,
    state: &mut UiState,
) -> Result<f32, String> {
    let UiState { inspector, textures, canvas, .. } = state;
    let preview = &mut inspector.preview;
    let per_point = ui.pixels_per_point();
    let open = session.project().ok_or("No project is open")?;
    if preview.shows_source {
        let picture = match session.pictures().source(asset, open.project.file(&asset.path)) {
            None => return Err("Nothing is known of the image yet".to_owned()),
            Some(Lookup::Failed(why, None)) => return Err(format!("The image cannot be shown: {why}")),
            Some(found) => found.shown().cloned().ok_or_else(String::new)?,
        };
        let size = Size::new(part.width as u32, part.height as u32);
        let zoom = whole_zoom(area.size() * per_point, size);
        let rect = centered(area, size, zoom, per_point);
        widgets::paint_backdrop(ui.painter(), rect, session.prefs().backdrop);
        canvas::paint_region(ui.painter(), &mut canvas.tiles, &picture, part, rect, session);
        return Ok(zoom);
    }
    if let Some(zoom) = draw_stored(ui, session, document, part, area, canvas) {
        return Ok(zoom);
    }
    let found = session.pictures().part(asset, part, &open.project);
    let Some((key, found)) = found else { return Err(no_texture(asset)) };
    let texture = match (&found, found.shown()) {
        (_, Some(bitmap)) => textures.get(ui, key, bitmap),
        (Lookup::Failed(why, _), None) => return Err(format!("The texture cannot be shown: {why}")),
        (_, None) => match &preview.last {
            Some((guid, texture)) if *guid == asset.guid => texture.clone(),
            _ => return Err(String::new()),
        },
    };
    let [width, height] = texture.size();
    let stored = Size::new(width as u32, height as u32);
    let zoom = whole_zoom(area.size() * per_point, stored);
    let rect = centered(area, stored, zoom, per_point);
    widgets::paint_backdrop(ui.painter(), rect, session.prefs().backdrop);
    let uv = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
    ui.painter().add(Shape::image(texture.id(), rect, uv, Color32::WHITE));
    preview.last = Some((asset.guid, texture));
    Ok(zoom)
}

/// Draws the part of the texture as it would be made now, when that is not what is on disk; its zoom.
fn draw_stored(
    ui: &Ui,
    session: &Session,
    document: &Document,
    part: PixelRect,
    area: Rect,
    canvas: &mut Canvas,
) -> Option<f32> {
    if !is_ahead(session, document) {
        return None;
    }
    let found = session.stored(document, None)?;
    let view = found.shown().filter(|view| view.is_whole())?;
    let sizes = ToStored { image: document.image_size, stored: view.picture.size() };
    let rect_in_stored = sizes.drawn(part);
    let size = Size::new(rect_in_stored.width as u32, rect_in_stored.height as u32);
    let per_point = ui.pixels_per_point();
    let zoom = whole_zoom(area.size() * per_point, size);
    let rect = centered(area, size, zoom, per_point);
    widgets::paint_backdrop(ui.painter(), rect, session.prefs().backdrop);
    canvas::paint_region(ui.painter(), &mut canvas.tiles, &view.picture, rect_in_stored, rect, session);
    Some(zoom)
}

/// Whether what is shown is not what is on disk.
fn is_ahead(session: &Session, document: &Document) -> bool {
    document.is_dirty() || session.target().is_some()
}

/// Why there is no texture.
fn no_texture(asset: &Asset) -> String {
    match asset.state {
        State::Importing => "Its texture is being made",
        State::Failed => "No texture: the import failed",
        State::Missing => "No texture: the file is gone",
        State::Stale | State::UpToDate => "No texture yet",
    }
    .to_owned()
}

/// The largest whole-number zoom at which `size` fits; what is too large is shown smaller.
fn whole_zoom(room_in_pixels: Vec2, size: Size) -> f32 {
    let fits =
        (room_in_pixels.x / size.width.max(1) as f32).min(room_in_pixels.y / size.height.max(1) as f32);
    if fits < 1.0 { fits } else { fits.floor().min(MOST_ZOOM) }
}

/// Where a picture of that size is, its corner on a screen pixel.
fn centered(area: Rect, size: Size, zoom: f32, per_point: f32) -> Rect {
    let size = Vec2::new(size.width as f32, size.height as f32) * zoom / per_point;
    let corner = area.center() - size / 2.0;
    let on_pixel = |at: f32| (at * per_point).round() / per_point;
    Rect::from_min_size(Pos2::new(on_pixel(corner.x), on_pixel(corner.y)), size)
}

fn zoom_plate(ui: &Ui, area: Rect, zoom: f32) {
    plate(ui, area, &format!("{:.0} %", zoom * 100.0));
}

/// Words in the lower right corner of a picture's box.
pub(super) fn plate(ui: &Ui, area: Rect, words: &str) {
    let palette = theme::palette(ui);
    let font = egui::TextStyle::Small.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(words.to_owned(), font, palette.on_plate);
    let plate = Rect::from_min_size(
        area.right_bottom() - text.size() - Vec2::new(3.0 * INSIDE, 2.0 * INSIDE),
        text.size() + Vec2::new(2.0 * INSIDE, INSIDE),
    );
    ui.painter().rect_filled(plate, 4.0, palette.plate);
    ui.painter().galley(plate.min + Vec2::new(INSIDE, INSIDE / 2.0), text, palette.on_plate);
}

/// Words where there is no picture.
pub(super) fn words_in(ui: &mut Ui, area: Rect, words: &str) {
    if words.is_empty() {
        return;
    }
    let area = area.shrink(theme::AROUND);
    let color = theme::palette(ui).weak_text;
    let font = egui::TextStyle::Body.resolve(ui.style());
    let height = ui.painter().layout(words.to_owned(), font, color, area.width()).size().y;
    let lines = Rect::from_center_size(area.center(), Vec2::new(area.width(), height));
    place(ui, lines, "words", |ui| {
        ui.with_layout(Layout::top_down(Align::Center), |ui| {
            ui.add(
                Label::new(RichText::new(words).color(color)).wrap().halign(Align::Center).selectable(false),
            )
        });
    });
}

/// What is shown: the frame's name, its place, how it is stored, and whether that is the last word.
fn caption(
    ui: &mut Ui,
    session: &Session,
    document: &Document,
    asset: Option<&Asset>,
    [rect, part]: [Option<PixelRect>; 2],
    from_source: bool,
) {
    let selected = document.history.selection().len();
    let mut words = Vec::new();
    if let Some((_, frame)) = single(document) {
        if !frame.name.is_empty() {
            words.push(frame.name.to_string());
        }
        words.push(rect.unwrap_or(frame.rect_in_image).to_string());
    } else if selected > 1 {
        words.push(format!("{selected} frames are selected"));
    }
    let stored = session.stored_as(document);
    if let (Some(stored), Some(part), false) = (stored, part, from_source) {
        words.push(stored_words(stored, part, document.image_size));
    }
    weak(ui, &words.join(", "));
    // Its line stays, so that nothing moves when it comes and goes.
    ui.scope(|ui| {
        let words = standing(session, document, asset).filter(|_| !from_source);
        if words.is_none() {
            ui.set_invisible();
        }
        weak(ui, &words.unwrap_or_else(|| "On disk".to_owned()));
    });
}

/// How what is shown stands to what is on disk; nothing where it is the same.
fn standing(session: &Session, document: &Document, asset: Option<&Asset>) -> Option<String> {
    if let Some(target) = session.target() {
        return Some(format!("As {} gets it", target.name));
    }
    let is_made = || session.stored(document, None).is_some_and(|found| found.shown().is_some());
    if document.is_dirty() {
        return Some(
            if is_made() { "Preview, not on disk yet" } else { "Preview of the saved texture" }.to_owned(),
        );
    }
    let asset = asset.filter(|asset| asset.texture.is_some() && asset.state != State::UpToDate);
    asset.map(|_| "Preview of the saved texture".to_owned())
}

/// "RGB565A8, 3.1 kB".
fn stored_words((stored, format): (Size, PixelFormat), part: PixelRect, image: Size) -> String {
    let PixelRect { width, height, .. } = ToStored { image, stored }.rect(part);
    let size = Size::new(width.max(0) as u32, height.max(0) as u32);
    format!("{format}, {}", widgets::bytes_text(size.area() * format.bytes_per_pixel() as u64))
}

/// Image or texture, and beside it the borders.
fn source_switch(
    ui: &mut Ui,
    session: &Session,
    document: &Document,
    is_on: bool,
    actions: &mut Vec<Action>,
) {
    let command = Command::ShowSource;
    let mut is_on = is_on;
    ui.allocate_ui_with_layout(
        Vec2::new(ui.available_width(), ROW_HEIGHT),
        Layout::left_to_right(Align::Center),
        |ui| {
            let switch = ui.add_enabled(
                session.why_disabled(command).is_none(),
                egui::Checkbox::new(&mut is_on, "From source"),
            );
            if switch.on_hover_text(widgets::command_tooltip(ui, command)).clicked() {
                actions.push(command.into());
            }
            nine_slice::summary(ui, session, document, actions);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_enlarged_by_whole_numbers_and_only_shrunk_when_they_must() {
        let room = Vec2::new(264.0, 152.0);
        let percent = |width, height| (whole_zoom(room, Size::new(width, height)) * 100.0) as u32;
        assert_eq!(percent(32, 32), 400);
        assert_eq!(percent(200, 150), 100);
        assert_eq!(percent(528, 100), 50);
        assert_eq!(percent(1, 1), 1600);
    }

    #[test]
    fn pictures_begin_on_a_screen_pixel() {
        let area = Rect::from_min_size(Pos2::new(0.0, 0.0), Vec2::new(101.0, 51.0));
        let rect = centered(area, Size::new(32, 32), 1.0, 1.0);
        assert_eq!(rect.min, Pos2::new(35.0, 10.0));
        assert_eq!(rect.size(), Vec2::splat(32.0));
        // Three screen pixels an image pixel at 1.5 a point are two points.
        assert_eq!(centered(area, Size::new(10, 10), 3.0, 1.5).size(), Vec2::splat(20.0));
    }

    #[test]
    fn a_frames_bytes_are_those_of_its_stored_pixels() {
        let stored = (Size::new(128, 85), PixelFormat::Rgb565A8);
        // Stored edges 0, 43, 85, 128 across and 0, 43, 85 down: the second column is 42 wide.
        let words = stored_words(stored, PixelRect::new(100, 0, 100, 100), Size::new(300, 200));
        assert_eq!(words, format!("RGB565A8, {}", widgets::bytes_text(42 * 43 * 3)));
    }
}
