//! Files of code that run themselves.
//!
//! A makefile makes its other targets through `$(MAKE)`, a script starts itself anew. A file that runs again the same way
//! does what it does anyway, and need not be followed.

use std::rc::Rc;

use super::machine::Machine;
use super::scope::Scope;
use crate::effect::Realm;
use crate::value::Value;

/// A file of code that is being run, and all that its run depends on.
#[derive(Debug, PartialEq)]
pub(super) struct Underway {
    path: String,
    /// What it holds, where the text wrote it: it may write something else there before it runs again.
    content: Option<Value>,
    arguments: Option<Rc<Vec<Value>>>,
    directory: Option<Rc<str>>,
    exported: Vec<(Rc<str>, Value)>,
    stdin: Option<Rc<Value>>,
    realm: Realm,
    privileged: bool,
}

impl Underway {
    fn new(path: &str, content: Option<&Value>, scope: &Scope) -> Self {
        let mut exported: Vec<_> =
            scope.exported().map(|(name, value)| (Rc::clone(name), value.clone())).collect();
        exported.sort_by(|one, other| one.0.cmp(&other.0));
        Self {
            path: path.to_owned(),
            content: content.cloned(),
            arguments: scope.positional.clone(),
            directory: scope.directory.clone(),
            exported,
            stdin: scope.stdin.clone(),
            realm: scope.realm.clone(),
            privileged: scope.privileged,
        }
    }
}

impl Machine<'_> {
    /// Runs a file of code, unless it runs in the same way already.
    pub(super) fn once_underway(
        &mut self,
        path: &str,
        content: Option<&Value>,
        scope: &mut Scope,
        run: impl FnOnce(&mut Self, &mut Scope) -> Value,
    ) -> Option<Value> {
        let own = Underway::new(path, content, scope);
        self.spend(u32::try_from(own.exported.len()).unwrap_or(u32::MAX));
        if self.underway.contains(&own) {
            return None;
        }
        self.underway.push(own);
        let output = run(self, scope);
        self.underway.pop();
        Some(output)
    }
}
