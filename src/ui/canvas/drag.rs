//! A drag on the canvas: an edit in the making. It works on copies of the rectangles it began with and becomes one
//! edit when the button is let go; Escape gives it up, and one that changes nothing leaves no trace.

use std::sync::Arc;

use super::frames::Frames;
use crate::edit::{Added, Edit, Reshape};
use crate::geometry::{PixelRect, Size};
use crate::model::{FrameId, Sheet};
use crate::slicing::arrange::{self, Edges};
use crate::slicing::snap::{Guide, SnapTargets};

/// What is being dragged.
pub(super) enum Drag {
    /// Selected frames, or some edges of them.
    Reshape(Reshaping),
    /// A box that selects what it touches.
    Select(Marquee),
    /// A new frame.
    Draw(Drawing),
}

/// Frames on their way to other rectangles.
pub(super) struct Reshaping {
    ids: Vec<FrameId>,
    /// As they were when the drag began.
    rects: Vec<PixelRect>,
    /// What snaps: the frame whose handle is held, or what is around all of them.
    grabbed: PixelRect,
    /// `None` moves them whole.
    edges: Option<Edges>,
    /// Where the drag began, in image pixels.
    from: [f64; 2],
    targets: SnapTargets,
    now: Vec<PixelRect>,
    guides: Vec<Guide>,
}

/// A box from one image point to another.
pub(super) struct Marquee {
    from: [f64; 2],
    to: [f64; 2],
    /// What was selected before and stays so.
    keeps: Vec<FrameId>,
}

/// A frame being drawn, between two places where pixels meet.
pub(super) struct Drawing {
    from: [i32; 2],
    to: [i32; 2],
    targets: SnapTargets,
    guides: Vec<Guide>,
}

/// What can be snapped to on this sheet, without some of its frames. `ink` are the boxes of what is drawn.
pub(super) fn targets(
    sheet: &Sheet,
    image: Size,
    without: &[FrameId],
    ink: impl Iterator<Item = PixelRect>,
) -> SnapTargets {
    let without: std::collections::HashSet<FrameId> = without.iter().copied().collect();
    let others = sheet.frames.iter().filter(|frame| !without.contains(&frame.id));
    let mut targets = SnapTargets::of_image(image).and_frames(others.map(|frame| frame.rect_in_image));
    if let Some(run) = sheet.single_run() {
        targets = targets.and_grid(run);
    }
    let (mut across, mut down) = (Vec::new(), Vec::new());
    for rect in ink {
        across.extend([rect.x, rect.right() as i32]);
        down.extend([rect.y, rect.bottom() as i32]);
    }
    targets.and_ink(&across, &down)
}

/// What moves a drag on: where the pointer is and how near an edge must be to catch, both in image pixels.
#[derive(Clone, Copy)]
pub(super) struct Pull {
    /// The pointer.
    pub(super) at: [f64; 2],
    /// 0 switches snapping off.
    pub(super) reach: f32,
}

impl Reshaping {
    /// Frames `ids` with these rectangles; the one at `grabbed` is the one that the pointer holds.
    pub(super) fn new(
        held: Vec<(FrameId, PixelRect)>,
        grabbed: usize,
        edges: Option<Edges>,
        from: [f64; 2],
        targets: SnapTargets,
    ) -> Option<Self> {
        let (ids, rects): (Vec<_>, Vec<_>) = held.into_iter().unzip();
        let around = if edges.is_some() { rects.get(grabbed).copied() } else { arrange::merged(&rects) };
        let now = rects.clone();
        Some(Self { ids, grabbed: around?, rects, edges, from, targets, now, guides: Vec::new() })
    }

    fn pull(&mut self, pull: Pull, image: Size) {
        let [dx, dy] = [0, 1].map(|axis| (pull.at[axis] - self.from[axis]).round() as i32);
        let snapped = if let Some(edges) = self.edges {
            self.targets.snap_edges(self.grabbed, edges, dx, dy, pull.reach)
        } else {
            let limited = arrange::limited_move(&self.rects, dx, dy, image);
            self.targets.snap_move(self.grabbed, limited.x, limited.y, pull.reach)
        };
        let (dx, dy) = if pull.reach > 0.0 { (snapped.dx, snapped.dy) } else { (dx, dy) };
        self.guides = if pull.reach > 0.0 { snapped.guides } else { Vec::new() };
        self.now = match self.edges {
            Some(edges) => arrange::resized_group(&self.rects, edges, dx, dy, image),
            None => arrange::moved(&self.rects, dx, dy, image),
        };
    }

    fn draft(&self) -> impl Iterator<Item = (FrameId, PixelRect)> {
        self.ids.iter().copied().zip(self.now.iter().copied())
    }
}

impl Marquee {
    /// A box that begins here; what is in `keeps` stays selected.
    pub(super) fn new(from: [f64; 2], keeps: Vec<FrameId>) -> Self {
        Self { from, to: from, keeps }
    }

    /// The pixels it touches.
    pub(super) fn rect(&self) -> PixelRect {
        let [x, y] = [0, 1].map(|axis| self.from[axis].min(self.to[axis]).floor() as i32);
        let [right, bottom] = [0, 1].map(|axis| self.from[axis].max(self.to[axis]).ceil() as i32);
        PixelRect::new(x, y, right - x, bottom - y)
    }

    /// What is selected with it.
    pub(super) fn selection(&self, frames: &Frames) -> Vec<FrameId> {
        let area = self.rect();
        let touched = frames.within(area).filter(|position| {
            frames.rects().get(*position).is_some_and(|rect| rect.intersection(area).is_some())
        });
        let touched = touched.filter_map(|position| frames.get(position)).map(|frame| frame.id);
        let mut selection = self.keeps.clone();
        let kept: std::collections::HashSet<FrameId> = self.keeps.iter().copied().collect();
        selection.extend(touched.filter(|id| !kept.contains(id)));
        selection
    }
}

impl Drawing {
    /// A frame that begins at an image point.
    pub(super) fn new(from: [f64; 2], reach: f32, targets: SnapTargets) -> Self {
        let at = snapped_point(&targets, from, reach).0;
        Self { from: at, to: at, targets, guides: Vec::new() }
    }

    /// What it covers inside the image; `None` while that is nothing.
    pub(super) fn rect(&self, image: Size) -> Option<PixelRect> {
        let [x, y] = [0, 1].map(|axis| self.from[axis].min(self.to[axis]));
        let [right, bottom] = [0, 1].map(|axis| self.from[axis].max(self.to[axis]));
        PixelRect::new(x, y, right - x, bottom - y).clipped_to(image)
    }
}

fn snapped_point(targets: &SnapTargets, at: [f64; 2], reach: f32) -> ([i32; 2], Vec<Guide>) {
    let [x, y] = at.map(|it| it.round() as i32);
    if reach <= 0.0 {
        return ([x, y], Vec::new());
    }
    let snapped = targets.snap_point(x, y, reach);
    ([snapped.x, snapped.y], snapped.guides)
}

impl Drag {
    /// Follows the pointer.
    pub(super) fn pull(&mut self, pull: Pull, image: Size) {
        match self {
            Self::Reshape(reshaping) => reshaping.pull(pull, image),
            Self::Select(select) => select.to = pull.at,
            Self::Draw(drawing) => {
                (drawing.to, drawing.guides) = snapped_point(&drawing.targets, pull.at, pull.reach);
            }
        }
    }

    /// The rectangles that frames have while it lasts.
    pub(super) fn draft(&self) -> Vec<(FrameId, PixelRect)> {
        match self {
            Self::Reshape(reshaping) => reshaping.draft().collect(),
            Self::Select(_) | Self::Draw(_) => Vec::new(),
        }
    }

    /// The lines it snapped to.
    pub(super) fn guides(&self) -> &[Guide] {
        match self {
            Self::Reshape(Reshaping { guides, .. }) | Self::Draw(Drawing { guides, .. }) => guides,
            Self::Select(_) => &[],
        }
    }

    /// The edit that it comes to, if anything changed.
    pub(super) fn edit(&self, image: Size) -> Option<Edit> {
        match self {
            Self::Reshape(reshaping) if reshaping.now == reshaping.rects => None,
            Self::Reshape(reshaping) => {
                let how = if reshaping.edges.is_some() { Reshape::Resize } else { Reshape::Move };
                Some(Edit::SetRects(how, reshaping.draft().collect()))
            }
            Self::Draw(drawing) => Some(Edit::Add(Added::Draw, vec![(drawing.rect(image)?, Arc::from(""))])),
            Self::Select(_) => None,
        }
    }

    /// The rectangle to name beside the pointer: of one frame that changes, or of the new one.
    pub(super) fn told_rect(&self, image: Size) -> Option<PixelRect> {
        match self {
            Self::Reshape(Reshaping { now, .. }) => match now.as_slice() {
                [one] => Some(*one),
                _ => None,
            },
            Self::Draw(drawing) => drawing.rect(image),
            Self::Select(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: Size = Size::new(64, 32);

    fn reshaping(rects: &[PixelRect], edges: Option<Edges>) -> Drag {
        let held = rects.iter().enumerate().map(|(index, rect)| (FrameId(index as u32), *rect)).collect();
        let targets = targets(&Sheet::default(), IMAGE, &[], std::iter::empty());
        Drag::Reshape(Reshaping::new(held, 0, edges, [5.0, 5.0], targets).unwrap())
    }

    fn pulled(mut drag: Drag, at: [f64; 2], reach: f32) -> Option<Edit> {
        drag.pull(Pull { at, reach }, IMAGE);
        drag.edit(IMAGE)
    }

    #[test]
    fn a_drag_back_to_where_it_began_is_no_edit() {
        let rect = PixelRect::new(3, 5, 10, 10);
        assert_eq!(pulled(reshaping(&[rect], None), [5.3, 4.8], 6.0), None, "snapping alone moves nothing");
    }

    #[test]
    fn a_group_moves_as_one_and_stays_inside() {
        let rects = [PixelRect::new(0, 0, 16, 16), PixelRect::new(16, 0, 16, 16)];
        let expected =
            vec![(FrameId(0), PixelRect::new(32, 0, 16, 16)), (FrameId(1), PixelRect::new(48, 0, 16, 16))];
        let edit = pulled(reshaping(&rects, None), [500.0, 5.0], 0.0);
        assert_eq!(edit, Some(Edit::SetRects(Reshape::Move, expected)));
    }

    #[test]
    fn an_edge_catches_on_the_images_edge_unless_that_is_suspended() {
        let right = Edges { right: true, ..Edges::default() };
        let rect = PixelRect::new(40, 8, 10, 10);
        let to = |width| {
            Some(Edit::SetRects(Reshape::Resize, vec![(FrameId(0), PixelRect::new(40, 8, width, 10))]))
        };
        assert_eq!(pulled(reshaping(&[rect], Some(right)), [17.0, 5.0], 3.0), to(24));
        assert_eq!(pulled(reshaping(&[rect], Some(right)), [17.0, 5.0], 0.0), to(22));
    }

    #[test]
    fn a_drawn_frame_lies_inside_the_image_and_an_empty_one_is_none() {
        let targets = targets(&Sheet::default(), IMAGE, &[], std::iter::empty());
        let drawing = || Drag::Draw(Drawing::new([10.4, 10.4], 0.0, targets.clone()));
        let expected = Edit::Add(Added::Draw, vec![(PixelRect::new(10, 10, 54, 22), "".into())]);
        assert_eq!(pulled(drawing(), [90.0, 90.0], 0.0), Some(expected));
        assert_eq!(pulled(drawing(), [10.2, 20.0], 0.0), None);
        // From outside the image to its far corner.
        let mut outside = Drag::Draw(Drawing::new([-4.0, -4.0], 0.0, targets));
        let image = Size::new(8, 8);
        outside.pull(Pull { at: [8.0, 8.0], reach: 0.0 }, image);
        let whole = Edit::Add(Added::Draw, vec![(PixelRect::new(0, 0, 8, 8), "".into())]);
        assert_eq!(outside.edit(image), Some(whole));
    }
}
