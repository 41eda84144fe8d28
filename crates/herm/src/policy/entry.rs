//! One entry of `approvals.deny`, `approvals.ask` or `command_allowlist`.

use herm_shell::{Effect, Flags, Verb};

use super::error::Problem;
use super::matcher::{Lean, Matcher};
use super::titles;
use super::words::Words;
use crate::call::{Action, Call};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::rules::RULES;
use crate::rules::content::ENVIRONMENT_HIJACK;

/// One entry of `approvals.deny`, `approvals.ask` or `command_allowlist`.
///
/// It is the name or title of a rule, a description of Hermes, a matcher over effects ([`super::matcher`]) or a
/// pattern over commands ([`super::words`]), tried in that order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    written: String,
    means: Means,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Means {
    Command(Words),
    Effects(Vec<Matcher>),
    /// What only Hermes asks about.
    Elsewhere,
    Rule(&'static str),
}

impl Entry {
    /// Reads an entry.
    ///
    /// # Errors
    /// When it is empty, or a matcher with an unknown key or value.
    pub fn new(written: &str) -> Result<Self, Problem> {
        Ok(Self { written: written.to_owned(), means: Means::new(written.trim())? })
    }

    /// Reads an entry of the allow-list. Hermes keeps there, too, what was said to the findings of its scanner: that covers nothing here.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn allowing(written: &str) -> Result<Self, Problem> {
        if HERMES_KEYS.iter().any(|key| written.trim().starts_with(key)) {
            return Ok(Self { written: written.to_owned(), means: Means::Elsewhere });
        }
        Self::new(written)
    }

    /// Whether it is a pattern over commands, and neither names a rule nor an effect.
    #[must_use]
    pub fn is_pattern(&self) -> bool {
        matches!(self.means, Means::Command(_))
    }

    /// Whether it covers only what Hermes itself asks about.
    #[must_use]
    pub fn is_for_hermes(&self) -> bool {
        self.means == Means::Elsewhere
    }

    /// How it is written.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The first effect that it means as a rule that tightens.
    pub(crate) fn effect<'a>(&self, call: &Call, facts: &'a Facts) -> Option<&'a Effect> {
        let Means::Effects(matchers) = &self.means else { return None };
        let home = call.principal.home.as_str();
        let means = |effect: &Effect| {
            matchers.iter().any(|m| !m.names_rules() && m.effect(effect, home, Lean::Tighten))
        };
        facts.effects().find(|effect| means(effect))
    }

    /// The first invocation that it means as a rule that tightens, inside containers and on other machines too.
    pub(crate) fn invocation(&self, facts: &Facts) -> Option<usize> {
        facts.shell.invocations.iter().position(|run| match &self.means {
            Means::Command(words) => words.concern(run),
            Means::Effects(matchers) => {
                matchers.iter().filter_map(Matcher::only_program).any(|program| program.matches(&run.program))
            }
            Means::Elsewhere | Means::Rule(_) => false,
        })
    }

    /// Whether it means the whole text as a rule that tightens.
    pub(crate) fn text(&self, call: &Call) -> bool {
        match (&self.means, &call.action) {
            (Means::Command(words), Action::Exec(exec)) => words.match_text(&exec.text),
            (Means::Command(_) | Means::Effects(_) | Means::Elsewhere | Means::Rule(_), _) => false,
        }
    }

    /// Whether it names the rule of a finding, as an entry that tightens.
    pub(crate) fn names(&self, finding: &Finding, call: &Call) -> bool {
        let home = call.principal.home.as_str();
        match &self.means {
            Means::Command(_) | Means::Elsewhere => false,
            Means::Effects(matchers) => {
                matchers.iter().any(|m| m.names_rules() && m.finding(finding, home, Lean::Tighten))
            }
            Means::Rule(name) => finding.rule == *name,
        }
    }

    /// Whether it covers a finding, as an entry of the allow-list: never more than the effect or the invocation that
    /// the finding is about, so that nothing can ride along.
    pub(crate) fn covers(&self, finding: &Finding, call: &Call, facts: &Facts) -> bool {
        let home = call.principal.home.as_str();
        let run = finding.invocation.and_then(|at| facts.shell.invocations.get(at));
        match &self.means {
            Means::Command(words) => {
                (words.is_literal() || !brings_more(finding)) && run.is_some_and(|run| words.cover(run))
            }
            Means::Effects(matchers) => matchers.iter().any(|m| m.finding(finding, home, Lean::Loosen)),
            Means::Elsewhere => false,
            Means::Rule(name) => finding.rule == *name,
        }
    }
}

/// How the names begin under which Hermes keeps what was said to its scanner and its plugins.
const HERMES_KEYS: &[&str] = &["plugin_rule:", "tirith:"];

/// Whether a finding is about what does not belong to the program itself: code that an option or a variable brings.
/// A pattern such as `git *` was not written with that in mind.
fn brings_more(finding: &Finding) -> bool {
    let code = |effect: &Effect| effect.verb == Verb::Execute && effect.flags.has(Flags::HOOK);
    finding.rule == ENVIRONMENT_HIJACK.name || finding.subject.as_ref().is_some_and(code)
}

impl Means {
    fn new(text: &str) -> Result<Self, Problem> {
        if let Some(rule) =
            RULES.iter().find(|rule| rule.name == text || rule.title.eq_ignore_ascii_case(text))
        {
            return Ok(Self::Rule(rule.name));
        }
        if let Some(matchers) = titles::matchers(text) {
            return matchers
                .iter()
                .map(|text| Matcher::new(text))
                .collect::<Result<_, _>>()
                .map(Self::Effects);
        }
        if Matcher::is_written(text) || looks_like_matcher(text) {
            return Matcher::new(text).map(|matcher| Self::Effects(vec![matcher]));
        }
        Words::new(text).map(Self::Command).ok_or(Problem::EmptyEntry)
    }
}

/// A mistyped key must not turn a matcher into a pattern that never matches.
fn looks_like_matcher(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_key = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase());
    first.split_once(':').is_some_and(|(key, value)| is_key(key) && !value.starts_with("//"))
}
