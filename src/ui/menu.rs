//! The menu bar: all commands by name, and at its right end what is open.

use eframe::egui;
use egui::color_picker::{Alpha, color_picker_color32};
use egui::containers::menu::{MenuConfig, SubMenuButton};
use egui::{Align, Atom, Button, Label, Layout, MenuBar, PopupCloseBehavior, RichText, Ui, Vec2};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_ADD_PHOTO_ALTERNATE, ICON_CENTER_FOCUS_STRONG, ICON_CHECK, ICON_CREATE_NEW_FOLDER,
    ICON_DELETE_SWEEP, ICON_DESELECT, ICON_FIT_SCREEN, ICON_FOLDER_OPEN, ICON_HISTORY, ICON_INFO,
    ICON_KEYBOARD, ICON_LOGOUT, ICON_REDO, ICON_REFRESH, ICON_SAVE, ICON_SELECT_ALL, ICON_UNDO, ICON_ZOOM_IN,
    ICON_ZOOM_OUT,
};

use super::canvas::{self, Tool};
use super::theme::{self, BETWEEN, ICON_SIZE, INSIDE};
use super::{UiState, carry, scene, widgets};
use crate::session::{Action, Backdrop, Command, Session, ThemeChoice, Workspace};

/// A drag that is held over a workspace for so many seconds opens it.
const RESTS_AFTER: f64 = 0.5;
const MENU_WIDTH: f32 = 232.0;
/// Longer names of projects and sheets are cut.
const NAME_WIDTH: f32 = 280.0;

/// The menu bar.
pub fn ui(ui: &mut Ui, session: &Session, state: &mut UiState, actions: &mut Vec<Action>) {
    let config = MenuConfig::default().close_behavior(PopupCloseBehavior::CloseOnClick);
    MenuBar::new().config(config).ui(ui, |ui| {
        ui.spacing_mut().button_padding = Vec2::new(BETWEEN, 2.0);
        ui.spacing_mut().item_spacing.x = 0.0;
        let mut menu = Menu { session, actions };
        ui.menu_button("File", |ui| menu.file(ui));
        ui.menu_button("Edit", |ui| menu.edit(ui));
        match session.workspace() {
            Workspace::Slice => ui.menu_button("Frames", |ui| menu.frames(ui)),
            Workspace::Scene => ui.menu_button("Objects", |ui| menu.objects(ui)),
        };
        ui.menu_button("View", |ui| menu.view(ui, state));
        ui.menu_button("Project", |ui| menu.project(ui));
        ui.menu_button("Help", |ui| menu.help(ui));
        if session.project().is_some() {
            workspaces(ui, session, menu.actions);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| what_is_open(ui, session));
    });
}

struct Menu<'a> {
    session: &'a Session,
    actions: &'a mut Vec<Action>,
}

impl Menu<'_> {
    fn file(&mut self, ui: &mut Ui) {
        prepare(ui);
        self.entry(ui, Command::NewProject, Some(ICON_CREATE_NEW_FOLDER));
        self.entry(ui, Command::OpenProject, Some(ICON_FOLDER_OPEN));
        self.entry(ui, Command::OpenImage, Some(ICON_ADD_PHOTO_ALTERNATE));
        self.recent(ui);
        self.entry(ui, Command::CopySample, None);
        ui.separator();
        self.entry(ui, Command::NewScene, None);
        ui.separator();
        self.entry(ui, Command::Save, Some(ICON_SAVE));
        self.entry(ui, Command::SaveAs, None);
        self.entry(ui, Command::SaveAll, None);
        self.entry(ui, Command::Revert, None);
        ui.separator();
        self.entry(ui, Command::RenameFile, None);
        self.entry(ui, Command::MoveFile, None);
        self.entry(ui, Command::DeleteFile, None);
        self.entry(ui, Command::NewFolder, None);
        ui.separator();
        self.entry(ui, Command::Export, None);
        self.entry(ui, Command::SaveFrames, None);
        ui.separator();
        self.entry(ui, Command::CloseTab, None);
        self.entry(ui, Command::CloseProject, None);
        ui.separator();
        self.entry(ui, Command::Quit, Some(ICON_LOGOUT));
    }

    fn recent(&mut self, ui: &mut Ui) {
        let recent = &self.session.prefs().recent;
        if recent.is_empty() {
            let button = Button::new((icon_slot(None), "Open recent"));
            ui.add_enabled(false, button).on_disabled_hover_text("Nothing was opened yet");
            return;
        }
        ui.menu_button((icon_slot(None), "Open recent"), |ui| {
            prepare(ui);
            for recent in recent {
                let response =
                    ui.button(recent.name.as_str()).on_hover_text(recent.path.display().to_string());
                if response.clicked() {
                    self.actions.push(Action::Open(recent.path.clone()));
                }
            }
        });
    }

    fn edit(&mut self, ui: &mut Ui) {
        prepare(ui);
        let step = |verb: &str, label: Option<&str>| {
            label.map_or_else(|| verb.to_owned(), |it| format!("{verb} {it}"))
        };
        let (undo, redo) = self.session.undo_and_redo_labels();
        let (undo, redo) = (step("Undo", undo), step("Redo", redo));
        self.entry_as(ui, Command::Undo, Some(ICON_UNDO), &undo);
        self.entry_as(ui, Command::Redo, Some(ICON_REDO), &redo);
        ui.separator();
        self.entry(ui, Command::History, Some(ICON_HISTORY));
        ui.separator();
        let of_workspace = match self.session.workspace() {
            Workspace::Slice => [
                Command::CutFrames,
                Command::CopyFrames,
                Command::CopyFrameRef,
                Command::DuplicateFrames,
                Command::DeleteFrames,
            ],
            Workspace::Scene => [
                Command::CutObjects,
                Command::CopyObjects,
                Command::PasteObjects,
                Command::DuplicateObjects,
                Command::DeleteObjects,
            ],
        };
        for command in of_workspace {
            self.entry(ui, command, None);
        }
        ui.separator();
        self.entry(ui, Command::SelectAll, Some(ICON_SELECT_ALL));
        self.entry(ui, Command::Deselect, Some(ICON_DESELECT));
        self.entry(ui, Command::InvertSelection, None);
        if self.session.workspace() == Workspace::Slice {
            ui.separator();
            self.entry(ui, Command::ClearSlicing, Some(ICON_DELETE_SWEEP));
        }
    }

    fn objects(&mut self, ui: &mut Ui) {
        prepare(ui);
        self.entry(ui, Command::AddObject, None);
        self.entry(ui, Command::RenameObject, None);
        self.entry(ui, Command::ShowObjects, None);
        ui.separator();
        self.entry(ui, Command::ObjectUp, None);
        self.entry(ui, Command::ObjectDown, None);
        ui.separator();
        self.entry(ui, Command::PickSprite, None);
        self.entry(ui, Command::ClearSprite, None);
        self.entry(ui, Command::RemoveSprite, None);
    }

    fn frames(&mut self, ui: &mut Ui) {
        prepare(ui);
        self.entry(ui, Command::RenameFrames, None);
        self.entry(ui, Command::NameRows, None);
        ui.separator();
        self.entry(ui, Command::MergeFrames, None);
        self.entry(ui, Command::SplitFrame, None);
        ui.separator();
        self.entry(ui, Command::TrimFrames, None);
        self.entry(ui, Command::TrimAlike, None);
        self.entry(ui, Command::GrowFrames, None);
        self.entry(ui, Command::ShrinkFrames, None);
        self.entry(ui, Command::SameSize, None);
        ui.menu_button((icon_slot(None), "Align"), |ui| {
            prepare(ui);
            for command in [
                Command::AlignLeft,
                Command::AlignCenterX,
                Command::AlignRight,
                Command::AlignTop,
                Command::AlignCenterY,
                Command::AlignBottom,
            ] {
                self.entry(ui, command, None);
            }
        });
        ui.separator();
        self.entry(ui, Command::MoveEarlier, None);
        self.entry(ui, Command::MoveLater, None);
        ui.separator();
        self.entry(ui, Command::ApplyToOthers, None);
        self.entry(ui, Command::ToAtlas, None);
    }

    fn view(&mut self, ui: &mut Ui, state: &UiState) {
        prepare(ui);
        self.entry(ui, Command::SliceWorkspace, check(self.session.workspace() == Workspace::Slice));
        self.entry(ui, Command::SceneWorkspace, check(self.session.workspace() == Workspace::Scene));
        ui.separator();
        match self.session.workspace() {
            Workspace::Slice => {
                for (tool, command, icon) in Tool::ALL {
                    let is_active = state.canvas.tool() == tool;
                    self.entry(ui, command, Some(if is_active { ICON_CHECK } else { icon }));
                }
                ui.separator();
                self.entry(ui, Command::Snap, check(state.canvas.snaps()));
                self.entry(ui, Command::ShowFrames, check(state.canvas.shows_frames()));
                self.entry(ui, Command::ShowPixelGrid, check(state.canvas.shows_pixel_grid()));
                self.entry(ui, Command::NineSlice, check(state.canvas.nine_slice().is_on()));
            }
            Workspace::Scene => {
                for (tool, command, icon) in scene::Tool::ALL {
                    let is_active = state.scene.tool() == tool;
                    self.entry(ui, command, Some(if is_active { ICON_CHECK } else { icon }));
                }
                ui.separator();
                self.entry(ui, Command::Snap, check(state.scene.snaps()));
            }
        }
        ui.separator();
        self.entry(ui, Command::Fit, Some(ICON_FIT_SCREEN));
        self.entry(ui, Command::ActualSize, None);
        self.entry(ui, Command::ZoomIn, Some(ICON_ZOOM_IN));
        self.entry(ui, Command::ZoomOut, Some(ICON_ZOOM_OUT));
        self.entry(ui, Command::FrameSelection, Some(ICON_CENTER_FOCUS_STRONG));
        ui.separator();
        if self.session.workspace() == Workspace::Slice {
            ui.menu_button((icon_slot(None), "Compare"), |ui| self.compare(ui, state));
        }
        self.entry(ui, Command::ShowSource, None);
        self.entry(ui, Command::ShowChanges, None);
        ui.separator();
        self.entry(ui, Command::Browser, check(!state.hidden.browser));
        self.entry(ui, Command::Inspector, check(!state.hidden.inspector));
        self.entry(ui, Command::Problems, check(state.problems.is_open()));
        self.entry(ui, Command::NextProblem, None);
        self.entry(ui, Command::PreviousProblem, None);
        ui.separator();
        ui.menu_button((icon_slot(None), "Backdrop"), |ui| self.backdrop(ui));
        ui.menu_button((icon_slot(None), "Theme"), |ui| {
            prepare(ui);
            let theme = self.session.prefs().theme;
            self.entry(ui, Command::ThemeDark, check(theme == ThemeChoice::Dark));
            self.entry(ui, Command::ThemeLight, check(theme == ThemeChoice::Light));
            self.entry(ui, Command::ThemeSystem, check(theme == ThemeChoice::System));
        });
    }

    /// The image beside what the device draws, and what is marked there.
    fn compare(&mut self, ui: &mut Ui, state: &UiState) {
        prepare(ui);
        for command in canvas::TOGETHER {
            self.entry(ui, command, check(state.canvas.compares(command)));
        }
        ui.separator();
        for command in canvas::MARKED {
            self.entry(ui, command, check(state.canvas.compares(command)));
        }
    }

    /// What is behind transparent art.
    fn backdrop(&mut self, ui: &mut Ui) {
        prepare(ui);
        let now = self.session.prefs().backdrop;
        let fixed = [
            (Command::BackdropChecker, Backdrop::Checker),
            (Command::BackdropBlack, Backdrop::BLACK),
            (Command::BackdropWhite, Backdrop::WHITE),
            (Command::BackdropMagenta, Backdrop::MAGENTA),
        ];
        for (command, backdrop) in fixed {
            self.entry(ui, command, check(now == backdrop));
        }
        let is_own = fixed.iter().all(|(_, backdrop)| *backdrop != now);
        // A press in the picker is a choice that goes on.
        let stays = MenuConfig::default().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        SubMenuButton::new((icon_slot(check(is_own)), "Other colour")).config(stays).ui(ui, |ui| {
            let mut color = theme::chosen(match now {
                Backdrop::Color(color) => color,
                Backdrop::Checker => [128; 3],
            });
            if color_picker_color32(ui, &mut color, Alpha::Opaque) {
                let [red, green, blue, _] = color.to_array();
                self.actions.push(Action::SetBackdrop(Backdrop::Color([red, green, blue])));
            }
        });
    }

    fn project(&mut self, ui: &mut Ui) {
        prepare(ui);
        self.entry(ui, Command::Reimport, Some(ICON_REFRESH));
        self.entry(ui, Command::ReimportAll, None);
        self.entry(ui, Command::CancelImport, None);
        ui.separator();
        self.entry(ui, Command::FindUnused, None);
        ui.separator();
        self.entry(ui, Command::ProjectTextures, None);
    }

    fn help(&mut self, ui: &mut Ui) {
        prepare(ui);
        self.entry(ui, Command::Palette, None);
        self.entry(ui, Command::Shortcuts, Some(ICON_KEYBOARD));
        self.entry(ui, Command::About, Some(ICON_INFO));
    }

    fn entry(&mut self, ui: &mut Ui, command: Command, icon: Option<MaterialIcon>) {
        self.entry_as(ui, command, icon, command.text());
    }

    fn entry_as(&mut self, ui: &mut Ui, command: Command, icon: Option<MaterialIcon>, text: &str) {
        let shortcut = widgets::key_text(ui, command);
        let button = Button::new((icon_slot(icon), text)).shortcut_text(shortcut);
        let why_disabled = self.session.why_disabled(command);
        let response = ui.add_enabled(why_disabled.is_none(), button).accessible_name(text);
        // A tooltip would lie over the next entries, so only a reason is worth one.
        let response = response.on_disabled_hover_text(why_disabled.unwrap_or_default());
        if response.clicked() {
            self.actions.push(command.into());
        }
    }
}

fn prepare(ui: &mut Ui) {
    ui.set_min_width(MENU_WIDTH);
    ui.spacing_mut().button_padding = Vec2::new(BETWEEN, 2.0);
    ui.spacing_mut().item_spacing.y = 0.0;
}

/// The room that an icon takes, with or without one, so that names line up.
fn icon_slot(icon: Option<MaterialIcon>) -> Atom<'static> {
    Atom::paint(Vec2::splat(ICON_SIZE), move |ui, args| {
        if let Some(icon) = icon {
            let font = egui::FontId::new(ICON_SIZE, icon.font_family());
            let color = ui.visuals().weak_text_color();
            ui.painter().text(args.rect.center(), egui::Align2::CENTER_CENTER, icon.codepoint, font, color);
        }
    })
}

fn check(is_on: bool) -> Option<MaterialIcon> {
    is_on.then_some(ICON_CHECK)
}

/// The workspaces. Something that is dragged and rests on one opens it.
fn workspaces(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    ui.add_space(BETWEEN);
    ui.separator();
    ui.add_space(BETWEEN);
    for (workspace, command) in Workspace::ALL {
        let is_shown = session.workspace() == workspace;
        let button = Button::selectable(is_shown, command.text());
        let response = ui.add(button).accessible_name(format!("{} workspace", command.text()));
        if !is_shown && (response.clicked() || rests_on(ui, &response)) {
            actions.push(command.into());
        }
        response.on_hover_text(widgets::command_tooltip(ui, command));
        ui.add_space(INSIDE);
    }
}

/// Whether something that is dragged has been held over a place for half a second.
fn rests_on(ui: &Ui, place: &egui::Response) -> bool {
    let is_over = carry::carried(ui).is_some() && place.contains_pointer();
    let now = ui.input(|input| input.time);
    let since = is_over.then(|| ui.data(|data| data.get_temp(place.id)).unwrap_or(now));
    match since {
        Some(since) => {
            ui.data_mut(|data| data.insert_temp::<f64>(place.id, since));
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(RESTS_AFTER / 4.0));
        }
        None => ui.data_mut(|data| data.remove::<f64>(place.id)),
    }
    since.is_some_and(|since| now - since >= RESTS_AFTER)
}

/// Project and document, from the right.
fn what_is_open(ui: &mut Ui, session: &Session) {
    let Some(open) = session.project() else { return };
    ui.spacing_mut().item_spacing.x = BETWEEN;
    let weak = theme::palette(ui).weak_text;
    let project = Label::new(RichText::new(open.project.name()).color(weak)).truncate();
    ui.scope(|ui| {
        ui.set_max_width(NAME_WIDTH.min(ui.available_width()));
        ui.add(project).on_hover_text(open.project.root.display().to_string());
    });
    let shown = match session.workspace() {
        Workspace::Slice => session.current().map(|it| (it.file_name(), it.is_dirty(), &it.path)),
        Workspace::Scene => session.scene().map(|it| (it.file_name(), it.is_dirty(), &it.path)),
    };
    if let Some((name, is_dirty, path)) = shown {
        ui.add(Label::new(RichText::new("/").color(weak)).selectable(false));
        let dot = if is_dirty { " •" } else { "" };
        ui.add(Label::new(format!("{name}{dot}")).truncate()).on_hover_text(path.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    use super::*;

    #[test]
    fn without_a_project_saving_is_disabled_and_opening_is_not() {
        let session = Session::new(None, Arc::new(|| {})).unwrap();
        let mut harness = Harness::builder().with_context_setup(theme::install).build_ui_state(
            |ui, (session, state, actions): &mut (Session, UiState, Vec<Action>)| {
                super::ui(ui, session, state, actions);
            },
            (session, UiState::default(), Vec::new()),
        );
        harness.get_by_label("File").click();
        harness.run();
        assert!(harness.get_by_label("Save").accesskit_node().is_disabled());
        harness.get_by_label("Open project…").click();
        harness.run();
        assert!(matches!(harness.state().2.as_slice(), [Action::Command(Command::OpenProject)]));
    }
}
