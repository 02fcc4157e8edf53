//! The first bytes of `MessagePack` values. Those that hold a small number themselves begin a range.

pub(super) const POSITIVE_FIXINT: u8 = 0x00;
pub(super) const FIXMAP: u8 = 0x80;
pub(super) const FIXARRAY: u8 = 0x90;
pub(super) const FIXSTR: u8 = 0xa0;
pub(super) const NIL: u8 = 0xc0;
/// No value begins with it.
pub(super) const NEVER_USED: u8 = 0xc1;
pub(super) const FALSE: u8 = 0xc2;
pub(super) const TRUE: u8 = 0xc3;
pub(super) const BIN_8: u8 = 0xc4;
pub(super) const BIN_32: u8 = 0xc6;
pub(super) const EXT_8: u8 = 0xc7;
pub(super) const EXT_32: u8 = 0xc9;
pub(super) const FLOAT_32: u8 = 0xca;
pub(super) const FLOAT_64: u8 = 0xcb;
pub(super) const UINT_8: u8 = 0xcc;
pub(super) const UINT_16: u8 = 0xcd;
pub(super) const UINT_32: u8 = 0xce;
pub(super) const UINT_64: u8 = 0xcf;
pub(super) const INT_8: u8 = 0xd0;
pub(super) const INT_16: u8 = 0xd1;
pub(super) const INT_32: u8 = 0xd2;
pub(super) const INT_64: u8 = 0xd3;
/// One byte; the four tags after it have 2, 4, 8 and 16.
pub(super) const FIXEXT_1: u8 = 0xd4;
pub(super) const FIXEXT_16: u8 = 0xd8;
pub(super) const STR_8: u8 = 0xd9;
pub(super) const STR_16: u8 = 0xda;
pub(super) const STR_32: u8 = 0xdb;
pub(super) const ARRAY_16: u8 = 0xdc;
pub(super) const ARRAY_32: u8 = 0xdd;
pub(super) const MAP_16: u8 = 0xde;
pub(super) const MAP_32: u8 = 0xdf;
pub(super) const NEGATIVE_FIXINT: u8 = 0xe0;
