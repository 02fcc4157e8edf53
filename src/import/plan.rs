//! Pass 1 for one asset: what its sidecar says, its GUID, its frames, and what its texture will hold.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::foreign::ForeignGuids;
use super::index::{Entry, IMPORTER_VERSION};
use super::project::Project;
use super::scan::Found;
use crate::format::sidecar::{GuidField, Sidecar};
use crate::format::tex::{FrameSize, Metadata, TexChromaKey, TexFrame, TexWriteError};
use crate::geometry::{PixelRect, Size, stored_size};
use crate::guid::Guid;
use crate::hash::{ContentHash, Hasher};
use crate::model::{Code, Problem, Sheet, Storing, files};
use crate::pixels::{self, DecodeError, Filter, ImageInfo};
use crate::registry::SubAsset;
use crate::sheet_file;
use crate::slicing::Findings;
use crate::texture::{Dithering, Insets, PixelFormat};

/// How many bytes of an image are read to learn what its header says.
const PROBE_BYTES: usize = 4096;

/// An asset as pass 1 leaves it for pass 2.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Relative to the project.
    pub path: Arc<str>,
    /// Its GUID.
    pub guid: Guid,
    /// Whether the GUID is for this run only.
    pub guid_is_provisional: bool,
    /// Its files when they were looked at.
    pub found: Found,
    /// Its frames and settings.
    pub sheet: Sheet,
    /// How its texture is stored, when the project and the target have had their say.
    pub storing: Storing,
    /// Hash of what the project says for all sheets.
    pub project_hash: ContentHash,
    /// What its image's header says; the size that pass 2 decodes must agree.
    pub image: ImageInfo,
    /// Whether pass 2 writes a first sidecar.
    pub create_sidecar: bool,
    /// What is wrong so far.
    pub problems: Vec<Problem>,
    /// What the last import made of it, here or under the name it had then.
    pub previous: Option<Entry>,
    /// Whether a person waits for it.
    pub is_urgent: bool,
    /// The frames as assets of their own, once somebody asked: their GUIDs are half of what a small sheet costs here.
    pub(super) sub_assets: OnceLock<Arc<[SubAsset]>>,
}

/// What a sidecar says, before its GUID is settled against those of other assets.
pub struct SidecarReading {
    /// The sidecar; `None` when there is none or it cannot be parsed.
    pub sidecar: Option<Sidecar>,
    /// Why it cannot be parsed or read.
    pub problem: Option<Problem>,
}

/// Reads an asset's sidecar.
pub fn read_sidecar(project: &Project, path: &str) -> SidecarReading {
    let file = project.sidecar(path);
    let bytes = match fs::read(&file) {
        Ok(bytes) => bytes,
        Err(why) if why.kind() == io::ErrorKind::NotFound => {
            return SidecarReading { sidecar: None, problem: None };
        }
        Err(why) => {
            let problem = Problem::new(Code::Unreadable, path, format!("its sidecar cannot be read: {why}"));
            return SidecarReading { sidecar: None, problem: Some(problem) };
        }
    };
    match Sidecar::parse(&bytes) {
        Ok(sidecar) => SidecarReading { sidecar: Some(sidecar), problem: None },
        Err(why) => {
            let message = format!("its sidecar is left as it is, and nothing of it is used: {why}");
            SidecarReading {
                sidecar: None,
                problem: Some(Problem::new(Code::SidecarUnparsable, path, message)),
            }
        }
    }
}

/// The GUID a sidecar gives; what is wrong with it, [`read_sheet`] says.
pub fn guid_of(reading: &SidecarReading) -> Option<Guid> {
    match reading.sidecar.as_ref()?.guid() {
        GuidField::Valid(guid) => Some(guid),
        GuidField::Missing | GuidField::Invalid { .. } => None,
    }
}

/// The sheet that a sidecar describes for an image of that size.
pub fn read_sheet(
    reading: &SidecarReading,
    guid: Guid,
    image_size: Size,
    path: &str,
    foreign: &ForeignGuids,
) -> (Sheet, Vec<Problem>) {
    let Some(sidecar) = &reading.sidecar else { return (Sheet::default(), Vec::new()) };
    let (mut sheet, problems) = sheet_file::read(sidecar, image_size, path);
    foreign.apply(guid, &mut sheet.frames);
    (sheet, problems)
}

/// What an image file's header says, from its first bytes where they tell.
pub fn probe(file: &Path) -> Result<ImageInfo, ProbeError> {
    let mut opened = File::open(file)?;
    // At once: a vector that grows would ask for 32 bytes, then for 64, and so on.
    let mut bytes = vec![0; PROBE_BYTES];
    let length = opened.read(&mut bytes)?;
    bytes.truncate(length);
    let extension = extension_of(file);
    if let Ok(info) = pixels::probe(&bytes, extension) {
        return Ok(info);
    }
    opened.read_to_end(&mut bytes)?;
    Ok(pixels::probe(&bytes, extension)?)
}

/// The extension of a file's name, for image kinds that bytes do not tell.
pub fn extension_of(file: &Path) -> Option<&str> {
    file.file_name().and_then(|name| name.to_str()).and_then(files::extension)
}

/// Why an image's header cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is no image that we take.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

impl ProbeError {
    /// The problem of the asset at `path`.
    pub fn problem(&self, path: &str) -> Problem {
        let code = match self {
            Self::Read(_) => Code::Unreadable,
            Self::Decode(why) => decode_code(why),
        };
        Problem::new(code, path, self.to_string())
    }
}

/// The code of a decoding failure.
pub const fn decode_code(why: &DecodeError) -> Code {
    if why.is_too_large() { Code::ImageTooLarge } else { Code::ImageDamaged }
}

impl Plan {
    /// The frames that registry and texture know, with their GUIDs.
    pub fn sub_assets(&self) -> Arc<[SubAsset]> {
        self.sub_assets.get_or_init(|| self.frames_as_assets()).clone()
    }

    fn frames_as_assets(&self) -> Arc<[SubAsset]> {
        let frames = self.sheet.frames.iter().enumerate();
        frames
            .filter_map(|(index, frame)| {
                Some(SubAsset {
                    guid: frame.guid(self.guid),
                    parent_guid: self.guid,
                    index: u32::try_from(index).ok()?,
                    id: frame.id,
                    rect_in_image: frame.drawn_rect(self.image.size)?,
                    name: frame.name.clone(),
                })
            })
            .collect()
    }

    /// The rectangles of those frames, in image pixels.
    pub fn drawn_rects(&self) -> Vec<PixelRect> {
        self.sheet.frames.iter().filter_map(|frame| frame.drawn_rect(self.image.size)).collect()
    }

    /// What a look at the pixels of those frames tells to be wrong.
    pub fn ink_problems(&self, findings: &Findings) -> Vec<Problem> {
        let drawn = sheet_file::drawn_frames(&self.sheet, self.image.size);
        let frame_at = |position: u32| drawn.get(position as usize).copied();
        sheet_file::ink_problems(&self.sheet, findings, frame_at, &self.path)
    }

    /// What the last import found about the pixels of the same frames, until this one has looked.
    pub fn last_findings(&self) -> Arc<Findings> {
        let last = self.previous.as_ref().map(|entry| &entry.asset).filter(|last| {
            let rects = last.frames.iter().map(|frame| frame.rect_in_image);
            rects.eq(self.sheet.frames.iter().filter_map(|frame| frame.drawn_rect(self.image.size)))
        });
        last.map(|last| last.findings.clone()).unwrap_or_default()
    }

    /// The bytes that follow the texture's pixels.
    pub fn metadata(&self) -> Result<Vec<u8>, TexWriteError> {
        let settings = &self.sheet.settings;
        let frames: Vec<TexFrame> = self
            .sub_assets()
            .iter()
            .map(|frame| {
                let borders = settings.frame_nine_slice.get(&frame.id).copied();
                TexFrame {
                    nine_slice: borders.filter(|borders| !borders.is_zero()),
                    ..TexFrame::new(frame.guid, frame.rect_in_image)
                }
            })
            .collect();
        let nine_slice = (!settings.nine_slice.is_zero()).then_some(settings.nine_slice);
        // Only the engine's own grid has a default frame: with one, a component without a frame draws just that.
        let cell = self
            .sheet
            .plain_grid_cell()
            .map(|cell| FrameSize { width: cell.width as i32, height: cell.height as i32 });
        Metadata {
            default_frame: cell.unwrap_or_default(),
            frames,
            nine_slice,
            chroma_key: settings.chroma_key.map(|key| TexChromaKey { key, spans: Vec::new() }),
            source_size: self.shrinks().then_some(self.image.size),
        }
        .to_bytes()
    }

    /// Size of the texture.
    pub fn stored_size(&self) -> Size {
        stored_size(self.image.size, self.storing.max_size)
    }

    /// Whether the texture is smaller than the image.
    pub fn shrinks(&self) -> bool {
        self.stored_size() != self.image.size
    }

    /// How it is made smaller: with a chroma key no colour may come that was not there.
    pub fn filter(&self) -> Filter {
        if self.sheet.settings.chroma_key.is_some() { Filter::Nearest } else { Filter::Area }
    }

    /// What is made smaller by itself, in image pixels and in the encoder's order: the frames, or the parts between the
    /// sheet's borders when there are none, then the parts between the borders of single frames.
    pub fn regions(&self) -> Vec<PixelRect> {
        let settings = &self.sheet.settings;
        let mut regions = self.drawn_rects();
        if regions.is_empty() {
            regions.extend(nine_parts(PixelRect::of_image(self.image.size), settings.nine_slice));
        }
        for (id, borders) in &settings.frame_nine_slice {
            let frame = self.sheet.frame(*id).and_then(|frame| frame.drawn_rect(self.image.size));
            regions.extend(frame.into_iter().flat_map(|frame| nine_parts(frame, *borders)));
        }
        regions
    }

    /// Hash of everything but the image that decides the texture.
    pub fn settings_hash(&self, metadata: &[u8]) -> ContentHash {
        let Storing { format, max_size, dithering, .. } = self.storing;
        let mut hasher = Hasher::default();
        hasher.update(&IMPORTER_VERSION.to_le_bytes());
        hasher.update(format.map_or("Automatic", PixelFormat::name).as_bytes());
        hasher.update(&[dithering as u8]);
        hasher.update(&max_size.unwrap_or(0).to_le_bytes());
        hasher.update(metadata);
        hasher.finish()
    }

    /// Settings that are kept in the file but not yet applied to the texture, in words.
    pub fn unapplied_settings(&self) -> Vec<Problem> {
        let dithers = self.storing.dithering != Dithering::None;
        let is_told = dithers && self.sheet.heeds(Code::SettingNotApplied);
        let message = "its dithering is kept but not applied: the texture is made without it";
        is_told.then(|| Problem::new(Code::SettingNotApplied, &self.path, message)).into_iter().collect()
    }
}

/// The parts of a rectangle between its borders, from the top left in rows; none without borders.
fn nine_parts(rect: PixelRect, borders: Insets) -> Vec<PixelRect> {
    if borders.is_zero() {
        return Vec::new();
    }
    let cuts = |from: i32, length: i32, first: u16, last: u16| {
        let inner = from.saturating_add(first.into()).min(from + length);
        [from, inner, (from + length - i32::from(last)).max(inner), from + length]
    };
    let columns = cuts(rect.x, rect.width, borders.left, borders.right);
    let rows = cuts(rect.y, rect.height, borders.top, borders.bottom);
    let parts = rows.windows(2).flat_map(|row| columns.windows(2).map(move |column| (row, column)));
    let parts =
        parts.map(|(row, column)| PixelRect::new(column[0], row[0], column[1] - column[0], row[1] - row[0]));
    parts.filter(|part| !part.is_empty()).collect()
}
