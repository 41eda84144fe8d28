//! Where transcripts lie, and how they are read: nothing is followed, nothing is waited for, and there is an end to everything.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use herm_adapters::wiring::Scope;
use herm_adapters::{Agent, LONGEST, Transcript};
use herm_store::sqlite::foreign::{self, Holding, Turn};
use rustix::fs::OFlags;

use crate::environment;
use crate::scratch::Scratch;
use crate::wiring::Places;

/// A file that holds a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) agent: Agent,
    pub(super) file: PathBuf,
    pub(super) form: Form,
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Database,
    Lines,
}

/// The transcripts of some agents, where those keep them.
pub(super) fn usual(places: &Places, agents: &[Agent]) -> Vec<Kept> {
    agents.iter().flat_map(|agent| kept_by(*agent, &places.directory(*agent, Scope::User))).collect()
}

fn kept_by(agent: Agent, directory: &Path) -> Vec<Kept> {
    let below =
        |names: &[&str]| names.iter().flat_map(|name| files(&directory.join(name))).collect::<Vec<_>>();
    let found = match agent {
        Agent::ClaudeCode => below(&["projects"]),
        Agent::Codex => below(&["sessions", "archived_sessions"]),
        Agent::Hermes => {
            let profiles = list(&directory.join("profiles"));
            let homes = profiles.into_iter().chain([directory.to_owned()]);
            homes
                .flat_map(|home| {
                    files(&home.join("state.db")).into_iter().chain(files(&home.join("sessions")))
                })
                .collect()
        }
        Agent::Cline
        | Agent::Copilot
        | Agent::Cursor
        | Agent::Gemini
        | Agent::Goose
        | Agent::OpenCode
        | Agent::Pi
        | Agent::Windsurf => Vec::new(),
    };
    found.into_iter().filter_map(|file| kept(file, Some(agent))).collect()
}

/// The transcripts in files and directories that somebody named.
pub(super) fn named(paths: &[PathBuf], agents: &[Agent]) -> Vec<Kept> {
    let only = if let [agent] = agents { Some(*agent) } else { None };
    let found = paths.iter().flat_map(|path| files(path)).filter_map(|file| kept(file, only));
    found.filter(|kept| agents.contains(&kept.agent)).collect()
}

/// What a file is by its name and its beginning; nothing if it is no transcript.
fn kept(file: PathBuf, agent: Option<Agent>) -> Option<Kept> {
    let extension = file.extension()?.to_str()?.to_owned();
    let name = file.file_name()?.to_str()?;
    // What Hermes sent when something went wrong holds everything once more.
    match extension.as_str() {
        "db" if agent.is_none_or(|agent| agent == Agent::Hermes) => {
            Some(Kept { agent: Agent::Hermes, file, form: Form::Database })
        }
        "json" | "jsonl" if !name.starts_with("request_dump_") => {
            let agent = agent.or_else(|| Transcript::whose(&beginning(&file)))?;
            Some(Kept { agent, file, form: Form::Lines })
        }
        _ => None,
    }
}

fn beginning(file: &Path) -> String {
    let mut bytes = Vec::new();
    // What cannot be read is said when it is to be read as a whole.
    let _ = open(file).and_then(|file| file.take(64 << 10).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The regular files at or below a path, in the order of their names. A link that was named is followed; no other is.
fn files(path: &Path) -> Vec<PathBuf> {
    let real = crate::files::real(path).unwrap_or_else(|| path.to_owned());
    let (mut found, mut left) = (Vec::new(), vec![(real, 0)]);
    while let Some((path, depth)) = left.pop() {
        match kind(&path) {
            Some(kind) if kind.is_file() => found.push(path),
            Some(kind) if kind.is_dir() && depth < DEEPEST => {
                left.extend(list(&path).into_iter().map(|path| (path, depth + 1)));
            }
            Some(_) | None => {}
        }
        if found.len() >= MOST {
            break;
        }
    }
    found.sort();
    found
}

/// Agents nest by date, or by project.
const DEEPEST: usize = 8;
const MOST: usize = 100_000;

#[expect(clippy::disallowed_methods, reason = "the one place where transcripts are looked for")]
fn kind(path: &Path) -> Option<fs::FileType> {
    fs::symlink_metadata(path).ok().map(|metadata| metadata.file_type())
}

#[expect(clippy::disallowed_methods, reason = "the one place where transcripts are looked for")]
fn list(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// A regular file. A pipe in its place is not waited for, and a link not followed.
fn open(file: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let opened = File::options().read(true).custom_flags(flags).open(file)?;
    if opened.metadata()?.is_file() { Ok(opened) } else { Err(io::Error::other("it is no regular file")) }
}

/// A line of a file.
pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    /// Longer than anything that is read.
    Long,
}

/// Hands over the lines of a file. Memory does not grow with the longest of them.
pub(super) fn lines(file: &Path, mut take: impl FnMut(Line<'_>)) -> io::Result<()> {
    let mut reader = BufReader::new(open(file)?);
    let mut line = Vec::new();
    let most = u64::try_from(LONGEST).unwrap_or(u64::MAX);
    loop {
        line.clear();
        reader.by_ref().take(most).read_until(b'\n', &mut line)?;
        match line.last() {
            None => return Ok(()),
            Some(b'\n') => take(Line::Whole(&line)),
            Some(_) if line.len() < LONGEST => take(Line::Whole(&line)),
            Some(_) => {
                take(Line::Long);
                reader.skip_until(b'\n')?;
            }
        }
    }
}

/// Hands over what Hermes keeps in its database. Where its log holds what is not in there yet, both are copied: reading a log makes files.
pub(super) fn turns(file: &Path, take: impl FnMut(Turn)) -> Result<(), String> {
    let log = beside(file, "-wal");
    let said = |error: &dyn std::fmt::Display| error.to_string();
    if crate::files::regular(&log).is_none_or(|log| log.length == 0) {
        return foreign::hermes_turns(file, Holding::Original, take).map_err(|error| said(&error));
    }
    let scratch = environment::temporary()
        .and_then(|directory| Scratch::new(&directory))
        .map_err(|error| said(&error))?;
    let copied = scratch.path().join("state.db");
    copy(file, &copied).and_then(|()| copy(&log, &beside(&copied, "-wal"))).map_err(|error| said(&error))?;
    foreign::hermes_turns(&copied, Holding::Copy, take).map_err(|error| said(&error))
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The most that is copied.
const LARGEST: u64 = 4 << 30;

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = open(from)?.take(LARGEST);
    let mut target = File::options().create_new(true).write(true).mode(0o600).open(to)?;
    let copied = io::copy(&mut source, &mut target)?;
    if copied == LARGEST { Err(io::Error::other("it is too large")) } else { target.flush() }
}
