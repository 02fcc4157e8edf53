//! What has borders, stretched to any size as a device stretches it: from the pixels of the image, or as it is stored.

use std::sync::Arc;

use eframe::egui;
use egui::{
    Align, Checkbox, Color32, CursorIcon, Key, Label, Layout, Pos2, Rect, RichText, Role, Sense, Shape, Ui,
    Vec2, WidgetInfo,
};

use super::place;
use super::preview::{plate, words_in};
use super::rows::RowRects;
use crate::edit::Bordered;
use crate::geometry::Size;
use crate::model::scene::RenderMode;
use crate::runtime::Fault;
use crate::session::{Document, Session, Stretch, Stretched};
use crate::texture::Insets;
use crate::ui::canvas::BorderSubject;
use crate::ui::textures::Slot;
use crate::ui::theme::{self, BETWEEN, ROW_HEIGHT};
use crate::ui::widgets;

/// Height of the box: between these, as the panel has room.
const LEAST_HEIGHT: f32 = 128.0;
const MOST_HEIGHT: f32 = 240.0;
/// Room for what stands around it: size, switches.
const AROUND_PICTURE: f32 = 2.0 * (ROW_HEIGHT + 4.0);
/// The longest side that can be asked for, in image pixels.
const MOST_SIDE: u32 = 2048;
/// Larger than this, pixel art is not easier to judge.
const MOST_ZOOM: f32 = 8.0;
/// Side of the corner that is dragged, in points.
const CORNER: f32 = 10.0;

/// What the preview keeps from one pass to the next.
#[derive(Default)]
pub(super) struct StretchedPreview {
    of: Option<(Arc<str>, Bordered)>,
    /// The size asked for, in image pixels; `None` is twice the width.
    size: Option<Size>,
    is_tiled: bool,
    is_stored: bool,
    drag: Option<CornerDrag>,
    slot: Slot,
}

/// The corner on its way to another place.
#[derive(Clone, Copy)]
struct CornerDrag {
    from: Pos2,
    before: Option<Size>,
    start: Size,
    /// Points per image pixel when it began.
    scale: f32,
}

impl StretchedPreview {
    fn follow(&mut self, document: &Document, subject: &BorderSubject) {
        let is_same =
            self.of.as_ref().is_some_and(|(path, of)| *path == document.path && *of == subject.primary);
        if !is_same {
            self.of = Some((document.path.clone(), subject.primary));
            (self.size, self.drag) = (None, None);
        }
    }
}

/// Twice as wide, as long as that is not too wide to be asked for.
fn twice_as_wide(size: Size, most: u32) -> Size {
    Size::new(size.width.saturating_mul(2).min(most), size.height.min(most))
}

/// The preview. `room` is the height that is left for all of it.
pub(super) fn ui(
    ui: &mut Ui,
    preview: &mut StretchedPreview,
    session: &Session,
    document: &Document,
    (subject, borders): (&BorderSubject, Insets),
    room: f32,
) {
    preview.follow(document, subject);
    let most = (ui.input(|input| input.max_texture_side) as u32).min(MOST_SIDE);
    let size = preview.size.unwrap_or_else(|| twice_as_wide(subject.size(), most));
    let height = (room - AROUND_PICTURE).clamp(LEAST_HEIGHT, MOST_HEIGHT).floor();
    let (area, picture) = ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::hover());
    picture.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Stretched preview"));
    ui.painter().rect_filled(area, 4.0, theme::palette(ui).canvas);
    let inside = area.shrink(BETWEEN);
    let scale = match preview.drag {
        // The corner stays under the pointer for as long as there is room.
        Some(drag) => drag.scale.min(fitting(inside.size(), size)),
        None => scale(inside.size(), size, ui.pixels_per_point()),
    };
    let on_pixel = |at: f32| (at * ui.pixels_per_point()).round() / ui.pixels_per_point();
    let corner = Pos2::new(on_pixel(inside.left()), on_pixel(inside.top()));
    let rect = Rect::from_min_size(corner, Vec2::new(size.width as f32, size.height as f32) * scale);
    let stretch = Stretch {
        rect_in_image: subject.rect_in_image,
        borders,
        target: size,
        mode: if preview.is_tiled { RenderMode::Tiled } else { RenderMode::NineSlice },
        is_stored: preview.is_stored,
    };
    let stretched = session.stretched(document, &stretch);
    let is_drawn = draw(ui, preview, session, &stretched, area, rect);
    // What stands where there is no picture is to be read, unless the corner is the way out.
    let is_too_small = stretched.is_ok_and(|it| matches!(it.fault, Some(Fault::TargetTooSmall { .. })));
    if (is_drawn || is_too_small || preview.drag.is_some())
        && let Some(size) = drag_corner(ui, preview, rect, size, (scale, most))
    {
        preview.size = Some(size);
    }
    size_row(ui, preview, size, most);
    switches(ui, preview);
}

/// Points per image pixel at which a picture just fits.
fn fitting(room: Vec2, size: Size) -> f32 {
    (room.x / size.width.max(1) as f32).min(room.y / size.height.max(1) as f32)
}

/// Points per image pixel: whole screen pixels while there is room for them.
fn scale(room: Vec2, size: Size, per_point: f32) -> f32 {
    let fits = fitting(room, size) * per_point;
    (if fits < 1.0 { fits } else { fits.floor().min(MOST_ZOOM) }) / per_point
}

/// Draws what there is; whether that is a picture.
fn draw(
    ui: &mut Ui,
    preview: &mut StretchedPreview,
    session: &Session,
    stretched: &Result<Stretched, Arc<str>>,
    area: Rect,
    rect: Rect,
) -> bool {
    let mut is_drawn = false;
    let words = match stretched {
        Err(why) => why.to_string(),
        Ok(Stretched { fault, picture, .. }) => {
            if let Some(bitmap) = picture.as_ref().and_then(|found| found.shown()) {
                let texture = preview.slot.show(ui, bitmap);
                widgets::paint_backdrop(ui.painter(), rect, session.prefs().backdrop);
                let uv = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
                ui.painter().add(Shape::image(texture, rect, uv, Color32::WHITE));
                is_drawn = true;
            }
            fault.as_ref().map(fault_words).unwrap_or_default()
        }
    };
    if !is_drawn {
        words_in(ui, area, &words);
    }
    if let Ok(Stretched { size, picture: Some(_), .. }) = stretched
        && preview.is_stored
    {
        plate(ui, area, &format!("{size} px stored"));
    }
    is_drawn
}

/// Why a device draws nothing, said of borders that can be changed beside it.
fn fault_words(fault: &Fault) -> String {
    match fault {
        Fault::NoBorders => {
            "Without borders a device draws nothing here. Type a number, or drag a guide on the canvas."
                .to_owned()
        }
        Fault::TargetTooSmall { borders, .. } => {
            format!("Smaller than its borders, {borders} px: a device draws nothing. Drag the corner out.")
        }
        Fault::BordersTooLarge { .. } => "The borders leave no middle: a device draws nothing.".to_owned(),
        other => other.to_string(),
    }
}

/// The corner that gives it another size; the size that it is given.
fn drag_corner(
    ui: &mut Ui,
    preview: &mut StretchedPreview,
    rect: Rect,
    size: Size,
    (scale, most): (f32, u32),
) -> Option<Size> {
    let handle = Rect::from_center_size(rect.right_bottom(), Vec2::splat(CORNER));
    let id = ui.make_persistent_id("corner of the stretched preview");
    let response = ui.interact(handle.expand(3.0), id, Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, "Corner of the stretched preview"));
    let palette = theme::palette(ui);
    let is_hot = response.hovered() || response.dragged();
    ui.painter().rect_filled(handle.expand(1.0), 2.0, palette.outline[1]);
    let fill = if is_hot { palette.accent } else { palette.outline[0].to_opaque() };
    ui.painter().rect_filled(handle, 2.0, fill);
    let response = response.on_hover_cursor(CursorIcon::ResizeNwSe);
    if response.drag_started()
        && let Some(from) = ui.input(|input| input.pointer.press_origin())
    {
        preview.drag = Some(CornerDrag { from, before: preview.size, start: size, scale });
    }
    let drag = preview.drag?;
    if ui.input(|input| input.key_pressed(Key::Escape)) {
        (preview.drag, preview.size) = (None, drag.before);
        ui.ctx().stop_dragging();
        return None;
    }
    if !response.dragged() {
        preview.drag = None;
    }
    let pos = ui.input(|input| input.pointer.latest_pos())?;
    ui.request_repaint();
    Some(dragged_size(drag.start, (pos - drag.from) / drag.scale, most))
}

/// A size changed by so many pixels; at least one, and no more than can be asked for.
fn dragged_size(start: Size, by: Vec2, most: u32) -> Size {
    let side =
        |start: u32, by: f32| (f64::from(start) + f64::from(by.round())).clamp(1.0, most.into()) as u32;
    Size::new(side(start.width, by.x), side(start.height, by.y))
}

/// The size in numbers.
fn size_row(ui: &mut Ui, preview: &mut StretchedPreview, size: Size, most: u32) {
    let rects = RowRects::next(ui);
    rects.words(ui, "Size", "How large the preview is, in image pixels; drag its corner");
    let mut asked = size;
    let fields = [
        (rects.first, "Preview width", &mut asked.width),
        (rects.second, "Preview height", &mut asked.height),
    ];
    for (rect, name, number) in fields {
        place(ui, rect, name, |ui| {
            let answer = widgets::number_field(ui, name, number, 1..=most, "px");
            answer.response.on_hover_text(format!("{name}, in image pixels; nothing of the sheet changes"));
        });
    }
    place(ui, rects.link, "preview by", |ui| {
        ui.with_layout(Layout::centered_and_justified(egui::Direction::LeftToRight), |ui| {
            let text = RichText::new("×").color(theme::palette(ui).weak_text);
            ui.add(Label::new(text).selectable(false).halign(Align::Center));
        });
    });
    if asked != size {
        preview.size = Some(asked);
    }
}

fn switches(ui: &mut Ui, preview: &mut StretchedPreview) {
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(Vec2::new(ui.available_width(), ROW_HEIGHT), layout, |ui| {
        ui.add(Checkbox::new(&mut preview.is_tiled, "Tiled")).on_hover_text(
            "As a sprite component with render mode Tiled draws it: all of it again and again, borders or none",
        );
        ui.add(Checkbox::new(&mut preview.is_stored, "Stored")).on_hover_text(
            "From the compiled texture, in its size and format as of the last save; off, from the image's pixels",
        );
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_begins_at_twice_the_width() {
        assert_eq!(twice_as_wide(Size::new(48, 16), 2048), Size::new(96, 16));
        assert_eq!(twice_as_wide(Size::new(3000, 5000), 2048), Size::new(2048, 2048));
    }

    #[test]
    fn the_corner_gives_any_size_of_at_least_a_pixel() {
        let start = Size::new(96, 48);
        assert_eq!(dragged_size(start, Vec2::new(10.4, -8.0), 2048), Size::new(106, 40));
        assert_eq!(dragged_size(start, Vec2::new(-500.0, -48.0), 2048), Size::new(1, 1));
        assert_eq!(dragged_size(start, Vec2::new(9000.0, 0.0), 2048), Size::new(2048, 48));
    }

    #[test]
    fn it_is_enlarged_by_whole_screen_pixels_while_there_is_room() {
        assert_eq!(scale(Vec2::new(248.0, 120.0), Size::new(96, 48), 1.0), 2.0);
        assert_eq!(scale(Vec2::new(248.0, 120.0), Size::new(96, 48), 1.5), 2.0);
        assert_eq!(scale(Vec2::new(248.0, 120.0), Size::new(496, 48), 1.0), 0.5);
    }
}
