//! What the window remembers by path follows the files that were moved.

use std::collections::HashMap;
use std::sync::Arc;

use crate::session::Move;

/// Takes a path along.
pub(in crate::ui) fn follow(moves: &[Move], path: &mut Arc<str>) {
    if let Some(to) = moves.iter().find_map(|step| step.of(path)) {
        *path = to;
    }
}

/// The same for a path that may not be there.
pub(in crate::ui) fn follow_some(moves: &[Move], path: &mut Option<Arc<str>>) {
    if let Some(path) = path {
        follow(moves, path);
    }
}

/// Takes the keys of a map along.
pub(in crate::ui) fn follow_keys<T>(moves: &[Move], map: &mut HashMap<Arc<str>, T>) {
    let paths: Vec<_> =
        map.keys().filter(|path| moves.iter().any(|step| step.of(path).is_some())).cloned().collect();
    for mut path in paths {
        if let Some(value) = map.remove(&path) {
            follow(moves, &mut path);
            map.insert(path, value);
        }
    }
}
