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
        let settled = self.held.len() - self.begun();
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

    /// How much at the end may be the beginning of a value. Anything else is passed on at once: somebody may wait for it.
    fn begun(&self) -> usize {
        let longest = |value: &Vec<u8>| {
            let fits = |length: &usize| value.get(..*length).is_some_and(|start| self.held.ends_with(start));
            (1..value.len()).rev().find(fits).unwrap_or(0)
        };
        self.values.iter().map(longest).max().unwrap_or(0)
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
    fn only_what_may_become_a_value_is_held_back() {
        let mut veil = Veil::new(vec![b"SECRET".to_vec()]);
        assert_eq!(veil.hide(b"data: x\n\n"), b"data: x\n\n");
        assert_eq!(veil.hide(b"data: SEC"), b"data: ");
        assert_eq!(veil.hide(b"OND\n"), b"SECOND\n");
        assert_eq!(veil.hide(b"SSECRE"), b"S");
        assert_eq!(veil.hide(b"T"), b"******");
        assert_eq!(Veil::new(vec![Vec::new()]).hide(b"abc"), b"abc");
    }
}
