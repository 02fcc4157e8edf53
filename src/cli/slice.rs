//! `slice`: cut an image into frames, and write them into its sidecar if asked.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use serde_json::json;

use super::{complain, finish, frames_json, say, say_json};
use crate::edit::{Edit, History};
use crate::geometry::{Offset, Size};
use crate::guid::Guid;
use crate::import::Project;
use crate::model::{Code, Problem, Run};
use crate::session::document::SheetOnDisk;
use crate::session::save::{Save, read_sheet, save_sheet};
use crate::sheet_file;
use crate::slicing::grid;

/// Cut an image into frames.
#[derive(Args)]
pub(super) struct Slice {
    /// The image
    image: PathBuf,
    /// Cells of this size, such as 32x32
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    grid: Size,
    /// Pixels before the first cell
    #[arg(long, value_name = "X,Y", value_parser = parse_pair, default_value = "0,0", allow_hyphen_values = true)]
    offset: Offset,
    /// Pixels between cells
    #[arg(long, value_name = "X,Y", value_parser = parse_pair, default_value = "0,0", allow_hyphen_values = true)]
    spacing: Offset,
    /// Write the frames into the image's sidecar
    #[arg(long)]
    write: bool,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

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

impl Slice {
    pub(super) fn run(self) -> ExitCode {
        let Self { image, grid: cell, offset, spacing, write, json } = self;
        let (project, path) = match Project::containing(&image) {
            Ok(found) => found,
            Err(why) => {
                complain(&why.to_string());
                return ExitCode::from(1);
            }
        };
        let disk = match read_sheet(&project, &path, None) {
            Ok(disk) => disk,
            Err(why) => {
                complain(&format!("{why}: {}", image.display()));
                return ExitCode::from(1);
            }
        };
        let run = Run { offset, spacing, ..Run::of_cell(cell) };
        let SheetOnDisk { sheet, image_size, guid, mut problems, .. } = disk;
        let left = grid::leftover(&run, image_size);
        let mut history = History::new(sheet);
        let outcome = history.apply(&Edit::SetGrid(run), image_size);
        let mut guid = guid;
        if let Err(why) = outcome {
            problems.push(Problem::new(Code::SlicingInvalid, &path, why.to_string()));
        } else {
            problems = sheet_file::problems(history.sheet(), image_size, &path);
            if write {
                let new_guid = guid.unwrap_or_else(Guid::random);
                let (sheet, revision) = (history.sheet().clone(), history.revision());
                let save = Save { project, path: path.clone(), guid: new_guid, sheet, image_size, revision };
                match save_sheet(&save) {
                    Ok(_) => guid = Some(new_guid),
                    Err(why) => problems.push(Problem::new(Code::Unwritable, &path, why)),
                }
            }
        }
        let has_failed = problems.iter().any(|problem| problem.code == Code::SlicingInvalid);
        let frames = if has_failed { &[][..] } else { &history.sheet().frames };
        if json {
            let leftover = (!has_failed).then(|| json!({ "right": left.right, "bottom": left.bottom }));
            say_json(
                &json!({ "frames": frames_json(frames, guid), "leftover": leftover, "problems": problems }),
            );
        } else {
            say(&format!("{} frames of {cell}", frames.len()));
        }
        finish(&problems, json)
    }
}
