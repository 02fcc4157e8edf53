//! What the session did to files and the importer has not told yet: the registry shows it at once, and no snapshot that is
//! a little older brings back what was before.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::registry::{Asset, Referrer, Registry};

/// After so long the importer is believed, whatever it tells.
const PATIENCE: Duration = Duration::from_secs(3);

/// One asset that moved or went.
struct Deed {
    from: Arc<str>,
    /// Where it is, or will be; `None` when it was deleted.
    to: Option<Arc<str>>,
    /// Whether it is known that it is there.
    is_done: bool,
    until: Instant,
}

/// What the importer has still to tell.
#[derive(Default)]
pub(super) struct Ahead {
    deeds: Vec<Deed>,
}

impl Ahead {
    /// An asset has another path, or none any more.
    pub(super) fn note(&mut self, from: Arc<str>, to: Option<Arc<str>>) {
        self.push(from, to, true);
    }

    /// An asset is about to have another path. The importer may see it at neither for a moment, or at the new one before
    /// we know of it.
    pub(super) fn begin(&mut self, from: Arc<str>, to: Arc<str>) {
        self.push(from, Some(to), false);
    }

    fn push(&mut self, from: Arc<str>, to: Option<Arc<str>>, is_done: bool) {
        self.deeds.push(Deed { from, to, is_done, until: Instant::now() + PATIENCE });
    }

    /// What was begun is over, well or not.
    pub(super) fn end(&mut self, pairs: &[(Arc<str>, Arc<str>)]) {
        // A folder may hold thousands.
        let ended: HashSet<_> = pairs.iter().map(|(from, to)| (from, Some(to))).collect();
        self.deeds.retain(|deed| deed.is_done || !ended.contains(&(&deed.from, deed.to.as_ref())));
    }

    /// A snapshot as it will be once the importer has seen what was done. What it does not have in between is as it was
    /// `before`.
    pub(super) fn amend(&mut self, mut snapshot: Arc<Registry>, before: &Registry) -> Arc<Registry> {
        let now = Instant::now();
        self.deeds.retain(|deed| deed.until > now);
        let told = Arc::as_ptr(&snapshot);
        self.deeds.retain(|deed| !take(&mut snapshot, deed, before));
        if Arc::as_ptr(&snapshot) != told {
            Arc::make_mut(&mut snapshot).settle_references();
        }
        snapshot
    }
}

/// Puts into a snapshot what was done; whether it had it already.
fn take(snapshot: &mut Arc<Registry>, deed: &Deed, before: &Registry) -> bool {
    let has =
        |registry: &Registry, path: &str| registry.asset(path).is_some() || registry.referrer(path).is_some();
    let Some(to) = &deed.to else {
        if !has(snapshot, &deed.from) {
            return true;
        }
        let registry = Arc::make_mut(snapshot);
        registry.remove(&deed.from);
        registry.remove_referrer(&deed.from);
        return false;
    };
    match (has(snapshot, &deed.from), has(snapshot, to)) {
        (false, true) => return deed.is_done,
        (true, false) if !deed.is_done => {}
        (true, false) => Arc::make_mut(snapshot).rename(&deed.from, to),
        (true, true) => {
            let registry = Arc::make_mut(snapshot);
            registry.remove(&deed.from);
            registry.remove_referrer(&deed.from);
        }
        (false, false) => {
            let asset: Option<&Arc<Asset>> = before.asset(to).or_else(|| before.asset(&deed.from));
            let referrer: Option<&Arc<Referrer>> =
                before.referrer(to).or_else(|| before.referrer(&deed.from));
            let registry = Arc::make_mut(snapshot);
            if let Some(asset) = asset {
                registry.insert(asset.clone());
            }
            if let Some(referrer) = referrer {
                registry.insert_referrer(referrer.clone());
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::Guid;
    use crate::registry::testing;

    fn registry(paths: &[&str]) -> Arc<Registry> {
        let mut registry = Registry::default();
        for path in paths {
            registry.insert(Arc::new(testing::sheet(path, Guid::random(), 0)));
        }
        Arc::new(registry)
    }

    fn paths(registry: &Registry) -> Vec<&str> {
        registry.assets().map(|asset| &*asset.path).collect()
    }

    #[test]
    fn a_move_shows_at_once_and_nothing_older_takes_it_back() {
        let (old, new) = (registry(&["a", "z"]), registry(&["b", "z"]));
        let mut ahead = Ahead::default();
        ahead.note("a".into(), Some("b".into()));
        let guid = old.asset("a").unwrap().guid;
        let shown = ahead.amend(old.clone(), &old);
        assert_eq!((paths(&shown), shown.asset("b").unwrap().guid), (vec!["b", "z"], guid));
        assert_eq!(paths(&ahead.amend(old.clone(), &shown)), ["b", "z"], "an older snapshot");
        assert_eq!(paths(&ahead.amend(registry(&["z"]), &shown)), ["b", "z"], "one from in between");
        assert!(Arc::ptr_eq(&ahead.amend(new.clone(), &shown), &new));
        assert!(ahead.deeds.is_empty());
        assert_eq!(paths(&ahead.amend(old, &new)), ["a", "z"], "moved back by somebody else");
    }

    #[test]
    fn what_is_on_its_way_is_at_one_place_or_the_other() {
        let (old, new) = (registry(&["a", "z"]), registry(&["b", "z"]));
        let mut ahead = Ahead::default();
        ahead.begin("a".into(), "b".into());
        assert!(Arc::ptr_eq(&ahead.amend(old.clone(), &old), &old));
        assert_eq!(paths(&ahead.amend(registry(&["z"]), &old)), ["a", "z"]);
        assert_eq!(paths(&ahead.amend(registry(&["a", "b", "z"]), &old)), ["b", "z"]);
        assert!(Arc::ptr_eq(&ahead.amend(new.clone(), &old), &new));
        assert_eq!(paths(&ahead.amend(registry(&["z"]), &new)), ["b", "z"]);
        ahead.end(&[("a".into(), "b".into())]);
        assert_eq!(paths(&ahead.amend(registry(&["z"]), &new)), ["z"]);
    }

    #[test]
    fn what_was_deleted_is_gone_at_once_and_may_come_back_later() {
        let old = registry(&["a", "z"]);
        let mut ahead = Ahead::default();
        ahead.note("a".into(), None);
        assert_eq!(paths(&ahead.amend(old.clone(), &old)), ["z"]);
        assert_eq!(paths(&ahead.amend(old.clone(), &old)), ["z"]);
        ahead.amend(registry(&["z"]), &old);
        assert_eq!(paths(&ahead.amend(old.clone(), &old)), ["a", "z"]);
    }

    #[test]
    fn one_after_the_other_is_the_last_one() {
        let old = registry(&["a"]);
        let mut ahead = Ahead::default();
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "b")] {
            ahead.note(from.into(), Some(to.into()));
            ahead.amend(old.clone(), &old);
        }
        assert_eq!(paths(&ahead.amend(old.clone(), &old)), ["b"]);
        assert_eq!(paths(&ahead.amend(registry(&["b"]), &old)), ["b"]);
    }
}
