//! `systemd-tmpfiles`: lines that say what is made, changed and deleted.

use super::arguments::Parsed;
use super::phrases::operands_from;
use super::schema::{Do, Operands, Program, Role, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

/// The family.
pub(super) static PROGRAMS: &[Program] = &[program(&["systemd-tmpfiles"])
    .options(&[
        flag("-h --help --version --cat-config --tldr --dry-run", Do::Stop),
        quiet("--create --clean --remove --purge --boot --user --graceful --no-pager"),
        value("--prefix --exclude-prefix -E --root --image --replace", Role::Inert),
    ])
    .operands(Operands::None)
    .refine(apply)];

/// Directories of the settings that the system comes with: what stands there is what it does at every start.
const OWN: &[&str] =
    &["/etc/tmpfiles.d/", "/run/tmpfiles.d/", "/usr/lib/tmpfiles.d/", "/usr/local/lib/tmpfiles.d/"];

/// Applies each file of settings, `-` being standard input.
fn apply(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let files = operands_from(parsed, 0);
    if files.is_empty() && parsed.has("--purge") {
        sink.gap(Position::Delete, Reason::Runtime, "all that the settings of systemd-tmpfiles name");
    }
    for file in files {
        let text = if file.known().as_deref() == Some("-") { sink.stdin() } else { sink.read(&file) };
        let name = file.shown();
        let is_own = !name.contains('/') || OWN.iter().any(|place| name.starts_with(place));
        if text.has_hole() && !(is_own && text.files().is_some()) {
            let position =
                if parsed.has("--remove --purge --clean") { Position::Delete } else { Position::Write };
            sink.gap(position, Reason::Runtime, &format!("what `{name}` names"));
        }
        for line in text.shown().lines().filter_map(Line::read) {
            line.apply(parsed, &text, sink);
        }
    }
}

/// One line: what kind it is, of which path, and with what argument.
struct Line<'t> {
    kind: char,
    path: &'t str,
    argument: String,
}

impl<'t> Line<'t> {
    /// `Type Path Mode User Group Age Argument`. A type may have signs behind it.
    fn read(line: &'t str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let kind = words.next()?.chars().next().filter(char::is_ascii_alphabetic)?;
        let path = words.next()?.trim_matches(['"', '\'']);
        Some(Self { kind, path, argument: words.skip(4).collect::<Vec<_>>().join(" ") })
    }

    fn apply(&self, parsed: &Parsed<'_>, text: &Value, sink: &mut dyn Sink) {
        let path = place(self.path, text.provenance, sink);
        let inside = || {
            let mut inside = path.clone();
            inside.push_str("/");
            inside.pieces.push(Piece::Glob("*".to_owned()));
            inside
        };
        let (makes, cleans) = (parsed.has("--create"), parsed.has("--clean --purge"));
        let removes = parsed.has("--remove --purge");
        match self.kind {
            'R' if removes => sink.path(Verb::Delete, &path, Flags::RECURSIVE | Flags::FORCE),
            'D' if removes => sink.path(Verb::Delete, &inside(), Flags::RECURSIVE),
            'r' if removes => sink.path(Verb::Delete, &path, Flags::NONE),
            'D' | 'd' | 'e' | 'q' | 'Q' | 'v' if cleans => {
                sink.path(Verb::Delete, &inside(), Flags::RECURSIVE | Flags::NARROWED);
            }
            'C' | 'F' | 'f' | 'w' if makes => {
                let content = Value::literal(self.argument.as_str()).from(text.provenance);
                sink.write(&path, &content, Flags::NONE);
            }
            'L' if makes => sink.link(&path, &Value::literal(self.argument.as_str()), Flags::NONE),
            'Z' | 'z' if makes => {
                let deep = if self.kind == 'Z' { Flags::RECURSIVE } else { Flags::NONE };
                sink.path(Verb::ChangeMode, &path, deep);
            }
            'A' | 'H' | 'T' | 'a' | 'h' | 't' if makes => {
                sink.path(Verb::ChangeAttributes, &path, Flags::NONE);
            }
            _ => {}
        }
    }
}

/// A path of a line: patterns are globs, `%h` is a home, and any other specifier is not known here.
fn place(path: &str, provenance: Provenance, sink: &dyn Sink) -> Value {
    let whole = path.replace("%h", &sink.home());
    let mut value = Value::default();
    let mut rest = whole.as_str();
    while let Some(at) = rest.find(['%', '*', '?', '[']) {
        let (before, from) = rest.split_at(at);
        value.push_str(before);
        let length = if from.starts_with('%') { from.chars().take(2).map(char::len_utf8).sum() } else { 1 };
        let (mark, after) = from.split_at_checked(length).unwrap_or((from, ""));
        match mark {
            "%%" => value.push_str("%"),
            _ if mark.starts_with('%') => value.push(&Value::unknown(mark, Provenance::OUTSIDE)),
            _ => value.pieces.push(Piece::Glob(mark.to_owned())),
        }
        rest = after;
    }
    value.push_str(rest);
    value.from(provenance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_by_their_columns() {
        let line =
            Line::read("f+! /etc/x 0644 root root - a b").map(|line| (line.kind, line.path, line.argument));
        assert_eq!(line, Some(('f', "/etc/x", "a b".to_owned())));
        assert!(Line::read("# R /").is_none() && Line::read("R").is_none());
    }
}
