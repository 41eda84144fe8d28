//! Everything that is known about a text.

use std::rc::Rc;

use crate::effect::{Effect, Realm};
use crate::gap::Gap;
use crate::span::Span;
use crate::value::Value;
use crate::world::Observation;

/// Everything that is known about a text. It carries no opinion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The programs that run, in order, wrappers and what they wrap each on their own.
    pub invocations: Vec<Invocation>,
    /// What they do.
    pub effects: Vec<Effect>,
    /// What could not be known.
    pub gaps: Vec<Gap>,
    /// The files that were looked at.
    pub observations: Vec<Observation>,
    /// How the text is built.
    pub shape: Shape,
    /// What programs would do if they start what they are given; nothing says that they do.
    pub supposed: Vec<Supposition>,
    /// Remarks that are neither effect nor gap: a script that is not there, an unknown program.
    pub notes: Vec<Note>,
    /// What scripts make use of, each once: it is there whether or not anything comes of it.
    pub uses: Vec<Use>,
}

/// Something that a script makes use of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// What it is.
    pub kind: UseKind,
    /// Its name: `OPENROUTER_API_KEY`, `requests.Session`.
    pub name: String,
    /// Where the script runs.
    pub realm: Realm,
    /// Where it stands in the text.
    pub span: Span,
}

/// What a script makes use of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// A library that connects, imported or called.
    Network,
    /// A variable of the environment, read by its name.
    Variable,
}

/// A program that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program's plain name, without directory: `rm`.
    pub program: Rc<str>,
    /// The program as written, after expansion: `/usr/bin/rm`.
    pub called: String,
    /// Its arguments, after expansion.
    pub arguments: Vec<Value>,
    /// The sub-command words that were recognised: `["compose", "down"]`.
    pub subcommands: Vec<&'static str>,
    /// Whether the program is described in the tables.
    pub described: bool,
    /// The invocation that runs this one (`sudo`, `xargs`, `bash -c`), if one does.
    pub within: Option<usize>,
    /// Whether an option or a setting of another program started it (`git -c core.pager=…`).
    pub hooked: bool,
    /// Where it runs.
    pub realm: Realm,
    /// Whether it runs with another user's rights.
    pub privileged: bool,
    /// Variables set for it alone (`LD_PRELOAD=x cmd`), and exported ones set before it in the text.
    pub environment: Vec<(String, Value)>,
    /// Where it stands in the text.
    pub span: Span,
}

/// What happens if a program that is not known to start others starts the command that its arguments read like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supposition {
    /// The program, by its plain name, or the script that is not there to be read.
    pub by: String,
    /// The command that it would start, for people.
    pub command: String,
    /// How likely it is meant to be started.
    pub likelihood: Likelihood,
    /// What it would do. The invocation is that of the program that would start it.
    pub effects: Vec<Effect>,
}

/// How likely words are meant as a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Likelihood {
    /// They begin with the name of a program, which may be a word of another kind.
    Slight,
    /// They hold that program's own options or sub-commands, or are announced as a command.
    Great,
}

/// How a text is built; the strict preset asks about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// How many commands are written out, not counting substitutions.
    pub commands: u32,
    /// How many pipes.
    pub pipes: u32,
    /// How many redirections to or from files.
    pub redirects: u32,
    /// How many substitutions: commands, processes.
    pub substitutions: u32,
    /// Whether any command runs in the background.
    pub background: bool,
    /// Whether the text defines functions or aliases, or uses compound commands.
    pub compound: bool,
    /// Whether the shell that reads it may be another one afterwards: in another directory, with other variables, functions, options or
    /// jobs, or gone. Only who starts a new one for every text need not mind.
    pub alters_shell: bool,
}

/// A remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What there is to say.
    pub kind: NoteKind,
    /// About what: a path, a program.
    pub shown: String,
    /// Where.
    pub span: Span,
}

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A script that the command runs is not there, or could not be looked at.
    AbsentScript,
    /// An option that the tables do not list.
    UnknownOption,
    /// A program that the tables do not describe.
    UnknownProgram,
}
