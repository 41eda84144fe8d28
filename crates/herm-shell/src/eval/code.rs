//! Code inside code: `bash -c`, scripts, heredocs fed to interpreters, `eval`.
//!
//! Code that is only partly known is read with stand-ins for the unknown parts: a variable of the same name in shell
//! code, an identifier elsewhere. What comes out of the reader gets the unknown parts back ([`restored`]).

use std::rc::Rc;

use super::bound::designates_history;
use super::machine::{Event, Machine};
use super::matches::Caller;
use super::paths::Actor;
use super::scope::{Frame, Origin, Outcome, Scope, Status};
use super::step::{Pace, Step};
use super::ways::picked;
use crate::analysis::NoteKind;
use crate::ast::List;
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Gap, Position, Reason};
use crate::lang::Lang;
use crate::place::{Extent, Places};
use crate::span::Span;
use crate::value::{DUMP, Piece, Provenance, Value};
use crate::world::Script;
use crate::{python, reader, scripts};

/// Whether code puts letters into the input of a terminal, or has the desktop press keys.
fn types_for_somebody(text: &Value) -> bool {
    text.pieces.iter().any(|piece| match piece {
        Piece::Literal(text) => {
            let has = |word: &str| text.contains(word);
            has("TIOCSTI")
                || has("ioctl")
                    && ["0x5412", "21522", "0X5412", "0x80017472", "2147578994"].iter().any(|word| has(word))
                || has("System Events") && (has("keystroke") || has("key code"))
        }
        Piece::Glob(_) | Piece::Hole(_) => false,
    })
}

/// What a stand-in for an unknown part is called.
pub(crate) const STAND_IN: &str = "__herm_unknown_";
/// How many bytes of another language are read for one unit of work, besides what its reader takes.
const FOREIGN_PER_UNIT: usize = 8;
/// Origins of code that say something by themselves.
const TELLING: Provenance = Provenance::NETWORK.and(Provenance::DECODED).and(Provenance::SECRET);

impl Machine<'_> {
    /// Reads shell text; what could not be read is a gap.
    pub(crate) fn read_shell(&mut self, text: &str, scope: &Scope) -> List {
        // Words may be long: a token alone does not say what it cost to read.
        self.spend_bytes(text.len());
        self.designates = self.designates || text.contains(['!', '^']) && designates_history(text);
        let reading = reader::read(text, &self.fuel);
        self.unreadable(reading.problems, scope);
        reading.list
    }

    /// Records what could not be read.
    pub(super) fn unreadable(&mut self, problems: Vec<reader::Problem>, scope: &Scope) {
        for problem in problems {
            let span = scope.origin.map(problem.span);
            self.push_gap(Gap {
                position: Position::Whole,
                reason: problem.reason,
                shown: String::new(),
                span,
            });
        }
    }

    /// Counts how the outermost text is built.
    pub(crate) fn count_shape(&mut self, list: &List) {
        let shape = self.shape();
        for item in &list.items {
            shape.background |= item.background;
            for (_, pipeline) in &item.pipelines {
                shape.commands += 1;
                shape.pipes += u32::try_from(pipeline.commands.len().saturating_sub(1)).unwrap_or(u32::MAX);
                for command in &pipeline.commands {
                    shape.redirects += u32::try_from(command.redirects.len()).unwrap_or(u32::MAX);
                    shape.compound |= !matches!(command.kind, crate::ast::CommandKind::Simple { .. });
                }
            }
        }
    }

    /// Runs code that stands at `span` of the text that was handed in.
    pub(crate) fn code_at(
        &mut self,
        lang: Lang,
        text: &Value,
        scope: &mut Scope,
        invocation: usize,
        span: Span,
    ) -> Value {
        scope.origin = self.origin(text, span);
        self.code(lang, text, scope, invocation)
    }

    /// Code that stands in quotes in the text itself keeps its own positions.
    fn origin(&self, text: &Value, span: Span) -> Origin {
        let inner = span.start as usize + 1..(span.end as usize).saturating_sub(1);
        match (text.known(), self.text.get(inner)) {
            (Some(known), Some(written)) if known == written => Origin::Shifted(span.start + 1),
            _ => Origin::Within(span),
        }
    }

    /// Runs code; what it prints comes back.
    pub(crate) fn code(&mut self, lang: Lang, text: &Value, scope: &mut Scope, invocation: usize) -> Value {
        if text.ways() > 1 {
            return self.code_of_each(lang, text, scope, invocation);
        }
        let span = scope.origin.map(Span::new(0, u32::try_from(text.shown().len()).unwrap_or(0)));
        if is_unknown(text) {
            return self.unknown_code(lang, text, scope, invocation, span);
        }
        if self.is_undecided(text) {
            let shown = text.shown();
            self.push_gap(Gap { position: Position::Code, reason: Reason::Runtime, shown, span });
        }
        self.telling_code(lang, text, scope, invocation, span);
        if lang != Lang::Shell && types_for_somebody(text) {
            let target = Target::Named("terminal", lang.name().to_owned());
            let (flags, data) = (Flags::NONE, Provenance::NONE);
            self.effect(scope, Event { verb: Verb::Send, target, flags, data, by: "code", invocation, span });
        }
        if !self.descend() {
            return Value::default();
        }
        let output = if lang == Lang::Shell {
            self.net_holes(text, scope, invocation, span);
            let inner = Scope { frame: Frame::default(), disabled: Rc::default(), ..scope.clone() };
            let outcomes = self.apart(|machine| machine.shell_outcomes(text, inner));
            for way in &outcomes {
                self.run_bound(&way.scope);
            }
            picked(&outcomes).0
        } else {
            self.suppose_mistaken(lang, text, scope, invocation, span);
            self.foreign(lang, text, scope, invocation, span)
        };
        self.ascend();
        output
    }

    /// Whether code holds what a file may hold or not, according to the way that the text takes.
    fn is_undecided(&self, text: &Value) -> bool {
        text.pieces.iter().any(|piece| match piece {
            Piece::Hole(hole) => hole.file.as_deref().is_some_and(|path| self.files.is_unsettled(path)),
            Piece::Glob(_) | Piece::Literal(_) => false,
        })
    }

    /// Records that code runs whose origin says something by itself.
    fn telling_code(&mut self, lang: Lang, text: &Value, scope: &Scope, invocation: usize, span: Span) {
        if text.provenance.any(TELLING) {
            let target = Target::Code(lang, text.known().map(std::borrow::Cow::into_owned));
            self.executed(scope, target, text.provenance, invocation, span);
        }
    }

    /// The same, for text in which substitutions run.
    pub(super) fn decoded_code(&mut self, text: &Value, scope: &Scope) {
        let span = scope.origin.map(Span::new(0, 0));
        self.telling_code(Lang::Shell, text, scope, scope.within.unwrap_or_default(), span);
    }

    /// Runs shell code in this shell: what it sets stays set.
    pub(crate) fn shell_outcomes(&mut self, text: &Value, mut scope: Scope) -> Vec<Outcome> {
        let (code, holes) = with_stand_ins(text, |name| format!("${{{name}}}"));
        for (name, hole) in holes {
            scope.set(&name, hole);
        }
        let list = self.read_shell(&code, &scope);
        self.list(&list, scope)
    }

    /// A function that a shell takes over from its environment.
    pub(crate) fn import(&mut self, name: &str, value: &Value, scope: &mut Scope) {
        let list = self.read_shell(&format!("{name} {}", value.shown()), scope);
        let pipelines = list.items.into_iter().flat_map(|item| item.pipelines);
        for command in pipelines.flat_map(|(_, line)| line.commands) {
            if let crate::ast::CommandKind::Function { name, body } = command.kind {
                Rc::make_mut(&mut scope.functions).insert(Rc::from(name.as_str()), body);
            }
        }
    }

    fn foreign(&mut self, lang: Lang, text: &Value, scope: &Scope, invocation: usize, span: Span) -> Value {
        let (code, holes) = with_stand_ins(text, str::to_owned);
        let holes = holes.into_iter().map(|(_, hole)| hole).collect();
        // A makefile is not read token by token, and scripts are paid for by their tokens: their readers take what they cost.
        let bytes = if lang == Lang::Make || scripts::is_scanned(lang) { 0 } else { code.len() };
        let units = u32::try_from(bytes / FOREIGN_PER_UNIT).unwrap_or(u32::MAX);
        let may = if lang == Lang::Python { self.step(units) } else { self.spend(units) };
        if !may {
            return Value::default();
        }
        let known = self.out.gaps.len();
        let mut step = Step {
            machine: self,
            scope: scope.clone(),
            invocation,
            by: Rc::from(lang.name()),
            span,
            flags: Flags::NONE,
            inputs: Vec::new(),
            printed: None,
            ran: false,
            holes,
            pace: if lang == Lang::Python { Pace::Steps } else { Pace::Units },
            heard: scripts::lexical::Heard::default(),
        };
        step.scope.within = Some(invocation);
        if lang == Lang::Python {
            python::read(&code, &mut step);
        } else {
            scripts::read(lang, &code, &mut step);
        }
        step.mind_silence(lang, &code);
        let taint = step.taint();
        let output =
            step.printed.take().unwrap_or_else(|| Value::unknown("output", taint | Provenance::OUTSIDE));
        let is_open = |gap: &Gap| matches!(gap.position, Position::Code | Position::Unfollowed);
        if self.out.gaps.iter().skip(known).any(is_open) {
            let starter = super::suppose::Starter { name: lang.name(), invocation, span };
            // That the code was not followed is said already: looking at its words must not be what the rest is not read for.
            let leaves = self.net_leaves.max(self.fuel.left() / 2);
            let before = std::mem::replace(&mut self.net_leaves, leaves);
            self.net(starter, std::iter::once(&Value::literal(code)), scope);
            self.net_leaves = before;
        }
        output
    }

    fn unknown_code(
        &mut self,
        lang: Lang,
        text: &Value,
        scope: &mut Scope,
        invocation: usize,
        span: Span,
    ) -> Value {
        let output = Value::unknown("output", text.provenance | Provenance::OUTSIDE);
        if text.provenance.any(TELLING) {
            self.executed(scope, Target::Code(lang, None), text.provenance, invocation, span);
            // That it is a secret says who may see it, and nothing of what it does. A dump of a database is there to be read back.
            let speaks =
                text.provenance.any(Provenance::NETWORK | Provenance::DECODED) || text.shown() == DUMP;
            if !speaks {
                self.push_gap(Gap {
                    position: Position::Code,
                    reason: Reason::Runtime,
                    shown: text.shown(),
                    span,
                });
            }
        } else if let Some(files) = text.files() {
            let run = |file| self.file_code(lang, file, scope, invocation, span);
            return files.iter().map(|file| &**file).map(run).last().unwrap_or(output);
        } else {
            self.push_gap(Gap {
                position: Position::Code,
                reason: Reason::Runtime,
                shown: text.shown(),
                span,
            });
        }
        output
    }

    fn executed(&mut self, scope: &Scope, target: Target, data: Provenance, invocation: usize, span: Span) {
        let event =
            Event { verb: Verb::Execute, target, flags: Flags::INLINE, data, by: "code", invocation, span };
        self.effect(scope, event);
    }

    /// Runs a file of code.
    pub(crate) fn script(
        &mut self,
        lang: Lang,
        path: &Value,
        arguments: &[Value],
        scope: &mut Scope,
        invocation: usize,
        span: Span,
    ) -> Value {
        scope.positional = Some(Rc::new(arguments.to_vec()));
        if let Some(code) = path.known().and_then(|address| super::address::content(&address)) {
            let code = Value::literal(code).from(path.provenance | Provenance::DECODED);
            return self.code_at(lang, &code, scope, invocation, span);
        }
        if let Some(text) = self.given(path, scope) {
            scope.stdin = None;
            return self.code_at(lang, &text, scope, invocation, span);
        }
        let target = self.target(path, scope);
        if target.extent != Extent::Exact {
            let caller = Caller { invocation, span };
            if let Some(output) = self.scripts_matched(lang, path, arguments, scope, caller) {
                return output;
            }
            if path.provenance.any(TELLING | Provenance::OUTSIDE) {
                self.push_gap(Gap {
                    position: Position::Code,
                    reason: Reason::Runtime,
                    shown: path.shown(),
                    span,
                });
            } else {
                self.note(NoteKind::AbsentScript, &path.shown(), span);
            }
            return Value::unknown("output", Provenance::OUTSIDE);
        }
        // Sourcing a project's own settings is what they are for.
        if target.places.any(Places::CREDENTIAL) && !target.places.any(Places::PROJECT_ENV) {
            let actor = Actor { by: lang.name(), invocation, span };
            let _ = self.read_file(path, Flags::NONE, scope, actor);
        }
        // A directory runs by the file in it that is the start.
        let start = if lang == Lang::JavaScript { "index.js" } else { "__main__.py" };
        let inside = format!("{}/{start}", target.path.trim_end_matches('/'));
        let content = self.files.content(&target.path).or_else(|| self.files.content(&inside));
        if let Some(content) = content.cloned() {
            let lang = language_of(&content, lang);
            return self.written_script(lang, &target.path, &content, scope, invocation, span);
        }
        self.file_code(lang, &target.path, scope, invocation, span)
    }

    /// Runs a file that the text wrote.
    fn written_script(
        &mut self,
        lang: Lang,
        path: &str,
        content: &Value,
        scope: &mut Scope,
        invocation: usize,
        span: Span,
    ) -> Value {
        if lang != Lang::Shell {
            return self.code_at(lang, content, scope, invocation, span);
        }
        scope.set("0", Value::literal(path));
        let run =
            |machine: &mut Self, scope: &mut Scope| machine.code_at(lang, content, scope, invocation, span);
        if let Some(output) = self.once_underway(path, Some(content), scope, run) {
            output
        } else {
            self.run_anew(path, scope);
            Value::unknown(format!("output of {path}"), Provenance::OUTSIDE)
        }
    }

    /// Runs a file that the world may show.
    fn file_code(
        &mut self,
        lang: Lang,
        path: &str,
        scope: &mut Scope,
        invocation: usize,
        span: Span,
    ) -> Value {
        match self.observe(path) {
            Script::Text(text) => {
                let content = Value::literal(text);
                scope.origin = Origin::Within(span);
                let lang = language_of(&content, lang);
                let run =
                    |machine: &mut Self, scope: &mut Scope| machine.code(lang, &content, scope, invocation);
                if let Some(output) = self.once_underway(path, None, scope, run) {
                    return output;
                }
            }
            Script::Hidden => {
                self.push_gap(Gap {
                    position: Position::Code,
                    reason: Reason::Unreadable,
                    shown: path.to_owned(),
                    span,
                });
            }
            Script::Absent | Script::Binary => {
                self.note(NoteKind::AbsentScript, path, span);
                self.suppose_script(path, scope, invocation, span);
            }
        }
        Value::unknown(format!("output of {path}"), Provenance::OUTSIDE)
    }

    /// Runs a file by its name: its first line says what reads it.
    pub(crate) fn run_file(
        &mut self,
        path: &str,
        arguments: &[Value],
        scope: Scope,
        invocation: usize,
        span: Span,
    ) -> Vec<Outcome> {
        let mut inner = scope.clone();
        inner.within = Some(invocation);
        let output = self.script(Lang::Shell, &Value::literal(path), arguments, &mut inner, invocation, span);
        vec![Outcome { scope, output, status: Status::Either, leaves: None }]
    }
}

/// The language that a script's first line names.
pub(super) fn language_of(content: &Value, otherwise: Lang) -> Lang {
    let prefix = content.known_prefix();
    let Some(line) = prefix.strip_prefix("#!").and_then(|rest| rest.lines().next()) else { return otherwise };
    let interpreter = line
        .split_whitespace()
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| *word != "env" && !word.starts_with('-'));
    let Some(name) = interpreter else { return otherwise };
    let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    match plain {
        "python" | "pypy" => Lang::Python,
        "perl" => Lang::Perl,
        "ruby" => Lang::Ruby,
        "node" | "deno" | "bun" => Lang::JavaScript,
        "php" => Lang::Php,
        "lua" | "luajit" => Lang::Lua,
        "awk" | "gawk" | "mawk" => Lang::Awk,
        "tclsh" | "expect" | "wish" => Lang::Tcl,
        "make" => Lang::Make,
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" => Lang::Shell,
        _ => otherwise,
    }
}

/// Whether nothing of a text is known. Of one without holes everything is: a blank one does nothing.
fn is_unknown(text: &Value) -> bool {
    text.has_hole()
        && text.pieces.iter().all(|piece| match piece {
            Piece::Hole(_) => true,
            Piece::Literal(text) => is_path_mark(text),
            Piece::Glob(_) => false,
        })
}

/// Blanks, dots and slashes: they say that a name of a file is meant, but not which.
pub(crate) fn is_path_mark(text: &str) -> bool {
    text.chars().all(|letter| letter.is_whitespace() || letter == '.' || letter == '/')
}

/// The code with stand-ins, and what they stand for.
pub(super) fn with_stand_ins(text: &Value, write: impl Fn(&str) -> String) -> (String, Vec<(String, Value)>) {
    let (mut code, mut holes) = (String::new(), Vec::new());
    for piece in &text.pieces {
        match piece {
            Piece::Literal(text) | Piece::Glob(text) => code.push_str(text),
            Piece::Hole(_) => {
                let name = format!("{STAND_IN}{}", holes.len());
                code.push_str(&write(&name));
                holes.push((name, Value { pieces: vec![piece.clone()], provenance: text.provenance }));
            }
        }
    }
    (code, holes)
}

/// Puts what stand-ins stand for back into a value.
pub(crate) fn restored(value: &Value, holes: &[Value]) -> Value {
    let mut whole = Value { pieces: Vec::new(), provenance: value.provenance };
    for piece in &value.pieces {
        match piece {
            Piece::Literal(text) if text.contains(STAND_IN) => restore_text(text, holes, &mut whole),
            Piece::Literal(text) => whole.push_str(text),
            Piece::Glob(_) | Piece::Hole(_) => whole.pieces.push(piece.clone()),
        }
    }
    whole
}

fn restore_text(text: &str, holes: &[Value], whole: &mut Value) {
    for (index, part) in text.split(STAND_IN).enumerate() {
        if index == 0 {
            whole.push_str(part);
            continue;
        }
        let digits = part.len() - part.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let (number, rest) = part.split_at(digits);
        match number.parse::<usize>().ok().and_then(|number| holes.get(number)) {
            Some(hole) => whole.push(hole),
            None => whole.push_str(number),
        }
        whole.push_str(rest);
    }
}
