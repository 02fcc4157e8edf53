//! Plain words about stored textures that every level shares: pixel formats, chroma key, borders.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A colour as sidecars and the command line spell it: `#rrggbb`, in lower case.
pub fn rgb_text([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The colour of a text `#rrggbb` in either case; `None` for any other text.
pub fn rgb_of(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
    let [_, r, g, b] = number.to_be_bytes();
    Some([r, g, b])
}

/// How a stored texture's pixels are laid out. The numbers are those of the file's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u32)]
pub enum PixelFormat {
    /// Three bytes: red, green, blue.
    Rgb888 = 0,
    /// Four bytes: red, green, blue, straight alpha.
    Rgba8888 = 1,
    /// Two bytes, little-endian `rrrrrggggggbbbbb`.
    Rgb565 = 2,
    /// RGB565, then one alpha byte, pixel by pixel.
    Rgb565A8 = 3,
    /// One alpha byte; the colour is the tint.
    Alpha8 = 4,
}

/// The word is none of the five formats' names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown pixel format {0:?}: use RGB888, RGBA8888, RGB565, RGB565A8 or ALPHA8")]
pub struct UnknownFormat(pub String);

impl PixelFormat {
    /// All five, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Rgb888, Self::Rgba8888, Self::Rgb565, Self::Rgb565A8, Self::Alpha8];

    /// The format with that number in a texture's header.
    pub const fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Rgb888,
            1 => Self::Rgba8888,
            2 => Self::Rgb565,
            3 => Self::Rgb565A8,
            4 => Self::Alpha8,
            _ => return None,
        })
    }

    /// Bytes of one stored pixel.
    pub const fn bytes_per_pixel(self) -> usize {
        match self {
            Self::Rgb888 | Self::Rgb565A8 => 3,
            Self::Rgba8888 => 4,
            Self::Rgb565 => 2,
            Self::Alpha8 => 1,
        }
    }

    /// Whether stored pixels carry alpha.
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::Rgba8888 | Self::Rgb565A8 | Self::Alpha8)
    }

    /// Automatic's choice: RGB565A8 when the source has any alpha below 255, else RGB565.
    pub const fn automatic(source_has_alpha: bool) -> Self {
        if source_has_alpha { Self::Rgb565A8 } else { Self::Rgb565 }
    }

    /// The name sidecars use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rgb888 => "RGB888",
            Self::Rgba8888 => "RGBA8888",
            Self::Rgb565 => "RGB565",
            Self::Rgb565A8 => "RGB565A8",
            Self::Alpha8 => "ALPHA8",
        }
    }
}

impl fmt::Display for PixelFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PixelFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// A colour that the device draws as nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChromaKey {
    /// Red of the key.
    pub red: u8,
    /// Green of the key.
    pub green: u8,
    /// Blue of the key.
    pub blue: u8,
}

impl ChromaKey {
    /// Its channels.
    pub const fn rgb(self) -> [u8; 3] {
        [self.red, self.green, self.blue]
    }
}

impl From<[u8; 3]> for ChromaKey {
    fn from([red, green, blue]: [u8; 3]) -> Self {
        Self { red, green, blue }
    }
}

/// How colours between two stored values are rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Dithering {
    /// Truncation, as the engine does.
    #[default]
    None,
    /// An 8 x 8 threshold pattern.
    Ordered,
    /// Error diffusion.
    FloydSteinberg,
}

impl Dithering {
    /// All three, from none on.
    pub const ALL: [Self; 3] = [Self::None, Self::Ordered, Self::FloydSteinberg];

    /// What a person calls it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Ordered => "Ordered",
            Self::FloydSteinberg => "Floyd\u{2013}Steinberg",
        }
    }
}

/// Nine-slice borders, each measured from its own side in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Insets {
    /// Width of the left border.
    pub left: u16,
    /// Width of the right border.
    pub right: u16,
    /// Height of the top border.
    pub top: u16,
    /// Height of the bottom border.
    pub bottom: u16,
}

/// A side that a border is measured from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The left one.
    Left,
    /// The top one.
    Top,
    /// The right one.
    Right,
    /// The bottom one.
    Bottom,
}

impl Side {
    /// All four, in the order in which people name them.
    pub const ALL: [Self; 4] = [Self::Left, Self::Top, Self::Right, Self::Bottom];

    /// The side across.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Top => Self::Bottom,
            Self::Right => Self::Left,
            Self::Bottom => Self::Top,
        }
    }

    /// Whether its border is a width, not a height.
    pub const fn is_across(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }

    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Top => "top",
            Self::Right => "right",
            Self::Bottom => "bottom",
        }
    }
}

impl Insets {
    /// The same on all sides.
    pub const fn all(border: u16) -> Self {
        Self { left: border, right: border, top: border, bottom: border }
    }

    /// Whether there is no border at all.
    pub const fn is_zero(self) -> bool {
        self.left == 0 && self.right == 0 && self.top == 0 && self.bottom == 0
    }

    /// The border that is the same on all sides; `None` when they differ.
    pub fn equal(self) -> Option<u16> {
        (self == Self::all(self.left)).then_some(self.left)
    }

    /// The border of a side.
    pub const fn side(self, side: Side) -> u16 {
        match side {
            Side::Left => self.left,
            Side::Top => self.top,
            Side::Right => self.right,
            Side::Bottom => self.bottom,
        }
    }

    /// The same with another border on a side.
    #[must_use]
    pub const fn with_side(mut self, side: Side, border: u16) -> Self {
        match side {
            Side::Left => self.left = border,
            Side::Top => self.top = border,
            Side::Right => self.right = border,
            Side::Bottom => self.bottom = border,
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_sizes_are_those_of_the_file_format() {
        let table =
            [(0, "RGB888", 3), (1, "RGBA8888", 4), (2, "RGB565", 2), (3, "RGB565A8", 3), (4, "ALPHA8", 1)];
        for (number, name, bytes) in table {
            let format = PixelFormat::from_number(number).unwrap();
            assert_eq!(format as u32, number);
            assert_eq!(format.name().parse(), Ok(format));
            assert_eq!((format.name(), format.bytes_per_pixel()), (name, bytes));
        }
        assert_eq!(PixelFormat::from_number(5), None);
        assert!("rgb565".parse::<PixelFormat>().is_err());
    }

    #[test]
    fn a_border_is_found_and_changed_by_its_side() {
        let insets = Insets { left: 1, top: 2, right: 3, bottom: 4 };
        assert_eq!(Side::ALL.map(|side| insets.side(side)), [1, 2, 3, 4]);
        assert_eq!(insets.with_side(Side::Right, 9), Insets { right: 9, ..insets });
        assert_eq!((insets.equal(), Insets::all(5).equal()), (None, Some(5)));
    }
}
