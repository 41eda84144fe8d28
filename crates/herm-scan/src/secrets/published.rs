//! Keys that are printed in public samples and open nothing.
//!
//! Sample projects of software kits hold keys that everybody has, and other scanners pass over them for that reason. A
//! copy of such a file should stay as it is. Only their hashes are kept, so that nobody takes this file for a leak.

/// Whether what follows the beginning of a key is one of those.
pub(super) fn is_published(body: &[u8]) -> bool {
    HASHES.contains(&hash(body))
}

/// FNV-1a.
fn hash(text: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

const HASHES: &[u64] = &[
    0x04fc_8f94_ff41_ae6c,
    0x2602_7779_6c66_2b22,
    0x2e7d_b3af_3eea_1f09,
    0x3525_9273_29a3_9927,
    0x4375_af8c_d29f_9c7d,
    0x90e9_6160_e25d_d580,
    0x96a4_ce96_90ad_5a5a,
    0xb502_9951_4d41_22a8,
    0xc872_0e1c_289b_7263,
    0xc8ca_5897_fb99_50db,
    0xcf98_c636_fbb5_24cd,
    0xd255_566a_119c_02fe,
    0xd5e3_86d4_bd36_d1d8,
    0xd790_5667_7d8f_8625,
    0xe7d6_ca86_aee3_1642,
    0xfe80_bdc6_b410_f57d,
];
