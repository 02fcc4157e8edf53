//! The component that draws a frame: `Deki2D::SpriteComponent` and its properties.

use std::sync::Arc;

use super::object::{properties, spelling};
use super::value::{Data, Value};

/// The type that we write; files also have it without its namespace.
pub const SPRITE_COMPONENT: &str = "Deki2D::SpriteComponent";

/// The name of a component's type, without its namespace.
pub fn component_name(component: &Value) -> Option<&str> {
    component.get("type")?.as_text().map(without_namespace)
}

/// The name of a type, without its namespace.
pub fn without_namespace(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// Whether a component of that type draws a sprite.
pub fn is_sprite_type(name: &str) -> bool {
    without_namespace(name) == without_namespace(SPRITE_COMPONENT)
}

/// What a field refers to: an asset, and of a sheet maybe one frame. Texts, as files may hold anything.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct AssetRef {
    /// The asset, for a frame its sheet; empty for none.
    pub guid: Arc<str>,
    /// The frame's GUID; empty for the whole.
    pub source: Arc<str>,
}

impl AssetRef {
    /// A reference as a file has it: a map with a text `guid`.
    pub fn of_value(value: &Value) -> Option<Self> {
        let guid = value.get("guid")?.shared_text()?.clone();
        let source = value.get("source").and_then(Value::shared_text).cloned().unwrap_or_default();
        Some(Self { guid, source })
    }

    /// The reference as files have it, in a map that has more when there is one.
    pub fn to_value(&self, old: Option<&Value>) -> Value {
        let empty = Value::map::<&str>([]);
        let map = old.filter(|old| old.entries().is_some()).unwrap_or(&empty);
        map.with("guid", (&*self.guid).into()).with("source", (&*self.source).into())
    }

    /// Whether it refers to nothing.
    pub fn is_empty(&self) -> bool {
        self.guid.is_empty() && self.source.is_empty()
    }

    /// The GUID that names the picture: the frame's, or that of the whole.
    pub fn meaningful(&self) -> &str {
        if self.source.is_empty() { &self.guid } else { &self.source }
    }
}

/// Red, green, blue and alpha from 0 to 255, not premultiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color(pub [u8; 4]);

impl Color {
    /// Changes nothing as a tint.
    pub const WHITE: Self = Self([255; 4]);
    /// Opaque black.
    pub const BLACK: Self = Self([0, 0, 0, 255]);

    /// A colour as files have it: four numbers, or three for an opaque one. Whole numbers go to 255; as soon as one
    /// has a fraction or was stored as a real number, all go to 1.
    pub fn of_value(value: &Value) -> Option<Self> {
        let items = value.items().filter(|items| matches!(items.len(), 3 | 4))?;
        let are_reals = are_reals(items);
        let mut color = [255; 4];
        for (channel, item) in color.iter_mut().zip(items) {
            let number = item.as_f32()? * if are_reals { 255.0 } else { 1.0 };
            *channel = number.round().clamp(0.0, 255.0) as u8;
        }
        Some(Self(color))
    }

    /// The colour as files have it, with real numbers where there were some.
    pub fn to_value(self, old: Option<&Value>) -> Value {
        let are_reals = old.and_then(Value::items).is_some_and(are_reals);
        let number = |channel: u8| {
            if are_reals { Value::from(f32::from(channel) / 255.0) } else { u32::from(channel).into() }
        };
        self.0.map(number).into_iter().collect()
    }
}

fn are_reals(items: &[Value]) -> bool {
    items.iter().any(|item| matches!(item.data(), Data::Real(_)))
}

/// How a region fills the width and height that a component asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RenderMode {
    /// At its own size; width and height mean nothing.
    #[default]
    Normal,
    /// Repeated from the top left.
    Tiled,
    /// Its corners as they are, edges and centre stretched.
    NineSlice,
}

impl RenderMode {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Normal, Self::Tiled, Self::NineSlice];

    /// The name that files have.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Tiled => "Tiled",
            Self::NineSlice => "NineSlice",
        }
    }

    /// The mode of a name or a number.
    pub fn of_value(value: &Value) -> Option<Self> {
        match value.as_text() {
            Some(name) => Self::ALL.into_iter().find(|mode| mode.name() == name),
            None => Self::ALL.get(usize::try_from(value.as_i32()?).ok()?).copied(),
        }
    }
}

/// A property of a sprite component, with the value it is to have.
#[derive(Debug, Clone, PartialEq)]
pub enum Property {
    /// What it draws.
    Sprite(AssetRef),
    /// What its pixels are multiplied with.
    Tint(Color),
    /// How it fills its size.
    Mode(RenderMode),
    /// Mirrored left to right.
    FlipHorizontal(bool),
    /// Mirrored top to bottom.
    FlipVertical(bool),
    /// Metres across, tiled or nine-slice; 0 for that of the region.
    Width(f32),
    /// Metres down, tiled or nine-slice; 0 for that of the region.
    Height(f32),
    /// Higher is drawn later.
    SortingOrder(i32),
    /// Drawn whatever clips it.
    IgnoreClip(bool),
}

impl Property {
    /// The key that files have.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Sprite(_) => "sprite",
            Self::Tint(_) => "tintColor",
            Self::Mode(_) => "renderMode",
            Self::FlipHorizontal(_) => "flipHorizontal",
            Self::FlipVertical(_) => "flipVertical",
            Self::Width(_) => "width",
            Self::Height(_) => "height",
            Self::SortingOrder(_) => "sortingOrder",
            Self::IgnoreClip(_) => "ignore_clip",
        }
    }

    /// What it is called.
    pub const fn words(&self) -> &'static str {
        match self {
            Self::Sprite(_) => "Sprite",
            Self::Tint(_) => "Tint",
            Self::Mode(_) => "Render mode",
            Self::FlipHorizontal(_) => "Flip horizontally",
            Self::FlipVertical(_) => "Flip vertically",
            Self::Width(_) => "Width",
            Self::Height(_) => "Height",
            Self::SortingOrder(_) => "Sorting order",
            Self::IgnoreClip(_) => "Ignore clipping",
        }
    }

    /// The properties of a component with this one in them.
    pub fn write_into(&self, data: &Value) -> Value {
        let key = spelling(data, self.key());
        let old = data.get(key);
        let value = match self {
            Self::Sprite(reference) => reference.to_value(old),
            Self::Tint(color) => color.to_value(old),
            Self::Mode(mode) => mode.name().into(),
            Self::FlipHorizontal(is_so) | Self::FlipVertical(is_so) | Self::IgnoreClip(is_so) => {
                (*is_so).into()
            }
            Self::Width(metres) | Self::Height(metres) => (*metres).into(),
            Self::SortingOrder(order) => (*order).into(),
        };
        data.with(key, value)
    }
}

/// The properties of a sprite component; what a file does not say, or says as something else, is as the engine has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sprite {
    /// What it draws.
    pub sprite: AssetRef,
    /// What its pixels are multiplied with.
    pub tint: Color,
    /// How it fills its size.
    pub mode: RenderMode,
    /// Mirrored left to right.
    pub flip_horizontal: bool,
    /// Mirrored top to bottom.
    pub flip_vertical: bool,
    /// Metres across, tiled or nine-slice; 0 for that of the region.
    pub width: f32,
    /// Metres down, tiled or nine-slice; 0 for that of the region.
    pub height: f32,
    /// Higher is drawn later.
    pub sorting_order: i32,
    /// Drawn whatever clips it.
    pub ignore_clip: bool,
}

impl Sprite {
    const KEYS: [&str; 9] = [
        "sprite",
        "tintColor",
        "renderMode",
        "flipHorizontal",
        "flipVertical",
        "width",
        "height",
        "sortingOrder",
        "ignore_clip",
    ];

    /// The properties of a component, when it is a sprite component.
    pub fn of_component(component: &Value) -> Option<Self> {
        if !is_sprite_type(component_name(component)?) {
            return None;
        }
        let [sprite, tint, mode, flip_horizontal, flip_vertical, width, height, sorting_order, ignore_clip] =
            component.get("data").map(|data| properties(data, Self::KEYS)).unwrap_or_default();
        let flag = |value: Option<&Value>| value.and_then(Value::as_bool).unwrap_or_default();
        let metres = |value: Option<&Value>| value.and_then(Value::as_f32).unwrap_or_default();
        Some(Self {
            sprite: sprite.and_then(AssetRef::of_value).unwrap_or_default(),
            tint: tint.and_then(Color::of_value).unwrap_or(Color::WHITE),
            mode: mode.and_then(RenderMode::of_value).unwrap_or_default(),
            flip_horizontal: flag(flip_horizontal),
            flip_vertical: flag(flip_vertical),
            width: metres(width),
            height: metres(height),
            sorting_order: sorting_order.and_then(Value::as_i32).unwrap_or_default(),
            ignore_clip: flag(ignore_clip),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(name: &str, data: Value) -> Value {
        Value::map([("type", name.into()), ("data", data)])
    }

    #[test]
    fn a_sprite_component_is_known_with_and_without_its_namespace() {
        for name in ["Deki2D::SpriteComponent", "SpriteComponent"] {
            let data = Value::map([
                ("tint_color", [255, 0, 0, 128].map(Value::from).into_iter().collect()),
                ("renderMode", 2.into()),
                ("flipVertical", true.into()),
            ]);
            let sprite = Sprite::of_component(&component(name, data)).unwrap();
            assert_eq!(sprite.tint, Color([255, 0, 0, 128]));
            assert_eq!(sprite.mode, RenderMode::NineSlice);
            assert!(sprite.flip_vertical && !sprite.flip_horizontal && sprite.sprite.is_empty());
        }
        assert_eq!(Sprite::of_component(&component("Deki::AudioComponent", Value::map::<&str>([]))), None);
    }

    #[test]
    fn colours_of_whole_numbers_go_to_255_and_of_real_ones_to_1() {
        let whole: Value = [255, 128, 0].map(Value::from).into_iter().collect();
        assert_eq!(Color::of_value(&whole), Some(Color([255, 128, 0, 255])));
        let real: Value = [1.0, 0.5, 0.0, 1.0].map(Value::from).into_iter().collect();
        assert_eq!(Color::of_value(&real), Some(Color([255, 128, 0, 255])));
        let mixed: Value = [Value::from(1), 0.5.into(), 0.into(), 1.into()].into_iter().collect();
        assert_eq!(Color::of_value(&mixed), Some(Color([255, 128, 0, 255])));
        assert_eq!(Color::of_value(&Value::from("red")), None);
        let red = Color([255, 0, 0, 255]).to_value(Some(&real));
        assert_eq!(red, [1.0, 0.0, 0.0, 1.0].map(Value::from).into_iter().collect());
    }

    #[test]
    fn a_property_is_written_where_it_is_and_the_rest_stays() {
        let reference = Value::map([("guid", Value::from("a")), ("hint", 7.into())]);
        let data = Value::map([("tint_color", 3.into()), ("other", 1.into()), ("sprite", reference)]);
        let frame = AssetRef { guid: "b".into(), source: "c".into() };
        let written = Property::Sprite(frame).write_into(&data);
        let written = Property::Tint(Color::WHITE).write_into(&written);
        let reference = Value::map([("guid", Value::from("b")), ("hint", 7.into()), ("source", "c".into())]);
        let white = [255; 4].map(Value::from).into_iter().collect();
        assert_eq!(written, Value::map([("tint_color", white), ("other", 1.into()), ("sprite", reference)]));
        let moded = Property::Mode(RenderMode::Tiled).write_into(&data);
        assert_eq!(moded.get("renderMode"), Some(&"Tiled".into()));
    }
}
