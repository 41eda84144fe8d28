//! A part of a file, as an agent may see it.

use std::io;

use herm::limits::{Limits, Output as Kept};
use herm_sandbox::output::Colours;

use super::LONGEST;
use crate::fetch::is_text;
use crate::held::{Held, Unheld};
use crate::runtime::Runtime;
use crate::stream::Stream;

/// Which lines are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The number of the first one; they are counted from one.
    pub first: usize,
    /// How many.
    pub most: usize,
}

/// A part of a file, without secrets and without what a terminal would obey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Where the file is.
    pub path: String,
    /// What it says; nothing where it is no text.
    pub text: Option<String>,
    /// The number of the first line.
    pub first: usize,
    /// How many lines there are.
    pub shown: usize,
    /// How many lines the whole file has.
    pub lines: usize,
    /// How many bytes are in the whole file.
    pub bytes: usize,
    /// Whether there is more.
    pub is_cut: bool,
}

impl Runtime<'_> {
    /// The lines that are wanted, as far as they fit. Secrets are looked for in the whole file: where one begins is not left to whoever
    /// chooses the lines.
    pub(super) fn excerpt(&self, held: &Held, range: Range) -> Result<Excerpt, Unheld> {
        let content = held.content(LONGEST)?.ok_or(Unheld::Closed(io::ErrorKind::NotFound.into()))?;
        let bytes = content.len();
        let path = held.path().to_owned();
        if !is_text(&content, false) {
            return Ok(Excerpt { path, text: None, first: 0, shown: 0, lines: 0, bytes, is_cut: false });
        }
        let whole = self.shown(&content);
        let room = match self.setup.policy.limits.output {
            Kept::Head(most) | Kept::HeadAndTail(most) => most,
        };
        let lines = whole.split_inclusive('\n').count();
        let (mut text, mut shown) = (String::new(), 0);
        for line in whole.split_inclusive('\n').skip(range.first.saturating_sub(1)).take(range.most) {
            if text.len() + line.len() > room && shown > 0 {
                break;
            }
            shown += 1;
            text.push_str(line);
        }
        // A single line may be longer than all there is room for.
        let is_short = text.len() > room;
        text.truncate(text.floor_char_boundary(room));
        let is_cut = is_short || range.first.saturating_sub(1) + shown < lines;
        Ok(Excerpt { path, text: Some(text), first: range.first.max(1), shown, lines, bytes, is_cut })
    }

    /// What may be seen of a text.
    fn shown(&self, content: &[u8]) -> String {
        let limits = Limits { output: Kept::Head(content.len()), ..Limits::default() };
        let mut stream = Stream::new(&limits, Colours::Drop, self.redactor(), self.loose());
        let mut safe = stream.take(content);
        safe.extend(stream.rest());
        String::from_utf8_lossy(&safe).into_owned()
    }
}
