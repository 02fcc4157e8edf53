//! A sheet as a photograph is: six landscapes of soft shades, which few bits a colour show bands in.
//!
//! Only sums and products, so that every machine draws the same.

use super::Picture;
use crate::geometry::Size;

/// Width and height of a landscape in pixels.
const CELL: u32 = 100;
const COLUMNS: u32 = 3;
const ROWS: u32 = 2;

/// The colours of a landscape: the sky above and at the horizon, the hills far and near.
type Hour = [[f32; 3]; 4];

/// From night to dusk.
const HOURS: [Hour; 6] = [
    [[16.0, 24.0, 62.0], [92.0, 82.0, 128.0], [44.0, 52.0, 92.0], [14.0, 20.0, 44.0]],
    [[58.0, 92.0, 168.0], [246.0, 170.0, 128.0], [120.0, 110.0, 138.0], [40.0, 58.0, 62.0]],
    [[70.0, 138.0, 214.0], [206.0, 228.0, 240.0], [118.0, 152.0, 160.0], [58.0, 104.0, 66.0]],
    [[40.0, 112.0, 206.0], [178.0, 214.0, 244.0], [92.0, 140.0, 148.0], [84.0, 130.0, 56.0]],
    [[110.0, 120.0, 180.0], [252.0, 204.0, 120.0], [150.0, 120.0, 112.0], [86.0, 70.0, 50.0]],
    [[64.0, 40.0, 96.0], [238.0, 96.0, 82.0], [104.0, 58.0, 92.0], [36.0, 24.0, 46.0]],
];

/// The sheet, 300 x 200 pixels, six cells of 100 x 100.
pub fn sheet() -> Picture {
    let size = Size::new(CELL * COLUMNS, CELL * ROWS);
    let mut rgba = Vec::with_capacity(size.area() as usize * 4);
    for y in 0..size.height {
        for x in 0..size.width {
            let number = y / CELL * COLUMNS + x / CELL;
            let [red, green, blue] = landscape(number, x % CELL, y % CELL);
            rgba.extend([red, green, blue, u8::MAX]);
        }
    }
    Picture { size, rgba }
}

fn landscape(number: u32, x: u32, y: u32) -> [u8; 3] {
    let [high, low, far, near] = HOURS[number as usize % HOURS.len()];
    let (across, down) = (x as f32 / CELL as f32, y as f32 / CELL as f32);
    let seed = number * 7919;
    // A glow where the sun is, wider than high.
    let (sun_x, sun_y) = (0.25 + 0.1 * number as f32, 0.5);
    let away = (across - sun_x) * (across - sun_x) * 2.0 + (down - sun_y) * (down - sun_y) * 5.0;
    let glow = 1.0 / (1.0 + 14.0 * away);
    let clouds =
        noise(seed + 1, across * 3.0, down * 9.0) * 0.5 + noise(seed + 2, across * 7.0, down * 21.0) * 0.25;
    let sky = mix(high, low, smooth(down / 0.6) * 0.9 + glow * 0.3);
    let mut colour = mix(sky, [255.0, 244.0, 224.0], glow * 0.45 + clouds * 0.16);
    let ridge = |base: f32, rough: f32, salt: u32| {
        base + (noise(seed + salt, across * 3.0, 0.0) - 0.5) * rough
            + (noise(seed + salt, across * 9.0, 4.0) - 0.5) * rough / 4.0
    };
    let (far_ridge, near_ridge) = (ridge(0.55, 0.3, 11), ridge(0.74, 0.22, 17));
    if down > far_ridge {
        colour = mix(far, low, (1.0 - (down - far_ridge) * 4.0).clamp(0.0, 1.0) * 0.35);
    }
    if down > near_ridge {
        let shade = noise(seed + 23, across * 12.0, down * 12.0) * 0.3;
        colour = mix(near, far, shade + (0.9 - down).max(0.0));
    }
    // The grain of a small sensor.
    let grain = (hash(seed + 31, x, y) - 0.5) * 5.0;
    colour.map(|channel| (channel + grain).clamp(0.0, 255.0) as u8)
}

fn mix(from: [f32; 3], to: [f32; 3], share: f32) -> [f32; 3] {
    let share = share.clamp(0.0, 1.0);
    std::array::from_fn(|channel| from[channel] + (to[channel] - from[channel]) * share)
}

fn smooth(at: f32) -> f32 {
    let at = at.clamp(0.0, 1.0);
    at * at * (3.0 - 2.0 * at)
}

/// From 0 to 1, the same for the same place.
fn hash(seed: u32, x: u32, y: u32) -> f32 {
    let mut mixed =
        seed.wrapping_mul(0x9e37_79b9) ^ x.wrapping_mul(0x85eb_ca6b) ^ y.wrapping_mul(0xc2b2_ae35);
    mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
    mixed = (mixed ^ mixed >> 12).wrapping_mul(0x297a_2d39);
    (mixed >> 16) as f32 / 65_535.0
}

/// Values of a grid with soft ways between them.
fn noise(seed: u32, x: f32, y: f32) -> f32 {
    let (left, top) = (x as u32, y as u32);
    let (right, down) = (smooth(x - left as f32), smooth(y - top as f32));
    let row = |top: u32| {
        let (from, to) = (hash(seed, left, top), hash(seed, left + 1, top));
        from + (to - from) * right
    };
    row(top) + (row(top + 1) - row(top)) * down
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_landscape_has_more_shades_than_16_bits_tell_apart() {
        let picture = sheet();
        assert_eq!((picture.size, picture.rgba.len()), (Size::new(300, 200), 240_000));
        let pixels = picture.rgba.as_chunks::<4>().0;
        for (column, row) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row))) {
            let places =
                (0..CELL * CELL).map(|at| (row * CELL + at / CELL) * 300 + column * CELL + at % CELL);
            let colours: HashSet<[u8; 4]> = places.map(|at| pixels[at as usize]).collect();
            let stored: HashSet<[u8; 3]> =
                colours.iter().map(|[red, green, blue, _]| [red >> 3, green >> 2, blue >> 3]).collect();
            assert!(colours.len() > 4 * stored.len(), "{} of {}", stored.len(), colours.len());
        }
    }
}
