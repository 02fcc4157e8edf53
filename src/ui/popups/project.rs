//! What the project says of all its textures: formats and sizes of sheets that say nothing, and its targets.

use std::sync::Arc;

use eframe::egui;
use egui::{ComboBox, Grid, Label, RichText, ScrollArea, TextEdit, Ui, Vec2};
use egui_material_icons::icons::{ICON_ADD, ICON_DELETE};

use super::parts::{self, Choice};
use super::{Stage, dialogs};
use crate::format::project_file::why_no_target;
use crate::model::{ProjectSettings, Target, TargetSettings, TextureDefaults};
use crate::session::{Action, Session};
use crate::texture::{Dithering, PixelFormat};
use crate::ui::theme::{self, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::widgets::{self, Tone};

const WIDTH: f32 = 560.0;
const NAME_WIDTH: f32 = 140.0;
const FORMAT_WIDTH: f32 = 112.0;
const NUMBER_WIDTH: f32 = 96.0;
/// Longer lists scroll.
const LIST_HEIGHT: f32 = 8.0 * ROW_HEIGHT;
/// No image is larger.
const MOST: i32 = 65_536;
/// Where the arrow keys begin in a field without a number.
const START: i32 = 256;

/// The settings that are being changed.
pub(super) struct ProjectTextures {
    defaults: TextureDefaults,
    targets: Vec<Row>,
    before: Arc<ProjectSettings>,
    /// The row whose name is to get the keyboard.
    named: Option<usize>,
}

/// A target that is being changed.
struct Row {
    name: String,
    settings: TargetSettings,
    max_texture: Option<u32>,
}

impl ProjectTextures {
    pub(super) fn new(session: &Session) -> Self {
        let before = session.project_settings();
        let targets = before.targets.iter().map(|target| Row {
            name: target.name.to_string(),
            settings: target.settings,
            max_texture: target.max_texture,
        });
        Self { defaults: before.defaults, targets: targets.collect(), before, named: None }
    }

    fn settings(&self) -> ProjectSettings {
        let targets = self.targets.iter().map(|row| Target {
            name: row.name.trim().into(),
            settings: row.settings,
            max_texture: row.max_texture,
        });
        ProjectSettings { defaults: self.defaults, targets: targets.collect() }
    }

    fn why_not(&self) -> Option<String> {
        for (index, row) in self.targets.iter().enumerate() {
            let name = row.name.trim();
            if let Some(why) = why_no_target(name) {
                return Some(format!("Target {}: {why}", index + 1));
            }
            // Its folder is to be its own also where case makes no difference.
            let is_taken = |other: &Row| other.name.trim().eq_ignore_ascii_case(name);
            if self.targets.iter().take(index).any(is_taken) {
                return Some(format!("Target {}: there is another {name}", index + 1));
            }
        }
        (self.settings() == *self.before).then(|| "Nothing was changed".to_owned())
    }

    pub(super) fn ui(&mut self, ui: &Ui, stage: &mut Stage<'_>) -> bool {
        let shown = dialogs::modal("project textures", ui).show(ui, |ui| {
            dialogs::set_width(ui, WIDTH);
            dialogs::title(ui, "Targets and defaults");
            parts::explanation(
                ui,
                "What counts for sheets that say nothing themselves. Kept in cutsheet.json.",
            );
            ui.add_space(INSIDE);
            self.defaults(ui);
            ui.add_space(BETWEEN);
            self.targets(ui);
            let why_not = self.why_not();
            let words = why_not.clone().or_else(|| self.consequence(stage.session));
            let tone =
                if why_not.is_some() && self.settings() != *self.before { Tone::Warning } else { Tone::Info };
            parts::message(ui, words.as_deref().map(|words| (tone, words)), |_| ());
            let choice = parts::buttons(ui, "Save", "Enter", why_not.as_deref());
            let takes = choice == Choice::Nothing && parts::is_entered(ui) && why_not.is_none();
            if takes { Choice::Take } else { choice }
        });
        let choice = if shown.should_close() { Choice::GiveUp } else { shown.inner };
        if choice == Choice::Take {
            stage.actions.push(Action::SaveProjectSettings(self.settings()));
        }
        choice != Choice::Nothing
    }

    /// What saving does, before it is done.
    fn consequence(&self, session: &Session) -> Option<String> {
        let now = self.settings();
        let removed = self.before.targets.iter().filter(|target| now.target(&target.name).is_none()).count();
        let sheets = session.project().map_or(0, |open| open.registry.assets().count());
        match (now.defaults == self.before.defaults, removed) {
            (false, _) => Some(format!(
                "Of {} those that say nothing get other textures",
                widgets::count_text(sheets, "sheet")
            )),
            (true, 0) => None,
            (true, removed) => Some(format!(
                "Without {} what sheets say for it stays in their files",
                widgets::count_text(removed, "target")
            )),
        }
    }

    fn defaults(&mut self, ui: &mut Ui) {
        widgets::section_title(ui, "Defaults");
        Grid::new("defaults").num_columns(3).spacing(Vec2::new(BETWEEN, INSIDE)).show(ui, |ui| {
            for head in ["Format", "Max Size", "Dithering"] {
                header(ui, head);
            }
            ui.end_row();
            format_list(ui, "Format of the project", "Automatic", &mut self.defaults.format);
            side(ui, "Max Size of the project", "unlimited", &mut self.defaults.max_size);
            let chosen = &mut self.defaults.dithering;
            let combo = ComboBox::from_id_salt("dithering").width(FORMAT_WIDTH).selected_text(chosen.words());
            let combo = combo.show_ui(ui, |ui| {
                for dithering in Dithering::ALL {
                    ui.selectable_value(chosen, dithering, dithering.words());
                }
            });
            combo.response.accessible_name("Dithering of the project");
            ui.end_row();
        });
    }

    fn targets(&mut self, ui: &mut Ui) {
        widgets::section_title(ui, "Targets");
        let mut removed = None;
        let named = self.named.take();
        if self.targets.is_empty() {
            parts::explanation(
                ui,
                "A target is a kind of device: its textures have a format and a size of their own, beside those that are \
                 made anyway.",
            );
        } else {
            ScrollArea::vertical().max_height(LIST_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
                Grid::new("targets").num_columns(5).spacing(Vec2::new(BETWEEN, INSIDE)).show(ui, |ui| {
                    for head in ["Name", "Format", "Max Size", "Largest texture", ""] {
                        header(ui, head);
                    }
                    ui.end_row();
                    for (index, row) in self.targets.iter_mut().enumerate() {
                        let number = index + 1;
                        let name = TextEdit::singleline(&mut row.name).hint_text("handheld");
                        let name = ui
                            .add_sized([NAME_WIDTH, ROW_HEIGHT], name)
                            .accessible_name(format!("Name of target {number}"));
                        if named == Some(index) {
                            name.request_focus();
                        }
                        let format = format!("Format of target {number}");
                        format_list(ui, &format, "As the sheet", &mut row.settings.format);
                        side(
                            ui,
                            &format!("Max Size of target {number}"),
                            "as the sheet",
                            &mut row.settings.max_size,
                        );
                        let label = format!("Largest texture of target {number}");
                        side(ui, &label, "any", &mut row.max_texture);
                        let remove = format!("Remove target {number}");
                        if widgets::icon_button(ui, ICON_DELETE, &remove, "").clicked() {
                            removed = Some(index);
                        }
                        ui.end_row();
                    }
                });
            });
        }
        if let Some(index) = removed {
            self.targets.remove(index);
        }
        let add = egui::Button::new((widgets::icon_text(ICON_ADD), "Add a target"));
        if ui.add(add).accessible_name("Add a target").clicked() {
            self.named = Some(self.targets.len());
            self.targets.push(Row {
                name: String::new(),
                settings: TargetSettings::default(),
                max_texture: None,
            });
        }
    }
}

fn header(ui: &mut Ui, text: &str) {
    let text = RichText::new(text).small().color(theme::palette(ui).weak_text);
    ui.add(Label::new(text).selectable(false));
}

fn format_list(ui: &mut Ui, name: &str, nothing: &str, chosen: &mut Option<PixelFormat>) {
    let text = match chosen {
        Some(format) => format.name(),
        None => nothing,
    };
    let combo = ComboBox::from_id_salt(name).width(FORMAT_WIDTH).selected_text(text);
    let combo = combo.show_ui(ui, |ui| {
        ui.selectable_value(chosen, None, nothing);
        for format in PixelFormat::ALL {
            ui.selectable_value(chosen, Some(format), format.name());
        }
    });
    combo.response.accessible_name(name);
}

/// A number of pixels, or none, which 0 means too.
fn side(ui: &mut Ui, name: &str, none: &str, side: &mut Option<u32>) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size = Vec2::new(NUMBER_WIDTH, ROW_HEIGHT);
        let mut value = side.and_then(|side| i32::try_from(side).ok());
        let field = widgets::optional_field(ui, name, &mut value, (none, START), 0..=MOST, "px");
        field.response.on_hover_text("0 takes the limit away");
        if field.changed {
            *side = value.and_then(|value| u32::try_from(value).ok()).filter(|side| *side > 0);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn popup(targets: &[&str]) -> ProjectTextures {
        let row = |name: &&str| Row {
            name: (*name).to_owned(),
            settings: TargetSettings::default(),
            max_texture: None,
        };
        ProjectTextures {
            defaults: TextureDefaults::default(),
            targets: targets.iter().map(row).collect(),
            before: Arc::default(),
            named: None,
        }
    }

    #[test]
    fn names_that_give_no_folder_of_their_own_are_refused() {
        assert_eq!(popup(&["handheld", "console"]).why_not(), None);
        for names in [&["handheld", "Handheld "][..], &["../up"], &[""], &["con"]] {
            assert!(popup(names).why_not().is_some_and(|why| why.starts_with("Target ")), "{names:?}");
        }
        assert_eq!(popup(&[]).why_not().as_deref(), Some("Nothing was changed"));
    }
}
