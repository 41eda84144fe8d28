//! The `file` command.

use super::{Tcl, Word, run_together};
use crate::effect::{Flags, Verb};
use crate::value::Value;

impl Tcl<'_> {
    /// What `file` does to files; the path that `file join` makes comes back.
    pub(super) fn file(&mut self, arguments: &[Word]) -> Value {
        let Some((sub, rest)) = arguments.split_first() else { return Value::default() };
        let operands: Vec<&Word> = rest.iter().filter(|word| !word.known().starts_with('-')).collect();
        let last = operands.last().map(|word| word.value.clone()).unwrap_or_default();
        match sub.known().as_str() {
            "delete" => {
                let forced = rest.iter().any(|word| word.known() == "-force");
                let flags = if forced { Flags::RECURSIVE | Flags::FORCE } else { Flags::NONE };
                for path in &operands {
                    self.sink.path(Verb::Delete, &path.value, flags);
                }
            }
            "rename" => {
                for path in operands.iter().rev().skip(1) {
                    self.sink.path(Verb::Delete, &path.value, Flags::MOVE);
                }
                self.sink.path(Verb::Write, &last, Flags::TRUNCATE);
            }
            "copy" => {
                for path in operands.iter().rev().skip(1) {
                    self.sink.read(&path.value);
                }
                self.sink.path(Verb::Write, &last, Flags::TRUNCATE);
            }
            "attributes" if rest.iter().any(|word| word.known() == "-permissions") => {
                if let Some(path) = operands.first() {
                    self.sink.path(Verb::ChangeMode, &path.value, Flags::NONE);
                }
            }
            "link" => {
                if let Some(path) = operands.first() {
                    self.sink.link(&path.value, &last, Flags::NONE);
                }
            }
            "join" => return run_together(operands, "/"),
            _ => {}
        }
        Value::default()
    }
}
