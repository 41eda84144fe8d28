//! herm's own files, wherever it keeps them: the tables of places know the usual directory only.

use herm_shell::place::{Extent, resolve};
use herm_shell::{PathTarget, Places, Realm, Target, Value, Verb};

use crate::facts::Facts;
use crate::path::AbsPath;
use crate::policy::glob::Glob;
use crate::regenerable::is_name_of_tools;

/// Says of every path that is one of herm's own that it is.
pub(crate) fn mark(facts: &mut Facts, homes: &[AbsPath]) {
    let supposed = facts.shell.supposed.iter_mut().flat_map(|supposition| &mut supposition.effects);
    for effect in facts.shell.effects.iter_mut().chain(supposed) {
        let is_elsewhere = matches!(effect.realm, Realm::Remote(_));
        if let Target::Path(path) = &mut effect.target
            && !is_elsewhere
        {
            add(path, effect.verb, homes);
        }
    }
    for operand in &mut facts.operands {
        add(&mut operand.path, Verb::Execute, homes);
    }
}

fn add(path: &mut PathTarget, verb: Verb, homes: &[AbsPath]) {
    for home in homes {
        path.places |= places(path, verb, home);
    }
}

/// What a path is because of where herm keeps its files. Who takes a directory away takes what is in it.
fn places(path: &PathTarget, verb: Verb, home: &AbsPath) -> Places {
    let (parts, home) = (spelled(path), split(home.as_str()));
    let is_pattern = path.extent == Extent::Pattern;
    let may_be = |(part, name): (&&str, &&str)| part == name || is_pattern && is_like(part, name);
    // A search for what only tools make finds nothing of herm's.
    if is_pattern && parts.last().is_some_and(|name| is_name_of_tools(name)) {
        return Places::NONE;
    }
    if home.is_empty() || path.extent == Extent::Unknown || !parts.iter().zip(&home).all(may_be) {
        return Places::NONE;
    }
    match parts.get(home.len()..) {
        Some(rest) => as_usual(&rest.join("/")),
        None if verb == Verb::Delete && takes_all(path) => Places::GUARD | Places::OWN,
        None => Places::NONE,
    }
}

fn is_like(part: &str, name: &str) -> bool {
    // An extended pattern is taken for any: it is a `*` with exceptions.
    part.contains('(') || part.contains(PATTERN) && Glob::path(part).matches(name)
}

/// The root and homes have rules of their own; what is not known is a gap.
fn takes_all(path: &PathTarget) -> bool {
    path.extent != Extent::Prefix && !path.places.any(Places::ROOT | Places::SYSTEM_DIR | Places::HOME)
}

/// What the tables say of the same file in the usual directory; or in that of Hermes, which may be the same one.
fn as_usual(rest: &str) -> Places {
    let at = |name: &str| {
        let path = format!("{SOMEBODY}/{name}/{rest}");
        resolve(&Value::literal(path.trim_end_matches('/')), None, SOMEBODY).places
    };
    let (ours, theirs) = (at(".herm"), at(".hermes"));
    let secret = if (ours | theirs).has(Places::CREDENTIAL) { Places::CREDENTIAL } else { Places::NONE };
    let is_guarded = ours.has(Places::GUARD) && theirs.has(Places::GUARD);
    if is_guarded || secret != Places::NONE { secret | Places::GUARD | Places::OWN } else { Places::NONE }
}

const SOMEBODY: &str = "/home/somebody";

/// The names on the way, patterns as they are written.
fn spelled(path: &PathTarget) -> Vec<&str> {
    let mut parts = split(&path.path);
    if path.extent == Extent::Pattern {
        let patterns: Vec<&str> =
            split(&path.shown).into_iter().skip_while(|part| !part.contains(PATTERN)).collect();
        // What is known of the first one stands in the path already.
        if patterns.first().is_some_and(|first| !first.starts_with(PATTERN)) {
            parts.pop();
        }
        parts.extend(patterns);
    }
    parts
}

fn split(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

/// What a pattern has in it and a plain name hardly ever.
const PATTERN: [char; 4] = ['*', '?', '[', '('];

#[cfg(test)]
mod tests {
    use herm_shell::world::Blind;

    use super::*;
    use crate::approval::tests::call;
    use crate::call::{Action, Call};
    use crate::edit::{Change, Edit};
    use crate::finding::Finding;
    use crate::{Decision, Engine, Policy, Stance};

    fn engine(home: &str) -> Engine {
        Engine::new(Policy { own: vec![AbsPath::new(home).unwrap()], ..Policy::default() })
    }

    fn minded(action: &Call, home: &str) -> Vec<Finding> {
        let findings = engine(home).check(action, &Blind).findings;
        findings.into_iter().filter(|finding| finding.stance != Stance::Note).collect()
    }

    #[test]
    fn what_herm_keeps_elsewhere_is_as_protected_as_in_the_usual_place() {
        for command in [
            "echo x > /srv/keep/config.yaml",
            "rm /srv/keep/ledger/key",
            "rm /srv/k?ep/ledger/key",
            "rm /srv/*p/ledger/ledger.jsonl",
            "cd /srv; rm [k]eep/ledger/key",
            "cd /srv && echo x >> keep/.env",
            "mv /srv/keep /srv/old",
            "ln -sf /tmp/x /srv/keep/config.yaml",
        ] {
            let found = minded(&call(command), "/srv/keep");
            assert!(found.iter().any(|finding| finding.rule == "protected-write"), "{command}: {found:?}");
            let elsewhere = minded(&call(command), "/srv/other");
            assert!(
                elsewhere.iter().all(|finding| finding.rule != "protected-write"),
                "{command}: {elsewhere:?}"
            );
        }
        let found = minded(&call("cat /srv/keep/ledger/key"), "/srv/keep");
        assert!(found.iter().any(|finding| finding.rule == "credential-read"), "{found:?}");
        let found = minded(&call("frobnicate /srv/keep/ledger"), "/srv/keep");
        assert!(found.iter().any(|finding| finding.rule == "sensitive-operand"), "{found:?}");
    }

    #[test]
    fn search_for_what_tools_make_finds_nothing_of_it() {
        for command in ["find /srv -name '*.pyc' -delete", "find /srv -name __pycache__ -exec rm -rf {} +"] {
            let found = minded(&call(command), "/srv/keep");
            assert!(found.iter().all(|finding| finding.stance == Stance::Ask), "{command}: {found:?}");
        }
        for command in
            ["find /srv -name '*.db' -delete", "find /srv -name '*.y*' -delete", "find /srv -delete"]
        {
            let found = minded(&call(command), "/srv/keep");
            assert!(found.iter().any(|finding| finding.stance == Stance::Deny), "{command}: {found:?}");
        }
    }

    #[test]
    fn what_lies_beside_it_is_nobodys_guard() {
        for command in
            ["cat /srv/keep/config.yaml", "echo x > /srv/keeper/x", "touch /srv/x", "ls /srv/keep", "ls /srv"]
        {
            let found = minded(&call(command), "/srv/keep");
            assert!(found.iter().all(|finding| finding.rule != "protected-write"), "{command}: {found:?}");
        }
    }

    #[test]
    fn files_that_are_changed_without_a_command_are_too() {
        let change =
            Change { path: "/srv/keep/ledger/key".to_owned(), before: Some(Vec::new()), after: None };
        let edit = Action::Edit(Edit::new(vec![change], "delete /srv/keep/ledger/key".to_owned()));
        let write = Action::Write("/srv/keep/config.yaml".to_owned());
        for action in [edit, write] {
            let call = Call { action, ..call("") };
            let ruling = engine("/srv/keep").check(&call, &Blind);
            assert!(matches!(ruling.decision, Decision::Deny(_)), "{:?}", ruling.findings);
        }
    }
}
