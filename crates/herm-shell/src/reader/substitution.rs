//! Commands inside words: `$( … )`, `<( … )` and backticks.

use super::cursor::{Origin, Reader};
use super::fence::Quoting;
use crate::ast::{List, Part};

impl Reader<'_> {
    /// Reads `( … )` as the commands of a substitution.
    ///
    /// Here-documents that begin inside it have their bodies inside it; those that are left waiting at the
    /// parenthesis take what follows the line, as in bash.
    pub(super) fn substituted(&mut self) -> List {
        let mut pending = std::mem::take(&mut self.pending);
        self.substitutions += 1;
        let list = self.enclosed();
        self.substitutions -= 1;
        pending.append(&mut self.pending);
        self.pending = pending;
        list
    }

    /// Reads `( … )`; what is not valid inside is passed over.
    pub(super) fn enclosed(&mut self) -> List {
        let start = self.at;
        let mut list = List::default();
        self.advance(1);
        if !self.enter() {
            return list;
        }
        loop {
            list.items.append(&mut self.list_in_braces(false).items);
            match self.peek() {
                Some(b')') => break self.advance(1),
                Some(_) => self.pass_over(),
                None => break self.unclosed(start),
            }
        }
        self.leave();
        list
    }

    /// Reads a list that any `}` ends, or only one that is a word.
    pub(super) fn list_in_braces(&mut self, in_braces: bool) -> List {
        let outer = std::mem::replace(&mut self.in_braces, in_braces);
        let list = self.list();
        self.in_braces = outer;
        list
    }

    /// Reads `` `…` ``.
    pub(super) fn backticks(&mut self, parts: &mut Vec<Part>, quoting: Quoting) {
        let start = self.at;
        let rest = self.text.get(start + 1..self.end).unwrap_or_default();
        let length = closing_backtick(rest.as_bytes());
        let inside = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        self.jump(start + 1 + inside.len() + usize::from(length.is_some()));
        let list =
            if self.enter() { self.backtick_list(inside, start + 1, quoting) } else { List::default() };
        if length.is_none() {
            self.unclosed(start);
        }
        parts.push(Part::Command(list, self.span(start)));
        self.leave();
    }

    fn backtick_list(&mut self, inside: &str, start: usize, quoting: Quoting) -> List {
        if !inside.contains('\\') {
            let origin = self.stretch(start, inside.len());
            return self.inner(inside, origin, everything);
        }
        let mut text = String::with_capacity(inside.len());
        let mut places = Vec::with_capacity(inside.len());
        let mut characters = inside.char_indices().peekable();
        while let Some((offset, mut character)) = characters.next() {
            let is_special =
                |next: char| matches!(next, '`' | '\\' | '$') || (next == '"' && !quoting.is_plain());
            if let Some((_, next)) = characters.next_if(|(_, next)| character == '\\' && is_special(*next)) {
                character = next;
            }
            text.push(character);
            places.extend(std::iter::repeat_n(self.place(start + offset), character.len_utf8()));
        }
        self.inner(&text, Origin::Each(places), everything)
    }

    /// Where a stretch of this text comes from.
    pub(super) fn stretch(&self, start: usize, length: usize) -> Origin {
        if self.is_contiguous() {
            Origin::From(self.place(start))
        } else {
            Origin::Each((start..=start + length).map(|at| self.place(at)).collect())
        }
    }
}

fn everything(inner: &mut Reader<'_>) -> List {
    inner.whole()
}

/// Where a text behind a backtick ends.
fn closing_backtick(rest: &[u8]) -> Option<usize> {
    let mut escaped = false;
    rest.iter().position(|byte| {
        let found = !escaped && *byte == b'`';
        escaped = !escaped && *byte == b'\\';
        found
    })
}
