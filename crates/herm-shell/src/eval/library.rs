//! Libraries that a program is told to load: what they hold runs as part of it.

use super::machine::{Event, Machine};
use super::scope::Scope;
use crate::effect::{Flags, Target, Verb};
use crate::place::Extent;
use crate::span::Span;
use crate::value::{Provenance, Value};

/// Variables whose value is a list of libraries that every program loads.
const PRELOADED: &[&str] = &["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"];
/// Variables whose value is a list of directories in which libraries are looked for first.
const SEARCHED: &[&str] = &["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"];
/// Where code comes from that nobody has looked at.
const FOREIGN: Provenance = Provenance::NETWORK.and(Provenance::DECODED);

impl Machine<'_> {
    /// Records that a library is loaded.
    pub(crate) fn loaded(&mut self, path: &Value, scope: &Scope, by: &str, invocation: usize, span: Span) {
        let target = self.target(path, scope);
        let content = self.files.content(&target.path);
        let data = content.map_or(Provenance::NONE, |content| content.provenance) | path.provenance;
        let event = Event {
            verb: Verb::Execute,
            target: Target::Path(target),
            flags: Flags::HOOK,
            data,
            by,
            invocation,
            span,
        };
        self.effect(scope, event);
    }

    /// Records the libraries that the environment has a program load, as far as the text itself brought them.
    pub(crate) fn preloaded(&mut self, scope: &Scope, by: &str, invocation: usize, span: Span) {
        let exported = |name: &&&str| scope.variables.get(**name).is_some_and(|variable| variable.exported);
        for name in PRELOADED.iter().filter(exported) {
            for library in listed(scope, name, &[':', ' ']) {
                let path = self.target(&library, scope).path;
                if self.files.content(&path).is_some_and(|content| content.provenance.any(FOREIGN)) {
                    self.loaded(&library, scope, by, invocation, span);
                }
            }
        }
        for name in SEARCHED.iter().filter(exported) {
            for directory in listed(scope, name, &[':', ';']) {
                let target = self.target(&directory, scope);
                let foreign = self.files.below(&target.path, |content| content.provenance.any(FOREIGN));
                if let Some(path) = foreign.filter(|_| target.extent == Extent::Exact) {
                    self.loaded(&Value::literal(path), scope, by, invocation, span);
                }
            }
        }
    }
}

/// The entries of a list in a variable.
fn listed(scope: &Scope, name: &str, separators: &[char]) -> Vec<Value> {
    let list = scope.scalar(name).map(Value::known_prefix).unwrap_or_default();
    let entries = list.split(separators).filter(|entry| !entry.is_empty()).take(16);
    entries.map(Value::literal).collect()
}
