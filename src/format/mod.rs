//! Bytes in, bytes out. What is on disk has types of its own here, apart from the model, so that a file keeps
//! what this version does not know. Nothing in here touches the file system.

pub mod clipboard;
pub mod json;
pub mod lookup_table;
pub mod msgpack;
pub mod project_file;
pub mod scene;
pub mod sidecar;
pub mod tex;
