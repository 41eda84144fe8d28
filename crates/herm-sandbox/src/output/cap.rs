//! Keeping the beginning and the end of a stream.

use std::collections::VecDeque;

/// How much of a stream is kept, the line that tells what is missing included, for which there has to be room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Two fifths from the beginning and three fifths from the end, in characters: an error stands at the end.
    Ends(usize),
    /// The beginning alone, in bytes.
    Head(usize),
}

impl Limit {
    /// What the strict preset keeps.
    pub const STRICT: Self = Self::Head(8 * 1024);
    /// What the others keep.
    pub const USUAL: Self = Self::Ends(50_000);
}

/// Takes a stream and keeps as much as it may, in memory that does not grow.
#[derive(Clone, Debug)]
pub struct Cap {
    limit: Limit,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    bytes: u64,
    characters: u64,
}

/// What was kept of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capped {
    /// The text. What is not UTF-8 stands as replacement characters.
    pub text: String,
    /// Whether something is missing: a line of the text says how much.
    pub truncated: bool,
    /// How long the whole stream was, in bytes.
    pub bytes: u64,
}

/// No character takes more bytes. A byte that belongs to none becomes one, so no text has fewer characters than a quarter
/// of its bytes.
const WIDEST: usize = 4;
/// What the line that tells what is missing may take.
const MARK: usize = 64;

impl Cap {
    /// An empty one.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self { limit, head: Vec::new(), tail: VecDeque::new(), bytes: 0, characters: 0 }
    }

    /// Takes the next piece of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.characters += bytes.iter().filter(|byte| begins_character(**byte)).count() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(self.head_room() - self.head.len()));
        self.head.extend(head);
        self.push_tail(rest);
    }

    /// What is kept.
    #[must_use]
    pub fn finish(self) -> Capped {
        let bytes = self.bytes;
        let (text, truncated) = self.text();
        Capped { text, truncated, bytes }
    }

    /// A text that fits has to stand here whole.
    fn head_room(&self) -> usize {
        match self.limit {
            Limit::Ends(characters) => characters.saturating_mul(WIDEST),
            Limit::Head(bytes) => bytes,
        }
    }

    fn push_tail(&mut self, bytes: &[u8]) {
        let Limit::Ends(characters) = self.limit else { return };
        let room = characters.saturating_mul(WIDEST);
        let last = bytes.get(bytes.len().saturating_sub(room)..).unwrap_or_default();
        let surplus = (self.tail.len() + last.len()).saturating_sub(room);
        self.tail.drain(..surplus);
        self.tail.extend(last);
    }

    fn text(self) -> (String, bool) {
        let is_whole = self.bytes == self.head.len() as u64;
        match self.limit {
            Limit::Head(limit) if is_whole => whole(&self.head, |text| text.len() <= limit)
                .unwrap_or_else(|text| self.cut(head_of(&text, limit), "")),
            Limit::Head(limit) => self.cut(head_of(&complete(&self.head), limit), ""),
            Limit::Ends(limit) if is_whole => whole(&self.head, |text| text.chars().count() <= limit)
                .unwrap_or_else(|text| self.cut(first(&text, limit), last(&text, limit))),
            Limit::Ends(limit) => {
                let end = self.end();
                self.cut(first(&complete(&self.head), limit), last(&end, limit))
            }
        }
    }

    /// The end of the stream. What the tail has no room for may still stand in the head.
    fn end(&self) -> String {
        let bytes: Vec<u8> = self.head.iter().chain(&self.tail).copied().collect();
        let room = self.head_room();
        let from = bytes.len().saturating_sub(room);
        let bytes = bytes.get(from..).unwrap_or_default();
        let start = bytes.iter().position(|byte| begins_character(*byte)).unwrap_or_default();
        String::from_utf8_lossy(bytes.get(start..).unwrap_or_default()).into_owned()
    }

    fn cut(&self, head: &str, tail: &str) -> (String, bool) {
        let missing = match self.limit {
            Limit::Ends(_) => {
                let kept = (head.chars().count() + tail.chars().count()) as u64;
                format!("{} characters", self.characters.saturating_sub(kept).max(1))
            }
            Limit::Head(_) => format!("{} bytes", self.bytes.saturating_sub(head.len() as u64).max(1)),
        };
        let feed = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
        (format!("{head}{feed}[{missing} left out]\n{tail}"), true)
    }
}

fn whole(bytes: &[u8], fits: impl Fn(&str) -> bool) -> Result<(String, bool), String> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    if fits(&text) { Ok((text, false)) } else { Err(text) }
}

/// The text of bytes that may end within a character.
fn complete(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let is_cut = std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    let end =
        if is_cut { text.len().saturating_sub(char::REPLACEMENT_CHARACTER.len_utf8()) } else { text.len() };
    text.get(..end).unwrap_or_default().to_owned()
}

fn head_of(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit.saturating_sub(MARK))).unwrap_or_default()
}

fn first(text: &str, limit: usize) -> &str {
    let count = limit.saturating_sub(MARK) * 2 / 5;
    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

fn last(text: &str, limit: usize) -> &str {
    let room = limit.saturating_sub(MARK);
    let count = room - room * 2 / 5;
    let from = text.char_indices().rev().take(count).last().map_or(text.len(), |(at, _)| at);
    text.get(from..).unwrap_or_default()
}

fn begins_character(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capped(limit: Limit, text: &[u8], piece: usize) -> Capped {
        let mut cap = Cap::new(limit);
        text.chunks(piece).for_each(|piece| cap.push(piece));
        cap.finish()
    }

    #[test]
    fn what_fits_is_left_as_it_is() {
        let text = "wäß 字\n".repeat(10);
        for limit in [Limit::Ends(60), Limit::Head(text.len())] {
            let capped = capped(limit, text.as_bytes(), 3);
            assert_eq!((capped.text.as_str(), capped.truncated), (text.as_str(), false));
            assert_eq!(capped.bytes, text.len() as u64);
        }
    }

    #[test]
    fn both_ends_are_kept() {
        let lines: Vec<String> = (0..20_000).map(|line| format!("line {line}\n")).collect();
        let text = lines.concat();
        let capped = capped(Limit::USUAL, text.as_bytes(), 4096);
        assert!(capped.truncated && capped.text.chars().count() <= 50_000);
        assert!(capped.text.starts_with("line 0\nline 1\n") && capped.text.ends_with("\nline 19999\n"));
        let mark = capped.text.lines().find(|line| line.ends_with("left out]")).unwrap();
        let missing: usize = mark.trim_start_matches('[').split(' ').next().unwrap().parse().unwrap();
        let kept = capped.text.chars().count() - mark.len() - 1;
        // One more where the line before the mark had to be ended.
        assert!([0, 1].contains(&(missing + kept - text.len())));
        let (head, tail) = capped.text.split_once(mark).unwrap();
        assert!((head.len() * 3).abs_diff(tail.len() * 2) < 10, "two to three");
    }

    #[test]
    fn the_strict_limit_is_of_bytes_and_keeps_the_beginning() {
        let capped = capped(Limit::STRICT, "ä".repeat(8000).as_bytes(), 1000);
        assert!(capped.truncated && capped.text.len() <= 8192, "{}", capped.text.len());
        assert!(capped.text.len() > 8192 - 2 * MARK && capped.text.ends_with("bytes left out]\n"));
        assert!(!capped.text.contains(char::REPLACEMENT_CHARACTER));
    }

    #[test]
    fn no_character_is_cut_in_two() {
        for (lead, piece) in (0..8).flat_map(|lead| [1, 2, 3, 5, 7, 100_000].map(|piece| (lead, piece))) {
            let text = format!("{}{}", "a".repeat(lead), "字😀é".repeat(700));
            for limit in [Limit::Ends(500), Limit::Ends(501), Limit::Head(499), Limit::Head(500)] {
                let capped = capped(limit, text.as_bytes(), piece);
                assert!(capped.truncated && !capped.text.contains(char::REPLACEMENT_CHARACTER));
                let size = match limit {
                    Limit::Ends(_) => capped.text.chars().count(),
                    Limit::Head(_) => capped.text.len(),
                };
                assert!(size <= 501);
            }
        }
    }

    #[test]
    fn every_length_around_the_limits_is_right() {
        for length in 0..1300 {
            let text: String = ('a'..='z').cycle().take(length).collect();
            let capped = capped(Limit::Ends(200), text.as_bytes(), 17);
            assert_eq!(capped.truncated, length > 200);
            if capped.truncated {
                let (head, rest) = capped.text.split_once("\n[").unwrap();
                let tail = rest.split_once("]\n").unwrap().1;
                assert!(text.starts_with(head) && text.ends_with(tail), "{length}");
                assert!(rest.starts_with(&format!("{} characters", length - head.len() - tail.len())));
            } else {
                assert_eq!(capped.text, text);
            }
        }
    }

    /// Bytes of all kinds, most of them no text.
    fn noise(seed: u64, length: usize) -> Vec<u8> {
        const BYTES: &[u8] = b"a\n\x80\xbf\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80\xff";
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            BYTES[usize::try_from(state % BYTES.len() as u64).unwrap()]
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn what_is_no_text_stays_within_the_limits_wherever_it_is_cut() {
        for seed in 1..300 {
            let bytes = noise(seed, usize::try_from(seed * 7).unwrap());
            for limit in [Limit::Ends(100), Limit::Ends(333), Limit::Head(100), Limit::Head(1000)] {
                let whole = capped(limit, &bytes, bytes.len());
                let size = match limit {
                    Limit::Ends(_) => whole.text.chars().count(),
                    Limit::Head(_) => whole.text.len(),
                };
                let (Limit::Ends(most) | Limit::Head(most)) = limit;
                assert!(size <= most, "{limit:?}: {size}");
                assert!(
                    [1, 5, 64].into_iter().all(|piece| capped(limit, &bytes, piece) == whole),
                    "{limit:?} {seed}"
                );
                assert_eq!(whole.truncated, whole.text.contains(" left out]\n"));
            }
        }
    }

    #[test]
    fn memory_does_not_grow() {
        let mut cap = Cap::new(Limit::Ends(1000));
        for _ in 0..1000 {
            cap.push(&[b'x'; 10_000]);
            cap.push(&[0xFF; 10_000]);
        }
        assert!(cap.head.capacity() <= 16_000 && cap.tail.capacity() <= 32_000);
        let capped = cap.finish();
        assert!(capped.truncated && capped.text.chars().count() <= 1000);
    }
}
