//! Lists, pipelines, branches and loops.

use std::rc::Rc;

use super::approvals::Switches;
use super::machine::{Machine, Pace};
use super::scope::{Outcome, SHELL_OPTIONS, Scope, Status};
use super::ways::picked;
use crate::ast::{Arm, Command, CommandKind, Item, Join, List, Pipeline, Then, Word};
use crate::effect::Certainty;
use crate::pattern::Pattern;
use crate::value::Value;

impl Machine<'_> {
    /// Runs a list; there is one outcome for each way that it can go.
    pub(crate) fn list(&mut self, list: &List, scope: Scope) -> Vec<Outcome> {
        let mut outcomes = vec![Outcome::of(scope, Status::Success)];
        if !self.descend() {
            return outcomes;
        }
        for item in &list.items {
            if !self.spend(1) {
                break;
            }
            outcomes = self.after(outcomes, |machine, scope| machine.item(item, scope));
        }
        self.ascend();
        outcomes
    }

    /// Goes on from each outcome that has not left, keeping what was printed so far.
    pub(super) fn after(
        &mut self,
        outcomes: Vec<Outcome>,
        mut run: impl FnMut(&mut Self, Scope) -> Vec<Outcome>,
    ) -> Vec<Outcome> {
        let mut next = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            if outcome.leaves.is_some() {
                next.push(outcome);
                continue;
            }
            let mut later = run(self, outcome.scope);
            self.prepend(outcome.output, &mut later);
            next.append(&mut later);
        }
        self.merge(next)
    }

    /// Puts what was printed before in front of what is printed later, copying only where the way forks.
    fn prepend(&mut self, output: Value, later: &mut [Outcome]) {
        let Some((last, others)) = later.split_last_mut().filter(|_| !output.pieces.is_empty()) else {
            return;
        };
        for outcome in others {
            if !self.spend_bytes(output.size()) {
                break;
            }
            let tail = std::mem::replace(&mut outcome.output, output.clone());
            outcome.output.push(&tail);
        }
        let tail = std::mem::replace(&mut last.output, output);
        last.output.push(&tail);
    }

    fn item(&mut self, item: &Item, scope: Scope) -> Vec<Outcome> {
        let company = self.accompanied;
        self.accompanied |= item.background;
        let pauses = self.pace.pauses;
        let before = item.background.then(|| scope.clone());
        let certainty = scope.certainty;
        let mut outcomes = vec![Outcome::of(scope, Status::Success)];
        for (join, pipeline) in &item.pipelines {
            // A chain may be as long as the text: what is not read any more is not gone through either.
            if self.spent {
                break;
            }
            outcomes = self.after_status(outcomes, *join, pipeline);
        }
        self.accompanied = company;
        for outcome in &mut outcomes {
            outcome.scope.certainty = certainty;
        }
        match before {
            Some(scope) => {
                // Whoever started it does not wait for it.
                self.pace = Pace { starts: self.pace.starts + 1, pauses };
                vec![Outcome { scope, output: picked(&outcomes).0, status: Status::Success, leaves: None }]
            }
            None => outcomes,
        }
    }

    /// Runs a pipeline where the status of what stands before it lets it run.
    fn after_status(&mut self, outcomes: Vec<Outcome>, join: Join, pipeline: &Pipeline) -> Vec<Outcome> {
        let skips = match join {
            Join::And => Some(Status::Failure),
            Join::First => None,
            Join::Or => Some(Status::Success),
        };
        let (mut done, mut going) = (Vec::new(), Vec::new());
        for mut outcome in outcomes {
            match skips {
                Some(skip) if outcome.status == skip || outcome.leaves.is_some() => done.push(outcome),
                Some(skip) if outcome.status == Status::Either => {
                    outcome.scope.certainty = Certainty::May;
                    done.push(Outcome { status: skip, ..outcome.clone() });
                    going.push(outcome);
                }
                Some(_) | None => going.push(outcome),
            }
        }
        let ran = self.after(going, |machine, scope| machine.pipeline(pipeline, scope));
        done.extend(ran);
        self.merge(done)
    }

    fn pipeline(&mut self, pipeline: &Pipeline, scope: Scope) -> Vec<Outcome> {
        let mut outcomes = match pipeline.commands.as_slice() {
            [command] => self.command(command, scope),
            commands => self.stages(commands, scope),
        };
        if pipeline.negated {
            for outcome in &mut outcomes {
                outcome.status = outcome.status.negated();
            }
        }
        outcomes
    }

    fn stages(&mut self, commands: &[Command], scope: Scope) -> Vec<Outcome> {
        let company = self.accompanied;
        self.accompanied = true;
        let mut stage = scope.clone();
        let mut output = Value::default();
        let mut stayed = Vec::new();
        for (index, command) in commands.iter().enumerate() {
            let network = commands.get(index + 1).is_some_and(connects);
            let mut inner = stage.clone();
            let last = index + 1 == commands.len();
            let stays = last && keeps_last(&scope);
            inner.frame.looping &= stays;
            let stream = if last { inner.stream } else { self.streams.open(&mut inner) };
            inner.to_network |= network;
            let outcomes = if stays {
                self.command(command, inner)
            } else {
                self.apart(|machine| machine.command(command, inner))
            };
            output = picked(&outcomes).0;
            self.streams.flush(stream, &mut output);
            if !self.spend_bytes(output.size()) {
                break;
            }
            if stays {
                stayed = outcomes;
            }
            stage.stdin = Some(Rc::new(output.clone()));
        }
        self.accompanied = company;
        for way in &mut stayed {
            way.output.clone_from(&output);
            way.status = Status::Either;
            way.scope.stdin.clone_from(&scope.stdin);
            way.scope.to_network = scope.to_network;
            way.scope.frame.looping = scope.frame.looping;
        }
        stayed.push(Outcome::printing(scope, output));
        self.merge(stayed)
    }

    /// Runs one command with its redirections, and minds what it has switched.
    pub(crate) fn command(&mut self, command: &Command, scope: Scope) -> Vec<Outcome> {
        if !self.spend(1 + scope.weight()) {
            return vec![Outcome::of(scope, Status::Either)];
        }
        let (switches, said, origin) = (Switches::of(&scope), self.out.effects.len(), scope.origin);
        let outcomes = self.redirected(command, scope);
        for outcome in &outcomes {
            self.mind_switches(switches, said, &outcome.scope, origin.map(command.span));
        }
        outcomes
    }

    fn redirected(&mut self, command: &Command, scope: Scope) -> Vec<Outcome> {
        if let CommandKind::Simple { assignments, words } = &command.kind {
            return self.simple(assignments, words, &command.redirects, scope, command.span);
        }
        if command.redirects.is_empty() {
            return self.compound(&command.kind, scope);
        }
        let mut inner = scope.clone();
        let wiring = self.wire(&command.redirects, &mut inner);
        let mut outcomes = self.compound(&command.kind, inner);
        let certainty = scope.certainty;
        for (at, outcome) in outcomes.iter_mut().enumerate() {
            // Of several ways one is taken: what the others would have written may not be there.
            outcome.scope.certainty = if at > 0 { Certainty::May } else { certainty };
            outcome.output = self.drain(&wiring, &outcome.scope, &outcome.output);
            outcome.scope.certainty = certainty;
            outcome.status = Status::Either;
            outcome.scope.stdin.clone_from(&scope.stdin);
            outcome.scope.to_network = scope.to_network;
            outcome.scope.stream = scope.stream;
            outcome.scope.restore_descriptors(&command.redirects, &scope.descriptors);
            self.streams.flush(scope.stream, &mut outcome.output);
        }
        outcomes
    }

    fn compound(&mut self, kind: &CommandKind, mut scope: Scope) -> Vec<Outcome> {
        match kind {
            CommandKind::Arithmetic(word) => {
                let _ = self.arithmetic_command(word, &mut scope);
                vec![Outcome::of(scope, Status::Either)]
            }
            CommandKind::Case { word, arms } => self.case(word, arms, scope),
            CommandKind::Condition(words) => {
                let _ = self.condition(words, &mut scope);
                vec![Outcome::of(scope, Status::Either)]
            }
            CommandKind::Coprocess { name, command } => self.coprocess(name, command, scope),
            CommandKind::For { name, words, select, body } => {
                self.for_each(name, words.as_deref(), *select, body, scope)
            }
            CommandKind::ForArithmetic { header, body } => self.for_arithmetic(header, body, scope),
            CommandKind::Function { name, body } => {
                Rc::make_mut(&mut scope.functions).insert(Rc::from(name.as_str()), Rc::clone(body));
                vec![Outcome::of(scope, Status::Either)]
            }
            CommandKind::Group(list) => self.list(list, scope),
            CommandKind::If { branches, otherwise } => self.branches(branches, otherwise.as_ref(), scope),
            CommandKind::Simple { assignments, words } => {
                self.simple(assignments, words, &[], scope, crate::span::Span::default())
            }
            CommandKind::Subshell(list) => {
                let mut inner = scope.clone();
                inner.frame.looping = false;
                let (output, status) = picked(&self.forked(|machine| machine.list(list, inner)));
                vec![Outcome { scope, output, status, leaves: None }]
            }
            CommandKind::While { condition, until, body } => self.while_loop(condition, *until, body, scope),
        }
    }

    fn branches(
        &mut self,
        branches: &[(List, List)],
        otherwise: Option<&List>,
        scope: Scope,
    ) -> Vec<Outcome> {
        let certainty = scope.certainty;
        let (mut done, mut pending) = (Vec::new(), vec![scope]);
        for (condition, then) in branches {
            let mut refused = Vec::new();
            for scope in std::mem::take(&mut pending) {
                for mut outcome in self.list(condition, scope) {
                    if outcome.leaves.is_some() {
                        done.push(outcome);
                        continue;
                    }
                    if outcome.status != Status::Success {
                        outcome.scope.certainty = Certainty::May;
                        refused.push(outcome.scope.clone());
                    }
                    if outcome.status != Status::Failure {
                        done.extend(self.list(then, outcome.scope));
                    }
                }
            }
            pending = refused;
        }
        for scope in pending {
            match otherwise {
                Some(list) => done.extend(self.list(list, scope)),
                None => done.push(Outcome::of(scope, Status::Either)),
            }
        }
        for outcome in &mut done {
            outcome.scope.certainty = certainty;
        }
        self.merge(done)
    }

    fn case(&mut self, word: &Word, arms: &[Arm], mut scope: Scope) -> Vec<Outcome> {
        let certainty = scope.certainty;
        let subject = self.text(word, &mut scope);
        // The ways that have yet to match, and those that come to the next arm from the one before it.
        let (mut testing, mut falling) = (vec![Outcome::of(scope, Status::Either)], Vec::new());
        let mut done = Vec::new();
        for arm in arms {
            let mut entering = std::mem::take(&mut falling);
            for mut way in std::mem::take(&mut testing) {
                let matched = self.arm_matches(&subject, &arm.patterns, &mut way.scope);
                if matched == Status::Either {
                    way.scope.certainty = Certainty::May;
                }
                if matched != Status::Success {
                    testing.push(way.clone());
                }
                if matched != Status::Failure {
                    entering.push(way);
                }
            }
            let ran = self.after(entering, |machine, scope| machine.list(&arm.list, scope));
            let (left, ran): (Vec<_>, Vec<_>) = ran.into_iter().partition(|way| way.leaves.is_some());
            done.extend(left);
            match arm.then {
                Then::End => done.extend(ran),
                Then::Next => falling = ran,
                Then::Test => testing.extend(ran),
            }
            testing = self.merge(testing);
        }
        done.extend(testing);
        done.extend(falling);
        for outcome in &mut done {
            outcome.scope.certainty = certainty;
        }
        self.merge(done)
    }

    fn arm_matches(&mut self, subject: &Value, patterns: &[Word], scope: &mut Scope) -> Status {
        let mut result = Status::Failure;
        for pattern in patterns {
            let pattern = self.pattern(pattern, scope);
            let text = subject.known();
            // Where either is not known, nothing is compared.
            let length =
                pattern.as_ref().zip(text.as_ref()).map_or(0, |(pattern, text)| pattern.len() * text.len());
            if !self.spend_bytes(length) {
                return Status::Either;
            }
            match (text, pattern) {
                (Some(text), Some(pattern)) if Pattern::new(&pattern).matches(&text) => {
                    return Status::Success;
                }
                (Some(text), Some(pattern))
                    if !Pattern::new(&pattern.to_lowercase()).matches(&text.to_lowercase()) => {}
                // Unknown, or the same but for capitals, which an option lets match.
                _ => result = Status::Either,
            }
        }
        result
    }
}

pub(super) fn first_word(command: &Command) -> Option<&str> {
    let CommandKind::Simple { words, .. } = &command.kind else { return None };
    match words.first()?.parts.as_slice() {
        [crate::ast::Part::Bare(text)] => Some(text),
        _ => None,
    }
}

/// Whether the last command of a pipeline may run in this shell: `shopt -s lastpipe`, where nobody sits at it.
fn keeps_last(scope: &Scope) -> bool {
    scope.scalar(SHELL_OPTIONS).is_some_and(|options| options.shown().contains("lastpipe"))
}

/// Programs that carry their standard input to another machine.
const CARRIERS: &[&str] = &["nc", "ncat", "netcat", "socat", "telnet", "openssl", "curl", "wget"];

fn connects(command: &Command) -> bool {
    first_word(command).is_some_and(|word| CARRIERS.contains(&word.rsplit('/').next().unwrap_or(word)))
}
