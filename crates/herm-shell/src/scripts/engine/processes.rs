//! Calls that run code or programs, or signal them.

use super::val::LIST_MOST;
use super::{HandleKind, Reader, Val};
use crate::effect::{Flags, ProcessTarget, Target, Verb};
use crate::lang::Lang;
use crate::scripts::words;
use crate::value::{Provenance, Value};

impl Reader<'_> {
    /// The shell runs a text; what it prints comes back.
    pub(in crate::scripts) fn shell(&mut self, text: &Value) -> Val {
        self.watch_shell(&words::blanks(&text.known_prefix()), text);
        Val::value(self.sink.code(Lang::Shell, text))
    }

    pub(super) fn shell_argument(&mut self, arguments: &[Val], index: usize) -> Val {
        match arguments.get(index) {
            Some(Val::List(items)) if !arguments.iter().take(1).any(Val::is_options) => {
                self.argv(&items.as_ref().clone())
            }
            Some(_) | None => {
                let text = self.argument_text(arguments, index);
                self.shell(&text)
            }
        }
    }

    pub(super) fn shell_or_argv(&mut self, arguments: &[Val]) -> Val {
        let operands: Vec<Val> = arguments.iter().filter(|argument| !is_extra(argument)).cloned().collect();
        match operands.as_slice() {
            [] => Val::list(Vec::new()),
            [Val::List(_)] => self.argv(&operands),
            [only] => {
                let text = self.text(only);
                self.shell(&text)
            }
            _ => self.argv(&operands),
        }
    }

    /// A program and its arguments, lists flattened, options of the call left out.
    pub(super) fn argv(&mut self, arguments: &[Val]) -> Val {
        let mut argv = Vec::new();
        for argument in arguments.iter().filter(|argument| !is_extra(argument)) {
            for item in argument.items() {
                argv.push(self.text(&item));
            }
        }
        argv.truncate(LIST_MOST);
        self.run(&argv)
    }

    /// `spawn(program, [arguments], options)`.
    pub(super) fn program(&mut self, arguments: &[Val], program: usize, list: usize) -> Val {
        if through_shell(arguments) {
            let operands: Vec<Val> =
                arguments.iter().filter(|argument| !argument.is_options()).flat_map(Val::items).collect();
            let text = self.joined(&operands, " ");
            return self.shell(&text);
        }
        let mut argv = vec![self.argument_text(arguments, program)];
        match arguments.get(list) {
            Some(items) if !is_extra(items) => {
                let items = items.items();
                argv.extend(items.iter().map(|item| self.text(item)));
            }
            Some(_) | None => {}
        }
        self.restarts_itself(&argv);
        self.run(&argv)
    }

    /// A program that starts itself in a loop that never ends.
    fn restarts_itself(&mut self, argv: &[Value]) {
        let own = |value: &Value| {
            let shown = value.shown();
            shown.contains("__filename")
                || shown.contains("process.argv")
                || shown.contains("process.execPath")
        };
        if self.endless > 0 && argv.iter().any(own) {
            self.fork();
        }
    }

    pub(super) fn run(&mut self, argv: &[Value]) -> Val {
        let words: Vec<String> = argv.iter().map(Value::shown).collect();
        let code = argv.first().cloned().unwrap_or_default();
        self.watch_shell(&words, &code);
        Val::value(self.sink.run(argv, &Value::default()))
    }

    /// A command reads `content`.
    pub(in crate::scripts) fn feed(&mut self, command: &Value, content: &Value) {
        let plain = command
            .known()
            .filter(|text| !text.contains(['|', ';', '&', '<', '>', '$', '`', '"', '\'', '(']));
        match plain {
            Some(text) => {
                let argv: Vec<Value> = text.split_whitespace().map(Value::literal).collect();
                self.sink.run(&argv, content);
            }
            None => {
                self.shell(command);
            }
        }
    }

    pub(super) fn code(&mut self, lang: Lang, arguments: &[Val]) -> Val {
        let text = match arguments.first() {
            None if self.lang() == Lang::Perl => self.topic(),
            // Lua's `load` is handed a function that gives the code.
            Some(Val::Function(function)) if self.lang() == Lang::Lua => {
                let given = self.apply(&std::rc::Rc::clone(function), &[]);
                self.text(&given)
            }
            None | Some(Val::Function(_)) => return Val::list(Vec::new()),
            Some(_) => self.joined(arguments.get(..1).unwrap_or_default(), ""),
        };
        let own = lang == self.lang();
        let returned = text.known().and_then(|code| words::returned_name(&code)).filter(|_| own);
        let output = self.sink.code(lang, &text);
        match returned {
            Some(name) => Val::name(&name),
            None => Val::value(output),
        }
    }

    pub(super) fn script(&mut self, lang: Lang, arguments: &[Val]) -> Val {
        let path = self.argument_text(arguments, 0);
        let start = path.known_prefix();
        if start.starts_with("http://") || start.starts_with("https://") || start.starts_with("data:") {
            let code = self.read_path(&path).plain();
            return Val::value(self.sink.code(lang, &code));
        }
        if start.is_empty() && path.known().is_none() {
            self.unfollowed(&path.shown(), &[]);
        }
        self.sink.script(lang, &path, &[]);
        Val::list(Vec::new())
    }

    /// A command whose streams are a file.
    pub(super) fn pipe(&mut self, arguments: &[Val], command: usize, mode: usize) -> Val {
        let writes = arguments
            .get(mode)
            .and_then(Val::known)
            .is_some_and(|mode| mode.starts_with('w') || mode.contains('+'));
        let list = matches!(arguments.get(command), Some(Val::List(_)));
        if writes && !list {
            let command = self.argument_text(arguments, command);
            return self.handle(HandleKind::PipeTo, command, Value::default());
        }
        let content = if let Some(Val::List(items)) = arguments.get(command) {
            self.argv(&items.as_ref().clone())
        } else {
            let text = self.argument_text(arguments, command);
            self.shell(&text)
        };
        self.handle(HandleKind::Read, Value::default(), content.plain())
    }

    pub(super) fn kill(&mut self, arguments: &[Val], signal: usize, process: usize) -> Val {
        let signal = arguments.get(signal).and_then(Val::known).unwrap_or_default();
        let signal = signal.trim_start_matches("SIG").to_owned();
        let flags = match signal.as_str() {
            "9" | "KILL" => Flags::KILL_SIGNAL,
            "0" | "CONT" | "USR1" | "USR2" | "WINCH" | "CHLD" => Flags::GENTLE,
            _ => Flags::NONE,
        };
        for target in arguments.iter().skip(process).filter(|argument| !is_extra(argument)) {
            let target = match target.number() {
                Some(-1) => ProcessTarget::All,
                Some(number) => ProcessTarget::Number(number),
                None => ProcessTarget::Unknown,
            };
            self.sink.effect(Verb::Kill, Target::Process(target), flags, Provenance::NONE);
        }
        Val::list(Vec::new())
    }

    /// Notes a shell that waits for input, and commands that the other end of a connection gave.
    fn watch_shell(&mut self, words: &[String], code: &Value) {
        let given = self.wiring.has_socket() && code.has_hole() && code.provenance.has(Provenance::NETWORK);
        if given || words::waits(words) {
            self.wiring.shell(self.sink);
        }
    }
}

/// Whether an argument is no operand: options, a function.
fn is_extra(argument: &Val) -> bool {
    argument.is_options() || matches!(argument, Val::Function(_))
}

/// Whether options say that a shell reads the command.
fn through_shell(arguments: &[Val]) -> bool {
    arguments.iter().any(|argument| match argument.keyed(&["shell"]) {
        Some(Val::Name(name, _)) => &*name == "true",
        Some(Val::Text(_) | Val::Number(_)) => true,
        Some(Val::Function(_) | Val::Handle(_) | Val::List(_) | Val::OneOf(_) | Val::Pair(_)) | None => false,
    })
}
