//! What the stored picture costs and what it loses, in figures.

use eframe::egui;
use egui::Ui;

use super::super::{FACT_HEIGHT, fact, labelled, part_title, weak};
use super::Subject;
use crate::geometry::stored_size;
use crate::session::{Document, Facts, FrameChanges, Lookup, Session};
use crate::ui::theme;
use crate::ui::widgets;

/// More names than this are counted, not listed.
const MOST_NAMES: usize = 12;

/// The part of the section.
pub(super) fn ui(ui: &mut Ui, session: &Session, document: &Document, subject: &Subject<'_>) {
    let found = session.stored(document, None);
    let view = found.as_ref().and_then(Lookup::shown);
    let facts = view.and_then(|view| view.facts.clone());
    let is_current = matches!(found, Some(Lookup::Ready(_)));
    part_title(ui, "Figures", if is_current { "" } else { "being made" });
    if let Some(facts) = &facts {
        losses(ui, document, facts);
    }
    costs(ui, session, document, subject);
}

/// How far the stored picture is from the image, and what became of the frames.
fn losses(ui: &mut Ui, document: &Document, facts: &Facts) {
    let error = facts.error;
    fact(ui, "Error", &format!("mean {:.1}, worst {} of 255", error.mean, error.worst)).on_hover_text(
        "The largest difference that a channel of a pixel has between image and texture, on average and at the worst",
    );
    let frames = &facts.frames;
    let lines = frame_lines(frames);
    let all = document.sheet().frames.len();
    match lines.as_slice() {
        [] if all == 0 => {}
        [] => drop(fact(ui, "Frames", "all keep their shape")),
        lines => {
            let flag = theme::palette(ui).warning;
            for (label, (words, positions)) in
                std::iter::once("Frames").chain(std::iter::repeat("")).zip(lines)
            {
                let text = egui::RichText::new(words).color(flag);
                labelled(ui, label, FACT_HEIGHT, |ui| {
                    ui.add(egui::Label::new(text).truncate().selectable(false))
                        .on_hover_text(names(document, positions));
                });
            }
        }
    }
    if facts.moved_from_key > 0 {
        let words = format!("{} of art moved to the next colour", pixels(facts.moved_from_key));
        fact(ui, "Key", &words).on_hover_text("16 bits cannot tell them from the chroma key");
    }
    if !facts.bleeding.is_empty() {
        let count: i64 = facts.bleeding.iter().map(|run| i64::from(run.width)).sum();
        fact(ui, "Bleed", &format!("{} from outside a frame", pixels(count as u64)))
            .on_hover_text("The bleed check of the comparison shows where");
    }
}

fn pixels(count: u64) -> String {
    if count == 1 { "1 pixel".to_owned() } else { format!("{count} pixels") }
}

/// What is told of the frames, with whose it is.
fn frame_lines(frames: &FrameChanges) -> Vec<(String, &[u32])> {
    let told = [
        (&frames.vanished, "vanishes", "vanish"),
        (&frames.uneven, "is not as large as its like", "are not as large as their like"),
        (&frames.joined, "touches another", "touch each other"),
    ];
    let told = told.into_iter().filter(|(positions, ..)| !positions.is_empty());
    told.map(|(positions, one, many)| {
        let words = match positions.len() {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        (words, positions.as_slice())
    })
    .collect()
}

/// The frames' names, or numbers where they have none.
fn names(document: &Document, positions: &[u32]) -> String {
    let name = |position: &u32| {
        let frame = document.sheet().frames.get(*position as usize);
        let name = frame.map(|frame| frame.name.to_string()).filter(|name| !name.is_empty());
        name.unwrap_or_else(|| format!("Frame {position}"))
    };
    let mut names: Vec<String> = positions.iter().take(MOST_NAMES).map(name).collect();
    if positions.len() > MOST_NAMES {
        names.push(format!("and {} more", positions.len() - MOST_NAMES));
    }
    names.join(", ")
}

/// Bytes for each target, and of all textures of the project.
fn costs(ui: &mut Ui, session: &Session, document: &Document, subject: &Subject<'_>) {
    for target in &session.project_settings().targets {
        let storing = session.storing_for(document.sheet(), Some(target));
        let size = stored_size(document.image_size, storing.max_size);
        let format = subject.format_of(&storing).map(|format| format!(", {format}")).unwrap_or_default();
        fact(ui, &target.name, &format!("{size}{format}, {}", subject.bytes_of(&storing)));
    }
    let Some(open) = session.project() else { return };
    let textures = || open.registry.assets().filter_map(|asset| asset.texture.as_ref());
    let bytes: u64 = textures().map(|texture| texture.file_bytes).sum();
    let count = widgets::count_text(textures().count(), "texture");
    fact(ui, "Project", &format!("{} in {count}", widgets::bytes_text(bytes)))
        .on_hover_text("All textures of the project as they are on disk");
    if subject.target.is_some() {
        weak(ui, "Textures of a target are made by an export for it.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_not_what_they_were_are_counted() {
        let changes = FrameChanges { uneven: vec![1, 3, 4, 5], joined: vec![0, 1], vanished: vec![7] };
        let words: Vec<String> = frame_lines(&changes).into_iter().map(|(words, _)| words).collect();
        assert_eq!(words, ["1 vanishes", "4 are not as large as their like", "2 touch each other"]);
        assert!(frame_lines(&FrameChanges::default()).is_empty());
    }
}
