//! The one palette of all sample art: a character per colour, in ramps from light to dark.
//!
//! Drawing from ramps instead of free colours is what makes separate drawings look like one game, and it lets a
//! part in the shade be the same drawing one step down its ramps.

/// Red, green, blue and straight alpha.
pub(super) type Colour = [u8; 4];

/// No ink.
pub(super) const CLEAR: Colour = [0; 4];

/// The outline of everything.
pub(super) const INK: Colour = rgb(0x1d_18_33);

/// The key colour behind sheets without alpha; no ramp has it.
pub(super) const KEY: Colour = rgb(0xff_00_ff);

/// Ramps, each from light to dark.
const RAMPS: &[&[(char, u32)]] = &[
    &[('k', 0x1d_18_33)],
    &[
        ('w', 0xff_fd_f6),
        ('s', 0xdc_e6_f2),
        ('S', 0xa9_b8_d2),
        ('d', 0x72_80_a8),
        ('D', 0x47_4f_7a),
        ('K', 0x30_2a_52),
    ],
    &[('f', 0xff_de_b8), ('F', 0xf3_ae_86), ('e', 0xc5_71_62)],
    &[('h', 0xff_bc_6e), ('a', 0xe8_88_4a), ('A', 0xb9_55_3f), ('j', 0x83_34_45), ('J', 0x55_22_42)],
    &[('q', 0xff_98_7e), ('r', 0xf0_48_50), ('R', 0xb6_29_50), ('Q', 0x74_1c_49)],
    &[('Y', 0xff_f6_b8), ('y', 0xff_d9_4c), ('o', 0xf7_9f_30), ('O', 0xc4_65_30), ('u', 0x84_3d_36)],
    &[('L', 0xf0_fb_a0), ('l', 0xbd_ee_5c), ('g', 0x66_c8_4c), ('G', 0x2b_92_58), ('n', 0x1b_5d_5c)],
    &[
        ('C', 0xd8_f8_ff),
        ('c', 0x8f_e3_fa),
        ('b', 0x49_aa_f4),
        ('B', 0x31_65_d4),
        ('N', 0x2a_39_92),
        ('M', 0x25_22_60),
    ],
    &[('V', 0xed_cd_ff), ('v', 0xc4_8c_fc), ('p', 0x8e_55_de), ('P', 0x61_35_a8), ('m', 0x3e_23_6c)],
    &[('i', 0xff_bb_c9), ('I', 0xf2_72_9f), ('z', 0xb5_3f_80)],
    &[('t', 0xec_bb_7c), ('T', 0xc0_80_4c), ('x', 0x8a_52_40), ('X', 0x5a_34_44), ('Z', 0x3b_22_3c)],
];

const fn rgb(hex: u32) -> Colour {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8, 255]
}

/// The colour of a character in a drawing; every character that names none is [`CLEAR`].
pub(super) fn colour(letter: char) -> Colour {
    let named = RAMPS.iter().copied().flatten().find(|(name, _)| *name == letter);
    named.map_or(CLEAR, |&(_, hex)| rgb(hex))
}

/// The next darker colour of the ramp; the darkest, and colours of no ramp, stay as they are.
pub(super) fn darker(colour: Colour) -> Colour {
    for ramp in RAMPS {
        if let Some(at) = ramp.iter().position(|&(_, hex)| rgb(hex) == colour) {
            return ramp.get(at + 1).map_or(colour, |&(_, hex)| rgb(hex));
        }
    }
    colour
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_colours_are_unique_and_none_is_the_key() {
        let all: Vec<_> = RAMPS.iter().copied().flatten().copied().collect();
        for (at, &(letter, hex)) in all.iter().enumerate() {
            assert_ne!(rgb(hex), KEY, "{letter}");
            for &(other, other_hex) in &all[at + 1..] {
                assert!(letter != other && hex != other_hex, "{letter} {other}");
            }
        }
    }

    #[test]
    fn a_ramp_is_walked_to_its_end_and_no_further() {
        assert_eq!(darker(colour('r')), colour('R'));
        assert_eq!(darker(colour('Q')), colour('Q'));
        assert_eq!(darker(KEY), KEY);
        assert_eq!(colour('.'), CLEAR);
    }
}
