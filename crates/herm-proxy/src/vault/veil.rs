//! Hides known values in what goes by, without changing its length.

/// Hides known values in bytes that come in pieces.
#[derive(Clone)]
pub(crate) struct Veil {
    values: Vec<Vec<u8>>,
    /// What may be the beginning of a value whose rest has not come yet.
    held: Vec<u8>,
}

impl Veil {
    pub(crate) fn new(mut values: Vec<Vec<u8>>) -> Self {
        values.retain(|value| !value.is_empty());
        Self { values, held: Vec::new() }
    }

    /// What can be passed on after a piece.
    pub(crate) fn hide(&mut self, piece: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(piece);
        self.cover();
        let keep = self.values.iter().map(Vec::len).max().unwrap_or(1) - 1;
        let settled = self.held.len().saturating_sub(keep);
        let rest = self.held.split_off(settled);
        std::mem::replace(&mut self.held, rest)
    }

    /// What is left at the end.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    /// Hides values in bytes that are whole.
    pub(crate) fn hide_all(&self, bytes: &[u8]) -> Vec<u8> {
        let mut veil = Self { values: self.values.clone(), held: bytes.to_vec() };
        veil.cover();
        veil.held
    }

    fn cover(&mut self) {
        let mut found = Vec::new();
        for value in &self.values {
            let starts = self.held.windows(value.len()).enumerate().filter(|(_, window)| window == value);
            found.extend(starts.map(|(start, _)| (start, value.len())));
        }
        for (start, length) in found {
            self.held.iter_mut().skip(start).take(length).for_each(|byte| *byte = b'*');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_however_it_is_cut() {
        let text = b"x=SECRET;y=SECSECRETRET;SECRE";
        let expected = b"x=******;y=SEC******RET;SECRE";
        for size in 1..text.len() {
            let mut veil = Veil::new(vec![b"SECRET".to_vec(), b"OTHER-VALUE".to_vec()]);
            let mut out: Vec<u8> = text.chunks(size).flat_map(|piece| veil.hide(piece)).collect();
            out.extend(veil.rest());
            assert_eq!(out, expected, "{size}");
        }
    }

    #[test]
    fn without_values_nothing_is_held_back() {
        let mut veil = Veil::new(vec![Vec::new()]);
        assert_eq!(veil.hide(b"abc"), b"abc");
    }
}
