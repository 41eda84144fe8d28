//! Lists, pipelines, branches and loops.

use std::rc::Rc;

use super::machine::{Event, Machine};
use super::scope::{Leave, Outcome, Scope, Status};
use crate::ast::{Command, CommandKind, Item, Join, List, Pipeline, Word};
use crate::effect::{Certainty, Flags, Target, Verb};
use crate::pattern::Pattern;
use crate::value::{Provenance, Value};

/// How many ways through a text are followed side by side.
const WAYS: usize = 8;
/// How many words of a `for` are gone through one by one; of more, one of each shape is.
const ROUNDS: usize = 64;
/// How many lines a `while read` goes through.
const LINES: usize = 1024;
/// How often the body of another loop is gone through, and of one that stands in a loop.
const TURNS: (usize, usize) = (6, 2);

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
    fn after(
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
        let before = item.background.then(|| scope.clone());
        let certainty = scope.certainty;
        let mut outcomes = vec![Outcome::of(scope, Status::Success)];
        for (join, pipeline) in &item.pipelines {
            outcomes = self.after_status(outcomes, *join, pipeline);
        }
        self.accompanied = company;
        for outcome in &mut outcomes {
            outcome.scope.certainty = certainty;
        }
        match before {
            Some(scope) => {
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
                    done.push(Outcome { status: skip, ..outcome.clone() });
                    outcome.scope.certainty = Certainty::May;
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
            commands => vec![self.stages(commands, scope)],
        };
        if pipeline.negated {
            for outcome in &mut outcomes {
                outcome.status = match outcome.status {
                    Status::Either => Status::Either,
                    Status::Failure => Status::Success,
                    Status::Success => Status::Failure,
                };
            }
        }
        outcomes
    }

    fn stages(&mut self, commands: &[Command], scope: Scope) -> Outcome {
        let company = self.accompanied;
        self.accompanied = true;
        let mut stage = scope.clone();
        let mut output = Value::default();
        for (index, command) in commands.iter().enumerate() {
            let network = commands.get(index + 1).is_some_and(connects);
            let mut inner = stage.clone();
            inner.frame.looping = false;
            let last = index + 1 == commands.len();
            let stream = if last { inner.stream } else { self.streams.open(&mut inner) };
            inner.to_network |= network;
            output = picked(&self.command(command, inner)).0;
            self.streams.flush(stream, &mut output);
            if !self.spend_bytes(output.size()) {
                break;
            }
            stage.stdin = Some(Rc::new(output.clone()));
        }
        self.accompanied = company;
        Outcome::printing(scope, output)
    }

    /// Runs one command with its redirections.
    pub(crate) fn command(&mut self, command: &Command, scope: Scope) -> Vec<Outcome> {
        if !self.spend(1 + scope.weight()) {
            return vec![Outcome::of(scope, Status::Either)];
        }
        if let CommandKind::Simple { assignments, words } = &command.kind {
            return self.simple(assignments, words, &command.redirects, scope, command.span);
        }
        if command.redirects.is_empty() {
            return self.compound(&command.kind, scope);
        }
        let mut inner = scope.clone();
        let wiring = self.wire(&command.redirects, &mut inner);
        let mut outcomes = self.compound(&command.kind, inner);
        for outcome in &mut outcomes {
            outcome.output = self.drain(&wiring, &outcome.scope, &outcome.output);
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
                self.arithmetic_command(word, &mut scope);
                vec![Outcome::of(scope, Status::Either)]
            }
            CommandKind::Case { word, arms, goes_on } => self.case(word, arms, *goes_on, scope),
            CommandKind::Condition(words) => {
                self.condition(words, &mut scope);
                vec![Outcome::of(scope, Status::Either)]
            }
            CommandKind::Coprocess { name, command } => self.coprocess(name, command, scope),
            CommandKind::For { name, words, body } => self.for_each(name, words.as_deref(), body, scope),
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
                let (output, status) = picked(&self.list(list, inner));
                vec![Outcome { scope, output, status, leaves: None }]
            }
            CommandKind::While { condition, body } => self.while_loop(condition, body, scope),
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

    fn case(
        &mut self,
        word: &Word,
        arms: &[(Vec<Word>, List)],
        goes_on: bool,
        mut scope: Scope,
    ) -> Vec<Outcome> {
        let certainty = scope.certainty;
        let subject = self.text(word, &mut scope);
        let (mut done, mut reached) = (Vec::new(), false);
        for (patterns, list) in arms {
            let matched = match self.arm_matches(&subject, patterns, &mut scope) {
                _ if reached => Status::Either,
                Status::Success if goes_on => {
                    reached = true;
                    Status::Either
                }
                matched @ (Status::Either | Status::Failure | Status::Success) => matched,
            };
            if matched == Status::Failure {
                continue;
            }
            let mut inner = scope.clone();
            if matched == Status::Either {
                inner.certainty = Certainty::May;
            }
            done.extend(self.list(list, inner));
            if matched == Status::Success {
                break;
            }
        }
        done.push(Outcome::of(scope, Status::Either));
        for outcome in &mut done {
            outcome.scope.certainty = certainty;
        }
        self.merge(done)
    }

    fn arm_matches(&mut self, subject: &Value, patterns: &[Word], scope: &mut Scope) -> Status {
        let mut result = Status::Failure;
        for pattern in patterns {
            let pattern = self.pattern(pattern, scope);
            let length = pattern.as_ref().map_or(0, String::len);
            if !self.spend_bytes(subject.size().saturating_mul(length)) {
                return Status::Either;
            }
            match (subject.known(), pattern) {
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

    fn for_each(
        &mut self,
        name: &str,
        words: Option<&[Word]>,
        body: &List,
        mut scope: Scope,
    ) -> Vec<Outcome> {
        let items: Vec<Value> = match words {
            Some(words) => {
                words.iter().flat_map(|word| self.fields(word, &mut scope)).map(|field| field.value).collect()
            }
            None => match &scope.positional {
                Some(values) => values.as_ref().clone(),
                None => vec![Value::unknown("$@", Provenance::NONE)],
            },
        };
        let outer = scope.frame.looping;
        let mut outcomes = vec![Outcome::of(scope, Status::Success)];
        let many = items.len() > ROUNDS;
        let items = if many { shapes(items) } else { items };
        for item in items {
            outcomes = self.round(outcomes, name, &item, body);
            if !self.spend(1) {
                break;
            }
        }
        if many {
            outcomes =
                self.round(outcomes, name, &Value::unknown(format!("${name}"), Provenance::NONE), body);
        }
        self.leave_loop(outcomes, outer)
    }

    /// Goes through the body of a loop once, from each way that has not left it.
    fn turn(
        &mut self,
        outcomes: Vec<Outcome>,
        mut prepare: impl FnMut(&mut Self, &mut Scope),
        body: &List,
    ) -> Vec<Outcome> {
        let mut outcomes = self.after(outcomes, |machine, mut scope| {
            scope.frame.looping = true;
            prepare(machine, &mut scope);
            machine.list(body, scope)
        });
        for outcome in &mut outcomes {
            if outcome.leaves == Some(Leave::Round) {
                outcome.leaves = None;
            }
        }
        outcomes
    }

    fn round(&mut self, outcomes: Vec<Outcome>, name: &str, item: &Value, body: &List) -> Vec<Outcome> {
        self.turn(outcomes, |_, scope| scope.set(name, item.clone()), body)
    }

    fn for_arithmetic(&mut self, header: &Word, body: &List, mut scope: Scope) -> Vec<Outcome> {
        let text = self.text(header, &mut scope).shown();
        self.arithmetic_command(header, &mut scope);
        // The header was carried out as a whole; the first round starts where its first part leads.
        let _ = self.calculate(text.split(';').next().unwrap_or_default(), &mut scope);
        let step = text.split(';').nth(2).unwrap_or_default();
        if text.split(';').nth(1).is_none_or(|condition| condition.trim().is_empty()) {
            self.flood(body, &scope);
        }
        let (outer, turns) = (scope.frame.looping, turns(&scope));
        let mut outcomes = vec![Outcome::of(scope, Status::Success)];
        for turn in 0..turns {
            let prepare = |machine: &mut Self, scope: &mut Scope| {
                if turn > 0 {
                    let _ = machine.calculate(step, scope);
                }
            };
            outcomes = self.turn(outcomes, prepare, body);
        }
        self.leave_loop(outcomes, outer)
    }

    fn while_loop(&mut self, condition: &List, body: &List, scope: Scope) -> Vec<Outcome> {
        if is_endless(condition) {
            self.flood(body, &scope);
        }
        let fed = scope.stdin.as_ref().is_some_and(|input| !input.has_hole());
        let rounds = match (fed, reads_input(condition)) {
            (true, true) => LINES,
            (true, false) => ROUNDS,
            (false, _) => turns(&scope),
        };
        let outer = scope.frame.looping;
        let (mut done, mut live) = (Vec::new(), vec![Outcome::of(scope, Status::Success)]);
        for _ in 0..rounds {
            let tested = self.turn(live, |_, _| (), condition);
            let (mut ended, going): (Vec<_>, Vec<_>) = tested.into_iter().partition(|outcome| {
                outcome.leaves.is_some() || outcome.status == Status::Failure && reads_input(condition)
            });
            done.append(&mut ended);
            if going.is_empty() || !self.spend(1) {
                live = going;
                break;
            }
            live = self.turn(going, |_, _| (), body);
            let (left, again): (Vec<_>, Vec<_>) =
                live.into_iter().partition(|outcome| outcome.leaves.is_some());
            done.extend(left);
            live = again;
        }
        done.extend(live);
        self.leave_loop(done, outer)
    }

    /// Puts equal ways together, and the last ones when there are too many.
    fn merge(&mut self, outcomes: Vec<Outcome>) -> Vec<Outcome> {
        if outcomes.len() < 2 {
            return outcomes;
        }
        let mut merged: Vec<Outcome> = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            let same = merged.iter().position(|other| self.alike(other, &outcome));
            let full = merged.len() >= WAYS;
            match same.and_then(|at| merged.get_mut(at)) {
                Some(other) => absorb(other, outcome),
                None if full => match merged.iter_mut().rfind(|other| other.leaves == outcome.leaves) {
                    Some(last) => {
                        join(&mut last.scope, &outcome.scope);
                        absorb(last, outcome);
                        last.status = Status::Either;
                    }
                    // A way that goes on is never lost in one that leaves.
                    None => merged.push(outcome),
                },
                None => merged.push(outcome),
            }
        }
        merged
    }

    /// Whether two ways come to the same. What they share is not compared; the rest costs work.
    fn alike(&mut self, one: &Outcome, other: &Outcome) -> bool {
        let (ours, theirs) = (&one.scope.variables, &other.scope.variables);
        if one.leaves != other.leaves
            || one.scope.directory != other.scope.directory
            || ours.len() != theirs.len()
        {
            return false;
        }
        if !Rc::ptr_eq(ours, theirs) {
            let apart = ours.values().zip(theirs.values()).filter(|(ours, theirs)| !Rc::ptr_eq(ours, theirs));
            let bytes = apart.flat_map(|(ours, _)| &ours.values).map(Value::size).sum();
            if !self.spend(one.scope.weight()) || !self.spend_bytes(bytes) {
                return false;
            }
        }
        one.scope == other.scope
    }

    fn leave_loop(&mut self, mut outcomes: Vec<Outcome>, outer: bool) -> Vec<Outcome> {
        for outcome in &mut outcomes {
            outcome.scope.frame.looping = outer;
            if outcome.leaves == Some(Leave::Loop) {
                outcome.leaves = None;
            }
            outcome.status = Status::Either;
        }
        self.merge(outcomes)
    }

    /// A loop without end that starts processes without waiting for them uses the machine up.
    fn flood(&mut self, body: &List, scope: &Scope) {
        let starts = body.items.iter().any(|item| item.background);
        let waits =
            body.items.iter().flat_map(|item| &item.pipelines).flat_map(|(_, line)| &line.commands).any(
                |command| {
                    first_word(command).is_some_and(|word| {
                        ["sleep", "wait", "break", "exit", "read", "return"].contains(&word)
                    })
                },
            );
        if starts && !waits {
            self.exhaust(scope, "while");
        }
    }

    /// Records that the machine is used up.
    pub(crate) fn exhaust(&mut self, scope: &Scope, by: &str) {
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        let invocation = scope.within.unwrap_or_default();
        let event = Event {
            verb: Verb::Exhaust,
            target: Target::None,
            flags: Flags::IRREVERSIBLE,
            data: Provenance::NONE,
            by,
            invocation,
            span: scope.origin.map(crate::span::Span::new(0, end)),
        };
        self.effect(scope, event);
    }
}

fn absorb(outcome: &mut Outcome, other: Outcome) {
    if outcome.status != other.status {
        outcome.status = Status::Either;
    }
    outcome.output = either(std::mem::take(&mut outcome.output), other.output);
}

/// What is known of an output that is one of two. One that is empty is taken to be that of a failure.
fn either(one: Value, other: Value) -> Value {
    if one.pieces.is_empty() {
        other
    } else if other.pieces.is_empty() || one == other {
        one
    } else {
        Value::unknown("output", one.provenance | other.provenance | Provenance::OUTSIDE)
    }
}

/// Keeps what two scopes agree on; where they differ nothing is known.
fn join(scope: &mut Scope, other: &Scope) {
    if scope.directory != other.directory {
        scope.directory = None;
    }
    let variables = Rc::make_mut(&mut scope.variables);
    for (name, variable) in variables.iter_mut() {
        let theirs = other.variables.get(name);
        let same =
            theirs.is_some_and(|theirs| Rc::ptr_eq(theirs, variable) || theirs.values == variable.values);
        if !same {
            Rc::make_mut(variable).values = vec![Value::unknown(format!("${name}"), Provenance::OUTSIDE)];
        }
    }
    if scope.positional != other.positional {
        scope.positional = None;
    }
    if scope.stdin != other.stdin {
        scope.stdin = Some(Rc::new(Value::unknown("standard input", Provenance::OUTSIDE)));
    }
    for (name, function) in other.functions.iter() {
        Rc::make_mut(&mut scope.functions).entry(Rc::clone(name)).or_insert_with(|| Rc::clone(function));
    }
}

/// What a list printed in the end, and how it ended: the way that went well, if there are several.
pub(crate) fn picked(outcomes: &[Outcome]) -> (Value, Status) {
    if let [only] = outcomes {
        return (only.output.clone(), only.status);
    }
    let well = outcomes.iter().filter(|outcome| outcome.status != Status::Failure);
    let output = well.fold(Value::default(), |all, outcome| either(all, outcome.output.clone()));
    if output.pieces.is_empty() {
        return (outcomes.first().map(|outcome| outcome.output.clone()).unwrap_or_default(), Status::Either);
    }
    (output, Status::Either)
}

/// One word of each shape: numbers differ, but are of one kind.
fn shapes(items: Vec<Value>) -> Vec<Value> {
    let mut seen = std::collections::HashSet::new();
    items
        .into_iter()
        .filter(|item| {
            let mut shape: Vec<char> = item
                .shown()
                .chars()
                .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
                .collect();
            shape.dedup_by(|one, other| *one == '0' && *other == '0');
            seen.insert(shape)
        })
        .collect()
}

/// How often the body of a loop is gone through whose end is not known.
fn turns(scope: &Scope) -> usize {
    if scope.frame.looping { TURNS.1 } else { TURNS.0 }
}

fn first_word(command: &Command) -> Option<&str> {
    let CommandKind::Simple { words, .. } = &command.kind else { return None };
    match words.first()?.parts.as_slice() {
        [crate::ast::Part::Bare(text)] => Some(text),
        _ => None,
    }
}

fn only_command(list: &List) -> Option<&Command> {
    match list.items.as_slice() {
        [item] => match item.pipelines.as_slice() {
            [(_, line)] if !line.negated => match line.commands.as_slice() {
                [command] => Some(command),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn is_endless(condition: &List) -> bool {
    only_command(condition).and_then(first_word).is_some_and(|word| word == ":" || word == "true")
}

fn reads_input(condition: &List) -> bool {
    only_command(condition).and_then(first_word).is_some_and(|word| word == "read")
}

/// Programs that carry their standard input to another machine.
const CARRIERS: &[&str] = &["nc", "ncat", "netcat", "socat", "telnet", "openssl", "curl", "wget"];

fn connects(command: &Command) -> bool {
    first_word(command).is_some_and(|word| CARRIERS.contains(&word.rsplit('/').next().unwrap_or(word)))
}
