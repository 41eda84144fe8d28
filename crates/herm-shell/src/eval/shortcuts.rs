//! Commands under names that settings of a program give: `git config alias.st '!git status'`, `git -c alias.st=status st`.
//!
//! Such a name is called as a function is, so that one which starts itself is found out in the same way.

use std::rc::Rc;

use super::machine::Machine;
use super::step::Step;
use crate::ast::{Command, CommandKind};
use crate::programs::arguments::Argument;
use crate::sink::Sink;
use crate::value::Value;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) struct Shortcut {
    body: Rc<Command>,
    /// Whether a process of its own runs it.
    forks: bool,
}

impl Machine<'_> {
    fn shortcut(&mut self, text: &str, forks: bool, scope: &super::scope::Scope) -> Option<Shortcut> {
        let list = self.read_shell(&format!("shortcut () {{\n{text} \"$@\"\n}}"), scope);
        let commands =
            list.items.into_iter().flat_map(|item| item.pipelines).flat_map(|(_, line)| line.commands);
        let mut bodies = commands.filter_map(|command| {
            if let CommandKind::Function { body, .. } = command.kind { Some(body) } else { None }
        });
        bodies.next().map(|body| Shortcut { body, forks })
    }
}

impl Step<'_, '_> {
    /// Gives a name to a command line of a shell, or takes it away.
    pub(super) fn name_shortcut(&mut self, name: &str, text: Option<&str>, forks: bool) {
        let shortcut = text.and_then(|text| self.machine.shortcut(text, forks, &self.scope));
        match shortcut {
            Some(shortcut) => self.machine.shortcuts.insert(name.to_owned(), shortcut),
            None => self.machine.shortcuts.remove(name),
        };
    }

    /// Runs what a name was given to.
    pub(super) fn follow_shortcut(&mut self, name: &str, arguments: &[Value]) -> bool {
        let Some(Shortcut { body, forks }) = self.machine.shortcuts.get(name).cloned() else { return false };
        if !self.machine.spend(2) || !self.machine.descend() {
            return true;
        }
        let words = [Value::literal(name)].into_iter().chain(arguments.iter().cloned());
        let argv: Vec<Argument> = words.map(|value| Argument { value, span: self.span }).collect();
        let mut scope = self.scope.clone();
        scope.within = Some(self.invocation);
        self.machine.forks += u32::from(forks);
        let outcomes = self.machine.call_function(name, &body, &argv, scope);
        self.machine.forks -= u32::from(forks);
        self.machine.ascend();
        self.print(super::ways::picked(&outcomes).0);
        true
    }
}
