//! Asks tmux which sessions there are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use herm_sandbox::process::{Cancel, Ending, Input, Mode, Output, Spec, run};

use crate::{environment, files};

/// A session of tmux, told apart from a later one of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) name: String,
    /// The process of the server.
    pub(crate) server: u64,
    /// What the server calls it.
    pub(crate) id: String,
    /// When it was made, in seconds.
    pub(crate) created: u64,
}

/// Where tmux is installed. It is not looked for: a directory that an agent writes to may hold another.
const PLACES: &[&str] = &["/usr/bin/tmux", "/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"];

/// What it is asked for, in the order in which it is read.
const FORMAT: &str = "#{pid} #{session_id} #{session_created} #{session_name}";

/// How long it may take.
const TIME: Duration = Duration::from_millis(500);

/// The sessions of the server that a command here would speak to; none where that is not known.
pub(super) fn sessions() -> Vec<Session> {
    let program = PLACES.iter().map(PathBuf::from).find(|path| files::exists(path));
    let said = program.and_then(|program| ask(&program)).unwrap_or_default();
    said.lines().filter_map(session).collect()
}

fn session(line: &str) -> Option<Session> {
    let mut parts = line.splitn(4, ' ');
    Some(Session {
        server: parts.next()?.parse().ok()?,
        id: parts.next()?.to_owned(),
        created: parts.next()?.parse().ok()?,
        name: parts.next()?.to_owned(),
    })
}

fn ask(program: &Path) -> Option<String> {
    let spec = Spec {
        program: program.into(),
        arguments: ["list-sessions", "-F", FORMAT].map(Into::into).to_vec(),
        cwd: PathBuf::from("/"),
        environment: environment::own(),
        time: TIME,
        grace: Duration::ZERO,
        input: Input::Empty,
        confinement: None,
    };
    let mut said = Said(Vec::new());
    let ran = run(spec, Mode::Captured, &Cancel::new().ok()?, &mut said).ok()?;
    // Half of a list would do no harm, but there is none: with an error nothing is known.
    (ran.ending == Ending::Exited(0)).then(|| String::from_utf8(said.0).ok()).flatten()
}

/// What was printed, as far as anybody would have sessions.
struct Said(Vec<u8>);

const MOST: usize = 64 * 1024;

impl Output for Said {
    fn stdout(&mut self, bytes: &[u8]) {
        if self.0.len() + bytes.len() <= MOST {
            self.0.extend_from_slice(bytes);
        }
    }

    fn stderr(&mut self, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_asked_for() {
        let read = session("411 $3 1795111239 my work").unwrap();
        assert_eq!((read.name.as_str(), read.server, read.id.as_str()), ("my work", 411, "$3"));
        assert_eq!(read.created, 1_795_111_239);
        assert_eq!(session("411 $3"), None);
    }
}
