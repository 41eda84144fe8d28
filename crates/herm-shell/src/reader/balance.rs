//! Where a parenthesis closes, found without reading what is inside.

use super::cursor::Reader;

/// How many bytes may be passed over for one unit of fuel.
const BYTES_PER_UNIT: usize = 64;

impl Reader<'_> {
    /// Where the parenthesis at `open` closes.
    ///
    /// Every parenthesis that is passed on the way is remembered, so that nested ones cost nothing more.
    pub(super) fn closing(&mut self, open: usize) -> Option<usize> {
        if let Some(known) = self.closings.get(&open) {
            return *known;
        }
        let mut scan = Scan { reader: self, at: open, inside: Vec::new(), pairs: Vec::new() };
        let found = scan.run();
        let (passed, unclosed, pairs) = (scan.at - open, scan.inside, scan.pairs);
        let open_ones = unclosed.into_iter().filter_map(Inside::opening).map(|at| (at, None));
        let closed = pairs.into_iter().map(|(from, to)| (from, Some(to)));
        self.closings.extend(closed.chain(open_ones));
        self.spend(u32::try_from(passed / BYTES_PER_UNIT).unwrap_or(u32::MAX));
        found
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// `${`; whether single quotes stand for themselves in it.
    Brace(bool),
    Double,
    Parenthesis(usize),
}

impl Inside {
    fn opening(self) -> Option<usize> {
        match self {
            Self::Parenthesis(at) => Some(at),
            Self::Brace(_) | Self::Double => None,
        }
    }
}

struct Scan<'r, 't> {
    reader: &'r Reader<'t>,
    at: usize,
    inside: Vec<Inside>,
    pairs: Vec<(usize, usize)>,
}

impl Scan<'_, '_> {
    /// Where the first parenthesis closes.
    fn run(&mut self) -> Option<usize> {
        while let Some(byte) = self.reader.byte(self.at) {
            self.step(byte);
            self.at += 1;
            if self.inside.is_empty() {
                return self.pairs.last().map(|(_, close)| *close);
            }
        }
        None
    }

    fn step(&mut self, byte: u8) {
        let quoted = self.inside.last() == Some(&Inside::Double);
        match byte {
            b'\\' => self.at += 1,
            b'$' => self.dollar(quoted),
            b'`' => self.skip_to(b'`', true),
            b'"' if quoted => self.close(),
            b'"' => self.inside.push(Inside::Double),
            b'\'' if !self.in_quotes() => self.skip_to(b'\'', false),
            b'(' if !quoted => self.inside.push(Inside::Parenthesis(self.at)),
            b')' if matches!(self.inside.last(), Some(Inside::Parenthesis(_))) => self.close(),
            b'}' if matches!(self.inside.last(), Some(Inside::Brace(_))) => self.close(),
            _ => {}
        }
    }

    fn dollar(&mut self, quoted: bool) {
        match self.reader.byte(self.at + 1) {
            Some(b'(') => {
                self.at += 1;
                self.inside.push(Inside::Parenthesis(self.at));
            }
            Some(b'{') => {
                self.at += 1;
                self.inside.push(Inside::Brace(self.in_quotes()));
            }
            Some(b'\'') if !quoted => {
                self.at += 1;
                self.skip_to(b'\'', true);
            }
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(Inside::Parenthesis(open)) = self.inside.pop() {
            self.pairs.push((open, self.at));
        }
    }

    /// Whether a single quote stands for itself: in double quotes, or in a brace that stands in them.
    fn in_quotes(&self) -> bool {
        matches!(self.inside.last(), Some(Inside::Double | Inside::Brace(true)))
    }

    /// Goes to the next `quote` behind this byte.
    fn skip_to(&mut self, quote: u8, escapes: bool) {
        self.at += 1;
        while let Some(byte) = self.reader.byte(self.at) {
            match byte {
                b'\\' if escapes => self.at += 1,
                _ if byte == quote => return,
                _ => {}
            }
            self.at += 1;
        }
    }
}
