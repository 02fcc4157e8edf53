//! What is remembered from one start to the next: recent projects, the look, keys, and where each sheet was looked at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::action::{Command, View};

const MAX_RECENT: usize = 12;
const MAX_VIEWS: usize = 500;

/// Which surfaces the window has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
    /// As the system says.
    System,
}

/// What is behind transparent art.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Backdrop {
    /// Two greys in squares.
    #[default]
    Checker,
    /// One colour: red, green, blue.
    Color([u8; 3]),
}

impl Backdrop {
    /// Black.
    pub const BLACK: Self = Self::Color([0, 0, 0]);
    /// White.
    pub const WHITE: Self = Self::Color([255, 255, 255]);
    /// The colour that no art has.
    pub const MAGENTA: Self = Self::Color([255, 0, 255]);
}

/// A project that was opened before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recent {
    /// What was opened.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// A texture to show as its picture.
    #[serde(default)]
    pub picture: Option<PathBuf>,
}

/// What was open in a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSheets {
    /// Paths of the open sheets, in the order of their tabs.
    pub paths: Vec<String>,
    /// The one that was shown.
    pub current: Option<String>,
    /// Paths of the open scenes, in the order of their tabs.
    #[serde(default)]
    pub scenes: Vec<String>,
    /// The scene that was shown.
    #[serde(default)]
    pub current_scene: Option<String>,
    /// Whether the scene was in front.
    #[serde(default)]
    pub shows_scene: bool,
}

/// Keys of commands that are others than the table's, by the commands' names. What this version does not understand
/// stays as it is: another version may have written it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Value")]
pub struct KeyChanges(BTreeMap<String, Value>);

/// Never an error, which would cost everything else that is remembered.
impl From<Value> for KeyChanges {
    fn from(value: Value) -> Self {
        match value {
            Value::Object(entries) => Self(entries.into_iter().collect()),
            _ => Self::default(),
        }
    }
}

impl KeyChanges {
    /// Commands with the text of their key, which is empty when they are to have none.
    pub fn iter(&self) -> impl Iterator<Item = (Command, &str)> {
        self.0.iter().filter_map(|(name, key)| Some((Command::of_name(name)?, key.as_str()?)))
    }

    /// Takes in the key of a command; `None` is that of the table.
    pub fn change(&mut self, command: Command, key: Option<String>) {
        match key {
            Some(key) => self.0.insert(command.name().to_owned(), key.into()),
            None => self.0.remove(command.name()),
        };
    }
}

/// The remembered things. Fields that a file does not have are as in a first start.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prefs {
    /// Projects, the last opened first.
    pub recent: Vec<Recent>,
    /// The look.
    pub theme: ThemeChoice,
    /// What is behind transparent art.
    pub backdrop: Backdrop,
    /// The sheets that were open, by project path.
    pub open_sheets: BTreeMap<PathBuf, OpenSheets>,
    /// Views, by the whole path of the sheet.
    pub views: BTreeMap<PathBuf, View>,
    /// Whether the grid form's x and y go together, as long as they are equal.
    pub grid_axes_parted: bool,
    /// Keys that were given to commands.
    pub keys: KeyChanges,
}

impl Prefs {
    /// Where they are kept: `CUTSHEET_CONFIG_DIR`, else the user's folder for settings.
    pub fn default_file() -> Option<PathBuf> {
        let folder = std::env::var_os("CUTSHEET_CONFIG_DIR").map(PathBuf::from).or_else(|| {
            directories::ProjectDirs::from("", "", "cutsheet").map(|found| found.config_dir().to_owned())
        })?;
        Some(folder.join("preferences.json"))
    }

    /// Reads them; what is missing or damaged is as in a first start.
    pub fn load(file: &Path) -> Self {
        match std::fs::read(file) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .inspect_err(|why| {
                    log::warn!("preferences not readable, begun anew: {why}: {}", file.display());
                })
                .unwrap_or_default(),
            Err(_) => Self::default(),
        }
    }

    /// The bytes of their file.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    /// Puts a project first among the recent ones.
    pub fn remember_project(&mut self, path: &Path, name: String) {
        let before =
            self.recent.iter().position(|recent| recent.path == path).map(|index| self.recent.remove(index));
        let picture = before.and_then(|recent| recent.picture);
        self.recent.insert(0, Recent { path: path.to_owned(), name, picture });
        self.recent.truncate(MAX_RECENT);
    }

    /// Sheets were moved: the views of the file, or of all in the folder, go along. Whole paths.
    pub fn move_views(&mut self, from: &Path, to: &Path) {
        let moved: Vec<_> = self.views.keys().filter(|path| path.starts_with(from)).cloned().collect();
        for path in moved {
            if let (Some(view), Ok(rest)) = (self.views.remove(&path), path.strip_prefix(from)) {
                let path = if rest.as_os_str().is_empty() { to.to_owned() } else { to.join(rest) };
                self.views.insert(path, view);
            }
        }
    }

    /// Remembers where a sheet is looked at.
    pub fn remember_view(&mut self, sheet: PathBuf, view: View) {
        self.views.insert(sheet, view);
        while self.views.len() > MAX_VIEWS {
            self.views.pop_first();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_opened_project_is_first_and_only_once() {
        let mut prefs = Prefs::default();
        for path in ["a", "b", "a"] {
            prefs.remember_project(Path::new(path), path.to_owned());
        }
        let paths: Vec<_> = prefs.recent.iter().map(|recent| recent.name.as_str()).collect();
        assert_eq!(paths, ["a", "b"]);
    }

    #[test]
    fn views_follow_files_and_folders() {
        let mut prefs = Prefs::default();
        let view = View { zoom: 2.0, center_x: 8.0, center_y: 4.5 };
        for path in ["p/x/a.png", "p/x/b.png", "p/xy/c.png"] {
            prefs.remember_view(path.into(), view);
        }
        prefs.move_views(Path::new("p/x/a.png"), Path::new("p/d.png"));
        prefs.move_views(Path::new("p/x"), Path::new("p/z"));
        let paths: Vec<_> = prefs.views.keys().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(paths, ["p/d.png", "p/xy/c.png", "p/z/b.png"]);
    }

    #[test]
    fn they_survive_a_restart_and_older_files_are_read() {
        let mut prefs =
            Prefs { theme: ThemeChoice::Light, backdrop: Backdrop::Color([1, 2, 3]), ..Prefs::default() };
        prefs.remember_view("x/a.png".into(), View { zoom: 2.0, center_x: 8.0, center_y: 4.5 });
        let read: Prefs = serde_json::from_slice(&prefs.to_bytes()).unwrap();
        assert_eq!(read, prefs);
        let older: Prefs = serde_json::from_str(r#"{"theme":"Light","gone":1}"#).unwrap();
        assert_eq!((older.theme, older.backdrop), (ThemeChoice::Light, Backdrop::Checker));
    }

    #[test]
    fn only_keys_that_differ_are_kept_and_what_is_not_understood_stays() {
        let text = r#"{"theme":"Light","keys":{"Save":"Ctrl+J","Revert":7,"Fly":"Ctrl+L","Quit":""}}"#;
        let mut prefs: Prefs = serde_json::from_str(text).unwrap();
        assert_eq!(prefs.theme, ThemeChoice::Light);
        assert_eq!(prefs.keys.iter().collect::<Vec<_>>(), [(Command::Quit, ""), (Command::Save, "Ctrl+J")]);
        prefs.keys.change(Command::Quit, None);
        prefs.keys.change(Command::Undo, Some("Ctrl+U".to_owned()));
        let kept: Value = serde_json::from_slice(&prefs.to_bytes()).unwrap();
        let expected = r#"{"Save":"Ctrl+J","Revert":7,"Fly":"Ctrl+L","Undo":"Ctrl+U"}"#;
        assert_eq!(kept["keys"], serde_json::from_str::<Value>(expected).unwrap());
        assert_eq!(serde_json::from_slice::<Prefs>(&prefs.to_bytes()).unwrap(), prefs);
    }

    #[test]
    fn keys_of_another_shape_cost_nothing_else() {
        for keys in ["[]", "7", "null", r#""Ctrl+S""#] {
            let text = format!(r#"{{"theme":"Light","keys":{keys}}}"#);
            let prefs: Prefs = serde_json::from_str(&text).unwrap();
            assert_eq!((prefs.theme, prefs.keys), (ThemeChoice::Light, KeyChanges::default()));
        }
    }
}
