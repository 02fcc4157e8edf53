//! `inspect`: what is in a texture, a sidecar or an image.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::{complain, finish, frames_json, preview, say, say_json};
use crate::format::sidecar::{Cut, GuidField, Sidecar};
use crate::format::tex::{MAGIC, Tex, VERSION};
use crate::geometry::Size;
use crate::import::plan::{self, decode_code, extension_of};
use crate::model::{
    Automatic, Code, FormatChoice, Grids, Leftover, Merge, Order, Problem, Recipe, Run, files,
};
use crate::pixels;
use crate::sheet_file;
use crate::texture::{Dithering, Insets, rgb_text};

/// Say what is in a file.
#[derive(Args)]
pub(super) struct Inspect {
    /// A texture, a `.data` sidecar, or an image
    file: PathBuf,
    /// Write what the device shows of it: of a texture its picture, of an image or a sidecar what would be stored
    #[arg(long, value_name = "OUT.png")]
    preview: Option<PathBuf>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

impl Inspect {
    pub(super) fn run(self) -> ExitCode {
        let Self { file, preview: out, json } = self;
        if let Some(out) = out.as_ref().filter(|out| preview::is_inspected(&file, out)) {
            complain(&format!("the preview would replace what is inspected: {}", out.display()));
            return ExitCode::from(2);
        }
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(why) => {
                complain(&format!("cannot be read: {why}: {}", file.display()));
                return ExitCode::from(1);
            }
        };
        let path = file.display().to_string();
        let kind = kind_of(&file, &bytes);
        let (mut document, mut problems) = match kind {
            Kind::Sidecar => sidecar(&file, &path, &bytes),
            Kind::Texture => texture(&path, &bytes),
            Kind::Image => image(&file, &path, &bytes),
        };
        if let Some(out) = &out
            && let Err(problem) = preview::write(kind, &file, bytes, out)
            // Whatever hinders the picture may have been told of the file already.
            && !problems.iter().any(|told| told.code == problem.code)
        {
            problems.push(problem);
        }
        if let Value::Object(members) = &mut document {
            members.insert("problems".into(), json!(problems));
        }
        if json {
            say_json(&document);
        } else {
            say_plainly(&document);
        }
        finish(&problems, json)
    }
}

/// What a file is taken for.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Sidecar,
    Texture,
    Image,
}

fn kind_of(file: &Path, bytes: &[u8]) -> Kind {
    if file.extension().is_some_and(|extension| extension == "data") {
        Kind::Sidecar
    } else if bytes.starts_with(&MAGIC) || file.extension().is_none_or(|extension| extension == "tex") {
        Kind::Texture
    } else {
        Kind::Image
    }
}

/// A line for each member; long lists by their length.
fn say_plainly(document: &Value) {
    let Value::Object(members) = document else { return };
    for (name, value) in members {
        match value {
            Value::Array(items) if name == "frames" || name == "problems" => {
                say(&format!("{name}: {}", items.len()));
            }
            Value::String(text) => say(&format!("{name}: {text}")),
            other => say(&format!("{name}: {other}")),
        }
    }
}

fn insets_json(insets: Insets) -> Value {
    let Insets { left, right, top, bottom } = insets;
    json!({ "left": left, "right": right, "top": top, "bottom": bottom })
}

fn size_json(size: Size) -> Value {
    json!({ "width": size.width, "height": size.height })
}

fn texture(path: &str, bytes: &[u8]) -> (Value, Vec<Problem>) {
    let tex = match Tex::parse(bytes) {
        Ok(tex) => tex,
        Err(why) => {
            let nothing = json!({
                "kind": "texture", "version": null, "width": null, "height": null, "format": null, "flags": [],
                "chunks": [], "default_frame": null, "frames": [], "nine_slice": null, "chroma_key": null,
                "source_size": null,
            });
            return (nothing, vec![Problem::new(Code::TextureDamaged, path, why.to_string())]);
        }
    };
    let frames: Vec<_> = tex
        .frames
        .iter()
        .enumerate()
        .map(|(index, frame)| {
            let rect = frame.rect;
            json!({
                "index": index, "id": null, "guid": String::from_utf8_lossy(&frame.guid), "name": null,
                "x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height,
            })
        })
        .collect();
    let chunks: Vec<_> =
        tex.chunks.iter().map(|chunk| json!({ "type": chunk.kind, "size": chunk.size })).collect();
    let chroma_key = tex.chroma_key.as_ref().map(|found| {
        json!({ "r": found.key.red, "g": found.key.green, "b": found.key.blue, "span_count": found.spans.len() })
    });
    let problems = tex
        .warnings
        .iter()
        .map(|warning| {
            let problem = Problem::new(Code::TextureMetadata, path, warning.message.clone());
            warning.frame.map_or(problem.clone(), |index| problem.at_frame(index))
        })
        .collect();
    let document = json!({
        "kind": "texture", "version": VERSION, "width": tex.size.width, "height": tex.size.height,
        "format": tex.format.name(), "flags": tex.flags.names(), "chunks": chunks,
        "default_frame": tex.default_frame.map(|frame| json!({ "width": frame.width, "height": frame.height })),
        "frames": frames, "nine_slice": tex.nine_slice.map(insets_json), "chroma_key": chroma_key,
        "source_size": tex.source_size.map(size_json),
    });
    (document, problems)
}

fn image(file: &Path, path: &str, bytes: &[u8]) -> (Value, Vec<Problem>) {
    match pixels::probe(bytes, extension_of(file)) {
        Ok(info) => {
            let document = json!({
                "kind": "image", "format": info.kind.name(), "width": info.size.width, "height": info.size.height,
                "color": info.color.as_str(), "bit_depth": info.bit_depth, "interlaced": info.interlaced,
                "has_alpha": info.may_have_alpha,
            });
            (document, Vec::new())
        }
        Err(why) => {
            let nothing = json!({
                "kind": "image", "format": null, "width": null, "height": null, "color": null, "bit_depth": null,
                "interlaced": null, "has_alpha": null,
            });
            (nothing, vec![Problem::new(decode_code(&why), path, why.to_string())])
        }
    }
}

fn sidecar(file: &Path, path: &str, bytes: &[u8]) -> (Value, Vec<Problem>) {
    let sidecar = match Sidecar::parse(bytes) {
        Ok(sidecar) => sidecar,
        Err(why) => {
            let nothing = json!({
                "kind": "sidecar", "dialect": null, "guid": null, "mode": null, "frames": [], "recipe": null,
                "texture": null, "nine_slice": null,
            });
            return (nothing, vec![Problem::new(Code::SidecarUnparsable, path, why.to_string())]);
        }
    };
    let image = file.to_str().and_then(|name| name.strip_suffix(files::SIDECAR_SUFFIX)).map(Path::new);
    let guid = match sidecar.guid() {
        GuidField::Valid(guid) => Some(guid),
        GuidField::Missing | GuidField::Invalid { .. } => None,
    };
    let mode = match sidecar.read().slicing.cut {
        Cut::None => None,
        Cut::Grid(_) => Some("grid"),
        Cut::Atlas(_) => Some("atlas"),
    };
    let (sheet, problems) = if let Some(Ok(image)) = image.map(plan::probe) {
        sheet_file::read(&sidecar, image.size, path)
    } else {
        let problem =
            Problem::new(Code::SidecarOrphan, path, "its image cannot be read, so its frames are not known");
        (crate::model::Sheet::default(), vec![problem])
    };
    let settings = &sheet.settings;
    let texture = json!({
        "format": settings.format.map_or("Automatic", FormatChoice::name),
        "max_size": settings.max_size,
        "dithering": match settings.dithering.unwrap_or_default() {
            Dithering::None => "none",
            Dithering::Ordered => "ordered",
            Dithering::FloydSteinberg => "floyd-steinberg",
        },
        "chroma_key": settings.chroma_key.map(|key| json!({ "r": key.red, "g": key.green, "b": key.blue })),
    });
    let nine_slice = (!settings.nine_slice.is_zero()).then(|| insets_json(settings.nine_slice));
    let document = json!({
        "kind": "sidecar", "dialect": sidecar.dialect().map(super::super::format::sidecar::Dialect::as_str),
        "guid": guid.map(|guid| guid.to_string()), "mode": mode, "frames": frames_json(&sheet.frames, guid),
        "recipe": sheet.recipe.as_deref().map(recipe_json), "texture": texture, "nine_slice": nine_slice,
    });
    (document, problems)
}

fn recipe_json(recipe: &Recipe) -> Value {
    match recipe {
        Recipe::Grids(Grids { runs, leftover }) => {
            let runs: Vec<_> = runs.iter().map(run_json).collect();
            let leftover = match leftover {
                Leftover::Drop => "drop",
                Leftover::Clip => "clip",
            };
            json!({ "runs": runs, "leftover": leftover })
        }
        Recipe::Automatic(automatic) => json!({ "automatic": automatic_json(automatic) }),
    }
}

fn automatic_json(automatic: &Automatic) -> Value {
    let Automatic { alpha_threshold, min_area, merge, background, tolerance } = automatic;
    let merge = match merge {
        Merge::None => json!("none"),
        Merge::Overlap => json!("overlap"),
        Merge::Gap(pixels) => json!(pixels),
    };
    let background: Vec<_> = background.iter().map(|colour| rgb_text(*colour)).collect();
    json!({
        "alphaThreshold": alpha_threshold, "minArea": min_area, "merge": merge, "background": background,
        "tolerance": tolerance,
    })
}

fn run_json(run: &Run) -> Value {
    let order = match run.order {
        Order::Rows => "rows",
        Order::Columns => "columns",
        Order::Serpentine => "serpentine",
    };
    json!({
        "name": run.name, "cell": [run.cell.width, run.cell.height], "offset": [run.offset.x, run.offset.y],
        "spacing": [run.spacing.x, run.spacing.y], "columns": run.columns, "rows": run.rows, "order": order,
        "start": run.start, "count": run.count, "skipEmpty": run.skip_empty,
    })
}
