//! Rules of a repository that are changed so that secrets are no longer left out: `!.env` in `.gitignore`, the line `.env` deleted there. A pattern counts as the names of secrets that it matches.

use super::machine::{Event, Machine};
use super::paths::Actor;
use super::scope::Scope;
use crate::effect::{Flags, Target, Verb};
use crate::pattern::Pattern;
use crate::place::Places;
use crate::value::{Provenance, Value};

impl Machine<'_> {
    /// Looks at what is written to the rules of a repository.
    pub(super) fn mind_rules(&mut self, path: &str, content: &Value, scope: &Scope, actor: Actor<'_>) {
        if !is_rules(path) {
            return;
        }
        let text = content.known_prefix();
        let rules: Vec<&str> = text.lines().map(str::trim).collect();
        for name in rules.iter().filter_map(|line| line.strip_prefix('!')).flat_map(matched) {
            if !is_covered_again(&rules, &name) {
                self.uncover(&name, scope, actor);
            }
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
            for name in names.filter(|name| name.len() > 2).flat_map(matched) {
                self.uncover(&name, scope, actor);
            }
        }
    }

    /// A name that nothing leaves out any more is as good as added.
    fn uncover(&mut self, name: &str, scope: &Scope, actor: Actor<'_>) {
        let path = self.target(&Value::literal(name), scope);
        if !path.places.any(Places::CREDENTIAL.and(Places::PROJECT_ENV)) {
            return;
        }
        let flags = Flags::METADATA | Flags::TRACKED | Flags::FORCE;
        let (verb, target, data) = (Verb::Read, Target::Path(path), Provenance::NONE);
        let Actor { by, invocation, span } = actor;
        self.effect(scope, Event { verb, target, flags, data, by, invocation, span });
    }
}

/// Names under which secrets lie in a repository. A pattern of a rule counts as those of them that it matches.
const SECRETS: &[&str] = &[
    ".env",
    ".env.local",
    ".env.production",
    ".envrc",
    ".netrc",
    "credentials.json",
    "id_ed25519",
    "id_rsa",
    "prod.env",
    "secrets.yaml",
    "secrets.yml",
    "server.key",
    "server.pem",
];

/// The names that a rule stands for: itself, or those of secrets that its pattern matches.
fn matched(rule: &str) -> Vec<String> {
    let rule = rule.trim_start_matches('/');
    let (directory, last) = rule.rsplit_once('/').map_or(("", rule), |(directory, last)| (directory, last));
    let is_pattern = |text: &str| text.contains(['*', '?', '[']);
    if !is_pattern(rule) {
        return vec![rule.to_owned()];
    }
    // All of a directory is meant for what lies there by its kind, and a pattern that ends in `/` matches none but directories.
    if !directory.is_empty() && last.trim_matches('*').is_empty() {
        return Vec::new();
    }
    let pattern = Pattern::new(last);
    let names = SECRETS.iter().filter(|name| pattern.matches(name)).map(|name| (*name).to_owned());
    let names = names.chain([last.replace('*', "x")]);
    let directory = directory.replace(['*', '?', '['], "x");
    names.map(|name| if directory.is_empty() { name } else { format!("{directory}/{name}") }).collect()
}

/// Whether a rule that comes later leaves a name out again.
fn is_covered_again(rules: &[&str], name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    let fits = |rule: &str| {
        let rule = rule.trim_start_matches('/');
        rule == name || !rule.contains('/') && Pattern::new(rule).matches(last)
    };
    let deciding = rules.iter().rfind(|rule| fits(rule.strip_prefix('!').unwrap_or(rule)));
    deciding.is_some_and(|rule| !rule.starts_with('!'))
}

fn is_rules(path: &str) -> bool {
    path.ends_with("/.gitignore") || path.ends_with("/.git/info/exclude")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_the_secrets_that_it_matches() {
        for rule in [".env*", ".e*", "*.env", "id_*", "/.env.?ocal", "*.[pk]e[my]", "config/.env*", "*"] {
            assert!(
                matched(rule).iter().any(|name| SECRETS.contains(&name.trim_start_matches("config/"))),
                "{rule}"
            );
        }
        for rule in ["*.md", "src/**", "dist/*", "*/", "*.rs"] {
            assert!(!matched(rule).iter().any(|name| SECRETS.contains(&name.as_str())), "{rule}");
        }
    }

    #[test]
    fn the_last_rule_that_fits_a_name_decides() {
        assert!(is_covered_again(&["!.env*", ".env"], ".env"));
        assert!(!is_covered_again(&[".env", "!.env*"], ".env"));
        assert!(!is_covered_again(&["!.env*", "dist"], ".env"));
    }
}
