//! What the canvas says when there is no sheet to show, or when something is the matter with the one there is.

use std::sync::Arc;

use eframe::egui;
use egui::{Align, Button, Frame, Id, Label, Layout, Rect, RichText, Stroke, Ui, UiBuilder, Vec2};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_ERROR, ICON_FOLDER_OPEN, ICON_GRID_ON, ICON_HOURGLASS_EMPTY, ICON_REFRESH,
};

use crate::model::{Problem, Severity};
use crate::registry::{Asset, State};
use crate::session::{Action, Command, Document, Load, Lookup, Session, SourcePicture};
use crate::ui::{theme, widgets};

const CARD_WIDTH: f32 = 360.0;
/// Waiting is not worth a word before this many seconds.
const PATIENCE: f64 = 0.2;

/// What is the matter with a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Matter {
    /// It will be there soon; what is going on.
    Wait(&'static str),
    /// It does not get any further; why.
    Failed {
        /// In a few words.
        title: &'static str,
        /// The reason, and what to do.
        reason: String,
    },
}

/// What is the matter with a sheet, if anything is.
pub(super) fn matter(
    document: &Document,
    asset: Option<&Asset>,
    lookup: Option<&Lookup<SourcePicture>>,
) -> Option<Matter> {
    if let Some(failed) = failure(document, asset, lookup) {
        return Some(failed);
    }
    if matches!(lookup, Some(found) if found.shown().is_some()) && document.is_ready() {
        return None;
    }
    let is_new = asset.is_some_and(|asset| asset.state == State::Importing && asset.image.is_none());
    Some(Matter::Wait(if is_new { "Importing" } else { "Opening" }))
}

fn failure(
    document: &Document,
    asset: Option<&Asset>,
    lookup: Option<&Lookup<SourcePicture>>,
) -> Option<Matter> {
    let failed = |title, reason: String| Some(Matter::Failed { title, reason });
    match asset.map(|asset| (asset.state, first_problem(asset))) {
        Some((State::Missing, problem)) => {
            let reason = problem
                .map_or_else(|| "Its file is gone. It comes back when the file does.".into(), str::to_owned);
            return failed("The image is missing", reason);
        }
        Some((State::Failed, problem)) => {
            let reason = problem.map_or_else(|| "It could not be imported.".into(), str::to_owned);
            return failed("The sheet could not be imported", reason);
        }
        _ => {}
    }
    if let Load::Failed(why) = &document.load {
        return failed("The sheet could not be opened", why.clone());
    }
    match lookup {
        Some(Lookup::Failed(why, _)) => failed("The image could not be opened", format!("The image {why}")),
        _ => None,
    }
}

fn first_problem(asset: &Asset) -> Option<&str> {
    let mut errors = asset.problems.iter().filter(|problem| problem.severity == Severity::Error);
    // A single frame is not why a whole sheet fails.
    let of_sheet = errors.clone().find(|problem| problem.frame.is_none());
    of_sheet.or(errors.next()).or(asset.problems.first()).map(|Problem { message, .. }| message.as_str())
}

/// No sheet is open: what there is to do.
pub(super) fn no_sheet(ui: &mut Ui, rect: Rect, session: &Session, actions: &mut Vec<Action>) {
    let Some(open) = session.project() else { return };
    let has_sheets = open.registry.assets().len() > 0;
    let (icon, title, text) = if has_sheets {
        (ICON_GRID_ON, "Choose a sheet on the left", "Or drop an image or a folder on this window.")
    } else if open.is_discovered {
        let text = "Put images in the project's assets folder, and they appear on the left by themselves.";
        (ICON_FOLDER_OPEN, "This project has no sheets yet", text)
    } else {
        (ICON_HOURGLASS_EMPTY, "Looking for sheets", "They appear on the left.")
    };
    centered(ui, rect, false, |ui| {
        headline(ui, icon, theme::palette(ui).weak_text, title);
        explanation(ui, text);
        if open.is_discovered {
            ui.add_space(theme::BETWEEN);
            if widgets::command_button(ui, session, Command::OpenImage, None) {
                actions.push(Command::OpenImage.into());
            }
        }
    });
}

/// What is the matter with the sheet at `path`; over its last good picture, if there is one.
pub(super) fn tell(
    ui: &mut Ui,
    rect: Rect,
    path: &Arc<str>,
    matter: &Matter,
    is_over_picture: bool,
    actions: &mut Vec<Action>,
) {
    let name = path.rsplit('/').next().unwrap_or(path);
    match matter {
        // The picture that is there says enough.
        Matter::Wait(_) if is_over_picture => {}
        Matter::Wait(what) => {
            if has_waited(ui, path) {
                let color = theme::palette(ui).weak_text;
                centered(ui, rect, false, |ui| {
                    headline(ui, ICON_HOURGLASS_EMPTY, color, &format!("{what} {name}"));
                });
            }
        }
        Matter::Failed { title, reason } => {
            centered(ui, rect, is_over_picture, |ui| {
                headline(ui, ICON_ERROR, theme::palette(ui).error, title);
                explanation(ui, reason);
                ui.add(Label::new(RichText::new(&**path).small().color(theme::palette(ui).weak_text)).wrap());
                ui.add_space(theme::BETWEEN);
                retry(ui, path, actions);
            });
        }
    }
}

fn retry(ui: &mut Ui, path: &Arc<str>, actions: &mut Vec<Action>) {
    let button = Button::new((widgets::icon_text(ICON_REFRESH), "Retry"));
    let tooltip =
        widgets::command_tooltip(ui, Command::Reimport).replacen(Command::Reimport.text(), "Retry", 1);
    if ui.add(button).accessible_name("Retry").on_hover_text(tooltip).clicked() {
        actions.push(Action::ReimportAsset(path.clone()));
    }
}

/// Whether the sheet has been waited for long enough to say so; most are there before.
fn has_waited(ui: &Ui, path: &Arc<str>) -> bool {
    let id = Id::unique("canvas waits");
    let now = ui.input(|input| input.time);
    let since = ui.data_mut(|data| {
        let (sheet, since, last) = data.get_temp_mut_or(id, (path.clone(), now, now));
        // Another sheet, or the same one another time.
        if sheet != path || now - *last > 2.0 * PATIENCE {
            *sheet = path.clone();
            *since = now;
        }
        *last = now;
        *since
    });
    let rest = PATIENCE - (now - since);
    if rest > 0.0 {
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(rest));
    }
    rest <= 0.0
}

/// Words in the middle of the canvas, on a card where a picture is behind them.
fn centered(ui: &mut Ui, rect: Rect, is_over_picture: bool, add: impl FnOnce(&mut Ui)) {
    let width = CARD_WIDTH.min(rect.width() - 2.0 * theme::AROUND);
    if width < 40.0 {
        return;
    }
    let id = ui.make_persistent_id("canvas card");
    // The height is known once it has been drawn; until then it is about right.
    let height = ui.data(|data| data.get_temp::<f32>(id)).unwrap_or(120.0);
    let card = Rect::from_center_size(rect.center(), Vec2::new(width, height.min(rect.height())));
    let builder = UiBuilder::new().max_rect(card).layout(Layout::top_down(Align::Center));
    let mut frame = Frame::new().corner_radius(6).inner_margin(theme::AROUND);
    if is_over_picture {
        let palette = theme::palette(ui);
        frame = frame.fill(palette.surface).stroke(Stroke::new(1.0, palette.line));
    }
    let drawn = ui.scope_builder(builder, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(width - 2.0 * theme::AROUND);
            add(ui);
        })
    });
    let drawn_height = drawn.inner.response.rect.height();
    if (drawn_height - height).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, drawn_height));
        ui.ctx().request_discard("the card's height is known now");
    }
}

fn headline(ui: &mut Ui, icon: MaterialIcon, color: egui::Color32, title: &str) {
    ui.add(Label::new(icon.rich_text().size(24.0).color(color)).selectable(false));
    ui.add_space(theme::INSIDE);
    ui.add(Label::new(RichText::new(title).strong()).wrap());
}

fn explanation(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).color(theme::palette(ui).weak_text)).wrap());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::Guid;
    use crate::model::Code;

    fn asset(state: State, problems: &[Problem]) -> Asset {
        Asset {
            path: "assets/a.png".into(),
            guid: Guid::random(),
            guid_is_provisional: false,
            state,
            image: None,
            texture: None,
            frames: [].into(),
            findings: Arc::default(),
            problems: problems.into(),
        }
    }

    #[test]
    fn a_failed_import_gives_its_first_error_as_the_reason() {
        let document = Document::loading("assets/a.png".into(), None);
        let problems = [
            Problem::new(Code::FramePartlyOutside, "assets/a.png", "Frame 3 lies partly outside"),
            Problem::new(Code::FrameInvalid, "assets/a.png", "Frame 4 has no pixels").at_frame(4),
            Problem::new(Code::ImageDamaged, "assets/a.png", "The image is cut short"),
        ];
        let told = matter(&document, Some(&asset(State::Failed, &problems)), None);
        let Some(Matter::Failed { reason, .. }) = told else { panic!("{told:?}") };
        assert_eq!(reason, "The image is cut short");
    }

    #[test]
    fn a_sheet_on_its_way_says_which_way() {
        let document = Document::loading("assets/a.png".into(), None);
        let told = |asset: Option<&Asset>| matter(&document, asset, None);
        assert_eq!(told(None), Some(Matter::Wait("Opening")));
        assert_eq!(told(Some(&asset(State::Importing, &[]))), Some(Matter::Wait("Importing")));
        let missing = told(Some(&asset(State::Missing, &[])));
        assert!(matches!(missing, Some(Matter::Failed { title: "The image is missing", .. })), "{missing:?}");
    }
}
