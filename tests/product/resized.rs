//! The bar that asks what becomes of a grid whose image has another size, with the pictures that help to answer.

use std::fs;

use cutsheet::edit::Edit;
use cutsheet::geometry::Size;
use cutsheet::model::Run;
use cutsheet::sample::{Effort, Picture, encode_png};
use cutsheet::session::{Action, Command, Document};

use egui_kittest::kittest::Queryable as _;

use crate::harness::Window;

const HERO: &str = "assets/hero.png";

/// Cells of 16 x 16 px, each of its own colour.
fn cells(size: Size) -> Vec<u8> {
    let pixels = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
    let colour = |x: u32, y: u32| [(x / 16 * 40) as u8, (y / 16 * 90) as u8, 120, 255];
    let rgba = pixels.flat_map(|(x, y)| colour(x, y)).collect();
    encode_png(&Picture { size, rgba }, false, Effort::Fast)
}

/// A sheet of that size in cells of 16 x 16 px.
fn cut(size: Size) -> Window {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("assets")).unwrap();
    fs::write(folder.path().join(HERO), cells(size)).unwrap();
    let open = folder.path().to_owned();
    let mut window = Window::open(Some(&open), folder);
    window.wait("the import", |app| app.session().asset(HERO).is_some_and(|asset| asset.texture.is_some()));
    window.perform(Action::OpenSheet(HERO.into()));
    window.wait("the sheet", |app| app.session().current().is_some_and(Document::is_ready));
    window.perform(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(16, 16)))));
    window.perform(Command::Save);
    window.wait("the save", |app| !app.session().current().unwrap().is_dirty());
    assert!(!window.sees("Renumbered"));
    window
}

fn resize(window: &mut Window, size: Size) {
    fs::write(window.folder.path().join(HERO), cells(size)).unwrap();
    window.wait("the question", |app| {
        app.session().current().is_some_and(|it| it.resized.is_some() && it.image_size == size)
    });
}

#[test]
fn a_grown_grid_shows_which_frames_renumbering_would_change_until_that_is_answered() {
    let mut window = cut(Size::new(64, 48));
    resize(&mut window, Size::new(80, 48));
    assert!(window.sees("Renumbered:"));
    let changes = |position, x, y, to_x, to_y| {
        format!("Frame {position} shows the cell at {x}, {y} and would show the one at {to_x}, {to_y}")
    };
    assert!(!window.sees("Frame 3 shows"), "the first row stays");
    for frame in [changes(4, 0, 16, 64, 0), changes(5, 16, 16, 0, 16), changes(6, 32, 16, 16, 16)] {
        assert!(window.sees(&frame), "{frame}");
    }
    let pairs: Vec<_> =
        window.harness.query_all_by_label_contains("shows the cell at").map(|pair| pair.rect()).collect();
    assert!((3..=6).contains(&pairs.len()), "{pairs:?}");
    assert!(window.sees(&format!("and {} more", 8 - pairs.len())));
    let canvas = window.harness.get_by_label("Sheet canvas").rect();
    assert!(pairs.iter().all(|pair| canvas.contains_rect(*pair)), "{pairs:?} in {canvas}");
    assert!(pairs.iter().all(|pair| pair.bottom() < canvas.top() + canvas.height() / 4.0), "most is free");

    // Once more while the question stands open.
    resize(&mut window, Size::new(96, 48));
    assert!(window.sees(&changes(5, 16, 16, 80, 0)), "worked out anew");
    window.click("Renumber");
    assert!(!window.sees("Renumbered:") && !window.sees("shows the cell at"));
    window.perform(Command::Undo);
    assert!(window.sees(&changes(4, 0, 16, 64, 0)), "asked again");
    window.click("Keep places (recommended)");
    assert!(!window.sees("Renumbered:"));
}

#[test]
fn rows_added_below_change_no_picture_and_that_is_said() {
    let mut window = cut(Size::new(64, 32));
    resize(&mut window, Size::new(64, 48));
    assert!(window.sees("Renumbered, every frame would show what it shows now"));
    assert!(!window.sees("shows the cell at"));
}
