//! What came of judging.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;

use herm::approval::{Breadth, Scope};
use herm::call::Call;
use herm::{Decision, Finding, Ruling, Stance};
use herm_adapters::{Agent, Event};

use crate::incoming;

/// What came of judging.
#[derive(Debug, Default)]
pub struct Tally {
    /// The files that were looked at.
    pub files: usize,
    /// What each agent did.
    pub agents: BTreeMap<&'static str, Did>,
    /// Actions that nobody would have been asked about.
    pub allowed: usize,
    /// Actions that somebody would have been asked about.
    pub asked: usize,
    /// Of those, the ones that an earlier yes for the session would have covered.
    pub repeated: usize,
    /// Actions that would have been refused.
    pub denied: usize,
    /// How many of them each rule has a part in, with how it stands to them.
    pub rules: BTreeMap<&'static str, (Stance, usize)>,
    /// What was stopped, as far as it is kept.
    pub stopped: Vec<Stopped>,
    /// Tools that touch nothing outside their agent.
    pub idle: usize,
    /// Calls that a hook could not have understood, and would have refused.
    pub malformed: usize,
    /// Lines that are no JSON.
    pub broken: usize,
    /// Lines that are too long to be read.
    pub long: usize,
    /// Why nothing could be judged in some directories: everything there would have been refused.
    pub unjudged: BTreeSet<String>,
    /// Files that could not be read, and why.
    pub unread: Vec<(PathBuf, String)>,
    /// What a yes for the session has covered so far.
    covered: HashSet<(String, String)>,
}

/// What an agent did.
#[derive(Clone, Debug, Default)]
pub struct Did {
    /// Its conversations.
    pub sessions: BTreeSet<String>,
    /// What it did in them.
    pub actions: usize,
}

/// Something that would have been asked about or refused.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// Who did it.
    pub agent: Agent,
    /// In which conversation.
    pub session: String,
    /// When, as the agent wrote it.
    pub at: Option<String>,
    /// Where.
    pub cwd: String,
    /// With which tool.
    pub tool: String,
    /// The command, the file or the link.
    pub text: String,
    /// How strict: asked about, or refused.
    pub stance: Stance,
    /// What stood in the way.
    pub findings: Vec<Finding>,
    /// What an entry of the allow-list for each would be, where there can be one.
    pub entries: Vec<Option<String>>,
}

/// An entry of the allow-list, and what it would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The entry.
    pub entry: String,
    /// How many questions it would have spared, together with those before it.
    pub spared: usize,
}

/// So much is kept of what was stopped.
const MOST: usize = 20_000;

impl Tally {
    /// Everything that was judged.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.allowed + self.asked + self.denied
    }

    /// Questions for a hundred actions: all of them, and those that remain if each is answered for its session.
    #[must_use]
    pub fn questions_per_hundred(&self) -> (f64, f64) {
        let share = |part: usize| {
            let (part, whole) =
                (u32::try_from(part).unwrap_or(u32::MAX), u32::try_from(self.actions()).unwrap_or(u32::MAX));
            if whole == 0 { 0.0 } else { f64::from(part) * 100.0 / f64::from(whole) }
        };
        (share(self.asked), share(self.asked.saturating_sub(self.repeated)))
    }

    /// Counts an action by the strictest of what it comes to.
    pub(super) fn add(
        &mut self,
        agent: Agent,
        event: &Event,
        at: Option<String>,
        rulings: &[(Result<Ruling, String>, Call)],
    ) {
        let session = incoming::session(agent, event).0;
        let did = self.agents.entry(agent.word()).or_default();
        did.actions += 1;
        did.sessions.insert(session.clone());
        self.unjudged.extend(rulings.iter().filter_map(|(ruling, _)| ruling.as_ref().err().cloned()));
        let mut stopped: Vec<_> =
            rulings.iter().filter_map(|(ruling, call)| standing(ruling, call)).collect();
        let Some(strictest) = stopped.iter().map(|(stance, ..)| *stance).max() else {
            self.allowed += 1;
            return;
        };
        stopped.retain(|(stance, ..)| *stance == strictest);
        let findings: Vec<_> = stopped
            .iter()
            .flat_map(|(_, findings, call)| findings.iter().map(move |one| (one, *call)))
            .collect();
        self.minded(strictest, findings.iter().map(|(finding, _)| finding.rule).collect());
        if strictest == Stance::Ask {
            self.repeated += usize::from(self.is_covered(&session, &findings));
        }
        let Some((_, _, call)) = stopped.first().filter(|_| self.stopped.len() < MOST) else { return };
        let one = Stopped {
            agent,
            session,
            at,
            cwd: call.cwd.as_str().to_owned(),
            tool: event.tool.clone(),
            text: call.action.text().to_owned(),
            stance: strictest,
            entries: findings.iter().map(|(finding, call)| entry(finding, call)).collect(),
            findings: findings.into_iter().map(|(finding, _)| finding.clone()).collect(),
        };
        self.stopped.push(one);
    }

    /// Counts an action that was judged before. The same one again is what a yes for the session covers.
    pub(crate) fn count(&mut self, agent: Agent, digest: &str, stance: Option<Stance>, stopped: Stopped) {
        let did = self.agents.entry(agent.word()).or_default();
        did.actions += 1;
        did.sessions.insert(stopped.session.clone());
        let Some(stance) = stance else {
            self.allowed += 1;
            return;
        };
        self.minded(stance, stopped.findings.iter().map(|finding| finding.rule).collect());
        if stance == Stance::Ask && !self.covered.insert((stopped.session.clone(), digest.to_owned())) {
            self.repeated += 1;
        }
        if self.stopped.len() < MOST {
            self.stopped.push(stopped);
        }
    }

    /// Counts what stood in the way of an action.
    fn minded(&mut self, stance: Stance, rules: BTreeSet<&'static str>) {
        for rule in rules {
            let (_, count) = self.rules.entry(rule).or_insert((stance, 0));
            *count += 1;
        }
        match stance {
            Stance::Deny => self.denied += 1,
            Stance::Ask | Stance::Note => self.asked += 1,
        }
    }

    /// Whether everything that is asked was answered before in this session, if every answer was for the session.
    fn is_covered(&mut self, session: &str, findings: &[(&Finding, &Call)]) -> bool {
        let scopes: Vec<_> = findings
            .iter()
            .map(|(finding, call)| {
                let scope = Scope::of(finding, Breadth::Session, call, call.action.text());
                (session.to_owned(), format!("{scope:?}"))
            })
            .collect();
        let is_covered = scopes.iter().all(|scope| self.covered.contains(scope));
        self.covered.extend(scopes);
        is_covered
    }

    /// Entries of the allow-list that would spare the most questions, each as narrow as what *always* writes.
    #[must_use]
    pub fn suggestions(&self, most: usize) -> Vec<Suggestion> {
        let asked: Vec<BTreeSet<&str>> = self
            .stopped
            .iter()
            .filter(|one| one.stance == Stance::Ask)
            .filter_map(|one| one.entries.iter().map(Option::as_deref).collect())
            .collect();
        let mut chosen: BTreeSet<&str> = BTreeSet::new();
        let mut suggestions = Vec::new();
        while suggestions.len() < most {
            let mut spared: BTreeMap<&str, usize> = BTreeMap::new();
            for needed in &asked {
                let mut missing = needed.iter().filter(|entry| !chosen.contains(*entry));
                if let (Some(only), None) = (missing.next(), missing.next()) {
                    *spared.entry(*only).or_default() += 1;
                }
            }
            // Of several that spare as many, the first by name, so that the answer is always the same.
            let Some((entry, count)) = spared.into_iter().rev().max_by_key(|(_, count)| *count) else {
                break;
            };
            chosen.insert(entry);
            suggestions.push(Suggestion { entry: entry.to_owned(), spared: count });
        }
        suggestions
    }
}

/// How strictly a call is stopped, and by what; nothing if it is not. Where nothing can be judged, everything is refused.
fn standing<'a>(
    ruling: &'a Result<Ruling, String>,
    call: &'a Call,
) -> Option<(Stance, &'a [Finding], &'a Call)> {
    match ruling.as_ref().map(|ruling| &ruling.decision) {
        Ok(Decision::Allow(_)) => None,
        Ok(Decision::Ask(question)) => Some((Stance::Ask, &question.findings, call)),
        Ok(Decision::Deny(refusal)) => Some((Stance::Deny, &refusal.findings, call)),
        Err(_) => Some((Stance::Deny, &[], call)),
    }
}

fn entry(finding: &Finding, call: &Call) -> Option<String> {
    match Scope::of(finding, Breadth::Always, call, call.action.text()) {
        Scope::Entry(entry) => Some(entry),
        Scope::Exact { .. } => None,
    }
}
