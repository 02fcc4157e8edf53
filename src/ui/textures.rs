//! Bitmaps on the graphics card, uploaded once and kept while they are drawn.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use eframe::egui;
use egui::{ColorImage, Context, TextureFilter, TextureHandle, TextureId, TextureOptions};

use crate::session::{Bitmap, BitmapKey};

/// Passes after which a texture that nobody drew is let go.
const KEEP_PASSES: u64 = 600;

/// Sharp when enlarged, even when made smaller.
const OPTIONS: TextureOptions =
    TextureOptions { minification: TextureFilter::Linear, ..TextureOptions::NEAREST };

struct Uploaded {
    handle: TextureHandle,
    /// Tells whether it is still this bitmap: while a new one is made, the last good one is shown under its key.
    bitmap: Weak<Bitmap>,
    last_pass: u64,
}

/// Thumbnails and frames as textures.
#[derive(Default)]
pub struct Textures {
    uploaded: HashMap<BitmapKey, Uploaded>,
    swept: u64,
}

impl Textures {
    /// The texture of a bitmap, uploaded when it is not there yet.
    pub fn get(&mut self, ctx: &Context, key: BitmapKey, bitmap: &Arc<Bitmap>) -> TextureHandle {
        let pass = ctx.cumulative_pass_nr();
        self.sweep(pass);
        let upload = || Uploaded {
            handle: ctx.load_texture("bitmap", color_image(bitmap), OPTIONS),
            bitmap: Arc::downgrade(bitmap),
            last_pass: pass,
        };
        let uploaded = self.uploaded.entry(key).or_insert_with(upload);
        if !std::ptr::eq(uploaded.bitmap.as_ptr(), Arc::as_ptr(bitmap)) {
            *uploaded = upload();
        }
        uploaded.last_pass = pass;
        uploaded.handle.clone()
    }

    fn sweep(&mut self, pass: u64) {
        if pass > self.swept + KEEP_PASSES / 4 {
            self.swept = pass;
            self.uploaded.retain(|_, uploaded| uploaded.last_pass + KEEP_PASSES > pass);
        }
    }
}

/// One picture that changes while it is looked at, such as one that is dragged to another size.
#[derive(Default)]
pub struct Slot {
    uploaded: Option<(TextureHandle, Weak<Bitmap>)>,
}

impl Slot {
    /// The texture of the bitmap, which takes the place of the last one.
    pub fn show(&mut self, ctx: &Context, bitmap: &Arc<Bitmap>) -> TextureId {
        let is_shown = |it: &Weak<Bitmap>| std::ptr::eq(it.as_ptr(), Arc::as_ptr(bitmap));
        match &mut self.uploaded {
            Some((handle, shown)) if is_shown(shown) => handle.id(),
            Some((handle, shown)) => {
                handle.set(color_image(bitmap), OPTIONS);
                *shown = Arc::downgrade(bitmap);
                handle.id()
            }
            None => {
                let handle = ctx.load_texture("slot", color_image(bitmap), OPTIONS);
                self.uploaded.insert((handle, Arc::downgrade(bitmap))).0.id()
            }
        }
    }
}

/// A bitmap as egui takes it.
pub fn color_image(bitmap: &Bitmap) -> ColorImage {
    let size = [bitmap.size.width as usize, bitmap.size.height as usize];
    ColorImage::from_rgba_premultiplied(size, &bitmap.premultiplied)
}
