//! The field for what a sprite component draws: picture, sheet and frame, and ways to choose another.

use eframe::egui;
use egui::{
    Align, Label, Layout, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2,
};
use egui_material_icons::icons::{ICON_CLOSE, ICON_LOCATION_SEARCHING, ICON_SEARCH};

use super::drop;
use crate::guid::Guid;
use crate::model::scene::{AssetRef, ObjectKey};
use crate::registry::{Asset, SubAsset};
use crate::session::{Action, Command, SelectMode, Session};
use crate::ui::carry::{self, Item};
use crate::ui::inspector::weak;
use crate::ui::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::{UiState, widgets};

const HEIGHT: f32 = 56.0;

/// What a reference names, as far as the project has it.
struct Named<'a> {
    asset: &'a Asset,
    frame: Option<&'a SubAsset>,
    /// A frame's GUID that the sheet does not have.
    is_missing: bool,
}

fn named<'a>(session: &'a Session, reference: &AssetRef) -> Option<Named<'a>> {
    let registry = &session.project()?.registry;
    let guid: Guid = reference.guid.parse().ok()?;
    // Older scenes have a frame's GUID where the sheet's should be.
    let parent = registry.parent_of_frame(guid);
    let asset = registry.by_guid(parent.unwrap_or(guid))?;
    let source = reference.meaningful();
    let frame = source.parse().ok().and_then(|guid| registry.frame(guid));
    let is_whole = reference.source.is_empty() && parent.is_none();
    Some(Named { asset, frame, is_missing: !is_whole && frame.is_none() })
}

/// The field. `reference` is what all have; it takes frames and sheets that are dragged.
#[expect(clippy::too_many_arguments, reason = "the parts of one field")]
pub(super) fn ui(
    ui: &mut Ui,
    session: &Session,
    reference: &AssetRef,
    is_mixed: bool,
    keys: &[ObjectKey],
    whose: &str,
    state: &mut UiState,
    actions: &mut Vec<Action>,
) {
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let named = named(session, reference);
    let (title, words) = words(reference, named.as_ref(), is_mixed);
    let label = format!("Sprite: {title}");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let palette = theme::palette(ui);
    let is_wrong = !reference.is_empty() && named.as_ref().is_none_or(|named| named.is_missing);
    let line = if is_wrong { palette.error } else { palette.control };
    ui.painter().rect(rect, 4.0, palette.raised, Stroke::new(1.0, line), StrokeKind::Inside);
    let picture = Rect::from_min_size(rect.min, Vec2::splat(HEIGHT)).shrink(INSIDE);
    if let Some(named) = &named {
        let item = Item {
            reference: reference.clone(),
            name: String::new(),
            path: named.asset.path.clone(),
            part: named.frame.map(|frame| frame.rect_in_image),
        };
        widgets::paint_backdrop(ui.painter(), picture, session.prefs().backdrop);
        carry::paint_item(ui.painter(), ui, session, &mut state.textures, &item, picture.shrink(2.0));
    }
    let left = if named.is_some() { picture.right() + BETWEEN } else { rect.left() + BETWEEN };
    let text = Rect::from_min_max(egui::pos2(left, rect.top() + INSIDE), rect.max - Vec2::splat(INSIDE));
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(text).layout(Layout::top_down(Align::Min)));
    inside.spacing_mut().item_spacing.y = 1.0;
    let color = if is_wrong { palette.error } else { palette.text };
    inside.add(Label::new(RichText::new(&title).color(color)).truncate().selectable(false));
    let small = RichText::new(&words).small().color(palette.weak_text);
    inside.add(Label::new(small).wrap().selectable(false));
    drop::on_objects(ui, &mut state.carry, &response, keys, whose, actions);
    if response.on_hover_text("Click to pick, or drop a frame or a sheet here").clicked() {
        actions.push(Command::PickSprite.into());
    }
    ui.add_space(INSIDE);
    buttons(ui, session, named.as_ref(), actions);
    if !reference.is_empty() {
        identity(ui, reference, actions);
    }
}

fn words(reference: &AssetRef, named: Option<&Named<'_>>, is_mixed: bool) -> (String, String) {
    if is_mixed {
        return ("Mixed".to_owned(), "The objects have different sprites. A drop sets all.".to_owned());
    }
    if reference.is_empty() {
        return ("No sprite".to_owned(), "Drop a frame or a sheet here, or pick.".to_owned());
    }
    let Some(Named { asset, frame, is_missing }) = named else {
        let text = "No sheet of the project has its GUID. Pick another, or clear.".to_owned();
        return ("Missing sheet".to_owned(), text);
    };
    let sheet = asset.file_name();
    match frame {
        Some(frame) if frame.name.is_empty() => (format!("Frame {}", frame.index), sheet.to_owned()),
        Some(frame) => (frame.name.to_string(), format!("{sheet}, frame {}", frame.index)),
        None if *is_missing => {
            let text =
                format!("{sheet} has no such frame: the whole is drawn. Pick another frame, or clear.");
            ("Missing frame".to_owned(), text)
        }
        None => (sheet.to_owned(), "The whole sheet".to_owned()),
    }
}

fn buttons(ui: &mut Ui, session: &Session, named: Option<&Named<'_>>, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = INSIDE;
        ui.set_min_height(ROW_HEIGHT);
        if widgets::command_icon(ui, session, Command::PickSprite, ICON_SEARCH) {
            actions.push(Command::PickSprite.into());
        }
        let reveal = widgets::icon_button(ui, ICON_LOCATION_SEARCHING, "Show the frame in its sheet", "");
        if reveal.clicked()
            && let Some(named) = named
        {
            reveal_in_sheet(named, actions);
        }
        if widgets::command_icon(ui, session, Command::ClearSprite, ICON_CLOSE) {
            actions.push(Command::ClearSprite.into());
        }
    });
}

/// Goes to the frame in the Slice workspace.
fn reveal_in_sheet(named: &Named<'_>, actions: &mut Vec<Action>) {
    let path = named.asset.path.clone();
    actions.push(Action::ShowSheet(path.clone()));
    actions.extend(named.frame.map(|frame| Action::Select(path, frame.id, SelectMode::Replace)));
}

/// Both GUIDs, folded away.
fn identity(ui: &mut Ui, reference: &AssetRef, actions: &mut Vec<Action>) {
    let title = RichText::new("Identity").small();
    egui::CollapsingHeader::new(title).id_salt("sprite identity").show(ui, |ui| {
        weak(ui, "Sheet");
        widgets::copyable(ui, "sheet GUID", &reference.guid, actions);
        if !reference.source.is_empty() {
            weak(ui, "Frame");
            widgets::copyable(ui, "frame GUID", &reference.source, actions);
        }
    });
}
