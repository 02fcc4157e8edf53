//! What a scene draws, in the order in which it is drawn.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::compose::Plan;
use super::fault::Fault;
use super::picture::PictureKey;
use super::resolve;
use super::texture::Texture;
use crate::guid::Guid;
use crate::model::scene::{Affine, AssetRef, Color, Object, ObjectKey, Point, RenderMode, Scene, Sprite};
use crate::texture::PixelFormat;

/// The texture of a reference.
#[derive(Debug, Clone, Copy)]
pub struct Loaded<'t> {
    /// The sheet that [`resolve::texture_of`] named.
    pub parent: Guid,
    /// Its texture.
    pub texture: &'t Texture,
}

/// A sprite component of an active object.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Whose it is.
    pub object: ObjectKey,
    /// Its position among the object's components.
    pub component: usize,
    /// Its component's place in the order: higher is drawn later.
    pub sorting_order: i32,
    /// Its object's place among those of the same sorting order: higher is drawn later.
    pub sort_order: i32,
    /// What is drawn; `None` when nothing is, and then there is a fault.
    pub picture: Option<PictureKey>,
    /// Where the picture's own corners lie in the world: that of its pixel 0, 0 and on with the clock, so top left,
    /// top right, bottom right, bottom left of the picture, after flips. Of what draws nothing the size that it asks
    /// for, or a square metre.
    pub corners: [Point; 4],
    /// Mirrored left to right, which the corners have already.
    pub flip_horizontal: bool,
    /// Mirrored top to bottom, which the corners have already.
    pub flip_vertical: bool,
    /// What the picture's straight RGBA is multiplied with.
    pub tint: Color,
    /// Whether the picture's alpha is looked at. Without, what is there is opaque; where the chroma key is, nothing is.
    pub has_alpha: bool,
    /// Why nothing is drawn, or something else than was meant.
    pub fault: Option<Fault>,
}

/// A rectangle of the world along its axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Left and lower end.
    pub min: Point,
    /// Right and upper end.
    pub max: Point,
}

impl Item {
    /// From the square between 0, 0 and 1, 1, y down, to the picture in the world, after flips.
    pub fn map(&self) -> Affine {
        let [origin, end_of_x, _, end_of_y] = self.corners;
        Affine::of_corners(origin, end_of_x, end_of_y)
    }

    /// Where in its picture a point of the world is, from 0 to 1 each way, y down; `None` beside it.
    pub fn place_of(&self, in_world: Point) -> Option<Point> {
        let place = self.map().inverse()?.apply(in_world);
        let is_inside = |place: f64| (0.0..1.0).contains(&place);
        (is_inside(place.x) && is_inside(place.y)).then_some(place)
    }

    /// Whether a point of the world is in its picture, translucent or not.
    pub fn contains(&self, in_world: Point) -> bool {
        self.place_of(in_world).is_some()
    }

    /// The smallest upright rectangle of the world around it.
    pub fn bounds(&self) -> Bounds {
        let [first, rest @ ..] = self.corners;
        rest.into_iter().fold(Bounds { min: first, max: first }, |Bounds { min, max }, corner| Bounds {
            min: Point::new(min.x.min(corner.x), min.y.min(corner.y)),
            max: Point::new(max.x.max(corner.x), max.y.max(corner.y)),
        })
    }
}

/// The uppermost item at a point of the world.
pub fn item_at(items: &[Item], in_world: Point) -> Option<&Item> {
    items.iter().rev().find(|item| item.contains(in_world))
}

/// What is drawn, from the back to the front: by the component's sorting order, then by the object's, then in the order
/// of the tree. An object that is not active hides all below it.
///
/// `textures` is asked once for each sprite component. It says [`Fault::Pending`] for a texture that is not there yet,
/// and otherwise why there is none; [`resolve::texture_of`] tells it which one is meant.
pub fn draw_list<'t>(scene: &Scene, textures: &dyn Fn(&AssetRef) -> Result<Loaded<'t>, Fault>) -> Vec<Item> {
    Memo::default().draw_list(scene, textures)
}

/// What was read of objects, for whoever draws a scene again and again: only what changed since is read anew.
#[derive(Debug, Default)]
pub struct Memo {
    /// The object is held, so that whoever changes it changes a copy.
    read: HashMap<ObjectKey, (Arc<Object>, Read)>,
}

/// What drawing needs of an object.
#[derive(Debug)]
struct Read {
    is_active: bool,
    transform: Affine,
    sort_order: i32,
    /// Sprite components with their positions.
    sprites: Vec<(usize, Sprite)>,
}

impl Read {
    fn of(object: &Object) -> Self {
        let components = object.components().iter().enumerate();
        Self {
            is_active: object.is_active(),
            transform: Affine::of_transform(&object.transform()),
            sort_order: object.sort_order(),
            sprites: components
                .filter_map(|(position, component)| Some((position, Sprite::of_component(component)?)))
                .collect(),
        }
    }
}

impl Memo {
    /// What the sprites of a scene refer to, each once, in the order of the tree: what a draw list of it will ask for.
    pub fn references(&mut self, scene: &Scene) -> Vec<AssetRef> {
        let mut seen = HashSet::new();
        let mut references = Vec::new();
        for (_, object) in scene.walk() {
            for (_, sprite) in &self.read(object).sprites {
                if seen.insert(sprite.sprite.clone()) {
                    references.push(sprite.sprite.clone());
                }
            }
        }
        references
    }

    /// The function [`draw_list`], of a scene that is much like the last one.
    pub fn draw_list<'t>(
        &mut self,
        scene: &Scene,
        textures: &dyn Fn(&AssetRef) -> Result<Loaded<'t>, Fault>,
    ) -> Vec<Item> {
        let mut items = Vec::with_capacity(self.read.len());
        // World transforms of the lineage: that of an object at depth n is at n + 1.
        let mut lineage = vec![Affine::IDENTITY];
        let mut hidden_below = usize::MAX;
        let mut count = 0;
        for (depth, object) in scene.walk() {
            count += 1;
            if depth > hidden_below {
                continue;
            }
            let read = self.read(object);
            if !read.is_active {
                hidden_below = depth;
                continue;
            }
            hidden_below = usize::MAX;
            lineage.truncate(depth + 1);
            let world = lineage[depth].after(&read.transform);
            lineage.push(world);
            for (component, sprite) in &read.sprites {
                let drawn = Drawn::of(sprite, textures);
                items.push(Item {
                    object: object.key,
                    component: *component,
                    sorting_order: sprite.sorting_order,
                    sort_order: read.sort_order,
                    picture: drawn.picture,
                    corners: corners(sprite, drawn.metres).map(|corner| world.apply(corner)),
                    flip_horizontal: sprite.flip_horizontal,
                    flip_vertical: sprite.flip_vertical,
                    tint: sprite.tint,
                    has_alpha: drawn.has_alpha,
                    fault: drawn.fault,
                });
            }
        }
        if self.read.len() > 2 * count {
            // Mostly of objects that are gone.
            self.read.clear();
        }
        // Stable, and the long items are moved once.
        items.sort_by_cached_key(|item| (item.sorting_order, item.sort_order));
        items
    }

    fn read(&mut self, object: &Arc<Object>) -> &Read {
        let read = |object: &Arc<Object>| (object.clone(), Read::of(object));
        let known = self.read.entry(object.key).or_insert_with(|| read(object));
        if !Arc::ptr_eq(&known.0, object) {
            *known = read(object);
        }
        &known.1
    }
}

/// What a component draws, without its place.
struct Drawn {
    picture: Option<PictureKey>,
    /// Width and height.
    metres: Point,
    has_alpha: bool,
    fault: Option<Fault>,
}

impl Drawn {
    fn of<'t>(sprite: &Sprite, textures: &dyn Fn(&AssetRef) -> Result<Loaded<'t>, Fault>) -> Self {
        let reference = &sprite.sprite;
        let found = textures(reference).and_then(|loaded| {
            let Loaded { parent, texture } = loaded;
            Ok((loaded, resolve::region(texture, parent, reference, sprite.mode)?))
        });
        let (Loaded { parent, texture }, region) = match found {
            Ok(found) => found,
            Err(fault) => {
                return Self { picture: None, metres: asked(sprite), has_alpha: false, fault: Some(fault) };
            }
        };
        let Plan { fill, size, fault } = Plan::of(sprite, &region, texture);
        let rect_in_texture = region.rect_in_texture;
        let picture = fill.map(|fill| PictureKey { texture: parent, rect_in_texture, fill });
        let pixels_per_metre = f64::from(texture.pixels_per_meter);
        let metres =
            Point::new(f64::from(size.width) / pixels_per_metre, f64::from(size.height) / pixels_per_metre);
        // The frame that is missing is the cause of what else is wrong.
        let fault = region.fault(reference).or(fault);
        Self { picture, metres, has_alpha: looks_at_alpha(texture), fault }
    }
}

/// Width and height in metres of what has no texture.
fn asked(sprite: &Sprite) -> Point {
    let side =
        |metres: f32| if sprite.mode != RenderMode::Normal && metres > 0.0 { metres.into() } else { 1.0 };
    Point::new(side(sprite.width), side(sprite.height))
}

/// Formats whose alpha is a byte of its own have it read whatever the flags; the others go by the texture's.
fn looks_at_alpha(texture: &Texture) -> bool {
    match texture.format {
        PixelFormat::Rgba8888 | PixelFormat::Alpha8 => true,
        PixelFormat::Rgb565A8 => texture.has_alpha,
        PixelFormat::Rgb888 | PixelFormat::Rgb565 => false,
    }
}

/// The corners of a picture in its object's space, in the order of [`Item::corners`]: around the middle, as the engine
/// has no other pivot.
fn corners(sprite: &Sprite, metres: Point) -> [Point; 4] {
    let (x, y) = (metres.x / 2.0, metres.y / 2.0);
    let left_to_right = if sprite.flip_horizontal { [x, -x] } else { [-x, x] };
    let top_to_bottom = if sprite.flip_vertical { [-y, y] } else { [y, -y] };
    let ([left, right], [top, bottom]) = (left_to_right, top_to_bottom);
    [Point::new(left, top), Point::new(right, top), Point::new(right, bottom), Point::new(left, bottom)]
}
