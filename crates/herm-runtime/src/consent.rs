//! Hears everyone who may object, then everyone who may answer.

use std::time::SystemTime;

use herm::approval::Answer;
use herm::call::{Action, Call};
use herm::decision::{Question, Ruling};
use herm::policy::Mode;
use herm::rules::consult::{AGENT_ASKS, UNSEEN_EDIT};
use herm::trial::shows;
use herm::{AbsPath, Decision, Finding, Permit, Stance, rules};
use herm_sandbox::native::Workspace;
use herm_sandbox::process::Cancel;
use herm_store::Digest;

use crate::asked::{Asked, Trying};
use crate::books::Memory;
use crate::consult::reviewer::{Dotenv, Opinion, Reviewer};
use crate::consult::tirith::Tirith;
use crate::consult::{Place, boundary, edits};
use crate::identity;
use crate::people::Heard;
use crate::perform::Hands;
use crate::record::Consent;
use crate::reply::{Refused, Why};
use crate::runtime::{Judged, Runtime};

impl Runtime<'_> {
    /// Hears everyone who may object, then everyone who may answer.
    pub(crate) fn consult(
        &mut self,
        call: &Call,
        judged: Judged,
        hands: &Hands<'_>,
        cancel: &Cancel,
    ) -> Result<(Permit, Consent), Box<Refused>> {
        let Judged { ruling, digest } = judged;
        let memory = self.books.memory(&call.session.0);
        let memory = memory.map_err(|error| Box::new(Refused::forgetful(digest, &error)))?;
        let ruling = self.objections(call, ruling, (digest, hands), &memory, cancel);
        let mut consent = Consent::new(digest, ruling.findings);
        let question = match ruling.decision {
            Decision::Allow(permit) => return Ok((permit, consent)),
            Decision::Deny(refusal) => return Err(Box::new(Refused { why: Why::Denied(refusal), consent })),
            Decision::Ask(question) => question,
        };
        let now = SystemTime::now();
        let action = digest.to_string();
        let covering = |finding: &Finding| {
            // What nobody has seen was not part of any earlier answer.
            if finding.rule == UNSEEN_EDIT.name {
                return None;
            }
            memory.grants.iter().find(|grant| grant.covers(finding, call, &ruling.facts, &action, now))
        };
        let asked = question.findings.iter().filter(|finding| !self.is_agreed(digest, finding));
        let used: Vec<_> = asked.filter_map(covering).map(|grant| grant.id.clone()).collect();
        consent.grants.clone_from(&used);
        let is_answered = |finding: &Finding| self.is_agreed(digest, finding) || covering(finding).is_some();
        let (permit, consent) = match question.without(is_answered) {
            Decision::Allow(permit) => (permit, consent),
            Decision::Ask(question) => self.answer(call, question, consent, hands)?,
            Decision::Deny(refusal) => return Err(Box::new(Refused { why: Why::Denied(refusal), consent })),
        };
        // A grant that covers only a part is used all the same.
        if self.books.spend(&call.session.0, &used) {
            return Ok((permit, consent));
        }
        Err(Box::new(Refused { why: Why::Spent, consent }))
    }

    /// Whether it was minded, and allowed all the same, when a hook released exactly this.
    fn is_agreed(&self, digest: Digest, finding: &Finding) -> bool {
        let is_same = |(rule, reason): &(String, String)| finding.rule == rule && finding.reason == *reason;
        let agreed = self.agreed.as_ref().filter(|agreed| agreed.digest == digest);
        agreed.is_some_and(|agreed| agreed.findings.iter().any(is_same))
    }

    /// What was denied before, what hooks say, what tirith says. What is refused already is not shown to anybody.
    pub(crate) fn objections(
        &mut self,
        call: &Call,
        ruling: Ruling,
        (digest, hands): (Digest, &Hands<'_>),
        memory: &Memory,
        cancel: &Cancel,
    ) -> Ruling {
        let action = digest.to_string();
        let said: Vec<_> =
            memory.denials.iter().flat_map(|denial| denial.objections(&ruling.facts, &action)).collect();
        let ruling = ruling.tighten(said);
        if matches!(ruling.decision, Decision::Deny(_)) {
            return ruling;
        }
        let ruling = match hands {
            // It is done where it is: what no command could do there is asked about.
            Hands::Files(files) => ruling.tighten(edits::beyond(&self.setup, call, files)),
            Hands::Others => ruling,
            Hands::Fresh | Hands::Shell(_) => ruling.tighten(boundary::objections(&self.setup)),
        };
        if matches!(ruling.decision, Decision::Deny(_)) {
            return ruling;
        }
        let ruling = ruling.tighten(edits::objections(&self.setup.policy, call));
        let place = Place::new(&self.setup);
        let mut said = self.hear_hooks(call, &place, cancel);
        if let Some(tirith) = Tirith::new(self.engine.policy(), &place) {
            said.extend(tirith.scan(call, cancel));
        }
        let ruling = ruling.tighten(said).tighten(self.besides.anyway.clone());
        match &ruling.decision {
            Decision::Allow(_) if !is_listed(&ruling.findings) => {
                ruling.tighten(self.besides.otherwise.iter().cloned().collect())
            }
            Decision::Allow(_) | Decision::Ask(_) | Decision::Deny(_) => ruling,
        }
    }

    /// Asks the model, where there is one, then people. Nothing but a yes makes a permit.
    fn answer(
        &mut self,
        call: &Call,
        question: Question,
        mut consent: Consent,
        hands: &Hands<'_>,
    ) -> Result<(Permit, Consent), Box<Refused>> {
        let digest = consent.digest.to_string();
        let mut asked =
            Asked::new(&identity::fresh(), call, &digest, &question.findings, &|text| self.redact(text));
        let minded = question.findings.iter().map(|finding| (finding.rule, finding.reason.as_str()));
        let shown = bound(consent.digest, minded);
        asked.digest = shown.to_string();
        if self.can_try(call, &question, hands) {
            asked.trying = Trying::Offered;
        }
        let late = self.books.late_answer(&call.session.0, shown);
        // A try that was possible then may not be possible now.
        let heard = match late.filter(|(answer, _)| asked.objection(*answer).is_none()) {
            Some((answer, by)) => Heard::Answer { answer, by },
            None => match self.review(call, &question, &mut consent) {
                Some((answer, by)) => Heard::Answer { answer, by },
                None => self.people.ask(&asked, self.engine.policy().timeout),
            },
        };
        let (answer, by) = match heard {
            Heard::Answer { answer, by } => match asked.objection(answer) {
                None => (answer, by),
                Some(why) => {
                    return Err(Box::new(Refused { why: Why::Nobody(why.to_owned(), question), consent }));
                }
            },
            Heard::Nobody(why) => return Err(Box::new(Refused { why: Why::Nobody(why, question), consent })),
            Heard::Silence => return Err(Box::new(Refused { why: Why::Silence(question), consent })),
        };
        consent.answer = Some((answer, by));
        let is_model = consent.opinion.as_ref().is_some_and(|opinion| opinion.answer().is_some());
        // What a model says holds for this call alone: a no that lasts is for people to say.
        if !is_model {
            // What cannot be kept is asked again.
            let kept = self.books.keep(answer, &asked);
            consent.notes.extend(kept.err().map(|error| error.to_string()));
        }
        match question.settle(answer) {
            Decision::Allow(permit) => Ok((permit, consent)),
            Decision::Deny(refusal) if is_model => {
                Err(Box::new(Refused { why: Why::Opposed(refusal), consent }))
            }
            Decision::Deny(refusal) => Err(Box::new(Refused { why: Why::Answered(refusal), consent })),
            Decision::Ask(question) => Err(Box::new(Refused { why: Why::Silence(question), consent })),
        }
    }

    /// Whether a try is one of the answers: where it can be done, and would show what is asked about.
    fn can_try(&self, call: &Call, question: &Question, hands: &Hands<'_>) -> bool {
        let is_new = matches!(hands, Hands::Fresh) && self.setup.keeping.is_none();
        let root = |workspace: Workspace| AbsPath::new(workspace.root.to_str()?).ok();
        is_new
            && matches!(call.action, Action::Exec(_))
            && self
                .setup
                .workspace_around()
                .ok()
                .and_then(root)
                .is_some_and(|root| shows(&question.findings, &root))
            && self.setup.can_try()
    }

    /// What the model says, if it may say anything. Whatever keeps it from being heard leaves the question to people.
    fn review(&self, call: &Call, question: &Question, consent: &mut Consent) -> Option<(Answer, String)> {
        let policy = self.engine.policy();
        // What a person is to see, or is asked by the agent, no model answers.
        let is_for_people = |finding: &Finding| [AGENT_ASKS.name, UNSEEN_EDIT.name].contains(&finding.rule);
        if policy.mode != Mode::Smart || question.findings.iter().any(is_for_people) {
            return None;
        }
        let dotenv = Dotenv::read(&self.secrets);
        let reviewer = match Reviewer::new(&policy.auxiliary, &dotenv) {
            Ok(reviewer) => reviewer,
            Err(unusable) => {
                consent.notes.push(format!("no model was asked: {unusable}"));
                return None;
            }
        };
        let opinion = reviewer.review(question, call, &|text| self.redact(text));
        let answer = opinion.answer().map(|answer| (answer, by_model(&opinion)));
        consent.opinion = Some(opinion);
        answer
    }
}

/// Whether somebody has allowed for ever what would be asked about: then they need not be asked by the agent either.
fn is_listed(findings: &[Finding]) -> bool {
    let is_asked =
        |finding: &Finding| rules::find(finding.rule).is_some_and(|rule| rule.stance == Stance::Ask);
    findings.iter().any(|finding| finding.stance == Stance::Note && !finding.gap && is_asked(finding))
}

/// What was judged together with what was minded: a yes covers no objection that came later.
pub(crate) fn bound<'a>(digest: Digest, minded: impl Iterator<Item = (&'a str, &'a str)>) -> Digest {
    let minded: Vec<_> = minded.map(|(rule, reason)| format!("{rule}\0{reason}")).collect();
    Digest::of(format!("{digest}\0{}", minded.join("\0")).as_bytes())
}

fn by_model(opinion: &Opinion) -> String {
    format!("model {} in {} ms", opinion.model, opinion.latency.as_millis())
}
