//! What a click selects, of frames and of objects alike.

use super::action::SelectMode;

/// The selection after a click on an item. `anchor` is the item that the next extension begins at; `order` gives all items
/// in their order, for an extension.
pub(super) fn after_click<T: Copy + PartialEq>(
    selection: &[T],
    anchor: &mut Option<T>,
    item: T,
    mode: SelectMode,
    order: impl FnOnce() -> Vec<T>,
) -> Vec<T> {
    match mode {
        SelectMode::Extend => return range(*anchor, item, &order()),
        SelectMode::Replace | SelectMode::Toggle => *anchor = Some(item),
    }
    if mode == SelectMode::Replace {
        return vec![item];
    }
    let mut selection = selection.to_vec();
    match selection.iter().position(|selected| *selected == item) {
        Some(index) => drop(selection.remove(index)),
        None => selection.push(item),
    }
    selection
}

/// All from one to another; the other alone when one of them is not there.
fn range<T: Copy + PartialEq>(from: Option<T>, to: T, order: &[T]) -> Vec<T> {
    let place = |wanted: T| order.iter().position(|item| *item == wanted);
    let (Some(from), Some(end)) = (from.and_then(place), place(to)) else { return vec![to] };
    order[from.min(end)..=from.max(end)].to_vec()
}
