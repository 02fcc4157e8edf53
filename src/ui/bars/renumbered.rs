//! What the question about a resized image is decided by: what frames show, and beside it what they would show if
//! their grid were renumbered.

use std::sync::Arc;

use eframe::egui;
use egui::{Align2, Color32, Label, RichText, Role, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::edit::Revision;
use crate::geometry::{PixelRect, Size};
use crate::session::{Document, Renumbered, Session, SourcePicture, Tiled as _};
use crate::ui::canvas::{Canvas, frame_label};
use crate::ui::strip::thumbnail;
use crate::ui::theme::{self, BETWEEN, INSIDE};

/// Height of the row.
pub(super) const HEIGHT: f32 = 40.0;
/// Pairs that are shown, if there is room for so many.
const MOST_PAIRS: usize = 6;
/// Side of the room for a picture.
const SIDE: f32 = HEIGHT - INSIDE;

/// The pictures that renumbering would change, worked out once for a state of the sheet and a size of its image.
pub(super) struct Comparison {
    sheet: Arc<str>,
    revision: Revision,
    image: Size,
    /// Size of the image when the frames were laid.
    image_before: Size,
    /// The image as it was then. Without it what a frame shows is told from the image as it is.
    before: Option<Arc<SourcePicture>>,
    first: Vec<Renumbered>,
    count: usize,
}

/// The widths of what stands in the row, in points.
struct Widths {
    lead: f32,
    numbers: Vec<f32>,
    more: f32,
}

impl Comparison {
    /// The comparison for a document whose image had another size: the last one, if that is still right.
    pub(super) fn of(document: &Document, image_before: Size, last: Option<Self>, canvas: &Canvas) -> Self {
        let (revision, image) = (document.history.revision(), document.image_size);
        let is_same = |last: &Self| {
            (&last.sheet, last.revision, last.image, last.image_before)
                == (&document.path, revision, image, image_before)
        };
        let mut comparison = match last {
            Some(last) if is_same(&last) => last,
            last => {
                // The canvas forgets that picture when the image changes once more; the question is about the first.
                let is_about_same =
                    |last: &Self| last.sheet == document.path && last.image_before == image_before;
                let before = last.filter(is_about_same).and_then(|last| last.before);
                let mut first = document.renumbered();
                let count = first.len();
                first.truncate(MOST_PAIRS);
                first.shrink_to_fit();
                Self { sheet: document.path.clone(), revision, image, image_before, before, first, count }
            }
        };
        if comparison.before.is_none() {
            comparison.before = canvas.picture_of_size(&document.path, image_before).cloned();
        }
        comparison
    }

    /// The row: as many pairs as there is room for, and how many more there are.
    pub(super) fn ui(&self, ui: &mut Ui, session: &Session, document: &Document, canvas: &mut Canvas) {
        ui.spacing_mut().item_spacing.x = INSIDE;
        if self.count == 0 {
            words(ui, "Renumbered, every frame would show what it shows now");
            return;
        }
        let lead = "Renumbered:";
        let widths = self.widths(ui, lead);
        let shown = widths.pairs_within(ui.available_width(), self.count);
        words(ui, lead);
        for frame in self.first.iter().take(shown) {
            ui.add_space(BETWEEN);
            self.pair(ui, *frame, session, document, canvas);
        }
        if shown < self.count {
            ui.add_space(BETWEEN);
            words(ui, &more_words(self.count - shown));
        }
    }

    fn widths(&self, ui: &Ui, lead: &str) -> Widths {
        let font = TextStyle::Body.resolve(ui.style());
        let width = |text: String| {
            ui.painter().layout_no_wrap(text, font.clone(), Color32::PLACEHOLDER).size().x.ceil()
        };
        Widths {
            lead: width(lead.to_owned()),
            numbers: self.first.iter().map(|frame| width(frame.position.to_string())).collect(),
            more: width(more_words(self.count)),
        }
    }

    /// "4: [what it shows] -> [what it would show]".
    fn pair(
        &self,
        ui: &mut Ui,
        frame: Renumbered,
        session: &Session,
        document: &Document,
        canvas: &mut Canvas,
    ) {
        let palette = theme::palette(ui);
        let number = frame.position.to_string();
        let font = TextStyle::Body.resolve(ui.style());
        let galley = ui.painter().layout_no_wrap(number, font, palette.text);
        let number_width = galley.size().x.ceil();
        let size = vec2(pair_width(number_width), SIDE);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let name = document.sheet().frames.get(frame.position).map_or("", |frame| &frame.name);
        let text = told(frame, name);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
        response.on_hover_text(&text);

        let painter = ui.painter_at(ui.clip_rect());
        let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), rect).min;
        painter.galley(at, galley, palette.text);
        let [before, after] = thumbnail::paint_change(&painter, rect);
        let present = canvas.picture_of_size(&document.path, self.image).cloned();
        let places = [
            (before, Some(frame.before), self.before.as_ref().or(present.as_ref())),
            (after, frame.after, present.as_ref()),
        ];
        for (room, part, picture) in places {
            // Until the canvas has the picture there is nothing to see yet.
            let Some(picture) = picture else { continue };
            match part.and_then(|part| part.clipped_to(picture.size())) {
                Some(part) => {
                    thumbnail::paint_part(&painter, &mut canvas.tiles, session, picture, part, room);
                }
                None => thumbnail::paint_missing(&painter, room),
            }
        }
    }
}

impl Widths {
    /// How many of so many pairs fit, with what is said of the others.
    fn pairs_within(&self, room: f32, count: usize) -> usize {
        // What stands between two parts of any row, and what this one adds.
        let gap = INSIDE + BETWEEN;
        let mut end = self.lead;
        let mut fitting = 0;
        for (index, number) in self.numbers.iter().enumerate() {
            end += gap + pair_width(*number);
            let is_last = index + 1 == count;
            let more = if is_last { 0.0 } else { gap + self.more };
            if end + more <= room {
                fitting = index + 1;
            }
        }
        fitting
    }
}

fn pair_width(number: f32) -> f32 {
    number + INSIDE + thumbnail::change_width(SIDE)
}

fn words(ui: &mut Ui, text: &str) {
    let color = theme::palette(ui).weak_text;
    ui.add(Label::new(RichText::new(text).color(color)).selectable(false));
}

fn more_words(count: usize) -> String {
    format!("and {count} more")
}

/// "Frame 4 walk shows the cell at 0, 16 and would show the one at 64, 0".
fn told(frame: Renumbered, name: &str) -> String {
    let Renumbered { position, before, after } = frame;
    let place = |rect: PixelRect| format!("{}, {}", rect.x, rect.y);
    let frame = frame_label("Frame", position, name);
    let before = place(before);
    match after {
        Some(after) => {
            format!("{frame} shows the cell at {before} and would show the one at {}", place(after))
        }
        None => format!("{frame} shows the cell at {before} and would show nothing"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_told_in_words() {
        let before = PixelRect::new(0, 16, 16, 16);
        let frame = Renumbered { position: 4, before, after: Some(PixelRect::new(64, 0, 16, 16)) };
        assert_eq!(
            told(frame, "walk"),
            "Frame 4 walk shows the cell at 0, 16 and would show the one at 64, 0"
        );
        let lost = Renumbered { after: None, ..frame };
        assert_eq!(told(lost, ""), "Frame 4 shows the cell at 0, 16 and would show nothing");
    }

    #[test]
    fn the_row_has_as_many_pairs_as_there_is_room_for() {
        let widths = Widths { lead: 80.0, numbers: vec![8.0; 6], more: 80.0 };
        let (gap, pair) = (12.0, pair_width(8.0));
        let all = 80.0 + 6.0 * (gap + pair);
        assert_eq!(widths.pairs_within(all, 6), 6);
        assert_eq!(widths.pairs_within(all - 1.0, 6), 5, "there is room for how many more");
        assert_eq!(widths.pairs_within(all, 7), 5);
        assert_eq!(widths.pairs_within(all + gap + 80.0, 7), 6);
        assert_eq!(widths.pairs_within(100.0, 7), 0);
    }
}
