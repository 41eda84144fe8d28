//! Consoles in which a language is spoken among commands of their own: debuggers of Python and Perl, `IPython`, Pry.

use super::shell;
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// A console's own commands; any other line is code.
pub(super) struct Console {
    name: &'static str,
    lang: Lang,
    /// What separates commands in one line.
    separator: Option<&'static str>,
    /// What follows one of these at the beginning of a line is code, whatever it looks like.
    code: &'static [&'static str],
    /// What follows one of these is for the shell.
    shell: &'static [&'static str],
    /// Words after which code follows.
    evaluating: &'static [&'static str],
    /// Words after which a file of code follows.
    files: &'static [&'static str],
    /// Words that begin a line for the shell.
    programs: &'static [&'static str],
    /// Words of commands that run nothing.
    quiet: &'static [&'static str],
    /// What begins any other command, of which nothing is known.
    unknown: Option<char>,
}

const CONSOLES: &[Console] = &[
    Console {
        name: "ipython",
        lang: Lang::Python,
        separator: None,
        code: &[],
        shell: &["!!", "!", "%sx ", "%system ", "%%sx", "%%system", "%%bash", "%%sh"],
        evaluating: &["%debug", "%memit", "%prun", "%time", "%timeit", "%%time", "%%timeit", "%%capture"],
        files: &["%run", "%load", "%loadpy"],
        programs: &[
            "cat", "cp", "ldir", "less", "lf", "lk", "ll", "ls", "lx", "man", "mkdir", "more", "mv", "rm",
            "rmdir",
        ],
        quiet: &[
            "%autoreload",
            "%cd",
            "%colors",
            "%config",
            "%cpaste",
            "%dirs",
            "%env",
            "%gui",
            "%hist",
            "%history",
            "%load_ext",
            "%logstart",
            "%lsmagic",
            "%matplotlib",
            "%paste",
            "%pdb",
            "%precision",
            "%pprint",
            "%pwd",
            "%pylab",
            "%quickref",
            "%reload_ext",
            "%reset",
            "%who",
            "%whos",
            "%xmode",
        ],
        unknown: Some('%'),
    },
    Console {
        name: "pdb",
        lang: Lang::Python,
        separator: Some(";;"),
        code: &["!"],
        shell: &[],
        evaluating: &["debug", "display", "exceptions", "p", "pp", "whatis"],
        files: &[],
        programs: &[],
        quiet: &[
            "EOF",
            "a",
            "alias",
            "args",
            "b",
            "break",
            "bt",
            "c",
            "cl",
            "clear",
            "commands",
            "condition",
            "cont",
            "continue",
            "d",
            "disable",
            "down",
            "enable",
            "end",
            "exit",
            "h",
            "help",
            "ignore",
            "interact",
            "j",
            "jump",
            "l",
            "list",
            "ll",
            "longlist",
            "n",
            "next",
            "q",
            "quit",
            "r",
            "restart",
            "retval",
            "return",
            "run",
            "rv",
            "s",
            "source",
            "step",
            "tbreak",
            "u",
            "unalias",
            "undisplay",
            "unt",
            "until",
            "up",
            "w",
            "where",
        ],
        unknown: None,
    },
    Console {
        name: "perldb",
        lang: Lang::Perl,
        separator: None,
        code: &[],
        shell: &["!!", "||", "|"],
        evaluating: &["a", "e", "p", "w", "x", "{", "{{", "<", "<<", ">", ">>"],
        files: &["source"],
        programs: &[],
        quiet: &[
            "A", "B", "H", "L", "M", "R", "S", "T", "V", "X", "b", "c", "disable", "enable", "f", "h", "l",
            "n", "o", "q", "r", "s", "t", "v",
        ],
        unknown: None,
    },
    Console {
        name: "pry",
        lang: Lang::Ruby,
        separator: None,
        code: &[],
        shell: &["."],
        evaluating: &["watch"],
        files: &["play"],
        programs: &[],
        quiet: &["cd", "exit", "help", "hist", "ls", "nesting", "next", "quit", "step", "whereami", "wtf"],
        unknown: None,
    },
];

/// The console of a language that is named so.
pub(super) fn named(name: &str) -> Option<&'static Console> {
    CONSOLES.iter().find(|console| console.name == name)
}

impl Console {
    /// Reads lines. What is code stays together: a block takes several of them.
    pub(super) fn read(&self, text: &str, sink: &mut dyn Sink) {
        let mut code = String::new();
        for line in text.lines() {
            if sink.spend(1).is_err() {
                return;
            }
            match self.separator {
                Some(mark) => line.split(mark).for_each(|part| self.line(part, &mut code, sink)),
                None => self.line(line, &mut code, sink),
            }
        }
        if !code.trim().is_empty() {
            sink.code(self.lang, &Value::literal(code));
        }
    }

    fn line(&self, line: &str, code: &mut String, sink: &mut dyn Sink) {
        let command = line.trim();
        if let Some(rest) = after(command, self.code) {
            return add(rest.trim_start(), code);
        }
        if let Some(rest) = after(command, self.shell) {
            return shell(rest.trim(), sink);
        }
        // `files = !ls`
        if let (true, Some((_, rest))) = (self.shell.contains(&"!"), command.split_once("= !")) {
            return shell(rest.trim(), sink);
        }
        let (word, rest) = word_of(command);
        let is_name = rest.starts_with(['=', '.', '(', '[']);
        if is_name || command.is_empty() {
            add(line, code);
        } else if self.evaluating.contains(&word) {
            add(rest, code);
        } else if self.files.contains(&word) {
            sink.script(self.lang, &Value::literal(rest), &[]);
        } else if self.programs.contains(&word) {
            shell(command, sink);
        } else if self.quiet.contains(&word) {
            // A condition of a breakpoint is evaluated when it is met.
            add(rest.split_once(',').map_or("", |(_, condition)| condition.trim()), code);
        } else if self.unknown.is_some_and(|mark| command.starts_with(mark)) {
            sink.gap(Position::Code, Reason::Runtime, command);
        } else {
            add(line, code);
        }
    }
}

fn add(line: &str, code: &mut String) {
    code.push_str(line);
    code.push('\n');
}

fn after<'t>(command: &'t str, marks: &[&str]) -> Option<&'t str> {
    marks.iter().find_map(|mark| command.strip_prefix(mark))
}

/// The first word of a command, with the signs that it begins with, and the rest.
fn word_of(command: &str) -> (&str, &str) {
    let signs =
        command.len() - command.trim_start_matches(|c: char| c.is_ascii_punctuation() && c != '_').len();
    let tail = command.get(signs..).unwrap_or_default();
    let letters = tail.len() - tail.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    let (word, rest) = command.split_at(signs + letters);
    (word, rest.trim_start())
}
