//! How the sheet becomes a texture: the target it is shown for, pixel format, Max Size, dithering and chroma key, each with
//! what it costs.

mod dithering;
mod figures;
mod format;
mod key;
mod list;
mod max_size;
mod target;

use std::sync::Arc;

use eframe::egui;
use egui::Ui;

use super::part_title;
use crate::edit::Edit;
use crate::geometry::{Size, stored_size};
use crate::model::{Sheet, Storing, Target, TargetSettings, TextureDefaults};
use crate::registry::Asset;
use crate::session::{Action, Document, Session};
use crate::texture::PixelFormat;
use crate::ui::widgets;

/// What the section keeps from one pass to the next.
#[derive(Default)]
pub(super) struct Texture {
    /// Whether the next click on the canvas gives the chroma key.
    picks_key: bool,
    /// The colour that was clicked.
    picked: Option<[u8; 3]>,
    /// The sheet that this is about.
    path: Option<Arc<str>>,
}

impl Texture {
    /// Whether the next click on the canvas gives the chroma key.
    pub(super) fn wants_color(&self) -> bool {
        self.picks_key
    }

    /// Takes the colour of the image where the canvas was clicked.
    pub(super) fn take_color(&mut self, rgb: [u8; 3]) {
        self.picked = Some(rgb);
        self.picks_key = false;
    }

    /// Another sheet is shown.
    pub(super) fn leave(&mut self) {
        *self = Self::default();
    }
}

/// The sheet that is stored, and all that has a say in how.
struct Subject<'a> {
    sheet: &'a Sheet,
    /// Size of the image.
    image: Size,
    /// Whether the image lets anything through; `None` before that is known.
    has_alpha: Option<bool>,
    defaults: TextureDefaults,
    target: Option<&'a Target>,
    /// How it is stored, all said.
    storing: Storing,
    /// The colour that the image has around its sprites.
    background: Option<[u8; 3]>,
}

impl<'a> Subject<'a> {
    fn of(session: &'a Session, document: &'a Document, asset: Option<&Asset>) -> Self {
        let sheet = document.sheet();
        Self {
            sheet,
            image: document.image_size,
            has_alpha: asset.and_then(|asset| asset.image.as_ref()).and_then(|image| image.has_alpha),
            defaults: session.project_settings().defaults,
            target: session.target(),
            storing: session.storing(sheet),
            background: background(session, document),
        }
    }

    /// What the sheet says for the target that is shown.
    fn own(&self) -> TargetSettings {
        let own = self.target.and_then(|target| self.sheet.settings.targets.get(&target.name));
        own.copied().unwrap_or_default()
    }

    /// The same sheet when it says something else for the target.
    fn set_own(&self, own: TargetSettings) -> Option<Edit> {
        self.target.map(|target| Edit::SetTarget(target.name.clone(), own))
    }

    /// How it would be stored after an edit.
    fn storing_after(&self, edit: &Edit) -> Storing {
        let mut settings = (*self.sheet.settings).clone();
        match edit {
            Edit::SetFormat(format) => settings.format = *format,
            Edit::SetMaxSize(side) => settings.max_size = *side,
            Edit::SetTarget(name, own) => drop(settings.targets.insert(name.clone(), *own)),
            _ => {}
        }
        settings.storing(&self.defaults, self.target)
    }

    /// The pixel format of that; `None` while Automatic does not know the image.
    fn format_of(&self, storing: &Storing) -> Option<PixelFormat> {
        storing.format.or(self.has_alpha.map(PixelFormat::automatic))
    }

    /// "32 kB" of pixels when it is stored so; nothing while the format is not known.
    fn bytes_of(&self, storing: &Storing) -> String {
        let size = stored_size(self.image, storing.max_size);
        let bytes = self.format_of(storing).map(|format| size.area() * format.bytes_per_pixel() as u64);
        bytes.map(widgets::bytes_text).unwrap_or_default()
    }
}

/// The colour that a look at the image found around its sprites.
fn background(session: &Session, document: &Document) -> Option<[u8; 3]> {
    let found = session.study(document)?;
    found.shown()?.background.as_ref()?.colours.first().copied()
}

/// The section.
pub(super) fn ui(
    ui: &mut Ui,
    session: &Session,
    document: &Document,
    asset: Option<&Asset>,
    state: &mut Texture,
    actions: &mut Vec<Action>,
) {
    if state.path.as_ref() != Some(&document.path) {
        *state = Texture { path: Some(document.path.clone()), ..Texture::default() };
    }
    state.picks_key &= !ui.input(|input| input.key_pressed(egui::Key::Escape));
    let subject = Subject::of(session, document, asset);
    let bytes = subject.bytes_of(&subject.storing);
    let words = if bytes.is_empty() { bytes } else { format!("{bytes} of pixels") };
    part_title(ui, "Texture", &words);
    target::ui(ui, session, actions);
    format::ui(ui, &subject, actions);
    max_size::ui(ui, &subject, actions);
    dithering::ui(ui, &subject, actions);
    key::ui(ui, &subject, state, actions);
    figures::ui(ui, session, document, &subject);
}

#[cfg(test)]
impl Subject<'_> {
    /// A sheet of that size that says nothing, in a project that says nothing.
    fn silent(sheet: &Sheet, image: Size, has_alpha: Option<bool>) -> Subject<'_> {
        Subject {
            sheet,
            image,
            has_alpha,
            defaults: TextureDefaults::default(),
            target: None,
            storing: Storing::default(),
            background: None,
        }
    }
}
