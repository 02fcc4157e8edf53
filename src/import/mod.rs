//! From images and sidecars to textures in the cache.
//!
//! Pass 1, discovery ([`workspace`], [`plan`], `referrers`): walk, sidecars, GUIDs, every frame and every reference in
//! the registry.
//! Pass 2, compilation ([`pool`], [`work`], [`compile`]): decode, convert, write, on all cores.
//! [`index`] remembers what is right already, and its journal what was being written when the power went.
//! [`batch`] drives both passes once, for the headless commands; [`service`] for as long as a project is open.

pub mod batch;
pub mod compile;
pub mod foreign;
pub mod index;
pub mod lock;
mod moved;
pub mod plan;
pub mod pool;
pub mod project;
pub mod recipe;
mod referrers;
pub mod scan;
pub mod service;
mod sink;
pub mod target;
pub mod work;
pub mod workspace;

pub use batch::{AssetReport, BatchReport, Progress, check_all, import_all};
pub use project::{OpenError, Project, ProjectKind};
pub use recipe::Recipe;
pub use target::{SettingsReading, TargetError};
pub use work::Status;
