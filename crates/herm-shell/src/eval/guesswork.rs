//! Words of which the program itself is not known: holes, patterns, lines of a transcript.

use super::call::plain_name;
use super::code::is_path_mark;
use super::machine::{Event, Machine};
use super::matches::Caller;
use super::scope::{Outcome, Scope, Status};
use super::suppose::Starter;
use crate::effect::{Certainty, Flags, Target, Verb};
use crate::gap::{Gap, Position, Reason};
use crate::lang::Lang;
use crate::pattern::Pattern;
use crate::programs;
use crate::programs::arguments::Argument;
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};

/// Whether a pattern matches below a directory in which no programs are kept: `scripts/*.sh`.
fn is_own_directory(pattern: &str) -> bool {
    pattern.rsplit_once('/').is_some_and(|(directory, _)| {
        !directory.is_empty()
            && !directory.starts_with('/')
            && !directory.contains(['*', '?', '[', '{', '~'])
            && !directory.split('/').any(|name| name == "..")
    })
}

/// How many programs a pattern in command position is taken to mean.
const CANDIDATES: usize = 400;

impl Machine<'_> {
    /// The program itself is not known.
    pub(super) fn call_unknown(&mut self, argv: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let Some(first) = argv.first() else { return vec![Outcome::of(scope, Status::Either)] };
        let name = &first.value;
        let outside = name.provenance.any(Provenance::NETWORK | Provenance::DECODED | Provenance::SECRET);
        if outside {
            let invocation = self.next_invocation();
            let target = Target::Code(Lang::Shell, None);
            let event = Event {
                verb: Verb::Execute,
                target,
                flags: Flags::INLINE,
                data: name.provenance,
                by: "$",
                invocation,
                span,
            };
            self.effect(&scope, event);
        }
        if let Some(outcomes) = self.call_without_holes(argv, &scope, span) {
            return outcomes;
        }
        let alone = name.pieces.iter().all(|piece| match piece {
            Piece::Literal(text) => is_path_mark(text),
            Piece::Hole(_) => true,
            Piece::Glob(_) => false,
        });
        let position = if name.provenance.any(Provenance::OUTSIDE | Provenance::FILE) && alone {
            Position::Code
        } else {
            Position::Program
        };
        if is_named_by_pattern(name) {
            self.call_matched(argv, &[], &Scope { certainty: Certainty::May, ..scope.clone() }, span);
        }
        self.push_gap(Gap { position, reason: Reason::Runtime, shown: name.shown(), span });
        let values: Vec<Value> = argv.iter().skip(1).map(|argument| argument.value.clone()).collect();
        let shown = name.shown();
        let invocation = self.invocation(&scope, &shown, &shown, &values, &[], span);
        let starter = Starter { name: &shown, invocation, span };
        self.feed_unknown(argv, &scope, invocation, span);
        self.call_hidden(starter, argv.get(1..).unwrap_or_default(), &scope);
        let output = Value::unknown("output", Provenance::OUTSIDE);
        vec![Outcome::printing(scope, output)]
    }

    /// A program that is not known and is given nothing but what comes from the network may be a shell.
    fn feed_unknown(&mut self, argv: &[Argument], scope: &Scope, invocation: usize, span: Span) {
        let origin = scope.stdin.as_ref().map_or(Provenance::NONE, |stdin| stdin.provenance);
        let is_bare = argv.iter().skip(1).all(|word| {
            word.value
                .known()
                .is_some_and(|word| matches!(word.as_ref(), "-" | "-e" | "-l" | "-s" | "-x" | "/dev/stdin"))
        });
        if is_bare && origin.any(Provenance::NETWORK | Provenance::DECODED) {
            let target = Target::Code(Lang::Shell, None);
            let event = Event {
                verb: Verb::Execute,
                target,
                flags: Flags::NONE,
                data: origin,
                by: "$",
                invocation,
                span,
            };
            self.effect(scope, event);
        }
    }

    /// `r${x}m`, `$DIR/rm`: a variable that nothing set is empty, a directory does not change what a program is.
    fn call_without_holes(&mut self, argv: &[Argument], scope: &Scope, span: Span) -> Option<Vec<Outcome>> {
        let (first, arguments) = argv.split_first()?;
        let rest: String =
            first.value.pieces.iter().map(|piece| literal_or_empty(piece)).collect::<Option<_>>()?;
        let name = plain_name(&rest);
        programs::find(name)?;
        let name = name.to_owned();
        let mut inner = scope.clone();
        inner.certainty = Certainty::May;
        let outcomes = self.call_program(&name, arguments, &[], inner, span);
        let output = super::ways::picked(&outcomes).0;
        Some(vec![Outcome::printing(scope.clone(), output)])
    }

    /// A pattern in command position means every described program that it matches.
    pub(super) fn call_pattern(
        &mut self,
        argv: &[Argument],
        environment: &[(String, Value)],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let Some((first, arguments)) = argv.split_first() else {
            return vec![Outcome::of(scope, Status::Either)];
        };
        let shown = first.value.shown();
        let last = shown.rsplit('/').next().unwrap_or_default();
        let pattern = Pattern::new(last);
        let names: Vec<&'static str> = if is_own_directory(&shown) {
            Vec::new()
        } else {
            programs::names().filter(|name| pattern.matches(name)).take(CANDIDATES).collect()
        };
        let mut inner = scope.clone();
        inner.certainty = Certainty::May;
        for name in &names {
            let _ = self.call_program(name, arguments, environment, inner.clone(), span);
        }
        let is_file = shown.contains('/') && self.call_matched(argv, environment, &inner, span);
        if names.is_empty() && !is_file {
            self.push_gap(Gap { position: Position::Program, reason: Reason::Runtime, shown, span });
        }
        vec![Outcome::printing(scope, Value::unknown("output", Provenance::OUTSIDE))]
    }

    /// Runs the files of code that a command word names by a pattern, and says whether it knows them.
    fn call_matched(
        &mut self,
        argv: &[Argument],
        environment: &[(String, Value)],
        scope: &Scope,
        span: Span,
    ) -> bool {
        let Some((first, arguments)) = argv.split_first() else { return false };
        let words: Vec<Value> = arguments.iter().map(|argument| argument.value.clone()).collect();
        let shown = first.value.shown();
        let invocation = self.invocation(scope, &shown, &shown, &words, environment, span);
        let caller = Caller { invocation, span };
        self.scripts_matched(Lang::Shell, &first.value, &words, scope, caller).is_some()
    }

    /// A line that no program takes may be meant for the console of a database that the lines around it talk of.
    pub(super) fn call_statement(&mut self, argv: &[Value], scope: &Scope, invocation: usize, span: Span) {
        let Some((lang, before)) = statement(argv) else { return };
        let mut code = Value::literal(before);
        code.push(&Value::joined(argv, " "));
        let mut inner = scope.clone();
        inner.certainty = Certainty::May;
        inner.within = Some(invocation);
        let _ = self.code_at(lang, &code, &mut inner, invocation, span);
    }

    /// Runs a line that is not for the shell, but for what the line before it started.
    pub(super) fn call_escape(
        &mut self,
        called: &str,
        lang: Lang,
        code: &Value,
        arguments: &[Value],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let invocation = self.invocation(&scope, called, called, arguments, &[], span);
        let mut inner = scope.clone();
        inner.hooked = true;
        let output = self.code_at(lang, code, &mut inner, invocation, span);
        vec![Outcome::printing(scope, output)]
    }
}

/// A line for the program started before it, as in a transcript: `!cmd`, `:e file`, `shell cmd` and `@exec cmd` are for
/// pagers, editors, debuggers and consoles, `Remove-Item` is PowerShell's. No program has such a name.
pub(super) fn escape(called: &str, arguments: &[Value]) -> Option<(Lang, Value)> {
    use crate::lang::Lang;
    let typed = without_keys(called);
    let (lang, first) = if let Some(rest) = typed.strip_prefix('!').or_else(|| typed.strip_prefix("\\!")) {
        (Lang::Shell, rest)
    } else if called.len() > 1 && called.starts_with(':') {
        (Lang::Ex, called)
    } else if is_cmdlet(called) {
        (Lang::PowerShell, called)
    } else if matches!(called, "shell" | "@exec") && !arguments.is_empty() {
        (Lang::Shell, "")
    } else {
        return None;
    };
    let mut code = Value::literal(first);
    for argument in arguments {
        code.push_str(" ");
        match argument.known().filter(|word| word.contains([' ', '"', ';', '|', '&', '<', '>', '$', '`'])) {
            Some(word) => code.push_str(&format!("'{}'", word.replace('\'', "'\\''"))),
            None => code.push(argument),
        }
    }
    Some((lang, code))
}

/// What reads a line that takes something away from a database, and what stands before it there.
fn statement(argv: &[Value]) -> Option<(Lang, &'static str)> {
    use crate::lang::Lang;
    let word = |at: usize| argv.get(at).and_then(Value::known).map(|word| word.to_ascii_lowercase());
    let object = word(1).unwrap_or_default();
    let is_sql = match word(0)?.as_str() {
        "flushall" | "flushdb" => return Some((Lang::Shell, "redis-cli ")),
        "alter" => matches!(object.as_str(), "database" | "role" | "schema" | "table" | "user"),
        "delete" => object == "from",
        "drop" => {
            matches!(object.as_str(), "database" | "index" | "role" | "schema" | "table" | "user" | "view")
        }
        "truncate" => object == "table",
        _ => false,
    };
    is_sql.then_some((Lang::Sql, ""))
}

/// What is typed after control keys, which a transcript shows as `^K`.
fn without_keys(mut typed: &str) -> &str {
    while let Some(rest) = typed.strip_prefix('^') {
        let mut rest = rest.chars();
        if !rest.next().is_some_and(|key| key.is_ascii_uppercase()) {
            break;
        }
        typed = rest.as_str();
    }
    typed
}

/// `Verb-Noun`, each with a capital.
fn is_cmdlet(name: &str) -> bool {
    let capital = |word: &str| {
        word.starts_with(|letter: char| letter.is_ascii_uppercase())
            && word.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    name.split_once('-').is_some_and(|(verb, noun)| {
        matches!(
            verb,
            "Clear" | "Disable" | "Format" | "Get" | "Invoke" | "New" | "Remove" | "Set" | "Start" | "Stop"
        ) && capital(noun)
    })
}

/// The text of a piece; nothing for a variable that may be empty.
fn literal_or_empty(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Literal(text) => Some(text),
        Piece::Hole(hole) => hole.may_be_empty.then_some(""),
        Piece::Glob(_) => None,
    }
}

/// Whether a word is the name of a file that a pattern matches: `"$f"` in `for f in bin/*`.
fn is_named_by_pattern(word: &Value) -> bool {
    word.pieces.iter().any(|piece| matches!(piece, Piece::Hole(hole) if hole.matched.is_some()))
}
