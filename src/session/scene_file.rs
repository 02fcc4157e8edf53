//! How a scene is read from its file and written into it; the window and the headless commands both come here.

use std::sync::Arc;

use super::scene_document::SceneOnDisk;
use crate::edit::Revision;
use crate::format;
use crate::fs_atomic;
use crate::hash::ContentHash;
use crate::import::project::Project;
use crate::model::{Problem, Scene};

/// A scene to save.
pub struct SceneSave {
    /// The project.
    pub project: Project,
    /// The scene's path.
    pub path: Arc<str>,
    /// What to write.
    pub scene: Scene,
    /// The state that this is.
    pub revision: Revision,
    /// Hash of the file that this replaces; `None` where any may be there.
    pub expected: Option<ContentHash>,
    /// Whether there must be no file yet.
    pub is_new: bool,
}

/// Reads a scene's file. Why not, in words, when it cannot be read or holds no scene that can be edited.
pub fn read_scene(project: &Project, path: &str) -> Result<SceneOnDisk, String> {
    let file = project.file(path);
    let bytes = std::fs::read(&file).map_err(|why| format!("{why}: {}", file.display()))?;
    let hash = ContentHash::of(&bytes);
    let read = format::scene::read(&bytes.into()).map_err(|why| why.to_string())?;
    let problems = read.faults.iter().map(|fault| {
        let problem = Problem::new(fault.code, path, fault.text.clone());
        fault.object.map_or(problem.clone(), |key| problem.at_object(key))
    });
    Ok(SceneOnDisk { scene: read.scene, hash, problems: problems.collect() })
}

/// Writes a scene into its file; the hash of what was written, or why the file is as it was.
pub fn save_scene(save: &SceneSave) -> Result<ContentHash, String> {
    let SceneSave { project, path, scene, expected, is_new, .. } = save;
    let file = project.file(path);
    let shown = file.display();
    let bytes = format::scene::write(scene).map_err(|why| format!("Not saved: {why}: {shown}"))?;
    match std::fs::read(&file) {
        Ok(_) if *is_new => {
            return Err(format!("Not saved: there is a file of that name already. Choose another: {shown}"));
        }
        Ok(there) if expected.is_some_and(|expected| expected != ContentHash::of(&there)) => {
            return Err(format!(
                "Not saved: it was changed outside this very moment. Say what is to stay, then save again: {shown}"
            ));
        }
        Ok(_) => {}
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder)
                    .map_err(|why| format!("Not saved: {why}: {}", folder.display()))?;
            }
        }
        Err(why) => return Err(format!("Not saved: {why}: {shown}")),
    }
    fs_atomic::write_synced(&file, &bytes).map_err(|why| format!("Not saved: {why}"))?;
    Ok(ContentHash::of(&bytes))
}
