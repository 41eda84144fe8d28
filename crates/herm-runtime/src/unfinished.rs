//! The line that has not ended: a prompt, a progress bar.

use std::time::{Duration, Instant};

use herm_scan::Redactor;

/// The line that a stream is in the middle of.
///
/// A redactor keeps a line back until it ends. A prompt waits for an answer and never ends, so what can be no part of a secret
/// is shown once nothing has come for a moment. The redactor judges the whole line all the same when it ends; what it puts out
/// then is shown without what was seen before.
#[derive(Debug, Default)]
pub(crate) struct Unfinished {
    /// The line so far.
    line: Vec<u8>,
    /// Whether more of it has come than is kept here.
    is_long: bool,
    /// What was shown of it.
    shown: Vec<u8>,
    /// When the last of it came, until it has been looked at.
    came: Option<Instant>,
}

/// How long nothing must come. Programs that print a line in pieces do so without a pause.
const MOMENT: Duration = Duration::from_millis(150);

/// Longer lines are no prompts.
const LONGEST: usize = 4096;

impl Unfinished {
    /// What has not been seen yet of what a redactor puts out when it is given `bytes`.
    pub(crate) fn unseen(&mut self, bytes: &[u8], mut out: Vec<u8>) -> Vec<u8> {
        let newline = bytes.iter().rposition(|byte| *byte == b'\n');
        if newline.is_some() || !out.is_empty() {
            let shown = std::mem::take(&mut self.shown);
            let same = shown.iter().zip(&out).take_while(|(shown, out)| shown == out).count();
            out.drain(..same);
        }
        if newline.is_some() {
            *self = Self::default();
        }
        self.add(bytes.get(newline.map_or(0, |at| at + 1)..).unwrap_or_default());
        out
    }

    fn add(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.came = Some(Instant::now());
        self.is_long |= self.line.len() + bytes.len() > LONGEST;
        if !self.is_long {
            self.line.extend_from_slice(bytes);
        }
    }

    /// What more of the line can be shown by now.
    pub(crate) fn lull(&mut self, redactor: &Redactor) -> Vec<u8> {
        if self.is_long || self.came.is_none_or(|came| came.elapsed() < MOMENT) {
            return Vec::new();
        }
        self.came = None;
        let more = self.line.get(self.shown.len()..redactor.harmless(&self.line)).unwrap_or_default();
        self.shown.extend_from_slice(more);
        more.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is seen of pieces with a pause after each.
    fn seen(pieces: &[&str]) -> Vec<String> {
        let mut redactor = Redactor::with_values(["open sesame now"]);
        let mut line = Unfinished::default();
        let mut seen = Vec::new();
        let mut show = |bytes: Vec<u8>| seen.push(String::from_utf8(bytes).unwrap());
        for piece in pieces {
            let mut out = Vec::new();
            redactor.feed(piece.as_bytes(), &mut out);
            show(line.unseen(piece.as_bytes(), out));
            line.came = line.came.and_then(|came| came.checked_sub(MOMENT));
            show(line.lull(&redactor));
        }
        let mut out = Vec::new();
        redactor.finish(&mut out);
        show(line.unseen(b"", out));
        seen.retain(|text| !text.is_empty());
        seen
    }

    #[test]
    fn a_prompt_is_seen_before_its_line_ends_and_once() {
        assert_eq!(seen(&["Password: ", "\nwelcome\n"]), ["Password: ", "\nwelcome\n"]);
        assert_eq!(seen(&["Password: "]), ["Password: "]);
        assert_eq!(seen(&["10%", " 20%", " 30%\n"]), ["10%", " 20%", " 30%\n"]);
    }

    #[test]
    fn a_secret_in_pieces_is_not_seen() {
        let token = format!("gh{}_{}", "p", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        for at in 1..token.len() {
            let (head, tail) = token.split_at(at);
            let shown = seen(&[&format!("it is {head}"), &format!("{tail} here\n")]).concat();
            assert_eq!(shown, "it is [REDACTED] here\n", "{head}");
        }
        for pieces in
            [["say open ses", "ame now\n"], ["say open ", "sesame now\n"], ["say open sesame ", "now\n"]]
        {
            assert_eq!(seen(&pieces).concat(), "say [REDACTED]\n", "{pieces:?}");
        }
    }

    #[test]
    fn a_line_too_long_for_a_prompt_waits_for_its_end() {
        let long = "word ".repeat(LONGEST / 5 + 1);
        assert_eq!(seen(&[&long, "x\nnext: "]), [format!("{long}x\n"), "next: ".to_owned()]);
    }
}
