//! What the device will draw of an open sheet as it is now, with its unsaved settings and frames: made in memory by the
//! importer's own code while a setting moves, and made again when anything changes.
//!
//! Asking costs a lookup. Of a large sheet the part that is looked at comes first, then the whole, then what can be told
//! of it in numbers. Only the newest question is worked on; until it is answered the last answer is shown.

mod difference;
mod frames;
mod key_marks;
mod make;
mod picture;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

pub use difference::{Error, HeatMap};
pub use frames::FrameChanges;
pub use key_marks::KeyMarks;
pub use picture::{StoredPicture, StoredPixel};

use super::pictures::Lookup;
use super::source_picture::Tiled as _;
use super::{Document, Session};
use crate::geometry::{PixelRect, Size, stored_size};
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::import::service::Waker;
use crate::model::{Sheet, Storing};
use crate::session::SourcePicture;

/// Answers that are kept, one for each sheet.
const MAX_ANSWERS: usize = 3;

/// A sheet's texture as it would be made now.
pub struct StoredView {
    /// What the device draws.
    pub picture: Arc<StoredPicture>,
    /// The positions in the sheet of the texture's frames.
    pub positions: Arc<[u32]>,
    /// What can be told of it, as soon as that is known.
    pub facts: Option<Arc<Facts>>,
    /// The version that it has, which is a texture's on disk when that is the same; `None` before the whole is made.
    pub version: Option<ContentHash>,
}

/// What can be told of a stored picture beside its image.
#[derive(Debug, Default)]
pub struct Facts {
    /// How far it is from the image.
    pub error: Error,
    /// What became of the frames.
    pub frames: FrameChanges,
    /// Stored pixels of frames that take colour from outside of them, as runs of one row.
    pub bleeding: Vec<PixelRect>,
    /// Pixels of the art that were moved out of the chroma key's cell.
    pub moved_from_key: u64,
}

impl StoredView {
    /// Whether all of it is right.
    pub fn is_whole(&self) -> bool {
        self.version.is_some()
    }
}

/// What a view is made from. Two that share all of it are the same.
#[derive(Clone)]
struct Question {
    path: Arc<str>,
    guid: Guid,
    source: Arc<SourcePicture>,
    image: ContentHash,
    sheet: Sheet,
    storing: Storing,
    /// Whether the image lets anything through, as far as is known.
    has_alpha: bool,
    /// The texture on disk, only of an image that is too large to be kept whole.
    texture: Option<(PathBuf, ContentHash)>,
    /// What is looked at, in stored pixels; of the same question it may change.
    visible: Option<PixelRect>,
}

impl Question {
    fn is_same(&self, other: &Self) -> bool {
        let recipe = |sheet: &Sheet| sheet.recipe.as_ref().map(Arc::as_ptr);
        self.path == other.path
            && self.guid == other.guid
            && self.source.serial() == other.source.serial()
            && self.image == other.image
            && Arc::ptr_eq(&self.sheet.frames, &other.sheet.frames)
            && Arc::ptr_eq(&self.sheet.settings, &other.sheet.settings)
            && recipe(&self.sheet) == recipe(&other.sheet)
            && self.storing == other.storing
            && self.texture == other.texture
    }

    fn stored_size(&self) -> Size {
        stored_size(self.source.size(), self.storing.max_size)
    }
}

type Made = Result<Arc<StoredView>, Arc<str>>;

/// The store and its thread; dropping it ends the thread.
pub(super) struct Stored {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    waker: Waker,
    /// Set while what is being made is wanted no more.
    gives_up: AtomicBool,
}

#[derive(Default)]
struct State {
    is_closed: bool,
    wanted: Option<Question>,
    at_work: Option<Question>,
    /// By sheet, the newest last.
    answers: Vec<(Question, Made)>,
}

impl Stored {
    /// Starts the thread. `waker` is called when something is ready.
    pub(super) fn start(waker: Waker) -> std::io::Result<Self> {
        let gives_up = AtomicBool::new(false);
        let shared = Arc::new(Shared { state: Mutex::default(), wake: Condvar::new(), waker, gives_up });
        let of_thread = shared.clone();
        thread::Builder::new().name("stored".into()).spawn(move || of_thread.work())?;
        Ok(Self { shared })
    }

    fn view(&self, question: Question) -> Lookup<StoredView> {
        let mut state = self.shared.lock();
        let answer = state.answers.iter().find(|(of, _)| of.path == question.path);
        let is_answered = answer.is_some_and(|(of, _)| of.is_same(&question));
        let last = answer.and_then(|(_, made)| made.as_ref().ok().cloned());
        match answer.filter(|_| is_answered).map(|(_, made)| made.clone()) {
            Some(Ok(view)) if view.facts.is_some() => return Lookup::Ready(view),
            Some(Err(why)) => return Lookup::Failed(why, last),
            _ => {}
        }
        match &mut state.at_work {
            Some(at_work) if at_work.is_same(&question) => {
                at_work.visible = question.visible.or(at_work.visible);
                state.wanted = None;
            }
            at_work => {
                // A whole view that only waits for what can be told of it is as good as it gets.
                if at_work.is_some() {
                    self.shared.gives_up.store(true, Ordering::Relaxed);
                }
                state.wanted = Some(question);
                self.shared.wake.notify_one();
            }
        }
        match last {
            Some(view) if is_answered && view.is_whole() => Lookup::Ready(view),
            last => Lookup::Pending(last),
        }
    }
}

impl State {
    /// Keeps an answer in the place of the one that its sheet had.
    fn answer(&mut self, question: &Question, made: Made) {
        self.answers.retain(|(of, _)| of.path != question.path);
        self.answers.push((question.clone(), made));
        if self.answers.len() > MAX_ANSWERS {
            drop(self.answers.remove(0));
        }
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        self.shared.gives_up.store(true, Ordering::Relaxed);
        self.shared.lock().is_closed = true;
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Question> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(question) = state.wanted.take() {
                self.gives_up.store(false, Ordering::Relaxed);
                state.at_work = Some(question.clone());
                return Some(question);
            }
            state.at_work = None;
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        while let Some(question) = self.next() {
            let result = make::make(&question, &self.gives_up, &mut |view| {
                self.tell(&question, Ok(Arc::new(view)));
            });
            if let Err(why) = result
                && !self.gives_up.load(Ordering::Relaxed)
            {
                self.tell(&question, Err(why.into()));
            }
            let mut state = self.lock();
            state.at_work = None;
            drop(state);
            (self.waker)();
        }
    }

    fn tell(&self, question: &Question, made: Made) {
        self.lock().answer(question, made);
        (self.waker)();
    }
}

impl Session {
    /// What the device will draw of an open sheet as it is now, for the target that is shown. `visible_in_image` is what
    /// is looked at, in image pixels. `None` while nothing is known of its image.
    pub fn stored(
        &self,
        document: &Document,
        visible_in_image: Option<PixelRect>,
    ) -> Option<Lookup<StoredView>> {
        let open = self.project()?;
        let asset = self.asset(&document.path)?;
        let source = self.pictures.source(asset, open.project.file(&document.path))?;
        let source = match source {
            Lookup::Ready(source) => source,
            Lookup::Pending(_) => return Some(Lookup::Pending(None)),
            Lookup::Failed(why, _) => return Some(Lookup::Failed(why, None)),
        };
        if !document.is_ready() || source.size() != document.image_size {
            return Some(Lookup::Pending(None));
        }
        let texture = asset.texture.as_ref();
        let mut question = Question {
            path: document.path.clone(),
            guid: asset.guid,
            image: asset.image.as_ref()?.hash,
            sheet: document.sheet().clone(),
            storing: self.storing(document.sheet()),
            has_alpha: asset.image.as_ref().and_then(|image| image.has_alpha).unwrap_or(true),
            texture: texture
                .filter(|_| source.rgba().is_none())
                .map(|texture| (open.project.texture(asset.guid), texture.version)),
            source,
            visible: None,
        };
        let (image, stored) = (document.image_size, question.stored_size());
        question.visible = visible_in_image.map(|rect| around(rect, image, stored));
        Some(self.stored.view(question))
    }

    /// Whether a view is what the texture on disk has.
    pub fn is_on_disk(&self, document: &Document, view: &StoredView) -> bool {
        let texture = self.asset(&document.path).and_then(|asset| asset.texture.as_ref());
        view.version.is_some() && texture.map(|texture| texture.version) == view.version
    }
}

/// The stored pixels that have some of a part of the image.
fn around(rect_in_image: PixelRect, image: Size, stored: Size) -> PixelRect {
    let along = |from: i64, to: i64, image: u32, stored: u32| {
        let (image, stored) = (i64::from(image.max(1)), i64::from(stored));
        ((from * stored).div_euclid(image), (to * stored).div_euclid(image) + 1)
    };
    let (left, right) = along(rect_in_image.x.into(), rect_in_image.right(), image.width, stored.width);
    let (top, bottom) = along(rect_in_image.y.into(), rect_in_image.bottom(), image.height, stored.height);
    PixelRect::new(left as i32, top as i32, (right - left) as i32, (bottom - top) as i32)
}
