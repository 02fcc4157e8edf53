//! The strip by its accessible labels.

use eframe::egui;
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::Node;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::session::Command;
use crate::ui::popups::bench::Bench;

fn middle(bench: &Bench, position: usize) -> Pos2 {
    bench.harness.get_by_label(&format!("Strip frame {position}")).rect().center()
}

/// Presses on a frame and moves to beside another, before or behind it.
fn drag(bench: &mut Bench, from: usize, to: usize, is_behind: bool) -> Pos2 {
    let (start, over) = (middle(bench, from), middle(bench, to));
    let end = over + vec2(if is_behind { 12.0 } else { -12.0 }, 0.0);
    bench.harness.hover_at(start);
    bench.settle();
    bench.harness.drag_at(start);
    bench.settle();
    for part in [0.3, 0.6, 1.0] {
        bench.harness.hover_at(start + (end - start) * part);
        bench.settle();
    }
    end
}

#[test]
fn a_dragged_frame_goes_where_it_is_dropped() {
    let mut bench = Bench::new();
    let end = drag(&mut bench, 0, 2, true);
    bench.harness.drop_at(end);
    bench.settle();
    assert_eq!(bench.ids(), [1, 2, 0, 3, 4, 5, 6, 7]);
    assert_eq!((bench.steps().0, bench.selected()), (Some("Reorder 1 frame"), vec![0]));
    assert!(bench.sees("References follow the picture (ids stay)"));
    bench.rename(3, "walk");
    assert!(!bench.sees("References follow the picture"), "said once");
    bench.command(Command::MoveLater);
    assert!(!bench.sees("References follow the picture"), "said once");
}

#[test]
fn selected_frames_move_together() {
    let mut bench = Bench::new();
    bench.select(&[1, 2, 5]);
    let end = drag(&mut bench, 2, 0, false);
    bench.harness.drop_at(end);
    bench.settle();
    assert_eq!(bench.ids(), [1, 2, 5, 0, 3, 4, 6, 7]);
    assert_eq!(bench.selected(), [1, 2, 5]);
}

#[test]
fn a_drop_onto_themselves_and_one_beside_the_strip_change_nothing() {
    let mut bench = Bench::new();
    let before = bench.steps().1;
    let end = drag(&mut bench, 2, 3, false);
    bench.harness.drop_at(end);
    bench.settle();
    let end = drag(&mut bench, 2, 5, true) - vec2(0.0, 300.0);
    bench.harness.hover_at(end);
    bench.settle();
    bench.harness.drop_at(end);
    bench.settle();
    assert_eq!(bench.steps().1, before);
    assert_eq!(bench.ids(), [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn escape_ends_a_drag_where_it_began() {
    let mut bench = Bench::new();
    let end = drag(&mut bench, 0, 4, true);
    bench.key(Key::Escape);
    bench.harness.drop_at(end);
    bench.settle();
    assert_eq!(bench.ids(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(bench.selected(), [0], "and the selection is as it was");
}

/// An entry of the open menu; bars over the canvas may have buttons of the same names.
fn entry<'a>(bench: &'a Bench, label: &'a str) -> Node<'a> {
    bench.harness.query_all_by_label(label).last().unwrap()
}

#[test]
fn the_menu_of_a_slot_is_about_its_frame() {
    let mut bench = Bench::new();
    bench.select(&[0, 1]);
    bench.harness.get_by_label("Strip frame 3").click_secondary();
    bench.settle();
    assert_eq!(bench.selected(), [3]);
    assert!(entry(&bench, "Merge frames").accesskit_node().is_disabled());
    entry(&bench, "Move earlier").click();
    bench.settle();
    assert_eq!(bench.ids(), [0, 1, 3, 2, 4, 5, 6, 7]);
    bench.harness.get_by_label("Strip frame 3").click_secondary();
    bench.settle();
    entry(&bench, "Rename…").click();
    bench.settle();
    assert!(bench.is_focused("Name of frame 3"));
}

#[test]
fn keys_go_through_the_strip_and_deleting_goes_on_to_the_next() {
    let mut bench = Bench::new();
    bench.click("Strip frame 3");
    bench.key(Key::Home);
    assert_eq!(bench.selected(), [0]);
    bench.key_with(Modifiers::SHIFT, Key::End);
    assert_eq!(bench.selected().len(), 8);
    bench.key(Key::End);
    bench.key(Key::ArrowLeft);
    assert_eq!(bench.selected(), [6]);
    bench.key(Key::Delete);
    assert_eq!(bench.selected(), [7]);
    bench.key(Key::Delete);
    bench.key(Key::ArrowLeft);
    assert_eq!(bench.selected(), [4], "the strip still has the keyboard");
    assert!(bench.sees("6 frames, 1 selected"));
}

#[test]
fn the_keyboard_is_back_in_the_strip_after_a_name() {
    let mut bench = Bench::new();
    bench.click("Strip frame 2");
    bench.key(Key::F2);
    bench.text("two");
    bench.key(Key::Enter);
    bench.key(Key::ArrowRight);
    assert_eq!((bench.names()[2].as_str(), bench.selected()), ("two", vec![3]));
}
