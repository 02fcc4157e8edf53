//! What there is in the pixels of an image: ink, background, and which ways of cutting it may be right. Made off the
//! window's thread from the file itself, by the same code for the window and the headless commands.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::veil::Veil;
use crate::geometry::PixelRect;
use crate::import::plan::extension_of;
use crate::model::{Automatic, Leftover, Recipe, Run};
use crate::pixels::{ImageKind, RowDecoder};
use crate::slicing::detect::{self, Background, BackgroundBuilder, Detection, Islands};
use crate::slicing::guess::{EvidenceBuilder, Guess, guess_grids};
use crate::slicing::ink::{InkBuilder, InkPlanes, InkRule, Rgb};
use crate::slicing::{self, MAX_FRAMES};

/// Differences that JPEG makes of one colour.
const JPEG_TOLERANCE: u8 = 24;
/// Smaller images are labelled sooner than a thread starts.
const PIXELS_WORTH_A_THREAD: u64 = 1 << 20;
/// The most ways of cutting that are offered.
const MAX_PROPOSALS: usize = 5;
/// A guess is offered, not only listed, from this confidence on.
const SURE_ENOUGH: f32 = 0.6;
/// How sure detection is of sprites that stand apart from each other.
const SURE_OF_ISLANDS: f32 = 0.75;

/// What an image's pixels tell.
pub struct Study {
    /// Ink and background of each pixel.
    pub planes: Arc<InkPlanes>,
    /// What was found at the border of an opaque image.
    pub background: Option<Background>,
    /// The rules of detection that suit the image.
    pub rules: Automatic,
    /// Ranked grids, also unlikely ones.
    pub guesses: Vec<Guess>,
    /// What these rules find.
    pub detected: Arc<Detected>,
    /// Ways to cut the image that may be right, best first.
    pub proposals: Vec<Proposal>,
}

/// What detection finds by some rules.
pub struct Detected {
    /// Sprites, and what was merged or left out.
    pub detection: Detection,
    /// The islands of ink.
    pub islands: Arc<Islands>,
    planes: Arc<InkPlanes>,
    rules: Automatic,
    veil: Option<Arc<Veil>>,
}

/// A way to cut an unsliced image that may be right.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// How.
    pub recipe: Recipe,
    /// The frames it gives, in image pixels.
    pub rects: Arc<[PixelRect]>,
    /// Columns and rows of a grid.
    pub columns_and_rows: Option<(u32, u32)>,
    /// From 0 to 1.
    pub confidence: f32,
}

impl Proposal {
    /// The grid, when it is one.
    pub fn run(&self) -> Option<&Run> {
        self.recipe.single_run()
    }
}

impl Study {
    /// Studies an image file; the reason in words when it cannot be read.
    pub fn of_file(file: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(file).map_err(|why| format!("cannot be read: {why}"))?;
        Self::of_image(&bytes, extension_of(file))
    }

    /// Studies an encoded image.
    pub fn of_image(bytes: &[u8], extension: Option<&str>) -> Result<Self, String> {
        let kind = ImageKind::of(bytes, extension).map_err(|why| why.to_string())?;
        let tolerance = if kind == ImageKind::Jpeg { JPEG_TOLERANCE } else { InkRule::default().tolerance };
        let mut rules = Automatic { tolerance, ..Automatic::default() };
        // Whether a background colour is needed shows only at the end, so an opaque image is read twice.
        let mut read = Reading::of(bytes, extension, &rules)?;
        let background = read.planes.is_opaque().then_some(read.background);
        if let Some(background) = background.as_ref().filter(|background| !background.colours.is_empty()) {
            rules.background.clone_from(&background.colours);
            read = Reading::of(bytes, extension, &rules)?;
        }
        let planes = Arc::new(read.planes);
        let detected = Detected::in_planes(&rules, planes.clone(), None);
        let guesses = guess_grids(&read.evidence.finish());
        let proposals = proposals(&guesses, &rules, &detected.detection, &planes);
        Ok(Self { planes, background, rules, guesses, detected: Arc::new(detected), proposals })
    }
}

/// One walk over an image's rows.
struct Reading {
    planes: InkPlanes,
    background: Background,
    evidence: EvidenceBuilder,
}

impl Reading {
    fn of(bytes: &[u8], extension: Option<&str>, rules: &Automatic) -> Result<Self, String> {
        let mut decoder = RowDecoder::open(bytes, extension).map_err(|why| why.to_string())?;
        let size = decoder.size();
        let mut ink = InkBuilder::new(size, &rules.background);
        let mut background = BackgroundBuilder::new(size, rules.tolerance);
        let mut evidence = EvidenceBuilder::new(size, ink_rule(rules), &rules.background);
        each_band(&mut decoder, |rows| {
            ink.push_rows(rows);
            background.push_rows(rows);
            evidence.push_rows(rows);
            true
        })?;
        Ok(Self { planes: ink.finish(), background: background.finish(), evidence })
    }
}

/// Hands over all rows of an image, about a MiB at a time, until one says that it was enough; whether none did.
pub(super) fn each_band(
    decoder: &mut RowDecoder<'_>,
    mut take: impl FnMut(&[u8]) -> bool,
) -> Result<bool, String> {
    let size = decoder.size();
    let row_bytes = size.width as usize * 4;
    let mut band = vec![0; row_bytes * ((1 << 20) / row_bytes.max(1)).clamp(1, size.height.max(1) as usize)];
    loop {
        let rows = decoder.read_rows(&mut band).map_err(|why| why.to_string())?;
        if rows == 0 {
            return Ok(true);
        }
        if !take(&band[..rows * row_bytes]) {
            return Ok(false);
        }
    }
}

fn ink_rule(rules: &Automatic) -> InkRule {
    InkRule { alpha_threshold: rules.alpha_threshold, tolerance: rules.tolerance }
}

impl Detected {
    /// Detects by other rules, with as much as can be used of what was made before.
    pub fn by(
        rules: &Automatic,
        file: &Path,
        study: Option<&Study>,
        last: Option<&Self>,
    ) -> Result<Self, String> {
        let last = last.or(study.map(|study| &*study.detected));
        let has_colours = |made: &&Self| made.rules.background == rules.background;
        let planes = [last, study.map(|study| &*study.detected)].into_iter().flatten().find(has_colours);
        let planes = match planes {
            Some(made) => made.planes.clone(),
            None => Arc::new(planes_of(file, &rules.background)?),
        };
        Ok(Self::in_planes(rules, planes, last))
    }

    fn in_planes(rules: &Automatic, planes: Arc<InkPlanes>, last: Option<&Self>) -> Self {
        let same_ink = last.filter(|last| {
            ink_rule(&last.rules) == ink_rule(rules) && last.rules.background == rules.background
        });
        let (islands, veil) = if let Some(last) = same_ink {
            (last.islands.clone(), last.veil.clone())
        } else {
            let rule = ink_rule(rules);
            (Arc::new(label(&planes, rule)), Veil::over(&planes, rule).map(Arc::new))
        };
        let detection = detect::detect(&islands, rules.min_area, rules.merge);
        Self { detection, islands, planes, rules: rules.clone(), veil }
    }

    /// The sprites' rectangles, in reading order.
    pub fn rects(&self) -> Vec<PixelRect> {
        self.detection.sprites.iter().map(|sprite| sprite.rect).collect()
    }

    /// The sprite whose rectangle has the pixel; of several the smallest.
    pub fn sprite_at(&self, x: i64, y: i64) -> Option<PixelRect> {
        let sprites = self.detection.sprites.iter().map(|sprite| sprite.rect);
        let area = |rect: &PixelRect| i64::from(rect.width) * i64::from(rect.height);
        sprites.filter(|rect| rect.contains(x, y)).min_by_key(area)
    }

    /// The rules that found this.
    pub fn rules(&self) -> &Automatic {
        &self.rules
    }

    /// The background, where its colour tells it; the same for the same ink.
    pub fn veil(&self) -> Option<&Arc<Veil>> {
        self.veil.as_ref()
    }

    /// Ink and background of each pixel, by the background colours of these rules.
    pub fn planes(&self) -> &InkPlanes {
        &self.planes
    }
}

/// The islands of ink, labelled in two bands by two threads where that is worth one.
pub fn label(planes: &InkPlanes, rule: InkRule) -> Islands {
    let (height, half) = (planes.size().height, planes.size().height / 2);
    if planes.size().area() < PIXELS_WORTH_A_THREAD {
        return detect::islands(planes, rule);
    }
    thread::scope(|scope| {
        let lower = || detect::label_rows(planes, rule, half..height);
        let beside = thread::Builder::new().name("label".into()).spawn_scoped(scope, lower);
        let upper = detect::label_rows(planes, rule, 0..half);
        let lower = beside.ok().and_then(|beside| beside.join().ok()).unwrap_or_else(lower);
        detect::join(vec![upper, lower])
    })
}

fn planes_of(file: &Path, background: &[Rgb]) -> Result<InkPlanes, String> {
    let bytes = std::fs::read(file).map_err(|why| format!("cannot be read: {why}"))?;
    let mut decoder = RowDecoder::open(&bytes, extension_of(file)).map_err(|why| why.to_string())?;
    let mut ink = InkBuilder::new(decoder.size(), background);
    each_band(&mut decoder, |rows| {
        ink.push_rows(rows);
        true
    })?;
    Ok(ink.finish())
}

/// The ways of cutting that may be right: sure grids, sprites that stand apart, then the other grids.
fn proposals(
    guesses: &[Guess],
    rules: &Automatic,
    detection: &Detection,
    planes: &InkPlanes,
) -> Vec<Proposal> {
    let image = planes.size();
    let mut found: Vec<Proposal> = guesses
        .iter()
        .map(|guess| Proposal {
            recipe: Recipe::grid(guess.run.clone()),
            rects: slicing::cells(&guess.run, Leftover::Drop, image).into(),
            columns_and_rows: Some((guess.columns, guess.rows)),
            confidence: guess.confidence,
        })
        .filter(|proposal| (1..=MAX_FRAMES).contains(&proposal.rects.len()))
        .collect();
    let rects: Arc<[PixelRect]> = detection.sprites.iter().map(|sprite| sprite.rect).collect();
    let is_whole = rects.len() == 1 && rects.first() == Some(&PixelRect::of_image(image));
    if (1..=MAX_FRAMES).contains(&rects.len()) && !is_whole {
        let confidence = if rects.len() > 1 { SURE_OF_ISLANDS } else { SURE_ENOUGH / 2.0 };
        let recipe = Recipe::Automatic(rules.clone());
        found.push(Proposal { recipe, rects, columns_and_rows: None, confidence });
    }
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    found.truncate(MAX_PROPOSALS);
    if found.first().is_none_or(|best| best.confidence < SURE_ENOUGH) {
        found.clear();
    }
    found
}
