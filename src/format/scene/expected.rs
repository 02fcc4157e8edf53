//! Which values the keys of a scene have. A key is never missed: what a file does not say has a default.

use crate::model::scene::{Color, Data, RenderMode, Value};

/// A key and what is expected under it.
pub(super) struct Expected {
    /// The key.
    pub(super) key: &'static str,
    /// What is expected, with its article.
    pub(super) what: &'static str,
    /// Whether a value is that.
    pub(super) fits: fn(&Value) -> bool,
}

const fn text(key: &'static str) -> Expected {
    Expected { key, what: "a text", fits: |value| value.as_text().is_some() }
}

const fn flag(key: &'static str) -> Expected {
    Expected { key, what: "true or false", fits: |value| value.as_bool().is_some() }
}

const fn whole(key: &'static str) -> Expected {
    Expected { key, what: "a whole number of 32 bits", fits: |value| value.as_i32().is_some() }
}

const fn number(key: &'static str) -> Expected {
    Expected { key, what: "a number", fits: |value| value.as_f32().is_some() }
}

const fn side(key: &'static str) -> Expected {
    let fits = |value: &Value| value.as_f32().is_some_and(|side| side >= 1.0);
    Expected { key, what: "a number of at least 1", fits }
}

const fn color(key: &'static str) -> Expected {
    Expected { key, what: "a list of three or four numbers", fits: |value| Color::of_value(value).is_some() }
}

const fn map(key: &'static str) -> Expected {
    Expected { key, what: "a map", fits: |value| value.entries().is_some() }
}

const fn list(key: &'static str) -> Expected {
    Expected { key, what: "a list", fits: |value| value.items().is_some() }
}

/// The root. The version is looked at apart.
pub(super) const ROOT: [Expected; 6] =
    [whole("version"), text("name"), side("width"), side("height"), color("clear_color"), list("objects")];

/// An object. What `instance` holds is not known.
pub(super) const OBJECT: [Expected; 7] = [
    Expected {
        key: "id",
        what: "a whole number or a text",
        fits: |value| matches!(value.data(), Data::Integer(_) | Data::Text(_)),
    },
    text("name"),
    flag("active"),
    whole("sort_order"),
    map("transform"),
    list("components"),
    list("children"),
];

/// Where an object is.
pub(super) const TRANSFORM: [Expected; 6] =
    [number("x"), number("y"), number("z"), number("rotation"), number("scaleX"), number("scaleY")];

/// A component.
pub(super) const COMPONENT: [Expected; 2] = [text("type"), map("data")];

/// The properties of a sprite component.
pub(super) const SPRITE: [Expected; 9] = [
    Expected {
        key: "sprite",
        what: "a map with a guid",
        fits: |value| {
            let is_none = matches!(value.data(), Data::Nil);
            is_none || value.get("guid").is_some_and(|guid| guid.as_text().is_some())
        },
    },
    color("tintColor"),
    Expected {
        key: "renderMode",
        what: "Normal, Tiled or NineSlice",
        fits: |value| RenderMode::of_value(value).is_some(),
    },
    flag("flipHorizontal"),
    flag("flipVertical"),
    number("width"),
    number("height"),
    whole("sortingOrder"),
    flag("ignore_clip"),
];
