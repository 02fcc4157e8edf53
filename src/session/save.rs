//! How a sheet is read from its files and written into its sidecar; the window and the headless commands
//! both come here.

use std::path::PathBuf;
use std::sync::Arc;

use super::document::SheetOnDisk;
use crate::edit::Revision;
use crate::format::sidecar::{GuidField, Sidecar};
use crate::fs_atomic;
use crate::geometry::Size;
use crate::guid::Guid;
use crate::hash::ContentHash;
use crate::import::foreign::ForeignGuids;
use crate::import::plan;
use crate::import::project::Project;
use crate::model::Sheet;
use crate::sheet_file;

/// A sheet to save.
pub struct Save {
    /// The project.
    pub project: Project,
    /// The sheet's path.
    pub path: Arc<str>,
    /// The GUID for a sidecar that is new or has none.
    pub guid: Guid,
    /// What to write.
    pub sheet: Sheet,
    /// Size of its image.
    pub image_size: Size,
    /// The state that this is.
    pub revision: Revision,
    /// Hash of the sidecar that this replaces; `None` where any may be there.
    pub expected: Option<ContentHash>,
}

/// Reads what an asset's sidecar and image header say. `guid` finds the GUIDs kept for its frames where the
/// sidecar has none itself. Why not, in words, when the image cannot be read.
pub fn read_sheet(project: &Project, path: &str, guid: Option<Guid>) -> Result<SheetOnDisk, String> {
    let image_size = plan::probe(&project.file(path)).map_err(|why| why.to_string())?.size;
    let sidecar_hash = std::fs::read(project.sidecar(path)).ok().map(|bytes| ContentHash::of(&bytes));
    let reading = plan::read_sidecar(project, path);
    let own_guid = plan::guid_of(&reading);
    let guid = own_guid.or(guid);
    let foreign = ForeignGuids::load(&project.notes);
    let (sheet, mut problems) = match guid {
        Some(guid) => plan::read_sheet(&reading, guid, image_size, path, &foreign),
        None => plan::read_sheet(&reading, Guid::random(), image_size, path, &ForeignGuids::default()),
    };
    problems.extend(reading.problem);
    Ok(SheetOnDisk { sheet, image_size, guid, sidecar_hash, problems })
}

/// The newest sidecar there is, with the sheet written into it, so that what others wrote beside our keys stays; its
/// file, and the bytes to write. Why not, in words, when the file that is there must not be touched.
pub fn sidecar_with(save: &Save) -> Result<(PathBuf, Vec<u8>), String> {
    let Save { project, path, guid, sheet, image_size, revision: _, expected } = save;
    let file = project.sidecar(path);
    let shown = file.display();
    let mut sidecar = match std::fs::read(&file) {
        Ok(bytes) if expected.is_some_and(|expected| expected != ContentHash::of(&bytes)) => {
            return Err(format!(
                "Not saved: it was changed outside this very moment. Say what is to stay, then save again: {shown}"
            ));
        }
        Ok(bytes) => Sidecar::parse(&bytes).map_err(|why| {
            format!("Not saved: {why}. Mend or delete the file that is there, then save again: {shown}")
        })?,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Sidecar::new(*guid),
        Err(why) => return Err(format!("Not saved: {why}: {shown}")),
    };
    sidecar.can_save().map_err(|why| format!("Not saved: {why}: {shown}"))?;
    if matches!(sidecar.guid(), GuidField::Missing) {
        sidecar.set_guid(*guid);
    }
    sheet_file::write(sheet, &mut sidecar, *image_size);
    Ok((file, sidecar.to_bytes()))
}

/// Writes a sheet into its sidecar; the hash of what was written, or why the file is as it was.
pub fn save_sheet(save: &Save) -> Result<ContentHash, String> {
    let (file, bytes) = sidecar_with(save)?;
    fs_atomic::write_synced(&file, &bytes).map_err(|why| format!("Not saved: {why}"))?;
    Ok(ContentHash::of(&bytes))
}
