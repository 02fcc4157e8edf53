//! The scene's picture: the items that the runtime lists, as textured quads in their order.

use eframe::egui;
use egui::{Color32, Context, Mesh, Painter, Pos2, Rect, Shape, Stroke, TextureId, pos2};

use super::place::Place;
use crate::runtime::{Fault, Item};
use crate::session::Session;
use crate::ui::textures::Textures;
use crate::ui::theme;

/// Corners of a texture in the order of an item's.
const UV: [Pos2; 4] = [pos2(0.0, 0.0), pos2(1.0, 0.0), pos2(1.0, 1.0), pos2(0.0, 1.0)];

/// Draws what the screen shows of the items. Those of one texture that follow each other are one mesh.
pub(super) fn items(
    painter: &Painter,
    place: Place,
    items: &[Item],
    session: &Session,
    textures: &mut Textures,
) {
    let clip = painter.clip_rect();
    let mut mesh = Mesh::default();
    for item in items {
        let corners = item.corners.map(|corner| place.screen(corner));
        let bounds = Rect::from_points(&corners);
        if !bounds.intersects(clip) {
            continue;
        }
        let texture =
            item.picture.as_ref().and_then(|picture| texture(painter.ctx(), session, textures, picture));
        match texture {
            Some(texture) => {
                if mesh.texture_id != texture {
                    painter.add(Shape::mesh(std::mem::take(&mut mesh)));
                    mesh.texture_id = texture;
                }
                quad(&mut mesh, corners, theme::color_of(item.tint.0));
            }
            None if item.fault.as_ref().is_some_and(|fault| *fault != Fault::Pending) => {
                painter.add(Shape::mesh(std::mem::take(&mut mesh)));
                missing(painter, corners, item.fault == Some(Fault::Empty));
            }
            None => {}
        }
    }
    painter.add(Shape::mesh(mesh));
}

fn texture(
    ctx: &Context,
    session: &Session,
    textures: &mut Textures,
    picture: &crate::runtime::PictureKey,
) -> Option<TextureId> {
    let (key, found) = session.stage_picture(picture)?;
    Some(textures.get(ctx, key, found.shown()?).id())
}

fn quad(mesh: &mut Mesh, corners: [Pos2; 4], tint: Color32) {
    let first = mesh.vertices.len() as u32;
    for (pos, uv) in corners.into_iter().zip(UV) {
        mesh.vertices.push(egui::epaint::Vertex { pos, uv, color: tint });
    }
    mesh.add_triangle(first, first + 1, first + 2);
    mesh.add_triangle(first, first + 2, first + 3);
}

/// Where something should be that cannot be drawn: a dashed box with a cross. Where no sprite was chosen, which is no
/// error, only the box.
fn missing(painter: &Painter, corners: [Pos2; 4], is_empty: bool) {
    let palette = theme::palette(painter.ctx());
    let line = Stroke::new(1.0, if is_empty { palette.weak_text } else { palette.error });
    let [one, two, three, four] = corners;
    painter.extend(Shape::dashed_line(&[one, two, three, four, one], line, 4.0, 3.0));
    if is_empty {
        return;
    }
    painter.line_segment([one, three], line);
    painter.line_segment([two, four], line);
}

/// A line around a quad that shows on any picture.
pub(super) fn outline(painter: &Painter, corners: [Pos2; 4], color: Color32, width: f32) {
    let [one, two, three, four] = corners;
    let around = vec![one, two, three, four];
    let dark = Color32::from_black_alpha(160);
    painter.add(Shape::closed_line(around.clone(), Stroke::new(width + 2.0, dark)));
    painter.add(Shape::closed_line(around, Stroke::new(width, color)));
}
