//! What can be done with a row of the browser, and with the folder that holds all.

use std::sync::Arc;

use eframe::egui;
use egui::{Response, Ui};

use super::files::Asked;
use super::rows::RowContext;
use crate::guid::Guid;
use crate::registry::Asset;
use crate::session::{Action, SelectMode, folder_of};

/// The menu of a sheet.
pub(super) fn sheet(response: &Response, asset: &Asset, context: &mut RowContext<'_>) {
    response.context_menu(|ui| {
        let path = &asset.path;
        if ui.button("Open").clicked() {
            context.actions.push(Action::OpenSheet(path.clone()));
        }
        reveal(ui, path, context);
        ui.separator();
        files(ui, path, folder_of(path), context);
        ui.separator();
        copies(ui, path, Some(asset.guid), context);
        ui.separator();
        if ui.button("Reimport").clicked() {
            context.actions.push(Action::ReimportAsset(path.clone()));
        }
    });
}

/// The menu of a scene.
pub(super) fn scene(response: &Response, path: &Arc<str>, context: &mut RowContext<'_>) {
    let guid = context.open.registry.referrer(path).map(|scene| scene.guid);
    response.context_menu(|ui| {
        if ui.button("Open").clicked() {
            context.actions.push(Action::OpenScene(path.clone()));
        }
        reveal(ui, path, context);
        ui.separator();
        files(ui, path, folder_of(path), context);
        ui.separator();
        copies(ui, path, guid, context);
    });
}

/// The menu of a folder.
pub(super) fn folder(response: &Response, path: &Arc<str>, context: &mut RowContext<'_>) {
    response.context_menu(|ui| {
        reveal(ui, path, context);
        ui.separator();
        files(ui, path, path, context);
        ui.separator();
        copies(ui, path, None, context);
    });
}

/// The menu of a frame.
pub(super) fn frame(
    response: &Response,
    path: &Arc<str>,
    (id, guid): (crate::model::FrameId, Guid),
    context: &mut RowContext<'_>,
) {
    response.context_menu(|ui| {
        if ui.button("Select").clicked() {
            context.actions.push(Action::Select(path.clone(), id, SelectMode::Replace));
        }
        if ui.button("Copy frame GUID").clicked() {
            context.actions.push(Action::CopyText(guid.to_string()));
        }
    });
}

/// The menu of what is below all rows.
pub(super) fn rest(response: &Response, context: &mut RowContext<'_>) {
    let top = context.session.top_folder();
    response.context_menu(|ui| new_folder(ui, top, context));
}

fn reveal(ui: &mut Ui, path: &Arc<str>, context: &mut RowContext<'_>) {
    if ui.button("Show in file manager").clicked() {
        context.actions.push(Action::RevealFile(path.clone()));
    }
}

fn copies(ui: &mut Ui, path: &Arc<str>, guid: Option<Guid>, context: &mut RowContext<'_>) {
    if ui.button("Copy path").clicked() {
        context.actions.push(Action::CopyText(path.to_string()));
    }
    if let Some(guid) = guid
        && ui.button("Copy GUID").clicked()
    {
        context.actions.push(Action::CopyText(guid.to_string()));
    }
}

/// What changes the files themselves; new folders go into `parent`.
fn files(ui: &mut Ui, path: &Arc<str>, parent: &str, context: &mut RowContext<'_>) {
    let entries = [
        (
            "Rename…",
            "F2",
            "Another name; the sidecar goes along and references hold",
            Asked::Rename(path.clone()),
        ),
        (
            "Move to…",
            "",
            "Into another folder; the sidecar goes along and references hold",
            Asked::Move(path.clone()),
        ),
        ("Delete…", "Del", "Into the system's trash, after a question", Asked::Delete(path.clone())),
    ];
    for (name, key, tooltip, asked) in entries {
        if entry(ui, (name, key, tooltip), context) {
            context.asked = Some(asked);
        }
    }
    new_folder(ui, parent, context);
}

fn new_folder(ui: &mut Ui, parent: &str, context: &mut RowContext<'_>) {
    if entry(ui, ("New folder…", "", "An empty folder in this one"), context) {
        context.asked = Some(Asked::NewFolder(parent.into()));
    }
}

/// An entry with its key; whether it was chosen.
fn entry(ui: &mut Ui, (name, key, tooltip): (&str, &str, &str), context: &RowContext<'_>) -> bool {
    let why = context.session.why_no_file_work();
    let button = egui::Button::new(name).shortcut_text(key);
    let response = ui.add_enabled(why.is_none(), button).accessible_name(name);
    let response = response.on_hover_text(tooltip).on_disabled_hover_text(why.unwrap_or_default());
    response.clicked()
}
