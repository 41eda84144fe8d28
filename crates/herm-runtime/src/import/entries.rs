//! What becomes of the entries of Hermes' lists.

use herm::policy::Entry;

use super::narrow::{Narrow, narrow};
use super::{ALLOW, DENY, Fate, Line};

/// What becomes of an entry of `command_allowlist`.
pub(super) fn allowed(written: &str, here: &[String]) -> Line {
    let fate = allowing(written.trim());
    let line = Line { key: ALLOW, written: written.to_owned(), fate };
    line.unless_there(|entry| here.iter().any(|known| known == entry))
}

fn allowing(written: &str) -> Fate {
    let wider = |why: &str| Fate::Wider { becomes: vec![written.to_owned()], why: why.to_owned() };
    let left = |why: &str| Fate::Left(why.to_owned());
    if written.contains(char::is_control) {
        return left("no command has characters like these");
    }
    match narrow(written) {
        Some(Narrow::Entries(entries)) => {
            return Fate::Translated(entries.iter().map(|entry| (*entry).to_owned()).collect());
        }
        Some(Narrow::Free) => return left("herm reads such code, and asks about what it does"),
        Some(Narrow::Refused) => return left("herm refuses this, whatever is listed"),
        Some(Narrow::Wider(why)) => return wider(why),
        None => {}
    }
    match Entry::allowing(written) {
        Err(problem) => Fate::Left(problem.to_string()),
        Ok(entry) if entry.is_for_hermes() || OF_HERMES.contains(&written) => {
            left("only Hermes itself asks about it")
        }
        // What Hermes takes for the text of a command must not become the name of a rule on the way.
        Ok(entry) if !entry.is_pattern() => {
            wider("here it stands for a rule or an effect; in Hermes, at most for that very text")
        }
        Ok(_) if written.contains(PATTERN) => {
            left("it is the old name of a pattern of Hermes; say *always* once more")
        }
        // Hermes takes an entry for a whole text; with these it would be several commands or other words than it shows.
        Ok(_) if written.contains(SYNTAX) => {
            left("Hermes takes it for one whole text, and here no command has words like these")
        }
        Ok(_) if !written.contains(char::is_whitespace) => {
            wider("here it covers the program with whatever arguments; in Hermes, at most that very text")
        }
        Ok(_) => wider("here it covers such a command inside others, too; in Hermes, only alone"),
    }
}

/// What only Hermes has under these names.
const OF_HERMES: &[&str] = &["execute_code", "mcp_elicitation"];

/// What nobody writes but in a regular expression.
const PATTERN: &[char] = &['\\', '^', '+'];

const SYNTAX: &[char] = &['&', '|', ';', '<', '>', '`', '$', '"', '\'', '(', ')', '{', '}', '\n', '#', '='];

/// What becomes of an entry of `approvals.deny`. It matches what runs, however it is spelt, and the text as Hermes does.
pub(super) fn denied(written: &str, here: &[String]) -> Line {
    let fate = match Entry::new(written.trim()) {
        Ok(_) if written.trim().contains(char::is_control) => {
            Fate::Left("no command has characters like these".to_owned())
        }
        Ok(_) => Fate::Taken,
        Err(problem) => Fate::Left(problem.to_string()),
    };
    let line = Line { key: DENY, written: written.to_owned(), fate };
    line.unless_there(|entry| here.iter().any(|known| known == entry))
}
