//! Programs that a script starts.

use super::{Tcl, Word};
use crate::effect::{Flags, Verb};
use crate::scripts::words;
use crate::value::{Provenance, Value};

impl Tcl<'_> {
    /// `exec a b | c > file`; also `spawn`.
    pub(super) fn exec(&mut self, arguments: &[Word]) -> Value {
        let mut argv: Vec<Value> = Vec::new();
        let mut output = Value::default();
        let mut rest = arguments.iter().skip_while(|word| word.known().starts_with('-')).peekable();
        while let Some(word) = rest.next() {
            let text = word.known();
            match text.as_str() {
                "|" | "|&" => output = self.program(&std::mem::take(&mut argv), &output),
                "&" => {}
                ">" | ">>" | "2>" | ">&" | "<" => {
                    let path = rest.next().map(|word| word.value.clone()).unwrap_or_default();
                    self.redirected(&text, &path);
                }
                _ if text.starts_with(['>', '<']) || text.starts_with("2>") => {
                    let mark = text.trim_end_matches(|c| !matches!(c, '>' | '<' | '&'));
                    let path = text.get(mark.len()..).unwrap_or_default();
                    if !path.starts_with('@') && !path.is_empty() {
                        self.redirected(mark, &Value::literal(path));
                    }
                }
                _ => argv.push(word.value.clone()),
            }
        }
        self.program(&argv, &output)
    }

    fn redirected(&mut self, mark: &str, path: &Value) {
        match mark {
            "<" => {
                self.sink.read(path);
            }
            ">>" => self.sink.path(Verb::Write, path, Flags::APPEND),
            _ => self.sink.path(Verb::Write, path, Flags::TRUNCATE),
        }
    }

    fn program(&mut self, argv: &[Value], stdin: &Value) -> Value {
        if argv.is_empty() {
            return Value::default();
        }
        let shown: Vec<String> = argv.iter().map(Value::shown).collect();
        let received = argv.iter().any(|word| word.has_hole() && word.provenance.has(Provenance::NETWORK));
        if words::waits(&shown) || (received && self.wiring.has_socket()) {
            self.wiring.shell(self.sink);
        }
        self.sink.run(argv, stdin)
    }
}
