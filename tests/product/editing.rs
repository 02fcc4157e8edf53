//! Frames edited, guesses taken, images that change their size, and edits that outlive a crash: the session without its
//! window, on files.

use std::fs;

use cutsheet::edit::{Added, Edit};
use cutsheet::geometry::{PixelRect, Size};
use cutsheet::model::{FrameId, Recipe, Run};
use cutsheet::sample::{Effort, Picture, encode_png};
use cutsheet::session::{Action, Command, Document, SelectMode};

use crate::running::{PLAYER, Running, TILES, new_session, sidecar_json, tile_grid};

fn ids(document: &Document) -> Vec<u32> {
    document.sheet().frames.iter().map(|frame| frame.id.0).collect()
}

fn select(running: &mut Running, ids: &[u32]) {
    running.do_now(Action::SelectFrames(ids.iter().copied().map(FrameId).collect()));
}

/// An image of that size with a red block in each cell of 16 pixels.
fn blocks(size: Size) -> Vec<u8> {
    let is_block = |x: u32, y: u32| (3..13).contains(&(x % 16)) && (2..14).contains(&(y % 16));
    let pixels = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
    let rgba = pixels.flat_map(|(x, y)| if is_block(x, y) { [200, 30, 30, 255] } else { [0; 4] }).collect();
    encode_png(&Picture { size, rgba }, false, Effort::Fast)
}

/// A sheet of blocks, opened.
fn with_blocks(width: u32) -> (Running, &'static str) {
    const PATH: &str = "assets/sprites/blocks.png";
    let mut running = Running::sample();
    fs::write(running.image(PATH), blocks(Size::new(width, 32))).unwrap();
    running.wait("the new sheet", |it| it.session.asset(PATH).is_some_and(|asset| asset.image.is_some()));
    running.open(PATH);
    (running, PATH)
}

fn wait_for_guess(running: &mut Running) {
    running.wait("a guess", |it| it.session.proposal().is_some());
}

#[test]
fn a_guess_is_shown_and_written_only_when_it_is_accepted() {
    let (mut running, path) = with_blocks(64);
    wait_for_guess(&mut running);
    assert!(!running.document().is_dirty() && running.document().sheet().frames.is_empty());
    let (number, proposals) = running.session.proposal().unwrap();
    assert_eq!((number, proposals[0].rects.len()), (0, 8), "{:?}", proposals[0].recipe);
    running.do_now(Command::NextGuess);
    assert_eq!(running.session.proposal().unwrap().0, 1 % proposals.len());
    running.do_now(Command::PreviousGuess);
    running.do_now(Command::AcceptGuess);
    assert_eq!(running.document().sheet().frames.len(), 8);
    assert!(running.session.proposal().is_none(), "there is nothing to guess any more");
    running.do_now(Command::Undo);
    assert!(running.document().sheet().frames.is_empty() && !running.document().is_dirty());
    running.do_now(Command::DismissGuess);
    assert!(running.session.proposal().is_none());
    assert!(sidecar_json(&running.sidecar(path)).get("slicing").is_none());
}

#[test]
fn ink_is_cut_with_its_rules_and_comes_back_with_them() {
    let (mut running, path) = with_blocks(64);
    wait_for_guess(&mut running);
    let automatic = |running: &Running| {
        let (number, proposals) = running.session.proposal().unwrap();
        matches!(proposals[number].recipe, Recipe::Automatic(_))
    };
    while !automatic(&running) {
        running.do_now(Command::NextGuess);
    }
    let image = fs::read(running.image(path)).unwrap();
    running.do_now(Command::AcceptGuess);
    assert_eq!(running.document().sheet().frames[0].rect_in_image, PixelRect::new(3, 2, 10, 12));
    running.do_now(Command::Save);
    running.wait_until_clean();
    let sidecar = sidecar_json(&running.sidecar(path));
    assert_eq!(sidecar["slicing"]["mode"], "atlas");
    assert_eq!(sidecar["slicing"]["recipe"], serde_json::json!({ "automatic": {} }));
    assert_eq!(fs::read(running.image(path)).unwrap(), image, "what is no ink stays in the picture");
    running.do_now(Command::CloseTab);
    running.open(path);
    assert!(matches!(running.document().sheet().recipe.as_deref(), Some(Recipe::Automatic(_))));
    select(&mut running, &[0]);
    running.do_now(Action::Nudge { dx: 1, dy: 0, edges: false });
    assert!(running.document().sheet().recipe.is_none(), "moved by hand, no rule gives it any more");
}

#[test]
fn frames_are_trimmed_to_their_ink_alone_and_alike() {
    let (mut running, _) = with_blocks(64);
    running.do_now(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(16, 16)))));
    running.wait("the pixels", |it| {
        it.do_now(Command::SelectAll);
        it.session.why_disabled(Command::TrimFrames).is_none()
    });
    running.do_now(Command::TrimFrames);
    assert_eq!(running.document().sheet().frames[5].rect_in_image, PixelRect::new(19, 18, 10, 12));
    assert_eq!(running.document().history.undo_label(), Some("Trim 8 frames"));
    running.do_now(Command::Undo);
    running.do_now(Command::TrimAlike);
    assert_eq!(running.document().sheet().frames[5].rect_in_image, PixelRect::new(19, 18, 10, 12));
}

#[test]
fn nudges_are_one_step_and_stop_at_the_images_edge() {
    let mut running = Running::opened(PLAYER);
    running.do_now(Action::Select(PLAYER.into(), FrameId(0), SelectMode::Replace));
    for _ in 0..3 {
        running.do_now(Action::Nudge { dx: 1, dy: 0, edges: false });
    }
    let rect = |running: &Running| running.document().sheet().frames[0].rect_in_image;
    assert_eq!(rect(&running), PixelRect::new(3, 0, 32, 32));
    running.do_now(Action::Nudge { dx: -99, dy: -99, edges: false });
    assert_eq!(rect(&running), PixelRect::new(0, 0, 32, 32), "back where it was, the step is gone");
    assert_eq!(running.document().history.undo_label(), None);
    running.do_now(Action::Nudge { dx: 1, dy: 0, edges: true });
    assert_eq!(rect(&running), PixelRect::new(0, 0, 33, 32));
    assert_eq!(running.document().history.undo_label(), Some("Nudge the edges of 1 frame"));
}

#[test]
fn copied_frames_go_to_another_sheet_as_text() {
    let mut running = Running::opened(PLAYER);
    select(&mut running, &[1, 2]);
    running.do_now(Command::CopyFrames);
    let text = running.effects.iter().find_map(|effect| match effect {
        cutsheet::session::Effect::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let text = text.unwrap();
    running.open(TILES);
    running.do_now(Action::Paste(text));
    let rects: Vec<_> = running.document().sheet().frames.iter().map(|frame| frame.rect_in_image).collect();
    assert_eq!(rects, [PixelRect::new(32, 0, 32, 32), PixelRect::new(64, 0, 32, 32)]);
    assert_eq!(running.document().history.selection().len(), 2, "what was pasted is selected");
    running.do_now(Action::Paste("not frames".into()));
    let toasts: Vec<_> = running.session.toasts().shown().iter().map(|toast| toast.text.clone()).collect();
    assert!(toasts.iter().any(|text| text.starts_with("Nothing was pasted: ")), "{toasts:?}");
}

#[test]
fn merging_and_reordering_keep_ids_with_their_pictures_through_a_save() {
    let mut running = Running::opened(PLAYER);
    select(&mut running, &[4, 5]);
    running.do_now(Command::MergeFrames);
    let toasts: Vec<_> = running.session.toasts().shown().iter().map(|toast| toast.text.clone()).collect();
    assert!(toasts.contains(&"Keeps frame 4; frame 5 is retired".to_owned()), "{toasts:?}");
    select(&mut running, &[2]);
    running.do_now(Command::MoveEarlier);
    let expected: Vec<u32> = [0, 2, 1, 3, 4].into_iter().chain(6..18).collect();
    assert_eq!(ids(running.document()), expected);
    running.do_now(Command::Save);
    running.wait_until_clean();
    let sidecar = sidecar_json(&running.sidecar(PLAYER));
    assert_eq!(sidecar["slicing"]["mode"], "atlas", "no grid says this");
    running.do_now(Command::CloseTab);
    running.open(PLAYER);
    assert_eq!(ids(running.document()), expected);
    assert_eq!(running.document().sheet().first_free_id(), 18, "5 is retired");
}

#[test]
fn ids_of_frames_that_were_saved_and_undone_are_retired_in_the_file() {
    let mut running = Running::opened(PLAYER);
    let draw = |x| Action::Edit(Edit::Add(Added::Draw, vec![(PixelRect::new(x, 0, 4, 4), "".into())]));
    running.do_now(draw(0));
    running.do_now(Command::Save);
    running.wait_until_clean();
    running.do_now(Command::Undo);
    running.do_now(Command::Save);
    running.wait_until_clean();
    assert_eq!(running.document().sheet().frames.len(), 18);
    running.do_now(Command::CloseTab);
    running.open(PLAYER);
    running.do_now(draw(40));
    let expected: Vec<u32> = (0..18).chain([19]).collect();
    assert_eq!(ids(running.document()), expected, "a scene may show what 18 was");
}

#[test]
fn a_slicing_for_other_sheets_is_one_step_in_each_of_them() {
    let (mut running, path) = with_blocks(64);
    let others = ["assets/sprites/second.png", "assets/sprites/third.png"];
    for other in others {
        fs::write(running.image(other), blocks(Size::new(64, 32))).unwrap();
        running.wait("a sheet more", |it| it.session.asset(other).is_some_and(|asset| asset.image.is_some()));
    }
    running.do_now(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(32, 32)))));
    running.do_now(Action::Edit(Edit::Rename(vec![(FrameId(1), "walk".into())])));
    running.do_now(Action::ApplyToOthers(others.map(Into::into).to_vec()));
    let found = |running: &Running, path: &str| {
        let document = running.session.documents().iter().find(|document| *document.path == *path).unwrap();
        (ids(document), document.history.steps().1, document.is_dirty())
    };
    running.wait("both cuts", |it| others.iter().all(|other| found(it, other).0 == [0, 1]));
    assert_eq!(&*running.document().path, path, "the sheet that was shown is shown");
    assert_eq!(found(&running, path), (vec![0, 1], 2, true));
    for other in others {
        assert_eq!(found(&running, other), (vec![0, 1], 1, true));
    }
    running.open(others[0]);
    assert_eq!(&*running.document().sheet().frames[1].name, "walk");
    running.do_now(Command::Undo);
    assert_eq!(found(&running, others[0]), (vec![], 0, false));
    assert_eq!(found(&running, others[1]), (vec![0, 1], 1, true), "each sheet has its own history");
}

/// The image of a sheet with a grid, 4 x 2 cells, becomes 6 cells wide.
fn grown() -> Running {
    let (mut running, path) = with_blocks(64);
    running.do_now(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(16, 16)))));
    running.do_now(Command::Save);
    running.wait_until_clean();
    fs::write(running.image(path), blocks(Size::new(96, 32))).unwrap();
    running.wait("the question", |it| it.document().resized.is_some());
    assert_eq!(ids(running.document()), [0, 1, 2, 3, 4, 5, 6, 7], "nothing moves unasked");
    running
}

#[test]
fn frames_of_a_grid_keep_their_places_when_the_image_grew() {
    let mut running = grown();
    let column = |x| [0, 16].map(|y| PixelRect::new(x, y, 16, 16));
    let mut added = running.document().cells_to_add();
    added.sort_by_key(|cell| (cell.x, cell.y));
    assert_eq!(added, [column(64), column(80)].concat());
    running.do_now(Command::KeepPlaces);
    assert_eq!(running.document().cells_to_add(), []);
    assert_eq!(ids(running.document()), [0, 1, 2, 3, 8, 9, 4, 5, 6, 7, 10, 11]);
    assert_eq!(running.document().sheet().frames[6].rect_in_image, PixelRect::new(0, 16, 16, 16));
    assert!(running.document().resized.is_none());
    running.do_now(Command::Undo);
    assert_eq!(running.document().sheet().frames.len(), 8);
    assert_eq!(running.document().resized, Some(Size::new(64, 32)), "asked again");
    running.do_now(Command::Redo);
    assert!(running.document().resized.is_none());
}

#[test]
fn an_image_that_got_its_old_size_back_is_no_question() {
    let mut running = grown();
    fs::write(running.image("assets/sprites/blocks.png"), blocks(Size::new(64, 32))).unwrap();
    running.wait("the old size", |it| it.document().image_size.width == 64);
    assert!(running.document().resized.is_none());
}

#[test]
fn frames_of_a_grid_outside_a_smaller_image_wait_or_go_and_are_asked_for_again() {
    let (mut running, path) = with_blocks(64);
    running.do_now(Action::Edit(Edit::SetGrid(Run::of_cell(Size::new(16, 16)))));
    running.do_now(Command::Save);
    running.wait_until_clean();
    fs::write(running.image(path), blocks(Size::new(32, 32))).unwrap();
    running.wait("the smaller image", |it| it.document().has_shrunk);
    assert_eq!((running.document().sheet().frames.len(), running.document().frames_outside()), (8, (0, 4)));
    running.do_now(Command::DeleteOutside);
    assert_eq!(ids(running.document()), [0, 1, 4, 5]);
    assert!(running.document().sheet().recipe.is_some(), "what is left is a grid");
    assert!(!running.document().has_shrunk && running.document().resized.is_none());
    running.do_now(Command::Undo);
    assert!(running.document().has_shrunk, "asked again");
    running.do_now(Command::WaitForSize);
    assert!(!running.document().has_shrunk && running.document().resized.is_none());
    fs::write(running.image(path), blocks(Size::new(64, 32))).unwrap();
    running.wait("the old size", |it| it.document().image_size.width == 64);
    assert!(!running.document().has_shrunk && running.document().resized.is_none());
    assert_eq!((running.document().sheet().frames.len(), running.document().frames_outside()), (8, (0, 0)));
}

#[test]
fn a_grid_is_renumbered_or_left_when_somebody_says_so() {
    let mut running = grown();
    running.do_now(Command::Renumber);
    assert_eq!(ids(running.document()), (0..12).collect::<Vec<_>>());
    let mut running = grown();
    running.do_now(Command::LeaveFrames);
    assert_eq!(running.document().sheet().frames.len(), 8);
    assert!(running.document().sheet().recipe.is_none());
}

#[test]
fn frames_outside_a_smaller_image_are_flagged_and_mended_on_request() {
    let (mut running, path) = with_blocks(64);
    running.do_now(Action::Edit(tile_grid()));
    running.do_now(Command::ToAtlas);
    running.do_now(Command::Save);
    running.wait_until_clean();
    fs::write(running.image(path), blocks(Size::new(40, 32))).unwrap();
    running.wait("the smaller image", |it| it.document().image_size.width == 40);
    // Cells begin at 1, 18 and 35 and are 16 wide, in one row.
    assert_eq!(running.document().sheet().frames.len(), 3);
    assert_eq!(running.document().frames_outside(), (1, 0));
    assert!(running.document().has_shrunk);
    running.do_now(Command::ClipOutside);
    assert!(!running.document().has_shrunk);
    assert_eq!(running.document().sheet().frames[2].rect_in_image, PixelRect::new(35, 1, 5, 16));
    assert_eq!(running.document().frames_outside(), (0, 0));
}

#[test]
fn unsaved_edits_outlive_a_crash_and_a_discard_does_not() {
    let mut running = Running::opened(TILES);
    running.do_now(Action::Edit(tile_grid()));
    running.session.copy_unsaved();
    let copies = running.folder.path().join(".cutsheet/recovery");
    let count = || fs::read_dir(&copies).map_or(0, Iterator::count);
    running.wait("the copy", |_| count() == 1);

    // The program is killed: nothing of the session's end runs.
    let crashed = std::mem::replace(&mut running.session, new_session(None));
    std::mem::forget(crashed);
    let root = running.folder.path().to_owned();
    running.do_now(Action::Open(root.clone()));
    running.wait("the offer", |it| it.session.recovered().is_some());
    assert_eq!(&*running.session.recovered().unwrap().path, TILES);
    running.open(TILES);
    assert!(running.session.proposal().is_none(), "nothing is accepted that another question hides");
    running.do_now(Command::Restore);
    running.wait("the edits", |it| {
        it.session.current().is_some_and(|document| document.sheet().frames.len() == 32)
    });
    assert!(running.document().is_dirty());
    assert_eq!(running.document().history.undo_label(), Some("Restore unsaved edits"));
    running.do_now(Command::Save);
    running.wait_until_clean();
    running.wait("the copy's end", |_| count() == 0);

    running.do_now(Action::Edit(Edit::ClearSlicing));
    running.session.copy_unsaved();
    running.wait("the copy", |_| count() == 1);
    std::mem::forget(std::mem::replace(&mut running.session, new_session(None)));
    running.do_now(Action::Open(root));
    running.wait("the offer", |it| it.session.recovered().is_some());
    running.do_now(Command::Discard);
    running.wait("the copy's end", |_| count() == 0);
    assert!(running.session.recovered().is_none());
}
