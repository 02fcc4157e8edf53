//! `slice`: cut an image into frames by a grid, by its ink or by a guess, and write them into its sidecar if asked.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{complain, finish, frames_json, project_of, say, say_json};
use crate::edit::{self, Cut, Edit, History};
use crate::geometry::{Offset, Size};
use crate::guid::Guid;
use crate::model::{Automatic, Code, Grids, Leftover, Merge, Order, Problem, Recipe, Run};
use crate::session::document::SheetOnDisk;
use crate::session::save::{Save, read_sheet, save_sheet};
use crate::session::{Detected, Study};
use crate::sheet_file;
use crate::slicing::{LeftoverPixels, grid, lay};
use crate::texture::rgb_of;

/// Cut an image into frames.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("how").required(true))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Slice {
    /// The image
    image: PathBuf,
    /// Cells of this size, such as 32x32
    #[arg(long, value_name = "WxH", value_parser = parse_size, group = "how")]
    grid: Option<Size>,
    /// Sprites that stand apart from each other
    #[arg(long, group = "how")]
    auto: bool,
    /// List the grids that the image may have, best first
    #[arg(long, group = "how", conflicts_with = "write")]
    guess: bool,
    /// Pixels before the first cell
    #[arg(long, value_name = "X,Y", value_parser = parse_pair, default_value = "0,0", allow_hyphen_values = true)]
    offset: Offset,
    /// Pixels between cells
    #[arg(long, value_name = "X,Y", value_parser = parse_pair, default_value = "0,0", allow_hyphen_values = true)]
    spacing: Offset,
    /// In which order cells are numbered
    #[arg(long, value_enum, default_value = "rows")]
    order: OrderName,
    /// What happens to pixels that fill no whole cell
    #[arg(long, value_enum, default_value = "drop")]
    leftover: LeftoverName,
    /// Cells to pass over before the first frame
    #[arg(long, value_name = "N", default_value_t = 0)]
    start: u32,
    /// Frames to take at most
    #[arg(long, value_name = "N")]
    count: Option<u32>,
    /// Leave out cells whose every alpha is at or below this
    #[arg(long, value_name = "ALPHA")]
    skip_empty: Option<u8>,
    /// Ink has a larger alpha than this
    #[arg(long, value_name = "N")]
    alpha_threshold: Option<u8>,
    /// Leave out sprites with fewer pixels of ink
    #[arg(long, value_name = "N")]
    min_area: Option<u32>,
    /// Which islands are one sprite: overlap, none, or the largest gap in pixels
    #[arg(long, value_name = "overlap|none|PX", value_parser = parse_merge, default_value = "overlap")]
    merge: Merge,
    /// Background colours, such as #ff00ff,#000000; auto finds them in an opaque image
    #[arg(long, value_name = "auto|#rrggbb,…", value_parser = parse_background, default_value = "auto")]
    background: Background,
    /// How much a channel may differ from the background
    #[arg(long, value_name = "N")]
    tolerance: Option<u8>,
    /// Write the frames into the image's sidecar
    #[arg(long)]
    write: bool,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum OrderName {
    Rows,
    Columns,
    Serpentine,
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Self {
        match name {
            OrderName::Rows => Self::Rows,
            OrderName::Columns => Self::Columns,
            OrderName::Serpentine => Self::Serpentine,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum LeftoverName {
    Drop,
    Clip,
}

impl From<LeftoverName> for Leftover {
    fn from(name: LeftoverName) -> Self {
        match name {
            LeftoverName::Drop => Self::Drop,
            LeftoverName::Clip => Self::Clip,
        }
    }
}

/// `None` finds the colours.
#[derive(Clone)]
struct Background(Option<Vec<[u8; 3]>>);

fn parse_size(text: &str) -> Result<Size, String> {
    let (width, height) = two_numbers(text, 'x')?;
    Ok(Size::new(width, height))
}

fn parse_pair(text: &str) -> Result<Offset, String> {
    let (x, y) = two_numbers(text, ',')?;
    Ok(Offset::new(x, y))
}

fn two_numbers<N: FromStr>(text: &str, between: char) -> Result<(N, N), String> {
    let parsed =
        text.split_once(between).and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    parsed.ok_or_else(|| format!("two whole numbers with a {between:?} between them are expected"))
}

fn parse_merge(text: &str) -> Result<Merge, String> {
    match text {
        "overlap" => Ok(Merge::Overlap),
        "none" => Ok(Merge::None),
        gap => {
            gap.parse().map(Merge::Gap).map_err(|_why| "overlap, none or a whole number is expected".into())
        }
    }
}

fn parse_background(text: &str) -> Result<Background, String> {
    if text == "auto" {
        return Ok(Background(None));
    }
    let colours = text.split(',').map(|text| rgb_of(text.trim())).collect::<Option<_>>();
    colours
        .map(|colours| Background(Some(colours)))
        .ok_or_else(|| "colours such as #ff00ff are expected".into())
}

/// What became of the image.
struct Outcome {
    cut: Result<Cut, String>,
    leftover: Option<LeftoverPixels>,
}

impl Slice {
    pub(super) fn run(self) -> ExitCode {
        let (project, path) = match project_of(&self.image) {
            Ok(found) => found,
            Err(status) => return status,
        };
        if self.guess {
            return self.guesses(&path);
        }
        let disk = match read_sheet(&project, &path, None) {
            Ok(disk) => disk,
            Err(why) => {
                complain(&format!("{why}: {}", self.image.display()));
                return ExitCode::from(1);
            }
        };
        let SheetOnDisk { sheet, image_size, mut guid, mut problems, .. } = disk;
        let Outcome { cut, leftover } = match self.grid {
            Some(cell) => self.by_grid(cell, image_size),
            None => Outcome { cut: self.by_ink(), leftover: None },
        };
        let mut history = History::new(sheet);
        let done =
            cut.and_then(|cut| history.apply(&Edit::Cut(cut), image_size).map_err(|why| why.to_string()));
        let has_failed = done.is_err();
        if let Err(why) = done {
            problems.push(Problem::new(Code::SlicingInvalid, &path, why));
        } else {
            problems = sheet_file::problems(history.sheet(), image_size, &path);
            if self.write {
                let new_guid = guid.unwrap_or_else(Guid::random);
                let (sheet, revision) = (history.sheet().clone(), history.revision());
                let save = Save {
                    project,
                    path: path.clone(),
                    guid: new_guid,
                    sheet,
                    image_size,
                    revision,
                    expected: None,
                };
                match save_sheet(&save) {
                    Ok(_) => guid = Some(new_guid),
                    Err(why) => problems.push(Problem::new(Code::Unwritable, &path, why)),
                }
            }
        }
        let frames = if has_failed { &[][..] } else { &history.sheet().frames };
        if self.json {
            let leftover = leftover.filter(|_| !has_failed);
            let leftover = leftover.map(|left| json!({ "right": left.right, "bottom": left.bottom }));
            let frames = frames_json(frames, guid);
            say_json(&json!({ "frames": frames, "leftover": leftover, "problems": problems }));
        } else {
            say(&match self.grid {
                Some(cell) => format!("{} frames of {cell}", frames.len()),
                None => format!("{} sprites", frames.len()),
            });
        }
        finish(&problems, self.json)
    }

    fn by_grid(&self, cell: Size, image: Size) -> Outcome {
        let run = Run {
            offset: self.offset,
            spacing: self.spacing,
            order: self.order.into(),
            start: self.start,
            count: self.count,
            skip_empty: self.skip_empty,
            ..Run::of_cell(cell)
        };
        let leftover = Some(grid::leftover(&run, image));
        if let Some(why) = edit::grid_fault(&run, image) {
            return Outcome { cut: Err(why), leftover };
        }
        let study = self.skip_empty.map(|_| Study::of_file(&self.image)).transpose();
        let cut = study.map(|study| {
            let grids = Grids { runs: vec![run], leftover: self.leftover.into() };
            let laid = lay(&grids, image, study.as_ref().map(|study| &*study.planes));
            Cut::new(Recipe::Grids(grids), laid.rects)
        });
        Outcome { cut, leftover }
    }

    fn by_ink(&self) -> Result<Cut, String> {
        let study = Study::of_file(&self.image)?;
        let rules = Automatic {
            alpha_threshold: self.alpha_threshold.unwrap_or(study.rules.alpha_threshold),
            min_area: self.min_area.unwrap_or(study.rules.min_area),
            merge: self.merge,
            background: self.background.0.clone().unwrap_or_else(|| study.rules.background.clone()),
            tolerance: self.tolerance.unwrap_or(study.rules.tolerance),
        };
        let detected = Detected::by(&rules, &self.image, Some(&study), None)?;
        Ok(Cut::new(Recipe::Automatic(rules), detected.rects()))
    }

    fn guesses(&self, path: &str) -> ExitCode {
        let (guesses, problems) = match Study::of_file(&self.image) {
            Ok(study) => (study.guesses, Vec::new()),
            Err(why) => (Vec::new(), vec![Problem::new(Code::ImageDamaged, path, why)]),
        };
        if self.json {
            let guesses: Vec<Value> = guesses
                .iter()
                .map(|guess| {
                    let Run { cell, offset, spacing, .. } = &guess.run;
                    json!({
                        "width": cell.width, "height": cell.height, "offset": [offset.x, offset.y],
                        "spacing": [spacing.x, spacing.y], "columns": guess.columns, "rows": guess.rows,
                        "confidence": guess.confidence,
                    })
                })
                .collect();
            say_json(&json!({ "guesses": guesses, "problems": problems }));
        } else {
            for guess in &guesses {
                let Run { cell, offset, spacing, .. } = &guess.run;
                say(&format!(
                    "{cell}, offset {},{}, spacing {},{}, {} x {} frames, {:.0} % sure",
                    offset.x,
                    offset.y,
                    spacing.x,
                    spacing.y,
                    guess.columns,
                    guess.rows,
                    guess.confidence * 100.0
                ));
            }
        }
        finish(&problems, self.json)
    }
}
