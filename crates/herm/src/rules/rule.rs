//! What a rule is.

use herm_scan::Detection;
use herm_shell::analysis::{Note, Use};
use herm_shell::{Effect, Flags, Gap, Realm, Span};

use crate::facts::Facts;
use crate::finding::{Finding, Stance};

/// A rule: what it minds, why, and how it finds it.
///
/// Its name reads after "allow": `recursive-delete`, `force-push`.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// Its description in a prompt: `recursive delete`.
    pub title: &'static str,
    /// Which part of the judgement it belongs to.
    pub layer: Layer,
    /// How it usually stands to what it finds.
    pub stance: Stance,
    /// What it finds, in a sentence.
    pub finds: &'static str,
    /// Why it matters, in a sentence.
    pub matters: &'static str,
    /// What to do instead, in a sentence.
    pub instead: &'static str,
    /// A safer command that is itself allowed; empty where there is none.
    pub suggestion: &'static str,
    /// Commands that it must find.
    pub examples: &'static [&'static str],
    /// Commands that look alike and that it must not find.
    pub near_misses: &'static [&'static str],
    /// How it finds it.
    pub judge: fn(&Facts, &mut Report<'_>),
}

/// The parts of the judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// What nobody may approve.
    Floor,
    /// Paths that may not be read or written.
    Files,
    /// What commands do.
    Command,
    /// Hosts and URLs.
    Network,
    /// What the text itself contains.
    Content,
    /// What could not be known.
    Gaps,
    /// What the strict preset minds on top.
    Strict,
    /// What the user's own configuration says.
    User,
    /// What those say who are consulted afterwards.
    Consult,
}

/// Where a rule puts its findings.
#[derive(Debug)]
pub struct Report<'a> {
    rule: &'static Rule,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Report<'a> {
    /// A report for one rule.
    pub fn new(rule: &'static Rule, findings: &'a mut Vec<Finding>) -> Self {
        Self { rule, findings }
    }

    /// The rule minds this effect. The reason is a fragment: "deletes `build` and everything below it".
    pub fn effect(&mut self, effect: &Effect, reason: impl Into<String>) {
        self.effect_as(self.rule.stance, effect, reason);
    }

    /// The rule minds this effect more or less than usual.
    ///
    /// What only happens if disguised characters are what they look like asks at most: as written it does not happen.
    pub fn effect_as(&mut self, stance: Stance, effect: &Effect, reason: impl Into<String>) {
        let stance = if effect.flags.has(Flags::DISGUISED) { stance.min(Stance::Ask) } else { stance };
        let mut reason = reason.into();
        if let Realm::Remote(host) = &effect.realm {
            reason = format!("{reason}, on `{host}`");
        }
        self.push(Finding {
            subject: Some(effect.clone()),
            invocation: Some(effect.invocation),
            span: Some(effect.span),
            ..self.finding(stance, reason)
        });
    }

    /// The rule minds that this could not be known.
    pub fn gap(&mut self, stance: Stance, gap: &Gap, reason: impl Into<String>) {
        self.push(Finding { gap: true, span: Some(gap.span), ..self.finding(stance, reason) });
    }

    /// The rule has a remark to make.
    pub fn note(&mut self, note: &Note, reason: impl Into<String>) {
        self.push(Finding { span: Some(note.span), ..self.finding(self.rule.stance, reason) });
    }

    /// The rule minds that a script makes use of this.
    pub fn used(&mut self, found: &Use, reason: impl Into<String>) {
        self.push(Finding { span: Some(found.span), ..self.finding(self.rule.stance, reason) });
    }

    /// The rule minds what stands here in the text.
    pub fn text(&mut self, detection: &Detection, reason: impl Into<String>) {
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Some(Span::new(place(detection.start), place(detection.end)));
        self.push(Finding { span, ..self.finding(self.rule.stance, reason) });
    }

    /// The rule minds that this program runs, whatever it does.
    pub fn invocation(&mut self, facts: &Facts, invocation: usize, reason: impl Into<String>) {
        let span = facts.shell.invocations.get(invocation).map(|run| run.span);
        self.push(Finding { invocation: Some(invocation), span, ..self.finding(self.rule.stance, reason) });
    }

    /// The rule minds the call as a whole, more or less than usual.
    pub fn call_as(&mut self, stance: Stance, reason: impl Into<String>) {
        self.push(self.finding(stance, reason));
    }

    /// The rule minds the call as a whole.
    pub fn call(&mut self, reason: impl Into<String>) {
        self.push(self.finding(self.rule.stance, reason));
    }

    fn finding(&self, stance: Stance, reason: impl Into<String>) -> Finding {
        Finding {
            rule: self.rule.name,
            stance,
            gap: false,
            subject: None,
            invocation: None,
            span: None,
            reason: reason.into(),
            instead: (!self.rule.instead.is_empty()).then(|| self.rule.instead.to_owned()),
        }
    }

    fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}
