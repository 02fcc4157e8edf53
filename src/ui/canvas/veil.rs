//! The background, dimmed while sprites are told from it by its colour.

use std::sync::Arc;

use eframe::egui;
use egui::{Color32, Painter};

use super::tiles::{Mapping, Tiles, as_tiled};
use crate::geometry::PixelRect;
use crate::session::{Pictures, Tiled as _, Veil};

/// How much of the veil's colour covers the background: it recedes, and what it is can still be seen.
const STRENGTH: f32 = 0.75;

/// The veil that is on the screen.
#[derive(Default)]
pub(super) struct Dimming {
    shown: Option<Arc<Veil>>,
}

impl Dimming {
    /// Lays a veil over the image that `mapping` puts on the screen. One that follows another takes its place once
    /// all that shows of it is there, so that the background does not light up while a slider moves.
    pub(super) fn paint(
        &mut self,
        painter: &Painter,
        tiles: &mut Tiles,
        pictures: &Pictures,
        newest: &Arc<Veil>,
        mapping: &Mapping,
        color: Color32,
    ) {
        let whole = PixelRect::of_image(newest.size());
        let shown = self.shown.as_ref().filter(|shown| shown.size() == newest.size());
        let is_other = shown.is_some_and(|shown| shown.serial() != newest.serial());
        if shown.is_none()
            || (is_other && tiles.prepare(painter, pictures, &as_tiled(newest), whole, mapping))
        {
            self.shown = Some(newest.clone());
        }
        if let Some(shown) = &self.shown {
            let color = color.gamma_multiply(STRENGTH);
            tiles.paint(painter, pictures, &as_tiled(shown), whole, mapping, color);
        }
    }

    /// Nothing is dimmed any more.
    pub(super) fn leave(&mut self) {
        self.shown = None;
    }
}
