//! Rules of a repository that are changed so that secrets are no longer left out: `!.env` in `.gitignore`, the line `.env` deleted there.

use super::machine::{Event, Machine};
use super::paths::Actor;
use super::scope::Scope;
use crate::effect::{Flags, Target, Verb};
use crate::place::Places;
use crate::value::{Provenance, Value};

impl Machine<'_> {
    /// Looks at what is written to the rules of a repository.
    pub(super) fn mind_rules(&mut self, path: &str, content: &Value, scope: &Scope, actor: Actor<'_>) {
        if !is_rules(path) {
            return;
        }
        let text = content.known_prefix();
        for name in text.lines().filter_map(|line| line.trim().strip_prefix('!')) {
            self.uncover(name, scope, actor);
        }
    }

    /// Looks at the words by which a filter edits the rules of a repository.
    pub(super) fn mind_edited_rules(&mut self, path: &str, words: &[Value], scope: &Scope, actor: Actor<'_>) {
        if !is_rules(path) {
            return;
        }
        for word in words {
            let text = word.known_prefix().replace('\\', "");
            let names = text.split(|mark: char| mark.is_whitespace() || "/^$|#,;".contains(mark));
            for name in names.filter(|name| name.len() > 2) {
                self.uncover(name, scope, actor);
            }
        }
    }

    /// A name that nothing leaves out any more is as good as added.
    fn uncover(&mut self, name: &str, scope: &Scope, actor: Actor<'_>) {
        let path = self.target(&Value::literal(name.trim_start_matches('/').replace('*', "x")), scope);
        if !path.places.any(Places::CREDENTIAL.and(Places::PROJECT_ENV)) {
            return;
        }
        let flags = Flags::METADATA | Flags::TRACKED | Flags::FORCE;
        let (verb, target, data) = (Verb::Read, Target::Path(path), Provenance::NONE);
        let Actor { by, invocation, span } = actor;
        self.effect(scope, Event { verb, target, flags, data, by, invocation, span });
    }
}

fn is_rules(path: &str) -> bool {
    path.ends_with("/.gitignore") || path.ends_with("/.git/info/exclude")
}
