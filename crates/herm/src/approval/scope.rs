//! How much a yes covers.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, Realm, Target};

use super::deed::verb_word;
use crate::call::Call;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::policy::Entry;

/// How much a yes covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// What an entry of the allow-list covers, as it is written.
    Entry(String),
    /// This rule in exactly this action: the digest of what was judged.
    Exact {
        /// The rule.
        rule: String,
        /// What was judged.
        action: String,
    },
}

/// How far a yes is meant to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// The same program: in a workspace on what lies beside what was asked about, and otherwise on that alone.
    Always,
    /// What was asked about, by whatever program.
    Session,
}

impl Scope {
    /// What a yes to a finding covers. What could not be known, or cannot be described, is covered as it stands only.
    #[must_use]
    pub fn of(finding: &Finding, breadth: Breadth, call: &Call, action: &str) -> Self {
        let exact = || Self::Exact { rule: finding.rule.to_owned(), action: action.to_owned() };
        described(finding, breadth, call).map_or_else(exact, Self::Entry)
    }

    /// Whether it covers a finding of an action that has this digest.
    #[must_use]
    pub fn covers(&self, finding: &Finding, call: &Call, facts: &Facts, action: &str) -> bool {
        match self {
            Self::Entry(written) => {
                !finding.gap && Entry::new(written).is_ok_and(|entry| entry.covers(finding, call, facts))
            }
            Self::Exact { rule, action: same } => finding.rule == rule && same == action,
        }
    }
}

/// An entry that covers a finding and as little else as the breadth permits.
fn described(finding: &Finding, breadth: Breadth, call: &Call) -> Option<String> {
    let effect = finding.subject.as_ref().filter(|_| !finding.gap)?;
    let rights = if effect.privileged { "other" } else { "own" };
    let mut words = vec![
        format!("rule:{}", finding.rule),
        format!("effect:{}", verb_word(effect.verb)),
        format!("realm:{}", realm(&effect.realm)?),
        format!("rights:{rights}"),
        target(effect, breadth, call)?,
    ];
    if effect.flags.has(Flags::RECURSIVE) {
        words.push("flag:recursive".to_owned());
    }
    if breadth == Breadth::Always {
        words.push(format!("program:{}", plain(&effect.by)?));
    }
    Some(words.join(" "))
}

fn realm(realm: &Realm) -> Option<&'static str> {
    match realm {
        Realm::Here => Some("here"),
        // Which container, which host: an entry cannot say.
        Realm::Container { .. } | Realm::Remote(_) => None,
    }
}

fn target(effect: &Effect, breadth: Breadth, call: &Call) -> Option<String> {
    match &effect.target {
        Target::Host(host) => Some(format!("host:{}", plain(host.host.as_deref()?)?)),
        Target::Named(kind, name) => {
            Some(format!("kind:{} name:{}", plain(&kind.replace(' ', "-"))?, plain(name)?))
        }
        Target::Path(path) => {
            // A yes to `rm -rf build` is none to `rm -rf src`, and still less to `rm -rf .git`.
            let inside = is_workspace(call)
                && !effect.flags.has(Flags::RECURSIVE)
                && call.cwd.holds(&path.path)
                && path.path != call.cwd.as_str()
                && !path.path.split('/').any(|name| name == ".git");
            match (breadth, path.extent) {
                (Breadth::Always, Extent::Exact) if inside => {
                    Some(format!("path:{}/*", plain(path.path.rsplit_once('/')?.0)?))
                }
                (Breadth::Always | Breadth::Session, Extent::Exact) => {
                    Some(format!("path:{}", plain(&path.path)?))
                }
                (Breadth::Always | Breadth::Session, Extent::Children) => {
                    Some(format!("path:{}/**", plain(path.path.trim_end_matches('/'))?))
                }
                (_, Extent::Pattern | Extent::Prefix | Extent::Unknown) => None,
            }
        }
        Target::Code(..) | Target::Environment | Target::None | Target::Process(_) => None,
    }
}

/// Whether the working directory is one of many, so that "here" says something: not the home, nor a directory at the top.
fn is_workspace(call: &Call) -> bool {
    let deep = call.cwd.as_str().matches('/').count() > 1;
    deep && call.cwd != call.principal.home && call.cwd.as_str() != "/var/tmp"
}

/// A word that stands for itself in an entry.
fn plain(word: &str) -> Option<&str> {
    let special = |c: char| c.is_whitespace() || c.is_control() || "*?[]~".contains(c);
    (!word.is_empty() && !word.contains(special)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approval::tests::{call, ruling};

    fn scope(command: &str, breadth: Breadth) -> Scope {
        let ruling = ruling(command);
        Scope::of(&ruling.findings[0], breadth, &call(command), "digest")
    }

    fn covers(scope: &Scope, command: &str) -> bool {
        let ruling = ruling(command);
        let asked = ruling.findings.iter().filter(|finding| finding.stance == crate::Stance::Ask);
        asked.into_iter().all(|finding| scope.covers(finding, &call(command), &ruling.facts, "another"))
    }

    #[test]
    fn a_yes_for_the_session_covers_the_same_effect_and_no_other() {
        let yes = scope("rm -rf build", Breadth::Session);
        assert!(covers(&yes, "rm -rf build") && covers(&yes, "bash -c 'rm -r ./build'"));
        for other in [
            "rm -rf dist",
            "rm -rf build dist",
            "sudo rm -rf build",
            "ssh h rm -rf build",
            "rm -rf build; git push -f",
        ] {
            assert!(!covers(&yes, other), "{other}");
        }
    }

    #[test]
    fn a_yes_for_ever_covers_the_program_in_that_directory_of_the_workspace() {
        let yes = scope("chmod 777 bin/run.sh", Breadth::Always);
        assert!(covers(&yes, "chmod 777 bin/run.sh") && covers(&yes, "chmod a+w bin/other.sh"));
        for other in [
            "chmod 777 run.sh",
            "chmod 777 bin/more/run.sh",
            "chmod -R 777 bin/more",
            "chmod 777 ../other",
            "sudo chmod 777 bin/run.sh",
        ] {
            assert!(!covers(&yes, other), "{other}");
        }
    }

    #[test]
    fn a_yes_for_ever_to_a_whole_directory_covers_that_directory() {
        let yes = scope("rm -rf build", Breadth::Always);
        assert!(covers(&yes, "rm -rf build") && covers(&yes, "bash -c 'rm -r ./build/'"));
        for other in [
            "rm -rf dist",
            "rm -rf .git",
            "rm -rf *",
            "rm -rf .",
            "find build -delete",
            "sudo rm -rf build",
            "rm -rf ../other",
        ] {
            assert!(!covers(&yes, other), "{other}");
        }
    }

    #[test]
    fn what_cannot_be_described_is_covered_as_it_stands() {
        let yes = scope("$unknown_program_text x | sh", Breadth::Session);
        assert!(matches!(&yes, Scope::Exact { action, .. } if action == "digest"), "{yes:?}");
        let ruling = ruling("$unknown_program_text x | sh");
        let finding = &ruling.findings[0];
        assert!(yes.covers(finding, &call("x"), &ruling.facts, "digest"));
        assert!(!yes.covers(finding, &call("x"), &ruling.facts, "another"));
    }
}
