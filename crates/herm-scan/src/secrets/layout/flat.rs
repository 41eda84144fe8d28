//! Lines of tables that are drawn.

use std::borrow::Cow;

/// A line whose drawn bars are plain ones, and what else is drawn dashes, byte for byte as long.
pub(super) fn read(line: &[u8]) -> Cow<'_, [u8]> {
    let is_drawn = |three: &[u8]| matches!(three, [0xe2, 0x94 | 0x95, _]);
    if !line.contains(&0xe2) || !line.windows(3).any(is_drawn) {
        return Cow::Borrowed(line);
    }
    let mut flat = line.to_vec();
    for at in 0..flat.len() {
        let Some(three) = flat.get_mut(at..at + 3).filter(|three| is_drawn(three)) else { continue };
        let is_bar = matches!(three, [_, 0x94, 0x82 | 0x83] | [_, 0x95, 0x91]);
        three.copy_from_slice(if is_bar { b" | " } else { b"---" });
    }
    Cow::Owned(flat)
}
