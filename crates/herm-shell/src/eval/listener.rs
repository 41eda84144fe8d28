//! `>( … )`: commands that wait for what is written to a file.

use std::rc::Rc;

use super::files::SUBSTITUTIONS;
use super::machine::Machine;
use super::scope::Scope;
use crate::ast::List;
use crate::value::Value;

/// Commands that wait for what is written to a file.
#[derive(Debug)]
pub(crate) struct Listener {
    path: String,
    list: Rc<List>,
    scope: Scope,
}

impl Machine<'_> {
    /// Remembers who reads what is written to a path.
    pub(crate) fn listen(&mut self, path: &str, list: &List, scope: &Scope) {
        let (list, scope) = (Rc::new(list.clone()), scope.clone());
        self.listeners.push(Listener { path: path.to_owned(), list, scope });
    }

    /// Hands what is written to a path to the commands that read it.
    pub(crate) fn deliver(&mut self, path: &str, content: &Value) {
        if !path.starts_with(SUBSTITUTIONS) || !self.spend(1) {
            return;
        }
        let Some(listener) = self.listeners.iter().rfind(|listener| listener.path == path) else { return };
        let (list, mut scope) = (Rc::clone(&listener.list), listener.scope.clone());
        scope.stdin = Some(Rc::new(content.clone()));
        let stream = scope.stream;
        let printed = super::ways::picked(&self.list(&list, scope)).0;
        self.streams.put(stream, printed);
    }
}
