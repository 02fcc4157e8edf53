//! What a project consists of: plain data and its invariants. Knows no file format and no file system.

mod borders;
pub mod file_name;
pub mod files;
pub mod frame;
pub mod problem;
pub mod recipe;
pub mod scene;
pub mod settings;
pub mod sheet;

pub use frame::{Frame, FrameId};
pub use problem::{Code, Problem, Severity};
pub use recipe::{Automatic, Grids, Leftover, Merge, Order, Recipe, Run};
pub use scene::Scene;
pub use settings::{
    FormatChoice, ProjectSettings, Storing, Target, TargetSettings, TextureDefaults, TextureSettings,
};
pub use sheet::Sheet;
