//! Where a sheet is looked at: after commands and gestures, at first, and what is remembered of it.

use eframe::egui;
use egui::{Response, Ui};

use super::tool::Tool;
use super::view::{self, Screen, Viewpoint};
use super::{Canvas, FrameRef, others};
use crate::geometry::{PixelRect, Size};
use crate::session::{Action, Command, Document, Session};

/// Where a sheet is looked at, and what that was made for.
#[derive(Clone, Copy)]
pub(super) struct SheetView {
    pub(super) viewpoint: Viewpoint,
    pub(super) screen: Screen,
    /// Nobody has moved it yet, so it is fitted anew when the canvas changes its size.
    pub(super) is_fitted: bool,
}

impl Canvas {
    /// Where the sheet is looked at, after commands and gestures.
    pub(super) fn moved_view(
        &mut self,
        ui: &Ui,
        response: &Response,
        screen: Screen,
        session: &Session,
        document: &Document,
        size: Size,
    ) -> Viewpoint {
        let before = self.views.get(&document.path).copied();
        let mut view = before.unwrap_or_else(|| first_view(screen, session, document, size));
        if view.is_fitted && view.screen != screen {
            view.viewpoint = Viewpoint::fitting(size, screen);
        }
        view.screen = screen;
        for command in std::mem::take(&mut self.commands) {
            self.carry_out(command, &mut view, document, size);
        }
        self.look_at_wanted(&mut view, document);
        let pans = self.editing.tool == Tool::Pan;
        let mut is_moved = self.gestures.apply(ui, response, &mut view.viewpoint, screen, size, pans);
        is_moved |= self.compare.pan_and_zoom(ui, &mut view.viewpoint, size);
        view.is_fitted &= !is_moved;
        view.viewpoint = view.viewpoint.in_reach(size, screen);
        if before.is_some_and(|before| before.viewpoint != view.viewpoint) {
            self.gestures.view_changed(&document.path, ui.input(|input| input.time));
        }
        self.views.insert(document.path.clone(), view);
        view.viewpoint
    }

    fn carry_out(&mut self, command: Command, view: &mut SheetView, document: &Document, size: Size) {
        let SheetView { viewpoint, screen, is_fitted } = view;
        let middle = screen.rect.center();
        *is_fitted = command == Command::Fit;
        *viewpoint = match command {
            Command::Fit => Viewpoint::fitting(size, *screen),
            Command::ActualSize => viewpoint.zoomed_at(1.0, middle, *screen),
            Command::ZoomIn => viewpoint.zoomed_at(view::step_up(viewpoint.zoom), middle, *screen),
            Command::ZoomOut => {
                let smallest = Viewpoint::fitting(size, *screen).zoom;
                viewpoint.zoomed_at(view::step_down(viewpoint.zoom, smallest), middle, *screen)
            }
            Command::FrameSelection => {
                self.frames.sync(document);
                let bounds = self.frames.selection_bounds();
                bounds.map_or(*viewpoint, |bounds| Viewpoint::fitting_rect(bounds, *screen))
            }
            Command::ShowDifferences => {
                let theirs = document.theirs.as_ref().map(|theirs| others(document.sheet(), &theirs.sheet));
                let mine = document.theirs.as_ref().map(|theirs| others(&theirs.sheet, document.sheet()));
                let all = theirs.into_iter().chain(mine).flatten().filter(|rect| !rect.is_empty());
                let bounds = all.reduce(PixelRect::union);
                bounds.map_or(*viewpoint, |bounds| Viewpoint::fitting_rect(bounds, *screen))
            }
            _ => *viewpoint,
        };
    }

    fn look_at_wanted(&mut self, view: &mut SheetView, document: &Document) {
        let is_wanted = |wanted: &mut FrameRef| wanted.0 == document.path && document.is_ready();
        let Some((_, id)) = self.wanted.take_if(is_wanted) else { return };
        let rect = document.sheet().frame(id).and_then(|frame| frame.drawn_rect(document.image_size));
        let Some(rect) = rect else { return };
        let on_screen = view.viewpoint.placement(view.screen).rect_on_screen(rect);
        if !view.screen.rect.contains_rect(on_screen) {
            view.viewpoint = Viewpoint::fitting_rect(rect, view.screen);
            view.is_fitted = false;
        }
    }

    /// Says where the sheet is looked at once that has settled.
    pub(super) fn remember_settled_view(&mut self, ui: &Ui, response: &Response, actions: &mut Vec<Action>) {
        if self.gestures.has_settled(ui, response) {
            self.remember_view(actions);
        }
    }

    pub(super) fn remember_view(&mut self, actions: &mut Vec<Action>) {
        let Some(path) = self.gestures.take_changed() else { return };
        if let Some(SheetView { viewpoint, screen, .. }) = self.views.get(&path) {
            actions.push(Action::RememberView(path, viewpoint.to_remember(*screen)));
        }
    }
}

/// Where a sheet is looked at when it is shown for the first time: as before, or all of it.
fn first_view(screen: Screen, session: &Session, document: &Document, size: Size) -> SheetView {
    let remembered = session
        .project()
        .and_then(|open| session.prefs().views.get(&open.project.file(&document.path)))
        .map(|view| Viewpoint::from_remembered(*view, screen));
    SheetView {
        viewpoint: remembered.unwrap_or_else(|| Viewpoint::fitting(size, screen)),
        screen,
        is_fitted: remembered.is_none(),
    }
}
