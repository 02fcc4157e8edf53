//! `make-art`: draws the sample project's sources and the sheets of the benchmarks.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::complain;
use crate::fs_atomic;
use crate::sample::{self, Effort, bench, encode_png, photo};

/// Draw the sample project or benchmark sheets.
#[derive(Args)]
pub(super) struct MakeArt {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The sample project, into a folder that has none of its files
    Sample {
        /// The project's folder
        folder: PathBuf,
    },
    /// One benchmark sheet
    BenchSheet {
        /// The PNG file
        file: PathBuf,
        /// Width and height in pixels
        #[arg(long, default_value_t = 4096)]
        side: u32,
        /// Width and height of a cell in pixels
        #[arg(long, default_value_t = 64)]
        cell: u32,
    },
    /// A sheet of six landscapes as a photograph is, for what few bits a colour do to it
    Photo {
        /// The PNG file
        file: PathBuf,
    },
    /// A project of many small sheets
    BenchProject {
        /// The project's folder
        folder: PathBuf,
        /// How many sheets
        #[arg(long, default_value_t = 500)]
        sheets: u32,
        /// Width and height of a sheet in pixels
        #[arg(long, default_value_t = 128)]
        side: u32,
    },
}

impl MakeArt {
    pub(super) fn run(self) -> ExitCode {
        let made = match self.what {
            What::Sample { folder } => sample::write_project(&folder),
            What::BenchProject { folder, sheets, side } => bench::write_bench_project(&folder, sheets, side),
            What::Photo { file } => {
                fs_atomic::write(&file, &encode_png(&photo::sheet(), true, Effort::Balanced))
            }
            What::BenchSheet { file, side, cell } => {
                let picture = bench::sheet(side, cell);
                fs_atomic::write(&file, &encode_png(&picture, false, Effort::Balanced))
            }
        };
        match made {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                complain(&why.to_string());
                ExitCode::FAILURE
            }
        }
    }
}
