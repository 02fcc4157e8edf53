//! Pass 1 for one asset: what its sidecar says, its GUID, its frames, and what its texture will hold.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::foreign::ForeignGuids;
use super::index::Entry;
use super::project::Project;
use super::recipe::{self, Recipe};
use super::scan::Found;
use crate::format::sidecar::{GuidField, Sidecar};
use crate::geometry::Size;
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::model::{Code, Problem, Sheet, Storing, files};
use crate::pixels::{self, DecodeError, ImageInfo};
use crate::registry::SubAsset;
use crate::sheet_file;
use crate::slicing::Findings;

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
        let made = || recipe::sub_assets(&self.sheet, self.guid, self.image.size);
        self.sub_assets.get_or_init(made).clone()
    }

    /// What the pixels of those frames tell to be wrong, as they are and as they are stored.
    pub fn pixel_problems(&self, findings: &Findings) -> Vec<Problem> {
        let drawn = sheet_file::drawn_frames(&self.sheet, self.image.size);
        let frame_at = |position: u32| drawn.get(position as usize).copied();
        let mut problems = sheet_file::ink_problems(&self.sheet, findings, frame_at, &self.path);
        problems.extend(sheet_file::key_problems(&self.sheet, findings, frame_at, &self.path));
        problems
    }

    /// What the last import found about the pixels of the same frames, until this one has looked.
    pub fn last_findings(&self) -> Arc<Findings> {
        let last = self.previous.as_ref().map(|entry| &entry.asset).filter(|last| {
            let rects = last.frames.iter().map(|frame| frame.rect_in_image);
            rects.eq(self.sheet.frames.iter().filter_map(|frame| frame.drawn_rect(self.image.size)))
        });
        last.map(|last| last.findings.clone()).unwrap_or_default()
    }

    /// What makes its texture.
    pub fn recipe(&self) -> Recipe {
        Recipe::with_frames(&self.sheet, &self.sub_assets(), self.image.size, &self.storing)
    }
}
