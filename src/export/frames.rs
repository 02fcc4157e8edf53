//! Frames as pictures of their own: a PNG for each, with the pixels of the image bit for bit.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::file_names::{Taken, safe_name};
use crate::fs_atomic::{Pending, WriteError};
use crate::geometry::{PixelRect, Size};
use crate::guid::Guid;
use crate::import::Project;
use crate::import::foreign::ForeignGuids;
use crate::import::plan::{self as pass_1, decode_code, extension_of};
use crate::model::files::SIDECAR_SUFFIX;
use crate::model::frame::RectFault;
use crate::model::{Code, Frame, Problem};
use crate::pixels::{decode_rgba, probe, write_png};
use crate::slicing::divide::visual_rows;
use crate::slicing::pattern::{Context, DEFAULT_PATTERN, Pattern, clean_sheet_name};

/// What frame pictures are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Naming<'a> {
    /// The pattern, whose `{n}` is a frame's place in the sheet from 0. `None` for a frame's own name, and
    /// [`DEFAULT_PATTERN`] for one without.
    pub pattern: Option<&'a Pattern>,
}

/// A frame that becomes a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameFile {
    /// Its place in the sheet.
    pub index: usize,
    /// The file's name, with its ending.
    pub name: String,
    /// Its pixels in the image, inside of it.
    pub rect_in_image: PixelRect,
}

/// What becomes of the frames of a sheet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FramePlan {
    /// In the order of the sheet.
    pub files: Vec<FrameFile>,
    /// Frames that become no file, or another than was to be expected.
    pub problems: Vec<Problem>,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrameReport {
    /// The files, in the order of the sheet.
    pub files: Vec<PathBuf>,
    /// What is wrong, with the frames and with writing them.
    pub problems: Vec<Problem>,
    /// Whether it was stopped. Files that are not listed are as they were.
    pub is_cancelled: bool,
}

/// An image, decoded.
#[derive(Debug, Clone, Copy)]
pub struct Pixels<'a> {
    /// Width and height.
    pub size: Size,
    /// `width x height x 4` bytes of straight RGBA.
    pub rgba: &'a [u8],
}

/// The frames that an asset's sidecar gives, with the errors that may have cost some.
pub fn frames_of(project: &Project, path: &str) -> Result<(Vec<Frame>, Vec<Problem>), Problem> {
    let image = pass_1::probe(&project.file(path)).map_err(|why| why.problem(path))?;
    let reading = pass_1::read_sidecar(project, path);
    let guid = pass_1::guid_of(&reading).unwrap_or_else(Guid::random);
    let (sheet, problems) = pass_1::read_sheet(&reading, guid, image.size, path, &ForeignGuids::default());
    // What is wrong with single frames, the plan says.
    let costs_frames = |problem: &Problem| problem.code == Code::SlicingInvalid && problem.frame.is_none();
    let problems = reading.problem.into_iter().chain(problems.into_iter().filter(costs_frames));
    Ok((sheet.frames.to_vec(), problems.collect()))
}

/// Which frames of which image become files, and where.
#[derive(Debug, Clone, Copy)]
pub struct FrameExport<'a> {
    /// The image's file.
    pub image: &'a Path,
    /// The asset's path, for the problems and for its name.
    pub path: &'a str,
    /// All frames of the sheet.
    pub frames: &'a [Frame],
    /// The places of those that become files; `None` for all.
    pub selection: Option<&'a [usize]>,
    /// What the files are called.
    pub naming: Naming<'a>,
    /// Where they go. It is made when it is missing.
    pub folder: &'a Path,
}

/// Decodes an image and writes frames of it. Takes as much memory as the decoded image and its file.
///
/// `progress` is told how many files of how many are done; `cancel` may be set on another thread at any time.
pub fn export_frames(
    what: &FrameExport<'_>,
    progress: &mut dyn FnMut(usize, usize),
    cancel: &AtomicBool,
) -> FrameReport {
    let &FrameExport { image, path, frames, selection, naming, folder } = what;
    let (size, rgba, is_deep) = match decode(image, path) {
        Ok(decoded) => decoded,
        Err(problem) => return FrameReport { problems: vec![problem], ..FrameReport::default() },
    };
    let mut plan = plan_frames(frames, selection, naming, size, path);
    if is_deep {
        let message = "The image has 16 bits a channel; the frames are written with 8";
        plan.problems.insert(0, Problem::new(Code::DepthReduced, path, message));
    }
    write_frames(&plan, Pixels { size, rgba: &rgba }, image, folder, progress, cancel)
}

fn decode(image: &Path, path: &str) -> Result<(Size, Vec<u8>, bool), Problem> {
    let bytes = fs::read(image)
        .map_err(|why| Problem::new(Code::Unreadable, path, format!("cannot be read: {why}")))?;
    let refused = |why| Problem::new(decode_code(&why), path, why.to_string());
    let info = probe(&bytes, extension_of(image)).map_err(refused)?;
    let (size, rgba) = decode_rgba(&bytes, extension_of(image)).map_err(refused)?;
    Ok((size, rgba, info.bit_depth > 8))
}

/// What becomes of frames of an image of that size: names that no two share and that lead nowhere else, rectangles inside
/// the image.
pub fn plan_frames(
    frames: &[Frame],
    selection: Option<&[usize]>,
    naming: Naming<'_>,
    image: Size,
    path: &str,
) -> FramePlan {
    let sheet = clean_sheet_name(path);
    let namer = Namer { pattern: naming.pattern, places: places(frames), sheet };
    let chosen: BTreeSet<usize> = match selection {
        Some(selection) => selection.iter().copied().collect(),
        None => (0..frames.len()).collect(),
    };
    let mut plan = FramePlan::default();
    let mut taken = Taken::default();
    for index in chosen {
        let Some(frame) = frames.get(index) else { continue };
        let told = |code, message: String| Problem::new(code, path, message).at_frame(index);
        match frame.fault(image) {
            Some(RectFault::PartlyOutside) => plan.problems.push(told(
                Code::FramePartlyOutside,
                format!(
                    "The frame {} lies partly outside the image ({image}); its picture is cut off there",
                    frame.rect_in_image
                ),
            )),
            Some(_) => {
                plan.problems.push(told(
                    Code::FrameInvalid,
                    "The frame has no pixels inside the image, so there is no picture of it".to_owned(),
                ));
                continue;
            }
            None => {}
        }
        let Some(rect_in_image) = frame.drawn_rect(image) else { continue };
        let wanted = namer.name(index, &frame.name);
        let safe = safe_name(&wanted, &format!("frame_{index:02}"));
        let (stem, collides_with) = taken.take(safe.clone(), index);
        let name = format!("{stem}.png");
        if let Some(other) = collides_with {
            let message =
                format!("The frames {other} and {index} would both be {safe}.png, so this one is {name}");
            plan.problems.push(told(Code::FileNameChanged, message));
        } else if safe != wanted {
            let message = format!("{wanted:?} cannot be the name of a file on every system, so it is {name}");
            plan.problems.push(told(Code::FileNameChanged, message));
        }
        plan.files.push(FrameFile { index, name, rect_in_image });
    }
    plan
}

/// The row and the column of every frame; 0 and 0 for one without pixels.
fn places(frames: &[Frame]) -> Vec<(u32, u32)> {
    let rects: Vec<_> = frames.iter().map(|frame| frame.rect_in_image).collect();
    let mut places = vec![(0, 0); frames.len()];
    for (row, members) in (0..).zip(visual_rows(&rects)) {
        for (column, index) in (0..).zip(members) {
            if let Some(place) = places.get_mut(index) {
                *place = (row, column);
            }
        }
    }
    places
}

struct Namer<'a> {
    pattern: Option<&'a Pattern>,
    places: Vec<(u32, u32)>,
    sheet: &'a str,
}

impl Namer<'_> {
    fn name(&self, index: usize, own_name: &str) -> String {
        let (row, column) = self.places.get(index).copied().unwrap_or_default();
        let context = Context { n: index as u64, sheet: self.sheet, old_name: own_name, row, column };
        match self.pattern {
            Some(pattern) => pattern.name(&context),
            None if !own_name.trim().is_empty() => own_name.to_owned(),
            // It is one.
            None => Pattern::parse(DEFAULT_PATTERN).map(|usual| usual.name(&context)).unwrap_or_default(),
        }
    }
}

/// Writes what was planned. `source` is the image's file, which is never written, whatever a frame is called.
pub fn write_frames(
    plan: &FramePlan,
    image: Pixels<'_>,
    source: &Path,
    folder: &Path,
    progress: &mut dyn FnMut(usize, usize),
    cancel: &AtomicBool,
) -> FrameReport {
    let mut report = FrameReport { problems: plan.problems.clone(), ..FrameReport::default() };
    let unwritable =
        |path: &Path, why: String| Problem::new(Code::Unwritable, &path.display().to_string(), why);
    if let Err(why) = fs::create_dir_all(folder) {
        report.problems.push(unwritable(folder, format!("cannot be made a folder: {why}")));
        return report;
    }
    progress(0, plan.files.len());
    for (done, file) in (1..).zip(&plan.files) {
        if cancel.load(Ordering::Relaxed) {
            report.is_cancelled = true;
            break;
        }
        let destination = folder.join(&file.name);
        if let Some(why) = refusal(&destination, source) {
            report.problems.push(unwritable(&destination, why.to_owned()).at_frame(file.index));
        } else if let Err(why) = write_frame(file.rect_in_image, image, &destination) {
            let message = format!("cannot be written: {}", why.source);
            report.problems.push(unwritable(&destination, message).at_frame(file.index));
        } else {
            report.files.push(destination);
        }
        progress(done, plan.files.len());
    }
    report
}

/// Why a file that is there must stay: it is a source.
fn refusal(destination: &Path, source: &Path) -> Option<&'static str> {
    let there = fs::canonicalize(destination).ok()?;
    if fs::canonicalize(source).is_ok_and(|source| source == there) {
        return Some("It is the sheet itself, which is never written: choose another folder or pattern");
    }
    let mut sidecar = destination.as_os_str().to_owned();
    sidecar.push(SIDECAR_SUFFIX);
    Path::new(&sidecar).exists().then_some(
        "It is a sheet of its own, with a sidecar, and no sheet is ever written: choose another folder or pattern",
    )
}

fn write_frame(rect: PixelRect, image: Pixels<'_>, destination: &Path) -> Result<(), WriteError> {
    let failed = |source| WriteError { path: destination.to_owned(), source };
    let mut pending = Pending::replace(destination)?;
    {
        let mut out = BufWriter::new(pending.file());
        let size = Size::new(rect.width as u32, rect.height as u32);
        write_png(&mut out, size, rows(rect, image)).map_err(failed)?;
        out.flush().map_err(failed)?;
    }
    pending.commit()
}

/// The rows of a rectangle inside the image.
fn rows(rect: PixelRect, image: Pixels<'_>) -> impl Iterator<Item = &[u8]> {
    let row_bytes = image.size.width as usize * 4;
    let columns = rect.x as usize * 4..(rect.x + rect.width) as usize * 4;
    let rows = image.rgba.chunks_exact(row_bytes).skip(rect.y as usize).take(rect.height as usize);
    rows.filter_map(move |row| row.get(columns.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FrameId;

    fn frame(name: &str, rect: [i32; 4]) -> Frame {
        let [x, y, width, height] = rect;
        Frame { name: name.into(), ..Frame::new(FrameId(0), PixelRect::new(x, y, width, height)) }
    }

    fn names(plan: &FramePlan) -> Vec<&str> {
        plan.files.iter().map(|file| file.name.as_str()).collect()
    }

    fn codes(problems: &[Problem]) -> Vec<(&str, Option<u32>)> {
        problems.iter().map(|problem| (problem.code.as_str(), problem.frame)).collect()
    }

    #[test]
    fn frames_have_their_own_names_or_the_sheets_with_their_place() {
        let frames = [frame("idle", [0, 0, 2, 2]), frame("", [2, 0, 2, 2]), frame(" ", [0, 2, 2, 2])];
        let image = Size::new(4, 4);
        let plan = plan_frames(&frames, None, Naming::default(), image, "assets/hero_strip8.png");
        assert_eq!(
            (names(&plan), &plan.problems[..]),
            (vec!["idle.png", "hero_01.png", "hero_02.png"], &[][..])
        );
        let pattern = Pattern::parse("{sheet}-{row}{col}-{n}").unwrap();
        let naming = Naming { pattern: Some(&pattern) };
        let plan = plan_frames(&frames, Some(&[2, 1, 1, 9]), naming, image, "hero.png");
        assert_eq!(names(&plan), ["hero-01-1.png", "hero-10-2.png"]);
    }

    #[test]
    fn odd_names_and_collisions_are_told_with_their_frame() {
        let frames = [frame("../up", [0, 0, 1, 1]), frame("walk", [0, 0, 1, 1]), frame("WALK", [0, 0, 1, 1])];
        let plan = plan_frames(&frames, None, Naming::default(), Size::new(4, 4), "a.png");
        assert_eq!(names(&plan), ["_._up.png", "walk.png", "WALK_2.png"]);
        assert_eq!(codes(&plan.problems), [("file-name-changed", Some(0)), ("file-name-changed", Some(2))]);
    }

    #[test]
    fn a_frame_partly_outside_is_cut_and_one_without_pixels_left_out() {
        let frames = [frame("", [3, 3, 4, 4]), frame("", [9, 0, 1, 1]), frame("", [0, 0, 0, 1])];
        let plan = plan_frames(&frames, None, Naming::default(), Size::new(4, 4), "a.png");
        assert_eq!(plan.files[0].rect_in_image, PixelRect::new(3, 3, 1, 1));
        assert_eq!(
            codes(&plan.problems),
            [("frame-partly-outside", Some(0)), ("frame-invalid", Some(1)), ("frame-invalid", Some(2))]
        );
    }

    #[test]
    fn pictures_are_cut_bit_for_bit_and_sources_stay() {
        let folder = tempfile::tempdir().unwrap();
        // Colours also where alpha is 0.
        let rgba: Vec<u8> = (0..4 * 3).flat_map(|n: u8| [n, 200 - n, n * 3, n % 3 * 100]).collect();
        let size = Size::new(4, 3);
        let image = Pixels { size, rgba: &rgba };
        let source = folder.path().join("hero.png");
        let sheet = folder.path().join("other.png");
        for file in [&source, &sheet, &folder.path().join("other.png.data")] {
            fs::write(file, b"source").unwrap();
        }
        let frames = [frame("a", [1, 1, 2, 2]), frame("hero", [0, 0, 4, 3]), frame("other", [0, 0, 1, 1])];
        let plan = plan_frames(&frames, None, Naming::default(), size, "hero.png");
        let mut told = Vec::new();
        let mut progress = |done, total| told.push((done, total));
        let cancel = AtomicBool::new(false);
        let report = write_frames(&plan, image, &source, folder.path(), &mut progress, &cancel);
        assert_eq!(report.files, [folder.path().join("a.png")]);
        assert_eq!(codes(&report.problems), [("unwritable", Some(1)), ("unwritable", Some(2))]);
        assert_eq!(told, [(0, 3), (1, 3), (2, 3), (3, 3)]);
        assert_eq!(
            (fs::read(&source).unwrap(), fs::read(&sheet).unwrap()),
            (b"source".to_vec(), b"source".to_vec())
        );
        let decoded = decode_rgba(&fs::read(&report.files[0]).unwrap(), None).unwrap();
        let expected: Vec<u8> =
            [5_u8, 6, 9, 10].iter().flat_map(|&n| [n, 200 - n, n * 3, n % 3 * 100]).collect();
        assert_eq!(decoded, (Size::new(2, 2), expected));
    }

    #[test]
    fn a_cancelled_export_of_frames_writes_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let frames = [frame("a", [0, 0, 1, 1]), frame("b", [0, 0, 1, 1])];
        let size = Size::new(1, 1);
        let plan = plan_frames(&frames, None, Naming::default(), size, "hero.png");
        let cancel = AtomicBool::new(false);
        let mut progress = |done, _| cancel.store(done == 1, Ordering::Relaxed);
        let image = Pixels { size, rgba: &[1, 2, 3, 0] };
        let report = write_frames(&plan, image, Path::new("hero.png"), folder.path(), &mut progress, &cancel);
        assert_eq!((report.files.len(), report.is_cancelled), (1, true));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
