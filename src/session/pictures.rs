//! Pictures for the window, made on worker threads and kept as long as they are wanted: an image as its file
//! has it, frames and thumbnails as the compiled texture has them.
//!
//! Asking costs a lookup. What is not there is made later, and until then the last good one is shown.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::source_picture::{SourcePicture, TileKey, Tiled};
use super::stretch::{StretchKey, StretchOf, Stretchable};
use super::thumbnail;
use crate::geometry::{PixelRect, Size};
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::import::Project;
use crate::import::service::Waker;
use crate::registry::Asset;
use crate::runtime::{Fill, PictureKey, Texture};

/// Jobs beyond this many are dropped, the oldest first: they were for rows that scrolled by.
const MAX_WAITING: usize = MAX_BITMAPS;
const MAX_SOURCES: usize = 6;
const MAX_TEXTURES: usize = 3;
/// Textures that open scenes draw from.
const MAX_SCENE_TEXTURES: usize = 512;
/// Tiles, a MiB each, that were made and not yet taken.
const MAX_TILES: usize = 64;
const MAX_BITMAPS: usize = 4096;
/// Stretched pictures: while one is dragged to another size, each is seen for a moment only.
const MAX_STRETCHED: usize = 8;
const WORKERS: usize = 2;

/// Premultiplied RGBA, ready for the screen.
#[derive(Debug, PartialEq, Eq)]
pub struct Bitmap {
    /// Pixels across and down.
    pub size: Size,
    /// Four bytes a pixel, rows from the top.
    pub premultiplied: Vec<u8>,
}

/// What there is of a picture that was asked for.
#[derive(Debug)]
pub enum Lookup<T> {
    /// It is being made; the last good one of the same thing, if there was one.
    Pending(Option<Arc<T>>),
    /// It is here.
    Ready(Arc<T>),
    /// It cannot be made; why, in words, and the last good one.
    Failed(Arc<str>, Option<Arc<T>>),
}

impl<T> Clone for Lookup<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Pending(last) => Self::Pending(last.clone()),
            Self::Ready(picture) => Self::Ready(picture.clone()),
            Self::Failed(why, last) => Self::Failed(why.clone(), last.clone()),
        }
    }
}

impl<T> Lookup<T> {
    /// The picture to show: the right one, or the last good one.
    pub fn shown(&self) -> Option<&Arc<T>> {
        match self {
            Self::Ready(picture) => Some(picture),
            Self::Pending(last) | Self::Failed(_, last) => last.as_ref(),
        }
    }
}

/// Whose texture it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Asset(Guid),
    /// A texture file of a project that is not open, by the hash of its path.
    File(ContentHash),
}

/// Names a bitmap of a compiled texture: another version of the texture is another bitmap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitmapKey {
    owner: Owner,
    /// The version of the texture; of a file outside the project it is not known.
    texture: Option<ContentHash>,
    what: What,
}

/// What of a texture a bitmap shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    /// A thumbnail of the whole.
    Thumbnail,
    /// A part in image pixels.
    Part(PixelRect),
    /// What a scene draws: a region in stored pixels, as it is or filling a size.
    Drawn(PixelRect, Fill),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct SourceKey {
    path: Arc<str>,
    image: ContentHash,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum JobKey {
    Source(SourceKey),
    Texture(TextureKey),
    Bitmap(BitmapKey),
    Stretched(StretchKey),
    Tile(TileKey),
}

enum Job {
    Source(SourceKey, PathBuf),
    Texture(TextureKey, PathBuf),
    Bitmap(BitmapKey, PathBuf),
    Stretched(StretchKey, Stretchable),
    Tile(TileKey, Arc<dyn Tiled>),
}

impl Job {
    fn key(&self) -> JobKey {
        match self {
            Self::Source(key, _) => JobKey::Source(key.clone()),
            Self::Texture(key, _) => JobKey::Texture(*key),
            Self::Bitmap(key, _) => JobKey::Bitmap(*key),
            Self::Stretched(key, _) => JobKey::Stretched(*key),
            Self::Tile(key, _) => JobKey::Tile(*key),
        }
    }
}

/// The store of pictures and its workers; dropping it ends them.
pub struct Pictures {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    waker: Waker,
}

#[derive(Default)]
struct State {
    is_closed: bool,
    clock: u64,
    waiting: VecDeque<Job>,
    /// Waiting or being made.
    asked: HashSet<JobKey>,
    sources: Store<SourceKey, Arc<str>, SourcePicture>,
    bitmaps: Store<BitmapKey, (Owner, What), Bitmap>,
    stretched: Store<StretchKey, StretchOf, Bitmap>,
    /// What open scenes draw from, and how often that changed.
    scene_textures: Store<TextureKey, Guid, Texture>,
    scene_textures_made: u64,
    tiles: BTreeMap<TileKey, Arc<Bitmap>>,
    textures: Vec<CachedTexture>,
}

impl State {
    /// The texture of a bitmap, when an open scene draws from it.
    fn of_scenes(&self, key: BitmapKey) -> Option<Arc<Texture>> {
        let (Owner::Asset(guid), Some(version)) = (key.owner, key.texture) else { return None };
        let (made, _) = self.scene_textures.done.get(&(guid, version))?;
        made.as_ref().ok().cloned()
    }

    /// Keeps tiles until somebody takes them.
    fn keep_tiles(&mut self, tiles: impl IntoIterator<Item = (TileKey, Arc<Bitmap>)>) {
        self.tiles.extend(tiles);
        // Those of older pictures come first, and nobody will take them any more.
        while self.tiles.len() > MAX_TILES {
            self.tiles.pop_first();
        }
    }
}

/// A picture, or why there is none.
type Made<T> = Result<Arc<T>, Arc<str>>;

/// A texture of the project, and which version of it.
type TextureKey = (Guid, ContentHash);

/// A whole texture, and which version of whose it is.
type CachedTexture = ((Owner, Option<ContentHash>), Arc<Texture>);

/// Results by key, the newest of each subject, and when each was last wanted.
struct Store<K, S, T> {
    done: HashMap<K, (Made<T>, u64)>,
    last_good: HashMap<S, (Arc<T>, u64)>,
}

impl<K, S, T> Default for Store<K, S, T> {
    fn default() -> Self {
        Self { done: HashMap::new(), last_good: HashMap::new() }
    }
}

impl<K: Hash + Eq + Clone, S: Hash + Eq + Clone, T> Store<K, S, T> {
    fn lookup(&mut self, key: &K, subject: &S, clock: u64) -> Option<Lookup<T>> {
        let last = self.last_good.get_mut(subject).map(|(picture, used)| {
            *used = clock;
            picture.clone()
        });
        let (result, used) = self.done.get_mut(key)?;
        *used = clock;
        Some(match result {
            Ok(picture) => Lookup::Ready(picture.clone()),
            Err(why) => Lookup::Failed(why.clone(), last),
        })
    }

    fn last(&self, subject: &S) -> Option<Arc<T>> {
        self.last_good.get(subject).map(|(picture, _)| picture.clone())
    }

    fn put(&mut self, key: K, subject: S, result: Made<T>, clock: u64, keep: usize) {
        if let Ok(picture) = &result {
            self.last_good.insert(subject, (picture.clone(), clock));
        }
        self.done.insert(key, (result, clock));
        evict(&mut self.done, keep, |(_, used)| *used);
        evict(&mut self.last_good, keep, |(_, used)| *used);
    }
}

/// Keeps the `keep` entries that were used last.
fn evict<K: Hash + Eq + Clone, V>(map: &mut HashMap<K, V>, keep: usize, used: impl Fn(&V) -> u64) {
    if map.len() <= keep {
        return;
    }
    let mut times: Vec<u64> = map.values().map(&used).collect();
    times.sort_unstable();
    let oldest_kept = times[times.len() - keep];
    map.retain(|_, value| used(value) >= oldest_kept);
}

impl Pictures {
    /// Starts the workers. `waker` is called when a picture is ready.
    pub fn start(waker: Waker) -> std::io::Result<Self> {
        let shared = Arc::new(Shared { state: Mutex::default(), wake: Condvar::new(), waker });
        for number in 1..=WORKERS {
            let shared = shared.clone();
            thread::Builder::new().name(format!("pictures {number}")).spawn(move || work(&shared))?;
        }
        Ok(Self { shared })
    }

    /// The picture of an asset's image file, `file` being where it is. `None` while nothing is known of the image.
    pub fn source(&self, asset: &Asset, file: PathBuf) -> Option<Lookup<SourcePicture>> {
        let key = SourceKey { path: asset.path.clone(), image: asset.image.as_ref()?.hash };
        let mut state = self.shared.tick();
        let clock = state.clock;
        if let Some(found) = state.sources.lookup(&key, &asset.path, clock) {
            return Some(found);
        }
        let last = state.sources.last(&asset.path);
        self.shared.ask(&mut state, Job::Source(key, file));
        Some(Lookup::Pending(last))
    }

    /// An asset has another path: the pictures of its image are there under it, too.
    pub fn follow(&self, from: &str, to: &Arc<str>) {
        let mut state = self.shared.tick();
        let sources = &mut state.sources;
        let moved: Vec<_> = sources.done.keys().filter(|key| *key.path == *from).cloned().collect();
        for key in moved {
            if let Some(made) = sources.done.remove(&key) {
                sources.done.insert(SourceKey { path: to.clone(), ..key }, made);
            }
        }
        if let Some(last) = sources.last_good.remove(from) {
            sources.last_good.insert(to.clone(), last);
        }
    }

    /// A part of an asset's compiled texture, `part` in image pixels.
    pub fn part(
        &self,
        asset: &Asset,
        part: PixelRect,
        project: &Project,
    ) -> Option<(BitmapKey, Lookup<Bitmap>)> {
        Some(self.bitmap(key_of(asset, What::Part(part))?, || project.texture(asset.guid)))
    }

    /// A small picture of an asset's whole compiled texture.
    pub fn thumbnail(&self, asset: &Asset, project: &Project) -> Option<(BitmapKey, Lookup<Bitmap>)> {
        Some(self.bitmap(key_of(asset, What::Thumbnail)?, || project.texture(asset.guid)))
    }

    /// An asset's whole compiled texture, for what scenes draw from; `None` while there is none.
    pub fn texture(&self, asset: &Asset, project: &Project) -> Option<Lookup<Texture>> {
        let key = (asset.guid, asset.texture.as_ref()?.version);
        let mut state = self.shared.tick();
        let clock = state.clock;
        if let Some(found) = state.scene_textures.lookup(&key, &asset.guid, clock) {
            return Some(found);
        }
        let last = state.scene_textures.last(&asset.guid);
        self.shared.ask(&mut state, Job::Texture(key, project.texture(asset.guid)));
        Some(Lookup::Pending(last))
    }

    /// Another number after every texture that was made for scenes.
    pub fn textures_made(&self) -> u64 {
        self.shared.lock().scene_textures_made
    }

    /// What a scene draws of an asset's compiled texture.
    pub fn drawn(
        &self,
        asset: &Asset,
        picture: &PictureKey,
        project: &Project,
    ) -> Option<(BitmapKey, Lookup<Bitmap>)> {
        let key = key_of(asset, What::Drawn(picture.rect_in_texture, picture.fill))?;
        Some(self.bitmap(key, || project.texture(asset.guid)))
    }

    /// A region stretched. Of those that were asked for and not begun only the newest is made; until then it is the
    /// last one of the same region.
    pub(super) fn stretched(&self, key: StretchKey, from: Stretchable) -> Lookup<Bitmap> {
        let mut state = self.shared.tick();
        let clock = state.clock;
        if let Some(found) = state.stretched.lookup(&key, &key.of(), clock) {
            return found;
        }
        if !state.asked.contains(&JobKey::Stretched(key)) {
            let State { waiting, asked, .. } = &mut *state;
            waiting.retain(|job| {
                let is_older = matches!(job, Job::Stretched(..));
                if is_older {
                    asked.remove(&job.key());
                }
                !is_older
            });
            self.shared.ask(&mut state, Job::Stretched(key, from));
        }
        Lookup::Pending(state.stretched.last(&key.of()))
    }

    /// A small picture of a texture file that belongs to no open project; made once.
    pub fn file_thumbnail(&self, file: &Path) -> (BitmapKey, Lookup<Bitmap>) {
        let owner = Owner::File(ContentHash::of(file.as_os_str().as_encoded_bytes()));
        self.bitmap(BitmapKey { owner, texture: None, what: What::Thumbnail }, || file.to_owned())
    }

    /// `file` says where the texture is; it is asked only when there is something to make.
    fn bitmap(&self, key: BitmapKey, file: impl FnOnce() -> PathBuf) -> (BitmapKey, Lookup<Bitmap>) {
        let subject = (key.owner, key.what);
        let mut state = self.shared.tick();
        let clock = state.clock;
        if let Some(found) = state.bitmaps.lookup(&key, &subject, clock) {
            return (key, found);
        }
        let last = state.bitmaps.last(&subject);
        if !state.asked.contains(&JobKey::Bitmap(key)) {
            self.shared.ask(&mut state, Job::Bitmap(key, file()));
        }
        (key, Lookup::Pending(last))
    }

    /// Whether all that was asked for is there.
    pub fn is_idle(&self) -> bool {
        self.shared.lock().asked.is_empty()
    }

    /// Takes a tile of a picture if it is ready, and asks for it if not. The caller keeps what it takes.
    pub fn take_tile(&self, picture: &Arc<dyn Tiled>, key: TileKey) -> Option<Arc<Bitmap>> {
        let mut state = self.shared.tick();
        if let Some(tile) = state.tiles.remove(&key) {
            return Some(tile);
        }
        self.shared.ask(&mut state, Job::Tile(key, picture.clone()));
        None
    }
}

fn key_of(asset: &Asset, what: What) -> Option<BitmapKey> {
    let texture = asset.texture.as_ref()?;
    Some(BitmapKey { owner: Owner::Asset(asset.guid), texture: Some(texture.version), what })
}

impl Drop for Pictures {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        state.clock += 1;
        state
    }

    fn ask(&self, state: &mut State, job: Job) {
        if state.asked.insert(job.key()) {
            state.waiting.push_back(job);
            if state.waiting.len() > MAX_WAITING
                && let Some(dropped) = state.waiting.pop_front()
            {
                state.asked.remove(&dropped.key());
            }
            self.wake.notify_one();
        }
    }

    /// The newest job: what was asked for last is what is looked at now.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(job) = state.waiting.pop_back() {
                return Some(job);
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn texture(&self, key: BitmapKey, file: &Path) -> Made<Texture> {
        let version = (key.owner, key.texture);
        let cached = {
            let state = self.lock();
            let cached = state.textures.iter().find(|(found, _)| *found == version);
            cached.map(|(_, texture)| texture.clone()).or_else(|| state.of_scenes(key))
        };
        if let Some(texture) = cached {
            return Ok(texture);
        }
        let texture = Arc::new(Texture::load(file).map_err(|why| Arc::from(why.to_string()))?);
        if key.what != What::Thumbnail {
            let mut state = self.lock();
            state.textures.retain(|((owner, _), _)| *owner != key.owner);
            state.textures.push((version, texture.clone()));
            if state.textures.len() > MAX_TEXTURES {
                state.textures.remove(0);
            }
        }
        Ok(texture)
    }
}

fn work(shared: &Shared) {
    while let Some(job) = shared.next() {
        let key = job.key();
        match job {
            Job::Source(source, file) => {
                let made = SourcePicture::load(&file).map(Arc::new).map_err(Arc::from);
                // Of a small picture the tiles come with it, so that it shows one pass sooner.
                let tiles: Vec<_> = made
                    .iter()
                    .flat_map(|picture: &Arc<SourcePicture>| {
                        picture.small_tiles().map(|key| (key, Arc::new(picture.tile(key))))
                    })
                    .collect();
                let mut state = shared.lock();
                let clock = state.clock;
                state.keep_tiles(tiles);
                state.sources.put(source.clone(), source.path, made, clock, MAX_SOURCES);
            }
            Job::Bitmap(bitmap, file) => {
                let made = shared.texture(bitmap, &file).map(|texture| {
                    Arc::new(match bitmap.what {
                        What::Part(part) => thumbnail::part(&texture, part),
                        What::Thumbnail => thumbnail::whole(&texture),
                        What::Drawn(rect, fill) => thumbnail::drawn(&texture, rect, fill),
                    })
                });
                let mut state = shared.lock();
                let clock = state.clock;
                state.bitmaps.put(bitmap, (bitmap.owner, bitmap.what), made, clock, MAX_BITMAPS);
            }
            Job::Texture(texture, file) => {
                let made = Texture::load(&file).map(Arc::new).map_err(|why| Arc::from(why.to_string()));
                let mut state = shared.lock();
                let clock = state.clock;
                state.scene_textures_made += 1;
                state.scene_textures.put(texture, texture.0, made, clock, MAX_SCENE_TEXTURES);
            }
            Job::Stretched(stretched, from) => {
                let made = Ok(Arc::new(from.stretched(&stretched)));
                let mut state = shared.lock();
                let clock = state.clock;
                state.stretched.put(stretched, stretched.of(), made, clock, MAX_STRETCHED);
            }
            Job::Tile(tile, picture) => {
                // Of a picture that nobody else has any more, nobody will take it.
                if Arc::strong_count(&picture) > 1 {
                    let made = Arc::new(picture.tile(tile));
                    shared.lock().keep_tiles([(tile, made)]);
                }
            }
        }
        shared.lock().asked.remove(&key);
        (shared.waker)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_is_kept() {
        let mut store: Store<u32, u32, u32> = Store::default();
        for key in 0..5 {
            store.put(key, key, Ok(Arc::new(key)), u64::from(key), 3);
        }
        assert!(store.lookup(&2, &2, 10).is_some());
        store.put(5, 5, Ok(Arc::new(5)), 11, 3);
        assert!(store.lookup(&2, &2, 12).is_some(), "it was used after 3 and 4 were made");
        assert!(store.lookup(&3, &3, 13).is_none());
    }

    #[test]
    fn a_failure_still_shows_the_last_good_picture() {
        let mut store: Store<u32, &str, u32> = Store::default();
        store.put(1, "hero", Ok(Arc::new(1)), 1, 3);
        store.put(2, "hero", Err("cut short".into()), 2, 3);
        let found = store.lookup(&2, &"hero", 3).unwrap();
        assert_eq!(found.shown().map(|picture| **picture), Some(1));
    }
}
