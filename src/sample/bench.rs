//! Sheets to measure with: as large as wanted, always the same, and about as hard to decode as drawn ones.
//!
//! A cell holds a blob of a few shaded ellipses with a dark rim and a soft edge. That gives long clear runs, smooth
//! rows that the Paeth filter suits, and partly clear pixels: what importers meet, and what noise or flat colour is not.

use std::fs;
use std::path::Path;

use super::encode::{Effort, encode_png};
use super::{Picture, io_error, sidecar};
use crate::fs_atomic::{self, WriteError};
use crate::geometry::Size;

/// Drawn blobs per sheet; cells repeat them in other colours.
const POOL: u32 = 64;
/// Cells of the small sheets of [`write_bench_project`].
const SMALL_CELL: u32 = 32;
const SHEETS_PER_FOLDER: u32 = 100;

/// A square sheet of `side` pixels full of cells of `cell` pixels, each with its own blob; the same for the same
/// numbers, on any machine.
pub fn sheet(side: u32, cell: u32) -> Picture {
    seeded_sheet(side, cell, u64::from(side) << 32 | u64::from(cell))
}

/// A project of `sheets` sheets of `side` pixels at `assets/NNN/sheet_NNN.png`, 100 per folder, with sidecars that
/// say a grid of 32 by 32. Existing files are replaced.
pub fn write_bench_project(folder: &Path, sheets: u32, side: u32) -> Result<(), WriteError> {
    for number in 0..sheets {
        let folder = folder.join("assets").join(format!("{:03}", number / SHEETS_PER_FOLDER));
        fs::create_dir_all(&folder).map_err(|source| io_error(&folder, source))?;
        let path = folder.join(format!("sheet_{number:03}.png"));
        let picture = seeded_sheet(side, SMALL_CELL, u64::from(number));
        fs_atomic::write(&path, &encode_png(&picture, false, Effort::Fast))?;
        let guid = format!("be9c0000-0000-4000-8000-{number:012x}");
        fs_atomic::write(&path.with_extension("png.data"), &sidecar::grid(&guid, SMALL_CELL))?;
    }
    Ok(())
}

fn seeded_sheet(side: u32, cell: u32, seed: u64) -> Picture {
    let mut random = Random::new(seed);
    let mut sheet = Picture::new(Size::new(side, side));
    let per_row = side.checked_div(cell).unwrap_or(0);
    let pool: Vec<Picture> = (0..POOL.min(per_row * per_row)).map(|_| blob(cell, &mut random)).collect();
    for row in 0..per_row {
        for column in 0..per_row {
            let Some(blob) = pool.get(random.below(pool.len() as u32) as usize) else { continue };
            // A tint per cell, so that the compressor does not meet the same bytes again.
            let tint = [0; 3].map(|_: i32| random.below(41) as i32 - 20);
            place(&mut sheet, blob, (column * cell, row * cell), tint, random.below(2) == 1);
        }
    }
    sheet
}

/// Copies a blob into its cell, row by row: a 4096 pixel sheet has sixteen million pixels to go through.
fn place(sheet: &mut Picture, blob: &Picture, at: (u32, u32), tint: [i32; 3], mirrored: bool) {
    let (stride, cell) = (sheet.size.width as usize * 4, blob.size.width as usize);
    for (y, from) in blob.rgba.chunks_exact(cell * 4).enumerate() {
        let start = (at.1 as usize + y) * stride + at.0 as usize * 4;
        let Some(to) = sheet.rgba.get_mut(start..start + cell * 4) else { return };
        let to = to.as_chunks_mut::<4>().0;
        for (x, &[r, g, b, a]) in from.as_chunks::<4>().0.iter().enumerate() {
            if a != 0 {
                let tinted = |value: u8, by: i32| (i32::from(value) + by).clamp(0, 255) as u8;
                let x = if mirrored { cell - 1 - x } else { x };
                to[x] = [tinted(r, tint[0]), tinted(g, tint[1]), tinted(b, tint[2]), a];
            }
        }
    }
}

struct Ellipse {
    x: f32,
    y: f32,
    radius_x: f32,
    radius_y: f32,
    colour: [f32; 3],
}

fn blob(cell: u32, random: &mut Random) -> Picture {
    let side = cell as f32;
    let count = 3 + random.below(3);
    let ellipses: Vec<Ellipse> = (0..count)
        .map(|_| Ellipse {
            x: side * random.between(0.38, 0.62),
            y: side * random.between(0.36, 0.64),
            radius_x: side * random.between(0.11, 0.25),
            radius_y: side * random.between(0.11, 0.25),
            colour: [0; 3].map(|_: i32| random.between(50.0, 225.0)),
        })
        .collect();
    let mut picture = Picture::new(Size::new(cell, cell));
    for y in 0..cell as i32 {
        for x in 0..cell as i32 {
            let pixel = shade(&ellipses, x as f32 + 0.5, y as f32 + 0.5);
            picture.put(x, y, pixel);
        }
    }
    picture
}

/// The topmost ellipse at a point, lit from the top left, with a dark rim, soft over its last pixel.
fn shade(ellipses: &[Ellipse], x: f32, y: f32) -> [u8; 4] {
    let mut out = [0; 4];
    for ellipse in ellipses {
        let (dx, dy) = ((x - ellipse.x) / ellipse.radius_x, (y - ellipse.y) / ellipse.radius_y);
        // Pixels inside the edge, near enough. A root is the same on every machine, `hypot` need not be.
        let inside = (1.0 - (dx * dx + dy * dy).sqrt()) * ellipse.radius_x.min(ellipse.radius_y);
        let coverage = (inside + 0.5).clamp(0.0, 1.0);
        if coverage <= 0.0 {
            continue;
        }
        let light = if inside < 1.5 { 0.3 } else { 1.05 - 0.3 * (dx + dy) };
        let alpha = (coverage * 255.0).round() as u8;
        if alpha >= out[3] {
            let [red, green, blue] = ellipse.colour.map(|value| (value * light).clamp(0.0, 255.0) as u8);
            out = [red, green, blue, alpha];
        }
    }
    out
}

/// Marsaglia's 64-bit xorshift: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        // Zero would stay zero, and neighbouring seeds must part at once.
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    /// From 0 to `limit - 1`; 0 when the limit is 0.
    fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(limit)) >> 32) as u32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.next() >> 8) as f32 / (1 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opaque_share(picture: &Picture) -> f64 {
        let opaque = picture.rgba.as_chunks::<4>().0.iter().filter(|pixel| pixel[3] == 255).count();
        opaque as f64 / picture.size.area() as f64
    }

    #[test]
    fn sheets_are_the_same_each_time_and_as_full_as_drawn_ones() {
        for (side, cell) in [(512, 64), (128, 32)] {
            let sheet = sheet(side, cell);
            assert_eq!(sheet, super::sheet(side, cell));
            let share = opaque_share(&sheet);
            assert!((0.16..=0.29).contains(&share), "{side} {cell}: {share}");
        }
    }

    #[test]
    fn sheets_have_soft_edges_and_blobs_that_stay_in_their_cells() {
        let sheet = sheet(256, 64);
        assert!(sheet.rgba.as_chunks::<4>().0.iter().any(|pixel| (1..255).contains(&pixel[3])));
        for along in 0..256 {
            for edge in [0, 63, 64, 127, 128, 191, 192, 255] {
                assert!(!sheet.has_ink(edge, along) && !sheet.has_ink(along, edge));
            }
        }
    }

    #[test]
    fn cells_that_do_not_fit_leave_the_sheet_clear() {
        assert_eq!(sheet(16, 64).ink_rect(), None);
        assert_eq!(sheet(16, 0).ink_rect(), None);
        assert!(sheet(100, 64).ink_rect().is_some());
    }

    #[test]
    fn a_project_has_its_sheets_in_folders_of_a_hundred() {
        let folder = tempfile::tempdir().unwrap();
        write_bench_project(folder.path(), 101, 32).unwrap();
        let assets = folder.path().join("assets");
        for path in ["000/sheet_000.png", "000/sheet_099.png.data", "001/sheet_100.png"] {
            assert!(assets.join(path).is_file(), "{path}");
        }
        let read = |name: &str| fs::read(assets.join(name)).unwrap();
        assert_ne!(read("000/sheet_000.png"), read("000/sheet_001.png"));
        assert_ne!(read("000/sheet_000.png.data"), read("000/sheet_001.png.data"));
    }
}
