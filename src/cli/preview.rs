//! `inspect --preview`: a picture of what the device shows, of a texture as it is, or of an image as it would be stored.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::inspect::Kind;
use crate::fs_atomic;
use crate::geometry::Size;
use crate::guid::Guid;
use crate::import::compile::{CompileError, compile_pixels};
use crate::import::foreign::ForeignGuids;
use crate::import::plan::{self, decode_code, extension_of};
use crate::import::{Project, Recipe};
use crate::model::{Code, Problem, files};
use crate::pixels::{self, write_png};
use crate::runtime::Texture;

/// The files that a preview of `file` may not replace: the file, and of an image and its sidecar the other one.
pub(super) fn is_inspected(file: &Path, out: &Path) -> bool {
    let mut sidecar = file.as_os_str().to_owned();
    sidecar.push(files::SIDECAR_SUFFIX);
    let real = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    let out = real(out);
    let inspected = [file.to_owned(), PathBuf::from(sidecar), file.with_extension("")];
    out.is_some() && inspected.iter().any(|path| real(path) == out)
}

/// Writes the preview of the file with these bytes.
pub(super) fn write(kind: Kind, file: &Path, bytes: Vec<u8>, out: &Path) -> Result<(), Problem> {
    let texture = match kind {
        Kind::Texture => of_texture(&file.display().to_string(), bytes)?,
        Kind::Image => of_image(file, &bytes)?,
        Kind::Sidecar => {
            // What comes before the extension `data`.
            let image = file.with_extension("");
            let path = image.display().to_string();
            let bytes = std::fs::read(&image)
                .map_err(|why| Problem::new(Code::Unreadable, &path, format!("cannot be read: {why}")))?;
            of_image(&image, &bytes)?
        }
    };
    write_picture(texture.size, &texture.decode_rgba(), out)
}

fn of_texture(path: &str, bytes: Vec<u8>) -> Result<Texture, Problem> {
    Texture::from_bytes(bytes).map_err(|why| Problem::new(Code::TextureDamaged, path, why.to_string()))
}

/// What an import would store of an image, made in memory.
fn of_image(image: &Path, bytes: &[u8]) -> Result<Texture, Problem> {
    let path = &*image.display().to_string();
    let problem = |code, message: String| Problem::new(code, path, message);
    let (size, rgba) = pixels::decode_rgba(bytes, extension_of(image))
        .map_err(|why| problem(decode_code(&why), why.to_string()))?;
    let (project, path_in_project) =
        Project::containing(image).map_err(|why| problem(Code::Unreadable, why.to_string()))?;
    let reading = plan::read_sidecar(&project, &path_in_project);
    if let Some(found) = &reading.problem {
        return Err(Problem { path: path.into(), ..found.clone() });
    }
    // A picture shows no GUID, so one that is missing is as good as another.
    let guid = plan::guid_of(&reading).unwrap_or_else(Guid::random);
    let foreign = ForeignGuids::default();
    let (sheet, _) = plan::read_sheet(&reading, guid, size, &path_in_project, &foreign);
    let storing = sheet.settings.storing(&project.settings.settings.defaults, None);
    let recipe = Recipe::of(&sheet, guid, size, &storing);
    let (texture, _) = compile_pixels(&rgba, &recipe, &AtomicBool::new(false)).map_err(|why| {
        let code = match &why {
            CompileError::Format(_) => Code::TextureTooLarge,
            _ => Code::Internal,
        };
        problem(code, why.to_string())
    })?;
    of_texture(path, texture)
}

fn write_picture(size: Size, rgba: &[u8], out: &Path) -> Result<(), Problem> {
    let unwritable = |why: String| Problem::new(Code::Unwritable, &out.display().to_string(), why);
    let mut png = Vec::new();
    write_png(&mut png, size, rgba.chunks_exact(size.width as usize * 4))
        .map_err(|why| unwritable(why.to_string()))?;
    fs_atomic::write(out, &png).map_err(|why| unwritable(format!("cannot write: {}", why.source)))
}
